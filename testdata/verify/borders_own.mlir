// What a device leaves in its own cache for its own next call, which invalidates it: A sees B's writes, B doesn't see A's.
//
// RUN: stream-zc-opt --zc-verify-coherence --split-input-file --verify-diagnostics --topology=%S/../maintain/Inputs/a-to-b.json %s -o /dev/null

// The second call would drop what the first one wrote.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @a_writes(%x: !stream.resource<external>, %ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %done = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<external>{%c64}) {
    stream.cmd.dispatch @ex::@w { wo %a[%c0 for %c64] : !stream.resource<external>{%c64} }
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %a[%c0 for %c64] : !stream.resource<external>{%c64}
  } => !stream.timepoint
  util.return %done : !stream.timepoint
}
util.func public @b_updates(%x: !stream.resource<external>, %ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %done = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%x as %b: !stream.resource<external>{%c64}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %b[%c0 for %c64] : !stream.resource<external>{%c64}
    stream.cmd.dispatch @ex::@u { rw %b[%c0 for %c64] : !stream.resource<external>{%c64} }
  } => !stream.timepoint
  // expected-error @below {{missing flush: 'util.return' on @dev_a or @dev_b reads [0 for 64] }}
  util.return %done : !stream.timepoint
}
util.func public @call_all(%ready: !stream.timepoint) -> (!stream.resource<external>, !stream.timepoint) {
  %c64 = arith.constant 64 : index
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c64} => !stream.timepoint
  %t1 = util.call @a_writes(%x, %x_ready) : (!stream.resource<external>, !stream.timepoint) -> !stream.timepoint
  %t2 = util.call @b_updates(%x, %t1) : (!stream.resource<external>, !stream.timepoint) -> !stream.timepoint
  %t3 = util.call @b_updates(%x, %t2) : (!stream.resource<external>, !stream.timepoint) -> !stream.timepoint
  util.return %x, %t3 : !stream.resource<external>, !stream.timepoint
}
}

// -----

// Flushed, for its own sake.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.func public @a_writes(%x: !stream.resource<external>, %ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %done = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<external>{%c64}) {
    stream.cmd.dispatch @ex::@w { wo %a[%c0 for %c64] : !stream.resource<external>{%c64} }
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %a[%c0 for %c64] : !stream.resource<external>{%c64}
  } => !stream.timepoint
  util.return %done : !stream.timepoint
}
util.func public @b_updates(%x: !stream.resource<external>, %ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %done = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%x as %b: !stream.resource<external>{%c64}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %b[%c0 for %c64] : !stream.resource<external>{%c64}
    stream.cmd.dispatch @ex::@u { rw %b[%c0 for %c64] : !stream.resource<external>{%c64} }
    stream.cmd.flush to(#hal.device.affinity<@dev_a>) %b[%c0 for %c64] : !stream.resource<external>{%c64}
  } => !stream.timepoint
  util.return %done : !stream.timepoint
}
util.func public @call_all(%ready: !stream.timepoint) -> (!stream.resource<external>, !stream.timepoint) {
  %c64 = arith.constant 64 : index
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c64} => !stream.timepoint
  %t1 = util.call @a_writes(%x, %x_ready) : (!stream.resource<external>, !stream.timepoint) -> !stream.timepoint
  %t2 = util.call @b_updates(%x, %t1) : (!stream.resource<external>, !stream.timepoint) -> !stream.timepoint
  %t3 = util.call @b_updates(%x, %t2) : (!stream.resource<external>, !stream.timepoint) -> !stream.timepoint
  util.return %x, %t3 : !stream.resource<external>, !stream.timepoint
}
}
