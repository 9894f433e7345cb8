// In-place updates. On unrefined resources IREE's copy-on-write comes later and puts a clone where one name's update would reach the other:
// updates are no reason to copy. Once lifetimes are refined, it has been there: then the transfer is what protects.
//
// RUN: stream-zc-opt --zc-elide-transfers=remarks --verify-diagnostics %s | FileCheck %s

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!any = !stream.resource<*>
!transient = !stream.resource<transient>
!external = !stream.resource<external>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // The result is updated, and the source read later.
  // CHECK-LABEL: @result_updated
  util.func public @result_updated() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> %moved{%c256}
    %again = stream.async.dispatch on(#a) @ex::@run(%made[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %both = stream.async.dispatch on(#b) @ex::@run(%used[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#b) %both : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // The same with lifetimes.
  // CHECK-LABEL: @refined_result_updated
  util.func public @refined_result_updated(%other: i32) -> !external {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !transient{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (source-overwritten: the source is written while the result is still in use; stream.async.fill)}}
    %moved = stream.async.transfer %source : !transient{%c256} from(#a) -> to(#b) !transient{%c256}
    %filled = stream.async.fill on(#b) %other, %moved[%c0 to %c256 for %c256] : i32 -> %moved as !transient{%c256}
    %again = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256], %filled[%c0 to %c256 for %c256]) : (!transient{%c256}, !transient{%c256}) -> !external{%c256}
    util.return %again : !external
  }

  // Nothing is updated.
  // CHECK-LABEL: @refined_read_only
  util.func private @refined_read_only() -> !external {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !transient{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
    %moved = stream.async.transfer %source : !transient{%c256} from(#a) -> to(#b) !transient{%c256}
    %again = stream.async.dispatch on(#b) @ex::@run(%source[%c0 to %c256 for %c256], %moved[%c0 to %c256 for %c256]) : (!transient{%c256}, !transient{%c256}) -> !external{%c256}
    util.return %again : !external
  }

}
