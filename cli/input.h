/* The input text and its parts. */
#ifndef ZC_CLI_INPUT_H
#define ZC_CLI_INPUT_H

#include <stdbool.h>
#include <stddef.h>

#include "capi/arena.h"

/// A file in memory, null-terminated after `length` bytes.
typedef struct zc_text {
  const char *name; ///< As in locations: the path, or <stdin>.
  char *data;       ///< From malloc.
  size_t length;
} zc_text;

/// Reads the file at `path`, or standard input for "-". On failure `data` is null and errno says why.
bool zc_text_read(zc_text *text, const char *path);
void zc_text_release(zc_text *text);

/// Nothing but white space and zero bytes, which MLIR takes for an empty module.
bool zc_text_is_blank(const zc_text *text);
bool zc_text_is_bytecode(const zc_text *text);

/// The line with this number (from 1) without its end; null where there is none.
const char *zc_text_line(const zc_text *text, int line, size_t *length);

/// A part of a text that is an input of its own.
typedef struct zc_chunk {
  const char *data;
  size_t length;
  int line; ///< In the text, of the first character; from 1.
} zc_chunk;

/// The parts between `// -----` lines, or the whole text as one: a list of zc_chunk in the arena.
zc_list zc_text_split(const zc_text *text, bool at_markers, zc_arena *arena);

#endif /* ZC_CLI_INPUT_H */
