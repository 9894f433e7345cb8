/* zc-set-aside-topology, zc-restore-topology: keep `stream.topology` out of sight of IREE's passes, which would elide
 * transfers by it with no regard for coherence or for later updates. */
#include "capi/text.h"
#include "passes/context.h"

static MlirLogicalResult rename_attribute(zc_context *context, const char *from, const char *to) {
  MlirAttribute topology = zc_attribute(context->module, from);
  if (!mlirAttributeIsNull(topology)) {
    mlirOperationRemoveAttributeByName(context->module, zc_str(from));
    mlirOperationSetDiscardableAttributeByName(context->module, zc_str(to), topology);
  }
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult set_aside(zc_context *context) {
  return rename_attribute(context, ZC_TOPOLOGY_ATTRIBUTE, ZC_TOPOLOGY_SET_ASIDE_ATTRIBUTE);
}

static MlirLogicalResult restore(zc_context *context) {
  return rename_attribute(context, ZC_TOPOLOGY_SET_ASIDE_ATTRIBUTE, ZC_TOPOLOGY_ATTRIBUTE);
}

MlirPass streamZcCreateSetAsideTopologyPass(const StreamZcOptions *options) {
  static const double id;
  return zc_pass_create(&id, "SetAsideTopology", "zc-set-aside-topology",
                        "Renames stream.topology so that IREE's passes don't see it", options, set_aside);
}

MlirPass streamZcCreateRestoreTopologyPass(const StreamZcOptions *options) {
  static const double id;
  return zc_pass_create(&id, "RestoreTopology", "zc-restore-topology", "Undoes zc-set-aside-topology", options,
                        restore);
}
