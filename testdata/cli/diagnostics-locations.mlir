// Of a composed location the innermost one in a file is shown, with the line of that file where it can be read; an unknown
// one has no position.
// RUN: rm -rf %t && mkdir %t && printf 'first\nsecond line\n' > %t/model.txt
// RUN: cd %t && not stream-zc-opt --split-input-file %s 2>&1 | FileCheck %s

// CHECK: model.txt:2:8: error: 'util.call' op undefined/incompatible callee: direct
// CHECK-NEXT: {{^}}second line
// CHECK-NEXT: {{^       \^$}}
util.func @f() {
  util.call @direct() : () -> () loc("model.txt":2:8)
  util.return
}
// -----
// CHECK: model.txt:1:1: error: 'util.call' op undefined/incompatible callee: fused
util.func @f() {
  util.call @fused() : () -> () loc(fused<{zc.kind = "alias"}>[unknown, "model.txt":1:1, "model.txt":2:1])
  util.return
}
// -----
// CHECK: model.txt:1:2: error: 'util.call' op undefined/incompatible callee: named
util.func @f() {
  util.call @named() : () -> () loc("name"("model.txt":1:2))
  util.return
}
// -----
// CHECK: model.txt:1:3: error: 'util.call' op undefined/incompatible callee: called
util.func @f() {
  util.call @called() : () -> () loc(callsite("model.txt":1:3 at "model.txt":2:1))
  util.return
}
// -----
// A file or a line that isn't there costs the line only.
// CHECK: {{^}}none.txt:1:3: error: 'util.call' op undefined/incompatible callee: absent
// CHECK-NEXT: {{^}}none.txt:1:3: note: see current operation:
// CHECK: {{^}}model.txt:99:3: error: 'util.call' op undefined/incompatible callee: beyond
// CHECK-NEXT: {{^}}model.txt:99:3: note: see current operation:
util.func @f() {
  util.call @absent() : () -> () loc("none.txt":1:3)
  util.return
}
// -----
util.func @f() {
  util.call @beyond() : () -> () loc("model.txt":99:3)
  util.return
}
// -----
// CHECK: {{^}}error: 'util.call' op undefined/incompatible callee: nowhere
util.func @f() {
  util.call @nowhere() : () -> () loc(unknown)
  util.return
}
