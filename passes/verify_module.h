/* The checker on a module. */
#ifndef ZC_PASSES_VERIFY_MODULE_H
#define ZC_PASSES_VERIFY_MODULE_H

#include "passes/verify_program.h"

typedef struct zc_module_summary {
  zc_list functions;      ///< zc_function_summary, in order.
  int64_t cut;            ///< Functions with loops that were left at the bound.
  zc_ptr_map *open_races; ///< As in zc_checks: filled where `silent`, else those of the input; null: there is no input.
} zc_module_summary;

/// Checks all functions of the context's module; fills `summary`, whose memory is the context's arena's. `terms` may be
/// shared between modules, whose values can be compared then. `silent`: nothing is looked for but values.
void zc_verify_module(zc_context *context, zc_terms *terms, zc_findings *findings, bool silent,
                      zc_module_summary *summary);

#endif /* ZC_PASSES_VERIFY_MODULE_H */
