/* Whether a pipeline kept what a program computes: the values that can be observed, before with their intended meaning,
 * after in every order that the timepoints allow. Copies vanish in the comparison, since a copy is its source's value.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "capi/diagnostics.h"
#include "capi/text.h"
#include "mlir-c/Pass.h"
#include "passes/verify_compatible.h"
#include "passes/verify_module.h"
#include "passes/verify_text.h"

typedef struct translation {
  StreamZcOptions options;
  zc_arena *arena; ///< Of the terms, which both sides share.
  zc_terms *terms;
  zc_context before;
  zc_module_summary summary;
} translation;

/* ---- summaries ---- */

static void ignore_text(MlirStringRef text, void *data) {
  (void)text;
  (void)data;
}

/* The module as IREE alone would schedule it: itself where it is scheduled. A clone is the caller's to destroy. */
static bool schedule(MlirOperation module, MlirOperation *scheduled) {
  StreamZcLevel level = streamZcModuleGetLevel(module);
  const char *pipeline = level == StreamZcLevelCmd ? NULL : streamZcGetStockPipeline(level);
  *scheduled = module;
  if (!pipeline)
    return true;
  *scheduled = mlirOperationClone(module);
  mlirOperationRemoveAttributeByName(*scheduled, zc_str(ZC_TOPOLOGY_ATTRIBUTE));
  StreamZcOptions options = streamZcOptionsGetDefault();
  MlirPassManager manager = mlirPassManagerCreateOnOperation(mlirOperationGetContext(module), zc_str("builtin.module"));
  bool ok = mlirLogicalResultIsSuccess(streamZcAddPipeline(mlirPassManagerGetAsOpPassManager(manager), zc_str(pipeline),
                                                           &options, ignore_text, NULL)) &&
            mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, *scheduled));
  mlirPassManagerDestroy(manager);
  return ok;
}

/* ---- comparing ---- */

static const char *kind_text(zc_observation_kind kind) {
  static const char *const texts[] = {[ZC_OBSERVED_EXPORT] = "export",
                                      [ZC_OBSERVED_GLOBAL] = "global",
                                      [ZC_OBSERVED_RETURN] = "returned value",
                                      [ZC_OBSERVED_CALL] = "call of",
                                      [ZC_OBSERVED_DISPATCH] = "dispatch of"};
  return texts[kind];
}

typedef struct comparison {
  zc_arena *arena;
  zc_terms *terms;
  const zc_module_summary *program; ///< All of the input.
  const zc_function_summary *before;
  const zc_function_summary *after;
  const char *unknown; ///< Why nothing can be said; null: it can.
  int differences;
  zc_compatibility *compatibility;
} comparison;

/* Whether no use of a dispatch lies where it writes but those that did. */
static bool shares_no_more(const zc_term *before, const zc_term *after) {
  bool same = true;
  for (int i = 0; after && i < after->num_numbers && same; i += 2) {
    same = false;
    for (int j = 0; before && j < before->num_numbers && !same; j += 2)
      same = before->numbers[j] == after->numbers[i] && before->numbers[j + 1] == after->numbers[i + 1];
  }
  return same;
}

static void tell_difference(comparison *comparison, const zc_observation *before, const zc_observation *after) {
  const zc_observation *one = after ? after : before;
  enum { SHOWN = 5 };
  if (!one || comparison->differences++ >= SHOWN)
    return;
  if (before && after && before->value == after->value && !shares_no_more(before->shared, after->shared)) {
    zc_error_at(one->location,
                "translation: %s in '%s' writes memory that it reads or writes as another operand, but "
                "didn't before",
                one->name, comparison->before->name);
    return;
  }
  const char *what = NULL;
  if (before && after)
    what = zc_difference_text(comparison->terms, comparison->arena, before->value, after->value);
  else
    what = zc_arena_format(comparison->arena, after ? "is %s, but was not there" : "is gone, but was %s",
                           zc_term_text(comparison->terms, comparison->arena, one->value));
  zc_error_at(one->location, "translation: %s%s%s in '%s' %s before", kind_text(one->kind), *one->name ? " " : "",
              one->name, comparison->before->name, what);
}

/* Exports, returns and calls compare by their order; globals by name; dispatches by what they compute. */
static int compare_observations(const void *a, const void *b) {
  const zc_observation *const *one = a;
  const zc_observation *const *other = b;
  if ((*one)->kind != (*other)->kind)
    return (int)(*one)->kind - (int)(*other)->kind;
  if ((*one)->kind == ZC_OBSERVED_GLOBAL && strcmp((*one)->name, (*other)->name) != 0)
    return strcmp((*one)->name, (*other)->name);
  if ((*one)->kind == ZC_OBSERVED_DISPATCH && (*one)->value != (*other)->value)
    return (*one)->value->id - (*other)->value->id;
  return *one < *other ? -1 : *one > *other;
}

static zc_list sort_observations(zc_arena *arena, const zc_path_summary *path) {
  zc_list sorted = {0};
  for (int i = 0; i < path->observations.count; ++i)
    zc_list_push(arena, &sorted, const zc_observation *, &zc_list_at(&path->observations, zc_observation, i));
  if (sorted.count)
    qsort(sorted.items, (size_t)sorted.count, sizeof(zc_observation *), compare_observations);
  return sorted;
}

static bool same_place(const zc_observation *before, const zc_observation *after) {
  return before->kind == after->kind && strcmp(before->name, after->name) == 0;
}

/* What was defined must still be; more may be, where the memory is longer now. */
static bool keeps_rest(comparison *comparison, const zc_observation *before, const zc_observation *after) {
  return shares_no_more(before->shared, after->shared) &&
         (!before->extent || (after->extent && zc_term_at_least(comparison->terms, after->extent, before->extent)));
}

/* Whether memory of which all that follows may count (`extent`) holds the same, but that its last part goes on. */
static bool is_longer(comparison *comparison, const zc_observation *before, const zc_observation *after) {
  if (!before->extent || !zc_has_parts(before->value) || !zc_has_parts(after->value))
    return false;
  bool placed[2];
  const zc_term *length[2];
  zc_list old = zc_parts_of(comparison->terms, comparison->arena, before->value, &length[0], &placed[0]);
  zc_list new = zc_parts_of(comparison->terms, comparison->arena, after->value, &length[1], &placed[1]);
  bool same = old.count == new.count && placed[0] && placed[1];
  for (int i = 0; i < old.count && same; ++i) {
    const zc_part *one = &zc_list_at(&old, zc_part, i);
    const zc_part *other = &zc_list_at(&new, zc_part, i);
    same = one->value == other->value && one->from == other->from && one->position == other->position &&
           one->window == other->window &&
           (i + 1 < old.count ? one->length == other->length
                              : zc_term_at_least(comparison->terms, other->length, one->length));
  }
  return same;
}

static bool same_value(comparison *comparison, const zc_observation *before, const zc_observation *after) {
  return (before->value == after->value || is_longer(comparison, before, after)) &&
         keeps_rest(comparison, before, after);
}

/* Two observations of one thing that aren't equal; one of them null: there is none. */
typedef struct pair {
  const zc_observation *before;
  const zc_observation *after;
  bool compatible;
} pair;

static void add_pair(comparison *comparison, zc_list *pairs, const zc_observation *before,
                     const zc_observation *after) {
  pair added = {before, after, false};
  zc_list_push(comparison->arena, pairs, pair, added);
}

/* What isn't equal, in order; dispatches, which pair by what they compute, that aren't go to `old` and `new`. */
static zc_list find_pairs(comparison *comparison, const zc_list *before, const zc_list *after, zc_list *old,
                          zc_list *new) {
  zc_list pairs = {0};
  int i = 0;
  int j = 0;
  while (i < before->count || j < after->count) {
    const zc_observation *one = i < before->count ? zc_list_at(before, const zc_observation *, i) : NULL;
    const zc_observation *other = j < after->count ? zc_list_at(after, const zc_observation *, j) : NULL;
    bool both = one && other && same_place(one, other);
    both = both && (one->kind != ZC_OBSERVED_DISPATCH || one->value == other->value);
    bool old_first = one && (!other || both || compare_observations(&one, &other) < 0);
    const zc_observation *first = old_first ? one : other;
    if (!both && first && first->kind == ZC_OBSERVED_DISPATCH)
      zc_list_push(comparison->arena, old_first ? old : new, const zc_observation *, first);
    else if (!both || !same_value(comparison, one, other))
      add_pair(comparison, &pairs, old_first ? one : NULL, both || !old_first ? other : NULL);
    i += old_first;
    j += both || !old_first;
  }
  return pairs;
}

static int compare_names(const void *a, const void *b) {
  const zc_observation *const *one = a;
  const zc_observation *const *other = b;
  int names = strcmp((*one)->name, (*other)->name);
  return names ? names : *one < *other ? -1 : *one > *other;
}

static int compare_pairs(const void *a, const void *b) {
  const zc_observation *one = ((const pair *)a)->before ? ((const pair *)a)->before : ((const pair *)a)->after;
  const zc_observation *other = ((const pair *)b)->before ? ((const pair *)b)->before : ((const pair *)b)->after;
  return one < other ? -1 : one > other;
}

/* Pairs dispatches by name and order; in the order of the input. */
static zc_list pair_dispatches(comparison *comparison, zc_list *old, zc_list *new) {
  zc_list pairs = {0};
  int i = 0;
  int j = 0;
  if (old->count)
    qsort(old->items, (size_t)old->count, sizeof(zc_observation *), compare_names);
  if (new->count)
    qsort(new->items, (size_t)new->count, sizeof(zc_observation *), compare_names);
  while (i < old->count || j < new->count) {
    const zc_observation *one = i < old->count ? zc_list_at(old, const zc_observation *, i) : NULL;
    const zc_observation *other = j < new->count ? zc_list_at(new, const zc_observation *, j) : NULL;
    int order = !one ? 1 : !other ? -1 : strcmp(one->name, other->name);
    add_pair(comparison, &pairs, order <= 0 ? one : NULL, order >= 0 ? other : NULL);
    i += order <= 0;
    j += order >= 0;
  }
  if (pairs.count)
    qsort(pairs.items, (size_t)pairs.count, sizeof(pair), compare_pairs);
  return pairs;
}

static void judge(comparison *comparison, zc_list *pairs) {
  for (int i = 0; i < pairs->count; ++i) {
    pair *own = &zc_list_at(pairs, pair, i);
    own->compatible = own->before && own->after && keeps_rest(comparison, own->before, own->after) &&
                      zc_terms_are_compatible(comparison->compatibility, own->before->value, own->after->value);
  }
}

static void tell(comparison *comparison, const zc_list *pairs) {
  const char *fault = comparison->before->fault;
  for (int i = 0; i < pairs->count; ++i) {
    const pair *own = &zc_list_at(pairs, pair, i);
    const char *why = NULL;
    if (own->compatible)
      why = "is the same only if accesses at offsets that nothing bounds stay in their slices of memory";
    else if (fault && own->before && own->after && own->before->value != own->after->value)
      why = zc_arena_format(comparison->arena, "differs, but the input itself has a fault: %s", fault);
    if (!why)
      tell_difference(comparison, own->before, own->after);
    else if (!comparison->unknown)
      comparison->unknown = zc_arena_format(comparison->arena, "%s%s%s %s", kind_text(own->before->kind),
                                            *own->before->name ? " " : "", own->before->name, why);
  }
}

static void compare_paths(comparison *comparison, const zc_path_summary *before, const zc_path_summary *after) {
  zc_list sorted[] = {sort_observations(comparison->arena, before), sort_observations(comparison->arena, after)};
  zc_list old = {0};
  zc_list new = {0};
  zc_list pairs = find_pairs(comparison, &sorted[0], &sorted[1], &old, &new);
  zc_list dispatches = pair_dispatches(comparison, &old, &new);
  judge(comparison, &dispatches); /* First: what they compute is what the others hold. */
  judge(comparison, &pairs);
  tell(comparison, &pairs);
  tell(comparison, &dispatches);
}

static const zc_path_summary *find_path(const zc_function_summary *function, const zc_term *decisions, int guess) {
  for (int i = 0; i < function->paths.count; ++i) {
    int at = (guess + i) % function->paths.count;
    const zc_path_summary *path = &zc_list_at(&function->paths, zc_path_summary, at);
    if (path->decisions == decisions)
      return path;
  }
  return NULL;
}

/* The function of this name; the n-th without one. */
static const zc_function_summary *find_function(const zc_module_summary *summary, const char *name, int number) {
  for (int i = 0; i < summary->functions.count; ++i) {
    const zc_function_summary *function = &zc_list_at(&summary->functions, zc_function_summary, i);
    if (strcmp(function->name, name) == 0 && (*name || number-- == 0))
      return function;
  }
  return NULL;
}

/* Whether all that can be seen of a function is what it returns. */
static bool only_returns(const zc_function_summary *function) {
  bool returns = !function->unknown && function->paths.count;
  for (int i = 0; i < function->paths.count && returns; ++i) {
    const zc_list *observations = &zc_list_at(&function->paths, zc_path_summary, i).observations;
    for (int j = 0; j < observations->count && returns; ++j)
      returns = zc_list_at(observations, zc_observation, j).kind == ZC_OBSERVED_RETURN;
  }
  return returns;
}

static int count_calls(const comparison *comparison, const zc_path_summary *path, bool only_returning) {
  int count = 0;
  for (int i = 0; i < path->observations.count; ++i) {
    const zc_observation *call = &zc_list_at(&path->observations, zc_observation, i);
    if (call->kind != ZC_OBSERVED_CALL)
      continue;
    const zc_function_summary *callee =
        only_returning && *call->name == '@' ? find_function(comparison->program, call->name + 1, 0) : NULL;
    count += !only_returning || (callee && only_returns(callee));
  }
  return count;
}

/* IREE takes calls away whose results it knows: what depends on them can't be compared, and nothing else is lost. */
static bool lost_calls(const comparison *comparison, const zc_path_summary *before, const zc_path_summary *after) {
  int lost = count_calls(comparison, before, false) - count_calls(comparison, after, false);
  return lost > 0 && count_calls(comparison, before, true) - count_calls(comparison, after, true) == lost;
}

static void compare_functions(comparison *comparison) {
  const zc_function_summary *before = comparison->before;
  const zc_function_summary *after = comparison->after;
  if (before->unknown || after->unknown)
    comparison->unknown = before->unknown ? before->unknown : after->unknown;
  if (before->paths.count != after->paths.count)
    comparison->unknown = "the pipeline changed the branches of the function";
  for (int i = 0; i < before->paths.count; ++i) {
    const zc_path_summary *path = &zc_list_at(&before->paths, zc_path_summary, i);
    const zc_path_summary *other = find_path(after, path->decisions, i);
    if (other && lost_calls(comparison, path, other))
      comparison->unknown = "calls of functions that only return something are gone";
    else if (other)
      compare_paths(comparison, path, other);
    else
      comparison->unknown = "the pipeline changed the branches of the function";
  }
}

static bool is_observed(const zc_function_summary *function) {
  for (int i = 0; i < function->paths.count; ++i)
    if (zc_list_at(&function->paths, zc_path_summary, i).observations.count)
      return true;
  return false;
}

static StreamZcVerdict compare_modules(zc_arena *arena, zc_terms *terms, const zc_module_summary *before,
                                       const zc_module_summary *after) {
  StreamZcVerdict verdict = StreamZcVerdictEqual;
  zc_compatibility compatibility;
  zc_compatibility_begin(&compatibility, terms, arena);
  int unnamed = 0;
  for (int i = 0; i < before->functions.count; ++i) {
    comparison comparison = {.arena = arena,
                             .terms = terms,
                             .program = before,
                             .before = &zc_list_at(&before->functions, zc_function_summary, i),
                             .compatibility = &compatibility};
    const char *name = comparison.before->name;
    comparison.after = find_function(after, name, *name ? 0 : unnamed++);
    if (comparison.after)
      compare_functions(&comparison);
    else if (is_observed(comparison.before))
      comparison.unknown = "the function is gone";
    if (comparison.differences)
      verdict = StreamZcVerdictDifferent;
    else if (comparison.unknown) {
      const zc_function_summary *shown = comparison.after ? comparison.after : comparison.before;
      zc_remark_at(shown->location, "translation of '%s' unknown: %s", name, comparison.unknown);
      verdict = verdict == StreamZcVerdictEqual ? StreamZcVerdictUnknown : verdict;
    }
  }
  zc_compatibility_release(&compatibility);
  return verdict;
}

/* ---- the entry points ---- */

StreamZcTranslation streamZcTranslationBegin(MlirOperation module, const StreamZcOptions *options) {
  translation *translation = calloc(1, sizeof *translation);
  StreamZcTranslation none = {NULL};
  if (!translation)
    return none;
  translation->options = options ? *options : streamZcOptionsGetDefault();
  translation->arena = zc_arena_create();
  translation->terms = zc_terms_create(translation->arena);
  MlirOperation scheduled;
  bool ok = schedule(module, &scheduled);
  ok = zc_context_init(&translation->before, scheduled, &translation->options) && ok;
  if (ok) {
    zc_findings findings;
    zc_findings_begin(&findings, &translation->before);
    translation->summary.open_races = zc_ptr_map_create(translation->arena);
    zc_verify_module(&translation->before, translation->terms, &findings, true, &translation->summary);
    zc_findings_release(&findings);
  }
  if (!mlirOperationEqual(scheduled, module))
    mlirOperationDestroy(scheduled);
  StreamZcTranslation begun = {translation};
  if (ok)
    return begun;
  streamZcTranslationDestroy(begun);
  return none;
}

/* Races and stale reads of the result are differences too: another order gives another value. */
static StreamZcVerdict verify_result(translation *translation, zc_context *context) {
  zc_findings findings;
  zc_module_summary after = {.open_races = translation->summary.open_races};
  zc_findings_begin(&findings, context);
  zc_verify_module(context, translation->terms, &findings, false, &after);
  zc_findings_end(&findings);
  StreamZcVerdict verdict = compare_modules(context->arena, translation->terms, &translation->summary, &after);
  if (findings.undecided && verdict == StreamZcVerdictEqual)
    verdict = StreamZcVerdictUnknown;
  if (findings.errors)
    verdict = StreamZcVerdictDifferent;
  zc_findings_release(&findings);
  return verdict;
}

StreamZcVerdict streamZcTranslationEnd(StreamZcTranslation handle, MlirOperation module) {
  translation *translation = handle.ptr;
  MlirOperation scheduled;
  zc_context context;
  bool ok = schedule(module, &scheduled);
  StreamZcVerdict verdict = StreamZcVerdictUnknown;
  if (zc_context_init(&context, scheduled, &translation->options) && ok)
    verdict = verify_result(translation, &context);
  else
    zc_remark_at(mlirOperationGetLocation(module), "translation unknown: IREE can't schedule the result");
  zc_context_release(&context);
  if (!mlirOperationEqual(scheduled, module))
    mlirOperationDestroy(scheduled);
  return verdict;
}

void streamZcTranslationDestroy(StreamZcTranslation handle) {
  translation *translation = handle.ptr;
  if (!translation)
    return;
  zc_context_release(&translation->before);
  if (translation->summary.open_races)
    zc_ptr_map_release(translation->summary.open_races);
  zc_terms_release(translation->terms);
  zc_arena_destroy(translation->arena);
  free(translation);
}
