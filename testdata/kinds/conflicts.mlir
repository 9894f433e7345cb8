// RUN: stream-zc-opt %s --split-input-file --zc-pin-transfer-kind --verify-diagnostics

// IREE would merge these, and keep the first.
func.func @merged(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-warning@+1 {{zc.kind "alias" gives way: IREE merges this transfer with another that is to be a copy}}
  %a = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_a> attributes {zc.kind = "alias"}
  %b = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_a> attributes {zc.kind = "copy"}
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// -----

// Near it: different devices.
func.func @apart(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_a> attributes {zc.kind = "alias"}
  %b = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_b> attributes {zc.kind = "copy"}
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func @in_a_row(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_a> attributes {zc.kind = "copy"}
  // expected-warning@+1 {{zc.kind "alias" gives way}}
  %b = flow.tensor.transfer %a : tensor<4xf32> to #hal.device.promise<@dev_b> attributes {zc.kind = "alias"}
  return %b : tensor<4xf32>
}

// -----

func.func @unknown_kind(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'flow.tensor.transfer' has a zc.kind that is neither "alias" nor "copy"}}
  %a = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_a> attributes {zc.kind = "move"}
  return %a : tensor<4xf32>
}

// -----

func.func @no_string(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error@+1 {{'flow.tensor.transfer' has a zc.kind that is neither "alias" nor "copy"}}
  %a = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_a> attributes {zc.kind = 1 : i32}
  return %a : tensor<4xf32>
}

// -----

// All that are wrong are told at once.
util.func public @unknown_kinds(%x: !stream.resource<transient>, %n: index) -> !stream.resource<transient> {
  // expected-error@+1 {{'stream.async.transfer' has a zc.kind that is neither "alias" nor "copy"}}
  %a = stream.async.transfer %x : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_a>) -> to(#hal.device.affinity<@dev_b>) !stream.resource<transient>{%n} attributes {zc.kind = "Copy"}
  // expected-error@+1 {{'stream.async.transfer' has a zc.kind that is neither "alias" nor "copy"}}
  %b = stream.async.transfer %a : !stream.resource<transient>{%n} from(#hal.device.affinity<@dev_b>) -> to(#hal.device.affinity<@dev_a>) !stream.resource<transient>{%n} attributes {zc.kind = ""}
  util.return %b : !stream.resource<transient>
}
