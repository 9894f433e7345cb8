/* Symbolic values of the checker: hash-consed, so that two values are known to be equal where their addresses are. */
#ifndef ZC_PASSES_VERIFY_TERMS_H
#define ZC_PASSES_VERIFY_TERMS_H

#include <stdbool.h>
#include <stdint.h>

#include "capi/arena.h"

/// `kind` applied to operands and numbers. Never changed once made; lives as long as the arena.
typedef struct zc_term {
  const void *kind; ///< Text for messages at an address that is its own: a static one, or a name that mlir-c keeps.
  const struct zc_term *const *operands;
  const int64_t *numbers;
  int num_operands;
  int num_numbers;
  int id; ///< In the order of making.
  uint64_t hash;
} zc_term;

typedef struct zc_terms zc_terms;
zc_terms *zc_terms_create(zc_arena *arena);
void zc_terms_release(zc_terms *terms);

/// The one term of this shape.
const zc_term *zc_term_make(zc_terms *terms, const void *kind, int num_operands, const zc_term *const *operands,
                            int num_numbers, const int64_t *numbers);
/// A term that equals no other.
const zc_term *zc_term_fresh(zc_terms *terms, const void *kind);

const zc_term *zc_term_constant(zc_terms *terms, int64_t value);
bool zc_term_is_constant(const zc_term *term, int64_t *value);
/// a + scale * b, where equal sums of products by constants become one term.
const zc_term *zc_term_add(zc_terms *terms, const zc_term *a, const zc_term *b, int64_t scale);
/// The sum without those of its unknowns that make it greater (`positive`), or without those that make it less.
const zc_term *zc_term_without(zc_terms *terms, const zc_term *a, bool positive);
/// Whether the term is such a sum: the first number is a constant, the others are factors of the operands.
bool zc_term_is_sum(const zc_term *term);
/// a * b; by a constant it is a sum.
const zc_term *zc_term_multiply(zc_terms *terms, const zc_term *a, const zc_term *b);
/// `a` rounded up to a multiple of `alignment`.
const zc_term *zc_term_align(zc_terms *terms, const zc_term *a, const zc_term *alignment);
/// Whether a >= b whatever the unknowns in them, which are taken to be no less than 0: sizes and offsets.
bool zc_term_at_least(zc_terms *terms, const zc_term *a, const zc_term *b);

/// Bytes of a storage: [begin, end).
typedef struct zc_span {
  const zc_term *begin;
  const zc_term *end;
  const zc_term *bounds; ///< Ranges that certainly hold it: begin, end, begin, end…; null: none that say more.
  bool constant;         ///< Then first and last are begin and end.
  int64_t first;
  int64_t last;
} zc_span;

/// A size that nothing reaches: that of a storage whose size is not known.
#define ZC_UNBOUNDED ((int64_t)1 << 60)

zc_span zc_span_make(zc_terms *terms, const zc_term *begin, const zc_term *length);
zc_span zc_span_constant(zc_terms *terms, int64_t first, int64_t last);
/// The span, known to lie in `outer` and all that holds that.
zc_span zc_span_within(zc_terms *terms, const zc_span *span, const zc_span *outer);
int zc_span_num_bounds(const zc_span *span);
zc_span zc_span_bound(const zc_span *span, int index);
bool zc_span_is_empty(const zc_span *span);
/// Whether they certainly have no byte in common.
bool zc_span_disjoint(zc_terms *terms, const zc_span *a, const zc_span *b);
/// Whether they certainly have one.
bool zc_span_meets(zc_terms *terms, const zc_span *a, const zc_span *b);
/// Whether `outer` certainly holds all of `inner`.
bool zc_span_covers(zc_terms *terms, const zc_span *outer, const zc_span *inner);
/// What they have in common; where that can't be said `b`, with `a` among its bounds.
zc_span zc_span_common(zc_terms *terms, const zc_span *a, const zc_span *b);
/// What `outer` has before and behind `inner`; false, and all of `outer`, where that can't be said.
bool zc_span_without(zc_terms *terms, const zc_span *outer, const zc_span *inner, zc_span rest[2]);
/// The whole cache lines of `line` bytes that hold the span.
zc_span zc_span_lines(zc_terms *terms, const zc_span *span, int64_t line);
/// For messages: "[0 for 64]"; in the arena.
const char *zc_span_text(zc_arena *arena, zc_terms *terms, const zc_span *span);

#endif /* ZC_PASSES_VERIFY_TERMS_H */
