/* compare - a pile and a gas in Chipmunk, with its spatial indices and with the index of index.c

   usage: compare [--time]

   Steps a space on the index of index.c. After each step a body goes, a new one comes and another
   is put elsewhere; then trees are made of the same shapes, and these have to be the same:
       the pairs of shapes whose boxes overlap, each once
       the first shape on a segment (or another just as far), and all of them
       all shapes in a window, and the distance of the nearest to a point
   The contacts themselves are not compared: the solver takes the pairs in the order in which they
   are found, and so two spaces with the same pairs drift apart. In the last third all bodies may
   sleep, and shapes that sleep are with the shapes that stand.

   --time steps spaces on each kind of index in turns, and prints the median of the later steps and
   of segments, each with how many times as fast it is as the tree.

   Build: cc -O2 -I. -o compare examples/chipmunk/compare.c examples/chipmunk/index.c -lchipmunk -lm
   Exit status: 0; 1 if something failed or the indices differ; 2 for a wrong option. */

#define _POSIX_C_SOURCE 199309L

#include <chipmunk/chipmunk_private.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "index.h"

enum { TREE, HASH, SPATIAL, KINDS };
enum { CHECKED_STEPS = 60, ALL_SLEEP = 40, TIMED_STEPS = 200, BLOCK = 10, RAYS = 1000, ROUNDS = 5 };
#define STEP (1 / 60.0)

typedef struct world {
    cpSpace *space;
    cpBB box;
    int pile; /* of circles and squares, with gravity; or else a gas of circles */
    int n;    /* bodies */
    cpBody **bodies;
    uint32_t seed;
} world;

typedef struct indices {
    cpSpatialIndex *standing, *moving;
} indices;

typedef struct list { /* of numbers; to be sorted */
    uint64_t *at;
    size_t n, capacity;
} list;

static void fail(const char *what)
{
    fprintf(stderr, "compare: %s\n", what);
    exit(1);
}

/* 0 <= result < 1, in steps of 2^-24. The constants are by Knuth and Lewis as given in
   Numerical Recipes; the low bits of such a generator are poor. */
static double random_unit(world *w)
{
    w->seed = w->seed * 1664525u + 1013904223u;
    return (double)(w->seed >> 8) / 16777216.0;
}

static cpVect random_vector(world *w)
{
    double x = random_unit(w), y = random_unit(w);

    return cpv(x, y);
}

/* In the lower part of the world, which a pile does not leave. */
static cpVect random_place(world *w)
{
    return cpvmult(random_vector(w), w->box.r);
}

/* ---- indices --------------------------------------------------------------------------------- */

static cpBB bb_of(void *shape)
{
    return cpShapeGetBB(shape);
}

static void add(void *shape, void *index)
{
    cpSpatialIndexInsert(index, shape, ((cpShape *)shape)->hashid);
}

static void copy(indices from, indices to)
{
    cpSpatialIndexEach(from.standing, add, to.standing);
    cpSpatialIndexEach(from.moving, add, to.moving);
}

static void use(cpSpace *space, indices x)
{
    space->staticShapes = x.standing, space->dynamicShapes = x.moving;
}

static void use_kind(world *w, int kind) /* it has a tree */
{
    if (kind == SPATIAL) chipmunk_use_spatial(w->space, w->box);
    if (kind == HASH) cpSpaceUseSpatialHash(w->space, 2.5, 10 * w->n); /* the best size of cells */
}

/* ---- worlds ---------------------------------------------------------------------------------- */

static void add_body(world *w, int i, cpVect place)
{
    double r = (w->pile ? 0.6 : 0.5) + 0.4 * random_unit(w), mass = r * r;
    int square = w->pile && i % 2;
    cpBody *body = cpBodyNew(mass, square ? cpMomentForBox(mass, 2 * r, 2 * r)
                                          : cpMomentForCircle(mass, 0, r, cpvzero));
    cpShape *shape = square ? cpBoxShapeNew(body, 2 * r, 2 * r, 0)
                            : cpCircleShapeNew(body, r, cpvzero);
    cpVect v = cpvmult(cpvsub(random_vector(w), cpv(0.5, 0.5)), 40);

    cpBodySetPosition(body, place);
    if (w->pile) cpShapeSetFriction(shape, 0.7);
    else cpShapeSetElasticity(shape, 1), cpBodySetVelocity(body, v);
    w->bodies[i] = cpSpaceAddBody(w->space, body);
    cpSpaceAddShape(w->space, shape);
}

static void add_wall(world *w, double x0, double y0, double x1, double y1)
{
    cpBody *standing = cpSpaceGetStaticBody(w->space);
    cpShape *shape = cpSegmentShapeNew(standing, cpv(x0, y0), cpv(x1, y1), 1);

    cpShapeSetElasticity(shape, 1), cpShapeSetFriction(shape, 0.7);
    cpSpaceAddShape(w->space, shape);
}

static void open_world(world *w, int pile, int n, int kind)
{
    double distance = pile ? 2.2 : 5, side = (sqrt(n) + 2) * distance;
    int across = (int)sqrt(n), i;
    cpBB b = {0, 0, side, pile ? 2 * side : side};

    w->space = cpSpaceNew(), w->box = b, w->pile = pile, w->n = n, w->seed = 1;
    if ((w->bodies = calloc((size_t)n, sizeof(cpBody *))) == NULL) fail("out of memory");
    cpSpaceSetGravity(w->space, cpv(0, pile ? -100 : 0));
    add_wall(w, b.l, b.b, b.r, b.b), add_wall(w, b.l, b.t, b.r, b.t);
    add_wall(w, b.l, b.b, b.l, b.t), add_wall(w, b.r, b.b, b.r, b.t);
    for (i = 0; i < n; i++) {
        int column = i % across, row = i / across;

        add_body(w, i, cpv((column + 1 + 0.1 * random_unit(w)) * distance, (row + 1) * distance));
    }
    use_kind(w, kind);
}

static void remove_shape(cpBody *body, cpShape *shape, void *space)
{
    (void)body;
    cpSpaceRemoveShape(space, shape);
    cpShapeFree(shape);
}

static void remove_body(world *w, int i)
{
    cpBody *body = w->bodies[i];

    cpBodyEachShape(body, remove_shape, w->space);
    cpSpaceRemoveBody(w->space, body);
    cpBodyFree(body);
}

static void close_world(world *w)
{
    int i;

    for (i = 0; i < w->n; i++) remove_body(w, i);
    cpBodyEachShape(cpSpaceGetStaticBody(w->space), remove_shape, w->space);
    cpSpaceFree(w->space);
    free(w->bodies);
}

/* ---- the same answers? ----------------------------------------------------------------------- */

static long pairs, hinted, rays, hits, windows, sleepers; /* that were compared */

static void push(list *l, uint64_t number)
{
    if (l->n == l->capacity) {
        l->capacity = 2 * l->capacity + 64;
        if ((l->at = realloc(l->at, l->capacity * sizeof *l->at)) == NULL) fail("out of memory");
    }
    l->at[l->n++] = number;
}

static int compare_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Sorts what two indices found and empties both. Returns how much it was. */
static long same(list *a, list *b, const char *what)
{
    size_t n = a->n;

    if (n > 0 && b->n == n) {
        qsort(a->at, n, sizeof *a->at, compare_numbers);
        qsort(b->at, n, sizeof *b->at, compare_numbers);
    }
    if (b->n != n || (n > 0 && memcmp(a->at, b->at, n * sizeof *a->at) != 0)) fail(what);
    a->n = b->n = 0;
    return (long)n;
}

static cpCollisionID pair_found(void *a, void *b, cpCollisionID id, void *found)
{
    uint64_t x = ((cpShape *)a)->hashid, y = ((cpShape *)b)->hashid;

    hinted += id != 0;
    if (cpBBIntersects(cpShapeGetBB(a), cpShapeGetBB(b)))
        push(found, x < y ? x << 32 | y : y << 32 | x);
    return id;
}

static void shape_found(cpShape *shape, void *found)
{
    push(found, shape->hashid);
}

static void shape_met(cpShape *shape, cpVect point, cpVect normal, cpFloat alpha, void *found)
{
    (void)point, (void)normal, (void)alpha;
    push(found, shape->hashid);
}

/* The shapes along a segment, in a window and near a point, as the space finds them with its own
   indices and with a tree. */
static void check_queries(world *w, indices own, indices tree, list *a, list *b)
{
    cpVect from = random_place(w), to = random_place(w), size = random_vector(w);
    cpBB window = cpBBNewForExtents(from, 10 * size.x, 10 * size.y);
    cpSegmentQueryInfo hit[2];
    cpPointQueryInfo near[2];
    int k;

    if (random_unit(w) < 0.5) to = cpvlerp(from, to, 0.1);
    for (k = 0; k < 2; k++) {
        list *found = k ? b : a;

        use(w->space, k ? tree : own);
        cpSpaceSegmentQueryFirst(w->space, from, to, 0, CP_SHAPE_FILTER_ALL, &hit[k]);
        cpSpacePointQueryNearest(w->space, from, 10, CP_SHAPE_FILTER_ALL, &near[k]);
        cpSpaceSegmentQuery(w->space, from, to, 0, CP_SHAPE_FILTER_ALL, shape_met, found);
    }
    if (hit[0].shape != hit[1].shape && fabs(hit[0].alpha - hit[1].alpha) > 1e-12)
        fail("another shape is the first on a segment");
    if (fabs(near[0].distance - near[1].distance) > 1e-9) fail("another shape is the nearest");
    hits += same(a, b, "other shapes on a segment"), rays++;
    for (k = 0; k < 2; k++) {
        use(w->space, k ? tree : own);
        cpSpaceBBQuery(w->space, window, CP_SHAPE_FILTER_ALL, shape_found, k ? b : a);
    }
    same(a, b, "other shapes in a window"), windows++;
    use(w->space, own);
}

/* Each shape is in one of the indices, and nothing else is. */
static void check_contents(const world *w, indices own)
{
    cpSpatialIndex *a = own.standing, *b = own.moving;
    int i;

    if (cpSpatialIndexCount(a) + cpSpatialIndexCount(b) != w->n + 4) fail("a wrong count");
    for (i = 0; i < w->n; i++) {
        cpShape *shape = w->bodies[i]->shapeList;
        int sleeps = cpBodyIsSleeping(w->bodies[i]);

        if (cpSpatialIndexContains(a, shape, shape->hashid) != sleeps ||
            cpSpatialIndexContains(b, shape, shape->hashid) == sleeps)
            fail("a shape is in the wrong index");
        sleepers += sleeps;
    }
}

/* A body goes and a new one comes; another is put elsewhere, also out of the world. */
static void change(world *w, int step)
{
    int i = step * 7 % w->n;
    cpBody *body = w->bodies[(i + 1) % w->n];

    remove_body(w, i);
    add_body(w, i, random_place(w));
    cpBodySetPosition(body, cpvmult(random_place(w), step % 8 ? 1 : 3));
    cpSpaceReindexShapesForBody(w->space, body);
}

static void check(int pile, int n)
{
    list a = {NULL, 0, 0}, b = {NULL, 0, 0};
    world w;
    int step, i;

    pairs = hinted = rays = hits = windows = sleepers = 0;
    open_world(&w, pile, n, SPATIAL);
    cpSpaceSetSleepTimeThreshold(w.space, 0.1), cpSpaceSetIdleSpeedThreshold(w.space, 5);
    for (step = 0; step < CHECKED_STEPS; step++) {
        indices own, tree;

        if (step == ALL_SLEEP) cpSpaceSetIdleSpeedThreshold(w.space, 1e6);
        cpSpaceStep(w.space, STEP);
        change(&w, step);
        own.standing = w.space->staticShapes, own.moving = w.space->dynamicShapes;
        tree.standing = cpBBTreeNew(bb_of, NULL), tree.moving = cpBBTreeNew(bb_of, tree.standing);
        copy(own, tree);
        check_contents(&w, own);
        for (i = 0; i < 20; i++) check_queries(&w, own, tree, &a, &b);
        cpSpatialIndexReindexQuery(own.moving, pair_found, &a);
        cpSpatialIndexReindexQuery(tree.moving, pair_found, &b);
        pairs += same(&a, &b, "other pairs");
        cpSpatialIndexFree(tree.moving), cpSpatialIndexFree(tree.standing);
    }
    close_world(&w);
    free(a.at), free(b.at);
    if (sleepers == 0) fail("nothing slept");
    if (pile && hinted == 0) fail("what was said of a pair is not told in the next step");
    printf("%s of %d: %ld pairs (%ld known), %ld hits of %ld segments, %ld windows; %ld sleepers\n",
           pile ? "pile" : "gas", n, pairs, hinted, hits, rays, windows, sleepers);
}

/* ---- times ----------------------------------------------------------------------------------- */

static double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *times, size_t n)
{
    qsort(times, n, sizeof *times, compare_times);
    return times[n / 2];
}

static void count_met(cpShape *shape, cpVect point, cpVect normal, cpFloat alpha, void *count)
{
    (void)shape, (void)point, (void)normal, (void)alpha;
    ++*(long *)count;
}

/* Seconds a segment: of 20 units, or from anywhere to anywhere; the first shape, or all. */
static double time_rays(world *w, int far, int all)
{
    double begin = seconds();
    cpSegmentQueryInfo hit;
    long count = 0;
    int i;

    w->seed = 7;
    for (i = 0; i < RAYS; i++) {
        cpVect from = random_place(w), to = random_place(w);

        if (!far) to = cpvadd(from, cpvmult(cpvnormalize(cpvsub(to, from)), 20));
        if (all) cpSpaceSegmentQuery(w->space, from, to, 0, CP_SHAPE_FILTER_ALL, count_met, &count);
        else cpSpaceSegmentQueryFirst(w->space, from, to, 0, CP_SHAPE_FILTER_ALL, &hit);
    }
    return (seconds() - begin) / RAYS;
}

/* All kinds take turns, so that other work of the machine slows all alike. */
static void measure(int pile, int n)
{
    static const char *const names[KINDS] = {"tree", "space hash", "spatial.h"};
    static double steps[KINDS][TIMED_STEPS], rounds[4][KINDS][ROUNDS];
    double tree[5] = {0, 0, 0, 0, 0};
    world worlds[KINDS];
    int i, k, m;

    for (k = 0; k < KINDS; k++) open_world(&worlds[k], pile, n, k);
    for (i = 0; i < TIMED_STEPS * KINDS; i++) {
        int step = i / (BLOCK * KINDS) * BLOCK + i % BLOCK;
        double begin;

        k = i / BLOCK % KINDS;
        begin = seconds();
        cpSpaceStep(worlds[k].space, STEP);
        steps[k][step] = seconds() - begin;
    }
    for (i = 0; i < ROUNDS; i++)
        for (k = 0; k < KINDS; k++)
            for (m = 0; m < 4; m++) rounds[m][k][i] = time_rays(&worlds[k], m / 2, m % 2);
    for (k = 0; k < KINDS; k++) {
        printf("%-5s %6d  %-10s", pile ? "pile" : "gas", n, names[k]);
        for (m = 0; m < 5; m++) {
            double time = m ? 1e6 * median(rounds[m - 1][k], ROUNDS)
                            : 1e3 * median(steps[k] + TIMED_STEPS / 2, TIMED_STEPS / 2);

            if (k == TREE) tree[m] = time;
            printf(" %8.2f %5.2f", time, tree[m] / time);
        }
        printf("\n");
        close_world(&worlds[k]);
    }
}

int main(int argc, char **argv)
{
    int timed = argc == 2 && strcmp(argv[1], "--time") == 0, pile;

    if (argc > 1 && !timed) {
        fprintf(stderr, "usage: compare [--time]\n");
        return 2;
    }
    if (timed)
        printf("                            a step, ms    20 units, us: first, all     "
               "across, us: first, all\n");
    for (pile = 1; pile >= 0; pile--) {
        if (!timed) check(pile, 2000);
        else measure(pile, 2000), measure(pile, 10000);
    }
    return 0;
}
