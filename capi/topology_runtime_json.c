/* The `runtime` value of a link in the topology file: a word, or its fields by name. */
#include <math.h>
#include <string.h>

#include "capi/topology_json.h"

static const char *names_text(zc_arena *arena, const char *const *names, int count) {
  const char *text = "";
  for (int i = 0; i < count; ++i)
    text = zc_arena_format(arena, "%s%s%s", text, i ? ", " : "", names[i]);
  return text;
}

/* One name of a closed list. */
static bool read_name(const zc_json *in, const cJSON *item, const char *what, const char *const *names, int count,
                      int *index) {
  const char *known = names_text(in->arena, names, count);
  if (!cJSON_IsString(item))
    return zc_json_fail_at_value(
        in, item, zc_arena_format(in->arena, "%s must be one of %s, not %s", what, known, zc_json_kind(item)));
  *index = zc_runtime_find_name(names, count, item->valuestring);
  return *index >= 0 ||
         zc_json_fail_at_value(
             in, item, zc_arena_format(in->arena, "%s can't be '%s'; known are %s", what, item->valuestring, known));
}

static bool read_capabilities(const zc_json *in, const cJSON *array, uint16_t *bits) {
  if (!cJSON_IsArray(array))
    return zc_json_fail_at_value(
        in, array, zc_arena_format(in->arena, "'capabilities' must be an array, not %s", zc_json_kind(array)));
  *bits = 0;
  const cJSON *item;
  cJSON_ArrayForEach(item, array) {
    int index = -1;
    if (!read_name(in, item, "a capability", zc_runtime_capability_names, ZC_NUM_RUNTIME_CAPABILITIES, &index))
      return false;
    if (*bits >> index & 1)
      return zc_json_fail_at_value(in, item, zc_arena_format(in->arena, "capability '%s' twice", item->valuestring));
    *bits = (uint16_t)(*bits | 1u << index);
  }
  return true;
}

static bool read_level(const zc_json *in, const cJSON *item, uint16_t *level) {
  if (!cJSON_IsNumber(item))
    return zc_json_fail_at_value(in, item,
                                 zc_arena_format(in->arena, "'%s' must be a whole number from 0 to 15, not %s",
                                                 item->string, zc_json_kind(item)));
  double value = item->valuedouble;
  if (!(value >= 0 && value <= 15) || value != floor(value))
    return zc_json_fail_at_value(
        in, item,
        zc_arena_format(in->arena, "'%s' is out of range: it must be a whole number from 0 to 15", item->string));
  *level = (uint16_t)value;
  return true;
}

static bool read_field(const zc_json *in, zc_runtime_field field, const cJSON *item, zc_runtime_value *out) {
  const zc_runtime_field_info *info = &zc_runtime_fields[field];
  const char *what = info->group ? zc_arena_format(in->arena, "'%s' of '%s'", info->name, info->group)
                                 : zc_arena_format(in->arena, "'%s'", info->name);
  uint16_t *value = &out->edge.fields[field];
  int index = 0;
  bool good = false;
  switch (info->kind) {
  case ZC_RUNTIME_KIND_CAPABILITIES:
    good = read_capabilities(in, item, value);
    break;
  case ZC_RUNTIME_KIND_LEVEL:
    good = read_level(in, item, value);
    break;
  case ZC_RUNTIME_KIND_MODE:
    good = read_name(in, item, what, zc_runtime_mode_names, ZC_NUM_RUNTIME_MODES, &index);
    *value = (uint16_t)index;
    break;
  case ZC_RUNTIME_KIND_LINK_CLASS:
    good = read_name(in, item, what, zc_runtime_link_class_names, ZC_NUM_RUNTIME_LINK_CLASSES, &index);
    *value = (uint16_t)index;
    break;
  }
  out->fields[field] = item;
  return good;
}

static bool same_text(const char *a, const char *b) {
  return a == b || (a && b && strcmp(a, b) == 0);
}

static int find_field(const char *group, const char *name) {
  for (int i = 0; i < ZC_NUM_RUNTIME_FIELDS; ++i)
    if (same_text(zc_runtime_fields[i].group, group) && strcmp(zc_runtime_fields[i].name, name) == 0)
      return i;
  return -1;
}

static bool is_group(const char *name) {
  for (int i = 0; i < ZC_NUM_RUNTIME_FIELDS; ++i)
    if (zc_runtime_fields[i].group && strcmp(zc_runtime_fields[i].group, name) == 0)
      return true;
  return false;
}

/* The keys of a group, or those that stand beside the groups. */
static const char *keys_text(zc_arena *arena, const char *group) {
  const char *text = group ? "" : "buffer_read, buffer_write";
  for (int i = 0; i < ZC_NUM_RUNTIME_FIELDS; ++i)
    if (same_text(zc_runtime_fields[i].group, group))
      text = zc_arena_format(arena, "%s%s%s", text, *text ? ", " : "", zc_runtime_fields[i].name);
  return text;
}

/* Known keys are few, so the ones before are soon looked through. */
static bool is_repeated(const cJSON *object, const cJSON *item) {
  for (const cJSON *before = object->child; before != item; before = before->next)
    if (strcmp(before->string, item->string) == 0)
      return true;
  return false;
}

/* `group` is the key of `object` where it holds the fields of a group; null for the outer one. */
static bool read_fields(const zc_json *in, const cJSON *object, const char *group, zc_runtime_value *out) {
  const char *where = group ? group : "runtime";
  if (!cJSON_IsObject(object))
    return zc_json_fail_at_value(
        in, object, zc_arena_format(in->arena, "'%s' must be an object, not %s", where, zc_json_kind(object)));
  const cJSON *item;
  cJSON_ArrayForEach(item, object) {
    bool opens_group = !group && is_group(item->string);
    int field = find_field(group, item->string);
    if (!opens_group && field < 0)
      return zc_json_fail_at_key(in, item,
                                 zc_arena_format(in->arena, "unknown key '%s' in '%s'; known are %s", item->string,
                                                 where, keys_text(in->arena, group)));
    if (is_repeated(object, item))
      return zc_json_fail_at_key(in, item, zc_arena_format(in->arena, "'%s' twice in '%s'", item->string, where));
    if (opens_group ? !read_fields(in, item, item->string, out) : !read_field(in, (zc_runtime_field)field, item, out))
      return false;
  }
  return true;
}

static bool read_word(const zc_json *in, const cJSON *item, zc_runtime_value *out) {
  uint64_t word;
  if (!zc_runtime_parse_word(item->valuestring, &word))
    return zc_json_fail_at_value(in, item, "a runtime word must be \"0x\" and 1 to 16 hexadecimal digits");
  for (int i = 0; i < ZC_NUM_RUNTIME_FIELDS; ++i)
    out->fields[i] = item;
  const char *problem = zc_runtime_decode(in->arena, word, &out->edge);
  return !problem || zc_json_fail_at_value(in, item, problem);
}

bool zc_runtime_read(const zc_json *in, const cJSON *item, zc_runtime_value *out) {
  *out = (zc_runtime_value){.item = item, .edge = zc_runtime_edge_default()};
  if (!cJSON_IsString(item) && !cJSON_IsObject(item))
    return zc_json_fail_at_value(in, item,
                                 zc_arena_format(in->arena,
                                                 "'runtime' must be a word as a string (\"0x…\"), or an object, not %s",
                                                 zc_json_kind(item)));
  if (cJSON_IsString(item) ? !read_word(in, item, out) : !read_fields(in, item, NULL, out))
    return false;
  zc_runtime_field blamed = ZC_NUM_RUNTIME_FIELDS;
  const char *problem = zc_runtime_check(in->arena, &out->edge, &blamed);
  if (!problem)
    return true;
  const cJSON *at = blamed < ZC_NUM_RUNTIME_FIELDS && out->fields[blamed] ? out->fields[blamed] : item;
  return zc_json_fail_at_value(in, at, problem);
}
