// zc-forward-call-results: what a call hands back in every case is used as the operand or the earlier result that it equals.
//
// RUN: stream-zc-opt --zc-forward-call-results %s | FileCheck %s
// And IPO then takes what nobody uses away; by itself it leaves a use of the erased call here.
// RUN: stream-zc-opt --pass-pipeline='builtin.module(zc-forward-call-results,iree-util-ipo)' %s | FileCheck %s --check-prefix=IPO
// RUN: not stream-zc-opt --pass-pipeline='builtin.module(iree-util-ipo)' %s 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: operand is unlinked

// An argument, and the same again.
// IPO: util.func private @argument(%{{[a-z0-9]+}}: i32, %{{[a-z0-9]+}}: i32) -> i32
util.func private @argument(%x: i32, %y: i32) -> (i32, i32, i32) {
  %sum = arith.addi %x, %y : i32
  util.return %y, %sum, %y : i32, i32, i32
}
// CHECK-LABEL: util.func public @of_argument
// CHECK-SAME: (%[[X:[a-z0-9]+]]: i32, %[[Y:[a-z0-9]+]]: i32)
util.func public @of_argument(%x: i32, %y: i32) -> (i32, i32, i32) {
  // CHECK: %[[CALL:[0-9]+]]:3 = util.call @argument
  %0:3 = util.call @argument(%x, %y) : (i32, i32) -> (i32, i32, i32)
  // CHECK: util.return %[[Y]], %[[CALL]]#1, %[[Y]]
  util.return %0#0, %0#1, %0#2 : i32, i32, i32
}

// Two results that are one value, of which the caller uses the second.
// IPO: util.func private @twin(%{{[a-z0-9]+}}: i32) -> i32
util.func private @twin(%x: i32) -> (i32, i32) {
  %sum = arith.addi %x, %x : i32
  util.return %sum, %sum : i32, i32
}
// CHECK-LABEL: util.func public @of_twin
util.func public @of_twin(%x: i32) -> i32 {
  // CHECK: %[[CALL:[0-9]+]]:2 = util.call @twin
  %0:2 = util.call @twin(%x) : (i32) -> (i32, i32)
  // CHECK: util.return %[[CALL]]#0
  util.return %0#1 : i32
}

// Through another call, which stands further down.
// CHECK-LABEL: util.func public @of_outer
// CHECK-SAME: (%{{[a-z0-9]+}}: i32, %[[Y:[a-z0-9]+]]: i32)
util.func public @of_outer(%x: i32, %y: i32) -> i32 {
  // CHECK: util.return %[[Y]]
  %0 = util.call @outer(%x, %y) : (i32, i32) -> i32
  util.return %0 : i32
}
util.func private @outer(%x: i32, %y: i32) -> i32 {
  %0:3 = util.call @argument(%x, %y) : (i32, i32) -> (i32, i32, i32)
  util.return %0#2 : i32
}
