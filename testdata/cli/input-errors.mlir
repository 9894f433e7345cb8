// Whatever can be wrong with an input: one error, exit status 1, no output file.
// RUN: rm -rf %t && mkdir %t
// RUN: printf '' > %t/empty
// RUN: printf ' \n\t\n' > %t/blank
// RUN: printf 'hello, world\n' > %t/garbage
// RUN: printf '\377\376\000\001\200zz\n' > %t/noise
// RUN: printf '\000\000\000\000' > %t/zeros
// RUN: head -c 6000 %S/../iree/chain.stream.mlir > %t/truncated
// RUN: stream-zc-opt --no-default-pipeline --emit-bytecode %S/../iree/chain.stream.mlir -o %t/good.bc
// RUN: head -c 1000 %t/good.bc > %t/truncated.bc
// RUN: head -c 4 %t/good.bc > %t/magic.bc

// RUN: sh -c 'stream-zc-opt %t/empty -o %t/out; echo status $?' 2>&1 | FileCheck %s --check-prefixes=EMPTY,STATUS
// RUN: sh -c 'stream-zc-opt %t/blank -o %t/out; echo status $?' 2>&1 | FileCheck %s --check-prefixes=EMPTY,STATUS
// RUN: sh -c 'stream-zc-opt -o %t/out < /dev/null; echo status $?' 2>&1 | FileCheck %s --check-prefixes=EMPTY,STATUS
// RUN: sh -c 'stream-zc-opt %t/garbage -o %t/out; echo status $?' 2>&1 | FileCheck %s --check-prefixes=GARBAGE,STATUS
// RUN: sh -c 'stream-zc-opt %t/noise -o %t/out; echo status $?' 2>&1 | FileCheck %s --check-prefixes=NOISE,STATUS
// RUN: sh -c 'stream-zc-opt %t/zeros -o %t/out; echo status $?' 2>&1 | FileCheck %s --check-prefixes=EMPTY,STATUS
// RUN: sh -c 'stream-zc-opt %t/truncated -o %t/out; echo status $?' 2>&1 | FileCheck %s --check-prefixes=TRUNCATED,STATUS
// RUN: sh -c 'stream-zc-opt %t/truncated.bc -o %t/out; echo status $?' 2>&1 | FileCheck %s --check-prefixes=BYTECODE,STATUS
// RUN: sh -c 'stream-zc-opt %t/magic.bc -o %t/out; echo status $?' 2>&1 | FileCheck %s --check-prefixes=BYTECODE,STATUS
// RUN: sh -c 'stream-zc-opt %t/none -o %t/out; echo status $?' 2>&1 | FileCheck %s --check-prefixes=MISSING,STATUS
// RUN: sh -c 'stream-zc-opt %t -o %t/out; echo status $?' 2>&1 | FileCheck %s --check-prefixes=FOLDER,STATUS
// RUN: not ls %t/out

// EMPTY: stream-zc-opt: error: cannot parse '{{.*}}': there is nothing in it
// GARBAGE: {{.*}}/garbage:1:1: error: custom op 'hello' is unknown
// NOISE: {{.*}}/noise:1:{{[0-9]+}}: error: unexpected character
// NOISE-NEXT: {{^}}??
// TRUNCATED: {{.*}}/truncated:{{[0-9]+:[0-9]+}}: error: 
// BYTECODE: {{.*}}.bc: error: 
// MISSING: stream-zc-opt: error: cannot read '{{.*}}/none': No such file or directory
// FOLDER: stream-zc-opt: error: cannot read '{{.*}}': Is a directory
// STATUS: {{^}}status 1
