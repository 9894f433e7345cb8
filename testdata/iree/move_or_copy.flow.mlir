// IREE compiler version 3.13.0rc20261016 @ 89ece87b89852100c0a4ac3d515e14842d090967
// iree-compile testdata/e2e/models/move_or_copy.mlir --iree-execution-model=async-external '--iree-hal-target-device=dev_a=local[0]' '--iree-hal-target-device=dev_b=local[1]' --iree-hal-local-target-device-backends=vmvx --compile-to=flow
module @case03 attributes {stream.affinity.default = #hal.device.affinity<@dev_a>} {
  util.global private @dev_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @dev_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  flow.executable private @main_dispatch_0 {
    flow.executable.export public @main_dispatch_0_elementwise_8_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_0_elementwise_8_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [8], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<8xf32>
        %1 = tensor.empty() : tensor<8xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%1 : tensor<8xf32>) {
        ^bb0(%in: f32, %out: f32):
          %3 = arith.addf %in, %in : f32
          linalg.yield %3 : f32
        } -> tensor<8xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0], sizes = [8], strides = [1] : tensor<8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
        return
      }
    }
  }
  flow.executable private @main_dispatch_1 {
    flow.executable.export public @main_dispatch_1_elementwise_8_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_1_elementwise_8_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>) {
        %cst = arith.constant 3.000000e+00 : f32
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [8], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<8xf32>
        %1 = tensor.empty() : tensor<8xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%1 : tensor<8xf32>) {
        ^bb0(%in: f32, %out: f32):
          %3 = arith.mulf %in, %cst : f32
          linalg.yield %3 : f32
        } -> tensor<8xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0], sizes = [8], strides = [1] : tensor<8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
        return
      }
    }
  }
  flow.executable private @main_dispatch_2 {
    flow.executable.export public @main_dispatch_2_elementwise_8_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @main_dispatch_2_elementwise_8_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [8], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8xf32>> -> tensor<8xf32>
        %1 = tensor.empty() : tensor<8xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<8xf32>) outs(%1 : tensor<8xf32>) {
        ^bb0(%in: f32, %out: f32):
          %3 = arith.mulf %in, %in : f32
          linalg.yield %3 : f32
        } -> tensor<8xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0], sizes = [8], strides = [1] : tensor<8xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
        return
      }
    }
  }
  util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.fence, %arg3: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view, !hal.buffer_view) attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @main(%input0: tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %input1: tensor<2xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}) -> (%output0: tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}, %output1: tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}, %output2: tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>})", iree.abi.model = "coarse-fences"}} {
    %c2 = arith.constant 2 : index
    %0 = hal.tensor.import on(#hal.device.affinity<@dev_a>) wait(%arg2) => %arg0 "input0" : !hal.buffer_view -> tensor<8xf32>
    %1 = hal.tensor.import on(#hal.device.affinity<@dev_b>) wait(%arg2) => %arg1 "input1" : !hal.buffer_view -> tensor<2xf32>
    %2 = flow.dispatch @main_dispatch_0::@main_dispatch_0_elementwise_8_f32(%0) : (tensor<8xf32>) -> tensor<8xf32>
    %3 = flow.tensor.transfer %2 : tensor<8xf32> to #hal.device.affinity<@dev_b>
    %4 = flow.tensor.update %1, %3[%c2] : tensor<2xf32> -> %3 as tensor<8xf32>
    %5 = flow.dispatch @main_dispatch_1::@main_dispatch_1_elementwise_8_f32(%0) : (tensor<8xf32>) -> tensor<8xf32>
    %6 = flow.tensor.transfer %5 : tensor<8xf32> to #hal.device.affinity<@dev_b>
    %7 = flow.tensor.update %1, %6[%c2] : tensor<2xf32> -> %6 as tensor<8xf32>
    %8 = flow.dispatch @main_dispatch_2::@main_dispatch_2_elementwise_8_f32(%5) : (tensor<8xf32>) -> tensor<8xf32>
    %9:3 = hal.tensor.barrier join(%4, %7, %8 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) => %arg3 : !hal.fence
    %10 = hal.tensor.export on(#hal.device.affinity<@dev_b>) %9#0 "output0" : tensor<8xf32> -> !hal.buffer_view
    %11 = hal.tensor.export on(#hal.device.affinity<@dev_b>) %9#1 "output1" : tensor<8xf32> -> !hal.buffer_view
    %12 = hal.tensor.export on(#hal.device.affinity<@dev_a>) %9#2 "output2" : tensor<8xf32> -> !hal.buffer_view
    util.return %10, %11, %12 : !hal.buffer_view, !hal.buffer_view, !hal.buffer_view
  }
}