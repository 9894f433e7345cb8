// What a runtime link says decides a real program's transfers, as the plain keys do.
// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x6550"}, {"from": "dev_b", "to": "dev_a", "runtime": "0x6550"}]}' > %t.json
// RUN: stream-zc-opt --topology=%t.json %S/../iree/chain.stream.mlir | FileCheck %s --check-prefix=SHARED
// SHARED: #hal.device.optimal
// SHARED-NOT: stream.cmd.copy

// The same memory behind a copy engine: all copies stay.
// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x6aa0"}, {"from": "dev_b", "to": "dev_a", "runtime": "0x6aa0"}]}' > %t.json
// RUN: stream-zc-opt --topology=%t.json --remarks %S/../iree/chain.stream.mlir -o %t.mlir 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --check-prefix=DISCRETE --input-file=%t.mlir
// REMARK: discrete-link
// DISCRETE-COUNT-2: stream.cmd.copy
