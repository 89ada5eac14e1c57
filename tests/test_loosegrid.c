/* test_loosegrid.c - the loose grid beside the naive model, and things the model cannot see: sides
   of cells, boxes of cells and of nodes, how much is looked at. */
static double work; /* elements looked at, the same on every machine */
#define SPTI_COUNT(n) (work += (double)(n))

#define SPATIAL_NO_LINEAR /* what is not tested here is not compiled */
#define SPATIAL_NO_QUADTREE
#define SPATIAL_NO_PACKED
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"

/* An empty grid of this desc, its bounds excepted, beside an empty model. */
static spt_index *open_grid(oracle *o, const oracle_world *world, spt_linear_desc *desc)
{
    oracle_open_without(o, world, "loosegrid", desc->capacity);
    desc->bounds = oracle_bounds(world);
    CHECK(spt_loosegrid_init(&o->index, desc) == SPT_OK);
    return &o->index;
}

static spt_linear_desc desc_of(double cell, spt_i32 capacity)
{
    spt_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.cell = coord_of(cell);
    desc.capacity = capacity;
    desc.keep_bounds = 1;
    return desc;
}

/* The same in the square world of 1024 by 1024. */
static spt_index *open_cells(oracle *o, double cell, spt_i32 capacity)
{
    spt_linear_desc desc = desc_of(cell, capacity);
    return open_grid(o, &oracle_worlds[0], &desc);
}

/* A grid of 8 by 8 cells of 128 by 128 each. */
static spt_index *open_square(oracle *o)
{
    spt_index *grid = open_cells(o, 128, 0);
    CHECK(grid->as.linear.levels == 3 && grid->skew == 0);
    return grid;
}

/* A box that reaches from cell (x0, y0) to cell (x1, y1) of that grid, and no further. */
static spt_box cells_box(int x0, int y0, int x1, int y1)
{
    return box_of(128 * x0 + 10, 128 * y0 + 10, 128 * x1 + 118, 128 * y1 + 118);
}

/* ---- Beside the model ------------------------------------------------------------------------ */

/* Every world with every kind of setup: together over a million random operations. */
static void random_operations_agree_with_the_naive_model(void)
{
    static const oracle_kind kinds[] = {
        {0, 64, 0, 14000},   {0, 512, 512, 8000}, {1, 16, 10, 8000}, {2, 8, 0, 8000},
        {4, 2, 1, 3000},     {3, 100, 50, 12000}, {5, 40, 0, 12000}, {6, 512, 300, 8000},
        {7, 200, 150, 5000}, {8, 100, 100, 1000}, {9, 60, 60, 400},
    };
    oracle_run_kinds("loosegrid", kinds, TEST_COUNT(kinds));
}

/* ---- init ------------------------------------------------------------------------------------ */

static void expect_refused(const spt_linear_desc *desc)
{
    spt_index grid;
    CHECK(spt_loosegrid_init(&grid, desc) == SPT_ERR_ARGUMENT);
    CHECK(spt_loosegrid_bytes_for(desc) == 0);
}

static void bad_descriptions_are_refused(void)
{
    spt_linear_desc desc = desc_of(1, 0);
    int i;
    expect_refused(&desc); /* bounds are required to be kept */
    desc.bounds = box_of(0, 0, 10, 10);
    CHECK(spt_loosegrid_bytes_for(&desc) > 0);
    for (i = 0; i < 2; i++) {
        desc.capacity = i ? INT32_MIN : -1;
        expect_refused(&desc);
        desc.capacity = 0;
        desc.cell = i ? COORD_LOW : -1;
        expect_refused(&desc);
        desc.cell = 1;
    }
#ifndef SPATIAL_INT
    desc.cell = (spt_coord)NAN;
    expect_refused(&desc);
#endif
    desc.cell = 1, desc.grids = 2; /* it has one level */
    expect_refused(&desc);
    desc.grids = 1, desc.levels = 3;
    expect_refused(&desc);
    desc.cell = 0;
    CHECK(spt_loosegrid_bytes_for(&desc) > 0);
    desc.grids = desc.levels = 0; /* the cells follow from the number of elements */
    CHECK(spt_loosegrid_bytes_for(&desc) > 0);
    desc.capacity = 10;
    CHECK(spt_loosegrid_bytes_for(&desc) > 0);
}

/* Smaller only in a single row or column, or in four cells; larger only where they would be
   smaller than a 4096th of the world. The other side is not less than half as long. */
static void longer_sides_of_cells_are_from_3_quarters_to_3_halves_of_desc_cell(void)
{
    int i, n = test_scale(400);
    for (i = 0; i < n; i++) {
        double width = 1000 + test_below(100000), height = 1000 + test_below(100000);
        double cell = 50 + test_below(2000), longer;
        spt_linear_desc desc = desc_of(cell, 0);
        spt_index grid;
        const spti_linear *tree = &grid.as.linear;
        desc.bounds = box_of(-300, 77, width - 300, 77 + height);
        test_context("world", i);
        if (!CHECK(spt_loosegrid_init(&grid, &desc) == SPT_OK)) return;
        width = ldexp(width, -tree->levels - grid.skew);
        height = ldexp(height, grid.skew - tree->levels);
        longer = width > height ? width : height;
        CHECK(longer <= 1.51 * cell); /* halves of integers are rounded */
        CHECK(longer >= 0.74 * cell || tree->levels == 1 || tree->levels == abs(grid.skew));
        CHECK(width + height >= 1.49 * longer);
        spt_free(&grid);
    }
}

/* Also where a side is 2 or 8 times the other, from which on rows or columns are divided anew. */
static void a_world_on_its_side_has_the_same_cells_on_their_side(void)
{
    int i;
    for (i = 1; i <= 64; i++) {
        spt_linear_desc desc = desc_of(64, 0);
        spt_index lying, upright;
        desc.bounds = box_of(0, 0, 512 * i, 512);
        CHECK(spt_loosegrid_init(&lying, &desc) == SPT_OK);
        desc.bounds = box_of(0, 0, 512, 512 * i);
        CHECK(spt_loosegrid_init(&upright, &desc) == SPT_OK);
        CHECK(upright.skew == -lying.skew && upright.node_count == lying.node_count);
        spt_free(&lying), spt_free(&upright);
    }
}

/* ---- The boxes of cells grow and shrink ------------------------------------------------------ */

/* A tall and a wide element in one cell make a box whose corners neither of them reaches; a third,
   which does, makes it grow no more. Whichever of them comes first, is moved, or was small before,
   windows in the corners must find what reaches there. */
static void elements_are_found_in_the_corners_of_the_box_of_their_cell(void)
{
    static const int corners[][2] = {{1, 1}, {7, 1}, {1, 7}, {7, 7}};
    spt_box tall = cells_box(4, 1, 4, 7), wide = cells_box(1, 4, 7, 4);
    spt_box small = box_of(4 * 128 + 60, 4 * 128 + 60, 4 * 128 + 70, 4 * 128 + 70);
    spt_box both = cells_box(1, 1, 7, 7);
    static oracle o;
    int way, i;
    for (way = 0; way < 4; way++) {
        (void)open_square(&o);
        test_context("way", way);
        oracle_insert(&o, 0, way & 1 ? &small : &tall);
        oracle_insert(&o, 1, &wide);
        oracle_move(&o, 0, &tall);
        oracle_insert(&o, 2, way & 2 ? &small : &both);
        oracle_move(&o, 2, &both);
        for (i = 0; i < 4; i++) {
            spt_box corner = cells_box(corners[i][0], corners[i][1], corners[i][0], corners[i][1]);
            CHECK(oracle_want_query(&o, &corner) == 1);
            oracle_query(&o, &corner);
        }
        oracle_compare(&o);
        oracle_close(&o);
    }
}

/* Tidies till all boxes must fit: a thirty-second of the cells a call; one walk may be on its way,
   so that only the next is sure to see all. */
static void tidy_all(spt_index *grid)
{
    int calls;
    for (calls = 0; calls < 64; calls++) spt_tidy(grid);
    CHECK(grid->changes == grid->tidied);
}

static void tidy_fits_the_boxes_of_cells_and_nodes_to_their_elements(void)
{
    static oracle o;
    int world, round, steps;
    for (world = 0; world < ORACLE_WORLDS; world++) {
        oracle_setup setup = {NULL, "loosegrid", 4, 300, 0, {NULL, NULL}, NULL};
        setup.world = &oracle_worlds[world];
        CHECK(oracle_open(&o, &setup) == SPT_OK);
        for (round = 0; round < 30; round++) {
            test_context(setup.world->name, round);
            for (steps = 0; steps < 100; steps++) oracle_step_update(&o);
            tidy_all(&o.index);
            CHECK(oracle_loose_lanes(&o.index) == 0);
        }
        oracle_compare(&o);
        oracle_close(&o);
    }
}

/* 256 cells with two elements each, a large one and a small one, which make the box of the cell;
   they are spread evenly over the 1024 nodes of cells. */
static spt_index *open_chessboard(oracle *o)
{
    spt_index *grid = open_cells(o, 8, 0);
    spt_i32 id;
    CHECK(grid->as.linear.levels == 7);
    for (id = 0; id < 512; id++) {
        int x = 64 * (int)(id % 16), y = 64 * (int)(id / 16 % 16);
        spt_box box = box_of(x + 8, y + 8, x + 56, y + 56);
        if (id >= 256) box = box_of(x + 9, y + 9, x + 13, y + 13);
        oracle_insert(o, id, &box);
    }
    CHECK(oracle_loose_lanes(&o->index) == 0);
    return grid;
}

/* "Some 16 cells and a thirty-second of all": so no call takes long, and all cells have had their
   turn in thirty-two calls. */
static void tidy_looks_at_a_thirty_second_of_all_a_call(void)
{
    static oracle o;
    spt_index *grid = open_chessboard(&o);
    spt_i32 id;
    int call, left;
    tidy_all(grid);
    for (id = 0; id < 256; id++) oracle_remove(&o, id);
    left = oracle_loose_lanes(grid);
    CHECK(left == 256); /* the lanes of the cells; then the ones above */
    for (call = 0; call < 32; call++) {
        test_context("call", call);
        work = 0;
        spt_tidy(grid);
        CHECK(work <= 2 * 512 / 16); /* elements looked at, were they twice as many in a place */
        CHECK(oracle_loose_lanes(grid) >= left - 64);
        left = oracle_loose_lanes(grid);
    }
    CHECK(left == 0 && spt_check(grid));
    oracle_close(&o);
}

/* ---- Queries -------------------------------------------------------------------------------- */

/* Hits are copied several at a time, but never past the end of the list, which does not grow. */
static void a_list_needs_room_for_the_hits_and_no_more(void)
{
    static oracle o;
    spt_index *grid = open_cells(&o, 200, 0);
    spt_allocator allocator;
    test_memory memory;
    spt_intlist out;
    int i;
    oracle_fill(&o, o.ids);
    test_memory_open(&memory, &allocator);
    for (i = 0; i < 200; i++) {
        spt_box box = oracle_random_box(&o);
        spt_i32 n = oracle_want_query(&o, &box);
        test_context("window", i);
        CHECK(spt_intlist_init_with(&out, 1, &allocator) == SPT_OK);
        CHECK(spt_intlist_reserve(&out, n) == SPT_OK);
        memory.limit = memory.bytes + 1;
        CHECK(spt_query(grid, &box, NULL, &out) == n);
        CHECK(out.count == n && spt_intlist_check(&out));
        memory.limit = 0;
        spt_intlist_free(&out);
    }
    oracle_close(&o);
}

/* ---- Large elements -------------------------------------------------------------------------- */

/* Bars of both kinds with the same centres, many in a cell, and some as large as the world. */
static void long_elements_meet_all_kinds_of_others_once(void)
{
    static oracle o;
    spt_index *grid = open_square(&o);
    spt_box all = oracle_bounds(o.world);
    spt_i32 id;
    for (id = 0; id < 200; id++) {
        int x = (int)(id / 2 % 9), y = (int)(id / 2 % 7), half = 1 + (int)(id / 4 % 4);
        spt_box box = cells_box(x - half, y, x + half, y);
        if (id % 2) box = cells_box(x, y - half, x, y + half);
        oracle_insert(&o, id, id % 50 ? &box : &all);
    }
    oracle_pairs(&o);
    oracle_compare(&o);
    for (id = 0; id < 200; id += 7) {
        oracle_query(&o, &o.boxes[id]);
        oracle_visit(&o, &o.boxes[id], 3);
        oracle_move(&o, id, &o.boxes[199 - id]);
    }
    spt_tidy(grid);
    oracle_pairs(&o);
    oracle_compare(&o);
    oracle_close(&o);
}

/* Bars all in one cell. Whoever looks for an element in a list, or for the edge of a box among all
   that are in it, looks at thousands. */
static void updates_of_many_elements_in_a_cell_look_at_few(void)
{
    spt_linear_desc desc = desc_of(1000, 0);
    spt_box bar, window;
    double inserts, moves, removes;
    spt_index grid;
    spt_i32 id, bars = test_scale(5000) < 500 ? 500 : test_scale(5000);
    int round;
    desc.bounds = box_of(0, 0, 100000, 100000);
    CHECK(spt_loosegrid_init(&grid, &desc) == SPT_OK);
    work = 0;
    for (id = 0; id < bars; id++) {
        bar = box_of(50100, 50100 + (int)id % 10, 50700, 50100 + (int)id % 10);
        CHECK(spt_insert(&grid, id, &bar) == SPT_OK);
    }
    inserts = work;
    window = box_of(49000, 49000, 51000, 51000);
    work = 0;
    CHECK(spt_query(&grid, &window, NULL, NULL) > 0 && work > 0); /* else nothing is counted */
    work = 0;
    for (round = 0; round < 2; round++)
        for (id = 0; id < bars; id++) {
            CHECK(spt_box_of(&grid, id, &bar) == SPT_OK);
            bar.min_x += 1, bar.max_x += 1;
            if (round) bar.min_x += 50, bar.max_x -= 50; /* away from the edges of the cell's box */
            CHECK(spt_move(&grid, id, &bar) == SPT_OK);
        }
    moves = work;
    CHECK(spt_check(&grid));
    work = 0;
    for (id = 0; id < bars; id++) CHECK(spt_remove(&grid, id) == SPT_OK);
    removes = work;
    CHECK(inserts <= 16.0 * bars && moves <= 2 * 16.0 * bars && removes <= 16.0 * bars);
    CHECK(spt_count(&grid) == 0 && spt_check(&grid));
    spt_free(&grid);
}

/* ---- Chunks ---------------------------------------------------------------------------------- */

/* Points that walk take a chunk in each cell that they come to; with a capacity there must be one,
   although nobody calls tidy. */
static void with_a_capacity_there_is_a_chunk_wherever_elements_go(void)
{
    static oracle o;
    spt_index *grid = open_cells(&o, 4, 200);
    int step;
    spt_i32 id;
    for (step = 0; step < 60; step++)
        for (id = 0; id < 200; id++) {
            int x = (int)(id % 16) * 64 + step, y = (int)(id / 16) * 64 + step;
            spt_box box = box_of(x, y, x + 8, y + 8);
            if (step) oracle_move(&o, id, &box);
            else oracle_insert(&o, id, &box);
        }
    CHECK(grid->pool.used == 200 && grid->pool.top <= grid->pool.capacity);
    oracle_pairs(&o);
    oracle_compare(&o);
    oracle_close(&o);
}

static const test_case tests[] = {
    TEST(random_operations_agree_with_the_naive_model),
    TEST(bad_descriptions_are_refused),
    TEST(longer_sides_of_cells_are_from_3_quarters_to_3_halves_of_desc_cell),
    TEST(a_world_on_its_side_has_the_same_cells_on_their_side),
    TEST(elements_are_found_in_the_corners_of_the_box_of_their_cell),
    TEST(tidy_fits_the_boxes_of_cells_and_nodes_to_their_elements),
    TEST(tidy_looks_at_a_thirty_second_of_all_a_call),
    TEST(a_list_needs_room_for_the_hits_and_no_more),
    TEST(long_elements_meet_all_kinds_of_others_once),
    TEST(updates_of_many_elements_in_a_cell_look_at_few),
    TEST(with_a_capacity_there_is_a_chunk_wherever_elements_go),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
