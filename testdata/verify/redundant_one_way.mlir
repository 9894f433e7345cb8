// B sees what A writes. A doesn't see what B writes, so it invalidates memory that B may have written since, and what A
// wrote itself must have been flushed by then, perhaps in another function.
//
// RUN: stream-zc-opt --zc-verify-coherence --split-input-file --verify-diagnostics %s -o /dev/null

module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}), (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = false})]>} {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.global private mutable @state : !stream.resource<variable>
util.func public @a(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %v = arith.constant 7 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<variable>{%c64} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<variable>{%c64}) {
    stream.cmd.fill %v, %a[%c0 for %c64] : i32 -> !stream.resource<variable>{%c64}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %a[%c0 for %c64] : !stream.resource<variable>{%c64}
  } => !stream.timepoint
  %over = stream.timepoint.await sync %made => %x : !stream.resource<variable>{%c64}
  util.global.store %over, @state : !stream.resource<variable>
  util.return %ready : !stream.timepoint
}
util.func public @b(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %v = arith.constant 7 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>) await(%ready) => !stream.resource<variable>{%c64} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%x_ready) => with(%x as %a: !stream.resource<variable>{%c64}) {
    stream.cmd.fill %v, %a[%c0 for %c64] : i32 -> !stream.resource<variable>{%c64}
    stream.cmd.flush to(#hal.device.affinity<@dev_a>) %a[%c0 for %c64] : !stream.resource<variable>{%c64}
  } => !stream.timepoint
  %over = stream.timepoint.await sync %made => %x : !stream.resource<variable>{%c64}
  util.global.store %over, @state : !stream.resource<variable>
  util.return %ready : !stream.timepoint
}
util.func public @a_again(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = util.global.load @state : !stream.resource<variable>
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<variable>{%c64}) {
    stream.cmd.invalidate from(#hal.device.affinity<@dev_b>) %a[%c0 for %c64] : !stream.resource<variable>{%c64}
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<variable>{%c64} }
  } => !stream.timepoint
  util.return %read : !stream.timepoint
}
}

// -----

// B only reads: A never invalidates.
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}), (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = false})]>} {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
util.global private mutable @state : !stream.resource<variable>
util.func public @a(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %v = arith.constant 7 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<variable>{%c64} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<variable>{%c64}) {
    stream.cmd.fill %v, %a[%c0 for %c64] : i32 -> !stream.resource<variable>{%c64}
    // expected-warning @below {{redundant maintenance}}
    stream.cmd.flush to(#hal.device.affinity<@dev_b>) %a[%c0 for %c64] : !stream.resource<variable>{%c64}
  } => !stream.timepoint
  %over = stream.timepoint.await sync %made => %x : !stream.resource<variable>{%c64}
  util.global.store %over, @state : !stream.resource<variable>
  util.return %ready : !stream.timepoint
}
util.func public @b(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = util.global.load @state : !stream.resource<variable>
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%x as %a: !stream.resource<variable>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<variable>{%c64} }
  } => !stream.timepoint
  util.return %read : !stream.timepoint
}
}
