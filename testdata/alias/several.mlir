// More transfers of one value: several results of one source, and a value that goes to and fro, share one storage. An update of one of them
// must come after all uses of the others.
//
// RUN: stream-zc-opt --zc-alias-allocations=remarks --verify-diagnostics %s | FileCheck %s
// RUN: stream-zc-opt --zc-alias-allocations %s -o %t.once
// RUN: stream-zc-opt --zc-alias-allocations %t.once | diff %t.once -

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!transient = !stream.resource<transient>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // Both are read only.
  // CHECK-LABEL: @two_results
  util.func public @two_results() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK-COUNT-1: stream.resource.alloca
    // CHECK-NOT: stream.resource.alloca
    // CHECK-NOT: stream.cmd.copy
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %result2, %result2_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %ready2 = stream.timepoint.join max(%made, %result2_ready) => !stream.timepoint
    %copied2 = stream.cmd.execute on(#b) await(%ready2) => with(%source as %s: !transient{%c256}, %result2 as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %used2 = stream.cmd.execute on(#b) await(%copied2) => with(%result2 as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %both = stream.timepoint.join max(%used, %used2) => !stream.timepoint
    util.return %both : !stream.timepoint
  }

  // The second is updated at the same time as the first is read.
  // CHECK-LABEL: @one_result_updated
  util.func public @one_result_updated() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: %[[X:.+]], %{{.+}} = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>)
    // CHECK: %[[Y:.+]], %{{.+}} = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>)
    // CHECK: stream.cmd.copy
    // CHECK-NOT: stream.cmd.copy
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %result2, %result2_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %ready2 = stream.timepoint.join max(%made, %result2_ready) => !stream.timepoint
    %copied2 = stream.cmd.execute on(#b) await(%ready2) => with(%source as %s: !transient{%c256}, %result2 as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (result-overwritten: the result is written while the source is still in use; stream.cmd.dispatch)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %used2 = stream.cmd.execute on(#b) await(%copied2) => with(%result2 as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { rw %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %both = stream.timepoint.join max(%used, %used2) => !stream.timepoint
    util.return %both : !stream.timepoint
  }

  // Here the first is done with.
  // CHECK-LABEL: @one_result_updated_later
  util.func public @one_result_updated_later() -> !stream.timepoint {
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
    %result2, %result2_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %ready2 = stream.timepoint.join max(%used, %result2_ready) => !stream.timepoint
    %copied2 = stream.cmd.execute on(#b) await(%ready2) => with(%source as %s: !transient{%c256}, %result2 as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used2 = stream.cmd.execute on(#b) await(%copied2) => with(%result2 as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { rw %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used2 : !stream.timepoint
  }

  // a, b, a, b; each updates it in place.
  // CHECK-LABEL: @to_and_fro
  util.func public @to_and_fro() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: %[[X:.+]], %[[READY:.+]] = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>)
    // CHECK-NOT: stream.resource.alloca
    // CHECK: %[[MADE:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[READY]])
    // CHECK-NEXT: stream.cmd.fill
    // CHECK-NOT: stream.cmd.copy
    // CHECK: %[[THERE:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%[[MADE]]) => with(%[[X]] as
    // CHECK-NEXT: stream.cmd.dispatch
    // CHECK-NOT: stream.cmd.copy
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[THERE]]) => with(%[[X]] as
    // CHECK-NEXT: stream.cmd.dispatch
    // CHECK-NOT: stream.cmd.copy
    // CHECK: util.return
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
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { rw %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %back, %back_ready = stream.resource.alloca uninitialized on(#a) await(%used) => !transient{%c256} => !stream.timepoint
    %returned = stream.cmd.execute on(#a) await(%back_ready) => with(%result as %s: !transient{%c256}, %back as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#b) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_b to @dev_a: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
      stream.cmd.dispatch @ex::@run { rw %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %there, %there_ready = stream.resource.alloca uninitialized on(#b) await(%returned) => !transient{%c256} => !stream.timepoint
    %done = stream.cmd.execute on(#b) await(%there_ready) => with(%back as %s: !transient{%c256}, %there as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %done : !stream.timepoint
  }

  // A result that is copied to twice takes one source's place.
  // CHECK-LABEL: @two_sources
  util.func public @two_sources() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source2, %source2_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %made2 = stream.cmd.execute on(#a) await(%source2_ready) => with(%source2 as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %makes = stream.timepoint.join max(%made, %made2) => !stream.timepoint
    // CHECK: stream.cmd.copy
    // CHECK-NOT: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%makes) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %copied2 = stream.cmd.execute on(#b) await(%copied) => with(%source2 as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (result-overwritten: the result is written while the source is still in use; stream.cmd.fill)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied2) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

}
