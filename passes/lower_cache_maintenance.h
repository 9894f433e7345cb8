/* What zc-lower-cache-maintenance makes of cache maintenance, and the parts that it is made of. */
#ifndef ZC_PASSES_LOWER_CACHE_MAINTENANCE_H
#define ZC_PASSES_LOWER_CACHE_MAINTENANCE_H

#include "passes/context.h"
#include "passes/maintenance.h"

typedef enum zc_lowering_kind {
  ZC_LOWERING_HAL,      ///< Calls of functions over hal.command_buffer.flush_buffer and invalidate_buffer.
  ZC_LOWERING_DISPATCH, ///< Kernels of our own on CPU devices, as HAL elsewhere.
  ZC_LOWERING_IMPORT,   ///< Calls into a VM module of the user's.
  ZC_LOWERING_KEEP,     ///< Left as it is.
} zc_lowering_kind;

typedef struct zc_lowering_mode {
  zc_lowering_kind kind;
  MlirStringRef import; ///< IMPORT: the VM module's name; borrowed.
} zc_lowering_mode;

#define ZC_LOWERING_MODES "hal, dispatch, import:MODULE or keep"

/// Reads a mode as users write it; empty is hal. False where it is none of them, or its module can't be one's name.
bool zc_lowering_mode_parse(MlirStringRef text, zc_lowering_mode *mode);

/// The symbol `name` of the module's body; null where there is none.
MlirOperation zc_find_symbol(const zc_context *context, const char *name);
/// `name`, or with a number after it where the module has that symbol. In the arena.
const char *zc_unique_symbol(const zc_context *context, const char *name);
/// The op of the module's body that has the string attribute `attribute` = `value`; null where there is none.
MlirOperation zc_find_marked(const zc_context *context, const char *attribute, const char *value);
/// Parses an op and puts it at the end of the module's body. Null where it doesn't parse, with MLIR's errors emitted.
MlirOperation zc_append_parsed(const zc_context *context, const char *text);

typedef enum zc_cpu_kind {
  ZC_CPU_NONE,    ///< Not a CPU device: no kernel of ours can run there.
  ZC_CPU_UNKNOWN, ///< A CPU device whose cache instructions we don't know.
  ZC_CPU_X86_64,
  ZC_CPU_AARCH64,
  ZC_CPU_RISCV64,
  ZC_CPU_RISCV32,
} zc_cpu_kind;

typedef struct zc_cpu {
  zc_cpu_kind kind;
  const char *architecture; ///< As its target says; for messages.
  bool clwb;                ///< x86-64: writes a line back and keeps it.
  bool clflushopt;          ///< x86-64: flushes lines in any order.
} zc_cpu;

/// What executes on a device, read from its global's #hal.device.target.
zc_cpu zc_cpu_of_device(const zc_context *context, int device);

/// The entry point, `@executable::@export`, of a kernel that flushes or invalidates by cache lines of `line` bytes:
/// that of an earlier run, or a new one. The kernel takes a workload of the length in bytes, the low and the high half
/// of the length as i32, and one binding that is the range. `cpu` must be known.
MlirAttribute zc_maintenance_kernel(const zc_context *context, const zc_cpu *cpu, bool invalidate, int64_t line);

#endif /* ZC_PASSES_LOWER_CACHE_MAINTENANCE_H */
