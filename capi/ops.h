/* Views of the ops that the passes read: which op it is, and its operands by what they mean. There are no C accessors
 * for IREE's dialects; operand layouts are those of compiler/src/iree/compiler/Dialect/Stream/IR/StreamOps.td
 * (IREE 3.13). */
#ifndef ZC_CAPI_OPS_H
#define ZC_CAPI_OPS_H

#include <stdbool.h>
#include <stdint.h>

#include "capi/arena.h"
#include "mlir-c/IR.h"

#define ZC_OP_NAMES(X)                                                                                                 \
  X(MODULE, "builtin.module")                                                                                          \
  X(FUNC, "util.func")                                                                                                 \
  X(STD_FUNC, "func.func")                                                                                             \
  X(INITIALIZER, "util.initializer")                                                                                   \
  X(EXECUTABLE, "stream.executable")                                                                                   \
  X(FLOW_EXECUTABLE, "flow.executable")                                                                                \
  X(HAL_EXECUTABLE, "hal.executable")                                                                                  \
  X(GLOBAL_LOAD, "util.global.load")                                                                                   \
  X(GLOBAL_STORE, "util.global.store")                                                                                 \
  X(UTIL_CALL, "util.call")                                                                                            \
  X(UTIL_RETURN, "util.return")                                                                                        \
  X(OPTIMIZATION_BARRIER, "util.optimization_barrier")                                                                 \
  X(CONSTANT, "arith.constant")                                                                                        \
  X(SELECT, "arith.select")                                                                                            \
  X(UTIL_ALIGN, "util.align")                                                                                          \
  X(ADDI, "arith.addi")                                                                                                \
  X(SUBI, "arith.subi")                                                                                                \
  X(MULI, "arith.muli")                                                                                                \
  X(CMPI, "arith.cmpi")                                                                                                \
  X(INDEX_CAST, "arith.index_cast")                                                                                    \
  X(INDEX_CASTUI, "arith.index_castui")                                                                                \
  X(EXTUI, "arith.extui")                                                                                              \
  X(TRUNCI, "arith.trunci")                                                                                            \
  X(SHLI, "arith.shli")                                                                                                \
  X(SHRUI, "arith.shrui")                                                                                              \
  X(ORI, "arith.ori")                                                                                                  \
  X(ASSUME_INT, "util.assume.int")                                                                                     \
  X(WORKLOAD_ORDINAL, "iree_tensor_ext.dispatch.workload.ordinal")                                                     \
  X(SUBSPAN, "stream.binding.subspan")                                                                                 \
  X(TENSOR_STORE, "iree_tensor_ext.dispatch.tensor.store")                                                             \
  X(BR, "cf.br")                                                                                                       \
  X(COND_BR, "cf.cond_br")                                                                                             \
  X(SWITCH, "cf.switch")                                                                                               \
  X(SCF_IF, "scf.if")                                                                                                  \
  X(SCF_FOR, "scf.for")                                                                                                \
  X(SCF_WHILE, "scf.while")                                                                                            \
  X(SCF_CONDITION, "scf.condition")                                                                                    \
  X(SCF_YIELD, "scf.yield")                                                                                            \
  X(SCF_INDEX_SWITCH, "scf.index_switch")                                                                              \
  X(FLOW_TRANSFER, "flow.tensor.transfer")                                                                             \
  X(HAL_TENSOR_IMPORT, "hal.tensor.import")                                                                            \
  X(HAL_TENSOR_EXPORT, "hal.tensor.export")                                                                            \
  X(TENSOR_IMPORT, "stream.tensor.import")                                                                             \
  X(TENSOR_EXPORT, "stream.tensor.export")                                                                             \
  X(TENSOR_DISPATCH, "stream.tensor.dispatch")                                                                         \
  X(FLOW_RESHAPE, "flow.tensor.reshape")                                                                               \
  X(FLOW_BITCAST, "flow.tensor.bitcast")                                                                               \
  X(HAL_TENSOR_BARRIER, "hal.tensor.barrier")                                                                          \
  X(ASYNC_TRANSFER, "stream.async.transfer")                                                                           \
  X(ASYNC_CAST, "stream.async.cast")                                                                                   \
  X(ASYNC_BARRIER, "stream.async.barrier")                                                                             \
  X(ASYNC_DISPATCH, "stream.async.dispatch")                                                                           \
  X(ASYNC_EXECUTE, "stream.async.execute")                                                                             \
  X(ALLOC, "stream.resource.alloc")                                                                                    \
  X(ALLOCA, "stream.resource.alloca")                                                                                  \
  X(DEALLOCA, "stream.resource.dealloca")                                                                              \
  X(RESOURCE_SIZE, "stream.resource.size")                                                                             \
  X(SUBVIEW, "stream.resource.subview")                                                                                \
  X(RETAIN, "stream.resource.retain")                                                                                  \
  X(RELEASE, "stream.resource.release")                                                                                \
  X(IS_TERMINAL, "stream.resource.is_terminal")                                                                        \
  X(CMD_EXECUTE, "stream.cmd.execute")                                                                                 \
  X(CMD_SERIAL, "stream.cmd.serial")                                                                                   \
  X(CMD_CONCURRENT, "stream.cmd.concurrent")                                                                           \
  X(CMD_COPY, "stream.cmd.copy")                                                                                       \
  X(CMD_FILL, "stream.cmd.fill")                                                                                       \
  X(CMD_DISPATCH, "stream.cmd.dispatch")                                                                               \
  X(CMD_FLUSH, "stream.cmd.flush")                                                                                     \
  X(CMD_INVALIDATE, "stream.cmd.invalidate")                                                                           \
  X(CMD_DISCARD, "stream.cmd.discard")                                                                                 \
  X(CMD_CALL, "stream.cmd.call")                                                                                       \
  X(CMD_COLLECTIVE, "stream.cmd.collective")                                                                           \
  X(YIELD, "stream.yield")                                                                                             \
  X(TIMEPOINT_IMMEDIATE, "stream.timepoint.immediate")                                                                 \
  X(TIMEPOINT_JOIN, "stream.timepoint.join")                                                                           \
  X(TIMEPOINT_AWAIT, "stream.timepoint.await")                                                                         \
  X(TIMEPOINT_BARRIER, "stream.timepoint.barrier")                                                                     \
  X(TIMEPOINT_IMPORT, "stream.timepoint.import")                                                                       \
  X(TIMEPOINT_EXPORT, "stream.timepoint.export")                                                                       \
  X(CHAIN_EXTERNAL, "stream.timepoint.chain_external")

typedef enum zc_op {
  ZC_OP_OTHER,
#define ZC_OP_ENUM(name, text) ZC_OP_##name,
  ZC_OP_NAMES(ZC_OP_ENUM)
#undef ZC_OP_ENUM
      ZC_NUM_OPS
} zc_op;

/// The op names of a context, looked up by identity.
typedef struct zc_ops zc_ops;
zc_ops *zc_ops_create(zc_arena *arena, MlirContext context);
void zc_ops_release(zc_ops *ops);
zc_op zc_op_of(const zc_ops *ops, MlirOperation op);
/// OTHER where the value is a block argument.
zc_op zc_op_defining(const zc_ops *ops, MlirValue value);
const char *zc_op_name(MlirOperation op);

/// Consecutive operands.
typedef struct zc_segment {
  int first;
  int count;
} zc_segment;

/// The segment `index` by the op's operandSegmentSizes; empty where the op has none or fewer.
zc_segment zc_operand_segment(MlirOperation op, int index);

/// An attribute, inherent or discardable; null where absent.
MlirAttribute zc_attribute(MlirOperation op, const char *name);

bool zc_value_is_null(MlirValue value);
/// The op whose result it is; null for a block argument.
MlirOperation zc_defining_op(MlirValue value);
/// The value of an integer or index constant; null where `value` is none.
MlirAttribute zc_constant_integer(const zc_ops *ops, MlirValue value);
/// Whether `value` is an index constant, and its value.
bool zc_constant_index(const zc_ops *ops, MlirValue value, int64_t *constant);
/// Whether both are the same SSA value or the same constant.
bool zc_same_index(const zc_ops *ops, MlirValue a, MlirValue b);

/// Whether a type prints as `!stream.timepoint` or `!stream.resource<…>`; each distinct type is printed once per
/// context.
bool zc_is_timepoint(const zc_ops *ops, MlirType type);
bool zc_is_buffer_view(const zc_ops *ops, MlirType type);
bool zc_is_resource(const zc_ops *ops, MlirType type);
/// Whether a type carries a tensor or a resource: what transfers move.
bool zc_is_data(const zc_ops *ops, MlirType type);

typedef enum zc_lifetime {
  ZC_LIFETIME_NONE, ///< Not a resource.
  ZC_LIFETIME_UNKNOWN,
  ZC_LIFETIME_EXTERNAL,
  ZC_LIFETIME_STAGING,
  ZC_LIFETIME_TRANSIENT,
  ZC_LIFETIME_VARIABLE,
  ZC_LIFETIME_CONSTANT,
} zc_lifetime;
zc_lifetime zc_lifetime_of(const zc_ops *ops, MlirType type);

/// How a command uses a range.
typedef enum zc_access_mode { ZC_ACCESS_READ = 1, ZC_ACCESS_WRITE = 2 } zc_access_mode;

/// One range that a command of an execution region uses. `*_operand` are operand numbers; a command without a range has
/// no such record.
typedef struct zc_range {
  int resource_operand;
  int size_operand;
  int offset_operand;
  int length_operand;
  int mode; ///< zc_access_mode bits; 0 for maintenance, which neither reads nor writes for the program.
} zc_range;

/// On a call or dispatch that is cache maintenance, lowered: "flush" or "invalidate".
#define ZC_MAINTENANCE_ATTRIBUTE "zc.maintenance"

/// The ranges of a command (copy, fill, dispatch, discard, flush, invalidate, call, collective); their number. `ranges`
/// is the arena's. -1 where the op is not understood.
int zc_command_ranges(zc_arena *arena, const zc_ops *ops, MlirOperation command, zc_range **ranges);

/// Operand numbers of stream.cmd.copy.
enum {
  ZC_COPY_SOURCE,
  ZC_COPY_SOURCE_SIZE,
  ZC_COPY_SOURCE_OFFSET,
  ZC_COPY_TARGET,
  ZC_COPY_TARGET_SIZE,
  ZC_COPY_TARGET_OFFSET,
  ZC_COPY_LENGTH
};
/// Operand numbers of flush, invalidate and discard.
enum { ZC_MAINTENANCE_TARGET, ZC_MAINTENANCE_SIZE, ZC_MAINTENANCE_OFFSET, ZC_MAINTENANCE_LENGTH };
/// Operand segments of stream.cmd.execute.
enum { ZC_EXECUTE_RESOURCES, ZC_EXECUTE_SIZES, ZC_EXECUTE_AWAIT };

/// The one timepoint that alloca, dealloca or execute waits for; null where there is none.
MlirValue zc_await_of(const zc_ops *ops, MlirOperation op);

/// Makes an op like `op` before it, with these operands in place of its own (and `segments` as operandSegmentSizes
/// where not null), moves its regions there, replaces its results and erases it. Returns the new op.
MlirOperation zc_rebuild_with_operands(MlirOperation op, intptr_t count, const MlirValue *operands, int num_segments,
                                       const int32_t *segments);

/// Replaces the uses of `op`'s results, one by one, and erases it.
void zc_replace_op(MlirOperation op, const MlirValue *results);

/// A stream.timepoint.immediate before `op`.
MlirValue zc_immediate_before(MlirOperation op);

#endif /* ZC_CAPI_OPS_H */
