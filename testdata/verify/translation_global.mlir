// What a function leaves in a global is what it did last, also where the input's timepoint waits for less: here it covers
// both updates. With another second update the global differs.
//
// RUN: stream-zc-opt --no-default-pipeline --verify-against=%S/Inputs/global_left.mlir %s -o /dev/null 2>&1 | FileCheck %s --allow-empty --check-prefix=SILENT
// RUN: sed 's/update(%n/update(%m/' %s > %t.mlir
// RUN: not stream-zc-opt --no-default-pipeline --verify-against=%S/Inputs/global_left.mlir %t.mlir -o /dev/null 2>&1 | FileCheck %s
// SILENT-NOT: {{.}}
//
// CHECK: error: translation: global @g in 'f' hangs on operand 0 of dispatch [@ex::@update], which is argument 0, but was argument 1 before
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
  util.global.store %second, @g__timepoint : !stream.timepoint
  util.return
}
}
