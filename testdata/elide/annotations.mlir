// A classification that says copy stays; the annotations go unless they are to be kept.
//
// RUN: stream-zc-opt --zc-elide-transfers %s | FileCheck %s
// RUN: stream-zc-opt --zc-elide-transfers=keep-annotations=true %s | FileCheck %s --check-prefix=KEEP

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!any = !stream.resource<*>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // CHECK-LABEL: @copy_stays
  util.func public @copy_stays() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.async.transfer {{.+}} to(#hal.device.affinity<@dev_b>) !stream.resource<*>{%c256}{{$}}
    // KEEP: stream.async.transfer {{.+}} attributes {zc.decision = "copy", zc.reason = "read-cost"}
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256} attributes {zc.decision = "copy", zc.reason = "read-cost"}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#b) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

}
