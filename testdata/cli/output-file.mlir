// -o is written on success.
// RUN: rm -rf %t && mkdir %t
// RUN: stream-zc-opt --no-default-pipeline %s -o %t/out.mlir > %t/stdout
// RUN: FileCheck %s < %t/out.mlir
// RUN: stream-zc-opt --no-default-pipeline -o %t/out.mlir %t/out.mlir
// RUN: FileCheck %s < %t/out.mlir
// RUN: test ! -s %t/stdout
// CHECK: util.func private @f()

// On failure the file stays as it was, or absent; nothing is left beside it and nothing comes on standard output.
// RUN: echo 'old' > %t/old
// RUN: echo 'util.func' > %t/bad.mlir
// RUN: not stream-zc-opt %t/bad.mlir -o %t/old > %t/stdout
// RUN: not stream-zc-opt %t/bad.mlir -o %t/absent --report=%t/report >> %t/stdout
// RUN: not stream-zc-opt %t/bad.mlir >> %t/stdout
// RUN: not stream-zc-opt %s -o %t/absent --report=%t/no/folder >> %t/stdout
// RUN: not stream-zc-opt %s -o %t/no/folder --report=%t/report >> %t/stdout
// RUN: test ! -s %t/stdout
// RUN: grep -x old %t/old
// RUN: ls %t | FileCheck %s --check-prefix=LEFT
// LEFT: bad.mlir
// LEFT-NEXT: old
// LEFT-NEXT: out.mlir
// LEFT-NEXT: stdout
// LEFT-NOT: {{.}}

// A link stays a link, permissions stay, a device stays a device.
// RUN: ln -s out.mlir %t/link && chmod 640 %t/out.mlir
// RUN: stream-zc-opt --no-default-pipeline --mlir-print-op-generic %s -o %t/link
// RUN: readlink %t/link && grep 'builtin.module' %t/out.mlir
// RUN: stat -c %%a %t/out.mlir | grep -x 640
// RUN: stream-zc-opt --no-default-pipeline %s -o /dev/null
// RUN: test -c /dev/null

// Errors of the place.
// RUN: not stream-zc-opt %s -o %t 2>&1 | FileCheck %s --check-prefix=FOLDER
// RUN: not stream-zc-opt %s -o %t/no/folder 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not stream-zc-opt %s -o /dev/full 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not stream-zc-opt %s 2>&1 > /dev/full | FileCheck %s --check-prefix=FULL
// FOLDER: stream-zc-opt: error: cannot write '{{.*}}': Is a directory
// ABSENT: stream-zc-opt: error: cannot write '{{.*}}/no/folder': No such file or directory
// FULL: stream-zc-opt: error: cannot write '{{.*}}': No space left on device

util.func private @f()
