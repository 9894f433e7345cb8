/* Scheduled IR of one function as storages and the commands that access them (design section 5). */
#ifndef ZC_PASSES_SCHEDULED_H
#define ZC_PASSES_SCHEDULED_H

#include "passes/context.h"
#include "passes/kernels.h"
#include "passes/timeline.h"

/// Where a command stands among the stream.cmd.serial and stream.cmd.concurrent groups of its region.
typedef struct zc_group {
  struct zc_group *parent; ///< Null for the region's body, which is serial.
  int index;               ///< Of the group in its parent.
  int depth;
  bool concurrent;
} zc_group;

/// An execution region.
typedef struct zc_region {
  MlirOperation execute;
  MlirBlock block;
  zc_device_set devices; ///< That may execute it; 0 where that isn't known.
  int device;            ///< The one that does; -1 where it isn't one.
  zc_list accesses;      ///< zc_access *, in program order.
} zc_region;

struct zc_storage;

/// One range of one command.
typedef struct zc_access {
  struct zc_storage *storage; ///< As the IR has it; merges are not followed.
  MlirOperation command;
  zc_region *region;
  zc_group *group;
  int index;     ///< In the group.
  bool gone;     ///< Of a copy that is to be taken away.
  int64_t shift; ///< Bytes that its range moves up by, in the storage that serves for its own.
  int64_t clip;  ///< What its range must not go beyond there; 0: nothing.
  zc_range range;
  zc_bound used; ///< Of the range.
} zc_access;

/// What a resource value is rooted in: an alloca, or anything that is not ours to see through.
typedef struct zc_storage {
  MlirValue root;
  MlirOperation definition; ///< Null for a block argument.
  zc_op kind;               ///< Of the definition.
  MlirBlock block;
  zc_list accesses;  ///< zc_access *
  zc_list deallocas; ///< MlirOperation
  zc_list escapes;   ///< MlirOperation: what hands it to code that isn't seen: export, store, branch, call, return.
  MlirOperation unsupported; ///< A use that is none of these, a subview only where there is no other; null: none.
  MlirValue size;            ///< ALLOCA: its bytes, or what they are to become where `grows`.
  bool grows;
  MlirType type;        ///< What its lifetime is, or is to become.
  zc_device_set users;  ///< Of all its accesses.
  bool unknown_user;    ///< An access of a device that is not known.
  bool freed_elsewhere; ///< A deallocation stands in another block.
  int first_use;        ///< Position in its block of the first op that uses it; INT_MAX where none does.
  int number;           ///< For a pass to order storages by.
  bool never_freed;     ///< A part of it is not deallocated, so the whole is left to the runtime's reference counts.
  struct zc_storage *merged_into; ///< The storage that serves in its place; null where it stands for itself.
} zc_storage;

/// A copy that a stream.async.transfer became: with the maintenance that IREE put beside it (ScheduleAllocation.cpp,
/// applyAsyncTransferOp: invalidate before an incoming one, flush after an outgoing one).
typedef struct zc_hand_off {
  MlirOperation copy;
  MlirOperation invalidate; ///< Null where it executes at the source.
  MlirOperation flush;      ///< Null where it executes at the target.
  zc_access *read;
  zc_access *write;
  zc_access *invalidated; ///< The invalidate's range; null where there is none.
  zc_access *flushed;     ///< The flush's range; null where there is none.
  zc_storage *source;
  zc_storage *result;
} zc_hand_off;

typedef struct zc_scheduled {
  zc_context *context;
  MlirOperation function;
  zc_timeline *timeline;
  struct zc_ptr_map *storages; ///< Resource value -> zc_storage.
  struct zc_ptr_map *regions;  ///< stream.cmd.execute, as it was when read -> zc_region.
  zc_list roots;               ///< zc_storage *, as they were first seen.
  zc_list hand_offs;           ///< zc_hand_off, in program order.
  bool writes_imports;         ///< A command writes imported memory, which other imports may name, too.
} zc_scheduled;

bool zc_access_writes(const zc_access *access);

/// Reads a function. Linear in its size. The context's arena holds the result; zc_scheduled_release before it goes.
zc_scheduled *zc_scheduled_create(zc_context *context, MlirOperation function);
void zc_scheduled_release(zc_scheduled *scheduled);

/// The storage of a resource value, through captures and awaits; one is made for a root seen for the first time. Merges
/// are not followed.
zc_storage *zc_storage_of(zc_scheduled *scheduled, MlirValue value);

/// The storage that serves in place of `storage`: itself where it wasn't merged.
zc_storage *zc_storage_representative(zc_storage *storage);

/// The position in `block` of an op, or of the op there that it is nested in; INT_MAX where it isn't in there.
int zc_position_in(const zc_scheduled *scheduled, MlirOperation op, MlirBlock block);
/// The position in `block` of the first op there that uses a value, itself or inside of it; INT_MAX where none does.
int zc_first_use(const zc_scheduled *scheduled, MlirValue value, MlirBlock block);

/// Whether `earlier` has completed before `later` starts, by the region's groups or by timepoints.
bool zc_access_is_ordered(zc_scheduled *scheduled, const zc_access *earlier, const zc_access *later);

#endif /* ZC_PASSES_SCHEDULED_H */
