// In-place updates of the result: once all that uses the source is done, they go to the one storage; before that, the users of the
// source would see them.
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

  // The last reader of the source is done when the copy begins.
  // CHECK-LABEL: @after_source_uses
  util.func public @after_source_uses() -> !stream.timepoint {
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
    %again = stream.cmd.execute on(#a) await(%made) => with(%source as %s: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %s[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%again) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %updated = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { rw %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %updated : !stream.timepoint
  }

  // The source is read after the update.
  // CHECK-LABEL: @before_source_uses
  util.func public @before_source_uses() -> !stream.timepoint {
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
    %updated = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { rw %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %again = stream.cmd.execute on(#a) await(%updated) => with(%source as %s: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %s[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %again : !stream.timepoint
  }

  // The source is read at an unknown time: last in program order is not last in time.
  // CHECK-LABEL: @beside_source_uses
  util.func public @beside_source_uses() -> !stream.timepoint {
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
    %updated = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { rw %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %again = stream.cmd.execute on(#a) await(%made) => with(%source as %s: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %s[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %both = stream.timepoint.join max(%updated, %again) => !stream.timepoint
    util.return %both : !stream.timepoint
  }

  // The update awaits the readers of the source through a join.
  // CHECK-LABEL: @behind_source_uses_by_join
  util.func public @behind_source_uses_by_join() -> !stream.timepoint {
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
    %again = stream.cmd.execute on(#a) await(%made) => with(%source as %s: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %s[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %both = stream.timepoint.join max(%copied, %again) => !stream.timepoint
    %updated = stream.cmd.execute on(#b) await(%both) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { rw %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %updated : !stream.timepoint
  }

  // What the result held before the copy would be lost.
  // CHECK-LABEL: @written_before_copy
  util.func public @written_before_copy() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %first = stream.cmd.execute on(#b) await(%ready) => with(%result as %r: !transient{%c256}) {
      stream.cmd.fill %value, %r[%c128 for %c128] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%first) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c128] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c128] : !transient{%c256}
      // CHECK: stream.cmd.copy
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (result-overwritten: the result is written while the source is still in use; stream.cmd.fill)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c128 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // In the region of the copy, commands run in order.
  // CHECK-LABEL: @same_region
  util.func public @same_region() -> !stream.timepoint {
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
    %updated = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
      stream.cmd.fill %value, %r[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    util.return %updated : !stream.timepoint
  }

  // But here the source is read after the update.
  // CHECK-LABEL: @same_region_reads_source
  util.func public @same_region_reads_source() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %updated = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // CHECK: stream.cmd.copy
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (result-overwritten: the result is written while the source is still in use; stream.cmd.fill)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
      stream.cmd.fill %value, %r[%c0 for %c256] : i32 -> !transient{%c256}
      stream.cmd.dispatch @ex::@run { ro %s[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %updated : !stream.timepoint
  }

  // One command that reads the source while it updates the result.
  // CHECK-LABEL: @one_dispatch_reads_and_writes
  util.func public @one_dispatch_reads_and_writes() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %updated = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // CHECK: stream.cmd.copy
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (result-overwritten: the result is written while the source is still in use; stream.cmd.dispatch)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
      stream.cmd.dispatch @ex::@run { ro %s[%c0 for %c256] : !transient{%c256}, rw %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %updated : !stream.timepoint
  }

}
