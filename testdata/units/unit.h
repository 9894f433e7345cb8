/* What the unit tests share: cmocka's includes, a context for each program, and a log of the diagnostics. */
#ifndef ZC_UNIT_H
#define ZC_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka wants the four above first. */
#include <cmocka.h>

#include "capi/arena.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/IR.h"

/// Made by the first call, kept until the program ends. No threads.
MlirContext unit_context(void);

MlirAttribute unit_attribute(const char *text);

/// Parses a module that must be valid; the caller destroys it.
MlirModule unit_module(const char *text);

/// The diagnostics since the last call of unit_clear_diagnostics, as "location: severity: message" lines.
const char *unit_diagnostics(void);
int unit_num_diagnostics(void);
void unit_clear_diagnostics(void);

/// Appends to a string that starts as null; the callback for everything that mlir-c prints. The caller frees it.
void unit_append(MlirStringRef piece, void *string);

/// The whole of a text file, which must be readable; the caller frees it.
char *unit_read_file(const char *path);

/// A repeatable random number below `limit`.
uint64_t unit_random(uint64_t *state, uint64_t limit);

#endif /* ZC_UNIT_H */
