// Allocations of different size: a larger source will do; a smaller one is made larger where that can be said before it, by a constant or
// by rounding up. What isn't seen knows the result by its size, so that an export must keep it.
//
// RUN: stream-zc-opt --zc-alias-allocations=remarks --verify-diagnostics %s | FileCheck %s
// RUN: stream-zc-opt --zc-alias-allocations %s -o %t.once
// RUN: stream-zc-opt --zc-alias-allocations %t.once | diff %t.once -

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!transient = !stream.resource<transient>
!external = !stream.resource<external>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // The source has room to spare.
  // CHECK-LABEL: @source_rounded_up
  util.func public @source_rounded_up() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c320 = arith.constant 320 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.resource.alloca {{.+}}{%c320}
    // CHECK-NOT: stream.resource.alloca
    // CHECK-NOT: stream.cmd.copy
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c320} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c320}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c320}
    } => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c320}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c320}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c320} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // The allocation takes the result's size, and everything that names its size follows.
  // CHECK-LABEL: @result_rounded_up
  util.func public @result_rounded_up() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c320 = arith.constant 320 : index
    %value = arith.constant 7 : i32
    // CHECK: %[[SIZE:.+]] = arith.constant 320 : index
    // CHECK: %[[X:.+]], %{{.+}} = stream.resource.alloca {{.+}} : !stream.resource<transient>{%[[GROWN:.+]]} =>
    // CHECK-NOT: stream.resource.alloca
    // CHECK: stream.cmd.execute {{.+}} with(%[[X]] as %{{.+}}: !stream.resource<transient>{%[[GROWN]]})
    // CHECK-NEXT: stream.cmd.fill {{.+}}[%c0 for %c256] : i32 -> !stream.resource<transient>{%[[GROWN]]}
    // CHECK-NOT: stream.cmd.copy
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c320} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c320}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c320}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c320}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c320} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // The same by util.align: the rounding is done again before the source's allocation.
  // CHECK-LABEL: @result_rounded_up_dynamic
  util.func public @result_rounded_up_dynamic(%size: index) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %value = arith.constant 7 : i32
    // CHECK: %[[ROUNDED:.+]] = util.align %arg0, %{{.+}} : index
    // CHECK: stream.resource.alloca {{.+}} : !stream.resource<transient>{%[[ROUNDED]]}
    // CHECK-NOT: stream.cmd.copy
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%size} => !stream.timepoint
    %rounded = util.align %size, %c64 : index
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%rounded} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%size}) {
      stream.cmd.fill %value, %s[%c0 for %size] : i32 -> !transient{%size}
    } => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%size}, %result as %r: !transient{%rounded}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %size] : !transient{%size}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %size : !transient{%size} -> !transient{%rounded}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%rounded}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %size] : !transient{%rounded} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // CHECK-LABEL: @source_rounded_up_dynamic
  util.func public @source_rounded_up_dynamic(%size: index) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.cmd.copy
    %rounded = util.align %size, %c64 : index
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%rounded} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%size} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%rounded}) {
      stream.cmd.fill %value, %s[%c0 for %size] : i32 -> !transient{%rounded}
    } => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%rounded}, %result as %r: !transient{%size}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %size] : !transient{%rounded}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %size : !transient{%rounded} -> !transient{%size}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%size}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %size] : !transient{%size} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // Sizes that have nothing to do with each other.
  // CHECK-LABEL: @unrelated
  util.func public @unrelated(%size: index, %other: index) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%size} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%other} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%size}) {
      stream.cmd.fill %value, %s[%c0 for %size] : i32 -> !transient{%size}
    } => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%size}, %result as %r: !transient{%other}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %size] : !transient{%size}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (partial-result: the result is a part of its allocation)}}
      stream.cmd.copy %s[%c0], %r[%c0], %size : !transient{%size} -> !transient{%other}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%other}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %size] : !transient{%other} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // A copy into the middle of the result.
  // CHECK-LABEL: @into_a_part
  util.func public @into_a_part() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %c320 = arith.constant 320 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c320} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c320}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (partial-result: the result is a part of its allocation)}}
      stream.cmd.copy %s[%c0], %r[%c64], %c256 : !transient{%c256} -> !transient{%c320}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c320}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c320} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // Exported with the size that the allocation takes.
  // CHECK-LABEL: @exported_grows
  util.func public @exported_grows(%fence: !hal.fence) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c320 = arith.constant 320 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.cmd.copy
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !external{%c320} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !external{%c320}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !external{%c320}
    } => !stream.timepoint
    stream.timepoint.chain_external on(#b) %copied => (%fence : !hal.fence)
    %view = stream.tensor.export on(#b) %result : tensor<64xf32> in !external{%c320} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // The exported buffer would be larger than the result.
  // CHECK-LABEL: @exported_from_larger
  util.func public @exported_from_larger(%fence: !hal.fence) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c320 = arith.constant 320 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c320} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !external{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c320}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c320}
    } => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c320}, %result as %r: !external{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c320}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (partial-source: the source is a part of its allocation; stream.tensor.export)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c320} -> !external{%c256}
    } => !stream.timepoint
    stream.timepoint.chain_external on(#b) %copied => (%fence : !hal.fence)
    %view = stream.tensor.export on(#b) %result : tensor<64xf32> in !external{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // A program that asks for the size gets another answer from a larger allocation.
  // CHECK-LABEL: @size_asked
  util.func public @size_asked() -> index {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %c320 = arith.constant 320 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c320} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c320}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (unsupported-use: a use of the source or the result is not understood; stream.resource.size)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c320}
    } => !stream.timepoint
    %used = stream.resource.size %source : !transient
    util.return %used : index
  }

}
