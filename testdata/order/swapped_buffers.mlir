// Buffers that a loop swaps are never one memory: it is left as it is, to the byte.
//
// RUN: stream-zc-opt %s -o %t.before
// RUN: stream-zc-opt --zc-order-hazards %s -o %t.after
// RUN: diff %t.before %t.after
// RUN: stream-zc-opt --zc-verify-coherence %s -o /dev/null

util.func public @ping_pong(%ready: !stream.timepoint, %p: i1) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  %w, %w_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  %both_ready = stream.timepoint.join max(%x_ready, %w_ready) => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%both_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  cf.br ^loop(%x, %w, %made : !stream.resource<transient>, !stream.resource<transient>, !stream.timepoint)
^loop(%y: !stream.resource<transient>, %z: !stream.resource<transient>, %t: !stream.timepoint):
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%t) => with(%y as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  %next = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%z as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  %both = stream.timepoint.join max(%read, %next) => !stream.timepoint
  cf.cond_br %p, ^loop(%z, %y, %both : !stream.resource<transient>, !stream.resource<transient>, !stream.timepoint), ^end
^end:
  %u = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%both) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  util.return %u : !stream.timepoint
}
