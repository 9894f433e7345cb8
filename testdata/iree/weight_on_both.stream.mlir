// IREE compiler version 3.13.0rc20261016 @ 89ece87b89852100c0a4ac3d515e14842d090967
// iree-compile testdata/e2e/models/weight_on_both.mlir --iree-execution-model=async-external '--iree-hal-target-device=dev_a=local[0]' '--iree-hal-target-device=dev_b=local[1]' --iree-hal-local-target-device-backends=vmvx --compile-to=stream
module @case09 attributes {stream.affinity.default = #hal.device.affinity<@dev_a>} {
  util.global private @dev_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @dev_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @w : !stream.resource<constant>
  util.global private @__constant_tensor_4xf32 : !stream.resource<constant>
  util.initializer {
    %c0 = arith.constant 0 : index
    %buffer_cst = util.buffer.constant <alignment = 64> : !util.buffer = #util.composite<64xi8, [
    dense<[2.000000e+00, 4.000000e+00, 1.000000e+01, 1.300000e+01]> : tensor<4xf32>,
    dense<0> : vector<48xi8>,
]>
    %c0_i64 = arith.constant 0 : i64
    %0 = stream.timepoint.immediate => !stream.timepoint
    %buffer_cst_0 = util.buffer.constant <alignment = 64> : !util.buffer = #util.composite<64xi8, [
    dense<[1.500000e+00, 2.500000e+00, 3.500000e+00, 4.500000e+00]> : tensor<4xf32>,
    dense<0> : vector<48xi8>,
]>
    %c64 = arith.constant 64 : index
    %did_map, %result = stream.resource.try_map on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) %buffer_cst_0[%c0] : !util.buffer -> i1, !stream.resource<constant>{%c64}
    cf.cond_br %did_map, ^bb2(%0, %result : !stream.timepoint, !stream.resource<constant>), ^bb1
  ^bb1:  // pred: ^bb0
    %1 = stream.resource.alloc uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) : !stream.resource<constant>{%c64}
    %file = stream.file.constant on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) %buffer_cst_0[%c0 for %c64] : !util.buffer{%c64} -> !stream.file
    %2 = stream.file.read on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%0) => %file[%c0_i64], %1[%c0], %c64 : !stream.file -> !stream.resource<constant>{%c64} => !stream.timepoint
    cf.br ^bb2(%2, %1 : !stream.timepoint, !stream.resource<constant>)
  ^bb2(%3: !stream.timepoint, %4: !stream.resource<constant>):  // 2 preds: ^bb0, ^bb1
    %did_map_1, %result_2 = stream.resource.try_map on(#hal.device.affinity<@dev_b>) %buffer_cst[%c0] : !util.buffer -> i1, !stream.resource<constant>{%c64}
    cf.cond_br %did_map_1, ^bb4(%0, %result_2 : !stream.timepoint, !stream.resource<constant>), ^bb3
  ^bb3:  // pred: ^bb2
    %5 = stream.resource.alloc uninitialized on(#hal.device.affinity<@dev_b>) : !stream.resource<constant>{%c64}
    %file_3 = stream.file.constant on(#hal.device.affinity<@dev_b>) %buffer_cst[%c0 for %c64] : !util.buffer{%c64} -> !stream.file
    %6 = stream.file.read on(#hal.device.affinity<@dev_b>) await(%0) => %file_3[%c0_i64], %5[%c0], %c64 : !stream.file -> !stream.resource<constant>{%c64} => !stream.timepoint
    cf.br ^bb4(%6, %5 : !stream.timepoint, !stream.resource<constant>)
  ^bb4(%7: !stream.timepoint, %8: !stream.resource<constant>):  // 2 preds: ^bb2, ^bb3
    %9 = stream.timepoint.await sync %7 => %8 : !stream.resource<constant>{%c64}
    %10 = stream.timepoint.await sync %3 => %4 : !stream.resource<constant>{%c64}
    util.global.store %9, @__constant_tensor_4xf32 : !stream.resource<constant>
    util.global.store %10, @w : !stream.resource<constant>
    util.return
  }
  stream.executable private @main_dispatch_0 {
    stream.executable.export public @main_dispatch_0_elementwise_4_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_0_elementwise_4_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}, %arg2: !stream.binding {stream.alignment = 64 : index}) {
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>
        %2 = stream.binding.subspan %arg2[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
        %3 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
        %4 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
        %5 = tensor.empty() : tensor<4xf32>
        %6 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%3, %4 : tensor<4xf32>, tensor<4xf32>) outs(%5 : tensor<4xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %7 = arith.mulf %in, %in_0 : f32
          linalg.yield %7 : f32
        } -> tensor<4xf32>
        iree_tensor_ext.dispatch.tensor.store %6, %2, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
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
      func.func @main_dispatch_1_elementwise_4_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}, %arg2: !stream.binding {stream.alignment = 64 : index}, %arg3: !stream.binding {stream.alignment = 64 : index}) {
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>
        %2 = stream.binding.subspan %arg2[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>>
        %3 = stream.binding.subspan %arg3[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
        %4 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
        %5 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
        %6 = iree_tensor_ext.dispatch.tensor.load %2, offsets = [0], sizes = [4], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4xf32>> -> tensor<4xf32>
        %7 = tensor.empty() : tensor<4xf32>
        %8 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%4, %5, %6 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) outs(%7 : tensor<4xf32>) {
        ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32):
          %9 = arith.addf %in, %in_0 : f32
          %10 = arith.addf %9, %in_1 : f32
          %11 = arith.subf %10, %in_1 : f32
          linalg.yield %11 : f32
        } -> tensor<4xf32>
        iree_tensor_ext.dispatch.tensor.store %8, %3, offsets = [0], sizes = [4], strides = [1] : tensor<4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4xf32>>
        return
      }
    }
  }
  util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.fence, %arg2: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @main(%input0: tensor<4xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) -> (%output0: tensor<4xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>})", iree.abi.model = "coarse-fences"}} {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c4 = arith.constant 4 : index
    %c64 = arith.constant 64 : index
    %__constant_tensor_4xf32 = util.global.load immutable @__constant_tensor_4xf32 : !stream.resource<constant>
    %w = util.global.load immutable @w : !stream.resource<constant>
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c4]) type(%element_type_f32) encoding(%dense_row_major)
    %0 = stream.tensor.import on(#hal.device.affinity<@dev_a>) %arg0 : !hal.buffer_view -> tensor<4xf32> in !stream.resource<external>{%c16}
    %1 = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %arg1 : (!hal.fence) => !stream.timepoint
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%1) => !stream.resource<transient>{%c16} => !stream.timepoint
    %result_0, %result_timepoint_1 = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%1) => !stream.resource<constant>{%c16} => !stream.timepoint
    %result_2, %result_timepoint_3 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%1) => !stream.resource<transient>{%c64} => !stream.timepoint
    %2 = stream.timepoint.join max(%result_timepoint, %result_timepoint_1, %result_timepoint_3) => !stream.timepoint
    %3 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%2) => with(%0 as %arg3: !stream.resource<external>{%c16}, %w as %arg4: !stream.resource<constant>{%c64}, %result as %arg5: !stream.resource<transient>{%c16}, %result_0 as %arg6: !stream.resource<constant>{%c16}, %result_2 as %arg7: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @main_dispatch_0::@main_dispatch_0_elementwise_4_f32 {
        ro %arg3[%c0 for %c16] : !stream.resource<external>{%c16},
        ro %arg4[%c0 for %c64] : !stream.resource<constant>{%c64},
        wo %arg7[%c0 for %c64] : !stream.resource<transient>{%c64}
      }
      stream.cmd.concurrent {
        stream.cmd.copy %arg7[%c0], %arg5[%c0], %c16 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c16}
        stream.cmd.flush to(#hal.device.affinity<@dev_b>) %arg5[%c0 for %c16] : !stream.resource<transient>{%c16}
        stream.cmd.copy %arg4[%c0], %arg6[%c0], %c16 : !stream.resource<constant>{%c64} -> !stream.resource<constant>{%c16}
        stream.cmd.flush to(#hal.device.affinity<@dev_b>) %arg6[%c0 for %c16] : !stream.resource<constant>{%c16}
      }
    } => !stream.timepoint
    %4 = stream.resource.dealloca on(#hal.device.affinity<@dev_a>) await(%3) => %result_2 : !stream.resource<transient>{%c64} => !stream.timepoint
    %result_4, %result_timepoint_5 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>) await(%4) => !stream.resource<external>{%c16} => !stream.timepoint
    %5 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%result_timepoint_5) => with(%result as %arg3: !stream.resource<transient>{%c16}, %__constant_tensor_4xf32 as %arg4: !stream.resource<constant>{%c64}, %result_0 as %arg5: !stream.resource<constant>{%c16}, %result_4 as %arg6: !stream.resource<external>{%c16}) {
      stream.cmd.dispatch @main_dispatch_1::@main_dispatch_1_elementwise_4_f32 {
        ro %arg3[%c0 for %c16] : !stream.resource<transient>{%c16},
        ro %arg4[%c0 for %c64] : !stream.resource<constant>{%c64},
        ro %arg5[%c0 for %c16] : !stream.resource<constant>{%c16},
        wo %arg6[%c0 for %c16] : !stream.resource<external>{%c16}
      }
    } => !stream.timepoint
    %6 = stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%5) => %result : !stream.resource<transient>{%c16} => !stream.timepoint
    %7 = stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%5) => %result_0 : !stream.resource<constant>{%c16} => !stream.timepoint
    %8 = stream.timepoint.join max(%6, %7) => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_b>) %8 => (%arg2 : !hal.fence)
    %9 = stream.tensor.export on(#hal.device.affinity<@dev_b>) %result_4 : tensor<4xf32> in !stream.resource<external>{%c16} -> !hal.buffer_view
    util.return %9 : !hal.buffer_view
  }
}