#include "capi/json.h"

#include <string.h>

#include "capi/diagnostics.h"

typedef struct position {
  size_t key;   ///< Byte offset of the key's opening quote; that of the value where there is no key.
  size_t value; ///< Byte offset of the value.
} position;

zc_json zc_json_create(zc_arena *arena, MlirContext context, MlirStringRef text, MlirStringRef file,
                       const char *subject) {
  return (zc_json){arena, context, text, file, subject, zc_ptr_map_create(arena), text.length};
}

void zc_json_release(zc_json *in) {
  zc_ptr_map_release(in->positions);
}

/* Positions. */

/* cJSON's idea of white space. */
static void skip_space(const zc_json *in, size_t *at) {
  while (*at < in->text.length && (unsigned char)in->text.data[*at] <= ' ')
    ++*at;
}

static void skip_string(zc_json *in, size_t *at) {
  for (++*at; *at < in->text.length && in->text.data[*at] != '"'; ++*at) {
    if (in->text.data[*at] != '\\')
      continue;
    if (in->text.length - *at >= 6 && memcmp(in->text.data + *at, "\\u0000", 6) == 0 && *at < in->null_escape)
      in->null_escape = *at;
    ++*at;
  }
  ++*at;
}

static void skip_scalar(zc_json *in, size_t *at) {
  if (*at < in->text.length && in->text.data[*at] == '"') {
    skip_string(in, at);
    return;
  }
  while (*at < in->text.length && !strchr(",]}", in->text.data[*at]) && (unsigned char)in->text.data[*at] > ' ')
    ++*at;
}

/* Recurses no deeper than cJSON did, which has accepted every bracket, comma and colon that is stepped over. */
static void find_positions(zc_json *in, const cJSON *item, size_t *at) {
  skip_space(in, at);
  position *where = zc_arena_new(in->arena, position);
  where->key = where->value = *at;
  zc_ptr_map_set(in->positions, item, where);
  if (!cJSON_IsObject(item) && !cJSON_IsArray(item)) {
    skip_scalar(in, at);
    return;
  }
  for (const cJSON *child = item->child; child; child = child->next) {
    ++*at;
    skip_space(in, at);
    size_t key = *at;
    if (cJSON_IsObject(item)) {
      skip_string(in, at);
      skip_space(in, at);
      ++*at;
    }
    find_positions(in, child, at);
    ((position *)zc_ptr_map_get(in->positions, child))->key = key;
    skip_space(in, at);
  }
  ++*at;
  if (!item->child) {
    skip_space(in, at);
    ++*at;
  }
}

/* Errors and places. */

static void find_line(const zc_json *in, size_t offset, unsigned *line, unsigned *column) {
  *line = *column = 1;
  for (size_t i = 0; i < offset && i < in->text.length; ++i) {
    bool newline = in->text.data[i] == '\n';
    *line += newline;
    *column = newline ? 1 : *column + 1;
  }
}

static bool fail_at(const zc_json *in, size_t offset, const char *message) {
  unsigned line, column;
  find_line(in, offset, &line, &column);
  zc_error_at(mlirLocationFileLineColGet(in->context, in->file, line, column), "%s: %s", in->subject, message);
  return false;
}

bool zc_json_fail_at_key(const zc_json *in, const cJSON *item, const char *message) {
  return fail_at(in, ((position *)zc_ptr_map_get(in->positions, item))->key, message);
}

bool zc_json_fail_at_value(const zc_json *in, const cJSON *item, const char *message) {
  return fail_at(in, ((position *)zc_ptr_map_get(in->positions, item))->value, message);
}

const char *zc_json_place(const zc_json *in, const cJSON *item) {
  unsigned line, column;
  find_line(in, ((position *)zc_ptr_map_get(in->positions, item))->value, &line, &column);
  return zc_arena_format(in->arena, "%.*s:%u:%u", (int)in->file.length, in->file.data, line, column);
}

const char *zc_json_kind(const cJSON *item) {
  if (cJSON_IsBool(item))
    return "true or false";
  if (cJSON_IsNumber(item))
    return "a number";
  if (cJSON_IsString(item))
    return "a string";
  if (cJSON_IsArray(item))
    return "an array";
  return cJSON_IsObject(item) ? "an object" : "null";
}

cJSON *zc_json_parse(zc_json *in) {
  const char *end = in->text.data;
  cJSON *root = cJSON_ParseWithLengthOpts(in->text.data, in->text.length, &end, false);
  size_t at = (size_t)(end - in->text.data);
  if (!root) {
    size_t blank = 0;
    skip_space(in, &blank);
    fail_at(in, at, blank == in->text.length ? "empty: a JSON object is expected" : "not valid JSON");
    return NULL;
  }
  while (at < in->text.length && strchr(" \t\r\n", in->text.data[at]) && in->text.data[at])
    ++at;
  bool good = at == in->text.length || fail_at(in, at, "text after the end of the JSON value");
  size_t start = in->text.length >= 3 && memcmp(in->text.data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  if (good)
    find_positions(in, root, &start);
  if (good && in->null_escape < in->text.length)
    good = fail_at(in, in->null_escape, "a null character in a string");
  if (good)
    return root;
  cJSON_Delete(root);
  return NULL;
}
