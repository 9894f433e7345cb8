/* The command line: one argument a line. */
#include "testdata/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "passes/lower_cache_maintenance.h"

enum { MAX_ARGUMENTS = 64 };

static void check(const zc_cli_options *options) {
  fuzz_require(options->input && options->output, "a good command line has an input and an output");
  fuzz_require(!options->report || !options->split_input_file, "what excludes each other is not given together");
  fuzz_require(options->passes.minAliasBytes >= 0 && options->passes.unroll >= 0, "no number is negative");
  zc_lowering_mode mode;
  fuzz_require(zc_lowering_mode_parse(options->passes.maintenance, &mode), "a mode that is taken is one");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *arguments[MAX_ARGUMENTS + 1] = {"stream-zc-opt"};
  int count = 1;
  char *text = malloc(size + 1);
  memcpy(text, data, size);
  text[size] = '\0';
  for (char *line = text; line && count < MAX_ARGUMENTS; ++count) {
    arguments[count] = line;
    line = strchr(line, '\n');
    if (line)
      *line++ = '\0';
  }
  zc_arena *arena = zc_arena_create();
  zc_cli_options options;
  if (zc_cli_options_parse(&options, count, arguments, arena))
    check(&options);
  zc_arena_destroy(arena);
  free(text);
  return 0;
}
