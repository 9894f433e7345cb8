// Places that aren't known: what may share a cache line with what another device wrote, and what may not.
//
// RUN: stream-zc-opt --zc-maintain-coherence --verify-translation --topology=%S/Inputs/both.json %s | FileCheck %s
// RUN: stream-zc-opt --zc-maintain-coherence --verify-translation --topology=%S/Inputs/a-to-b.json %s | FileCheck %s --check-prefix=THERE

module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // B's write may begin amid a line that B has from before A's last write: without the invalidate it would put the old rest
  // of the line back.
  // CHECK-LABEL: @part_of_a_line
  // CHECK: stream.cmd.dispatch @ex::@g
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %{{.+}}[%[[K:.+]] for %c64]
  // CHECK-NEXT: stream.cmd.fill %{{.+}}[%[[K]] for %c64]
  // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_a>) %{{.+}}[%[[K]] for %c64]
  util.func public @part_of_a_line(%ready: !stream.timepoint, %k: index) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %c0_i32 = arith.constant 0 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
    %m0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c256}) {
      stream.cmd.fill %c0_i32, %a[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
    } => !stream.timepoint
    %m1 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%m0) => with(%x as %a: !stream.resource<transient>{%c256}) {
      stream.cmd.dispatch @ex::@f {
        ro %a[%c0 for %c64] : !stream.resource<transient>{%c256}
      }
    } => !stream.timepoint
    %m2 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%m1) => with(%x as %a: !stream.resource<transient>{%c256}) {
      stream.cmd.dispatch @ex::@g {
        rw %a[%c0 for %c64] : !stream.resource<transient>{%c256}
      }
    } => !stream.timepoint
    %m3 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%m2) => with(%x as %a: !stream.resource<transient>{%c256}) {
      stream.cmd.fill %c0_i32, %a[%k for %c64] : i32 -> !stream.resource<transient>{%c256}
    } => !stream.timepoint
    %m4 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%m3) => with(%x as %a: !stream.resource<transient>{%c256}) {
      stream.cmd.dispatch @ex::@f {
        ro %a[%c0 for %c64] : !stream.resource<transient>{%c256}
      }
    } => !stream.timepoint
    util.return %m4 : !stream.timepoint
  }

  // A multiple of the line: a write covers whole lines, and needs nothing of what was there. What the region reads it has just
  // written, whatever A wrote where: an invalidate before that would drop B's first write, which nothing flushed.
  // CHECK-LABEL: @whole_lines
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%{{.+}}) => with(%{{.+}} as %{{.+}}: !stream.resource<transient>{%c1024}) {
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  // CHECK-NEXT: stream.cmd.fill
  // CHECK-NEXT: stream.cmd.dispatch
  // THERE-LABEL: @whole_lines
  // THERE-NOT: stream.cmd.invalidate
  util.func public @whole_lines(%ready: !stream.timepoint, %k: index, %j: index) -> !stream.timepoint {
    %c64 = arith.constant 64 : index
    %c1024 = arith.constant 1024 : index
    %c0_i32 = arith.constant 0 : i32
    %k64 = arith.muli %k, %c64 : index
    %j64 = arith.muli %j, %c64 : index
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%ready) => !stream.resource<transient>{%c1024} => !stream.timepoint
    %m0 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c1024}) {
      stream.cmd.fill %c0_i32, %a[%k64 for %c64] : i32 -> !stream.resource<transient>{%c1024}
    } => !stream.timepoint
    %m1 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%m0) => with(%x as %a: !stream.resource<transient>{%c1024}) {
      stream.cmd.fill %c0_i32, %a[%j64 for %c64] : i32 -> !stream.resource<transient>{%c1024}
    } => !stream.timepoint
    %m3 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%m1) => with(%x as %a: !stream.resource<transient>{%c1024}) {
      stream.cmd.fill %c0_i32, %a[%k64 for %c64] : i32 -> !stream.resource<transient>{%c1024}
      stream.cmd.dispatch @ex::@f {
        ro %a[%k64 for %c64] : !stream.resource<transient>{%c1024}
      }
    } => !stream.timepoint
    util.return %m3 : !stream.timepoint
  }

  // Slices of a slab, the second at the rounded end of the first: they share no line.
  // CHECK-LABEL: @slab
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
  // CHECK-NEXT: stream.cmd.fill
  // CHECK-NEXT: {{^ *[}]}} => !stream.timepoint
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  // CHECK-NEXT: stream.cmd.fill
  // CHECK-NEXT: {{^ *[}]}} => !stream.timepoint
  util.func public @slab(%ready: !stream.timepoint, %n: index) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c0_i32 = arith.constant 0 : i32
    %first = util.align %n, %c64 : index
    %size = arith.addi %first, %n : index
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%ready) => !stream.resource<transient>{%size} => !stream.timepoint
    %a_done = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%size}) {
      stream.cmd.fill %c0_i32, %a[%c0 for %n] : i32 -> !stream.resource<transient>{%size}
    } => !stream.timepoint
    %b_done = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%a_done) => with(%x as %a: !stream.resource<transient>{%size}) {
      stream.cmd.fill %c0_i32, %a[%first for %n] : i32 -> !stream.resource<transient>{%size}
    } => !stream.timepoint
    util.return %b_done : !stream.timepoint
  }
}
