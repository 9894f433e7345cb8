/* The properties of a link and the builder of a topology: what the readers of the attribute and of the file share. */
#ifndef ZC_CAPI_TOPOLOGY_BUILD_H
#define ZC_CAPI_TOPOLOGY_BUILD_H

#include <stddef.h>

#include "capi/topology.h"

#define ZC_DEFAULT_CACHE_LINE 64
#define ZC_MAX_CACHE_LINE (1 << 30)

typedef enum zc_property_kind {
  ZC_PROPERTY_FLAG,  ///< A bool.
  ZC_PROPERTY_BYTES, ///< An int64_t: a power of two up to ZC_MAX_CACHE_LINE.
  ZC_PROPERTY_COST,  ///< A double: finite, not negative.
} zc_property_kind;

typedef struct zc_property {
  const char *name;
  zc_property_kind kind;
  bool stock;    ///< IREE's own: in the first dictionary of a link. Ours are in the second.
  size_t offset; ///< In zc_link.
} zc_property;

#define ZC_NUM_PROPERTIES 6
extern const zc_property zc_properties[ZC_NUM_PROPERTIES];

/// The property of this name; null where there is none.
const zc_property *zc_property_find(const char *name, size_t length);
/// The names of the properties, for messages.
#define ZC_PROPERTY_NAMES "unified_memory, transparent_access, coherent, cache_line, read_cost, copy_cost"

void zc_property_set_flag(const zc_property *property, zc_link *link, bool value);
/// False where the number is out of the property's range; the link is as it was then.
bool zc_property_set_number(const zc_property *property, zc_link *link, double value);
/// What values of this property are, for messages: "true or false".
const char *zc_property_values(const zc_property *property);
bool zc_property_equal(const zc_property *property, const zc_link *a, const zc_link *b);
void zc_property_copy(const zc_property *property, zc_link *to, const zc_link *from);
/// The value as JSON, from which the same value is read; in the arena.
const char *zc_property_text(zc_arena *arena, const zc_property *property, const zc_link *link);

/// A declared link with every property at its default.
zc_link zc_link_default(void);

/// A topology without links, in the arena. Devices are interned into `devices`.
zc_topology *zc_topology_create(zc_arena *arena, zc_devices *devices);
/// Adds `from -> to`. Null, or why it can't be added; the topology is as it was then. The text is in the arena.
const char *zc_topology_add(zc_topology *topology, const char *from, const char *to, const zc_link *link);

/// The topology attribute of a module, under either of its names; null where there is none.
MlirAttribute zc_topology_find_attribute(MlirOperation module);
/// As zc_topology_read, of an attribute for `module` that it needn't have, and that may be null.
const zc_topology *zc_topology_read_attribute(MlirAttribute attribute, MlirOperation module, zc_devices *devices,
                                              zc_arena *arena);

#endif /* ZC_CAPI_TOPOLOGY_BUILD_H */
