#include "capi/arena.h"

#include <obstack.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define obstack_chunk_alloc malloc
#define obstack_chunk_free free

/* glibc's macros align by an offset from a null pointer, which the sanitizer rejects. */
#define USES_OBSTACK __attribute__((no_sanitize("pointer-overflow")))

struct zc_arena {
  struct obstack stack;
};

USES_OBSTACK zc_arena *zc_arena_create(void) {
  zc_arena *arena = malloc(sizeof *arena);
  if (!arena) {
    fputs("stream-zc: out of memory\n", stderr);
    exit(1);
  }
  obstack_begin(&arena->stack, 64 * 1024);
  obstack_alignment_mask(&arena->stack) = _Alignof(max_align_t) - 1;
  return arena;
}

USES_OBSTACK void zc_arena_destroy(zc_arena *arena) {
  if (!arena)
    return;
  obstack_free(&arena->stack, NULL);
  free(arena);
}

USES_OBSTACK void *zc_arena_alloc(zc_arena *arena, size_t bytes) {
  void *memory = obstack_alloc(&arena->stack, bytes ? bytes : 1);
  return memset(memory, 0, bytes);
}

USES_OBSTACK char *zc_arena_copy(zc_arena *arena, const char *text, size_t length) {
  /* Empty text from mlir-c may have a null address. */
  return length ? obstack_copy0(&arena->stack, text, length) : zc_arena_alloc(arena, 1);
}

char *zc_arena_format(zc_arena *arena, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, arguments);
  va_end(arguments);
  if (length < 0)
    length = 0;
  char *text = zc_arena_alloc(arena, (size_t)length + 1);
  vsnprintf(text, (size_t)length + 1, format, again);
  va_end(again);
  return text;
}

void *zc_list_add(zc_arena *arena, zc_list *list, size_t item_size) {
  if (list->count == list->capacity) {
    int capacity = list->capacity ? 2 * list->capacity : 8;
    void *items = zc_arena_alloc(arena, item_size * (size_t)capacity);
    if (list->count)
      memcpy(items, list->items, item_size * (size_t)list->count);
    list->items = items;
    list->capacity = capacity;
  }
  return (char *)list->items + item_size * (size_t)list->count++;
}
