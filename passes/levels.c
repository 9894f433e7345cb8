/* What a module holds, and the pipeline that this asks for. The whole of the default pipelines stands here. */
#include "capi/ops.h"
#include "capi/text.h"
#include "stream_zc/Passes.h"

#define ASYNC_PIPELINE "iree-stream-async-transformation-pipeline"
#define CMD_PIPELINE "iree-stream-cmd-transformation-pipeline"
/* The same, spelled out (Stream/Transforms/Passes.cpp, buildStreamCmdPassPipeline): zc-forward-call-results must come
 * between the propagation of subranges and IPO. */
#define LAYOUT "iree-stream-pack-constants,iree-stream-layout-slices,canonicalize"
#define CLEANUP                                                                                                        \
  "canonicalize,cse,iree-util-optimize-int-arithmetic,iree-util-simplify-global-accesses,iree-util-apply-patterns"
#define OUR_CMD_PIPELINE                                                                                               \
  "iree-stream-schedule-allocation,iree-stream-emplace-transients,iree-stream-materialize-transient-size-queries,"     \
  "func.func(" LAYOUT "),util.initializer(" LAYOUT "),util.func(" LAYOUT "),"                                          \
  "iree-util-propagate-subranges,"                                                                                     \
  "func.func(" CLEANUP "),util.initializer(" CLEANUP "),util.func(" CLEANUP "),"                                       \
  "iree-util-fold-globals,iree-util-fuse-globals,zc-forward-call-results,iree-util-ipo,"                               \
  "iree-stream-automatic-reference-counting,iree-stream-annotate-constant-transient-size,"                             \
  "iree-stream-verify-lowering-to-cmd"
/* With the clean-up that buildStreamTransformPassPipeline ends with. */
#define OPTIMIZATION_PIPELINE "iree-stream-optimization-pipeline,iree-stream-cleanup-pipeline,symbol-dce"
#define TENSOR_PIPELINE "iree-stream-tensor-transformation-pipeline"

/* The second half of IREE's async pipeline, for IR that comes in with lifetimes (Stream/Transforms/Passes.cpp,
 * buildStreamAsyncPassPipeline, "Stream formation and scheduling"), after the placement of transfers. */
#define SCHEDULE_PIPELINE                                                                                              \
  "util.initializer(iree-stream-schedule-execution,iree-stream-schedule-concurrency),"                                 \
  "util.func(iree-stream-schedule-execution,iree-stream-schedule-concurrency),"                                        \
  "iree-stream-sync-initializers,iree-stream-propagate-timepoints,iree-stream-materialize-builtins,"                   \
  "iree-stream-cleanup-pipeline"

#define SCHEDULED                                                                                                      \
  "zc-classify-transfers,zc-alias-allocations,zc-order-hazards,zc-maintain-coherence,"                                 \
  "zc-lower-cache-maintenance"
#define UNSCHEDULED "zc-classify-transfers,zc-elide-transfers"

#define TO_SCHEDULED OUR_CMD_PIPELINE "," OPTIMIZATION_PIPELINE ",zc-restore-topology," SCHEDULED

typedef struct level_pipelines {
  const char *ours;
  const char *stock;
} level_pipelines;

static const level_pipelines pipelines[] = {
    [StreamZcLevelNone] = {NULL, NULL},
    [StreamZcLevelFlow] = {"zc-pin-transfer-kind,zc-set-aside-topology," TENSOR_PIPELINE "," UNSCHEDULED
                           "," ASYNC_PIPELINE "," TO_SCHEDULED,
                           TENSOR_PIPELINE "," ASYNC_PIPELINE "," CMD_PIPELINE "," OPTIMIZATION_PIPELINE},
    [StreamZcLevelTensor] = {"zc-pin-transfer-kind,zc-set-aside-topology," UNSCHEDULED "," ASYNC_PIPELINE
                             "," TO_SCHEDULED,
                             ASYNC_PIPELINE "," CMD_PIPELINE "," OPTIMIZATION_PIPELINE},
    [StreamZcLevelAsync] = {"zc-pin-transfer-kind,zc-set-aside-topology," UNSCHEDULED
                            ",zc-place-transfer-executions," SCHEDULE_PIPELINE "," TO_SCHEDULED,
                            "iree-stream-place-transfer-executions," SCHEDULE_PIPELINE "," CMD_PIPELINE
                            "," OPTIMIZATION_PIPELINE},
    [StreamZcLevelAsyncScheduled] = {"zc-pin-transfer-kind,zc-set-aside-topology," TO_SCHEDULED,
                                     CMD_PIPELINE "," OPTIMIZATION_PIPELINE},
    [StreamZcLevelCmd] = {SCHEDULED, NULL},
};

const char *streamZcGetDefaultPipeline(StreamZcLevel level) {
  return pipelines[level].ours;
}
const char *streamZcGetStockPipeline(StreamZcLevel level) {
  return pipelines[level].stock;
}

/* What the ops of a module show, each kind by itself. */
typedef struct seen {
  bool flow;
  bool cmd;
  bool execute;
  bool unrefined; ///< !stream.resource<*>, or stream.tensor.* that works on resources.
  bool async;
} seen;

typedef struct level_walk {
  const zc_ops *ops;
  seen seen;
} level_walk;

static bool has_prefix(MlirStringRef text, const char *prefix) {
  zc_cursor cursor = {text.data, text.data + text.length};
  return zc_eat(&cursor, prefix);
}

static void look_at_types(level_walk *walk, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (zc_lifetime_of(walk->ops, mlirValueGetType(mlirOperationGetResult(op, i))) == ZC_LIFETIME_UNKNOWN)
      walk->seen.unrefined = true;
}

static MlirWalkResult look_at(MlirOperation op, void *data) {
  level_walk *walk = data;
  zc_op kind = zc_op_of(walk->ops, op);
  if (kind == ZC_OP_EXECUTABLE || kind == ZC_OP_FLOW_EXECUTABLE || kind == ZC_OP_HAL_EXECUTABLE)
    return MlirWalkResultSkip;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (has_prefix(name, "stream.cmd.") || kind == ZC_OP_ALLOCA)
    walk->seen.cmd = true;
  else if (kind == ZC_OP_ASYNC_EXECUTE)
    walk->seen.execute = true;
  else if (kind == ZC_OP_TENSOR_IMPORT || kind == ZC_OP_TENSOR_EXPORT) {
    /* At home in scheduled IR, too. */
  } else if (has_prefix(name, "stream.async.") || has_prefix(name, "stream.tensor."))
    walk->seen.async = true;
  else if (has_prefix(name, "flow.") || has_prefix(name, "hal.tensor."))
    walk->seen.flow = true;
  look_at_types(walk, op);
  return walk->seen.cmd ? MlirWalkResultInterrupt : MlirWalkResultAdvance;
}

StreamZcLevel streamZcModuleGetLevel(MlirOperation module) {
  zc_arena *arena = zc_arena_create();
  zc_ops *ops = zc_ops_create(arena, mlirOperationGetContext(module));
  level_walk walk = {ops, {0}};
  mlirOperationWalk(module, look_at, &walk, MlirWalkPreOrder);
  zc_ops_release(ops);
  zc_arena_destroy(arena);
  const seen *seen = &walk.seen;
  return seen->cmd         ? StreamZcLevelCmd
         : seen->execute   ? StreamZcLevelAsyncScheduled
         : seen->flow      ? StreamZcLevelFlow
         : seen->unrefined ? StreamZcLevelTensor
         : seen->async     ? StreamZcLevelAsync
                           : StreamZcLevelNone;
}
