#include "passes/transfer_chains.h"

#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "passes/transfers.h"

/* Parts of the location that a folded transfer has, at most. */
#define LOCATION_LIMIT 16

enum { SOURCE, SOURCE_SIZE, RESULT_SIZE };

static bool has_one_use(MlirValue value) {
  MlirOpOperand first = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(first) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(first));
}

/* The transfer whose result is all that `outer` takes, if nothing else does. */
static MlirOperation inner_of(zc_context *context, MlirOperation outer) {
  MlirOperation none = {NULL};
  MlirValue middle = mlirOperationGetOperand(outer, SOURCE);
  return zc_op_defining(context->ops, middle) == ZC_OP_ASYNC_TRANSFER && has_one_use(middle) ? zc_defining_op(middle)
                                                                                             : none;
}

static bool is_linked(zc_context *context, MlirOperation inner, MlirOperation outer) {
  int from = zc_pinned_device(context, zc_affinity_or_default(context, inner, "source_affinity"));
  int to = zc_pinned_device(context, zc_affinity_or_default(context, outer, "target_affinity"));
  return from >= 0 && to >= 0 &&
         (from == to || zc_topology_link(context->topology, from, to)->declared ||
          zc_topology_link(context->topology, to, from)->declared);
}

static bool has_same_type(const zc_ops *ops, MlirOperation inner, MlirOperation outer) {
  return mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(inner, SOURCE)),
                       mlirValueGetType(mlirOperationGetResult(outer, 0))) &&
         zc_same_index(ops, mlirOperationGetOperand(inner, SOURCE_SIZE), mlirOperationGetOperand(outer, RESULT_SIZE));
}

/* The execution affinity that stays is the second transfer's: it has to be at one of the ends that are left. */
static bool keeps_execution(zc_context *context, MlirOperation inner, MlirOperation outer) {
  if (!mlirAttributeIsNull(zc_attribute(inner, "execution_affinity")))
    return false;
  MlirAttribute on = zc_attribute(outer, "execution_affinity");
  MlirAttribute from = zc_attribute(inner, "source_affinity");
  MlirAttribute to = zc_attribute(outer, "target_affinity");
  return mlirAttributeIsNull(on) ||
         (!mlirAttributeIsNull(from) && zc_affinity_can_execute_with(context->affinities, on, from)) ||
         (!mlirAttributeIsNull(to) && zc_affinity_can_execute_with(context->affinities, on, to));
}

static bool is_to_be_alias(MlirOperation op) {
  MlirAttribute decision = zc_attribute(op, ZC_DECISION_ATTRIBUTE);
  return !mlirAttributeIsNull(decision) && mlirAttributeIsAString(decision) &&
         zc_str_is(mlirStringAttrGetValue(decision), "alias");
}

static bool can_fold(zc_context *context, MlirOperation inner, MlirOperation outer) {
  return zc_explicit_kind(context, inner) == ZC_KIND_ANY && zc_explicit_kind(context, outer) == ZC_KIND_ANY &&
         !(is_to_be_alias(inner) && is_to_be_alias(outer)) && has_same_type(context->ops, inner, outer) &&
         keeps_execution(context, inner, outer) && is_linked(context, inner, outer);
}

/* Both places; a fused location lists all its parts, so that a long chain keeps its first ones only. */
static MlirLocation join_locations(zc_context *context, MlirLocation inner, MlirLocation outer) {
  MlirLocation both[] = {inner, outer};
  if (mlirLocationIsAFused(inner) && mlirLocationFusedGetNumLocations(inner) >= LOCATION_LIMIT)
    return inner;
  return mlirLocationFusedGet(context->mlir, 2, both, mlirAttributeGetNull());
}

static void fold(zc_context *context, MlirOperation inner, MlirOperation outer) {
  MlirLocation location = join_locations(context, mlirOperationGetLocation(inner), mlirOperationGetLocation(outer));
  MlirAttribute from = zc_attribute(inner, "source_affinity");
  mlirOperationSetOperand(outer, SOURCE, mlirOperationGetOperand(inner, SOURCE));
  mlirOperationSetOperand(outer, SOURCE_SIZE, mlirOperationGetOperand(inner, SOURCE_SIZE));
  /* A null attribute takes it away. */
  mlirOperationSetInherentAttributeByName(outer, zc_str("source_affinity"), from);
  mlirOperationSetLocation(outer, location);
  zc_remove_annotations(outer);
  mlirOperationDestroy(inner);
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  zc_context *context = data;
  if (zc_op_of(context->ops, op) != ZC_OP_ASYNC_TRANSFER)
    return MlirWalkResultAdvance;
  MlirOperation inner = inner_of(context, op);
  if (!mlirOperationIsNull(inner) && can_fold(context, inner, op) &&
      zc_report_take_rewrite(context->options.report, context->options.limit, &context->rewrites))
    fold(context, inner, op);
  return MlirWalkResultAdvance;
}

void zc_fold_transfer_chains(zc_context *context) {
  if (!zc_topology_is_empty(context->topology))
    mlirOperationWalk(context->module, visit, context, MlirWalkPreOrder);
}
