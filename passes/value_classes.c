#include "passes/value_classes.h"

#include <string.h>

#include "capi/ptr_map.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"

/* A value in two partitions: by storage, and (for flow, where ops name no device) by what is computed together. */
typedef struct node {
  struct node *storage;
  struct node *domain;
  int storage_rank;
  zc_value_class class;
  zc_device_set pinned; ///< Of the domain: devices that imports, exports and transfers name.
} node;

/* That a command of some device uses a value; for flow the device is its domain's, known at the end. */
typedef struct touch {
  node *value;
  bool writes;
} touch;

/* ---- partitions ---- */

static node *root_storage(node *n) {
  while (n->storage != n) {
    n->storage = n->storage->storage;
    n = n->storage;
  }
  return n;
}

static node *root_domain(node *n) {
  while (n->domain != n) {
    n->domain = n->domain->domain;
    n = n->domain;
  }
  return n;
}

static node *new_node(zc_values *values) {
  node *n = zc_arena_new(values->context->arena, node);
  n->storage = n->domain = n;
  return n;
}

static node *keyed_node(zc_values *values, zc_ptr_map *map, const void *key) {
  node *n = zc_ptr_map_get(map, key);
  if (!n) {
    n = new_node(values);
    zc_ptr_map_set(map, key, n);
  }
  return n;
}

static node *node_of(zc_values *values, MlirValue value) {
  return keyed_node(values, values->numbers, value.ptr);
}

static MlirOperation first_op(MlirOperation a, MlirOperation b) {
  return mlirOperationIsNull(a) ? b : a;
}

static void join_storage(node *a, node *b) {
  a = root_storage(a);
  b = root_storage(b);
  if (a == b)
    return;
  if (a->storage_rank < b->storage_rank) {
    node *swap = a;
    a = b;
    b = swap;
  }
  a->storage_rank += a->storage_rank == b->storage_rank;
  b->storage = a;
  a->class.users |= b->class.users;
  a->class.writers |= b->class.writers;
  a->class.readers |= b->class.readers;
  a->class.globals += b->class.globals;
  a->class.unknown_user |= b->class.unknown_user;
  a->class.import = first_op(a->class.import, b->class.import);
  a->class.constant = first_op(a->class.constant, b->class.constant);
  a->class.carrier = first_op(a->class.carrier, b->class.carrier);
  a->class.update = first_op(a->class.update, b->class.update);
  a->class.caller_storage = first_op(a->class.caller_storage, b->class.caller_storage);
  a->class.unsupported = first_op(a->class.unsupported, b->class.unsupported);
}

static void join_domain(node *a, node *b) {
  a = root_domain(a);
  b = root_domain(b);
  if (a == b)
    return;
  b->domain = a;
  a->pinned |= b->pinned;
}

static void join(node *a, node *b) {
  join_storage(a, b);
  join_domain(a, b);
}

static void join_values(zc_values *values, MlirValue a, MlirValue b) {
  if (zc_is_data(values->context->ops, mlirValueGetType(a)))
    join(node_of(values, a), node_of(values, b));
}

zc_value_class *zc_class_of(zc_values *values, MlirValue value) {
  return &root_storage(node_of(values, value))->class;
}

zc_device_set zc_class_writers(const zc_value_class *class) {
  return class->unknown_user || !mlirOperationIsNull(class->unsupported) ? ~(zc_device_set)0 : class->writers;
}

void zc_class_merge(zc_values *values, MlirValue a, MlirValue b) {
  join_storage(node_of(values, a), node_of(values, b));
}

void zc_value_becomes(zc_values *values, MlirValue result, MlirValue source) {
  zc_ptr_map_set(values->origins, result.ptr, (void *)(uintptr_t)source.ptr);
}

/* The operand that the op's result `value` is another name of; null where it isn't. */
static MlirValue other_name(zc_values *values, MlirValue value) {
  MlirValue none = {NULL};
  MlirValue becomes = {zc_ptr_map_get(values->origins, value.ptr)};
  if (!zc_value_is_null(becomes))
    return becomes;
  switch (zc_op_defining(values->context->ops, value)) {
  case ZC_OP_ASYNC_CAST:
  case ZC_OP_ASYNC_BARRIER:
  case ZC_OP_TIMEPOINT_AWAIT:
  case ZC_OP_TIMEPOINT_BARRIER:
    break;
  default:
    return none;
  }
  intptr_t result = mlirOpResultGetResultNumber(value);
  MlirValue operand = mlirOperationGetOperand(zc_defining_op(value), result);
  return zc_is_data(values->context->ops, mlirValueGetType(operand)) ? operand : none;
}

MlirValue zc_value_origin(zc_values *values, MlirValue value) {
  MlirValue origin = value;
  for (MlirValue next = other_name(values, origin); !zc_value_is_null(next); next = other_name(values, origin))
    origin = next;
  /* The next one to ask finds it at once. */
  while (!mlirValueEqual(value, origin)) {
    MlirValue next = other_name(values, value);
    zc_value_becomes(values, value, origin);
    value = next;
  }
  return origin;
}

int zc_device_of(zc_values *values, MlirValue value) {
  zc_device_set pinned = root_domain(node_of(values, value))->pinned;
  if (!pinned)
    return zc_pinned_device(values->context, values->context->default_affinity);
  return pinned & (pinned - 1) ? -1 : __builtin_ctzll(pinned);
}

/* ---- control flow ---- */

static void join_branch(zc_values *values, MlirOperation op, zc_segment operands, int successor) {
  MlirBlock target = mlirOperationGetSuccessor(op, successor);
  for (int i = 0; i < operands.count && i < mlirBlockGetNumArguments(target); ++i)
    join_values(values, mlirOperationGetOperand(op, operands.first + i), mlirBlockGetArgument(target, i));
}

/* Whichever case is taken: all operands with all arguments. */
static void join_any_branch(zc_values *values, MlirOperation op) {
  const zc_ops *ops = values->context->ops;
  node *one = new_node(values);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (zc_is_data(ops, mlirValueGetType(mlirOperationGetOperand(op, i))))
      join(one, node_of(values, mlirOperationGetOperand(op, i)));
  for (intptr_t s = 0; s < mlirOperationGetNumSuccessors(op); ++s) {
    MlirBlock target = mlirOperationGetSuccessor(op, s);
    for (intptr_t i = 0; i < mlirBlockGetNumArguments(target); ++i)
      if (zc_is_data(ops, mlirValueGetType(mlirBlockGetArgument(target, i))))
        join(one, node_of(values, mlirBlockGetArgument(target, i)));
  }
}

static MlirBlock region_block(MlirOperation op, int region) {
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(op, region));
}

/* Operands, arguments and results of a loop that stand for one another, from these first ones on. */
static void join_loop(zc_values *values, MlirOperation op, int operand, MlirBlock body, int argument) {
  for (intptr_t i = 0; operand + i < mlirOperationGetNumOperands(op) && argument + i < mlirBlockGetNumArguments(body);
       ++i)
    join_values(values, mlirOperationGetOperand(op, operand + i), mlirBlockGetArgument(body, argument + i));
}

static void join_with_results(zc_values *values, MlirOperation op, int operand, MlirOperation parent) {
  for (intptr_t i = 0; operand + i < mlirOperationGetNumOperands(op) && i < mlirOperationGetNumResults(parent); ++i)
    join_values(values, mlirOperationGetOperand(op, operand + i), mlirOperationGetResult(parent, i));
}

static void mark_unsupported(zc_values *values, MlirOperation op);

static void read_yield(zc_values *values, MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  switch (zc_op_of(values->context->ops, parent)) {
  case ZC_OP_SCF_FOR:
  case ZC_OP_SCF_IF:
  case ZC_OP_SCF_INDEX_SWITCH:
    join_with_results(values, op, 0, parent);
    return;
  case ZC_OP_SCF_WHILE:
    join_loop(values, op, 0, region_block(parent, 0), 0);
    return;
  default:
    mark_unsupported(values, op);
  }
}

static void read_for(zc_values *values, MlirOperation op) {
  join_loop(values, op, 3, region_block(op, 0), 1);
  join_with_results(values, op, 3, op);
}

static void read_condition(zc_values *values, MlirOperation op) {
  MlirOperation parent = mlirOperationGetParentOperation(op);
  join_loop(values, op, 1, region_block(parent, 1), 0);
  join_with_results(values, op, 1, parent);
}

/* ---- functions and globals ---- */

/* What a function returns as its result `index`, for all of its returns and calls. */
static node *returned_node(zc_values *values, MlirAttribute function, intptr_t index) {
  zc_arena *arena = values->context->arena;
  zc_list *results = zc_ptr_map_list(values->results, arena, function.ptr);
  while (results->count <= index)
    zc_list_push(arena, results, node *, new_node(values));
  return zc_list_at(results, node *, index);
}

/* Whoever calls a public function may use anywhere what it returns. */
static void read_return(zc_values *values, MlirOperation op) {
  MlirOperation function = mlirOperationGetParentOperation(op);
  MlirAttribute name = zc_attribute(function, "sym_name");
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (!zc_is_data(values->context->ops, mlirValueGetType(operand)))
      continue;
    if (!zc_is_private(function))
      zc_class_of(values, operand)->unknown_user = true;
    join(returned_node(values, name, i), node_of(values, operand));
  }
}

static void read_call(zc_values *values, MlirOperation op) {
  zc_context *context = values->context;
  MlirAttribute callee = zc_attribute(op, "callee");
  if (mlirAttributeIsNull(callee) || !mlirAttributeIsAFlatSymbolRef(callee)) {
    mark_unsupported(values, op);
    return;
  }
  MlirAttribute name = mlirStringAttrGet(context->mlir, mlirFlatSymbolRefAttrGetValue(callee));
  MlirOperation function = {zc_ptr_map_get(values->functions, name.ptr)};
  MlirBlock body = {NULL};
  if (!mlirOperationIsNull(function))
    body = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(function));
  if (mlirBlockIsNull(body)) {
    mark_unsupported(values, op);
    return;
  }
  join_loop(values, op, 0, body, 0);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (zc_is_data(context->ops, mlirValueGetType(mlirOperationGetResult(op, i))))
      join(returned_node(values, name, i), node_of(values, mlirOperationGetResult(op, i)));
}

static bool is_mutable(zc_values *values, MlirAttribute global) {
  MlirOperation op = zc_lookup_symbol(values->context, global);
  return mlirOperationIsNull(op) || !mlirAttributeIsNull(zc_attribute(op, "is_mutable"));
}

static void read_global(zc_values *values, MlirOperation op, MlirValue value) {
  MlirAttribute global = zc_attribute(op, "global");
  if (!zc_is_data(values->context->ops, mlirValueGetType(value)) || mlirAttributeIsNull(global))
    return;
  bool first = !zc_ptr_map_get(values->symbols, global.ptr);
  node *held = keyed_node(values, values->symbols, global.ptr);
  held->class.globals += first;
  join(held, node_of(values, value));
  if (!is_mutable(values, global))
    zc_class_of(values, value)->constant = op;
}

/* ---- what commands do with values ---- */

static void mark_unsupported(zc_values *values, MlirOperation op) {
  const zc_ops *ops = values->context->ops;
  node *one = new_node(values);
  one->class.unsupported = op;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (zc_is_data(ops, mlirValueGetType(mlirOperationGetOperand(op, i))))
      join(one, node_of(values, mlirOperationGetOperand(op, i)));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (zc_is_data(ops, mlirValueGetType(mlirOperationGetResult(op, i))))
      join(one, node_of(values, mlirOperationGetResult(op, i)));
}

static void add_device(zc_values *values, node *n, MlirAttribute attribute, bool writes) {
  const zc_affinity *affinity = zc_affinity_read(values->context->affinities, attribute);
  zc_value_class *class = &root_storage(n)->class;
  class->users |= affinity->devices;
  if (writes)
    class->writers |= affinity->devices;
  class->unknown_user |= !affinity->devices;
  root_domain(n)->pinned |= affinity->devices;
}

static void touch_value(zc_values *values, MlirOperation op, bool stream, MlirValue value, bool writes) {
  if (!zc_is_data(values->context->ops, mlirValueGetType(value)))
    return;
  node *n = node_of(values, value);
  if (stream)
    add_device(values, n, zc_execution_affinity(values->context, op), writes);
  else
    zc_list_push(values->context->arena, &values->touches, touch, ((touch){n, writes}));
}

/* A flow op computes where its operands are; a stream op says where. */
static void touch_all(zc_values *values, MlirOperation op, bool stream) {
  const zc_ops *ops = values->context->ops;
  node *together = new_node(values);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    touch_value(values, op, stream, mlirOperationGetOperand(op, i), false);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    touch_value(values, op, stream, mlirOperationGetResult(op, i), true);
  if (stream)
    return;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (zc_is_data(ops, mlirValueGetType(mlirOperationGetOperand(op, i))))
      join_domain(together, node_of(values, mlirOperationGetOperand(op, i)));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (zc_is_data(ops, mlirValueGetType(mlirOperationGetResult(op, i))))
      join_domain(together, node_of(values, mlirOperationGetResult(op, i)));
}

static void update_in_place(zc_values *values, MlirOperation op, int operand, int result) {
  MlirValue target = mlirOperationGetOperand(op, operand);
  join_values(values, target, mlirOperationGetResult(op, result));
  zc_value_class *class = zc_class_of(values, target);
  class->update = first_op(class->update, op);
}

/* Tied operands are numbered from the op's first resource operand: after the workload (StreamOps.td, FlowOps.td). */
static void read_ties(zc_values *values, MlirOperation op, int segment) {
  MlirAttribute ties = zc_attribute(op, "tied_operands");
  if (mlirAttributeIsNull(ties) || !mlirAttributeIsAArray(ties))
    return;
  int first = zc_operand_segment(op, segment).first;
  for (intptr_t i = 0; i < mlirArrayAttrGetNumElements(ties) && i < mlirOperationGetNumResults(op); ++i) {
    MlirAttribute tie = mlirArrayAttrGetElement(ties, i);
    int64_t operand = mlirAttributeIsAInteger(tie) ? mlirIntegerAttrGetValueInt(tie) : -1;
    if (operand >= 0 && first + operand < mlirOperationGetNumOperands(op))
      update_in_place(values, op, first + (int)operand, (int)i);
  }
}

/* Ops of the stream.tensor and stream.async dialect layers that are not told apart by number, by what follows the
 * layer's prefix: those that write their first operand in place, and those that make a new value. What is in neither
 * list may give its first operand's storage to its result. */
static const char *const in_place_ops[] = {"fill", "update", "copy", "store", "collective", "parameter.read"};
static const char *const new_value_ops[] = {"splat",  "constant", "alloca", "empty", "parameter.load",
                                            "concat", "load",     "sizeof", "trace", "dispatch"};

static bool is_listed(const char *name, const char *const *list, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (strcmp(name, list[i]) == 0)
      return true;
  return false;
}

static const char *after_layer(const char *name) {
  static const char *const layers[] = {"stream.async.", "stream.tensor.", "flow.tensor.", "flow."};
  for (size_t i = 0; i < sizeof layers / sizeof *layers; ++i)
    if (strncmp(name, layers[i], strlen(layers[i])) == 0)
      return name + strlen(layers[i]);
  return NULL;
}

#define LISTED(name, list) is_listed((name), (list), sizeof(list) / sizeof *(list))

static void read_layer_op(zc_values *values, MlirOperation op, const char *name) {
  const zc_ops *ops = values->context->ops;
  bool stream = strncmp(zc_op_name(op), "stream.", 7) == 0;
  bool has_result = mlirOperationGetNumResults(op) && mlirOperationGetNumOperands(op) &&
                    zc_is_data(ops, mlirValueGetType(mlirOperationGetResult(op, 0))) &&
                    zc_is_data(ops, mlirValueGetType(mlirOperationGetOperand(op, 0)));
  if (mlirOperationGetFirstRegion(op).ptr || strncmp(name, "parameter.", 10) == 0)
    mark_unsupported(values, op);
  touch_all(values, op, stream);
  if (strcmp(name, "constant") == 0 && mlirOperationGetNumResults(op))
    zc_class_of(values, mlirOperationGetResult(op, 0))->constant = op;
  if (strcmp(name, "dispatch") == 0)
    read_ties(values, op, 1);
  else if (has_result && LISTED(name, in_place_ops))
    update_in_place(values, op, 0, 0);
  else if (has_result && !LISTED(name, new_value_ops))
    join_values(values, mlirOperationGetOperand(op, 0), mlirOperationGetResult(op, 0));
}

static void read_import(zc_values *values, MlirOperation op) {
  node *n = node_of(values, mlirOperationGetResult(op, 0));
  zc_value_class *class = &root_storage(n)->class;
  class->import = first_op(class->import, op);
  /* Whoever filled it did so through the device that it is imported for. */
  add_device(values, n, zc_execution_affinity(values->context, op), true);
}

static void read_transfer(zc_values *values, MlirOperation op, MlirOperation function) {
  zc_context *context = values->context;
  bool flow = zc_op_of(context->ops, op) == ZC_OP_FLOW_TRANSFER;
  MlirAttribute from = zc_affinity_or_default(context, op, "source_affinity");
  MlirAttribute to = zc_affinity_or_default(context, op, flow ? "target" : "target_affinity");
  if (!flow)
    add_device(values, node_of(values, mlirOperationGetOperand(op, 0)), from, false);
  add_device(values, node_of(values, mlirOperationGetResult(op, 0)), to, false);
  zc_list_push(context->arena, &values->transfers, zc_value_transfer, ((zc_value_transfer){op, function}));
}

/* ---- scheduled IR ---- */

static void read_command(zc_values *values, MlirOperation command, MlirAttribute affinity) {
  zc_context *context = values->context;
  zc_range *ranges;
  int count = zc_command_ranges(context->arena, context->ops, command, &ranges);
  if (count < 0)
    mark_unsupported(values, command);
  for (int i = 0; i < count; ++i) {
    MlirValue resource = mlirOperationGetOperand(command, ranges[i].resource_operand);
    if (!ranges[i].mode)
      continue;
    add_device(values, node_of(values, resource), affinity, ranges[i].mode & ZC_ACCESS_WRITE);
    if (ranges[i].mode & ZC_ACCESS_READ)
      zc_class_of(values, resource)->readers |= zc_affinity_read(context->affinities, affinity)->devices;
  }
}

static void read_commands(zc_values *values, MlirBlock block, MlirAttribute affinity) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    zc_op kind = zc_op_of(values->context->ops, op);
    if (kind == ZC_OP_CMD_SERIAL || kind == ZC_OP_CMD_CONCURRENT)
      read_commands(values, region_block(op, 0), affinity);
    else if (kind != ZC_OP_YIELD)
      read_command(values, op, affinity);
  }
}

static void read_execute(zc_values *values, MlirOperation execute) {
  join_loop(values, execute, 0, region_block(execute, 0), 0);
  read_commands(values, region_block(execute, 0), zc_execution_affinity(values->context, execute));
}

/* Result i stands for operand i; a select's for both that it chooses from. */
static void read_alias(zc_values *values, MlirOperation op, zc_op kind) {
  bool select = kind == ZC_OP_SELECT;
  if (select && zc_is_data(values->context->ops, mlirValueGetType(mlirOperationGetResult(op, 0))))
    join_values(values, mlirOperationGetOperand(op, 2), mlirOperationGetResult(op, 0));
  join_with_results(values, op, select ? 1 : 0, op);
}

static bool has_data(const zc_ops *ops, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (zc_is_data(ops, mlirValueGetType(mlirOperationGetOperand(op, i))))
      return true;
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (zc_is_data(ops, mlirValueGetType(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

/* Memory that the host fills before any device sees it: constants of the program and loaded parameters. No device's
 * cache has had a part in that. */
static bool is_filled_by_host(const char *name) {
  return strncmp(name, "stream.file.", 12) == 0 || strcmp(name, "stream.resource.try_map") == 0 ||
         strcmp(name, "stream.cmd.parameter.load") == 0;
}

/* stream.cmd.parameter.*: an op of its own, outside of regions, that the device's queue carries out. */
static void read_parameters(zc_values *values, MlirOperation op) {
  touch_all(values, op, true);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    touch_value(values, op, true, mlirOperationGetOperand(op, i), true);
}

static void read_other(zc_values *values, MlirOperation op) {
  const char *name = after_layer(zc_op_name(op));
  if (is_filled_by_host(zc_op_name(op)))
    return;
  if (strncmp(zc_op_name(op), "stream.cmd.parameter.", 21) == 0)
    read_parameters(values, op);
  else if (name)
    read_layer_op(values, op, name);
  else if (has_data(values->context->ops, op))
    mark_unsupported(values, op);
}

static void mark_carried(zc_values *values, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (zc_is_data(values->context->ops, mlirValueGetType(operand)))
      zc_class_of(values, operand)->carrier = op;
  }
}

static void read_control(zc_values *values, MlirOperation op, zc_op kind) {
  mark_carried(values, op);
  switch (kind) {
  case ZC_OP_BR:
    join_branch(values, op, (zc_segment){0, (int)mlirOperationGetNumOperands(op)}, 0);
    return;
  case ZC_OP_COND_BR:
    join_branch(values, op, zc_operand_segment(op, 1), 0);
    join_branch(values, op, zc_operand_segment(op, 2), 1);
    return;
  case ZC_OP_SCF_FOR:
    read_for(values, op);
    return;
  case ZC_OP_SCF_WHILE:
    join_loop(values, op, 0, region_block(op, 0), 0);
    return;
  case ZC_OP_SCF_CONDITION:
    read_condition(values, op);
    return;
  case ZC_OP_SCF_YIELD:
    read_yield(values, op);
    return;
  default:
    join_any_branch(values, op);
  }
}

static void read_op(zc_values *values, MlirOperation op, MlirOperation function) {
  zc_op kind = zc_op_of(values->context->ops, op);
  switch (kind) {
  case ZC_OP_ASYNC_TRANSFER:
  case ZC_OP_FLOW_TRANSFER:
    read_transfer(values, op, function);
    return;
  case ZC_OP_TENSOR_IMPORT:
  case ZC_OP_HAL_TENSOR_IMPORT:
    read_import(values, op);
    return;
  case ZC_OP_TENSOR_EXPORT:
  case ZC_OP_HAL_TENSOR_EXPORT:
    touch_value(values, op, true, mlirOperationGetOperand(op, 0), false);
    return;
  case ZC_OP_BR:
  case ZC_OP_COND_BR:
  case ZC_OP_SWITCH:
  case ZC_OP_SCF_FOR:
  case ZC_OP_SCF_WHILE:
  case ZC_OP_SCF_CONDITION:
  case ZC_OP_SCF_YIELD:
    read_control(values, op, kind);
    return;
  case ZC_OP_SCF_IF:
  case ZC_OP_SCF_INDEX_SWITCH:
  case ZC_OP_RESOURCE_SIZE:
  case ZC_OP_ALLOCA:
  case ZC_OP_ALLOC:
  case ZC_OP_DEALLOCA:
    return;
  case ZC_OP_CMD_EXECUTE:
    read_execute(values, op);
    return;
  case ZC_OP_GLOBAL_LOAD:
    read_global(values, op, mlirOperationGetResult(op, 0));
    return;
  case ZC_OP_GLOBAL_STORE:
    read_global(values, op, mlirOperationGetOperand(op, 0));
    return;
  case ZC_OP_UTIL_CALL:
    read_call(values, op);
    return;
  case ZC_OP_UTIL_RETURN:
    read_return(values, op);
    return;
  case ZC_OP_ASYNC_CAST:
  case ZC_OP_ASYNC_BARRIER:
  case ZC_OP_TIMEPOINT_AWAIT:
  case ZC_OP_TIMEPOINT_BARRIER:
  case ZC_OP_OPTIMIZATION_BARRIER:
  case ZC_OP_SELECT:
  case ZC_OP_SUBVIEW:
  case ZC_OP_FLOW_RESHAPE:
  case ZC_OP_FLOW_BITCAST:
  case ZC_OP_HAL_TENSOR_BARRIER:
    read_alias(values, op, kind);
    return;
  default:
    read_other(values, op);
  }
}

static void read_regions(zc_values *values, MlirOperation op, MlirOperation function) {
  for (MlirRegion region = mlirOperationGetFirstRegion(op); !mlirRegionIsNull(region);
       region = mlirRegionGetNextInOperation(region))
    for (MlirBlock block = mlirRegionGetFirstBlock(region); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      for (MlirOperation inner = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(inner);
           inner = mlirOperationGetNextInBlock(inner)) {
        read_op(values, inner, function);
        if (zc_op_of(values->context->ops, inner) != ZC_OP_CMD_EXECUTE)
          read_regions(values, inner, function);
      }
}

/* Arguments of a function that others may call are theirs, and written by whom isn't known. */
static void read_arguments(zc_values *values, MlirOperation function) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(function));
  if (zc_is_private(function) || mlirBlockIsNull(body))
    return;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body); ++i)
    if (zc_is_data(values->context->ops, mlirValueGetType(mlirBlockGetArgument(body, i))))
      zc_class_of(values, mlirBlockGetArgument(body, i))->unknown_user = true;
}

static void name_function(zc_context *context, MlirOperation function, void *data) {
  zc_values *values = data;
  MlirAttribute name = zc_attribute(function, "sym_name");
  (void)context;
  if (!mlirAttributeIsNull(name))
    zc_ptr_map_set(values->functions, name.ptr, function.ptr);
}

static void read_function(zc_context *context, MlirOperation function, void *data) {
  (void)context;
  read_arguments(data, function);
  read_regions(data, function, function);
}

/* A value that is put into a class which the caller's memory is in: its update operand comes after the target and index
 * operands, and is the last operand that is data. */
static MlirWalkResult mark_update(MlirOperation op, void *data) {
  zc_values *values = data;
  const zc_ops *ops = values->context->ops;
  const char *name = after_layer(zc_op_name(op));
  if (!name || (strcmp(name, "update") != 0 && strcmp(name, "copy") != 0))
    return MlirWalkResultAdvance;
  if (mlirOperationIsNull(zc_class_of(values, mlirOperationGetOperand(op, 0))->import))
    return MlirWalkResultAdvance;
  for (intptr_t i = mlirOperationGetNumOperands(op); i-- > 1;) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (zc_is_data(ops, mlirValueGetType(operand))) {
      zc_class_of(values, operand)->caller_storage = op;
      break;
    }
  }
  return MlirWalkResultAdvance;
}

static void mark_caller_storage(zc_context *context, MlirOperation function, void *data) {
  (void)context;
  mlirOperationWalk(function, mark_update, data, MlirWalkPreOrder);
}

static void settle_touches(zc_values *values) {
  for (int i = 0; i < values->touches.count; ++i) {
    const touch *touch = &zc_list_at(&values->touches, struct touch, i);
    zc_device_set pinned = root_domain(touch->value)->pinned;
    zc_value_class *class = &root_storage(touch->value)->class;
    if (!pinned)
      pinned = zc_affinity_read(values->context->affinities, values->context->default_affinity)->devices;
    class->users |= pinned;
    class->unknown_user |= !pinned;
    if (touch->writes)
      class->writers |= pinned;
  }
}

zc_values *zc_values_create(zc_context *context) {
  zc_values *values = zc_arena_new(context->arena, zc_values);
  values->context = context;
  values->numbers = zc_ptr_map_create(context->arena);
  values->symbols = zc_ptr_map_create(context->arena);
  values->functions = zc_ptr_map_create(context->arena);
  values->results = zc_ptr_map_create(context->arena);
  values->origins = zc_ptr_map_create(context->arena);
  values->carriers = zc_ptr_map_create(context->arena);
  zc_for_each_function(context, name_function, values);
  zc_for_each_function(context, read_function, values);
  zc_for_each_function(context, mark_caller_storage, values);
  settle_touches(values);
  return values;
}

void zc_values_release(zc_values *values) {
  zc_ptr_map_release(values->numbers);
  zc_ptr_map_release(values->symbols);
  zc_ptr_map_release(values->functions);
  zc_ptr_map_release(values->results);
  zc_ptr_map_release(values->origins);
  zc_ptr_map_release(values->carriers);
}
