/* What happens when the compiler library ends the process: it aborts on some inputs (corrupted bytecode, its own bugs).
 */
#ifndef ZC_CLI_CRASH_H
#define ZC_CLI_CRASH_H

/// Turns a crash into one line on standard error, "<tool>: error: …", and exit status 1, until zc_crash_guard_end.
/// `tool` and `input` are borrowed. Not in a sanitizer's build, where a crash must be seen as one.
void zc_crash_guard_begin(const char *tool, const char *input);
void zc_crash_guard_end(void);

#endif /* ZC_CLI_CRASH_H */
