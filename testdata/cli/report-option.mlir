// --report is written with the result, on success only. What the counts say is tested with the passes.
// RUN: rm -rf %t && mkdir %t
// RUN: stream-zc-opt %S/../iree/chain.stream.mlir --report=%t/r.json -o %t/out.mlir
// RUN: FileCheck %s < %t/r.json
// RUN: stream-zc-opt %S/../iree/chain.flow.mlir --report=%t/flow.json -o %t/out.mlir
// RUN: FileCheck %s < %t/flow.json
// RUN: echo x | not stream-zc-opt --report=%t/none.json
// RUN: not ls %t/none.json
// CHECK: {
// CHECK: "copies"
// CHECK: }
