/* mlirOperationCreateParse takes the name of the source but no text with several ops at its top; mlirModuleCreateParse
 * takes such text but calls its source "-". So the first is used where it can be, else the second and the locations are
 * put right. */
#include "cli/parse.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "capi/text.h"
#include "cli/crash.h"

#define ANONYMOUS "-"

/* Many times what reading good bytecode takes: some 60 ms and 90 MB for 1 MB. */
static unsigned bytecode_seconds(size_t bytes) {
  return 5 + (unsigned)(bytes >> 20);
}
static size_t bytecode_memory(size_t bytes) {
  return ((size_t)1 << 30) + 256 * bytes;
}

/* The chunk after as many line ends as stand before it in the input, for the line numbers. */
static char *pad(const zc_chunk *chunk, zc_arena *arena) {
  size_t lines = (size_t)chunk->line - 1;
  char *text = zc_arena_alloc(arena, lines + chunk->length + 1);
  memset(text, '\n', lines);
  memcpy(text + lines, chunk->data, chunk->length);
  return text;
}

static bool begins_word(const char *at, const char *end, const char *word) {
  size_t length = strlen(word);
  return (size_t)(end - at) >= length && memcmp(at, word, length) == 0 &&
         ((size_t)(end - at) == length || (!isalnum((unsigned char)at[length]) && !strchr("_.$", at[length])));
}

/* Whether the first line that can begin an op (no comment, no alias, not indented) begins a module. A wrong answer
 * costs time only, but where it is no, a lone op is never parsed without a module around it, which verifiers rely on.
 */
static bool looks_like_module(const char *at, const char *end) {
  while (at < end) {
    if (isalpha((unsigned char)*at) || *at == '"' || *at == '%')
      return begins_word(at, end, "module") || begins_word(at, end, "builtin.module") ||
             begins_word(at, end, "\"builtin.module\"");
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    at = newline ? newline + 1 : end;
  }
  return false;
}

static bool is_module(MlirOperation operation) {
  return zc_str_is(mlirIdentifierStr(mlirOperationGetName(operation)), "builtin.module");
}

/* MLIR's answer to several ops at the top. */
static bool was_several_ops(const zc_diagnostics *in) {
  const char *start = "source must contain a single top-level operation";
  return in->held.count && strncmp(zc_list_at(&in->held, zc_message, 0).text, start, strlen(start)) == 0;
}

/* Sets `*module`, to null where the text is wrong; false where the text must be parsed in the other way. */
static bool parse_named(zc_diagnostics *in, MlirStringRef text, MlirOperation *module) {
  in->mode = ZC_DIAGNOSTICS_HOLD;
  MlirOperation operation = mlirOperationCreateParse(in->context, text, zc_str(in->input->name));
  bool parsed = !mlirOperationIsNull(operation);
  bool done = parsed ? is_module(operation) : !was_several_ops(in);
  if (parsed && !done)
    mlirOperationDestroy(operation);
  zc_diagnostics_release_held(in, done);
  *module = done ? operation : (MlirOperation){NULL};
  return done;
}

typedef struct renaming {
  MlirContext context;
  MlirStringRef name;
} renaming;

static bool needs_name(MlirLocation location) {
  return mlirLocationIsAFileLineColRange(location) &&
         zc_str_is(mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location)), ANONYMOUS);
}

static MlirLocation rename_location(const renaming *to, MlirLocation location) {
  return mlirLocationFileLineColGet(to->context, to->name, (unsigned)mlirLocationFileLineColRangeGetStartLine(location),
                                    (unsigned)mlirLocationFileLineColRangeGetStartColumn(location));
}

static void rename_arguments(const renaming *to, MlirBlock block) {
  for (intptr_t i = 0; i < mlirBlockGetNumArguments(block); ++i) {
    MlirValue argument = mlirBlockGetArgument(block, i);
    MlirLocation location = mlirValueGetLocation(argument);
    if (needs_name(location))
      mlirBlockArgumentSetLocation(argument, rename_location(to, location));
  }
}

static MlirWalkResult rename_in(MlirOperation operation, void *data) {
  const renaming *to = data;
  MlirLocation location = mlirOperationGetLocation(operation);
  if (needs_name(location))
    mlirOperationSetLocation(operation, rename_location(to, location));
  for (intptr_t i = 0; i < mlirOperationGetNumRegions(operation); ++i)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, i)); !mlirBlockIsNull(block);
         block = mlirBlockGetNextInRegion(block))
      rename_arguments(to, block);
  return MlirWalkResultAdvance;
}

static MlirOperation parse_anonymous(zc_diagnostics *in, MlirStringRef text, bool rename) {
  in->anonymous = true;
  MlirModule module = mlirModuleCreateParse(in->context, text);
  in->anonymous = false;
  if (mlirModuleIsNull(module))
    return (MlirOperation){NULL};
  MlirOperation operation = mlirModuleGetOperation(module);
  renaming to = {in->context, zc_str(in->input->name)};
  if (rename)
    mlirOperationWalk(operation, rename_in, &to, MlirWalkPreOrder);
  return operation;
}

static MlirOperation parse_text(zc_diagnostics *in, const zc_chunk *chunk) {
  const char *start = chunk->line == 1 ? chunk->data : pad(chunk, in->arena);
  MlirStringRef text = mlirStringRefCreate(start, (size_t)chunk->line - 1 + chunk->length);
  MlirOperation module;
  if (looks_like_module(start, start + text.length) && parse_named(in, text, &module))
    return module;
  return parse_anonymous(in, text, true);
}

static MlirOperation parse_bytecode(zc_diagnostics *in, const zc_chunk *chunk) {
  MlirStringRef bytes = mlirStringRefCreate(chunk->data, chunk->length);
  MlirOperation module;
  zc_limits_begin(bytecode_seconds(chunk->length), bytecode_memory(chunk->length));
  if (!parse_named(in, bytes, &module))
    module = parse_anonymous(in, bytes, false);
  zc_limits_end();
  return module;
}

MlirOperation zc_parse_module(zc_diagnostics *diagnostics, const zc_chunk *chunk) {
  int errors = diagnostics->errors;
  bool bytecode = zc_text_is_bytecode(diagnostics->input);
  MlirOperation module = bytecode ? parse_bytecode(diagnostics, chunk) : parse_text(diagnostics, chunk);
  if (mlirOperationIsNull(module) && diagnostics->errors == errors)
    zc_diagnostics_show(
        diagnostics, &(zc_message){MlirDiagnosticError, diagnostics->input->name, 0, 0, "the input cannot be parsed"});
  return module;
}
