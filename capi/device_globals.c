#include "capi/device_globals.h"

#include <string.h>

#include "capi/affinity.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"

/* Null where the attribute is no string, an empty one, or one that no C string can hold. */
static const char *string_value(zc_arena *arena, MlirAttribute attribute) {
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAString(attribute))
    return NULL;
  MlirStringRef text = mlirStringAttrGetValue(attribute);
  return !text.length || memchr(text.data, 0, text.length) ? NULL : zc_arena_copy(arena, text.data, text.length);
}

static void add_device(zc_device_globals *devices, MlirOperation op) {
  if (!zc_str_is(mlirIdentifierStr(mlirOperationGetName(op)), "util.global"))
    return;
  MlirAttribute type = mlirOperationGetAttributeByName(op, zc_str("type"));
  if (mlirAttributeIsNull(type) || strcmp(zc_attribute_text(devices->arena, type), "!hal.device") != 0)
    return;
  const char *name = string_value(devices->arena, mlirOperationGetAttributeByName(op, zc_str("sym_name")));
  if (name)
    zc_list_push(devices->arena, &devices->names, const char *, name);
}

zc_device_globals zc_device_globals_find(MlirOperation module, zc_arena *arena) {
  zc_device_globals devices = {arena, {0}};
  if (mlirOperationGetNumRegions(module) == 0)
    return devices;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  if (mlirBlockIsNull(body))
    return devices;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    add_device(&devices, op);
  return devices;
}

bool zc_device_globals_have(const zc_device_globals *devices, const char *name) {
  for (int i = 0; i < devices->names.count; ++i)
    if (strcmp(zc_list_at(&devices->names, const char *, i), name) == 0)
      return true;
  return false;
}

const char *zc_device_globals_unknown(const zc_device_globals *devices, const char *name) {
  const char *known = "";
  for (int i = 0; i < devices->names.count && i < ZC_MAX_DEVICES; ++i)
    known = zc_arena_format(devices->arena, "%s%s%s", known, i ? ", " : "",
                            zc_symbol_text(devices->arena, zc_list_at(&devices->names, const char *, i)));
  return zc_arena_format(devices->arena, "no device %s in the module, which has %s",
                         zc_symbol_text(devices->arena, name), *known ? known : "no device globals");
}
