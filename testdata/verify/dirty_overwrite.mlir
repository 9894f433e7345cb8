// Dirty lines that may land on top of a newer write, and the nearest twins.
//
// RUN: stream-zc-opt --zc-verify-coherence --split-input-file --verify-diagnostics --topology=%S/Inputs/both.json %s -o /dev/null

// A's dirty lines may be written back over B's.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @dirty_overwrite(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    // expected-error @below {{dirty overwrite: 'stream.cmd.fill' on @dev_b overwrites [0 for 256]}}
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Flushed before.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @flushed_before(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Different bytes of one cache line, unordered.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @shared_line(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c32] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %two = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    // expected-error @below {{dirty overwrite: 'stream.cmd.fill' on @dev_b shares the cache line}}
    stream.cmd.fill %p, %x_in[%c32 for %c32] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.timepoint.join max(%one, %two) => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Each its own line.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @own_lines(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c64] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %two = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c64 for %c64] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.timepoint.join max(%one, %two) => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// The invalidate takes away what its own device has not flushed.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @dropped(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c64] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%one) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    // expected-error @below {{misplaced invalidate: 'stream.cmd.invalidate' on @dev_a drops [0 for 64]}}
    stream.cmd.invalidate from(#hal.device.affinity<@dev_b>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}
