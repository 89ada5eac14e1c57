/* test_small_movers.c - every small shape that moves: points, circles, lines and triangles with
   corners on a grid of three lines, by all motions on it, among boxes and shapes on the same grid.
   Casts, slides and overlaps are compared with the distance of a moving point from a polygon.

   A shape and an element overlap where the difference of two of their points is 0. All differences
   are a polygon, grown by both radii, and the motion leads a point from 0 through the plane of this
   polygon. Its corners are whole numbers, so that hardly anything is rounded. */
#define SPATIAL_NO_BROADPHASE /* not tested here */
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "brute.h"
#include "kinds.h"
#include "test.h"

#ifdef SPTI_SHAPES
#include <math.h>

#define SLACK 1e-9 /* distances on the grid are 0 or much more */
#define KINDS TEST_COUNT(kinds)

/* ---- Bodies ---------------------------------------------------------------------------------- */

#define LINES 3
#define PLACES (LINES * LINES)
#define SPANS (LINES * (LINES + 1) / 2)
#define BOXES (SPANS * SPANS)
#define RADII 3
#define SHAPES ((PLACES + PLACES * PLACES + PLACES * PLACES * PLACES) * RADII)
#define WAYS (2 * LINES - 1)
#define MOTIONS (WAYS * WAYS)
#define MOST 2

/* A box, or a point, a line or a triangle with a radius: the numbers of lines of the grid. */
typedef struct body {
    int is_box, count, at[4][2], halves; /* of a unit: the radius */
    spt_coord points[8], radius;
} body;

static const struct grid {
    const char *name;
    double x, y, unit;
    int fine; /* a skin of a hundredth is fine for the type, so that there are slides */
} grids[] = {
    {"grid", 0, 0, 1, 1},
    {"beside 1000", -1, 1000, 1, 1},
    {"small", 0.25, -0.5, 1.0 / 1024, 1},
    {"far away", 1048576, -1048578, 1, sizeof(spt_coord) > 4},
};

static const struct grid *on;
static body bodies[MOST]; /* the elements */
static spt_i32 count;
static spt_index worlds[KINDS];

static void add_point(body *b, int x, int y)
{
    b->at[b->count][0] = x, b->at[b->count][1] = y;
    b->points[2 * b->count] = (spt_coord)(on->x + x * on->unit);
    b->points[2 * b->count + 1] = (spt_coord)(on->y + y * on->unit);
    b->count++;
}

/* The boxes come first, then the shapes. */
static void set_body(body *b, int number)
{
    static const int spans[SPANS][2] = {{0, 0}, {0, 1}, {0, 2}, {1, 1}, {1, 2}, {2, 2}};
    int i, corners = 1, shapes = PLACES;
    memset(b, 0, sizeof *b);
    if (number < BOXES) {
        const int *x = spans[number % SPANS], *y = spans[number / SPANS];
        b->is_box = 1;
        add_point(b, x[0], y[0]), add_point(b, x[1], y[0]);
        add_point(b, x[1], y[1]), add_point(b, x[0], y[1]);
        return;
    }
    number -= BOXES;
    b->halves = number % RADII, number /= RADII;
    b->radius = (spt_coord)(b->halves * on->unit / 2);
    for (; number >= shapes; number -= shapes, shapes *= PLACES) corners++;
    for (i = 0; i < corners; i++, number /= PLACES)
        add_point(b, number % LINES, number % PLACES / LINES);
}

static spt_shape shape_of(const body *b)
{
    spt_shape shape;
    shape.points = b->points, shape.count = b->count, shape.radius = b->radius;
    return shape;
}

static int tell_shape(void *ctx, spt_i32 id, spt_shape *out) SPT_CALLBACK
{
    (void)ctx;
    if (bodies[id].is_box) return 0;
    *out = shape_of(&bodies[id]);
    return 1;
}

static spt_layer layer_of(int k)
{
    spt_layer layer;
    memset(&layer, 0, sizeof layer);
    layer.index = &worlds[k], layer.shape = tell_shape;
    return layer;
}

static void open_worlds(void)
{
    spt_box boxes[MOST];
    spt_i32 id;
    int k;
    for (id = 0; id < count; id++) {
        const spt_shape shape = shape_of(&bodies[id]);
        CHECK(spt_shape_box(&shape, &boxes[id]) == SPT_OK);
    }
    for (k = 0; k < KINDS; k++) {
        CHECK(kinds[k]->init(&worlds[k], NULL) == SPT_OK);
        CHECK(spt_build(&worlds[k], boxes, count) == SPT_OK);
    }
}

static void close_worlds(void)
{
    int k;
    for (k = 0; k < KINDS; k++) spt_free(&worlds[k]);
}

/* ---- The plane of differences ---------------------------------------------------------------- */

#define MOST_CORNERS 16

typedef struct hull {               /* in units of the grid */
    int n, at[MOST_CORNERS + 1][2]; /* corners, with the interior on the left; no three on a line */
    double radius;
} hull;

/* Twice the area of a triangle, positive if its corners turn left. */
static int turn_of(const int *a, const int *b, const int *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static int left_first(const void *a, const void *b)
{
    const int *one = (const int *)a, *two = (const int *)b;
    return one[0] != two[0] ? one[0] - two[0] : one[1] - two[1];
}

/* All differences of points of an element and of a shape. (Andrew 1979: from the left to the right
   along the lower side, and back along the upper one.) */
static hull differences(const body *element, const body *shape)
{
    int at[MOST_CORNERS][2], points = 0, i, k, step, base;
    hull h;
    for (i = 0; i < element->count; i++)
        for (k = 0; k < shape->count; k++, points++) {
            at[points][0] = element->at[i][0] - shape->at[k][0];
            at[points][1] = element->at[i][1] - shape->at[k][1];
        }
    qsort(at, (size_t)points, sizeof *at, left_first);
    h.radius = (element->halves + shape->halves) * 0.5;
    h.n = 0;
    for (step = 1, i = 0, base = 1; i >= 0; i += step) {
        while (h.n > base && turn_of(h.at[h.n - 2], h.at[h.n - 1], at[i]) <= 0) h.n--;
        if (h.n == 0 || left_first(h.at[h.n - 1], at[i]) != 0) {
            h.at[h.n][0] = at[i][0], h.at[h.n][1] = at[i][1];
            h.n++;
        }
        if (i == points - 1) step = -1, base = h.n;
    }
    if (h.n > 1) h.n--; /* the first one again */
    return h;
}

/* The distance of a place from the polygon, minus the depth in it; less the radius. */
static double gap_at(const hull *h, double x, double y)
{
    double most = -1e30, least = 1e30;
    int i;
    for (i = 0; i < h->n; i++) {
        const int *from = h->at[i], *to = h->at[(i + 1) % h->n];
        const double dx = to[0] - from[0], dy = to[1] - from[1], square = dx * dx + dy * dy;
        double wx = x - from[0], wy = y - from[1], part = 0, right, distance;
        if (h->n > 2) {
            right = (dy * wx - dx * wy) / sqrt(square);
            most = right > most ? right : most;
        }
        if (square > 0) part = (dx * wx + dy * wy) / square;
        part = part < 0 ? 0 : part > 1 ? 1 : part;
        wx -= part * dx, wy -= part * dy;
        distance = sqrt(wx * wx + wy * wy);
        least = distance < least ? distance : least;
    }
    return (h->n > 2 && most <= 0 ? most : least) - h->radius;
}

/* When, on the way by (x, y), the gap is least: it is a convex function of the time. */
static double nearest_time(const hull *h, int x, int y)
{
    double from = 0, to = 1;
    int i;
    for (i = 0; i < 56; i++) {
        const double one = from + (to - from) / 3, two = to - (to - from) / 3;
        if (gap_at(h, one * x, one * y) <= gap_at(h, two * x, two * y))
            to = two;
        else
            from = one;
    }
    return gap_at(h, x, y) < gap_at(h, from * x, from * y) - SLACK ? 1 : from;
}

/* When it is 0 for the first time: it falls up to the time given. */
static double first_time(const hull *h, int x, int y, double to)
{
    double from = 0;
    int i;
    for (i = 0; i < 50; i++) {
        const double middle = (from + to) / 2;
        if (gap_at(h, middle * x, middle * y) > 0)
            from = middle;
        else
            to = middle;
    }
    return to;
}

/* 1 if a motion crosses a polygon without a width: a wall that is a line. */
static int crosses(const hull *h, int x, int y)
{
    const int from[2] = {0, 0}, to[2] = {x, y};
    return h->n == 2 && turn_of(h->at[0], h->at[1], from) * turn_of(h->at[0], h->at[1], to) < 0 &&
           turn_of(from, to, h->at[0]) * turn_of(from, to, h->at[1]) < 0;
}

/* 1 if the polygon has no width and no radius: then it depends on a choice of the normal whether a
   motion from there leads in. */
static int is_sharp(const hull *h)
{
    return h->n < 3 && h->radius < SLACK;
}

/* Whether a motion leads into the polygon. Where it only grazes, either answer is right. */
enum { NEVER, MAYBE, SURELY };

typedef struct way {
    int x, y, meets;
    double time, start, least; /* when they meet; the gap at first, and the least one on the way */
} way;

static way way_of(const hull *h, int x, int y)
{
    way w;
    double nearest;
    w.x = x, w.y = y, w.meets = NEVER, w.time = 0;
    w.start = w.least = gap_at(h, 0, 0);
    if (x == 0 && y == 0) {
        if (w.start < SLACK) w.meets = SURELY;
        return w;
    }
    nearest = nearest_time(h, x, y);
    w.least = gap_at(h, nearest * x, nearest * y);
    if (w.start < -SLACK || w.least > SLACK) return w;
    if (w.least < -SLACK || crosses(h, x, y))
        w.meets = SURELY;
    else if (w.start > SLACK || is_sharp(h))
        w.meets = MAYBE;
    if (w.start > SLACK) w.time = w.least < -SLACK ? first_time(h, x, y, nearest) : nearest;
    return w;
}

/* ---- Casts ----------------------------------------------------------------------------------- */

/* At that time they touch, for the first time if the motion leads in. The normal leads straight
   away from the polygon, and against the motion. */
static void check_hit(const hull *h, const way *w, const spt_shape_hit *hit)
{
    const double nx = (double)hit->nx, ny = (double)hit->ny, t = (double)hit->t;
    const double gap = gap_at(h, t * w->x, t * w->y);
    CHECK(fabs(nx * nx + ny * ny - 1) < 1e-6);
    if (w->x == 0 && w->y == 0) return; /* it may be deep in it */
    CHECK(fabs(gap) < 4e-6);
    CHECK(w->meets == MAYBE || t < w->time + 2e-6);
    CHECK(nx * w->x + ny * w->y < 0);
    CHECK(fabs(gap_at(h, t * w->x + nx / 8, t * w->y + ny / 8) - gap - 0.125) < 1e-4);
}

static void check_cast(const body *b, const hull *hulls, const way *ways)
{
    const spt_shape shape = shape_of(b);
    const spt_coord dx = (spt_coord)(ways[0].x * on->unit), dy = (spt_coord)(ways[0].y * on->unit);
    const int k = test_below(KINDS);
    spt_shape_hit hit, other;
    spt_layer layer = layer_of(0);
    const int met = spt_shape_cast(&layer, 1, &shape, dx, dy, 0, &hit);
    double first = 2;
    spt_i32 id;
    for (id = 0; id < count; id++)
        if (ways[id].meets == SURELY && ways[id].time < first) first = ways[id].time;
    layer = layer_of(k);
    CHECK(spt_shape_cast(&layer, 1, &shape, dx, dy, 0, &other) == met);
    CHECK(met == 1 || (met == 0 && first > 1));
    if (met != 1) return;
    CHECK(same_shape_hit(&hit, &other) && hit.layer == other.layer);
    if (!CHECK(hit.layer == 0 && hit.id >= 0 && hit.id < count)) return;
    CHECK(ways[hit.id].meets != NEVER);
    CHECK((double)hit.t < first + 2e-6);
    check_hit(&hulls[hit.id], &ways[hit.id], &hit);
}

static void check_overlap(const body *b, const way *ways)
{
    const spt_shape shape = shape_of(b);
    spt_layer layer = layer_of(test_below(KINDS));
    spt_box box;
    int meets = 0;
    spt_i32 id;
    for (id = 0; id < count; id++) {
        const int touches = ways[id].start < SLACK;
        meets |= touches;
        if (!bodies[id].is_box) continue;
        CHECK(spt_box_of(layer.index, id, &box) == SPT_OK);
        CHECK(spt_box_meets_shape(&box, &shape) == touches);
    }
    CHECK(spt_shape_any(&layer, 1, &shape) == meets);
}

/* ---- Slides ---------------------------------------------------------------------------------- */

#define SKIN 0.01 /* in units */

/* One element lets the shape go on along a tangent at the place where they meet. */
static void check_tangent(const way *w, const spt_shape_hit *hit, double x, double y)
{
    const double nx = (double)hit->nx, ny = (double)hit->ny, rest = 1 - w->time;
    const double side = rest * (nx * w->x + ny * w->y);
    CHECK(hypot(x - (w->x - side * nx), y - (w->y - side * ny)) < 2 * SKIN);
}

static void check_slide(const body *b, const hull *hulls, const way *ways)
{
    const spt_shape shape = shape_of(b);
    const spt_coord dx = (spt_coord)(ways[0].x * on->unit), dy = (spt_coord)(ways[0].y * on->unit);
    const spt_coord skin = (spt_coord)(SKIN * on->unit);
    spt_layer layer = layer_of(0);
    spt_shape_hit hits[SPT_SHAPE_HITS], others[SPT_SHAPE_HITS];
    spt_coord end_x = 0, end_y = 0, other_x = 0, other_y = 0;
    const int met = spt_shape_slide(&layer, 1, &shape, dx, dy, skin, &end_x, &end_y, hits);
    const double x = (double)end_x / on->unit, y = (double)end_y / on->unit;
    int i, surely = 0, holds = 0;
    spt_i32 id;
    layer = layer_of(test_below(KINDS));
    CHECK(spt_shape_slide(&layer, 1, &shape, dx, dy, skin, &other_x, &other_y, others) == met);
    CHECK(end_x <= other_x && end_x >= other_x && end_y <= other_y && end_y >= other_y);
    if (!CHECK(met >= 0 && met <= SPT_SHAPE_HITS)) return;
    for (i = 0; i < met; i++)
        CHECK(same_shape_hit(&hits[i], &others[i]) && hits[i].layer == others[i].layer);
    CHECK(hypot(x, y) < hypot(ways[0].x, ways[0].y) + 2 * SKIN);
    for (id = 0; id < count; id++) {
        if (ways[id].start < -SKIN) continue; /* it does not hold */
        CHECK(gap_at(&hulls[id], x, y) > -0.51 * SKIN);
        surely |= ways[id].meets == SURELY && ways[id].start > -SLACK;
        holds |= ways[id].least < SKIN;
    }
    if (surely) CHECK(met > 0);
    if (!holds) CHECK(met == 0 && hypot(x - ways[0].x, y - ways[0].y) < 1e-6);
    if (count == 1 && surely && met) check_tangent(&ways[0], &hits[0], x, y);
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* The number to try after a number, as in test_small_worlds.c. */
static long after(long number, int every)
{
    return (number / every + 1) * every + test_below(every);
}

/* Moves all shapes in all ways among the elements. */
static void try_shapes(int every)
{
    hull hulls[MOST];
    way ways[MOST];
    body b;
    long i;
    spt_i32 id;
    open_worlds();
    for (i = test_below(every); i < (long)SHAPES * MOTIONS; i = after(i, every)) {
        const int motion = (int)(i % MOTIONS);
        test_context(on->name, i);
        set_body(&b, BOXES + (int)(i / MOTIONS));
        for (id = 0; id < count; id++) {
            hulls[id] = differences(&bodies[id], &b);
            ways[id] = way_of(&hulls[id], motion % WAYS - LINES + 1, motion / WAYS - LINES + 1);
        }
        check_cast(&b, hulls, ways);
        check_overlap(&b, ways);
        if (on->fine) check_slide(&b, hulls, ways);
    }
    close_worlds();
}

static void shapes_move_beside_one_box(void)
{
    int g, number;
    count = 1;
    for (g = 0; g < TEST_COUNT(grids); g++)
        for (on = &grids[g], number = 0; number < BOXES; number++) {
            set_body(&bodies[0], number);
            try_shapes((g ? 20 : 4) * (int)test.divisor);
        }
}

static void shapes_move_beside_one_shape(void)
{
    int g;
    long number;
    count = 1;
    for (g = 0; g < TEST_COUNT(grids); g++)
        for (on = &grids[g], number = test_below(8); number < SHAPES; number = after(number, 8)) {
            set_body(&bodies[0], BOXES + (int)number);
            try_shapes(60 * (int)test.divisor);
        }
}

static void shapes_move_among_two_boxes(void)
{
    int g;
    long number;
    count = 2;
    for (g = 0; g < TEST_COUNT(grids); g++)
        for (on = &grids[g], number = test_below(2); number < BOXES * BOXES;
             number = after(number, 2)) {
            set_body(&bodies[0], (int)(number % BOXES));
            set_body(&bodies[1], (int)(number / BOXES));
            try_shapes(160 * (int)test.divisor);
        }
}

static const test_case tests[] = {
    TEST(shapes_move_beside_one_box),
    TEST(shapes_move_beside_one_shape),
    TEST(shapes_move_among_two_boxes),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
#else
int main(void)
{
    printf("0 checks: there are no shapes of integers\n");
    return 0;
}
#endif
