// Each buffer has memory of its own here, and a slice of one slab in the program that this is compared with. There an
// update at an unknown offset may leave its slice as far as anything says, here it can't.
//
// An update in a slice and the same in memory of its own are one value, wherever that memory begins.
// RUN: sed '/@below/d' %S/Inputs/slab.mlir > %t.alone.mlir
// RUN: sed '/@below/d' %s > %t.mlir
// RUN: stream-zc-opt --no-default-pipeline --verify-against=%t.alone.mlir %t.mlir -o /dev/null 2>&1 | FileCheck %s --allow-empty --check-prefix=SILENT
// SILENT-NOT: {{.}}
//
// In the slab another slice's update might reach this one; here it doesn't. That can't be told from a fault, nor is it one.
// RUN: stream-zc-opt --no-default-pipeline --verify-against=%S/Inputs/slab.mlir %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN-NOT: error
// UNKNOWN: remark: translation of 'f' unknown: export is the same only if accesses at offsets that nothing bounds stay in their slices of memory
// UNKNOWN-NOT: error
//
// All else is a difference: the update in another place, gone, in other memory or below the fill; another fill below it.
// RUN: sed 's/%x_in\[%k4 for/%x_in[%next for/' %s > %t.shifted.mlir
// RUN: not stream-zc-opt --no-default-pipeline --verify-against=%S/Inputs/slab.mlir %t.shifted.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=SHIFTED
// SHIFTED: error: translation: export in 'f' is {output 0(dispatch [@ex::@update])[0 for 8] at 4 + 4*argument 2 over fill(1)[0 for 16]},
// SHIFTED-SAME: but was {output 0(dispatch [@ex::@below])[0 for 8] at -64 + 4*argument 3 over output 0(dispatch [@ex::@update])[0 for 8] at 4*argument 2 over fill(1)[0 for 16]} before
// RUN: sed '/@update {/d' %s > %t.gone.mlir
// RUN: not stream-zc-opt --no-default-pipeline --verify-against=%S/Inputs/slab.mlir %t.gone.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=GONE
// GONE: error: translation: export in 'f' is fill(1), but was {
// GONE: error: translation: dispatch of [@ex::@update] in 'f' is gone, but was dispatch [@ex::@update] before
// GONE: error: translation: dispatch of [@ex::@read] in 'f' is dispatch [@ex::@read](fill(1)), but was dispatch [@ex::@read]({
// RUN: sed 's/@update { wo %x_in/@update { wo %z_in/' %s > %t.elsewhere.mlir
// RUN: not stream-zc-opt --no-default-pipeline --verify-against=%S/Inputs/slab.mlir %t.elsewhere.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// ELSEWHERE: error: translation: export in 'f' is fill(1), but was {
// RUN: sed '/first$/d; s/.. second: //' %s > %t.below.mlir
// RUN: not stream-zc-opt --no-default-pipeline --verify-against=%S/Inputs/slab.mlir %t.below.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=ELSEWHERE
// RUN: sed 's/constant 1 : i32/constant 2 : i32/' %s > %t.fill.mlir
// RUN: not stream-zc-opt --no-default-pipeline --verify-against=%S/Inputs/slab.mlir %t.fill.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=FILL
// FILL: error: translation: export in 'f' is {output 0(dispatch [@ex::@update])[0 for 8] at 4*argument 2 over fill(2)[0 for 16]}
//
// Nor may the output have what the input hasn't.
// RUN: not stream-zc-opt --no-default-pipeline --verify-against=%s %S/Inputs/slab.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=MORE
// MORE: error: translation: export in 'f' is {output 0(dispatch [@ex::@below])
module {
util.global private @dev_a : !hal.device
util.func public @f(%ready: !stream.timepoint, %fence: !hal.fence, %k: index, %j: index) -> (!hal.buffer_view, !hal.buffer_view) {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %p = arith.constant 1 : i32
  %k4 = arith.muli %k, %c4 : index
  %j4 = arith.muli %j, %c4 : index
  %next = arith.addi %k4, %c4 : index
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c16} => !stream.timepoint
  %z, %z_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%x_ready) => !stream.resource<external>{%c16} => !stream.timepoint
  %r, %r_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%z_ready) => !stream.resource<external>{%c16} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%r_ready) => with(%r as %r_in: !stream.resource<external>{%c16}, %x as %x_in: !stream.resource<external>{%c16}, %z as %z_in: !stream.resource<external>{%c16}) {
    stream.cmd.fill %p, %x_in[%c0 for %c16] : i32 -> !stream.resource<external>{%c16} // first
    stream.cmd.dispatch @ex::@update { wo %x_in[%k4 for %c8] : !stream.resource<external>{%c16} }
    // second: stream.cmd.fill %p, %x_in[%c0 for %c16] : i32 -> !stream.resource<external>{%c16}
    stream.cmd.dispatch @ex::@below { wo %z_in[%j4 for %c8] : !stream.resource<external>{%c16} }
    stream.cmd.dispatch @ex::@read {
      ro %x_in[%c0 for %c16] : !stream.resource<external>{%c16},
      wo %r_in[%c0 for %c16] : !stream.resource<external>{%c16}
    }
  } => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
  %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %x : tensor<4xi32> in !stream.resource<external>{%c16} -> !hal.buffer_view
  %1 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %r : tensor<4xi32> in !stream.resource<external>{%c16} -> !hal.buffer_view
  util.return %0, %1 : !hal.buffer_view, !hal.buffer_view
}
}
