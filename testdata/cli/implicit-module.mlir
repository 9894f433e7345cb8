// Ops that aren't in a module get one; locations keep the name of the file and their lines.
// RUN: iree-opt --mlir-print-debuginfo %s > %t.iree
// RUN: stream-zc-opt --no-default-pipeline --mlir-print-debuginfo %s | cmp %t.iree -
// RUN: stream-zc-opt --no-default-pipeline --mlir-print-debuginfo %s | FileCheck %s
// RUN: iree-opt --mlir-print-debuginfo < %s > %t.iree
// RUN: stream-zc-opt --no-default-pipeline --mlir-print-debuginfo < %s | cmp %t.iree -

// A lone op that isn't a module, and an error in one.
// RUN: echo 'util.func private @lone()' | stream-zc-opt --no-default-pipeline | FileCheck %s --check-prefix=LONE
// RUN: echo 'util.func @f() { util.call @none() : () -> () util.return }' | not stream-zc-opt 2>&1 | FileCheck %s --check-prefix=ERROR

// CHECK: module {
// CHECK-NEXT: util.func private @first(%arg0: i32) loc(#[[FIRST:.*]])
// CHECK: {{^}}} loc(#[[MODULE:.*]])
// CHECK-DAG: #[[MODULE]] = loc("{{.*}}implicit-module.mlir":0:0)
// CHECK-DAG: #[[FIRST]] = loc("{{.*}}implicit-module.mlir":[[@LINE+1]]:1)
util.func private @first(i32)
util.func public @second(%arg: i32) {
  util.call @first(%arg) : (i32) -> ()
  cf.br ^next(%arg : i32)
^next(%again: i32):
  util.return
}
// CHECK-DAG: loc("elsewhere.mlir":7:8)
util.func private @third() loc("elsewhere.mlir":7:8)

// LONE: module {
// LONE-NEXT: util.func private @lone()
// LONE-NEXT: }
// ERROR: <stdin>:1:18: error: 'util.call' op undefined/incompatible callee: none
