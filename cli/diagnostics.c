#include "cli/diagnostics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capi/text.h"
#include "cli/output.h"

/* Longest stretch of a source line that is shown, and how much of it stands before the caret. */
enum { LINE_WINDOW = 400, BEFORE_CARET = 200 };
/* Files larger than this are not read for the sake of a source line. */
enum { MAX_SOURCE_BYTES = 64 << 20 };

/* The position that tells a reader most: in composed locations the first, innermost one in a file. */
static bool find_position(MlirLocation location, MlirLocation *found) {
  if (mlirLocationIsAFileLineColRange(location)) {
    *found = location;
    return true;
  }
  if (mlirLocationIsAName(location))
    return find_position(mlirLocationNameGetChildLoc(location), found);
  if (mlirLocationIsACallSite(location))
    return find_position(mlirLocationCallSiteGetCallee(location), found);
  if (!mlirLocationIsAFused(location))
    return false;
  unsigned count = mlirLocationFusedGetNumLocations(location);
  MlirLocation *parts = malloc(sizeof *parts * (count ? count : 1));
  bool any = false;
  if (parts)
    mlirLocationFusedGetLocations(location, parts);
  for (unsigned i = 0; parts && i < count && !any; ++i)
    any = find_position(parts[i], found);
  free(parts);
  return any;
}

static char *print_text(zc_arena *arena, MlirDiagnostic diagnostic) {
  zc_buffer buffer;
  if (!zc_buffer_open(&buffer))
    return zc_arena_copy(arena, "", 0);
  mlirDiagnosticPrint(diagnostic, zc_buffer_append, &buffer);
  bool ok = zc_buffer_close(&buffer);
  char *text = ok ? zc_arena_copy(arena, buffer.data, buffer.length) : zc_arena_copy(arena, "", 0);
  zc_buffer_release(&buffer);
  return text;
}

static zc_message make_message(const zc_diagnostics *to, MlirDiagnostic diagnostic) {
  zc_message message = {mlirDiagnosticGetSeverity(diagnostic), NULL, 0, 0, print_text(to->arena, diagnostic)};
  MlirLocation position;
  if (!find_position(mlirDiagnosticGetLocation(diagnostic), &position))
    return message;
  MlirStringRef file = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(position));
  message.file =
      to->anonymous && zc_str_is(file, "-") ? to->input->name : zc_arena_copy(to->arena, file.data, file.length);
  message.line = mlirLocationFileLineColRangeGetStartLine(position);
  message.column = mlirLocationFileLineColRangeGetStartColumn(position);
  return message;
}

static void deliver(zc_diagnostics *to, const zc_message *message) {
  if (message->severity == MlirDiagnosticError)
    ++to->errors;
  if (to->expected)
    zc_expectations_take(to->expected, message);
  else
    zc_diagnostics_show(to, message);
}

static void receive(zc_diagnostics *to, const zc_message *message) {
  if (to->mode == ZC_DIAGNOSTICS_HOLD)
    zc_list_push(to->arena, &to->held, zc_message, *message);
  else
    deliver(to, message);
}

/* MLIR adds the op to an error on it; who writes expectations doesn't want to repeat the op. */
static bool is_printed_op(const zc_message *note) {
  return strncmp(note->text, "see current operation:", strlen("see current operation:")) == 0;
}

static MlirLogicalResult on_diagnostic(MlirDiagnostic diagnostic, void *data) {
  zc_diagnostics *to = data;
  zc_message message = make_message(to, diagnostic);
  receive(to, &message);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); ++i) {
    zc_message note = make_message(to, mlirDiagnosticGetNote(diagnostic, i));
    if (!to->expected || !is_printed_op(&note))
      receive(to, &note);
  }
  return mlirLogicalResultSuccess();
}

void zc_diagnostics_attach(zc_diagnostics *diagnostics, MlirContext context) {
  diagnostics->context = context;
  diagnostics->handler = mlirContextAttachDiagnosticHandler(context, on_diagnostic, diagnostics, NULL);
}

void zc_diagnostics_detach(zc_diagnostics *diagnostics) {
  mlirContextDetachDiagnosticHandler(diagnostics->context, diagnostics->handler);
  for (int i = 0; i < diagnostics->files.count; ++i)
    zc_text_release(&zc_list_at(&diagnostics->files, zc_text, i));
}

void zc_diagnostics_release_held(zc_diagnostics *diagnostics, bool show) {
  diagnostics->mode = ZC_DIAGNOSTICS_SHOW;
  for (int i = 0; show && i < diagnostics->held.count; ++i)
    deliver(diagnostics, &zc_list_at(&diagnostics->held, zc_message, i));
  diagnostics->held.count = 0;
}

static bool may_read(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= MAX_SOURCE_BYTES;
}

/* The text of a file that a location names; one that can't be read has no data. */
static const zc_text *find_text(zc_diagnostics *in, const char *file) {
  if (strcmp(file, in->input->name) == 0)
    return in->input;
  for (int i = 0; i < in->files.count; ++i)
    if (strcmp(zc_list_at(&in->files, zc_text, i).name, file) == 0)
      return &zc_list_at(&in->files, zc_text, i);
  zc_text text = {file, NULL, 0};
  if (may_read(file))
    zc_text_read(&text, file);
  text.name = file;
  zc_list_push(in->arena, &in->files, zc_text, text);
  return &zc_list_at(&in->files, zc_text, in->files.count - 1);
}

/* How many bytes the UTF-8 character at `at` has; 0 where there is none or a terminal shouldn't see it. */
static size_t character_size(const char *at, size_t left) {
  unsigned char first = (unsigned char)*at;
  if (first < 0x80)
    return (first >= ' ' && first != 0x7f) || first == '\t';
  size_t size = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first >= 0xf5 || size > left)
    return 0;
  for (size_t i = 1; i < size; ++i)
    if (((unsigned char)at[i] & 0xc0) != 0x80)
      return 0;
  return size;
}

/* Prints the line, and one blank or tab to `caret_line` for each character before the caret. */
static void show_line(const char *line, size_t length, size_t caret, char *caret_line) {
  for (size_t i = 0; i < length;) {
    size_t size = character_size(line + i, length - i);
    if (i < caret)
      *caret_line++ = line[i] == '\t' ? '\t' : ' ';
    if (size)
      fwrite(line + i, 1, size, stderr);
    else
      fputc('?', stderr);
    i += size ? size : 1;
  }
  strcpy(caret_line, "^\n");
}

static void show_source(zc_diagnostics *in, const zc_message *message) {
  const zc_text *text = find_text(in, message->file);
  size_t length;
  const char *line = text->data && !zc_text_is_bytecode(text) ? zc_text_line(text, message->line, &length) : NULL;
  size_t caret = (size_t)message->column - 1;
  if (!line || message->column < 1 || caret > length)
    return;
  if (length > LINE_WINDOW && caret > BEFORE_CARET) {
    size_t skipped = caret - BEFORE_CARET;
    while (skipped < caret && ((unsigned char)line[skipped] & 0xc0) == 0x80)
      ++skipped; /* Not in the middle of a character. */
    line += skipped;
    length -= skipped;
    caret -= skipped;
  }
  if (length > LINE_WINDOW)
    length = LINE_WINDOW;
  char caret_line[LINE_WINDOW + 3];
  show_line(line, length, caret, caret_line);
  fprintf(stderr, "\n%s", caret_line);
}

void zc_diagnostics_show(void *diagnostics, const zc_message *message) {
  flockfile(stderr);
  if (message->file && message->line > 0)
    fprintf(stderr, "%s:%d:%d: ", message->file, message->line, message->column);
  else if (message->file)
    fprintf(stderr, "%s: ", message->file);
  fprintf(stderr, "%s: %s\n", zc_severity_name(message->severity), message->text);
  if (message->file && message->line > 0)
    show_source(diagnostics, message);
  funlockfile(stderr);
}
