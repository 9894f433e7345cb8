// The input of @faulty exports memory that nothing wrote, as stock IREE does to some programs: what its result should be
// can't be told from it. In other functions nothing changes, nor is anything forgiven that is wrong in the output alone.
//
// RUN: sed 's/faulty_in.%c0 for/faulty_in[%c64 for/' %s > %t.input.mlir
// RUN: stream-zc-opt --no-default-pipeline --verify-against=%t.input.mlir %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=FAULT
// FAULT-NOT: error
// FAULT: remark: translation of 'faulty' unknown: export differs, but the input itself has a fault: it reads [0 for 64] of the memory of {{.*}}, where nothing is written before it
// FAULT-NOT: {{error|remark}}
//
// RUN: sed 's/@ex::@w {/@ex::@other {/' %s > %t.other.mlir
// RUN: not stream-zc-opt --no-default-pipeline --verify-against=%t.input.mlir %t.other.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER-DAG: error: translation: export in 'right' is output 0(dispatch [@ex::@other]), but was output 0(dispatch [@ex::@w]) before
// OTHER-DAG: remark: translation of 'faulty' unknown: export differs
//
// RUN: not stream-zc-opt --no-default-pipeline --verify-against=%s %t.input.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=OURS
// OURS-DAG: error: use of undefined memory: 'stream.tensor.export' on @dev_a reads [0 for 64]
// OURS-DAG: error: translation: export in 'faulty' is undefined, but was fill(1) before
module {
util.global private @dev_a : !hal.device
util.func public @faulty(%ready: !stream.timepoint, %fence: !hal.fence) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c128} => !stream.timepoint
  %y = stream.resource.subview %x[%c0] : !stream.resource<external>{%c128} -> !stream.resource<external>{%c64}
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %faulty_in: !stream.resource<external>{%c128}) {
    stream.cmd.fill %p, %faulty_in[%c0 for %c64] : i32 -> !stream.resource<external>{%c128}
  } => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
  %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %y : tensor<16xi32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %0 : !hal.buffer_view
}
util.func public @right(%ready: !stream.timepoint, %fence: !hal.fence) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c64} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<external>{%c64}) {
    stream.cmd.dispatch @ex::@w { wo %x_in[%c0 for %c64] : !stream.resource<external>{%c64} }
  } => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
  %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %x : tensor<16xi32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %0 : !hal.buffer_view
}
}
