#include "capi/text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool zc_str_is(MlirStringRef text, const char *other) {
  return mlirStringRefEqual(text, zc_str(other));
}

typedef struct buffer {
  zc_arena *arena;
  zc_list bytes;
} buffer;

static void append(MlirStringRef piece, void *data) {
  buffer *out = data;
  for (size_t i = 0; i < piece.length; ++i)
    zc_list_push(out->arena, &out->bytes, char, piece.data[i]);
}

static char *finish(buffer *out) {
  zc_list_push(out->arena, &out->bytes, char, '\0');
  return out->bytes.items;
}

char *zc_attribute_text(zc_arena *arena, MlirAttribute attribute) {
  buffer out = {arena, {0}};
  mlirAttributePrint(attribute, append, &out);
  return finish(&out);
}

char *zc_type_text(zc_arena *arena, MlirType type) {
  buffer out = {arena, {0}};
  mlirTypePrint(type, append, &out);
  return finish(&out);
}

void zc_skip_space(zc_cursor *cursor) {
  while (cursor->at < cursor->end && isspace((unsigned char)*cursor->at))
    ++cursor->at;
}

bool zc_eat(zc_cursor *cursor, const char *token) {
  zc_cursor ahead = *cursor;
  zc_skip_space(&ahead);
  size_t length = strlen(token);
  if ((size_t)(ahead.end - ahead.at) < length || memcmp(ahead.at, token, length) != 0)
    return false;
  cursor->at = ahead.at + length;
  return true;
}

/* ASCII only, whatever the locale: these are the characters of MLIR's bare names. */
static bool is_symbol_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_symbol_char(char c) {
  return is_symbol_start(c) || (c >= '0' && c <= '9') || c == '$' || c == '.';
}

static int hex_digit(char c) {
  const char *digits = "0123456789abcdef";
  const char *found = c ? strchr(digits, tolower((unsigned char)c)) : NULL;
  return found ? (int)(found - digits) : -1;
}

/* One escape, `at` behind its backslash: how many characters it takes, 0 where MLIR prints none such. */
static int read_escape(const char *at, const char *end, char *out) {
  int high = at < end ? hex_digit(*at) : -1;
  int low = high >= 0 && at + 1 < end ? hex_digit(at[1]) : -1;
  if (low >= 0) {
    *out = (char)(high * 16 + low);
    return 2;
  }
  if (at == end || (*at != '\\' && *at != '"'))
    return 0;
  *out = *at;
  return 1;
}

/* Moves behind the closing quote. */
static bool eat_quoted(zc_cursor *cursor, zc_arena *arena, const char **name) {
  char *text = zc_arena_alloc(arena, (size_t)(cursor->end - cursor->at) + 1);
  size_t length = 0;
  const char *at = cursor->at + 1;
  while (at < cursor->end && *at != '"') {
    char c = *at++;
    if (c == '\\') {
      int taken = read_escape(at, cursor->end, &c);
      if (!taken)
        return false;
      at += taken;
    }
    if (!c)
      return false;
    text[length++] = c;
  }
  if (at == cursor->end || !length)
    return false;
  *name = text;
  cursor->at = at + 1;
  return true;
}

bool zc_eat_symbol(zc_cursor *cursor, zc_arena *arena, const char **name) {
  zc_cursor ahead = *cursor;
  if (!zc_eat(&ahead, "@") || ahead.at == ahead.end)
    return false;
  if (*ahead.at == '"') {
    if (!eat_quoted(&ahead, arena, name))
      return false;
  } else {
    const char *start = ahead.at;
    while (ahead.at < ahead.end && is_symbol_char(*ahead.at))
      ++ahead.at;
    if (ahead.at == start || !is_symbol_start(*start))
      return false;
    *name = zc_arena_copy(arena, start, (size_t)(ahead.at - start));
  }
  *cursor = ahead;
  return true;
}

static bool is_bare_symbol(const char *name) {
  if (!is_symbol_start(*name))
    return false;
  while (*name && is_symbol_char(*name))
    ++name;
  return !*name;
}

const char *zc_symbol_text(zc_arena *arena, const char *name) {
  if (is_bare_symbol(name))
    return zc_arena_format(arena, "@%s", name);
  char *text = zc_arena_alloc(arena, 3 * strlen(name) + 4);
  char *out = text;
  *out++ = '@';
  *out++ = '"';
  for (; *name; ++name) {
    if (is_symbol_char(*name) || *name == '-' || *name == ' ')
      *out++ = *name;
    else
      out += sprintf(out, "\\%02X", (unsigned char)*name);
  }
  *out++ = '"';
  return text;
}
