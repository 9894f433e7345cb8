// A result that leaves the function's sight: exported, passed to a branch, a call or a return, stored in a global. The one allocation takes
// the result's type and isn't freed here; whoever gets it may write it, so the uses of the source must be over. What leaves before
// the copy, or leaves as the source, keeps its copy.
//
// RUN: stream-zc-opt --zc-alias-allocations=remarks --verify-diagnostics %s | FileCheck %s
// RUN: stream-zc-opt --zc-alias-allocations %s -o %t.once
// RUN: stream-zc-opt --zc-alias-allocations %t.once | diff %t.once -

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!transient = !stream.resource<transient>
!external = !stream.resource<external>
!variable = !stream.resource<variable>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // Exported; the deallocation of the source goes, and what awaited it awaits what it awaited.
  // CHECK-LABEL: @exported
  util.func public @exported(%fence: !hal.fence) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: %[[X:.+]], %{{.+}} = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) : !stream.resource<external>{%c256}
    // CHECK-NOT: stream.resource.{{alloca|dealloca}}
    // CHECK: %[[MADE:.+]] = stream.cmd.execute {{.+}} with(%[[X]] as %{{.+}}: !stream.resource<external>{%c256})
    // CHECK-NEXT: stream.cmd.fill {{.+}} -> !stream.resource<external>{%c256}
    // CHECK-NOT: stream.cmd.copy
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !external{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !external{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !external{%c256}
    } => !stream.timepoint
    %freed = stream.resource.dealloca on(#a) await(%copied) => %source : !transient{%c256} => !stream.timepoint
    // CHECK: stream.timepoint.chain_external on(#hal.device.affinity<@dev_b>) %[[MADE]]
    stream.timepoint.chain_external on(#b) %freed => (%fence : !hal.fence)
    // CHECK: stream.tensor.export on(#hal.device.affinity<@dev_b>) %[[X]] : tensor<64xf32> in !stream.resource<external>{%c256}
    %view = stream.tensor.export on(#b) %result : tensor<64xf32> in !external{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // The caller may write the result as soon as the fence is reached, and the source may still be read then.
  // CHECK-LABEL: @exported_while_source_is_read
  util.func public @exported_while_source_is_read(%fence: !hal.fence) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !external{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !external{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (unordered-users: no timepoint orders the uses of source and result; stream.cmd.dispatch)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !external{%c256}
    } => !stream.timepoint
    %again = stream.cmd.execute on(#a) await(%made) => with(%source as %s: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %s[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    stream.timepoint.chain_external on(#b) %copied => (%fence : !hal.fence)
    %view = stream.tensor.export on(#b) %result : tensor<64xf32> in !external{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // Here they are over.
  // CHECK-LABEL: @exported_after_source_reads
  util.func public @exported_after_source_reads(%fence: !hal.fence) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK-NOT: stream.cmd.copy
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !external{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %again = stream.cmd.execute on(#a) await(%made) => with(%source as %s: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %s[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%again) => with(%source as %s: !transient{%c256}, %result as %r: !external{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !external{%c256}
    } => !stream.timepoint
    stream.timepoint.chain_external on(#b) %copied => (%fence : !hal.fence)
    %view = stream.tensor.export on(#b) %result : tensor<64xf32> in !external{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // The source itself is the caller's, too.
  // CHECK-LABEL: @source_exported
  util.func public @source_exported(%fence: !hal.fence) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !external{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !external{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !external{%c256}
    } => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !external{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !external{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (source-escapes: the source leaves the program's sight; stream.tensor.export)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !external{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %view = stream.tensor.export on(#a) %source : tensor<64xf32> in !external{%c256} -> !hal.buffer_view
    stream.timepoint.chain_external on(#a) %used => (%fence : !hal.fence)
    util.return %view : !hal.buffer_view
  }

  // Exported before the source is allocated: its storage isn't there yet.
  // CHECK-LABEL: @exported_first
  util.func public @exported_first(%fence: !hal.fence) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !external{%c256} => !stream.timepoint
    // CHECK: stream.cmd.copy
    %view = stream.tensor.export on(#b) %result : tensor<64xf32> in !external{%c256} -> !hal.buffer_view
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !external{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (unordered-users: no timepoint orders the uses of source and result; stream.tensor.export)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !external{%c256}
    } => !stream.timepoint
    stream.timepoint.chain_external on(#b) %copied => (%fence : !hal.fence)
    util.return %view : !hal.buffer_view
  }

  // Passed to another block with its timepoint.
  // CHECK-LABEL: @branch
  util.func public @branch() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: %[[X:.+]], %{{.+}} = stream.resource.alloca
    // CHECK-NOT: stream.resource.alloca
    // CHECK: %[[MADE:.+]] = stream.cmd.execute
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
    // CHECK-NOT: stream.cmd.copy
    // CHECK: cf.br ^{{.+}}(%[[X]], %[[MADE]] : !stream.resource<transient>, !stream.timepoint)
    cf.br ^next(%result, %copied : !transient, !stream.timepoint)
  ^next(%x: !transient, %x_ready: !stream.timepoint):
    %used = stream.cmd.execute on(#b) await(%x_ready) => with(%x as %x0: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %x0[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // The block takes a transient resource, and the source is an external one.
  // CHECK-LABEL: @branch_type
  util.func public @branch_type() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !external{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !external{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !external{%c256}
    } => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !external{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !external{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (type-mismatch: source and result have different resource types)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !external{%c256} -> !transient{%c256}
    } => !stream.timepoint
    cf.br ^next(%result, %copied : !transient, !stream.timepoint)
  ^next(%x: !transient, %x_ready: !stream.timepoint):
    %used = stream.cmd.execute on(#b) await(%x_ready) => with(%x as %x0: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %x0[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // CHECK-LABEL: @returned
  util.func public @returned() -> (!transient, !stream.timepoint) {
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
    // CHECK: util.return %{{.+}}, %{{.+}} : !stream.resource<transient>, !stream.timepoint
    util.return %result, %copied : !transient, !stream.timepoint
  }

  // Kept in a global: the storage becomes a variable.
  // CHECK-LABEL: @stored
  util.func public @stored() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !variable{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    // CHECK-NOT: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !variable{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !variable{%c256}
    } => !stream.timepoint
    // CHECK: util.global.store %{{.+}}, @state : !stream.resource<variable>
    util.global.store %result, @state : !stream.resource<variable>
    util.return %copied : !stream.timepoint
  }

  // CHECK-LABEL: @passed_to_call
  util.func public @passed_to_call() -> !stream.timepoint {
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
    %used = util.call @callee(%result, %copied) : (!transient, !stream.timepoint) -> !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // The callee may write it, and would write the source.
  // CHECK-LABEL: @passed_to_call_before
  util.func public @passed_to_call_before() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %called = util.call @callee(%result, %result_ready) : (!transient, !stream.timepoint) -> !stream.timepoint
    %both = stream.timepoint.join max(%made, %called) => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%both) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (unordered-users: no timepoint orders the uses of source and result; util.call)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // The same in a nested region.
  // CHECK-LABEL: @stored_in_branch_before
  util.func public @stored_in_branch_before(%condition: i1) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    scf.if %condition {
      util.global.store %result, @kept : !transient
      util.call @other() : () -> ()
    }
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (unordered-users: no timepoint orders the uses of source and result; util.global.store)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  util.func private @callee(!transient, !stream.timepoint) -> !stream.timepoint
  util.func private @other()
  util.global private mutable @state : !stream.resource<variable>
  util.global private mutable @kept : !transient
}
