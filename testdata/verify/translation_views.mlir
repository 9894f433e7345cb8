// Buffer views that are returned, compared with Inputs/passed_copy.mlir.
//
// RUN: stream-zc-opt --no-default-pipeline --verify-against=%S/Inputs/passed_copy.mlir --split-input-file --verify-diagnostics %s -o /dev/null

// The view that came in is returned as it is, which holds what a copy of it would.
module {
  util.global private @dev_a : !hal.device
  util.func public @pass(%view: !hal.buffer_view, %wait: !hal.fence, %fence: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %ready = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %wait : (!hal.fence) => !stream.timepoint
    %x = stream.tensor.import on(#hal.device.affinity<@dev_a>) %view : !hal.buffer_view -> tensor<64xf32> in !stream.resource<external>{%c256}
    %z, %z_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c256} => !stream.timepoint
    %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%z_ready) => with(%x as %x_in: !stream.resource<external>{%c256}, %z as %z_in: !stream.resource<external>{%c256}) {
      stream.cmd.dispatch @ex::@r {
        ro %x_in[%c0 for %c256] : !stream.resource<external>{%c256},
        wo %z_in[%c0 for %c256] : !stream.resource<external>{%c256}
      }
    } => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
    %1 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %z : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
    util.return %view, %1 : !hal.buffer_view, !hal.buffer_view
  }
}

// -----

// What is returned first is something else.
module {
  util.global private @dev_a : !hal.device
  util.func public @pass(%view: !hal.buffer_view, %wait: !hal.fence, %fence: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %ready = stream.timepoint.import on(#hal.device.affinity<@dev_a>) %wait : (!hal.fence) => !stream.timepoint
    %x = stream.tensor.import on(#hal.device.affinity<@dev_a>) %view : !hal.buffer_view -> tensor<64xf32> in !stream.resource<external>{%c256}
    %z, %z_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c256} => !stream.timepoint
    %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%z_ready) => with(%x as %x_in: !stream.resource<external>{%c256}, %z as %z_in: !stream.resource<external>{%c256}) {
      stream.cmd.dispatch @ex::@r {
        ro %x_in[%c0 for %c256] : !stream.resource<external>{%c256},
        wo %z_in[%c0 for %c256] : !stream.resource<external>{%c256}
      }
    } => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
    %1 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %z : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
    // expected-error @below {{translation: export in 'pass' is output 1(dispatch}}
    %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %z : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
    util.return %0, %1 : !hal.buffer_view, !hal.buffer_view
  }
}
