// RUN: stream-zc-opt %s --split-input-file --zc-pin-transfer-kind --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s
// RUN: stream-zc-opt %s --split-input-file --zc-pin-transfer-kind --zc-pin-transfer-kind --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// An explicit kind goes into the location. Whatever has none stays as it is.
// CHECK-LABEL: func.func @tensors
// CHECK: flow.tensor.transfer {{.+}} attributes {zc.kind = "copy"} loc(fused<{zc.kind = "copy"}>["{{.+}}pin.mlir":[[#@LINE+5]]:10])
// CHECK-NEXT: flow.tensor.transfer {{.+}} attributes {zc.kind = "alias"} loc(fused<{zc.kind = "alias"}>["{{.+}}pin.mlir":[[#@LINE+5]]:10])
// CHECK-NEXT: flow.tensor.transfer {{.+}} to #hal.device.promise<@dev_c> loc("{{.+}}pin.mlir":[[#@LINE+5]]:10)
module {
  func.func @tensors(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %a = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_a> attributes {zc.kind = "copy"}
    %b = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_b> attributes {zc.kind = "alias"}
    %c = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_c>
    return %a, %b, %c : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}

// -----

// CHECK-LABEL: util.func public @resources
// CHECK: stream.async.transfer {{.+}} attributes {zc.kind = "alias"} loc(fused<{zc.kind = "alias"}>[
module {
  util.func public @resources(%x: !stream.resource<transient>, %n: index) -> !stream.resource<transient> {
    %a = stream.async.transfer %x : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>) !stream.resource<transient>{%n} attributes {zc.kind = "alias"}
    util.return %a : !stream.resource<transient>
  }
}

// -----

// What the location says already, through a call site and fused parts, needs no new one.
// CHECK-LABEL: func.func @pinned_before
// CHECK: flow.tensor.transfer {{.+}} attributes {zc.kind = "copy"} loc(callsite(fused<{zc.kind = "copy"}>["m.mlir":3:4] at "m.mlir":9:9))
// CHECK-NEXT: flow.tensor.transfer {{.+}} attributes {zc.kind = "alias"} loc(fused["n.mlir":1:1, fused<{zc.kind = "alias"}>["m.mlir":3:4]])
module {
  func.func @pinned_before(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
    %a = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_a> loc(callsite(fused<{zc.kind = "copy"}>["m.mlir":3:4] at "m.mlir":9:9))
    %b = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_b> loc(fused["n.mlir":1:1, fused<{zc.kind = "alias"}>["m.mlir":3:4]])
    return %a, %b : tensor<4xf32>, tensor<4xf32>
  }
}

// -----

// IREE merges the first two, and the second and third: all are what the one is to be. The last goes elsewhere.
// CHECK-LABEL: func.func @merged
// CHECK-COUNT-3: to #hal.device.promise<@dev_a> attributes {zc.kind = "copy"}
// CHECK: to #hal.device.promise<@dev_b> loc
module {
  func.func @merged(%x: tensor<4xf32>, %p: i1) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %a = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_a>
    %b = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_a> attributes {zc.kind = "copy"}
    %c = scf.if %p -> tensor<4xf32> {
      %inner = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_a>
      scf.yield %inner : tensor<4xf32>
    } else {
      scf.yield %x : tensor<4xf32>
    }
    %d = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_b>
    return %b, %c, %d : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}

// -----

// A wish for an alias goes to those that surely are merged with it: not to the one in another block.
// CHECK-LABEL: func.func @merged_alias
// CHECK-COUNT-2: to #hal.device.promise<@dev_a> attributes {zc.kind = "alias"}
// CHECK: to #hal.device.promise<@dev_a> loc
module {
  func.func @merged_alias(%x: tensor<4xf32>, %p: i1) -> (tensor<4xf32>, tensor<4xf32>) {
    %a = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_a>
    %b = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_a> attributes {zc.kind = "alias"}
    %c = scf.if %p -> tensor<4xf32> {
      %inner = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_a>
      scf.yield %inner : tensor<4xf32>
    } else {
      scf.yield %x : tensor<4xf32>
    }
    return %b, %c : tensor<4xf32>, tensor<4xf32>
  }
}

// -----

// IREE takes the last straight from %x: it has to stand for the copy.
// CHECK-LABEL: func.func @in_a_row
// CHECK: to #hal.device.promise<@dev_a> attributes {zc.kind = "copy"}
// CHECK: to #hal.device.promise<@dev_b> attributes {zc.kind = "copy"}
module {
  func.func @in_a_row(%x: tensor<4xf32>) -> tensor<2x2xf32> {
    %a = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_a> attributes {zc.kind = "copy"}
    %square = flow.tensor.reshape %a : tensor<4xf32> -> tensor<2x2xf32>
    %b = flow.tensor.transfer %square : tensor<2x2xf32> to #hal.device.promise<@dev_b>
    return %b : tensor<2x2xf32>
  }
}
