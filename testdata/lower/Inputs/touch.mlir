// Flushes a part of the caller's buffer.
module attributes {stream.affinity.default = #hal.device.affinity<@dev_a>, stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {cache_line = 64})
]>} {
  util.global private @dev_a = #hal.device.target<"local", {ordinal = 0 : index}, [TARGET]> : !hal.device
  util.global private @dev_b = #hal.device.target<"local", {ordinal = 1 : index}, [TARGET]> : !hal.device
  util.func public @touch(%view: !hal.buffer_view, %offset64: i64, %length64: i64) -> !hal.buffer_view {
    %offset = arith.index_cast %offset64 : i64 to index
    %length = arith.index_cast %length64 : i64 to index
    %size = arith.constant BYTES : index
    %resource = stream.tensor.import on(#hal.device.affinity<@dev_a>) %view : !hal.buffer_view -> tensor<BYTESxi8> in !stream.resource<external>{%size}
    %done = stream.cmd.execute once on(#hal.device.affinity<@dev_a>) with(%resource as %r: !stream.resource<external>{%size}) {
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %length] : !stream.resource<external>{%size}
    } => !stream.timepoint
    %ready = stream.timepoint.await %done => %resource : !stream.resource<external>{%size}
    %result = stream.tensor.export on(#hal.device.affinity<@dev_a>) %ready : tensor<BYTESxi8> in !stream.resource<external>{%size} -> !hal.buffer_view
    util.return %result : !hal.buffer_view
  }
}
