// IREE compiler version 3.13.0rc20261016 @ 89ece87b89852100c0a4ac3d515e14842d090967
// iree-compile testdata/e2e/models/in_place.mlir --iree-execution-model=async-external '--iree-hal-target-device=dev_a=local[0]' '--iree-hal-target-device=dev_b=local[1]' --iree-hal-local-target-device-backends=vmvx --compile-to=flow
module @m attributes {stream.affinity.default = #hal.device.affinity<@dev_a>} {
  util.global private @dev_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  util.global private @dev_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb", {iree.encoding.resolver = #iree_cpu.vmvx_encoding_resolver<>, ukernels = "none"}>]> : !hal.device
  flow.executable private @take_dispatch_0 {
    flow.executable.export public @take_dispatch_0_elementwise_4096_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @take_dispatch_0_elementwise_4096_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4096xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4096xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [4096], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4096xf32>> -> tensor<4096xf32>
        %1 = tensor.empty() : tensor<4096xf32>
        %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0 : tensor<4096xf32>) outs(%1 : tensor<4096xf32>) {
        ^bb0(%in: f32, %out: f32):
          %3 = arith.addf %in, %in : f32
          linalg.yield %3 : f32
        } -> tensor<4096xf32>
        iree_tensor_ext.dispatch.tensor.store %2, %arg1, offsets = [0], sizes = [4096], strides = [1] : tensor<4096xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4096xf32>>
        return
      }
    }
  }
  flow.executable private @take_dispatch_1 {
    flow.executable.export public @take_dispatch_1_matmul_64x64x32_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @take_dispatch_1_matmul_64x64x32_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x32xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x64xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<64x64xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [64, 32], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<64x32xf32>> -> tensor<64x32xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0], sizes = [32, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<32x64xf32>> -> tensor<32x64xf32>
        %2 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0, 0], sizes = [64, 64], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readwrite:tensor<64x64xf32>> -> tensor<64x64xf32>
        %3 = linalg.matmul ins(%0, %1 : tensor<64x32xf32>, tensor<32x64xf32>) outs(%2 : tensor<64x64xf32>) -> tensor<64x64xf32>
        iree_tensor_ext.dispatch.tensor.store %3, %arg2, offsets = [0, 0], sizes = [64, 64], strides = [1, 1] : tensor<64x64xf32> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<64x64xf32>>
        return
      }
    }
  }
  flow.executable private @take_dispatch_2 {
    flow.executable.export public @take_dispatch_2_elementwise_4096_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice()
      flow.return %x, %y, %z : index, index, index
    }
    builtin.module {
      func.func @take_dispatch_2_elementwise_4096_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4096xf32>>, %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4096xf32>>, %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4096xf32>>) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [4096], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4096xf32>> -> tensor<4096xf32>
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0], sizes = [4096], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4096xf32>> -> tensor<4096xf32>
        %2 = tensor.empty() : tensor<4096xf32>
        %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0, %1 : tensor<4096xf32>, tensor<4096xf32>) outs(%2 : tensor<4096xf32>) {
        ^bb0(%in: f32, %in_0: f32, %out: f32):
          %4 = arith.mulf %in, %in_0 : f32
          linalg.yield %4 : f32
        } -> tensor<4096xf32>
        iree_tensor_ext.dispatch.tensor.store %3, %arg2, offsets = [0], sizes = [4096], strides = [1] : tensor<4096xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4096xf32>>
        return
      }
    }
  }
  util.func public @take(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view, %arg3: !hal.fence, %arg4: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @take(%input0: tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %input1: tensor<64x32xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}, %input2: tensor<32x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}) -> (%output0: tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>})", iree.abi.model = "coarse-fences"}} {
    %0 = hal.tensor.import on(#hal.device.affinity<@dev_a>) wait(%arg3) => %arg0 "input0" : !hal.buffer_view -> tensor<64x64xf32>
    %1 = hal.tensor.import on(#hal.device.affinity<@dev_b>) wait(%arg3) => %arg1 "input1" : !hal.buffer_view -> tensor<64x32xf32>
    %2 = hal.tensor.import on(#hal.device.affinity<@dev_b>) wait(%arg3) => %arg2 "input2" : !hal.buffer_view -> tensor<32x64xf32>
    %3 = flow.tensor.reshape %0 : tensor<64x64xf32> -> tensor<4096xf32>
    %4 = flow.dispatch @take_dispatch_0::@take_dispatch_0_elementwise_4096_f32(%3) : (tensor<4096xf32>) -> tensor<4096xf32>
    %5 = flow.tensor.transfer %4 : tensor<4096xf32> to #hal.device.affinity<@dev_b>
    %6 = flow.tensor.reshape %5 : tensor<4096xf32> -> tensor<64x64xf32>
    %7 = flow.dispatch @take_dispatch_1::@take_dispatch_1_matmul_64x64x32_f32(%1, %2, %6) : (tensor<64x32xf32>, tensor<32x64xf32>, tensor<64x64xf32>) -> %6
    %8 = flow.tensor.transfer %7 : tensor<64x64xf32> to #hal.device.affinity<@dev_a>
    %9 = flow.tensor.reshape %8 : tensor<64x64xf32> -> tensor<4096xf32>
    %10 = flow.dispatch @take_dispatch_2::@take_dispatch_2_elementwise_4096_f32(%9, %3) : (tensor<4096xf32>, tensor<4096xf32>) -> tensor<4096xf32>
    %11 = flow.tensor.reshape %10 : tensor<4096xf32> -> tensor<64x64xf32>
    %12 = hal.tensor.barrier join(%11 : tensor<64x64xf32>) => %arg4 : !hal.fence
    %13 = hal.tensor.export on(#hal.device.affinity<@dev_a>) %12 "output0" : tensor<64x64xf32> -> !hal.buffer_view
    util.return %13 : !hal.buffer_view
  }
  util.func public @keep(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view, %arg3: !hal.fence, %arg4: !hal.fence) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "async func @keep(%input0: tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %input1: tensor<64x32xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}, %input2: tensor<32x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}) -> (%output0: tensor<64x64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>})", iree.abi.model = "coarse-fences"}} {
    %0 = hal.tensor.import on(#hal.device.affinity<@dev_a>) wait(%arg3) => %arg0 "input0" : !hal.buffer_view -> tensor<64x64xf32>
    %1 = hal.tensor.import on(#hal.device.affinity<@dev_b>) wait(%arg3) => %arg1 "input1" : !hal.buffer_view -> tensor<64x32xf32>
    %2 = hal.tensor.import on(#hal.device.affinity<@dev_b>) wait(%arg3) => %arg2 "input2" : !hal.buffer_view -> tensor<32x64xf32>
    %3 = flow.tensor.reshape %0 : tensor<64x64xf32> -> tensor<4096xf32>
    %4 = flow.dispatch @take_dispatch_0::@take_dispatch_0_elementwise_4096_f32(%3) : (tensor<4096xf32>) -> tensor<4096xf32>
    %5 = flow.tensor.transfer %4 : tensor<4096xf32> to #hal.device.affinity<@dev_b>
    %6 = flow.tensor.reshape %5 : tensor<4096xf32> -> tensor<64x64xf32>
    %7 = flow.dispatch @take_dispatch_1::@take_dispatch_1_matmul_64x64x32_f32(%1, %2, %6) : (tensor<64x32xf32>, tensor<32x64xf32>, tensor<64x64xf32>) -> %6
    %8 = flow.tensor.transfer %7 : tensor<64x64xf32> to #hal.device.affinity<@dev_a>
    %9 = flow.tensor.reshape %8 : tensor<64x64xf32> -> tensor<4096xf32>
    %10 = flow.dispatch @take_dispatch_2::@take_dispatch_2_elementwise_4096_f32(%9, %4) : (tensor<4096xf32>, tensor<4096xf32>) -> tensor<4096xf32>
    %11 = flow.tensor.reshape %10 : tensor<4096xf32> -> tensor<64x64xf32>
    %12 = hal.tensor.barrier join(%11 : tensor<64x64xf32>) => %arg4 : !hal.fence
    %13 = hal.tensor.export on(#hal.device.affinity<@dev_a>) %12 "output0" : tensor<64x64xf32> -> !hal.buffer_view
    util.return %13 : !hal.buffer_view
  }
}