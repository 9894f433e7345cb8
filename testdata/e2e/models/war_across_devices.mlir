// B reads a transferred value while a updates the same value in place, with nothing that orders the two. Without the copy it is a write-after-read race.
// Run: iree-run-module --function=main --input=8xf32=1,2,3,4,5,6,7,8 --input=2xf32=-1,-2 --expected_output=8xf32=4,16,36,64,100,144,196,256 --expected_output=8xf32=2,4,6,8,10,12,-1,-2
module @case05 {
  func.func @main(%x: tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %u: tensor<2xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) -> (tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}, tensor<8xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) {
    %d = arith.addf %x, %x : tensor<8xf32>
    %tb = flow.tensor.transfer %d : tensor<8xf32> to #hal.device.promise<@dev_b>
    %q = arith.mulf %tb, %tb : tensor<8xf32>
    %z = tensor.insert_slice %u into %d[6] [2] [1] : tensor<2xf32> into tensor<8xf32>
    return %q, %z : tensor<8xf32>, tensor<8xf32>
  }
}
