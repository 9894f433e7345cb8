// A value of A is read by B and by C, neither of which waits for the other; A takes both answers.
// iree-compile: --iree-execution-model=async-external --iree-hal-target-device=dev_a=local[0]
// iree-compile: --iree-hal-target-device=dev_b=local[1] --iree-hal-target-device=dev_c=local[2]
// Run: iree-run-module --function=main --input=64x64xf32=0.25
module @m {
  func.func @main(%arg0: tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) -> (tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) {
    %0 = arith.addf %arg0, %arg0 : tensor<64x64xf32>
    %to_b = flow.tensor.transfer %0 : tensor<64x64xf32> to #hal.device.promise<@dev_b>
    %b = arith.mulf %to_b, %to_b : tensor<64x64xf32>
    %to_c = flow.tensor.transfer %0 : tensor<64x64xf32> to #hal.device.promise<@dev_c>
    %c = math.exp %to_c : tensor<64x64xf32>
    %from_b = flow.tensor.transfer %b : tensor<64x64xf32> to #hal.device.promise<@dev_a>
    %from_c = flow.tensor.transfer %c : tensor<64x64xf32> to #hal.device.promise<@dev_a>
    %1 = arith.addf %from_b, %from_c : tensor<64x64xf32>
    return %1 : tensor<64x64xf32>
  }
}
