#include "passes/verify_pieces.h"

/* What IREE rounds sizes up to. */
enum { PADDING = 64 };

/* Side by side: value, from and length of each. */
static const char bytes_kind[] = "bytes";
/* On top of each other: the range's length; value, from, position and length of each, the newest first. */
static const char overlay_kind[] = "overlay";
/* As much of a value as a window shows: the value, from where, its position in the window, its length. */
static const char cut_kind[] = "cut";
static const char undefined_kind[] = "undefined", window_kind[] = "window";
const char zc_fill_kind[] = "fill";

const zc_term *zc_undefined_value(zc_terms *terms) {
  return zc_term_make(terms, undefined_kind, 0, NULL, 0, NULL);
}

bool zc_value_has_place(const zc_term *value) {
  return value->kind != zc_fill_kind && value->kind != undefined_kind;
}

static const zc_term *difference(zc_terms *terms, const zc_term *a, const zc_term *b) {
  return zc_term_add(terms, a, b, -1);
}

static const zc_term *length_of(zc_terms *terms, const zc_span *span) {
  return difference(terms, span->end, span->begin);
}

bool zc_span_is_short(zc_terms *terms, const zc_span *span) {
  return span->constant ? span->last - span->first < PADDING
                        : zc_term_align(terms, span->begin, zc_term_constant(terms, PADDING)) == span->end;
}

bool zc_piece_is_padding(zc_terms *terms, const zc_list *pieces, int index) {
  return index > 0 && index == pieces->count - 1 && zc_span_is_short(terms, &zc_list_at(pieces, zc_piece, index).span);
}

/* ---- parts of pieces ---- */

/* The span becomes `part` of it. */
static void narrow(zc_terms *terms, zc_piece *piece, const zc_span *part) {
  if (zc_value_has_place(piece->value))
    piece->from = zc_term_add(terms, piece->from, difference(terms, part->begin, piece->span.begin), 1);
  piece->span = *part;
}

/* What the window shows becomes a value of its own. */
static void close_window(zc_terms *terms, zc_piece *piece) {
  const zc_term *operands[] = {piece->value, piece->from, difference(terms, piece->span.begin, piece->window.begin),
                               length_of(terms, &piece->span)};
  piece->value = zc_term_make(terms, cut_kind, 4, operands, 0, NULL);
  piece->from = zc_term_constant(terms, 0);
  piece->span = piece->window;
  piece->cut = false;
}

/* A range that may hold only a part of the piece becomes its window: whatever is told of the piece later, its place
 * stays that of the whole. */
bool zc_piece_take(zc_terms *terms, const zc_piece *piece, const zc_span *range, zc_piece *taken) {
  if (zc_span_disjoint(terms, &piece->span, range) || (piece->cut && zc_span_disjoint(terms, &piece->window, range)))
    return false;
  *taken = *piece;
  taken->cut = piece->cut && !zc_span_covers(terms, &piece->window, range);
  if (zc_span_covers(terms, range, taken->cut ? &taken->window : &taken->span))
    return true;
  if (taken->cut)
    close_window(terms, taken);
  if ((taken->span.constant && range->constant) || zc_span_covers(terms, &taken->span, range)) {
    zc_span part = zc_span_common(terms, &taken->span, range);
    narrow(terms, taken, &part);
    return true;
  }
  taken->cut = true;
  taken->window = *range;
  return true;
}

static zc_span moved_by(zc_terms *terms, const zc_span *span, const zc_term *shift) {
  return zc_span_make(terms, zc_term_add(terms, span->begin, shift, 1), length_of(terms, span));
}

void zc_piece_move(zc_terms *terms, zc_piece *piece, const zc_term *shift, const zc_span *target) {
  zc_span span = moved_by(terms, &piece->span, shift);
  piece->span = span;
  if (!piece->cut) {
    piece->span = zc_span_within(terms, &span, target);
    return;
  }
  zc_span window = moved_by(terms, &piece->window, shift);
  piece->window = zc_span_within(terms, &window, target);
  if (span.constant && window.constant) {
    zc_span part = zc_span_common(terms, &span, &window);
    narrow(terms, piece, &part);
    piece->cut = false;
  }
}

/* ---- terms ---- */

/* Whether `next` continues `piece`. */
static bool continues(zc_terms *terms, const zc_piece *piece, const zc_piece *next) {
  if (piece->value != next->value || piece->cut || next->cut || piece->span.end != next->span.begin)
    return false;
  return !zc_value_has_place(piece->value) ||
         zc_term_add(terms, piece->from, length_of(terms, &piece->span), 1) == next->from;
}

/* Lengths count in units of the padding that IREE adds. */
static const zc_term *pad(zc_terms *terms, const zc_term *length) {
  int64_t value;
  if (zc_term_is_constant(length, &value) && value >= ZC_UNBOUNDED / 2)
    return zc_term_constant(terms, ZC_UNBOUNDED);
  return zc_term_align(terms, length, zc_term_constant(terms, PADDING));
}

static zc_list copy_of(zc_arena *arena, const zc_list *pieces, int count) {
  zc_list copy = {0};
  for (int i = 0; i < count; ++i)
    zc_list_push(arena, &copy, zc_piece, zc_list_at(pieces, zc_piece, i));
  return copy;
}

/* Looks no further than this for the next piece, or for the rest of one that was split. */
enum { LOOK_AHEAD = 32 };

static bool is_split(const zc_list *pieces) {
  for (int i = 0; i < pieces->count; ++i)
    for (int j = i + 1; j < pieces->count && j < i + LOOK_AHEAD; ++j)
      if (zc_list_at(pieces, zc_piece, i).of &&
          zc_list_at(pieces, zc_piece, i).of == zc_list_at(pieces, zc_piece, j).of)
        return true;
  return false;
}

bool zc_pieces_place(zc_arena *arena, zc_list *pieces, const zc_span *range, bool *split) {
  zc_list placed = copy_of(arena, pieces, pieces->count);
  const zc_term *begin = range->begin;
  for (int i = 0; i < placed.count; ++i) {
    int next = i;
    while (next < placed.count && next < i + LOOK_AHEAD &&
           (zc_list_at(&placed, zc_piece, next).cut || zc_list_at(&placed, zc_piece, next).span.begin != begin))
      ++next;
    if (next == placed.count || next == i + LOOK_AHEAD)
      return false;
    zc_piece found = zc_list_at(&placed, zc_piece, next);
    zc_list_at(&placed, zc_piece, next) = zc_list_at(&placed, zc_piece, i);
    zc_list_at(&placed, zc_piece, i) = found;
    begin = found.span.end;
  }
  *pieces = placed;
  *split = is_split(&placed);
  return true;
}

/* Each run of pieces that continue each other as one. */
static zc_list join_pieces(zc_terms *terms, zc_arena *arena, const zc_list *pieces) {
  zc_list joined = {0};
  for (int i = 0; i < pieces->count;) {
    zc_piece piece = zc_list_at(pieces, zc_piece, i);
    for (++i; i < pieces->count && continues(terms, &piece, &zc_list_at(pieces, zc_piece, i)); ++i)
      piece.span.end = zc_list_at(pieces, zc_piece, i).span.end;
    zc_list_push(arena, &joined, zc_piece, piece);
  }
  return joined;
}

static void push(zc_arena *arena, zc_list *operands, const zc_term *term) {
  zc_list_push(arena, operands, const zc_term *, term);
}

static const zc_term *bytes_term(zc_terms *terms, zc_arena *arena, const zc_list *pieces, bool padded) {
  zc_list operands = {0};
  for (int i = 0; i < pieces->count; ++i) {
    const zc_piece *piece = &zc_list_at(pieces, zc_piece, i);
    const zc_term *length = length_of(terms, &piece->span);
    push(arena, &operands, piece->value);
    push(arena, &operands, zc_value_has_place(piece->value) ? piece->from : zc_term_constant(terms, 0));
    push(arena, &operands, padded && i == pieces->count - 1 ? pad(terms, length) : length);
  }
  return zc_term_make(terms, bytes_kind, operands.count, operands.items, 0, NULL);
}

static const zc_term *overlay_term(zc_terms *terms, zc_arena *arena, const zc_span *range, const zc_list *pieces,
                                   bool padded) {
  zc_list operands = {0};
  const zc_term *all = length_of(terms, range);
  push(arena, &operands, padded ? pad(terms, all) : all);
  for (int i = 0; i < pieces->count; ++i) {
    zc_piece piece = zc_list_at(pieces, zc_piece, i);
    if (piece.cut && !zc_span_covers(terms, &piece.window, range))
      close_window(terms, &piece);
    const zc_term *length = length_of(terms, &piece.span);
    push(arena, &operands, piece.value);
    push(arena, &operands, zc_value_has_place(piece.value) ? piece.from : zc_term_constant(terms, 0));
    push(arena, &operands, difference(terms, piece.span.begin, range->begin));
    push(arena, &operands, padded && piece.span.end == range->end ? pad(terms, length) : length);
  }
  return zc_term_make(terms, overlay_kind, operands.count, operands.items, 0, NULL);
}

/* Nothing lies below the last piece: what no other one has of the range is of this one, however long it is. */
static void extend_last(zc_terms *terms, zc_list *pieces, const zc_span *range) {
  if (!pieces->count)
    return;
  zc_piece *last = &zc_list_at(pieces, zc_piece, pieces->count - 1);
  if (!last->cut || !zc_span_covers(terms, &last->window, range))
    return;
  narrow(terms, last, range);
  last->cut = false;
}

const zc_term *zc_pieces_value(zc_terms *terms, zc_arena *arena, const zc_span *range, const zc_list *pieces,
                               bool padded) {
  const zc_term *nothing = zc_undefined_value(terms);
  int count = pieces->count;
  while (padded && count > 1 && zc_list_at(pieces, zc_piece, count - 1).value == nothing &&
         zc_piece_is_padding(terms, pieces, count - 1))
    --count;
  zc_list kept = copy_of(arena, pieces, count);
  extend_last(terms, &kept, range);
  bool split;
  bool placed = zc_pieces_place(arena, &kept, range, &split);
  zc_list joined = join_pieces(terms, arena, &kept);
  return placed ? bytes_term(terms, arena, &joined, padded) : overlay_term(terms, arena, range, &joined, padded);
}

const zc_term *zc_value_of_pieces(const zc_term *pieces, const zc_term **length) {
  int64_t from;
  if (pieces->kind != bytes_kind || pieces->num_operands != 3 || !zc_term_is_constant(pieces->operands[1], &from) ||
      from != 0)
    return NULL;
  *length = pieces->operands[2];
  return pieces->operands[0];
}

const zc_term *zc_pieces_extent(zc_terms *terms, const zc_list *pieces) {
  int last = pieces->count - 1;
  while (last >= 0 && zc_list_at(pieces, zc_piece, last).value == zc_undefined_value(terms))
    --last;
  if (last < 0)
    return NULL;
  const zc_piece *piece = &zc_list_at(pieces, zc_piece, last);
  return piece->cut ? piece->window.end : piece->span.end;
}

/* ---- parts ---- */

bool zc_has_parts(const zc_term *term) {
  return term->kind == bytes_kind || term->kind == overlay_kind;
}

/* Opens the window that the value was seen through. */
static void open_window(zc_terms *terms, zc_part *part) {
  const zc_term *window[] = {part->position, part->length};
  const zc_term *cut = part->value;
  int64_t from;
  if (cut->kind != cut_kind || !zc_term_is_constant(part->from, &from) || from != 0)
    return;
  part->value = cut->operands[0];
  part->from = cut->operands[1];
  part->position = zc_term_add(terms, part->position, cut->operands[2], 1);
  part->length = cut->operands[3];
  part->window = zc_term_make(terms, window_kind, 2, window, 0, NULL);
}

zc_list zc_parts_of(zc_terms *terms, zc_arena *arena, const zc_term *term, const zc_term **length, bool *placed) {
  zc_list parts = {0};
  const zc_term *position = zc_term_constant(terms, 0);
  *placed = term->kind == bytes_kind;
  for (int i = *placed ? 0 : 1; i < term->num_operands; i += *placed ? 3 : 4) {
    zc_part part = {.value = term->operands[i], .from = term->operands[i + 1]};
    part.position = *placed ? position : term->operands[i + 2];
    part.length = term->operands[*placed ? i + 2 : i + 3];
    position = zc_term_add(terms, position, part.length, 1);
    open_window(terms, &part);
    zc_list_push(arena, &parts, zc_part, part);
  }
  *length = *placed ? position : term->operands[0];
  return parts;
}
