#include "passes/scheduled_decisions.h"

#include "passes/extents.h"

/* Pairs of accesses that are compared for one hand-off. A storage with more of them in conflict keeps its copy. */
#define PAIR_LIMIT 4096

/* ---- what the storages are ---- */

/* Where the copied bytes begin in the source, if that is a constant; slabs are packed at this alignment, and what uses
 * a result may count on as much. */
#define BASE_ALIGNMENT 64

static bool constant_offset(const zc_ops *ops, MlirOperation copy, int operand, int64_t *offset) {
  return zc_constant_index(ops, mlirOperationGetOperand(copy, operand), offset) && *offset >= 0 &&
         *offset % BASE_ALIGNMENT == 0;
}

static bool only_exported(const zc_ops *ops, const zc_storage *storage) {
  for (int i = 0; i < storage->escapes.count; ++i)
    if (zc_op_of(ops, zc_list_at(&storage->escapes, MlirOperation, i)) != ZC_OP_TENSOR_EXPORT)
      return false;
  return true;
}

/* Memory that is filled before the function begins and that nothing writes: an import, or a constant in a global. */
static bool is_read_only(zc_scheduled *scheduled, const zc_storage *storage) {
  bool constant = storage->kind == ZC_OP_GLOBAL_LOAD &&
                  zc_lifetime_of(scheduled->context->ops, storage->type) == ZC_LIFETIME_CONSTANT;
  if ((!constant && (storage->kind != ZC_OP_TENSOR_IMPORT || scheduled->writes_imports)) ||
      !only_exported(scheduled->context->ops, storage))
    return false;
  for (int i = 0; i < storage->accesses.count; ++i) {
    const zc_access *access = zc_list_at(&storage->accesses, zc_access *, i);
    if (!access->gone && zc_access_writes(access))
      return false;
  }
  return true;
}

/* Uses that don't keep the result from taking a place that isn't the program's to free or to give away. */
static bool stays_inside(const zc_ops *ops, const zc_storage *result, const zc_access *copy_write) {
  for (MlirOpOperand use = mlirValueGetFirstUse(result->root); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use)) {
    zc_op user = zc_op_of(ops, mlirOpOperandGetOwner(use));
    if (user != ZC_OP_CMD_EXECUTE && user != ZC_OP_DEALLOCA)
      return false;
  }
  for (int i = 0; i < result->accesses.count; ++i) {
    const zc_access *access = zc_list_at(&result->accesses, zc_access *, i);
    if (access != copy_write && !access->gone && zc_access_writes(access))
      return false;
  }
  return !result->escapes.count;
}

static bool decide_by_source(zc_scheduled *scheduled, const zc_hand_off *hand_off, const zc_storage *source,
                             const zc_storage *result, zc_transfer *transfer) {
  bool read_only = is_read_only(scheduled, source);
  zc_reason foreign =
      source->kind == ZC_OP_TENSOR_IMPORT ? ZC_REASON_IMPORT_NOT_SHAREABLE : ZC_REASON_SOURCE_NOT_ALLOCATION;
  if (!read_only && (source->kind != ZC_OP_ALLOCA || !mlirBlockEqual(source->block, hand_off->read->region->block)))
    zc_decide_copy_for(transfer, foreign, source->definition);
  else if (read_only && !stays_inside(scheduled->context->ops, result, hand_off->write))
    zc_decide_copy_for(transfer, ZC_REASON_SOURCE_NOT_OWNED, source->definition);
  else if (!mlirOperationIsNull(source->unsupported))
    zc_decide_copy_for(transfer, ZC_REASON_UNSUPPORTED_USE, source->unsupported);
  else if (source->escapes.count && !read_only)
    zc_decide_copy_for(transfer, ZC_REASON_SOURCE_ESCAPES, zc_list_at(&source->escapes, MlirOperation, 0));
  else
    return true;
  return false;
}

static bool decide_by_storages(zc_scheduled *scheduled, const zc_hand_off *hand_off, const zc_storage *source,
                               const zc_storage *result, int64_t *base, zc_transfer *transfer) {
  const zc_ops *ops = scheduled->context->ops;
  int64_t offset;
  if (!decide_by_source(scheduled, hand_off, source, result, transfer))
    return false;
  if (result->kind != ZC_OP_ALLOCA || !mlirBlockEqual(result->block, hand_off->read->region->block))
    zc_decide_copy_for(transfer, ZC_REASON_RESULT_NOT_ALLOCATION, result->definition);
  else if (!mlirOperationIsNull(result->unsupported))
    zc_decide_copy_for(transfer, ZC_REASON_UNSUPPORTED_USE, result->unsupported);
  else if (source == result || hand_off->write->clip ||
           !constant_offset(ops, hand_off->copy, ZC_COPY_SOURCE_OFFSET, base))
    zc_decide_copy(transfer, ZC_REASON_PARTIAL_SOURCE);
  else if (!constant_offset(ops, hand_off->copy, ZC_COPY_TARGET_OFFSET, &offset) || offset)
    zc_decide_copy(transfer, ZC_REASON_PARTIAL_RESULT);
  else
    return true;
  return false;
}

/* A storage is freed once: by the last of the deallocations, which must then all be in the block that allocates. */
static bool decide_by_deallocations(const zc_storage *storage, zc_transfer *transfer) {
  if (!storage->freed_elsewhere)
    return true;
  zc_decide_copy_for(transfer, ZC_REASON_UNSUPPORTED_USE, zc_list_at(&storage->deallocas, MlirOperation, 0));
  return false;
}

/* ---- one size, one type ---- */

static bool is_aligned_from(const zc_ops *ops, MlirValue aligned, MlirValue value) {
  int64_t alignment;
  MlirOperation op = zc_defining_op(aligned);
  return zc_op_defining(ops, aligned) == ZC_OP_UTIL_ALIGN && mlirValueEqual(mlirOperationGetOperand(op, 0), value) &&
         zc_constant_index(ops, mlirOperationGetOperand(op, 1), &alignment);
}

/* What becomes of sizes: whether the source's allocation grows, and what a range of the result must not go beyond. */
typedef struct fit {
  int64_t base;
  bool grows;
  int64_t clip; ///< 0: nothing.
} fit;

/* Whether the ranges of the result are in what was copied, but for reads of the padding that slabs are rounded up by.
 */
static bool keeps_within(const zc_ops *ops, const zc_storage *result, const zc_access *copy_write, int64_t length) {
  int64_t padded = (length + BASE_ALIGNMENT - 1) / BASE_ALIGNMENT * BASE_ALIGNMENT;
  for (int i = 0; i < result->accesses.count; ++i) {
    const zc_access *access = zc_list_at(&result->accesses, zc_access *, i);
    zc_extent extent = zc_extent_of(ops, access);
    if (access == copy_write || access->gone)
      continue;
    if (!extent.constant || extent.begin >= length || extent.end > (zc_access_writes(access) ? length : padded))
      return false;
  }
  return true;
}

/* A part of a slab, or memory that can't be made larger: ranges move up to it, and end with what was copied. */
static bool fit_into_part(const zc_ops *ops, const zc_hand_off *hand_off, const zc_storage *result, fit *fit) {
  int64_t length;
  int64_t size;
  MlirOperation copy = hand_off->copy;
  fit->base += hand_off->read->shift;
  if (result->escapes.count || !zc_constant_index(ops, mlirOperationGetOperand(copy, ZC_COPY_LENGTH), &length) ||
      !zc_constant_index(ops, mlirOperationGetOperand(copy, ZC_COPY_SOURCE_SIZE), &size) || length <= 0 ||
      fit->base + length > (hand_off->read->clip ? hand_off->read->clip : size) ||
      !keeps_within(ops, result, hand_off->write, length))
    return false;
  fit->clip = fit->base + length;
  return true;
}

/* A whole allocation must be as large as the result's, or be made so where it is: by a constant, or by rounding up. */
static bool fit_whole(const zc_ops *ops, const zc_storage *source, const zc_storage *result, fit *fit) {
  int64_t has;
  int64_t needs;
  bool constant = zc_constant_index(ops, source->size, &has) && zc_constant_index(ops, result->size, &needs);
  fit->grows = constant ? has < needs : !source->grows && is_aligned_from(ops, result->size, source->size);
  return constant || fit->grows || mlirValueEqual(source->size, result->size) ||
         is_aligned_from(ops, source->size, result->size);
}

static bool decide_by_sizes(zc_scheduled *scheduled, const zc_hand_off *hand_off, const zc_storage *source,
                            const zc_storage *result, fit *fit, zc_transfer *transfer) {
  const zc_ops *ops = scheduled->context->ops;
  bool whole = !fit->base && !hand_off->read->clip && source->kind == ZC_OP_ALLOCA;
  if (whole ? !fit_whole(ops, source, result, fit) : !fit_into_part(ops, hand_off, result, fit))
    zc_decide_copy(transfer, whole ? ZC_REASON_PARTIAL_RESULT : ZC_REASON_PARTIAL_SOURCE);
  /* Code that isn't seen knows it by the result's size, and no other. */
  else if (result->escapes.count && !fit->grows && !zc_same_index(ops, source->size, result->size))
    zc_decide_copy_for(transfer, ZC_REASON_PARTIAL_SOURCE, zc_list_at(&result->escapes, MlirOperation, 0));
  else
    return true;
  return false;
}

/* Code that isn't seen knows the result by its type, too. */
static bool decide_by_types(const zc_ops *ops, const zc_storage *source, const zc_storage *result, MlirType *type,
                            zc_transfer *transfer) {
  zc_lifetime from = zc_lifetime_of(ops, source->type);
  zc_lifetime to = zc_lifetime_of(ops, result->type);
  *type = from == ZC_LIFETIME_TRANSIENT ? result->type : source->type;
  if (source->kind != ZC_OP_ALLOCA)
    return true; /* Its users take its type. */
  bool visible = to == ZC_LIFETIME_EXTERNAL || to == ZC_LIFETIME_VARIABLE;
  if (mlirTypeEqual(source->type, result->type) || (from == ZC_LIFETIME_TRANSIENT && visible) ||
      (!result->escapes.count && to == ZC_LIFETIME_TRANSIENT &&
       (from == ZC_LIFETIME_EXTERNAL || from == ZC_LIFETIME_VARIABLE)))
    return true;
  zc_decide_copy(transfer, ZC_REASON_TYPE_MISMATCH);
  return false;
}

/* ---- who uses it ---- */

typedef struct users {
  zc_device_set all;
  bool known;
} users;

static void add_accesses(users *users, const zc_storage *storage) {
  users->known = users->known && !storage->unknown_user;
  users->all |= storage->users;
}

static void add_allocation(zc_context *context, users *users, const zc_storage *storage) {
  const zc_affinity *affinity =
      zc_affinity_read(context->affinities, zc_execution_affinity(context, storage->definition));
  users->known = users->known && affinity->devices && affinity->kind != ZC_AFFINITY_UNKNOWN;
  users->all |= affinity->devices;
}

/* Memory that was placed elsewhere: whoever reads it must be able to access it where it is. */
static bool decide_by_owner(zc_context *context, const zc_storage *source, zc_device_set users, zc_transfer *transfer) {
  int owner = transfer->source_device;
  bool reachable = true;
  if (source->kind == ZC_OP_TENSOR_IMPORT && context->options.assumeShareableImports)
    return true;
  for (int user = 0; reachable && user < zc_devices_count(context->devices); ++user)
    if (user != owner && (users >> user & 1))
      reachable = zc_topology_link(context->topology, user, owner)->transparent_access;
  if (!reachable)
    zc_decide_copy_for(transfer,
                       source->kind == ZC_OP_TENSOR_IMPORT ? ZC_REASON_IMPORT_NOT_SHAREABLE
                                                           : ZC_REASON_SOURCE_NOT_ALLOCATION,
                       source->definition);
  return reachable;
}

/* Longer cache lines than slabs are packed for: neighbours could share one. */
static bool decide_by_lines(zc_context *context, const fit *fit, zc_device_set users, zc_transfer *transfer) {
  if (!fit->base || !zc_has_long_lines(context, users, BASE_ALIGNMENT))
    return true;
  zc_decide_copy(transfer, ZC_REASON_SHARED_CACHE_LINE);
  return false;
}

static bool decide_by_users(zc_scheduled *scheduled, const zc_storage *source, const zc_storage *result, const fit *fit,
                            zc_transfer *transfer) {
  zc_context *context = scheduled->context;
  bool owned = source->kind == ZC_OP_ALLOCA;
  users users = {.all = (zc_device_set)1 << transfer->source_device, .known = true};
  add_accesses(&users, source);
  add_accesses(&users, result);
  if (owned) {
    add_allocation(context, &users, source);
    add_allocation(context, &users, result);
  }
  if (!users.known) {
    zc_decide_copy(transfer, ZC_REASON_UNKNOWN_DEVICE);
    return false;
  }
  return zc_decide_by_topology(context, transfer, users.all) && decide_by_lines(context, fit, users.all, transfer) &&
         (owned || decide_by_owner(context, source, users.all, transfer));
}

static bool decide_by_cost(zc_scheduled *scheduled, const zc_storage *result, zc_transfer *transfer) {
  const zc_link *link =
      zc_topology_link(scheduled->context->topology, transfer->target_device, transfer->source_device);
  int reads = 0;
  for (int i = 0; i < result->accesses.count; ++i) {
    const zc_access *access = zc_list_at(&result->accesses, zc_access *, i);
    reads +=
        !access->gone && (access->range.mode & ZC_ACCESS_READ) && access->region->device == transfer->target_device;
  }
  if (transfer->reason == ZC_REASON_EXPLICIT_ALIAS || link->copy_cost <= 0 ||
      reads * link->read_cost <= link->copy_cost)
    return true;
  zc_decide_copy(transfer, ZC_REASON_READ_COST);
  return false;
}

/* ---- one storage keeps every reader's value ---- */

typedef struct ordering {
  zc_scheduled *scheduled;
  const zc_hand_off *hand_off;
  zc_transfer *transfer;
  zc_extent part; ///< Of the source: what the result is to take.
  int pairs;
} ordering;

static bool counts(const ordering *ordering, const zc_access *access) {
  return !access->gone && access->range.mode && access != ordering->hand_off->read &&
         access != ordering->hand_off->write;
}

/* Other slices of the source's slab don't matter. */
static bool counts_in_source(const ordering *ordering, const zc_access *access) {
  if (!counts(ordering, access))
    return false;
  const zc_ops *ops = ordering->scheduled->context->ops;
  zc_extent extent = zc_extent_of(ops, access);
  return !ordering->part.constant || !extent.constant || !zc_extent_is_disjoint(ops, &extent, &ordering->part);
}

static bool require(ordering *ordering, bool holds, zc_reason reason, const zc_access *conflict) {
  if (++ordering->pairs > PAIR_LIMIT) {
    holds = false;
    reason = ZC_REASON_UNORDERED_USERS;
  }
  if (!holds)
    zc_decide_copy_for(ordering->transfer, reason, conflict->command);
  return holds;
}

/* Nothing writes the source once it was copied: else a reader of the result could see the newer value. */
static bool source_stays(ordering *ordering, const zc_storage *source) {
  for (int i = 0; i < source->accesses.count; ++i) {
    const zc_access *access = zc_list_at(&source->accesses, zc_access *, i);
    if (zc_access_writes(access) && counts_in_source(ordering, access) &&
        !require(ordering, zc_access_is_ordered(ordering->scheduled, access, ordering->hand_off->read),
                 ZC_REASON_SOURCE_OVERWRITTEN, access))
      return false;
  }
  return true;
}

/* Before an in-place update of the result, all is done with the source. */
static bool update_follows(ordering *ordering, const zc_access *update, const zc_storage *source) {
  for (int i = 0; i < source->accesses.count; ++i) {
    const zc_access *access = zc_list_at(&source->accesses, zc_access *, i);
    if (counts_in_source(ordering, access) &&
        !require(ordering, zc_access_is_ordered(ordering->scheduled, access, update), ZC_REASON_RESULT_OVERWRITTEN,
                 update))
      return false;
  }
  return true;
}

/* The result holds nothing but what was copied, and in-place updates of that. */
static bool result_follows(ordering *ordering, const zc_storage *source, const zc_storage *result) {
  for (int i = 0; i < result->accesses.count; ++i) {
    const zc_access *access = zc_list_at(&result->accesses, zc_access *, i);
    if (!counts(ordering, access))
      continue;
    if (!require(ordering, zc_access_is_ordered(ordering->scheduled, ordering->hand_off->write, access),
                 zc_access_writes(access) ? ZC_REASON_RESULT_OVERWRITTEN : ZC_REASON_UNORDERED_USERS, access))
      return false;
    if (zc_access_writes(access) && !update_follows(ordering, access, source))
      return false;
  }
  return true;
}

/* Who gets the result may update it as soon as the copy has completed: then nobody may still use the source. */
static bool escape_follows(ordering *ordering, const zc_storage *source) {
  const zc_region *region = ordering->hand_off->read->region;
  for (int i = 0; i < source->accesses.count; ++i) {
    const zc_access *access = zc_list_at(&source->accesses, zc_access *, i);
    if (!counts(ordering, access) || access->region == region)
      continue;
    bool ordered = zc_timeline_is_ordered(ordering->scheduled->timeline, access->region->execute, region->execute);
    if (!require(ordering, ordered, ZC_REASON_UNORDERED_USERS, access))
      return false;
  }
  return true;
}

static bool decide_by_order(zc_scheduled *scheduled, const zc_hand_off *hand_off, const zc_storage *source,
                            const zc_storage *result, const fit *fit, zc_transfer *transfer) {
  ordering ordering = {scheduled, hand_off, transfer, {.constant = fit->clip > 0}, 0};
  ordering.part.begin = fit->base;
  ordering.part.end = fit->clip;
  return source_stays(&ordering, source) && result_follows(&ordering, source, result) &&
         (!result->escapes.count || escape_follows(&ordering, source));
}

/* Uses of the result come after the source is there; code that isn't seen gets it only with the copied value in it. */
static bool decide_by_places(zc_scheduled *scheduled, const zc_hand_off *hand_off, const zc_storage *source,
                             const zc_storage *result, zc_transfer *transfer) {
  MlirBlock block = hand_off->read->region->block;
  int execute = zc_timeline_position(scheduled->timeline, hand_off->read->region->execute);
  for (int i = 0; i < result->escapes.count; ++i) {
    MlirOperation escape = zc_list_at(&result->escapes, MlirOperation, i);
    if (zc_position_in(scheduled, escape, block) < execute) {
      zc_decide_copy_for(transfer, ZC_REASON_UNORDERED_USERS, escape);
      return false;
    }
  }
  if (!mlirBlockEqual(source->block, block) || mlirOperationIsNull(source->definition) ||
      result->first_use > zc_timeline_position(scheduled->timeline, source->definition))
    return true;
  zc_decide_copy(transfer, ZC_REASON_UNORDERED_USERS);
  return false;
}

/* ---- merging ---- */

static void append(zc_arena *arena, zc_list *to, const zc_list *from) {
  for (int i = 0; i < from->count; ++i)
    zc_list_push(arena, to, MlirOperation, zc_list_at(from, MlirOperation, i));
}

static void merge(zc_scheduled *scheduled, zc_hand_off *hand_off, zc_storage *source, zc_storage *result,
                  const fit *fit, MlirType type) {
  zc_arena *arena = scheduled->context->arena;
  hand_off->read->gone = hand_off->write->gone = true;
  if (hand_off->invalidated)
    hand_off->invalidated->gone = true;
  if (hand_off->flushed)
    hand_off->flushed->gone = true;
  source->users |= result->users;
  source->unknown_user |= result->unknown_user;
  if (result->first_use < source->first_use)
    source->first_use = result->first_use;
  source->never_freed |= result->never_freed || !source->deallocas.count || !result->deallocas.count;
  for (int i = 0; i < result->accesses.count; ++i) {
    zc_access *access = zc_list_at(&result->accesses, zc_access *, i);
    access->shift += fit->base;
    access->clip = fit->clip ? fit->clip : access->clip;
    zc_list_push(arena, &source->accesses, zc_access *, access);
  }
  append(arena, &source->deallocas, &result->deallocas);
  append(arena, &source->escapes, &result->escapes);
  if (zc_value_is_null(source->size))
    source->size = mlirOperationGetOperand(hand_off->copy, ZC_COPY_SOURCE_SIZE);
  if (fit->grows) {
    source->size = result->size;
    source->grows = true;
  }
  source->type = type;
  result->merged_into = source;
}

static void describe(zc_scheduled *scheduled, const zc_hand_off *hand_off, zc_transfer *transfer) {
  zc_context *context = scheduled->context;
  MlirOperation none = {NULL};
  int executes_on = hand_off->read->region->device;
  *transfer = (zc_transfer){.op = hand_off->copy,
                            .function = zc_function_name(context, scheduled->function),
                            .source_device = executes_on,
                            .target_device = executes_on,
                            .bytes = -1,
                            .conflict = none};
  if (!mlirOperationIsNull(hand_off->invalidate))
    transfer->source_device = zc_pinned_device(context, zc_attribute(hand_off->invalidate, "source_affinity"));
  if (!mlirOperationIsNull(hand_off->flush))
    transfer->target_device = zc_pinned_device(context, zc_attribute(hand_off->flush, "source_affinity"));
  zc_constant_index(context->ops, mlirOperationGetOperand(hand_off->copy, ZC_COPY_LENGTH), &transfer->bytes);
}

void zc_decide_hand_off(zc_scheduled *scheduled, zc_hand_off *hand_off, zc_transfer *transfer) {
  zc_context *context = scheduled->context;
  describe(scheduled, hand_off, transfer);
  zc_storage *source = zc_storage_representative(hand_off->source);
  zc_storage *result = zc_storage_representative(hand_off->result);
  zc_device_set ends = 0;
  fit fit = {0};
  MlirType type;
  if (!zc_decide_locally(context, transfer))
    return;
  ends = (zc_device_set)1 << transfer->source_device | (zc_device_set)1 << transfer->target_device;
  if (!zc_decide_by_topology(context, transfer, ends) ||
      !decide_by_storages(scheduled, hand_off, source, result, &fit.base, transfer) ||
      !decide_by_deallocations(source, transfer) || !decide_by_deallocations(result, transfer) ||
      !decide_by_sizes(scheduled, hand_off, source, result, &fit, transfer) ||
      !decide_by_types(context->ops, source, result, &type, transfer) ||
      !decide_by_places(scheduled, hand_off, source, result, transfer) ||
      !decide_by_order(scheduled, hand_off, source, result, &fit, transfer) ||
      !decide_by_users(scheduled, source, result, &fit, transfer) || !decide_by_cost(scheduled, result, transfer))
    return;
  if (!zc_is_classified(transfer->op) && !zc_decide_within_limit(context, transfer))
    return;
  merge(scheduled, hand_off, source, result, &fit, type);
}
