// What the user asks for: an explicit kind, a least size, a limit.
//
// RUN: stream-zc-opt --zc-elide-transfers="remarks=true min-alias-bytes=1000 limit=2" --verify-diagnostics %s | FileCheck %s

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!any = !stream.resource<*>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // CHECK-LABEL: @wants_copy
  util.func public @wants_copy() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (explicit-copy: zc.kind asks for a copy)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256} attributes {zc.kind = "copy"}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#b) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // CHECK-LABEL: @wants_alias
  util.func public @wants_alias() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (explicit-alias: zc.kind asks for an alias)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256} attributes {zc.kind = "alias"}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#b) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // CHECK-LABEL: @too_small
  util.func public @too_small() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (below-minimum-bytes: smaller than the least size to alias)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#b) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // CHECK-LABEL: @large_enough
  util.func public @large_enough() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c1024}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c1024 for %c1024]) : (!any{%c1024}) -> !any{%c1024}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
    %moved = stream.async.transfer %made : !any{%c1024} from(#a) -> to(#b) !any{%c1024}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c1024 for %c1024]) : (!any{%c1024}) -> !any{%c1024}
    %view = stream.tensor.export on(#b) %used : tensor<256xf32> in !any{%c1024} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // CHECK-LABEL: @behind_the_limit
  util.func public @behind_the_limit() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1024 = arith.constant 1024 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c1024}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c1024 for %c1024]) : (!any{%c1024}) -> !any{%c1024}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (limit-reached: zc-limit rewrites were applied)}}
    %moved = stream.async.transfer %made : !any{%c1024} from(#a) -> to(#b) !any{%c1024}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c1024 for %c1024]) : (!any{%c1024}) -> !any{%c1024}
    %view = stream.tensor.export on(#b) %used : tensor<256xf32> in !any{%c1024} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

}
