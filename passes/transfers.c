#include "passes/transfers.h"

#include <inttypes.h>
#include <string.h>

#include "capi/diagnostics.h"
#include "capi/ptr_map.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"

static zc_kind kind_of_attribute(MlirAttribute attribute) {
  if (mlirAttributeIsNull(attribute))
    return ZC_KIND_ANY;
  if (!mlirAttributeIsAString(attribute))
    return ZC_KIND_INVALID;
  MlirStringRef text = mlirStringAttrGetValue(attribute);
  return zc_str_is(text, "alias") ? ZC_KIND_ALIAS : zc_str_is(text, "copy") ? ZC_KIND_COPY : ZC_KIND_INVALID;
}

/* What the parts of a location say: a bit per zc_kind. */
typedef struct kind_search {
  zc_context *context;
  zc_ptr_map *seen; ///< A location that is reached twice says nothing new; without it, time could be exponential.
  zc_list work;     ///< MlirLocation
  unsigned kinds;
} kind_search;

static void look_at_fused(kind_search *search, MlirLocation location) {
  zc_kind kind = ZC_KIND_ANY;
  MlirAttribute metadata = mlirLocationFusedGetMetadata(location);
  if (!mlirAttributeIsNull(metadata) && mlirAttributeIsADictionary(metadata))
    kind = kind_of_attribute(mlirDictionaryAttrGetElementByName(metadata, zc_str(ZC_KIND_ATTRIBUTE)));
  search->kinds |= 1u << kind;
  /* It speaks for all of its parts. */
  if (kind != ZC_KIND_ANY)
    return;
  unsigned count = mlirLocationFusedGetNumLocations(location);
  MlirLocation *parts = zc_arena_array(search->context->arena, MlirLocation, count);
  mlirLocationFusedGetLocations(location, parts);
  for (unsigned i = 0; i < count; ++i)
    zc_list_push(search->context->arena, &search->work, MlirLocation, parts[i]);
}

static void look_at_location(kind_search *search, MlirLocation location) {
  zc_arena *arena = search->context->arena;
  if (zc_ptr_map_get(search->seen, location.ptr))
    return;
  zc_ptr_map_set(search->seen, location.ptr, search);
  if (mlirLocationIsACallSite(location))
    zc_list_push(arena, &search->work, MlirLocation, mlirLocationCallSiteGetCallee(location));
  else if (mlirLocationIsAName(location))
    zc_list_push(arena, &search->work, MlirLocation, mlirLocationNameGetChildLoc(location));
  else if (mlirLocationIsAFused(location))
    look_at_fused(search, location);
}

static unsigned kinds_of_location(zc_context *context, MlirLocation location) {
  if (!mlirLocationIsACallSite(location) && !mlirLocationIsAName(location) && !mlirLocationIsAFused(location))
    return 0;
  kind_search search = {context, zc_ptr_map_create(context->arena), {0}, 0};
  zc_list_push(context->arena, &search.work, MlirLocation, location);
  while (search.work.count)
    look_at_location(&search, zc_list_at(&search.work, MlirLocation, --search.work.count));
  zc_ptr_map_release(search.seen);
  return search.kinds;
}

zc_kind zc_location_kind(zc_context *context, MlirLocation location, bool *conflicting) {
  unsigned kinds = kinds_of_location(context, location);
  *conflicting = kinds >> ZC_KIND_ALIAS & 1 && kinds >> ZC_KIND_COPY & 1;
  return kinds >> ZC_KIND_INVALID & 1 ? ZC_KIND_INVALID
         : kinds >> ZC_KIND_COPY & 1  ? ZC_KIND_COPY
         : kinds >> ZC_KIND_ALIAS & 1 ? ZC_KIND_ALIAS
                                      : ZC_KIND_ANY;
}

static zc_kind explicit_kind(zc_context *context, MlirOperation op, bool *conflicting) {
  *conflicting = false;
  zc_kind kind = kind_of_attribute(zc_attribute(op, ZC_KIND_ATTRIBUTE));
  return kind != ZC_KIND_ANY ? kind : zc_location_kind(context, mlirOperationGetLocation(op), conflicting);
}

zc_kind zc_explicit_kind(zc_context *context, MlirOperation op) {
  bool conflicting;
  return explicit_kind(context, op, &conflicting);
}

MlirLogicalResult zc_verify_kind(MlirOperation op, zc_kind kind) {
  if (kind != ZC_KIND_INVALID)
    return mlirLogicalResultSuccess();
  zc_error_at(mlirOperationGetLocation(op), "'%s' has a zc.kind that is neither \"alias\" nor \"copy\"",
              zc_op_name(op));
  return mlirLogicalResultFailure();
}

void zc_decide_copy(zc_transfer *transfer, zc_reason reason) {
  MlirOperation none = {NULL};
  zc_decide_copy_for(transfer, reason, none);
}

void zc_decide_copy_for(zc_transfer *transfer, zc_reason reason, MlirOperation conflict) {
  transfer->decision = ZC_DECISION_COPY;
  transfer->reason = reason;
  transfer->conflict = conflict;
}

static const char *link_text(zc_context *context, int from, int to) {
  return zc_arena_format(context->arena, "@%s -> @%s", zc_devices_symbol(context->devices, from),
                         zc_devices_symbol(context->devices, to));
}

/* A classification that says copy stays, whoever wrote it; one that says alias is decided again, by the IR as it is
 * now. */
static bool decide_by_annotation(zc_transfer *transfer) {
  MlirAttribute decision = zc_attribute(transfer->op, ZC_DECISION_ATTRIBUTE);
  MlirAttribute reason = zc_attribute(transfer->op, ZC_REASON_ATTRIBUTE);
  if (mlirAttributeIsNull(decision) || !mlirAttributeIsAString(decision) ||
      !zc_str_is(mlirStringAttrGetValue(decision), "copy"))
    return true;
  zc_decide_copy(transfer, ZC_REASON_EXPLICIT_COPY);
  if (!mlirAttributeIsNull(reason) && mlirAttributeIsAString(reason))
    for (int i = 0; i < ZC_NUM_REASONS; ++i)
      if (zc_str_is(mlirStringAttrGetValue(reason), zc_reason_spelling(i)))
        transfer->reason = i;
  return false;
}

bool zc_decide_locally(zc_context *context, zc_transfer *transfer) {
  if (!decide_by_annotation(transfer))
    return false;
  zc_kind kind = zc_explicit_kind(context, transfer->op);
  bool known = transfer->source_device >= 0 && transfer->target_device >= 0;
  bool same = known && transfer->source_device == transfer->target_device;
  if (zc_topology_is_empty(context->topology))
    zc_decide_copy(transfer, ZC_REASON_DISCRETE_LINK);
  else if (kind == ZC_KIND_COPY || kind == ZC_KIND_INVALID)
    zc_decide_copy(transfer, ZC_REASON_EXPLICIT_COPY);
  else if (!known)
    zc_decide_copy(transfer, ZC_REASON_UNKNOWN_DEVICE);
  else if (!same && !zc_topology_link(context->topology, transfer->source_device, transfer->target_device)->declared &&
           !zc_topology_link(context->topology, transfer->target_device, transfer->source_device)->declared) {
    zc_decide_copy(transfer, ZC_REASON_DISCRETE_LINK);
    transfer->detail = link_text(context, transfer->source_device, transfer->target_device);
  } else if (kind == ZC_KIND_ANY && transfer->bytes >= 0 && transfer->bytes < context->options.minAliasBytes)
    zc_decide_copy(transfer, ZC_REASON_BELOW_MINIMUM_BYTES);
  else
    return true;
  return false;
}

bool zc_decide_by_topology(zc_context *context, zc_transfer *transfer, zc_device_set users) {
  int from;
  int to;
  int owner = -1;
  MlirOperation none = {NULL};
  if (!zc_topology_can_share(context->topology, users, &owner)) {
    zc_decide_copy(transfer, ZC_REASON_DISCRETE_LINK);
    if (zc_topology_find_discrete(context->topology, users, &from, &to))
      transfer->detail = link_text(context, from, to);
    return false;
  }
  transfer->decision = ZC_DECISION_ALIAS;
  transfer->conflict = none;
  transfer->reason = zc_explicit_kind(context, transfer->op) == ZC_KIND_ALIAS ? ZC_REASON_EXPLICIT_ALIAS
                     : transfer->source_device == transfer->target_device     ? ZC_REASON_SAME_DEVICE
                     : owner < 0                                              ? ZC_REASON_SHARED_MEMORY
                                                                              : ZC_REASON_TRANSPARENT_ACCESS;
  return true;
}

bool zc_has_long_lines(zc_context *context, zc_device_set users, int64_t bytes) {
  for (int from = 0; from < zc_devices_count(context->devices); ++from)
    for (int to = 0; to < zc_devices_count(context->devices); ++to) {
      const zc_link *link = zc_topology_link(context->topology, from, to);
      if (from != to && (users >> from & 1) && (users >> to & 1) && link->declared && !link->coherent &&
          link->cache_line > bytes)
        return true;
    }
  return false;
}

bool zc_decide_within_limit(zc_context *context, zc_transfer *transfer) {
  if (zc_report_take_rewrite(context->options.report, context->options.limit, &context->rewrites))
    return true;
  zc_decide_copy(transfer, ZC_REASON_LIMIT_REACHED);
  return false;
}

bool zc_is_classified(MlirOperation op) {
  return !mlirAttributeIsNull(zc_attribute(op, ZC_DECISION_ATTRIBUTE));
}

static void set_string(zc_context *context, MlirOperation op, const char *name, const char *value) {
  mlirOperationSetAttributeByName(op, zc_str(name), mlirStringAttrGet(context->mlir, zc_str(value)));
}

void zc_annotate(zc_context *context, const zc_transfer *transfer) {
  set_string(context, transfer->op, ZC_DECISION_ATTRIBUTE, zc_decision_spelling(transfer->decision));
  set_string(context, transfer->op, ZC_REASON_ATTRIBUTE, zc_reason_spelling(transfer->reason));
}

void zc_remove_annotations(MlirOperation op) {
  mlirOperationRemoveAttributeByName(op, zc_str(ZC_DECISION_ATTRIBUTE));
  mlirOperationRemoveAttributeByName(op, zc_str(ZC_REASON_ATTRIBUTE));
}

static const char *device_symbol(zc_context *context, int device) {
  return device < 0 ? NULL : zc_devices_symbol(context->devices, device);
}

static const char *device_text(zc_context *context, int device) {
  return device < 0 ? "an unknown device" : zc_arena_format(context->arena, "@%s", device_symbol(context, device));
}

/* "alias (shared-memory: all users share unified memory)", with the link or the op in conflict. */
static const char *decision_text(zc_context *context, const zc_transfer *transfer) {
  const char *detail = transfer->detail ? zc_arena_format(context->arena, "; %s", transfer->detail) : "";
  if (!mlirOperationIsNull(transfer->conflict))
    detail = zc_arena_format(context->arena, "; %s", zc_op_name(transfer->conflict));
  return zc_arena_format(context->arena, "%s (%s: %s%s)", zc_decision_spelling(transfer->decision),
                         zc_reason_spelling(transfer->reason), zc_reason_text(transfer->reason), detail);
}

static void record(zc_context *context, const zc_transfer *transfer) {
  zc_transfer_record record = {
      .location = mlirOperationGetLocation(transfer->op),
      .function = transfer->function,
      .source = device_symbol(context, transfer->source_device),
      .target = device_symbol(context, transfer->target_device),
      .bytes = transfer->bytes,
      .decision = transfer->decision,
      .reason = transfer->reason,
  };
  if (!mlirOperationIsNull(transfer->conflict)) {
    record.conflict = zc_op_name(transfer->conflict);
    record.conflict_location = mlirOperationGetLocation(transfer->conflict);
  }
  zc_report_add(context->options.report, &record);
}

MlirLogicalResult zc_publish(zc_context *context, const zc_transfer *transfer) {
  MlirLocation location = mlirOperationGetLocation(transfer->op);
  record(context, transfer);
  bool conflicting;
  zc_kind kind = explicit_kind(context, transfer->op, &conflicting);
  if (mlirLogicalResultIsFailure(zc_verify_kind(transfer->op, kind)))
    return mlirLogicalResultFailure();
  if (conflicting)
    zc_warning_at(location, "'%s' stands for transfers of both kinds, \"alias\" and \"copy\": copied",
                  zc_op_name(transfer->op));
  /* Without a topology nothing is decided, so nothing is refused. */
  if (kind == ZC_KIND_ALIAS && transfer->decision == ZC_DECISION_COPY && !zc_topology_is_empty(context->topology)) {
    zc_error_at(location, "'%s' from %s to %s is to be an alias, but must be a %s; allow a copy, or declare the link",
                zc_op_name(transfer->op), device_text(context, transfer->source_device),
                device_text(context, transfer->target_device), decision_text(context, transfer));
    return mlirLogicalResultFailure();
  }
  if (context->options.remarks)
    zc_remark_at(location, "transfer from %s to %s: %s", device_text(context, transfer->source_device),
                 device_text(context, transfer->target_device), decision_text(context, transfer));
  return mlirLogicalResultSuccess();
}
