// What the program of translation_global.mlir is compared with: the timepoint that it leaves doesn't cover the second
// update, but the next call means it.
module {
util.global private @dev_a : !hal.device
util.global private mutable @g__timepoint : !stream.timepoint
util.global private mutable @g : !stream.resource<variable>
util.func public @f(%m: i32, %n: i32) {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %t = util.global.load @g__timepoint : !stream.timepoint
  %x = util.global.load @g : !stream.resource<variable>
  %first = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%x as %x_in: !stream.resource<variable>{%c256}) {
    stream.cmd.dispatch @ex::@update(%m : i32) { rw %x_in[%c0 for %c256] : !stream.resource<variable>{%c256} }
  } => !stream.timepoint
  %second = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%first) => with(%x as %x_in: !stream.resource<variable>{%c256}) {
    stream.cmd.dispatch @ex::@update(%n : i32) { rw %x_in[%c0 for %c256] : !stream.resource<variable>{%c256} }
  } => !stream.timepoint
  util.global.store %x, @g : !stream.resource<variable>
  util.global.store %first, @g__timepoint : !stream.timepoint
  util.return
}
}
