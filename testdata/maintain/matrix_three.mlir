// Three devices, in what iree-compile makes: a chain, and one value for two consumers, which one flush serves.
//
// RUN: stream-zc-opt %S/../iree/three_devices.stream.mlir --maintenance=keep --topology=%S/Inputs/three.json | FileCheck %s --check-prefix=CHAIN --implicit-check-not="stream.cmd.{{copy|flush|invalidate}}"
// RUN: stream-zc-opt %S/../iree/three_devices.flow.mlir --maintenance=keep --topology=%S/Inputs/three.json | FileCheck %s --check-prefix=CHAIN --implicit-check-not="stream.cmd.{{copy|flush|invalidate}}"
// RUN: stream-zc-opt %S/../iree/two_consumers.stream.mlir --maintenance=keep --topology=%S/Inputs/three.json | FileCheck %s --check-prefix=TWO --implicit-check-not="stream.cmd.{{copy|flush|invalidate}}"
// RUN: stream-zc-opt %S/../iree/two_consumers.flow.mlir --maintenance=keep --topology=%S/Inputs/three.json | FileCheck %s --check-prefix=TWO --implicit-check-not="stream.cmd.{{copy|flush|invalidate}}"

// CHAIN: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
// CHAIN: stream.cmd.flush to(#hal.device.affinity<@dev_b>)
// CHAIN-NEXT: {{^ *[}]}}
// CHAIN: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
// CHAIN-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>)
// CHAIN-NEXT: stream.cmd.dispatch
// CHAIN: stream.cmd.flush to(#hal.device.affinity<@dev_c>)
// CHAIN-NEXT: {{^ *[}]}}
// CHAIN: stream.cmd.execute on(#hal.device.affinity<@dev_c>)
// CHAIN-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_b>)
// CHAIN-NEXT: stream.cmd.dispatch
// CHAIN: stream.cmd.flush to(#hal.device.affinity<@dev_a>)
// CHAIN-NEXT: {{^ *[}]}}
// CHAIN: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
// CHAIN-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_c>)
// CHAIN-NEXT: stream.cmd.dispatch

// TWO: %[[MADE:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>)
// TWO: stream.cmd.flush to(#hal.device.affinity<@dev_b>)
// TWO-NEXT: {{^ *[}]}}
// TWO: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
// TWO-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>)
// TWO-NEXT: stream.cmd.dispatch
// TWO: stream.cmd.flush to(#hal.device.affinity<@dev_a>)
// TWO: stream.resource.alloca {{.*}} await(%[[MADE]])
// TWO: stream.cmd.execute on(#hal.device.affinity<@dev_c>)
// TWO-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>)
// TWO-NEXT: stream.cmd.dispatch
// TWO: stream.cmd.flush to(#hal.device.affinity<@dev_a>)
// TWO: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
// TWO-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_b>)
// TWO-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_c>)
// TWO-NEXT: stream.cmd.dispatch
