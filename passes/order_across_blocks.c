#include "passes/order_across_blocks.h"

#include "capi/diagnostics.h"
#include "capi/ptr_map.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "passes/extents.h"
#include "passes/maintenance.h"
#include "passes/protecting_copies.h"
#include "passes/scheduled.h"
#include "passes/time_flow.h"
#include "passes/timepoint_edits.h"

/* Earlier accesses that one is asked about whether it waits for them. */
#define COVER_LIMIT 64

/* Accesses of one storage by one region. What comes after a later one of the block that waits for it, comes after it.
 */
typedef struct unit {
  zc_region *region;
  zc_list accesses; ///< const zc_access *
  zc_list covered;  ///< unit *: earlier ones of its block that it waits for.
} unit;

/* Storages that may come to name one memory. */
typedef struct group {
  const void *class;
  zc_list storages; ///< zc_storage *
  bool written;     ///< Here.
  bool spread;      ///< Control flow lies between its accesses, or between them and other functions.
} group;

/* An op whose timepoints are to follow from more than they do. */
typedef struct extension {
  MlirOperation op;
  zc_list regions;      ///< zc_region *: to wait for.
  MlirAttribute global; ///< Or for the timepoint that this global has, where not null.
} extension;

/* The end of a block that is to leave a global's timepoint following from regions of it. */
typedef struct closing {
  MlirBlock block;
  MlirAttribute global; ///< Of the timepoint.
  zc_list regions;      ///< zc_region *
} closing;

/* A reader that a copy would help. */
typedef struct protection_wish {
  const zc_access *writer;
  const zc_access *reader;
} protection_wish;

typedef struct across {
  zc_context *context;
  zc_values *values;
  const zc_ptr_map *updated;
  zc_scheduled *scheduled;
  zc_time_flow *flow;
  zc_list groups;       ///< group *
  zc_list extensions;   ///< extension *
  zc_ptr_map *extended; ///< Op -> extension.
  zc_list closings;     ///< closing *
  zc_list host_waits;   ///< unit *
  zc_list wishes;       ///< protection_wish: the first copy makes a new analysis due.
  zc_ptr_map *warned;   ///< Commands that were warned about.
  bool last_round;      ///< No more copies.
  bool exhausted;
} across;

/* ---- groups ---- */

static bool is_spread(const zc_ops *ops, const zc_storage *storage) {
  for (int i = 0; i < storage->accesses.count; ++i)
    if (!mlirBlockEqual(zc_list_at(&storage->accesses, zc_access *, i)->region->block, storage->block))
      return true;
  for (int i = 0; i < storage->escapes.count; ++i)
    if (zc_op_of(ops, zc_list_at(&storage->escapes, MlirOperation, i)) != ZC_OP_TENSOR_EXPORT)
      return true;
  return mlirOperationIsNull(storage->definition) || storage->kind == ZC_OP_GLOBAL_LOAD;
}

static group *group_of(across *across, zc_ptr_map *groups, const void *class) {
  group *found = zc_ptr_map_get(groups, class);
  if (found)
    return found;
  found = zc_arena_new(across->context->arena, group);
  found->class = class;
  zc_ptr_map_set(groups, class, found);
  zc_list_push(across->context->arena, &across->groups, group *, found);
  return found;
}

static void list_groups(across *across, zc_values *values) {
  zc_ptr_map *groups = zc_ptr_map_create(across->context->arena);
  for (int i = 0; i < across->scheduled->roots.count; ++i) {
    zc_storage *storage = zc_list_at(&across->scheduled->roots, zc_storage *, i);
    if (!storage->accesses.count)
      continue;
    group *group = group_of(across, groups, zc_class_of(values, storage->root));
    group->spread |= is_spread(across->context->ops, storage);
    for (int j = 0; j < storage->accesses.count; ++j)
      group->written |= zc_access_writes(zc_list_at(&storage->accesses, zc_access *, j));
    zc_list_push(across->context->arena, &group->storages, zc_storage *, storage);
  }
  zc_ptr_map_release(groups);
}

static bool is_updated(const across *across, const group *group) {
  return zc_ptr_map_get(across->updated, group->class);
}

/* ---- what is to be done ---- */

static void remark(const across *across, const zc_access *access, const char *how) {
  if (across->context->options.remarks)
    zc_remark_at(mlirOperationGetLocation(access->command),
                 "'%s' was in nothing's way when its memory is used again: %s", zc_op_name(access->command), how);
}

static extension *extension_of(across *across, MlirOperation op) {
  extension *entry = zc_ptr_map_get(across->extended, op.ptr);
  if (entry)
    return entry;
  entry = zc_arena_new(across->context->arena, extension);
  entry->op = op;
  zc_ptr_map_set(across->extended, op.ptr, entry);
  zc_list_push(across->context->arena, &across->extensions, extension *, entry);
  return entry;
}

static void add_region(across *across, zc_list *regions, zc_region *region) {
  for (int i = regions->count; i-- > 0;)
    if (zc_list_at(regions, zc_region *, i) == region)
      return;
  zc_list_push(across->context->arena, regions, zc_region *, region);
}

static void extend(across *across, MlirOperation op, zc_region *region) {
  add_region(across, &extension_of(across, op)->regions, region);
}

static void close_block(across *across, zc_region *region, MlirAttribute global) {
  zc_arena *arena = across->context->arena;
  for (int i = across->closings.count; i-- > 0;) {
    closing *entry = zc_list_at(&across->closings, closing *, i);
    if (mlirBlockEqual(entry->block, region->block) && mlirAttributeEqual(entry->global, global)) {
      add_region(across, &entry->regions, region);
      return;
    }
  }
  closing *entry = zc_arena_new(arena, closing);
  entry->block = region->block;
  entry->global = global;
  zc_list_push(arena, &entry->regions, zc_region *, region);
  zc_list_push(arena, &across->closings, closing *, entry);
}

/* Whether the timepoint of the region is known at `op`: it dominates it, and no other run of it comes in between. */
static bool is_known_at(across *across, const zc_region *region, MlirOperation op) {
  MlirBlock block = mlirOperationGetBlock(op);
  if (mlirBlockEqual(block, region->block))
    return zc_timeline_position(across->scheduled->timeline, region->execute) <
           zc_timeline_position(across->scheduled->timeline, op);
  return zc_time_flow_dominates(across->flow, region->block, block);
}

/* ---- one access of a unit and one that arrives ---- */

/* A write of the same bytes, else a read of bytes that are overwritten, else one that shares a line. */
static const zc_access *conflicting(across *across, const unit *unit, const zc_access *later) {
  int device = unit->region->device;
  bool one_device = device == later->region->device;
  int64_t line = one_device
                     ? zc_dropped_line(across->context,
                                       zc_class_writers(zc_class_of(across->values, later->storage->root)), device)
                     : zc_contested_line(across->context, device, later->region->device);
  const zc_access *reads = NULL;
  const zc_access *neighbor = NULL;
  for (int i = 0; i < unit->accesses.count; ++i) {
    const zc_access *access = zc_list_at(&unit->accesses, const zc_access *, i);
    if (!access->range.mode || !later->range.mode || !(zc_access_writes(access) || zc_access_writes(later)))
      continue;
    bool meets = zc_accesses_share(across->context->ops, access, later, 1);
    if (meets && zc_access_writes(access))
      return access;
    if (meets)
      reads = access;
    else if (line && (one_device || (zc_access_writes(access) && zc_access_writes(later))) &&
             zc_accesses_share(across->context->ops, access, later, line))
      neighbor = access;
  }
  return reads ? reads : neighbor;
}

static bool is_first_warning(across *across, const zc_access *access) {
  bool first = !zc_ptr_map_get(across->warned, access->command.ptr);
  zc_ptr_map_set(across->warned, access->command.ptr, across->warned);
  return first;
}

static void warn_unprotected(across *across, const zc_access *writer, const zc_access *reader) {
  if (!is_first_warning(across, reader))
    return;
  zc_warn_unprotected(writer, reader);
}

static void protect(across *across, const zc_access *writer, const zc_access *reader) {
  bool possible = reader->storage == writer->storage && is_known_at(across, writer->region, reader->region->execute);
  possible = possible && !across->last_round;
  protection_wish wish = {writer, reader};
  if (possible)
    zc_list_push(across->context->arena, &across->wishes, protection_wish, wish);
  else
    warn_unprotected(across, writer, reader);
}

/* True where the later one can't wait for the unit itself, since its timepoint isn't known there. */
static bool order(across *across, const unit *unit, const zc_access *access, const zc_access *later) {
  bool overwritten = zc_access_writes(access) && zc_accesses_share(across->context->ops, access, later, 1);
  if (overwritten && !zc_access_writes(later)) {
    protect(across, access, later);
    return false;
  }
  if (overwritten && is_first_warning(across, later))
    zc_warn_program_order(access, later);
  if (!is_known_at(across, unit->region, later->region->execute))
    return true;
  extend(across, later->region->execute, unit->region);
  remark(across, access, "that waits for it");
  return false;
}

static bool order_accesses(across *across, const unit *unit, const zc_arrivals *arrivals) {
  bool unknown = false;
  for (int i = 0; i < arrivals->accesses.count; ++i) {
    const zc_access *later = zc_list_at(&arrivals->accesses, const zc_access *, i);
    const zc_access *access = conflicting(across, unit, later);
    if (access)
      unknown |= order(across, unit, access, later);
  }
  return unknown;
}

/* ---- calls, returns and globals ---- */

static const zc_access *any_access(const unit *unit) {
  for (int i = 0; i < unit->accesses.count; ++i)
    if (zc_list_at(&unit->accesses, const zc_access *, i)->range.mode)
      return zc_list_at(&unit->accesses, const zc_access *, i);
  return NULL;
}

static bool order_hand_ons(across *across, const unit *unit, const zc_arrivals *arrivals) {
  bool unknown = false;
  for (int i = 0; i < arrivals->hand_ons.count; ++i) {
    MlirOperation op = zc_list_at(&arrivals->hand_ons, MlirOperation, i);
    if (is_known_at(across, unit->region, op)) {
      extend(across, op, unit->region);
      remark(across, any_access(unit), "the timepoints that go with it follow");
    } else {
      unknown = true;
    }
  }
  for (int i = 0; i < arrivals->untimed.count; ++i) {
    MlirOperation op = zc_list_at(&arrivals->untimed, MlirOperation, i);
    if (zc_ptr_map_get(across->warned, op.ptr))
      continue;
    zc_ptr_map_set(across->warned, op.ptr, across->warned);
    zc_warning_at(mlirOperationGetLocation(op),
                  "'%s' hands on memory that '%s' may still use, and no timepoint with it", zc_op_name(op),
                  zc_op_name(any_access(unit)->command));
  }
  return unknown;
}

/* IREE keeps the timepoint of a global in one that is mutable where anything changes it. */
static bool has_mutable_timepoint(across *across, MlirAttribute timepoint) {
  MlirOperation global = zc_lookup_symbol(across->context, timepoint);
  return !mlirOperationIsNull(global) && !mlirAttributeIsNull(zc_attribute(global, "is_mutable"));
}

static void order_globals(across *across, const unit *unit, const zc_arrivals *arrivals) {
  for (int i = 0; i < arrivals->stores.count; ++i) {
    MlirOperation store = zc_list_at(&arrivals->stores, MlirOperation, i);
    if (is_known_at(across, unit->region, store)) {
      extend(across, store, unit->region);
      continue;
    }
    extension_of(across, store)->global = zc_global_of(store);
    close_block(across, unit->region, zc_global_of(store));
  }
  for (int i = 0; i < arrivals->globals.count; ++i) {
    MlirAttribute timepoint = zc_global_timepoint(across->context, zc_list_at(&arrivals->globals, MlirAttribute, i));
    if (!has_mutable_timepoint(across, timepoint))
      continue;
    close_block(across, unit->region, timepoint);
    remark(across, any_access(unit), "the timepoint of its global follows");
  }
}

/* ---- units ---- */

static bool is_quiet(const zc_arrivals *arrivals) {
  return !arrivals->accesses.count && !arrivals->hand_ons.count && !arrivals->untimed.count &&
         !arrivals->stores.count && !arrivals->globals.count;
}

static bool still_unordered(across *across, const unit *unit, const zc_arrivals *arrivals, bool updated) {
  for (int i = 0; i < arrivals->accesses.count; ++i) {
    const zc_access *later = zc_list_at(&arrivals->accesses, const zc_access *, i);
    if (conflicting(across, unit, later) && !is_known_at(across, unit->region, later->region->execute))
      return true;
  }
  for (int i = 0; updated && i < arrivals->hand_ons.count; ++i)
    if (!is_known_at(across, unit->region, zc_list_at(&arrivals->hand_ons, MlirOperation, i)))
      return true;
  return false;
}

/* Where its timepoint isn't known at what arrives, the branch behind the unit passes it on, if that is of use there;
 * else the host waits before the branch. */
static void pass_on(across *across, unit *unit, bool updated) {
  zc_arrivals arrivals;
  MlirOperation branch = mlirBlockGetTerminator(unit->region->block);
  if (!zc_time_flow_from(across->flow, zc_list_at(&unit->accesses, const zc_access *, 0), true, &arrivals)) {
    across->exhausted = true;
    return;
  }
  if (!still_unordered(across, unit, &arrivals, updated)) {
    extend(across, branch, unit->region);
    remark(across, any_access(unit), "the timepoints that its block passes on follow");
    return;
  }
  zc_list_push(across->context->arena, &across->host_waits, struct unit *, unit);
  remark(across, any_access(unit), "the host waits for it");
}

static bool order_unit(across *across, unit *unit, bool updated) {
  zc_arrivals arrivals;
  if (!any_access(unit))
    return false;
  if (!zc_time_flow_from(across->flow, zc_list_at(&unit->accesses, const zc_access *, 0), false, &arrivals)) {
    across->exhausted = true;
    return false;
  }
  if (is_quiet(&arrivals))
    return false;
  bool unknown = order_accesses(across, unit, &arrivals);
  if (updated) {
    unknown |= order_hand_ons(across, unit, &arrivals);
    order_globals(across, unit, &arrivals);
  }
  if (unknown)
    pass_on(across, unit, updated);
  return true;
}

/* A call may come between two units of a chain. */
static bool is_handed_to_call(const zc_ops *ops, const zc_storage *storage) {
  for (int i = 0; i < storage->escapes.count; ++i)
    if (zc_op_of(ops, zc_list_at(&storage->escapes, MlirOperation, i)) == ZC_OP_UTIL_CALL)
      return true;
  return false;
}

/* Takes out of the last few units those that `next` waits for. */
static void cover(across *across, zc_list *units, unit *next) {
  int kept = units->count > COVER_LIMIT ? units->count - COVER_LIMIT : 0;
  int count = units->count;
  for (int i = kept; i < count; ++i) {
    unit *earlier = zc_list_at(units, unit *, i);
    if (mlirBlockEqual(earlier->region->block, next->region->block) &&
        zc_timeline_is_ordered(across->scheduled->timeline, earlier->region->execute, next->region->execute))
      zc_list_push(across->context->arena, &next->covered, unit *, earlier);
    else
      zc_list_at(units, unit *, kept++) = earlier;
  }
  units->count = kept;
}

/* What comes to the memory in between by another name needs each of a chain. */
static bool are_chains_covered(across *across, const zc_access *first) {
  return !is_handed_to_call(across->context->ops, first->storage) &&
         !zc_time_flow_is_accessed_otherwise(across->flow, first);
}

static unit *add_unit(across *across, zc_list *units, zc_region *region, bool covers) {
  unit *added = zc_arena_new(across->context->arena, unit);
  added->region = region;
  if (covers)
    cover(across, units, added);
  zc_list_push(across->context->arena, units, unit *, added);
  return added;
}

/* Those that no later one of their block waits for. The others are looked at where something arrives that doesn't wait
 * for the one that covers them. */
static void list_units(across *across, zc_storage *storage, zc_list *units) {
  unit *last = NULL;
  MlirBlock asked = {NULL};
  bool covered = false;
  for (int i = 0; i < storage->accesses.count; ++i) {
    const zc_access *access = zc_list_at(&storage->accesses, zc_access *, i);
    MlirBlock block = access->region->block;
    if (!last || last->region != access->region) {
      bool chained = last && mlirBlockEqual(last->region->block, block);
      if (chained && !mlirBlockEqual(asked, block))
        covered = are_chains_covered(across, access);
      if (chained)
        asked = block;
      last = add_unit(across, units, access->region, chained && covered);
    }
    zc_list_push(across->context->arena, &last->accesses, const zc_access *, access);
  }
}

static void order_group(across *across, const group *group) {
  bool updated = is_updated(across, group);
  if (!group->spread || !(group->written || updated))
    return;
  for (int i = 0; i < group->storages.count; ++i) {
    zc_list units = {0};
    list_units(across, zc_list_at(&group->storages, zc_storage *, i), &units);
    while (units.count && !across->exhausted) {
      unit *unit = zc_list_at(&units, struct unit *, --units.count);
      if (!order_unit(across, unit, updated))
        continue;
      for (int j = 0; j < unit->covered.count; ++j)
        zc_list_push(across->context->arena, &units, struct unit *, zc_list_at(&unit->covered, struct unit *, j));
    }
  }
}

/* ---- edits ---- */

static void list_results(across *across, const zc_list *regions, zc_list *timepoints) {
  for (int i = 0; i < regions->count; ++i)
    zc_list_push(across->context->arena, timepoints, MlirValue,
                 mlirOperationGetResult(zc_list_at(regions, zc_region *, i)->execute, 0));
}

static MlirValue load_before(across *across, MlirOperation op, MlirAttribute global, MlirType type) {
  MlirOperationState state = mlirOperationStateGet(zc_str("util.global.load"), mlirOperationGetLocation(op));
  MlirNamedAttribute name = {mlirIdentifierGet(across->context->mlir, zc_str("global")), global};
  mlirOperationStateAddAttributes(&state, 1, &name);
  mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation load = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, load);
  return mlirOperationGetResult(load, 0);
}

static void store_before(across *across, MlirOperation op, MlirAttribute global, MlirValue value) {
  MlirOperationState state = mlirOperationStateGet(zc_str("util.global.store"), mlirOperationGetLocation(op));
  MlirNamedAttribute name = {mlirIdentifierGet(across->context->mlir, zc_str("global")), global};
  mlirOperationStateAddAttributes(&state, 1, &name);
  mlirOperationStateAddOperands(&state, 1, &value);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, mlirOperationCreate(&state));
}

static void extend_operands(across *across, zc_timepoint_edits *edits, const extension *entry) {
  const zc_ops *ops = across->context->ops;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(entry->op); ++i) {
    MlirValue operand = mlirOperationGetOperand(entry->op, i);
    MlirType type = mlirValueGetType(operand);
    if (!zc_is_timepoint(ops, type))
      continue;
    zc_list timepoints = {0};
    zc_list_push(across->context->arena, &timepoints, MlirValue, operand);
    list_results(across, &entry->regions, &timepoints);
    if (!mlirAttributeIsNull(entry->global))
      zc_list_push(across->context->arena, &timepoints, MlirValue, load_before(across, entry->op, entry->global, type));
    mlirOperationSetOperand(entry->op, i, zc_join_before(edits, entry->op, &timepoints));
  }
}

/* An execution region may be made anew; the others that wait for it find it by its zc_region. */
static void extend_region(across *across, zc_timepoint_edits *edits, const extension *entry) {
  zc_region *region = zc_ptr_map_get(across->scheduled->regions, entry->op.ptr);
  zc_list timepoints = {0};
  list_results(across, &entry->regions, &timepoints);
  region->execute = zc_execute_await_also(edits, region->execute, &timepoints);
}

/* The last store of the global in the block, where nothing behind it may ask for the global. */
static MlirOperation movable_store(across *across, const closing *entry, MlirOperation terminator) {
  MlirOperation found = {NULL};
  for (MlirOperation op = mlirBlockGetFirstOperation(entry->block); !mlirOperationEqual(op, terminator);
       op = mlirOperationGetNextInBlock(op)) {
    zc_op kind = zc_op_of(across->context->ops, op);
    bool names = (kind == ZC_OP_GLOBAL_STORE || kind == ZC_OP_GLOBAL_LOAD) &&
                 mlirAttributeEqual(zc_global_of(op), entry->global);
    if (kind == ZC_OP_GLOBAL_STORE && names)
      found = op;
    else if (kind == ZC_OP_UTIL_CALL || names)
      found.ptr = NULL;
  }
  return found;
}

static void carry_out_closing(across *across, zc_timepoint_edits *edits, const closing *entry) {
  MlirOperation terminator = mlirBlockGetTerminator(entry->block);
  MlirOperation store = movable_store(across, entry, terminator);
  MlirType type = mlirValueGetType(mlirOperationGetResult(zc_list_at(&entry->regions, zc_region *, 0)->execute, 0));
  zc_list timepoints = {0};
  MlirValue before = mlirOperationIsNull(store) ? load_before(across, terminator, entry->global, type)
                                                : mlirOperationGetOperand(store, 0);
  zc_list_push(across->context->arena, &timepoints, MlirValue, before);
  list_results(across, &entry->regions, &timepoints);
  store_before(across, terminator, entry->global, zc_join_before(edits, terminator, &timepoints));
  if (!mlirOperationIsNull(store))
    mlirOperationDestroy(store);
}

static void keep_awaited(MlirOperation before, MlirValue resource) {
  MlirType type = mlirValueGetType(resource);
  MlirOperationState state =
      mlirOperationStateGet(zc_str("util.optimization_barrier"), mlirOperationGetLocation(before));
  mlirOperationStateAddOperands(&state, 1, &resource);
  mlirOperationStateAddResults(&state, 1, &type);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(before), before, mlirOperationCreate(&state));
}

/* An await that nothing uses is dead code, sync or not: a barrier that IREE keeps uses the memory that it waits for. */
static void wait_on_host(across *across, const unit *unit) {
  MlirContext mlir = across->context->mlir;
  MlirOperation execute = unit->region->execute;
  int32_t segments[] = {1, 1, 1};
  MlirOperationState state = mlirOperationStateGet(zc_str("stream.timepoint.await"), mlirOperationGetLocation(execute));
  MlirNamedAttribute attributes[] = {
      {mlirIdentifierGet(mlir, zc_str("sync")), mlirUnitAttrGet(mlir)},
      {mlirIdentifierGet(mlir, zc_str("operandSegmentSizes")), mlirDenseI32ArrayGet(mlir, 3, segments)}};
  int first_size = zc_operand_segment(execute, ZC_EXECUTE_SIZES).first;
  MlirValue operands[] = {mlirOperationGetOperand(execute, 0), mlirOperationGetOperand(execute, first_size),
                          mlirOperationGetResult(execute, 0)};
  MlirType type = mlirValueGetType(operands[0]);
  mlirOperationStateAddAttributes(&state, 2, attributes);
  mlirOperationStateAddOperands(&state, 3, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation branch = mlirBlockGetTerminator(unit->region->block);
  MlirOperation await = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(unit->region->block, branch, await);
  keep_awaited(branch, mlirOperationGetResult(await, 0));
}

/* Regions first: what is joined elsewhere are their results in the end. */
static void carry_out(across *across) {
  zc_timepoint_edits edits = zc_timepoint_edits_begin(across->context);
  zc_ptr_map *regions = across->scheduled->regions;
  for (int i = 0; i < across->extensions.count; ++i) {
    const extension *entry = zc_list_at(&across->extensions, extension *, i);
    if (zc_ptr_map_get(regions, entry->op.ptr))
      extend_region(across, &edits, entry);
  }
  for (int i = 0; i < across->extensions.count; ++i) {
    const extension *entry = zc_list_at(&across->extensions, extension *, i);
    if (!zc_ptr_map_get(regions, entry->op.ptr))
      extend_operands(across, &edits, entry);
  }
  for (int i = 0; i < across->closings.count; ++i)
    carry_out_closing(across, &edits, zc_list_at(&across->closings, closing *, i));
  for (int i = 0; i < across->host_waits.count; ++i)
    wait_on_host(across, zc_list_at(&across->host_waits, unit *, i));
  zc_timepoint_edits_end(&edits);
}

/* ---- the function ---- */

static bool protect_any(across *across) {
  for (int i = 0; i < across->wishes.count; ++i) {
    protection_wish wish = zc_list_at(&across->wishes, protection_wish, i);
    if (zc_protect_reader(across->scheduled, across->flow, wish.writer, wish.reader))
      return true;
    warn_unprotected(across, wish.writer, wish.reader);
  }
  return false;
}

bool zc_order_across_blocks(zc_context *context, const zc_across_blocks *state, MlirOperation function) {
  across across = {.context = context,
                   .values = state->values,
                   .updated = state->updated,
                   .warned = state->warned,
                   .last_round = state->last_round};
  across.scheduled = zc_scheduled_create(context, function);
  across.flow = zc_time_flow_create(across.scheduled);
  across.extended = zc_ptr_map_create(context->arena);
  list_groups(&across, state->values);
  for (int i = 0; i < across.groups.count && !across.exhausted; ++i)
    order_group(&across, zc_list_at(&across.groups, group *, i));
  bool again = protect_any(&across);
  if (!again)
    carry_out(&across);
  if (across.exhausted)
    zc_warning_at(mlirOperationGetLocation(function),
                  "too many accesses on too many ways through this function: not all are ordered");
  zc_ptr_map_release(across.extended);
  zc_time_flow_release(across.flow);
  zc_scheduled_release(across.scheduled);
  return again;
}
