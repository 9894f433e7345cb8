// A call comes between two writes: what it gets is flushed by the first, though the second covers it, and what it may have written is
// invalidated before the next use.
//
// RUN: stream-zc-opt --zc-maintain-coherence %s | FileCheck %s
// RUN: stream-zc-opt --zc-maintain-coherence --zc-verify-coherence %s -o /dev/null

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!transient = !stream.resource<transient>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = false}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = false})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // CHECK-LABEL: @callee
  util.func private @callee(%x: !transient, %ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    // CHECK: stream.cmd.invalidate from(#hal.device.affinity<@dev_b>)
    // CHECK: stream.cmd.flush to(#hal.device.affinity<@dev_b>)
    %updated = stream.cmd.execute on(#a) await(%ready) => with(%x as %m: !transient{%c64}) {
      stream.cmd.dispatch @ex::@update { rw %m[%c0 for %c64] : !transient{%c64} }
    } => !stream.timepoint
    util.return %updated : !stream.timepoint
  }

  // CHECK-LABEL: @caller
  util.func public @caller(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %value = arith.constant 7 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#b) await(%ready) => !transient{%c64} => !stream.timepoint
    // CHECK: stream.cmd.fill
    // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_a>)
    %made = stream.cmd.execute on(#b) await(%x_ready) => with(%x as %m: !transient{%c64}) {
      stream.cmd.fill %value, %m[%c0 for %c64] : i32 -> !transient{%c64}
    } => !stream.timepoint
    // CHECK: util.call @callee
    %called = util.call @callee(%x, %made) : (!transient, !stream.timepoint) -> !stream.timepoint
    // CHECK: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>)
    // CHECK-NEXT: stream.cmd.dispatch
    %used = stream.cmd.execute on(#b) await(%called) => with(%x as %m: !transient{%c64}) {
      stream.cmd.dispatch @ex::@update { rw %m[%c0 for %c64] : !transient{%c64} }
    } => !stream.timepoint
    %again = util.call @callee(%x, %used) : (!transient, !stream.timepoint) -> !stream.timepoint
    util.return %again : !stream.timepoint
  }
}
