// Unified memory says that an allocation can be placed for both, not that what the caller placed is. --assume-shareable-imports says so.
//
// RUN: stream-zc-opt --zc-alias-allocations=remarks --verify-diagnostics %s | FileCheck %s
// RUN: stream-zc-opt --zc-alias-allocations=assume-shareable-imports=true %s | FileCheck %s --check-prefix=SHARED

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!transient = !stream.resource<transient>
!external = !stream.resource<external>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // SHARED-LABEL: @unified_only
  // CHECK-LABEL: @unified_only
  util.func public @unified_only(%buffer: !hal.buffer_view) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    // SHARED-NOT: stream.cmd.copy
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
    util.return %used : !stream.timepoint
  }

}
