/* Byte ranges of one storage, with offsets and lengths that may be SSA values. */
#ifndef ZC_PASSES_EXTENTS_H
#define ZC_PASSES_EXTENTS_H

#include "passes/scheduled.h"

typedef struct zc_extent {
  bool constant;
  int64_t begin; ///< Where constant: [begin, end).
  int64_t end;
  MlirValue offset;
  MlirValue length;
} zc_extent;

zc_extent zc_extent_of(const zc_ops *ops, const zc_access *access);
/// The part of it that the command uses, as far as its kernel tells.
zc_extent zc_used_extent_of(const zc_ops *ops, const zc_access *access);

/// The same in whole cache lines of `line` bytes.
zc_extent zc_extent_in_lines(zc_extent extent, int64_t line);

/// Whether they have no byte in common for certain: by constants, or because one begins where a sum shows that the
/// other has ended (offsets of a packed slab).
bool zc_extent_is_disjoint(const zc_ops *ops, const zc_extent *a, const zc_extent *b);

/// Whether they have no cache line of `line` bytes in common for certain.
bool zc_extent_is_apart(const zc_ops *ops, const zc_extent *a, const zc_extent *b, int64_t line);

/// Whether what two accesses of one storage use may have a cache line of `line` bytes in common; with 1, a byte.
bool zc_accesses_share(const zc_ops *ops, const zc_access *a, const zc_access *b, int64_t line);

/// Whether it is whole cache lines for certain.
bool zc_extent_fills_lines(const zc_ops *ops, const zc_extent *extent, int64_t line);

#endif /* ZC_PASSES_EXTENTS_H */
