// One device, no transfer: nothing to do.
// iree-compile: --iree-execution-model=async-external --iree-hal-target-device=dev_a=local[0]
// Run: iree-run-module --function=main --input=64x32xf32=0.5 --input=32x16xf32=0.25
module @m {
  func.func @main(%x: tensor<64x32xf32>, %w: tensor<32x16xf32>) -> tensor<64x16xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<64x16xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x16xf32>) -> tensor<64x16xf32>
    %y = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x16xf32>)
                       outs(%init : tensor<64x16xf32>) -> tensor<64x16xf32>
    %z = math.exp %y : tensor<64x16xf32>
    return %z : tensor<64x16xf32>
  }
}
