// One device writes a range twice, by parts the second time: a flush takes its lines, whoever wrote them first.
//
// RUN: stream-zc-opt --zc-verify-coherence --split-input-file --verify-diagnostics --topology=%S/Inputs/both.json %s -o /dev/null

// All of it was flushed.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @all(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c128} => !stream.timepoint
  %first = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c128}) {
    stream.cmd.fill %p, %a[%c0 for %c128] : i32 -> !stream.resource<transient>{%c128}
  } => !stream.timepoint
  %second = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%first) => with(%x as %a: !stream.resource<transient>{%c128}) {
    stream.cmd.fill %p, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c128}
    stream.cmd.fill %p, %a[%c64 for %c64] : i32 -> !stream.resource<transient>{%c128}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %a[%c0 for %c128] : !stream.resource<transient>{%c128}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%second) => with(%x as %b: !stream.resource<transient>{%c128}) {
    stream.cmd.fill %p, %b[%c0 for %c128] : i32 -> !stream.resource<transient>{%c128}
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// Half of it was.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @half(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c128} => !stream.timepoint
  %first = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c128}) {
    stream.cmd.fill %p, %a[%c0 for %c128] : i32 -> !stream.resource<transient>{%c128}
  } => !stream.timepoint
  %second = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%first) => with(%x as %a: !stream.resource<transient>{%c128}) {
    stream.cmd.fill %p, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c128}
    stream.cmd.fill %p, %a[%c64 for %c64] : i32 -> !stream.resource<transient>{%c128}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %a[%c0 for %c64] : !stream.resource<transient>{%c128}
  } => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%second) => with(%x as %b: !stream.resource<transient>{%c128}) {
    // expected-error @below {{dirty overwrite: 'stream.cmd.fill' on @dev_b overwrites}}
    stream.cmd.fill %p, %b[%c0 for %c128] : i32 -> !stream.resource<transient>{%c128}
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}
