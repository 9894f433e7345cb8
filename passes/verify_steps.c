/* What each op does on a path. */
#include <string.h>

#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"
#include "passes/verify_path.h"
#include "passes/verify_upkeep.h"

/* Kinds of terms: what messages call them. Behind @ the first number is an attribute that says which. */
static const char argument_kind[] = "argument", import_kind[] = "import", global_kind[] = "@global",
                  scalar_kind[] = "value", dispatch_kind[] = "@dispatch", output_kind[] = "output",
                  call_kind[] = "@call", outcome_kind[] = "outcome", external_kind[] = "external";

static const zc_ops *ops_of(const zc_path *path) {
  return path->program->context->ops;
}

static zc_terms *terms_of(const zc_path *path) {
  return path->program->checks->terms;
}

static bool is_resource(const zc_path *path, MlirValue value) {
  return zc_is_resource(ops_of(path), mlirValueGetType(value));
}

static bool is_timepoint(const zc_path *path, MlirValue value) {
  return zc_is_timepoint(ops_of(path), mlirValueGetType(value));
}

static zc_device_set devices_of(zc_path *path, MlirOperation op) {
  zc_context *context = path->program->context;
  const zc_affinity *affinity = zc_affinity_read(context->affinities, zc_execution_affinity(context, op));
  if (affinity->kind == ZC_AFFINITY_UNKNOWN)
    zc_path_unknown(path, "an execution affinity is not understood");
  return affinity->kind == ZC_AFFINITY_UNKNOWN ? 0 : affinity->devices;
}

static const zc_term *constant(const zc_path *path, int64_t value) {
  return zc_term_constant(terms_of(path), value);
}

static void observe(zc_path *path, zc_observation_kind kind, const char *name, const zc_term *value, MlirOperation op) {
  if (!path->program->summary)
    return;
  zc_observation seen = {kind, name, value, path->extent, mlirOperationGetLocation(op)};
  path->extent = NULL;
  zc_list_push(path->arena, &path->observations, zc_observation, seen);
}

static const char *attribute_name(zc_path *path, MlirAttribute attribute) {
  return mlirAttributeIsNull(attribute) ? "" : zc_attribute_text(path->program->context->arena, attribute);
}

/* ---- scalars ---- */

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

static const zc_term *scalar_of(zc_path *path, MlirOperation op, zc_op kind, intptr_t result) {
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

/* ---- memory from outside ---- */

static zc_binding whole_of(const zc_path *path, zc_storage_state *storage) {
  return (zc_binding){.storage = storage, .offset = constant(path, 0)};
}

static zc_storage_state *make_outside(zc_path *path, MlirOperation op, const zc_moment *ready, const zc_term *size,
                                      const zc_term *value, zc_device_set writers) {
  zc_storage_init init = {
      .op = op, .born = zc_path_site(path, op, ready, writers), .size = size, .value = value, .writers = writers};
  return zc_storage_make(path->memory, &init);
}

static void begin_argument(zc_path *path, MlirBlock entry, intptr_t index) {
  MlirOperation function = path->program->function;
  MlirValue argument = mlirBlockGetArgument(entry, index);
  int64_t number = index;
  const zc_term *term = zc_term_make(terms_of(path), argument_kind, 0, NULL, 1, &number);
  if (!is_resource(path, argument)) {
    if (!is_timepoint(path, argument))
      zc_path_bind_term(path, argument, term);
    return;
  }
  const zc_moment *ready = NULL;
  bool paired =
      index + 1 < mlirBlockGetNumArguments(entry) && is_timepoint(path, mlirBlockGetArgument(entry, index + 1));
  if (paired) {
    ready = zc_order_add(path->order, NULL);
    zc_path_bind(path, mlirBlockGetArgument(entry, index + 1), (zc_binding){.clock = ready->done});
  }
  zc_device_set writers = zc_border_of(path->program->borders, argument).writers;
  zc_binding made = whole_of(path, make_outside(path, function, ready, NULL, term, writers));
  zc_path_bind(path, argument, made);
  zc_list_push(path->arena, &path->arguments, zc_binding, made);
}

/* With one fence the inputs are there when it says so; with several it can't be told which is whose. */
static void find_fence(zc_path *path, MlirBlock entry) {
  MlirValue fence = {NULL};
  bool several = false;
  for (MlirOperation op = mlirBlockGetFirstOperation(entry); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op))
    if (zc_op_of(ops_of(path), op) == ZC_OP_TIMEPOINT_IMPORT && mlirOperationGetNumOperands(op) == 1) {
      MlirValue own = mlirOperationGetOperand(op, 0);
      several |= !zc_value_is_null(fence) && !mlirValueEqual(own, fence);
      fence = own;
    }
  if (!zc_value_is_null(fence) && !several && mlirValueIsABlockArgument(fence))
    path->fence = zc_order_add(path->order, NULL);
  path->fence_value = fence;
}

void zc_path_begin(zc_path *path) {
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(path->program->function));
  find_fence(path, entry);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i)
    begin_argument(path, entry, i);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry); ++i) {
    MlirValue argument = mlirBlockGetArgument(entry, i);
    if (is_timepoint(path, argument) && !zc_path_binding(path, argument))
      zc_path_bind(path, argument, (zc_binding){.clock = zc_order_add(path->order, NULL)->done});
  }
}

static void step_import(zc_path *path, MlirOperation op) {
  MlirValue result = mlirOperationGetResult(op, 0);
  const zc_term *source = zc_path_term(path, mlirOperationGetOperand(op, 0));
  zc_storage_state *known = zc_ptr_map_get(path->imports, source);
  if (!known) {
    const zc_term *value = zc_term_make(terms_of(path), import_kind, 1, &source, 0, NULL);
    intptr_t last = mlirOperationGetNumOperands(op) - 1;
    const zc_term *size = last > 0 ? zc_path_term(path, mlirOperationGetOperand(op, last)) : NULL;
    known = make_outside(path, op, path->fence, size, value, devices_of(path, op));
    zc_ptr_map_set(path->imports, source, known);
  }
  zc_path_bind(path, result, whole_of(path, known));
}

/* ---- globals ---- */

static zc_global_state *global_of(zc_path *path, MlirAttribute symbol, MlirOperation op) {
  zc_global_state *state = zc_ptr_map_get(path->globals, symbol.ptr);
  if (state)
    return state;
  state = zc_arena_new(path->arena, zc_global_state);
  state->symbol = symbol;
  state->op = op;
  zc_ptr_map_set(path->globals, symbol.ptr, state);
  zc_list_push(path->arena, &path->global_states, zc_global_state *, state);
  return state;
}

static bool is_empty_binding(const zc_binding *binding) {
  return !binding->term && !binding->storage && !binding->clock;
}

/* What a global's timepoint stands for at first: all that earlier calls did with the global. */
static const zc_moment *earlier_calls(zc_path *path, MlirAttribute timepoint, MlirOperation op) {
  zc_global_state *state = global_of(path, timepoint, op);
  state->first = zc_order_add(path->order, NULL);
  state->binding.clock = state->first->done;
  return state->first;
}

/* Whether what the global holds changes between two loads: another resource, or another content. */
static bool may_change(zc_path *path, const zc_global_state *state) {
  zc_borders *borders = path->program->borders;
  return zc_borders_is_mutable(borders, state->symbol) ||
         (!zc_value_is_null(state->value) && zc_border_of(borders, state->value).in_place);
}

static const zc_term *global_term(zc_path *path, const zc_global_state *state) {
  MlirAttribute symbol = state->symbol;
  int64_t number = (int64_t)(uintptr_t)symbol.ptr;
  if (!may_change(path, state))
    return zc_term_make(terms_of(path), global_kind, 0, NULL, 1, &number);
  const zc_term *count = zc_path_occurrence(path, symbol.ptr, 0);
  return zc_term_make(terms_of(path), global_kind, 1, &count, 1, &number);
}

static void load_first(zc_path *path, MlirOperation op, zc_global_state *state) {
  MlirValue result = mlirOperationGetResult(op, 0);
  if (is_resource(path, result))
    state->value = result;
  const zc_term *term = global_term(path, state);
  if (is_timepoint(path, result)) {
    earlier_calls(path, state->symbol, op);
    return;
  }
  if (!is_resource(path, result)) {
    state->binding = (zc_binding){.term = term};
    return;
  }
  MlirAttribute timepoint = zc_borders_timepoint_of(path->program->borders, state->symbol);
  const zc_moment *ready = NULL;
  if (!mlirAttributeIsNull(timepoint)) {
    zc_global_state *pair = global_of(path, timepoint, op);
    ready = pair->first;
    if (is_empty_binding(&pair->binding) && !pair->stored)
      ready = earlier_calls(path, timepoint, op);
  }
  zc_device_set writers = zc_border_of(path->program->borders, result).writers;
  state->binding = whole_of(path, make_outside(path, op, ready, NULL, term, writers));
}

static void step_load(zc_path *path, MlirOperation op) {
  MlirAttribute symbol = zc_attribute(op, "global");
  MlirValue result = mlirOperationGetResult(op, 0);
  zc_global_state *state = global_of(path, symbol, op);
  if (is_empty_binding(&state->binding) && !state->stored)
    load_first(path, op, state);
  if (is_resource(path, result))
    state->value = result;
  zc_path_bind(path, result, state->binding);
}

static void step_store(zc_path *path, MlirOperation op) {
  MlirAttribute symbol = zc_attribute(op, "global");
  MlirValue value = mlirOperationGetOperand(op, 0);
  zc_global_state *state = global_of(path, symbol, op);
  state->stored = true;
  state->op = op;
  if (is_resource(path, value)) {
    state->binding = zc_path_resource(path, value);
    state->value = value;
  } else if (is_timepoint(path, value)) {
    state->binding = (zc_binding){.clock = zc_path_clock(path, value)};
  } else {
    state->binding = (zc_binding){.term = zc_path_term(path, value)};
    observe(path, ZC_OBSERVED_GLOBAL, attribute_name(path, symbol), state->binding.term, op);
  }
}

/* ---- what leaves ---- */

static zc_span whole_span(const zc_path *path, const zc_storage_state *storage) {
  const zc_term *size = zc_storage_size(storage);
  return size ? zc_span_make(terms_of(path), constant(path, 0), size)
              : zc_span_constant(terms_of(path), 0, ZC_UNBOUNDED);
}

/* Reads memory for someone outside. `exact`: the span is a value, not all of the memory that it lies in. */
static const zc_term *read_for_others(zc_path *path, const zc_binding *resource, const zc_span *span,
                                      const zc_site *site, bool exact) {
  zc_list pieces = {0};
  int kinds = ZC_READS | ZC_READS_MEMORY | (exact ? 0 : ZC_READS_ANYTHING);
  zc_memory_read(path->memory, resource->storage, span, site, kinds, &pieces);
  path->extent = exact ? NULL : zc_pieces_extent(path->memory, &pieces);
  return zc_pieces_value(path->memory, &pieces, !exact);
}

static const zc_site *outside_site(zc_path *path, MlirOperation op, const zc_clock *clock, zc_device_set devices) {
  return zc_path_site(path, op, zc_path_moment(path, clock), devices);
}

/* For a global whose timepoint isn't known. */
static const zc_clock *all_stored(zc_path *path) {
  const zc_clock *clock = NULL;
  for (int i = 0; i < path->global_states.count; ++i)
    clock = zc_order_join(path->order, clock, zc_list_at(&path->global_states, zc_global_state *, i)->binding.clock);
  return clock;
}

static void settle_global(zc_path *path, zc_global_state *state) {
  zc_borders *borders = path->program->borders;
  if (!state->binding.storage || zc_value_is_null(state->value))
    return;
  MlirAttribute timepoint = zc_borders_timepoint_of(borders, state->symbol);
  zc_global_state *pair = mlirAttributeIsNull(timepoint) ? NULL : zc_ptr_map_get(path->globals, timepoint.ptr);
  zc_border border = zc_border_of(borders, state->value);
  const zc_clock *clock = pair ? pair->binding.clock : mlirAttributeIsNull(timepoint) ? all_stored(path) : NULL;
  const zc_site *site = outside_site(path, state->op, clock, border.users);
  zc_span span = whole_span(path, state->binding.storage);
  if (border.in_place)
    zc_memory_wait_for_reads(
        path->memory, state->binding.storage, site,
        "; a later call may write it, and waits only for the global's timepoint as it is left by ");
  if (!state->stored && !zc_storage_is_written(state->binding.storage))
    return;
  const zc_term *value = read_for_others(path, &state->binding, &span, site, false);
  observe(path, ZC_OBSERVED_GLOBAL, attribute_name(path, state->symbol), value, state->op);
}

static void settle_globals(zc_path *path) {
  for (int i = 0; i < path->global_states.count; ++i)
    settle_global(path, zc_list_at(&path->global_states, zc_global_state *, i));
}

/* The timepoint that a list of values has for the one at `index`: the next, where it is one; else all of them. */
static const zc_clock *paired_clock(zc_path *path, MlirOperation op, intptr_t index) {
  intptr_t count = mlirOperationGetNumOperands(op);
  if (index + 1 < count && is_timepoint(path, mlirOperationGetOperand(op, index + 1)))
    return zc_path_clock(path, mlirOperationGetOperand(op, index + 1));
  const zc_clock *clock = NULL;
  for (intptr_t i = 0; i < count; ++i)
    if (is_timepoint(path, mlirOperationGetOperand(op, i)))
      clock = zc_order_join(path->order, clock, zc_path_clock(path, mlirOperationGetOperand(op, i)));
  return clock;
}

static void end_export(zc_path *path, const zc_export *export, const zc_clock *clock) {
  const zc_site *site = outside_site(path, export->op, clock, devices_of(path, export->op));
  zc_span span = zc_span_make(terms_of(path), export->resource.offset, export->size);
  observe(path, ZC_OBSERVED_EXPORT, "", read_for_others(path, &export->resource, &span, site, true), export->op);
}

static const char left_to_caller[] = "; the caller may write or free it, and waits only for the timepoints of ";

static void end_return(zc_path *path, MlirOperation last, intptr_t index) {
  MlirValue value = mlirOperationGetOperand(last, index);
  if (is_timepoint(path, value))
    return;
  if (!is_resource(path, value)) {
    observe(path, ZC_OBSERVED_RETURN, "", zc_path_term(path, value), last);
    return;
  }
  zc_binding resource = zc_path_resource(path, value);
  zc_border border = zc_border_of(path->program->borders, value);
  const zc_site *site = outside_site(path, last, paired_clock(path, last, index), border.users);
  zc_span span = whole_span(path, resource.storage);
  observe(path, ZC_OBSERVED_RETURN, "", read_for_others(path, &resource, &span, site, false), last);
  if (border.in_place || border.freed)
    zc_memory_wait_for_reads(path->memory, resource.storage, site, left_to_caller);
}

/* The memory of the caller's: what was done with it must be over when the timepoints that are returned say so. */
static void end_argument(zc_path *path, const zc_binding *resource, MlirOperation last, const zc_clock *clock) {
  MlirValue value = {NULL};
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(path->program->function));
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(entry) && zc_value_is_null(value); ++i) {
    zc_binding *binding = zc_path_binding(path, mlirBlockGetArgument(entry, i));
    if (binding && binding->storage == resource->storage)
      value = mlirBlockGetArgument(entry, i);
  }
  zc_border border = {0};
  if (!zc_value_is_null(value))
    border = zc_border_of(path->program->borders, value);
  const zc_site *site = outside_site(path, last, clock, border.users);
  if (border.in_place || border.freed)
    zc_memory_wait_for_reads(path->memory, resource->storage, site, left_to_caller);
  if (!zc_storage_is_written(resource->storage))
    return;
  zc_span span = whole_span(path, resource->storage);
  observe(path, ZC_OBSERVED_RETURN, "argument", read_for_others(path, resource, &span, site, false), last);
}

void zc_path_end(zc_path *path, MlirOperation last) {
  const zc_clock *returned = NULL;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(last); ++i)
    if (is_timepoint(path, mlirOperationGetOperand(last, i)))
      returned = zc_order_join(path->order, returned, zc_path_clock(path, mlirOperationGetOperand(last, i)));
  const zc_clock *clock = zc_order_join(path->order, returned, path->chained);
  for (int i = 0; i < path->exports.count; ++i)
    end_export(path, &zc_list_at(&path->exports, zc_export, i), clock);
  settle_globals(path);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(last); ++i)
    end_return(path, last, i);
  for (int i = 0; i < path->arguments.count; ++i)
    end_argument(path, &zc_list_at(&path->arguments, zc_binding, i), last, clock);
}

/* ---- calls ---- */

/* What the callee leaves in an argument that it may write. */
static void write_argument(zc_path *path, MlirOperation call, intptr_t index, const zc_site *site,
                           const zc_term *outcome) {
  MlirValue value = mlirOperationGetOperand(call, index);
  zc_binding resource = zc_path_resource(path, value);
  zc_memory_wait_for_reads(path->memory, resource.storage, site,
                           "; the callee may write it, and waits only for the timepoints of ");
  int64_t number = index;
  const zc_term *left = zc_term_make(terms_of(path), output_kind, 1, &outcome, 1, &number);
  zc_memory_take_from_outside(path->memory, resource.storage, site, left,
                              zc_border_of(path->program->borders, value).writers);
}

static const zc_term *read_arguments(zc_path *path, MlirOperation call, const zc_moment *moment) {
  zc_list values = {0};
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(call); ++i) {
    MlirValue value = mlirOperationGetOperand(call, i);
    if (is_timepoint(path, value))
      continue;
    const zc_term *term;
    if (is_resource(path, value)) {
      zc_binding resource = zc_path_resource(path, value);
      zc_span span = whole_span(path, resource.storage);
      const zc_moment *own = zc_path_moment(path, paired_clock(path, call, i));
      zc_site *site = zc_path_site(path, call, own, zc_border_of(path->program->borders, value).users);
      term = read_for_others(path, &resource, &span, site, false);
      site->moment = moment;
      zc_memory_note_read(path->memory, resource.storage, &span, site);
    } else {
      term = zc_path_term(path, value);
    }
    zc_list_push(path->arena, &values, const zc_term *, term);
  }
  MlirAttribute callee = zc_attribute(call, "callee");
  int64_t number = (int64_t)(uintptr_t)callee.ptr;
  const zc_term *read = zc_term_make(terms_of(path), call_kind, values.count, values.items, 1, &number);
  observe(path, ZC_OBSERVED_CALL, attribute_name(path, callee), read, call);
  const zc_term *operands[] = {read, zc_path_occurrence(path, callee.ptr, 0)};
  return zc_term_make(terms_of(path), outcome_kind, 2, operands, 0, NULL);
}

static void bind_call_result(zc_path *path, MlirOperation call, intptr_t index, const zc_moment *moment,
                             const zc_term *outcome) {
  MlirValue result = mlirOperationGetResult(call, index);
  int64_t number = -1 - (int64_t)index;
  const zc_term *term = zc_term_make(terms_of(path), output_kind, 1, &outcome, 1, &number);
  if (is_timepoint(path, result)) {
    zc_path_bind(path, result, (zc_binding){.clock = moment->done});
    return;
  }
  if (!is_resource(path, result)) {
    zc_path_bind_term(path, result, term);
    return;
  }
  zc_borders *borders = path->program->borders;
  MlirOperation function = zc_borders_function(borders, zc_attribute(call, "callee"));
  intptr_t argument = zc_borders_returned_argument(borders, function, index);
  zc_device_set writers = zc_border_of(borders, result).writers;
  if (argument >= 0 && argument < mlirOperationGetNumOperands(call)) {
    zc_binding same = zc_path_resource(path, mlirOperationGetOperand(call, argument));
    zc_memory_take_from_outside(path->memory, same.storage, zc_path_site(path, call, moment, writers), term, writers);
    zc_path_bind(path, result, same);
    return;
  }
  zc_path_bind(path, result, whole_of(path, make_outside(path, call, moment, NULL, term, writers)));
}

static void step_call(zc_path *path, MlirOperation call) {
  zc_borders *borders = path->program->borders;
  MlirOperation function = zc_borders_function(borders, zc_attribute(call, "callee"));
  settle_globals(path);
  const zc_clock *past = NULL;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(call); ++i)
    if (is_timepoint(path, mlirOperationGetOperand(call, i)))
      past = zc_order_join(path->order, past, zc_path_clock(path, mlirOperationGetOperand(call, i)));
  const zc_moment *moment = zc_path_moment(path, past);
  const zc_term *outcome = read_arguments(path, call, moment);
  const zc_site *site = zc_path_site(path, call, moment, 0);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(call); ++i)
    if (is_resource(path, mlirOperationGetOperand(call, i)) && zc_borders_writes_argument(borders, function, i))
      write_argument(path, call, i, site, outcome);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(call); ++i)
    bind_call_result(path, call, i, moment, outcome);
  for (int i = 0; i < path->global_states.count; ++i) {
    zc_global_state *state = zc_list_at(&path->global_states, zc_global_state *, i);
    if (!may_change(path, state) && !state->binding.clock)
      continue;
    state->binding = (zc_binding){0};
    state->stored = false;
    state->value = (MlirValue){NULL};
  }
}

/* ---- commands ---- */

/* One use of memory by a command. */
typedef struct use {
  zc_storage_state *storage;
  zc_span span;
  int mode;
  bool exact; ///< The range is as long as the value in it.
} use;

typedef struct command {
  zc_path *path;
  zc_site *site;
  zc_range *ranges;
  int count;
} command;

static zc_span span_of(zc_path *path, const zc_site *site, const zc_range *range, zc_binding *resource) {
  *resource = zc_path_resource(path, mlirOperationGetOperand(site->op, range->resource_operand));
  const zc_term *offset = zc_path_term(path, mlirOperationGetOperand(site->op, range->offset_operand));
  const zc_term *length = zc_path_term(path, mlirOperationGetOperand(site->op, range->length_operand));
  return zc_span_make(terms_of(path), zc_term_add(terms_of(path), resource->offset, offset, 1), length);
}

static void write_value(const command *command, const use *use, const zc_term *value) {
  zc_path *path = command->path;
  zc_list pieces = {0};
  zc_piece piece = {use->span, value, constant(path, 0)};
  zc_list_push(path->arena, &pieces, zc_piece, piece);
  zc_memory_write(path->memory, use->storage, &use->span, command->site, &pieces);
}

static use whole_range(const command *command, const zc_range *range) {
  zc_binding resource;
  zc_span span = span_of(command->path, command->site, range, &resource);
  return (use){resource.storage, span, range->mode, false};
}

/* What a kernel computes its offsets from: its scalar arguments are the dispatch's uniform operands. */
static void bind_kernel(const command *command, const zc_kernel *kernel) {
  zc_path *path = command->path;
  zc_segment uniforms = zc_operand_segment(command->site->op, 1);
  int next = 0;
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(kernel->entry); ++i) {
    MlirValue argument = mlirBlockGetArgument(kernel->entry, i);
    if (zc_is_binding(path->program->kernels, argument))
      continue;
    if (next < uniforms.count)
      zc_path_bind_term(path, argument,
                        zc_path_term(path, mlirOperationGetOperand(command->site->op, uniforms.first + next)));
    ++next;
  }
  for (int i = 0; i < kernel->slice.count; ++i) {
    MlirOperation op = zc_list_at(&kernel->slice, MlirOperation, i);
    for (intptr_t j = 0; j < mlirOperationGetNumResults(op); ++j)
      zc_path_bind_term(path, mlirOperationGetResult(op, j), scalar_of(path, op, zc_op_of(ops_of(path), op), j));
  }
}

static use part_of_range(const command *command, const zc_kernel_part *part) {
  zc_path *path = command->path;
  zc_terms *terms = terms_of(path);
  use use = whole_range(command, &command->ranges[part->binding]);
  const zc_term *begin = zc_term_add(terms, use.span.begin, zc_path_term(path, part->offset), 1);
  const zc_term *length = constant(path, part->unit);
  for (int i = 0; i < part->dims.count; ++i)
    length =
        zc_term_multiply(terms, length, zc_path_term(path, mlirOperationGetOperand(part->op, part->dims.first + i)));
  if (!part->unit)
    length = zc_term_add(terms, use.span.end, begin, -1);
  use.span = zc_span_make(terms, begin, length);
  use.mode = part->mode;
  use.exact = part->unit > 0;
  return use;
}

/* The uses of a command: of a kernel that can be read its parts of the bindings, else the ranges as they are. */
static zc_list uses_of(const command *command) {
  zc_path *path = command->path;
  zc_list uses = {0};
  const zc_kernel *kernel = NULL;
  if (zc_op_of(ops_of(path), command->site->op) == ZC_OP_CMD_DISPATCH)
    kernel = zc_kernel_of(path->program->kernels, command->site->op);
  for (int i = 0; kernel && i < kernel->parts.count; ++i)
    if (zc_list_at(&kernel->parts, zc_kernel_part, i).binding >= command->count)
      kernel = NULL;
  if (kernel)
    bind_kernel(command, kernel);
  for (int i = 0; kernel && i < kernel->parts.count; ++i)
    zc_list_push(path->arena, &uses, use, part_of_range(command, &zc_list_at(&kernel->parts, zc_kernel_part, i)));
  for (int i = 0; !kernel && i < command->count; ++i)
    zc_list_push(path->arena, &uses, use, whole_range(command, &command->ranges[i]));
  return uses;
}

static void run_copy(const command *command) {
  zc_path *path = command->path;
  zc_terms *terms = terms_of(path);
  zc_binding source;
  zc_binding target;
  zc_span from = span_of(path, command->site, &command->ranges[0], &source);
  zc_span to = span_of(path, command->site, &command->ranges[1], &target);
  zc_list pieces = {0};
  zc_memory_read(path->memory, source.storage, &from, command->site, ZC_READS | ZC_READS_CACHE, &pieces);
  zc_memory_note_read(path->memory, source.storage, &from, command->site);
  const zc_term *shift = zc_term_add(terms, to.begin, from.begin, -1);
  for (int i = 0; i < pieces.count; ++i) {
    zc_span *span = &zc_list_at(&pieces, zc_piece, i).span;
    const zc_term *length = zc_term_add(terms, span->end, span->begin, -1);
    *span = zc_span_make(terms, zc_term_add(terms, span->begin, shift, 1), length);
  }
  zc_memory_write(path->memory, target.storage, &to, command->site, &pieces);
}

static void run_fill(const command *command) {
  const zc_term *pattern =
      zc_path_term(command->path, mlirOperationGetOperand(command->site->op, ZC_MAINTENANCE_LENGTH + 1));
  use use = whole_range(command, &command->ranges[0]);
  write_value(command, &use, zc_term_make(terms_of(command->path), zc_fill_kind, 1, &pattern, 0, NULL));
}

static const zc_term *read_use(const command *command, const use *use) {
  zc_path *path = command->path;
  zc_list pieces = {0};
  bool writes = use->mode & ZC_ACCESS_WRITE;
  int kinds = ZC_READS | ZC_READS_CACHE | (writes ? ZC_READS_ANYTHING : 0) | (use->exact ? 0 : ZC_READS_PADDING);
  if (zc_span_is_empty(&use->span))
    return constant(path, 0);
  zc_memory_read(path->memory, use->storage, &use->span, command->site, kinds, &pieces);
  if (!writes)
    zc_memory_note_read(path->memory, use->storage, &use->span, command->site);
  return zc_pieces_value(path->memory, &pieces, !use->exact);
}

static bool is_range_operand(const command *command, int operand) {
  for (int i = 0; i < command->count; ++i) {
    const zc_range *range = &command->ranges[i];
    if (operand == range->resource_operand || operand == range->size_operand || operand == range->offset_operand ||
        operand == range->length_operand)
      return true;
  }
  return false;
}

/* What the command is, apart from its operands. */
static MlirAttribute identity_of(MlirOperation op) {
  static const char *const names[] = {"entry_points", "callee", "op"};
  MlirAttribute found = {NULL};
  for (size_t i = 0; i < sizeof names / sizeof *names && mlirAttributeIsNull(found); ++i)
    found = zc_attribute(op, names[i]);
  return found;
}

/* A dispatch, a call or a collective: a function that nothing is known of. */
static void run_unknown_function(const command *command) {
  zc_path *path = command->path;
  MlirOperation op = command->site->op;
  MlirAttribute identity = identity_of(op);
  zc_list values = {0};
  intptr_t num_operands = mlirOperationGetNumOperands(op);
  for (int i = 0; i < (int)num_operands; ++i)
    if (!is_range_operand(command, i))
      zc_list_push(path->arena, &values, const zc_term *, zc_path_term(path, mlirOperationGetOperand(op, i)));
  zc_list uses = uses_of(command);
  for (int i = 0; i < uses.count; ++i)
    if (zc_list_at(&uses, use, i).mode & ZC_ACCESS_READ)
      zc_list_push(path->arena, &values, const zc_term *, read_use(command, &zc_list_at(&uses, use, i)));
  int64_t numbers[] = {(int64_t)(uintptr_t)identity.ptr};
  const zc_term *applied = zc_term_make(terms_of(path), dispatch_kind, values.count, values.items, 1, numbers);
  if (path->program->summary)
    observe(path, ZC_OBSERVED_DISPATCH, attribute_name(path, identity), applied, op);
  for (int i = 0; i < uses.count; ++i) {
    int64_t number = i;
    if (zc_list_at(&uses, use, i).mode & ZC_ACCESS_WRITE)
      write_value(command, &zc_list_at(&uses, use, i),
                  zc_term_make(terms_of(path), output_kind, 1, &applied, 1, &number));
  }
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    int64_t number = -1 - (int64_t)i;
    zc_path_bind_term(path, mlirOperationGetResult(op, i),
                      zc_term_make(terms_of(path), output_kind, 1, &applied, 1, &number));
  }
}

static void run_discard(const command *command) {
  use use = whole_range(command, &command->ranges[0]);
  write_value(command, &use, zc_undefined_value(command->path->memory));
}

static void run_maintenance(const command *command, const zc_maintenance *maintenance) {
  zc_path *path = command->path;
  command->site->maintains = true;
  for (int i = 0; i < command->count; ++i) {
    zc_binding resource;
    zc_span span = span_of(path, command->site, &command->ranges[i], &resource);
    zc_memory_maintain(path->memory, resource.storage, &span, command->site, maintenance);
  }
}

static void run_command(zc_path *path, MlirOperation op, const zc_moment *moment, const zc_group *group,
                        zc_device_set devices) {
  zc_context *context = path->program->context;
  command command = {path, zc_path_site(path, op, moment, devices), NULL, 0};
  command.site->group = group;
  command.count = zc_command_ranges(path->arena, context->ops, op, &command.ranges);
  zc_maintenance maintenance;
  ++path->program->steps;
  if (command.count < 0)
    zc_path_unknown(path, "a command is not understood");
  else if (zc_is_maintenance(context, op, &maintenance))
    run_maintenance(&command, &maintenance);
  else if (zc_op_of(context->ops, op) == ZC_OP_CMD_COPY)
    run_copy(&command);
  else if (zc_op_of(context->ops, op) == ZC_OP_CMD_FILL)
    run_fill(&command);
  else if (zc_op_of(context->ops, op) == ZC_OP_CMD_DISCARD)
    run_discard(&command);
  else
    run_unknown_function(&command);
}

static void run_commands(zc_path *path, MlirBlock block, const zc_moment *moment, const zc_group *group,
                         zc_device_set devices) {
  for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(op);
       op = mlirOperationGetNextInBlock(op)) {
    zc_op kind = zc_op_of(ops_of(path), op);
    if (kind == ZC_OP_YIELD)
      continue;
    if (kind != ZC_OP_CMD_SERIAL && kind != ZC_OP_CMD_CONCURRENT) {
      run_command(path, op, moment, group, devices);
      continue;
    }
    zc_group *inner = zc_arena_new(path->arena, zc_group);
    *inner = (zc_group){group, group->depth + 1, kind == ZC_OP_CMD_CONCURRENT};
    run_commands(path, mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(op)), moment, inner, devices);
  }
}

static void step_execute(zc_path *path, MlirOperation op) {
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(op));
  const zc_moment *moment = zc_path_moment(path, zc_path_clock(path, zc_await_of(ops_of(path), op)));
  zc_segment resources = zc_operand_segment(op, ZC_EXECUTE_RESOURCES);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(body) && i < resources.count; ++i)
    zc_path_bind(path, mlirBlockGetArgument(body, i),
                 zc_path_resource(path, mlirOperationGetOperand(op, resources.first + i)));
  zc_group *group = zc_arena_new(path->arena, zc_group);
  run_commands(path, body, moment, group, devices_of(path, op));
  zc_path_bind(path, mlirOperationGetResult(op, 0), (zc_binding){.clock = moment->done});
}

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

static void step_dealloca(zc_path *path, MlirOperation op) {
  const zc_moment *moment = zc_path_moment(path, zc_path_clock(path, zc_await_of(ops_of(path), op)));
  zc_binding resource = zc_path_resource(path, mlirOperationGetOperand(op, 0));
  zc_memory_free(path->memory, resource.storage, zc_path_site(path, op, moment, 0));
  zc_path_bind(path, mlirOperationGetResult(op, 0), (zc_binding){.clock = moment->done});
}

static const zc_clock *join_operands(zc_path *path, MlirOperation op) {
  const zc_clock *clock = NULL;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i)
    if (is_timepoint(path, mlirOperationGetOperand(op, i)))
      clock = zc_order_join(path->order, clock, zc_path_clock(path, mlirOperationGetOperand(op, i)));
  return clock;
}

static void pass_through(zc_path *path, MlirOperation op, intptr_t operand, intptr_t result) {
  MlirValue from = mlirOperationGetOperand(op, operand);
  MlirValue to = mlirOperationGetResult(op, result);
  if (is_resource(path, from))
    zc_path_bind(path, to, zc_path_resource(path, from));
  else if (zc_path_binding(path, from))
    zc_path_bind(path, to, *zc_path_binding(path, from));
}

static void step_await(zc_path *path, MlirOperation op) {
  path->host = zc_order_join(path->order, path->host, join_operands(path, op));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    pass_through(path, op, i, i);
}

static void step_timepoint_import(zc_path *path, MlirOperation op) {
  bool known = path->fence && mlirOperationGetNumOperands(op) == 1 &&
               mlirValueEqual(mlirOperationGetOperand(op, 0), path->fence_value);
  const zc_moment *moment = known ? path->fence : zc_order_add(path->order, NULL);
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

static void step_export(zc_path *path, MlirOperation op) {
  zc_binding resource = zc_path_resource(path, mlirOperationGetOperand(op, 0));
  const zc_term *size = zc_path_term(path, mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1));
  zc_export export = {op, resource, size};
  zc_list_push(path->arena, &path->exports, zc_export, export);
  zc_path_bind_term(path, mlirOperationGetResult(op, 0), zc_path_occurrence(path, external_kind, 0));
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
  zc_device_set devices = has_time(path, op) ? devices_of(path, op) : 0;
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
    const zc_term *read = zc_pieces_value(path->memory, &pieces, true);
    observe(path, ZC_OBSERVED_CALL, zc_op_name(op), read, op);
    if (!writes) {
      zc_memory_note_read(path->memory, resource.storage, &span, site);
      continue;
    }
    const zc_term *name = zc_path_occurrence(path, mlirIdentifierStr(mlirOperationGetName(op)).data, i);
    const zc_term *operands[] = {name, read};
    zc_piece piece = {span, zc_term_make(terms_of(path), output_kind, 2, operands, 0, NULL), constant(path, 0)};
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
      zc_path_bind(path, result, whole_of(path, make_outside(path, op, moment, NULL, value, devices_of(path, op))));
    } else {
      zc_path_bind_term(path, result, scalar_of(path, op, kind, i));
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
  switch (kind) {
  case ZC_OP_CMD_EXECUTE:
    step_execute(path, op);
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
    step_import(path, op);
    return;
  case ZC_OP_TENSOR_EXPORT:
    step_export(path, op);
    return;
  case ZC_OP_GLOBAL_LOAD:
    step_load(path, op);
    return;
  case ZC_OP_GLOBAL_STORE:
    step_store(path, op);
    return;
  case ZC_OP_UTIL_CALL:
    step_call(path, op);
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
    if (zc_is_data(ops_of(path), mlirValueGetType(mlirOperationGetResult(op, 0))) ||
        is_timepoint(path, mlirOperationGetResult(op, 0))) {
      step_select(path, op);
      return;
    }
    break;
  default:
    break;
  }
  step_other(path, op, kind);
}
