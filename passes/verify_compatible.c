#include "passes/verify_compatible.h"

#include "passes/verify_pieces.h"

/* Beyond these it can't be told. */
enum { STEPS_LIMIT = 1 << 20, DEPTH_LIMIT = 1024, PARTS_LIMIT = 1 << 14 };

static char yes, no;

void zc_compatibility_begin(zc_compatibility *compatibility, zc_terms *terms, zc_arena *arena) {
  *compatibility = (zc_compatibility){terms, arena, zc_ptr_map_create(arena), STEPS_LIMIT};
}

void zc_compatibility_release(zc_compatibility *compatibility) {
  zc_ptr_map_release(compatibility->known);
}

static bool are_compatible(zc_compatibility *own, const zc_term *before, const zc_term *after, int depth);

/* ---- what memory holds ---- */

/* The range of memory that two terms are of, and what is in it. */
typedef struct range {
  const zc_term *length;
  zc_list parts; ///< zc_part
  bool placed;
} range;

static range range_of(zc_compatibility *own, const zc_term *term) {
  range range;
  range.parts = zc_parts_of(own->terms, own->arena, term, &range.length, &range.placed);
  return range;
}

static bool is_zero(const zc_term *term) {
  int64_t value;
  return zc_term_is_constant(term, &value) && value == 0;
}

/* Whether the same bytes of a value lie at the same place; or all of the range is known to be such bytes. */
static bool same_bytes(zc_compatibility *own, const zc_part *before, const zc_part *after, const zc_term *length) {
  if (after->window && after->window != before->window)
    return false;
  if (zc_value_has_place(before->value) && zc_term_add(own->terms, before->position, before->from, -1) !=
                                               zc_term_add(own->terms, after->position, after->from, -1))
    return false;
  return (after->position == before->position && after->length == before->length) ||
         (is_zero(after->position) && after->length == length);
}

/* Whether the part would lie outside of the range if what isn't known of the two places were nothing: then it is of
 * another slice, which a right program doesn't leave. What is undefined may be anything. */
static bool may_be_missing(zc_compatibility *own, const zc_part *part, const zc_term *length) {
  zc_terms *terms = own->terms;
  if (part->value == zc_undefined_value(terms))
    return true;
  const zc_term *end = zc_term_add(terms, zc_term_without(terms, part->position, true), part->length, 1);
  return zc_term_at_least(terms, zc_term_constant(terms, 0), end) ||
         zc_term_at_least(terms, zc_term_without(terms, part->position, false), length);
}

static bool are_disjoint(zc_compatibility *own, const zc_part *a, const zc_part *b) {
  zc_span one = zc_span_make(own->terms, a->position, a->length);
  zc_span other = zc_span_make(own->terms, b->position, b->length);
  return zc_span_disjoint(own->terms, &one, &other);
}

/* Which part of the input's the output's is; none of those in `taken`. -1: none. */
static int find_part(zc_compatibility *own, const range *before, const zc_part *after, const bool *taken, int depth) {
  for (int i = 0; i < before->parts.count; ++i) {
    const zc_part *part = &zc_list_at(&before->parts, zc_part, i);
    if (!taken[i] && same_bytes(own, part, after, before->length) &&
        are_compatible(own, part->value, after->value, depth))
      return i;
  }
  return -1;
}

/* Each part of the output's is one of the input's, newer ones on top of the same; what is missing may be. */
static bool same_parts(zc_compatibility *own, const range *before, const range *after, int depth) {
  bool *taken = zc_arena_array(own->arena, bool, before->parts.count);
  int *found = zc_arena_array(own->arena, int, after->parts.count);
  for (int i = 0; i < after->parts.count; ++i) {
    const zc_part *part = &zc_list_at(&after->parts, zc_part, i);
    found[i] = find_part(own, before, part, taken, depth);
    if (found[i] < 0)
      return false;
    taken[found[i]] = true;
    for (int j = 0; j < i; ++j)
      if (found[j] > found[i] && !are_disjoint(own, &zc_list_at(&after->parts, zc_part, j), part))
        return false;
  }
  bool same = true;
  for (int i = 0; i < before->parts.count && same; ++i)
    same = taken[i] || may_be_missing(own, &zc_list_at(&before->parts, zc_part, i), before->length);
  return same;
}

static bool compatible_ranges(zc_compatibility *own, const zc_term *before, const zc_term *after, int depth) {
  range old = range_of(own, before);
  range new = range_of(own, after);
  int64_t work = ((int64_t)old.parts.count + new.parts.count) * new.parts.count;
  own->budget -= work;
  return old.length == new.length && work <= PARTS_LIMIT && same_parts(own, &old, &new, depth);
}

/* ---- terms ---- */

static bool same_shape(const zc_term *before, const zc_term *after) {
  bool same = before->kind == after->kind && before->num_operands == after->num_operands &&
              before->num_numbers == after->num_numbers && before->num_operands > 0;
  for (int i = 0; same && i < before->num_numbers; ++i)
    same = before->numbers[i] == after->numbers[i];
  return same;
}

static bool compatible_operands(zc_compatibility *own, const zc_term *before, const zc_term *after, int depth) {
  bool same = same_shape(before, after);
  for (int i = 0; same && i < before->num_operands; ++i)
    same = are_compatible(own, before->operands[i], after->operands[i], depth);
  return same;
}

static bool are_compatible(zc_compatibility *own, const zc_term *before, const zc_term *after, int depth) {
  static const char pair_kind[] = "pair";
  const zc_term *operands[] = {before, after};
  if (before == after)
    return true;
  if (depth > DEPTH_LIMIT || --own->budget < 0)
    return false;
  const zc_term *pair = zc_term_make(own->terms, pair_kind, 2, operands, 0, NULL);
  char *known = zc_ptr_map_get(own->known, pair);
  if (!known) {
    bool parts = zc_has_parts(before) && zc_has_parts(after);
    bool same =
        parts ? compatible_ranges(own, before, after, depth + 1) : compatible_operands(own, before, after, depth + 1);
    known = same ? &yes : &no;
    zc_ptr_map_set(own->known, pair, known);
  }
  return known == &yes;
}

bool zc_terms_are_compatible(zc_compatibility *compatibility, const zc_term *before, const zc_term *after) {
  return are_compatible(compatibility, before, after, 0);
}
