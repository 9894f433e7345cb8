#include "passes/verify_terms.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Sums of more parts than this are one unknown. */
enum { SUM_LIMIT = 16 };

static const char sum_kind[] = "sum", product_kind[] = "product", align_kind[] = "align", bounds_kind[] = "bounds";

/* Ranges beyond these that hold a span are forgotten. */
enum { BOUNDS_LIMIT = 6 };

struct zc_terms {
  zc_arena *arena;
  const zc_term **slots; ///< Open addressing; the number of slots is a power of two.
  size_t num_slots;
  int count;
};

zc_terms *zc_terms_create(zc_arena *arena) {
  zc_terms *terms = zc_arena_new(arena, zc_terms);
  terms->arena = arena;
  return terms;
}

void zc_terms_release(zc_terms *terms) {
  if (terms)
    free((void *)terms->slots);
}

/* ---- hash-consing ---- */

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
  return hash ^ hash >> 29;
}

static uint64_t hash_of(const zc_term *term) {
  uint64_t hash = mix((uintptr_t)term->kind, (uint64_t)term->num_operands);
  for (int i = 0; i < term->num_operands; ++i)
    hash = mix(hash, (uint64_t)term->operands[i]->id);
  for (int i = 0; i < term->num_numbers; ++i)
    hash = mix(hash, (uint64_t)term->numbers[i]);
  return hash;
}

static bool equal_terms(const zc_term *a, const zc_term *b) {
  if (a->hash != b->hash || a->kind != b->kind || a->num_operands != b->num_operands ||
      a->num_numbers != b->num_numbers)
    return false;
  for (int i = 0; i < a->num_operands; ++i)
    if (a->operands[i] != b->operands[i])
      return false;
  for (int i = 0; i < a->num_numbers; ++i)
    if (a->numbers[i] != b->numbers[i])
      return false;
  return true;
}

/* The slot of a term equal to `term`, or the free one where it belongs. */
static const zc_term **slot_of(const zc_terms *terms, const zc_term *term) {
  size_t at = (size_t)term->hash & (terms->num_slots - 1);
  while (terms->slots[at] && !equal_terms(terms->slots[at], term))
    at = (at + 1) & (terms->num_slots - 1);
  return &terms->slots[at];
}

static void grow(zc_terms *terms) {
  const zc_term **old = terms->slots;
  size_t num_old = terms->num_slots;
  terms->num_slots = num_old ? 2 * num_old : 256;
  terms->slots = calloc(terms->num_slots, sizeof *terms->slots);
  if (!terms->slots)
    abort();
  for (size_t i = 0; i < num_old; ++i)
    if (old[i])
      *slot_of(terms, old[i]) = old[i];
  free((void *)old);
}

static const void *copy_bytes(zc_arena *arena, const void *bytes, size_t size) {
  return size ? memcpy(zc_arena_alloc(arena, size), bytes, size) : NULL;
}

const zc_term *zc_term_make(zc_terms *terms, const void *kind, int num_operands, const zc_term *const *operands,
                            int num_numbers, const int64_t *numbers) {
  zc_term term = {kind, operands, numbers, num_operands, num_numbers, 0, 0};
  term.hash = hash_of(&term);
  if (2 * (size_t)terms->count >= terms->num_slots)
    grow(terms);
  const zc_term **slot = slot_of(terms, &term);
  if (*slot)
    return *slot;
  zc_term *made = zc_arena_new(terms->arena, zc_term);
  made->kind = kind;
  made->num_operands = num_operands;
  made->num_numbers = num_numbers;
  made->hash = term.hash;
  made->id = ++terms->count;
  made->operands = copy_bytes(terms->arena, operands, sizeof *operands * (size_t)num_operands);
  made->numbers = copy_bytes(terms->arena, numbers, sizeof *numbers * (size_t)num_numbers);
  return *slot = made;
}

const zc_term *zc_term_fresh(zc_terms *terms, const void *kind) {
  static const char fresh_kind[] = "fresh";
  int64_t numbers[] = {(int64_t)(uintptr_t)kind, terms->count};
  return zc_term_make(terms, fresh_kind, 0, NULL, 2, numbers);
}

/* ---- sums: numbers are a constant and a factor for each operand; operands are ordered by id ---- */

typedef struct sum {
  int64_t constant;
  int count;
  const zc_term *atoms[2 * SUM_LIMIT];
  int64_t factors[2 * SUM_LIMIT];
} sum;

/* Wraps around rather than overflow. */
static int64_t add(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a + (uint64_t)b);
}
static int64_t multiply(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a * (uint64_t)b);
}

static void add_atom(sum *into, const zc_term *atom, int64_t factor) {
  int at = 0;
  while (at < into->count && into->atoms[at]->id < atom->id)
    ++at;
  if (at < into->count && into->atoms[at] == atom) {
    into->factors[at] = add(into->factors[at], factor);
    return;
  }
  for (int i = into->count++; i > at; --i) {
    into->atoms[i] = into->atoms[i - 1];
    into->factors[i] = into->factors[i - 1];
  }
  into->atoms[at] = atom;
  into->factors[at] = factor;
}

/* Takes no more than SUM_LIMIT parts of each term. */
static void add_term(sum *into, const zc_term *term, int64_t scale) {
  if (term->kind != sum_kind) {
    add_atom(into, term, scale);
    return;
  }
  into->constant = add(into->constant, multiply(term->numbers[0], scale));
  for (int i = 0; i < term->num_operands; ++i)
    add_atom(into, term->operands[i], multiply(term->numbers[i + 1], scale));
}

static const zc_term *make_sum(zc_terms *terms, const sum *from) {
  const zc_term *atoms[2 * SUM_LIMIT];
  int64_t numbers[2 * SUM_LIMIT + 1] = {from->constant};
  int count = 0;
  for (int i = 0; i < from->count; ++i)
    if (from->factors[i]) {
      atoms[count] = from->atoms[i];
      numbers[++count] = from->factors[i];
    }
  if (count == 1 && numbers[0] == 0 && numbers[1] == 1)
    return atoms[0];
  return zc_term_make(terms, sum_kind, count, atoms, count + 1, numbers);
}

const zc_term *zc_term_constant(zc_terms *terms, int64_t value) {
  return zc_term_make(terms, sum_kind, 0, NULL, 1, &value);
}

bool zc_term_is_constant(const zc_term *term, int64_t *value) {
  if (term->kind != sum_kind || term->num_operands)
    return false;
  *value = term->numbers[0];
  return true;
}

static bool is_long(const zc_term *term) {
  return term->kind == sum_kind && term->num_operands >= SUM_LIMIT;
}

const zc_term *zc_term_add(zc_terms *terms, const zc_term *a, const zc_term *b, int64_t scale) {
  if (is_long(a) || is_long(b)) {
    static const char long_kind[] = "sum";
    const zc_term *operands[] = {a, b};
    return zc_term_make(terms, long_kind, 2, operands, 1, &scale);
  }
  sum sum = {0};
  add_term(&sum, a, 1);
  add_term(&sum, b, scale);
  return make_sum(terms, &sum);
}

bool zc_term_is_sum(const zc_term *term) {
  return term->kind == sum_kind;
}

const zc_term *zc_term_without(zc_terms *terms, const zc_term *a, bool positive) {
  sum parts;
  sum kept;
  parts.constant = parts.count = kept.count = 0;
  add_term(&parts, a, 1);
  kept.constant = parts.constant;
  for (int i = 0; i < parts.count; ++i)
    if ((parts.factors[i] > 0) != positive)
      add_atom(&kept, parts.atoms[i], parts.factors[i]);
  return make_sum(terms, &kept);
}

const zc_term *zc_term_multiply(zc_terms *terms, const zc_term *a, const zc_term *b) {
  int64_t factor;
  if (zc_term_is_constant(a, &factor)) {
    const zc_term *other = a;
    a = b;
    b = other;
  }
  if (zc_term_is_constant(b, &factor))
    return zc_term_add(terms, zc_term_constant(terms, 0), a, factor);
  const zc_term *operands[] = {a->id < b->id ? a : b, a->id < b->id ? b : a};
  return zc_term_make(terms, product_kind, 2, operands, 0, NULL);
}

/* Whether every part is a multiple of `alignment`. */
static bool is_aligned(const zc_term *term, int64_t alignment) {
  int64_t own;
  if (term->kind == align_kind)
    return zc_term_is_constant(term->operands[1], &own) && own > 0 && own % alignment == 0;
  if (term->kind != sum_kind || term->numbers[0] % alignment)
    return false;
  for (int i = 0; i < term->num_operands; ++i)
    if (term->numbers[i + 1] % alignment && !is_aligned(term->operands[i], alignment))
      return false;
  return true;
}

/* One that arithmetic on places may bring about, without an overflow. */
static bool is_place(int64_t value) {
  return value > -ZC_UNBOUNDED && value < ZC_UNBOUNDED;
}

/* Takes out of `term` what is a multiple of `step`: `rest` keeps the other parts, and of the constant what is left. */
static const zc_term *aligned_parts(zc_terms *terms, const zc_term *term, int64_t step, const zc_term **rest) {
  sum taken;
  sum left;
  taken.count = left.count = 0;
  taken.constant = left.constant = 0;
  if (term->kind != sum_kind) {
    *rest = term;
    return make_sum(terms, &taken);
  }
  left.constant = term->numbers[0] % step;
  if (left.constant < 0)
    left.constant += step;
  taken.constant = term->numbers[0] - left.constant;
  for (int i = 0; i < term->num_operands; ++i) {
    int64_t factor = term->numbers[i + 1];
    bool whole = factor % step == 0 || is_aligned(term->operands[i], step);
    add_atom(whole ? &taken : &left, term->operands[i], factor);
  }
  *rest = make_sum(terms, &left);
  return make_sum(terms, &taken);
}

/* Multiples of the step stand outside, so that equal values become one term. */
const zc_term *zc_term_align(zc_terms *terms, const zc_term *a, const zc_term *alignment) {
  int64_t step;
  int64_t value;
  const zc_term *parts = NULL;
  bool in_range = !zc_term_is_constant(a, &value) || is_place(value);
  if (in_range && zc_term_is_constant(alignment, &step) && step > 0 && step < ZC_UNBOUNDED) {
    if (is_aligned(a, step))
      return a;
    parts = aligned_parts(terms, a, step, &a);
    if (zc_term_is_constant(a, &value))
      return zc_term_add(terms, parts, zc_term_constant(terms, value ? step : 0), 1);
  }
  const zc_term *operands[] = {a, alignment};
  const zc_term *aligned = zc_term_make(terms, align_kind, 2, operands, 0, NULL);
  return parts ? zc_term_add(terms, parts, aligned, 1) : aligned;
}

static bool is_not_negative(const sum *sum) {
  for (int i = 0; i < sum->count; ++i)
    if (sum->factors[i] < 0)
      return false;
  return sum->constant >= 0;
}

/* Something aligned is no less than what was aligned, and less than that and a step. */
static bool lower_one(sum *sum) {
  for (int i = 0; i < sum->count; ++i) {
    int64_t factor = sum->factors[i];
    int64_t step = 0;
    if (!factor || sum->atoms[i]->kind != align_kind || is_long(sum->atoms[i]->operands[0]) || sum->count >= SUM_LIMIT)
      continue;
    if (factor < 0 && (!zc_term_is_constant(sum->atoms[i]->operands[1], &step) || step <= 0))
      continue;
    const zc_term *inner = sum->atoms[i]->operands[0];
    sum->factors[i] = 0;
    add_term(sum, inner, factor);
    if (factor < 0)
      sum->constant = add(sum->constant, multiply(factor, step - 1));
    return true;
  }
  return false;
}

bool zc_term_at_least(zc_terms *terms, const zc_term *a, const zc_term *b) {
  int64_t one;
  int64_t other;
  (void)terms;
  if (a == b)
    return true;
  if (is_long(a) || is_long(b))
    return false;
  if (zc_term_is_constant(a, &one) && zc_term_is_constant(b, &other))
    return one >= other;
  sum sum;
  sum.constant = sum.count = 0;
  add_term(&sum, a, 1);
  add_term(&sum, b, -1);
  for (int i = 0; i < SUM_LIMIT; ++i)
    if (is_not_negative(&sum) || !lower_one(&sum))
      break;
  return is_not_negative(&sum);
}

/* ---- spans ---- */

static zc_span span_between(const zc_term *begin, const zc_term *end) {
  zc_span span = {.begin = begin, .end = end};
  span.constant = zc_term_is_constant(begin, &span.first) && zc_term_is_constant(end, &span.last);
  return span;
}

zc_span zc_span_make(zc_terms *terms, const zc_term *begin, const zc_term *length) {
  return span_between(begin, zc_term_add(terms, begin, length, 1));
}

zc_span zc_span_constant(zc_terms *terms, int64_t first, int64_t last) {
  return span_between(zc_term_constant(terms, first), zc_term_constant(terms, last));
}

bool zc_span_is_empty(const zc_span *span) {
  return span->begin == span->end || (span->constant && span->last <= span->first);
}

/* ---- what holds a span ---- */

int zc_span_num_bounds(const zc_span *span) {
  return span->bounds ? span->bounds->num_operands / 2 : 0;
}

zc_span zc_span_bound(const zc_span *span, int index) {
  return span_between(span->bounds->operands[(ptrdiff_t)2 * index], span->bounds->operands[(ptrdiff_t)2 * index + 1]);
}

static bool exactly_covers(zc_terms *terms, const zc_span *outer, const zc_span *inner) {
  if (outer->constant && inner->constant)
    return outer->first <= inner->first && outer->last >= inner->last;
  return zc_term_at_least(terms, inner->begin, outer->begin) && zc_term_at_least(terms, outer->end, inner->end);
}

/* One that holds the span whatever the unknowns says nothing. */
static void add_bound(zc_terms *terms, zc_span *span, const zc_span *bound) {
  const zc_term *operands[(size_t)2 * BOUNDS_LIMIT];
  int count = zc_span_num_bounds(span);
  if (count == BOUNDS_LIMIT || exactly_covers(terms, bound, span))
    return;
  for (int i = 0; i < count; ++i) {
    operands[(ptrdiff_t)2 * i] = span->bounds->operands[(ptrdiff_t)2 * i];
    operands[(ptrdiff_t)2 * i + 1] = span->bounds->operands[(ptrdiff_t)2 * i + 1];
    if (operands[(ptrdiff_t)2 * i] == bound->begin && operands[(ptrdiff_t)2 * i + 1] == bound->end)
      return;
  }
  operands[(ptrdiff_t)2 * count] = bound->begin;
  operands[(ptrdiff_t)2 * count + 1] = bound->end;
  span->bounds = zc_term_make(terms, bounds_kind, 2 * count + 2, operands, 0, NULL);
}

zc_span zc_span_within(zc_terms *terms, const zc_span *span, const zc_span *outer) {
  zc_span within = *span;
  if (span->constant && outer->constant && !outer->bounds)
    return within;
  add_bound(terms, &within, outer);
  for (int i = 0; i < zc_span_num_bounds(outer); ++i) {
    zc_span bound = zc_span_bound(outer, i);
    add_bound(terms, &within, &bound);
  }
  return within;
}

static bool begins_from(zc_terms *terms, const zc_span *span, const zc_term *term) {
  bool found = zc_term_at_least(terms, span->begin, term);
  for (int i = 0; i < zc_span_num_bounds(span) && !found; ++i)
    found = zc_term_at_least(terms, span->bounds->operands[(ptrdiff_t)2 * i], term);
  return found;
}

/* Memory of unknown size holds all that is in it. */
static bool is_unbounded(const zc_term *term) {
  int64_t value;
  return zc_term_is_constant(term, &value) && value >= ZC_UNBOUNDED / 2;
}

static bool ends_by(zc_terms *terms, const zc_span *span, const zc_term *term) {
  bool found = is_unbounded(term) || zc_term_at_least(terms, term, span->end);
  for (int i = 0; i < zc_span_num_bounds(span) && !found; ++i)
    found = zc_term_at_least(terms, term, span->bounds->operands[(ptrdiff_t)2 * i + 1]);
  return found;
}

static bool lies_before(zc_terms *terms, const zc_span *a, const zc_span *b) {
  bool found = begins_from(terms, b, a->end);
  for (int i = 0; i < zc_span_num_bounds(a) && !found; ++i)
    found = begins_from(terms, b, a->bounds->operands[(ptrdiff_t)2 * i + 1]);
  return found;
}

bool zc_span_disjoint(zc_terms *terms, const zc_span *a, const zc_span *b) {
  if (a->constant && b->constant)
    return a->last <= b->first || b->last <= a->first;
  return lies_before(terms, a, b) || lies_before(terms, b, a);
}

bool zc_span_covers(zc_terms *terms, const zc_span *outer, const zc_span *inner) {
  if (outer->constant && inner->constant)
    return outer->first <= inner->first && outer->last >= inner->last;
  return begins_from(terms, inner, outer->begin) && ends_by(terms, inner, outer->end);
}

/* A byte that one begins with or before which it ends lies in the other. */
static bool holds_edge(zc_terms *terms, const zc_span *outer, const zc_span *inner) {
  const zc_term *one = zc_term_constant(terms, 1);
  return (begins_from(terms, inner, outer->begin) &&
          zc_term_at_least(terms, outer->end, zc_term_add(terms, inner->begin, one, 1))) ||
         (ends_by(terms, inner, outer->end) &&
          zc_term_at_least(terms, inner->end, zc_term_add(terms, outer->begin, one, 1)));
}

bool zc_span_meets(zc_terms *terms, const zc_span *a, const zc_span *b) {
  if (a->constant && b->constant)
    return a->last > b->first && b->last > a->first;
  return holds_edge(terms, a, b) || holds_edge(terms, b, a);
}

zc_span zc_span_common(zc_terms *terms, const zc_span *a, const zc_span *b) {
  if (a->constant && b->constant) {
    zc_span common =
        zc_span_constant(terms, a->first > b->first ? a->first : b->first, a->last < b->last ? a->last : b->last);
    common = a->bounds ? zc_span_within(terms, &common, a) : common;
    return b->bounds ? zc_span_within(terms, &common, b) : common;
  }
  return zc_span_covers(terms, b, a) ? zc_span_within(terms, a, b) : zc_span_within(terms, b, a);
}

bool zc_span_without(zc_terms *terms, const zc_span *outer, const zc_span *inner, zc_span rest[2]) {
  if (outer->constant && inner->constant) {
    rest[0] = zc_span_constant(terms, outer->first, inner->first > outer->first ? inner->first : outer->first);
    rest[1] = zc_span_constant(terms, inner->last < outer->last ? inner->last : outer->last, outer->last);
    return true;
  }
  bool at_begin = zc_term_at_least(terms, outer->begin, inner->begin);
  bool at_end = zc_term_at_least(terms, inner->end, outer->end);
  rest[0] = span_between(outer->begin, at_begin ? outer->begin : inner->begin);
  rest[1] = span_between(at_end ? outer->end : inner->end, outer->end);
  if ((at_begin || begins_from(terms, inner, outer->begin)) && (at_end || ends_by(terms, inner, outer->end)))
    return true;
  rest[0] = *outer;
  rest[1] = span_between(outer->end, outer->end);
  return false;
}

/* Where the last line that ends by `edge` ends, or (`up`) the first that begins there. */
static const zc_term *line_edge(zc_terms *terms, const zc_term *edge, int64_t line, bool up) {
  int64_t value;
  if (line <= 1 || (zc_term_is_constant(edge, &value) && !is_place(value)))
    return edge;
  const zc_term *last = up ? edge : zc_term_add(terms, edge, zc_term_constant(terms, line - 1), -1);
  return zc_term_align(terms, last, zc_term_constant(terms, line));
}

static zc_span exact_lines(zc_terms *terms, const zc_span *span, int64_t line) {
  return span_between(line_edge(terms, span->begin, line, false), line_edge(terms, span->end, line, true));
}

zc_span zc_span_lines(zc_terms *terms, const zc_span *span, int64_t line) {
  zc_span lines = exact_lines(terms, span, line);
  for (int i = 0; i < zc_span_num_bounds(span); ++i) {
    zc_span bound = zc_span_bound(span, i);
    zc_span whole = exact_lines(terms, &bound, line);
    add_bound(terms, &lines, &whole);
  }
  return lines;
}

const char *zc_span_text(zc_arena *arena, zc_terms *terms, const zc_span *span) {
  int64_t length;
  int64_t begin;
  bool sized = zc_term_is_constant(zc_term_add(terms, span->end, span->begin, -1), &length);
  bool placed = zc_term_is_constant(span->begin, &begin);
  if (sized && length >= ZC_UNBOUNDED / 2)
    return "[all]";
  const char *offset = placed ? zc_arena_format(arena, "%" PRId64, begin) : "?";
  return sized ? zc_arena_format(arena, "[%s for %" PRId64 "]", offset, length)
               : zc_arena_format(arena, "[%s for ?]", offset);
}
