// IREE compiler version 3.13.0rc20261016 @ 89ece87b89852100c0a4ac3d515e14842d090967
// iree-compile testdata/e2e/models/while_mixed_devices.mlir --iree-execution-model=async-external '--iree-hal-target-device=dev_a=local[0]' '--iree-hal-target-device=dev_b=local[1]' --iree-hal-local-target-device-backends=vmvx --compile-to=stream
module @case14 attributes {stream.affinity.default = #hal.device.affinity<@dev_a>} {
  util.global private @dev_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @dev_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  stream.executable private @main_dispatch_0 {
    stream.executable.export public @main_dispatch_0_elementwise_4_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_0_elementwise_4_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}) {
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
        %2 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
        %3 = tensor.empty() : tensor<4xf32>
        %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%2 : tensor<4xf32>) outs(%3 : tensor<4xf32>) {
        ^bb0(%in: f32, %out: f32):
          %5 = arith.addf %in, %in : f32
          linalg.yield %5 : f32
        } -> tensor<4xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %1, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
        return
      }
    }
  }
  stream.executable private @main_dispatch_1 {
    stream.executable.export public @main_dispatch_1_elementwise_4_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_1_elementwise_4_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}, %arg2: !stream.binding {stream.alignment = 64 : index}) {
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>
        %2 = stream.binding.subspan %arg2[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
        %3 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
        %4 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
        %5 = tensor.empty() : tensor<4xf32>
        %6 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%3, %4 : tensor<4xf32>, tensor<4xf32>) outs(%5 : tensor<4xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %7 = arith.maximumf %in, %in_0 : f32
          linalg.yield %7 : f32
        } -> tensor<4xf32>
        iree_tensor_ext.dispatch.tensor.store %6, %2, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
        return
      }
    }
  }
  util.func public @main(%arg0: !hal.buffer_view, %arg1: i32, %arg2: !hal.fence, %arg3: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @main(%input0: tensor<4xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %input1: i32) -> (%output0: tensor<4xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>})", iree.abi.model = "coarse-fences"}} {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c16 = arith.constant 16 : index
    %c4 = arith.constant 4 : index
    %c1_i32 = arith.constant 1 : i32
    %c0_i32 = arith.constant 0 : i32
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c4]) type(%element_type_f32) encoding(%dense_row_major)
    %0 = stream.tensor.import on(#hal.device.affinity<@dev_a>) %arg0 : !hal.buffer_view -> tensor<4xf32> in !stream.resource<external>{%c16}
    %1 = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %arg2 : (!hal.fence) => !stream.timepoint
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>) await(%1) => !stream.resource<external>{%c16} => !stream.timepoint
    %2 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%result_timepoint) => with(%0 as %arg4: !stream.resource<external>{%c16}, %result as %arg5: !stream.resource<external>{%c16}) {
      stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %arg4[%c0 for %c16] : !stream.resource<external>{%c16}
      stream.cmd.copy %arg4[%c0], %arg5[%c0], %c16 : !stream.resource<external>{%c16} -> !stream.resource<external>{%c16}
    } => !stream.timepoint
    cf.br ^bb1(%c0_i32, %0, %1, %result, %2 : i32, !stream.resource<external>, !stream.timepoint, !stream.resource<external>, !stream.timepoint)
  ^bb1(%3: i32, %4: !stream.resource<external>, %5: !stream.timepoint, %6: !stream.resource<external>, %7: !stream.timepoint):  // 2 preds: ^bb0, ^bb2
    %8 = arith.cmpi slt, %3, %arg1 : i32
    cf.cond_br %8, ^bb2, ^bb3
  ^bb2:  // pred: ^bb1
    %9 = arith.addi %3, %c1_i32 : i32
    %result_0, %result_timepoint_1 = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%5) => !stream.resource<external>{%c16} => !stream.timepoint
    %10 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%result_timepoint_1) => with(%4 as %arg4: !stream.resource<external>{%c16}, %result_0 as %arg5: !stream.resource<external>{%c16}) {
      stream.cmd.dispatch @main_dispatch_0::@main_dispatch_0_elementwise_4_f32 {
        ro %arg4[%c0 for %c16] : !stream.resource<external>{%c16},
        wo %arg5[%c0 for %c16] : !stream.resource<external>{%c16}
      }
    } => !stream.timepoint
    %11 = stream.timepoint.join max(%10, %7) => !stream.timepoint
    %result_2, %result_timepoint_3 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>) await(%11) => !stream.resource<external>{%c16} => !stream.timepoint
    %result_4, %result_timepoint_5 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>) await(%11) => !stream.resource<transient>{%c64} => !stream.timepoint
    %12 = stream.timepoint.join max(%result_timepoint_3, %result_timepoint_5) => !stream.timepoint
    %13 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%12) => with(%result_0 as %arg4: !stream.resource<external>{%c16}, %6 as %arg5: !stream.resource<external>{%c16}, %result_2 as %arg6: !stream.resource<external>{%c16}, %result_4 as %arg7: !stream.resource<transient>{%c64}) {
      stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %arg4[%c0 for %c16] : !stream.resource<external>{%c16}
      stream.cmd.copy %arg4[%c0], %arg7[%c0], %c16 : !stream.resource<external>{%c16} -> !stream.resource<transient>{%c64}
      stream.cmd.dispatch @main_dispatch_1::@main_dispatch_1_elementwise_4_f32 {
        ro %arg5[%c0 for %c16] : !stream.resource<external>{%c16},
        ro %arg7[%c0 for %c64] : !stream.resource<transient>{%c64},
        wo %arg6[%c0 for %c16] : !stream.resource<external>{%c16}
      }
    } => !stream.timepoint
    %14 = stream.resource.dealloca on(#hal.device.affinity<@dev_b>) await(%13) => %result_4 : !stream.resource<transient>{%c64} => !stream.timepoint
    cf.br ^bb1(%9, %result_0, %10, %result_2, %14 : i32, !stream.resource<external>, !stream.timepoint, !stream.resource<external>, !stream.timepoint)
  ^bb3:  // pred: ^bb1
    %15 = stream.timepoint.join max(%5, %7) => !stream.timepoint
    %16 = stream.resource.dealloca origin await(%15) => %4 : !stream.resource<external>{%c16} => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_b>) %7 => (%arg3 : !hal.fence)
    %17 = stream.tensor.export on(#hal.device.affinity<@dev_b>) %6 : tensor<4xf32> in !stream.resource<external>{%c16} -> !hal.buffer_view
    util.return %17 : !hal.buffer_view
  }
}