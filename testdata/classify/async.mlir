// On async IR the transfers get them. Nothing is elided yet.
//
// RUN: stream-zc-opt --zc-classify-transfers=remarks --verify-diagnostics %s | FileCheck %s
// RUN: stream-zc-opt --zc-classify-transfers %s -o %t.once
// RUN: stream-zc-opt --zc-classify-transfers %t.once | diff %t.once -
// RUN: stream-zc-opt --zc-classify-transfers --zc-elide-transfers %s -o %t.two
// RUN: stream-zc-opt --zc-elide-transfers %s | diff - %t.two

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
#c = #hal.device.affinity<@dev_c>
!any = !stream.resource<*>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device

  // CHECK-LABEL: @alias
  util.func public @alias() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.async.transfer {{.+}} attributes {zc.decision = "alias", zc.reason = "shared-memory"}
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#b) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // CHECK-LABEL: @copy
  util.func public @copy() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.async.transfer {{.+}} attributes {zc.decision = "copy", zc.reason = "discrete-link"}
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_c: copy (discrete-link: the topology declares no shared memory; @dev_a -> @dev_c)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#c) !any{%c256}
    %used = stream.async.dispatch on(#c) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#c) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

}
