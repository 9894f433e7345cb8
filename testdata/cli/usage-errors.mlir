// Mistakes on the command line: what is wrong, exit status 2, before any input is read.
// RUN: sh -c 'stream-zc-opt --nope; echo status $?' 2>&1 | FileCheck %s --check-prefixes=UNKNOWN,SEE,STATUS
// RUN: sh -c 'stream-zc-opt --mlir-print-ir; echo status $?' 2>&1 | FileCheck %s --check-prefixes=AMBIGUOUS,SEE,STATUS
// RUN: sh -c 'stream-zc-opt --topology; echo status $?' 2>&1 | FileCheck %s --check-prefixes=VALUE,SEE,STATUS
// RUN: sh -c 'stream-zc-opt --remarks=yes; echo status $?' 2>&1 | FileCheck %s --check-prefixes=NOVALUE,SEE,STATUS
// RUN: sh -c 'stream-zc-opt one two; echo status $?' 2>&1 | FileCheck %s --check-prefixes=TWO,SEE,STATUS
// RUN: sh -c 'stream-zc-opt --zc-limit=many; echo status $?' 2>&1 | FileCheck %s --check-prefixes=NUMBER,SEE,STATUS
// RUN: sh -c 'stream-zc-opt --zc-min-alias-bytes=99999999999999999999; echo status $?' 2>&1 | FileCheck %s --check-prefixes=HUGE,SEE,STATUS
// RUN: sh -c 'stream-zc-opt --verify-each=perhaps; echo status $?' 2>&1 | FileCheck %s --check-prefixes=SWITCH,SEE,STATUS
// RUN: sh -c 'stream-zc-opt --report=r.json --split-input-file; echo status $?' 2>&1 | FileCheck %s --check-prefixes=REPORT,SEE,STATUS
// RUN: sh -c 'stream-zc-opt --emit-bytecode --split-input-file; echo status $?' 2>&1 | FileCheck %s --check-prefixes=BYTECODE,SEE,STATUS
// RUN: sh -c 'stream-zc-opt --zc-restore-topology "--pass-pipeline=builtin.module(cse)"; echo status $?' 2>&1 | FileCheck %s --check-prefixes=BOTH,SEE,STATUS
// RUN: sh -c 'stream-zc-opt --pass-pipeline=cse; echo status $?' 2>&1 | FileCheck %s --check-prefixes=FORM,SEE,STATUS

// UNKNOWN: stream-zc-opt: unrecognized option '--nope'
// AMBIGUOUS: stream-zc-opt: option '--mlir-print-ir' is ambiguous
// VALUE: stream-zc-opt: option '--topology' requires an argument
// NOVALUE: stream-zc-opt: option '--remarks' doesn't allow an argument
// TWO: stream-zc-opt: error: more than one input file: 'one' and 'two'
// NUMBER: stream-zc-opt: error: --zc-limit takes a whole number, not 'many'
// HUGE: stream-zc-opt: error: --zc-min-alias-bytes takes a whole number, not '99999999999999999999'
// SWITCH: stream-zc-opt: error: --verify-each takes true or false, not 'perhaps'
// REPORT: stream-zc-opt: error: --report is for one module
// BYTECODE: stream-zc-opt: error: --emit-bytecode is for one module
// BOTH: stream-zc-opt: error: --pass-pipeline and a pass's own option exclude each other
// FORM: stream-zc-opt: error: --pass-pipeline must be 'builtin.module(...)', not 'cse'
// SEE-NEXT: stream-zc-opt: see --help
// STATUS-NEXT: {{^}}status 2
