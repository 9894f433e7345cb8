/* Which writes a cache may hide, and which maintenance prevents it. */
#ifndef ZC_PASSES_VERIFY_UPKEEP_H
#define ZC_PASSES_VERIFY_UPKEEP_H

#include "passes/verify_memory.h"

/// A flush or invalidate that came after a write.
typedef struct zc_care {
  zc_span span;
  const zc_site *site;
  zc_upkeep *upkeep;
} zc_care;

/// A write that may still be read.
typedef struct zc_write {
  zc_span span;
  const zc_site *site;
  zc_list pieces;      ///< zc_piece
  zc_list replaced;    ///< struct zc_write *: what was in its place, for reads that nothing orders behind it.
  bool flushed;        ///< By whoever was there before this function.
  zc_list flushes;     ///< zc_care, by a device that may have written.
  zc_list invalidates; ///< zc_care, by any device.
} zc_write;

bool zc_site_before(const zc_site *a, const zc_site *b);
zc_arena *zc_memory_arena(zc_memory *memory);
zc_checks *zc_memory_checks(zc_memory *memory);

/// Whether a device of `readers` doesn't see without maintenance what one of `writers` writes; `from`, `to` (may be
/// null): the first such pair.
bool zc_find_maintained(const zc_checks *checks, zc_device_set writers, zc_device_set readers, int *from, int *to);

void zc_note_flush(zc_memory *memory, zc_write *write, const zc_span *span, const zc_maintenance *maintenance,
                   const zc_site *site);
void zc_note_invalidate(zc_memory *memory, zc_write *write, const zc_span *span, const zc_maintenance *maintenance,
                        const zc_site *site);
/// Whether what `write` left in `part` is flushed before `site`; what does that is of use.
bool zc_keep_flush_before(zc_memory *memory, const zc_write *write, const zc_span *part, const zc_site *site);

/// Checks that what `write` left in `part` has left its writer's cache before `site`, and (`sees`) that no older line
/// is left in the cache of `site`'s devices. Tells of a failure as `kind`, or as a missing flush where `kind` is a
/// stale read.
void zc_check_visible(zc_memory *memory, const zc_storage_state *storage, zc_write *write, const zc_site *site,
                      const zc_span *part, bool sees, zc_finding_kind kind);

/// Tells that `site` can't rely on `part` of `write`, because of `why`.
void zc_tell_invisible(zc_memory *memory, zc_finding_kind kind, const zc_storage_state *storage, const zc_site *site,
                       const zc_span *part, const zc_write *write, const char *why);

/// Checks that what `write` left in `part` has left its writer's cache before `site`, from where on the writer may
/// invalidate it.
void zc_check_kept(zc_memory *memory, const zc_storage_state *storage, zc_write *write, const zc_site *site,
                   const zc_span *part);

#endif /* ZC_PASSES_VERIFY_UPKEEP_H */
