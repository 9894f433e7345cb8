/* What memory that comes from outside a function may have been through: which devices of the program use and write it.
 * Found by what may be one memory, over calls and globals, whatever the paths. */
#ifndef ZC_PASSES_VERIFY_BORDERS_H
#define ZC_PASSES_VERIFY_BORDERS_H

#include "passes/context.h"

typedef struct zc_border {
  zc_device_set users;
  zc_device_set writers;
  zc_device_set droppers; ///< They invalidate it somewhere.
  bool in_place;          ///< Some function writes to it that got it from outside.
  bool freed;             ///< Some function frees it.
} zc_border;

typedef struct zc_borders zc_borders;
zc_borders *zc_borders_create(zc_context *context);
void zc_borders_release(zc_borders *borders);

/// Of a resource value; all devices where nothing is known.
zc_border zc_border_of(zc_borders *borders, MlirValue value);

/// A function of the module by its symbol attribute; null where there is none.
MlirOperation zc_borders_function(const zc_borders *borders, MlirAttribute symbol);
/// Whether `function` may write the memory of its argument `index`; true where it has no body.
bool zc_borders_writes_argument(zc_borders *borders, MlirOperation function, intptr_t index);
/// The argument whose memory result `index` may be; -1 where it is none.
intptr_t zc_borders_returned_argument(zc_borders *borders, MlirOperation function, intptr_t index);
/// The name of the global `symbol`'s timepoint, as a symbol reference; null where it has none.
MlirAttribute zc_borders_timepoint_of(zc_borders *borders, MlirAttribute symbol);
/// Whether a call of `callee` (a symbol reference) may load or store the global `symbol`, or memory that it may hold.
bool zc_borders_reaches_global(zc_borders *borders, MlirAttribute callee, MlirAttribute symbol);
bool zc_borders_is_mutable(const zc_borders *borders, MlirAttribute symbol);

#endif /* ZC_PASSES_VERIFY_BORDERS_H */
