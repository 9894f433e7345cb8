#include "passes/verify_borders.h"

#include <string.h>

#include "capi/ptr_map.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "passes/maintenance.h"

/* A set of values that may be one memory: a forest, each set's root is its own parent. */
typedef struct set {
  struct set *parent;
  zc_border border;
  bool unknown; ///< Anyone may use it.
  bool writes;  ///< Local sets: a command of the function writes it.
  bool outside; ///< Local sets: it comes from outside of the function.
} set;

typedef struct callable {
  MlirOperation op;
  bool has_body;
  zc_list returns;     ///< MlirOperation
  zc_list globals;     ///< MlirAttribute: those that it loads and stores itself.
  zc_list callees;     ///< MlirAttribute
  bool opaque;         ///< It has ops that may reach any global.
  bool external;       ///< A call may leave the module.
  bool spread;         ///< `reached` is made.
  zc_ptr_map *reached; ///< Symbol attribute or set -> itself: globals that a call may reach.
} callable;

struct zc_borders {
  zc_context *context;
  zc_ptr_map *global_sets; ///< Value or symbol attribute -> set, over the module.
  zc_ptr_map *local_sets;  ///< Value -> set, in its function.
  zc_ptr_map *functions;   ///< Symbol attribute -> callable.
  zc_ptr_map *callables;   ///< Function op -> callable.
  zc_ptr_map *globals;     ///< Symbol attribute -> the op.
  zc_ptr_map *timepoints;  ///< Symbol attribute -> symbol attribute.
  zc_list calls;           ///< MlirOperation
  zc_list spread;          ///< callable *, those whose reach is known.
  callable *current;
  MlirAttribute last_timepoint; ///< The global of a timepoint that stands right before; null: none.
};

/* ---- sets ---- */

static set *find_root(set *from) {
  while (from->parent != from)
    from = from->parent = from->parent->parent;
  return from;
}

static set *set_of(zc_borders *borders, zc_ptr_map *sets, const void *key) {
  set *found = zc_ptr_map_get(sets, key);
  if (!found) {
    found = zc_arena_new(borders->context->arena, set);
    found->parent = found;
    zc_ptr_map_set(sets, key, found);
  }
  return find_root(found);
}

static set *unite(set *a, set *b) {
  if (a == b)
    return a;
  b->parent = a;
  a->border.users |= b->border.users;
  a->border.writers |= b->border.writers;
  a->border.droppers |= b->border.droppers;
  a->border.in_place |= b->border.in_place;
  a->border.freed |= b->border.freed;
  a->unknown |= b->unknown;
  a->writes |= b->writes;
  a->outside |= b->outside;
  return a;
}

static bool is_memory(zc_borders *borders, MlirValue value) {
  return zc_is_resource(borders->context->ops, mlirValueGetType(value));
}

static set *local_of(zc_borders *borders, MlirValue value) {
  return set_of(borders, borders->local_sets, value.ptr);
}

static set *global_of(zc_borders *borders, MlirValue value) {
  return set_of(borders, borders->global_sets, value.ptr);
}

/* Two values of one function that may be one memory. */
static void tie(zc_borders *borders, MlirValue a, MlirValue b) {
  if (!is_memory(borders, a) || !is_memory(borders, b))
    return;
  unite(local_of(borders, a), local_of(borders, b));
  unite(global_of(borders, a), global_of(borders, b));
}

static void use(zc_borders *borders, MlirValue value, MlirAttribute affinity, bool writes) {
  const zc_affinity *read = zc_affinity_read(borders->context->affinities, affinity);
  set *found = global_of(borders, value);
  found->border.users |= read->devices;
  if (writes)
    found->border.writers |= read->devices;
  if (read->kind == ZC_AFFINITY_NONE || read->kind == ZC_AFFINITY_UNKNOWN)
    found->unknown = true;
}

static void come_from_outside(zc_borders *borders, MlirValue value) {
  if (is_memory(borders, value))
    local_of(borders, value)->outside = true;
}

/* ---- ops ---- */

static void tie_operands_to_block(zc_borders *borders, MlirOperation op, intptr_t first, MlirBlock block) {
  intptr_t count = mlirBlockGetNumArguments(block);
  for (intptr_t i = 0; i < count && first + i < mlirOperationGetNumOperands(op); ++i)
    tie(borders, mlirOperationGetOperand(op, first + i), mlirBlockGetArgument(block, i));
}

static void tie_branch(zc_borders *borders, MlirOperation op, zc_op kind) {
  intptr_t first = kind == ZC_OP_BR ? 0 : 1;
  for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(op); ++i) {
    MlirBlock block = mlirOperationGetSuccessor(op, i);
    tie_operands_to_block(borders, op, first, block);
    first += mlirBlockGetNumArguments(block);
  }
}

/* Any op that hands resources on in a way that isn't known better: all of them may be one. */
static void tie_all(zc_borders *borders, MlirOperation op) {
  MlirValue first = {NULL};
  intptr_t num_operands = mlirOperationGetNumOperands(op);
  for (intptr_t i = 0; i < num_operands + mlirOperationGetNumResults(op); ++i) {
    MlirValue value = i < num_operands ? mlirOperationGetOperand(op, i) : mlirOperationGetResult(op, i - num_operands);
    if (!is_memory(borders, value))
      continue;
    if (zc_value_is_null(first))
      first = value;
    tie(borders, first, value);
  }
}

/* scf ops: operands, results, arguments of every block of theirs and what their terminators yield, by place from the
 * end, since induction variables and bounds come first. */
static void tie_structured(zc_borders *borders, MlirOperation op) {
  tie_all(borders, op);
  MlirValue known = {NULL};
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op) && zc_value_is_null(known); ++i)
    if (is_memory(borders, mlirOperationGetResult(op, i)))
      known = mlirOperationGetResult(op, i);
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(op); ++r) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(op, r));
    for (; !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      MlirOperation last = mlirBlockGetTerminator(block);
      for (intptr_t i = 0; i < mlirBlockGetNumArguments(block) && !zc_value_is_null(known); ++i)
        tie(borders, known, mlirBlockGetArgument(block, i));
      for (intptr_t i = 0; !mlirOperationIsNull(last) && i < mlirOperationGetNumOperands(last); ++i)
        if (!zc_value_is_null(known))
          tie(borders, known, mlirOperationGetOperand(last, i));
    }
  }
}

/* Neither reads nor writes for the program. */
static void see_maintenance(zc_borders *borders, MlirValue value, const zc_maintenance *maintenance) {
  if (maintenance->invalidate && maintenance->device >= 0 && maintenance->peer >= 0 &&
      zc_is_maintained_link(borders->context, maintenance->device, maintenance->peer))
    global_of(borders, value)->border.droppers |= (zc_device_set)1 << maintenance->device;
}

static void see_command(zc_borders *borders, MlirOperation op, MlirAttribute affinity) {
  zc_range *ranges;
  int count = zc_command_ranges(borders->context->arena, borders->context->ops, op, &ranges);
  zc_maintenance maintenance;
  bool maintains = zc_is_maintenance(borders->context, op, &maintenance);
  for (int i = 0; i < count; ++i) {
    MlirValue value = mlirOperationGetOperand(op, ranges[i].resource_operand);
    if (maintains) {
      see_maintenance(borders, value, &maintenance);
      continue;
    }
    bool writes = ranges[i].mode & ZC_ACCESS_WRITE;
    if (ranges[i].mode)
      use(borders, value, affinity, writes);
    if (writes)
      local_of(borders, value)->writes = true;
  }
}

static void see_commands(zc_borders *borders, MlirBlock block, MlirAttribute affinity) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    zc_op kind = zc_op_of(borders->context->ops, op);
    if (kind == ZC_OP_CMD_SERIAL || kind == ZC_OP_CMD_CONCURRENT)
      see_commands(borders, mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(op)), affinity);
    else if (kind != ZC_OP_YIELD)
      see_command(borders, op, affinity);
  }
}

static void see_execute(zc_borders *borders, MlirOperation op) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(op));
  if (mlirBlockIsNull(body))
    return;
  tie_operands_to_block(borders, op, 0, body);
  see_commands(borders, body, zc_execution_affinity(borders->context, op));
}

static void see_global(zc_borders *borders, MlirOperation op, zc_op kind) {
  MlirValue value = kind == ZC_OP_GLOBAL_LOAD ? mlirOperationGetResult(op, 0) : mlirOperationGetOperand(op, 0);
  if (!is_memory(borders, value))
    return;
  unite(global_of(borders, value), set_of(borders, borders->global_sets, zc_attribute(op, "global").ptr));
  if (kind == ZC_OP_GLOBAL_LOAD)
    come_from_outside(borders, value);
}

/* Globals that are reached by address, or functions that are. */
static void see_opaque(zc_borders *borders, MlirOperation op) {
  if (borders->current && (strncmp(zc_op_name(op), "util.global.", strlen("util.global.")) == 0 ||
                           !mlirAttributeIsNull(zc_attribute(op, "callee")) || strstr(zc_op_name(op), "call_indirect")))
    borders->current->opaque = true;
}

static void see_outside(zc_borders *borders, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    come_from_outside(borders, mlirOperationGetResult(op, i));
}

static void see_op(zc_borders *borders, MlirOperation op);

static void see_region(zc_borders *borders, MlirRegion region) {
  for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block))
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
         op = mlirOperationGetNextInBlock(op))
      see_op(borders, op);
}

static void see_op(zc_borders *borders, MlirOperation op) {
  zc_context *context = borders->context;
  zc_op kind = zc_op_of(context->ops, op);
  switch (kind) {
  case ZC_OP_CMD_EXECUTE:
    see_execute(borders, op);
    return;
  case ZC_OP_BR:
  case ZC_OP_COND_BR:
  case ZC_OP_SWITCH:
    tie_branch(borders, op, kind);
    return;
  case ZC_OP_GLOBAL_LOAD:
  case ZC_OP_GLOBAL_STORE:
    see_global(borders, op, kind);
    if (borders->current)
      zc_list_push(context->arena, &borders->current->globals, MlirAttribute, zc_attribute(op, "global"));
    return;
  case ZC_OP_UTIL_CALL:
    see_outside(borders, op);
    zc_list_push(context->arena, &borders->calls, MlirOperation, op);
    if (borders->current)
      zc_list_push(context->arena, &borders->current->callees, MlirAttribute, zc_attribute(op, "callee"));
    return;
  case ZC_OP_UTIL_RETURN:
    if (borders->current)
      zc_list_push(context->arena, &borders->current->returns, MlirOperation, op);
    return;
  case ZC_OP_TENSOR_IMPORT:
    see_outside(borders, op);
    use(borders, mlirOperationGetResult(op, 0), zc_execution_affinity(context, op), true);
    return;
  case ZC_OP_TENSOR_EXPORT:
    use(borders, mlirOperationGetOperand(op, 0), zc_execution_affinity(context, op), false);
    return;
  case ZC_OP_DEALLOCA:
    global_of(borders, mlirOperationGetOperand(op, 0))->border.freed = true;
    return;
  case ZC_OP_CONSTANT:
  case ZC_OP_ALLOCA:
  case ZC_OP_TIMEPOINT_JOIN:
    return;
  case ZC_OP_TIMEPOINT_AWAIT:
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      tie(borders, mlirOperationGetOperand(op, i), mlirOperationGetResult(op, i));
    return;
  case ZC_OP_OPTIMIZATION_BARRIER:
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      tie(borders, mlirOperationGetOperand(op, i), mlirOperationGetResult(op, i));
    return;
  default:
    see_opaque(borders, op);
    if (mlirOperationGetNumRegions(op) > 0) {
      tie_structured(borders, op);
      for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i)
        see_region(borders, mlirOperationGetRegion(op, i));
    } else {
      tie_all(borders, op);
    }
  }
}

/* ---- functions and globals ---- */

static bool is_function(zc_op kind) {
  return kind == ZC_OP_FUNC || kind == ZC_OP_STD_FUNC || kind == ZC_OP_INITIALIZER;
}

static MlirAttribute symbol_reference(zc_borders *borders, MlirStringRef name) {
  return mlirFlatSymbolRefAttrGet(borders->context->mlir, name);
}

static void see_function(zc_borders *borders, MlirOperation op) {
  callable *callable = zc_arena_new(borders->context->arena, struct callable);
  MlirAttribute name = zc_attribute(op, "sym_name");
  callable->op = op;
  zc_ptr_map_set(borders->callables, op.ptr, callable);
  if (!mlirAttributeIsNull(name) && mlirAttributeIsAString(name))
    zc_ptr_map_set(borders->functions, symbol_reference(borders, mlirStringAttrGetValue(name)).ptr, callable);
  borders->current = callable;
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(op));
  callable->has_body = !mlirBlockIsNull(entry);
  for (intptr_t i = 0; callable->has_body && i < mlirBlockGetNumArguments(entry); ++i)
    come_from_outside(borders, mlirBlockGetArgument(entry, i));
  see_region(borders, mlirOperationGetFirstRegion(op));
  borders->current = NULL;
}

static void pair_globals(zc_borders *borders, MlirAttribute data, MlirAttribute timepoint) {
  zc_ptr_map_set(borders->timepoints, data.ptr, (void *)(uintptr_t)timepoint.ptr);
}

/* IREE keeps the timepoint of @x in @x__timepoint, right before it. */
static void see_global_op(zc_borders *borders, MlirOperation op) {
  MlirAttribute name = zc_attribute(op, "sym_name");
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name))
    return;
  MlirStringRef text = mlirStringAttrGetValue(name);
  MlirAttribute symbol = symbol_reference(borders, text);
  zc_ptr_map_set(borders->globals, symbol.ptr, op.ptr);
  MlirAttribute type = zc_attribute(op, "type");
  bool timepoint = !mlirAttributeIsNull(type) && mlirAttributeIsAType(type) &&
                   zc_is_timepoint(borders->context->ops, mlirTypeAttrGetValue(type));
  if (!timepoint && !mlirAttributeIsNull(borders->last_timepoint))
    pair_globals(borders, symbol, borders->last_timepoint);
  borders->last_timepoint = timepoint ? symbol : (MlirAttribute){NULL};
  static const char suffix[] = "__timepoint";
  size_t length = sizeof suffix - 1;
  if (text.length <= length || memcmp(text.data + text.length - length, suffix, length) != 0)
    return;
  pair_globals(borders, symbol_reference(borders, mlirStringRefCreate(text.data, text.length - length)), symbol);
}

static MlirAttribute callee_of(MlirOperation call) {
  return zc_attribute(call, "callee");
}

static callable *callable_of(const zc_borders *borders, MlirAttribute symbol) {
  return mlirAttributeIsNull(symbol) ? NULL : zc_ptr_map_get(borders->functions, symbol.ptr);
}

static void be_unknown(zc_borders *borders, MlirOperation call) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(call); ++i)
    if (is_memory(borders, mlirOperationGetOperand(call, i)))
      global_of(borders, mlirOperationGetOperand(call, i))->unknown = true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(call); ++i)
    if (is_memory(borders, mlirOperationGetResult(call, i)))
      global_of(borders, mlirOperationGetResult(call, i))->unknown = true;
}

static void tie_call(zc_borders *borders, MlirOperation call) {
  callable *callee = callable_of(borders, callee_of(call));
  if (!callee || !callee->has_body) {
    be_unknown(borders, call);
    return;
  }
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(callee->op));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry) && i < mlirOperationGetNumOperands(call); ++i)
    if (is_memory(borders, mlirOperationGetOperand(call, i)))
      unite(global_of(borders, mlirOperationGetOperand(call, i)), global_of(borders, mlirBlockGetArgument(entry, i)));
  for (int r = 0; r < callee->returns.count; ++r) {
    MlirOperation last = zc_list_at(&callee->returns, MlirOperation, r);
    for (intptr_t i = 0; i < mlirOperationGetNumResults(call) && i < mlirOperationGetNumOperands(last); ++i)
      if (is_memory(borders, mlirOperationGetResult(call, i)))
        unite(global_of(borders, mlirOperationGetResult(call, i)),
              global_of(borders, mlirOperationGetOperand(last, i)));
  }
}

/* A call that hands an argument of its function to a callee that writes it, writes it. Until nothing changes. */
static bool spread_writes(zc_borders *borders) {
  bool changed = false;
  for (int c = 0; c < borders->calls.count; ++c) {
    MlirOperation call = zc_list_at(&borders->calls, MlirOperation, c);
    callable *callee = callable_of(borders, callee_of(call));
    for (intptr_t i = 0; i < mlirOperationGetNumOperands(call); ++i) {
      MlirValue value = mlirOperationGetOperand(call, i);
      if (!is_memory(borders, value) || local_of(borders, value)->writes)
        continue;
      MlirOperation none = {NULL};
      if (zc_borders_writes_argument(borders, callee ? callee->op : none, i))
        changed = local_of(borders, value)->writes = true;
    }
  }
  return changed;
}

/* What a function writes that it got from outside is written in place, for everyone. */
static void see_in_place(zc_borders *borders, MlirValue value) {
  if (!is_memory(borders, value))
    return;
  const set *local = local_of(borders, value);
  if (local->writes && local->outside)
    global_of(borders, value)->border.in_place = true;
}

static MlirWalkResult visit_in_place(MlirOperation op, void *data) {
  zc_borders *borders = data;
  zc_op kind = zc_op_of(borders->context->ops, op);
  if (kind == ZC_OP_GLOBAL_LOAD || kind == ZC_OP_UTIL_CALL || kind == ZC_OP_TENSOR_IMPORT)
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      see_in_place(borders, mlirOperationGetResult(op, i));
  return kind == ZC_OP_CMD_EXECUTE ? MlirWalkResultSkip : MlirWalkResultAdvance;
}

static void see_function_in_place(zc_context *context, MlirOperation function, void *data) {
  (void)context;
  zc_borders *borders = data;
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(function));
  for (intptr_t i = 0; !mlirBlockIsNull(entry) && i < mlirBlockGetNumArguments(entry); ++i)
    see_in_place(borders, mlirBlockGetArgument(entry, i));
  mlirOperationWalk(function, visit_in_place, borders, MlirWalkPreOrder);
}

zc_borders *zc_borders_create(zc_context *context) {
  zc_borders *borders = zc_arena_new(context->arena, zc_borders);
  borders->context = context;
  zc_ptr_map **maps[] = {&borders->global_sets, &borders->local_sets, &borders->functions,
                         &borders->callables,   &borders->globals,    &borders->timepoints};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; ++i)
    *maps[i] = zc_ptr_map_create(context->arena);
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(context->module));
  for (MlirOperation op = mlirBlockIsNull(block) ? (MlirOperation){NULL} : mlirBlockGetFirstOperation(block);
       !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (is_function(zc_op_of(context->ops, op)))
      see_function(borders, op);
    else if (mlirOperationGetNumRegions(op) == 0)
      see_global_op(borders, op);
  }
  for (int i = 0; i < borders->calls.count; ++i)
    tie_call(borders, zc_list_at(&borders->calls, MlirOperation, i));
  while (spread_writes(borders))
    continue;
  zc_for_each_function(context, see_function_in_place, borders);
  return borders;
}

void zc_borders_release(zc_borders *borders) {
  zc_ptr_map *maps[] = {borders->global_sets, borders->local_sets, borders->functions,
                        borders->callables,   borders->globals,    borders->timepoints};
  for (size_t i = 0; i < sizeof maps / sizeof *maps; ++i)
    zc_ptr_map_release(maps[i]);
  for (int i = 0; i < borders->spread.count; ++i)
    zc_ptr_map_release(zc_list_at(&borders->spread, callable *, i)->reached);
}

zc_border zc_border_of(zc_borders *borders, MlirValue value) {
  const set *found = global_of(borders, value);
  zc_border border = found->border;
  if (found->unknown) {
    int count = zc_devices_count(borders->context->devices);
    border.users = border.writers = count < ZC_MAX_DEVICES ? ((zc_device_set)1 << count) - 1 : ~(zc_device_set)0;
    border.in_place = border.freed = true;
  }
  return border;
}

MlirOperation zc_borders_function(const zc_borders *borders, MlirAttribute symbol) {
  const callable *found = callable_of(borders, symbol);
  MlirOperation none = {NULL};
  return found ? found->op : none;
}

bool zc_borders_writes_argument(zc_borders *borders, MlirOperation function, intptr_t index) {
  const callable *callee = mlirOperationIsNull(function) ? NULL : zc_ptr_map_get(borders->callables, function.ptr);
  if (!callee || !callee->has_body)
    return true;
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(function));
  return index < mlirBlockGetNumArguments(entry) && local_of(borders, mlirBlockGetArgument(entry, index))->writes;
}

intptr_t zc_borders_returned_argument(zc_borders *borders, MlirOperation function, intptr_t index) {
  const callable *callee = mlirOperationIsNull(function) ? NULL : zc_ptr_map_get(borders->callables, function.ptr);
  if (!callee || !callee->has_body)
    return -1;
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(function));
  for (int r = 0; r < callee->returns.count; ++r) {
    MlirOperation last = zc_list_at(&callee->returns, MlirOperation, r);
    if (index >= mlirOperationGetNumOperands(last) || !is_memory(borders, mlirOperationGetOperand(last, index)))
      continue;
    const set *returned = local_of(borders, mlirOperationGetOperand(last, index));
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i)
      if (is_memory(borders, mlirBlockGetArgument(entry, i)) &&
          local_of(borders, mlirBlockGetArgument(entry, i)) == returned)
        return i;
  }
  return -1;
}

MlirAttribute zc_borders_timepoint_of(zc_borders *borders, MlirAttribute symbol) {
  MlirAttribute timepoint = {zc_ptr_map_get(borders->timepoints, symbol.ptr)};
  return timepoint;
}

/* ---- what a call may reach ---- */

static bool is_private(const zc_borders *borders, MlirAttribute symbol) {
  MlirOperation op = {zc_ptr_map_get(borders->globals, symbol.ptr)};
  if (mlirOperationIsNull(op))
    return false;
  MlirAttribute visibility = zc_attribute(op, "sym_visibility");
  return !mlirAttributeIsNull(visibility) && mlirAttributeIsAString(visibility) &&
         mlirStringRefEqual(mlirStringAttrGetValue(visibility), mlirStringRefCreateFromCString("private"));
}

static void reach(zc_ptr_map *reached, const void *what) {
  zc_ptr_map_set(reached, what, (void *)(uintptr_t)what);
}

/* All functions that a call of `first` may run, itself included. */
static zc_list list_run(zc_borders *borders, callable *first) {
  zc_arena *arena = borders->context->arena;
  zc_ptr_map *known = zc_ptr_map_create(arena);
  zc_list run = {0};
  reach(known, first);
  zc_list_push(arena, &run, callable *, first);
  for (int i = 0; i < run.count; ++i) {
    const zc_list *callees = &zc_list_at(&run, callable *, i)->callees;
    for (int j = 0; j < callees->count; ++j) {
      callable *callee = callable_of(borders, zc_list_at(callees, MlirAttribute, j));
      if (!callee)
        first->opaque = true;
      if (!callee || zc_ptr_map_get(known, callee))
        continue;
      reach(known, callee);
      zc_list_push(arena, &run, struct callable *, callee);
    }
  }
  zc_ptr_map_release(known);
  return run;
}

static void spread_reach(zc_borders *borders, callable *first) {
  zc_list run = list_run(borders, first);
  first->spread = true;
  first->reached = zc_ptr_map_create(borders->context->arena);
  zc_list_push(borders->context->arena, &borders->spread, callable *, first);
  for (int i = 0; i < run.count; ++i) {
    const callable *one = zc_list_at(&run, callable *, i);
    first->opaque |= one->opaque;
    first->external |= !one->has_body;
    for (int j = 0; j < one->globals.count; ++j) {
      MlirAttribute symbol = zc_list_at(&one->globals, MlirAttribute, j);
      reach(first->reached, symbol.ptr);
      reach(first->reached, set_of(borders, borders->global_sets, symbol.ptr));
    }
  }
}

/* What is outside of the module knows no private global. */
bool zc_borders_reaches_global(zc_borders *borders, MlirAttribute callee, MlirAttribute symbol) {
  callable *called = callable_of(borders, callee);
  if (!called)
    return true;
  if (!called->spread)
    spread_reach(borders, called);
  if (called->opaque || zc_ptr_map_get(called->reached, symbol.ptr))
    return true;
  if (zc_ptr_map_get(called->reached, set_of(borders, borders->global_sets, symbol.ptr)))
    return true;
  return called->external && !is_private(borders, symbol);
}

bool zc_borders_is_mutable(const zc_borders *borders, MlirAttribute symbol) {
  MlirOperation op = {zc_ptr_map_get(borders->globals, symbol.ptr)};
  return mlirOperationIsNull(op) || !mlirAttributeIsNull(zc_attribute(op, "is_mutable"));
}
