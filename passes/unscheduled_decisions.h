/* Alias or copy for the transfers of flow and async IR. */
#ifndef ZC_PASSES_UNSCHEDULED_DECISIONS_H
#define ZC_PASSES_UNSCHEDULED_DECISIONS_H

#include "passes/transfers.h"
#include "passes/value_classes.h"

/// Decides the transfer `index` into `transfer`; in order of their indices. For an alias the classes of source and
/// result become one, so that later decisions see it; the IR stays as it is.
void zc_decide_transfer(zc_values *values, int index, zc_transfer *transfer);

#endif /* ZC_PASSES_UNSCHEDULED_DECISIONS_H */
