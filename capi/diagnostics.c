#include "capi/diagnostics.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Exported by the library (LLVM 24) but not yet declared by the headers (LLVM 22). */
void mlirEmitWarning(MlirLocation location, const char *message);
void mlirEmitRemark(MlirLocation location, const char *message);

static void emit(void (*to)(MlirLocation, const char *), MlirLocation location, const char *format, va_list arguments) {
  char *message;
  if (vasprintf(&message, format, arguments) < 0) {
    to(location, format);
    return;
  }
  to(location, message);
  free(message);
}

#define DEFINE_EMITTER(name, to)                                                                                       \
  void name(MlirLocation location, const char *format, ...) {                                                          \
    va_list arguments;                                                                                                 \
    va_start(arguments, format);                                                                                       \
    emit(to, location, format, arguments);                                                                             \
    va_end(arguments);                                                                                                 \
  }
DEFINE_EMITTER(zc_error_at, mlirEmitError)
DEFINE_EMITTER(zc_warning_at, mlirEmitWarning)
DEFINE_EMITTER(zc_remark_at, mlirEmitRemark)
