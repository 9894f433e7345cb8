// The default pipeline follows from what a module holds.
//
// RUN: stream-zc-opt --split-input-file --dump-pass-pipeline %s 2>&1 >/dev/null | FileCheck %s
// CHECK: builtin.module(zc-pin-transfer-kind,zc-set-aside-topology,{{.*}}iree-stream-conversion,{{.*}},zc-classify-transfers,zc-elide-transfers,{{.*}}iree-stream-refine-usage,{{.*}}zc-restore-topology,{{.*}}zc-alias-allocations
// CHECK-NEXT: builtin.module(zc-pin-transfer-kind,zc-set-aside-topology,zc-classify-transfers,zc-elide-transfers,iree-{{.*}}iree-stream-refine-usage,{{.*}}zc-alias-allocations
// CHECK-NEXT: builtin.module(zc-pin-transfer-kind,zc-set-aside-topology,zc-classify-transfers,zc-elide-transfers,zc-{{.*}}iree-stream-schedule-execution,{{.*}}zc-alias-allocations
// CHECK-NEXT: builtin.module(zc-pin-transfer-kind,zc-set-aside-topology,iree-stream-schedule-allocation,{{.*}}zc-alias-allocations
// CHECK-NEXT: builtin.module(zc-classify-transfers,zc-alias-allocations,
// CHECK-NOT: builtin.module

// Nothing to do: no pipeline.
util.func public @plain(%x: i32) -> i32 {
  util.return %x : i32
}

// -----

util.func public @flow(%x: !hal.buffer_view) -> !hal.buffer_view {
  %0 = hal.tensor.import %x : !hal.buffer_view -> tensor<4xf32>
  %1 = hal.tensor.export %0 : tensor<4xf32> -> !hal.buffer_view
  util.return %1 : !hal.buffer_view
}

// -----

util.func private @unrefined(%x: !stream.resource<*>, %n: index) -> !stream.resource<*> {
  %0 = stream.async.clone %x : !stream.resource<*>{%n} -> !stream.resource<*>{%n}
  util.return %0 : !stream.resource<*>
}

// -----

util.func private @refined(%x: !stream.resource<transient>, %n: index) -> !stream.resource<transient> {
  %0 = stream.async.clone %x : !stream.resource<transient>{%n} -> !stream.resource<transient>{%n}
  util.return %0 : !stream.resource<transient>
}

// -----

util.func private @executes(%x: !stream.resource<transient>, %n: index) -> (!stream.resource<transient>, !stream.timepoint) {
  %0, %t = stream.async.execute with(%x as %y: !stream.resource<transient>{%n}) -> !stream.resource<transient>{%n} {
    %1 = stream.async.clone %y : !stream.resource<transient>{%n} -> !stream.resource<transient>{%n}
    stream.yield %1 : !stream.resource<transient>{%n}
  } => !stream.timepoint
  util.return %0, %t : !stream.resource<transient>, !stream.timepoint
}

// -----

util.func private @scheduled(%n: index) -> (!stream.resource<transient>, !stream.timepoint) {
  %0, %t = stream.resource.alloca uninitialized : !stream.resource<transient>{%n} => !stream.timepoint
  util.return %0, %t : !stream.resource<transient>, !stream.timepoint
}
