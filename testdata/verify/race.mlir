// Accesses that no timepoint orders, and their nearest twins that one orders.
//
// RUN: stream-zc-opt --zc-verify-coherence --split-input-file --verify-diagnostics %s -o /dev/null

// Nothing orders the update behind the reader.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @war(%ready: !stream.timepoint) -> !stream.timepoint {
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
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  %over = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    // expected-error @below {{race: 'stream.cmd.fill' on @dev_a writes [0 for 256]}}
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.timepoint.join max(%over, %read) => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// The writer waits for the reader.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @war_ordered(%ready: !stream.timepoint) -> !stream.timepoint {
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
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  %over = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%read) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.timepoint.join max(%over, %read) => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// The reader waits for the allocation only.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @raw(%ready: !stream.timepoint) -> !stream.timepoint {
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
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    // expected-error @below {{use of undefined memory}}
    // expected-error @below {{race: 'stream.cmd.dispatch' on @dev_a reads [0 for 256]}}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  %last = stream.timepoint.join max(%made, %read) => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// The reader waits for the writer.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @raw_ordered(%ready: !stream.timepoint) -> !stream.timepoint {
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
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  %last = stream.timepoint.join max(%made, %read) => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Two unordered writes of the same bytes.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @waw(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c128] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %two = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    // expected-error @below {{race: 'stream.cmd.fill' on @dev_a writes [0 for 128]}}
    stream.cmd.fill %p, %x_in[%c0 for %c128] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.timepoint.join max(%one, %two) => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Two unordered writes of different bytes.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @waw_apart(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c128] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %two = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c128 for %c128] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.timepoint.join max(%one, %two) => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Two commands of a concurrent block.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @concurrent(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.concurrent {
      stream.cmd.dispatch @ex::@w { wo %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
      // expected-error @below {{race: 'stream.cmd.dispatch' on @dev_a reads}}
      // expected-error @below {{use of undefined memory}}
      stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
    }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Two commands of a serial block.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @serial(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.serial {
      stream.cmd.dispatch @ex::@w { wo %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
      stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
    }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// From m: unknown counts as overlapping.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @symbolic(%ready: !stream.timepoint, %n: index, %m: index, %s: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%s} => !stream.timepoint
  %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%s}) {
    stream.cmd.fill %p, %x_in[%c0 for %n] : i32 -> !stream.resource<transient>{%s}
  } => !stream.timepoint
  %two = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%s}) {
    // expected-error @below {{race: 'stream.cmd.fill' on @dev_a writes [? for ?]}}
    stream.cmd.fill %p, %x_in[%m for %n] : i32 -> !stream.resource<transient>{%s}
  } => !stream.timepoint
  %last = stream.timepoint.join max(%one, %two) => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// From 0 for n and from n for n: disjoint, whatever n is.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @symbolic_apart(%ready: !stream.timepoint, %n: index, %m: index, %s: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%s} => !stream.timepoint
  %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%s}) {
    stream.cmd.fill %p, %x_in[%c0 for %n] : i32 -> !stream.resource<transient>{%s}
  } => !stream.timepoint
  %two = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%s}) {
    stream.cmd.fill %p, %x_in[%n for %n] : i32 -> !stream.resource<transient>{%s}
  } => !stream.timepoint
  %last = stream.timepoint.join max(%one, %two) => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// The host submits both at once.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @host_does_not_wait(%ready: !stream.timepoint) -> !stream.timepoint {
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
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  %over = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    // expected-error @below {{race: 'stream.cmd.fill' on @dev_a writes}}
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.timepoint.join max(%over, %read) => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// The host waits for the reader before it submits the writer.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @host_waits(%ready: !stream.timepoint) -> !stream.timepoint {
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
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  %done = stream.timepoint.await %read => %x : !stream.resource<transient>{%c256}
  %over = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%done as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.timepoint.join max(%over, %read) => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// A sync await stays where it is: the host issues the writer behind it.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @sync_host_waits(%ready: !stream.timepoint) -> !stream.timepoint {
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
  %y, %y_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  %both = stream.timepoint.join max(%read, %y_ready) => !stream.timepoint
  %done = stream.timepoint.await sync %both => %y : !stream.resource<transient>{%c256}
  %kept = util.optimization_barrier %done : !stream.resource<transient>
  %over = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.timepoint.join max(%over, %read) => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Its twin: nothing uses what it waits for, so it goes as dead code.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @sync_await_that_goes(%ready: !stream.timepoint) -> !stream.timepoint {
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
  %y, %y_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  %both = stream.timepoint.join max(%read, %y_ready) => !stream.timepoint
  %done = stream.timepoint.await sync %both => %y : !stream.resource<transient>{%c256}
  %over = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    // expected-error@+1 {{race: 'stream.cmd.fill' on @dev_a writes [0 for 256]}}
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.timepoint.join max(%over, %read) => !stream.timepoint
  util.return %last : !stream.timepoint
}
}
