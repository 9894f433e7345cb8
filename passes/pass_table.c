#include <string.h>

#include "stream_zc/Passes.h"

static const StreamZcPassInfo passes[] = {
    {"zc-classify-transfers", "Decide for each transfer between devices: alias or copy, and why",
     streamZcCreateClassifyTransfersPass},
    {"zc-elide-transfers", "Drop transfers that share memory (flow and async IR)", streamZcCreateElideTransfersPass},
    {"zc-alias-allocations", "Give source and result of a transfer one allocation (scheduled IR)",
     streamZcCreateAliasAllocationsPass},
    {"zc-maintain-coherence", "Place the cache maintenance that non-coherent links need (scheduled IR)",
     streamZcCreateMaintainCoherencePass},
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
