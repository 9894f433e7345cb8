#include "passes/verify_text.h"

#include <inttypes.h>
#include <string.h>

#include "capi/text.h"
#include "passes/verify_pieces.h"

enum { DEPTH = 4, OPERANDS = 4, PARTS = 6 };

typedef struct writer {
  zc_terms *terms;
  zc_arena *arena;
  bool cut; ///< Something was left out.
} writer;

static const char *term_text(writer *writer, const zc_term *term, int depth);

/* "64 + 4*argument 3" */
static const char *sum_text(writer *writer, const zc_term *sum, int depth) {
  const char *text =
      sum->numbers[0] || !sum->num_operands ? zc_arena_format(writer->arena, "%" PRId64, sum->numbers[0]) : "";
  for (int i = 0; i < sum->num_operands; ++i) {
    int64_t factor = sum->numbers[i + 1];
    const char *atom = term_text(writer, sum->operands[i], depth);
    const char *sign = factor < 0 ? (*text ? " - " : "-") : *text ? " + " : "";
    uint64_t size = factor < 0 ? -(uint64_t)factor : (uint64_t)factor;
    text = size == 1 ? zc_arena_format(writer->arena, "%s%s%s", text, sign, atom)
                     : zc_arena_format(writer->arena, "%s%s%" PRIu64 "*%s", text, sign, size, atom);
  }
  return text;
}

static bool is_number(const zc_term *term, int64_t number) {
  int64_t value;
  return zc_term_is_constant(term, &value) && value == number;
}

/* "X[24 for 8] at 4*argument 3" */
static const char *part_text(writer *writer, const zc_part *part, bool placed, int depth) {
  const char *text = zc_arena_format(writer->arena, "%s[%s for %s]", term_text(writer, part->value, depth),
                                     term_text(writer, part->from, depth), term_text(writer, part->length, depth));
  if (!placed && !is_number(part->position, 0))
    text = zc_arena_format(writer->arena, "%s at %s", text, term_text(writer, part->position, depth));
  if (part->window)
    text = zc_arena_format(writer->arena, "%s within [%s for %s]", text,
                           term_text(writer, part->window->operands[0], depth),
                           term_text(writer, part->window->operands[1], depth));
  return text;
}

/* "{X[24 for 8], Y[0 for 8]}" side by side, "{X[0 for 8] at 4*argument 3 over Y[0 for 16]}" on top of each other. */
static const char *parts_text(writer *writer, const zc_term *term, int depth) {
  const zc_term *length;
  bool placed;
  zc_list parts = zc_parts_of(writer->terms, writer->arena, term, &length, &placed);
  const zc_term *whole = placed ? zc_value_of_pieces(term, &length) : NULL;
  if (whole)
    return term_text(writer, whole, depth);
  writer->cut |= depth == 0 || parts.count > PARTS;
  if (depth == 0)
    return "{…}";
  const char *text = "{";
  for (int i = 0; i < parts.count && i < PARTS; ++i)
    text = zc_arena_format(writer->arena, "%s%s%s", text,
                           i == 0   ? ""
                           : placed ? ", "
                                    : " over ",
                           part_text(writer, &zc_list_at(&parts, zc_part, i), placed, depth - 1));
  return zc_arena_format(writer->arena, "%s%s}", text, parts.count > PARTS ? ", …" : "");
}

static const char *name_of(zc_arena *arena, const zc_term *term) {
  const char *kind = term->kind;
  if (*kind == '@') {
    MlirAttribute which = {(const void *)(uintptr_t)term->numbers[0]};
    return zc_arena_format(arena, "%s %s", kind + 1, mlirAttributeIsNull(which) ? "" : zc_attribute_text(arena, which));
  }
  return term->num_numbers == 1 ? zc_arena_format(arena, "%s %" PRId64, kind, term->numbers[0]) : kind;
}

static const char *term_text(writer *writer, const zc_term *term, int depth) {
  if (zc_term_is_sum(term))
    return sum_text(writer, term, depth);
  if (zc_has_parts(term))
    return parts_text(writer, term, depth);
  const char *text = name_of(writer->arena, term);
  if (!term->num_operands)
    return text;
  writer->cut |= depth == 0 || term->num_operands > OPERANDS;
  if (depth == 0)
    return zc_arena_format(writer->arena, "%s(…)", text);
  for (int i = 0; i < term->num_operands && i < OPERANDS; ++i)
    text =
        zc_arena_format(writer->arena, "%s%s%s", text, i ? ", " : "(", term_text(writer, term->operands[i], depth - 1));
  return zc_arena_format(writer->arena, "%s%s)", text, term->num_operands > OPERANDS ? ", …" : "");
}

const char *zc_term_text(zc_terms *terms, zc_arena *arena, const zc_term *term) {
  writer writer = {terms, arena, false};
  return term_text(&writer, term, DEPTH);
}

/* ---- differences ---- */

/* The only operand, or the first of a function, in which two terms of one shape differ, and a value; -1: none such. */
static int differing_operand(const zc_term *a, const zc_term *b) {
  int found = -1;
  bool same = a->kind == b->kind && a->num_operands == b->num_operands && a->num_numbers == b->num_numbers &&
              !zc_term_is_sum(a);
  for (int i = 0; same && i < a->num_numbers; ++i)
    same = a->numbers[i] == b->numbers[i];
  for (int i = 0; same && i < a->num_operands; ++i) {
    if (a->operands[i] == b->operands[i])
      continue;
    same = found < 0 || !zc_has_parts(a);
    found = found < 0 ? i : found;
  }
  return same ? found : -1;
}

/* What of a term its operand is: for messages. */
static const char *role_text(zc_arena *arena, const zc_term *term, int operand) {
  return *(const char *)term->kind == '@' ? zc_arena_format(arena, "operand %d of %s", operand, name_of(arena, term))
                                          : NULL;
}

const char *zc_difference_text(zc_terms *terms, zc_arena *arena, const zc_term *before, const zc_term *after) {
  writer writer = {terms, arena, false};
  const char *now = term_text(&writer, after, DEPTH);
  const char *then = term_text(&writer, before, DEPTH);
  const char *role = NULL;
  for (int i = writer.cut ? differing_operand(before, after) : -1; i >= 0; i = differing_operand(before, after)) {
    const char *own = role_text(arena, before, i);
    role = own ? own : role;
    before = before->operands[i];
    after = after->operands[i];
  }
  if (!role)
    return zc_arena_format(arena, "is %s, but was %s", now, then);
  return zc_arena_format(arena, "hangs on %s, which is %s, but was %s", role, zc_term_text(terms, arena, after),
                         zc_term_text(terms, arena, before));
}
