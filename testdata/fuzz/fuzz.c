#include "testdata/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mlir-c/Diagnostics.h"
#include "stream_zc/Provider.h"

enum { INPUTS_PER_CONTEXT = 2000 };

static MlirContext context;
static int inputs;
static int diagnostics;

static MlirLogicalResult count(MlirDiagnostic diagnostic, void *data) {
  (void)diagnostic;
  (void)data;
  ++diagnostics;
  return mlirLogicalResultSuccess();
}

MlirContext fuzz_context(void) {
  if (inputs++ % INPUTS_PER_CONTEXT == 0) {
    if (!mlirContextIsNull(context))
      mlirContextDestroy(context);
    context = streamZcContextCreate(false);
    mlirContextAttachDiagnosticHandler(context, count, NULL, NULL);
  }
  diagnostics = 0;
  return context;
}

int fuzz_num_diagnostics(void) {
  return diagnostics;
}

void fuzz_require(bool rule, const char *what) {
  if (rule)
    return;
  fprintf(stderr, "broken: %s\n", what);
  abort();
}

void fuzz_append(MlirStringRef piece, void *data) {
  fuzz_text *text = data;
  char *longer = realloc(text->text, text->length + piece.length + 1);
  if (!longer)
    abort();
  if (piece.length)
    memcpy(longer + text->length, piece.data, piece.length);
  text->text = longer;
  text->length += piece.length;
  longer[text->length] = '\0';
}
