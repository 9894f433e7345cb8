/* What a memory holds that caches may hide, at one point of a function: which ranges a device wrote, and who sees them.
 * Each write leaves `dirt`, that its writer has to flush, and others to invalidate, once someone else uses it. */
#ifndef ZC_PASSES_DIRT_H
#define ZC_PASSES_DIRT_H

#include "passes/cache_lines.h"
#include "passes/time_flow.h"

/// Maintenance that a region is to do.
typedef struct zc_request {
  zc_lines lines;
  bool invalidate;
  int peer;
  int order;               ///< As they were asked for.
  const zc_access *access; ///< One of the region that names the storage.
} zc_request;

/// A range that devices may use when the function has ended.
typedef struct zc_export {
  zc_lines lines;
  zc_device_set readers;
} zc_export;

/// A memory: what one or more values of the function name.
typedef struct zc_memory_dirt {
  const void *id;
  zc_list names;         ///< const void *: roots of storages, and globals, that may be it.
  bool several;          ///< It stands for more than one, so that no write covers it.
  zc_device_set outside; ///< Who may use it when the function has ended.
  bool may_return;       ///< Its writer may then use it again, after others.
  zc_list exports;       ///< zc_export
  zc_list dirt;          ///< zc_dirt
} zc_memory_dirt;

/// Invalidates are asked for when all is known that comes to an access. Each is then done by whatever way its region is
/// come to, so that what it would drop there is flushed.
typedef enum zc_round { ZC_ROUND_SETTLING, ZC_ROUND_ASKING, ZC_ROUND_SAVING } zc_round;

/// What all memories of a group of storages share.
typedef struct zc_tracking {
  zc_context *context;
  zc_arena *arena; ///< For what is of use only while a group is followed.
  zc_timeline *timeline;
  zc_time_flow *time;
  struct zc_ptr_map *arrivals; ///< Access -> zc_arrivals behind it; null: not looked for yet.
  zc_device_set users;
  zc_device_set writers;
  zc_device_set readers;
  int64_t line;                ///< Bytes of the longest cache line among the users.
  struct zc_ptr_map *flushed;  ///< Write -> 1 + number of the request, where its region flushes it.
  struct zc_ptr_map *expected; ///< The same, as an earlier round found it; null in the first.
  struct zc_ptr_map *dropped;  ///< Access -> zc_list of what its region invalidates for it.
  zc_list *requests;           ///< zc_request
  zc_round round;
  bool postponed; ///< A flush might serve an earlier write, if it turns out that it is made at all.
  zc_list spare;  ///< zc_dirt: room for the next list of a memory.
  bool crowded;   ///< More ranges than are told apart.
  int64_t steps;
} zc_tracking;

/// Whether `reader` doesn't see by itself what `writer` writes, and that is ours to mend.
bool zc_needs_maintenance(zc_context *context, int writer, int reader);

void zc_ask(zc_tracking *tracking, const zc_access *access, const zc_lines *lines, bool invalidate, int peer);

/// It may now hold what any of its writers left there, flushed, and seen by none.
void zc_dirt_begin_outside(zc_tracking *tracking, zc_memory_dirt *memory);
/// An access of it. With `certain` it is of this memory and no other.
void zc_dirt_follow(zc_tracking *tracking, zc_memory_dirt *memory, zc_access *access, bool certain);
/// Outside, `readers` may use it; where it `may_return`, its writer may invalidate it there before its own next use.
void zc_dirt_flush_for(zc_tracking *tracking, const zc_memory_dirt *memory, zc_device_set readers, bool may_return);
/// It is left as it is: flushed for all its uses outside.
void zc_dirt_leave(zc_tracking *tracking, const zc_memory_dirt *memory);
/// Adds a use outside; whether it is new.
bool zc_dirt_export(zc_tracking *tracking, zc_memory_dirt *memory, const zc_lines *lines, zc_device_set readers);

/// Another one to be changed on its own, in another block.
zc_memory_dirt zc_dirt_carried(zc_tracking *tracking, const zc_memory_dirt *memory);
/// Adds the dirt of another one that comes to the same point; whether that changes it.
bool zc_dirt_join(zc_tracking *tracking, zc_memory_dirt *memory, const zc_memory_dirt *other);

#endif /* ZC_PASSES_DIRT_H */
