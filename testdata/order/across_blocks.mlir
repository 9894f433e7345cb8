// Accesses that control flow lies between: another block, the next time around a loop, another function. The checker agrees.
//
// RUN: stream-zc-opt --zc-order-hazards --split-input-file %s | FileCheck %s
// RUN: stream-zc-opt --zc-order-hazards --zc-verify-coherence --split-input-file %s -o /dev/null

// The reader stands before the branch: the writer of the arm waits for it.
// CHECK-LABEL: @arm_writes
util.func public @arm_writes(%x: !stream.resource<transient>, %ready: !stream.timepoint, %p: i1) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  %y, %y_ready = stream.resource.alloca uninitialized await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  // CHECK: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%y_ready) => with(%x as %a: !stream.resource<transient>{%c64}, %y as %b: !stream.resource<transient>{%c64}) {
    stream.cmd.copy %a[%c0], %b[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  cf.cond_br %p, ^arm, ^end(%read : !stream.timepoint)
^arm:
  // CHECK: %[[JOIN:.+]] = stream.timepoint.join max(%arg1, %[[READ]])
  // CHECK-NEXT: stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[JOIN]])
  %wrote = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  %both = stream.timepoint.join max(%read, %wrote) => !stream.timepoint
  cf.br ^end(%both : !stream.timepoint)
^end(%done: !stream.timepoint):
  util.return %done : !stream.timepoint
}

// -----

// Its twin: ordered already, and left as it is.
// CHECK-LABEL: @arm_writes_ordered
util.func public @arm_writes_ordered(%x: !stream.resource<transient>, %ready: !stream.timepoint, %p: i1) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  %y, %y_ready = stream.resource.alloca uninitialized await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  // CHECK: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%y_ready) => with(%x as %a: !stream.resource<transient>{%c64}, %y as %b: !stream.resource<transient>{%c64}) {
    stream.cmd.copy %a[%c0], %b[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  cf.cond_br %p, ^arm, ^end(%read : !stream.timepoint)
^arm:
  // CHECK-NOT: stream.timepoint.join
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[READ]])
  %wrote = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%read) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  %both = stream.timepoint.join max(%read, %wrote) => !stream.timepoint
  cf.br ^end(%both : !stream.timepoint)
^end(%done: !stream.timepoint):
  util.return %done : !stream.timepoint
}

// -----

// The reader stands in the arm: what the arm passes on follows from it.
// CHECK-LABEL: @arm_reads
util.func public @arm_reads(%x: !stream.resource<transient>, %ready: !stream.timepoint, %p: i1) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  cf.cond_br %p, ^arm, ^end(%ready : !stream.timepoint)
^arm:
  %y, %y_ready = stream.resource.alloca uninitialized await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  // CHECK: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%y_ready) => with(%x as %a: !stream.resource<transient>{%c64}, %y as %b: !stream.resource<transient>{%c64}) {
    stream.cmd.copy %a[%c0], %b[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  // CHECK: %[[JOIN:.+]] = stream.timepoint.join max(%arg1, %[[READ]])
  // CHECK-NEXT: cf.br ^bb2(%[[JOIN]] : !stream.timepoint)
  cf.br ^end(%ready : !stream.timepoint)
^end(%t: !stream.timepoint):
  %wrote = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  util.return %wrote : !stream.timepoint
}

// -----

// Nothing is passed on that the writer waits for: the host waits before it leaves the arm.
// CHECK-LABEL: @host_waits
util.func public @host_waits(%x: !stream.resource<transient>, %ready: !stream.timepoint, %p: i1) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  cf.cond_br %p, ^arm, ^end
^arm:
  %y, %y_ready = stream.resource.alloca uninitialized await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  // CHECK: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%y_ready) => with(%x as %a: !stream.resource<transient>{%c64}, %y as %b: !stream.resource<transient>{%c64}) {
    stream.cmd.copy %a[%c0], %b[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  // CHECK: %[[SEEN:.+]] = stream.timepoint.await sync %[[READ]]
  // CHECK-NEXT: util.optimization_barrier %[[SEEN]]
  cf.br ^end
^end:
  %wrote = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  util.return %wrote : !stream.timepoint
}

// -----

// The next time around the loop writes what is read this time.
// CHECK-LABEL: @loop
util.func public @loop(%ready: !stream.timepoint, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  %x, %x_ready = stream.resource.alloca uninitialized await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  cf.br ^head(%c0, %x_ready : index, !stream.timepoint)
^head(%i: index, %t: !stream.timepoint):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^exit
^body:
  %y, %y_ready = stream.resource.alloca uninitialized await(%t) => !stream.resource<transient>{%c64} => !stream.timepoint
  %wrote = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  %w_ready = stream.timepoint.join max(%wrote, %y_ready) => !stream.timepoint
  // CHECK: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%w_ready) => with(%x as %a: !stream.resource<transient>{%c64}, %y as %b: !stream.resource<transient>{%c64}) {
    stream.cmd.copy %a[%c0], %b[%c0], %c64 : !stream.resource<transient>{%c64} -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  %next = arith.addi %i, %c1 : index
  // CHECK: cf.br ^bb1(%{{.+}}, %[[READ]] : index, !stream.timepoint)
  cf.br ^head(%next, %wrote : index, !stream.timepoint)
^exit:
  util.return %t : !stream.timepoint
}

// -----

// A function that only reads what another one updates: the timepoint of the global follows from the reader, too.
util.global private mutable @cache : !stream.resource<variable>
util.global private mutable @cache__timepoint = #stream.timepoint<immediate> : !stream.timepoint
util.func public @update() -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %t = util.global.load @cache__timepoint : !stream.timepoint
  %s = util.global.load @cache : !stream.resource<variable>
  %updated = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%s as %a: !stream.resource<variable>{%c64}) {
    stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c64] : !stream.resource<variable>{%c64} }
  } => !stream.timepoint
  util.global.store %updated, @cache__timepoint : !stream.timepoint
  util.return %updated : !stream.timepoint
}
// CHECK-LABEL: @look
util.func public @look() -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %t = util.global.load @cache__timepoint : !stream.timepoint
  %s = util.global.load @cache : !stream.resource<variable>
  // CHECK: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%t) => with(%s as %a: !stream.resource<variable>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<variable>{%c64} }
  } => !stream.timepoint
  // CHECK: %[[BEFORE:.+]] = util.global.load @cache__timepoint
  // CHECK-NEXT: %[[BOTH:.+]] = stream.timepoint.join max(%[[BEFORE]], %[[READ]])
  // CHECK-NEXT: util.global.store %[[BOTH]], @cache__timepoint
  util.return %read : !stream.timepoint
}

// -----

// Its twin: nobody updates it.
// CHECK-LABEL: @look_too
// CHECK-LABEL: @look
// CHECK-NOT: util.global.store
// CHECK: util.return
util.global private mutable @cache : !stream.resource<variable>
util.global private mutable @cache__timepoint = #stream.timepoint<immediate> : !stream.timepoint
util.func public @look_too() -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %t = util.global.load @cache__timepoint : !stream.timepoint
  %s = util.global.load @cache : !stream.resource<variable>
  %updated = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%s as %a: !stream.resource<variable>{%c64}) {
    stream.cmd.dispatch @ex::@look_too { ro %a[%c0 for %c64] : !stream.resource<variable>{%c64} }
  } => !stream.timepoint
  util.return %updated : !stream.timepoint
}
util.func public @look() -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %t = util.global.load @cache__timepoint : !stream.timepoint
  %s = util.global.load @cache : !stream.resource<variable>
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%t) => with(%s as %a: !stream.resource<variable>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<variable>{%c64} }
  } => !stream.timepoint
  util.return %read : !stream.timepoint
}

// -----

// The reader means the value from before the writer, which stands in front of the branch: it gets a copy.
// CHECK-LABEL: @protected
util.func public @protected(%x: !stream.resource<transient>, %ready: !stream.timepoint, %p: i1) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  // CHECK: %[[COPY:.+]], %[[COPY_READY:.+]] = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>)
  // CHECK: stream.timepoint.join max(%arg1, %[[COPY_READY]])
  // CHECK: %[[COPIED:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  // CHECK-NEXT: stream.cmd.copy
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[COPIED]])
  %wrote = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  cf.cond_br %p, ^arm, ^end(%wrote : !stream.timepoint)
^arm:
  // CHECK: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%[[COPIED]]) => with(%arg0 as %{{.+}}: !stream.resource<transient>{%c64}, %[[COPY]] as %[[IN:.+]]: !stream.resource<transient>{%c64})
  // CHECK: ro %[[IN]]
  // CHECK: stream.resource.dealloca on(#hal.device.affinity<@dev_b>) await(%[[READ]]) => %[[COPY]]
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  %all = stream.timepoint.join max(%read, %wrote) => !stream.timepoint
  cf.br ^end(%all : !stream.timepoint)
^end(%t: !stream.timepoint):
  util.return %t : !stream.timepoint
}

// -----

// As before, where what the reader waits for is told in an earlier block than the writer's. Two writers, one after the other,
// stand in the reader's way: the copy comes before both.
// CHECK-LABEL: @protected_from_two
util.func public @protected_from_two(%x: !stream.resource<transient>, %ready: !stream.timepoint, %p: i1) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  // CHECK: %[[ZEROED:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%arg1)
  %zeroed = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  cf.br ^next
^next:
  // CHECK: ^bb1:
  // CHECK-NEXT: %[[COPY:.+]], %[[COPY_READY:.+]] = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>)
  // CHECK-NEXT: %[[JOIN:.+]] = stream.timepoint.join max(%[[ZEROED]], %[[COPY_READY]])
  // CHECK-NEXT: %[[COPIED:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%[[JOIN]])
  // CHECK-NEXT: stream.cmd.copy
  // CHECK: %[[FIRST:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[COPIED]])
  %first = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%zeroed) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  // CHECK-NOT: stream.cmd.copy
  // CHECK: %[[SECOND:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%{{.+}})
  %second = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%first) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  cf.cond_br %p, ^arm, ^end(%second : !stream.timepoint)
^arm:
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%{{.+}}) => with(%arg0 as %{{.+}}: !stream.resource<transient>{%c64}, %[[COPY]] as %[[IN:.+]]: !stream.resource<transient>{%c64})
  // CHECK-NEXT: stream.cmd.dispatch
  // CHECK-NEXT: ro %[[IN]]
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%zeroed) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  %all = stream.timepoint.join max(%read, %second) => !stream.timepoint
  cf.br ^end(%all : !stream.timepoint)
^end(%t: !stream.timepoint):
  util.return %t : !stream.timepoint
}

// -----

// A reader that comes again and again after one writer: its copy is read each time, so it isn't freed after the first.
// CHECK-LABEL: @protected_in_loop
util.func public @protected_in_loop(%x: !stream.resource<transient>, %ready: !stream.timepoint, %p: i1) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  // CHECK: %[[COPY:.+]], %{{.+}} = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_b>)
  // CHECK: %[[COPIED:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  // CHECK-NEXT: stream.cmd.copy
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[COPIED]])
  %wrote = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  cf.br ^loop(%wrote : !stream.timepoint)
^loop(%before: !stream.timepoint):
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%[[COPIED]]) => with(%arg0 as %{{.+}}: !stream.resource<transient>{%c64}, %[[COPY]] as %[[IN:.+]]: !stream.resource<transient>{%c64})
  // CHECK-NEXT: stream.cmd.dispatch
  // CHECK-NEXT: ro %[[IN]]
  // CHECK-NOT: stream.resource.dealloca
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  %all = stream.timepoint.join max(%read, %before) => !stream.timepoint
  cf.cond_br %p, ^loop(%all : !stream.timepoint), ^end
^end:
  util.return %all : !stream.timepoint
}

// -----

// The loop reads %x by the name of an argument: what writes it behind the loop waits for that.
// CHECK-LABEL: @named_by_argument
util.func public @named_by_argument(%ready: !stream.timepoint, %p: i1) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  // CHECK: %[[MADE:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>)
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  cf.br ^loop(%x, %made : !stream.resource<transient>, !stream.timepoint)
^loop(%y: !stream.resource<transient>, %t: !stream.timepoint):
  // CHECK: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%t) => with(%y as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  cf.cond_br %p, ^loop(%y, %t : !stream.resource<transient>, !stream.timepoint), ^end
^end:
  // CHECK: %[[JOIN:.+]] = stream.timepoint.join max(%[[MADE]], %[[READ]])
  // CHECK-NEXT: stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[JOIN]])
  %u = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  %all = stream.timepoint.join max(%u, %read) => !stream.timepoint
  util.return %all : !stream.timepoint
}

// -----

// The other way round: the reader names it %x, and what writes it behind has the argument.
// CHECK-LABEL: @read_again_by_argument
util.func public @read_again_by_argument(%ready: !stream.timepoint, %p: i1, %q: i1) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  cf.br ^loop(%x : !stream.resource<transient>)
^loop(%y: !stream.resource<transient>):
  cf.cond_br %p, ^loop(%y : !stream.resource<transient>), ^next
^next:
  // CHECK: ^bb2:
  // CHECK-NEXT: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  cf.cond_br %q, ^arm, ^end(%read : !stream.timepoint)
^arm:
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[READ]])
  %u = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%y as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  %all = stream.timepoint.join max(%u, %read) => !stream.timepoint
  cf.br ^end(%all : !stream.timepoint)
^end(%done: !stream.timepoint):
  util.return %done : !stream.timepoint
}

// -----

// Through the arguments of two loops, one in the other.
// CHECK-LABEL: @named_in_nested_loop
util.func public @named_in_nested_loop(%ready: !stream.timepoint, %p: i1) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  // CHECK: %[[MADE:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>)
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  cf.br ^outer(%x, %made : !stream.resource<transient>, !stream.timepoint)
^outer(%y: !stream.resource<transient>, %t: !stream.timepoint):
  cf.br ^inner(%y, %t : !stream.resource<transient>, !stream.timepoint)
^inner(%z: !stream.resource<transient>, %s: !stream.timepoint):
  // CHECK: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%s) => with(%z as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  cf.cond_br %p, ^inner(%z, %read : !stream.resource<transient>, !stream.timepoint), ^latch
^latch:
  cf.cond_br %p, ^outer(%z, %read : !stream.resource<transient>, !stream.timepoint), ^end
^end:
  // CHECK: %[[JOIN:.+]] = stream.timepoint.join max(%[[MADE]], %[[READ]])
  // CHECK-NEXT: stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[JOIN]])
  %u = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  %all = stream.timepoint.join max(%u, %read) => !stream.timepoint
  util.return %all : !stream.timepoint
}

// -----

// Two arguments are given one memory: the second writes what is read by the first.
// CHECK-LABEL: @given_twice
util.func public @given_twice(%ready: !stream.timepoint, %p: i1) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  cf.cond_br %p, ^both(%x, %x, %made : !stream.resource<transient>, !stream.resource<transient>, !stream.timepoint), ^end(%made : !stream.timepoint)
^both(%y: !stream.resource<transient>, %z: !stream.resource<transient>, %t: !stream.timepoint):
  // CHECK: ^bb1({{.+}}, %[[T:.+]]: !stream.timepoint):
  // CHECK-NEXT: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%t) => with(%y as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[READ]])
  %u = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%z as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  %all = stream.timepoint.join max(%u, %read) => !stream.timepoint
  cf.br ^end(%all : !stream.timepoint)
^end(%done: !stream.timepoint):
  util.return %done : !stream.timepoint
}

// -----

// Its twin: each edge gives the arguments two memories, which are never one.
// CHECK-LABEL: @given_crosswise
util.func public @given_crosswise(%ready: !stream.timepoint, %p: i1, %q: i1) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  %w, %w_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  %both_ready = stream.timepoint.join max(%x_ready, %w_ready) => !stream.timepoint
  %first = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%both_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  %second = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%first) => with(%w as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  cf.cond_br %p, ^both(%x, %w, %second : !stream.resource<transient>, !stream.resource<transient>, !stream.timepoint), ^both(%w, %x, %second : !stream.resource<transient>, !stream.resource<transient>, !stream.timepoint)
^both(%y: !stream.resource<transient>, %z: !stream.resource<transient>, %t: !stream.timepoint):
  // CHECK: ^bb1({{.+}}, %[[T:.+]]: !stream.timepoint):
  // CHECK-NEXT: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%[[T]])
  // CHECK-NOT: stream.timepoint.join
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[T]])
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%t) => with(%y as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  %u = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%z as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  // CHECK: stream.timepoint.join
  %all = stream.timepoint.join max(%u, %read) => !stream.timepoint
  util.return %all : !stream.timepoint
}

// -----

// What writes by another name between a reader and what waits for that.
// CHECK-LABEL: @between_a_chain
util.func public @between_a_chain(%ready: !stream.timepoint, %p: i1) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  %made = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  cf.br ^next(%x, %made : !stream.resource<transient>, !stream.timepoint)
^next(%y: !stream.resource<transient>, %t: !stream.timepoint):
  // CHECK: ^bb1({{.+}}, %[[T:.+]]: !stream.timepoint):
  // CHECK-NEXT: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%t) => with(%y as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[READ]])
  %u = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%t) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  %after = stream.timepoint.join max(%u, %read) => !stream.timepoint
  %v = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%after) => with(%y as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  cf.cond_br %p, ^next(%x, %v : !stream.resource<transient>, !stream.timepoint), ^end
^end:
  util.return %v : !stream.timepoint
}

// -----

// The second time around the loop %y is what was %w: what writes that behind the loop waits for its reader.
// CHECK-LABEL: @second_turn
util.func public @second_turn(%ready: !stream.timepoint, %p: i1, %n: index) -> !stream.timepoint {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c0_i32 = arith.constant 0 : i32
  %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  %w, %w_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
  %both_ready = stream.timepoint.join max(%x_ready, %w_ready) => !stream.timepoint
  %first = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%both_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  // CHECK: %[[MADE:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%{{.+}}) => with(%result_0
  %second = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%first) => with(%w as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.fill %c0_i32, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
  } => !stream.timepoint
  %c1 = arith.constant 1 : index
  cf.br ^loop(%c0, %x, %w, %second : index, !stream.resource<transient>, !stream.resource<transient>, !stream.timepoint)
^loop(%i: index, %y: !stream.resource<transient>, %z: !stream.resource<transient>, %t: !stream.timepoint):
  // CHECK: %[[READ:.+]] = stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%t) => with(%y as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  %next = arith.addi %i, %c1 : index
  %more = arith.cmpi slt, %next, %n : index
  cf.cond_br %more, ^loop(%next, %z, %y, %read : index, !stream.resource<transient>, !stream.resource<transient>, !stream.timepoint), ^end
^end:
  // CHECK: %[[JOIN:.+]] = stream.timepoint.join max(%[[MADE]], %[[READ]])
  // CHECK-NEXT: stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%[[JOIN]])
  %u = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%second) => with(%w as %a: !stream.resource<transient>{%c64}) {
    stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
  } => !stream.timepoint
  %all = stream.timepoint.join max(%u, %read) => !stream.timepoint
  util.return %all : !stream.timepoint
}
