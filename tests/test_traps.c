/* test_traps.c - the mistakes that published quadtrees, grids and their lists made, one test each.
   Some belong to structures of other kinds; they stand here in the form in which they could hit the
   broadphase and the linear tree. */
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"

#include <time.h>

static void open_tree(spt_linear *tree, const spt_box *bounds, int levels, spt_allocator *allocator)
{
    spt_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.bounds = *bounds;
    desc.levels = levels;
    if (allocator) desc.allocator = *allocator;
    CHECK(spt_linear_init(tree, &desc) == SPT_OK);
}

/* ---- The world: its shape, its place --------------------------------------------------------- */

/* A point in the middle of each of 16 x 16 finest cells; each must be found where it is, alone. */
static void check_every_cell(const spt_box *bounds)
{
    double width = ((double)bounds->max_x - (double)bounds->min_x) / 16;
    double height = ((double)bounds->max_y - (double)bounds->min_y) / 16;
    spt_linear tree;
    spt_intlist out;
    int x, y, round;
    open_tree(&tree, bounds, 4, NULL);
    spt_intlist_init(&out, 1);
    for (round = 0; round < 2; round++)
        for (y = 0; y < 16; y++)
            for (x = 0; x < 16; x++) {
                double at_x = (double)bounds->min_x + (x + 0.5) * width;
                double at_y = (double)bounds->min_y + (y + 0.5) * height;
                spt_box point = box_of(at_x, at_y, at_x, at_y);
                spt_box cell = box_of(at_x - width / 4, at_y - height / 4, at_x + width / 4,
                                      at_y + height / 4);
                if (round == 0) {
                    CHECK(spt_linear_insert(&tree, y * 16 + x, &point) == SPT_OK);
                    continue;
                }
                spt_intlist_clear(&out);
                CHECK(spt_linear_query(&tree, &cell, &out) == 1);
                CHECK(spt_intlist_get(&out, 0, 0) == y * 16 + x);
            }
    CHECK(spt_linear_check(&tree));
    spt_intlist_free(&out);
    spt_linear_free(&tree);
}

static void rows_and_columns_width_and_height_are_not_swapped(void)
{
    static const spt_box worlds[] = {{0, 0, 16384, 128}, {0, 0, 128, 16384}, {-4096, 7, -128, 135}};
    int i;
    for (i = 0; i < TEST_COUNT(worlds); i++) check_every_cell(&worlds[i]);
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

static void cells_are_half_as_high_as_their_parents_in_an_oblong_world(void)
{
    static const spt_box worlds[] = {{0, 0, 4096, 64}, {-64, -4096, 0, 4096}};
    int i, k;
    for (i = 0; i < TEST_COUNT(worlds); i++) {
        const spt_box *world = &worlds[i];
        aspect expected = {0, 0, 0};
        spt_linear tree;
        expected.width = (double)world->max_x - (double)world->min_x;
        expected.height = (double)world->max_y - (double)world->min_y;
        open_tree(&tree, world, 5, NULL);
        for (k = 0; k < 64; k++) {
            double x = (double)world->min_x + k * expected.width / 64;
            double y = (double)world->min_y + k * expected.height / 64;
            spt_box point = box_of(x, y, x, y);
            CHECK(spt_linear_insert(&tree, k, &point) == SPT_OK);
        }
        CHECK(spt_linear_traverse(&tree, check_aspect, &expected) == 0);
        CHECK(expected.cells > 32);
        spt_linear_free(&tree);
    }
}

/* What a tree looks like, relative to the corner of its world. */
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
static uint32_t look_of_world_at(int left, int bottom)
{
    spt_box bounds = box_of(left, bottom, left + 1024, bottom + 512);
    look l = {bounds.min_x, bounds.min_y, 2166136261u};
    spt_linear tree;
    spt_intlist out;
    int k;
    open_tree(&tree, &bounds, 5, NULL);
    spt_intlist_init(&out, 1);
    for (k = 0; k < 300; k++) {
        int x = left + k * 389 % 1024, y = bottom + k * 211 % 512;
        spt_box box = box_of(x, y, x + k % 7, y + k % 11);
        CHECK(spt_linear_insert(&tree, k, &box) == SPT_OK);
    }
    CHECK(spt_linear_traverse(&tree, look_at_cell, &l) == 0);
    for (k = 0; k < 1000; k += 5) {
        spt_box box = box_of(left + k, bottom + k / 2, left + k + 60, bottom + k / 2 + 30);
        CHECK(spt_linear_query(&tree, &box, &out) >= 0);
    }
    l.hash = test_hash(l.hash, spt_intlist_data(&out),
                       (size_t)spt_intlist_count(&out) * sizeof(spt_i32));
    spt_intlist_free(&out);
    spt_linear_free(&tree);
    return l.hash;
}

static void a_world_need_not_begin_at_the_origin(void)
{
    uint32_t here = look_of_world_at(0, 0);
    CHECK(look_of_world_at(1, 1) == here);
    CHECK(look_of_world_at(5000, 300) == here);
    CHECK(look_of_world_at(100000, -100000) == here);
}

/* Truncation would make the cells on both sides of zero one cell, here twice over. */
static void coordinates_below_zero_floor_and_do_not_truncate(void)
{
    uint32_t here = look_of_world_at(0, 0);
    CHECK(look_of_world_at(-512, -256) == here);
    CHECK(look_of_world_at(-1000, -3) == here);
    CHECK(look_of_world_at(-1024, -512) == here);
    CHECK(look_of_world_at(-70000, -90000) == here);
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
static void huge_and_infinite_coordinates_fall_in_the_border_cells(void)
{
    static oracle o;
    static const oracle_world world = {"extremes", -100, -50, 100, 50, 10, 1, 0, 0, 0};
    oracle_setup setup = {&world, "linear", 4, ORACLE_IDS, 0, {NULL, NULL}, NULL};
    spt_coord numbers[64];
    int n = extreme_numbers(numbers), i, j, round;
    spt_i32 id = 0;
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

#ifndef SPATIAL_INT
static void a_nan_is_refused_everywhere_in_release_builds_too(void)
{
    spt_box bounds = {0, 0, 100, 100}, good = {1, 1, 2, 2};
    spt_broadphase bp;
    spt_linear tree;
    spt_intlist ids, pairs;
    int way;
    open_tree(&tree, &bounds, 4, NULL);
    CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK);
    spt_intlist_init(&ids, 1);
    spt_intlist_init(&pairs, 2);
    CHECK(spt_linear_insert(&tree, 0, &good) == SPT_OK);
    for (way = 2; way < BAD_BOXES; way++) {
        spt_box boxes[2];
        boxes[0] = good, boxes[1] = bad_box(&good, way);
        CHECK(spt_linear_insert(&tree, 1, &boxes[1]) == SPT_ERR_ARGUMENT);
        CHECK(spt_linear_move(&tree, 0, &boxes[1]) == SPT_ERR_ARGUMENT);
        CHECK(spt_linear_query(&tree, &boxes[1], &ids) == SPT_ERR_ARGUMENT);
        CHECK(spt_linear_visit(&tree, &boxes[1], NULL, NULL) == SPT_ERR_ARGUMENT);
        CHECK(spt_broadphase_pairs(&bp, boxes, 2, &pairs) == SPT_ERR_ARGUMENT);
    }
    CHECK(same_box(spt_linear_box(&tree, 0), &good) && spt_linear_count(&tree) == 1);
    CHECK(spt_intlist_count(&ids) == 0 && spt_intlist_count(&pairs) == 0);
    spt_intlist_free(&ids);
    spt_intlist_free(&pairs);
    spt_broadphase_free(&bp);
    spt_linear_free(&tree);
}
#endif

/* ---- Queries --------------------------------------------------------------------------------- */

static int count_visits(void *ctx, spt_i32 id, const spt_box *box)
{
    spt_i32 *visits = (spt_i32 *)ctx;
    (*visits)++;
    return id < 0 || !brute_valid(box);
}

static void queries_write_no_marks_into_the_structure(void)
{
    spt_box bounds = {-100, 0, 100, 50};
    oracle_cells cells = {0, 0, 0};
    test_memory memory;
    spt_allocator allocator;
    spt_linear tree, before;
    spt_intlist out;
    spt_i32 i, visits = 0;
    uint32_t hash;
    test_memory_open(&memory, &allocator);
    memory.fill = 1;
    open_tree(&tree, &bounds, 5, &allocator);
    spt_intlist_init(&out, 1);
    for (i = 0; i < 200; i++) {
        spt_box box = box_of(i - 100, i % 50, i - 90, i % 50 + 3);
        CHECK(spt_linear_insert(&tree, i, &box) == SPT_OK);
    }
    before = tree;
    hash = test_memory_hash(&memory);
    CHECK(spt_linear_query(&tree, &bounds, &out) == 200);
    CHECK(spt_linear_visit(&tree, &bounds, count_visits, &visits) == 0 && visits == 200);
    CHECK(spt_linear_traverse(&tree, oracle_on_cell, &cells) == 0);
    CHECK(spt_linear_check(&tree));
    CHECK(spt_linear_contains(&tree, 5) && spt_linear_box(&tree, 5) != NULL);
    CHECK(memcmp(&tree, &before, sizeof tree) == 0);
    CHECK(test_memory_hash(&memory) == hash);
    spt_intlist_free(&out);
    spt_linear_free(&tree);
}

static void results_are_the_ids_of_the_caller_not_internal_slots(void)
{
    static const spt_i32 ids[] = {700, 3, 90, 41};
    spt_box bounds = {0, 0, 10, 10};
    spt_linear tree;
    spt_intlist found, pairs;
    spt_i32 sum = 0, i;
    open_tree(&tree, &bounds, 3, NULL);
    spt_intlist_init(&found, 1);
    spt_intlist_init(&pairs, 2);
    for (i = 0; i < 4; i++) CHECK(spt_linear_insert(&tree, ids[i], &bounds) == SPT_OK);
    CHECK(spt_linear_remove(&tree, 3) == SPT_OK);
    CHECK(spt_linear_query(&tree, &bounds, &found) == 3);
    for (i = 0; i < 3; i++) sum += spt_intlist_get(&found, i, 0);
    CHECK(sum == 700 + 90 + 41);
    CHECK(spt_linear_pairs(&tree, &pairs) == 3);
    for (i = 0, sum = 0; i < 3; i++) {
        CHECK(spt_intlist_get(&pairs, i, 0) < spt_intlist_get(&pairs, i, 1));
        sum += spt_intlist_get(&pairs, i, 0) * spt_intlist_get(&pairs, i, 1);
    }
    CHECK(sum == 41 * 90 + 41 * 700 + 90 * 700);
    spt_intlist_free(&found);
    spt_intlist_free(&pairs);
    spt_linear_free(&tree);
}

/* A box that grows diagonally has new cells at the corners of the union that neither had before. */
static void a_moved_box_is_found_at_every_corner_of_its_new_place(void)
{
    static const oracle_world world = {"corners", 0, 0, 64, 64, 64, 1, 0, 0, 0};
    static oracle o;
    oracle_setup setup = {&world, "linear", 5, 4, 0, {NULL, NULL}, NULL};
    int from, to, x, y;
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

static void a_copied_tree_or_broadphase_does_not_point_into_the_original(void)
{
    spt_box bounds = {0, 0, 100, 100}, boxes[50];
    spt_linear tree, tree_copy;
    spt_broadphase bp, bp_copy;
    spt_intlist pairs;
    spt_i32 i;
    open_tree(&tree, &bounds, 4, NULL);
    CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK);
    spt_intlist_init(&pairs, 2);
    for (i = 0; i < 50; i++) {
        boxes[i] = box_of(i, i, i + 1, i + 1);
        CHECK(spt_linear_insert(&tree, i, &boxes[i]) == SPT_OK);
    }
    CHECK(spt_linear_pairs(&tree, &pairs) == 49);
    CHECK(spt_broadphase_pairs(&bp, boxes, 50, &pairs) == 49);
    memcpy(&tree_copy, &tree, sizeof tree);
    memcpy(&bp_copy, &bp, sizeof bp);
    memset(&tree, 0xEE, sizeof tree);
    memset(&bp, 0xEE, sizeof bp);
    CHECK(spt_linear_check(&tree_copy) && spt_broadphase_check(&bp_copy));
    CHECK(spt_linear_insert(&tree_copy, 5000, &boxes[0]) == SPT_OK);
    CHECK(spt_linear_pairs(&tree_copy, &pairs) == 51);
    CHECK(spt_broadphase_pairs(&bp_copy, boxes, 50, &pairs) == 49);
    spt_intlist_free(&pairs);
    spt_broadphase_free(&bp_copy);
    spt_linear_free(&tree_copy);
}

static void when_the_allocator_fails_the_old_memory_is_kept(void)
{
    static spt_box boxes[400];
    spt_box bounds = {0, 0, 400, 400};
    test_memory memory;
    spt_allocator allocator;
    spt_broadphase_desc desc;
    spt_broadphase bp;
    spt_linear tree;
    spt_intlist list, pairs;
    spt_i32 i, n = 0;
    test_memory_open(&memory, &allocator);
    desc.capacity = 0, desc.allocator = allocator;
    CHECK(spt_intlist_init_with(&list, 1, &allocator) == SPT_OK);
    CHECK(spt_intlist_init(&pairs, 2) == SPT_OK);
    CHECK(spt_broadphase_init(&bp, &desc) == SPT_OK);
    open_tree(&tree, &bounds, 4, &allocator);
    for (i = 0; i < 400; i++) boxes[i] = box_of(i, i, i + 1, i + 1);
    for (i = 0; i < 200; i++) CHECK(spt_intlist_push(&list, &i) == i);
    for (i = 0; i < 200; i++) CHECK(spt_linear_insert(&tree, i, &boxes[i]) == SPT_OK);
    CHECK(spt_broadphase_pairs(&bp, boxes, 200, &pairs) == 199);
    memory.limit = 1; /* from here on nothing is to be had */
    while (spt_intlist_push(&list, &n) >= 0) n++;
    CHECK(spt_linear_insert(&tree, 100000, &boxes[0]) == SPT_ERR_MEMORY);
    CHECK(spt_linear_pairs(&tree, &pairs) == SPT_ERR_MEMORY);
    CHECK(spt_broadphase_pairs(&bp, boxes, 400, &pairs) == SPT_ERR_MEMORY);
    CHECK(spt_intlist_count(&list) == 200 + n && spt_intlist_count(&pairs) == 199);
    for (i = 0; i < 200; i++) CHECK(spt_intlist_get(&list, i, 0) == i);
    for (i = 0; i < 200; i++) CHECK(same_box(spt_linear_box(&tree, i), &boxes[i]));
    CHECK(spt_linear_check(&tree) && spt_broadphase_check(&bp) && spt_intlist_check(&list));
    CHECK(spt_broadphase_pairs(&bp, boxes, 200, &pairs) == 199);
    spt_intlist_free(&list);
    spt_intlist_free(&pairs);
    spt_broadphase_free(&bp);
    spt_linear_free(&tree);
    CHECK(memory.bytes == 0);
}

static void unknown_ids_are_refused_and_walk_off_nothing(void)
{
    static const spt_i32 unknown[] = {-1, -2, INT32_MIN, 1, 7, 9, 1000, 1000000, INT32_MAX};
    spt_box bounds = {0, 0, 10, 10};
    spt_linear tree;
    int i;
    open_tree(&tree, &bounds, 3, NULL);
    CHECK(spt_linear_insert(&tree, 8, &bounds) == SPT_OK);
    CHECK(spt_linear_insert(&tree, 9, &bounds) == SPT_OK);
    CHECK(spt_linear_remove(&tree, 9) == SPT_OK);
    for (i = 0; i < TEST_COUNT(unknown); i++) {
        CHECK(spt_linear_move(&tree, unknown[i], &bounds) == SPT_ERR_ID);
        CHECK(spt_linear_remove(&tree, unknown[i]) == SPT_ERR_ID);
        CHECK(!spt_linear_contains(&tree, unknown[i]));
        CHECK(spt_linear_box(&tree, unknown[i]) == NULL);
        if (unknown[i] < 0) CHECK(spt_linear_insert(&tree, unknown[i], &bounds) == SPT_ERR_ID);
        CHECK(spt_linear_count(&tree) == 1 && spt_linear_check(&tree));
    }
    CHECK(spt_linear_insert(&tree, 8, &bounds) == SPT_ERR_ID); /* and none is there twice */
    CHECK(spt_linear_count(&tree) == 1);
    spt_linear_free(&tree);
}

/* ---- Depth and cost -------------------------------------------------------------------------- */

static void coincident_boxes_do_not_split_for_ever(void)
{
    static spt_box boxes[2000];
    spt_box bounds = {0, 0, 1024, 1024};
    spt_broadphase bp;
    spt_linear tree;
    spt_intlist pairs;
    int i, n = 2000;
    for (i = 0; i < n; i++) boxes[i] = box_of(i % 2 ? 777 : 776, 333, 777, 333);
    open_tree(&tree, &bounds, 8, NULL);
    CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK);
    spt_intlist_init(&pairs, 2);
    for (i = 0; i < n; i++) CHECK(spt_linear_insert(&tree, i, &boxes[i]) == SPT_OK);
    CHECK(spt_broadphase_pairs(&bp, boxes, n, &pairs) == n * (n - 1) / 2);
    spt_intlist_clear(&pairs);
    CHECK(spt_linear_pairs(&tree, &pairs) == n * (n - 1) / 2);
    spt_intlist_free(&pairs);
    spt_broadphase_free(&bp);
    spt_linear_free(&tree);
}

/* Fills a square of finest cells around the middle, where every path from the root differs at once,
   and the four edges of the world, then asks for all of it. */
static void check_full_stacks(int levels)
{
    double cells = ldexp(1, levels);
    spt_box bounds = box_of(0, 0, 4 * cells, 4 * cells);
    int side = levels < 6 ? 1 << levels : 64, x, y;
    double from = 2 * cells - 2 * side;
    spt_linear tree;
    spt_intlist out;
    spt_i32 n = 0, visits = 0;
    open_tree(&tree, &bounds, levels, NULL);
    spt_intlist_init(&out, 1);
    for (y = 0; y < side; y++)
        for (x = 0; x < side; x++) {
            double left = from + 4 * x + 1, bottom = from + 4 * y + 1;
            spt_box point = box_of(left, bottom, left + 1, bottom + 1);
            CHECK(spt_linear_insert(&tree, n++, &point) == SPT_OK);
        }
    for (x = 0; x < side; x++) {
        double at = 4 * cells * x / side + 1;
        spt_box edges[4];
        edges[0] = box_of(at, 0, at, 0), edges[1] = box_of(at, 4 * cells, at, 4 * cells);
        edges[2] = box_of(0, at, 0, at), edges[3] = box_of(4 * cells, at, 4 * cells, at);
        for (y = 0; y < 4; y++) CHECK(spt_linear_insert(&tree, n++, &edges[y]) == SPT_OK);
    }
    CHECK(spt_linear_query(&tree, &bounds, &out) == n);
    CHECK(spt_linear_visit(&tree, &bounds, count_visits, &visits) == 0 && visits == n);
    for (y = 0; y < side; y++) {
        spt_box line = box_of(from, from + 4 * y + 1, from + 4 * side - 1, from + 4 * y + 1);
        spt_intlist_clear(&out);
        CHECK(spt_linear_query(&tree, &line, &out) >= side);
    }
    CHECK(spt_linear_check(&tree));
    spt_intlist_free(&out);
    spt_linear_free(&tree);
}

static void full_traversal_stacks_drop_no_subtree(void)
{
    int levels;
    for (levels = 1; levels <= oracle_deepest(); levels++) {
        test_context("levels", levels);
        check_full_stacks(levels);
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
    CHECK(spt_broadphase_pairs(&bp, boxes, n, &pairs) == expected);
    spt_intlist_free(&pairs);
    spt_broadphase_free(&bp);
}

/* A cleanup that walks even a 32nd of this tree would take a minute for so many calls. */
static void tidying_an_idle_tree_costs_nothing(void)
{
    spt_box bounds = {0, 0, 4096, 4096};
    test_memory memory;
    spt_allocator allocator;
    spt_linear tree;
    clock_t start;
    uint32_t hash;
    spt_i32 i;
    int call, calls = test_scale(1000000);
    test_memory_open(&memory, &allocator);
    memory.fill = 1;
    open_tree(&tree, &bounds, 9, &allocator);
    for (i = 0; i < 1000; i++) {
        spt_box box = box_of(i * 4, i * 3, i * 4 + 1, i * 3 + 1);
        CHECK(spt_linear_insert(&tree, i, &box) == SPT_OK);
    }
    for (i = 0; i < 1000; i += 2) CHECK(spt_linear_remove(&tree, i) == SPT_OK);
    for (i = 0; i < 100; i++) spt_linear_tidy(&tree);
    hash = test_memory_hash(&memory);
    start = clock();
    for (call = 0; call < calls; call++) spt_linear_tidy(&tree);
    CHECK((double)(clock() - start) / CLOCKS_PER_SEC < 2.0);
    CHECK(test_memory_hash(&memory) == hash);
    CHECK(spt_linear_check(&tree) && spt_linear_count(&tree) == 500);
    spt_linear_free(&tree);
}

static const test_case tests[] = {
    TEST(rows_and_columns_width_and_height_are_not_swapped),
    TEST(cells_are_half_as_high_as_their_parents_in_an_oblong_world),
    TEST(a_world_need_not_begin_at_the_origin),
    TEST(coordinates_below_zero_floor_and_do_not_truncate),
    TEST(huge_and_infinite_coordinates_fall_in_the_border_cells),
#ifndef SPATIAL_INT
    TEST(a_nan_is_refused_everywhere_in_release_builds_too),
#endif
    TEST(queries_write_no_marks_into_the_structure),
    TEST(results_are_the_ids_of_the_caller_not_internal_slots),
    TEST(a_moved_box_is_found_at_every_corner_of_its_new_place),
    TEST(a_copied_list_does_not_point_into_the_original),
    TEST(a_copied_tree_or_broadphase_does_not_point_into_the_original),
    TEST(when_the_allocator_fails_the_old_memory_is_kept),
    TEST(unknown_ids_are_refused_and_walk_off_nothing),
    TEST(coincident_boxes_do_not_split_for_ever),
    TEST(full_traversal_stacks_drop_no_subtree),
    TEST(full_collision_stacks_drop_no_pair),
    TEST(tidying_an_idle_tree_costs_nothing),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
