/* test_shapes.c - convex shapes grown by a radius: which boxes they meet, exactly on whole numbers
   and nearly elsewhere; and every structure answers as the loop over its boxes does. */
static double work; /* counted, so that it is the same on every machine */
#define SPTI_COUNT(n) (work += (double)(n))

#define SPATIAL_NO_BROADPHASE /* not tested here */
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "brute.h"
#include "test.h"

#ifdef SPTI_SHAPES
#define MOST 400
#define KINDS 4
#define POINTS 64

static spt_index worlds[KINDS];
static spt_box boxes[MOST];
static spt_coord points[2 * POINTS];
static const char *const kinds[KINDS] = {"linear", "quadtree", "loosegrid", "packed"};

static void open_worlds(const spt_box *of, spt_i32 n)
{
    int k;
    CHECK(spt_linear_init(&worlds[0], NULL) == SPT_OK);
    CHECK(spt_quadtree_init(&worlds[1], NULL) == SPT_OK);
    CHECK(spt_loosegrid_init(&worlds[2], NULL) == SPT_OK);
    CHECK(spt_packed_init(&worlds[3], NULL) == SPT_OK);
    for (k = 0; k < KINDS; k++) CHECK(spt_build(&worlds[k], of, n) == SPT_OK);
}

static void close_worlds(void)
{
    int k;
    for (k = 0; k < KINDS; k++) spt_free(&worlds[k]);
}

static spt_shape shape_of(int count, double radius)
{
    spt_shape shape;
    shape.points = points;
    shape.count = count;
    shape.radius = (spt_coord)radius;
    return shape;
}

static void set_point(int i, double x, double y)
{
    points[2 * i] = (spt_coord)x, points[2 * i + 1] = (spt_coord)y;
}

/* ---- What a shape means: in whole numbers, and in as many digits as there are ---------------- */

typedef struct whole_box {
    int64_t min_x, min_y, max_x, max_y;
} whole_box;

static whole_box whole_of(const spt_box *box)
{
    whole_box b;
    b.min_x = (int64_t)box->min_x, b.min_y = (int64_t)box->min_y;
    b.max_x = (int64_t)box->max_x, b.max_y = (int64_t)box->max_y;
    return b;
}

/* Does a line across the direction (nx, ny) separate the points from the box? */
static int whole_apart(int n, const whole_box *b, int64_t nx, int64_t ny)
{
    int64_t low = INT64_MAX, high = INT64_MIN, box_low = INT64_MAX, box_high = INT64_MIN, at;
    int i;
    for (i = 0; i < n; i++) {
        at = nx * (int64_t)points[2 * i] + ny * (int64_t)points[2 * i + 1];
        if (at < low) low = at;
        if (at > high) high = at;
    }
    for (i = 0; i < 4; i++) {
        at = nx * (i & 1 ? b->max_x : b->min_x) + ny * (i & 2 ? b->max_y : b->min_y);
        if (at < box_low) box_low = at;
        if (at > box_high) box_high = at;
    }
    return low > box_high || high < box_low;
}

/* Is a corner of a box at most r away from the line from point i to point j? */
static int whole_near(int i, int j, const whole_box *b, int64_t r)
{
    const int64_t px = (int64_t)points[2 * i], py = (int64_t)points[2 * i + 1];
    const int64_t x = (int64_t)points[2 * j] - px, y = (int64_t)points[2 * j + 1] - py;
    int k;
    for (k = 0; k < 4; k++) {
        const int64_t dx = (k & 1 ? b->max_x : b->min_x) - px;
        const int64_t dy = (k & 2 ? b->max_y : b->min_y) - py, along = dx * x + dy * y;
        if (along < 0 || along > x * x + y * y || x * x + y * y == 0) continue;
        if ((x * dy - y * dx) * (x * dy - y * dx) <= r * r * (x * x + y * y)) return 1;
    }
    return 0;
}

/* Does the box meet the convex hull of n points, grown by r? All lines between two points are
   tried, for the lines at the border are among them. */
static int whole_meets(int n, const spt_box *box, int64_t r)
{
    const whole_box b = whole_of(box);
    int apart = whole_apart(n, &b, 1, 0) || whole_apart(n, &b, 0, 1), i, j;
    for (i = 0; i < n && !apart; i++)
        for (j = 0; j < i && !apart; j++)
            apart = whole_apart(n, &b, (int64_t)points[2 * i + 1] - (int64_t)points[2 * j + 1],
                                (int64_t)points[2 * j] - (int64_t)points[2 * i]);
    if (!apart) return 1;
    for (i = 0; i < n; i++) {
        const int64_t x = (int64_t)points[2 * i], y = (int64_t)points[2 * i + 1];
        const int64_t dx = x < b.min_x ? b.min_x - x : x > b.max_x ? x - b.max_x : 0;
        const int64_t dy = y < b.min_y ? b.min_y - y : y > b.max_y ? y - b.max_y : 0;
        if (dx * dx + dy * dy <= r * r) return 1;
        for (j = 0; j < i; j++)
            if (whole_near(i, j, &b, r)) return 1;
    }
    return 0;
}

/* How far the hull is from the box: the most that a line separates them by, where corners are
   nearest the distance of these; less than 0 if they overlap. */
static long double distance_of(int n, const spt_box *box)
{
    long double most = -1e30L, nearest = 1e30L;
    int i, j, k, axis;
    for (i = 0; i < n; i++)
        for (j = 0; j <= i; j++) {
            const long double px = (long double)points[2 * i], py = (long double)points[2 * i + 1];
            const long double x = (long double)points[2 * j] - px;
            const long double y = (long double)points[2 * j + 1] - py;
            const long double length = hypotl(x, y);
            for (axis = 0; axis < 3; axis++) { /* across the line, and the axes */
                const long double nx = axis == 0 ? -y / length : axis == 1;
                const long double ny = axis == 0 ? x / length : axis == 2;
                long double low = 1e30L, high = -1e30L, box_low = 1e30L, box_high = -1e30L, at;
                if (axis == 0 && !(length > 0)) continue;
                for (k = 0; k < n; k++) {
                    at = nx * ((long double)points[2 * k] - px) +
                         ny * ((long double)points[2 * k + 1] - py);
                    low = at < low ? at : low, high = at > high ? at : high;
                }
                for (k = 0; k < 4; k++) {
                    at = nx * ((long double)(k & 1 ? box->max_x : box->min_x) - px) +
                         ny * ((long double)(k & 2 ? box->max_y : box->min_y) - py);
                    box_low = at < box_low ? at : box_low;
                    box_high = at > box_high ? at : box_high;
                }
                if (low - box_high > most) most = low - box_high;
                if (box_low - high > most) most = box_low - high;
            }
            for (k = 0; k < 4; k++) {
                const long double dx = (long double)(k & 1 ? box->max_x : box->min_x) - px;
                const long double dy = (long double)(k & 2 ? box->max_y : box->min_y) - py;
                long double t = length > 0 ? (dx * x + dy * y) / (length * length) : 0;
                t = t < 0 ? 0 : t > 1 ? 1 : t;
                if (hypotl(dx - t * x, dy - t * y) < nearest)
                    nearest = hypotl(dx - t * x, dy - t * y);
            }
            {
                const long double dx = px < (long double)box->min_x ? (long double)box->min_x - px
                                       : px > (long double)box->max_x
                                           ? px - (long double)box->max_x : 0;
                const long double dy = py < (long double)box->min_y ? (long double)box->min_y - py
                                       : py > (long double)box->max_y
                                           ? py - (long double)box->max_y : 0;
                if (hypotl(dx, dy) < nearest) nearest = hypotl(dx, dy);
            }
        }
    return most > 0 ? nearest : most;
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

static int turns_left(const int *a, const int *b, const int *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0]);
}

/* Sorts n points by (x, y) and takes out doubles; returns how many are left. */
static int sort_points(int (*p)[2], int n)
{
    int i, j, k, left = 0;
    for (i = 0; i < n; i++) {
        const int x = p[i][0], y = p[i][1];
        for (j = 0; j < left; j++)
            if (x < p[j][0] || (x == p[j][0] && y <= p[j][1])) break;
        if (j < left && x == p[j][0] && y == p[j][1]) continue;
        for (k = left++; k > j; k--) p[k][0] = p[k - 1][0], p[k][1] = p[k - 1][1];
        p[j][0] = x, p[j][1] = y;
    }
    return left;
}

/* Makes points the corners of the hull of n whole points, with the points on its sides, some of
   them twice, from any corner on, in any direction. Returns how many. */
static int draw_hull(int n, int width, int height)
{
    int all[16][2], hull[34][2], count = 0, i, k, first = 0, back, twice;
    for (i = 0; i < n; i++) {
        all[i][0] = test_below(2 * width + 1) - width;
        all[i][1] = test_below(2 * height + 1) - height;
    }
    n = sort_points(all, n);
    for (back = 0; back < 2; back++, first = count - 1) /* the lower side, then the upper one */
        for (i = back; i < n; i++) {
            const int *p = all[back ? n - 1 - i : i];
            while (count > first + 1 && turns_left(hull[count - 2], p, hull[count - 1])) count--;
            hull[count][0] = p[0], hull[count++][1] = p[1];
        }
    if (count > 1 && test_below(4)) count--; /* mostly without the first one again */
    first = test_below(count), back = test_below(2), twice = test_below(2 * count);
    for (i = k = 0; i < count; i++) {
        const int j = (first + (back ? count - i : i)) % count;
        set_point(k++, hull[j][0], hull[j][1]);
        if (i == twice) set_point(k++, hull[j][0], hull[j][1]);
    }
    return k;
}

static spt_box draw_box(int most, int size)
{
    spt_box box;
    box.min_x = (spt_coord)(test_below(2 * most + 1) - most);
    box.min_y = (spt_coord)(test_below(2 * most + 1) - most);
    box.max_x = box.min_x + (spt_coord)test_below(size + 1);
    box.max_y = box.min_y + (spt_coord)test_below(size + 1);
    return box;
}

static void shift(spt_box *box, int n, double x, double y)
{
    int i;
    box->min_x += (spt_coord)x, box->max_x += (spt_coord)x;
    box->min_y += (spt_coord)y, box->max_y += (spt_coord)y;
    for (i = 0; i < n; i++) points[2 * i] += (spt_coord)x, points[2 * i + 1] += (spt_coord)y;
}

/* ---- The test of one box --------------------------------------------------------------------- */

static void whole_numbers_are_exact(void)
{
    static const int sizes[][2] = {{20, 20}, {20, 2}, {1, 30}, {3, 3}, {12, 0}, {60, 50}};
    long round, rounds = 20000 / test.divisor + 200, met = 0, all = 0;
    int i;
    for (round = 0; round < rounds; round++) {
        const int *size = sizes[round % 6];
        const int n = draw_hull(1 + test_below(12), size[0], size[1]);
        const int radius = test_below(2) ? 0 : test_below(12);
        const double x = test_below(3) ? 0 : test_below(1 << 20) - (1 << 19);
        const double y = test_below(3) ? 0 : test_below(1 << 20) - (1 << 19);
        spt_shape shape = shape_of(n, radius);
        test_context("round", round);
        for (i = 0; i < 20; i++) {
            spt_box box = draw_box(40, i % 4 ? 8 : 0);
            int meets = whole_meets(n, &box, radius);
            CHECK(spt_box_meets_shape(&box, &shape) == meets);
            shift(&box, n, x, y);
            CHECK(spt_box_meets_shape(&box, &shape) == meets);
            shift(&box, n, -x, -y);
            met += meets, all++;
            if (i % 2) continue; /* an edge at infinity is as far as any */
            box.min_x = -1000, box.max_y = 1000;
            meets = whole_meets(n, &box, radius);
            box.min_x = COORD_LOW, box.max_y = COORD_HIGH;
            CHECK(spt_box_meets_shape(&box, &shape) == meets);
        }
    }
    CHECK(met * 10 > all && met * 10 < 9 * all);
}

/* All elements of a lane are taken at once if its corners are in the shape by more than a rounding:
   one that sticks out by less is not, on whichever side of a kite it is. */
static void an_element_just_outside_is_not_taken_with_those_beside_it(void)
{
    static const double kite[][2] = {{0, 0}, {100, 10}, {110, 110}, {10, 100}};
    const double thin = sizeof(spt_coord) == 4 ? 2e-4 : 2e-4 / (1 << 26);
    spt_intlist out;
    int turn, i, k, met;
    spt_intlist_init(&out, 1);
    for (turn = 0; turn < 4; turn++) { /* a quarter each */
        const double c = turn % 2 ? 0 : 1 - turn, s = turn % 2 ? 2 - turn : 0;
        spt_shape shape = shape_of(4, 0);
        static spt_box of[1024];
        for (i = 0; i < 4; i++)
            set_point(i, kite[i][0] * c - kite[i][1] * s, kite[i][0] * s + kite[i][1] * c);
        for (i = met = 0; i < 1024; i++) { /* half of them in a crowd along the lowest side */
            const double x = (i < 512 ? 50 : i) + i % 32 / 32.0;
            const double y = i == 511 ? x / 10 - thin : x / 10 + 1 + i % 5 / 4.0;
            of[i] = box_of(x * c - y * s, x * s + y * c, x * c - y * s, x * s + y * c);
            met += spt_box_meets_shape(&of[i], &shape);
        }
        CHECK(met == 511);
        open_worlds(of, 1024);
        for (k = 0; k < KINDS; k++) CHECK(spt_overlap(&worlds[k], &shape, NULL, &out) == met);
        close_worlds();
    }
    spt_intlist_free(&out);
}

static void without_a_radius_the_order_of_points_does_not_matter(void)
{
    static const int star[] = {0, 2, 4, 1, 3}; /* a pentagram */
    long round, rounds = 10000 / test.divisor + 100;
    spt_box box = box_of(-1, -1, 1, 1);
    spt_shape shape;
    int i;
    for (round = 0; round < rounds; round++) {
        const int n = 1 + test_below(12);
        shape = shape_of(n, 0);
        test_context("round", round);
        for (i = 0; i < n; i++) set_point(i, test_below(41) - 20, test_below(41) - 20);
        for (i = 0; i < 20; i++) {
            box = draw_box(25, 8);
            CHECK(spt_box_meets_shape(&box, &shape) == whole_meets(n, &box, 0));
        }
    }
    for (i = 0; i < 5; i++)
        set_point(i, 10 * cos(1.2566370614 * star[i]), 10 * sin(1.2566370614 * star[i]));
    shape = shape_of(5, 0);
    box = box_of(-7, -2, -6, 2); /* between two tips, in the hull */
    CHECK(spt_box_meets_shape(&box, &shape) == 1);
}

/* Polygons of cosines are dented where sides are short for the digits of the type. */
static void regular_polygons_are_met_but_for_rounding(void)
{
    static const int counts[] = {1, 2, 3, 4, 5, 8, 17, 48};
    long round, rounds = 400 / test.divisor + 16, near = 0, all = 0;
    int i, met;
    for (round = 0; round < rounds; round++) {
        const int n = counts[round % 8];
        const double far = round % 3 == 0 ? 1e5 : 0, size = round % 5 ? 10 : 1000;
        const double turn = test_below(1000) / 100.0, thin = round % 7 ? 1 : 0.001;
        const double band = (far + size) * (sizeof(spt_coord) == 4 ? 4e-6 : 1e-13);
        const double slope = cos(turn), rise = sin(turn);
        spt_shape shape = shape_of(n, round % 2 ? 0 : size * test_below(100) / 200);
        test_context("round", round);
        for (i = 0; i < n; i++) {
            const double x = size * cos(6.283185307 * i / n);
            const double y = size * thin * sin(6.283185307 * i / n);
            set_point(i, far + x * slope - y * rise, far + x * rise + y * slope);
        }
        for (i = 0; i < 10; i++) {
            spt_box box;
            long double distance;
            box.min_x = (spt_coord)(far + size * (test_below(4000) - 2000) / 1000.0);
            box.min_y = (spt_coord)(far + size * (test_below(4000) - 2000) / 1000.0);
            box.max_x = box.min_x + (spt_coord)(size * test_below(1000) / 1000.0);
            box.max_y = box.min_y + (spt_coord)(size * test_below(1000) / 1000.0);
            distance = distance_of(n, &box) - (long double)shape.radius;
            met = spt_box_meets_shape(&box, &shape);
            if (distance < -(long double)band) CHECK(met == 1);
            else if (distance > (long double)band) CHECK(met == 0);
            else near++;
            all++;
        }
    }
    CHECK(near * 10 < all);
}

static void a_larger_box_meets_as_much(void)
{
    long round, rounds = 20000 / test.divisor + 200;
    int i;
    for (round = 0; round < rounds; round++) {
        const int n = 2 + test_below(11);
        const double size = round % 2 ? 1 : 1e6;
        spt_shape shape = shape_of(n, 0);
        test_context("round", round);
        for (i = 0; i < n; i++) /* nearly on one line */
            set_point(i, size * (test_below(1000) / 999.0),
                      size * (i / 13.0 + test_below(3) * 1e-8));
        for (i = 0; i < 20; i++) {
            spt_box box, larger;
            const spt_coord *p = points + 2 * test_below(n), *q = points + 2 * test_below(n);
            box.min_x = box.max_x = p[0] / 3 + q[0] / 3 * 2;
            box.min_y = box.max_y = p[1] / 3 + q[1] / 3 * 2;
            larger = box;
            if (i & 1) larger.min_x -= (spt_coord)(size * test_below(10) * 1e-7);
            if (i & 2) larger.min_y -= (spt_coord)(size * test_below(10) * 1e-7);
            if (i & 4) larger.max_x += (spt_coord)(size * test_below(10) * 1e-7);
            if (i & 8) larger.max_y += (spt_coord)(size * test_below(10) * 1e-7);
            CHECK(spt_box_meets_shape(&box, &shape) <= spt_box_meets_shape(&larger, &shape));
        }
    }
}

/* In whole numbers of times 2^k all is as in whole numbers. */
static void numbers_of_all_sizes_do_not_overflow(void)
{
    static const int powers[] = {-148, -130, -100, -60, -22, 22, 60, 100, 122,
                                 -1060, -1000, -700, 700, 1000, 1018};
    const int largest = sizeof(spt_coord) == 4 ? 9 : 15;
    spt_coord saved[2 * POINTS];
    long round, rounds = 400 / test.divisor + 20;
    int k, i, j;
    for (k = 0; k < largest; k++)
        for (round = 0; round < rounds; round++) {
            const int n = draw_hull(1 + test_below(8), 6, 6), r = k < 9 ? test_below(3) : 0;
            test_context("power", powers[k]);
            memcpy(saved, points, sizeof saved);
            for (i = 0; i < 10; i++) {
                spt_box box = draw_box(8, 4), larger = box;
                const int meets = whole_meets(n, &box, r);
                int then;
                spt_shape shape = shape_of(n, ldexp(r, powers[k]));
                larger.min_x = -1000, larger.max_y = 1000;
                then = whole_meets(n, &larger, r);
                for (j = 0; j < 2 * n; j++)
                    points[j] = (spt_coord)ldexp((double)points[j], powers[k]);
                box.min_x = (spt_coord)ldexp((double)box.min_x, powers[k]);
                box.min_y = (spt_coord)ldexp((double)box.min_y, powers[k]);
                box.max_x = (spt_coord)ldexp((double)box.max_x, powers[k]);
                box.max_y = (spt_coord)ldexp((double)box.max_y, powers[k]);
                CHECK(spt_box_meets_shape(&box, &shape) == meets);
                box.min_x = -COORD_MAX, box.max_y = COORD_MAX;
                CHECK(spt_box_meets_shape(&box, &shape) == then);
                memcpy(points, saved, sizeof saved);
            }
        }
}

/* ---- Questions ------------------------------------------------------------------------------- */

static int is_odd(void *ctx, spt_i32 id, spt_i32 other) SPT_CALLBACK
{
    (void)ctx, (void)other;
    return (int)(id & 1);
}

/* All structures find just the boxes that the loop finds; counted only, as many. */
static spt_i32 check_overlap(const spt_box *of, spt_i32 n, const spt_shape *shape,
                             const spt_filter *filter)
{
    static const spt_i32 mark[1] = {-77};
    static unsigned char wanted[100000];
    spt_i32 count = 0, i, id;
    spt_intlist found;
    int k;
    memset(wanted, 0, sizeof wanted);
    for (id = 0; id < n; id++) {
        const int met = spt_box_meets_shape(&of[id], shape);
        CHECK(met == 0 || met == 1);
        if (met != 1 || !brute_accepts(filter, id)) continue;
        wanted[id] = 1;
        count++;
    }
    CHECK(spt_intlist_init(&found, 1) == SPT_OK);
    for (k = 0; k < KINDS; k++) {
        CHECK(spt_intlist_push(&found, mark) >= 0);
        test_context(kinds[k], test.step);
        CHECK(spt_overlap(&worlds[k], shape, filter, &found) == count);
        CHECK(spt_intlist_count(&found) == count);
        CHECK(spt_overlap(&worlds[k], shape, filter, NULL) == count);
        for (i = 0; i < spt_intlist_count(&found); i++) {
            id = spt_intlist_get(&found, i, 0);
            if (!CHECK(id >= 0 && id < n)) continue;
            CHECK(wanted[id] == 1 + k % 2);
            wanted[id] = (unsigned char)(2 - k % 2); /* each once */
        }
    }
    spt_intlist_free(&found);
    return count;
}

static void every_structure_answers_as_the_loop_does(void)
{
    long round, rounds = 1200 / test.divisor + 24, found = 0;
    spt_filter filter;
    int i;
    memset(&filter, 0, sizeof filter);
    filter.accept = is_odd;
    for (round = 0; round < rounds; round++) {
        const spt_i32 n = 1 + test_below(round % 3 ? MOST : 40);
        const int grid = (int)(round % 4);
        const double unit = grid == 0 ? 1 : grid == 1 ? 0.1 : grid == 2 ? 1e-3 : 4096;
        const double far = round % 5 ? 0 : 30000 * unit;
        spt_i32 id;
        for (id = 0; id < n; id++) {
            boxes[id] = draw_box(40, test_below(8) ? 5 : 30);
            boxes[id].min_x = (spt_coord)((double)boxes[id].min_x * unit + far);
            boxes[id].min_y = (spt_coord)((double)boxes[id].min_y * unit - far);
            boxes[id].max_x = (spt_coord)((double)boxes[id].max_x * unit + far);
            boxes[id].max_y = (spt_coord)((double)boxes[id].max_y * unit - far);
            if (test_below(100) == 0) boxes[id].min_x = COORD_LOW;
            if (test_below(100) == 0) boxes[id].max_y = COORD_HIGH;
        }
        open_worlds(boxes, n);
        for (i = 0; i < 30; i++) {
            spt_shape shape;
            int count, j;
            test_context(kinds[0], round);
            if (i % 5 == 4) { /* any points in any order */
                count = 1 + test_below(12);
                for (j = 0; j < count; j++) set_point(j, test_below(81) - 40, test_below(81) - 40);
            } else {
                count = draw_hull(1 + test_below(12), i % 3 ? 40 : 2, i % 3 == 1 ? 40 : 3);
            }
            shape = shape_of(count, test_below(2) * test_below(16) * unit);
            if (i == 0) shape.radius = (spt_coord)(200 * unit);
            for (j = 0; j < count; j++)
                set_point(j, (double)points[2 * j] * unit + far,
                          (double)points[2 * j + 1] * unit - far);
            found += check_overlap(boxes, n, &shape, i % 3 ? NULL : &filter);
        }
        close_worlds();
    }
    CHECK(found > rounds * 30);
}

static void a_point_with_a_radius_is_the_circle_of_within(void)
{
    long round, rounds = 300 / test.divisor + 10;
    spt_intlist circle, found;
    int i, k;
    CHECK(spt_intlist_init(&circle, 1) == SPT_OK && spt_intlist_init(&found, 1) == SPT_OK);
    for (round = 0; round < rounds; round++) {
        const spt_coord unit = (spt_coord)(round % 2 ? 0.1 : 1);
        spt_i32 id, n = 1 + test_below(MOST);
        for (id = 0; id < n; id++) {
            boxes[id] = draw_box(30, 4);
            boxes[id].min_x *= unit, boxes[id].min_y *= unit;
            boxes[id].max_x *= unit, boxes[id].max_y *= unit;
        }
        open_worlds(boxes, n);
        for (i = 0; i < 20; i++) {
            spt_box place = draw_box(30, 0);
            spt_shape shape = shape_of(1, 0);
            spt_i32 count = 0;
            test_context("round", round);
            shape.radius = (spt_coord)test_below(20) * unit;
            points[0] = place.min_x = place.max_x = place.min_x * unit;
            points[1] = place.min_y = place.max_y = place.min_y * unit;
            for (id = 0; id < n; id++) {
                const int met = spt_box_within(&place, &boxes[id], shape.radius);
                CHECK(spt_box_meets_shape(&boxes[id], &shape) == met);
                count += met;
            }
            for (k = 0; k < KINDS; k++) {
                CHECK(spt_overlap(&worlds[k], &shape, NULL, &found) == count);
                CHECK(spt_within(&worlds[k], &place, shape.radius, NULL, &circle) == count);
            }
        }
        close_worlds();
    }
    spt_intlist_free(&circle), spt_intlist_free(&found);
}

static void bad_shapes_are_refused_and_leave_an_empty_list(void)
{
    const spt_coord good[8] = {0, 0, 4, 0, 4, 4, 0, 4};
    const spt_coord infinite = COORD_HIGH, nan = infinite - infinite;
    const spt_box box = box_of(0, 0, 1, 1), bad = box_of(1, 0, 0, 1);
    spt_index none;
    spt_intlist found, pairs;
    int way, k;
    memset(&none, 0, sizeof none);
    boxes[0] = box;
    open_worlds(boxes, 1);
    CHECK(spt_intlist_init(&found, 1) == SPT_OK && spt_intlist_init(&pairs, 2) == SPT_OK);
    for (way = 0; way < 12; way++) {
        spt_shape shape = shape_of(4, 0);
        memcpy(points, good, sizeof good);
        CHECK(spt_box_meets_shape(&box, &shape) == 1);
        CHECK(spt_box_meets_shape(&bad, &shape) == SPT_ERR_BOX);
        CHECK(spt_overlap(&none, &shape, NULL, &found) == SPT_ERR_INIT);
        CHECK(spt_overlap(&worlds[0], &shape, NULL, &pairs) == SPT_ERR_LIST);
        if (way == 0) shape.points = NULL;
        if (way == 1) shape.count = 0;
        if (way == 2) shape.count = -1;
        if (way == 3) shape.radius = -1;
        if (way == 4) shape.radius = nan;
        if (way == 5) shape.radius = infinite;
        if (way == 6) points[7] = nan;
        if (way == 7) points[0] = nan;
        if (way == 8) points[4] = infinite;
        if (way == 9) points[5] = -infinite;
        if (way == 10) points[0] = -COORD_MAX, points[2] = COORD_MAX;
        if (way == 11) shape.radius = COORD_MAX;
        test_context("way", way);
        CHECK(spt_box_meets_shape(&box, &shape) == SPT_ERR_ARGUMENT);
        for (k = 0; k < KINDS; k++) {
            const spt_i32 mark = -77;
            CHECK(spt_intlist_push(&found, &mark) >= 0);
            CHECK(spt_overlap(&worlds[k], &shape, NULL, &found) == SPT_ERR_ARGUMENT);
            CHECK(spt_intlist_count(&found) == 0);
            CHECK(spt_overlap(&worlds[k], &shape, NULL, NULL) == SPT_ERR_ARGUMENT);
        }
    }
    spt_intlist_free(&found), spt_intlist_free(&pairs);
    close_worlds();
}

static spt_box many[100000];

/* The window around the shape holds all of the boxes. */
static void only_boxes_at_the_sides_of_a_shape_are_tested(void)
{
    const spt_i32 n = 100000;
    spt_shape shape = shape_of(2, 1);
    spt_i32 id, found;
    int k;
    for (id = 0; id < n; id++) {
        many[id].min_x = (spt_coord)(test_below(1 << 20) / 32.0);
        many[id].min_y = (spt_coord)(test_below(1 << 20) / 32.0);
        many[id].max_x = many[id].min_x + (spt_coord)(test_below(1 << 10) / 32.0);
        many[id].max_y = many[id].min_y + (spt_coord)(test_below(1 << 10) / 32.0);
    }
    open_worlds(many, n);
    set_point(0, 0, 32768), set_point(1, 32768, 0);
    found = check_overlap(many, n, &shape, NULL);
    CHECK(found > 50);
    for (k = 0; k < KINDS; k++) {
        test_context(kinds[k], (long)found);
        work = 0;
        CHECK(spt_overlap(&worlds[k], &shape, NULL, NULL) == found);
        if (getenv("REPORT")) printf("%s: %ld found, %.0f tests\n", kinds[k], (long)found, work);
        CHECK(work < 0.1 * n);
    }
    set_point(0, -9e4, 16384), set_point(1, 16384, -9e4), set_point(2, 1.2e5, 16384);
    set_point(3, 16384, 1.2e5); /* all boxes lie in it: it costs as much as a window */
    shape = shape_of(4, 0);
    for (k = 0; k < KINDS; k++) {
        const spt_box all = box_of(-1, -1, 40000, 40000);
        spt_intlist ids;
        double window;
        CHECK(spt_intlist_init(&ids, 1) == SPT_OK);
        work = 0;
        CHECK(spt_query(&worlds[k], &all, NULL, &ids) == n);
        window = work, work = 0;
        CHECK(spt_overlap(&worlds[k], &shape, NULL, &ids) == n);
        if (getenv("REPORT")) printf("%s: %.0f and %.0f tests\n", kinds[k], work, window);
        CHECK(work < window + 1000);
        spt_intlist_free(&ids);
    }
    close_worlds();
}

static const test_case tests[] = {
    TEST(whole_numbers_are_exact),
    TEST(an_element_just_outside_is_not_taken_with_those_beside_it),
    TEST(without_a_radius_the_order_of_points_does_not_matter),
    TEST(regular_polygons_are_met_but_for_rounding),
    TEST(a_larger_box_meets_as_much),
    TEST(numbers_of_all_sizes_do_not_overflow),
    TEST(every_structure_answers_as_the_loop_does),
    TEST(a_point_with_a_radius_is_the_circle_of_within),
    TEST(bad_shapes_are_refused_and_leave_an_empty_list),
    TEST(only_boxes_at_the_sides_of_a_shape_are_tested)};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
#else
int main(void)
{
    (void)work;
    printf("0 checks: there are no shapes of integers\n");
    return 0;
}
#endif
