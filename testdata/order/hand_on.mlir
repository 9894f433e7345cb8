// Memory that outlives a block and is updated in place later: what goes with it must follow from every access here.
//
// RUN: stream-zc-opt --zc-order-hazards --split-input-file %s | FileCheck %s

// A loop that updates what it carries, while another device still reads it.
// CHECK-LABEL: @loop
util.func public @loop(%x: !stream.resource<external>, %ready: !stream.timepoint, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  cf.br ^head(%c0, %x, %ready : index, !stream.resource<external>, !stream.timepoint)
^head(%i: index, %s: !stream.resource<external>, %t: !stream.timepoint):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  // CHECK: %[[UPDATED:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>)
  %updated = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%s as %a: !stream.resource<external>{%c64}) {
    stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c64] : !stream.resource<external>{%c64} }
  } => !stream.timepoint
  // CHECK: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%[[UPDATED]])
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%updated) => with(%s as %a: !stream.resource<external>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<external>{%c64} }
  } => !stream.timepoint
  %next = arith.addi %i, %c1 : index
  // CHECK: cf.br ^bb1(%{{.+}}, %{{.+}}, %[[READ]] : index
  cf.br ^head(%next, %s, %updated : index, !stream.resource<external>, !stream.timepoint)
^exit:
  util.return %t : !stream.timepoint
}

// -----

// Nobody updates it: the timepoint stays.
// CHECK-LABEL: @loop_of_readers
util.func public @loop_of_readers(%x: !stream.resource<external>, %ready: !stream.timepoint, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // CHECK: ^bb1(%{{.+}}: index, %{{.+}}: !stream.resource<external>, %[[T:.+]]: !stream.timepoint):
  cf.br ^head(%c0, %x, %ready : index, !stream.resource<external>, !stream.timepoint)
^head(%i: index, %s: !stream.resource<external>, %t: !stream.timepoint):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%t) => with(%s as %a: !stream.resource<external>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<external>{%c64} }
  } => !stream.timepoint
  %next = arith.addi %i, %c1 : index
  // CHECK: cf.br ^bb1(%{{.+}}, %{{.+}}, %[[T]] : index
  cf.br ^head(%next, %s, %t : index, !stream.resource<external>, !stream.timepoint)
^exit:
  util.return %t : !stream.timepoint
}

// -----

// A cache in a global, updated on one device and read on another: the next call's update follows from the read.
util.global private mutable @cache : !stream.resource<variable>
util.global private mutable @cache__timepoint = #stream.timepoint<immediate> : !stream.timepoint
// CHECK-LABEL: @call
util.func public @call() -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %t = util.global.load @cache__timepoint : !stream.timepoint
  %s = util.global.load @cache : !stream.resource<variable>
  // CHECK: %[[UPDATED:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>)
  %updated = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%s as %a: !stream.resource<variable>{%c64}) {
    stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c64] : !stream.resource<variable>{%c64} }
  } => !stream.timepoint
  util.global.store %updated, @cache__timepoint : !stream.timepoint
  // CHECK: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%[[UPDATED]])
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%updated) => with(%s as %a: !stream.resource<variable>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<variable>{%c64} }
  } => !stream.timepoint
  // CHECK: util.global.store %[[READ]], @cache__timepoint
  // CHECK-NEXT: util.return
  util.return %read : !stream.timepoint
}
