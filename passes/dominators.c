#include "passes/dominators.h"

#include "capi/ptr_map.h"

/* A block, by its number in a depth-first order from the function's begin, which is 1. Those that aren't reached have
 * none. Names are those of Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph". */
typedef struct vertex {
  MlirBlock block;
  zc_list predecessors; ///< int
  int parent;
  int semi;
  int ancestor;
  int label;
  int bucket;      ///< The first of those whose semidominator it is,
  int next;        ///< and the next of those that this one is among.
  int dominator;   ///< The immediate one.
  int first;       ///< Of the numbers of what it dominates, its own,
  int count;       ///< and how many these are.
  int numbered;    ///< Of them, those given out.
  intptr_t branch; ///< Successors that were gone to.
} vertex;

struct zc_dominators {
  zc_arena *arena;
  MlirOperation function;
  zc_ptr_map *numbers; ///< Block -> its number.
  zc_list vertices;    ///< vertex
};

static vertex *vertex_at(const zc_dominators *dominators, int number) {
  return &zc_list_at(&dominators->vertices, vertex, number);
}

static int number_of(const zc_dominators *dominators, MlirBlock block) {
  return (int)(intptr_t)zc_ptr_map_get(dominators->numbers, block.ptr);
}

/* ---- depth first ---- */

static int add_vertex(zc_dominators *dominators, MlirBlock block, int parent) {
  int number = dominators->vertices.count;
  vertex vertex = {.block = block, .parent = parent, .semi = number, .label = number};
  zc_list_push(dominators->arena, &dominators->vertices, struct vertex, vertex);
  zc_ptr_map_set(dominators->numbers, block.ptr, (void *)(intptr_t)number);
  return number;
}

static void search(zc_dominators *dominators, MlirBlock entry) {
  int number = add_vertex(dominators, entry, 0);
  while (number) {
    vertex *vertex = vertex_at(dominators, number);
    MlirOperation terminator = mlirBlockGetTerminator(vertex->block);
    if (mlirOperationIsNull(terminator) || vertex->branch == mlirOperationGetNumSuccessors(terminator)) {
      number = vertex->parent;
      continue;
    }
    MlirBlock successor = mlirOperationGetSuccessor(terminator, vertex->branch++);
    int known = number_of(dominators, successor);
    int target = known ? known : add_vertex(dominators, successor, number);
    zc_list_push(dominators->arena, &vertex_at(dominators, target)->predecessors, int, number);
    if (!known)
      number = target;
  }
}

/* ---- dominators ---- */

/* Lets each vertex on the way to the root of its tree in the forest stand right under that. */
static void compress(zc_dominators *dominators, int number, zc_list *way) {
  way->count = 0;
  for (; vertex_at(dominators, vertex_at(dominators, number)->ancestor)->ancestor;
       number = vertex_at(dominators, number)->ancestor)
    zc_list_push(dominators->arena, way, int, number);
  while (way->count) {
    vertex *own = vertex_at(dominators, zc_list_at(way, int, --way->count));
    const vertex *above = vertex_at(dominators, own->ancestor);
    if (vertex_at(dominators, above->label)->semi < vertex_at(dominators, own->label)->semi)
      own->label = above->label;
    own->ancestor = above->ancestor;
  }
}

static int evaluate(zc_dominators *dominators, int number, zc_list *way) {
  if (vertex_at(dominators, number)->ancestor)
    compress(dominators, number, way);
  return vertex_at(dominators, number)->label;
}

static void empty_bucket(zc_dominators *dominators, int parent, zc_list *way) {
  for (int number = vertex_at(dominators, parent)->bucket; number; number = vertex_at(dominators, number)->next) {
    int least = evaluate(dominators, number, way);
    bool lower = vertex_at(dominators, least)->semi < vertex_at(dominators, number)->semi;
    vertex_at(dominators, number)->dominator = lower ? least : parent;
  }
  vertex_at(dominators, parent)->bucket = 0;
}

static void find_dominators(zc_dominators *dominators) {
  zc_list way = {0};
  int count = dominators->vertices.count;
  for (int i = count - 1; i > 1; --i) {
    vertex *own = vertex_at(dominators, i);
    for (int j = 0; j < own->predecessors.count; ++j) {
      int least = evaluate(dominators, zc_list_at(&own->predecessors, int, j), &way);
      if (vertex_at(dominators, least)->semi < own->semi)
        own->semi = vertex_at(dominators, least)->semi;
    }
    own->next = vertex_at(dominators, own->semi)->bucket;
    vertex_at(dominators, own->semi)->bucket = i;
    own->ancestor = own->parent;
    empty_bucket(dominators, own->parent, &way);
  }
  for (int i = 2; i < count; ++i) {
    vertex *own = vertex_at(dominators, i);
    if (own->dominator != own->semi)
      own->dominator = vertex_at(dominators, own->dominator)->dominator;
  }
}

/* A dominator comes first in the depth-first order. */
static void number_tree(zc_dominators *dominators) {
  for (int i = dominators->vertices.count - 1; i > 0; --i)
    vertex_at(dominators, vertex_at(dominators, i)->dominator)->count += ++vertex_at(dominators, i)->count;
  for (int i = 1; i < dominators->vertices.count; ++i) {
    vertex *own = vertex_at(dominators, i);
    vertex *above = vertex_at(dominators, own->dominator);
    own->first = above->first + 1 + above->numbered;
    above->numbered += own->count;
  }
}

zc_dominators *zc_dominators_create(zc_arena *arena, MlirOperation function) {
  zc_dominators *dominators = zc_arena_new(arena, zc_dominators);
  *dominators = (zc_dominators){.arena = arena, .function = function, .numbers = zc_ptr_map_create(arena)};
  zc_list_push(arena, &dominators->vertices, vertex, (vertex){0});
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetFirstRegion(function));
  if (mlirBlockIsNull(entry))
    return dominators;
  search(dominators, entry);
  find_dominators(dominators);
  number_tree(dominators);
  return dominators;
}

void zc_dominators_release(zc_dominators *dominators) {
  zc_ptr_map_release(dominators->numbers);
}

/* ---- questions ---- */

/* The block of the function that `block` is, or stands in; null where it is elsewhere. */
static MlirBlock block_in_function(const zc_dominators *dominators, MlirBlock block) {
  MlirOperation op = mlirBlockGetParentOperation(block);
  while (!mlirOperationIsNull(op) && !mlirOperationEqual(op, dominators->function)) {
    block = mlirOperationGetBlock(op);
    op = mlirBlockIsNull(block) ? (MlirOperation){NULL} : mlirBlockGetParentOperation(block);
  }
  return mlirOperationIsNull(op) ? (MlirBlock){NULL} : block;
}

bool zc_is_reachable(const zc_dominators *dominators, MlirBlock block) {
  return number_of(dominators, block);
}

bool zc_dominates(const zc_dominators *dominators, MlirBlock earlier, MlirBlock later) {
  if (mlirBlockEqual(earlier, later))
    return true;
  /* Where one block lies inside of the other, its place in there decides. */
  MlirBlock around = block_in_function(dominators, later);
  if (mlirBlockIsNull(around) || mlirBlockEqual(around, earlier))
    return false;
  int number = number_of(dominators, around);
  int above = number_of(dominators, earlier);
  if (!number || !above)
    return !number;
  int distance = vertex_at(dominators, number)->first - vertex_at(dominators, above)->first;
  return distance >= 0 && distance < vertex_at(dominators, above)->count;
}
