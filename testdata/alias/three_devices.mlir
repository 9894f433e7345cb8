// The decision is for all that touch the storage, not link by link: a and b share memory, b and c do, a and c don't. So the value that goes
// a, b, c gets one storage for two of them, and the last step copies.
//
// RUN: stream-zc-opt --zc-alias-allocations=remarks --verify-diagnostics %s | FileCheck %s
// RUN: stream-zc-opt --zc-alias-allocations %s -o %t.once
// RUN: stream-zc-opt --zc-alias-allocations %t.once | diff %t.once -

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
#c = #hal.device.affinity<@dev_c>
!transient = !stream.resource<transient>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true}, {coherent = true}),
  (@dev_b -> @dev_c = {unified_memory = true}, {coherent = true}),
  (@dev_c -> @dev_b = {unified_memory = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device

  // CHECK-LABEL: @chain
  util.func public @chain() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>)
    // CHECK: stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_c>)
    // CHECK-NOT: stream.resource.alloca
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %far, %far_ready = stream.resource.alloca uninitialized on(#c) : !transient{%c256} => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %far_ready2 = stream.timepoint.join max(%copied, %far_ready) => !stream.timepoint
    // CHECK: stream.cmd.copy
    %there = stream.cmd.execute on(#b) await(%far_ready2) => with(%result as %r: !transient{%c256}, %far as %f: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
      // expected-remark@+1 {{transfer from @dev_b to @dev_c: copy (discrete-link: the topology declares no shared memory; @dev_a -> @dev_c)}}
      stream.cmd.copy %r[%c0], %f[%c0], %c256 : !transient{%c256} -> !transient{%c256}
      stream.cmd.flush to(#c) %f[%c0 for %c256] : !transient{%c256}
    } => !stream.timepoint
    util.return %there : !stream.timepoint
  }

  // Where c executes the second copy, c reads the first result: so this must not be a's, and the second step is the alias.
  // CHECK-LABEL: @chain_that_c_copies
  util.func public @chain_that_c_copies() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>)
    // CHECK: stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_b>, #hal.device.affinity<@dev_c>]>)
    // CHECK-NOT: stream.resource.alloca
    // CHECK: stream.cmd.copy
    // CHECK-NOT: stream.cmd.copy
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %far, %far_ready = stream.resource.alloca uninitialized on(#c) : !transient{%c256} => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (discrete-link: the topology declares no shared memory; @dev_a -> @dev_c)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %far_ready2 = stream.timepoint.join max(%used, %far_ready) => !stream.timepoint
    %there = stream.cmd.execute on(#c) await(%far_ready2) => with(%result as %s: !transient{%c256}, %far as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#b) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_b to @dev_c: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    util.return %there : !stream.timepoint
  }

  // Alone, the last step is an alias.
  // CHECK-LABEL: @b_to_c
  util.func public @b_to_c() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_b>, #hal.device.affinity<@dev_c>]>)
    // CHECK-NOT: stream.cmd.copy
    %source, %source_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %made = stream.cmd.execute on(#b) await(%source_ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#c) await(%made) => !transient{%c256} => !stream.timepoint
    %used = stream.cmd.execute on(#c) await(%result_ready) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#b) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_b to @dev_c: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // A link that isn't declared.
  // CHECK-LABEL: @undeclared
  util.func public @undeclared() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#c) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#c) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_c: copy (discrete-link: the topology declares no shared memory; @dev_a -> @dev_c)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#c) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // The allocation itself may be placed on c.
  // CHECK-LABEL: @placed_for_third
  util.func public @placed_for_third() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#hal.device.optimal<[#a, #c]>) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (discrete-link: the topology declares no shared memory; @dev_a -> @dev_c)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

}
