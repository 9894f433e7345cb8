#include "passes/cache_lines.h"

#include "passes/extents.h"

static void round_to_lines(zc_lines *lines) {
  int64_t line = lines->line;
  lines->first_line = lines->begin / line * line;
  lines->last_line = (lines->end + line - 1) / line * line;
  if (lines->size >= 0 && lines->last_line > lines->size)
    lines->last_line = lines->end > lines->size ? lines->end : lines->size;
}

/* Whether the kernel's part of a range is all of it. */
static bool uses_all(const zc_ops *ops, const zc_access *access) {
  int64_t length;
  return !access->used.end ||
         (zc_constant_index(ops, mlirOperationGetOperand(access->command, access->range.length_operand), &length) &&
          access->used.begin == 0 && access->used.end >= length);
}

static bool is_all(const zc_ops *ops, const zc_access *access) {
  const zc_range *range = &access->range;
  int64_t offset;
  return !access->shift &&
         zc_constant_index(ops, mlirOperationGetOperand(access->command, range->offset_operand), &offset) &&
         offset == 0 &&
         zc_same_index(ops, mlirOperationGetOperand(access->command, range->length_operand),
                       mlirOperationGetOperand(access->command, range->size_operand));
}

zc_lines zc_lines_of(const zc_ops *ops, const zc_access *access, int64_t line) {
  zc_lines lines = {.offset = mlirOperationGetOperand(access->command, access->range.offset_operand),
                    .length = mlirOperationGetOperand(access->command, access->range.length_operand),
                    .line = line};
  zc_extent used = zc_used_extent_of(ops, access);
  lines.partial = access->used.partial || (!used.constant && !uses_all(ops, access));
  if (!used.constant || used.begin < 0 || used.end > INT64_MAX - line) {
    lines.all = is_all(ops, access);
    lines.filled = lines.all || zc_extent_fills_lines(ops, &used, line);
    return lines;
  }
  lines.constant = true;
  lines.begin = used.begin;
  lines.end = used.end;
  if (!zc_constant_index(ops, mlirOperationGetOperand(access->command, access->range.size_operand), &lines.size))
    lines.size = -1;
  round_to_lines(&lines);
  return lines;
}

bool zc_lines_same_values(const zc_lines *a, const zc_lines *b) {
  return !a->whole && !b->whole && !a->constant && !b->constant && mlirValueEqual(a->offset, b->offset) &&
         mlirValueEqual(a->length, b->length);
}

bool zc_lines_equal(const zc_lines *a, const zc_lines *b) {
  if (a->whole || b->whole)
    return a->whole && b->whole;
  if (a->constant && b->constant)
    return a->begin == b->begin && a->end == b->end;
  return zc_lines_same_values(a, b);
}

static bool is_compared(const zc_lines *a, const zc_lines *b) {
  return !a->whole && !b->whole && a->constant && b->constant;
}

static bool may_share(const zc_ops *ops, const zc_lines *a, const zc_lines *b, int64_t line) {
  zc_extent one = {a->constant, a->begin, a->end, a->offset, a->length};
  zc_extent other = {b->constant, b->begin, b->end, b->offset, b->length};
  return a->whole || b->whole || !zc_extent_is_apart(ops, &one, &other, line);
}

bool zc_lines_overlap(const zc_ops *ops, const zc_lines *a, const zc_lines *b) {
  if (is_compared(a, b))
    return a->first_line < b->last_line && b->first_line < a->last_line;
  return may_share(ops, a, b, a->whole ? b->line : a->line);
}

bool zc_lines_share_bytes(const zc_ops *ops, const zc_lines *a, const zc_lines *b) {
  return is_compared(a, b) ? a->begin < b->end && b->begin < a->end : may_share(ops, a, b, 1);
}

bool zc_lines_cover(const zc_lines *outer, const zc_lines *inner) {
  if (outer->whole || outer->all || zc_lines_same_values(outer, inner))
    return true;
  return is_compared(outer, inner) && outer->begin <= inner->begin && outer->end >= inner->end;
}

bool zc_lines_cover_by_lines(const zc_lines *outer, const zc_lines *inner) {
  return zc_lines_cover(outer, inner) ||
         (is_compared(outer, inner) && outer->first_line <= inner->begin && outer->last_line >= inner->end);
}

bool zc_lines_are_filled(const zc_lines *lines) {
  return !lines->partial && (lines->constant ? lines->begin == lines->first_line && lines->end == lines->last_line
                                             : lines->whole || lines->filled);
}

zc_lines zc_lines_common(const zc_lines *lines, const zc_lines *other) {
  zc_lines both = *lines;
  if (!is_compared(lines, other))
    return both;
  both.begin = lines->begin > other->begin ? lines->begin : other->begin;
  both.end = lines->end < other->end ? lines->end : other->end;
  both.first_line = lines->first_line > other->first_line ? lines->first_line : other->first_line;
  both.last_line = lines->last_line < other->last_line ? lines->last_line : other->last_line;
  return both;
}

zc_lines zc_lines_at(const zc_lines *lines, int64_t begin, int64_t end) {
  zc_lines part = *lines;
  part.begin = begin;
  part.end = end;
  round_to_lines(&part);
  return part;
}
