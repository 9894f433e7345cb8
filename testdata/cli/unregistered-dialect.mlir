// RUN: not stream-zc-opt --no-default-pipeline %s 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: stream-zc-opt --no-default-pipeline --allow-unregistered-dialect %s | FileCheck %s
// ERROR: unregistered-dialect.mlir:[[@LINE+3]]:{{[0-9]+}}: error: operation being parsed with an unregistered dialect
// CHECK: module {
// CHECK-NEXT: "some.op"() {a = 1 : i32} : () -> ()
"some.op"() {a = 1 : i32} : () -> ()
