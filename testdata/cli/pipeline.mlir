// Our passes, IREE's and MLIR's in one pipeline, in the order given, with options and nesting.
// RUN: stream-zc-opt --dump-pass-pipeline %s -o %t.mixed 2> %t.err --pass-pipeline='builtin.module( zc-set-aside-topology{remarks limit=3} , util.func(cse,canonicalize{max-iterations=3}),iree-util-fold-globals, zc-restore-topology,zc-set-aside-topology{},zc-restore-topology, symbol-dce )'
// RUN: FileCheck %s --check-prefix=DUMP < %t.err
// RUN: FileCheck %s < %t.mixed
// DUMP: builtin.module(zc-set-aside-topology,util.func(cse,canonicalize{{{.*}}max-iterations=3{{.*}}}),iree-util-fold-globals,zc-restore-topology,zc-set-aside-topology,zc-restore-topology,symbol-dce)

// The same passes by iree-opt, without ours, give the same.
// RUN: iree-opt %s --pass-pipeline='builtin.module(util.func(cse,canonicalize),iree-util-fold-globals,symbol-dce)' | cmp %t.mixed -

// One option a pass, in the order given.
// RUN: stream-zc-opt --dump-pass-pipeline %s --zc-restore-topology --zc-set-aside-topology='limit=3 keep-annotations' --zc-restore-topology 2>&1 | FileCheck %s --check-prefix=FLAGS
// FLAGS: builtin.module(zc-restore-topology,zc-set-aside-topology,zc-restore-topology)

// An empty pipeline only prints; only what is given runs.
// RUN: stream-zc-opt --pass-pipeline='builtin.module()' %s | FileCheck %s --check-prefix=NOTHING
// NOTHING: util.func private @dead()

// CHECK-NOT: @dead
// CHECK: util.func public @twice
// CHECK-NEXT: %[[SUM:.*]] = arith.addi
// CHECK-NEXT: util.return %[[SUM]], %[[SUM]]
module {
  util.func private @dead()
  util.func public @twice(%a: i32) -> (i32, i32) {
    %0 = arith.addi %a, %a : i32
    %1 = arith.addi %a, %a : i32
    util.return %0, %1 : i32, i32
  }
}
