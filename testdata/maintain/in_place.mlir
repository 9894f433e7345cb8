// An update in place by the consumer: it takes the value over, and its own write goes back; a plain overwrite needs no
// invalidate, but the old owner's flush.
//
// RUN: stream-zc-opt --zc-maintain-coherence --topology=%S/Inputs/both.json --split-input-file %s | FileCheck %s

module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  // CHECK-LABEL: @update
  util.func public @update(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c0_i32 = arith.constant 0 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
    // CHECK: stream.cmd.fill
    // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_b>)
    %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c256}) {
      stream.cmd.fill %c0_i32, %a[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
    // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>)
    // CHECK-NEXT: stream.cmd.dispatch
    // CHECK-NEXT: rw
    // CHECK-NEXT: {{^ *[}]}}
    // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_a>)
    %b = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %a: !stream.resource<transient>{%c256}) {
      stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c256] : !stream.resource<transient>{%c256} }
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
    // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_b>)
    %done = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%b) => with(%x as %a: !stream.resource<transient>{%c256}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c256] : !stream.resource<transient>{%c256} }
    } => !stream.timepoint
    util.return %done : !stream.timepoint
  }
}

// -----

module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  // CHECK-LABEL: @overwrite
  util.func public @overwrite(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c0_i32 = arith.constant 0 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
    // A's dirty lines must not land on top of what B writes.
    // CHECK: stream.cmd.fill
    // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_b>)
    %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c256}) {
      stream.cmd.fill %c0_i32, %a[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
    } => !stream.timepoint
    // Nobody but B uses what B writes.
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
    // CHECK-NEXT: stream.cmd.dispatch
    // CHECK-NOT: stream.cmd.flush
    // CHECK: util.return
    %b = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %a: !stream.resource<transient>{%c256}) {
      stream.cmd.dispatch @ex::@write { wo %a[%c0 for %c256] : !stream.resource<transient>{%c256} }
    } => !stream.timepoint
    %done = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%b) => with(%x as %a: !stream.resource<transient>{%c256}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c256] : !stream.resource<transient>{%c256} }
    } => !stream.timepoint
    util.return %done : !stream.timepoint
  }
}
