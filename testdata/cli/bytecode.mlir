// Text to bytecode and back loses nothing, locations included.
// RUN: stream-zc-opt --no-default-pipeline %S/../iree/chain.stream.mlir > %t.text
// RUN: stream-zc-opt --no-default-pipeline --emit-bytecode %S/../iree/chain.stream.mlir -o %t.bc
// RUN: head -c 4 %t.bc | od -An -tx1 | FileCheck %s
// RUN: stream-zc-opt --no-default-pipeline %t.bc | cmp %t.text -
// RUN: stream-zc-opt --no-default-pipeline < %t.bc | cmp %t.text -
// RUN: stream-zc-opt --no-default-pipeline --mlir-print-debuginfo %S/../iree/chain.stream.mlir > %t.text
// RUN: stream-zc-opt --no-default-pipeline --mlir-print-debuginfo %t.bc | cmp %t.text -
// RUN: iree-opt --mlir-print-debuginfo %t.bc | cmp %t.text -

// Several ops without a module, too.
// RUN: printf 'util.func private @a()\nutil.func private @b()\n' | stream-zc-opt --emit-bytecode | iree-opt | FileCheck %s --check-prefix=SEVERAL

// Splitting is for text.
// RUN: stream-zc-opt --no-default-pipeline --split-input-file --mlir-print-debuginfo %t.bc | cmp %t.text -

// CHECK: 4d 4c ef 52
// SEVERAL: util.func private @a()
// SEVERAL-NEXT: util.func private @b()
