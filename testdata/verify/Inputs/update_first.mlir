// What the programs of translation_order.mlir are compared with: nothing orders the reader behind the update that stands
// before it, so it reads what was there before.
module {
util.global private @dev_a : !hal.device
util.func public @f(%ready: !stream.timepoint, %fence: !hal.fence) -> !hal.buffer_view {
  %c0 = arith.constant 0 : index
  %c256 = arith.constant 256 : index
  %p = arith.constant 1 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c256} => !stream.timepoint
  %z, %z_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%x_ready) => !stream.resource<external>{%c256} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%z_ready) => with(%x as %x_in: !stream.resource<external>{%c256}, %z as %z_in: !stream.resource<external>{%c256}) {
    stream.cmd.dispatch @ex::@w { wo %x_in[%c0 for %c256] : !stream.resource<external>{%c256} }
  } => !stream.timepoint
  %over = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<external>{%c256}, %z as %z_in: !stream.resource<external>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<external>{%c256}
  } => !stream.timepoint
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<external>{%c256}, %z as %z_in: !stream.resource<external>{%c256}) {
    stream.cmd.dispatch @ex::@r {
      ro %x_in[%c0 for %c256] : !stream.resource<external>{%c256},
      wo %z_in[%c0 for %c256] : !stream.resource<external>{%c256}
    }
  } => !stream.timepoint
  %last = stream.timepoint.join max(%over, %read) => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
  %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %z : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
  util.return %0 : !hal.buffer_view
}
}
