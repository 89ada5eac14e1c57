/* spatial.h as a subject, see subject.h. Compile with -DSUBJECT=name -DHEADER='"path/spatial.h"'.

   The linear tree and the loose grid are told how many boxes there will be and allocate all memory
   at once; their cells are the default for as many. Those that "grow" are not told; the loose grid
   then wants the side of its cells, and gets what makes it 8 boxes a cell. The quadtree grows,
   which is its default. All calls of these go through a spt_index.

   The broadphase keeps no boxes: to insert, move and remove is nothing. */
#include "ours.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPATIAL_STATIC
#define SPATIAL_IMPLEMENTATION
#include HEADER
#include "subject.h"

typedef struct state {
    ours_memory memory; /* first, see ours.h */
    ours_memory list_memory;
    spt_broadphase broadphase; /* if the structure is that */
    union {
        spt_linear linear;
#ifdef SPT_QUADTREE_MAX_DEPTH /* older versions have none of it */
        spt_quadtree quadtree;
#endif
#ifdef SPT_LOOSEGRID_MAX_LEVELS
        spt_loosegrid loosegrid;
#endif
    } object;        /* else one of these, */
    spt_index index; /* behind its table; object NULL: it is the broadphase */
    spt_intlist found;
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
    spt_linear_index(&s->object.linear, &s->index);
    return spt_linear_init(&s->object.linear, &desc);
}

static int init_linear_grows(state *s, const spt_allocator *allocator, const spt_box *world,
                             spt_i32 n)
{
    (void)n;
    return init_linear(s, allocator, world, 0);
}

#ifdef SPT_QUADTREE_MAX_DEPTH
static int init_quadtree(state *s, const spt_allocator *allocator, const spt_box *world, spt_i32 n)
{
    spt_quadtree_desc desc;
    (void)n;
    memset(&desc, 0, sizeof desc);
    desc.bounds = *world;
    desc.allocator = *allocator;
    spt_quadtree_index(&s->object.quadtree, &s->index);
    return spt_quadtree_init(&s->object.quadtree, &desc);
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
    spt_loosegrid_index(&s->object.loosegrid, &s->index);
    return spt_loosegrid_init(&s->object.loosegrid, &desc);
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
    if (s->index.object)
        s->index.free(s->index.object);
    else
        spt_broadphase_free(&s->broadphase);
    free(s);
}

static void insert_all(void *p, const bench_box *boxes, int n)
{
    const spt_index *x = &((state *)p)->index;
    spt_i32 i;
    if (!x->object) return;
    for (i = 0; i < n; i++)
        if (x->insert(x->object, i, boxes_of(boxes) + i) != SPT_OK) give_up("insert fails");
}

/* Older versions have no call for many. */
static void move_some(void *p, const bench_box *boxes, int n, const int *ids, int count)
{
    const spt_index *x = &((state *)p)->index;
    (void)n;
    if (!x->object) return;
#ifdef SPTI_MOVES_NEAR
    if (x->move_many(x->object, ids, boxes_of(boxes), count) != count) give_up("a move fails");
#else
    for (n = 0; n < count; n++)
        if (x->move(x->object, ids[n], boxes_of(boxes) + ids[n]) != SPT_OK) give_up("a move fails");
#endif
}

static void remove_all(void *p, const bench_box *boxes, int n)
{
    const spt_index *x = &((state *)p)->index;
    spt_i32 i;
    (void)boxes;
    if (!x->object) return;
    for (i = 0; i < n; i++)
        if (x->remove(x->object, i) != SPT_OK) give_up("remove fails");
}

static void tidy(void *p)
{
    const spt_index *x = &((state *)p)->index;
    if (x->object) x->tidy(x->object);
}

/* The list serves pairs and ids in turn, and keeps its memory as long as it serves the same. */
static spt_intlist *list_of(state *s, int fields)
{
    if (s->found.fields != fields) {
        spt_allocator allocator = allocator_into(&s->list_memory);
        spt_intlist_free(&s->found);
        spt_intlist_init_with(&s->found, fields, &allocator);
    }
    spt_intlist_clear(&s->found);
    return &s->found;
}

static long result(state *s, spt_i32 count)
{
    if (count < 0) give_up(spt_error_string((int)count));
    s->memory.calls += s->list_memory.calls;
    s->list_memory.calls = 0;
    return (long)count;
}

static long pairs(void *p, const bench_box *boxes, int n)
{
    state *s = (state *)p;
    spt_intlist *list = list_of(s, 2);
    if (s->index.object) return result(s, s->index.pairs(s->index.object, list));
    return result(s, spt_broadphase_pairs(&s->broadphase, boxes_of(boxes), n, list));
}

static long window(void *p, const bench_box *boxes, const bench_box *box)
{
    state *s = (state *)p;
    (void)boxes;
    if (!s->index.object) return -1;
    return result(s, s->index.query(s->index.object, boxes_of(box), list_of(s, 1)));
}

static const int *found(void *p)
{
    return spt_intlist_data(&((state *)p)->found);
}

extern const subject SUBJECT;
const subject SUBJECT = {"spatial.h", names, open_state, close_state, insert_all, move_some,
                         remove_all,  tidy,  pairs,      window,      found};
