/* Happens-before among the ops of one block, from timepoints alone: program order says nothing about time, but that the
 * host waits at stream.timepoint.await. */
#ifndef ZC_PASSES_TIMELINE_H
#define ZC_PASSES_TIMELINE_H

#include "passes/context.h"

typedef struct zc_timeline zc_timeline;

/// Whether an op's result timepoint is reached only after its operand timepoints are.
bool zc_carries_time(zc_context *context, MlirOperation op);
/// Whether the host waits at an op: an await that is sync stays where it is (StreamOpFolders.cpp,
/// SinkAwaitToFirstConsumer), if something uses its results: it is pure, so that it goes as dead code else.
bool zc_is_sync_await(const zc_ops *ops, MlirOperation op);

zc_timeline *zc_timeline_create(zc_context *context);
void zc_timeline_release(zc_timeline *timeline);

/// Takes in the next op of `block`; ops of a block come in its order. Blocks may alternate only when they nest.
void zc_timeline_add_block(zc_timeline *timeline, MlirBlock block);

/// How many ops were taken in.
int zc_timeline_count(const zc_timeline *timeline);

/// The position of `op` in its block; -1 where it wasn't taken in.
int zc_timeline_position(const zc_timeline *timeline, MlirOperation op);

/// Whether `earlier` has completed before `later` starts, both in one block: `later` awaits, directly or through other
/// ops of the block, a timepoint of `earlier`. False also where this takes more than a bounded search to find out.
bool zc_timeline_is_ordered(zc_timeline *timeline, MlirOperation earlier, MlirOperation later);

/// Whether the searches of this timeline have taken more steps than its size allows: then every further one finds
/// nothing.
bool zc_timeline_is_exhausted(const zc_timeline *timeline);

/// From now on `later` counts as awaiting `earlier`, which comes before it in their block.
void zc_timeline_add_await(zc_timeline *timeline, MlirOperation later, MlirOperation earlier);

#endif /* ZC_PASSES_TIMELINE_H */
