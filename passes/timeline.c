#include "passes/timeline.h"

#include "capi/ptr_map.h"

/* Ops visited in one search. A hand-off is a few awaits away from its consumer; what is farther counts as unordered. */
#define SEARCH_LIMIT 2048

typedef struct moment {
  MlirOperation op;
  MlirBlock block;
  int position;
  struct moment *host_wait; ///< The last stream.timepoint.await before it.
  unsigned visited;         ///< The search that last came by.
} moment;

struct zc_timeline {
  zc_context *context;
  zc_ptr_map *moments;
  unsigned searches;
};

zc_timeline *zc_timeline_create(zc_context *context) {
  zc_timeline *timeline = zc_arena_new(context->arena, zc_timeline);
  timeline->context = context;
  timeline->moments = zc_ptr_map_create(context->arena);
  return timeline;
}

void zc_timeline_release(zc_timeline *timeline) {
  zc_ptr_map_release(timeline->moments);
}

static bool uses_timepoints(const zc_ops *ops, MlirOperation op) {
  for (intptr_t i = mlirOperationGetNumOperands(op); i-- > 0;)
    if (zc_is_timepoint(ops, mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  for (intptr_t i = mlirOperationGetNumResults(op); i-- > 0;)
    if (zc_is_timepoint(ops, mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

void zc_timeline_add_block(zc_timeline *timeline, MlirBlock block) {
  const zc_ops *ops = timeline->context->ops;
  moment *host_wait = NULL;
  int position = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op), ++position) {
    if (!uses_timepoints(ops, op))
      continue;
    moment *now = zc_arena_new(timeline->context->arena, moment);
    *now = (moment){op, block, position, host_wait, 0};
    zc_ptr_map_set(timeline->moments, op.ptr, now);
    if (zc_op_of(ops, op) == ZC_OP_TIMEPOINT_AWAIT)
      host_wait = now;
  }
}

int zc_timeline_position(const zc_timeline *timeline, MlirOperation op) {
  const moment *found = zc_ptr_map_get(timeline->moments, op.ptr);
  return found ? found->position : -1;
}

/* Ops whose result timepoint is reached only after their operand timepoints are. Not calls: a callee may return a
 * timepoint that has nothing to do with what it was given. */
static bool carries_time(zc_op kind) {
  return kind == ZC_OP_ALLOCA || kind == ZC_OP_DEALLOCA || kind == ZC_OP_CMD_EXECUTE || kind == ZC_OP_TIMEPOINT_JOIN ||
         kind == ZC_OP_TIMEPOINT_AWAIT;
}

typedef struct search {
  zc_timeline *timeline;
  const moment *target;
  moment *pending[SEARCH_LIMIT];
  int count;
  int seen;
  bool found;
} search;

static void push(search *search, moment *now) {
  if (!now || now->visited == search->timeline->searches || now->position < search->target->position)
    return;
  now->visited = search->timeline->searches;
  if (now == search->target)
    search->found = true;
  else if (search->seen++ < SEARCH_LIMIT)
    search->pending[search->count++] = now;
}

static void push_timepoint(search *search, MlirValue timepoint) {
  MlirOperation op = zc_defining_op(timepoint);
  moment *now = mlirOperationIsNull(op) ? NULL : zc_ptr_map_get(search->timeline->moments, op.ptr);
  if (now && mlirBlockEqual(now->block, search->target->block))
    push(search, now);
}

static void push_awaited(search *search, const moment *now) {
  const zc_ops *ops = search->timeline->context->ops;
  for (intptr_t i = mlirOperationGetNumOperands(now->op); i-- > 0;) {
    MlirValue operand = mlirOperationGetOperand(now->op, i);
    if (zc_is_timepoint(ops, mlirValueGetType(operand)))
      push_timepoint(search, operand);
  }
}

static bool run(search *search) {
  while (search->count && !search->found) {
    const moment *now = search->pending[--search->count];
    /* Whatever it is, it was issued after the host's last wait. */
    push(search, now->host_wait);
    if (carries_time(zc_op_of(search->timeline->context->ops, now->op)))
      push_awaited(search, now);
  }
  return search->found;
}

static bool begin(search *search, zc_timeline *timeline, MlirOperation earlier) {
  search->timeline = timeline;
  search->target = zc_ptr_map_get(timeline->moments, earlier.ptr);
  search->count = search->seen = 0;
  search->found = false;
  ++timeline->searches;
  return search->target != NULL;
}

bool zc_timeline_is_ordered(zc_timeline *timeline, MlirOperation earlier, MlirOperation later) {
  search search;
  moment *start = zc_ptr_map_get(timeline->moments, later.ptr);
  if (!start || !begin(&search, timeline, earlier) || start == search.target ||
      !mlirBlockEqual(start->block, search.target->block))
    return false;
  push(&search, start->host_wait);
  push_awaited(&search, start);
  return run(&search);
}

bool zc_timeline_is_reached(zc_timeline *timeline, MlirOperation earlier, MlirValue timepoint) {
  search search;
  if (!begin(&search, timeline, earlier))
    return false;
  push_timepoint(&search, timepoint);
  return run(&search);
}
