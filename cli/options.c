#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capi/text.h"
#include "passes/lower_cache_maintenance.h"

typedef enum option_kind {
  FLAG,     ///< bool; takes no value.
  SWITCH,   ///< bool; =true, =false or nothing, which is true.
  TEXT,     ///< const char *.
  NUMBER,   ///< int64_t, not negative.
  PIPELINE, ///< --pass-pipeline.
  LOWERING, ///< --maintenance; MlirStringRef.
} option_kind;

typedef struct option_spec {
  const char *name;
  option_kind kind;
  size_t offset; ///< Of the field in zc_cli_options.
  const char *value;
  const char *help;
} option_spec;

#define FIELD(name) offsetof(zc_cli_options, name)

/* A spec without a name opens a group of --help. */
static const option_spec specs[] = {
    {NULL, FLAG, 0, NULL, "What to run (default: the pipeline for what the input holds)"},
    {"pass-pipeline", PIPELINE, 0, "'builtin.module(...)'", "Run these passes: ours, IREE's and MLIR's"},
    {"no-default-pipeline", FLAG, FIELD(no_default_pipeline), NULL, "Only parse and print"},
    {"dump-pass-pipeline", FLAG, FIELD(dump_pipeline), NULL, "Show the pipeline on standard error before it runs"},
    {"verify-each", SWITCH, FIELD(verify_each), "true|false", "Run the verifier after each pass (default: true)"},
    {"verify-translation", FLAG, FIELD(verify_translation), NULL,
     "Check that the result computes what the input does, in every order"},
    {"verify-against", TEXT, FIELD(verify_against), "FILE", "The same, but what the program in FILE computes"},

    {NULL, FLAG, 0, NULL, "Zero-copy"},
    {"topology", TEXT, FIELD(topology), "FILE", "Set stream.topology from this JSON file"},
    {"print-topology", FLAG, FIELD(print_topology), NULL,
     "Instead of the module, write its topology and why each link came out as it did"},
    {"remarks", FLAG, FIELD(passes.remarks), NULL, "Show the decision on each transfer and its reason"},
    {"report", TEXT, FIELD(report), "FILE", "Write decisions and totals as JSON"},
    {"assume-shareable-imports", FLAG, FIELD(passes.assumeShareableImports), NULL,
     "Imported buffers may be read by any device that shares memory with the importing one"},
    {"maintenance", LOWERING, FIELD(passes.maintenance), "MODE",
     "Lower cache maintenance by: hal (default), dispatch, import:MODULE, keep (docs/maintenance.md)"},
    {"zc-min-alias-bytes", NUMBER, FIELD(passes.minAliasBytes), "N", "Copy transfers of fewer than N bytes"},
    {"zc-limit", NUMBER, FIELD(passes.limit), "N", "Apply only the first N rewrites"},
    {"zc-unroll", NUMBER, FIELD(passes.unroll), "N", "Verify loops up to N iterations (default: 2)"},
    {"zc-keep-annotations", FLAG, FIELD(passes.keepAnnotations), NULL, "Leave the zc.* attributes on the result"},

    {NULL, FLAG, 0, NULL, "Input and output"},
    {"o", TEXT, FIELD(output), "FILE", "Write here, and only on success (default: standard output)"},
    {"emit-bytecode", FLAG, FIELD(emit_bytecode), NULL, "Write MLIR bytecode"},
    {"split-input-file", FLAG, FIELD(split_input_file), NULL,
     "Treat parts between '// -----' lines as inputs of their own"},
    {"verify-diagnostics", FLAG, FIELD(verify_diagnostics), NULL, "Check diagnostics against expected-* comments"},
    {"allow-unregistered-dialect", FLAG, FIELD(allow_unregistered_dialect), NULL, "Accept ops of unknown dialects"},
    {"mlir-print-debuginfo", FLAG, FIELD(print_debuginfo), NULL, "Print locations"},
    {"mlir-print-local-scope", FLAG, FIELD(print_local_scope), NULL, "Print without aliases"},
    {"mlir-print-op-generic", FLAG, FIELD(print_op_generic), NULL, "Print the generic form"},
    {"mlir-elide-elementsattrs-if-larger", NUMBER, FIELD(elide_elements_over), "N",
     "Elide constants of more than N elements"},
    {"mlir-elide-resource-strings-if-larger", NUMBER, FIELD(elide_resources_over), "N",
     "Elide resources of more than N characters"},

    {NULL, FLAG, 0, NULL, "Watching the passes (all on standard error)"},
    {"mlir-print-ir-before-all", FLAG, FIELD(print_ir_before_all), NULL, "Print the IR before each pass"},
    {"mlir-print-ir-after-all", FLAG, FIELD(print_ir_after_all), NULL, "Print the IR after each pass"},
    {"mlir-print-ir-after-change", FLAG, FIELD(print_ir_after_change), NULL,
     "Print the IR after each pass that changed it"},
    {"mlir-print-ir-after-failure", FLAG, FIELD(print_ir_after_failure), NULL, "Print the IR after a pass that failed"},
    {"mlir-print-ir-module-scope", FLAG, FIELD(print_ir_module_scope), NULL, "Print the whole module each time"},
    {"mlir-timing", FLAG, FIELD(print_timing), NULL, "Show the time that each pass takes"},
    {"mlir-pass-statistics", FLAG, FIELD(print_statistics), NULL, "Show the statistics of passes"},
    {"mlir-disable-threading", FLAG, FIELD(disable_threading), NULL, "Run on one thread"},

    {NULL, FLAG, 0, NULL, "Information"},
    {"help", FLAG, FIELD(help), NULL, "Show this and exit"},
    {"version", FLAG, FIELD(version), NULL, "Show the versions of this tool and of IREE and exit"},
    {"list-passes", FLAG, FIELD(list_passes), NULL, "List the passes of this tool and exit"},
    {"show-dialects", FLAG, FIELD(show_dialects), NULL, "List the dialects that can be read and exit"},
};
enum { NUM_SPECS = sizeof specs / sizeof *specs };

typedef struct parser {
  zc_cli_options *options;
  zc_arena *arena;
  const char *tool;
  const char *pass_pipeline; ///< The inside of --pass-pipeline.
  const char *pass_flags;    ///< Pass flags so far, as a pipeline.
} parser;

static bool complain(const parser *in, const char *option, const char *what, const char *value) {
  fprintf(stderr, "%s: error: --%s %s '%s'\n", in->tool, option, what, value);
  return false;
}

static bool set_switch(const parser *in, const option_spec *spec, const char *value, bool *field) {
  *field = !value || strcmp(value, "true") == 0 || strcmp(value, "1") == 0;
  if (*field || strcmp(value, "false") == 0 || strcmp(value, "0") == 0)
    return true;
  return complain(in, spec->name, "takes true or false, not", value);
}

static bool set_number(const parser *in, const option_spec *spec, const char *value, int64_t *field) {
  char *end;
  errno = 0;
  *field = strtoll(value, &end, 10);
  if (errno || end == value || *end || *field < 0)
    return complain(in, spec->name, "takes a whole number, not", value);
  return true;
}

/* Takes the inside out of `builtin.module( … )`. */
static bool set_pipeline(parser *in, const option_spec *spec, const char *value) {
  zc_cursor cursor = {value, value + strlen(value)};
  while (cursor.end > cursor.at && strchr(" \t\n\r", cursor.end[-1]))
    --cursor.end;
  if (!zc_eat(&cursor, "builtin.module") || !zc_eat(&cursor, "(") || cursor.end <= cursor.at || cursor.end[-1] != ')')
    return complain(in, spec->name, "must be 'builtin.module(...)', not", value);
  if (in->pass_pipeline)
    return complain(in, spec->name, "was given twice; the second time as", value);
  in->pass_pipeline = zc_arena_copy(in->arena, cursor.at, (size_t)(cursor.end - cursor.at - 1));
  return true;
}

static bool set_lowering(const parser *in, const option_spec *spec, const char *value, MlirStringRef *field) {
  zc_lowering_mode mode;
  *field = zc_str(value);
  return *value && zc_lowering_mode_parse(*field, &mode)
             ? true
             : complain(in, spec->name, "takes " ZC_LOWERING_MODES ", not", value);
}

static bool set_option(parser *in, const option_spec *spec, const char *value) {
  void *field = (char *)in->options + spec->offset;
  switch (spec->kind) {
  case FLAG:
    *(bool *)field = true;
    return true;
  case SWITCH:
    return set_switch(in, spec, value, field);
  case TEXT:
    *(const char **)field = value;
    return *value ? true : complain(in, spec->name, "takes the name of a file, not", value);
  case NUMBER:
    return set_number(in, spec, value, field);
  case PIPELINE:
    return set_pipeline(in, spec, value);
  case LOWERING:
    return set_lowering(in, spec, value, field);
  }
  return false;
}

static void add_pass_flag(parser *in, const StreamZcPassInfo *pass, const char *pass_options) {
  in->pass_flags = zc_arena_format(in->arena, "%s%s%s{%s}", in->pass_flags ? in->pass_flags : "",
                                   in->pass_flags ? "," : "", pass->argument, pass_options ? pass_options : "");
}

/* One entry per spec with a long name, then one per pass; `val` tells which. */
static struct option *make_table(zc_arena *arena) {
  static const int has_value[] = {[FLAG] = no_argument,           [SWITCH] = optional_argument,
                                  [TEXT] = required_argument,     [NUMBER] = required_argument,
                                  [PIPELINE] = required_argument, [LOWERING] = required_argument};
  struct option *table = zc_arena_array(arena, struct option, NUM_SPECS + streamZcGetNumPasses() + 1);
  struct option *next = table;
  for (int i = 0; i < NUM_SPECS; ++i)
    if (specs[i].name && specs[i].name[1])
      *next++ = (struct option){specs[i].name, has_value[specs[i].kind], NULL, 256 + i};
  for (int i = 0; i < (int)streamZcGetNumPasses(); ++i)
    *next++ = (struct option){streamZcGetPass(i)->argument, optional_argument, NULL, 256 + NUM_SPECS + i};
  return table;
}

static const option_spec *find_short(int letter) {
  for (int i = 0; i < NUM_SPECS; ++i)
    if (specs[i].name && specs[i].name[0] == letter && !specs[i].name[1])
      return &specs[i];
  return NULL;
}

static bool take(parser *in, int id) {
  if (id == '?') /* getopt has said why. */
    return false;
  if (id >= 256 + NUM_SPECS) {
    add_pass_flag(in, streamZcGetPass(id - 256 - NUM_SPECS), optarg);
    return true;
  }
  return set_option(in, id < 256 ? find_short(id) : &specs[id - 256], optarg);
}

static bool take_operands(parser *in, int argc, char **argv) {
  if (argc - optind > 1) {
    fprintf(stderr, "%s: error: more than one input file: '%s' and '%s'\n", in->tool, argv[optind], argv[optind + 1]);
    return false;
  }
  if (argc > optind)
    in->options->input = argv[optind];
  return true;
}

/* Combinations that make no sense. */
static bool check(const parser *in) {
  const zc_cli_options *options = in->options;
  const char *mistake = NULL;
  if (in->pass_pipeline && in->pass_flags)
    mistake = "--pass-pipeline and a pass's own option exclude each other";
  else if (options->report && options->split_input_file)
    mistake = "--report is for one module, not for --split-input-file";
  else if (options->print_topology && (options->report || options->emit_bytecode))
    mistake = "--print-topology excludes --report and --emit-bytecode";
  else if (options->emit_bytecode && options->split_input_file)
    mistake = "--emit-bytecode is for one module, not for --split-input-file";
  if (mistake)
    fprintf(stderr, "%s: error: %s\n", in->tool, mistake);
  return !mistake;
}

const char *zc_cli_tool_name(int argc, char **argv) {
  const char *slash = argc ? strrchr(argv[0], '/') : NULL;
  return slash ? slash + 1 : argc ? argv[0] : "stream-zc-opt";
}

static bool take_options(parser *in, int argc, char **argv) {
  struct option *table = make_table(in->arena);
  int id;
  optind = 0; /* Start over: the tool may run more than once in a process. */
  while ((id = getopt_long_only(argc, argv, "o:", table, NULL)) != -1)
    if (!take(in, id))
      return false;
  return true;
}

bool zc_cli_options_parse(zc_cli_options *options, int argc, char **argv, zc_arena *arena) {
  *options = (zc_cli_options){.input = "-",
                              .output = "-",
                              .verify_each = true,
                              .elide_elements_over = -1,
                              .elide_resources_over = -1,
                              .passes = streamZcOptionsGetDefault()};
  parser in = {options, arena, zc_cli_tool_name(argc, argv), NULL, NULL};
  char *program = argv[0];
  argv[0] = (char *)in.tool; /* For getopt's messages. */
  bool ok = take_options(&in, argc, argv);
  argv[0] = program;
  options->pipeline = in.pass_pipeline ? in.pass_pipeline : in.pass_flags;
  return ok && take_operands(&in, argc, argv) && check(&in);
}

static void print_option(const option_spec *spec) {
  static const char *const forms[] = {[FLAG] = "",      [SWITCH] = "[=%s]", [TEXT] = "=%s",
                                      [NUMBER] = "=%s", [PIPELINE] = "=%s", [LOWERING] = "=%s"};
  char left[96];
  int length = snprintf(left, sizeof left, spec->name[1] ? "--%s" : "-%s", spec->name);
  const char *form = spec->name[1] ? forms[spec->kind] : " %s";
  if (spec->value)
    snprintf(left + length, sizeof left - (size_t)length, form, spec->value);
  printf("  %-44s %s\n", left, spec->help);
}

void zc_cli_print_passes(void) {
  for (intptr_t i = 0; i < streamZcGetNumPasses(); ++i)
    printf("  --%-42s %s\n", streamZcGetPass(i)->argument, streamZcGetPass(i)->summary);
}

void zc_cli_print_help(void) {
  printf("Usage: stream-zc-opt [options] [FILE]\n\n"
         "Makes transfers between the devices of an IREE program zero-copy. Reads the output of iree-compile\n"
         "(--compile-to=flow or =stream) as text or bytecode from FILE or standard input, and writes the same form.\n");
  for (int i = 0; i < NUM_SPECS; ++i)
    if (specs[i].name)
      print_option(&specs[i]);
    else
      printf("\n%s:\n", specs[i].help);
  printf("\nPasses, in the order given; each takes ='key=value ...' with the keys remarks, assume-shareable-imports,\n"
         "keep-annotations, min-alias-bytes, limit, unroll and mode (as --maintenance):\n");
  zc_cli_print_passes();
  printf("\nExit status: 0 success, 1 the input or a pass failed, 2 the command line is wrong.\n");
}
