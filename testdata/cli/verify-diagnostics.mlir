// Comments that expect diagnostics, in every form; nothing is shown when all are met.
// RUN: stream-zc-opt --no-default-pipeline --verify-diagnostics --split-input-file --allow-unregistered-dialect %s 2> %t.err | FileCheck %s
// RUN: test ! -s %t.err

// A part that passes is printed.
// CHECK: util.func private @printed()
util.func private @printed()
// -----
unknown_op // expected-error {{custom op 'unknown_op' is unknown}}
// -----
// expected-error@+1 {{'unknown_op' is unknown}}
unknown_op
// -----
// expected-error @+2 {{'unknown_op' is unknown}}

unknown_op
// -----
unknown_op
// expected-error@-1{{'unknown_op' is unknown}}
// -----
unknown_op
// expected-error@above {{'unknown_op' is unknown}}
// -----
// expected-error@below {{'unknown_op' is unknown}}
unknown_op
// -----
util.func @notes() -> i32 {
  %0 = arith.constant 1 : i32 // expected-note {{previously defined here}}
  // expected-error-re@below {{redef{{i(nit)+ion}} of {{(SSA|MLIR) value '%[0-9]'$}}}}
  %0 = arith.constant 2 : i32
}
// -----
// Several on one line.
// expected-error@below {{redefinition of}} expected-note@+1 {{previously}}
util.func @one_line() { %0 = arith.constant 1 : i32 %0 = arith.constant 2 : i32 }
// -----
// expected-error@unknown {{undefined/incompatible callee: nowhere}}
util.func @unknown_location() {
  util.call @nowhere() : () -> () loc(unknown)
  util.return
}
// -----
// The note that repeats the op needs no comment.
util.func @op_note() {
  util.call @none() : () -> () // expected-error {{undefined/incompatible callee: none}}
  util.return
}
// -----
// Words alone are no comment: expected-error, expected-note, expected-remark
util.func private @last()
