// What is left of real programs over a coherent link that shares memory: the chain ends with no copy and three allocations, from two and five;
// of loop_branch_state one copy stays, which protects an exported result that a global keeps, too.
//
// DEFINE: %{run} = stream-zc-opt --topology=%S/Inputs/coherent.json %S/../iree
// RUN: %{run}/chain.stream.mlir | FileCheck %s --check-prefix=CHAIN --implicit-check-not=stream.cmd.copy --implicit-check-not=stream.resource.alloca
// RUN: %{run}/chain.flow.mlir | FileCheck %s --check-prefix=CHAIN --implicit-check-not=stream.cmd.copy --implicit-check-not=stream.resource.alloca
// RUN: %{run}/matmul_constants.flow.mlir | FileCheck %s --check-prefix=NONE --implicit-check-not=stream.cmd.copy
// RUN: %{run}/matmul_constants.stream.mlir | FileCheck %s --check-prefix=NONE --implicit-check-not=stream.cmd.copy
// RUN: %{run}/loop_branch_state.flow.mlir | FileCheck %s --check-prefix=ONE --implicit-check-not=stream.cmd.copy
// RUN: %{run}/loop_branch_state.stream.mlir | FileCheck %s --check-prefix=ONE --implicit-check-not=stream.cmd.copy

// CHAIN: stream.topology
// CHAIN: util.func public @main
// CHAIN: stream.resource.alloca {{.*}}!stream.resource<transient>
// CHAIN: stream.resource.alloca {{.*}}!stream.resource<transient>
// CHAIN: stream.resource.alloca {{.*}}!stream.resource<external>

// NONE: stream.topology
// NONE: stream.cmd.execute

// ONE: stream.topology
// ONE: stream.cmd.copy {{.+}} -> !stream.resource<variable>
