// Only timepoints order regions. A user of the result that doesn't await the copy may see any value in the original program, and one that
// is ordered some other way must stay ordered.
//
// RUN: stream-zc-opt --zc-alias-allocations=remarks --verify-diagnostics %s | FileCheck %s

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!transient = !stream.resource<transient>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // What is issued after the host has waited comes later; `sync` keeps IREE from moving the wait, and its user from erasing it.
  // CHECK-LABEL: @host_waits
  util.func public @host_waits() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.cmd.copy
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %other, %other_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %again = stream.cmd.execute on(#a) await(%made) => with(%source as %s: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %s[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %all = stream.timepoint.join max(%again, %other_ready) => !stream.timepoint
    %seen = stream.timepoint.await sync %all => %other : !transient{%c256}
    %kept = util.optimization_barrier %seen : !transient
    %updated = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { rw %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %updated : !stream.timepoint
  }

  // Without `sync`, canonicalization erases a wait whose results nobody uses, and sinks others: it orders nothing else.
  // CHECK-LABEL: @host_wait_that_may_go
  util.func public @host_wait_that_may_go() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (result-overwritten: the result is written while the source is still in use; stream.cmd.dispatch)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %again = stream.cmd.execute on(#a) await(%made) => with(%source as %s: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %s[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %seen = stream.timepoint.await %again => %source : !transient{%c256}
    %updated = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { rw %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %updated : !stream.timepoint
  }

}
