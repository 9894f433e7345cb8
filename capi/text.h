/* Strings between C and mlir-c. */
#ifndef ZC_CAPI_TEXT_H
#define ZC_CAPI_TEXT_H

#include <stdbool.h>

#include "capi/arena.h"
#include "mlir-c/IR.h"

static inline MlirStringRef zc_str(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

bool zc_str_is(MlirStringRef text, const char *other);

/// What an attribute, a type or an operation prints as; null-terminated, in the arena.
char *zc_attribute_text(zc_arena *arena, MlirAttribute attribute);
char *zc_type_text(zc_arena *arena, MlirType type);

/// A position in text that is read by hand.
typedef struct zc_cursor {
  const char *at;
  const char *end;
} zc_cursor;

void zc_skip_space(zc_cursor *cursor);
/// Moves past `token` and white space before it; false, without moving, where something else stands there.
bool zc_eat(zc_cursor *cursor, const char *token);
/// Reads `@name` or `@"quoted"`; false, without moving, where there is none or where it holds a null character. `name`
/// is in the arena, without @ and quotes, its escapes resolved.
bool zc_eat_symbol(zc_cursor *cursor, zc_arena *arena, const char **name);

/// The inverse: `@name`, quoted and escaped where the name needs it; in the arena.
const char *zc_symbol_text(zc_arena *arena, const char *name);

#endif /* ZC_CAPI_TEXT_H */
