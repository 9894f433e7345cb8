// Large constants and resources on request.
// RUN: stream-zc-opt --no-default-pipeline --mlir-elide-elementsattrs-if-larger=2 --mlir-elide-resource-strings-if-larger=10 %s | FileCheck %s
// RUN: stream-zc-opt --no-default-pipeline %s | FileCheck %s --check-prefix=FULL
// CHECK: util.global private @large = dense_resource<__elided__> : tensor<3xi32>
// CHECK: util.global private @small = dense<[1, 2]> : tensor<2xi32>
// CHECK-NOT: 0x0400000001000000
// FULL: util.global private @large = dense<[1, 2, 3]> : tensor<3xi32>
// FULL: blob: "0x0400000001000000"
util.global private @large = dense<[1, 2, 3]> : tensor<3xi32>
util.global private @small = dense<[1, 2]> : tensor<2xi32>
util.global private @kept = dense_resource<blob> : tensor<1xi32>
{-# dialect_resources: { builtin: { blob: "0x0400000001000000" } } #-}
