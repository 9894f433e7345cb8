/* Dominators of the blocks of a function. */
#ifndef ZC_PASSES_DOMINATORS_H
#define ZC_PASSES_DOMINATORS_H

#include "capi/arena.h"
#include "mlir-c/IR.h"

typedef struct zc_dominators zc_dominators;

/// n log n in blocks and branches. The function's control flow must not change while it is in use.
zc_dominators *zc_dominators_create(zc_arena *arena, MlirOperation function);
void zc_dominators_release(zc_dominators *dominators);

/// Whether control flow comes to the block from the begin of the function.
bool zc_is_reachable(const zc_dominators *dominators, MlirBlock block);

/// Whether control flow can't come to `later` but through `earlier`, or both are one; true where it can't at all. For a
/// block of a region further inside, what is known of the block that this stands in.
bool zc_dominates(const zc_dominators *dominators, MlirBlock earlier, MlirBlock later);

#endif /* ZC_PASSES_DOMINATORS_H */
