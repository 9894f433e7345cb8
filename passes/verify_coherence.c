/* zc-verify-coherence: on scheduled IR, proves or refutes that every read sees the value it should
 * (docs/verification.md).
 *
 * Needs:    stream.cmd.*; without a topology it looks for races, undefined and freed memory only.
 * Keeps:    everything: it only tells. It shares no analysis with the passes that rewrite.
 * Declines: nothing; what it can't follow is said in a remark. */
#include <inttypes.h>

#include "capi/diagnostics.h"
#include "passes/verify_module.h"

typedef struct verification {
  zc_checks checks;
  zc_borders *borders;
  zc_kernels *kernels;
  zc_module_summary *summary;
} verification;

static void verify_function(zc_context *context, MlirOperation function, void *data) {
  verification *verification = data;
  zc_function_summary summary = {.name = zc_function_name(context, function),
                                 .location = mlirOperationGetLocation(function)};
  verification->checks.fault = NULL;
  zc_program_check(&verification->checks, verification->borders, verification->kernels, function,
                   context->options.unroll, &summary);
  verification->summary->cut += summary.cut;
  zc_list_push(context->arena, &verification->summary->functions, zc_function_summary, summary);
}

void zc_verify_module(zc_context *context, zc_terms *terms, zc_findings *findings, bool silent,
                      zc_module_summary *summary) {
  verification verification = {.summary = summary};
  zc_checks_begin(&verification.checks, context, terms, findings);
  verification.checks.silent = silent;
  verification.checks.open_races = summary->open_races;
  verification.borders = zc_borders_create(context);
  verification.kernels = zc_kernels_create(context);
  zc_for_each_function(context, verify_function, &verification);
  if (!silent && !findings->errors) /* What is wrong may be wrong because of what seems to be too much. */
    zc_checks_tell_redundant(&verification.checks);
  zc_kernels_release(verification.kernels);
  zc_borders_release(verification.borders);
  zc_checks_release(&verification.checks);
}

static void tell_result(const zc_module_summary *summary, const zc_findings *findings) {
  zc_context *context = findings->context;
  for (int i = 0; i < summary->functions.count; ++i) {
    const zc_function_summary *function = &zc_list_at(&summary->functions, zc_function_summary, i);
    if (function->unknown)
      zc_remark_at(function->location, "unknown: %s", function->unknown);
  }
  if (context->options.remarks)
    zc_remark_at(mlirOperationGetLocation(context->module),
                 "functions verified: %d, findings: %" PRId64 "; in %" PRId64
                 " of them loops were followed up to %" PRId64 " times only",
                 summary->functions.count, findings->total, summary->cut, context->options.unroll);
}

static MlirLogicalResult run(zc_context *context) {
  zc_findings findings;
  zc_module_summary summary = {0};
  zc_findings_begin(&findings, context);
  zc_terms *terms = zc_terms_create(context->arena);
  zc_verify_module(context, terms, &findings, false, &summary);
  zc_findings_end(&findings);
  tell_result(&summary, &findings);
  zc_terms_release(terms);
  zc_findings_release(&findings);
  return findings.errors ? mlirLogicalResultFailure() : mlirLogicalResultSuccess();
}

MlirPass streamZcCreateVerifyCoherencePass(const StreamZcOptions *options) {
  static const double id;
  return zc_pass_create(&id, "VerifyCoherence", "zc-verify-coherence",
                        "Checks that every read sees the value it should, in every order", options, run);
}
