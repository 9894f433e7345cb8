/* Order in time over the control flow of a function: what may touch a memory again before an access of it is over. */
#ifndef ZC_PASSES_TIME_FLOW_H
#define ZC_PASSES_TIME_FLOW_H

#include "passes/scheduled.h"

/// What comes to use or hand on the memory of an access, on some way that control flow takes from there, though nothing
/// says that the access is over. What only comes later in the block of the access itself, by the same name, is left
/// out.
typedef struct zc_arrivals {
  zc_list accesses; ///< const zc_access *
  zc_list behind;   ///< const zc_access *: what comes to use it where something says so, on one way or another.
  zc_list hand_ons; ///< MlirOperation: calls and returns with a timepoint, none of which follows from the access.
  zc_list untimed;  ///< MlirOperation: calls and returns that hand it on with no timepoint at all.
  zc_list stores;   ///< MlirOperation: that give the timepoint of a global which names the memory such a value.
  zc_list globals;  ///< MlirAttribute: those that name it at the end, with a timepoint that doesn't follow.
} zc_arrivals;

typedef struct zc_time_flow zc_time_flow;

/// For one function, whose IR must not change while it is in use.
zc_time_flow *zc_time_flow_create(zc_scheduled *scheduled);
void zc_time_flow_release(zc_time_flow *flow);

/// Follows control flow from an access of a storage until nothing names its memory any more: what names it there
/// already since branches passed it on as arguments of blocks, and what comes to name it on the way. With `handed_on`
/// as if the branch behind it gave all timepoints that it passes a value that follows from it. False, and nothing
/// found, where the searches of this function have taken too long in all.
bool zc_time_flow_from(zc_time_flow *flow, const zc_access *access, bool handed_on, zc_arrivals *arrivals);

/// Whether the block of an access holds accesses that may be of the same memory, by another name.
bool zc_time_flow_is_accessed_otherwise(zc_time_flow *flow, const zc_access *access);

/// Whether control flow can't come to `later` but through the block of `earlier`, which is another one.
bool zc_time_flow_dominates(const zc_time_flow *flow, MlirBlock earlier, MlirBlock later);

/// Whether control flow can come from a block back to it but through the block `without`, which is another one.
bool zc_time_flow_repeats(zc_time_flow *flow, MlirBlock block, MlirBlock without);

/// Whether a value, or what awaits make of it, may still be used where `block` begins, which is not its own block.
bool zc_time_flow_is_used_from(zc_time_flow *flow, MlirValue value, MlirBlock block);

/// The operand that a branch gives an argument of a successor; null where it can't be told.
MlirValue zc_passed_operand(const zc_ops *ops, MlirOperation branch, intptr_t successor, intptr_t argument);

/// The global that a util.global.load or util.global.store names.
MlirAttribute zc_global_of(MlirOperation op);
/// The name of the timepoint that goes with a global (IREE's MaterializeGlobalTimepoints: @g__timepoint).
MlirAttribute zc_global_timepoint(zc_context *context, MlirAttribute global);

#endif /* ZC_PASSES_TIME_FLOW_H */
