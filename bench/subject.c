/* See subject.h. Compile with -DSUBJECT=name -DHEADER='"path/spatial.h"'.

   The linear tree and the loose grid are told how many boxes there will be and allocate all memory
   at once; their cells are the default for as many. The quadtree is left to grow, which is its
   default. All calls of these go through a spt_index. */
#define SPATIAL_STATIC
#define SPATIAL_IMPLEMENTATION
#include HEADER
#include "subject.h"

#include <stdlib.h>
#include <string.h>

typedef struct state {
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
    spt_intlist pairs, ids;
} state;

typedef struct structure {
    const char *name;
    int (*init)(state *s, const spt_box *world, spt_i32 n);
} structure;

static const spt_box *boxes_of(const bench_box *boxes)
{
    return (const spt_box *)(const void *)boxes;
}

static int init_broadphase(state *s, const spt_box *world, spt_i32 n)
{
    (void)world, (void)n;
    return spt_broadphase_init(&s->broadphase, NULL);
}

static int init_linear(state *s, const spt_box *world, spt_i32 n)
{
    spt_linear_desc desc = {{0, 0, 0, 0}, 0, 0, 0, {NULL, NULL}};
    desc.bounds = *world;
    desc.capacity = n;
    spt_linear_index(&s->object.linear, &s->index);
    return spt_linear_init(&s->object.linear, &desc);
}

#ifdef SPT_QUADTREE_MAX_DEPTH
static int init_quadtree(state *s, const spt_box *world, spt_i32 n)
{
    spt_quadtree_desc desc = {{0, 0, 0, 0}, 0, 0, 0, 0, 0, {NULL, NULL}};
    (void)n;
    desc.bounds = *world;
    spt_quadtree_index(&s->object.quadtree, &s->index);
    return spt_quadtree_init(&s->object.quadtree, &desc);
}
#endif

#ifdef SPT_LOOSEGRID_MAX_LEVELS
static int init_loosegrid(state *s, const spt_box *world, spt_i32 n)
{
    spt_loosegrid_desc desc = {{0, 0, 0, 0}, 0, 0, 0, 0, 0, {NULL, NULL}};
    desc.bounds = *world;
    desc.capacity = n;
    spt_loosegrid_index(&s->object.loosegrid, &s->index);
    return spt_loosegrid_init(&s->object.loosegrid, &desc);
}
#endif

static const structure structures[] = {
    {"broadphase", init_broadphase},
    {"linear", init_linear},
#ifdef SPT_QUADTREE_MAX_DEPTH
    {"quadtree", init_quadtree},
#endif
#ifdef SPT_LOOSEGRID_MAX_LEVELS
    {"loosegrid", init_loosegrid},
#endif
};

static const structure *find(const char *name)
{
    size_t i;
    for (i = 0; i < sizeof structures / sizeof structures[0]; i++)
        if (strcmp(structures[i].name, name) == 0) return &structures[i];
    return NULL;
}

static int has(const char *name)
{
    return find(name) != NULL;
}

static void *open_state(const char *name, const bench_box *world, int n)
{
    state *s = (state *)calloc(1, sizeof *s);
    if (!s) return NULL;
    spt_intlist_init(&s->pairs, 2);
    spt_intlist_init(&s->ids, 1);
    if (find(name)->init(s, boxes_of(world), n) == SPT_OK) return s;
    free(s);
    return NULL;
}

static void close_state(void *p)
{
    state *s = (state *)p;
    spt_intlist_free(&s->pairs);
    spt_intlist_free(&s->ids);
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
    for (i = 0; i < n; i++) x->insert(x->object, i, boxes_of(boxes) + i);
}

static void move_all(void *p, const bench_box *boxes, int n)
{
    const spt_index *x = &((state *)p)->index;
    spt_i32 i;
    for (i = 0; i < n; i++) x->move(x->object, i, boxes_of(boxes) + i);
}

static void tidy(void *p)
{
    const spt_index *x = &((state *)p)->index;
    x->tidy(x->object);
}

static long pairs(void *p, const bench_box *boxes, int n)
{
    state *s = (state *)p;
    spt_intlist_clear(&s->pairs);
    if (s->index.object) return (long)s->index.pairs(s->index.object, &s->pairs);
    return (long)spt_broadphase_pairs(&s->broadphase, boxes_of(boxes), n, &s->pairs);
}

static long windows(void *p, const bench_box *boxes, int n)
{
    state *s = (state *)p;
    long found = 0;
    int i;
    for (i = 0; i < n; i++) {
        spt_intlist_clear(&s->ids);
        found += (long)s->index.query(s->index.object, boxes_of(boxes) + i, &s->ids);
    }
    return found;
}

static unsigned long hash(void *p)
{
    const spt_intlist *list = &((state *)p)->pairs;
    spt_u32 sum = 0, a, b;
    spt_i32 i;
    for (i = 0; i < spt_intlist_count(list); i++) {
        a = (spt_u32)spt_intlist_get(list, i, 0) * 2654435761U;
        b = (spt_u32)spt_intlist_get(list, i, 1) * 2246822519U;
        sum += (a ^ (b >> 7)) * (b | 1);
    }
    return (unsigned long)sum;
}

static size_t bytes(void *p)
{
    const state *s = (const state *)p;
    if (s->index.object) return s->index.bytes(s->index.object);
    return spt_broadphase_bytes(&s->broadphase);
}

extern const subject SUBJECT;
const subject SUBJECT = {has,  open_state, close_state, insert_all, move_all,
                         tidy, pairs,      windows,     hash,       bytes};
