// Watching the passes: all of it goes to standard error.
// RUN: stream-zc-opt %s --pass-pipeline='builtin.module(zc-set-aside-topology,symbol-dce)' --mlir-print-ir-before-all -o /dev/null 2>&1 | FileCheck %s --check-prefix=BEFORE
// RUN: stream-zc-opt %s --pass-pipeline='builtin.module(zc-set-aside-topology,symbol-dce)' --mlir-print-ir-after-all -o /dev/null 2>&1 | FileCheck %s --check-prefix=AFTER
// RUN: stream-zc-opt %s --pass-pipeline='builtin.module(cse,symbol-dce)' --mlir-print-ir-after-change -o /dev/null 2>&1 | FileCheck %s --check-prefix=CHANGE
// RUN: stream-zc-opt %s --pass-pipeline='builtin.module(util.func(cse))' --mlir-print-ir-after-all --mlir-print-ir-module-scope -o /dev/null 2>&1 | FileCheck %s --check-prefix=SCOPE
// RUN: stream-zc-opt %s --pass-pipeline='builtin.module(cse,zc-set-aside-topology)' --mlir-timing -o /dev/null 2>&1 | FileCheck %s --check-prefix=TIMING
// RUN: stream-zc-opt %s --pass-pipeline='builtin.module(cse,zc-set-aside-topology)' --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATISTICS
// RUN: stream-zc-opt %s --pass-pipeline='builtin.module(cse)' --mlir-disable-threading | FileCheck %s

// BEFORE: IR Dump Before {{.*}}zc-set-aside-topology
// BEFORE: util.func private @dead()
// BEFORE: IR Dump Before {{.*}}symbol-dce
// BEFORE: util.func private @dead()
// BEFORE-NOT: {{.}}IR Dump
// AFTER: IR Dump After {{.*}}zc-set-aside-topology
// AFTER: util.func private @dead()
// AFTER: IR Dump After {{.*}}symbol-dce
// AFTER-NOT: util.func private @dead()
// CHANGE-NOT: IR Dump After {{.*}}cse
// CHANGE: IR Dump After {{.*}}symbol-dce
// SCOPE: IR Dump After {{.*}}cse
// SCOPE-NEXT: module {
// SCOPE-NEXT: util.func private @dead()
// TIMING: Execution time report
// TIMING: CSEPass
// TIMING: {{SetAsideTopology|zc-set-aside-topology}}
// STATISTICS: Pass statistics report
// STATISTICS: CSEPass
// STATISTICS-NEXT: num-cse'd
// CHECK: util.func private @dead()
module {
  util.func private @dead()
  util.func public @f() {
    util.return
  }
}
