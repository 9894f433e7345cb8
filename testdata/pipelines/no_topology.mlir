// Without a topology nothing of ours does anything: scheduled IR comes out as iree-opt prints it, and flow IR as iree-compile schedules it,
// byte for byte. Where IREE leaves conflicting regions unordered (war_across_devices), awaits are all that is added.
//
// DEFINE: %{model} = chain
// DEFINE: %{scheduled} = iree-opt %S/../iree/%{model}.stream.mlir -o %t.stock && stream-zc-opt %S/../iree/%{model}.stream.mlir -o %t.ours && diff %t.stock %t.ours
// DEFINE: %{flow} = iree-compile --compile-from=flow --compile-to=stream %S/../iree/%{model}.flow.mlir -o %t.compiled && iree-opt %t.compiled -o %t.stock && stream-zc-opt %S/../iree/%{model}.flow.mlir -o %t.ours && diff %t.stock %t.ours
// REDEFINE: %{model} = call_boundary
// RUN: %{scheduled}
// RUN: %{flow}
// REDEFINE: %{model} = chain
// RUN: %{scheduled}
// RUN: %{flow}
// REDEFINE: %{model} = fan_out_gather
// RUN: %{scheduled}
// RUN: %{flow}
// REDEFINE: %{model} = in_place
// RUN: %{scheduled}
// RUN: %{flow}
// REDEFINE: %{model} = loop_branch_state
// RUN: %{scheduled}
// RUN: %{flow}
// REDEFINE: %{model} = matmul_constants
// RUN: %{scheduled}
// RUN: %{flow}
// REDEFINE: %{model} = move_or_copy
// RUN: %{scheduled}
// RUN: %{flow}
// REDEFINE: %{model} = weight_on_both
// RUN: %{scheduled}
// RUN: %{flow}
// REDEFINE: %{model} = while_mixed_devices
// RUN: %{scheduled}
// RUN: %{flow}
// REDEFINE: %{model} = three_devices
// RUN: %{scheduled}
// RUN: %{flow}
// REDEFINE: %{model} = two_consumers
// RUN: %{scheduled}
// RUN: %{flow}
// REDEFINE: %{model} = single_device
// RUN: %{scheduled}
// RUN: %{flow}
// RUN: iree-opt %S/../iree/war_across_devices.stream.mlir -o %t.stock
// RUN: stream-zc-opt --pass-pipeline='builtin.module(zc-classify-transfers,zc-alias-allocations,zc-maintain-coherence,zc-lower-cache-maintenance)' %S/../iree/war_across_devices.stream.mlir -o %t.ours
// RUN: diff %t.stock %t.ours
