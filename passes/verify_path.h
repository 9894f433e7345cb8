/* One path: the values that SSA values have on it, and the choices that made it. */
#ifndef ZC_PASSES_VERIFY_PATH_H
#define ZC_PASSES_VERIFY_PATH_H

#include "passes/verify_kernels.h"
#include "passes/verify_program.h"

/// Where control went one of several ways.
typedef struct zc_choice {
  MlirOperation op;
  int taken;
  int options;          ///< Ways that were open.
  uint64_t open;        ///< A bit for each of them.
  const zc_term *cause; ///< What decides.
} zc_choice;

/// The choices that a path begins with.
typedef struct zc_prefix {
  int count;
  const int *taken;
} zc_prefix;

/// A function, all its paths.
typedef struct zc_program {
  zc_checks *checks;
  zc_borders *borders;
  zc_kernels *kernels;
  zc_context *context;
  MlirOperation function;
  int64_t unroll;
  zc_function_summary *summary; ///< Null where none is wanted.
  zc_arena *arena;              ///< Until all paths are done.
  zc_list queue;                ///< zc_prefix; first those that go where no path went.
  zc_ptr_map *edges;            ///< Op -> bits of the ways taken.
  int64_t steps;                ///< Ops so far.
  int64_t budget;               ///< Ops at most.
  bool cut;
  const char *unknown;
} zc_program;

/// What an SSA value stands for.
typedef struct zc_binding {
  const zc_term *term;       ///< A scalar.
  zc_storage_state *storage; ///< A resource; null otherwise.
  const zc_term *offset;     ///< Where in the storage it begins.
  const zc_clock *clock;     ///< A timepoint.
  const zc_clock *ready;     ///< What the host has waited for before it has this.
} zc_binding;

typedef struct zc_export {
  MlirOperation op;
  zc_binding resource;
  const zc_term *size;
  const zc_term *value; ///< What is in it at the end.
} zc_export;

/// A mutable global as this path has it.
typedef struct zc_global_state {
  MlirAttribute symbol;
  zc_binding binding;
  MlirOperation op; ///< That loaded or stored it last.
  MlirValue value;  ///< A resource that it held.
  bool stored;
  const zc_moment *first; ///< A timepoint's: what earlier calls did; null where it wasn't loaded.
} zc_global_state;

typedef struct zc_path {
  zc_program *program;
  zc_arena *arena;
  zc_order *order;
  zc_memory *memory;
  zc_prefix prefix;
  zc_list choices;         ///< zc_choice
  zc_ptr_map *bindings;    ///< Value -> zc_binding.
  zc_ptr_map *visits;      ///< Block or op -> number.
  zc_ptr_map *decided;     ///< Term -> 1 + way taken.
  zc_ptr_map *imports;     ///< Term -> zc_storage_state.
  zc_ptr_map *globals;     ///< Symbol -> zc_global_state.
  zc_list global_states;   ///< zc_global_state *
  zc_ptr_map *counts;      ///< Op name -> occurrences.
  zc_list exports;         ///< zc_export
  zc_list arguments;       ///< zc_binding, the resources among the function's.
  zc_list observations;    ///< zc_observation
  const zc_term *extent;   ///< Of the value that is observed next; null: all of it is defined.
  const zc_term *shared;   ///< Of the dispatch that is observed next.
  const zc_clock *control; ///< What the host has waited for here, or before it chose its way.
  const zc_clock *host;    ///< That, and what it waited for before it has the operands of the present op.
  const zc_clock *waited;  ///< All that the host has waited for on this path.
  const zc_clock *chained; ///< What the caller will wait for.
  const zc_moment *fence;  ///< What the caller's inputs wait for; null: nothing, or it isn't known.
  MlirValue fence_value;   ///< Whose timepoint that is.
  int64_t sequence;
  bool stopped; ///< Left at a bound, before its end.
} zc_path;

zc_binding *zc_path_binding(zc_path *path, MlirValue value);
void zc_path_bind(zc_path *path, MlirValue value, zc_binding binding);
void zc_path_bind_term(zc_path *path, MlirValue value, const zc_term *term);
/// The scalar's term; a fresh one where nothing is bound.
const zc_term *zc_path_term(zc_path *path, MlirValue value);
const zc_clock *zc_path_clock(zc_path *path, MlirValue timepoint);
/// The resource's storage; one that is known nothing of where nothing is bound.
zc_binding zc_path_resource(zc_path *path, MlirValue value);
void zc_path_unknown(zc_path *path, const char *why);

/// What happens at `op`, in the order of the path.
zc_site *zc_path_site(zc_path *path, MlirOperation op, const zc_moment *moment, zc_device_set devices);
const zc_moment *zc_path_moment(zc_path *path, const zc_clock *past);
/// A term for what comes from outside at the n-th `name`.
const zc_term *zc_path_occurrence(zc_path *path, const void *name, int64_t number);

/// Chooses a way at `op`; `open` has a bit for each that may be taken. -1: none, the path stops.
int zc_path_choose(zc_path *path, MlirOperation op, const zc_term *cause, int options, uint64_t open);
/// The op's operands are what the host works with now.
void zc_path_take_operands(zc_path *path, MlirOperation op);

/// One op that is no terminator and has no region of its own but an execution region.
void zc_path_step(zc_path *path, MlirOperation op);
/// Checks what the function leaves to others; `last` is its return.
void zc_path_end(zc_path *path, MlirOperation last);
void zc_path_begin(zc_path *path);

#endif /* ZC_PASSES_VERIFY_PATH_H */
