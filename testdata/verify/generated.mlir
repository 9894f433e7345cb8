// Generated programs: what timepoints order has no race, what they leave open has, and the values of each are known.
//
// RUN: %python %S/../../scripts/generate_scheduled.py 1 --count 40 --devices 3 --check
// RUN: %python %S/../../scripts/generate_scheduled.py 1 --count 40 --devices 3 --family ordered --split -o %t.ordered.mlir
// RUN: iree-opt --split-input-file %t.ordered.mlir -o /dev/null
// RUN: stream-zc-opt --zc-verify-coherence --split-input-file %t.ordered.mlir -o /dev/null
// RUN: %python %S/../../scripts/generate_scheduled.py 1 --count 40 --family racy --split -o %t.racy.mlir
// RUN: iree-opt --split-input-file %t.racy.mlir -o /dev/null
// RUN: not stream-zc-opt --zc-verify-coherence --split-input-file %t.racy.mlir -o /dev/null 2>&1 | FileCheck %s
// CHECK: error: race:
