/* spatial.h as a subject, see subject.h. Compile with -DSUBJECT=name -DHEADER='"path/spatial.h"'.

   The linear tree and the loose grid are told how many boxes there will be and allocate all memory
   at once; their cells are the default for as many. Those that "grow" are not told; the loose grid
   then wants the side of its cells, and gets what makes it 8 boxes a cell. The quadtree grows,
   which is its default. All calls of these go through a spt_index. The packed one has none; here is
   one for it, which keeps the boxes and builds anew when it is tidied.

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

#ifdef SPT_PACKED_BLOCK /* older versions have none of it */
typedef struct packed_boxes {
    spt_packed packed;
    spt_box *boxes;
    spt_i32 n;
} packed_boxes;
#endif

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
#ifdef SPT_PACKED_BLOCK
        packed_boxes packed;
#endif
    } object;        /* else one of these, */
    spt_index index; /* behind its table; object NULL: it is the broadphase */
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

#ifdef SPT_PACKED_BLOCK
static int packed_set(void *object, spt_i32 id, const spt_box *box)
{
    ((packed_boxes *)object)->boxes[id] = *box;
    return SPT_OK;
}

static spt_i32 packed_set_many(void *object, const spt_i32 *ids, const spt_box *boxes, spt_i32 n)
{
    spt_i32 k;
    for (k = 0; k < n; k++) ((packed_boxes *)object)->boxes[ids[k]] = boxes[ids[k]];
    return n;
}

/* All will be: to build once more for each would tell nothing. */
static int packed_remove(void *object, spt_i32 id)
{
    packed_boxes *p = (packed_boxes *)object;
    (void)id;
    p->n = 0;
    return SPT_OK;
}

static void packed_tidy(void *object)
{
    packed_boxes *p = (packed_boxes *)object;
    if (spt_packed_build(&p->packed, p->boxes, p->n) != SPT_OK) give_up("build fails");
}

static spt_i32 packed_query(const void *object, const spt_box *box, spt_intlist *out)
{
    return spt_packed_query(&((const packed_boxes *)object)->packed, box, out);
}

static void packed_free(void *object)
{
    packed_boxes *p = (packed_boxes *)object;
    free(p->boxes);
    spt_packed_free(&p->packed);
}

static int init_packed(state *s, const spt_allocator *allocator, const spt_box *world, spt_i32 n)
{
    spt_packed_desc desc;
    (void)world;
    memset(&desc, 0, sizeof desc);
    desc.allocator = *allocator;
    s->object.packed.boxes = (spt_box *)malloc((size_t)n * sizeof(spt_box));
    s->object.packed.n = n;
    s->index.object = &s->object.packed;
    s->index.insert = packed_set;
    s->index.move_many = packed_set_many;
    s->index.remove = packed_remove;
    s->index.tidy = packed_tidy;
    s->index.query = packed_query;
    s->index.free = packed_free;
    if (!s->object.packed.boxes) return SPT_ERR_MEMORY;
    return spt_packed_init(&s->object.packed.packed, &desc);
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
#ifdef SPT_PACKED_BLOCK
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
#ifdef SPT_PACKED_BLOCK
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
    if (s->index.object)
        count = s->index.pairs(s->index.object, list);
    else
        count = spt_broadphase_pairs(&s->broadphase, boxes_of(boxes), n, list);
    reserve_pairs(s, n);
    return result(s, count);
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
