/* Text or bytecode to a module. */
#ifndef ZC_CLI_PARSE_H
#define ZC_CLI_PARSE_H

#include "cli/diagnostics.h"

/// Parses `chunk` of the diagnostics' input into a verified builtin.module, which the caller destroys; one is made
/// around ops that don't have one. Locations say the name of the input and the line in the whole of it. Null where that
/// fails, with an error emitted.
MlirOperation zc_parse_module(zc_diagnostics *diagnostics, const zc_chunk *chunk);

#endif /* ZC_CLI_PARSE_H */
