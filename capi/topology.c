#include "capi/topology.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "capi/device_globals.h"
#include "capi/diagnostics.h"
#include "capi/text.h"
#include "capi/topology_build.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* Properties of a link. */

const zc_property zc_properties[ZC_NUM_PROPERTIES] = {
    {"unified_memory", ZC_PROPERTY_FLAG, true, offsetof(zc_link, unified_memory)},
    {"transparent_access", ZC_PROPERTY_FLAG, true, offsetof(zc_link, transparent_access)},
    {"coherent", ZC_PROPERTY_FLAG, false, offsetof(zc_link, coherent)},
    {"cache_line", ZC_PROPERTY_BYTES, false, offsetof(zc_link, cache_line)},
    {"read_cost", ZC_PROPERTY_COST, false, offsetof(zc_link, read_cost)},
    {"copy_cost", ZC_PROPERTY_COST, false, offsetof(zc_link, copy_cost)},
};

const zc_property *zc_property_find(const char *name, size_t length) {
  for (int i = 0; i < ZC_NUM_PROPERTIES; ++i)
    if (strlen(zc_properties[i].name) == length && memcmp(zc_properties[i].name, name, length) == 0)
      return &zc_properties[i];
  return NULL;
}

void zc_property_set_flag(const zc_property *property, zc_link *link, bool value) {
  *(bool *)((char *)link + property->offset) = value;
}

static bool is_cache_line(double value) {
  if (!(value >= 1 && value <= ZC_MAX_CACHE_LINE) || value != floor(value))
    return false;
  int64_t bytes = (int64_t)value;
  return (bytes & (bytes - 1)) == 0;
}

bool zc_property_set_number(const zc_property *property, zc_link *link, double value) {
  char *field = (char *)link + property->offset;
  if (property->kind == ZC_PROPERTY_BYTES) {
    if (!is_cache_line(value))
      return false;
    *(int64_t *)field = (int64_t)value;
    return true;
  }
  if (!isfinite(value) || value < 0)
    return false;
  *(double *)field = value;
  return true;
}

const char *zc_property_values(const zc_property *property) {
  switch (property->kind) {
  case ZC_PROPERTY_FLAG:
    return "true or false";
  case ZC_PROPERTY_BYTES:
    return "a number of bytes, a power of two from 1 to 1073741824";
  case ZC_PROPERTY_COST:
    return "a finite number, 0 or more";
  }
  return "";
}

static size_t property_size(const zc_property *property) {
  return property->kind == ZC_PROPERTY_FLAG    ? sizeof(bool)
         : property->kind == ZC_PROPERTY_BYTES ? sizeof(int64_t)
                                               : sizeof(double);
}

bool zc_property_equal(const zc_property *property, const zc_link *a, const zc_link *b) {
  const char *one = (const char *)a + property->offset, *other = (const char *)b + property->offset;
  if (property->kind == ZC_PROPERTY_COST)
    return *(const double *)one == *(const double *)other;
  return memcmp(one, other, property_size(property)) == 0;
}

void zc_property_copy(const zc_property *property, zc_link *to, const zc_link *from) {
  memcpy((char *)to + property->offset, (const char *)from + property->offset, property_size(property));
}

/* The shortest of the usual forms that reads back as the same; with a point whatever the locale. */
static const char *number_text(zc_arena *arena, double value) {
  char *text = zc_arena_format(arena, "%.15g", value);
  if (strtod(text, NULL) != value)
    text = zc_arena_format(arena, "%.17g", value);
  for (char *c = text; *c; ++c)
    if (!strchr("0123456789+-e.", *c))
      *c = '.';
  return text;
}

const char *zc_property_text(zc_arena *arena, const zc_property *property, const zc_link *link) {
  const char *field = (const char *)link + property->offset;
  switch (property->kind) {
  case ZC_PROPERTY_FLAG:
    return *(const bool *)field ? "true" : "false";
  case ZC_PROPERTY_BYTES:
    return zc_arena_format(arena, "%lld", (long long)*(const int64_t *)field);
  case ZC_PROPERTY_COST:
    return number_text(arena, *(const double *)field);
  }
  return "";
}

zc_link zc_link_default(void) {
  return (zc_link){.declared = true, .cache_line = ZC_DEFAULT_CACHE_LINE};
}

/* Building. */

typedef struct link_ends {
  int from;
  int to;
} link_ends;

struct zc_topology {
  zc_arena *arena;
  zc_devices *devices;
  zc_list ends;                                         ///< Of link_ends, in the order in which they were added.
  const zc_link *links[ZC_MAX_DEVICES][ZC_MAX_DEVICES]; ///< By from and to; null: not declared.
};

zc_topology *zc_topology_create(zc_arena *arena, zc_devices *devices) {
  zc_topology *topology = zc_arena_new(arena, zc_topology);
  topology->arena = arena;
  topology->devices = devices;
  return topology;
}

const char *zc_topology_add(zc_topology *topology, const char *from, const char *to, const zc_link *link) {
  zc_arena *arena = topology->arena;
  const char *from_text = zc_symbol_text(arena, from);
  if (strcmp(from, to) == 0)
    return zc_arena_format(arena, "link from %s to itself", from_text);
  int source = zc_devices_intern(topology->devices, from);
  int target = zc_devices_intern(topology->devices, to);
  if (source < 0 || target < 0)
    return zc_arena_format(arena, "more than %d devices", ZC_MAX_DEVICES);
  if (topology->links[source][target])
    return zc_arena_format(arena, "second link from %s to %s", from_text, zc_symbol_text(arena, to));
  zc_link *kept = zc_arena_new(arena, zc_link);
  *kept = *link;
  topology->links[source][target] = kept;
  zc_list_push(arena, &topology->ends, link_ends, ((link_ends){source, target}));
  return NULL;
}

/* Reading the attribute: its frame as text, its dictionaries by MLIR's own parser. */

typedef struct reader {
  zc_cursor cursor;
  zc_topology *topology;
  zc_arena *arena;
  MlirContext context;
  MlirLocation location;
} reader;

static bool fail(const reader *in, const char *why) {
  zc_error_at(in->location, "stream.topology: %s", why);
  return false;
}

/* Moves behind the brace that closes the one that stands here, past strings and nested braces. */
static bool eat_braces(zc_cursor *cursor) {
  int depth = 0;
  bool quoted = false;
  for (; cursor->at < cursor->end; ++cursor->at) {
    char c = *cursor->at;
    if (quoted && c == '\\' && cursor->at + 1 < cursor->end)
      ++cursor->at;
    else if (c == '"')
      quoted = !quoted;
    else if (!quoted && c == '{')
      ++depth;
    else if (!quoted && c == '}' && --depth == 0) {
      ++cursor->at;
      return true;
    }
  }
  return false;
}

static bool eat_dictionary(reader *in, MlirAttribute *dictionary) {
  zc_skip_space(&in->cursor);
  const char *start = in->cursor.at;
  if (start == in->cursor.end || *start != '{' || !eat_braces(&in->cursor))
    return false;
  const char *text = zc_arena_copy(in->arena, start, (size_t)(in->cursor.at - start));
  *dictionary = mlirAttributeParseGet(in->context, zc_str(text));
  return !mlirAttributeIsNull(*dictionary) && mlirAttributeIsADictionary(*dictionary);
}

static bool read_number(MlirAttribute value, double *number) {
  if (mlirAttributeIsABool(value))
    return false;
  if (mlirAttributeIsAInteger(value)) {
    MlirType type = mlirAttributeGetType(value);
    bool narrow = mlirTypeIsAIndex(type) || (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) <= 64);
    if (!narrow)
      return false;
    if (mlirTypeIsAInteger(type) && mlirIntegerTypeIsUnsigned(type))
      *number = (double)mlirIntegerAttrGetValueUInt(value);
    else if (mlirTypeIsAInteger(type) && mlirIntegerTypeIsSigned(type))
      *number = (double)mlirIntegerAttrGetValueSInt(value);
    else
      *number = (double)mlirIntegerAttrGetValueInt(value);
    return true;
  }
  if (!mlirAttributeIsAFloat(value))
    return false;
  *number = mlirFloatAttrGetValueDouble(value);
  return true;
}

static bool set_property(const zc_property *property, zc_link *link, MlirAttribute value) {
  if (property->kind == ZC_PROPERTY_FLAG) {
    if (!mlirAttributeIsABool(value))
      return false;
    zc_property_set_flag(property, link, mlirBoolAttrGetValue(value));
    return true;
  }
  double number;
  return read_number(value, &number) && zc_property_set_number(property, link, number);
}

/* Keys with a dot are somebody else's. */
static bool read_dictionary(reader *in, MlirAttribute dictionary, bool stock, zc_link *link) {
  intptr_t count = mlirDictionaryAttrGetNumElements(dictionary);
  for (intptr_t i = 0; i < count; ++i) {
    MlirNamedAttribute entry = mlirDictionaryAttrGetElement(dictionary, i);
    MlirStringRef name = mlirIdentifierStr(entry.name);
    if (memchr(name.data, '.', name.length))
      continue;
    const zc_property *property = zc_property_find(name.data, name.length);
    if (!property)
      return fail(in, zc_arena_format(in->arena, "unknown property '%.*s' of a link; known are " ZC_PROPERTY_NAMES,
                                      (int)name.length, name.data));
    if (property->stock != stock)
      return fail(in, zc_arena_format(in->arena, "property '%s' belongs into the %s braces of a link", property->name,
                                      property->stock ? "first" : "second"));
    if (!set_property(property, link, entry.attribute))
      return fail(in, zc_arena_format(in->arena, "property '%s' of a link must be %s", property->name,
                                      zc_property_values(property)));
  }
  return true;
}

/* `(@a -> @b = {…}, {…})`, the second dictionary optional. */
static bool read_link(reader *in) {
  const char *from, *to;
  if (!zc_eat(&in->cursor, "(") || !zc_eat_symbol(&in->cursor, in->arena, &from) || !zc_eat(&in->cursor, "->") ||
      !zc_eat_symbol(&in->cursor, in->arena, &to) || !zc_eat(&in->cursor, "="))
    return fail(in, "a link must be (@device -> @device = {…}, {…})");
  zc_link link = zc_link_default();
  MlirAttribute dictionary;
  bool stock = true;
  do {
    if (!eat_dictionary(in, &dictionary))
      return fail(in, "malformed properties of a link");
    if (!read_dictionary(in, dictionary, stock, &link))
      return false;
    stock = false;
  } while (zc_eat(&in->cursor, ","));
  if (!zc_eat(&in->cursor, ")"))
    return fail(in, "a link must be (@device -> @device = {…}, {…})");
  const char *problem = zc_topology_add(in->topology, from, to, &link);
  return problem ? fail(in, problem) : true;
}

static bool read_links(reader *in) {
  if (!zc_eat(&in->cursor, "#hal.device.topology<links = ["))
    return fail(in, "must be a #hal.device.topology attribute");
  do {
    if (!read_link(in))
      return false;
  } while (zc_eat(&in->cursor, ","));
  if (!zc_eat(&in->cursor, "]>") || in->cursor.at != in->cursor.end)
    return fail(in, "must be a #hal.device.topology attribute");
  return true;
}

MlirAttribute zc_topology_find_attribute(MlirOperation module) {
  MlirAttribute attribute = mlirOperationGetAttributeByName(module, zc_str(ZC_TOPOLOGY_ATTRIBUTE));
  return mlirAttributeIsNull(attribute)
             ? mlirOperationGetAttributeByName(module, zc_str(ZC_TOPOLOGY_SET_ASIDE_ATTRIBUTE))
             : attribute;
}

static zc_topology *read_text(const char *text, MlirOperation module, zc_devices *devices, zc_arena *arena) {
  zc_topology *topology = zc_topology_create(arena, devices);
  zc_cursor cursor = {text, text + strlen(text)};
  reader in = {cursor, topology, arena, mlirOperationGetContext(module), mlirOperationGetLocation(module)};
  return read_links(&in) ? topology : NULL;
}

/* Where several devices would do, passes take the one with the lowest id: that must come from the program, not from the
 * order in which somebody wrote down the links. */
static void intern_as_declared(zc_devices *devices, const zc_devices *linked, MlirOperation module, zc_arena *arena) {
  zc_device_globals declared = zc_device_globals_find(module, arena);
  for (int i = 0; i < declared.names.count; ++i) {
    const char *name = zc_list_at(&declared.names, const char *, i);
    if (zc_devices_lookup(linked, name) >= 0)
      zc_devices_intern(devices, name);
  }
}

const zc_topology *zc_topology_read_attribute(MlirAttribute attribute, MlirOperation module, zc_devices *devices,
                                              zc_arena *arena) {
  if (mlirAttributeIsNull(attribute))
    return zc_topology_create(arena, devices);
  const char *text = zc_attribute_text(arena, attribute);
  zc_devices *linked = zc_devices_create(arena);
  if (!read_text(text, module, linked, arena))
    return NULL;
  intern_as_declared(devices, linked, module, arena);
  return read_text(text, module, devices, arena);
}

const zc_topology *zc_topology_read(MlirOperation module, zc_devices *devices, zc_arena *arena) {
  return zc_topology_read_attribute(zc_topology_find_attribute(module), module, devices, arena);
}

/* Asking. */

static const zc_link undeclared_link = {.cache_line = ZC_DEFAULT_CACHE_LINE};
static const zc_link self_link = {.declared = true,
                                  .unified_memory = true,
                                  .transparent_access = true,
                                  .coherent = true,
                                  .cache_line = ZC_DEFAULT_CACHE_LINE};

bool zc_topology_is_empty(const zc_topology *topology) {
  return topology->ends.count == 0;
}

int zc_topology_num_links(const zc_topology *topology) {
  return topology->ends.count;
}

void zc_topology_link_ends(const zc_topology *topology, int index, int *from, int *to) {
  const link_ends *ends = &zc_list_at(&topology->ends, link_ends, index);
  *from = ends->from;
  *to = ends->to;
}

static bool is_device(int id) {
  return id >= 0 && id < ZC_MAX_DEVICES;
}

const zc_link *zc_topology_link(const zc_topology *topology, int from, int to) {
  if (!is_device(from) || !is_device(to))
    return &undeclared_link;
  if (from == to)
    return &self_link;
  const zc_link *link = topology->links[from][to];
  return link ? link : &undeclared_link;
}

static bool has(zc_device_set set, int id) {
  return set >> id & 1;
}

/* The first pair whose memory isn't declared as one in both directions. */
static bool find_not_unified(const zc_topology *topology, zc_device_set users, int *from, int *to) {
  for (int i = 0; i < ZC_MAX_DEVICES; ++i)
    for (int j = 0; has(users, i) && j < ZC_MAX_DEVICES; ++j)
      if (has(users, j) && !zc_topology_link(topology, i, j)->unified_memory) {
        *from = i;
        *to = j;
        return true;
      }
  return false;
}

static bool all_access(const zc_topology *topology, zc_device_set users, int owner) {
  for (int i = 0; i < ZC_MAX_DEVICES; ++i)
    if (has(users, i) && !zc_topology_link(topology, i, owner)->transparent_access)
      return false;
  return true;
}

bool zc_topology_can_share(const zc_topology *topology, zc_device_set users, int *owner) {
  int from, to;
  *owner = -1;
  if (!find_not_unified(topology, users, &from, &to))
    return true;
  for (int i = 0; i < ZC_MAX_DEVICES; ++i)
    if (has(users, i) && all_access(topology, users, i)) {
      *owner = i;
      return true;
    }
  return false;
}

/* Two that can't share even alone say more than two of a group without a common owner, which is the last resort. */
bool zc_topology_find_discrete(const zc_topology *topology, zc_device_set users, int *from, int *to) {
  int owner;
  if (zc_topology_can_share(topology, users, &owner))
    return false;
  for (int i = 0; i < ZC_MAX_DEVICES; ++i)
    for (int j = i + 1; has(users, i) && j < ZC_MAX_DEVICES; ++j) {
      zc_device_set pair = (zc_device_set)1 << i | (zc_device_set)1 << j;
      if (has(users, j) && !zc_topology_can_share(topology, pair, &owner))
        return find_not_unified(topology, pair, from, to);
    }
  return find_not_unified(topology, users, from, to);
}

bool zc_topology_is_coherent(const zc_topology *topology, zc_device_set writers, zc_device_set users, int *from,
                             int *to) {
  for (int i = 0; i < ZC_MAX_DEVICES; ++i)
    for (int j = 0; has(writers, i) && j < ZC_MAX_DEVICES; ++j)
      if (has(users, j) && !zc_topology_link(topology, i, j)->coherent) {
        *from = i;
        *to = j;
        return false;
      }
  return true;
}
