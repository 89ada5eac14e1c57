/* test_neighbours.c - points within a radius of each other, compared with all against all. */
static double work; /* points tested, the same on every machine */
#define SPTI_COUNT(n) (work += (double)(n))

#define SPATIAL_NO_LINEAR /* what is not tested here is not compiled */
#define SPATIAL_NO_QUADTREE
#define SPATIAL_NO_LOOSEGRID
#define SPATIAL_NO_PACKED
#define SPATIAL_NO_BROADPHASE
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "test.h"

#include <float.h>
#include <math.h>

enum { MOST = 3000, FIELDS = 4 };

#ifdef SPATIAL_INT
#define LARGEST ((spt_coord)2147483647L)
#define HUGE_RADIUS LARGEST
#elif defined(SPATIAL_DOUBLE)
#define LARGEST DBL_MAX
#define HUGE_RADIUS DBL_MAX
#else
#define LARGEST FLT_MAX
#define HUGE_RADIUS FLT_MAX
#endif

/* Points as fields of something larger; a stride of 1 to FIELDS pairs of coordinates. */
static spt_coord field[MOST * FIELDS * 2];
static size_t stride = 2; /* coordinates */
static int count;         /* of points */
static spt_coord radius;
static spt_coord period_x, period_y; /* 0: the axis does not wrap around */

static spt_coord *point(int i)
{
    return &field[(size_t)i * stride];
}

static void put(int i, spt_coord x, spt_coord y)
{
    point(i)[0] = x, point(i)[1] = y;
}

/* ---- What is expected ------------------------------------------------------------------------ */

#ifdef SPATIAL_INT
static uint64_t span(spt_coord a, spt_coord b, spt_coord period)
{
    const uint64_t d = (uint64_t)(a > b ? (int64_t)a - b : (int64_t)b - a);
    return period > 0 && (uint64_t)period - d < d ? (uint64_t)period - d : d;
}
#else
static double volatile stored; /* also where the processor has more digits than double */

static spt_coord span(spt_coord a, spt_coord b, spt_coord period)
{
    spt_coord volatile d = a > b ? a - b : b - a, other = period - d;
    return period > 0 && other < d ? other : d;
}
#endif

static int neighbours(int a, int b)
{
#ifdef SPATIAL_INT
    uint64_t x = span(point(a)[0], point(b)[0], period_x);
    uint64_t y = span(point(a)[1], point(b)[1], period_y), r = (uint64_t)radius;
    return x <= r && y <= r && x * x + y * y <= r * r;
#else
    spt_coord x = span(point(a)[0], point(b)[0], period_x);
    spt_coord y = span(point(a)[1], point(b)[1], period_y), r = radius;
    double p, q;
    stored = (double)x * (double)x, p = stored;
    stored = (double)y * (double)y, stored = p + stored, p = stored;
    stored = (double)r * (double)r, q = stored;
#ifdef SPATIAL_DOUBLE
    if (p < DBL_MIN && (x != 0 || y != 0)) p = DBL_MIN;
    if (q < DBL_MIN && r != 0) q = DBL_MIN;
#endif
    return p <= q;
#endif
}

/* ---- Comparing ------------------------------------------------------------------------------- */

typedef struct found {
    spt_neighbours nb;
    spt_intlist rows, ids, pairs;
    test_memory memory;
} found;

static void open_found(found *f, spt_i32 capacity, long fail_at)
{
    spt_neighbours_desc desc;
    desc.capacity = capacity;
    desc.period_x = period_x, desc.period_y = period_y;
    test_memory_open(&f->memory, &desc.allocator);
    f->memory.fail_at = fail_at;
    while (spt_neighbours_init(&f->nb, &desc) != SPT_OK) {
        CHECK(f->memory.failures == 1 && f->memory.bytes == 0);
        if (f->memory.failures != 1) exit(1);
    }
    CHECK(spt_neighbours_bytes_for(&desc) == spt_neighbours_bytes(&f->nb));
    CHECK(f->memory.bytes == spt_neighbours_bytes(&f->nb));
    CHECK(spt_intlist_init_with(&f->rows, 2, &desc.allocator) == SPT_OK);
    CHECK(spt_intlist_init_with(&f->ids, 1, &desc.allocator) == SPT_OK);
    CHECK(spt_intlist_init_with(&f->pairs, 2, &desc.allocator) == SPT_OK);
}

static void close_found(found *f)
{
    spt_intlist_free(&f->rows), spt_intlist_free(&f->ids), spt_intlist_free(&f->pairs);
    spt_neighbours_free(&f->nb);
    CHECK(spt_neighbours_bytes(&f->nb) == 0 && f->memory.bytes == 0);
}

static spt_i32 find(found *f)
{
    return spt_neighbours_find(&f->nb, field, field + 1, stride * sizeof(spt_coord), count, radius,
                               &f->rows, &f->ids);
}

static spt_i32 find_pairs(found *f)
{
    return spt_neighbours_pairs(&f->nb, field, field + 1, stride * sizeof(spt_coord), count, radius,
                                &f->pairs);
}

static spt_i32 count_pairs(found *f)
{
    return spt_neighbours_pairs(&f->nb, field, field + 1, stride * sizeof(spt_coord), count, radius,
                                NULL);
}

static char is_neighbour[MOST];

/* The row of a point has all that are marked, each once. */
static int row_is_right(const found *f, int i, int expected)
{
    const spt_i32 first = spt_intlist_get(&f->rows, i, 0), n = spt_intlist_get(&f->rows, i, 1);
    const spt_i32 *ids = spt_intlist_data(&f->ids) + first;
    int k, right = n == expected && first >= 0 && first + n <= spt_intlist_count(&f->ids);
    for (k = 0; k < n && right; k++) {
        right = ids[k] >= 0 && ids[k] < count && is_neighbour[ids[k]] == 1;
        if (right) is_neighbour[ids[k]] = 2;
    }
    return right;
}

/* Without a list the numbers are the same, and so are the rows. */
static void compare_counts(found *f, spt_i32 n)
{
    const size_t bytes = stride * sizeof(spt_coord), rows = 8 * (size_t)count;
    const uint32_t hash = test_hash(0, spt_intlist_data(&f->rows), rows);
    CHECK(spt_neighbours_find(&f->nb, field, field + 1, bytes, count, radius, &f->rows, NULL) == n);
    CHECK(test_hash(0, spt_intlist_data(&f->rows), rows) == hash);
    CHECK(spt_neighbours_pairs(&f->nb, field, field + 1, bytes, count, radius, NULL) ==
          spt_intlist_count(&f->pairs));
}

static void compare(found *f)
{
    const spt_i32 n = find(f);
    long all = 0;
    int i, k, expected, right = 1;
    CHECK(n == spt_intlist_count(&f->ids));
    if (!CHECK(spt_intlist_count(&f->rows) == count)) return;
    for (i = 0; i < count && right; i++) {
        for (k = 0, expected = 0; k < count; k++) {
            is_neighbour[k] = (char)(k != i && neighbours(i, k));
            expected += is_neighbour[k];
        }
        right = row_is_right(f, i, expected);
        all += expected;
    }
    CHECK(right);
    CHECK(!right || n == all);
    CHECK(find_pairs(f) == spt_intlist_count(&f->pairs));
    CHECK(!right || 2 * (long)spt_intlist_count(&f->pairs) == all);
    for (i = 0, right = 1; i < spt_intlist_count(&f->pairs) && right; i++) {
        const spt_i32 a = spt_intlist_get(&f->pairs, i, 0), b = spt_intlist_get(&f->pairs, i, 1);
        right = a >= 0 && a < b && b < count && neighbours(a, b);
    }
    CHECK(right);
    compare_counts(f, n);
}

static void compare_all(void)
{
    found f;
    open_found(&f, 0, 0);
    compare(&f);
    close_found(&f);
}

/* ---- Points ---------------------------------------------------------------------------------- */

static spt_coord random_coord(int below)
{
#ifdef SPATIAL_INT
    return (spt_coord)test_below(below * 64);
#else
    return (spt_coord)test_below(below * 64) / 64 + (spt_coord)test_below(64) / 8192;
#endif
}

/* Coordinates in which 1 is as SCALE integers. */
#ifdef SPATIAL_INT
#define AT(x) ((spt_coord)((x) * 64))
#else
#define AT(x) ((spt_coord)(x))
#endif

static void set_size(int n, int step)
{
    count = n;
    stride = (size_t)step;
}

static void points_anywhere(void)
{
    static const int counts[] = {0, 1, 2, 3, 7, 8, 9, 50, 300, 900};
    int round, i, world;
    for (round = 0; round < test_scale(80); round++) {
        test_context("round", round);
        set_size(counts[test_below(TEST_COUNT(counts))], 2 + test_below(3 * FIELDS / 2));
        world = 1 + test_below(60);
        for (i = 0; i < count; i++) put(i, random_coord(world) - AT(20), random_coord(world));
        radius = random_coord(1 + test_below(12)) / (spt_coord)(1 + test_below(4));
        compare_all();
    }
}

static void points_in_clusters_and_lines(void)
{
    int round, i;
    for (round = 0; round < test_scale(40); round++) {
        const int vertical = test_below(2), line = test_below(2);
        test_context("round", round);
        set_size(600, 2);
        for (i = 0; i < count; i++) {
            const spt_coord along = random_coord(500), across = line ? 0 : random_coord(2);
            const spt_coord at = line ? along : AT(50 * (i % 5)) + random_coord(2);
            put(i, vertical ? across : at, vertical ? at : across);
        }
        radius = random_coord(2);
        compare_all();
    }
}

static void points_on_one_spot(void)
{
    int i;
    set_size(test_some(1500, 400), 2);
    for (i = 0; i < count; i++) put(i, AT(3), AT(-4));
    for (radius = 0; radius < AT(2); radius += AT(1)) compare_all();
    for (i = 0; i < count; i += 2) put(i, AT(3) + AT(i % 3), AT(-4));
    radius = AT(1);
    compare_all();
}

/* On a grid many are exactly at the radius: 5 = |(3,4)|, 25 = |(7,24)|. */
static void points_exactly_at_the_radius(void)
{
    static const int radii[] = {1, 5, 25, 0};
    const int side = test_some(30, 26);
    size_t r;
    int i;
    set_size(side * side, 2);
    for (i = 0; i < count; i++) put(i, AT(i % side), AT(i / side));
    for (r = 0; r < sizeof radii / sizeof *radii; r++) {
        radius = AT(radii[r]);
        compare_all();
    }
#ifndef SPATIAL_INT
    for (i = 0; i < count; i++) put(i, (spt_coord)(i % side) / 10, (spt_coord)(i / side) / 10);
    for (i = 1; i < 9; i += test_some(1, 3)) {
        radius = (spt_coord)i / 10;
        compare_all();
    }
#endif
}

#ifndef SPATIAL_INT
/* One point is half the radius away, one the radius, less or more by up to a hundred thousandth. */
static void points_just_within_and_just_beyond_the_radius(void)
{
    int i;
    set_size(3, 2);
    put(0, 0, 0);
    put(1, (spt_coord)0.5, 0);
    for (i = -30; i <= 30; i++) {
        const double away = 1 + i * 3e-7, angle = 2.4 * i;
        put(2, (spt_coord)(away * cos(angle)), (spt_coord)(away * sin(angle)));
        radius = 1;
        compare_all();
    }
}
#endif

/* Some far away, none of which may put the others into one cell. */
static void some_points_far_away(void)
{
    int round, i;
    for (round = 0; round < test_scale(20); round++) {
        test_context("round", round);
        set_size(400, 2);
        for (i = 0; i < count; i++) put(i, random_coord(30), random_coord(30));
        for (i = 0; i < count; i += 1 + test_below(100)) {
            const spt_coord some[] = {LARGEST, -LARGEST, LARGEST / 2, AT(100000), AT(-10000000),
                                      LARGEST - AT(1), 1, 0};
            put(i, some[test_below(8)], test_below(2) ? random_coord(30) : some[test_below(8)]);
        }
        radius = round % 4 == 0 ? HUGE_RADIUS : random_coord(4);
        compare_all();
        radius = HUGE_RADIUS / 2;
        compare_all();
    }
}

#ifndef SPATIAL_INT
/* All sizes of coordinates and radii, down to denormal ones. */
static void points_of_all_magnitudes(void)
{
#ifdef SPATIAL_DOUBLE
    static const int least = -1074, most = 1023;
#else
    static const int least = -149, most = 127;
#endif
    int round, i;
    for (round = 0; round < test_scale(60); round++) {
        int from = least + test_below(most - least), to = from + test_below(most - from + 1);
        test_context("round", round);
        set_size(200, 2);
        for (i = 0; i < count; i++) {
            const int e = from + test_below(to - from + 1), f = from + test_below(to - from + 1);
            put(i, (spt_coord)ldexp(1 + test_below(64) / 64.0, e) * (spt_coord)(test_below(3) - 1),
                (spt_coord)ldexp(1 + test_below(64) / 64.0, f) * (spt_coord)(test_below(3) - 1));
        }
        radius = (spt_coord)ldexp(1, from + test_below(to - from + 1));
        compare_all();
    }
}

/* Two points about a radius apart, wherever they are. */
static void pairs_of_points_at_a_boundary(void)
{
    int round, i;
    for (round = 0; round < test_scale(300); round++) {
        spt_coord x = random_coord(100000) - 40000, y = random_coord(10) - 5;
        test_context("round", round);
        set_size(40, 2);
        radius = random_coord(3) + (spt_coord)ldexp(1, -test_below(30));
        for (i = 0; i < count; i += 2) {
            const spt_coord volatile other = x + radius;
            put(i, x, y);
            put(i + 1, other + (spt_coord)(test_below(3) - 1) * x / 8388608, y);
            x += radius * (spt_coord)7.3, y = test_below(3) ? y : -y;
        }
        compare_all();
    }
}
#endif

/* ---- A plane that wraps around --------------------------------------------------------------- */

/* The radius must be at most half of each period that is set. */
static void keep_within_half(void)
{
    if (period_x > 0 && radius > period_x - radius) radius = period_x / 2;
    if (period_y > 0 && radius > period_y - radius) radius = period_y / 2;
}

/* A coordinate from 0 to the period: often one of both ends or the middle, also near them. */
static spt_coord anywhere_in(spt_coord period, spt_coord steps)
{
    const spt_coord step = period / steps;
    spt_coord x = step * (spt_coord)test_below((int)steps + 1);
    if (test_below(4) == 0) x = test_below(2) ? period : 0;
    if (test_below(4) == 0) x = test_below(2) ? x + step / 7 : x - step / 7;
    return x < 0 ? 0 : x > period ? period : x;
}

/* Points in a torus or a cylinder of these sizes, or a multiple of both; the world begins at
   `lowest` parts of a hundredth of its size. */
static void points_around(spt_coord width, spt_coord height, int steps, int lowest, int kind)
{
    int i;
    period_x = kind != 1 ? width : 0, period_y = kind != 2 ? height : 0;
    for (i = 0; i < count; i++)
        put(i, anywhere_in(width, (spt_coord)steps) - width / 100 * (spt_coord)lowest,
            anywhere_in(height, (spt_coord)steps) - height / 100 * (spt_coord)lowest);
#ifndef SPATIAL_INT
    for (i = 0; i < count && lowest > 0; i++) { /* the subtraction rounds */
        if (period_x > 0 && point(i)[0] - point(0)[0] > period_x / 2) point(i)[0] = point(0)[0];
        if (period_y > 0 && point(i)[1] - point(0)[1] > period_y / 2) point(i)[1] = point(0)[1];
        if (period_x > 0 && point(0)[0] - point(i)[0] > period_x / 2) point(i)[0] = point(0)[0];
        if (period_y > 0 && point(0)[1] - point(i)[1] > period_y / 2) point(i)[1] = point(0)[1];
    }
#endif
}

static void the_plane_wraps_around(void)
{
    static const int counts[] = {1, 2, 3, 9, 50, 200, 500};
    int round;
    for (round = 0; round < test_scale(100); round++) {
        const spt_coord width = AT(4) + random_coord(60), height = AT(4) + random_coord(60);
        test_context("round", round);
        set_size(counts[test_below(TEST_COUNT(counts))], 2 + test_below(3));
        points_around(width, height, 1 + test_below(300), test_below(2) * test_below(100),
                      round % 3);
        radius = random_coord(1 + test_below(12)) / (spt_coord)(1 + test_below(4));
        keep_within_half();
        compare_all();
    }
    period_x = period_y = 0;
}

/* Whole numbers on a torus: all ways around and all ties are exact. */
static void a_grid_wraps_around(void)
{
    int side, i;
    for (side = 1; side < 12; side += test_some(1, 3)) {
        period_x = period_y = (spt_coord)side;
        set_size((side + 1) * (side + 1), 2); /* points at the period are at 0, too */
        for (i = 0; i < count; i++)
            put(i, (spt_coord)(i % (side + 1)), (spt_coord)(i / (side + 1)));
        for (radius = 0; radius <= period_x - radius; radius += 1) compare_all();
    }
    period_x = period_y = 0;
}

/* The period is many times the radius, and points are near its ends, also nearer than the steps of
   floats there. */
static void a_large_plane_wraps_around(void)
{
    int round, i, k;
    for (round = 0; round < test_scale(60); round++) {
        const int parts = 2 + test_below(28);
        test_context("round", round);
#ifdef SPATIAL_INT
        period_x = period_y = LARGEST - (spt_coord)test_below(2);
        radius = period_x / ((spt_coord)1 << parts);
#else
        period_x = (spt_coord)ldexp(1 + test_below(64) / 64.0, test_below(250) - 124);
        period_y = test_below(3) ? period_x : 0;
        radius = period_x / (spt_coord)ldexp(1, parts);
#endif
        set_size(200, 2);
        for (i = 0; i < 2 * count; i++) {
            const spt_coord near = radius / 8 * (spt_coord)test_below(20);
            k = test_below(5);
            field[i] = k == 0 ? 0 : k == 1 ? near : period_x - (k == 2 ? near : 0);
            if (k == 4) field[i] = period_x / 100 * (spt_coord)test_below(100);
#ifdef SPATIAL_INT
            if (round % 2) field[i] = field[i] < 100 ? -LARGEST - 1 : field[i] - LARGEST - 1;
#endif
        }
        keep_within_half();
        compare_all();
    }
    period_x = period_y = 0;
}

/* A coordinate from 0 to size: mostly near a multiple of the radius from one of the ends. */
static spt_coord near_a_cell(spt_coord size)
{
    const spt_coord off = radius / 32 * (spt_coord)(32 * test_below(4) + test_below(3));
    spt_coord x = test_below(2) ? off : size - off;
    if (test_below(4) == 0) x = size / 64 * (spt_coord)test_below(65);
    return x < 0 ? 0 : x > size ? size : x;
}

/* One to seven or many columns and rows, with and without periods, of two radii and more. */
static void grids_of_all_shapes(void)
{
    static const int sixteenths[] = {0, 8, 17, 32, 33, 48, 49, 64, 66, 82, 113, 8000};
    int round, shape, i;
    for (round = 0; round < test_scale(120); round++)
        for (shape = 0; shape < 4 * 12 * 12; shape++) {
            int x = sixteenths[shape / 4 % 12], y = sixteenths[shape / 48];
            if (shape & 1 && x < 32) x = 32;
            if (shape & 2 && y < 32) y = 32;
            test_context("shape", shape);
            radius = AT(1) + random_coord(2) / 16 * 16;
            period_x = radius / 16 * (spt_coord)x, period_y = radius / 16 * (spt_coord)y;
            set_size(10 + test_below(50), 2);
            for (i = 0; i < count; i++) put(i, near_a_cell(period_x), near_a_cell(period_y));
            period_x = shape & 1 ? period_x : 0, period_y = shape & 2 ? period_y : 0;
            compare_all();
        }
    period_x = period_y = 0;
}

/* Millions of rows or of columns, so that their numbers do not fit 32 bits together. */
/* No cell fits into the smallest period, so that the points are in one. */
static void the_smallest_periods(void)
{
#ifdef SPATIAL_INT
    const spt_coord least = 1;
#else
    const spt_coord least = sizeof(spt_coord) > 4 ? (spt_coord)1e-160 : (spt_coord)2e-45;
#endif
    found f;
    int i, k;
    for (k = 0; k < 3; k++) {
        period_x = k == 1 ? 0 : least, period_y = k == 2 ? 0 : least;
        set_size(4, 2);
        for (i = 0; i < 4; i++) put(i, i % 2 ? least : 0, i / 2 ? least : 0);
        open_found(&f, 0, 0);
        radius = 0;
        compare(&f);
        close_found(&f);
    }
    period_x = period_y = 0;
}

static void rows_and_columns_need_many_bits(void)
{
    int kind, i;
    set_size(1000, 2);
    for (kind = 0; kind < 8; kind++) {
        const int axis = kind & 1; /* along which they spread further */
        for (i = 0; i < count; i++) {
            point(i)[1 - axis] = (spt_coord)(i * 7 % 4096);
            point(i)[axis] = (spt_coord)(i * 1237 % 1000 - 500) * 16000;
            if (i % 2 == 0) continue;
            point(i)[1 - axis] = point(i - 1)[1 - axis], point(i)[axis] = point(i - 1)[axis] + 1;
        }
        point(4)[1 - axis] = 4096, point(4)[axis] = point(0)[axis];
        for (i = 6; i < 8; i++) /* the least along the axis lie in no outer row */
            point(i)[axis] = (spt_coord)-501 * 16000, point(i)[1 - axis] = (spt_coord)(1994 + i);
        *(axis ? &period_x : &period_y) = (spt_coord)(kind & 2 ? 4096 : 0);
        *(axis ? &period_y : &period_x) = (spt_coord)(kind & 4 ? 16000000 : 0);
        radius = 1;
        compare_all();
    }
    period_x = period_y = 0;
}

/* ---- Crowds ---------------------------------------------------------------------------------- */

/* Some points crowd in a small part of the radius: at one place, at few, or in smaller and smaller
   parts of it. */
static void crowds_within_the_radius(void)
{
    int round, i, e;
    for (round = 0; round < test_scale(12); round++) {
        test_context("round", round);
        set_size(test_some(400, 150), 2);
        radius = AT(100);
        for (i = 0; i < count; i++) {
            e = round % 3 ? 3 * test_below(1 + round / 3) : 6;
#ifdef SPATIAL_INT
            put(i, (spt_coord)test_below((6400 >> e) + 1 + round % 2), (spt_coord)test_below(3));
#else
            put(i, (spt_coord)ldexp(test_below(100), -3 * e),
                (spt_coord)ldexp(test_below(round % 2 ? 100 : 2), -3 * e));
#endif
            if (i % 7 == 0) put(i, random_coord(1000), random_coord(1000));
        }
        if (round % 4 == 3) period_x = AT(1000);
        compare_all();
        period_x = 0;
    }
}

/* ---- Errors and memory ----------------------------------------------------------------------- */

/* Leaves numbers on the stack, which a function must not take for its own. */
static void dirty_the_stack(void)
{
    volatile unsigned char bytes[6000];
    int i;
    for (i = 0; i < TEST_COUNT(bytes); i++) bytes[i] = 0x41;
}

static void both_empty(found *f, spt_i32 error)
{
    const spt_i32 seven[2] = {7, 7};
    dirty_the_stack();
    spt_intlist_push(&f->rows, seven), spt_intlist_push(&f->ids, seven);
    spt_intlist_push(&f->pairs, seven);
    CHECK(find(f) == error);
    CHECK(find_pairs(f) == error);
    CHECK(count_pairs(f) == error);
    CHECK(spt_intlist_count(&f->rows) == 0 && spt_intlist_count(&f->ids) == 0);
    CHECK(spt_intlist_count(&f->pairs) == 0);
}

static void periods_out_of_range_are_refused(void)
{
    spt_neighbours_desc desc;
    spt_neighbours nb;
    found f;
    int i;
    memset(&desc, 0, sizeof desc);
    desc.capacity = 5;
    for (i = 0; i < 2; i++) {
        spt_coord *period = i ? &desc.period_y : &desc.period_x;
        *period = -1;
        CHECK(spt_neighbours_init(&nb, &desc) == SPT_ERR_ARGUMENT);
        CHECK(spt_neighbours_bytes_for(&desc) == 0);
#ifndef SPATIAL_INT
        {
            const spt_coord volatile huge = LARGEST, infinity = huge * 2;
            *period = infinity;
            CHECK(spt_neighbours_init(&nb, &desc) == SPT_ERR_ARGUMENT);
            *period = infinity - infinity;
            CHECK(spt_neighbours_init(&nb, &desc) == SPT_ERR_ARGUMENT);
            CHECK(spt_neighbours_bytes_for(&desc) == 0);
        }
#endif
        *period = 0;
    }
    for (i = 0; i < 2; i++) {
        period_x = i ? 0 : AT(10), period_y = i ? AT(10) : 0;
        set_size(3, 2);
        put(0, AT(2), AT(2)), put(1, AT(12), AT(12)), put(2, AT(3), AT(3));
        open_found(&f, 0, 0);
        radius = AT(5); /* half the period, and two points the whole of it apart */
        compare(&f);
        radius = AT(6);
        both_empty(&f, SPT_ERR_ARGUMENT);
        radius = AT(2);
        point(1)[i] += AT(1);
        both_empty(&f, SPT_ERR_ARGUMENT);
        point(1)[1 - i] += AT(1000), point(1)[i] -= AT(4);
        compare(&f);
        close_found(&f);
    }
    period_x = period_y = 0;
}

static void errors_leave_the_lists_empty(void)
{
    spt_neighbours_desc desc;
    spt_neighbours nb;
    found f;
    int i;
    CHECK(spt_neighbours_init(&nb, NULL) == SPT_OK && spt_neighbours_bytes(&nb) == 0);
    memset(&desc, 0, sizeof desc);
    desc.capacity = -1;
    CHECK(spt_neighbours_init(&nb, &desc) == SPT_ERR_ARGUMENT);
    CHECK(spt_neighbours_bytes_for(&desc) == 0 && spt_neighbours_bytes_for(NULL) == 0);
    spt_neighbours_free(&nb);
    periods_out_of_range_are_refused();
    open_found(&f, 10, 0);
    set_size(8, 2);
    for (i = 0; i < count; i++) put(i, AT(i), 0);
    radius = -1;
    both_empty(&f, SPT_ERR_ARGUMENT);
    radius = AT(2);
    count = -1;
    both_empty(&f, SPT_ERR_ARGUMENT);
    count = 11;
    both_empty(&f, SPT_ERR_FULL);
    count = 10;
#ifndef SPATIAL_INT
    for (i = 0; i < 6; i++) {
        const spt_coord good = point(i)[i % 2];
        const spt_coord volatile huge = LARGEST, infinity = huge * 2;
        const spt_coord bad = i < 2 ? infinity : i < 4 ? -infinity : infinity - infinity;
        point(i)[i % 2] = bad;
        both_empty(&f, SPT_ERR_ARGUMENT);
        point(i)[i % 2] = good;
        radius = bad;
        both_empty(&f, SPT_ERR_ARGUMENT);
        radius = AT(2);
    }
#endif
    CHECK(spt_neighbours_find(&f.nb, field, field + 1, 8, 3, radius, &f.ids, &f.rows) ==
          SPT_ERR_LIST);
    CHECK(spt_neighbours_find(&f.nb, field, field + 1, 8, 3, radius, NULL, &f.ids) ==
          SPT_ERR_ARGUMENT);
    CHECK(spt_neighbours_find(&f.nb, field, field + 1, 8, 3, radius, &f.ids, &f.ids) ==
          SPT_ERR_ARGUMENT);
    CHECK(spt_neighbours_pairs(&f.nb, field, field + 1, 8, 3, radius, &f.ids) == SPT_ERR_LIST);
    compare(&f);
    close_found(&f);
}

static void every_allocation_may_fail_once(void)
{
    long at;
    int i, failed = 1;
    set_size(500, 2);
    for (i = 0; i < count; i++) put(i, random_coord(20), random_coord(20));
    radius = AT(2);
    for (at = 1; failed; at++) {
        found f;
        spt_i32 n;
        open_found(&f, at % 3 == 0 ? 500 : 0, at);
        n = find(&f);
        if (n < 0) {
            CHECK(n == SPT_ERR_MEMORY && f.memory.failures == 1);
            CHECK(spt_intlist_count(&f.rows) == 0 && spt_intlist_count(&f.ids) == 0);
        }
        n = find_pairs(&f);
        if (n < 0) CHECK(n == SPT_ERR_MEMORY && spt_intlist_count(&f.pairs) == 0);
        compare(&f);
        failed = f.memory.failures > 0;
        close_found(&f);
    }
}

static void nothing_is_allocated_once_warm(void)
{
    int i, round;
    long calls = 0;
    found f;
    open_found(&f, 0, 0);
    set_size(800, 2);
    for (i = 0; i < count; i++) put(i, random_coord(20), random_coord(20));
    for (round = 0; round < 4; round++) {
        radius = round > 1 ? AT(1) : AT(2);
        find(&f);
        find_pairs(&f);
        if (round == 0) calls = f.memory.calls;
        CHECK(f.memory.calls == calls);
    }
    close_found(&f);
}

static void a_fixed_capacity_takes_what_bytes_for_tells(void)
{
    static double buffer[20000];
    spt_neighbours_desc desc;
    spt_arena arena;
    found f;
    memset(&desc, 0, sizeof desc);
    desc.capacity = 300;
    spt_arena_init(&arena, buffer, spt_neighbours_bytes_for(&desc), &desc.allocator);
    open_found(&f, 0, 0);
    CHECK(spt_neighbours_init(&f.nb, &desc) == SPT_OK);
    CHECK(arena.used == arena.size);
    for (set_size(300, 2); count > 0; count -= 100) {
        int i;
        for (i = 0; i < count; i++) put(i, random_coord(20), random_coord(20));
        radius = AT(1);
        compare(&f);
    }
    close_found(&f);
}

/* ---- Work and order -------------------------------------------------------------------------- */

enum { MANY = 20000 };
static spt_coord many[2 * MANY];

/* How many tests there are for each point and each that is found. */
static double tests_of(int n, spt_coord r)
{
    spt_neighbours_desc desc;
    spt_neighbours nb;
    spt_intlist pairs;
    double found_pairs;
    memset(&desc, 0, sizeof desc);
    desc.period_x = period_x, desc.period_y = period_y;
    CHECK(spt_neighbours_init(&nb, &desc) == SPT_OK);
    CHECK(spt_intlist_init(&pairs, 2) == SPT_OK);
    work = 0;
    found_pairs = spt_neighbours_pairs(&nb, many, many + 1, 2 * sizeof *many, n, r, &pairs);
    CHECK(found_pairs >= 0);
    spt_intlist_free(&pairs);
    spt_neighbours_free(&nb);
    return work / (n + 2 * found_pairs);
}

static spt_coord fine(int n)
{
#ifdef SPATIAL_INT
    return (spt_coord)test_below(n << 16);
#else
    return (spt_coord)test_below(1 << 24) / (1 << 24) * (spt_coord)n;
#endif
}

#ifdef SPATIAL_INT
#define FINE(x) ((spt_coord)((x) * 65536))
#else
#define FINE(x) ((spt_coord)(x))
#endif

/* What is tested is in proportion to points and pairs: also with outliers, as far away as the
   manual allows, and in clusters that are far from each other. */
static void work_is_in_proportion(void)
{
#ifdef SPATIAL_INT
    const spt_coord away = LARGEST / 2;
#elif defined(SPATIAL_DOUBLE)
    const spt_coord away = 536870912;
#else
    const spt_coord away = 4194304;
#endif
    int i;
    for (i = 0; i < MANY; i++) many[2 * i] = fine(140), many[2 * i + 1] = fine(140);
    CHECK(tests_of(MANY, FINE(1)) < 40);
    for (i = 0; i < MANY; i += 997) many[2 * i] = i % 2 ? away : -away, many[2 * i + 1] = away;
    CHECK(tests_of(MANY, FINE(1)) < 40);
    for (i = 0; i < MANY; i++) many[2 * i] = fine(10) + FINE(1000) * (spt_coord)(i % 20);
    CHECK(tests_of(MANY, FINE(1)) < 40);
    CHECK(tests_of(MANY, FINE(0.001)) < 40);
    for (i = 0; i < MANY; i++) many[2 * i] = fine(10000), many[2 * i + 1] = FINE(0.5);
    CHECK(tests_of(MANY, FINE(0.25)) < 40);
    for (i = 0; i < MANY; i++) many[2 * i] = FINE(3), many[2 * i + 1] = FINE(5);
    many[7] = FINE(77);
    CHECK(tests_of(1500, 0) < 40);
}

/* A point as far away as there can be one, or a few of them, make no other one slower, wherever the
   others lie; but where points go around the plane they do not fit into it. */
static void work_is_in_proportion_however_far_a_point_is(void)
{
#ifdef SPATIAL_INT
    const spt_coord far[] = {1 << 20, LARGEST / 2};
#else
    const spt_coord far[] = {1e6F, 1e12F, 1e30F, 1e37F};
#endif
    int i, k, few;
    for (k = 0; k < TEST_COUNT(far); k++)
        for (few = 1; few <= MANY / 100; few *= 10) {
            for (i = 0; i < 2 * MANY; i++) many[i] = fine(140);
            for (i = 0; i < few; i++) many[2 * 97 * i + i % 2] = i % 4 < 2 ? far[k] : -far[k];
            CHECK(tests_of(MANY, FINE(1)) < 40);
            CHECK(tests_of(MANY, FINE(0.01)) < 40);
        }
}

#ifndef SPATIAL_INT
/* The same at all scales. */
static void work_is_in_proportion_at_all_scales(void)
{
#ifdef SPATIAL_DOUBLE
    static const int least = -500, most = 505, step = 67;
#else
    static const int least = -134, most = 120, step = 17;
#endif
    int i, e;
    for (e = least; e <= most; e += step * test_some(1, 4)) {
        const spt_coord unit = (spt_coord)ldexp(1, e);
        for (i = 0; i < 2 * MANY; i++) many[i] = fine(140) * unit;
        CHECK(tests_of(MANY, unit) < 40);
        CHECK(tests_of(MANY, unit / 1024) < 40);
        CHECK(tests_of(MANY, 0) < 40);
    }
}
#endif

/* A plane that wraps around has no more to test, also where it is narrow. */
static void work_is_in_proportion_around_the_plane(void)
{
    int i, kind;
    for (kind = 0; kind < 4; kind++) {
        period_x = kind < 2 ? FINE(140) : FINE(3), period_y = kind < 3 ? FINE(140) : 0;
        for (i = 0; i < MANY; i++)
            many[2 * i] = fine(kind < 2 ? 140 : 3), many[2 * i + 1] = fine(kind == 3 ? 6000 : 140);
        CHECK(tests_of(kind == 2 ? MANY / 40 : MANY, FINE(1)) < 40);
        CHECK(tests_of(MANY, FINE(1) / 64) < 40);
        for (i = 0; i < MANY && kind == 1; i++) many[2 * i] = many[2 * i + 1];
        CHECK(tests_of(MANY, FINE(1) / 64) < 40);
    }
    period_x = period_y = 0;
}

/* Each axis has cells of its own: a long period of one of them, also one that points reach around,
   does not make those of the other larger, nor those of its own. */
static void work_is_in_proportion_with_a_long_period(void)
{
    const spt_coord periods[] = {0, FINE(100), LARGEST / 1024, LARGEST};
    int axis, at, other, ends, i;
    for (axis = 0; axis < 2; axis++)
        for (at = 0; at < TEST_COUNT(periods); at++)
            for (other = 0; other < 2; other++)
                for (ends = 0; ends < 2; ends++) {
                    const spt_coord end = at < 2 ? periods[at] : FINE(10000);
                    period_x = periods[at], period_y = other ? FINE(1000) : 0;
                    if (ends && at > 1) period_x = end;
                    for (i = 0; i < MANY; i++) {
                        const spt_coord x = fine(1);
                        many[2 * i + axis] = ends && end > 0 && i % 2 ? end - x : x;
                        many[2 * i + 1 - axis] = fine(1000);
                    }
                    if (axis) {
                        const spt_coord swap = period_x;
                        period_x = period_y, period_y = swap;
                    }
                    CHECK(tests_of(MANY, FINE(0.05)) < 60);
                }
    period_x = period_y = 0;
}

/* The same ids in the same order, with every compiler, with and without vectors. */
static void the_order_is_the_same_everywhere(void)
{
    uint32_t hash = 1;
    found f;
    int i;
    open_found(&f, 0, 0);
    set_size(900, 2);
    for (i = 0; i < count; i++) put(i, random_coord(20) - AT(9), random_coord(20));
    radius = AT(1.5);
    CHECK(find(&f) > 0);
    hash = test_hash(hash, spt_intlist_data(&f.rows), (size_t)count * 8);
    hash = test_hash(hash, spt_intlist_data(&f.ids), (size_t)spt_intlist_count(&f.ids) * 4);
    CHECK(find_pairs(&f) > 0);
    hash = test_hash(hash, spt_intlist_data(&f.pairs), (size_t)spt_intlist_count(&f.pairs) * 8);
    if (getenv("SHOW")) printf("%08lX\n", (unsigned long)hash);
    close_found(&f);
}

static const test_case tests[] = {
    TEST(points_anywhere),
    TEST(points_in_clusters_and_lines),
    TEST(points_on_one_spot),
    TEST(points_exactly_at_the_radius),
#ifndef SPATIAL_INT
    TEST(points_just_within_and_just_beyond_the_radius),
#endif
    TEST(some_points_far_away),
#ifndef SPATIAL_INT
    TEST(points_of_all_magnitudes),
    TEST(pairs_of_points_at_a_boundary),
#endif
    TEST(the_plane_wraps_around),
    TEST(a_grid_wraps_around),
    TEST(a_large_plane_wraps_around),
    TEST(grids_of_all_shapes),
    TEST(the_smallest_periods),
    TEST(rows_and_columns_need_many_bits),
    TEST(crowds_within_the_radius),
    TEST(errors_leave_the_lists_empty),
    TEST(every_allocation_may_fail_once),
    TEST(nothing_is_allocated_once_warm),
    TEST(a_fixed_capacity_takes_what_bytes_for_tells),
    TEST(work_is_in_proportion),
    TEST(work_is_in_proportion_however_far_a_point_is),
#ifndef SPATIAL_INT
    TEST(work_is_in_proportion_at_all_scales),
#endif
    TEST(work_is_in_proportion_around_the_plane),
    TEST(work_is_in_proportion_with_a_long_period),
    TEST(the_order_is_the_same_everywhere),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
