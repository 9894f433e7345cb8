// Bytecode whose attribute is a part of itself keeps MLIR's reader busy forever: it is stopped after some seconds.
// RUN: sh -c 'stream-zc-opt %S/Inputs/self-reference.bc -o %t.out; echo status $?' 2>&1 | FileCheck %s
// RUN: not ls %t.out
// CHECK: {{^}}stream-zc-opt: error: the IREE compiler library comes to no end with '{{.*}}self-reference.bc'
// CHECK-NEXT: {{^}}status 1
