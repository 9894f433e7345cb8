// What the programs of translation.mlir are compared with: x = w(); y = a copy of x; export r(y) and y.
module {
  util.global private @dev_a : !hal.device
  util.func public @f(%fence: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) : !stream.resource<transient>{%c256} => !stream.timepoint
    %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %x_in: !stream.resource<transient>{%c256}) {
      stream.cmd.dispatch @ex::@w { wo %x_in[%c0 for %c256] : !stream.resource<transient>{%c256} }
    } => !stream.timepoint
    %y, %y_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%made) => !stream.resource<external>{%c256} => !stream.timepoint
    %z, %z_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%made) => !stream.resource<external>{%c256} => !stream.timepoint
    %ready = stream.timepoint.join max(%y_ready, %z_ready) => !stream.timepoint
    %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %x_in: !stream.resource<transient>{%c256}, %y as %y_in: !stream.resource<external>{%c256}, %z as %z_in: !stream.resource<external>{%c256}) {
      stream.cmd.copy %x_in[%c0], %y_in[%c0], %c256 : !stream.resource<transient>{%c256} -> !stream.resource<external>{%c256}
      stream.cmd.dispatch @ex::@r {
        ro %y_in[%c0 for %c256] : !stream.resource<external>{%c256},
        wo %z_in[%c0 for %c256] : !stream.resource<external>{%c256}
      }
    } => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
    %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %z : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
    %1 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %y : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
    util.return %0, %1 : !hal.buffer_view, !hal.buffer_view
  }
}
