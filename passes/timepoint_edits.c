#include "passes/timepoint_edits.h"

#include "capi/ptr_map.h"
#include "capi/text.h"

zc_timepoint_edits zc_timepoint_edits_begin(zc_context *context) {
  return (zc_timepoint_edits){.context = context, .listed = zc_ptr_map_create(context->arena)};
}

static void list_join(zc_timepoint_edits *edits, MlirOperation join) {
  if (zc_ptr_map_get(edits->listed, join.ptr))
    return;
  zc_ptr_map_set(edits->listed, join.ptr, edits);
  zc_list_push(edits->context->arena, &edits->joins, MlirOperation, join);
}

void zc_replace_timepoint(zc_timepoint_edits *edits, MlirValue timepoint, MlirValue with) {
  for (MlirOpOperand use = mlirValueGetFirstUse(timepoint); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    if (zc_op_of(edits->context->ops, user) == ZC_OP_TIMEPOINT_JOIN)
      list_join(edits, user);
  }
  mlirValueReplaceAllUsesOfWith(timepoint, with);
}

void zc_bypass_timepoint(zc_timepoint_edits *edits, MlirOperation op, intptr_t result) {
  MlirValue timepoint = mlirOperationGetResult(op, result);
  if (mlirOpOperandIsNull(mlirValueGetFirstUse(timepoint)))
    return;
  MlirValue awaited = zc_await_of(edits->context->ops, op);
  zc_replace_timepoint(edits, timepoint, zc_value_is_null(awaited) ? zc_immediate_before(op) : awaited);
}

MlirValue zc_join_before(zc_timepoint_edits *edits, MlirOperation op, const zc_list *timepoints) {
  if (!timepoints->items)
    return zc_immediate_before(op);
  MlirOperationState state = mlirOperationStateGet(zc_str("stream.timepoint.join"), mlirOperationGetLocation(op));
  mlirOperationStateAddOperands(&state, timepoints->count, timepoints->items);
  MlirType type = mlirValueGetType(zc_list_at(timepoints, MlirValue, 0));
  mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation join = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, join);
  list_join(edits, join);
  return mlirOperationGetResult(join, 0);
}

/* ---- joins ---- */

static void mark(zc_ptr_map *implied, const void *key) {
  zc_ptr_map_set(implied, key, implied);
}

/* Reaching `later` means that what its op awaited was reached: as far as one step shows. */
static void mark_implied(const zc_ops *ops, zc_ptr_map *implied, MlirValue later) {
  zc_op kind = zc_op_defining(ops, later);
  if (kind != ZC_OP_ALLOCA && kind != ZC_OP_DEALLOCA && kind != ZC_OP_CMD_EXECUTE)
    return;
  MlirValue awaited = zc_await_of(ops, zc_defining_op(later));
  if (zc_value_is_null(awaited) || zc_ptr_map_get(implied, awaited.ptr))
    return;
  mark(implied, awaited.ptr);
  if (zc_op_defining(ops, awaited) != ZC_OP_TIMEPOINT_JOIN)
    return;
  MlirOperation join = zc_defining_op(awaited);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(join); ++i)
    mark(implied, mlirOperationGetOperand(join, i).ptr);
}

/* The operands that no other implies, each once; at least one. */
static int needed_operands(zc_context *context, MlirOperation join, MlirValue *kept) {
  intptr_t total = mlirOperationGetNumOperands(join);
  zc_ptr_map *implied = zc_ptr_map_create(context->arena);
  int count = 0;
  for (intptr_t i = 0; i < total; ++i)
    mark_implied(context->ops, implied, mlirOperationGetOperand(join, i));
  for (intptr_t i = 0; i < total; ++i) {
    MlirValue operand = mlirOperationGetOperand(join, i);
    if (zc_ptr_map_get(implied, operand.ptr) || zc_op_defining(context->ops, operand) == ZC_OP_TIMEPOINT_IMMEDIATE)
      continue;
    mark(implied, operand.ptr);
    kept[count++] = operand;
  }
  if (!count)
    kept[count++] = mlirOperationGetOperand(join, 0);
  zc_ptr_map_release(implied);
  return count;
}

static void tidy_join(zc_context *context, MlirOperation join) {
  intptr_t total = mlirOperationGetNumOperands(join);
  MlirValue *kept = zc_arena_array(context->arena, MlirValue, total + 1);
  int count = needed_operands(context, join, kept);
  if (count == 1)
    zc_replace_op(join, kept);
  else if (count < total)
    zc_rebuild_with_operands(join, count, kept, 0, NULL);
}

void zc_timepoint_edits_end(zc_timepoint_edits *edits) {
  for (int i = 0; i < edits->joins.count; ++i)
    tidy_join(edits->context, zc_list_at(&edits->joins, MlirOperation, i));
  zc_ptr_map_release(edits->listed);
}

/* ---- regions ---- */

static bool holds_nothing(const zc_ops *ops, MlirBlock block) {
  MlirOperation first = mlirBlockGetFirstOperation(block);
  return mlirOperationIsNull(first) || zc_op_of(ops, first) == ZC_OP_YIELD;
}

static bool holds_one(const zc_ops *ops, MlirBlock block) {
  MlirOperation second = mlirOperationGetNextInBlock(mlirBlockGetFirstOperation(block));
  return mlirOperationIsNull(second) || zc_op_of(ops, second) == ZC_OP_YIELD;
}

MlirOperation zc_execute_await_also(zc_timepoint_edits *edits, MlirOperation execute, const zc_list *timepoints) {
  zc_context *context = edits->context;
  MlirValue awaited = zc_await_of(context->ops, execute);
  zc_list all = {0};
  if (!zc_value_is_null(awaited))
    zc_list_push(context->arena, &all, MlirValue, awaited);
  for (int i = 0; i < timepoints->count; ++i)
    zc_list_push(context->arena, &all, MlirValue, zc_list_at(timepoints, MlirValue, i));
  MlirValue joined = all.count == 1 ? zc_list_at(&all, MlirValue, 0) : zc_join_before(edits, execute, &all);
  if (!zc_value_is_null(awaited)) {
    mlirOperationSetOperand(execute, mlirOperationGetNumOperands(execute) - 1, joined);
    return execute;
  }
  intptr_t count = mlirOperationGetNumOperands(execute);
  int32_t resources = zc_operand_segment(execute, ZC_EXECUTE_RESOURCES).count;
  int32_t segments[] = {resources, resources, 1};
  MlirValue *operands = zc_arena_array(context->arena, MlirValue, count + 1);
  for (intptr_t i = 0; i < count; ++i)
    operands[i] = mlirOperationGetOperand(execute, i);
  operands[count] = joined;
  return zc_rebuild_with_operands(execute, count + 1, operands, 3, segments);
}

bool zc_erase_if_empty(zc_timepoint_edits *edits, MlirOperation execute) {
  if (!holds_nothing(edits->context->ops, mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(execute))))
    return false;
  zc_bypass_timepoint(edits, execute, 0);
  mlirOperationDestroy(execute);
  return true;
}

void zc_erase_command(const zc_ops *ops, MlirOperation command) {
  MlirBlock block = mlirOperationGetBlock(command);
  mlirOperationDestroy(command);
  for (;;) {
    MlirOperation group = mlirBlockGetParentOperation(block);
    zc_op kind = zc_op_of(ops, group);
    if (kind != ZC_OP_CMD_SERIAL && kind != ZC_OP_CMD_CONCURRENT)
      return;
    if (!holds_nothing(ops, block)) {
      if (holds_one(ops, block)) {
        mlirOperationMoveBefore(mlirBlockGetFirstOperation(block), group);
        mlirOperationDestroy(group);
      }
      return;
    }
    block = mlirOperationGetBlock(group);
    mlirOperationDestroy(group);
  }
}
