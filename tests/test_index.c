/* test_index.c - what holds for every structure that keeps boxes, each tested through spt_index. */
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"

static const oracle_world plain = {"plain", -512, 0, 512, 256, 64, 8, 50, 5, 5};
static const spt_box unit = {-512, 0, 512, 256}; /* its bounds */
static spt_box everywhere; /* set by main, for not every compiler takes infinity as a constant */

static void open_with(oracle *o, int structure, int levels, spt_i32 capacity,
                      const spt_allocator *allocator)
{
    oracle_setup setup = {&plain, NULL, 0, ORACLE_IDS, 0, {NULL, NULL}, NULL};
    setup.structure = oracle_structures[structure].name;
    setup.levels = levels;
    setup.capacity = capacity;
    if (allocator) setup.allocator = *allocator;
    test_context(setup.structure, levels);
    CHECK(oracle_open(o, &setup) == SPT_OK);
}

static void open_any(oracle *o, int structure, int levels, spt_i32 capacity)
{
    open_with(o, structure, levels, capacity, NULL);
}

static int insert(oracle *o, spt_i32 id, const spt_box *box)
{
    return o->index.insert(o->index.object, id, box);
}

/* The deepest that oracle_open makes of each structure. */
static int deepest(int structure)
{
    return structure == 0 ? oracle_deepest() : structure == 1 ? SPT_QUADTREE_MAX_DEPTH : 9;
}

/* ---- Beside the model ------------------------------------------------------------------------ */

static void query_a_grid_of_borders(int structure)
{
    static oracle o;
    oracle_setup setup = {&oracle_worlds[0], NULL, 4, 300, 0, {NULL, NULL}, NULL};
    int x, y, size;
    spt_i32 id = 0;
    setup.structure = oracle_structures[structure].name;
    test_context(setup.structure, 0);
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
    oracle_compare(&o);
    oracle_pairs(&o);
    oracle_close(&o);
}

/* Every query of a grid over a world in which every cell border is an edge of some box. */
static void boxes_on_cell_borders_are_found_from_both_sides(void)
{
    int s;
    for (s = 0; s < ORACLE_STRUCTURES; s++) query_a_grid_of_borders(s);
}

/* A box that is small, or one of every three as large as the world or larger. */
static spt_box giant_or_dwarf(oracle *o, int dice)
{
    const oracle_world *w = o->world;
    double width = w->max_x - w->min_x, height = w->max_y - w->min_y;
    if (dice % 3) return oracle_random_box(o);
    if (dice % 2) return oracle_bounds(w);
    return box_of(w->min_x - width * test_below(3), w->min_y - height * test_below(3),
                  w->max_x + width * test_below(3), w->max_y + height * test_below(3));
}

static void mix_sizes(const oracle_world *world, int structure)
{
    static oracle o;
    oracle_setup setup = {NULL, NULL, 6, 100, 0, {NULL, NULL}, NULL};
    spt_i32 id, step;
    setup.world = world;
    setup.structure = oracle_structures[structure].name;
    CHECK(oracle_open(&o, &setup) == SPT_OK);
    for (id = 0; id < o.ids; id++) {
        spt_box box = giant_or_dwarf(&o, (int)id);
        oracle_insert(&o, id, &box);
    }
    for (step = 0; step < 100; step++) {
        spt_box box = oracle_random_box(&o), other = giant_or_dwarf(&o, test_below(6));
        oracle_query(&o, &box);
        oracle_move(&o, (spt_i32)test_below((int)o.ids), &other);
        if (step == 50) oracle_pairs(&o);
        if (step % 7 == 0) o.index.tidy(o.index.object);
    }
    for (id = 0; id < o.ids; id += 2) oracle_remove(&o, id);
    oracle_compare(&o);
    oracle_pairs(&o);
    oracle_close(&o);
}

static void boxes_as_large_as_the_world_lie_among_small_ones(void)
{
    int world, s;
    for (world = 0; world < ORACLE_WORLDS; world++)
        for (s = 0; s < ORACLE_STRUCTURES; s++) {
            test_context(oracle_worlds[world].name, s);
            mix_sizes(&oracle_worlds[world], s);
        }
}

/* Some of the elements, in any order, now and then one twice, to places that are mostly near. */
static spt_i32 draw_moves(oracle *o, spt_i32 *ids, spt_box *boxes)
{
    spt_i32 n = (spt_i32)test_below(ORACLE_IDS), k;
    memcpy(boxes, o->boxes, sizeof o->boxes);
    for (k = 0; k < n; k++) {
        spt_box *box = &boxes[ids[k] = (spt_i32)test_below(ORACLE_IDS)];
        if (test_below(4) == 0) *box = oracle_random_box(o);
        else if (box->max_x < COORD_HUGE) box->max_x += (spt_coord)test_below(5);
    }
    return n;
}

static void compare_order(oracle *a, oracle *b)
{
    oracle_query(a, &everywhere);
    oracle_query(b, &everywhere);
    CHECK(same_results(&a->found, &b->found));
    oracle_pairs(a);
    oracle_pairs(b);
    CHECK(same_results(&a->pairs, &b->pairs));
}

static void move_both(oracle *many, oracle *single)
{
    static spt_i32 ids[ORACLE_IDS];
    static spt_box boxes[ORACLE_IDS];
    spt_i32 n = draw_moves(many, ids, boxes), k;
    oracle_move_many(many, ids, boxes, n);
    for (k = 0; k < n; k++) oracle_move(single, ids[k], &boxes[ids[k]]);
    many->index.tidy(many->index.object);
    single->index.tidy(single->index.object);
    compare_order(many, single);
}

static void moving_many_is_moving_one_after_the_other(void)
{
    static oracle many, single;
    int s, round;
    spt_i32 id;
    for (s = 0; s < ORACLE_STRUCTURES; s++) {
        open_any(&many, s, 4, ORACLE_IDS);
        open_any(&single, s, 4, ORACLE_IDS);
        oracle_fill(&many, ORACLE_IDS);
        for (id = 0; id < ORACLE_IDS; id++) oracle_insert(&single, id, &many.boxes[id]);
        for (round = 0; round < 20; round++) {
            test_context(oracle_structures[s].name, round);
            move_both(&many, &single);
        }
        oracle_compare(&many);
        oracle_close(&many);
        oracle_close(&single);
    }
}

/* Arrays of exactly the size that is told: sanitizers see who reads behind them. */
static void moving_many_reads_no_more_than_it_is_given(void)
{
    static oracle o;
    spt_i32 *ids, n, k, count;
    spt_box *moved;
    int structure;
    for (structure = 0; structure < ORACLE_STRUCTURES; structure++)
        for (n = 1; n <= 80; n++) {
            open_any(&o, structure, 3, 0);
            ids = (spt_i32 *)malloc((size_t)n * sizeof *ids);
            moved = (spt_box *)malloc((size_t)n * sizeof *moved);
            if (!CHECK(ids != NULL && moved != NULL)) exit(1);
            for (k = 0; k < n; k++) {
                ids[k] = n % 2 ? k : n - 1 - k; /* in a row or not: both are looked ahead for */
                moved[k] = box_of(k, k % 9, k + 5, 10);
                CHECK(insert(&o, k, &unit) == SPT_OK);
            }
            count = o.index.move_many(o.index.object, ids, moved, n);
            CHECK(count == n && o.index.check(o.index.object));
            free(moved);
            free(ids);
            oracle_close(&o);
        }
}

/* The model compares everything with brute force, so a tidy that changed a result would show. */
static void a_tidy_after_every_step_changes_no_result(void)
{
    static oracle o;
    int s, levels, step;
    for (s = 0; s < ORACLE_STRUCTURES; s++)
        for (levels = 1; levels <= 7; levels += 2) {
            open_any(&o, s, levels, 0);
            for (step = 0; step < test_scale(10000); step++) {
                test_context(oracle_structures[s].name, step);
                oracle_step(&o);
                o.index.tidy(o.index.object);
            }
            oracle_compare(&o);
            oracle_pairs(&o);
            oracle_close(&o);
        }
}

/* ---- init, and what is empty ----------------------------------------------------------------- */

/* No structure can be made of these bounds; what failed is of zero bytes. (With a capacity and no
   levels the oracle gives no cell, which could be refused in place of the bounds.) */
static void expect_refused(double min_x, double min_y, double max_x, double max_y)
{
    static oracle o, zero;
    oracle_world world = plain;
    oracle_setup setup = {NULL, NULL, 0, ORACLE_IDS, 10, {NULL, NULL}, NULL};
    int s;
    setup.world = &world;
    world.min_x = min_x, world.min_y = min_y;
    world.max_x = max_x, world.max_y = max_y;
    for (s = 0; s < ORACLE_STRUCTURES; s++) {
        setup.structure = oracle_structures[s].name;
        test_context(setup.structure, 0);
        CHECK(oracle_open(&o, &setup) == SPT_ERR_ARGUMENT);
        CHECK(memcmp(&o.object, &zero.object, sizeof o.object) == 0);
    }
}

static void bounds_without_an_inside_are_refused(void)
{
    expect_refused(0, 0, 0, 0);
    expect_refused(0, 0, 0, 5);
    expect_refused(0, 0, 5, 0);
    expect_refused(1, 0, 0, 5);
    expect_refused(0, 1, 5, 0);
}

#ifndef SPATIAL_INT
static void bounds_and_their_distance_must_be_finite(void)
{
    const double bad[] = {(double)NAN, -(double)INFINITY, (double)INFINITY};
    const double most = (double)COORD_MAX;
    int i;
    for (i = 0; i < TEST_COUNT(bad); i++) {
        expect_refused(bad[i], 0, 1, 1);
        expect_refused(0, bad[i], 1, 1);
        expect_refused(0, 0, bad[i], 1);
        expect_refused(0, 0, 1, bad[i]);
    }
    expect_refused(-most, 0, most, 1); /* nor too far apart */
    expect_refused(0, -0.6 * most, 1, 0.6 * most);
}
#endif

/* Nothing is in it, and the calls that must fail do. */
static void expect_nothing(oracle *o)
{
    static const spt_i32 first = 0;
    const spt_index *x = &o->index;
    oracle_cells cells = {0, 0, 0};
    spt_intlist ids, pairs;
    spt_intlist_init(&ids, 1);
    spt_intlist_init(&pairs, 2);
    CHECK(x->count(x->object) == 0 && !x->contains(x->object, 0));
    CHECK(x->box(x->object, 0) == NULL && x->box(x->object, -1) == NULL);
    CHECK(x->query(x->object, &everywhere, &ids) == 0);
    CHECK(x->visit(x->object, &everywhere, oracle_on_visit, NULL) == 0);
    CHECK(x->pairs(x->object, &pairs) == 0);
    CHECK(x->traverse(x->object, oracle_on_cell, &cells) == 0 && cells.elements == 0);
    CHECK(x->remove(x->object, 0) == SPT_ERR_ID);
    CHECK(x->move(x->object, 0, &unit) == SPT_ERR_ID);
    CHECK(x->move_many(x->object, &first, &unit, 1) == SPT_ERR_ID);
    CHECK(x->move_many(x->object, &first, &unit, 0) == 0);
    CHECK(x->move_many(x->object, &first, &unit, -1) == SPT_ERR_ARGUMENT);
    x->tidy(x->object);
    x->clear(x->object);
    CHECK(x->check(x->object) && x->count(x->object) == 0);
    spt_intlist_free(&ids);
    spt_intlist_free(&pairs);
}

static void an_empty_structure_has_nothing_to_tell(void)
{
    static oracle o;
    int s;
    for (s = 0; s < ORACLE_STRUCTURES; s++) {
        open_any(&o, s, 0, 0);
        expect_nothing(&o);
        CHECK(insert(&o, 3, &unit) == SPT_OK && o.index.remove(o.index.object, 3) == SPT_OK);
        expect_nothing(&o);
        oracle_close(&o);
    }
}

static void what_was_freed_is_of_zero_bytes_and_holds_nothing(void)
{
    static oracle o, zero;
    int s;
    for (s = 0; s < ORACLE_STRUCTURES; s++) {
        open_any(&o, s, 3, 0);
        CHECK(insert(&o, 7, &unit) == SPT_OK && o.index.bytes(o.index.object) > 0);
        o.index.free(o.index.object);
        CHECK(memcmp(&o.object, &zero.object, sizeof o.object) == 0);
        CHECK(o.index.bytes(o.index.object) == 0);
        expect_nothing(&o);
        oracle_close(&o); /* which frees it again */
    }
}

static void lists_of_the_wrong_number_of_fields_are_refused(void)
{
    static oracle o;
    spt_intlist lists[3];
    spt_i32 i;
    int s;
    for (s = 0; s < ORACLE_STRUCTURES; s++) {
        const spt_index *x = &o.index;
        open_any(&o, s, 3, 0);
        for (i = 0; i < 3; i++) {
            CHECK(insert(&o, i, &unit) == SPT_OK);
            spt_intlist_init(&lists[i], i + 1);
        }
        CHECK(x->query(x->object, &unit, &lists[1]) == SPT_ERR_ARGUMENT);
        CHECK(x->query(x->object, &unit, &lists[2]) == SPT_ERR_ARGUMENT);
        CHECK(x->pairs(x->object, &lists[0]) == SPT_ERR_ARGUMENT);
        CHECK(x->pairs(x->object, &lists[2]) == SPT_ERR_ARGUMENT);
        for (i = 0; i < 3; i++) {
            CHECK(spt_intlist_count(&lists[i]) == 0);
            spt_intlist_free(&lists[i]);
        }
        oracle_close(&o);
    }
}

/* ---- Many at one place ----------------------------------------------------------------------- */

static void pile_up(int structure, int levels, const spt_box *point)
{
    static oracle o;
    const spt_index *x = &o.index;
    spt_intlist ids;
    spt_i32 i, n = test_scale(200000) < 10000 ? 2500 : 10000;
    open_any(&o, structure, levels, 0);
    spt_intlist_init(&ids, 1);
    for (i = 0; i < n; i++) CHECK(insert(&o, i, point) == SPT_OK);
    CHECK(x->count(x->object) == n);
    CHECK(x->query(x->object, point, &ids) == n);
    CHECK(x->check(x->object));
    for (i = 0; i < n; i += 2) CHECK(x->remove(x->object, i) == SPT_OK);
    spt_intlist_clear(&ids);
    CHECK(x->query(x->object, point, &ids) == n / 2);
    for (i = 1; i < n; i += 2) CHECK(x->remove(x->object, i) == SPT_OK);
    x->tidy(x->object);
    CHECK(x->query(x->object, point, &ids) == 0);
    CHECK(x->count(x->object) == 0 && x->check(x->object));
    spt_intlist_free(&ids);
    oracle_close(&o);
}

static void thousands_of_boxes_lie_on_one_point(void)
{
    static const spt_box point = {37, 21, 37, 21};
    int s, levels;
    for (s = 0; s < ORACLE_STRUCTURES; s++)
        for (levels = deepest(s); levels > 0; levels /= 2) pile_up(s, levels, &point);
}

static void thousands_of_boxes_lie_on_the_middle_of_the_world(void)
{
    static const spt_box middle = {0, 128, 0, 128};
    int s, levels;
    for (s = 0; s < ORACLE_STRUCTURES; s++)
        for (levels = 1; levels <= 7; levels += 3) pile_up(s, levels, &middle);
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

/* All fifty lie in the world, and two of them in so many cells that they may be kept apart. */
static void stop_with(oracle *o, int value)
{
    spt_i32 i;
    for (i = 1; i <= 51; i++) {
        stopper s = {0, 0, 0};
        s.stop_at = i;
        s.value = value;
        CHECK(o->index.visit(o->index.object, &unit, stop_at_call, &s) == (i <= 50 ? value : 0));
        CHECK(s.calls == (i <= 50 ? i : 50));
    }
}

static void visit_returns_what_the_callback_stopped_with(void)
{
    static const int values[] = {1, -1, 77, INT_MIN, INT_MAX, SPT_ERR_ARGUMENT};
    static oracle o;
    spt_i32 i;
    int s, v;
    for (s = 0; s < ORACLE_STRUCTURES; s++) {
        open_any(&o, s, 4, 0);
        for (i = 0; i < 50; i++) {
            int x = test_below(900) - 512, y = test_below(200);
            spt_box box = box_of(x, y, x + test_below(100), y + test_below(50));
            CHECK(insert(&o, i, i < 2 ? &unit : &box) == SPT_OK);
        }
        for (v = 0; v < TEST_COUNT(values); v++) stop_with(&o, values[v]);
        oracle_close(&o);
    }
}

/* Random steps, and all that can be found after every few of them. */
static void record(int structure, const spt_allocator *allocator, spt_intlist *ids,
                   spt_intlist *pairs)
{
    static oracle o;
    int round;
    open_with(&o, structure, 5, 0, allocator);
    spt_intlist_init(ids, 1);
    spt_intlist_init(pairs, 2);
    for (round = 0; round < 10; round++) {
        oracle_run(&o, test_scale(500));
        CHECK(o.index.query(o.index.object, &everywhere, ids) == o.count);
        CHECK(o.index.pairs(o.index.object, pairs) >= 0);
    }
    CHECK(spt_intlist_count(ids) > 0 && (test.divisor > 1 || spt_intlist_count(pairs) > 0));
    oracle_close(&o);
}

static void the_same_calls_give_the_same_order(void)
{
    spt_intlist ids[2], pairs[2];
    int s, t;
    for (s = 0; s < ORACLE_STRUCTURES; s++) {
        uint32_t start = test.random;
        spt_allocator allocator; /* the second's memory comes with other bytes in it */
        test_memory memory;
        test_memory_open(&memory, &allocator);
        memory.fill = 1;
        for (t = 0; t < 2; t++) {
            test.random = start;
            record(s, t ? &allocator : NULL, &ids[t], &pairs[t]);
        }
        CHECK(memory.calls > 0 && memory.bytes == 0);
        CHECK(same_results(&ids[0], &ids[1]));
        CHECK(same_results(&pairs[0], &pairs[1]));
        for (t = 0; t < 2; t++) {
            spt_intlist_free(&ids[t]);
            spt_intlist_free(&pairs[t]);
        }
    }
}

/* ---- Ids and memory -------------------------------------------------------------------------- */

static void a_structure_grows_from_nothing_to_ten_thousand_ids(void)
{
    static spt_box boxes[10000];
    static oracle o;
    spt_i32 i, n = 10000;
    int s;
    for (s = 0; s < ORACLE_STRUCTURES; s++) {
        const spt_index *x = &o.index;
        open_any(&o, s, 0, 0);
        for (i = 0; i < n; i++) {
            boxes[i] = oracle_random_box(&o);
            CHECK(insert(&o, i, &boxes[i]) == SPT_OK);
            if ((i & (i - 1)) == 0) CHECK(x->check(x->object));
        }
        CHECK(x->count(x->object) == n && x->check(x->object));
        for (i = 0; i < n; i++) CHECK(same_box(x->box(x->object, i), &boxes[i]));
        spt_intlist_clear(&o.found);
        CHECK(x->query(x->object, &everywhere, &o.found) == n);
        oracle_close(&o);
    }
}

static void ids_may_come_in_any_order_with_gaps(void)
{
    static const spt_i32 order[] = {0, 5000, 3, 4999, 70000, 1};
    static oracle o;
    int s, i;
    for (s = 0; s < ORACLE_STRUCTURES; s++) {
        const spt_index *x = &o.index;
        open_any(&o, s, 0, 0);
        for (i = 0; i < TEST_COUNT(order); i++) {
            spt_box box = box_of(i, i, i, i);
            CHECK(insert(&o, order[i], &box) == SPT_OK);
            CHECK(insert(&o, order[i], &box) == SPT_ERR_ID);
            CHECK(x->count(x->object) == i + 1);
            CHECK(x->check(x->object));
        }
        CHECK(!x->contains(x->object, 2) && !x->contains(x->object, 69999));
        for (i = 0; i < TEST_COUNT(order); i++) {
            spt_box box = box_of(i, i, i, i);
            spt_intlist_clear(&o.found);
            CHECK(x->query(x->object, &box, &o.found) == 1);
            CHECK(spt_intlist_get(&o.found, 0, 0) == order[i]);
        }
        oracle_close(&o);
    }
}

/* The box of another element is where the structure may move it from. */
static void a_box_of_the_structure_itself_may_be_inserted(void)
{
    static oracle o;
    spt_box box = box_of(1, 2, 3, 4);
    spt_i32 id;
    int s;
    for (s = 0; s < ORACLE_STRUCTURES; s++) {
        const spt_index *x = &o.index;
        open_any(&o, s, 0, 0);
        CHECK(insert(&o, 0, &box) == SPT_OK);
        for (id = 1; id < 5000; id = 3 * id) CHECK(insert(&o, id, x->box(x->object, 0)) == SPT_OK);
        for (id = 1; id < 5000; id = 3 * id) {
            const spt_box *copy = x->box(x->object, id);
            CHECK(copy && same_box(copy, &box));
        }
        CHECK(x->check(x->object));
        oracle_close(&o);
    }
}

static void a_capacity_can_be_used_to_the_last_id(void)
{
    static oracle o;
    spt_i32 capacity, i;
    int s;
    for (s = 0; s < ORACLE_STRUCTURES; s++)
        for (capacity = 1; capacity <= 33; capacity++) {
            const spt_index *x = &o.index;
            open_any(&o, s, 0, capacity);
            for (i = capacity - 1; i >= 0; i--) CHECK(insert(&o, i, &unit) == SPT_OK);
            CHECK(insert(&o, capacity, &unit) == SPT_ERR_FULL);
            CHECK(insert(&o, INT32_MAX, &unit) == SPT_ERR_FULL);
            CHECK(insert(&o, capacity - 1, &unit) == SPT_ERR_ID);
            CHECK(insert(&o, -1, &unit) == SPT_ERR_ID);
            CHECK(x->count(x->object) == capacity && x->check(x->object));
            CHECK(x->remove(x->object, 0) == SPT_OK);
            CHECK(insert(&o, capacity, &unit) == SPT_ERR_FULL);
            CHECK(insert(&o, 0, &unit) == SPT_OK);
            oracle_close(&o);
        }
}

static void clear_keeps_the_memory_and_all_ids_may_come_again(void)
{
    static oracle o;
    spt_i32 i;
    int s, round;
    for (s = 0; s < ORACLE_STRUCTURES; s++) {
        const spt_index *x = &o.index;
        uint32_t start = test.random;
        spt_allocator allocator;
        test_memory memory;
        long calls = 0;
        test_memory_open(&memory, &allocator);
        open_with(&o, s, 6, 0, &allocator);
        for (round = 0; round < 3; round++) {
            test.random = start; /* the same boxes again, which need no more than before */
            for (i = 0; i < 500; i++) {
                spt_box box = oracle_random_box(&o);
                CHECK(insert(&o, i, &box) == SPT_OK);
            }
            if (round == 0) calls = memory.calls;
            CHECK(x->bytes(x->object) == memory.bytes);
            x->clear(x->object);
            CHECK(x->count(x->object) == 0 && x->check(x->object));
            spt_intlist_clear(&o.found);
            CHECK(x->query(x->object, &everywhere, &o.found) == 0);
            CHECK(!x->contains(x->object, 7) && x->box(x->object, 7) == NULL);
        }
        CHECK(memory.calls == calls);
        oracle_close(&o);
        CHECK(memory.bytes == 0);
    }
}

static void a_structure_moved_by_memcpy_goes_on_working(void)
{
    static oracle o, moved;
    int s, levels;
    for (s = 0; s < ORACLE_STRUCTURES; s++)
        for (levels = 0; levels <= 4; levels += 4) {
            open_any(&o, s, levels, 0);
            oracle_run(&o, test_scale(2000));
            memcpy(&moved, &o, sizeof o);
            memset(&o, 0xAB, sizeof o);
            moved.index.object = &moved.object;
            oracle_compare(&moved);
            oracle_run(&moved, test_scale(2000));
            oracle_close(&moved);
        }
}

/* ---- Cells ----------------------------------------------------------------------------------- */

typedef struct cell_walk {
    spt_box boxes[SPT_QUADTREE_MAX_DEPTH + 1]; /* the way to the cell, by level */
    int halves;                                /* 1: cells are the quarters of their parents */
    int cells, last;
    spt_i32 elements;
} cell_walk;

static void check_quarter(const spt_box *box, const spt_box *parent, int level)
{
    CHECK(box->max_x - box->min_x == (spt_coord)(1024 >> level));
    CHECK(box->max_y - box->min_y == (spt_coord)(256 >> level));
    CHECK((box->min_x == parent->min_x) != (box->max_x == parent->max_x));
    CHECK((box->min_y == parent->min_y) != (box->max_y == parent->max_y));
}

static int on_cell(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    cell_walk *walk = (cell_walk *)ctx;
    const spt_box *parent = &walk->boxes[level > 0 ? level - 1 : 0];
    CHECK(brute_valid(box) && count >= 0);
    if (!CHECK(level >= 0 && level <= 5 && (level > 0) == (walk->cells > 0))) return 1;
    CHECK(level <= walk->last + 1); /* its parent came before, and none of that level since */
    if (level == 0) CHECK(same_box(box, &unit));
    else if (level == 1 || walk->halves) { /* not the boxes of loose cells, which may be anywhere */
        CHECK(parent->min_x <= box->min_x && box->max_x <= parent->max_x);
        CHECK(parent->min_y <= box->min_y && box->max_y <= parent->max_y);
    }
    if (level > 0 && walk->halves) check_quarter(box, parent, level);
    walk->boxes[level] = *box;
    walk->last = level;
    walk->elements += count;
    walk->cells++;
    return 0;
}

static void traverse_visits_parents_before_children_in_their_boxes(void)
{
    static oracle o;
    spt_i32 i, n = 200;
    int s;
    for (s = 0; s < ORACLE_STRUCTURES; s++) {
        cell_walk walk;
        memset(&walk, 0, sizeof walk);
        open_any(&o, s, 5, 0);
        for (i = 0; i < n; i++) {
            spt_box box = oracle_random_box(&o);
            CHECK(insert(&o, i, &box) == SPT_OK);
        }
        walk.last = -1;
        walk.halves = strcmp(o.index.name, "loosegrid") != 0;
        CHECK(o.index.traverse(o.index.object, on_cell, &walk) == 0);
        CHECK(walk.cells > 20 && walk.elements >= n);
        if (strcmp(o.index.name, "quadtree") != 0) CHECK(walk.elements == n);
        oracle_close(&o);
    }
}

static const test_case tests[] = {
    TEST(boxes_on_cell_borders_are_found_from_both_sides),
    TEST(boxes_as_large_as_the_world_lie_among_small_ones),
    TEST(moving_many_is_moving_one_after_the_other),
    TEST(moving_many_reads_no_more_than_it_is_given),
    TEST(a_tidy_after_every_step_changes_no_result),
    TEST(bounds_without_an_inside_are_refused),
#ifndef SPATIAL_INT
    TEST(bounds_and_their_distance_must_be_finite),
#endif
    TEST(an_empty_structure_has_nothing_to_tell),
    TEST(what_was_freed_is_of_zero_bytes_and_holds_nothing),
    TEST(lists_of_the_wrong_number_of_fields_are_refused),
    TEST(thousands_of_boxes_lie_on_one_point),
    TEST(thousands_of_boxes_lie_on_the_middle_of_the_world),
    TEST(visit_returns_what_the_callback_stopped_with),
    TEST(the_same_calls_give_the_same_order),
    TEST(a_structure_grows_from_nothing_to_ten_thousand_ids),
    TEST(ids_may_come_in_any_order_with_gaps),
    TEST(a_box_of_the_structure_itself_may_be_inserted),
    TEST(a_capacity_can_be_used_to_the_last_id),
    TEST(clear_keeps_the_memory_and_all_ids_may_come_again),
    TEST(a_structure_moved_by_memcpy_goes_on_working),
    TEST(traverse_visits_parents_before_children_in_their_boxes),
};

int main(int argc, char **argv)
{
    everywhere.min_x = everywhere.min_y = COORD_LOW;
    everywhere.max_x = everywhere.max_y = COORD_HIGH;
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
