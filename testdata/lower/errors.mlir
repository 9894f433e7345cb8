// RUN: stream-zc-opt --split-input-file --verify-diagnostics --zc-lower-cache-maintenance=mode=import:probe %s
// RUN: not stream-zc-opt --zc-lower-cache-maintenance=mode=none %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not stream-zc-opt --zc-lower-cache-maintenance=mode= %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not stream-zc-opt --zc-lower-cache-maintenance=mode %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not stream-zc-opt --zc-lower-cache-maintenance=mode=import: %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not stream-zc-opt --zc-lower-cache-maintenance=mode=import:a.b %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not stream-zc-opt --zc-lower-cache-maintenance=mode=import:1a %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not stream-zc-opt --zc-lower-cache-maintenance=mode=hall %s 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: option 'mode' takes hal, dispatch, import:MODULE or keep, not '{{(none|import:|import:a.b|import:1a|hall)?}}'

// RUN: not stream-zc-opt --maintenance=none %s 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not stream-zc-opt --maintenance= %s 2>&1 | FileCheck %s --check-prefix=OPTION
// OPTION: error: --maintenance takes hal, dispatch, import:MODULE or keep, not '{{(none)?}}'

// The pass's own option goes before.
// RUN: not stream-zc-opt --split-input-file --maintenance=keep --zc-lower-cache-maintenance=mode=import:probe %s 2>&1 | FileCheck %s --check-prefix=OWN
// RUN: stream-zc-opt --maintenance=keep --zc-lower-cache-maintenance --split-input-file %s | FileCheck %s --check-prefix=KEEP
// OWN: @probe.flush_buffer is taken
// KEEP: stream.cmd.flush

// Each name says once that it is taken.
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {})]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @f(%resource: !stream.resource<transient>, %size: index, %offset: index) -> !stream.timepoint {
    %0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) with(%resource as %r: !stream.resource<transient>{%size}) {
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    util.return %0 : !stream.timepoint
  }
  // expected-error@+1 {{@probe.flush_buffer is taken: --maintenance=import declares a function of this name}}
  util.func private @probe.flush_buffer(!hal.command_buffer, index)
}

// -----

module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {})]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @f(%resource: !stream.resource<transient>, %size: index, %offset: index) -> !stream.timepoint {
    %0 = stream.cmd.execute on(#hal.device.affinity<@dev_a>) with(%resource as %r: !stream.resource<transient>{%size}) {
      stream.cmd.flush to(#hal.device.affinity<@dev_b>) %r[%offset for %size] : !stream.resource<transient>{%size}
    } => !stream.timepoint
    util.return %0 : !stream.timepoint
  }
  // expected-error@+1 {{@probe.flush_buffer is taken}}
  util.func private @probe.flush_buffer(%a: !hal.command_buffer, %b: index, %c: !hal.buffer, %d: index, %e: index) {
    util.return
  }
}
