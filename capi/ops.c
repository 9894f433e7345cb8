#include "capi/ops.h"

#include <stdlib.h>
#include <string.h>

#include "capi/ptr_map.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

typedef struct type_facts {
  bool timepoint;
  bool buffer_view;
  bool data;
  zc_lifetime lifetime;
} type_facts;

struct zc_ops {
  zc_arena *arena;
  zc_ptr_map *by_name; ///< Interned name -> &numbers[op].
  zc_ptr_map *types;   ///< Type -> type_facts, filled as asked.
  int numbers[ZC_NUM_OPS];
};

zc_ops *zc_ops_create(zc_arena *arena, MlirContext context) {
  static const char *const names[] = {"",
#define ZC_OP_TEXT(name, text) text,
                                      ZC_OP_NAMES(ZC_OP_TEXT)};
  zc_ops *ops = zc_arena_new(arena, zc_ops);
  ops->arena = arena;
  ops->by_name = zc_ptr_map_create(arena);
  ops->types = zc_ptr_map_create(arena);
  for (int i = 1; i < ZC_NUM_OPS; ++i) {
    ops->numbers[i] = i;
    zc_ptr_map_set(ops->by_name, mlirIdentifierGet(context, zc_str(names[i])).ptr, &ops->numbers[i]);
  }
  return ops;
}

void zc_ops_release(zc_ops *ops) {
  if (!ops)
    return;
  zc_ptr_map_release(ops->by_name);
  zc_ptr_map_release(ops->types);
}

zc_op zc_op_of(const zc_ops *ops, MlirOperation op) {
  const int *number = zc_ptr_map_get(ops->by_name, mlirOperationGetName(op).ptr);
  return number ? (zc_op)*number : ZC_OP_OTHER;
}

zc_op zc_op_defining(const zc_ops *ops, MlirValue value) {
  return mlirValueIsAOpResult(value) ? zc_op_of(ops, mlirOpResultGetOwner(value)) : ZC_OP_OTHER;
}

const char *zc_op_name(MlirOperation op) {
  return mlirIdentifierStr(mlirOperationGetName(op)).data;
}

MlirAttribute zc_attribute(MlirOperation op, const char *name) {
  return mlirOperationGetAttributeByName(op, zc_str(name));
}

zc_segment zc_operand_segment(MlirOperation op, int index) {
  zc_segment segment = {0, 0};
  MlirAttribute sizes = zc_attribute(op, "operandSegmentSizes");
  if (mlirAttributeIsNull(sizes) || !mlirAttributeIsADenseI32Array(sizes) ||
      index >= mlirDenseArrayGetNumElements(sizes))
    return segment;
  for (int i = 0; i < index; ++i)
    segment.first += mlirDenseI32ArrayGetElement(sizes, i);
  segment.count = mlirDenseI32ArrayGetElement(sizes, index);
  return segment;
}

bool zc_value_is_null(MlirValue value) {
  return !value.ptr;
}

MlirOperation zc_defining_op(MlirValue value) {
  MlirOperation none = {NULL};
  return mlirValueIsAOpResult(value) ? mlirOpResultGetOwner(value) : none;
}

MlirAttribute zc_constant_integer(const zc_ops *ops, MlirValue value) {
  MlirAttribute none = {NULL};
  if (zc_op_defining(ops, value) != ZC_OP_CONSTANT)
    return none;
  MlirAttribute attribute = zc_attribute(mlirOpResultGetOwner(value), "value");
  return mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute) ? none : attribute;
}

bool zc_constant_index(const zc_ops *ops, MlirValue value, int64_t *constant) {
  MlirAttribute attribute = zc_constant_integer(ops, value);
  if (mlirAttributeIsNull(attribute) || !mlirTypeIsAIndex(mlirAttributeGetType(attribute)))
    return false;
  *constant = mlirIntegerAttrGetValueInt(attribute);
  return true;
}

bool zc_same_index(const zc_ops *ops, MlirValue a, MlirValue b) {
  int64_t x;
  int64_t y;
  return mlirValueEqual(a, b) || (zc_constant_index(ops, a, &x) && zc_constant_index(ops, b, &y) && x == y);
}

static zc_lifetime lifetime_of_text(const char *text) {
  static const struct {
    const char *text;
    zc_lifetime lifetime;
  } lifetimes[] = {{"*", ZC_LIFETIME_UNKNOWN},         {"external", ZC_LIFETIME_EXTERNAL},
                   {"staging", ZC_LIFETIME_STAGING},   {"transient", ZC_LIFETIME_TRANSIENT},
                   {"variable", ZC_LIFETIME_VARIABLE}, {"constant", ZC_LIFETIME_CONSTANT}};
  zc_cursor cursor = {text, text + strlen(text)};
  if (!zc_eat(&cursor, "!stream.resource<"))
    return ZC_LIFETIME_NONE;
  for (size_t i = 0; i < sizeof lifetimes / sizeof *lifetimes; ++i)
    if (zc_eat(&cursor, lifetimes[i].text))
      return lifetimes[i].lifetime;
  return ZC_LIFETIME_UNKNOWN;
}

static const type_facts *facts_of(const zc_ops *ops, MlirType type) {
  type_facts *facts = zc_ptr_map_get(ops->types, type.ptr);
  if (facts)
    return facts;
  facts = zc_arena_new(ops->arena, type_facts);
  if (mlirTypeIsATensor(type)) {
    facts->data = true;
  } else if (!mlirTypeIsAIndex(type) && !mlirTypeIsAInteger(type)) {
    const char *text = zc_type_text(ops->arena, type);
    facts->timepoint = strcmp(text, "!stream.timepoint") == 0;
    facts->buffer_view = strcmp(text, "!hal.buffer_view") == 0;
    facts->lifetime = lifetime_of_text(text);
    facts->data = facts->lifetime != ZC_LIFETIME_NONE;
  }
  zc_ptr_map_set(ops->types, type.ptr, facts);
  return facts;
}

bool zc_is_timepoint(const zc_ops *ops, MlirType type) {
  return facts_of(ops, type)->timepoint;
}
bool zc_is_buffer_view(const zc_ops *ops, MlirType type) {
  return facts_of(ops, type)->buffer_view;
}
bool zc_is_data(const zc_ops *ops, MlirType type) {
  return facts_of(ops, type)->data;
}
bool zc_is_resource(const zc_ops *ops, MlirType type) {
  return zc_lifetime_of(ops, type) != ZC_LIFETIME_NONE;
}
zc_lifetime zc_lifetime_of(const zc_ops *ops, MlirType type) {
  return facts_of(ops, type)->lifetime;
}

static int fixed_range(zc_arena *arena, zc_range range, zc_range **ranges) {
  *ranges = zc_arena_new(arena, zc_range);
  **ranges = range;
  return 1;
}

static int copy_ranges(zc_arena *arena, zc_range **ranges) {
  *ranges = zc_arena_array(arena, zc_range, 2);
  (*ranges)[0] = (zc_range){ZC_COPY_SOURCE, ZC_COPY_SOURCE_SIZE, ZC_COPY_SOURCE_OFFSET, ZC_COPY_LENGTH, ZC_ACCESS_READ};
  (*ranges)[1] =
      (zc_range){ZC_COPY_TARGET, ZC_COPY_TARGET_SIZE, ZC_COPY_TARGET_OFFSET, ZC_COPY_LENGTH, ZC_ACCESS_WRITE};
  return 2;
}

/* Ops with a list of resources, their sizes, offsets and lengths in four consecutive segments, and access bits in an
 * array. A call may have values among its resources: they have an access, but no size, offset or length. */
static int listed_ranges(zc_arena *arena, const zc_ops *ops, MlirOperation op, int resources, const char *accesses,
                         zc_range **ranges) {
  zc_segment values = zc_operand_segment(op, resources);
  zc_segment sizes = zc_operand_segment(op, resources + 1);
  zc_segment offsets = zc_operand_segment(op, resources + 2);
  zc_segment lengths = zc_operand_segment(op, resources + 3);
  MlirAttribute modes = zc_attribute(op, accesses);
  if (mlirAttributeIsNull(modes) || !mlirAttributeIsAArray(modes))
    return -1;
  *ranges = zc_arena_array(arena, zc_range, values.count);
  int count = 0;
  for (int i = 0; i < values.count; ++i) {
    if (!zc_is_resource(ops, mlirValueGetType(mlirOperationGetOperand(op, values.first + i))))
      continue;
    int mode_index = mlirArrayAttrGetNumElements(modes) == values.count ? i : count;
    if (count >= sizes.count || count >= offsets.count || count >= lengths.count ||
        mode_index >= mlirArrayAttrGetNumElements(modes))
      return -1;
    MlirAttribute mode = mlirArrayAttrGetElement(modes, mode_index);
    if (!mlirAttributeIsAInteger(mode))
      return -1;
    (*ranges)[count] = (zc_range){values.first + i, sizes.first + count, offsets.first + count, lengths.first + count,
                                  (int)mlirIntegerAttrGetValueInt(mode) & (ZC_ACCESS_READ | ZC_ACCESS_WRITE)};
    ++count;
  }
  return count;
}

/* Maintenance that was made a call or a dispatch of ours still neither reads nor writes for the program. */
static int lowered_ranges(MlirOperation command, int count, zc_range **ranges) {
  if (!mlirAttributeIsNull(zc_attribute(command, ZC_MAINTENANCE_ATTRIBUTE)))
    for (int i = 0; i < count; ++i)
      (*ranges)[i].mode = 0;
  return count;
}

int zc_command_ranges(zc_arena *arena, const zc_ops *ops, MlirOperation command, zc_range **ranges) {
  zc_range target = {ZC_MAINTENANCE_TARGET, ZC_MAINTENANCE_SIZE, ZC_MAINTENANCE_OFFSET, ZC_MAINTENANCE_LENGTH, 0};
  switch (zc_op_of(ops, command)) {
  case ZC_OP_CMD_COPY:
    return copy_ranges(arena, ranges);
  case ZC_OP_CMD_FLUSH:
  case ZC_OP_CMD_INVALIDATE:
    return fixed_range(arena, target, ranges);
  case ZC_OP_CMD_FILL:
  case ZC_OP_CMD_DISCARD:
    target.mode = ZC_ACCESS_WRITE;
    return fixed_range(arena, target, ranges);
  case ZC_OP_CMD_DISPATCH:
    return lowered_ranges(command, listed_ranges(arena, ops, command, 2, "resource_accesses", ranges), ranges);
  case ZC_OP_CMD_CALL:
    return lowered_ranges(command, listed_ranges(arena, ops, command, 0, "resource_operand_accesses", ranges), ranges);
  case ZC_OP_CMD_COLLECTIVE:
    return listed_ranges(arena, ops, command, 3, "resource_accesses", ranges);
  default:
    return -1;
  }
}

MlirValue zc_await_of(const zc_ops *ops, MlirOperation op) {
  MlirValue none = {NULL};
  intptr_t count = mlirOperationGetNumOperands(op);
  if (!count)
    return none;
  /* It is the last operand in all three. */
  MlirValue last = mlirOperationGetOperand(op, count - 1);
  return zc_is_timepoint(ops, mlirValueGetType(last)) ? last : none;
}

static void add_attributes(MlirOperationState *state, MlirOperation op, int num_segments, const int32_t *segments) {
  for (intptr_t i = 0; i < mlirOperationGetNumAttributes(op); ++i) {
    MlirNamedAttribute attribute = mlirOperationGetAttribute(op, i);
    if (segments && zc_str_is(mlirIdentifierStr(attribute.name), "operandSegmentSizes"))
      attribute.attribute = mlirDenseI32ArrayGet(mlirOperationGetContext(op), num_segments, segments);
    mlirOperationStateAddAttributes(state, 1, &attribute);
  }
}

MlirOperation zc_rebuild_with_operands(MlirOperation op, intptr_t count, const MlirValue *operands, int num_segments,
                                       const int32_t *segments) {
  MlirOperationState state =
      mlirOperationStateGet(mlirIdentifierStr(mlirOperationGetName(op)), mlirOperationGetLocation(op));
  mlirOperationStateAddOperands(&state, count, operands);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i) {
    MlirType type = mlirValueGetType(mlirOperationGetResult(op, i));
    mlirOperationStateAddResults(&state, 1, &type);
  }
  add_attributes(&state, op, num_segments, segments);
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(op); ++i) {
    MlirRegion region = mlirRegionCreate();
    mlirRegionTakeBody(region, mlirOperationGetRegion(op, i));
    mlirOperationStateAddOwnedRegions(&state, 1, &region);
  }
  MlirOperation rebuilt = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, rebuilt);
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), mlirOperationGetResult(rebuilt, i));
  mlirOperationDestroy(op);
  return rebuilt;
}

void zc_replace_op(MlirOperation op, const MlirValue *results) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(op); ++i)
    mlirValueReplaceAllUsesOfWith(mlirOperationGetResult(op, i), results[i]);
  mlirOperationDestroy(op);
}

MlirValue zc_immediate_before(MlirOperation op) {
  MlirContext context = mlirOperationGetContext(op);
  MlirOperationState state = mlirOperationStateGet(zc_str("stream.timepoint.immediate"), mlirOperationGetLocation(op));
  MlirType type = mlirTypeParseGet(context, zc_str("!stream.timepoint"));
  mlirOperationStateAddResults(&state, 1, &type);
  MlirOperation immediate = mlirOperationCreate(&state);
  mlirBlockInsertOwnedOperationBefore(mlirOperationGetBlock(op), op, immediate);
  return mlirOperationGetResult(immediate, 0);
}
