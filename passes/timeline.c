#include "passes/timeline.h"

#include "capi/ptr_map.h"

/* Ops visited in one search. A hand-off is a few awaits away from its consumer; what is farther counts as unordered. */
#define SEARCH_LIMIT 2048

/* Steps that all searches of a timeline may take: these, and so many for each op. */
#define LEAST_STEPS (1 << 22)
#define STEPS_PER_OP 256

typedef struct moment {
  MlirOperation op;
  MlirBlock block;
  int position;
  struct moment *host_wait; ///< The last stream.timepoint.await before it.
  unsigned visited;         ///< The search that last came by.
  bool carries_time;        ///< Its result is reached only after what it awaits.
  zc_list awaits;           ///< moment *: in the block, by timepoints or by what the host waited for.
} moment;

struct zc_timeline {
  zc_context *context;
  zc_ptr_map *moments;
  unsigned searches;
  int64_t steps;      ///< Of all searches so far.
  int64_t step_limit; ///< Grows with the ops taken in: all searches together are linear.
};

zc_timeline *zc_timeline_create(zc_context *context) {
  zc_timeline *timeline = zc_arena_new(context->arena, zc_timeline);
  timeline->context = context;
  timeline->moments = zc_ptr_map_create(context->arena);
  timeline->step_limit = LEAST_STEPS;
  return timeline;
}

void zc_timeline_release(zc_timeline *timeline) {
  zc_ptr_map_release(timeline->moments);
}

bool zc_is_sync_await(const zc_ops *ops, MlirOperation op) {
  if (zc_op_of(ops, op) != ZC_OP_TIMEPOINT_AWAIT || mlirAttributeIsNull(zc_attribute(op, "sync")))
    return false;
  for (intptr_t i = mlirOperationGetNumResults(op); i-- > 0;)
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

/* A timepoint, or what the host has after it waited for one. */
static void list_awaited(zc_timeline *timeline, moment *now) {
  const zc_ops *ops = timeline->context->ops;
  for (intptr_t i = mlirOperationGetNumOperands(now->op); i-- > 0;) {
    MlirValue operand = mlirOperationGetOperand(now->op, i);
    MlirOperation op = zc_defining_op(operand);
    if (mlirOperationIsNull(op) ||
        (!zc_is_timepoint(ops, mlirValueGetType(operand)) && zc_op_of(ops, op) != ZC_OP_TIMEPOINT_AWAIT))
      continue;
    moment *awaited = zc_ptr_map_get(timeline->moments, op.ptr);
    if (awaited && mlirBlockEqual(awaited->block, now->block))
      zc_list_push(timeline->context->arena, &now->awaits, moment *, awaited);
  }
}

void zc_timeline_add_block(zc_timeline *timeline, MlirBlock block) {
  zc_context *context = timeline->context;
  moment *host_wait = NULL;
  int position = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op), ++position) {
    moment *now = zc_arena_new(context->arena, moment);
    *now = (moment){.op = op, .block = block, .position = position, .host_wait = host_wait};
    now->carries_time = zc_carries_time(context, op);
    list_awaited(timeline, now);
    zc_ptr_map_set(timeline->moments, op.ptr, now);
    timeline->step_limit += STEPS_PER_OP;
    if (zc_is_sync_await(context->ops, op))
      host_wait = now;
  }
}

int zc_timeline_count(const zc_timeline *timeline) {
  return zc_ptr_map_count(timeline->moments);
}

int zc_timeline_position(const zc_timeline *timeline, MlirOperation op) {
  const moment *found = zc_ptr_map_get(timeline->moments, op.ptr);
  return found ? found->position : -1;
}

/* ---- calls ---- */

/* Whether what a function returns is reached only after what it was given: for all timepoints of both. Asked of a value
 * of the function: `argument` must be among what its timepoint follows from, whichever way control flow came. */
typedef enum following { FOLLOWING_UNKNOWN, FOLLOWING_ASSUMED, FOLLOWING_YES, FOLLOWING_NO } following;

typedef struct follow_search {
  zc_context *context;
  MlirValue argument;
  zc_ptr_map *known; ///< Timepoint -> following.
} follow_search;

static bool call_carries_time(zc_context *context, MlirOperation call);

bool zc_carries_time(zc_context *context, MlirOperation op) {
  zc_op kind = zc_op_of(context->ops, op);
  return kind == ZC_OP_ALLOCA || kind == ZC_OP_DEALLOCA || kind == ZC_OP_CMD_EXECUTE || kind == ZC_OP_TIMEPOINT_JOIN ||
         kind == ZC_OP_TIMEPOINT_AWAIT || (kind == ZC_OP_UTIL_CALL && call_carries_time(context, op));
}

static bool follows(follow_search *search, MlirValue timepoint);

static bool any_operand_follows(follow_search *search, MlirOperation op) {
  for (intptr_t i = mlirOperationGetNumOperands(op); i-- > 0;) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (zc_is_timepoint(search->context->ops, mlirValueGetType(operand)) && follows(search, operand))
      return true;
  }
  return false;
}

static bool branch_follows(follow_search *search, MlirOperation branch, MlirBlock target, intptr_t argument) {
  zc_op kind = zc_op_of(search->context->ops, branch);
  if (kind != ZC_OP_BR && kind != ZC_OP_COND_BR)
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(branch); ++i) {
    int first = kind == ZC_OP_BR ? 0 : zc_operand_segment(branch, (int)i + 1).first;
    if (mlirBlockEqual(mlirOperationGetSuccessor(branch, i), target) &&
        !follows(search, mlirOperationGetOperand(branch, first + argument)))
      return false;
  }
  return true;
}

static bool argument_follows(follow_search *search, MlirValue argument) {
  MlirBlock block = mlirBlockArgumentGetOwner(argument);
  intptr_t count = mlirBlockGetNumPredecessors(block);
  for (intptr_t i = 0; i < count; ++i)
    if (!branch_follows(search, mlirBlockGetTerminator(mlirBlockGetPredecessor(block, i)), block,
                        mlirBlockArgumentGetArgNumber(argument)))
      return false;
  return count > 0;
}

static bool follows(follow_search *search, MlirValue timepoint) {
  if (mlirValueEqual(timepoint, search->argument))
    return true;
  following known = (following)(uintptr_t)zc_ptr_map_get(search->known, timepoint.ptr);
  if (known != FOLLOWING_UNKNOWN)
    return known != FOLLOWING_NO; /* Around a loop: so far nothing is against it. */
  zc_ptr_map_set(search->known, timepoint.ptr, (void *)(uintptr_t)FOLLOWING_ASSUMED);
  MlirOperation op = zc_defining_op(timepoint);
  bool result = mlirOperationIsNull(op) ? argument_follows(search, timepoint)
                                        : zc_carries_time(search->context, op) && any_operand_follows(search, op);
  zc_ptr_map_set(search->known, timepoint.ptr, (void *)(uintptr_t)(result ? FOLLOWING_YES : FOLLOWING_NO));
  return result;
}

static bool return_follows(follow_search *search, MlirOperation terminator) {
  const zc_ops *ops = search->context->ops;
  if (zc_op_of(ops, terminator) != ZC_OP_UTIL_RETURN)
    return true;
  for (intptr_t i = mlirOperationGetNumOperands(terminator); i-- > 0;) {
    MlirValue operand = mlirOperationGetOperand(terminator, i);
    if (zc_is_timepoint(ops, mlirValueGetType(operand)) && !follows(search, operand))
      return false;
  }
  return true;
}

static bool returns_follow_argument(zc_context *context, MlirOperation function, MlirValue argument) {
  follow_search search = {context, argument, zc_ptr_map_create(context->arena)};
  bool all = true;
  for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(function)); all && !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    all = return_follows(&search, mlirBlockGetTerminator(block));
  zc_ptr_map_release(search.known);
  return all;
}

static bool returns_follow_arguments(zc_context *context, MlirOperation function) {
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(function));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    if (zc_is_timepoint(context->ops, mlirValueGetType(argument)) &&
        !returns_follow_argument(context, function, argument))
      return false;
  }
  return true;
}

static bool call_carries_time(zc_context *context, MlirOperation call) {
  MlirOperation function = zc_callee(context, call);
  if (mlirOperationIsNull(function))
    return false;
  if (!context->calls)
    context->calls = zc_ptr_map_create(context->arena);
  following known = (following)(uintptr_t)zc_ptr_map_get(context->calls, function.ptr);
  if (known != FOLLOWING_UNKNOWN)
    return known == FOLLOWING_YES; /* A recursive call isn't trusted. */
  zc_ptr_map_set(context->calls, function.ptr, (void *)(uintptr_t)FOLLOWING_ASSUMED);
  bool carries = returns_follow_arguments(context, function);
  zc_ptr_map_set(context->calls, function.ptr, (void *)(uintptr_t)(carries ? FOLLOWING_YES : FOLLOWING_NO));
  return carries;
}

/* ---- searches in a block ---- */

/* Ops whose result timepoint is reached only after their operand timepoints are, are searched through. */
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

static void push_awaited(search *search, const moment *now) {
  search->timeline->steps += now->awaits.count;
  for (int i = 0; i < now->awaits.count; ++i)
    push(search, zc_list_at(&now->awaits, moment *, i));
}

bool zc_timeline_is_exhausted(const zc_timeline *timeline) {
  return timeline->steps > timeline->step_limit;
}

static bool run(search *search) {
  while (search->count && !search->found && !zc_timeline_is_exhausted(search->timeline)) {
    ++search->timeline->steps;
    const moment *now = search->pending[--search->count];
    /* Whatever it is, it was issued after the host's last wait. */
    push(search, now->host_wait);
    if (now->carries_time)
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

void zc_timeline_add_await(zc_timeline *timeline, MlirOperation later, MlirOperation earlier) {
  moment *from = zc_ptr_map_get(timeline->moments, later.ptr);
  moment *to = zc_ptr_map_get(timeline->moments, earlier.ptr);
  if (from && to)
    zc_list_push(timeline->context->arena, &from->awaits, moment *, to);
}
