// RUN: stream-zc-opt %s --zc-classify-transfers --mlir-print-local-scope 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=ERR <%t.err

// Two transfers of different kinds became one: a copy, and a warning where the user wrote them.
// ERR: conflicting_location.mlir:13:10: warning: 'stream.async.transfer' stands for transfers of both kinds, "alias" and "copy": copied
// ERR-NOT: warning
// CHECK: stream.async.transfer {{.+}}zc.decision = "copy", zc.reason = "explicit-copy"
// CHECK: stream.async.transfer {{.+}}zc.decision = "copy", zc.reason = "explicit-copy"
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}), (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})]>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.func public @f(%x: !stream.resource<transient>, %n: index) -> (!stream.resource<transient>, !stream.resource<transient>) {
    %a = stream.async.transfer %x : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>) !stream.resource<transient>{%n} loc(fused[fused<{zc.kind = "alias"}>["conflicting_location.mlir":13:10], fused<{zc.kind = "copy"}>["conflicting_location.mlir":13:10]])
    // One that says copy for all of its parts needs no warning.
    %b = stream.async.transfer %x : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>) !stream.resource<transient>{%n} loc(fused<{zc.kind = "copy"}>[fused<{zc.kind = "alias"}>["conflicting_location.mlir":3:3]])
    util.return %a, %b : !stream.resource<transient>, !stream.resource<transient>
  }
}
