// A value goes from A to B, its result to C and that one's to A, which still has the first.
// iree-compile: --iree-execution-model=async-external --iree-hal-target-device=dev_a=local[0]
// iree-compile: --iree-hal-target-device=dev_b=local[1] --iree-hal-target-device=dev_c=local[2]
// Run: iree-run-module --function=main --input=64x64xf32=0.25
module @m {
  func.func @main(%arg0: tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) -> (tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) {
    %0 = arith.addf %arg0, %arg0 : tensor<64x64xf32>
    %1 = flow.tensor.transfer %0 : tensor<64x64xf32> to #hal.device.promise<@dev_b>
    %2 = arith.mulf %1, %1 : tensor<64x64xf32>
    %3 = flow.tensor.transfer %2 : tensor<64x64xf32> to #hal.device.promise<@dev_c>
    %4 = math.exp %3 : tensor<64x64xf32>
    %5 = flow.tensor.transfer %4 : tensor<64x64xf32> to #hal.device.promise<@dev_a>
    %6 = arith.addf %5, %0 : tensor<64x64xf32>
    return %6 : tensor<64x64xf32>
  }
}
