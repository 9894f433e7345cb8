// A value with two readers on A that goes to B too, a constant sent to B, a part of a packed allocation as a copy's source.
// Run: iree-run-module --function=main --input=128x256xf32=0.01 --input=256x64xf32=0.02
module @m {
  func.func @main(%arg0: tensor<128x256xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %w: tensor<256x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) -> (tensor<128x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) {
    %z = arith.constant 0.0 : f32
    %cst = arith.constant dense<2.0> : tensor<128x64xf32>
    %e = tensor.empty() : tensor<128x64xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<128x64xf32>) -> tensor<128x64xf32>
    %0 = linalg.matmul ins(%arg0, %w : tensor<128x256xf32>, tensor<256x64xf32>) outs(%f : tensor<128x64xf32>) -> tensor<128x64xf32>
    %s = linalg.matmul ins(%arg0, %w : tensor<128x256xf32>, tensor<256x64xf32>) outs(%cst : tensor<128x64xf32>) -> tensor<128x64xf32>
    %t = flow.tensor.transfer %0 : tensor<128x64xf32> to #hal.device.promise<@dev_b>
    %c = flow.tensor.transfer %cst : tensor<128x64xf32> to #hal.device.promise<@dev_b>
    %1 = arith.mulf %t, %c : tensor<128x64xf32>
    %q = math.exp %1 : tensor<128x64xf32>
    %2 = flow.tensor.transfer %q : tensor<128x64xf32> to #hal.device.promise<@dev_a>
    %3 = arith.addf %2, %0 : tensor<128x64xf32>
    %4 = arith.addf %3, %s : tensor<128x64xf32>
    return %4 : tensor<128x64xf32>
  }
}
