#include "passes/report.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "capi/arena.h"
#include "capi/ops.h"
#include "capi/text.h"
#include "mlir-c/BuiltinAttributes.h"

typedef struct totals {
  bool counted;
  int64_t copies, copied_bytes, dynamic_copies;
  int64_t allocations, allocated_bytes, dynamic_allocations;
  int64_t flushes, invalidates;
} totals;

/* A record whose text is the report's own: it outlives the IR that it was taken from. */
typedef struct record {
  zc_report_level level;
  const char *location; ///< "file:line:column"; null where unknown.
  const char *function;
  const char *source;
  const char *target;
  int64_t bytes;
  zc_decision decision;
  zc_reason reason;
  const char *conflict;
  const char *conflict_location;
} record;

typedef struct report {
  zc_arena *arena;
  zc_report_level level; ///< Of the records that are being added.
  zc_list records;       ///< Of record.
  totals sides[2];       ///< By StreamZcReportSide.
  int64_t rewrites;
} report;

StreamZcReport streamZcReportCreate(void) {
  zc_arena *arena = zc_arena_create();
  report *created = zc_arena_new(arena, report);
  created->arena = arena;
  return (StreamZcReport){created};
}

void streamZcReportDestroy(StreamZcReport handle) {
  if (!streamZcReportIsNull(handle))
    zc_arena_destroy(((report *)handle.ptr)->arena);
}

/* Records. */

static const char *location_text(zc_arena *arena, MlirLocation location);

static const char *fused_text(zc_arena *arena, MlirLocation fused) {
  unsigned count = mlirLocationFusedGetNumLocations(fused);
  MlirLocation *parts = zc_arena_array(arena, MlirLocation, count);
  mlirLocationFusedGetLocations(fused, parts);
  const char *text = NULL;
  for (unsigned i = 0; i < count && !text; ++i)
    text = location_text(arena, parts[i]);
  return text;
}

/* "file:line:column" of the innermost file location; null where there is none. A fused location's first part speaks. */
static const char *location_text(zc_arena *arena, MlirLocation location) {
  if (mlirLocationIsNull(location))
    return NULL;
  if (mlirLocationIsAName(location))
    return location_text(arena, mlirLocationNameGetChildLoc(location));
  if (mlirLocationIsACallSite(location)) {
    const char *callee = location_text(arena, mlirLocationCallSiteGetCallee(location));
    return callee ? callee : location_text(arena, mlirLocationCallSiteGetCaller(location));
  }
  if (mlirLocationIsAFused(location))
    return fused_text(arena, location);
  if (!mlirLocationIsAFileLineColRange(location))
    return NULL;
  MlirStringRef file = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location));
  return zc_arena_format(arena, "%.*s:%d:%d", (int)file.length, file.data,
                         mlirLocationFileLineColRangeGetStartLine(location),
                         mlirLocationFileLineColRangeGetStartColumn(location));
}

static const char *copy_text(zc_arena *arena, const char *text) {
  return text ? zc_arena_copy(arena, text, strlen(text)) : NULL;
}

void zc_report_begin(StreamZcReport handle, zc_report_level level) {
  if (streamZcReportIsNull(handle))
    return;
  report *to = handle.ptr;
  int kept = 0;
  for (int i = 0; i < to->records.count; ++i) {
    record one = zc_list_at(&to->records, record, i);
    bool shown_again = one.level == level || (one.level < level && one.decision == ZC_DECISION_COPY);
    if (!shown_again)
      zc_list_at(&to->records, record, kept++) = one;
  }
  to->records.count = kept;
  to->level = level;
}

void zc_report_add(StreamZcReport handle, const zc_transfer_record *added) {
  if (streamZcReportIsNull(handle))
    return;
  report *to = handle.ptr;
  record kept = {
      .level = to->level,
      .location = location_text(to->arena, added->location),
      .function = copy_text(to->arena, added->function ? added->function : ""),
      .source = copy_text(to->arena, added->source),
      .target = copy_text(to->arena, added->target),
      .bytes = added->bytes,
      .decision = added->decision,
      .reason = added->reason,
      .conflict = copy_text(to->arena, added->conflict),
      .conflict_location = added->conflict ? location_text(to->arena, added->conflict_location) : NULL,
  };
  zc_list_push(to->arena, &to->records, record, kept);
}

bool zc_report_take_rewrite(StreamZcReport handle, int64_t limit, int64_t *local) {
  int64_t *applied = streamZcReportIsNull(handle) ? local : &((report *)handle.ptr)->rewrites;
  if (limit >= 0 && *applied >= limit)
    return false;
  ++*applied;
  return true;
}

/* Counting. */

/* The value of an arith.constant that makes `size`; -1 where it isn't one, or is negative. */
static int64_t constant_size(MlirValue size) {
  if (!mlirValueIsAOpResult(size))
    return -1;
  MlirOperation op = mlirOpResultGetOwner(size);
  if (!zc_str_is(mlirIdentifierStr(mlirOperationGetName(op)), "arith.constant"))
    return -1;
  MlirAttribute value = mlirOperationGetAttributeByName(op, zc_str("value"));
  if (mlirAttributeIsNull(value) || !mlirAttributeIsAInteger(value))
    return -1;
  int64_t bytes = mlirIntegerAttrGetValueInt(value);
  return bytes < 0 ? -1 : bytes;
}

static void count_sized(MlirOperation op, intptr_t operand, int64_t *count, int64_t *bytes, int64_t *dynamic) {
  ++*count;
  int64_t size = operand < mlirOperationGetNumOperands(op) ? constant_size(mlirOperationGetOperand(op, operand)) : -1;
  if (size < 0)
    ++*dynamic;
  else if (__builtin_add_overflow(*bytes, size, bytes))
    *bytes = INT64_MAX;
}

/* As IREE writes it or as zc-lower-cache-maintenance does. */
static bool is_maintenance(MlirOperation op, const char *name, const char *kind) {
  if (zc_str_is(mlirIdentifierStr(mlirOperationGetName(op)), name))
    return true;
  MlirAttribute lowered = mlirOperationGetAttributeByName(op, zc_str(ZC_MAINTENANCE_ATTRIBUTE));
  return !mlirAttributeIsNull(lowered) && mlirAttributeIsAString(lowered) &&
         zc_str_is(mlirStringAttrGetValue(lowered), kind);
}

static MlirWalkResult count_op(MlirOperation op, void *data) {
  enum { COPY_LENGTH = 6, ALLOCATION_SIZE = 0 };
  totals *to = data;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(op));
  if (zc_str_is(name, "stream.cmd.copy"))
    count_sized(op, COPY_LENGTH, &to->copies, &to->copied_bytes, &to->dynamic_copies);
  else if (zc_str_is(name, "stream.resource.alloca") || zc_str_is(name, "stream.resource.alloc"))
    count_sized(op, ALLOCATION_SIZE, &to->allocations, &to->allocated_bytes, &to->dynamic_allocations);
  else if (is_maintenance(op, "stream.cmd.flush", "flush"))
    ++to->flushes;
  else if (is_maintenance(op, "stream.cmd.invalidate", "invalidate"))
    ++to->invalidates;
  return MlirWalkResultAdvance;
}

void streamZcReportCountModule(StreamZcReport handle, StreamZcReportSide side, MlirOperation module) {
  if (streamZcReportIsNull(handle))
    return;
  totals counted = {.counted = true};
  mlirOperationWalk(module, count_op, &counted, MlirWalkPreOrder);
  ((report *)handle.ptr)->sides[side] = counted;
}

/* JSON. */

/* The length of the UTF-8 sequence at `text`; 0 where it is none. */
static size_t utf8_length(const unsigned char *text) {
  static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
  size_t length = *text < 0x80 ? 1 : *text >> 5 == 6 ? 2 : *text >> 4 == 14 ? 3 : *text >> 3 == 30 ? 4 : 0;
  if (length < 2)
    return length;
  unsigned code = *text & (0x7Fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if (text[i] >> 6 != 2)
      return 0;
    code = code << 6 | (text[i] & 0x3Fu);
  }
  bool valid = code >= least[length] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  return valid ? length : 0;
}

/* File names may hold any bytes, JSON may not: what isn't UTF-8 becomes U+FFFD. Null becomes null. */
static cJSON *text_json(zc_arena *arena, const char *text) {
  if (!text)
    return cJSON_CreateNull();
  char *clean = zc_arena_alloc(arena, 3 * strlen(text) + 1);
  char *out = clean;
  while (*text) {
    size_t length = utf8_length((const unsigned char *)text);
    memcpy(out, length ? text : "\xEF\xBF\xBD", length ? length : 3);
    out += length ? length : 3;
    text += length ? length : 1;
  }
  return cJSON_CreateString(clean);
}

/* cJSON keeps numbers as doubles, which don't hold every byte count. */
static void add_count(cJSON *object, const char *name, int64_t value) {
  char text[24];
  snprintf(text, sizeof text, "%" PRId64, value);
  cJSON_AddRawToObject(object, name, text);
}

static cJSON *conflict_json(zc_arena *arena, const record *from) {
  if (!from->conflict)
    return cJSON_CreateNull();
  cJSON *object = cJSON_CreateObject();
  cJSON_AddItemToObject(object, "op", text_json(arena, from->conflict));
  cJSON_AddItemToObject(object, "location", text_json(arena, from->conflict_location));
  return object;
}

static cJSON *record_json(zc_arena *arena, const record *from) {
  cJSON *object = cJSON_CreateObject();
  cJSON_AddItemToObject(object, "location", text_json(arena, from->location));
  cJSON_AddItemToObject(object, "function", text_json(arena, from->function));
  cJSON_AddItemToObject(object, "source", text_json(arena, from->source));
  cJSON_AddItemToObject(object, "target", text_json(arena, from->target));
  if (from->bytes < 0)
    cJSON_AddNullToObject(object, "bytes");
  else
    add_count(object, "bytes", from->bytes);
  cJSON_AddStringToObject(object, "decision", zc_decision_spelling(from->decision));
  cJSON_AddStringToObject(object, "reason", zc_reason_spelling(from->reason));
  cJSON_AddItemToObject(object, "conflict", conflict_json(arena, from));
  return object;
}

static cJSON *totals_json(const totals *from) {
  if (!from->counted)
    return cJSON_CreateNull();
  cJSON *object = cJSON_CreateObject();
  add_count(object, "copies", from->copies);
  add_count(object, "copied_bytes", from->copied_bytes);
  add_count(object, "dynamic_copies", from->dynamic_copies);
  add_count(object, "allocations", from->allocations);
  add_count(object, "allocated_bytes", from->allocated_bytes);
  add_count(object, "dynamic_allocations", from->dynamic_allocations);
  add_count(object, "flushes", from->flushes);
  add_count(object, "invalidates", from->invalidates);
  return object;
}

static cJSON *report_json(zc_arena *arena, const report *from) {
  cJSON *root = cJSON_CreateObject();
  cJSON *transfers = cJSON_AddArrayToObject(root, "transfers");
  for (int i = 0; i < from->records.count; ++i)
    cJSON_AddItemToArray(transfers, record_json(arena, &zc_list_at(&from->records, record, i)));
  cJSON *sides = cJSON_AddObjectToObject(root, "totals");
  cJSON_AddItemToObject(sides, "before", totals_json(&from->sides[StreamZcReportBefore]));
  cJSON_AddItemToObject(sides, "after", totals_json(&from->sides[StreamZcReportAfter]));
  add_count(root, "rewrites", from->rewrites);
  return root;
}

void streamZcReportPrintJSON(StreamZcReport handle, MlirStringCallback callback, void *userData) {
  if (streamZcReportIsNull(handle))
    return;
  zc_arena *arena = zc_arena_create();
  cJSON *root = report_json(arena, handle.ptr);
  char *text = cJSON_Print(root);
  if (text) {
    callback(zc_str(text), userData);
    callback(zc_str("\n"), userData);
  }
  cJSON_free(text);
  cJSON_Delete(root);
  zc_arena_destroy(arena);
}
