/* flow and async IR of a module as classes of values that may come to share a storage, and the devices that touch each.
 *
 * Values are in one class when IREE may give them one storage by itself: tied operands, casts, control flow, calls,
 * globals. A class is an over-approximation: the protecting copies of IREE's copy-on-write come later. */
#ifndef ZC_PASSES_VALUE_CLASSES_H
#define ZC_PASSES_VALUE_CLASSES_H

#include "passes/context.h"
#include "passes/transfers.h"

typedef struct zc_value_class {
  zc_device_set users;
  zc_device_set writers;
  zc_device_set readers;        ///< Scheduled IR: devices of commands that read it.
  int globals;                  ///< That may hold a value of it.
  bool unknown_user;            ///< A device that touches it isn't known.
  MlirOperation import;         ///< Brings in memory of the caller; null where none does.
  MlirOperation constant;       ///< Brings in a constant of the program; null where none does.
  MlirOperation carrier;        ///< Carries a value of it over a branch or a loop; null where none does.
  MlirOperation update;         ///< Writes a value of it in place; null where none does.
  MlirOperation caller_storage; ///< Puts a value of it into memory of the caller; null where none does.
  MlirOperation unsupported;    ///< A use that is not understood; null where there is none.
} zc_value_class;

/// A stream.async.transfer or flow.tensor.transfer.
typedef struct zc_value_transfer {
  MlirOperation op;
  MlirOperation function;
} zc_value_transfer;

typedef struct zc_values zc_values;
struct zc_values {
  zc_context *context;
  zc_list transfers;            ///< zc_value_transfer, in program order.
  struct zc_ptr_map *numbers;   ///< Value -> its node.
  struct zc_ptr_map *symbols;   ///< Global -> its node.
  struct zc_ptr_map *functions; ///< Name -> function.
  struct zc_ptr_map *results;   ///< Name of a function -> the nodes of its results.
  struct zc_ptr_map *origins;   ///< Result of a transfer -> what it is going to be.
  struct zc_ptr_map *carriers;  ///< Value -> the op that carries it on, or itself where none does; as asked for.
  zc_list touches;
};

/// Reads the module, but for executables. Almost linear in its size.
zc_values *zc_values_create(zc_context *context);
void zc_values_release(zc_values *values);

/// The class of a value now.
zc_value_class *zc_class_of(zc_values *values, MlirValue value);
/// Who may write its memory; all devices where not all is known.
zc_device_set zc_class_writers(const zc_value_class *class);
/// Makes one class of two values' classes.
void zc_class_merge(zc_values *values, MlirValue a, MlirValue b);

/// Takes note that `result` is going to be `source`.
void zc_value_becomes(zc_values *values, MlirValue result, MlirValue source);
/// What a value is going to be: through what zc_value_becomes was told, casts and awaits.
MlirValue zc_value_origin(zc_values *values, MlirValue value);

/// The one device that computes or holds a flow-level value, found through what it is computed with; -1 where unknown.
int zc_device_of(zc_values *values, MlirValue value);

#endif /* ZC_PASSES_VALUE_CLASSES_H */
