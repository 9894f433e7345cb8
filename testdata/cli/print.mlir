// What goes in comes out as iree-opt prints it, and again the same.
// RUN: iree-opt %S/../iree/chain.stream.mlir > %t.iree
// RUN: stream-zc-opt --no-default-pipeline %S/../iree/chain.stream.mlir > %t.ours
// RUN: cmp %t.iree %t.ours
// RUN: stream-zc-opt --no-default-pipeline < %S/../iree/chain.stream.mlir | cmp %t.iree -
// RUN: stream-zc-opt --no-default-pipeline - < %S/../iree/chain.stream.mlir -o - | cmp %t.iree -
// RUN: stream-zc-opt --no-default-pipeline %t.ours | cmp %t.ours -
// RUN: iree-opt --mlir-print-op-generic %S/../iree/chain.flow.mlir > %t.iree
// RUN: stream-zc-opt --no-default-pipeline --mlir-print-op-generic %S/../iree/chain.flow.mlir | cmp %t.iree -
// RUN: iree-opt --mlir-print-local-scope %S/../iree/chain.flow.mlir > %t.iree
// RUN: stream-zc-opt --no-default-pipeline --mlir-print-local-scope %S/../iree/chain.flow.mlir | cmp %t.iree -

// Locations, of a file and of standard input.
// RUN: iree-opt --mlir-print-debuginfo %S/../iree/chain.flow.mlir > %t.iree
// RUN: stream-zc-opt --no-default-pipeline --mlir-print-debuginfo %S/../iree/chain.flow.mlir | cmp %t.iree -
// RUN: iree-opt --mlir-print-debuginfo < %S/../iree/chain.flow.mlir > %t.iree
// RUN: stream-zc-opt --no-default-pipeline --mlir-print-debuginfo < %S/../iree/chain.flow.mlir | cmp %t.iree -

// Single dashes will do, as in mlir-opt.
// RUN: stream-zc-opt -no-default-pipeline -mlir-print-op-generic %S/../iree/chain.stream.mlir | FileCheck %s
// CHECK: "builtin.module"() <{sym_name = "m"}> ({
