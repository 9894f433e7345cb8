/* JSON text whose errors are told at their line and column. */
#ifndef ZC_CAPI_JSON_H
#define ZC_CAPI_JSON_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "capi/arena.h"
#include "capi/ptr_map.h"
#include "mlir-c/IR.h"

/// A text that is being read. cJSON keeps no positions, so they are found by walking the text beside its tree.
typedef struct zc_json {
  zc_arena *arena;
  MlirContext context;
  MlirStringRef text;
  MlirStringRef file;    ///< In locations.
  const char *subject;   ///< What every message begins with: "topology".
  zc_ptr_map *positions; ///< cJSON item to its place.
  size_t null_escape;    ///< Offset of the first \u0000, where cJSON would cut a string; the text's length without one.
} zc_json;

zc_json zc_json_create(zc_arena *arena, MlirContext context, MlirStringRef text, MlirStringRef file,
                       const char *subject);
/// Frees what isn't in the arena. The tree belongs to the caller.
void zc_json_release(zc_json *in);

/// The tree of the text; null where it is no JSON, with an error emitted. The caller deletes it.
cJSON *zc_json_parse(zc_json *in);

/// Emit an error at the key or at the value of an item of the tree (an item without a key has one place only); false.
bool zc_json_fail_at_key(const zc_json *in, const cJSON *item, const char *message);
bool zc_json_fail_at_value(const zc_json *in, const cJSON *item, const char *message);

/// Where an item's value begins: `file:line:column`, in the arena.
const char *zc_json_place(const zc_json *in, const cJSON *item);

/// What an item is, for messages: "a string".
const char *zc_json_kind(const cJSON *item);

#endif /* ZC_CAPI_JSON_H */
