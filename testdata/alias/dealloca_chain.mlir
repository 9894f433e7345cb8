// One deallocation waits for another one of what becomes the same memory: the last one that is left waits for what both waited for.
//
// RUN: stream-zc-opt --zc-alias-allocations %s | FileCheck %s

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!transient = !stream.resource<transient>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // CHECK-LABEL: @chain
  util.func public @chain() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %s, %s_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%s_ready) => with(%s as %m: !transient{%c256}) {
      stream.cmd.fill %value, %m[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %r, %r_ready = stream.resource.alloca uninitialized on(#b) await(%made) => !transient{%c256} => !stream.timepoint
    %q, %q_ready = stream.resource.alloca uninitialized on(#a) await(%made) => !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%r_ready, %q_ready) => !stream.timepoint
    // CHECK: stream.cmd.fill
    // CHECK-NOT: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%ready) => with(%s as %m: !transient{%c256}, %r as %n: !transient{%c256}, %q as %o: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %m[%c0 for %c256] : !transient{%c256}
      stream.cmd.copy %m[%c0], %n[%c0], %c256 : !transient{%c256} -> !transient{%c256}
      stream.cmd.copy %n[%c0], %o[%c0], %c256 : !transient{%c256} -> !transient{%c256}
      stream.cmd.flush to(#a) %o[%c0 for %c256] : !transient{%c256}
      stream.cmd.dispatch @ex::@run { ro %n[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    // CHECK: %[[USED:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>)
    %used = stream.cmd.execute on(#a) await(%copied) => with(%q as %m: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %m[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    // CHECK: stream.resource.dealloca {{.*}}await(%[[USED]])
    // CHECK-NOT: stream.resource.dealloca
    %s_gone = stream.resource.dealloca on(#a) await(%copied) => %s : !transient{%c256} => !stream.timepoint
    %r_gone = stream.resource.dealloca on(#b) await(%s_gone) => %r : !transient{%c256} => !stream.timepoint
    %q_gone = stream.resource.dealloca on(#a) await(%used) => %q : !transient{%c256} => !stream.timepoint
    %all = stream.timepoint.join max(%r_gone, %q_gone) => !stream.timepoint
    util.return %all : !stream.timepoint
  }
}
