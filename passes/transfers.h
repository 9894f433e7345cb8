/* A transfer and what was decided about it, at any level of IR. */
#ifndef ZC_PASSES_TRANSFERS_H
#define ZC_PASSES_TRANSFERS_H

#include "passes/context.h"
#include "passes/reasons.h"
#include "passes/report.h"

/// Discardable attributes that zc-classify-transfers leaves on a transfer for the passes after it, and a user's wish.
#define ZC_DECISION_ATTRIBUTE "zc.decision"
#define ZC_REASON_ATTRIBUTE "zc.reason"
#define ZC_KIND_ATTRIBUTE "zc.kind"

typedef struct zc_transfer {
  MlirOperation op;
  const char *function;
  int source_device; ///< -1: unknown.
  int target_device; ///< -1: unknown.
  int64_t bytes;     ///< -1: not constant.
  zc_decision decision;
  zc_reason reason;
  MlirOperation conflict; ///< The op that the reason is about; null where there is none.
  const char *detail;     ///< The link or the number that the reason is about; null where there is none.
} zc_transfer;

typedef enum zc_kind { ZC_KIND_ANY, ZC_KIND_ALIAS, ZC_KIND_COPY, ZC_KIND_INVALID } zc_kind;

/// What the user asks for: `zc.kind` on the op, else in its location. INVALID where it is neither "alias" nor "copy".
zc_kind zc_explicit_kind(zc_context *context, MlirOperation op);

/// What a location says by its metadata (fused<{zc.kind = "…"}>), or else what its parts say, through fused, named and
/// call-site locations. A copy wins over an alias; `conflicting` is set where both are there.
zc_kind zc_location_kind(zc_context *context, MlirLocation location, bool *conflicting);

/// Fails, with an error at the op, where the kind is INVALID.
MlirLogicalResult zc_verify_kind(MlirOperation op, zc_kind kind);

void zc_decide_copy(zc_transfer *transfer, zc_reason reason);
void zc_decide_copy_for(zc_transfer *transfer, zc_reason reason, MlirOperation conflict);

/// Decides what needs no look at the program around a transfer: the user's wish, a classification that stands on the
/// op, sizes, unknown devices, a missing link between source and target. False where it stays a copy for such a reason.
bool zc_decide_locally(zc_context *context, zc_transfer *transfer);

/// Decides whether one storage can serve `users`: sets an alias with its reason, or a copy. Whether they see each
/// other's writes doesn't matter: zc-maintain-coherence sees to that.
bool zc_decide_by_topology(zc_context *context, zc_transfer *transfer, zc_device_set users);

/// Whether two of `users` have a link that isn't coherent and whose cache lines are longer than `bytes`.
bool zc_has_long_lines(zc_context *context, zc_device_set users, int64_t bytes);

/// Takes one rewrite off the limit for a transfer that is to be an alias; a copy where none is left.
bool zc_decide_within_limit(zc_context *context, zc_transfer *transfer);

/// Whether the op carries a decision already: it was shown and recorded then.
bool zc_is_classified(MlirOperation op);
/// Puts decision and reason on the op.
void zc_annotate(zc_context *context, const zc_transfer *transfer);
void zc_remove_annotations(MlirOperation op);

/// Shows a remark (if asked for) and records the transfer. Fails, with an error at the transfer, where the user asked
/// for an alias that cannot be, or wrote a kind that there isn't.
MlirLogicalResult zc_publish(zc_context *context, const zc_transfer *transfer);

#endif /* ZC_PASSES_TRANSFERS_H */
