// Kernels that get all of a slab and use a part of it.
//
// RUN: stream-zc-opt --zc-verify-coherence --split-input-file --verify-diagnostics %s -o /dev/null

// Their parts do not overlap.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
stream.executable private @ex {
  stream.executable.export public @one
  stream.executable.export public @two
  builtin.module {
    func.func @one(%b: !stream.binding) {
      %c0 = arith.constant 0 : index
      %0 = stream.binding.subspan %b[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
      return
    }
    func.func @two(%b: !stream.binding, %low: i32, %high: i32) {
      %c32 = arith.constant 32 : i64
      %0 = arith.extui %low : i32 to i64
      %1 = arith.extui %high : i32 to i64
      %2 = arith.shli %1, %c32 : i64
      %3 = arith.ori %0, %2 : i64
      %4 = arith.index_castui %3 : i64 to index
      %5 = stream.binding.subspan %b[%4] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
      return
    }
  }
}
util.func public @parts_apart(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %low = arith.constant 64 : i32
  %high = arith.constant 0 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.concurrent {
      stream.cmd.dispatch @ex::@one { wo %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
      stream.cmd.dispatch @ex::@two(%low, %high : i32, i32) { wo %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
    }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}

// -----

// They do.
module {
util.global private @dev_a : !hal.device
util.global private @dev_b : !hal.device
stream.executable private @ex {
  stream.executable.export public @one
  stream.executable.export public @two
  builtin.module {
    func.func @one(%b: !stream.binding) {
      %c0 = arith.constant 0 : index
      %0 = stream.binding.subspan %b[%c0] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
      return
    }
    func.func @two(%b: !stream.binding, %low: i32, %high: i32) {
      %c32 = arith.constant 32 : i64
      %0 = arith.extui %low : i32 to i64
      %1 = arith.extui %high : i32 to i64
      %2 = arith.shli %1, %c32 : i64
      %3 = arith.ori %0, %2 : i64
      %4 = arith.index_castui %3 : i64 to index
      %5 = stream.binding.subspan %b[%4] : !stream.binding -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<8xf32>>
      return
    }
  }
}
util.func public @parts_overlap(%ready: !stream.timepoint) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %low = arith.constant 16 : i32
  %high = arith.constant 0 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c256} => !stream.timepoint
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
    stream.cmd.concurrent {
      stream.cmd.dispatch @ex::@one { wo %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
      // expected-error @below {{race: 'stream.cmd.dispatch' on @dev_a writes [16 for 16]}}
      stream.cmd.dispatch @ex::@two(%low, %high : i32, i32) { wo %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
    }
  } => !stream.timepoint
  util.return %last : !stream.timepoint
}
}
