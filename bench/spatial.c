/* spatial.h as a subject, see subject.h. Compile with -DSUBJECT=name -DHEADER='"path/spatial.h"',
   and an older version, which may lack functions of this one, too.

   The linear tree and the loose grid are told how many boxes there will be and allocate all memory
   at once; the quadtree grows, which is its default. The packed one is built anew when boxes move.
   The broadphase keeps no boxes: to insert, move and remove is nothing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPATIAL_STATIC
#define SPATIAL_IMPLEMENTATION
#include HEADER
#include "subject.h"

typedef struct state {
    spt_broadphase broadphase; /* the structure is that, */
    spt_index index;           /* or this, */
    int keeps;                 /* which keeps boxes; */
    int whole;                 /* of which none comes, goes or moves alone */
    int n;                     /* boxes inserted */
    spt_intlist found;
    spt_contacts contacts;
    spt_intlist began, ended;
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

/* ---- structures ------------------------------------------------------------------------------ */

static const char *const names[] = {"broadphase", "linear", "quadtree",
                                    "loosegrid",  "packed", NULL};

static int init(state *s, const char *name, const spt_box *world, spt_i32 n)
{
    spt_linear_desc linear;
    spt_quadtree_desc quadtree;
    spt_linear_desc grid;
    s->keeps = name[0] != 'b';
    s->whole = name[0] == 'p';
    memset(&linear, 0, sizeof linear), memset(&quadtree, 0, sizeof quadtree);
    memset(&grid, 0, sizeof grid);
    linear.bounds = quadtree.bounds = grid.bounds = *world;
    linear.capacity = grid.capacity = n;
    if (!s->keeps) return spt_broadphase_init(&s->broadphase, NULL);
    if (s->whole) return spt_packed_init(&s->index, NULL);
    if (name[0] == 'q') return spt_quadtree_init(&s->index, &quadtree);
    if (name[1] == 'o') return spt_loosegrid_init(&s->index, &grid);
    return spt_linear_init(&s->index, &linear);
}

static void *open_state(const char *name, const bench_box *world, const bench_box *boxes, int n)
{
    state *s = (state *)calloc(1, sizeof *s);
    (void)boxes;
    if (!s) return NULL;
    if (init(s, name, boxes_of(world), n) != SPT_OK) give_up("init fails");
    spt_contacts_init(&s->contacts, NULL);
    spt_intlist_init(&s->began, 2);
    spt_intlist_init(&s->ended, 2);
    return s;
}

static void close_state(void *p)
{
    state *s = (state *)p;
    spt_intlist_free(&s->found), spt_intlist_free(&s->began), spt_intlist_free(&s->ended);
    spt_contacts_free(&s->contacts);
    if (s->keeps)
        spt_free(&s->index);
    else
        spt_broadphase_free(&s->broadphase);
    free(s);
}

/* ---- changes --------------------------------------------------------------------------------- */

static void build(state *s, const bench_box *boxes, int n)
{
    if (spt_build(&s->index, boxes_of(boxes), n) != SPT_OK) give_up("build fails");
}

static void insert_all(void *p, const bench_box *boxes, int n)
{
    state *s = (state *)p;
    spt_i32 i;
    s->n = n;
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

static double bytes(void *p)
{
    state *s = (state *)p;
    return (double)(s->keeps ? spt_bytes(&s->index) : spt_broadphase_bytes(&s->broadphase));
}

/* ---- pairs ----------------------------------------------------------------------------------- */

/* The list serves pairs and ids in turn, and keeps its memory as long as it serves the same. */
static spt_intlist *list_of(state *s, int fields)
{
    if (s->found.fields != fields) {
        spt_intlist_free(&s->found);
        spt_intlist_init(&s->found, fields);
    }
    return &s->found;
}

static long result(spt_i32 count)
{
    if (count < 0) give_up(spt_error_string(count));
    return (long)count;
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
    return result(count);
}

static const int *found(void *p)
{
    return spt_intlist_data(&((state *)p)->found);
}

/* ---- questions ------------------------------------------------------------------------------- */

static spt_motion motion_of(const bench_motion *m)
{
    spt_motion motion;
    motion.box = *boxes_of(&m->box);
    motion.dx = m->dx, motion.dy = m->dy;
    motion.enter = 0;
    return motion;
}

static void push(spt_intlist *list, const void *item)
{
    spt_i32 id;
    memcpy(&id, item, sizeof id);
    if (spt_intlist_push(list, &id) < 0) give_up("out of memory");
}

static spt_i32 first(const state *s, const spt_motion *motion, spt_intlist *list)
{
    spt_hit hit;
    const spt_i32 count = spt_cast(&s->index, motion, NULL, &hit);
    spt_intlist_clear(list);
    if (count > 0) push(list, &hit.id);
    return count;
}

#ifndef SPT_ERR_EXISTS /* 0.6 */
#define can_answer(of) ((of) <= ALL && (of) != ANY && (of) != VISIT)
#define ask_new(s, q, list) ((void)(s), (void)(q), (void)(list), SPT_ERR_ARGUMENT)
#else
#ifdef SPT_SHAPE_HITS
#define can_answer(of) ((void)(of), 1)

static spt_i32 glide(const spt_layer *world, const question *q, spt_box *end)
{
    const spt_motion motion = motion_of(&q->motion);
    const spt_box *b = &motion.box;
    const spt_coord width = b->max_x - b->min_x, height = b->max_y - b->min_y;
    spt_coord points[8], x = 0, y = 0;
    spt_shape shape;
    spt_i32 found;
    shape.points = points, shape.count = q->k, shape.radius = 0;
    points[0] = points[6] = b->min_x, points[2] = points[4] = b->max_x;
    points[1] = points[3] = b->min_y, points[5] = points[7] = b->max_y;
    if (q->k == 1) {
        points[0] += width / 2, points[1] += height / 2;
        shape.radius = (width < height ? width : height) / 2;
    }
    found = spt_shape_slide(world, 1, &shape, motion.dx, motion.dy, BENCH_SKIN * width, &x, &y,
                            NULL);
    *end = *b;
    end->min_x += x, end->min_y += y;
    return found;
}
#else
#define can_answer(of) ((of) != GLIDE)
#define glide(world, q, end) ((void)(end), SPT_ERR_ARGUMENT)
#endif

static int stop_at_box(void *ctx, spt_i32 id, const spt_box *box)
{
    (void)box;
    push((spt_intlist *)ctx, &id);
    return 1;
}

static int stop_at_hit(void *ctx, const spt_hit *hit, const spt_box *box, spt_coord *limit)
{
    (void)box, (void)limit;
    push((spt_intlist *)ctx, &hit->id);
    return 1;
}

static spt_i32 ask_new(const state *s, const question *q, spt_intlist *list)
{
    spt_motion motion = motion_of(&q->motion);
    spt_layer world = {0};
    spt_box end;
    int count;
    world.index = &s->index;
    spt_intlist_clear(list);
    if (q->of == ANY) return spt_visit(&s->index, &motion.box, NULL, stop_at_box, list);
    if (q->of == VISIT) return spt_cast_visit(&s->index, &motion, NULL, stop_at_hit, list);
    if (q->of == GLIDE) count = (int)glide(&world, q, &end);
    else count = spt_slide(&world, 1, &motion, &end, NULL);
    push(list, &end.min_x);
    push(list, &end.min_y);
    return count < 0 ? count : 2;
}
#endif

static long ask(void *p, const bench_box *boxes, const question *q)
{
    state *s = (state *)p;
    const spt_index *x = &s->index;
    spt_intlist *list = list_of(s, q->of == WINDOWS ? 2 : 1);
    const spt_box *box = boxes_of(&q->motion.box);
    const spt_motion motion = motion_of(&q->motion);
    if (!can_answer(q->of) || (!s->keeps && q->of != WINDOWS)) return -1;
    if (!s->keeps)
        return result(spt_broadphase_pairs_between(&s->broadphase, boxes_of(q->windows), q->count,
                                                   boxes_of(boxes), s->n, NULL, list));
    switch (q->of) {
    case WINDOW:
        return result(spt_query(x, box, NULL, list));
    case COUNT:
        return result(spt_query(x, box, NULL, NULL));
    case WINDOWS:
        return result(spt_query_many(x, boxes_of(q->windows), q->count, NULL, list));
    case WITHIN:
        return result(spt_within(x, box, q->distance, NULL, list));
    case NEAREST:
        return result(spt_nearest(x, box, q->k, SPT_NO_LIMIT, NULL, list));
    case FIRST:
        return result(first(s, &motion, list));
    case ALL:
        return result(spt_cast_all(x, &motion, NULL, list));
    default:
        return result(ask_new(s, q, list));
    }
}

/* ---- pairs of a few -------------------------------------------------------------------------- */

static long pairs_of(void *p, const int *ids, int count)
{
    state *s = (state *)p;
    if (!s->keeps || s->whole) return -1;
    return result(spt_pairs_of(&s->index, ids, count, NULL, list_of(s, 2)));
}

/* Finds all pairs where all have moved, or where nothing finds the pairs of a few boxes. */
static spt_i32 update_contacts(state *s, const bench_box *boxes, int n, const int *ids, int count)
{
    if (count == n || !s->keeps || s->whole) {
        (void)pairs(s, boxes, n);
        return spt_contacts_update(&s->contacts, &s->found, &s->began, &s->ended);
    }
    (void)pairs_of(s, ids, count);
#ifndef SPT_ERR_EXISTS /* 0.6 */
    if (spt_contacts_keep(&s->contacts, ids, count, &s->found) < 0) give_up("keep fails");
    return spt_contacts_update(&s->contacts, &s->found, &s->began, &s->ended);
#else
    return spt_contacts_update_of(&s->contacts, ids, count, &s->found, &s->began, &s->ended);
#endif
}

static long contacts(void *p, const bench_box *boxes, int n, const int *ids, int count, long *began)
{
    state *s = (state *)p;
    spt_i32 i;
    (void)result(update_contacts(s, boxes, n, ids, count));
    *began = (long)spt_intlist_count(&s->began);
    spt_intlist_clear(&s->found);
    for (i = 0; i < spt_intlist_count(&s->began); i++)
        (void)spt_intlist_push(&s->found, spt_intlist_data(&s->began) + 2 * i);
    for (i = 0; i < spt_intlist_count(&s->ended); i++)
        (void)spt_intlist_push(&s->found, spt_intlist_data(&s->ended) + 2 * i);
    return (long)spt_intlist_count(&s->found);
}

extern const subject SUBJECT;
const subject SUBJECT = {"spatial.h", names,      open_state, close_state, insert_all,
                         move_some,   remove_all, tidy,       pairs,       ask,
                         found,       pairs_of,   contacts,   NULL,        bytes};
