// An update that stands before a reader that nothing orders behind it.
//
// RUN: stream-zc-opt --no-default-pipeline --verify-against=%S/Inputs/update_first.mlir --split-input-file --verify-diagnostics %s -o /dev/null

// The update waits for the reader.
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
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %x_in: !stream.resource<external>{%c256}, %z as %z_in: !stream.resource<external>{%c256}) {
    stream.cmd.dispatch @ex::@r {
      ro %x_in[%c0 for %c256] : !stream.resource<external>{%c256},
      wo %z_in[%c0 for %c256] : !stream.resource<external>{%c256}
    }
  } => !stream.timepoint
  %over = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%read) => with(%x as %x_in: !stream.resource<external>{%c256}, %z as %z_in: !stream.resource<external>{%c256}) {
    stream.cmd.fill %p, %x_in[%c0 for %c256] : i32 -> !stream.resource<external>{%c256}
  } => !stream.timepoint
  %last = stream.timepoint.join max(%over, %read) => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
  %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %z : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
  util.return %0 : !hal.buffer_view
}
}

// -----

// The reader waits for the update.
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
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%over) => with(%x as %x_in: !stream.resource<external>{%c256}, %z as %z_in: !stream.resource<external>{%c256}) {
    // expected-error @below {{translation: dispatch of [@ex::@r] in 'f' is dispatch [@ex::@r](fill(1)), but was dispatch [@ex::@r](output 0(dispatch [@ex::@w])) before}}
    stream.cmd.dispatch @ex::@r {
      ro %x_in[%c0 for %c256] : !stream.resource<external>{%c256},
      wo %z_in[%c0 for %c256] : !stream.resource<external>{%c256}
    }
  } => !stream.timepoint
  %last = stream.timepoint.join max(%over, %read) => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
  // expected-error @below {{translation: export in 'f'}}
  %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %z : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
  util.return %0 : !hal.buffer_view
}
}
