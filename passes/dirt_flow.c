#include "passes/dirt_flow.h"

#include "capi/ptr_map.h"
#include "mlir-c/BuiltinAttributes.h"
#include "passes/maintenance.h"
#include "passes/ways.h"

/* Steps that all groups of one function may take: these, and so many for each of its ops. */
#define LEAST_STEPS (1 << 20)
#define STEPS_PER_OP 32

typedef enum event_kind { DEFINED, RENAMED, PASSED, CALLED, ACCESSED } event_kind;

/* Something that happens to a memory. */
typedef struct event {
  event_kind kind;
  const void *key;   ///< Root of the storage that it is about, or a global.
  const void *as;    ///< RENAMED: what is the same memory from now on.
  MlirOperation op;  ///< PASSED: to whom.
  zc_access *access; ///< ACCESSED.
} event;

typedef struct block_events {
  MlirBlock block;
  zc_list events; ///< event
} block_events;

/* Storages that may be one memory within the function: by branches and globals. */
typedef struct group {
  zc_list storages; ///< zc_storage *
  zc_list globals;  ///< const void *: names.
  zc_list blocks;   ///< block_events *, in the order of the function.
} group;

/* What is known where a block begins, by some of the ways to it. */
typedef struct state {
  const zc_way *way;
  const block_events *events; ///< Null: none.
  zc_list memories;           ///< zc_memory_dirt
  bool reached;
  bool pending;
} state;

typedef struct flow {
  zc_context *context;
  zc_values *values;
  zc_scheduled *scheduled;
  zc_time_flow *time;
  zc_ways *ways;
  zc_ptr_map *arrivals; ///< As in zc_tracking.
  bool called;          ///< By another function of the module.
  MlirRegion body;
  zc_ptr_map *nodes; ///< Root of a storage, or global -> node.
  zc_list groups;    ///< group *
  int64_t steps;
  /* The group at hand. */
  const group *group;
  zc_tracking tracking;
  zc_ptr_map *states; ///< Way -> state.
  zc_ptr_map *events; ///< Block -> block_events.
  zc_list order;      ///< state *
  zc_list pending;    ///< state *
} flow;

/* ---- calls ---- */

static MlirOperation callee_of(const flow *flow, MlirOperation call) {
  MlirAttribute callee = zc_attribute(call, "callee");
  MlirAttribute name = mlirStringAttrGet(flow->context->mlir, mlirFlatSymbolRefAttrGetValue(callee));
  return (MlirOperation){zc_ptr_map_get(flow->values->functions, name.ptr)};
}

/* The argument that a block returns as result `index`: -1 where it is none, and -2 where the block doesn't return. */
static intptr_t argument_returned_by(const flow *flow, MlirBlock block, MlirBlock entry, intptr_t index) {
  const zc_ops *ops = flow->context->ops;
  MlirOperation last = mlirBlockGetTerminator(block);
  if (mlirOperationIsNull(last) || zc_op_of(ops, last) != ZC_OP_UTIL_RETURN)
    return -2;
  MlirValue value = mlirOperationGetOperand(last, index);
  while (zc_op_defining(ops, value) == ZC_OP_TIMEPOINT_AWAIT)
    value = mlirOperationGetOperand(zc_defining_op(value), mlirOpResultGetResultNumber(value));
  bool argument = mlirValueIsABlockArgument(value) && mlirBlockEqual(mlirBlockArgumentGetOwner(value), entry);
  return argument ? mlirBlockArgumentGetArgNumber(value) : -1;
}

/* The operand whose memory result `index` of a call is, by whatever way its callee returns; null where it is none. */
static MlirValue returned_operand(const flow *flow, MlirOperation call, intptr_t index) {
  MlirOperation callee = callee_of(flow, call);
  MlirValue none = {NULL};
  intptr_t argument = -2;
  if (mlirOperationIsNull(callee))
    return none;
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(callee));
  for (MlirBlock block = entry; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
    intptr_t own = argument_returned_by(flow, block, entry, index);
    if (own == -2)
      continue;
    if (own == -1 || (argument >= 0 && own != argument))
      return none;
    argument = own;
  }
  return argument >= 0 ? mlirOperationGetOperand(call, argument) : none;
}

/* ---- groups ---- */

typedef struct node {
  struct node *parent; ///< Itself for the one that stands for its group.
  group *group;
} node;

static node *node_of(flow *flow, const void *key) {
  node *n = zc_ptr_map_get(flow->nodes, key);
  if (!n) {
    n = zc_arena_new(flow->context->arena, node);
    n->parent = n;
    zc_ptr_map_set(flow->nodes, key, n);
  }
  for (; n->parent != n; n = n->parent)
    n->parent = n->parent->parent;
  return n;
}

static void unite(flow *flow, const void *a, const void *b) {
  node_of(flow, a)->parent = node_of(flow, b);
}

static group *group_of(flow *flow, const void *key) {
  node *n = node_of(flow, key);
  if (!n->group) {
    n->group = zc_arena_new(flow->context->arena, group);
    zc_list_push(flow->context->arena, &flow->groups, group *, n->group);
  }
  return n->group;
}

static bool is_resource(const flow *flow, MlirValue value) {
  return zc_is_resource(flow->context->ops, mlirValueGetType(value));
}

static const void *key_of(const flow *flow, MlirValue value) {
  return zc_storage_of(flow->scheduled, value)->root.ptr;
}

/* `argument` becomes `operand`; any operand of the branch where that isn't known. */
static void unite_argument(flow *flow, MlirOperation branch, MlirValue argument, MlirValue operand) {
  for (intptr_t i = mlirOperationGetNumOperands(branch); i-- > 0;) {
    MlirValue other = mlirOperationGetOperand(branch, i);
    if (is_resource(flow, other) && (zc_value_is_null(operand) || mlirValueEqual(operand, other)))
      unite(flow, key_of(flow, other), key_of(flow, argument));
  }
}

static void unite_by_branch(flow *flow, MlirOperation branch) {
  for (intptr_t i = mlirOperationGetNumSuccessors(branch); i-- > 0;) {
    MlirBlock block = mlirOperationGetSuccessor(branch, i);
    for (intptr_t j = mlirBlockGetNumArguments(block); j-- > 0;)
      if (is_resource(flow, mlirBlockGetArgument(block, j)))
        unite_argument(flow, branch, mlirBlockGetArgument(block, j),
                       zc_passed_operand(flow->context->ops, branch, i, j));
  }
}

/* What a load makes, or a store keeps; null for other ops, and for what isn't memory. */
static MlirValue held_by_global(const flow *flow, MlirOperation op) {
  zc_op kind = zc_op_of(flow->context->ops, op);
  MlirValue value = {NULL};
  if (kind == ZC_OP_GLOBAL_LOAD)
    value = mlirOperationGetResult(op, 0);
  else if (kind == ZC_OP_GLOBAL_STORE)
    value = mlirOperationGetOperand(op, 0);
  return zc_value_is_null(value) || is_resource(flow, value) ? value : (MlirValue){NULL};
}

static void unite_by_call(flow *flow, MlirOperation call) {
  for (intptr_t i = mlirOperationGetNumResults(call); i-- > 0;) {
    MlirValue result = mlirOperationGetResult(call, i);
    MlirValue operand = {NULL};
    if (is_resource(flow, result))
      operand = returned_operand(flow, call, i);
    if (!zc_value_is_null(operand))
      unite(flow, key_of(flow, result), key_of(flow, operand));
  }
}

static void unite_by_op(flow *flow, MlirOperation op) {
  unite_by_branch(flow, op);
  if (zc_op_of(flow->context->ops, op) == ZC_OP_UTIL_CALL)
    unite_by_call(flow, op);
  MlirValue value = held_by_global(flow, op);
  if (!zc_value_is_null(value))
    unite(flow, key_of(flow, value), zc_global_of(op).ptr);
  if (zc_op_of(flow->context->ops, op) == ZC_OP_SUBVIEW)
    unite(flow, key_of(flow, mlirOperationGetResult(op, 0)), key_of(flow, mlirOperationGetOperand(op, 0)));
}

/* ---- events ---- */

static void add_event(flow *flow, MlirBlock block, event event) {
  zc_arena *arena = flow->context->arena;
  zc_list *blocks = &group_of(flow, event.key)->blocks;
  block_events *last = blocks->count ? zc_list_at(blocks, block_events *, blocks->count - 1) : NULL;
  if (!last || !mlirBlockEqual(last->block, block)) {
    last = zc_arena_new(arena, block_events);
    last->block = block;
    zc_list_push(arena, blocks, block_events *, last);
  }
  zc_list_push(arena, &last->events, struct event, event);
}

/* A call may do anything with what globals hold. */
static void add_call(flow *flow, MlirOperation call) {
  for (int i = 0; i < flow->groups.count; ++i) {
    const group *group = zc_list_at(&flow->groups, struct group *, i);
    if (group->globals.count)
      add_event(flow, mlirOperationGetBlock(call),
                (event){.kind = CALLED, .key = zc_list_at(&group->globals, const void *, 0)});
  }
}

static void add_accesses(flow *flow, MlirOperation execute) {
  const zc_region *region = zc_ptr_map_get(flow->scheduled->regions, execute.ptr);
  for (int i = 0; i < region->accesses.count; ++i) {
    zc_access *access = zc_list_at(&region->accesses, zc_access *, i);
    if (access->range.mode)
      add_event(flow, region->block, (event){.kind = ACCESSED, .key = access->storage->root.ptr, .access = access});
  }
}

static void add_operands(flow *flow, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_resource(flow, mlirOperationGetOperand(op, i)))
      add_event(flow, mlirOperationGetBlock(op),
                (event){.kind = PASSED, .key = key_of(flow, mlirOperationGetOperand(op, i)), .op = op});
}

static void add_renaming(flow *flow, MlirOperation op, const void *name, const void *as) {
  add_event(flow, mlirOperationGetBlock(op), (event){.kind = RENAMED, .key = name, .as = as});
}

static void add_results(flow *flow, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    MlirValue operand = {NULL};
    if (!is_resource(flow, result) || key_of(flow, result) != result.ptr)
      continue;
    if (zc_op_of(flow->context->ops, op) == ZC_OP_UTIL_CALL)
      operand = returned_operand(flow, op, i);
    if (zc_value_is_null(operand))
      add_event(flow, mlirOperationGetBlock(op), (event){.kind = DEFINED, .key = result.ptr});
    else
      add_renaming(flow, op, result.ptr, key_of(flow, operand));
  }
}

static void add_op(flow *flow, MlirOperation op) {
  zc_op kind = zc_op_of(flow->context->ops, op);
  MlirValue held = held_by_global(flow, op);
  if (kind == ZC_OP_CMD_EXECUTE)
    add_accesses(flow, op);
  else if (kind == ZC_OP_SUBVIEW)
    add_renaming(flow, op, key_of(flow, mlirOperationGetResult(op, 0)), key_of(flow, mlirOperationGetOperand(op, 0)));
  else if (!zc_value_is_null(held) && kind == ZC_OP_GLOBAL_LOAD)
    add_renaming(flow, op, key_of(flow, held), zc_global_of(op).ptr);
  else if (!zc_value_is_null(held))
    add_renaming(flow, op, zc_global_of(op).ptr, key_of(flow, held));
  else {
    if (kind == ZC_OP_UTIL_CALL)
      add_call(flow, op);
    if (kind == ZC_OP_UTIL_CALL || kind == ZC_OP_UTIL_RETURN || kind == ZC_OP_TENSOR_EXPORT)
      add_operands(flow, op);
    add_results(flow, op);
  }
}

/* What is there when the function begins. */
static void add_begin(flow *flow) {
  MlirBlock entry = mlirRegionGetFirstBlock(flow->body);
  if (mlirBlockIsNull(entry)) /* A declaration. */
    return;
  for (int i = 0; i < flow->groups.count; ++i) {
    const group *group = zc_list_at(&flow->groups, struct group *, i);
    for (int j = 0; j < group->globals.count; ++j)
      add_event(flow, entry, (event){.kind = DEFINED, .key = zc_list_at(&group->globals, const void *, j)});
  }
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i)
    if (is_resource(flow, mlirBlockGetArgument(entry, i)))
      add_event(flow, entry, (event){.kind = DEFINED, .key = mlirBlockGetArgument(entry, i).ptr});
}

static void for_each_op(flow *flow, void (*visit)(struct flow *, MlirOperation)) {
  for (MlirBlock block = mlirRegionGetFirstBlock(flow->body); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op))
      visit(flow, op);
}

static bool holds(const zc_list *keys, const void *key) {
  for (int i = 0; i < keys->count; ++i)
    if (zc_list_at(keys, const void *, i) == key)
      return true;
  return false;
}

static void list_global(flow *flow, MlirOperation op) {
  if (zc_value_is_null(held_by_global(flow, op)))
    return;
  const void *global = zc_global_of(op).ptr;
  zc_list *globals = &group_of(flow, global)->globals;
  if (!holds(globals, global))
    zc_list_push(flow->context->arena, globals, const void *, global);
}

static void find_groups(flow *flow) {
  for_each_op(flow, unite_by_op);
  for (int i = 0; i < flow->scheduled->roots.count; ++i) {
    zc_storage *storage = zc_list_at(&flow->scheduled->roots, zc_storage *, i);
    storage->number = i;
    zc_list_push(flow->context->arena, &group_of(flow, storage->root.ptr)->storages, zc_storage *, storage);
  }
  for_each_op(flow, list_global);
  add_begin(flow);
  for_each_op(flow, add_op);
}

/* ---- names of memories ---- */

static zc_memory_dirt *memory_at(const zc_list *memories, int index) {
  return &zc_list_at(memories, zc_memory_dirt, index);
}

static bool is_named(const zc_memory_dirt *memory, const void *name) {
  return holds(&memory->names, name);
}

static bool add_name(flow *flow, zc_memory_dirt *memory, const void *name) {
  if (is_named(memory, name))
    return false;
  zc_list_push(flow->tracking.arena, &memory->names, const void *, name);
  return true;
}

static void drop_name(zc_memory_dirt *memory, const void *name) {
  int kept = 0;
  for (int i = 0; i < memory->names.count; ++i)
    if (zc_list_at(&memory->names, const void *, i) != name)
      zc_list_at(&memory->names, const void *, kept++) = zc_list_at(&memory->names, const void *, i);
  memory->names.count = kept;
}

static bool is_global(const flow *flow, const void *name) {
  return holds(&flow->group->globals, name);
}

/* Whether a global may hold it. */
static bool is_held(const flow *flow, const zc_memory_dirt *memory) {
  for (int i = 0; i < memory->names.count; ++i)
    if (is_global(flow, zc_list_at(&memory->names, const void *, i)))
      return true;
  return false;
}

static void use_outside(zc_memory_dirt *memory, zc_device_set readers, bool may_return) {
  memory->outside |= readers;
  memory->may_return |= may_return;
}

/* From now on `name` is what `as` is; null: something new. */
static void rename_as(flow *flow, zc_list *memories, const void *name, const void *as) {
  int kept = 0;
  for (int i = 0; i < memories->count; ++i) {
    zc_memory_dirt memory = *memory_at(memories, i);
    if (as && is_named(&memory, as))
      add_name(flow, &memory, name);
    else
      drop_name(&memory, name);
    if (memory.names.count)
      *memory_at(memories, kept++) = memory;
    else
      zc_dirt_leave(&flow->tracking, &memory);
  }
  memories->count = kept;
}

/* A new memory; where an older one goes by its id, one that stands for both. */
static zc_memory_dirt *add_memory(flow *flow, zc_list *memories, const void *id) {
  zc_memory_dirt *memory = NULL;
  for (int i = 0; i < memories->count && !memory; ++i)
    if (memory_at(memories, i)->id == id)
      memory = memory_at(memories, i);
  if (!memory)
    memory = zc_list_add(flow->tracking.arena, memories, sizeof *memory);
  memory->several |= memory->id != NULL;
  memory->id = id;
  add_name(flow, memory, id);
  return memory;
}

/* ---- what happens ---- */

/* Another function, or another name, may hold what a global holds at first. */
static bool is_held_elsewhere(flow *flow) {
  MlirValue value = zc_list_at(&flow->group->storages, zc_storage *, 0)->root;
  return flow->called || zc_class_of(flow->values, value)->globals > 1;
}

static bool is_of_class(const flow *flow, MlirValue value, const zc_value_class *class) {
  return is_resource(flow, value) && zc_class_of(flow->values, value) == class;
}

/* Whether a callee keeps no name of a memory of this class, but the results that are known to be it. */
static bool is_handed_back(const flow *flow, MlirOperation call, const zc_value_class *class) {
  if (class->globals || !mlirOperationIsNull(class->import) || !mlirOperationIsNull(class->unsupported))
    return false;
  for (intptr_t i = mlirOperationGetNumResults(call); i-- > 0;) {
    MlirValue result = mlirOperationGetResult(call, i);
    if (is_of_class(flow, result, class) && zc_value_is_null(returned_operand(flow, call, i)))
      return false;
  }
  return true;
}

/* Whether a callee made it and kept no name of it: it is no operand, no other result, and in no global. */
static bool is_handed_over(const flow *flow, const zc_storage *storage) {
  const zc_value_class *class = zc_class_of(flow->values, storage->root);
  if (storage->kind != ZC_OP_UTIL_CALL || class->globals || !mlirOperationIsNull(class->import) ||
      !mlirOperationIsNull(class->unsupported))
    return false;
  MlirOperation call = storage->definition;
  int count = 0;
  for (intptr_t i = mlirOperationGetNumResults(call); i-- > 0;)
    count += is_of_class(flow, mlirOperationGetResult(call, i), class);
  for (intptr_t i = mlirOperationGetNumOperands(call); i-- > 0;)
    count += is_of_class(flow, mlirOperationGetOperand(call, i), class);
  return count == 1;
}

static void define(flow *flow, zc_list *memories, const void *key) {
  rename_as(flow, memories, key, NULL);
  zc_memory_dirt *memory = add_memory(flow, memories, key);
  const zc_storage *storage = is_global(flow, key) ? NULL : zc_storage_of(flow->scheduled, (MlirValue){key});
  if (storage && storage->kind == ZC_OP_ALLOCA)
    return;
  zc_dirt_begin_outside(&flow->tracking, memory);
  if (storage ? !is_handed_over(flow, storage) : is_held_elsewhere(flow))
    use_outside(memory, flow->tracking.users, true);
}

/* What an export hands on: the part that a subview made, or all of the memory. */
static zc_lines exported_lines(const flow *flow, MlirOperation export) {
  const zc_ops *ops = flow->context->ops;
  zc_lines lines = {.whole = true};
  MlirValue value = mlirOperationGetOperand(export, 0);
  int64_t begin = 0;
  int64_t length;
  if (!zc_constant_index(ops, mlirOperationGetOperand(export, mlirOperationGetNumOperands(export) - 1), &length))
    return lines;
  for (value = zc_storage_of(flow->scheduled, value)->root; zc_op_defining(ops, value) == ZC_OP_SUBVIEW;
       value = zc_storage_of(flow->scheduled, mlirOperationGetOperand(zc_defining_op(value), 0))->root) {
    int64_t offset;
    if (!zc_constant_index(ops, mlirOperationGetOperand(zc_defining_op(value), 2), &offset) ||
        __builtin_add_overflow(begin, offset, &begin))
      return lines;
  }
  int64_t end;
  return __builtin_add_overflow(begin, length, &end)
             ? lines
             : (zc_lines){
                   .constant = true, .begin = begin, .end = end, .first_line = begin, .last_line = end, .size = -1};
}

static void pass(flow *flow, zc_memory_dirt *memory, const void *key, MlirOperation to) {
  zc_context *context = flow->context;
  zc_op kind = zc_op_of(context->ops, to);
  if (kind == ZC_OP_TENSOR_EXPORT) {
    zc_lines lines = exported_lines(flow, to);
    zc_dirt_export(&flow->tracking, memory, &lines,
                   zc_affinity_read(context->affinities, zc_execution_affinity(context, to))->devices);
    return;
  }
  const zc_value_class *class = zc_class_of(flow->values, (MlirValue){key});
  if (kind != ZC_OP_UTIL_CALL || !is_handed_back(flow, to, class))
    use_outside(memory, flow->tracking.users, true);
  if (kind != ZC_OP_UTIL_CALL)
    return;
  zc_dirt_flush_for(&flow->tracking, memory, flow->tracking.users, true);
  zc_dirt_begin_outside(&flow->tracking, memory);
}

/* It may use what globals hold, and make them hold something else. */
static void call(flow *flow, zc_list *memories) {
  for (int i = 0; i < memories->count; ++i) {
    zc_memory_dirt *memory = memory_at(memories, i);
    if (is_held(flow, memory))
      zc_dirt_flush_for(&flow->tracking, memory, flow->tracking.users, true);
  }
  for (int i = 0; i < flow->group->globals.count; ++i) {
    zc_memory_dirt *memory = add_memory(flow, memories, zc_list_at(&flow->group->globals, const void *, i));
    zc_dirt_begin_outside(&flow->tracking, memory);
    use_outside(memory, is_held_elsewhere(flow) ? flow->tracking.users : 0, is_held_elsewhere(flow));
  }
}

static void access_memories(flow *flow, zc_list *memories, zc_access *access) {
  int count = 0;
  for (int i = 0; i < memories->count; ++i)
    count += is_named(memory_at(memories, i), access->storage->root.ptr);
  for (int i = 0; i < memories->count; ++i)
    if (is_named(memory_at(memories, i), access->storage->root.ptr))
      zc_dirt_follow(&flow->tracking, memory_at(memories, i), access, count == 1);
}

static void step(flow *flow, zc_list *memories, const event *event) {
  switch (event->kind) {
  case DEFINED:
    define(flow, memories, event->key);
    break;
  case RENAMED:
    rename_as(flow, memories, event->key, event->as);
    break;
  case PASSED:
    for (int i = 0; i < memories->count; ++i)
      if (is_named(memory_at(memories, i), event->key))
        pass(flow, memory_at(memories, i), event->key, event->op);
    break;
  case CALLED:
    call(flow, memories);
    break;
  case ACCESSED:
    access_memories(flow, memories, event->access);
    break;
  }
  flow->tracking.steps += 1 + memories->count;
}

/* ---- control flow ---- */

static state *state_of(flow *flow, const zc_way *way) {
  state *found = zc_ptr_map_get(flow->states, way);
  if (found)
    return found;
  found = zc_arena_new(flow->tracking.arena, state);
  found->way = way;
  found->events = zc_ptr_map_get(flow->events, way->block.ptr);
  zc_ptr_map_set(flow->states, way, found);
  zc_list_push(flow->tracking.arena, &flow->order, state *, found);
  return found;
}

static void expect(flow *flow, state *state) {
  state->reached = true;
  if (state->pending)
    return;
  state->pending = true;
  zc_list_push(flow->tracking.arena, &flow->pending, struct state *, state);
}

/* The names that are left of it where `branch` comes to its successor. */
static void carry_names(flow *flow, zc_memory_dirt *memory, MlirOperation branch, intptr_t successor) {
  zc_list before = memory->names;
  MlirBlock block = mlirOperationGetSuccessor(branch, successor);
  memory->names = (zc_list){0};
  for (int i = 0; i < before.count; ++i) {
    MlirValue name = {zc_list_at(&before, const void *, i)};
    if (is_global(flow, name.ptr) ||
        (!(mlirValueIsABlockArgument(name) && mlirBlockEqual(mlirBlockArgumentGetOwner(name), block)) &&
         zc_time_flow_is_used_from(flow->time, name, block)))
      add_name(flow, memory, name.ptr);
  }
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    MlirValue operand = zc_passed_operand(flow->context->ops, branch, successor, i);
    if (is_resource(flow, argument) && (zc_value_is_null(operand) || holds(&before, key_of(flow, operand))))
      add_name(flow, memory, argument.ptr);
  }
  flow->tracking.steps += before.count + mlirBlockGetNumArguments(block);
}

/* Memories that come by one way go by different ids. */
static void put_memory(flow *flow, zc_list *memories, zc_memory_dirt *memory) {
  if (!is_named(memory, memory->id))
    memory->id = zc_list_at(&memory->names, const void *, 0);
  for (int i = 0; i < memories->count; ++i) {
    zc_memory_dirt *known = memory_at(memories, i);
    if (known->id != memory->id)
      continue;
    for (int j = 0; j < memory->names.count; ++j)
      add_name(flow, known, zc_list_at(&memory->names, const void *, j));
    zc_dirt_join(&flow->tracking, known, memory);
    use_outside(known, memory->outside, memory->may_return);
    known->several = true;
    return;
  }
  zc_list_push(flow->tracking.arena, memories, zc_memory_dirt, *memory);
}

static zc_list carry(flow *flow, const zc_list *memories, MlirOperation branch, intptr_t successor) {
  zc_list carried = {0};
  for (int i = 0; i < memories->count; ++i) {
    zc_memory_dirt memory = zc_dirt_carried(&flow->tracking, memory_at(memories, i));
    carry_names(flow, &memory, branch, successor);
    if (memory.names.count)
      put_memory(flow, &carried, &memory);
    else
      zc_dirt_leave(&flow->tracking, &memory);
  }
  return carried;
}

static bool join_memory(flow *flow, zc_list *memories, const zc_memory_dirt *memory) {
  zc_memory_dirt *known = NULL;
  for (int i = 0; i < memories->count && !known; ++i)
    if (memory_at(memories, i)->id == memory->id)
      known = memory_at(memories, i);
  if (!known) {
    zc_list_push(flow->tracking.arena, memories, zc_memory_dirt, *memory);
    return true;
  }
  bool changed = zc_dirt_join(&flow->tracking, known, memory) || known->several < memory->several ||
                 known->may_return < memory->may_return || (known->outside | memory->outside) != known->outside;
  for (int i = 0; i < memory->names.count; ++i)
    changed |= add_name(flow, known, zc_list_at(&memory->names, const void *, i));
  known->several |= memory->several;
  use_outside(known, memory->outside, memory->may_return);
  return changed;
}

/* The function ends. */
static void leave_function(flow *flow, const zc_list *memories) {
  for (int i = 0; i < memories->count; ++i) {
    zc_memory_dirt *memory = memory_at(memories, i);
    if (is_held(flow, memory))
      use_outside(memory, flow->tracking.users, true);
    zc_dirt_leave(&flow->tracking, memory);
  }
}

static void leave_block(flow *flow, const zc_list *memories, const zc_way *way) {
  MlirOperation terminator = mlirBlockGetTerminator(way->block);
  for (int i = 0; i < way->next.count; ++i) {
    const zc_way_edge *edge = &zc_list_at(&way->next, zc_way_edge, i);
    zc_list carried = carry(flow, memories, terminator, edge->successor);
    state *state = state_of(flow, edge->way);
    bool changed = false;
    for (int j = 0; j < carried.count; ++j)
      changed |= join_memory(flow, &state->memories, memory_at(&carried, j));
    if (changed && flow->tracking.round == ZC_ROUND_SETTLING)
      expect(flow, state);
  }
  if (!mlirOperationIsNull(terminator) && !mlirOperationGetNumSuccessors(terminator))
    leave_function(flow, memories);
}

static void run_block(flow *flow, const state *state) {
  zc_list memories = {0};
  for (int i = 0; i < state->memories.count; ++i) {
    zc_memory_dirt memory = zc_dirt_carried(&flow->tracking, memory_at(&state->memories, i));
    zc_list_push(flow->tracking.arena, &memories, zc_memory_dirt, memory);
  }
  for (int i = 0; state->events && i < state->events->events.count; ++i)
    step(flow, &memories, &zc_list_at(&state->events->events, event, i));
  leave_block(flow, &memories, state->way);
}

static bool is_exhausted(const flow *flow) {
  int64_t limit = LEAST_STEPS + (int64_t)STEPS_PER_OP * zc_timeline_count(flow->scheduled->timeline);
  return flow->tracking.crowded || flow->steps + flow->tracking.steps > limit;
}

static bool defines(const block_events *events) {
  for (int i = 0; i < events->events.count; ++i)
    if (zc_list_at(&events->events, event, i).kind == DEFINED)
      return true;
  return false;
}

static void begin_at(flow *flow, const block_events *events) {
  const zc_list *ways = zc_ways_of(flow->ways, events->block);
  for (int i = 0; ways && i < ways->count; ++i) {
    state *state = state_of(flow, zc_list_at(ways, zc_way *, i));
    if (flow->ways->all.count == 1)
      state->reached = true;
    else if (defines(events))
      expect(flow, state);
  }
}

/* Until nothing changes: names and dirt only come. A function of one block is as it is at once. */
static void settle(flow *flow) {
  for (int i = 0; i < flow->group->blocks.count; ++i)
    begin_at(flow, zc_list_at(&flow->group->blocks, block_events *, i));
  while (flow->pending.count && !is_exhausted(flow)) {
    state *state = zc_list_at(&flow->pending, struct state *, --flow->pending.count);
    state->pending = false;
    run_block(flow, state);
  }
}

static void run_round(flow *flow, zc_round round) {
  flow->tracking.round = round;
  for (int i = 0; i < flow->order.count && !is_exhausted(flow); ++i)
    if (zc_list_at(&flow->order, state *, i)->reached)
      run_block(flow, zc_list_at(&flow->order, state *, i));
}

static void follow_once(flow *flow) {
  zc_arena *arena = flow->tracking.arena;
  flow->states = zc_ptr_map_create(arena);
  flow->tracking.flushed = zc_ptr_map_create(arena);
  flow->tracking.dropped = zc_ptr_map_create(arena);
  flow->tracking.round = ZC_ROUND_SETTLING;
  flow->tracking.spare = flow->order = flow->pending = (zc_list){0};
  settle(flow);
  run_round(flow, ZC_ROUND_ASKING);
  if (flow->ways->several)
    run_round(flow, ZC_ROUND_SAVING);
  zc_ptr_map_release(flow->tracking.dropped);
  zc_ptr_map_release(flow->states);
}

/* Once more where a flush may serve two writes: then it is known which are made at all. False where it takes too long.
 */
static bool follow_group(flow *flow) {
  zc_tracking *tracking = &flow->tracking;
  int count = tracking->requests->count;
  follow_once(flow);
  if (tracking->postponed && !is_exhausted(flow)) {
    tracking->requests->count = count;
    tracking->expected = tracking->flushed;
    follow_once(flow);
    zc_ptr_map_release(tracking->expected);
  }
  zc_ptr_map_release(tracking->flushed);
  if (!is_exhausted(flow))
    return true;
  tracking->requests->count = count;
  return false;
}

static bool follow(flow *flow) {
  flow->tracking.arena = zc_arena_create();
  flow->events = zc_ptr_map_create(flow->tracking.arena);
  for (int i = 0; i < flow->group->blocks.count; ++i) {
    block_events *events = zc_list_at(&flow->group->blocks, block_events *, i);
    zc_ptr_map_set(flow->events, events->block.ptr, events);
  }
  bool followed = follow_group(flow);
  flow->steps += flow->tracking.steps;
  zc_ptr_map_release(flow->events);
  zc_arena_destroy(flow->tracking.arena);
  return followed;
}

/* ---- region by region: where ranges or order can't be followed ---- */

/* The first of `peers` that does not see what one of `devices` writes, or (`reads`) that one of them doesn't see. */
static int first_peer(zc_context *context, zc_device_set peers, zc_device_set devices, bool reads) {
  for (int peer = 0; peer < zc_devices_count(context->devices); ++peer)
    for (int device = 0; device < zc_devices_count(context->devices); ++device)
      if ((peers >> peer & 1) && (devices >> device & 1) &&
          (reads ? zc_needs_maintenance(context, peer, device) : zc_needs_maintenance(context, device, peer)))
        return peer;
  return -1;
}

static void maintain_access(zc_tracking *tracking, const zc_access *access) {
  zc_context *context = tracking->context;
  zc_device_set devices = access->region->devices ? access->region->devices : tracking->users;
  zc_lines lines = zc_lines_of(context->ops, access, tracking->line);
  int reader = first_peer(context, tracking->users, devices, false);
  int writer = first_peer(context, tracking->writers, devices, true);
  if (!access->range.mode)
    return;
  if (writer >= 0 && ((access->range.mode & ZC_ACCESS_READ) || !zc_lines_are_filled(&lines)))
    zc_ask(tracking, access, &lines, true, writer);
  /* Its own invalidates elsewhere must not drop it, either. */
  if ((reader >= 0 || (writer >= 0 && (devices & tracking->readers))) && (access->range.mode & ZC_ACCESS_WRITE))
    zc_ask(tracking, access, &lines, false, reader >= 0 ? reader : writer);
}

static void maintain_each_access(flow *flow) {
  for (int i = 0; i < flow->group->storages.count; ++i) {
    const zc_storage *storage = zc_list_at(&flow->group->storages, zc_storage *, i);
    for (int j = 0; j < storage->accesses.count; ++j)
      maintain_access(&flow->tracking, zc_list_at(&storage->accesses, zc_access *, j));
  }
}

/* ---- a group ---- */

/* A subview that is only handed on: commands count its bytes from its own begin. */
static bool is_followed_view(const flow *flow, const zc_storage *storage) {
  for (int i = 0; i < storage->escapes.count; ++i) {
    zc_op kind = zc_op_of(flow->context->ops, zc_list_at(&storage->escapes, MlirOperation, i));
    if (kind != ZC_OP_TENSOR_EXPORT && kind != ZC_OP_UTIL_CALL && kind != ZC_OP_UTIL_RETURN)
      return false;
  }
  return !storage->accesses.count;
}

static bool is_followed(const flow *flow, const zc_storage *storage) {
  zc_op kind = storage->kind;
  bool known = mlirOperationIsNull(storage->definition) || kind == ZC_OP_ALLOCA || kind == ZC_OP_TENSOR_IMPORT ||
               kind == ZC_OP_GLOBAL_LOAD || kind == ZC_OP_UTIL_CALL ||
               (kind == ZC_OP_SUBVIEW && is_followed_view(flow, storage));
  bool viewed =
      !mlirOperationIsNull(storage->unsupported) && zc_op_of(flow->context->ops, storage->unsupported) == ZC_OP_SUBVIEW;
  if (!known || (!viewed && !mlirOperationIsNull(storage->unsupported)) ||
      (kind == ZC_OP_TENSOR_IMPORT && flow->scheduled->writes_imports))
    return false;
  for (int i = 0; i < storage->accesses.count; ++i) {
    const zc_region *region = zc_list_at(&storage->accesses, zc_access *, i)->region;
    if (region->device < 0 ||
        !mlirOperationEqual(mlirBlockGetParentOperation(region->block), flow->scheduled->function))
      return false;
  }
  return mlirBlockIsNull(storage->block) ||
         mlirOperationEqual(mlirBlockGetParentOperation(storage->block), flow->scheduled->function);
}

static bool is_group_followed(const flow *flow) {
  for (int i = 0; i < flow->group->storages.count; ++i)
    if (!is_followed(flow, zc_list_at(&flow->group->storages, zc_storage *, i)))
      return false;
  return true;
}

static int64_t cache_line(zc_context *context, int a, int b) {
  int64_t one = zc_topology_link(context->topology, a, b)->cache_line;
  int64_t other = zc_topology_link(context->topology, b, a)->cache_line;
  return one > other ? one : other;
}

/* Whether any of the writers has a user that doesn't see its writes; the longest cache line between any two. */
static bool is_shared(zc_tracking *tracking) {
  zc_context *context = tracking->context;
  int count = zc_devices_count(context->devices);
  tracking->line = 1;
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < a; ++b)
      if ((tracking->users >> a & 1) && (tracking->users >> b & 1) && zc_is_maintained_link(context, a, b) &&
          cache_line(context, a, b) > tracking->line)
        tracking->line = cache_line(context, a, b);
  return first_peer(context, tracking->users, tracking->writers, false) >= 0;
}

/* False where the memory of `root` needs no maintenance. */
static bool begin_tracking(zc_tracking *tracking, zc_values *values, const zc_scheduled *scheduled, MlirValue root) {
  zc_context *context = scheduled->context;
  const zc_value_class *class = zc_class_of(values, root);
  zc_device_set all = zc_devices_count(context->devices) < ZC_MAX_DEVICES
                          ? ((zc_device_set)1 << zc_devices_count(context->devices)) - 1
                          : ~(zc_device_set)0;
  *tracking = (zc_tracking){.context = context,
                            .timeline = scheduled->timeline,
                            .users = class->users,
                            .writers = class->writers,
                            .readers = class->readers};
  if (class->unknown_user || !mlirOperationIsNull(class->unsupported))
    tracking->users = tracking->writers = tracking->readers = all;
  return is_shared(tracking);
}

static bool has_accesses(const group *group) {
  for (int i = 0; i < group->storages.count; ++i)
    if (zc_list_at(&group->storages, zc_storage *, i)->accesses.count)
      return true;
  return false;
}

static void maintain_group(flow *flow, const group *group, zc_list *requests) {
  flow->group = group;
  if (!has_accesses(group) || !begin_tracking(&flow->tracking, flow->values, flow->scheduled,
                                              zc_list_at(&group->storages, zc_storage *, 0)->root))
    return;
  flow->tracking.requests = requests;
  flow->tracking.time = flow->time;
  flow->tracking.arrivals = flow->arrivals;
  if (!is_group_followed(flow) || !follow(flow))
    maintain_each_access(flow);
}

void zc_find_partial_writes(zc_values *values, zc_scheduled *scheduled) {
  for (int i = 0; i < scheduled->roots.count; ++i) {
    const zc_storage *storage = zc_list_at(&scheduled->roots, zc_storage *, i);
    zc_tracking tracking;
    if (!storage->accesses.count || !begin_tracking(&tracking, values, scheduled, storage->root))
      continue;
    zc_value_class *class = zc_class_of(values, storage->root);
    for (int j = 0; j < storage->accesses.count; ++j) {
      const zc_access *access = zc_list_at(&storage->accesses, zc_access *, j);
      zc_lines lines = zc_lines_of(scheduled->context->ops, access, tracking.line);
      if ((access->range.mode & ZC_ACCESS_WRITE) && !zc_lines_are_filled(&lines))
        class->readers |= access->region->devices ? access->region->devices : tracking.users;
    }
  }
}

void zc_find_maintenance(zc_values *values, zc_scheduled *scheduled, bool called, zc_list *requests) {
  flow flow = {.context = scheduled->context,
               .values = values,
               .scheduled = scheduled,
               .time = zc_time_flow_create(scheduled),
               .called = called,
               .body = mlirOperationGetFirstRegion(scheduled->function),
               .arrivals = zc_ptr_map_create(scheduled->context->arena),
               .nodes = zc_ptr_map_create(scheduled->context->arena)};
  flow.ways = zc_ways_create(scheduled, flow.time);
  find_groups(&flow);
  for (int i = 0; i < flow.groups.count; ++i)
    maintain_group(&flow, zc_list_at(&flow.groups, group *, i), requests);
  zc_ptr_map_release(flow.nodes);
  zc_ptr_map_release(flow.arrivals);
  zc_ways_release(flow.ways);
  zc_time_flow_release(flow.time);
}
