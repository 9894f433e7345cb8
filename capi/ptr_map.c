#include "capi/ptr_map.h"

#include <stdlib.h>
#include <uthash.h>

typedef struct entry {
  const void *key;
  void *value;
  UT_hash_handle hh;
} entry;

struct zc_ptr_map {
  zc_arena *arena;
  entry *head;
};

zc_ptr_map *zc_ptr_map_create(zc_arena *arena) {
  zc_ptr_map *map = zc_arena_new(arena, zc_ptr_map);
  map->arena = arena;
  return map;
}

void zc_ptr_map_release(zc_ptr_map *map) {
  if (map)
    HASH_CLEAR(hh, map->head);
}

static entry *find(const zc_ptr_map *map, const void *key) {
  entry *found;
  HASH_FIND_PTR(map->head, &key, found);
  return found;
}

void *zc_ptr_map_get(const zc_ptr_map *map, const void *key) {
  entry *found = find(map, key);
  return found ? found->value : NULL;
}

void zc_ptr_map_set(zc_ptr_map *map, const void *key, void *value) {
  entry *found = find(map, key);
  if (!found) {
    found = zc_arena_new(map->arena, entry);
    found->key = key;
    HASH_ADD_PTR(map->head, key, found);
  }
  found->value = value;
}

int zc_ptr_map_count(const zc_ptr_map *map) {
  return (int)HASH_COUNT(map->head);
}

zc_list *zc_ptr_map_list(zc_ptr_map *map, zc_arena *arena, const void *key) {
  zc_list *list = zc_ptr_map_get(map, key);
  if (!list) {
    list = zc_arena_new(arena, zc_list);
    zc_ptr_map_set(map, key, list);
  }
  return list;
}
