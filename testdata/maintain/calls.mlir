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

  // What a callee gives back is what it was given: nobody but this function goes on with it, and that on A alone.
  // CHECK-LABEL: @give_back
  util.func private @give_back(%x: !stream.resource<transient>, %ready: !stream.timepoint) -> (!stream.resource<transient>, !stream.timepoint) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %done = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    util.return %x, %done : !stream.resource<transient>, !stream.timepoint
  }
  // CHECK-LABEL: @goes_on
  // CHECK: util.call @give_back
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
  // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_b>)
  // CHECK-NEXT: stream.cmd.dispatch
  // CHECK-NOT: stream.cmd.flush
  // CHECK-NOT: stream.cmd.invalidate
  // CHECK: util.return
  util.func public @goes_on(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 7 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
    %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %y, %y_ready = util.call @give_back(%x, %made) : (!stream.resource<transient>, !stream.timepoint) -> (!stream.resource<transient>, !stream.timepoint)
    %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%y_ready) => with(%y as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    // The same memory by its first name.
    %two = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%one) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    util.return %two : !stream.timepoint
  }
  // B reads by the first name what A wrote by the second.
  // CHECK-LABEL: @goes_on_elsewhere
  // CHECK: util.call @give_back
  // CHECK: stream.cmd.dispatch @ex::@update
  // CHECK: stream.cmd.flush to(#hal.device.affinity<@dev_b>)
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>)
  util.func public @goes_on_elsewhere(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 7 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
    %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %y, %y_ready = util.call @give_back(%x, %made) : (!stream.resource<transient>, !stream.timepoint) -> (!stream.resource<transient>, !stream.timepoint)
    %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%y_ready) => with(%y as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    %two = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%one) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    util.return %two : !stream.timepoint
  }
}
