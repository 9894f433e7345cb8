// One value of a is transferred to b twice (the same target, two ops), each copy has its own worker on b, both answers go back and are reduced on a.
// Run: iree-run-module --function=main --input=8xf32=1,2,3,4,5,6,7,8 --expected_output=8xf32=7,14,21,28,35,42,49,56
module @case07 {
  func.func @main(%x: tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) -> (tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) {
    %two = arith.constant dense<2.0> : tensor<8xf32>
    %three = arith.constant dense<3.0> : tensor<8xf32>
    %d = arith.addf %x, %x : tensor<8xf32>
    %t0 = flow.tensor.transfer %d : tensor<8xf32> to #hal.device.promise<@dev_b>
    %t1 = flow.tensor.transfer %d : tensor<8xf32> to #hal.device.promise<@dev_b>
    %w0 = arith.mulf %t0, %two : tensor<8xf32>
    %f0 = util.optimization_barrier %w0 : tensor<8xf32>
    %w1 = arith.mulf %t1, %three : tensor<8xf32>
    %f1 = util.optimization_barrier %w1 : tensor<8xf32>
    %b0 = flow.tensor.transfer %f0 : tensor<8xf32> to #hal.device.promise<@dev_a>
    %b1 = flow.tensor.transfer %f1 : tensor<8xf32> to #hal.device.promise<@dev_a>
    %sum = arith.addf %b0, %b1 : tensor<8xf32>
    %half = arith.subf %sum, %d : tensor<8xf32>
    %r = arith.subf %half, %x : tensor<8xf32>
    return %r : tensor<8xf32>
  }
}
