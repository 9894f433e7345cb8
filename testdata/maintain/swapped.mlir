// A loop swaps two memories, so that behind it either may be the one that A reads: B flushes both, though the flush of one takes the
// same lines of the other's.
//
// RUN: stream-zc-opt --zc-maintain-coherence --verify-translation --topology=%S/Inputs/both.json %s | FileCheck %s

module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  // CHECK-LABEL: @swapped
  util.func public @swapped(%ready: !stream.timepoint, %n: i32) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c0_i32 = arith.constant 0 : i32
    %c1_i32 = arith.constant 1 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
    %y, %y_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
    %both = stream.timepoint.join max(%x_ready, %y_ready) => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%{{.+}}) => with(%{{.+}} as %[[X:.+]]: !stream.resource<transient>{%c64}, %{{.+}} as %[[Y:.+]]: !stream.resource<transient>{%c64})
    // CHECK: stream.cmd.flush to(#hal.device.affinity<@dev_a>) %[[X]][%c0 for %c64]
    // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_a>) %[[Y]][%c0 for %c64]
    %made = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%both) => with(%x as %a: !stream.resource<transient>{%c64}, %y as %b: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@w { wo %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
      stream.cmd.dispatch @ex::@w2 { wo %b[%c0 for %c64] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    cf.br ^head(%c0_i32, %x, %y : i32, !stream.resource<transient>, !stream.resource<transient>)
  ^head(%i: i32, %m: !stream.resource<transient>, %o: !stream.resource<transient>):
    %more = arith.cmpi slt, %i, %n : i32
    cf.cond_br %more, ^body, ^exit
  ^body:
    %next = arith.addi %i, %c1_i32 : i32
    cf.br ^head(%next, %o, %m : i32, !stream.resource<transient>, !stream.resource<transient>)
  ^exit:
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
    // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_b>) %{{.+}}[%c0 for %c64]
    %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%m as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    util.return %read : !stream.timepoint
  }
}
