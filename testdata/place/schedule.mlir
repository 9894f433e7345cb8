// RUN: stream-zc-opt %s --split-input-file --pass-pipeline='builtin.module(zc-classify-transfers,zc-elide-transfers,zc-place-transfer-executions,util.func(iree-stream-schedule-execution))' --mlir-print-local-scope | FileCheck %s

// IREE's execution regions, formed after our passes.

// The transfer executes on A, its producer on B: regions of their own. Inside, `on(..)` and `to(..)` say what the region says, and are gone.
// CHECK-LABEL: util.func public @apart_from_producer
// CHECK: stream.async.execute on(#hal.device.affinity<@dev_b>)
// CHECK-NEXT: stream.async.dispatch @ex::@make
// CHECK-NEXT: stream.yield
// CHECK: stream.async.execute on(#hal.device.affinity<@dev_a>)
// CHECK-NEXT: stream.async.transfer %{{.+}} : !stream.resource<transient>{%{{.+}}} from(#hal.device.affinity<@dev_b>) -> !stream.resource<external>
// CHECK-NEXT: stream.yield
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @apart_from_producer(%source: !stream.resource<external>, %n: index) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_b>) @ex::@make[%c1](%source[%c0 to %n for %n]) : (!stream.resource<external>{%n}) -> !stream.resource<transient>{%n}
    %result = stream.async.transfer %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// Near it: nothing pins the result, B executes both.
// CHECK-LABEL: util.func public @with_producer
// CHECK: stream.async.execute on(#hal.device.affinity<@dev_b>)
// CHECK-NEXT: stream.async.dispatch @ex::@make
// CHECK-NEXT: stream.async.transfer %{{.+}} : !stream.resource<transient>{%{{.+}}} -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>
// CHECK-NEXT: stream.yield
// CHECK-NOT: stream.async.execute
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @with_producer(%source: !stream.resource<external>, %n: index) -> !stream.resource<external> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_b>) @ex::@make[%c1](%source[%c0 to %n for %n]) : (!stream.resource<external>{%n}) -> !stream.resource<transient>{%n}
    %result = stream.async.transfer %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    util.return %result : !stream.resource<external>
  }
}

// -----

// Used on A and pinned there: transfer and use are one region on A.
// CHECK-LABEL: util.func public @with_consumer
// CHECK: stream.async.execute on(#hal.device.affinity<@dev_b>)
// CHECK-NEXT: stream.async.dispatch @ex::@make
// CHECK-NEXT: stream.yield
// CHECK: stream.async.execute on(#hal.device.affinity<@dev_a>)
// CHECK-NEXT: stream.async.transfer %{{.+}} from(#hal.device.affinity<@dev_b>) -> !stream.resource<external>
// CHECK-NEXT: stream.async.dispatch @ex::@use
// CHECK-NEXT: stream.yield
// CHECK-NOT: stream.async.execute
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @with_consumer(%source: !stream.resource<external>, %n: index) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_b>) @ex::@make[%c1](%source[%c0 to %n for %n]) : (!stream.resource<external>{%n}) -> !stream.resource<transient>{%n}
    %moved = stream.async.transfer %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %result = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@use[%c1](%moved[%c0 to %n for %n]) : (!stream.resource<external>{%n}) -> %moved{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// The program says it itself.
// CHECK-LABEL: util.func public @said_by_hand
// CHECK: stream.async.execute on(#hal.device.affinity<@dev_b>)
// CHECK-NEXT: stream.async.dispatch @ex::@make
// CHECK-NEXT: stream.yield
// CHECK: stream.async.execute on(#hal.device.affinity<@dev_a>)
// CHECK-NEXT: stream.async.transfer %{{.+}} : !stream.resource<transient>{%{{.+}}} from(#hal.device.affinity<@dev_b>) -> !stream.resource<external>
// CHECK-NEXT: stream.yield
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @said_by_hand(%source: !stream.resource<external>, %n: index) -> !stream.resource<external> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_b>) @ex::@make[%c1](%source[%c0 to %n for %n]) : (!stream.resource<external>{%n}) -> !stream.resource<transient>{%n}
    %result = stream.async.transfer on(#hal.device.affinity<@dev_a>) %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    util.return %result : !stream.resource<external>
  }
}

// -----

// Queue 0 of A makes it, queues 0 and 1 of A hold it: together.
// CHECK-LABEL: util.func public @one_of_two_queues
// CHECK: stream.async.execute on(#hal.device.affinity<@dev_a, [0]>)
// CHECK-NEXT: stream.async.dispatch @ex::@make
// CHECK-NEXT: stream.async.transfer
// CHECK-NEXT: stream.yield
// CHECK-NOT: stream.async.execute
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @one_of_two_queues(%source: !stream.resource<external>, %n: index) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_a, [0]>) @ex::@make[%c1](%source[%c0 to %n for %n]) : (!stream.resource<external>{%n}) -> !stream.resource<transient>{%n}
    %result = stream.async.transfer %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a, [0]>) -> to(#hal.device.affinity<@dev_a, [0, 1]>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a, [0, 1]>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// Near it: queue 1 holds it: apart.
// CHECK-LABEL: util.func public @another_queue
// CHECK: stream.async.execute on(#hal.device.affinity<@dev_a, [0]>)
// CHECK-NEXT: stream.async.dispatch @ex::@make
// CHECK-NEXT: stream.yield
// CHECK: stream.async.execute on(#hal.device.affinity<@dev_a, [1]>)
// CHECK-NEXT: stream.async.transfer
// CHECK-NEXT: stream.yield
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @another_queue(%source: !stream.resource<external>, %n: index) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_a, [0]>) @ex::@make[%c1](%source[%c0 to %n for %n]) : (!stream.resource<external>{%n}) -> !stream.resource<transient>{%n}
    %result = stream.async.transfer %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a, [0]>) -> to(#hal.device.affinity<@dev_a, [1]>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a, [1]>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}
