/* The topology: the attribute, the file, and the questions that passes ask. */
#include "testdata/units/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "capi/text.h"
#include "capi/topology.h"
#include "stream_zc/Topology.h"

#define DEVICES                                                                                                        \
  "util.global private @a : !hal.device\nutil.global private @b : !hal.device\n"                                       \
  "util.global private @c : !hal.device\nutil.global private @\"d e\" : !hal.device\n"                                 \
  "util.global private @number : index\n"
#define WITH_LINKS(links)                                                                                              \
  "module attributes {stream.topology = #hal.device.topology<links = [" links "]>} {\n" DEVICES "}"

typedef struct fixture {
  zc_arena *arena;
  zc_devices *devices;
  MlirModule module; ///< Null until a test makes one.
} fixture;

static int set_up(void **state) {
  static fixture f;
  f.arena = zc_arena_create();
  f.devices = zc_devices_create(f.arena);
  f.module.ptr = NULL;
  unit_clear_diagnostics();
  *state = &f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  if (!mlirModuleIsNull(f->module))
    mlirModuleDestroy(f->module);
  zc_arena_destroy(f->arena);
  unit_clear_diagnostics();
  return 0;
}

static MlirOperation make(fixture *f, const char *text) {
  if (!mlirModuleIsNull(f->module))
    mlirModuleDestroy(f->module);
  f->module = unit_module(text);
  return mlirModuleGetOperation(f->module);
}

/* The topology of these links over a, b, c. Devices a, b, c have the ids 0, 1, 2. */
static const zc_topology *topology(fixture *f, const char *links) {
  for (const char *name = "a\0b\0c\0"; *name; name += 2)
    zc_devices_intern(f->devices, name);
  const char *text = zc_arena_format(f->arena, WITH_LINKS("%s"), links);
  const zc_topology *read = zc_topology_read(make(f, text), f->devices, f->arena);
  if (!read)
    fail_msg("%s: %s", links, unit_diagnostics());
  return read;
}

/* The attribute. */

static void the_attribute_is_read(void **state) {
  fixture *f = *state;
  const zc_topology *t =
      topology(f, "(@a -> @b = {unified_memory = true, transparent_access = true}, {coherent = true, "
                  "cache_line = 128 : i64, read_cost = 1.5, copy_cost = 2}), (@b -> @a = {}), "
                  "(@\"d e\" -> @a = {transparent_access = true}, {vendor.note = \"}>)\"})");
  assert_false(zc_topology_is_empty(t));
  const zc_link *link = zc_topology_link(t, 0, 1);
  assert_true(link->declared && link->unified_memory && link->transparent_access && link->coherent);
  assert_int_equal(link->cache_line, 128);
  assert_true(link->read_cost == 1.5 && link->copy_cost == 2);
  link = zc_topology_link(t, 1, 0);
  assert_true(link->declared);
  assert_false(link->unified_memory || link->transparent_access || link->coherent);
  assert_int_equal(link->cache_line, 64);
  assert_true(link->read_cost == 0 && link->copy_cost == 0);
  assert_string_equal(zc_devices_symbol(f->devices, 3), "d e");
  assert_true(zc_topology_link(t, 3, 0)->transparent_access);
}

static void devices_come_as_declared_not_as_linked(void **state) {
  fixture *f = *state;
  const char *text = WITH_LINKS("(@c -> @a = {transparent_access = true}), (@a -> @c = {transparent_access = true})");
  const zc_topology *t = zc_topology_read(make(f, text), f->devices, f->arena);
  assert_int_equal(zc_devices_count(f->devices), 2);
  assert_string_equal(zc_devices_symbol(f->devices, 0), "a");
  assert_string_equal(zc_devices_symbol(f->devices, 1), "c");
  int from, to, owner;
  zc_topology_link_ends(t, 0, &from, &to);
  assert_true(from == 1 && to == 0);
  assert_true(zc_topology_can_share(t, 3, &owner));
  assert_int_equal(owner, 0);
}

static void links_that_are_not_there(void **state) {
  fixture *f = *state;
  const zc_topology *t = topology(f, "(@a -> @b = {unified_memory = true})");
  assert_false(zc_topology_link(t, 1, 0)->declared);
  assert_false(zc_topology_link(t, 0, 2)->declared);
  assert_false(zc_topology_link(t, -1, 0)->declared);
  assert_false(zc_topology_link(t, 0, -1)->declared);
  assert_false(zc_topology_link(t, -1, -1)->declared);
  assert_false(zc_topology_link(t, 64, 1)->declared);
  assert_int_equal(zc_topology_link(t, 1, 0)->cache_line, 64);
  const zc_link *self = zc_topology_link(t, 2, 2);
  assert_true(self->declared && self->unified_memory && self->transparent_access && self->coherent);
}

static void none_is_empty(void **state) {
  fixture *f = *state;
  const zc_topology *t = zc_topology_read(make(f, "module {\n" DEVICES "}"), f->devices, f->arena);
  assert_true(zc_topology_is_empty(t));
  assert_false(zc_topology_link(t, 0, 1)->declared);
}

static void the_set_aside_attribute_is_read(void **state) {
  fixture *f = *state;
  const char *text = "module attributes {zc.topology = #hal.device.topology<links = [(@a -> @b = {})]>} {}";
  const zc_topology *t = zc_topology_read(make(f, text), f->devices, f->arena);
  assert_false(zc_topology_is_empty(t));
  assert_true(zc_topology_link(t, 0, 1)->declared);
}

typedef struct mistake {
  const char *input;
  const char *message; ///< A part of the only diagnostic.
} mistake;

static void only_diagnostic_has(const mistake *expected) {
  if (unit_num_diagnostics() != 1 || !strstr(unit_diagnostics(), expected->message))
    fail_msg("%s\ngives: %s\ninstead of: %s", expected->input, unit_diagnostics(), expected->message);
}

static const mistake attribute_mistakes[] = {
    {"module attributes {stream.topology = 1 : i64} {}", "must be a #hal.device.topology attribute"},
    {"module attributes {stream.topology = \"#hal.device.topology<links = [\"} {}", "must be a #hal.device.topology"},
    {WITH_LINKS("(@a -> @a = {})"), "error: stream.topology: link from @a to itself"},
    {WITH_LINKS("(@a -> @b = {}), (@b -> @a = {}), (@a -> @b = {unified_memory = true})"), "second link from @a to @b"},
    {WITH_LINKS("(@a -> @nobody = {})"), "no device @nobody in the module, which has @a, @b, @c, @\"d e\""},
    {WITH_LINKS("(@a -> @number = {})"), "no device @number in the module"},
    {WITH_LINKS("(@a -> @b::@c = {})"), "a link must be"},
    {WITH_LINKS("(@a -> @b = {}, {coherant = true})"),
     "unknown property 'coherant' of a link; known are unified_memory"},
    {WITH_LINKS("(@a -> @b = {}, {unified_memory = true})"), "belongs into the first braces"},
    {WITH_LINKS("(@a -> @b = {}, {coherent = 1 : i32})"), "property 'coherent' of a link must be true or false"},
    {WITH_LINKS("(@a -> @b = {}, {coherent})"), "property 'coherent' of a link must be true or false"},
    {WITH_LINKS("(@a -> @b = {}, {cache_line = 63})"), "property 'cache_line' of a link must be a number of bytes"},
    {WITH_LINKS("(@a -> @b = {}, {cache_line = 0})"), "'cache_line'"},
    {WITH_LINKS("(@a -> @b = {}, {cache_line = -64})"), "'cache_line'"},
    {WITH_LINKS("(@a -> @b = {}, {cache_line = 2147483648})"), "'cache_line'"},
    {WITH_LINKS("(@a -> @b = {}, {cache_line = true})"), "'cache_line'"},
    {WITH_LINKS("(@a -> @b = {}, {cache_line = 64 : i256})"), "'cache_line'"},
    {WITH_LINKS("(@a -> @b = {}, {read_cost = -1.0})"), "property 'read_cost' of a link must be a finite number"},
    {WITH_LINKS("(@a -> @b = {}, {read_cost = 0x7FF0000000000000 : f64})"), "'read_cost'"},
    {WITH_LINKS("(@a -> @b = {}, {copy_cost = 0x7FF8000000000000 : f64})"), "'copy_cost'"},
    {WITH_LINKS("(@a -> @b = {}, {copy_cost = \"1\"})"), "'copy_cost'"},
};

static void mistakes_in_the_attribute_are_told(void **state) {
  fixture *f = *state;
  for (size_t i = 0; i < sizeof attribute_mistakes / sizeof *attribute_mistakes; ++i) {
    MlirOperation module = make(f, attribute_mistakes[i].input);
    unit_clear_diagnostics();
    assert_true(mlirLogicalResultIsFailure(streamZcModuleVerifyTopology(module)));
    only_diagnostic_has(&attribute_mistakes[i]);
  }
}

static void good_attributes_verify(void **state) {
  fixture *f = *state;
  static const char *const texts[] = {
      "module {}",
      WITH_LINKS("(@a -> @b = {})"),
      WITH_LINKS("(@a -> @\"d e\" = {}, {cache_line = 1}), (@\"d e\" -> @a = {}, {cache_line = 64 : index})"),
      WITH_LINKS("(@a -> @b = {}, {cache_line = 128 : ui8, read_cost = 0 : i32, copy_cost = 1.0 : f32, v.x = [1]})"),
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i)
    assert_true(mlirLogicalResultIsSuccess(streamZcModuleVerifyTopology(make(f, texts[i]))));
  assert_int_equal(unit_num_diagnostics(), 0);
}

static void more_devices_than_bits_are_an_error(void **state) {
  fixture *f = *state;
  const char *links = "(@d0 -> @d1 = {})";
  for (int i = 2; i <= ZC_MAX_DEVICES; ++i)
    links = zc_arena_format(f->arena, "%s, (@d0 -> @d%d = {})", links, i);
  MlirOperation module = make(f, zc_arena_format(f->arena, WITH_LINKS("%s"), links));
  assert_null(zc_topology_read(module, f->devices, f->arena));
  only_diagnostic_has(&(mistake){"65 devices", "more than 64 devices"});
}

/* The questions. */

enum { IN_A = 1, IN_B = 2, IN_C = 4 };
#define UNIFIED(x, y) "(@" x " -> @" y " = {unified_memory = true})"
#define ACCESS(x, y) "(@" x " -> @" y " = {transparent_access = true})"
#define COHERENT(x, y) "(@" x " -> @" y " = {}, {coherent = true})"

static void shares(fixture *f, const char *links, zc_device_set users, int expected_owner) {
  const zc_topology *t = topology(f, links);
  int owner = 99, from = 99, to = 99;
  assert_true(zc_topology_can_share(t, users, &owner));
  assert_int_equal(owner, expected_owner);
  assert_false(zc_topology_find_discrete(t, users, &from, &to));
}

static void does_not_share(fixture *f, const char *links, zc_device_set users, int expected_from, int expected_to) {
  const zc_topology *t = topology(f, links);
  int owner = 99, from = 99, to = 99;
  assert_false(zc_topology_can_share(t, users, &owner));
  assert_true(zc_topology_find_discrete(t, users, &from, &to));
  assert_int_equal(from, expected_from);
  assert_int_equal(to, expected_to);
}

static void sharing_needs_unified_memory_both_ways(void **state) {
  fixture *f = *state;
  shares(f, UNIFIED("a", "b") ", " UNIFIED("b", "a"), IN_A | IN_B, -1);
  does_not_share(f, UNIFIED("a", "b"), IN_A | IN_B, 1, 0);
  does_not_share(f, UNIFIED("b", "a"), IN_A | IN_B, 0, 1);
  does_not_share(f, UNIFIED("a", "b") ", " UNIFIED("b", "a"), IN_A | IN_B | IN_C, 0, 2);
  /* Not link by link: a and c are not declared. */
  does_not_share(f, UNIFIED("a", "b") ", " UNIFIED("b", "a") ", " UNIFIED("b", "c") ", " UNIFIED("c", "b"),
                 IN_A | IN_B | IN_C, 0, 2);
  shares(f, UNIFIED("a", "b"), IN_A, -1);
  shares(f, UNIFIED("a", "b"), IN_C, -1);
  shares(f, UNIFIED("a", "b"), 0, -1);
}

static void sharing_by_access_pins_the_owner(void **state) {
  fixture *f = *state;
  /* b can access a's memory, so a owns it. */
  shares(f, ACCESS("b", "a"), IN_A | IN_B, 0);
  shares(f, ACCESS("a", "b"), IN_A | IN_B, 1);
  shares(f, ACCESS("a", "b") ", " ACCESS("b", "a"), IN_A | IN_B, 0);
  shares(f, ACCESS("a", "c") ", " ACCESS("b", "c"), IN_A | IN_B | IN_C, 2);
  does_not_share(f, ACCESS("b", "a"), IN_A | IN_B | IN_C, 0, 2);
  does_not_share(f, ACCESS("b", "a") ", " ACCESS("c", "b"), IN_A | IN_B | IN_C, 0, 2);
  /* Every two can, all three can't. */
  does_not_share(f, ACCESS("b", "a") ", " ACCESS("c", "b") ", " ACCESS("a", "c"), IN_A | IN_B | IN_C, 0, 1);
}

static void coherence_has_a_direction(void **state) {
  fixture *f = *state;
  int from = 99, to = 99;
  const zc_topology *t = topology(f, COHERENT("a", "b") ", " COHERENT("a", "c") ", " COHERENT("c", "a"));
  assert_true(zc_topology_is_coherent(t, IN_A, IN_A | IN_B, &from, &to));
  assert_true(zc_topology_is_coherent(t, IN_A, IN_A | IN_B | IN_C, &from, &to));
  assert_true(zc_topology_is_coherent(t, IN_A | IN_C, IN_A | IN_C, &from, &to));
  assert_true(zc_topology_is_coherent(t, IN_B, IN_B, &from, &to));
  assert_true(zc_topology_is_coherent(t, 0, IN_A | IN_B, &from, &to));
  assert_false(zc_topology_is_coherent(t, IN_B, IN_A | IN_B, &from, &to));
  assert_true(from == 1 && to == 0);
  assert_false(zc_topology_is_coherent(t, IN_A | IN_C, IN_A | IN_B | IN_C, &from, &to));
  assert_true(from == 2 && to == 1);
}

/* The file. */

static MlirLogicalResult set_json(MlirOperation module, const char *json) {
  return streamZcModuleSetTopologyFromJSON(module, zc_str(json), zc_str("topo.json"));
}

static void a_file_sets_the_attribute(void **state) {
  fixture *f = *state;
  static const struct {
    const char *json, *attribute;
  } cases[] = {
      {"{\"links\": [{\"from\": \"b\", \"to\": \"a\"}, {\"from\": \"a\", \"to\": \"b\"}]}",
       "(@b -> @a = {}), (@a -> @b = {})"},
      {"\n{ \"links\" :[ {\"to\":\"b\",\"from\":\"a\", \"unified_memory\": true, \"transparent_access\": true,"
       "\"coherent\": false} ] }\n",
       "(@a -> @b = {unified_memory = true, transparent_access = true}, {coherent = false})"},
      {"{\"links\": [{\"from\": \"a\", \"to\": \"d e\", \"cache_line\": 128, \"read_cost\": 2, \"copy_cost\": 1e-30}]}",
       "(@a -> @\"d e\" = {}, {cache_line = 128 : i64, read_cost = 2.0, copy_cost = 1.0e-30})"},
      {"\xEF\xBB\xBF{\"links\": [{\"from\": \"\\u0061\", \"to\": \"b\", \"unified_memory\": false}]}",
       "(@a -> @b = {})"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    MlirOperation module = make(f, WITH_LINKS("(@c -> @a = {})"));
    if (mlirLogicalResultIsFailure(set_json(module, cases[i].json)))
      fail_msg("%s: %s", cases[i].json, unit_diagnostics());
    MlirAttribute set = mlirOperationGetAttributeByName(module, zc_str(ZC_TOPOLOGY_ATTRIBUTE));
    const char *expected = zc_arena_format(f->arena, "#hal.device.topology<links = [%s]>", cases[i].attribute);
    if (!mlirAttributeEqual(set, unit_attribute(expected)))
      fail_msg("%s gives %s", cases[i].json, zc_attribute_text(f->arena, set));
    assert_true(mlirLogicalResultIsSuccess(streamZcModuleVerifyTopology(module)));
  }
}

static void a_file_without_links_takes_the_attribute_off(void **state) {
  fixture *f = *state;
  MlirOperation module = make(f, WITH_LINKS("(@c -> @a = {})"));
  assert_true(mlirLogicalResultIsSuccess(set_json(module, "{\"links\": []}")));
  assert_true(mlirAttributeIsNull(mlirOperationGetAttributeByName(module, zc_str(ZC_TOPOLOGY_ATTRIBUTE))));
}

#define LINK(rest) "{\"links\": [\n  {\"from\": \"a\", \"to\": \"b\"" rest "}\n]}"

static const mistake file_mistakes[] = {
    {"", "\"topo.json\":1:1): error: topology: empty"},
    {" \n ", "error: topology: empty"},
    {"\x7F"
     "ELF\x01",
     "\"topo.json\":1:1): error: topology: not valid JSON"},
    {"{\"links\": [\n  {\"from\": \"a\" \"to\": \"b\"}]}", "\"topo.json\":2:16): error: topology: not valid JSON"},
    {"{\"links\": [", "not valid JSON"},
    {"{\"links\": []}\n x", "\"topo.json\":2:2): error: topology: text after the end"},
    {"[]", "\"topo.json\":1:1): error: topology: must be an object with 'links', not an array"},
    {"null", "must be an object with 'links', not null"},
    {"{}", "\"topo.json\":1:1): error: topology: no 'links'"},
    {"{\"links\": [],\n \"links\": []}", "\"topo.json\":2:2): error: topology: 'links' twice"},
    {"{\"nodes\": {\"x\": [1, {}]},\n \"links\": []}", "\"topo.json\":1:2): error: topology: unknown key 'nodes'"},
    {"{\n\"links\":\n  {}}", "\"topo.json\":3:3): error: topology: 'links' must be an array, not an object"},
    {"{\"links\": [\n  7]}", "\"topo.json\":2:3): error: topology: a link must be an object, not a number"},
    {"{\"links\": [\n  {}]}", "\"topo.json\":2:3): error: topology: a link without 'from'"},
    {"{\"links\": [\n  {\"from\": \"a\"}]}", "\"topo.json\":2:3): error: topology: a link without 'to'"},
    {"{\"links\": [\n  {\"from\": \"a\",\n   \"to\": 1}]}",
     "\"topo.json\":3:10): error: topology: 'to' must be the name of a device global, not a number"},
    {"{\"links\": [{\"from\": \"a\", \"to\": \"b\"},\n {\"from\": \"b\", \"to\": \"gpu\"}]}",
     "\"topo.json\":2:22): error: topology: no device @gpu in the module, which has @a, @b, @c, @\"d e\""},
    {"{\"links\": [{\"from\": \"number\", \"to\": \"b\"}]}", "no device @number"},
    {"{\"links\": [{\"from\": \"\", \"to\": \"b\"}]}", "no device @\"\""},
    {"{\"links\": [{\"from\": \"a\\u0000\", \"to\": \"b\"}]}",
     "\"topo.json\":1:23): error: topology: a null character"},
    {"{\"links\": [{\"from\": \"a\", \"to\": \"b\"},\n {\"from\": \"a\", \"to\": \"a\"}]}",
     "\"topo.json\":2:2): error: topology: link from @a to itself"},
    {"{\"links\": [{\"from\": \"a\", \"to\": \"b\"},\n\n {\"from\": \"a\", \"to\": \"b\"}]}",
     "\"topo.json\":3:2): error: topology: second link from @a to @b"},
    {LINK(", \"from\": \"a\""), "\"topo.json\":2:28): error: topology: 'from' twice in one link"},
    {LINK(", \"coherent\": true, \"coherent\": true"), "\"topo.json\":2:46): error: topology: 'coherent' twice"},
    {LINK(", \"coherant\": true"),
     "\"topo.json\":2:28): error: topology: unknown key 'coherant' in a link; known are from,"},
    {LINK(", \"declared\": true"), "unknown key 'declared'"},
    {LINK(", \"Coherent\": true"), "unknown key 'Coherent'"},
    {LINK(", \"coherent\": \"yes\""),
     "\"topo.json\":2:40): error: topology: 'coherent' must be true or false, not a string"},
    {LINK(", \"unified_memory\": 1"), "'unified_memory' must be true or false, not a number"},
    {LINK(", \"transparent_access\": null"), "'transparent_access' must be true or false, not null"},
    {LINK(", \"cache_line\": true"), "'cache_line' must be a number of bytes, a power of two"},
    {LINK(", \"cache_line\": 0"), "\"topo.json\":2:42): error: topology: 'cache_line' is out of range"},
    {LINK(", \"cache_line\": 48"), "'cache_line' is out of range"},
    {LINK(", \"cache_line\": 64.5"), "'cache_line' is out of range"},
    {LINK(", \"cache_line\": 1e300"), "'cache_line' is out of range"},
    {LINK(", \"read_cost\": -0.5"), "'read_cost' is out of range: it must be a finite number, 0 or more"},
    {LINK(", \"copy_cost\": 1e999"), "'copy_cost' is out of range"},
    {LINK(", \"copy_cost\": [1]"), "'copy_cost' must be a finite number, 0 or more, not an array"},
};

static void mistakes_in_the_file_are_told(void **state) {
  fixture *f = *state;
  MlirOperation module = make(f, WITH_LINKS("(@c -> @a = {})"));
  MlirAttribute before = mlirOperationGetAttributeByName(module, zc_str(ZC_TOPOLOGY_ATTRIBUTE));
  for (size_t i = 0; i < sizeof file_mistakes / sizeof *file_mistakes; ++i) {
    unit_clear_diagnostics();
    if (mlirLogicalResultIsSuccess(set_json(module, file_mistakes[i].input)))
      fail_msg("accepted: %s", file_mistakes[i].input);
    only_diagnostic_has(&file_mistakes[i]);
    MlirAttribute after = mlirOperationGetAttributeByName(module, zc_str(ZC_TOPOLOGY_ATTRIBUTE));
    assert_true(mlirAttributeEqual(before, after));
  }
}

static void a_module_without_devices_is_told(void **state) {
  fixture *f = *state;
  MlirOperation module = make(f, "module {}");
  assert_true(mlirLogicalResultIsFailure(set_json(module, LINK(""))));
  only_diagnostic_has(&(mistake){"no devices", "no device @a in the module, which has no device globals"});
}

static void deep_nesting_is_an_error(void **state) {
  fixture *f = *state;
  MlirOperation module = make(f, "module {}");
  for (int depth = 900; depth <= 200000; depth += 199100) {
    char *text = malloc((size_t)depth + 1);
    memset(text, '[', (size_t)depth);
    text[depth] = 0;
    assert_true(mlirLogicalResultIsFailure(set_json(module, text)));
    free(text);
  }
  assert_int_equal(unit_num_diagnostics(), 2);
}

/* Broken copies of a good file: never more than one error, never an attribute from a file with one. */
static void noise_in_the_file_is_survived(void **state) {
  fixture *f = *state;
  static const char good[] =
      "{\"links\": [{\"from\": \"a\", \"to\": \"b\", \"unified_memory\": true, \"cache_line\": 64},\n"
      "  {\"from\": \"b\", \"to\": \"d e\", \"read_cost\": 1.25e1, \"coherent\": false}]}";
  static const char alphabet[] = "{}[]\",:\\ \n0e-.tu\xC3\x01";
  MlirOperation module = make(f, WITH_LINKS("(@c -> @a = {})"));
  uint64_t seed = 11;
  for (int i = 0; i < 20000; ++i) {
    size_t length = sizeof good - 1;
    char *text = malloc(length);
    memcpy(text, good, length);
    for (uint64_t changes = 1 + unit_random(&seed, 3); changes; --changes)
      text[unit_random(&seed, length)] = alphabet[unit_random(&seed, sizeof alphabet)];
    if (unit_random(&seed, 4) == 0)
      length = unit_random(&seed, length);
    char *exact = malloc(length ? length : 1);
    memcpy(exact, text, length);
    unit_clear_diagnostics();
    MlirLogicalResult result =
        streamZcModuleSetTopologyFromJSON(module, mlirStringRefCreate(exact, length), zc_str("topo.json"));
    if (unit_num_diagnostics() != (mlirLogicalResultIsSuccess(result) ? 0 : 1))
      fail_msg("%.*s\n%s", (int)length, exact, unit_diagnostics());
    free(exact);
    free(text);
  }
}

/* Broken copies of good attributes that IREE's parser still accepts. */
static void noise_in_the_attribute_is_survived(void **state) {
  fixture *f = *state;
  static const char *const values[] = {"true",
                                       "false",
                                       "1",
                                       "64 : i64",
                                       "-1 : si8",
                                       "1.5",
                                       "\"x}{\"",
                                       "[{a = 1}]",
                                       "unit",
                                       "{b}",
                                       "@s",
                                       "f32",
                                       "64 : i128",
                                       "dense<1> : tensor<2xi8>",
                                       "#hal.device.affinity<@a>"};
  static const char *const keys[] = {"coherent", "cache_line", "read_cost", "copy_cost", "\"a}b\"", "\"a.b\"", "x.y"};
  uint64_t seed = 5;
  for (int i = 0; i < 2000; ++i) {
    const char *link = zc_arena_format(f->arena, "(@a -> @b = {}, {%s = %s})", keys[unit_random(&seed, 7)],
                                       values[unit_random(&seed, 15)]);
    MlirOperation module = make(f, zc_arena_format(f->arena, WITH_LINKS("%s"), link));
    unit_clear_diagnostics();
    bool good = mlirLogicalResultIsSuccess(streamZcModuleVerifyTopology(module));
    if (unit_num_diagnostics() != (good ? 0 : 1))
      fail_msg("%s\n%s", link, unit_diagnostics());
  }
}

/* Random topologies: what the file says is what the passes read. */

#define NUM_RANDOM_DEVICES 6
static const char *const random_names[NUM_RANDOM_DEVICES] = {"dev_a", "dev_b", "npu.0", "d e", "\xC3\xA9-1", "q\\\\"};

typedef struct random_topology {
  zc_link links[NUM_RANDOM_DEVICES][NUM_RANDOM_DEVICES];
  const char *json; ///< Of the links, comma-separated.
} random_topology;

static const char *random_flag(fixture *f, uint64_t *seed, const char *name, bool *value) {
  *value = unit_random(seed, 2);
  if (!*value && unit_random(seed, 2))
    return "";
  return zc_arena_format(f->arena, ", \"%s\": %s", name, *value ? "true" : "false");
}

static const char *random_cost(fixture *f, uint64_t *seed, const char *name, double *value) {
  if (unit_random(seed, 2))
    return "";
  *value = unit_random(seed, 3) ? (double)unit_random(seed, 1000)
                                : ldexp((double)unit_random(seed, 1u << 30) / 3.0, (int)unit_random(seed, 1800) - 950);
  return zc_arena_format(f->arena, ", \"%s\": %.17g", name, *value);
}

static const char *random_cache_line(fixture *f, uint64_t *seed, int64_t *value) {
  *value = 64;
  if (unit_random(seed, 2))
    return "";
  *value = (int64_t)1 << unit_random(seed, 31);
  return zc_arena_format(f->arena, ", \"cache_line\": %lld", (long long)*value);
}

static void add_random_link(fixture *f, uint64_t *seed, random_topology *out, int from, int to) {
  zc_link *link = &out->links[from][to];
  link->declared = true;
  const char *unified = random_flag(f, seed, "unified_memory", &link->unified_memory);
  const char *access = random_flag(f, seed, "transparent_access", &link->transparent_access);
  const char *coherent = random_flag(f, seed, "coherent", &link->coherent);
  const char *line = random_cache_line(f, seed, &link->cache_line);
  const char *read_cost = random_cost(f, seed, "read_cost", &link->read_cost);
  const char *copy_cost = random_cost(f, seed, "copy_cost", &link->copy_cost);
  bool late = unit_random(seed, 2);
  out->json = zc_arena_format(f->arena, "%s%s{\"from\": \"%s\"%s%s%s, \"to\": \"%s\"%s%s%s}", out->json,
                              *out->json ? ",\n" : "", random_names[from], late ? coherent : unified, access, line,
                              random_names[to], read_cost, copy_cost, late ? unified : coherent);
}

static void expect_link(fixture *f, const zc_topology *t, const random_topology *expected, int from, int to) {
  /* The names as the module has them. */
  static const char *const names[NUM_RANDOM_DEVICES] = {"dev_a", "dev_b", "npu.0", "d e", "\xC3\xA9-1", "q\\"};
  const zc_link *found =
      zc_topology_link(t, zc_devices_lookup(f->devices, names[from]), zc_devices_lookup(f->devices, names[to]));
  const zc_link *link = &expected->links[from][to];
  assert_int_equal(found->declared, link->declared);
  assert_int_equal(found->unified_memory, link->unified_memory);
  assert_int_equal(found->transparent_access, link->transparent_access);
  assert_int_equal(found->coherent, link->coherent);
  assert_int_equal(found->cache_line, link->declared ? link->cache_line : 64);
  assert_true(found->read_cost == link->read_cost);
  assert_true(found->copy_cost == link->copy_cost);
}

static void check_random_topology(fixture *f, uint64_t *seed) {
  random_topology expected = {.json = ""};
  for (uint64_t tries = unit_random(seed, 20); tries; --tries) {
    int from = (int)unit_random(seed, NUM_RANDOM_DEVICES), to = (int)unit_random(seed, NUM_RANDOM_DEVICES);
    if (from != to && !expected.links[from][to].declared)
      add_random_link(f, seed, &expected, from, to);
  }
  MlirOperation module = mlirModuleGetOperation(f->module);
  const char *json = zc_arena_format(f->arena, "{\"links\": [%s]}", expected.json);
  if (mlirLogicalResultIsFailure(set_json(module, json)))
    fail_msg("%s\n%s", json, unit_diagnostics());
  assert_true(mlirLogicalResultIsSuccess(streamZcModuleVerifyTopology(module)));
  f->devices = zc_devices_create(f->arena);
  const zc_topology *t = zc_topology_read(module, f->devices, f->arena);
  assert_non_null(t);
  assert_int_equal(zc_topology_is_empty(t), !*expected.json);
  for (int from = 0; from < NUM_RANDOM_DEVICES; ++from)
    for (int to = 0; to < NUM_RANDOM_DEVICES; ++to)
      if (from != to)
        expect_link(f, t, &expected, from, to);
}

static void random_files_are_read_as_they_were_written(void **state) {
  fixture *f = *state;
  make(f, "module {\nutil.global private @dev_a : !hal.device\nutil.global private @dev_b : !hal.device\n"
          "util.global private @npu.0 : !hal.device\nutil.global private @\"d e\" : !hal.device\n"
          "util.global private @\"\\C3\\A9-1\" : !hal.device\nutil.global private @\"q\\\\\" : !hal.device\n}");
  uint64_t seed = 2026;
  for (int i = 0; i < 1000; ++i)
    check_random_topology(f, &seed);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(the_attribute_is_read),
      TEST(devices_come_as_declared_not_as_linked),
      TEST(links_that_are_not_there),
      TEST(none_is_empty),
      TEST(the_set_aside_attribute_is_read),
      TEST(mistakes_in_the_attribute_are_told),
      TEST(good_attributes_verify),
      TEST(more_devices_than_bits_are_an_error),
      TEST(sharing_needs_unified_memory_both_ways),
      TEST(sharing_by_access_pins_the_owner),
      TEST(coherence_has_a_direction),
      TEST(a_file_sets_the_attribute),
      TEST(a_file_without_links_takes_the_attribute_off),
      TEST(mistakes_in_the_file_are_told),
      TEST(a_module_without_devices_is_told),
      TEST(deep_nesting_is_an_error),
      TEST(noise_in_the_file_is_survived),
      TEST(noise_in_the_attribute_is_survived),
      TEST(random_files_are_read_as_they_were_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
