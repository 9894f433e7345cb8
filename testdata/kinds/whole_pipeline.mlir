// DEFINE: %{flags} = --iree-execution-model=async-external --iree-hal-target-device=dev_a=local[0] --iree-hal-target-device=dev_b=local[1] --iree-hal-local-target-device-backends=vmvx
// DEFINE: %{shared} = --topology=%S/../e2e/topologies/coherent.json
// DEFINE: %{to} = stream
// DEFINE: %{decide} = stream-zc-opt %s --zc-pin-transfer-kind --mlir-print-debuginfo | iree-compile - %{flags} --compile-to=%{to} --mlir-print-debuginfo | stream-zc-opt %{shared} --remarks 2>&1

// A kind that is written into the model decides after all of iree-compile's pipeline, on either route.
// RUN: %{decide} | FileCheck %s
// REDEFINE: %{to} = flow
// RUN: %{decide} | FileCheck %s

// Without it, all share memory.
// RUN: sed 's/attributes {zc.kind = "copy"}//' %s | iree-compile - %{flags} --compile-to=stream | stream-zc-opt %{shared} | FileCheck %s --check-prefix=SHARED
// SHARED-NOT: stream.cmd.copy
// SHARED: util.return

// CHECK-DAG: whole_pipeline.mlir:[[#@LINE+18]]:12: remark: transfer from @dev_a to @dev_b: copy (explicit-copy
// CHECK-DAG: whole_pipeline.mlir:[[#@LINE+19]]:11: remark: transfer from @dev_b to @dev_a: alias
// CHECK-DAG: whole_pipeline.mlir:[[#@LINE+10]]:12: remark: transfer from @dev_a to @dev_b: copy (explicit-copy

// One copy in each function: neither a third nor a lost one.
// CHECK-LABEL: util.func public @main
// CHECK-COUNT-1: stream.cmd.copy
// CHECK-NOT: stream.cmd.copy
// CHECK-LABEL: util.func public @through_a_call
// CHECK-COUNT-1: stream.cmd.copy
// CHECK-NOT: stream.cmd.copy
func.func private @callee(%y: tensor<64xf32>) -> tensor<64xf32> {
  %there = flow.tensor.transfer %y : tensor<64xf32> to #hal.device.promise<@dev_b> attributes {zc.kind = "copy"}
  %product = arith.mulf %there, %there : tensor<64xf32>
  return %product : tensor<64xf32>
}
func.func @main(%x: tensor<64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) -> (tensor<64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) {
  %sum = arith.addf %x, %x : tensor<64xf32>
  %there = flow.tensor.transfer %sum : tensor<64xf32> to #hal.device.promise<@dev_b> attributes {zc.kind = "copy"}
  %product = arith.mulf %there, %there : tensor<64xf32>
  %back = flow.tensor.transfer %product : tensor<64xf32> to #hal.device.promise<@dev_a>
  %result = arith.addf %back, %back : tensor<64xf32>
  return %result : tensor<64xf32>
}
func.func @through_a_call(%x: tensor<64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) -> (tensor<64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) {
  %sum = arith.addf %x, %x : tensor<64xf32>
  %product = func.call @callee(%sum) : (tensor<64xf32>) -> tensor<64xf32>
  %back = flow.tensor.transfer %product : tensor<64xf32> to #hal.device.promise<@dev_a>
  %result = arith.subf %back, %back : tensor<64xf32>
  return %result : tensor<64xf32>
}
