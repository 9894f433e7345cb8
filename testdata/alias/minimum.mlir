// Below --zc-min-alias-bytes a transfer is copied; at it, it isn't. What isn't constant is never too small.
//
// RUN: stream-zc-opt --zc-alias-allocations="remarks=true min-alias-bytes=256" --verify-diagnostics %s | FileCheck %s

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!transient = !stream.resource<transient>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // CHECK-LABEL: @at_minimum
  util.func public @at_minimum() -> !stream.timepoint {
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
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // CHECK-LABEL: @below
  util.func public @below() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c192 = arith.constant 192 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%c192} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c192} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%c192}) {
      stream.cmd.fill %value, %s[%c0 for %c192] : i32 -> !transient{%c192}
    } => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%c192}, %result as %r: !transient{%c192}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c192] : !transient{%c192}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (below-minimum-bytes: smaller than the least size to alias)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c192 : !transient{%c192} -> !transient{%c192}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c192}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c192] : !transient{%c192} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // CHECK-LABEL: @dynamic
  util.func public @dynamic(%size: index) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %value = arith.constant 7 : i32
    %source, %source_ready = stream.resource.alloca uninitialized on(#a) : !transient{%size} => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%size} => !stream.timepoint
    %ready = stream.timepoint.join max(%source_ready, %result_ready) => !stream.timepoint
    %made = stream.cmd.execute on(#a) await(%ready) => with(%source as %s: !transient{%size}) {
      stream.cmd.fill %value, %s[%c0 for %size] : i32 -> !transient{%size}
    } => !stream.timepoint
    // CHECK-NOT: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%made) => with(%source as %s: !transient{%size}, %result as %r: !transient{%size}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %size] : !transient{%size}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %size : !transient{%size} -> !transient{%size}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%size}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %size] : !transient{%size} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

}
