#include "stream_zc/Opt.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "capi/text.h"
#include "capi/topology.h"
#include "cli/crash.h"
#include "cli/diagnostics.h"
#include "cli/input.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/parse.h"
#include "mlir-c/Pass.h"
#include "stream_zc/Provider.h"
#include "stream_zc/Topology.h"

enum { EXIT_OK = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Threads cost more than they bring below this size of input; parsing and printing never gain. */
enum { THREADING_BYTES = 1 << 20 };

/* One run of the tool. */
typedef struct run {
  zc_cli_options options;
  const char *tool;
  zc_arena *arena;
  MlirContext context;
  zc_text input;
  zc_text topology;
  zc_diagnostics diagnostics;
  StreamZcReport report;
  zc_buffer result;
} run;

static bool fail(const run *in, const char *what, const char *name, const char *why) {
  fprintf(stderr, "%s: error: %s '%s': %s\n", in->tool, what, name, why);
  return false;
}

/* --- Printing ----------------------------------------------------------------------------------------------------- */

static MlirOpPrintingFlags make_printing_flags(const zc_cli_options *options) {
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  if (options->print_debuginfo)
    mlirOpPrintingFlagsEnableDebugInfo(flags, true, false);
  if (options->print_local_scope)
    mlirOpPrintingFlagsUseLocalScope(flags);
  if (options->print_op_generic)
    mlirOpPrintingFlagsPrintGenericOpForm(flags);
  if (options->elide_elements_over >= 0)
    mlirOpPrintingFlagsElideLargeElementsAttrs(flags, options->elide_elements_over);
  if (options->elide_resources_over >= 0)
    mlirOpPrintingFlagsElideLargeResourceString(flags, options->elide_resources_over);
  return flags;
}

static void print_module(run *in, MlirOperation module, bool verified) {
  if (in->options.emit_bytecode) {
    mlirOperationWriteBytecode(module, zc_buffer_append, &in->result);
    return;
  }
  MlirOpPrintingFlags flags = make_printing_flags(&in->options);
  if (verified)
    mlirOpPrintingFlagsAssumeVerified(flags);
  mlirOperationPrintWithFlags(module, flags, zc_buffer_append, &in->result);
  mlirOpPrintingFlagsDestroy(flags);
  zc_buffer_append(zc_str("\n"), &in->result);
}

/* --- Pipelines ---------------------------------------------------------------------------------------------------- */

static bool prints_ir(const zc_cli_options *options) {
  return options->print_ir_before_all || options->print_ir_after_all || options->print_ir_after_change ||
         options->print_ir_after_failure;
}

static void watch(const zc_cli_options *options, MlirPassManager manager) {
  if (prints_ir(options)) {
    MlirOpPrintingFlags flags = make_printing_flags(options);
    bool after = options->print_ir_after_all || options->print_ir_after_change || options->print_ir_after_failure;
    mlirPassManagerEnableIRPrinting(manager, options->print_ir_before_all, after, options->print_ir_module_scope,
                                    options->print_ir_after_change, options->print_ir_after_failure, flags, zc_str(""));
    mlirOpPrintingFlagsDestroy(flags);
  }
  if (options->print_timing)
    mlirPassManagerEnableTiming(manager);
  if (options->print_statistics)
    mlirPassManagerEnableStatistics(manager, MLIR_PASS_DISPLAY_MODE_PIPELINE);
}

/* A manager with `pipeline`; null where the text is wrong, with an error shown. */
static MlirPassManager make_manager(run *in, const char *pipeline, const StreamZcOptions *passes) {
  MlirPassManager manager = mlirPassManagerCreateOnOperation(in->context, zc_str("builtin.module"));
  zc_buffer why;
  if (!zc_buffer_open(&why))
    return manager;
  MlirLogicalResult added =
      streamZcAddPipeline(mlirPassManagerGetAsOpPassManager(manager), zc_str(pipeline), passes, zc_buffer_append, &why);
  zc_buffer_close(&why);
  if (mlirLogicalResultIsFailure(added)) {
    fprintf(stderr, "%s: error: pipeline: %s%s", in->tool, why.data,
            why.length && why.data[why.length - 1] == '\n' ? "" : "\n");
    mlirPassManagerDestroy(manager);
    manager.ptr = NULL;
  }
  zc_buffer_release(&why);
  return manager;
}

static void dump_pipeline(MlirPassManager manager) {
  zc_buffer text;
  if (!zc_buffer_open(&text))
    return;
  mlirPrintPassPipeline(mlirPassManagerGetAsOpPassManager(manager), zc_buffer_append, &text);
  if (zc_buffer_close(&text))
    fprintf(stderr, "%s\n", text.data);
  zc_buffer_release(&text);
}

/* Several threads would mix the IR that they print. */
static bool may_thread(const run *in) {
  return in->input.length >= THREADING_BYTES && !in->options.disable_threading && !prints_ir(&in->options);
}

static bool run_pipeline(run *in, MlirOperation module, const char *pipeline) {
  MlirPassManager manager = make_manager(in, pipeline, &in->options.passes);
  if (mlirPassManagerIsNull(manager))
    return false;
  mlirPassManagerEnableVerifier(manager, in->options.verify_each);
  watch(&in->options, manager);
  if (in->options.dump_pipeline)
    dump_pipeline(manager);
  int errors = in->diagnostics.errors;
  mlirContextEnableMultithreading(in->context, may_thread(in));
  bool ok = mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, module));
  mlirContextEnableMultithreading(in->context, false);
  mlirPassManagerDestroy(manager);
  if (!ok && in->diagnostics.errors == errors)
    fail(in, "cannot rewrite", in->input.name, "a pass failed without saying why");
  return ok;
}

/* --- The report --------------------------------------------------------------------------------------------------- */

/* Runs IREE's part of the default pipeline alone, without a topology: what the program would be without this tool. */
static bool count_stock(run *in, MlirOperation module, const char *stock) {
  MlirOperation clone = mlirOperationClone(module);
  mlirOperationRemoveAttributeByName(clone, zc_str(ZC_TOPOLOGY_ATTRIBUTE));
  StreamZcOptions passes = streamZcOptionsGetDefault();
  MlirPassManager manager = make_manager(in, stock, &passes);
  bool ok = !mlirPassManagerIsNull(manager);
  if (ok) {
    in->diagnostics.mode = ZC_DIAGNOSTICS_HOLD; /* The real run, if it comes to that, says it all again. */
    ok = mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, clone));
    zc_diagnostics_release_held(&in->diagnostics, !ok);
    mlirPassManagerDestroy(manager);
  }
  if (ok)
    streamZcReportCountModule(in->report, StreamZcReportBefore, clone);
  else
    fail(in, "cannot count for the report", in->input.name, "IREE's own pipeline fails on it");
  mlirOperationDestroy(clone);
  return ok;
}

static bool count_before(run *in, MlirOperation module) {
  if (streamZcReportIsNull(in->report))
    return true;
  StreamZcLevel level = streamZcModuleGetLevel(module);
  const char *stock = level == StreamZcLevelCmd ? NULL : streamZcGetStockPipeline(level);
  if (stock)
    return count_stock(in, module, stock);
  streamZcReportCountModule(in->report, StreamZcReportBefore, module);
  return true;
}

/* --- One input ---------------------------------------------------------------------------------------------------- */

static bool set_topology(run *in, MlirOperation module) {
  return !in->topology.data ||
         mlirLogicalResultIsSuccess(streamZcModuleSetTopologyFromJSON(
             module, mlirStringRefCreate(in->topology.data, in->topology.length), zc_str(in->topology.name)));
}

/* What a pass of the user's has changed isn't what the file says any more. */
static bool print_topology(run *in, MlirOperation module) {
  bool from_file = in->topology.data && !in->options.pipeline;
  return mlirLogicalResultIsSuccess(streamZcModulePrintTopology(
      module, mlirStringRefCreate(from_file ? in->topology.data : NULL, from_file ? in->topology.length : 0),
      zc_str(from_file ? in->topology.name : ""), zc_buffer_append, &in->result));
}

static const char *choose_pipeline(const run *in, MlirOperation module) {
  if (in->options.pipeline || in->options.no_default_pipeline || in->options.print_topology)
    return in->options.pipeline;
  return streamZcGetDefaultPipeline(streamZcModuleGetLevel(module));
}

/* The module that the result is to be like; null where it can't be read, with an error shown. The caller destroys it.
 */
static MlirOperation read_original(run *in, const char *path) {
  zc_text text;
  MlirOperation original = {NULL};
  if (zc_text_read(&text, path))
    original = mlirOperationCreateParse(in->context, mlirStringRefCreate(text.data, text.length), zc_str(path));
  else
    fail(in, "cannot read", path, strerror(errno));
  zc_text_release(&text);
  return original;
}

static StreamZcTranslation begin_translation(run *in, MlirOperation module) {
  if (!in->options.verify_against)
    return streamZcTranslationBegin(module, &in->options.passes);
  StreamZcTranslation translation = {NULL};
  MlirOperation original = read_original(in, in->options.verify_against);
  if (mlirOperationIsNull(original))
    return translation;
  translation = streamZcTranslationBegin(original, &in->options.passes);
  mlirOperationDestroy(original);
  return translation;
}

/* The pipeline, and whether it kept what the program computes. */
static bool run_verified(run *in, MlirOperation module, const char *pipeline) {
  StreamZcTranslation translation = begin_translation(in, module);
  if (streamZcTranslationIsNull(translation))
    return false;
  bool ok = (!pipeline || run_pipeline(in, module, pipeline)) &&
            streamZcTranslationEnd(translation, module) != StreamZcVerdictDifferent;
  streamZcTranslationDestroy(translation);
  return ok;
}

static bool process_module(run *in, MlirOperation module) {
  if (!count_before(in, module) || !set_topology(in, module))
    return false;
  const char *pipeline = choose_pipeline(in, module);
  bool verifies = in->options.verify_translation || in->options.verify_against;
  if (verifies ? !run_verified(in, module, pipeline) : pipeline && !run_pipeline(in, module, pipeline))
    return false;
  if (in->options.print_topology)
    return print_topology(in, module);
  if (!streamZcReportIsNull(in->report))
    streamZcReportCountModule(in->report, StreamZcReportAfter, module);
  print_module(in, module, !pipeline || in->options.verify_each);
  return true;
}

static bool parse_and_process(run *in, const zc_chunk *chunk) {
  MlirOperation module = zc_parse_module(&in->diagnostics, chunk);
  if (mlirOperationIsNull(module))
    return false;
  bool ok = process_module(in, module);
  mlirOperationDestroy(module);
  return ok;
}

/* Under --verify-diagnostics a chunk that fails as its comments say is a success. */
static bool process_chunk(run *in, const zc_chunk *chunk) {
  if (!in->options.verify_diagnostics)
    return parse_and_process(in, chunk);
  zc_diagnostics *diagnostics = &in->diagnostics;
  diagnostics->expected = zc_expectations_read(chunk, in->input.name, in->arena, zc_diagnostics_show, diagnostics);
  parse_and_process(in, chunk);
  bool ok = zc_expectations_end(diagnostics->expected);
  zc_expectations_release(diagnostics->expected);
  diagnostics->expected = NULL;
  return ok;
}

static bool process_all(run *in) {
  bool split = in->options.split_input_file && !zc_text_is_bytecode(&in->input);
  zc_list chunks = zc_text_split(&in->input, split, in->arena);
  bool ok = true;
  for (int i = 0; i < chunks.count; ++i) {
    if (i > 0)
      zc_buffer_append(zc_str("// -----\n"), &in->result);
    ok &= process_chunk(in, &zc_list_at(&chunks, zc_chunk, i));
  }
  return ok;
}

/* --- Files -------------------------------------------------------------------------------------------------------- */

static bool read_input(run *in) {
  if (!zc_text_read(&in->input, in->options.input))
    return fail(in, "cannot read", in->input.name, strerror(errno));
  if (zc_text_is_blank(&in->input))
    return fail(in, "cannot parse", in->input.name, "there is nothing in it");
  return true;
}

static bool read_topology(run *in) {
  const char *path = in->options.topology;
  if (path && !zc_text_read(&in->topology, path))
    return fail(in, "cannot read the topology", path, strerror(errno));
  return true;
}

static bool render_report(run *in, zc_buffer *text) {
  *text = (zc_buffer){0};
  if (streamZcReportIsNull(in->report))
    return true;
  if (!zc_buffer_open(text))
    return false;
  streamZcReportPrintJSON(in->report, zc_buffer_append, text);
  return zc_buffer_close(text);
}

/* Both results or none: each is complete beside its place before the first is put there. */
static bool write_results(run *in) {
  zc_buffer report;
  zc_staged staged[2] = {0};
  const char *const paths[2] = {in->options.report, in->options.output};
  if (!zc_buffer_close(&in->result) || !render_report(in, &report))
    return fail(in, "cannot write", in->options.output, strerror(ENOMEM));
  const zc_buffer *const texts[2] = {&report, &in->result};
  bool ok = true;
  for (int i = 0; i < 2 && ok; ++i)
    if (paths[i] && !zc_stage(&staged[i], paths[i], texts[i]->data, texts[i]->length))
      ok = fail(in, "cannot write", paths[i], strerror(errno));
  for (int i = 0; i < 2 && ok; ++i)
    if (paths[i] && !zc_staged_commit(&staged[i]))
      ok = fail(in, "cannot write", paths[i], strerror(errno));
  for (int i = 0; i < 2; ++i)
    zc_staged_discard(&staged[i]);
  zc_buffer_release(&report);
  return ok;
}

/* --- Information -------------------------------------------------------------------------------------------------- */

static void print_version(void) {
  MlirStringRef version = streamZcGetVersion();
  MlirStringRef revision = streamZcProviderGetRevision();
  if (!revision.length)
    revision = zc_str("(unknown revision)");
  printf("stream-zc-opt %.*s\nIREE compiler %.*s\n", (int)version.length, version.data, (int)revision.length,
         revision.data);
}

/* mlir-c has no list of dialects, but the error on an op of an unknown one has. */
static bool print_dialects(run *in) {
  in->diagnostics.mode = ZC_DIAGNOSTICS_HOLD;
  mlirModuleCreateParse(in->context, zc_str("zc_no_such_dialect.op"));
  const char *names = NULL;
  for (int i = 0; i < in->diagnostics.held.count && !names; ++i)
    names = strstr(zc_list_at(&in->diagnostics.held, zc_message, i).text, "ialects: ");
  if (!names)
    return fail(in, "cannot list", "dialects", "the IREE compiler library doesn't name them");
  fputs("Available Dialects: ", stdout);
  for (names += strlen("ialects: "); *names && *names != ';'; ++names)
    if (*names != ' ')
      putchar(*names);
  putchar('\n');
  return true;
}

/* --- The tool ----------------------------------------------------------------------------------------------------- */

/* A pipeline that the user gave is part of the command line: what is wrong in it is wrong before there is any input. */
static bool check_pipeline(run *in) {
  if (!in->options.pipeline)
    return true;
  MlirPassManager manager = make_manager(in, in->options.pipeline, &in->options.passes);
  if (mlirPassManagerIsNull(manager))
    return false;
  mlirPassManagerDestroy(manager);
  return true;
}

static bool work(run *in) {
  if (!read_input(in) || !read_topology(in) || !zc_buffer_open(&in->result))
    return false;
  return process_all(in) && write_results(in);
}

static int run_in_context(run *in) {
  mlirContextSetAllowUnregisteredDialects(in->context, in->options.allow_unregistered_dialect);
  if (in->options.show_dialects)
    return print_dialects(in) ? EXIT_OK : EXIT_FAILED;
  if (in->options.report) {
    in->report = streamZcReportCreate();
    in->options.passes.report = in->report;
  }
  if (!check_pipeline(in))
    return EXIT_USAGE;
  return work(in) ? EXIT_OK : EXIT_FAILED;
}

static int start(run *in) {
  in->context = streamZcContextCreate(false);
  in->diagnostics = (zc_diagnostics){.input = &in->input, .arena = in->arena};
  in->input.name = strcmp(in->options.input, "-") == 0 ? "<stdin>" : in->options.input;
  zc_diagnostics_attach(&in->diagnostics, in->context);
  zc_crash_guard_begin(in->tool, in->input.name);
  int status = run_in_context(in);
  zc_crash_guard_end();
  zc_diagnostics_detach(&in->diagnostics);
  if (!streamZcReportIsNull(in->report))
    streamZcReportDestroy(in->report);
  mlirContextDestroy(in->context);
  zc_buffer_release(&in->result);
  zc_text_release(&in->input);
  zc_text_release(&in->topology);
  return status;
}

static int inform_or_start(run *in) {
  if (in->options.help)
    zc_cli_print_help();
  else if (in->options.version)
    print_version();
  else if (in->options.list_passes)
    zc_cli_print_passes();
  else
    return start(in);
  return EXIT_OK;
}

int streamZcOptMain(int argc, char **argv) {
  run in = {.tool = zc_cli_tool_name(argc, argv), .arena = zc_arena_create()};
  int status = EXIT_USAGE;
  if (zc_cli_options_parse(&in.options, argc, argv, in.arena))
    status = inform_or_start(&in);
  else
    fprintf(stderr, "%s: see --help\n", in.tool);
  if (status == EXIT_OK && (fflush(stdout) != 0 || ferror(stdout))) {
    fail(&in, "cannot write", "-", strerror(errno));
    status = EXIT_FAILED;
  }
  zc_arena_destroy(in.arena);
  return status;
}
