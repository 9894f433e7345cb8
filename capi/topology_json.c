/* The topology file: JSON text to `stream.topology` (docs/topology.md). */
#include "stream_zc/Topology.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capi/diagnostics.h"
#include "capi/ptr_map.h"
#include "capi/text.h"
#include "capi/topology.h"
#include "capi/topology_build.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* Device globals. */

typedef struct device_names {
  zc_arena *arena;
  zc_list names; ///< Of const char *.
} device_names;

/* Null where the attribute is no string, an empty one, or one that no C string can hold. */
static const char *string_value(zc_arena *arena, MlirAttribute attribute) {
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAString(attribute))
    return NULL;
  MlirStringRef text = mlirStringAttrGetValue(attribute);
  return !text.length || memchr(text.data, 0, text.length) ? NULL : zc_arena_copy(arena, text.data, text.length);
}

static void add_device(device_names *devices, MlirOperation op) {
  if (!zc_str_is(mlirIdentifierStr(mlirOperationGetName(op)), "util.global"))
    return;
  MlirAttribute type = mlirOperationGetAttributeByName(op, zc_str("type"));
  if (mlirAttributeIsNull(type) || strcmp(zc_attribute_text(devices->arena, type), "!hal.device") != 0)
    return;
  const char *name = string_value(devices->arena, mlirOperationGetAttributeByName(op, zc_str("sym_name")));
  if (name)
    zc_list_push(devices->arena, &devices->names, const char *, name);
}

static device_names find_devices(zc_arena *arena, MlirOperation module) {
  device_names devices = {arena, {0}};
  if (mlirOperationGetNumRegions(module) == 0)
    return devices;
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetRegion(module, 0));
  if (mlirBlockIsNull(body))
    return devices;
  for (MlirOperation op = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    add_device(&devices, op);
  return devices;
}

static bool is_device(const device_names *devices, const char *name) {
  for (int i = 0; i < devices->names.count; ++i)
    if (strcmp(zc_list_at(&devices->names, const char *, i), name) == 0)
      return true;
  return false;
}

/* Why `name` is not a device. */
static const char *unknown_device_text(const device_names *devices, const char *name) {
  const char *known = "";
  for (int i = 0; i < devices->names.count && i < ZC_MAX_DEVICES; ++i)
    known = zc_arena_format(devices->arena, "%s%s%s", known, i ? ", " : "",
                            zc_symbol_text(devices->arena, zc_list_at(&devices->names, const char *, i)));
  return zc_arena_format(devices->arena, "no device %s in the module, which has %s",
                         zc_symbol_text(devices->arena, name), *known ? known : "no device globals");
}

/* Positions: cJSON keeps none, so the text that it has accepted is walked beside its tree. */

typedef struct position {
  size_t key;   ///< Byte offset of the key's opening quote; that of the value where there is no key.
  size_t value; ///< Byte offset of the value.
} position;

typedef struct json {
  zc_arena *arena;
  MlirContext context;
  MlirStringRef text;
  MlirStringRef file;
  zc_ptr_map *positions; ///< cJSON item to position.
  size_t null_escape;    ///< Offset of the first \u0000, where cJSON would cut a string; the text's length without one.
} json;

/* cJSON's idea of white space. */
static void skip_space(const json *in, size_t *at) {
  while (*at < in->text.length && (unsigned char)in->text.data[*at] <= ' ')
    ++*at;
}

static void skip_string(json *in, size_t *at) {
  for (++*at; *at < in->text.length && in->text.data[*at] != '"'; ++*at) {
    if (in->text.data[*at] != '\\')
      continue;
    if (in->text.length - *at >= 6 && memcmp(in->text.data + *at, "\\u0000", 6) == 0 && *at < in->null_escape)
      in->null_escape = *at;
    ++*at;
  }
  ++*at;
}

static void skip_scalar(json *in, size_t *at) {
  if (*at < in->text.length && in->text.data[*at] == '"') {
    skip_string(in, at);
    return;
  }
  while (*at < in->text.length && !strchr(",]}", in->text.data[*at]) && (unsigned char)in->text.data[*at] > ' ')
    ++*at;
}

/* Recurses no deeper than cJSON did, which has accepted every bracket, comma and colon that is stepped over. */
static void find_positions(json *in, const cJSON *item, size_t *at) {
  skip_space(in, at);
  position *where = zc_arena_new(in->arena, position);
  where->key = where->value = *at;
  zc_ptr_map_set(in->positions, item, where);
  if (!cJSON_IsObject(item) && !cJSON_IsArray(item)) {
    skip_scalar(in, at);
    return;
  }
  for (const cJSON *child = item->child; child; child = child->next) {
    ++*at;
    skip_space(in, at);
    size_t key = *at;
    if (cJSON_IsObject(item)) {
      skip_string(in, at);
      skip_space(in, at);
      ++*at;
    }
    find_positions(in, child, at);
    ((position *)zc_ptr_map_get(in->positions, child))->key = key;
    skip_space(in, at);
  }
  ++*at;
  if (!item->child) {
    skip_space(in, at);
    ++*at;
  }
}

/* Errors, each at its place in the file. */

static bool fail_at(const json *in, size_t offset, const char *message) {
  unsigned line = 1, column = 1;
  for (size_t i = 0; i < offset && i < in->text.length; ++i) {
    bool newline = in->text.data[i] == '\n';
    line += newline;
    column = newline ? 1 : column + 1;
  }
  zc_error_at(mlirLocationFileLineColGet(in->context, in->file, line, column), "topology: %s", message);
  return false;
}

static bool fail_at_key(const json *in, const cJSON *item, const char *message) {
  return fail_at(in, ((position *)zc_ptr_map_get(in->positions, item))->key, message);
}

static bool fail_at_value(const json *in, const cJSON *item, const char *message) {
  return fail_at(in, ((position *)zc_ptr_map_get(in->positions, item))->value, message);
}

static const char *kind_text(const cJSON *item) {
  if (cJSON_IsBool(item))
    return "true or false";
  if (cJSON_IsNumber(item))
    return "a number";
  if (cJSON_IsString(item))
    return "a string";
  if (cJSON_IsArray(item))
    return "an array";
  return cJSON_IsObject(item) ? "an object" : "null";
}

/* Reading. */

/* One link as the file has it: which properties it gives, and their values. */
typedef struct file_link {
  const char *from;
  const char *to;
  bool given[ZC_NUM_PROPERTIES];
  zc_link link;
} file_link;

static bool read_device(json *in, const device_names *devices, const cJSON *item, const char **out) {
  if (*out)
    return fail_at_key(in, item, zc_arena_format(in->arena, "'%s' twice in one link", item->string));
  if (!cJSON_IsString(item))
    return fail_at_value(
        in, item,
        zc_arena_format(in->arena, "'%s' must be the name of a device global, not %s", item->string, kind_text(item)));
  if (!is_device(devices, item->valuestring))
    return fail_at_value(in, item, unknown_device_text(devices, item->valuestring));
  *out = item->valuestring;
  return true;
}

static bool read_property(json *in, const zc_property *property, const cJSON *item, file_link *out) {
  bool *given = &out->given[property - zc_properties];
  if (*given)
    return fail_at_key(in, item, zc_arena_format(in->arena, "'%s' twice in one link", property->name));
  *given = true;
  bool flag = property->kind == ZC_PROPERTY_FLAG;
  if (flag ? !cJSON_IsBool(item) : !cJSON_IsNumber(item))
    return fail_at_value(in, item,
                         zc_arena_format(in->arena, "'%s' must be %s, not %s", property->name,
                                         zc_property_values(property), kind_text(item)));
  if (flag)
    zc_property_set_flag(property, &out->link, cJSON_IsTrue(item));
  else if (!zc_property_set_number(property, &out->link, item->valuedouble))
    return fail_at_value(in, item,
                         zc_arena_format(in->arena, "'%s' is out of range: it must be %s", property->name,
                                         zc_property_values(property)));
  return true;
}

static bool read_entry(json *in, const device_names *devices, const cJSON *item, file_link *out) {
  if (strcmp(item->string, "from") == 0)
    return read_device(in, devices, item, &out->from);
  if (strcmp(item->string, "to") == 0)
    return read_device(in, devices, item, &out->to);
  if (strcmp(item->string, "runtime") == 0)
    return fail_at_key(in, item, "runtime links are not supported yet");
  const zc_property *property = zc_property_find(item->string, strlen(item->string));
  if (!property)
    return fail_at_key(
        in, item,
        zc_arena_format(in->arena, "unknown key '%s' in a link; known are from, to, " ZC_PROPERTY_NAMES, item->string));
  return read_property(in, property, item, out);
}

static bool read_link(json *in, const device_names *devices, const cJSON *item, file_link *out) {
  if (!cJSON_IsObject(item))
    return fail_at_value(in, item, zc_arena_format(in->arena, "a link must be an object, not %s", kind_text(item)));
  out->link = zc_link_default();
  const cJSON *entry;
  cJSON_ArrayForEach(entry, item) {
    if (!read_entry(in, devices, entry, out))
      return false;
  }
  if (!out->from || !out->to)
    return fail_at_value(in, item, zc_arena_format(in->arena, "a link without '%s'", out->from ? "to" : "from"));
  return true;
}

/* `links` is of file_link. The builder's rules hold for the file, too. */
static bool read_links(json *in, const device_names *devices, const cJSON *array, zc_list *links) {
  if (!cJSON_IsArray(array))
    return fail_at_value(in, array, zc_arena_format(in->arena, "'links' must be an array, not %s", kind_text(array)));
  zc_topology *check = zc_topology_create(in->arena, zc_devices_create(in->arena));
  const cJSON *item;
  cJSON_ArrayForEach(item, array) {
    file_link *link = zc_list_add(in->arena, links, sizeof *link);
    if (!read_link(in, devices, item, link))
      return false;
    const char *problem = zc_topology_add(check, link->from, link->to, &link->link);
    if (problem)
      return fail_at_value(in, item, problem);
  }
  return true;
}

static bool read_root(json *in, const device_names *devices, const cJSON *root, zc_list *links) {
  if (!cJSON_IsObject(root))
    return fail_at_value(in, root,
                         zc_arena_format(in->arena, "must be an object with 'links', not %s", kind_text(root)));
  const cJSON *array = NULL, *item;
  cJSON_ArrayForEach(item, root) {
    if (strcmp(item->string, "links") != 0)
      return fail_at_key(in, item, zc_arena_format(in->arena, "unknown key '%s'; known is links", item->string));
    if (array)
      return fail_at_key(in, item, "'links' twice");
    array = item;
  }
  if (!array)
    return fail_at_value(in, root, "no 'links'");
  return read_links(in, devices, array, links);
}

/* Reads the text into a tree whose positions are known. Null on failure; else the caller deletes the tree. */
static cJSON *parse(json *in) {
  const char *end = in->text.data;
  cJSON *root = cJSON_ParseWithLengthOpts(in->text.data, in->text.length, &end, false);
  size_t at = (size_t)(end - in->text.data);
  if (!root) {
    size_t blank = 0;
    skip_space(in, &blank);
    fail_at(in, at, blank == in->text.length ? "empty: a JSON object is expected" : "not valid JSON");
    return NULL;
  }
  while (at < in->text.length && strchr(" \t\r\n", in->text.data[at]) && in->text.data[at])
    ++at;
  bool good = at == in->text.length || fail_at(in, at, "text after the end of the JSON value");
  size_t start = in->text.length >= 3 && memcmp(in->text.data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  if (good)
    find_positions(in, root, &start);
  if (good && in->null_escape < in->text.length)
    good = fail_at(in, in->null_escape, "a null character in a string");
  if (good)
    return root;
  cJSON_Delete(root);
  return NULL;
}

/* Writing the attribute's text. */

/* As MLIR prints it: exact, always a float, whatever the locale. */
static const char *float_text(zc_arena *arena, MlirContext context, double value) {
  return zc_attribute_text(arena, mlirFloatAttrDoubleGet(context, mlirF64TypeGet(context), value));
}

static const char *value_text(zc_arena *arena, MlirContext context, const zc_property *property, const zc_link *link) {
  const char *field = (const char *)link + property->offset;
  switch (property->kind) {
  case ZC_PROPERTY_FLAG:
    return *(const bool *)field ? "true" : "false";
  case ZC_PROPERTY_BYTES:
    return zc_arena_format(arena, "%lld", (long long)*(const int64_t *)field);
  case ZC_PROPERTY_COST:
    return float_text(arena, context, *(const double *)field);
  }
  return "";
}

/* The given properties of one of the two dictionaries; empty where there are none. */
static const char *dictionary_text(zc_arena *arena, MlirContext context, const file_link *link, bool stock) {
  const char *text = "";
  for (int i = 0; i < ZC_NUM_PROPERTIES; ++i)
    if (link->given[i] && zc_properties[i].stock == stock)
      text = zc_arena_format(arena, "%s%s%s = %s", text, *text ? ", " : "", zc_properties[i].name,
                             value_text(arena, context, &zc_properties[i], &link->link));
  return text;
}

static void print_link(FILE *out, zc_arena *arena, MlirContext context, const file_link *link) {
  fprintf(out, "(%s -> %s = {%s}", zc_symbol_text(arena, link->from), zc_symbol_text(arena, link->to),
          dictionary_text(arena, context, link, true));
  const char *ours = dictionary_text(arena, context, link, false);
  if (*ours)
    fprintf(out, ", {%s}", ours);
  fputc(')', out);
}

/* Null on failure. */
static MlirAttribute make_attribute(MlirContext context, zc_arena *arena, const zc_list *links) {
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return mlirAttributeGetNull();
  fputs("#hal.device.topology<links = [", out);
  for (int i = 0; i < links->count; ++i) {
    fputs(i ? ", " : "", out);
    print_link(out, arena, context, &zc_list_at(links, file_link, i));
  }
  fputs("]>", out);
  bool written = fclose(out) == 0;
  MlirAttribute attribute =
      written ? mlirAttributeParseGet(context, mlirStringRefCreate(text, length)) : mlirAttributeGetNull();
  free(text);
  return attribute;
}

/* IREE has no spelling for a topology without links: that is the absence of the attribute. */
static MlirLogicalResult set_topology(MlirOperation module, zc_arena *arena, const zc_list *links) {
  if (links->count == 0) {
    mlirOperationRemoveAttributeByName(module, zc_str(ZC_TOPOLOGY_ATTRIBUTE));
    return mlirLogicalResultSuccess();
  }
  MlirAttribute attribute = make_attribute(mlirOperationGetContext(module), arena, links);
  if (mlirAttributeIsNull(attribute)) {
    zc_error_at(mlirOperationGetLocation(module), "topology: can't be written as " ZC_TOPOLOGY_ATTRIBUTE);
    return mlirLogicalResultFailure();
  }
  mlirOperationSetAttributeByName(module, zc_str(ZC_TOPOLOGY_ATTRIBUTE), attribute);
  return mlirLogicalResultSuccess();
}

MlirLogicalResult streamZcModuleSetTopologyFromJSON(MlirOperation module, MlirStringRef text, MlirStringRef fileName) {
  zc_arena *arena = zc_arena_create();
  json in = {arena, mlirOperationGetContext(module), text, fileName, zc_ptr_map_create(arena), text.length};
  device_names devices = find_devices(arena, module);
  MlirLogicalResult result = mlirLogicalResultFailure();
  zc_list links = {0};
  cJSON *root = parse(&in);
  if (root && read_root(&in, &devices, root, &links))
    result = set_topology(module, arena, &links);
  cJSON_Delete(root);
  zc_ptr_map_release(in.positions);
  zc_arena_destroy(arena);
  return result;
}

static bool verify_devices(MlirOperation module, const zc_devices *used, zc_arena *arena) {
  device_names known = find_devices(arena, module);
  for (int id = 0; id < zc_devices_count(used); ++id) {
    const char *name = zc_devices_symbol(used, id);
    if (is_device(&known, name))
      continue;
    zc_error_at(mlirOperationGetLocation(module), "stream.topology: %s", unknown_device_text(&known, name));
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
