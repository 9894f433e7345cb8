/* Memory of one pass run: everything is freed together, nothing before. */
#ifndef ZC_CAPI_ARENA_H
#define ZC_CAPI_ARENA_H

#include <stddef.h>

typedef struct zc_arena zc_arena;

zc_arena *zc_arena_create(void);
void zc_arena_destroy(zc_arena *arena);

/// Zeroed memory, aligned for any type, that lives until the arena is destroyed. Never null: the process ends with a
/// message when there is no memory left.
void *zc_arena_alloc(zc_arena *arena, size_t bytes);

/// A null-terminated copy of `length` bytes at `text`.
char *zc_arena_copy(zc_arena *arena, const char *text, size_t length);

/// printf into the arena.
char *zc_arena_format(zc_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#define zc_arena_new(arena, type) ((type *)zc_arena_alloc((arena), sizeof(type)))
#define zc_arena_array(arena, type, count) ((type *)zc_arena_alloc((arena), sizeof(type) * (size_t)(count)))

/// A growing array in an arena, of items of one type. Zero-initialized is empty.
typedef struct zc_list {
  void *items;
  int count;
  int capacity;
} zc_list;

/// A new zeroed item at the end; pointers to earlier items may go stale.
void *zc_list_add(zc_arena *arena, zc_list *list, size_t item_size);
#define zc_list_push(arena, list, type, value) (*(type *)zc_list_add((arena), (list), sizeof(type)) = (value))
#define zc_list_at(list, type, index) (((type *)(list)->items)[index])

#endif /* ZC_CAPI_ARENA_H */
