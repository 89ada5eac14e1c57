/* test_linear.c - the linear quadtree beside the naive model, and what the model cannot see:
   levels, capacities, memory, cells. */
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"

static const spt_box unit = {-512, 0, 512, 256}; /* a world for tests that need just any */

static void open_tree(spt_linear *tree, int levels, spt_i32 capacity)
{
    spt_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.bounds = unit;
    desc.levels = levels;
    desc.capacity = capacity;
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
static void random_operations_agree_with_the_naive_model(void)
{
    static const struct {
        int levels;
        spt_i32 ids, capacity;
        int steps;
    } kinds[] = {
        {0, 64, 0, 24000},  {0, 512, 512, 12000}, {1, 16, 10, 8000},    {2, 8, 0, 8000},
        {3, 100, 50, 12000}, {5, 40, 0, 12000},    {7, 200, 150, 12000}, {9, 60, 60, 2000},
    };
    static oracle o;
    int world, kind;
    for (world = 0; world < ORACLE_WORLDS; world++)
        for (kind = 0; kind < TEST_COUNT(kinds); kind++) {
            oracle_setup setup = {&oracle_worlds[world], "linear", 0, 0, 0, {NULL, NULL}, NULL};
            setup.levels = kinds[kind].levels;
            setup.ids = kinds[kind].ids;
            setup.capacity = kinds[kind].capacity;
            if (!CHECK(oracle_open(&o, &setup) == SPT_OK)) continue;
            oracle_run(&o, test_scale(kinds[kind].steps));
            oracle_close(&o);
        }
}

/* Every query of a grid over a world in which every cell border is an edge of some box. */
static void boxes_on_cell_borders_are_found_from_both_sides(void)
{
    static oracle o;
    oracle_setup setup = {&oracle_worlds[0], "linear", 3, 400, 0, {NULL, NULL}, NULL};
    int x, y, size;
    spt_i32 id = 0;
    CHECK(oracle_open(&o, &setup) == SPT_OK);
    for (y = 0; y <= 16; y++)
        for (x = 0; x <= 16; x++) {
            spt_box box = box_of(x * 64, y * 64, (x + y % 3) * 64, (y + x % 2) * 64);
            oracle_insert(&o, id++, &box);
        }
    for (size = 0; size <= 2; size++)
        for (y = -1; y <= 33; y++)
            for (x = -1; x <= 33; x++) {
                spt_box box = box_of(x * 32, y * 32, (x + size) * 32, (y + size) * 32);
                oracle_query(&o, &box);
            }
    oracle_close(&o);
}

/* ---- init ------------------------------------------------------------------------------------ */

static void expect_refused(const spt_linear_desc *desc)
{
    spt_linear tree;
    CHECK(spt_linear_init(&tree, desc) == SPT_ERR_ARGUMENT);
    CHECK(spt_linear_bytes_for(desc) == 0);
}

static void bad_descriptions_are_refused(void)
{
    static const spt_box bad[] = {
        {0, 0, 0, 0}, {0, 0, 0, 5}, {0, 0, 5, 0}, {1, 0, 0, 5}, {0, 1, 5, 0}};
    static const int levels[] = {-1, 13, INT_MIN, INT_MAX};
    spt_linear_desc desc;
    int i;
    expect_refused(NULL);
    memset(&desc, 0, sizeof desc); /* bounds are required */
    expect_refused(&desc);
    for (i = 0; i < TEST_COUNT(bad); i++) {
        desc.bounds = bad[i];
        expect_refused(&desc);
    }
    desc.bounds = unit;
    for (i = 0; i < TEST_COUNT(levels); i++) {
        desc.levels = levels[i];
        expect_refused(&desc);
    }
    desc.levels = 0;
    desc.capacity = -1;
    expect_refused(&desc);
    desc.capacity = INT32_MIN;
    expect_refused(&desc);
}

#ifndef SPATIAL_INT
static void bounds_and_their_distance_must_be_finite(void)
{
    const spt_coord bad[] = {(spt_coord)NAN, COORD_LOW, COORD_HIGH};
    spt_linear_desc desc;
    int i;
    memset(&desc, 0, sizeof desc);
    for (i = 0; i < TEST_COUNT(bad); i++) {
        desc.bounds = unit;
        desc.bounds.min_x = bad[i];
        expect_refused(&desc);
        desc.bounds = unit;
        desc.bounds.min_y = bad[i];
        expect_refused(&desc);
        desc.bounds = unit;
        desc.bounds.max_x = bad[i];
        expect_refused(&desc);
        desc.bounds = unit;
        desc.bounds.max_y = bad[i];
        expect_refused(&desc);
    }
    desc.bounds = box_of(-(double)COORD_MAX, 0, (double)COORD_MAX, 1); /* nor too far apart */
    expect_refused(&desc);
    desc.bounds = box_of(0, -0.6 * (double)COORD_MAX, 1, 0.6 * (double)COORD_MAX);
    expect_refused(&desc);
}
#endif

static void a_tree_of_zero_bytes_may_be_freed(void)
{
    spt_linear tree;
    memset(&tree, 0, sizeof tree);
    spt_linear_free(&tree);
    open_tree(&tree, 3, 0);
    spt_linear_free(&tree);
    spt_linear_free(&tree);
    CHECK(spt_linear_bytes(&tree) == 0);
}

static void a_tree_of_zero_bytes_holds_nothing(void)
{
    spt_linear tree;
    spt_intlist ids, pairs;
    spt_box all = {COORD_LOW, COORD_LOW, COORD_HIGH, COORD_HIGH};
    memset(&tree, 0, sizeof tree);
    spt_intlist_init(&ids, 1);
    spt_intlist_init(&pairs, 2);
    CHECK(spt_linear_query(&tree, &all, &ids) == 0 && spt_linear_pairs(&tree, &pairs) == 0);
    CHECK(spt_linear_count(&tree) == 0 && spt_linear_check(&tree));
    spt_linear_tidy(&tree);
    spt_linear_clear(&tree);
}

/* The box of another element is where the tree may move it from. */
static void a_box_of_the_tree_itself_may_be_inserted(void)
{
    spt_linear tree;
    spt_box box = box_of(1, 2, 3, 4);
    spt_i32 id;
    open_tree(&tree, 0, 0);
    CHECK(spt_linear_insert(&tree, 0, &box) == SPT_OK);
    for (id = 1; id < 5000; id = 3 * id)
        CHECK(spt_linear_insert(&tree, id, spt_linear_box(&tree, 0)) == SPT_OK);
    for (id = 1; id < 5000; id = 3 * id) {
        const spt_box *copy = spt_linear_box(&tree, id);
        CHECK(copy && copy->min_x == box.min_x && copy->max_y == box.max_y);
    }
    CHECK(spt_linear_check(&tree));
    spt_linear_free(&tree);
}

static void an_empty_tree_has_nothing_to_tell(void)
{
    spt_linear tree;
    spt_intlist ids, pairs;
    oracle_cells cells = {0, 0, 0};
    spt_box all = {COORD_LOW, COORD_LOW, COORD_HIGH, COORD_HIGH};
    open_tree(&tree, 0, 0);
    spt_intlist_init(&ids, 1);
    spt_intlist_init(&pairs, 2);
    CHECK(spt_linear_count(&tree) == 0 && !spt_linear_contains(&tree, 0));
    CHECK(spt_linear_box(&tree, 0) == NULL && spt_linear_box(&tree, -1) == NULL);
    CHECK(spt_linear_query(&tree, &all, &ids) == 0);
    CHECK(spt_linear_pairs(&tree, &pairs) == 0);
    CHECK(spt_linear_traverse(&tree, oracle_on_cell, &cells) == 0 && cells.elements == 0);
    CHECK(spt_linear_remove(&tree, 0) == SPT_ERR_ID);
    CHECK(spt_linear_move(&tree, 0, &unit) == SPT_ERR_ID);
    spt_linear_tidy(&tree);
    spt_linear_clear(&tree);
    CHECK(spt_linear_check(&tree));
    spt_intlist_free(&ids);
    spt_intlist_free(&pairs);
    spt_linear_free(&tree);
}

static void lists_of_the_wrong_number_of_fields_are_refused(void)
{
    spt_linear tree;
    spt_intlist lists[3];
    spt_i32 i;
    open_tree(&tree, 3, 0);
    for (i = 0; i < 3; i++) {
        CHECK(spt_linear_insert(&tree, i, &unit) == SPT_OK);
        spt_intlist_init(&lists[i], i + 1);
    }
    CHECK(spt_linear_query(&tree, &unit, &lists[1]) == SPT_ERR_ARGUMENT);
    CHECK(spt_linear_query(&tree, &unit, &lists[2]) == SPT_ERR_ARGUMENT);
    CHECK(spt_linear_pairs(&tree, &lists[0]) == SPT_ERR_ARGUMENT);
    CHECK(spt_linear_pairs(&tree, &lists[2]) == SPT_ERR_ARGUMENT);
    for (i = 0; i < 3; i++) {
        CHECK(spt_intlist_count(&lists[i]) == 0);
        spt_intlist_free(&lists[i]);
    }
    spt_linear_free(&tree);
}

/* ---- Levels ---------------------------------------------------------------------------------- */

static void default_levels_grow_with_the_capacity(void)
{
    static const spt_i32 capacities[] = {1, 10, 100, 1000, 10000, 100000};
    spt_linear tree;
    int i, before = 0;
    for (i = 0; i < TEST_COUNT(capacities); i++) {
        double cells;
        open_tree(&tree, 0, capacities[i]);
        cells = ldexp(1, 2 * tree.levels); /* "about as many finest cells as elements" */
        CHECK(tree.levels >= 1 && tree.levels <= SPT_LINEAR_MAX_LEVELS);
        CHECK(tree.levels >= before);
        CHECK(cells <= 8.0 * capacities[i] || tree.levels <= 2);
        CHECK(cells * 8.0 >= capacities[i]);
        before = tree.levels;
        spt_linear_free(&tree);
    }
}

static void pile_up(int levels, const spt_box *point)
{
    spt_linear tree;
    spt_intlist ids;
    spt_i32 i, n = 10000;
    open_tree(&tree, levels, 0);
    spt_intlist_init(&ids, 1);
    for (i = 0; i < n; i++) CHECK(spt_linear_insert(&tree, i, point) == SPT_OK);
    CHECK(spt_linear_count(&tree) == n);
    CHECK(spt_linear_query(&tree, point, &ids) == n);
    CHECK(spt_linear_check(&tree));
    for (i = 0; i < n; i += 2) CHECK(spt_linear_remove(&tree, i) == SPT_OK);
    spt_intlist_clear(&ids);
    CHECK(spt_linear_query(&tree, point, &ids) == n / 2);
    for (i = 1; i < n; i += 2) CHECK(spt_linear_remove(&tree, i) == SPT_OK);
    spt_linear_tidy(&tree);
    CHECK(spt_linear_query(&tree, point, &ids) == 0);
    CHECK(spt_linear_count(&tree) == 0 && spt_linear_check(&tree));
    spt_intlist_free(&ids);
    spt_linear_free(&tree);
}

static void ten_thousand_boxes_lie_on_one_point_at_every_level(void)
{
    static const spt_box point = {37, 21, 37, 21};
    int levels;
    for (levels = 1; levels <= oracle_deepest(); levels++) {
        test_context("levels", levels);
        pile_up(levels, &point);
    }
}

static void ten_thousand_boxes_lie_on_the_middle_of_the_world(void)
{
    static const spt_box middle = {0, 128, 0, 128};
    int levels;
    for (levels = 1; levels <= 7; levels++) {
        test_context("levels", levels);
        pile_up(levels, &middle);
    }
}

/* ---- Results --------------------------------------------------------------------------------- */

typedef struct stopper {
    spt_i32 calls, stop_at;
    int value;
} stopper;

static int stop_at_call(void *ctx, spt_i32 id, const spt_box *box)
{
    stopper *s = (stopper *)ctx;
    CHECK(id >= 0 && brute_valid(box));
    return ++s->calls == s->stop_at ? s->value : 0;
}

static void visit_returns_what_the_callback_stopped_with(void)
{
    static const int values[] = {1, -1, 77, INT_MIN, INT_MAX, SPT_ERR_ARGUMENT};
    spt_linear tree;
    stopper s;
    spt_i32 i;
    int v;
    open_tree(&tree, 4, 0);
    for (i = 0; i < 50; i++) {
        spt_box box = any_box();
        CHECK(spt_linear_insert(&tree, i, &box) == SPT_OK);
    }
    for (v = 0; v < TEST_COUNT(values); v++)
        for (i = 1; i <= 51; i++) {
            s.calls = 0;
            s.stop_at = i;
            s.value = values[v];
            CHECK(spt_linear_visit(&tree, &unit, stop_at_call, &s) == (i <= 50 ? values[v] : 0));
            CHECK(s.calls == (i <= 50 ? i : 50));
        }
    spt_linear_free(&tree);
}

/* Compiles only if these take a const tree. */
static spt_i32 ask(const spt_linear *tree, const spt_box *box, spt_intlist *out)
{
    stopper s = {0, 0, 0};
    CHECK(spt_linear_visit(tree, box, stop_at_call, &s) == 0);
    CHECK(spt_linear_count(tree) >= s.calls && spt_linear_bytes(tree) > 0);
    CHECK(spt_linear_contains(tree, 0) == (spt_linear_box(tree, 0) != NULL));
    return spt_linear_query(tree, box, out);
}

static void questions_take_a_tree_that_is_const(void)
{
    spt_linear tree;
    spt_intlist out;
    open_tree(&tree, 4, 0);
    spt_intlist_init(&out, 1);
    CHECK(spt_linear_insert(&tree, 0, &unit) == SPT_OK);
    CHECK(ask(&tree, &unit, &out) == 1);
    spt_intlist_free(&out);
    spt_linear_free(&tree);
}

static void the_same_calls_give_the_same_order(void)
{
    spt_linear trees[2];
    spt_intlist ids[2], pairs[2];
    spt_i32 i, n = 300;
    int t;
    for (t = 0; t < 2; t++) { /* one grows, the other has a fixed capacity */
        uint32_t start = test.random;
        open_tree(&trees[t], 5, t ? n : 0);
        spt_intlist_init(&ids[t], 1);
        spt_intlist_init(&pairs[t], 2);
        for (i = 0; i < n; i++) {
            spt_box box = any_box();
            CHECK(spt_linear_insert(&trees[t], i, &box) == SPT_OK);
            box = any_box();
            if (i % 3 == 0) CHECK(spt_linear_move(&trees[t], i, &box) == SPT_OK);
            if (i % 7 == 0) CHECK(spt_linear_remove(&trees[t], i) == SPT_OK);
        }
        CHECK(spt_linear_query(&trees[t], &unit, &ids[t]) > 0);
        CHECK(spt_linear_pairs(&trees[t], &pairs[t]) > 0);
        if (t == 0) test.random = start;
    }
    CHECK(same_results(&ids[0], &ids[1]));
    CHECK(same_results(&pairs[0], &pairs[1]));
    for (t = 0; t < 2; t++) {
        spt_intlist_free(&ids[t]);
        spt_intlist_free(&pairs[t]);
        spt_linear_free(&trees[t]);
    }
}

/* ---- Ids and memory -------------------------------------------------------------------------- */

static void a_tree_grows_from_nothing_to_ten_thousand_ids(void)
{
    static spt_box boxes[10000];
    spt_linear tree;
    spt_intlist ids;
    spt_i32 i, n = 10000;
    open_tree(&tree, 0, 0);
    spt_intlist_init(&ids, 1);
    for (i = 0; i < n; i++) {
        boxes[i] = any_box();
        CHECK(spt_linear_insert(&tree, i, &boxes[i]) == SPT_OK);
        if ((i & (i - 1)) == 0) CHECK(spt_linear_check(&tree));
    }
    CHECK(spt_linear_count(&tree) == n && spt_linear_check(&tree));
    for (i = 0; i < n; i++) CHECK(same_box(spt_linear_box(&tree, i), &boxes[i]));
    CHECK(spt_linear_query(&tree, &unit, &ids) == n);
    spt_intlist_free(&ids);
    spt_linear_free(&tree);
}

static void ids_may_come_in_any_order_with_gaps(void)
{
    static const spt_i32 order[] = {0, 5000, 3, 4999, 70000, 1};
    spt_linear tree;
    spt_intlist ids;
    int i;
    open_tree(&tree, 0, 0);
    spt_intlist_init(&ids, 1);
    for (i = 0; i < TEST_COUNT(order); i++) {
        spt_box box = box_of(i, i, i, i);
        CHECK(spt_linear_insert(&tree, order[i], &box) == SPT_OK);
        CHECK(spt_linear_insert(&tree, order[i], &box) == SPT_ERR_ID);
        CHECK(spt_linear_count(&tree) == i + 1);
        CHECK(spt_linear_check(&tree));
    }
    CHECK(!spt_linear_contains(&tree, 2) && !spt_linear_contains(&tree, 69999));
    for (i = 0; i < TEST_COUNT(order); i++) {
        spt_box box = box_of(i, i, i, i);
        spt_intlist_clear(&ids);
        CHECK(spt_linear_query(&tree, &box, &ids) == 1);
        CHECK(spt_intlist_get(&ids, 0, 0) == order[i]);
    }
    spt_intlist_free(&ids);
    spt_linear_free(&tree);
}

static void a_capacity_can_be_used_to_the_last_id(void)
{
    spt_i32 capacity;
    for (capacity = 1; capacity <= 33; capacity++) {
        spt_linear tree;
        spt_i32 i;
        open_tree(&tree, 0, capacity);
        for (i = capacity - 1; i >= 0; i--) CHECK(spt_linear_insert(&tree, i, &unit) == SPT_OK);
        CHECK(spt_linear_insert(&tree, capacity, &unit) == SPT_ERR_FULL);
        CHECK(spt_linear_insert(&tree, INT32_MAX, &unit) == SPT_ERR_FULL);
        CHECK(spt_linear_insert(&tree, capacity - 1, &unit) == SPT_ERR_ID);
        CHECK(spt_linear_insert(&tree, -1, &unit) == SPT_ERR_ID);
        CHECK(spt_linear_count(&tree) == capacity && spt_linear_check(&tree));
        CHECK(spt_linear_remove(&tree, 0) == SPT_OK);
        CHECK(spt_linear_insert(&tree, capacity, &unit) == SPT_ERR_FULL);
        CHECK(spt_linear_insert(&tree, 0, &unit) == SPT_OK);
        spt_linear_free(&tree);
    }
}

static void trees_without_pairs_do_all_else(void)
{
    spt_linear_desc desc;
    spt_linear tree;
    spt_intlist ids, pairs;
    size_t with;
    memset(&desc, 0, sizeof desc);
    desc.bounds = unit;
    desc.capacity = 100;
    with = spt_linear_bytes_for(&desc);
    desc.no_pairs = 1;
    CHECK(spt_linear_bytes_for(&desc) < with);
    CHECK(spt_linear_init(&tree, &desc) == SPT_OK);
    spt_intlist_init(&ids, 1);
    spt_intlist_init(&pairs, 2);
    CHECK(spt_linear_insert(&tree, 0, &unit) == SPT_OK);
    CHECK(spt_linear_insert(&tree, 1, &unit) == SPT_OK);
    CHECK(spt_linear_pairs(&tree, &pairs) == SPT_ERR_FULL);
    CHECK(spt_intlist_count(&pairs) == 0);
    CHECK(spt_linear_query(&tree, &unit, &ids) == 2 && spt_linear_check(&tree));
    spt_intlist_free(&ids);
    spt_intlist_free(&pairs);
    spt_linear_free(&tree);
}

static void move_remove_query_and_tidy_allocate_nothing(void)
{
    test_memory memory;
    spt_linear_desc desc;
    spt_linear tree;
    spt_intlist ids;
    spt_i32 i, n = 1000, step;
    long calls;
    memset(&desc, 0, sizeof desc);
    desc.bounds = unit;
    test_memory_open(&memory, &desc.allocator);
    CHECK(spt_linear_init(&tree, &desc) == SPT_OK);
    spt_intlist_init(&ids, 1);
    for (i = 0; i < n; i++) CHECK(spt_linear_insert(&tree, i, &unit) == SPT_OK);
    CHECK(spt_linear_bytes(&tree) == memory.bytes);
    calls = memory.calls;
    for (step = 0; step < test_scale(20000); step++) {
        spt_box box = any_box();
        i = (spt_i32)test_below((int)n);
        CHECK(spt_linear_move(&tree, i, &box) == SPT_OK);
        i = (spt_i32)test_below((int)n);
        CHECK(spt_linear_remove(&tree, i) == SPT_OK);
        CHECK(spt_linear_insert(&tree, i, &box) == SPT_OK); /* the id has its place already */
        if (step % 100) continue;
        spt_intlist_clear(&ids);
        CHECK(spt_linear_query(&tree, &box, &ids) > 0);
        spt_linear_tidy(&tree);
    }
    CHECK(memory.calls == calls);
    spt_intlist_free(&ids);
    spt_linear_free(&tree);
    CHECK(memory.bytes == 0);
}

/* "Within its cell nothing but the box is written": so moving back gives every byte back. */
static void a_move_within_a_cell_writes_only_the_box(void)
{
    test_memory memory;
    spt_linear_desc desc;
    spt_linear tree, before;
    spt_box there = {-510, 2, -509, 3}, near_by = {-509, 3, -508, 4};
    uint32_t hash, moved;
    spt_i32 i;
    memset(&desc, 0, sizeof desc);
    desc.bounds = unit;
    desc.levels = 2; /* cells of 256 by 64 */
    test_memory_open(&memory, &desc.allocator);
    memory.fill = 1;
    CHECK(spt_linear_init(&tree, &desc) == SPT_OK);
    for (i = 0; i < 5; i++) CHECK(spt_linear_insert(&tree, i, &there) == SPT_OK);
    before = tree;
    hash = test_memory_hash(&memory);
    CHECK(spt_linear_move(&tree, 2, &near_by) == SPT_OK);
    moved = test_memory_hash(&memory);
    CHECK(memcmp(&before, &tree, sizeof tree) == 0);
    CHECK(moved != hash);
    CHECK(spt_linear_move(&tree, 2, &there) == SPT_OK);
    CHECK(test_memory_hash(&memory) == hash);
    spt_linear_free(&tree);
}

static void clear_keeps_the_memory_and_all_ids_may_come_again(void)
{
    test_memory memory;
    spt_linear_desc desc;
    spt_linear tree;
    spt_intlist ids;
    spt_i32 i, round;
    long calls = 0;
    memset(&desc, 0, sizeof desc);
    desc.bounds = unit;
    test_memory_open(&memory, &desc.allocator);
    CHECK(spt_linear_init(&tree, &desc) == SPT_OK);
    spt_intlist_init(&ids, 1);
    for (round = 0; round < 3; round++) {
        for (i = 0; i < 500; i++) {
            spt_box box = any_box();
            CHECK(spt_linear_insert(&tree, i, &box) == SPT_OK);
        }
        if (round == 0) calls = memory.calls;
        spt_linear_clear(&tree);
        CHECK(spt_linear_count(&tree) == 0 && spt_linear_check(&tree));
        CHECK(spt_linear_query(&tree, &unit, &ids) == 0);
        CHECK(!spt_linear_contains(&tree, 7) && spt_linear_box(&tree, 7) == NULL);
    }
    CHECK(memory.calls == calls);
    spt_intlist_free(&ids);
    spt_linear_free(&tree);
    CHECK(memory.bytes == 0);
}

static void a_tree_moved_by_memcpy_goes_on_working(void)
{
    static oracle o, moved;
    oracle_setup setup = {&oracle_worlds[1], "linear", 4, 100, 0, {NULL, NULL}, NULL};
    CHECK(oracle_open(&o, &setup) == SPT_OK);
    oracle_run(&o, test_scale(2000));
    memcpy(&moved, &o, sizeof o);
    memset(&o, 0xAB, sizeof o);
    spt_linear_index(&moved.object.linear, &moved.index);
    oracle_compare(&moved);
    oracle_run(&moved, test_scale(2000));
    oracle_close(&moved);
}

/* ---- Cells ----------------------------------------------------------------------------------- */

#define MOST_CELLS 4096

typedef struct cell_log {
    spt_box boxes[MOST_CELLS];
    int levels[MOST_CELLS];
    spt_i32 counts[MOST_CELLS];
    int cells;
} cell_log;

static int log_cell(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    cell_log *log = (cell_log *)ctx;
    if (!CHECK(log->cells < MOST_CELLS)) return 1;
    log->boxes[log->cells] = *box;
    log->levels[log->cells] = level;
    log->counts[log->cells] = count;
    log->cells++;
    return 0;
}

/* The parent is the last cell before it that is one level up, and holds it. */
static void check_parent(const cell_log *log, int cell)
{
    const spt_box *box = &log->boxes[cell], *parent;
    int before = cell;
    do before--;
    while (before > 0 && log->levels[before] >= log->levels[cell]);
    parent = &log->boxes[before];
    CHECK(log->levels[before] == log->levels[cell] - 1);
    CHECK(parent->min_x <= box->min_x && box->max_x <= parent->max_x);
    CHECK(parent->min_y <= box->min_y && box->max_y <= parent->max_y);
    CHECK((box->min_x == parent->min_x) != (box->max_x == parent->max_x));
    CHECK((box->min_y == parent->min_y) != (box->max_y == parent->max_y));
}

static void traverse_visits_parents_before_children_in_their_boxes(void)
{
    static cell_log log;
    spt_linear tree;
    spt_i32 i, n = 200, elements = 0;
    int cell;
    open_tree(&tree, 5, 0);
    for (i = 0; i < n; i++) {
        spt_box box = any_box();
        CHECK(spt_linear_insert(&tree, i, &box) == SPT_OK);
    }
    log.cells = 0;
    CHECK(spt_linear_traverse(&tree, log_cell, &log) == 0);
    CHECK(log.cells > 1 && log.levels[0] == 0 && same_box(&log.boxes[0], &unit));
    for (cell = 0; cell < log.cells; cell++) {
        int level = log.levels[cell];
        CHECK(level <= 5 && log.counts[cell] >= 0);
        CHECK(log.boxes[cell].max_x - log.boxes[cell].min_x == (spt_coord)(1024 >> level));
        CHECK(log.boxes[cell].max_y - log.boxes[cell].min_y == (spt_coord)(256 >> level));
        if (cell > 0) check_parent(&log, cell);
        elements += log.counts[cell];
    }
    CHECK(elements == n);
    spt_linear_free(&tree);
}

#ifdef SPATIAL_INT
#define BLUR 1 /* cells of integers end where the division says, their boxes are for drawing */
#else
#define BLUR 0
#endif

/* The cell that counts an element holds it; and it straddles a middle line, but on the finest. */
static void check_holder(const cell_log *log, int cell, const spt_box *box)
{
    int level = log->levels[cell];
    spt_coord w = (spt_coord)(1024 >> level), h = (spt_coord)(256 >> level);
    spt_coord x = log->boxes[cell].min_x, y = log->boxes[cell].min_y;
    CHECK(x - BLUR <= box->min_x && box->max_x < x + w + BLUR);
    CHECK(y - BLUR <= box->min_y && box->max_y < y + h + BLUR);
    if (level == 4) return;
    x += w / 2, y += h / 2;
    CHECK((box->min_x < x + BLUR && box->max_x >= x - BLUR) ||
          (box->min_y < y + BLUR && box->max_y >= y - BLUR));
}

static void each_element_is_counted_in_the_smallest_cell_that_holds_it(void)
{
    static cell_log log;
    spt_linear tree;
    int i, n = test_scale(2000), cell;
    open_tree(&tree, 4, 1);
    for (i = 0; i < n; i++) {
        spt_box box = any_box();
        int holders = 0;
        if (box.max_x >= unit.max_x || box.max_y >= unit.max_y) continue;
        CHECK(spt_linear_insert(&tree, 0, &box) == SPT_OK);
        log.cells = 0;
        CHECK(spt_linear_traverse(&tree, log_cell, &log) == 0);
        for (cell = 0; cell < log.cells; cell++) {
            if (log.counts[cell] == 0) continue;
            check_holder(&log, cell, &box);
            holders++;
        }
        CHECK(holders == 1);
        CHECK(spt_linear_remove(&tree, 0) == SPT_OK);
        while (test_below(3) == 0) spt_linear_tidy(&tree);
    }
    spt_linear_free(&tree);
}

static void tidy_brings_an_emptied_tree_back_to_nothing(void)
{
    int levels, i;
    for (levels = 1; levels <= 8; levels++) {
        oracle_cells cells = {0, 0, 0};
        spt_linear tree;
        spt_i32 id, n = 1000;
        open_tree(&tree, levels, 0);
        for (id = 0; id < n; id++) {
            spt_box box = any_box();
            CHECK(spt_linear_insert(&tree, id, &box) == SPT_OK);
        }
        for (id = 0; id < n; id++) CHECK(spt_linear_remove(&tree, id) == SPT_OK);
        for (i = 0; i < 200; i++) spt_linear_tidy(&tree);
        CHECK(spt_linear_check(&tree));
        CHECK(spt_linear_traverse(&tree, oracle_on_cell, &cells) == 0);
        CHECK(cells.cells <= 1 && cells.elements == 0); /* the root at most */
        spt_linear_free(&tree);
    }
}

/* Two trees through the same updates, one of them tidied at random: the same results throughout. */
static void tidy_changes_no_result(void)
{
    spt_linear trees[2];
    spt_intlist ids[2];
    spt_i32 i, n = 100;
    int t, step;
    for (t = 0; t < 2; t++) {
        open_tree(&trees[t], 5, n);
        spt_intlist_init(&ids[t], 1);
    }
    for (step = 0; step < test_scale(20000); step++) {
        spt_box box = any_box();
        i = (spt_i32)test_below((int)n);
        for (t = 0; t < 2; t++) {
            if (!spt_linear_contains(&trees[t], i)) spt_linear_insert(&trees[t], i, &box);
            else if (step % 3) spt_linear_move(&trees[t], i, &box);
            else spt_linear_remove(&trees[t], i);
        }
        if (test_below(4) == 0) spt_linear_tidy(&trees[1]);
        if (step % 20) continue;
        box = any_box();
        for (t = 0; t < 2; t++) {
            spt_intlist_clear(&ids[t]);
            CHECK(spt_linear_query(&trees[t], &box, &ids[t]) >= 0);
            CHECK(spt_linear_check(&trees[t]));
        }
        CHECK(same_results(&ids[0], &ids[1]));
    }
    for (t = 0; t < 2; t++) {
        spt_intlist_free(&ids[t]);
        spt_linear_free(&trees[t]);
    }
}

/* ---- The check itself ------------------------------------------------------------------------ */

/* Breaks one thing after another in a sound tree; each must be seen, and each is mended again. */
static void check_finds_what_is_broken(void)
{
    spt_linear tree;
    spt_box box = {-500, 10, -499, 11}, other = {300, 200, 301, 201};
    spti_element *e, saved;
    spt_i32 i, *value;
    open_tree(&tree, 3, 0);
    for (i = 0; i < 4; i++) CHECK(spt_linear_insert(&tree, i, i < 3 ? &box : &other) == SPT_OK);
    CHECK(spt_linear_check(&tree));
    tree.table.count++;
    CHECK(!spt_linear_check(&tree));
    tree.table.count--;
    e = &tree.table.elements[1];
    saved = *e;
    for (i = 0; i < 3; i++) {
        value = i == 0 ? &e->at.links.next : i == 1 ? &e->at.links.prev : &e->list;
        *value = i == 2 ? tree.table.elements[3].list : 1; /* a circle; or another's cell */
        CHECK(!spt_linear_check(&tree));
        *value = 1000000; /* nobody */
        CHECK(!spt_linear_check(&tree));
        *e = saved;
        CHECK(spt_linear_check(&tree));
    }
    e->box = other; /* not in the cell it is linked in */
    CHECK(!spt_linear_check(&tree));
    *e = saved;
    tree.levels++;
    CHECK(!spt_linear_check(&tree));
    tree.levels--;
    CHECK(spt_linear_check(&tree));
    spt_linear_free(&tree);
}

static const test_case tests[] = {
    TEST(random_operations_agree_with_the_naive_model),
    TEST(boxes_on_cell_borders_are_found_from_both_sides),
    TEST(bad_descriptions_are_refused),
#ifndef SPATIAL_INT
    TEST(bounds_and_their_distance_must_be_finite),
#endif
    TEST(a_tree_of_zero_bytes_may_be_freed),
    TEST(a_tree_of_zero_bytes_holds_nothing),
    TEST(a_box_of_the_tree_itself_may_be_inserted),
    TEST(an_empty_tree_has_nothing_to_tell),
    TEST(lists_of_the_wrong_number_of_fields_are_refused),
    TEST(default_levels_grow_with_the_capacity),
    TEST(ten_thousand_boxes_lie_on_one_point_at_every_level),
    TEST(ten_thousand_boxes_lie_on_the_middle_of_the_world),
    TEST(visit_returns_what_the_callback_stopped_with),
    TEST(questions_take_a_tree_that_is_const),
    TEST(the_same_calls_give_the_same_order),
    TEST(a_tree_grows_from_nothing_to_ten_thousand_ids),
    TEST(ids_may_come_in_any_order_with_gaps),
    TEST(a_capacity_can_be_used_to_the_last_id),
    TEST(trees_without_pairs_do_all_else),
    TEST(move_remove_query_and_tidy_allocate_nothing),
    TEST(a_move_within_a_cell_writes_only_the_box),
    TEST(clear_keeps_the_memory_and_all_ids_may_come_again),
    TEST(a_tree_moved_by_memcpy_goes_on_working),
    TEST(traverse_visits_parents_before_children_in_their_boxes),
    TEST(each_element_is_counted_in_the_smallest_cell_that_holds_it),
    TEST(tidy_brings_an_emptied_tree_back_to_nothing),
    TEST(tidy_changes_no_result),
    TEST(check_finds_what_is_broken),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
