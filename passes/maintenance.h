/* Cache maintenance ops in scheduled IR, as IREE writes them or as zc-lower-cache-maintenance left them. */
#ifndef ZC_PASSES_MAINTENANCE_H
#define ZC_PASSES_MAINTENANCE_H

#include "passes/context.h"

/// On a lowered op, beside ZC_MAINTENANCE_ATTRIBUTE: the device at the other end.
#define ZC_MAINTENANCE_AFFINITY_ATTRIBUTE "zc.affinity"

typedef struct zc_maintenance {
  bool invalidate; ///< Else a flush.
  int device;      ///< That executes it; -1 where it isn't one.
  int peer;        ///< A flush makes visible to it, an invalidate takes from it; -1 where none is named.
} zc_maintenance;

/// Whether `op`, in an execution region, is cache maintenance.
bool zc_is_maintenance(zc_context *context, MlirOperation op, zc_maintenance *maintenance);

/// Whether maintenance between two devices is ours to place: the topology says that they share memory.
bool zc_is_maintained_link(zc_context *context, int a, int b);

/// Bytes of the cache lines that two devices must not write at the same time: those of a link between them that is
/// shared and not coherent, one way or the other; 0 where there is none.
int64_t zc_contested_line(zc_context *context, int a, int b);

/// Bytes of the cache lines that `device` may have to invalidate where some of `writers` write them, too, which drops
/// what it wrote there itself: the longest of such links; 0 where there is none.
int64_t zc_dropped_line(zc_context *context, zc_device_set writers, int device);

#endif /* ZC_PASSES_MAINTENANCE_H */
