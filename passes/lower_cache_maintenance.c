/* zc-lower-cache-maintenance: stream.cmd.flush and invalidate become commands that IREE carries down to the runtime,
 * which erases the ops themselves.
 *
 * Needs:    stream.cmd.* and a topology that declares memory to be shared, else nothing changes.
 * Keeps:    the place of each op, its range, and with zc.maintenance and zc.affinity what it was.
 * Declines: links that aren't declared, or that share nothing: those ops come with a copy and stay as they are. */
#include "passes/lower_cache_maintenance.h"

#include <string.h>

#include "capi/diagnostics.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

#define SHIM_ATTRIBUTE "zc.shim"

typedef struct lowering {
  zc_context *context;
  zc_lowering_mode mode;
  zc_list ops;                        ///< MlirOperation: flushes and invalidates of the module, in order.
  MlirAttribute callees[2];           ///< By whether it invalidates; null until needed.
  const zc_cpu *cpus[ZC_MAX_DEVICES]; ///< Null until needed.
  bool refused[ZC_MAX_DEVICES];       ///< An error named the device.
  bool failed;
} lowering;

bool zc_lowering_mode_parse(MlirStringRef text, zc_lowering_mode *mode) {
  static const char import[] = "import:";
  *mode = (zc_lowering_mode){ZC_LOWERING_HAL, {NULL, 0}};
  if (!text.length || zc_str_is(text, "hal"))
    return true;
  mode->kind = zc_str_is(text, "dispatch") ? ZC_LOWERING_DISPATCH : ZC_LOWERING_KEEP;
  if (mode->kind == ZC_LOWERING_DISPATCH || zc_str_is(text, "keep"))
    return true;
  size_t prefix = strlen(import);
  if (text.length <= prefix || memcmp(text.data, import, prefix) != 0)
    return false;
  *mode = (zc_lowering_mode){ZC_LOWERING_IMPORT, mlirStringRefCreate(text.data + prefix, text.length - prefix)};
  /* The runtime splits "module.function" at the first dot. */
  for (size_t i = 0; i < mode->import.length; ++i) {
    char c = mode->import.data[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    if (!letter && !(i && c >= '0' && c <= '9'))
      return false;
  }
  return true;
}

/* ---- the module's symbols ---- */

static MlirBlock body_of(const zc_context *context) {
  return mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(context->module));
}

MlirOperation zc_find_marked(const zc_context *context, const char *attribute, const char *value) {
  MlirOperation op = mlirBlockGetFirstOperation(body_of(context));
  for (; !mlirOperationIsNull(op); op = mlirOperationGetNextInBlock(op)) {
    MlirAttribute found = zc_attribute(op, attribute);
    if (!mlirAttributeIsNull(found) && mlirAttributeIsAString(found) && zc_str_is(mlirStringAttrGetValue(found), value))
      break;
  }
  return op;
}

MlirOperation zc_find_symbol(const zc_context *context, const char *name) {
  return zc_find_marked(context, "sym_name", name);
}

const char *zc_unique_symbol(const zc_context *context, const char *name) {
  const char *unique = name;
  for (int i = 0; !mlirOperationIsNull(zc_find_symbol(context, unique)); ++i)
    unique = zc_arena_format(context->arena, "%s_%d", name, i);
  return unique;
}

MlirOperation zc_append_parsed(const zc_context *context, const char *text) {
  MlirOperation op = mlirOperationCreateParse(context->mlir, zc_str(text), zc_str("zc-lower-cache-maintenance"));
  if (!mlirOperationIsNull(op))
    mlirBlockAppendOwnedOperation(body_of(context), op);
  return op;
}

/* ---- what is called ---- */

static const char *operation_name(bool invalidate) {
  return invalidate ? "invalidate" : "flush";
}

/* IREE passes a slot and no buffer where the command buffer is recorded once for many, else the buffer and slot 0.
 * Public, or IREE's IPO pass takes operands that are alike in the second call only to be alike in all (IPO.cpp,
 * callerUniformArgDupeMap); a name with "__" is internal to IREE's tools (context_util.c,
 * iree_tooling_find_single_exported_function). */
static const char shim_text[] =
    "util.func public @%1$s(%%commands: !hal.command_buffer, %%slot: index, %%buffer: !hal.buffer, %%offset: index,\n"
    "                       %%length: index) attributes {" SHIM_ATTRIBUTE " = \"%2$s\"} {\n"
    "  %%null = util.null : !hal.buffer\n"
    "  %%indirect = util.cmp.eq %%buffer, %%null : !hal.buffer\n"
    "  scf.if %%indirect {\n"
    "    hal.command_buffer.%2$s_buffer<%%commands : !hal.command_buffer> target(%%slot : index)[%%offset, %%length]\n"
    "  } else {\n"
    "    hal.command_buffer.%2$s_buffer<%%commands : !hal.command_buffer>\n"
    "        target(%%buffer : !hal.buffer)[%%offset, %%length]\n"
    "  }\n"
    "  util.return\n"
    "}\n";

/* The types are spelled out so that the import is the same whatever the width of an index in the VM. */
static const char import_text[] =
    "util.func private @%1$s(%%commands: !hal.command_buffer, %%slot: index, %%buffer: !hal.buffer, %%offset: index,\n"
    "                       %%length: index) attributes {vm.signature =\n"
    "  (!vm.ref<!hal.command_buffer>, i64, !vm.ref<!hal.buffer>, i64, i64) -> ()}\n";

static MlirOperation find_or_add_shim(const lowering *lowering, MlirOperation op, bool invalidate) {
  const zc_context *context = lowering->context;
  const char *operation = operation_name(invalidate);
  MlirOperation shim = zc_find_marked(context, SHIM_ATTRIBUTE, operation);
  if (!mlirOperationIsNull(shim) && zc_op_of(context->ops, shim) == ZC_OP_FUNC)
    return shim;
  const char *needed = zc_arena_format(context->arena, "hal.command_buffer.%s_buffer", operation);
  if (!mlirContextIsRegisteredOperation(context->mlir, zc_str(needed))) {
    zc_error_at(mlirOperationGetLocation(op),
                "this IREE has no %s: cache maintenance through the HAL needs IREE 3.13 or later", needed);
    return (MlirOperation){NULL};
  }
  const char *name = zc_unique_symbol(context, zc_arena_format(context->arena, "__zc.%s_buffer", operation));
  return zc_append_parsed(context, zc_arena_format(context->arena, shim_text, name, operation));
}

static bool has_same_type(MlirOperation a, MlirOperation b) {
  MlirAttribute type = zc_attribute(a, "function_type");
  return !mlirAttributeIsNull(type) && mlirAttributeEqual(type, zc_attribute(b, "function_type"));
}

static bool is_declaration(const zc_context *context, MlirOperation op) {
  return zc_op_of(context->ops, op) == ZC_OP_FUNC &&
         mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(op)));
}

/* A declaration that the module has may be the user's or that of an earlier run: it is the same function. */
static MlirOperation find_or_add_import(const lowering *lowering, bool invalidate) {
  const zc_context *context = lowering->context;
  const char *name = zc_arena_format(context->arena, "%.*s.%s_buffer", (int)lowering->mode.import.length,
                                     lowering->mode.import.data, operation_name(invalidate));
  MlirOperation found = zc_find_symbol(context, name);
  MlirOperation made = zc_append_parsed(context, zc_arena_format(context->arena, import_text, name));
  if (mlirOperationIsNull(found) || mlirOperationIsNull(made))
    return made;
  bool same = is_declaration(context, found) && has_same_type(found, made);
  mlirOperationDestroy(made);
  if (same)
    return found;
  zc_error_at(mlirOperationGetLocation(found), "@%s is taken: --maintenance=import declares a function of this name",
              name);
  return (MlirOperation){NULL};
}

static MlirAttribute callee_of(lowering *lowering, MlirOperation op, bool invalidate) {
  MlirAttribute *callee = &lowering->callees[invalidate];
  if (!mlirAttributeIsNull(*callee) || lowering->failed)
    return *callee;
  MlirOperation function = lowering->mode.kind == ZC_LOWERING_IMPORT ? find_or_add_import(lowering, invalidate)
                                                                     : find_or_add_shim(lowering, op, invalidate);
  lowering->failed = mlirOperationIsNull(function);
  if (!lowering->failed)
    *callee =
        mlirFlatSymbolRefAttrGet(lowering->context->mlir, mlirStringAttrGetValue(zc_attribute(function, "sym_name")));
  return *callee;
}

/* ---- commands ---- */

static void add_attribute(const zc_context *context, MlirOperationState *state, const char *name, MlirAttribute value) {
  MlirNamedAttribute attribute = mlirNamedAttributeGet(mlirIdentifierGet(context->mlir, zc_str(name)), value);
  mlirOperationStateAddAttributes(state, 1, &attribute);
}

/* Puts a command in place of `op`, with what tells later passes that it is maintenance. */
static void replace(const zc_context *context, MlirOperation op, MlirOperationState *state, const char *accesses) {
  MlirAttribute access = mlirIntegerAttrGet(mlirIntegerTypeGet(context->mlir, 32), ZC_ACCESS_READ | ZC_ACCESS_WRITE);
  bool invalidate = zc_op_of(context->ops, op) == ZC_OP_CMD_INVALIDATE;
  add_attribute(context, state, accesses, mlirArrayAttrGet(context->mlir, 1, &access));
  add_attribute(context, state, ZC_MAINTENANCE_ATTRIBUTE,
                mlirStringAttrGet(context->mlir, zc_str(operation_name(invalidate))));
  add_attribute(context, state, ZC_MAINTENANCE_AFFINITY_ATTRIBUTE, zc_attribute(op, "source_affinity"));
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, mlirOperationCreate(state));
  mlirOperationDestroy(op);
}

static void add_range(MlirOperationState *state, MlirOperation op) {
  for (int i = ZC_MAINTENANCE_TARGET; i <= ZC_MAINTENANCE_LENGTH; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    mlirOperationStateAddOperands(state, 1, &operand);
  }
}

static void lower_to_call(lowering *lowering, MlirOperation op, bool invalidate) {
  const zc_context *context = lowering->context;
  const int32_t segments[] = {1, 1, 1, 1, 0};
  MlirAttribute callee = callee_of(lowering, op, invalidate);
  if (mlirAttributeIsNull(callee))
    return;
  MlirOperationState state = mlirOperationStateGet(zc_str("stream.cmd.call"), mlirOperationGetLocation(op));
  add_range(&state, op);
  add_attribute(context, &state, "callee", callee);
  add_attribute(context, &state, "operandSegmentSizes", mlirDenseI32ArrayGet(context->mlir, 5, segments));
  replace(context, op, &state, "resource_operand_accesses");
}

static MlirValue make_before(MlirOperation at, const char *name, int count, const MlirValue *operands, MlirType type,
                             MlirAttribute value) {
  MlirOperationState state = mlirOperationStateGet(zc_str(name), mlirOperationGetLocation(at));
  mlirOperationStateAddOperands(&state, count, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  if (!mlirAttributeIsNull(value)) {
    MlirNamedAttribute attribute =
        mlirNamedAttributeGet(mlirIdentifierGet(mlirOperationGetContext(at), zc_str("value")), value);
    mlirOperationStateAddAttributes(&state, 1, &attribute);
  }
  MlirOperation op = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(at), at, op);
  return mlirOperationGetResult(op, 0);
}

/* The halves of a length, made before the execution region. Constants stay constants: IREE records a command buffer
 * once only where it captures nothing else. */
static void split_length(const zc_context *context, MlirOperation execute, MlirValue length, MlirValue halves[2]) {
  MlirType i32 = mlirIntegerTypeGet(context->mlir, 32);
  MlirType i64 = mlirIntegerTypeGet(context->mlir, 64);
  MlirAttribute none = {NULL};
  int64_t constant;
  if (zc_constant_index(context->ops, length, &constant)) {
    for (int i = 0; i < 2; ++i)
      halves[i] = make_before(execute, "arith.constant", 0, NULL, i32,
                              mlirIntegerAttrGet(i32, (int32_t)(uint32_t)((uint64_t)constant >> (32 * i))));
    return;
  }
  MlirValue shift[2] = {make_before(execute, "arith.index_castui", 1, &length, i64, none),
                        make_before(execute, "arith.constant", 0, NULL, i64, mlirIntegerAttrGet(i64, 32))};
  MlirValue high = make_before(execute, "arith.shrui", 2, shift, i64, none);
  halves[0] = make_before(execute, "arith.trunci", 1, &shift[0], i32, none);
  halves[1] = make_before(execute, "arith.trunci", 1, &high, i32, none);
}

static MlirOperation region_of(const zc_context *context, MlirOperation op) {
  while (!mlirOperationIsNull(op) && zc_op_of(context->ops, op) != ZC_OP_CMD_EXECUTE)
    op = mlirOperationGetParentOperation(op);
  return op;
}

static int64_t line_between(const zc_context *context, int a, int b) {
  const zc_link *there = zc_topology_link(context->topology, a, b);
  const zc_link *back = zc_topology_link(context->topology, b, a);
  if (!there->declared || !back->declared)
    return there->declared ? there->cache_line : back->cache_line;
  return there->cache_line < back->cache_line ? there->cache_line : back->cache_line;
}

static void lower_to_dispatch(lowering *lowering, MlirOperation op, const zc_cpu *cpu, const zc_maintenance *which) {
  const zc_context *context = lowering->context;
  const int32_t segments[] = {1, 2, 1, 1, 1, 1};
  MlirAttribute kernel =
      zc_maintenance_kernel(context, cpu, which->invalidate, line_between(context, which->device, which->peer));
  if (mlirAttributeIsNull(kernel)) {
    lowering->failed = true;
    return;
  }
  MlirValue length = mlirOperationGetOperand(op, ZC_MAINTENANCE_LENGTH);
  MlirValue operands[3] = {length};
  split_length(context, region_of(context, op), length, operands + 1);
  MlirOperationState state = mlirOperationStateGet(zc_str("stream.cmd.dispatch"), mlirOperationGetLocation(op));
  mlirOperationStateAddOperands(&state, 3, operands);
  add_range(&state, op);
  add_attribute(context, &state, "entry_points", mlirArrayAttrGet(context->mlir, 1, &kernel));
  add_attribute(context, &state, "operandSegmentSizes", mlirDenseI32ArrayGet(context->mlir, 6, segments));
  replace(context, op, &state, "resource_accesses");
}

/* ---- the module ---- */

static const zc_cpu *cpu_of(lowering *lowering, int device) {
  if (!lowering->cpus[device]) {
    zc_cpu *cpu = zc_arena_new(lowering->context->arena, zc_cpu);
    *cpu = zc_cpu_of_device(lowering->context, device);
    lowering->cpus[device] = cpu;
  }
  return lowering->cpus[device];
}

static void refuse(lowering *lowering, MlirOperation op, int device, const zc_cpu *cpu) {
  if (!lowering->refused[device])
    zc_error_at(mlirOperationGetLocation(op),
                "device @%s has the architecture '%s', whose cache instructions are not known: use --maintenance=hal",
                zc_devices_symbol(lowering->context->devices, device), cpu->architecture);
  lowering->refused[device] = true;
  lowering->failed = true;
}

static void lower(lowering *lowering, MlirOperation op) {
  zc_context *context = lowering->context;
  zc_maintenance which;
  if (!zc_is_maintenance(context, op, &which) || which.device < 0 || which.peer < 0 || which.device == which.peer ||
      !zc_is_maintained_link(context, which.device, which.peer))
    return;
  if (lowering->mode.kind == ZC_LOWERING_DISPATCH) {
    const zc_cpu *cpu = cpu_of(lowering, which.device);
    if (cpu->kind == ZC_CPU_UNKNOWN) {
      refuse(lowering, op, which.device, cpu);
      return;
    }
    if (cpu->kind != ZC_CPU_NONE) {
      lower_to_dispatch(lowering, op, cpu, &which);
      return;
    }
  }
  lower_to_call(lowering, op, which.invalidate);
}

static MlirWalkResult list_maintenance(MlirOperation op, void *data) {
  lowering *lowering = data;
  zc_op kind = zc_op_of(lowering->context->ops, op);
  if (kind == ZC_OP_CMD_FLUSH || kind == ZC_OP_CMD_INVALIDATE)
    zc_list_push(lowering->context->arena, &lowering->ops, MlirOperation, op);
  return MlirWalkResultAdvance;
}

static void list_in_function(zc_context *context, MlirOperation function, void *data) {
  (void)context;
  mlirOperationWalk(function, list_maintenance, data, MlirWalkPreOrder);
}

static MlirLogicalResult run(zc_context *context) {
  lowering *lowering = zc_arena_alloc(context->arena, sizeof *lowering);
  lowering->context = context;
  MlirStringRef mode = context->options.maintenance;
  if (!zc_lowering_mode_parse(mode, &lowering->mode)) {
    zc_error_at(mlirOperationGetLocation(context->module),
                "cache maintenance is lowered by " ZC_LOWERING_MODES ", not by '%.*s'", (int)mode.length, mode.data);
    return mlirLogicalResultFailure();
  }
  if (lowering->mode.kind == ZC_LOWERING_KEEP || zc_topology_is_empty(context->topology))
    return mlirLogicalResultSuccess();
  zc_for_each_function(context, list_in_function, lowering);
  for (int i = 0; i < lowering->ops.count; ++i)
    lower(lowering, zc_list_at(&lowering->ops, MlirOperation, i));
  return lowering->failed ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}

MlirPass streamZcCreateLowerCacheMaintenancePass(const StreamZcOptions *options) {
  static const double id;
  return zc_pass_create(&id, "LowerCacheMaintenance", "zc-lower-cache-maintenance",
                        "Makes cache maintenance reach the runtime, on scheduled IR", options, run);
}
