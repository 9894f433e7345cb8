// Branches, loops and globals: memory is followed by whatever name, and by ways that can be taken.
//
// RUN: stream-zc-opt --zc-maintain-coherence --topology=%S/Inputs/both.json %s | FileCheck %s

module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private mutable @state : !stream.resource<variable>
  util.global private mutable @kept : !stream.resource<variable>

  // B reads on one of the two ways: there it invalidates. On the other A goes on.
  // CHECK-LABEL: @branch
  // CHECK: stream.cmd.fill
  // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_b>)
  // CHECK: ^bb1
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  // CHECK-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>)
  // CHECK-NEXT: stream.cmd.dispatch
  // CHECK: ^bb2
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
  // CHECK-NEXT: stream.cmd.dispatch
  // CHECK-NOT: stream.cmd.flush
  // CHECK: ^bb3
  util.func public @branch(%ready: !stream.timepoint, %c: i1) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 7 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
    %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    cf.cond_br %c, ^there(%x, %one : !stream.resource<transient>, !stream.timepoint), ^here(%x, %one : !stream.resource<transient>, !stream.timepoint)
  ^there(%y: !stream.resource<transient>, %y_ready: !stream.timepoint):
    %there = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%y_ready) => with(%y as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    cf.br ^end(%there : !stream.timepoint)
  ^here(%z: !stream.resource<transient>, %z_ready: !stream.timepoint):
    %here = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%z_ready) => with(%z as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    cf.br ^end(%here : !stream.timepoint)
  ^end(%over: !stream.timepoint):
    util.return %over : !stream.timepoint
  }

  // B sees it since the first block; nothing of B orders the other read behind that.
  // CHECK-LABEL: @seen
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  // CHECK-NEXT: stream.cmd.invalidate
  // CHECK: ^bb1
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  // CHECK-NEXT: stream.cmd.dispatch
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  // CHECK-NEXT: stream.cmd.invalidate
  util.func public @seen(%ready: !stream.timepoint) -> (!stream.timepoint, !stream.timepoint) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 7 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
    %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %first = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%one) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    cf.br ^next(%x, %one, %first : !stream.resource<transient>, !stream.timepoint, !stream.timepoint)
  ^next(%y: !stream.resource<transient>, %y_ready: !stream.timepoint, %before: !stream.timepoint):
    %behind = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%before) => with(%y as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    %beside = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%y_ready) => with(%y as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    util.return %behind, %beside : !stream.timepoint, !stream.timepoint
  }

  // The other read is by another name, and nothing orders it behind the first either.
  // CHECK-LABEL: @seen_by_other_name
  // CHECK: ^bb1
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  // CHECK-NEXT: stream.cmd.invalidate
  // CHECK: ^bb2
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  // CHECK-NEXT: stream.cmd.invalidate
  util.func public @seen_by_other_name(%ready: !stream.timepoint) -> (!stream.timepoint, !stream.timepoint) {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 7 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
    %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    cf.br ^next(%x : !stream.resource<transient>)
  ^next(%y: !stream.resource<transient>):
    %first = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%one) => with(%y as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    cf.br ^last
  ^last:
    %second = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%one) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    util.return %first, %second : !stream.timepoint, !stream.timepoint
  }

  // The two turns of the loop leave nothing of what was there before: only the last one's write is read by B.
  // CHECK-LABEL: @turns
  // CHECK: stream.cmd.fill
  // CHECK-NEXT: {{[}]}} => !stream.timepoint
  // CHECK: ^bb2
  // CHECK: stream.cmd.fill
  // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_b>)
  // CHECK: ^bb3
  // CHECK: stream.cmd.invalidate from(#hal.device.affinity<@dev_a>)
  util.func public @turns(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 7 : i32
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %i2 = arith.constant 2 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
    %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    cf.br ^head(%i0, %one : i32, !stream.timepoint)
  ^head(%i: i32, %before: !stream.timepoint):
    %more = arith.cmpi slt, %i, %i2 : i32
    cf.cond_br %more, ^body, ^end
  ^body:
    %turn = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%before) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %next = arith.addi %i, %i1 : i32
    cf.br ^head(%next, %turn : i32, !stream.timepoint)
  ^end:
    %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%before) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    util.return %read : !stream.timepoint
  }

  // Any number of turns, none as well.
  // CHECK-LABEL: @any_turns
  // CHECK: stream.cmd.fill
  // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_b>)
  // CHECK: ^bb2
  // CHECK: stream.cmd.fill
  // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_b>)
  util.func public @any_turns(%ready: !stream.timepoint, %n: i32) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 7 : i32
    %i0 = arith.constant 0 : i32
    %i1 = arith.constant 1 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
    %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    cf.br ^head(%i0, %one : i32, !stream.timepoint)
  ^head(%i: i32, %before: !stream.timepoint):
    %more = arith.cmpi slt, %i, %n : i32
    cf.cond_br %more, ^body, ^end
  ^body:
    %turn = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%before) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    %next = arith.addi %i, %i1 : i32
    cf.br ^head(%next, %turn : i32, !stream.timepoint)
  ^end:
    %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%before) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    util.return %read : !stream.timepoint
  }

  // One condition decides both branches: what A writes where B doesn't read needs nothing.
  // CHECK-LABEL: @twice
  // CHECK: ^bb1
  // CHECK: stream.cmd.fill
  // CHECK-NEXT: {{[}]}} => !stream.timepoint
  // CHECK: ^bb2
  // CHECK: stream.cmd.fill
  // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_b>)
  util.func public @twice(%ready: !stream.timepoint, %c: i1) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 7 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
    cf.cond_br %c, ^one, ^two
  ^one:
    %first = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    cf.br ^both(%first : !stream.timepoint)
  ^two:
    %second = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    cf.br ^both(%second : !stream.timepoint)
  ^both(%made: !stream.timepoint):
    cf.cond_br %c, ^end(%made : !stream.timepoint), ^three
  ^three:
    %read = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%made) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    cf.br ^end(%read : !stream.timepoint)
  ^end(%over: !stream.timepoint):
    util.return %over : !stream.timepoint
  }

  // An invalidate that one way needs is done on the other, too: what it would drop there is flushed.
  // CHECK-LABEL: @dropped
  // CHECK: ^bb1
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
  // CHECK: stream.cmd.fill
  // CHECK-NEXT: stream.cmd.flush
  // CHECK: ^bb2
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_b>)
  // CHECK: stream.cmd.fill
  // CHECK-NEXT: stream.cmd.flush to(#hal.device.affinity<@dev_a>)
  // CHECK: ^bb3
  // CHECK: stream.cmd.invalidate from(#hal.device.affinity<@dev_b>)
  util.func public @dropped(%ready: !stream.timepoint, %c: i1) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 7 : i32
    %x, %x_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<transient>{%c64} => !stream.timepoint
    cf.cond_br %c, ^one, ^two
  ^one:
    %first = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    cf.br ^both(%first : !stream.timepoint)
  ^two:
    %second = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%x_ready) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.fill %v, %a[%c0 for %c64] : i32 -> !stream.resource<transient>{%c64}
    } => !stream.timepoint
    cf.br ^both(%second : !stream.timepoint)
  ^both(%made: !stream.timepoint):
    %read = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%made) => with(%x as %a: !stream.resource<transient>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<transient>{%c64} }
    } => !stream.timepoint
    cf.cond_br %c, ^end(%read : !stream.timepoint), ^three
  ^three:
    cf.br ^end(%read : !stream.timepoint)
  ^end(%over: !stream.timepoint):
    util.return %over : !stream.timepoint
  }

  // The global gets another memory: nobody uses what was updated in place.
  // CHECK-LABEL: @replaced
  // CHECK: stream.cmd.dispatch @ex::@update
  // CHECK-NEXT: rw
  // CHECK-NEXT: {{^ *[}]$}}
  // CHECK-NEXT: {{[}]}} => !stream.timepoint
  // CHECK: stream.cmd.dispatch @ex::@make
  // CHECK: stream.cmd.flush to(#hal.device.affinity<@dev_b>)
  // CHECK-NOT: flush
  util.func public @replaced(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %old = util.global.load @state : !stream.resource<variable>
    %seen = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%ready) => with(%old as %a: !stream.resource<variable>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<variable>{%c64} }
    } => !stream.timepoint
    %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%seen) => with(%old as %a: !stream.resource<variable>{%c64}) {
      stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c64] : !stream.resource<variable>{%c64} }
    } => !stream.timepoint
    %new, %new_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%one) => !stream.resource<variable>{%c64} => !stream.timepoint
    %two = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%new_ready) => with(%old as %a: !stream.resource<variable>{%c64}, %new as %b: !stream.resource<variable>{%c64}) {
      stream.cmd.dispatch @ex::@make {
        ro %a[%c0 for %c64] : !stream.resource<variable>{%c64},
        wo %b[%c0 for %c64] : !stream.resource<variable>{%c64}
      }
    } => !stream.timepoint
    util.global.store %new, @state : !stream.resource<variable>
    util.return %two : !stream.timepoint
  }

  // A caller may have loaded it, too.
  // CHECK-LABEL: @called
  // CHECK: stream.cmd.dispatch @ex::@update
  // CHECK: stream.cmd.flush to(#hal.device.affinity<@dev_b>)
  util.func private @called(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %old = util.global.load @kept : !stream.resource<variable>
    %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%ready) => with(%old as %a: !stream.resource<variable>{%c64}) {
      stream.cmd.dispatch @ex::@update { rw %a[%c0 for %c64] : !stream.resource<variable>{%c64} }
    } => !stream.timepoint
    %new, %new_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%one) => !stream.resource<variable>{%c64} => !stream.timepoint
    util.global.store %new, @kept : !stream.resource<variable>
    util.return %new_ready : !stream.timepoint
  }
  util.func public @caller(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %old = util.global.load @kept : !stream.resource<variable>
    %one = util.call @called(%ready) : (!stream.timepoint) -> !stream.timepoint
    %two = stream.cmd.execute on(#hal.device.affinity<@dev_b>) await(%one) => with(%old as %a: !stream.resource<variable>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<variable>{%c64} }
    } => !stream.timepoint
    util.return %two : !stream.timepoint
  }

  // Within the function the memory is the same, by whichever name.
  // CHECK-LABEL: @loaded_again
  // CHECK: stream.cmd.fill
  // CHECK-NEXT: stream.cmd.flush
  // CHECK: stream.cmd.execute on(#hal.device.affinity<@dev_a>)
  // CHECK-NEXT: stream.cmd.dispatch
  util.func public @loaded_again(%ready: !stream.timepoint) -> !stream.timepoint {
    %c0 = arith.constant 0 : index
    %c64 = arith.constant 64 : index
    %v = arith.constant 7 : i32
    %new, %new_ready = stream.resource.alloca uninitialized on(#hal.device.affinity<@dev_a>) await(%ready) => !stream.resource<variable>{%c64} => !stream.timepoint
    %one = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%new_ready) => with(%new as %a: !stream.resource<variable>{%c64}) {
      stream.cmd.fill %v, %a[%c0 for %c64] : i32 -> !stream.resource<variable>{%c64}
    } => !stream.timepoint
    util.global.store %new, @state : !stream.resource<variable>
    %same = util.global.load @state : !stream.resource<variable>
    %two = stream.cmd.execute on(#hal.device.affinity<@dev_a>) await(%one) => with(%same as %a: !stream.resource<variable>{%c64}) {
      stream.cmd.dispatch @ex::@read { ro %a[%c0 for %c64] : !stream.resource<variable>{%c64} }
    } => !stream.timepoint
    util.return %two : !stream.timepoint
  }
}
