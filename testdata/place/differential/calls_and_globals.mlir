// Pins reach a transfer through calls, returns and globals.
// RUN: %python %S/../compare_placement.py %s

// A callee exports what its caller moved.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func private @callee(%value: !stream.resource<external>, %n: index) -> !hal.buffer_view {
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %value : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = util.call @callee(%moved, %n) : (!stream.resource<external>, index) -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// A caller exports what its callee moved.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func private @callee(%source: !stream.resource<transient>, %n: index) -> (index, !stream.resource<external>) {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    util.return %n, %moved : index, !stream.resource<external>
  }
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %size, %moved = util.call @callee(%source, %n) : (!stream.resource<transient>, index) -> (index, !stream.resource<external>)
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %moved : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// Two callers that disagree about what their callee moved.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func private @callee(%source: !stream.resource<transient>, %n: index) -> !stream.resource<external> {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    util.return %moved : !stream.resource<external>
  }
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %moved = util.call @callee(%source, %n) : (!stream.resource<transient>, index) -> !stream.resource<external>
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %moved : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @g(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %moved = util.call @callee(%source, %n) : (!stream.resource<transient>, index) -> !stream.resource<external>
    %view = stream.tensor.export on(#hal.device.affinity<@dev_c>) %moved : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// A callee with two returns.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func private @callee(%source: !stream.resource<transient>, %other: !stream.resource<transient>, %cond: i1, %n: index) -> !stream.resource<external> {
    cf.cond_br %cond, ^left, ^right
  ^left:
    %one = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    util.return %one : !stream.resource<external>
  ^right:
    %two = stream.async.transfer %other : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_c>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    util.return %two : !stream.resource<external>
  }
  util.func public @f(%source: !stream.resource<transient>, %other: !stream.resource<transient>, %cond: i1, %n: index) -> !hal.buffer_view {
    %moved = util.call @callee(%source, %other, %cond, %n) : (!stream.resource<transient>, !stream.resource<transient>, i1, index) -> !stream.resource<external>
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %moved : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// A call that works in place.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func private @callee(%value: !stream.resource<external>, %n: index) -> %value {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %next = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@f[%c1](%value[%c0 to %n for %n]) : (!stream.resource<external>{%n}) -> !stream.resource<external>{%n}
    util.return %next : !stream.resource<external>
  }
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %next = util.call @callee(%moved, %n) : (!stream.resource<external>, index) -> %moved
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %next : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// Recursion.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func private @callee(%value: !stream.resource<external>, %cond: i1, %n: index) -> !stream.resource<external> {
    cf.cond_br %cond, ^again, ^out(%value : !stream.resource<external>)
  ^again:
    %more = util.call @callee(%value, %cond, %n) : (!stream.resource<external>, i1, index) -> !stream.resource<external>
    cf.br ^out(%more : !stream.resource<external>)
  ^out(%result: !stream.resource<external>):
    util.return %result : !stream.resource<external>
  }
  util.func public @f(%source: !stream.resource<transient>, %cond: i1, %n: index) -> !hal.buffer_view {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %last = util.call @callee(%moved, %cond, %n) : (!stream.resource<external>, i1, index) -> !stream.resource<external>
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %last : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// A function of another module.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func private @outside(%value: !stream.resource<external>, %n: index) -> !stream.resource<external>
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %result = util.call @outside(%moved, %n) : (!stream.resource<external>, index) -> !stream.resource<external>
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// Stored in a global that is exported elsewhere.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.global private mutable @state : !stream.resource<variable>
  util.func public @store(%source: !stream.resource<transient>, %n: index) {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<variable>{%n}
    util.global.store %moved, @state : !stream.resource<variable>
    util.return
  }
  util.func public @load(%n: index) -> !hal.buffer_view {
    %value = util.global.load @state : !stream.resource<variable>
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %value : tensor<?xi8>{%n} in !stream.resource<variable>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// A global with an affinity: that alone pins nothing.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.global private mutable @state {stream.affinity = #hal.device.affinity<@dev_a>} : !stream.resource<variable>
  util.func public @store(%source: !stream.resource<transient>, %n: index) {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<variable>{%n}
    util.global.store %moved, @state : !stream.resource<variable>
    util.return
  }
}

// -----

// A global that two functions store and an initializer.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.global private mutable @state : !stream.resource<variable>
  util.initializer {
    %n = arith.constant 16 : index
    %fresh = stream.async.alloca : !stream.resource<transient>{%n}
    %moved = stream.async.transfer %fresh : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<variable>{%n}
    util.global.store %moved, @state : !stream.resource<variable>
    util.return
  }
  util.func public @store(%source: !stream.resource<transient>, %n: index) {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_c>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<variable>{%n}
    util.global.store %moved, @state : !stream.resource<variable>
    util.return
  }
  util.func public @elsewhere(%source: !stream.resource<transient>, %n: index) {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>) !stream.resource<variable>{%n}
    util.global.store %moved, @state : !stream.resource<variable>
    util.return
  }
  util.func public @load(%n: index) -> !hal.buffer_view {
    %value = util.global.load @state : !stream.resource<variable>
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %value : tensor<?xi8>{%n} in !stream.resource<variable>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// A global whose address is taken: who stores into it is unknown.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.global private mutable @state : !stream.resource<variable>
  util.func public @store(%source: !stream.resource<transient>, %n: index) {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<variable>{%n}
    util.global.store %moved, @state : !stream.resource<variable>
    util.return
  }
  util.func public @load(%n: index) -> !hal.buffer_view {
    %address = util.global.address @state : !util.ptr<!stream.resource<variable>>
    %value = util.global.load @state : !stream.resource<variable>
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %value : tensor<?xi8>{%n} in !stream.resource<variable>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// An initializer exports nothing: a transfer into a global that only a dispatch reads.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.global private @weight : !stream.resource<constant>
  util.initializer {
    %n = arith.constant 16 : index
    %fresh = stream.async.alloca : !stream.resource<transient>{%n}
    %moved = stream.async.transfer %fresh : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<constant>{%n}
    util.global.store %moved, @weight : !stream.resource<constant>
    util.return
  }
  util.func public @load(%n: index) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %value = util.global.load immutable @weight : !stream.resource<constant>
    %result = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@f[%c1](%value[%c0 to %n for %n]) : (!stream.resource<constant>{%n}) -> !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}
