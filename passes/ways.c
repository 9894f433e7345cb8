#include "passes/ways.h"

#include "capi/ptr_map.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/BuiltinTypes.h"

/* Ways to one block that are told apart, and facts about one way. With more, nothing is known. */
#define WAYS_LIMIT 6
#define FACTS_LIMIT 8
/* Turns of a loop that are told apart by what it counts. */
#define TURNS_LIMIT 2
/* Conditions that are compared with one another. */
#define CONDITIONS_LIMIT 64
/* Ops that the value of a condition is looked for through. */
#define DEPTH 8

/* An integer that has one value on all ways here. */
typedef struct fact {
  MlirValue value;
  int64_t number;
} fact;

/* ---- values ---- */

/* Numbers of any width that no width cuts off. */
static bool fits(int64_t number) {
  return number >= INT32_MIN && number <= INT32_MAX;
}

static bool compare(int64_t predicate, int64_t a, int64_t b, int64_t *result) {
  enum { EQ, NE, SLT, SLE, SGT, SGE, ULT, ULE, UGT, UGE };
  if (predicate >= ULT && (a < 0 || b < 0))
    return false;
  switch (predicate) {
  case EQ:
    *result = a == b;
    return true;
  case NE:
    *result = a != b;
    return true;
  case SLT:
  case ULT:
    *result = a < b;
    return true;
  case SLE:
  case ULE:
    *result = a <= b;
    return true;
  case SGT:
  case UGT:
    *result = a > b;
    return true;
  case SGE:
  case UGE:
    *result = a >= b;
    return true;
  default:
    return false;
  }
}

static bool predicate_of(MlirOperation op, int64_t *predicate) {
  MlirAttribute attribute = zc_attribute(op, "predicate");
  if (mlirAttributeIsNull(attribute) || !mlirAttributeIsAInteger(attribute))
    return false;
  *predicate = mlirIntegerAttrGetValueInt(attribute);
  return true;
}

static bool is_constant(const zc_ops *ops, MlirValue value, int64_t *number) {
  MlirAttribute attribute = zc_constant_integer(ops, value);
  if (mlirAttributeIsNull(attribute))
    return false;
  MlirType type = mlirAttributeGetType(attribute);
  bool bit = mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
  *number = mlirIntegerAttrGetValueInt(attribute);
  if (bit)
    *number &= 1;
  return fits(*number);
}

static bool is_known(const zc_ops *ops, const zc_list *facts, MlirValue value, int depth, int64_t *number);

/* Whether numbers of the type are what they say, whether it has a sign or not. */
static bool is_wide(MlirType type) {
  return mlirTypeIsAIndex(type) || (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) >= 32);
}

static bool is_computed(const zc_ops *ops, const zc_list *facts, MlirOperation op, int depth, int64_t *number) {
  zc_op kind = zc_op_of(ops, op);
  int64_t a;
  int64_t b = 0;
  int64_t predicate;
  if ((kind != ZC_OP_ADDI && kind != ZC_OP_SUBI && kind != ZC_OP_CMPI && kind != ZC_OP_INDEX_CAST) ||
      !is_wide(mlirValueGetType(mlirOperationGetOperand(op, 0))) ||
      !is_known(ops, facts, mlirOperationGetOperand(op, 0), depth - 1, &a) ||
      (kind != ZC_OP_INDEX_CAST && !is_known(ops, facts, mlirOperationGetOperand(op, 1), depth - 1, &b)))
    return false;
  if (kind == ZC_OP_CMPI)
    return predicate_of(op, &predicate) && compare(predicate, a, b, number);
  *number = kind == ZC_OP_SUBI ? a - b : a + b;
  return fits(*number);
}

static bool is_known(const zc_ops *ops, const zc_list *facts, MlirValue value, int depth, int64_t *number) {
  for (int i = 0; i < facts->count; ++i) {
    const fact *fact = &zc_list_at(facts, struct fact, i);
    if (!mlirValueEqual(fact->value, value))
      continue;
    *number = fact->number;
    return true;
  }
  MlirOperation op = zc_defining_op(value);
  if (!depth || mlirOperationIsNull(op))
    return false;
  return is_constant(ops, value, number) || is_computed(ops, facts, op, depth, number);
}

/* ---- conditions ---- */

/* Whether a value is the same wherever the function is. */
static bool is_fixed(const zc_ways *ways, MlirValue value) {
  int64_t number;
  return is_constant(ways->context->ops, value, &number) ||
         (mlirValueIsABlockArgument(value) &&
          mlirBlockEqual(mlirBlockArgumentGetOwner(value), zc_list_at(&ways->all, zc_way *, 0)->block));
}

static bool is_same_operand(const zc_ops *ops, MlirValue a, MlirValue b) {
  int64_t one;
  int64_t other;
  return mlirValueEqual(a, b) || (is_constant(ops, a, &one) && is_constant(ops, b, &other) && one == other &&
                                  mlirTypeEqual(mlirValueGetType(a), mlirValueGetType(b)));
}

static bool is_same_condition(const zc_ops *ops, MlirOperation a, MlirOperation b) {
  int64_t one;
  int64_t other;
  return predicate_of(a, &one) && predicate_of(b, &other) && one == other &&
         is_same_operand(ops, mlirOperationGetOperand(a, 0), mlirOperationGetOperand(b, 0)) &&
         is_same_operand(ops, mlirOperationGetOperand(a, 1), mlirOperationGetOperand(b, 1));
}

/* The first condition that compares the same fixed values; itself where there is none. */
static MlirValue first_of(zc_ways *ways, MlirValue condition) {
  const zc_ops *ops = ways->context->ops;
  MlirOperation op = zc_defining_op(condition);
  if (mlirOperationIsNull(op) || zc_op_of(ops, op) != ZC_OP_CMPI || !is_fixed(ways, mlirOperationGetOperand(op, 0)) ||
      !is_fixed(ways, mlirOperationGetOperand(op, 1)))
    return condition;
  for (int i = 0; i < ways->conditions.count; ++i) {
    MlirValue known = zc_list_at(&ways->conditions, MlirValue, i);
    if (is_same_condition(ops, zc_defining_op(known), op))
      return known;
  }
  if (ways->conditions.count < CONDITIONS_LIMIT)
    zc_list_push(ways->context->arena, &ways->conditions, MlirValue, condition);
  return condition;
}

static bool is_condition_of_all(const zc_ways *ways, MlirValue value) {
  for (int i = 0; i < ways->conditions.count; ++i)
    if (mlirValueEqual(zc_list_at(&ways->conditions, MlirValue, i), value))
      return true;
  return false;
}

/* ---- edges ---- */

static void add_fact(const zc_ways *ways, zc_list *facts, MlirValue value, int64_t number) {
  fact fact = {value, number};
  if (facts->count < FACTS_LIMIT)
    zc_list_push(ways->context->arena, facts, struct fact, fact);
}

static MlirBlock block_of(MlirValue value) {
  MlirOperation op = zc_defining_op(value);
  return mlirOperationIsNull(op) ? mlirBlockArgumentGetOwner(value) : mlirOperationGetBlock(op);
}

/* Whether a fact still holds, and may still be asked for, where `block` begins. */
static bool is_of_use(const zc_ways *ways, MlirValue value, MlirBlock block) {
  return is_condition_of_all(ways, value) ||
         (!mlirBlockEqual(block_of(value), block) && zc_time_flow_is_used_from(ways->time, value, block));
}

/* What is known behind an edge. `condition`: null, or what is `taken` there. */
static zc_list facts_behind(const zc_ways *ways, const zc_way *way, MlirOperation branch, intptr_t successor,
                            MlirValue condition, bool taken) {
  const zc_ops *ops = ways->context->ops;
  MlirBlock block = mlirOperationGetSuccessor(branch, successor);
  zc_list facts = {0};
  int64_t number;
  for (int i = 0; i < way->facts.count; ++i) {
    const fact *fact = &zc_list_at(&way->facts, struct fact, i);
    if (is_of_use(ways, fact->value, block))
      add_fact(ways, &facts, fact->value, fact->number);
  }
  if (!zc_value_is_null(condition) && !is_known(ops, &way->facts, condition, DEPTH, &number) &&
      is_of_use(ways, condition, block))
    add_fact(ways, &facts, condition, taken);
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    MlirValue operand = zc_passed_operand(ops, branch, successor, i);
    MlirType type = mlirValueGetType(argument);
    if (!zc_value_is_null(operand) && (mlirTypeIsAInteger(type) || mlirTypeIsAIndex(type)) &&
        is_known(ops, &way->facts, operand, DEPTH, &number))
      add_fact(ways, &facts, argument, number);
  }
  return facts;
}

static bool is_same(const zc_list *facts, const zc_list *other) {
  if (facts->count != other->count)
    return false;
  for (int i = 0; i < facts->count; ++i) {
    const fact *a = &zc_list_at(facts, fact, i);
    const fact *b = &zc_list_at(other, fact, i);
    if (!mlirValueEqual(a->value, b->value) || a->number != b->number)
      return false;
  }
  return true;
}

static bool is_condition(const fact *fact) {
  MlirType type = mlirValueGetType(fact->value);
  return mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) == 1;
}

static zc_list conditions_among(const zc_ways *ways, const zc_list *facts) {
  zc_list conditions = {0};
  for (int i = 0; i < facts->count; ++i)
    if (is_condition(&zc_list_at(facts, fact, i)))
      zc_list_push(ways->context->arena, &conditions, fact, zc_list_at(facts, fact, i));
  return conditions;
}

/* The one way out of a block that a condition leaves; -1 where it leaves several. */
static intptr_t decision(const zc_ways *ways, MlirBlock block, const zc_list *facts) {
  int64_t number;
  MlirOperation branch = mlirBlockGetTerminator(block);
  bool conditional = !mlirOperationIsNull(branch) && zc_op_of(ways->context->ops, branch) == ZC_OP_COND_BR;
  if (!conditional || !is_known(ways->context->ops, facts, mlirOperationGetOperand(branch, 0), DEPTH, &number))
    return -1;
  return number ? 0 : 1;
}

/* What is told apart of the facts: numbers only for the first turns of a loop, and where it ends then. */
static zc_list facts_to_keep(const zc_ways *ways, MlirBlock block, const zc_list *known, const zc_list *facts) {
  int turns = 0;
  bool ends = decision(ways, block, facts) >= 0;
  zc_list conditions = conditions_among(ways, facts);
  for (int i = 0; i < known->count; ++i) {
    const zc_way *way = zc_list_at(known, zc_way *, i);
    zc_list others = conditions_among(ways, &way->facts);
    turns += is_same(&conditions, &others);
    ends = ends && decision(ways, block, &way->facts) != decision(ways, block, facts);
  }
  if (known->count >= WAYS_LIMIT)
    return (zc_list){0};
  return turns < TURNS_LIMIT + ends ? *facts : conditions;
}

static zc_way *find_way(const zc_list *known, const zc_list *facts) {
  for (int i = 0; i < known->count; ++i)
    if (is_same(&zc_list_at(known, zc_way *, i)->facts, facts))
      return zc_list_at(known, zc_way *, i);
  return NULL;
}

static zc_way *way_to(zc_ways *ways, MlirBlock block, zc_list facts) {
  zc_arena *arena = ways->context->arena;
  zc_list *known = zc_ptr_map_list(ways->by_block, arena, block.ptr);
  zc_way *way = find_way(known, &facts);
  if (way)
    return way;
  zc_list kept = facts_to_keep(ways, block, known, &facts);
  way = find_way(known, &kept);
  if (way)
    return way;
  way = zc_arena_new(arena, zc_way);
  *way = (zc_way){block, kept, {0}};
  zc_list_push(arena, known, zc_way *, way);
  ways->several |= known->count > 1;
  zc_list_push(arena, &ways->all, zc_way *, way);
  return way;
}

static void follow(zc_ways *ways, zc_way *way) {
  const zc_ops *ops = ways->context->ops;
  MlirOperation branch = mlirBlockGetTerminator(way->block);
  MlirValue condition = {NULL};
  int64_t number = 0;
  bool conditional = !mlirOperationIsNull(branch) && zc_op_of(ops, branch) == ZC_OP_COND_BR;
  if (conditional)
    condition = first_of(ways, mlirOperationGetOperand(branch, 0));
  bool decided = conditional && is_known(ops, &way->facts, condition, DEPTH, &number);
  for (intptr_t i = 0; !mlirOperationIsNull(branch) && i < mlirOperationGetNumSuccessors(branch); ++i) {
    if (decided && i != (number ? 0 : 1))
      continue;
    zc_list facts = facts_behind(ways, way, branch, i, condition, i == 0);
    zc_way_edge edge = {i, way_to(ways, mlirOperationGetSuccessor(branch, i), facts)};
    zc_list_push(ways->context->arena, &way->next, zc_way_edge, edge);
  }
}

zc_ways *zc_ways_create(zc_scheduled *scheduled, zc_time_flow *time) {
  zc_ways *ways = zc_arena_new(scheduled->context->arena, zc_ways);
  *ways =
      (zc_ways){.context = scheduled->context, .time = time, .by_block = zc_ptr_map_create(scheduled->context->arena)};
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(scheduled->function));
  if (!mlirBlockIsNull(entry)) /* A declaration has none. */
    way_to(ways, entry, (zc_list){0});
  for (int i = 0; i < ways->all.count; ++i)
    follow(ways, zc_list_at(&ways->all, zc_way *, i));
  return ways;
}

void zc_ways_release(zc_ways *ways) {
  zc_ptr_map_release(ways->by_block);
}

const zc_list *zc_ways_of(const zc_ways *ways, MlirBlock block) {
  return zc_ptr_map_get(ways->by_block, block.ptr);
}
