#include "passes/verify_upkeep.h"

#include <stdlib.h>
#include <string.h>

#include "capi/text.h"

/* ---- links ---- */

static bool needs_maintenance(const zc_checks *checks, int from, int to) {
  const zc_link *there = zc_topology_link(checks->context->topology, from, to);
  const zc_link *back = zc_topology_link(checks->context->topology, to, from);
  bool shared = (there->declared && (there->unified_memory || there->transparent_access)) ||
                (back->declared && (back->unified_memory || back->transparent_access));
  return from != to && shared && !there->coherent;
}

static int64_t line_of(const zc_checks *checks, int a, int b) {
  int64_t one = zc_topology_link(checks->context->topology, a, b)->cache_line;
  int64_t other = zc_topology_link(checks->context->topology, b, a)->cache_line;
  int64_t line = one > other ? one : other;
  return line > 0 ? line : 1;
}

bool zc_find_maintained(const zc_checks *checks, zc_device_set writers, zc_device_set readers, int *from, int *to) {
  if (!checks->maintained || !writers || !readers)
    return false;
  int count = zc_devices_count(checks->context->devices);
  for (int writer = 0; writer < count; ++writer)
    for (int reader = 0; reader < count; ++reader)
      if ((writers >> writer & 1) && (readers >> reader & 1) && needs_maintenance(checks, writer, reader)) {
        if (from)
          *from = writer;
        if (to)
          *to = reader;
        return true;
      }
  return false;
}

void zc_checks_begin(zc_checks *checks, zc_context *context, zc_terms *terms, zc_findings *findings) {
  memset(checks, 0, sizeof *checks);
  checks->context = context;
  checks->terms = terms;
  checks->findings = findings;
  checks->line = 1;
  checks->upkeep = zc_ptr_map_create(context->arena);
  checks->locations = zc_ptr_map_create(context->arena);
  int count = zc_devices_count(context->devices);
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < count; ++b)
      if (needs_maintenance(checks, a, b)) {
        checks->maintained = true;
        checks->line = line_of(checks, a, b) > checks->line ? line_of(checks, a, b) : checks->line;
      }
}

void zc_checks_release(zc_checks *checks) {
  zc_ptr_map_release(checks->upkeep);
  zc_ptr_map_release(checks->locations);
}

/* ---- noting maintenance ---- */

/* Maintenance between devices that share no declared memory is IREE's own business. */
static bool is_judged(const zc_checks *checks, const zc_maintenance *maintenance) {
  if (maintenance->device < 0 || maintenance->peer < 0)
    return false;
  const zc_link *there = zc_topology_link(checks->context->topology, maintenance->device, maintenance->peer);
  const zc_link *back = zc_topology_link(checks->context->topology, maintenance->peer, maintenance->device);
  return maintenance->device != maintenance->peer &&
         ((there->declared && (there->unified_memory || there->transparent_access)) ||
          (back->declared && (back->unified_memory || back->transparent_access)));
}

zc_upkeep *zc_upkeep_of(zc_checks *checks, MlirOperation op, const zc_maintenance *maintenance) {
  zc_upkeep *upkeep = zc_ptr_map_get(checks->upkeep, op.ptr);
  if (upkeep)
    return upkeep;
  upkeep = zc_arena_new(checks->context->arena, zc_upkeep);
  *upkeep = (zc_upkeep){op, is_judged(checks, maintenance), false};
  zc_ptr_map_set(checks->upkeep, op.ptr, upkeep);
  zc_list_push(checks->context->arena, &checks->upkeeps, zc_upkeep *, upkeep);
  return upkeep;
}

static void note(zc_memory *memory, zc_list *cares, const zc_span *span, const zc_maintenance *maintenance,
                 const zc_site *site) {
  if (cares->count && zc_list_at(cares, zc_care, cares->count - 1).site == site)
    return;
  zc_care care = {*span, site, zc_upkeep_of(zc_memory_checks(memory), site->op, maintenance)};
  zc_list_push(zc_memory_arena(memory), cares, zc_care, care);
}

void zc_note_flush(zc_memory *memory, zc_write *write, const zc_span *span, const zc_maintenance *maintenance,
                   const zc_site *site) {
  note(memory, &write->flushes, span, maintenance, site);
}

void zc_note_invalidate(zc_memory *memory, zc_write *write, const zc_span *span, const zc_maintenance *maintenance,
                        const zc_site *site) {
  note(memory, &write->invalidates, span, maintenance, site);
}

/* ---- coverage ---- */

/* One check: the maintenance that serves it. */
typedef struct cover {
  zc_memory *memory;
  const zc_span *part;
  int64_t line;
  zc_list used; ///< const zc_care *: each covers all of the part, or together they do.
  bool together;
} cover;

static int compare_cares(const void *a, const void *b) {
  int64_t one = (*(const zc_care *const *)a)->span.first;
  int64_t other = (*(const zc_care *const *)b)->span.first;
  return one < other ? -1 : one > other;
}

/* Whether the constant spans of `found`, in order, leave no byte of `part` out; keeps those that are of use. */
static bool cover_range(cover *cover, const zc_list *found, const zc_span *part) {
  zc_terms *terms = zc_memory_checks(cover->memory)->terms;
  int64_t reached = part->first;
  cover->used.count = 0;
  for (int i = 0; i < found->count && reached < part->last; ++i) {
    const zc_care *care = zc_list_at(found, const zc_care *, i);
    zc_span lines = zc_span_lines(terms, &care->span, cover->line);
    if (lines.first > reached || lines.last <= reached)
      continue;
    reached = lines.last;
    zc_list_push(zc_memory_arena(cover->memory), &cover->used, const zc_care *, care);
  }
  cover->together = true;
  return reached >= part->last;
}

/* Of the part, or of a range that holds it. */
static bool cover_together(cover *cover, zc_list *found) {
  bool covered = false;
  if (found->count < 2)
    return false;
  qsort(found->items, (size_t)found->count, sizeof(zc_care *), compare_cares);
  if (cover->part->constant)
    return cover_range(cover, found, cover->part);
  for (int i = 0; i < zc_span_num_bounds(cover->part) && !covered; ++i) {
    zc_span bound = zc_span_bound(cover->part, i);
    covered = bound.constant && cover_range(cover, found, &bound);
  }
  return covered;
}

/* `found`: const zc_care *. */
static bool is_covered(cover *cover, zc_list *found) {
  zc_terms *terms = zc_memory_checks(cover->memory)->terms;
  int constant = 0;
  for (int i = 0; i < found->count; ++i) {
    const zc_care *care = zc_list_at(found, const zc_care *, i);
    zc_span lines = zc_span_lines(terms, &care->span, cover->line);
    if (zc_span_covers(terms, &lines, cover->part))
      zc_list_push(zc_memory_arena(cover->memory), &cover->used, const zc_care *, care);
    if (lines.constant)
      zc_list_at(found, const zc_care *, constant++) = care;
  }
  found->count = constant;
  return cover->used.count || cover_together(cover, found);
}

static void list_flushes_before(zc_memory *memory, const zc_write *write, const zc_site *site, zc_list *found) {
  for (int i = 0; i < write->flushes.count; ++i) {
    const zc_care *care = &zc_list_at(&write->flushes, zc_care, i);
    if (zc_site_before(care->site, site))
      zc_list_push(zc_memory_arena(memory), found, const zc_care *, care);
  }
}

static bool is_flushed_before(cover *cover, const zc_write *write, const zc_site *site) {
  zc_list found = {0};
  if (write->flushed)
    return true;
  list_flushes_before(cover->memory, write, site, &found);
  return is_covered(cover, &found);
}

/* An invalidate is of use where all that it takes away has been flushed before. */
static void list_invalidates(zc_memory *memory, const zc_write *write, const zc_site *site, const zc_span *part,
                             zc_list *found) {
  zc_terms *terms = zc_memory_checks(memory)->terms;
  for (int i = 0; i < write->invalidates.count; ++i) {
    const zc_care *care = &zc_list_at(&write->invalidates, zc_care, i);
    if (!(care->site->devices & site->devices) || !zc_site_before(care->site, site))
      continue;
    zc_span taken = zc_span_common(terms, &care->span, part);
    cover flushes = {memory, &taken, zc_memory_checks(memory)->line, {0}, false};
    if (is_flushed_before(&flushes, write, care->site))
      zc_list_push(zc_memory_arena(memory), found, const zc_care *, care);
  }
}

/* ---- what was of use ---- */

static void keep_used(const cover *cover) {
  zc_checks *checks = zc_memory_checks(cover->memory);
  zc_arena *arena = checks->context->arena;
  if (cover->together || cover->used.count == 1) {
    for (int i = 0; i < cover->used.count; ++i)
      zc_list_at(&cover->used, const zc_care *, i)->upkeep->needed = true;
    return;
  }
  zc_list *choice = zc_arena_new(arena, zc_list);
  for (int i = 0; i < cover->used.count; ++i) {
    zc_upkeep *upkeep = zc_list_at(&cover->used, const zc_care *, i)->upkeep;
    if (upkeep->needed)
      return;
    zc_list_push(arena, choice, zc_upkeep *, upkeep);
  }
  zc_list_push(arena, &checks->choices, zc_list *, choice);
}

static bool keep_flush(cover *cover, const zc_write *write, const zc_site *site) {
  bool covered = is_flushed_before(cover, write, site);
  if (covered && !write->flushed)
    keep_used(cover);
  return covered;
}

bool zc_keep_flush_before(zc_memory *memory, const zc_write *write, const zc_span *part, const zc_site *site) {
  cover cover = {memory, part, zc_memory_checks(memory)->line, {0}, false};
  return keep_flush(&cover, write, site);
}

/* Of several that would do the first is kept. */
static void settle_choices(zc_checks *checks) {
  for (int i = 0; i < checks->choices.count; ++i) {
    const zc_list *choice = zc_list_at(&checks->choices, zc_list *, i);
    bool served = false;
    for (int j = 0; j < choice->count && !served; ++j)
      served = zc_list_at(choice, zc_upkeep *, j)->needed;
    if (!served)
      zc_list_at(choice, zc_upkeep *, 0)->needed = true;
  }
}

void zc_checks_tell_redundant(zc_checks *checks) {
  settle_choices(checks);
  for (int i = 0; i < checks->upkeeps.count; ++i) {
    const zc_upkeep *upkeep = zc_list_at(&checks->upkeeps, zc_upkeep *, i);
    MlirOperation none = {NULL};
    if (upkeep->judged && !upkeep->needed && zc_findings_add(checks->findings, ZC_FINDING_REDUNDANT, upkeep->op, none))
      zc_findings_tell(checks->findings, ZC_FINDING_REDUNDANT, upkeep->op,
                       zc_arena_format(checks->context->arena,
                                       "without this '%s' every read sees the same value, in every order",
                                       zc_op_name(upkeep->op)));
  }
}

/* ---- the check ---- */

static const char *device_name(const zc_checks *checks, int device) {
  return zc_symbol_text(checks->context->arena, zc_devices_symbol(checks->context->devices, device));
}

/* Why none of `cares` serves. */
static const char *explain(zc_memory *memory, const zc_list *cares, zc_device_set devices, const zc_span *part,
                           const char *what, int device) {
  zc_checks *checks = zc_memory_checks(memory);
  zc_arena *arena = checks->context->arena;
  for (int i = cares->count - 1; i >= 0; --i) {
    const zc_care *care = &zc_list_at(cares, zc_care, i);
    zc_span lines = zc_span_lines(checks->terms, &care->span, checks->line);
    if (!(care->site->devices & devices))
      continue;
    if (zc_span_covers(checks->terms, &lines, part))
      return zc_arena_format(arena, "the %s on %s at %s is misplaced: it doesn't come between them", what,
                             device_name(checks, device), zc_place_text(checks->context, care->site->op));
    return zc_arena_format(arena, "the %s on %s at %s is short: it covers %s only", what, device_name(checks, device),
                           zc_place_text(checks->context, care->site->op),
                           zc_span_text(arena, checks->terms, &care->span));
  }
  return zc_arena_format(arena, "no %s on %s between them", what, device_name(checks, device));
}

static bool check_flush(zc_memory *memory, const zc_storage_state *storage, zc_write *write, const zc_site *site,
                        const zc_span *part, zc_finding_kind kind) {
  int writer = 0;
  int reader = 0;
  zc_find_maintained(zc_memory_checks(memory), write->site->devices, site->devices, &writer, &reader);
  cover cover = {memory, part, line_of(zc_memory_checks(memory), writer, reader), {0}, false};
  if (keep_flush(&cover, write, site))
    return true;
  zc_tell_invisible(memory, kind == ZC_FINDING_STALE_READ ? ZC_FINDING_MISSING_FLUSH : kind, storage, site, part, write,
                    explain(memory, &write->flushes, write->site->devices, part, "flush", writer));
  return false;
}

void zc_check_visible(zc_memory *memory, const zc_storage_state *storage, zc_write *write, const zc_site *site,
                      const zc_span *part, bool sees, zc_finding_kind kind) {
  int writer;
  int reader;
  zc_checks *checks = zc_memory_checks(memory);
  if (checks->silent || !zc_find_maintained(checks, write->site->devices, site->devices, &writer, &reader) ||
      !check_flush(memory, storage, write, site, part, kind) || !sees)
    return;
  zc_list found = {0};
  cover cover = {memory, part, line_of(checks, writer, reader), {0}, false};
  list_invalidates(memory, write, site, part, &found);
  if (is_covered(&cover, &found))
    keep_used(&cover);
  else
    zc_tell_invisible(memory, kind, storage, site, part, write,
                      explain(memory, &write->invalidates, site->devices, part, "invalidate", reader));
}

void zc_check_kept(zc_memory *memory, const zc_storage_state *storage, zc_write *write, const zc_site *site,
                   const zc_span *part) {
  if (!zc_memory_checks(memory)->silent && !zc_keep_flush_before(memory, write, part, site))
    zc_tell_invisible(memory, ZC_FINDING_MISSING_FLUSH, storage, site, part, write,
                      "its device doesn't flush it, and may invalidate it later");
}
