/* What the fuzzers share. A fuzzer aborts where a rule is broken; libFuzzer then keeps the input. */
#ifndef ZC_FUZZ_H
#define ZC_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "capi/arena.h"
#include "mlir-c/IR.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/// A context that counts diagnostics. A fresh one from time to time: a context keeps all attributes that it has seen.
/// What was made in the one before is gone then, so ask once for each input, first thing.
MlirContext fuzz_context(void);
/// Since the last call of fuzz_context.
int fuzz_num_diagnostics(void);

/// The end where `rule` doesn't hold.
void fuzz_require(bool rule, const char *what);

/// Text that grows; an MlirStringCallback takes it as its data. The caller frees `text`.
typedef struct fuzz_text {
  char *text;
  size_t length;
} fuzz_text;
void fuzz_append(MlirStringRef piece, void *text);

#endif /* ZC_FUZZ_H */
