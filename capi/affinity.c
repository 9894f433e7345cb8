#include "capi/affinity.h"

#include <string.h>

#include "capi/ptr_map.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"

#define ANY_QUEUE UINT64_MAX

/* Devices. A program has a handful, so a scan beats a hash table. */

struct zc_devices {
  zc_arena *arena;
  int count;
  const char *symbols[ZC_MAX_DEVICES];
};

zc_devices *zc_devices_create(zc_arena *arena) {
  zc_devices *devices = zc_arena_new(arena, zc_devices);
  devices->arena = arena;
  return devices;
}

int zc_devices_count(const zc_devices *devices) {
  return devices->count;
}

int zc_devices_lookup(const zc_devices *devices, const char *symbol) {
  for (int id = 0; id < devices->count; ++id)
    if (strcmp(devices->symbols[id], symbol) == 0)
      return id;
  return -1;
}

int zc_devices_intern(zc_devices *devices, const char *symbol) {
  int id = zc_devices_lookup(devices, symbol);
  if (id >= 0 || devices->count == ZC_MAX_DEVICES)
    return id;
  devices->symbols[devices->count] = zc_arena_copy(devices->arena, symbol, strlen(symbol));
  return devices->count++;
}

const char *zc_devices_symbol(const zc_devices *devices, int id) {
  return devices->symbols[id];
}

/* Affinities. */

/* One pinned affinity: the whole attribute, or one of the choices in an optimal. */
typedef struct part {
  bool promise; ///< #hal.device.promise, else #hal.device.affinity.
  int device;
  uint64_t queues;
} part;

/* The parts of an attribute, one for each device, in the attribute's order. */
typedef struct parts {
  int count;
  part at[ZC_MAX_DEVICES];
} parts;

typedef struct reading {
  zc_affinity affinity;
  zc_list parts; ///< Of part; empty for an unknown one.
} reading;

struct zc_affinities {
  zc_arena *arena;
  zc_devices *devices;
  zc_ptr_map *readings; ///< Attribute to reading.
};

static const zc_affinity no_affinity = {ZC_AFFINITY_NONE, 0, -1, 0};

zc_affinities *zc_affinities_create(zc_arena *arena, zc_devices *devices) {
  zc_affinities *affinities = zc_arena_new(arena, zc_affinities);
  affinities->arena = arena;
  affinities->devices = devices;
  affinities->readings = zc_ptr_map_create(arena);
  return affinities;
}

void zc_affinities_release(zc_affinities *affinities) {
  if (affinities)
    zc_ptr_map_release(affinities->readings);
}

/* A device named again adds queues to its first part. */
static void add_part(parts *out, const part *added) {
  for (int i = 0; i < out->count; ++i) {
    if (out->at[i].device == added->device) {
      out->at[i].queues |= added->queues;
      return;
    }
  }
  out->at[out->count++] = *added;
}

/* `[0, 3]`: a bit for each. */
static bool eat_queues(zc_cursor *cursor, uint64_t *queues) {
  *queues = 0;
  if (!zc_eat(cursor, "["))
    return false;
  if (zc_eat(cursor, "]"))
    return true;
  do {
    zc_skip_space(cursor);
    unsigned queue = 0;
    const char *start = cursor->at;
    while (cursor->at < cursor->end && *cursor->at >= '0' && *cursor->at <= '9' && queue < 64)
      queue = queue * 10 + (unsigned)(*cursor->at++ - '0');
    if (cursor->at == start || queue >= 64)
      return false;
    *queues |= (uint64_t)1 << queue;
  } while (zc_eat(cursor, ","));
  return zc_eat(cursor, "]");
}

/* `#hal.device.affinity<@d>` or `#hal.device.promise<@d, [queues]>`. */
static bool eat_part(zc_affinities *affinities, zc_cursor *cursor, part *out) {
  out->promise = zc_eat(cursor, "#hal.device.promise<");
  if (!out->promise && !zc_eat(cursor, "#hal.device.affinity<"))
    return false;
  const char *symbol;
  if (!zc_eat_symbol(cursor, affinities->arena, &symbol))
    return false;
  out->queues = ANY_QUEUE;
  if (zc_eat(cursor, ",") && !eat_queues(cursor, &out->queues))
    return false;
  if (!zc_eat(cursor, ">"))
    return false;
  out->device = zc_devices_intern(affinities->devices, symbol);
  return out->device >= 0;
}

static bool eat_parts(zc_affinities *affinities, zc_cursor *cursor, parts *out) {
  do {
    part one;
    if (!eat_part(affinities, cursor, &one))
      return false;
    add_part(out, &one);
  } while (zc_eat(cursor, ","));
  return true;
}

static zc_affinity_kind read_text(zc_affinities *affinities, const char *text, parts *out) {
  zc_cursor cursor = {text, text + strlen(text)};
  bool optimal = zc_eat(&cursor, "#hal.device.optimal<[");
  bool read = optimal ? eat_parts(affinities, &cursor, out) && zc_eat(&cursor, "]>")
                      : eat_parts(affinities, &cursor, out) && out->count == 1;
  if (!read || cursor.at != cursor.end)
    return ZC_AFFINITY_UNKNOWN;
  return optimal ? ZC_AFFINITY_OPTIMAL : ZC_AFFINITY_PINNED;
}

static reading *read_new(zc_affinities *affinities, MlirAttribute attribute) {
  parts found = {0};
  reading *result = zc_arena_new(affinities->arena, reading);
  result->affinity = no_affinity;
  result->affinity.kind = read_text(affinities, zc_attribute_text(affinities->arena, attribute), &found);
  if (result->affinity.kind == ZC_AFFINITY_UNKNOWN)
    return result;
  for (int i = 0; i < found.count; ++i) {
    zc_list_push(affinities->arena, &result->parts, part, found.at[i]);
    result->affinity.devices |= (zc_device_set)1 << found.at[i].device;
  }
  if (result->affinity.kind == ZC_AFFINITY_PINNED) {
    result->affinity.device = found.at[0].device;
    result->affinity.queues = found.at[0].queues;
  }
  return result;
}

static const reading *read_attribute(zc_affinities *affinities, MlirAttribute attribute) {
  reading *known = zc_ptr_map_get(affinities->readings, attribute.ptr);
  if (!known) {
    known = read_new(affinities, attribute);
    zc_ptr_map_set(affinities->readings, attribute.ptr, known);
  }
  return known;
}

const zc_affinity *zc_affinity_read(zc_affinities *affinities, MlirAttribute attribute) {
  return mlirAttributeIsNull(attribute) ? &no_affinity : &read_attribute(affinities, attribute)->affinity;
}

/* Joining. */

static void add_parts(parts *out, const zc_list *added) {
  for (int i = 0; i < added->count; ++i)
    add_part(out, &zc_list_at(added, part, i));
}

static const char *queues_text(zc_arena *arena, uint64_t queues) {
  if (queues == ANY_QUEUE)
    return "";
  const char *text = "";
  for (int queue = 0; queue < 64; ++queue)
    if (queues >> queue & 1)
      text = zc_arena_format(arena, "%s%s%d", text, *text ? ", " : "", queue);
  return zc_arena_format(arena, ", [%s]", text);
}

static const char *part_text(zc_affinities *affinities, const part *one) {
  zc_arena *arena = affinities->arena;
  return zc_arena_format(arena, "#hal.device.%s<%s%s>", one->promise ? "promise" : "affinity",
                         zc_symbol_text(arena, zc_devices_symbol(affinities->devices, one->device)),
                         queues_text(arena, one->queues));
}

static MlirAttribute make_attribute(zc_affinities *affinities, MlirContext context, const parts *from, bool optimal) {
  const char *text = "";
  for (int i = 0; i < from->count; ++i)
    text = zc_arena_format(affinities->arena, "%s%s%s", text, i ? ", " : "", part_text(affinities, &from->at[i]));
  if (optimal)
    text = zc_arena_format(affinities->arena, "#hal.device.optimal<[%s]>", text);
  return mlirAttributeParseGet(context, zc_str(text));
}

/* Attributes are uniqued, so that a join which adds nothing gives back the attribute that covers the other. */
MlirAttribute zc_affinity_join(zc_affinities *affinities, MlirAttribute a, MlirAttribute b) {
  if (mlirAttributeIsNull(a) || mlirAttributeIsNull(b)) {
    MlirAttribute given = mlirAttributeIsNull(a) ? b : a;
    return zc_affinity_read(affinities, given)->kind == ZC_AFFINITY_UNKNOWN ? mlirAttributeGetNull() : given;
  }
  const reading *first = read_attribute(affinities, a);
  const reading *second = read_attribute(affinities, b);
  if (first->affinity.kind == ZC_AFFINITY_UNKNOWN || second->affinity.kind == ZC_AFFINITY_UNKNOWN)
    return mlirAttributeGetNull();
  if (mlirAttributeEqual(a, b))
    return a;
  /* IREE lets an optimal lead, wherever it stands. */
  if (first->affinity.kind == ZC_AFFINITY_PINNED && second->affinity.kind == ZC_AFFINITY_OPTIMAL) {
    const reading *swap = first;
    first = second;
    second = swap;
  }
  parts joined = {0};
  add_parts(&joined, &first->parts);
  add_parts(&joined, &second->parts);
  bool optimal = first->affinity.kind == ZC_AFFINITY_OPTIMAL || joined.count > 1;
  return make_attribute(affinities, mlirAttributeGetContext(a), &joined, optimal);
}

/* Executing together. */

static bool lies_within(const part *a, const part *b) {
  return a->promise == b->promise && a->device == b->device && (a->queues & b->queues) == a->queues;
}

bool zc_affinity_can_execute_with(zc_affinities *affinities, MlirAttribute a, MlirAttribute b) {
  if (mlirAttributeIsNull(a) || mlirAttributeIsNull(b) || mlirAttributeEqual(a, b))
    return true;
  const reading *first = read_attribute(affinities, a);
  const reading *second = read_attribute(affinities, b);
  /* A device is not known to be the one that an optimal chooses. */
  if (first->affinity.kind == ZC_AFFINITY_UNKNOWN || second->affinity.kind == ZC_AFFINITY_UNKNOWN ||
      (first->affinity.kind == ZC_AFFINITY_PINNED && second->affinity.kind == ZC_AFFINITY_OPTIMAL))
    return false;
  for (int i = 0; i < first->parts.count; ++i)
    for (int j = 0; j < second->parts.count; ++j)
      if (!lies_within(&zc_list_at(&first->parts, part, i), &zc_list_at(&second->parts, part, j)))
        return false;
  return true;
}
