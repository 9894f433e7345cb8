/* zc-order-hazards: adds the awaits that conflicting accesses of different execution regions lack.
 *
 * Needs:    stream.cmd.*; works without a topology, too.
 * Meaning:  a read means the last write that happens before it; a write that no timepoint orders against a read comes
 * after it, whatever the program order (design, section 6). So an unordered writer waits for the reader. Where it
 * stands before the reader it goes behind it, or the reader before it; where something stands in the way of both, the
 * reader gets a copy that is made before. Unordered writes take program order, with a warning. So do, without one,
 * writes of two devices in one cache line, and what one device writes and uses in a line that it may invalidate.
 * Across blocks, around loops, in globals and calls: passes/order_across_blocks.c.
 * Keeps:    a program without a hazard as it is, to the byte. No await is added that others imply.
 * Declines: a reader of which the range, or what it waits for, isn't known in front of the writer; with a warning. */
#include "capi/diagnostics.h"
#include "capi/ptr_map.h"
#include "passes/extents.h"
#include "passes/frontier.h"
#include "passes/maintenance.h"
#include "passes/order_across_blocks.h"
#include "passes/protecting_copies.h"
#include "passes/scheduled.h"
#include "passes/timepoint_edits.h"
#include "passes/value_classes.h"

/* Ops that all analyses of one function look at, and the least number of analyses: each carries out the one move that
 * it finds, and those are few. */
#define ROUND_OPS (1 << 24)
#define LEAST_ROUNDS 64

/* Readers of a function that are given a copy of their own for a writer in another block, at most. */
#define PROTECTION_LIMIT 64

/* A region that is to wait for others. */
typedef struct waiting {
  zc_region *region;
  zc_list on; ///< zc_region *
} waiting;

/* What the whole module tells: classes of values that some function updates in place though it didn't allocate them. */
typedef struct program {
  zc_values *values;
  zc_ptr_map *updated; ///< zc_value_class
} program;

typedef struct ordering {
  zc_context *context;
  zc_values *values;
  zc_scheduled *scheduled;
  zc_ptr_map *waiting; ///< zc_region -> waiting.
  zc_list regions;     ///< waiting *
  bool moved;
  bool last_round;
} ordering;

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

/* ---- or the reader before it ---- */

/* Ops that may come earlier: nothing but their operands says when they happen. */
static bool may_come_earlier(zc_op kind) {
  return kind == ZC_OP_ALLOCA || kind == ZC_OP_TIMEPOINT_JOIN || kind == ZC_OP_TIMEPOINT_IMMEDIATE ||
         kind == ZC_OP_CONSTANT || kind == ZC_OP_UTIL_ALIGN || kind == ZC_OP_ADDI || kind == ZC_OP_SUBI ||
         kind == ZC_OP_MULI;
}

static bool defines_any(zc_ptr_map *needed, MlirOperation op) {
  for (intptr_t i = mlirOperationGetNumResults(op); i-- > 0;)
    if (zc_ptr_map_get(needed, mlirOperationGetResult(op, i).ptr))
      return true;
  return false;
}

static MlirWalkResult need_operands(MlirOperation op, void *needed) {
  for (intptr_t i = mlirOperationGetNumOperands(op); i-- > 0;)
    zc_ptr_map_set(needed, mlirOperationGetOperand(op, i).ptr, needed);
  return MlirWalkResultAdvance;
}

/* Of the ops between the two those that the reader needs, last first; false where one of them must stay. */
static bool gather_needed(ordering *ordering, const zc_list *between, MlirOperation reader, zc_list *moving) {
  zc_context *context = ordering->context;
  zc_ptr_map *needed = zc_ptr_map_create(context->arena);
  bool movable = true;
  mlirOperationWalk(reader, need_operands, needed, MlirWalkPreOrder);
  for (int i = between->count; movable && i-- > 0;) {
    MlirOperation op = zc_list_at(between, MlirOperation, i);
    zc_op kind = zc_op_of(context->ops, op);
    /* What the host has waited for orders the reader, too. */
    movable = kind != ZC_OP_UTIL_CALL && !zc_is_sync_await(context->ops, op);
    if (!movable || !defines_any(needed, op))
      continue;
    movable = may_come_earlier(kind);
    mlirOperationWalk(op, need_operands, needed, MlirWalkPreOrder);
    zc_list_push(context->arena, moving, MlirOperation, op);
  }
  zc_ptr_map_release(needed);
  return movable;
}

static bool move_before(ordering *ordering, MlirOperation reader, MlirOperation writer) {
  zc_list between = {0};
  zc_list moving = {0};
  for (MlirOperation op = mlirOperationGetNextInBlock(writer); !mlirOperationEqual(op, reader);
       op = mlirOperationGetNextInBlock(op))
    zc_list_push(ordering->context->arena, &between, MlirOperation, op);
  if (!gather_needed(ordering, &between, reader, &moving))
    return false;
  for (int i = moving.count; i-- > 0;)
    mlirOperationMoveBefore(zc_list_at(&moving, MlirOperation, i), writer);
  mlirOperationMoveBefore(reader, writer);
  return true;
}

/* ---- regions that read what each other writes ---- */

/* A write of `first` and a read of `second` of the same bytes: if the second region came to wait for the first, it
 * would read what it doesn't mean. */
static bool find_read_of_write(ordering *ordering, zc_region *first, zc_region *second, const zc_access **write,
                               const zc_access **read) {
  const zc_ops *ops = ordering->context->ops;
  const zc_list *writers = &first->accesses;
  const zc_list *readers = &second->accesses;
  for (int i = 0; i < writers->count; ++i)
    for (int j = 0; j < readers->count; ++j) {
      *write = zc_list_at(writers, const zc_access *, i);
      *read = zc_list_at(readers, const zc_access *, j);
      if ((*write)->storage != (*read)->storage || !zc_access_writes(*write) || !((*read)->range.mode & ZC_ACCESS_READ))
        continue;
      if (zc_accesses_share(ops, *write, *read, 1))
        return true;
    }
  return false;
}

/* ---- pairs of accesses ---- */

static void order_writer_behind(ordering *ordering, const zc_access *writer, const zc_access *reader) {
  const zc_access *write;
  const zc_access *read;
  bool crossed = find_read_of_write(ordering, reader->region, writer->region, &write, &read);
  if (!ordering->last_round &&
      ((!crossed && (move_behind(ordering, writer->region->execute, reader->region->execute) ||
                     move_before(ordering, reader->region->execute, writer->region->execute))) ||
       zc_protect_reader(ordering->scheduled, NULL, writer, reader))) {
    ordering->moved = true;
    return;
  }
  zc_warn_unprotected(writer, reader);
}

static void order_pair(ordering *ordering, const zc_access *first, const zc_access *second) {
  const zc_access *write;
  const zc_access *read;
  if (zc_access_writes(first) && !zc_access_writes(second)) {
    order_writer_behind(ordering, first, second);
    return;
  }
  if (find_read_of_write(ordering, first->region, second->region, &write, &read) && !ordering->last_round &&
      zc_protect_reader(ordering->scheduled, NULL, write, read)) {
    ordering->moved = true;
    return;
  }
  if (zc_access_writes(first))
    zc_warn_program_order(first, second);
  wait_for(ordering, second->region, first->region);
  show(ordering, first, second, "the second waits for the first");
}

static bool is_hazard(ordering *ordering, const zc_access *first, const zc_access *second) {
  return first->region != second->region && (zc_access_writes(first) || zc_access_writes(second)) &&
         !zc_access_is_ordered(ordering->scheduled, first, second) &&
         !zc_timeline_is_exhausted(ordering->scheduled->timeline);
}

/* True to go on. */
static bool order_if_hazard(const zc_access *first, const zc_access *second, void *data) {
  ordering *ordering = data;
  if (is_hazard(ordering, first, second))
    order_pair(ordering, first, second);
  return !ordering->moved;
}

static void order_neighbors(ordering *ordering, const zc_access *first, const zc_access *second) {
  wait_for(ordering, second->region, first->region);
  if (ordering->context->options.remarks)
    zc_remark_at(mlirOperationGetLocation(second->command),
                 "'%s' and '%s' use bytes of one cache line and nothing ordered them: the second waits for the first",
                 zc_op_name(first->command), zc_op_name(second->command));
}

/* Two devices write different bytes of a line: what the one writes back would undo what the other wrote. */
static bool order_if_line_shared(const zc_access *first, const zc_access *second, void *data) {
  ordering *ordering = data;
  if (first->region->device != second->region->device && is_hazard(ordering, first, second))
    order_neighbors(ordering, first, second);
  return true;
}

/* One device writes a part of a line, and may invalidate the line for another part: that drops what it wrote. */
static bool order_if_dropped(const zc_access *first, const zc_access *second, void *data) {
  ordering *ordering = data;
  if (is_hazard(ordering, first, second))
    order_neighbors(ordering, first, second);
  return true;
}

/* Blocks may alternate, where ops with regions stand in them. */
static zc_frontier *frontier_of(ordering *ordering, zc_ptr_map *frontiers, MlirBlock block, int64_t line) {
  zc_frontier *frontier = zc_ptr_map_get(frontiers, block.ptr);
  if (frontier)
    return frontier;
  frontier = zc_frontier_create(ordering->context->arena, ordering->context->ops, line);
  zc_ptr_map_set(frontiers, block.ptr, frontier);
  return frontier;
}

static void order_storage(ordering *ordering, const zc_storage *storage) {
  zc_ptr_map *frontiers = zc_ptr_map_create(ordering->context->arena);
  for (int i = 0; i < storage->accesses.count && !ordering->moved; ++i) {
    const zc_access *access = zc_list_at(&storage->accesses, zc_access *, i);
    zc_frontier_add(frontier_of(ordering, frontiers, access->region->block, 1), access, order_if_hazard, ordering);
    if (!zc_timeline_is_exhausted(ordering->scheduled->timeline))
      continue;
    zc_warning_at(mlirOperationGetLocation(access->command),
                  "too many ways to wait before this: not all accesses are ordered");
    break;
  }
  zc_ptr_map_release(frontiers);
}

/* The longest cache line that users of a storage contest. */
static int64_t contested_line(ordering *ordering, const zc_storage *storage) {
  int64_t line = 0;
  for (int a = 0; a < zc_devices_count(ordering->context->devices); ++a)
    for (int b = 0; b < a && (storage->users >> a & 1); ++b) {
      int64_t own = storage->users >> b & 1 ? zc_contested_line(ordering->context, a, b) : 0;
      line = own > line ? own : line;
    }
  return line;
}

static void order_lines_of_device(ordering *ordering, const zc_storage *storage, int device) {
  int64_t line =
      zc_dropped_line(ordering->context, zc_class_writers(zc_class_of(ordering->values, storage->root)), device);
  if (!line)
    return;
  zc_ptr_map *frontiers = zc_ptr_map_create(ordering->context->arena);
  for (int i = 0; i < storage->accesses.count; ++i) {
    const zc_access *access = zc_list_at(&storage->accesses, zc_access *, i);
    if (access->region->device == device)
      zc_frontier_add(frontier_of(ordering, frontiers, access->region->block, line), access, order_if_dropped,
                      ordering);
  }
  zc_ptr_map_release(frontiers);
}

static void order_lines(ordering *ordering, const zc_storage *storage) {
  for (int device = 0; device < zc_devices_count(ordering->context->devices); ++device)
    if (storage->users >> device & 1)
      order_lines_of_device(ordering, storage, device);
  int64_t line = contested_line(ordering, storage);
  if (!line)
    return;
  zc_ptr_map *frontiers = zc_ptr_map_create(ordering->context->arena);
  for (int i = 0; i < storage->accesses.count; ++i) {
    const zc_access *access = zc_list_at(&storage->accesses, zc_access *, i);
    if (zc_access_writes(access))
      zc_frontier_add(frontier_of(ordering, frontiers, access->region->block, line), access, order_if_line_shared,
                      ordering);
  }
  zc_ptr_map_release(frontiers);
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
  zc_timepoint_edits_end(&edits);
}

/* How many ops the function has; 0 where it needs no further analysis. */
static int order_once(zc_context *context, zc_values *values, MlirOperation function, bool last_round) {
  ordering ordering = {.context = context, .values = values, .last_round = last_round};
  ordering.scheduled = zc_scheduled_create(context, function);
  ordering.waiting = zc_ptr_map_create(context->arena);
  int ops = zc_timeline_count(ordering.scheduled->timeline);
  for (int i = 0; i < ordering.scheduled->roots.count && !ordering.moved; ++i)
    order_storage(&ordering, zc_list_at(&ordering.scheduled->roots, zc_storage *, i));
  for (int i = 0; i < ordering.scheduled->roots.count && !ordering.moved; ++i)
    order_lines(&ordering, zc_list_at(&ordering.scheduled->roots, zc_storage *, i));
  if (!ordering.moved)
    carry_out(&ordering);
  zc_ptr_map_release(ordering.waiting);
  zc_scheduled_release(ordering.scheduled);
  return ordering.moved ? ops : 0;
}

static void order_in_blocks(zc_context *context, zc_values *values, MlirOperation function) {
  int64_t looked_at = 0;
  bool last = false;
  for (int round = 1; !last; ++round) {
    last = round > LEAST_ROUNDS && looked_at > ROUND_OPS;
    int ops = order_once(context, values, function, last);
    looked_at += ops;
    last |= !ops;
  }
}

/* A copy for a reader in another block is an access of the writer's block. */
static void order_function(zc_context *context, MlirOperation function, void *data) {
  const program *program = data;
  bool again = true;
  zc_across_blocks state = {.values = program->values, .updated = program->updated};
  state.warned = zc_ptr_map_create(context->arena);
  for (int round = 1; again; ++round) {
    order_in_blocks(context, program->values, function);
    state.last_round = round > PROTECTION_LIMIT;
    again = zc_order_across_blocks(context, &state, function);
  }
  zc_ptr_map_release(state.warned);
}

static void find_updates(zc_context *context, MlirOperation function, void *data) {
  program *program = data;
  zc_scheduled *scheduled = zc_scheduled_create(context, function);
  for (int i = 0; i < scheduled->roots.count; ++i) {
    const zc_storage *storage = zc_list_at(&scheduled->roots, zc_storage *, i);
    for (int j = 0; storage->kind != ZC_OP_ALLOCA && j < storage->accesses.count; ++j)
      if (zc_access_writes(zc_list_at(&storage->accesses, zc_access *, j)))
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
