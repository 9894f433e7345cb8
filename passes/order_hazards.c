/* zc-order-hazards: adds the awaits that conflicting accesses of different execution regions lack.
 *
 * Needs:    stream.cmd.*; works without a topology, too.
 * Meaning:  a read means the last write that happens before it; a write that no timepoint orders against a read comes
 * after it, whatever the program order (design, section 6). So an unordered writer waits for the reader, and goes
 * behind it in the program where it stands before. Unordered writes take program order, with a warning. Keeps:    a
 * program without a hazard as it is, to the byte. No await is added that others imply. Declines: a writer that stands
 * before an unordered reader, with the host waiting for it in between; it is warned about. */
#include "capi/diagnostics.h"
#include "capi/ptr_map.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "passes/extents.h"
#include "passes/scheduled.h"
#include "passes/timepoint_edits.h"
#include "passes/value_classes.h"

/* Pairs of accesses of one storage that are compared, at most. */
#define PAIR_LIMIT (1 << 20)

/* Analyses of one function: each carries out the moves that the one before found, which are few. */
#define ROUND_LIMIT 64

/* A region that is to wait for others. */
typedef struct waiting {
  zc_region *region;
  zc_list on; ///< zc_region *
} waiting;

/* An op that hands storages on, with timepoints that are to follow from more regions than they do. */
typedef struct hand_on {
  MlirOperation op;
  zc_list after; ///< zc_region *
} hand_on;

/* What the whole module tells: classes of values that some function updates in place though it didn't allocate them. */
typedef struct program {
  zc_values *values;
  zc_ptr_map *updated; ///< zc_value_class
} program;

typedef struct ordering {
  zc_context *context;
  const program *program;
  zc_scheduled *scheduled;
  zc_ptr_map *handed_on; ///< Op -> hand_on.
  zc_list hand_ons;      ///< hand_on *
  zc_ptr_map *stores;    ///< Global -> its last store in the function; null until asked for.
  zc_ptr_map *waiting;   ///< zc_region -> waiting.
  zc_list regions;       ///< waiting *
  bool moved;
  bool last_round;
} ordering;

static bool writes(const zc_access *access) {
  return access->range.mode & ZC_ACCESS_WRITE;
}

static void show(ordering *ordering, const zc_access *first, const zc_access *second, const char *how) {
  if (ordering->context->options.remarks)
    zc_remark_at(mlirOperationGetLocation(second->command),
                 "'%s' and '%s' use the same bytes and nothing ordered them: %s", zc_op_name(first->command),
                 zc_op_name(second->command), how);
}

/* ---- one region waits for another ---- */

static void wait_for(ordering *ordering, zc_region *later, zc_region *earlier) {
  zc_arena *arena = ordering->context->arena;
  waiting *entry = zc_ptr_map_get(ordering->waiting, later);
  if (!entry) {
    entry = zc_arena_new(arena, waiting);
    entry->region = later;
    zc_ptr_map_set(ordering->waiting, later, entry);
    zc_list_push(arena, &ordering->regions, waiting *, entry);
  }
  zc_list_push(arena, &entry->on, zc_region *, earlier);
  zc_timeline_add_await(ordering->scheduled->timeline, later->execute, earlier->execute);
}

/* ---- a writer that stands before a reader goes behind it ---- */

static bool may_move(zc_op kind) {
  return kind == ZC_OP_CMD_EXECUTE || kind == ZC_OP_ALLOCA || kind == ZC_OP_DEALLOCA || kind == ZC_OP_TIMEPOINT_JOIN ||
         kind == ZC_OP_TIMEPOINT_IMMEDIATE;
}

static bool uses_any(zc_ptr_map *results, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (zc_ptr_map_get(results, mlirOperationGetOperand(op, i).ptr))
      return true;
  return false;
}

static void add_results(zc_ptr_map *results, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    zc_ptr_map_set(results, mlirOperationGetResult(op, i).ptr, results);
}

/* The writer and all that depends on it up to the reader, in their order; false where something of it must stay. */
static bool gather_dependents(ordering *ordering, MlirOperation writer, MlirOperation reader, zc_list *dependents) {
  zc_context *context = ordering->context;
  zc_ptr_map *results = zc_ptr_map_create(context->arena);
  bool movable = true;
  add_results(results, writer);
  zc_list_push(context->arena, dependents, MlirOperation, writer);
  for (MlirOperation op = mlirOperationGetNextInBlock(writer); movable && !mlirOperationEqual(op, reader);
       op = mlirOperationGetNextInBlock(op)) {
    if (!uses_any(results, op))
      continue;
    movable = may_move(zc_op_of(context->ops, op));
    add_results(results, op);
    zc_list_push(context->arena, dependents, MlirOperation, op);
  }
  movable = movable && !uses_any(results, reader);
  zc_ptr_map_release(results);
  return movable;
}

static bool move_behind(ordering *ordering, MlirOperation writer, MlirOperation reader) {
  zc_list dependents = {0};
  if (!gather_dependents(ordering, writer, reader, &dependents))
    return false;
  MlirOperation behind = reader;
  for (int i = 0; i < dependents.count; ++i) {
    MlirOperation op = zc_list_at(&dependents, MlirOperation, i);
    mlirOperationMoveAfter(op, behind);
    behind = op;
  }
  return true;
}

/* ---- pairs of accesses ---- */

static void order_writer_behind(ordering *ordering, const zc_access *writer, const zc_access *reader) {
  if (!ordering->last_round && move_behind(ordering, writer->region->execute, reader->region->execute)) {
    ordering->moved = true;
    return;
  }
  zc_warning_at(mlirOperationGetLocation(reader->command),
                "'%s' may read what '%s' writes, which nothing orders; the writer can't be put behind it",
                zc_op_name(reader->command), zc_op_name(writer->command));
}

static void order_pair(ordering *ordering, const zc_access *first, const zc_access *second) {
  if (writes(first) && !writes(second)) {
    order_writer_behind(ordering, first, second);
    return;
  }
  if (writes(first))
    zc_warning_at(mlirOperationGetLocation(second->command),
                  "'%s' and '%s' write the same bytes and nothing orders them; they take program order",
                  zc_op_name(first->command), zc_op_name(second->command));
  wait_for(ordering, second->region, first->region);
  show(ordering, first, second, "the second waits for the first");
}

static bool is_hazard(ordering *ordering, const zc_access *first, const zc_access *second) {
  const zc_ops *ops = ordering->context->ops;
  if (first->region == second->region || !(writes(first) || writes(second)) ||
      !mlirBlockEqual(first->region->block, second->region->block))
    return false;
  zc_extent a = zc_extent_of(ops, first);
  zc_extent b = zc_extent_of(ops, second);
  return !zc_extent_is_disjoint(ops, &a, &b) && !zc_access_is_ordered(ordering->scheduled, first, second) &&
         !zc_access_is_ordered(ordering->scheduled, second, first) &&
         !zc_timeline_is_exhausted(ordering->scheduled->timeline);
}

/* The nearest earlier accesses first: an await of those implies most of the others. */
static void order_storage(ordering *ordering, const zc_storage *storage) {
  int pairs = 0;
  for (int later = 1; later < storage->accesses.count && !ordering->moved; ++later) {
    const zc_access *second = zc_list_at(&storage->accesses, zc_access *, later);
    if (!second->range.mode)
      continue;
    for (int earlier = later; earlier-- > 0 && !ordering->moved;) {
      const zc_access *first = zc_list_at(&storage->accesses, zc_access *, earlier);
      if (++pairs > PAIR_LIMIT || zc_timeline_is_exhausted(ordering->scheduled->timeline)) {
        zc_warning_at(mlirOperationGetLocation(second->command),
                      "too many accesses of one storage: not all are ordered");
        return;
      }
      if (first->range.mode && is_hazard(ordering, first, second))
        order_pair(ordering, first, second);
    }
  }
}

/* ---- storages that outlive a block: who gets them next must wait for all that is done with them here ---- */

static void follow_also(ordering *ordering, MlirOperation op, zc_region *region) {
  zc_arena *arena = ordering->context->arena;
  hand_on *entry = zc_ptr_map_get(ordering->handed_on, op.ptr);
  if (!entry) {
    entry = zc_arena_new(arena, hand_on);
    entry->op = op;
    zc_ptr_map_set(ordering->handed_on, op.ptr, entry);
    zc_list_push(arena, &ordering->hand_ons, hand_on *, entry);
  }
  zc_list_push(arena, &entry->after, zc_region *, region);
  zc_timeline_add_await(ordering->scheduled->timeline, op, region->execute);
}

static bool has_timepoint(const zc_ops *ops, MlirOperation op) {
  for (intptr_t i = mlirOperationGetNumOperands(op); i-- > 0;)
    if (zc_is_timepoint(ops, mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  return false;
}

/* The store of a global's timepoint moves to the end of its block, when need be. */
static bool comes_before(ordering *ordering, const zc_access *access, MlirOperation op) {
  zc_timeline *timeline = ordering->scheduled->timeline;
  return zc_op_of(ordering->context->ops, op) == ZC_OP_GLOBAL_STORE ||
         zc_timeline_position(timeline, access->region->execute) < zc_timeline_position(timeline, op);
}

/* Accesses to `storage` that come before `op` in its block, and that what `op` hands on doesn't follow from. */
static void follow_all_accesses(ordering *ordering, const zc_storage *storage, MlirOperation op) {
  zc_context *context = ordering->context;
  for (int i = storage->accesses.count; i-- > 0;) {
    const zc_access *access = zc_list_at(&storage->accesses, zc_access *, i);
    if (!access->range.mode || !mlirBlockEqual(access->region->block, mlirOperationGetBlock(op)) ||
        !comes_before(ordering, access, op) ||
        zc_timeline_is_ordered(ordering->scheduled->timeline, access->region->execute, op))
      continue;
    if (!has_timepoint(context->ops, op)) {
      zc_warning_at(mlirOperationGetLocation(op),
                    "'%s' hands on memory that '%s' may still use, and no timepoint with it", zc_op_name(op),
                    zc_op_name(access->command));
      return;
    }
    follow_also(ordering, op, access->region);
    if (context->options.remarks)
      zc_remark_at(mlirOperationGetLocation(access->command),
                   "'%s' was in nothing's way when the memory is updated later: the timepoint of '%s' follows from it",
                   zc_op_name(access->command), zc_op_name(op));
  }
}

/* Stores of globals, by global; the last of each. */
static MlirWalkResult list_store(MlirOperation op, void *data) {
  ordering *ordering = data;
  if (zc_op_of(ordering->context->ops, op) == ZC_OP_GLOBAL_STORE)
    zc_ptr_map_set(ordering->stores, zc_attribute(op, "global").ptr, op.ptr);
  return MlirWalkResultAdvance;
}

/* The store of the timepoint that goes with a global, in the block that accesses it. */
static MlirOperation timepoint_store(ordering *ordering, const zc_storage *storage, MlirAttribute global) {
  zc_context *context = ordering->context;
  const zc_access *access = zc_list_at(&storage->accesses, zc_access *, 0);
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(global);
  const char *text = zc_arena_format(context->arena, "%.*s__timepoint", (int)name.length, name.data);
  if (!ordering->stores) {
    ordering->stores = zc_ptr_map_create(context->arena);
    mlirOperationWalk(ordering->scheduled->function, list_store, ordering, MlirWalkPreOrder);
  }
  MlirOperation store = {zc_ptr_map_get(ordering->stores, mlirFlatSymbolRefAttrGet(context->mlir, zc_str(text)).ptr)};
  MlirOperation none = {NULL};
  if (mlirOperationIsNull(store) || !mlirBlockEqual(mlirOperationGetBlock(store), access->region->block))
    return none;
  return store;
}

static MlirAttribute global_of(ordering *ordering, const zc_storage *storage) {
  MlirAttribute none = {NULL};
  if (storage->kind == ZC_OP_GLOBAL_LOAD)
    return zc_attribute(storage->definition, "global");
  for (int i = 0; i < storage->escapes.count; ++i) {
    MlirOperation escape = zc_list_at(&storage->escapes, MlirOperation, i);
    if (zc_op_of(ordering->context->ops, escape) == ZC_OP_GLOBAL_STORE)
      return zc_attribute(escape, "global");
  }
  return none;
}

static void follow_in_global(ordering *ordering, const zc_storage *storage) {
  MlirAttribute global = global_of(ordering, storage);
  if (mlirAttributeIsNull(global) || !mlirAttributeIsAFlatSymbolRef(global))
    return;
  MlirOperation store = timepoint_store(ordering, storage, global);
  if (!mlirOperationIsNull(store))
    follow_all_accesses(ordering, storage, store);
}

static bool hands_on(zc_op kind) {
  return kind == ZC_OP_BR || kind == ZC_OP_COND_BR || kind == ZC_OP_UTIL_RETURN || kind == ZC_OP_UTIL_CALL;
}

static void follow_storage(ordering *ordering, const zc_storage *storage) {
  zc_context *context = ordering->context;
  const void *class = zc_class_of(ordering->program->values, storage->root);
  if (!storage->accesses.count || !zc_ptr_map_get(ordering->program->updated, class) ||
      zc_timeline_is_exhausted(ordering->scheduled->timeline))
    return;
  for (int i = 0; i < storage->escapes.count; ++i) {
    MlirOperation escape = zc_list_at(&storage->escapes, MlirOperation, i);
    if (hands_on(zc_op_of(context->ops, escape)))
      follow_all_accesses(ordering, storage, escape);
  }
  MlirBlock block = zc_list_at(&storage->accesses, zc_access *, 0)->region->block;
  MlirOperation terminator = mlirBlockGetTerminator(block);
  if (mlirOperationIsNull(storage->definition) && zc_op_of(context->ops, terminator) == ZC_OP_UTIL_RETURN)
    follow_all_accesses(ordering, storage, terminator);
  follow_in_global(ordering, storage);
}

static void carry_out_hand_on(ordering *ordering, zc_timepoint_edits *edits, hand_on *entry) {
  zc_context *context = ordering->context;
  if (zc_op_of(context->ops, entry->op) == ZC_OP_GLOBAL_STORE)
    mlirOperationMoveBefore(entry->op, mlirBlockGetTerminator(mlirOperationGetBlock(entry->op)));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(entry->op); ++i) {
    MlirValue operand = mlirOperationGetOperand(entry->op, i);
    if (!zc_is_timepoint(context->ops, mlirValueGetType(operand)))
      continue;
    zc_list timepoints = {0};
    zc_list_push(context->arena, &timepoints, MlirValue, operand);
    for (int j = 0; j < entry->after.count; ++j)
      zc_list_push(context->arena, &timepoints, MlirValue,
                   mlirOperationGetResult(zc_list_at(&entry->after, zc_region *, j)->execute, 0));
    mlirOperationSetOperand(entry->op, i, zc_join_before(edits, entry->op, &timepoints));
  }
}

static void carry_out(ordering *ordering) {
  zc_context *context = ordering->context;
  zc_timepoint_edits edits = zc_timepoint_edits_begin(context);
  for (int i = 0; i < ordering->regions.count; ++i) {
    const waiting *entry = zc_list_at(&ordering->regions, waiting *, i);
    zc_list timepoints = {0};
    for (int j = 0; j < entry->on.count; ++j)
      zc_list_push(context->arena, &timepoints, MlirValue,
                   mlirOperationGetResult(zc_list_at(&entry->on, zc_region *, j)->execute, 0));
    entry->region->execute = zc_execute_await_also(&edits, entry->region->execute, &timepoints);
  }
  for (int i = 0; i < ordering->hand_ons.count; ++i)
    carry_out_hand_on(ordering, &edits, zc_list_at(&ordering->hand_ons, hand_on *, i));
  zc_timepoint_edits_end(&edits);
}

static bool order_once(zc_context *context, const program *program, MlirOperation function, bool last_round) {
  ordering ordering = {.context = context, .program = program, .last_round = last_round};
  ordering.scheduled = zc_scheduled_create(context, function);
  ordering.waiting = zc_ptr_map_create(context->arena);
  ordering.handed_on = zc_ptr_map_create(context->arena);
  for (int i = 0; i < ordering.scheduled->roots.count && !ordering.moved; ++i)
    order_storage(&ordering, zc_list_at(&ordering.scheduled->roots, zc_storage *, i));
  for (int i = 0; i < ordering.scheduled->roots.count && !ordering.moved; ++i)
    follow_storage(&ordering, zc_list_at(&ordering.scheduled->roots, zc_storage *, i));
  if (!ordering.moved)
    carry_out(&ordering);
  zc_ptr_map_release(ordering.waiting);
  zc_ptr_map_release(ordering.handed_on);
  if (ordering.stores)
    zc_ptr_map_release(ordering.stores);
  zc_scheduled_release(ordering.scheduled);
  return ordering.moved;
}

static void order_function(zc_context *context, MlirOperation function, void *data) {
  for (int round = 1; order_once(context, data, function, round == ROUND_LIMIT); ++round)
    ;
}

static void find_updates(zc_context *context, MlirOperation function, void *data) {
  program *program = data;
  zc_scheduled *scheduled = zc_scheduled_create(context, function);
  for (int i = 0; i < scheduled->roots.count; ++i) {
    const zc_storage *storage = zc_list_at(&scheduled->roots, zc_storage *, i);
    for (int j = 0; storage->kind != ZC_OP_ALLOCA && j < storage->accesses.count; ++j)
      if (writes(zc_list_at(&storage->accesses, zc_access *, j)))
        zc_ptr_map_set(program->updated, zc_class_of(program->values, storage->root), program);
  }
  zc_scheduled_release(scheduled);
}

static MlirLogicalResult run(zc_context *context) {
  program program = {zc_values_create(context), zc_ptr_map_create(context->arena)};
  zc_for_each_function(context, find_updates, &program);
  zc_for_each_function(context, order_function, &program);
  zc_ptr_map_release(program.updated);
  zc_values_release(program.values);
  return mlirLogicalResultSuccess();
}

MlirPass streamZcCreateOrderHazardsPass(const StreamZcOptions *options) {
  static const double id;
  return zc_pass_create(&id, "OrderHazards", "zc-order-hazards",
                        "Orders conflicting accesses of different execution regions", options, run);
}
