// IREE compiler version 3.13.0rc20261016 @ 89ece87b89852100c0a4ac3d515e14842d090967
// iree-compile testdata/e2e/models/in_place.mlir --iree-execution-model=async-external '--iree-hal-target-device=dev_a=local[0]' '--iree-hal-target-device=dev_b=local[1]' --iree-hal-local-target-device-backends=vmvx --compile-to=stream
module @m attributes {stream.affinity.default = #hal.device.affinity<@dev_a>} {
  util.global private @dev_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @dev_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  stream.executable private @take_dispatch_0 {
    stream.executable.export public @take_dispatch_0_elementwise_4096_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @take_dispatch_0_elementwise_4096_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}) {
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4096xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4096xf32>>
        %2 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0], sizes = [4096], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4096xf32>> -> tensor<4096xf32>
        %3 = tensor.empty() : tensor<4096xf32>
        %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%2 : tensor<4096xf32>) outs(%3 : tensor<4096xf32>) {
        ^bb0(%in: f32, %out: f32):
          %5 = arith.addf %in, %in : f32
          linalg.yield %5 : f32
        } -> tensor<4096xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %1, offsets = [0], sizes = [4096], strides = [1] : tensor<4096xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4096xf32>>
        return
      }
    }
  }
  stream.executable private @take_dispatch_1 {
    stream.executable.export public @take_dispatch_1_matmul_64x64x32_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @take_dispatch_1_matmul_64x64x32_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}, %arg2: !stream.binding {stream.alignment = 64 : index}) {
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x32xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x64xf32>>
        %2 = stream.binding.subspan %arg2[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<64x64xf32>>
        %3 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [64, 32], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x32xf32>> -> tensor<64x32xf32>
        %4 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0, 0], sizes = [32, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x64xf32>> -> tensor<32x64xf32>
        %5 = iree_tensor_ext.dispatch.tensor.load %2, offsets = [0, 0], sizes = [64, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<64x64xf32>> -> tensor<64x64xf32>
        %6 = linalg.matmul ins(%3, %4 : tensor<64x32xf32>, tensor<32x64xf32>) outs(%5 : tensor<64x64xf32>) -> tensor<64x64xf32>
        iree_tensor_ext.dispatch.tensor.store %6, %2, offsets = [0, 0], sizes = [64, 64], strides = [1, 1] : tensor<64x64xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<64x64xf32>>
        return
      }
    }
  }
  stream.executable private @take_dispatch_2 {
    stream.executable.export public @take_dispatch_2_elementwise_4096_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @take_dispatch_2_elementwise_4096_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}, %arg2: !stream.binding {stream.alignment = 64 : index}) {
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4096xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<4096xf32>>
        %2 = stream.binding.subspan %arg2[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4096xf32>>
        %3 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0], sizes = [4096], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4096xf32>> -> tensor<4096xf32>
        %4 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0], sizes = [4096], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4096xf32>> -> tensor<4096xf32>
        %5 = tensor.empty() : tensor<4096xf32>
        %6 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%3, %4 : tensor<4096xf32>, tensor<4096xf32>) outs(%5 : tensor<4096xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %7 = arith.mulf %in, %in_0 : f32
          linalg.yield %7 : f32
        } -> tensor<4096xf32>
        iree_tensor_ext.dispatch.tensor.store %6, %2, offsets = [0], sizes = [4096], strides = [1] : tensor<4096xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4096xf32>>
        return
      }
    }
  }
  util.func public @take(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view, %arg3: !hal.fence, %arg4: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @take(%input0: tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %input1: tensor<64x32xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}, %input2: tensor<32x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}) -> (%output0: tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>})", iree.abi.model = "coarse-fences"}} {
    %c0 = arith.constant 0 : index
    %c8192 = arith.constant 8192 : index
    %c16384 = arith.constant 16384 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c64, %c64]) type(%element_type_f32) encoding(%dense_row_major)
    %0 = stream.tensor.import on(#hal.device.affinity<@dev_a>) %arg0 : !hal.buffer_view -> tensor<64x64xf32> in !stream.resource<external>{%c16384}
    %1 = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %arg3 : (!hal.fence) => !stream.timepoint
    hal.buffer_view.assert<%arg1 : !hal.buffer_view> message("input1") shape([%c64, %c32]) type(%element_type_f32) encoding(%dense_row_major)
    %2 = stream.tensor.import on(#hal.device.affinity<@dev_b>) %arg1 : !hal.buffer_view -> tensor<64x32xf32> in !stream.resource<external>{%c8192}
    %3 = stream.timepoint.import on(#hal.device.affinity<@dev_b>) %arg3 : (!hal.fence) => !stream.timepoint
    hal.buffer_view.assert<%arg2 : !hal.buffer_view> message("input2") shape([%c32, %c64]) type(%element_type_f32) encoding(%dense_row_major)
    %4 = stream.tensor.import on(#hal.device.affinity<@dev_b>) %arg2 : !hal.buffer_view -> tensor<32x64xf32> in !stream.resource<external>{%c8192}
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%1) => !stream.resource<transient>{%c16384} => !stream.timepoint
    %result_0, %result_timepoint_1 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%1) => !stream.resource<transient>{%c16384} => !stream.timepoint
    %5 = stream.timepoint.join max(%result_timepoint, %result_timepoint_1) => !stream.timepoint
    %6 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%5) => with(%0 as %arg5: !stream.resource<external>{%c16384}, %result as %arg6: !stream.resource<transient>{%c16384}, %result_0 as %arg7: !stream.resource<transient>{%c16384}) {
      stream.cmd.dispatch @take_dispatch_0::@take_dispatch_0_elementwise_4096_f32 {
        ro %arg5[%c0 for %c16384] : !stream.resource<external>{%c16384},
        wo %arg7[%c0 for %c16384] : !stream.resource<transient>{%c16384}
      }
      stream.cmd.copy %arg7[%c0], %arg6[%c0], %c16384 : !stream.resource<transient>{%c16384} -> !stream.resource<transient>{%c16384}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %arg6[%c0 for %c16384] : !stream.resource<transient>{%c16384}
    } => !stream.timepoint
    %7 = stream.resource.dealloca on(#hal.device.affinity<@dev_a>) await(%6) => %result_0 : !stream.resource<transient>{%c16384} => !stream.timepoint
    %8 = stream.timepoint.join max(%3, %7) => !stream.timepoint
    %result_2, %result_timepoint_3 = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%8) => !stream.resource<transient>{%c16384} => !stream.timepoint
    %9 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%result_timepoint_3) => with(%2 as %arg5: !stream.resource<external>{%c8192}, %4 as %arg6: !stream.resource<external>{%c8192}, %result as %arg7: !stream.resource<transient>{%c16384}, %result_2 as %arg8: !stream.resource<transient>{%c16384}) {
      stream.cmd.dispatch @take_dispatch_1::@take_dispatch_1_matmul_64x64x32_f32 {
        ro %arg5[%c0 for %c8192] : !stream.resource<external>{%c8192},
        ro %arg6[%c0 for %c8192] : !stream.resource<external>{%c8192},
        rw %arg7[%c0 for %c16384] : !stream.resource<transient>{%c16384}
      }
      stream.cmd.copy %arg7[%c0], %arg8[%c0], %c16384 : !stream.resource<transient>{%c16384} -> !stream.resource<transient>{%c16384}
      stream.cmd.flush to(#hal.device.affinity<@dev_a>) %arg8[%c0 for %c16384] : !stream.resource<transient>{%c16384}
    } => !stream.timepoint
    %10 = stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%9) => %result : !stream.resource<transient>{%c16384} => !stream.timepoint
    %result_4, %result_timepoint_5 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%10) => !stream.resource<external>{%c16384} => !stream.timepoint
    %11 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%result_timepoint_5) => with(%result_2 as %arg5: !stream.resource<transient>{%c16384}, %0 as %arg6: !stream.resource<external>{%c16384}, %result_4 as %arg7: !stream.resource<external>{%c16384}) {
      stream.cmd.dispatch @take_dispatch_2::@take_dispatch_2_elementwise_4096_f32 {
        ro %arg5[%c0 for %c16384] : !stream.resource<transient>{%c16384},
        ro %arg6[%c0 for %c16384] : !stream.resource<external>{%c16384},
        wo %arg7[%c0 for %c16384] : !stream.resource<external>{%c16384}
      }
    } => !stream.timepoint
    %12 = stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%11) => %result_2 : !stream.resource<transient>{%c16384} => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %12 => (%arg4 : !hal.fence)
    %13 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result_4 : tensor<64x64xf32> in !stream.resource<external>{%c16384} -> !hal.buffer_view
    util.return %13 : !hal.buffer_view
  }
  util.func public @keep(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view, %arg3: !hal.fence, %arg4: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @keep(%input0: tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %input1: tensor<64x32xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}, %input2: tensor<32x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}) -> (%output0: tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>})", iree.abi.model = "coarse-fences"}} {
    %c0 = arith.constant 0 : index
    %c8192 = arith.constant 8192 : index
    %c16384 = arith.constant 16384 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c64, %c64]) type(%element_type_f32) encoding(%dense_row_major)
    %0 = stream.tensor.import on(#hal.device.affinity<@dev_a>) %arg0 : !hal.buffer_view -> tensor<64x64xf32> in !stream.resource<external>{%c16384}
    %1 = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %arg3 : (!hal.fence) => !stream.timepoint
    hal.buffer_view.assert<%arg1 : !hal.buffer_view> message("input1") shape([%c64, %c32]) type(%element_type_f32) encoding(%dense_row_major)
    %2 = stream.tensor.import on(#hal.device.affinity<@dev_b>) %arg1 : !hal.buffer_view -> tensor<64x32xf32> in !stream.resource<external>{%c8192}
    %3 = stream.timepoint.import on(#hal.device.affinity<@dev_b>) %arg3 : (!hal.fence) => !stream.timepoint
    hal.buffer_view.assert<%arg2 : !hal.buffer_view> message("input2") shape([%c32, %c64]) type(%element_type_f32) encoding(%dense_row_major)
    %4 = stream.tensor.import on(#hal.device.affinity<@dev_b>) %arg2 : !hal.buffer_view -> tensor<32x64xf32> in !stream.resource<external>{%c8192}
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%1) => !stream.resource<transient>{%c16384} => !stream.timepoint
    %result_0, %result_timepoint_1 = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%1) => !stream.resource<transient>{%c16384} => !stream.timepoint
    %5 = stream.timepoint.join max(%result_timepoint, %result_timepoint_1) => !stream.timepoint
    %6 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%5) => with(%0 as %arg5: !stream.resource<external>{%c16384}, %result as %arg6: !stream.resource<transient>{%c16384}, %result_0 as %arg7: !stream.resource<transient>{%c16384}) {
      stream.cmd.dispatch @take_dispatch_0::@take_dispatch_0_elementwise_4096_f32 {
        ro %arg5[%c0 for %c16384] : !stream.resource<external>{%c16384},
        wo %arg6[%c0 for %c16384] : !stream.resource<transient>{%c16384}
      }
      stream.cmd.copy %arg6[%c0], %arg7[%c0], %c16384 : !stream.resource<transient>{%c16384} -> !stream.resource<transient>{%c16384}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %arg7[%c0 for %c16384] : !stream.resource<transient>{%c16384}
    } => !stream.timepoint
    %7 = stream.timepoint.join max(%3, %6) => !stream.timepoint
    %result_2, %result_timepoint_3 = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%7) => !stream.resource<transient>{%c16384} => !stream.timepoint
    %8 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%result_timepoint_3) => with(%2 as %arg5: !stream.resource<external>{%c8192}, %4 as %arg6: !stream.resource<external>{%c8192}, %result_0 as %arg7: !stream.resource<transient>{%c16384}, %result_2 as %arg8: !stream.resource<transient>{%c16384}) {
      stream.cmd.dispatch @take_dispatch_1::@take_dispatch_1_matmul_64x64x32_f32 {
        ro %arg5[%c0 for %c8192] : !stream.resource<external>{%c8192},
        ro %arg6[%c0 for %c8192] : !stream.resource<external>{%c8192},
        rw %arg7[%c0 for %c16384] : !stream.resource<transient>{%c16384}
      }
      stream.cmd.copy %arg7[%c0], %arg8[%c0], %c16384 : !stream.resource<transient>{%c16384} -> !stream.resource<transient>{%c16384}
      stream.cmd.flush to(#hal.device.affinity<@dev_a>) %arg8[%c0 for %c16384] : !stream.resource<transient>{%c16384}
    } => !stream.timepoint
    %9 = stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%8) => %result_0 : !stream.resource<transient>{%c16384} => !stream.timepoint
    %result_4, %result_timepoint_5 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%9) => !stream.resource<external>{%c16384} => !stream.timepoint
    %10 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%result_timepoint_5) => with(%result_2 as %arg5: !stream.resource<transient>{%c16384}, %result as %arg6: !stream.resource<transient>{%c16384}, %result_4 as %arg7: !stream.resource<external>{%c16384}) {
      stream.cmd.dispatch @take_dispatch_2::@take_dispatch_2_elementwise_4096_f32 {
        ro %arg5[%c0 for %c16384] : !stream.resource<transient>{%c16384},
        ro %arg6[%c0 for %c16384] : !stream.resource<transient>{%c16384},
        wo %arg7[%c0 for %c16384] : !stream.resource<external>{%c16384}
      }
    } => !stream.timepoint
    %11 = stream.resource.dealloca on(#hal.device.affinity<@dev_a>) await(%10) => %result : !stream.resource<transient>{%c16384} => !stream.timepoint
    %12 = stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%10) => %result_2 : !stream.resource<transient>{%c16384} => !stream.timepoint
    %13 = stream.timepoint.join max(%11, %12) => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %13 => (%arg4 : !hal.fence)
    %14 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result_4 : tensor<64x64xf32> in !stream.resource<external>{%c16384} -> !hal.buffer_view
    util.return %14 : !hal.buffer_view
  }
}