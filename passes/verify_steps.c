/* What each op does on a path. */
#include "passes/verify_steps.h"

#include <string.h>

static const char output_kind[] = "output", external_kind[] = "external";

/* ---- allocations and timepoints ---- */

static void step_alloca(zc_path *path, MlirOperation op) {
  const zc_moment *moment = zc_path_moment(path, zc_path_clock(path, zc_await_of(ops_of(path), op)));
  zc_storage_init init = {.op = op,
                          .born = zc_path_site(path, op, moment, 0),
                          .size = zc_path_term(path, mlirOperationGetOperand(op, 0)),
                          .fresh = true};
  zc_path_bind(path, mlirOperationGetResult(op, 0), whole_of(path, zc_storage_make(path->memory, &init)));
  zc_path_bind(path, mlirOperationGetResult(op, 1), (zc_binding){.clock = moment->done});
}

/* Usable at once. */
static void step_alloc(zc_path *path, MlirOperation op) {
  zc_storage_init init = {.op = op,
                          .born = zc_path_site(path, op, NULL, 0),
                          .size = zc_path_term(path, mlirOperationGetOperand(op, 0)),
                          .fresh = true};
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    zc_path_bind(path, mlirOperationGetResult(op, i), whole_of(path, zc_storage_make(path->memory, &init)));
}

/* Deallocations are waited for at the end mostly, where they are joined. */
static bool is_joined_only(zc_path *path, MlirValue timepoint) {
  for (MlirOpOperand use = mlirValueGetFirstUse(timepoint); !mlirOpOperandIsNull(use);
       use = mlirOpOperandGetNextUse(use))
    if (zc_op_of(ops_of(path), mlirOpOperandGetOwner(use)) != ZC_OP_TIMEPOINT_JOIN)
      return false;
  return true;
}

static void step_dealloca(zc_path *path, MlirOperation op) {
  const zc_clock *past = zc_order_join(path->order, path->host, zc_path_clock(path, zc_await_of(ops_of(path), op)));
  const zc_moment *moment = zc_order_add(path->order, past, is_joined_only(path, mlirOperationGetResult(op, 0)));
  zc_binding resource = zc_path_resource(path, mlirOperationGetOperand(op, 0));
  zc_memory_free(path->memory, resource.storage, zc_path_site(path, op, moment, 0));
  zc_path_bind(path, mlirOperationGetResult(op, 0), (zc_binding){.clock = moment->done});
}

/* Two by two, so that a join of many stays near-linear. */
static const zc_clock *join_operands(zc_path *path, MlirOperation op) {
  zc_list clocks = {0};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_timepoint(path, mlirOperationGetOperand(op, i)))
      zc_list_push(path->arena, &clocks, const zc_clock *, zc_path_clock(path, mlirOperationGetOperand(op, i)));
  for (; clocks.count > 1; clocks.count = (clocks.count + 1) / 2)
    for (int i = 0; i < clocks.count; i += 2) {
      const zc_clock *one = zc_list_at(&clocks, const zc_clock *, i);
      const zc_clock *other = i + 1 < clocks.count ? zc_list_at(&clocks, const zc_clock *, i + 1) : NULL;
      zc_list_at(&clocks, const zc_clock *, i / 2) = zc_order_join(path->order, one, other);
    }
  return clocks.count ? zc_list_at(&clocks, const zc_clock *, 0) : NULL;
}

static void pass_through(zc_path *path, MlirOperation op, intptr_t operand, intptr_t result) {
  MlirValue from = mlirOperationGetOperand(op, operand);
  MlirValue to = mlirOperationGetResult(op, result);
  if (is_resource(path, from))
    zc_path_bind(path, to, zc_path_resource(path, from));
  else if (zc_path_binding(path, from))
    zc_path_bind(path, to, *zc_path_binding(path, from));
}

static bool is_used(MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (!mlirOpOperandIsNull(mlirValueGetFirstUse(mlirOperationGetResult(op, i))))
      return true;
  return false;
}

/* The op is pure, and IREE sinks it to what uses its results: nothing else waits for it. One that is `sync` isn't sunk,
 * so it makes the host wait; but even that is erased where nothing uses its results. */
static void step_await(zc_path *path, MlirOperation op) {
  const zc_clock *waited = zc_order_join(path->order, path->host, join_operands(path, op));
  path->waited = zc_order_join(path->order, path->waited, waited);
  if (!mlirAttributeIsNull(zc_attribute(op, "sync")) && is_used(op))
    path->control = zc_order_join(path->order, path->control, waited);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    pass_through(path, op, i, i);
    zc_binding *binding = zc_path_binding(path, mlirOperationGetResult(op, i));
    if (binding)
      binding->ready = waited;
  }
}

static void step_timepoint_import(zc_path *path, MlirOperation op) {
  bool known = path->fence && mlirOperationGetNumOperands(op) == 1 &&
               mlirValueEqual(mlirOperationGetOperand(op, 0), path->fence_value);
  const zc_moment *moment = known ? path->fence : zc_order_add(path->order, NULL, false);
  zc_path_bind(path, mlirOperationGetResult(op, 0), (zc_binding){.clock = moment->done});
}

static void step_barrier(zc_path *path, MlirOperation op) {
  zc_binding resource = zc_path_resource(path, mlirOperationGetOperand(op, 0));
  pass_through(path, op, 0, 0);
  zc_path_bind(path, mlirOperationGetResult(op, 1),
               (zc_binding){.clock = zc_memory_clock(path->memory, path->order, resource.storage)});
}

static void step_subview(zc_path *path, MlirOperation op) {
  zc_binding resource = zc_path_resource(path, mlirOperationGetOperand(op, 0));
  resource.offset = zc_term_add(terms_of(path), resource.offset, zc_path_term(path, mlirOperationGetOperand(op, 2)), 1);
  zc_path_bind(path, mlirOperationGetResult(op, 0), resource);
}

/* Whether a branch is decided by the same condition, which then decides both alike. */
static bool decides_branch(zc_path *path, MlirValue condition) {
  bool found = false;
  for (MlirOpOperand use = mlirValueGetFirstUse(condition); !mlirOpOperandIsNull(use) && !found;
       use = mlirOpOperandGetNextUse(use)) {
    zc_op kind = zc_op_of(ops_of(path), mlirOpOperandGetOwner(use));
    found = kind == ZC_OP_COND_BR || kind == ZC_OP_SCF_IF;
  }
  return found;
}

static bool is_followed(zc_path *path, MlirOperation select) {
  MlirValue result = mlirOperationGetResult(select, 0);
  return zc_is_data(ops_of(path), mlirValueGetType(result)) || is_timepoint(path, result) ||
         decides_branch(path, mlirOperationGetOperand(select, 0));
}

static void step_select(zc_path *path, MlirOperation op) {
  int way = zc_path_choose(path, op, zc_path_term(path, mlirOperationGetOperand(op, 0)), 2, 3);
  if (way >= 0)
    pass_through(path, op, way + 1, 0);
}

/* ---- other ops ---- */

static bool uses_memory(zc_path *path, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_resource(path, mlirOperationGetOperand(op, i)))
      return true;
  return false;
}

static bool has_time(zc_path *path, MlirOperation op) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    if (is_timepoint(path, mlirOperationGetResult(op, i)))
      return true;
  return false;
}

/* Constants that are mapped or read from a file get into memory past the caches of all devices, before any uses it. */
static zc_device_set writers_of(zc_path *path, MlirOperation op) {
  const char *name = zc_op_name(op);
  bool past_caches = strcmp(name, "stream.resource.try_map") == 0 || strcmp(name, "stream.file.read") == 0;
  return past_caches ? 0 : devices_of(path, op);
}

static bool only_looks(zc_op kind, MlirOperation op) {
  const char *name = zc_op_name(op);
  return kind == ZC_OP_RESOURCE_SIZE || kind == ZC_OP_IS_TERMINAL || kind == ZC_OP_RELEASE ||
         strcmp(name, "stream.resource.load") == 0 || strcmp(name, "stream.cmd.parameter.write") == 0 ||
         strcmp(name, "stream.cmd.parameter.scatter") == 0 || strcmp(name, "stream.file.write") == 0;
}

/* An op that isn't known, or one that goes to files: the runtime maintains for it. It reads all memory that it is
 * given, and unless it only looks it writes it. */
static void use_memory(zc_path *path, MlirOperation op, zc_op kind, const zc_moment *moment) {
  bool writes = !only_looks(kind, op);
  zc_device_set devices = has_time(path, op) ? writers_of(path, op) : 0;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    if (!is_resource(path, value) || kind == ZC_OP_RESOURCE_SIZE || kind == ZC_OP_IS_TERMINAL || kind == ZC_OP_RELEASE)
      continue;
    zc_binding resource = zc_path_resource(path, value);
    zc_span span = whole_span(path, resource.storage);
    zc_site *site = zc_path_site(path, op, moment, devices);
    site->flushes = true;
    zc_list pieces = {0};
    zc_memory_read(path->memory, resource.storage, &span, site, ZC_READS | ZC_READS_MEMORY | ZC_READS_ANYTHING,
                   &pieces);
    const zc_term *read = zc_pieces_value(terms_of(path), path->arena, &span, &pieces, true);
    observe(path, ZC_OBSERVED_CALL, zc_op_name(op), read, op);
    if (!writes) {
      zc_memory_note_read(path->memory, resource.storage, &span, site);
      continue;
    }
    const zc_term *name = zc_path_occurrence(path, mlirIdentifierStr(mlirOperationGetName(op)).data, i);
    const zc_term *operands[] = {name, read};
    zc_piece piece = {.span = span,
                      .value = zc_term_make(terms_of(path), output_kind, 2, operands, 0, NULL),
                      .from = constant(path, 0)};
    zc_list written = {0};
    zc_list_push(path->arena, &written, zc_piece, piece);
    zc_memory_write(path->memory, resource.storage, &span, site, &written);
  }
}

static void bind_other_results(zc_path *path, MlirOperation op, zc_op kind, const zc_moment *moment) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (is_timepoint(path, result)) {
      zc_path_bind(path, result, (zc_binding){.clock = moment ? moment->done : NULL});
    } else if (is_resource(path, result)) {
      const zc_term *value = zc_path_occurrence(path, mlirIdentifierStr(mlirOperationGetName(op)).data, i);
      zc_path_bind(path, result, whole_of(path, zc_make_outside(path, op, moment, NULL, value, writers_of(path, op))));
    } else {
      zc_binding scalar = {.term = zc_scalar_of(path, op, kind, i), .ready = moment ? moment->done : path->host};
      zc_path_bind(path, result, scalar);
    }
  }
}

static void step_other(zc_path *path, MlirOperation op, zc_op kind) {
  bool memory = uses_memory(path, op);
  bool time = has_time(path, op);
  const zc_moment *moment = time || memory ? zc_path_moment(path, join_operands(path, op)) : NULL;
  if (memory)
    use_memory(path, op, kind, moment);
  bind_other_results(path, op, kind, moment);
}

void zc_path_step(zc_path *path, MlirOperation op) {
  zc_op kind = zc_op_of(ops_of(path), op);
  zc_path_take_operands(path, op);
  switch (kind) {
  case ZC_OP_CMD_EXECUTE:
    zc_step_execute(path, op);
    return;
  case ZC_OP_ALLOC:
    step_alloc(path, op);
    return;
  case ZC_OP_ALLOCA:
    step_alloca(path, op);
    return;
  case ZC_OP_DEALLOCA:
    step_dealloca(path, op);
    return;
  case ZC_OP_TIMEPOINT_IMMEDIATE:
    zc_path_bind(path, mlirOperationGetResult(op, 0), (zc_binding){0});
    return;
  case ZC_OP_TIMEPOINT_JOIN:
    zc_path_bind(path, mlirOperationGetResult(op, 0), (zc_binding){.clock = join_operands(path, op)});
    return;
  case ZC_OP_TIMEPOINT_IMPORT:
    step_timepoint_import(path, op);
    return;
  case ZC_OP_TIMEPOINT_AWAIT:
    step_await(path, op);
    return;
  case ZC_OP_TIMEPOINT_BARRIER:
    step_barrier(path, op);
    return;
  case ZC_OP_CHAIN_EXTERNAL:
  case ZC_OP_TIMEPOINT_EXPORT:
    path->chained = zc_order_join(path->order, path->chained, join_operands(path, op));
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      zc_path_bind_term(path, mlirOperationGetResult(op, i), zc_path_occurrence(path, external_kind, 0));
    return;
  case ZC_OP_TENSOR_IMPORT:
    zc_step_import(path, op);
    return;
  case ZC_OP_TENSOR_EXPORT:
    zc_step_export(path, op);
    return;
  case ZC_OP_GLOBAL_LOAD:
    zc_step_load(path, op);
    return;
  case ZC_OP_GLOBAL_STORE:
    zc_step_store(path, op);
    return;
  case ZC_OP_UTIL_CALL:
    zc_step_call(path, op);
    return;
  case ZC_OP_OPTIMIZATION_BARRIER:
    for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
      pass_through(path, op, i, i);
    return;
  case ZC_OP_SUBVIEW:
    step_subview(path, op);
    return;
  case ZC_OP_RETAIN:
    zc_storage_retain(zc_path_resource(path, mlirOperationGetOperand(op, 0)).storage);
    return;
  case ZC_OP_SELECT:
    if (is_followed(path, op)) {
      step_select(path, op);
      return;
    }
    break;
  default:
    break;
  }
  step_other(path, op, kind);
}
