// When the compiler library crashes (IREE 3.13 does when it prints this pass's options) that is one line and exit status 1.
// UNSUPPORTED: sanitized
// RUN: sh -c 'stream-zc-opt --dump-pass-pipeline "--pass-pipeline=builtin.module(iree-llvmcpu-tile)" %s -o %t.out; echo status $?' 2>&1 | FileCheck %s
// RUN: not ls %t.out
// CHECK: {{^}}stream-zc-opt: error: the IREE compiler library {{.*}}crashed on '{{.*}}library-crash.mlir'
// CHECK-NEXT: {{^}}status 1
util.func private @f()
