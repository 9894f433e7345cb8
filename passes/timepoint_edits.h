/* Taking timepoints and emptied regions out of scheduled IR without losing an edge in time. */
#ifndef ZC_PASSES_TIMEPOINT_EDITS_H
#define ZC_PASSES_TIMEPOINT_EDITS_H

#include "passes/context.h"

/// Edits in progress: the joins that changed are tidied at the end, together.
typedef struct zc_timepoint_edits {
  zc_context *context;
  zc_list joins; ///< MlirOperation, each once.
  struct zc_ptr_map *listed;
} zc_timepoint_edits;

zc_timepoint_edits zc_timepoint_edits_begin(zc_context *context);
/// Drops from the changed joins the operands that another one implies, and joins of one. The edits are over.
void zc_timepoint_edits_end(zc_timepoint_edits *edits);

/// Puts `with` in place of `timepoint` everywhere.
void zc_replace_timepoint(zc_timepoint_edits *edits, MlirValue timepoint, MlirValue with);
/// Puts what alloca, dealloca or execute waits for in place of its timepoint; an immediate one where it waits for
/// nothing.
void zc_bypass_timepoint(zc_timepoint_edits *edits, MlirOperation op, intptr_t result);
/// A join of timepoints before `op`; an immediate one where there are none.
MlirValue zc_join_before(zc_timepoint_edits *edits, MlirOperation op, const zc_list *timepoints);

/// Makes a stream.cmd.execute wait for `timepoints` as well, which are defined before it. Returns the op in its place.
MlirOperation zc_execute_await_also(zc_timepoint_edits *edits, MlirOperation execute, const zc_list *timepoints);

/// Erases a stream.cmd.execute with nothing in it: who waited for it waits for what it waited for. False where it holds
/// something.
bool zc_erase_if_empty(zc_timepoint_edits *edits, MlirOperation execute);

/// Erases a command, and the groups that it leaves with nothing; a group that it leaves with one op becomes that op.
void zc_erase_command(const zc_ops *ops, MlirOperation command);

#endif /* ZC_PASSES_TIMEPOINT_EDITS_H */
