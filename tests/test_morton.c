/* test_morton.c - the arithmetic of the complete quadtree, exhaustively where that is possible and
   against the definitions, which need loops and recursion. */
#define SPATIAL_NO_BROADPHASE /* what is not tested here is not compiled */
#define SPATIAL_NO_LINEAR
#define SPATIAL_NO_QUADTREE
#define SPATIAL_NO_LOOSEGRID
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "test.h"

static spt_u32 interleave_by_bits(spt_u32 x, spt_u32 y)
{
    spt_u32 code = 0;
    int bit;
    for (bit = 0; bit < 16; bit++) {
        code |= (x >> bit & 1u) << (2 * bit);
        code |= (y >> bit & 1u) << (2 * bit + 1);
    }
    return code;
}

static void check_one_code(spt_u32 x, spt_u32 y)
{
    spt_u32 code = interleave_by_bits(x, y), back_x = ~x, back_y = ~y;
    CHECK(spt_morton_interleave(x, y) == code);
    spt_morton_deinterleave(code, &back_x, &back_y);
    CHECK(back_x == x && back_y == y);
}

static void codes_interleave_the_bits(void)
{
    spt_u32 x, y;
    for (y = 0; y < 256; y++)
        for (x = 0; x < 256; x++) {
            check_one_code(x, y);
            check_one_code(x << 8, y << 8);
        }
    CHECK(spt_morton_interleave(3, 1) == 7);
    CHECK(spt_morton_interleave(0xFFFF, 0) == 0x55555555u);
    CHECK(spt_morton_interleave(0, 0xFFFF) == 0xAAAAAAAAu);
    CHECK(spt_morton_interleave(0xFFFF, 0xFFFF) == 0xFFFFFFFFu);
}

static void random_codes_interleave_the_bits(void)
{
    int i, n = test_scale(100000);
    for (i = 0; i < n; i++) check_one_code(test_random() >> 16, test_random() >> 16);
}

static void bits_above_the_sixteenth_are_ignored(void)
{
    int i;
    for (i = 0; i < 1000; i++) {
        spt_u32 x = test_random(), y = test_random();
        CHECK(spt_morton_interleave(x, y) == interleave_by_bits(x & 0xFFFFu, y & 0xFFFFu));
    }
}

/* The definition: go down from the root as long as one child holds both corners. */
static int smallest_cell(spt_u32 x0, spt_u32 y0, spt_u32 x1, spt_u32 y1, int levels, spt_u32 *code)
{
    spt_u32 left = 0, bottom = 0, size = (spt_u32)1 << levels;
    int level = 0;
    *code = 0;
    while (size > 1) {
        spt_u32 half = size / 2;
        spt_u32 right = x0 >= left + half, upper = y0 >= bottom + half;
        if ((x1 >= left + half) != right || (y1 >= bottom + half) != upper) break;
        left += right * half;
        bottom += upper * half;
        *code = *code * 4 + upper * 2 + right;
        size = half;
        level++;
    }
    return level;
}

static void check_cell(spt_u32 x0, spt_u32 y0, spt_u32 x1, spt_u32 y1, int levels)
{
    spt_u32 expected_code, code = ~(spt_u32)0;
    int expected_level = smallest_cell(x0, y0, x1, y1, levels, &expected_code);
    int level = spt_morton_cell(x0, y0, x1, y1, levels, &code);
    if (!CHECK(level == expected_level && code == expected_code))
        fprintf(stderr, "    box (%lu,%lu)-(%lu,%lu), %d levels\n", (unsigned long)x0,
                (unsigned long)y0, (unsigned long)x1, (unsigned long)y1, levels);
}

static void cells_are_the_smallest_that_hold_the_box(void)
{
    spt_u32 x0, y0, x1, y1;
    for (y0 = 0; y0 < 32; y0++)
        for (x0 = 0; x0 < 32; x0++)
            for (y1 = y0; y1 < 32; y1++)
                for (x1 = x0; x1 < 32; x1++) check_cell(x0, y0, x1, y1, 5);
}

static void the_order_of_the_corners_makes_no_difference(void)
{
    int i, n = test_scale(50000);
    for (i = 0; i < n; i++) {
        int levels = test_below(16), reach = 1 << levels;
        spt_u32 x0 = (spt_u32)test_below(reach), y0 = (spt_u32)test_below(reach);
        spt_u32 x1 = (spt_u32)test_below(reach), y1 = (spt_u32)test_below(reach);
        check_cell(x0, y0, x1, y1, levels);
        check_cell(x1, y0, x0, y1, levels);
        check_cell(x0, y1, x1, y0, levels);
        check_cell(x1, y1, x0, y0, levels);
    }
}

static void one_cell_is_a_cell_of_the_finest_level(void)
{
    int levels;
    for (levels = 0; levels <= SPT_MORTON_MAX_LEVELS; levels++) {
        spt_u32 last = ((spt_u32)1 << levels) - 1, code;
        CHECK(spt_morton_cell(last, last, last, last, levels, &code) == levels);
        CHECK(code == spt_morton_nodes(levels) - 1 - spt_morton_node(levels, 0));
        CHECK(spt_morton_cell(0, 0, last, last, levels, &code) == 0 && code == 0);
    }
}

static void nodes_levels_parents_and_children_are_inverses(void)
{
    spt_u32 first = 0; /* of the level */
    int level, quadrant;
    for (level = 0; level <= 6; level++) {
        spt_u32 cells = (spt_u32)1 << (2 * level), code, back;
        for (code = 0; code < cells; code++) {
            spt_u32 node = spt_morton_node(level, code);
            CHECK(node == first + code);
            CHECK(spt_morton_level(node, &back) == level && back == code);
            for (quadrant = 0; quadrant < 4; quadrant++) {
                spt_u32 child = 4 * node + 1 + (spt_u32)quadrant;
                CHECK(child == spt_morton_node(level + 1, code * 4 + (spt_u32)quadrant));
                CHECK((child - 1) / 4 == node);
            }
        }
        first += cells;
        CHECK(spt_morton_nodes(level) == first);
    }
}

/* The preorder walk that spt_morton_rank has in closed form. Returns the nodes walked so far. */
static spt_u32 walk(int level, spt_u32 code, int levels, spt_u32 before)
{
    spt_u32 start = before, quadrant;
    CHECK(spt_morton_rank(level, code, levels) == before);
    before++;
    if (level == levels) return before;
    for (quadrant = 0; quadrant < 4; quadrant++)
        before = walk(level + 1, code * 4 + quadrant, levels, before);
    CHECK(before - start == spt_morton_nodes(levels - level)); /* the size of the subtree */
    return before;
}

static void ranks_count_the_nodes_of_a_depth_first_walk(void)
{
    int levels;
    for (levels = 0; levels <= 6; levels++)
        CHECK(walk(0, 0, levels, 0) == spt_morton_nodes(levels));
}

/* Siblings lie a subtree apart, a first child right behind its parent: that is preorder. */
static void random_ranks_fit_those_around_them(void)
{
    int i, n = test_scale(20000);
    for (i = 0; i < n; i++) {
        int levels = 1 + test_below(SPT_MORTON_MAX_LEVELS);
        int level = test_below(levels);
        spt_u32 code = test_random() & (((spt_u32)1 << (2 * level)) - 1u), quadrant;
        spt_u32 rank = spt_morton_rank(level, code, levels);
        for (quadrant = 0; quadrant < 4; quadrant++)
            CHECK(spt_morton_rank(level + 1, code * 4 + quadrant, levels) ==
                  rank + 1 + quadrant * spt_morton_nodes(levels - level - 1));
    }
}

static void fifteen_levels_reach_the_ends_of_their_numbers(void)
{
    spt_u32 all = 0x55555555u; /* (4^16 - 1)/3 */
    spt_u32 last = 0x3FFFFFFFu, code = 0; /* of 4^15 */
    CHECK(spt_morton_nodes(15) == all);
    CHECK(spt_morton_node(15, last) == all - 1);
    CHECK(spt_morton_level(all - 1, &code) == 15 && code == last);
    CHECK(spt_morton_level(spt_morton_node(15, 0), &code) == 15 && code == 0);
    CHECK(spt_morton_level(spt_morton_node(15, 0) - 1, &code) == 14 && code == last >> 2);
    CHECK((all - 2) / 4 == spt_morton_nodes(14) - 1);
    CHECK(spt_morton_rank(0, 0, 15) == 0);
    CHECK(spt_morton_rank(15, 0, 15) == 15);
    CHECK(spt_morton_rank(15, last, 15) == all - 1);
    CHECK(spt_morton_cell(32767, 32767, 32767, 32767, 15, &code) == 15 && code == last);
    CHECK(spt_morton_cell(32767, 0, 32767, 32767, 15, &code) == 0 && code == 0);
    CHECK(spt_morton_cell(16383, 0, 16384, 0, 15, &code) == 0 && code == 0);
}

static void examples_of_the_header_hold(void)
{
    spt_u32 x, y, code;
    spt_morton_deinterleave(7, &x, &y);
    CHECK(x == 3 && y == 1);
    CHECK(spt_morton_cell(4, 2, 5, 3, 3, &code) == 2 && code == 6);
    CHECK(spt_morton_cell(3, 0, 4, 0, 3, &code) == 0 && code == 0);
    CHECK(spt_morton_node(2, 6) == 11);
    CHECK(spt_morton_rank(0, 0, 2) == 0);
    CHECK(spt_morton_rank(1, 1, 2) == 6);
    CHECK(spt_morton_rank(2, 4, 2) == 7);
}

static int same_box(const spt_box *a, const spt_box *b)
{
    return a->min_x == b->min_x && a->min_y == b->min_y && a->max_x == b->max_x &&
           a->max_y == b->max_y;
}

/* Powers of two keep every box exact, in a world that is neither square nor at the origin. */
static void boxes_of_cells_are_exact(void)
{
    static const spt_box bounds = {-1024, 512, 3072, 1536};
    int level;
    for (level = 0; level <= 6; level++) {
        spt_u32 cells = (spt_u32)1 << (2 * level), code, x, y;
        int width = 4096 >> level, height = 1024 >> level;
        for (code = 0; code < cells; code++) {
            spt_box box, expected;
            spt_morton_deinterleave(code, &x, &y);
            expected.min_x = (spt_coord)(-1024 + (int)x * width);
            expected.min_y = (spt_coord)(512 + (int)y * height);
            expected.max_x = (spt_coord)(-1024 + (int)(x + 1) * width);
            expected.max_y = (spt_coord)(512 + (int)(y + 1) * height);
            spt_morton_box(level, code, &bounds, &box);
            CHECK(same_box(&box, &expected));
        }
    }
}

/* Whatever the rounding, neighbours share their edge and the outer ones end with the world. */
static void boxes_of_cells_leave_no_gap(void)
{
    static const spt_box bounds = {-7, 3, 94, 1003};
    int level = 5;
    spt_u32 i, j, last = ((spt_u32)1 << level) - 1;
    for (i = 0; i <= last; i++)
        for (j = 0; j <= last; j++) {
            spt_box box, right, upper;
            spt_morton_box(level, spt_morton_interleave(i, j), &bounds, &box);
            CHECK(box.min_x <= box.max_x && box.min_y <= box.max_y);
            if (i == 0) CHECK(box.min_x == bounds.min_x);
            if (j == 0) CHECK(box.min_y == bounds.min_y);
            if (i == last || j == last) continue;
            spt_morton_box(level, spt_morton_interleave(i + 1, j), &bounds, &right);
            spt_morton_box(level, spt_morton_interleave(i, j + 1), &bounds, &upper);
            CHECK(box.max_x == right.min_x && box.max_y == upper.min_y);
        }
}

static const test_case tests[] = {
    TEST(codes_interleave_the_bits),
    TEST(random_codes_interleave_the_bits),
    TEST(bits_above_the_sixteenth_are_ignored),
    TEST(cells_are_the_smallest_that_hold_the_box),
    TEST(the_order_of_the_corners_makes_no_difference),
    TEST(one_cell_is_a_cell_of_the_finest_level),
    TEST(nodes_levels_parents_and_children_are_inverses),
    TEST(ranks_count_the_nodes_of_a_depth_first_walk),
    TEST(random_ranks_fit_those_around_them),
    TEST(fifteen_levels_reach_the_ends_of_their_numbers),
    TEST(examples_of_the_header_hold),
    TEST(boxes_of_cells_are_exact),
    TEST(boxes_of_cells_leave_no_gap),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
