// A reader that may have something older in its cache, and its nearest twins.
//
// RUN: stream-zc-opt --zc-verify-coherence --split-input-file --verify-diagnostics --topology=%S/Inputs/both.json %s -o /dev/null

// The reader may have an older line.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @no_invalidate(%ready: !stream.timepoint) -> !stream.timepoint {
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
    // expected-error @below {{stale read: 'stream.cmd.dispatch' on @dev_b reads [0 for 256] of the memory of}}
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
util.func public @short_invalidate(%ready: !stream.timepoint) -> !stream.timepoint {
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
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c128] : !stream.resource<transient>{%c256}
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
util.func public @two_halves(%ready: !stream.timepoint) -> !stream.timepoint {
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
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c128] : !stream.resource<transient>{%c256}
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c128 for %c128] : !stream.resource<transient>{%c256}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// The invalidate comes before the write.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @early_invalidate(%ready: !stream.timepoint) -> !stream.timepoint {
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
  %early = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %both = stream.timepoint.join max(%made, %early) => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%both) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    // expected-error @below {{no invalidate on @dev_b between them}}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// An earlier region of the reader may do it.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @earlier_region(%ready: !stream.timepoint) -> !stream.timepoint {
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
  %early = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%early) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// After the read it is too late.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @late_invalidate(%ready: !stream.timepoint) -> !stream.timepoint {
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
    // expected-error @below {{stale read}}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// No maintenance on one device.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @same_device(%ready: !stream.timepoint) -> !stream.timepoint {
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
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}
