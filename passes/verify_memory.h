/* The memory model of the checker on one path: what each storage holds, which accesses are ordered, and which caches
 * may hold something older (docs/verification.md). Every method tells what it finds. */
#ifndef ZC_PASSES_VERIFY_MEMORY_H
#define ZC_PASSES_VERIFY_MEMORY_H

#include "capi/ptr_map.h"
#include "passes/maintenance.h"
#include "passes/verify_findings.h"
#include "passes/verify_order.h"
#include "passes/verify_pieces.h"

/// A block of commands in an execution region.
typedef struct zc_group {
  const struct zc_group *parent; ///< Null for the region's own block.
  int depth;
  bool concurrent; ///< Its commands are unordered.
} zc_group;

/// One command, or another op that uses memory.
typedef struct zc_site {
  const zc_moment *moment; ///< Null: before everything.
  const zc_group *group;   ///< Null outside of execution regions.
  int64_t sequence;        ///< In program order on this path.
  zc_device_set devices;   ///< Any of these executes it; empty for the host and for the unknown.
  MlirOperation op;
  zc_device_set droppers; ///< What it reads any of these may invalidate in its own cache, later.
  bool flushes;           ///< What it writes is flushed.
  bool maintains;         ///< It is a flush or an invalidate: neither reads nor writes for the program.
  bool dispatch;          ///< What it reads it may write: IREE ties operands to results.
} zc_site;

typedef struct zc_memory zc_memory;
typedef struct zc_storage_state zc_storage_state;

/// One maintenance op, over all paths.
typedef struct zc_upkeep {
  MlirOperation op;
  bool judged; ///< Whether it can be called redundant.
  bool needed;
} zc_upkeep;

/// What all functions of a module share.
typedef struct zc_checks {
  zc_context *context;
  zc_terms *terms;
  zc_findings *findings;
  bool silent;            ///< Only values are wanted.
  bool maintained;        ///< There is a link that needs maintenance.
  int64_t line;           ///< The longest cache line among such links.
  zc_ptr_map *upkeep;     ///< Op -> zc_upkeep.
  zc_list upkeeps;        ///< zc_upkeep *, in the order of first execution.
  zc_list choices;        ///< zc_list *: upkeeps each of which would do for one check.
  zc_ptr_map *open_races; ///< Term -> itself: races of the input that may be none; null: there is no input.
  zc_ptr_map *locations;  ///< Op -> its place as text.
  const char *fault;      ///< Where `silent`: what the present function certainly reads undefined; null: nothing.
} zc_checks;

/// Finds which links need maintenance.
void zc_checks_begin(zc_checks *checks, zc_context *context, zc_terms *terms, zc_findings *findings);
void zc_checks_release(zc_checks *checks);
/// The record of a maintenance op, made now if it is new.
zc_upkeep *zc_upkeep_of(zc_checks *checks, MlirOperation op, const zc_maintenance *maintenance);
/// Tells of maintenance that no check asked for.
void zc_checks_tell_redundant(zc_checks *checks);

/// Memory for one path. `path` gives what to say about it in messages.
zc_memory *zc_memory_create(zc_arena *arena, zc_checks *checks, const char *(*path)(void *), void *data);
void zc_memory_release(zc_memory *memory);

typedef struct zc_storage_init {
  MlirOperation op;      ///< That makes it, or the function.
  const zc_site *born;   ///< What makes it usable.
  const zc_term *size;   ///< Null where not known.
  const zc_term *value;  ///< What it holds; null: nothing.
  zc_device_set writers; ///< Who may have written that, flushed.
  bool fresh;            ///< An allocation of this function.
} zc_storage_init;
zc_storage_state *zc_storage_make(zc_memory *memory, const zc_storage_init *init);
const zc_term *zc_storage_size(const zc_storage_state *storage);
/// A command says how many bytes it has, where it begins at the storage's begin.
void zc_storage_declare(zc_storage_state *storage, int64_t size);
/// Whether accesses must be over when it is freed: not where several own it.
void zc_storage_retain(zc_storage_state *storage);

typedef enum zc_access_kind {
  ZC_READS = 1,          ///< The value matters.
  ZC_READS_CACHE = 2,    ///< By its devices: so it must be flushed and not be stale.
  ZC_READS_MEMORY = 4,   ///< Will be read by its devices, which invalidate first: so it must be flushed.
  ZC_READS_ANYTHING = 8, ///< What is not written may be read: the op also writes it.
  ZC_READS_PADDING = 16  ///< The range may be longer than the value in it, by what IREE pads.
} zc_access_kind;

/// Reads; `pieces` (zc_piece, in order) may be null.
void zc_memory_read(zc_memory *memory, zc_storage_state *storage, const zc_span *span, const zc_site *site, int kinds,
                    zc_list *pieces);
/// Keeps the read in mind, for later writes.
void zc_memory_note_read(zc_memory *memory, zc_storage_state *storage, const zc_span *span, const zc_site *site);
/// Writes `pieces`, whose spans are in `storage`; the list is kept.
void zc_memory_write(zc_memory *memory, zc_storage_state *storage, const zc_span *span, const zc_site *site,
                     const zc_list *pieces);
/// Replaces all that the storage holds by what someone else left there, flushed.
void zc_memory_take_from_outside(zc_memory *memory, zc_storage_state *storage, const zc_site *site,
                                 const zc_term *value, zc_device_set writers);
void zc_memory_maintain(zc_memory *memory, zc_storage_state *storage, const zc_span *span, const zc_site *site,
                        const zc_maintenance *maintenance);
void zc_memory_free(zc_memory *memory, zc_storage_state *storage, const zc_site *site);
/// Checks that no read of it may still be going on at `site`.
void zc_memory_wait_for_reads(zc_memory *memory, zc_storage_state *storage, const zc_site *site, const char *why);
/// What has to complete before all that was done with it so far has.
const zc_clock *zc_memory_clock(zc_memory *memory, zc_order *order, const zc_storage_state *storage);

/// Whether anything was written to it.
bool zc_storage_is_written(const zc_storage_state *storage);

#endif /* ZC_PASSES_VERIFY_MEMORY_H */
