// A value goes from A to B and back: two transfers, one tensor.
// Run: iree-run-module --function=main --input=1024x1024xf32=2
module @m {
  func.func @main(%arg0: tensor<1024x1024xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) -> (tensor<1024x1024xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) {
    %0 = arith.addf %arg0, %arg0 : tensor<1024x1024xf32>
    %1 = flow.tensor.transfer %0 : tensor<1024x1024xf32> to #hal.device.promise<@dev_b>
    %2 = arith.mulf %1, %1 : tensor<1024x1024xf32>
    %3 = flow.tensor.transfer %2 : tensor<1024x1024xf32> to #hal.device.promise<@dev_a>
    %4 = arith.addf %3, %0 : tensor<1024x1024xf32>
    return %4 : tensor<1024x1024xf32>
  }
}
