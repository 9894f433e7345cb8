/* Bytes of a storage as caches see them: in whole cache lines. */
#ifndef ZC_PASSES_CACHE_LINES_H
#define ZC_PASSES_CACHE_LINES_H

#include "passes/scheduled.h"

/// [begin, end) where both are constant, else the SSA values, which equal only themselves.
typedef struct zc_lines {
  bool whole;   ///< All of the storage, of whatever size.
  bool partial; ///< A write of it may leave bytes as they are.
  bool all;     ///< From the first byte to what the command says is the last.
  bool filled;  ///< Where not constant: whole lines for certain.
  bool constant;
  int64_t begin;
  int64_t end;
  int64_t first_line; ///< The same in whole cache lines, as far as the storage goes where its size is known.
  int64_t last_line;
  int64_t size; ///< Of the storage; -1: not known.
  int64_t line; ///< Bytes of a line.
  MlirValue offset;
  MlirValue length;
} zc_lines;

/// What an access uses, by lines of `line` bytes.
zc_lines zc_lines_of(const zc_ops *ops, const zc_access *access, int64_t line);

bool zc_lines_same_values(const zc_lines *a, const zc_lines *b);
/// Whether they are the same range.
bool zc_lines_equal(const zc_lines *a, const zc_lines *b);

/// Whether they may have a cache line in common.
bool zc_lines_overlap(const zc_ops *ops, const zc_lines *a, const zc_lines *b);
/// Whether they may have a byte in common.
bool zc_lines_share_bytes(const zc_ops *ops, const zc_lines *a, const zc_lines *b);
/// Whether `outer` has all bytes of `inner`.
bool zc_lines_cover(const zc_lines *outer, const zc_lines *inner);
/// Whether the lines of `outer` have all bytes of `inner`.
bool zc_lines_cover_by_lines(const zc_lines *outer, const zc_lines *inner);
/// Whether a write of it leaves nothing of any of its lines as it was.
bool zc_lines_are_filled(const zc_lines *lines);

/// The bytes that both have; `lines` itself where that can't be told.
zc_lines zc_lines_common(const zc_lines *lines, const zc_lines *other);
/// The bytes [begin, end) of the same storage.
zc_lines zc_lines_at(const zc_lines *lines, int64_t begin, int64_t end);

#endif /* ZC_PASSES_CACHE_LINES_H */
