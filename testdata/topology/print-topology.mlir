// Plain links and both forms of a runtime's mixed in one file: what is understood, in every form, and why.
// RUN: stream-zc-opt --topology=%S/Inputs/three-devices.json --print-topology %s -o %t.text
// RUN: FileCheck %s --input-file=%t.text
// The same each time.
// RUN: stream-zc-opt --topology=%S/Inputs/three-devices.json --print-topology %s | cmp - %t.text
// The JSON that it shows sets the same topology.
// RUN: sed '/^$/,$d' %t.text > %t.json
// RUN: stream-zc-opt --topology=%t.json --no-default-pipeline %s -o %t.again.mlir
// RUN: stream-zc-opt --print-topology %t.again.mlir -o %t.again.text
// RUN: FileCheck %s --check-prefix=AGAIN --input-file=%t.again.text
// RUN: sed '/^$/,$d' %t.again.text | cmp - %t.json
// RUN: not stream-zc-opt --print-topology --report=%t.report %s 2>&1 | FileCheck %s --check-prefix=USAGE

// CHECK:      {"links": [
// CHECK-NEXT:   {"from": "dev_a", "to": "dev_b", "unified_memory": true, "transparent_access": true, "coherent": false, "cache_line": 64, "read_cost": 0, "copy_cost": 0},
// CHECK-NEXT:   {"from": "dev_b", "to": "dev_a", "unified_memory": true, "transparent_access": false, "coherent": true, "cache_line": 128, "read_cost": 0, "copy_cost": 0},
// CHECK-NEXT:   {"from": "dev_a", "to": "npu", "unified_memory": false, "transparent_access": false, "coherent": false, "cache_line": 64, "read_cost": 0, "copy_cost": 0},
// CHECK-NEXT:   {"from": "npu", "to": "dev_a", "unified_memory": false, "transparent_access": false, "coherent": false, "cache_line": 64, "read_cost": 0, "copy_cost": 0},
// CHECK-NEXT:   {"from": "npu", "to": "dev_b", "unified_memory": false, "transparent_access": false, "coherent": true, "cache_line": 64, "read_cost": 0, "copy_cost": 0},
// CHECK-NEXT:   {"from": "dev_b", "to": "npu", "unified_memory": false, "transparent_access": true, "coherent": false, "cache_line": 64, "read_cost": 0.5, "copy_cost": 7}
// CHECK-NEXT: ]}
// CHECK-EMPTY:
// CHECK-NEXT: stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = false}), (@dev_b -> @dev_a = {unified_memory = true}, {cache_line = 128 : i64, coherent = true}), (@dev_a -> @npu = {}, {coherent = false}), (@npu -> @dev_a = {}), (@npu -> @dev_b = {}, {coherent = true}), (@dev_b -> @npu = {transparent_access = true}, {copy_cost = 7.000000e+00 : f64, read_cost = 5.000000e-01 : f64})]>
// CHECK-EMPTY:
// CHECK-NEXT: runtime link from @dev_b to @dev_a, 0x000600000000605a: {"buffer_read": {"noncoherent": "import", "coherent": "native"}, "buffer_write": {"noncoherent": "import", "coherent": "native"}, "wait_mode": "copy", "signal_mode": "copy", "capabilities": ["unified_memory", "peer_coherent"], "wait_cost": 0, "signal_cost": 0, "copy_cost": 0, "latency_class": 0, "numa_distance": 0, "link_class": "other"}
// CHECK-NEXT: runtime link from @dev_a to @npu, 0x0000000000010aa0: {"buffer_read": {"noncoherent": "copy", "coherent": "copy"}, "buffer_write": {"noncoherent": "copy", "coherent": "copy"}, "wait_mode": "native", "signal_mode": "native", "capabilities": ["p2p_copy"],
// CHECK-SAME: "link_class": "same_die"}
// CHECK-NEXT: runtime link from @npu to @dev_b, 0x000600700000404a: {{.*}} "copy_cost": 7,
// CHECK-EMPTY:
// CHECK-NEXT: @dev_a -> @dev_b
// CHECK-NEXT:   unified_memory = true: {{.*}}three-devices.json:2:3
// CHECK-NEXT:   transparent_access = true: {{.*}}three-devices.json:2:3
// CHECK-NEXT:   coherent = false: {{.*}}three-devices.json:2:3
// CHECK-NEXT:   cache_line = 64: not given
// CHECK-NEXT:   read_cost = 0: not given
// CHECK-NEXT:   copy_cost = 0: not given
// CHECK-EMPTY:
// CHECK-NEXT: @dev_b -> @dev_a
// CHECK-NEXT:   unified_memory = true: {{.*}}three-devices.json:4:15, runtime link from @dev_b to @dev_a: unified_memory
// CHECK-NEXT:   transparent_access = false: not given
// CHECK-NEXT:   coherent = true: {{.*}}three-devices.json:4:15, runtime link from @dev_b to @dev_a: peer_coherent
// CHECK-NEXT:   cache_line = 128: {{.*}}three-devices.json:3:3
// CHECK:      @dev_a -> @npu
// CHECK-NEXT:   unified_memory = false: {{.*}}three-devices.json:7:45, runtime link from @dev_a to @npu: no unified_memory
// CHECK:      @npu -> @dev_a
// CHECK-NEXT:   unified_memory = false: not given
// CHECK-NEXT:   transparent_access = false: {{.*}}three-devices.json:7:45, runtime link from @dev_a to @npu: buffer_read.noncoherent is copy
// CHECK:      @npu -> @dev_b
// CHECK:      @dev_b -> @npu
// CHECK:        transparent_access = true: {{.*}}three-devices.json:8:45, runtime link from @npu to @dev_b: buffer_read is native, buffer_write is import
// CHECK:        read_cost = 0.5: {{.*}}three-devices.json:8:3
// CHECK-NEXT:   copy_cost = 7: {{.*}}three-devices.json:8:45, runtime link from @npu to @dev_b: copy_cost is 7
// CHECK-EMPTY:
// CHECK-NEXT: @dev_a and @dev_b: one storage, in the memory of either: unified memory; cache maintenance for what @dev_a writes
// CHECK-NEXT: @dev_a and @npu: copies: no unified_memory from @dev_a to @npu, and no transparent_access in either direction
// CHECK-NEXT: @dev_b and @npu: one storage, in the memory of @npu, which @dev_b can access; cache maintenance for what @dev_b writes
// CHECK-NOT: module

// AGAIN: @dev_b and @npu: one storage, in the memory of @npu, which @dev_b can access; cache maintenance for what @dev_b writes
// USAGE: stream-zc-opt: error: --print-topology excludes --report and --emit-bytecode
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @npu : !hal.device
}
