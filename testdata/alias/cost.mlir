// Over a slow link many reads cost more than one copy: read_cost and copy_cost of the link on which the target reads say how many.
//
// RUN: stream-zc-opt --zc-alias-allocations=remarks --verify-diagnostics %s | FileCheck %s

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!transient = !stream.resource<transient>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true, read_cost = 5.000000e-01 : f64, copy_cost = 1.000000e+00 : f64})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // CHECK-LABEL: @two_reads
  util.func public @two_reads() -> !stream.timepoint {
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
    %used0 = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%used0) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // CHECK-LABEL: @three_reads
  util.func public @three_reads() -> !stream.timepoint {
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
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (read-cost: reading across the link costs more than one copy)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used0 = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %used1 = stream.cmd.execute on(#b) await(%used0) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%used1) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // The user decides otherwise.
  // CHECK-LABEL: @three_reads_wanted
  util.func public @three_reads_wanted() -> !stream.timepoint {
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
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (explicit-alias: zc.kind asks for an alias)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256} attributes {zc.kind = "alias"}
    } => !stream.timepoint
    %used0 = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %used1 = stream.cmd.execute on(#b) await(%used0) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%used1) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

}
