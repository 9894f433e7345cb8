// Mistakes in runtime links are told at their place in the file, with the line.
// RUN: printf '{"links": [\n  {"from": "dev_a", "to": "dev_b", "runtime": "0x0008000000000aa0"}]}' > %t.json
// RUN: not stream-zc-opt --topology=%t.json %s -o %t.out 2>&1 | FileCheck %s --check-prefix=RESERVED
// RESERVED: runtime-errors.mlir.tmp.json:2:47: error: topology: reserved bits are set: 0x0008000000000000
// RESERVED-NEXT: {{^}}  {"from": "dev_a", "to": "dev_b", "runtime": "0x0008000000000aa0"}]}

// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": {\n "buffer_read": {\n  "coherent": "none"}}}]}' > %t.json
// RUN: not stream-zc-opt --topology=%t.json %s -o %t.out 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: tmp.json:3:15: error: topology: buffer_read.coherent is none: not even a copy can cross the link; leave the link out if nothing crosses it

// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": {\n "capabilites": []}}]}' > %t.json
// RUN: not stream-zc-opt --topology=%t.json %s -o %t.out 2>&1 | FileCheck %s --check-prefix=KEY
// KEY: tmp.json:2:2: error: topology: unknown key 'capabilites' in 'runtime'; known are buffer_read, buffer_write, wait_mode, signal_mode, capabilities, wait_cost, signal_cost, copy_cost, latency_class, numa_distance, link_class

// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": {\n "capabilities": ["peer-coherent"]}}]}' > %t.json
// RUN: not stream-zc-opt --topology=%t.json %s -o %t.out 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: tmp.json:2:19: error: topology: a capability can't be 'peer-coherent'; known are same_runtime_domain, unified_memory, peer_coherent,

// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": {\n "copy_cost": "high"}}]}' > %t.json
// RUN: not stream-zc-opt --topology=%t.json %s -o %t.out 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: tmp.json:2:15: error: topology: 'copy_cost' must be a whole number from 0 to 15, not a string

// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x0007000000000aa0"}]}' > %t.json
// RUN: not stream-zc-opt --topology=%t.json %s -o %t.out 2>&1 | FileCheck %s --check-prefix=ISOLATED
// ISOLATED: error: topology: link_class is isolated, but the modes say that data can cross the link

// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x0000000001000000"}]}' > %t.json
// RUN: not stream-zc-opt --topology=%t.json %s -o %t.out 2>&1 | FileCheck %s --check-prefix=GRANT
// GRANT: error: topology: peer_access_requires_grant, but every buffer mode is native, which says that none is required

// Both forms of one link, in one object and in two.
// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x550",\n "coherent": true}]}' > %t.json
// RUN: not stream-zc-opt --topology=%t.json %s -o %t.out 2>&1 | FileCheck %s --check-prefix=BESIDE
// BESIDE: tmp.json:2:2: error: topology: 'coherent' beside 'runtime', which says it already
// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "coherent": true},\n {"from": "dev_a", "to": "dev_b", "runtime": "0x550"}]}' > %t.json
// RUN: not stream-zc-opt --topology=%t.json %s -o %t.out 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: tmp.json:2:2: error: topology: second link from @dev_a to @dev_b

// The two directions may come in different forms, but they may not contradict each other.
// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x550"},\n {"from": "dev_b", "to": "dev_a", "transparent_access": true}]}' > %t.json
// RUN: stream-zc-opt --topology=%t.json %s -o %t.out
// RUN: rm %t.out
// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x550"},\n {"from": "dev_b", "to": "dev_a", "transparent_access": false}]}' > %t.json
// RUN: not stream-zc-opt --topology=%t.json %s -o %t.out 2>&1 | FileCheck %s --check-prefix=CONFLICT
// CONFLICT: tmp.json:2:2: error: topology: 'transparent_access' of the link from @dev_b to @dev_a has two values in this file: true ({{.*}}tmp.json:1:56, runtime link from @dev_a to @dev_b: buffer_read is import, buffer_write is import) and false ({{.*}}tmp.json:2:2)

// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x0001000000000550"},\n {"from": "dev_b", "to": "dev_a", "runtime": "0x0002000000000550"}]}' > %t.json
// RUN: not stream-zc-opt --topology=%t.json %s -o %t.out 2>&1 | FileCheck %s --check-prefix=CLASS
// CLASS: tmp.json:2:46: error: topology: link_class is pcie_same_root, but nvlink_if for the way back ({{.*}}tmp.json:1:56); it must be the same both ways
// RUN: not ls %t.out
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
}
