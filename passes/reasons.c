#include "passes/reasons.h"

const char *zc_decision_spelling(zc_decision decision) {
  return decision == ZC_DECISION_ALIAS ? "alias" : "copy";
}

const char *zc_reason_spelling(zc_reason reason) {
  static const char *const spellings[] = {
#define ZC_REASON_SPELLING(name, spelling, text) spelling,
      ZC_REASONS(ZC_REASON_SPELLING)};
  return spellings[reason];
}

const char *zc_reason_text(zc_reason reason) {
  static const char *const texts[] = {
#define ZC_REASON_TEXT(name, spelling, text) text,
      ZC_REASONS(ZC_REASON_TEXT)};
  return texts[reason];
}
