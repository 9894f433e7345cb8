// The value of a transfer goes through a call that is never inlined, and the callee reads it on b; the source is still read by the caller after the call.
// Run: iree-run-module --function=main --input=4xf32=1,2,3,4 --expected_output=4xf32=12,20,30,42
module @case22 {
  util.func private @square(%v: tensor<4xf32>) -> tensor<4xf32> attributes {inlining_policy = #util.inline.never} {
    %vb = flow.tensor.transfer %v : tensor<4xf32> to #hal.device.promise<@dev_b>
    %q = arith.mulf %vb, %vb : tensor<4xf32>
    util.return %q : tensor<4xf32>
  }
  func.func @main(%x: tensor<4xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) -> (tensor<4xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) {
    %two = arith.constant dense<2.0> : tensor<4xf32>
    %d = arith.addf %x, %two : tensor<4xf32>
    %q = util.call @square(%d) : (tensor<4xf32>) -> tensor<4xf32>
    %qa = flow.tensor.transfer %q : tensor<4xf32> to #hal.device.promise<@dev_a>
    %r = arith.addf %qa, %d : tensor<4xf32>
    return %r : tensor<4xf32>
  }
}
