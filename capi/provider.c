#include "stream_zc/Provider.h"

#include "mlir-c/Support.h"

/* IREE's own exports; its headers aren't in the wheel
 * (compiler/bindings/c/iree/compiler/{embedding_api,mlir_interop}.h). */
void ireeCompilerGlobalInitialize(void);
const char *ireeCompilerGetRevision(void);
void ireeCompilerRegisterDialects(MlirDialectRegistry registry);
void ireeCompilerInitializeContext(MlirContext context);

MlirContext streamZcContextCreate(bool threading) {
  /* Registers all passes, too. Counted by the library: each call after the first is cheap. */
  ireeCompilerGlobalInitialize();
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  ireeCompilerRegisterDialects(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, threading);
  ireeCompilerInitializeContext(context);
  mlirContextEnableMultithreading(context, threading); /* IREE has just turned it on. */
  mlirDialectRegistryDestroy(registry);
  return context;
}

MlirStringRef streamZcProviderGetRevision(void) {
  ireeCompilerGlobalInitialize(); /* Before it the library ends the process at this question. */
  return mlirStringRefCreateFromCString(ireeCompilerGetRevision());
}

MlirStringRef streamZcGetVersion(void) {
  return mlirStringRefCreateFromCString(STREAM_ZC_VERSION);
}
