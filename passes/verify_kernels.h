/* Which bytes of its bindings a kernel uses: IREE hands a whole slab to a dispatch and takes its part of it inside. */
#ifndef ZC_PASSES_VERIFY_KERNELS_H
#define ZC_PASSES_VERIFY_KERNELS_H

#include "passes/context.h"

/// A part of a binding.
typedef struct zc_kernel_part {
  int binding;
  int mode;         ///< zc_access_mode bits.
  MlirValue offset; ///< In the kernel.
  int64_t unit;     ///< Bytes of it that are known: times `dims` they are its length; 0: to the end of the binding.
  zc_segment dims;  ///< Operands of `op`.
  MlirOperation op;
} zc_kernel_part;

typedef struct zc_kernel {
  bool known;      ///< Else it may use all of its bindings.
  MlirBlock entry; ///< Its arguments are the bindings and the uniform operands, each in order.
  zc_list parts;   ///< zc_kernel_part
  zc_list slice;   ///< MlirOperation: what offsets and dims are computed by, in order.
  zc_list places;  ///< bool, of each uniform operand: it says where the parts are, and nothing else.
} zc_kernel;

typedef struct zc_kernels zc_kernels;
zc_kernels *zc_kernels_create(zc_context *context);
void zc_kernels_release(zc_kernels *kernels);
/// The kernel of a dispatch; null where it isn't in the module.
const zc_kernel *zc_kernel_of(zc_kernels *kernels, MlirOperation dispatch);
/// Whether the kernel's argument is a binding.
bool zc_is_binding(zc_kernels *kernels, MlirValue argument);

#endif /* ZC_PASSES_VERIFY_KERNELS_H */
