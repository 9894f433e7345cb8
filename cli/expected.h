/* --verify-diagnostics: the expected-error, -warning, -remark and -note comments of an input. */
#ifndef ZC_CLI_EXPECTED_H
#define ZC_CLI_EXPECTED_H

#include <stdbool.h>

#include "capi/arena.h"
#include "cli/input.h"
#include "mlir-c/Diagnostics.h"

typedef struct zc_expectations zc_expectations;

/// One diagnostic or note, as it is shown.
typedef struct zc_message {
  MlirDiagnosticSeverity severity;
  const char *file; ///< Null: no position.
  int line;         ///< 0: no position in the file.
  int column;
  const char *text;
} zc_message;

/// What is wrong is told to `complain` with the position in `file`.
typedef void (*zc_complain)(void *data, const zc_message *message);

const char *zc_severity_name(MlirDiagnosticSeverity severity);

/// Reads the comments of `chunk`, a part of `file`. Malformed ones are complained of and count as not met.
zc_expectations *zc_expectations_read(const zc_chunk *chunk, const char *file, zc_arena *arena, zc_complain complain,
                                      void *data);
/// Frees what the arena doesn't hold.
void zc_expectations_release(zc_expectations *expected);

/// Looks for the comment that expects `message` and complains where there is none.
void zc_expectations_take(zc_expectations *expected, const zc_message *message);
/// Complains of each comment that nothing has met. Returns whether there was no complaint at all.
bool zc_expectations_end(zc_expectations *expected);

#endif /* ZC_CLI_EXPECTED_H */
