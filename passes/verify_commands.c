/* Execution regions and their commands: what they read, write, and maintain. */
#include "passes/verify_steps.h"
#include "passes/verify_upkeep.h"

static const char dispatch_kind[] = "@dispatch", output_kind[] = "output";

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

/* Nothing leaves its resource: that is all of its storage, or a subview of it. */
static zc_span resource_span(zc_path *path, const zc_site *site, const zc_range *range, const zc_binding *resource) {
  int64_t offset;
  int64_t declared;
  const zc_term *size = zc_path_term(path, mlirOperationGetOperand(site->op, range->size_operand));
  bool whole = zc_term_is_constant(resource->offset, &offset) && offset == 0;
  if (whole && zc_storage_size(resource->storage))
    return whole_span(path, resource->storage);
  if (whole && zc_term_is_constant(size, &declared))
    zc_storage_declare(resource->storage, declared);
  return zc_span_make(terms_of(path), resource->offset, size);
}

static zc_span span_of(zc_path *path, const zc_site *site, const zc_range *range, zc_binding *resource) {
  *resource = zc_path_resource(path, mlirOperationGetOperand(site->op, range->resource_operand));
  const zc_term *offset = zc_path_term(path, mlirOperationGetOperand(site->op, range->offset_operand));
  const zc_term *length = zc_path_term(path, mlirOperationGetOperand(site->op, range->length_operand));
  zc_span span = zc_span_make(terms_of(path), zc_term_add(terms_of(path), resource->offset, offset, 1), length);
  zc_span all = resource_span(path, site, range, resource);
  return zc_span_within(terms_of(path), &span, &all);
}

static void write_value(const command *command, const use *use, const zc_term *value) {
  zc_path *path = command->path;
  zc_list pieces = {0};
  zc_piece piece = {.span = use->span, .value = value, .from = constant(path, 0)};
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
      zc_path_bind_term(path, mlirOperationGetResult(op, j), zc_scalar_of(path, op, zc_op_of(ops_of(path), op), j));
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
  zc_span part_span = zc_span_make(terms, begin, length);
  use.span = zc_span_within(terms, &part_span, &use.span);
  use.mode = part->mode;
  use.exact = part->unit > 0;
  return use;
}

/* The kernel of a dispatch, where it can be read. */
static const zc_kernel *kernel_of(const command *command) {
  const zc_kernel *kernel =
      command->site->dispatch ? zc_kernel_of(command->path->program->kernels, command->site->op) : NULL;
  for (int i = 0; kernel && i < kernel->parts.count; ++i)
    if (zc_list_at(&kernel->parts, zc_kernel_part, i).binding >= command->count)
      kernel = NULL;
  return kernel;
}

/* The uses of a command: of a kernel that can be read its parts of the bindings, else the ranges as they are. */
static zc_list uses_of(const command *command, const zc_kernel *kernel) {
  zc_path *path = command->path;
  zc_list uses = {0};
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
  for (int i = 0; i < pieces.count; ++i)
    zc_piece_move(terms, &zc_list_at(&pieces, zc_piece, i), shift, &to);
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
  return zc_pieces_value(terms_of(path), path->arena, &use->span, &pieces, !use->exact);
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

/* Whether the operand only says where in a slab the kernel's parts are: that is how memory is packed, not a value. */
static bool is_place(const command *command, const zc_kernel *kernel, int operand) {
  if (!kernel)
    return false;
  int index = operand - zc_operand_segment(command->site->op, 1).first;
  return index >= 0 && index < kernel->places.count && zc_list_at(&kernel->places, bool, index);
}

/* What the command is, apart from its operands. */
static MlirAttribute identity_of(MlirOperation op) {
  static const char *const names[] = {"entry_points", "callee", "op"};
  MlirAttribute found = {NULL};
  for (size_t i = 0; i < sizeof names / sizeof *names && mlirAttributeIsNull(found); ++i)
    found = zc_attribute(op, names[i]);
  return found;
}

/* Which of its uses are written where others of it read or write: pairs of their numbers; null: none. Whether a kernel
 * may do that is for IREE to know, who ties operands to results; a pipeline must not bring it about. */
static const zc_term *shared_uses(const command *command, const zc_list *uses) {
  static const char kind[] = "shared";
  zc_terms *terms = terms_of(command->path);
  zc_list shared = {0};
  for (int i = 0; i < uses->count; ++i)
    for (int j = 0; j < uses->count; ++j) {
      const use *written = &zc_list_at(uses, use, i);
      const use *other = &zc_list_at(uses, use, j);
      if (i == j || !(written->mode & ZC_ACCESS_WRITE) || written->storage != other->storage ||
          zc_span_disjoint(terms, &written->span, &other->span))
        continue;
      zc_list_push(command->path->arena, &shared, int64_t, (int64_t)i);
      zc_list_push(command->path->arena, &shared, int64_t, (int64_t)j);
    }
  return shared.count ? zc_term_make(terms, kind, 0, NULL, shared.count, shared.items) : NULL;
}

/* A dispatch, a call or a collective: a function that nothing is known of. */
static void run_unknown_function(const command *command) {
  zc_path *path = command->path;
  MlirOperation op = command->site->op;
  MlirAttribute identity = identity_of(op);
  zc_list values = {0};
  const zc_kernel *kernel = kernel_of(command);
  intptr_t num_operands = mlirOperationGetNumOperands(op);
  for (int i = 0; i < (int)num_operands; ++i)
    if (!is_range_operand(command, i) && !is_place(command, kernel, i))
      zc_list_push(path->arena, &values, const zc_term *, zc_path_term(path, mlirOperationGetOperand(op, i)));
  zc_list uses = uses_of(command, kernel);
  for (int i = 0; i < uses.count; ++i)
    if (zc_list_at(&uses, use, i).mode & ZC_ACCESS_READ)
      zc_list_push(path->arena, &values, const zc_term *, read_use(command, &zc_list_at(&uses, use, i)));
  int64_t numbers[] = {(int64_t)(uintptr_t)identity.ptr};
  const zc_term *applied = zc_term_make(terms_of(path), dispatch_kind, values.count, values.items, 1, numbers);
  if (path->program->summary) {
    path->shared = shared_uses(command, &uses);
    observe(path, ZC_OBSERVED_DISPATCH, attribute_name(path, identity), applied, op);
  }
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
  write_value(command, &use, zc_undefined_value(terms_of(command->path)));
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
  command.site->dispatch = zc_op_of(context->ops, op) == ZC_OP_CMD_DISPATCH;
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

void zc_step_execute(zc_path *path, MlirOperation op) {
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
