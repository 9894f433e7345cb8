// The one storage must be there before all uses of the result: a wait or a region that only maintains it may stand before the source's
// allocation.
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

  // The result is waited for before the source is allocated.
  // CHECK-LABEL: @waited_for_first
  util.func public @waited_for_first() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    // CHECK: stream.timepoint.await
    // CHECK: stream.cmd.copy
    %there = stream.timepoint.await sync %result_ready => %result : !transient{%c256}
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (unordered-users: no timepoint orders the uses of source and result)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%there as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // CHECK-LABEL: @maintained_first
  util.func public @maintained_first() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %flushed = stream.cmd.execute on(#b) await(%result_ready) => with(%result as %r: !transient{%c256}) {
      stream.cmd.flush to(#b) %r[%c0 for %c256] : !transient{%c256}
    } => !stream.timepoint
    // CHECK: stream.cmd.copy
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (unordered-users: no timepoint orders the uses of source and result)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // The use is in a nested region.
  // CHECK-LABEL: @waited_for_in_branch_first
  util.func public @waited_for_in_branch_first(%condition: i1) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    scf.if %condition {
      %there = stream.timepoint.await sync %result_ready => %result : !transient{%c256}
    }
    // CHECK: stream.cmd.copy
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (unordered-users: no timepoint orders the uses of source and result)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // The result may be allocated first, as long as nothing uses it.
  // CHECK-LABEL: @allocated_first
  util.func public @allocated_first() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.cmd.copy
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // The host waits for the result, and what it gets stands for the one storage.
  // CHECK-LABEL: @waited_for_later
  util.func public @waited_for_later() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.cmd.copy
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %there = stream.timepoint.await sync %copied => %result : !transient{%c256}
    %now = stream.timepoint.immediate => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%now) => with(%there as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

}
