/* test_shape_movers.c - shapes that are cast and that slide among boxes and shapes: they never
   tunnel, never end inside, glide over seams, rest in corners, and all structures agree. */
#define SPATIAL_NO_BROADPHASE /* not tested here */
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "brute.h"
#include "test.h"

#ifdef SPTI_SHAPES
#include <math.h>

#define MOST 3000
#define POINTS 12
#define KINDS 5

typedef struct body {
    spt_coord points[2 * POINTS];
    int count;
    spt_coord radius;
    int is_box; /* its shape is not told: it is its box */
} body;

static body bodies[MOST];
static spt_box boxes[MOST];
static spt_i32 bodies_there;
static spt_index worlds[KINDS]; /* the last is an image of packed */

static spt_shape shape_of(const body *b)
{
    spt_shape shape;
    shape.points = b->points, shape.count = b->count, shape.radius = b->radius;
    return shape;
}

static int tell_shape(void *ctx, spt_i32 id, spt_shape *out) SPT_CALLBACK
{
    static body copy; /* valid until the next call, as the manual allows */
    (void)ctx;
    if (bodies[id].is_box) return 0;
    copy = bodies[id];
    *out = shape_of(&copy);
    return 1;
}

static spt_layer layer_of(const spt_index *x)
{
    spt_layer layer;
    memset(&layer, 0, sizeof layer);
    layer.index = x, layer.shape = tell_shape;
    return layer;
}

static double uniform(double low, double high)
{
    volatile double part = (double)(test_random() >> 8) / 16777216.0, way = part * (high - low);
    return low + way;
}

static void add_point(body *b, double x, double y)
{
    b->points[2 * b->count] = (spt_coord)x, b->points[2 * b->count + 1] = (spt_coord)y;
    b->count++;
}

/* A box, a turned box, a disc, a capsule, a triangle, a rounded box, or a polygon of many sides. */
enum { BOX, TURNED, DISC, CAPSULE, TRIANGLE, ROUNDED, POLYGON, FORMS };

static void set_form(body *b, int form, double size, double x, double y)
{
    const double angle = form == BOX ? 0 : uniform(0, 6.3);
    const double c = cos(angle), s = sin(angle), w = size, h = size * uniform(0.4, 1);
    int i;
    memset(b, 0, sizeof *b);
    b->is_box = form == BOX;
    if (form == DISC) add_point(b, x, y), b->radius = (spt_coord)size;
    if (form == CAPSULE) {
        add_point(b, x - w * c, y - w * s), add_point(b, x + w * c, y + w * s);
        b->radius = (spt_coord)(size / 3);
    }
    if (form == BOX || form == TURNED || form == ROUNDED) {
        add_point(b, x - w * c + h * s, y - w * s - h * c);
        add_point(b, x + w * c + h * s, y + w * s - h * c);
        add_point(b, x + w * c - h * s, y + w * s + h * c);
        add_point(b, x - w * c - h * s, y - w * s + h * c);
        if (form == ROUNDED) b->radius = (spt_coord)(size / 4);
    }
    for (i = 0; i < 3 && form == TRIANGLE; i++) /* clockwise */
        add_point(b, x + size * cos(angle - 2.1 * i), y + size * sin(angle - 2.1 * i));
    for (i = 0; i < POINTS && form == POLYGON; i++)
        add_point(b, x + size * cos(angle + 0.5 * i), y + h * sin(angle + 0.5 * i));
}

static void set_corners(body *b, double min_x, double min_y, double max_x, double max_y)
{
    memset(b, 0, sizeof *b);
    b->is_box = 1;
    add_point(b, min_x, min_y), add_point(b, max_x, min_y);
    add_point(b, max_x, max_y), add_point(b, min_x, max_y);
}

static body *next_body(void)
{
    CHECK(bodies_there < MOST);
    return &bodies[bodies_there++];
}

static void put_box(double min_x, double min_y, double max_x, double max_y)
{
    set_corners(next_body(), min_x, min_y, max_x, max_y);
}

static void put_form(int form, double size, double x, double y)
{
    set_form(next_body(), form, size, x, y);
}

static void put_points(const double *points, int count, double radius)
{
    body *b = next_body();
    int i;
    memset(b, 0, sizeof *b);
    for (i = 0; i < count; i++) add_point(b, points[2 * i], points[2 * i + 1]);
    b->radius = (spt_coord)radius;
}

static void move_body(body *b, spt_coord x, spt_coord y)
{
    int i;
    for (i = 0; i < b->count; i++) b->points[2 * i] += x, b->points[2 * i + 1] += y;
}

static void open_worlds(void)
{
    const void *data;
    size_t bytes;
    spt_i32 id;
    int k;
    for (id = 0; id < bodies_there; id++) {
        const spt_shape shape = shape_of(&bodies[id]);
        CHECK(spt_shape_box(&shape, &boxes[id]) == SPT_OK);
    }
    CHECK(spt_linear_init(&worlds[0], NULL) == SPT_OK);
    CHECK(spt_quadtree_init(&worlds[1], NULL) == SPT_OK);
    CHECK(spt_loosegrid_init(&worlds[2], NULL) == SPT_OK);
    CHECK(spt_packed_init(&worlds[3], NULL) == SPT_OK);
    for (k = 0; k < 4; k++) CHECK(spt_build(&worlds[k], boxes, bodies_there) == SPT_OK);
    data = spt_packed_data(&worlds[3], &bytes);
    CHECK(spt_packed_view(&worlds[4], data, bytes) == SPT_OK);
}

static void close_worlds(void)
{
    int k;
    for (k = KINDS; k-- > 0;) spt_free(&worlds[k]);
    bodies_there = 0;
}

/* ---- The reference: the gap of two bodies in long double ------------------------------------- */

#ifdef __clang__ /* which warns of each conversion that makes a number wider, as is meant here */
#pragma clang diagnostic ignored "-Wdouble-promotion"
#endif
typedef long double real;

/* A coordinate. (tcc gets such conversions wrong if they are arguments themselves.) */
static real at_point(const body *b, int k)
{
    return (real)b->points[k];
}

/* The extent of a body along a vector. */
static void extent(const body *b, real nx, real ny, real *low, real *high)
{
    int i;
    for (i = 0; i < b->count; i++) {
        const real at = nx * b->points[2 * i] + ny * b->points[2 * i + 1];
        if (i == 0 || at < *low) *low = at;
        if (i == 0 || at > *high) *high = at;
    }
}

static real from_side(real px, real py, real ax, real ay, real bx, real by)
{
    const real dx = bx - ax, dy = by - ay, length = dx * dx + dy * dy;
    real t = 0;
    if (length > 0) t = ((px - ax) * dx + (py - ay) * dy) / length;
    if (t < 0) t = 0;
    if (t > 1) t = 1;
    px -= ax + t * dx, py -= ay + t * dy;
    return sqrtl(px * px + py * py);
}

/* The gap of a, moved by (x, y), and b: minus the depth if they overlap. */
static real gap_of(const body *a, real x, real y, const body *b)
{
    real most = -1e30L, least = 1e30L;
    int k, i, j, i2, j2;
    for (k = 0; k < 2; k++) {
        const body *s = k ? b : a;
        for (i = 0; i < s->count; i++) {
            const int n = (i + 1) % s->count;
            real nx = (real)s->points[2 * n + 1] - s->points[2 * i + 1];
            real ny = (real)s->points[2 * i] - s->points[2 * n], length = sqrtl(nx * nx + ny * ny);
            real al = 0, ah = 0, bl = 0, bh = 0, at;
            if (!(length > 0)) continue;
            nx /= length, ny /= length, at = nx * x + ny * y;
            extent(a, nx, ny, &al, &ah), extent(b, nx, ny, &bl, &bh);
            if (al + at - bh > most) most = al + at - bh;
            if (bl - ah - at > most) most = bl - ah - at;
        }
    }
    for (i = 0; i < a->count; i++) {
        for (j = 0; j < b->count; j++) {
            const real ax = at_point(a, 2 * i) + x, ay = at_point(a, 2 * i + 1) + y;
            const real bx = at_point(b, 2 * j), by = at_point(b, 2 * j + 1);
            real d;
            i2 = (i + 1) % a->count, j2 = (j + 1) % b->count;
            d = from_side(ax, ay, bx, by, at_point(b, 2 * j2), at_point(b, 2 * j2 + 1));
            if (d < least) least = d;
            d = from_side(bx, by, ax, ay, at_point(a, 2 * i2) + x, at_point(a, 2 * i2 + 1) + y);
            if (d < least) least = d;
        }
    }
    if (most < -1e-12L && most > -1e29L) least = most;
    return least - a->radius - b->radius;
}

static real least_gap(const body *b)
{
    real least = 1e30L;
    spt_i32 id;
    for (id = 0; id < bodies_there; id++) {
        const real gap = gap_of(b, 0, 0, &bodies[id]);
        if (gap < least) least = gap;
    }
    return least;
}

/* ---- Slides, which all structures must answer alike ------------------------------------------ */

typedef struct slid {
    int count;
    spt_coord x, y;
    spt_shape_hit hits[SPT_SHAPE_HITS];
} slid;

static slid slide_in(const spt_layer *layers, int count, const body *b, double dx, double dy,
                     double skin)
{
    const spt_shape shape = shape_of(b);
    slid s;
    memset(&s, 0, sizeof s);
    s.count = spt_shape_slide(layers, count, &shape, (spt_coord)dx, (spt_coord)dy, (spt_coord)skin,
                              &s.x, &s.y, s.hits);
    CHECK(s.count >= 0 && s.count <= SPT_SHAPE_HITS);
    return s;
}

static slid slide(const body *b, double dx, double dy, double skin)
{
    spt_layer layer = layer_of(&worlds[0]);
    return slide_in(&layer, 1, b, dx, dy, skin);
}

static void slide_alike(const body *b, double dx, double dy, double skin, const slid *first)
{
    int k, i;
    for (k = 1; k < KINDS; k++) {
        spt_layer layer = layer_of(&worlds[k]);
        const slid s = slide_in(&layer, 1, b, dx, dy, skin);
        CHECK(s.count == first->count && !(s.x < first->x) && !(s.x > first->x) &&
              !(s.y < first->y) && !(s.y > first->y));
        for (i = 0; i < s.count; i++) CHECK(same_shape_hit(&s.hits[i], &first->hits[i]));
    }
}

static void random_world(int n, double wide, double size)
{
    int i;
    for (i = 0; i < n; i++) {
        const int form = i % 2 ? BOX : test_below(FORMS);
        put_form(form, uniform(size / 10, size), uniform(0, wide), uniform(0, wide));
    }
    open_worlds();
}

/* A body that touches nothing. */
static void free_body(body *b, double wide, double size, double room)
{
    int tries = 1000;
    do set_form(b, test_below(FORMS), uniform(size / 10, size), uniform(0, wide), uniform(0, wide));
    while (!(least_gap(b) > room) && --tries > 0);
    CHECK(tries > 0);
}

/* ---- Casts ----------------------------------------------------------------------------------- */

/* The time at which a motion gets to a gap of 0, by steps that are as long as the gap; 2: never. */
static real traced(const body *b, real dx, real dy, const body *element)
{
    const real length = sqrtl(dx * dx + dy * dy);
    real t = 0, gap;
    long steps;
    for (steps = 0; steps < 100000 && t <= 1; steps++) {
        gap = gap_of(b, t * dx, t * dy, element);
        if (gap < 1e-7L) return t;
        t += gap / length;
    }
    return t <= 1 ? t : 2;
}

static void a_cast_finds_what_small_steps_find(void)
{
    const int n = test_scale(1500);
    spt_shape_hit hit, other;
    spt_shape shape;
    body b;
    int i, k, met = 0;
    for (i = 0; i < n; i++) {
        const double speed = i % 4 ? 30 : 3000;
        const spt_coord dx = (spt_coord)(i % 9 ? uniform(-speed, speed) : 0);
        const spt_coord dy = (spt_coord)(i % 7 ? uniform(-speed, speed) : 0);
        const real length = sqrtl((real)dx * dx + (real)dy * dy);
        real first = 2, gap;
        spt_i32 id;
        test_context("cast", i);
        if (i % 100 == 0) close_worlds(), random_world(60, 100, 6);
        free_body(&b, 100, 3, 0.01);
        shape = shape_of(&b);
        for (k = 0; k < KINDS; k++) {
            spt_layer layer = layer_of(&worlds[k]);
            const int found = spt_shape_cast(&layer, 1, &shape, dx, dy, 0, k ? &other : &hit);
            if (k == 0) met = found;
            CHECK(found == met && (k == 0 || !met || same_shape_hit(&hit, &other)));
        }
        if (i % 3) continue;
        for (id = 0; id < bodies_there; id++) {
            const real t = traced(&b, dx, dy, &bodies[id]);
            if (t < first) first = t;
        }
        if (met) {
            const real x = hit.t * (real)dx, y = hit.t * (real)dy;
            gap = gap_of(&b, x, y, &bodies[hit.id]);
            CHECK(fabsl(gap) < 2e-6L * (length + 100));
            CHECK(fabsl((real)hit.nx * hit.nx + (real)hit.ny * hit.ny - 1) < 1e-6L);
            CHECK(hit.nx * (real)dx + hit.ny * (real)dy < 0);
            CHECK(hit.layer == 0 && hit.t >= 0 && hit.t <= 1);
            CHECK(first > 1 || hit.t * length < first * length + 2e-6L * (length + 100));
        } else {
            CHECK(first > 1); /* but where it only grazes: */
        }
    }
    close_worlds();
}

static void a_ray_sees_past_discs(void)
{
    int i, k, blocked, n = test_scale(3000);
    for (i = 0; i < n; i++) {
        double least = 1e9;
        body eye;
        spt_shape ray;
        spt_layer layer;
        spt_coord dx, dy;
        if (i % 100 == 0) {
            close_worlds();
            for (k = 0; k < 40; k++)
                put_form(DISC, uniform(0.5, 4), uniform(0, 60), uniform(0, 60));
            open_worlds();
        }
        memset(&eye, 0, sizeof eye);
        add_point(&eye, uniform(0, 60), uniform(0, 60));
        dx = (spt_coord)uniform(-40, 40), dy = (spt_coord)uniform(-40, 40);
        for (k = 0, blocked = 0; k < bodies_there; k++) {
            const body *d = &bodies[k];
            const double gap =
                (double)from_side(at_point(d, 0), at_point(d, 1), at_point(&eye, 0),
                                  at_point(&eye, 1), at_point(&eye, 0) + dx,
                                  at_point(&eye, 1) + dy) -
                (double)d->radius;
            if (fabs(gap) < least) least = fabs(gap);
            /* What the eye is in does not block it. */
            blocked |= gap < 0 && gap_of(&eye, 0, 0, d) > 0;
        }
        if (least < 1e-4) continue;
        ray = shape_of(&eye), layer = layer_of(&worlds[i % KINDS]);
        CHECK(spt_shape_cast(&layer, 1, &ray, dx, dy, 0, NULL) == blocked);
    }
    close_worlds();
}

static void overlaps_up_to_the_skin_are_met(void)
{
    spt_shape_hit hit;
    spt_shape shape;
    spt_layer layer;
    body b;
    put_box(0, -1, 9, 0);
    open_worlds();
    layer = layer_of(&worlds[0]);
    set_corners(&b, 2, -0.0625, 3, 1); /* 1/16 inside */
    shape = shape_of(&b);
    CHECK(spt_shape_cast(&layer, 1, &shape, 0, -1, (spt_coord)0.125, &hit) == 1);
    CHECK(hit.t <= 0 && hit.nx >= 0 && hit.nx <= 0 && hit.ny >= 1);
    CHECK(spt_shape_cast(&layer, 1, &shape, 0, -1, (spt_coord)0.03125, &hit) == 0);
    CHECK(spt_shape_cast(&layer, 1, &shape, 0, 1, (spt_coord)0.125, &hit) == 0); /* out of it */
    CHECK(spt_shape_cast(&layer, 1, &shape, 1, 0, (spt_coord)0.125, &hit) == 0); /* along it */
    CHECK(spt_shape_cast(&layer, 1, &shape, 0, 0, (spt_coord)0.125, &hit) == 1); /* it is there */
    CHECK(spt_shape_cast(&layer, 1, &shape, 0, 0, 0, &hit) == 1);
    set_corners(&b, 2, 0, 3, 1); /* touches */
    shape = shape_of(&b);
    CHECK(spt_shape_cast(&layer, 1, &shape, 0, -1, 0, &hit) == 1 && hit.t <= 0);
    CHECK(spt_shape_cast(&layer, 1, &shape, 3, 0, 0, &hit) == 0);
    close_worlds();
}

static void the_examples_of_the_manual_hold(void)
{
    body circle;
    spt_shape shape;
    spt_shape_hit hits[SPT_SHAPE_HITS];
    spt_layer layer;
    spt_box around = {0, 0, 0, 0};
    spt_coord x = 0, y = 0;
    memset(&circle, 0, sizeof circle);
    add_point(&circle, 0, 5), circle.radius = 1;
    put_box(4, 0, 6, 9);
    open_worlds();
    layer = layer_of(&worlds[1]), shape = shape_of(&circle);
    CHECK(spt_shape_cast(&layer, 1, &shape, 10, 0, 0, hits) == 1);
    CHECK(hits[0].t > (spt_coord)0.2999 && hits[0].t < (spt_coord)0.3001 && hits[0].nx <= -1 &&
          hits[0].ny <= 0);
    CHECK(spt_shape_any(&layer, 1, &shape) == 0);
    circle.points[0] = 3;
    CHECK(spt_shape_any(&layer, 1, &shape) == 1);
    CHECK(spt_shape_any(&layer, 0, &shape) == 0);
    close_worlds();
    put_box(0, -1, 9, 0);
    open_worlds();
    layer = layer_of(&worlds[2]);
    circle.points[0] = 2, circle.points[1] = 3;
    CHECK(spt_shape_slide(&layer, 1, &shape, 3, -4, (spt_coord)0.01, &x, &y, hits) == 1);
    CHECK(x > (spt_coord)2.99 && x < (spt_coord)3.01 && y > -2 && y < (spt_coord)-1.99 &&
          hits[0].ny >= 1);
    CHECK(hits[0].t > (spt_coord)0.49 && hits[0].t < (spt_coord)0.51);
    CHECK(spt_shape_box(&shape, &around) == SPT_OK);
    CHECK(around.min_x <= 1 && around.min_y <= 2 && around.max_x >= 3 && around.max_y >= 4);
    CHECK(around.min_x > (spt_coord)0.999 && around.max_y < (spt_coord)4.001);
    close_worlds();
}

/* ---- Is there room? -------------------------------------------------------------------------- */

static void any_tells_what_the_gaps_tell(void)
{
    int i, k, n = test_scale(4000), there = 0;
    body b;
    for (i = 0; i < n; i++) {
        real gap;
        spt_shape shape;
        if (i % 200 == 0) close_worlds(), random_world(60, 100, 5);
        set_form(&b, i % FORMS, uniform(0.2, 4), uniform(0, 100), uniform(0, 100));
        gap = least_gap(&b), shape = shape_of(&b);
        if (fabsl(gap) < 1e-9L) continue;
        there += gap < 0;
        for (k = 0; k < KINDS; k++) {
            spt_layer layer = layer_of(&worlds[k]);
            CHECK(spt_shape_any(&layer, 1, &shape) == (gap < 0));
        }
    }
    CHECK(n < 100 || (there > n / 10 && there < n * 9 / 10));
    close_worlds();
}

/* ---- Slides ---------------------------------------------------------------------------------- */

static void a_slide_never_ends_inside(void)
{
    const int n = test_scale(9000);
    body b;
    real before[MOST], gap;
    spt_i32 id;
    int i, inside = 0, hits = 0;
    b.count = 0;
    for (i = 0; i < n; i++) {
        const double wide = i % 4000 < 2000 ? 100 : 1000, skin = wide / 1000;
        const double speed = i % 8 ? wide / 30 : i % 16 ? wide / 1000 : wide * 10;
        const double dx = i % 9 ? uniform(-speed, speed) : 0,
                     dy = i % 7 ? uniform(-speed, speed) : 0;
        slid s;
        test_context("slide", i);
        if (i % 500 == 0) close_worlds(), random_world(50, wide, wide / 10), b.count = 0;
        if (i % 40 == 0 || b.count == 0 || fabs((double)b.points[0]) > 2 * wide ||
            fabs((double)b.points[1]) > 2 * wide)
            free_body(&b, wide, wide / 25, 0);
        for (id = 0; id < bodies_there; id++) before[id] = gap_of(&b, 0, 0, &bodies[id]);
        s = slide(&b, dx, dy, skin);
        if (i % 5 == 0) slide_alike(&b, dx, dy, skin, &s);
        hits += s.count;
        CHECK(hypot((double)s.x, (double)s.y) <= hypot(dx, dy) + 2 * skin);
        move_body(&b, s.x, s.y);
        for (id = 0; id < bodies_there; id++) {
            if (before[id] < -skin) continue;
            gap = gap_of(&b, 0, 0, &bodies[id]);
            CHECK(gap > -skin * 0.51L);
            inside += gap < -skin / 8;
        }
    }
    CHECK(inside <= n / 1000); /* only where the way out of one leads into another */
    CHECK(hits > n / 8 || n < 1000);
    close_worlds();
}

static void no_speed_leaves_a_closed_room(void)
{
    static const double corners[4][4] = {
        {0, 30, 30, 0}, {70, 0, 100, 40}, {0, 60, 40, 100}, {60, 100, 100, 70}};
    static const double sizes[3] = {1.5, 0.1, 0.004}; /* the last is thinner than the skin */
    const int n = test_scale(6000);
    int form, i, k, size;
    for (form = 0; form < FORMS; form++) {
        for (size = 0; size < 3; size++) {
            body b;
            double vx = 3, vy = 2;
            close_worlds();
            put_box(-0.02, 0, 0, 100), put_box(0, 0, 100, 0); /* one without a height */
            put_box(100, 0, 100, 100), put_box(0, 100, 100, 100.02);
            for (k = 0; k < 4; k++) put_points(corners[k], 2, k == 1 ? 0.01 : 0);
            put_form(DISC, 8, 50, 50), put_form(TURNED, 6, 30, 60);
            open_worlds();
            set_form(&b, form, sizes[size], 50, 30);
            for (i = 0; i < n; i++) {
                double x, y;
                slid s;
                if (test_below(20) == 0) {
                    const double speed = i % 4 == 0 ? 1e5 : i % 3 ? 5 : 300;
                    vx = uniform(-speed, speed), vy = uniform(-speed, speed);
                }
                s = slide(&b, vx, vy, 0.01);
                move_body(&b, s.x, s.y);
                x = (double)b.points[0], y = (double)b.points[1];
                if (!CHECK(x > 0 && y > 0 && x < 100 && y < 100 && x + y > 30 &&
                           x * 4 - y * 3 < 280 && y - x < 60 && x * 3 + y * 4 < 580))
                    return;
            }
        }
    }
    close_worlds();
}

/* A walk along tiles: `up` points from them to the walker. */
static void walk(const body *start, double ux, double uy, double speed, double fall, double rough,
                 int *tilted, int *slow)
{
    body b = *start;
    double low = 1e9, high = -1e9;
    int i, k;
    for (i = 0; i < 400; i++) { /* at first it falls */
        const int lands = i < 60;
        const double along = lands ? 0 : speed, down = lands ? 0.05 : fall;
        const slid s = slide(&b, uy * along - ux * down, -ux * along - uy * down, 0.01);
        const double way = uy * (double)s.x - ux * (double)s.y;
        move_body(&b, s.x, s.y);
        if (lands) continue;
        *slow += way < along * 0.98;
        CHECK(s.count > 0 || rough > 0);
        for (k = 0; k < s.count; k++)
            *tilted += ux * (double)s.hits[k].nx + uy * (double)s.hits[k].ny < 0.99;
        {
            const double height = ux * (double)b.points[0] + uy * (double)b.points[1];
            low = height < low ? height : low, high = height > high ? height : high;
        }
    }
    CHECK(rough > 0 ||
          high - low < 0.002 + 4e-7 * (fabs((double)b.points[0]) + fabs((double)b.points[1])));
}

static void seams_do_not_stop_anything(void)
{
    static const double ways[3][2] = {{0, 1}, {-1, 0}, {0, -1}}; /* a floor, a wall, a ceiling */
    static const double speeds[4] = {0.003, 0.05, 0.4, 2.3};
    int run, tilted = 0, slow = 0, n = test_some(84, 12), rough_runs = 0;
    int rough_slow = 0, rough_tilted = 0;
    for (run = 0; run < n; run++) {
        const double ux = ways[run % 3][0], uy = ways[run % 3][1], speed = speeds[run / 3 % 4];
        const double rough = run % 2 ? 0.0005 : 0, tile = run % 5 ? uniform(0.3, 2) : 1;
        const double at = run % 4 ? uniform(-900, 900) : 0;
        const int form = run % FORMS, tiles = (int)(340 * speed / tile) + 12;
        body b;
        double first = -4 * tile - 2;
        int i;
        test_context("walk", run);
        close_worlds();
        for (i = 0; i < tiles && i < MOST; i++, first += tile) {
            /* Along x or, for the wall, y. */
            const double from = at + first, to = at + first + tile, e = uniform(-rough, rough);
            if (uy > 0)
                put_box(from, -tile, to, e);
            else if (uy < 0)
                put_box(at - first - tile, e, at - first, tile);
            else
                put_box(at + e, first, at + tile, first + tile);
        }
        open_worlds();
        if (uy > 0 || uy < 0)
            set_form(&b, form, 0.45, at, uy * 1.5);
        else
            set_form(&b, form, 0.45, at - 1.5, 0);
        walk(&b, ux, uy, speed, 0.013, rough, rough > 0 ? &rough_tilted : &tilted,
             rough > 0 ? &rough_slow : &slow);
        rough_runs += rough > 0;
    }
    CHECK(tilted == 0 && slow == 0);
    /* Where tiles are even to a tenth of skin, a corner may still be a small bump. */
    CHECK(rough_slow <= rough_runs * 340 / 50 && rough_tilted <= rough_runs * 340 / 50);
    close_worlds();
}

/* Pushes a body for many frames. Then it must stay where it is. */
static void rests(body *b, double dx, double dy, int frames)
{
    double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
    int i, k;
    for (i = 0; i < frames; i++) {
        const slid s = slide(b, dx, dy, 0.01);
        move_body(b, s.x, s.y);
        for (k = 0; k < 2 && i >= frames - 100; k++) {
            const double at = (double)b->points[k];
            low[k] = at < low[k] ? at : low[k], high[k] = at > high[k] ? at : high[k];
        }
    }
    CHECK(high[0] - low[0] <= 0.00125 && high[1] - low[1] <= 0.00125);
    CHECK(least_gap(b) > -0.0051L);
}

static void nothing_trembles_in_a_tight_place(void)
{
    const int n = test_some(56, 7);
    int run;
    for (run = 0; run < n; run++) {
        const double at = run % 3 ? uniform(-400, 400) : 0, push = uniform(0.02, 0.3);
        const double angle = run % 4 == 0 ? uniform(0.5, 9) : uniform(10, 150), depth = 40;
        const double half = depth * tan(angle * 3.14159265 / 360);
        body b;
        double left[6], right[6];
        test_context("tight place", run);
        close_worlds(); /* a V, from half a degree on */
        left[0] = at, left[1] = 0, left[2] = at - half, left[3] = depth, left[4] = at - half - 9,
        left[5] = 0;
        right[0] = at, right[1] = 0, right[2] = at + half, right[3] = depth;
        right[4] = at + half + 9, right[5] = 0;
        put_points(left, 3, 0), put_points(right, 3, 0);
        open_worlds();
        set_form(&b, run % FORMS, half < 2 ? half / 4 : 0.5, at, depth - 1);
        rests(&b, run % 2 ? 0 : push / 8, -push, (int)(300 / push));
        close_worlds(); /* between two discs */
        put_form(DISC, 2, at - 2.1, 0), put_form(DISC, 2, at + 2.1, 0);
        open_worlds();
        set_form(&b, run % FORMS, 0.5, at + 0.05, 4);
        rests(&b, 0, -push, (int)(20 / push) + 200);
        close_worlds(); /* a slope, a floor and a wall */
        left[0] = at - 10, left[1] = -3, left[2] = at + 10, left[3] = 1, left[4] = at + 10,
        left[5] = -9;
        put_points(left, 3, 0), put_box(at + 3, -9, at + 5, 20), put_box(at - 9, -5, at + 9, -1.5);
        open_worlds();
        set_form(&b, run % FORMS, 0.5, at, 3);
        rests(&b, push, -push, (int)(20 / push) + 200);
    }
    close_worlds();
}

static void a_shaft_as_wide_as_a_box_lets_it_in(void)
{
    int run, k, n = test_some(24, 4);
    for (run = 0; run < n; run++) {
        const double at = run % 4 * 64;             /* where halves are exact */
        const double narrow = run % 2 ? 0 : -0.002; /* or wider by it */
        body b;
        close_worlds();
        for (k = 0; k <= 40; k++) {
            put_box(at - 2, -k, at - 0.5 + narrow, 1 - k);
            put_box(at + 0.5 - narrow, -k, at + 2, 1 - k);
        }
        put_box(at - 2, -41, at + 2, -40);
        open_worlds();
        set_corners(&b, at - 0.5, 3, at + 0.5, 4);
        for (k = 0; k < 250; k++) {
            const double sway = b.points[1] > 0 ? 0 : k & 4 ? 0.03 : -0.03;
            const slid s = slide(&b, sway, -0.3, 0.01);
            move_body(&b, s.x, s.y);
        }
        CHECK(b.points[1] < (spt_coord)-38.9 && least_gap(&b) > -0.0051L);
        rests(&b, 0.1, -0.3, 300);
    }
    close_worlds();
}

/* Bodies as engines keep them, by a centre or a corner; the shape is made anew in each frame. */
static void bodies_kept_by_their_centre_stay_on_the_floor(void)
{
    const int n = test_scale(6000);
    int i, frame, form;
    double t = 0;
    for (i = -2; i < 400 && i < MOST - 2; i++, t += 0.7)
        put_box(t, -1, t + 0.7, i % 3 ? 0 : -0.0001);
    open_worlds();
    for (i = 0; i < n; i++) {
        const double w = uniform(0.05, 0.6), h = uniform(0.05, 0.6), skin = 0.002;
        spt_coord x = (spt_coord)uniform(10, 250), y = (spt_coord)(0.3 + h);
        const spt_coord hw = (spt_coord)w, hh = (spt_coord)h, v = (spt_coord)uniform(-0.1, 0.1);
        double moved = 0;
        form = i % 3; /* centre; min and half; x, y, width, height */
        for (frame = 0; frame < 60; frame++) {
            body b;
            slid s;
            const spt_coord left = form == 0 ? x - hw : x, low = form == 0 ? y - hh : y;
            memset(&b, 0, sizeof b);
            set_corners(&b, (double)left, (double)low, (double)(left + 2 * hw),
                        (double)(low + 2 * hh));
            if (form == 0)
                set_corners(&b, (double)(x - hw), (double)(y - hh), (double)(x + hw),
                            (double)(y + hh));
            s = slide(&b, (double)v, -0.03, skin);
            x += s.x, y += s.y;
            if (frame >= 20) moved += (double)s.x;
            CHECK((form == 0 ? y - hh : y) > (spt_coord)-0.0005);
        }
        CHECK(fabs(moved - 40 * (double)v) < 0.001 + fabs((double)v)); /* no seam held it */
    }
    close_worlds();
}

static void deep_overlaps_do_not_hold_and_small_ones_push_out(void)
{
    body b;
    slid s;
    put_box(0, -1, 9, 0);
    open_worlds();
    set_corners(&b, 2, -0.3, 3, 1); /* deeper than skin */
    s = slide(&b, 0.5, -5, 0.1);
    CHECK(s.count == 0 && s.x >= (spt_coord)0.5 && s.y <= -5);
    set_corners(&b, 2, -0.08, 3, 1);
    s = slide(&b, 0.5, -5, 0.1);
    CHECK(s.count == 1 && s.x > (spt_coord)0.49 && s.y > (spt_coord)0.08 && s.y < (spt_coord)0.11);
    s = slide(&b, 0, 0, 0.1); /* a lift came up */
    CHECK(s.count == 1 && s.y > (spt_coord)0.08 && s.y < (spt_coord)0.11);
    set_corners(&b, 2, -3, 3, -2); /* it jumps through a platform from below, and stands on it */
    s = slide(&b, 0, 2.5, 0.1);
    CHECK(s.count == 1 && s.y < 1 && s.y > (spt_coord)0.9); /* which holds it, as it was outside */
    close_worlds();
}

/* The plane of a floor that it nearly touches is far ahead; the wall before it stops the shape. */
static void a_floor_does_not_hide_a_wall(void)
{
    body b;
    int i;
    put_box(-1000, -1, 1000, 0), put_box(5, 0, 5.1, 9);
    open_worlds();
    for (i = 0; i < 2000; i++) {
        const double above = 1 + 0.01 * i / 2000;
        slid s;
        set_form(&b, DISC, 1, 0, above);
        s = slide(&b, 100, -0.00001 * (i % 200), 0.01);
        CHECK(s.x < 4 && s.x > (spt_coord)3.9);
    }
    close_worlds();
}

/* A point, or a line, among elements that overlap so much that they leave it no place. */
static void what_is_squeezed_passes_nothing(void)
{
    body b;
    int i;
    put_box(-9, -9, 9, 0), put_box(-9, -0.004, 9, 9), put_box(3, -9, 4, 9);
    open_worlds();
    for (i = 0; i < 100; i++) {
        slid s;
        memset(&b, 0, sizeof b);
        add_point(&b, 0, -0.002);
        if (i % 2) add_point(&b, 0.5, -0.002);
        s = slide(&b, 20, uniform(-0.1, 0.1), 0.01);
        CHECK(s.x < (spt_coord)3.0051);
    }
    close_worlds();
}

static void after_many_meetings_the_way_goes_on(void)
{
    body b;
    slid s;
    int i;
    for (i = 0; i < 10; i++) { /* a bent way up: each slope is less steep than the one before */
        const double a0 = (85 - 9 * i) * 0.0174533, x = i == 0 ? 5 : 0;
        double points[6];
        static double px, py;
        if (i == 0) px = x, py = 0;
        points[0] = px, points[1] = py;
        px += 2 * cos(a0), py += 2 * sin(a0);
        points[2] = px, points[3] = py, points[4] = px + 9, points[5] = py - 9;
        put_points(points, 3, 0);
    }
    open_worlds();
    set_form(&b, DISC, 0.3, 4, 0.5);
    s = slide(&b, 40, 60, 0.01);
    CHECK(s.count >= 1 && s.count <= SPT_SHAPE_HITS);
    move_body(&b, s.x, s.y);
    CHECK(least_gap(&b) > 0);
    close_worlds();
    for (i = 0; i < 10; i++) { /* a bowl: each side turns the way a little more */
        const double a0 = (-85 + 17 * i) * 0.0174533;
        double points[4];
        static double px, py;
        if (i == 0) px = 0, py = 20;
        points[0] = px, points[1] = py;
        px += 3 * cos(a0), py += 3 * sin(a0);
        points[2] = px, points[3] = py;
        put_points(points, 2, 0);
    }
    open_worlds();
    set_form(&b, DISC, 0.3, 1, 18);
    for (i = 0; i < 60; i++) {
        s = slide(&b, 30, -1, 0.01); /* pressed along the bowl, through many corners a frame */
        move_body(&b, s.x, s.y);
        CHECK(least_gap(&b) > -0.0051L && s.count <= SPT_SHAPE_HITS);
    }
    close_worlds();
}

/* From below along a round wall of many sides to where it is nearest to the goal. The first slide
   ends before, at the sixteenth side, and tells the first hits. */
static void a_round_wall_is_followed(void)
{
    const double turn = 6.2831853 / 120;
    spt_shape shape;
    spt_layer layer;
    spt_coord x = 0, y = 0;
    body b;
    slid s;
    int i;
    for (i = 0; i < 120; i++) {
        double points[4];
        points[0] = 20 * cos(turn * i), points[1] = 20 * sin(turn * i);
        points[2] = 20 * cos(turn * (i + 1)), points[3] = 20 * sin(turn * (i + 1));
        put_points(points, 2, 0);
    }
    open_worlds();
    set_form(&b, DISC, 0.5, 0, -19.4);
    for (i = 0; i < 6; i++) {
        const double to_x = 600 - (double)b.points[0], to_y = -(double)b.points[1];
        s = slide(&b, to_x, to_y, 0.01);
        slide_alike(&b, to_x, to_y, 0.01, &s);
        CHECK(i > 0 || s.count == SPT_SHAPE_HITS);
        layer = layer_of(&worlds[0]), shape = shape_of(&b);
        CHECK(spt_shape_slide(&layer, 1, &shape, (spt_coord)to_x, (spt_coord)to_y, (spt_coord)0.01,
                              &x, &y, NULL) == s.count);
        CHECK(!(x < s.x) && !(x > s.x) && !(y < s.y) && !(y > s.y));
        move_body(&b, s.x, s.y);
        CHECK(least_gap(&b) > -0.0051L);
    }
    CHECK(fabs((double)b.points[0] - 19.5) < 0.05 && fabs((double)b.points[1]) < 0.6);
    close_worlds();
}

/* The lower id is told, although the box of the other one is met before. */
static void of_equal_shapes_the_lower_id_is_told(void)
{
    static const double points[6] = {5, 0, 9, -4, 9, 4};
    spt_shape_hit hit;
    spt_shape shape;
    spt_layer layers[2];
    spt_index x;
    body b;
    int k;
    put_points(points, 3, 0), put_points(points, 3, 0);
    open_worlds();
    for (k = 0; k < 2; k++) {
        spt_box boxes_of[2];
        boxes_of[0] = boxes_of[1] = boxes[0];
        boxes_of[k].min_x -= 2;
        CHECK(spt_quadtree_init(&x, NULL) == SPT_OK && spt_build(&x, boxes_of, 2) == SPT_OK);
        layers[0] = layers[1] = layer_of(&x);
        set_form(&b, DISC, 1, 0, 0);
        shape = shape_of(&b);
        CHECK(spt_shape_cast(layers, 2, &shape, 9, 0, 0, &hit) == 1);
        CHECK(hit.id == 0 && hit.layer == 0);
        spt_free(&x);
    }
    close_worlds();
}

static void odd_polygons_are_what_their_hull_is(void)
{
    static const double line[8] = {0, 0, 2, 0, 4, 0, 2, 0}; /* out and back */
    static const double twice[12] = {0, 2, 0, 2, 4, 2,
                                     4, 4, 4, 4, 0, 4};              /* corners that coincide */
    static const double flat[10] = {6, 0, 8, 0, 10, 0, 10, 3, 6, 3}; /* three on a line */
    static const double point[4] = {12, 1, 12, 1};
    body plain[4], b;
    int i, k, n = test_scale(2000);
    put_points(line, 4, 0), put_points(twice, 6, 0), put_points(flat, 5, 0),
        put_points(point, 2, 0.5);
    open_worlds();
    memset(plain, 0, sizeof plain);
    add_point(&plain[0], 0, 0), add_point(&plain[0], 4, 0);
    set_corners(&plain[1], 0, 2, 4, 4), set_corners(&plain[2], 6, 0, 10, 3);
    add_point(&plain[3], 12, 1), plain[3].radius = (spt_coord)0.5;
    for (i = 0; i < n; i++) {
        spt_shape shape;
        spt_shape_hit hit;
        spt_layer layer = layer_of(&worlds[0]);
        const spt_coord dx = (spt_coord)uniform(-9, 9), dy = (spt_coord)uniform(-9, 9);
        real first = 2;
        int met;
        set_form(&b, i % FORMS, uniform(0.1, 0.8), uniform(-2, 14), uniform(-2, 6));
        if (least_gap(&b) < 0.01L) continue;
        shape = shape_of(&b);
        met = spt_shape_cast(&layer, 1, &shape, dx, dy, 0, &hit);
        for (k = 0; k < 4; k++) {
            const real t = traced(&b, dx, dy, &plain[k]);
            if (t < first) first = t;
        }
        CHECK(met == (first <= 1) || first > 0.9999L);
        CHECK(!met || fabsl(hit.t - first) < 1e-4L || first > 1);
        { /* A slide neither passes the line nor sticks in it. */
            const slid s = slide(&b, (double)dx, (double)dy, 0.01);
            move_body(&b, s.x, s.y);
            CHECK(least_gap(&b) > -0.0051L);
        }
    }
    /* As the shape that moves, too. */
    for (i = 0; i < n; i++) {
        const double dx = uniform(-4, 4), dy = uniform(-4, 4), x = uniform(-9, 9);
        body odd = bodies[i % 4], same = plain[i % 4];
        spt_shape first, second;
        spt_shape_hit a = {0, 0, 0, 0, 0}, c = a;
        spt_layer layer = layer_of(&worlds[0]);
        int met;
        move_body(&odd, (spt_coord)x, 6), move_body(&same, (spt_coord)x, 6);
        first = shape_of(&odd), second = shape_of(&same);
        met = spt_shape_cast(&layer, 1, &first, (spt_coord)dx, (spt_coord)dy, 0, &a);
        CHECK(spt_shape_cast(&layer, 1, &second, (spt_coord)dx, (spt_coord)dy, 0, &c) == met);
        CHECK(!met || (a.id == c.id && fabs((double)a.t - (double)c.t) < 1e-5));
    }
    close_worlds();
}

static void endless_boxes_are_walls(void)
{
    const double far = HUGE_VAL;
    spt_layer layer;
    body b;
    slid s;
    int i, k;
    spt_index x;
    spt_box half[3];
    half[0].min_x = (spt_coord)-far, half[0].min_y = (spt_coord)-far;
    half[0].max_x = (spt_coord)far, half[0].max_y = 0;
    half[1].min_x = 10, half[1].min_y = (spt_coord)-far;
    half[1].max_x = (spt_coord)far, half[1].max_y = (spt_coord)far;
    half[2].min_x = (spt_coord)-1e30, half[2].min_y = 20, half[2].max_x = (spt_coord)1e30,
    half[2].max_y = 21;
    CHECK(spt_linear_init(&x, NULL) == SPT_OK);
    for (k = 0; k < 3; k++) CHECK(spt_insert(&x, k, &half[k]) == SPT_OK);
    memset(&layer, 0, sizeof layer);
    layer.index = &x;
    for (i = 0; i < FORMS; i++) {
        set_form(&b, i, 1, 0, 5);
        for (k = 0; k < 30; k++) {
            s = slide_in(&layer, 1, &b, k < 10 ? 3 : 50, k < 20 ? -4 : 90, 0.01);
            move_body(&b, s.x, s.y);
        }
        CHECK(b.points[0] < 10 && b.points[1] < 20 && b.points[1] > 17);
    }
    spt_free(&x);
}

/* The elements in several layers, some with a filter and without shapes. */
static void layers_and_filters_select(void)
{
    const int n = test_scale(600);
    spt_index parts[2];
    static spt_u32 categories[MOST];
    spt_filter odd = {0}, even = {0};
    int i, k;
    for (i = 0; i < n; i++) {
        spt_layer one[1], two[2], boxed[1];
        body b;
        spt_i32 id;
        slid s, t;
        double dx = uniform(-20, 20), dy = uniform(-20, 20);
        if (i % 50 == 0) {
            if (i) spt_free(&parts[0]), spt_free(&parts[1]);
            close_worlds(), random_world(60, 100, 6);
            CHECK(spt_quadtree_init(&parts[0], NULL) == SPT_OK &&
                  spt_linear_init(&parts[1], NULL) == SPT_OK);
            for (id = 0; id < bodies_there; id++) {
                categories[id] = id % 2 ? 2 : 1;
                CHECK(spt_insert(&parts[id % 2], id, &boxes[id]) == SPT_OK);
            }
        }
        free_body(&b, 100, 3, 0.05);
        odd.categories = even.categories = categories, odd.mask = 2, even.mask = 1;
        one[0] = layer_of(&worlds[3]);
        s = slide_in(one, 1, &b, dx, dy, 0.02);
        two[0] = layer_of(&parts[0]), two[1] = layer_of(&parts[1]);
        t = slide_in(two, 2, &b, dx, dy, 0.02);
        CHECK(t.count == s.count && fabs((double)(t.x - s.x)) < 1e-3 &&
              fabs((double)(t.y - s.y)) < 1e-3);
        for (k = 0; k < t.count; k++) CHECK(t.hits[k].layer == t.hits[k].id % 2);
        two[0] = layer_of(&worlds[1]), two[1] = layer_of(&worlds[4]);
        two[0].filter = &even, two[1].filter = &odd;
        t = slide_in(two, 2, &b, dx, dy, 0.02);
        CHECK(t.count == s.count && fabs((double)(t.x - s.x)) < 1e-3 &&
              fabs((double)(t.y - s.y)) < 1e-3);
        one[0].filter = &odd;
        t = slide_in(one, 1, &b, dx, dy, 0.02);
        for (k = 0; k < t.count; k++) CHECK(t.hits[k].id % 2 == 1);
        /* Without a callback all are boxes; and the movers of boxes never call it. */
        boxed[0] = layer_of(&worlds[0]), boxed[0].shape = NULL;
        t = slide_in(boxed, 1, &b, dx, dy, 0.02);
        move_body(&b, t.x, t.y);
        for (id = 0; id < bodies_there; id++) {
            body corners;
            set_corners(&corners, (double)boxes[id].min_x, (double)boxes[id].min_y,
                        (double)boxes[id].max_x, (double)boxes[id].max_y);
            CHECK(gap_of(&b, -t.x, -t.y, &corners) < -0.02L ||
                  gap_of(&b, 0, 0, &corners) > -0.0102L);
        }
    }
    spt_free(&parts[0]), spt_free(&parts[1]);
    close_worlds();
}

static int must_not_be_asked(void *ctx, spt_i32 id, spt_shape *out) SPT_CALLBACK
{
    (void)ctx, (void)out;
    CHECK(id == SPT_NONE);
    return 0;
}

static void movers_of_boxes_ask_for_no_shapes(void)
{
    spt_layer asked, plain;
    spt_motion motion;
    spt_box first, second;
    spt_hit hit, other;
    int i;
    random_world(60, 100, 6);
    asked = layer_of(&worlds[0]), plain = asked;
    asked.shape = must_not_be_asked, plain.shape = NULL;
    for (i = 0; i < test_scale(500); i++) {
        spt_box_around((spt_coord)uniform(0, 100), (spt_coord)uniform(0, 100), 1, 1, &motion.box);
        motion.dx = (spt_coord)uniform(-20, 20), motion.dy = (spt_coord)uniform(-20, 20);
        motion.enter = i % 2;
        CHECK(spt_slide(&asked, 1, &motion, &first, NULL) ==
              spt_slide(&plain, 1, &motion, &second, NULL));
        CHECK(same_box(&first, &second));
        CHECK(spt_cast_among(&asked, 1, &motion, &hit) ==
              spt_cast_among(&plain, 1, &motion, &other));
        CHECK(spt_any_among(&asked, 1, &motion.box) == spt_any_among(&plain, 1, &motion.box));
    }
    close_worlds();
}

static void refused(const spt_layer *layers, int count, const spt_shape *shape, double dx,
                    double skin, int error)
{
    spt_shape_hit hit, before;
    spt_coord x = 7, y = 8;
    memset(&before, 1, sizeof before);
    hit = before;
    CHECK(spt_shape_cast(layers, count, shape, (spt_coord)dx, 0, (spt_coord)skin, &hit) == error);
    CHECK(spt_shape_slide(layers, count, shape, (spt_coord)dx, 0, (spt_coord)skin, &x, &y, &hit) ==
          error);
    CHECK(memcmp(&hit, &before, sizeof hit) == 0 && x >= 7 && x <= 7 && y >= 8 && y <= 8);
}

static void bad_arguments_are_refused(void)
{
    const double none = HUGE_VAL - HUGE_VAL, most = sizeof(spt_coord) > 4 ? 1e70 : 1e8;
    spt_layer layer, two[2];
    spt_shape good, bad;
    spt_filter wrong = {0};
    spt_box box;
    spt_coord x, y;
    spt_index closed;
    body b;
    put_box(0, 0, 1, 1);
    open_worlds();
    memset(&closed, 0, sizeof closed);
    layer = layer_of(&worlds[0]), set_form(&b, TRIANGLE, 1, 5, 5), good = shape_of(&b);
    refused(&layer, -1, &good, 1, 0.1, SPT_ERR_ARGUMENT);
    refused(NULL, 1, &good, 1, 0.1, SPT_ERR_ARGUMENT);
    two[0] = layer, two[1] = layer_of(NULL);
    refused(two, 2, &good, 1, 0.1, SPT_ERR_ARGUMENT);
    two[1].index = &closed;
    refused(two, 2, &good, 1, 0.1, SPT_ERR_INIT);
    wrong.mask = 1, two[1] = layer, two[1].filter = &wrong;
    refused(two, 2, &good, 1, 0.1, SPT_ERR_FILTER);
    refused(&layer, 1, &good, 1, -0.1, SPT_ERR_ARGUMENT);
    refused(&layer, 1, &good, 1, none, SPT_ERR_ARGUMENT);
    refused(&layer, 1, &good, 1, HUGE_VAL, SPT_ERR_ARGUMENT);
    refused(&layer, 1, &good, 1, most / 63.5, SPT_ERR_ARGUMENT);
    CHECK(spt_shape_cast(&layer, 1, &good, 1, 0, (spt_coord)(most / 64), NULL) >= 0);
    refused(&layer, 1, &good, none, 0.1, SPT_ERR_ARGUMENT);
    refused(&layer, 1, &good, HUGE_VAL, 0.1, SPT_ERR_ARGUMENT);
    refused(&layer, 1, &good, 2 * most, 0.1, SPT_ERR_ARGUMENT);
    bad = good, bad.count = 0;
    refused(&layer, 1, &bad, 1, 0.1, SPT_ERR_ARGUMENT);
    CHECK(spt_shape_any(&layer, 1, &bad) == SPT_ERR_ARGUMENT);
    CHECK(spt_shape_box(&bad, &box) == SPT_ERR_ARGUMENT);
    bad = good, bad.points = NULL;
    refused(&layer, 1, &bad, 1, 0.1, SPT_ERR_ARGUMENT);
    bad = good, bad.radius = -1;
    refused(&layer, 1, &bad, 1, 0.1, SPT_ERR_ARGUMENT);
    b.points[3] = (spt_coord)none;
    refused(&layer, 1, &good, 1, 0.1, SPT_ERR_ARGUMENT);
    CHECK(spt_shape_box(&good, &box) == SPT_ERR_ARGUMENT);
    b.points[3] = 5;
    /* A cast may have no skin; a slide must. */
    CHECK(spt_shape_cast(&layer, 1, &good, 1, 0, 0, NULL) == 0);
    CHECK(spt_shape_slide(&layer, 1, &good, 1, 0, 0, &x, &y, NULL) == SPT_ERR_ARGUMENT);
    CHECK(spt_shape_slide(NULL, 0, &good, 1, 0, (spt_coord)0.1, &x, &y, NULL) == 0 && x >= 1 &&
          x <= 1);
    close_worlds();
}

static const test_case tests[] = {
    TEST(a_cast_finds_what_small_steps_find),
    TEST(a_ray_sees_past_discs),
    TEST(overlaps_up_to_the_skin_are_met),
    TEST(the_examples_of_the_manual_hold),
    TEST(any_tells_what_the_gaps_tell),
    TEST(a_slide_never_ends_inside),
    TEST(no_speed_leaves_a_closed_room),
    TEST(seams_do_not_stop_anything),
    TEST(nothing_trembles_in_a_tight_place),
    TEST(a_shaft_as_wide_as_a_box_lets_it_in),
    TEST(bodies_kept_by_their_centre_stay_on_the_floor),
    TEST(deep_overlaps_do_not_hold_and_small_ones_push_out),
    TEST(a_floor_does_not_hide_a_wall),
    TEST(what_is_squeezed_passes_nothing),
    TEST(after_many_meetings_the_way_goes_on),
    TEST(a_round_wall_is_followed),
    TEST(of_equal_shapes_the_lower_id_is_told),
    TEST(odd_polygons_are_what_their_hull_is),
    TEST(endless_boxes_are_walls),
    TEST(layers_and_filters_select),
    TEST(movers_of_boxes_ask_for_no_shapes),
    TEST(bad_arguments_are_refused),
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
