// What came in goes out, by a copy; and after it something else.
module {
  util.global private @dev_a : !hal.device
  util.func public @pass(%view: !hal.buffer_view, %wait: !hal.fence, %fence: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %ready = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %wait : (!hal.fence) => !stream.timepoint
    %x = stream.tensor.import on(#hal.device.affinity<@dev_a>) %view : !hal.buffer_view -> tensor<64xf32> in !stream.resource<external>{%c256}
    %y, %y_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c256} => !stream.timepoint
    %z, %z_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%y_ready) => !stream.resource<external>{%c256} => !stream.timepoint
    %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%z_ready) => with(%x as %x_in: !stream.resource<external>{%c256}, %y as %y_in: !stream.resource<external>{%c256}, %z as %z_in: !stream.resource<external>{%c256}) {
      stream.cmd.copy %x_in[%c0], %y_in[%c0], %c256 : !stream.resource<external>{%c256} -> !stream.resource<external>{%c256}
      stream.cmd.dispatch @ex::@r {
        ro %x_in[%c0 for %c256] : !stream.resource<external>{%c256},
        wo %z_in[%c0 for %c256] : !stream.resource<external>{%c256}
      }
    } => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
    %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %y : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
    %1 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %z : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
    util.return %0, %1 : !hal.buffer_view, !hal.buffer_view
  }
}
