/* Runtime words: the first eight bytes are one, what follows is text that may be one. A word is written and read in
 * three forms (hexadecimal, its fields as JSON, its meaning as a topology), which must agree. */
#include "testdata/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "capi/text.h"
#include "capi/topology_runtime.h"
#include "stream_zc/Topology.h"

static MlirModule make_module(MlirContext context) {
  return mlirModuleCreateParse(context, zc_str("module {\nutil.global private @a : !hal.device\n"
                                               "util.global private @b : !hal.device\n}"));
}

/* The links that a `runtime` value stands for, as JSON without it; an empty text where it is refused. */
static fuzz_text read_link(MlirOperation module, zc_arena *arena, const char *runtime) {
  const char *json =
      zc_arena_format(arena, "{\"links\": [{\"from\": \"a\", \"to\": \"b\", \"runtime\": %s}]}", runtime);
  fuzz_text printed = {NULL, 0};
  int before = fuzz_num_diagnostics();
  if (mlirLogicalResultIsSuccess(streamZcModuleSetTopologyFromJSON(module, zc_str(json), zc_str("f.json"))))
    fuzz_require(mlirLogicalResultIsSuccess(streamZcModulePrintTopologyJSON(module, fuzz_append, &printed)),
                 "what was read can be printed");
  else
    fuzz_require(fuzz_num_diagnostics() == before + 1, "one error where a value is refused");
  return printed;
}

static void check_effect(zc_arena *arena, const zc_runtime_edge *edge) {
  zc_runtime_effect effect = zc_runtime_resolve(arena, edge);
  fuzz_require(!effect.unified || effect.accessible, "unified memory is accessible");
  fuzz_require(*effect.accessible_why && *effect.unified_why && *effect.coherent_why, "every property has a reason");
}

static void check_word(MlirOperation module, zc_arena *arena, uint64_t word) {
  zc_runtime_edge edge;
  bool known = !zc_runtime_decode(arena, word, &edge);
  fuzz_require(!known || zc_runtime_encode(&edge) == word, "a word is its fields");
  const char *text = zc_arena_format(arena, "0x%llx", (unsigned long long)word);
  uint64_t again;
  fuzz_require(zc_runtime_parse_word(text, &again) && again == word, "a word is read as it was written");
  zc_runtime_field blamed;
  bool usable = known && !zc_runtime_check(arena, &edge, &blamed);
  if (usable)
    check_effect(arena, &edge);
  fuzz_text whole = read_link(module, arena, zc_arena_format(arena, "\"%s\"", text));
  fuzz_require(usable == !!whole.length, "a link is what the runtime can make and a program can use");
  if (known) {
    fuzz_text fields = read_link(module, arena, zc_runtime_edge_text(arena, &edge));
    fuzz_require(whole.length == fields.length && (!usable || strcmp(whole.text, fields.text) == 0),
                 "the fields of a word mean what it means");
    free(fields.text);
  }
  free(whole.text);
}

static void check_text(MlirOperation module, zc_arena *arena, const char *text) {
  uint64_t word;
  if (zc_runtime_parse_word(text, &word))
    check_word(module, arena, word);
  free(read_link(module, arena, text).text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  MlirModule module = make_module(fuzz_context());
  MlirOperation op = mlirModuleGetOperation(module);
  zc_arena *arena = zc_arena_create();
  uint64_t word = 0;
  size_t taken = size < sizeof word ? size : sizeof word;
  memcpy(&word, data, taken);
  check_word(op, arena, word);
  /* Most words have a bit that means nothing. */
  check_word(op, arena, word & 0x0007ffff01ffffff);
  char *text = malloc(size - taken + 1);
  memcpy(text, data + taken, size - taken);
  text[size - taken] = '\0';
  check_text(op, arena, text);
  free(text);
  mlirModuleDestroy(module);
  zc_arena_destroy(arena);
  return 0;
}
