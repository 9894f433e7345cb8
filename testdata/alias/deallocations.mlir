// The one storage is freed once: by the last of the deallocations, which waits for what the others waited for, unless it does so anyway.
// Where one of the two isn't freed here, the storage isn't either.
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

  // The result's awaits the consumer, which awaits the copy.
  // CHECK-LABEL: @one_waits_already
  util.func public @one_waits_already() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    // CHECK-NOT: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    // CHECK: %[[USED:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    // CHECK-NOT: stream.timepoint.join
    // CHECK: %[[FREED:.+]] = stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%[[USED]]) =>
    // CHECK-NOT: stream.resource.dealloca
    // CHECK: util.return %[[FREED]]
    %freed_source = stream.resource.dealloca on(#a) await(%copied) => %source : !transient{%c256} => !stream.timepoint
    %freed = stream.resource.dealloca on(#b) await(%used) => %result : !transient{%c256} => !stream.timepoint
    %both = stream.timepoint.join max(%freed_source, %freed) => !stream.timepoint
    util.return %both : !stream.timepoint
  }

  // Readers on both devices: neither deallocation waits for the other device.
  // CHECK-LABEL: @last_waits_for_both
  util.func public @last_waits_for_both() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    // CHECK-NOT: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    // CHECK: %[[USED:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    // CHECK: %[[AGAIN:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>)
    %again = stream.cmd.execute on(#a) await(%made) => with(%source as %s: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %s[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    // CHECK-NOT: stream.resource.dealloca
    // CHECK: %[[BOTH:.+]] = stream.timepoint.join max(%[[USED]], %[[AGAIN]])
    // CHECK-NEXT: %[[FREED:.+]] = stream.resource.dealloca on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%[[BOTH]]) =>
    // CHECK-NOT: stream.resource.dealloca
    %freed = stream.resource.dealloca on(#b) await(%used) => %result : !transient{%c256} => !stream.timepoint
    %freed_source = stream.resource.dealloca on(#a) await(%again) => %source : !transient{%c256} => !stream.timepoint
    %both = stream.timepoint.join max(%freed, %freed_source) => !stream.timepoint
    util.return %both : !stream.timepoint
  }

  // An allocation that waited for the deallocation that goes waits for its users.
  // CHECK-LABEL: @what_awaited_the_first
  util.func public @what_awaited_the_first() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    // CHECK-NOT: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    // CHECK: %[[USED:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    // CHECK-NOT: stream.resource.dealloca
    %freed = stream.resource.dealloca on(#b) await(%used) => %result : !transient{%c256} => !stream.timepoint
    // CHECK: stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>) await(%[[USED]])
    %other, %other_ready = stream.resource.alloca uninitialized on(#b) await(%freed) => !transient{%c256} => !stream.timepoint
    // CHECK: %[[AGAIN:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>)
    %again = stream.cmd.execute on(#a) await(%made) => with(%source as %s: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %s[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    // CHECK: %[[BOTH:.+]] = stream.timepoint.join max(%[[USED]], %[[AGAIN]])
    // CHECK-NEXT: stream.resource.dealloca {{.+}} await(%[[BOTH]])
    %freed_source = stream.resource.dealloca on(#a) await(%again) => %source : !transient{%c256} => !stream.timepoint
    %both = stream.timepoint.join max(%other_ready, %freed_source) => !stream.timepoint
    util.return %both : !stream.timepoint
  }

  // The source isn't freed here: nor is the storage.
  // CHECK-LABEL: @only_one_freed
  util.func public @only_one_freed() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    // CHECK-NOT: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    // CHECK-NOT: stream.resource.dealloca
    %freed = stream.resource.dealloca on(#b) await(%used) => %result : !transient{%c256} => !stream.timepoint
    // CHECK: util.return
    util.return %freed : !stream.timepoint
  }

  // A deallocation in another block.
  // CHECK-LABEL: @freed_elsewhere
  util.func public @freed_elsewhere() -> !stream.timepoint {
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
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (unsupported-use: a use of the source or the result is not understood; stream.resource.dealloca)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    cf.br ^next
  ^next:
    // CHECK: stream.resource.dealloca
    %used = stream.resource.dealloca on(#a) await(%copied) => %source : !transient{%c256} => !stream.timepoint
    util.return %used : !stream.timepoint
  }

}
