// A reads one half of a cache line while B may still write the other: that A invalidated the line for the one half says nothing
// of the other, which A reads later.
//
// RUN: stream-zc-opt --zc-maintain-coherence --verify-translation --topology=%S/Inputs/both.json %s | FileCheck %s

module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  // CHECK-LABEL: @line_neighbors
  util.func public @line_neighbors(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %c0_i32 = arith.constant 0 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
    %whole = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%x_ready) => with(%x as %b: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %c0_i32, %b[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %first = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%whole) => with(%x as %b: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@f { rw %b[%c0 for %c32] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
    // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_b>) %{{.+}}[%c0 for %c64]
    // CHECK-NEXT: stream.cmd.dispatch
    // CHECK-NEXT: ro %{{.+}}[%c32 for %c32]
    %second = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%whole) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@g { ro %a[%c32 for %c32] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    %both = stream.timepoint.join max(%first, %second) => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
    // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_b>) %{{.+}}[%c0 for %c64]
    // CHECK-NEXT: stream.cmd.dispatch
    // CHECK-NEXT: ro %{{.+}}[%c0 for %c32]
    %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%both) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@g { ro %a[%c0 for %c32] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    util.return %last : !stream.timepoint
  }
}
