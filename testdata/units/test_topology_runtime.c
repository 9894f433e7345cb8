/* The runtime's word on a link: its layout, its spelled-out form, its effect; and topologies written as JSON and read
 * again. */
#include "testdata/units/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capi/text.h"
#include "capi/topology.h"
#include "capi/topology_runtime.h"
#include "stream_zc/Topology.h"

typedef struct fixture {
  zc_arena *arena;
  MlirModule module;
} fixture;

static const char devices_text[] =
    "util.global private @a : !hal.device\nutil.global private @b : !hal.device\n"
    "util.global private @\"d e\" : !hal.device\nutil.global private @\"q\\\\\\22\\09\" : !hal.device\n"
    "util.global private @\"\\C3\\A9-1\" : !hal.device\nutil.global private @npu.0 : !hal.device\n";
enum { NUM_DEVICES = 6 };
static const char *const names[NUM_DEVICES] = {"a", "b", "d e", "q\\\"\t", "\xC3\xA9-1", "npu.0"};

static int set_up(void **state) {
  static fixture f;
  f.arena = zc_arena_create();
  f.module = unit_module(zc_arena_format(f.arena, "module {\n%s}", devices_text));
  unit_clear_diagnostics();
  *state = &f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  mlirModuleDestroy(f->module);
  zc_arena_destroy(f->arena);
  unit_clear_diagnostics();
  return 0;
}

static MlirOperation module_of(fixture *f) {
  return mlirModuleGetOperation(f->module);
}

static bool set_json(fixture *f, const char *json) {
  return mlirLogicalResultIsSuccess(streamZcModuleSetTopologyFromJSON(module_of(f), zc_str(json), zc_str("topo.json")));
}

static MlirAttribute attribute_of(fixture *f) {
  return mlirOperationGetAttributeByName(module_of(f), zc_str(ZC_TOPOLOGY_ATTRIBUTE));
}

/* The layout, once more and independently, from the field list of IREE's topology.h. */

static const struct {
  zc_runtime_field field;
  const char *name;
  unsigned first_bit, last_bit;
} layout[] = {
    {ZC_RUNTIME_WAIT_MODE, "wait_mode", 0, 1},           {ZC_RUNTIME_SIGNAL_MODE, "signal_mode", 2, 3},
    {ZC_RUNTIME_READ_NONCOHERENT, "noncoherent", 4, 5},  {ZC_RUNTIME_WRITE_NONCOHERENT, "noncoherent", 6, 7},
    {ZC_RUNTIME_READ_COHERENT, "coherent", 8, 9},        {ZC_RUNTIME_WRITE_COHERENT, "coherent", 10, 11},
    {ZC_RUNTIME_CAPABILITIES, "capabilities", 12, 27},   {ZC_RUNTIME_WAIT_COST, "wait_cost", 28, 31},
    {ZC_RUNTIME_SIGNAL_COST, "signal_cost", 32, 35},     {ZC_RUNTIME_COPY_COST, "copy_cost", 36, 39},
    {ZC_RUNTIME_LATENCY_CLASS, "latency_class", 40, 43}, {ZC_RUNTIME_NUMA_DISTANCE, "numa_distance", 44, 47},
    {ZC_RUNTIME_LINK_CLASS, "link_class", 48, 50},
};
enum { NUM_FIELDS = sizeof layout / sizeof *layout };

static const char *const mode_names[] = {"native", "import", "copy", "none"};
static const char *const class_names[] = {"same_die",    "nvlink_if", "pcie_same_root", "pcie_cross_root",
                                          "host_staged", "fabric",    "other",          "isolated"};
static const struct {
  unsigned bit;
  const char *name;
} capabilities[] = {
    {0, "same_runtime_domain"},
    {1, "unified_memory"},
    {2, "peer_coherent"},
    {3, "host_coherent"},
    {4, "p2p_copy"},
    {5, "concurrent_safe"},
    {6, "atomic_device"},
    {7, "atomic_system"},
    {8, "timeline_semaphore"},
    {9, "binary_semaphore_only"},
    {10, "remote_dma"},
    {11, "shared_virtual_address"},
    {12, "peer_access_requires_grant"},
};
enum { NUM_CAPABILITIES = sizeof capabilities / sizeof *capabilities };

static unsigned bits_of(uint64_t word, unsigned first, unsigned last) {
  unsigned value = 0;
  for (unsigned bit = first; bit <= last; ++bit)
    value |= (unsigned)(word >> bit & 1) << (bit - first);
  return value;
}

static bool has_reserved_bits(uint64_t word) {
  return bits_of(word, 51, 63) || bits_of(word, 25, 27);
}

static void word_decodes(fixture *f, uint64_t word) {
  zc_runtime_edge edge;
  const char *problem = zc_runtime_decode(f->arena, word, &edge);
  assert_int_equal(problem != NULL, word == 0 || has_reserved_bits(word));
  for (int i = 0; i < NUM_FIELDS; ++i)
    assert_int_equal(edge.fields[layout[i].field], bits_of(word, layout[i].first_bit, layout[i].last_bit));
  uint64_t meant = word & (((uint64_t)1 << 51) - 1);
  assert_true(zc_runtime_encode(&edge) == meant);
}

static void each_value_of_each_field_decodes(void **state) {
  assert_int_equal(NUM_FIELDS, ZC_NUM_RUNTIME_FIELDS);
  for (int i = 0; i < NUM_FIELDS; ++i) {
    assert_string_equal(zc_runtime_fields[layout[i].field].name, layout[i].name);
    unsigned count = 1u << (layout[i].last_bit - layout[i].first_bit + 1);
    for (unsigned value = 0; value < count; ++value)
      word_decodes(*state, (uint64_t)value << layout[i].first_bit);
  }
}

static void each_bit_decodes(void **state) {
  for (unsigned bit = 0; bit < 64; ++bit) {
    word_decodes(*state, (uint64_t)1 << bit);
    word_decodes(*state, ~((uint64_t)1 << bit));
  }
  word_decodes(*state, UINT64_MAX);
}

static uint64_t random_word(uint64_t *seed) {
  return unit_random(seed, 1u << 22) << 42 ^ unit_random(seed, 1u << 22) << 21 ^ unit_random(seed, 1u << 22);
}

static void random_words_decode(void **state) {
  uint64_t seed = 1;
  for (int i = 0; i < 100000; ++i)
    word_decodes(*state, random_word(&seed));
}

static void words_are_hexadecimal_text(void **state) {
  (void)state;
  uint64_t word = 1;
  assert_true(zc_runtime_parse_word("0x0", &word) && word == 0);
  assert_true(zc_runtime_parse_word("0X9f", &word) && word == 0x9f);
  assert_true(zc_runtime_parse_word("0xFEDCBA9876543210", &word) && word == 0xFEDCBA9876543210u);
  static const char *const bad[] = {"", "0", "0x", "1x2", "x1", "0x-1", " 0x1", "0x1 ", "0xg", "0x11111111111111111"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    assert_false(zc_runtime_parse_word(bad[i], &word));
}

/* The spelled-out form. */

static void capabilities_have_their_names(void **state) {
  fixture *f = *state;
  assert_int_equal(NUM_CAPABILITIES, ZC_NUM_RUNTIME_CAPABILITIES);
  for (int i = 0; i < NUM_CAPABILITIES; ++i) {
    zc_runtime_edge edge;
    assert_null(zc_runtime_decode(f->arena, (uint64_t)1 << (12 + capabilities[i].bit), &edge));
    const char *expected = zc_arena_format(f->arena, "\"capabilities\": [\"%s\"]", capabilities[i].name);
    assert_non_null(strstr(zc_runtime_edge_text(f->arena, &edge), expected));
  }
}

static void modes_and_classes_have_their_names(void **state) {
  fixture *f = *state;
  for (int i = 0; i < 4; ++i) {
    zc_runtime_edge edge = zc_runtime_edge_default();
    edge.fields[ZC_RUNTIME_WRITE_COHERENT] = (uint16_t)i;
    const char *expected =
        zc_arena_format(f->arena, "\"buffer_write\": {\"noncoherent\": \"copy\", \"coherent\": \"%s\"}", mode_names[i]);
    assert_non_null(strstr(zc_runtime_edge_text(f->arena, &edge), expected));
  }
  for (int i = 0; i < 8; ++i) {
    zc_runtime_edge edge = zc_runtime_edge_default();
    edge.fields[ZC_RUNTIME_LINK_CLASS] = (uint16_t)i;
    const char *expected = zc_arena_format(f->arena, "\"link_class\": \"%s\"", class_names[i]);
    assert_non_null(strstr(zc_runtime_edge_text(f->arena, &edge), expected));
  }
}

/* Effects, recomputed from the bits. */

enum { NATIVE, IMPORT, COPY, NONE };
enum { UNIFIED = 1 << 1, PEER_COHERENT = 1 << 2, GRANT = 1 << 12, TIMELINE = 1 << 8, BINARY = 1 << 9 };

static bool expected_usable(uint64_t word) {
  unsigned flags = bits_of(word, 12, 27);
  bool all_native = true;
  for (unsigned bit = 0; bit < 12; bit += 2) {
    if (bits_of(word, bit, bit + 1) == NONE)
      return false;
    all_native &= bit < 4 || bits_of(word, bit, bit + 1) == NATIVE;
  }
  return word && !has_reserved_bits(word) && bits_of(word, 48, 50) != 7 && !(flags & TIMELINE && flags & BINARY) &&
         !(all_native && flags & GRANT);
}

static bool expected_access(uint64_t word) {
  bool grant = bits_of(word, 12, 27) & GRANT;
  for (unsigned bit = 4; bit < 12; bit += 2) {
    unsigned mode = bits_of(word, bit, bit + 1);
    if (mode >= COPY || (mode == NATIVE && grant))
      return false;
  }
  return true;
}

static const char *link_json(fixture *f, int from, int to, const char *runtime) {
  static const char *const json_names[NUM_DEVICES] = {"a", "b", "d e", "q\\\\\\\"\\t", "\xC3\xA9-1", "npu.0"};
  return zc_arena_format(f->arena, "{\"from\": \"%s\", \"to\": \"%s\", \"runtime\": %s}", json_names[from],
                         json_names[to], runtime);
}

static const char *word_json(fixture *f, uint64_t word) {
  return zc_arena_format(f->arena, "\"0x%llx\"", (unsigned long long)word);
}

static const zc_link *find_link(fixture *f, const zc_topology *topology, zc_devices *devices, int from, int to) {
  (void)f;
  return zc_topology_link(topology, zc_devices_lookup(devices, names[from]), zc_devices_lookup(devices, names[to]));
}

/* Words that a program can use are rare among random ones. */
static uint64_t random_usable_word(uint64_t *seed, unsigned link_class) {
  uint64_t word;
  do {
    word = random_word(seed) & ~((uint64_t)0xfff8 << 48) & ~((uint64_t)7 << 25);
    word = (word & ~((uint64_t)7 << 48)) | (uint64_t)link_class << 48;
    for (unsigned bit = 0; bit < 12; bit += 2)
      if (unit_random(seed, 2))
        word &= ~((uint64_t)2 << bit);
  } while (!expected_usable(word));
  return word;
}

static void check_pair(fixture *f, uint64_t there, uint64_t back) {
  zc_devices *devices = zc_devices_create(f->arena);
  const zc_topology *t = zc_topology_read(module_of(f), devices, f->arena);
  assert_non_null(t);
  const zc_link *ab = find_link(f, t, devices, 0, 1), *ba = find_link(f, t, devices, 1, 0);
  assert_int_equal(ba->transparent_access, expected_access(there));
  assert_int_equal(ab->transparent_access, expected_access(back));
  assert_int_equal(ab->unified_memory, expected_access(there) && bits_of(there, 12, 27) & UNIFIED);
  assert_int_equal(ba->unified_memory, expected_access(back) && bits_of(back, 12, 27) & UNIFIED);
  bool coherent = bits_of(there & back, 12, 27) & PEER_COHERENT;
  assert_int_equal(ab->coherent, coherent);
  assert_int_equal(ba->coherent, coherent);
  assert_true(ba->copy_cost == bits_of(there, 36, 39));
  assert_true(ab->copy_cost == bits_of(back, 36, 39));
  assert_int_equal(ab->cache_line, 64);
  assert_true(ab->read_cost == 0);
}

static void random_edges_have_their_effect(void **state) {
  fixture *f = *state;
  uint64_t seed = 77;
  for (int i = 0; i < 2000; ++i) {
    unsigned link_class = (unsigned)unit_random(&seed, 7);
    uint64_t there = random_usable_word(&seed, link_class), back = random_usable_word(&seed, link_class);
    zc_runtime_edge edge;
    assert_null(zc_runtime_decode(f->arena, there, &edge));
    const char *spelled = zc_runtime_edge_text(f->arena, &edge);
    MlirAttribute attributes[2];
    for (int form = 0; form < 2; ++form) {
      const char *json =
          zc_arena_format(f->arena, "{\"links\": [%s,\n%s]}", link_json(f, 0, 1, form ? spelled : word_json(f, there)),
                          link_json(f, 1, 0, word_json(f, back)));
      if (!set_json(f, json))
        fail_msg("%s\n%s", json, unit_diagnostics());
      attributes[form] = attribute_of(f);
      check_pair(f, there, back);
    }
    assert_true(mlirAttributeEqual(attributes[0], attributes[1]));
  }
}

static void one_edge_says_nothing_of_the_way_back(void **state) {
  fixture *f = *state;
  uint64_t seed = 78;
  for (int i = 0; i < 1000; ++i) {
    uint64_t word = random_usable_word(&seed, (unsigned)unit_random(&seed, 7));
    assert_true(set_json(f, zc_arena_format(f->arena, "{\"links\": [%s]}", link_json(f, 0, 1, word_json(f, word)))));
    zc_devices *devices = zc_devices_create(f->arena);
    const zc_topology *t = zc_topology_read(module_of(f), devices, f->arena);
    const zc_link *ab = find_link(f, t, devices, 0, 1), *ba = find_link(f, t, devices, 1, 0);
    assert_false(ab->transparent_access || ba->unified_memory || ba->coherent);
    assert_int_equal(ba->transparent_access, expected_access(word));
    assert_int_equal(ab->coherent, (bits_of(word, 12, 27) & PEER_COHERENT) != 0);
  }
}

/* Every word is either good or told in one error at its place. */
static void random_words_are_taken_or_told(void **state) {
  fixture *f = *state;
  uint64_t seed = 79;
  for (int i = 0; i < 2000; ++i) {
    uint64_t word = random_word(&seed);
    if (unit_random(&seed, 4))
      word &= ((uint64_t)1 << 51) - 1;
    if (unit_random(&seed, 2))
      word &= ~(uint64_t)0xaaa;
    const char *json = zc_arena_format(f->arena, "{\"links\": [\n%s]}", link_json(f, 0, 1, word_json(f, word)));
    unit_clear_diagnostics();
    bool good = set_json(f, json);
    if (good != expected_usable(word) || unit_num_diagnostics() != !good)
      fail_msg("%s\n%s", json, unit_diagnostics());
    assert_true(good || strstr(unit_diagnostics(), "\"topo.json\":2:37): error: topology: "));
  }
}

/* Mistakes. */

#define RUNTIME(value) "{\"links\": [\n  {\"from\": \"a\", \"to\": \"b\", \"runtime\": " value "}\n]}"
#define PLACE(column) "\"topo.json\":2:" column "): error: topology: "

static const struct {
  const char *input;
  const char *message; ///< A part of the only diagnostic.
} mistakes[] = {
    {RUNTIME("1"), PLACE("39") "'runtime' must be a word as a string"},
    {RUNTIME("null"), PLACE("39") "'runtime' must be a word"},
    {RUNTIME("\"aa0\""), PLACE("39") "a runtime word must be \"0x\" and 1 to 16 hexadecimal digits"},
    {RUNTIME("\"0x0\""), PLACE("39") "the word is 0, which stands for no link at all"},
    {RUNTIME("\"0x8000000000000\""), PLACE("39") "reserved bits are set: 0x0008000000000000"},
    {RUNTIME("\"0x8000000000000001\""), PLACE("39") "reserved bits are set: 0x8000000000000000"},
    {RUNTIME("\"0x2000000\""), PLACE("39") "bits of unknown capabilities are set: 0x0000000002000000"},
    {RUNTIME("\"0x30\""), PLACE("39") "buffer_read.noncoherent is none: not even a copy can cross the link"},
    {RUNTIME("\"0xc00\""), PLACE("39") "buffer_write.coherent is none"},
    {RUNTIME("\"0x3\""), PLACE("39") "wait_mode is none"},
    {RUNTIME("\"0x7000000000000\""), PLACE("39") "link_class is isolated, but the modes say"},
    {RUNTIME("\"0x7000000000fff\""), PLACE("39") "link_class is isolated: nothing can cross the link"},
    {RUNTIME("\"0x300000\""), PLACE("39") "timeline_semaphore and binary_semaphore_only exclude each other"},
    {RUNTIME("\"0x1000000\""), PLACE("39") "peer_access_requires_grant, but every buffer mode is native"},
    {RUNTIME("{\"buffer_raed\": {}}"), PLACE("40") "unknown key 'buffer_raed' in 'runtime'; known are buffer_read,"},
    {RUNTIME("{\"noncoherent\": \"copy\"}"), PLACE("40") "unknown key 'noncoherent' in 'runtime'"},
    {RUNTIME("{\"buffer_read\": \"copy\"}"), PLACE("55") "'buffer_read' must be an object, not a string"},
    {RUNTIME("{\"buffer_read\": {\"wait_mode\": 1}}"),
     PLACE("56") "unknown key 'wait_mode' in 'buffer_read'; known are noncoherent, coherent"},
    {RUNTIME("{\"buffer_read\": {\"coherent\": \"nativ\"}}"),
     PLACE("68") "'coherent' of 'buffer_read' can't be 'nativ'; known are native, import, copy, none"},
    {RUNTIME("{\"buffer_read\": {\"coherent\": 0}}"),
     PLACE("68") "'coherent' of 'buffer_read' must be one of native, import, copy, none, not a number"},
    {RUNTIME("{\"buffer_write\": {\"coherent\": \"none\"}}"), PLACE("69") "buffer_write.coherent is none"},
    {RUNTIME("{\"signal_mode\": \"none\"}"), PLACE("55") "signal_mode is none"},
    {RUNTIME("{\"wait_cost\": 1, \"wait_cost\": 1}"), PLACE("56") "'wait_cost' twice in 'runtime'"},
    {RUNTIME("{\"buffer_read\": {}, \"buffer_read\": {}}"), PLACE("59") "'buffer_read' twice in 'runtime'"},
    {RUNTIME("{\"capabilities\": \"p2p_copy\"}"), PLACE("56") "'capabilities' must be an array, not a string"},
    {RUNTIME("{\"capabilities\": [1]}"), PLACE("57") "a capability must be one of same_runtime_domain, "},
    {RUNTIME("{\"capabilities\": [\"fast\"]}"), PLACE("57") "a capability can't be 'fast'; known are same_runtime"},
    {RUNTIME("{\"capabilities\": [\"p2p_copy\", \"p2p_copy\"]}"), PLACE("69") "capability 'p2p_copy' twice"},
    {RUNTIME("{\"capabilities\": [\"timeline_semaphore\", \"binary_semaphore_only\"]}"),
     PLACE("56") "timeline_semaphore and binary_semaphore_only exclude"},
    {RUNTIME("{\"copy_cost\": 16}"), PLACE("53") "'copy_cost' is out of range: it must be a whole number from 0 to 15"},
    {RUNTIME("{\"copy_cost\": -1}"), PLACE("53") "'copy_cost' is out of range"},
    {RUNTIME("{\"copy_cost\": 1.5}"), PLACE("53") "'copy_cost' is out of range"},
    {RUNTIME("{\"numa_distance\": \"far\"}"), PLACE("57") "'numa_distance' must be a whole number from 0 to 15, not a"},
    {RUNTIME("{\"link_class\": \"pcie\"}"), PLACE("54") "'link_class' can't be 'pcie'; known are same_die, nvlink_if,"},
    {RUNTIME("{\"link_class\": \"isolated\"}"), PLACE("54") "link_class is isolated, but"},
    {RUNTIME("\"0xaa0\", \"runtime\": \"0xaa0\""), PLACE("48") "'runtime' twice in one link"},
    {RUNTIME("\"0xaa0\", \"coherent\": true"), PLACE("48") "'coherent' beside 'runtime', which says it already"},
    {RUNTIME("\"0xaa0\", \"copy_cost\": 1"), PLACE("48") "'copy_cost' beside 'runtime'"},
    {RUNTIME("\"0xaa0\"}, {\"from\": \"a\", \"to\": \"b\", \"coherent\": true"),
     PLACE("49") "second link from @a to @b"},
    {RUNTIME("\"0xaa0\"}, {\"from\": \"b\", \"to\": \"a\", \"transparent_access\": true"),
     PLACE("49") "'transparent_access' of the link from @b to @a has two values in this file: false (topo.json:2:39, "
                 "runtime link from @a to @b: buffer_read.noncoherent is copy) and true (topo.json:2:49)"},
    {RUNTIME("\"0x1000000000aa0\"}, {\"from\": \"b\", \"to\": \"a\", \"runtime\": \"0x2000000000aa0\""),
     PLACE("95") "link_class is pcie_same_root, but nvlink_if for the way back (topo.json:2:39); it must be the same"},
};

static void mistakes_are_told(void **state) {
  fixture *f = *state;
  for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; ++i) {
    unit_clear_diagnostics();
    if (set_json(f, mistakes[i].input))
      fail_msg("accepted: %s", mistakes[i].input);
    if (unit_num_diagnostics() != 1 || !strstr(unit_diagnostics(), mistakes[i].message))
      fail_msg("%s\ngives: %s\ninstead of: %s", mistakes[i].input, unit_diagnostics(), mistakes[i].message);
    assert_true(mlirAttributeIsNull(attribute_of(f)));
  }
}

static void good_files_are_taken(void **state) {
  fixture *f = *state;
  static const struct {
    const char *json, *attribute;
  } cases[] = {
      /* Nothing said: a copy. */
      {RUNTIME("{}"),
       "(@a -> @b = {unified_memory = false}, {coherent = false}), (@b -> @a = {transparent_access = false})"},
      /* Beside the word: what it doesn't say. The reader's cost belongs to the reader's link. */
      {RUNTIME("\"0x5000\", \"cache_line\": 128, \"read_cost\": 2"),
       "(@a -> @b = {unified_memory = false}, {coherent = true, cache_line = 128 : i64}), "
       "(@b -> @a = {transparent_access = true}, {read_cost = 2.0})"},
      {RUNTIME("\"0x9000002000\""), "(@a -> @b = {unified_memory = true}, {coherent = false}), "
                                    "(@b -> @a = {transparent_access = true}, {copy_cost = 9.0})"},
      /* A grant that nobody gives: native counts as a copy, import doesn't. */
      {RUNTIME("\"0x1002050\""), "(@a -> @b = {unified_memory = false}, {coherent = false}), "
                                 "(@b -> @a = {transparent_access = false})"},
      {RUNTIME("\"0x1002550\""), "(@a -> @b = {unified_memory = true}, {coherent = false}), "
                                 "(@b -> @a = {transparent_access = true})"},
      /* Plain keys that agree with a runtime link, and ones for the other direction. */
      {RUNTIME("\"0x4550\"}, {\"from\": \"b\", \"to\": \"a\", \"transparent_access\": true, \"coherent\": false"),
       "(@a -> @b = {unified_memory = false}, {coherent = true}), "
       "(@b -> @a = {transparent_access = true}, {coherent = false})"},
      /* One end without peer_coherent is enough for maintenance both ways. */
      {RUNTIME("\"0x4550\"}, {\"from\": \"b\", \"to\": \"a\", \"runtime\": \"0x550\""),
       "(@a -> @b = {unified_memory = false, transparent_access = true}, {coherent = false}), "
       "(@b -> @a = {unified_memory = false, transparent_access = true}, {coherent = false})"},
      /* A link class that one side leaves out isn't a contradiction. */
      {RUNTIME("{}}, {\"from\": \"b\", \"to\": \"a\", \"runtime\": \"0x2000000000aa0\""),
       "(@a -> @b = {unified_memory = false, transparent_access = false}, {coherent = false}), "
       "(@b -> @a = {unified_memory = false, transparent_access = false}, {coherent = false})"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    if (!set_json(f, cases[i].json))
      fail_msg("%s\n%s", cases[i].json, unit_diagnostics());
    const char *expected = zc_arena_format(f->arena, "#hal.device.topology<links = [%s]>", cases[i].attribute);
    if (!mlirAttributeEqual(attribute_of(f), unit_attribute(expected)))
      fail_msg("%s gives %s", cases[i].json, zc_attribute_text(f->arena, attribute_of(f)));
  }
}

/* Broken copies of good files: never more than one error. */
static void noise_is_survived(void **state) {
  fixture *f = *state;
  static const char good[] =
      "{\"links\": [{\"from\": \"a\", \"to\": \"b\", \"runtime\": \"0x0000000000004aa0\", \"read_cost\": 1},\n"
      " {\"from\": \"b\", \"to\": \"a\", \"runtime\": {\"buffer_read\": {\"coherent\": \"native\"}, \"wait_cost\": 3,\n"
      " \"capabilities\": [\"unified_memory\", \"p2p_copy\"], \"link_class\": \"same_die\"}}]}";
  static const char alphabet[] = "{}[]\",:\\ \n0e-.tuxf1\xC3\x01";
  uint64_t seed = 12;
  for (int i = 0; i < 8000; ++i) {
    size_t length = sizeof good - 1;
    char *text = malloc(length);
    memcpy(text, good, length);
    for (uint64_t changes = 1 + unit_random(&seed, 3); changes; --changes)
      text[unit_random(&seed, length)] = alphabet[unit_random(&seed, sizeof alphabet)];
    unit_clear_diagnostics();
    bool taken = mlirLogicalResultIsSuccess(
        streamZcModuleSetTopologyFromJSON(module_of(f), mlirStringRefCreate(text, length), zc_str("topo.json")));
    if (unit_num_diagnostics() != !taken)
      fail_msg("%.*s\n%s", (int)length, text, unit_diagnostics());
    free(text);
  }
}

/* Topologies written as JSON. */

static const char *flag_text(bool value) {
  return value ? "true" : "false";
}

/* From every part of what a double can be. */
static double random_cost(uint64_t *seed) {
  if (unit_random(seed, 3) == 0)
    return 0;
  return unit_random(seed, 2) ? (double)unit_random(seed, 1000) / 8
                              : ldexp((double)unit_random(seed, 1u << 30) / 3.0, (int)unit_random(seed, 2000) - 1050);
}

static const char *random_links(fixture *f, uint64_t *seed, zc_link expected[NUM_DEVICES][NUM_DEVICES]) {
  const char *text = "";
  for (uint64_t tries = unit_random(seed, 24); tries; --tries) {
    int from = (int)unit_random(seed, NUM_DEVICES), to = (int)unit_random(seed, NUM_DEVICES);
    zc_link *link = &expected[from][to];
    if (from == to || link->declared)
      continue;
    *link = (zc_link){true,
                      unit_random(seed, 2),
                      unit_random(seed, 2),
                      unit_random(seed, 2),
                      (int64_t)1 << unit_random(seed, 31),
                      random_cost(seed),
                      random_cost(seed)};
    uint64_t read_bits, copy_bits;
    memcpy(&read_bits, &link->read_cost, sizeof read_bits);
    memcpy(&copy_bits, &link->copy_cost, sizeof copy_bits);
    text = zc_arena_format(f->arena,
                           "%s%s(%s -> %s = {unified_memory = %s, transparent_access = %s}, {coherent = %s, "
                           "cache_line = %lld, read_cost = 0x%016llX : f64, copy_cost = 0x%016llX : f64})",
                           text, *text ? ", " : "", zc_symbol_text(f->arena, names[from]),
                           zc_symbol_text(f->arena, names[to]), flag_text(link->unified_memory),
                           flag_text(link->transparent_access), flag_text(link->coherent), (long long)link->cache_line,
                           (unsigned long long)read_bits, (unsigned long long)copy_bits);
  }
  return text;
}

static char *print_json(fixture *f) {
  char *json = NULL;
  assert_true(mlirLogicalResultIsSuccess(streamZcModulePrintTopologyJSON(module_of(f), unit_append, &json)));
  return json;
}

static void expect_links(fixture *f, zc_link expected[NUM_DEVICES][NUM_DEVICES]) {
  zc_devices *devices = zc_devices_create(f->arena);
  const zc_topology *t = zc_topology_read(module_of(f), devices, f->arena);
  assert_non_null(t);
  for (int from = 0; from < NUM_DEVICES; ++from)
    for (int to = 0; to < NUM_DEVICES; ++to) {
      const zc_link *link = &expected[from][to], *found = find_link(f, t, devices, from, to);
      if (from == to)
        continue;
      assert_int_equal(found->declared, link->declared);
      if (!link->declared)
        continue;
      assert_int_equal(found->unified_memory, link->unified_memory);
      assert_int_equal(found->transparent_access, link->transparent_access);
      assert_int_equal(found->coherent, link->coherent);
      assert_int_equal(found->cache_line, link->cache_line);
      assert_true(found->read_cost == link->read_cost && found->copy_cost == link->copy_cost);
    }
}

static void round_trip(fixture *f, uint64_t *seed) {
  zc_link expected[NUM_DEVICES][NUM_DEVICES] = {0};
  const char *links = random_links(f, seed, expected);
  mlirOperationRemoveAttributeByName(module_of(f), zc_str(ZC_TOPOLOGY_ATTRIBUTE));
  if (*links)
    mlirOperationSetDiscardableAttributeByName(
        module_of(f), zc_str(ZC_TOPOLOGY_ATTRIBUTE),
        unit_attribute(zc_arena_format(f->arena, "#hal.device.topology<links = [%s]>", links)));
  MlirAttribute before = attribute_of(f);
  char *json = print_json(f);
  if (!set_json(f, json))
    fail_msg("%s\n%s", json, unit_diagnostics());
  if (!mlirAttributeEqual(before, attribute_of(f)))
    fail_msg("%s\nbecomes %s\nby %s", links, zc_attribute_text(f->arena, attribute_of(f)), json);
  expect_links(f, expected);
  char *again = print_json(f);
  assert_string_equal(json, again);
  free(json);
  free(again);
}

static void random_topologies_come_back_from_json(void **state) {
  fixture *f = *state;
  uint64_t seed = 2027;
  for (int i = 0; i < 10000; ++i) {
    zc_arena_destroy(f->arena);
    f->arena = zc_arena_create();
    round_trip(f, &seed);
  }
}

static void what_is_printed_is_told(void **state) {
  fixture *f = *state;
  char *text = NULL;
  const char *json = RUNTIME("\"0x4550\"");
  assert_true(mlirLogicalResultIsSuccess(
      streamZcModulePrintTopology(module_of(f), zc_str(json), zc_str("topo.json"), unit_append, &text)));
  assert_non_null(strstr(text, "transparent_access = true: topo.json:2:39, runtime link from @a to @b: buffer_read is "
                               "import, buffer_write is import"));
  assert_non_null(strstr(text,
                         "@a and @b: one storage, in the memory of @a, which @b can access; cache maintenance for "
                         "what @b writes"));
  free(text);
  text = NULL;
  assert_true(mlirAttributeIsNull(attribute_of(f)));
  assert_true(mlirLogicalResultIsFailure(
      streamZcModulePrintTopology(module_of(f), zc_str("{"), zc_str("topo.json"), unit_append, &text)));
  assert_null(text);
  assert_int_equal(unit_num_diagnostics(), 1);
  assert_true(mlirLogicalResultIsSuccess(
      streamZcModulePrintTopology(module_of(f), (MlirStringRef){NULL, 0}, zc_str(""), unit_append, &text)));
  assert_non_null(strstr(text, "no stream.topology"));
  free(text);
}

static void a_malformed_attribute_is_not_printed(void **state) {
  fixture *f = *state;
  char *text = NULL;
  mlirOperationSetDiscardableAttributeByName(module_of(f), zc_str(ZC_TOPOLOGY_ATTRIBUTE), unit_attribute("1 : i64"));
  assert_true(mlirLogicalResultIsFailure(streamZcModulePrintTopologyJSON(module_of(f), unit_append, &text)));
  assert_int_equal(unit_num_diagnostics(), 1);
  assert_true(mlirLogicalResultIsFailure(
      streamZcModulePrintTopology(module_of(f), (MlirStringRef){NULL, 0}, zc_str(""), unit_append, &text)));
  assert_int_equal(unit_num_diagnostics(), 2);
  assert_null(text);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(each_value_of_each_field_decodes),
      TEST(each_bit_decodes),
      TEST(random_words_decode),
      TEST(words_are_hexadecimal_text),
      TEST(capabilities_have_their_names),
      TEST(modes_and_classes_have_their_names),
      TEST(random_edges_have_their_effect),
      TEST(one_edge_says_nothing_of_the_way_back),
      TEST(random_words_are_taken_or_told),
      TEST(mistakes_are_told),
      TEST(good_files_are_taken),
      TEST(noise_is_survived),
      TEST(random_topologies_come_back_from_json),
      TEST(what_is_printed_is_told),
      TEST(a_malformed_attribute_is_not_printed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
