// IREE compiler version 3.13.0rc20261016 @ 89ece87b89852100c0a4ac3d515e14842d090967
// iree-compile testdata/e2e/models/war_across_devices.mlir --iree-execution-model=async-external '--iree-hal-target-device=dev_a=local[0]' '--iree-hal-target-device=dev_b=local[1]' --iree-hal-local-target-device-backends=vmvx --compile-to=stream
module @case05 attributes {stream.affinity.default = #hal.device.affinity<@dev_a>} {
  util.global private @dev_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @dev_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  stream.executable private @main_dispatch_0 {
    stream.executable.export public @main_dispatch_0_elementwise_8_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_0_elementwise_8_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}) {
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
        %2 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0], sizes = [8], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<8xf32>
        %3 = tensor.empty() : tensor<8xf32>
        %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%2 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
        ^bb0(%in: f32, %out: f32):
          %5 = arith.addf %in, %in : f32
          linalg.yield %5 : f32
        } -> tensor<8xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %1, offsets = [0], sizes = [8], strides = [1] : tensor<8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
        return
      }
    }
  }
  stream.executable private @main_dispatch_1 {
    stream.executable.export public @main_dispatch_1_elementwise_8_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_1_elementwise_8_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}) {
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
        %2 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0], sizes = [8], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<8xf32>
        %3 = tensor.empty() : tensor<8xf32>
        %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%2 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
        ^bb0(%in: f32, %out: f32):
          %5 = arith.mulf %in, %in : f32
          linalg.yield %5 : f32
        } -> tensor<8xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %1, offsets = [0], sizes = [8], strides = [1] : tensor<8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
        return
      }
    }
  }
  util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.fence, %arg3: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @main(%input0: tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %input1: tensor<2xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) -> (%output0: tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}, %output1: tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>})", iree.abi.model = "coarse-fences"}} {
    %c64 = arith.constant 64 : index
    %c24 = arith.constant 24 : index
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c2 = arith.constant 2 : index
    %c8 = arith.constant 8 : index
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c8]) type(%element_type_f32) encoding(%dense_row_major)
    %0 = stream.tensor.import on(#hal.device.affinity<@dev_a>) %arg0 : !hal.buffer_view -> tensor<8xf32> in !stream.resource<external>{%c32}
    %1 = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %arg2 : (!hal.fence) => !stream.timepoint
    hal.buffer_view.assert<%arg1 : !hal.buffer_view> message("input1") shape([%c2]) type(%element_type_f32) encoding(%dense_row_major)
    %2 = stream.tensor.import on(#hal.device.affinity<@dev_a>) %arg1 : !hal.buffer_view -> tensor<2xf32> in !stream.resource<external>{%c8}
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%1) => !stream.resource<external>{%c32} => !stream.timepoint
    %3 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%result_timepoint) => with(%0 as %arg4: !stream.resource<external>{%c32}, %result as %arg5: !stream.resource<external>{%c32}) {
      stream.cmd.dispatch @main_dispatch_0::@main_dispatch_0_elementwise_8_f32 {
        ro %arg4[%c0 for %c32] : !stream.resource<external>{%c32},
        wo %arg5[%c0 for %c32] : !stream.resource<external>{%c32}
      }
    } => !stream.timepoint
    %result_0, %result_timepoint_1 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>) await(%3) => !stream.resource<external>{%c32} => !stream.timepoint
    %result_2, %result_timepoint_3 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>) await(%3) => !stream.resource<transient>{%c64} => !stream.timepoint
    %4 = stream.timepoint.join max(%result_timepoint_1, %result_timepoint_3) => !stream.timepoint
    %5 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%4) => with(%result as %arg4: !stream.resource<external>{%c32}, %result_0 as %arg5: !stream.resource<external>{%c32}, %result_2 as %arg6: !stream.resource<transient>{%c64}) {
      stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %arg4[%c0 for %c32] : !stream.resource<external>{%c32}
      stream.cmd.copy %arg4[%c0], %arg6[%c0], %c32 : !stream.resource<external>{%c32} -> !stream.resource<transient>{%c64}
      stream.cmd.dispatch @main_dispatch_1::@main_dispatch_1_elementwise_8_f32 {
        ro %arg6[%c0 for %c64] : !stream.resource<transient>{%c64},
        wo %arg5[%c0 for %c32] : !stream.resource<external>{%c32}
      }
    } => !stream.timepoint
    %6 = stream.resource.dealloca on(#hal.device.affinity<@dev_b>) await(%5) => %result_2 : !stream.resource<transient>{%c64} => !stream.timepoint
    %7 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%3) => with(%result as %arg4: !stream.resource<external>{%c32}, %2 as %arg5: !stream.resource<external>{%c8}) {
      stream.cmd.copy %arg5[%c0], %arg4[%c24], %c8 : !stream.resource<external>{%c8} -> !stream.resource<external>{%c32}
    } => !stream.timepoint
    %8 = stream.timepoint.join max(%6, %7) => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %8 => (%arg3 : !hal.fence)
    %9 = stream.tensor.export on(#hal.device.affinity<@dev_b>) %result_0 : tensor<8xf32> in !stream.resource<external>{%c32} -> !hal.buffer_view
    %10 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<8xf32> in !stream.resource<external>{%c32} -> !hal.buffer_view
    util.return %9, %10 : !hal.buffer_view, !hal.buffer_view
  }
}