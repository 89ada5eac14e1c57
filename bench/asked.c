/* spatial.h as a library that is asked, see asked.h.

   The linear tree and the loose grid are told how many boxes there are and have the default cells
   for as many; the quadtree grows, which is its default. Into these boxes are inserted one by one;
   the packed one is built. */
#define SPATIAL_STATIC
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "asked.h"
#include "measure.h"

#include <stdlib.h>
#include <string.h>

typedef struct state {
    spt_index index;
    spt_intlist ids, pairs;
    const spt_intlist *found; /* one of them */
} state;

static const spt_box *boxes_of(const bench_box *boxes)
{
    return (const spt_box *)(const void *)boxes;
}

static spt_motion motion_of(const bench_motion *m)
{
    spt_motion motion;
    motion.box = *boxes_of(&m->box);
    motion.dx = m->dx, motion.dy = m->dy;
    motion.enter = 0;
    return motion;
}

/* ---- structures ------------------------------------------------------------------------------ */

static int init_linear(spt_index *x, const spt_box *world, spt_i32 n)
{
    spt_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.bounds = *world;
    desc.capacity = n;
    return spt_linear_init(x, &desc);
}

static int init_quadtree(spt_index *x, const spt_box *world, spt_i32 n)
{
    spt_quadtree_desc desc;
    (void)n;
    memset(&desc, 0, sizeof desc);
    desc.bounds = *world;
    return spt_quadtree_init(x, &desc);
}

static int init_loosegrid(spt_index *x, const spt_box *world, spt_i32 n)
{
    spt_loosegrid_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.bounds = *world;
    desc.capacity = n;
    return spt_loosegrid_init(x, &desc);
}

static int init_packed(spt_index *x, const spt_box *world, spt_i32 n)
{
    (void)world, (void)n;
    return spt_packed_init(x, NULL);
}

static const char *const names[] = {"linear", "quadtree", "loosegrid", "packed", NULL};

static int (*const inits[])(spt_index *, const spt_box *, spt_i32) = {init_linear, init_quadtree,
                                                                      init_loosegrid, init_packed};

/* ---- the table ------------------------------------------------------------------------------- */

static int fill(spt_index *x, const spt_box *boxes, spt_i32 n)
{
    const int error = spt_build(x, boxes, n);
    spt_tidy(x);
    return error;
}

static void close_state(void *p)
{
    state *s = (state *)p;
    spt_intlist_free(&s->ids);
    spt_intlist_free(&s->pairs);
    spt_free(&s->index);
    free(s);
}

static void *open_state(const char *name, const bench_box *world, const bench_box *boxes, int n)
{
    state *s = (state *)calloc(1, sizeof *s);
    int k = 0;
    if (!s) return NULL;
    while (names[k] && strcmp(names[k], name) != 0) k++;
    spt_intlist_init(&s->ids, 1);
    spt_intlist_init(&s->pairs, 2);
    if (names[k] && inits[k](&s->index, boxes_of(world), n) == SPT_OK &&
        fill(&s->index, boxes_of(boxes), n) == SPT_OK)
        return s;
    close_state(s);
    return NULL;
}

static long result(state *s, const spt_intlist *list, spt_i32 count)
{
    if (count < 0) give_up_on("spatial.h", spt_error_string(count));
    s->found = list;
    return (long)count;
}

static long window(void *p, const bench_box *box)
{
    state *s = (state *)p;
    return result(s, &s->ids, spt_query(&s->index, boxes_of(box), NULL, &s->ids));
}

static long windows(void *p, const bench_box *boxes, int count)
{
    state *s = (state *)p;
    return result(s, &s->pairs, spt_query_many(&s->index, boxes_of(boxes), count, NULL, &s->pairs));
}

static long within(void *p, const bench_box *from, float distance)
{
    state *s = (state *)p;
    return result(s, &s->ids, spt_within(&s->index, boxes_of(from), distance, NULL, &s->ids));
}

static long nearest(void *p, const bench_box *from, int k)
{
    state *s = (state *)p;
    return result(s, &s->ids,
                  spt_nearest(&s->index, boxes_of(from), k, SPT_NO_LIMIT, NULL, &s->ids));
}

static long first(void *p, const bench_motion *m)
{
    state *s = (state *)p;
    spt_motion motion = motion_of(m);
    spt_hit hit;
    spt_i32 count = spt_cast(&s->index, &motion, NULL, &hit);
    spt_intlist_clear(&s->ids);
    if (count > 0) (void)spt_intlist_push(&s->ids, &hit.id);
    return result(s, &s->ids, count);
}

static long all(void *p, const bench_motion *m)
{
    state *s = (state *)p;
    spt_motion motion = motion_of(m);
    return result(s, &s->ids, spt_cast_all(&s->index, &motion, NULL, &s->ids));
}

static const int *found(void *p)
{
    return spt_intlist_data(((state *)p)->found);
}

extern const asked spatial_asked;
const asked spatial_asked = {"spatial.h", names,   open_state, close_state, window, windows,
                             within,      nearest, first,      all,         found};
