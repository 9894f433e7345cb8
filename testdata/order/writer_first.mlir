// Program order has the writer first, time has nothing: a read means the last write that happens before it, so the reader gets the
// older value and the writer goes behind it, with what depends on it.
//
// RUN: stream-zc-opt --zc-order-hazards --split-input-file --verify-diagnostics %s | FileCheck %s

// CHECK-LABEL: @moved
util.func public @moved(%x: !stream.resource<transient>, %ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  // CHECK: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%arg1)
  // CHECK: %[[WROTE:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[READ]])
  // CHECK-NEXT: stream.cmd.fill
  // CHECK: %[[Y:.+]], %[[Y_READY:.+]] = stream.resource.alloca uninitialized await(%[[WROTE]])
  // CHECK: stream.timepoint.join max(%[[READ]], %[[Y_READY]])
  %wrote = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  %y, %y_ready = stream.resource.alloca uninitialized await(%wrote) => !stream.resource<transient>{%c64} => !stream.timepoint
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  %all = stream.timepoint.join max(%read, %y_ready) => !stream.timepoint
  util.return %all : !stream.timepoint
}

// -----

// Two writers that nothing orders take program order, and that is worth a warning.
// CHECK-LABEL: @two_writers
util.func public @two_writers(%x: !stream.resource<transient>, %ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  %c1_i32 = arith.constant 1 : i32
  // CHECK: %[[FIRST:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%arg1)
  %first = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%[[FIRST]])
  %second = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    // expected-warning@+1 {{'stream.cmd.fill' and 'stream.cmd.fill' write the same bytes and nothing orders them; they take program order}}
    stream.cmd.fill %c1_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  %all = stream.timepoint.join max(%first, %second) => !stream.timepoint
  util.return %all : !stream.timepoint
}
