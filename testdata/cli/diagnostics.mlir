// Diagnostics say where: file, line and column, the line itself, a caret; notes, too.
// RUN: not stream-zc-opt %s 2>&1 | FileCheck %s --match-full-lines --strict-whitespace
//      CHECK:{{.*}}diagnostics.mlir:14:3: error: redefinition of SSA value '%0'
// CHECK-NEXT:  %0 = arith.constant 2 : i32
// CHECK-NEXT:  ^
// CHECK-NEXT:{{.*}}diagnostics.mlir:13:3: note: previously defined here
// CHECK-NEXT:  %0 = arith.constant 1 : i32
// CHECK-NEXT:  ^
//  CHECK-NOT:{{.+}}

module {
util.func public @f() -> i32 {
  %0 = arith.constant 1 : i32
  %0 = arith.constant 2 : i32
  util.return %0 : i32
}
}
