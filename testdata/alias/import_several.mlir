// What the caller placed is read in place by each device that gets it, not by the first one only: that a transfer is taken away doesn't make
// the buffer one that is written. So it doesn't matter, either, which of two branches stands first.
//
// RUN: stream-zc-opt --zc-alias-allocations=remarks --verify-diagnostics %s | FileCheck %s
// RUN: stream-zc-opt --verify-translation %s -o %t.once
// RUN: stream-zc-opt %t.once | diff %t.once -

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
#c = #hal.device.affinity<@dev_c>
!transient = !stream.resource<transient>
!external = !stream.resource<external>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_b -> @dev_a = {transparent_access = true}),
  (@dev_c -> @dev_a = {transparent_access = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device

  // CHECK-LABEL: @one_after_the_other
  util.func public @one_after_the_other(%buffer: !hal.buffer_view) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c128 = arith.constant 128 : index
    %c256 = arith.constant 256 : index
    // CHECK-NOT: stream.resource.alloca
    // CHECK-NOT: stream.cmd.copy
    // CHECK: on(#hal.device.affinity<@dev_b>)
    // CHECK: ro %{{.+}}[%c0 for %c128] : !stream.resource<external>{%c256}
    // CHECK-NOT: stream.cmd.copy
    // CHECK: on(#hal.device.affinity<@dev_c>)
    // CHECK: ro %{{.+}}[%c0 for %c256] : !stream.resource<external>{%c256}
    %import = stream.tensor.import on(#a) %buffer : !hal.buffer_view -> tensor<64xf32> in !external{%c256}
    %r1, %r1_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c128} => !stream.timepoint
    %used1 = stream.cmd.execute on(#b) await(%r1_ready) => with(%import as %s: !external{%c256}, %r1 as %r: !transient{%c128}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c128] : !external{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (transparent-access: all users access the owner's memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c128 : !external{%c256} -> !transient{%c128}
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c128] : !transient{%c128} }
    } => !stream.timepoint
    %r2, %r2_ready = stream.resource.alloca uninitialized on(#c) await(%used1) => !transient{%c256} => !stream.timepoint
    %used2 = stream.cmd.execute on(#c) await(%r2_ready) => with(%import as %s: !external{%c256}, %r2 as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !external{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_c: alias (transparent-access: all users access the owner's memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !external{%c256} -> !transient{%c256}
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used2 : !stream.timepoint
  }

  // CHECK-LABEL: @in_branches
  util.func public @in_branches(%buffer: !hal.buffer_view, %choice: i1) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    // CHECK-NOT: stream.resource.alloca
    // CHECK-NOT: stream.cmd.copy
    %import = stream.tensor.import on(#a) %buffer : !hal.buffer_view -> tensor<64xf32> in !external{%c256}
    cf.cond_br %choice, ^then, ^else
  ^then:
    %r1, %r1_ready = stream.resource.alloca uninitialized on(#b) : !transient{%c256} => !stream.timepoint
    %used1 = stream.cmd.execute on(#b) await(%r1_ready) => with(%import as %s: !external{%c256}, %r1 as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !external{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_b: alias (transparent-access: all users access the owner's memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !external{%c256} -> !transient{%c256}
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    cf.br ^after(%used1 : !stream.timepoint)
  ^else:
    %r2, %r2_ready = stream.resource.alloca uninitialized on(#c) : !transient{%c256} => !stream.timepoint
    %used2 = stream.cmd.execute on(#c) await(%r2_ready) => with(%import as %s: !external{%c256}, %r2 as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#a) %s[%c0 for %c256] : !external{%c256}
      // expected-remark@+1 {{transfer from @dev_a to @dev_c: alias (transparent-access: all users access the owner's memory)}}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !external{%c256} -> !transient{%c256}
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    cf.br ^after(%used2 : !stream.timepoint)
  ^after(%done: !stream.timepoint):
    util.return %done : !stream.timepoint
  }

}
