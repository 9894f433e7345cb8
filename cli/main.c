/* The executable: brings IREE's compiler library, which exports mlir-c, into the process and starts the tool in
 * libstream_zc.so. Neither is linked, so that a library that is missing or too old is one clear line. */
#include <dlfcn.h>
#include <glob.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream_zc/Opt.h"

#define TOOL "stream-zc-opt"
#define LIBRARY_IN_VENV "lib/python3*/site-packages/iree/compiler/_mlir_libs/libIREECompiler.so"

/* What tells IREE's library from others, and from ones older than we can use. */
static const char *const needed_symbols[] = {
    "ireeCompilerGlobalInitialize",    "ireeCompilerRegisterDialects",
    "ireeCompilerInitializeContext",   "ireeCompilerGetRevision",
    "mlirOperationCreateParse",        "mlirOperationSetLocation",
    "mlirCreateExternalPass",          "mlirEmitRemark",
    "mlirPassManagerEnableStatistics",
};

static void complain(const char *what, const char *detail) {
  fprintf(stderr,
          TOOL ": error: %s%s; install it with 'pip install iree-base-compiler==" STREAM_ZC_TESTED_IREE_VERSION
               "' or set STREAM_ZC_IREE_LIB to its libIREECompiler.so\n",
          what, detail);
}

static bool find_in_venv(const char *venv, char *path) {
  char pattern[PATH_MAX + 256];
  snprintf(pattern, sizeof pattern, "%s/" LIBRARY_IN_VENV, venv);
  glob_t found;
  bool any = glob(pattern, 0, NULL, &found) == 0 && strlen(found.gl_pathv[0]) < PATH_MAX;
  if (any)
    strcpy(path, found.gl_pathv[0]);
  globfree(&found);
  return any;
}

/* Looks for `.venv` in `folder` and in each folder above it. Cuts `folder` as it goes. */
static bool find_above(char *folder, char *path) {
  while (*folder) {
    char venv[PATH_MAX + 8];
    snprintf(venv, sizeof venv, "%s/.venv", folder);
    if (find_in_venv(venv, path))
      return true;
    *strrchr(folder, '/') = '\0';
  }
  return false;
}

static bool find_configured(char *path) {
  if (access(STREAM_ZC_CONFIGURED_IREE_LIB, R_OK) != 0)
    return false;
  snprintf(path, PATH_MAX, "%s", STREAM_ZC_CONFIGURED_IREE_LIB);
  return true;
}

static bool find_iree(const char *own_folder, char *path) {
  const char *asked = getenv("STREAM_ZC_IREE_LIB");
  if (asked && *asked) {
    snprintf(path, PATH_MAX, "%s", asked);
    return true;
  }
  const char *venv = getenv("VIRTUAL_ENV");
  char folder[PATH_MAX];
  if (find_configured(path) || (venv && *venv && find_in_venv(venv, path)))
    return true;
  strcpy(folder, own_folder);
  if (find_above(folder, path))
    return true;
  return getcwd(folder, sizeof folder) && *folder == '/' && find_above(folder, path);
}

static bool open_iree(const char *own_folder) {
  char path[PATH_MAX];
  if (!find_iree(own_folder, path)) {
    complain("IREE's compiler library was not found", "");
    return false;
  }
  void *library = dlopen(path, RTLD_LAZY | RTLD_GLOBAL);
  if (!library) {
    complain("cannot load IREE's compiler library: ", dlerror());
    return false;
  }
  for (size_t i = 0; i < sizeof needed_symbols / sizeof *needed_symbols; ++i)
    if (!dlsym(library, needed_symbols[i])) {
      char what[PATH_MAX + 128];
      snprintf(what, sizeof what, "%s is too old or not IREE's compiler library: it has no ", path);
      complain(what, needed_symbols[i]);
      return false;
    }
  return true;
}

/* Binds everything at once: whatever else the library lacks is found here and not in the middle of the work. */
static int (*open_tool(const char *own_folder))(int, char **) {
  char path[PATH_MAX + 32];
  snprintf(path, sizeof path, "%s/libstream_zc.so", own_folder);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    const char *why = dlerror();
    if (strstr(why, "undefined symbol"))
      complain("IREE's compiler library is too old: ", why);
    else
      fprintf(stderr, TOOL ": error: cannot load %s\n", why);
    return NULL;
  }
  int (*tool)(int, char **);
  *(void **)&tool = dlsym(library, "streamZcOptMain");
  if (!tool)
    fprintf(stderr, TOOL ": error: %s is not this tool's library\n", path);
  return tool;
}

int main(int argc, char **argv) {
  char folder[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
  if (length <= 0) {
    perror(TOOL ": error: /proc/self/exe");
    return 1;
  }
  folder[length] = '\0';
  *strrchr(folder, '/') = '\0';
  if (!open_iree(folder))
    return 1;
  int (*tool)(int, char **) = open_tool(folder);
  return tool ? tool(argc, argv) : 1;
}
