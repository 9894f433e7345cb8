#include "passes/time_flow.h"

#include "capi/ptr_map.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "passes/dominators.h"
#include "passes/memory_names.h"

/* Steps that all searches in one function may take: these, and so many for each op that the first one comes by. */
#define LEAST_STEPS (1 << 22)
#define STEPS_PER_OP 64

/* What is known where a block begins. Keys are values, by address, and globals, by the address of their name. */
typedef struct state {
  MlirBlock block;
  bool reached;    ///< The memory has a name here.
  bool over;       ///< The host has waited: the access is over whatever the timepoints say.
  bool pending;    ///< To be followed on from.
  zc_list names;   ///< const void *: what may name the memory: roots of storages, globals.
  zc_list follows; ///< const void *: timepoints, and what was awaited with them, that follow on every way here.
} state;

struct zc_time_flow {
  zc_scheduled *scheduled;
  zc_context *context;
  zc_ptr_map *globals; ///< Those of the keys that are names of globals.
  zc_ptr_map *live;    ///< Value -> zc_ptr_map of the blocks at whose begin it is still going to be used.
  zc_list live_sets;   ///< zc_ptr_map *: those of `live`.
  zc_dominators *dominators;
  zc_memory_names *memory_names; ///< Null before anything asks for it.
  int64_t steps;
  int64_t step_limit;
};

/* One search. */
typedef struct search {
  zc_time_flow *flow;
  const zc_access *from;
  zc_list others; ///< zc_storage *: what else may name its memory there.
  bool handed_on;
  zc_arrivals *arrivals; ///< Null while states still change.
  zc_ptr_map *states;    ///< Block -> state.
  zc_list order;         ///< state *
  zc_list pending;       ///< state *
  /* Where it is now. */
  bool reached;
  bool over;
  bool behind; ///< In the block of the access, behind it.
  zc_list names;
  zc_list listed;      ///< Keys that were added to `follows`.
  zc_ptr_map *follows; ///< Key -> the number of the set that it is in.
  uintptr_t set;       ///< The number of the present set.
} search;

/* ---- sets ---- */

static int index_of(const zc_list *keys, const void *key) {
  for (int i = 0; i < keys->count; ++i)
    if (zc_list_at(keys, const void *, i) == key)
      return i;
  return -1;
}

static bool add_key(zc_arena *arena, zc_list *keys, const void *key) {
  if (index_of(keys, key) >= 0)
    return false;
  zc_list_push(arena, keys, const void *, key);
  return true;
}

static void set_name(search *search, const void *key, bool names) {
  int index = index_of(&search->names, key);
  search->flow->steps += search->names.count;
  if (names && index < 0)
    zc_list_push(search->flow->context->arena, &search->names, const void *, key);
  else if (!names && index >= 0)
    zc_list_at(&search->names, const void *, index) = zc_list_at(&search->names, const void *, --search->names.count);
}

static bool is_name(search *search, const void *key) {
  return index_of(&search->names, key) >= 0;
}

static void set_global_name(search *search, MlirAttribute global, bool names) {
  zc_ptr_map_set(search->flow->globals, global.ptr, search->flow);
  set_name(search, global.ptr, names);
}

static bool names_memory(search *search, MlirValue value) {
  return zc_is_resource(search->flow->context->ops, mlirValueGetType(value)) &&
         is_name(search, zc_storage_of(search->flow->scheduled, value)->root.ptr);
}

static bool is_following(search *search, const void *key) {
  return search->over || (uintptr_t)zc_ptr_map_get(search->follows, key) == search->set;
}

static void set_following(search *search, const void *key, bool follows) {
  if (follows && (uintptr_t)zc_ptr_map_get(search->follows, key) != search->set)
    zc_list_push(search->flow->context->arena, &search->listed, const void *, key);
  if (follows || zc_ptr_map_get(search->follows, key))
    zc_ptr_map_set(search->follows, key, (void *)(follows ? search->set : (uintptr_t)0));
}

static void start_set(search *search) {
  ++search->set;
  search->listed.count = 0;
}

/* ---- ops ---- */

MlirAttribute zc_global_of(MlirOperation op) {
  return zc_attribute(op, "global");
}

MlirAttribute zc_global_timepoint(zc_context *context, MlirAttribute global) {
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(global);
  const char *text = zc_arena_format(context->arena, "%.*s__timepoint", (int)name.length, name.data);
  return mlirFlatSymbolRefAttrGet(context->mlir, zc_str(text));
}

static bool any_operand_follows(search *search, MlirOperation op) {
  for (intptr_t i = mlirOperationGetNumOperands(op); i-- > 0;)
    if (is_following(search, mlirOperationGetOperand(op, i).ptr))
      return true;
  return false;
}

static bool any_operand_names(search *search, MlirOperation op) {
  for (intptr_t i = mlirOperationGetNumOperands(op); i-- > 0;)
    if (names_memory(search, mlirOperationGetOperand(op, i)))
      return true;
  return false;
}

static bool has_timepoint(search *search, MlirOperation op) {
  for (intptr_t i = mlirOperationGetNumOperands(op); i-- > 0;)
    if (zc_is_timepoint(search->flow->context->ops, mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  return false;
}

/* Its results are new values: they name the memory where they come from what does. */
static void redefine_results(search *search, MlirOperation op, bool named, bool follows) {
  for (intptr_t i = mlirOperationGetNumResults(op); i-- > 0;) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (zc_is_resource(search->flow->context->ops, mlirValueGetType(result)))
      set_name(search, result.ptr, named);
    set_following(search, result.ptr, follows);
  }
}

static void arrive(search *search, zc_list *list, const void *what) {
  zc_list_push(search->flow->context->arena, list, const void *, what);
}

static void arrive_at_accesses(search *search, zc_list *list, MlirOperation execute) {
  const zc_region *region = zc_ptr_map_get(search->flow->scheduled->regions, execute.ptr);
  for (int i = 0; i < region->accesses.count; ++i) {
    const zc_access *access = zc_list_at(&region->accesses, const zc_access *, i);
    if (is_name(search, access->storage->root.ptr) && !(search->behind && access->storage == search->from->storage))
      arrive(search, list, access);
  }
}

static void step_execute(search *search, MlirOperation op) {
  bool follows = any_operand_follows(search, op);
  if (search->arrivals)
    arrive_at_accesses(search, follows ? &search->arrivals->behind : &search->arrivals->accesses, op);
  redefine_results(search, op, false, follows);
}

static void hand_on(search *search, MlirOperation op) {
  if (!search->arrivals || search->over || any_operand_follows(search, op))
    return;
  bool timed = has_timepoint(search, op);
  zc_list_push(search->flow->context->arena, timed ? &search->arrivals->hand_ons : &search->arrivals->untimed,
               MlirOperation, op);
}

static void step_call(search *search, MlirOperation op) {
  bool named = any_operand_names(search, op);
  if (named)
    hand_on(search, op);
  redefine_results(search, op, named, any_operand_follows(search, op) && zc_carries_time(search->flow->context, op));
}

/* The memory is somebody else's afterwards: what is returned, and what the function was given. */
static bool outlives(search *search, MlirOperation op) {
  if (any_operand_names(search, op))
    return true;
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(search->flow->scheduled->function));
  for (intptr_t i = mlirBlockGetNumArguments(entry); i-- > 0;)
    if (is_name(search, mlirBlockGetArgument(entry, i).ptr))
      return true;
  return false;
}

static void step_return(search *search, MlirOperation op) {
  if (outlives(search, op))
    hand_on(search, op);
  for (int i = 0; search->arrivals && i < search->names.count; ++i) {
    MlirAttribute global = {zc_list_at(&search->names, const void *, i)};
    if (zc_ptr_map_get(search->flow->globals, global.ptr) &&
        !is_following(search, zc_global_timepoint(search->flow->context, global).ptr))
      zc_list_push(search->flow->context->arena, &search->arrivals->globals, MlirAttribute, global);
  }
}

static void step_load(search *search, MlirOperation op) {
  const void *global = zc_global_of(op).ptr;
  redefine_results(search, op, is_name(search, global), is_following(search, global));
}

static bool names_timepoint_of_memory(search *search, MlirAttribute global) {
  for (int i = 0; i < search->names.count; ++i) {
    MlirAttribute name = {zc_list_at(&search->names, const void *, i)};
    if (zc_ptr_map_get(search->flow->globals, name.ptr) &&
        mlirAttributeEqual(zc_global_timepoint(search->flow->context, name), global))
      return true;
  }
  return false;
}

static void step_store(search *search, MlirOperation op) {
  zc_context *context = search->flow->context;
  MlirAttribute global = zc_global_of(op);
  MlirValue value = mlirOperationGetOperand(op, 0);
  if (zc_is_resource(context->ops, mlirValueGetType(value))) {
    /* What the host waited for before it stored the memory is over when that is loaded again. */
    set_global_name(search, global, names_memory(search, value));
    set_following(search, global.ptr, is_following(search, value.ptr));
    return;
  }
  bool follows = is_following(search, value.ptr);
  if (search->arrivals && !follows && names_timepoint_of_memory(search, global))
    zc_list_push(context->arena, &search->arrivals->stores, MlirOperation, op);
  set_following(search, global.ptr, follows);
}

static void step_other(search *search, MlirOperation op) {
  zc_context *context = search->flow->context;
  bool follows = zc_carries_time(context, op) && any_operand_follows(search, op);
  if (zc_is_sync_await(context->ops, op) && follows)
    search->over = true;
  redefine_results(search, op, any_operand_names(search, op), follows);
}

static void set_storage_names(search *search, const zc_storage *storage) {
  set_name(search, storage->root.ptr, true);
  if (storage->kind == ZC_OP_GLOBAL_LOAD)
    set_global_name(search, zc_global_of(storage->definition), true);
}

static void start_at_access(search *search, MlirOperation op) {
  if (search->reached)
    step_execute(search, op);
  search->reached = search->behind = true;
  search->over = false;
  start_set(search);
  search->names.count = 0;
  set_storage_names(search, search->from->storage);
  for (int i = 0; i < search->others.count; ++i)
    set_storage_names(search, zc_list_at(&search->others, const zc_storage *, i));
  set_following(search, mlirOperationGetResult(op, 0).ptr, true);
}

static void step(search *search, MlirOperation op) {
  ++search->flow->steps;
  if (mlirOperationEqual(op, search->from->region->execute)) {
    start_at_access(search, op);
    return;
  }
  if (!search->reached)
    return;
  switch (zc_op_of(search->flow->context->ops, op)) {
  case ZC_OP_CMD_EXECUTE:
    step_execute(search, op);
    break;
  case ZC_OP_UTIL_CALL:
    step_call(search, op);
    break;
  case ZC_OP_UTIL_RETURN:
    step_return(search, op);
    break;
  case ZC_OP_GLOBAL_LOAD:
    step_load(search, op);
    break;
  case ZC_OP_GLOBAL_STORE:
    step_store(search, op);
    break;
  default:
    step_other(search, op);
  }
  search->reached = search->names.count > 0;
}

/* ---- names that are still used ---- */

/* The block of the function's body that an op stands in, or under. */
static MlirBlock block_in_function(const zc_time_flow *flow, MlirOperation op) {
  MlirBlock block = {NULL};
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, flow->scheduled->function)) {
    block = mlirOperationGetBlock(op);
    op = mlirOperationGetParentOperation(op);
  }
  return block;
}

/* What awaits make of a value stands for the same memory. */
static void list_using_blocks(zc_time_flow *flow, MlirValue value, zc_list *blocks) {
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    ++flow->steps;
    zc_list_push(flow->context->arena, blocks, MlirBlock, block_in_function(flow, user));
    if (zc_op_of(flow->context->ops, user) == ZC_OP_TIMEPOINT_AWAIT &&
        (int)mlirOpOperandGetOperandNumber(use) < mlirOperationGetNumResults(user))
      list_using_blocks(flow, mlirOperationGetResult(user, (intptr_t)mlirOpOperandGetOperandNumber(use)), blocks);
  }
}

static MlirBlock defining_block(MlirValue value) {
  MlirOperation op = zc_defining_op(value);
  return mlirOperationIsNull(op) ? mlirBlockArgumentGetOwner(value) : mlirOperationGetBlock(op);
}

/* From its uses back to its definition. */
static zc_ptr_map *find_live_blocks(zc_time_flow *flow, MlirValue value) {
  zc_arena *arena = flow->context->arena;
  zc_ptr_map *live = zc_ptr_map_create(arena);
  MlirBlock definition = defining_block(value);
  zc_list pending = {0};
  list_using_blocks(flow, value, &pending);
  while (pending.count) {
    MlirBlock block = zc_list_at(&pending, MlirBlock, --pending.count);
    if (mlirBlockIsNull(block) || mlirBlockEqual(block, definition) || zc_ptr_map_get(live, block.ptr))
      continue;
    zc_ptr_map_set(live, block.ptr, live);
    ++flow->steps;
    for (intptr_t i = mlirBlockGetNumPredecessors(block); i-- > 0;)
      zc_list_push(arena, &pending, MlirBlock, mlirBlockGetPredecessor(block, i));
  }
  zc_ptr_map_set(flow->live, value.ptr, live);
  zc_list_push(arena, &flow->live_sets, zc_ptr_map *, live);
  return live;
}

/* A name that nothing uses any more would bring in ways on which nothing else names the memory. */
static bool is_used_from(zc_time_flow *flow, const void *key, MlirBlock block) {
  MlirValue value = {key};
  return zc_ptr_map_get(flow->globals, key) || zc_time_flow_is_used_from(flow, value, block);
}

bool zc_time_flow_is_used_from(zc_time_flow *flow, MlirValue value, MlirBlock block) {
  zc_ptr_map *live = zc_ptr_map_get(flow->live, value.ptr);
  if (!live)
    live = find_live_blocks(flow, value);
  return zc_ptr_map_get(live, block.ptr);
}

/* ---- blocks ---- */

static state *state_of(search *search, MlirBlock block) {
  state *found = zc_ptr_map_get(search->states, block.ptr);
  if (found)
    return found;
  found = zc_arena_new(search->flow->context->arena, state);
  found->block = block;
  found->over = true;
  zc_ptr_map_set(search->states, block.ptr, found);
  zc_list_push(search->flow->context->arena, &search->order, state *, found);
  return found;
}

static void expect(search *search, state *state) {
  if (state->pending)
    return;
  state->pending = true;
  zc_list_push(search->flow->context->arena, &search->pending, struct state *, state);
}

MlirValue zc_passed_operand(const zc_ops *ops, MlirOperation branch, intptr_t successor, intptr_t argument) {
  MlirValue none = {NULL};
  zc_op kind = zc_op_of(ops, branch);
  if (kind == ZC_OP_BR)
    return mlirOperationGetOperand(branch, argument);
  if (kind == ZC_OP_COND_BR)
    return mlirOperationGetOperand(branch, zc_operand_segment(branch, (int)successor + 1).first + argument);
  return none;
}

/* What the block's arguments become, along one edge. */
typedef struct edge {
  MlirBlock block;
  zc_list names;   ///< const void *
  zc_list follows; ///< const void *
} edge;

static bool is_argument_of(MlirBlock block, const void *key) {
  for (intptr_t i = mlirBlockGetNumArguments(block); i-- > 0;)
    if (mlirBlockGetArgument(block, i).ptr == key)
      return true;
  return false;
}

static void pass_argument(search *search, MlirOperation branch, intptr_t successor, intptr_t number, edge *edge) {
  zc_context *context = search->flow->context;
  MlirValue argument = mlirBlockGetArgument(edge->block, number);
  MlirValue value = zc_passed_operand(context->ops, branch, successor, number);
  MlirType type = mlirValueGetType(argument);
  if (zc_is_resource(context->ops, type) && (zc_value_is_null(value) || names_memory(search, value)))
    zc_list_push(context->arena, &edge->names, const void *, argument.ptr);
  bool joined = search->behind && search->handed_on && zc_is_timepoint(context->ops, type);
  if (joined || (!zc_value_is_null(value) && is_following(search, value.ptr)))
    zc_list_push(context->arena, &edge->follows, const void *, argument.ptr);
}

static edge edge_of(search *search, MlirOperation branch, intptr_t successor) {
  zc_arena *arena = search->flow->context->arena;
  edge edge = {.block = mlirOperationGetSuccessor(branch, successor)};
  for (int i = 0; i < search->names.count; ++i) {
    const void *key = zc_list_at(&search->names, const void *, i);
    if (!is_argument_of(edge.block, key) && is_used_from(search->flow, key, edge.block))
      zc_list_push(arena, &edge.names, const void *, key);
  }
  for (intptr_t i = mlirBlockGetNumArguments(edge.block); i-- > 0;)
    pass_argument(search, branch, successor, i, &edge);
  for (int i = 0; i < search->listed.count; ++i) {
    const void *key = zc_list_at(&search->listed, const void *, i);
    if ((uintptr_t)zc_ptr_map_get(search->follows, key) == search->set && !is_argument_of(edge.block, key))
      zc_list_push(arena, &edge.follows, const void *, key);
  }
  search->flow->steps += edge.follows.count + edge.names.count;
  return edge;
}

/* Keeps of `kept` what is in `other`, too; whether something went. */
static bool intersect(search *search, zc_list *kept, const zc_list *other) {
  zc_ptr_map *present = zc_ptr_map_create(search->flow->context->arena);
  int count = 0;
  for (int i = 0; i < other->count; ++i)
    zc_ptr_map_set(present, zc_list_at(other, const void *, i), present);
  for (int i = 0; i < kept->count; ++i) {
    const void *key = zc_list_at(kept, const void *, i);
    if (zc_ptr_map_get(present, key))
      zc_list_at(kept, const void *, count++) = key;
  }
  bool changed = count < kept->count;
  kept->count = count;
  zc_ptr_map_release(present);
  search->flow->steps += kept->count + other->count;
  return changed;
}

/* A state where the host has waited on all ways so far holds every key: the first way on which it hasn't says which. */
static bool meet_follows(search *search, state *state, const edge *edge) {
  if (search->over)
    return false;
  if (state->over) {
    state->over = false;
    state->follows = edge->follows;
    return true;
  }
  return intersect(search, &state->follows, &edge->follows);
}

static void propagate(search *search, MlirOperation terminator) {
  for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(terminator); ++i) {
    edge edge = edge_of(search, terminator, i);
    if (!edge.names.count)
      continue;
    state *state = state_of(search, edge.block);
    bool changed = !state->reached;
    state->reached = true;
    for (int j = 0; j < edge.names.count; ++j)
      changed |= add_key(search->flow->context->arena, &state->names, zc_list_at(&edge.names, const void *, j));
    changed |= meet_follows(search, state, &edge);
    if (changed)
      expect(search, state);
  }
}

static void enter(search *search, const state *state) {
  zc_arena *arena = search->flow->context->arena;
  search->reached = state->reached;
  search->over = state->reached && state->over;
  search->behind = false;
  search->names.count = 0;
  start_set(search);
  for (int i = 0; i < state->names.count; ++i)
    zc_list_push(arena, &search->names, const void *, zc_list_at(&state->names, const void *, i));
  for (int i = 0; i < state->follows.count; ++i)
    set_following(search, zc_list_at(&state->follows, const void *, i), true);
}

static void run_block(search *search, state *state) {
  MlirOperation last = {NULL};
  enter(search, state);
  for (MlirOperation op = mlirBlockGetFirstOperation(state->block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    step(search, op);
    last = op;
  }
  if (!search->arrivals && search->reached && !mlirOperationIsNull(last))
    propagate(search, last);
}

static bool is_exhausted(const zc_time_flow *flow) {
  return flow->steps > flow->step_limit;
}

static zc_list other_names(zc_time_flow *flow, const zc_access *access) {
  zc_list others = {0};
  if (!flow->memory_names)
    flow->memory_names =
        zc_memory_names_create(flow->scheduled, flow, flow->dominators, &flow->steps, flow->step_limit);
  if (!is_exhausted(flow))
    zc_memory_names_at(flow->memory_names, access->storage, access->region->block, &others);
  return others;
}

bool zc_time_flow_is_accessed_otherwise(zc_time_flow *flow, const zc_access *access) {
  zc_list others = other_names(flow, access);
  for (int i = 0; i < others.count; ++i) {
    const zc_list *accesses = &zc_list_at(&others, const zc_storage *, i)->accesses;
    for (int j = 0; j < accesses->count; ++j)
      if (mlirBlockEqual(zc_list_at(accesses, const zc_access *, j)->region->block, access->region->block))
        return true;
  }
  return false;
}

/* Until nothing changes: names only come, what follows only goes. */
static void settle(search *search) {
  expect(search, state_of(search, search->from->region->block));
  while (search->pending.count && !is_exhausted(search->flow)) {
    state *state = zc_list_at(&search->pending, struct state *, --search->pending.count);
    state->pending = false;
    run_block(search, state);
  }
}

bool zc_time_flow_from(zc_time_flow *flow, const zc_access *access, bool handed_on, zc_arrivals *arrivals) {
  zc_arena *arena = flow->context->arena;
  search search = {.flow = flow,
                   .from = access,
                   .others = other_names(flow, access),
                   .handed_on = handed_on,
                   .states = zc_ptr_map_create(arena),
                   .follows = zc_ptr_map_create(arena)};
  *arrivals = (zc_arrivals){0};
  settle(&search);
  search.arrivals = arrivals;
  for (int i = 0; i < search.order.count && !is_exhausted(flow); ++i)
    run_block(&search, zc_list_at(&search.order, state *, i));
  zc_ptr_map_release(search.states);
  zc_ptr_map_release(search.follows);
  if (is_exhausted(flow))
    *arrivals = (zc_arrivals){0};
  return !is_exhausted(flow);
}

/* ---- the function ---- */

zc_time_flow *zc_time_flow_create(zc_scheduled *scheduled) {
  zc_arena *arena = scheduled->context->arena;
  zc_time_flow *flow = zc_arena_new(arena, zc_time_flow);
  *flow = (zc_time_flow){.scheduled = scheduled,
                         .context = scheduled->context,
                         .globals = zc_ptr_map_create(arena),
                         .live = zc_ptr_map_create(arena),
                         .dominators = zc_dominators_create(arena, scheduled->function)};
  flow->step_limit = LEAST_STEPS + (int64_t)STEPS_PER_OP * zc_timeline_count(scheduled->timeline);
  return flow;
}

void zc_time_flow_release(zc_time_flow *flow) {
  zc_ptr_map_release(flow->globals);
  for (int i = 0; i < flow->live_sets.count; ++i)
    zc_ptr_map_release(zc_list_at(&flow->live_sets, zc_ptr_map *, i));
  zc_ptr_map_release(flow->live);
  zc_dominators_release(flow->dominators);
  if (flow->memory_names)
    zc_memory_names_release(flow->memory_names);
}

static void push_successors(zc_time_flow *flow, zc_list *pending, MlirBlock block) {
  MlirOperation branch = mlirBlockGetTerminator(block);
  for (intptr_t i = 0; !mlirOperationIsNull(branch) && i < mlirOperationGetNumSuccessors(branch); ++i)
    zc_list_push(flow->context->arena, pending, MlirBlock, mlirOperationGetSuccessor(branch, i));
  ++flow->steps;
}

/* Whether there is a way from one of `pending` to `target` around `avoided`. */
static bool is_reached(zc_time_flow *flow, zc_list *pending, MlirBlock target, MlirBlock avoided) {
  zc_ptr_map *seen = zc_ptr_map_create(flow->context->arena);
  zc_ptr_map_set(seen, avoided.ptr, seen);
  bool reached = false;
  while (pending->count && !reached) {
    MlirBlock block = zc_list_at(pending, MlirBlock, --pending->count);
    if (zc_ptr_map_get(seen, block.ptr))
      continue;
    zc_ptr_map_set(seen, block.ptr, seen);
    reached = mlirBlockEqual(block, target);
    push_successors(flow, pending, block);
  }
  zc_ptr_map_release(seen);
  return reached;
}

bool zc_time_flow_dominates(const zc_time_flow *flow, MlirBlock earlier, MlirBlock later) {
  return zc_dominates(flow->dominators, earlier, later);
}

bool zc_time_flow_repeats(zc_time_flow *flow, MlirBlock block, MlirBlock without) {
  zc_list next = {0};
  push_successors(flow, &next, block);
  return is_reached(flow, &next, block, without);
}
