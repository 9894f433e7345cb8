/* --split-input-file and the expected-… comments: the parts are the text, and no comment of one is out of its bounds.
 */
#include "testdata/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "cli/expected.h"
#include "cli/input.h"

static void count_complaint(void *count, const zc_message *message) {
  fuzz_require(message->text && *message->text, "a complaint has a text");
  ++*(int *)count;
}

static void check_expectations(const zc_chunk *chunk, zc_arena *arena) {
  int complaints = 0;
  zc_expectations *expected = zc_expectations_read(chunk, "in.mlir", arena, count_complaint, &complaints);
  static const char *const texts[] = {"", "error", "a [b] c"};
  for (int i = 0; i < 3; ++i) {
    zc_message message = {(MlirDiagnosticSeverity)i, "in.mlir", chunk->line + i, 1, texts[i]};
    zc_expectations_take(expected, &message);
  }
  bool met = zc_expectations_end(expected);
  fuzz_require(!met || !complaints, "complaints are failures");
  zc_expectations_release(expected);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  zc_arena *arena = zc_arena_create();
  zc_text text = {"in.mlir", malloc(size + 1), size};
  memcpy(text.data, data, size);
  text.data[size] = '\0';
  zc_list chunks = zc_text_split(&text, true, arena);
  for (int i = 0; i < chunks.count; ++i) {
    const zc_chunk *chunk = &zc_list_at(&chunks, zc_chunk, i);
    fuzz_require(chunk->data >= text.data && chunk->length <= size && chunk->data + chunk->length <= text.data + size,
                 "a part lies in the text");
    check_expectations(chunk, arena);
  }
  free(text.data);
  zc_arena_destroy(arena);
  return 0;
}
