/* The arena, the pointer map, the list and the text helpers of capi/. */
#include "testdata/units/unit.h"

#include <stdlib.h>
#include <string.h>

#include "capi/ptr_map.h"
#include "capi/text.h"

static void arena_gives_zeroed_aligned_memory(void **state) {
  (void)state;
  zc_arena *arena = zc_arena_create();
  for (size_t size = 0; size < 3000; size += 7) {
    unsigned char *memory = zc_arena_alloc(arena, size);
    assert_int_equal((uintptr_t)memory % _Alignof(max_align_t), 0);
    for (size_t i = 0; i < size; ++i)
      assert_int_equal(memory[i], 0);
    memset(memory, 0xA5, size);
  }
  zc_arena_destroy(arena);
  zc_arena_destroy(NULL);
}

static void arena_copies_and_formats(void **state) {
  (void)state;
  zc_arena *arena = zc_arena_create();
  assert_string_equal(zc_arena_copy(arena, "abcdef", 3), "abc");
  assert_string_equal(zc_arena_copy(arena, "", 0), "");
  assert_string_equal(zc_arena_format(arena, "%s-%d", "x", 12), "x-12");
  char *wide = zc_arena_format(arena, "%100000d", 7);
  assert_int_equal(strlen(wide), 100000);
  zc_arena_destroy(arena);
}

static void list_grows_and_keeps_its_items(void **state) {
  (void)state;
  zc_arena *arena = zc_arena_create();
  zc_list list = {0};
  for (int i = 0; i < 1000; ++i)
    zc_list_push(arena, &list, int, i *i);
  assert_int_equal(list.count, 1000);
  for (int i = 0; i < 1000; ++i)
    assert_int_equal(zc_list_at(&list, int, i), i * i);
  assert_int_equal(*(int *)zc_list_add(arena, &list, sizeof(int)), 0);
  zc_arena_destroy(arena);
}

static void ptr_map_finds_what_was_set(void **state) {
  (void)state;
  static char keys[5000], values[5000];
  zc_arena *arena = zc_arena_create();
  zc_ptr_map *map = zc_ptr_map_create(arena);
  assert_null(zc_ptr_map_get(map, keys));
  assert_int_equal(zc_ptr_map_count(map), 0);
  for (int i = 0; i < 5000; ++i)
    zc_ptr_map_set(map, &keys[i], &values[i]);
  assert_int_equal(zc_ptr_map_count(map), 5000);
  for (int i = 0; i < 5000; ++i)
    assert_ptr_equal(zc_ptr_map_get(map, &keys[i]), &values[i]);
  zc_ptr_map_set(map, &keys[3], &values[4]);
  assert_ptr_equal(zc_ptr_map_get(map, &keys[3]), &values[4]);
  assert_int_equal(zc_ptr_map_count(map), 5000);
  assert_null(zc_ptr_map_get(map, &values[0]));
  zc_ptr_map_release(map);
  zc_ptr_map_release(NULL);
  zc_arena_destroy(arena);
}

static zc_cursor cursor_over(const char *text) {
  return (zc_cursor){text, text + strlen(text)};
}

static void eat_moves_only_past_what_stands_there(void **state) {
  (void)state;
  zc_cursor cursor = cursor_over("  <a, b");
  const char *start = cursor.at;
  assert_false(zc_eat(&cursor, "a"));
  assert_ptr_equal(cursor.at, start);
  assert_true(zc_eat(&cursor, "<"));
  assert_true(zc_eat(&cursor, "a"));
  assert_true(zc_eat(&cursor, ","));
  assert_false(zc_eat(&cursor, "bc"));
  assert_true(zc_eat(&cursor, "b"));
  assert_false(zc_eat(&cursor, "b"));
  assert_ptr_equal(cursor.at, cursor.end);
}

/* Reads one symbol; null where there is none. */
static const char *symbol(zc_arena *arena, const char *text, const char **rest) {
  zc_cursor cursor = cursor_over(text);
  const char *name = NULL;
  bool found = zc_eat_symbol(&cursor, arena, &name);
  assert_true(found || cursor.at == text);
  *rest = cursor.at;
  return found ? name : NULL;
}

static void symbols_are_read(void **state) {
  (void)state;
  static const struct {
    const char *text, *name, *rest;
  } good[] = {
      {"@a", "a", ""},           {" @dev_a -> @b", "dev_a", " -> @b"},
      {"@a->@b", "a", "->@b"},   {"@_x$.9,", "_x$.9", ","},
      {"@\"b c\">", "b c", ">"}, {"@\"\\22\\\\x\\C3\\a9\\\"\"!", "\"\\x\xC3\xA9\"", "!"},
  };
  static const char *const bad[] = {"",     "a",     "@",      "@ a",         "@9",         "@-",       "@\"", "@\"\"",
                                    "@\"a", "@\"\\", "@\"\\0", "@\"a\\00b\"", "@\"a\\zb\"", "@\"\\2\"", "@<"};
  zc_arena *arena = zc_arena_create();
  const char *rest;
  for (size_t i = 0; i < sizeof good / sizeof *good; ++i) {
    const char *name = symbol(arena, good[i].text, &rest);
    assert_non_null(name);
    assert_string_equal(name, good[i].name);
    assert_string_equal(rest, good[i].rest);
  }
  for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i)
    if (symbol(arena, bad[i], &rest))
      fail_msg("read a symbol in: %s", bad[i]);
  zc_arena_destroy(arena);
}

/* What we write, both we and MLIR read as the same name. */
static void symbols_are_written_as_they_are_read(void **state) {
  (void)state;
  zc_arena *arena = zc_arena_create();
  assert_string_equal(zc_symbol_text(arena, "dev_a.b$1"), "@dev_a.b$1");
  assert_string_equal(zc_symbol_text(arena, "9"), "@\"9\"");
  assert_string_equal(zc_symbol_text(arena, "a-b c"), "@\"a-b c\"");
  uint64_t seed = 7;
  for (int i = 0; i < 500; ++i) {
    char name[12] = "";
    int length = 1 + (int)unit_random(&seed, 10);
    for (int j = 0; j < length; ++j)
      name[j] = (char)(1 + unit_random(&seed, 255));
    const char *rest;
    const char *read = symbol(arena, zc_symbol_text(arena, name), &rest);
    assert_non_null(read);
    assert_string_equal(read, name);
    MlirAttribute reference = unit_attribute(zc_symbol_text(arena, name));
    read = symbol(arena, zc_attribute_text(arena, reference), &rest);
    assert_non_null(read);
    assert_string_equal(read, name);
  }
  zc_arena_destroy(arena);
}

static void readers_survive_noise(void **state) {
  (void)state;
  static const char alphabet[] = "@\"\\0aF-> <[],\t";
  zc_arena *arena = zc_arena_create();
  uint64_t seed = 1;
  for (int i = 0; i < 20000; ++i) {
    /* A heap block of its own, so that the address sanitizer sees a read behind the end. */
    size_t length = unit_random(&seed, 16);
    char *text = malloc(length + 1);
    for (size_t j = 0; j < length; ++j)
      text[j] = alphabet[unit_random(&seed, sizeof alphabet)];
    zc_cursor cursor = {text, text + length};
    const char *name;
    zc_eat_symbol(&cursor, arena, &name);
    zc_eat(&cursor, "->");
    zc_skip_space(&cursor);
    assert_true(cursor.at >= text && cursor.at <= cursor.end);
    free(text);
  }
  zc_arena_destroy(arena);
}

static void attributes_and_types_print(void **state) {
  (void)state;
  zc_arena *arena = zc_arena_create();
  assert_string_equal(zc_attribute_text(arena, unit_attribute("[1, \"x\"]")), "[1, \"x\"]");
  assert_string_equal(zc_type_text(arena, mlirTypeParseGet(unit_context(), zc_str("!stream.resource<external>"))),
                      "!stream.resource<external>");
  assert_true(zc_str_is(zc_str("abc"), "abc"));
  assert_false(zc_str_is(zc_str("abc"), "ab"));
  zc_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(arena_gives_zeroed_aligned_memory),
      cmocka_unit_test(arena_copies_and_formats),
      cmocka_unit_test(list_grows_and_keeps_its_items),
      cmocka_unit_test(ptr_map_finds_what_was_set),
      cmocka_unit_test(eat_moves_only_past_what_stands_there),
      cmocka_unit_test(symbols_are_read),
      cmocka_unit_test(symbols_are_written_as_they_are_read),
      cmocka_unit_test(readers_survive_noise),
      cmocka_unit_test(attributes_and_types_print),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
