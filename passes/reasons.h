/* Why a transfer is an alias or a copy. The spelling is stable: users and tools match on it. */
#ifndef ZC_PASSES_REASONS_H
#define ZC_PASSES_REASONS_H

typedef enum zc_decision { ZC_DECISION_COPY, ZC_DECISION_ALIAS } zc_decision;

/* name, spelling, explanation for remarks */
#define ZC_REASONS(X)                                                                                                  \
  X(SAME_DEVICE, "same-device", "both ends are queues of one device")                                                  \
  X(SHARED_MEMORY, "shared-memory", "all users share unified memory")                                                  \
  X(TRANSPARENT_ACCESS, "transparent-access", "all users access the owner's memory")                                   \
  X(EXPLICIT_ALIAS, "explicit-alias", "zc.kind asks for an alias")                                                     \
  X(EXPLICIT_COPY, "explicit-copy", "zc.kind asks for a copy")                                                         \
  X(DISCRETE_LINK, "discrete-link", "the topology declares no shared memory")                                          \
  X(UNKNOWN_DEVICE, "unknown-device", "a device that uses it is not known")                                            \
  X(IMPORT_NOT_SHAREABLE, "import-not-shareable", "the caller placed the buffer")                                      \
  X(SOURCE_NOT_OWNED, "source-not-owned", "an in-place update would write memory that the program doesn't own")        \
  X(SOURCE_NOT_ALLOCATION, "source-not-allocation", "the source is not an allocation of this block")                   \
  X(RESULT_NOT_ALLOCATION, "result-not-allocation", "the result is not an allocation of this block")                   \
  X(PARTIAL_SOURCE, "partial-source", "the source is a part of its allocation")                                        \
  X(PARTIAL_RESULT, "partial-result", "the result is a part of its allocation")                                        \
  X(SOURCE_OVERWRITTEN, "source-overwritten", "the source is written while the result is still in use")                \
  X(RESULT_OVERWRITTEN, "result-overwritten", "the result is written while the source is still in use")                \
  X(SOURCE_ESCAPES, "source-escapes", "the source leaves the program's sight")                                         \
  X(UNORDERED_USERS, "unordered-users", "no timepoint orders the uses of source and result")                           \
  X(CALLER_STORAGE, "caller-storage", "the result goes to storage that the caller gave")                               \
  X(UNSUPPORTED_USE, "unsupported-use", "a use of the source or the result is not understood")                         \
  X(TYPE_MISMATCH, "type-mismatch", "source and result have different resource types")                                 \
  X(SHARED_CACHE_LINE, "shared-cache-line", "a neighbour in its cache line may be written by another device")          \
  X(BELOW_MINIMUM_BYTES, "below-minimum-bytes", "smaller than the least size to alias")                                \
  X(READ_COST, "read-cost", "reading across the link costs more than one copy")                                        \
  X(LIMIT_REACHED, "limit-reached", "zc-limit rewrites were applied")

typedef enum zc_reason {
#define ZC_REASON_ENUM(name, spelling, text) ZC_REASON_##name,
  ZC_REASONS(ZC_REASON_ENUM)
#undef ZC_REASON_ENUM
      ZC_NUM_REASONS
} zc_reason;

const char *zc_decision_spelling(zc_decision decision);
const char *zc_reason_spelling(zc_reason reason);
const char *zc_reason_text(zc_reason reason);

#endif /* ZC_PASSES_REASONS_H */
