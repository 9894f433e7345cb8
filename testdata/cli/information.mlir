// What is said without an input.
// RUN: stream-zc-opt --help | FileCheck %s --check-prefix=HELP
// RUN: stream-zc-opt --version | FileCheck %s --check-prefix=VERSION
// RUN: stream-zc-opt --list-passes | FileCheck %s --check-prefix=PASSES
// RUN: iree-opt --show-dialects > %t.iree
// RUN: stream-zc-opt --show-dialects | cmp %t.iree -
// RUN: not stream-zc-opt --help 2>&1 > /dev/full | FileCheck %s --check-prefix=FULL

// HELP: Usage: stream-zc-opt [options] [FILE]
// HELP: What to run
// HELP: --pass-pipeline='builtin.module(...)'
// HELP: Zero-copy:
// HELP: --topology=FILE
// HELP: Input and output:
// HELP: -o FILE
// HELP: Passes
// HELP: --zc-classify-transfers
// HELP: Exit status
// VERSION: {{^}}stream-zc-opt {{[0-9]+\.[0-9]+\.[0-9]+$}}
// VERSION-NEXT: {{^}}IREE compiler 3.{{.+}}
// PASSES-DAG: --zc-classify-transfers {{.+}}
// PASSES-DAG: --zc-elide-transfers {{.+}}
// PASSES-DAG: --zc-alias-allocations {{.+}}
// FULL: stream-zc-opt: error: cannot write '-': No space left on device
