// Values that can be observed, compared with those of Inputs/copied.mlir.
//
// RUN: stream-zc-opt --no-default-pipeline --verify-against=%S/Inputs/copied.mlir --split-input-file --verify-diagnostics %s -o /dev/null

// The copy is gone: the same values.
module {
  util.global private @dev_a : !hal.device
  util.func public @f(%fence: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %y, %y_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) : !stream.resource<external>{%c256} => !stream.timepoint
    %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%y_ready) => with(%y as %y_in: !stream.resource<external>{%c256}) {
      stream.cmd.dispatch @ex::@w { wo %y_in[%c0 for %c256] : !stream.resource<external>{%c256} }
    } => !stream.timepoint
    %z, %z_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%made) => !stream.resource<external>{%c256} => !stream.timepoint
    %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%z_ready) => with(%y as %y_in: !stream.resource<external>{%c256}, %z as %z_in: !stream.resource<external>{%c256}) {
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

// -----

// The two results have changed places.
module {
  util.global private @dev_a : !hal.device
  util.func public @f(%fence: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %y, %y_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) : !stream.resource<external>{%c256} => !stream.timepoint
    %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%y_ready) => with(%y as %y_in: !stream.resource<external>{%c256}) {
      stream.cmd.dispatch @ex::@w { wo %y_in[%c0 for %c256] : !stream.resource<external>{%c256} }
    } => !stream.timepoint
    %z, %z_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%made) => !stream.resource<external>{%c256} => !stream.timepoint
    %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%z_ready) => with(%y as %y_in: !stream.resource<external>{%c256}, %z as %z_in: !stream.resource<external>{%c256}) {
      stream.cmd.dispatch @ex::@r {
        ro %y_in[%c0 for %c256] : !stream.resource<external>{%c256},
        wo %z_in[%c0 for %c256] : !stream.resource<external>{%c256}
      }
    } => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
    // expected-error @below {{translation: export in 'f' is output}}
    %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %y : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
    // expected-error @below {{translation: export in 'f' is output}}
    %1 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %z : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
    util.return %0, %1 : !hal.buffer_view, !hal.buffer_view
  }
}

// -----

// A write in between: what is read, and all that comes of it, is another value.
module {
  util.global private @dev_a : !hal.device
  util.func public @f(%fence: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %p = arith.constant 1 : i32
    %y, %y_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) : !stream.resource<external>{%c256} => !stream.timepoint
    %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%y_ready) => with(%y as %y_in: !stream.resource<external>{%c256}) {
      stream.cmd.dispatch @ex::@w { wo %y_in[%c0 for %c256] : !stream.resource<external>{%c256} }
    } => !stream.timepoint
    %z, %z_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%made) => !stream.resource<external>{%c256} => !stream.timepoint
    %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%z_ready) => with(%y as %y_in: !stream.resource<external>{%c256}, %z as %z_in: !stream.resource<external>{%c256}) {
      stream.cmd.fill %p, %y_in[%c0 for %c256] : i32 -> !stream.resource<external>{%c256}
      // expected-error @below {{translation: dispatch of [@ex::@r] in 'f' is dispatch [@ex::@r](fill(1)), but was dispatch [@ex::@r](output 0}}
      stream.cmd.dispatch @ex::@r {
        ro %y_in[%c0 for %c256] : !stream.resource<external>{%c256},
        wo %z_in[%c0 for %c256] : !stream.resource<external>{%c256}
      }
    } => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
    // expected-error @below {{translation: export}}
    %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %z : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
    // expected-error @below {{is fill(1), but was output}}
    %1 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %y : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
    util.return %0, %1 : !hal.buffer_view, !hal.buffer_view
  }
}

// -----

// No timepoint orders the writer before the reader: in some order it is another value.
module {
  util.global private @dev_a : !hal.device
  util.func public @f(%fence: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %y, %y_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) : !stream.resource<external>{%c256} => !stream.timepoint
    %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%y_ready) => with(%y as %y_in: !stream.resource<external>{%c256}) {
      stream.cmd.dispatch @ex::@w { wo %y_in[%c0 for %c256] : !stream.resource<external>{%c256} }
    } => !stream.timepoint
    %z, %z_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%y_ready) => !stream.resource<external>{%c256} => !stream.timepoint
    %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%z_ready) => with(%y as %y_in: !stream.resource<external>{%c256}, %z as %z_in: !stream.resource<external>{%c256}) {
      // expected-error @below {{race: 'stream.cmd.dispatch' on @dev_a reads [0 for 256]}}
      // expected-error @below {{use of undefined memory}}
      // expected-error @below {{translation: dispatch of [@ex::@r]}}
      stream.cmd.dispatch @ex::@r {
        ro %y_in[%c0 for %c256] : !stream.resource<external>{%c256},
        wo %z_in[%c0 for %c256] : !stream.resource<external>{%c256}
      }
    } => !stream.timepoint
    stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
    // expected-error @below {{translation: export}}
    %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %z : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
    // expected-error @below {{race: 'stream.tensor.export' on @dev_a reads}}
    // expected-error @below {{use of undefined memory}}
    // expected-error @below {{translation: export}}
    %1 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %y : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
    util.return %0, %1 : !hal.buffer_view, !hal.buffer_view
  }
}

// -----

// Branches that weren't there: nothing can be said, and that is said.
module {
  util.global private @dev_a : !hal.device
  // expected-remark @below {{translation of 'f' unknown: the pipeline changed the branches of the function}}
  util.func public @f(%fence: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) {
    %which = hal.fence.query<%fence : !hal.fence> : i32
    %c0 = arith.constant 0 : i32
    %done = arith.cmpi eq, %which, %c0 : i32
    cf.cond_br %done, ^one, ^two
  ^one:
    %0 = util.null : !hal.buffer_view
    util.return %0, %0 : !hal.buffer_view, !hal.buffer_view
  ^two:
    %1 = util.null : !hal.buffer_view
    util.return %1, %1 : !hal.buffer_view, !hal.buffer_view
  }
}
