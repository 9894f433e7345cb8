// RUN: stream-zc-opt %s --split-input-file --zc-place-transfer-executions --mlir-print-local-scope | FileCheck %s
// RUN: iree-opt %s --split-input-file --iree-stream-place-transfer-executions --mlir-print-local-scope | FileCheck %s
// RUN: stream-zc-opt %s --split-input-file --zc-place-transfer-executions=remarks -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The result goes to the caller from A: A takes it over.
// REMARK: place.mlir:[[@LINE+9]]:15: remark: transfer executes on #hal.device.affinity<@dev_a>: its result is pinned there
// REMARK-NOT: remark:

// CHECK-LABEL: util.func public @into_pinned_result
// CHECK: stream.async.transfer on(#hal.device.affinity<@dev_a>) %{{.+}} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>)
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @into_pinned_result(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// Near it: nothing pins the result, whoever calls decides.
// CHECK-LABEL: util.func public @into_free_result
// CHECK: stream.async.transfer %
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @into_free_result(%source: !stream.resource<transient>, %n: index) -> !stream.resource<external> {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    util.return %result : !stream.resource<external>
  }
}

// -----

// Near it: A executes it anyway.
// CHECK-LABEL: util.func public @on_one_device
// CHECK: stream.async.transfer %
module {
  util.global private @dev_a : !hal.device
  util.func public @on_one_device(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// What the program says stays, on the target or on a device that is neither end.
// CHECK-LABEL: util.func public @on_target
// CHECK: stream.async.transfer on(#hal.device.affinity<@dev_a>) %{{.+}} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>)
// CHECK-LABEL: util.func public @on_third_device
// CHECK: stream.async.transfer on(#hal.device.affinity<@dev_c>) %{{.+}} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>)
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @on_target(%source: !stream.resource<transient>, %n: index) -> !stream.resource<external> {
    %result = stream.async.transfer on(#hal.device.affinity<@dev_a>) %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    util.return %result : !stream.resource<external>
  }
  util.func public @on_third_device(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer on(#hal.device.affinity<@dev_c>) %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}
