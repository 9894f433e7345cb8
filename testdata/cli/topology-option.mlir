// --topology sets stream.topology; a file that can't be read or understood is an error at its place, without any output.
// RUN: stream-zc-opt --no-default-pipeline --topology=%S/../e2e/topologies/coherent.json %s | FileCheck %s
// RUN: not stream-zc-opt --topology=%t.none %s 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not stream-zc-opt --topology=%S %s 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: printf '{\n  oops\n' > %t.json
// RUN: not stream-zc-opt --topology=%t.json %s -o %t.out 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: not ls %t.out
// CHECK: module attributes {stream.topology = #hal.device.topology<links = [(@dev_a -> @dev_b
// CHECK-SAME: unified_memory = true
// NONE: stream-zc-opt: error: cannot read the topology '{{.*}}.none': No such file or directory
// FOLDER: stream-zc-opt: error: cannot read the topology '{{.*}}': Is a directory
// PLACE: topology-option.mlir.tmp.json:2:{{[0-9]+}}: error: {{.+}}
// PLACE-NEXT: {{^}}  oops
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
}
