// Two devices write bytes of one cache line, in memory of which the size isn't known.
//
// RUN: stream-zc-opt --zc-verify-coherence --split-input-file --verify-diagnostics --topology=%S/Inputs/both.json %s -o /dev/null

// The line at 0 holds both ranges.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @one_line(%x: !stream.resource<external>, %ready: !stream.timepoint, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c48 = arith.constant 48 : index
  %c16 = arith.constant 16 : index
  %c48_0 = arith.constant 48 : index
  %p = arith.constant 1 : i32
  %first = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%x as %b: !stream.resource<external>{%n}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %b[%c48 for %c16] : !stream.resource<external>{%n}
    stream.cmd.fill %p, %b[%c48 for %c16] : i32 -> !stream.resource<external>{%n}
    stream.cmd.flush to(#hal.device.affinity<@dev_a>) %b[%c48 for %c16] : !stream.resource<external>{%n}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<external>{%n}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_b>) %a[%c0 for %c48_0] : !stream.resource<external>{%n}
    // expected-error @below {{dirty overwrite: 'stream.cmd.fill' on @dev_a shares the cache line of}}
    stream.cmd.fill %p, %a[%c0 for %c48_0] : i32 -> !stream.resource<external>{%n}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %a[%c0 for %c48_0] : !stream.resource<external>{%n}
  } => !stream.timepoint
  %both = stream.timepoint.join max(%first, %last) => !stream.timepoint
  util.return %both : !stream.timepoint
}
}

// -----

// The second range begins with a line.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @two_lines(%x: !stream.resource<external>, %ready: !stream.timepoint, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c16 = arith.constant 16 : index
  %c48_0 = arith.constant 48 : index
  %p = arith.constant 1 : i32
  %first = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%x as %b: !stream.resource<external>{%n}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %b[%c64 for %c16] : !stream.resource<external>{%n}
    stream.cmd.fill %p, %b[%c64 for %c16] : i32 -> !stream.resource<external>{%n}
    stream.cmd.flush to(#hal.device.affinity<@dev_a>) %b[%c64 for %c16] : !stream.resource<external>{%n}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<external>{%n}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_b>) %a[%c0 for %c48_0] : !stream.resource<external>{%n}
    stream.cmd.fill %p, %a[%c0 for %c48_0] : i32 -> !stream.resource<external>{%n}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %a[%c0 for %c48_0] : !stream.resource<external>{%n}
  } => !stream.timepoint
  %both = stream.timepoint.join max(%first, %last) => !stream.timepoint
  util.return %both : !stream.timepoint
}
}

// -----

// One device: the invalidate for the one half may drop what it just wrote to the other.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @one_device(%x: !stream.resource<external>, %ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %p = arith.constant 1 : i32
  %first = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<external>{%c64}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_b>) %a[%c0 for %c64] : !stream.resource<external>{%c64}
    stream.cmd.fill %p, %a[%c0 for %c32] : i32 -> !stream.resource<external>{%c64}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %a[%c0 for %c32] : !stream.resource<external>{%c64}
  } => !stream.timepoint
  %second = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<external>{%c64}) {
    // expected-error @below {{misplaced invalidate: 'stream.cmd.invalidate' on @dev_a may drop}}
    stream.cmd.invalidate from(#hal.device.affinity<@dev_b>) %a[%c32 for %c32] : !stream.resource<external>{%c64}
    stream.cmd.dispatch @ex::@r { ro %a[%c32 for %c32] : !stream.resource<external>{%c64} }
  } => !stream.timepoint
  %both = stream.timepoint.join max(%first, %second) => !stream.timepoint
  %third = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%both) => with(%x as %b: !stream.resource<external>{%c64}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %b[%c0 for %c64] : !stream.resource<external>{%c64}
    stream.cmd.dispatch @ex::@u { rw %b[%c0 for %c64] : !stream.resource<external>{%c64} }
    stream.cmd.flush to(#hal.device.affinity<@dev_a>) %b[%c0 for %c64] : !stream.resource<external>{%c64}
  } => !stream.timepoint
  util.return %third : !stream.timepoint
}
}

// -----

// It comes behind the flush. (Nobody needs it there.)
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @one_device_in_order(%x: !stream.resource<external>, %ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %p = arith.constant 1 : i32
  %first = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<external>{%c64}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_b>) %a[%c0 for %c64] : !stream.resource<external>{%c64}
    stream.cmd.fill %p, %a[%c0 for %c32] : i32 -> !stream.resource<external>{%c64}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %a[%c0 for %c32] : !stream.resource<external>{%c64}
  } => !stream.timepoint
  %second = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%first) => with(%x as %a: !stream.resource<external>{%c64}) {
    // expected-warning @below {{redundant maintenance}}
    stream.cmd.invalidate from(#hal.device.affinity<@dev_b>) %a[%c32 for %c32] : !stream.resource<external>{%c64}
    stream.cmd.dispatch @ex::@r { ro %a[%c32 for %c32] : !stream.resource<external>{%c64} }
  } => !stream.timepoint
  %both = stream.timepoint.join max(%first, %second) => !stream.timepoint
  %third = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%both) => with(%x as %b: !stream.resource<external>{%c64}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %b[%c0 for %c64] : !stream.resource<external>{%c64}
    stream.cmd.dispatch @ex::@u { rw %b[%c0 for %c64] : !stream.resource<external>{%c64} }
    stream.cmd.flush to(#hal.device.affinity<@dev_a>) %b[%c0 for %c64] : !stream.resource<external>{%c64}
  } => !stream.timepoint
  util.return %third : !stream.timepoint
}
}
