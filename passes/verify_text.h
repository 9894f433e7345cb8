/* Values of the checker as text for messages. */
#ifndef ZC_PASSES_VERIFY_TEXT_H
#define ZC_PASSES_VERIFY_TEXT_H

#include "passes/verify_terms.h"

/// As far as a reader wants to see it; in the arena.
const char *zc_term_text(zc_terms *terms, zc_arena *arena, const zc_term *term);

/// What differs between two values: "is X, but was Y"; where they are large "hangs on … which is X, but was Y", with
/// the innermost parts of them that differ.
const char *zc_difference_text(zc_terms *terms, zc_arena *arena, const zc_term *before, const zc_term *after);

#endif /* ZC_PASSES_VERIFY_TEXT_H */
