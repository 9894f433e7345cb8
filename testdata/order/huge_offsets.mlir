// A range whose end is no 64-bit number any more may overlap every other one: the second write waits for the first.
// RUN: stream-zc-opt --zc-order-hazards %s 2>/dev/null | FileCheck %s

module {
  util.global private @dev_a : !hal.device
  // CHECK-LABEL: @end_beyond_64_bits
  // CHECK: %[[ONE:.+]] = stream.cmd.execute
  // CHECK: stream.cmd.execute {{.*}} await(%[[ONE]])
  util.func public @end_beyond_64_bits(%x: !stream.resource<transient>, %size: index, %ready: !stream.timepoint) -> !stream.timepoint {
    %far = arith.constant 9223372036854775807 : index
    %more = arith.constant 1099511627776 : index
    %c0 = arith.constant 0 : index
    %p = arith.constant 1 : i32
    %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %x_in: !stream.resource<transient>{%size}) {
      stream.cmd.fill %p, %x_in[%far for %more] : i32 -> !stream.resource<transient>{%size}
    } => !stream.timepoint
    %two = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %x_in: !stream.resource<transient>{%size}) {
      stream.cmd.fill %p, %x_in[%c0 for %more] : i32 -> !stream.resource<transient>{%size}
    } => !stream.timepoint
    %last = stream.timepoint.join max(%one, %two) => !stream.timepoint
    util.return %last : !stream.timepoint
  }
}
