// A flush that is missing, short or misplaced, and the nearest twins.
//
// RUN: stream-zc-opt --zc-verify-coherence --split-input-file --verify-diagnostics --topology=%S/Inputs/both.json %s -o /dev/null

// What was written may still be in its cache.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @no_flush(%ready: !stream.timepoint) -> !stream.timepoint {
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
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
    // expected-error @below {{no flush on @dev_a between them}}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Flush by the writer, then invalidate by the reader.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @hand_off(%ready: !stream.timepoint) -> !stream.timepoint {
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
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Half of it.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @short_flush(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c0 for %c128] : !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
    // expected-error @below {{is short: it covers [0 for 128] only}}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Two halves are the whole.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @two_flushes(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c0 for %c128] : !stream.resource<transient>{%c256}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c128 for %c128] : !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Before the write it is of no use.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @early_flush(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
    // expected-error @below {{missing flush: 'stream.cmd.dispatch' on @dev_b reads [0 for 256]}}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// The reader does not wait for the flush.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @unordered_flush(%ready: !stream.timepoint) -> !stream.timepoint {
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
  %flushed = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
    // expected-error @below {{is misplaced: it doesn't come between them}}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  %last = stream.timepoint.join max(%flushed, %read) => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// A later region of the writer may flush.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @later_flush(%ready: !stream.timepoint) -> !stream.timepoint {
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
  %flushed = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%flushed) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Caches know lines: 32 bytes are one.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @whole_lines(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c32] : i32 -> !stream.resource<transient>{%c256}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c0 for %c32] : !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c32] : !stream.resource<transient>{%c256}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c32] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}
