/* A hash table from the address of an mlir-c object (`value.ptr`, `op.ptr`, `attr.ptr`, …) to an address. */
#ifndef ZC_CAPI_PTR_MAP_H
#define ZC_CAPI_PTR_MAP_H

#include "capi/arena.h"

typedef struct zc_ptr_map zc_ptr_map;

/// Entries are the arena's; the table itself is freed by zc_ptr_map_release, which must come before the arena's end.
zc_ptr_map *zc_ptr_map_create(zc_arena *arena);
void zc_ptr_map_release(zc_ptr_map *map);

/// The address kept for `key`; null where there is none.
void *zc_ptr_map_get(const zc_ptr_map *map, const void *key);
void zc_ptr_map_set(zc_ptr_map *map, const void *key, void *value);
/// The list kept for `key`; made in the arena, empty, where there is none.
zc_list *zc_ptr_map_list(zc_ptr_map *map, zc_arena *arena, const void *key);
int zc_ptr_map_count(const zc_ptr_map *map);

#endif /* ZC_CAPI_PTR_MAP_H */
