// The result of a transfer over shared memory becomes its source; over other links, and for other sizes and types, the transfer stays.
//
// RUN: stream-zc-opt --zc-elide-transfers=remarks --verify-diagnostics %s | FileCheck %s

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
#c = #hal.device.affinity<@dev_c>
!any = !stream.resource<*>
!external = !stream.resource<external>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device

  // CHECK-LABEL: @shared
  util.func public @shared() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: %[[MADE:.+]] = stream.async.dispatch on(#hal.device.affinity<@dev_a>)
    // CHECK-NEXT: stream.async.dispatch on(#hal.device.affinity<@dev_b>) @ex::@run(%[[MADE]][
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#b) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // A link that isn't declared.
  // CHECK-LABEL: @undeclared
  util.func public @undeclared() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // CHECK: stream.async.transfer
    // expected-remark@+1 {{transfer from @dev_a to @dev_c: copy (discrete-link: the topology declares no shared memory; @dev_a -> @dev_c)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#c) !any{%c256}
    %used = stream.async.dispatch on(#c) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#c) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // Without a source affinity, and with no default in the module.
  // CHECK-LABEL: @from_anywhere
  util.func public @from_anywhere() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    // expected-remark@+1 {{transfer from an unknown device to @dev_b: copy (unknown-device: a device that uses it is not known)}}
    %moved = stream.async.transfer %source : !any{%c256} -> to(#b) !any{%c256}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#b) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // The result has a lifetime, and the source has none.
  // CHECK-LABEL: @other_type
  util.func public @other_type() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (type-mismatch: source and result have different resource types)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !external{%c256}
    %view = stream.tensor.export on(#b) %moved : tensor<64xf32> in !external{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // The result is larger.
  // CHECK-LABEL: @other_size
  util.func public @other_size() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c320 = arith.constant 320 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (type-mismatch: source and result have different resource types)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c320}
    %view = stream.tensor.export on(#b) %moved : tensor<80xf32> in !any{%c320} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

}
