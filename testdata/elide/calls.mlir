// Values that go through calls: a callee of this module is looked into; one that isn't seen may do anything.
//
// RUN: stream-zc-opt --zc-elide-transfers=remarks --verify-diagnostics %s | FileCheck %s

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!any = !stream.resource<*>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // CHECK-LABEL: @seen
  util.func public @seen() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %called = util.call @callee(%used) : (!any) -> !any
    %view = stream.tensor.export on(#b) %called : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  util.func private @callee(%x: !any) -> !any {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %used = stream.async.dispatch on(#b) @ex::@run(%x[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    util.return %used : !any
  }

  // The result is handed to a callee that uses it on b.
  // CHECK-LABEL: @argument
  util.func public @argument() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %called = util.call @callee(%moved) : (!any) -> !any
    %view = stream.tensor.export on(#b) %called : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // A callee that isn't in the module.
  // CHECK-LABEL: @not_seen
  util.func public @not_seen() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (unsupported-use: a use of the source or the result is not understood; util.call)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %called = util.call @elsewhere(%moved) : (!any) -> !any
    %view = stream.tensor.export on(#b) %called : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // Source and result both go to one callee, which would free one value twice.
  // CHECK-LABEL: @both_names
  util.func public @both_names() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (unsupported-use: a use of the source or the result is not understood; util.call)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %called = util.call @two(%made, %moved) : (!any, !any) -> !any
    %view = stream.tensor.export on(#b) %called : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  util.func private @two(%x: !any, %y: !any) -> !any {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %used = stream.async.dispatch on(#b) @ex::@run(%x[%c0 to %c256 for %c256], %y[%c0 to %c256 for %c256]) : (!any{%c256}, !any{%c256}) -> !any{%c256}
    util.return %used : !any
  }
  util.func private @elsewhere(!any) -> !any

  // Arguments of a function that others may call are theirs, and who writes them isn't known.
  // CHECK-LABEL: @public_argument
  util.func public @public_argument(%x: !any) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    // CHECK: stream.async.transfer
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (unknown-device: a device that uses it is not known)}}
    %moved = stream.async.transfer %x : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#b) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // And so is what it returns: whoever gets it may use it anywhere.
  // CHECK-LABEL: @public_result
  util.func public @public_result() -> !any {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // CHECK: stream.async.transfer
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (unknown-device: a device that uses it is not known)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    util.return %moved : !any
  }
}
