// The size of what a call returns is an argument of the callee, and its length, too. Where a transfer is dropped between the call and an
// export, a view with both stays in use, and IREE's IPO would put a result of the erased call there ("operand is unlinked").
//
// RUN: stream-zc-opt --topology=%S/Inputs/coherent.json --verify-translation --remarks %s 2>&1 | FileCheck %s
// RUN: stream-zc-opt --dump-pass-pipeline %s 2>&1 >/dev/null | FileCheck %s --check-prefix=PIPELINE
// PIPELINE: iree-util-propagate-subranges,{{.*}}zc-forward-call-results,iree-util-ipo

// CHECK: remark: transfer from @dev_a to @dev_b: alias
// CHECK-LABEL: util.func private @made
// CHECK: util.return %{{[a-z0-9]+}}, %{{[a-z0-9]+}} : !stream.resource<external>, !stream.timepoint
// CHECK-LABEL: util.func public @main
// CHECK-SAME: %[[N:[a-z0-9]+]]: index
// CHECK: %[[CALL:[0-9]+]]:2 = util.call @made
// CHECK-NOT: stream.cmd.copy
// CHECK: stream.tensor.export on(#hal.device.affinity<@dev_b>) %[[CALL]]#0 : tensor<?xi8>{%[[N]]} in !stream.resource<external>{%[[N]]}
module attributes {stream.affinity.default = #hal.device.affinity<@dev_a>} {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  flow.executable private @ex {
    flow.executable.export public @use workgroups() -> (index, index, index) {
      %c1 = arith.constant 1 : index
      flow.return %c1, %c1, %c1 : index, index, index
    }
    builtin.module {
      func.func @use(%in: !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi8>>, %n: index, %out: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xi8>>) {
        %size = iree_tensor_ext.dispatch.workload.ordinal %n, 0 : index
        %from = flow.dispatch.tie_shape %in : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi8>>{%size}
        %to = flow.dispatch.tie_shape %out : !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xi8>>{%size}
        %value = iree_tensor_ext.dispatch.tensor.load %from, offsets = [0], sizes = [%size], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<?xi8>>{%size} -> tensor<?xi8>
        iree_tensor_ext.dispatch.tensor.store %value, %to, offsets = [0], sizes = [%size], strides = [1] : tensor<?xi8> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<?xi8>>{%size}
        return
      }
    }
  }
  util.func private @made(%x: tensor<?xi8>, %n: index) -> tensor<?xi8> attributes {inlining_policy = #util.inline.never} {
    %made = flow.dispatch @ex::@use(%x, %n) : (tensor<?xi8>{%n}, index) -> tensor<?xi8>{%n}
    util.return %made : tensor<?xi8>
  }
  util.func public @main(%x: !hal.buffer_view, %n: index, %wait: !hal.fence, %signal: !hal.fence) -> (!hal.buffer_view, !hal.buffer_view) {
    %given = hal.tensor.import on(#hal.device.affinity<@dev_a>) wait(%wait) => %x : !hal.buffer_view -> tensor<?xi8>{%n}
    %made = util.call @made(%given, %n) : (tensor<?xi8>, index) -> tensor<?xi8>
    %moved = flow.tensor.transfer %made : tensor<?xi8>{%n} to #hal.device.affinity<@dev_b>
    %used = flow.dispatch @ex::@use(%moved, %n) : (tensor<?xi8>{%n}, index) -> tensor<?xi8>{%n}
    %ready:2 = hal.tensor.barrier join(%used, %moved : tensor<?xi8>, tensor<?xi8>) => %signal : !hal.fence
    %view = hal.tensor.export on(#hal.device.affinity<@dev_b>) %ready#0 : tensor<?xi8>{%n} -> !hal.buffer_view
    %other = hal.tensor.export on(#hal.device.affinity<@dev_b>) %ready#1 : tensor<?xi8>{%n} -> !hal.buffer_view
    util.return %view, %other : !hal.buffer_view, !hal.buffer_view
  }
}
