// A kernel's result lies elsewhere in its slab now: the same value, unless the kernel also computes with the place.
//
// RUN: stream-zc-opt --no-default-pipeline --verify-against=%S/Inputs/place.mlir %s -o /dev/null 2>&1 | FileCheck %s --allow-empty --check-prefix=SILENT
// RUN: sed 's/@ex::@put(/@ex::@put_and_use(/' %s > %t.mlir
// RUN: not stream-zc-opt --no-default-pipeline --verify-against=%S/Inputs/place_and_use.mlir %t.mlir -o /dev/null 2>&1 | FileCheck %s
// SILENT-NOT: {{.}}
//
// CHECK: error: translation: export in 'f' is output 0(dispatch [@ex::@put_and_use](64)), but was output 0(dispatch [@ex::@put_and_use](0)) before
module {
util.global private @dev_a : !hal.device
stream.executable private @ex {
  stream.executable.export public @put
  stream.executable.export public @put_and_use
  builtin.module {
    func.func @put(%b: !stream.binding, %at: index) {
      %0 = stream.binding.subspan %b[%at] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
      return
    }
    func.func @put_and_use(%b: !stream.binding, %at: index) {
      %0 = stream.binding.subspan %b[%at] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
      %1 = util.optimization_barrier %at : index
      return
    }
  }
}
util.func public @f(%ready: !stream.timepoint, %fence: !hal.fence) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c128 = arith.constant 128 : index
  %at = arith.constant 64 : index
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c128} => !stream.timepoint
  %y = stream.resource.subview %x[%at] : !stream.resource<external>{%c128} -> !stream.resource<external>{%c32}
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<external>{%c128}) {
    stream.cmd.dispatch @ex::@put(%at : index) { wo %x_in[%c0 for %c128] : !stream.resource<external>{%c128} }
  } => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
  %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %y : tensor<8xf32> in !stream.resource<external>{%c32} -> !hal.buffer_view
  util.return %0 : !hal.buffer_view
}
}
