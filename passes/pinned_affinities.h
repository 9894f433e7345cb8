/* Which values must end up where the program names a device for them: tensor imports, exports and transients with an
 * explicit affinity pin their operands, and whatever these come from without a copy. */
#ifndef ZC_PASSES_PINNED_AFFINITIES_H
#define ZC_PASSES_PINNED_AFFINITIES_H

#include "passes/context.h"

typedef struct zc_pins zc_pins;

/// Reads the module, but for executables. Linear in its size: each value is visited for its first pin and for the first
/// that differs.
zc_pins *zc_pins_create(zc_context *context);
void zc_pins_release(zc_pins *pins);

/// The one affinity that all pins of `value` have; null where it has none, or they differ.
MlirAttribute zc_pins_unique(const zc_pins *pins, MlirValue value);

#endif /* ZC_PASSES_PINNED_AFFINITIES_H */
