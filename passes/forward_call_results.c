/* zc-forward-call-results: a result of a call that is always one of the call's operands, or always another of its
 * results, is used as that one.
 *
 * Needs:    nothing; in the default pipeline it stands before the IPO pass of IREE that sees the sizes and offsets of
 *           resources as arguments and results (iree-util-propagate-subranges).
 * Why:      IREE 3.13's own replacement goes wrong there: a result that equals an earlier one, which itself equals an
 *           argument, is replaced by a result of the erased call (IPO.cpp, applyCallChanges: "operation's operand is
 *           unlinked"). A size that is both the length of a subview and the size of the memory below it is such a pair,
 *           and stays in use where no copy takes the subview away: a transfer that is elided between a call and an
 *           export.
 * Keeps:    every op; IPO takes the results that nobody uses away, as it does without this pass. */
#include "capi/ptr_map.h"
#include "passes/context.h"

/* Calls within calls that are followed; deeper ones are taken as they are. */
#define DEPTH 256

/* What a result of a function is in all of its returns. */
typedef struct standing {
  intptr_t argument; ///< This argument of the function; -1 where it is none.
  intptr_t result;   ///< The first result that is the same value: the result itself where no earlier one is.
} standing;

typedef struct forwarding {
  zc_context *context;
  zc_ptr_map *standings; ///< Function -> its results' standings; the function itself where these aren't known.
  int depth;
} forwarding;

typedef struct returns_walk {
  const zc_ops *ops;
  zc_arena *arena;
  MlirBlock entry;
  standing *results; ///< Null before the first return.
} returns_walk;

static intptr_t argument_number(MlirValue value, MlirBlock entry) {
  return mlirValueIsABlockArgument(value) && mlirBlockEqual(mlirBlockArgumentGetOwner(value), entry)
             ? mlirBlockArgumentGetArgNumber(value)
             : -1;
}

static MlirWalkResult read_return(MlirOperation op, void *data) {
  returns_walk *walk = data;
  if (zc_op_of(walk->ops, op) != ZC_OP_UTIL_RETURN)
    return MlirWalkResultAdvance;
  intptr_t count = mlirOperationGetNumOperands(op);
  bool first_return = !walk->results;
  if (first_return)
    walk->results = zc_arena_array(walk->arena, standing, count);
  zc_ptr_map *firsts = zc_ptr_map_create(walk->arena); /* Value -> the first standing that it was met at. */
  for (intptr_t i = 0; i < count; ++i) {
    MlirValue value = mlirOperationGetOperand(op, i);
    standing *now = &walk->results[i];
    standing *first = zc_ptr_map_get(firsts, value.ptr);
    if (!first)
      zc_ptr_map_set(firsts, value.ptr, first = now);
    standing here = {argument_number(value, walk->entry), first - walk->results};
    if (first_return)
      *now = here;
    now->argument = now->argument == here.argument ? here.argument : -1;
    now->result = now->result == here.result ? here.result : i;
  }
  zc_ptr_map_release(firsts);
  return MlirWalkResultAdvance;
}

/* Null where nothing is known: a function that others may replace or that doesn't return. */
static standing *read_function(zc_context *context, MlirOperation function) {
  if (!zc_is_private(function))
    return NULL;
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(function));
  returns_walk walk = {context->ops, context->arena, entry, NULL};
  mlirOperationWalk(function, read_return, &walk, MlirWalkPreOrder);
  return walk.results;
}

static void forward(MlirOperation call, const standing *results) {
  for (intptr_t i = 0; i < mlirOperationGetNumResults(call); ++i) {
    MlirValue result = mlirOperationGetResult(call, i);
    MlirValue same = results[i].argument >= 0 ? mlirOperationGetOperand(call, results[i].argument)
                                              : mlirOperationGetResult(call, results[i].result);
    if (!mlirValueEqual(result, same))
      mlirValueReplaceAllUsesOfWith(result, same);
  }
}

static void settle(forwarding *forwarding, MlirOperation function);

static MlirWalkResult settle_call(MlirOperation op, void *data) {
  forwarding *forwarding = data;
  zc_context *context = forwarding->context;
  if (zc_op_of(context->ops, op) != ZC_OP_UTIL_CALL)
    return MlirWalkResultAdvance;
  MlirOperation callee = zc_callee(context, op);
  if (mlirOperationIsNull(callee) || zc_op_of(context->ops, callee) != ZC_OP_FUNC)
    return MlirWalkResultAdvance;
  settle(forwarding, callee);
  const standing *results = zc_ptr_map_get(forwarding->standings, callee.ptr);
  if (results && (const void *)results != callee.ptr)
    forward(op, results);
  return MlirWalkResultAdvance;
}

/* Callees first: what they hand back tells what this function returns. */
static void settle(forwarding *forwarding, MlirOperation function) {
  if (zc_ptr_map_get(forwarding->standings, function.ptr) || forwarding->depth == DEPTH)
    return;
  ++forwarding->depth;
  zc_ptr_map_set(forwarding->standings, function.ptr, function.ptr);
  mlirOperationWalk(function, settle_call, forwarding, MlirWalkPreOrder);
  --forwarding->depth;
  standing *results = read_function(forwarding->context, function);
  if (results)
    zc_ptr_map_set(forwarding->standings, function.ptr, results);
}

static void settle_function(zc_context *context, MlirOperation function, void *data) {
  (void)context;
  settle(data, function);
}

static MlirLogicalResult run(zc_context *context) {
  forwarding forwarding = {context, zc_ptr_map_create(context->arena), 0};
  zc_for_each_function(context, settle_function, &forwarding);
  zc_ptr_map_release(forwarding.standings);
  return mlirLogicalResultSuccess();
}

MlirPass streamZcCreateForwardCallResultsPass(const StreamZcOptions *options) {
  static const double id;
  return zc_pass_create(&id, "ForwardCallResults", "zc-forward-call-results",
                        "Uses operands and earlier results of calls in place of results that equal them", options, run);
}
