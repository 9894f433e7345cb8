#include "cli/input.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARKER "// -----"

static size_t guess_size(int fd) {
  struct stat status;
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? (size_t)status.st_size + 2 : (size_t)64 * 1024;
}

static bool read_all(int fd, zc_text *text) {
  size_t capacity = guess_size(fd);
  text->data = malloc(capacity);
  ssize_t got = 1;
  while (text->data && got != 0) {
    if (text->length + 1 == capacity) {
      char *larger = realloc(text->data, capacity *= 2);
      if (!larger)
        return false;
      text->data = larger;
    }
    got = read(fd, text->data + text->length, capacity - text->length - 1);
    if (got < 0 && errno != EINTR)
      return false;
    text->length += got > 0 ? (size_t)got : 0;
  }
  if (text->data)
    text->data[text->length] = '\0';
  return text->data != NULL;
}

bool zc_text_read(zc_text *text, const char *path) {
  bool standard = strcmp(path, "-") == 0;
  *text = (zc_text){standard ? "<stdin>" : path, NULL, 0};
  int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  bool ok = read_all(fd, text);
  int why = errno;
  if (!standard)
    close(fd);
  if (!ok)
    zc_text_release(text);
  errno = why;
  return ok;
}

void zc_text_release(zc_text *text) {
  free(text->data);
  text->data = NULL;
  text->length = 0;
}

bool zc_text_is_blank(const zc_text *text) {
  size_t i = 0;
  while (i < text->length && (isspace((unsigned char)text->data[i]) || !text->data[i]))
    ++i;
  return i == text->length;
}

bool zc_text_is_bytecode(const zc_text *text) {
  return text->length >= 4 && memcmp(text->data, "ML\xefR", 4) == 0;
}

/* The line end at or after `at`; `end` for the last line. */
static const char *find_line_end(const char *at, const char *end) {
  const char *newline = memchr(at, '\n', (size_t)(end - at));
  return newline ? newline : end;
}

const char *zc_text_line(const zc_text *text, int line, size_t *length) {
  const char *end = text->data + text->length;
  const char *at = text->data;
  for (int i = 1; i < line && at; ++i) {
    const char *stop = find_line_end(at, end);
    at = stop < end ? stop + 1 : NULL;
  }
  if (!at || line < 1)
    return NULL;
  const char *stop = find_line_end(at, end);
  *length = (size_t)(stop - at) - (stop > at && stop[-1] == '\r');
  return at;
}

static bool is_marker(const char *at, const char *stop) {
  size_t length = strlen(MARKER);
  if ((size_t)(stop - at) < length || memcmp(at, MARKER, length) != 0)
    return false;
  for (at += length; at < stop; ++at)
    if (!isspace((unsigned char)*at))
      return false;
  return true;
}

zc_list zc_text_split(const zc_text *text, bool at_markers, zc_arena *arena) {
  zc_list chunks = {0};
  const char *end = text->data + text->length;
  zc_chunk chunk = {text->data, 0, 1};
  int line = 1;
  for (const char *at = text->data; at_markers && at < end; ++line) {
    const char *stop = find_line_end(at, end);
    const char *next = stop < end ? stop + 1 : end;
    if (is_marker(at, stop)) {
      chunk.length = (size_t)(at - chunk.data);
      zc_list_push(arena, &chunks, zc_chunk, chunk);
      chunk = (zc_chunk){next, 0, line + 1};
    }
    at = next;
  }
  chunk.length = (size_t)(end - chunk.data);
  zc_list_push(arena, &chunks, zc_chunk, chunk);
  return chunks;
}
