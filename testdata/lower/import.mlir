// Calls into a VM module of the user's.
// RUN: stream-zc-opt --zc-lower-cache-maintenance=mode=import:probe %s -o %t && FileCheck %s < %t
// RUN: stream-zc-opt --zc-lower-cache-maintenance=mode=import:probe %t | cmp %t -
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {})]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @f(%resource: !stream.resource<transient>, %size: index, %offset: index) -> !stream.timepoint {
    %0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) with(%resource as %r: !stream.resource<transient>{%size}) {
      // CHECK: stream.cmd.call @probe.invalidate_buffer(rw %arg3[%arg2 for %arg1]) {zc.affinity = #hal.device.affinity<@dev_b>, zc.maintenance = "invalidate"} : (!stream.resource<transient>{%arg1}) -> ()
      // CHECK-NEXT: stream.cmd.call @probe.flush_buffer(rw %arg3[%arg2 for %arg1]) {zc.affinity = #hal.device.affinity<@dev_b>, zc.maintenance = "flush"} : (!stream.resource<transient>{%arg1}) -> ()
      // CHECK-NEXT: stream.cmd.call @probe.flush_buffer(rw %arg3[%arg1 for %arg2])
      stream.cmd.invalidate from(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%size for %offset] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    util.return %0 : !stream.timepoint
  }
  // CHECK: util.func private @probe.invalidate_buffer(%arg0: !hal.command_buffer, %arg1: index, %arg2: !hal.buffer, %arg3: index, %arg4: index) attributes {vm.signature = (!vm.ref<!hal.command_buffer>, i64, !vm.ref<!hal.buffer>, i64, i64) -> ()}
  // CHECK-NEXT: util.func private @probe.flush_buffer(
}
