#include "passes/dirt.h"

#include "capi/ptr_map.h"
#include "passes/maintenance.h"

/* Ranges of one memory that are told apart. */
#define DIRT_LIMIT 256

/* A range that a device invalidated: for each way by one of the accesses. */
typedef struct seen {
  int device;
  zc_lines lines;
  zc_list accesses; ///< const zc_access *
  bool carried;     ///< From another block.
} seen;

/* A write that others may not see yet. */
typedef struct zc_dirt {
  zc_lines lines;
  int writer;
  zc_access *write; ///< Null where it was flushed before the function began.
  bool certain;     ///< Of this memory and no other.
  bool carried;     ///< From another block: perhaps by an earlier turn of the same region.
  zc_list seen;     ///< Who sees it.
} zc_dirt;

static zc_dirt *dirt_at(const zc_memory_dirt *memory, int index) {
  return &zc_list_at(&memory->dirt, zc_dirt, index);
}

bool zc_needs_maintenance(zc_context *context, int writer, int reader) {
  return writer != reader && zc_is_maintained_link(context, writer, reader) &&
         !zc_topology_link(context->topology, writer, reader)->coherent;
}

void zc_ask(zc_tracking *tracking, const zc_access *access, const zc_lines *lines, bool invalidate, int peer) {
  zc_request request = {*lines, invalidate, peer, tracking->requests->count, access};
  zc_list_push(tracking->context->arena, tracking->requests, zc_request, request);
}

/* ---- flushes ---- */

static bool is_flushed(const zc_tracking *tracking, const zc_dirt *dirt) {
  return !dirt->write || zc_ptr_map_get(tracking->flushed, dirt->write);
}

/* A use of `part` (null: of all of it) by an access, or outside where that is null. */
typedef struct demand {
  const zc_access *access;
  const zc_lines *part;
} demand;

/* Whether what flushes `later` comes before the use: because that uses it, too, or by timepoints. */
static bool is_over_before(const zc_tracking *tracking, const zc_dirt *later, const demand *demand) {
  if (!demand->part || zc_lines_share_bytes(tracking->context->ops, &later->lines, demand->part))
    return true;
  return demand->access && !later->carried &&
         zc_timeline_is_ordered(tracking->timeline, later->write->region->execute, demand->access->region->execute);
}

/* The op names the first of those whom it serves, however they come to be found. */
static void flush(zc_tracking *tracking, const zc_dirt *dirt, int reader) {
  uintptr_t number = (uintptr_t)zc_ptr_map_get(tracking->flushed, dirt->write);
  if (!number) {
    zc_ask(tracking, dirt->write, &dirt->lines, false, reader);
    zc_ptr_map_set(tracking->flushed, dirt->write, (void *)(uintptr_t)tracking->requests->count);
    return;
  }
  zc_request *request = &zc_list_at(tracking->requests, zc_request, (int)number - 1);
  request->peer = reader < request->peer ? reader : request->peer;
}

/* Whether the flush of `later` is of the same memory and comes behind what made `dirt`. Ways that have met may have
 * come with different memories; what one name stands for within one block is one. */
static bool is_flushed_with(const zc_tracking *tracking, const zc_dirt *dirt, const zc_dirt *later) {
  const zc_region *region = dirt->write->region;
  const zc_region *other = later->write->region;
  if (dirt->write->storage != later->write->storage || (dirt->carried && !mlirBlockEqual(region->block, other->block)))
    return false;
  return region == other || zc_timeline_is_ordered(tracking->timeline, region->execute, other->execute);
}

/* Whether a later write of the same device is flushed that takes the lines of `dirt` with it. */
static bool is_flushed_later(zc_tracking *tracking, const zc_memory_dirt *memory, const zc_dirt *dirt,
                             const demand *demand, int reader) {
  for (int i = memory->dirt.count; i-- > 0;) {
    const zc_dirt *later = dirt_at(memory, i);
    if (later == dirt || later->writer != dirt->writer || !later->write || later->carried != dirt->carried ||
        !zc_lines_cover_by_lines(&later->lines, &dirt->lines))
      continue;
    bool flushed =
        is_flushed(tracking, later) || (tracking->expected && zc_ptr_map_get(tracking->expected, later->write));
    if ((!flushed && tracking->postponed) || !is_flushed_with(tracking, dirt, later) ||
        !is_over_before(tracking, later, demand))
      continue;
    tracking->postponed |= !flushed;
    if (!flushed)
      continue;
    flush(tracking, later, reader);
    return true;
  }
  return false;
}

static void ask_for_flush(zc_tracking *tracking, const zc_memory_dirt *memory, const zc_dirt *dirt,
                          const demand *demand, int reader) {
  if (dirt->write && (is_flushed(tracking, dirt) || !is_flushed_later(tracking, memory, dirt, demand, reader)))
    flush(tracking, dirt, reader);
}

/* An invalidate drops what its own device wrote and didn't flush. */
static void save_own_dirt(zc_tracking *tracking, const zc_memory_dirt *memory, const zc_access *access,
                          const zc_lines *lines, int peer) {
  demand demand = {access, lines};
  for (int i = memory->dirt.count; i-- > 0;) {
    const zc_dirt *own = dirt_at(memory, i);
    if (own->writer == access->region->device && own->write && (own->carried || own->write->region != access->region) &&
        zc_lines_overlap(tracking->context->ops, &own->lines, lines))
      ask_for_flush(tracking, memory, own, &demand, peer);
  }
}

static bool is_any_unaware(zc_context *context, int writer, zc_device_set readers, int *reader) {
  for (*reader = 0; *reader < zc_devices_count(context->devices); ++*reader)
    if ((readers >> *reader & 1) && zc_needs_maintenance(context, writer, *reader))
      return true;
  return false;
}

/* Whether one of the writers leaves something that the device itself doesn't see: before it reads that, it drops what
 * its cache holds. */
static bool is_dropped_later(const zc_tracking *tracking, int device, int *writer) {
  for (*writer = 0; *writer < zc_devices_count(tracking->context->devices); ++*writer)
    if ((tracking->writers >> *writer & 1) && (tracking->readers >> device & 1) &&
        zc_needs_maintenance(tracking->context, *writer, device))
      return true;
  return false;
}

void zc_dirt_flush_for(zc_tracking *tracking, const zc_memory_dirt *memory, zc_device_set readers, bool may_return) {
  int other;
  demand demand = {NULL, NULL};
  for (int i = memory->dirt.count; i-- > 0;) {
    const zc_dirt *dirt = dirt_at(memory, i);
    if (is_any_unaware(tracking->context, dirt->writer, readers, &other) ||
        (may_return && is_dropped_later(tracking, dirt->writer, &other)))
      ask_for_flush(tracking, memory, dirt, &demand, other);
  }
}

void zc_dirt_leave(zc_tracking *tracking, const zc_memory_dirt *memory) {
  int reader;
  zc_dirt_flush_for(tracking, memory, memory->outside, memory->may_return);
  for (int i = 0; i < memory->exports.count; ++i) {
    const zc_export *export = &zc_list_at(&memory->exports, zc_export, i);
    demand demand = {NULL, &export->lines};
    for (int j = memory->dirt.count; j-- > 0;) {
      const zc_dirt *dirt = dirt_at(memory, j);
      if (zc_lines_share_bytes(tracking->context->ops, &dirt->lines, &export->lines) &&
          is_any_unaware(tracking->context, dirt->writer, export->readers, &reader))
        ask_for_flush(tracking, memory, dirt, &demand, reader);
    }
  }
}

bool zc_dirt_export(zc_tracking *tracking, zc_memory_dirt *memory, const zc_lines *lines, zc_device_set readers) {
  for (int i = 0; i < memory->exports.count; ++i) {
    zc_export *known = &zc_list_at(&memory->exports, zc_export, i);
    if (!zc_lines_equal(&known->lines, lines))
      continue;
    bool changed = (known->readers | readers) != known->readers;
    known->readers |= readers;
    return changed;
  }
  zc_export export = {*lines, readers};
  zc_list_push(tracking->arena, &memory->exports, zc_export, export);
  return true;
}

/* ---- invalidates ---- */

static const zc_arrivals *arrivals_behind(zc_tracking *tracking, const zc_access *access) {
  zc_arrivals *arrivals = zc_ptr_map_get(tracking->arrivals, access);
  if (arrivals)
    return arrivals;
  arrivals = zc_arena_new(tracking->context->arena, zc_arrivals);
  zc_time_flow_from(tracking->time, access, false, arrivals);
  zc_ptr_map_set(tracking->arrivals, access, arrivals);
  return arrivals;
}

static bool has_region(zc_tracking *tracking, const zc_list *accesses, const zc_region *region) {
  tracking->steps += accesses->count;
  for (int i = 0; i < accesses->count; ++i)
    if (zc_list_at(accesses, const zc_access *, i)->region == region)
      return true;
  return false;
}

/* Whether `earlier`, in another block or an earlier turn of this one, is over before `later`: on all ways by which
 * something comes to the memory. What uses it by a name that wasn't followed from there isn't found. */
static bool is_ordered_over_blocks(zc_tracking *tracking, const zc_access *earlier, const zc_access *later) {
  const zc_arrivals *arrivals = arrivals_behind(tracking, earlier);
  return has_region(tracking, &arrivals->behind, later->region) &&
         !has_region(tracking, &arrivals->accesses, later->region);
}

static bool is_seen_before(zc_tracking *tracking, const seen *seen, const zc_access *access) {
  for (int i = 0; i < seen->accesses.count; ++i) {
    const zc_access *earlier = zc_list_at(&seen->accesses, const zc_access *, i);
    if (seen->carried
            ? !is_ordered_over_blocks(tracking, earlier, access)
            : earlier->region != access->region &&
                  !zc_timeline_is_ordered(tracking->timeline, earlier->region->execute, access->region->execute))
      return false;
  }
  return true;
}

static bool is_seen(zc_tracking *tracking, const zc_dirt *dirt, const zc_lines *lines, const zc_access *access) {
  for (int i = 0; i < dirt->seen.count; ++i) {
    const seen *seen = &zc_list_at(&dirt->seen, struct seen, i);
    if (seen->device == access->region->device &&
        (zc_lines_cover_by_lines(&seen->lines, lines) || zc_lines_cover_by_lines(&seen->lines, &dirt->lines)) &&
        is_seen_before(tracking, seen, access))
      return true;
  }
  return false;
}

/* Whether the access comes behind the write for certain: two that only share a line needn't be ordered. */
static bool is_written_before(zc_tracking *tracking, const zc_dirt *dirt, const zc_access *access) {
  if (!dirt->write)
    return true;
  return dirt->carried
             ? is_ordered_over_blocks(tracking, dirt->write, access)
             : zc_timeline_is_ordered(tracking->timeline, dirt->write->region->execute, access->region->execute);
}

/* An invalidate takes whole lines, whatever lies in them. */
static void note_seen(zc_tracking *tracking, const zc_memory_dirt *memory, const zc_access *access,
                      const zc_lines *lines) {
  zc_arena *arena = tracking->arena;
  for (int i = 0; i < memory->dirt.count; ++i) {
    zc_dirt *dirt = dirt_at(memory, i);
    if (!zc_lines_overlap(tracking->context->ops, &dirt->lines, lines) ||
        !zc_needs_maintenance(tracking->context, dirt->writer, access->region->device) ||
        !is_written_before(tracking, dirt, access))
      continue;
    seen seen = {access->region->device, *lines, {0}, false};
    zc_list_push(arena, &seen.accesses, const zc_access *, access);
    zc_list_push(arena, &dirt->seen, struct seen, seen);
  }
}

static zc_list carried_seen(zc_tracking *tracking, const zc_list *all) {
  zc_arena *arena = tracking->arena;
  zc_list carried = {0};
  for (int i = 0; i < all->count; ++i) {
    const seen *old = &zc_list_at(all, seen, i);
    seen seen = {old->device, old->lines, {0}, true};
    for (int j = 0; j < old->accesses.count; ++j)
      zc_list_push(arena, &seen.accesses, const zc_access *, zc_list_at(&old->accesses, const zc_access *, j));
    zc_list_push(arena, &carried, struct seen, seen);
  }
  tracking->steps += all->count;
  return carried;
}

static bool add_access(zc_tracking *tracking, zc_list *accesses, const zc_access *access) {
  for (int i = 0; i < accesses->count; ++i)
    if (zc_list_at(accesses, const zc_access *, i) == access)
      return false;
  zc_list_push(tracking->arena, accesses, const zc_access *, access);
  return true;
}

/* Keeps what is seen on the other way, too; whether that changes it. */
static bool meet_seen(zc_tracking *tracking, zc_list *all, const zc_list *others) {
  int kept = 0;
  bool changed = false;
  for (int i = 0; i < all->count; ++i) {
    seen own = zc_list_at(all, seen, i);
    bool found = false;
    for (int j = 0; j < others->count; ++j) {
      const seen *other = &zc_list_at(others, seen, j);
      if (other->device != own.device || !zc_lines_equal(&own.lines, &other->lines))
        continue;
      found = true;
      for (int k = 0; k < other->accesses.count; ++k)
        changed |= add_access(tracking, &own.accesses, zc_list_at(&other->accesses, const zc_access *, k));
    }
    tracking->steps += others->count;
    if (found)
      zc_list_at(all, seen, kept++) = own;
  }
  changed |= kept < all->count;
  all->count = kept;
  return changed;
}

/* Others flush what they wrote in the range; by whole lines where it is written: what is dirty elsewhere in its lines
 * would land on top of it. */
static void ask_for_flushes(zc_tracking *tracking, const zc_memory_dirt *memory, const zc_access *access,
                            const zc_lines *lines, bool by_lines) {
  int device = access->region->device;
  demand demand = {access, lines};
  for (int i = memory->dirt.count; i-- > 0;) {
    const zc_dirt *dirt = dirt_at(memory, i);
    if ((by_lines ? zc_lines_overlap(tracking->context->ops, &dirt->lines, lines)
                  : zc_lines_share_bytes(tracking->context->ops, &dirt->lines, lines)) &&
        zc_needs_maintenance(tracking->context, dirt->writer, device))
      ask_for_flush(tracking, memory, dirt, &demand, device);
  }
  tracking->steps += memory->dirt.count;
}

/* What a region invalidates. */
typedef struct dropped {
  zc_lines lines;
  int peer;
} dropped;

static void ask_for_invalidate(zc_tracking *tracking, const zc_access *access, const zc_lines *lines, int peer) {
  zc_arena *arena = tracking->arena;
  zc_list *known = zc_ptr_map_list(tracking->dropped, arena, access);
  dropped dropped = {*lines, peer};
  zc_list_push(arena, known, struct dropped, dropped);
  zc_ask(tracking, access, lines, true, peer);
}

static void save_dropped(zc_tracking *tracking, const zc_memory_dirt *memory, const zc_access *access) {
  const zc_list *known = zc_ptr_map_get(tracking->dropped, access);
  for (int i = 0; known && i < known->count; ++i) {
    const dropped *dropped = &zc_list_at(known, struct dropped, i);
    save_own_dirt(tracking, memory, access, &dropped->lines, dropped->peer);
  }
}

/* Whether the region itself has written all of it by then. */
static bool is_own(const zc_memory_dirt *memory, const zc_access *access, const zc_lines *lines) {
  for (int i = memory->dirt.count; i-- > 0;) {
    const zc_dirt *own = dirt_at(memory, i);
    if (own->certain && !own->carried && own->write->region == access->region &&
        own->write->storage == access->storage && !own->lines.partial && zc_lines_cover(&own->lines, lines))
      return true;
  }
  return false;
}

/* It asks for what it doesn't see of a write. */
static void see(zc_tracking *tracking, zc_memory_dirt *memory, const zc_access *access, const zc_lines *lines,
                const zc_dirt *dirt) {
  zc_lines stale = zc_lines_common(lines, &dirt->lines);
  if (is_seen(tracking, dirt, &stale, access))
    return;
  if (tracking->round == ZC_ROUND_ASKING)
    ask_for_invalidate(tracking, access, &stale, dirt->writer);
  save_own_dirt(tracking, memory, access, &stale, dirt->writer);
  note_seen(tracking, memory, access, &stale);
}

/* The device reads bytes that others wrote: it asks for what it doesn't see, and that they flush. */
static void take_over(zc_tracking *tracking, zc_memory_dirt *memory, const zc_access *access, const zc_lines *lines) {
  ask_for_flushes(tracking, memory, access, lines, false);
  if (is_own(memory, access, lines))
    return;
  for (int i = 0; i < memory->dirt.count; ++i) {
    const zc_dirt *dirt = dirt_at(memory, i);
    if (zc_lines_share_bytes(tracking->context->ops, &dirt->lines, lines) &&
        zc_needs_maintenance(tracking->context, dirt->writer, access->region->device))
      see(tracking, memory, access, lines, dirt);
  }
}

/* As before, for a write that may begin or end amid a line, nobody knows where: but for what it covers. */
static void take_over_lines(zc_tracking *tracking, zc_memory_dirt *memory, const zc_access *access,
                            const zc_lines *lines) {
  for (int i = 0; i < memory->dirt.count; ++i) {
    const zc_dirt *dirt = dirt_at(memory, i);
    if (!zc_lines_cover(lines, &dirt->lines) && zc_lines_overlap(tracking->context->ops, &dirt->lines, lines) &&
        zc_needs_maintenance(tracking->context, dirt->writer, access->region->device))
      see(tracking, memory, access, lines, dirt);
  }
}

/* A write of a part of a cache line brings in the rest of it. */
static void take_over_rest_of_lines(zc_tracking *tracking, zc_memory_dirt *memory, const zc_access *access,
                                    const zc_lines *lines) {
  zc_lines head = zc_lines_at(lines, lines->first_line, lines->begin);
  zc_lines tail = zc_lines_at(lines, lines->end, lines->last_line);
  if (head.begin < head.end)
    take_over(tracking, memory, access, &head);
  if (tail.begin < tail.end)
    take_over(tracking, memory, access, &tail);
}

/* ---- writes ---- */

/* Keeps of a write what [begin, end) has of it. */
static void keep_rest(zc_tracking *tracking, zc_list *kept, const zc_dirt *old, int64_t begin, int64_t end) {
  if (begin >= end)
    return;
  zc_dirt rest = *old;
  rest.lines = zc_lines_at(&old->lines, begin, end);
  rest.seen = (zc_list){0};
  for (int i = 0; i < old->seen.count; ++i)
    zc_list_push(tracking->arena, &rest.seen, seen, zc_list_at(&old->seen, seen, i));
  zc_list_push(tracking->arena, kept, zc_dirt, rest);
}

/* What a write leaves of an older one. One that isn't flushed yet stays whole: its lines are dirty where it was made.
 */
static void keep_uncovered(zc_tracking *tracking, zc_list *kept, const zc_dirt *old, const zc_lines *lines,
                           int device) {
  if (!lines->partial && zc_lines_cover(lines, &old->lines))
    return;
  if (old->writer == device || !is_flushed(tracking, old) || lines->partial || !lines->constant ||
      !old->lines.constant || !zc_lines_share_bytes(tracking->context->ops, lines, &old->lines)) {
    zc_list_push(tracking->arena, kept, zc_dirt, *old);
    return;
  }
  keep_rest(tracking, kept, old, old->lines.begin, lines->begin);
  keep_rest(tracking, kept, old, lines->end, old->lines.end);
}

static void leave_dirt(zc_tracking *tracking, zc_memory_dirt *memory, zc_access *access, const zc_lines *lines,
                       bool certain) {
  zc_list kept = certain ? tracking->spare : memory->dirt;
  if (certain) {
    kept.count = 0;
    for (int i = 0; i < memory->dirt.count; ++i)
      keep_uncovered(tracking, &kept, dirt_at(memory, i), lines, access->region->device);
    tracking->spare = memory->dirt;
  }
  zc_dirt dirt = {.lines = *lines, .writer = access->region->device, .write = access, .certain = certain};
  zc_list_push(tracking->arena, &kept, zc_dirt, dirt);
  memory->dirt = kept;
  tracking->steps += kept.count;
  tracking->crowded |= kept.count > DIRT_LIMIT;
}

void zc_dirt_follow(zc_tracking *tracking, zc_memory_dirt *memory, zc_access *access, bool certain) {
  zc_lines lines = zc_lines_of(tracking->context->ops, access, tracking->line);
  bool writes = access->range.mode & ZC_ACCESS_WRITE;
  if (tracking->round == ZC_ROUND_SAVING)
    save_dropped(tracking, memory, access);
  if ((access->range.mode & ZC_ACCESS_READ) || lines.partial)
    take_over(tracking, memory, access, &lines);
  if (!writes)
    return;
  if (lines.constant)
    take_over_rest_of_lines(tracking, memory, access, &lines);
  else if (!zc_lines_are_filled(&lines))
    take_over_lines(tracking, memory, access, &lines);
  ask_for_flushes(tracking, memory, access, &lines, true);
  leave_dirt(tracking, memory, access, &lines, certain && !memory->several);
}

/* ---- borders ---- */

void zc_dirt_begin_outside(zc_tracking *tracking, zc_memory_dirt *memory) {
  zc_list kept = {0};
  for (int i = 0; i < memory->dirt.count; ++i)
    if (dirt_at(memory, i)->write)
      zc_list_push(tracking->arena, &kept, zc_dirt, *dirt_at(memory, i));
  for (int writer = 0; writer < zc_devices_count(tracking->context->devices); ++writer) {
    zc_dirt dirt = {.lines = {.whole = true}, .writer = writer};
    if (tracking->writers >> writer & 1)
      zc_list_push(tracking->arena, &kept, zc_dirt, dirt);
  }
  memory->dirt = kept;
}

zc_memory_dirt zc_dirt_carried(zc_tracking *tracking, const zc_memory_dirt *memory) {
  zc_memory_dirt carried = *memory;
  carried.names = carried.dirt = carried.exports = (zc_list){0};
  for (int i = 0; i < memory->names.count; ++i)
    zc_list_push(tracking->arena, &carried.names, const void *, zc_list_at(&memory->names, const void *, i));
  for (int i = 0; i < memory->exports.count; ++i)
    zc_list_push(tracking->arena, &carried.exports, zc_export, zc_list_at(&memory->exports, zc_export, i));
  for (int i = 0; i < memory->dirt.count; ++i) {
    zc_dirt dirt = *dirt_at(memory, i);
    dirt.carried = true;
    dirt.seen = carried_seen(tracking, &dirt.seen);
    zc_list_push(tracking->arena, &carried.dirt, zc_dirt, dirt);
  }
  tracking->steps += 1 + memory->names.count + memory->dirt.count;
  return carried;
}

/* Adds dirt that comes by another way; whether that changes anything. */
static bool join_dirt(zc_tracking *tracking, zc_memory_dirt *memory, const zc_dirt *dirt) {
  bool known = false;
  bool changed = false;
  tracking->steps += memory->dirt.count;
  for (int i = 0; i < memory->dirt.count; ++i) {
    zc_dirt *own = dirt_at(memory, i);
    if (own->write != dirt->write || own->writer != dirt->writer || !zc_lines_equal(&own->lines, &dirt->lines))
      continue;
    known = true;
    changed |= meet_seen(tracking, &own->seen, &dirt->seen);
  }
  if (!known)
    zc_list_push(tracking->arena, &memory->dirt, zc_dirt, *dirt);
  return changed || !known;
}

bool zc_dirt_join(zc_tracking *tracking, zc_memory_dirt *memory, const zc_memory_dirt *other) {
  bool changed = false;
  for (int i = 0; i < other->exports.count; ++i) {
    const zc_export *export = &zc_list_at(&other->exports, zc_export, i);
    changed |= zc_dirt_export(tracking, memory, &export->lines, export->readers);
  }
  for (int i = 0; i < other->dirt.count; ++i)
    changed |= join_dirt(tracking, memory, dirt_at(other, i));
  tracking->crowded |= memory->dirt.count > DIRT_LIMIT;
  return changed;
}
