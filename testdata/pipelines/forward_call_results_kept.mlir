// zc-forward-call-results looks at all returns of a function, and at functions of which it sees all.
//
// RUN: stream-zc-opt --zc-forward-call-results %s | FileCheck %s

// Returns that differ: only what holds in all of them.
util.func private @branches(%c: i1, %x: i32, %y: i32) -> (i32, i32, i32) {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  util.return %x, %x, %x : i32, i32, i32
^bb2:
  util.return %y, %x, %y : i32, i32, i32
}
// CHECK-LABEL: util.func public @of_branches
// CHECK-SAME: (%{{[a-z0-9]+}}: i1, %[[X:[a-z0-9]+]]: i32
util.func public @of_branches(%c: i1, %x: i32, %y: i32) -> (i32, i32, i32) {
  // CHECK: %[[CALL:[0-9]+]]:3 = util.call @branches
  %0:3 = util.call @branches(%c, %x, %y) : (i1, i32, i32) -> (i32, i32, i32)
  // CHECK: util.return %[[CALL]]#0, %[[X]], %[[CALL]]#0
  util.return %0#0, %0#1, %0#2 : i32, i32, i32
}

// Public, without a body, and calling itself: left alone.
util.func public @seen(%x: i32) -> i32 {
  util.return %x : i32
}
util.func private @elsewhere(%x: i32) -> i32
util.func private @recursive(%x: i32) -> (i32, i32) {
  // CHECK: %[[CALL:[0-9]+]]:2 = util.call @recursive
  %0:2 = util.call @recursive(%x) : (i32) -> (i32, i32)
  // CHECK: util.return %[[CALL]]#1, %[[CALL]]#1
  util.return %0#1, %0#1 : i32, i32
}
// CHECK-LABEL: util.func public @of_others
util.func public @of_others(%x: i32) -> (i32, i32, i32, i32) {
  // CHECK: %[[SEEN:[0-9]+]] = util.call @seen
  %0 = util.call @seen(%x) : (i32) -> i32
  // CHECK: %[[ELSEWHERE:[0-9]+]] = util.call @elsewhere
  %1 = util.call @elsewhere(%x) : (i32) -> i32
  // CHECK: %[[RECURSIVE:[0-9]+]]:2 = util.call @recursive
  %2:2 = util.call @recursive(%x) : (i32) -> (i32, i32)
  // CHECK: util.return %[[SEEN]], %[[ELSEWHERE]], %[[RECURSIVE]]#0, %[[RECURSIVE]]#0
  util.return %0, %1, %2#0, %2#1 : i32, i32, i32, i32
}
