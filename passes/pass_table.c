#include <string.h>

#include "stream_zc/Passes.h"

static const StreamZcPassInfo passes[] = {
    {"zc-pin-transfer-kind", "Write explicit kinds of transfers into their locations, to outlive IREE's passes",
     streamZcCreatePinTransferKindPass},
    {"zc-classify-transfers", "Decide for each transfer between devices: alias or copy, and why",
     streamZcCreateClassifyTransfersPass},
    {"zc-elide-transfers", "Drop transfers that share memory (flow and async IR)", streamZcCreateElideTransfersPass},
    {"zc-alias-allocations", "Give source and result of a transfer one allocation (scheduled IR)",
     streamZcCreateAliasAllocationsPass},
    {"zc-order-hazards", "Order conflicting accesses of different execution regions (scheduled IR)",
     streamZcCreateOrderHazardsPass},
    {"zc-maintain-coherence", "Place the cache maintenance that non-coherent links need (scheduled IR)",
     streamZcCreateMaintainCoherencePass},
    {"zc-lower-cache-maintenance", "Make cache maintenance reach the runtime (scheduled IR)",
     streamZcCreateLowerCacheMaintenancePass},
    {"zc-import-topology", "Set stream.topology from a JSON file (=file=PATH)", streamZcCreateImportTopologyPass},
    {"zc-place-transfer-executions", "Have transfers into pinned results execute where these are (async IR)",
     streamZcCreatePlaceTransferExecutionsPass},
    {"zc-forward-call-results", "Replace results of calls that are operands or other results of them",
     streamZcCreateForwardCallResultsPass},
    {"zc-verify-coherence", "Check that every read sees the value it should, in every order (scheduled IR)",
     streamZcCreateVerifyCoherencePass},
    {"zc-set-aside-topology", "Hide stream.topology from IREE's passes", streamZcCreateSetAsideTopologyPass},
    {"zc-restore-topology", "Undo zc-set-aside-topology", streamZcCreateRestoreTopologyPass},
};

intptr_t streamZcGetNumPasses(void) {
  return (intptr_t)(sizeof passes / sizeof *passes);
}

const StreamZcPassInfo *streamZcGetPass(intptr_t index) {
  return index >= 0 && index < streamZcGetNumPasses() ? &passes[index] : NULL;
}

const StreamZcPassInfo *streamZcLookupPass(MlirStringRef argument) {
  for (intptr_t i = 0; i < streamZcGetNumPasses(); ++i)
    if (mlirStringRefEqual(argument, mlirStringRefCreateFromCString(passes[i].argument)))
      return &passes[i];
  return NULL;
}
