// Only links of a topology that share memory are lowered; the others come with a copy and stay as IREE made them.
// RUN: stream-zc-opt --split-input-file --zc-lower-cache-maintenance %s -o %t && FileCheck %s < %t

// No topology: the module is as it was.
// CHECK-LABEL: module @none
// CHECK-NOT: stream.cmd.call
// CHECK: stream.cmd.flush
// CHECK-NOT: zc.
module @none {
  util.func public @f(%resource: !stream.resource<transient>, %size: index, %offset: index) -> !stream.timepoint {
    %0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) with(%resource as %r: !stream.resource<transient>{%size}) {
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    util.return %0 : !stream.timepoint
  }
}

// -----

// CHECK-LABEL: module @some
module @some attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = false}, {}),
  (@dev_c -> @dev_a = {unified_memory = false, transparent_access = true}, {}),
  (@dev_a -> @dev_d = {unified_memory = false, transparent_access = false}, {})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.global private @dev_d : !hal.device
  util.global private @dev_e : !hal.device
  util.func public @f(%resource: !stream.resource<transient>, %size: index, %offset: index) -> !stream.timepoint {
    // CHECK: stream.cmd.execute
    %0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) with(%resource as %r: !stream.resource<transient>{%size}) {
      // Unified memory, declared from here to there.
      // CHECK-NEXT: stream.cmd.call @__zc.flush_buffer
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
      // Access, declared from there to here; a queue is its device.
      // CHECK-NEXT: stream.cmd.call @__zc.invalidate_buffer
      stream.cmd.invalidate from(#hal.device.affinity<@dev_c, [1]>) %r[%offset for %size] : !stream.resource<transient>{%size}
      // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_d>)
      stream.cmd.flush to(#hal.device.affinity<@dev_d>) %r[%offset for %size] : !stream.resource<transient>{%size}
      // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_e>)
      stream.cmd.flush to(#hal.device.affinity<@dev_e>) %r[%offset for %size] : !stream.resource<transient>{%size}
      // Between queues of one device there is nothing to maintain.
      // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_a, [1]>)
      stream.cmd.flush to(#hal.device.affinity<@dev_a, [1]>) %r[%offset for %size] : !stream.resource<transient>{%size}
      // CHECK-NEXT: stream.cmd.flush %
      stream.cmd.flush %r[%offset for %size] : !stream.resource<transient>{%size}
      // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.optimal
      stream.cmd.invalidate from(#hal.device.optimal<[#hal.device.affinity<@dev_b>, #hal.device.affinity<@dev_c>]>) %r[%offset for %size] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.optimal
    %1 = stream.cmd.execute on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) await(%0) => with(%resource as %r: !stream.resource<transient>{%size}) {
      // CHECK-NEXT: stream.cmd.flush to
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    // No on(..) and no default: it isn't known who executes it.
    // CHECK: stream.cmd.execute await
    %2 = stream.cmd.execute await(%1) => with(%resource as %r: !stream.resource<transient>{%size}) {
      // CHECK-NEXT: stream.cmd.flush to
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    util.return %2 : !stream.timepoint
  }
}
