/* Which events of one path through a function happen before which, as timepoints and waits of the host say. */
#ifndef ZC_PASSES_VERIFY_ORDER_H
#define ZC_PASSES_VERIFY_ORDER_H

#include <stdbool.h>

#include "capi/arena.h"

/// What has completed: of each chain of events the last one. Null: nothing. Never changed once made.
typedef struct zc_clock zc_clock;

/// Something that the timeline orders: an execution region, an allocation, the outside.
typedef struct zc_moment {
  int chain;
  int position;         ///< In the chain.
  const zc_clock *past; ///< What had completed when it began.
  const zc_clock *done; ///< past and itself.
} zc_moment;

typedef struct zc_order zc_order;
zc_order *zc_order_create(zc_arena *arena);

/// An event that begins when all of `past` has completed. `aside`: hardly anything waits for it, so that what follows
/// from `past` had better continue without it.
const zc_moment *zc_order_add(zc_order *order, const zc_clock *past, bool aside);
const zc_clock *zc_order_join(zc_order *order, const zc_clock *a, const zc_clock *b);
/// Whether `event` has completed where `clock` has.
bool zc_clock_has(const zc_clock *clock, const zc_moment *event);
/// Whether `a` completes before `b` begins, in every order that is possible. Null as `a`: before all; as `b`: never.
bool zc_moment_before(const zc_moment *a, const zc_moment *b);

#endif /* ZC_PASSES_VERIFY_ORDER_H */
