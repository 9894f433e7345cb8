// --print-topology without a file shows the module's own topology, or that it has none.
// RUN: stream-zc-opt --print-topology --split-input-file %s | FileCheck %s

// CHECK:      {"links": [
// CHECK-NEXT:   {"from": "dev \"é\"", "to": "dev_b", "unified_memory": false, "transparent_access": true, "coherent": true, "cache_line": 64, "read_cost": 0, "copy_cost": 0}
// CHECK-NEXT: ]}
// CHECK-EMPTY:
// CHECK-NEXT: stream.topology = #hal.device.topology<
// CHECK-EMPTY:
// CHECK-NEXT: @"dev \22\C3\A9\22" and @dev_b: one storage, in the memory of @dev_b, which @"dev \22\C3\A9\22" can access; cache maintenance for what @dev_b writes
module attributes {stream.topology = #hal.device.topology<links = [(@"dev \22\C3\A9\22" -> @dev_b = {transparent_access = true}, {coherent = true})]>} {
  util.global private @"dev \22\C3\A9\22" : !hal.device
  util.global private @dev_b : !hal.device
}

// -----
// CHECK:      {"links": []}
// CHECK-EMPTY:
// CHECK-NEXT: no stream.topology: every transfer between devices stays a copy
module {
  util.global private @dev_a : !hal.device
}
