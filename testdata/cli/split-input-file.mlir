// Each part is an input of its own, printed as iree-opt does; lines count in the whole file.
// RUN: iree-opt --split-input-file %s > %t.iree
// RUN: stream-zc-opt --no-default-pipeline --split-input-file %s > %t.ours
// RUN: cmp %t.iree %t.ours
// RUN: FileCheck %s < %t.ours
// RUN: stream-zc-opt --no-default-pipeline --split-input-file --mlir-print-debuginfo %s | FileCheck %s --check-prefix=LINES
// Without the option all of it is one module.
// RUN: stream-zc-opt --no-default-pipeline %s | FileCheck %s --check-prefix=WHOLE

// WHOLE: module {
// WHOLE-NEXT: util.func private @f()
// WHOLE-NEXT: module @named {
// CHECK: module {
// CHECK-NEXT: util.func private @f()
// CHECK-NEXT: }
// LINES: loc("{{.*}}split-input-file.mlir":[[@LINE+1]]:1)
util.func private @f()
// -----
// CHECK: {{^//}} {{-----$}}
// CHECK-NEXT: module {
// CHECK-NEXT: }
// -----
// CHECK: {{^//}} {{-----$}}
// CHECK-NEXT: module @named {
// CHECK-NEXT: util.func private @f()
module @named {
  // LINES: loc("{{.*}}split-input-file.mlir":[[@LINE+1]]:3)
  util.func private @f()
}
