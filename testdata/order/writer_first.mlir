// Program order has the writer first, time has nothing: a read means the last write that happens before it, so the reader gets the
// older value and the writer goes behind it, with what depends on it. Where that can't move, the reader goes first; where neither
// can, it gets a copy.
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

// -----

// The updated memory is exported, so the writer stays: the reader comes before it.
// CHECK-LABEL: @reader_first
util.func public @reader_first(%x: !stream.resource<external>, %ready: !stream.timepoint) -> (!hal.buffer_view, !stream.timepoint) {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  // CHECK: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  // CHECK: %[[BOTH:.+]] = stream.timepoint.join max(%arg1, %[[READ]])
  // CHECK: %[[WROTE:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[BOTH]])
  // CHECK: stream.timepoint.await %[[WROTE]]
  %wrote = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<external>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<external>{%c64}
  } => !stream.timepoint
  %seen = stream.timepoint.await %wrote => %x : !stream.resource<external>{%c64}
  %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %seen : tensor<16xi32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  %y, %y_ready = stream.resource.alloca uninitialized await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%y_ready) => with(%x as %a: !stream.resource<external>{%c64}, %y as %b: !stream.resource<transient>{%c64}) {
    stream.cmd.copy %a[%c0], %b[%c0], %c64 : !stream.resource<external>{%c64} -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  util.return %view, %read : !hal.buffer_view, !stream.timepoint
}

// -----

// A call has the updated memory before the reader is issued, so neither can move: the reader gets a copy.
util.func private @consume(!stream.resource<transient>, !stream.timepoint)
// CHECK-LABEL: @protected
util.func public @protected(%x: !stream.resource<transient>, %ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  // CHECK: %[[COPY:.+]], %{{.+}} = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>)
  // CHECK: %[[COPIED:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  // CHECK-NEXT: stream.cmd.copy
  // CHECK: %[[WROTE:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[COPIED]])
  // CHECK: util.call @consume(%arg0, %[[WROTE]])
  %wrote = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  util.call @consume(%x, %wrote) : (!stream.resource<transient>, !stream.timepoint) -> ()
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%[[COPIED]]) => with({{.+}}, %[[COPY]] as %[[IN:.+]]: !stream.resource<transient>{%c64})
  // CHECK: ro %[[IN]]
  // CHECK: stream.resource.dealloca {{.*}} => %[[COPY]]
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  %all = stream.timepoint.join max(%read, %wrote) => !stream.timepoint
  util.return %all : !stream.timepoint
}

// -----

// Each region reads what the other one writes, and both mean what was there before: whichever waits reads a copy.
// CHECK-LABEL: @crossed
util.func public @crossed(%x: !stream.resource<transient>, %y: !stream.resource<transient>, %ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[COPY:.+]], %{{.+}} = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>)
  // CHECK: %[[COPIED:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  // CHECK-NEXT: stream.cmd.copy
  // CHECK: %[[FIRST:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[COPIED]])
  %first = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}, %y as %b: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@run { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64}, wo %b[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>) await({{.*}}) => with({{.+}}, %[[COPY]] as %[[IN:.+]]: !stream.resource<transient>{%c64})
  // CHECK: ro %[[IN]]
  %second = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}, %y as %b: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@run { ro %b[%c0 for %c64] : !stream.resource<transient>{%c64}, wo %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  %all = stream.timepoint.join max(%first, %second) => !stream.timepoint
  util.return %all : !stream.timepoint
}
