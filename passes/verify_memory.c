#include "passes/verify_memory.h"

#include <stdlib.h>
#include <string.h>

#include "capi/text.h"
#include "passes/verify_upkeep.h"

/* A range of bytes that some access of the storage names, and what was done to exactly it. */
typedef struct cell {
  zc_span span;
  zc_list overlaps; ///< cell *: others that may have a byte in common.
  zc_list writes;   ///< zc_write *: that later writes haven't replaced.
  zc_list reads;    ///< const zc_site *: since then.
  zc_list drops;    ///< const zc_site *: invalidates of these lines.
  struct cell *next_same_begin;
} cell;

enum { NUM_GRIDS = 63 };

/* The cells of one order of length, found by place: number n holds those that begin in the n-th stretch of it. */
typedef struct grid {
  zc_list cells;      ///< cell *
  zc_ptr_map *places; ///< 1 + number -> zc_list of cell *.
} grid;

struct zc_storage_state {
  MlirOperation op;
  const zc_site *born;
  const zc_site *freed; ///< Null: not yet.
  const zc_term *size;
  bool retained;
  int64_t declared; ///< The greatest size that a command names for it; for memory of which the size isn't known.
  zc_write *base;   ///< What it holds where nothing was written; null: nothing.
  zc_list cells;    ///< cell *
  zc_list loose;    ///< cell *, those of them whose span isn't constant.
  zc_ptr_map *by_begin;
  grid *grids[NUM_GRIDS]; ///< By the length of constant spans, as a power of two; null: none of this length.
};

struct zc_memory {
  zc_arena *arena;
  zc_checks *checks;
  const char *(*path)(void *);
  void *data;
  zc_list storages; ///< zc_storage_state *
  zc_list scratch;  ///< zc_write *
};

zc_memory *zc_memory_create(zc_arena *arena, zc_checks *checks, const char *(*path)(void *), void *data) {
  zc_memory *memory = zc_arena_new(arena, zc_memory);
  *memory = (zc_memory){.arena = arena, .checks = checks, .path = path, .data = data};
  return memory;
}

void zc_memory_release(zc_memory *memory) {
  for (int i = 0; i < memory->storages.count; ++i) {
    zc_storage_state *storage = zc_list_at(&memory->storages, zc_storage_state *, i);
    zc_ptr_map_release(storage->by_begin);
    for (int order = 0; order < NUM_GRIDS; ++order)
      if (storage->grids[order])
        zc_ptr_map_release(storage->grids[order]->places);
  }
}

/* ---- order ---- */

/* Whether two commands of one region are ordered: unless the innermost block around both is a concurrent one. */
static bool ordered_in_region(const zc_site *a, const zc_site *b) {
  const zc_group *one = a->group;
  const zc_group *other = b->group;
  while (one != other) {
    if (!one || !other)
      break;
    if (one->depth >= other->depth)
      one = one->parent;
    else
      other = other->parent;
  }
  return !one || !one->concurrent;
}

bool zc_site_before(const zc_site *a, const zc_site *b) {
  if (!a->moment)
    return true;
  if (a->moment != b->moment)
    return zc_moment_before(a->moment, b->moment);
  return a->sequence < b->sequence && ordered_in_region(a, b);
}

/* ---- telling ---- */

static zc_context *context_of(const zc_memory *memory) {
  return memory->checks->context;
}

static const char *place_of(zc_memory *memory, MlirOperation op) {
  zc_checks *checks = memory->checks;
  const char *known = zc_ptr_map_get(checks->locations, op.ptr);
  if (!known) {
    known = zc_place_text(checks->context, op);
    zc_ptr_map_set(checks->locations, op.ptr, (void *)(uintptr_t)known);
  }
  return known;
}

static const char *devices_text(zc_memory *memory, zc_device_set devices) {
  zc_context *context = context_of(memory);
  const char *text = "";
  for (int i = 0; i < zc_devices_count(context->devices); ++i)
    if (devices >> i & 1)
      text = zc_arena_format(context->arena, "%s%s%s", text, *text ? " or " : " on ",
                             zc_symbol_text(context->arena, zc_devices_symbol(context->devices, i)));
  return text;
}

static const char *site_text(zc_memory *memory, const zc_site *site) {
  zc_context *context = context_of(memory);
  return zc_arena_format(context->arena, "'%s' at %s%s", zc_op_name(site->op), place_of(memory, site->op),
                         devices_text(memory, site->devices));
}

/* "'op' on @d <does> <range> of the memory of <place>" and what `more` says. */
static void tell(zc_memory *memory, zc_finding_kind kind, const zc_storage_state *storage, const zc_site *site,
                 const char *does, const zc_span *span, const char *more) {
  zc_context *context = context_of(memory);
  zc_findings *findings = memory->checks->findings;
  const char *text = zc_arena_format(context->arena, "'%s'%s %s %s of the memory of %s%s%s", zc_op_name(site->op),
                                     devices_text(memory, site->devices), does,
                                     zc_span_text(context->arena, memory->checks->terms, span),
                                     place_of(memory, storage->op), more, memory->path(memory->data));
  zc_findings_tell(findings, kind, site->op, text);
}

static bool is_new(zc_memory *memory, zc_finding_kind kind, MlirOperation at, MlirOperation other) {
  zc_findings *findings = memory->checks->findings;
  if (memory->checks->silent || !zc_findings_add(findings, kind, at, other))
    return false;
  if (zc_findings_wants_text(findings))
    return true;
  ++findings->told;
  return false;
}

static const char *format_more(zc_memory *memory, const char *middle, const zc_site *other, const char *end) {
  return zc_arena_format(context_of(memory)->arena, "%s%s%s", middle, site_text(memory, other), end);
}

/* ---- what hangs on an offset that nothing bounds ---- */

static int64_t location_of(const zc_site *site) {
  return (int64_t)(uintptr_t)mlirOperationGetLocation(site->op).ptr;
}

static bool is_placed(const zc_memory *memory, const zc_site *site) {
  return !mlirLocationEqual(mlirOperationGetLocation(site->op), mlirLocationUnknownGet(context_of(memory)->mlir));
}

/* A part of a binding that a kernel places somewhere in it; of two commands of one region also what a copy or a fill
 * places somewhere in a slab: a pipeline orders regions, and leaves what IREE put side by side in one. */
static bool is_anywhere(const zc_site *site, const zc_span *span, const zc_site *other) {
  bool together = site->moment && site->moment == other->moment;
  return !span->constant && (site->dispatch || together);
}

/* The two accesses, as they are before and after a pipeline that keeps both and their places in memory. */
static const zc_term *open_race(zc_memory *memory, const zc_site *site, const zc_span *span, const zc_site *other,
                                const zc_span *other_span) {
  static const char kind[] = "open race";
  bool swap = location_of(other) < location_of(site);
  const zc_span *first = swap ? other_span : span;
  const zc_span *second = swap ? span : other_span;
  const zc_term *operands[] = {first->begin, first->end, second->begin, second->end};
  int64_t numbers[] = {location_of(swap ? other : site), location_of(swap ? site : other)};
  return zc_term_make(memory->checks->terms, kind, 4, operands, 2, numbers);
}

/* Whether nothing but an unknown offset decides if the two overlap, and the input has the same two unordered: where
 * it is right they don't. Notes it of the input. */
static bool is_open_race(zc_memory *memory, const zc_site *site, const zc_span *span, const zc_site *other,
                         const zc_span *other_span) {
  zc_checks *checks = memory->checks;
  if (!checks->open_races || !(is_anywhere(site, span, other) || is_anywhere(other, other_span, site)) ||
      zc_span_meets(checks->terms, span, other_span) || !is_placed(memory, site) || !is_placed(memory, other))
    return false;
  const zc_term *key = open_race(memory, site, span, other, other_span);
  if (checks->silent)
    zc_ptr_map_set(checks->open_races, key, (void *)(uintptr_t)key);
  return zc_ptr_map_get(checks->open_races, key);
}

static const char *end_of_race(const zc_site *site, const zc_site *other, bool open) {
  if (site->sequence == other->sequence)
    return open ? ", which is the same op, and nothing bounds the offset" : ", which is the same op";
  return open ? "; nothing orders them, in the input neither, and nothing bounds the offset" : "; nothing orders them";
}

/* An access as far as a race is concerned. */
typedef struct racer {
  const zc_span *span;
  const zc_site *site;
  bool writes;
} racer;

static void tell_race(zc_memory *memory, const zc_storage_state *storage, racer one, racer two) {
  const zc_site *site = one.site;
  const zc_site *other = two.site;
  zc_span part = zc_span_common(memory->checks->terms, two.span, one.span);
  bool open = is_open_race(memory, site, one.span, other, two.span);
  zc_finding_kind kind = open ? ZC_FINDING_UNDECIDED : ZC_FINDING_RACE;
  if (!is_new(memory, kind, site->op, other->op))
    return;
  const char *end = end_of_race(site, other, open);
  const char *more = other->moment == NULL || other->op.ptr != storage->op.ptr || !two.writes
                         ? format_more(memory, ", which ", other, two.writes ? " writes" : " reads")
                         : format_more(memory, ", which ", other, " provides");
  tell(memory, kind, storage, site, one.writes ? "writes" : "reads", &part,
       zc_arena_format(context_of(memory)->arena, "%s%s", more, end));
}

/* ---- storages and cells ---- */

zc_storage_state *zc_storage_make(zc_memory *memory, const zc_storage_init *init) {
  zc_storage_state *storage = zc_arena_new(memory->arena, zc_storage_state);
  storage->op = init->op;
  storage->born = init->born;
  storage->size = init->size;
  storage->by_begin = zc_ptr_map_create(memory->arena);
  zc_list_push(memory->arena, &memory->storages, zc_storage_state *, storage);
  if (init->value)
    zc_memory_take_from_outside(memory, storage, init->born, init->value, init->writers);
  return storage;
}

const zc_term *zc_storage_size(const zc_storage_state *storage) {
  return storage->size;
}

void zc_storage_declare(zc_storage_state *storage, int64_t size) {
  if (size > storage->declared)
    storage->declared = size;
}

void zc_storage_retain(zc_storage_state *storage) {
  storage->retained = true;
}

static zc_span whole_of(const zc_memory *memory, const zc_storage_state *storage) {
  zc_terms *terms = memory->checks->terms;
  return storage->size ? zc_span_make(terms, zc_term_constant(terms, 0), storage->size)
                       : zc_span_constant(terms, 0, ZC_UNBOUNDED);
}

static void connect(zc_memory *memory, cell *added, cell *known) {
  zc_terms *terms = memory->checks->terms;
  if (zc_span_disjoint(terms, &added->span, &known->span))
    return;
  zc_list_push(memory->arena, &added->overlaps, cell *, known);
  zc_list_push(memory->arena, &known->overlaps, cell *, added);
}

static void connect_all(zc_memory *memory, cell *added, const zc_list *cells) {
  for (int i = 0; i < cells->count; ++i)
    connect(memory, added, zc_list_at(cells, cell *, i));
}

/* The order of a length: the least n with length <= 2^n. */
static int order_of(const zc_span *span) {
  uint64_t length = (uint64_t)(span->last - span->first);
  return length <= 1 ? 0 : 64 - __builtin_clzll(length - 1);
}

static bool fits_grid(const zc_span *span) {
  return span->constant && span->first >= 0 && span->last > span->first && span->last <= ZC_UNBOUNDED;
}

/* Only the cells of this order that begin near enough, unless there are fewer cells than places to look at. */
static void connect_near(zc_memory *memory, cell *added, const grid *grid, int order) {
  int64_t reach = (int64_t)1 << order;
  int64_t first = added->span.first > reach ? (added->span.first - reach) >> order : 0;
  int64_t last = added->span.last >> order;
  if (last - first >= grid->cells.count) {
    connect_all(memory, added, &grid->cells);
    return;
  }
  for (int64_t number = first; number <= last; ++number) {
    const zc_list *there = zc_ptr_map_get(grid->places, (const void *)(intptr_t)(number + 1));
    if (there)
      connect_all(memory, added, there);
  }
}

static void put_into_grid(zc_memory *memory, zc_storage_state *storage, cell *added) {
  int order = order_of(&added->span);
  const void *number = (const void *)(intptr_t)((added->span.first >> order) + 1);
  if (!storage->grids[order]) {
    storage->grids[order] = zc_arena_new(memory->arena, grid);
    storage->grids[order]->places = zc_ptr_map_create(memory->arena);
  }
  grid *grid = storage->grids[order];
  zc_list *there = zc_ptr_map_list(grid->places, memory->arena, number);
  zc_list_push(memory->arena, there, cell *, added);
  zc_list_push(memory->arena, &grid->cells, cell *, added);
}

static void connect_cell(zc_memory *memory, zc_storage_state *storage, cell *added) {
  if (!fits_grid(&added->span)) {
    connect_all(memory, added, &storage->cells);
    zc_list_push(memory->arena, &storage->loose, cell *, added);
    return;
  }
  connect_all(memory, added, &storage->loose);
  for (int order = 0; order < NUM_GRIDS; ++order)
    if (storage->grids[order])
      connect_near(memory, added, storage->grids[order], order);
  put_into_grid(memory, storage, added);
}

static cell *cell_of(zc_memory *memory, zc_storage_state *storage, const zc_span *span) {
  cell *first = zc_ptr_map_get(storage->by_begin, span->begin);
  for (cell *known = first; known; known = known->next_same_begin)
    if (known->span.end == span->end && known->span.bounds == span->bounds)
      return known;
  cell *added = zc_arena_new(memory->arena, cell);
  added->span = *span;
  added->next_same_begin = first;
  zc_ptr_map_set(storage->by_begin, span->begin, added);
  connect_cell(memory, storage, added);
  zc_list_push(memory->arena, &storage->cells, cell *, added);
  return added;
}

/* The cell itself, then those that overlap. */
static cell *overlap_at(cell *own, int index) {
  return index == 0 ? own : zc_list_at(&own->overlaps, cell *, index - 1);
}

/* ---- what lies in a range ---- */

static int compare_newest_first(const void *a, const void *b) {
  int64_t one = (*(zc_write *const *)a)->site->sequence;
  int64_t other = (*(zc_write *const *)b)->site->sequence;
  return one < other ? 1 : one > other ? -1 : 0;
}

/* The writes that may have left something in the cell's range, newest first; the list is the memory's scratch. */
static zc_list *list_writes(zc_memory *memory, cell *own) {
  zc_list *found = &memory->scratch;
  found->count = 0;
  for (int i = 0; i <= own->overlaps.count; ++i) {
    const zc_list *writes = &overlap_at(own, i)->writes;
    for (int j = 0; j < writes->count; ++j)
      zc_list_push(memory->arena, found, zc_write *, zc_list_at(writes, zc_write *, j));
  }
  if (found->count > 1)
    qsort(found->items, (size_t)found->count, sizeof(zc_write *), compare_newest_first);
  return found;
}

/* Takes `span` out of the ranges in `rest`, as far as it certainly covers them. */
static void subtract(zc_memory *memory, zc_list *rest, const zc_span *span) {
  zc_terms *terms = memory->checks->terms;
  zc_list left = {0};
  for (int i = 0; i < rest->count; ++i) {
    zc_span one = zc_list_at(rest, zc_span, i);
    zc_span parts[2];
    if (zc_span_covers(terms, span, &one))
      continue;
    if (zc_span_disjoint(terms, span, &one) || !zc_span_without(terms, &one, span, parts)) {
      zc_list_push(memory->arena, &left, zc_span, one);
      continue;
    }
    for (int j = 0; j < 2; ++j)
      if (!zc_span_is_empty(&parts[j]))
        zc_list_push(memory->arena, &left, zc_span, zc_span_within(terms, &parts[j], &one));
  }
  *rest = left;
}

/* A range that holds the one that is looked at, as far as nothing wrote it yet: where nothing is left of it that may
 * belong to that one, all of that is written, wherever it lies. */
typedef struct holder {
  zc_span whole;
  zc_list rest; ///< zc_span
} holder;

static zc_list list_holders(zc_memory *memory, const zc_span *span) {
  zc_list holders = {0};
  for (int i = 0; i < zc_span_num_bounds(span); ++i) {
    holder holder = {zc_span_bound(span, i), {0}};
    zc_list_push(memory->arena, &holder.rest, zc_span, holder.whole);
    zc_list_push(memory->arena, &holders, struct holder, holder);
  }
  return holders;
}

/* Whether `part` is only the padding at the end of `whole`. */
static bool is_tail(zc_terms *terms, const zc_span *whole, const zc_span *part) {
  return part->end == whole->end && part->begin != whole->begin && zc_span_is_short(terms, part);
}

/* Whether one of the holders has nothing left for `span`; `padded`: but padding. */
static bool is_all_written(zc_memory *memory, const zc_list *holders, const zc_span *span, bool padded) {
  zc_terms *terms = memory->checks->terms;
  bool written = false;
  for (int i = 0; i < holders->count && !written; ++i) {
    const holder *holder = &zc_list_at(holders, struct holder, i);
    written = true;
    for (int j = 0; j < holder->rest.count && written; ++j) {
      const zc_span *part = &zc_list_at(&holder->rest, zc_span, j);
      written = zc_span_disjoint(terms, part, span) || (padded && is_tail(terms, &holder->whole, part));
    }
  }
  return written;
}

/* Calls `visit` with each part of the range and the write that is the last one there before `site`. `conflict` gets
 * those that nothing orders; they are passed over. What nothing wrote goes to `visit` with the base, which may be
 * null. */
typedef struct walk {
  zc_memory *memory;
  zc_storage_state *storage;
  const zc_site *site;
  void (*visit)(struct walk *, zc_write *, const zc_span *part);
  void (*conflict)(struct walk *, zc_write *, const zc_span *part);
  const zc_span *range; ///< That the part was found in.
  const zc_list *rest;  ///< zc_span: all such.
  int kinds;
  zc_list *pieces;
  const zc_span *read; ///< What is looked at; where the pieces are to lie on top of each other.
  zc_list shown;       ///< zc_span: what constant writes have left of that.
  const void *stacked; ///< The write whose pieces were taken last.
  const zc_maintenance *maintenance;
  const zc_span *span; ///< What the maintenance op names.
  int uncovered;       ///< Writes that were found below others.
} walk;

/* A read that more writes than these are unordered with isn't followed further back. */
enum { UNCOVER_LIMIT = 32 };

static void walk_write(walk *walk, zc_write *write, zc_list *rest, zc_list *holders) {
  zc_terms *terms = walk->memory->checks->terms;
  bool before = zc_site_before(write->site, walk->site);
  bool hit = false;
  for (int i = 0; i < rest->count; ++i) {
    zc_span one = zc_list_at(rest, zc_span, i);
    if (zc_span_disjoint(terms, &write->span, &one))
      continue;
    zc_span part = zc_span_common(terms, &write->span, &one);
    walk->range = &one;
    walk->rest = rest;
    hit |= before;
    if (before)
      walk->visit(walk, write, &part);
    else if (walk->conflict)
      walk->conflict(walk, write, &part);
  }
  walk->range = NULL;
  walk->rest = NULL;
  if (hit)
    subtract(walk->memory, rest, &write->span);
  if (hit && walk->read && walk->read->constant && write->span.constant)
    subtract(walk->memory, &walk->shown, &write->span);
  for (int i = 0; before && i < holders->count; ++i)
    subtract(walk->memory, &zc_list_at(holders, holder, i).rest, &write->span);
}

/* A write that comes later, or may, leaves what it replaced to be found: among the rest of `found`, behind `at`. */
static void uncover(walk *walk, const zc_write *write, zc_list *found, int at) {
  if (!write->replaced.count || walk->uncovered >= UNCOVER_LIMIT || zc_site_before(write->site, walk->site))
    return;
  walk->uncovered += write->replaced.count;
  for (int i = 0; i < write->replaced.count; ++i)
    zc_list_push(walk->memory->arena, found, zc_write *, zc_list_at(&write->replaced, zc_write *, i));
  qsort(&zc_list_at(found, zc_write *, at + 1), (size_t)(found->count - at - 1), sizeof(zc_write *),
        compare_newest_first);
}

static void walk_range(walk *walk, const zc_span *span) {
  cell *own = cell_of(walk->memory, walk->storage, span);
  zc_list *found = list_writes(walk->memory, own);
  zc_list rest = {0};
  zc_list_push(walk->memory->arena, &rest, zc_span, *span);
  zc_list holders = list_holders(walk->memory, span);
  zc_write *base = walk->storage->base;
  for (int i = 0; i < found->count && rest.count; ++i) {
    zc_write *write = zc_list_at(found, zc_write *, i);
    walk_write(walk, write, &rest, &holders);
    uncover(walk, write, found, i);
    if (holders.count && is_all_written(walk->memory, &holders, span, !base && i + 1 == found->count))
      rest.count = 0;
  }
  for (int i = 0; i < rest.count; ++i) {
    zc_span part = zc_list_at(&rest, zc_span, i);
    walk->range = &part;
    walk->rest = &rest;
    if (base && walk->conflict && !zc_site_before(base->site, walk->site))
      walk->conflict(walk, base, &part);
    walk->visit(walk, base, &part);
  }
  walk->range = NULL;
  walk->rest = NULL;
}

/* ---- lifetime ---- */

static void check_alive(zc_memory *memory, const zc_storage_state *storage, const zc_span *span, const zc_site *site) {
  if (storage->born && !storage->base && !zc_site_before(storage->born, site) &&
      is_new(memory, ZC_FINDING_UNDEFINED, site->op, storage->op))
    tell(memory, ZC_FINDING_UNDEFINED, storage, site, "uses", span, ", but doesn't wait for that to complete");
  if (storage->freed && !storage->retained && is_new(memory, ZC_FINDING_FREED, site->op, storage->freed->op))
    tell(memory, ZC_FINDING_FREED, storage, site, "uses", span,
         format_more(memory, ", which ", storage->freed, " frees"));
}

static void check_over(zc_memory *memory, const zc_storage_state *storage, const cell *cell, const zc_site *user,
                       const zc_site *site) {
  if (zc_site_before(user, site) || !is_new(memory, ZC_FINDING_FREED, user->op, site->op))
    return;
  tell(memory, ZC_FINDING_FREED, storage, user, "uses", &cell->span,
       format_more(memory, ", which ", site, " frees without waiting for it"));
}

void zc_memory_free(zc_memory *memory, zc_storage_state *storage, const zc_site *site) {
  zc_span whole = zc_span_constant(memory->checks->terms, 0, ZC_UNBOUNDED);
  check_alive(memory, storage, &whole, site);
  storage->freed = site;
  for (int i = 0; i < storage->cells.count && !storage->retained; ++i) {
    const cell *cell = zc_list_at(&storage->cells, struct cell *, i);
    for (int j = 0; j < cell->writes.count; ++j)
      check_over(memory, storage, cell, zc_list_at(&cell->writes, zc_write *, j)->site, site);
    for (int j = 0; j < cell->reads.count; ++j)
      check_over(memory, storage, cell, zc_list_at(&cell->reads, const zc_site *, j), site);
  }
}

void zc_memory_wait_for_reads(zc_memory *memory, zc_storage_state *storage, const zc_site *site, const char *why) {
  for (int i = 0; i < storage->cells.count; ++i) {
    const cell *cell = zc_list_at(&storage->cells, struct cell *, i);
    for (int j = 0; j < cell->reads.count; ++j) {
      const zc_site *user = zc_list_at(&cell->reads, const zc_site *, j);
      if (!user->maintains && !zc_site_before(user, site) && is_new(memory, ZC_FINDING_RACE, user->op, site->op))
        tell(memory, ZC_FINDING_RACE, storage, user, "reads", &cell->span, format_more(memory, why, site, ""));
    }
  }
}

const zc_clock *zc_memory_clock(zc_memory *memory, zc_order *order, const zc_storage_state *storage) {
  const zc_clock *clock = storage->born && storage->born->moment ? storage->born->moment->done : NULL;
  (void)memory;
  for (int i = 0; i < storage->cells.count; ++i) {
    const cell *cell = zc_list_at(&storage->cells, struct cell *, i);
    for (int j = 0; j < cell->writes.count; ++j) {
      const zc_moment *moment = zc_list_at(&cell->writes, zc_write *, j)->site->moment;
      clock = moment ? zc_order_join(order, clock, moment->done) : clock;
    }
  }
  return clock;
}

/* ---- reading ---- */

/* Adds what `write` left in the range that is walked. */
static void add_pieces(walk *walk, const zc_write *write) {
  for (int i = 0; i < write->pieces.count; ++i) {
    const zc_piece *piece = &zc_list_at(&write->pieces, zc_piece, i);
    zc_piece taken;
    if (!zc_piece_take(walk->memory->checks->terms, piece, walk->range, &taken))
      continue;
    taken.of = piece;
    zc_list_push(walk->memory->arena, walk->pieces, zc_piece, taken);
  }
}

static void add_undefined(walk *walk, const zc_span *part) {
  static const char all[] = "undefined";
  zc_terms *terms = walk->memory->checks->terms;
  zc_piece nothing = {.span = *part, .value = zc_undefined_value(terms), .from = zc_term_constant(terms, 0), .of = all};
  zc_list_push(walk->memory->arena, walk->pieces, zc_piece, nothing);
}

static void visit_read(walk *walk, zc_write *write, const zc_span *part) {
  if (walk->pieces && write)
    add_pieces(walk, write);
  if (walk->pieces && !write)
    add_undefined(walk, part);
  if (write && (walk->kinds & (ZC_READS_CACHE | ZC_READS_MEMORY)))
    zc_check_visible(walk->memory, walk->storage, write, walk->site, part, walk->kinds & ZC_READS_CACHE,
                     ZC_FINDING_STALE_READ);
  if (write && (write->site->devices & walk->site->droppers))
    zc_check_kept(walk->memory, walk->storage, write, walk->site, part);
}

/* Whether something newer certainly lies on all of the piece. */
static bool is_hidden(const walk *walk, const zc_piece *piece) {
  zc_terms *terms = walk->memory->checks->terms;
  bool hidden = true;
  for (int i = 0; i < walk->rest->count && hidden; ++i)
    hidden = zc_span_disjoint(terms, &zc_list_at(walk->rest, zc_span, i), &piece->span);
  return hidden;
}

/* Adds the piece below what was added before: whole, but for what constant ranges hide of one at a constant place. */
static void stack_piece(walk *walk, const zc_piece *piece) {
  zc_terms *terms = walk->memory->checks->terms;
  zc_arena *arena = walk->memory->arena;
  zc_piece taken;
  bool constant = piece->span.constant && walk->read->constant;
  for (int i = 0; constant && i < walk->shown.count; ++i)
    if (zc_piece_take(terms, piece, &zc_list_at(&walk->shown, zc_span, i), &taken))
      zc_list_push(arena, walk->pieces, zc_piece, taken);
  if (!constant && !is_hidden(walk, piece) && zc_piece_take(terms, piece, walk->read, &taken))
    zc_list_push(arena, walk->pieces, zc_piece, taken);
}

static void visit_stack(walk *walk, zc_write *write, const zc_span *part) {
  static const char undefined[] = "undefined";
  const void *what = write ? (const void *)write : undefined;
  (void)part;
  if (walk->stacked == what)
    return;
  walk->stacked = what;
  for (int i = 0; write && i < write->pieces.count; ++i)
    stack_piece(walk, &zc_list_at(&write->pieces, zc_piece, i));
  for (int i = 0; !write && i < walk->shown.count; ++i)
    add_undefined(walk, &zc_list_at(&walk->shown, zc_span, i));
}

/* The pieces, each whole and on top of the older ones: so they don't hang on how much is known of their places. */
static zc_list stack_pieces(zc_memory *memory, zc_storage_state *storage, const zc_span *span, const zc_site *site) {
  zc_list pieces = {0};
  walk walk = {
      .memory = memory, .storage = storage, .site = site, .visit = visit_stack, .pieces = &pieces, .read = span};
  zc_list_push(memory->arena, &walk.shown, zc_span, *span);
  walk_range(&walk, span);
  return pieces;
}

static void conflict_read(walk *walk, zc_write *write, const zc_span *part) {
  tell_race(walk->memory, walk->storage, (racer){part, walk->site, false}, (racer){&write->span, write->site, true});
}

static int compare_pieces(const void *a, const void *b) {
  int64_t one = ((const zc_piece *)a)->span.first;
  int64_t other = ((const zc_piece *)b)->span.first;
  return one < other ? -1 : one > other;
}

/* Others stay in the order of the writes, newest first. */
static bool all_constant(const zc_list *pieces) {
  for (int i = 0; i < pieces->count; ++i)
    if (!zc_list_at(pieces, zc_piece, i).span.constant)
      return false;
  return pieces->count > 0;
}

/* What the input reads so has no value that its result could be held against. */
static void note_fault(zc_memory *memory, const zc_storage_state *storage, const zc_site *site, const zc_span *span) {
  zc_checks *checks = memory->checks;
  if (!checks->fault)
    checks->fault = zc_arena_format(context_of(memory)->arena,
                                    "it reads %s of the memory of %s at %s, where nothing is written before it",
                                    zc_span_text(context_of(memory)->arena, checks->terms, span),
                                    place_of(memory, storage->op), place_of(memory, site->op));
}

static void check_defined(zc_memory *memory, zc_storage_state *storage, const zc_site *site, bool padded,
                          const zc_list *pieces) {
  const zc_term *nothing = zc_undefined_value(memory->checks->terms);
  bool certain = all_constant(pieces);
  for (int i = 0; i < pieces->count; ++i) {
    const zc_piece *piece = &zc_list_at(pieces, zc_piece, i);
    if (piece->value != nothing || (padded && zc_piece_is_padding(memory->checks->terms, pieces, i)))
      continue;
    if (certain && memory->checks->silent)
      note_fault(memory, storage, site, &piece->span);
    if (is_new(memory, ZC_FINDING_UNDEFINED, site->op, storage->op))
      tell(memory, ZC_FINDING_UNDEFINED, storage, site, "reads", &piece->span, ", where nothing is written before it");
  }
}

void zc_memory_read(zc_memory *memory, zc_storage_state *storage, const zc_span *span, const zc_site *site, int kinds,
                    zc_list *pieces) {
  zc_list own = {0};
  if (zc_span_is_empty(span))
    return;
  check_alive(memory, storage, span, site);
  walk walk = {.memory = memory,
               .storage = storage,
               .site = site,
               .visit = visit_read,
               .conflict = conflict_read,
               .kinds = kinds,
               .pieces = pieces ? pieces : &own};
  walk_range(&walk, span);
  bool constant = all_constant(walk.pieces);
  bool split = false;
  if (constant)
    qsort(walk.pieces->items, (size_t)walk.pieces->count, sizeof(zc_piece), compare_pieces);
  if ((kinds & ZC_READS) && !(kinds & ZC_READS_ANYTHING))
    check_defined(memory, storage, site, kinds & ZC_READS_PADDING, walk.pieces);
  if (pieces && !constant && (!zc_pieces_place(memory->arena, pieces, span, &split) || split))
    *pieces = stack_pieces(memory, storage, span, site);
}

void zc_memory_note_read(zc_memory *memory, zc_storage_state *storage, const zc_span *span, const zc_site *site) {
  if (zc_span_is_empty(span))
    return;
  cell *own = cell_of(memory, storage, span);
  int kept = 0;
  for (int i = 0; i < own->reads.count; ++i) {
    const zc_site *read = zc_list_at(&own->reads, const zc_site *, i);
    if (!zc_site_before(read, site))
      zc_list_at(&own->reads, const zc_site *, kept++) = read;
  }
  own->reads.count = kept;
  zc_list_push(memory->arena, &own->reads, const zc_site *, site);
}

/* ---- writing ---- */

static void replace_reads(zc_memory *memory, zc_storage_state *storage, cell *old, const zc_span *span,
                          const zc_site *site) {
  bool covered = zc_span_covers(memory->checks->terms, span, &old->span);
  int kept = 0;
  for (int i = 0; i < old->reads.count; ++i) {
    const zc_site *read = zc_list_at(&old->reads, const zc_site *, i);
    bool before = read->maintains || zc_site_before(read, site);
    if (!before && !(read == site && site->dispatch))
      tell_race(memory, storage, (racer){span, site, true}, (racer){&old->span, read, false});
    if (!before || !covered)
      zc_list_at(&old->reads, const zc_site *, kept++) = read;
  }
  old->reads.count = kept;
}

static void replace_writes(zc_memory *memory, zc_storage_state *storage, cell *old, zc_write *by) {
  const zc_span *span = &by->span;
  const zc_site *site = by->site;
  bool covered = zc_span_covers(memory->checks->terms, span, &old->span);
  int kept = 0;
  for (int i = 0; i < old->writes.count; ++i) {
    zc_write *write = zc_list_at(&old->writes, zc_write *, i);
    bool before = zc_site_before(write->site, site);
    if (before) {
      zc_span part = zc_span_common(memory->checks->terms, &old->span, span);
      zc_check_visible(memory, storage, write, site, &part, false, ZC_FINDING_DIRTY_OVERWRITE);
    } else if (write->site != site || !site->dispatch) {
      tell_race(memory, storage, (racer){span, site, true}, (racer){&old->span, write->site, true});
    }
    if (!before || !covered)
      zc_list_at(&old->writes, zc_write *, kept++) = write;
    else
      zc_list_push(memory->arena, &by->replaced, zc_write *, write);
  }
  old->writes.count = kept;
}

static void tell_unordered_drop(zc_memory *memory, const zc_storage_state *storage, const zc_site *invalidate,
                                const zc_site *write, const zc_span *part) {
  if ((write->devices & invalidate->devices) && is_new(memory, ZC_FINDING_DROPPED, invalidate->op, write->op))
    tell(memory, ZC_FINDING_DROPPED, storage, invalidate, "may drop", part,
         format_more(memory, ", which ", write, " writes; nothing orders them"));
}

/* An invalidate that the write isn't ordered with may come right behind it. */
static void check_drops(zc_memory *memory, const zc_storage_state *storage, const cell *old, const zc_site *site) {
  for (int i = 0; i < old->drops.count; ++i) {
    const zc_site *drop = zc_list_at(&old->drops, const zc_site *, i);
    if (!zc_site_before(drop, site))
      tell_unordered_drop(memory, storage, drop, site, &old->span);
  }
}

/* A write of a part of a cache line takes the rest of the line with it, as this device's cache has it, and puts it
 * back: what others wrote there must have got here, and must not be dirty anywhere else. */
static void visit_rest_of_line(walk *walk, zc_write *write, const zc_span *part) {
  if (write)
    zc_check_visible(walk->memory, walk->storage, write, walk->site, part, true, ZC_FINDING_DIRTY_OVERWRITE);
}

static void conflict_rest_of_line(walk *walk, zc_write *write, const zc_span *part) {
  zc_memory *memory = walk->memory;
  if (!zc_find_maintained(memory->checks, write->site->devices, walk->site->devices, NULL, NULL) &&
      !zc_find_maintained(memory->checks, walk->site->devices, write->site->devices, NULL, NULL))
    return;
  if (is_new(memory, ZC_FINDING_DIRTY_OVERWRITE, walk->site->op, write->site->op))
    tell(memory, ZC_FINDING_DIRTY_OVERWRITE, walk->storage, walk->site, "shares the cache line of", part,
         format_more(memory, " with ", write->site, "; nothing orders the two writes"));
}

static void check_rest_of_lines(zc_memory *memory, zc_storage_state *storage, const zc_span *span,
                                const zc_site *site) {
  zc_terms *terms = memory->checks->terms;
  if (!memory->checks->maintained || !site->devices)
    return;
  zc_span all =
      storage->size || !storage->declared ? whole_of(memory, storage) : zc_span_constant(terms, 0, storage->declared);
  zc_span lines = zc_span_lines(terms, span, memory->checks->line);
  zc_span rest[2];
  walk walk = {.memory = memory,
               .storage = storage,
               .site = site,
               .visit = visit_rest_of_line,
               .conflict = conflict_rest_of_line};
  if (!zc_span_without(terms, &lines, span, rest))
    return;
  for (int i = 0; i < 2; ++i) {
    zc_span part = zc_span_within(terms, &rest[i], &lines);
    part = part.constant && all.constant ? zc_span_common(terms, &part, &all) : zc_span_within(terms, &part, &all);
    if (!zc_span_is_empty(&part) && part.begin != all.end)
      walk_range(&walk, &part);
  }
}

static zc_write *make_write(zc_memory *memory, const zc_span *span, const zc_site *site) {
  zc_write *write = zc_arena_new(memory->arena, zc_write);
  write->span = *span;
  write->site = site;
  write->flushed = site->flushes;
  return write;
}

void zc_memory_write(zc_memory *memory, zc_storage_state *storage, const zc_span *span, const zc_site *site,
                     const zc_list *pieces) {
  if (zc_span_is_empty(span))
    return;
  check_alive(memory, storage, span, site);
  cell *own = cell_of(memory, storage, span);
  zc_write *write = make_write(memory, span, site);
  if (storage->base && !zc_site_before(storage->base->site, site))
    tell_race(memory, storage, (racer){span, site, true}, (racer){&storage->base->span, storage->base->site, true});
  for (int i = 0; i <= own->overlaps.count; ++i) {
    cell *old = overlap_at(own, i);
    check_drops(memory, storage, old, site);
    replace_reads(memory, storage, old, span, site);
    replace_writes(memory, storage, old, write);
  }
  check_rest_of_lines(memory, storage, span, site);
  write->pieces = *pieces;
  zc_list_push(memory->arena, &own->writes, zc_write *, write);
}

void zc_memory_take_from_outside(zc_memory *memory, zc_storage_state *storage, const zc_site *site,
                                 const zc_term *value, zc_device_set writers) {
  zc_terms *terms = memory->checks->terms;
  zc_span whole = zc_span_constant(terms, 0, ZC_UNBOUNDED);
  zc_site *outside = zc_arena_new(memory->arena, zc_site);
  *outside = *site;
  outside->devices = writers;
  storage->base = make_write(memory, &whole, outside);
  storage->base->flushed = true;
  zc_piece piece = {.span = whole, .value = value, .from = zc_term_constant(terms, 0)};
  zc_list_push(memory->arena, &storage->base->pieces, zc_piece, piece);
  for (int i = 0; i < storage->cells.count; ++i) {
    cell *cell = zc_list_at(&storage->cells, struct cell *, i);
    cell->writes.count = cell->reads.count = 0;
  }
}

/* ---- maintenance ---- */

/* Also of what its device has written over since: these are the same lines of the same cache. */
static void note_flushes(zc_memory *memory, zc_storage_state *storage, const zc_span *lines, const zc_span *span,
                         const zc_site *site, const zc_maintenance *maintenance) {
  const zc_list *found = list_writes(memory, cell_of(memory, storage, lines));
  for (int i = 0; i < found->count; ++i) {
    zc_write *write = zc_list_at(found, zc_write *, i);
    if ((write->site->devices & site->devices) && zc_site_before(write->site, site))
      zc_note_flush(memory, write, span, maintenance, site);
  }
}

static void conflict_invalidate(walk *walk, zc_write *write, const zc_span *part) {
  tell_unordered_drop(walk->memory, walk->storage, walk->site, write->site, part);
}

/* For the writes that come later in the program. */
static void note_drop(zc_memory *memory, zc_storage_state *storage, const zc_span *lines, const zc_site *site) {
  cell *own = cell_of(memory, storage, lines);
  int kept = 0;
  for (int i = 0; i < own->drops.count; ++i) {
    const zc_site *drop = zc_list_at(&own->drops, const zc_site *, i);
    if (!zc_site_before(drop, site) || (drop->devices & ~site->devices))
      zc_list_at(&own->drops, const zc_site *, kept++) = drop;
  }
  own->drops.count = kept;
  zc_list_push(memory->arena, &own->drops, const zc_site *, site);
}

static void visit_invalidate(walk *walk, zc_write *write, const zc_span *part) {
  if (!write)
    return;
  zc_memory *memory = walk->memory;
  zc_note_invalidate(memory, write, walk->span, walk->maintenance, walk->site);
  if ((write->site->devices & walk->site->devices) && !zc_keep_flush_before(memory, write, part, walk->site) &&
      is_new(memory, ZC_FINDING_DROPPED, walk->site->op, write->site->op))
    tell(memory, ZC_FINDING_DROPPED, walk->storage, walk->site, "drops", part,
         format_more(memory, ", which ", write->site, " wrote and nothing flushed"));
}

void zc_memory_maintain(zc_memory *memory, zc_storage_state *storage, const zc_span *span, const zc_site *site,
                        const zc_maintenance *maintenance) {
  if (zc_span_is_empty(span))
    return;
  check_alive(memory, storage, span, site);
  zc_memory_note_read(memory, storage, span, site);
  bool judged = zc_upkeep_of(memory->checks, site->op, maintenance)->judged;
  /* IREE's own, on other links, is taken as it is. */
  if (!memory->checks->maintained || (!judged && maintenance->device >= 0 && maintenance->peer >= 0))
    return;
  zc_span lines = zc_span_lines(memory->checks->terms, span, memory->checks->line);
  if (!maintenance->invalidate) {
    note_flushes(memory, storage, &lines, span, site, maintenance);
    return;
  }
  walk walk = {.memory = memory,
               .storage = storage,
               .site = site,
               .visit = visit_invalidate,
               .conflict = conflict_invalidate,
               .maintenance = maintenance,
               .span = span};
  note_drop(memory, storage, &lines, site);
  walk_range(&walk, &lines);
}

zc_arena *zc_memory_arena(zc_memory *memory) {
  return memory->arena;
}

zc_checks *zc_memory_checks(zc_memory *memory) {
  return memory->checks;
}

void zc_tell_invisible(zc_memory *memory, zc_finding_kind kind, const zc_storage_state *storage, const zc_site *site,
                       const zc_span *part, const zc_write *write, const char *why) {
  if (!is_new(memory, kind, site->op, write->site->op))
    return;
  const char *middle = write->flushed ? ", which others may have written before " : ", which ";
  const char *end = zc_arena_format(context_of(memory)->arena, "%s; %s", write->flushed ? "" : " writes", why);
  bool writes = kind == ZC_FINDING_DIRTY_OVERWRITE;
  tell(memory, kind, storage, site, writes ? "overwrites" : "reads", part,
       format_more(memory, middle, write->site, end));
}

bool zc_storage_is_written(const zc_storage_state *storage) {
  for (int i = 0; i < storage->cells.count; ++i)
    if (zc_list_at(&storage->cells, cell *, i)->writes.count)
      return true;
  return false;
}
