// A second run on the tool's own output changes nothing, whichever way the program came in.
//
// DEFINE: %{model} = chain
// DEFINE: %{way} = stream
// DEFINE: %{twice} = stream-zc-opt --topology=%S/Inputs/coherent.json %S/../iree/%{model}.%{way}.mlir -o %t.once && stream-zc-opt %t.once -o %t.again && diff %t.once %t.again
// REDEFINE: %{model} = call_boundary
// REDEFINE: %{way} = stream
// RUN: %{twice}
// REDEFINE: %{way} = flow
// RUN: %{twice}
// REDEFINE: %{model} = chain
// REDEFINE: %{way} = stream
// RUN: %{twice}
// REDEFINE: %{way} = flow
// RUN: %{twice}
// REDEFINE: %{model} = fan_out_gather
// REDEFINE: %{way} = stream
// RUN: %{twice}
// REDEFINE: %{way} = flow
// RUN: %{twice}
// REDEFINE: %{model} = in_place
// REDEFINE: %{way} = stream
// RUN: %{twice}
// REDEFINE: %{way} = flow
// RUN: %{twice}
// REDEFINE: %{model} = loop_branch_state
// REDEFINE: %{way} = stream
// RUN: %{twice}
// REDEFINE: %{way} = flow
// RUN: %{twice}
// REDEFINE: %{model} = matmul_constants
// REDEFINE: %{way} = stream
// RUN: %{twice}
// REDEFINE: %{way} = flow
// RUN: %{twice}
// REDEFINE: %{model} = move_or_copy
// REDEFINE: %{way} = stream
// RUN: %{twice}
// REDEFINE: %{way} = flow
// RUN: %{twice}
// REDEFINE: %{model} = war_across_devices
// REDEFINE: %{way} = stream
// RUN: %{twice}
// REDEFINE: %{way} = flow
// RUN: %{twice}
// REDEFINE: %{model} = weight_on_both
// REDEFINE: %{way} = stream
// RUN: %{twice}
// REDEFINE: %{way} = flow
// RUN: %{twice}
// REDEFINE: %{model} = while_mixed_devices
// REDEFINE: %{way} = stream
// RUN: %{twice}
// REDEFINE: %{way} = flow
// RUN: %{twice}
