/* The topology file, in all its forms: one located error, or a topology that verifies and comes back from its own JSON.
 */
#include "testdata/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "capi/text.h"
#include "stream_zc/Topology.h"

static MlirModule make_module(MlirContext context) {
  return mlirModuleCreateParse(context, zc_str("module {\nutil.global private @a : !hal.device\n"
                                               "util.global private @b : !hal.device\n"
                                               "util.global private @\"c d\" : !hal.device\n}"));
}

static bool read(MlirOperation module, const char *text, size_t length) {
  return mlirLogicalResultIsSuccess(
      streamZcModuleSetTopologyFromJSON(module, mlirStringRefCreate(text, length), zc_str("f.json")));
}

static fuzz_text print(MlirOperation module) {
  fuzz_text json = {NULL, 0};
  fuzz_require(mlirLogicalResultIsSuccess(streamZcModulePrintTopologyJSON(module, fuzz_append, &json)),
               "what was read can be printed");
  return json;
}

static void check_round_trip(MlirOperation module) {
  fuzz_text first = print(module);
  fuzz_require(read(module, first.text, first.length), "what was printed can be read");
  fuzz_text second = print(module);
  fuzz_require(strcmp(first.text, second.text) == 0, "what was printed is read as the same");
  free(first.text);
  free(second.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MlirContext context = fuzz_context();
  MlirModule module = make_module(context);
  MlirOperation op = mlirModuleGetOperation(module);
  /* Exactly `size` bytes, so that a byte too far is seen. */
  char *text = malloc(size ? size : 1);
  memcpy(text, data, size);
  bool good = read(op, text, size);
  fuzz_require(fuzz_num_diagnostics() == !good, "one error, or none");
  if (good) {
    fuzz_require(mlirLogicalResultIsSuccess(streamZcModuleVerifyTopology(op)), "what was read verifies");
    check_round_trip(op);
  }
  fuzz_text shown = {NULL, 0};
  bool explained = mlirLogicalResultIsSuccess(
      streamZcModulePrintTopology(op, mlirStringRefCreate(text, size), zc_str("f.json"), fuzz_append, &shown));
  fuzz_require(explained == good, "what can be read can be explained");
  fuzz_require(fuzz_num_diagnostics() == (good ? 0 : 2), "one error each, or none");
  free(shown.text);
  free(text);
  mlirModuleDestroy(module);
  return 0;
}
