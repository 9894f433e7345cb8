// The names of what is added never clash with a symbol of the user's.
// RUN: stream-zc-opt --split-input-file --zc-lower-cache-maintenance %s | FileCheck %s
// RUN: stream-zc-opt --split-input-file --zc-lower-cache-maintenance=mode=import:probe %s | FileCheck %s --check-prefix=IMPORT

// CHECK-LABEL: module @taken
// IMPORT-LABEL: module @taken
module @taken attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {})]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  // CHECK: util.global private mutable @__zc.flush_buffer = 0
  util.global private mutable @__zc.flush_buffer = 0 : i32
  // CHECK: util.func public @__zc.flush_buffer_0
  util.func public @__zc.flush_buffer_0(%resource: !stream.resource<transient>, %size: index, %offset: index) -> !stream.timepoint {
    %0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) with(%resource as %r: !stream.resource<transient>{%size}) {
      // CHECK: stream.cmd.call @__zc.flush_buffer_1(
      // IMPORT: stream.cmd.call @probe.flush_buffer(
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    util.return %0 : !stream.timepoint
  }
  // CHECK: util.func public @__zc.flush_buffer_1({{.*}}zc.shim = "flush"
  // The user's declaration of the same import is used.
  // IMPORT: util.func private @probe.flush_buffer(
  // IMPORT-NOT: @probe.flush_buffer_
  util.func private @probe.flush_buffer(!hal.command_buffer, index, !hal.buffer, index, index)
}
