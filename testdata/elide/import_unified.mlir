// Unified memory says where an allocation of ours can be, not where the caller's is; --assume-shareable-imports says that of imports.
//
// RUN: stream-zc-opt --zc-elide-transfers=remarks --verify-diagnostics %s | FileCheck %s
// RUN: stream-zc-opt --zc-elide-transfers=assume-shareable-imports=true %s | FileCheck %s --check-prefix=SHARED

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!any = !stream.resource<*>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // CHECK-LABEL: @read
  util.func public @read(%buffer: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    // SHARED-NOT: stream.async.transfer
    // CHECK: stream.async.transfer
    %import = stream.tensor.import on(#a) %buffer : !hal.buffer_view -> tensor<64xf32> in !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (import-not-shareable: the caller placed the buffer; stream.tensor.import)}}
    %moved = stream.async.transfer %import : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#b) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // Memory of our own.
  // CHECK-LABEL: @own
  util.func public @own() -> !hal.buffer_view {
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

}
