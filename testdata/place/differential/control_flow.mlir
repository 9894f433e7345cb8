// Pins reach a transfer through branches and loops, blocks and regions.
// RUN: %python %S/../compare_placement.py %s

// Around a branch.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %other: !stream.resource<transient>, %cond: i1, %n: index) -> !hal.buffer_view {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    cf.br ^out(%moved : !stream.resource<external>)
  ^out(%result: !stream.resource<external>):
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// Both sides of a condition.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %other: !stream.resource<transient>, %cond: i1, %n: index) -> !hal.buffer_view {
    %one = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %two = stream.async.transfer %other : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_c>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    cf.cond_br %cond, ^out(%one : !stream.resource<external>), ^out(%two : !stream.resource<external>)
  ^out(%result: !stream.resource<external>):
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// One transfer, exported on either side to different devices.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %other: !stream.resource<transient>, %cond: i1, %n: index) -> !hal.buffer_view {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    cf.cond_br %cond, ^left(%moved : !stream.resource<external>), ^right(%moved : !stream.resource<external>)
  ^left(%l: !stream.resource<external>):
    %lv = stream.tensor.export on(#hal.device.affinity<@dev_a>) %l : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %lv : !hal.buffer_view
  ^right(%r: !stream.resource<external>):
    %rv = stream.tensor.export on(#hal.device.affinity<@dev_b>) %r : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %rv : !hal.buffer_view
  }
}

// -----

// The same, to one device.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %other: !stream.resource<transient>, %cond: i1, %n: index) -> !hal.buffer_view {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    cf.cond_br %cond, ^left(%moved : !stream.resource<external>), ^right(%moved : !stream.resource<external>)
  ^left(%l: !stream.resource<external>):
    %lv = stream.tensor.export on(#hal.device.affinity<@dev_a>) %l : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %lv : !hal.buffer_view
  ^right(%r: !stream.resource<external>):
    %rv = stream.tensor.export on(#hal.device.affinity<@dev_a>) %r : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %rv : !hal.buffer_view
  }
}

// -----

// A switch.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %other: !stream.resource<transient>, %flag: i32, %n: index) -> !hal.buffer_view {
    %one = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %two = stream.async.transfer %other : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_c>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %three = stream.async.transfer %other : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_c>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    cf.switch %flag : i32, [
      default: ^out(%one : !stream.resource<external>),
      7: ^out(%two : !stream.resource<external>),
      9: ^drop(%one, %three : !stream.resource<external>, !stream.resource<external>)
    ]
  ^drop(%a: !stream.resource<external>, %b: !stream.resource<external>):
    cf.br ^out(%a : !stream.resource<external>)
  ^out(%result: !stream.resource<external>):
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// A loop of blocks.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %other: !stream.resource<transient>, %cond: i1, %n: index) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    cf.br ^loop(%c0, %moved : index, !stream.resource<external>)
  ^loop(%i: index, %state: !stream.resource<external>):
    %next = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@f[%c1](%state[%c0 to %n for %n]) : (!stream.resource<external>{%n}) -> %state{%n}
    %j = arith.addi %i, %c1 : index
    %more = arith.cmpi slt, %j, %n : index
    cf.cond_br %more, ^loop(%j, %next : index, !stream.resource<external>), ^out(%next : !stream.resource<external>)
  ^out(%result: !stream.resource<external>):
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// A loop of blocks that moves in each turn.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %other: !stream.resource<transient>, %cond: i1, %n: index) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    cf.br ^loop(%c0, %source : index, !stream.resource<transient>)
  ^loop(%i: index, %state: !stream.resource<transient>):
    %moved = stream.async.transfer %state : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %next = stream.async.dispatch on(#hal.device.affinity<@dev_b>) @ex::@f[%c1](%moved[%c0 to %n for %n]) : (!stream.resource<external>{%n}) -> !stream.resource<transient>{%n}
    %j = arith.addi %i, %c1 : index
    %more = arith.cmpi slt, %j, %n : index
    cf.cond_br %more, ^loop(%j, %next : index, !stream.resource<transient>), ^out(%moved : !stream.resource<external>)
  ^out(%result: !stream.resource<external>):
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// scf.if.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %other: !stream.resource<transient>, %cond: i1, %n: index) -> !hal.buffer_view {
    %result = scf.if %cond -> !stream.resource<external> {
      %one = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
      scf.yield %one : !stream.resource<external>
    } else {
      %two = stream.async.transfer %other : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
      scf.yield %two : !stream.resource<external>
    }
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// scf.for.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %other: !stream.resource<transient>, %cond: i1, %n: index) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %result = scf.for %i = %c0 to %n step %c1 iter_args(%state = %moved) -> !stream.resource<external> {
      %next = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@f[%c1](%state[%c0 to %n for %n]) : (!stream.resource<external>{%n}) -> %state{%n}
      scf.yield %next : !stream.resource<external>
    }
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// scf.for that keeps nothing of what came in.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %other: !stream.resource<transient>, %cond: i1, %n: index) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %result = scf.for %i = %c0 to %n step %c1 iter_args(%state = %moved) -> !stream.resource<external> {
      %next = stream.async.transfer %other : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
      scf.yield %next : !stream.resource<external>
    }
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// scf.for that swaps two.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %other: !stream.resource<transient>, %cond: i1, %n: index) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %one = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %two = stream.async.transfer %other : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_c>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %result:2 = scf.for %i = %c0 to %n step %c1 iter_args(%x = %one, %y = %two) -> (!stream.resource<external>, !stream.resource<external>) {
      scf.yield %y, %x : !stream.resource<external>, !stream.resource<external>
    }
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result#1 : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// scf.while.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %other: !stream.resource<transient>, %cond: i1, %n: index) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %result:2 = scf.while(%i = %c0, %state = %moved) : (index, !stream.resource<external>) -> (index, !stream.resource<external>) {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i, %state : index, !stream.resource<external>
    } do {
    ^bb0(%i: index, %state: !stream.resource<external>):
      %j = arith.addi %i, %c1 : index
      %next = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@f[%c1](%state[%c0 to %n for %n]) : (!stream.resource<external>{%n}) -> %state{%n}
      scf.yield %j, %next : index, !stream.resource<external>
    }
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result#1 : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// scf.while that moves in its body.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %other: !stream.resource<transient>, %cond: i1, %n: index) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %begin = stream.async.alloca : !stream.resource<external>{%n}
    %result:2 = scf.while(%i = %c0, %state = %begin) : (index, !stream.resource<external>) -> (index, !stream.resource<external>) {
      %more = arith.cmpi slt, %i, %n : index
      scf.condition(%more) %i, %state : index, !stream.resource<external>
    } do {
    ^bb0(%i: index, %state: !stream.resource<external>):
      %j = arith.addi %i, %c1 : index
      %next = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
      scf.yield %j, %next : index, !stream.resource<external>
    }
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result#1 : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// scf.index_switch.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %other: !stream.resource<transient>, %cond: i1, %n: index) -> !hal.buffer_view {
    %result = scf.index_switch %n -> !stream.resource<external>
    case 1 {
      %one = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
      scf.yield %one : !stream.resource<external>
    }
    default {
      %two = stream.async.transfer %other : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_c>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
      scf.yield %two : !stream.resource<external>
    }
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// Execution regions that are there already.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %other: !stream.resource<transient>, %cond: i1, %n: index) -> !hal.buffer_view {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %now = stream.timepoint.immediate => !stream.timepoint
    %results:2, %signal = stream.async.execute on(#hal.device.affinity<@dev_a>) await(%now) => with(%moved as %inner: !stream.resource<external>{%n}, %other as %o: !stream.resource<transient>{%n}) -> (%moved as !stream.resource<external>{%n}, !stream.resource<external>{%n}) {
      %within = stream.async.transfer %o : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
      stream.yield %inner, %within : !stream.resource<external>{%n}, !stream.resource<external>{%n}
    } => !stream.timepoint
    %ready:2 = stream.timepoint.await %signal => %results#0, %results#1 : !stream.resource<external>{%n}, !stream.resource<external>{%n}
    %one = stream.tensor.export on(#hal.device.affinity<@dev_a>) %ready#0 : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    %two = stream.tensor.export on(#hal.device.affinity<@dev_a>) %ready#1 : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %two : !hal.buffer_view
  }
}
