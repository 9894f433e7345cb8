/* The passes' side of stream_zc/Report.h. */
#ifndef ZC_PASSES_REPORT_H
#define ZC_PASSES_REPORT_H

#include <stdint.h>

#include "mlir-c/IR.h"
#include "passes/reasons.h"
#include "stream_zc/Report.h"

/// One transfer. Strings are copied by zc_report_add.
typedef struct zc_transfer_record {
  MlirLocation location;
  const char *function; ///< Symbol of the function; "" in an initializer.
  const char *source;   ///< Symbol of the source device; null where unknown.
  const char *target;   ///< Symbol of the target device; null where unknown.
  int64_t bytes;        ///< -1: not constant.
  zc_decision decision;
  zc_reason reason;
  const char *conflict;           ///< Name of the op in conflict; null where there is none.
  MlirLocation conflict_location; ///< Its location; null where there is none.
} zc_transfer_record;

/// Where records come from. Scheduled IR shows again what earlier IR kept as copies.
typedef enum zc_report_level { ZC_REPORT_UNSCHEDULED, ZC_REPORT_SCHEDULED } zc_report_level;

/// Begins the records of one classification: drops those of the same level, and of an earlier one those that kept a
/// copy. Nothing happens for a null report; so for the functions below.
void zc_report_begin(StreamZcReport report, zc_report_level level);
void zc_report_add(StreamZcReport report, const zc_transfer_record *record);

/// Whether another rewrite may be applied under `limit` (negative: always), counting it if so. For a null report
/// `*local` counts instead.
bool zc_report_take_rewrite(StreamZcReport report, int64_t limit, int64_t *local);

#endif /* ZC_PASSES_REPORT_H */
