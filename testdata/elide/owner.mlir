// Without unified memory: the users of a value must all access the memory of one of them.
//
// RUN: stream-zc-opt --zc-elide-transfers=remarks --verify-diagnostics %s | FileCheck %s

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!any = !stream.resource<*>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_b -> @dev_a = {transparent_access = true}, {coherent = true}),
  (@dev_a -> @dev_b = {unified_memory = false}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // CHECK-LABEL: @reader_accesses
  util.func public @reader_accesses() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.async.transfer
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (transparent-access: all users access the owner's memory)}}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#b) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // The import is where a can't access it.
  // CHECK-LABEL: @import_of_reader
  util.func public @import_of_reader(%buffer: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    // CHECK: stream.async.transfer
    %import = stream.tensor.import on(#b) %buffer : !hal.buffer_view -> tensor<64xf32> in !any{%c256}
    // expected-remark@+1 {{transfer from @dev_b to @dev_a: copy (import-not-shareable: the caller placed the buffer; stream.tensor.import)}}
    %moved = stream.async.transfer %import : !any{%c256} from(#b) -> to(#a) !any{%c256}
    %used = stream.async.dispatch on(#a) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#a) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

}
