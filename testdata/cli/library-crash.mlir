// When the compiler library crashes (its parser has no limit to nesting) that is one line and exit status 1.
// UNSUPPORTED: sanitized
// RUN: %python -c 'print("module {" * 200000)' > %t.deep
// RUN: sh -c 'stream-zc-opt %t.deep -o %t.out; echo status $?' 2>&1 | FileCheck %s
// RUN: not ls %t.out
// CHECK: {{^}}stream-zc-opt: error: the IREE compiler library crashed on '{{.*}}.deep'
// CHECK-NEXT: {{^}}status 1
