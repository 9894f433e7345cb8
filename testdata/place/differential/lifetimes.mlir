// Where a transfer executes by default depends on the lifetimes of its source and its result.
// RUN: %python %S/../compare_placement.py %s

// Out of transient memory, into each kind.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @to_external(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_external_without_pin(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_staging(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<staging>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<staging>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_staging_without_pin(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<staging>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<staging>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_transient(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<transient>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<transient>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_transient_without_pin(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<transient>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<transient>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_variable(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<variable>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<variable>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_variable_without_pin(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<variable>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<variable>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// Out of external memory, into each kind.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @to_external(%source: !stream.resource<external>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<external>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_external_without_pin(%source: !stream.resource<external>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<external>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_staging(%source: !stream.resource<external>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<external>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<staging>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<staging>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_staging_without_pin(%source: !stream.resource<external>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<external>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<staging>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<staging>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_transient(%source: !stream.resource<external>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<external>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<transient>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<transient>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_transient_without_pin(%source: !stream.resource<external>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<external>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<transient>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<transient>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_variable(%source: !stream.resource<external>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<external>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<variable>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<variable>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_variable_without_pin(%source: !stream.resource<external>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<external>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<variable>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<variable>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// Out of staging memory, into each kind.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @to_external(%source: !stream.resource<staging>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<staging>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_external_without_pin(%source: !stream.resource<staging>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<staging>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_staging(%source: !stream.resource<staging>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<staging>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<staging>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<staging>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_staging_without_pin(%source: !stream.resource<staging>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<staging>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<staging>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<staging>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_transient(%source: !stream.resource<staging>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<staging>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<transient>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<transient>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_transient_without_pin(%source: !stream.resource<staging>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<staging>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<transient>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<transient>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_variable(%source: !stream.resource<staging>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<staging>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<variable>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<variable>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_variable_without_pin(%source: !stream.resource<staging>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<staging>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<variable>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<variable>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// Out of variable memory, into each kind.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @to_external(%source: !stream.resource<variable>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<variable>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_external_without_pin(%source: !stream.resource<variable>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<variable>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_staging(%source: !stream.resource<variable>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<variable>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<staging>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<staging>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_staging_without_pin(%source: !stream.resource<variable>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<variable>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<staging>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<staging>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_transient(%source: !stream.resource<variable>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<variable>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<transient>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<transient>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_transient_without_pin(%source: !stream.resource<variable>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<variable>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<transient>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<transient>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_variable(%source: !stream.resource<variable>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<variable>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<variable>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<variable>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_variable_without_pin(%source: !stream.resource<variable>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<variable>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<variable>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<variable>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// Out of constant memory, into each kind.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @to_external(%source: !stream.resource<constant>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<constant>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_external_without_pin(%source: !stream.resource<constant>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<constant>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_staging(%source: !stream.resource<constant>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<constant>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<staging>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<staging>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_staging_without_pin(%source: !stream.resource<constant>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<constant>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<staging>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<staging>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_transient(%source: !stream.resource<constant>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<constant>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<transient>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<transient>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_transient_without_pin(%source: !stream.resource<constant>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<constant>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<transient>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<transient>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_variable(%source: !stream.resource<constant>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<constant>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<variable>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<variable>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
  util.func public @to_variable_without_pin(%source: !stream.resource<constant>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<constant>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<variable>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<variable>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}
