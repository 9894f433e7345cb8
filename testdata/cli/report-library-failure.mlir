// What the library has against an input is said with its position, also where the report's own count is the first to meet it.
// RUN: not stream-zc-opt --report=%t.json %s -o %t.out 2>&1 | FileCheck %s
// RUN: not ls %t.json
// RUN: not ls %t.out
// CHECK: report-library-failure.mlir:[[#@LINE+7]]:{{[0-9]+}}: error: failed to legalize
// CHECK: stream-zc-opt: error: cannot count for the report

module {
  util.global private @dev_b : !hal.device
  // IREE doesn't convert functions of this dialect.
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_b>
    return %y : tensor<4xf32>
  }
}
