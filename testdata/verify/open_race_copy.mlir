// Whether a fill at an unknown offset meets the one beside it: in one region, as in the input, it doesn't where the input is right. What
// nothing orders between two regions stays a race, whether the input has it or not: a pipeline is to order these.
//
// RUN: stream-zc-opt --no-default-pipeline --verify-translation %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not stream-zc-opt --zc-verify-coherence %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: sed s/concurrent/serial/ %s > %t.serial.mlir
// RUN: not stream-zc-opt --no-default-pipeline --verify-against=%t.serial.mlir %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOST
// RUN: sed 's/%ready) => with/%x_ready) => with/' %s > %t.apart.mlir
// RUN: not stream-zc-opt --no-default-pipeline --verify-translation %t.apart.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=APART

// SAME-NOT: error
// SAME: remark: unknown: race: 'stream.cmd.fill' on @dev_a writes [256 for 64]
// SAME-SAME: nothing orders them, in the input neither, and nothing bounds the offset
// SAME-NOT: error
// ALONE: error: race: 'stream.cmd.fill' on @dev_a writes [256 for 64]
// LOST: error: race: 'stream.cmd.fill' on @dev_a writes
// APART: error: race: 'stream.cmd.fill' on @dev_a writes [0 for 64]
module {
util.global private @dev_a : !hal.device
util.func public @f(%given: !stream.timepoint, %k: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %c320 = arith.constant 320 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%given) => !stream.resource<transient>{%c320} => !stream.timepoint
  %ready = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c320}) {
    stream.cmd.concurrent {
      stream.cmd.fill %p, %x_in[%k for %c64] : i32 -> !stream.resource<transient>{%c320} loc("anywhere")
      stream.cmd.fill %p, %x_in[%c256 for %c64] : i32 -> !stream.resource<transient>{%c320} loc("fill")
    }
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %x_in: !stream.resource<transient>{%c320}) {
    stream.cmd.fill %p, %x_in[%c0 for %c64] : i32 -> !stream.resource<transient>{%c320} loc("next")
  } => !stream.timepoint
  %both = stream.timepoint.join max(%ready, %last) => !stream.timepoint
  util.return %both : !stream.timepoint
}
}
