/* See subject.h. Compile with -DSUBJECT=name -DHEADER='"path/spatial.h"'. */
#define SPATIAL_STATIC
#define SPATIAL_IMPLEMENTATION
#include HEADER
#include "subject.h"

#include <stdlib.h>

typedef struct state {
    spt_broadphase broadphase;
    spt_linear linear;
    spt_intlist pairs, ids;
} state;

static const spt_box *boxes_of(const bench_box *boxes)
{
    return (const spt_box *)(const void *)boxes;
}

static void *open_state(const bench_box *world, int n)
{
    state *s = (state *)calloc(1, sizeof *s);
    spt_linear_desc desc = {{0, 0, 0, 0}, 0, 0, 0, {NULL, NULL}};
    if (!s) return NULL;
    desc.bounds = *boxes_of(world);
    desc.capacity = n;
    spt_intlist_init(&s->pairs, 2);
    spt_intlist_init(&s->ids, 1);
    spt_broadphase_init(&s->broadphase, NULL);
    if (spt_linear_init(&s->linear, &desc) == SPT_OK) return s;
    free(s);
    return NULL;
}

static void close_state(void *p)
{
    state *s = (state *)p;
    spt_intlist_free(&s->pairs);
    spt_intlist_free(&s->ids);
    spt_broadphase_free(&s->broadphase);
    spt_linear_free(&s->linear);
    free(s);
}

static long broadphase_pairs(void *p, const bench_box *boxes, int n)
{
    state *s = (state *)p;
    spt_intlist_clear(&s->pairs);
    return (long)spt_broadphase_pairs(&s->broadphase, boxes_of(boxes), n, &s->pairs);
}

static void insert_all(void *p, const bench_box *boxes, int n)
{
    spt_i32 i;
    for (i = 0; i < n; i++) spt_linear_insert(&((state *)p)->linear, i, boxes_of(boxes) + i);
}

static void move_all(void *p, const bench_box *boxes, int n)
{
    spt_i32 i;
    for (i = 0; i < n; i++) spt_linear_move(&((state *)p)->linear, i, boxes_of(boxes) + i);
}

static void remove_all(void *p, int n)
{
    spt_i32 i;
    for (i = 0; i < n; i++) spt_linear_remove(&((state *)p)->linear, i);
}

static void tidy(void *p)
{
    spt_linear_tidy(&((state *)p)->linear);
}

static long linear_pairs(void *p)
{
    state *s = (state *)p;
    spt_intlist_clear(&s->pairs);
    return (long)spt_linear_pairs(&s->linear, &s->pairs);
}

static long windows(void *p, const bench_box *boxes, int n)
{
    state *s = (state *)p;
    long found = 0;
    int i;
    for (i = 0; i < n; i++) {
        spt_intlist_clear(&s->ids);
        found += (long)spt_linear_query(&s->linear, boxes_of(boxes) + i, &s->ids);
    }
    return found;
}

static unsigned long hash(void *p)
{
    const spt_intlist *pairs = &((state *)p)->pairs;
    spt_u32 sum = 0, a, b;
    spt_i32 i;
    for (i = 0; i < spt_intlist_count(pairs); i++) {
        a = (spt_u32)spt_intlist_get(pairs, i, 0) * 2654435761U;
        b = (spt_u32)spt_intlist_get(pairs, i, 1) * 2246822519U;
        sum += (a ^ (b >> 7)) * (b | 1);
    }
    return (unsigned long)sum;
}

static size_t broadphase_bytes(void *p)
{
    return spt_broadphase_bytes(&((state *)p)->broadphase);
}

static size_t linear_bytes(void *p)
{
    return spt_linear_bytes(&((state *)p)->linear);
}

extern const subject SUBJECT;
#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
const subject SUBJECT = {
    TEXT(SUBJECT), open_state, close_state,      broadphase_pairs, insert_all, move_all, remove_all,
    tidy,          linear_pairs, windows, hash, broadphase_bytes, linear_bytes};
