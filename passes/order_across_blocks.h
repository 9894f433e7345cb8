/* Hazards between accesses that control flow lies between: other blocks, the next time around a loop, other functions.
 */
#ifndef ZC_PASSES_ORDER_ACROSS_BLOCKS_H
#define ZC_PASSES_ORDER_ACROSS_BLOCKS_H

#include "passes/context.h"
#include "passes/value_classes.h"

/// Orders them in a function in which the accesses of each block are ordered among themselves. `updated` says which
/// classes (zc_value_class) some function of the module updates in place though it didn't allocate them.
void zc_order_across_blocks(zc_context *context, zc_values *values, const struct zc_ptr_map *updated,
                            MlirOperation function);

#endif /* ZC_PASSES_ORDER_ACROSS_BLOCKS_H */
