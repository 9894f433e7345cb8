/* zc-place-transfer-executions: says where a transfer executes that brings a value to where it is pinned.
 *
 * Needs:    stream.async.transfer on resources with lifetimes, before IREE forms execution regions.
 * Meaning:  a transfer executes with its source's device unless its lifetimes say otherwise. Where its result must end
 * up on one other device, this device has to do it: it owns the memory that is written. Keeps:    an `on(..)` that
 * stands there, and `from(..)` and `to(..)`, which tell where the memory is. Same results as IREE's
 * iree-stream-place-transfer-executions, in linear time. */
#include "capi/diagnostics.h"
#include "capi/text.h"
#include "passes/pinned_affinities.h"

#define EXECUTION_AFFINITY "execution_affinity"

/* AsyncTransferOp::getDefaultExecutionAffinityAttr, Stream/IR/StreamOps.cpp: from staging to staging the source's
 * device, out of external or staging memory the result's, else the source's. */
static MlirAttribute default_affinity(const zc_context *context, MlirOperation transfer) {
  zc_lifetime from = zc_lifetime_of(context->ops, mlirValueGetType(mlirOperationGetOperand(transfer, 0)));
  zc_lifetime to = zc_lifetime_of(context->ops, mlirValueGetType(mlirOperationGetResult(transfer, 0)));
  bool consumer = from == ZC_LIFETIME_EXTERNAL || (from == ZC_LIFETIME_STAGING && to != ZC_LIFETIME_STAGING);
  return zc_attribute(transfer, consumer ? "target_affinity" : "source_affinity");
}

static bool needs(zc_context *context, MlirOperation transfer, MlirAttribute pinned) {
  MlirAttribute target = zc_attribute(transfer, "target_affinity");
  return !mlirAttributeIsNull(target) && zc_affinity_can_execute_with(context->affinities, pinned, target) &&
         !zc_affinity_can_execute_with(context->affinities, default_affinity(context, transfer), pinned);
}

typedef struct placement {
  zc_context *context;
  const zc_pins *pins;
} placement;

static MlirWalkResult place(MlirOperation op, void *data) {
  const placement *placement = data;
  zc_context *context = placement->context;
  if (zc_op_of(context->ops, op) != ZC_OP_ASYNC_TRANSFER || !mlirAttributeIsNull(zc_attribute(op, EXECUTION_AFFINITY)))
    return MlirWalkResultAdvance;
  MlirAttribute pinned = zc_pins_unique(placement->pins, mlirOperationGetResult(op, 0));
  if (mlirAttributeIsNull(pinned) || !needs(context, op, pinned))
    return MlirWalkResultAdvance;
  mlirOperationSetInherentAttributeByName(op, zc_str(EXECUTION_AFFINITY), pinned);
  if (context->options.remarks)
    zc_remark_at(mlirOperationGetLocation(op), "transfer executes on %s: its result is pinned there",
                 zc_attribute_text(context->arena, pinned));
  return MlirWalkResultAdvance;
}

static MlirLogicalResult run(zc_context *context) {
  zc_pins *pins = zc_pins_create(context);
  placement placement = {context, pins};
  mlirOperationWalk(context->module, place, &placement, MlirWalkPreOrder);
  zc_pins_release(pins);
  return mlirLogicalResultSuccess();
}

MlirPass streamZcCreatePlaceTransferExecutionsPass(const StreamZcOptions *options) {
  static const double id;
  return zc_pass_create(&id, "PlaceTransferExecutions", "zc-place-transfer-executions",
                        "Has transfers into pinned results execute where these are", options, run);
}
