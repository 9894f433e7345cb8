#include "passes/protecting_copies.h"

#include "capi/diagnostics.h"
#include "capi/ptr_map.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "passes/constants.h"
#include "passes/extents.h"
#include "passes/timepoint_edits.h"

typedef struct protection {
  zc_scheduled *scheduled;
  zc_time_flow *flow; ///< Null where all is in one block.
  zc_context *context;
  const zc_access *writer;
  const zc_access *reader;
  MlirAttribute affinity; ///< Of the reader.
  MlirLocation location;
  MlirValue source; ///< What the writer captures.
  MlirValue source_size;
  MlirValue offset; ///< Of the reader's range, in the source.
  MlirValue length;
  MlirValue copied_offset; ///< Of what is copied, in the range: of what the reader uses of it.
  MlirValue copied_source; ///< The same in the source.
  MlirValue copied_length;
  zc_list timepoints; ///< MlirValue: for the copy to wait for.
  zc_ptr_map *followed;
  zc_constants *constants;
  MlirValue copy; ///< The memory for it.
} protection;

/* ---- what is known in front of the writer ---- */

/* Whether what is defined in the block is known in that of the writer, which is another one. */
static bool is_block_before_writer(const protection *protection, MlirBlock block) {
  return !protection->flow || zc_time_flow_dominates(protection->flow, block, protection->writer->region->block);
}

static bool is_before_writer(const protection *protection, MlirValue value) {
  MlirOperation op = zc_defining_op(value);
  MlirOperation writer = protection->writer->region->execute;
  MlirBlock block = mlirOperationIsNull(op) ? mlirBlockArgumentGetOwner(value) : mlirOperationGetBlock(op);
  if (!mlirBlockEqual(block, protection->writer->region->block))
    return is_block_before_writer(protection, block);
  return mlirOperationIsNull(op) || zc_timeline_position(protection->scheduled->timeline, op) <
                                        zc_timeline_position(protection->scheduled->timeline, writer);
}

static bool follow_timepoint(protection *protection, MlirValue timepoint);

static bool follow_operands(protection *protection, MlirOperation op) {
  bool known = true;
  for (intptr_t i = mlirOperationGetNumOperands(op); known && i-- > 0;) {
    MlirValue operand = mlirOperationGetOperand(op, i);
    if (zc_is_timepoint(protection->context->ops, mlirValueGetType(operand)))
      known = follow_timepoint(protection, operand);
  }
  return known;
}

/* Takes it in, or what it follows from. */
static bool follow_timepoint(protection *protection, MlirValue timepoint) {
  zc_context *context = protection->context;
  if (zc_ptr_map_get(protection->followed, timepoint.ptr))
    return true;
  zc_ptr_map_set(protection->followed, timepoint.ptr, protection);
  if (is_before_writer(protection, timepoint)) {
    zc_list_push(context->arena, &protection->timepoints, MlirValue, timepoint);
    return true;
  }
  MlirOperation op = zc_defining_op(timepoint);
  if (mlirOperationIsNull(op))
    return false;
  zc_op kind = zc_op_of(context->ops, op);
  return (kind == ZC_OP_TIMEPOINT_IMMEDIATE || zc_carries_time(context, op)) && follow_operands(protection, op);
}

/* The timepoint that the region waits for, and those of what it captures after the host waited for it. */
static bool follow_reader(protection *protection) {
  MlirOperation execute = protection->reader->region->execute;
  bool known = follow_operands(protection, execute);
  for (intptr_t i = mlirOperationGetNumOperands(execute); known && i-- > 0;) {
    MlirOperation op = zc_defining_op(mlirOperationGetOperand(execute, i));
    if (!mlirOperationIsNull(op) && zc_op_of(protection->context->ops, op) == ZC_OP_TIMEPOINT_AWAIT)
      known = follow_operands(protection, op);
  }
  return known;
}

/* The writer captures the memory under some value: that one is known in front of it. */
static bool find_source(protection *protection) {
  MlirOperation execute = protection->writer->region->execute;
  int count = zc_operand_segment(execute, ZC_EXECUTE_RESOURCES).count;
  for (int i = 0; i < count; ++i) {
    MlirValue resource = mlirOperationGetOperand(execute, i);
    if (zc_storage_of(protection->scheduled, resource) != protection->reader->storage)
      continue;
    protection->source = resource;
    protection->source_size = mlirOperationGetOperand(execute, count + i);
    return true;
  }
  return false;
}

/* A constant can be made anew. */
static bool find_index(protection *protection, int operand, MlirValue *index) {
  int64_t constant;
  *index = mlirOperationGetOperand(protection->reader->command, operand);
  return is_before_writer(protection, *index) || zc_constant_index(protection->context->ops, *index, &constant);
}

/* ---- ops ---- */

static MlirOperation insert_before_writer(protection *protection, MlirOperationState *state) {
  MlirOperation op = mlirOperationCreate(state);
  mlirBlockInsertOwnedOperationBefore(protection->writer->region->block, protection->writer->region->execute, op);
  return op;
}

static void add_attribute(protection *protection, MlirOperationState *state, const char *name,
                          MlirAttribute attribute) {
  MlirNamedAttribute named = {mlirIdentifierGet(protection->context->mlir, zc_str(name)), attribute};
  if (!mlirAttributeIsNull(attribute))
    mlirOperationStateAddAttributes(state, 1, &named);
}

static MlirOperationState begin(protection *protection, const char *name) {
  return mlirOperationStateGet(zc_str(name), protection->location);
}

static MlirType timepoint_type(const protection *protection) {
  return mlirValueGetType(mlirOperationGetResult(protection->reader->region->execute, 0));
}

/* Its timepoint is the first that the copy waits for. */
static void allocate(protection *protection) {
  zc_context *context = protection->context;
  MlirType types[] = {mlirTypeParseGet(context->mlir, zc_str("!stream.resource<transient>")),
                      timepoint_type(protection)};
  MlirOperationState state = begin(protection, "stream.resource.alloca");
  mlirOperationStateAddOperands(&state, 1, &protection->length);
  mlirOperationStateAddResults(&state, 2, types);
  add_attribute(protection, &state, "affinity", protection->affinity);
  MlirOperation op = insert_before_writer(protection, &state);
  protection->copy = mlirOperationGetResult(op, 0);
  zc_list_push(context->arena, &protection->timepoints, MlirValue, mlirOperationGetResult(op, 1));
}

/* The kernel may use a part of the range only, and the rest may hold nothing. */
static void find_copied(protection *protection, MlirValue zero) {
  const zc_bound *used = &protection->reader->used;
  int64_t offset;
  protection->copied_offset = zero;
  protection->copied_source = protection->offset;
  protection->copied_length = protection->length;
  if (!used->end || !zc_constant_index(protection->context->ops, protection->offset, &offset))
    return;
  protection->copied_offset = zc_index_constant(protection->constants, used->begin);
  protection->copied_source = zc_index_constant(protection->constants, offset + used->begin);
  protection->copied_length = zc_index_constant(protection->constants, used->end - used->begin);
}

static MlirRegion copy_body(protection *protection) {
  MlirType types[] = {mlirValueGetType(protection->source), mlirValueGetType(protection->copy)};
  MlirLocation locations[] = {protection->location, protection->location};
  MlirBlock block = mlirBlockCreate(2, types, locations);
  MlirValue operands[] = {mlirBlockGetArgument(block, 0), protection->source_size, protection->copied_source,
                          mlirBlockGetArgument(block, 1), protection->length,      protection->copied_offset,
                          protection->copied_length};
  MlirOperationState copy = begin(protection, "stream.cmd.copy");
  mlirOperationStateAddOperands(&copy, 7, operands);
  MlirOperationState yield = begin(protection, "stream.yield");
  mlirBlockAppendOwnedOperation(block, mlirOperationCreate(&copy));
  mlirBlockAppendOwnedOperation(block, mlirOperationCreate(&yield));
  MlirRegion region = mlirRegionCreate();
  mlirRegionAppendOwnedBlock(region, block);
  return region;
}

static MlirValue make_copy(protection *protection, zc_timepoint_edits *edits) {
  MlirOperation writer = protection->writer->region->execute;
  MlirType type = timepoint_type(protection);
  MlirValue operands[] = {protection->source, protection->copy, protection->source_size, protection->length,
                          zc_join_before(edits, writer, &protection->timepoints)};
  int32_t segments[] = {2, 2, 1};
  MlirRegion body = copy_body(protection);
  MlirOperationState state = begin(protection, "stream.cmd.execute");
  mlirOperationStateAddOperands(&state, 5, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  mlirOperationStateAddOwnedRegions(&state, 1, &body);
  add_attribute(protection, &state, "affinity", protection->affinity);
  add_attribute(protection, &state, "operandSegmentSizes",
                mlirDenseI32ArrayGet(protection->context->mlir, 3, segments));
  return mlirOperationGetResult(insert_before_writer(protection, &state), 0);
}

/* The execution region with one resource more, for which the argument of its body is returned. */
static MlirValue capture_copy(protection *protection) {
  zc_region *region = protection->reader->region;
  MlirOperation execute = region->execute;
  zc_segment resources = zc_operand_segment(execute, ZC_EXECUTE_RESOURCES);
  int32_t waits = zc_operand_segment(execute, ZC_EXECUTE_AWAIT).count;
  intptr_t count = mlirOperationGetNumOperands(execute);
  MlirValue *operands = zc_arena_array(protection->context->arena, MlirValue, count + 2);
  int filled = 0;
  for (int i = 0; i < resources.count; ++i)
    operands[filled++] = mlirOperationGetOperand(execute, i);
  operands[filled++] = protection->copy;
  for (int i = resources.count; i < 2 * resources.count; ++i)
    operands[filled++] = mlirOperationGetOperand(execute, i);
  operands[filled++] = protection->length;
  for (int i = 2 * resources.count; i < count; ++i)
    operands[filled++] = mlirOperationGetOperand(execute, i);
  int32_t segments[] = {resources.count + 1, resources.count + 1, waits};
  region->execute = zc_rebuild_with_operands(execute, filled, operands, 3, segments);
  MlirBlock body = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(region->execute));
  return mlirBlockAddArgument(body, mlirValueGetType(protection->copy), protection->location);
}

static void await_copy(protection *protection, zc_timepoint_edits *edits, zc_region *region, MlirValue copied) {
  zc_list awaited = {0};
  zc_list_push(protection->context->arena, &awaited, MlirValue, copied);
  region->execute = zc_execute_await_also(edits, region->execute, &awaited);
}

static void read_copy(protection *protection, MlirValue zero) {
  const zc_range *range = &protection->reader->range;
  MlirOperation command = protection->reader->command;
  mlirOperationSetOperand(command, range->resource_operand, capture_copy(protection));
  mlirOperationSetOperand(command, range->size_operand, protection->length);
  mlirOperationSetOperand(command, range->offset_operand, zero);
}

/* Not where it is read again: then it lives as long as anything may use it. */
static void deallocate(protection *protection) {
  MlirOperation reader = protection->reader->region->execute;
  if (protection->flow &&
      zc_time_flow_repeats(protection->flow, protection->reader->region->block, protection->writer->region->block))
    return;
  MlirType type = timepoint_type(protection);
  MlirValue operands[] = {protection->copy, protection->length, mlirOperationGetResult(reader, 0)};
  MlirOperationState state = begin(protection, "stream.resource.dealloca");
  mlirOperationStateAddOperands(&state, 3, operands);
  mlirOperationStateAddResults(&state, 1, &type);
  add_attribute(protection, &state, "affinity", protection->affinity);
  mlirBlockInsertOwnedOperationAfter(protection->reader->region->block, reader, mlirOperationCreate(&state));
}

/* Whether the reader's own region writes what it reads: the copy wouldn't see that. */
static bool writes_itself(const protection *protection) {
  const zc_ops *ops = protection->context->ops;
  const zc_storage *storage = protection->reader->storage;
  const zc_list *accesses = &protection->reader->region->accesses;
  for (int i = 0; i < accesses->count; ++i) {
    const zc_access *access = zc_list_at(accesses, zc_access *, i);
    if (access->storage == storage && zc_access_writes(access) && zc_accesses_share(ops, access, protection->reader, 1))
      return true;
  }
  return false;
}

static bool is_possible(protection *protection) {
  return !writes_itself(protection) && find_source(protection) &&
         find_index(protection, protection->reader->range.offset_operand, &protection->offset) &&
         find_index(protection, protection->reader->range.length_operand, &protection->length) &&
         follow_reader(protection);
}

static MlirValue known_index(protection *protection, MlirValue index) {
  int64_t constant;
  if (is_before_writer(protection, index) || !zc_constant_index(protection->context->ops, index, &constant))
    return index;
  return zc_index_constant(protection->constants, constant);
}

static void protect(protection *protection) {
  zc_timepoint_edits edits = zc_timepoint_edits_begin(protection->context);
  protection->constants = zc_constants_create(protection->context, protection->scheduled->function);
  protection->offset = known_index(protection, protection->offset);
  protection->length = known_index(protection, protection->length);
  MlirValue zero = zc_index_constant(protection->constants, 0);
  allocate(protection);
  find_copied(protection, zero);
  MlirValue copied = make_copy(protection, &edits);
  read_copy(protection, zero);
  await_copy(protection, &edits, protection->reader->region, copied);
  await_copy(protection, &edits, protection->writer->region, copied);
  deallocate(protection);
  zc_constants_release(protection->constants);
  zc_timepoint_edits_end(&edits);
}

bool zc_protect_reader(zc_scheduled *scheduled, zc_time_flow *flow, const zc_access *writer, const zc_access *reader) {
  zc_context *context = scheduled->context;
  protection protection = {.scheduled = scheduled,
                           .flow = flow,
                           .context = context,
                           .writer = writer,
                           .reader = reader,
                           .affinity = zc_execution_affinity(context, reader->region->execute),
                           .location = mlirOperationGetLocation(reader->command),
                           .followed = zc_ptr_map_create(context->arena)};
  bool possible = is_possible(&protection);
  if (possible)
    protect(&protection);
  zc_ptr_map_release(protection.followed);
  return possible;
}

void zc_warn_unprotected(const zc_access *writer, const zc_access *reader) {
  zc_warning_at(mlirOperationGetLocation(reader->command),
                "'%s' may read what '%s' writes, which nothing orders; the writer can't be put behind it",
                zc_op_name(reader->command), zc_op_name(writer->command));
}

void zc_warn_program_order(const zc_access *first, const zc_access *second) {
  zc_warning_at(mlirOperationGetLocation(second->command),
                "'%s' and '%s' write the same bytes and nothing orders them; they take program order",
                zc_op_name(first->command), zc_op_name(second->command));
}
