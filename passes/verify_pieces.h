/* What a range of memory holds: pieces of values. Where all their places are known they stand side by side; else the
 * newer lie on top of the older, wherever that is. */
#ifndef ZC_PASSES_VERIFY_PIECES_H
#define ZC_PASSES_VERIFY_PIECES_H

#include "capi/arena.h"
#include "passes/verify_terms.h"

/// Bytes of a value in a storage: what lies at `span` is `value` from its byte `from` on.
typedef struct zc_piece {
  zc_span span;
  const zc_term *value;
  const zc_term *from;
  const void *of; ///< What it is a part of, where that was split by newer ones; null: nothing else is.
  bool cut;       ///< Only what lies in `window` is there; how much of the span that is isn't known.
  zc_span window; ///< Where `cut`.
} zc_piece;

/// Kind of the terms of fills, which look the same from every byte.
extern const char zc_fill_kind[];
/// What memory holds that nothing wrote.
const zc_term *zc_undefined_value(zc_terms *terms);

/// Whether a range is no more than what IREE pads something with.
bool zc_span_is_short(zc_terms *terms, const zc_span *span);
/// Whether only the end of a range is undefined, by less than IREE pads.
bool zc_piece_is_padding(zc_terms *terms, const zc_list *pieces, int index);

/// What there is of the piece in `range`; false: nothing.
bool zc_piece_take(zc_terms *terms, const zc_piece *piece, const zc_span *range, zc_piece *taken);
/// Puts the piece `shift` bytes further, where a copy writes `target`.
void zc_piece_move(zc_terms *terms, zc_piece *piece, const zc_term *shift, const zc_span *target);

/// Puts pieces that follow each other in the range in that order; false, and nothing changed: they don't. `split`:
/// whether some of them are parts of one.
bool zc_pieces_place(zc_arena *arena, zc_list *pieces, const zc_span *range, bool *split);

/// The value that `range` has by these pieces (zc_piece, the newest first where their places aren't constant), as one
/// term that doesn't depend on where the range begins. `padded`: without what may be padding at its end.
const zc_term *zc_pieces_value(zc_terms *terms, zc_arena *arena, const zc_span *range, const zc_list *pieces,
                               bool padded);
/// The value of which a term of zc_pieces_value is the first `length` bytes, and nothing else; null: it isn't.
const zc_term *zc_value_of_pieces(const zc_term *pieces, const zc_term **length);
/// Where what is defined of them ends; null where there is nothing.
const zc_term *zc_pieces_extent(zc_terms *terms, const zc_list *pieces);

/// A piece of a term of zc_pieces_value, `position` bytes behind its begin.
typedef struct zc_part {
  const zc_term *value;
  const zc_term *from;
  const zc_term *position;
  const zc_term *length;
  const zc_term *window; ///< What cuts it: its position and length; null: nothing but the range.
} zc_part;

/// Whether the term is of zc_pieces_value.
bool zc_has_parts(const zc_term *term);
/// Its parts (zc_part), in order; `length`: how long the range is, `placed`: they stand side by side.
zc_list zc_parts_of(zc_terms *terms, zc_arena *arena, const zc_term *term, const zc_term **length, bool *placed);
/// Whether it matters which byte of the value a part begins with.
bool zc_value_has_place(const zc_term *value);

#endif /* ZC_PASSES_VERIFY_PIECES_H */
