// Mistakes in a pipeline's text belong to the command line: exit status 2, whatever the input.
// RUN: sh -c 'stream-zc-opt "--pass-pipeline=builtin.module(cse,no-such-pass)" none; echo status $?' 2>&1 | FileCheck %s --check-prefixes=UNKNOWN,STATUS
// RUN: sh -c 'stream-zc-opt "--pass-pipeline=builtin.module(cse,util.func(cse,zc-elide-transfers))" none; echo status $?' 2>&1 | FileCheck %s --check-prefixes=NESTED,STATUS
// RUN: sh -c 'stream-zc-opt "--pass-pipeline=builtin.module(zc-elide-transfers{fast})" none; echo status $?' 2>&1 | FileCheck %s --check-prefixes=KEY,STATUS
// RUN: sh -c 'stream-zc-opt "--pass-pipeline=builtin.module(zc-elide-transfers{limit=few})" none; echo status $?' 2>&1 | FileCheck %s --check-prefixes=LIMIT,STATUS
// RUN: sh -c 'stream-zc-opt "--zc-elide-transfers=remarks=maybe" none; echo status $?' 2>&1 | FileCheck %s --check-prefixes=FLAG,STATUS
// RUN: sh -c 'stream-zc-opt "--pass-pipeline=builtin.module(zc-elide-transfers(cse))" none; echo status $?' 2>&1 | FileCheck %s --check-prefixes=AFTER,STATUS
// RUN: sh -c 'stream-zc-opt "--pass-pipeline=builtin.module(cse,,cse)" none; echo status $?' 2>&1 | FileCheck %s --check-prefixes=COMMA,STATUS
// RUN: sh -c 'stream-zc-opt "--pass-pipeline=builtin.module(zc-elide-transfers,)" none; echo status $?' 2>&1 | FileCheck %s --check-prefixes=COMMA,STATUS
// RUN: sh -c 'stream-zc-opt "--pass-pipeline=builtin.module(util.func(cse)" none; echo status $?' 2>&1 | FileCheck %s --check-prefixes=OPEN,STATUS
// RUN: sh -c 'stream-zc-opt "--pass-pipeline=builtin.module(cse{)" none; echo status $?' 2>&1 | FileCheck %s --check-prefixes=OPEN,STATUS
// RUN: sh -c 'stream-zc-opt "--pass-pipeline=builtin.module(cse))" none; echo status $?' 2>&1 | FileCheck %s --check-prefixes=OPEN,STATUS
// RUN: sh -c 'stream-zc-opt "--pass-pipeline=builtin.module(canonicalize{no-such-option=1})" none; echo status $?' 2>&1 | FileCheck %s --check-prefixes=OPTION,STATUS

// UNKNOWN: stream-zc-opt: error: pipeline: {{.*}}'no-such-pass' does not refer to a registered pass
// NESTED: stream-zc-opt: error: pipeline: pass zc-elide-transfers runs on the whole module and cannot be nested in 'util.func'
// KEY: stream-zc-opt: error: pipeline: unknown option 'fast'; there are {{.*}} (pass zc-elide-transfers)
// LIMIT: stream-zc-opt: error: pipeline: option 'limit' takes a whole number from -1, not 'few' (pass zc-elide-transfers)
// FLAG: stream-zc-opt: error: pipeline: option 'remarks' takes true or false, not 'maybe' (pass zc-elide-transfers)
// AFTER: stream-zc-opt: error: pipeline: '(cse)' after pass zc-elide-transfers: only {options} may stand there
// COMMA: stream-zc-opt: error: pipeline: a pass name is missing beside a comma
// OPEN: stream-zc-opt: error: pipeline: unbalanced parentheses, braces or brackets
// OPTION: stream-zc-opt: error: pipeline: {{.*}}no such option no-such-option
// STATUS: {{^}}status 2
