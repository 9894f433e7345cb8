/* The topology file: JSON text to `stream.topology` (docs/topology.md). */
#include "capi/topology_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capi/device_globals.h"
#include "capi/diagnostics.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "stream_zc/Topology.h"

/* Reading. */

/* One link as the file has it. */
typedef struct file_link {
  const cJSON *item;
  const char *from;
  const char *to;
  int from_id;
  int to_id;
  bool given[ZC_NUM_PROPERTIES];
  zc_link link;
  zc_runtime_value runtime; ///< Without an item where there is none.
} file_link;

typedef struct reader {
  zc_json json;
  zc_device_globals known;
  zc_devices *devices;
  zc_list links; ///< Of file_link.
  const file_link *by_ends[ZC_MAX_DEVICES][ZC_MAX_DEVICES];
  int stated[ZC_MAX_DEVICES][ZC_MAX_DEVICES]; ///< Index in the result, from 1; 0: none yet.
  zc_topology_file *result;
} reader;

static bool read_device(reader *in, const cJSON *item, const char **out) {
  zc_arena *arena = in->json.arena;
  if (*out)
    return zc_json_fail_at_key(&in->json, item, zc_arena_format(arena, "'%s' twice in one link", item->string));
  if (!cJSON_IsString(item))
    return zc_json_fail_at_value(
        &in->json, item,
        zc_arena_format(arena, "'%s' must be the name of a device global, not %s", item->string, zc_json_kind(item)));
  if (!zc_device_globals_have(&in->known, item->valuestring))
    return zc_json_fail_at_value(&in->json, item, zc_device_globals_unknown(&in->known, item->valuestring));
  *out = zc_arena_copy(arena, item->valuestring, strlen(item->valuestring));
  return true;
}

static bool read_property(reader *in, const zc_property *property, const cJSON *item, file_link *out) {
  zc_arena *arena = in->json.arena;
  bool *given = &out->given[property - zc_properties];
  if (*given)
    return zc_json_fail_at_key(&in->json, item, zc_arena_format(arena, "'%s' twice in one link", property->name));
  *given = true;
  bool flag = property->kind == ZC_PROPERTY_FLAG;
  if (flag ? !cJSON_IsBool(item) : !cJSON_IsNumber(item))
    return zc_json_fail_at_value(&in->json, item,
                                 zc_arena_format(arena, "'%s' must be %s, not %s", property->name,
                                                 zc_property_values(property), zc_json_kind(item)));
  if (flag)
    zc_property_set_flag(property, &out->link, cJSON_IsTrue(item));
  else if (!zc_property_set_number(property, &out->link, item->valuedouble))
    return zc_json_fail_at_value(
        &in->json, item,
        zc_arena_format(arena, "'%s' is out of range: it must be %s", property->name, zc_property_values(property)));
  return true;
}

static bool read_runtime(reader *in, const cJSON *item, file_link *out) {
  if (out->runtime.item)
    return zc_json_fail_at_key(&in->json, item, "'runtime' twice in one link");
  return zc_runtime_read(&in->json, item, &out->runtime);
}

static bool read_entry(reader *in, const cJSON *item, file_link *out) {
  if (strcmp(item->string, "from") == 0)
    return read_device(in, item, &out->from);
  if (strcmp(item->string, "to") == 0)
    return read_device(in, item, &out->to);
  if (strcmp(item->string, "runtime") == 0)
    return read_runtime(in, item, out);
  const zc_property *property = zc_property_find(item->string, strlen(item->string));
  if (!property)
    return zc_json_fail_at_key(&in->json, item,
                               zc_arena_format(in->json.arena,
                                               "unknown key '%s' in a link; known are from, to, " ZC_PROPERTY_NAMES
                                               ", runtime",
                                               item->string));
  return read_property(in, property, item, out);
}

/* What a runtime link decides by itself, and so no key beside it may. */
static bool is_from_runtime(const zc_property *property) {
  return property->kind == ZC_PROPERTY_FLAG || property->offset == offsetof(zc_link, copy_cost);
}

static bool check_forms(const reader *in, const file_link *link) {
  const cJSON *entry;
  cJSON_ArrayForEach(entry, link->item) {
    const zc_property *property = zc_property_find(entry->string, strlen(entry->string));
    if (property && is_from_runtime(property))
      return zc_json_fail_at_key(
          &in->json, entry,
          zc_arena_format(in->json.arena, "'%s' beside 'runtime', which says it already", property->name));
  }
  return true;
}

static bool read_link(reader *in, const cJSON *item, file_link *out) {
  zc_arena *arena = in->json.arena;
  if (!cJSON_IsObject(item))
    return zc_json_fail_at_value(&in->json, item,
                                 zc_arena_format(arena, "a link must be an object, not %s", zc_json_kind(item)));
  out->item = item;
  out->link = zc_link_default();
  const cJSON *entry;
  cJSON_ArrayForEach(entry, item) {
    if (!read_entry(in, entry, out))
      return false;
  }
  if (!out->from || !out->to)
    return zc_json_fail_at_value(&in->json, item,
                                 zc_arena_format(arena, "a link without '%s'", out->from ? "to" : "from"));
  return !out->runtime.item || check_forms(in, out);
}

/* The builder's rules hold for the file, too. */
static bool read_links(reader *in, const cJSON *array) {
  zc_arena *arena = in->json.arena;
  if (!cJSON_IsArray(array))
    return zc_json_fail_at_value(&in->json, array,
                                 zc_arena_format(arena, "'links' must be an array, not %s", zc_json_kind(array)));
  zc_topology *check = zc_topology_create(arena, in->devices);
  const cJSON *item;
  cJSON_ArrayForEach(item, array) {
    file_link *link = zc_list_add(arena, &in->links, sizeof *link);
    if (!read_link(in, item, link))
      return false;
    const char *problem = zc_topology_add(check, link->from, link->to, &link->link);
    if (problem)
      return zc_json_fail_at_value(&in->json, item, problem);
    link->from_id = zc_devices_lookup(in->devices, link->from);
    link->to_id = zc_devices_lookup(in->devices, link->to);
  }
  return true;
}

static bool read_root(reader *in, const cJSON *root) {
  zc_arena *arena = in->json.arena;
  if (!cJSON_IsObject(root))
    return zc_json_fail_at_value(&in->json, root,
                                 zc_arena_format(arena, "must be an object with 'links', not %s", zc_json_kind(root)));
  const cJSON *array = NULL, *item;
  cJSON_ArrayForEach(item, root) {
    if (strcmp(item->string, "links") != 0)
      return zc_json_fail_at_key(&in->json, item,
                                 zc_arena_format(arena, "unknown key '%s'; known is links", item->string));
    if (array)
      return zc_json_fail_at_key(&in->json, item, "'links' twice");
    array = item;
  }
  if (!array)
    return zc_json_fail_at_value(&in->json, root, "no 'links'");
  return read_links(in, array);
}

/* From the links of the file to links of ours: a runtime link says something about both directions. */

static zc_stated_link *state_link(reader *in, const file_link *link, bool flipped) {
  int *index = flipped ? &in->stated[link->to_id][link->from_id] : &in->stated[link->from_id][link->to_id];
  zc_list *links = &in->result->links;
  if (!*index) {
    zc_stated_link *added = zc_list_add(in->json.arena, links, sizeof *added);
    *added = (zc_stated_link){
        .from = flipped ? link->to : link->from, .to = flipped ? link->from : link->to, .link = zc_link_default()};
    *index = links->count;
  }
  return &zc_list_at(links, zc_stated_link, *index - 1);
}

/* States one property; false where the file has said something else about it before. `values` holds it. */
static bool state(reader *in, const file_link *link, bool flipped, const zc_property *property, const zc_link *values,
                  const char *why) {
  zc_arena *arena = in->json.arena;
  zc_stated_link *stated = state_link(in, link, flipped);
  size_t index = (size_t)(property - zc_properties);
  if (stated->given[index] && !zc_property_equal(property, &stated->link, values))
    return zc_json_fail_at_value(
        &in->json, link->item,
        zc_arena_format(arena, "'%s' of the link from %s to %s has two values in this file: %s (%s) and %s (%s)",
                        property->name, zc_symbol_text(arena, stated->from), zc_symbol_text(arena, stated->to),
                        zc_property_text(arena, property, &stated->link), stated->why[index],
                        zc_property_text(arena, property, values), why));
  if (stated->given[index])
    return true;
  stated->given[index] = true;
  stated->why[index] = why;
  zc_property_copy(property, &stated->link, values);
  return true;
}

static bool state_plain(reader *in, const file_link *link) {
  const char *why = zc_json_place(&in->json, link->item);
  state_link(in, link, false);
  for (int i = 0; i < ZC_NUM_PROPERTIES; ++i)
    if (link->given[i] && !state(in, link, false, &zc_properties[i], &link->link, why))
      return false;
  return true;
}

/* The runtime requires one class of link for both directions. */
static bool check_link_class(const reader *in, const file_link *link, const file_link *back) {
  const cJSON *own = link->runtime.fields[ZC_RUNTIME_LINK_CLASS];
  uint16_t here = link->runtime.edge.fields[ZC_RUNTIME_LINK_CLASS];
  uint16_t there = back->runtime.edge.fields[ZC_RUNTIME_LINK_CLASS];
  if (here == there || !own || !back->runtime.fields[ZC_RUNTIME_LINK_CLASS])
    return true;
  zc_arena *arena = in->json.arena;
  return zc_json_fail_at_value(
      &in->json, own,
      zc_arena_format(arena, "link_class is %s, but %s for the way back (%s); it must be the same both ways",
                      zc_runtime_link_class_names[here], zc_runtime_link_class_names[there],
                      zc_json_place(&in->json, back->runtime.item)));
}

/* Either end's memory may hold a shared storage, and each edge tells about the memory of its source only: so both edges
 * must be coherent where the file has both. */
static const char *find_incoherence(const reader *in, const file_link *link, const zc_runtime_effect *effect) {
  const file_link *back = in->by_ends[link->to_id][link->from_id];
  if (!effect->coherent)
    return effect->coherent_why;
  if (!back || !back->runtime.item || zc_runtime_resolve(in->json.arena, &back->runtime.edge).coherent)
    return NULL;
  return zc_arena_format(in->json.arena, "peer_coherent, but the way back (%s) isn't",
                         zc_json_place(&in->json, back->runtime.item));
}

static const char *derived(const reader *in, const file_link *link, const char *why) {
  zc_arena *arena = in->json.arena;
  return zc_arena_format(arena, "%s, runtime link from %s to %s: %s", zc_json_place(&in->json, link->runtime.item),
                         zc_symbol_text(arena, link->from), zc_symbol_text(arena, link->to), why);
}

static bool state_runtime_flags(reader *in, const file_link *link, const zc_runtime_effect *effect) {
  const char *incoherence = find_incoherence(in, link, effect);
  const struct {
    const char *name;
    bool value, flipped;
    const char *why;
  } flags[] = {
      {"unified_memory", effect->unified, false, effect->unified_why},
      {"coherent", !incoherence, false, incoherence ? incoherence : effect->coherent_why},
      {"transparent_access", effect->accessible, true, effect->accessible_why},
  };
  for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i) {
    const zc_property *property = zc_property_find(flags[i].name, strlen(flags[i].name));
    zc_link values = zc_link_default();
    zc_property_set_flag(property, &values, flags[i].value);
    if (!state(in, link, flags[i].flipped, property, &values, derived(in, link, flags[i].why)))
      return false;
  }
  return true;
}

/* Costs are asked of the link from the reader to the owner, hence the other way round. */
static bool state_runtime_numbers(reader *in, const file_link *link, const zc_runtime_effect *effect) {
  const zc_property *copy_cost = zc_property_find("copy_cost", strlen("copy_cost"));
  zc_link values = link->link;
  zc_property_set_number(copy_cost, &values, effect->copy_cost);
  if (effect->copy_cost &&
      !state(in, link, true, copy_cost, &values,
             derived(in, link, zc_arena_format(in->json.arena, "copy_cost is %d", effect->copy_cost))))
    return false;
  const char *why = zc_json_place(&in->json, link->item);
  for (int i = 0; i < ZC_NUM_PROPERTIES; ++i)
    if (link->given[i] &&
        !state(in, link, zc_properties[i].kind == ZC_PROPERTY_COST, &zc_properties[i], &link->link, why))
      return false;
  return true;
}

static bool state_runtime(reader *in, const file_link *link) {
  zc_arena *arena = in->json.arena;
  const file_link *back = in->by_ends[link->to_id][link->from_id];
  if (back && back->runtime.item && back < link && !check_link_class(in, link, back))
    return false;
  zc_runtime_effect effect = zc_runtime_resolve(arena, &link->runtime.edge);
  zc_list_push(arena, &in->result->runtime_text, const char *,
               zc_arena_format(arena, "runtime link from %s to %s, 0x%016llx: %s", zc_symbol_text(arena, link->from),
                               zc_symbol_text(arena, link->to),
                               (unsigned long long)zc_runtime_encode(&link->runtime.edge),
                               zc_runtime_edge_text(arena, &link->runtime.edge)));
  return state_runtime_flags(in, link, &effect) && state_runtime_numbers(in, link, &effect);
}

static bool state_all(reader *in) {
  for (int i = 0; i < in->links.count; ++i) {
    const file_link *link = &zc_list_at(&in->links, file_link, i);
    in->by_ends[link->from_id][link->to_id] = link;
  }
  for (int i = 0; i < in->links.count; ++i) {
    const file_link *link = &zc_list_at(&in->links, file_link, i);
    if (link->runtime.item ? !state_runtime(in, link) : !state_plain(in, link))
      return false;
  }
  return true;
}

bool zc_topology_file_read(zc_topology_file *file, MlirOperation module, MlirStringRef json, MlirStringRef file_name,
                           zc_arena *arena) {
  *file = (zc_topology_file){{0}, {0}};
  reader *in = zc_arena_new(arena, reader);
  in->json = zc_json_create(arena, mlirOperationGetContext(module), json, file_name, "topology");
  in->known = zc_device_globals_find(module, arena);
  in->devices = zc_devices_create(arena);
  in->result = file;
  cJSON *root = zc_json_parse(&in->json);
  bool good = root && read_root(in, root) && state_all(in);
  cJSON_Delete(root);
  zc_json_release(&in->json);
  return good;
}

/* Writing the attribute. */

/* As MLIR prints it: exact, and always a float. */
static const char *value_text(zc_arena *arena, MlirContext context, const zc_property *property, const zc_link *link) {
  if (property->kind != ZC_PROPERTY_COST)
    return zc_property_text(arena, property, link);
  double value = *(const double *)((const char *)link + property->offset);
  return zc_attribute_text(arena, mlirFloatAttrDoubleGet(context, mlirF64TypeGet(context), value));
}

/* The given properties of one of the two dictionaries; empty where there are none. */
static const char *dictionary_text(zc_arena *arena, MlirContext context, const zc_stated_link *link, bool stock) {
  const char *text = "";
  for (int i = 0; i < ZC_NUM_PROPERTIES; ++i)
    if (link->given[i] && zc_properties[i].stock == stock)
      text = zc_arena_format(arena, "%s%s%s = %s", text, *text ? ", " : "", zc_properties[i].name,
                             value_text(arena, context, &zc_properties[i], &link->link));
  return text;
}

static void print_link(FILE *out, zc_arena *arena, MlirContext context, const zc_stated_link *link) {
  fprintf(out, "(%s -> %s = {%s}", zc_symbol_text(arena, link->from), zc_symbol_text(arena, link->to),
          dictionary_text(arena, context, link, true));
  const char *ours = dictionary_text(arena, context, link, false);
  if (*ours)
    fprintf(out, ", {%s}", ours);
  fputc(')', out);
}

MlirAttribute zc_topology_file_attribute(const zc_topology_file *file, MlirContext context, zc_arena *arena) {
  const zc_list *links = &file->links;
  if (links->count == 0)
    return mlirAttributeGetNull();
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return mlirAttributeGetNull();
  fputs("#hal.device.topology<links = [", out);
  for (int i = 0; i < links->count; ++i) {
    fputs(i ? ", " : "", out);
    print_link(out, arena, context, &zc_list_at(links, zc_stated_link, i));
  }
  fputs("]>", out);
  bool written = fclose(out) == 0;
  MlirAttribute attribute =
      written ? mlirAttributeParseGet(context, mlirStringRefCreate(text, length)) : mlirAttributeGetNull();
  free(text);
  return attribute;
}

/* IREE has no spelling for a topology without links: that is the absence of the attribute. */
static MlirLogicalResult set_topology(MlirOperation module, zc_arena *arena, const zc_topology_file *file) {
  if (file->links.count == 0) {
    mlirOperationRemoveAttributeByName(module, zc_str(ZC_TOPOLOGY_ATTRIBUTE));
    return mlirLogicalResultSuccess();
  }
  MlirAttribute attribute = zc_topology_file_attribute(file, mlirOperationGetContext(module), arena);
  if (mlirAttributeIsNull(attribute)) {
    zc_error_at(mlirOperationGetLocation(module), "topology: can't be written as " ZC_TOPOLOGY_ATTRIBUTE);
    return mlirLogicalResultFailure();
  }
  mlirOperationSetAttributeByName(module, zc_str(ZC_TOPOLOGY_ATTRIBUTE), attribute);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult streamZcModuleSetTopologyFromJSON(MlirOperation module, MlirStringRef json, MlirStringRef fileName) {
  zc_arena *arena = zc_arena_create();
  zc_topology_file file;
  MlirLogicalResult result = mlirLogicalResultFailure();
  if (zc_topology_file_read(&file, module, json, fileName, arena))
    result = set_topology(module, arena, &file);
  zc_arena_destroy(arena);
  return result;
}

static bool verify_devices(MlirOperation module, const zc_devices *used, zc_arena *arena) {
  zc_device_globals known = zc_device_globals_find(module, arena);
  for (int id = 0; id < zc_devices_count(used); ++id) {
    const char *name = zc_devices_symbol(used, id);
    if (zc_device_globals_have(&known, name))
      continue;
    zc_error_at(mlirOperationGetLocation(module), "stream.topology: %s", zc_device_globals_unknown(&known, name));
    return false;
  }
  return true;
}

MlirLogicalResult streamZcModuleVerifyTopology(MlirOperation module) {
  zc_arena *arena = zc_arena_create();
  zc_devices *devices = zc_devices_create(arena);
  bool good = zc_topology_read(module, devices, arena) && verify_devices(module, devices, arena);
  zc_arena_destroy(arena);
  return good ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}
