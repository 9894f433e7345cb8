#include "passes/verify_kernels.h"

#include <stdlib.h>
#include <string.h>

#include "capi/ptr_map.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"

struct zc_kernels {
  zc_context *context;
  zc_ptr_map *executables; ///< Symbol reference -> stream.executable.
  zc_ptr_map *known;       ///< Entry point -> zc_kernel.
  zc_ptr_map *bindings;    ///< Type -> itself where it is a binding.
};

static MlirAttribute symbol_of(zc_context *context, MlirOperation op) {
  MlirAttribute name = zc_attribute(op, "sym_name");
  MlirAttribute none = {NULL};
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name))
    return none;
  return mlirFlatSymbolRefAttrGet(context->mlir, mlirStringAttrGetValue(name));
}

static MlirOperation first_in(MlirOperation op) {
  MlirOperation none = {NULL};
  if (mlirOperationGetNumRegions(op) == 0)
    return none;
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(op));
  return mlirBlockIsNull(block) ? none : mlirBlockGetFirstOperation(block);
}

zc_kernels *zc_kernels_create(zc_context *context) {
  zc_kernels *kernels = zc_arena_new(context->arena, zc_kernels);
  kernels->context = context;
  kernels->executables = zc_ptr_map_create(context->arena);
  kernels->known = zc_ptr_map_create(context->arena);
  kernels->bindings = zc_ptr_map_create(context->arena);
  for (MlirOperation op = first_in(context->module); !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op))
    if (zc_op_of(context->ops, op) == ZC_OP_EXECUTABLE) {
      MlirAttribute symbol = symbol_of(context, op);
      if (!mlirAttributeIsNull(symbol))
        zc_ptr_map_set(kernels->executables, symbol.ptr, op.ptr);
    }
  return kernels;
}

void zc_kernels_release(zc_kernels *kernels) {
  zc_ptr_map_release(kernels->executables);
  zc_ptr_map_release(kernels->known);
  zc_ptr_map_release(kernels->bindings);
}

bool zc_is_binding(zc_kernels *kernels, MlirValue argument) {
  MlirType type = mlirValueGetType(argument);
  static char yes, no;
  char *known = zc_ptr_map_get(kernels->bindings, type.ptr);
  if (!known) {
    known = strcmp(zc_type_text(kernels->context->arena, type), "!stream.binding") == 0 ? &yes : &no;
    zc_ptr_map_set(kernels->bindings, type.ptr, known);
  }
  return known == &yes;
}

/* ---- the type of a part: "…tensor<readonly:tensor<4x?xf32>>" ---- */

static int mode_of(const char *text) {
  static const struct {
    const char *word;
    int mode;
  } modes[] = {{"<readonly:", ZC_ACCESS_READ},
               {"<writeonly:", ZC_ACCESS_WRITE},
               {"<readwrite:", ZC_ACCESS_READ | ZC_ACCESS_WRITE}};
  for (size_t i = 0; i < sizeof modes / sizeof *modes; ++i)
    if (strstr(text, modes[i].word))
      return modes[i].mode;
  return 0;
}

/* Bytes of an element: of iN, uN, siN, fN, bf16, index; 0 where it is something else or no whole number of bytes. */
static int64_t element_bytes(const char *text) {
  while (*text == 's' || *text == 'u' || *text == 'b')
    ++text;
  if (*text != 'i' && *text != 'f')
    return 0;
  char *end;
  long bits = strtol(text + 1, &end, 10);
  return *end == '>' && bits > 0 && bits <= 128 && bits % 8 == 0 ? bits / 8 : 0;
}

/* The product of the static dimensions and the element; 0 where it isn't known. */
static int64_t unit_of(const char *text) {
  const char *at = strstr(text, ":tensor<");
  int64_t unit = 1;
  if (!at)
    return 0;
  for (at += strlen(":tensor<"); *at == '?' || (*at >= '0' && *at <= '9');) {
    char *end = (char *)at + 1;
    long long size = *at == '?' ? 1 : strtoll(at, &end, 10);
    if (*end != 'x' || size < 0 || (size && unit > ((int64_t)1 << 56) / size))
      return 0;
    unit *= size;
    at = end + 1;
  }
  return unit * element_bytes(at);
}

/* ---- a kernel ---- */

typedef struct scan {
  zc_kernels *kernels;
  zc_kernel *kernel;
  zc_ptr_map *needed; ///< Op -> itself.
} scan;

static bool in_entry(const scan *scan, MlirOperation op) {
  return mlirBlockEqual(mlirOperationGetBlock(op), scan->kernel->entry);
}

/* Marks what computes `value`; false where that is not in the entry block. */
static bool need(scan *scan, MlirValue value, int depth) {
  if (mlirValueIsABlockArgument(value))
    return mlirBlockEqual(mlirBlockArgumentGetOwner(value), scan->kernel->entry) &&
           !zc_is_binding(scan->kernels, value);
  MlirOperation op = mlirOpResultGetOwner(value);
  if (!in_entry(scan, op) || depth > 64)
    return false;
  if (zc_ptr_map_get(scan->needed, op.ptr))
    return true;
  zc_ptr_map_set(scan->needed, op.ptr, op.ptr);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (!need(scan, mlirOperationGetOperand(op, i), depth + 1))
      return false;
  return true;
}

static int binding_number(const scan *scan, MlirValue value) {
  if (!mlirValueIsABlockArgument(value) || !mlirBlockEqual(mlirBlockArgumentGetOwner(value), scan->kernel->entry))
    return -1;
  int number = 0;
  for (intptr_t i = 0; i < mlirBlockArgumentGetArgNumber(value); ++i)
    number += zc_is_binding(scan->kernels, mlirBlockGetArgument(scan->kernel->entry, i));
  return number;
}

static bool see_part(scan *scan, MlirOperation op) {
  zc_context *context = scan->kernels->context;
  const char *type = zc_type_text(context->arena, mlirValueGetType(mlirOperationGetResult(op, 0)));
  zc_kernel_part part = {.op = op,
                         .binding = binding_number(scan, mlirOperationGetOperand(op, 0)),
                         .mode = mode_of(type),
                         .offset = mlirOperationGetOperand(op, 1),
                         .unit = unit_of(type),
                         .dims = {2, (int)mlirOperationGetNumOperands(op) - 2}};
  if (!in_entry(scan, op) || part.binding < 0 || !part.mode)
    return false;
  zc_list_push(context->arena, &scan->kernel->parts, zc_kernel_part, part);
  for (int i = 0; i < part.dims.count; ++i)
    if (!need(scan, mlirOperationGetOperand(op, part.dims.first + i), 0))
      return false;
  return need(scan, part.offset, 0);
}

/* Whether bindings go nowhere but into the parts that were seen. */
static bool bindings_are_parts(const scan *scan) {
  int uses = 0;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(scan->kernel->entry); ++i) {
    MlirValue argument = mlirBlockGetArgument(scan->kernel->entry, i);
    if (!zc_is_binding(scan->kernels, argument))
      continue;
    for (MlirOpOperand use = mlirValueGetFirstUse(argument); !mlirOpOperandIsNull(use);
         use = mlirOpOperandGetNextUse(use))
      ++uses;
  }
  return uses == scan->kernel->parts.count;
}

/* Whether `value` goes nowhere but into offsets of parts. */
static bool only_places(const scan *scan, MlirValue value, int depth) {
  bool places = depth <= 64;
  for (MlirOpOperand use = mlirValueGetFirstUse(value); !mlirOpOperandIsNull(use) && places;
       use = mlirOpOperandGetNextUse(use)) {
    MlirOperation op = mlirOpOperandGetOwner(use);
    bool part = zc_op_of(scan->kernels->context->ops, op) == ZC_OP_SUBSPAN;
    places = part || zc_ptr_map_get(scan->needed, op.ptr);
    for (intptr_t i = 2; part && i < mlirOperationGetNumOperands(op) && places; ++i)
      places = !mlirValueEqual(mlirOperationGetOperand(op, i), value);
    for (intptr_t i = 0; !part && i < mlirOperationGetNumResults(op) && places; ++i)
      places = only_places(scan, mlirOperationGetResult(op, i), depth + 1);
  }
  return places;
}

static void list_places(const scan *scan) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(scan->kernel->entry); ++i) {
    MlirValue argument = mlirBlockGetArgument(scan->kernel->entry, i);
    if (!zc_is_binding(scan->kernels, argument))
      zc_list_push(scan->kernels->context->arena, &scan->kernel->places, bool, only_places(scan, argument, 0));
  }
}

static void read_kernel(zc_kernels *kernels, zc_kernel *kernel) {
  zc_context *context = kernels->context;
  scan scan = {kernels, kernel, zc_ptr_map_create(context->arena)};
  kernel->known = true;
  for (MlirOperation op = mlirBlockGetFirstOperation(kernel->entry); !mlirOperationIsNull(op) && kernel->known;
       op = mlirOperationGetNextInBlock(op))
    if (zc_op_of(context->ops, op) == ZC_OP_SUBSPAN)
      kernel->known = see_part(&scan, op);
  kernel->known = kernel->known && bindings_are_parts(&scan);
  for (MlirOperation op = mlirBlockGetFirstOperation(kernel->entry); !mlirOperationIsNull(op) && kernel->known;
       op = mlirOperationGetNextInBlock(op))
    if (zc_ptr_map_get(scan.needed, op.ptr))
      zc_list_push(context->arena, &kernel->slice, MlirOperation, op);
  if (kernel->known)
    list_places(&scan);
  zc_ptr_map_release(scan.needed);
}

/* The function `name` in the executable's inner module; null where there is none. */
static MlirOperation find_function(zc_context *context, MlirOperation executable, MlirStringRef name) {
  MlirOperation none = {NULL};
  for (MlirOperation op = first_in(executable); !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    if (zc_op_of(context->ops, op) != ZC_OP_MODULE)
      continue;
    for (MlirOperation inner = first_in(op); !mlirOperationIsNull(inner); inner = mlirOperationGetNextInBlock(inner)) {
      MlirAttribute own = zc_attribute(inner, "sym_name");
      if (!mlirAttributeIsNull(own) && mlirAttributeIsAString(own) &&
          mlirStringRefEqual(mlirStringAttrGetValue(own), name))
        return inner;
    }
  }
  return none;
}

static void look_up(zc_kernels *kernels, zc_kernel *kernel, MlirAttribute entry_point) {
  zc_context *context = kernels->context;
  if (!mlirAttributeIsASymbolRef(entry_point))
    return;
  MlirAttribute root = mlirFlatSymbolRefAttrGet(context->mlir, mlirSymbolRefAttrGetRootReference(entry_point));
  MlirOperation executable = {zc_ptr_map_get(kernels->executables, root.ptr)};
  if (mlirOperationIsNull(executable))
    return;
  MlirOperation function = find_function(context, executable, mlirSymbolRefAttrGetLeafReference(entry_point));
  if (mlirOperationIsNull(function) || mlirOperationGetNumRegions(function) == 0)
    return;
  kernel->entry = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(function));
  if (!mlirBlockIsNull(kernel->entry))
    read_kernel(kernels, kernel);
}

const zc_kernel *zc_kernel_of(zc_kernels *kernels, MlirOperation dispatch) {
  MlirAttribute entries = zc_attribute(dispatch, "entry_points");
  if (mlirAttributeIsNull(entries) || !mlirAttributeIsAArray(entries) || mlirArrayAttrGetNumElements(entries) != 1)
    return NULL;
  zc_kernel *kernel = zc_ptr_map_get(kernels->known, entries.ptr);
  if (!kernel) {
    kernel = zc_arena_new(kernels->context->arena, zc_kernel);
    zc_ptr_map_set(kernels->known, entries.ptr, kernel);
    look_up(kernels, kernel, mlirArrayAttrGetElement(entries, 0));
  }
  return kernel->known ? kernel : NULL;
}
