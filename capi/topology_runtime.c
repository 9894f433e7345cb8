#include "capi/topology_runtime.h"

#include <string.h>

/* The layout. */

#define CAPABILITIES ZC_RUNTIME_KIND_CAPABILITIES
#define MODE ZC_RUNTIME_KIND_MODE
#define LEVEL ZC_RUNTIME_KIND_LEVEL

const zc_runtime_field_info zc_runtime_fields[ZC_NUM_RUNTIME_FIELDS] = {
    [ZC_RUNTIME_WAIT_MODE] = {"wait_mode", NULL, MODE, 0, 2},
    [ZC_RUNTIME_SIGNAL_MODE] = {"signal_mode", NULL, MODE, 2, 2},
    [ZC_RUNTIME_READ_NONCOHERENT] = {"noncoherent", "buffer_read", MODE, 4, 2},
    [ZC_RUNTIME_WRITE_NONCOHERENT] = {"noncoherent", "buffer_write", MODE, 6, 2},
    [ZC_RUNTIME_READ_COHERENT] = {"coherent", "buffer_read", MODE, 8, 2},
    [ZC_RUNTIME_WRITE_COHERENT] = {"coherent", "buffer_write", MODE, 10, 2},
    [ZC_RUNTIME_CAPABILITIES] = {"capabilities", NULL, CAPABILITIES, 12, 16},
    [ZC_RUNTIME_WAIT_COST] = {"wait_cost", NULL, LEVEL, 28, 4},
    [ZC_RUNTIME_SIGNAL_COST] = {"signal_cost", NULL, LEVEL, 32, 4},
    [ZC_RUNTIME_COPY_COST] = {"copy_cost", NULL, LEVEL, 36, 4},
    [ZC_RUNTIME_LATENCY_CLASS] = {"latency_class", NULL, LEVEL, 40, 4},
    [ZC_RUNTIME_NUMA_DISTANCE] = {"numa_distance", NULL, LEVEL, 44, 4},
    [ZC_RUNTIME_LINK_CLASS] = {"link_class", NULL, ZC_RUNTIME_KIND_LINK_CLASS, 48, 3},
};
enum { FIRST_RESERVED_BIT = 51 };

const char *const zc_runtime_mode_names[ZC_NUM_RUNTIME_MODES] = {"native", "import", "copy", "none"};

const char *const zc_runtime_capability_names[ZC_NUM_RUNTIME_CAPABILITIES] = {"same_runtime_domain",
                                                                              "unified_memory",
                                                                              "peer_coherent",
                                                                              "host_coherent",
                                                                              "p2p_copy",
                                                                              "concurrent_safe",
                                                                              "atomic_device",
                                                                              "atomic_system",
                                                                              "timeline_semaphore",
                                                                              "binary_semaphore_only",
                                                                              "remote_dma",
                                                                              "shared_virtual_address",
                                                                              "peer_access_requires_grant"};

const char *const zc_runtime_link_class_names[ZC_NUM_RUNTIME_LINK_CLASSES] = {
    "same_die", "nvlink_if", "pcie_same_root", "pcie_cross_root", "host_staged", "fabric", "other", "isolated"};

int zc_runtime_find_name(const char *const *names, int count, const char *name) {
  for (int i = 0; i < count; ++i)
    if (strcmp(names[i], name) == 0)
      return i;
  return -1;
}

zc_runtime_edge zc_runtime_edge_default(void) {
  zc_runtime_edge edge = {{0}};
  for (int i = 0; i < ZC_NUM_RUNTIME_FIELDS; ++i)
    if (zc_runtime_fields[i].kind == MODE)
      edge.fields[i] = ZC_RUNTIME_COPY;
  edge.fields[ZC_RUNTIME_LINK_CLASS] = ZC_RUNTIME_LINK_CLASS_OTHER;
  return edge;
}

/* The word. */

const char *zc_runtime_decode(zc_arena *arena, uint64_t word, zc_runtime_edge *edge) {
  for (int i = 0; i < ZC_NUM_RUNTIME_FIELDS; ++i)
    edge->fields[i] = (uint16_t)(word >> zc_runtime_fields[i].shift & ((1u << zc_runtime_fields[i].width) - 1));
  if (word == 0)
    return "the word is 0, which stands for no link at all";
  unsigned long long reserved = word >> FIRST_RESERVED_BIT << FIRST_RESERVED_BIT;
  if (reserved)
    return zc_arena_format(arena, "reserved bits are set: 0x%016llx", reserved);
  unsigned unknown = edge->fields[ZC_RUNTIME_CAPABILITIES] >> ZC_NUM_RUNTIME_CAPABILITIES;
  if (unknown)
    return zc_arena_format(arena, "bits of unknown capabilities are set: 0x%016llx",
                           (unsigned long long)unknown << ZC_NUM_RUNTIME_CAPABILITIES
                                                       << zc_runtime_fields[ZC_RUNTIME_CAPABILITIES].shift);
  return NULL;
}

uint64_t zc_runtime_encode(const zc_runtime_edge *edge) {
  uint64_t word = 0;
  for (int i = 0; i < ZC_NUM_RUNTIME_FIELDS; ++i)
    word |= (uint64_t)edge->fields[i] << zc_runtime_fields[i].shift;
  return word;
}

static int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

bool zc_runtime_parse_word(const char *text, uint64_t *word) {
  if (text[0] != '0' || (text[1] != 'x' && text[1] != 'X'))
    return false;
  const char *digits = text + 2;
  size_t count = strlen(digits);
  if (count < 1 || count > 16)
    return false;
  *word = 0;
  for (; *digits; ++digits) {
    int digit = hex_digit(*digits);
    if (digit < 0)
      return false;
    *word = *word << 4 | (uint64_t)digit;
  }
  return true;
}

/* Checks. */

static const char *full_name(zc_arena *arena, zc_runtime_field field) {
  const zc_runtime_field_info *info = &zc_runtime_fields[field];
  return info->group ? zc_arena_format(arena, "%s.%s", info->group, info->name) : info->name;
}

static bool has(const zc_runtime_edge *edge, zc_runtime_capability capability) {
  return edge->fields[ZC_RUNTIME_CAPABILITIES] & capability;
}

static const zc_runtime_field buffer_modes[] = {ZC_RUNTIME_READ_NONCOHERENT, ZC_RUNTIME_WRITE_NONCOHERENT,
                                                ZC_RUNTIME_READ_COHERENT, ZC_RUNTIME_WRITE_COHERENT};
enum { NUM_BUFFER_MODES = sizeof buffer_modes / sizeof *buffer_modes };

static int count_mode(const zc_runtime_edge *edge, zc_runtime_mode mode) {
  int count = 0;
  for (int i = 0; i < NUM_BUFFER_MODES; ++i)
    count += edge->fields[buffer_modes[i]] == mode;
  return count;
}

#define UNUSABLE "; leave the link out if nothing crosses it"

static const char *check_modes(zc_arena *arena, const zc_runtime_edge *edge, zc_runtime_field *field) {
  for (int i = 0; i < ZC_NUM_RUNTIME_FIELDS; ++i) {
    if (zc_runtime_fields[i].kind != MODE || edge->fields[i] != ZC_RUNTIME_NONE)
      continue;
    *field = (zc_runtime_field)i;
    return zc_arena_format(arena, "%s is none: not even a copy can cross the link" UNUSABLE, full_name(arena, *field));
  }
  return NULL;
}

const char *zc_runtime_check(zc_arena *arena, const zc_runtime_edge *edge, zc_runtime_field *field) {
  const char *none = check_modes(arena, edge, field);
  if (none && edge->fields[ZC_RUNTIME_LINK_CLASS] != ZC_RUNTIME_LINK_CLASS_ISOLATED)
    return none;
  if (edge->fields[ZC_RUNTIME_LINK_CLASS] == ZC_RUNTIME_LINK_CLASS_ISOLATED) {
    *field = ZC_RUNTIME_LINK_CLASS;
    return none ? "link_class is isolated: nothing can cross the link" UNUSABLE
                : "link_class is isolated, but the modes say that data can cross the link";
  }
  *field = ZC_RUNTIME_CAPABILITIES;
  if (has(edge, ZC_RUNTIME_TIMELINE_SEMAPHORE) && has(edge, ZC_RUNTIME_BINARY_SEMAPHORE_ONLY))
    return "timeline_semaphore and binary_semaphore_only exclude each other";
  if (has(edge, ZC_RUNTIME_PEER_ACCESS_REQUIRES_GRANT) && count_mode(edge, ZC_RUNTIME_NATIVE) == NUM_BUFFER_MODES)
    return "peer_access_requires_grant, but every buffer mode is native, which says that none is required";
  *field = ZC_NUM_RUNTIME_FIELDS;
  return NULL;
}

/* Effects. */

/* Which pool an allocation comes from is chosen at run time, so the worse of the two kinds of memory counts. */
static zc_runtime_field worse(const zc_runtime_edge *edge, zc_runtime_field noncoherent, zc_runtime_field coherent) {
  return edge->fields[noncoherent] >= edge->fields[coherent] ? noncoherent : coherent;
}

/* Nobody asks for grants at compile time, so a path that may need one can't be relied on. */
static bool lacks_grant(const zc_runtime_edge *edge, zc_runtime_field field) {
  return edge->fields[field] == ZC_RUNTIME_NATIVE && has(edge, ZC_RUNTIME_PEER_ACCESS_REQUIRES_GRANT);
}

static const char *why_not_in_place(zc_arena *arena, const zc_runtime_edge *edge) {
  for (int i = 0; i < NUM_BUFFER_MODES; ++i) {
    if (edge->fields[buffer_modes[i]] > ZC_RUNTIME_IMPORT)
      return zc_arena_format(arena, "%s is %s", full_name(arena, buffer_modes[i]),
                             zc_runtime_mode_names[edge->fields[buffer_modes[i]]]);
    if (lacks_grant(edge, buffer_modes[i]))
      return zc_arena_format(arena, "%s is native, but peer_access_requires_grant", full_name(arena, buffer_modes[i]));
  }
  return NULL;
}

static const char *why_in_place(zc_arena *arena, const zc_runtime_edge *edge) {
  zc_runtime_field read = worse(edge, ZC_RUNTIME_READ_NONCOHERENT, ZC_RUNTIME_READ_COHERENT);
  zc_runtime_field write = worse(edge, ZC_RUNTIME_WRITE_NONCOHERENT, ZC_RUNTIME_WRITE_COHERENT);
  return zc_arena_format(arena, "buffer_read is %s, buffer_write is %s", zc_runtime_mode_names[edge->fields[read]],
                         zc_runtime_mode_names[edge->fields[write]]);
}

static const char *coherent_text(const zc_runtime_edge *edge) {
  return has(edge, ZC_RUNTIME_PEER_COHERENT)   ? "peer_coherent"
         : has(edge, ZC_RUNTIME_HOST_COHERENT) ? "no peer_coherent (host_coherent is about the host, not about a peer)"
                                               : "no peer_coherent";
}

zc_runtime_effect zc_runtime_resolve(zc_arena *arena, const zc_runtime_edge *edge) {
  const char *obstacle = why_not_in_place(arena, edge);
  bool unified = has(edge, ZC_RUNTIME_UNIFIED_MEMORY);
  return (zc_runtime_effect){
      .accessible = !obstacle,
      .unified = unified && !obstacle,
      .coherent = has(edge, ZC_RUNTIME_PEER_COHERENT),
      .copy_cost = edge->fields[ZC_RUNTIME_COPY_COST],
      .accessible_why = obstacle ? obstacle : why_in_place(arena, edge),
      .unified_why = !unified   ? "no unified_memory"
                     : obstacle ? zc_arena_format(arena, "unified_memory, but %s", obstacle)
                                : "unified_memory",
      .coherent_why = coherent_text(edge),
  };
}

/* Text. */

static const char *capabilities_text(zc_arena *arena, unsigned bits) {
  const char *text = "";
  for (int i = 0; i < ZC_NUM_RUNTIME_CAPABILITIES; ++i)
    if (bits >> i & 1)
      text = zc_arena_format(arena, "%s%s\"%s\"", text, *text ? ", " : "", zc_runtime_capability_names[i]);
  return text;
}

static const char *value_text(zc_arena *arena, const zc_runtime_edge *edge, zc_runtime_field field) {
  unsigned value = edge->fields[field];
  switch (zc_runtime_fields[field].kind) {
  case ZC_RUNTIME_KIND_MODE:
    return zc_arena_format(arena, "\"%s\"", zc_runtime_mode_names[value]);
  case ZC_RUNTIME_KIND_CAPABILITIES:
    return zc_arena_format(arena, "[%s]", capabilities_text(arena, value));
  case ZC_RUNTIME_KIND_LEVEL:
    return zc_arena_format(arena, "%u", value);
  case ZC_RUNTIME_KIND_LINK_CLASS:
    return zc_arena_format(arena, "\"%s\"", zc_runtime_link_class_names[value]);
  }
  return "";
}

/* The fields of one group; null: those that are in none. */
static const char *group_text(zc_arena *arena, const zc_runtime_edge *edge, const char *group) {
  const char *text = "";
  for (int i = 0; i < ZC_NUM_RUNTIME_FIELDS; ++i) {
    const char *own = zc_runtime_fields[i].group;
    if (group ? own && strcmp(own, group) == 0 : !own)
      text = zc_arena_format(arena, "%s%s\"%s\": %s", text, *text ? ", " : "", zc_runtime_fields[i].name,
                             value_text(arena, edge, (zc_runtime_field)i));
  }
  return text;
}

const char *zc_runtime_edge_text(zc_arena *arena, const zc_runtime_edge *edge) {
  return zc_arena_format(arena, "{\"buffer_read\": {%s}, \"buffer_write\": {%s}, %s}",
                         group_text(arena, edge, "buffer_read"), group_text(arena, edge, "buffer_write"),
                         group_text(arena, edge, NULL));
}
