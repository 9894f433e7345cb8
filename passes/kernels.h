/* What a kernel does with the memory that a dispatch binds: which bytes of a binding it may use, and whether it writes
 * all of them. IREE binds more than a kernel uses where it fuses bindings (FuseDispatchBindings.cpp). */
#ifndef ZC_PASSES_KERNELS_H
#define ZC_PASSES_KERNELS_H

#include "passes/context.h"

/// Bytes of a binding, from its begin.
typedef struct zc_bound {
  int64_t begin;
  int64_t end;  ///< 0: all of the binding, whatever its size.
  bool partial; ///< The kernel may leave bytes of it as they are, though it writes it.
} zc_bound;

/// What the kernel of a stream.cmd.dispatch does with its binding `number`: all of it, for good, where the module
/// doesn't hold the kernel.
zc_bound zc_kernel_bound(zc_context *context, MlirOperation dispatch, int number);

#endif /* ZC_PASSES_KERNELS_H */
