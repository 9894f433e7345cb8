// Kernels for the architectures of the devices that execute them; what is no CPU uses the HAL.
// RUN: stream-zc-opt --zc-lower-cache-maintenance=mode=dispatch %s -o %t && FileCheck %s < %t
// RUN: stream-zc-opt --zc-lower-cache-maintenance=mode=dispatch %t | cmp %t -

module attributes {stream.topology = #hal.device.topology<links = [
  (@clwb -> @npu = {unified_memory = true, transparent_access = true}, {cache_line = 128}),
  (@npu -> @clwb = {unified_memory = true, transparent_access = true}, {cache_line = 32}),
  (@x86 -> @npu = {unified_memory = true, transparent_access = true}, {}),
  (@plain -> @npu = {unified_memory = true, transparent_access = true}, {}),
  (@arm -> @npu = {unified_memory = true, transparent_access = true}, {}),
  (@riscv -> @npu = {unified_memory = true, transparent_access = true}, {}),
  (@riscv32 -> @npu = {unified_memory = true, transparent_access = true}, {})
]>} {
  util.global private @x86 = #hal.device.target<"local", {ordinal = 0 : index}, [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu_features = "+clflushopt", target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  util.global private @clwb = #hal.device.target<"local", {ordinal = 1 : index}, [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu_features = "-avx,+clwb", target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  util.global private @plain = #hal.device.target<"local", {ordinal = 2 : index}, [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu_features = "-clwb,+clwbx", target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device
  util.global private @arm = #hal.device.target<"local", {ordinal = 3 : index}, [#hal.executable.target<"llvm-cpu", "embedded-elf-arm_64", {target_triple = "aarch64-unknown-unknown-eabi-elf"}>]> : !hal.device
  util.global private @riscv = #hal.device.target<"local", {ordinal = 4 : index}, [#hal.executable.target<"llvm-cpu", "system-elf-riscv_64", {target_triple = "riscv64-unknown-linux-gnu"}>]> : !hal.device
  util.global private @riscv32 = #hal.device.target<"local", {ordinal = 5 : index}, [#hal.executable.target<"llvm-cpu", "embedded-elf-riscv_32">]> : !hal.device
  util.global private @npu = #hal.device.target<"vulkan", [#hal.executable.target<"vulkan-spirv", "vulkan-spirv-fb">]> : !hal.device
  // CHECK-LABEL: util.func public @constant
  util.func public @constant(%resource: !stream.resource<transient>, %size: index, %offset: index, %ready: !stream.timepoint) -> !stream.timepoint {
    // CHECK: %[[LENGTH:.*]] = arith.constant 8589934599 : index
    %length = arith.constant 8589934599 : index
    // The length in halves, as constants, so that the command buffer can be recorded once.
    // CHECK-DAG: %[[LOW:.*]] = arith.constant 7 : i32
    // CHECK-DAG: %[[HIGH:.*]] = arith.constant 2 : i32
    // CHECK: stream.cmd.execute
    %0 = stream.cmd.execute on(#hal.device.affinity<@x86>) await(%ready) => with(%resource as %r: !stream.resource<transient>{%size}) {
      // CHECK-NEXT: stream.cmd.dispatch @zc_flush_clflushopt_64::@zc_flush_clflushopt_64[%[[LENGTH]]](%[[LOW]], %[[HIGH]] : i32, i32) {
      // CHECK-NEXT:   rw %arg4[%arg2 for %[[LENGTH]]] : !stream.resource<transient>{%arg1}
      // CHECK-NEXT: } attributes {zc.affinity = #hal.device.affinity<@npu>, zc.maintenance = "flush"}
      stream.cmd.flush to(#hal.device.affinity<@npu>) %r[%offset for %length] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    util.return %0 : !stream.timepoint
  }
  // CHECK-LABEL: util.func public @dynamic
  util.func public @dynamic(%resource: !stream.resource<transient>, %size: index, %offset: index, %length: index, %ready: !stream.timepoint) -> !stream.timepoint {
    // CHECK: %[[WIDE:.*]] = arith.index_castui %arg3 : index to i64
    // CHECK: %[[SHIFTED:.*]] = arith.shrui %[[WIDE]], %c32
    // CHECK-DAG: %[[LOW:.*]] = arith.trunci %[[WIDE]] : i64 to i32
    // CHECK-DAG: %[[HIGH:.*]] = arith.trunci %[[SHIFTED]] : i64 to i32
    // CHECK: stream.cmd.dispatch {{.*}}[%arg3](%[[LOW]], %[[HIGH]] : i32, i32)
    %0 = stream.cmd.execute on(#hal.device.affinity<@x86>) await(%ready) => with(%resource as %r: !stream.resource<transient>{%size}) {
      stream.cmd.flush to(#hal.device.affinity<@npu>) %r[%offset for %length] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    util.return %0 : !stream.timepoint
  }
  // CHECK-LABEL: util.func public @architectures
  util.func public @architectures(%resource: !stream.resource<transient>, %size: index, %offset: index, %length: index, %ready: !stream.timepoint) -> !stream.timepoint {
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@x86>)
    // CHECK-NEXT: stream.cmd.dispatch @zc_invalidate_clflushopt_64::@zc_invalidate_clflushopt_64[
    // CHECK: stream.cmd.dispatch @zc_flush_clflushopt_64::@zc_flush_clflushopt_64[
    %x86 = stream.cmd.execute on(#hal.device.affinity<@x86>) await(%ready) => with(%resource as %r: !stream.resource<transient>{%size}) {
      stream.cmd.invalidate from(#hal.device.affinity<@npu>) %r[%offset for %length] : !stream.resource<transient>{%size}
      stream.cmd.flush to(#hal.device.affinity<@npu>) %r[%offset for %length] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@clwb>)
    // CHECK-NEXT: stream.cmd.dispatch @zc_invalidate_clflush_32::@zc_invalidate_clflush_32[
    // CHECK: stream.cmd.dispatch @zc_flush_clwb_32::@zc_flush_clwb_32[
    %clwb = stream.cmd.execute on(#hal.device.affinity<@clwb>) await(%x86) => with(%resource as %r: !stream.resource<transient>{%size}) {
      stream.cmd.invalidate from(#hal.device.affinity<@npu>) %r[%offset for %length] : !stream.resource<transient>{%size}
      stream.cmd.flush to(#hal.device.affinity<@npu>) %r[%offset for %length] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@plain>)
    // CHECK-NEXT: stream.cmd.dispatch @zc_invalidate_clflush_64::@zc_invalidate_clflush_64[
    // CHECK: stream.cmd.dispatch @zc_flush_clflush_64::@zc_flush_clflush_64[
    %plain = stream.cmd.execute on(#hal.device.affinity<@plain>) await(%clwb) => with(%resource as %r: !stream.resource<transient>{%size}) {
      stream.cmd.invalidate from(#hal.device.affinity<@npu>) %r[%offset for %length] : !stream.resource<transient>{%size}
      stream.cmd.flush to(#hal.device.affinity<@npu>) %r[%offset for %length] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@arm>)
    // CHECK-NEXT: stream.cmd.dispatch @zc_invalidate_dc_civac_64::@zc_invalidate_dc_civac_64[
    // CHECK: stream.cmd.dispatch @zc_flush_dc_cvac_64::@zc_flush_dc_cvac_64[
    %arm = stream.cmd.execute on(#hal.device.affinity<@arm>) await(%plain) => with(%resource as %r: !stream.resource<transient>{%size}) {
      stream.cmd.invalidate from(#hal.device.affinity<@npu>) %r[%offset for %length] : !stream.resource<transient>{%size}
      stream.cmd.flush to(#hal.device.affinity<@npu>) %r[%offset for %length] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@riscv>)
    // CHECK-NEXT: stream.cmd.dispatch @zc_invalidate_cbo_flush_64::@zc_invalidate_cbo_flush_64[
    // CHECK: stream.cmd.dispatch @zc_flush_cbo_clean_64::@zc_flush_cbo_clean_64[
    %riscv = stream.cmd.execute on(#hal.device.affinity<@riscv>) await(%arm) => with(%resource as %r: !stream.resource<transient>{%size}) {
      stream.cmd.invalidate from(#hal.device.affinity<@npu>) %r[%offset for %length] : !stream.resource<transient>{%size}
      stream.cmd.flush to(#hal.device.affinity<@npu>) %r[%offset for %length] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@riscv32>)
    // CHECK-NEXT: stream.cmd.dispatch @zc_invalidate_cbo_flush_64_0::@zc_invalidate_cbo_flush_64_0[
    // CHECK: stream.cmd.dispatch @zc_flush_cbo_clean_64_0::@zc_flush_cbo_clean_64_0[
    %riscv32 = stream.cmd.execute on(#hal.device.affinity<@riscv32>) await(%riscv) => with(%resource as %r: !stream.resource<transient>{%size}) {
      stream.cmd.invalidate from(#hal.device.affinity<@npu>) %r[%offset for %length] : !stream.resource<transient>{%size}
      stream.cmd.flush to(#hal.device.affinity<@npu>) %r[%offset for %length] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    // CHECK: stream.cmd.execute on(#hal.device.affinity<@npu>)
    // CHECK-NEXT: stream.cmd.call @__zc.flush_buffer(
    %npu = stream.cmd.execute on(#hal.device.affinity<@npu>) await(%riscv32) => with(%resource as %r: !stream.resource<transient>{%size}) {
      stream.cmd.flush to(#hal.device.affinity<@arm>) %r[%offset for %length] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    util.return %npu : !stream.timepoint
  }
  // CHECK-LABEL: stream.executable private @zc_flush_clflushopt_64
  // CHECK: workgroups(
  // CHECK: func.func @zc_flush_clflushopt_64(%{{.*}}: i32, %{{.*}}: i32, %{{.*}}: !stream.binding)
  // CHECK: stream.dispatch.workgroup.id[0]
  // CHECK: scf.for
  // CHECK: llvm.inline_asm has_side_effects "clflushopt ($0)", "r,~{memory}"
  // CHECK: llvm.inline_asm has_side_effects "mfence", "~{memory}"
  // The link's lines are 32 bytes in one direction; lines of 128 would step over some of the CPU's.
  // CHECK-LABEL: stream.executable private @zc_flush_clwb_32
  // CHECK: arith.constant 32 : index
  // CHECK: "clwb ($0)"
  // CHECK-LABEL: stream.executable private @zc_flush_dc_cvac_64
  // CHECK: "dc cvac, $0"
  // CHECK: "dsb sy"
  // CHECK-LABEL: stream.executable private @zc_flush_cbo_clean_64
  // CHECK: arith.index_cast {{.*}} : index to i64
  // CHECK: cbo.clean ($0)
  // CHECK: "fence iorw, iorw"
  // CHECK-LABEL: stream.executable private @zc_flush_cbo_clean_64_0
  // CHECK: arith.index_cast {{.*}} : index to i32
}
