// A reader and an in-place writer that both wait for the producer only: the writer waits for the reader, too. Its twin, where a
// chain orders them already, stays as it is.
//
// RUN: stream-zc-opt --zc-order-hazards=remarks --split-input-file --verify-diagnostics %s | FileCheck %s

// CHECK-LABEL: @unordered
util.func public @unordered(%x: !stream.resource<transient>, %ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  // CHECK: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%arg1)
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  // CHECK: %[[WROTE:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[READ]])
  %wrote = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    // expected-remark@+1 {{'stream.cmd.dispatch' and 'stream.cmd.fill' use the same bytes and nothing ordered them: the second waits for the first}}
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  %all = stream.timepoint.join max(%read, %wrote) => !stream.timepoint
  util.return %all : !stream.timepoint
}

// -----

// CHECK-LABEL: @ordered
util.func public @ordered(%x: !stream.resource<transient>, %ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  // CHECK: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%arg1)
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  // CHECK-NEXT: stream.cmd.dispatch
  // CHECK: %[[JOIN:.+]] = stream.timepoint.join max(%arg1, %[[READ]])
  %both = stream.timepoint.join max(%ready, %read) => !stream.timepoint
  // CHECK-NEXT: %[[OTHER:.+]], %[[OTHER_READY:.+]] = stream.resource.alloca uninitialized await(%[[JOIN]])
  %y, %y_ready = stream.resource.alloca uninitialized await(%both) => !stream.resource<transient>{%c64} => !stream.timepoint
  // CHECK-NEXT: stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[OTHER_READY]])
  %wrote = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%y_ready) => with(%x as %a: !stream.resource<transient>{%c64}, %y as %b: !stream.resource<transient>{%c64}) {
    stream.cmd.copy %a[%c0], %b[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  util.return %wrote : !stream.timepoint
}

// -----

// The host waits for the reader before it issues the writer: that is order enough.
// CHECK-LABEL: @host_waits
util.func public @host_waits(%x: !stream.resource<transient>, %ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  %y, %y_ready = stream.resource.alloca uninitialized await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%y_ready) => with(%x as %a: !stream.resource<transient>{%c64}, %y as %b: !stream.resource<transient>{%c64}) {
    stream.cmd.copy %a[%c0], %b[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  %z = stream.timepoint.await sync %read => %y : !stream.resource<transient>{%c64}
  %kept = util.optimization_barrier %z : !stream.resource<transient>
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%arg1)
  %wrote = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  util.return %wrote : !stream.timepoint
}

// -----

// Its twin: an await that isn't sync stays only where its result is used, so it orders nothing else.
// CHECK-LABEL: @host_may_not_wait
util.func public @host_may_not_wait(%x: !stream.resource<transient>, %ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  %y, %y_ready = stream.resource.alloca uninitialized await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%y_ready) => with(%x as %a: !stream.resource<transient>{%c64}, %y as %b: !stream.resource<transient>{%c64}) {
    stream.cmd.copy %a[%c0], %b[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  %z = stream.timepoint.await %read => %y : !stream.resource<transient>{%c64}
  %kept = util.optimization_barrier %z : !stream.resource<transient>
  // CHECK: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  // CHECK: stream.timepoint.join max(%arg1, %[[READ]])
  %wrote = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    // expected-remark@+1 {{the second waits for the first}}
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  util.return %wrote : !stream.timepoint
}

// -----

// Different slices of a slab, told apart by constants or by how the offsets were summed up.
// CHECK-LABEL: @disjoint
util.func public @disjoint(%x: !stream.resource<transient>, %ready: !stream.timepoint, %n: index, %size: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  %rounded = util.align %n, %c64 : index
  %end = arith.addi %rounded, %c64 : index
  // CHECK-COUNT-3: stream.cmd.execute {{.*}}await(%arg1)
  %r = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%x as %a: !stream.resource<transient>{%size}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %n] : !stream.resource<transient>{%size} }
  } => !stream.timepoint
  %w = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<transient>{%size}) {
    stream.cmd.fill %c0_i32, %a[%rounded for %c64] : i32 -> !stream.resource<transient>{%size}
  } => !stream.timepoint
  %v = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<transient>{%size}) {
    stream.cmd.fill %c0_i32, %a[%end for %c64] : i32 -> !stream.resource<transient>{%size}
  } => !stream.timepoint
  %all = stream.timepoint.join max(%r, %w, %v) => !stream.timepoint
  util.return %all : !stream.timepoint
}

// -----

// A slice by constants, a part of it, and one by values that may be anywhere.
// CHECK-LABEL: @mixed
util.func public @mixed(%x: !stream.resource<transient>, %ready: !stream.timepoint, %n: index, %size: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  // CHECK: %[[R:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  %r = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%x as %a: !stream.resource<transient>{%size}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%size} }
  } => !stream.timepoint
  // CHECK: %[[W:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[R]])
  %w = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<transient>{%size}) {
    // expected-remark@+1 {{the second waits for the first}}
    stream.cmd.fill %c0_i32, %a[%c0 for %c32] : i32 -> !stream.resource<transient>{%size}
  } => !stream.timepoint
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%[[W]])
  %v = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%w) => with(%x as %a: !stream.resource<transient>{%size}) {
    stream.cmd.fill %c0_i32, %a[%n for %c32] : i32 -> !stream.resource<transient>{%size}
  } => !stream.timepoint
  util.return %v : !stream.timepoint
}
