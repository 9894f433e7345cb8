/* Hazards between accesses that control flow lies between: other blocks, the next time around a loop, other functions.
 */
#ifndef ZC_PASSES_ORDER_ACROSS_BLOCKS_H
#define ZC_PASSES_ORDER_ACROSS_BLOCKS_H

#include "passes/context.h"
#include "passes/value_classes.h"

typedef struct zc_across_blocks {
  zc_values *values;
  const struct zc_ptr_map *updated; ///< Classes (zc_value_class) that some function updates in place though it didn't
                                    ///< allocate them.
  struct zc_ptr_map *warned;        ///< Commands that were warned about, from call to call.
  bool last_round;                  ///< No more copies.
} zc_across_blocks;

/// Orders them in a function in which the accesses of each block are ordered among themselves. True, and nothing else
/// done, where a reader was given a copy: then all is to be ordered again.
bool zc_order_across_blocks(zc_context *context, const zc_across_blocks *state, MlirOperation function);

#endif /* ZC_PASSES_ORDER_ACROSS_BLOCKS_H */
