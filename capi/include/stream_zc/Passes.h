/* The passes and pipelines, for programs that run them in a pass manager of their own. */
#ifndef STREAM_ZC_PASSES_H
#define STREAM_ZC_PASSES_H

#include "mlir-c/Pass.h"
#include "stream_zc/Report.h"
#include "stream_zc/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// What the passes are told. A pass copies this when it is created; `report` is borrowed and must outlive the pass.
typedef struct StreamZcOptions {
  bool remarks; ///< Emit a remark for each transfer: its decision and the reason.
  bool
      assumeShareableImports; ///< Imported buffers may be read by any device that shares memory with the importing one.
  bool keepAnnotations;       ///< Leave the zc.* attributes that a default pipeline would take off at its end.
  int64_t minAliasBytes;      ///< A transfer of fewer bytes than this stays a copy.
  int64_t limit;              ///< Apply only the first so many rewrites; negative: all.
  int64_t unroll;             ///< zc-verify-coherence runs a loop's body at most so often.
  MlirStringRef maintenance;  ///< How cache maintenance is lowered: hal (also if empty), dispatch, import:MODULE or
                              ///< keep; borrowed until the pass is created.
  MlirStringRef topologyFile; ///< What zc-import-topology reads; borrowed until the pass is created.
  StreamZcReport report;      ///< Null, or where decisions are recorded and rewrites are counted across passes.
} StreamZcOptions;

/// No remarks, no report, no limit, imports not shareable, every size aliased.
STREAM_ZC_EXPORTED StreamZcOptions streamZcOptionsGetDefault(void);

/// Sets in `options` what `text` says: `key=value` pairs split by spaces, as between the braces after a pass's name;
/// strings are borrowed from it. On an unknown key or a bad value: says so through `callback` and fails, with `options`
/// as far as it was read.
STREAM_ZC_EXPORTED MlirLogicalResult streamZcOptionsParse(StreamZcOptions *options, MlirStringRef text,
                                                          MlirStringCallback callback, void *userData);

/// One pass. All run on a builtin.module.
typedef struct StreamZcPassInfo {
  const char *argument; ///< As in a pipeline: "zc-classify-transfers".
  const char *summary;  ///< One line for --help and --list-passes.
  MlirPass (*create)(
      const StreamZcOptions *options); ///< The caller owns the pass, or a pass manager that it is added to.
} StreamZcPassInfo;

STREAM_ZC_EXPORTED intptr_t streamZcGetNumPasses(void);
STREAM_ZC_EXPORTED const StreamZcPassInfo *streamZcGetPass(intptr_t index);
/// The pass with this argument, or null.
STREAM_ZC_EXPORTED const StreamZcPassInfo *streamZcLookupPass(MlirStringRef argument);

STREAM_ZC_EXPORTED MlirPass streamZcCreatePinTransferKindPass(const StreamZcOptions *options);
STREAM_ZC_EXPORTED MlirPass streamZcCreateClassifyTransfersPass(const StreamZcOptions *options);
STREAM_ZC_EXPORTED MlirPass streamZcCreateElideTransfersPass(const StreamZcOptions *options);
STREAM_ZC_EXPORTED MlirPass streamZcCreateAliasAllocationsPass(const StreamZcOptions *options);
STREAM_ZC_EXPORTED MlirPass streamZcCreateOrderHazardsPass(const StreamZcOptions *options);
STREAM_ZC_EXPORTED MlirPass streamZcCreateMaintainCoherencePass(const StreamZcOptions *options);
STREAM_ZC_EXPORTED MlirPass streamZcCreateLowerCacheMaintenancePass(const StreamZcOptions *options);
STREAM_ZC_EXPORTED MlirPass streamZcCreateImportTopologyPass(const StreamZcOptions *options);
STREAM_ZC_EXPORTED MlirPass streamZcCreatePlaceTransferExecutionsPass(const StreamZcOptions *options);
STREAM_ZC_EXPORTED MlirPass streamZcCreateForwardCallResultsPass(const StreamZcOptions *options);
STREAM_ZC_EXPORTED MlirPass streamZcCreateVerifyCoherencePass(const StreamZcOptions *options);
STREAM_ZC_EXPORTED MlirPass streamZcCreateSetAsideTopologyPass(const StreamZcOptions *options);
STREAM_ZC_EXPORTED MlirPass streamZcCreateRestoreTopologyPass(const StreamZcOptions *options);

/// What a module holds, which chooses its default pipeline.
typedef enum StreamZcLevel {
  StreamZcLevelNone,           ///< No tensor or stream program: nothing to do.
  StreamZcLevelFlow,           ///< flow.* on tensors (iree-compile --compile-to=flow).
  StreamZcLevelTensor,         ///< stream.tensor/async.* on !stream.resource<*>.
  StreamZcLevelAsync,          ///< stream.async.* with lifetimes, not scheduled.
  StreamZcLevelAsyncScheduled, ///< stream.async.execute.
  StreamZcLevelCmd,            ///< stream.cmd.* (iree-compile --compile-to=stream).
} StreamZcLevel;
STREAM_ZC_EXPORTED StreamZcLevel streamZcModuleGetLevel(MlirOperation module);

/// Adds a textual pipeline, the inside of `builtin.module(...)`, that may mix the passes above with any registered pass
/// or pipeline. `options` is what our passes start from before the options in the text. On failure says why through
/// `callback`.
STREAM_ZC_EXPORTED MlirLogicalResult streamZcAddPipeline(MlirOpPassManager passManager, MlirStringRef pipeline,
                                                         const StreamZcOptions *options, MlirStringCallback callback,
                                                         void *userData);

/// The default pipeline for `level` as text for streamZcAddPipeline; null where there is nothing to run. Static.
STREAM_ZC_EXPORTED const char *streamZcGetDefaultPipeline(StreamZcLevel level);

/// What the default pipeline for `level` is without our passes: IREE's own part of it, for comparison; null where it is
/// empty.
STREAM_ZC_EXPORTED const char *streamZcGetStockPipeline(StreamZcLevel level);

/// Whether a pipeline keeps what a program computes.
typedef enum StreamZcVerdict {
  StreamZcVerdictEqual,     ///< Every value that can be observed is the same, in every order.
  StreamZcVerdictUnknown,   ///< Not refuted, but not all of it could be followed; remarks say why.
  StreamZcVerdictDifferent, ///< Errors say what differs.
} StreamZcVerdict;

/// The values that can be observed of a module: exports, global stores, returned resources, operands of calls and
/// dispatches.
typedef struct StreamZcTranslation {
  void *ptr;
} StreamZcTranslation;

/// Takes them from `module`, before passes run on it; of one that isn't scheduled, as IREE's own passes alone schedule
/// it. The caller destroys the result, which the context must outlive. Null on failure, with an error emitted.
STREAM_ZC_EXPORTED StreamZcTranslation streamZcTranslationBegin(MlirOperation module, const StreamZcOptions *options);
/// Compares with `module`, after the passes; tells of differences and of what the checker finds in it.
STREAM_ZC_EXPORTED StreamZcVerdict streamZcTranslationEnd(StreamZcTranslation translation, MlirOperation module);
STREAM_ZC_EXPORTED void streamZcTranslationDestroy(StreamZcTranslation translation);
static inline bool streamZcTranslationIsNull(StreamZcTranslation translation) {
  return !translation.ptr;
}

#ifdef __cplusplus
}
#endif

#endif /* STREAM_ZC_PASSES_H */
