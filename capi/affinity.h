/* The one reader of #hal.device.* attributes: there is no C accessor for them, so they are printed and the text is
 * read. */
#ifndef ZC_CAPI_AFFINITY_H
#define ZC_CAPI_AFFINITY_H

#include <stdbool.h>
#include <stdint.h>

#include "capi/arena.h"
#include "mlir-c/IR.h"

#define ZC_MAX_DEVICES 64

/// A set of devices: bit i is the device with id i.
typedef uint64_t zc_device_set;

/// Device symbols and their ids (0, 1, … in the order of first use).
typedef struct zc_devices zc_devices;
zc_devices *zc_devices_create(zc_arena *arena);
int zc_devices_count(const zc_devices *devices);
/// The id of the device global `symbol`, given now if it is new; -1 where ZC_MAX_DEVICES are known already.
int zc_devices_intern(zc_devices *devices, const char *symbol);
/// The id, or -1 where no such device was interned.
int zc_devices_lookup(const zc_devices *devices, const char *symbol);
const char *zc_devices_symbol(const zc_devices *devices, int id);

typedef enum zc_affinity_kind {
  ZC_AFFINITY_NONE,    ///< No attribute.
  ZC_AFFINITY_PINNED,  ///< #hal.device.affinity<@d> or #hal.device.promise<@d>: one device, `queues` of it.
  ZC_AFFINITY_OPTIMAL, ///< #hal.device.optimal<[…]>: chosen at run time among `devices`.
  ZC_AFFINITY_UNKNOWN, ///< Anything else: nothing may be concluded from it.
} zc_affinity_kind;

typedef struct zc_affinity {
  zc_affinity_kind kind;
  zc_device_set devices; ///< All devices that the attribute names.
  int device;            ///< PINNED: the device; else -1.
  uint64_t queues;       ///< PINNED: a bit per queue; all ones where any queue will do.
} zc_affinity;

/// Reads affinity attributes, each distinct one once.
typedef struct zc_affinities zc_affinities;
zc_affinities *zc_affinities_create(zc_arena *arena, zc_devices *devices);
void zc_affinities_release(zc_affinities *affinities);
/// What `attribute` says; a null attribute is NONE. Lives as long as the arena.
const zc_affinity *zc_affinity_read(zc_affinities *affinities, MlirAttribute attribute);

/// The affinity of an allocation that all devices of both attributes reach: an equal or covering one as it is, else
/// #hal.device.optimal<[…]> over all of their pinned affinities, in the order that IREE gives them
/// (compiler/src/iree/compiler/Dialect/HAL/IR/HALAttrs.cpp, joinOR). A null attribute where either is UNKNOWN.
MlirAttribute zc_affinity_join(zc_affinities *affinities, MlirAttribute a, MlirAttribute b);

/// Whether work placed by `a` can run with work placed by `b`: one is absent, both are equal, or all that `a` may
/// choose, its queues included, lies within each choice of `b` (HALAttrs.cpp, isExecutableWith). Not symmetric: queue 0
/// can join queues 0 and 1, but not the other way round.
bool zc_affinity_can_execute_with(zc_affinities *affinities, MlirAttribute a, MlirAttribute b);

#endif /* ZC_CAPI_AFFINITY_H */
