// The three places where IREE puts the copy of a transfer: at the end of the producer's region with a flush, at the start of the
// consumer's with an invalidate, and in a region of its own. In each, one allocation is left and nothing is copied.
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


  // CHECK-LABEL: @producer_copies
  util.func public @producer_copies() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: %[[X:.+]], %[[READY:.+]] = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) : !stream.resource<transient>{%c256}
    // CHECK-NOT: stream.resource.alloca
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    // CHECK: %[[MADE:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[READY]]) => with(%[[X]] as %[[A:.+]]: !stream.resource<transient>{%c256}) {
    // CHECK-NEXT: stream.cmd.fill {{.+}}, %[[A]][
    // CHECK-NEXT: } =>
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
      stream.cmd.flush to(#b) %r[%c0 for %c256] : !transient{%c256}
    } => !stream.timepoint
    // CHECK: %[[USED:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%[[MADE]]) => with(%[[X]] as %[[B:.+]]: !stream.resource<transient>{%c256}) {
    // CHECK-NEXT: stream.cmd.dispatch
    // CHECK-NEXT: ro %[[B]][%c0 for %c256]
    %used = stream.cmd.execute on(#b) await(%made) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    // CHECK: util.return %[[USED]]
    util.return %used : !stream.timepoint
  }

  // CHECK-LABEL: @consumer_copies
  util.func public @consumer_copies() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: %[[X:.+]], %[[READY:.+]] = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>)
    // CHECK-NOT: stream.resource.alloca
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    // CHECK: %[[MADE:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[READY]])
    %made = stream.cmd.execute on(#a) await(%source_ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    // The result's allocation is gone; what awaited it awaits what it awaited.
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) await(%made) => !transient{%c256} => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%[[MADE]]) => with(%[[X]] as %[[B:.+]]: !stream.resource<transient>{%c256}) {
    // CHECK-NEXT: stream.cmd.dispatch
    // CHECK-NEXT: rw %[[B]][
    %used = stream.cmd.execute on(#b) await(%result_ready) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
      stream.cmd.dispatch @ex::@run { rw %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // A region that holds nothing else goes, and its timepoint becomes the one that it awaited.
  // CHECK-LABEL: @alone
  util.func public @alone() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    // CHECK: %[[MADE:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>)
    %made = stream.cmd.execute on(#a) await(%source_ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %ready = stream.timepoint.join max(%made, %result_ready) => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%ready) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    // CHECK-NOT: stream.timepoint.join
    // CHECK: %[[USED:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%[[MADE]])
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    // CHECK-NOT: stream.cmd.execute
    util.return %used : !stream.timepoint
  }

  // Not a transfer: IREE puts maintenance beside each copy that crosses devices, and this one has none.
  // CHECK-LABEL: @plain_copy
  util.func public @plain_copy() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK-COUNT-2: stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>)
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    // CHECK: stream.cmd.copy
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    util.return %made : !stream.timepoint
  }

  // Maintenance of another range is not the copy's.
  // CHECK-LABEL: @other_maintenance
  util.func public @other_maintenance() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    // CHECK: stream.cmd.copy
    // CHECK-NEXT: stream.cmd.flush
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
      stream.cmd.flush to(#b) %r[%c128 for %c128] : !transient{%c256}
    } => !stream.timepoint
    util.return %made : !stream.timepoint
  }
}
