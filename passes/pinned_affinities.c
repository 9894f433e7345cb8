#include "passes/pinned_affinities.h"

#include <string.h>

#include "capi/ptr_map.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"

/* A value, a result of a function for all of its returns and calls, or a global; and the pins that reached it. */
typedef struct node {
  zc_list sources;        ///< node *: what it may be, with no copy between.
  MlirAttribute affinity; ///< Of its first pin; null where it has none.
  bool differing;         ///< Another pin has another affinity.
  bool indirect;          ///< A global whose address is taken: who writes it isn't known.
} node;

struct zc_pins {
  zc_context *context;
  zc_ptr_map *values;  ///< Value -> node.
  zc_ptr_map *globals; ///< Symbol reference -> node.
  zc_ptr_map *results; ///< Function -> zc_list of node *, by result number.
  zc_list work;        ///< node *: its sources are to be pinned as it is.
};

static node *node_for(zc_pins *pins, zc_ptr_map *map, const void *key) {
  node *n = zc_ptr_map_get(map, key);
  if (!n) {
    n = zc_arena_new(pins->context->arena, node);
    zc_ptr_map_set(map, key, n);
  }
  return n;
}

static node *node_of(zc_pins *pins, MlirValue value) {
  return node_for(pins, pins->values, value.ptr);
}

static bool is_data(const zc_pins *pins, MlirValue value) {
  return zc_is_data(pins->context->ops, mlirValueGetType(value));
}

/* ---- where values come from ---- */

static void add_source(zc_pins *pins, node *to, MlirValue from) {
  zc_list_push(pins->context->arena, &to->sources, node *, node_of(pins, from));
}

static void add_value_source(zc_pins *pins, MlirValue to, MlirValue from) {
  if (is_data(pins, to) && is_data(pins, from))
    add_source(pins, node_of(pins, to), from);
}

/* Operands from number `operand` on go to block arguments from number `argument` on. */
static void add_argument_sources(zc_pins *pins, MlirBlock block, int argument, MlirOperation op, zc_segment operands) {
  intptr_t count = mlirBlockIsNull(block) ? 0 : mlirBlockGetNumArguments(block) - argument;
  for (int i = 0; i < operands.count && i < count; ++i)
    add_value_source(pins, mlirBlockGetArgument(block, argument + i), mlirOperationGetOperand(op, operands.first + i));
}

static void add_result_sources(zc_pins *pins, MlirOperation target, MlirOperation op, zc_segment operands) {
  for (int i = 0; i < operands.count && i < mlirOperationGetNumResults(target); ++i)
    add_value_source(pins, mlirOperationGetResult(target, i), mlirOperationGetOperand(op, operands.first + i));
}

static zc_segment operands_from(MlirOperation op, int first) {
  return (zc_segment){first, (int)mlirOperationGetNumOperands(op) - first};
}

static MlirBlock region_block(MlirOperation op, int region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}

/* ---- tied operands ---- */

/* Ops whose first result is their first operand, in place or as another view (the getTiedResultOperandIndex of
 * StreamOps.cpp and UtilOps.cpp). stream.async.parameter.gather is left out: IREE doesn't follow its target either. */
static const char *const in_place_ops[] = {
    "stream.resource.subview",
    "stream.resource.transients",
    "stream.tensor.fill",
    "stream.tensor.update",
    "stream.tensor.store",
    "stream.tensor.parameter.write",
    "stream.async.fill",
    "stream.async.update",
    "stream.async.copy",
    "stream.async.collective",
    "stream.async.barrier",
    "stream.async.cast",
    "stream.async.store",
    "stream.async.parameter.read",
    "stream.async.parameter.write",
    "stream.timepoint.barrier",
    "stream.async.parameter.scatter",
    "util.cast",
};

static bool is_in_place(const char *name) {
  for (size_t i = 0; i < sizeof in_place_ops / sizeof *in_place_ops; ++i)
    if (strcmp(name, in_place_ops[i]) == 0)
      return true;
  return false;
}

/* `tied_operands` counts from `first`; negative: the result is new. */
static void add_listed_ties(zc_pins *pins, MlirOperation op, int first) {
  MlirAttribute ties = zc_attribute(op, "tied_operands");
  if (mlirAttributeIsNull(ties) || !mlirAttributeIsAArray(ties))
    return;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(ties) && i < mlirOperationGetNumResults(op); ++i) {
    MlirAttribute tie = mlirArrayAttrGetElement(ties, i);
    int64_t operand = mlirAttributeIsAInteger(tie) ? mlirIntegerAttrGetValueInt(tie) : -1;
    if (operand >= 0 && operand < mlirOperationGetNumOperands(op) - first)
      add_value_source(pins, mlirOperationGetResult(op, i), mlirOperationGetOperand(op, first + operand));
  }
}

/* ---- control flow, calls and globals ---- */

static void read_switch(zc_pins *pins, MlirOperation op) {
  add_argument_sources(pins, mlirOperationGetSuccessor(op, 0), 0, op, zc_operand_segment(op, 1));
  zc_segment cases = zc_operand_segment(op, 2);
  MlirAttribute sizes = zc_attribute(op, "case_operand_segments");
  if (mlirAttributeIsNull(sizes) || !mlirAttributeIsADenseI32Array(sizes))
    return;
  for (intptr_t i = 0; i < mlirDenseArrayGetNumElements(sizes); ++i) {
    cases.count = mlirDenseI32ArrayGetElement(sizes, i);
    add_argument_sources(pins, mlirOperationGetSuccessor(op, i + 1), 0, op, cases);
    cases.first += cases.count;
  }
}

/* What leaves a region of the op around: to its results, or back to the loop's arguments. */
static void read_yield(zc_pins *pins, MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  zc_segment all = operands_from(op, 0);
  zc_op kind = zc_op_of(pins->context->ops, parent);
  if (kind == ZC_OP_SCF_WHILE) {
    add_argument_sources(pins, region_block(parent, 0), 0, op, all);
    return;
  }
  if (kind == ZC_OP_SCF_FOR)
    add_argument_sources(pins, region_block(parent, 0), 1, op, all);
  add_result_sources(pins, parent, op, all);
}

static void read_condition(zc_pins *pins, MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  add_argument_sources(pins, region_block(parent, 1), 0, op, operands_from(op, 1));
  add_result_sources(pins, parent, op, operands_from(op, 1));
}

static node *returned(zc_pins *pins, MlirOperation function, intptr_t result) {
  zc_arena *arena = pins->context->arena;
  zc_list *results = zc_ptr_map_list(pins->results, arena, function.ptr);
  while (results->count <= result)
    zc_list_push(arena, results, node *, zc_arena_new(arena, node));
  return zc_list_at(results, node *, result);
}

static void read_call(zc_pins *pins, MlirOperation op) {
  MlirOperation callee = zc_callee(pins->context, op);
  add_listed_ties(pins, op, 0);
  if (mlirOperationIsNull(callee))
    return;
  add_argument_sources(pins, region_block(callee, 0), 0, op, operands_from(op, 0));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (is_data(pins, mlirOperationGetResult(op, i)))
      zc_list_push(pins->context->arena, &node_of(pins, mlirOperationGetResult(op, i))->sources, node *,
                   returned(pins, callee, i));
}

static void read_return(zc_pins *pins, MlirOperation op) {
  MlirOperation function = mlirOperationGetParentOperation(op);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_data(pins, mlirOperationGetOperand(op, i)))
      add_source(pins, returned(pins, function, i), mlirOperationGetOperand(op, i));
}

static node *global_of(zc_pins *pins, MlirOperation op) {
  return node_for(pins, pins->globals, zc_attribute(op, "global").ptr);
}

static void read_other(zc_pins *pins, MlirOperation op) {
  const char *name = zc_op_name(op);
  if (strcmp(name, "util.global.address") == 0)
    global_of(pins, op)->indirect = true;
  else if (strcmp(name, "func.call") == 0)
    read_call(pins, op);
  else if (strcmp(name, "func.return") == 0)
    read_return(pins, op);
  else if (is_in_place(name))
    add_result_sources(pins, op, op, (zc_segment){0, 1});
  else {
    if (strcmp(name, "stream.async.concurrent") == 0)
      add_argument_sources(pins, region_block(op, 0), 0, op, zc_operand_segment(op, 0));
    add_listed_ties(pins, op, 0);
  }
}

/* ---- pins ---- */

static void pin(zc_pins *pins, node *n, MlirAttribute affinity, bool differing) {
  bool first = mlirAttributeIsNull(n->affinity);
  differing |= !first && !mlirAttributeEqual(n->affinity, affinity);
  if (n->differing || (!first && !differing))
    return;
  if (first)
    n->affinity = affinity;
  n->differing = differing;
  zc_list_push(pins->context->arena, &pins->work, node *, n);
}

/* An op that says where its operands are stored: none of their pins go past it, it speaks for what is behind. */
static bool read_pins(zc_pins *pins, MlirOperation op) {
  zc_op kind = zc_op_of(pins->context->ops, op);
  if (kind != ZC_OP_TENSOR_IMPORT && kind != ZC_OP_TENSOR_EXPORT &&
      (kind != ZC_OP_OTHER || strcmp(zc_op_name(op), "stream.resource.transients") != 0))
    return false;
  MlirAttribute affinity = zc_attribute(op, "affinity");
  if (mlirAttributeIsNull(affinity))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_data(pins, mlirOperationGetOperand(op, i)))
      pin(pins, node_of(pins, mlirOperationGetOperand(op, i)), affinity, false);
  return true;
}

static void read_op(zc_pins *pins, MlirOperation op) {
  switch (zc_op_of(pins->context->ops, op)) {
  case ZC_OP_BR:
    add_argument_sources(pins, mlirOperationGetSuccessor(op, 0), 0, op, operands_from(op, 0));
    return;
  case ZC_OP_COND_BR:
    add_argument_sources(pins, mlirOperationGetSuccessor(op, 0), 0, op, zc_operand_segment(op, 1));
    add_argument_sources(pins, mlirOperationGetSuccessor(op, 1), 0, op, zc_operand_segment(op, 2));
    return;
  case ZC_OP_SWITCH:
    read_switch(pins, op);
    return;
  case ZC_OP_SCF_FOR:
    add_argument_sources(pins, region_block(op, 0), 1, op, operands_from(op, 3));
    return;
  case ZC_OP_SCF_WHILE:
    add_argument_sources(pins, region_block(op, 0), 0, op, operands_from(op, 0));
    return;
  case ZC_OP_SCF_CONDITION:
    read_condition(pins, op);
    return;
  case ZC_OP_SCF_YIELD:
  case ZC_OP_YIELD:
    read_yield(pins, op);
    return;
  case ZC_OP_UTIL_CALL:
    read_call(pins, op);
    return;
  case ZC_OP_UTIL_RETURN:
    read_return(pins, op);
    return;
  case ZC_OP_GLOBAL_LOAD:
    if (is_data(pins, mlirOperationGetResult(op, 0)))
      zc_list_push(pins->context->arena, &node_of(pins, mlirOperationGetResult(op, 0))->sources, node *,
                   global_of(pins, op));
    return;
  case ZC_OP_GLOBAL_STORE:
    if (is_data(pins, mlirOperationGetOperand(op, 0)))
      add_source(pins, global_of(pins, op), mlirOperationGetOperand(op, 0));
    return;
  case ZC_OP_ASYNC_EXECUTE:
    add_argument_sources(pins, region_block(op, 0), 0, op, zc_operand_segment(op, 0));
    add_listed_ties(pins, op, 0);
    return;
  case ZC_OP_ASYNC_DISPATCH:
  case ZC_OP_TENSOR_DISPATCH:
    add_listed_ties(pins, op, zc_operand_segment(op, 1).first);
    return;
  case ZC_OP_TIMEPOINT_AWAIT:
    add_result_sources(pins, op, op, operands_from(op, 0));
    return;
  default:
    read_other(pins, op);
  }
}

static MlirWalkResult visit(MlirOperation op, void *data) {
  zc_pins *pins = data;
  zc_op kind = zc_op_of(pins->context->ops, op);
  if (kind == ZC_OP_EXECUTABLE || kind == ZC_OP_FLOW_EXECUTABLE || kind == ZC_OP_HAL_EXECUTABLE)
    return MlirWalkResultSkip;
  if (!read_pins(pins, op))
    read_op(pins, op);
  return MlirWalkResultAdvance;
}

static void pin_sources(zc_pins *pins) {
  while (pins->work.count) {
    const node *n = zc_list_at(&pins->work, node *, --pins->work.count);
    for (int i = 0; i < n->sources.count && !n->indirect; ++i)
      pin(pins, zc_list_at(&n->sources, node *, i), n->affinity, n->differing);
  }
}

zc_pins *zc_pins_create(zc_context *context) {
  zc_pins *pins = zc_arena_new(context->arena, zc_pins);
  pins->context = context;
  pins->values = zc_ptr_map_create(context->arena);
  pins->globals = zc_ptr_map_create(context->arena);
  pins->results = zc_ptr_map_create(context->arena);
  mlirOperationWalk(context->module, visit, pins, MlirWalkPreOrder);
  pin_sources(pins);
  return pins;
}

void zc_pins_release(zc_pins *pins) {
  zc_ptr_map_release(pins->values);
  zc_ptr_map_release(pins->globals);
  zc_ptr_map_release(pins->results);
}

MlirAttribute zc_pins_unique(const zc_pins *pins, MlirValue value) {
  const node *n = zc_ptr_map_get(pins->values, value.ptr);
  return n && !n->differing ? n->affinity : mlirAttributeGetNull();
}
