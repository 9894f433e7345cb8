#include "testdata/units/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlir-c/Diagnostics.h"
#include "stream_zc/Provider.h"

static char *diagnostics;
static int num_diagnostics;

void unit_append(MlirStringRef piece, void *string) {
  char **text = string;
  size_t length = *text ? strlen(*text) : 0;
  char *longer = realloc(*text, length + piece.length + 1);
  if (!longer)
    abort();
  memcpy(longer + length, piece.data, piece.length);
  longer[length + piece.length] = 0;
  *text = longer;
}

static void append_text(const char *text) {
  unit_append(mlirStringRefCreateFromCString(text), &diagnostics);
}

static MlirLogicalResult log_diagnostic(MlirDiagnostic diagnostic, void *data) {
  (void)data;
  static const char *const severities[] = {"error", "warning", "note", "remark"};
  mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), unit_append, &diagnostics);
  append_text(": ");
  append_text(severities[mlirDiagnosticGetSeverity(diagnostic)]);
  append_text(": ");
  mlirDiagnosticPrint(diagnostic, unit_append, &diagnostics);
  append_text("\n");
  ++num_diagnostics;
  return mlirLogicalResultSuccess();
}

MlirContext unit_context(void) {
  static MlirContext context;
  if (mlirContextIsNull(context)) {
    context = streamZcContextCreate(false);
    mlirContextAttachDiagnosticHandler(context, log_diagnostic, NULL, NULL);
  }
  return context;
}

MlirAttribute unit_attribute(const char *text) {
  MlirAttribute attribute = mlirAttributeParseGet(unit_context(), mlirStringRefCreateFromCString(text));
  if (mlirAttributeIsNull(attribute))
    fail_msg("no attribute: %s\n%s", text, unit_diagnostics());
  return attribute;
}

MlirModule unit_module(const char *text) {
  MlirModule module = mlirModuleCreateParse(unit_context(), mlirStringRefCreateFromCString(text));
  if (mlirModuleIsNull(module))
    fail_msg("no module: %s\n%s", text, unit_diagnostics());
  return module;
}

const char *unit_diagnostics(void) {
  return diagnostics ? diagnostics : "";
}
int unit_num_diagnostics(void) {
  return num_diagnostics;
}

void unit_clear_diagnostics(void) {
  free(diagnostics);
  diagnostics = NULL;
  num_diagnostics = 0;
}

char *unit_read_file(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) {
    fail_msg("cannot open %s", path);
    return NULL;
  }
  char *text = NULL;
  size_t size = 0;
  /* A text has no null character: that is the whole file. */
  ssize_t length = getdelim(&text, &size, 0, file);
  fclose(file);
  if (length < 0)
    fail_msg("cannot read %s", path);
  return text;
}

/* A linear congruential generator (Knuth's MMIX constants): the high bits are good enough here. */
uint64_t unit_random(uint64_t *state, uint64_t limit) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (*state >> 33) % limit;
}
