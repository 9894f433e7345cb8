// On flow IR, where ops don't name their device: it follows from what they compute with, from imports to exports and transfers. The
// annotations are for reading: IREE's pipeline drops attributes of flow.tensor.transfer.
//
// RUN: stream-zc-opt --zc-classify-transfers=remarks --verify-diagnostics %s | FileCheck %s

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
#c = #hal.device.affinity<@dev_c>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device

  // CHECK-LABEL: @alias
  util.func public @alias(%buffer: !hal.buffer_view) -> !hal.buffer_view {
    %import = hal.tensor.import on(#a) %buffer : !hal.buffer_view -> tensor<64xf32>
    %made = flow.dispatch @ex::@run(%import) : (tensor<64xf32>) -> tensor<64xf32>
    // CHECK: flow.tensor.transfer {{.+}} attributes {zc.decision = "alias", zc.reason = "shared-memory"}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
    %moved = flow.tensor.transfer %made : tensor<64xf32> to #b
    %used = flow.dispatch @ex::@run(%moved) : (tensor<64xf32>) -> tensor<64xf32>
    // CHECK: flow.tensor.transfer {{.+}} attributes {zc.decision = "alias", zc.reason = "shared-memory"}
    // expected-remark@+1 {{transfer from @dev_b to @dev_a: alias (shared-memory: all users share unified memory)}}
    %back = flow.tensor.transfer %used : tensor<64xf32> to #a
    %view = hal.tensor.export on(#a) %back : tensor<64xf32> -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // CHECK-LABEL: @undeclared
  util.func public @undeclared(%buffer: !hal.buffer_view) -> !hal.buffer_view {
    %import = hal.tensor.import on(#a) %buffer : !hal.buffer_view -> tensor<64xf32>
    %made = flow.dispatch @ex::@run(%import) : (tensor<64xf32>) -> tensor<64xf32>
    // CHECK: flow.tensor.transfer {{.+}} attributes {zc.decision = "copy", zc.reason = "discrete-link"}
    // expected-remark@+1 {{transfer from @dev_a to @dev_c: copy (discrete-link: the topology declares no shared memory; @dev_a -> @dev_c)}}
    %moved = flow.tensor.transfer %made : tensor<64xf32> to #c
    %view = hal.tensor.export on(#c) %moved : tensor<64xf32> -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // The device is known through what is computed together: a reshape, a second operand.
  // CHECK-LABEL: @through_ops
  util.func public @through_ops(%buffer: !hal.buffer_view) -> !hal.buffer_view {
    %import = hal.tensor.import on(#b) %buffer : !hal.buffer_view -> tensor<64xf32>
    %value = arith.constant 0.000000e+00 : f32
    %splat = flow.tensor.splat %value : tensor<64xf32>
    %made = flow.dispatch @ex::@run(%splat, %import) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    %shaped = flow.tensor.reshape %made : tensor<64xf32> -> tensor<8x8xf32>
    // CHECK: flow.tensor.transfer {{.+}} attributes {zc.decision = "alias", zc.reason = "shared-memory"}
    // expected-remark@+1 {{transfer from @dev_b to @dev_a: alias (shared-memory: all users share unified memory)}}
    %moved = flow.tensor.transfer %shaped : tensor<8x8xf32> to #a
    %view = hal.tensor.export on(#a) %moved : tensor<8x8xf32> -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // Computed from values of two devices: where isn't known.
  // CHECK-LABEL: @two_devices
  util.func public @two_devices(%buffer: !hal.buffer_view, %second: !hal.buffer_view) -> !hal.buffer_view {
    %x = hal.tensor.import on(#a) %buffer : !hal.buffer_view -> tensor<64xf32>
    %y = hal.tensor.import on(#b) %second : !hal.buffer_view -> tensor<64xf32>
    %made = flow.dispatch @ex::@run(%x, %y) : (tensor<64xf32>, tensor<64xf32>) -> tensor<64xf32>
    // CHECK: flow.tensor.transfer {{.+}} attributes {zc.decision = "copy", zc.reason = "unknown-device"}
    // expected-remark@+1 {{transfer from an unknown device to @dev_b: copy (unknown-device: a device that uses it is not known)}}
    %moved = flow.tensor.transfer %made : tensor<64xf32> to #b
    %view = hal.tensor.export on(#b) %moved : tensor<64xf32> -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}
