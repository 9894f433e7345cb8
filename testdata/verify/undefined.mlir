// Memory that is read but not written, and the nearest twins.
//
// RUN: stream-zc-opt --zc-verify-coherence --split-input-file --verify-diagnostics %s -o /dev/null

// Nothing is written before.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @undefined(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    // expected-error @below {{use of undefined memory: 'stream.cmd.dispatch' on @dev_a reads [0 for 256]}}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Something is.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @defined(%ready: !stream.timepoint) -> !stream.timepoint {
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

// -----

// One half is missing.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @half(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c128] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    // expected-error @below {{reads [128 for 128] of the memory of}}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// The allocation may not be there yet.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @before_alloca(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    // expected-error @below {{use of undefined memory: 'stream.cmd.fill' on @dev_a uses [0 for 256]}}
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<transient>{%c256}
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}
