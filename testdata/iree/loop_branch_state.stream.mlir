// IREE compiler version 3.13.0rc20261016 @ 89ece87b89852100c0a4ac3d515e14842d090967
// iree-compile testdata/e2e/models/loop_branch_state.mlir --iree-execution-model=async-external '--iree-hal-target-device=dev_a=local[0]' '--iree-hal-target-device=dev_b=local[1]' --iree-hal-local-target-device-backends=vmvx --compile-to=stream
module @m attributes {stream.affinity.default = #hal.device.affinity<@dev_a>} {
  util.global private @dev_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @dev_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private mutable @state__timepoint = #stream.timepoint<immediate> : !stream.timepoint
  util.global private mutable @state : !stream.resource<variable>
  util.initializer {
    %c0 = arith.constant 0 : index
    %0 = stream.timepoint.immediate => !stream.timepoint
    %c4096 = arith.constant 4096 : index
    %c1065353216_i32 = arith.constant 1065353216 : i32
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) : !stream.resource<variable>{%c4096} => !stream.timepoint
    %1 = stream.cmd.execute once on(#hal.device.affinity<@dev_a>) await(%result_timepoint) => with(%result as %arg0: !stream.resource<variable>{%c4096}) {
      stream.cmd.fill %c1065353216_i32, %arg0[%c0 for %c4096] : i32 -> !stream.resource<variable>{%c4096}
    } => !stream.timepoint
    %2 = stream.timepoint.await sync %1 => %result : !stream.resource<variable>{%c4096}
    util.global.store %2, @state : !stream.resource<variable>
    util.global.store %0, @state__timepoint : !stream.timepoint
    util.return
  }
  stream.executable private @loop_dispatch_0 {
    stream.executable.export public @loop_dispatch_0_elementwise_D_f32 workgroups(%arg0: index) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg0)
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @loop_dispatch_0_elementwise_D_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}, %arg2: i32, %arg3: i32) {
        %c0 = arith.constant 0 : index
        %c32_i64 = arith.constant 32 : i64
        %0 = arith.extui %arg2 : i32 to i64
        %1 = arith.extui %arg3 : i32 to i64
        %2 = arith.shli %1, %c32_i64 : i64
        %3 = arith.ori %0, %2 : i64
        %4 = arith.index_castui %3 : i64 to index
        %5 = util.assume.int %4<umin = 0, umax = 9007199254740991> : index
        %6 = iree_tensor_ext.dispatch.workload.ordinal %5, 0 : index
        %7 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%6}
        %8 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%6}
        %9 = iree_tensor_ext.dispatch.tensor.load %7, offsets = [0], sizes = [%6], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%6} -> tensor<?xf32>
        %10 = tensor.empty(%6) : tensor<?xf32>
        %11 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%9 : tensor<?xf32>) outs(%10 : tensor<?xf32>) {
        ^bb0(%in: f32, %out: f32):
          %12 = arith.addf %in, %in : f32
          linalg.yield %12 : f32
        } -> tensor<?xf32>
        iree_tensor_ext.dispatch.tensor.store %11, %8, offsets = [0], sizes = [%6], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%6}
        return
      }
    }
  }
  stream.executable private @loop_dispatch_1 {
    stream.executable.export public @loop_dispatch_1_elementwise_D_f32 workgroups(%arg0: index) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg0)
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @loop_dispatch_1_elementwise_D_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}, %arg2: i32, %arg3: i32) {
        %c0 = arith.constant 0 : index
        %c32_i64 = arith.constant 32 : i64
        %0 = arith.extui %arg2 : i32 to i64
        %1 = arith.extui %arg3 : i32 to i64
        %2 = arith.shli %1, %c32_i64 : i64
        %3 = arith.ori %0, %2 : i64
        %4 = arith.index_castui %3 : i64 to index
        %5 = util.assume.int %4<umin = 0, umax = 9007199254740991> : index
        %6 = iree_tensor_ext.dispatch.workload.ordinal %5, 0 : index
        %7 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%6}
        %8 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%6}
        %9 = iree_tensor_ext.dispatch.tensor.load %7, offsets = [0], sizes = [%6], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%6} -> tensor<?xf32>
        %10 = tensor.empty(%6) : tensor<?xf32>
        %11 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%9 : tensor<?xf32>) outs(%10 : tensor<?xf32>) {
        ^bb0(%in: f32, %out: f32):
          %12 = math.exp %in : f32
          linalg.yield %12 : f32
        } -> tensor<?xf32>
        iree_tensor_ext.dispatch.tensor.store %11, %8, offsets = [0], sizes = [%6], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%6}
        return
      }
    }
  }
  util.func public @loop(%arg0: !hal.buffer_view, %arg1: index, %arg2: !hal.fence, %arg3: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @loop(%input0: tensor<?xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %input1: index) -> (%output0: tensor<?xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>})", iree.abi.model = "coarse-fences"}} {
    %c32_i64 = arith.constant 32 : i64
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c4 = arith.constant 4 : index
    %c1 = arith.constant 1 : index
    %0 = hal.buffer_view.dim<%arg0 : !hal.buffer_view>[0] : index
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%0]) type(%element_type_f32) encoding(%dense_row_major)
    %1 = arith.muli %0, %c4 : index
    %2 = stream.tensor.import on(#hal.device.affinity<@dev_a>) %arg0 : !hal.buffer_view -> tensor<?xf32>{%0} in !stream.resource<external>{%1}
    %3 = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %arg2 : (!hal.fence) => !stream.timepoint
    cf.br ^bb1(%c0, %2, %3 : index, !stream.resource<external>, !stream.timepoint)
  ^bb1(%4: index, %5: !stream.resource<external>, %6: !stream.timepoint):  // 2 preds: ^bb0, ^bb2
    %7 = arith.cmpi slt, %4, %arg1 : index
    cf.cond_br %7, ^bb2, ^bb3
  ^bb2:  // pred: ^bb1
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%6) => !stream.resource<transient>{%1} => !stream.timepoint
    %8 = util.align %1, %c64 : index
    %result_0, %result_timepoint_1 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%6) => !stream.resource<transient>{%8} => !stream.timepoint
    %9 = stream.timepoint.join max(%result_timepoint, %result_timepoint_1) => !stream.timepoint
    %10 = arith.index_castui %0 : index to i64
    %11 = arith.index_castui %0 : index to i32
    %12 = arith.shrui %10, %c32_i64 : i64
    %13 = arith.trunci %12 : i64 to i32
    %14 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%9) => with(%5 as %arg4: !stream.resource<external>{%1}, %result as %arg5: !stream.resource<transient>{%1}, %result_0 as %arg6: !stream.resource<transient>{%8}) {
      stream.cmd.dispatch @loop_dispatch_0::@loop_dispatch_0_elementwise_D_f32[%0](%11, %13 : i32, i32) {
        ro %arg4[%c0 for %1] : !stream.resource<external>{%1},
        wo %arg6[%c0 for %8] : !stream.resource<transient>{%8}
      }
      stream.cmd.copy %arg6[%c0], %arg5[%c0], %1 : !stream.resource<transient>{%8} -> !stream.resource<transient>{%1}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %arg5[%c0 for %1] : !stream.resource<transient>{%1}
    } => !stream.timepoint
    %15 = stream.resource.dealloca on(#hal.device.affinity<@dev_a>) await(%14) => %result_0 : !stream.resource<transient>{%8} => !stream.timepoint
    %result_2, %result_timepoint_3 = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%15) => !stream.resource<transient>{%1} => !stream.timepoint
    %16 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%result_timepoint_3) => with(%result as %arg4: !stream.resource<transient>{%1}, %result_2 as %arg5: !stream.resource<transient>{%1}) {
      stream.cmd.dispatch @loop_dispatch_1::@loop_dispatch_1_elementwise_D_f32[%0](%11, %13 : i32, i32) {
        ro %arg4[%c0 for %1] : !stream.resource<transient>{%1},
        wo %arg5[%c0 for %1] : !stream.resource<transient>{%1}
      }
    } => !stream.timepoint
    %17 = stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%16) => %result : !stream.resource<transient>{%1} => !stream.timepoint
    %result_4, %result_timepoint_5 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%17) => !stream.resource<external>{%1} => !stream.timepoint
    %18 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%result_timepoint_5) => with(%result_2 as %arg4: !stream.resource<transient>{%1}, %result_4 as %arg5: !stream.resource<external>{%1}) {
      stream.cmd.invalidate from(#hal.device.affinity<@dev_b>) %arg4[%c0 for %1] : !stream.resource<transient>{%1}
      stream.cmd.copy %arg4[%c0], %arg5[%c0], %1 : !stream.resource<transient>{%1} -> !stream.resource<external>{%1}
    } => !stream.timepoint
    %19 = stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%18) => %result_2 : !stream.resource<transient>{%1} => !stream.timepoint
    %20 = arith.addi %4, %c1 : index
    cf.br ^bb1(%20, %result_4, %19 : index, !stream.resource<external>, !stream.timepoint)
  ^bb3:  // pred: ^bb1
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %6 => (%arg3 : !hal.fence)
    %21 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %5 : tensor<?xf32>{%0} in !stream.resource<external>{%1} -> !hal.buffer_view
    util.return %21 : !hal.buffer_view
  }
  stream.executable private @branch_dispatch_0 {
    stream.executable.export public @branch_dispatch_0_elementwise_1024_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @branch_dispatch_0_elementwise_1024_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}, %arg2: !stream.binding {stream.alignment = 64 : index}) {
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xf32>>
        %2 = stream.binding.subspan %arg2[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1024xf32>>
        %3 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0], sizes = [1024], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xf32>> -> tensor<1024xf32>
        %4 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0], sizes = [1024], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xf32>> -> tensor<1024xf32>
        %5 = tensor.empty() : tensor<1024xf32>
        %6 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%3, %4 : tensor<1024xf32>, tensor<1024xf32>) outs(%5 : tensor<1024xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %7 = arith.addf %in, %in_0 : f32
          linalg.yield %7 : f32
        } -> tensor<1024xf32>
        iree_tensor_ext.dispatch.tensor.store %6, %2, offsets = [0], sizes = [1024], strides = [1] : tensor<1024xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1024xf32>>
        return
      }
    }
  }
  stream.executable private @branch_dispatch_1 {
    stream.executable.export public @branch_dispatch_1_elementwise_1024_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      stream.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @branch_dispatch_1_elementwise_1024_f32(%arg0: !stream.binding {stream.alignment = 64 : index}, %arg1: !stream.binding {stream.alignment = 64 : index}) {
        %c0 = arith.constant 0 : index
        %0 = stream.binding.subspan %arg0[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xf32>>
        %1 = stream.binding.subspan %arg1[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1024xf32>>
        %2 = iree_tensor_ext.dispatch.tensor.load %0, offsets = [0], sizes = [1024], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xf32>> -> tensor<1024xf32>
        %3 = tensor.empty() : tensor<1024xf32>
        %4 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%2 : tensor<1024xf32>) outs(%3 : tensor<1024xf32>) {
        ^bb0(%in: f32, %out: f32):
          %5 = arith.mulf %in, %in : f32
          linalg.yield %5 : f32
        } -> tensor<1024xf32>
        iree_tensor_ext.dispatch.tensor.store %4, %1, offsets = [0], sizes = [1024], strides = [1] : tensor<1024xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1024xf32>>
        return
      }
    }
  }
  util.func public @branch(%arg0: !hal.buffer_view, %arg1: i1, %arg2: !hal.fence, %arg3: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @branch(%input0: tensor<1024xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %input1: i1) -> (%output0: tensor<1024xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>})", iree.abi.model = "coarse-fences"}} {
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %c4096 = arith.constant 4096 : index
    %state__timepoint = util.global.load @state__timepoint : !stream.timepoint
    %state = util.global.load @state : !stream.resource<variable>
    %element_type_f32 = hal.element_type<f32> : i32
    %dense_row_major = hal.encoding_type<dense_row_major> : i32
    hal.buffer_view.assert<%arg0 : !hal.buffer_view> message("input0") shape([%c1024]) type(%element_type_f32) encoding(%dense_row_major)
    %0 = stream.tensor.import on(#hal.device.affinity<@dev_a>) %arg0 : !hal.buffer_view -> tensor<1024xf32> in !stream.resource<external>{%c4096}
    %1 = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %arg2 : (!hal.fence) => !stream.timepoint
    cf.cond_br %arg1, ^bb1, ^bb2
  ^bb1:  // pred: ^bb0
    %2 = stream.timepoint.join max(%1, %state__timepoint) => !stream.timepoint
    %result, %result_timepoint = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%2) => !stream.resource<transient>{%c4096} => !stream.timepoint
    %3 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%result_timepoint) => with(%0 as %arg4: !stream.resource<external>{%c4096}, %state as %arg5: !stream.resource<variable>{%c4096}, %result as %arg6: !stream.resource<transient>{%c4096}) {
      stream.cmd.dispatch @branch_dispatch_0::@branch_dispatch_0_elementwise_1024_f32 {
        ro %arg4[%c0 for %c4096] : !stream.resource<external>{%c4096},
        ro %arg5[%c0 for %c4096] : !stream.resource<variable>{%c4096},
        wo %arg6[%c0 for %c4096] : !stream.resource<transient>{%c4096}
      }
    } => !stream.timepoint
    %result_0, %result_timepoint_1 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>) await(%3) => !stream.resource<external>{%c4096} => !stream.timepoint
    %4 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%result_timepoint_1) => with(%result as %arg4: !stream.resource<transient>{%c4096}, %result_0 as %arg5: !stream.resource<external>{%c4096}) {
      stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %arg4[%c0 for %c4096] : !stream.resource<transient>{%c4096}
      stream.cmd.copy %arg4[%c0], %arg5[%c0], %c4096 : !stream.resource<transient>{%c4096} -> !stream.resource<external>{%c4096}
    } => !stream.timepoint
    %5 = stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%4) => %result : !stream.resource<transient>{%c4096} => !stream.timepoint
    cf.br ^bb3(%result_0, %5 : !stream.resource<external>, !stream.timepoint)
  ^bb2:  // pred: ^bb0
    %result_2, %result_timepoint_3 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>) await(%1) => !stream.resource<external>{%c4096} => !stream.timepoint
    %result_4, %result_timepoint_5 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>) await(%1) => !stream.resource<transient>{%c4096} => !stream.timepoint
    %6 = stream.timepoint.join max(%result_timepoint_3, %result_timepoint_5) => !stream.timepoint
    %7 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%6) => with(%0 as %arg4: !stream.resource<external>{%c4096}, %result_2 as %arg5: !stream.resource<external>{%c4096}, %result_4 as %arg6: !stream.resource<transient>{%c4096}) {
      stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %arg4[%c0 for %c4096] : !stream.resource<external>{%c4096}
      stream.cmd.copy %arg4[%c0], %arg6[%c0], %c4096 : !stream.resource<external>{%c4096} -> !stream.resource<transient>{%c4096}
      stream.cmd.dispatch @branch_dispatch_1::@branch_dispatch_1_elementwise_1024_f32 {
        ro %arg6[%c0 for %c4096] : !stream.resource<transient>{%c4096},
        wo %arg5[%c0 for %c4096] : !stream.resource<external>{%c4096}
      }
    } => !stream.timepoint
    %8 = stream.resource.dealloca on(#hal.device.affinity<@dev_b>) await(%7) => %result_4 : !stream.resource<transient>{%c4096} => !stream.timepoint
    cf.br ^bb3(%result_2, %8 : !stream.resource<external>, !stream.timepoint)
  ^bb3(%9: !stream.resource<external>, %10: !stream.timepoint):  // 2 preds: ^bb1, ^bb2
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_b>) %10 => (%arg3 : !hal.fence)
    %11 = stream.tensor.export on(#hal.device.affinity<@dev_b>) %9 : tensor<1024xf32> in !stream.resource<external>{%c4096} -> !hal.buffer_view
    %result_6, %result_timepoint_7 = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%10) => !stream.resource<variable>{%c4096} => !stream.timepoint
    %12 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%result_timepoint_7) => with(%9 as %arg4: !stream.resource<external>{%c4096}, %result_6 as %arg5: !stream.resource<variable>{%c4096}) {
      stream.cmd.invalidate from(#hal.device.affinity<@dev_b>) %arg4[%c0 for %c4096] : !stream.resource<external>{%c4096}
      stream.cmd.copy %arg4[%c0], %arg5[%c0], %c4096 : !stream.resource<external>{%c4096} -> !stream.resource<variable>{%c4096}
    } => !stream.timepoint
    util.global.store %result_6, @state : !stream.resource<variable>
    util.global.store %12, @state__timepoint : !stream.timepoint
    util.return %11 : !hal.buffer_view
  }
}