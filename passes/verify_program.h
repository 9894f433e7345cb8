/* Runs a function of scheduled IR symbolically, path by path, over the checker's memory model. */
#ifndef ZC_PASSES_VERIFY_PROGRAM_H
#define ZC_PASSES_VERIFY_PROGRAM_H

#include "passes/verify_borders.h"
#include "passes/verify_kernels.h"
#include "passes/verify_memory.h"

typedef enum zc_observation_kind {
  ZC_OBSERVED_EXPORT,
  ZC_OBSERVED_GLOBAL,
  ZC_OBSERVED_RETURN,
  ZC_OBSERVED_CALL,
  ZC_OBSERVED_DISPATCH,
} zc_observation_kind;

/// A value that leaves the function, or that a command computes with.
typedef struct zc_observation {
  zc_observation_kind kind;
  const char *name; ///< What is observed: a global, an entry point, a callee.
  const zc_term *value;
  const zc_term *extent; ///< Where what is defined of it ends; null: all is.
  const zc_term *shared; ///< Of a dispatch, pairs of its uses of which it may write the first where the second is.
  MlirLocation location;
} zc_observation;

/// One way through a function.
typedef struct zc_path_summary {
  const zc_term *decisions;
  zc_list observations; ///< zc_observation, in program order.
} zc_path_summary;

typedef struct zc_function_summary {
  const char *name;
  MlirLocation location;
  zc_list paths;       ///< zc_path_summary
  bool cut;            ///< Loops were left at the bound.
  const char *unknown; ///< Why not all is known; null: all is.
  const char *fault;   ///< Of the input: what it certainly reads undefined; null: nothing.
} zc_function_summary;

/// Checks `function` on all paths, up to a bound, and tells of what it finds. `summary` may be null; what is in it is
/// the context's arena's. `unroll`: how often a loop's body runs at most.
void zc_program_check(zc_checks *checks, zc_borders *borders, zc_kernels *kernels, MlirOperation function,
                      int64_t unroll, zc_function_summary *summary);

#endif /* ZC_PASSES_VERIFY_PROGRAM_H */
