// A size that IREE hasn't worked out yet counts as what the tensor's type says; where the type doesn't say it, as dynamic.
//
// RUN: stream-zc-opt --zc-elide-transfers='remarks min-alias-bytes=4096' --verify-diagnostics %s | FileCheck %s

#a = #hal.device.affinity<@dev_a>
#b = #hal.device.affinity<@dev_b>
!any = !stream.resource<*>

module attributes {stream.topology = #hal.device.topology<links = [
  (@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}),
  (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})
]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device

  // 1023 elements of 4 bytes are fewer than 4096 bytes, 1024 aren't, and of an unknown number nothing is known.
  // CHECK-LABEL: @sizes
  util.func public @sizes(%n: index) {
    %c7 = arith.constant 7 : i32
    %less = stream.tensor.sizeof on(#a) tensor<1023xf32> : index
    %enough = stream.tensor.sizeof on(#a) tensor<1024xf32> : index
    %unknown = stream.tensor.sizeof on(#a) tensor<?xf32>{%n} : index
    // CHECK: stream.async.transfer %[[LESS:.+]] : !stream.resource<*>{%[[SIZE:.+]]} from
    // CHECK-NOT: stream.async.transfer
    %0 = stream.async.splat on(#a) %c7 : i32 -> !any{%less}
    // expected-remark@+1 {{transfer from @dev_a to @dev_b: copy (below-minimum-bytes: smaller than the least size to alias)}}
    %1 = stream.async.transfer %0 : !any{%less} from(#a) -> to(#b) !any{%less}
    %2 = stream.async.splat on(#a) %c7 : i32 -> !any{%enough}
    // expected-remark@+1 {{alias (shared-memory}}
    %3 = stream.async.transfer %2 : !any{%enough} from(#a) -> to(#b) !any{%enough}
    %4 = stream.async.splat on(#a) %c7 : i32 -> !any{%unknown}
    // expected-remark@+1 {{alias (shared-memory}}
    %5 = stream.async.transfer %4 : !any{%unknown} from(#a) -> to(#b) !any{%unknown}
    util.return
  }
}
