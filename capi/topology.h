/* A module's topology as the passes ask it. Built and checked once from `stream.topology`, const from then on. */
#ifndef ZC_CAPI_TOPOLOGY_H
#define ZC_CAPI_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

#include "capi/affinity.h"
#include "capi/arena.h"
#include "mlir-c/IR.h"

/// The module attribute, and where it is kept out of IREE's sight while IREE's passes run.
#define ZC_TOPOLOGY_ATTRIBUTE "stream.topology"
#define ZC_TOPOLOGY_SET_ASIDE_ATTRIBUTE "zc.topology"

/// A directed link `from -> to`.
typedef struct zc_link {
  bool declared;           ///< false: nothing is known, the devices are discrete.
  bool unified_memory;     ///< Both use one physical memory.
  bool transparent_access; ///< `from` can access `to`'s memory.
  bool coherent;           ///< `from`'s writes are seen by `to` without maintenance (ours; absent: false).
  int64_t cache_line;      ///< Bytes; 64 where not given.
  double read_cost;        ///< Of one byte read across the link, in the unit of copy_cost; 0 where not given.
  double copy_cost;        ///< Of one byte copied across the link; 0 where not given.
} zc_link;

typedef struct zc_topology zc_topology;

/// Reads the attribute of `module` (either of the two names above). Its devices are interned into `devices`, in the
/// order in which the module declares them: the order of the links says nothing. Null where it is malformed, with an
/// error emitted; an empty topology where there is none.
const zc_topology *zc_topology_read(MlirOperation module, zc_devices *devices, zc_arena *arena);

/// Whether no link is declared at all: then nothing may change.
bool zc_topology_is_empty(const zc_topology *topology);

/// The links in the order of the attribute: how many, and the ends of one of them.
int zc_topology_num_links(const zc_topology *topology);
void zc_topology_link_ends(const zc_topology *topology, int index, int *from, int *to);

/// Never null; `declared` is false for a link that the topology doesn't have. A device reaches itself.
const zc_link *zc_topology_link(const zc_topology *topology, int from, int to);

/// Whether one storage can serve all of `users` (design section 4): any two share unified memory in both directions
/// (then
/// `*owner` is -1: any of them may own it), or all the others have transparent access to one of them (then `*owner` is
/// that one, the first declared if several would do). True for a single device.
bool zc_topology_can_share(const zc_topology *topology, zc_device_set users, int *owner);

/// The first pair of `users` that cannot share, for a remark. False where all can.
bool zc_topology_find_discrete(const zc_topology *topology, zc_device_set users, int *from, int *to);

/// Whether every other device of `users` sees what each of `writers` writes without maintenance. `*from`, `*to`: the
/// first pair for which it doesn't.
bool zc_topology_is_coherent(const zc_topology *topology, zc_device_set writers, zc_device_set users, int *from,
                             int *to);

#endif /* ZC_CAPI_TOPOLOGY_H */
