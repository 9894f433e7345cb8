// An immutable global on a is read on a and (after a transfer on every call) on b. It is a constant: aliasing is always safe on a coherent link.
// Run: iree-run-module --function=main --input=4xf32=1,1,2,2 --expected_output=4xf32=3.5,6.5,17,22
module @case09 {
  util.global private @w {stream.affinity = #hal.device.promise<@dev_a>} = dense<[1.5, 2.5, 3.5, 4.5]> : tensor<4xf32>
  func.func @main(%x: tensor<4xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) -> (tensor<4xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}) {
    %w = util.global.load @w : tensor<4xf32>
    %p = arith.mulf %x, %w : tensor<4xf32>
    %pb = flow.tensor.transfer %p : tensor<4xf32> to #hal.device.promise<@dev_b>
    %wb = flow.tensor.transfer %w : tensor<4xf32> to #hal.device.promise<@dev_b>
    %one = arith.constant dense<[2.0, 4.0, 10.0, 13.0]> : tensor<4xf32>
    %oneb = flow.tensor.transfer %one : tensor<4xf32> to #hal.device.promise<@dev_b>
    %s = arith.addf %pb, %oneb : tensor<4xf32>
    %d = arith.addf %s, %wb : tensor<4xf32>
    %q = arith.subf %d, %wb : tensor<4xf32>
    return %q : tensor<4xf32>
  }
}
