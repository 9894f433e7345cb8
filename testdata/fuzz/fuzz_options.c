/* The command line: one argument a line. */
#include "testdata/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "cli/options.h"

enum { MAX_ARGUMENTS = 64 };

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
  bool good = zc_cli_options_parse(&options, count, arguments, arena);
  fuzz_require(!good || (options.input && options.output), "a good command line has an input and an output");
  zc_arena_destroy(arena);
  free(text);
  return 0;
}
