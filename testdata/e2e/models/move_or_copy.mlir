// The result of a transfer is changed in place on b. For %m the source is dead (move is legal); for %k the source is read again on a (a copy must stay).
// Run: iree-run-module --function=main --input=8xf32=1,1,1,1,2,2,2,2 --input=2xf32=90,91 --expected_output=8xf32=2,2,90,91,4,4,4,4 --expected_output=8xf32=3,3,90,91,6,6,6,6 --expected_output=8xf32=9,9,9,9,36,36,36,36
module @case03 {
  func.func @main(%x: tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %u: tensor<2xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}) -> (tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}, tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}, tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) {
    %c2 = arith.constant 2 : index
    %m = arith.addf %x, %x : tensor<8xf32>
    %mb = flow.tensor.transfer %m : tensor<8xf32> to #hal.device.promise<@dev_b>
    %mu = flow.tensor.update %u, %mb[%c2] : tensor<2xf32> -> %mb as tensor<8xf32>
    %three = arith.constant dense<3.0> : tensor<8xf32>
    %k = arith.mulf %x, %three : tensor<8xf32>
    %kb = flow.tensor.transfer %k : tensor<8xf32> to #hal.device.promise<@dev_b>
    %ku = flow.tensor.update %u, %kb[%c2] : tensor<2xf32> -> %kb as tensor<8xf32>
    %kk = arith.mulf %k, %k : tensor<8xf32>
    return %mu, %ku, %kk : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
}
