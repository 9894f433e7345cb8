// Where in a range an update at an unknown offset lies is a part of the range's value, and so is what a copy takes of it.
//
// RUN: stream-zc-opt --no-default-pipeline --verify-against=%s %s -o /dev/null 2>&1 | FileCheck %s --allow-empty --check-prefix=SILENT
// SILENT-NOT: {{.}}
// RUN: sed 's/@w { wo %x_in.%k/@w { wo %x_in[%j/' %s > %t.offset.mlir
// RUN: not stream-zc-opt --no-default-pipeline --verify-against=%s %t.offset.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFFSET
// OFFSET: error: translation: export in 'written' is {output 0(dispatch [@ex::@w])[0 for 8] at argument 3 over fill(1)[0 for 64]}, but was {output 0(dispatch [@ex::@w])[0 for 8] at argument 2 over fill(1)[0 for 64]} before
// OFFSET-NOT: error
// RUN: sed 's/%y_in.%c0., %c32/%y_in[%c0], %c16/' %s > %t.short.mlir
// RUN: not stream-zc-opt --no-default-pipeline --verify-against=%s %t.short.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: error: translation: export in 'copied' is {output 0(dispatch [@ex::@v])[0 for 8] at argument 2 within [0 for 16] over fill(1)[0 for 16] over
// SHORT-SAME: but was {output 0(dispatch [@ex::@v])[0 for 8] at argument 2 within [0 for 32] over fill(1)[0 for 32] over
// SHORT-NOT: error
//
// Which of two updates came last matters where they may overlap.
// RUN: sed 's/@first/@other/; s/@second/@first/; s/@other/@second/' %s > %t.order.mlir
// RUN: not stream-zc-opt --no-default-pipeline --verify-against=%s %t.order.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=ORDER
// ORDER: error: translation: export in 'twice' is {output 0(dispatch [@ex::@first])[0 for 8] at argument 3 over output 0(dispatch [@ex::@second])[0 for 8] at argument 2 over fill(1)[0 for 64]}, but was
//
// RUN: sed 's/%q, %x_in.%k/%q, %x_in[%next/' %s > %t.fill.mlir
// RUN: not stream-zc-opt --no-default-pipeline --verify-against=%s %t.fill.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=FILL
// FILL: error: translation: export in 'filled' is {output 0(dispatch [@ex::@u])[0 for 8] at argument 3 over fill(2)[0 for 8] at 8 + argument 2 over fill(1)[0 for 64]}, but was {output 0(dispatch [@ex::@u])[0 for 8] at argument 3 over fill(2)[0 for 8] at argument 2 over fill(1)[0 for 64]} before
// FILL-NOT: error
module {
util.global private @dev_a : !hal.device
util.func public @written(%ready: !stream.timepoint, %fence: !hal.fence, %k: index, %j: index) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c64} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<external>{%c64}) {
    stream.cmd.fill %p, %x_in[%c0 for %c64] : i32 -> !stream.resource<external>{%c64}
    stream.cmd.dispatch @ex::@w { wo %x_in[%k for %c8] : !stream.resource<external>{%c64} }
  } => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
  %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %x : tensor<16xi32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %0 : !hal.buffer_view
}
util.func public @copied(%ready: !stream.timepoint, %fence: !hal.fence, %k: index) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %p = arith.constant 1 : i32
  %q = arith.constant 2 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c64} => !stream.timepoint
  %y, %y_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%x_ready) => !stream.resource<external>{%c64} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%y_ready) => with(%x as %x_in: !stream.resource<external>{%c64}, %y as %y_in: !stream.resource<external>{%c64}) {
    stream.cmd.fill %p, %x_in[%c0 for %c64] : i32 -> !stream.resource<external>{%c64}
    stream.cmd.fill %q, %y_in[%c0 for %c64] : i32 -> !stream.resource<external>{%c64}
    stream.cmd.dispatch @ex::@v { wo %x_in[%k for %c8] : !stream.resource<external>{%c64} }
    stream.cmd.copy %x_in[%c0], %y_in[%c0], %c32 : !stream.resource<external>{%c64} -> !stream.resource<external>{%c64}
  } => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
  %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %y : tensor<16xi32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %0 : !hal.buffer_view
}
util.func public @twice(%ready: !stream.timepoint, %fence: !hal.fence, %k: index, %j: index) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c64} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<external>{%c64}) {
    stream.cmd.fill %p, %x_in[%c0 for %c64] : i32 -> !stream.resource<external>{%c64}
    stream.cmd.dispatch @ex::@first { wo %x_in[%k for %c8] : !stream.resource<external>{%c64} }
    stream.cmd.dispatch @ex::@second { wo %x_in[%j for %c8] : !stream.resource<external>{%c64} }
  } => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
  %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %x : tensor<16xi32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %0 : !hal.buffer_view
}
util.func public @filled(%ready: !stream.timepoint, %fence: !hal.fence, %k: index, %j: index) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c64 = arith.constant 64 : index
  %p = arith.constant 1 : i32
  %q = arith.constant 2 : i32
  %next = arith.addi %k, %c8 : index
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c64} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<external>{%c64}) {
    stream.cmd.fill %p, %x_in[%c0 for %c64] : i32 -> !stream.resource<external>{%c64}
    stream.cmd.fill %q, %x_in[%k for %c8] : i32 -> !stream.resource<external>{%c64}
    stream.cmd.dispatch @ex::@u { wo %x_in[%j for %c8] : !stream.resource<external>{%c64} }
  } => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
  %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %x : tensor<16xi32> in !stream.resource<external>{%c64} -> !hal.buffer_view
  util.return %0 : !hal.buffer_view
}
}
