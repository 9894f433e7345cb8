/* MLIR's diagnostics on their way to the user. */
#ifndef ZC_CLI_DIAGNOSTICS_H
#define ZC_CLI_DIAGNOSTICS_H

#include "cli/expected.h"
#include "cli/input.h"
#include "mlir-c/IR.h"

typedef enum zc_diagnostics_mode {
  ZC_DIAGNOSTICS_SHOW, ///< To standard error, or to the expectations where there are any.
  ZC_DIAGNOSTICS_HOLD, ///< Keep them in `held`.
} zc_diagnostics_mode;

typedef struct zc_diagnostics {
  const zc_text *input;
  zc_arena *arena;
  zc_diagnostics_mode mode;
  bool anonymous;            ///< MLIR knows the input as "-".
  zc_expectations *expected; ///< Null: show all.
  zc_list held;              ///< Of zc_message.
  zc_list files;             ///< Of zc_text: others that locations name.
  int errors;                ///< How many were shown or taken by the expectations.
  MlirContext context;
  MlirDiagnosticHandlerID handler;
} zc_diagnostics;

/// Starts to handle the diagnostics of `context`, which `diagnostics` must stay in place for.
void zc_diagnostics_attach(zc_diagnostics *diagnostics, MlirContext context);
void zc_diagnostics_detach(zc_diagnostics *diagnostics);

/// Ends HOLD: shows what is held, or forgets it.
void zc_diagnostics_release_held(zc_diagnostics *diagnostics, bool show);

/// A zc_complain: shows `message` with its source line; `diagnostics` is a zc_diagnostics.
void zc_diagnostics_show(void *diagnostics, const zc_message *message);

#endif /* ZC_CLI_DIAGNOSTICS_H */
