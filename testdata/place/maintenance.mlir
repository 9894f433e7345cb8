// RUN: stream-zc-opt %s --split-input-file --mlir-print-local-scope | FileCheck %s

// Which maintenance a copy has, by the device that executes it. Without a topology it is IREE's own.

// A reads what B made.
// CHECK-LABEL: util.func public @read_by_target
// CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
// CHECK: stream.cmd.dispatch @ex::@make
// CHECK-NOT: stream.cmd.flush
// CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
// CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_b>)
// CHECK-NEXT: stream.cmd.copy
// CHECK-NEXT: } => !stream.timepoint
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @read_by_target(%source: !stream.resource<external>, %n: index) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_b>) @ex::@make[%c1](%source[%c0 to %n for %n]) : (!stream.resource<external>{%n}) -> !stream.resource<transient>{%n}
    %result = stream.async.transfer %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// B writes for A.
// CHECK-LABEL: util.func public @written_by_source
// CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
// CHECK: stream.cmd.dispatch @ex::@make
// CHECK: stream.cmd.copy
// CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_a>)
// CHECK-NEXT: } => !stream.timepoint
// CHECK-NOT: stream.cmd.invalidate
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @written_by_source(%source: !stream.resource<external>, %n: index) -> !stream.resource<external> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_b>) @ex::@make[%c1](%source[%c0 to %n for %n]) : (!stream.resource<external>{%n}) -> !stream.resource<transient>{%n}
    %result = stream.async.transfer %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    util.return %result : !stream.resource<external>
  }
}

// -----

// C reads what B made, and writes for A: both.
// CHECK-LABEL: util.func public @read_by_third
// CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
// CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_c>)
// CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_b>)
// CHECK-NEXT: stream.cmd.copy
// CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_a>)
// CHECK-NEXT: } => !stream.timepoint
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @read_by_third(%source: !stream.resource<external>, %n: index) -> !stream.resource<external> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_b>) @ex::@make[%c1](%source[%c0 to %n for %n]) : (!stream.resource<external>{%n}) -> !stream.resource<transient>{%n}
    %result = stream.async.transfer on(#hal.device.affinity<@dev_c>) %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    util.return %result : !stream.resource<external>
  }
}
