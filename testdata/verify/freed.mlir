// Memory that is used while or after it is freed, and the nearest twins.
//
// RUN: stream-zc-opt --zc-verify-coherence --split-input-file --verify-diagnostics %s -o /dev/null

// Freed before the read.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @freed(%ready: !stream.timepoint) -> !stream.timepoint {
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
  %gone = stream.resource.dealloca on(#hal.device.affinity<@dev_a>) await(%made) => %x : !stream.resource<transient>{%c256} => !stream.timepoint
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    // expected-error @below {{use after dealloca: 'stream.cmd.dispatch' on @dev_a uses [0 for 256]}}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  %last = stream.timepoint.join max(%gone, %read) => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Freed after it.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @not_yet_freed(%ready: !stream.timepoint) -> !stream.timepoint {
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
  %last = stream.resource.dealloca on(#hal.device.affinity<@dev_a>) await(%read) => %x : !stream.resource<transient>{%c256} => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// The dealloca does not wait for the reader.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @freed_at_once(%ready: !stream.timepoint) -> !stream.timepoint {
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
    // expected-error @below {{frees without waiting for it}}
    stream.cmd.dispatch @ex::@r { ro %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
  } => !stream.timepoint
  %gone = stream.resource.dealloca on(#hal.device.affinity<@dev_a>) await(%made) => %x : !stream.resource<transient>{%c256} => !stream.timepoint
  %last = stream.timepoint.join max(%gone, %read) => !stream.timepoint
  util.return %last : !stream.timepoint
}
}
