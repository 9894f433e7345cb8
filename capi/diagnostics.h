/* Diagnostics through MLIR's engine: whoever embeds us sees them where it sees its own. */
#ifndef ZC_CAPI_DIAGNOSTICS_H
#define ZC_CAPI_DIAGNOSTICS_H

#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"

void zc_error_at(MlirLocation location, const char *format, ...) __attribute__((format(printf, 2, 3)));
void zc_warning_at(MlirLocation location, const char *format, ...) __attribute__((format(printf, 2, 3)));
void zc_remark_at(MlirLocation location, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif /* ZC_CAPI_DIAGNOSTICS_H */
