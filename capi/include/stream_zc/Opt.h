/* The command line tool as a function, for tools that add passes of their own. */
#ifndef STREAM_ZC_OPT_H
#define STREAM_ZC_OPT_H

#include "stream_zc/Support.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Runs stream-zc-opt with these arguments (argv[0] is the name in messages). Returns the exit status: 0 success, 1 the
/// input or a pass failed, 2 the command line is wrong.
STREAM_ZC_EXPORTED int streamZcOptMain(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif /* STREAM_ZC_OPT_H */
