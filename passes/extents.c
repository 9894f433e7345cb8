#include "passes/extents.h"

#include "capi/text.h"

/* Sums that are looked into. Packing a slab adds slice by slice. */
#define SUM_DEPTH 24

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

/* Whether `value` is `length`, or that rounded up. */
static bool is_at_least(const zc_ops *ops, MlirValue value, MlirValue length) {
  if (zc_same_index(ops, value, length))
    return true;
  return zc_op_defining(ops, value) == ZC_OP_UTIL_ALIGN &&
         is_at_least(ops, mlirOperationGetOperand(zc_defining_op(value), 0), length);
}

/* Whether `offset` is the end of `extent` or beyond: a sum that has its offset and its length, or has such a sum in it.
 * Sizes are never negative. */
static bool is_behind(const zc_ops *ops, MlirValue offset, const zc_extent *extent, int depth) {
  int64_t zero;
  if (!depth)
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
         is_behind(ops, a, extent, depth - 1) || is_behind(ops, b, extent, depth - 1);
}

/* What an offset is at least: sums of what is never negative. */
static int64_t least(const zc_ops *ops, MlirValue offset, int depth) {
  int64_t constant;
  int64_t sum;
  if (zc_constant_index(ops, offset, &constant))
    return constant;
  zc_op kind = depth ? zc_op_defining(ops, offset) : ZC_OP_OTHER;
  if (kind == ZC_OP_UTIL_ALIGN)
    return least(ops, mlirOperationGetOperand(zc_defining_op(offset), 0), depth - 1);
  if (kind != ZC_OP_ADDI)
    return 0;
  MlirOperation op = zc_defining_op(offset);
  return __builtin_add_overflow(least(ops, mlirOperationGetOperand(op, 0), depth - 1),
                                least(ops, mlirOperationGetOperand(op, 1), depth - 1), &sum)
             ? 0
             : sum;
}

/* Whether `other`, of a length that isn't known, begins where a constant extent has ended, or behind. One of a known
 * length that isn't constant itself has no end in 64 bits. */
static bool ends_before(const zc_ops *ops, const zc_extent *extent, const zc_extent *other) {
  int64_t begin;
  int64_t length;
  bool endless = zc_constant_index(ops, other->offset, &begin) && zc_constant_index(ops, other->length, &length);
  return extent->constant && !endless && extent->end > extent->begin && least(ops, other->offset, 8) >= extent->end;
}

bool zc_extent_is_disjoint(const zc_ops *ops, const zc_extent *a, const zc_extent *b) {
  if (a->constant && b->constant)
    return a->end <= b->begin || b->end <= a->begin;
  return ends_before(ops, a, b) || ends_before(ops, b, a) || is_behind(ops, b->offset, a, SUM_DEPTH) ||
         is_behind(ops, a->offset, b, SUM_DEPTH);
}
