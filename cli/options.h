/* The command line. */
#ifndef ZC_CLI_OPTIONS_H
#define ZC_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "capi/arena.h"
#include "stream_zc/Passes.h"

typedef struct zc_cli_options {
  const char *input;    ///< "-": standard input.
  const char *output;   ///< "-": standard output.
  const char *topology; ///< JSON file; null: none.
  const char *report;   ///< JSON file to write; null: none.
  const char *pipeline; ///< What to run, as for streamZcAddPipeline; null: the default of the module's level.
  bool no_default_pipeline;
  bool print_topology;
  bool emit_bytecode;
  bool split_input_file;
  bool verify_diagnostics;
  bool verify_each;
  bool verify_translation;
  const char *verify_against; ///< The result is to compute what this file does; null: what the input does, if at all.
  bool allow_unregistered_dialect;
  bool disable_threading;
  bool print_ir_before_all;
  bool print_ir_after_all;
  bool print_ir_after_change;
  bool print_ir_after_failure;
  bool print_ir_module_scope;
  bool print_timing;
  bool print_statistics;
  bool print_debuginfo;
  bool print_local_scope;
  bool print_op_generic;
  int64_t elide_elements_over;  ///< Negative: never.
  int64_t elide_resources_over; ///< Negative: never.
  bool dump_pipeline;
  bool list_passes;
  bool show_dialects;
  bool help;
  bool version;
  StreamZcOptions passes;
} zc_cli_options;

/// The name of the tool in messages: argv[0] without its folder.
const char *zc_cli_tool_name(int argc, char **argv);

/// Reads argv into `options`; strings are argv's or the arena's. On a mistake says so on standard error and returns
/// false.
bool zc_cli_options_parse(zc_cli_options *options, int argc, char **argv, zc_arena *arena);

/// Print to standard output.
void zc_cli_print_help(void);
void zc_cli_print_passes(void);

#endif /* ZC_CLI_OPTIONS_H */
