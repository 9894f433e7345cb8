/* A topology shown: as the file, as the attribute, and in words. */
#include <string.h>

#include "capi/text.h"
#include "capi/topology_json.h"
#include "stream_zc/Topology.h"

typedef struct printer {
  zc_arena *arena;
  MlirStringCallback callback;
  void *user_data;
  zc_devices *devices;
  const zc_topology *topology;
} printer;

static void print(const printer *out, const char *text) {
  out->callback(zc_str(text), out->user_data);
}

#define PRINT(out, ...) print(out, zc_arena_format((out)->arena, __VA_ARGS__))

static const char *symbol(const printer *out, int device) {
  return zc_symbol_text(out->arena, zc_devices_symbol(out->devices, device));
}

/* Names are bytes to us; those that aren't ASCII go through as they are, as they do in the reader. */
static const char *json_string(zc_arena *arena, const char *text) {
  char *escaped = zc_arena_alloc(arena, 6 * strlen(text) + 3);
  char *to = escaped;
  *to++ = '"';
  for (; *text; ++text) {
    unsigned char c = (unsigned char)*text;
    if (c < ' ') {
      to += strlen(strcpy(to, zc_arena_format(arena, "\\u%04x", c)));
      continue;
    }
    if (c == '"' || c == '\\')
      *to++ = '\\';
    *to++ = (char)c;
  }
  *to = '"';
  return escaped;
}

static void print_json(const printer *out) {
  int count = zc_topology_num_links(out->topology);
  print(out, "{\"links\": [");
  for (int i = 0; i < count; ++i) {
    int from, to;
    zc_topology_link_ends(out->topology, i, &from, &to);
    PRINT(out, "%s\n  {\"from\": %s, \"to\": %s", i ? "," : "",
          json_string(out->arena, zc_devices_symbol(out->devices, from)),
          json_string(out->arena, zc_devices_symbol(out->devices, to)));
    const zc_link *link = zc_topology_link(out->topology, from, to);
    for (int k = 0; k < ZC_NUM_PROPERTIES; ++k)
      PRINT(out, ", \"%s\": %s", zc_properties[k].name, zc_property_text(out->arena, &zc_properties[k], link));
    print(out, "}");
  }
  print(out, count ? "\n]}\n" : "]}\n");
}

MlirLogicalResult streamZcModulePrintTopologyJSON(MlirOperation module, MlirStringCallback callback, void *userData) {
  zc_arena *arena = zc_arena_create();
  printer out = {arena, callback, userData, zc_devices_create(arena), NULL};
  bool good = mlirLogicalResultIsSuccess(streamZcModuleVerifyTopology(module));
  if (good) {
    out.topology = zc_topology_read(module, out.devices, arena);
    print_json(&out);
  }
  zc_arena_destroy(arena);
  return good ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

/* Why each property is as it is. */

static void print_stated_link(const printer *out, const zc_stated_link *link) {
  PRINT(out, "\n%s -> %s\n", zc_symbol_text(out->arena, link->from), zc_symbol_text(out->arena, link->to));
  for (int i = 0; i < ZC_NUM_PROPERTIES; ++i)
    PRINT(out, "  %s = %s: %s\n", zc_properties[i].name, zc_property_text(out->arena, &zc_properties[i], &link->link),
          link->given[i] ? link->why[i] : "not given");
}

static void print_file(const printer *out, const zc_topology_file *file) {
  for (int i = 0; i < file->runtime_text.count; ++i)
    PRINT(out, "%s%s\n", i ? "" : "\n", zc_list_at(&file->runtime_text, const char *, i));
  for (int i = 0; i < file->links.count; ++i)
    print_stated_link(out, &zc_list_at(&file->links, zc_stated_link, i));
}

/* What comes of it for each two devices. */

static const char *maintenance_text(const printer *out, int a, int b) {
  bool there = zc_topology_link(out->topology, a, b)->coherent;
  bool back = zc_topology_link(out->topology, b, a)->coherent;
  if (there && back)
    return "no cache maintenance";
  if (!there && !back)
    return "cache maintenance in both directions";
  return zc_arena_format(out->arena, "cache maintenance for what %s writes", symbol(out, there ? b : a));
}

static const char *copies_text(const printer *out, zc_device_set pair) {
  int from = 0, to = 0;
  zc_topology_find_discrete(out->topology, pair, &from, &to);
  return zc_arena_format(out->arena,
                         "copies: no unified_memory from %s to %s, and no transparent_access in either direction",
                         symbol(out, from), symbol(out, to));
}

static const char *sharing_text(const printer *out, int a, int b) {
  int owner;
  zc_device_set pair = (zc_device_set)1 << a | (zc_device_set)1 << b;
  if (!zc_topology_can_share(out->topology, pair, &owner))
    return copies_text(out, pair);
  if (owner < 0)
    return zc_arena_format(out->arena, "one storage, in the memory of either: unified memory; %s",
                           maintenance_text(out, a, b));
  return zc_arena_format(out->arena, "one storage, in the memory of %s, which %s can access; %s", symbol(out, owner),
                         symbol(out, owner == a ? b : a), maintenance_text(out, a, b));
}

static void print_pairs(const printer *out) {
  int count = zc_devices_count(out->devices);
  for (int a = 0; a < count; ++a)
    for (int b = a + 1; b < count; ++b)
      PRINT(out, "%s%s and %s: %s\n", a == 0 && b == 1 ? "\n" : "", symbol(out, a), symbol(out, b),
            sharing_text(out, a, b));
}

/* The attribute is the one form that the passes read, so all but the reasons comes from it. */
static bool print_all(printer *out, MlirOperation module, MlirAttribute attribute, const zc_topology_file *file) {
  out->topology = zc_topology_read_attribute(attribute, module, out->devices, out->arena);
  if (!out->topology)
    return false;
  print_json(out);
  if (mlirAttributeIsNull(attribute))
    print(out, "\nno " ZC_TOPOLOGY_ATTRIBUTE ": every transfer between devices stays a copy\n");
  else
    PRINT(out, "\n" ZC_TOPOLOGY_ATTRIBUTE " = %s\n", zc_attribute_text(out->arena, attribute));
  print_file(out, file);
  print_pairs(out);
  return true;
}

MlirLogicalResult streamZcModulePrintTopology(MlirOperation module, MlirStringRef json, MlirStringRef fileName,
                                              MlirStringCallback callback, void *userData) {
  zc_arena *arena = zc_arena_create();
  printer out = {arena, callback, userData, zc_devices_create(arena), NULL};
  zc_topology_file file = {{0}, {0}};
  bool good = json.data ? zc_topology_file_read(&file, module, json, fileName, arena)
                        : mlirLogicalResultIsSuccess(streamZcModuleVerifyTopology(module));
  if (good)
    good = print_all(&out, module,
                     json.data ? zc_topology_file_attribute(&file, mlirOperationGetContext(module), arena)
                               : zc_topology_find_attribute(module),
                     &file);
  zc_arena_destroy(arena);
  return good ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
