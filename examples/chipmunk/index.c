/* index - spatial.h as the spatial index of a physics engine, Chipmunk 7

   In a game, one call after the space is made, and all else stays as it is:
       cpSpace *space = cpSpaceNew();
       chipmunk_use_spatial(space, cpBBNew(0, 0, 4000, 1000));    where the shapes will mostly be
   Compile this file with the game, and link it with Chipmunk. It may have shapes already, which
   come and go, sleep and are asked for as before. compare.c holds what is found against Chipmunk's
   own tree.

   Shapes that move are in one spt_index, shapes that stand or sleep in another, both linear:
       step       every box is moved, which is O(1) each; spt_pairs; then spt_query_many for the
                  boxes of the index that has fewer
       query      spt_visit
       segment    spt_cast_visit, box by box near first, for who wants the first shape;
                  spt_cast_all for who wants all
   Chipmunk names its objects by pointers, the index by small numbers without gaps: a table by hash
   tells the number. Where polygons met, the engine says in a number for each pair, which the index
   has to give back in the next step; that saves a pile of 2,000 a twelfth of all instructions.

   Times of whole steps, of which a pile spends most in the solver, and of segments; x: how many
   times as fast as the tree, which Chipmunk takes if not told otherwise. Chipmunk 7.0.3, gcc 12
   -O2, one core of an AMD EPYC that others use too, 2026-11-27; sh examples/chipmunk/run.sh --time.

                                 a step      a segment of 20 units    from anywhere to anywhere
                                ms    x     first, us    all, us      first, us    all, us
       pile   2000  tree        5.92  1.0   1.04  1.0   2.96  1.0   0.87  1.0   6.25  1.0
       pile   2000  space hash  5.22  1.1   1.18  0.9   3.42  0.9   1.06  0.8   7.44  0.8
       pile   2000  spatial.h   5.13  1.2   1.24  0.8   2.80  1.1   1.24  0.7   5.93  1.1
       pile  10000  tree       70.44  1.0   1.60  1.0   4.71  1.0   1.23  1.0  14.87  1.0
       pile  10000  space hash 45.23  1.6   2.02  0.8   5.31  0.9   1.84  0.7  17.76  0.8
       pile  10000  spatial.h  41.77  1.7   1.24  1.3   3.75  1.2   1.03  1.2  11.69  1.3
       gas    2000  tree        0.50  1.0   1.00  1.0   1.20  1.0   1.07  1.0   4.04  1.0
       gas    2000  space hash  0.51  1.0   0.60  1.7   0.72  1.7   0.97  1.1   3.42  1.2
       gas    2000  spatial.h   0.32  1.6   0.80  1.2   0.76  1.6   0.89  1.2   2.59  1.6
       gas   10000  tree        3.66  1.0   2.13  1.0   1.88  1.0   1.76  1.0  11.07  1.0
       gas   10000  space hash  3.07  1.2   1.39  1.5   1.10  1.7   1.87  0.9   9.59  1.1
       gas   10000  spatial.h   1.84  2.0   1.22  1.8   0.91  2.1   1.08  1.6   6.15  1.8

   The tree finds the first shape on a segment sooner in a pile of 2,000. With a quadtree or a loose
   grid in place of linear, a step of a gas takes a tenth longer, and one of a pile the same. As
   with Chipmunk's own, one thread at a time may use a space.

   Build: cc -O2 -I. -c examples/chipmunk/index.c            (needs libchipmunk-dev) */

#include "index.h"

#include <chipmunk/chipmunk_private.h>
#include <stdio.h>
#include <stdlib.h>

#if CP_USE_DOUBLES
#define SPATIAL_DOUBLE
#endif
#define SPATIAL_IMPLEMENTATION
#define SPATIAL_STATIC
#include "spatial.h"

typedef struct element {
    void *object;
    cpHashValue hash;
    spt_i32 hints[2]; /* in each list: the first, or SPT_NONE */
} element;

typedef struct hint { /* what the engine said of a pair, to be told in the next step */
    cpHashValue other; /* of the second object; a space gives none twice */
    cpCollisionID id;  /* not 0 */
    spt_i32 next;      /* hint with the same first object, or SPT_NONE */
} hint;

typedef struct hint_list {
    hint *at;
    spt_i32 count, capacity;
} hint_list;

typedef struct spatial {
    cpSpatialIndex base; /* first: Chipmunk points here */
    spt_index index;
    spt_i32 count, capacity; /* of elements; the ids in the index are below count */
    element *elements;       /* by id, */
    spt_box *boxes;          /* also, as the index has them */
    spt_i32 *table;          /* ids by hash, 2 * capacity; SPT_NONE: empty */
    spt_intlist pairs;
    hint_list hints[2];      /* of this step and of the last one, in turns */
    int now;                 /* which is this step's */
    cpSpatialIndexSegmentQueryFunc shortens; /* a function of which it is known that it does */
} spatial;

static spatial *spatial_of(cpSpatialIndex *index)
{
    return (spatial *)(void *)index;
}

static void must(int ok)
{
    if (ok) return;
    fprintf(stderr, "chipmunk_index: out of memory, or a world without a size\n");
    abort();
}

/* ---- elements -------------------------------------------------------------------------------- */

static size_t place_of(const spatial *x, cpHashValue hash)
{
    return (size_t)((spt_u32)hash * 2654435769u >> 7) & (2 * (size_t)x->capacity - 1);
}

static size_t place_after(const spatial *x, size_t place)
{
    return (place + 1) & (2 * (size_t)x->capacity - 1);
}

/* Where in the table an object is, or belongs: the search ends where nothing is. */
static size_t find(const spatial *x, const void *object, cpHashValue hash)
{
    size_t place = place_of(x, hash);

    while (x->table[place] != SPT_NONE && x->elements[x->table[place]].object != object)
        place = place_after(x, place);
    return place;
}

/* Of an object; SPT_NONE if it is not in the index. */
static spt_i32 id_of(const spatial *x, const void *object, cpHashValue hash)
{
    return x->table[find(x, object, hash)];
}

static void reserve(spatial *x, spt_i32 capacity)
{
    size_t n = (size_t)capacity;
    spt_i32 i;

    x->capacity = capacity;
    x->elements = realloc(x->elements, n * sizeof *x->elements);
    x->boxes = realloc(x->boxes, n * sizeof *x->boxes);
    x->table = realloc(x->table, 2 * n * sizeof *x->table);
    must(x->elements != NULL && x->boxes != NULL && x->table != NULL);
    for (i = 0; i < 2 * capacity; i++) x->table[i] = SPT_NONE;
    for (i = 0; i < x->count; i++)
        x->table[find(x, x->elements[i].object, x->elements[i].hash)] = i;
}

static spt_box box_of(cpBB bb)
{
    spt_box box;

    box.min_x = bb.l, box.min_y = bb.b, box.max_x = bb.r, box.max_y = bb.t;
    return box;
}

/* An element whose box has no numbers any more stays where it was. */
static void update(spatial *x, spt_i32 id)
{
    spt_box box = box_of(x->base.bbfunc(x->elements[id].object));
    int error = spt_move(&x->index, id, &box);

    must(error != SPT_ERR_MEMORY);
    if (error == SPT_OK) x->boxes[id] = box;
}

/* ---- the functions of a cpSpatialIndex ------------------------------------------------------- */

static void destroy(cpSpatialIndex *index)
{
    spatial *x = spatial_of(index);

    spt_free(&x->index);
    spt_intlist_free(&x->pairs);
    free(x->elements), free(x->boxes), free(x->table), free(x->hints[0].at), free(x->hints[1].at);
}

static int count(cpSpatialIndex *index)
{
    return spatial_of(index)->count;
}

static void each(cpSpatialIndex *index, cpSpatialIndexIteratorFunc func, void *data)
{
    const spatial *x = spatial_of(index);
    spt_i32 i;

    for (i = 0; i < x->count; i++) func(x->elements[i].object, data);
}

static cpBool contains(cpSpatialIndex *index, void *object, cpHashValue hash)
{
    return id_of(spatial_of(index), object, hash) != SPT_NONE;
}

static void insert(cpSpatialIndex *index, void *object, cpHashValue hash)
{
    spatial *x = spatial_of(index);
    static const spt_box origin = {0, 0, 0, 0};
    element e = {object, hash, {SPT_NONE, SPT_NONE}};
    spt_i32 id = x->count;

    if (contains(index, object, hash)) return;
    if (id == x->capacity) reserve(x, 2 * id);
    x->table[find(x, object, hash)] = id;
    x->elements[id] = e;
    x->boxes[id] = origin;
    must(spt_insert(&x->index, id, &origin) == SPT_OK);
    update(x, id);
    x->count++;
}

/* Takes an id out of the table, and moves up what is behind it and would not be found any more. */
static void forget(spatial *x, size_t place)
{
    size_t mask = 2 * (size_t)x->capacity - 1, next = place_after(x, place), home;

    for (; x->table[next] != SPT_NONE; next = place_after(x, next)) {
        home = place_of(x, x->elements[x->table[next]].hash);
        if (((next - home) & mask) < ((next - place) & mask)) continue;
        x->table[place] = x->table[next];
        place = next;
    }
    x->table[place] = SPT_NONE;
}

/* The last element gets the id of the one that goes, so that ids stay without gaps. */
static void remove_object(cpSpatialIndex *index, void *object, cpHashValue hash)
{
    spatial *x = spatial_of(index);
    size_t place = find(x, object, hash);
    spt_i32 id = x->table[place], last = x->count - 1;

    if (id == SPT_NONE) return;
    forget(x, place);
    if (id != last) x->table[find(x, x->elements[last].object, x->elements[last].hash)] = id;
    must(spt_move(&x->index, id, &x->boxes[last]) == SPT_OK);
    must(spt_remove(&x->index, last) == SPT_OK);
    x->elements[id] = x->elements[last];
    x->boxes[id] = x->boxes[last];
    x->count--;
}

static void reindex(cpSpatialIndex *index)
{
    spatial *x = spatial_of(index);
    spt_i32 i;

    for (i = 0; i < x->count; i++) update(x, i);
    spt_tidy(&x->index);
}

static void reindex_object(cpSpatialIndex *index, void *object, cpHashValue hash)
{
    spt_i32 id = id_of(spatial_of(index), object, hash);

    if (id != SPT_NONE) update(spatial_of(index), id);
}

static void add_hint(hint_list *list, hint h)
{
    if (list->count == list->capacity) {
        list->capacity = 2 * list->capacity + 64;
        list->at = realloc(list->at, (size_t)list->capacity * sizeof *list->at);
        must(list->at != NULL);
    }
    list->at[list->count++] = h;
}

/* Tells the engine of two objects, with its own answer about them of the last step. */
static void collide(spatial *x, element *a, const element *b, cpSpatialIndexQueryFunc func,
                    void *data)
{
    const hint *old = x->hints[!x->now].at;
    spt_i32 i = a->hints[!x->now], *first = &a->hints[x->now];
    hint h = {b->hash, 0, *first};

    while (i != SPT_NONE && old[i].other != b->hash) i = old[i].next;
    h.id = func(a->object, b->object, i == SPT_NONE ? 0 : old[i].id, data);
    if (h.id == 0) return;
    *first = x->hints[x->now].count;
    add_hint(&x->hints[x->now], h);
}

/* The same of n pairs; of each, first or last is the id in x, and the other that in y. */
static void collide_pairs(spatial *x, const spatial *y, spt_i32 n, int last,
                          cpSpatialIndexQueryFunc func, void *data)
{
    const spt_i32 *pair = spt_intlist_data(&x->pairs);

    must(n >= 0);
    for (; n > 0; n--, pair += 2)
        collide(x, &x->elements[pair[last]], &y->elements[pair[!last]], func, data);
}

static void reindex_query(cpSpatialIndex *index, cpSpatialIndexQueryFunc func, void *data)
{
    spatial *x = spatial_of(index);
    const spatial *standing = spatial_of(index->staticIndex);
    spt_i32 i;

    reindex(index);
    x->now = !x->now;
    x->hints[x->now].count = 0;
    for (i = 0; i < x->count; i++) x->elements[i].hints[x->now] = SPT_NONE;
    collide_pairs(x, x, spt_pairs(&x->index, NULL, &x->pairs), 0, func, data);
    if (standing == NULL) return;
    if (standing->base.klass != index->klass)
        cpSpatialIndexCollideStatic(index, index->staticIndex, func, data);
    else if (standing->count < x->count) /* the fewer ask for the others */
        collide_pairs(x, standing, spt_query_many(&x->index, standing->boxes, standing->count, NULL,
                                                  &x->pairs), 1, func, data);
    else
        collide_pairs(x, standing, spt_query_many(&standing->index, x->boxes, x->count, NULL,
                                                  &x->pairs), 0, func, data);
}

typedef struct question {
    const spatial *x;
    void *object; /* that asks */
    cpSpatialIndexQueryFunc func;
    void *data;
} question;

static int tell(void *ctx, spt_i32 id, const spt_box *box)
{
    const question *q = ctx;

    (void)box;
    (void)q->func(q->object, q->x->elements[id].object, 0, q->data);
    return 0;
}

static void query(cpSpatialIndex *index, void *object, cpBB bb, cpSpatialIndexQueryFunc func,
                  void *data)
{
    question q = {spatial_of(index), object, func, data};
    spt_box box = box_of(bb);

    (void)spt_visit(&q.x->index, &box, NULL, tell, &q);
}

/* The part of the segment from a to b that ends at t, or because of rounding a little later. */
static spt_motion motion_of(cpVect a, cpVect b, cpFloat t)
{
    spt_motion motion = {{a.x, a.y, a.x, a.y}, 0, 0, 0};

    t *= 1 + 1e-12;
    motion.dx = (b.x - a.x) * t, motion.dy = (b.y - a.y) * t;
    return motion;
}

typedef struct segment_question {
    const spatial *x;
    void *object; /* that asks */
    cpSpatialIndexSegmentQueryFunc func;
    void *data;
    cpFloat length; /* of the motion, as a part of the segment */
} segment_question;

static int meet(void *ctx, const spt_hit *hit, const spt_box *box, spt_coord *limit)
{
    const segment_question *q = ctx;
    cpFloat t = q->func(q->object, q->x->elements[hit->id].object, q->data) / q->length;

    (void)box;
    if (t < *limit) *limit = t;
    return 0;
}

/* The function returns where the segment ends: earlier, if it wants the first shape alone and was
   told of one. A function of which that is known is told of boxes near first; any other of all at
   once, which takes less time. */
static void segment_query(cpSpatialIndex *index, void *object, cpVect a, cpVect b, cpFloat t_exit,
                          cpSpatialIndexSegmentQueryFunc func, void *data)
{
    spatial *x = spatial_of(index);
    segment_question q = {x, object, func, data, t_exit};
    spt_motion motion = motion_of(a, b, t_exit);
    spt_intlist all; /* not in x: the function may ask on its part */
    spt_i32 i, n;

    if (!(t_exit > 0)) return;
    if (func == x->shortens) {
        (void)spt_cast_visit(&x->index, &motion, NULL, meet, &q);
        return;
    }
    spt_intlist_init(&all, 1);
    n = spt_cast_all(&x->index, &motion, NULL, &all);
    must(n != SPT_ERR_MEMORY);
    for (i = 0; i < n; i++)
        if (func(object, x->elements[spt_intlist_data(&all)[i]].object, data) < t_exit)
            x->shortens = func;
    spt_intlist_free(&all);
}

/* ---- what is called -------------------------------------------------------------------------- */

cpSpatialIndex *chipmunk_index_new(cpBB world, cpSpatialIndexBBFunc bbfunc,
                                   cpSpatialIndex *standing)
{
    static cpSpatialIndexClass functions = {destroy, count, each, contains, insert, remove_object,
                                            reindex, reindex_object, reindex_query, query,
                                            segment_query};
    const spt_box bounds = {world.l, world.b, world.r, world.t};
    spt_linear_desc desc = {0};
    spatial *x = cpcalloc(1, sizeof *x);

    desc.bounds = bounds;
    must(x != NULL && spt_linear_init(&x->index, &desc) == SPT_OK);
    spt_intlist_init(&x->pairs, 2);
    reserve(x, 64);
    return cpSpatialIndexInit(&x->base, &functions, bbfunc, standing);
}

static cpBB shape_bb(void *shape)
{
    return cpShapeGetBB(shape);
}

static void add(void *shape, void *index)
{
    cpSpatialIndexInsert(index, shape, ((cpShape *)shape)->hashid);
}

void chipmunk_use_spatial(cpSpace *space, cpBB world)
{
    cpSpatialIndex *standing = chipmunk_index_new(world, shape_bb, NULL);
    cpSpatialIndex *moving = chipmunk_index_new(world, shape_bb, standing);

    cpSpatialIndexEach(space->staticShapes, add, standing);
    cpSpatialIndexEach(space->dynamicShapes, add, moving);
    cpSpatialIndexFree(space->staticShapes);
    cpSpatialIndexFree(space->dynamicShapes);
    space->staticShapes = standing;
    space->dynamicShapes = moving;
}
