/* Pipeline strings and the options of our passes: taken, or told why not. */
#include "testdata/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "capi/text.h"
#include "mlir-c/Pass.h"
#include "passes/lower_cache_maintenance.h"
#include "stream_zc/Passes.h"

static void check_options(MlirStringRef text) {
  StreamZcOptions options = streamZcOptionsGetDefault();
  fuzz_text why = {NULL, 0};
  bool good = mlirLogicalResultIsSuccess(streamZcOptionsParse(&options, text, fuzz_append, &why));
  fuzz_require(good == !why.length, "a message where the options are wrong");
  fuzz_require(options.minAliasBytes >= 0 && options.limit >= -1 && options.unroll >= 1, "no number below its least");
  zc_lowering_mode mode;
  fuzz_require(zc_lowering_mode_parse(options.maintenance, &mode), "a mode that is taken is one");
  free(why.text);
}

static void check_pipeline(MlirContext context, MlirStringRef text) {
  MlirPassManager manager = mlirPassManagerCreateOnOperation(context, zc_str("builtin.module"));
  StreamZcOptions options = streamZcOptionsGetDefault();
  fuzz_text why = {NULL, 0}, printed = {NULL, 0};
  MlirOpPassManager passes = mlirPassManagerGetAsOpPassManager(manager);
  bool good = mlirLogicalResultIsSuccess(streamZcAddPipeline(passes, text, &options, fuzz_append, &why));
  fuzz_require(good || why.length || fuzz_num_diagnostics(), "a message where the pipeline is wrong");
  if (good)
    mlirPrintPassPipeline(passes, fuzz_append, &printed);
  free(why.text);
  free(printed.text);
  mlirPassManagerDestroy(manager);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MlirContext context = fuzz_context();
  char *text = malloc(size ? size : 1);
  memcpy(text, data, size);
  check_options(mlirStringRefCreate(text, size));
  check_pipeline(context, mlirStringRefCreate(text, size));
  free(text);
  return 0;
}
