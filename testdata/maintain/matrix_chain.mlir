// From A to B and back, in what iree-compile makes: no copy where memory is shared, maintenance in the directions that need
// it, nothing else; links without shared memory stay as they are.
//
// RUN: stream-zc-opt %S/../iree/chain.stream.mlir --maintenance=keep --topology=%S/Inputs/both.json | FileCheck %s --check-prefixes=CHECK,AB,BA --implicit-check-not="stream.cmd.{{copy|flush|invalidate}}"
// RUN: stream-zc-opt %S/../iree/chain.stream.mlir --maintenance=keep --topology=%S/Inputs/a-to-b.json | FileCheck %s --check-prefixes=CHECK,AB --implicit-check-not="stream.cmd.{{copy|flush|invalidate}}"
// RUN: stream-zc-opt %S/../iree/chain.stream.mlir --maintenance=keep --topology=%S/Inputs/b-to-a.json | FileCheck %s --check-prefixes=CHECK,BA --implicit-check-not="stream.cmd.{{copy|flush|invalidate}}"
// RUN: stream-zc-opt %S/../iree/chain.stream.mlir --maintenance=keep --topology=%S/Inputs/coherent.json | FileCheck %s --implicit-check-not="stream.cmd.{{copy|flush|invalidate}}"
// RUN: stream-zc-opt %S/../iree/chain.flow.mlir --maintenance=keep --topology=%S/Inputs/both.json | FileCheck %s --check-prefixes=CHECK,AB,BA --implicit-check-not="stream.cmd.{{copy|flush|invalidate}}"
// RUN: stream-zc-opt %S/../iree/chain.stream.mlir --maintenance=keep --topology=%S/Inputs/discrete.json | FileCheck %s --check-prefix=DISCRETE --implicit-check-not="stream.cmd.{{copy|flush|invalidate}}"

// CHECK-LABEL: util.func public @main(
// CHECK: %[[FIRST:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>)
// CHECK: stream.cmd.dispatch
// CHECK: wo %[[X:.+]][%c0 for %[[SIZE:c[0-9]+]]] :
// AB-NEXT: {{^ *[}]}}
// AB-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_b>) %[[X]][%c0 for %[[SIZE]]] :
// CHECK-NEXT: {{^ *[}]}}
// CHECK: stream.resource.alloca {{.*}} await(%[[FIRST]]) => {{.*}} => !stream.timepoint
// CHECK: %[[SECOND:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
// AB-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %{{.+}}[%c0 for %[[SIZE]]] :
// CHECK-NEXT: stream.cmd.dispatch
// CHECK: wo %[[Y:.+]][%c0 for %[[SIZE]]] :
// BA-NEXT: {{^ *[}]}}
// BA-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_a>) %[[Y]][%c0 for %[[SIZE]]] :
// CHECK-NEXT: {{^ *[}]}}
// CHECK: stream.resource.alloca {{.*}} await(%[[SECOND]]) => {{.*}} => !stream.timepoint
// CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
// BA-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_b>) %{{.+}}[%c0 for %[[SIZE]]] :
// CHECK-NEXT: stream.cmd.dispatch
// CHECK: util.return

// DISCRETE: stream.cmd.copy
// DISCRETE-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_b>)
// DISCRETE: stream.cmd.copy
// DISCRETE-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_a>)
// DISCRETE: util.return
