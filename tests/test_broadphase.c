/* test_broadphase.c - the pairs of crowds of every shape, compared with brute force. */
#define SPATIAL_NO_LINEAR /* what is not tested here is not compiled */
#define SPATIAL_NO_QUADTREE
#define SPATIAL_NO_LOOSEGRID
#define SPATIAL_NO_PACKED
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"

#define MOST 5000

/* ---- Crowds ---------------------------------------------------------------------------------- */

static double any(double low, double high)
{
    return low + (high - low) * (test_random() >> 8) / 16777216.0;
}

static void uniform(spt_box *boxes, int n)
{
    double world = 10 * sqrt(n + 1.0);
    int i;
    for (i = 0; i < n; i++) {
        double x = any(0, world), y = any(0, world);
        boxes[i] = box_of(x, y, x + any(0, 10), y + any(0, 10));
    }
}

static void clustered(spt_box *boxes, int n)
{
    double centres[8][2];
    int i;
    for (i = 0; i < 8; i++) {
        centres[i][0] = any(-100000, 100000);
        centres[i][1] = any(-100000, 100000);
    }
    for (i = 0; i < n; i++) {
        double x = centres[i % 8][0] + any(0, 300) * any(0, 1);
        double y = centres[i % 8][1] + any(0, 300) * any(0, 1);
        boxes[i] = box_of(x, y, x + any(0, 5), y + any(0, 5));
    }
}

/* Many small ones, few large ones: sizes over nine powers of two. */
static void mixed(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double size = ldexp(1, test_below(10) * test_below(10) / 9);
        double x = any(-2000, 2000), y = any(-2000, 2000);
        boxes[i] = box_of(x, y, x + size, y + any(0, size));
    }
}

static void long_and_thin(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double x = any(0, 3000), y = any(0, 3000), reach = any(0, 500);
        boxes[i] = i % 2 ? box_of(x, y, x + reach, y + 2) : box_of(x, y, x + 2, y + reach);
    }
}

static void coincident(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) boxes[i] = box_of(3, 4, 5, 6);
}

static void one_point(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) boxes[i] = box_of(-7, 9, -7, 9);
}

/* Every box shares its edges and corners with its eight neighbours. */
static void touching_grid(spt_box *boxes, int n)
{
    int i, side = (int)ceil(sqrt(n + 0.0));
    for (i = 0; i < n; i++) {
        int x = i % side, y = i / side;
        boxes[i] = box_of(x * 4, y * 4, x * 4 + 4, y * 4 + 4);
    }
}

static void zero_size(spt_box *boxes, int n)
{
    int i, side = (int)ceil(sqrt(n + 0.0)) + 1;
    for (i = 0; i < n; i++) {
        int x = test_below(side), y = test_below(side);
        boxes[i] = box_of(x, y, x, y);
    }
}

/* Edges from so few numbers that boxes touch and coincide all the time. */
static void few_numbers(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        int x = test_below(24), y = test_below(24);
        boxes[i] = box_of(x, y, x + test_below(2), y + test_below(2));
    }
}

static void infinite_edges(spt_box *boxes, int n)
{
    int i;
    uniform(boxes, n);
    for (i = 0; i < n; i += 1 + test_below(60)) {
        int edges = test_below(16);
        if (edges & 1) boxes[i].min_x = COORD_LOW;
        if (edges & 2) boxes[i].min_y = COORD_LOW;
        if (edges & 4) boxes[i].max_x = COORD_HIGH;
        if (edges & 8) boxes[i].max_y = COORD_HIGH;
    }
}

/* No finite edge at all: the plane, points at infinity, and its borders. */
static void at_infinity(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        boxes[i].min_x = test_below(2) ? COORD_LOW : COORD_HIGH;
        boxes[i].min_y = test_below(2) ? COORD_LOW : COORD_HIGH;
        boxes[i].max_x = test_below(2) ? COORD_HIGH : boxes[i].min_x;
        boxes[i].max_y = test_below(2) ? COORD_HIGH : boxes[i].min_y;
    }
}

/* Finite, but their differences are not. */
static void largest_numbers(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        spt_coord x = COORD_MAX / 64 * (spt_coord)(test_below(128) - 64);
        spt_coord y = COORD_MAX / 64 * (spt_coord)(test_below(128) - 64);
        boxes[i].min_x = x;
        boxes[i].min_y = y;
        boxes[i].max_x = x + COORD_MAX / 64;
        boxes[i].max_y = y + COORD_MAX / 64;
    }
}

static void negative(spt_box *boxes, int n)
{
    int i;
    uniform(boxes, n);
    for (i = 0; i < n; i++) {
        boxes[i].min_x -= 9000;
        boxes[i].max_x -= 9000;
        boxes[i].min_y -= 20000;
        boxes[i].max_y -= 20000;
    }
}

static void huge(spt_box *boxes, int n)
{
    double world = (double)COORD_HUGE, size = world / sqrt(n + 1.0);
    int i;
    for (i = 0; i < n; i++) {
        double x = any(-world, world), y = any(-world, world);
        boxes[i] = box_of(x, y, x + any(0, size), y + any(0, size));
    }
}

#ifndef SPATIAL_INT
static void minute(spt_box *boxes, int n)
{
    int i;
    uniform(boxes, n);
    for (i = 0; i < n; i++) {
        boxes[i].min_x *= (spt_coord)1e-40;
        boxes[i].max_x *= (spt_coord)1e-40;
        boxes[i].min_y *= (spt_coord)1e-40;
        boxes[i].max_y *= (spt_coord)1e-40;
    }
}

/* The least numbers there are: halves of them are zero. */
static void denormal(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        spt_coord x = (spt_coord)test_below(100) * COORD_LEAST;
        spt_coord y = (spt_coord)test_below(100) * COORD_LEAST;
        boxes[i].min_x = x, boxes[i].max_x = x + (spt_coord)test_below(3) * COORD_LEAST;
        boxes[i].min_y = y, boxes[i].max_y = y + (spt_coord)test_below(3) * COORD_LEAST;
    }
}
#endif

/* Close to the largest x, where a cell may end beyond it; all over the plane in y. */
static void high_edge(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double unit = (double)COORD_MAX / 1e6, x = (double)COORD_MAX - unit * test_below(100);
        double y = (double)COORD_MAX / 100 * (test_below(200) - 100);
        boxes[i] = box_of(x - unit, y, x, i % 4 ? y + unit : (double)COORD_MAX);
        if (i % 9 == 0) boxes[i].min_y = COORD_LOW;
    }
}

static void one_outlier(spt_box *boxes, int n)
{
    uniform(boxes, n);
    if (n == 0) return;
    boxes[n / 2].min_x = boxes[n / 2].max_x = COORD_HUGE;
    boxes[n / 2].min_y = boxes[n / 2].max_y = -COORD_HUGE;
}

static void row(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) boxes[i] = box_of(i * 2, 10, i * 2 + 3, 12);
}

static void column(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) boxes[i] = box_of(-5, i * 2, -5, i * 2 + 2);
}

/* Half of them along each middle line, where no small cell holds them. */
static void cross(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double at = any(-n, n), size = any(0, 3);
        boxes[i] = i % 2 ? box_of(at, -size, at + size, size) : box_of(-size, at, size, at + size);
    }
}

/* As wide as the world, one above the other, none touching: all of them overlap in x. */
static void full_width_rows(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        int place = (int)((unsigned)i * 7919u % (unsigned)n);
        boxes[i] = box_of(0, 4 * place, 8.0 * n, 4 * place + 2);
    }
}

/* Rows of the left half, columns of the right half. */
static void rows_and_columns(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++)
        boxes[i] = i % 2 ? box_of(0, 4 * i, 4.0 * n - 2, 4 * i + 2)
                         : box_of(4.0 * n + 4 * i, 0, 4.0 * n + 4 * i + 2, 4.0 * n);
}

/* Columns in the left half of the world and rows in the right half: `columns` of a hundred boxes,
   over this part of the left half; a gap between the halves; and every so many boxes one in the
   place of the other kind. */
static void beside(spt_box *boxes, int n, int columns, double part, double gap, int mixed_every)
{
    const double half = 50000;
    int i;
    for (i = 0; i < n; i++) {
        int column = test_below(100) < columns, away = mixed_every && i % mixed_every == 0;
        double at = any(half * (1 - part), half - gap), along = any(0, half), y = any(0, 2 * half);
        if (away) boxes[i] = column ? box_of(half + at, along, half + at + 2, along + half)
                                    : box_of(0, y, half, y + 2);
        else boxes[i] = column ? box_of(at, along, at + 2, along + half)
                               : box_of(half, y, 2 * half, y + 2);
    }
}

static void columns_beside_rows(spt_box *boxes, int n)
{
    beside(boxes, n, 50, 1, 0, 0);
}

static void columns_and_rows_with_a_gap(spt_box *boxes, int n)
{
    beside(boxes, n, 50, 1, 100, 0);
}

static void many_columns_close_to_rows(spt_box *boxes, int n)
{
    beside(boxes, n, 50, 0.025, 0, 0);
}

static void few_columns_close_to_rows(spt_box *boxes, int n)
{
    beside(boxes, n, 3, 0.025, 0, 0);
}

static void columns_beside_rows_and_some_among_them(spt_box *boxes, int n)
{
    beside(boxes, n, 50, 1, 0, 50);
}

/* Denser, and its boxes smaller, towards the middle: a box overlaps many, and no cells divide them.
   Many of them are at the same place. */
static void heap(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double r = pow(any(0, 1), 8) * 1e6, x = any(-1, 1) * r, y = any(-1, 1) * r;
        boxes[i] = box_of(x, y, x + r / 2, y + r / 2);
        if (i > 0 && i % 16 == 0) boxes[i] = boxes[test_below(i)];
    }
}

/* Frames within frames, each of four bars that meet at the corners. */
static void frames(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double r = 4.0 * (double)(i / 4) + 8;
        boxes[i] = i % 4 == 0   ? box_of(-r, -r, r, -r + 1)
                   : i % 4 == 1 ? box_of(-r, r - 1, r, r)
                   : i % 4 == 2 ? box_of(-r, -r, -r + 1, r)
                                : box_of(r - 1, -r, r, r);
    }
}

#ifndef SPATIAL_INT
/* Of all magnitudes around one point, where no division into equal cells tells them apart. */
static void of_all_magnitudes(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double at = pow(2, 80.0 * (double)(i / 2 + 1) / n), side = i % 2 ? -1 : 1;
        double x = side * at, y = (i / 2 % 2 ? -1 : 1) * at;
        boxes[i] = box_of(x, y, x + at / (16 * n), y + at / (16 * n));
    }
}
#endif

static void nested(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) boxes[i] = box_of(-i, -2 * i, i, 2 * i);
}

/* Each half as far from the corner as the one before: as deep a tree as there can be. */
static void towards_a_corner(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double at = ldexp(1, 28 - i % 30), size = any(0, at / 8);
        boxes[i] = box_of(at, at, at + size, at + size);
    }
}

static void as_large_as_the_world(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) boxes[i] = box_of(i % 3, i % 2, 1000 - i % 5, 500);
}

/* Some that cover all of the others, which lie in heaps of as many as are tested as one group. */
static void heaps_under_a_roof(spt_box *boxes, int n)
{
    int i, roof = n / 3 < 62 ? n / 3 : 62;
    for (i = 0; i < n; i++) {
        int x = i / 32 * 37 % 100 * 10, y = i / 32 * 53 % 100 * 10;
        boxes[i] = i < roof ? box_of(-1, -1, 1001, 1001) : box_of(x, y, x + 1, y + 1);
    }
}

static void diagonal(spt_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) boxes[i] = box_of(i * 3, i * 3, i * 3 + 3, i * 3 + 3);
}

static const struct crowd {
    const char *name;
    void (*fill)(spt_box *boxes, int n);
    int most; /* boxes, where almost all overlap each other */
} crowds[] = {
    {"uniform", uniform, MOST},
    {"clustered", clustered, MOST},
    {"mixed", mixed, MOST},
    {"long and thin", long_and_thin, MOST},
    {"coincident", coincident, 1000},
    {"one point", one_point, 1000},
    {"touching grid", touching_grid, MOST},
    {"zero size", zero_size, MOST},
    {"few numbers", few_numbers, MOST},
    {"infinite edges", infinite_edges, MOST},
    {"at infinity", at_infinity, 1000},
    {"largest numbers", largest_numbers, MOST},
    {"negative", negative, MOST},
    {"huge", huge, MOST},
#ifndef SPATIAL_INT
    {"minute", minute, MOST},
    {"denormal", denormal, 1000},
#endif
    {"one outlier", one_outlier, MOST},
    {"row", row, MOST},
    {"column", column, MOST},
    {"cross", cross, MOST},
    {"full-width rows", full_width_rows, MOST},
    {"rows and columns", rows_and_columns, MOST},
    {"columns beside rows", columns_beside_rows, MOST},
    {"columns and rows with a gap", columns_and_rows_with_a_gap, MOST},
    {"many columns close to rows", many_columns_close_to_rows, MOST},
    {"few columns close to rows", few_columns_close_to_rows, MOST},
    {"columns beside rows, mixed", columns_beside_rows_and_some_among_them, MOST},
    {"heap", heap, MOST},
    {"frames", frames, MOST},
#ifndef SPATIAL_INT
    {"of all magnitudes", of_all_magnitudes, MOST},
#endif
    {"nested", nested, 1000},
    {"towards a corner", towards_a_corner, 1000},
    {"as large as the world", as_large_as_the_world, 1000},
    {"heaps under a roof", heaps_under_a_roof, MOST},
    {"high edge", high_edge, 1000},
    {"diagonal", diagonal, MOST},
};

static const int sizes[] = {0, 1, 2, 3, 31, 32, 33, 34, 64, 65, 129, 1000, MOST};

/* ---- Brute force ----------------------------------------------------------------------------- */

static long brute_pairs(const spt_box *boxes, int n)
{
    long count = 0;
    int a, b;
    for (a = 0; a < n; a++)
        for (b = a + 1; b < n; b++) count += brute_overlap(&boxes[a], &boxes[b]);
    return count;
}

static long brute_between(const spt_box *a, int na, const spt_box *b, int nb)
{
    long count = 0;
    int i, j;
    for (i = 0; i < na; i++)
        for (j = 0; j < nb; j++) count += brute_overlap(&a[i], &b[j]);
    return count;
}

/* One bit for every pair that there can be. Returns whether it was set before. */
static int set_bit(unsigned char *bits, size_t bit)
{
    int mask = 1 << (bit & 7), was = (bits[bit >> 3] & mask) != 0;
    bits[bit >> 3] = (unsigned char)(bits[bit >> 3] | mask);
    return was;
}

/* Whether the records of out are different pairs that overlap, smaller index first if there is one
   set only. With the right number of them, they are the right set. */
static int pairs_are_sound(const spt_intlist *out, const spt_box *a, int na, const spt_box *b,
                           int nb)
{
    const spt_i32 *record = spt_intlist_data(out);
    unsigned char *bits = (unsigned char *)calloc((size_t)na * (size_t)nb / 8 + 1, 1);
    int sound = bits != NULL;
    spt_i32 i;
    for (i = 0; sound && i < spt_intlist_count(out); i++, record += 2) {
        sound = record[0] >= 0 && record[0] < na && record[1] >= 0 && record[1] < nb &&
                (a != b || record[0] < record[1]) &&
                brute_overlap(&a[record[0]], &b[record[1]]) &&
                !set_bit(bits, (size_t)record[0] * (size_t)nb + (size_t)record[1]);
    }
    free(bits);
    return sound;
}

static void open_pairs(spt_broadphase *bp, spt_intlist *out)
{
    CHECK(spt_broadphase_init(bp, NULL) == SPT_OK);
    CHECK(spt_intlist_init(out, 2) == SPT_OK);
}

static void close_pairs(spt_broadphase *bp, spt_intlist *out)
{
    spt_broadphase_free(bp);
    spt_intlist_free(out);
}

static spt_box first_set[MOST], second_set[MOST];

/* ---- One set --------------------------------------------------------------------------------- */

static void check_pairs(spt_broadphase *bp, const spt_box *boxes, int n, spt_intlist *out)
{
    oracle_cells cells = {0, 0, 0};
    spt_i32 result = spt_broadphase_pairs(bp, boxes, n, NULL, out);
    CHECK(result == brute_pairs(boxes, n));
    CHECK(result == spt_intlist_count(out));
    CHECK(pairs_are_sound(out, boxes, n, boxes, n));
    CHECK(spt_broadphase_pairs(bp, boxes, n, NULL, NULL) == result);
    CHECK(spt_broadphase_traverse(bp, oracle_on_cell, &cells) == 0);
    CHECK(cells.elements == n);
    if (cells.cells == 0) return;
    cells.stop_at = cells.cells;
    cells.cells = 0;
    CHECK(spt_broadphase_traverse(bp, oracle_on_cell, &cells) == ORACLE_STOP);
}

static void all_pairs_of_every_crowd_are_found_once(void)
{
    spt_broadphase bp;
    spt_intlist out;
    int crowd, size;
    open_pairs(&bp, &out);
    for (crowd = 0; crowd < TEST_COUNT(crowds); crowd++)
        for (size = 0; size < TEST_COUNT(sizes); size++) {
            int n = sizes[size];
            if (n > crowds[crowd].most || n > test_scale(20 * MOST)) continue;
            test_context(crowds[crowd].name, n);
            crowds[crowd].fill(first_set, n);
            check_pairs(&bp, first_set, n, &out);
        }
    close_pairs(&bp, &out);
}

static void all_pairs_of_every_small_number_are_found(void)
{
    spt_broadphase bp;
    spt_intlist out;
    int crowd, n, most = test_scale(3000) < 150 ? 70 : 150;
    open_pairs(&bp, &out);
    for (crowd = 0; crowd < TEST_COUNT(crowds); crowd++)
        for (n = 0; n <= most; n++) {
            test_context(crowds[crowd].name, n);
            crowds[crowd].fill(first_set, n);
            check_pairs(&bp, first_set, n, &out);
        }
    close_pairs(&bp, &out);
}

/* Halves and quarters of other crowds, so that no shape rules alone. */
static void all_pairs_of_crowds_thrown_together_are_found(void)
{
    spt_broadphase bp;
    spt_intlist out;
    int round, i, rounds = test_scale(100);
    open_pairs(&bp, &out);
    for (round = 0; round < rounds; round++) {
        int n = 4 * (1 + test_below(150));
        test_context("thrown together", round);
        for (i = 0; i < 4; i++)
            crowds[test_below(TEST_COUNT(crowds))].fill(first_set + i * n / 4, n / 4);
        check_pairs(&bp, first_set, n, &out);
    }
    close_pairs(&bp, &out);
}

static void the_order_is_the_same_every_time_and_at_every_capacity(void)
{
    spt_broadphase grown, fixed, roomy;
    spt_broadphase_desc desc;
    spt_intlist first, again;
    int crowd, n = test_scale(20000) < 1000 ? 300 : 1000;
    memset(&desc, 0, sizeof desc);
    open_pairs(&grown, &first);
    CHECK(spt_intlist_init(&again, 2) == SPT_OK);
    desc.capacity = n;
    CHECK(spt_broadphase_init(&fixed, &desc) == SPT_OK);
    desc.capacity = 3 * n + 7;
    CHECK(spt_broadphase_init(&roomy, &desc) == SPT_OK);
    for (crowd = 0; crowd < TEST_COUNT(crowds); crowd++) {
        spt_broadphase *others[3];
        int i;
        others[0] = &grown, others[1] = &fixed, others[2] = &roomy;
        test_context(crowds[crowd].name, n);
        crowds[crowd].fill(first_set, n);
        CHECK(spt_broadphase_pairs(&grown, first_set, n, NULL, &first) >= 0);
        for (i = 0; i < 3; i++) {
            CHECK(spt_broadphase_pairs(others[i], first_set, n, NULL, &again) >= 0);
            CHECK(same_results(&first, &again));
        }
    }
    close_pairs(&grown, &first);
    close_pairs(&fixed, &again);
    spt_broadphase_free(&roomy);
}

static void results_replace_what_the_list_held(void)
{
    static const spt_i32 before[3][2] = {{9, 8}, {-1, -2}, {5, 5}};
    spt_broadphase bp;
    spt_intlist out, fresh;
    spt_i32 n, i;
    open_pairs(&bp, &out);
    CHECK(spt_intlist_init(&fresh, 2) == SPT_OK);
    for (i = 0; i < 3; i++) spt_intlist_push(&out, before[i]);
    uniform(first_set, 200);
    n = spt_broadphase_pairs(&bp, first_set, 200, NULL, &out);
    CHECK(n > 3 && spt_broadphase_pairs(&bp, first_set, 200, NULL, &fresh) == n);
    CHECK(same_results(&out, &fresh));
    CHECK(spt_broadphase_pairs_between(&bp, first_set, 1, first_set, 1, NULL, &out) == 1);
    CHECK(spt_intlist_count(&out) == 1 && spt_intlist_get(&out, 0, 1) == 0);
    CHECK(spt_broadphase_pairs_between(&bp, first_set, 1, first_set, 0, NULL, &out) == 0);
    CHECK(spt_intlist_count(&out) == 0); /* by no results, too */
    for (i = 0; i < 3; i++) spt_intlist_push(&out, before[i]);
    CHECK(spt_broadphase_pairs(&bp, first_set, 1, NULL, &out) == 0 && spt_intlist_count(&out) == 0);
    spt_intlist_free(&fresh);
    close_pairs(&bp, &out);
}

/* ---- Two sets -------------------------------------------------------------------------------- */

static void check_between(spt_broadphase *bp, int na, int nb, spt_intlist *out)
{
    spt_i32 result = spt_broadphase_pairs_between(bp, first_set, na, second_set, nb, NULL, out);
    CHECK(result == brute_between(first_set, na, second_set, nb));
    CHECK(result == spt_intlist_count(out));
    CHECK(pairs_are_sound(out, first_set, na, second_set, nb));
    CHECK(spt_broadphase_pairs_between(bp, first_set, na, second_set, nb, NULL, NULL) == result);
}

static void all_pairs_between_two_crowds_are_found_once(void)
{
    static const int pairs_of_sizes[][2] = {{100, 100}, {20, 12}, {1000, 3},
                                            {2, 700},   {1, 1},   {33, 64}};
    spt_broadphase bp;
    spt_intlist out;
    int a, b, s;
    open_pairs(&bp, &out);
    for (a = 0; a < TEST_COUNT(crowds); a++)
        for (b = 0; b < TEST_COUNT(crowds); b++)
            for (s = 0; s < TEST_COUNT(pairs_of_sizes); s++) {
                int na = pairs_of_sizes[s][0], nb = pairs_of_sizes[s][1];
                if (na * nb > test_scale(20 * 20000)) continue;
                test_context(crowds[a].name, b);
                crowds[a].fill(first_set, na);
                crowds[b].fill(second_set, nb);
                check_between(&bp, na, nb, &out);
            }
    close_pairs(&bp, &out);
}

static int accept_apart(void *ctx, spt_i32 id, spt_i32 other) SPT_CALLBACK
{
    (void)ctx;
    return other == SPT_NONE || (id ^ other) % 3 != 0;
}

/* Where neither cells nor stripes divide the boxes, other loops find the pairs: these must hand
   them to the list, to the counter and to the filter alike. */
static void pairs_in_crowds_that_nothing_divides_pass_the_filter(void)
{
    static void (*const fills[])(spt_box *boxes, int n) = {heap, coincident, nested, frames,
                                                           columns_beside_rows_and_some_among_them};
    const int n = test_scale(40000) < 2000 ? 1500 : 2000, na = 900, nb = 1100;
    spt_u32 categories[2000];
    spt_filter filter;
    spt_broadphase bp;
    spt_intlist out;
    int f, i, j;
    memset(&filter, 0, sizeof filter);
    filter.categories = categories, filter.mask = 3;
    filter.accept = accept_apart;
    for (i = 0; i < 2000; i++) categories[i] = (spt_u32)(i % 5);
    open_pairs(&bp, &out);
    for (f = 0; f < TEST_COUNT(fills); f++) {
        spt_i32 one = 0, two = 0;
        fills[f](first_set, n);
        fills[(f + 1) % TEST_COUNT(fills)](second_set, nb);
        for (i = 0; i < n; i++)
            for (j = i + 1; j < n; j++)
                one += brute_overlap(&first_set[i], &first_set[j]) &&
                       brute_accepts_pair(&filter, i, j);
        for (i = 0; i < na; i++)
            for (j = 0; j < nb; j++)
                two += brute_overlap(&first_set[i], &second_set[j]) &&
                       brute_accepts_pair(&filter, i, na + j);
        test_context("filter", f);
        CHECK(spt_broadphase_pairs(&bp, first_set, n, &filter, &out) == one);
        CHECK(spt_intlist_count(&out) == one && pairs_are_sound(&out, first_set, n, first_set, n));
        for (i = 0; i < one; i++)
            CHECK(brute_accepts_pair(&filter, spt_intlist_get(&out, i, 0),
                                     spt_intlist_get(&out, i, 1)));
        CHECK(spt_broadphase_pairs(&bp, first_set, n, &filter, NULL) == one);
        CHECK(spt_broadphase_pairs_between(&bp, first_set, na, second_set, nb, &filter, &out) ==
              two);
        CHECK(pairs_are_sound(&out, first_set, na, second_set, nb));
        CHECK(spt_broadphase_pairs_between(&bp, first_set, na, second_set, nb, &filter, NULL) ==
              two);
        check_between(&bp, n, nb, &out);
    }
    close_pairs(&bp, &out);
}

static void sets_of_very_different_sizes_meet(void)
{
    static const int counts[] = {0, 1, 2, 31, 32, 33, 500, 5000};
    spt_broadphase bp;
    spt_intlist out;
    int a, b;
    open_pairs(&bp, &out);
    for (a = 0; a < TEST_COUNT(counts); a++)
        for (b = 0; b < TEST_COUNT(counts); b++) {
            if (counts[a] * counts[b] > test_scale(2500000)) continue;
            test_context("sizes", counts[a] * 10000L + counts[b]);
            mixed(first_set, counts[a]);
            mixed(second_set, counts[b]);
            check_between(&bp, counts[a], counts[b], &out);
        }
    close_pairs(&bp, &out);
}

static void a_set_meets_itself_in_both_orders_and_each_box_itself(void)
{
    spt_broadphase bp;
    spt_intlist out;
    int n = 300;
    open_pairs(&bp, &out);
    clustered(first_set, n);
    memcpy(second_set, first_set, sizeof first_set);
    check_between(&bp, n, n, &out);
    CHECK(spt_intlist_count(&out) == 2 * brute_pairs(first_set, n) + n);
    close_pairs(&bp, &out);
}

static void empty_sets_have_no_pairs(void)
{
    spt_broadphase bp;
    spt_intlist out;
    open_pairs(&bp, &out);
    uniform(first_set, 40);
    CHECK(spt_broadphase_pairs(&bp, first_set, 0, NULL, &out) == 0);
    CHECK(spt_broadphase_pairs(&bp, NULL, 0, NULL, &out) == 0);
    CHECK(spt_broadphase_pairs_between(&bp, NULL, 0, NULL, 0, NULL, &out) == 0);
    CHECK(spt_broadphase_pairs_between(&bp, first_set, 40, NULL, 0, NULL, &out) == 0);
    CHECK(spt_broadphase_pairs_between(&bp, NULL, 0, first_set, 40, NULL, &out) == 0);
    CHECK(spt_intlist_count(&out) == 0);
    close_pairs(&bp, &out);
}

/* ---- Errors ---------------------------------------------------------------------------------- */

/* A record for the call that is to fail, which must leave the list empty. */
static void fill_again(spt_intlist *out)
{
    spt_intlist_clear(out);
    CHECK(spt_intlist_push(out, NULL) == 0);
}

/* After a call that failed there is nothing to traverse. */
static void check_nothing_is_left(spt_broadphase *bp)
{
    oracle_cells cells = {0, 0, 0};
    CHECK(spt_broadphase_traverse(bp, oracle_on_cell, &cells) == 0);
    CHECK(cells.cells == 0 && cells.elements == 0);
}

/* Makes cells before the call that is to fail; n boxes of the first set. */
static void leave_something(spt_broadphase *bp, int n)
{
    oracle_cells cells = {0, 0, 0};
    CHECK(spt_broadphase_pairs(bp, first_set, n, NULL, NULL) >= 0);
    CHECK(spt_broadphase_traverse(bp, oracle_on_cell, &cells) == 0);
    CHECK(cells.cells > 0 && cells.elements == n);
}

static void a_bad_box_at_any_place_is_refused(void)
{
    static const int counts[] = {1, 2, 20, 40, 200, MOST};
    spt_broadphase bp;
    spt_intlist out;
    int c, n, i, places, call, result;
    open_pairs(&bp, &out);
    for (c = 0; c < TEST_COUNT(counts); c++) {
        n = counts[c], places = n < MOST ? n : 2;
        test_context("boxes", n);
        for (i = 0; i < BAD_BOXES * places; i++)
            for (call = 0; call < 3; call++) {
                uniform(first_set, n);
                memcpy(second_set, first_set, (size_t)n * sizeof *first_set);
                second_set[n - 1 - i % places] = bad_box(&first_set[i % n], i / places);
                leave_something(&bp, n);
                fill_again(&out);
                result = call == 0   ? (int)spt_broadphase_pairs(&bp, second_set, n, NULL, &out)
                         : call == 1 ? (int)spt_broadphase_pairs_between(&bp, second_set, n,
                                                                         first_set, 0, NULL, &out)
                                     : (int)spt_broadphase_pairs_between(&bp, first_set, 1,
                                                                         second_set, n, NULL, &out);
                CHECK(result == SPT_ERR_BOX && spt_intlist_count(&out) == 0);
                check_nothing_is_left(&bp);
            }
    }
    close_pairs(&bp, &out);
}

static void bad_arguments_are_refused(void)
{
    spt_broadphase_desc desc;
    spt_broadphase bp;
    spt_intlist out, wrong;
    spt_i32 fields;
    open_pairs(&bp, &out);
    uniform(first_set, 40);
#define REFUSED(call, error, list)                                                                 \
    leave_something(&bp, 40);                                                                      \
    fill_again(&(list));                                                                           \
    CHECK((call) == (error) && spt_intlist_count(&(list)) == 0);                                   \
    check_nothing_is_left(&bp)
    REFUSED(spt_broadphase_pairs(&bp, first_set, -1, NULL, &out), SPT_ERR_ARGUMENT, out);
    REFUSED(spt_broadphase_pairs(&bp, first_set, INT32_MIN, NULL, &out), SPT_ERR_ARGUMENT, out);
    REFUSED(spt_broadphase_pairs_between(&bp, first_set, -1, first_set, 9, NULL, &out),
            SPT_ERR_ARGUMENT, out);
    REFUSED(spt_broadphase_pairs_between(&bp, first_set, 9, first_set, -1, NULL, &out),
            SPT_ERR_ARGUMENT, out);
    for (fields = 1; fields <= 4; fields++) {
        if (fields == 2) continue;
        CHECK(spt_intlist_init(&wrong, fields) == SPT_OK);
        REFUSED(spt_broadphase_pairs(&bp, first_set, 40, NULL, &wrong), SPT_ERR_LIST, wrong);
        REFUSED(spt_broadphase_pairs(&bp, first_set, 0, NULL, &wrong), SPT_ERR_LIST, wrong);
        REFUSED(spt_broadphase_pairs_between(&bp, first_set, 9, first_set, 9, NULL, &wrong),
                SPT_ERR_LIST, wrong);
        spt_intlist_free(&wrong);
    }
#undef REFUSED
    close_pairs(&bp, &out);
    memset(&desc, 0, sizeof desc);
    desc.capacity = -1;
    CHECK(spt_broadphase_init(&bp, &desc) == SPT_ERR_ARGUMENT);
    CHECK(spt_broadphase_bytes_for(&desc) == 0);
}

static void more_boxes_than_the_capacity_are_refused(void)
{
    static const spt_i32 capacities[] = {1, 2, 31, 32, 33, 100};
    int i;
    uniform(first_set, 200);
    for (i = 0; i < TEST_COUNT(capacities); i++) {
        spt_i32 n = capacities[i];
        spt_broadphase_desc desc;
        spt_broadphase bp;
        spt_intlist out;
        memset(&desc, 0, sizeof desc);
        desc.capacity = n;
        CHECK(spt_broadphase_init(&bp, &desc) == SPT_OK);
        CHECK(spt_intlist_init(&out, 2) == SPT_OK);
        leave_something(&bp, (int)n);
        fill_again(&out);
        CHECK(spt_broadphase_pairs(&bp, first_set, n + 1, NULL, &out) == SPT_ERR_FULL);
        CHECK(spt_intlist_count(&out) == 0);
        check_nothing_is_left(&bp);
        fill_again(&out);
        CHECK(spt_broadphase_pairs_between(&bp, first_set, n, first_set, 1, NULL,
                                           &out) == SPT_ERR_FULL);
        CHECK(spt_broadphase_pairs_between(&bp, first_set, 1, first_set, n, NULL,
                                           &out) == SPT_ERR_FULL);
        CHECK(spt_intlist_count(&out) == 0);
        check_pairs(&bp, first_set, (int)n, &out);
        CHECK(spt_broadphase_pairs_between(&bp, first_set, n / 2, first_set, n - n / 2, NULL,
                                           &out) >= 0);
        close_pairs(&bp, &out);
    }
}

/* ---- Cells ----------------------------------------------------------------------------------- */

#define MANY 40000
#define ROW 1200000 /* makes a tree of 12 levels: its finest cells have 256 boxes or more */

typedef struct told_cells {
    int n;
    int levels[8192]; /* 2^SPTI_BITS finest cells and those above have room */
    spt_i32 counts[8192];
} told_cells;

static int tell_cell(void *ctx, const spt_box *box, int level, spt_i32 count) SPT_CALLBACK
{
    told_cells *told = (told_cells *)ctx;
    (void)box;
    if (!CHECK(told->n < TEST_COUNT(told->levels))) return 1;
    told->levels[told->n] = level;
    told->counts[told->n++] = count;
    return 0;
}

/* A cell is divided if more boxes are in it than are tested as one group, and only then. */
static void cells_are_divided_where_there_are_many(void)
{
    static spt_box boxes[MANY];
    static told_cells told;
    spt_broadphase bp;
    spt_intlist out;
    int i, k, n, divided = 0, finest;
    open_pairs(&bp, &out);
    for (i = 0; i < MANY; i++) {
        int x = i * 7919 % 40009, y = (int)((long)i * 10473 % 40013);
        boxes[i] = i % 2 ? box_of(x, y, x, y) : box_of(x / 8, y / 8, x / 8, y / 8);
    }
    for (n = MANY; n >= 20; n /= 3) {
        const spt_i32 leaf = spti_leaf_for(n);
        test_context("boxes", n);
        CHECK(spt_broadphase_pairs(&bp, boxes, n, NULL, &out) >= 0);
        told.n = 0;
        CHECK(spt_broadphase_traverse(&bp, tell_cell, &told) == 0);
        for (i = finest = 0; i < told.n; i++)
            if (told.levels[i] > finest) finest = told.levels[i];
        for (i = 0; i < told.n; i++) {
            spt_i32 below = told.counts[i];
            for (k = i + 1; k < told.n && told.levels[k] > told.levels[i]; k++)
                below += told.counts[k];
            if (k > i + 1) CHECK(below > leaf);
            else CHECK(below <= leaf || told.levels[i] == finest);
            divided += k > i + 1;
        }
    }
    CHECK(divided > 0);
    close_pairs(&bp, &out);
}

/* Each box touches the next two. Where programs are slow there are fewer, and levels. */
static void a_row_of_a_million_boxes_is_a_tree_of_twelve_levels(void)
{
    const int n = test.divisor <= 40 ? ROW : 3000;
    spt_box *boxes = (spt_box *)malloc(sizeof *boxes * (size_t)n);
    spt_broadphase bp;
    spt_intlist out;
    int i;
    if (!CHECK(boxes)) return;
    open_pairs(&bp, &out);
    for (i = 0; i < n; i++) boxes[i] = box_of(0, i, 65536, i + 2);
    CHECK(spt_broadphase_pairs(&bp, boxes, n, NULL, &out) == 2 * n - 3);
    if (n == ROW && SPTI_CELL == 256)
        CHECK(((const spti_walk *)(const void *)bp.block)->trees->levels == SPTI_BITS);
    close_pairs(&bp, &out);
    free(boxes);
}

static void nothing_is_left_when_memory_ran_out(void)
{
    test_memory memory, memory_of_list;
    spt_allocator lists;
    spt_broadphase_desc desc;
    spt_broadphase bp;
    spt_intlist out;
    int n = 2000;
    memset(&desc, 0, sizeof desc);
    test_memory_open(&memory, &desc.allocator);
    test_memory_open(&memory_of_list, &lists);
    CHECK(spt_broadphase_init(&bp, &desc) == SPT_OK);
    CHECK(spt_intlist_init_with(&out, 2, &lists) == SPT_OK);
    uniform(first_set, MOST);
    /* for the scratch */
    leave_something(&bp, n);
    fill_again(&out);
    memory.fail_at = memory.calls + 1;
    CHECK(spt_broadphase_pairs(&bp, first_set, MOST, NULL, &out) == SPT_ERR_MEMORY);
    CHECK(spt_intlist_count(&out) == 0);
    check_nothing_is_left(&bp);
    leave_something(&bp, n);
    fill_again(&out);
    memory.fail_at = memory.calls + 1;
    CHECK(spt_broadphase_pairs_between(&bp, first_set, n, first_set, n, NULL,
                                       &out) == SPT_ERR_MEMORY);
    CHECK(spt_intlist_count(&out) == 0);
    check_nothing_is_left(&bp);
    CHECK(memory.failures == 2);
    /* for the list */
    coincident(first_set, n);
    leave_something(&bp, n);
    memory_of_list.limit = memory_of_list.bytes + 10000;
    fill_again(&out);
    CHECK(spt_broadphase_pairs(&bp, first_set, n, NULL, &out) == SPT_ERR_MEMORY);
    CHECK(spt_intlist_count(&out) == 0);
    check_nothing_is_left(&bp);
    leave_something(&bp, n);
    fill_again(&out);
    CHECK(spt_broadphase_pairs_between(&bp, first_set, n / 2, first_set, n / 2, NULL, &out) ==
          SPT_ERR_MEMORY);
    CHECK(spt_intlist_count(&out) == 0);
    check_nothing_is_left(&bp);
    memory_of_list.limit = 0;
    check_pairs(&bp, first_set, 300, &out); /* and both go on working */
    close_pairs(&bp, &out);
    CHECK(memory.bytes == 0 && memory_of_list.bytes == 0);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void a_broadphase_of_zero_bytes_may_be_freed(void)
{
    spt_broadphase bp;
    memset(&bp, 0, sizeof bp);
    spt_broadphase_free(&bp);
    CHECK(spt_broadphase_bytes(&bp) == 0);
    CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK);
    CHECK(spt_broadphase_bytes(&bp) == 0);
    spt_broadphase_free(&bp);
    spt_broadphase_free(&bp);
}

/* The header promises room by n alone, however the boxes lie: filtering must not ask for more. */
static void a_second_call_of_the_same_size_allocates_nothing(void)
{
    test_memory memory;
    long calls = 0;
    spt_broadphase_desc desc;
    spt_broadphase bp;
    spt_intlist out;
    int crowd, n = 1000;
    memset(&desc, 0, sizeof desc);
    test_memory_open(&memory, &desc.allocator);
    CHECK(spt_broadphase_init(&bp, &desc) == SPT_OK && memory.calls == 0);
    CHECK(spt_intlist_init(&out, 2) == SPT_OK);
    for (crowd = 0; crowd < TEST_COUNT(crowds); crowd++) {
        test_context(crowds[crowd].name, n);
        crowds[crowd].fill(first_set, n);
        CHECK(spt_broadphase_pairs(&bp, first_set, n, NULL, &out) >= 0);
        if (crowd == 0) calls = memory.calls;
        CHECK(spt_broadphase_pairs(&bp, first_set, n / 2, NULL, &out) >= 0);
        CHECK(spt_broadphase_pairs_between(&bp, first_set, n / 2, first_set, n / 2, NULL,
                                           &out) >= 0);
        CHECK(memory.calls == calls);
        CHECK(memory.bytes == spt_broadphase_bytes(&bp));
    }
    close_pairs(&bp, &out);
    CHECK(memory.bytes == 0);
}

/* ---- Ten thousand on one point --------------------------------------------------------------- */

#define PILE 10000
#define PILE_PAIRS 49995000 /* PILE * (PILE - 1) / 2 */

static spt_box pile[PILE];

static void ten_thousand_on_one_point_give_all_pairs(void)
{
    spt_broadphase bp;
    spt_intlist out;
    int i;
    if (test.divisor > 1) return; /* 400 MB of pairs */
    open_pairs(&bp, &out);
    for (i = 0; i < PILE; i++) pile[i] = box_of(12, 34, 12, 34);
    if (spt_intlist_reserve(&out, PILE_PAIRS) == SPT_OK) {
        CHECK(spt_broadphase_pairs(&bp, pile, PILE, NULL, &out) == PILE_PAIRS);
        CHECK(spt_intlist_count(&out) == PILE_PAIRS);
        CHECK(pairs_are_sound(&out, pile, PILE, pile, PILE));
    }
    close_pairs(&bp, &out);
}

static void the_example_of_the_header_holds(void)
{
    static const spt_box boxes[3] = {{0, 0, 2, 2}, {1, 1, 3, 3}, {5, 5, 6, 6}};
    static const spt_box others[2] = {{5, 5, 6, 6}, {2, 2, 3, 3}};
    spt_broadphase bp;
    spt_intlist out;
    open_pairs(&bp, &out);
    CHECK(spt_broadphase_pairs(&bp, boxes, 3, NULL, &out) == 1);
    CHECK(spt_intlist_get(&out, 0, 0) == 0 && spt_intlist_get(&out, 0, 1) == 1);
    CHECK(spt_broadphase_pairs_between(&bp, boxes, 1, others, 2, NULL, &out) == 1);
    CHECK(spt_intlist_count(&out) == 1);
    CHECK(spt_intlist_get(&out, 0, 0) == 0 && spt_intlist_get(&out, 0, 1) == 1);
    close_pairs(&bp, &out);
}

static const test_case tests[] = {
    TEST(the_example_of_the_header_holds),
    TEST(all_pairs_of_every_crowd_are_found_once),
    TEST(all_pairs_of_every_small_number_are_found),
    TEST(all_pairs_of_crowds_thrown_together_are_found),
    TEST(the_order_is_the_same_every_time_and_at_every_capacity),
    TEST(results_replace_what_the_list_held),
    TEST(all_pairs_between_two_crowds_are_found_once),
    TEST(pairs_in_crowds_that_nothing_divides_pass_the_filter),
    TEST(sets_of_very_different_sizes_meet),
    TEST(a_set_meets_itself_in_both_orders_and_each_box_itself),
    TEST(empty_sets_have_no_pairs),
    TEST(bad_arguments_are_refused),
    TEST(more_boxes_than_the_capacity_are_refused),
    TEST(cells_are_divided_where_there_are_many),
    TEST(a_row_of_a_million_boxes_is_a_tree_of_twelve_levels),
    TEST(a_bad_box_at_any_place_is_refused),
    TEST(nothing_is_left_when_memory_ran_out),
    TEST(a_broadphase_of_zero_bytes_may_be_freed),
    TEST(a_second_call_of_the_same_size_allocates_nothing),
    TEST(ten_thousand_on_one_point_give_all_pairs),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
