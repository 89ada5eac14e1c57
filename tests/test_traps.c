/* test_traps.c - the mistakes that published quadtrees, grids and their lists made, one test each.
   What belongs to one kind of structure stands here in the forms in which it could hit the others,
   and the broadphase. */
#include <assert.h>
#include <setjmp.h>

static jmp_buf trap;      /* where a failed assertion goes, */
static int trap_expected; /* if it is expected */

static void trapped(void)
{
    if (trap_expected) longjmp(trap, 1);
    assert(!"an assertion of the library");
}

#define SPATIAL_ASSERT(x) ((x) ? (void)0 : trapped())
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"

/* Makes a structure over these bounds, with levels that the oracle makes cells of. */
static void open_index(oracle *o, const char *structure, const spt_box *bounds, int levels,
                       const spt_allocator *allocator)
{
    oracle_world world;
    oracle_setup setup = {NULL, NULL, 0, 0, 0, {NULL, NULL}, NULL};
    memset(&world, 0, sizeof world);
    world.min_x = (double)bounds->min_x, world.max_x = (double)bounds->max_x;
    world.min_y = (double)bounds->min_y, world.max_y = (double)bounds->max_y;
    setup.world = &world;
    setup.structure = structure;
    setup.levels = levels;
    if (allocator) setup.allocator = *allocator;
    CHECK(oracle_make(o, &setup) == SPT_OK);
}

/* The structures into which boxes come one by one. */
static const char *const structures[] = {"linear", "quadtree", "loosegrid"};

static void for_every_structure(void (*check)(const char *structure))
{
    int i;
    for (i = 0; i < TEST_COUNT(structures); i++) {
        test_context(structures[i], 0);
        check(structures[i]);
    }
}

static int is(const char *structure, const char *name)
{
    return strcmp(structure, name) == 0;
}

/* ---- The world: its shape, its place --------------------------------------------------------- */

/* Cells that hold something hold little, and are short along the longer side of the world, where
   the cells of a loose grid may be columns of the whole of it. */
static int check_spread(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    const spt_box *world = (const spt_box *)ctx;
    double width = (double)world->max_x - (double)world->min_x;
    double height = (double)world->max_y - (double)world->min_y;
    double across = width > height ? ((double)box->max_x - (double)box->min_x) / width
                                   : ((double)box->max_y - (double)box->min_y) / height;
    CHECK(level >= 0 && count <= 16);
    if (count > 0) CHECK(across <= 1 / 8.0);
    return 0;
}

/* A point in the middle of each of 16 x 16 cells; each must be found where it is, alone, and they
   must not lie in one cell together. */
static void check_every_cell(const char *structure, spt_box bounds)
{
    double width = ((double)bounds.max_x - (double)bounds.min_x) / 16;
    double height = ((double)bounds.max_y - (double)bounds.min_y) / 16;
    oracle o;
    spt_index *t = &o.index;
    spt_intlist out;
    int x, y, round;
    open_index(&o, structure, &bounds, 4, NULL);
    spt_intlist_init(&out, 1);
    for (round = 0; round < 2; round++)
        for (y = 0; y < 16; y++)
            for (x = 0; x < 16; x++) {
                double at_x = (double)bounds.min_x + (x + 0.5) * width;
                double at_y = (double)bounds.min_y + (y + 0.5) * height;
                spt_box point = box_of(at_x, at_y, at_x, at_y);
                spt_box cell = box_of(at_x - width / 4, at_y - height / 4, at_x + width / 4,
                                      at_y + height / 4);
                if (round == 0) {
                    CHECK(spt_insert(t, y * 16 + x, &point) == SPT_OK);
                    continue;
                }
                CHECK(spt_query(t, &cell, NULL, &out) == 1);
                CHECK(spt_intlist_get(&out, 0, 0) == y * 16 + x);
            }
    CHECK(spt_check(t));
    CHECK(spt_traverse(t, check_spread, &bounds) == 0);
    spt_intlist_free(&out);
    spt_free(t);
}

static void rows_and_columns_width_and_height_are_not_swapped(void)
{
    static const spt_box worlds[] = {{0, 0, 16384, 128}, {0, 0, 128, 16384}, {-4096, 7, -128, 135}};
    int i, k;
    for (i = 0; i < TEST_COUNT(worlds); i++)
        for (k = 0; k < TEST_COUNT(structures); k++) check_every_cell(structures[k], worlds[i]);
}

typedef struct aspect {
    double width, height; /* of the world */
    spt_i32 cells;
} aspect;

static int check_aspect(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    aspect *world = (aspect *)ctx;
    CHECK((double)box->max_x - (double)box->min_x == ldexp(world->width, -level));
    CHECK((double)box->max_y - (double)box->min_y == ldexp(world->height, -level));
    CHECK(count >= 0);
    world->cells++;
    return 0;
}

static void check_halves(const char *structure)
{
    static const spt_box worlds[] = {{0, 0, 4096, 64}, {-64, -4096, 0, 4096}};
    int i, k;
    for (i = 0; i < TEST_COUNT(worlds); i++) {
        const spt_box *world = &worlds[i];
        aspect expected = {0, 0, 0};
        oracle o;
        expected.width = (double)world->max_x - (double)world->min_x;
        expected.height = (double)world->max_y - (double)world->min_y;
        open_index(&o, structure, world, 5, NULL);
        for (k = 0; k < 64; k++) {
            double x = (double)world->min_x + k * expected.width / 64;
            double y = (double)world->min_y + k * expected.height / 64;
            spt_box point = box_of(x, y, x, y);
            CHECK(spt_insert(&o.index, k, &point) == SPT_OK);
        }
        CHECK(spt_traverse(&o.index, check_aspect, &expected) == 0);
        CHECK(expected.cells >= 32); /* of the finest, on the diagonal */
        spt_free(&o.index);
    }
}

static void cells_are_half_as_high_as_their_parents_in_an_oblong_world(void)
{
    check_halves("quadtree");
}

/* What points in cells of 16 by 16 look like. */
typedef struct squares {
    spt_i32 cells;
} squares;

static int check_square(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    squares *s = (squares *)ctx;
    CHECK(level == 5 && count >= 1);
    CHECK(box->max_x - box->min_x == 16 && box->max_y - box->min_y == 16);
    s->cells++;
    return 0;
}

static void cells_of_linear_and_loosegrid_are_square_in_an_oblong_world(void)
{
    static const spt_box worlds[] = {{0, 0, 4096, 64}, {-32, -4096, 0, 4096}};
    spt_linear_desc desc;
    spt_linear_desc linear;
    int i, k;
    memset(&desc, 0, sizeof desc);
    memset(&linear, 0, sizeof linear);
    desc.keep_bounds = linear.keep_bounds = 1;
    desc.cell = 16;
    linear.levels = 5;
    for (i = 0; i < 2 * TEST_COUNT(worlds); i++) {
        squares seen = {0};
        spt_index grid;
        desc.bounds = linear.bounds = worlds[i / 2];
        if (i % 2) CHECK(spt_loosegrid_init(&grid, &desc) == SPT_OK);
        else CHECK(spt_linear_init(&grid, &linear) == SPT_OK);
        for (k = 0; k < 64; k++) {
            double x = (double)desc.bounds.min_x + (i > 1 ? k / 2 : 64 * k) + 0.5;
            double y = (double)desc.bounds.min_y + (i > 1 ? 128 * k : k) + 0.5;
            spt_box point = box_of(x, y, x, y);
            CHECK(spt_insert(&grid, k, &point) == SPT_OK);
        }
        CHECK(spt_traverse(&grid, check_square, &seen) == 0);
        CHECK(seen.cells == 64);
        spt_free(&grid);
    }
}

/* What a structure looks like, relative to the corner of its world. */
typedef struct look {
    spt_coord left, bottom;
    uint32_t hash;
} look;

static int look_at_cell(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    look *l = (look *)ctx;
    int numbers[6];
    numbers[0] = (int)(box->min_x - l->left);
    numbers[1] = (int)(box->min_y - l->bottom);
    numbers[2] = (int)(box->max_x - l->left);
    numbers[3] = (int)(box->max_y - l->bottom);
    numbers[4] = level;
    numbers[5] = (int)count;
    l->hash = test_hash(l->hash, numbers, sizeof numbers);
    return 0;
}

/* Hash of the cells and of some queries of a fixed crowd, in a world put anywhere. */
static uint32_t look_of_world_at(const char *structure, int left, int bottom)
{
    spt_box bounds = box_of(left, bottom, left + 1024, bottom + 512);
    look l = {bounds.min_x, bounds.min_y, 2166136261u};
    oracle o;
    spt_index *t = &o.index;
    spt_intlist out;
    int k;
    open_index(&o, structure, &bounds, 5, NULL);
    spt_intlist_init(&out, 1);
    for (k = 0; k < 300; k++) {
        int x = left + k * 389 % 1024, y = bottom + k * 211 % 512;
        spt_box box = box_of(x, y, x + k % 7, y + k % 11);
        CHECK(spt_insert(t, k, &box) == SPT_OK);
    }
    CHECK(spt_traverse(t, look_at_cell, &l) == 0);
    for (k = 0; k < 1000; k += 5) {
        spt_box box = box_of(left + k, bottom + k / 2, left + k + 60, bottom + k / 2 + 30);
        CHECK(spt_query(t, &box, NULL, &out) >= 0);
        l.hash = test_hash(l.hash, spt_intlist_data(&out),
                           (size_t)spt_intlist_count(&out) * sizeof(spt_i32));
    }
    spt_intlist_free(&out);
    spt_free(t);
    return l.hash;
}

static void check_places(const char *structure)
{
    uint32_t here = look_of_world_at(structure, 0, 0);
    CHECK(look_of_world_at(structure, 1, 1) == here);
    CHECK(look_of_world_at(structure, 5000, 300) == here);
    CHECK(look_of_world_at(structure, 100000, -100000) == here);
}

static void a_world_need_not_begin_at_the_origin(void)
{
    for_every_structure(check_places);
}

/* Truncation would make the cells on both sides of zero one cell, here twice over. */
static void check_floors(const char *structure)
{
    uint32_t here = look_of_world_at(structure, 0, 0);
    CHECK(look_of_world_at(structure, -512, -256) == here);
    CHECK(look_of_world_at(structure, -1000, -3) == here);
    CHECK(look_of_world_at(structure, -1024, -512) == here);
    CHECK(look_of_world_at(structure, -70000, -90000) == here);
}

static void coordinates_below_zero_floor_and_do_not_truncate(void)
{
    for_every_structure(check_floors);
}

/* ---- Numbers that no int can hold ------------------------------------------------------------ */

static int extreme_numbers(spt_coord *numbers)
{
    static const double finite[] = {
        0,     0.5,          1,            99,           100,  101,    32767,  65536,
        1e30,  2147483520.0, 2147483648.0, 4294967296.0, 1e10, 9.3e18, 1.9e19, 3e38};
    int i, n = 0;
    for (i = 0; i < TEST_COUNT(finite); i++) {
        numbers[n++] = coord_of(finite[i]);
        numbers[n++] = coord_of(-finite[i]);
    }
    numbers[n++] = COORD_HIGH;
    numbers[n++] = COORD_LOW;
    numbers[n++] = COORD_MAX;
#ifndef SPATIAL_INT
    numbers[n++] = -COORD_MAX;
    numbers[n++] = (spt_coord)1e-44;
    numbers[n++] = (spt_coord)-1e-44;
#endif
    return n;
}

/* Boxes and queries between any two such numbers: run it with a sanitizer for conversions, too. */
static void check_extremes(const char *structure)
{
    static oracle o;
    static const oracle_world world = {"extremes", -100, -50, 100, 50, 10, 1, 0, 0, 0, 0};
    oracle_setup setup = {&world, NULL, 4, ORACLE_IDS, 0, {NULL, NULL}, NULL};
    spt_coord numbers[64];
    int n = extreme_numbers(numbers), i, j, round;
    spt_i32 id = 0;
    setup.structure = structure;
    CHECK(oracle_open(&o, &setup) == SPT_OK);
    for (round = 0; round < 2; round++)
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++) {
                spt_box box;
                box.min_x = numbers[i], box.max_x = numbers[j];
                box.min_y = numbers[(i * 7 + j) % n], box.max_y = numbers[(j * 5 + i) % n];
                if (box.min_x > box.max_x) continue;
                if (box.min_y > box.max_y) box.min_y = box.max_y;
                if (round == 0 && id < ORACLE_IDS) oracle_insert(&o, id++, &box);
                if (round == 1 && (i + j) % 2 == 0) oracle_query(&o, &box);
            }
    oracle_pairs(&o);
    oracle_compare(&o);
    oracle_close(&o);
}

static void huge_and_infinite_coordinates_fall_in_the_border_cells(void)
{
    for_every_structure(check_extremes);
}

#ifndef SPATIAL_INT
static void check_nan(const char *structure)
{
    spt_box bounds = {0, 0, 100, 100}, good = {1, 1, 2, 2}, box;
    oracle o;
    spt_index *t = &o.index;
    spt_intlist ids;
    int way;
    open_index(&o, structure, &bounds, 4, NULL);
    spt_intlist_init(&ids, 1);
    CHECK(spt_insert(t, 0, &good) == SPT_OK);
    for (way = 2; way < BAD_BOXES; way++) {
        spt_box bad = bad_box(&good, way);
        CHECK(spt_insert(t, 1, &bad) == SPT_ERR_BOX);
        CHECK(spt_move(t, 0, &bad) == SPT_ERR_BOX);
        CHECK(spt_query(t, &bad, NULL, &ids) == SPT_ERR_BOX);
        CHECK(spt_visit(t, &bad, NULL, NULL, NULL) == SPT_ERR_BOX);
    }
    CHECK(spt_box_of(t, 0, &box) == SPT_OK && same_box(&box, &good) && spt_count(t) == 1);
    CHECK(spt_intlist_count(&ids) == 0 && spt_check(t));
    spt_intlist_free(&ids);
    spt_free(t);
}

static void a_nan_is_refused_everywhere_in_release_builds_too(void)
{
    spt_box boxes[2] = {{1, 1, 2, 2}, {1, 1, 2, 2}};
    spt_broadphase bp;
    spt_intlist pairs;
    int way;
    for_every_structure(check_nan);
    CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK);
    spt_intlist_init(&pairs, 2);
    for (way = 2; way < BAD_BOXES; way++) {
        boxes[1] = bad_box(&boxes[0], way);
        CHECK(spt_broadphase_pairs(&bp, boxes, 2, NULL, &pairs) == SPT_ERR_BOX);
    }
    CHECK(spt_intlist_count(&pairs) == 0);
    spt_intlist_free(&pairs);
    spt_broadphase_free(&bp);
}
#endif

#ifndef SPATIAL_INT
/* Sees that no kind takes these bounds, kept or not. */
static void refuse_bounds(const spt_box *bounds)
{
    spt_linear_desc linear;
    spt_quadtree_desc quadtree;
    spt_linear_desc loosegrid;
    spt_index x;
    int keep;
    memset(&linear, 0, sizeof linear), memset(&quadtree, 0, sizeof quadtree);
    memset(&loosegrid, 0, sizeof loosegrid);
    linear.bounds = quadtree.bounds = loosegrid.bounds = *bounds;
    for (keep = 0; keep < 2; keep++) {
        linear.keep_bounds = quadtree.keep_bounds = loosegrid.keep_bounds = keep;
        CHECK(spt_linear_init(&x, &linear) == SPT_ERR_ARGUMENT);
        CHECK(spt_quadtree_init(&x, &quadtree) == SPT_ERR_ARGUMENT);
        CHECK(spt_loosegrid_init(&x, &loosegrid) == SPT_ERR_ARGUMENT);
    }
    CHECK(spt_linear_init(&x, NULL) == SPT_OK);
    CHECK(spt_rebound(&x, bounds) == SPT_ERR_ARGUMENT);
    spt_free(&x);
}

/* Infinity would make a single cell, or cells without a size. */
static void a_desc_with_a_number_that_is_not_finite_is_refused(void)
{
    const spt_coord bad[] = {COORD_HIGH, COORD_LOW, (spt_coord)NAN};
    const spt_box good = {-1, -1, 5, 5};
    spt_linear_desc grid;
    spt_neighbours_desc desc;
    spt_neighbours nb;
    spt_index x;
    spt_box bounds;
    int i, k;
    for (i = 0; i < TEST_COUNT(bad); i++) {
        for (k = 1; k < 16; k++) { /* each set of edges */
            bounds = good;
            if (k & 1) bounds.min_x = bad[i];
            if (k & 2) bounds.min_y = bad[i];
            if (k & 4) bounds.max_x = bad[i];
            if (k & 8) bounds.max_y = bad[i];
            refuse_bounds(&bounds);
        }
        for (k = 0; k < 4; k++) { /* bounds or none, kept or not, a capacity or none */
            memset(&grid, 0, sizeof grid);
            if (k > 0) grid.bounds = good;
            grid.keep_bounds = k == 2, grid.capacity = k == 3 ? 10 : 0;
            grid.cell = bad[i];
            CHECK(spt_loosegrid_init(&x, &grid) == SPT_ERR_ARGUMENT);
            CHECK(spt_loosegrid_bytes_for(&grid) == 0);
        }
        for (k = 0; k < 2; k++) {
            memset(&desc, 0, sizeof desc);
            *(k ? &desc.period_x : &desc.period_y) = bad[i];
            CHECK(spt_neighbours_init(&nb, &desc) == SPT_ERR_ARGUMENT);
            desc.capacity = 10;
            CHECK(spt_neighbours_bytes_for(&desc) == 0);
        }
    }
    grid.cell = COORD_MAX; /* the largest that is finite */
    CHECK(spt_loosegrid_init(&x, &grid) == SPT_OK);
    spt_free(&x);
}
#endif

/* ---- Queries --------------------------------------------------------------------------------- */

static int count_visits(void *ctx, spt_i32 id, const spt_box *box)
{
    spt_i32 *visits = (spt_i32 *)ctx;
    (*visits)++;
    return id < 0 || !brute_valid(box);
}

/* Only the broadphase, which finds pairs and is part of the structure, may write something. */
static void check_no_marks(const char *structure)
{
    static oracle o, before;
    spt_index *t = &o.index;
    spt_box bounds = {-100, 0, 100, 50}, box_of_5;
    oracle_cells cells = {0, 0, 0};
    test_memory memory;
    spt_allocator allocator;
    spt_intlist out;
    spt_i32 i, visits = 0;
    uint32_t hash;
    test_memory_open(&memory, &allocator);
    memory.fill = 1;
    open_index(&o, structure, &bounds, 5, &allocator);
    spt_intlist_init(&out, 1);
    for (i = 0; i < 200; i++) {
        spt_box box = box_of(i - 100, i % 50, i - 90, i % 50 + 3);
        CHECK(spt_insert(t, i, &box) == SPT_OK);
    }
    memcpy(&before, &o, sizeof o);
    hash = test_memory_hash(&memory);
    CHECK(spt_query(t, &bounds, NULL, &out) == 200);
    CHECK(spt_visit(t, &bounds, NULL, count_visits, &visits) == 0 && visits == 200);
    CHECK(spt_traverse(t, oracle_on_cell, &cells) == 0);
    CHECK(spt_check(t));
    CHECK(spt_contains(t, 5) && spt_box_of(t, 5, &box_of_5) == SPT_OK);
    CHECK(memcmp(&o.index, &before.index, sizeof o.index) == 0);
    CHECK(test_memory_hash(&memory) == hash);
    spt_intlist_free(&out);
    spt_free(t);
}

static void queries_write_no_marks_into_the_structure(void)
{
    for_every_structure(check_no_marks);
}

static void check_ids(const char *structure)
{
    static const spt_i32 ids[] = {700, 3, 90, 41};
    spt_box bounds = {0, 0, 10, 10};
    oracle o;
    spt_index *t = &o.index;
    spt_intlist found, pairs;
    spt_i32 sum = 0, i;
    open_index(&o, structure, &bounds, 3, NULL);
    spt_intlist_init(&found, 1);
    spt_intlist_init(&pairs, 2);
    for (i = 0; i < 4; i++) CHECK(spt_insert(t, ids[i], &bounds) == SPT_OK);
    CHECK(spt_remove(t, 3) == SPT_OK);
    CHECK(spt_query(t, &bounds, NULL, &found) == 3);
    for (i = 0; i < 3; i++) sum += spt_intlist_get(&found, i, 0);
    CHECK(sum == 700 + 90 + 41);
    CHECK(spt_pairs(t, NULL, &pairs) == 3);
    for (i = 0, sum = 0; i < 3; i++) {
        CHECK(spt_intlist_get(&pairs, i, 0) < spt_intlist_get(&pairs, i, 1));
        sum += spt_intlist_get(&pairs, i, 0) * spt_intlist_get(&pairs, i, 1);
    }
    CHECK(sum == 41 * 90 + 41 * 700 + 90 * 700);
    spt_intlist_free(&found);
    spt_intlist_free(&pairs);
    spt_free(t);
}

static void results_are_the_ids_of_the_caller_not_internal_slots(void)
{
    for_every_structure(check_ids);
}

/* A box that grows diagonally has new cells at the corners of the union that neither had before. */
static void check_moved_corners(const char *structure)
{
    static const oracle_world world = {"corners", 0, 0, 64, 64, 64, 1, 0, 0, 0, 0};
    static oracle o;
    oracle_setup setup = {&world, NULL, 5, 4, 0, {NULL, NULL}, NULL};
    int from, to, x, y;
    setup.structure = structure;
    CHECK(oracle_open(&o, &setup) == SPT_OK);
    for (from = 0; from < 60; from += 7)
        for (to = 0; to < 60; to += 5) {
            spt_box box = box_of(from, from, from + 1, from + 1), grown;
            grown = box_of(from < to ? from : to, from < to ? from : to, from > to ? from : to,
                           from > to ? from : to);
            oracle_insert(&o, 0, &box);
            oracle_move(&o, 0, &grown);
            for (y = -1; y <= 1; y++)
                for (x = -1; x <= 1; x++) {
                    spt_box at = box_of((double)grown.min_x + x, (double)grown.max_y + y,
                                        (double)grown.min_x + x, (double)grown.max_y + y);
                    oracle_query(&o, &at);
                    at = box_of((double)grown.max_x + x, (double)grown.min_y + y,
                                (double)grown.max_x + x, (double)grown.min_y + y);
                    oracle_query(&o, &at);
                }
            oracle_remove(&o, 0);
        }
    oracle_close(&o);
}

static void a_moved_box_is_found_at_every_corner_of_its_new_place(void)
{
    for_every_structure(check_moved_corners);
}

/* Asks for points in all cells. */
static void query_everywhere(oracle *o)
{
    int x, y;
    for (y = 8; y < 256; y += 16)
        for (x = 8; x < 256; x += 16) {
            spt_box at = box_of(x, y, x, y);
            oracle_query(o, &at);
        }
    CHECK(spt_check(&o->index));
}

/* One element makes its cell wide, another makes it high: of the corners of the cell's box neither
   knows. A third one then reaches there, and the box need not grow for it; a fourth one, in another
   cell, is larger on all sides. */
static void check_grown_cell(oracle *o, int order)
{
    spt_box small = box_of(130, 130, 134, 134), boxes[4];
    int i;
    boxes[0] = box_of(132 - 20 * (1 + order % 6), 130, 132 + 20 * (1 + order % 6), 134);
    boxes[1] = box_of(130, 132 - 20 * (1 + order % 5), 134, 132 + 20 * (1 + order % 5));
    boxes[2] = box_of((double)boxes[0].min_x, (double)boxes[1].min_y, (double)boxes[0].max_x,
                      (double)boxes[1].max_y);
    boxes[3] = box_of(5, 5, 259, 259);
    for (i = 0; i < 4; i++) {
        spt_i32 id = i < 2 && order & 1 ? 1 - i : i;
        if (order >> i & 2) oracle_insert(o, id, &small), oracle_move(o, id, &boxes[id]);
        else oracle_insert(o, id, &boxes[id]);
        query_everywhere(o);
    }
    for (i = 0; i < 4; i++) { /* and in the reverse, when it shrinks */
        oracle_remove(o, 3 - i);
        if (order & 16) spt_tidy(&o->index);
        query_everywhere(o);
    }
}

static void a_grown_cell_is_found_from_wherever_its_elements_reach(void)
{
    static const oracle_world world = {"union", 0, 0, 256, 256, 16, 1, 0, 0, 0, 0};
    static oracle o;
    oracle_setup setup = {&world, "loosegrid", 4, 4, 0, {NULL, NULL}, NULL};
    spt_linear_desc desc;
    int order;
    CHECK(oracle_open(&o, &setup) == SPT_OK);
    spt_free(&o.index);
    memset(&desc, 0, sizeof desc);
    desc.bounds = oracle_bounds(&world);
    desc.cell = 16;
    CHECK(spt_loosegrid_init(&o.index, &desc) == SPT_OK);
    for (order = 0; order < 32; order++) check_grown_cell(&o, order);
    oracle_close(&o);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void a_copied_list_does_not_point_into_the_original(void)
{
    static const spt_i32 lengths[] = {0, 1, 20, 1000}; /* inside the struct and outside */
    int l;
    for (l = 0; l < TEST_COUNT(lengths); l++) {
        spt_intlist list, copy;
        spt_i32 i, n = lengths[l];
        spt_intlist_init(&list, 1);
        for (i = 0; i < n; i++) CHECK(spt_intlist_push(&list, &i) == i);
        memcpy(&copy, &list, sizeof list);
        memset(&list, 0xEE, sizeof list);
        CHECK(spt_intlist_check(&copy));
        for (i = 0; i < n; i++) CHECK(spt_intlist_get(&copy, i, 0) == i);
        for (i = n; i < n + 300; i++) CHECK(spt_intlist_push(&copy, &i) == i);
        for (i = 0; i < n + 300; i++) CHECK(spt_intlist_data(&copy)[i] == i);
        spt_intlist_free(&copy);
    }
}

static void a_copied_broadphase_does_not_point_into_the_original(void)
{
    spt_box boxes[50];
    spt_broadphase bp, copy;
    spt_intlist pairs;
    spt_i32 i;
    for (i = 0; i < 50; i++) boxes[i] = box_of(i, i, i + 1, i + 1);
    CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK);
    spt_intlist_init(&pairs, 2);
    CHECK(spt_broadphase_pairs(&bp, boxes, 50, NULL, &pairs) == 49);
    memcpy(&copy, &bp, sizeof bp);
    memset(&bp, 0xEE, sizeof bp);
    CHECK(spt_broadphase_pairs(&copy, boxes, 50, NULL, &pairs) == 49);
    spt_intlist_free(&pairs);
    spt_broadphase_free(&copy);
}

/* Fills an index till no memory is left; refused boxes are not there, all others are. */
static void check_old_memory(const char *structure)
{
    oracle o;
    spt_index *t = &o.index;
    spt_box bounds = {0, 0, 400, 400}, boxes[250];
    unsigned char there[250];
    test_memory memory;
    spt_allocator allocator;
    spt_intlist pairs, found;
    spt_i32 i, n = 0;
    test_memory_open(&memory, &allocator);
    spt_intlist_init(&pairs, 2);
    spt_intlist_init(&found, 1);
    open_index(&o, structure, &bounds, 4, &allocator);
    for (i = 0; i < 250; i++) {
        int result;
        if (i == 200) memory.limit = 1;
        boxes[i] = i < 200 ? box_of(i, i, i + 1, i + 1) : box_of(7 * (i - 200), 0, 390, 399);
        result = spt_insert(t, i, &boxes[i]);
        CHECK(result == SPT_OK || (i >= 200 && result == SPT_ERR_MEMORY));
        there[i] = result == SPT_OK;
        n += there[i];
    }
    CHECK(spt_insert(t, 100000, &boxes[0]) == SPT_ERR_MEMORY);
    CHECK(spt_check(t) && spt_count(t) == n);
    for (i = 0; i < 250; i++) {
        spt_box box;
        CHECK(spt_box_of(t, i, &box) == (there[i] ? SPT_OK : SPT_ERR_ID));
        if (there[i]) CHECK(same_box(&box, &boxes[i]));
    }
    CHECK(spt_query(t, &bounds, NULL, &found) == n);
    CHECK(spt_pairs(t, NULL, &pairs) == SPT_ERR_MEMORY && spt_intlist_count(&pairs) == 0);
    spt_free(t);
    CHECK(memory.bytes == 0);
    spt_intlist_free(&pairs);
    spt_intlist_free(&found);
}

static void when_the_allocator_fails_structures_keep_what_they_have(void)
{
    for_every_structure(check_old_memory);
}

static void check_unknown(const char *structure)
{
    static const spt_i32 unknown[] = {-1, -2, INT32_MIN, 1, 7, 9, 1000, 1000000, INT32_MAX};
    spt_box bounds = {0, 0, 10, 10}, box;
    oracle o;
    spt_index *t = &o.index;
    int i;
    open_index(&o, structure, &bounds, 3, NULL);
    CHECK(spt_insert(t, 8, &bounds) == SPT_OK);
    CHECK(spt_insert(t, 9, &bounds) == SPT_OK);
    CHECK(spt_remove(t, 9) == SPT_OK);
    for (i = 0; i < TEST_COUNT(unknown); i++) {
        CHECK(spt_move(t, unknown[i], &bounds) == SPT_ERR_ID);
        CHECK(spt_remove(t, unknown[i]) == SPT_ERR_ID);
        CHECK(!spt_contains(t, unknown[i]));
        CHECK(spt_box_of(t, unknown[i], &box) == SPT_ERR_ID);
        if (unknown[i] < 0) CHECK(spt_insert(t, unknown[i], &bounds) == SPT_ERR_ID);
        CHECK(spt_count(t) == 1 && spt_check(t));
    }
    CHECK(spt_insert(t, 8, &bounds) == SPT_ERR_EXISTS); /* and none is there twice */
    CHECK(spt_count(t) == 1 && spt_check(t));
    spt_free(t);
}

static void unknown_ids_are_refused_and_walk_off_nothing(void)
{
    for_every_structure(check_unknown);
}

/* ---- Depth and cost -------------------------------------------------------------------------- */

/* How deep a structure's cells are, and how many. */
typedef struct extent {
    int deepest;
    long cells;
} extent;

static int measure(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    extent *e = (extent *)ctx;
    if (level > e->deepest) e->deepest = level;
    e->cells++;
    return count < 0 || !brute_valid(box);
}

#define COINCIDENT 2000 /* at most */

static int deepest_of(const char *structure)
{
    return is(structure, "quadtree") ? SPT_QUADTREE_MAX_DEPTH : 8;
}

/* They lie to the left and to the right of an edge of every level; there are four children for
   each cell on the way to them, and no more. */
static void check_coincident(const char *structure)
{
    const spt_i32 n = test_some(COINCIDENT, 400), all = n * (n - 1) / 2;
    spt_box bounds = {0, 0, 65536, 65536};
    oracle o;
    spt_index *t = &o.index;
    extent e = {0, 0};
    spt_intlist pairs;
    spt_i32 i;
    int round;
    open_index(&o, structure, &bounds, deepest_of(structure), NULL);
    spt_intlist_init(&pairs, 2);
    for (round = 0; round < 3; round++) {
        for (i = 0; i < n; i++) {
            spt_box box = box_of(i % 2 ? 32768 : 32767, 777 + round, 32768, 777 + round);
            int result = round ? spt_move(t, i, &box) : spt_insert(t, i, &box);
            CHECK(result == SPT_OK);
        }
        CHECK(spt_pairs(t, NULL, &pairs) == all);
    }
    CHECK(spt_traverse(t, measure, &e) == 0);
    CHECK(e.deepest <= deepest_of(structure) && e.cells <= 1 + 4 * 2 * 4 * e.deepest);
    CHECK(spt_check(t));
    spt_intlist_free(&pairs);
    spt_free(t);
}

static void coincident_boxes_do_not_split_for_ever(void)
{
    static spt_box boxes[COINCIDENT];
    spt_broadphase bp;
    spt_intlist pairs;
    int i, n = test_some(COINCIDENT, 400);
    for_every_structure(check_coincident);
    for (i = 0; i < n; i++) boxes[i] = box_of(i % 2 ? 777 : 776, 333, 777, 333);
    CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK);
    spt_intlist_init(&pairs, 2);
    CHECK(spt_broadphase_pairs(&bp, boxes, n, NULL, &pairs) == n * (n - 1) / 2);
    spt_intlist_free(&pairs);
    spt_broadphase_free(&bp);
}

/* Boxes for full stacks: a square of finest cells around the middle, where every path from the root
   differs at once; along the four edges of the world; and on the way down to two corners one in
   each cell that is passed by, so that on every level three wait. Returns how many. */
static spt_i32 fill_stacks(spt_index *t, int levels, int side)
{
    double world = ldexp(4, levels), from = world / 2 - 2 * side, size = world;
    spt_i32 n = 0;
    int x, y, q;
    for (y = 0; y < side; y++)
        for (x = 0; x < side; x++) {
            double left = from + 4 * x + 1, bottom = from + 4 * y + 1;
            spt_box point = box_of(left, bottom, left + 1, bottom + 1);
            CHECK(spt_insert(t, n++, &point) == SPT_OK);
        }
    for (x = 0; x < side; x++) {
        double at = world * x / side + 1;
        spt_box edges[4];
        edges[0] = box_of(at, 0, at, 0), edges[1] = box_of(at, world, at, world);
        edges[2] = box_of(0, at, 0, at), edges[3] = box_of(world, at, world, at);
        for (y = 0; y < 4; y++) CHECK(spt_insert(t, n++, &edges[y]) == SPT_OK);
    }
    for (x = 0; x < levels; x++)
        for (size /= 2, q = 1; q < 4; q++) {
            double left = size * (q & 1) + 1, bottom = size * (q / 2) + 1;
            spt_box low = box_of(left, bottom, left + 1, bottom + 1), high;
            high = box_of(world - left - 1, world - bottom - 1, world - left, world - bottom);
            CHECK(spt_insert(t, n++, &low) == SPT_OK);
            CHECK(spt_insert(t, n++, &high) == SPT_OK);
        }
    return n;
}

/* Asks for all of it, and for the rows of the square. */
static void check_full_stacks(const char *structure, int levels)
{
    double world = ldexp(4, levels);
    spt_box bounds = box_of(0, 0, world, world);
    int side = levels < 6 ? 1 << levels : 64, y;
    double from = world / 2 - 2 * side;
    oracle o;
    spt_index *t = &o.index;
    extent e = {0, 0};
    spt_intlist out, pairs;
    spt_i32 n, without, visits = 0;
    open_index(&o, structure, &bounds, levels, NULL);
    spt_intlist_init(&out, 1);
    spt_intlist_init(&pairs, 2);
    n = fill_stacks(t, levels, side);
    CHECK(spt_query(t, &bounds, NULL, &out) == n);
    CHECK(spt_visit(t, &bounds, NULL, count_visits, &visits) == 0 && visits == n);
    CHECK(spt_traverse(t, measure, &e) == 0 && e.deepest >= levels - (levels < 6));
    for (y = 0; y < side; y++) {
        spt_box line = box_of(from, from + 4 * y + 1, from + 4 * side - 1, from + 4 * y + 1);
        CHECK(spt_query(t, &line, NULL, &out) >= side);
    }
    without = spt_pairs(t, NULL, &pairs);
    CHECK(spt_insert(t, n, &bounds) == SPT_OK);
    CHECK(spt_pairs(t, NULL, &pairs) == without + n);
    CHECK(spt_check(t));
    CHECK(spt_remove(t, n) == SPT_OK);
    CHECK(spt_pairs(t, NULL, &pairs) == without && spt_check(t));
    spt_intlist_free(&pairs);
    spt_intlist_free(&out);
    spt_free(t);
}

/* linear has no stacks, but as many levels to look at; its finest take 180 MB and are left to
   machines that are fast. */
static void full_traversal_stacks_drop_no_subtree(void)
{
    int levels, deepest = test.divisor == 1 ? SPT_LINEAR_MAX_LEVELS : 9;
    for (levels = 1; levels <= SPT_QUADTREE_MAX_DEPTH; levels++) {
        test_context("levels", levels);
        check_full_stacks("quadtree", levels);
        if (levels <= deepest) check_full_stacks("linear", levels);
    }
}

/* The same for the broadphase: boxes that wait at every level of as deep a tree as there can be. */
static void full_collision_stacks_drop_no_pair(void)
{
    static spt_box boxes[2000];
    spt_broadphase bp;
    spt_intlist pairs;
    long expected = 0;
    int i, j, n = 2000;
    for (i = 0; i < n; i++) {
        double at = ldexp(1, 26 - i % 27), reach = i % 3 ? at / 16 : at;
        boxes[i] = box_of(at - reach, at - reach, at + reach, at + reach);
    }
    for (i = 0; i < n; i++)
        for (j = i + 1; j < n; j++) expected += brute_overlap(&boxes[i], &boxes[j]);
    CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK);
    spt_intlist_init(&pairs, 2);
    CHECK(spt_broadphase_pairs(&bp, boxes, n, NULL, &pairs) == expected);
    spt_intlist_free(&pairs);
    spt_broadphase_free(&bp);
}

/* Tidies till a call changes nothing: the same state then stays the same for ever.
   Returns how many calls changed something. */
static int settle(spt_index *t, const test_memory *memory)
{
    static spt_index before;
    uint32_t hash;
    int calls = -1;
    do {
        memcpy(&before, t, sizeof before);
        hash = test_memory_hash(memory);
        spt_tidy(t);
        calls++;
    } while ((memcmp(&before, t, sizeof before) != 0 || test_memory_hash(memory) != hash) &&
             CHECK(calls < 1000));
    return calls;
}

/* ---- Changes while a visit goes on ----------------------------------------------------------- */

static spt_index visited, copied; /* copied: just as visited, with the same count of changes */
static spt_box visited_boxes[200];
static spt_intlist visited_found, visited_pairs; /* a jump out of a callback must not lose them */
static int changes[2]; /* the verbs that callbacks try, one after the other */

static int change(spt_i32 id)
{
    spt_box box = box_of(30, 30, 31, 31), world = box_of(-900, -900, 900, 900);
    int i;
    for (i = 0; i < 2; i++)
        switch (changes[i]) {
        case 0: spt_tidy(&visited); break;
        case 1: spt_remove(&visited, id); break;
        case 2: spt_move(&visited, id, &box); break;
        case 3: spt_insert(&visited, i ? id : 1000, &box); break;
        case 4: spt_move_many(&visited, &id, visited_boxes, 1); break;
        case 5: spt_rebound(&visited, NULL); break;
        case 6: spt_rebound(&visited, &world); break;
        case 7: spt_clear(&visited); break;
        case 8: spt_build(&visited, visited_boxes, 5); break;
        case 9: spt_build(&visited, visited_boxes, 200); break; /* as it was built before */
        case 10: spt_copy(&visited, &copied); break;
        case 11: spt_packed_refit(&visited, visited_boxes, 200); break;
        case 12: spt_pairs(&visited, NULL, NULL); break; /* takes scratch that may be in use */
        default: spt_pairs_of(&visited, &id, 1, NULL, NULL); break;
        }
    return 1; /* the first call is enough */
}

#define VERBS 14

static int change_on_accept(void *ctx, spt_i32 id, spt_i32 other) SPT_CALLBACK
{
    (void)ctx, (void)other;
    return change(id);
}

static int change_on_visit(void *ctx, spt_i32 id, const spt_box *box)
{
    (void)ctx, (void)box;
    return change(id);
}

static int change_on_cell(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    (void)ctx, (void)box, (void)level, (void)count;
    return change(0);
}

static int change_on_near(void *ctx, spt_i32 id, const spt_box *box, spt_coord distance,
                          spt_coord *limit)
{
    (void)ctx, (void)box, (void)distance, (void)limit;
    return change(id);
}

static int change_on_hit(void *ctx, const spt_hit *hit, const spt_box *box, spt_coord *limit)
{
    (void)ctx, (void)box, (void)limit;
    return change(hit->id);
}

/* All questions that a filter goes with. */
static void accept_in(int question, const spt_box *window, const spt_motion *motion)
{
    static const spt_i32 ids[3] = {0, 1, 2};
    static spt_filter filter;
    spt_layer layer;
    spt_box end;
    filter.accept = change_on_accept;
    layer.index = &visited, layer.filter = &filter;
    CHECK(spt_intlist_init(&visited_found, 1) == SPT_OK);
    CHECK(spt_intlist_init(&visited_pairs, 2) == SPT_OK);
    switch (question) {
    case 0: spt_query(&visited, window, &filter, &visited_found); break;
    case 1: spt_query(&visited, window, &filter, NULL); break;
    case 2: spt_any(&visited, window, &filter); break;
    case 3: spt_query_many(&visited, window, 1, &filter, &visited_pairs); break;
    case 4: spt_within(&visited, window, 2, &filter, &visited_found); break;
    case 5: spt_nearest(&visited, window, 5, SPT_NO_LIMIT, &filter, &visited_found); break;
    case 6: spt_nearest_visit(&visited, window, &filter, change_on_near, NULL); break;
    case 7: spt_cast(&visited, motion, &filter, NULL); break;
    case 8: spt_cast_all(&visited, motion, &filter, &visited_found); break;
    case 9: spt_cast_visit(&visited, motion, &filter, change_on_hit, NULL); break;
    case 10: spt_any_among(&layer, 1, window); break;
    case 11: spt_cast_among(&layer, 1, motion, NULL); break;
    case 12: spt_slide(&layer, 1, motion, &end, NULL); break;
    case 13: spt_pairs(&visited, &filter, &visited_pairs); break;
    case 14: spt_pairs(&visited, &filter, NULL); break;
    case 15:
        if (!visited.kind->locate) spt_pairs(&visited, &filter, NULL); /* packed has no pairs_of */
        else spt_pairs_of(&visited, ids, 3, &filter, &visited_pairs);
        break;
    default:
#ifdef SPTI_SHAPES
        {
            const spt_shape disc = {&window->min_x, 1, 30};
            spt_overlap(&visited, &disc, &filter, &visited_found);
        }
#else
        spt_visit(&visited, window, &filter, change_on_visit, NULL);
#endif
    }
}

#ifdef SPTI_SHAPES
static int change_on_shape(void *ctx, spt_i32 id, spt_shape *out) SPT_CALLBACK
{
    (void)ctx, (void)out;
    change(id);
    return 0;
}

static void slide_a_disc(const spt_motion *motion)
{
    const spt_shape disc = {&motion->box.max_x, 1, 2};
    spt_layer layer;
    spt_coord x, y;
    memset(&layer, 0, sizeof layer);
    layer.index = &visited, layer.shape = change_on_shape;
    spt_shape_slide(&layer, 1, &disc, motion->dx, motion->dy, (spt_coord)0.1, &x, &y, NULL);
}
#endif

#define QUESTIONS (5 + 17)

static void visit_by(int question, const spt_box *window, const spt_motion *motion)
{
    if (question >= 5) {
        accept_in(question - 5, window, motion);
        return;
    }
    switch (question) {
    case 0: spt_visit(&visited, window, NULL, change_on_visit, NULL); break;
    case 1: spt_traverse(&visited, change_on_cell, NULL); break;
    case 2: spt_nearest_visit(&visited, window, NULL, change_on_near, NULL); break;
    case 3: spt_cast_visit(&visited, motion, NULL, change_on_hit, NULL); break;
    default:
#ifdef SPTI_SHAPES
        slide_a_disc(motion);
#else
        spt_visit(&visited, window, NULL, change_on_visit, NULL);
#endif
    }
}

/* Each two verbs, which may cancel each other, in each visit and each filter of each structure, at
   any time of a pass of tidy. Packed knows only some; tidy always has something to do. */
static void a_change_from_within_a_callback_fails_an_assertion(void)
{
    static volatile int kind, question, pair, caught; /* volatile: kept over longjmp */
    spt_box *boxes = visited_boxes, window = box_of(0, 0, 50, 50);
    spt_motion motion;
    int i;
    motion.box = box_of(0, 0, 1, 1);
    motion.dx = motion.dy = 40;
    motion.enter = 0;
    for (i = 0; i < 200; i++) {
        const int x = i % 14 * 3, y = i / 14 * 3;
        boxes[i] = box_of(x, y, x + 3, y + 3); /* pairs, too */
    }
    for (kind = 0; kind < 4; kind++)
        for (question = 0; question < QUESTIONS; question++)
            for (pair = 0; pair < VERBS * VERBS; pair++) {
                const int first = pair / VERBS;
                if (question >= 5 && test_below(4)) continue; /* a quarter of these */
                if (kind == 3 ? first < 7 || first == 13 : first == 11) continue;
                if (kind == 0) CHECK(spt_linear_init(&visited, NULL) == SPT_OK);
                if (kind == 1) CHECK(spt_quadtree_init(&visited, NULL) == SPT_OK);
                if (kind == 2) CHECK(spt_loosegrid_init(&visited, NULL) == SPT_OK);
                if (kind == 3) CHECK(spt_packed_init(&visited, NULL) == SPT_OK);
                CHECK(spt_build(&visited, boxes, 200) == SPT_OK);
                for (i = 0; i < 50; i++) {
                    spt_move(&visited, i, &boxes[i]);
                    if (i < 40 && test_below(10) == 0) spt_tidy(&visited);
                }
                memset(&copied, 0, sizeof copied);
                copied.kind = visited.kind;
                CHECK(spt_copy(&copied, &visited) == SPT_OK);
                copied.changes = visited.changes, copied.tidied = visited.tidied;
                copied.worth = visited.worth;
                changes[0] = pair / VERBS, changes[1] = pair % VERBS;
                test_context(spt_kind(&visited), 1000 * question + pair);
                caught = 0;
                trap_expected = 1;
                if (setjmp(trap) == 0) visit_by(question, &window, &motion);
                else caught = 1;
                trap_expected = 0;
                CHECK(caught);
                spt_free(&visited), spt_free(&copied);
                spt_intlist_free(&visited_found), spt_intlist_free(&visited_pairs);
            }
}

/* To move an element to where it is does not harm the walk, but counts as a change. */
static int move_on_accept(void *ctx, spt_i32 id, spt_i32 other) SPT_CALLBACK
{
    (void)ctx, (void)other;
    spt_move(&visited, id, &visited_boxes[id]);
    return 1;
}

/* An index over an image has the same count of changes before and after, but for spt_free. */
static int free_on_accept(void *ctx, spt_i32 id, spt_i32 other) SPT_CALLBACK
{
    (void)ctx, (void)id, (void)other;
    spt_free(&copied);
    return 1;
}

static void to_free_an_image_from_within_a_filter_fails_an_assertion(void)
{
    static volatile int caught; /* volatile: kept over longjmp */
    const spt_box window = box_of(0, 0, 50, 50);
    spt_filter filter;
    const void *image;
    size_t bytes;
    memset(&filter, 0, sizeof filter);
    filter.accept = free_on_accept;
    CHECK(spt_packed_init(&visited, NULL) == SPT_OK);
    CHECK(spt_build(&visited, visited_boxes, 200) == SPT_OK);
    image = spt_packed_data(&visited, &bytes);
    CHECK(spt_packed_view(&copied, image, bytes) == SPT_OK);
    caught = 0;
    trap_expected = 1;
    if (setjmp(trap) == 0) spt_query(&copied, &window, &filter, NULL);
    else caught = 1;
    trap_expected = 0;
    CHECK(caught);
    spt_free(&visited);
}

/* Questions that take a const index may be asked. */
static int ask_on_accept(void *ctx, spt_i32 id, spt_i32 other) SPT_CALLBACK
{
    const spt_box *box = &visited_boxes[id];
    (void)ctx, (void)other;
    return spt_any(&visited, box, NULL) == 1 &&
           spt_nearest(&visited, box, 3, SPT_NO_LIMIT, NULL, NULL) == 3;
}

static void questions_may_be_asked_from_within_a_filter(void)
{
    const spt_box window = box_of(0, 0, 50, 50);
    spt_filter filter;
    int kind;
    memset(&filter, 0, sizeof filter);
    filter.accept = ask_on_accept;
    for (kind = 0; kind < 4; kind++) {
        if (kind == 0) CHECK(spt_linear_init(&visited, NULL) == SPT_OK);
        if (kind == 1) CHECK(spt_quadtree_init(&visited, NULL) == SPT_OK);
        if (kind == 2) CHECK(spt_loosegrid_init(&visited, NULL) == SPT_OK);
        if (kind == 3) CHECK(spt_packed_init(&visited, NULL) == SPT_OK);
        CHECK(spt_build(&visited, visited_boxes, 200) == SPT_OK);
        CHECK(spt_query(&visited, &window, &filter, NULL) ==
              spt_query(&visited, &window, NULL, NULL));
        CHECK(spt_pairs(&visited, &filter, NULL) == spt_pairs(&visited, NULL, NULL));
        spt_free(&visited);
    }
}

/* In the second of two worlds, as in one. */
static void a_change_from_within_a_slide_fails_an_assertion(void)
{
    static volatile int kind, caught; /* volatile: kept over longjmp */
    spt_index empty;
    spt_filter filter;
    spt_layer two[2];
    spt_motion motion;
    spt_box end;
    memset(&filter, 0, sizeof filter);
    filter.accept = move_on_accept;
    motion.box = box_of(0, 0, 1, 1);
    motion.dx = motion.dy = 40;
    motion.enter = 0;
    visited_boxes[0] = box_of(20, 0, 30, 60);
    CHECK(spt_packed_init(&empty, NULL) == SPT_OK);
    two[0].index = &empty, two[0].filter = NULL;
    two[1].index = &visited, two[1].filter = &filter;
    for (kind = 0; kind < 3; kind++) {
        if (kind == 0) CHECK(spt_linear_init(&visited, NULL) == SPT_OK);
        if (kind == 1) CHECK(spt_quadtree_init(&visited, NULL) == SPT_OK);
        if (kind == 2) CHECK(spt_loosegrid_init(&visited, NULL) == SPT_OK);
        CHECK(spt_insert(&visited, 0, &visited_boxes[0]) == SPT_OK);
        caught = 0;
        trap_expected = 1;
        if (setjmp(trap) == 0) spt_slide(two, 2, &motion, &end, NULL);
        else caught = 1;
        trap_expected = 0;
        CHECK(caught);
        spt_free(&visited);
    }
    spt_free(&empty);
}

/* What looks through a structure of its own accord would find work, and do it. So what was noted
   for tidy is taken away, and then given back. */
static void check_idle(const char *structure)
{
    static oracle o;
    static spt_index before;
    spt_index *t = &o.index;
    spt_box bounds = {0, 0, 4096, 4096};
    test_memory memory;
    spt_allocator allocator;
    spt_u32 tidied, cursor;
    spt_i32 i, n = test_some(4000, 1000);
    uint32_t hash;
    int call;
    test_memory_open(&memory, &allocator);
    memory.fill = 1;
    open_index(&o, structure, &bounds, 7, &allocator);
    for (i = 0; i < n; i++) {
        int x = (int)i * 37 % 4096, y = (int)i * 61 % 4096;
        spt_box box = box_of(x, y, x + (i % 8 ? i % 9 : 0), y + 1);
        CHECK(spt_insert(t, i, &box) == SPT_OK);
    }
    (void)settle(t, &memory);
    for (i = 0; i < n; i++)
        if (i % 8) CHECK(spt_remove(t, i) == SPT_OK);
    tidied = t->tidied, cursor = t->cursor;
    CHECK(tidied != t->changes);
    t->tidied = t->changes, t->worth = 0, t->cursor = 0;
    hash = test_memory_hash(&memory);
    memcpy(&before, t, sizeof before);
    for (call = 0; call < 1000; call++) spt_tidy(t);
    CHECK(memcmp(t, &before, sizeof before) == 0 && test_memory_hash(&memory) == hash);

    t->tidied = tidied, t->cursor = cursor;
    CHECK(settle(t, &memory) > 0); /* there was something to do */
    CHECK(memcmp(&t->as, &before.as, sizeof before.as) != 0 || test_memory_hash(&memory) != hash);
    CHECK(spt_check(t) && spt_count(t) == n / 8);
    spt_free(t);
    CHECK(memory.bytes == 0);
}

static void tidying_what_is_idle_costs_nothing(void)
{
    for_every_structure(check_idle);
}

/* Erased records of a list are a chain of free ones; results that replace them end it. */
static void results_replace_the_erased_records_of_a_list_too(void)
{
    const spt_i32 record = 7;
    spt_intlist list;
    spt_index x;
    spt_box box = box_of(0, 0, 2, 2);
    CHECK(spt_intlist_init(&list, 1) == SPT_OK);
    while (spt_intlist_count(&list) < 5) CHECK(spt_intlist_push(&list, &record) >= 0);
    CHECK(spt_intlist_erase(&list, 3) == SPT_OK);
    CHECK(spt_linear_init(&x, NULL) == SPT_OK && spt_insert(&x, 0, &box) == SPT_OK);
    CHECK(spt_query(&x, &box, NULL, &list) == 1 && spt_intlist_check(&list));
    CHECK(spt_intlist_insert(&list, &record) == 1 && spt_intlist_count(&list) == 2);
    CHECK(spt_intlist_get(&list, 0, 0) == 0 && spt_intlist_get(&list, 1, 0) == record);
    spt_intlist_free(&list);
    spt_free(&x);
}

/* So many results take seconds to count: instead the counters begin just below the limit. */
static void more_results_than_can_be_counted_are_an_error_of_their_own(void)
{
    const spt_box box = {0, 0, 1, 1};
    spt_filter filter = {0};
    spt_index x;
    spti_query q;
    spti_pair_sink to;
    spt_box window;
    spt_i32 id;
    CHECK(spt_linear_init(&x, NULL) == SPT_OK);
    for (id = 0; id < 2; id++) CHECK(spt_insert(&x, id, &box) == SPT_OK);
    for (id = 0; id < 3; id++) { /* a run inside the window; another one; with a filter */
        spti_query_init(&q, &x, id == 2 ? &filter : NULL, NULL, NULL, NULL);
        window = box;
        if (id > 0) window.min_x = 1;
        q.to.counted = INT32_MAX - 2;
        CHECK(spti_query_windows(&q, &window, 1) == 0 && q.to.counted == INT32_MAX);
        CHECK(spti_query_windows(&q, &window, 1) == SPT_ERR_COUNT);
    }
    memset(&to, 0, sizeof to);
    to.count = &to.counted;
    to.counted = INT32_MAX - 5;
    CHECK(spti_add_hits(&to, NULL, 5) == SPT_OK && to.counted == INT32_MAX);
    CHECK(spti_add_hits(&to, NULL, 1) == SPT_ERR_COUNT);
    CHECK(to.counted == INT32_MAX);
    spt_free(&x);
}

/* The largest number of points at one place whose neighbours can be counted, and one more. */
static void the_limit_is_exact_and_what_ran_into_it_goes_on(void)
{
    static spt_coord at[46342][2];
    const size_t stride = sizeof at[0];
    spt_neighbours nb;
    spt_intlist rows;
    if (test.divisor > 1) return; /* seconds of work */
    CHECK(spt_neighbours_init(&nb, NULL) == SPT_OK && spt_intlist_init(&rows, 2) == SPT_OK);
    CHECK(spt_neighbours_find(&nb, *at, *at + 1, stride, 46342, 1, &rows, NULL) == SPT_ERR_COUNT);
    CHECK(spt_intlist_count(&rows) == 0);
    CHECK(spt_neighbours_find(&nb, *at, *at + 1, stride, 46341, 1, &rows, NULL) == 2147441940);
    CHECK(spt_intlist_count(&rows) == 46341 && spt_intlist_get(&rows, 9, 1) == 46340);
    spt_neighbours_free(&nb), spt_intlist_free(&rows);
}

static int refuse(void *ctx, spt_i32 id, spt_i32 other)
{
    (void)ctx, (void)id, (void)other;
    return 0;
}

/* Hits that a filter refuses are no results, so that the last ones that fit are not lost. */
static void what_a_filter_refuses_does_not_count_against_the_limit(void)
{
    spt_filter filter = {0};
    spt_i32 hits[2] = {1, 1}, ids[2] = {4, 9};
    spti_pair_sink to;
    memset(&to, 0, sizeof to);
    to.count = &to.counted, to.counted = INT32_MAX - 1;
    to.hits = hits;
    to.filter = &filter;
    filter.accept = refuse;
    CHECK(spti_add_hits(&to, ids, 2) == SPT_OK && to.counted == INT32_MAX - 1);
    filter.accept = NULL;
    CHECK(spti_add_hits(&to, ids, 1) == SPT_OK && to.counted == INT32_MAX);
    CHECK(spti_add_hits(&to, ids, 1) == SPT_ERR_COUNT && to.counted == INT32_MAX);
}

/* Makes a list that says it has as many records as a list can have, without their memory. */
static void fill_list(spt_intlist *list, spt_i32 fields)
{
    static spt_i32 place;
    CHECK(spt_intlist_init(list, fields) == SPT_OK);
    list->data = &place;
    list->count = list->capacity = INT32_MAX / fields;
}

/* Lists of more than 2^31 - 1 integers take gigabytes: instead they begin full. */
static void more_results_than_a_list_can_hold_are_the_same_error(void)
{
    const spt_box box = {0, 0, 1, 1};
    const spt_i32 record[2] = {0, 1};
    spt_filter filter = {0};
    spt_i32 hits[1] = {1}, ids[2] = {0, 1};
    spt_box window;
    spt_intlist list;
    spt_index x;
    spti_query q;
    spti_pair_sink to;
    spti_nearby nearby;
    int k, end;
    CHECK(spt_linear_init(&x, NULL) == SPT_OK);
    for (k = 0; k < 2; k++) CHECK(spt_insert(&x, k, &box) == SPT_OK);
    filter.except_count = 1, filter.except = ids;
    for (k = 0; k < 4; k++) { /* a run inside the window; another one; with a filter; windows */
        CHECK(spt_intlist_init(&list, k < 3 ? 1 : 2) == SPT_OK);
        spti_query_init(&q, &x, k == 2 ? &filter : NULL, &list, NULL, NULL);
        fill_list(&list, k < 3 ? 1 : 2);
        window = box;
        if (k == 1) window.min_x = 1;
        CHECK(spti_query_windows(&q, &window, 1) == SPT_ERR_COUNT);
    }
    fill_list(&list, 2);
    for (k = 0; k < 2; k++) { /* pairs: all of them, or with a filter */
        memset(&to, 0, sizeof to);
        to.out = &list, to.count = &list.count;
        to.hits = hits;
        filter.except_count = 0;
        if (k) to.filter = &filter;
        CHECK(spti_add_hits(&to, ids, 1) == SPT_ERR_COUNT);
    }
    memset(&nearby, 0, sizeof nearby);
    end = 1;
    nearby.hits = hits, nearby.ends = ids + 1, nearby.ids = ids;
    nearby.out = &list;
    CHECK(spti_nearby_store(&nearby, 0, end) == SPT_ERR_COUNT);
    nearby.out = NULL, nearby.found = INT32_MAX;
    CHECK(spti_nearby_store(&nearby, 0, end) == SPT_ERR_COUNT);
    CHECK(spt_intlist_push(&list, record) == SPT_ERR_COUNT);
    CHECK(spt_intlist_insert(&list, record) == SPT_ERR_COUNT);
    CHECK(spt_intlist_count(&list) == INT32_MAX / 2);
    spt_free(&x);
}

static const test_case tests[] = {
    TEST(rows_and_columns_width_and_height_are_not_swapped),
    TEST(cells_are_half_as_high_as_their_parents_in_an_oblong_world),
    TEST(cells_of_linear_and_loosegrid_are_square_in_an_oblong_world),
    TEST(a_world_need_not_begin_at_the_origin),
    TEST(coordinates_below_zero_floor_and_do_not_truncate),
    TEST(huge_and_infinite_coordinates_fall_in_the_border_cells),
#ifndef SPATIAL_INT
    TEST(a_nan_is_refused_everywhere_in_release_builds_too),
    TEST(a_desc_with_a_number_that_is_not_finite_is_refused),
#endif
    TEST(queries_write_no_marks_into_the_structure),
    TEST(results_are_the_ids_of_the_caller_not_internal_slots),
    TEST(a_moved_box_is_found_at_every_corner_of_its_new_place),
    TEST(a_grown_cell_is_found_from_wherever_its_elements_reach),
    TEST(a_copied_list_does_not_point_into_the_original),
    TEST(results_replace_the_erased_records_of_a_list_too),
    TEST(a_copied_broadphase_does_not_point_into_the_original),
    TEST(when_the_allocator_fails_structures_keep_what_they_have),
    TEST(unknown_ids_are_refused_and_walk_off_nothing),
    TEST(coincident_boxes_do_not_split_for_ever),
    TEST(full_traversal_stacks_drop_no_subtree),
    TEST(full_collision_stacks_drop_no_pair),
    TEST(a_change_from_within_a_callback_fails_an_assertion),
    TEST(questions_may_be_asked_from_within_a_filter),
    TEST(to_free_an_image_from_within_a_filter_fails_an_assertion),
    TEST(a_change_from_within_a_slide_fails_an_assertion),
    TEST(tidying_what_is_idle_costs_nothing),
    TEST(more_results_than_can_be_counted_are_an_error_of_their_own),
    TEST(the_limit_is_exact_and_what_ran_into_it_goes_on),
    TEST(what_a_filter_refuses_does_not_count_against_the_limit),
    TEST(more_results_than_a_list_can_hold_are_the_same_error),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
