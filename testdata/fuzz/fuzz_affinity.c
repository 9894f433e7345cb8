/* The reader of affinity attributes. The bytes are symbols as they come, and choose attributes that are well-formed,
 * alone and in pairs: MLIR's parser stands before our reader, and is not what is tested here. */
#include "testdata/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "capi/affinity.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"

static void check_symbols(zc_arena *arena, const char *text, size_t length) {
  zc_cursor cursor = {text, text + length};
  const char *name, *again;
  while (cursor.at < cursor.end) {
    if (!zc_eat_symbol(&cursor, arena, &name)) {
      ++cursor.at;
      continue;
    }
    const char *printed = zc_symbol_text(arena, name);
    zc_cursor copy = {printed, printed + strlen(printed)};
    fuzz_require(zc_eat_symbol(&copy, arena, &again) && copy.at == copy.end && strcmp(name, again) == 0,
                 "a symbol is read as it was written");
  }
}

static unsigned take(zc_cursor *bytes) {
  return bytes->at < bytes->end ? (unsigned char)*bytes->at++ : 0;
}

/* Few names, so that they meet again; any bytes, so that they need quotes. */
static const char *make_symbol(zc_arena *arena, zc_cursor *bytes) {
  static const char *const common[] = {"a", "b", "dev_a", "d e"};
  unsigned choice = take(bytes);
  if (choice < 128)
    return zc_symbol_text(arena, common[choice % 4]);
  char name[8] = "x";
  for (unsigned i = 0; i < choice % 7; ++i)
    name[i] = (char)(take(bytes) % 255 + 1);
  return zc_symbol_text(arena, name);
}

static const char *make_queues(zc_arena *arena, zc_cursor *bytes) {
  unsigned count = take(bytes) % 4;
  const char *text = "";
  for (unsigned i = 0; i < count; ++i)
    text = zc_arena_format(arena, "%s%s%u", text, i ? ", " : ", [", take(bytes) % 64);
  return count ? zc_arena_format(arena, "%s]", text) : "";
}

static const char *make_affinity(zc_arena *arena, zc_cursor *bytes) {
  const char *kind = take(bytes) % 2 ? "affinity" : "promise";
  const char *symbol = make_symbol(arena, bytes);
  return zc_arena_format(arena, "#hal.device.%s<%s%s>", kind, symbol, make_queues(arena, bytes));
}

static const char *make_attribute(zc_arena *arena, zc_cursor *bytes) {
  static const char *const others[] = {"unit", "\"#hal.device.affinity<@a>\"", "[#hal.device.affinity<@a>]",
                                       "#hal.device.topology<links = [(@a -> @b = {})]>"};
  unsigned choice = take(bytes) % 8;
  if (choice == 0)
    return others[take(bytes) % 4];
  if (choice < 5)
    return make_affinity(arena, bytes);
  const char *text = "";
  for (unsigned count = 1 + take(bytes) % 4; count; --count)
    text = zc_arena_format(arena, "%s%s%s", text, *text ? ", " : "", make_affinity(arena, bytes));
  return zc_arena_format(arena, "#hal.device.optimal<[%s]>", text);
}

static void check_affinity(const zc_affinity *affinity) {
  bool pinned = affinity->kind == ZC_AFFINITY_PINNED;
  fuzz_require(pinned == (affinity->device >= 0), "only a pinned affinity has one device");
  fuzz_require(!pinned || affinity->devices == (zc_device_set)1 << affinity->device, "and that is its only one");
}

static void check_pair(zc_affinities *affinities, MlirAttribute a, MlirAttribute b) {
  zc_affinity_can_execute_with(affinities, a, b);
  MlirAttribute joined = zc_affinity_join(affinities, a, b);
  if (mlirAttributeIsNull(joined))
    return;
  const zc_affinity *all = zc_affinity_read(affinities, joined);
  check_affinity(all);
  zc_device_set parts = zc_affinity_read(affinities, a)->devices | zc_affinity_read(affinities, b)->devices;
  fuzz_require(all->kind == ZC_AFFINITY_UNKNOWN || (all->devices & parts) == parts,
               "all devices are in what is joined");
}

static void check_attributes(MlirContext context, zc_arena *arena, zc_cursor bytes) {
  zc_affinities *affinities = zc_affinities_create(arena, zc_devices_create(arena));
  MlirAttribute before = mlirAttributeGetNull();
  while (bytes.at < bytes.end) {
    MlirAttribute attribute = mlirAttributeParseGet(context, zc_str(make_attribute(arena, &bytes)));
    if (mlirAttributeIsNull(attribute))
      continue;
    check_affinity(zc_affinity_read(affinities, attribute));
    check_pair(affinities, attribute, before);
    check_pair(affinities, before, attribute);
    before = attribute;
  }
  zc_affinities_release(affinities);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MlirContext context = fuzz_context();
  zc_arena *arena = zc_arena_create();
  char *text = malloc(size ? size : 1);
  memcpy(text, data, size);
  check_symbols(arena, text, size);
  check_attributes(context, arena, (zc_cursor){text, text + size});
  free(text);
  zc_arena_destroy(arena);
  return 0;
}
