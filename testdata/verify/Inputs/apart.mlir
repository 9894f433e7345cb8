// What the programs of translation_shared.mlir are compared with: the kernel writes a copy of what it reads.
module {
  util.global private @dev_a : !hal.device
  util.func public @f(%ready: !stream.timepoint, %fence: !hal.fence) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %p = arith.constant 1 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c256} => !stream.timepoint
    %y, %y_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%x_ready) => !stream.resource<external>{%c256} => !stream.timepoint
    %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%y_ready) => with(%x as %x_in: !stream.resource<external>{%c256}, %y as %y_in: !stream.resource<external>{%c256}) {
      stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<external>{%c256}
      stream.cmd.copy %x_in[%c0], %y_in[%c0], %c256 : !stream.resource<external>{%c256} -> !stream.resource<external>{%c256}
      stream.cmd.dispatch @ex::@rw {
        ro %x_in[%c0 for %c256] : !stream.resource<external>{%c256},
        rw %y_in[%c0 for %c256] : !stream.resource<external>{%c256}
      }
    } => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
    %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %y : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
    util.return %0 : !hal.buffer_view
  }
}
