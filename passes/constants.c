#include "passes/constants.h"

#include "capi/ptr_map.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

struct zc_constants {
  zc_context *context;
  MlirOperation function;
  MlirBlock entry;
  zc_ptr_map *known; ///< Index attribute -> value; null until the first is asked for.
};

zc_constants *zc_constants_create(zc_context *context, MlirOperation function) {
  zc_constants *constants = zc_arena_new(context->arena, zc_constants);
  constants->context = context;
  constants->function = function;
  constants->entry = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(function));
  return constants;
}

void zc_constants_release(zc_constants *constants) {
  if (constants->known)
    zc_ptr_map_release(constants->known);
}

static void know(zc_constants *constants, MlirAttribute attribute, MlirValue value) {
  zc_ptr_map_set(constants->known, attribute.ptr, (void *)(uintptr_t)value.ptr);
}

/* Those that only constants stand before: they come before everything else, too. */
static void look_around(zc_constants *constants) {
  constants->known = zc_ptr_map_create(constants->context->arena);
  for (MlirOperation op = mlirBlockGetFirstOperation(constants->entry);
       !mlirOperationIsNull(op) && zc_op_of(constants->context->ops, op) == ZC_OP_CONSTANT;
       op = mlirOperationGetNextInBlock(op))
    know(constants, zc_attribute(op, "value"), mlirOperationGetResult(op, 0));
}

static MlirValue make(zc_constants *constants, MlirAttribute attribute) {
  MlirContext mlir = constants->context->mlir;
  MlirType type = mlirAttributeGetType(attribute);
  MlirNamedAttribute named = mlirNamedAttributeGet(mlirIdentifierGet(mlir, zc_str("value")), attribute);
  MlirOperationState state =
      mlirOperationStateGet(zc_str("arith.constant"), mlirOperationGetLocation(constants->function));
  mlirOperationStateAddResults(&state, 1, &type);
  mlirOperationStateAddAttributes(&state, 1, &named);
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperation(constants->entry, 0, op);
  return mlirOperationGetResult(op, 0);
}

MlirValue zc_index_constant(zc_constants *constants, int64_t value) {
  MlirAttribute attribute = mlirIntegerAttrGet(mlirIndexTypeGet(constants->context->mlir), value);
  if (!constants->known)
    look_around(constants);
  MlirValue known = {zc_ptr_map_get(constants->known, attribute.ptr)};
  if (zc_value_is_null(known)) {
    known = make(constants, attribute);
    know(constants, attribute, known);
  }
  return known;
}
