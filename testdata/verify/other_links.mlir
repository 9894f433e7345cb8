// Maintenance on links that the topology doesn't declare is IREE's own, and taken as it is.
//
// RUN: stream-zc-opt --zc-verify-coherence --split-input-file --verify-diagnostics --topology=%S/Inputs/both.json %s -o /dev/null

// The link is ours: it drops what its own device wrote.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.global private @dev_c : !hal.device
util.func public @f(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  %done = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %p, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
    // expected-error @below {{misplaced invalidate: 'stream.cmd.invalidate' on @dev_a drops [0 for 64]}}
    stream.cmd.invalidate from(#hal.device.affinity<@dev_b>) %a[%c0 for %c64] : !stream.resource<transient>{%c64}
    stream.cmd.dispatch @ex::@r { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  util.return %done : !stream.timepoint
}
}

// -----

// Nothing is known of the link.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.global private @dev_c : !hal.device
util.func public @f(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  %done = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %p, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
    stream.cmd.invalidate from(#hal.device.affinity<@dev_c>) %a[%c0 for %c64] : !stream.resource<transient>{%c64}
    stream.cmd.dispatch @ex::@r { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  util.return %done : !stream.timepoint
}
}
