// Each way to miss what the comments expect.
// RUN: not stream-zc-opt --no-default-pipeline --verify-diagnostics --split-input-file %s > %t.out 2> %t.err
// RUN: FileCheck %s < %t.err
// RUN: test ! -s %t.out

// CHECK: verify-diagnostics-failures.mlir:[[@LINE+2]]:4: error: the expected error did not come: something
// CHECK-NEXT: {{^}}// expected-error@+1 {{[{][{]}}something
// expected-error@+1 {{something}}
util.func private @f()
// -----
// CHECK: verify-diagnostics-failures.mlir:[[@LINE+1]]:1: error: unexpected error: custom op 'unexpected' is unknown
unexpected
// -----
// CHECK: verify-diagnostics-failures.mlir:[[@LINE+3]]:1: error: unexpected error: custom op 'text' is unknown
// CHECK: verify-diagnostics-failures.mlir:[[@LINE+1]]:4: error: the expected error did not come: other words
// expected-error@below {{other words}}
text
// -----
// CHECK: verify-diagnostics-failures.mlir:[[@LINE+3]]:1: error: this is not the expected warning but the error: custom op 'severity' is unknown
// CHECK: verify-diagnostics-failures.mlir:[[@LINE+1]]:4: error: the expected warning did not come: 'severity' is unknown
// expected-warning@below {{'severity' is unknown}}
severity
// -----
// CHECK: verify-diagnostics-failures.mlir:[[@LINE+3]]:1: error: unexpected error: custom op 'line' is unknown
// CHECK: verify-diagnostics-failures.mlir:[[@LINE+1]]:4: error: the expected error did not come: 'line' is unknown
// expected-error@+2 {{'line' is unknown}}
line
// -----
// CHECK: verify-diagnostics-failures.mlir:[[@LINE+3]]:1: error: unexpected error: custom op 'regex' is unknown
// CHECK: verify-diagnostics-failures.mlir:[[@LINE+1]]:4: error: the expected error did not come: 'reg{{[{][{]}}[0-9]
// expected-error-re@below {{'reg{{[0-9]}}x' is unknown}}
regex
// -----
// CHECK: verify-diagnostics-failures.mlir:[[@LINE+1]]:4: error: this regular expression is malformed
// expected-error-re@below {{a {{(}} b}}
util.func private @f()
// -----
// CHECK: verify-diagnostics-failures.mlir:[[@LINE+1]]:4: error: this comment has no }}
// expected-error@below {{open
util.func private @f()
// -----
// The file ends before the line that is meant.
// CHECK: verify-diagnostics-failures.mlir:[[@LINE+1]]:4: error: the expected remark did not come: below
// expected-remark@below {{below}}
