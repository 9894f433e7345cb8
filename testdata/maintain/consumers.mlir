// Several consumers: one flush serves both; each consumer invalidates once, and again only where nothing orders its reads.
//
// RUN: stream-zc-opt --zc-maintain-coherence --topology=%S/Inputs/three.json %s | FileCheck %s

module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  // CHECK-LABEL: @two_devices
  util.func public @two_devices(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c0_i32 = arith.constant 0 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
    // CHECK: stream.cmd.fill
    // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_b>)
    // CHECK-NEXT: {{^ *[}]}}
    %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c256}) {
      stream.cmd.fill %c0_i32, %a[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
    // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>)
    // CHECK-NEXT: stream.cmd.dispatch @ex::@b1
    %b1 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %a: !stream.resource<transient>{%c256}) {
      stream.cmd.dispatch @ex::@b1 { ro %a[%c0 for %c256] : !stream.resource<transient>{%c256} }
    } => !stream.timepoint
    // After b1, and nothing was written since: B sees it still.
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
    // CHECK-NEXT: stream.cmd.dispatch @ex::@b2
    %b2 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%b1) => with(%x as %a: !stream.resource<transient>{%c256}) {
      stream.cmd.dispatch @ex::@b2 { ro %a[%c0 for %c256] : !stream.resource<transient>{%c256} }
    } => !stream.timepoint
    // Not after b1 by any timepoint: it could run first.
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
    // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>)
    // CHECK-NEXT: stream.cmd.dispatch @ex::@b3
    %b3 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %a: !stream.resource<transient>{%c256}) {
      stream.cmd.dispatch @ex::@b3 { ro %a[%c0 for %c256] : !stream.resource<transient>{%c256} }
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_c>)
    // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>)
    // CHECK-NEXT: stream.cmd.dispatch @ex::@c1
    %c1 = stream.cmd.execute on(#hal.device.affinity<@dev_c>) await(%made) => with(%x as %a: !stream.resource<transient>{%c256}) {
      stream.cmd.dispatch @ex::@c1 { ro %a[%c0 for %c256] : !stream.resource<transient>{%c256} }
    } => !stream.timepoint
    %all = stream.timepoint.join max(%b2, %b3, %c1) => !stream.timepoint
    util.return %all : !stream.timepoint
  }
}
