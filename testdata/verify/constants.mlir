// Constants that are mapped, or read from a file, come to memory past all caches: no device invalidates them. What a device copies is
// another matter.
//
// RUN: stream-zc-opt --zc-verify-coherence --verify-diagnostics --split-input-file --topology=%S/Inputs/both.json %s -o /dev/null

module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @constants(%file: !stream.file, %buffer: !util.buffer, %ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c0_i64 = arith.constant 0 : i64
  %c64 = arith.constant 64 : index
  %mapped, %x = stream.resource.try_map on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) %buffer[%c0] : !util.buffer -> i1, !stream.resource<constant>{%c64}
  %y = stream.resource.alloc uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) : !stream.resource<constant>{%c64}
  %read = stream.file.read on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%ready) => %file[%c0_i64], %y[%c0], %c64 : !stream.file -> !stream.resource<constant>{%c64} => !stream.timepoint
  %used = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%read) => with(%x as %a: !stream.resource<constant>{%c64}, %y as %b: !stream.resource<constant>{%c64}) {
    stream.cmd.dispatch @ex::@r {
      ro %a[%c0 for %c64] : !stream.resource<constant>{%c64},
      ro %b[%c0 for %c64] : !stream.resource<constant>{%c64}
    }
  } => !stream.timepoint
  util.return %used : !stream.timepoint
}
}

// -----

module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @copied(%buffer: !util.buffer, %ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %mapped, %x = stream.resource.try_map on(#hal.device.affinity<@dev_a>) %buffer[%c0] : !util.buffer -> i1, !stream.resource<constant>{%c64}
  %y, %y_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<constant>{%c64} => !stream.timepoint
  %copied = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%y_ready) => with(%x as %a: !stream.resource<constant>{%c64}, %y as %b: !stream.resource<constant>{%c64}) {
    stream.cmd.copy %a[%c0], %b[%c0], %c64 : !stream.resource<constant>{%c64} -> !stream.resource<constant>{%c64}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %b[%c0 for %c64] : !stream.resource<constant>{%c64}
  } => !stream.timepoint
  %used = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%copied) => with(%y as %b: !stream.resource<constant>{%c64}) {
    // expected-error @below {{stale read: 'stream.cmd.dispatch' on @dev_b reads [0 for 64]}}
    stream.cmd.dispatch @ex::@r { ro %b[%c0 for %c64] : !stream.resource<constant>{%c64} }
  } => !stream.timepoint
  util.return %used : !stream.timepoint
}
}
