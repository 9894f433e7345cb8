#include "passes/extents.h"

#include "capi/text.h"

/* Ops that one question about an offset looks into. Packing a slab adds slice by slice. */
#define STEPS 128

zc_extent zc_extent_of(const zc_ops *ops, const zc_access *access) {
  zc_extent extent = {.offset = mlirOperationGetOperand(access->command, access->range.offset_operand),
                      .length = mlirOperationGetOperand(access->command, access->range.length_operand)};
  int64_t length;
  if (zc_constant_index(ops, extent.offset, &extent.begin) && zc_constant_index(ops, extent.length, &length))
    extent.constant = !__builtin_add_overflow(extent.begin, access->shift, &extent.begin) &&
                      !__builtin_add_overflow(extent.begin, length, &extent.end);
  return extent;
}

zc_extent zc_used_extent_of(const zc_ops *ops, const zc_access *access) {
  zc_extent extent = zc_extent_of(ops, access);
  const zc_bound *used = &access->used;
  if (!extent.constant || !used->end || used->end > extent.end - extent.begin)
    return extent;
  extent.end = extent.begin + used->end;
  extent.begin += used->begin;
  return extent;
}

zc_extent zc_extent_in_lines(zc_extent extent, int64_t line) {
  if (!extent.constant || extent.begin < 0 || extent.end > INT64_MAX - line)
    return extent;
  extent.begin = extent.begin / line * line;
  extent.end = (extent.end + line - 1) / line * line;
  return extent;
}

/* Without zeros that are added to it. */
static MlirValue plain(const zc_ops *ops, MlirValue value) {
  int64_t zero;
  while (zc_op_defining(ops, value) == ZC_OP_ADDI) {
    MlirValue a = mlirOperationGetOperand(zc_defining_op(value), 0);
    MlirValue b = mlirOperationGetOperand(zc_defining_op(value), 1);
    if (zc_constant_index(ops, a, &zero) && zero == 0)
      value = b;
    else if (zc_constant_index(ops, b, &zero) && zero == 0)
      value = a;
    else
      return value;
  }
  return value;
}

/* Whether `value` is `length`, or that rounded up. */
static bool is_at_least(const zc_ops *ops, MlirValue value, MlirValue length) {
  value = plain(ops, value);
  length = plain(ops, length);
  if (zc_same_index(ops, value, length))
    return true;
  return zc_op_defining(ops, value) == ZC_OP_UTIL_ALIGN &&
         is_at_least(ops, mlirOperationGetOperand(zc_defining_op(value), 0), length);
}

/* Whether `offset` is the end of `extent` or beyond: a sum that has its offset and its length, or has such a sum in it.
 * Sizes are never negative. */
static bool is_behind(const zc_ops *ops, MlirValue offset, const zc_extent *extent, int *steps) {
  int64_t zero;
  if (--*steps < 0)
    return false;
  if (zc_constant_index(ops, extent->offset, &zero) && zero == 0 && is_at_least(ops, offset, extent->length))
    return true;
  MlirOperation sum = zc_defining_op(offset);
  if (mlirOperationIsNull(sum) || !zc_str_is(mlirIdentifierStr(mlirOperationGetName(sum)), "arith.addi"))
    return false;
  MlirValue a = mlirOperationGetOperand(sum, 0);
  MlirValue b = mlirOperationGetOperand(sum, 1);
  return (mlirValueEqual(a, extent->offset) && is_at_least(ops, b, extent->length)) ||
         (mlirValueEqual(b, extent->offset) && is_at_least(ops, a, extent->length)) ||
         is_behind(ops, a, extent, steps) || is_behind(ops, b, extent, steps);
}

/* What an offset is at least: sums of what is never negative. */
static int64_t least(const zc_ops *ops, MlirValue offset, int *steps) {
  int64_t constant;
  int64_t sum;
  if (zc_constant_index(ops, offset, &constant))
    return constant;
  zc_op kind = --*steps >= 0 ? zc_op_defining(ops, offset) : ZC_OP_OTHER;
  if (kind == ZC_OP_UTIL_ALIGN)
    return least(ops, mlirOperationGetOperand(zc_defining_op(offset), 0), steps);
  if (kind != ZC_OP_ADDI)
    return 0;
  MlirOperation op = zc_defining_op(offset);
  return __builtin_add_overflow(least(ops, mlirOperationGetOperand(op, 0), steps),
                                least(ops, mlirOperationGetOperand(op, 1), steps), &sum)
             ? 0
             : sum;
}

/* Whether it is one for certain. */
static bool is_multiple(const zc_ops *ops, MlirValue value, int64_t factor, int *steps) {
  int64_t constant;
  if (zc_constant_index(ops, value, &constant))
    return constant % factor == 0;
  zc_op kind = --*steps >= 0 ? zc_op_defining(ops, value) : ZC_OP_OTHER;
  if (kind != ZC_OP_UTIL_ALIGN && kind != ZC_OP_ADDI && kind != ZC_OP_SUBI && kind != ZC_OP_MULI)
    return false;
  bool second = is_multiple(ops, mlirOperationGetOperand(zc_defining_op(value), 1), factor, steps);
  if (kind == ZC_OP_UTIL_ALIGN)
    return second;
  bool first = is_multiple(ops, mlirOperationGetOperand(zc_defining_op(value), 0), factor, steps);
  return kind == ZC_OP_MULI ? first || second : first && second;
}

/* Whether `other`, of a length that isn't known, begins where a constant extent has ended, or behind. One of a known
 * length that isn't constant itself has no end in 64 bits. */
static bool ends_before(const zc_ops *ops, const zc_extent *extent, const zc_extent *other) {
  int64_t begin;
  int64_t length;
  int steps = STEPS;
  bool endless = zc_constant_index(ops, other->offset, &begin) && zc_constant_index(ops, other->length, &length);
  return extent->constant && !endless && extent->end > extent->begin &&
         least(ops, other->offset, &steps) >= extent->end;
}

static bool begins_line(const zc_ops *ops, const zc_extent *extent, int64_t line) {
  int steps = STEPS;
  return extent->constant ? extent->begin % line == 0 : is_multiple(ops, extent->offset, line, &steps);
}

static bool ends_line(const zc_ops *ops, const zc_extent *extent, int64_t line) {
  int steps = STEPS;
  return extent->constant ? extent->end % line == 0
                          : begins_line(ops, extent, line) && is_multiple(ops, extent->length, line, &steps);
}

bool zc_extent_fills_lines(const zc_ops *ops, const zc_extent *extent, int64_t line) {
  return begins_line(ops, extent, line) && ends_line(ops, extent, line);
}

/* Whether the lines of `a` end before those of `b` begin. */
static bool is_before(const zc_ops *ops, const zc_extent *a, const zc_extent *b, int64_t line) {
  zc_extent lines = zc_extent_in_lines(*a, line);
  int steps = STEPS;
  return ends_before(ops, &lines, b) ||
         (is_behind(ops, b->offset, a, &steps) && (line == 1 || begins_line(ops, b, line) || ends_line(ops, a, line)));
}

bool zc_extent_is_apart(const zc_ops *ops, const zc_extent *a, const zc_extent *b, int64_t line) {
  if (a->constant && b->constant) {
    zc_extent first = zc_extent_in_lines(*a, line);
    zc_extent second = zc_extent_in_lines(*b, line);
    return first.end <= second.begin || second.end <= first.begin;
  }
  return is_before(ops, a, b, line) || is_before(ops, b, a, line);
}

bool zc_extent_is_disjoint(const zc_ops *ops, const zc_extent *a, const zc_extent *b) {
  return zc_extent_is_apart(ops, a, b, 1);
}

bool zc_accesses_share(const zc_ops *ops, const zc_access *a, const zc_access *b, int64_t line) {
  zc_extent one = zc_used_extent_of(ops, a);
  zc_extent other = zc_used_extent_of(ops, b);
  return !zc_extent_is_apart(ops, &one, &other, line);
}
