// IREE compiler version 3.13.0rc20261016 @ 89ece87b89852100c0a4ac3d515e14842d090967
// iree-compile testdata/e2e/models/fan_out_gather.mlir --iree-execution-model=async-external '--iree-hal-target-device=dev_a=local[0]' '--iree-hal-target-device=dev_b=local[1]' --iree-hal-local-target-device-backends=vmvx --compile-to=stream
module @case07 attributes {stream.affinity.default = #hal.device.affinity<@dev_a>} {
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
        %cst = arith.constant 2.000000e+00 : f32
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
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
        %cst = arith.constant 3.000000e+00 : f32
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
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
  stream.executable private @main_dispatch_3 {
    stream.executable.export public @main_dispatch_3_elementwise_8_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_3_elementwise_8_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}, %arg2: !stream.binding {stream.alignment = 64 : index}, %arg3: !stream.binding {stream.alignment = 64 : index}) {
        %c0 = arith.constant 0 : index
        %c64 = arith.constant 64 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
        %1 = stream.binding.subspan %arg0[%c64] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
        %2 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
        %3 = stream.binding.subspan %arg2[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>
        %4 = stream.binding.subspan %arg3[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
        %5 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0], sizes = [8], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<8xf32>
        %6 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0], sizes = [8], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<8xf32>
        %7 = iree_tensor_ext.dispatch.tensor.load %2, offsets = [0], sizes = [8], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<8xf32>
        %8 = iree_tensor_ext.dispatch.tensor.load %3, offsets = [0], sizes = [8], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<8xf32>
        %9 = tensor.empty() : tensor<8xf32>
        %10 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%5, %6, %7, %8 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%9 : tensor<8xf32>) {
        ^bb0(%in: f32, %in_0: f32, %in_1: f32, %in_2: f32, %out: f32):
          %11 = arith.addf %in, %in_0 : f32
          %12 = arith.subf %11, %in_1 : f32
          %13 = arith.subf %12, %in_2 : f32
          linalg.yield %13 : f32
        } -> tensor<8xf32>
        iree_tensor_ext.dispatch.tensor.store %10, %4, offsets = [0], sizes = [8], strides = [1] : tensor<8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
        return
      }
    }
  }
  util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.fence, %arg2: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @main(%input0: tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) -> (%output0: tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>})", iree.abi.model = "coarse-fences"}} {
    %c128 = arith.constant 128 : index
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c8 = arith.constant 8 : index
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c8]) type(%element_type_f32) encoding(%dense_row_major)
    %0 = stream.tensor.import on(#hal.device.affinity<@dev_a>) %arg0 : !hal.buffer_view -> tensor<8xf32> in !stream.resource<external>{%c32}
    %1 = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %arg1 : (!hal.fence) => !stream.timepoint
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%1) => !stream.resource<transient>{%c32} => !stream.timepoint
    %result_0, %result_timepoint_1 = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%1) => !stream.resource<transient>{%c32} => !stream.timepoint
    %2 = stream.timepoint.join max(%result_timepoint, %result_timepoint_1) => !stream.timepoint
    %3 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%2) => with(%0 as %arg3: !stream.resource<external>{%c32}, %result as %arg4: !stream.resource<transient>{%c32}, %result_0 as %arg5: !stream.resource<transient>{%c32}) {
      stream.cmd.dispatch @main_dispatch_0::@main_dispatch_0_elementwise_8_f32 {
        ro %arg3[%c0 for %c32] : !stream.resource<external>{%c32},
        wo %arg4[%c0 for %c32] : !stream.resource<transient>{%c32}
      }
      stream.cmd.copy %arg4[%c0], %arg5[%c0], %c32 : !stream.resource<transient>{%c32} -> !stream.resource<transient>{%c32}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %arg5[%c0 for %c32] : !stream.resource<transient>{%c32}
    } => !stream.timepoint
    %result_2, %result_timepoint_3 = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%3) => !stream.resource<transient>{%c32} => !stream.timepoint
    %4 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%result_timepoint_3) => with(%result_0 as %arg3: !stream.resource<transient>{%c32}, %result_2 as %arg4: !stream.resource<transient>{%c32}) {
      stream.cmd.dispatch @main_dispatch_1::@main_dispatch_1_elementwise_8_f32 {
        ro %arg3[%c0 for %c32] : !stream.resource<transient>{%c32},
        wo %arg4[%c0 for %c32] : !stream.resource<transient>{%c32}
      }
    } => !stream.timepoint
    %5 = stream.timepoint.await %4 => %result_2 : !stream.resource<transient>{%c32}
    %6 = util.optimization_barrier %5 : !stream.resource<transient>
    %result_4, %result_timepoint_5 = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%3) => !stream.resource<transient>{%c32} => !stream.timepoint
    %7 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%result_timepoint_5) => with(%result_0 as %arg3: !stream.resource<transient>{%c32}, %result_4 as %arg4: !stream.resource<transient>{%c32}) {
      stream.cmd.dispatch @main_dispatch_2::@main_dispatch_2_elementwise_8_f32 {
        ro %arg3[%c0 for %c32] : !stream.resource<transient>{%c32},
        wo %arg4[%c0 for %c32] : !stream.resource<transient>{%c32}
      }
    } => !stream.timepoint
    %8 = stream.timepoint.join max(%4, %7) => !stream.timepoint
    %9 = stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%8) => %result_0 : !stream.resource<transient>{%c32} => !stream.timepoint
    %10 = stream.timepoint.await %9 => %result_4 : !stream.resource<transient>{%c32}
    %11 = util.optimization_barrier %10 : !stream.resource<transient>
    %result_6, %result_timepoint_7 = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) : !stream.resource<transient>{%c128} => !stream.timepoint
    %12 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%result_timepoint_7) => with(%6 as %arg3: !stream.resource<transient>{%c32}, %11 as %arg4: !stream.resource<transient>{%c32}, %result_6 as %arg5: !stream.resource<transient>{%c128}) {
      stream.cmd.concurrent {
        stream.cmd.copy %arg3[%c0], %arg5[%c0], %c32 : !stream.resource<transient>{%c32} -> !stream.resource<transient>{%c128}
        stream.cmd.flush to(#hal.device.affinity<@dev_a>) %arg5[%c0 for %c32] : !stream.resource<transient>{%c128}
        stream.cmd.copy %arg4[%c0], %arg5[%c64], %c32 : !stream.resource<transient>{%c32} -> !stream.resource<transient>{%c128}
        stream.cmd.flush to(#hal.device.affinity<@dev_a>) %arg5[%c64 for %c32] : !stream.resource<transient>{%c128}
      }
    } => !stream.timepoint
    %13 = stream.timepoint.join max(%12, %3) => !stream.timepoint
    %result_8, %result_timepoint_9 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%13) => !stream.resource<external>{%c32} => !stream.timepoint
    %14 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%result_timepoint_9) => with(%result_6 as %arg3: !stream.resource<transient>{%c128}, %result as %arg4: !stream.resource<transient>{%c32}, %0 as %arg5: !stream.resource<external>{%c32}, %result_8 as %arg6: !stream.resource<external>{%c32}) {
      stream.cmd.dispatch @main_dispatch_3::@main_dispatch_3_elementwise_8_f32 {
        ro %arg3[%c0 for %c128] : !stream.resource<transient>{%c128},
        ro %arg4[%c0 for %c32] : !stream.resource<transient>{%c32},
        ro %arg5[%c0 for %c32] : !stream.resource<external>{%c32},
        wo %arg6[%c0 for %c32] : !stream.resource<external>{%c32}
      }
    } => !stream.timepoint
    %15 = stream.resource.dealloca on(#hal.device.affinity<@dev_a>) await(%14) => %result : !stream.resource<transient>{%c32} => !stream.timepoint
    %16 = stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%14) => %result_6 : !stream.resource<transient>{%c128} => !stream.timepoint
    %17 = stream.timepoint.join max(%15, %16) => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %17 => (%arg2 : !hal.fence)
    %18 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result_8 : tensor<8xf32> in !stream.resource<external>{%c32} -> !hal.buffer_view
    util.return %18 : !hal.buffer_view
  }
}