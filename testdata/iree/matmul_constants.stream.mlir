// IREE compiler version 3.13.0rc20261016 @ 89ece87b89852100c0a4ac3d515e14842d090967
// iree-compile testdata/e2e/models/matmul_constants.mlir --iree-execution-model=async-external '--iree-hal-target-device=dev_a=local[0]' '--iree-hal-target-device=dev_b=local[1]' --iree-hal-local-target-device-backends=vmvx --compile-to=stream
module @m attributes {stream.affinity.default = #hal.device.affinity<@dev_a>} {
  util.global private @dev_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @dev_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  stream.executable private @main_dispatch_0 {
    stream.executable.export public @main_dispatch_0_matmul_128x64x256_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_0_matmul_128x64x256_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}, %arg2: !stream.binding {stream.alignment = 64 : index}) {
        %cst = arith.constant 0.000000e+00 : f32
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x256xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x64xf32>>
        %2 = stream.binding.subspan %arg2[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x64xf32>>
        %3 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [128, 256], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x256xf32>> -> tensor<128x256xf32>
        %4 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0, 0], sizes = [256, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x64xf32>> -> tensor<256x64xf32>
        %5 = tensor.empty() : tensor<128x64xf32>
        %6 = linalg.fill ins(%cst : f32) outs(%5 : tensor<128x64xf32>) -> tensor<128x64xf32>
        %7 = linalg.matmul ins(%3, %4 : tensor<128x256xf32>, tensor<256x64xf32>) outs(%6 : tensor<128x64xf32>) -> tensor<128x64xf32>
        iree_tensor_ext.dispatch.tensor.store %7, %2, offsets = [0, 0], sizes = [128, 64], strides = [1, 1] : tensor<128x64xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x64xf32>>
        return
      }
    }
  }
  stream.executable private @main_dispatch_1 {
    stream.executable.export public @main_dispatch_1_elementwise_8192_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_1_elementwise_8192_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}, %arg2: !stream.binding {stream.alignment = 64 : index}) {
        %c0 = arith.constant 0 : index
        %c32768 = arith.constant 32768 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8192xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<8192xf32>>
        %2 = stream.binding.subspan %arg2[%c32768] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8192xf32>>
        %3 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0], sizes = [8192], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8192xf32>> -> tensor<8192xf32>
        %4 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0], sizes = [8192], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8192xf32>> -> tensor<8192xf32>
        %5 = tensor.empty() : tensor<8192xf32>
        %6 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%3, %4 : tensor<8192xf32>, tensor<8192xf32>) outs(%5 : tensor<8192xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %7 = arith.mulf %in, %in_0 : f32
          %8 = math.exp %7 : f32
          linalg.yield %8 : f32
        } -> tensor<8192xf32>
        iree_tensor_ext.dispatch.tensor.store %6, %2, offsets = [0], sizes = [8192], strides = [1] : tensor<8192xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8192xf32>>
        return
      }
    }
  }
  stream.executable private @main_dispatch_2 {
    stream.executable.export public @main_dispatch_2_matmul_128x64x256_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_2_matmul_128x64x256_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}, %arg2: !stream.binding {stream.alignment = 64 : index}, %arg3: !stream.binding {stream.alignment = 64 : index}, %arg4: !stream.binding {stream.alignment = 64 : index}) {
        %cst = arith.constant 2.000000e+00 : f32
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x256xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x64xf32>>
        %2 = stream.binding.subspan %arg2[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x64xf32>>
        %3 = stream.binding.subspan %arg3[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x64xf32>>
        %4 = stream.binding.subspan %arg4[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x64xf32>>
        %5 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0, 0], sizes = [128, 256], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x256xf32>> -> tensor<128x256xf32>
        %6 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0, 0], sizes = [256, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<256x64xf32>> -> tensor<256x64xf32>
        %7 = iree_tensor_ext.dispatch.tensor.load %2, offsets = [0, 0], sizes = [128, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x64xf32>> -> tensor<128x64xf32>
        %8 = iree_tensor_ext.dispatch.tensor.load %3, offsets = [0, 0], sizes = [128, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<128x64xf32>> -> tensor<128x64xf32>
        %9 = tensor.empty() : tensor<128x64xf32>
        %10 = linalg.fill ins(%cst : f32) outs(%9 : tensor<128x64xf32>) -> tensor<128x64xf32>
        %11 = linalg.matmul ins(%5, %6 : tensor<128x256xf32>, tensor<256x64xf32>) outs(%10 : tensor<128x64xf32>) -> tensor<128x64xf32>
        %12 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%7, %8, %11 : tensor<128x64xf32>, tensor<128x64xf32>, tensor<128x64xf32>) outs(%9 : tensor<128x64xf32>) {
        ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32):
          %13 = arith.addf %in, %in_0 : f32
          %14 = arith.addf %13, %in_1 : f32
          linalg.yield %14 : f32
        } -> tensor<128x64xf32>
        iree_tensor_ext.dispatch.tensor.store %12, %4, offsets = [0, 0], sizes = [128, 64], strides = [1, 1] : tensor<128x64xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<128x64xf32>>
        return
      }
    }
  }
  util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.fence, %arg3: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @main(%input0: tensor<128x256xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %input1: tensor<256x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) -> (%output0: tensor<128x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>})", iree.abi.model = "coarse-fences"}} {
    %c1073741824_i32 = arith.constant 1073741824 : i32
    %c0 = arith.constant 0 : index
    %c65536 = arith.constant 65536 : index
    %c131072 = arith.constant 131072 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %c128 = arith.constant 128 : index
    %c32768 = arith.constant 32768 : index
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c128, %c256]) type(%element_type_f32) encoding(%dense_row_major)
    %0 = stream.tensor.import on(#hal.device.affinity<@dev_a>) %arg0 : !hal.buffer_view -> tensor<128x256xf32> in !stream.resource<external>{%c131072}
    %1 = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %arg2 : (!hal.fence) => !stream.timepoint
    hal.buffer_view.assert<%arg1 : !hal.buffer_view> message("input1") shape([%c256, %c64]) type(%element_type_f32) encoding(%dense_row_major)
    %2 = stream.tensor.import on(#hal.device.affinity<@dev_a>) %arg1 : !hal.buffer_view -> tensor<256x64xf32> in !stream.resource<external>{%c65536}
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%1) => !stream.resource<transient>{%c32768} => !stream.timepoint
    %result_0, %result_timepoint_1 = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%1) => !stream.resource<transient>{%c32768} => !stream.timepoint
    %3 = stream.timepoint.join max(%result_timepoint, %result_timepoint_1) => !stream.timepoint
    %4 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%3) => with(%0 as %arg4: !stream.resource<external>{%c131072}, %2 as %arg5: !stream.resource<external>{%c65536}, %result as %arg6: !stream.resource<transient>{%c32768}, %result_0 as %arg7: !stream.resource<transient>{%c32768}) {
      stream.cmd.dispatch @main_dispatch_0::@main_dispatch_0_matmul_128x64x256_f32 {
        ro %arg4[%c0 for %c131072] : !stream.resource<external>{%c131072},
        ro %arg5[%c0 for %c65536] : !stream.resource<external>{%c65536},
        wo %arg6[%c0 for %c32768] : !stream.resource<transient>{%c32768}
      }
      stream.cmd.copy %arg6[%c0], %arg7[%c0], %c32768 : !stream.resource<transient>{%c32768} -> !stream.resource<transient>{%c32768}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %arg7[%c0 for %c32768] : !stream.resource<transient>{%c32768}
    } => !stream.timepoint
    %result_2, %result_timepoint_3 = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%4) => !stream.resource<transient>{%c32768} => !stream.timepoint
    %result_4, %result_timepoint_5 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>) await(%4) => !stream.resource<transient>{%c65536} => !stream.timepoint
    %5 = stream.timepoint.join max(%result_timepoint_3, %result_timepoint_5) => !stream.timepoint
    %6 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%5) => with(%result_0 as %arg4: !stream.resource<transient>{%c32768}, %result_2 as %arg5: !stream.resource<transient>{%c32768}, %result_4 as %arg6: !stream.resource<transient>{%c65536}) {
      stream.cmd.fill %c1073741824_i32, %arg6[%c0 for %c32768] : i32 -> !stream.resource<transient>{%c65536}
      stream.cmd.dispatch @main_dispatch_1::@main_dispatch_1_elementwise_8192_f32 {
        ro %arg4[%c0 for %c32768] : !stream.resource<transient>{%c32768},
        ro %arg6[%c0 for %c65536] : !stream.resource<transient>{%c65536},
        wo %arg6[%c0 for %c65536] : !stream.resource<transient>{%c65536}
      }
      stream.cmd.copy %arg6[%c32768], %arg5[%c0], %c32768 : !stream.resource<transient>{%c65536} -> !stream.resource<transient>{%c32768}
      stream.cmd.flush to(#hal.device.affinity<@dev_a>) %arg5[%c0 for %c32768] : !stream.resource<transient>{%c32768}
    } => !stream.timepoint
    %7 = stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%6) => %result_0 : !stream.resource<transient>{%c32768} => !stream.timepoint
    %8 = stream.resource.dealloca on(#hal.device.affinity<@dev_b>) await(%6) => %result_4 : !stream.resource<transient>{%c65536} => !stream.timepoint
    %9 = stream.timepoint.join max(%7, %8) => !stream.timepoint
    %result_6, %result_timepoint_7 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%9) => !stream.resource<external>{%c32768} => !stream.timepoint
    %10 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%result_timepoint_7) => with(%0 as %arg4: !stream.resource<external>{%c131072}, %2 as %arg5: !stream.resource<external>{%c65536}, %result_2 as %arg6: !stream.resource<transient>{%c32768}, %result as %arg7: !stream.resource<transient>{%c32768}, %result_6 as %arg8: !stream.resource<external>{%c32768}) {
      stream.cmd.dispatch @main_dispatch_2::@main_dispatch_2_matmul_128x64x256_f32 {
        ro %arg4[%c0 for %c131072] : !stream.resource<external>{%c131072},
        ro %arg5[%c0 for %c65536] : !stream.resource<external>{%c65536},
        ro %arg6[%c0 for %c32768] : !stream.resource<transient>{%c32768},
        ro %arg7[%c0 for %c32768] : !stream.resource<transient>{%c32768},
        wo %arg8[%c0 for %c32768] : !stream.resource<external>{%c32768}
      }
    } => !stream.timepoint
    %11 = stream.resource.dealloca on(#hal.device.affinity<@dev_a>) await(%10) => %result : !stream.resource<transient>{%c32768} => !stream.timepoint
    %12 = stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%10) => %result_2 : !stream.resource<transient>{%c32768} => !stream.timepoint
    %13 = stream.timepoint.join max(%11, %12) => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %13 => (%arg3 : !hal.fence)
    %14 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result_6 : tensor<128x64xf32> in !stream.resource<external>{%c32768} -> !hal.buffer_view
    util.return %14 : !hal.buffer_view
  }
}