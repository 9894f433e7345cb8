// RUN: stream-zc-opt %s --zc-place-transfer-executions --mlir-print-local-scope | FileCheck %s --check-prefix=OURS
// RUN: iree-opt %s --iree-stream-place-transfer-executions --mlir-print-local-scope | FileCheck %s --check-prefix=IREE

// The one known difference. IREE marks what comes after a pin before it looks at what comes before, and stops there at
// values with a mark. In a loop %next is both: so IREE misses that %moved is held on A. How much of the loop IREE marks
// depends on the order of %held's uses.
// OURS: stream.async.transfer on(#hal.device.affinity<@dev_a>) %
// IREE: stream.async.transfer %
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %storage: !stream.resource<transient>, %cond: i1, %n: index) -> !stream.resource<external> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %now = stream.timepoint.immediate => !stream.timepoint
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    cf.br ^loop(%moved : !stream.resource<external>)
  ^loop(%state: !stream.resource<external>):
    %next = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@f[%c1](%state[%c0 to %n for %n]) : (!stream.resource<external>{%n}) -> %state{%n}
    %held, %signal = stream.resource.transients on(#hal.device.affinity<@dev_a>) await(%now) => %next : !stream.resource<external>{%n} from %storage : !stream.resource<transient>{%n} => !stream.timepoint
    %used = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@g[%c1](%next[%c0 to %n for %n]) : (!stream.resource<external>{%n}) -> !stream.resource<transient>{%n}
    %more = util.optimization_barrier %cond : i1
    util.optimization_barrier %used : !stream.resource<transient>
    cf.cond_br %more, ^loop(%held : !stream.resource<external>), ^out
  ^out:
    util.return %moved : !stream.resource<external>
  }
}
