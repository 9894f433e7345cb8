#include "capi/arena.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BYTES = 64 * 1024 };

/* Zeroed when it is made and given out once, so that what it gives out is zeroed, too. */
typedef struct chunk {
  struct chunk *previous;
  size_t used, capacity;
  max_align_t bytes[];
} chunk;

struct zc_arena {
  chunk *last; ///< The one that still has room; null at first.
};

static _Noreturn void end_without_memory(void) {
  fputs("stream-zc: out of memory\n", stderr);
  exit(1);
}

static void *zeroed_or_end(size_t bytes) {
  void *memory = calloc(1, bytes);
  if (!memory)
    end_without_memory();
  return memory;
}

zc_arena *zc_arena_create(void) {
  return zeroed_or_end(sizeof(zc_arena));
}

void zc_arena_destroy(zc_arena *arena) {
  if (!arena)
    return;
  for (chunk *at = arena->last; at;) {
    chunk *previous = at->previous;
    free(at);
    at = previous;
  }
  free(arena);
}

/* What is larger than a chunk gets one of its own, behind the last, whose room stays in use. */
static chunk *add_chunk(zc_arena *arena, size_t bytes) {
  if (bytes > SIZE_MAX - sizeof(chunk))
    end_without_memory();
  size_t capacity = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
  chunk *added = zeroed_or_end(sizeof(chunk) + capacity);
  added->capacity = capacity;
  if (arena->last && capacity > CHUNK_BYTES) {
    added->previous = arena->last->previous;
    arena->last->previous = added;
  } else {
    added->previous = arena->last;
    arena->last = added;
  }
  return added;
}

void *zc_arena_alloc(zc_arena *arena, size_t bytes) {
  const size_t align = _Alignof(max_align_t);
  if (bytes > SIZE_MAX - align)
    end_without_memory();
  size_t rounded = bytes ? (bytes + align - 1) / align * align : align;
  chunk *from = arena->last;
  if (!from || from->capacity - from->used < rounded)
    from = add_chunk(arena, rounded);
  void *memory = (char *)from->bytes + from->used;
  from->used += rounded;
  return memory;
}

char *zc_arena_copy(zc_arena *arena, const char *text, size_t length) {
  char *copy = zc_arena_alloc(arena, length + 1);
  /* Empty text from mlir-c may have a null address. */
  if (length)
    memcpy(copy, text, length);
  return copy;
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
