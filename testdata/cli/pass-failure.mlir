// A pass that fails: its error, no output, exit status 1; the IR that it leaves on request.
// RUN: not stream-zc-opt %s --pass-pipeline='builtin.module(cse,zc-classify-transfers)' > %t.out 2> %t.err
// RUN: test ! -s %t.out
// RUN: FileCheck %s < %t.err
// RUN: not stream-zc-opt %s --pass-pipeline='builtin.module(cse,zc-classify-transfers)' --mlir-print-ir-after-failure 2>&1 | FileCheck %s --check-prefixes=CHECK,IR
// CHECK: pass-failure.mlir:{{[0-9]+:[0-9]+}}: error: {{.*}}nowhere
// CHECK-NOT: IR Dump After {{.*}}cse
// IR: IR Dump After {{.*}} Failed: zc-classify-transfers
// IR-NEXT: module
module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @nowhere = {unified_memory = true, transparent_access = true})]>} {
  util.global private @dev_a : !hal.device
}
