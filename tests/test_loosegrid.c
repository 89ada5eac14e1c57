/* test_loosegrid.c - the loose grid beside the naive model, and what the model cannot see: which
   cells list what, large elements, a pool that is used up. */
#define SPATIAL_NO_LINEAR /* what is not tested here is not compiled */
#define SPATIAL_NO_QUADTREE
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"

/* An empty grid of this desc, its bounds excepted, beside an empty model. */
static spt_loosegrid *open_grid(oracle *o, const oracle_world *world, spt_loosegrid_desc *desc)
{
    oracle_setup setup = {NULL, "loosegrid", 0, ORACLE_IDS, 0, {NULL, NULL}, NULL};
    setup.world = world;
    setup.capacity = desc->capacity;
    if (desc->capacity) setup.ids = desc->capacity;
    CHECK(oracle_open(o, &setup) == SPT_OK);
    o->index.free(o->index.object);
    desc->bounds = oracle_bounds(world);
    CHECK(spt_loosegrid_init(&o->object.loosegrid, desc) == SPT_OK);
    return &o->object.loosegrid;
}

static spt_loosegrid_desc desc_of(double cell, int tight, spt_i32 large, spt_i32 capacity)
{
    spt_loosegrid_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.cell = coord_of(cell);
    desc.tight = tight;
    desc.large = large;
    desc.capacity = capacity;
    return desc;
}

/* The same in the square world of 1024 by 1024. */
static spt_loosegrid *open_cells(oracle *o, double cell, int tight, spt_i32 large, spt_i32 capacity)
{
    spt_loosegrid_desc desc = desc_of(cell, tight, large, capacity);
    return open_grid(o, &oracle_worlds[0], &desc);
}

/* A grid of 8 by 8 tight cells, of 128 by 128 each, which are single loose ones. */
static spt_loosegrid *open_square(oracle *o, spt_i32 large)
{
    spt_loosegrid *grid = open_cells(o, 128, 1, large, 0);
    CHECK(grid->columns == 3 && grid->rows == 3 && grid->shift == 0);
    return grid;
}

/* A box that reaches from cell (x0, y0) to cell (x1, y1) of that grid, and no further. */
static spt_box cells_box(int x0, int y0, int x1, int y1)
{
    return box_of(128 * x0 + 10, 128 * y0 + 10, 128 * x1 + 118, 128 * y1 + 118);
}

static int is_large(const spt_loosegrid *grid, spt_i32 id)
{
    return grid->table.elements[id].list == grid->cell_count;
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

static void expect_refused(const spt_loosegrid_desc *desc)
{
    spt_loosegrid grid;
    CHECK(spt_loosegrid_init(&grid, desc) == SPT_ERR_ARGUMENT);
    CHECK(spt_loosegrid_bytes_for(desc) == 0);
}

static void bad_descriptions_are_refused(void)
{
    static const int tights[] = {-1, 3, 5, 6, 7, 12, 255, 257, 512, 1024, INT_MIN, INT_MAX};
    spt_loosegrid_desc desc = desc_of(1, 0, 0, 0);
    int i;
    expect_refused(NULL);
    expect_refused(&desc); /* bounds are required */
    desc.bounds = box_of(0, 0, 10, 10);
    CHECK(spt_loosegrid_bytes_for(&desc) > 0);
    for (i = 0; i < TEST_COUNT(tights); i++) {
        desc.tight = tights[i];
        expect_refused(&desc);
    }
    for (desc.tight = 1; desc.tight <= 256; desc.tight *= 2)
        CHECK(spt_loosegrid_bytes_for(&desc) > 0);
    desc.tight = 0;
    for (i = 0; i < 2; i++) {
        desc.large = i ? INT32_MIN : -1;
        expect_refused(&desc);
        desc.large = 0;
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
    desc.cell = 0; /* required, for there is no capacity */
    expect_refused(&desc);
    desc.capacity = 10;
    CHECK(spt_loosegrid_bytes_for(&desc) > 0);
}

static void zeros_mean_the_defaults(void)
{
    spt_loosegrid_desc zeros = desc_of(0, 0, 0, 5000), same = desc_of(0, 4, 64, 5000);
    spt_loosegrid grids[2];
    int t;
    zeros.bounds = same.bounds = box_of(0, 0, 1000, 1000);
    for (t = 0; t < 2; t++) CHECK(spt_loosegrid_init(&grids[t], t ? &same : &zeros) == SPT_OK);
    CHECK(grids[0].shift == 2 && grids[0].large == 64);
    CHECK(grids[0].cell_count == grids[1].cell_count);
    CHECK(grids[0].tight_count == grids[1].tight_count);
    CHECK(spt_loosegrid_bytes(&grids[0]) == spt_loosegrid_bytes_for(&zeros));
    CHECK(spt_loosegrid_bytes_for(&zeros) == spt_loosegrid_bytes_for(&same));
    for (t = 0; t < 2; t++) spt_loosegrid_free(&grids[t]);
}

/* Number of loose cells along an axis of the world. */
static double cells_along(const spti_axis *axis)
{
#ifdef SPATIAL_INT
    return ldexp(1, axis->levels);
#else
    return (double)axis->last + 1;
#endif
}

static void default_cells_are_for_8_to_16_ids(void)
{
    static const double heights[] = {100, 1000, 7, 12345};
    spt_i32 capacity;
    int i;
    for (capacity = 64; capacity < 50000; capacity += 1 + capacity / 5)
        for (i = 0; i < TEST_COUNT(heights); i++) {
            spt_loosegrid_desc desc = desc_of(0, 0, 0, capacity);
            spt_loosegrid grid;
            double cells;
            test_context("capacity", capacity);
            desc.bounds = box_of(-50, 1000, 950, 1000 + heights[i]);
            CHECK(spt_loosegrid_init(&grid, &desc) == SPT_OK);
            cells = cells_along(&grid.map.x) * cells_along(&grid.map.y);
            CHECK(8 * cells <= capacity && capacity <= 16 * cells);
            spt_loosegrid_free(&grid);
        }
}

/* Unless a cell is as large as the world, or smaller than a 4096th of it. */
static void sides_of_cells_are_from_3_quarters_to_3_halves_of_desc_cell(void)
{
    int i, n = test_scale(400);
    for (i = 0; i < n; i++) {
        double width = 1000 + test_below(100000), height = 1000 + test_below(100000);
        double longer = width > height ? width : height, shorter = width + height - longer;
        spt_loosegrid_desc desc = desc_of(1, 1 << test_below(4), 0, 0);
        double cell = floor(longer / 256 + test_below(1 + (int)(shorter * 2 / 3 - longer / 256)));
        spt_loosegrid grid;
        if (cell > shorter * 2 / 3) continue;
        desc.cell = coord_of(cell);
        desc.bounds = box_of(-300, 77, width - 300, 77 + height);
        test_context("world", i);
        if (!CHECK(spt_loosegrid_init(&grid, &desc) == SPT_OK)) return;
        width /= cells_along(&grid.map.x), height /= cells_along(&grid.map.y);
        CHECK(width >= 0.74 * cell && width <= 1.51 * cell); /* halves of integers are rounded */
        CHECK(height >= 0.74 * cell && height <= 1.51 * cell);
        spt_loosegrid_free(&grid);
    }
}

/* ---- Loose cells grow and shrink ------------------------------------------------------------- */

/* The published mistake: where the box of a cell grows, only the tight cells of the new element
   come to list it. A tall and a wide element make a box whose corners neither of them reaches; a
   third, which does, makes it grow no more, and would never be listed there. */
static void a_cell_that_grows_is_listed_in_the_corners_of_its_box_too(void)
{
    static const int corners[][2] = {{1, 1}, {7, 1}, {1, 7}, {7, 7}};
    spt_box tall = cells_box(4, 1, 4, 7), wide = cells_box(1, 4, 7, 4);
    spt_box small = box_of(4 * 128 + 60, 4 * 128 + 60, 4 * 128 + 70, 4 * 128 + 70);
    spt_box both = cells_box(1, 1, 7, 7);
    static oracle o;
    int way, i, x, y;
    for (way = 0; way < 4; way++) {
        const spt_loosegrid *grid = open_square(&o, 64);
        test_context("way", way);
        oracle_insert(&o, 0, way & 1 ? &small : &tall);
        oracle_insert(&o, 1, &wide);
        oracle_move(&o, 0, &tall);
        oracle_insert(&o, 2, way & 2 ? &small : &both);
        oracle_move(&o, 2, &both);
        CHECK(grid->larges == SPT_NONE); /* else this tests nothing */
        for (y = 0; y < 8; y++)
            for (x = 0; x < 8; x++) CHECK(grid->tights[8 * y + x].count == (x > 0 && y > 0));
        for (i = 0; i < 4; i++) {
            spt_box corner = cells_box(corners[i][0], corners[i][1], corners[i][0], corners[i][1]);
            CHECK(brute_count(&o, &corner) == 1);
            oracle_query(&o, &corner);
        }
        oracle_compare(&o);
        oracle_close(&o);
    }
}

static int cells_that_wait(const spt_loosegrid *grid)
{
    int count = 0;
    spt_i32 cell;
    for (cell = 0; cell < grid->cell_count; cell++)
        count += grid->cells[cell].changed != SPTI_UNCHANGED;
    CHECK((count > 0) == (grid->waiting != SPT_NONE || grid->changed != SPT_NONE));
    return count;
}

/* Tidies till no cell waits. */
static void tidy_all(spt_loosegrid *grid)
{
    int calls;
    for (calls = 0; cells_that_wait(grid) > 0 && CHECK(calls < 1000); calls++)
        spt_loosegrid_tidy(grid);
}

/* Every loose cell has the box of what it holds, and none is noted for tidy. */
static void check_fit(const oracle *o)
{
    const spt_loosegrid *grid = &o->object.loosegrid;
    static spt_box boxes[1 << 12];
    static spt_i32 counts[1 << 12];
    spt_i32 id, cell;
    if (!CHECK(grid->cell_count <= 1 << 12)) return;
    memset(counts, 0, sizeof counts);
    for (id = 0; id < o->ids; id++) {
        const spt_box *b = &o->boxes[id];
        if (!o->there[id] || is_large(grid, id)) continue;
        cell = grid->table.elements[id].list;
        if (counts[cell]++ == 0) boxes[cell] = *b;
        if (b->min_x < boxes[cell].min_x) boxes[cell].min_x = b->min_x;
        if (b->min_y < boxes[cell].min_y) boxes[cell].min_y = b->min_y;
        if (b->max_x > boxes[cell].max_x) boxes[cell].max_x = b->max_x;
        if (b->max_y > boxes[cell].max_y) boxes[cell].max_y = b->max_y;
    }
    for (cell = 0; cell < grid->cell_count; cell++) {
        CHECK(grid->cells[cell].bag.count == counts[cell]);
        if (counts[cell]) CHECK(same_box(&grid->cells[cell].box, &boxes[cell]));
        else CHECK(!brute_valid(&grid->cells[cell].box));
    }
    CHECK(cells_that_wait(grid) == 0);
}

static int waits_for_tidy(spt_loosegrid *grid)
{
    int waits = cells_that_wait(grid) > 0;
    CHECK(spt_loosegrid_check(grid));
    spt_loosegrid_tidy(grid);
    return waits;
}

static void only_cells_that_were_left_on_an_edge_wait_for_tidy(void)
{
    static const int outward[4][2] = {{-1, 0}, {0, -1}, {1, 0}, {0, 1}};
    static oracle o;
    spt_loosegrid *grid = open_square(&o, 64);
    spt_box middle = box_of(180, 180, 190, 190), moved;
    int edge;
    oracle_insert(&o, 4, &middle);
    for (edge = 0; edge < 4; edge++) { /* four around it, each on an edge */
        int x = 180 + 30 * outward[edge][0], y = 180 + 30 * outward[edge][1];
        spt_box box = box_of(x, y, x + 10, y + 10);
        oracle_insert(&o, edge, &box);
    }
    CHECK(!waits_for_tidy(grid));
    moved = box_of(181, 179, 191, 189);
    oracle_move(&o, 4, &moved);
    CHECK(!waits_for_tidy(grid)); /* from the middle to the middle */
    for (edge = 0; edge < 4; edge++) {
        int x = 180 + 30 * outward[edge][0], y = 180 + 30 * outward[edge][1];
        test_context("edge", edge);
        moved = box_of(x + outward[edge][0], y + outward[edge][1], x + outward[edge][0] + 10,
                       y + outward[edge][1] + 10);
        oracle_move(&o, edge, &moved);
        CHECK(!waits_for_tidy(grid)); /* outwards */
        oracle_move(&o, edge, &moved);
        CHECK(!waits_for_tidy(grid)); /* to where it was */
        moved = box_of(x, y, x + 10, y + 10);
        oracle_move(&o, edge, &moved);
        CHECK(waits_for_tidy(grid)); /* inwards */
        CHECK(!waits_for_tidy(grid));
    }
    oracle_remove(&o, 4);
    CHECK(!waits_for_tidy(grid));
    for (edge = 0; edge < 4; edge++) {
        oracle_remove(&o, edge);
        CHECK(waits_for_tidy(grid));
    }
    oracle_close(&o);
}

static void tidy_fits_the_boxes_of_cells_to_their_elements(void)
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
            tidy_all(&o.object.loosegrid);
            check_fit(&o);
        }
        oracle_compare(&o);
        oracle_close(&o);
    }
}

static void an_emptied_grid_that_is_tidied_lists_nothing(void)
{
    static oracle o;
    spt_i32 id, i;
    int shift;
    for (shift = 0; shift <= 3; shift++) {
        spt_loosegrid *grid = open_cells(&o, 32, 1 << shift, 0, 0);
        oracle_fill(&o, o.ids);
        for (id = 0; id < o.ids; id++) oracle_remove(&o, id);
        CHECK(grid->pool.used > 0); /* boxes that have not shrunk are listed */
        tidy_all(grid);
        CHECK(grid->pool.used == 0 && grid->larges == SPT_NONE);
        for (i = 0; i < grid->tight_count; i++) CHECK(grid->tights[i].count == 0);
        check_fit(&o);
        oracle_close(&o);
    }
}

/* 1024 cells with an element each, on all edges of the cell's box. */
static spt_loosegrid *open_chessboard(oracle *o)
{
    spt_loosegrid_desc desc = desc_of(32, 4, 0, 0);
    spt_loosegrid *grid = open_grid(o, &oracle_worlds[0], &desc);
    int x, y;
    CHECK(grid->cell_count == 1024);
    for (y = 0; y < 32; y++)
        for (x = 0; x < 32; x++) {
            spt_box box = box_of(32 * x + 8, 32 * y + 8, 32 * x + 16, 32 * y + 16);
            CHECK(spt_loosegrid_insert(grid, (spt_i32)(32 * y + x), &box) == SPT_OK);
        }
    return grid;
}

/* Moves elements to the right, each away from an edge of its cell's box. */
static void push(spt_loosegrid *grid, spt_i32 from, spt_i32 to)
{
    for (; from < to; from++) {
        spt_box box = *spt_loosegrid_box(grid, from);
        box.min_x += 1, box.max_x += 1;
        CHECK(spt_loosegrid_move(grid, from, &box) == SPT_OK);
    }
}

static int cells_that_wait_for(const spt_loosegrid *grid, spt_i32 from, spt_i32 to)
{
    int count = 0;
    for (; from < to; from++)
        count += grid->cells[grid->table.elements[from].list].changed != SPTI_UNCHANGED;
    return count;
}

static void tidy_looks_at_64_cells_and_one_for_every_two_edges_left(void)
{
    static const int left[] = {136, 22 + 100, 58, 0, 0};
    static oracle o;
    spt_loosegrid *grid = open_chessboard(&o);
    int call;
    push(grid, 0, 400);
    for (call = 0; call < TEST_COUNT(left); call++) {
        test_context("call", call);
        spt_loosegrid_tidy(grid); /* looks at 264, 114 and then 64 */
        CHECK(cells_that_wait(grid) == left[call]);
        if (call == 0) push(grid, 400, 500);
        if (call == 1) CHECK(cells_that_wait_for(grid, 400, 500) == 100); /* their turn is next */
        CHECK(spt_loosegrid_check(grid));
    }
    oracle_close(&o);
}

static void tidy_of_a_tidy_grid_writes_nothing(void)
{
    static oracle o;
    spt_loosegrid_desc desc = desc_of(50, 2, 30, 0);
    spt_loosegrid *grid, before;
    test_memory memory;
    uint32_t hash;
    spt_i32 id;
    test_memory_open(&memory, &desc.allocator);
    memory.fill = 1;
    grid = open_grid(&o, &oracle_worlds[0], &desc);
    oracle_fill(&o, o.ids);
    for (id = 0; id < o.ids; id += 2) oracle_remove(&o, id);
    CHECK(grid->changed != SPT_NONE);
    tidy_all(grid);
    before = *grid;
    hash = test_memory_hash(&memory);
    spt_loosegrid_tidy(grid);
    CHECK(memcmp(&before, grid, sizeof before) == 0);
    CHECK(test_memory_hash(&memory) == hash);
    oracle_close(&o);
}

/* ---- Queries -------------------------------------------------------------------------------- */

/* Hits are copied by whole blocks, but never past the end of the list, nor is that made longer. */
static void a_list_needs_room_for_the_hits_and_no_more(void)
{
    static oracle o;
    spt_loosegrid *grid = open_cells(&o, 200, 0, 0, 0);
    spt_allocator allocator;
    test_memory memory;
    spt_intlist out;
    int i;
    oracle_fill(&o, o.ids);
    test_memory_open(&memory, &allocator);
    for (i = 0; i < 200; i++) {
        spt_box box = oracle_random_box(&o);
        spt_i32 n = brute_count(&o, &box);
        test_context("window", i);
        CHECK(spt_intlist_init_with(&out, 1, &allocator) == SPT_OK);
        CHECK(spt_intlist_reserve(&out, n) == SPT_OK);
        memory.limit = memory.bytes + 1;
        CHECK(spt_loosegrid_query(grid, &box, &out) == n);
        CHECK(out.count == n && spt_intlist_check(&out));
        memory.limit = 0;
        spt_intlist_free(&out);
    }
    oracle_close(&o);
}

/* ---- Large elements -------------------------------------------------------------------------- */

static void elements_of_more_than_desc_large_tight_cells_are_kept_apart(void)
{
    spt_box twelve = cells_box(2, 2, 5, 4), fifteen = cells_box(2, 2, 6, 4), other, all;
    static oracle o;
    spt_loosegrid *grid = open_square(&o, 12);
    all = oracle_bounds(o.world);
    other = cells_box(1, 6, 4, 6);
    oracle_insert(&o, 0, &twelve);
    CHECK(!is_large(grid, 0) && grid->larges == SPT_NONE);
    oracle_insert(&o, 1, &fifteen);
    CHECK(is_large(grid, 1) && grid->larges == 1);
    oracle_insert(&o, 2, &all);
    CHECK(is_large(grid, 2));
    oracle_move(&o, 0, &all);
    CHECK(is_large(grid, 0));
    oracle_pairs(&o);
    oracle_compare(&o);
    oracle_move(&o, 1, &other); /* they have shrunk */
    oracle_move(&o, 0, &twelve);
    CHECK(!is_large(grid, 0) && !is_large(grid, 1) && is_large(grid, 2));
    oracle_remove(&o, 2);
    CHECK(grid->larges == SPT_NONE);
    oracle_query(&o, &all);
    oracle_compare(&o);
    oracle_close(&o);
}

static int is_alone(const spt_loosegrid *grid, spt_i32 id)
{
    return grid->table.elements[id].list == SPTI_ALONE(grid);
}

static void elements_that_would_make_a_cell_too_large_stay_alone(void)
{
    spt_box tall = cells_box(4, 1, 4, 7), wide = cells_box(1, 4, 7, 4), tiny;
    static oracle o;
    spt_loosegrid *grid = open_square(&o, 48);
    spt_i32 used;
    oracle_insert(&o, 0, &tall);
    oracle_insert(&o, 1, &wide); /* together 49 */
    CHECK(!is_alone(grid, 0) && is_alone(grid, 1) && grid->larges == SPT_NONE);
    oracle_pairs(&o);
    oracle_query(&o, &tall);
    oracle_query(&o, &wide);
    oracle_compare(&o);
    used = grid->pool.used;
    oracle_remove(&o, 1);
    CHECK(grid->pool.used < used);
    oracle_insert(&o, 1, &wide);
    tiny = cells_box(4, 4, 4, 4);
    oracle_move(&o, 0, &tiny);
    oracle_move(&o, 1, &wide);
    CHECK(!is_alone(grid, 0) && !is_alone(grid, 1)); /* also before the next tidy */
    oracle_pairs(&o);
    oracle_compare(&o);
    oracle_close(&o);
}

/* Long elements of both kinds with the same centres: the second of each cell is alone, and what
   meets in several tight cells is reported in one. */
static void elements_that_are_alone_meet_all_kinds_of_others_once(void)
{
    static oracle o;
    spt_loosegrid *grid = open_square(&o, 12);
    spt_box all = oracle_bounds(o.world);
    spt_i32 id, alone = 0;
    for (id = 0; id < 200; id++) {
        int x = (int)(id / 2 % 9), y = (int)(id / 2 % 7), half = 1 + (int)(id / 4 % 4);
        spt_box box = cells_box(x - half, y, x + half, y);
        if (id % 2) box = cells_box(x, y - half, x, y + half);
        oracle_insert(&o, id, id % 50 ? &box : &all);
        alone += is_alone(grid, id);
    }
    CHECK(alone > 20 && grid->larges >= 0);
    oracle_pairs(&o);
    oracle_compare(&o);
    for (id = 0; id < 200; id += 7) {
        oracle_query(&o, &o.boxes[id]);
        oracle_visit(&o, &o.boxes[id], 3);
        oracle_move(&o, id, &o.boxes[199 - id]);
    }
    spt_loosegrid_tidy(grid);
    oracle_pairs(&o);
    oracle_compare(&o);
    oracle_close(&o);
}

static void many_large_elements_meet_each_other_once(void)
{
    static oracle o;
    spt_loosegrid *grid = open_square(&o, 4);
    spt_i32 id, larges = 0;
    for (id = 0; id < o.ids; id++) {
        int x = (int)(id % 13) - 3, y = (int)(id % 11) - 3, size = id % 3 ? 4 : 1;
        spt_box box = cells_box(x, y, x + size, y + size);
        oracle_insert(&o, id, &box);
        larges += is_large(grid, id);
    }
    CHECK(larges > 3 * 64 && larges < o.ids);
    oracle_pairs(&o);
    oracle_compare(&o);
    oracle_close(&o);
}

/* ---- A pool that is used up ------------------------------------------------------------------ */

static spt_i32 count_larges(const oracle *o)
{
    spt_i32 id, n = 0;
    for (id = 0; id < o->ids; id++) n += o->there[id] && is_large(&o->object.loosegrid, id);
    return n;
}

/* Makes a box reach to the upper border of the world, if it lies before it. */
static void stretch(spt_box *box, const spt_box *bounds)
{
    if (box->max_x < bounds->max_x) box->max_x = bounds->max_x;
    if (box->max_y < bounds->max_y) box->max_y = bounds->max_y;
}

/* Elements that may be listed in every tight cell but find no room there, come and go. */
static void exhaust(const oracle_world *world, spt_i32 capacity)
{
    static oracle o;
    double width = world->max_x - world->min_x, height = world->max_y - world->min_y;
    spt_loosegrid_desc desc = desc_of((width > height ? width : height) / 32, 1, 100000, capacity);
    spt_box bounds = oracle_bounds(world);
    spt_loosegrid *grid;
    int step, steps = test_scale(1500);
    if (!(desc.cell > 0)) return;
    grid = open_grid(&o, world, &desc);
    for (step = 0; step < steps; step++) {
        spt_i32 id = (spt_i32)test_below((int)capacity);
        spt_box box = oracle_random_box(&o), window = oracle_random_box(&o);
        test_context(world->name, step);
        if (step < steps / 2) stretch(&box, &bounds);
        if (!o.there[id]) oracle_insert(&o, id, &box);
        else oracle_move(&o, id, &box);
        if (step % 5 == 0) oracle_remove(&o, (spt_i32)test_below((int)capacity));
        if (step % 9 == 0) spt_loosegrid_tidy(grid);
        if (step % 11 == 0) oracle_query(&o, &window);
        if (step % 99 == 0) oracle_compare(&o);
        if (step % 199 == 0) oracle_pairs(&o);
    }
    oracle_compare(&o);
    oracle_pairs(&o);
    oracle_close(&o);
}

static void a_used_up_pool_costs_no_result(void)
{
    int world;
    for (world = 0; world < ORACLE_WORLDS; world++) {
        exhaust(&oracle_worlds[world], 100);
        exhaust(&oracle_worlds[world], 7);
    }
}

/* Wide elements, then narrower and narrower ones, each in a cell of its own, then points in the
   first of those cells, till not one block is left. */
static void elements_without_room_are_kept_apart_until_there_is_some(void)
{
    static oracle o;
    spt_loosegrid *grid = open_cells(&o, 32, 1, 100000, 500);
    spt_i32 id, larges;
    for (id = 0; id < 500; id++) {
        int x = 272 + 32 * (int)(id % 16), y = 272 + 32 * (int)(id / 16 % 16);
        int half = id < 100 ? 250 : id < 200 ? 200 - (int)id : 0;
        spt_box box = box_of(x - half, y - half, x + half, y + half);
        if (id >= 200) box = box_of(272, 272, 272, 272);
        oracle_insert(&o, id, &box);
    }
    larges = count_larges(&o);
    CHECK(!is_large(grid, 0) && larges > 10 && grid->pool.used == grid->pool.limit);
    oracle_compare(&o);
    oracle_pairs(&o);
    for (id = 0; id < 500; id++)
        if (!is_large(grid, id)) oracle_remove(&o, id);
    spt_loosegrid_tidy(grid);
    for (id = 0; id < 500; id++)
        if (o.there[id]) oracle_move(&o, id, &o.boxes[id]);
    CHECK(count_larges(&o) < larges);
    oracle_compare(&o);
    oracle_pairs(&o);
    oracle_close(&o);
}

/* Points that walk leave cells behind that are still listed; with few blocks these have to be given
   back although nobody calls tidy. */
static void blocks_of_cells_that_were_left_serve_others_before_tidy(void)
{
    static oracle o;
    spt_loosegrid *grid = open_cells(&o, 4, 0, 0, 200);
    int step;
    spt_i32 id;
    for (step = 0; step < 60; step++)
        for (id = 0; id < 200; id++) {
            int x = (int)(id % 16) * 64 + step, y = (int)(id / 16) * 64 + step;
            spt_box box = box_of(x, y, x + 8, y + 8);
            if (step) oracle_move(&o, id, &box);
            else oracle_insert(&o, id, &box);
            CHECK(!is_large(grid, id));
        }
    oracle_pairs(&o);
    oracle_compare(&o);
    oracle_close(&o);
}

/* ---- Cells ----------------------------------------------------------------------------------- */

typedef struct cell_count {
    const spt_loosegrid *grid;
    spt_i32 larges, held, tights, looses;
    spt_box tight;
} cell_count;

static int count_cell(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    cell_count *all = (cell_count *)ctx;
    if (level == 0) {
        CHECK(all->tights == 0 && same_box(box, &all->grid->bounds));
        all->larges += count;
    } else if (level == 1) {
        CHECK(count == 0);
        CHECK(box->max_x - box->min_x == 128 && box->max_y - box->min_y == 128);
        all->tights++;
        all->tight = *box;
    } else {
        double x = ((double)box->min_x + (double)box->max_x) / 2;
        double y = ((double)box->min_y + (double)box->max_y) / 2;
        CHECK(level == 2 && count == 1);
        CHECK((double)all->tight.min_x <= x + 1 && x <= (double)all->tight.max_x + 1);
        CHECK((double)all->tight.min_y <= y + 1 && y <= (double)all->tight.max_y + 1);
        all->held += count;
        all->looses++;
    }
    return 0;
}

/* One element each in some loose cells, so that their boxes are those of the elements. */
static void traverse_tells_loose_cells_after_the_tight_one_around_them(void)
{
    static oracle o;
    spt_loosegrid *grid = open_cells(&o, 32, 4, 20, 0);
    spt_box all = oracle_bounds(o.world);
    cell_count cells = {NULL, 0, 0, 0, 0, {0, 0, 0, 0}};
    spt_i32 id;
    CHECK(grid->columns == 3 && grid->rows == 3 && grid->shift == 2);
    for (id = 0; id < 60; id++) { /* in every second column and row of the 32 by 32 */
        int x = 64 * (int)(id % 8) + 16, y = 64 * (int)(id / 8) + 16;
        spt_box box = box_of(x - 10, y - 12, x + 10, y + 12);
        oracle_insert(&o, id, &box);
    }
    for (; id < 63; id++) oracle_insert(&o, id, &all);
    cells.grid = grid;
    CHECK(spt_loosegrid_traverse(grid, count_cell, &cells) == 0);
    CHECK(cells.larges == 3 && cells.held == 60 && cells.looses == 60);
    CHECK(cells.tights == 16); /* with four loose ones each, the last with none or fewer */
    oracle_close(&o);
}

/* ---- The check itself ------------------------------------------------------------------------ */

/* Breaks one integer in a sound grid; that must be seen; and mends it again. */
static void expect_broken(const spt_loosegrid *grid, void *place, spt_i32 value)
{
    spt_i32 *broken = (spt_i32 *)place, saved = *broken;
    test.step++;
    CHECK(value != saved);
    *broken = value;
    CHECK(!spt_loosegrid_check(grid));
    *broken = saved;
    CHECK(spt_loosegrid_check(grid));
}

/* Elements 0 .. 9 in one loose cell and 10 .. 12 in another, 13 .. 15 large, 16 gone; two cells are
   noted for tidy, and blocks are free. */
static spt_loosegrid *open_broken(oracle *o)
{
    spt_loosegrid *grid = open_cells(o, 128, 2, 4, 20);
    spt_box here = cells_box(1, 1, 2, 1), there = cells_box(5, 5, 5, 5), inner = here, all, gone;
    spt_i32 id;
    all = oracle_bounds(o->world);
    gone = cells_box(7, 1, 7, 1);
    inner.min_x += 1, inner.min_y += 1, inner.max_x -= 1, inner.max_y -= 1;
    for (id = 0; id < 16; id++) oracle_insert(o, id, id < 10 ? &here : id < 13 ? &there : &all);
    oracle_insert(o, 16, &gone);
    oracle_move(o, 0, &inner);
    oracle_remove(o, 16);
    CHECK(spt_loosegrid_check(grid) && is_large(grid, 13) && grid->pool.blocks.free_head >= 0);
    CHECK(grid->changed != SPT_NONE && grid->cells[grid->changed].changed != SPT_NONE);
    CHECK(grid->table.elements[0].list != grid->table.elements[10].list);
    return grid;
}

static void check_finds_wrong_counts_and_lists(void)
{
    static oracle o;
    spt_loosegrid *grid = open_broken(&o);
    spti_loose *cell = &grid->cells[grid->table.elements[0].list];
    spt_i32 other = grid->table.elements[10].list, *data = spti_list_data(&grid->pool.blocks);
    spti_bag *tight = &grid->tights[SPTI_SPAN_X(cell->span.min)];
    test_context("counts", 0);
    CHECK(tight->count == 1 && cell->bag.count == 10);
    expect_broken(grid, &grid->table.count, grid->table.count - 1);
    expect_broken(grid, &grid->pool.used, grid->pool.used + 1);
    expect_broken(grid, &grid->pool.limit, grid->pool.used - 1);
    expect_broken(grid, &grid->pool.blocks.free_head, SPT_NONE);
    expect_broken(grid, &grid->pool.blocks.free_head, 1000000);
    expect_broken(grid, &cell->bag.count, 9);
    expect_broken(grid, &cell->bag.count, 11);
    expect_broken(grid, &cell->bag.count, 0);
    expect_broken(grid, &cell->bag.first, SPT_NONE);
    expect_broken(grid, &cell->bag.first, 1000000);
    expect_broken(grid, &cell->bag.first, tight->first);
    test_context("tight", 0);
    expect_broken(grid, &tight->count, 0);
    expect_broken(grid, &tight->count, 2);
    expect_broken(grid, &tight->first, 1000000);
    expect_broken(grid, &data[8 * tight->first], other);
    expect_broken(grid, &data[8 * tight->first], SPT_NONE);
    test_context("changed", 0);
    expect_broken(grid, &grid->changed, SPT_NONE);
    expect_broken(grid, &grid->changed, grid->cell_count);
    expect_broken(grid, &grid->cells[grid->changed].changed, SPT_NONE);
    expect_broken(grid, &grid->cells[grid->changed].changed, grid->changed);
    expect_broken(grid, &grid->cells[other].changed, SPT_NONE);
    expect_broken(grid, &grid->waiting, grid->changed);
    expect_broken(grid, &grid->waiting, grid->cell_count);
    oracle_close(&o);
}

static void check_finds_wrong_elements(void)
{
    static oracle o;
    spt_loosegrid *grid = open_broken(&o);
    spti_element *elements = grid->table.elements, *e = &elements[1];
    spt_i32 *ids = spti_list_data(&grid->pool.blocks) + 8 * grid->cells[e->list].bag.first;
    test_context("elements", 0);
    expect_broken(grid, &ids[0], ids[1]);  /* twice */
    expect_broken(grid, &ids[0], 10);      /* of another cell */
    expect_broken(grid, &ids[0], 16);      /* removed */
    expect_broken(grid, &ids[0], 20);      /* beyond the capacity */
    expect_broken(grid, &ids[7], 1000000); /* the next block */
    expect_broken(grid, &e->list, SPT_NONE);
    expect_broken(grid, &e->list, elements[10].list);
    expect_broken(grid, &e->list, grid->cell_count);
    expect_broken(grid, &e->at.slot, e->at.slot + 1);
    expect_broken(grid, &elements[16].list, 0);
    test_context("larges", 0);
    expect_broken(grid, &grid->larges, SPT_NONE);
    expect_broken(grid, &grid->larges, 14); /* in the middle */
    expect_broken(grid, &grid->larges, 3);
    expect_broken(grid, &elements[14].at.links.next, SPT_NONE);
    expect_broken(grid, &elements[14].at.links.next, 14);
    expect_broken(grid, &elements[14].at.links.prev, SPT_NONE);
    expect_broken(grid, &elements[14].list, 0);
    oracle_close(&o);
}

static void check_finds_wrong_elements_that_are_alone(void)
{
    spt_box tall = cells_box(4, 1, 4, 7), wide = cells_box(1, 4, 7, 4);
    static oracle o;
    spt_loosegrid *grid = open_square(&o, 48);
    spti_element *e;
    oracle_insert(&o, 0, &tall);
    oracle_insert(&o, 1, &wide);
    e = &grid->table.elements[1];
    if (!CHECK(is_alone(grid, 1))) return;
    expect_broken(grid, &e->at.span.min, (spt_i32)e->at.span.min + 1);
    expect_broken(grid, &e->at.span.max, (spt_i32)e->at.span.max - 1);
    expect_broken(grid, &e->list, 0);
    expect_broken(grid, &grid->large, 6);
    grid->table.boxes[1].max_x = wide.min_x; /* its span is another now */
    CHECK(!spt_loosegrid_check(grid));
    grid->table.boxes[1] = wide;
    CHECK(spt_loosegrid_check(grid));
    oracle_close(&o);
}

static void check_finds_wrong_boxes(void)
{
    static oracle o;
    spt_loosegrid *grid = open_broken(&o);
    const spti_element *elements = grid->table.elements;
    spti_loose *cell = &grid->cells[elements[1].list];
    spt_box box = cell->box, *own = &grid->table.boxes[1], saved = *own;
    expect_broken(grid, &cell->span.max, (spt_i32)cell->span.max + 1);
    expect_broken(grid, &grid->large, 1); /* less than a cell has */
    cell->box.max_x -= 1;                 /* does not hold its elements */
    CHECK(!spt_loosegrid_check(grid));
    cell->box.max_x += 200; /* reaches into tight cells that do not list it */
    CHECK(!spt_loosegrid_check(grid));
    cell->box = box;
    cell->box.max_x += 1; /* larger than it must be: tidy will see to it */
    CHECK(spt_loosegrid_check(grid));
    cell->box = box;
    cell = &grid->cells[elements[10].list];
    cell->box.max_x += 1; /* here it will not */
    CHECK(!spt_loosegrid_check(grid));
    cell->box.max_x -= 1;
    spti_box_clear(own);
    CHECK(!spt_loosegrid_check(grid));
    *own = grid->table.boxes[10]; /* of another cell */
    CHECK(!spt_loosegrid_check(grid));
    *own = saved;
    CHECK(spt_loosegrid_check(grid));
    oracle_close(&o);
}

static const test_case tests[] = {
    TEST(random_operations_agree_with_the_naive_model),
    TEST(bad_descriptions_are_refused),
    TEST(zeros_mean_the_defaults),
    TEST(default_cells_are_for_8_to_16_ids),
    TEST(sides_of_cells_are_from_3_quarters_to_3_halves_of_desc_cell),
    TEST(a_cell_that_grows_is_listed_in_the_corners_of_its_box_too),
    TEST(only_cells_that_were_left_on_an_edge_wait_for_tidy),
    TEST(tidy_fits_the_boxes_of_cells_to_their_elements),
    TEST(an_emptied_grid_that_is_tidied_lists_nothing),
    TEST(tidy_looks_at_64_cells_and_one_for_every_two_edges_left),
    TEST(tidy_of_a_tidy_grid_writes_nothing),
    TEST(a_list_needs_room_for_the_hits_and_no_more),
    TEST(elements_of_more_than_desc_large_tight_cells_are_kept_apart),
    TEST(elements_that_would_make_a_cell_too_large_stay_alone),
    TEST(elements_that_are_alone_meet_all_kinds_of_others_once),
    TEST(many_large_elements_meet_each_other_once),
    TEST(blocks_of_cells_that_were_left_serve_others_before_tidy),
    TEST(a_used_up_pool_costs_no_result),
    TEST(elements_without_room_are_kept_apart_until_there_is_some),
    TEST(traverse_tells_loose_cells_after_the_tight_one_around_them),
    TEST(check_finds_wrong_counts_and_lists),
    TEST(check_finds_wrong_elements),
    TEST(check_finds_wrong_elements_that_are_alone),
    TEST(check_finds_wrong_boxes),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
