// What maintenance becomes in the HAL: commands of the command buffer that signals, between barriers.
// RUN: stream-zc-opt --pass-pipeline='builtin.module(zc-lower-cache-maintenance,iree-hal-conversion)' %s | FileCheck %s
// RUN: stream-zc-opt --zc-lower-cache-maintenance %s -o %t.lowered
// RUN: iree-compile --compile-from=stream --compile-to=hal %t.lowered -o %t.hal && FileCheck %s --check-prefix=FULL < %t.hal
// RUN: FileCheck %s --check-prefix=RECORDED < %t.hal
// RUN: iree-compile --compile-from=stream --compile-to=vm %t.lowered | FileCheck %s --check-prefix=VM

// Command buffers that are recorded once are so in functions of their own.
// RECORDED: %[[NULL:.*]] = util.null : !hal.buffer
// RECORDED: hal.command_buffer.copy_buffer<{{.*}}> source(%c0 : index)
// RECORDED-NEXT: hal.command_buffer.execution_barrier
// RECORDED-NEXT: util.call @__zc.flush_buffer(%cmd, %c1, %[[NULL]], %c0, %c64)
// RECORDED-NEXT: hal.command_buffer.execution_barrier
// RECORDED-NEXT: hal.command_buffer.finalize
// RECORDED: util.call @__zc.invalidate_buffer(%cmd, %{{.*}}, %c0, %c64)
// RECORDED-NEXT: hal.command_buffer.execution_barrier
// RECORDED-NEXT: hal.command_buffer.finalize

// All calls of the shims are inlined.
// VM-NOT: vm.call @__zc.
// VM: vm.call @hal.command_buffer.flush_buffer
// VM: vm.call @hal.command_buffer.invalidate_buffer

module attributes {stream.affinity.default = #hal.device.affinity<@dev_a>, stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = false}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = false})
]>} {
  util.global private @dev_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  util.global private @dev_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  // The command buffer is recorded once; its bindings are slots.
  // CHECK-LABEL: util.func public @copy_with
  // CHECK: hal.device.memoize
  // CHECK: hal.command_buffer.copy_buffer
  // CHECK-NEXT: hal.command_buffer.execution_barrier
  // CHECK-NEXT: %[[NULL:.*]] = util.null : !hal.buffer
  // CHECK-NEXT: util.call @__zc.flush_buffer(%cmd, %c1, %[[NULL]], %c0, %c64)
  // CHECK-NEXT: hal.command_buffer.execution_barrier
  // CHECK-NEXT: hal.command_buffer.finalize
  // CHECK: %[[FENCE:.*]] = hal.fence.create
  // CHECK-NEXT: hal.device.queue.execute.indirect<{{.*}}> affinity({{.*}}) wait(%arg2) signal(%[[FENCE]])
  // CHECK: util.return %[[FENCE]]
  // FULL-LABEL: util.func public @copy_with
  // FULL-NOT: queue.copy
  // FULL: hal.device.queue.execute
  util.func public @copy_with(%s: !stream.resource<transient>, %t: !stream.resource<transient>, %ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%s as %a: !stream.resource<transient>{%c64}, %t as %b: !stream.resource<transient>{%c64}) {
      stream.cmd.copy %a[%c0], %b[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %b[%c0 for %c64] : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return %0 : !stream.timepoint
  }
  // Recorded for one use; its bindings are buffers.
  // CHECK-LABEL: util.func public @copy_once
  // CHECK: hal.command_buffer.copy_buffer
  // CHECK-NEXT: hal.command_buffer.execution_barrier
  // CHECK: util.call @__zc.flush_buffer(%cmd, %c0{{.*}}, %arg1, %c0, %c64)
  // CHECK-NEXT: hal.command_buffer.execution_barrier
  // CHECK-NEXT: hal.command_buffer.finalize
  // CHECK: hal.device.queue.execute<{{.*}}> affinity({{.*}}) wait(%arg2)
  // FULL-LABEL: util.func public @copy_once
  // FULL: hal.command_buffer.copy_buffer
  // FULL-NEXT: hal.command_buffer.execution_barrier
  // FULL-NEXT: util.call @__zc.flush_buffer(%cmd, %c0, %arg1, %c0, %c64)
  // FULL-NEXT: hal.command_buffer.execution_barrier
  // FULL-NEXT: hal.command_buffer.finalize
  // FULL: hal.device.queue.execute<
  util.func public @copy_once(%s: !stream.resource<transient>, %t: !stream.resource<transient>, %ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.cmd.execute once on(#hal.device.affinity<@dev_a>) await(%ready) => with(%s as %a: !stream.resource<transient>{%c64}, %t as %b: !stream.resource<transient>{%c64}) {
      stream.cmd.copy %a[%c0], %b[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %b[%c0 for %c64] : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return %0 : !stream.timepoint
  }
  // Without maintenance it is still one operation of the queue.
  // CHECK-LABEL: util.func public @copy_without
  // CHECK-NOT: hal.command_buffer
  // CHECK: hal.device.queue.copy
  // FULL-LABEL: util.func public @copy_without
  // FULL-NOT: hal.command_buffer
  // FULL: hal.device.queue.copy
  util.func public @copy_without(%s: !stream.resource<transient>, %t: !stream.resource<transient>, %ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%s as %a: !stream.resource<transient>{%c64}, %t as %b: !stream.resource<transient>{%c64}) {
      stream.cmd.copy %a[%c0], %b[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return %0 : !stream.timepoint
  }
  // A region of maintenance only keeps its execution, its wait and its signal.
  // CHECK-LABEL: util.func public @alone
  // CHECK: hal.command_buffer.create
  // CHECK: util.call @__zc.invalidate_buffer(%cmd, %c0{{.*}}, %{{.*}}, %c0, %c64)
  // CHECK-NEXT: hal.command_buffer.execution_barrier
  // CHECK-NEXT: hal.command_buffer.finalize
  // CHECK: %[[FENCE:.*]] = hal.fence.create
  // CHECK-NEXT: hal.device.queue.execute.indirect<{{.*}}> affinity({{.*}}) wait(%arg1) signal(%[[FENCE]])
  // CHECK: util.return %[[FENCE]]
  // FULL-LABEL: util.func public @alone
  // FULL: %[[FENCE:.*]] = hal.fence.create
  // FULL: hal.device.queue.execute{{.*}} wait(%arg1) signal(%[[FENCE]])
  // FULL: util.return %[[FENCE]]
  util.func public @alone(%s: !stream.resource<transient>, %ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %0 = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%s as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %a[%c0 for %c64] : !stream.resource<transient>{%c64}
    } => !stream.timepoint
    util.return %0 : !stream.timepoint
  }
}
