#include "passes/scheduled.h"

#include <limits.h>

#include "capi/ptr_map.h"

static zc_storage *new_storage(zc_scheduled *scheduled, MlirValue root) {
  zc_storage *storage = zc_arena_new(scheduled->context->arena, zc_storage);
  storage->root = root;
  storage->definition = zc_defining_op(root);
  if (mlirOperationIsNull(storage->definition)) {
    storage->block = mlirBlockArgumentGetOwner(root);
  } else {
    storage->kind = zc_op_of(scheduled->context->ops, storage->definition);
    storage->block = mlirOperationGetBlock(storage->definition);
  }
  storage->type = mlirValueGetType(root);
  if (storage->kind == ZC_OP_ALLOCA)
    storage->size = mlirOperationGetOperand(storage->definition, 0);
  return storage;
}

/* The operand of an await that its result stands for: resource operands come first, one for each result. */
static MlirValue seen_through(const zc_scheduled *scheduled, MlirValue value) {
  MlirOperation op = zc_defining_op(value);
  MlirValue none = {NULL};
  if (mlirOperationIsNull(op) || zc_op_of(scheduled->context->ops, op) != ZC_OP_TIMEPOINT_AWAIT)
    return none;
  return mlirOperationGetOperand(op, mlirOpResultGetResultNumber(value));
}

zc_storage *zc_storage_of(zc_scheduled *scheduled, MlirValue value) {
  zc_storage *storage = zc_ptr_map_get(scheduled->storages, value.ptr);
  if (storage)
    return storage;
  MlirValue root = value;
  for (MlirValue next = seen_through(scheduled, root); !zc_value_is_null(next); next = seen_through(scheduled, root))
    root = next;
  storage = zc_ptr_map_get(scheduled->storages, root.ptr);
  if (!storage) {
    storage = new_storage(scheduled, root);
    zc_ptr_map_set(scheduled->storages, root.ptr, storage);
    zc_list_push(scheduled->context->arena, &scheduled->roots, zc_storage *, storage);
  }
  zc_ptr_map_set(scheduled->storages, value.ptr, storage);
  return storage;
}

zc_storage *zc_storage_representative(zc_storage *storage) {
  while (storage->merged_into) {
    if (storage->merged_into->merged_into)
      storage->merged_into = storage->merged_into->merged_into;
    storage = storage->merged_into;
  }
  return storage;
}

/* ---- commands ---- */

static void add_access(zc_scheduled *scheduled, zc_access access) {
  zc_arena *arena = scheduled->context->arena;
  MlirValue resource = mlirOperationGetOperand(access.command, access.range.resource_operand);
  zc_access *kept = zc_arena_new(arena, zc_access);
  *kept = access;
  kept->storage = zc_storage_of(scheduled, resource);
  if (kept->storage->kind == ZC_OP_TENSOR_IMPORT && (access.range.mode & ZC_ACCESS_WRITE))
    scheduled->writes_imports = true;
  zc_list_push(arena, &kept->storage->accesses, zc_access *, kept);
  zc_list_push(arena, &kept->region->accesses, zc_access *, kept);
}

static void mark_unsupported(zc_scheduled *scheduled, MlirOperation op) {
  const zc_ops *ops = scheduled->context->ops;
  for (intptr_t i = mlirOperationGetNumOperands(op); i-- > 0;) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!zc_is_resource(ops, mlirValueGetType(operand)))
      continue;
    zc_storage *storage = zc_storage_of(scheduled, operand);
    if (mlirOperationIsNull(storage->unsupported) || zc_op_of(ops, storage->unsupported) == ZC_OP_SUBVIEW)
      storage->unsupported = op;
  }
}

/* Whether `op` is maintenance of the range that `operand` of the copy starts. */
static bool is_maintenance_of(const zc_ops *ops, MlirOperation op, zc_op kind, MlirOperation copy, int operand) {
  if (mlirOperationIsNull(op) || zc_op_of(ops, op) != kind)
    return false;
  return mlirValueEqual(mlirOperationGetOperand(op, ZC_MAINTENANCE_TARGET), mlirOperationGetOperand(copy, operand)) &&
         zc_same_index(ops, mlirOperationGetOperand(op, ZC_MAINTENANCE_OFFSET),
                       mlirOperationGetOperand(copy, operand + 2)) &&
         zc_same_index(ops, mlirOperationGetOperand(op, ZC_MAINTENANCE_LENGTH),
                       mlirOperationGetOperand(copy, ZC_COPY_LENGTH));
}

static void add_hand_off(zc_scheduled *scheduled, MlirOperation copy, MlirOperation previous) {
  const zc_ops *ops = scheduled->context->ops;
  zc_arena *arena = scheduled->context->arena;
  MlirOperation next = mlirOperationGetNextInBlock(copy);
  zc_hand_off hand_off = {.copy = copy};
  if (is_maintenance_of(ops, previous, ZC_OP_CMD_INVALIDATE, copy, ZC_COPY_SOURCE))
    hand_off.invalidate = previous;
  if (is_maintenance_of(ops, next, ZC_OP_CMD_FLUSH, copy, ZC_COPY_TARGET))
    hand_off.flush = next;
  if (mlirOperationIsNull(hand_off.invalidate) && mlirOperationIsNull(hand_off.flush))
    return;
  hand_off.source = zc_storage_of(scheduled, mlirOperationGetOperand(copy, ZC_COPY_SOURCE));
  hand_off.result = zc_storage_of(scheduled, mlirOperationGetOperand(copy, ZC_COPY_TARGET));
  /* A copy's two accesses were added just now. */
  hand_off.write = zc_list_at(&hand_off.result->accesses, zc_access *, hand_off.result->accesses.count - 1);
  int before = hand_off.source == hand_off.result ? 2 : 1;
  hand_off.read = zc_list_at(&hand_off.source->accesses, zc_access *, hand_off.source->accesses.count - before);
  if (!mlirOperationIsNull(hand_off.invalidate))
    hand_off.invalidated =
        zc_list_at(&hand_off.source->accesses, zc_access *, hand_off.source->accesses.count - before - 1);
  zc_list_push(arena, &scheduled->hand_offs, zc_hand_off, hand_off);
}

/* The flush that a copy was found to have comes right after it. */
static void add_flush(zc_scheduled *scheduled, MlirOperation flush) {
  if (!scheduled->hand_offs.count)
    return;
  zc_hand_off *last = &zc_list_at(&scheduled->hand_offs, zc_hand_off, scheduled->hand_offs.count - 1);
  if (mlirOperationEqual(last->flush, flush))
    last->flushed = zc_list_at(&last->result->accesses, zc_access *, last->result->accesses.count - 1);
}

static void read_command(zc_scheduled *scheduled, MlirOperation command, zc_access place) {
  const zc_ops *ops = scheduled->context->ops;
  zc_range *ranges;
  int count = zc_command_ranges(scheduled->context->arena, ops, command, &ranges);
  if (count < 0) {
    mark_unsupported(scheduled, command);
    return;
  }
  place.command = command;
  bool dispatched = zc_op_of(ops, command) == ZC_OP_CMD_DISPATCH;
  for (int i = 0; i < count; ++i) {
    place.range = ranges[i];
    if (dispatched && place.range.mode)
      place.used = zc_kernel_bound(scheduled->context, command, i);
    add_access(scheduled, place);
  }
}

static void read_group(zc_scheduled *scheduled, MlirBlock block, zc_region *region, zc_group *group) {
  const zc_ops *ops = scheduled->context->ops;
  MlirOperation previous = {NULL};
  int index = 0;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       previous = op, op = mlirOperationGetNextInBlock(op), ++index) {
    zc_op kind = zc_op_of(ops, op);
    if (kind == ZC_OP_YIELD)
      continue;
    if (kind == ZC_OP_CMD_SERIAL || kind == ZC_OP_CMD_CONCURRENT) {
      zc_group *inner = zc_arena_new(scheduled->context->arena, zc_group);
      *inner = (zc_group){group, index, group->depth + 1, kind == ZC_OP_CMD_CONCURRENT};
      read_group(scheduled, mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(op)), region, inner);
      continue;
    }
    read_command(scheduled, op, (zc_access){.region = region, .group = group, .index = index});
    if (kind == ZC_OP_CMD_COPY)
      add_hand_off(scheduled, op, previous);
    else if (kind == ZC_OP_CMD_FLUSH)
      add_flush(scheduled, op);
  }
}

static void read_execute(zc_scheduled *scheduled, MlirOperation execute) {
  zc_context *context = scheduled->context;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(execute));
  const zc_affinity *affinity = zc_affinity_read(context->affinities, zc_execution_affinity(context, execute));
  zc_region *region = zc_arena_new(context->arena, zc_region);
  *region = (zc_region){execute, mlirOperationGetBlock(execute), affinity->devices, affinity->device, {0}};
  zc_ptr_map_set(scheduled->regions, execute.ptr, region);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i) {
    zc_storage *storage = zc_storage_of(scheduled, mlirOperationGetOperand(execute, i));
    zc_ptr_map_set(scheduled->storages, mlirBlockGetArgument(body, i).ptr, storage);
  }
  zc_group *group = zc_arena_new(context->arena, zc_group);
  read_group(scheduled, body, region, group);
}

/* ---- everything else ---- */

static void mark_escapes(zc_scheduled *scheduled, MlirOperation op) {
  zc_context *context = scheduled->context;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (zc_is_resource(context->ops, mlirValueGetType(operand)))
      zc_list_push(context->arena, &zc_storage_of(scheduled, operand)->escapes, MlirOperation, op);
  }
}

static void read_block(zc_scheduled *scheduled, MlirBlock block);

static void read_regions(zc_scheduled *scheduled, MlirOperation op) {
  for (MlirRegion region = mlirOperationGetFirstRegion(op); !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region))
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      read_block(scheduled, block);
}

static void read_op(zc_scheduled *scheduled, MlirOperation op) {
  zc_context *context = scheduled->context;
  switch (zc_op_of(context->ops, op)) {
  case ZC_OP_CMD_EXECUTE:
    read_execute(scheduled, op);
    return;
  case ZC_OP_DEALLOCA: {
    zc_storage *storage = zc_storage_of(scheduled, mlirOperationGetOperand(op, 0));
    zc_list_push(context->arena, &storage->deallocas, MlirOperation, op);
    return;
  }
  case ZC_OP_TIMEPOINT_AWAIT:
    return;
  case ZC_OP_TENSOR_EXPORT:
  case ZC_OP_BR:
  case ZC_OP_COND_BR:
  case ZC_OP_SWITCH:
  case ZC_OP_GLOBAL_STORE:
  case ZC_OP_UTIL_CALL:
  case ZC_OP_UTIL_RETURN:
    mark_escapes(scheduled, op);
    return;
  default:
    mark_unsupported(scheduled, op);
    read_regions(scheduled, op);
  }
}

static void read_block(zc_scheduled *scheduled, MlirBlock block) {
  zc_timeline_add_block(scheduled->timeline, block);
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    read_op(scheduled, op);
}

int zc_position_in(const zc_scheduled *scheduled, MlirOperation op, MlirBlock block) {
  while (!mlirOperationIsNull(op) && !mlirBlockEqual(mlirOperationGetBlock(op), block)) {
    if (mlirOperationEqual(op, scheduled->function))
      return INT_MAX;
    op = mlirOperationGetParentOperation(op);
  }
  int position = mlirOperationIsNull(op) ? -1 : zc_timeline_position(scheduled->timeline, op);
  return position < 0 ? INT_MAX : position;
}

int zc_first_use(const zc_scheduled *scheduled, MlirValue value, MlirBlock block) {
  int first = INT_MAX;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    int position = zc_position_in(scheduled, mlirOpOperandGetOwner(use), block);
    if (position < first)
      first = position;
  }
  return first;
}

static void sum_up(zc_storage *storage) {
  for (int i = 0; i < storage->accesses.count; ++i) {
    const zc_access *access = zc_list_at(&storage->accesses, zc_access *, i);
    storage->users |= access->region->devices;
    storage->unknown_user |= !access->region->devices;
  }
  for (int i = 0; i < storage->deallocas.count; ++i)
    storage->freed_elsewhere |=
        !mlirBlockEqual(mlirOperationGetBlock(zc_list_at(&storage->deallocas, MlirOperation, i)), storage->block);
}

/* What takes all of the function to tell. */
static void sum_up_roots(zc_scheduled *scheduled) {
  for (int i = 0; i < scheduled->roots.count; ++i) {
    zc_storage *storage = zc_list_at(&scheduled->roots, zc_storage *, i);
    storage->first_use = zc_first_use(scheduled, storage->root, storage->block);
    sum_up(storage);
  }
}

zc_scheduled *zc_scheduled_create(zc_context *context, MlirOperation function) {
  zc_scheduled *scheduled = zc_arena_new(context->arena, zc_scheduled);
  scheduled->context = context;
  scheduled->function = function;
  scheduled->timeline = zc_timeline_create(context);
  scheduled->storages = zc_ptr_map_create(context->arena);
  scheduled->regions = zc_ptr_map_create(context->arena);
  read_regions(scheduled, function);
  sum_up_roots(scheduled);
  return scheduled;
}

void zc_scheduled_release(zc_scheduled *scheduled) {
  zc_timeline_release(scheduled->timeline);
  zc_ptr_map_release(scheduled->storages);
  zc_ptr_map_release(scheduled->regions);
}

bool zc_access_writes(const zc_access *access) {
  return access->range.mode & ZC_ACCESS_WRITE;
}

/* ---- order ---- */

static bool is_ordered_in_region(const zc_access *earlier, const zc_access *later) {
  const zc_group *a = earlier->group;
  const zc_group *b = later->group;
  int first = earlier->index;
  int second = later->index;
  while (a != b) {
    bool step_a = a->depth >= b->depth;
    bool step_b = b->depth >= a->depth;
    if (step_a) {
      first = a->index;
      a = a->parent;
    }
    if (step_b) {
      second = b->index;
      b = b->parent;
    }
  }
  return !a->concurrent && first < second;
}

bool zc_access_is_ordered(zc_scheduled *scheduled, const zc_access *earlier, const zc_access *later) {
  if (earlier->region == later->region)
    return is_ordered_in_region(earlier, later);
  return zc_timeline_is_ordered(scheduled->timeline, earlier->region->execute, later->region->execute);
}
