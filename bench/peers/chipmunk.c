/* Chipmunk2D 7 through cpSpatialIndex, which its own physics step stands on. Coordinates are its
   double.

   package: libchipmunk-dev; header: chipmunk/chipmunk.h; flags: none; link: -lchipmunk

   Space hash: its header says cells of about the average size of an object, and ten times as many
     as objects; the physics documentation says to try. The average is of (width + height) / 2 of
     the boxes given to `open`; there are three structures, with cells as large as that, twice, and
     four times.
   BB tree: with a velocity function, as its cpSpace uses it: leaves are a tenth of a box larger on
     each side. The velocity is 0, as here none is known beforehand.
   Sweep 1D: sorts by x. Its sweep leaves out boxes that only touch in x, so the right edges it is
     told are the next double up; the exact test sees the boxes as they are.

   The objects are boxes of our own with their bounds in them, as cpShape has. Moving them only sets
   these; the index takes them over in cpSpatialIndexReindexQuery, which finds the pairs too, as in
   cpSpaceStep. All answers are exact after a test of the boxes. */
#include "found.h"

#include <chipmunk/chipmunk.h>
#include <math.h>
#include <string.h>

typedef struct object {
    cpBB bounds;
} object;

typedef struct state {
    cpSpatialIndex *index;
    object *objects;        /* by id */
    const bench_box *boxes; /* while a search runs */
    const bench_box *window;
    int moved; /* objects have, and the index does not know yet */
    found_list found;
} state;

static int id_of(const state *s, const void *obj)
{
    return (int)((const object *)obj - s->objects);
}

static cpBB bounds_of(void *obj)
{
    return ((const object *)obj)->bounds;
}

static cpBB bounds_for_sweep(void *obj)
{
    cpBB bounds = bounds_of(obj);
    bounds.r = nextafter(bounds.r, HUGE_VAL);
    return bounds;
}

static cpVect no_velocity(void *obj)
{
    (void)obj;
    return cpvzero;
}

/* ---- the structures -------------------------------------------------------------------------- */

static cpSpatialIndex *new_space_hash(const bench_box *boxes, int n, double scale)
{
    double sum = 0;
    int i, cells = n < 100 ? 1000 : n > 100000000 ? 1000000000 : 10 * n;
    for (i = 0; i < n; i++)
        sum += ((double)boxes[i].max_x - (double)boxes[i].min_x) +
               ((double)boxes[i].max_y - (double)boxes[i].min_y);
    sum /= 2;
    return cpSpaceHashNew(sum > 0 ? sum / n * scale : 1, cells, bounds_of, NULL);
}

static cpSpatialIndex *new_space_hash_1(const bench_box *boxes, int n)
{
    return new_space_hash(boxes, n, 1);
}

static cpSpatialIndex *new_space_hash_2(const bench_box *boxes, int n)
{
    return new_space_hash(boxes, n, 2);
}

static cpSpatialIndex *new_space_hash_4(const bench_box *boxes, int n)
{
    return new_space_hash(boxes, n, 4);
}

static cpSpatialIndex *new_tree(const bench_box *boxes, int n)
{
    cpSpatialIndex *tree = cpBBTreeNew(bounds_of, NULL);
    (void)boxes, (void)n;
    if (tree) cpBBTreeSetVelocityFunc(tree, no_velocity);
    return tree;
}

static cpSpatialIndex *new_sweep(const bench_box *boxes, int n)
{
    (void)boxes, (void)n;
    return cpSweep1DNew(bounds_for_sweep, NULL);
}

static const char *const structures[] = {"space hash, cell 1x",
                                         "space hash, cell 2x",
                                         "space hash, cell 4x",
                                         "BB tree",
                                         "sweep 1D",
                                         NULL};

static cpSpatialIndex *(*const makers[])(const bench_box *, int) = {
    new_space_hash_1, new_space_hash_2, new_space_hash_4, new_tree, new_sweep};

/* ---- life cycle ------------------------------------------------------------------------------ */

static void close_state(void *p)
{
    state *s = (state *)p;
    if (s->index) cpSpatialIndexFree(s->index);
    free(s->objects);
    free(s->found.items);
    free(s);
}

static void *open_state(const char *structure, const bench_box *world, const bench_box *boxes,
                        int n)
{
    state *s = (state *)calloc(1, sizeof *s);
    int k;
    (void)world;
    if (!s) return NULL;
    for (k = 0; structures[k]; k++)
        if (strcmp(structures[k], structure) == 0) s->index = makers[k](boxes, n);
    s->objects = (object *)malloc((size_t)n * sizeof *s->objects);
    if (s->index && s->objects) return s;
    close_state(s);
    return NULL;
}

/* ---- mutation -------------------------------------------------------------------------------- */

static void set_box(state *s, int id, const bench_box *box)
{
    s->objects[id].bounds =
        cpBBNew((cpFloat)box->min_x, (cpFloat)box->min_y, (cpFloat)box->max_x, (cpFloat)box->max_y);
}

static void insert(void *p, const bench_box *boxes, int n)
{
    state *s = (state *)p;
    int i;
    for (i = 0; i < n; i++) {
        set_box(s, i, &boxes[i]);
        cpSpatialIndexInsert(s->index, &s->objects[i], (cpHashValue)i);
    }
}

static void move(void *p, const bench_box *boxes, int n, const int *ids, int count)
{
    state *s = (state *)p;
    int i;
    (void)n;
    for (i = 0; i < count; i++) set_box(s, ids[i], &boxes[ids[i]]);
    s->moved = 1;
}

static void remove_all(void *p, const bench_box *boxes, int n)
{
    state *s = (state *)p;
    int i;
    (void)boxes;
    for (i = 0; i < n; i++) cpSpatialIndexRemove(s->index, &s->objects[i], (cpHashValue)i);
}

/* ---- queries --------------------------------------------------------------------------------- */

static cpCollisionID add_pair(void *obj1, void *obj2, cpCollisionID id, void *data)
{
    state *s = (state *)data;
    int a = id_of(s, obj1), b = id_of(s, obj2);
    if (overlap(&s->boxes[a], &s->boxes[b])) found_pair(&s->found, a, b);
    return id;
}

static cpCollisionID add_id(void *obj1, void *obj2, cpCollisionID id, void *data)
{
    state *s = (state *)data;
    int a = id_of(s, obj2);
    (void)obj1;
    if (overlap(&s->boxes[a], s->window)) found_id(&s->found, a);
    return id;
}

static cpCollisionID ignore(void *obj1, void *obj2, cpCollisionID id, void *data)
{
    (void)obj1, (void)obj2, (void)data;
    return id;
}

static long pairs(void *p, const bench_box *boxes, int n)
{
    state *s = (state *)p;
    (void)n;
    s->found.count = 0;
    s->boxes = boxes;
    cpSpatialIndexReindexQuery(s->index, add_pair, s);
    s->moved = 0;
    return (long)(s->found.count / 2);
}

static long ask(void *p, const bench_box *boxes, const question *q)
{
    state *s = (state *)p;
    const bench_box *box = &q->motion.box;
    cpBB bounds =
        cpBBNew((cpFloat)box->min_x, (cpFloat)box->min_y, (cpFloat)box->max_x, (cpFloat)box->max_y);
    if (q->of != WINDOW) return -1;
    if (s->moved) cpSpatialIndexReindexQuery(s->index, ignore, s); /* a sweep's Reindex does not */
    s->moved = 0;
    s->found.count = 0;
    s->boxes = boxes;
    s->window = box;
    cpSpatialIndexQuery(s->index, s, bounds, add_id, s);
    return (long)s->found.count;
}

static const int *found(void *p)
{
    return ((state *)p)->found.items;
}

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

extern const subject chipmunk_peer;
const subject chipmunk_peer = {
    "Chipmunk " TEXT(CP_VERSION_MAJOR) "." TEXT(CP_VERSION_MINOR) "." TEXT(CP_VERSION_RELEASE),
    structures,
    open_state,
    close_state,
    insert,
    move,
    remove_all,
    NULL,
    pairs,
    ask,
    found,
    NULL,
    NULL,
    NULL,
    NULL};
