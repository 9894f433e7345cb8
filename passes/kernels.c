#include "passes/kernels.h"

#include <stdlib.h>
#include <string.h>

#include "capi/ptr_map.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* Ops that an offset is computed through, at most. */
#define OFFSET_DEPTH 16

/* Operand segments of stream.cmd.dispatch. */
enum { DISPATCH_WORKLOAD, DISPATCH_OPERANDS };

/* A stream.binding.subspan. */
typedef struct part {
  int binding;
  bool writes;
  bool filled;      ///< A store writes all of it.
  MlirValue offset; ///< Bytes.
  int64_t bytes;    ///< -1: not known.
} part;

typedef struct kernel {
  MlirBlock entry;
  zc_list operands; ///< int, by argument of the entry: its number among the dispatch's operands; -1: a binding.
  zc_list parts;    ///< part
  bool known;       ///< The bindings are used by `parts` only.
} kernel;

static bool constant_integer(const zc_ops *ops, MlirValue value, uint64_t *constant) {
  MlirAttribute attribute = zc_constant_integer(ops, value);
  if (mlirAttributeIsNull(attribute))
    return false;
  MlirType type = mlirAttributeGetType(attribute);
  if (!mlirTypeIsAIndex(type) &&
      !(mlirTypeIsAInteger(type) && mlirIntegerTypeIsSignless(type) && mlirIntegerTypeGetWidth(type) <= 64))
    return false;
  *constant = (uint64_t)mlirIntegerAttrGetValueInt(attribute);
  if (!mlirTypeIsAIndex(type) && mlirIntegerTypeGetWidth(type) < 64)
    *constant &= ((uint64_t)1 << mlirIntegerTypeGetWidth(type)) - 1;
  return true;
}

/* ---- the types of a kernel ---- */

static bool is_binding(zc_context *context, MlirValue argument) {
  return strcmp(zc_type_text(context->arena, mlirValueGetType(argument)), "!stream.binding") == 0;
}

/* Bits of iN, fN, bfN, siN, uiN; 0 of anything else. */
static int64_t element_bits(const char *text) {
  const char *digits = text + strcspn(text, "0123456789>");
  return strchr("ifbsu", *text) && *digits != '>' ? strtoll(digits, NULL, 10) : 0;
}

/* Of a `…tensor<writeonly:tensor<4x8xf32>>` with static sizes: -1 where it is something else. */
static int64_t bytes_of(const char *type) {
  const char *at = strstr(type, ":tensor<");
  int64_t bits = 1;
  if (!at)
    return -1;
  for (at += strlen(":tensor<"); *at >= '0' && *at <= '9';) {
    char *end;
    if (__builtin_mul_overflow(bits, strtoll(at, &end, 10), &bits) || *end != 'x')
      return -1;
    at = end + 1;
  }
  int64_t element = element_bits(at);
  if (!element || element % 8 || __builtin_mul_overflow(bits, element, &bits))
    return -1;
  return bits / 8;
}

/* ---- the parts of bindings that a kernel uses ---- */

static bool all_equal(MlirAttribute array, int64_t value) {
  for (intptr_t i = mlirDenseArrayGetNumElements(array); i-- > 0;)
    if (mlirDenseI64ArrayGetElement(array, i) != value)
      return false;
  return true;
}

/* Whether a store's static sizes are those of the type that it stores to. */
static bool has_sizes(const char *type, MlirAttribute sizes) {
  const char *at = strstr(type, ":tensor<");
  if (!at)
    return false;
  at += strlen(":tensor<");
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(sizes); ++i) {
    char *end;
    if (strtoll(at, &end, 10) != mlirDenseI64ArrayGetElement(sizes, i) || end == at || *end != 'x')
      return false;
    at = end + 1;
  }
  return true;
}

/* A store to all of a tensor, in the entry block: whatever way is taken there. */
static bool fills(zc_context *context, const kernel *kernel, MlirOperation store, const char *type) {
  MlirAttribute offsets = zc_attribute(store, "static_offsets");
  MlirAttribute sizes = zc_attribute(store, "static_sizes");
  MlirAttribute strides = zc_attribute(store, "static_strides");
  return zc_op_of(context->ops, store) == ZC_OP_TENSOR_STORE &&
         mlirBlockEqual(mlirOperationGetBlock(store), kernel->entry) && !mlirAttributeIsNull(offsets) &&
         mlirAttributeIsADenseI64Array(offsets) && !mlirAttributeIsNull(sizes) &&
         mlirAttributeIsADenseI64Array(sizes) && !mlirAttributeIsNull(strides) &&
         mlirAttributeIsADenseI64Array(strides) && all_equal(offsets, 0) && all_equal(strides, 1) &&
         has_sizes(type, sizes);
}

static bool is_filled(zc_context *context, const kernel *kernel, MlirValue tensor, const char *type) {
  for (MlirOpOperand use = mlirValueGetFirstUse(tensor); !mlirOpOperandIsNull(use); use = mlirOpOperandGetNextUse(use))
    if (fills(context, kernel, mlirOpOperandGetOwner(use), type))
      return true;
  return false;
}

static bool add_part(zc_context *context, kernel *kernel, int binding, MlirOperation subspan) {
  if (zc_op_of(context->ops, subspan) != ZC_OP_SUBSPAN)
    return false;
  MlirValue tensor = mlirOperationGetResult(subspan, 0);
  const char *type = zc_type_text(context->arena, mlirValueGetType(tensor));
  part part = {.binding = binding,
               .writes = !strstr(type, "<readonly:"),
               .filled = is_filled(context, kernel, tensor, type),
               .offset = mlirOperationGetOperand(subspan, 1),
               .bytes = bytes_of(type)};
  zc_list_push(context->arena, &kernel->parts, struct part, part);
  return true;
}

static void number_arguments(zc_context *context, kernel *kernel) {
  int operands = 0;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(kernel->entry); ++i) {
    bool binding = is_binding(context, mlirBlockGetArgument(kernel->entry, i));
    zc_list_push(context->arena, &kernel->operands, int, binding ? -1 : operands++);
  }
}

static bool read_parts(zc_context *context, kernel *kernel) {
  int number = 0;
  for (int i = 0; i < kernel->operands.count; ++i) {
    MlirValue argument = mlirBlockGetArgument(kernel->entry, i);
    if (zc_list_at(&kernel->operands, int, i) >= 0)
      continue;
    for (MlirOpOperand use = mlirValueGetFirstUse(argument); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use))
      if (!add_part(context, kernel, number, mlirOpOperandGetOwner(use)))
        return false;
    ++number;
  }
  return true;
}

/* ---- finding the kernel ---- */

static MlirOperation first_in(MlirOperation op) {
  MlirOperation none = {NULL};
  MlirBlock block =
      mlirOperationGetNumRegions(op) ? mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(op)) : (MlirBlock){NULL};
  return mlirBlockIsNull(block) ? none : mlirBlockGetFirstOperation(block);
}

static bool is_named(MlirOperation op, MlirStringRef name) {
  MlirAttribute own = zc_attribute(op, "sym_name");
  return !mlirAttributeIsNull(own) && mlirAttributeIsAString(own) &&
         mlirStringRefEqual(mlirStringAttrGetValue(own), name);
}

static MlirOperation find_function(zc_context *context, MlirOperation executable, MlirStringRef name) {
  for (MlirOperation op = first_in(executable); !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    for (MlirOperation inner = zc_op_of(context->ops, op) == ZC_OP_MODULE ? first_in(op) : (MlirOperation){NULL};
         !mlirOperationIsNull(inner); inner = mlirOperationGetNextInBlock(inner))
      if (is_named(inner, name))
        return inner;
  return (MlirOperation){NULL};
}

static void read_kernel(zc_context *context, kernel *kernel, MlirAttribute entry_point) {
  if (!mlirAttributeIsASymbolRef(entry_point))
    return;
  MlirAttribute root = mlirFlatSymbolRefAttrGet(context->mlir, mlirSymbolRefAttrGetRootReference(entry_point));
  MlirOperation executable = zc_lookup_symbol(context, root);
  if (mlirOperationIsNull(executable) || zc_op_of(context->ops, executable) != ZC_OP_EXECUTABLE)
    return;
  MlirOperation function = find_function(context, executable, mlirSymbolRefAttrGetLeafReference(entry_point));
  MlirOperation first = mlirOperationIsNull(function) ? function : first_in(function);
  if (mlirOperationIsNull(first))
    return;
  kernel->entry = mlirOperationGetBlock(first);
  number_arguments(context, kernel);
  kernel->known = read_parts(context, kernel);
}

static const kernel *kernel_of(zc_context *context, MlirOperation dispatch) {
  MlirAttribute entries = zc_attribute(dispatch, "entry_points");
  if (mlirAttributeIsNull(entries) || !mlirAttributeIsAArray(entries) || mlirArrayAttrGetNumElements(entries) != 1)
    return NULL;
  if (!context->kernels)
    context->kernels = zc_ptr_map_create(context->arena);
  kernel *found = zc_ptr_map_get(context->kernels, entries.ptr);
  if (!found) {
    found = zc_arena_new(context->arena, kernel);
    zc_ptr_map_set(context->kernels, entries.ptr, found);
    read_kernel(context, found, mlirArrayAttrGetElement(entries, 0));
  }
  return mlirBlockIsNull(found->entry) ? NULL : found;
}

/* ---- a dispatch of it ---- */

/* Integers of a kernel, by the dispatch's operands. */
static bool evaluate(zc_context *context, const kernel *kernel, MlirOperation dispatch, MlirValue value, int depth,
                     uint64_t *result);

static bool evaluate_argument(zc_context *context, const kernel *kernel, MlirOperation dispatch, MlirValue argument,
                              uint64_t *result) {
  if (!mlirBlockEqual(mlirBlockArgumentGetOwner(argument), kernel->entry))
    return false;
  int number = zc_list_at(&kernel->operands, int, mlirBlockArgumentGetArgNumber(argument));
  zc_segment operands = zc_operand_segment(dispatch, DISPATCH_OPERANDS);
  return number >= 0 && number < operands.count &&
         constant_integer(context->ops, mlirOperationGetOperand(dispatch, operands.first + number), result);
}

static uint64_t combine(zc_op kind, uint64_t a, uint64_t b) {
  switch (kind) {
  case ZC_OP_ADDI:
    return a + b;
  case ZC_OP_MULI:
    return a * b;
  case ZC_OP_ORI:
    return a | b;
  default:
    return b < 64 ? a << b : 0;
  }
}

static bool evaluate(zc_context *context, const kernel *kernel, MlirOperation dispatch, MlirValue value, int depth,
                     uint64_t *result) {
  if (constant_integer(context->ops, value, result))
    return true;
  MlirOperation op = zc_defining_op(value);
  if (mlirOperationIsNull(op))
    return evaluate_argument(context, kernel, dispatch, value, result);
  uint64_t other;
  switch (depth ? zc_op_of(context->ops, op) : ZC_OP_OTHER) {
  case ZC_OP_INDEX_CASTUI:
  case ZC_OP_EXTUI:
    return evaluate(context, kernel, dispatch, mlirOperationGetOperand(op, 0), depth - 1, result);
  case ZC_OP_ADDI:
  case ZC_OP_MULI:
  case ZC_OP_ORI:
  case ZC_OP_SHLI:
    if (!evaluate(context, kernel, dispatch, mlirOperationGetOperand(op, 0), depth - 1, result) ||
        !evaluate(context, kernel, dispatch, mlirOperationGetOperand(op, 1), depth - 1, &other))
      return false;
    *result = combine(zc_op_of(context->ops, op), *result, other);
    return true;
  default:
    return false;
  }
}

/* Widens a bound to a part; false where the part may be anywhere. */
static bool take_in(zc_context *context, const kernel *kernel, MlirOperation dispatch, const part *part,
                    zc_bound *bound) {
  uint64_t offset;
  int64_t end;
  if (part->bytes <= 0 || !evaluate(context, kernel, dispatch, part->offset, OFFSET_DEPTH, &offset) ||
      offset > INT64_MAX || __builtin_add_overflow((int64_t)offset, part->bytes, &end))
    return false;
  bool first = bound->end == 0;
  bool filled = part->writes && part->filled;
  /* Several parts leave gaps, as far as anyone looks. */
  bound->partial = !filled || !first;
  if (first || (int64_t)offset < bound->begin)
    bound->begin = (int64_t)offset;
  if (end > bound->end)
    bound->end = end;
  return true;
}

/* A tensor of sizes that the dispatch gives, from the binding's begin, is all of the binding: IREE binds no more. */
static bool is_all(zc_context *context, const kernel *kernel, MlirOperation dispatch, const part *part) {
  uint64_t offset;
  return part->bytes < 0 && part->writes && evaluate(context, kernel, dispatch, part->offset, OFFSET_DEPTH, &offset) &&
         offset == 0;
}

zc_bound zc_kernel_bound(zc_context *context, MlirOperation dispatch, int number) {
  zc_bound all = {0};
  zc_bound anywhere = {.partial = true};
  zc_bound bound = {0};
  const kernel *kernel = kernel_of(context, dispatch);
  if (!kernel)
    return all;
  if (!kernel->known)
    return anywhere;
  for (int i = 0; i < kernel->parts.count; ++i) {
    const part *part = &zc_list_at(&kernel->parts, struct part, i);
    if (part->binding != number)
      continue;
    if (!take_in(context, kernel, dispatch, part, &bound))
      return is_all(context, kernel, dispatch, part) ? all : anywhere;
  }
  return bound.end ? bound : anywhere;
}
