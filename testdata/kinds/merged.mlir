// DEFINE: %{flags} = --iree-execution-model=async-external --iree-hal-target-device=dev_a=local[0] --iree-hal-target-device=dev_b=local[1] --iree-hal-local-target-device-backends=vmvx
// DEFINE: %{to} = stream
// DEFINE: %{decide} = stream-zc-opt %s --zc-pin-transfer-kind --mlir-print-debuginfo 2>%t.err | iree-compile - %{flags} --compile-to=%{to} --mlir-print-debuginfo | stream-zc-opt --topology=%S/../e2e/topologies/coherent.json

// IREE merges the two transfers, which want different kinds: one copy is left.
// RUN: %{decide} | FileCheck %s
// REDEFINE: %{to} = flow
// RUN: %{decide} | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN <%t.err

// WARN: merged.mlir:[[#@LINE+6]]:10: warning: zc.kind "alias" gives way
// CHECK-LABEL: util.func public @main
// CHECK-COUNT-1: stream.cmd.copy
// CHECK-NOT: stream.cmd.copy
func.func @main(%x: tensor<64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) -> (tensor<64xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}) {
  %sum = arith.addf %x, %x : tensor<64xf32>
  %one = flow.tensor.transfer %sum : tensor<64xf32> to #hal.device.promise<@dev_b> attributes {zc.kind = "alias"}
  %two = flow.tensor.transfer %sum : tensor<64xf32> to #hal.device.promise<@dev_b> attributes {zc.kind = "copy"}
  %result = arith.mulf %one, %two : tensor<64xf32>
  return %result : tensor<64xf32>
}
