#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool zc_buffer_open(zc_buffer *buffer) {
  *buffer = (zc_buffer){0};
  buffer->stream = open_memstream(&buffer->data, &buffer->length);
  return buffer->stream != NULL;
}

bool zc_buffer_close(zc_buffer *buffer) {
  if (!buffer->stream)
    return buffer->data != NULL;
  bool ok = !ferror(buffer->stream);
  ok &= fclose(buffer->stream) == 0;
  buffer->stream = NULL;
  return ok;
}

void zc_buffer_release(zc_buffer *buffer) {
  zc_buffer_close(buffer);
  free(buffer->data);
  *buffer = (zc_buffer){0};
}

void zc_buffer_append(MlirStringRef piece, void *buffer) {
  fwrite_unlocked(piece.data, 1, piece.length, ((zc_buffer *)buffer)->stream);
}

static bool write_all(int fd, const char *data, size_t length) {
  while (length) {
    ssize_t written = write(fd, data, length);
    if (written < 0 && errno != EINTR)
      return false;
    data += written > 0 ? written : 0;
    length -= written > 0 ? (size_t)written : 0;
  }
  return true;
}

static bool is_special(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

/* mkstemp makes files that only we can read; what a shell's redirection makes, everybody that the umask lets. */
static mode_t new_file_mode(const char *path) {
  struct stat status;
  if (stat(path, &status) == 0)
    return status.st_mode & 0777;
  mode_t mask = umask(0);
  umask(mask);
  return 0666 & ~mask;
}

static bool write_temporary(zc_staged *staged) {
  int fd = mkostemp(staged->temporary, O_CLOEXEC);
  if (fd < 0) {
    free(staged->temporary);
    staged->temporary = NULL;
    return false;
  }
  bool ok = write_all(fd, staged->data, staged->length) && fchmod(fd, new_file_mode(staged->path)) == 0;
  int why = errno;
  if (close(fd) != 0 && ok) {
    ok = false;
    why = errno;
  }
  errno = why;
  return ok;
}

bool zc_stage(zc_staged *staged, const char *path, const char *data, size_t length) {
  *staged = (zc_staged){NULL, NULL, data, length};
  if (strcmp(path, "-") == 0)
    return true;
  char *target = realpath(path, NULL); /* A link stays a link. */
  staged->path = target ? target : strdup(path);
  if (!staged->path)
    return false;
  if (is_special(staged->path)) {
    bool writable = access(staged->path, W_OK) == 0;
    struct stat status;
    if (writable && stat(staged->path, &status) == 0 && S_ISDIR(status.st_mode)) {
      writable = false;
      errno = EISDIR;
    }
    return writable;
  }
  if (asprintf(&staged->temporary, "%s.XXXXXX", staged->path) < 0) {
    staged->temporary = NULL;
    return false;
  }
  return write_temporary(staged);
}

static bool write_in_place(const zc_staged *staged) {
  int fd = staged->path ? open(staged->path, O_WRONLY | O_CLOEXEC) : STDOUT_FILENO;
  if (fd < 0)
    return false;
  bool ok = write_all(fd, staged->data, staged->length);
  int why = errno;
  if (staged->path && close(fd) != 0 && ok) {
    ok = false;
    why = errno;
  }
  errno = why;
  return ok;
}

static void end(zc_staged *staged) {
  free(staged->path);
  free(staged->temporary);
  *staged = (zc_staged){0};
}

bool zc_staged_commit(zc_staged *staged) {
  bool ok = staged->temporary ? rename(staged->temporary, staged->path) == 0 : write_in_place(staged);
  int why = errno;
  if (ok)
    end(staged);
  else
    zc_staged_discard(staged);
  errno = why;
  return ok;
}

void zc_staged_discard(zc_staged *staged) {
  int why = errno;
  if (staged->temporary)
    unlink(staged->temporary);
  end(staged);
  errno = why;
}
