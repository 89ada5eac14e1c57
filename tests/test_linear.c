/* test_linear.c - the linear quadtree beside the naive model, as a loose quadtree, a hierarchy of
   grids and a uniform grid; and things the model cannot see: levels, capacities, memory, cells. */
#define SPATIAL_NO_QUADTREE /* what is not tested here is not compiled */
#define SPATIAL_NO_LOOSEGRID
#define SPATIAL_NO_PACKED
static double work;
#define SPTI_COUNT(n) (work += (double)(n))
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"

static const spt_box unit = {-512, 0, 512, 256}; /* a world for tests that need just any */

static spt_linear_desc desc_of(int levels, int grids, spt_i32 capacity)
{
    spt_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.bounds = unit;
    desc.levels = levels;
    desc.grids = grids;
    desc.capacity = capacity;
    desc.keep_bounds = 1;
    return desc;
}

static void open_tree(spt_index *tree, int levels, spt_i32 capacity)
{
    spt_linear_desc desc = desc_of(levels, 0, capacity);
    CHECK(spt_linear_init(tree, &desc) == SPT_OK);
}

/* An element of each size somewhere in that world. */
static spt_box any_box(void)
{
    int size = 1 << test_below(9), x = test_below(1024) - 512, y = test_below(256);
    return box_of(x, y, x + test_below(size), y + test_below(size));
}

/* ---- Beside the model ------------------------------------------------------------------------ */

/* Every world with every kind of setup: together over a million random operations. */
static void the_loose_quadtree_agrees_with_the_naive_model(void)
{
    static const oracle_kind kinds[] = {
        {0, 64, 0, 24000},  {0, 512, 512, 12000}, {1, 16, 10, 8000},    {2, 8, 0, 8000},
        {3, 100, 50, 12000}, {5, 40, 0, 12000},    {7, 200, 150, 12000}, {9, 60, 60, 2000},
    };
    oracle_run_kinds("linear", kinds, TEST_COUNT(kinds));
}

static const oracle_kind grid_kinds[] = {
    {0, 64, 0, 6000},   {0, 512, 512, 4000}, {1, 16, 10, 4000},   {2, 60, 0, 6000},
    {3, 100, 50, 6000}, {5, 40, 0, 6000},    {7, 200, 150, 5000},
};

static void the_hierarchy_of_three_grids_agrees_with_the_naive_model(void)
{
    oracle_run_kinds("three grids", grid_kinds, TEST_COUNT(grid_kinds));
}

static void the_uniform_grid_agrees_with_the_naive_model(void)
{
    oracle_run_kinds("uniform grid", grid_kinds, TEST_COUNT(grid_kinds));
}

static void cells_of_a_size_agree_with_the_naive_model(void)
{
    oracle_run_kinds("cells of a size", grid_kinds, TEST_COUNT(grid_kinds));
}

/* A model of an empty tree of this desc, in the world `unit`. */
static void open_model(oracle *o, const spt_linear_desc *desc)
{
    static const oracle_world world = {"unit", -512, 0, 512, 256, 64, 8, 50, 5, 5, 0};
    oracle_setup setup = {&world, "linear", 1, ORACLE_IDS, 0, {NULL, NULL}, NULL};
    setup.capacity = desc->capacity;
    if (desc->capacity) setup.ids = desc->capacity;
    CHECK(oracle_open(o, &setup) == SPT_OK);
    spt_free(&o->index);
    CHECK(spt_linear_init(&o->index, desc) == SPT_OK);
}

/* A point, or as large as some cells, or as the world and more; in the world, on its border or
   outside; and now and then without end. */
static spt_box any_size(void)
{
    int reach = test_below(13), most = 1 << reach;
    int x = test_below(3072) - 1536, y = test_below(768) - 256;
    spt_box box = box_of(x, y, x + test_below(most), y + test_below(most));
    if (test_below(20) == 0) box.min_x = COORD_LOW;
    if (test_below(20) == 0) box.max_x = COORD_HIGH;
    if (test_below(20) == 0) box.min_y = COORD_LOW;
    if (test_below(20) == 0) box.max_y = COORD_HIGH;
    return box;
}

/* The model compares all with brute force; so whatever reaches over more cells than its level was
   made for, beyond the world or to infinity must be found as anything else; so in oblong worlds. */
static void boxes_of_any_size_are_found_whatever_levels_are_in_use(void)
{
    static oracle o;
    int levels, grids, step;
    for (levels = 1; levels <= 6; levels++)
        for (grids = 1; grids <= levels / 2 + 1; grids++) {
            spt_linear_desc desc = desc_of(levels, grids, 200);
            spt_i32 id;
            test_context("levels and grids", 10 * levels + grids);
            desc.bounds.max_y = coord_of(256 >> 2 * ((levels + grids) % 5)); /* to 1024 : 1 */
            open_model(&o, &desc);
            CHECK(o.index.as.linear.coarsest == levels + 2 - 2 * grids);
            for (id = 0; id < 200; id++) {
                spt_box box = any_size();
                oracle_insert(&o, id, &box);
            }
            for (step = 0; step < test_scale(300); step++) {
                spt_box box = any_size(), window = any_size();
                oracle_move(&o, (spt_i32)test_below(200), &box);
                oracle_query(&o, &window);
                if (step % 10 == 0) spt_tidy(&o.index);
            }
            oracle_pairs(&o);
            oracle_compare(&o);
            oracle_close(&o);
        }
}

#ifdef SPTI_ROWS
/* Returns 1 if spti_linear_pairs finds the pairs of the model, which must be right either way. */
static int rows_find(oracle *o)
{
    spt_intlist out;
    spt_i32 result;
    spt_intlist_init(&out, 2);
    CHECK(spt_intlist_reserve(&out, 64) == SPT_OK);
    result = spti_linear_pairs(&o->index, NULL, &out);
    spt_intlist_free(&out);
    oracle_pairs(o);
    CHECK(result >= 0 || result == SPTI_CROWDED);
    return result >= 0;
}

/* Boxes smaller than a cell, every eighth of any size, go row by row; so they do where some cells
   have many; but not, whatever came before, once there are many in a single cell. */
static void pairs_are_found_row_by_row_or_by_the_broadphase(void)
{
    static oracle o;
    int levels, grids, id;
    for (levels = 1; levels <= 5; levels++)
        for (grids = 0; grids <= levels / 2 + 1; grids++) {
            spt_linear_desc desc = desc_of(levels, grids, 512);
            test_context("levels and grids", 10 * levels + grids);
            open_model(&o, &desc);
            for (id = 0; id < 512; id++) {
                int x = test_below(1200) - 600, y = test_below(300) - 20, size = 8;
                spt_box box = box_of(x, y, x + test_below(size), y + test_below(size));
                if (id % 8 == 0 && grids == 0) box = any_box();
                oracle_insert(&o, (spt_i32)id, &box);
            }
            CHECK(rows_find(&o) == (levels > 2 && levels < 5)); /* 4 rows at least */
            for (id = 0; id < 512; id++) {
                spt_box box = box_of(500 + id % 3, 250, 501 + id % 3, 251 + id % 5);
                oracle_move(&o, (spt_i32)id, &box);
                if (id == 64 || id == 320 || id == 511) (void)rows_find(&o);
            }
            CHECK(!rows_find(&o));
            oracle_close(&o);
        }
}
#endif

/* ---- init ------------------------------------------------------------------------------------ */

static void expect_refused(const spt_linear_desc *desc)
{
    spt_index tree;
    CHECK(spt_linear_init(&tree, desc) == SPT_ERR_ARGUMENT);
    CHECK(spt_linear_bytes_for(desc) == 0);
}

static void bad_descriptions_are_refused(void)
{
    static const int levels[] = {-1, SPT_LINEAR_MAX_LEVELS + 1, INT_MIN, INT_MAX};
    static const int grids[] = {-1, 3, SPT_LINEAR_MAX_LEVELS + 2, INT_MIN, INT_MAX};
    spt_linear_desc desc;
    int i;
    memset(&desc, 0, sizeof desc);
    desc.keep_bounds = 1; /* bounds are required */
    expect_refused(&desc);
    desc.bounds = unit;
    for (i = 0; i < TEST_COUNT(levels); i++) {
        desc.levels = levels[i];
        expect_refused(&desc);
    }
    desc.levels = 3; /* 3 and 1: two grids */
    for (i = 0; i < TEST_COUNT(grids); i++) {
        desc.grids = grids[i];
        expect_refused(&desc);
    }
    for (desc.grids = 0; desc.grids <= 2; desc.grids++) CHECK(spt_linear_bytes_for(&desc) > 0);
    desc.grids = 0;
    desc.cell = 1; /* beside levels */
    expect_refused(&desc);
    desc.levels = 0;
    CHECK(spt_linear_bytes_for(&desc) > 0);
    desc.cell = -1;
    expect_refused(&desc);
    desc.cell = 0;
    desc.capacity = -1;
    expect_refused(&desc);
    desc.capacity = INT32_MIN;
    expect_refused(&desc);
}

/* ---- Levels ---------------------------------------------------------------------------------- */

/* "Finest cells with some 11 to 44 elements", where there are enough elements to fill some; fewer
   than 22 are in one cell. */
static void default_levels_grow_with_the_capacity(void)
{
    spt_index tree;
    spt_i32 capacity;
    int before = 0;
    for (capacity = 1; capacity <= 300000; capacity += 1 + capacity / 7) {
        double cells;
        int levels;
        open_tree(&tree, 0, capacity);
        levels = tree.as.linear.levels;
        cells = ldexp(1, 2 * levels);
        test_context("capacity", capacity);
        CHECK(levels >= 0 && levels <= SPT_LINEAR_MAX_LEVELS && (levels == 0) == (capacity < 22));
        CHECK(levels >= before);
        CHECK(cells * 11 <= capacity || levels <= 2);
        CHECK(cells * 44 > capacity);
        before = levels;
        spt_free(&tree);
    }
}

/* Levels below the finest that an element is on, two each: its span in finest cells is at most
   twice the span of a cell there. */
static int levels_above(int span)
{
    int up = 0;
    while (span > 2 << up) up += 2;
    return up;
}

typedef struct told_cell {
    spt_box box;
    int level, cells;
    spt_i32 elements;
} told_cell;

static int tell_cell(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    told_cell *told = (told_cell *)ctx;
    told->box = *box;
    told->level = level;
    told->cells++;
    told->elements += count;
    return 0;
}

static int clamped(int cell)
{
    return cell < 0 ? 0 : cell > 15 ? 15 : cell;
}

/* Inserts an element that reaches from finest cell (x0, y0) to (x1, y1) of the 16 by 16 (cells
   beyond are outside the world), not near their borders, which are rounded with integers. */
static void check_level(spt_index *tree, int grids, int x0, int y0, int x1, int y1)
{
    spt_box box, cell;
    told_cell told = {{0, 0, 0, 0}, -1, 0, 0};
    spt_u32 code;
    int up, level, wide = clamped(x1) - clamped(x0), high = clamped(y1) - clamped(y0);
    box = box_of(64 * x0 - 512 + 2 + test_below(28), 64 * y0 + 2 + test_below(28),
                 64 * x1 - 512 + 32 + test_below(30), 64 * y1 + 32 + test_below(30));
    if (x0 < 0 && test_below(4) == 0) box.min_x = COORD_LOW;
    if (y1 > 15 && test_below(4) == 0) box.max_y = COORD_HIGH;
    up = levels_above(wide > high ? wide : high);
    if (up > 2 * (grids - 1)) up = 2 * (grids - 1);
    level = 4 - up;
    code = spt_morton_interleave((spt_u32)clamped(x0) >> up, (spt_u32)clamped(y0) >> up);
    spt_morton_box(level, code, &tree->bounds, &cell);
    CHECK(spt_insert(tree, 0, &box) == SPT_OK);
    CHECK(spt_traverse(tree, tell_cell, &told) == 0);
    CHECK(told.cells == 1 && told.elements == 1 && told.level == level);
    CHECK(same_box(&told.box, &cell));
    CHECK(SPTI_CHAIN(tree, spti_level_first(level) + (spt_i32)code).count == 1);
    CHECK(spt_check(tree));
    CHECK(spt_remove(tree, 0) == SPT_OK);
}

static void the_cell_of_an_element_follows_from_its_size_and_corner(void)
{
    spt_index tree;
    int grids, i, n = test_scale(2000);
    for (grids = 1; grids <= 3; grids++) {
        spt_linear_desc desc = desc_of(4, grids, 1);
        desc.bounds.max_y = 1024; /* a square */
        CHECK(spt_linear_init(&tree, &desc) == SPT_OK);
        test_context("grids", grids);
        for (i = 0; i < n; i++) {
            int size = 1 << test_below(5), x = test_below(20) - 2, y = test_below(20) - 2;
            check_level(&tree, grids, x, y, x + test_below(size + 1), y + test_below(size + 1));
            while (test_below(3) == 0) spt_tidy(&tree);
        }
        spt_free(&tree);
    }
}

/* In a wide world and in a tall one, whose cells lie in several squares. */
static void the_cell_of_an_element_has_its_lower_corner(void)
{
    int wide, i, n = test_scale(1000);
    for (wide = 0; wide < 2; wide++) {
        spt_linear_desc desc = desc_of(5, 0, 1);
        told_cell told = {{0, 0, 0, 0}, -1, 0, 0};
        spt_index tree;
        spt_box box;
        desc.bounds = box_of(0, 0, wide ? 16384 : 512, wide ? 512 : 16384);
        CHECK(spt_linear_init(&tree, &desc) == SPT_OK);
        test_context(wide ? "wide" : "tall", 1);
        for (i = 0; i < n; i++) {
            const int x = test_below(wide ? 16380 : 508), y = test_below(wide ? 508 : 16380);
            box = box_of(x + 2, y + 2, x + 3, y + 3);
            CHECK(spt_insert(&tree, 0, &box) == SPT_OK);
            told.cells = 0;
            CHECK(spt_traverse(&tree, tell_cell, &told) == 0 && told.cells == 1);
            CHECK(told.box.min_x <= box.min_x && box.min_x <= told.box.max_x);
            CHECK(told.box.min_y <= box.min_y && box.min_y <= told.box.max_y);
            CHECK(spt_remove(&tree, 0) == SPT_OK);
        }
        spt_free(&tree);
    }
}

/* ---- Results --------------------------------------------------------------------------------- */

/* ---- Ids and memory -------------------------------------------------------------------------- */

/* "Where it stays in its cell mostly no more than storing the box": so a move within the reach of
   others of the cell, and back, gives every byte back, and the struct stays as it is, but for the
   count of changes. */
static void a_move_within_a_cell_writes_only_the_box(void)
{
    spt_linear_desc desc = desc_of(2, 0, 0); /* cells of 128 by 128 */
    test_memory memory;
    spt_index tree, before;
    spt_box there = {-510, 2, -509, 3}, near_by = {-511, 1, -510, 2};
    uint32_t hash, moved;
    spt_i32 i;
    test_memory_open(&memory, &desc.allocator);
    memory.fill = 1;
    CHECK(spt_linear_init(&tree, &desc) == SPT_OK);
    for (i = 0; i < 5; i++) CHECK(spt_insert(&tree, i, i ? &there : &near_by) == SPT_OK);
    memcpy(&before, &tree, sizeof tree);
    hash = test_memory_hash(&memory);
    CHECK(spt_move(&tree, 2, &near_by) == SPT_OK);
    moved = test_memory_hash(&memory);
    before.changes = tree.changes, before.worth = tree.worth;
    CHECK(memcmp(&before, &tree, sizeof tree) == 0);
    CHECK(moved != hash);
    CHECK(spt_move(&tree, 2, &there) == SPT_OK);
    CHECK(test_memory_hash(&memory) == hash);
    spt_free(&tree);
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* Calls of tidy after which all is tidy: a thirty-second of the cells each; one walk may be on its
   way, so that only the next is sure to see all. */
#define TIDY_CALLS 64

/* Elements that were large, or went far away, leave large lanes behind them; not for ever. */
static void tidy_makes_lanes_as_small_as_their_elements(void)
{
    int grids, i;
    for (grids = 1; grids <= 3; grids++) {
        spt_linear_desc desc = desc_of(5, grids, 0); /* cells of 16 by 16 */
        spt_index tree;
        spt_i32 id;
        CHECK(spt_linear_init(&tree, &desc) == SPT_OK);
        for (id = 0; id < 200; id++) {
            int x = test_below(1000) - 512, y = test_below(250);
            spt_box box = box_of(x, y, x + 3 + (id % 20 == 0 ? 300 : 0), y + 2);
            CHECK(spt_insert(&tree, id, &box) == SPT_OK);
        }
        for (id = 0; id < 200; id += 3) {
            spt_box small = box_of(7, 7, 9, 9);
            CHECK((id % 2 ? spt_remove(&tree, id) : spt_move(&tree, id, &small)) == SPT_OK);
        }
        test_context("grids", grids);
        CHECK(oracle_loose_lanes(&tree) > 0 && spt_check(&tree));
        for (i = 0; i < TIDY_CALLS; i++) spt_tidy(&tree);
        CHECK(oracle_loose_lanes(&tree) == 0 && spt_check(&tree));
        spt_free(&tree);
    }
}

/* In a world that is not fitted, and so not bent, a cell has more elements than any row. */
static void a_crowd_in_one_cell_has_its_pairs(void)
{
    spt_linear_desc desc = desc_of(4, 0, 0);
    spt_index tree;
    spt_i32 id, n = 1100, others = 3000;
    desc.keep_bounds = 1;
    CHECK(spt_linear_init(&tree, &desc) == SPT_OK);
    for (id = 0; id < n + others; id++) {
        const int x = id < n ? 1 : 16 * (id % 60) - 500, y = id < n ? 1 : 4 * (id / 60 % 50);
        const spt_box box = box_of(x, y, x + 1, y + 1);
        CHECK(spt_insert(&tree, id, &box) == SPT_OK);
    }
    CHECK(spt_pairs(&tree, NULL, NULL) >= n * (n - 1) / 2);
    spt_free(&tree);
}

/* Few cells, each with as many elements as are still tested pair by pair, one upon the other. */
static void full_cells_have_their_pairs(void)
{
    spt_linear_desc desc = desc_of(3, 0, 0);
    spt_index tree;
    spt_i32 id, n = 64 * 60;
    desc.keep_bounds = 1;
    CHECK(spt_linear_init(&tree, &desc) == SPT_OK);
    for (id = 0; id < n; id++) {
        const int cell = id / 60, x = 64 * (cell % 16) - 510, y = 64 * (cell / 16) + id % 60 + 1;
        const spt_box box = box_of(x, y, x + 1, y + 1);
        CHECK(spt_insert(&tree, id, &box) == SPT_OK);
    }
    CHECK(spt_pairs(&tree, NULL, NULL) == 64 * 59);
    spt_free(&tree);
}

/* Elements leave one half of the world, and tidy takes away its lanes in many calls, those of lower
   nodes first. Between the calls a search goes through nodes whose lanes are all gone. */
static void searches_go_on_while_lanes_vanish(void)
{
    spt_linear_desc desc = desc_of(6, 0, 0);
    const spt_box from = box_of(-500, 4, -499, 5);
    spt_intlist ids;
    spt_index tree;
    spt_i32 id;
    int i;
    CHECK(spt_linear_init(&tree, &desc) == SPT_OK && spt_intlist_init(&ids, 1) == SPT_OK);
    for (id = 0; id < 4096; id++) {
        const spt_box box = box_of(16 * (id % 64) - 510, 4 * (id / 64) + 1, 16 * (id % 64) - 509,
                                   4 * (id / 64) + 2);
        CHECK(spt_insert(&tree, id, &box) == SPT_OK);
    }
    for (id = 0; id < 4096; id++)
        if (id % 64 < 32) CHECK(spt_remove(&tree, id) == SPT_OK);
    for (i = 0; i < TIDY_CALLS; i++) {
        CHECK(spt_nearest(&tree, &from, 1, SPT_NO_LIMIT, NULL, &ids) == 1);
        CHECK(spt_intlist_get(&ids, 0, 0) == 96); /* in the same row, if it is not the first */
        spt_tidy(&tree);
    }
    CHECK(oracle_loose_lanes(&tree) == 0 && spt_check(&tree));
    spt_intlist_free(&ids);
    spt_free(&tree);
}

/* One element as large as a finest cell: windows far from it look at no more than without it. */
static void a_large_element_costs_other_windows_nothing(void)
{
    spt_intlist ids;
    double alone = 0;
    int large, x, y;
    spt_intlist_init(&ids, 1);
    for (large = 0; large < 2; large++) {
        spt_linear_desc desc = desc_of(5, 1, 1100);
        spt_box box = box_of(7, 7, 7 + 30, 7 + 7), window;
        spt_index tree;
        spt_i32 id = 0;
        CHECK(spt_linear_init(&tree, &desc) == SPT_OK);
        for (y = 0; y < 32; y++)
            for (x = 0; x < 32; x++, id++) {
                window = box_of(32 * x - 512 + 4, 8 * y + 4, 32 * x - 512 + 6, 8 * y + 5);
                CHECK(spt_insert(&tree, id, &window) == SPT_OK);
            }
        if (large) CHECK(spt_insert(&tree, id, &box) == SPT_OK);
        work = 0;
        for (y = 0; y < 32; y++)
            for (x = 0; x < 32; x++) {
                window = box_of(32 * x - 512 + 3, 8 * y + 2, 32 * x - 512 + 5, 8 * y + 4);
                CHECK(spt_query(&tree, &window, NULL, &ids) >= 0);
            }
        CHECK(work > 0);
        if (large) CHECK(work <= alone + 10);
        else alone = work;
        spt_free(&tree);
    }
    spt_intlist_free(&ids);
}
/* ---- The check itself ------------------------------------------------------------------------ */

static void check_finds_what_is_wrong_with_levels(void)
{
    const spt_box box = {-500, 10, -499, 11}, other = {300, 200, 301, 201};
    spt_index tree;
    open_tree(&tree, 3, 0);
    CHECK(spt_insert(&tree, 0, &box) == SPT_OK && spt_insert(&tree, 1, &other) == SPT_OK);
    CHECK(spt_check(&tree));
    oracle_expect_broken(&tree, &tree.node_count, tree.node_count - 1);
    oracle_expect_broken(&tree, &tree.node_count, tree.node_count + 1);
    spt_free(&tree);
}

static const test_case tests[] = {
    TEST(the_loose_quadtree_agrees_with_the_naive_model),
    TEST(the_hierarchy_of_three_grids_agrees_with_the_naive_model),
    TEST(cells_of_a_size_agree_with_the_naive_model),
    TEST(the_uniform_grid_agrees_with_the_naive_model),
    TEST(boxes_of_any_size_are_found_whatever_levels_are_in_use),
#ifdef SPTI_ROWS
    TEST(pairs_are_found_row_by_row_or_by_the_broadphase),
#endif
    TEST(bad_descriptions_are_refused),
    TEST(default_levels_grow_with_the_capacity),
    TEST(the_cell_of_an_element_follows_from_its_size_and_corner),
    TEST(the_cell_of_an_element_has_its_lower_corner),
    TEST(a_move_within_a_cell_writes_only_the_box),
    TEST(tidy_makes_lanes_as_small_as_their_elements),
    TEST(searches_go_on_while_lanes_vanish),
    TEST(a_crowd_in_one_cell_has_its_pairs),
    TEST(full_cells_have_their_pairs),
    TEST(a_large_element_costs_other_windows_nothing),
    TEST(check_finds_what_is_wrong_with_levels),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
