/* Alias or copy for the hand-offs of scheduled IR: may the result take the source's storage? */
#ifndef ZC_PASSES_SCHEDULED_DECISIONS_H
#define ZC_PASSES_SCHEDULED_DECISIONS_H

#include "passes/scheduled.h"
#include "passes/transfers.h"

/// Decides `hand_off` into `transfer`. For an alias the result's storage is merged into the source's, so that later
/// decisions of the function see what the program will be; the IR stays as it is.
void zc_decide_hand_off(zc_scheduled *scheduled, zc_hand_off *hand_off, zc_transfer *transfer);

#endif /* ZC_PASSES_SCHEDULED_DECISIONS_H */
