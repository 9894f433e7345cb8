/* The MLIR that the passes run in: IREE's compiler library, which exports the mlir-c API and registers IREE's dialects
 * and passes. */
#ifndef STREAM_ZC_PROVIDER_H
#define STREAM_ZC_PROVIDER_H

#include "mlir-c/IR.h"
#include "stream_zc/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Makes a context with every dialect that iree-compile has, after registering all of IREE's and MLIR's passes (once in
/// a process). The caller destroys the context. `threading` lets the pass manager run on several threads.
STREAM_ZC_EXPORTED MlirContext streamZcContextCreate(bool threading);

/// IREE's revision as its library states it; empty where the library was built without one. Lives as long as the
/// library.
STREAM_ZC_EXPORTED MlirStringRef streamZcProviderGetRevision(void);

/// The version of this project, "major.minor.patch".
STREAM_ZC_EXPORTED MlirStringRef streamZcGetVersion(void);

#ifdef __cplusplus
}
#endif

#endif /* STREAM_ZC_PROVIDER_H */
