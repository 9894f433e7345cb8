// A compiler library that isn't there, isn't one, or isn't IREE's: one line that says how to get it, exit status 1.
// RUN: printf 'no library' > %t.so
// RUN: sh -c 'STREAM_ZC_IREE_LIB=%t.none stream-zc-opt %s; echo status $?' 2>&1 | FileCheck %s --check-prefixes=MISSING,STATUS
// RUN: sh -c 'STREAM_ZC_IREE_LIB=%t.so stream-zc-opt %s; echo status $?' 2>&1 | FileCheck %s --check-prefixes=MISSING,STATUS
// RUN: sh -c 'STREAM_ZC_IREE_LIB=libc.so.6 stream-zc-opt %s; echo status $?' 2>&1 | FileCheck %s --check-prefixes=OTHER,STATUS
// MISSING: stream-zc-opt: error: cannot load IREE's compiler library: {{.*}}; install it with 'pip install iree-base-compiler=={{[0-9.]+}}' or set STREAM_ZC_IREE_LIB to its libIREECompiler.so
// OTHER: stream-zc-opt: error: libc.so.6 is too old or not IREE's compiler library: it has no ireeCompilerGlobalInitialize; install it with 'pip install
// STATUS-NEXT: {{^}}status 1
