// IREE compiler version 3.13.0rc20261016 @ 89ece87b89852100c0a4ac3d515e14842d090967
// iree-compile testdata/e2e/models/loop_branch_state.mlir --iree-execution-model=async-external '--iree-hal-target-device=dev_a=local[0]' '--iree-hal-target-device=dev_b=local[1]' --iree-hal-local-target-device-backends=vmvx --compile-to=flow
module @m attributes {stream.affinity.default = #hal.device.affinity<@dev_a>} {
  util.global private @dev_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @dev_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private mutable @state = dense<1.000000e+00> : tensor<1024xf32>
  flow.executable private @loop_dispatch_0 {
    flow.executable.export public @loop_dispatch_0_elementwise_D_f32 workgroups(%arg0: index) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg0)
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @loop_dispatch_0_elementwise_D_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %arg1: index, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>) {
        %0 = iree_tensor_ext.dispatch.workload.ordinal %arg1, 0 : index
        %1 = flow.dispatch.tie_shape %arg0 : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%0}
        %2 = flow.dispatch.tie_shape %arg2 : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%0}
        %3 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0], sizes = [%0], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%0} -> tensor<?xf32>
        %4 = tensor.empty(%0) : tensor<?xf32>
        %5 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%3 : tensor<?xf32>) outs(%4 : tensor<?xf32>) {
        ^bb0(%in: f32, %out: f32):
          %6 = arith.addf %in, %in : f32
          linalg.yield %6 : f32
        } -> tensor<?xf32>
        iree_tensor_ext.dispatch.tensor.store %5, %2, offsets = [0], sizes = [%0], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%0}
        return
      }
    }
  }
  flow.executable private @loop_dispatch_1 {
    flow.executable.export public @loop_dispatch_1_elementwise_D_f32 workgroups(%arg0: index) -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg0)
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @loop_dispatch_1_elementwise_D_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>, %arg1: index, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>) {
        %0 = iree_tensor_ext.dispatch.workload.ordinal %arg1, 0 : index
        %1 = flow.dispatch.tie_shape %arg0 : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%0}
        %2 = flow.dispatch.tie_shape %arg2 : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%0}
        %3 = iree_tensor_ext.dispatch.tensor.load %1, offsets = [0], sizes = [%0], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xf32>>{%0} -> tensor<?xf32>
        %4 = tensor.empty(%0) : tensor<?xf32>
        %5 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%3 : tensor<?xf32>) outs(%4 : tensor<?xf32>) {
        ^bb0(%in: f32, %out: f32):
          %6 = math.exp %in : f32
          linalg.yield %6 : f32
        } -> tensor<?xf32>
        iree_tensor_ext.dispatch.tensor.store %5, %2, offsets = [0], sizes = [%0], strides = [1] : tensor<?xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xf32>>{%0}
        return
      }
    }
  }
  util.func public @loop(%arg0: !hal.buffer_view, %arg1: index, %arg2: !hal.fence, %arg3: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @loop(%input0: tensor<?xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %input1: index) -> (%output0: tensor<?xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>})", iree.abi.model = "coarse-fences"}} {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %0 = hal.buffer_view.dim<%arg0 : !hal.buffer_view>[0] : index
    %1 = hal.tensor.import on(#hal.device.affinity<@dev_a>) wait(%arg2) => %arg0 "input0" : !hal.buffer_view -> tensor<?xf32>{%0}
    %2 = scf.for %arg4 = %c0 to %arg1 step %c1 iter_args(%arg5 = %1) -> (tensor<?xf32>) {
      %5 = flow.dispatch @loop_dispatch_0::@loop_dispatch_0_elementwise_D_f32[%0](%arg5, %0) : (tensor<?xf32>{%0}, index) -> tensor<?xf32>{%0}
      %6 = flow.tensor.transfer %5 : tensor<?xf32>{%0} to #hal.device.affinity<@dev_b>
      %7 = flow.dispatch @loop_dispatch_1::@loop_dispatch_1_elementwise_D_f32[%0](%6, %0) : (tensor<?xf32>{%0}, index) -> tensor<?xf32>{%0}
      %8 = flow.tensor.transfer %7 : tensor<?xf32>{%0} to #hal.device.affinity<@dev_a>
      scf.yield %8 : tensor<?xf32>
    }
    %3 = hal.tensor.barrier join(%2 : tensor<?xf32>) => %arg3 : !hal.fence
    %4 = hal.tensor.export on(#hal.device.affinity<@dev_a>) %3 "output0" : tensor<?xf32>{%0} -> !hal.buffer_view
    util.return %4 : !hal.buffer_view
  }
  flow.executable private @branch_dispatch_0 {
    flow.executable.export public @branch_dispatch_0_elementwise_1024_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @branch_dispatch_0_elementwise_1024_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1024xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [1024], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xf32>> -> tensor<1024xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0], sizes = [1024], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xf32>> -> tensor<1024xf32>
        %2 = tensor.empty() : tensor<1024xf32>
        %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0, %1 : tensor<1024xf32>, tensor<1024xf32>) outs(%2 : tensor<1024xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %4 = arith.addf %in, %in_0 : f32
          linalg.yield %4 : f32
        } -> tensor<1024xf32>
        iree_tensor_ext.dispatch.tensor.store %3, %arg2, offsets = [0], sizes = [1024], strides = [1] : tensor<1024xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1024xf32>>
        return
      }
    }
  }
  flow.executable private @branch_dispatch_1 {
    flow.executable.export public @branch_dispatch_1_elementwise_1024_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @branch_dispatch_1_elementwise_1024_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1024xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [1024], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<1024xf32>> -> tensor<1024xf32>
        %1 = tensor.empty() : tensor<1024xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<1024xf32>) outs(%1 : tensor<1024xf32>) {
        ^bb0(%in: f32, %out: f32):
          %3 = arith.mulf %in, %in : f32
          linalg.yield %3 : f32
        } -> tensor<1024xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0], sizes = [1024], strides = [1] : tensor<1024xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1024xf32>>
        return
      }
    }
  }
  util.func public @branch(%arg0: !hal.buffer_view, %arg1: i1, %arg2: !hal.fence, %arg3: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @branch(%input0: tensor<1024xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %input1: i1) -> (%output0: tensor<1024xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>})", iree.abi.model = "coarse-fences"}} {
    %state = util.global.load @state : tensor<1024xf32>
    %0 = hal.tensor.import on(#hal.device.affinity<@dev_a>) wait(%arg2) => %arg0 "input0" : !hal.buffer_view -> tensor<1024xf32>
    %1 = scf.if %arg1 -> (tensor<1024xf32>) {
      %4 = flow.dispatch @branch_dispatch_0::@branch_dispatch_0_elementwise_1024_f32(%0, %state) : (tensor<1024xf32>, tensor<1024xf32>) -> tensor<1024xf32>
      %5 = flow.tensor.transfer %4 : tensor<1024xf32> to #hal.device.affinity<@dev_b>
      scf.yield %5 : tensor<1024xf32>
    } else {
      %4 = flow.tensor.transfer %0 : tensor<1024xf32> to #hal.device.affinity<@dev_b>
      %5 = flow.dispatch @branch_dispatch_1::@branch_dispatch_1_elementwise_1024_f32(%4) : (tensor<1024xf32>) -> tensor<1024xf32>
      scf.yield %5 : tensor<1024xf32>
    }
    %2 = hal.tensor.barrier join(%1 : tensor<1024xf32>) => %arg3 : !hal.fence
    %3 = hal.tensor.export on(#hal.device.affinity<@dev_b>) %2 "output0" : tensor<1024xf32> -> !hal.buffer_view
    util.global.store %1, @state : tensor<1024xf32>
    util.return %3 : !hal.buffer_view
  }
}