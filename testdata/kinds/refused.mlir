// DEFINE: %{flags} = --iree-execution-model=async-external --iree-hal-target-device=dev_a=local[0] --iree-hal-target-device=dev_b=local[1] --iree-hal-local-target-device-backends=vmvx
// DEFINE: %{to} = stream
// DEFINE: %{decide} = stream-zc-opt %s --zc-pin-transfer-kind --mlir-print-debuginfo | iree-compile - %{flags} --compile-to=%{to} --mlir-print-debuginfo | not stream-zc-opt --topology=%S/Inputs/linked.json 2>&1

// An alias that can't be is an error where the user wrote it, after all of iree-compile's pipeline, on either route.
// RUN: %{decide} | FileCheck %s
// REDEFINE: %{to} = flow
// RUN: %{decide} | FileCheck %s

// CHECK: refused.mlir:[[#@LINE+4]]:12: error: {{.+}} from @dev_a to @dev_b is to be an alias, but must be a copy (discrete-link
// CHECK-NOT: error:
func.func @main(%x: tensor<64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) -> (tensor<64xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) {
  %sum = arith.addf %x, %x : tensor<64xf32>
  %there = flow.tensor.transfer %sum : tensor<64xf32> to #hal.device.promise<@dev_b> attributes {zc.kind = "alias"}
  %product = arith.mulf %there, %there : tensor<64xf32>
  %back = flow.tensor.transfer %product : tensor<64xf32> to #hal.device.promise<@dev_a>
  %result = arith.addf %back, %back : tensor<64xf32>
  return %result : tensor<64xf32>
}
