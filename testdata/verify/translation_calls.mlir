// Calls that are gone, compared with Inputs/handed_on.mlir.
//
// RUN: not stream-zc-opt --no-default-pipeline --remarks --verify-against=%S/Inputs/handed_on.mlir --split-input-file %s -o /dev/null 2>&1 | FileCheck %s

// IREE knows what the function returned, and nothing else was seen of it.
// CHECK-NOT: error:
// CHECK: remark: translation of 'hands' unknown: calls of functions that only return something are gone
module {
  util.global private @dev_a : !hal.device
  util.func private @update(%x: !stream.resource<external>, %ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %done = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<external>{%c64}) {
      stream.cmd.dispatch @ex::@u { rw %a[%c0 for %c64] : !stream.resource<external>{%c64} }
    } => !stream.timepoint
    util.return %done : !stream.timepoint
  }
  util.func public @hands(%view: !hal.buffer_view, %wait: !hal.fence, %fence: !hal.fence) -> !hal.buffer_view {
    %c64 = arith.constant 64 : index
    %ready = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %wait : (!hal.fence) => !stream.timepoint
    %x = stream.tensor.import on(#hal.device.affinity<@dev_a>) %view : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %ready => (%fence : !hal.fence)
    util.return %view : !hal.buffer_view
  }
  util.func public @updates(%ready: !stream.timepoint) -> (!stream.resource<external>, !stream.timepoint) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %p = arith.constant 1 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c64} => !stream.timepoint
    %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<external>{%c64}) {
      stream.cmd.fill %p, %a[%c0 for %c64] : i32 -> !stream.resource<external>{%c64}
    } => !stream.timepoint
    %done = util.call @update(%x, %made) : (!stream.resource<external>, !stream.timepoint) -> !stream.timepoint
    util.return %x, %done : !stream.resource<external>, !stream.timepoint
  }
}

// -----

// The function changed what it was given.
// CHECK: error: translation: returned value in 'updates' is fill(1), but was output 0(outcome(call @update
module {
  util.global private @dev_a : !hal.device
  util.func private @hand_on(%x: !stream.resource<external>, %ready: !stream.timepoint) -> (!stream.resource<external>, !stream.timepoint) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %y, %y_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c64} => !stream.timepoint
    %done = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%y_ready) => with(%x as %a: !stream.resource<external>{%c64}, %y as %b: !stream.resource<external>{%c64}) {
      stream.cmd.copy %a[%c0], %b[%c0], %c64 : !stream.resource<external>{%c64} -> !stream.resource<external>{%c64}
    } => !stream.timepoint
    util.return %y, %done : !stream.resource<external>, !stream.timepoint
  }
  util.func private @update(%x: !stream.resource<external>, %ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %done = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<external>{%c64}) {
      stream.cmd.dispatch @ex::@u { rw %a[%c0 for %c64] : !stream.resource<external>{%c64} }
    } => !stream.timepoint
    util.return %done : !stream.timepoint
  }
  util.func public @hands(%view: !hal.buffer_view, %wait: !hal.fence, %fence: !hal.fence) -> !hal.buffer_view {
    %c64 = arith.constant 64 : index
    %ready = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %wait : (!hal.fence) => !stream.timepoint
    %x = stream.tensor.import on(#hal.device.affinity<@dev_a>) %view : !hal.buffer_view -> tensor<16xf32> in !stream.resource<external>{%c64}
    %y, %done = util.call @hand_on(%x, %ready) : (!stream.resource<external>, !stream.timepoint) -> (!stream.resource<external>, !stream.timepoint)
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %done => (%fence : !hal.fence)
    %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %y : tensor<16xf32> in !stream.resource<external>{%c64} -> !hal.buffer_view
    util.return %0 : !hal.buffer_view
  }
  util.func public @updates(%ready: !stream.timepoint) -> (!stream.resource<external>, !stream.timepoint) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %p = arith.constant 1 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c64} => !stream.timepoint
    %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<external>{%c64}) {
      stream.cmd.fill %p, %a[%c0 for %c64] : i32 -> !stream.resource<external>{%c64}
    } => !stream.timepoint
    util.return %x, %made : !stream.resource<external>, !stream.timepoint
  }
}
