// What counts is bytes where something is read, lines where something is written.
//
// RUN: stream-zc-opt --zc-maintain-coherence --topology=%S/Inputs/both.json %s | FileCheck %s

module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // B reads none of what A writes last, though that lies in a line which B reads.
  // CHECK-LABEL: @neighbour
  // CHECK: stream.cmd.fill
  // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_b>) %{{.+}}[%c0 for %c64]
  // CHECK-NEXT: {{[}]}} => !stream.timepoint
  // CHECK: stream.cmd.fill
  // CHECK-NOT: flush
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  // CHECK-NEXT: stream.cmd.invalidate
  util.func public @neighbour(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 7 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
    %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c0 for %c32] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %two = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%one) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c32 for %c32] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%two) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c32] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    util.return %read : !stream.timepoint
  }

  // B writes all that A wrote there: the rest of the line is as it was, so that B's cache holds nothing older. A's line
  // must not come back on top of it.
  // CHECK-LABEL: @overwritten
  // CHECK: stream.cmd.fill
  // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_b>)
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  // CHECK-NEXT: stream.cmd.fill
  // CHECK-NEXT: {{[}]}} => !stream.timepoint
  util.func public @overwritten(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c16 = arith.constant 16 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 7 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
    %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c0 for %c16] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %two = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%one) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c0 for %c16] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return %two : !stream.timepoint
  }

  // A's second flush takes the line with all that A wrote in it.
  // CHECK-LABEL: @one_flush
  // CHECK-NOT: flush
  // CHECK: stream.cmd.fill
  // CHECK-NOT: flush
  // CHECK: stream.cmd.fill
  // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_b>) %{{.+}}[%c0 for %c64]
  // CHECK-NOT: flush
  util.func public @one_flush(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 7 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
    %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c0 for %c32] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %two = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%one) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c32 for %c32] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%two) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    util.return %read : !stream.timepoint
  }

  // The reader doesn't wait for the second flush.
  // CHECK-LABEL: @two_flushes
  // CHECK: stream.cmd.fill
  // CHECK-NEXT: stream.cmd.flush
  // CHECK: stream.cmd.fill
  // CHECK-NEXT: stream.cmd.flush
  util.func public @two_flushes(%ready: !stream.timepoint) -> (!stream.timepoint, !stream.timepoint) {
    %c0 = arith.constant 0 : index
    %c32 = arith.constant 32 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 7 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
    %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c0 for %c32] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %two = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%one) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c32 for %c32] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%one) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c32] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    %read_2 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%two) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c32 for %c32] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    util.return %read, %read_2 : !stream.timepoint, !stream.timepoint
  }

  // Slices of a slab whose sizes aren't known: the second begins with a line of its own.
  // CHECK-LABEL: @slab
  // CHECK: stream.cmd.fill
  // CHECK-NEXT: stream.cmd.fill
  // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_b>) %{{.+}}[%c0 for %arg1]
  // CHECK-NEXT: {{[}]}} => !stream.timepoint
  util.func public @slab(%ready: !stream.timepoint, %n: index) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 7 : i32
    %at = util.align %n, %c64 : index
    %size = arith.addi %at, %c64 : index
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%size} => !stream.timepoint
    %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%size}) {
      stream.cmd.fill %v, %a[%c0 for %n] : i32 -> !stream.resource<transient>{%size}
      stream.cmd.fill %v, %a[%at for %c64] : i32 -> !stream.resource<transient>{%size}
    } => !stream.timepoint
    %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%one) => with(%x as %a: !stream.resource<transient>{%size}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %n] : !stream.resource<transient>{%size} }
    } => !stream.timepoint
    util.return %read : !stream.timepoint
  }

  // Only a part of it is exported.
  // CHECK-LABEL: @exported_part
  // CHECK: stream.cmd.fill
  // CHECK: stream.cmd.flush to(#hal.device.affinity<@dev_b>) %{{.+}}[%c64 for %c64]
  // CHECK-NOT: flush
  util.func public @exported_part(%ready: !stream.timepoint, %fence: !hal.fence) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c192 = arith.constant 192 : index
    %c128 = arith.constant 128 : index
    %v = arith.constant 7 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c192} => !stream.timepoint
    %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<external>{%c192}) {
      stream.cmd.fill %v, %a[%c0 for %c64] : i32 -> !stream.resource<external>{%c192}
    } => !stream.timepoint
    %two = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%one) => with(%x as %a: !stream.resource<external>{%c192}) {
      stream.cmd.fill %v, %a[%c64 for %c64] : i32 -> !stream.resource<external>{%c192}
    } => !stream.timepoint
    %three = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%two) => with(%x as %a: !stream.resource<external>{%c192}) {
      stream.cmd.fill %v, %a[%c128 for %c64] : i32 -> !stream.resource<external>{%c192}
    } => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %three => (%fence : !hal.fence)
    %part = stream.resource.subview %x[%c64] : !stream.resource<external>{%c192} -> !stream.resource<external>{%c64}
    %out = stream.tensor.export on(#hal.device.affinity<@dev_b>) %part : tensor<16xi32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %out : !hal.buffer_view
  }
}
