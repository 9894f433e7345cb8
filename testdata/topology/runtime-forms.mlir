// One link in three forms: the word, its fields, and the plain keys that they come to.
// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x6050"}, {"from": "dev_b", "to": "dev_a", "runtime": "0X0000000000006550"}]}' > %t.word.json
// RUN: stream-zc-opt --no-default-pipeline --topology=%t.word.json %s -o %t.word.mlir
// RUN: FileCheck %s --input-file=%t.word.mlir
// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": {"buffer_read": {"noncoherent": "import", "coherent": "native"}, "buffer_write": {"noncoherent": "import", "coherent": "native"}, "capabilities": ["unified_memory", "peer_coherent"]}}, {"from": "dev_b", "to": "dev_a", "runtime": {"capabilities": ["peer_coherent", "unified_memory"], "buffer_write": {"coherent": "import", "noncoherent": "import"}, "buffer_read": {"noncoherent": "import", "coherent": "import"}, "latency_class": 15, "numa_distance": 1}}]}' > %t.fields.json
// RUN: stream-zc-opt --no-default-pipeline --topology=%t.fields.json %s | cmp - %t.word.mlir
// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "unified_memory": true, "transparent_access": true, "coherent": true}, {"from": "dev_b", "to": "dev_a", "unified_memory": true, "transparent_access": true, "coherent": true}]}' > %t.plain.json
// RUN: stream-zc-opt --no-default-pipeline --topology=%t.plain.json %s | cmp - %t.word.mlir
// CHECK: stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b = {unified_memory = true, transparent_access = true}, {coherent = true}), (@dev_b -> @dev_a = {unified_memory = true, transparent_access = true}, {coherent = true})]>
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
}
