/* What a run of the passes decided and did, for people and for tools. */
#ifndef STREAM_ZC_REPORT_H
#define STREAM_ZC_REPORT_H

#include "mlir-c/IR.h"
#include "stream_zc/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct StreamZcReport {
  void *ptr;
} StreamZcReport;

/// Which side of the rewrite a module is.
typedef enum StreamZcReportSide { StreamZcReportBefore, StreamZcReportAfter } StreamZcReportSide;

/// Makes an empty report; the caller destroys it, after the passes that were given it and before the context.
STREAM_ZC_EXPORTED StreamZcReport streamZcReportCreate(void);
STREAM_ZC_EXPORTED void streamZcReportDestroy(StreamZcReport report);
static inline bool streamZcReportIsNull(StreamZcReport report) {
  return !report.ptr;
}

/// Counts the copies, copied bytes, allocations, allocated bytes, flushes and invalidates of scheduled IR in `module`
/// into the report's totals for `side`. Counting twice replaces the first count. Sizes that are not constant count as
/// dynamic, not as zero bytes.
STREAM_ZC_EXPORTED void streamZcReportCountModule(StreamZcReport report, StreamZcReportSide side, MlirOperation module);

/// Writes the report as JSON in UTF-8 (docs/report.md), in pieces, through `callback`.
STREAM_ZC_EXPORTED void streamZcReportPrintJSON(StreamZcReport report, MlirStringCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif /* STREAM_ZC_REPORT_H */
