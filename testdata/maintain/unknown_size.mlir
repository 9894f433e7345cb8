// Memory of which the size isn't known: maintenance begins with a line, and goes no further than the access, behind which the
// memory may end.
//
// RUN: stream-zc-opt --zc-maintain-coherence --verify-translation --topology=%S/Inputs/both.json %s | FileCheck %s

module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  // CHECK-LABEL: @unknown_size
  util.func public @unknown_size(%x: !stream.resource<external>, %ready: !stream.timepoint, %n: index) -> !stream.timepoint {
    %c8 = arith.constant 8 : index
    %c72 = arith.constant 72 : index
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
    // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_b>) %{{.+}}[%c64 for %c16]
    // CHECK: stream.cmd.flush to(#hal.device.affinity<@dev_b>) %{{.+}}[%c64 for %c16]
    %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<external>{%n}) {
      stream.cmd.dispatch @ex::@w { rw %a[%c72 for %c8] : !stream.resource<external>{%n} }
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
    // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %{{.+}}[%c64 for %c16]
    %done = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %b: !stream.resource<external>{%n}) {
      stream.cmd.dispatch @ex::@r { ro %b[%c72 for %c8] : !stream.resource<external>{%n} }
    } => !stream.timepoint
    util.return %done : !stream.timepoint
  }
}
