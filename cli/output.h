/* Results on their way out: nothing is seen of them before all of them are complete. */
#ifndef ZC_CLI_OUTPUT_H
#define ZC_CLI_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "mlir-c/Support.h"

/// Text that grows, in memory. Write to `stream`.
typedef struct zc_buffer {
  FILE *stream;
  char *data; ///< Valid after zc_buffer_close.
  size_t length;
} zc_buffer;

bool zc_buffer_open(zc_buffer *buffer);
/// Ends writing; false where memory ran out.
bool zc_buffer_close(zc_buffer *buffer);
void zc_buffer_release(zc_buffer *buffer);
/// An MlirStringCallback; `buffer` is a zc_buffer.
void zc_buffer_append(MlirStringRef piece, void *buffer);

/// A file whose new content lies beside it until it is committed.
typedef struct zc_staged {
  char *path;       ///< Where it goes; null: standard output.
  char *temporary;  ///< Where it is; null: nowhere yet, `data` is written at the commit.
  const char *data; ///< Borrowed.
  size_t length;
} zc_staged;

/// Prepares to write `data` to `path` ("-": standard output). A file that is no regular one (a device, a pipe) is only
/// written at the commit. On failure nothing is left, and errno says why.
bool zc_stage(zc_staged *staged, const char *path, const char *data, size_t length);
/// Puts the content in place. On failure errno says why. Ends `staged` in any case.
bool zc_staged_commit(zc_staged *staged);
/// Drops the content if it is still there.
void zc_staged_discard(zc_staged *staged);

#endif /* ZC_CLI_OUTPUT_H */
