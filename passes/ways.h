/* The blocks of a function with what is known of its conditions on the ways that come there, so that ways which can't
 * be taken aren't followed: a loop that is left before its first turn, though it counts to two; one condition that
 * decides two branches differently. */
#ifndef ZC_PASSES_WAYS_H
#define ZC_PASSES_WAYS_H

#include "passes/time_flow.h"

/// A block, as far as one or more ways to it have the same values of what its conditions depend on.
typedef struct zc_way {
  MlirBlock block;
  zc_list facts; ///< What is known.
  zc_list next;  ///< zc_way_edge
} zc_way;

typedef struct zc_way_edge {
  intptr_t successor; ///< Of the block's terminator.
  zc_way *way;
} zc_way_edge;

typedef struct zc_ways {
  zc_context *context;
  zc_time_flow *time;
  zc_list all;                 ///< zc_way *, from the entry on.
  struct zc_ptr_map *by_block; ///< Block -> zc_list of its zc_way *.
  zc_list conditions;          ///< MlirValue: one of each kind.
  bool several;                ///< There is a block with more than one.
} zc_ways;

/// Reads the control flow of a function. Linear in its size: a block has a few ways at most.
zc_ways *zc_ways_create(zc_scheduled *scheduled, zc_time_flow *time);
void zc_ways_release(zc_ways *ways);

/// The ways to a block (zc_way *); null where it can't be reached.
const zc_list *zc_ways_of(const zc_ways *ways, MlirBlock block);

#endif /* ZC_PASSES_WAYS_H */
