/* zc-maintain-coherence: on scheduled IR, exactly the cache maintenance that hand-offs over non-coherent links need.
 *
 * Needs:    stream.cmd.* and a topology with shared memory; else nothing changes.
 * Model:    each device has a write-back cache (docs/maintenance.md). What device P wrote reaches C by a flush in the
 * region that wrote, after the write, and an invalidate in the region that reads, before the read. P flushes before
 *           another device writes the same lines.
 * Contract: at a function's borders (imports, exports, globals, calls, branches) memory is flushed, but may be stale.
 * Keeps:    maintenance of links that the topology doesn't declare or that share no memory, as IREE made it. All other
 *           maintenance is made anew, so the pass changes nothing the second time.
 *
 * For each storage its accesses are gone through in program order, which follows time as far as timepoints order them.
 * A write leaves `dirt`: a range that its writer has to flush, and others to invalidate, once someone else uses it. */
#include <stdlib.h>

#include "capi/ptr_map.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "passes/constants.h"
#include "passes/extents.h"
#include "passes/maintenance.h"
#include "passes/scheduled.h"
#include "passes/timepoint_edits.h"
#include "passes/value_classes.h"

/* Ranges of one storage that are told apart. With more of them, every region that uses the storage maintains it. */
#define DIRT_LIMIT 256

/* ---- ranges ---- */

/* Bytes of a storage: [begin, end) where both are constant, else the SSA values, which equal only themselves. */
typedef struct extent {
  bool whole;   ///< All of the storage, of whatever size.
  bool all;     ///< From the first byte to what the command says is the last.
  bool partial; ///< A write of it may leave bytes as they are.
  bool constant;
  int64_t begin;
  int64_t end;
  int64_t first_line; ///< The same in whole cache lines, as far as the storage goes where its size is known.
  int64_t last_line;
  int64_t size; ///< Of the storage; -1: not known.
  int64_t line; ///< Bytes of a cache line.
  MlirValue offset;
  MlirValue length;
} extent;

static bool same_values(const extent *a, const extent *b) {
  return !a->whole && !b->whole && !a->constant && !b->constant && mlirValueEqual(a->offset, b->offset) &&
         mlirValueEqual(a->length, b->length);
}

static zc_extent bytes_of(const extent *extent) {
  return (zc_extent){extent->constant, extent->begin, extent->end, extent->offset, extent->length};
}

static bool have_common_bytes(const zc_ops *ops, const extent *a, const extent *b) {
  zc_extent first = bytes_of(a);
  zc_extent second = bytes_of(b);
  return a->whole || b->whole || !zc_extent_is_disjoint(ops, &first, &second);
}

/* Caches know lines only. */
static bool overlaps(const zc_ops *ops, const extent *a, const extent *b) {
  zc_extent first = bytes_of(a);
  zc_extent second = bytes_of(b);
  if (a->whole || b->whole)
    return true;
  return a->constant && b->constant ? a->first_line < b->last_line && b->first_line < a->last_line
                                    : !zc_extent_is_apart(ops, &first, &second, a->line);
}

static bool covers(const extent *outer, const extent *inner) {
  if (outer->whole || outer->all || same_values(outer, inner))
    return true;
  return !inner->whole && outer->constant && inner->constant && outer->begin <= inner->begin &&
         outer->end >= inner->end;
}

/* ---- what a storage's accesses leave and ask for ---- */

/* An invalidate that a device did, and where. */
typedef struct seen {
  int device;
  extent extent;
  const zc_region *region;
} seen;

/* A write that others may not see yet. */
typedef struct dirt {
  extent extent;
  int writer;
  zc_access *write; ///< Null where it was flushed before the function began.
  bool flushed;     ///< A flush was asked for.
  zc_list seen;     ///< Who sees it.
} dirt;

/* Maintenance that a region is to do. */
typedef struct request {
  extent extent;
  bool invalidate;
  int peer;
  int order;               ///< Among the region's requests.
  const zc_access *access; ///< One of the region that names the storage.
} request;

/* The requests of one region, all storages together. */
typedef struct region_requests {
  zc_region *region;
  zc_list requests;
} region_requests;

typedef struct maintenance {
  zc_context *context;
  zc_values *values;
  zc_scheduled *scheduled;
  zc_ptr_map *by_region; ///< zc_region -> region_requests.
  zc_list regions;       ///< region_requests *, in program order.
  zc_constants *constants;
} maintenance;

/* One storage while it is gone through. */
typedef struct tracking {
  maintenance *maintenance;
  zc_storage *storage;
  zc_device_set users;   ///< Of the whole class.
  zc_device_set writers; ///< Of the whole class.
  zc_device_set readers; ///< Of the whole class.
  int64_t line;          ///< Bytes of the longest cache line among the users.
  zc_list dirt;
  zc_list spare; ///< Room for the next `dirt`.
} tracking;

static int64_t cache_line(maintenance *maintenance, int a, int b) {
  int64_t one = zc_topology_link(maintenance->context->topology, a, b)->cache_line;
  int64_t other = zc_topology_link(maintenance->context->topology, b, a)->cache_line;
  return one > other ? one : other;
}

static void round_to_lines(extent *extent, int64_t line) {
  extent->first_line = extent->begin / line * line;
  extent->last_line = (extent->end + line - 1) / line * line;
  if (extent->size >= 0 && extent->last_line > extent->size)
    extent->last_line = extent->end > extent->size ? extent->end : extent->size;
}

/* Whether the kernel's part of a range is all of it. */
static bool uses_all(const zc_ops *ops, const zc_access *access) {
  int64_t length;
  return !access->used.end ||
         (zc_constant_index(ops, mlirOperationGetOperand(access->command, access->range.length_operand), &length) &&
          access->used.begin == 0 && access->used.end >= length);
}

static extent extent_of(tracking *tracking, const zc_access *access) {
  const zc_ops *ops = tracking->maintenance->context->ops;
  extent extent = {.offset = mlirOperationGetOperand(access->command, access->range.offset_operand),
                   .length = mlirOperationGetOperand(access->command, access->range.length_operand),
                   .line = tracking->line};
  int64_t offset;
  zc_extent used = zc_used_extent_of(ops, access);
  extent.all = !used.constant && !access->shift && zc_constant_index(ops, extent.offset, &offset) && offset == 0 &&
               zc_same_index(ops, extent.length, mlirOperationGetOperand(access->command, access->range.size_operand));
  extent.partial = access->used.partial || (!used.constant && !uses_all(ops, access));
  if (!used.constant || used.begin < 0 || used.end > INT64_MAX - tracking->line)
    return extent;
  extent.constant = true;
  extent.begin = used.begin;
  extent.end = used.end;
  if (!zc_constant_index(ops, mlirOperationGetOperand(access->command, access->range.size_operand), &extent.size))
    extent.size = -1;
  round_to_lines(&extent, tracking->line);
  return extent;
}

static bool needs_maintenance(maintenance *maintenance, int writer, int reader) {
  return writer != reader && zc_is_maintained_link(maintenance->context, writer, reader) &&
         !zc_topology_link(maintenance->context->topology, writer, reader)->coherent;
}

static region_requests *requests_of(maintenance *maintenance, zc_region *region) {
  region_requests *requests = zc_ptr_map_get(maintenance->by_region, region);
  if (!requests) {
    requests = zc_arena_new(maintenance->context->arena, region_requests);
    requests->region = region;
    zc_ptr_map_set(maintenance->by_region, region, requests);
    zc_list_push(maintenance->context->arena, &maintenance->regions, region_requests *, requests);
  }
  return requests;
}

static void ask(tracking *tracking, const zc_access *access, extent extent, bool invalidate, int peer) {
  maintenance *maintenance = tracking->maintenance;
  zc_list *requests = &requests_of(maintenance, access->region)->requests;
  request request = {extent, invalidate, peer, requests->count, access};
  zc_list_push(maintenance->context->arena, requests, struct request, request);
}

/* ---- one storage, range by range ---- */

static void ask_for_flush(tracking *tracking, dirt *dirt, int reader) {
  if (!dirt->flushed && dirt->write)
    ask(tracking, dirt->write, dirt->extent, false, reader);
  dirt->flushed = true;
}

/* An invalidate takes whole lines. */
static bool covers_by_lines(const extent *outer, const extent *inner) {
  return covers(outer, inner) || (!inner->whole && outer->constant && inner->constant &&
                                  outer->first_line <= inner->begin && outer->last_line >= inner->end);
}

static bool is_seen(tracking *tracking, const dirt *dirt, int device, const extent *extent, const zc_region *region) {
  zc_timeline *timeline = tracking->maintenance->scheduled->timeline;
  for (int i = 0; i < dirt->seen.count; ++i) {
    const seen *seen = &zc_list_at(&dirt->seen, struct seen, i);
    if (seen->device == device &&
        (covers_by_lines(&seen->extent, extent) || covers_by_lines(&seen->extent, &dirt->extent)) &&
        (seen->region == region || zc_timeline_is_ordered(timeline, seen->region->execute, region->execute)))
      return true;
  }
  return false;
}

/* The bytes that both have; `extent` itself where that can't be told. */
static extent common(const extent *extent, const struct extent *other) {
  struct extent both = *extent;
  if (!extent->constant || !other->constant || other->whole)
    return both;
  both.begin = extent->begin > other->begin ? extent->begin : other->begin;
  both.end = extent->end < other->end ? extent->end : other->end;
  both.first_line = extent->first_line > other->first_line ? extent->first_line : other->first_line;
  both.last_line = extent->last_line < other->last_line ? extent->last_line : other->last_line;
  if (both.end <= both.first_line)
    both.end = both.last_line;
  return both;
}

/* An invalidate drops what its own device wrote and didn't flush. */
static void save_own_dirt(tracking *tracking, const zc_access *access, const extent *extent, int peer) {
  for (int i = 0; i < tracking->dirt.count; ++i) {
    dirt *own = &zc_list_at(&tracking->dirt, struct dirt, i);
    if (own->writer == access->region->device && own->write && own->write->region != access->region &&
        overlaps(tracking->maintenance->context->ops, &own->extent, extent))
      ask_for_flush(tracking, own, peer);
  }
}

/* Whether the region itself has written all of it by then. */
static bool is_own(tracking *tracking, const zc_access *access, const extent *extent) {
  for (int i = tracking->dirt.count; i-- > 0;) {
    const dirt *own = &zc_list_at(&tracking->dirt, struct dirt, i);
    if (own->write && own->write->region == access->region && !own->extent.partial && covers(&own->extent, extent))
      return true;
  }
  return false;
}

/* What a device reads are bytes; what it writes goes out and comes in by lines. */
static bool meets(tracking *tracking, const dirt *dirt, const zc_access *access, const extent *extent) {
  const zc_ops *ops = tracking->maintenance->context->ops;
  return zc_access_writes(access) ? overlaps(ops, &dirt->extent, extent)
                                  : have_common_bytes(ops, &dirt->extent, extent);
}

static bool comes_after(tracking *tracking, const zc_access *access, const dirt *dirt) {
  return !dirt->write || zc_timeline_is_ordered(tracking->maintenance->scheduled->timeline,
                                                dirt->write->region->execute, access->region->execute);
}

/* The device takes over the others' writes in the range: it asks for what it doesn't see, and that they flush. */
static void take_over(tracking *tracking, const zc_access *access, extent extent, bool reads) {
  maintenance *maintenance = tracking->maintenance;
  int device = access->region->device;
  reads = reads && !is_own(tracking, access, &extent);
  for (int i = 0; i < tracking->dirt.count; ++i) {
    dirt *dirt = &zc_list_at(&tracking->dirt, struct dirt, i);
    if (!needs_maintenance(maintenance, dirt->writer, device) || !meets(tracking, dirt, access, &extent))
      continue;
    ask_for_flush(tracking, dirt, device);
    if (!reads || is_seen(tracking, dirt, device, &extent, access->region))
      continue;
    seen seen = {device, extent, access->region};
    struct extent stale = common(&extent, &dirt->extent);
    if (comes_after(tracking, access, dirt))
      zc_list_push(maintenance->context->arena, &dirt->seen, struct seen, seen);
    ask(tracking, access, stale, true, dirt->writer);
    save_own_dirt(tracking, access, &stale, dirt->writer);
  }
}

/* Keeps of a write what [begin, end) has of it. */
static void keep_rest(tracking *tracking, zc_list *kept, const dirt *old, int64_t begin, int64_t end) {
  if (begin >= end)
    return;
  dirt rest = *old;
  rest.extent.begin = begin;
  rest.extent.end = end;
  round_to_lines(&rest.extent, tracking->line);
  zc_list_push(tracking->maintenance->context->arena, kept, dirt, rest);
}

/* What a write leaves of an older one. One that isn't flushed yet stays whole: its lines are dirty where it was made.
 */
static void keep_uncovered(tracking *tracking, zc_list *kept, const dirt *old, const extent *extent, int device) {
  if (!extent->partial && covers(extent, &old->extent))
    return;
  if (old->writer == device || !old->flushed || extent->partial || !extent->constant || !old->extent.constant ||
      extent->begin >= old->extent.end || old->extent.begin >= extent->end) {
    zc_list_push(tracking->maintenance->context->arena, kept, dirt, *old);
    return;
  }
  keep_rest(tracking, kept, old, old->extent.begin, extent->begin);
  keep_rest(tracking, kept, old, extent->end, old->extent.end);
}

static void leave_dirt(tracking *tracking, zc_access *access, extent extent) {
  zc_list kept = tracking->spare;
  kept.count = 0;
  for (int i = 0; i < tracking->dirt.count; ++i)
    keep_uncovered(tracking, &kept, &zc_list_at(&tracking->dirt, struct dirt, i), &extent, access->region->device);
  dirt dirt = {.extent = extent, .writer = access->region->device, .write = access};
  zc_list_push(tracking->maintenance->context->arena, &kept, struct dirt, dirt);
  tracking->spare = tracking->dirt;
  tracking->dirt = kept;
}

/* A write of a part of a cache line brings in the rest of it. */
static bool fills_lines(const zc_ops *ops, const extent *extent) {
  zc_extent bytes = bytes_of(extent);
  if (extent->partial)
    return false;
  if (extent->all)
    return true;
  return extent->constant ? extent->begin == extent->first_line && extent->end == extent->last_line
                          : zc_extent_fills_lines(ops, &bytes, extent->line);
}

static void follow_access(tracking *tracking, zc_access *access) {
  extent extent = extent_of(tracking, access);
  bool reads = access->range.mode & ZC_ACCESS_READ;
  bool writes = access->range.mode & ZC_ACCESS_WRITE;
  take_over(tracking, access, extent, reads || !fills_lines(tracking->maintenance->context->ops, &extent));
  if (writes)
    leave_dirt(tracking, access, extent);
}

/* Outside, `readers` may use it; where it `may_return`, its writer may invalidate it there before its own next use. */
static void flush_for(tracking *tracking, zc_device_set readers, bool may_return) {
  for (int i = 0; i < tracking->dirt.count; ++i) {
    dirt *dirt = &zc_list_at(&tracking->dirt, struct dirt, i);
    for (int reader = 0; reader < zc_devices_count(tracking->maintenance->context->devices); ++reader)
      if (((readers >> reader & 1) && needs_maintenance(tracking->maintenance, dirt->writer, reader)) ||
          (may_return && (tracking->writers >> reader & 1) && (tracking->readers >> dirt->writer & 1) &&
           needs_maintenance(tracking->maintenance, reader, dirt->writer)))
        ask_for_flush(tracking, dirt, reader);
  }
}

/* Who may use it where an op hands it on. */
static zc_device_set readers_of(tracking *tracking, MlirOperation escape) {
  zc_context *context = tracking->maintenance->context;
  return zc_op_of(context->ops, escape) == ZC_OP_TENSOR_EXPORT
             ? zc_affinity_read(context->affinities, zc_execution_affinity(context, escape))->devices
             : tracking->users;
}

/* Who may use it once it has left the function's sight. */
static zc_device_set readers_outside(tracking *tracking, bool *may_return) {
  const zc_storage *storage = tracking->storage;
  zc_device_set readers = storage->kind == ZC_OP_ALLOCA ? 0 : tracking->users;
  *may_return = storage->kind != ZC_OP_ALLOCA;
  for (int i = 0; i < storage->escapes.count; ++i) {
    MlirOperation escape = zc_list_at(&storage->escapes, MlirOperation, i);
    *may_return |= zc_op_of(tracking->maintenance->context->ops, escape) != ZC_OP_TENSOR_EXPORT;
    readers |= readers_of(tracking, escape);
  }
  return readers;
}

/* What it holds when the function gets it: written by any device, flushed, seen by none. */
static void begin_outside(tracking *tracking) {
  int kept = 0;
  for (int i = 0; i < tracking->dirt.count; ++i) {
    dirt old = zc_list_at(&tracking->dirt, dirt, i);
    if (old.write)
      zc_list_at(&tracking->dirt, dirt, kept++) = old;
  }
  tracking->dirt.count = kept;
  for (int writer = 0; writer < zc_devices_count(tracking->maintenance->context->devices); ++writer) {
    if (!(tracking->writers >> writer & 1))
      continue;
    dirt dirt = {.extent = {.whole = true}, .writer = writer, .flushed = true};
    zc_list_push(tracking->maintenance->context->arena, &tracking->dirt, struct dirt, dirt);
  }
}

/* ---- one storage, region by region: where ranges or order can't be followed ---- */

/* The first of `peers` that does not see what one of `devices` writes, or (`reads`) that one of them doesn't see. */
static int first_peer(maintenance *maintenance, zc_device_set peers, zc_device_set devices, bool reads) {
  for (int peer = 0; peer < zc_devices_count(maintenance->context->devices); ++peer)
    for (int device = 0; device < zc_devices_count(maintenance->context->devices); ++device)
      if ((peers >> peer & 1) && (devices >> device & 1) &&
          (reads ? needs_maintenance(maintenance, peer, device) : needs_maintenance(maintenance, device, peer)))
        return peer;
  return -1;
}

static void maintain_each_access(tracking *tracking) {
  maintenance *maintenance = tracking->maintenance;
  for (int i = 0; i < tracking->storage->accesses.count; ++i) {
    zc_access *access = zc_list_at(&tracking->storage->accesses, zc_access *, i);
    zc_device_set devices = access->region->devices ? access->region->devices : tracking->users;
    extent extent = extent_of(tracking, access);
    int reader = first_peer(maintenance, tracking->users, devices, false);
    int writer = first_peer(maintenance, tracking->writers, devices, true);
    if (!access->range.mode)
      continue;
    if (writer >= 0 && ((access->range.mode & ZC_ACCESS_READ) || !fills_lines(maintenance->context->ops, &extent)))
      ask(tracking, access, extent, true, writer);
    /* Its own invalidates elsewhere must not drop it, either. */
    if ((reader >= 0 || (writer >= 0 && (devices & tracking->readers))) && (access->range.mode & ZC_ACCESS_WRITE))
      ask(tracking, access, extent, false, reader >= 0 ? reader : writer);
  }
}

static bool is_followed(maintenance *maintenance, const zc_storage *storage) {
  zc_op kind = storage->kind;
  bool known = mlirOperationIsNull(storage->definition) || kind == ZC_OP_ALLOCA || kind == ZC_OP_TENSOR_IMPORT ||
               kind == ZC_OP_GLOBAL_LOAD || kind == ZC_OP_UTIL_CALL;
  if (!known || !mlirOperationIsNull(storage->unsupported) ||
      (kind == ZC_OP_TENSOR_IMPORT && maintenance->scheduled->writes_imports))
    return false;
  const zc_region *first = zc_list_at(&storage->accesses, zc_access *, 0)->region;
  for (int i = 0; i < storage->accesses.count; ++i) {
    const zc_region *region = zc_list_at(&storage->accesses, zc_access *, i)->region;
    if (region->device < 0 || !mlirBlockEqual(region->block, first->block))
      return false;
  }
  return true;
}

/* Whether any of the writers has a user that doesn't see its writes; the longest cache line between any two. */
static bool is_shared(tracking *tracking) {
  maintenance *maintenance = tracking->maintenance;
  int count = zc_devices_count(maintenance->context->devices);
  tracking->line = 1;
  for (int a = 0; a < count; ++a)
    for (int b = 0; b < a; ++b)
      if ((tracking->users >> a & 1) && (tracking->users >> b & 1) &&
          zc_is_maintained_link(maintenance->context, a, b) && cache_line(maintenance, a, b) > tracking->line)
        tracking->line = cache_line(maintenance, a, b);
  return first_peer(maintenance, tracking->users, tracking->writers, false) >= 0;
}

/* What hands the memory on before an access comes with what was written by then, which a later write may cover. Who was
 * called may have written it. Returns the first that comes later. */
static int pass_escapes(tracking *tracking, int next, const zc_access *access) {
  const zc_scheduled *scheduled = tracking->maintenance->scheduled;
  const zc_list *escapes = &tracking->storage->escapes;
  int position = zc_timeline_position(scheduled->timeline, access->region->execute);
  for (; next < escapes->count; ++next) {
    MlirOperation escape = zc_list_at(escapes, MlirOperation, next);
    if (zc_position_in(scheduled, escape, access->region->block) > position)
      break;
    bool exports = zc_op_of(tracking->maintenance->context->ops, escape) == ZC_OP_TENSOR_EXPORT;
    flush_for(tracking, readers_of(tracking, escape), !exports);
    if (zc_op_of(tracking->maintenance->context->ops, escape) == ZC_OP_UTIL_CALL)
      begin_outside(tracking);
  }
  return next;
}

static bool follow_accesses(tracking *tracking) {
  int escape = 0;
  if (tracking->storage->kind != ZC_OP_ALLOCA)
    begin_outside(tracking);
  for (int i = 0; i < tracking->storage->accesses.count; ++i) {
    zc_access *access = zc_list_at(&tracking->storage->accesses, zc_access *, i);
    escape = pass_escapes(tracking, escape, access);
    if (access->range.mode)
      follow_access(tracking, access);
    if (tracking->dirt.count > DIRT_LIMIT)
      return false;
  }
  bool may_return;
  zc_device_set readers = readers_outside(tracking, &may_return);
  flush_for(tracking, readers, may_return);
  return true;
}

/* False where it needs no maintenance. */
static bool begin_tracking(tracking *tracking, maintenance *maintenance, zc_storage *storage) {
  zc_context *context = maintenance->context;
  const zc_value_class *class = zc_class_of(maintenance->values, storage->root);
  *tracking = (struct tracking){maintenance, storage, class->users, class->writers, class->readers, 1, {0}, {0}};
  zc_device_set all = zc_devices_count(context->devices) < ZC_MAX_DEVICES
                          ? ((zc_device_set)1 << zc_devices_count(context->devices)) - 1
                          : ~(zc_device_set)0;
  if (class->unknown_user || !mlirOperationIsNull(class->unsupported))
    tracking->users = tracking->writers = tracking->readers = all;
  return storage->accesses.count && is_shared(tracking);
}

static void maintain_storage(maintenance *maintenance, zc_storage *storage) {
  tracking tracking;
  if (!begin_tracking(&tracking, maintenance, storage))
    return;
  if (!is_followed(maintenance, storage) || !follow_accesses(&tracking))
    maintain_each_access(&tracking);
}

/* A device that writes a part of a cache line reads the rest of it, so it may invalidate that. */
static void find_partial_writes(maintenance *maintenance, zc_storage *storage) {
  tracking tracking;
  if (!begin_tracking(&tracking, maintenance, storage))
    return;
  zc_value_class *class = zc_class_of(maintenance->values, storage->root);
  for (int i = 0; i < storage->accesses.count; ++i) {
    const zc_access *access = zc_list_at(&storage->accesses, zc_access *, i);
    extent extent = extent_of(&tracking, access);
    if ((access->range.mode & ZC_ACCESS_WRITE) && !fills_lines(maintenance->context->ops, &extent))
      class->readers |= access->region->devices ? access->region->devices : tracking.users;
  }
}

/* ---- from requests to ops ---- */

static int compare_requests(const void *left, const void *right) {
  const request *a = left;
  const request *b = right;
  if (a->invalidate != b->invalidate)
    return a->invalidate ? -1 : 1;
  if (a->access->storage != b->access->storage)
    return a->access->storage->number < b->access->storage->number ? -1 : 1;
  if (a->extent.constant != b->extent.constant)
    return a->extent.constant ? -1 : 1;
  if (a->extent.constant && a->extent.first_line != b->extent.first_line)
    return a->extent.first_line < b->extent.first_line ? -1 : 1;
  return a->order - b->order;
}

static bool joins(const request *a, const request *b) {
  if (a->invalidate != b->invalidate || a->access->storage != b->access->storage)
    return false;
  if (a->extent.constant && b->extent.constant)
    return b->extent.first_line <= a->extent.last_line;
  return same_values(&a->extent, &b->extent);
}

/* Contiguous and repeated ranges become one. Sorted, constant ones follow one another; others are few. */
static int merge_requests(zc_list *requests) {
  qsort(requests->items, (size_t)requests->count, sizeof(request), compare_requests);
  int kept = 0;
  for (int i = 0; i < requests->count; ++i) {
    const request *next = &zc_list_at(requests, request, i);
    int into = kept - 1;
    while (into >= 0 && !next->extent.constant && !joins(&zc_list_at(requests, request, into), next) &&
           zc_list_at(requests, request, into).access->storage == next->access->storage)
      --into;
    if (into < 0 || !joins(&zc_list_at(requests, request, into), next)) {
      zc_list_at(requests, request, kept++) = *next;
      continue;
    }
    extent *extent = &zc_list_at(requests, request, into).extent;
    if (extent->constant && next->extent.last_line > extent->last_line)
      extent->last_line = next->extent.last_line;
    if (extent->constant && next->extent.end > extent->end)
      extent->end = next->extent.end;
  }
  return requests->count = kept;
}

static MlirOperation make_op(maintenance *maintenance, const request *request) {
  const zc_access *access = request->access;
  MlirValue offset = request->extent.offset;
  MlirValue length = request->extent.length;
  if (request->extent.constant) {
    /* The last line may go beyond a storage of which the size isn't known. */
    int64_t end = request->extent.size < 0 ? request->extent.end : request->extent.last_line;
    offset = zc_index_constant(maintenance->constants, request->extent.first_line);
    length = zc_index_constant(maintenance->constants, end - request->extent.first_line);
  }
  MlirValue operands[] = {mlirOperationGetOperand(access->command, access->range.resource_operand),
                          mlirOperationGetOperand(access->command, access->range.size_operand), offset, length};
  const char *peer =
      zc_symbol_text(maintenance->context->arena, zc_devices_symbol(maintenance->context->devices, request->peer));
  const char *text = zc_arena_format(maintenance->context->arena, "#hal.device.affinity<%s>", peer);
  MlirContext mlir = maintenance->context->mlir;
  MlirNamedAttribute affinity = mlirNamedAttributeGet(mlirIdentifierGet(mlir, zc_str("source_affinity")),
                                                      mlirAttributeParseGet(mlir, zc_str(text)));
  MlirOperationState state =
      mlirOperationStateGet(zc_str(request->invalidate ? "stream.cmd.invalidate" : "stream.cmd.flush"),
                            mlirOperationGetLocation(access->command));
  mlirOperationStateAddOperands(&state, 4, operands);
  mlirOperationStateAddAttributes(&state, 1, &affinity);
  return mlirOperationCreate(&state);
}

/* Invalidates before everything in the region, flushes after: outside of what is unordered, inside of what is
 * signalled. */
static void carry_out(maintenance *maintenance, region_requests *requests) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(requests->region->execute));
  MlirOperation first = mlirBlockGetFirstOperation(body);
  MlirOperation last = mlirBlockGetTerminator(body);
  int count = merge_requests(&requests->requests);
  for (int i = 0; i < count; ++i) {
    const request *request = &zc_list_at(&requests->requests, struct request, i);
    mlirBlockInsertOwnedOperationBefore(body, request->invalidate ? first : last, make_op(maintenance, request));
  }
}

/* ---- what stands there already ---- */

typedef struct sweep {
  zc_context *context;
  zc_list found; ///< MlirOperation
} sweep;

static MlirWalkResult sweep_op(MlirOperation op, void *data) {
  sweep *sweep = data;
  zc_maintenance found;
  if (zc_is_maintenance(sweep->context, op, &found) && found.device >= 0 && found.peer >= 0 &&
      zc_is_maintained_link(sweep->context, found.device, found.peer))
    zc_list_push(sweep->context->arena, &sweep->found, MlirOperation, op);
  return MlirWalkResultAdvance;
}

/* Takes away the maintenance that this pass decides about. A region is left without anything only by that. */
static void remove_maintenance(zc_context *context, MlirOperation function, void *data) {
  (void)data;
  sweep sweep = {context, {0}};
  mlirOperationWalk(function, sweep_op, &sweep, MlirWalkPreOrder);
  for (int i = 0; i < sweep.found.count; ++i)
    zc_erase_command(context->ops, zc_list_at(&sweep.found, MlirOperation, i));
}

static void erase_empty_regions(zc_context *context, const zc_list *executes) {
  zc_timepoint_edits edits = zc_timepoint_edits_begin(context);
  for (int i = 0; i < executes->count; ++i)
    zc_erase_if_empty(&edits, zc_list_at(executes, MlirOperation, i));
  zc_timepoint_edits_end(&edits);
}

/* ---- a function ---- */

/* The functions of a module, each read once. */
typedef struct functions {
  zc_values *values;
  zc_list all; ///< maintenance *
} functions;

static void begin_function(zc_context *context, MlirOperation function, void *data) {
  functions *functions = data;
  maintenance *maintenance = zc_arena_new(context->arena, struct maintenance);
  *maintenance = (struct maintenance){.context = context,
                                      .values = functions->values,
                                      .scheduled = zc_scheduled_create(context, function),
                                      .by_region = zc_ptr_map_create(context->arena),
                                      .constants = zc_constants_create(context, function)};
  for (int i = 0; i < maintenance->scheduled->roots.count; ++i) {
    zc_storage *storage = zc_list_at(&maintenance->scheduled->roots, zc_storage *, i);
    storage->number = i;
    find_partial_writes(maintenance, storage);
  }
  zc_list_push(context->arena, &functions->all, struct maintenance *, maintenance);
}

static void maintain_function(maintenance *maintenance) {
  for (int i = 0; i < maintenance->scheduled->roots.count; ++i)
    maintain_storage(maintenance, zc_list_at(&maintenance->scheduled->roots, zc_storage *, i));
  for (int i = 0; i < maintenance->regions.count; ++i)
    carry_out(maintenance, zc_list_at(&maintenance->regions, region_requests *, i));
  zc_ptr_map_release(maintenance->by_region);
  zc_constants_release(maintenance->constants);
  zc_scheduled_release(maintenance->scheduled);
}

static MlirWalkResult list_execute(MlirOperation op, void *data) {
  sweep *sweep = data;
  if (zc_op_of(sweep->context->ops, op) != ZC_OP_CMD_EXECUTE)
    return MlirWalkResultAdvance;
  zc_list_push(sweep->context->arena, &sweep->found, MlirOperation, op);
  return MlirWalkResultSkip;
}

static MlirLogicalResult run(zc_context *context) {
  if (zc_topology_is_empty(context->topology))
    return mlirLogicalResultSuccess();
  zc_for_each_function(context, remove_maintenance, NULL);
  functions functions = {.values = zc_values_create(context)};
  zc_for_each_function(context, begin_function, &functions);
  for (int i = 0; i < functions.all.count; ++i)
    maintain_function(zc_list_at(&functions.all, maintenance *, i));
  zc_values_release(functions.values);
  sweep executes = {context, {0}};
  mlirOperationWalk(context->module, list_execute, &executes, MlirWalkPreOrder);
  erase_empty_regions(context, &executes.found);
  return mlirLogicalResultSuccess();
}

MlirPass streamZcCreateMaintainCoherencePass(const StreamZcOptions *options) {
  static const double id;
  return zc_pass_create(&id, "MaintainCoherence", "zc-maintain-coherence",
                        "Places the cache maintenance that non-coherent hand-offs need, and no other", options, run);
}
