// What pins a value, and what more than one pin does.
// RUN: %python %S/../compare_placement.py %s

// Exported twice, to one device.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> (!hal.buffer_view, !hal.buffer_view) {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %one = stream.tensor.export on(#hal.device.affinity<@dev_a>) %moved : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    %two = stream.tensor.export on(#hal.device.affinity<@dev_a>) %moved : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %one, %two : !hal.buffer_view, !hal.buffer_view
  }
}

// -----

// Exported twice, to two devices.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> (!hal.buffer_view, !hal.buffer_view) {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %one = stream.tensor.export on(#hal.device.affinity<@dev_a>) %moved : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    %two = stream.tensor.export on(#hal.device.affinity<@dev_c>) %moved : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %one, %two : !hal.buffer_view, !hal.buffer_view
  }
}

// -----

// Exported twice, once without a device.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> (!hal.buffer_view, !hal.buffer_view) {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %one = stream.tensor.export on(#hal.device.affinity<@dev_a>) %moved : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    %two = stream.tensor.export %moved : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %one, %two : !hal.buffer_view, !hal.buffer_view
  }
}

// -----

// Exported twice, to a device and to one of its queues.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> (!hal.buffer_view, !hal.buffer_view) {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %one = stream.tensor.export on(#hal.device.affinity<@dev_a>) %moved : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    %two = stream.tensor.export on(#hal.device.affinity<@dev_a, [0]>) %moved : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %one, %two : !hal.buffer_view, !hal.buffer_view
  }
}

// -----

// Exported, and used by the device that it came from.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> (!hal.buffer_view, !hal.buffer_view) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %used = stream.async.dispatch on(#hal.device.affinity<@dev_b>) @ex::@f[%c1](%moved[%c0 to %n for %n]) : (!stream.resource<external>{%n}) -> !stream.resource<external>{%n}
    %one = stream.tensor.export on(#hal.device.affinity<@dev_a>) %moved : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    %two = stream.tensor.export on(#hal.device.affinity<@dev_b>) %used : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %one, %two : !hal.buffer_view, !hal.buffer_view
  }
}

// -----

// A chain: only its last link is pinned.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %staged = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_c>) !stream.resource<staging>{%n}
    %moved = stream.async.transfer %staged : !stream.resource<staging>{%n} from(#hal.device.affinity<@dev_c>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %moved : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// An imported value that is moved.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%view: !hal.buffer_view, %n: index) -> !hal.buffer_view {
    %source = stream.tensor.import on(#hal.device.affinity<@dev_b>) %view : !hal.buffer_view -> tensor<?xi8>{%n} in !stream.resource<external>{%n}
    %moved = stream.async.transfer %source : !stream.resource<external>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %result = stream.tensor.export on(#hal.device.affinity<@dev_a>) %moved : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %result : !hal.buffer_view
  }
}

// -----

// Transient memory that the caller gives pins, too.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %storage: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %now = stream.timepoint.immediate => !stream.timepoint
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %held, %signal = stream.resource.transients on(#hal.device.affinity<@dev_a>) await(%now) => %moved : !stream.resource<external>{%n} from %storage : !stream.resource<transient>{%n} => !stream.timepoint
    %view = stream.tensor.export %held : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// Transients on one device, the export on another: each speaks for what is before it.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %storage: !stream.resource<transient>, %n: index) -> !hal.buffer_view {
    %now = stream.timepoint.immediate => !stream.timepoint
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    %held, %signal = stream.resource.transients on(#hal.device.affinity<@dev_a>) await(%now) => %moved : !stream.resource<external>{%n} from %storage : !stream.resource<transient>{%n} => !stream.timepoint
    %view = stream.tensor.export on(#hal.device.affinity<@dev_c>) %held : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}

// -----

// Nothing but transfers.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<transient>, %n: index) -> !stream.resource<external> {
    %moved = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<external>{%n}
    util.return %moved : !stream.resource<external>
  }
}

// -----

// No transfers at all.
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @f(%source: !stream.resource<external>, %n: index) -> !hal.buffer_view {
    %view = stream.tensor.export on(#hal.device.affinity<@dev_a>) %source : tensor<?xi8>{%n} in !stream.resource<external>{%n} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}
