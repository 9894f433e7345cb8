// Dynamic sizes in a loop with transfers on each trip; a branch; a mutable global that keeps an exported result.
// Run: iree-run-module --function=loop --input=16xf32=0.1 --input=3
// Run: iree-run-module --function=branch --input=1024xf32=0.5 --input=1
// Run: iree-run-module --function=branch --input=1024xf32=0.5 --input=0
module @m {
  util.global private mutable @state = dense<1.0> : tensor<1024xf32>
  func.func @loop(%arg0: tensor<?xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %n: index) -> (tensor<?xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %d = tensor.dim %arg0, %c0 : tensor<?xf32>
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %arg0) -> tensor<?xf32> {
      %a = arith.addf %x, %x : tensor<?xf32>
      %t = flow.tensor.transfer %a : tensor<?xf32>{%d} to #hal.device.promise<@dev_b>
      %b = math.exp %t : tensor<?xf32>
      %u = flow.tensor.transfer %b : tensor<?xf32>{%d} to #hal.device.promise<@dev_a>
      scf.yield %u : tensor<?xf32>
    }
    return %r : tensor<?xf32>
  }
  func.func @branch(%arg0: tensor<1024xf32> {iree.abi.affinity = #hal.device.promise<@dev_a>}, %p: i1) -> (tensor<1024xf32> {iree.abi.affinity = #hal.device.promise<@dev_b>}) {
    %s = util.global.load @state : tensor<1024xf32>
    %r = scf.if %p -> tensor<1024xf32> {
      %a = arith.addf %arg0, %s : tensor<1024xf32>
      %t = flow.tensor.transfer %a : tensor<1024xf32> to #hal.device.promise<@dev_b>
      scf.yield %t : tensor<1024xf32>
    } else {
      %t = flow.tensor.transfer %arg0 : tensor<1024xf32> to #hal.device.promise<@dev_b>
      %a = arith.mulf %t, %t : tensor<1024xf32>
      scf.yield %a : tensor<1024xf32>
    }
    util.global.store %r, @state : tensor<1024xf32>
    return %r : tensor<1024xf32>
  }
}
