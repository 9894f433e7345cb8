// A loop carries one value on a and one on b, only one leaves the loop; each turn makes a transfer, so the aliased storage crosses the back edge.
// Run: iree-run-module --function=main --input=4xf32=1,2,3,4 --input=3 --expected_output=4xf32=8,16,24,32
// Run: iree-run-module --function=main --input=4xf32=1,2,3,4 --input=0 --expected_output=4xf32=1,2,3,4
module @case14 {
  func.func @main(%x: tensor<4xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %n: i32) -> (tensor<4xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}) {
    %c0 = arith.constant 0 : i32
    %c1 = arith.constant 1 : i32
    %xb = flow.tensor.transfer %x : tensor<4xf32> to #hal.device.promise<@dev_b>
    %r:3 = scf.while (%i = %c0, %u = %x, %v = %xb) : (i32, tensor<4xf32>, tensor<4xf32>) -> (i32, tensor<4xf32>, tensor<4xf32>) {
      %go = arith.cmpi slt, %i, %n : i32
      scf.condition(%go) %i, %u, %v : i32, tensor<4xf32>, tensor<4xf32>
    } do {
    ^bb0(%i: i32, %u: tensor<4xf32>, %v: tensor<4xf32>):
      %i1 = arith.addi %i, %c1 : i32
      %u1 = arith.addf %u, %u : tensor<4xf32>
      %v1 = flow.tensor.transfer %u1 : tensor<4xf32> to #hal.device.promise<@dev_b>
      %v2 = arith.maximumf %v, %v1 : tensor<4xf32>
      scf.yield %i1, %u1, %v2 : i32, tensor<4xf32>, tensor<4xf32>
    }
    return %r#2 : tensor<4xf32>
  }
}
