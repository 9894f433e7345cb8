// IREE compiler version 3.13.0rc20261016 @ 89ece87b89852100c0a4ac3d515e14842d090967
// iree-compile testdata/e2e/models/single_device.mlir --iree-execution-model=async-external '--iree-hal-target-device=dev_a=local[0]' --iree-hal-local-target-device-backends=vmvx --compile-to=flow
module @m attributes {stream.affinity.default = #hal.device.affinity<@dev_a>} {
  util.global private @dev_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  flow.executable private @main_dispatch_0 {
    flow.executable.export public @main_dispatch_0_matmul_64x16x32_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_0_matmul_64x16x32_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x32xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x16xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64x16xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [64, 32], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x32xf32>> -> tensor<64x32xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [32, 16], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x16xf32>> -> tensor<32x16xf32>
        %2 = tensor.empty() : tensor<64x16xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<64x16xf32>) -> tensor<64x16xf32>
        %4 = linalg.matmul ins(%0, %1 : tensor<64x32xf32>, tensor<32x16xf32>) outs(%3 : tensor<64x16xf32>) -> tensor<64x16xf32>
        %5 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<64x16xf32>) outs(%2 : tensor<64x16xf32>) {
        ^bb0(%in: f32, %out: f32):
          %6 = math.exp %in : f32
          linalg.yield %6 : f32
        } -> tensor<64x16xf32>
        iree_tensor_ext.dispatch.tensor.store %5, %arg2, offsets = [0, 0], sizes = [64, 16], strides = [1, 1] : tensor<64x16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64x16xf32>>
        return
      }
    }
  }
  util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.fence, %arg3: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @main(%input0: tensor<64x32xf32>, %input1: tensor<32x16xf32>) -> (%output0: tensor<64x16xf32>)", iree.abi.model = "coarse-fences"}} {
    %0 = hal.tensor.import wait(%arg2) => %arg0 "input0" : !hal.buffer_view -> tensor<64x32xf32>
    %1 = hal.tensor.import wait(%arg2) => %arg1 "input1" : !hal.buffer_view -> tensor<32x16xf32>
    %2 = flow.dispatch @main_dispatch_0::@main_dispatch_0_matmul_64x16x32_f32(%0, %1) : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
    %3 = hal.tensor.barrier join(%2 : tensor<64x16xf32>) => %arg3 : !hal.fence
    %4 = hal.tensor.export %3 "output0" : tensor<64x16xf32> -> !hal.buffer_view
    util.return %4 : !hal.buffer_view
  }
}