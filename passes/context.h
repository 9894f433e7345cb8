/* What every pass run has at hand, made from the module and freed together. */
#ifndef ZC_PASSES_CONTEXT_H
#define ZC_PASSES_CONTEXT_H

#include "capi/affinity.h"
#include "capi/arena.h"
#include "capi/ops.h"
#include "capi/topology.h"
#include "stream_zc/Passes.h"

typedef struct zc_context {
  zc_arena *arena;
  MlirContext mlir;
  MlirOperation module;
  StreamZcOptions options;
  int64_t rewrites; ///< Counts against options.limit where there is no report.
  zc_ops *ops;
  zc_devices *devices;
  zc_affinities *affinities;
  const zc_topology *topology;
  MlirAttribute default_affinity; ///< The module's stream.affinity.default; null where it has none.
  MlirSymbolTable symbols;        ///< Made when first asked for.
  struct zc_ptr_map *calls;       ///< Function -> what passes/timeline.c knows of its timepoints.
  struct zc_ptr_map *kernels;     ///< Entry points -> what passes/kernels.c knows of them.
} zc_context;

/// False where the module's topology is malformed, with an error emitted; zc_context_release is due all the same.
bool zc_context_init(zc_context *context, MlirOperation module, const StreamZcOptions *options);
void zc_context_release(zc_context *context);

/// The affinity that `op` executes with: its own, else of the nearest op around it that has one, else the module's
/// default (StreamInterfaces: AffinityAttr lookup). Null where there is none.
MlirAttribute zc_execution_affinity(const zc_context *context, MlirOperation op);

/// The attribute `name` of `op`, an affinity; where it is absent, what `op` executes with.
MlirAttribute zc_affinity_or_default(const zc_context *context, MlirOperation op, const char *name);

/// The one device that an affinity attribute pins; -1 where it isn't one.
int zc_pinned_device(zc_context *context, MlirAttribute affinity);

/// Calls `visit` for each function and initializer of the module, in order.
void zc_for_each_function(zc_context *context, void (*visit)(zc_context *, MlirOperation function, void *), void *data);

/// The symbol of a function; "" for an initializer.
const char *zc_function_name(zc_context *context, MlirOperation function);

/// The op of the module that a flat symbol reference names; null where there is none.
MlirOperation zc_lookup_symbol(zc_context *context, MlirAttribute reference);

/// The function that a util.call names; null where the module has none, or it has no body.
MlirOperation zc_callee(zc_context *context, MlirOperation call);

/// Nobody outside of the module sees this function.
bool zc_is_private(MlirOperation function);

/// Makes a module pass that calls `run` with a context. `id` is a static address of its own.
typedef MlirLogicalResult (*zc_pass_run)(zc_context *context);
MlirPass zc_pass_create(const void *id, const char *name, const char *argument, const char *summary,
                        const StreamZcOptions *options, zc_pass_run run);

#endif /* ZC_PASSES_CONTEXT_H */
