/* Values that may name one memory at the same time, since branches pass it on as arguments of blocks. */
#ifndef ZC_PASSES_MEMORY_NAMES_H
#define ZC_PASSES_MEMORY_NAMES_H

#include "passes/dominators.h"
#include "passes/scheduled.h"

struct zc_time_flow;
typedef struct zc_memory_names zc_memory_names;

/// For one function. Linear in its branches, and in the pairs of values that may name one memory, times the branches
/// that pass these on. Adds its steps to `steps`, and is of no use where these come to be more than `step_limit`.
zc_memory_names *zc_memory_names_create(zc_scheduled *scheduled, struct zc_time_flow *flow,
                                        const zc_dominators *dominators, int64_t *steps, int64_t step_limit);
void zc_memory_names_release(zc_memory_names *names);

/// Adds to `others` (zc_storage *) what else may name the memory that a storage names, in a block where that is known:
/// what is known there, too, and still used.
void zc_memory_names_at(zc_memory_names *names, const zc_storage *storage, MlirBlock block, zc_list *others);

#endif /* ZC_PASSES_MEMORY_NAMES_H */
