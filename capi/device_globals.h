/* The devices of a module, as it declares them: `util.global private @dev_a … : !hal.device`. */
#ifndef ZC_CAPI_DEVICE_GLOBALS_H
#define ZC_CAPI_DEVICE_GLOBALS_H

#include <stdbool.h>

#include "capi/arena.h"
#include "mlir-c/IR.h"

typedef struct zc_device_globals {
  zc_arena *arena;
  zc_list names; ///< Of const char *, in the order in which the module declares them.
} zc_device_globals;

zc_device_globals zc_device_globals_find(MlirOperation module, zc_arena *arena);
bool zc_device_globals_have(const zc_device_globals *devices, const char *name);
/// Why `name` is not a device, for messages; in the arena.
const char *zc_device_globals_unknown(const zc_device_globals *devices, const char *name);

#endif /* ZC_CAPI_DEVICE_GLOBALS_H */
