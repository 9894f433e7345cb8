// The modes, one at a time, of a link from dev_a to dev_b: dev_b accesses dev_a's memory only if nothing has to be copied.
// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x0000000000001000"}]}' > %t.json
// RUN: stream-zc-opt --topology=%t.json --print-topology %s | FileCheck %s --check-prefix=NATIVE
// NATIVE: transparent_access = true: {{.*}} runtime link from @dev_a to @dev_b: buffer_read is native, buffer_write is native
// NATIVE: @dev_a and @dev_b: one storage, in the memory of @dev_a, which @dev_b can access; cache maintenance in both directions

// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x0000000000001550"}]}' > %t.json
// RUN: stream-zc-opt --topology=%t.json --print-topology %s | FileCheck %s --check-prefix=IMPORT
// IMPORT: transparent_access = true: {{.*}}: buffer_read is import, buffer_write is import
// IMPORT: @dev_a and @dev_b: one storage, in the memory of @dev_a

// Each of the four modes alone is enough for a copy.
// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x0000000000001020"}]}' > %t.json
// RUN: stream-zc-opt --topology=%t.json --print-topology %s | FileCheck %s --check-prefixes=COPY,READ
// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x0000000000001080"}]}' > %t.json
// RUN: stream-zc-opt --topology=%t.json --print-topology %s | FileCheck %s --check-prefixes=COPY,WRITE
// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x0000000000001200"}]}' > %t.json
// RUN: stream-zc-opt --topology=%t.json --print-topology %s | FileCheck %s --check-prefixes=COPY,COHERENT-READ
// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x0000000000001800"}]}' > %t.json
// RUN: stream-zc-opt --topology=%t.json --print-topology %s | FileCheck %s --check-prefixes=COPY,COHERENT-WRITE
// READ: transparent_access = false: {{.*}}: buffer_read.noncoherent is copy
// WRITE: transparent_access = false: {{.*}}: buffer_write.noncoherent is copy
// COHERENT-READ: transparent_access = false: {{.*}}: buffer_read.coherent is copy
// COHERENT-WRITE: transparent_access = false: {{.*}}: buffer_write.coherent is copy

// One memory that the modes don't let the other device at is of no use.
// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x2020"}, {"from": "dev_b", "to": "dev_a", "runtime": "0x2020"}]}' > %t.json
// RUN: stream-zc-opt --topology=%t.json --print-topology %s | FileCheck %s --check-prefixes=UNIFIED,COPY
// UNIFIED: unified_memory = false: {{.*}} unified_memory, but buffer_read.noncoherent is copy

// A path that needs a grant isn't native; an import needs none.
// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x1000500"}]}' > %t.json
// RUN: stream-zc-opt --topology=%t.json --print-topology %s | FileCheck %s --check-prefixes=GRANT,COPY
// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x1000550"}]}' > %t.json
// RUN: stream-zc-opt --topology=%t.json --print-topology %s | FileCheck %s --check-prefix=IMPORT
// GRANT: transparent_access = false: {{.*}}: buffer_read.noncoherent is native, but peer_access_requires_grant

// All of these come to the same.
// COPY: @dev_a and @dev_b: copies: no unified_memory from @dev_a to @dev_b, and no transparent_access in either direction

// Maintenance goes only where both directions have peer_coherent; the host's view of memory says nothing about a peer's.
// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x6550"}, {"from": "dev_b", "to": "dev_a", "runtime": "0x6550"}]}' > %t.json
// RUN: stream-zc-opt --topology=%t.json --print-topology %s | FileCheck %s --check-prefix=BOTH
// RUN: printf '{"links": [{"from": "dev_a", "to": "dev_b", "runtime": "0x6550"}, {"from": "dev_b", "to": "dev_a", "runtime": "0xA550"}]}' > %t.json
// RUN: stream-zc-opt --topology=%t.json --print-topology %s | FileCheck %s --check-prefix=HOST
// BOTH: @dev_a and @dev_b: one storage, in the memory of either: unified memory; no cache maintenance
// HOST: coherent = false: {{.*}} peer_coherent, but the way back ({{.*}}.json:1:{{[0-9]+}}) isn't
// HOST: coherent = false: {{.*}} no peer_coherent (host_coherent is about the host, not about a peer)
// HOST: @dev_a and @dev_b: one storage, in the memory of either: unified memory; cache maintenance in both directions
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
}
