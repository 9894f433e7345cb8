// The pass sets what --topology sets, in place of what is there, even where that is malformed.
// RUN: stream-zc-opt --topology=%S/Inputs/three-devices.json --no-default-pipeline %s -o %t.option.mlir
// RUN: stream-zc-opt --zc-import-topology=file=%S/Inputs/three-devices.json %s | cmp - %t.option.mlir
// RUN: stream-zc-opt --pass-pipeline='builtin.module(canonicalize,zc-import-topology{file="%S/Inputs/three-devices.json" limit=3},cse)' %s | cmp - %t.option.mlir
// RUN: cp %S/Inputs/three-devices.json "%t a,b.json"
// RUN: stream-zc-opt --zc-import-topology='file="%t a,b.json"' %s | cmp - %t.option.mlir
// RUN: sed 's/^module {/module attributes {stream.topology = 7 : i64} {/' %s > %t.malformed.mlir
// RUN: stream-zc-opt --zc-import-topology=file=%S/Inputs/three-devices.json %t.malformed.mlir | cmp - %t.option.mlir
// What it has set can be shown.
// RUN: stream-zc-opt --zc-import-topology=file=%S/Inputs/three-devices.json --print-topology %s | FileCheck %s --check-prefix=SHOWN
// A file that can't be read or understood is an error, and there is no output.
// RUN: not stream-zc-opt --zc-import-topology %s -o %t.out 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not stream-zc-opt --zc-import-topology=file=%t.missing %s -o %t.out 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not stream-zc-opt --zc-import-topology=file=%S %s -o %t.out 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: printf '{"links": [\n 5]}' > %t.json
// RUN: not stream-zc-opt --zc-import-topology=file=%t.json %s -o %t.out 2>&1 | FileCheck %s --check-prefix=PLACE
// RUN: not stream-zc-opt --zc-import-topology=file= %s -o %t.out 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not ls %t.out
// SHOWN: @dev_b and @npu: one storage, in the memory of @npu
// NONE: import-pass.mlir:{{[0-9]+}}:1: error: zc-import-topology: no file; give it as zc-import-topology{file=PATH}
// MISSING: error: zc-import-topology: cannot read '{{.*}}.missing': No such file or directory
// FOLDER: error: zc-import-topology: cannot read '{{.*}}': Is a directory
// PLACE: import-pass.mlir.tmp.json:2:2: error: topology: a link must be an object, not a number
// EMPTY: error: pipeline: option 'file' takes the name of a file, not '' (pass zc-import-topology)
module {
  util.global private @dev_a : !hal.device
  util.global private @dev_b : !hal.device
  util.global private @npu : !hal.device
}
