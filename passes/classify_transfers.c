/* zc-classify-transfers: decides alias or copy for each transfer and writes it on the op, with the reason. Changes
 * nothing else, at whatever level the module is; the passes that rewrite decide the same. */
#include "passes/scheduled_decisions.h"
#include "passes/unscheduled_decisions.h"

typedef struct outcome {
  bool failed;
} outcome;

static void publish(zc_context *context, const zc_transfer *transfer, outcome *outcome) {
  if (mlirLogicalResultIsFailure(zc_publish(context, transfer)))
    outcome->failed = true;
  zc_annotate(context, transfer);
}

static void classify_scheduled(zc_context *context, MlirOperation function, void *data) {
  zc_scheduled *scheduled = zc_scheduled_create(context, function);
  for (int i = 0; i < scheduled->hand_offs.count; ++i) {
    zc_transfer transfer;
    zc_decide_hand_off(scheduled, &zc_list_at(&scheduled->hand_offs, zc_hand_off, i), &transfer);
    publish(context, &transfer, data);
  }
  zc_scheduled_release(scheduled);
}

static MlirLogicalResult run(zc_context *context) {
  outcome outcome = {false};
  if (streamZcModuleGetLevel(context->module) == StreamZcLevelCmd) {
    zc_report_begin(context->options.report, ZC_REPORT_SCHEDULED);
    zc_for_each_function(context, classify_scheduled, &outcome);
  } else {
    zc_report_begin(context->options.report, ZC_REPORT_UNSCHEDULED);
    zc_values *values = zc_values_create(context);
    for (int i = 0; i < values->transfers.count; ++i) {
      zc_transfer transfer;
      zc_decide_transfer(values, i, &transfer);
      publish(context, &transfer, &outcome);
    }
    zc_values_release(values);
  }
  return outcome.failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}

MlirPass streamZcCreateClassifyTransfersPass(const StreamZcOptions *options) {
  static const double id;
  return zc_pass_create(&id, "ClassifyTransfers", "zc-classify-transfers",
                        "Decides alias or copy for each transfer and annotates it with the reason", options, run);
}
