// B updates in place what A made, in what iree-compile makes. In `keep` A needs the older value too, and one copy protects
// it: on A before the hand-off (scheduled route), on B after it (flow route, where IREE places the copy).
//
// RUN: stream-zc-opt %S/../iree/in_place.stream.mlir --maintenance=keep --topology=%S/Inputs/both.json | FileCheck %s --check-prefixes=CHECK,SCHEDULED --implicit-check-not="stream.cmd.{{copy|flush|invalidate}}"
// RUN: stream-zc-opt %S/../iree/in_place.flow.mlir --maintenance=keep --topology=%S/Inputs/both.json | FileCheck %s --check-prefixes=CHECK,FLOW --implicit-check-not="stream.cmd.{{copy|flush|invalidate}}"

// CHECK-LABEL: util.func public @take(
// CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
// CHECK: stream.cmd.flush to(#hal.device.affinity<@dev_b>)
// CHECK-NEXT: {{^ *[}]}}
// CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
// CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %[[X:.+]][%c0 for %c16384] :
// CHECK-NEXT: stream.cmd.dispatch
// CHECK: rw %[[X]][%c0 for %c16384] :
// CHECK-NEXT: {{^ *[}]}}
// CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_a>) %[[X]][%c0 for %c16384] :
// CHECK-NEXT: {{^ *[}]}}
// CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
// CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_b>)
// CHECK-NEXT: stream.cmd.dispatch

// CHECK-LABEL: util.func public @keep(
// CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
// SCHEDULED: stream.cmd.copy %{{.+}}, %[[COPY:.+]][%c0], %c16384 :
// SCHEDULED-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_b>) %[[COPY]][%c0 for %c16384] :
// FLOW: wo %[[MADE:.+]][%c0 for %c16384] :
// FLOW-NEXT: {{^ *[}]}}
// FLOW-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_b>) %[[MADE]][%c0 for %c16384] :
// CHECK-NEXT: {{^ *[}]}}
// CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
// CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>) %[[Y:.+]][%c0 for %c16384] :
// FLOW-NEXT: stream.cmd.copy %[[Y]][%c0], %{{.+}}[%c0], %c16384 :
// CHECK-NEXT: stream.cmd.dispatch
// CHECK: rw %[[Z:.+]][%c0 for %c16384] :
// CHECK-NEXT: {{^ *[}]}}
// CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_a>) %[[Z]][%c0 for %c16384] :
// CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
// CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_b>)
// CHECK-NEXT: stream.cmd.dispatch
