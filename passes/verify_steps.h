/* What ops do on a path, by kinds of ops; and what the files that say so share. */
#ifndef ZC_PASSES_VERIFY_STEPS_H
#define ZC_PASSES_VERIFY_STEPS_H

#include "capi/text.h"
#include "passes/verify_path.h"

/// Result `result` of `op`, neither memory nor a timepoint.
const zc_term *zc_scalar_of(zc_path *path, MlirOperation op, zc_op kind, intptr_t result);

/// Memory that holds `value`, as it comes from outside of the function: there from `ready` on (null: from the
/// beginning), written by any of `writers`, who flushed it. `size` may be null.
zc_storage_state *zc_make_outside(zc_path *path, MlirOperation op, const zc_moment *ready, const zc_term *size,
                                  const zc_term *value, zc_device_set writers);

void zc_step_import(zc_path *path, MlirOperation op);
void zc_step_load(zc_path *path, MlirOperation op);
void zc_step_store(zc_path *path, MlirOperation op);
void zc_step_export(zc_path *path, MlirOperation op);
void zc_step_call(zc_path *path, MlirOperation call);
void zc_step_execute(zc_path *path, MlirOperation op);

static inline const zc_ops *ops_of(const zc_path *path) {
  return path->program->context->ops;
}

static inline zc_terms *terms_of(const zc_path *path) {
  return path->program->checks->terms;
}

static inline bool is_resource(const zc_path *path, MlirValue value) {
  return zc_is_resource(ops_of(path), mlirValueGetType(value));
}

static inline bool is_timepoint(const zc_path *path, MlirValue value) {
  return zc_is_timepoint(ops_of(path), mlirValueGetType(value));
}

static inline zc_device_set devices_of(zc_path *path, MlirOperation op) {
  zc_context *context = path->program->context;
  const zc_affinity *affinity = zc_affinity_read(context->affinities, zc_execution_affinity(context, op));
  if (affinity->kind == ZC_AFFINITY_UNKNOWN)
    zc_path_unknown(path, "an execution affinity is not understood");
  return affinity->kind == ZC_AFFINITY_UNKNOWN ? 0 : affinity->devices;
}

static inline const zc_term *constant(const zc_path *path, int64_t value) {
  return zc_term_constant(terms_of(path), value);
}

static inline void observe(zc_path *path, zc_observation_kind kind, const char *name, const zc_term *value,
                           MlirOperation op) {
  if (!path->program->summary)
    return;
  zc_observation seen = {kind, name, value, path->extent, path->shared, mlirOperationGetLocation(op)};
  path->extent = path->shared = NULL;
  zc_list_push(path->arena, &path->observations, zc_observation, seen);
}

static inline const char *attribute_name(zc_path *path, MlirAttribute attribute) {
  return mlirAttributeIsNull(attribute) ? "" : zc_attribute_text(path->program->context->arena, attribute);
}

static inline zc_binding whole_of(const zc_path *path, zc_storage_state *storage) {
  return (zc_binding){.storage = storage, .offset = constant(path, 0)};
}

static inline zc_span whole_span(const zc_path *path, const zc_storage_state *storage) {
  const zc_term *size = zc_storage_size(storage);
  return size ? zc_span_make(terms_of(path), constant(path, 0), size)
              : zc_span_constant(terms_of(path), 0, ZC_UNBOUNDED);
}

#endif /* ZC_PASSES_VERIFY_STEPS_H */
