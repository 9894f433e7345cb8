// Devices that no kernel can serve are errors, once each.
// RUN: stream-zc-opt --split-input-file --verify-diagnostics --zc-lower-cache-maintenance=mode=dispatch %s

// Not machine code.
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {})]>} {
  util.global private @dev_a = #hal.device.target<"local", [#hal.executable.target<"vmvx", "vmvx-bytecode-fb">]> : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @f(%resource: !stream.resource<transient>, %size: index, %offset: index) -> !stream.timepoint {
    %0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) with(%resource as %r: !stream.resource<transient>{%size}) {
      // expected-error@+1 {{device @dev_a has the architecture 'vmvx', whose cache instructions are not known: use --maintenance=hal}}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    util.return %0 : !stream.timepoint
  }
}

// -----

// A CPU that is not known.
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {})]>} {
  util.global private @dev_a = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "system-elf-ppc_64", {target_triple = "powerpc64le-linux-gnu"}>]> : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @f(%resource: !stream.resource<transient>, %size: index, %offset: index) -> !stream.timepoint {
    %0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) with(%resource as %r: !stream.resource<transient>{%size}) {
      // expected-error@+1 {{device @dev_a has the architecture 'powerpc64le', whose cache instructions are not known: use --maintenance=hal}}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    util.return %0 : !stream.timepoint
  }
}

// -----

// Two kinds of CPU in one device.
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {})]>} {
  util.global private @dev_a = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu_features = "-clwb,+clwbx", target_triple = "x86_64-unknown-unknown-eabi-elf"}>, #hal.executable.target<"llvm-cpu", "embedded-elf-arm_64", {target_triple = "aarch64-unknown-unknown-eabi-elf"}>]> : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @f(%resource: !stream.resource<transient>, %size: index, %offset: index) -> !stream.timepoint {
    %0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) with(%resource as %r: !stream.resource<transient>{%size}) {
      // expected-error@+1 {{device @dev_a has the architecture 'x86_64 and aarch64', whose cache instructions are not known: use --maintenance=hal}}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    util.return %0 : !stream.timepoint
  }
}

// -----

// A target that is not known.
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {})]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @f(%resource: !stream.resource<transient>, %size: index, %offset: index) -> !stream.timepoint {
    %0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) with(%resource as %r: !stream.resource<transient>{%size}) {
      // expected-error@+1 {{device @dev_a has the architecture 'unknown', whose cache instructions are not known: use --maintenance=hal}}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    util.return %0 : !stream.timepoint
  }
}

// -----

// A target without executables.
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {})]>} {
  util.global private @dev_a = #hal.device.target<"local"> : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @f(%resource: !stream.resource<transient>, %size: index, %offset: index) -> !stream.timepoint {
    %0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) with(%resource as %r: !stream.resource<transient>{%size}) {
      // expected-error@+1 {{device @dev_a has the architecture 'unknown', whose cache instructions are not known: use --maintenance=hal}}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    util.return %0 : !stream.timepoint
  }
}
