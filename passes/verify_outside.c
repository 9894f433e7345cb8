/* Where a function meets the outside: arguments, imports, globals, exports, results, calls. What it gets is flushed,
 * but may be stale in caches; what it leaves must be flushed for its other users, and over when its timepoints say so.
 */
#include "mlir-c/BuiltinAttributes.h"
#include "passes/verify_steps.h"

/* Kinds of terms: what messages call them. Behind @ the first number is an attribute that says which. */
static const char argument_kind[] = "argument", import_kind[] = "import", global_kind[] = "@global",
                  output_kind[] = "output", call_kind[] = "@call", outcome_kind[] = "outcome",
                  external_kind[] = "external";

/* ---- memory from outside ---- */

zc_storage_state *zc_make_outside(zc_path *path, MlirOperation op, const zc_moment *ready, const zc_term *size,
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
    ready = zc_order_add(path->order, NULL, false);
    zc_path_bind(path, mlirBlockGetArgument(entry, index + 1), (zc_binding){.clock = ready->done});
  }
  zc_device_set writers = zc_border_of(path->program->borders, argument).writers;
  zc_binding made = whole_of(path, zc_make_outside(path, function, ready, NULL, term, writers));
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
    path->fence = zc_order_add(path->order, NULL, false);
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
      zc_path_bind(path, argument, (zc_binding){.clock = zc_order_add(path->order, NULL, false)->done});
  }
}

void zc_step_import(zc_path *path, MlirOperation op) {
  MlirValue result = mlirOperationGetResult(op, 0);
  const zc_term *source = zc_path_term(path, mlirOperationGetOperand(op, 0));
  zc_storage_state *known = zc_ptr_map_get(path->imports, source);
  if (!known) {
    const zc_term *value = zc_term_make(terms_of(path), import_kind, 1, &source, 0, NULL);
    intptr_t last = mlirOperationGetNumOperands(op) - 1;
    const zc_term *size = last > 0 ? zc_path_term(path, mlirOperationGetOperand(op, last)) : NULL;
    known = zc_make_outside(path, op, path->fence, size, value, devices_of(path, op));
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
  state->first = zc_order_add(path->order, NULL, false);
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
  state->binding = whole_of(path, zc_make_outside(path, op, ready, NULL, term, writers));
}

void zc_step_load(zc_path *path, MlirOperation op) {
  MlirAttribute symbol = zc_attribute(op, "global");
  MlirValue result = mlirOperationGetResult(op, 0);
  zc_global_state *state = global_of(path, symbol, op);
  if (is_empty_binding(&state->binding) && !state->stored)
    load_first(path, op, state);
  if (is_resource(path, result))
    state->value = result;
  zc_path_bind(path, result, state->binding);
}

void zc_step_store(zc_path *path, MlirOperation op) {
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

/* Reads memory for someone outside. `exact`: the span is a value, not all of the memory that it lies in. */
static const zc_term *read_for_others(zc_path *path, const zc_binding *resource, const zc_span *span,
                                      const zc_site *site, bool exact) {
  zc_list pieces = {0};
  int kinds = ZC_READS | ZC_READS_MEMORY | (exact ? 0 : ZC_READS_ANYTHING);
  zc_memory_read(path->memory, resource->storage, span, site, kinds, &pieces);
  path->extent = exact ? NULL : zc_pieces_extent(terms_of(path), &pieces);
  return zc_pieces_value(terms_of(path), path->arena, span, &pieces, !exact);
}

static const zc_site *outside_site(zc_path *path, MlirOperation op, const zc_clock *clock, zc_device_set devices) {
  return zc_path_site(path, op, zc_path_moment(path, clock), devices);
}

/* Where others go on with memory that `border` tells of. */
static zc_site *border_site(zc_path *path, MlirOperation op, const zc_clock *clock, const zc_border *border) {
  zc_site *site = zc_path_site(path, op, zc_path_moment(path, clock), border->users);
  site->droppers = border->droppers;
  return site;
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
  /* The next call means what this one left, also where the timepoint doesn't wait for all of it. */
  if (path->program->checks->silent)
    clock = zc_order_join(path->order, clock, zc_memory_clock(path->memory, path->order, state->binding.storage));
  path->host = zc_order_join(path->order, path->control, state->binding.ready);
  const zc_site *site = border_site(path, state->op, clock, &border);
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

/* Those that `callee` may reach; null: all. */
static void settle_globals(zc_path *path, MlirAttribute callee) {
  for (int i = 0; i < path->global_states.count; ++i) {
    zc_global_state *state = zc_list_at(&path->global_states, zc_global_state *, i);
    if (mlirAttributeIsNull(callee) || zc_borders_reaches_global(path->program->borders, callee, state->symbol))
      settle_global(path, state);
  }
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

/* Reads what an export hands out. */
static const zc_term *end_export(zc_path *path, const zc_export *export, const zc_clock *clock) {
  path->host = zc_order_join(path->order, path->control, export->resource.ready);
  const zc_site *site = outside_site(path, export->op, clock, devices_of(path, export->op));
  zc_span span = zc_span_make(terms_of(path), export->resource.offset, export->size);
  return read_for_others(path, &export->resource, &span, site, true);
}

static bool is_returned(zc_path *path, MlirOperation last, const zc_term *term) {
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(last); ++i) {
    MlirValue value = mlirOperationGetOperand(last, i);
    if (!is_timepoint(path, value) && !is_resource(path, value) && zc_path_term(path, value) == term)
      return true;
  }
  return false;
}

/* One that is returned is observed there. */
static void end_exports(zc_path *path, MlirOperation last, const zc_clock *clock) {
  for (int i = 0; i < path->exports.count; ++i) {
    zc_export *export = &zc_list_at(&path->exports, zc_export, i);
    export->value = end_export(path, export, clock);
    if (!is_returned(path, last, zc_path_term(path, mlirOperationGetResult(export->op, 0))))
      observe(path, ZC_OBSERVED_EXPORT, "", export->value, export->op);
  }
}

/* All of an import is what its buffer view came with. */
static const zc_term *whole_import(zc_path *path, const zc_term *value) {
  const zc_term *length;
  const zc_term *import = zc_value_of_pieces(value, &length);
  if (!import || import->kind != import_kind)
    return value;
  const zc_storage_state *imported = zc_ptr_map_get(path->imports, import->operands[0]);
  return imported && zc_storage_size(imported) == length ? import : value;
}

/* What is returned by a buffer view: what was exported by it; or what it came with, as if it had been imported and
 * exported, which IREE folds. */
static void end_view(zc_path *path, MlirOperation last, MlirValue view, const zc_clock *clock) {
  const zc_term *term = zc_path_term(path, view);
  for (int i = 0; i < path->exports.count; ++i) {
    const zc_export *export = &zc_list_at(&path->exports, zc_export, i);
    if (zc_path_term(path, mlirOperationGetResult(export->op, 0)) != term)
      continue;
    observe(path, ZC_OBSERVED_EXPORT, "", whole_import(path, export->value), export->op);
    return;
  }
  const zc_term *value = zc_term_make(terms_of(path), import_kind, 1, &term, 0, NULL);
  zc_storage_state *imported = zc_ptr_map_get(path->imports, term);
  if (imported && zc_storage_is_written(imported)) {
    zc_binding whole = whole_of(path, imported);
    zc_span span = whole_span(path, imported);
    value = read_for_others(path, &whole, &span, outside_site(path, last, clock, 0), true);
  }
  observe(path, ZC_OBSERVED_EXPORT, "", value, last);
}

static const char left_to_caller[] = "; the caller may write or free it, and waits only for the timepoints of ";

static void end_return(zc_path *path, MlirOperation last, intptr_t index, const zc_clock *clock) {
  MlirValue value = mlirOperationGetOperand(last, index);
  if (is_timepoint(path, value))
    return;
  if (!is_resource(path, value)) {
    if (zc_is_buffer_view(ops_of(path), mlirValueGetType(value)))
      end_view(path, last, value, clock);
    else
      observe(path, ZC_OBSERVED_RETURN, "", zc_path_term(path, value), last);
    return;
  }
  zc_binding resource = zc_path_resource(path, value);
  zc_border border = zc_border_of(path->program->borders, value);
  path->host = zc_order_join(path->order, path->control, resource.ready);
  const zc_site *site = border_site(path, last, paired_clock(path, last, index), &border);
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
  path->host = zc_order_join(path->order, path->control, path->waited);
  const zc_site *site = border_site(path, last, clock, &border);
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
  end_exports(path, last, clock);
  settle_globals(path, (MlirAttribute){NULL});
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(last); ++i)
    end_return(path, last, i, clock);
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
      zc_border border = zc_border_of(path->program->borders, value);
      zc_site *site = border_site(path, call, paired_clock(path, call, i), &border);
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
  zc_path_bind(path, result, whole_of(path, zc_make_outside(path, call, moment, NULL, term, writers)));
}

/* A callee may have left something else in it. */
static void forget_global(zc_path *path, zc_global_state *state) {
  if (!state || (!may_change(path, state) && !state->binding.clock))
    return;
  state->binding = (zc_binding){0};
  state->stored = false;
  state->value = (MlirValue){NULL};
}

void zc_step_call(zc_path *path, MlirOperation call) {
  zc_borders *borders = path->program->borders;
  MlirAttribute callee = zc_attribute(call, "callee");
  MlirOperation function = zc_borders_function(borders, callee);
  settle_globals(path, callee);
  zc_path_take_operands(path, call);
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
    if (!zc_borders_reaches_global(borders, callee, state->symbol))
      continue;
    MlirAttribute timepoint = zc_borders_timepoint_of(borders, state->symbol);
    forget_global(path, state);
    forget_global(path, mlirAttributeIsNull(timepoint) ? NULL : zc_ptr_map_get(path->globals, timepoint.ptr));
  }
}

void zc_step_export(zc_path *path, MlirOperation op) {
  zc_binding resource = zc_path_resource(path, mlirOperationGetOperand(op, 0));
  const zc_term *size = zc_path_term(path, mlirOperationGetOperand(op, mlirOperationGetNumOperands(op) - 1));
  zc_export export = {op, resource, size, NULL};
  zc_list_push(path->arena, &path->exports, zc_export, export);
  zc_path_bind_term(path, mlirOperationGetResult(op, 0), zc_path_occurrence(path, external_kind, 0));
}
