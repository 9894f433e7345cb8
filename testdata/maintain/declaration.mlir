// A function without a body: nothing to do there, and whoever calls it hands on what is flushed.
//
// RUN: stream-zc-opt --topology=%S/Inputs/both.json %s | FileCheck %s

module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  // CHECK: util.func private @elsewhere
  util.func private @elsewhere(!stream.resource<transient>, !stream.timepoint) -> !stream.timepoint
  // CHECK-LABEL: @calls
  util.func public @calls(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c0_i32 = arith.constant 0 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
    // CHECK: stream.cmd.fill
    // CHECK-NEXT: stream.cmd.call @__zc.flush_buffer
    %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    // CHECK: util.call @elsewhere
    %done = util.call @elsewhere(%x, %made) : (!stream.resource<transient>, !stream.timepoint) -> !stream.timepoint
    util.return %done : !stream.timepoint
  }
}
