#include "passes/unscheduled_decisions.h"

#include "capi/ptr_map.h"

#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

static bool is_flow(zc_context *context, MlirOperation op) {
  return zc_op_of(context->ops, op) == ZC_OP_FLOW_TRANSFER;
}

/* Bytes of a tensor with a static shape and whole bytes for each element; -1 where it isn't one. IREE may store it with
 * a layout of its own (an encoding): then only IREE knows. */
static int64_t tensor_bytes(MlirType type) {
  if (!mlirTypeIsARankedTensor(type) || !mlirShapedTypeHasStaticShape(type) ||
      !mlirAttributeIsNull(mlirRankedTensorTypeGetEncoding(type)))
    return -1;
  MlirType element = mlirShapedTypeGetElementType(type);
  unsigned bits = mlirTypeIsAInteger(element) ? mlirIntegerTypeGetWidth(element)
                  : mlirTypeIsAFloat(element) ? mlirFloatTypeGetWidth(element)
                                              : 0;
  int64_t bytes = bits / 8;
  if (!bits || bits % 8)
    return -1;
  for (int64_t i = 0; i < mlirShapedTypeGetRank(type); ++i)
    if (__builtin_mul_overflow(bytes, mlirShapedTypeGetDimSize(type, i), &bytes))
      return -1;
  return bytes;
}

/* What a resource's size operand says: a constant, or the size of a tensor that IREE hasn't worked out yet. */
static int64_t resource_bytes(const zc_ops *ops, MlirValue size) {
  int64_t bytes;
  if (zc_constant_index(ops, size, &bytes))
    return bytes;
  MlirOperation op = zc_defining_op(size);
  if (mlirOperationIsNull(op) || !zc_str_is(mlirIdentifierStr(mlirOperationGetName(op)), "stream.tensor.sizeof"))
    return -1;
  MlirAttribute encoding = zc_attribute(op, "encoding");
  return mlirAttributeIsNull(encoding) || !mlirAttributeIsAType(encoding)
             ? -1
             : tensor_bytes(mlirTypeAttrGetValue(encoding));
}

static void describe(zc_values *values, const zc_value_transfer *value, zc_transfer *transfer) {
  zc_context *context = values->context;
  MlirOperation none = {NULL};
  MlirOperation op = value->op;
  bool flow = is_flow(context, op);
  *transfer =
      (zc_transfer){.op = op, .function = zc_function_name(context, value->function), .bytes = -1, .conflict = none};
  transfer->source_device = flow ? zc_device_of(values, mlirOperationGetOperand(op, 0))
                                 : zc_pinned_device(context, zc_affinity_or_default(context, op, "source_affinity"));
  transfer->target_device =
      zc_pinned_device(context, zc_affinity_or_default(context, op, flow ? "target" : "target_affinity"));
  transfer->bytes = flow ? tensor_bytes(mlirValueGetType(mlirOperationGetResult(op, 0)))
                         : resource_bytes(context->ops, mlirOperationGetOperand(op, 1));
}

static bool decide_by_types(zc_context *context, MlirOperation op, zc_transfer *transfer) {
  MlirType from = mlirValueGetType(mlirOperationGetOperand(op, 0));
  MlirType to = mlirValueGetType(mlirOperationGetResult(op, 0));
  bool same_size = is_flow(context, op) ||
                   zc_same_index(context->ops, mlirOperationGetOperand(op, 1), mlirOperationGetOperand(op, 2));
  if (mlirTypeEqual(from, to) && same_size)
    return true;
  zc_decide_copy(transfer, ZC_REASON_TYPE_MISMATCH);
  return false;
}

/* Memory that the caller placed: whoever else reads it must be able to access it where it is. */
static bool decide_by_import(zc_context *context, MlirOperation import, zc_device_set users, zc_transfer *transfer) {
  if (mlirOperationIsNull(import) || context->options.assumeShareableImports)
    return true;
  int owner = zc_pinned_device(context, zc_execution_affinity(context, import));
  bool reachable = owner >= 0;
  for (int user = 0; reachable && user < zc_devices_count(context->devices); ++user)
    if (user != owner && (users >> user & 1))
      reachable = zc_topology_link(context->topology, user, owner)->transparent_access;
  if (!reachable)
    zc_decide_copy_for(transfer, ZC_REASON_IMPORT_NOT_SHAREABLE, import);
  return reachable;
}

/* IREE packs values into slabs at this granularity (Stream/IR/StreamBase, resource configuration defaults): with longer
 * cache lines a neighbour could share one. */
#define SLAB_ALIGNMENT 64

static bool decide_by_lines(zc_context *context, zc_device_set users, zc_transfer *transfer) {
  if (!zc_has_long_lines(context, users, SLAB_ALIGNMENT))
    return true;
  zc_decide_copy(transfer, ZC_REASON_SHARED_CACHE_LINE);
  return false;
}

static MlirOperation either(MlirOperation a, MlirOperation b) {
  return mlirOperationIsNull(a) ? b : a;
}

/* Once lifetimes are refined copy-on-write is materialized: the transfer may be what protects one name from an update
 * of the other. */
static bool is_refined(zc_context *context, MlirOperation op) {
  zc_lifetime lifetime = zc_lifetime_of(context->ops, mlirValueGetType(mlirOperationGetResult(op, 0)));
  return lifetime != ZC_LIFETIME_NONE && lifetime != ZC_LIFETIME_UNKNOWN;
}

static bool decide_by_classes(zc_context *context, const zc_value_class *source, const zc_value_class *result,
                              zc_transfer *transfer) {
  MlirOperation import = either(source->import, result->import);
  MlirOperation constant = either(source->constant, result->constant);
  MlirOperation update = either(source->update, result->update);
  MlirOperation unsupported = either(source->unsupported, result->unsupported);
  zc_device_set users = source->users | result->users;
  if (!mlirOperationIsNull(unsupported))
    zc_decide_copy_for(transfer, ZC_REASON_UNSUPPORTED_USE, unsupported);
  else if (source->unknown_user || result->unknown_user)
    zc_decide_copy(transfer, ZC_REASON_UNKNOWN_DEVICE);
  else if (!mlirOperationIsNull(result->caller_storage))
    zc_decide_copy_for(transfer, ZC_REASON_CALLER_STORAGE, result->caller_storage);
  else if (!mlirOperationIsNull(update) && !mlirOperationIsNull(either(import, constant)))
    zc_decide_copy_for(transfer, ZC_REASON_SOURCE_NOT_OWNED, update);
  else if (!mlirOperationIsNull(source->import) && !mlirOperationIsNull(source->carrier))
    /* IREE's usage refinement takes such a value for a constant on one way and for external memory on another. */
    zc_decide_copy_for(transfer, ZC_REASON_SOURCE_ESCAPES, source->carrier);
  else if (!mlirOperationIsNull(update) && is_refined(context, transfer->op))
    zc_decide_copy_for(transfer, ZC_REASON_SOURCE_OVERWRITTEN, update);
  else if (!mlirOperationIsNull(import) && !mlirOperationIsNull(constant))
    zc_decide_copy_for(transfer, ZC_REASON_TYPE_MISMATCH, import);
  else
    return zc_decide_by_topology(context, transfer, users) && decide_by_import(context, import, users, transfer) &&
           decide_by_lines(context, users, transfer);
  return false;
}

static bool hands_on(zc_op kind) {
  switch (kind) {
  case ZC_OP_BR:
  case ZC_OP_COND_BR:
  case ZC_OP_SWITCH:
  case ZC_OP_SCF_FOR:
  case ZC_OP_SCF_WHILE:
  case ZC_OP_SCF_CONDITION:
  case ZC_OP_SCF_YIELD:
  case ZC_OP_UTIL_CALL:
  case ZC_OP_UTIL_RETURN:
    return true;
  default:
    return false;
  }
}

/* Whether the user hands on what `source` is, too, as another operand. */
static bool hands_on_twice(zc_values *values, MlirOperation user, unsigned operand, MlirValue source) {
  zc_context *context = values->context;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(user); ++i) {
    MlirValue other = mlirOperationGetOperand(user, i);
    if (i != (intptr_t)operand && zc_is_data(context->ops, mlirValueGetType(other)) &&
        mlirValueEqual(zc_value_origin(values, other), source))
      return true;
  }
  return false;
}

static MlirOperation find_carrier(zc_values *values, MlirValue name) {
  MlirOperation none = {NULL};
  for (MlirOpOperand use = mlirValueGetFirstUse(name); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    zc_op kind = zc_op_of(values->context->ops, user);
    if (hands_on(kind) && kind != ZC_OP_UTIL_CALL && kind != ZC_OP_UTIL_RETURN)
      return user;
  }
  return none;
}

/* What carries a value on to another block, or to another turn of a loop; looked for once. */
static MlirOperation carrier_of(zc_values *values, MlirValue name) {
  MlirOperation none = {NULL};
  const void *known = zc_ptr_map_get(values->carriers, name.ptr);
  if (!known) {
    MlirOperation found = find_carrier(values, name);
    known = mlirOperationIsNull(found) ? name.ptr : found.ptr;
    zc_ptr_map_set(values->carriers, name.ptr, (void *)(uintptr_t)known);
  }
  MlirOperation carrier = {(void *)(uintptr_t)known};
  return known == name.ptr ? none : carrier;
}

static bool has_one_use(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return mlirOpOperandIsNull(use) || mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

/* What is carried on is not deallocated but freed when the last reference goes, which waits for no device: then the
 * other name may still be in use (iree-run-module on local-task shows it). */
static bool decide_by_carriers(zc_values *values, MlirValue result, MlirValue source, zc_transfer *transfer) {
  MlirOperation carrier = carrier_of(values, source);
  if (mlirOperationIsNull(carrier) && !has_one_use(source))
    carrier = carrier_of(values, result);
  if (mlirOperationIsNull(carrier) || transfer->source_device == transfer->target_device)
    return true;
  zc_decide_copy_for(transfer, ZC_REASON_SOURCE_ESCAPES, carrier);
  return false;
}

/* Casts and awaits on the way to where a value is handed on, at most. */
#define NAME_DEPTH 256

/* IREE frees a value that is handed on where it is last used under its new name: one storage under two new names would
 * be freed under the first (AutomaticReferenceCounting.cpp). */
static bool decide_by_names(zc_values *values, MlirValue name, MlirValue source, int depth, zc_transfer *transfer) {
  for (MlirOpOperand use = mlirValueGetFirstUse(name); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use)) {
    MlirOperation user = mlirOpOperandGetOwner(use);
    unsigned operand = mlirOpOperandGetOperandNumber(use);
    if (hands_on(zc_op_of(values->context->ops, user)) && hands_on_twice(values, user, operand, source)) {
      zc_decide_copy_for(transfer, ZC_REASON_UNSUPPORTED_USE, user);
      return false;
    }
    if (!depth) {
      zc_decide_copy_for(transfer, ZC_REASON_UNSUPPORTED_USE, user);
      return false;
    }
    if (operand >= mlirOperationGetNumResults(user))
      continue;
    MlirValue other = mlirOperationGetResult(user, operand);
    if (mlirValueEqual(zc_value_origin(values, other), zc_value_origin(values, name)) &&
        !decide_by_names(values, other, source, depth - 1, transfer))
      return false;
  }
  return true;
}

void zc_decide_transfer(zc_values *values, int index, zc_transfer *transfer) {
  zc_context *context = values->context;
  const zc_value_transfer *value = &zc_list_at(&values->transfers, zc_value_transfer, index);
  MlirValue source = mlirOperationGetOperand(value->op, 0);
  MlirValue result = mlirOperationGetResult(value->op, 0);
  describe(values, value, transfer);
  if (!zc_decide_locally(context, transfer) || !decide_by_types(context, value->op, transfer) ||
      !decide_by_classes(context, zc_class_of(values, source), zc_class_of(values, result), transfer) ||
      !decide_by_names(values, result, zc_value_origin(values, source), NAME_DEPTH, transfer) ||
      !decide_by_carriers(values, result, source, transfer))
    return;
  if (!zc_is_classified(value->op) && !zc_decide_within_limit(context, transfer))
    return;
  zc_value_becomes(values, result, source);
  zc_class_merge(values, source, result);
}
