/* zc-import-topology: a JSON file, of plain links or of a runtime's, to `stream.topology`, in place of one that is
 * there. It needs no context of the other passes: whatever attribute the module has, even a malformed one, is replaced.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capi/diagnostics.h"
#include "capi/text.h"
#include "stream_zc/Passes.h"
#include "stream_zc/Topology.h"

/* More than any topology has: 64 devices make 4032 links. */
enum { MAX_FILE_BYTES = 1 << 26 };

/* Reads all of `file` into `text`, which the caller frees; 0, or why not as an errno. */
static int read_stream(FILE *file, char **text, size_t *length) {
  FILE *out = open_memstream(text, length);
  if (!out)
    return ENOMEM;
  char block[1 << 14];
  size_t count, total = 0;
  errno = 0;
  do {
    count = fread(block, 1, sizeof block, file);
    fwrite(block, 1, count, out);
    total += count;
  } while (count == sizeof block && total <= MAX_FILE_BYTES);
  int problem = total > MAX_FILE_BYTES ? EFBIG : ferror(file) ? errno : 0;
  return fclose(out) != 0 ? ENOMEM : problem;
}

static bool import_file(MlirOperation module, const char *path) {
  MlirLocation location = mlirOperationGetLocation(module);
  if (!*path) {
    zc_error_at(location, "zc-import-topology: no file; give it as zc-import-topology{file=PATH}");
    return false;
  }
  FILE *file = fopen(path, "re");
  char *text = NULL;
  size_t length = 0;
  int problem = file ? read_stream(file, &text, &length) : errno;
  if (file)
    fclose(file);
  if (problem)
    zc_error_at(location, "zc-import-topology: cannot read '%s': %s", path, strerror(problem));
  bool good = !problem && mlirLogicalResultIsSuccess(streamZcModuleSetTopologyFromJSON(
                              module, mlirStringRefCreate(text, length), zc_str(path)));
  free(text);
  return good;
}

/* The pass's data is the path, from malloc. */

static void construct(void *path) {
  (void)path;
}

static MlirLogicalResult initialize(MlirContext context, void *path) {
  (void)context;
  return path ? mlirLogicalResultSuccess() : mlirLogicalResultFailure();
}

static void *clone(void *path) {
  return path ? strdup(path) : NULL;
}

static void run(MlirOperation module, MlirExternalPass pass, void *path) {
  if (!import_file(module, path))
    mlirExternalPassSignalFailure(pass);
}

MlirPass streamZcCreateImportTopologyPass(const StreamZcOptions *options) {
  static const double id;
  MlirStringRef path = options ? options->topologyFile : zc_str("");
  MlirExternalPassCallbacks callbacks = {construct, free, initialize, clone, run};
  return mlirCreateExternalPass(mlirTypeIDCreate(&id), zc_str("ImportTopology"), zc_str("zc-import-topology"),
                                zc_str("Sets stream.topology from a JSON file"), zc_str("builtin.module"), 0, NULL,
                                callbacks, strndup(path.length ? path.data : "", path.length));
}
