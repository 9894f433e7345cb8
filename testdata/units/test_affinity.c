/* Reading, joining and comparing of affinities. */
#include "testdata/units/unit.h"

#include "capi/affinity.h"
#include "capi/text.h"

#define A "#hal.device.affinity<@a>"
#define A0 "#hal.device.affinity<@a, [0]>"
#define A1 "#hal.device.affinity<@a, [1]>"
#define A01 "#hal.device.affinity<@a, [0, 1]>"
#define B "#hal.device.affinity<@b>"
#define C "#hal.device.affinity<@c>"
#define PROMISE_A "#hal.device.promise<@a>"
#define PROMISE_B "#hal.device.promise<@b>"
#define LIST_OF_A "[#hal.device.affinity<@a>]"
#define OPTIMAL(x) "#hal.device.optimal<[" x "]>"

typedef struct fixture {
  zc_arena *arena;
  zc_devices *devices;
  zc_affinities *affinities;
} fixture;

static int set_up(void **state) {
  static fixture f;
  f.arena = zc_arena_create();
  f.devices = zc_devices_create(f.arena);
  f.affinities = zc_affinities_create(f.arena, f.devices);
  *state = &f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  zc_affinities_release(f->affinities);
  zc_arena_destroy(f->arena);
  return 0;
}

static const zc_affinity *read(fixture *f, const char *text) {
  return zc_affinity_read(f->affinities, unit_attribute(text));
}

static void devices_have_ids_in_order_of_first_use(void **state) {
  fixture *f = *state;
  assert_int_equal(zc_devices_lookup(f->devices, "a"), -1);
  assert_int_equal(zc_devices_intern(f->devices, "a"), 0);
  assert_int_equal(zc_devices_intern(f->devices, "b"), 1);
  assert_int_equal(zc_devices_intern(f->devices, "a"), 0);
  assert_int_equal(zc_devices_lookup(f->devices, "b"), 1);
  assert_int_equal(zc_devices_count(f->devices), 2);
  assert_string_equal(zc_devices_symbol(f->devices, 1), "b");
}

static void devices_end_at_the_limit(void **state) {
  fixture *f = *state;
  for (int i = 0; i < ZC_MAX_DEVICES; ++i)
    assert_int_equal(zc_devices_intern(f->devices, zc_arena_format(f->arena, "d%d", i)), i);
  assert_int_equal(zc_devices_intern(f->devices, "more"), -1);
  assert_int_equal(zc_devices_intern(f->devices, "d63"), 63);
  assert_int_equal(read(f, "#hal.device.affinity<@more>")->kind, ZC_AFFINITY_UNKNOWN);
  assert_int_equal(read(f, "#hal.device.affinity<@d63>")->devices, (zc_device_set)1 << 63);
}

static void none_is_read(void **state) {
  fixture *f = *state;
  const zc_affinity *none = zc_affinity_read(f->affinities, mlirAttributeGetNull());
  assert_int_equal(none->kind, ZC_AFFINITY_NONE);
  assert_int_equal(none->devices, 0);
  assert_int_equal(none->device, -1);
}

static void pinned_is_read(void **state) {
  fixture *f = *state;
  const zc_affinity *any = read(f, A);
  assert_int_equal(any->kind, ZC_AFFINITY_PINNED);
  assert_int_equal(any->device, 0);
  assert_int_equal(any->devices, 1);
  assert_int_equal(any->queues, UINT64_MAX);
  assert_int_equal(read(f, PROMISE_B)->device, 1);
  assert_int_equal(read(f, "#hal.device.affinity<@b, [0, 3, 63]>")->queues, 9u | (uint64_t)1 << 63);
  assert_int_equal(read(f, "#hal.device.promise<@b, [2]>")->queues, 4);
  assert_int_equal(read(f, "#hal.device.affinity<@b, []>")->queues, 0);
  assert_int_equal(read(f, "#hal.device.affinity<@\"d e\\22\">")->device, 2);
  assert_string_equal(zc_devices_symbol(f->devices, 2), "d e\"");
}

static void optimal_is_read(void **state) {
  fixture *f = *state;
  const zc_affinity *both = read(f, OPTIMAL(B ", " A01));
  assert_int_equal(both->kind, ZC_AFFINITY_OPTIMAL);
  assert_int_equal(both->device, -1);
  assert_int_equal(both->devices, 3);
  assert_string_equal(zc_devices_symbol(f->devices, 0), "b");
  assert_int_equal(read(f, OPTIMAL(PROMISE_A))->devices, 2);
}

static void anything_else_is_unknown(void **state) {
  fixture *f = *state;
  /* IREE prints the name in the last one without quotes, so that no device can be read. */
  static const char *const texts[] = {
      "unit", "1 : i32", "@a", "\"#hal.device.affinity<@a>\"", LIST_OF_A, "#hal.device.promise<@\"d e\">",
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; ++i) {
    const zc_affinity *unknown = read(f, texts[i]);
    assert_int_equal(unknown->kind, ZC_AFFINITY_UNKNOWN);
    assert_int_equal(unknown->devices, 0);
    assert_int_equal(unknown->device, -1);
  }
}

static void an_attribute_is_read_once(void **state) {
  fixture *f = *state;
  assert_ptr_equal(read(f, A01), read(f, A01));
  assert_ptr_not_equal(read(f, A0), read(f, A1));
}

static MlirAttribute attribute_or_null(const char *text) {
  return text ? unit_attribute(text) : mlirAttributeGetNull();
}

static void joins_give(fixture *f, const char *a, const char *b, const char *expected) {
  MlirAttribute joined = zc_affinity_join(f->affinities, attribute_or_null(a), attribute_or_null(b));
  if (!mlirAttributeEqual(joined, attribute_or_null(expected)))
    fail_msg("%s joined with %s gives %s instead of %s", a ? a : "null", b ? b : "null",
             mlirAttributeIsNull(joined) ? "null" : zc_attribute_text(f->arena, joined), expected ? expected : "null");
}

static void joins_are_those_of_iree(void **state) {
  fixture *f = *state;
  joins_give(f, A, A, A);
  joins_give(f, A, NULL, A);
  joins_give(f, NULL, B, B);
  joins_give(f, NULL, NULL, NULL);
  joins_give(f, A, B, OPTIMAL(A ", " B));
  joins_give(f, B, A, OPTIMAL(B ", " A));
  joins_give(f, PROMISE_A, PROMISE_B, OPTIMAL(PROMISE_A ", " PROMISE_B));
  /* Queues of one device. */
  joins_give(f, A0, A1, A01);
  joins_give(f, A01, A1, A01);
  joins_give(f, A, A1, A);
  joins_give(f, A1, A, A);
  /* An optimal leads, wherever it stands. */
  joins_give(f, OPTIMAL(A ", " B), C, OPTIMAL(A ", " B ", " C));
  joins_give(f, C, OPTIMAL(A ", " B), OPTIMAL(A ", " B ", " C));
  joins_give(f, OPTIMAL(A ", " B), B, OPTIMAL(A ", " B));
  joins_give(f, A, OPTIMAL(A ", " B), OPTIMAL(A ", " B));
  joins_give(f, OPTIMAL(A), A, OPTIMAL(A));
  joins_give(f, OPTIMAL(A0 ", " B), A1, OPTIMAL(A01 ", " B));
  joins_give(f, OPTIMAL(B ", " A), OPTIMAL(C ", " B), OPTIMAL(B ", " A ", " C));
  joins_give(f, OPTIMAL(B ", " A0), OPTIMAL(A1 ", " C), OPTIMAL(B ", " A01 ", " C));
  joins_give(f, A, "#hal.device.affinity<@\"x y\">", OPTIMAL(A ", #hal.device.affinity<@\"x y\">"));
  /* A promise that was kept already is the same device. */
  joins_give(f, A, PROMISE_A, A);
}

static void nothing_is_joined_with_an_unknown(void **state) {
  fixture *f = *state;
  joins_give(f, "unit", A, NULL);
  joins_give(f, A, "unit", NULL);
  joins_give(f, NULL, "unit", NULL);
  joins_give(f, "unit", "unit", NULL);
}

/* A random attribute over devices a to f. */
static MlirAttribute random_affinity(fixture *f, uint64_t *seed) {
  int count = 1 + (int)unit_random(seed, 4);
  const char *text = "";
  for (int i = 0; i < count; ++i) {
    const char *queues = unit_random(seed, 2) ? "" : zc_arena_format(f->arena, ", [%d]", (int)unit_random(seed, 5));
    text = zc_arena_format(f->arena, "%s%s#hal.device.affinity<@%c%s>", text, i ? ", " : "",
                           'a' + (char)unit_random(seed, 6), queues);
    if (i == 0 && count == 1 && unit_random(seed, 2))
      return unit_attribute(text);
  }
  return unit_attribute(zc_arena_format(f->arena, OPTIMAL("%s"), text));
}

static void joins_have_the_devices_of_both(void **state) {
  fixture *f = *state;
  uint64_t seed = 3;
  for (int i = 0; i < 1000; ++i) {
    MlirAttribute a = random_affinity(f, &seed), b = random_affinity(f, &seed);
    MlirAttribute joined = zc_affinity_join(f->affinities, a, b);
    assert_false(mlirAttributeIsNull(joined));
    assert_int_equal(zc_affinity_read(f->affinities, joined)->devices,
                     zc_affinity_read(f->affinities, a)->devices | zc_affinity_read(f->affinities, b)->devices);
    assert_true(mlirAttributeEqual(zc_affinity_join(f->affinities, joined, b), joined));
    assert_int_equal(zc_affinity_read(f->affinities, zc_affinity_join(f->affinities, b, a))->devices,
                     zc_affinity_read(f->affinities, joined)->devices);
  }
  assert_int_equal(unit_num_diagnostics(), 0);
}

static void some_execute_together(void **state) {
  fixture *f = *state;
  static const struct {
    const char *a;
    const char *b;
    bool together;
  } cases[] = {
      {A, A, true},
      {A, B, false},
      {A0, A01, true},
      {A01, A0, false},
      {A0, A1, false},
      {A0, A, true},
      {A, A0, false},
      {PROMISE_A, PROMISE_A, true},
      {PROMISE_A, A, false},
      {A, OPTIMAL(A), false},
      {OPTIMAL(A), A, true},
      {OPTIMAL(A0), A, true},
      {OPTIMAL(A "," B), A, false},
      {OPTIMAL(A "," B), OPTIMAL(A "," B), true},
      {OPTIMAL(A "," B), OPTIMAL(B "," A), false},
      {"1 : i32", "1 : i32", true},
      {"1 : i32", A, false},
      {A, "1 : i32", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i)
    if (zc_affinity_can_execute_with(f->affinities, unit_attribute(cases[i].a), unit_attribute(cases[i].b)) !=
        cases[i].together)
      fail_msg("%s with %s", cases[i].a, cases[i].b);
  assert_true(zc_affinity_can_execute_with(f->affinities, mlirAttributeGetNull(), unit_attribute(A)));
  assert_true(zc_affinity_can_execute_with(f->affinities, unit_attribute(A), mlirAttributeGetNull()));
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(devices_have_ids_in_order_of_first_use),
      TEST(devices_end_at_the_limit),
      TEST(none_is_read),
      TEST(pinned_is_read),
      TEST(optimal_is_read),
      TEST(anything_else_is_unknown),
      TEST(an_attribute_is_read_once),
      TEST(joins_are_those_of_iree),
      TEST(nothing_is_joined_with_an_unknown),
      TEST(joins_have_the_devices_of_both),
      TEST(some_execute_together),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
