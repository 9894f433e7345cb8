// Without a topology nothing changes: not even the print.
//
// RUN: stream-zc-opt --zc-elide-transfers=remarks %s -o %t.out
// RUN: stream-zc-opt --no-default-pipeline %s | diff - %t.out

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!any = !stream.resource<*>

module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  util.func public @unchanged() -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source = stream.async.splat on(#a) %value : i32 -> !any{%c256}
    %made = stream.async.dispatch on(#a) @ex::@run(%source[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %moved = stream.async.transfer %made : !any{%c256} from(#a) -> to(#b) !any{%c256}
    %used = stream.async.dispatch on(#b) @ex::@run(%moved[%c0 to %c256 for %c256]) : (!any{%c256}) -> !any{%c256}
    %view = stream.tensor.export on(#b) %used : tensor<64xf32> in !any{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

}
