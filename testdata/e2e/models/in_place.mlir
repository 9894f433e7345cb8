// B updates in place what it gets from A, which reads the update; `keep`: and the value before it.
// Run: iree-run-module --function=take --input=64x64xf32=0.25 --input=64x32xf32=0.5 --input=32x64xf32=0.125
// Run: iree-run-module --function=keep --input=64x64xf32=0.25 --input=64x32xf32=0.5 --input=32x64xf32=0.125
module @m {
  func.func @take(%arg0: tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %l: tensor<64x32xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}, %r: tensor<32x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}) -> (tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) {
    %0 = arith.addf %arg0, %arg0 : tensor<64x64xf32>
    %to_b = flow.tensor.transfer %0 : tensor<64x64xf32> to #hal.device.promise<@dev_b>
    %1 = linalg.matmul ins(%l, %r : tensor<64x32xf32>, tensor<32x64xf32>) outs(%to_b : tensor<64x64xf32>) -> tensor<64x64xf32>
    %to_a = flow.tensor.transfer %1 : tensor<64x64xf32> to #hal.device.promise<@dev_a>
    %2 = arith.mulf %to_a, %arg0 : tensor<64x64xf32>
    return %2 : tensor<64x64xf32>
  }
  func.func @keep(%arg0: tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %l: tensor<64x32xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}, %r: tensor<32x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}) -> (tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) {
    %0 = arith.addf %arg0, %arg0 : tensor<64x64xf32>
    %to_b = flow.tensor.transfer %0 : tensor<64x64xf32> to #hal.device.promise<@dev_b>
    %1 = linalg.matmul ins(%l, %r : tensor<64x32xf32>, tensor<32x64xf32>) outs(%to_b : tensor<64x64xf32>) -> tensor<64x64xf32>
    %to_a = flow.tensor.transfer %1 : tensor<64x64xf32> to #hal.device.promise<@dev_a>
    %2 = arith.mulf %to_a, %0 : tensor<64x64xf32>
    return %2 : tensor<64x64xf32>
  }
}
