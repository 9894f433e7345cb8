// --verify-each is on by default and takes a value.
// RUN: stream-zc-opt --pass-pipeline='builtin.module(cse)' --mlir-timing %s 2>&1 -o /dev/null --verify-each | FileCheck %s
// RUN: stream-zc-opt --pass-pipeline='builtin.module(cse)' --verify-each=false %s | FileCheck %s --check-prefix=PRINT
// CHECK: CSEPass
// PRINT: util.func private @f()
util.func private @f()
