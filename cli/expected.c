#include "cli/expected.h"

#include <ctype.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "capi/text.h"

enum { UNKNOWN_LINE = 0, NO_LINE = -1 };

typedef struct expectation {
  MlirDiagnosticSeverity severity;
  int line; ///< UNKNOWN_LINE: a diagnostic without a position in the file; NO_LINE: none can meet it.
  const char *text;
  bool is_regex;
  regex_t regex;
  int at_line; ///< Where the comment is.
  int at_column;
  bool met;
  bool awaits_next_line; ///< @below, until a line without comments is found.
} expectation;

struct zc_expectations {
  zc_arena *arena;
  const char *file;
  zc_complain complain;
  void *data;
  zc_list list; ///< Of expectation *: a regex_t must not move.
  int complaints;
};

static const MlirDiagnosticSeverity severities[] = {MlirDiagnosticError, MlirDiagnosticWarning, MlirDiagnosticNote,
                                                    MlirDiagnosticRemark};

const char *zc_severity_name(MlirDiagnosticSeverity severity) {
  static const char *const names[] = {[MlirDiagnosticError] = "error",
                                      [MlirDiagnosticWarning] = "warning",
                                      [MlirDiagnosticNote] = "note",
                                      [MlirDiagnosticRemark] = "remark"};
  return names[severity];
}

static void complain_at(zc_expectations *in, int line, int column, const char *text) {
  zc_message message = {MlirDiagnosticError, in->file, line, column, text};
  ++in->complaints;
  in->complain(in->data, &message);
}

/* Like zc_eat, but white space isn't skipped. */
static bool eat(zc_cursor *cursor, const char *token) {
  size_t length = strlen(token);
  if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, token, length) != 0)
    return false;
  cursor->at += length;
  return true;
}

static bool eat_severity(zc_cursor *cursor, MlirDiagnosticSeverity *severity) {
  for (size_t i = 0; i < sizeof severities / sizeof *severities; ++i)
    if (eat(cursor, zc_severity_name(severities[i]))) {
      *severity = severities[i];
      return true;
    }
  return false;
}

static bool eat_number(zc_cursor *cursor, int *number) {
  const char *start = cursor->at;
  for (*number = 0; cursor->at < cursor->end && isdigit((unsigned char)*cursor->at); ++cursor->at)
    if (*number < 100000000)
      *number = *number * 10 + (*cursor->at - '0');
  return cursor->at > start;
}

/* What may follow the @. `last_plain` is the last line without a comment. */
static bool eat_place(zc_cursor *cursor, int last_plain, expectation *out) {
  int distance;
  if (eat(cursor, "above"))
    out->line = last_plain;
  else if (eat(cursor, "below"))
    out->awaits_next_line = true;
  else if (eat(cursor, "unknown"))
    out->line = UNKNOWN_LINE;
  else if (eat(cursor, "+") && eat_number(cursor, &distance))
    out->line += distance;
  else if (eat(cursor, "-") && eat_number(cursor, &distance))
    out->line = distance < out->line ? out->line - distance : NO_LINE;
  else
    return false;
  return true;
}

/* Reads `expected-<severity>[-re] [@place] {{`. */
static bool eat_head(zc_cursor *cursor, int last_plain, expectation *out) {
  if (!eat(cursor, "expected-") || !eat_severity(cursor, &out->severity))
    return false;
  out->is_regex = eat(cursor, "-re");
  while (eat(cursor, " "))
    ;
  if (eat(cursor, "@") && !eat_place(cursor, last_plain, out))
    return false;
  while (eat(cursor, " "))
    ;
  return eat(cursor, "{{");
}

/* Finds the next comment of a line; the cursor is left after its `{{`. */
static bool find_head(zc_cursor *cursor, int last_plain, expectation *out, const char **start) {
  expectation blank = *out;
  for (const char *at = cursor->at; at < cursor->end; ++at) {
    zc_cursor ahead = {at, cursor->end};
    *out = blank;
    if (*at == 'e' && eat_head(&ahead, last_plain, out)) {
      *start = at;
      *cursor = ahead;
      return true;
    }
  }
  return false;
}

static const char *find_last_close(const char *begin, const char *end) {
  for (const char *at = end - 2; at >= begin; --at)
    if (at[0] == '}' && at[1] == '}')
      return at;
  return NULL;
}

static void push(zc_arena *arena, zc_list *bytes, const char *text, size_t length) {
  for (size_t i = 0; i < length; ++i)
    zc_list_push(arena, bytes, char, text[i]);
}

/* Makes one regular expression of plain text and `{{regular expressions}}`. */
static const char *to_regex(zc_arena *arena, const char *text) {
  zc_list bytes = {0};
  while (*text) {
    const char *close = strncmp(text, "{{", 2) == 0 ? strstr(text + 2, "}}") : NULL;
    if (close) {
      /* `{{[}]}}}`: the last of several closing braces ends it. */
      while (close[2] == '}')
        ++close;
      push(arena, &bytes, "(", 1);
      push(arena, &bytes, text + 2, (size_t)(close - text - 2));
      push(arena, &bytes, ")", 1);
      text = close + 2;
      continue;
    }
    if (strchr("\\^$.|?*+()[]{}", *text))
      push(arena, &bytes, "\\", 1);
    push(arena, &bytes, text++, 1);
  }
  push(arena, &bytes, "", 1);
  return bytes.items;
}

static void add(zc_expectations *in, const expectation *found) {
  expectation *kept = zc_arena_new(in->arena, expectation);
  *kept = *found;
  if (kept->is_regex && regcomp(&kept->regex, to_regex(in->arena, kept->text), REG_EXTENDED | REG_NOSUB) != 0) {
    complain_at(in, kept->at_line, kept->at_column, "this regular expression is malformed");
    return;
  }
  zc_list_push(in->arena, &in->list, expectation *, kept);
}

/* Reads all comments of one line; false where it has none. */
static bool read_line(zc_expectations *in, zc_cursor line, int number, int last_plain) {
  const char *begin = line.at;
  const char *start;
  expectation found = {.line = number, .at_line = number};
  bool more = find_head(&line, last_plain, &found, &start);
  if (!more)
    return false;
  while (more) {
    const char *text = line.at;
    const char *next_start = line.end;
    expectation next = {.line = number, .at_line = number};
    more = find_head(&line, last_plain, &next, &next_start);
    const char *close = find_last_close(text, next_start);
    found.at_column = (int)(start - begin) + 1;
    if (close) {
      found.text = zc_arena_copy(in->arena, text, (size_t)(close - text));
      add(in, &found);
    } else {
      complain_at(in, number, found.at_column, "this comment has no }}");
    }
    found = next;
    start = next_start;
  }
  return true;
}

/* Lets the @below comments mean the line `number`. */
static void settle_below(zc_expectations *in, int number) {
  for (int i = in->list.count - 1; i >= 0; --i) {
    expectation *each = zc_list_at(&in->list, expectation *, i);
    if (each->awaits_next_line)
      each->line = number;
    each->awaits_next_line = false;
  }
}

zc_expectations *zc_expectations_read(const zc_chunk *chunk, const char *file, zc_arena *arena, zc_complain complain,
                                      void *data) {
  zc_expectations *in = zc_arena_new(arena, zc_expectations);
  *in = (zc_expectations){arena, file, complain, data, {0}, 0};
  const char *end = chunk->data + chunk->length;
  int last_plain = NO_LINE;
  bool awaiting = false;
  int number = chunk->line;
  for (const char *at = chunk->data; at < end; ++number) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    const char *stop = newline ? newline : end;
    if (read_line(in, (zc_cursor){at, stop}, number, last_plain)) {
      awaiting = true;
    } else {
      if (awaiting)
        settle_below(in, number);
      awaiting = false;
      last_plain = number;
    }
    at = newline ? newline + 1 : end;
  }
  settle_below(in, NO_LINE);
  return in;
}

void zc_expectations_release(zc_expectations *expected) {
  for (int i = 0; expected && i < expected->list.count; ++i) {
    expectation *each = zc_list_at(&expected->list, expectation *, i);
    if (each->is_regex)
      regfree(&each->regex);
  }
}

static bool matches(const expectation *expected, const char *text) {
  if (expected->is_regex)
    return regexec(&expected->regex, text, 0, NULL, 0) == 0;
  return strstr(text, expected->text) != NULL;
}

/* The comment that `message` meets: one not met yet if there is one. One comment may be met by several equal
 * diagnostics.
 * `*near`: a comment that asks for another severity. */
static expectation *find(const zc_expectations *in, const zc_message *message, int line, expectation **near) {
  expectation *again = NULL;
  for (int i = 0; i < in->list.count; ++i) {
    expectation *each = zc_list_at(&in->list, expectation *, i);
    if (each->line != line || !matches(each, message->text))
      continue;
    if (each->severity != message->severity)
      *near = each;
    else if (!each->met)
      return each;
    else
      again = each;
  }
  return again;
}

void zc_expectations_take(zc_expectations *in, const zc_message *message) {
  bool here = message->file && strcmp(message->file, in->file) == 0;
  expectation *near = NULL;
  expectation *found = find(in, message, here ? message->line : UNKNOWN_LINE, &near);
  if (found) {
    found->met = true;
    return;
  }
  zc_message complaint = *message;
  complaint.severity = MlirDiagnosticError;
  const char *name = zc_severity_name(message->severity);
  complaint.text = near ? zc_arena_format(in->arena, "this is not the expected %s but the %s: %s",
                                          zc_severity_name(near->severity), name, message->text)
                        : zc_arena_format(in->arena, "unexpected %s: %s", name, message->text);
  ++in->complaints;
  in->complain(in->data, &complaint);
}

bool zc_expectations_end(zc_expectations *in) {
  for (int i = 0; i < in->list.count; ++i) {
    expectation *each = zc_list_at(&in->list, expectation *, i);
    if (!each->met)
      complain_at(
          in, each->at_line, each->at_column,
          zc_arena_format(in->arena, "the expected %s did not come: %s", zc_severity_name(each->severity), each->text));
  }
  return in->complaints == 0;
}
