// The order in which links are written down, in a file or in the attribute, says nothing: where several devices would do as the owner of a
// storage or as the peer of a flush, it is the one that the module declares first.
//
// RUN: stream-zc-opt --topology=%S/Inputs/links.json --maintenance=keep --verify-translation %s | FileCheck %s
// RUN: stream-zc-opt --topology=%S/Inputs/links-other-order.json --maintenance=keep --verify-translation %s | FileCheck %s
// RUN: stream-zc-opt --zc-import-topology=file=%S/Inputs/links-other-order.json %s -o %t.attribute.mlir
// RUN: stream-zc-opt --maintenance=keep %t.attribute.mlir | FileCheck %s
// RUN: stream-zc-opt --topology=%S/Inputs/links.json --no-default-pipeline --print-topology %s | FileCheck %s --check-prefix=SHOWN
// RUN: stream-zc-opt --print-topology --no-default-pipeline %t.attribute.mlir | FileCheck %s --check-prefix=SHOWN
// SHOWN: @npu and @cpu: one storage, in the memory of @npu
// SHOWN: @npu and @dsp: one storage, in the memory of @npu
// SHOWN: @cpu and @dsp: one storage, in the memory of @cpu

#npu = #hal.device.affinity<@npu>
#cpu = #hal.device.affinity<@cpu>
#dsp = #hal.device.affinity<@dsp>
!transient = !stream.resource<transient>

module {
  util.global private @npu : !hal.device
  util.global private @cpu : !hal.device
  util.global private @dsp : !hal.device

  // CHECK-LABEL: @owner
  util.func public @owner() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.resource.alloca uninitialized on(#hal.device.affinity<@cpu>)
    // CHECK-NOT: stream.resource.alloca
    // CHECK-NOT: stream.cmd.copy
    %source, %source_ready = stream.resource.alloca uninitialized on(#dsp) : !transient{%c256} => !stream.timepoint
    %made = stream.cmd.execute on(#dsp) await(%source_ready) => with(%source as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    %result, %result_ready = stream.resource.alloca uninitialized on(#cpu) await(%made) => !transient{%c256} => !stream.timepoint
    %used = stream.cmd.execute on(#cpu) await(%result_ready) => with(%source as %s: !transient{%c256}, %result as %r: !transient{%c256}) {
      stream.cmd.invalidate from(#dsp) %s[%c0 for %c256] : !transient{%c256}
      stream.cmd.copy %s[%c0], %r[%c0], %c256 : !transient{%c256} -> !transient{%c256}
      stream.cmd.dispatch @ex::@run { ro %r[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    util.return %used : !stream.timepoint
  }

  // CHECK-LABEL: @peer
  util.func public @peer() -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %value = arith.constant 7 : i32
    // CHECK: stream.cmd.fill
    // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@npu>)
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@cpu>)
    // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dsp>)
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@npu>)
    // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dsp>)
    %shared, %ready = stream.resource.alloca uninitialized on(#hal.device.optimal<[#dsp, #cpu, #npu]>) : !transient{%c256} => !stream.timepoint
    %made = stream.cmd.execute on(#dsp) await(%ready) => with(%shared as %s: !transient{%c256}) {
      stream.cmd.fill %value, %s[%c0 for %c256] : i32 -> !transient{%c256}
    } => !stream.timepoint
    cf.br ^readers
  ^readers:
    %one = stream.cmd.execute on(#cpu) await(%made) => with(%shared as %s: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %s[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %other = stream.cmd.execute on(#npu) await(%made) => with(%shared as %s: !transient{%c256}) {
      stream.cmd.dispatch @ex::@run { ro %s[%c0 for %c256] : !transient{%c256} }
    } => !stream.timepoint
    %used = stream.timepoint.join max(%one, %other) => !stream.timepoint
    util.return %used : !stream.timepoint
  }

}
