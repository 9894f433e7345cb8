/* zc-pin-transfer-kind: writes the zc.kind of a transfer into its location, which lives longer than the attribute.
 *
 * Needs:    flow.tensor.transfer or stream.async.transfer, in functions of any kind; as early as can be.
 * Meaning:  IREE makes new ops out of transfers, without our attribute but with their location; so a later pass finds
 * the kind on what has become of the transfer. Locations must be printed (--mlir-print-debuginfo) where text is handed
 * on. IREE merges transfers of one value to one device, and a transfer of a transfer, and keeps one of the locations:
 * all of them take the strictest kind. Keeps:    everything else. Runs twice as once. */
#include "capi/diagnostics.h"
#include "capi/ptr_map.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "passes/transfers.h"

typedef struct kinded {
  MlirOperation op;
  zc_kind kind;
} kinded;

/* Transfers of one value to one place: IREE merges those of them that it finds in one block, or one behind the other.
 */
typedef struct group {
  MlirAttribute target;
  MlirType type;
  zc_list members; ///< kinded *
} group;

typedef struct pinning {
  zc_context *context;
  zc_list transfers;        ///< kinded *, in program order.
  zc_list groups;           ///< group *
  zc_ptr_map *of_source;    ///< Source value -> zc_list of group *.
  zc_ptr_map *of_result;    ///< Result value -> kinded.
  zc_ptr_map *alias_blocks; ///< Block -> the group that was last found to have an alias in it.
  bool failed;
} pinning;

static MlirAttribute target_of(zc_context *context, MlirOperation op) {
  return zc_attribute(op, zc_op_of(context->ops, op) == ZC_OP_FLOW_TRANSFER ? "target" : "target_affinity");
}

/* One per device or so: a scan does. */
static group *find_group(pinning *pinning, zc_list *groups, MlirAttribute target, MlirType type) {
  zc_arena *arena = pinning->context->arena;
  for (int i = 0; i < groups->count; ++i) {
    group *known = zc_list_at(groups, group *, i);
    if (mlirAttributeEqual(known->target, target) && mlirTypeEqual(known->type, type))
      return known;
  }
  group *added = zc_arena_new(arena, group);
  added->target = target;
  added->type = type;
  zc_list_push(arena, groups, group *, added);
  zc_list_push(arena, &pinning->groups, group *, added);
  return added;
}

static void add_to_group(pinning *pinning, kinded *transfer) {
  zc_context *context = pinning->context;
  MlirValue source = mlirOperationGetOperand(transfer->op, 0);
  zc_list *groups = zc_ptr_map_list(pinning->of_source, context->arena, source.ptr);
  group *group = find_group(pinning, groups, target_of(context, transfer->op),
                            mlirValueGetType(mlirOperationGetResult(transfer->op, 0)));
  zc_list_push(context->arena, &group->members, kinded *, transfer);
}

static MlirWalkResult collect(MlirOperation op, void *data) {
  pinning *pinning = data;
  zc_context *context = pinning->context;
  zc_op kind = zc_op_of(context->ops, op);
  if (kind != ZC_OP_FLOW_TRANSFER && kind != ZC_OP_ASYNC_TRANSFER)
    return MlirWalkResultAdvance;
  kinded *transfer = zc_arena_new(context->arena, kinded);
  transfer->op = op;
  transfer->kind = zc_explicit_kind(context, op);
  pinning->failed |= mlirLogicalResultIsFailure(zc_verify_kind(op, transfer->kind));
  zc_list_push(context->arena, &pinning->transfers, kinded *, transfer);
  zc_ptr_map_set(pinning->of_result, mlirOperationGetResult(op, 0).ptr, transfer);
  add_to_group(pinning, transfer);
  return MlirWalkResultAdvance;
}

/* ---- transfers that IREE merges ---- */

static void take_copy(kinded *transfer) {
  if (transfer->kind == ZC_KIND_ALIAS)
    zc_warning_at(mlirOperationGetLocation(transfer->op),
                  "zc.kind \"alias\" gives way: IREE merges this transfer with another that is to be a copy");
  transfer->kind = ZC_KIND_COPY;
}

/* Whichever of them IREE keeps, it is a copy. */
static bool spread_copy(const group *group) {
  bool copy = false;
  for (int i = 0; i < group->members.count; ++i)
    copy |= zc_list_at(&group->members, kinded *, i)->kind == ZC_KIND_COPY;
  for (int i = 0; i < group->members.count && copy; ++i)
    take_copy(zc_list_at(&group->members, kinded *, i));
  return copy;
}

/* A transfer may be refused for a wish for an alias: it is another's only where it is sure that they become one. */
static void spread_alias(const pinning *pinning, group *group) {
  for (int i = 0; i < group->members.count; ++i) {
    const kinded *member = zc_list_at(&group->members, kinded *, i);
    if (member->kind == ZC_KIND_ALIAS)
      zc_ptr_map_set(pinning->alias_blocks, mlirOperationGetBlock(member->op).ptr, group);
  }
  for (int i = 0; i < group->members.count; ++i) {
    kinded *member = zc_list_at(&group->members, kinded *, i);
    if (zc_ptr_map_get(pinning->alias_blocks, mlirOperationGetBlock(member->op).ptr) == group)
      member->kind = ZC_KIND_ALIAS;
  }
}

static void spread_in_groups(const pinning *pinning) {
  for (int i = 0; i < pinning->groups.count; ++i) {
    group *group = zc_list_at(&pinning->groups, struct group *, i);
    if (!spread_copy(group))
      spread_alias(pinning, group);
  }
}

static MlirValue behind_views(const zc_ops *ops, MlirValue value) {
  for (zc_op kind = zc_op_defining(ops, value); kind == ZC_OP_FLOW_RESHAPE || kind == ZC_OP_FLOW_BITCAST;
       kind = zc_op_defining(ops, value))
    value = mlirOperationGetOperand(zc_defining_op(value), 0);
  return value;
}

/* IREE takes the second of two transfers in a row straight from the source of the first. On async IR ours come before
 * that. */
static void spread_along_chains(pinning *pinning) {
  const zc_ops *ops = pinning->context->ops;
  for (int i = 0; i < pinning->transfers.count; ++i) {
    kinded *transfer = zc_list_at(&pinning->transfers, kinded *, i);
    if (zc_op_of(ops, transfer->op) != ZC_OP_FLOW_TRANSFER)
      continue;
    const kinded *before =
        zc_ptr_map_get(pinning->of_result, behind_views(ops, mlirOperationGetOperand(transfer->op, 0)).ptr);
    if (before && before->kind == ZC_KIND_COPY && transfer->kind < ZC_KIND_COPY)
      take_copy(transfer);
  }
}

/* ---- writing ---- */

static void pin(zc_context *context, const kinded *transfer) {
  MlirLocation location = mlirOperationGetLocation(transfer->op);
  MlirAttribute kind = mlirStringAttrGet(context->mlir, zc_str(transfer->kind == ZC_KIND_COPY ? "copy" : "alias"));
  bool conflicting;
  if (!mlirAttributeEqual(zc_attribute(transfer->op, ZC_KIND_ATTRIBUTE), kind))
    mlirOperationSetDiscardableAttributeByName(transfer->op, zc_str(ZC_KIND_ATTRIBUTE), kind);
  if (zc_location_kind(context, location, &conflicting) == transfer->kind && !conflicting)
    return;
  MlirNamedAttribute entry = mlirNamedAttributeGet(mlirIdentifierGet(context->mlir, zc_str(ZC_KIND_ATTRIBUTE)), kind);
  mlirOperationSetLocation(
      transfer->op, mlirLocationFusedGet(context->mlir, 1, &location, mlirDictionaryAttrGet(context->mlir, 1, &entry)));
}

static MlirLogicalResult run(zc_context *context) {
  pinning pinning = {.context = context,
                     .of_source = zc_ptr_map_create(context->arena),
                     .of_result = zc_ptr_map_create(context->arena),
                     .alias_blocks = zc_ptr_map_create(context->arena)};
  mlirOperationWalk(context->module, collect, &pinning, MlirWalkPreOrder);
  if (!pinning.failed) {
    spread_in_groups(&pinning);
    spread_along_chains(&pinning);
    for (int i = 0; i < pinning.transfers.count; ++i)
      if (zc_list_at(&pinning.transfers, kinded *, i)->kind != ZC_KIND_ANY)
        pin(context, zc_list_at(&pinning.transfers, kinded *, i));
  }
  zc_ptr_map_release(pinning.of_source);
  zc_ptr_map_release(pinning.of_result);
  zc_ptr_map_release(pinning.alias_blocks);
  return pinning.failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}

MlirPass streamZcCreatePinTransferKindPass(const StreamZcOptions *options) {
  static const double id;
  return zc_pass_create(&id, "PinTransferKind", "zc-pin-transfer-kind",
                        "Writes the zc.kind of transfers into their locations", options, run);
}
