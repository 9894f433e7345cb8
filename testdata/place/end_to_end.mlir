// RUN: sed 's/dev_first/dev_a/g; s/dev_second/dev_b/g; s/dev_last/dev_a/g' %s | stream-zc-opt --maintenance=keep --topology=%S/topologies/discrete.json --mlir-print-local-scope | FileCheck %s --check-prefix=DISCRETE -DFIRST=dev_a -DSECOND=dev_b -DLAST=dev_a -DEARLIER=dev_a -DLATER=dev_b
// RUN: sed 's/dev_first/dev_b/g; s/dev_second/dev_a/g; s/dev_last/dev_b/g' %s | stream-zc-opt --maintenance=keep --topology=%S/topologies/discrete.json --mlir-print-local-scope | FileCheck %s --check-prefix=DISCRETE -DFIRST=dev_b -DSECOND=dev_a -DLAST=dev_b -DEARLIER=dev_a -DLATER=dev_b
// RUN: sed 's/dev_first/dev_a/g; s/dev_second/dev_b/g; s/dev_last/dev_c/g' %s | stream-zc-opt --maintenance=keep --topology=%S/topologies/discrete.json --mlir-print-local-scope | FileCheck %s --check-prefix=DISCRETE -DFIRST=dev_a -DSECOND=dev_b -DLAST=dev_c -DEARLIER=dev_b -DLATER=dev_c
// RUN: sed 's/dev_first/dev_c/g; s/dev_second/dev_a/g; s/dev_last/dev_b/g' %s | stream-zc-opt --maintenance=keep --topology=%S/topologies/discrete.json --mlir-print-local-scope | FileCheck %s --check-prefix=DISCRETE -DFIRST=dev_c -DSECOND=dev_a -DLAST=dev_b -DEARLIER=dev_a -DLATER=dev_b
// RUN: sed 's/dev_first/dev_a/g; s/dev_second/dev_b/g; s/dev_last/dev_a/g' %s | stream-zc-opt --maintenance=keep --topology=%S/topologies/coherent.json --mlir-print-local-scope | FileCheck %s --check-prefix=COHERENT -DFIRST=dev_a -DSECOND=dev_b -DLAST=dev_a
// RUN: sed 's/dev_first/dev_b/g; s/dev_second/dev_a/g; s/dev_last/dev_b/g' %s | stream-zc-opt --maintenance=keep --topology=%S/topologies/coherent.json --mlir-print-local-scope | FileCheck %s --check-prefix=COHERENT -DFIRST=dev_b -DSECOND=dev_a -DLAST=dev_b
// RUN: sed 's/dev_first/dev_a/g; s/dev_second/dev_b/g; s/dev_last/dev_c/g' %s | stream-zc-opt --maintenance=keep --topology=%S/topologies/coherent.json --mlir-print-local-scope | FileCheck %s --check-prefix=COHERENT -DFIRST=dev_a -DSECOND=dev_b -DLAST=dev_c
// RUN: sed 's/dev_first/dev_c/g; s/dev_second/dev_a/g; s/dev_last/dev_b/g' %s | stream-zc-opt --maintenance=keep --topology=%S/topologies/coherent.json --mlir-print-local-scope | FileCheck %s --check-prefix=COHERENT -DFIRST=dev_c -DSECOND=dev_a -DLAST=dev_b
// RUN: sed 's/dev_first/dev_a/g; s/dev_second/dev_b/g; s/dev_last/dev_a/g' %s | stream-zc-opt --maintenance=keep --topology=%S/topologies/noncoherent.json --mlir-print-local-scope | FileCheck %s --check-prefix=NONCOHERENT -DFIRST=dev_a -DSECOND=dev_b -DLAST=dev_a
// RUN: sed 's/dev_first/dev_b/g; s/dev_second/dev_a/g; s/dev_last/dev_b/g' %s | stream-zc-opt --maintenance=keep --topology=%S/topologies/noncoherent.json --mlir-print-local-scope | FileCheck %s --check-prefix=NONCOHERENT -DFIRST=dev_b -DSECOND=dev_a -DLAST=dev_b
// RUN: sed 's/dev_first/dev_a/g; s/dev_second/dev_b/g; s/dev_last/dev_c/g' %s | stream-zc-opt --maintenance=keep --topology=%S/topologies/noncoherent.json --mlir-print-local-scope | FileCheck %s --check-prefix=NONCOHERENT -DFIRST=dev_a -DSECOND=dev_b -DLAST=dev_c
// RUN: sed 's/dev_first/dev_c/g; s/dev_second/dev_a/g; s/dev_last/dev_b/g' %s | stream-zc-opt --maintenance=keep --topology=%S/topologies/noncoherent.json --mlir-print-local-scope | FileCheck %s --check-prefix=NONCOHERENT -DFIRST=dev_c -DSECOND=dev_a -DLAST=dev_b

// A value made on the first device, used on the second, and handed to the caller on the last: the first again, or a third.

// Copied. The second device's result is for two to reach, the caller's is pinned to the last, which moves it there: in a
// region of its own, after making visible what the second wrote.
// DISCRETE-LABEL: util.func public @main
// DISCRETE: %[[HANDED:.+]], %{{.+}} = stream.resource.alloca uninitialized on(#hal.device.optimal<[{{.+}}]>)
// DISCRETE: stream.cmd.execute on(#hal.device.affinity<@[[FIRST]]>)
// DISCRETE: stream.cmd.dispatch @ex::@first
// DISCRETE: stream.cmd.copy
// DISCRETE-NEXT: stream.cmd.flush to(#hal.device.affinity<@[[SECOND]]>)
// DISCRETE-NEXT: } => !stream.timepoint
// DISCRETE: %[[MADE:.+]], %{{.+}} = stream.resource.alloca uninitialized on(#hal.device.optimal<[#hal.device.affinity<@[[EARLIER]]>, #hal.device.affinity<@[[LATER]]>]>)
// DISCRETE: stream.cmd.execute on(#hal.device.affinity<@[[SECOND]]>)
// DISCRETE-SAME: with(%[[HANDED]] as {{.+}}, %[[MADE]] as
// DISCRETE-NEXT: stream.cmd.dispatch @ex::@second
// DISCRETE-NOT: stream.cmd.copy
// DISCRETE: %[[RESULT:.+]], %{{.+}} = stream.resource.alloca uninitialized on(#hal.device.affinity<@[[LAST]]>) {{.*}}!stream.resource<external>
// DISCRETE: stream.cmd.execute on(#hal.device.affinity<@[[LAST]]>)
// DISCRETE-SAME: with(%[[MADE]] as %[[FROM:[a-z0-9]+]]: !stream.resource<transient>{%c256}, %[[RESULT]] as %[[TO:[a-z0-9]+]]: !stream.resource<external>{%c256})
// DISCRETE-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@[[SECOND]]>) %[[FROM]][
// DISCRETE-NEXT: stream.cmd.copy %[[FROM]][{{.+}}], %[[TO]][
// DISCRETE-NEXT: } => !stream.timepoint
// DISCRETE: %[[READY:.+]] = stream.timepoint.await {{.+}} => %[[RESULT]]
// DISCRETE: stream.tensor.export on(#hal.device.affinity<@[[LAST]]>) %[[READY]]

// Shared and coherent: each works on the other's memory.
// COHERENT-LABEL: util.func public @main
// COHERENT-NOT: stream.cmd.{{copy|flush|invalidate}}
// COHERENT: stream.cmd.execute on(#hal.device.affinity<@[[FIRST]]>)
// COHERENT-NOT: stream.cmd.{{copy|flush|invalidate}}
// COHERENT: stream.cmd.execute on(#hal.device.affinity<@[[SECOND]]>)
// COHERENT-NOT: stream.cmd.{{copy|flush|invalidate|execute}}
// COHERENT: stream.tensor.export on(#hal.device.affinity<@[[LAST]]>)

// Shared, not coherent: the same, and whoever writes for another flushes to it, whoever reads from another invalidates.
// NONCOHERENT-LABEL: util.func public @main
// NONCOHERENT-NOT: stream.cmd.copy
// NONCOHERENT: stream.cmd.execute on(#hal.device.affinity<@[[FIRST]]>)
// NONCOHERENT: stream.cmd.dispatch @ex::@first
// NONCOHERENT: stream.cmd.flush to(#hal.device.affinity<@[[SECOND]]>)
// NONCOHERENT-NEXT: } => !stream.timepoint
// NONCOHERENT: stream.cmd.execute on(#hal.device.affinity<@[[SECOND]]>)
// NONCOHERENT-NEXT: stream.cmd.invalidate from(#hal.device.affinity<@[[FIRST]]>)
// NONCOHERENT-NEXT: stream.cmd.dispatch @ex::@second
// NONCOHERENT: stream.cmd.flush to(#hal.device.affinity<@[[LAST]]>)
// NONCOHERENT-NEXT: } => !stream.timepoint
// NONCOHERENT-NOT: stream.cmd.{{copy|execute}}
// NONCOHERENT: stream.tensor.export on(#hal.device.affinity<@[[LAST]]>)

module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @dev_c : !hal.device
  util.func public @main(%input: !hal.buffer_view) -> !hal.buffer_view {
    %c0 = arith.constant 0 : index
    %c256 = arith.constant 256 : index
    %source = stream.tensor.import on(#hal.device.affinity<@dev_first>) %input : !hal.buffer_view -> tensor<64xf32> in !stream.resource<external>{%c256}
    %first = stream.async.dispatch on(#hal.device.affinity<@dev_first>) @ex::@first(%source[%c0 to %c256 for %c256]) : (!stream.resource<external>{%c256}) -> !stream.resource<transient>{%c256}
    %handed = stream.async.transfer %first : !stream.resource<transient>{%c256} from(#hal.device.affinity<@dev_first>) -> to(#hal.device.affinity<@dev_second>) !stream.resource<transient>{%c256}
    %second = stream.async.dispatch on(#hal.device.affinity<@dev_second>) @ex::@second(%handed[%c0 to %c256 for %c256]) : (!stream.resource<transient>{%c256}) -> !stream.resource<transient>{%c256}
    %result = stream.async.transfer %second : !stream.resource<transient>{%c256} from(#hal.device.affinity<@dev_second>) -> to(#hal.device.affinity<@dev_last>) !stream.resource<external>{%c256}
    %view = stream.tensor.export on(#hal.device.affinity<@dev_last>) %result : tensor<64xf32> in !stream.resource<external>{%c256} -> !hal.buffer_view
    util.return %view : !hal.buffer_view
  }
}
