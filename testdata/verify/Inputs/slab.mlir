// What the programs of translation_slab.mlir are compared with: a slab, where nothing says that an access at an unknown
// offset stays in its slice. What @below writes lies in front of the slice that is exported.
module {
util.global private @dev_a : !hal.device
util.func public @f(%ready: !stream.timepoint, %fence: !hal.fence, %k: index, %j: index) -> (!hal.buffer_view, !hal.buffer_view) {
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %c192 = arith.constant 192 : index
  %p = arith.constant 1 : i32
  %k4 = arith.muli %k, %c4 : index
  %j4 = arith.muli %j, %c4 : index
  %at_k = arith.addi %k4, %c64 : index
  %s, %s_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<external>{%c192} => !stream.timepoint
  %y = stream.resource.subview %s[%c64] : !stream.resource<external>{%c192} -> !stream.resource<external>{%c16}
  %r = stream.resource.subview %s[%c128] : !stream.resource<external>{%c192} -> !stream.resource<external>{%c16}
  %last = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%s_ready) => with(%s as %s_in: !stream.resource<external>{%c192}) {
    stream.cmd.fill %p, %s_in[%c64 for %c16] : i32 -> !stream.resource<external>{%c192}
    stream.cmd.dispatch @ex::@update { wo %s_in[%at_k for %c8] : !stream.resource<external>{%c192} }
    stream.cmd.dispatch @ex::@below { wo %s_in[%j4 for %c8] : !stream.resource<external>{%c192} }
    stream.cmd.dispatch @ex::@read {
      ro %s_in[%c64 for %c16] : !stream.resource<external>{%c192},
      wo %s_in[%c128 for %c16] : !stream.resource<external>{%c192}
    }
  } => !stream.timepoint
  stream.timepoint.chain_external on(#hal.device.affinity<@dev_a>) %last => (%fence : !hal.fence)
  %0 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %y : tensor<4xi32> in !stream.resource<external>{%c16} -> !hal.buffer_view
  %1 = stream.tensor.export on(#hal.device.affinity<@dev_a>) %r : tensor<4xi32> in !stream.resource<external>{%c16} -> !hal.buffer_view
  util.return %0, %1 : !hal.buffer_view, !hal.buffer_view
}
}
