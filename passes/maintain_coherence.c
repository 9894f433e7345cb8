/* zc-maintain-coherence: on scheduled IR, exactly the cache maintenance that hand-offs over non-coherent links need.
 *
 * Needs:    stream.cmd.* and a topology with shared memory; else nothing changes.
 * Model:    each device has a write-back cache (docs/maintenance.md). What device P wrote reaches C by a flush in the
 * region that wrote, after the write, and an invalidate in the region that reads, before the read. P flushes before
 *           another device writes the same lines.
 * Contract: at a function's borders (imports, exports, globals, calls) memory is flushed, but may be stale.
 * Keeps:    maintenance of links that the topology doesn't declare or that share no memory, as IREE made it. All other
 *           maintenance is made anew, so the pass changes nothing the second time.
 *
 * What is needed is found by passes/dirt_flow.c. */
#include <stdlib.h>

#include "capi/ptr_map.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "passes/constants.h"
#include "passes/dirt_flow.h"
#include "passes/maintenance.h"
#include "passes/timepoint_edits.h"

/* The requests of one region, all storages together. */
typedef struct region_requests {
  zc_region *region;
  zc_list requests; ///< zc_request
} region_requests;

/* A function, read once. */
typedef struct maintenance {
  zc_context *context;
  zc_values *values;
  zc_scheduled *scheduled;
  zc_constants *constants;
} maintenance;

/* ---- from requests to ops ---- */

static int compare_requests(const void *left, const void *right) {
  const zc_request *a = left;
  const zc_request *b = right;
  if (a->invalidate != b->invalidate)
    return a->invalidate ? -1 : 1;
  if (a->access->storage != b->access->storage)
    return a->access->storage->number < b->access->storage->number ? -1 : 1;
  if (a->lines.constant != b->lines.constant)
    return a->lines.constant ? -1 : 1;
  if (a->lines.constant && a->lines.first_line != b->lines.first_line)
    return a->lines.first_line < b->lines.first_line ? -1 : 1;
  return a->order - b->order;
}

static bool joins(const zc_request *a, const zc_request *b) {
  if (a->invalidate != b->invalidate || a->access->storage != b->access->storage)
    return false;
  if (a->lines.constant && b->lines.constant)
    return b->lines.first_line <= a->lines.last_line;
  return zc_lines_same_values(&a->lines, &b->lines);
}

static void join_into(zc_request *into, const zc_request *next) {
  into->peer = next->peer < into->peer ? next->peer : into->peer;
  if (into->lines.constant && next->lines.last_line > into->lines.last_line)
    into->lines.last_line = next->lines.last_line;
  if (into->lines.constant && next->lines.end > into->lines.end)
    into->lines.end = next->lines.end;
}

/* Contiguous and repeated ranges become one. Sorted, constant ones follow one another; others are few. */
static int merge_requests(zc_list *requests) {
  qsort(requests->items, (size_t)requests->count, sizeof(zc_request), compare_requests);
  int kept = 0;
  for (int i = 0; i < requests->count; ++i) {
    const zc_request *next = &zc_list_at(requests, zc_request, i);
    int into = kept - 1;
    while (into >= 0 && !next->lines.constant && !joins(&zc_list_at(requests, zc_request, into), next) &&
           zc_list_at(requests, zc_request, into).access->storage == next->access->storage)
      --into;
    if (into < 0 || !joins(&zc_list_at(requests, zc_request, into), next)) {
      zc_list_at(requests, zc_request, kept++) = *next;
      continue;
    }
    join_into(&zc_list_at(requests, zc_request, into), next);
  }
  return requests->count = kept;
}

static MlirOperation make_op(maintenance *maintenance, const zc_request *request) {
  const zc_access *access = request->access;
  MlirValue offset = request->lines.offset;
  MlirValue length = request->lines.length;
  if (request->lines.constant) {
    /* The last line may go beyond a storage of which the size isn't known. */
    int64_t end = request->lines.size < 0 ? request->lines.end : request->lines.last_line;
    offset = zc_index_constant(maintenance->constants, request->lines.first_line);
    length = zc_index_constant(maintenance->constants, end - request->lines.first_line);
  }
  MlirValue operands[] = {mlirOperationGetOperand(access->command, access->range.resource_operand),
                          mlirOperationGetOperand(access->command, access->range.size_operand), offset, length};
  const char *peer =
      zc_symbol_text(maintenance->context->arena, zc_devices_symbol(maintenance->context->devices, request->peer));
  const char *text = zc_arena_format(maintenance->context->arena, "#hal.device.affinity<%s>", peer);
  MlirContext mlir = maintenance->context->mlir;
  MlirNamedAttribute affinity = mlirNamedAttributeGet(mlirIdentifierGet(mlir, zc_str("source_affinity")),
                                                      mlirAttributeParseGet(mlir, zc_str(text)));
  MlirOperationState state =
      mlirOperationStateGet(zc_str(request->invalidate ? "stream.cmd.invalidate" : "stream.cmd.flush"),
                            mlirOperationGetLocation(access->command));
  mlirOperationStateAddOperands(&state, 4, operands);
  mlirOperationStateAddAttributes(&state, 1, &affinity);
  return mlirOperationCreate(&state);
}

/* Invalidates before everything in the region, flushes after: outside of what is unordered, inside of what is
 * signalled. */
static void carry_out(maintenance *maintenance, region_requests *requests) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(requests->region->execute));
  MlirOperation first = mlirBlockGetFirstOperation(body);
  MlirOperation last = mlirBlockGetTerminator(body);
  int count = merge_requests(&requests->requests);
  for (int i = 0; i < count; ++i) {
    const zc_request *request = &zc_list_at(&requests->requests, zc_request, i);
    mlirBlockInsertOwnedOperationBefore(body, request->invalidate ? first : last, make_op(maintenance, request));
  }
}

/* ---- what stands there already ---- */

typedef struct sweep {
  zc_context *context;
  zc_list found; ///< MlirOperation
} sweep;

static MlirWalkResult sweep_op(MlirOperation op, void *data) {
  sweep *sweep = data;
  zc_maintenance found;
  if (zc_is_maintenance(sweep->context, op, &found) && found.device >= 0 && found.peer >= 0 &&
      zc_is_maintained_link(sweep->context, found.device, found.peer))
    zc_list_push(sweep->context->arena, &sweep->found, MlirOperation, op);
  return MlirWalkResultAdvance;
}

/* Takes away the maintenance that this pass decides about. A region is left without anything only by that. */
static void remove_maintenance(zc_context *context, MlirOperation function, void *data) {
  (void)data;
  sweep sweep = {context, {0}};
  mlirOperationWalk(function, sweep_op, &sweep, MlirWalkPreOrder);
  for (int i = 0; i < sweep.found.count; ++i)
    zc_erase_command(context->ops, zc_list_at(&sweep.found, MlirOperation, i));
}

static void erase_empty_regions(zc_context *context, const zc_list *executes) {
  zc_timepoint_edits edits = zc_timepoint_edits_begin(context);
  for (int i = 0; i < executes->count; ++i)
    zc_erase_if_empty(&edits, zc_list_at(executes, MlirOperation, i));
  zc_timepoint_edits_end(&edits);
}

/* ---- a function ---- */

/* The functions of a module, each read once. */
typedef struct functions {
  zc_values *values;
  zc_list all;        ///< maintenance *
  zc_ptr_map *called; ///< Name, as a reference to it.
} functions;

static void begin_function(zc_context *context, MlirOperation function, void *data) {
  functions *functions = data;
  maintenance *maintenance = zc_arena_new(context->arena, struct maintenance);
  *maintenance = (struct maintenance){.context = context,
                                      .values = functions->values,
                                      .scheduled = zc_scheduled_create(context, function),
                                      .constants = zc_constants_create(context, function)};
  zc_find_partial_writes(functions->values, maintenance->scheduled);
  zc_list_push(context->arena, &functions->all, struct maintenance *, maintenance);
}

/* Those of each region together. */
static zc_list by_region(zc_context *context, const zc_list *requests) {
  zc_ptr_map *known = zc_ptr_map_create(context->arena);
  zc_list regions = {0};
  for (int i = 0; i < requests->count; ++i) {
    const zc_request *request = &zc_list_at(requests, zc_request, i);
    region_requests *region = zc_ptr_map_get(known, request->access->region);
    if (!region) {
      region = zc_arena_new(context->arena, region_requests);
      region->region = request->access->region;
      zc_ptr_map_set(known, region->region, region);
      zc_list_push(context->arena, &regions, region_requests *, region);
    }
    zc_list_push(context->arena, &region->requests, zc_request, *request);
  }
  zc_ptr_map_release(known);
  return regions;
}

static bool is_called(const functions *functions, const maintenance *maintenance) {
  MlirAttribute name = zc_attribute(maintenance->scheduled->function, "sym_name");
  if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name))
    return false;
  MlirAttribute reference = mlirFlatSymbolRefAttrGet(maintenance->context->mlir, mlirStringAttrGetValue(name));
  return zc_ptr_map_get(functions->called, reference.ptr);
}

static void maintain_function(const functions *functions, maintenance *maintenance) {
  zc_list requests = {0};
  zc_find_maintenance(maintenance->values, maintenance->scheduled, is_called(functions, maintenance), &requests);
  zc_list regions = by_region(maintenance->context, &requests);
  for (int i = 0; i < regions.count; ++i)
    carry_out(maintenance, zc_list_at(&regions, region_requests *, i));
  zc_constants_release(maintenance->constants);
  zc_scheduled_release(maintenance->scheduled);
}

typedef struct calls {
  zc_context *context;
  zc_ptr_map *called;
} calls;

static MlirWalkResult note_call(MlirOperation op, void *data) {
  const calls *calls = data;
  if (zc_op_of(calls->context->ops, op) == ZC_OP_UTIL_CALL)
    zc_ptr_map_set(calls->called, zc_attribute(op, "callee").ptr, calls->called);
  return MlirWalkResultAdvance;
}

static MlirWalkResult list_execute(MlirOperation op, void *data) {
  sweep *sweep = data;
  if (zc_op_of(sweep->context->ops, op) != ZC_OP_CMD_EXECUTE)
    return MlirWalkResultAdvance;
  zc_list_push(sweep->context->arena, &sweep->found, MlirOperation, op);
  return MlirWalkResultSkip;
}

static MlirLogicalResult run(zc_context *context) {
  if (zc_topology_is_empty(context->topology))
    return mlirLogicalResultSuccess();
  zc_for_each_function(context, remove_maintenance, NULL);
  functions functions = {.values = zc_values_create(context), .called = zc_ptr_map_create(context->arena)};
  mlirOperationWalk(context->module, note_call, &(calls){context, functions.called}, MlirWalkPreOrder);
  zc_for_each_function(context, begin_function, &functions);
  for (int i = 0; i < functions.all.count; ++i)
    maintain_function(&functions, zc_list_at(&functions.all, maintenance *, i));
  zc_ptr_map_release(functions.called);
  zc_values_release(functions.values);
  sweep executes = {context, {0}};
  mlirOperationWalk(context->module, list_execute, &executes, MlirWalkPreOrder);
  erase_empty_regions(context, &executes.found);
  return mlirLogicalResultSuccess();
}

MlirPass streamZcCreateMaintainCoherencePass(const StreamZcOptions *options) {
  static const double id;
  return zc_pass_create(&id, "MaintainCoherence", "zc-maintain-coherence",
                        "Places the cache maintenance that non-coherent hand-offs need, and no other", options, run);
}
