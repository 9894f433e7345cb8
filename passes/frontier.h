/* The earlier accesses of a storage that an access must be compared with: for each byte the last write and the reads
 * since. What came before those is ordered against them. */
#ifndef ZC_PASSES_FRONTIER_H
#define ZC_PASSES_FRONTIER_H

#include "passes/extents.h"
#include "passes/scheduled.h"

typedef struct zc_frontier zc_frontier;

/// The frontier of one storage in one block, by cache lines of `line` bytes; the arena's.
zc_frontier *zc_frontier_create(zc_arena *arena, const zc_ops *ops, int64_t line);

/// Calls `visit` for each access of the frontier that may have bytes in common with `access`, the latest first, until
/// it returns false; then takes the access in. Accesses come in program order; those that are maintenance are left out.
void zc_frontier_add(zc_frontier *frontier, const zc_access *access,
                     bool (*visit)(const zc_access *earlier, const zc_access *access, void *data), void *data);

#endif /* ZC_PASSES_FRONTIER_H */
