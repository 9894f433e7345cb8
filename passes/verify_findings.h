/* What the checker found, each once, and no more than a user can read. */
#ifndef ZC_PASSES_VERIFY_FINDINGS_H
#define ZC_PASSES_VERIFY_FINDINGS_H

#include "capi/ptr_map.h"
#include "passes/context.h"

typedef enum zc_finding_kind {
  ZC_FINDING_RACE,
  ZC_FINDING_STALE_READ,      ///< An invalidate is missing, short or misplaced.
  ZC_FINDING_MISSING_FLUSH,   ///< A flush is missing, short or misplaced.
  ZC_FINDING_DIRTY_OVERWRITE, ///< An old owner's dirty lines can land on top of a newer write.
  ZC_FINDING_UNDEFINED,       ///< Memory is read that nothing wrote.
  ZC_FINDING_FREED,           ///< Memory is used that is or may be freed.
  ZC_FINDING_DROPPED,         ///< An invalidate drops what its device wrote and didn't flush.
  ZC_FINDING_REDUNDANT,       ///< Maintenance whose removal changes nothing: a warning.
  ZC_FINDING_UNDECIDED,       ///< A race that the input has too, if it is one: a remark.
} zc_finding_kind;

typedef struct zc_findings {
  zc_context *context;
  zc_ptr_map *known; ///< Pairs of places that were told of.
  int64_t total;     ///< All findings, told or not.
  int64_t errors;
  int64_t undecided;
  int told;
} zc_findings;

void zc_findings_begin(zc_findings *findings, zc_context *context);
void zc_findings_release(zc_findings *findings);
/// True the first time that `kind` is found between these two ops (the second may be null): then zc_findings_tell is
/// due.
bool zc_findings_add(zc_findings *findings, zc_finding_kind kind, MlirOperation at, MlirOperation other);
/// Whether the next one would still be shown.
bool zc_findings_wants_text(const zc_findings *findings);
/// Shows one, at `at`: an error, a warning for what is redundant, a remark for what is undecided.
void zc_findings_tell(zc_findings *findings, zc_finding_kind kind, MlirOperation at, const char *text);
/// Says how many were not shown.
void zc_findings_end(zc_findings *findings);

/// Where `op` stands, for the middle of a message: "m.mlir:3:4"; in the arena.
const char *zc_place_text(zc_context *context, MlirOperation op);

#endif /* ZC_PASSES_VERIFY_FINDINGS_H */
