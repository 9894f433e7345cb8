/* zc-elide-transfers: on async IR, the result of a transfer becomes its source.
 *
 * Needs:    stream.async.transfer, before IREE materializes copy-on-write: a later in-place update of either name then
 * gets its protecting clone from IREE, as values of one SSA name do. Keeps:    every other op; where the topology lets
 * them, two transfers in a row become one first (passes/transfer_chains.h). Allocation, packing and placement stay
 * IREE's work. Declines: what passes/reasons.h lists; the transfer stays, and the remark says why. */
#include "passes/transfer_chains.h"
#include "passes/unscheduled_decisions.h"

static void elide(MlirOperation op) {
  MlirValue source = mlirOperationGetOperand(op, 0);
  zc_replace_op(op, &source);
}

static MlirLogicalResult run(zc_context *context) {
  zc_fold_transfer_chains(context);
  zc_values *values = zc_values_create(context);
  zc_list aliases = {0};
  bool failed = false;
  for (int i = 0; i < values->transfers.count; ++i) {
    zc_transfer transfer;
    zc_decide_transfer(values, i, &transfer);
    if (!zc_is_classified(transfer.op))
      failed |= mlirLogicalResultIsFailure(zc_publish(context, &transfer));
    if (!context->options.keepAnnotations)
      zc_remove_annotations(transfer.op);
    if (transfer.decision == ZC_DECISION_ALIAS)
      zc_list_push(context->arena, &aliases, MlirOperation, transfer.op);
  }
  for (int i = 0; i < aliases.count && !failed; ++i)
    elide(zc_list_at(&aliases, MlirOperation, i));
  zc_values_release(values);
  return failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}

MlirPass streamZcCreateElideTransfersPass(const StreamZcOptions *options) {
  static const double id;
  return zc_pass_create(&id, "ElideTransfers", "zc-elide-transfers",
                        "Replaces the result of a transfer by its source, on async IR", options, run);
}
