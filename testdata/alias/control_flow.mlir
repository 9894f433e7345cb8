// Loop bodies and branches: the pass works in the block that allocates. A source that comes from elsewhere (a block argument, an allocation
// of the block before) keeps its copy.
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

  // CHECK-LABEL: @loop
  util.func public @loop(%start: !transient, %start_ready: !stream.timepoint, %count: index) -> (!transient, !stream.timepoint) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c256 = arith.constant 256 : index
    cf.br ^body(%start, %start_ready, %c0 : !transient, !stream.timepoint, index)
  // CHECK: ^bb1(%[[IN:.+]]: !stream.resource<transient>, %[[IN_READY:.+]]: !stream.timepoint, %{{.+}}: index):
  ^body(%in: !transient, %in_ready: !stream.timepoint, %i: index):
    // CHECK: %[[X:.+]], %[[READY:.+]] = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%[[IN_READY]])
    // CHECK-NOT: stream.resource.alloca
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) await(%in_ready) => !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) await(%in_ready) => !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    // CHECK: %[[MADE:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[READY]]) => with(%[[IN]] as %{{.+}}: !stream.resource<transient>{%c256}, %[[X]] as
    // CHECK-NOT: stream.cmd.copy
    %made = stream.cmd.execute on(#a) await(%ready) => with(%in as %i0: !transient{%c256}, %source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %i0[%c0 for %c256] : !transient{%c256}, wo %s[%c0 for %c256] : !transient{%c256} }
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
      stream.cmd.flush to(#b) %r[%c0 for %c256] : !transient{%c256}
    } => !stream.timepoint
    // CHECK: %[[FREED:.+]] = stream.resource.dealloca on(#hal.device.affinity<@dev_a>) await(%[[MADE]]) => %[[IN]]
    %freed = stream.resource.dealloca on(#a) await(%made) => %in : !transient{%c256} => !stream.timepoint
    %freed_source = stream.resource.dealloca on(#a) await(%made) => %source : !transient{%c256} => !stream.timepoint
    %next = stream.timepoint.join max(%freed, %freed_source) => !stream.timepoint
    // CHECK-NOT: stream.resource.dealloca
    %j = arith.addi %i, %c1 : index
    %again = arith.cmpi ult, %j, %count : index
    // CHECK: cf.cond_br %{{.+}}, ^bb1(%[[X]], %[[FREED]], {{.+}}), ^bb2(%[[X]], %[[FREED]] : {{.+}})
    cf.cond_br %again, ^body(%result, %next, %j : !transient, !stream.timepoint, index), ^end(%result, %next : !transient, !stream.timepoint)
  ^end(%out: !transient, %out_ready: !stream.timepoint):
    util.return %out, %out_ready : !transient, !stream.timepoint
  }

  // CHECK-LABEL: @loop_carried_source
  util.func public @loop_carried_source(%start: !transient, %start_ready: !stream.timepoint, %condition: i1) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    cf.br ^body(%start, %start_ready : !transient, !stream.timepoint)
  ^body(%in: !transient, %in_ready: !stream.timepoint):
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) await(%in_ready) => !transient{%c256} => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%result_ready) => with(%in as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (source-not-allocation: the source is not an allocation of this block)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    cf.cond_br %condition, ^body(%result, %copied : !transient, !stream.timepoint), ^end
  ^end:
    util.return %copied : !stream.timepoint
  }

  // CHECK-LABEL: @in_branch
  util.func public @in_branch(%condition: i1, %begin: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    cf.cond_br %condition, ^then, ^end(%begin : !stream.timepoint)
  ^then:
    // CHECK-COUNT-1: stream.resource.alloca
    // CHECK-NOT: stream.resource.alloca
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) await(%begin) => !transient{%c256} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) await(%begin) => !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    // CHECK-NOT: stream.cmd.copy
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
    %freed = stream.resource.dealloca on(#b) await(%used) => %result : !transient{%c256} => !stream.timepoint
    cf.br ^end(%freed : !stream.timepoint)
  ^end(%done: !stream.timepoint):
    util.return %done : !stream.timepoint
  }

  // CHECK-LABEL: @allocated_before_branch
  util.func public @allocated_before_branch(%condition: i1) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c256} => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%source_ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    cf.cond_br %condition, ^then, ^end(%made : !stream.timepoint)
  ^then:
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%made, %result_ready) => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%ready) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !transient{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (source-not-allocation: the source is not an allocation of this block; stream.resource.alloca)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    cf.br ^end(%copied : !stream.timepoint)
  ^end(%done: !stream.timepoint):
    util.return %done : !stream.timepoint
  }

  // In a region of structured control flow, too.
  // CHECK-LABEL: @in_scf_if
  util.func public @in_scf_if(%condition: i1) {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    scf.if %condition {
      // CHECK-COUNT-1: stream.resource.alloca
      // CHECK-NOT: stream.resource.alloca
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
      %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
        stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
      } => !stream.timepoint
    }
    util.return
  }
}
