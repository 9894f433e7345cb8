/* Textual pipelines that mix our passes with registered ones. mlir-c cannot register a name for an external pass, so
 * the text is split here: our elements become passes, each run of other elements goes to MLIR's own parser. */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capi/text.h"
#include "passes/lower_cache_maintenance.h"
#include "stream_zc/Passes.h"

typedef struct sink {
  MlirStringCallback callback;
  void *user_data;
} sink;

static MlirLogicalResult complain(const sink *errors, const char *format, ...) __attribute__((format(printf, 2, 3)));
static MlirLogicalResult complain(const sink *errors, const char *format, ...) {
  char *message;
  va_list arguments;
  va_start(arguments, format);
  int length = vasprintf(&message, format, arguments);
  va_end(arguments);
  if (length >= 0) {
    errors->callback(mlirStringRefCreate(message, (size_t)length), errors->user_data);
    free(message);
  }
  return mlirLogicalResultFailure();
}

static MlirStringRef slice(const char *begin, const char *end) {
  return mlirStringRefCreate(begin, (size_t)(end - begin));
}

static MlirStringRef trim(MlirStringRef text) {
  while (text.length && isspace((unsigned char)*text.data))
    ++text.data, --text.length;
  while (text.length && isspace((unsigned char)text.data[text.length - 1]))
    --text.length;
  return text;
}

/* Text for "%.*s". */
#define SHOWN(text) (int)(text).length, (text).data

StreamZcOptions streamZcOptionsGetDefault(void) {
  return (StreamZcOptions){.remarks = false,
                           .assumeShareableImports = false,
                           .keepAnnotations = false,
                           .minAliasBytes = 0,
                           .limit = -1,
                           .unroll = 2,
                           .maintenance = {NULL, 0},
                           .topologyFile = {NULL, 0},
                           .report = {NULL}};
}

typedef struct option_key {
  const char *key;
  bool *flag;      ///< Where a boolean goes; else null.
  int64_t *number; ///< Where a number goes; else null.
  int64_t least;   ///< The least number that makes sense.
} option_key;

static bool parse_number(MlirStringRef value, int64_t *number) {
  char digits[24];
  if (!value.length || value.length >= sizeof digits || isspace((unsigned char)*value.data))
    return false;
  memcpy(digits, value.data, value.length);
  digits[value.length] = '\0';
  char *end;
  errno = 0;
  long long parsed = strtoll(digits, &end, 10);
  *number = parsed;
  return !errno && *end == '\0';
}

static MlirLogicalResult set_flag(const option_key *key, MlirStringRef value, bool has_value, const sink *errors) {
  bool on = !has_value || zc_str_is(value, "true");
  if (!on && !zc_str_is(value, "false"))
    return complain(errors, "option '%s' takes true or false, not '%.*s'", key->key, SHOWN(value));
  *key->flag = on;
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult set_number(const option_key *key, MlirStringRef value, const sink *errors) {
  int64_t number;
  if (!parse_number(value, &number) || number < key->least)
    return complain(errors, "option '%s' takes a whole number from %lld, not '%.*s'", key->key, (long long)key->least,
                    SHOWN(value));
  *key->number = number;
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult set_maintenance(StreamZcOptions *options, MlirStringRef value, const sink *errors) {
  zc_lowering_mode mode;
  if (!value.length || !zc_lowering_mode_parse(value, &mode))
    return complain(errors, "option 'mode' takes " ZC_LOWERING_MODES ", not '%.*s'", SHOWN(value));
  options->maintenance = value;
  return mlirLogicalResultSuccess();
}

/* A path, in quotes where it has blanks or commas. */
static MlirLogicalResult set_file(StreamZcOptions *options, MlirStringRef value, const sink *errors) {
  bool quoted = value.length >= 2 && strchr("\"'", *value.data) && value.data[value.length - 1] == *value.data;
  if (quoted)
    value = mlirStringRefCreate(value.data + 1, value.length - 2);
  if (!value.length || memchr(value.data, 0, value.length))
    return complain(errors, "option 'file' takes the name of a file, not '%.*s'", SHOWN(value));
  options->topologyFile = value;
  return mlirLogicalResultSuccess();
}

static MlirLogicalResult set_option(StreamZcOptions *options, MlirStringRef pair, const sink *errors) {
  const option_key keys[] = {
      {"remarks", &options->remarks, NULL, 0},
      {"assume-shareable-imports", &options->assumeShareableImports, NULL, 0},
      {"keep-annotations", &options->keepAnnotations, NULL, 0},
      {"min-alias-bytes", NULL, &options->minAliasBytes, 0},
      {"limit", NULL, &options->limit, -1},
      {"unroll", NULL, &options->unroll, 1},
  };
  const char *end = pair.data + pair.length;
  const char *equals = memchr(pair.data, '=', pair.length);
  MlirStringRef name = slice(pair.data, equals ? equals : end);
  MlirStringRef value = equals ? slice(equals + 1, end) : slice(end, end);
  if (zc_str_is(name, "file"))
    return set_file(options, value, errors);
  if (zc_str_is(name, "mode"))
    return set_maintenance(options, value, errors);
  for (size_t i = 0; i < sizeof keys / sizeof *keys; ++i)
    if (zc_str_is(name, keys[i].key))
      return keys[i].flag ? set_flag(&keys[i], value, equals != NULL, errors) : set_number(&keys[i], value, errors);
  return complain(errors,
                  "unknown option '%.*s'; there are remarks, assume-shareable-imports, keep-annotations, "
                  "min-alias-bytes, limit, unroll, mode and file",
                  SHOWN(name));
}

/* The end of the quoted text that begins at `at`. */
static const char *skip_quoted(const char *at, const char *end) {
  char quote = *at++;
  while (at < end && *at != quote)
    at += *at == '\\' && at + 1 < end ? 2 : 1;
  return at < end ? at + 1 : end;
}

MlirLogicalResult streamZcOptionsParse(StreamZcOptions *options, MlirStringRef text, MlirStringCallback callback,
                                       void *userData) {
  sink errors = {callback, userData};
  const char *end = text.data + text.length;
  for (const char *at = text.data; at < end;) {
    const char *stop = at;
    while (stop < end && !isspace((unsigned char)*stop))
      stop = strchr("\"'", *stop) && *stop ? skip_quoted(stop, end) : stop + 1;
    if (stop > at && mlirLogicalResultIsFailure(set_option(options, slice(at, stop), &errors)))
      return mlirLogicalResultFailure();
    at = stop + 1;
  }
  return mlirLogicalResultSuccess();
}

/* The end of the element that begins at `at`: the next comma outside of parentheses, braces, brackets and quotes. Null
 * where the nesting is wrong. */
static const char *element_end(const char *at, const char *end) {
  char closers[64];
  size_t depth = 0;
  while (at < end && (depth || *at != ',')) {
    const char *opener = strchr("({[", *at);
    if (*at == '"' || *at == '\'') {
      at = skip_quoted(at, end);
      continue;
    }
    if (*at && opener) {
      if (depth == sizeof closers)
        return NULL;
      closers[depth++] = ")}]"[opener - "({["];
    } else if (*at == ')' || *at == '}' || *at == ']') {
      if (!depth || closers[--depth] != *at)
        return NULL;
    }
    ++at;
  }
  return depth ? NULL : at;
}

/* The name at the start of an element. */
static MlirStringRef element_name(MlirStringRef element) {
  size_t length = 0;
  while (length < element.length && !strchr(" \t\n\r({", element.data[length]))
    ++length;
  return mlirStringRefCreate(element.data, length);
}

static MlirLogicalResult add_own_pass(MlirOpPassManager manager, const StreamZcPassInfo *pass, MlirStringRef element,
                                      const StreamZcOptions *base, const sink *errors) {
  StreamZcOptions options = *base;
  MlirStringRef rest = trim(slice(element.data + strlen(pass->argument), element.data + element.length));
  if (rest.length) {
    if (rest.length < 2 || rest.data[0] != '{' || rest.data[rest.length - 1] != '}')
      return complain(errors, "'%.*s' after pass %s: only {options} may stand there", SHOWN(rest), pass->argument);
    MlirStringRef text = mlirStringRefCreate(rest.data + 1, rest.length - 2);
    if (mlirLogicalResultIsFailure(streamZcOptionsParse(&options, text, errors->callback, errors->user_data)))
      return complain(errors, " (pass %s)", pass->argument);
  }
  mlirOpPassManagerAddOwnedPass(manager, pass->create(&options));
  return mlirLogicalResultSuccess();
}

/* A pass of ours below the top of the pipeline, which MLIR's parser would only call unknown. */
static const StreamZcPassInfo *find_nested_own_pass(MlirStringRef element) {
  const char *end = element.data + element.length;
  for (const char *at = element.data; at < end;) {
    const char *stop = at;
    while (stop < end && (isalnum((unsigned char)*stop) || *stop == '-' || *stop == '_' || *stop == '.'))
      ++stop;
    const StreamZcPassInfo *pass = streamZcLookupPass(slice(at, stop));
    if (pass)
      return pass;
    at = stop > at ? stop : at + 1;
  }
  return NULL;
}

/* Hands the elements from `begin` to `end` on, with the comma after them left out. */
static MlirLogicalResult add_registered(MlirOpPassManager manager, const char *begin, const char *end,
                                        const sink *errors) {
  MlirStringRef text = trim(slice(begin, end));
  if (text.length && text.data[text.length - 1] == ',')
    text = trim(mlirStringRefCreate(text.data, text.length - 1));
  if (!text.length)
    return mlirLogicalResultSuccess();
  return mlirOpPassManagerAddPipeline(manager, text, errors->callback, errors->user_data);
}

static MlirLogicalResult check_registered(MlirStringRef element, const sink *errors) {
  if (!element.length)
    return complain(errors, "a pass name is missing beside a comma");
  const StreamZcPassInfo *nested = find_nested_own_pass(element);
  if (!nested)
    return mlirLogicalResultSuccess();
  MlirStringRef name = element_name(element);
  return complain(errors, "pass %s runs on the whole module and cannot be nested in '%.*s'", nested->argument,
                  SHOWN(name));
}

MlirLogicalResult streamZcAddPipeline(MlirOpPassManager passManager, MlirStringRef pipeline,
                                      const StreamZcOptions *options, MlirStringCallback callback, void *userData) {
  sink errors = {callback, userData};
  const char *end = pipeline.data + pipeline.length;
  const char *registered = pipeline.data; /* Where the run of elements that aren't ours began. */
  if (!trim(pipeline).length)
    return mlirLogicalResultSuccess();
  for (const char *at = pipeline.data; at <= end;) {
    const char *stop = element_end(at, end);
    if (!stop)
      return complain(&errors, "unbalanced parentheses, braces or brackets at '%.*s'", SHOWN(slice(at, end)));
    MlirStringRef element = trim(slice(at, stop));
    const StreamZcPassInfo *own = streamZcLookupPass(element_name(element));
    if (!own && mlirLogicalResultIsFailure(check_registered(element, &errors)))
      return mlirLogicalResultFailure();
    if (own) {
      if (mlirLogicalResultIsFailure(add_registered(passManager, registered, at, &errors)) ||
          mlirLogicalResultIsFailure(add_own_pass(passManager, own, element, options, &errors)))
        return mlirLogicalResultFailure();
      registered = stop < end ? stop + 1 : end;
    }
    at = stop + 1;
  }
  return add_registered(passManager, registered, end, &errors);
}
