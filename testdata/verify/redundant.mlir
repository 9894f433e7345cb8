// Maintenance whose removal changes nothing, and the nearest twins.
//
// RUN: stream-zc-opt --zc-verify-coherence --split-input-file --verify-diagnostics --topology=%S/Inputs/both.json %s -o /dev/null

// The second flush does nothing.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @twice(%ready: !stream.timepoint) -> !stream.timepoint {
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
    // expected-warning @below {{redundant maintenance: without this 'stream.cmd.flush' every read sees the same value}}
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

// Both are needed.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @once(%ready: !stream.timepoint) -> !stream.timepoint {
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

// No other device reads it.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @own(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
    // expected-warning @below {{redundant maintenance}}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %x_in[%c0 for %c256] : !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}
