/* The topology file, read: what its readers share, and what becomes of it. */
#ifndef ZC_CAPI_TOPOLOGY_JSON_H
#define ZC_CAPI_TOPOLOGY_JSON_H

#include "capi/json.h"
#include "capi/topology_build.h"
#include "capi/topology_runtime.h"

/// A `runtime` value: an edge, and the items that gave it.
typedef struct zc_runtime_value {
  const cJSON *item;
  zc_runtime_edge edge;
  const cJSON *fields[ZC_NUM_RUNTIME_FIELDS]; ///< The item to blame for a field; null where the default stands.
} zc_runtime_value;

/// Reads and checks the word or the spelled-out form that `item` is. On failure an error is emitted at its place.
bool zc_runtime_read(const zc_json *in, const cJSON *item, zc_runtime_value *out);

/// A link of ours with what the file states about it, from one place or from several.
typedef struct zc_stated_link {
  const char *from;
  const char *to;
  bool given[ZC_NUM_PROPERTIES];
  const char *why[ZC_NUM_PROPERTIES]; ///< Where the file gives it, and from what it was derived.
  zc_link link;
} zc_stated_link;

typedef struct zc_topology_file {
  zc_list links;        ///< Of zc_stated_link, in the order of the file.
  zc_list runtime_text; ///< Of const char *: each runtime link, spelled out.
} zc_topology_file;

/// Reads JSON for `module`. False on failure, with an error emitted. All is in the arena.
bool zc_topology_file_read(zc_topology_file *file, MlirOperation module, MlirStringRef json, MlirStringRef file_name,
                           zc_arena *arena);

/// The links as an attribute; null on failure, or where there are none.
MlirAttribute zc_topology_file_attribute(const zc_topology_file *file, MlirContext context, zc_arena *arena);

#endif /* ZC_CAPI_TOPOLOGY_JSON_H */
