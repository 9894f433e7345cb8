/* zc-alias-allocations: on scheduled IR, the result of a transfer takes its source's storage.
 *
 * Needs:    stream.cmd.* with timepoints (any output of IREE's cmd pipeline); a topology, else nothing changes.
 * Keeps:    every edge in time: what awaited the copy awaits what the copy awaited.
 * Declines: what passes/reasons.h lists; the transfer keeps its copy, and the remark says why.
 *
 * All decisions of a function are made first, on the IR as it came (passes/scheduled_decisions.c); the rewrite below
 * then only carries them out. */
#include "capi/ptr_map.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "passes/constants.h"
#include "passes/extents.h"
#include "passes/scheduled_decisions.h"
#include "passes/timepoint_edits.h"

/* A storage that serves for others, too. */
typedef struct survivor {
  zc_storage *storage;
  MlirAttribute affinity; ///< Of all allocations that become one, joined.
  MlirOperation dealloca; ///< The one that stays; null where the storage isn't freed by the program.
  zc_list late;           ///< MlirOperation: the deallocations that it doesn't wait for yet.
} survivor;

typedef struct rewrite {
  zc_context *context;
  zc_scheduled *scheduled;
  zc_list merged;     ///< zc_hand_off *
  zc_list survivors;  ///< survivor *
  zc_ptr_map *listed; ///< Regions and storages that are dealt with.
  zc_constants *constants;
  zc_timepoint_edits edits;
} rewrite;

static bool list_once(rewrite *rewrite, const void *key) {
  if (zc_ptr_map_get(rewrite->listed, key))
    return false;
  zc_ptr_map_set(rewrite->listed, key, rewrite);
  return true;
}

/* ---- copies and regions ---- */

static void erase_copy(rewrite *rewrite, const zc_hand_off *hand_off) {
  const zc_ops *ops = rewrite->context->ops;
  if (!mlirOperationIsNull(hand_off->invalidate))
    zc_erase_command(ops, hand_off->invalidate);
  if (!mlirOperationIsNull(hand_off->flush))
    zc_erase_command(ops, hand_off->flush);
  zc_erase_command(ops, hand_off->copy);
}

/* The value that an execution region is to capture instead of `value`: the root of what serves in its place. */
static MlirValue served_by(rewrite *rewrite, MlirValue value) {
  zc_storage *storage = zc_ptr_map_get(rewrite->scheduled->storages, value.ptr);
  if (!storage || !mlirValueEqual(storage->root, value))
    return value;
  return zc_storage_representative(storage)->root;
}

/* The size that goes with it: that of memory which isn't allocated here is known from elsewhere. */
static MlirValue served_size(rewrite *rewrite, MlirValue value, MlirValue size) {
  zc_storage *storage = zc_ptr_map_get(rewrite->scheduled->storages, value.ptr);
  if (!storage || !storage->merged_into)
    return size;
  return zc_storage_representative(storage)->size;
}

typedef struct captures {
  MlirValue *resources;
  MlirValue *sizes;
  int count;
} captures;

/* Each resource once, and only those that are used; the body's arguments follow. */
static captures gather_captures(rewrite *rewrite, MlirOperation execute, MlirBlock body) {
  zc_arena *arena = rewrite->context->arena;
  zc_segment resources = zc_operand_segment(execute, ZC_EXECUTE_RESOURCES);
  zc_segment sizes = zc_operand_segment(execute, ZC_EXECUTE_SIZES);
  captures captures = {zc_arena_array(arena, MlirValue, resources.count),
                       zc_arena_array(arena, MlirValue, resources.count), 0};
  zc_ptr_map *captured = zc_ptr_map_create(arena); /* Resource -> argument. */
  for (int i = 0; i < resources.count; ++i) {
    MlirValue argument = mlirBlockGetArgument(body, captures.count);
    MlirValue resource = served_by(rewrite, mlirOperationGetOperand(execute, resources.first + i));
    MlirValue before = {zc_ptr_map_get(captured, resource.ptr)};
    if (!zc_value_is_null(before))
      mlirValueReplaceAllUsesOfWith(argument, before);
    if (!zc_value_is_null(before) || mlirOpOperandIsNull(mlirValueGetFirstUse(argument))) {
      mlirBlockEraseArgument(body, (unsigned)captures.count);
      continue;
    }
    zc_ptr_map_set(captured, resource.ptr, (void *)(uintptr_t)argument.ptr);
    captures.resources[captures.count] = resource;
    captures.sizes[captures.count++] = served_size(rewrite, mlirOperationGetOperand(execute, resources.first + i),
                                                   mlirOperationGetOperand(execute, sizes.first + i));
  }
  zc_ptr_map_release(captured);
  return captures;
}

static void recapture(rewrite *rewrite, zc_region *region) {
  zc_arena *arena = rewrite->context->arena;
  MlirOperation execute = region->execute;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(execute));
  captures captures = gather_captures(rewrite, execute, body);
  MlirValue awaited = zc_await_of(rewrite->context->ops, execute);
  bool waits = !zc_value_is_null(awaited);
  MlirValue *operands = zc_arena_array(arena, MlirValue, 2 * (intptr_t)captures.count + 1);
  for (int i = 0; i < captures.count; ++i) {
    operands[i] = captures.resources[i];
    operands[captures.count + i] = captures.sizes[i];
  }
  operands[2 * (intptr_t)captures.count] = awaited;
  int32_t segments[] = {captures.count, captures.count, waits};
  region->execute = zc_rebuild_with_operands(execute, 2 * captures.count + waits, operands, 3, segments);
}

/* Ranges of what becomes a part of something larger move to where that part is. */
static void move_ranges(rewrite *rewrite, const zc_storage *storage) {
  zc_constants *constants = rewrite->constants;
  for (int i = 0; i < storage->accesses.count; ++i) {
    const zc_access *access = zc_list_at(&storage->accesses, zc_access *, i);
    if (access->gone || !access->clip)
      continue;
    zc_extent extent = zc_extent_of(rewrite->context->ops, access);
    int64_t end = extent.end > access->clip ? access->clip : extent.end;
    mlirOperationSetOperand(access->command, access->range.offset_operand, zc_index_constant(constants, extent.begin));
    mlirOperationSetOperand(access->command, access->range.length_operand,
                            zc_index_constant(constants, end - extent.begin));
    mlirOperationSetOperand(access->command, access->range.size_operand, storage->size);
  }
}

/* Every region that used a storage that is merged away, or that loses a copy. */
static void recapture_regions(rewrite *rewrite) {
  for (int i = 0; i < rewrite->survivors.count; ++i) {
    const zc_storage *storage = zc_list_at(&rewrite->survivors, survivor *, i)->storage;
    for (int j = 0; j < storage->accesses.count; ++j) {
      zc_region *region = zc_list_at(&storage->accesses, zc_access *, j)->region;
      if (list_once(rewrite, region))
        recapture(rewrite, region);
    }
  }
}

static void erase_empty_region(rewrite *rewrite, zc_region *region) {
  MlirOperation none = {NULL};
  if (!mlirOperationIsNull(region->execute) && zc_erase_if_empty(&rewrite->edits, region->execute))
    region->execute = none;
}

/* ---- storages ---- */

static void erase_allocation(rewrite *rewrite, zc_storage *result) {
  MlirOperation alloca = result->definition;
  mlirValueReplaceAllUsesOfWith(result->root, zc_storage_representative(result)->root);
  zc_bypass_timepoint(&rewrite->edits, alloca, 1);
  mlirOperationDestroy(alloca);
}

/* The size that a grown allocation takes, made before it: a constant, or the old size rounded up. */
static MlirValue materialize_size(rewrite *rewrite, const zc_storage *storage) {
  MlirOperation alloca = storage->definition;
  MlirOperation size = mlirOperationClone(zc_defining_op(storage->size));
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(alloca), alloca, size);
  if (zc_op_of(rewrite->context->ops, size) == ZC_OP_UTIL_ALIGN) {
    MlirOperation alignment = mlirOperationClone(zc_defining_op(mlirOperationGetOperand(size, 1)));
    mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(alloca), size, alignment);
    mlirOperationSetOperand(size, 0, mlirOperationGetOperand(alloca, 0));
    mlirOperationSetOperand(size, 1, mlirOperationGetResult(alignment, 0));
  }
  return mlirOperationGetResult(size, 0);
}

static void resize_commands(rewrite *rewrite, MlirValue argument, MlirValue size) {
  zc_context *context = rewrite->context;
  for (MlirOpOperand use = mlirValueGetFirstUse(argument); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation command = mlirOpOperandGetOwner(use);
    zc_range *ranges;
    int count = zc_command_ranges(context->arena, context->ops, command, &ranges);
    for (int i = 0; i < count; ++i)
      if (ranges[i].resource_operand == (int)mlirOpOperandGetOperandNumber(use))
        mlirOperationSetOperand(command, ranges[i].size_operand, size);
  }
}

static void retype_uses(rewrite *rewrite, MlirValue value, MlirValue size, MlirType type);

static void retype_use(rewrite *rewrite, MlirOperation user, int operand, MlirValue size, MlirType type) {
  const zc_ops *ops = rewrite->context->ops;
  switch (zc_op_of(ops, user)) {
  case ZC_OP_CMD_EXECUTE: {
    MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(user));
    MlirValue argument = mlirBlockGetArgument(body, operand);
    mlirValueSetType(argument, type);
    mlirOperationSetOperand(user, zc_operand_segment(user, ZC_EXECUTE_SIZES).first + operand, size);
    resize_commands(rewrite, argument, size);
    return;
  }
  case ZC_OP_DEALLOCA:
    mlirOperationSetOperand(user, 1, size);
    return;
  case ZC_OP_TIMEPOINT_AWAIT:
    mlirOperationSetOperand(user, zc_operand_segment(user, 1).first + operand, size);
    retype_uses(rewrite, mlirOperationGetResult(user, operand), size, type);
    return;
  default:
    return;
  }
}

static void retype_uses(rewrite *rewrite, MlirValue value, MlirValue size, MlirType type) {
  mlirValueSetType(value, type);
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    retype_use(rewrite, mlirOpOperandGetOwner(use), (int)mlirOpOperandGetOperandNumber(use), size, type);
}

/* Widened over all devices that touch it; pinned where only one device's memory serves them all. */
static MlirAttribute common_affinity(rewrite *rewrite, const zc_storage *storage, MlirAttribute affinity) {
  zc_context *context = rewrite->context;
  zc_device_set all = zc_affinity_read(context->affinities, affinity)->devices;
  for (int i = 0; i < storage->accesses.count; ++i) {
    const zc_access *access = zc_list_at(&storage->accesses, zc_access *, i);
    if (access->gone || !(access->region->devices & ~all))
      continue;
    affinity = zc_affinity_join(context->affinities, affinity, zc_execution_affinity(context, access->region->execute));
    all |= access->region->devices;
  }
  int owner = -1;
  if (!zc_topology_can_share(context->topology, all, &owner) || owner < 0 || all == (zc_device_set)1 << owner)
    return affinity;
  const char *text = zc_arena_format(context->arena, "#hal.device.affinity<%s>",
                                     zc_symbol_text(context->arena, zc_devices_symbol(context->devices, owner)));
  return mlirAttributeParseGet(context->mlir, zc_str(text));
}

static MlirOperation await_also(rewrite *rewrite, MlirOperation dealloca, zc_list *timepoints) {
  zc_arena *arena = rewrite->context->arena;
  if (!timepoints->count)
    return dealloca;
  MlirValue awaited = zc_await_of(rewrite->context->ops, dealloca);
  if (!zc_value_is_null(awaited))
    zc_list_push(arena, timepoints, MlirValue, awaited);
  MlirValue operands[3] = {mlirOperationGetOperand(dealloca, 0), mlirOperationGetOperand(dealloca, 1),
                           zc_join_before(&rewrite->edits, dealloca, timepoints)};
  return zc_rebuild_with_operands(dealloca, 3, operands, 0, NULL);
}

/* The last deallocation of the block frees for all; it waits for what the others did. */
static void merge_deallocas(rewrite *rewrite, survivor *survivor) {
  zc_context *context = rewrite->context;
  const zc_list *deallocas = &survivor->storage->deallocas;
  zc_list timepoints = {0};
  for (int i = 0; i < deallocas->count; ++i) {
    MlirOperation dealloca = zc_list_at(deallocas, MlirOperation, i);
    if (!mlirOperationEqual(dealloca, survivor->dealloca))
      zc_bypass_timepoint(&rewrite->edits, dealloca, 0);
  }
  /* Only now: one of them may have waited for another. */
  for (int i = 0; i < survivor->late.count; ++i) {
    MlirValue awaited = zc_await_of(context->ops, zc_list_at(&survivor->late, MlirOperation, i));
    if (!zc_value_is_null(awaited))
      zc_list_push(context->arena, &timepoints, MlirValue, awaited);
  }
  for (int i = 0; i < deallocas->count; ++i) {
    MlirOperation dealloca = zc_list_at(deallocas, MlirOperation, i);
    if (!mlirOperationEqual(dealloca, survivor->dealloca))
      mlirOperationDestroy(dealloca);
  }
  if (!mlirOperationIsNull(survivor->dealloca))
    survivor->dealloca = await_also(rewrite, survivor->dealloca, &timepoints);
}

/* Memory that isn't allocated here stays as it is; its new users take its type. */
static void serve_foreign(rewrite *rewrite, survivor *survivor) {
  merge_deallocas(rewrite, survivor);
  const zc_storage *storage = survivor->storage;
  for (int i = 0; i < storage->accesses.count; ++i) {
    const zc_access *access = zc_list_at(&storage->accesses, zc_access *, i);
    if (!access->gone)
      mlirValueSetType(mlirOperationGetOperand(access->command, access->range.resource_operand), storage->type);
  }
}

static void unify_storage(rewrite *rewrite, survivor *survivor) {
  zc_storage *storage = survivor->storage;
  MlirOperation alloca = storage->definition;
  if (storage->kind != ZC_OP_ALLOCA) {
    serve_foreign(rewrite, survivor);
    return;
  }
  MlirValue size = storage->grows ? materialize_size(rewrite, storage) : mlirOperationGetOperand(alloca, 0);
  mlirOperationSetOperand(alloca, 0, size);
  merge_deallocas(rewrite, survivor);
  retype_uses(rewrite, storage->root, size, storage->type);
  MlirAttribute affinity = common_affinity(rewrite, storage, survivor->affinity);
  mlirOperationSetAttributeByName(alloca, zc_str("affinity"), affinity);
  if (!mlirOperationIsNull(survivor->dealloca))
    mlirOperationSetAttributeByName(survivor->dealloca, zc_str("affinity"), affinity);
}

/* ---- a function ---- */

static void join_affinity(rewrite *rewrite, survivor *survivor, const zc_storage *storage) {
  if (storage->kind != ZC_OP_ALLOCA)
    return;
  survivor->affinity = zc_affinity_join(rewrite->context->affinities, survivor->affinity,
                                        zc_execution_affinity(rewrite->context, storage->definition));
}

/* Chooses the deallocation that stays, and those that it doesn't wait for yet, while the timeline is that of the IR. */
static void choose_dealloca(rewrite *rewrite, survivor *survivor) {
  zc_timeline *timeline = rewrite->scheduled->timeline;
  const zc_list *deallocas = &survivor->storage->deallocas;
  int last = 0;
  if (survivor->storage->never_freed || !deallocas->count)
    return;
  for (int i = 1; i < deallocas->count; ++i)
    if (zc_timeline_position(timeline, zc_list_at(deallocas, MlirOperation, i)) >
        zc_timeline_position(timeline, zc_list_at(deallocas, MlirOperation, last)))
      last = i;
  survivor->dealloca = zc_list_at(deallocas, MlirOperation, last);
  for (int i = 0; i < deallocas->count; ++i)
    if (i != last && !zc_timeline_is_ordered(timeline, zc_list_at(deallocas, MlirOperation, i), survivor->dealloca))
      zc_list_push(rewrite->context->arena, &survivor->late, MlirOperation, zc_list_at(deallocas, MlirOperation, i));
}

static void list_survivors(rewrite *rewrite) {
  zc_arena *arena = rewrite->context->arena;
  zc_ptr_map *known = zc_ptr_map_create(arena);
  for (int i = 0; i < rewrite->merged.count; ++i) {
    const zc_hand_off *hand_off = zc_list_at(&rewrite->merged, zc_hand_off *, i);
    zc_storage *storage = zc_storage_representative(hand_off->source);
    survivor *survivor = zc_ptr_map_get(known, storage);
    if (!survivor) {
      survivor = zc_arena_alloc(arena, sizeof *survivor);
      survivor->storage = storage;
      if (storage->kind == ZC_OP_ALLOCA)
        survivor->affinity = zc_execution_affinity(rewrite->context, storage->definition);
      choose_dealloca(rewrite, survivor);
      zc_ptr_map_set(known, storage, survivor);
      zc_list_push(arena, &rewrite->survivors, void *, survivor);
    }
    join_affinity(rewrite, survivor, hand_off->source);
    join_affinity(rewrite, survivor, hand_off->result);
  }
  zc_ptr_map_release(known);
}

static void erase_if_merged(rewrite *rewrite, zc_storage *storage) {
  if (storage->merged_into && list_once(rewrite, storage))
    erase_allocation(rewrite, storage);
}

static void apply(rewrite *rewrite) {
  list_survivors(rewrite);
  for (int i = 0; i < rewrite->merged.count; ++i)
    erase_copy(rewrite, zc_list_at(&rewrite->merged, zc_hand_off *, i));
  for (int i = 0; i < rewrite->survivors.count; ++i)
    move_ranges(rewrite, zc_list_at(&rewrite->survivors, survivor *, i)->storage);
  recapture_regions(rewrite);
  for (int i = 0; i < rewrite->merged.count; ++i) {
    const zc_hand_off *hand_off = zc_list_at(&rewrite->merged, zc_hand_off *, i);
    erase_if_merged(rewrite, hand_off->result);
    erase_if_merged(rewrite, hand_off->source);
  }
  for (int i = 0; i < rewrite->survivors.count; ++i)
    unify_storage(rewrite, zc_list_at(&rewrite->survivors, survivor *, i));
  for (int i = 0; i < rewrite->merged.count; ++i)
    erase_empty_region(rewrite, zc_list_at(&rewrite->merged, zc_hand_off *, i)->read->region);
}

typedef struct outcome {
  bool failed;
} outcome;

static void decide(rewrite *rewrite, outcome *outcome) {
  zc_context *context = rewrite->context;
  for (int i = 0; i < rewrite->scheduled->hand_offs.count; ++i) {
    zc_hand_off *hand_off = &zc_list_at(&rewrite->scheduled->hand_offs, zc_hand_off, i);
    zc_transfer transfer;
    zc_decide_hand_off(rewrite->scheduled, hand_off, &transfer);
    if (!zc_is_classified(hand_off->copy) && mlirLogicalResultIsFailure(zc_publish(context, &transfer)))
      outcome->failed = true;
    if (!context->options.keepAnnotations)
      zc_remove_annotations(hand_off->copy);
    if (transfer.decision == ZC_DECISION_ALIAS)
      zc_list_push(context->arena, &rewrite->merged, zc_hand_off *, hand_off);
  }
}

static void run_on_function(zc_context *context, MlirOperation function, void *data) {
  outcome *outcome = data;
  rewrite rewrite = {.context = context, .scheduled = zc_scheduled_create(context, function)};
  rewrite.listed = zc_ptr_map_create(context->arena);
  rewrite.edits = zc_timepoint_edits_begin(context);
  rewrite.constants = zc_constants_create(context, function);
  decide(&rewrite, outcome);
  if (!outcome->failed)
    apply(&rewrite);
  zc_timepoint_edits_end(&rewrite.edits);
  zc_ptr_map_release(rewrite.listed);
  zc_constants_release(rewrite.constants);
  zc_scheduled_release(rewrite.scheduled);
}

static MlirLogicalResult run(zc_context *context) {
  outcome outcome = {false};
  zc_for_each_function(context, run_on_function, &outcome);
  return outcome.failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}

MlirPass streamZcCreateAliasAllocationsPass(const StreamZcOptions *options) {
  static const double id;
  return zc_pass_create(&id, "AliasAllocations", "zc-alias-allocations",
                        "Gives the result of a transfer its source's storage, on scheduled IR", options, run);
}
