// IREE compiler version 3.13.0rc20261016 @ 89ece87b89852100c0a4ac3d515e14842d090967
// iree-compile testdata/e2e/models/move_or_copy.mlir --iree-execution-model=async-external '--iree-hal-target-device=dev_a=local[0]' '--iree-hal-target-device=dev_b=local[1]' --iree-hal-local-target-device-backends=vmvx --compile-to=stream
module @case03 attributes {stream.affinity.default = #hal.device.affinity<@dev_a>} {
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
        %cst = arith.constant 3.000000e+00 : f32
        %c0 = arith.constant 0 : index
        %c64 = arith.constant 64 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
        %1 = stream.binding.subspan %arg1[%c64] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
        %2 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0], sizes = [8], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<8xf32>
        %3 = tensor.empty() : tensor<8xf32>
        %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%2 : tensor<8xf32>) outs(%3 : tensor<8xf32>) {
        ^bb0(%in: f32, %out: f32):
          %5 = arith.mulf %in, %cst : f32
          linalg.yield %5 : f32
        } -> tensor<8xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %1, offsets = [0], sizes = [8], strides = [1] : tensor<8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
        return
      }
    }
  }
  stream.executable private @main_dispatch_2 {
    stream.executable.export public @main_dispatch_2_elementwise_8_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_2_elementwise_8_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}) {
        %c64 = arith.constant 64 : index
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c64] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
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
  util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.fence, %arg3: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view, !hal.buffer_view) attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @main(%input0: tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %input1: tensor<2xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}) -> (%output0: tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}, %output1: tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}, %output2: tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>})", iree.abi.model = "coarse-fences"}} {
    %c0 = arith.constant 0 : index
    %c72 = arith.constant 72 : index
    %c128 = arith.constant 128 : index
    %c64 = arith.constant 64 : index
    %c32 = arith.constant 32 : index
    %c8 = arith.constant 8 : index
    %c2 = arith.constant 2 : index
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c8]) type(%element_type_f32) encoding(%dense_row_major)
    %0 = stream.tensor.import on(#hal.device.affinity<@dev_a>) %arg0 : !hal.buffer_view -> tensor<8xf32> in !stream.resource<external>{%c32}
    %1 = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %arg2 : (!hal.fence) => !stream.timepoint
    hal.buffer_view.assert<%arg1 : !hal.buffer_view> message("input1") shape([%c2]) type(%element_type_f32) encoding(%dense_row_major)
    %2 = stream.tensor.import on(#hal.device.affinity<@dev_b>) %arg1 : !hal.buffer_view -> tensor<2xf32> in !stream.resource<external>{%c8}
    %3 = stream.timepoint.import on(#hal.device.affinity<@dev_b>) %arg2 : (!hal.fence) => !stream.timepoint
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%1) => !stream.resource<transient>{%c128} => !stream.timepoint
    %4 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%result_timepoint) => with(%0 as %arg4: !stream.resource<external>{%c32}, %result as %arg5: !stream.resource<transient>{%c128}) {
      stream.cmd.concurrent {
        stream.cmd.dispatch @main_dispatch_0::@main_dispatch_0_elementwise_8_f32 {
          ro %arg4[%c0 for %c32] : !stream.resource<external>{%c32},
          wo %arg5[%c0 for %c128] : !stream.resource<transient>{%c128}
        }
        stream.cmd.dispatch @main_dispatch_1::@main_dispatch_1_elementwise_8_f32 {
          ro %arg4[%c0 for %c32] : !stream.resource<external>{%c32},
          wo %arg5[%c0 for %c128] : !stream.resource<transient>{%c128}
        }
      }
    } => !stream.timepoint
    %5 = stream.timepoint.join max(%4, %3) => !stream.timepoint
    %result_0, %result_timepoint_1 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>) await(%5) => !stream.resource<external>{%c128} => !stream.timepoint
    %6 = stream.resource.subview %result_0[%c0] : !stream.resource<external>{%c128} -> !stream.resource<external>{%c32}
    %7 = stream.resource.subview %result_0[%c64] : !stream.resource<external>{%c128} -> !stream.resource<external>{%c32}
    %8 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%result_timepoint_1) => with(%result as %arg4: !stream.resource<transient>{%c128}, %2 as %arg5: !stream.resource<external>{%c8}, %result_0 as %arg6: !stream.resource<external>{%c128}) {
      stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %arg4[%c0 for %c32] : !stream.resource<transient>{%c128}
      stream.cmd.copy %arg4[%c0], %arg6[%c0], %c32 : !stream.resource<transient>{%c128} -> !stream.resource<external>{%c128}
      stream.cmd.concurrent {
        stream.cmd.copy %arg5[%c0], %arg6[%c8], %c8 : !stream.resource<external>{%c8} -> !stream.resource<external>{%c128}
        stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %arg4[%c64 for %c32] : !stream.resource<transient>{%c128}
        stream.cmd.copy %arg4[%c64], %arg6[%c64], %c32 : !stream.resource<transient>{%c128} -> !stream.resource<external>{%c128}
      }
      stream.cmd.copy %arg5[%c0], %arg6[%c72], %c8 : !stream.resource<external>{%c8} -> !stream.resource<external>{%c128}
    } => !stream.timepoint
    %result_2, %result_timepoint_3 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%4) => !stream.resource<external>{%c32} => !stream.timepoint
    %9 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%result_timepoint_3) => with(%result as %arg4: !stream.resource<transient>{%c128}, %result_2 as %arg5: !stream.resource<external>{%c32}) {
      stream.cmd.dispatch @main_dispatch_2::@main_dispatch_2_elementwise_8_f32 {
        ro %arg4[%c0 for %c128] : !stream.resource<transient>{%c128},
        wo %arg5[%c0 for %c32] : !stream.resource<external>{%c32}
      }
    } => !stream.timepoint
    %10 = stream.timepoint.join max(%8, %9) => !stream.timepoint
    %11 = stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%10) => %result : !stream.resource<transient>{%c128} => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %11 => (%arg3 : !hal.fence)
    %12 = stream.tensor.export on(#hal.device.affinity<@dev_b>) %6 : tensor<8xf32> in !stream.resource<external>{%c32} -> !hal.buffer_view
    %13 = stream.tensor.export on(#hal.device.affinity<@dev_b>) %7 : tensor<8xf32> in !stream.resource<external>{%c32} -> !hal.buffer_view
    %14 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result_2 : tensor<8xf32> in !stream.resource<external>{%c32} -> !hal.buffer_view
    util.return %12, %13, %14 : !hal.buffer_view, !hal.buffer_view, !hal.buffer_view
  }
}