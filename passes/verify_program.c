/* Control flow: which paths there are. A path is found again by its choices, so that nothing has to be saved: it starts
 * over from the function's entry and repeats them. Ways that no path took yet come first; then all combinations, up to
 * a number of ops that grows with the function only. */
#include "passes/verify_program.h"

#include <string.h>

#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "passes/verify_path.h"

/* All combinations of choices are followed up to here; beyond, each way is taken once. */
enum { PATH_LIMIT = 64, QUEUE_LIMIT = 1 << 16, BLOCK_LIMIT = 64, DEPTH_LIMIT = 64 };
/* Ops run at most, by ops of the function, and at least. */
enum { STEPS_PER_OP = 8, STEPS_AT_LEAST = 1 << 18 };

/* ---- choices ---- */

/* Marks the way as taken; whether it was new. */
static bool take_edge(zc_program *program, MlirOperation op, int way) {
  uint64_t known = (uint64_t)(uintptr_t)zc_ptr_map_get(program->edges, op.ptr);
  uint64_t bit = (uint64_t)1 << (way & 31);
  if (known & bit)
    return false;
  zc_ptr_map_set(program->edges, op.ptr, (void *)(uintptr_t)(known | bit));
  return true;
}

void zc_path_take_operands(zc_path *path, MlirOperation op) {
  path->host = path->control;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(op); ++i) {
    const zc_binding *binding = zc_path_binding(path, mlirOperationGetOperand(op, i));
    if (binding && binding->ready)
      path->host = zc_order_join(path->order, path->host, binding->ready);
  }
}

/* Whatever comes after a decision comes after what it was made from. */
static void decide_by(zc_path *path, MlirOperation op) {
  const zc_binding *binding = zc_path_binding(path, mlirOperationGetOperand(op, 0));
  if (binding && binding->ready)
    path->control = zc_order_join(path->order, path->control, binding->ready);
}

int zc_path_choose(zc_path *path, MlirOperation op, const zc_term *cause, int options, uint64_t open) {
  int64_t constant;
  int decided = (int)(uintptr_t)zc_ptr_map_get(path->decided, cause);
  if (zc_term_is_constant(cause, &constant) && options == 2)
    decided = constant ? 1 : 2;
  if (decided && !(open >> (decided - 1) & 1))
    open = options == 2 && zc_term_is_constant(cause, &constant) ? open : 0;
  else if (decided)
    open = (uint64_t)1 << (decided - 1);
  int at = path->choices.count;
  int taken = at < path->prefix.count ? path->prefix.taken[at] : open ? __builtin_ctzll(open) : -1;
  if (taken < 0 || !(open >> taken & 1)) {
    path->stopped = true;
    path->program->cut = true;
    return -1;
  }
  zc_choice choice = {op, taken, options, open, cause};
  zc_list_push(path->arena, &path->choices, zc_choice, choice);
  zc_ptr_map_set(path->decided, cause, (void *)(uintptr_t)(taken + 1));
  return taken;
}

static zc_prefix make_prefix(zc_program *program, const zc_path *path, int at, int way) {
  int *taken = zc_arena_array(program->arena, int, at + 1);
  for (int i = 0; i < at; ++i)
    taken[i] = zc_list_at(&path->choices, zc_choice, i).taken;
  taken[at] = way;
  return (zc_prefix){at + 1, taken};
}

/* Where this path could have gone elsewhere after its prefix. */
static void queue_others(zc_program *program, const zc_path *path) {
  for (int i = 0; i < path->choices.count; ++i) {
    const zc_choice *choice = &zc_list_at(&path->choices, zc_choice, i);
    take_edge(program, choice->op, choice->taken);
  }
  for (int i = path->prefix.count; i < path->choices.count; ++i) {
    const zc_choice *choice = &zc_list_at(&path->choices, zc_choice, i);
    for (int way = 0; way < choice->options && way < 64; ++way) {
      if (way == choice->taken || !(choice->open >> way & 1))
        continue;
      if (!take_edge(program, choice->op, way) && program->queue.count >= PATH_LIMIT) {
        program->unknown = "there are too many paths to follow every combination of branches";
        continue;
      }
      if (program->queue.count < QUEUE_LIMIT)
        zc_list_push(program->arena, &program->queue, zc_prefix, make_prefix(program, path, i, way));
    }
  }
}

/* ---- values of a path ---- */

zc_binding *zc_path_binding(zc_path *path, MlirValue value) {
  return zc_ptr_map_get(path->bindings, value.ptr);
}

void zc_path_bind(zc_path *path, MlirValue value, zc_binding binding) {
  zc_binding *kept = zc_path_binding(path, value);
  if (!kept) {
    kept = zc_arena_new(path->arena, zc_binding);
    zc_ptr_map_set(path->bindings, value.ptr, kept);
  }
  *kept = binding;
}

void zc_path_bind_term(zc_path *path, MlirValue value, const zc_term *term) {
  zc_path_bind(path, value, (zc_binding){.term = term});
}

static const char unknown_value[] = "unknown";

const zc_term *zc_path_term(zc_path *path, MlirValue value) {
  const zc_binding *binding = zc_path_binding(path, value);
  return binding && binding->term ? binding->term : zc_term_fresh(path->program->checks->terms, unknown_value);
}

const zc_clock *zc_path_clock(zc_path *path, MlirValue timepoint) {
  const zc_binding *binding = zc_value_is_null(timepoint) ? NULL : zc_path_binding(path, timepoint);
  return binding ? binding->clock : NULL;
}

zc_binding zc_path_resource(zc_path *path, MlirValue value) {
  zc_binding *known = zc_path_binding(path, value);
  if (known && known->storage)
    return *known;
  zc_terms *terms = path->program->checks->terms;
  MlirOperation op = zc_defining_op(value);
  if (mlirOperationIsNull(op))
    op = path->program->function;
  zc_border border = zc_border_of(path->program->borders, value);
  zc_storage_init init = {.op = op,
                          .born = zc_path_site(path, op, NULL, 0),
                          .value = zc_path_occurrence(path, unknown_value, 0),
                          .writers = border.writers};
  zc_binding made = {.storage = zc_storage_make(path->memory, &init), .offset = zc_term_constant(terms, 0)};
  zc_path_bind(path, value, made);
  return made;
}

void zc_path_unknown(zc_path *path, const char *why) {
  path->program->unknown = why;
}

zc_site *zc_path_site(zc_path *path, MlirOperation op, const zc_moment *moment, zc_device_set devices) {
  zc_site *site = zc_arena_new(path->arena, zc_site);
  *site = (zc_site){.moment = moment, .sequence = ++path->sequence, .devices = devices, .op = op};
  return site;
}

const zc_moment *zc_path_moment(zc_path *path, const zc_clock *past) {
  return zc_order_add(path->order, zc_order_join(path->order, path->host, past), false);
}

const zc_term *zc_path_occurrence(zc_path *path, const void *name, int64_t number) {
  static const char occurrence_kind[] = "some";
  intptr_t count = (intptr_t)zc_ptr_map_get(path->counts, name);
  zc_ptr_map_set(path->counts, name, (void *)(count + 1));
  int64_t numbers[] = {(int64_t)(uintptr_t)name, count, number};
  return zc_term_make(path->program->checks->terms, occurrence_kind, 0, NULL, 3, numbers);
}

/* ---- control flow ---- */

static int64_t visits_of(const zc_path *path, const void *what) {
  return (int64_t)(intptr_t)zc_ptr_map_get(path->visits, what);
}

static void visit(zc_path *path, const void *what) {
  zc_ptr_map_set(path->visits, what, (void *)(intptr_t)(visits_of(path, what) + 1));
}

/* Hands operands `first`… of `op` to the block, all at once. */
static void pass_operands(zc_path *path, MlirOperation op, intptr_t first, MlirBlock block) {
  intptr_t count = mlirBlockGetNumArguments(block);
  zc_binding *values = zc_arena_array(path->arena, zc_binding, count + 1);
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue operand = mlirOperationGetOperand(op, first + i);
    if (zc_is_resource(path->program->context->ops, mlirValueGetType(operand)))
      values[i] = zc_path_resource(path, operand);
    else if (zc_path_binding(path, operand))
      values[i] = *zc_path_binding(path, operand);
  }
  for (intptr_t i = 0; i < count; ++i)
    zc_path_bind(path, mlirBlockGetArgument(block, i), values[i]);
}

/* The successors that may be taken: not a loop's body again when it has run often enough. */
static uint64_t open_ways(zc_path *path, MlirOperation op) {
  uint64_t open = 0;
  for (intptr_t i = 0; i < mlirOperationGetNumSuccessors(op) && i < 64; ++i)
    if (visits_of(path, mlirOperationGetSuccessor(op, i).ptr) < path->program->unroll)
      open |= (uint64_t)1 << i;
    else
      path->program->cut = true;
  return open;
}

/* What decides at `op`. Two switches on one value may have different cases. */
static const zc_term *cause_of(zc_path *path, MlirOperation op) {
  static const char switch_kind[] = "@switch";
  const zc_term *value = zc_path_term(path, mlirOperationGetOperand(op, 0));
  zc_op kind = zc_op_of(path->program->context->ops, op);
  if (kind != ZC_OP_SWITCH && kind != ZC_OP_SCF_INDEX_SWITCH)
    return value;
  int64_t cases = (int64_t)(uintptr_t)zc_attribute(op, kind == ZC_OP_SWITCH ? "case_values" : "cases").ptr;
  return zc_term_make(path->program->checks->terms, switch_kind, 1, &value, 1, &cases);
}

/* Where the branch goes; a null block where the path stops. */
static MlirBlock follow_branch(zc_path *path, MlirOperation op) {
  MlirBlock none = {NULL};
  int ways = (int)mlirOperationGetNumSuccessors(op);
  bool conditional = zc_op_of(path->program->context->ops, op) != ZC_OP_BR;
  int way = 0;
  if (conditional)
    decide_by(path, op);
  if (conditional)
    way = zc_path_choose(path, op, cause_of(path, op), ways, open_ways(path, op));
  if (way < 0)
    return none;
  intptr_t first = conditional;
  for (int i = 0; i < way; ++i)
    first += mlirBlockGetNumArguments(mlirOperationGetSuccessor(op, i));
  MlirBlock next = mlirOperationGetSuccessor(op, way);
  if (visits_of(path, next.ptr) > BLOCK_LIMIT ||
      first + mlirBlockGetNumArguments(next) > mlirOperationGetNumOperands(op)) {
    path->stopped = path->program->cut = true;
    return none;
  }
  pass_operands(path, op, first, next);
  return next;
}

static MlirOperation run_region(zc_path *path, MlirRegion region, int depth);

/* The results of `op` are what the terminator hands over from operand `first` on. */
static void bind_results(zc_path *path, MlirOperation op, MlirOperation last, intptr_t first) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirValue result = mlirOperationGetResult(op, i);
    if (first + i >= mlirOperationGetNumOperands(last))
      continue;
    MlirValue yielded = mlirOperationGetOperand(last, first + i);
    if (zc_is_resource(path->program->context->ops, mlirValueGetType(yielded)))
      zc_path_bind(path, result, zc_path_resource(path, yielded));
    else if (zc_path_binding(path, yielded))
      zc_path_bind(path, result, *zc_path_binding(path, yielded));
  }
}

static void run_if(zc_path *path, MlirOperation op, int depth) {
  int ways = (int)mlirOperationGetNumRegions(op);
  uint64_t open = ways >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << ways) - 1;
  decide_by(path, op);
  int way = zc_path_choose(path, op, cause_of(path, op), ways, open);
  if (way < 0)
    return;
  MlirRegion region = mlirOperationGetRegion(op, way);
  if (mlirBlockIsNull(mlirRegionGetFirstBlock(region)))
    return;
  MlirOperation last = run_region(path, region, depth);
  if (!path->stopped)
    bind_results(path, op, last, 0);
}

/* Whether the loop runs once more; by its trip count only where that is constant. */
static bool runs_again(zc_path *path, MlirOperation op, const zc_term *cause, int64_t runs) {
  uint64_t open = runs < path->program->unroll ? 3 : 2;
  path->program->cut |= open == 2;
  return zc_path_choose(path, op, cause, 2, open) == 0;
}

static void run_for(zc_path *path, MlirOperation op, int depth) {
  static const char less_kind[] = "less";
  zc_terms *terms = path->program->checks->terms;
  MlirRegion region = mlirOperationGetFirstRegion(op);
  MlirBlock body = mlirRegionGetFirstBlock(region);
  const zc_term *index = zc_path_term(path, mlirOperationGetOperand(op, 0));
  const zc_term *end = zc_path_term(path, mlirOperationGetOperand(op, 1));
  const zc_term *step = zc_path_term(path, mlirOperationGetOperand(op, 2));
  MlirOperation last = op;
  intptr_t first = 3;
  for (int64_t runs = 0; !path->stopped; ++runs) {
    const zc_term *operands[] = {index, end};
    const zc_term *less = zc_term_make(terms, less_kind, 2, operands, 0, NULL);
    int64_t a;
    int64_t b;
    if (zc_term_is_constant(index, &a) && zc_term_is_constant(end, &b))
      less = zc_term_constant(terms, a < b);
    zc_binding *carried = zc_arena_array(path->arena, zc_binding, mlirBlockGetNumArguments(body));
    for (intptr_t i = 1; i < mlirBlockGetNumArguments(body); ++i) {
      MlirValue value = mlirOperationGetOperand(last, first + i - 1);
      carried[i] = zc_is_resource(path->program->context->ops, mlirValueGetType(value)) ? zc_path_resource(path, value)
                   : zc_path_binding(path, value)                                       ? *zc_path_binding(path, value)
                                                                                        : (zc_binding){0};
    }
    if (!runs_again(path, op, less, runs))
      break;
    zc_path_bind_term(path, mlirBlockGetArgument(body, 0), index);
    for (intptr_t i = 1; i < mlirBlockGetNumArguments(body); ++i)
      zc_path_bind(path, mlirBlockGetArgument(body, i), carried[i]);
    last = run_region(path, region, depth);
    first = 0;
    index = zc_term_add(terms, index, step, 1);
  }
  if (!path->stopped)
    bind_results(path, op, last, first);
}

static void run_while(zc_path *path, MlirOperation op, int depth) {
  MlirRegion before = mlirOperationGetRegion(op, 0);
  MlirRegion after = mlirOperationGetRegion(op, 1);
  MlirOperation last = op;
  for (int64_t runs = 0; !path->stopped; ++runs) {
    pass_operands(path, last, 0, mlirRegionGetFirstBlock(before));
    MlirOperation condition = run_region(path, before, depth);
    if (path->stopped)
      return;
    decide_by(path, condition);
    if (!runs_again(path, op, zc_path_term(path, mlirOperationGetOperand(condition, 0)), runs)) {
      if (!path->stopped)
        bind_results(path, op, condition, 1);
      return;
    }
    pass_operands(path, condition, 1, mlirRegionGetFirstBlock(after));
    last = run_region(path, after, depth);
  }
}

static void run_op(zc_path *path, MlirOperation op, int depth) {
  switch (zc_op_of(path->program->context->ops, op)) {
  case ZC_OP_SCF_IF:
  case ZC_OP_SCF_INDEX_SWITCH:
    run_if(path, op, depth + 1);
    return;
  case ZC_OP_SCF_FOR:
    run_for(path, op, depth + 1);
    return;
  case ZC_OP_SCF_WHILE:
    run_while(path, op, depth + 1);
    return;
  default:
    zc_path_step(path, op);
  }
}

/* Runs to a terminator without successors, which it returns; a null one where the path stops. */
static MlirOperation run_region(zc_path *path, MlirRegion region, int depth) {
  MlirOperation none = {NULL};
  MlirBlock block = mlirRegionGetFirstBlock(region);
  if (depth > DEPTH_LIMIT || mlirBlockIsNull(block)) {
    path->stopped = true;
    return none;
  }
  while (!mlirBlockIsNull(block)) {
    visit(path, block.ptr);
    MlirOperation last = mlirBlockGetTerminator(block);
    for (MlirOperation op = mlirBlockGetFirstOperation(block); !mlirOperationEqual(op, last) && !path->stopped;
         op = mlirOperationGetNextInBlock(op)) {
      ++path->program->steps;
      run_op(path, op, depth);
    }
    if (path->stopped || path->program->steps > path->program->budget + STEPS_AT_LEAST || mlirOperationIsNull(last)) {
      path->stopped = true;
      return none;
    }
    if (!mlirOperationGetNumSuccessors(last))
      return last;
    block = follow_branch(path, last);
  }
  return none;
}

/* ---- paths ---- */

static const char *way_text(zc_path *path, const zc_choice *choice) {
  zc_context *context = path->program->context;
  const char *place = zc_place_text(context, choice->op);
  if (choice->options == 2)
    return zc_arena_format(context->arena, "%s %s", place, choice->taken == 0 ? "true" : "false");
  return zc_arena_format(context->arena, "%s way %d", place, choice->taken);
}

/* " (path: m.mlir:3:4 true, m.mlir:8:2 false)"; nothing where there is one only. */
static const char *path_text(void *data) {
  enum { SHOWN = 8 };
  zc_path *path = data;
  zc_arena *arena = path->program->context->arena;
  const char *text = "";
  int count = path->choices.count;
  for (int i = 0; i < count && i < SHOWN; ++i)
    text = zc_arena_format(arena, "%s%s%s", text,
                           i ? ", " : " (path: ", way_text(path, &zc_list_at(&path->choices, zc_choice, i)));
  return count ? zc_arena_format(arena, "%s%s)", text, count > SHOWN ? ", …" : "") : "";
}

static zc_ptr_map **maps_of(zc_path *path, int index) {
  zc_ptr_map **maps[] = {&path->bindings, &path->visits, &path->decided, &path->imports, &path->globals, &path->counts};
  return index < (int)(sizeof maps / sizeof *maps) ? maps[index] : NULL;
}

static bool was_decided(const zc_path *path, int number) {
  const zc_term *cause = zc_list_at(&path->choices, zc_choice, number).cause;
  for (int i = 0; i < number; ++i)
    if (zc_list_at(&path->choices, zc_choice, i).cause == cause)
      return true;
  return false;
}

/* What was decided, each once. */
static const zc_term *decisions_of(zc_path *path) {
  static const char decisions_kind[] = "decisions";
  zc_arena *arena = path->arena;
  zc_list causes = {0};
  zc_list ways = {0};
  for (int i = 0; i < path->choices.count; ++i) {
    const zc_choice *choice = &zc_list_at(&path->choices, zc_choice, i);
    if (was_decided(path, i))
      continue;
    zc_list_push(arena, &causes, const zc_term *, choice->cause);
    zc_list_push(arena, &ways, int64_t, choice->taken);
  }
  return zc_term_make(path->program->checks->terms, decisions_kind, causes.count, causes.items, ways.count, ways.items);
}

static void keep_summary(zc_path *path) {
  zc_function_summary *summary = path->program->summary;
  if (!summary)
    return;
  zc_arena *arena = path->program->context->arena;
  zc_path_summary kept = {.decisions = decisions_of(path)};
  for (int i = 0; i < path->observations.count; ++i)
    zc_list_push(arena, &kept.observations, zc_observation, zc_list_at(&path->observations, zc_observation, i));
  zc_list_push(arena, &summary->paths, zc_path_summary, kept);
}

static void run_path(zc_program *program, zc_prefix prefix) {
  zc_path path = {.program = program, .arena = zc_arena_create(), .prefix = prefix};
  path.order = zc_order_create(path.arena);
  path.memory = zc_memory_create(path.arena, program->checks, path_text, &path);
  for (int i = 0; maps_of(&path, i); ++i)
    *maps_of(&path, i) = zc_ptr_map_create(path.arena);
  zc_path_begin(&path);
  MlirOperation last = run_region(&path, mlirOperationGetFirstRegion(program->function), 0);
  if (!path.stopped) {
    zc_path_end(&path, last);
    keep_summary(&path);
  }
  queue_others(program, &path);
  zc_memory_release(path.memory);
  for (int i = 0; maps_of(&path, i); ++i)
    zc_ptr_map_release(*maps_of(&path, i));
  zc_arena_destroy(path.arena);
}

static MlirWalkResult count_op(MlirOperation op, void *data) {
  (void)op;
  ++*(int64_t *)data;
  return MlirWalkResultAdvance;
}

void zc_program_check(zc_checks *checks, zc_borders *borders, zc_kernels *kernels, MlirOperation function,
                      int64_t unroll, zc_function_summary *summary) {
  if (mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(function))))
    return;
  zc_program program = {.checks = checks,
                        .borders = borders,
                        .kernels = kernels,
                        .context = checks->context,
                        .function = function,
                        .unroll = unroll < 1 ? 1 : unroll,
                        .summary = summary,
                        .arena = zc_arena_create()};
  program.edges = zc_ptr_map_create(program.arena);
  int64_t ops = 0;
  mlirOperationWalk(function, count_op, &ops, MlirWalkPreOrder);
  program.budget = STEPS_PER_OP * ops > STEPS_AT_LEAST ? STEPS_PER_OP * ops : STEPS_AT_LEAST;
  run_path(&program, (zc_prefix){0, NULL});
  for (int i = 0; i < program.queue.count; ++i) {
    if (program.steps > program.budget) {
      program.unknown = "there are too many paths to follow each of them";
      break;
    }
    run_path(&program, zc_list_at(&program.queue, zc_prefix, i));
  }
  if (summary) {
    summary->cut = program.cut;
    summary->unknown = program.unknown;
    summary->fault = checks->fault;
  }
  zc_ptr_map_release(program.edges);
  zc_arena_destroy(program.arena);
}
