/* Whether a value of the output is one of those that a value of the input may be, as far as the places in memory that
 * both hang on are known. */
#ifndef ZC_PASSES_VERIFY_COMPATIBLE_H
#define ZC_PASSES_VERIFY_COMPATIBLE_H

#include "capi/ptr_map.h"
#include "passes/verify_terms.h"

typedef struct zc_compatibility {
  zc_terms *terms;
  zc_arena *arena;
  zc_ptr_map *known; ///< Pair of terms, as a term -> the answer.
  int64_t budget;    ///< Steps that are left.
} zc_compatibility;

void zc_compatibility_begin(zc_compatibility *compatibility, zc_terms *terms, zc_arena *arena);
void zc_compatibility_release(zc_compatibility *compatibility);
/// Whether `after` is `before`, but for pieces of memory that `before` has only if an access leaves its slice of a
/// slab: IREE says nowhere that it doesn't. False also where that can't be told with bounded work.
bool zc_terms_are_compatible(zc_compatibility *compatibility, const zc_term *before, const zc_term *after);

#endif /* ZC_PASSES_VERIFY_COMPATIBLE_H */
