// RUN: stream-zc-opt %s --split-input-file --zc-elide-transfers=remarks --mlir-print-local-scope 2>/dev/null | FileCheck %s
// RUN: stream-zc-opt %s --split-input-file --zc-elide-transfers=limit=0 --mlir-print-local-scope | FileCheck %s --check-prefix=NONE

// Two transfers in a row become one where the topology links the ends, and the one is decided anew.
// NONE-COUNT-27: stream.async.transfer
// NONE-NOT: stream.async.transfer

// From A by B to C. A and C share memory: nothing is left to move.
// CHECK-LABEL: util.func public @over_detour
// CHECK-NOT: stream.async.transfer
// CHECK: util.return
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_c = {unified_memory = true, transparent_access = true}, {coherent = true}), (@dev_c -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @over_detour(%n: index) -> !stream.resource<transient> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@make[%c1]() : () -> !stream.resource<transient>{%n}
    %onto_b = stream.async.transfer %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>) !stream.resource<transient>{%n}
    %onto_c = stream.async.transfer %onto_b : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_c>) !stream.resource<transient>{%n}
    %used = stream.async.dispatch on(#hal.device.affinity<@dev_c>) @ex::@use[%c1](%onto_c[%c0 to %n for %n]) : (!stream.resource<transient>{%n}) -> !stream.resource<transient>{%n}
    util.return %used : !stream.resource<transient>
  }
}

// -----

// A and C are linked, but share nothing: one copy.
// CHECK-LABEL: util.func public @over_detour_to_copy
// CHECK: stream.async.transfer %{{.+}} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_c>)
// CHECK-NOT: stream.async.transfer
// CHECK: util.return
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_c = {}), (@dev_c -> @dev_a = {})]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @over_detour_to_copy(%n: index) -> !stream.resource<transient> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@make[%c1]() : () -> !stream.resource<transient>{%n}
    %onto_b = stream.async.transfer %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>) !stream.resource<transient>{%n}
    %onto_c = stream.async.transfer %onto_b : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_c>) !stream.resource<transient>{%n}
    %used = stream.async.dispatch on(#hal.device.affinity<@dev_c>) @ex::@use[%c1](%onto_c[%c0 to %n for %n]) : (!stream.resource<transient>{%n}) -> !stream.resource<transient>{%n}
    util.return %used : !stream.resource<transient>
  }
}

// -----

// Near it: nothing links A and C, B may be the only way.
// CHECK-LABEL: util.func public @by_the_only_way
// CHECK: stream.async.transfer %{{.+}} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>)
// CHECK: stream.async.transfer %{{.+}} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_c>)
module attributes {stream.topology = #hal.device.topology<links = [(@dev_b -> @dev_c = {}), (@dev_c -> @dev_b = {}), (@dev_a -> @dev_b = {}), (@dev_b -> @dev_a = {})]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @by_the_only_way(%n: index) -> !stream.resource<transient> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@make[%c1]() : () -> !stream.resource<transient>{%n}
    %onto_b = stream.async.transfer %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>) !stream.resource<transient>{%n}
    %onto_c = stream.async.transfer %onto_b : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_c>) !stream.resource<transient>{%n}
    %used = stream.async.dispatch on(#hal.device.affinity<@dev_c>) @ex::@use[%c1](%onto_c[%c0 to %n for %n]) : (!stream.resource<transient>{%n}) -> !stream.resource<transient>{%n}
    util.return %used : !stream.resource<transient>
  }
}

// -----

// There and back, with nothing done there: the value was here all the time.
// CHECK-LABEL: util.func public @there_and_back
// CHECK-NOT: stream.async.transfer
// CHECK: util.return
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b = {}), (@dev_b -> @dev_a = {})]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @there_and_back(%n: index) -> !stream.resource<transient> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@make[%c1]() : () -> !stream.resource<transient>{%n}
    %onto_b = stream.async.transfer %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>) !stream.resource<transient>{%n}
    %onto_a = stream.async.transfer %onto_b : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<transient>{%n}
    %used = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@use[%c1](%onto_a[%c0 to %n for %n]) : (!stream.resource<transient>{%n}) -> !stream.resource<transient>{%n}
    util.return %used : !stream.resource<transient>
  }
}

// -----

// Near it: B uses it, too.
// CHECK-LABEL: util.func public @used_there
// CHECK: stream.async.transfer %{{.+}} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>)
// CHECK: stream.async.transfer %{{.+}} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>)
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b = {}), (@dev_b -> @dev_a = {})]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @used_there(%n: index) -> !stream.resource<transient> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@make[%c1]() : () -> !stream.resource<transient>{%n}
    %onto_b = stream.async.transfer %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>) !stream.resource<transient>{%n}
    %onto_a = stream.async.transfer %onto_b : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<transient>{%n}
    %on_b = stream.async.dispatch on(#hal.device.affinity<@dev_b>) @ex::@use[%c1](%onto_b[%c0 to %n for %n]) : (!stream.resource<transient>{%n}) -> !stream.resource<transient>{%n}
    util.optimization_barrier %on_b : !stream.resource<transient>
    %used = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@use[%c1](%onto_a[%c0 to %n for %n]) : (!stream.resource<transient>{%n}) -> !stream.resource<transient>{%n}
    util.return %used : !stream.resource<transient>
  }
}

// -----

// The first is to be a copy: both stay.
// CHECK-LABEL: util.func public @first_copy_wanted
// CHECK: stream.async.transfer %{{.+}} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>)
// CHECK: stream.async.transfer %{{.+}} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_c>)
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_c = {unified_memory = true, transparent_access = true}, {coherent = true}), (@dev_c -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @first_copy_wanted(%n: index) -> !stream.resource<transient> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@make[%c1]() : () -> !stream.resource<transient>{%n}
    %onto_b = stream.async.transfer %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>) !stream.resource<transient>{%n} attributes {zc.kind = "copy"}
    %onto_c = stream.async.transfer %onto_b : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_c>) !stream.resource<transient>{%n}
    %used = stream.async.dispatch on(#hal.device.affinity<@dev_c>) @ex::@use[%c1](%onto_c[%c0 to %n for %n]) : (!stream.resource<transient>{%n}) -> !stream.resource<transient>{%n}
    util.return %used : !stream.resource<transient>
  }
}

// -----

// The second is to be a copy: both stay.
// CHECK-LABEL: util.func public @second_copy_wanted
// CHECK: stream.async.transfer %{{.+}} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>)
// CHECK: stream.async.transfer %{{.+}} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>)
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b = {}), (@dev_b -> @dev_a = {})]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @second_copy_wanted(%n: index) -> !stream.resource<transient> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@make[%c1]() : () -> !stream.resource<transient>{%n}
    %onto_b = stream.async.transfer %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>) !stream.resource<transient>{%n}
    %onto_a = stream.async.transfer %onto_b : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<transient>{%n} attributes {zc.kind = "copy"}
    %used = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@use[%c1](%onto_a[%c0 to %n for %n]) : (!stream.resource<transient>{%n}) -> !stream.resource<transient>{%n}
    util.return %used : !stream.resource<transient>
  }
}

// -----

// The first has an execution affinity, which would be lost.
// CHECK-LABEL: util.func public @first_placed
// CHECK: stream.async.transfer on(#hal.device.affinity<@dev_b>) %{{.+}} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>)
// CHECK: stream.async.transfer %{{.+}} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_c>)
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_c = {}), (@dev_c -> @dev_a = {})]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @first_placed(%n: index) -> !stream.resource<transient> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@make[%c1]() : () -> !stream.resource<transient>{%n}
    %onto_b = stream.async.transfer on(#hal.device.affinity<@dev_b>) %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>) !stream.resource<transient>{%n}
    %onto_c = stream.async.transfer %onto_b : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_c>) !stream.resource<transient>{%n}
    %used = stream.async.dispatch on(#hal.device.affinity<@dev_c>) @ex::@use[%c1](%onto_c[%c0 to %n for %n]) : (!stream.resource<transient>{%n}) -> !stream.resource<transient>{%n}
    util.return %used : !stream.resource<transient>
  }
}

// -----

// The second has one, of an end that is left: it stays, and so do the ends.
// CHECK-LABEL: util.func public @second_placed
// CHECK: stream.async.transfer on(#hal.device.affinity<@dev_c>) %{{.+}} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_c>)
// CHECK-NOT: stream.async.transfer
// CHECK: util.return
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_c = {}), (@dev_c -> @dev_a = {})]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @second_placed(%n: index) -> !stream.resource<transient> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@make[%c1]() : () -> !stream.resource<transient>{%n}
    %onto_b = stream.async.transfer %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>) !stream.resource<transient>{%n}
    %onto_c = stream.async.transfer on(#hal.device.affinity<@dev_c>) %onto_b : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_c>) !stream.resource<transient>{%n}
    %used = stream.async.dispatch on(#hal.device.affinity<@dev_c>) @ex::@use[%c1](%onto_c[%c0 to %n for %n]) : (!stream.resource<transient>{%n}) -> !stream.resource<transient>{%n}
    util.return %used : !stream.resource<transient>
  }
}

// -----

// The second has one, of the device that is not an end any more.
// CHECK-LABEL: util.func public @second_placed_between
// CHECK: stream.async.transfer %{{.+}} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>)
// CHECK: stream.async.transfer on(#hal.device.affinity<@dev_b>) %{{.+}} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_c>)
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_c = {}), (@dev_c -> @dev_a = {})]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @second_placed_between(%n: index) -> !stream.resource<transient> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@make[%c1]() : () -> !stream.resource<transient>{%n}
    %onto_b = stream.async.transfer %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>) !stream.resource<transient>{%n}
    %onto_c = stream.async.transfer on(#hal.device.affinity<@dev_b>) %onto_b : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_c>) !stream.resource<transient>{%n}
    %used = stream.async.dispatch on(#hal.device.affinity<@dev_c>) @ex::@use[%c1](%onto_c[%c0 to %n for %n]) : (!stream.resource<transient>{%n}) -> !stream.resource<transient>{%n}
    util.return %used : !stream.resource<transient>
  }
}

// -----

// The last value has another lifetime: IREE does what is left to do.
// CHECK-LABEL: util.func public @other_lifetime
// CHECK: stream.async.transfer %{{.+}} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>)
// CHECK: stream.async.transfer %{{.+}} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_c>)
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_c = {}), (@dev_c -> @dev_a = {})]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @other_lifetime(%n: index) -> !stream.resource<transient> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@make[%c1]() : () -> !stream.resource<transient>{%n}
    %onto_b = stream.async.transfer %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>) !stream.resource<transient>{%n}
    %onto_c = stream.async.transfer %onto_b : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_c>) !stream.resource<external>{%n}
    %used = stream.async.dispatch on(#hal.device.affinity<@dev_c>) @ex::@use[%c1](%onto_c[%c0 to %n for %n]) : (!stream.resource<external>{%n}) -> !stream.resource<transient>{%n}
    util.return %used : !stream.resource<transient>
  }
}

// -----

// Three in a row.
// CHECK-LABEL: util.func public @three_in_a_row
// CHECK-NOT: stream.async.transfer
// CHECK: util.return
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b = {}), (@dev_b -> @dev_a = {}), (@dev_b -> @dev_c = {}), (@dev_c -> @dev_b = {}), (@dev_a -> @dev_c = {}), (@dev_c -> @dev_a = {})]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @three_in_a_row(%n: index) -> !stream.resource<transient> {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %made = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@make[%c1]() : () -> !stream.resource<transient>{%n}
    %onto_b = stream.async.transfer %made : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>) !stream.resource<transient>{%n}
    %onto_c = stream.async.transfer %onto_b : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_c>) !stream.resource<transient>{%n}
    %onto_a = stream.async.transfer %onto_c : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_c>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<transient>{%n}
    %used = stream.async.dispatch on(#hal.device.affinity<@dev_a>) @ex::@use[%c1](%onto_a[%c0 to %n for %n]) : (!stream.resource<transient>{%n}) -> !stream.resource<transient>{%n}
    util.return %used : !stream.resource<transient>
  }
}

// -----

// Without a topology nothing folds.
// CHECK-LABEL: util.func public @no_topology
// CHECK: stream.async.transfer %{{.+}} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>)
// CHECK: stream.async.transfer %{{.+}} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>)
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @no_topology(%source: !stream.resource<transient>, %n: index) -> !stream.resource<transient> {
    %onto_b = stream.async.transfer %source : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>) !stream.resource<transient>{%n}
    %onto_a = stream.async.transfer %onto_b : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<transient>{%n}
    util.return %onto_a : !stream.resource<transient>
  }
}
