/* What happens when the compiler library goes wrong: it aborts on some inputs (corrupted bytecode, its own bugs).
 */
#ifndef ZC_CLI_CRASH_H
#define ZC_CLI_CRASH_H

#include <stddef.h>

/// Turns a crash into one line on standard error, "<tool>: error: …", and exit status 1, until zc_crash_guard_end.
/// `tool` and `input` are borrowed. Crashes are left alone in a sanitizer's build, where they must
/// be seen as such.
void zc_crash_guard_begin(const char *tool, const char *input);
void zc_crash_guard_end(void);

/// Between these two, inside the guard, the process may compute for `seconds` and take `bytes` of memory more than it
/// has (no limit of memory in a sanitizer's build); beyond that it ends with one line and exit status 1.
void zc_limits_begin(unsigned seconds, size_t bytes);
void zc_limits_end(void);

#endif /* ZC_CLI_CRASH_H */
