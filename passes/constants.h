/* Index constants of a function. */
#ifndef ZC_PASSES_CONSTANTS_H
#define ZC_PASSES_CONSTANTS_H

#include "passes/context.h"

typedef struct zc_constants zc_constants;

/// For constants of `function`; nothing is looked up before the first is asked for.
zc_constants *zc_constants_create(zc_context *context, MlirOperation function);
void zc_constants_release(zc_constants *constants);

/// A constant in the function's first block, which all its blocks see: one that is there (so that a second run makes
/// none), else a new one at its top.
MlirValue zc_index_constant(zc_constants *constants, int64_t value);

#endif /* ZC_PASSES_CONSTANTS_H */
