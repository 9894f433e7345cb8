// Memory that the caller gave: it is where the caller put it, so its readers must be able to access it there, and nothing may write it.
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

  // CHECK-LABEL: @read_only
  util.func public @read_only(%buffer: !hal.buffer_view) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    // CHECK: %[[IMPORT:.+]] = stream.tensor.import
    // CHECK-NOT: stream.resource.{{alloca|dealloca}}
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>) {{.*}}with(%[[IMPORT]] as %[[A:.+]]: !stream.resource<external>{%c256})
    // CHECK-NEXT: stream.cmd.dispatch
    // CHECK-NEXT: ro %[[A]][%c0 for %c256] : !stream.resource<external>{%c256}
    // CHECK-NOT: stream.resource.dealloca
    %import = stream.tensor.import on(#a) %buffer : !hal.buffer_view -> tensor<64xf32> in !external{%c256}
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %copied = stream.cmd.execute on(#b) await(%result_ready) => with(%import as %s: !external{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !external{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (shared-memory: all users share unified memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !external{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %freed = stream.resource.dealloca on(#b) await(%used) => %result : !transient{%c256} => !stream.timepoint
    util.return %freed : !stream.timepoint
  }

  // An in-place update of the result would reach the caller.
  // CHECK-LABEL: @result_updated
  util.func public @result_updated(%buffer: !hal.buffer_view) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %import = stream.tensor.import on(#a) %buffer : !hal.buffer_view -> tensor<64xf32> in !external{%c256}
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%result_ready) => with(%import as %s: !external{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !external{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (source-not-owned: an in-place update would write memory that the program doesn't own; stream.tensor.import)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !external{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %updated = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { rw %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %updated : !stream.timepoint
  }

  // An export would give the caller one buffer twice.
  // CHECK-LABEL: @result_exported
  util.func public @result_exported(%buffer: !hal.buffer_view, %fence: !hal.fence) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %import = stream.tensor.import on(#a) %buffer : !hal.buffer_view -> tensor<64xf32> in !external{%c256}
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !external{%c256} => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%result_ready) => with(%import as %s: !external{%c256}, %result as %r: !external{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !external{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (source-not-owned: an in-place update would write memory that the program doesn't own; stream.tensor.import)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !external{%c256} -> !external{%c256}
    } => !stream.timepoint
    stream.timepoint.chain_external on(#b) %copied => (%fence : !hal.fence)
    %view = stream.tensor.export on(#b) %result : tensor<64xf32> in !external{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }

  // Written through the import.
  // CHECK-LABEL: @import_written
  util.func public @import_written(%buffer: !hal.buffer_view) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %import = stream.tensor.import on(#a) %buffer : !hal.buffer_view -> tensor<64xf32> in !external{%c256}
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%result_ready) => with(%import as %s: !external{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !external{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (import-not-shareable: the caller placed the buffer; stream.tensor.import)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !external{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%copied) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %written = stream.cmd.execute on(#a) await(%used) => with(%import as %s: !external{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !external{%c256}
    } => !stream.timepoint
    util.return %written : !stream.timepoint
  }

  // Two imports may be one buffer.
  // CHECK-LABEL: @other_import_written
  util.func public @other_import_written(%buffer: !hal.buffer_view, %second: !hal.buffer_view) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    %import = stream.tensor.import on(#a) %buffer : !hal.buffer_view -> tensor<64xf32> in !external{%c256}
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %other = stream.tensor.import on(#a) %second : !hal.buffer_view -> tensor<64xf32> in !external{%c256}
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%result_ready) => with(%import as %s: !external{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !external{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (import-not-shareable: the caller placed the buffer; stream.tensor.import)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !external{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %written = stream.cmd.execute on(#a) await(%copied) => with(%other as %s: !external{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !external{%c256}
    } => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%written) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // The callee may write the import before the result is read.
  // CHECK-LABEL: @import_passed_on
  util.func public @import_passed_on(%buffer: !hal.buffer_view) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %import = stream.tensor.import on(#a) %buffer : !hal.buffer_view -> tensor<64xf32> in !external{%c256}
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%result_ready) => with(%import as %s: !external{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !external{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (import-not-shareable: the caller placed the buffer; stream.tensor.import)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !external{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %called = util.call @callee(%import, %copied) : (!external, !stream.timepoint) -> !stream.timepoint
    %both = stream.timepoint.join max(%copied, %called) => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%both) => with(%result as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // The host waits for the result: a value of its own from then on.
  // CHECK-LABEL: @waited_for
  util.func public @waited_for(%buffer: !hal.buffer_view) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %import = stream.tensor.import on(#a) %buffer : !hal.buffer_view -> tensor<64xf32> in !external{%c256}
    %result, %result_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    // CHECK: stream.cmd.copy
    %copied = stream.cmd.execute on(#b) await(%result_ready) => with(%import as %s: !external{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !external{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (source-not-owned: an in-place update would write memory that the program doesn't own; stream.tensor.import)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !external{%c256} -> !transient{%c256}
    } => !stream.timepoint
    %there = stream.timepoint.await sync %copied => %result : !transient{%c256}
    %now = stream.timepoint.immediate => !stream.timepoint
    %used = stream.cmd.execute on(#b) await(%now) => with(%there as %r: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  util.func private @callee(!external, !stream.timepoint) -> !stream.timepoint
}
