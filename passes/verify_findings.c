#include "passes/verify_findings.h"

#include <inttypes.h>
#include <string.h>

#include "capi/diagnostics.h"
#include "capi/ptr_map.h"
#include "capi/text.h"

enum { SHOWN_LIMIT = 20 };

/* The words that open a message, by which tests and users tell kinds apart. */
static const char *const openings[] = {
    [ZC_FINDING_RACE] = "race",
    [ZC_FINDING_STALE_READ] = "stale read",
    [ZC_FINDING_MISSING_FLUSH] = "missing flush",
    [ZC_FINDING_DIRTY_OVERWRITE] = "dirty overwrite",
    [ZC_FINDING_UNDEFINED] = "use of undefined memory",
    [ZC_FINDING_FREED] = "use after dealloca",
    [ZC_FINDING_DROPPED] = "misplaced invalidate",
    [ZC_FINDING_REDUNDANT] = "redundant maintenance",
    [ZC_FINDING_UNDECIDED] = "unknown: race",
};

void zc_findings_begin(zc_findings *findings, zc_context *context) {
  memset(findings, 0, sizeof *findings);
  findings->context = context;
  findings->known = zc_ptr_map_create(context->arena);
}

void zc_findings_release(zc_findings *findings) {
  zc_ptr_map_release(findings->known);
}

/* A few known partners of one op. */
typedef struct partner {
  zc_finding_kind kind;
  const void *other;
  struct partner *next;
} partner;

bool zc_findings_add(zc_findings *findings, zc_finding_kind kind, MlirOperation at, MlirOperation other) {
  partner *first = zc_ptr_map_get(findings->known, at.ptr);
  for (partner *known = first; known; known = known->next)
    if (known->kind == kind && known->other == other.ptr)
      return false;
  partner *added = zc_arena_new(findings->context->arena, partner);
  *added = (partner){kind, other.ptr, first};
  zc_ptr_map_set(findings->known, at.ptr, added);
  ++findings->total;
  findings->errors += kind != ZC_FINDING_REDUNDANT && kind != ZC_FINDING_UNDECIDED;
  findings->undecided += kind == ZC_FINDING_UNDECIDED;
  return true;
}

bool zc_findings_wants_text(const zc_findings *findings) {
  return findings->told < SHOWN_LIMIT;
}

void zc_findings_tell(zc_findings *findings, zc_finding_kind kind, MlirOperation at, const char *text) {
  if (findings->told++ >= SHOWN_LIMIT)
    return;
  void (*emit)(MlirLocation, const char *, ...) = kind == ZC_FINDING_REDUNDANT   ? zc_warning_at
                                                  : kind == ZC_FINDING_UNDECIDED ? zc_remark_at
                                                                                 : zc_error_at;
  emit(mlirOperationGetLocation(at), "%s: %s", openings[kind], text);
}

void zc_findings_end(zc_findings *findings) {
  if (findings->total > SHOWN_LIMIT)
    zc_remark_at(mlirOperationGetLocation(findings->context->module), "%" PRId64 " findings, of which %d are shown",
                 findings->total, SHOWN_LIMIT);
}

typedef struct text_builder {
  zc_arena *arena;
  const char *text;
} text_builder;

static void append(MlirStringRef piece, void *data) {
  text_builder *builder = data;
  builder->text = zc_arena_format(builder->arena, "%s%.*s", builder->text, (int)piece.length, piece.data);
}

const char *zc_place_text(zc_context *context, MlirOperation op) {
  text_builder builder = {context->arena, ""};
  mlirLocationPrint(mlirOperationGetLocation(op), append, &builder);
  zc_cursor cursor = {builder.text, builder.text + strlen(builder.text)};
  if (!zc_eat(&cursor, "loc(") || cursor.end[-1] != ')')
    return builder.text;
  char *text = zc_arena_copy(context->arena, cursor.at, (size_t)(cursor.end - cursor.at - 1));
  char *kept = text; /* Quotes around the file's name only stand in the way. */
  for (const char *from = text; *from; ++from)
    if (*from != '"')
      *kept++ = *from;
  *kept = '\0';
  return text;
}
