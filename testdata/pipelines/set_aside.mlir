// IREE's passes must not see stream.topology, by which they would drop transfers with no regard for later updates: it has another name
// while they run, and its own again afterwards.
//
// RUN: stream-zc-opt --zc-set-aside-topology %s | FileCheck %s --check-prefix=ASIDE
// RUN: stream-zc-opt --zc-set-aside-topology --zc-restore-topology %s | FileCheck %s --check-prefix=BACK
// RUN: stream-zc-opt --zc-restore-topology %s | FileCheck %s --check-prefix=BACK
// RUN: stream-zc-opt --pass-pipeline='builtin.module(zc-set-aside-topology,zc-classify-transfers,zc-elide-transfers)' %s | FileCheck %s --check-prefix=SEEN
// RUN: stream-zc-opt --dump-pass-pipeline %s 2>&1 >/dev/null | FileCheck %s --check-prefix=DEFAULT

// ASIDE-NOT: stream.topology
// ASIDE: zc.topology = #hal.device.topology
// BACK: stream.topology = #hal.device.topology
// BACK-NOT: zc.topology
// Our passes know it under both names.
// SEEN-NOT: stream.async.transfer
// DEFAULT: zc-set-aside-topology,{{.*}}zc-elide-transfers,{{.*}}iree-{{.*}},zc-restore-topology,{{.*}}zc-alias-allocations
#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @main(%value: i32) -> !hal.buffer_view {
    %c256 = arith.constant 256 : index
    %made = stream.async.splat on(#a) %value : i32 -> !stream.resource<*>{%c256}
    %moved = stream.async.transfer %made : !stream.resource<*>{%c256} from(#a) -> to(#b) !stream.resource<*>{%c256}
    %view = stream.tensor.export on(#b) %moved : tensor<64xf32> in !stream.resource<*>{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}
