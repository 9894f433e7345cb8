#include "passes/maintenance.h"

#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"

static bool read_lowered(MlirOperation op, bool *invalidate) {
  MlirAttribute kind = zc_attribute(op, ZC_MAINTENANCE_ATTRIBUTE);
  if (mlirAttributeIsNull(kind) || !mlirAttributeIsAString(kind))
    return false;
  *invalidate = zc_str_is(mlirStringAttrGetValue(kind), "invalidate");
  return true;
}

bool zc_is_maintenance(zc_context *context, MlirOperation op, zc_maintenance *maintenance) {
  zc_op kind = zc_op_of(context->ops, op);
  bool direct = kind == ZC_OP_CMD_FLUSH || kind == ZC_OP_CMD_INVALIDATE;
  maintenance->invalidate = kind == ZC_OP_CMD_INVALIDATE;
  if (!direct &&
      ((kind != ZC_OP_CMD_CALL && kind != ZC_OP_CMD_DISPATCH) || !read_lowered(op, &maintenance->invalidate)))
    return false;
  const char *affinity = direct ? "source_affinity" : ZC_MAINTENANCE_AFFINITY_ATTRIBUTE;
  maintenance->peer = zc_pinned_device(context, zc_attribute(op, affinity));
  while (!mlirOperationIsNull(op) && zc_op_of(context->ops, op) != ZC_OP_CMD_EXECUTE)
    op = mlirOperationGetParentOperation(op);
  maintenance->device = mlirOperationIsNull(op) ? -1 : zc_pinned_device(context, zc_execution_affinity(context, op));
  return true;
}

bool zc_is_maintained_link(zc_context *context, int a, int b) {
  const zc_link *there = zc_topology_link(context->topology, a, b);
  const zc_link *back = zc_topology_link(context->topology, b, a);
  return (there->declared && (there->unified_memory || there->transparent_access)) ||
         (back->declared && (back->unified_memory || back->transparent_access));
}

int64_t zc_contested_line(zc_context *context, int a, int b) {
  if (a < 0 || b < 0 || a == b || !zc_is_maintained_link(context, a, b))
    return 0;
  const zc_link *there = zc_topology_link(context->topology, a, b);
  const zc_link *back = zc_topology_link(context->topology, b, a);
  if (there->coherent && back->coherent)
    return 0;
  return there->cache_line > back->cache_line ? there->cache_line : back->cache_line;
}

int64_t zc_dropped_line(zc_context *context, zc_device_set writers, int device) {
  int64_t line = 0;
  for (int writer = 0; device >= 0 && writer < zc_devices_count(context->devices); ++writer)
    if ((writers >> writer & 1) && writer != device && !zc_topology_link(context->topology, writer, device)->coherent &&
        zc_contested_line(context, writer, device) > line)
      line = zc_contested_line(context, writer, device);
  return line;
}
