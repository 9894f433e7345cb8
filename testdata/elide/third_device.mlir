// The decision is for all devices that may touch the storage, not link by link: a and b share memory, b and c do, a and c don't. A third
// device may come in by a chain, a loop, a branch, a call or a global.
//
// RUN: stream-zc-opt --zc-elide-transfers=remarks --verify-diagnostics %s | FileCheck %s

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
#c = #hal.device.affinity<@dev_c>
!any = !stream.resource<*>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true}, {coherent = true}),
  (@dev_b -> @dev_c = {unified_memory = true}, {coherent = true}),
  (@dev_c -> @dev_b = {unified_memory = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device

  // Only two devices.
  // CHECK-LABEL: @two
  util.func public @two() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#b) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // On from b to c: c can't read what a may own.
  // CHECK-LABEL: @chain
  util.func public @chain() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: %[[MADE:.+]] = stream.async.dispatch
    // CHECK: stream.async.dispatch on(#hal.device.affinity<@dev_b>) @ex::@run(%[[MADE]]
    // CHECK: stream.async.transfer %[[MADE]] {{.+}} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_c>)
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_b to @dev_c: copy (discrete-link: the topology declares no shared memory; @dev_a -> @dev_c)}}
    %far = stream.async.transfer %moved : !any{%c256} from(#b) -> to(#c) !any{%c256}
    %done = stream.async.dispatch on(#c) @ex::@run(%far[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#c) %done : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // c reads what the loop yields.
  // CHECK-LABEL: @loop
  util.func public @loop() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.async.transfer
    %c4 = arith.constant 4 : index
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %other = stream.async.splat on(#c) %value : i32 -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (discrete-link: the topology declares no shared memory; @dev_a -> @dev_c)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %looped = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %other) -> (!any) {
      %next = stream.async.dispatch on(#c) @ex::@run(%x[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
      scf.yield %moved : !any
    }
    %view = stream.tensor.export on(#b) %looped : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // c reads one of two values.
  // CHECK-LABEL: @select
  util.func public @select(%condition: i1) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %other = stream.async.splat on(#c) %value : i32 -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (discrete-link: the topology declares no shared memory; @dev_a -> @dev_c)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %either = arith.select %condition, %moved, %other : !any
    %used = stream.async.dispatch on(#c) @ex::@run(%either[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#c) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // c reads it in a function.
  // CHECK-LABEL: @call
  util.func public @call() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (discrete-link: the topology declares no shared memory; @dev_a -> @dev_c)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %called = util.call @on_c(%moved) : (!any) -> !any
    %view = stream.tensor.export on(#c) %called : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  util.func private @on_c(%x: !any) -> !any {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %used = stream.async.dispatch on(#c) @ex::@run(%x[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    util.return %used : !any
  }

  // c reads it through a global, in another function.
  // CHECK-LABEL: @global
  util.func public @global() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (discrete-link: the topology declares no shared memory; @dev_a -> @dev_c)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    util.global.store %moved, @shared : !any
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#b) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  util.func public @reads_global() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %x = util.global.load @shared : !any
    %used = stream.async.dispatch on(#c) @ex::@run(%x[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#c) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.global private mutable @shared : !any
}
