/* Records, totals and the JSON of a report. */
#include "testdata/units/unit.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capi/text.h"
#include "passes/report.h"

typedef struct fixture {
  StreamZcReport report;
  cJSON *json; ///< What the last call of print gave.
} fixture;

static int set_up(void **state) {
  static fixture f;
  f.report = streamZcReportCreate();
  f.json = NULL;
  *state = &f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  streamZcReportDestroy(f->report);
  cJSON_Delete(f->json);
  return 0;
}

static const cJSON *print(fixture *f) {
  char *text = NULL;
  streamZcReportPrintJSON(f->report, unit_append, &text);
  assert_non_null(text);
  assert_int_equal(text[strlen(text) - 1], '\n');
  cJSON_Delete(f->json);
  f->json = cJSON_Parse(text);
  free(text);
  assert_non_null(f->json);
  return f->json;
}

static const cJSON *get(const cJSON *object, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if (!item)
    fail_msg("no '%s'", key);
  return item;
}

static void has_number(const cJSON *object, const char *key, double value) {
  assert_true(cJSON_IsNumber(get(object, key)));
  assert_true(get(object, key)->valuedouble == value);
}

static void has_text(const cJSON *object, const char *key, const char *value) {
  if (!value) {
    assert_true(cJSON_IsNull(get(object, key)));
    return;
  }
  assert_true(cJSON_IsString(get(object, key)));
  assert_string_equal(get(object, key)->valuestring, value);
}

static MlirLocation location(const char *text) {
  MlirAttribute attribute = unit_attribute(text);
  return mlirLocationFromAttribute(attribute);
}

static zc_transfer_record record_at(const char *place) {
  return (zc_transfer_record){.location = location(place),
                              .function = "main",
                              .source = "dev_a",
                              .target = "dev_b",
                              .bytes = 4096,
                              .decision = ZC_DECISION_COPY,
                              .reason = ZC_REASON_DISCRETE_LINK};
}

static void an_empty_report(void **state) {
  fixture *f = *state;
  const cJSON *json = print(f);
  assert_int_equal(cJSON_GetArraySize(get(json, "transfers")), 0);
  assert_true(cJSON_IsNull(get(get(json, "totals"), "before")));
  assert_true(cJSON_IsNull(get(get(json, "totals"), "after")));
  has_number(json, "rewrites", 0);
}

static void a_record_has_all_fields(void **state) {
  fixture *f = *state;
  zc_transfer_record record = record_at("loc(\"m.mlir\":5:3)");
  record.decision = ZC_DECISION_COPY;
  record.reason = ZC_REASON_SOURCE_OVERWRITTEN;
  record.conflict = "stream.cmd.dispatch";
  record.conflict_location = location("loc(\"m.mlir\":9:7)");
  zc_report_begin(f->report, ZC_REPORT_SCHEDULED);
  zc_report_add(f->report, &record);
  const cJSON *transfer = cJSON_GetArrayItem(get(print(f), "transfers"), 0);
  has_text(transfer, "location", "m.mlir:5:3");
  has_text(transfer, "function", "main");
  has_text(transfer, "source", "dev_a");
  has_text(transfer, "target", "dev_b");
  has_number(transfer, "bytes", 4096);
  has_text(transfer, "decision", "copy");
  has_text(transfer, "reason", "source-overwritten");
  has_text(get(transfer, "conflict"), "op", "stream.cmd.dispatch");
  has_text(get(transfer, "conflict"), "location", "m.mlir:9:7");
}

static void what_is_not_known_is_null(void **state) {
  fixture *f = *state;
  zc_transfer_record record = {.location = mlirLocationUnknownGet(unit_context()),
                               .function = "",
                               .bytes = -1,
                               .decision = ZC_DECISION_ALIAS,
                               .reason = ZC_REASON_SHARED_MEMORY};
  zc_report_begin(f->report, ZC_REPORT_UNSCHEDULED);
  zc_report_add(f->report, &record);
  const cJSON *transfer = cJSON_GetArrayItem(get(print(f), "transfers"), 0);
  has_text(transfer, "location", NULL);
  has_text(transfer, "function", "");
  has_text(transfer, "source", NULL);
  has_text(transfer, "target", NULL);
  assert_true(cJSON_IsNull(get(transfer, "bytes")));
  has_text(transfer, "decision", "alias");
  assert_true(cJSON_IsNull(get(transfer, "conflict")));
}

static void the_innermost_file_location_is_shown(void **state) {
  fixture *f = *state;
  static const struct {
    const char *location, *shown;
  } cases[] = {
      {"loc(\"x\"(\"a.mlir\":1:2))", "a.mlir:1:2"},
      {"loc(fused<{zc.kind = \"alias\"}>[\"b.mlir\":3:4])", "b.mlir:3:4"},
      {"loc(fused[unknown, \"c.mlir\":5:6, \"d.mlir\":7:8])", "c.mlir:5:6"},
      {"loc(callsite(\"inner.mlir\":1:1 at \"outer.mlir\":2:2))", "inner.mlir:1:1"},
      {"loc(callsite(unknown at \"outer.mlir\":2:2))", "outer.mlir:2:2"},
      {"loc(fused[\"n\", callsite(fused[\"e.mlir\":9:9] at unknown)])", "e.mlir:9:9"},
      {"loc(\"name only\")", NULL},
      {"loc(\"r.mlir\":3:4 to 5:6)", "r.mlir:3:4"},
      {"loc(\"dir \\22q\\22/\\C3\\A9\\FF.mlir\":1:1)", "dir \"q\"/\xC3\xA9\xEF\xBF\xBD.mlir:1:1"},
  };
  size_t count = sizeof cases / sizeof *cases;
  zc_report_begin(f->report, ZC_REPORT_SCHEDULED);
  for (size_t i = 0; i < count; ++i) {
    zc_transfer_record record = record_at(cases[i].location);
    zc_report_add(f->report, &record);
  }
  const cJSON *transfers = get(print(f), "transfers");
  for (size_t i = 0; i < count; ++i)
    has_text(cJSON_GetArrayItem(transfers, (int)i), "location", cases[i].shown);
}

/* Adds an alias and a copy, named after the level. */
static void classify(fixture *f, zc_report_level level, const char *name) {
  zc_report_begin(f->report, level);
  zc_transfer_record record = record_at("loc(unknown)");
  record.function = name;
  record.decision = ZC_DECISION_ALIAS;
  record.reason = ZC_REASON_SHARED_MEMORY;
  zc_report_add(f->report, &record);
  record.decision = ZC_DECISION_COPY;
  record.reason = ZC_REASON_UNORDERED_USERS;
  zc_report_add(f->report, &record);
}

static void transfers_are(fixture *f, const char *expected) {
  char found[256] = "";
  const cJSON *item;
  cJSON_ArrayForEach(item, get(print(f), "transfers")) {
    strcat(strcat(found, get(item, "function")->valuestring), "-");
    strcat(strcat(found, get(item, "decision")->valuestring), " ");
  }
  assert_string_equal(found, expected);
}

static void a_later_classification_replaces_an_earlier(void **state) {
  fixture *f = *state;
  classify(f, ZC_REPORT_UNSCHEDULED, "u1");
  transfers_are(f, "u1-alias u1-copy ");
  classify(f, ZC_REPORT_UNSCHEDULED, "u2");
  transfers_are(f, "u2-alias u2-copy ");
  classify(f, ZC_REPORT_SCHEDULED, "s1");
  transfers_are(f, "u2-alias s1-alias s1-copy ");
  classify(f, ZC_REPORT_SCHEDULED, "s2");
  transfers_are(f, "u2-alias s2-alias s2-copy ");
  zc_report_begin(f->report, ZC_REPORT_UNSCHEDULED);
  transfers_are(f, "s2-alias s2-copy ");
}

static void records_keep_their_own_text(void **state) {
  fixture *f = *state;
  char name[] = "before";
  zc_report_begin(f->report, ZC_REPORT_SCHEDULED);
  zc_transfer_record record = record_at("loc(unknown)");
  record.function = record.source = record.target = record.conflict = name;
  zc_report_add(f->report, &record);
  memset(name, 'X', strlen(name));
  const cJSON *transfer = cJSON_GetArrayItem(get(print(f), "transfers"), 0);
  has_text(transfer, "function", "before");
  has_text(transfer, "source", "before");
  has_text(transfer, "target", "before");
  has_text(get(transfer, "conflict"), "op", "before");
  has_text(get(transfer, "conflict"), "location", NULL);
}

static void rewrites_end_at_the_limit(void **state) {
  fixture *f = *state;
  int64_t local = 0;
  for (int i = 0; i < 5; ++i)
    assert_true(zc_report_take_rewrite(f->report, -1, &local));
  assert_false(zc_report_take_rewrite(f->report, 5, &local));
  assert_true(zc_report_take_rewrite(f->report, 6, &local));
  assert_int_equal(local, 0);
  has_number(print(f), "rewrites", 6);
  StreamZcReport none = {NULL};
  assert_true(zc_report_take_rewrite(none, 2, &local));
  assert_true(zc_report_take_rewrite(none, 2, &local));
  assert_false(zc_report_take_rewrite(none, 2, &local));
  assert_int_equal(local, 2);
}

static void a_null_report_takes_anything(void **state) {
  (void)state;
  StreamZcReport none = {NULL};
  zc_transfer_record record = record_at("loc(unknown)");
  zc_report_begin(none, ZC_REPORT_SCHEDULED);
  zc_report_add(none, &record);
  streamZcReportDestroy(none);
  assert_true(streamZcReportIsNull(none));
}

static const char scheduled[] =
    "util.global private @a : !hal.device\n"
    "util.func public @main(%n: index, %t0: !stream.timepoint) -> !stream.timepoint {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c4 = arith.constant 4 : index\n"
    "  %c100 = arith.constant 100 : index\n"
    "  %r0, %t1 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) await(%t0) => "
    "!stream.resource<transient>{%c100} => !stream.timepoint\n"
    "  %r1, %t2 = stream.resource.alloca uninitialized on(#hal.device.affinity<@a>) await(%t1) => "
    "!stream.resource<transient>{%n} => !stream.timepoint\n"
    "  %r2 = stream.resource.alloc uninitialized on(#hal.device.affinity<@a>) : !stream.resource<transient>{%c4}\n"
    "  %t3 = stream.cmd.execute on(#hal.device.affinity<@a>) await(%t2) => with(%r0 as %x: "
    "!stream.resource<transient>{%c100}, %r1 as %y: !stream.resource<transient>{%n}) {\n"
    "    stream.cmd.copy %x[%c0], %y[%c0], %c4 : !stream.resource<transient>{%c100} -> "
    "!stream.resource<transient>{%n}\n"
    "    stream.cmd.copy %x[%c4], %y[%c0], %c4 : !stream.resource<transient>{%c100} -> "
    "!stream.resource<transient>{%n}\n"
    "    stream.cmd.copy %x[%c0], %y[%c0], %n : !stream.resource<transient>{%c100} -> "
    "!stream.resource<transient>{%n}\n"
    "    stream.cmd.flush to(#hal.device.affinity<@a>) %y[%c0 for %c4] : !stream.resource<transient>{%n}\n"
    "    stream.cmd.invalidate from(#hal.device.affinity<@a>) %y[%c0 for %c4] : !stream.resource<transient>{%n}\n"
    "    stream.cmd.invalidate from(#hal.device.affinity<@a>) %x[%c0 for %c4] : !stream.resource<transient>{%c100}\n"
    "  } => !stream.timepoint\n"
    "  util.return %t3 : !stream.timepoint\n"
    "}\n";

static void scheduled_ir_is_counted(void **state) {
  fixture *f = *state;
  MlirModule module = unit_module(scheduled), empty = unit_module("module {}");
  streamZcReportCountModule(f->report, StreamZcReportBefore, mlirModuleGetOperation(module));
  streamZcReportCountModule(f->report, StreamZcReportAfter, mlirModuleGetOperation(module));
  streamZcReportCountModule(f->report, StreamZcReportAfter, mlirModuleGetOperation(empty));
  mlirModuleDestroy(module);
  mlirModuleDestroy(empty);
  const cJSON *totals = get(print(f), "totals"), *before = get(totals, "before"), *after = get(totals, "after");
  static const struct {
    const char *key;
    double before;
  } counts[] = {{"copies", 3},      {"copied_bytes", 8},      {"dynamic_copies", 1},
                {"allocations", 3}, {"allocated_bytes", 104}, {"dynamic_allocations", 1},
                {"flushes", 1},     {"invalidates", 2}};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; ++i) {
    has_number(before, counts[i].key, counts[i].before);
    has_number(after, counts[i].key, 0);
  }
}

static void every_reason_has_a_spelling_of_its_own(void **state) {
  (void)state;
  for (int i = 0; i < ZC_NUM_REASONS; ++i) {
    const char *spelling = zc_reason_spelling((zc_reason)i);
    assert_int_equal(strspn(spelling, "abcdefghijklmnopqrstuvwxyz-"), strlen(spelling));
    assert_true(strlen(zc_reason_text((zc_reason)i)) > 0);
    for (int j = 0; j < i; ++j)
      assert_string_not_equal(spelling, zc_reason_spelling((zc_reason)j));
  }
}

/* docs/report.md lists the reasons as reasons.h has them. */
static void the_documentation_lists_every_reason(void **state) {
  (void)state;
  char *text = unit_read_file(STREAM_ZC_SOURCE_DIR "/docs/report.md");
  for (int i = 0; i < ZC_NUM_REASONS; ++i) {
    char row[512];
    snprintf(row, sizeof row, "\n| `%s` | %s |\n", zc_reason_spelling((zc_reason)i), zc_reason_text((zc_reason)i));
    if (!strstr(text, row))
      fail_msg("docs/report.md lacks:%s", row);
  }
  free(text);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(an_empty_report),
      TEST(a_record_has_all_fields),
      TEST(what_is_not_known_is_null),
      TEST(the_innermost_file_location_is_shown),
      TEST(a_later_classification_replaces_an_earlier),
      TEST(records_keep_their_own_text),
      TEST(rewrites_end_at_the_limit),
      TEST(a_null_report_takes_anything),
      TEST(scheduled_ir_is_counted),
      TEST(every_reason_has_a_spelling_of_its_own),
      TEST(the_documentation_lists_every_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
