#include "passes/frontier.h"

#include <stdlib.h>
#include <string.h>

/* An access and its place in program order. */
typedef struct entry {
  const zc_access *access;
  int number;
} entry;

/* Bytes with one history. By constants, sorted and apart; or by SSA values, in any order and perhaps overlapping. */
typedef struct slot {
  zc_extent extent;
  entry write;   ///< Its access is null where there was none.
  zc_list reads; ///< entry
} slot;

struct zc_frontier {
  zc_arena *arena;
  const zc_ops *ops;
  int64_t line;
  zc_list constant; ///< slot
  zc_list symbolic; ///< slot
  zc_list found;    ///< entry: what is to be compared with the access at hand.
  int count;
};

zc_frontier *zc_frontier_create(zc_arena *arena, const zc_ops *ops, int64_t line) {
  zc_frontier *frontier = zc_arena_new(arena, zc_frontier);
  frontier->arena = arena;
  frontier->ops = ops;
  frontier->line = line;
  return frontier;
}

static slot *slot_at(const zc_list *slots, int index) {
  return &zc_list_at(slots, slot, index);
}

static zc_extent extent_of(const zc_frontier *frontier, const zc_access *access) {
  return zc_extent_in_lines(zc_used_extent_of(frontier->ops, access), frontier->line);
}

/* ---- what is found ---- */

static void find_entry(zc_frontier *frontier, const entry *earlier, const zc_extent *extent) {
  if (!earlier->access)
    return;
  zc_extent own = extent_of(frontier, earlier->access);
  if (!zc_extent_is_apart(frontier->ops, &own, extent, frontier->line))
    zc_list_push(frontier->arena, &frontier->found, entry, *earlier);
}

static void find_overlapping(zc_frontier *frontier, const zc_list *slots, int first, int end, const zc_extent *extent) {
  for (int i = first; i < end; ++i) {
    slot *slot = slot_at(slots, i);
    find_entry(frontier, &slot->write, extent);
    for (int j = 0; j < slot->reads.count; ++j)
      find_entry(frontier, &zc_list_at(&slot->reads, entry, j), extent);
  }
}

static int latest_first(const void *a, const void *b) {
  return ((const entry *)b)->number - ((const entry *)a)->number;
}

/* ---- slots by constants ---- */

/* The first slot that ends behind `begin`. */
static int first_behind(const zc_list *slots, int64_t begin) {
  int low = 0;
  int high = slots->count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (slot_at(slots, middle)->extent.end > begin)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

static int end_of_overlap(const zc_list *slots, int first, int64_t end) {
  while (first < slots->count && slot_at(slots, first)->extent.begin < end)
    ++first;
  return first;
}

static slot *insert_slot(zc_frontier *frontier, int index) {
  zc_list *slots = &frontier->constant;
  zc_list_add(frontier->arena, slots, sizeof(slot));
  memmove(slot_at(slots, index + 1), slot_at(slots, index), sizeof(slot) * (size_t)(slots->count - 1 - index));
  *slot_at(slots, index) = (slot){0};
  return slot_at(slots, index);
}

static void remove_slots(zc_frontier *frontier, int first, int end) {
  zc_list *slots = &frontier->constant;
  if (first == end)
    return;
  memmove(slot_at(slots, first), slot_at(slots, end), sizeof(slot) * (size_t)(slots->count - end));
  slots->count -= end - first;
}

static slot *insert_extent(zc_frontier *frontier, int index, int64_t begin, int64_t end) {
  slot *slot = insert_slot(frontier, index);
  slot->extent = (zc_extent){.constant = true, .begin = begin, .end = end};
  return slot;
}

/* Makes two of the slot that `at` lies within. */
static void split(zc_frontier *frontier, int64_t at) {
  int index = first_behind(&frontier->constant, at);
  if (index == frontier->constant.count || slot_at(&frontier->constant, index)->extent.begin >= at)
    return;
  slot *front = insert_slot(frontier, index);
  slot *back = front + 1;
  *front = *back;
  front->extent.end = at;
  back->extent.begin = at;
  back->reads = (zc_list){0};
  for (int i = 0; i < front->reads.count; ++i)
    zc_list_push(frontier->arena, &back->reads, entry, zc_list_at(&front->reads, entry, i));
}

static void write_constant(zc_frontier *frontier, const zc_extent *extent, entry write) {
  int first = first_behind(&frontier->constant, extent->begin);
  remove_slots(frontier, first, end_of_overlap(&frontier->constant, first, extent->end));
  insert_extent(frontier, first, extent->begin, extent->end)->write = write;
}

/* Slots that it overlaps, and new ones between them. */
static void read_constant(zc_frontier *frontier, const zc_extent *extent, entry read) {
  int index = first_behind(&frontier->constant, extent->begin);
  for (int64_t at = extent->begin; at < extent->end; ++index) {
    bool exists = index < frontier->constant.count;
    int64_t begin = exists ? slot_at(&frontier->constant, index)->extent.begin : extent->end;
    slot *slot = exists && begin == at ? slot_at(&frontier->constant, index)
                                       : insert_extent(frontier, index, at, begin < extent->end ? begin : extent->end);
    zc_list_push(frontier->arena, &slot->reads, entry, read);
    at = slot->extent.end;
  }
}

static void add_constant(zc_frontier *frontier, const zc_extent *extent, entry entry) {
  if (extent->begin >= extent->end)
    return;
  split(frontier, extent->begin);
  split(frontier, extent->end);
  if (entry.access->range.mode & ZC_ACCESS_WRITE)
    write_constant(frontier, extent, entry);
  else
    read_constant(frontier, extent, entry);
}

/* ---- slots by SSA values ---- */

static slot *symbolic_slot(zc_frontier *frontier, const zc_extent *extent) {
  for (int i = 0; i < frontier->symbolic.count; ++i) {
    slot *slot = slot_at(&frontier->symbolic, i);
    if (zc_same_index(frontier->ops, slot->extent.offset, extent->offset) &&
        zc_same_index(frontier->ops, slot->extent.length, extent->length))
      return slot;
  }
  slot *slot = zc_list_add(frontier->arena, &frontier->symbolic, sizeof *slot);
  slot->extent = *extent;
  return slot;
}

static void add_symbolic(zc_frontier *frontier, const zc_extent *extent, entry entry) {
  slot *slot = symbolic_slot(frontier, extent);
  if (entry.access->range.mode & ZC_ACCESS_WRITE) {
    slot->write = entry;
    slot->reads.count = 0;
  } else {
    zc_list_push(frontier->arena, &slot->reads, struct entry, entry);
  }
}

void zc_frontier_add(zc_frontier *frontier, const zc_access *access,
                     bool (*visit)(const zc_access *earlier, const zc_access *access, void *data), void *data) {
  if (!access->range.mode)
    return;
  zc_extent extent = extent_of(frontier, access);
  int first = extent.constant ? first_behind(&frontier->constant, extent.begin) : 0;
  int end = extent.constant ? end_of_overlap(&frontier->constant, first, extent.end) : frontier->constant.count;
  frontier->found.count = 0;
  find_overlapping(frontier, &frontier->constant, first, end, &extent);
  find_overlapping(frontier, &frontier->symbolic, 0, frontier->symbolic.count, &extent);
  if (frontier->found.count)
    qsort(frontier->found.items, (size_t)frontier->found.count, sizeof(entry), latest_first);
  int last = -1;
  for (int i = 0; i < frontier->found.count; ++i) {
    entry earlier = zc_list_at(&frontier->found, entry, i);
    if (earlier.number != last && !visit(earlier.access, access, data))
      return;
    last = earlier.number;
  }
  entry own = {access, frontier->count++};
  if (extent.constant)
    add_constant(frontier, &extent, own);
  else
    add_symbolic(frontier, &extent, own);
}
