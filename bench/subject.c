/* spatial.h as a subject, see subject.h. Compile with -DSUBJECT=name -DHEADER='"path/spatial.h"'.

   The linear tree and the loose grid are told how many boxes there will be and allocate all memory
   at once; their cells are the default for as many. Those that "grow" are not told; the loose grid
   then wants the side of its cells, and gets what makes it 8 boxes a cell. The quadtree grows,
   which is its default. The packed one is built anew when boxes move.

   The broadphase keeps no boxes: to insert, move and remove is nothing. */
#include "ours.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPATIAL_STATIC
#define SPATIAL_IMPLEMENTATION
#include HEADER
#ifndef SPT_PACKED_NODE /* a version before one type kept the boxes of all structures */
#include "older.h"
#endif
#include "subject.h"

typedef struct state {
    ours_memory memory; /* first, see ours.h */
    ours_memory list_memory;
    spt_broadphase broadphase; /* the structure is that, */
    spt_index index;           /* or this, */
    int keeps;                 /* which keeps boxes; */
    int whole;                 /* of which none comes, goes or moves alone */
    spt_intlist found;
    int reserved; /* found has room for more pairs than the first frame had */
} state;

static void give_up(const char *what)
{
    fprintf(stderr, "bench: spatial.h: %s\n", what);
    exit(1);
}

static const spt_box *boxes_of(const bench_box *boxes)
{
    return (const spt_box *)(const void *)boxes;
}

static void *resize(void *ctx, void *old, size_t old_size, size_t new_size)
{
    ours_memory *memory = (ours_memory *)ctx;
    void *p = NULL;
    if (new_size > 0) {
        memory->calls++;
        p = realloc(old, new_size);
        if (!p) return NULL;
    } else {
        free(old);
    }
    memory->bytes += new_size - old_size;
    return p;
}

static spt_allocator allocator_into(ours_memory *memory)
{
    spt_allocator allocator;
    allocator.resize = resize;
    allocator.ctx = memory;
    return allocator;
}

/* ---- structures ------------------------------------------------------------------------------ */

static int init_broadphase(state *s, const spt_allocator *allocator, const spt_box *world,
                           spt_i32 n)
{
    spt_broadphase_desc desc;
    (void)world, (void)n;
    memset(&desc, 0, sizeof desc);
    desc.allocator = *allocator;
    return spt_broadphase_init(&s->broadphase, &desc);
}

static int init_linear(state *s, const spt_allocator *allocator, const spt_box *world, spt_i32 n)
{
    spt_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.bounds = *world;
    desc.capacity = n; /* 0: it grows */
    desc.allocator = *allocator;
    s->keeps = 1;
    return spt_linear_init(&s->index, &desc);
}

static int init_linear_grows(state *s, const spt_allocator *allocator, const spt_box *world,
                             spt_i32 n)
{
    (void)n;
    return init_linear(s, allocator, world, 0);
}

#ifdef SPT_QUADTREE_MAX_DEPTH /* the oldest versions have none of it */
static int init_quadtree(state *s, const spt_allocator *allocator, const spt_box *world, spt_i32 n)
{
    spt_quadtree_desc desc;
    (void)n;
    memset(&desc, 0, sizeof desc);
    desc.bounds = *world;
    desc.allocator = *allocator;
    s->keeps = 1;
    return spt_quadtree_init(&s->index, &desc);
}
#endif

#ifdef SPT_LOOSEGRID_MAX_LEVELS
static int init_loosegrid_with(state *s, const spt_allocator *allocator, const spt_box *world,
                               spt_i32 capacity, double cell)
{
    spt_loosegrid_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.bounds = *world;
    desc.capacity = capacity;
    desc.cell = (spt_coord)cell;
    desc.allocator = *allocator;
    s->keeps = 1;
    return spt_loosegrid_init(&s->index, &desc);
}

static int init_loosegrid(state *s, const spt_allocator *allocator, const spt_box *world, spt_i32 n)
{
    return init_loosegrid_with(s, allocator, world, n, 0);
}

static int init_loosegrid_grows(state *s, const spt_allocator *allocator, const spt_box *world,
                                spt_i32 n)
{
    double width = (double)world->max_x - (double)world->min_x;
    double height = (double)world->max_y - (double)world->min_y;
    return init_loosegrid_with(s, allocator, world, 0, sqrt(width * height * 8 / n));
}
#endif

#ifdef SPT_PACKED_NODE
static int init_packed(state *s, const spt_allocator *allocator, const spt_box *world, spt_i32 n)
{
    spt_packed_desc desc;
    (void)world, (void)n;
    memset(&desc, 0, sizeof desc);
    desc.allocator = *allocator;
    s->keeps = s->whole = 1;
    return spt_packed_init(&s->index, &desc);
}
#endif

static const char *const names[] = {
    "broadphase",
    "linear",
    "linear (grows)",
#ifdef SPT_QUADTREE_MAX_DEPTH
    "quadtree",
#endif
#ifdef SPT_LOOSEGRID_MAX_LEVELS
    "loosegrid",
    "loosegrid (grows)",
#endif
#ifdef SPT_PACKED_NODE
    "packed",
#endif
    NULL,
};

static int (*const inits[])(state *, const spt_allocator *, const spt_box *, spt_i32) = {
    init_broadphase, init_linear,          init_linear_grows,
#ifdef SPT_QUADTREE_MAX_DEPTH
    init_quadtree,
#endif
#ifdef SPT_LOOSEGRID_MAX_LEVELS
    init_loosegrid,  init_loosegrid_grows,
#endif
#ifdef SPT_PACKED_NODE
    init_packed,
#endif
};

/* ---- the table ------------------------------------------------------------------------------- */

static void *open_state(const char *name, const bench_box *world, const bench_box *boxes, int n)
{
    state *s = (state *)calloc(1, sizeof *s);
    spt_allocator allocator;
    int k = 0;
    (void)boxes;
    if (!s) return NULL;
    while (names[k] && strcmp(names[k], name) != 0) k++;
    allocator = allocator_into(&s->memory);
    if (names[k] && inits[k](s, &allocator, boxes_of(world), n) == SPT_OK) return s;
    free(s);
    return NULL;
}

static void close_state(void *p)
{
    state *s = (state *)p;
    spt_intlist_free(&s->found);
    if (s->keeps)
        spt_free(&s->index);
    else
        spt_broadphase_free(&s->broadphase);
    free(s);
}

static void build(state *s, const bench_box *boxes, int n)
{
    if (spt_build(&s->index, boxes_of(boxes), n) != SPT_OK) give_up("build fails");
}

static void insert_all(void *p, const bench_box *boxes, int n)
{
    state *s = (state *)p;
    spt_i32 i;
    if (s->whole) build(s, boxes, n);
    if (s->whole || !s->keeps) return;
    for (i = 0; i < n; i++)
        if (spt_insert(&s->index, i, boxes_of(boxes) + i) != SPT_OK) give_up("insert fails");
}

static void move_some(void *p, const bench_box *boxes, int n, const int *ids, int count)
{
    state *s = (state *)p;
    if (s->whole) build(s, boxes, n);
    if (s->whole || !s->keeps) return;
    if (spt_move_many(&s->index, ids, boxes_of(boxes), count) != count) give_up("a move fails");
}

static void remove_all(void *p, const bench_box *boxes, int n)
{
    state *s = (state *)p;
    spt_i32 i;
    (void)boxes;
    if (s->whole) spt_clear(&s->index);
    if (s->whole || !s->keeps) return;
    for (i = 0; i < n; i++)
        if (spt_remove(&s->index, i) != SPT_OK) give_up("remove fails");
}

static void tidy(void *p)
{
    state *s = (state *)p;
    if (s->keeps) spt_tidy(&s->index);
}

/* The list serves pairs and ids in turn, and keeps its memory as long as it serves the same. */
static spt_intlist *list_of(state *s, int fields)
{
    if (s->found.fields != fields) {
        spt_allocator allocator = allocator_into(&s->list_memory);
        spt_intlist_free(&s->found);
        spt_intlist_init_with(&s->found, fields, &allocator);
    }
    return &s->found;
}

static long result(state *s, spt_i32 count)
{
    if (count < 0) give_up(spt_error_string(count));
    s->memory.calls += s->list_memory.calls;
    s->list_memory.calls = 0;
    return (long)count;
}

/* Who wants no allocation in a later frame, which may have more pairs, gives the list room for them
   after the first one. */
static void reserve_pairs(state *s, int n)
{
    if (s->reserved) return;
    s->reserved = 1;
    (void)spt_intlist_reserve(&s->found, 2 * (spt_intlist_count(&s->found) + n));
}

static long pairs(void *p, const bench_box *boxes, int n)
{
    state *s = (state *)p;
    spt_intlist *list = list_of(s, 2);
    spt_i32 count;
    if (s->keeps)
        count = spt_pairs(&s->index, NULL, list);
    else
        count = spt_broadphase_pairs(&s->broadphase, boxes_of(boxes), n, NULL, list);
    reserve_pairs(s, n);
    return result(s, count);
}

static long window(void *p, const bench_box *boxes, const bench_box *box)
{
    state *s = (state *)p;
    (void)boxes;
    if (!s->keeps) return -1;
    return result(s, spt_query(&s->index, boxes_of(box), NULL, list_of(s, 1)));
}

static const int *found(void *p)
{
    return spt_intlist_data(&((state *)p)->found);
}

extern const subject SUBJECT;
const subject SUBJECT = {"spatial.h", names, open_state, close_state, insert_all, move_some,
                         remove_all,  tidy,  pairs,      window,      found};
