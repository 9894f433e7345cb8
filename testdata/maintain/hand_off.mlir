// A value of A's that B reads and answers: each direction is maintained by itself, and none that the link keeps coherent.
//
// RUN: stream-zc-opt --zc-maintain-coherence --topology=%S/Inputs/both.json %s | FileCheck %s --check-prefixes=CHECK,AB,BA
// RUN: stream-zc-opt --zc-maintain-coherence --topology=%S/Inputs/a-to-b.json %s | FileCheck %s --check-prefixes=CHECK,AB,NOBA
// RUN: stream-zc-opt --zc-maintain-coherence --topology=%S/Inputs/b-to-a.json %s | FileCheck %s --check-prefixes=CHECK,NOAB,BA
// RUN: stream-zc-opt --zc-maintain-coherence --topology=%S/Inputs/coherent.json %s | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: stream-zc-opt --zc-maintain-coherence --topology=%S/Inputs/discrete.json %s | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: stream-zc-opt --zc-maintain-coherence %s | FileCheck %s --check-prefixes=CHECK,NONE
// RUN: stream-zc-opt --zc-maintain-coherence --topology=%S/Inputs/both.json %s -o %t.once
// RUN: stream-zc-opt --zc-maintain-coherence %t.once -o %t.twice
// RUN: diff %t.once %t.twice

module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  // CHECK-LABEL: @hand_off
  // NONE-NOT: stream.cmd.{{flush|invalidate}}
  util.func public @hand_off(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c0_i32 = arith.constant 0 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
    // CHECK-SAME: as %[[X:.+]]: !stream.resource<transient>
    // CHECK-NEXT: stream.cmd.fill
    // AB-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_b>) %[[X]][%c0 for %c256]
    // NOAB-NOT: stream.cmd.flush
    // CHECK-NEXT: {{^ *[}]}} => !stream.timepoint
    %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c256}) {
      stream.cmd.fill %c0_i32, %a[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
    } => !stream.timepoint
    %y, %y_ready = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%made) => !stream.resource<transient>{%c256} => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
    // CHECK-SAME: as %[[BX:.+]]: !stream.resource<transient>{%c256}, %{{.+}} as %[[BY:.+]]: !stream.resource<transient>
    // AB-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %[[BX]][%c0 for %c256]
    // NOAB-NOT: stream.cmd.invalidate
    // CHECK-NEXT: stream.cmd.dispatch
    // CHECK: {{^ *[}]$}}
    // BA-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_a>) %[[BY]][%c0 for %c256]
    // NOBA-NOT: stream.cmd.flush
    // CHECK: {{^ *[}]}} => !stream.timepoint
    %worked = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%y_ready) => with(%x as %bx: !stream.resource<transient>{%c256}, %y as %by: !stream.resource<transient>{%c256}) {
      stream.cmd.dispatch @ex::@f {
        ro %bx[%c0 for %c256] : !stream.resource<transient>{%c256},
        wo %by[%c0 for %c256] : !stream.resource<transient>{%c256}
      }
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
    // CHECK-SAME: as %[[AX:.+]]: !stream.resource<transient>{%c256}, %{{.+}} as %[[AY:.+]]: !stream.resource<transient>
    // BA-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_b>) %[[AY]][%c0 for %c256]
    // NOBA-NOT: stream.cmd.invalidate
    // CHECK-NEXT: stream.cmd.dispatch
    %done = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%worked) => with(%x as %ax: !stream.resource<transient>{%c256}, %y as %ay: !stream.resource<transient>{%c256}) {
      stream.cmd.dispatch @ex::@g {
        ro %ax[%c0 for %c256] : !stream.resource<transient>{%c256},
        ro %ay[%c0 for %c256] : !stream.resource<transient>{%c256}
      }
    } => !stream.timepoint
    util.return %done : !stream.timepoint
  }
}
