/* Scalars of a path as terms: constants, sums, what is known of an index in two halves; all else is itself. */
#include <string.h>

#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "passes/verify_steps.h"

static const char scalar_kind[] = "value";

static bool is_pure(const char *name) {
  static const char *const prefixes[] = {
      "arith.", "util.align", "hal.element_type", "hal.encoding_type", "hal.buffer_view.dim",
      "math.",  "index.",     "util.cmp",         "util.cast"};
  for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; ++i)
    if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0)
      return true;
  return false;
}

/* The op with its attributes applied to its operands' terms; all of them, or none. */
static const zc_term *apply(zc_path *path, MlirOperation op, intptr_t result) {
  zc_arena *arena = path->arena;
  zc_list operands = {0};
  zc_list numbers = {0};
  zc_list_push(arena, &numbers, int64_t, (int64_t)result);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    zc_list_push(arena, &operands, const zc_term *, zc_path_term(path, mlirOperationGetOperand(op, i)));
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    int64_t attribute = (int64_t)(uintptr_t)mlirOperationGetAttribute(op, i).attribute.ptr;
    zc_list_push(arena, &numbers, int64_t, attribute);
  }
  const zc_term *head[] = {zc_term_make(terms_of(path), mlirIdentifierStr(mlirOperationGetName(op)).data, 0, NULL,
                                        numbers.count, numbers.items)};
  zc_list all = {0};
  zc_list_push(arena, &all, const zc_term *, head[0]);
  for (int i = 0; i < operands.count; ++i)
    zc_list_push(arena, &all, const zc_term *, zc_list_at(&operands, const zc_term *, i));
  return zc_term_make(terms_of(path), scalar_kind, all.count, all.items, 0, NULL);
}

static bool compare_constants(int64_t predicate, int64_t a, int64_t b, bool *result) {
  uint64_t x = (uint64_t)a;
  uint64_t y = (uint64_t)b;
  const bool results[] = {a == b, a != b, a<b, a <= b, a> b, a >= b, x<y, x <= y, x> y, x >= y};
  if (predicate < 0 || predicate >= 10)
    return false;
  *result = results[predicate];
  return true;
}

static const zc_term *compare(zc_path *path, MlirOperation op) {
  int64_t a;
  int64_t b;
  bool result;
  MlirAttribute predicate = zc_attribute(op, "predicate");
  if (zc_term_is_constant(zc_path_term(path, mlirOperationGetOperand(op, 0)), &a) &&
      zc_term_is_constant(zc_path_term(path, mlirOperationGetOperand(op, 1)), &b) &&
      mlirAttributeIsAInteger(predicate) && compare_constants(mlirIntegerAttrGetValueInt(predicate), a, b, &result))
    return constant(path, result);
  return apply(path, op, 0);
}

static const zc_term *constant_of(zc_path *path, MlirOperation op) {
  MlirAttribute value = zc_attribute(op, "value");
  if (!mlirAttributeIsNull(value) && mlirAttributeIsAInteger(value)) {
    MlirType type = mlirAttributeGetType(value);
    if (mlirTypeIsAIndex(type) || (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) <= 64))
      return constant(path, mlirIntegerAttrGetValueInt(value));
  }
  return apply(path, op, 0);
}

/* An index goes to a kernel in two halves: low, high >> 32. Put together again they are the index. */
static const char low_kind[] = "low", shifted_kind[] = "shifted", high_kind[] = "high", raised_kind[] = "raised";

static bool is_word(MlirValue value) {
  MlirType type = mlirValueGetType(value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 32;
}

static const zc_term *unary(zc_path *path, const void *kind, const zc_term *operand) {
  return zc_term_make(terms_of(path), kind, 1, &operand, 0, NULL);
}

static const zc_term *cut_to_word(zc_path *path, MlirOperation op) {
  const zc_term *whole = zc_path_term(path, mlirOperationGetOperand(op, 0));
  int64_t known;
  if (!is_word(mlirOperationGetResult(op, 0)))
    return mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetOperand(op, 0))) ||
                   mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetResult(op, 0)))
               ? whole
               : apply(path, op, 0);
  if (zc_term_is_constant(whole, &known))
    return constant(path, known & INT64_C(0xFFFFFFFF));
  return whole->kind == shifted_kind ? unary(path, high_kind, whole->operands[0]) : unary(path, low_kind, whole);
}

static const zc_term *shift(zc_path *path, MlirOperation op, bool left) {
  const zc_term *value = zc_path_term(path, mlirOperationGetOperand(op, 0));
  int64_t by;
  int64_t known;
  if (!zc_term_is_constant(zc_path_term(path, mlirOperationGetOperand(op, 1)), &by) || by != 32)
    return apply(path, op, 0);
  if (zc_term_is_constant(value, &known))
    return constant(path, left ? (int64_t)((uint64_t)known << 32) : (int64_t)((uint64_t)known >> 32));
  return unary(path, left ? raised_kind : shifted_kind, value);
}

static const zc_term *put_together(zc_path *path, MlirOperation op) {
  const zc_term *halves[2];
  int64_t known[2];
  for (int i = 0; i < 2; ++i)
    halves[i] = zc_path_term(path, mlirOperationGetOperand(op, i));
  if (zc_term_is_constant(halves[0], &known[0]) && zc_term_is_constant(halves[1], &known[1]))
    return constant(path, known[0] | known[1]);
  for (int i = 0; i < 2; ++i) {
    const zc_term *low = halves[i];
    const zc_term *raised = halves[1 - i];
    if (low->kind == low_kind && raised->kind == raised_kind && raised->operands[0]->kind == high_kind &&
        raised->operands[0]->operands[0] == low->operands[0])
      return low->operands[0];
  }
  return apply(path, op, 0);
}

/* Sums in types narrower than an index may wrap around: they are left as they are. */
static const zc_term *arithmetic(zc_path *path, MlirOperation op, zc_op kind) {
  const zc_term *a = zc_path_term(path, mlirOperationGetOperand(op, 0));
  const zc_term *b = zc_path_term(path, mlirOperationGetOperand(op, 1));
  int64_t known;
  bool both = zc_term_is_constant(a, &known) && zc_term_is_constant(b, &known);
  if (!mlirTypeIsAIndex(mlirValueGetType(mlirOperationGetResult(op, 0))) && !both)
    return apply(path, op, 0);
  if (kind == ZC_OP_MULI)
    return zc_term_multiply(terms_of(path), a, b);
  return zc_term_add(terms_of(path), a, b, kind == ZC_OP_SUBI ? -1 : 1);
}

const zc_term *zc_scalar_of(zc_path *path, MlirOperation op, zc_op kind, intptr_t result) {
  switch (kind) {
  case ZC_OP_CONSTANT:
    return constant_of(path, op);
  case ZC_OP_ADDI:
  case ZC_OP_SUBI:
  case ZC_OP_MULI:
    return arithmetic(path, op, kind);
  case ZC_OP_CMPI:
    return compare(path, op);
  case ZC_OP_INDEX_CAST:
  case ZC_OP_INDEX_CASTUI:
  case ZC_OP_TRUNCI:
    return cut_to_word(path, op);
  case ZC_OP_SHLI:
  case ZC_OP_SHRUI:
    return shift(path, op, kind == ZC_OP_SHLI);
  case ZC_OP_ORI:
    return put_together(path, op);
  case ZC_OP_EXTUI:
  case ZC_OP_WORKLOAD_ORDINAL:
    return zc_path_term(path, mlirOperationGetOperand(op, 0));
  case ZC_OP_ASSUME_INT:
    return zc_path_term(path, mlirOperationGetOperand(op, result));
  case ZC_OP_UTIL_ALIGN:
    return zc_term_align(terms_of(path), zc_path_term(path, mlirOperationGetOperand(op, 0)),
                         zc_path_term(path, mlirOperationGetOperand(op, 1)));
  default:
    if (is_pure(zc_op_name(op)))
      return apply(path, op, result);
    return zc_path_occurrence(path, mlirIdentifierStr(mlirOperationGetName(op)).data, result);
  }
}
