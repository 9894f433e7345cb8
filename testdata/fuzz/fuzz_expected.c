/* The expected-… comments from the other side: the bytes choose diagnostics, for which the comments are written. These
 * diagnostics must meet the comments, all of them; without the last one, or with one of another severity, not. */
#include "testdata/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "capi/text.h"
#include "cli/expected.h"
#include "cli/input.h"

enum { MAX_MESSAGES = 6, FIRST_LINE = 3 };

/* A diagnostic and the comment that asks for it. */
typedef struct pair {
  zc_message message;
  const char *place;
  bool is_regex;
} pair;

static unsigned take(zc_cursor *bytes) {
  return bytes->at < bytes->end ? (unsigned char)*bytes->at++ : 0;
}

/* What a comment can hold: one line without an end of a comment or the start of another one. */
static const char *make_text(zc_arena *arena, zc_cursor *bytes, bool is_regex) {
  char text[12] = "";
  unsigned count = take(bytes) % sizeof text;
  for (unsigned i = 0; i < count; ++i) {
    char c = (char)take(bytes);
    text[i] = !c || c == '\n' || c == '{' || c == '}' || c == 'e' ? '.' : c;
  }
  /* The brace is one more character that a comment must write as it is. */
  return zc_arena_format(arena, is_regex ? "a%s{z" : "a%s", text);
}

static pair make_pair(zc_arena *arena, zc_cursor *bytes, int number) {
  unsigned choice = take(bytes);
  pair made = {.is_regex = choice & 1};
  const char *text = make_text(arena, bytes, made.is_regex);
  int line = FIRST_LINE + number;
  made.message = (zc_message){(MlirDiagnosticSeverity)(choice >> 1 & 3), "in.mlir", line, 1,
                              zc_arena_format(arena, "%d %s", number, text)};
  unsigned distance = take(bytes);
  switch (choice >> 3 & 3) {
  case 0:
    made.place = "";
    break;
  case 1:
    made.place = zc_arena_format(arena, "@+%u ", distance);
    made.message.line += (int)distance;
    break;
  case 2:
    made.place = zc_arena_format(arena, " @-%u", distance % (unsigned)line);
    made.message.line -= (int)(distance % (unsigned)line);
    break;
  case 3:
    made.place = "@unknown";
    made.message.line = 0;
    break;
  }
  return made;
}

/* `{{a.*}}` between plain text matches the middle of the message. */
static const char *comment_text(zc_arena *arena, const pair *made) {
  if (!made->is_regex)
    return made->message.text;
  size_t length = strlen(made->message.text);
  return zc_arena_format(arena, "%.2s{{.*}}%s", made->message.text, made->message.text + length - 1);
}

static const char *write_comments(zc_arena *arena, const pair *pairs, int count) {
  const char *text = "";
  for (int i = 0; i < count; ++i)
    text = zc_arena_format(arena, "%sop // expected-%s%s %s{{%s}}\n", text, zc_severity_name(pairs[i].message.severity),
                           pairs[i].is_regex ? "-re" : "", pairs[i].place, comment_text(arena, &pairs[i]));
  return text;
}

static void count_complaint(void *count, const zc_message *message) {
  fuzz_require(message->text && *message->text, "a complaint has a text");
  ++*(int *)count;
}

/* How many complaints there are where these diagnostics come. */
static int deliver(zc_arena *arena, const char *text, const pair *pairs, int count) {
  zc_chunk chunk = {text, strlen(text), FIRST_LINE};
  int complaints = 0;
  zc_expectations *expected = zc_expectations_read(&chunk, "in.mlir", arena, count_complaint, &complaints);
  for (int i = 0; i < count; ++i)
    zc_expectations_take(expected, &pairs[i].message);
  bool met = zc_expectations_end(expected);
  fuzz_require(met == !complaints, "complaints are failures");
  zc_expectations_release(expected);
  return complaints;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  zc_arena *arena = zc_arena_create();
  zc_cursor bytes = {(const char *)data, (const char *)data + size};
  pair pairs[MAX_MESSAGES];
  int count = 0;
  do {
    pairs[count] = make_pair(arena, &bytes, count);
    ++count;
  } while (bytes.at < bytes.end && count < MAX_MESSAGES);
  const char *text = write_comments(arena, pairs, count);
  fuzz_require(deliver(arena, text, pairs, count) == 0, "the diagnostics that are expected are all that is");
  fuzz_require(deliver(arena, text, pairs, count - 1) == 1, "a missing one is seen");
  pairs[0].message.severity = (MlirDiagnosticSeverity)((pairs[0].message.severity + 1) % 4);
  fuzz_require(deliver(arena, text, pairs, count) >= 1, "the severity counts");
  zc_arena_destroy(arena);
  return 0;
}
