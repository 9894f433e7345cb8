// Operands that are alike in one call of a shim and not in the other: IREE's interprocedural optimization takes them to be alike in
// both, or crashes, where it may change the shim. So the shims are public, under names that IREE's tools take for internal.
// RUN: stream-zc-opt --zc-lower-cache-maintenance %s -o %t.lowered
// RUN: iree-compile --compile-from=stream --compile-to=vm %t.lowered | FileCheck %s

// CHECK: vm.call @hal.command_buffer.flush_buffer(%{{[^,]+}}, %{{[^,]+}}, %{{[^,]+}}, %c64, %c64)
// CHECK: vm.call @hal.command_buffer.flush_buffer(%{{[^,]+}}, %{{[^,]+}}, %{{[^,]+}}, %zero{{[^,]*}}, %c64)
// CHECK: vm.export @__zc.flush_buffer
module attributes {stream.affinity.default = #hal.device.affinity<@dev_a>, stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = false}), (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = false})]>} {
  util.global private @dev_a = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  util.global private @dev_b = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  util.func public @f(%s: !stream.resource<transient>, %ready: !stream.timepoint, %v: i32) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %c256 = arith.constant 256 : index
    %0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%s as %a: !stream.resource<transient>{%c256}) {
      stream.cmd.fill %v, %a[%c64 for %c64] : i32 -> !stream.resource<transient>{%c256}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %a[%c64 for %c64] : !stream.resource<transient>{%c256}
      stream.cmd.fill %v, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c256}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %a[%c0 for %c64] : !stream.resource<transient>{%c256}
    } => !stream.timepoint
    util.return %0 : !stream.timepoint
  }
}
