// Memory that the caller gave. Whoever else reads it must be able to access it where it is (transparent_access), and no in-place update may
// reach it; nor is a value put into storage that the caller gave for it.
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

  // CHECK-LABEL: @read
  util.func public @read(%buffer: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    // CHECK-NOT: stream.async.transfer
    %import = stream.tensor.import on(#a) %buffer : !hal.buffer_view -> tensor<64xf32> in !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
    %moved = stream.async.transfer %import : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#b) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // IREE would update the caller's buffer: it does not know that the import is the caller's.
  // CHECK-LABEL: @updated
  util.func public @updated(%buffer: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    // CHECK: stream.async.transfer
    %import = stream.tensor.import on(#a) %buffer : !hal.buffer_view -> tensor<64xf32> in !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (source-not-owned: an in-place update would write memory that the program doesn't own; stream.async.dispatch)}}
    %moved = stream.async.transfer %import : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> %moved{%c256}
    %view = stream.tensor.export on(#b) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // The update is of a value that the loop carries.
  // CHECK-LABEL: @updated_behind_a_loop
  util.func public @updated_behind_a_loop(%buffer: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    // CHECK: stream.async.transfer
    %c4 = arith.constant 4 : index
    %import = stream.tensor.import on(#a) %buffer : !hal.buffer_view -> tensor<64xf32> in !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (source-not-owned: an in-place update would write memory that the program doesn't own; stream.async.dispatch)}}
    %moved = stream.async.transfer %import : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %looped = scf.for %i = %c0 to %c4 step %c1 iter_args(%x = %moved) -> (!any) {
      %used = stream.async.dispatch on(#b) @ex::@run(%x[%c0 to %c256 for %c256]) : (!any{%c256}) -> %x{%c256}
      scf.yield %used : !any
    }
    %view = stream.tensor.export on(#b) %looped : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // Computed from the import, so not the import.
  // CHECK-LABEL: @copied_first
  util.func public @copied_first(%buffer: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    // CHECK-NOT: stream.async.transfer
    %import = stream.tensor.import on(#a) %buffer : !hal.buffer_view -> tensor<64xf32> in !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%import[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> %moved{%c256}
    %view = stream.tensor.export on(#b) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // Storage for a result (iree.abi.output): a copy into it is due anyway, and the transfer may be it.
  // CHECK-LABEL: @caller_storage
  util.func public @caller_storage(%buffer: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.async.transfer
    %storage = stream.tensor.import on(#b) %buffer : !hal.buffer_view -> tensor<64xf32> in !any{%c256}
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (caller-storage: the result goes to storage that the caller gave; stream.async.update)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %stored = stream.async.update on(#b) %moved, %storage[%c0 to %c256] : !any{%c256} -> %storage as !any{%c256}
    %view = stream.tensor.export on(#b) %stored : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

}
