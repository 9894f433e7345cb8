/* Vector clocks over chains. A chain is a run of events each of which happens before the next; a new event continues
 * any chain whose last event it comes after, so that there are about as many chains as events can run at once, and
 * clocks stay short however long the function is. */
#include "passes/verify_order.h"

typedef struct reached {
  int chain;
  int position;
} reached;

struct zc_clock {
  int count;
  reached at[]; ///< By chain.
};

typedef struct chain {
  int length; ///< Its events so far.
  bool aside; ///< Of events that hardly anything waits for.
} chain;

struct zc_order {
  zc_arena *arena;
  zc_list chains; ///< chain
};

zc_order *zc_order_create(zc_arena *arena) {
  zc_order *order = zc_arena_new(arena, zc_order);
  order->arena = arena;
  return order;
}

static zc_clock *make_clock(zc_order *order, int capacity) {
  return zc_arena_alloc(order->arena, sizeof(zc_clock) + sizeof(reached) * (size_t)capacity);
}

/* The latest position in `chain`; 0 where there is none. */
static int find_position(const zc_clock *clock, int chain) {
  int low = 0;
  int high = clock ? clock->count : 0;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (clock->at[middle].chain < chain)
      low = middle + 1;
    else
      high = middle;
  }
  return clock && low < clock->count && clock->at[low].chain == chain ? clock->at[low].position : 0;
}

static bool covers(const zc_clock *outer, const zc_clock *inner) {
  if (outer->count < inner->count)
    return false;
  for (int i = 0, j = 0; j < inner->count; ++i) {
    if (i == outer->count || outer->at[i].chain > inner->at[j].chain)
      return false;
    if (outer->at[i].chain < inner->at[j].chain)
      continue;
    if (outer->at[i].position < inner->at[j++].position)
      return false;
  }
  return true;
}

const zc_clock *zc_order_join(zc_order *order, const zc_clock *a, const zc_clock *b) {
  if (a == b || !b)
    return a;
  if (!a || covers(b, a))
    return b;
  if (covers(a, b))
    return a;
  zc_clock *joined = make_clock(order, a->count + b->count);
  for (int i = 0, j = 0; i < a->count || j < b->count;) {
    reached next;
    if (j == b->count || (i < a->count && a->at[i].chain < b->at[j].chain)) {
      next = a->at[i++];
    } else if (i == a->count || b->at[j].chain < a->at[i].chain) {
      next = b->at[j++];
    } else {
      next = a->at[i].position > b->at[j].position ? a->at[i] : b->at[j];
      ++i, ++j;
    }
    joined->at[joined->count++] = next;
  }
  return joined;
}

/* A chain of its kind that the new event may continue; a new one where there is none. */
static int choose_chain(zc_order *order, const zc_clock *past, bool aside) {
  for (int i = 0; past && i < past->count; ++i) {
    const chain *known = &zc_list_at(&order->chains, chain, past->at[i].chain);
    if (known->aside == aside && known->length == past->at[i].position)
      return past->at[i].chain;
  }
  chain added = {0, aside};
  zc_list_push(order->arena, &order->chains, chain, added);
  return order->chains.count - 1;
}

const zc_moment *zc_order_add(zc_order *order, const zc_clock *past, bool aside) {
  zc_moment *event = zc_arena_new(order->arena, zc_moment);
  event->chain = choose_chain(order, past, aside);
  event->position = ++zc_list_at(&order->chains, chain, event->chain).length;
  event->past = past;
  zc_clock *own = make_clock(order, 1);
  own->count = 1;
  own->at[0] = (reached){event->chain, event->position};
  event->done = zc_order_join(order, past, own);
  return event;
}

bool zc_clock_has(const zc_clock *clock, const zc_moment *event) {
  return !event || find_position(clock, event->chain) >= event->position;
}

bool zc_moment_before(const zc_moment *a, const zc_moment *b) {
  return !a || (b && zc_clock_has(b->past, a));
}
