/* A copy of what a region reads, made before another one overwrites it. */
#ifndef ZC_PASSES_PROTECTING_COPIES_H
#define ZC_PASSES_PROTECTING_COPIES_H

#include "passes/scheduled.h"
#include "passes/time_flow.h"

/// Makes `reader` read a copy that is made on its device in front of the region of `writer`, whose block is that of the
/// reader or, where there is a `flow`, dominates it. The copy waits for what the reader waits for, as far as that comes
/// before the writer, which waits for the copy. False, and nothing changed, where the reader's region writes what it
/// reads, or where the reader waits for something, or its range is told by something, that only comes after the writer.
/// When true, `scheduled` is out of date.
bool zc_protect_reader(zc_scheduled *scheduled, zc_time_flow *flow, const zc_access *writer, const zc_access *reader);

/// Warns that a reader, for which neither an order nor a copy is possible, may read what an unordered writer writes.
void zc_warn_unprotected(const zc_access *writer, const zc_access *reader);
/// Warns that two unordered writers take program order.
void zc_warn_program_order(const zc_access *first, const zc_access *second);

#endif /* ZC_PASSES_PROTECTING_COPIES_H */
