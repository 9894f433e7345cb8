/* The maintenance that a function needs: its memories followed over its control flow. */
#ifndef ZC_PASSES_DIRT_FLOW_H
#define ZC_PASSES_DIRT_FLOW_H

#include "passes/dirt.h"
#include "passes/value_classes.h"

/// A device that writes a part of a cache line reads the rest of it, so it may invalidate that: notes it as a reader in
/// the classes. For all functions before any of them is followed.
void zc_find_partial_writes(zc_values *values, zc_scheduled *scheduled);

/// Adds to `requests` (zc_request) what the regions of a function are to do. `called`: whether another function of the
/// module calls it, so that what it finds in globals its caller may hold, too.
void zc_find_maintenance(zc_values *values, zc_scheduled *scheduled, bool called, zc_list *requests);

#endif /* ZC_PASSES_DIRT_FLOW_H */
