// An error in one part doesn't hide that in the next, and nothing is printed of the good ones.
// RUN: not stream-zc-opt --no-default-pipeline --split-input-file %s > %t.out 2> %t.err
// RUN: test ! -s %t.out
// RUN: FileCheck %s < %t.err
util.func private @good()
// -----
// CHECK: split-input-file-errors.mlir:[[@LINE+1]]:1: error: custom op 'first' is unknown
first
// -----
// CHECK: split-input-file-errors.mlir:[[@LINE+2]]:23: error: custom op 'second' is unknown
// CHECK-NEXT: {{^}}module { module @in { second } }
module { module @in { second } }
