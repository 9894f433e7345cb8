// Whether the kernel writes where the fill does hangs on an offset that nothing bounds. Where the input has the two
// unordered as well it is right only if they don't meet; else an order was lost.
//
// RUN: stream-zc-opt --no-default-pipeline --verify-translation %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=SAME
// RUN: not stream-zc-opt --zc-verify-coherence %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: sed s/concurrent/serial/ %s > %t.serial.mlir
// RUN: not stream-zc-opt --no-default-pipeline --verify-against=%t.serial.mlir %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOST
// RUN: sed 's/%c256 for %c64/%c128 for %c64/' %s > %t.moved.mlir
// RUN: not stream-zc-opt --no-default-pipeline --verify-against=%s %t.moved.mlir -o /dev/null 2>&1 | FileCheck %s --check-prefix=LOST

// SAME-NOT: error
// SAME: remark: unknown: race: 'stream.cmd.fill' on @dev_a writes [256 for 64]
// SAME-SAME: nothing orders them, in the input neither
// SAME-NOT: error
// ALONE: error: race: 'stream.cmd.fill' on @dev_a writes [256 for 64]
// LOST: error: race: 'stream.cmd.fill' on @dev_a writes
module {
util.global private @dev_a : !hal.device
stream.executable private @ex {
  stream.executable.export public @put
  builtin.module {
    func.func @put(%b: !stream.binding, %k: index) {
      %0 = stream.binding.subspan %b[%k] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
      return
    }
  }
}
util.func public @f(%ready: !stream.timepoint, %k: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %c320 = arith.constant 320 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c320} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c320}) {
    stream.cmd.concurrent {
      stream.cmd.dispatch @ex::@put(%k : index) { wo %x_in[%c0 for %c320] : !stream.resource<transient>{%c320} } loc("kernel")
      stream.cmd.fill %p, %x_in[%c256 for %c64] : i32 -> !stream.resource<transient>{%c320} loc("fill")
    }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}
