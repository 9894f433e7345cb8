// Ranges: contiguous ones of a region become one; only what was written is flushed and only what is read is invalidated; a range
// is whole cache lines.
//
// RUN: stream-zc-opt --zc-maintain-coherence --topology=%S/Inputs/both.json %s | FileCheck %s --check-prefixes=CHECK,LINE64
// RUN: stream-zc-opt --zc-maintain-coherence --topology=%S/Inputs/line-128.json %s | FileCheck %s --check-prefixes=CHECK,LINE128

module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  // CHECK-LABEL: @slices
  // LINE64-DAG: %[[C128:.+]] = arith.constant 128 : index
  // LINE64-DAG: %[[C512:.+]] = arith.constant 512 : index
  util.func public @slices(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c512 = arith.constant 512 : index
    %c1024 = arith.constant 1024 : index
    %c0_i32 = arith.constant 0 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c1024} => !stream.timepoint
    // CHECK: stream.cmd.concurrent {
    // CHECK-NEXT: stream.cmd.fill
    // CHECK-NEXT: stream.cmd.fill
    // CHECK-NEXT: stream.cmd.fill
    // CHECK-NEXT: {{^ *[}]}}
    // LINE64-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_b>) %{{.+}}[%c0 for %[[C128]]]
    // LINE128-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_b>) %{{.+}}[%c0 for %c128]
    // CHECK-NEXT: {{^ *[}]}} => !stream.timepoint
    %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c1024}) {
      stream.cmd.concurrent {
        stream.cmd.fill %c0_i32, %a[%c64 for %c64] : i32 -> !stream.resource<transient>{%c1024}
        stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c1024}
        stream.cmd.fill %c0_i32, %a[%c512 for %c64] : i32 -> !stream.resource<transient>{%c1024}
      }
    } => !stream.timepoint
    // B reads two of the three slices, and 32 bytes of the second.
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
    // LINE64-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %{{.+}}[%c0 for %[[C128]]]
    // LINE128-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %{{.+}}[%c0 for %c128]
    // CHECK-NEXT: stream.cmd.dispatch
    %c32 = arith.constant 32 : index
    %done = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %a: !stream.resource<transient>{%c1024}) {
      stream.cmd.dispatch @ex::@read {
        ro %a[%c0 for %c64] : !stream.resource<transient>{%c1024},
        ro %a[%c64 for %c32] : !stream.resource<transient>{%c1024}
      }
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
    // CHECK-NEXT: stream.cmd.dispatch
    %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%done) => with(%x as %a: !stream.resource<transient>{%c1024}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c512 for %c64] : !stream.resource<transient>{%c1024} }
    } => !stream.timepoint
    util.return %last : !stream.timepoint
  }
}
