/* A runtime's own word on a link: the scheduling word of IREE's HAL topology (runtime/src/iree/hal/topology.h, 3.13),
 * and what it means for the links of ours. A runtime edge `source -> target` says how `target` accesses what `source`
 * allocated, so access comes out the other way round: it is `transparent_access` of our link target -> source. */
#ifndef ZC_CAPI_TOPOLOGY_RUNTIME_H
#define ZC_CAPI_TOPOLOGY_RUNTIME_H

#include <stdbool.h>
#include <stdint.h>

#include "capi/arena.h"

/// The parts of the word, from its lowest bit.
typedef enum zc_runtime_field {
  ZC_RUNTIME_WAIT_MODE,
  ZC_RUNTIME_SIGNAL_MODE,
  ZC_RUNTIME_READ_NONCOHERENT,
  ZC_RUNTIME_WRITE_NONCOHERENT,
  ZC_RUNTIME_READ_COHERENT,
  ZC_RUNTIME_WRITE_COHERENT,
  ZC_RUNTIME_CAPABILITIES,
  ZC_RUNTIME_WAIT_COST,
  ZC_RUNTIME_SIGNAL_COST,
  ZC_RUNTIME_COPY_COST,
  ZC_RUNTIME_LATENCY_CLASS,
  ZC_RUNTIME_NUMA_DISTANCE,
  ZC_RUNTIME_LINK_CLASS,
  ZC_NUM_RUNTIME_FIELDS,
} zc_runtime_field;

typedef enum zc_runtime_kind {
  ZC_RUNTIME_KIND_MODE,         ///< A zc_runtime_mode.
  ZC_RUNTIME_KIND_CAPABILITIES, ///< A set of zc_runtime_capability bits.
  ZC_RUNTIME_KIND_LEVEL,        ///< A number up to 15.
  ZC_RUNTIME_KIND_LINK_CLASS,   ///< An index of zc_runtime_link_class_names.
} zc_runtime_kind;

typedef struct zc_runtime_field_info {
  const char *name;  ///< As in the file: "copy_cost"; within its group: "coherent".
  const char *group; ///< The object that holds it in the file: "buffer_read"; null: the link's own.
  zc_runtime_kind kind;
  unsigned shift;
  unsigned width; ///< Bits.
} zc_runtime_field_info;

extern const zc_runtime_field_info zc_runtime_fields[ZC_NUM_RUNTIME_FIELDS];

/// From the best to the worst.
typedef enum zc_runtime_mode {
  ZC_RUNTIME_NATIVE, ///< Loads and stores reach it.
  ZC_RUNTIME_IMPORT, ///< They do once its handle was imported.
  ZC_RUNTIME_COPY,   ///< Only a copy does.
  ZC_RUNTIME_NONE,   ///< Nothing does.
  ZC_NUM_RUNTIME_MODES,
} zc_runtime_mode;

#define ZC_NUM_RUNTIME_CAPABILITIES 13
typedef enum zc_runtime_capability {
  ZC_RUNTIME_UNIFIED_MEMORY = 1 << 1,
  ZC_RUNTIME_PEER_COHERENT = 1 << 2,
  ZC_RUNTIME_HOST_COHERENT = 1 << 3,
  ZC_RUNTIME_TIMELINE_SEMAPHORE = 1 << 8,
  ZC_RUNTIME_BINARY_SEMAPHORE_ONLY = 1 << 9,
  ZC_RUNTIME_PEER_ACCESS_REQUIRES_GRANT = 1 << 12,
} zc_runtime_capability;

#define ZC_NUM_RUNTIME_LINK_CLASSES 8
#define ZC_RUNTIME_LINK_CLASS_OTHER 6
#define ZC_RUNTIME_LINK_CLASS_ISOLATED 7

/// As in the file; the second one by bit.
extern const char *const zc_runtime_mode_names[ZC_NUM_RUNTIME_MODES];
extern const char *const zc_runtime_capability_names[ZC_NUM_RUNTIME_CAPABILITIES];
extern const char *const zc_runtime_link_class_names[ZC_NUM_RUNTIME_LINK_CLASSES];

/// The index of a name in one of the lists above; -1 where it has none.
int zc_runtime_find_name(const char *const *names, int count, const char *name);

/// A word taken apart.
typedef struct zc_runtime_edge {
  uint16_t fields[ZC_NUM_RUNTIME_FIELDS];
} zc_runtime_edge;

/// What a link is that says nothing: every mode a copy, no capabilities, link class other, all levels 0.
zc_runtime_edge zc_runtime_edge_default(void);

/// Null, or why no runtime makes this word (bits that have no meaning); in the arena. `*edge` is complete in any case.
const char *zc_runtime_decode(zc_arena *arena, uint64_t word, zc_runtime_edge *edge);
/// The inverse.
uint64_t zc_runtime_encode(const zc_runtime_edge *edge);

/// Reads "0x" and 1 to 16 hexadecimal digits, the whole of `text`.
bool zc_runtime_parse_word(const char *text, uint64_t *word);

/// Null, or why a program can't use such a link: fields that contradict each other, or a mode that is none. `*field` is
/// the one to blame; ZC_NUM_RUNTIME_FIELDS where it is no single one.
const char *zc_runtime_check(zc_arena *arena, const zc_runtime_edge *edge, zc_runtime_field *field);

/// What an edge means for links of ours, and why.
typedef struct zc_runtime_effect {
  bool accessible; ///< The target reads and writes what the source allocated, in place.
  bool unified;    ///< The same, and both use one physical memory.
  bool coherent;   ///< Without cache maintenance, as far as this edge goes.
  int copy_cost;
  const char *accessible_why;
  const char *unified_why;
  const char *coherent_why;
} zc_runtime_effect;

/// The edge must have passed zc_runtime_check. The texts are in the arena.
zc_runtime_effect zc_runtime_resolve(zc_arena *arena, const zc_runtime_edge *edge);

/// The edge spelled out as in the file: a JSON object on one line, every field in it; in the arena.
const char *zc_runtime_edge_text(zc_arena *arena, const zc_runtime_edge *edge);

#endif /* ZC_CAPI_TOPOLOGY_RUNTIME_H */
