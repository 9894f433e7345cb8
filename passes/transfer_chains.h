/* Transfers of transfers. */
#ifndef ZC_PASSES_TRANSFER_CHAINS_H
#define ZC_PASSES_TRANSFER_CHAINS_H

#include "passes/context.h"

/// Folds A -> B -> C into A -> C, and A -> B -> A into A -> A, where nothing but the second transfer uses the value on
/// B. Only with a topology that links A and C; the user's kinds, and execution affinities that would be lost, stand
/// against it. Counts as a rewrite each.
void zc_fold_transfer_chains(zc_context *context);

#endif /* ZC_PASSES_TRANSFER_CHAINS_H */
