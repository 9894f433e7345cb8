// Shims over the HAL's own maintenance, called where the ops stood: the default.
// RUN: stream-zc-opt --zc-lower-cache-maintenance %s -o %t && FileCheck %s < %t
// RUN: stream-zc-opt --zc-lower-cache-maintenance=mode=hal %s | cmp %t -

// A second run finds nothing to do, and its own shims where there is something new.
// RUN: stream-zc-opt --zc-lower-cache-maintenance %t | cmp %t -
// RUN: sed 's/stream.cmd.call @__zc.invalidate_buffer(rw \(.*\)) {.*} : (\(.*\)) -> ()/stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) \1 : \2/' %t > %t.again
// RUN: FileCheck %s --check-prefix=AGAIN < %t.again && stream-zc-opt --zc-lower-cache-maintenance %t.again | cmp %t -
// AGAIN: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>)

// Left as it is.
// RUN: stream-zc-opt --no-default-pipeline %s -o %t.input
// RUN: stream-zc-opt --zc-lower-cache-maintenance=mode=keep %s | cmp %t.input -

module attributes {stream.affinity.default = #hal.device.affinity<@dev_a>, stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = false}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = false})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  // CHECK-LABEL: util.func public @hand_off
  util.func public @hand_off(%resource: !stream.resource<transient>, %size: index, %offset: index, %length: index) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c5 = arith.constant 5 : i8
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
    %0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) with(%resource as %r: !stream.resource<transient>{%size}) {
      // CHECK-NEXT: stream.cmd.concurrent
      stream.cmd.concurrent {
        // CHECK-NEXT: stream.cmd.serial
        stream.cmd.serial {
          // CHECK-NEXT: stream.cmd.fill
          stream.cmd.fill %c5, %r[%offset for %length] : i8 -> !stream.resource<transient>{%size}
          // CHECK-NEXT: stream.cmd.call @__zc.flush_buffer(rw %arg4[%arg2 for %arg3])
          // CHECK-SAME: {zc.affinity = #hal.device.affinity<@dev_b>, zc.maintenance = "flush"}
          // CHECK-SAME: : (!stream.resource<transient>{%arg1}) -> ()
          stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %length] : !stream.resource<transient>{%size}
        // CHECK-NEXT: }
        }
        stream.cmd.fill %c5, %r[%c0 for %offset] : i8 -> !stream.resource<transient>{%size}
      }
    } => !stream.timepoint
    // A region with nothing but maintenance keeps its await and its timepoint.
    // CHECK: %[[FIRST:.*]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%{{.*}}) =>
    %1 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%0) => with(%resource as %r: !stream.resource<transient>{%size}) {
      // CHECK-NEXT: stream.cmd.call @__zc.invalidate_buffer(rw %arg4[%c0 for %arg1])
      // CHECK-SAME: {zc.affinity = #hal.device.affinity<@dev_a>, zc.maintenance = "invalidate"}
      stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %r[%c0 for %size] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    util.return %1 : !stream.timepoint
  }
  // In initializers, too; a region without on(..) executes on the module's default device.
  // CHECK-LABEL: util.initializer
  util.initializer {
    %c64 = arith.constant 64 : index
    %c0 = arith.constant 0 : index
    %resource, %allocated = stream.resource.alloca uninitialized : !stream.resource<transient>{%c64} => !stream.timepoint
    // CHECK: stream.cmd.execute await
    %0 = stream.cmd.execute await(%allocated) => with(%resource as %r: !stream.resource<transient>{%c64}) {
      // CHECK-NEXT: stream.cmd.call @__zc.flush_buffer
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%c0 for %c64] : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %1 = stream.resource.dealloca await(%0) => %resource : !stream.resource<transient>{%c64} => !stream.timepoint
    util.return
  }
  // CHECK: util.func public @__zc.flush_buffer
  // CHECK-SAME: (%[[COMMANDS:.*]]: !hal.command_buffer, %[[SLOT:.*]]: index, %[[BUFFER:.*]]: !hal.buffer, %[[OFFSET:.*]]: index, %[[LENGTH:.*]]: index) attributes {zc.shim = "flush"}
  // CHECK-NEXT: %[[NULL:.*]] = util.null : !hal.buffer
  // CHECK-NEXT: %[[INDIRECT:.*]] = util.cmp.eq %[[BUFFER]], %[[NULL]] : !hal.buffer
  // CHECK-NEXT: scf.if %[[INDIRECT]] {
  // CHECK-NEXT:   hal.command_buffer.flush_buffer<%[[COMMANDS]] : !hal.command_buffer> target(%[[SLOT]] : index)[%[[OFFSET]], %[[LENGTH]]]
  // CHECK-NEXT: } else {
  // CHECK-NEXT:   hal.command_buffer.flush_buffer<%[[COMMANDS]] : !hal.command_buffer> target(%[[BUFFER]] : !hal.buffer)[%[[OFFSET]], %[[LENGTH]]]
  // CHECK-NEXT: }
  // CHECK-NEXT: util.return
  // CHECK: util.func public @__zc.invalidate_buffer
  // CHECK: hal.command_buffer.invalidate_buffer{{.*}} index)
  // CHECK: hal.command_buffer.invalidate_buffer{{.*}} !hal.buffer)
}
