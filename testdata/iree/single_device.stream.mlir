// IREE compiler version 3.13.0rc20261016 @ 89ece87b89852100c0a4ac3d515e14842d090967
// iree-compile testdata/e2e/models/single_device.mlir --iree-execution-model=async-external '--iree-hal-target-device=dev_a=local[0]' --iree-hal-local-target-device-backends=vmvx --compile-to=stream
module @m attributes {stream.affinity.default = #hal.device.affinity<@dev_a>} {
  util.global private @dev_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  stream.executable private @main_dispatch_0 {
    stream.executable.export public @main_dispatch_0_matmul_64x16x32_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_0_matmul_64x16x32_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}, %arg2: !stream.binding {stream.alignment = 64 : index}) {
        %cst = arith.constant 0.000000e+00 : f32
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x32xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x16xf32>>
        %2 = stream.binding.subspan %arg2[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64x16xf32>>
        %3 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [64, 32], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x32xf32>> -> tensor<64x32xf32>
        %4 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0, 0], sizes = [32, 16], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x16xf32>> -> tensor<32x16xf32>
        %5 = tensor.empty() : tensor<64x16xf32>
        %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<64x16xf32>) -> tensor<64x16xf32>
        %7 = linalg.matmul ins(%3, %4 : tensor<64x32xf32>, tensor<32x16xf32>) outs(%6 : tensor<64x16xf32>) -> tensor<64x16xf32>
        %8 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%7 : tensor<64x16xf32>) outs(%5 : tensor<64x16xf32>) {
        ^bb0(%in: f32, %out: f32):
          %9 = math.exp %in : f32
          linalg.yield %9 : f32
        } -> tensor<64x16xf32>
        iree_tensor_ext.dispatch.tensor.store %8, %2, offsets = [0, 0], sizes = [64, 16], strides = [1, 1] : tensor<64x16xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<64x16xf32>>
        return
      }
    }
  }
  util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.fence, %arg3: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @main(%input0: tensor<64x32xf32>, %input1: tensor<32x16xf32>) -> (%output0: tensor<64x16xf32>)", iree.abi.model = "coarse-fences"}} {
    %c0 = arith.constant 0 : index
    %c4096 = arith.constant 4096 : index
    %c2048 = arith.constant 2048 : index
    %c8192 = arith.constant 8192 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c64, %c32]) type(%element_type_f32) encoding(%dense_row_major)
    %0 = stream.tensor.import on(#hal.device.affinity<@dev_a>) %arg0 : !hal.buffer_view -> tensor<64x32xf32> in !stream.resource<external>{%c8192}
    %1 = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %arg2 : (!hal.fence) => !stream.timepoint
    hal.buffer_view.assert<%arg1 : !hal.buffer_view> message("input1") shape([%c32, %c16]) type(%element_type_f32) encoding(%dense_row_major)
    %2 = stream.tensor.import on(#hal.device.affinity<@dev_a>) %arg1 : !hal.buffer_view -> tensor<32x16xf32> in !stream.resource<external>{%c2048}
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%1) => !stream.resource<external>{%c4096} => !stream.timepoint
    %3 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%result_timepoint) => with(%0 as %arg4: !stream.resource<external>{%c8192}, %2 as %arg5: !stream.resource<external>{%c2048}, %result as %arg6: !stream.resource<external>{%c4096}) {
      stream.cmd.dispatch @main_dispatch_0::@main_dispatch_0_matmul_64x16x32_f32 {
        ro %arg4[%c0 for %c8192] : !stream.resource<external>{%c8192},
        ro %arg5[%c0 for %c2048] : !stream.resource<external>{%c2048},
        wo %arg6[%c0 for %c4096] : !stream.resource<external>{%c4096}
      }
    } => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %3 => (%arg3 : !hal.fence)
    %4 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<64x16xf32> in !stream.resource<external>{%c4096} -> !hal.buffer_view
    util.return %4 : !hal.buffer_view
  }
}