// Which affinities can execute together: the pin with the target, and the default with the pin.
// RUN: %python %S/../compare_placement.py %s

// The pin is where the transfer goes.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// The pin is where it comes from.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_b>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// The pin is a third device.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_c>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// Nothing to move: source and target are one.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// It has an execution affinity: the target.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer on(#hal.device.affinity<@dev_a>) %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// It has an execution affinity: the source.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer on(#hal.device.affinity<@dev_b>) %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// It has an execution affinity: a third device.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer on(#hal.device.affinity<@dev_c>) %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// The pin names fewer queues than the target.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a, [0, 1]>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a, [0]>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// The pin names more queues than the target.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a, [0]>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a, [0, 1]>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// The pin names other queues than the target.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a, [0]>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a, [1]>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// The target takes any queue, the pin is one.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a, [3]>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// The pin takes any queue, the target is one.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a, [3]>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// One device, from queue to queue.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a, [0]>) -> to(#hal.device.affinity<@dev_a, [1]>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a, [1]>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// One device, from a queue to two that hold it.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a, [0]>) -> to(#hal.device.affinity<@dev_a, [0, 1]>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a, [0, 1]>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// One device, from two queues to one of them.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a, [0, 1]>) -> to(#hal.device.affinity<@dev_a, [0]>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a, [0]>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// Promises, as before devices are known.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.promise<@dev_b>) -> to(#hal.device.promise<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.promise<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// A promise is not the device.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.promise<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// The pin is a choice between devices.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// The target is a choice between devices.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// The source is a choice between devices.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// Target and pin are one choice.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_c>) -> to(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.optimal<[#hal.device.affinity<@dev_a>, #hal.device.affinity<@dev_b>]>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// No target is named.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// No source is named.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// The function has an affinity; the export only has the one of its function, which pins nothing.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view attributes {stream.affinity = #hal.device.affinity<@dev_a>} {
    %result = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export %result : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}
