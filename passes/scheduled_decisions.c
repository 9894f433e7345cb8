#include "passes/scheduled_decisions.h"

/* Pairs of accesses that are compared for one hand-off. A storage with more of them in conflict keeps its copy. */
#define PAIR_LIMIT 4096

/* ---- what the storages are ---- */

static bool writes(const zc_access *access) {
  return access->range.mode & ZC_ACCESS_WRITE;
}

static bool is_zero(const zc_ops *ops, MlirValue value) {
  int64_t constant;
  return zc_constant_index(ops, value, &constant) && constant == 0;
}

static bool decide_by_storages(zc_scheduled *scheduled, const zc_hand_off *hand_off, zc_storage *source,
                               zc_storage *result, zc_transfer *transfer) {
  const zc_ops *ops = scheduled->context->ops;
  MlirBlock block = hand_off->read->region->block;
  MlirOperation copy = hand_off->copy;
  if (source->kind == ZC_OP_TENSOR_IMPORT)
    zc_decide_copy_for(transfer, ZC_REASON_IMPORT_NOT_SHAREABLE, source->definition);
  else if (source->kind != ZC_OP_ALLOCA || !mlirBlockEqual(source->block, block))
    zc_decide_copy_for(transfer, ZC_REASON_SOURCE_NOT_ALLOCATION, source->definition);
  else if (result->kind != ZC_OP_ALLOCA || !mlirBlockEqual(result->block, block))
    zc_decide_copy_for(transfer, ZC_REASON_RESULT_NOT_ALLOCATION, result->definition);
  else if (source == result || !is_zero(ops, mlirOperationGetOperand(copy, ZC_COPY_SOURCE_OFFSET)))
    zc_decide_copy(transfer, ZC_REASON_PARTIAL_SOURCE);
  else if (!is_zero(ops, mlirOperationGetOperand(copy, ZC_COPY_TARGET_OFFSET)))
    zc_decide_copy(transfer, ZC_REASON_PARTIAL_RESULT);
  else if (!mlirOperationIsNull(source->unsupported))
    zc_decide_copy_for(transfer, ZC_REASON_UNSUPPORTED_USE, source->unsupported);
  else if (!mlirOperationIsNull(result->unsupported))
    zc_decide_copy_for(transfer, ZC_REASON_UNSUPPORTED_USE, result->unsupported);
  else if (source->escapes.count)
    zc_decide_copy_for(transfer, ZC_REASON_SOURCE_ESCAPES, zc_list_at(&source->escapes, MlirOperation, 0));
  else
    return true;
  return false;
}

/* A storage is freed once: by the last of the deallocations, which must then all be in the block that allocates. */
static bool decide_by_deallocations(const zc_storage *storage, zc_transfer *transfer) {
  for (int i = 0; i < storage->deallocas.count; ++i) {
    MlirOperation dealloca = zc_list_at(&storage->deallocas, MlirOperation, i);
    if (!mlirBlockEqual(mlirOperationGetBlock(dealloca), storage->block)) {
      zc_decide_copy_for(transfer, ZC_REASON_UNSUPPORTED_USE, dealloca);
      return false;
    }
  }
  return true;
}

/* ---- one size, one type ---- */

static bool is_aligned_from(const zc_ops *ops, MlirValue aligned, MlirValue value) {
  int64_t alignment;
  MlirOperation op = zc_defining_op(aligned);
  return zc_op_defining(ops, aligned) == ZC_OP_UTIL_ALIGN && mlirValueEqual(mlirOperationGetOperand(op, 0), value) &&
         zc_constant_index(ops, mlirOperationGetOperand(op, 1), &alignment);
}

/* The source's allocation must be as large as the result's, or be made so where it is: by a constant, or by rounding
 * up. */
static bool decide_by_sizes(const zc_ops *ops, const zc_storage *source, const zc_storage *result, bool *grows,
                            zc_transfer *transfer) {
  int64_t has;
  int64_t needs;
  bool constant = zc_constant_index(ops, source->size, &has) && zc_constant_index(ops, result->size, &needs);
  *grows = constant ? has < needs : !source->grows && is_aligned_from(ops, result->size, source->size);
  /* Code that isn't seen knows it by the result's size, and no other. */
  if (result->escapes.count && !*grows && !zc_same_index(ops, source->size, result->size)) {
    zc_decide_copy_for(transfer, ZC_REASON_PARTIAL_SOURCE, zc_list_at(&result->escapes, MlirOperation, 0));
    return false;
  }
  if (constant || *grows || mlirValueEqual(source->size, result->size) ||
      is_aligned_from(ops, source->size, result->size))
    return true;
  zc_decide_copy(transfer, ZC_REASON_PARTIAL_RESULT);
  return false;
}

static bool decide_by_types(const zc_ops *ops, const zc_storage *source, const zc_storage *result, MlirType *type,
                            zc_transfer *transfer) {
  zc_lifetime from = zc_lifetime_of(ops, source->type);
  zc_lifetime to = zc_lifetime_of(ops, result->type);
  *type = from == ZC_LIFETIME_TRANSIENT ? result->type : source->type;
  bool visible = to == ZC_LIFETIME_EXTERNAL || to == ZC_LIFETIME_VARIABLE;
  if (mlirTypeEqual(source->type, result->type) || (from == ZC_LIFETIME_TRANSIENT && visible) ||
      (to == ZC_LIFETIME_TRANSIENT && (from == ZC_LIFETIME_EXTERNAL || from == ZC_LIFETIME_VARIABLE)))
    return true;
  zc_decide_copy(transfer, ZC_REASON_TYPE_MISMATCH);
  return false;
}

/* ---- who uses it ---- */

typedef struct users {
  zc_device_set all;
  zc_device_set writers;
  int remote_reads; ///< Of the result, by the target device.
  bool known;
} users;

static void add_accesses(users *users, const zc_storage *storage) {
  for (int i = 0; i < storage->accesses.count; ++i) {
    const zc_access *access = zc_list_at(&storage->accesses, zc_access *, i);
    if (access->gone || !access->range.mode)
      continue;
    users->known = users->known && access->region->devices;
    users->all |= access->region->devices;
    if (writes(access))
      users->writers |= access->region->devices;
  }
}

static void add_allocation(zc_context *context, users *users, const zc_storage *storage) {
  const zc_affinity *affinity =
      zc_affinity_read(context->affinities, zc_execution_affinity(context, storage->definition));
  users->known = users->known && affinity->devices && affinity->kind != ZC_AFFINITY_UNKNOWN;
  users->all |= affinity->devices;
}

static bool decide_by_users(zc_scheduled *scheduled, const zc_hand_off *hand_off, const zc_storage *source,
                            const zc_storage *result, zc_transfer *transfer) {
  users users = {.known = true};
  add_accesses(&users, source);
  hand_off->read->gone = hand_off->write->gone = true; /* The copy itself doesn't count. */
  add_accesses(&users, result);
  hand_off->read->gone = hand_off->write->gone = false;
  add_allocation(scheduled->context, &users, source);
  add_allocation(scheduled->context, &users, result);
  if (!users.known) {
    zc_decide_copy(transfer, ZC_REASON_UNKNOWN_DEVICE);
    return false;
  }
  /* Whoever gets it may write it. */
  if (result->escapes.count)
    users.writers = users.all;
  return zc_decide_by_topology(scheduled->context, transfer, users.all, users.writers);
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
  int pairs;
} ordering;

static bool counts(const ordering *ordering, const zc_access *access) {
  return !access->gone && access->range.mode && access != ordering->hand_off->read &&
         access != ordering->hand_off->write;
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
    if (counts(ordering, access) && writes(access) &&
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
    if (counts(ordering, access) && !require(ordering, zc_access_is_ordered(ordering->scheduled, access, update),
                                             ZC_REASON_RESULT_OVERWRITTEN, update))
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
                 writes(access) ? ZC_REASON_RESULT_OVERWRITTEN : ZC_REASON_UNORDERED_USERS, access))
      return false;
    if (writes(access) && !update_follows(ordering, access, source))
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
                            const zc_storage *result, zc_transfer *transfer) {
  ordering ordering = {scheduled, hand_off, transfer, 0};
  return source_stays(&ordering, source) && result_follows(&ordering, source, result) &&
         (!result->escapes.count || escape_follows(&ordering, source));
}

/* ---- merging ---- */

static void append(zc_arena *arena, zc_list *to, const zc_list *from) {
  for (int i = 0; i < from->count; ++i)
    zc_list_push(arena, to, MlirOperation, zc_list_at(from, MlirOperation, i));
}

static void merge(zc_scheduled *scheduled, zc_hand_off *hand_off, zc_storage *source, zc_storage *result, bool grows,
                  MlirType type) {
  zc_arena *arena = scheduled->context->arena;
  hand_off->read->gone = hand_off->write->gone = true;
  source->never_freed |= result->never_freed || !source->deallocas.count || !result->deallocas.count;
  for (int i = 0; i < result->accesses.count; ++i)
    zc_list_push(arena, &source->accesses, zc_access *, zc_list_at(&result->accesses, zc_access *, i));
  append(arena, &source->deallocas, &result->deallocas);
  append(arena, &source->escapes, &result->escapes);
  if (grows) {
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
  bool grows;
  MlirType type;
  if (!zc_decide_locally(context, transfer))
    return;
  ends = (zc_device_set)1 << transfer->source_device | (zc_device_set)1 << transfer->target_device;
  if (!zc_decide_by_topology(context, transfer, ends, (zc_device_set)1 << transfer->source_device) ||
      !decide_by_storages(scheduled, hand_off, source, result, transfer) ||
      !decide_by_deallocations(source, transfer) || !decide_by_deallocations(result, transfer) ||
      !decide_by_sizes(context->ops, source, result, &grows, transfer) ||
      !decide_by_types(context->ops, source, result, &type, transfer) ||
      !decide_by_order(scheduled, hand_off, source, result, transfer) ||
      !decide_by_users(scheduled, hand_off, source, result, transfer) || !decide_by_cost(scheduled, result, transfer))
    return;
  if (!zc_is_classified(transfer->op) && !zc_decide_within_limit(context, transfer))
    return;
  merge(scheduled, hand_off, source, result, grows, type);
}
