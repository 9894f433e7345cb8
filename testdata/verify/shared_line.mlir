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
