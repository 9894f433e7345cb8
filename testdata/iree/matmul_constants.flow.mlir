// IREE compiler version 3.13.0rc20261016 @ 89ece87b89852100c0a4ac3d515e14842d090967
// iree-compile testdata/e2e/models/matmul_constants.mlir --iree-execution-model=async-external '--iree-hal-target-device=dev_a=local[0]' '--iree-hal-target-device=dev_b=local[1]' --iree-hal-local-target-device-backends=vmvx --compile-to=flow
module @m attributes {stream.affinity.default = #hal.device.affinity<@dev_a>} {
  util.global private @dev_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @dev_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  flow.executable private @main_dispatch_0 {
    flow.executable.export public @main_dispatch_0_matmul_128x64x256_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_0_matmul_128x64x256_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x256xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x64xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x64xf32>>) {
        %cst = arith.constant 0.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [128, 256], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x256xf32>> -> tensor<128x256xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [256, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x64xf32>> -> tensor<256x64xf32>
        %2 = tensor.empty() : tensor<128x64xf32>
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<128x64xf32>) -> tensor<128x64xf32>
        %4 = linalg.matmul ins(%0, %1 : tensor<128x256xf32>, tensor<256x64xf32>) outs(%3 : tensor<128x64xf32>) -> tensor<128x64xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %arg2, offsets = [0, 0], sizes = [128, 64], strides = [1, 1] : tensor<128x64xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x64xf32>>
        return
      }
    }
  }
  flow.executable private @main_dispatch_1 {
    flow.executable.export public @main_dispatch_1_elementwise_8192_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_1_elementwise_8192_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8192xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8192xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8192xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [8192], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8192xf32>> -> tensor<8192xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0], sizes = [8192], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8192xf32>> -> tensor<8192xf32>
        %2 = tensor.empty() : tensor<8192xf32>
        %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0, %1 : tensor<8192xf32>, tensor<8192xf32>) outs(%2 : tensor<8192xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %4 = arith.mulf %in, %in_0 : f32
          %5 = math.exp %4 : f32
          linalg.yield %5 : f32
        } -> tensor<8192xf32>
        iree_tensor_ext.dispatch.tensor.store %3, %arg2, offsets = [0], sizes = [8192], strides = [1] : tensor<8192xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8192xf32>>
        return
      }
    }
  }
  flow.executable private @main_dispatch_2 {
    flow.executable.export public @main_dispatch_2_matmul_128x64x256_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_2_matmul_128x64x256_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x256xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x64xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x64xf32>>, %arg3: !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x64xf32>>, %arg4: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x64xf32>>) {
        %cst = arith.constant 2.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [128, 256], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x256xf32>> -> tensor<128x256xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [256, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x64xf32>> -> tensor<256x64xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0, 0], sizes = [128, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x64xf32>> -> tensor<128x64xf32>
        %3 = iree_tensor_ext.dispatch.tensor.load %arg3, offsets = [0, 0], sizes = [128, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x64xf32>> -> tensor<128x64xf32>
        %4 = tensor.empty() : tensor<128x64xf32>
        %5 = linalg.fill ins(%cst : f32) outs(%4 : tensor<128x64xf32>) -> tensor<128x64xf32>
        %6 = linalg.matmul ins(%0, %1 : tensor<128x256xf32>, tensor<256x64xf32>) outs(%5 : tensor<128x64xf32>) -> tensor<128x64xf32>
        %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%2, %3, %6 : tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>) outs(%4 : tensor<128x64xf32>) {
        ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32):
          %8 = arith.addf %in, %in_0 : f32
          %9 = arith.addf %8, %in_1 : f32
          linalg.yield %9 : f32
        } -> tensor<128x64xf32>
        iree_tensor_ext.dispatch.tensor.store %7, %arg4, offsets = [0, 0], sizes = [128, 64], strides = [1, 1] : tensor<128x64xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x64xf32>>
        return
      }
    }
  }
  util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.fence, %arg3: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @main(%input0: tensor<128x256xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %input1: tensor<256x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) -> (%output0: tensor<128x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>})", iree.abi.model = "coarse-fences"}} {
    %cst = arith.constant dense<2.000000e+00> : tensor<128x64xf32>
    %0 = hal.tensor.import on(#hal.device.affinity<@dev_a>) wait(%arg2) => %arg0 "input0" : !hal.buffer_view -> tensor<128x256xf32>
    %1 = hal.tensor.import on(#hal.device.affinity<@dev_a>) wait(%arg2) => %arg1 "input1" : !hal.buffer_view -> tensor<256x64xf32>
    %2 = flow.dispatch @main_dispatch_0::@main_dispatch_0_matmul_128x64x256_f32(%0, %1) : (tensor<128x256xf32>, tensor<256x64xf32>) -> tensor<128x64xf32>
    %3 = flow.tensor.transfer %2 : tensor<128x64xf32> to #hal.device.affinity<@dev_b>
    %4 = flow.tensor.transfer %cst : tensor<128x64xf32> to #hal.device.affinity<@dev_b>
    %5 = flow.tensor.reshape %3 : tensor<128x64xf32> -> tensor<8192xf32>
    %6 = flow.tensor.reshape %4 : tensor<128x64xf32> -> tensor<8192xf32>
    %7 = flow.dispatch @main_dispatch_1::@main_dispatch_1_elementwise_8192_f32(%5, %6) : (tensor<8192xf32>, tensor<8192xf32>) -> tensor<8192xf32>
    %8 = flow.tensor.transfer %7 : tensor<8192xf32> to #hal.device.affinity<@dev_a>
    %9 = flow.tensor.reshape %8 : tensor<8192xf32> -> tensor<128x64xf32>
    %10 = flow.dispatch @main_dispatch_2::@main_dispatch_2_matmul_128x64x256_f32(%0, %1, %9, %2) : (tensor<128x256xf32>, tensor<256x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>) -> tensor<128x64xf32>
    %11 = hal.tensor.barrier join(%10 : tensor<128x64xf32>) => %arg3 : !hal.fence
    %12 = hal.tensor.export on(#hal.device.affinity<@dev_a>) %11 "output0" : tensor<128x64xf32> -> !hal.buffer_view
    util.return %12 : !hal.buffer_view
  }
}