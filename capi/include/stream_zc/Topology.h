/* How devices reach each other's memory, as a module states it in `stream.topology`. */
#ifndef STREAM_ZC_TOPOLOGY_H
#define STREAM_ZC_TOPOLOGY_H

#include "mlir-c/IR.h"
#include "stream_zc/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Reads the JSON topology `json` (docs/topology.md) and sets it as `stream.topology` on `module`, in place of one that
/// is there. Every device that it names must be a global of the module. `fileName` is used in diagnostics only. On
/// failure an error is emitted at the line and column in `fileName`, and the module is as it was.
STREAM_ZC_EXPORTED MlirLogicalResult streamZcModuleSetTopologyFromJSON(MlirOperation module, MlirStringRef json,
                                                                       MlirStringRef fileName);

/// Checks the `stream.topology` that `module` has: known devices, no link to itself, no link twice, known keys of the
/// right type. Success where there is none. On failure an error is emitted at the module's location.
STREAM_ZC_EXPORTED MlirLogicalResult streamZcModuleVerifyTopology(MlirOperation module);

/// Prints the `stream.topology` that `module` has as JSON that sets it again. Fails where it is malformed, with an
/// error emitted.
STREAM_ZC_EXPORTED MlirLogicalResult streamZcModulePrintTopologyJSON(MlirOperation module, MlirStringCallback callback,
                                                                     void *userData);

/// Prints what is known of a topology, for people: as JSON, as the attribute, and why each property of each link is as
/// it is and which devices share memory. The topology is that of the JSON text `json`, as above, or what `module` has
/// where `json.data` is null. The module stays as it is. On failure an error is emitted.
STREAM_ZC_EXPORTED MlirLogicalResult streamZcModulePrintTopology(MlirOperation module, MlirStringRef json,
                                                                 MlirStringRef fileName, MlirStringCallback callback,
                                                                 void *userData);

#ifdef __cplusplus
}
#endif

#endif /* STREAM_ZC_TOPOLOGY_H */
