#include "passes/memory_names.h"

#include "capi/ptr_map.h"
#include "passes/time_flow.h"

/* The root of a storage that some branch passes on, or an argument that is passed one. Of two, one is known wherever
 * the other comes to be: from there on what they name together doesn't change until that one comes to be again. */
typedef struct name {
  zc_storage *storage;
  zc_list passes; ///< pass: by which branches, in their order.
  zc_list others; ///< name *: that may name the same memory.
} name;

/* That an edge of control flow gives a name's memory to an argument. */
typedef struct pass {
  int edge;
  name *argument;
} pass;

typedef struct pair {
  name *one;
  name *other;
} pair;

struct zc_memory_names {
  zc_arena *arena;
  zc_scheduled *scheduled;
  zc_time_flow *flow;
  const zc_dominators *dominators;
  zc_ptr_map *names; ///< Root -> name.
  zc_list order;     ///< name *
  zc_list pending;   ///< pair
  int edges;
  int64_t *steps;
};

static const pass *pass_at(const name *name, int index) {
  return &zc_list_at(&name->passes, pass, index);
}

/* ---- branches ---- */

static name *name_of(zc_memory_names *names, MlirValue value) {
  zc_storage *storage = zc_storage_of(names->scheduled, value);
  name *found = zc_ptr_map_get(names->names, storage->root.ptr);
  if (found)
    return found;
  found = zc_arena_new(names->arena, name);
  found->storage = storage;
  zc_ptr_map_set(names->names, storage->root.ptr, found);
  zc_list_push(names->arena, &names->order, name *, found);
  return found;
}

static void add_pass(zc_memory_names *names, MlirValue operand, MlirValue argument) {
  pass pass = {names->edges, name_of(names, argument)};
  zc_list_push(names->arena, &name_of(names, operand)->passes, struct pass, pass);
}

/* Any operand where it isn't known which one. */
static void list_argument(zc_memory_names *names, MlirOperation branch, intptr_t successor, intptr_t number) {
  const zc_ops *ops = names->scheduled->context->ops;
  MlirValue argument = mlirBlockGetArgument(mlirOperationGetSuccessor(branch, successor), number);
  if (!zc_is_resource(ops, mlirValueGetType(argument)))
    return;
  MlirValue operand = zc_passed_operand(ops, branch, successor, number);
  if (!zc_value_is_null(operand)) {
    add_pass(names, operand, argument);
    return;
  }
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(branch); ++i)
    if (zc_is_resource(ops, mlirValueGetType(mlirOperationGetOperand(branch, i))))
      add_pass(names, mlirOperationGetOperand(branch, i), argument);
}

static void list_branch(zc_memory_names *names, MlirOperation branch) {
  for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(branch); ++i, ++names->edges)
    for (intptr_t j = mlirBlockGetNumArguments(mlirOperationGetSuccessor(branch, i)); j-- > 0;)
      list_argument(names, branch, i, j);
}

static void list_branches(zc_memory_names *names) {
  MlirRegion body = mlirOperationGetFirstRegion(names->scheduled->function);
  for (MlirBlock block = mlirRegionGetFirstBlock(body); !mlirBlockIsNull(block);
       block = mlirBlockGetNextInRegion(block)) {
    MlirOperation branch = mlirBlockGetTerminator(block);
    if (!mlirOperationIsNull(branch) && zc_is_reachable(names->dominators, block))
      list_branch(names, branch);
  }
}

/* ---- pairs ---- */

static bool is_paired(const name *one, const name *other) {
  const zc_list *others = one->others.count < other->others.count ? &one->others : &other->others;
  const name *sought = others == &one->others ? other : one;
  for (int i = 0; i < others->count; ++i)
    if (zc_list_at(others, name *, i) == sought)
      return true;
  return false;
}

static void add_pair(zc_memory_names *names, name *one, name *other) {
  pair pair = {one, other};
  if (one == other || is_paired(one, other))
    return;
  zc_list_push(names->arena, &one->others, name *, other);
  zc_list_push(names->arena, &other->others, name *, one);
  zc_list_push(names->arena, &names->pending, struct pair, pair);
}

/* What an argument is passed goes by another name, too, that is still that memory's behind the edge: not one of the
 * argument's own block, which is what it was in an earlier turn. */
static void meet(zc_memory_names *names, name *argument, name *other) {
  MlirBlock block = argument->storage->block;
  if (!mlirBlockEqual(other->storage->block, block) && zc_dominates(names->dominators, other->storage->block, block) &&
      zc_time_flow_is_used_from(names->flow, other->storage->root, block))
    add_pair(names, argument, other);
}

/* Two arguments are one memory where one edge passes them what is. */
static void pair_arguments(zc_memory_names *names, const name *one, const name *other) {
  *names->steps += one->passes.count + other->passes.count;
  for (int i = 0, j = 0; i < one->passes.count && j < other->passes.count;) {
    int edge = pass_at(one, i)->edge;
    if (edge == pass_at(other, j)->edge)
      for (int k = j; k < other->passes.count && pass_at(other, k)->edge == edge; ++k)
        add_pair(names, pass_at(one, i)->argument, pass_at(other, k)->argument);
    if (edge <= pass_at(other, j)->edge)
      ++i;
    else
      ++j;
  }
}

static void pass_on(zc_memory_names *names, const name *passed, name *other) {
  *names->steps += passed->passes.count;
  for (int i = 0; i < passed->passes.count; ++i)
    meet(names, pass_at(passed, i)->argument, other);
}

static void find_pairs(zc_memory_names *names, int64_t step_limit) {
  for (int i = 0; i < names->order.count && *names->steps <= step_limit; ++i) {
    name *own = zc_list_at(&names->order, name *, i);
    pass_on(names, own, own);
    pair_arguments(names, own, own);
  }
  while (names->pending.count && *names->steps <= step_limit) {
    pair pair = zc_list_at(&names->pending, struct pair, --names->pending.count);
    pass_on(names, pair.one, pair.other);
    pass_on(names, pair.other, pair.one);
    pair_arguments(names, pair.one, pair.other);
  }
}

zc_memory_names *zc_memory_names_create(zc_scheduled *scheduled, zc_time_flow *flow, const zc_dominators *dominators,
                                        int64_t *steps, int64_t step_limit) {
  zc_arena *arena = scheduled->context->arena;
  zc_memory_names *names = zc_arena_new(arena, zc_memory_names);
  *names = (zc_memory_names){.arena = arena,
                             .scheduled = scheduled,
                             .flow = flow,
                             .dominators = dominators,
                             .names = zc_ptr_map_create(arena),
                             .steps = steps};
  list_branches(names);
  find_pairs(names, step_limit);
  return names;
}

void zc_memory_names_release(zc_memory_names *names) {
  zc_ptr_map_release(names->names);
}

void zc_memory_names_at(zc_memory_names *names, const zc_storage *storage, MlirBlock block, zc_list *others) {
  const name *own = zc_ptr_map_get(names->names, storage->root.ptr);
  for (int i = 0; own && i < own->others.count; ++i) {
    zc_storage *other = zc_list_at(&own->others, name *, i)->storage;
    ++*names->steps;
    if (mlirBlockEqual(other->block, block) || (zc_dominates(names->dominators, other->block, block) &&
                                                zc_time_flow_is_used_from(names->flow, other->root, block)))
      zc_list_push(names->arena, others, zc_storage *, other);
  }
}
