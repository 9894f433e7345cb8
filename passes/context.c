#include "passes/context.h"

#include <stdlib.h>
#include <string.h>

#include "capi/ptr_map.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "stream_zc/Topology.h"

bool zc_context_init(zc_context *context, MlirOperation module, const StreamZcOptions *options) {
  memset(context, 0, sizeof *context);
  context->arena = zc_arena_create();
  context->mlir = mlirOperationGetContext(module);
  context->module = module;
  context->options = *options;
  context->ops = zc_ops_create(context->arena, context->mlir);
  context->devices = zc_devices_create(context->arena);
  context->affinities = zc_affinities_create(context->arena, context->devices);
  context->default_affinity = zc_attribute(module, "stream.affinity.default");
  context->topology = zc_topology_read(module, context->devices, context->arena);
  return context->topology && mlirLogicalResultIsSuccess(streamZcModuleVerifyTopology(module));
}

void zc_context_release(zc_context *context) {
  if (context->symbols.ptr)
    mlirSymbolTableDestroy(context->symbols);
  if (context->calls)
    zc_ptr_map_release(context->calls);
  if (context->kernels)
    zc_ptr_map_release(context->kernels);
  zc_affinities_release(context->affinities);
  zc_ops_release(context->ops);
  zc_arena_destroy(context->arena);
}

MlirAttribute zc_execution_affinity(const zc_context *context, MlirOperation op) {
  MlirAttribute own = zc_attribute(op, "affinity");
  for (; mlirAttributeIsNull(own) && !mlirOperationIsNull(op) && !mlirOperationEqual(op, context->module);
       op = mlirOperationGetParentOperation(op))
    own = zc_attribute(op, "stream.affinity");
  return mlirAttributeIsNull(own) ? context->default_affinity : own;
}

MlirAttribute zc_affinity_or_default(const zc_context *context, MlirOperation op, const char *name) {
  MlirAttribute affinity = zc_attribute(op, name);
  return mlirAttributeIsNull(affinity) ? zc_execution_affinity(context, op) : affinity;
}

int zc_pinned_device(zc_context *context, MlirAttribute affinity) {
  return zc_affinity_read(context->affinities, affinity)->device;
}

void zc_for_each_function(zc_context *context, void (*visit)(zc_context *, MlirOperation, void *), void *data) {
  MlirRegion region = mlirOperationGetFirstRegion(context->module);
  MlirBlock block = mlirRegionGetFirstBlock(region);
  if (mlirBlockIsNull(block))
    return;
  MlirOperation next;
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op); op = next) {
    next = mlirOperationGetNextInBlock(op);
    zc_op kind = zc_op_of(context->ops, op);
    if (kind == ZC_OP_FUNC || kind == ZC_OP_INITIALIZER || kind == ZC_OP_STD_FUNC)
      visit(context, op, data);
  }
}

const char *zc_function_name(zc_context *context, MlirOperation function) {
  MlirAttribute name = zc_attribute(function, "sym_name");
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name))
    return "";
  MlirStringRef text = mlirStringAttrGetValue(name);
  return zc_arena_copy(context->arena, text.data, text.length);
}

MlirOperation zc_lookup_symbol(zc_context *context, MlirAttribute reference) {
  MlirOperation none = {NULL};
  if (mlirAttributeIsNull(reference) || !mlirAttributeIsAFlatSymbolRef(reference))
    return none;
  if (!context->symbols.ptr)
    context->symbols = mlirSymbolTableCreate(context->module);
  return mlirSymbolTableLookup(context->symbols, mlirFlatSymbolRefAttrGetValue(reference));
}

MlirOperation zc_callee(zc_context *context, MlirOperation call) {
  MlirOperation none = {NULL};
  MlirOperation function = zc_lookup_symbol(context, zc_attribute(call, "callee"));
  if (mlirOperationIsNull(function) || mlirOperationGetNumRegions(function) != 1 ||
      mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(function))))
    return none;
  return function;
}

bool zc_is_private(MlirOperation function) {
  MlirAttribute visibility = zc_attribute(function, "sym_visibility");
  return !mlirAttributeIsNull(visibility) && mlirAttributeIsAString(visibility) &&
         zc_str_is(mlirStringAttrGetValue(visibility), "private");
}

typedef struct pass_state {
  StreamZcOptions options;
  zc_pass_run run;
} pass_state;

/* The text of the options is copied behind the state: what it was borrowed from may be gone when the pass runs. */
static void *clone_state(void *data) {
  const pass_state *state = data;
  MlirStringRef text = state->options.maintenance;
  pass_state *copy = malloc(sizeof *copy + text.length);
  if (!copy)
    return NULL;
  *copy = *state;
  if (text.length)
    memcpy(copy + 1, text.data, text.length);
  copy->options.maintenance = mlirStringRefCreate((const char *)(copy + 1), text.length);
  return copy;
}

static void construct_state(void *data) {
  (void)data;
}

static MlirLogicalResult initialize_state(MlirContext context, void *data) {
  (void)context;
  return data ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static void run_state(MlirOperation module, MlirExternalPass pass, void *data) {
  const pass_state *state = data;
  zc_context context;
  if (!zc_context_init(&context, module, &state->options) || mlirLogicalResultIsFailure(state->run(&context)))
    mlirExternalPassSignalFailure(pass);
  zc_context_release(&context);
}

MlirPass zc_pass_create(const void *id, const char *name, const char *argument, const char *summary,
                        const StreamZcOptions *options, zc_pass_run run) {
  pass_state state = {options ? *options : streamZcOptionsGetDefault(), run};
  MlirExternalPassCallbacks callbacks = {construct_state, free, initialize_state, clone_state, run_state};
  return mlirCreateExternalPass(mlirTypeIDCreate(id), zc_str(name), zc_str(argument), zc_str(summary),
                                zc_str("builtin.module"), 0, NULL, callbacks, clone_state(&state));
}
