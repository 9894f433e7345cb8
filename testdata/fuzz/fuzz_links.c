/* The reader of the stream.topology attribute. The bytes choose links that are well-formed, with dictionaries of
 * anything; MLIR's parser stands before our reader, and is not what is tested here. */
#include "testdata/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "capi/text.h"
#include "capi/topology.h"
#include "stream_zc/Topology.h"

static unsigned take(zc_cursor *bytes) {
  return bytes->at < bytes->end ? (unsigned char)*bytes->at++ : 0;
}

static const char *make_device(zc_arena *arena, zc_cursor *bytes) {
  static const char *const common[] = {"a", "b", "c d"};
  unsigned choice = take(bytes);
  if (choice < 240)
    return zc_symbol_text(arena, common[choice % 3]);
  return zc_symbol_text(arena, zc_arena_format(arena, "x%u", take(bytes)));
}

static const char *make_value(zc_arena *arena, zc_cursor *bytes) {
  static const char *const values[] = {"0 : i64",
                                       "96 : index",
                                       "true",
                                       "false",
                                       "unit",
                                       "64 : i64",
                                       "128 : index",
                                       "1 : ui64",
                                       "-1",
                                       "2 : si8",
                                       "1 : i128",
                                       "0.5",
                                       "5.0e-320",
                                       "1.0e300 : f32",
                                       "\"}\"",
                                       "\"\\22{\"",
                                       "{a = \"{\"}",
                                       "[true]",
                                       "@a",
                                       "#hal.device.promise<@a>",
                                       "-0.0",
                                       "0x7FF0000000000000 : f64",
                                       "3 : i1",
                                       "4611686018427387904",
                                       "18446744073709551615 : ui64",
                                       "dense<1> : tensor<2xi8>",
                                       "f32",
                                       "affine_map<(d0) -> (d0)>",
                                       "loc(unknown)"};
  unsigned choice = take(bytes);
  unsigned count = sizeof values / sizeof *values;
  return choice % 64 < count ? values[choice % 64] : zc_arena_format(arena, "%u", 1u << (choice % 31));
}

/* Keys are unique, or MLIR refuses the dictionary. */
static const char *make_dictionary(zc_arena *arena, zc_cursor *bytes, bool stock) {
  static const char *const keys[] = {"unified_memory", "transparent_access", "coherent", "cache_line",
                                     "read_cost",      "copy_cost",          "x.own",    "odd",
                                     "\"q } {\""};
  unsigned set = take(bytes) & take(bytes);
  unsigned strange = take(bytes);
  const char *text = "";
  for (unsigned i = 0; i < sizeof keys / sizeof *keys; ++i) {
    bool asked = i < 2 ? set >> i & 1 && (stock || strange == 1) : set >> i & 1 && (!stock || strange == 2);
    if (i >= 7)
      asked = strange == i;
    if (asked)
      text = zc_arena_format(arena, "%s%s%s = %s", text, *text ? ", " : "", keys[i], make_value(arena, bytes));
  }
  return zc_arena_format(arena, "{%s}", text);
}

static const char *make_links(zc_arena *arena, zc_cursor *bytes) {
  const char *text = "";
  do {
    const char *from = make_device(arena, bytes), *to = make_device(arena, bytes);
    const char *first = make_dictionary(arena, bytes, true);
    const char *second = take(bytes) % 4 ? zc_arena_format(arena, ", %s", make_dictionary(arena, bytes, false)) : "";
    text = zc_arena_format(arena, "%s%s(%s -> %s = %s%s)", text, *text ? ", " : "", from, to, first, second);
  } while (bytes->at < bytes->end && take(bytes) % 4);
  return zc_arena_format(arena, "#hal.device.topology<links = [%s]>", text);
}

static MlirModule make_module(MlirContext context) {
  return mlirModuleCreateParse(context, zc_str("module {\nutil.global private @a : !hal.device\n"
                                               "util.global private @b : !hal.device\n"
                                               "util.global private @\"c d\" : !hal.device\n}"));
}

/* What the passes are told, for all devices at once. */
static void check_answers(const zc_topology *topology, int devices) {
  zc_device_set all = devices == ZC_MAX_DEVICES ? ~(zc_device_set)0 : ((zc_device_set)1 << devices) - 1;
  int owner, from, to;
  bool shares = zc_topology_can_share(topology, all, &owner);
  fuzz_require(owner == -1 || (shares && all >> owner & 1), "the owner of shared memory is one of its users");
  fuzz_require(shares == !zc_topology_find_discrete(topology, all, &from, &to), "two that can't share, or none");
  zc_topology_is_coherent(topology, all, all, &from, &to);
  for (int i = 0; i < zc_topology_num_links(topology); ++i) {
    zc_topology_link_ends(topology, i, &from, &to);
    const zc_link *link = zc_topology_link(topology, from, to);
    fuzz_require(from != to && link->declared, "a link is found by its ends");
    fuzz_require(link->cache_line > 0 && (link->cache_line & (link->cache_line - 1)) == 0, "lines are powers of two");
    fuzz_require(link->read_cost >= 0 && link->copy_cost >= 0, "costs are not negative");
  }
}

/* Its JSON sets a topology that prints as the same. */
static void check_round_trip(MlirOperation module) {
  fuzz_text first = {NULL, 0}, second = {NULL, 0};
  fuzz_require(mlirLogicalResultIsSuccess(streamZcModulePrintTopologyJSON(module, fuzz_append, &first)),
               "what verifies can be printed");
  fuzz_require(mlirLogicalResultIsSuccess(streamZcModuleSetTopologyFromJSON(
                   module, mlirStringRefCreate(first.text, first.length), zc_str("f.json"))),
               "what was printed can be read");
  fuzz_require(mlirLogicalResultIsSuccess(streamZcModulePrintTopologyJSON(module, fuzz_append, &second)) &&
                   strcmp(first.text, second.text) == 0,
               "what was printed is read as the same");
  free(first.text);
  free(second.text);
}

static void check_attribute(MlirOperation module, MlirAttribute attribute, zc_arena *arena) {
  mlirOperationSetAttributeByName(module, zc_str(ZC_TOPOLOGY_ATTRIBUTE), attribute);
  int before = fuzz_num_diagnostics();
  zc_devices *devices = zc_devices_create(arena);
  const zc_topology *topology = zc_topology_read(module, devices, arena);
  fuzz_require(fuzz_num_diagnostics() == before + !topology, "one error, or none");
  if (topology)
    check_answers(topology, zc_devices_count(devices));
  if (mlirLogicalResultIsFailure(streamZcModuleVerifyTopology(module))) {
    fuzz_require(fuzz_num_diagnostics() > before, "a message where it doesn't verify");
    return;
  }
  fuzz_require(!!topology, "what verifies can be read");
  check_round_trip(module);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MlirContext context = fuzz_context();
  zc_arena *arena = zc_arena_create();
  MlirModule module = make_module(context);
  zc_cursor bytes = {(const char *)data, (const char *)data + size};
  MlirAttribute attribute = mlirAttributeParseGet(context, zc_str(make_links(arena, &bytes)));
  if (!mlirAttributeIsNull(attribute))
    check_attribute(mlirModuleGetOperation(module), attribute, arena);
  mlirModuleDestroy(module);
  zc_arena_destroy(arena);
  return 0;
}
