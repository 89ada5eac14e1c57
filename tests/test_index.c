/* test_index.c - what holds for every structure that keeps boxes, whatever keeps them. */
static double work; /* elements looked at */
#define SPTI_COUNT(n) (work += (double)(n))
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"

static const oracle_world plain = {"plain", -512, 0, 512, 256, 64, 8, 50, 5, 5, 0};
static const spt_box unit = {-512, 0, 512, 256}; /* its bounds */
static spt_box everywhere; /* set by main, for not every compiler takes infinity as a constant */

/* The numbers of oracle_any_structure: structures that change, then the one only built. */
enum { LINEAR, QUADTREE, LOOSEGRID, UNIFORM_GRID, THREE_GRIDS, SIZED_CELLS, PACKED, ALL };

#define CHANGING PACKED

static const char *name_of(int structure)
{
    return oracle_any_structure(structure)->name;
}

static void open_with(oracle *o, int structure, int levels, spt_i32 capacity,
                      const spt_allocator *allocator)
{
    oracle_setup setup = {&plain, NULL, 0, ORACLE_IDS, 0, {NULL, NULL}, NULL};
    setup.structure = name_of(structure);
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
    return spt_insert(&o->index, id, box);
}

/* Makes elements 0 .. n-1 of the boxes: by inserts, where it has them. */
static void put(oracle *o, const spt_box *boxes, spt_i32 n)
{
    spt_i32 i;
    if (o->only_built) CHECK(spt_build(&o->index, boxes, n) == SPT_OK);
    else
        for (i = 0; i < n; i++) CHECK(insert(o, i, &boxes[i]) == SPT_OK);
}

/* The deepest that oracle_open makes of each structure. */
static int deepest(int structure)
{
    return structure == LINEAR     ? oracle_deepest()
           : structure == QUADTREE ? SPT_QUADTREE_MAX_DEPTH
                                   : 9;
}

/* Calls of tidy after which a structure of so few elements is tidy, whatever it is. */
#define TIDY_CALLS 200

/* ---- Beside the model ------------------------------------------------------------------------ */

static void query_a_grid_of_borders(int structure)
{
    static oracle o;
    oracle_setup setup = {&oracle_worlds[0], NULL, 4, 300, 0, {NULL, NULL}, NULL};
    int x, y, size;
    spt_i32 id = 0;
    setup.structure = name_of(structure);
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
    for (s = 0; s < CHANGING; s++) query_a_grid_of_borders(s);
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
    setup.structure = name_of(structure);
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
        if (step % 7 == 0) spt_tidy(&o.index);
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
        for (s = 0; s < CHANGING; s++) {
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
    spt_tidy(&many->index);
    spt_tidy(&single->index);
    compare_order(many, single);
}

static void moving_many_is_moving_one_after_the_other(void)
{
    static oracle many, single;
    int s, round;
    spt_i32 id;
    for (s = 0; s < CHANGING; s++) {
        open_any(&many, s, 4, ORACLE_IDS);
        open_any(&single, s, 4, ORACLE_IDS);
        oracle_fill(&many, ORACLE_IDS);
        for (id = 0; id < ORACLE_IDS; id++) oracle_insert(&single, id, &many.boxes[id]);
        for (round = 0; round < test_some(20, 6); round++) {
            test_context(name_of(s), round);
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
    for (structure = 0; structure < CHANGING; structure++)
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
            count = spt_move_many(&o.index, ids, moved, n);
            CHECK(count == n && spt_check(&o.index));
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
    for (s = 0; s < CHANGING; s++)
        for (levels = 1; levels <= 7; levels += 2) {
            open_any(&o, s, levels, 0);
            for (step = 0; step < test_scale(10000); step++) {
                test_context(name_of(s), step);
                oracle_step(&o);
                spt_tidy(&o.index);
            }
            oracle_compare(&o);
            oracle_pairs(&o);
            oracle_close(&o);
        }
}

/* Nor does it look at an element, or write to one. */
static void tidy_of_a_tidy_structure_writes_nothing(void)
{
    static oracle o;
    int s, i;
    for (s = 0; s < CHANGING; s++) {
        spt_index before;
        spt_allocator allocator;
        test_memory memory;
        uint32_t hash;
        test_memory_open(&memory, &allocator);
        memory.fill = 1;
        open_with(&o, s, 5, 0, &allocator);
        oracle_fill(&o, ORACLE_IDS);
        for (i = 0; i < ORACLE_IDS; i += 2) oracle_remove(&o, (spt_i32)i);
        CHECK(o.index.changes != o.index.tidied);
        for (i = 0; i < TIDY_CALLS; i++) spt_tidy(&o.index);
        CHECK(o.index.changes == o.index.tidied);
        memcpy(&before, &o.index, sizeof before);
        hash = test_memory_hash(&memory);
        work = 0;
        spt_tidy(&o.index);
        CHECK(work == 0 && memcmp(&before, &o.index, sizeof before) == 0);
        CHECK(test_memory_hash(&memory) == hash);
        oracle_close(&o);
    }
}

/* A structure that grows allocates for inserts, moves and builds. */
static void remove_questions_tidy_and_clear_need_no_more_memory(void)
{
    static oracle o;
    int s;
    spt_i32 id;
    for (s = 0; s < CHANGING; s++) {
        spt_allocator allocator;
        test_memory memory;
        size_t bytes;
        test_memory_open(&memory, &allocator);
        open_with(&o, s, 3, 0, &allocator);
        for (id = 0; id < ORACLE_IDS; id++) {
            spt_box box = oracle_random_box(&o);
            oracle_insert(&o, id, &box);
            CHECK(spt_bytes(&o.index) == memory.bytes);
        }
        bytes = memory.bytes;
        for (id = 0; id < ORACLE_IDS; id++) {
            spt_box box = oracle_random_box(&o);
            oracle_query(&o, &box);
            oracle_remove(&o, id);
            spt_tidy(&o.index);
        }
        spt_clear(&o.index);
        CHECK(memory.bytes <= bytes && spt_bytes(&o.index) == memory.bytes);
        oracle_close(&o);
        CHECK(memory.bytes == 0);
    }
}

static void an_emptied_structure_that_is_tidied_has_no_cells(void)
{
    static oracle o;
    int s, levels, i;
    for (s = 0; s < CHANGING; s++)
        for (levels = 1; levels <= 8; levels++) {
            spt_index *x = &o.index;
            oracle_cells cells = {0, 0, 0};
            open_any(&o, s, levels, 0);
            oracle_fill(&o, ORACLE_IDS);
            for (i = 0; i < ORACLE_IDS; i++) oracle_remove(&o, (spt_i32)i);
            CHECK(x->pool.used == 0);
            for (i = 0; i < TIDY_CALLS; i++) spt_tidy(x);
            CHECK(x->changes == x->tidied && oracle_loose_lanes(x) == 0);
            CHECK(spt_traverse(x, oracle_on_cell, &cells) == 0);
            CHECK(cells.cells == (s == QUADTREE) && cells.elements == 0); /* but the root */
            for (i = 0; i < (int)x->node_count; i++) CHECK(x->nodes[i].used == 0);
            oracle_compare(&o);
            oracle_close(&o);
        }
}

/* ---- init, and empty indexes ----------------------------------------------------------------- */

/* No structure can be made in these bounds; after that the struct has zero bytes. (With a capacity
   and no levels the oracle gives no cell, which could be refused in place of the bounds.) */
static void expect_refused(double min_x, double min_y, double max_x, double max_y)
{
    static oracle o, zero;
    oracle_world world = plain;
    oracle_setup setup = {NULL, NULL, 0, ORACLE_IDS, 10, {NULL, NULL}, NULL};
    int s;
    setup.world = &world;
    world.min_x = min_x, world.min_y = min_y;
    world.max_x = max_x, world.max_y = max_y;
    for (s = 0; s < CHANGING; s++) {
        setup.structure = name_of(s);
        test_context(setup.structure, 0);
        CHECK(oracle_open(&o, &setup) == SPT_ERR_ARGUMENT);
        CHECK(memcmp(&o.index, &zero.index, sizeof o.index) == 0);
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
    spt_index *x = &o->index;
    int missing = o->only_built ? SPT_ERR_KIND : SPT_ERR_ID;
    oracle_cells cells = {0, 0, 0};
    spt_intlist ids, pairs;
    spt_box box;
    spt_intlist_init(&ids, 1);
    spt_intlist_init(&pairs, 2);
    CHECK(spt_count(x) == 0 && !spt_contains(x, 0));
    CHECK(spt_box_of(x, 0, &box) == SPT_ERR_ID && spt_box_of(x, -1, &box) == SPT_ERR_ID);
    CHECK(spt_query(x, &everywhere, NULL, &ids) == 0);
    CHECK(spt_visit(x, &everywhere, NULL, oracle_on_visit, NULL) == 0);
    CHECK(spt_pairs(x, NULL, &pairs) == 0);
    CHECK(spt_traverse(x, oracle_on_cell, &cells) == 0 && cells.elements == 0);
    CHECK(spt_remove(x, 0) == missing);
    CHECK(spt_move(x, 0, &unit) == missing);
    CHECK(spt_move_many(x, &first, &unit, 1) == missing);
    if (!o->only_built) CHECK(spt_move_many(x, &first, &unit, 0) == 0);
    CHECK(spt_move_many(x, &first, &unit, -1) == (o->only_built ? SPT_ERR_KIND : SPT_ERR_ARGUMENT));
    spt_tidy(x);
    spt_clear(x);
    CHECK(spt_check(x) && spt_count(x) == 0);
    spt_intlist_free(&ids);
    spt_intlist_free(&pairs);
}

static void an_empty_structure_has_nothing_to_tell(void)
{
    static oracle o;
    int s;
    for (s = 0; s < ALL; s++) {
        open_any(&o, s, 0, 0);
        expect_nothing(&o);
        if (!o.only_built)
            CHECK(insert(&o, 3, &unit) == SPT_OK && spt_remove(&o.index, 3) == SPT_OK);
        expect_nothing(&o);
        put(&o, &unit, 1);
        spt_clear(&o.index);
        expect_nothing(&o);
        CHECK(spt_build(&o.index, &unit, 1) == SPT_OK && spt_count(&o.index) == 1);
        CHECK(spt_build(&o.index, NULL, 0) == SPT_OK);
        expect_nothing(&o);
        oracle_close(&o);
    }
}

static int never_called_for_a_cell(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    int has_cells = 1;
    (void)ctx, (void)box, (void)level, (void)count;
    CHECK(!has_cells);
    return 0;
}

static int never_called_for_an_element(void *ctx, spt_i32 id, const spt_box *box)
{
    int has_elements = 1;
    (void)ctx, (void)id, (void)box;
    CHECK(!has_elements);
    return 0;
}

/* A structure of zero bytes is told from one that is empty, and stays of zero bytes. */
static void expect_refusals(spt_index *x)
{
    static const spt_index zero;
    static const spt_i32 first = 0;
    spt_intlist ids, pairs;
    spt_box box;
    CHECK(memcmp(x, &zero, sizeof zero) == 0);
    spt_intlist_init(&ids, 1);
    spt_intlist_init(&pairs, 2);
    oracle_stain(&ids);
    oracle_stain(&pairs);
    CHECK(spt_insert(x, 0, &unit) == SPT_ERR_INIT);
    CHECK(spt_move(x, 0, &unit) == SPT_ERR_INIT);
    CHECK(spt_move_many(x, &first, &unit, 1) == SPT_ERR_INIT);
    CHECK(spt_remove(x, 0) == SPT_ERR_INIT);
    CHECK(spt_build(x, &unit, 1) == SPT_ERR_INIT);
    CHECK(spt_build(x, &unit, 0) == SPT_ERR_INIT);
    CHECK(spt_box_of(x, 0, &box) == SPT_ERR_INIT);
    CHECK(spt_count(x) == SPT_ERR_INIT);
    CHECK(spt_query(x, &everywhere, NULL, &ids) == SPT_ERR_INIT);
    CHECK(spt_pairs(x, NULL, &pairs) == SPT_ERR_INIT);
    CHECK(spt_intlist_count(&ids) == 0 && spt_intlist_count(&pairs) == 0);
    CHECK(spt_visit(x, &everywhere, NULL, never_called_for_an_element, NULL) == SPT_ERR_INIT);
    CHECK(spt_traverse(x, never_called_for_a_cell, NULL) == SPT_ERR_INIT);
    CHECK(!spt_contains(x, 0) && !spt_check(x) && spt_bytes(x) == 0);
    CHECK(spt_bounds(x, &box) == SPT_ERR_INIT);
    CHECK(strcmp(spt_kind(x), "") == 0);
    spt_tidy(x);
    spt_clear(x);
    spt_free(x);
    CHECK(memcmp(x, &zero, sizeof zero) == 0);
    spt_intlist_free(&ids);
    spt_intlist_free(&pairs);
}

static void what_was_freed_is_of_zero_bytes_and_refuses_everything(void)
{
    static oracle o;
    int s;
    for (s = 0; s < ALL; s++) {
        open_any(&o, s, 3, 0);
        put(&o, &unit, 1);
        CHECK(spt_bytes(&o.index) > 0);
        spt_free(&o.index);
        expect_refusals(&o.index);
        oracle_close(&o); /* which frees it again */
    }
}

static void check_data(const spt_index *x, int is_there)
{
    size_t bytes = 7;
    CHECK((spt_packed_data(x, &bytes) != NULL) == is_there && (bytes > 0) == is_there);
}

static void only_packed_has_data_and_only_when_it_was_built(void)
{
    static oracle o;
    const spt_box box = box_of(1, 1, 2, 2);
    spt_index none;
    int structure;
    memset(&none, 0, sizeof none);
    check_data(&none, 0);
    for (structure = 0; structure < ALL; structure++) {
        const int packed = structure == PACKED;
        open_any(&o, structure, 4, 0);
        check_data(&o.index, 0);
        CHECK(spt_build(&o.index, &box, 0) == SPT_OK);
        check_data(&o.index, 0);
        put(&o, &box, 1);
        check_data(&o.index, packed);
        spt_clear(&o.index);
        check_data(&o.index, 0);
        put(&o, &box, 1);
        spt_free(&o.index);
        check_data(&o.index, 0);
        oracle_close(&o);
    }
}

static void what_was_never_made_refuses_everything(void)
{
    static spt_index x;
    static oracle o;
    oracle_setup setup = {&plain, NULL, 3, 2, -1, {NULL, NULL}, NULL};
    int s;
    expect_refusals(&x);
    for (s = 0; s < ALL; s++) { /* nor does a failed init make one */
        setup.structure = name_of(s);
        test_context(setup.structure, 0);
        CHECK(oracle_open(&o, &setup) == SPT_ERR_ARGUMENT);
        expect_refusals(&o.index);
    }
}

/* ---- Lists of results ------------------------------------------------------------------------ */

static void lists_of_the_wrong_number_of_fields_are_refused_and_emptied(void)
{
    static const spt_box three[] = {{0, 0, 9, 9}, {0, 0, 9, 9}, {5, 5, 9, 9}};
    static oracle o;
    spt_intlist lists[4];
    spt_i32 i;
    int s;
    for (s = 0; s < ALL; s++) {
        spt_index *x = &o.index;
        open_any(&o, s, 3, 0);
        put(&o, three, 3);
        for (i = 0; i < 4; i++) {
            spt_intlist_init(&lists[i], i + 1);
            CHECK(spt_intlist_push(&lists[i], NULL) == 0);
        }
        CHECK(spt_query(x, &unit, NULL, &lists[1]) == SPT_ERR_LIST);
        CHECK(spt_query(x, &unit, NULL, &lists[2]) == SPT_ERR_LIST);
        CHECK(spt_pairs(x, NULL, &lists[0]) == SPT_ERR_LIST);
        CHECK(spt_pairs(x, NULL, &lists[3]) == SPT_ERR_LIST);
        for (i = 0; i < 4; i++) {
            CHECK(spt_intlist_count(&lists[i]) == 0);
            spt_intlist_free(&lists[i]);
        }
        oracle_close(&o);
    }
}

/* Whatever a list held: less than is found, more, the results before, or of another question. */
static void results_replace_what_the_list_held(void)
{
    static oracle o;
    static spt_box boxes[200];
    spt_i32 i, junk, n = TEST_COUNT(boxes), expected;
    int s;
    for (s = 0; s < ALL; s++) {
        spt_index *x = &o.index;
        spt_intlist ids, pairs;
        open_any(&o, s, 4, 0);
        for (i = 0; i < n; i++) boxes[i] = oracle_random_box(&o);
        put(&o, boxes, n);
        spt_intlist_init(&ids, 1);
        spt_intlist_init(&pairs, 2);
        expected = spt_pairs(x, NULL, &pairs);
        CHECK(expected > 0);
        for (junk = 0; junk < 1000; junk = 3 * junk + 1) {
            spt_box window = oracle_random_box(&o), bad = bad_box(&window, 0);
            spt_i32 found;
            for (i = 0; i < junk; i++) {
                CHECK(spt_intlist_push(&ids, NULL) >= 0);
                CHECK(spt_intlist_push(&pairs, NULL) >= 0);
            }
            CHECK(spt_query(x, &everywhere, NULL, &ids) == n && spt_intlist_count(&ids) == n);
            found = spt_query(x, &window, NULL, &ids);
            CHECK(found >= 0 && spt_intlist_count(&ids) == found);
            for (i = 0; i < found; i++)
                CHECK(brute_overlap(&boxes[spt_intlist_get(&ids, i, 0)], &window));
            CHECK(spt_query(x, &everywhere, NULL, &ids) == n);
            CHECK(spt_query(x, &bad, NULL, &ids) == SPT_ERR_BOX);
            CHECK(spt_intlist_count(&ids) == 0);
            CHECK(spt_pairs(x, NULL, &pairs) == expected && spt_intlist_count(&pairs) == expected);
            CHECK(spt_intlist_get(&pairs, 0, 0) < spt_intlist_get(&pairs, 0, 1));
        }
        spt_intlist_free(&ids);
        spt_intlist_free(&pairs);
        oracle_close(&o);
    }
}

/* ---- Builds ---------------------------------------------------------------------------------- */

/* Builds of all sizes, over what the one before and the updates since have left. */
static void a_build_replaces_all_elements(void)
{
    static const spt_i32 sizes[] = {0, 1, 2, 16, 17, ORACLE_IDS, 33, 300, 0, 100, ORACLE_IDS, 1};
    static spt_box boxes[ORACLE_IDS];
    static oracle o;
    int s, fixed, k, i;
    for (s = 0; s < ALL; s++)
        for (fixed = 0; fixed < 2; fixed++) {
            open_any(&o, s, fixed ? 0 : 5, fixed ? ORACLE_IDS : 0);
            for (k = 0; k < TEST_COUNT(sizes); k++) {
                test_context(name_of(s), k);
                for (i = 0; i < sizes[k]; i++) boxes[i] = oracle_random_box(&o);
                oracle_build(&o, boxes, sizes[k]);
                oracle_query(&o, &everywhere);
                oracle_pairs(&o);
                oracle_traverse(&o);
                for (i = 0; i < test_some(20, 4); i++) oracle_step_query(&o);
                for (i = 0; i < test_some(100, 20); i++) oracle_step(&o);
            }
            oracle_compare(&o);
            oracle_close(&o);
        }
}

#ifdef SPTI_PLACES
/* From each element to the one behind it in memory, on average, in parts of the world. */
static double steps_in_memory(const spt_index *x)
{
    spt_i32 slot, id, before = SPT_NONE;
    spt_box a, b;
    double sum = 0, dx, dy;
    for (slot = 0; slot < SPTI_CHUNK * x->pool.top; slot++) {
        id = x->pool.chunks[slot / SPTI_CHUNK].id[slot % SPTI_CHUNK];
        if (id == SPT_NONE) continue;
        CHECK(spt_box_of(x, id, &a) == SPT_OK);
        if (before != SPT_NONE && spt_box_of(x, before, &b) == SPT_OK) {
            dx = ((double)a.min_x - (double)b.min_x) / 1024;
            dy = ((double)a.min_y - (double)b.min_y) / 256;
            sum += (dx < 0 ? -dx : dx) + (dy < 0 ? -dy : dy);
        }
        before = id;
    }
    return sum / spt_count(x);
}

/* In any order they would be 0.67 apart. */
static void a_build_keeps_together_what_is_near(void)
{
    static spt_box boxes[ORACLE_IDS];
    static oracle o;
    int s, fixed, i;
    for (s = 0; s < CHANGING; s++)
        for (fixed = 0; fixed < 2; fixed++) {
            open_any(&o, s, 4, fixed ? ORACLE_IDS : 0);
            for (i = 0; i < ORACLE_IDS; i++) {
                boxes[i].min_x = (spt_coord)(-512 + test_below(1024));
                boxes[i].min_y = (spt_coord)test_below(256);
                boxes[i].max_x = boxes[i].min_x + 1;
                boxes[i].max_y = boxes[i].min_y + 1;
            }
            oracle_build(&o, boxes, ORACLE_IDS);
            CHECK(steps_in_memory(&o.index) < 0.2);
            oracle_close(&o);
        }
}
#endif

/* What overlaps a window is told in the same order before and after, and so are the pairs. */
static void a_refused_build_changes_nothing(void)
{
    static spt_box boxes[ORACLE_IDS + 1], good;
    static oracle o;
    spt_intlist ids, pairs;
    int s, way, i, bad;
    for (s = 0; s < ALL; s++) {
        open_any(&o, s, 4, ORACLE_IDS);
        for (i = 0; i <= ORACLE_IDS; i++) boxes[i] = oracle_random_box(&o);
        oracle_build(&o, boxes, 300);
        for (i = 0; i < 100; i++) oracle_step_update(&o);
        oracle_query(&o, &everywhere);
        oracle_pairs(&o);
        ids = o.found, pairs = o.pairs;
        spt_intlist_init(&o.found, 1);
        spt_intlist_init(&o.pairs, 2);
        for (way = 0; way < BAD_BOXES; way++)
            for (i = 0; i < 100; i += 33) {
                bad = way % 2 ? i : ORACLE_IDS - 1 - i;
                good = boxes[bad];
                boxes[bad] = bad_box(&good, way);
                test_context(name_of(s), bad);
                oracle_build(&o, boxes, ORACLE_IDS);
                boxes[bad] = good;
            }
        oracle_build(&o, boxes, -1);
        oracle_build(&o, boxes, INT32_MIN);
        oracle_build(&o, boxes, ORACLE_IDS + 1); /* more than the capacity */
        oracle_query(&o, &everywhere);
        oracle_pairs(&o);
        CHECK(same_results(&ids, &o.found) && same_results(&pairs, &o.pairs));
        spt_intlist_free(&ids);
        spt_intlist_free(&pairs);
        oracle_close(&o);
    }
}

/* Each allocation of a build fails once; oracle_build asserts the elements after that. */
static long build_with_failure(int structure, long fail_at)
{
    static spt_box boxes[ORACLE_IDS];
    static oracle o;
    oracle_setup setup = {&plain, NULL, 0, ORACLE_IDS, 0, {NULL, NULL}, NULL};
    test_memory memory;
    int i;
    setup.structure = name_of(structure);
    setup.memory = &memory;
    test_memory_open(&memory, &setup.allocator);
    CHECK(oracle_open(&o, &setup) == SPT_OK);
    for (i = 0; i < ORACLE_IDS; i++) boxes[i] = oracle_random_box(&o);
    oracle_build(&o, boxes, 20);
    memory.fail_at = memory.calls + fail_at;
    memory.failures = 0;
    oracle_build(&o, boxes, ORACLE_IDS);
    oracle_query(&o, &everywhere);
    oracle_close(&o);
    CHECK(memory.bytes == 0);
    return memory.failures;
}

static void every_allocation_of_a_build_may_fail(void)
{
    long k;
    int s;
    for (s = 0; s < ALL; s++) {
        for (k = 1; build_with_failure(s, k); k++) test_context(name_of(s), k);
        CHECK(k > 1);
    }
}

/* ---- Many at one place ----------------------------------------------------------------------- */

/* The check asks for each element, and each answer has all of them: it looks at a smaller pile. */
static void pile_up(int structure, int levels, const spt_box *point)
{
    static oracle o;
    spt_index *x = &o.index;
    spt_intlist ids;
    spt_i32 i, n = test.divisor < 8 ? 10000 : test_some(2000, 500), few = test_some(800, 300);
    open_any(&o, structure, levels, 0);
    spt_intlist_init(&ids, 1);
    for (i = 0; i < n; i++) {
        CHECK(insert(&o, i, point) == SPT_OK);
        if (i == few) CHECK(spt_check(x));
    }
    CHECK(spt_count(x) == n);
    CHECK(spt_query(x, point, NULL, &ids) == n);
    for (i = 0; i < n; i += 2) CHECK(spt_remove(x, i) == SPT_OK);
    CHECK(spt_query(x, point, NULL, &ids) == n / 2);
    for (i = 1; i < n; i += 2) CHECK(spt_remove(x, i) == SPT_OK);
    spt_tidy(x);
    CHECK(spt_query(x, point, NULL, &ids) == 0);
    CHECK(spt_count(x) == 0 && spt_check(x));
    spt_intlist_free(&ids);
    oracle_close(&o);
}

static void thousands_of_boxes_lie_on_one_point(void)
{
    static const spt_box point = {37, 21, 37, 21};
    int s, levels;
    for (s = 0; s < CHANGING; s++)
        for (levels = deepest(s); levels > 0; levels /= 2) pile_up(s, levels, &point);
}

static void thousands_of_boxes_lie_on_the_middle_of_the_world(void)
{
    static const spt_box middle = {0, 128, 0, 128};
    int s, levels;
    for (s = 0; s < CHANGING; s++)
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

/* All fifty lie in the world, and two of them over many cells. */
/* 128 by 128 squares in at most 64 cells: those of a cell inside the window are counted at once. */
static void counting_looks_at_no_element_of_a_cell_inside(void)
{
    static spt_box boxes[128 * 128];
    static oracle o;
    const spt_i32 n = 128 * 128, most = 127 * 128;
    const spt_box window = box_of(-507, 0, 512, 256); /* all but the first column */
    int s, i;
    for (i = 0; i < n; i++) {
        const int x = -512 + i % 128 * 8, y = i / 128 * 2;
        boxes[i] = box_of(x, y, x + 4, y + 1);
    }
    for (s = 0; s < ALL; s++) {
        open_any(&o, s, 3, 0);
        CHECK(spt_build(&o.index, boxes, n) == SPT_OK);
        work = 0;
        CHECK(spt_query(&o.index, &everywhere, NULL, NULL) == n);
        CHECK(work < n / 16.0);
        CHECK(spt_query(&o.index, &window, NULL, NULL) == most);
        CHECK(spt_query(&o.index, &window, NULL, &o.found) == most);
        CHECK(spt_within(&o.index, &window, 0, NULL, NULL) == most);
        CHECK(spt_query_many(&o.index, &window, 1, NULL, NULL) == most);
        oracle_close(&o);
    }
}

/* Windows that touch the box around all elements, one side or corner each, and windows beyond. */
static void touch_all_around(oracle *o)
{
    spt_box around = {0, 0, 0, 0}, window;
    int x, y, gap;
    (void)spt_bounds(&o->index, &around);
    for (gap = 0; gap < 2; gap++)
        for (y = -1; y <= 1; y++)
            for (x = -1; x <= 1; x++) {
                const double left = (double)around.min_x, right = (double)around.max_x;
                const double low = (double)around.min_y, high = (double)around.max_y;
                window = box_of(x < 0 ? left - 9 : x > 0 ? right + gap : left,
                                y < 0 ? low - 9 : y > 0 ? high + gap : low,
                                x < 0 ? left - gap : x > 0 ? right + 9 : right,
                                y < 0 ? low - gap : y > 0 ? high + 9 : high);
                oracle_query(o, &window);
                oracle_visit(o, &window, 2);
                oracle_within(o, &window, 0);
                CHECK(spt_any(&o->index, &window, NULL) ==
                      (spt_query(&o->index, &window, NULL, NULL) > 0));
            }
}

static void windows_that_touch_everything_from_outside_find_what_they_touch(void)
{
    static const spt_i32 sizes[] = {0, 1, 7, 100, ORACLE_IDS};
    static spt_box boxes[ORACLE_IDS];
    static oracle o;
    int s, k, i;
    for (s = 0; s < ALL; s++)
        for (k = 0; k < TEST_COUNT(sizes); k++) {
            open_any(&o, s, 0, 0);
            for (i = 0; i < sizes[k]; i++) {
                const int x = -500 + test_below(900), y = test_below(200);
                boxes[i] = box_of(x, y, x + test_below(100), y + test_below(50));
            }
            oracle_build(&o, boxes, sizes[k]);
            touch_all_around(&o);
            for (i = 0; i < sizes[k] && s < CHANGING; i += 2) oracle_remove(&o, i);
            touch_all_around(&o);
            if (sizes[k] > 0) boxes[0].min_x = COORD_LOW, boxes[0].max_y = COORD_HIGH;
            if (s < CHANGING && sizes[k] > 0) oracle_insert(&o, 0, &boxes[0]);
            else if (s == PACKED) oracle_build(&o, boxes, sizes[k]);
            touch_all_around(&o);
            oracle_query(&o, &everywhere);
            oracle_close(&o);
        }
}

static void stop_with(oracle *o, int value)
{
    spt_i32 i;
    for (i = 1; i <= 51; i++) {
        stopper s = {0, 0, 0};
        s.stop_at = i;
        s.value = value;
        CHECK(spt_visit(&o->index, &unit, NULL, stop_at_call, &s) == (i <= 50 ? value : 0));
        CHECK(s.calls == (i <= 50 ? i : 50));
    }
}

static void visit_returns_what_the_callback_stopped_with(void)
{
    static const int values[] = {1, -1, 77, INT_MIN, INT_MAX, SPT_ERR_ARGUMENT};
    static oracle o;
    static spt_box boxes[50];
    int i, s, v;
    for (s = 0; s < ALL; s++) {
        open_any(&o, s, 4, 0);
        for (i = 0; i < 50; i++) {
            int x = test_below(900) - 512, y = test_below(200);
            boxes[i] = box_of(x, y, x + test_below(100), y + test_below(50));
            if (i < 2) boxes[i] = unit;
        }
        put(&o, boxes, 50);
        for (v = 0; v < TEST_COUNT(values); v++) stop_with(&o, values[v]);
        oracle_close(&o);
    }
}

static uint32_t hash_list(uint32_t hash, const spt_intlist *list)
{
    size_t integers = (size_t)spt_intlist_count(list) * (size_t)list->fields;
    return test_hash(hash, spt_intlist_data(list), integers * sizeof(spt_i32));
}

/* Random steps, and all that can be found after every few of them, in its order. */
static uint32_t record(int structure, const spt_allocator *allocator)
{
    static oracle o;
    uint32_t hash = 2166136261u;
    spt_i32 ids = 0, pairs = 0;
    int round;
    open_with(&o, structure, 5, 0, allocator);
    for (round = 0; round < 10; round++) {
        oracle_run(&o, test_scale(500));
        oracle_query(&o, &everywhere);
        oracle_pairs(&o);
        ids += spt_intlist_count(&o.found);
        pairs += spt_intlist_count(&o.pairs);
        hash = hash_list(hash_list(hash, &o.found), &o.pairs);
    }
    CHECK(ids > 0 || (test.divisor > 1 && o.only_built));
    CHECK(pairs > 0 || test.divisor > 1);
    oracle_close(&o);
    return hash;
}

static void the_same_calls_give_the_same_order(void)
{
    int s;
    for (s = 0; s < ALL; s++) {
        uint32_t start = test.random, hash;
        spt_allocator allocator;
        test_memory memory;
        test_memory_open(&memory, &allocator);
        memory.fill = 1;
        hash = record(s, NULL);
        test.random = start;
        CHECK(record(s, &allocator) == hash);
        CHECK(memory.bytes == 0 && (memory.calls > 0 || test.divisor > 1));
    }
}

/* But for a quadtree, which saves nodes of its capacity for elements still to come. */
static void a_capacity_does_not_change_the_order(void)
{
    static spt_box boxes[ORACLE_IDS], moved[ORACLE_IDS];
    static oracle grows, fixed;
    oracle *const both[2] = {&grows, &fixed};
    int s, k, i;
    for (s = 0; s < ALL; s++) {
        if (s == QUADTREE) continue;
        for (k = 0; k < 2; k++) open_any(both[k], s, 5, k ? ORACLE_IDS : 0);
        for (i = 0; i < ORACLE_IDS; i++) boxes[i] = oracle_random_box(&grows);
        for (i = 0; i < ORACLE_IDS; i++) moved[i] = oracle_random_box(&grows);
        for (k = 0; k < 2; k++) {
            spt_index *x = &both[k]->index;
            put(both[k], boxes, ORACLE_IDS);
            for (i = 0; i < ORACLE_IDS && s < CHANGING; i++) {
                if (i % 3 == 0) CHECK(spt_move(x, (spt_i32)i, &moved[i]) == SPT_OK);
                if (i % 7 == 0) CHECK(spt_remove(x, (spt_i32)i) == SPT_OK);
            }
            CHECK(spt_query(x, &unit, NULL, &both[k]->found) > 0);
            CHECK(spt_pairs(x, NULL, &both[k]->pairs) > 0);
        }
        CHECK(same_results(&grows.found, &fixed.found));
        CHECK(same_results(&grows.pairs, &fixed.pairs));
        for (k = 0; k < 2; k++) oracle_close(both[k]);
    }
}

/* ---- Ids and memory -------------------------------------------------------------------------- */

/* To ten thousand, where that does not take long. */
static void a_structure_grows_from_nothing_to_thousands_of_ids(void)
{
    static spt_box boxes[10000];
    static oracle o;
    spt_i32 i, n = test.divisor < 8 ? TEST_COUNT(boxes) : test_some(3500, 2000);
    int s;
    for (s = 0; s < CHANGING; s++) {
        spt_index *x = &o.index;
        open_any(&o, s, 0, 0);
        for (i = 0; i < n; i++) {
            boxes[i] = oracle_random_box(&o);
            CHECK(insert(&o, i, &boxes[i]) == SPT_OK);
            if ((i & (i - 1)) == 0) CHECK(spt_check(x));
        }
        CHECK(spt_count(x) == n && spt_check(x));
        for (i = 0; i < n; i++) {
            spt_box box;
            CHECK(spt_box_of(x, i, &box) == SPT_OK && same_box(&box, &boxes[i]));
        }
        CHECK(spt_query(x, &everywhere, NULL, &o.found) == n);
        oracle_close(&o);
    }
}

static void ids_may_come_in_any_order_with_gaps(void)
{
    static const spt_i32 order[] = {0, 5000, 3, 4999, 70000, 1};
    static oracle o;
    int s, i;
    for (s = 0; s < CHANGING; s++) {
        spt_index *x = &o.index;
        open_any(&o, s, 0, 0);
        for (i = 0; i < TEST_COUNT(order); i++) {
            spt_box box = box_of(i, i, i, i);
            CHECK(insert(&o, order[i], &box) == SPT_OK);
            CHECK(insert(&o, order[i], &box) == SPT_ERR_EXISTS);
            CHECK(spt_count(x) == i + 1);
            CHECK(spt_check(x));
        }
        CHECK(!spt_contains(x, 2) && !spt_contains(x, 69999));
        for (i = 0; i < TEST_COUNT(order); i++) {
            spt_box box = box_of(i, i, i, i);
            CHECK(spt_query(x, &box, NULL, &o.found) == 1);
            CHECK(spt_intlist_get(&o.found, 0, 0) == order[i]);
        }
        oracle_close(&o);
    }
}

/* The largest id that can be kept is one that memory is asked for; beyond it, none is. */
static void ids_that_cannot_be_kept_are_refused(void)
{
    static const spt_i32 ids[] = {1 << 29, (1 << 29) + 1, (1 << 30) - 1, 1 << 30, INT32_MAX};
    static oracle o;
    spt_allocator allocator;
    test_memory memory;
    long calls;
    int s, k;
    for (s = 0; s < CHANGING; s++) {
        test_memory_open(&memory, &allocator);
        open_with(&o, s, 3, 0, &allocator);
        CHECK(insert(&o, 3, &unit) == SPT_OK);
        memory.limit = memory.bytes + (1 << 20);
        calls = memory.calls;
        for (k = 0; k < TEST_COUNT(ids); k++) {
            CHECK(insert(&o, ids[k], &unit) == SPT_ERR_ID);
            CHECK(!spt_contains(&o.index, ids[k]));
        }
        CHECK(memory.calls == calls && memory.failures == 0);
        CHECK(insert(&o, (1 << 29) - 1, &unit) == SPT_ERR_MEMORY);
        if (sizeof(size_t) > 4) /* with 32 bits it may be too much to ask for */
            CHECK(memory.calls > calls && memory.failures == 1);
        CHECK(spt_count(&o.index) == 1 && spt_check(&o.index));
        oracle_close(&o);
        CHECK(memory.bytes == 0);
    }
}

static void a_capacity_can_be_used_to_the_last_id(void)
{
    static oracle o;
    spt_i32 ids[8], capacity, i;
    int s;
    for (s = 0; s < CHANGING; s++)
        for (capacity = 1; capacity <= 80; capacity++) {
            spt_index *x = &o.index;
            open_any(&o, s, 0, capacity);
            for (i = capacity - 1; i >= 0; i--) CHECK(insert(&o, i, &unit) == SPT_OK);
            CHECK(insert(&o, capacity, &unit) == SPT_ERR_FULL);
            CHECK(insert(&o, INT32_MAX, &unit) == SPT_ERR_ID);
            CHECK(insert(&o, capacity - 1, &unit) == SPT_ERR_EXISTS);
            CHECK(insert(&o, -1, &unit) == SPT_ERR_ID);
            CHECK(spt_count(x) == capacity);
            for (i = 0; i < 8; i++) ids[i] = capacity - 1 - i;
            i = SPTI_MIN(capacity, 7); /* few enough for windows */
            if (capacity > 64)
                CHECK(spt_pairs_of(x, ids, i, NULL, NULL) == i * (i - 1) / 2 + i * (capacity - i));
            CHECK(spt_check(x));
            CHECK(spt_remove(x, 0) == SPT_OK);
            CHECK(insert(&o, capacity, &unit) == SPT_ERR_FULL);
            CHECK(insert(&o, 0, &unit) == SPT_OK);
            oracle_close(&o);
        }
}

static void clear_keeps_the_memory_and_all_ids_may_come_again(void)
{
    static oracle o;
    static spt_box boxes[500];
    spt_box box;
    int i, s, round;
    for (s = 0; s < ALL; s++) {
        spt_index *x = &o.index;
        uint32_t start = test.random;
        spt_allocator allocator;
        test_memory memory;
        long calls = 0;
        test_memory_open(&memory, &allocator);
        open_with(&o, s, 6, 0, &allocator);
        for (round = 0; round < 3; round++) {
            test.random = start; /* the same boxes again, which need no more than before */
            for (i = 0; i < 500; i++) boxes[i] = oracle_random_box(&o);
            put(&o, boxes, 500);
            if (round == 0) calls = memory.calls;
            CHECK(spt_bytes(x) == memory.bytes);
            spt_clear(x);
            CHECK(spt_count(x) == 0 && spt_check(x));
            CHECK(spt_query(x, &everywhere, NULL, &o.found) == 0);
            CHECK(!spt_contains(x, 7) && spt_box_of(x, 7, &box) == SPT_ERR_ID);
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
    for (s = 0; s < ALL; s++)
        for (levels = 0; levels <= 4; levels += 4) {
            open_any(&o, s, levels, 0);
            oracle_run(&o, test_scale(2000));
            memcpy(&moved, &o, sizeof o);
            memset(&o, 0xAB, sizeof o);
            oracle_compare(&moved);
            oracle_run(&moved, test_scale(2000));
            oracle_close(&moved);
        }
}

/* ---- Cells ----------------------------------------------------------------------------------- */

typedef struct cell_walk {
    const char *kind;
    spt_box boxes[SPT_QUADTREE_MAX_DEPTH + 1]; /* the way to the cell, by level */
    spt_box told[ORACLE_IDS];                  /* and all cells so far */
    int cells, last, most;                     /* most: the deepest level that there may be */
    spt_i32 elements;
} cell_walk;

static int holds(const spt_box *outer, const spt_box *inner)
{
    return outer->min_x <= inner->min_x && inner->max_x <= outer->max_x &&
           outer->min_y <= inner->min_y && inner->max_y <= outer->max_y;
}

static int has_size_of(const spt_box *box, int level)
{
    return box->max_x - box->min_x == (spt_coord)(1024 >> level) &&
           box->max_y - box->min_y == (spt_coord)(256 >> level);
}

/* The place of a cell of this level in the order of cells, and its box, must be right. */
static void check_linear_cell(const cell_walk *walk, const spt_box *box, int level, spt_i32 count)
{
    int k;
    CHECK(count > 0 && holds(&unit, box)); /* in this world cells but the whole are squares */
    CHECK(level == 0 ? same_box(box, &unit)
                     : box->max_x - box->min_x == (spt_coord)(512 >> level) &&
                           box->max_y - box->min_y == (spt_coord)(512 >> level));
    for (k = 0; k < walk->cells; k++) CHECK(!holds(box, &walk->told[k])); /* parents come first */
}

static void check_quadtree_cell(const cell_walk *walk, const spt_box *box, int level)
{
    const spt_box *parent = &walk->boxes[level > 0 ? level - 2 : 0];
    CHECK((level > 0) == (walk->cells > 0) && level % 2 == 0);
    CHECK(level <= walk->last + 2); /* its parent came before, and none of that level since */
    CHECK(has_size_of(box, level));
    if (level == 0) {
        CHECK(same_box(box, &unit));
        return;
    }
    CHECK(holds(parent, box));
}

static void check_packed_node(const cell_walk *walk, const spt_box *box, int level)
{
    CHECK((level > 0) == (walk->cells > 0) && level <= walk->last + 1);
    if (level > 0) CHECK(holds(&walk->boxes[level - 1], box));
}

static int on_cell(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    cell_walk *walk = (cell_walk *)ctx;
    CHECK(brute_valid(box) && count >= 0);
    if (!CHECK(level >= 0 && level <= walk->most)) return 1;
    if (strcmp(walk->kind, "linear") == 0 || strcmp(walk->kind, "loosegrid") == 0)
        check_linear_cell(walk, box, level, count);
    if (strcmp(walk->kind, "quadtree") == 0) check_quadtree_cell(walk, box, level);
    if (strcmp(walk->kind, "packed") == 0) check_packed_node(walk, box, level);
    walk->boxes[level] = *box;
    if (walk->cells < ORACLE_IDS) walk->told[walk->cells] = *box;
    walk->last = level;
    walk->elements += count;
    walk->cells++;
    return 0;
}

static void traverse_tells_cells_in_order_with_their_boxes(void)
{
    static oracle o;
    static spt_box boxes[ORACLE_IDS];
    spt_i32 i, n = ORACLE_IDS;
    int s;
    for (s = 0; s < ALL; s++) {
        static cell_walk walk;
        memset(&walk, 0, sizeof walk);
        open_any(&o, s, 5, 0);
        for (i = 0; i < n; i++) boxes[i] = oracle_random_box(&o);
        put(&o, boxes, n);
        walk.last = -1;
        walk.kind = spt_kind(&o.index);
        walk.most = s == PACKED ? 1 : 5; /* 512 boxes are 16 full nodes */
        if (s == QUADTREE) walk.most = 6; /* it has even levels */
        CHECK(spt_traverse(&o.index, on_cell, &walk) == 0);
        CHECK(walk.cells > 16 && walk.elements >= n);
        if (s != QUADTREE) CHECK(walk.elements == n);
        oracle_close(&o);
    }
}

/* ---- The check itself ------------------------------------------------------------------------ */

static spti_chunk *chunk_of(const spt_index *x, spt_i32 id)
{
    return spti_chunk_of(x, x->slots[id]);
}

/* The elements of the cell that an element is in. */
static spti_chain *chain_of(const spt_index *x, spt_i32 id)
{
    return &SPTI_CHAIN(x, chunk_of(x, id)->cell & SPTI_CELL_MASK);
}

/* Elements 0 .. 9 in one cell, in two chunks, 10 .. 12 in another, 13 gone, and with it a chunk. */
static spt_index *open_to_break(oracle *o, int structure)
{
    static const spt_box boxes[3] = {{-500, 10, -499, 11}, {300, 200, 301, 201}, {0, 100, 1, 101}};
    spt_index *x = &o->index;
    spt_i32 id;
    open_any(o, structure, 4, 20);
    for (id = 13; id >= 0; id--) oracle_insert(o, id, &boxes[id < 10 ? 0 : id < 13 ? 1 : 2]);
    oracle_remove(o, 13);
    CHECK(spt_check(x) && chain_of(x, 0)->count == 10 && chain_of(x, 10)->count == 3);
    CHECK(x->pool.used == 3 && x->pool.free_head >= 0);
    return x;
}

static void check_finds_wrong_counts_and_cells(void)
{
    static oracle o;
    int s;
    for (s = 0; s < CHANGING; s++) {
        spt_index *x = open_to_break(&o, s);
        spti_chain *chain = chain_of(x, 0);
        spt_i32 *slots;
        oracle_expect_broken(x, &x->count, 12);
        oracle_expect_broken(x, &x->count, 14);
        oracle_expect_broken(x, &x->pool.used, 2);
        oracle_expect_broken(x, &x->pool.used, 4);
        oracle_expect_broken(x, &x->pool.capacity, 2);
        oracle_expect_broken(x, &x->pool.free_head, SPT_NONE);
        oracle_expect_broken(x, &x->pool.free_head, 1000000);
        oracle_expect_broken(x, &x->pool.free_head, -7);
        oracle_expect_broken(x, &x->pool.chunks[x->pool.free_head].next, x->pool.free_head);
        oracle_expect_broken(x, &x->pool.top, -1);
        oracle_expect_broken(x, &x->node_count, 0);
        oracle_expect_broken(x, &x->node_count, x->node_room + 1);
        oracle_expect_broken(x, &chain->count, 9);
        oracle_expect_broken(x, &chain->count, 11);
        oracle_expect_broken(x, &chain->count, 0);
        oracle_expect_broken(x, &chain->count, -1);
        oracle_expect_broken(x, &chain->count, 1000);
        oracle_expect_broken(x, &chain->first, SPT_NONE);
        oracle_expect_broken(x, &chain->first, 1000000);
        oracle_expect_broken(x, &chain->first, chain_of(x, 10)->first);
        slots = x->slots, x->slots = NULL;
        CHECK(!spt_check(x));
        x->slots = slots;
        oracle_close(&o);
    }
}

static void check_finds_wrong_chunks_and_slots(void)
{
    static oracle o;
    int s;
    for (s = 0; s < CHANGING; s++) {
        spt_index *x = open_to_break(&o, s);
        const spt_i32 first = chain_of(x, 0)->first;
        spti_chunk *chunk = &x->pool.chunks[first]; /* with two elements, before one with eight */
        oracle_expect_broken(x, &chunk->id[0], chunk->id[1]); /* twice */
        oracle_expect_broken(x, &chunk->id[0], 10);           /* of another cell */
        oracle_expect_broken(x, &chunk->id[0], 13);           /* removed */
        oracle_expect_broken(x, &chunk->id[0], 20);           /* beyond the capacity */
        oracle_expect_broken(x, &chunk->id[0], SPT_NONE);
        oracle_expect_broken(x, &chunk->next, SPT_NONE);
        oracle_expect_broken(x, &chunk->next, 1000000);
        oracle_expect_broken(x, &chunk->next, first); /* a ring */
        oracle_expect_broken(x, &chunk->next, chain_of(x, 10)->first);
        oracle_expect_broken(x, &chunk->cell, chunk->cell + 1);
        oracle_expect_broken(x, &chunk->cell, chunk_of(x, 10)->cell);
        oracle_expect_broken(x, &x->slots[1], SPT_NONE);
        oracle_expect_broken(x, &x->slots[1], x->slots[2]);
        oracle_expect_broken(x, &x->slots[1], x->slots[10]);
        oracle_expect_broken(x, &x->slots[13], x->slots[1]);
        oracle_close(&o);
    }
}

/* Breaks in many ways what each chunk in use tells of its cell: its level, its column and row. */
static void break_chunks(const spt_index *x)
{
    spt_i32 i;
    int k;
    for (i = 0; i < x->pool.top; i++) {
        spti_chunk *c = &x->pool.chunks[i];
        spt_i32 place = (spt_i32)c->place;
        if (c->id[0] == SPT_NONE) continue; /* a free one */
        for (k = 0; k < 32; k += test_some(1, 7))
            oracle_expect_broken(x, &c->place, place ^ (spt_i32)(1u << k));
        oracle_expect_broken(x, &c->place, ~place);
        oracle_expect_broken(x, &c->place, place + 1);
        oracle_expect_broken(x, &c->place, place - 1);
        for (k = SPTI_LEVEL_SHIFT; k < 32; k++)
            oracle_expect_broken(x, &c->cell, c->cell ^ (spt_i32)(1u << k));
    }
}

/* Breaks the lane around each node below another: says that it is not in use, or makes it small. */
static void break_lanes_below(const spt_index *x)
{
    spt_i32 node;
    for (node = 1; node < x->node_count; node++) {
        const spt_i32 cell = x->nodes[node].above;
        spti_node *above = cell == SPT_NONE ? NULL : &x->nodes[SPTI_NODE_OF(cell)];
        const int lane = SPTI_LANE_BELOW(SPTI_CHILD_OF(cell));
        spt_coord *max_x, was;
        if (!above || x->nodes[node].used == 0) continue;
        above->used ^= (spt_u32)1 << lane;
        CHECK(!spt_check(x));
        above->used ^= (spt_u32)1 << lane;
        max_x = &above->lanes[lane / 8].max_x[lane % 8], was = *max_x;
        *max_x = COORD_LOW;
        CHECK(!spt_check(x) || !(was > COORD_LOW));
        *max_x = was;
        CHECK(spt_check(x));
    }
}

/* In worlds that are square, wide and high, with even levels and odd ones. */
static void check_finds_a_chunk_that_is_wrong_about_its_cell(void)
{
    static const char *const worlds[] = {"square", "corridor", "shaft"};
    static oracle o;
    spt_i32 id;
    int s, w, i, levels;
    for (s = 0; s < CHANGING; s++)
        for (w = 0; w < ORACLE_WORLDS; w++)
            for (levels = 4; levels < test_some(6, 5); levels++) {
                oracle_setup setup = {&oracle_worlds[w], name_of(s), 0, 0, 0, {NULL, NULL}, NULL};
                for (i = 0; i < TEST_COUNT(worlds); i++)
                    if (strcmp(setup.world->name, worlds[i]) == 0) break;
                if (i == TEST_COUNT(worlds)) continue;
                setup.levels = levels, setup.ids = 48;
                if (!CHECK(oracle_open(&o, &setup) == SPT_OK)) return;
                oracle_fill(&o, 48);
                for (id = 0; id < 16; id++) oracle_remove(&o, id);
                test_context(name_of(s), 10000 * w);
                break_chunks(&o.index);
                break_lanes_below(&o.index);
                oracle_close(&o);
            }
}

static void check_finds_wrong_boxes(void)
{
    static const spt_coord elsewhere[3][2] = {{300, 301}, {300, 200}, {-510, -499}};
    static oracle o;
    int s, k;
    for (s = 0; s < CHANGING; s++) {
        spt_index *x = open_to_break(&o, s);
        spti_chunk *chunk = chunk_of(x, 0), saved = *chunk;
        const spt_i32 cell = chunk->cell & SPTI_CELL_MASK;
        spti_node *node = &x->nodes[SPTI_NODE_OF(cell)];
        const int lane = SPTI_CHILD_OF(cell);
        for (k = 0; k < 3; k++) { /* of another cell, of none, larger than its lane */
            chunk->boxes.min_x[x->slots[0] % SPTI_CHUNK] = elsewhere[k][0];
            chunk->boxes.max_x[x->slots[0] % SPTI_CHUNK] = elsewhere[k][1];
            CHECK(!spt_check(x));
            *chunk = saved;
        }
        for (k = 0; k < 32; k += 8) { /* a lane that is too small on one side */
            ((spt_coord *)(void *)&node->lanes[lane / 8])[k + lane % 8] += k < 16 ? 1 : -1;
            CHECK(!spt_check(x));
            ((spt_coord *)(void *)&node->lanes[lane / 8])[k + lane % 8] -= k < 16 ? 1 : -1;
        }
        node->used ^= (spt_u32)1 << lane; /* or that is told to be empty */
        CHECK(!spt_check(x));
        node->used ^= (spt_u32)1 << lane;
        CHECK(spt_check(x));
        oracle_close(&o);
    }
}

static const test_case tests[] = {
    TEST(boxes_on_cell_borders_are_found_from_both_sides),
    TEST(boxes_as_large_as_the_world_lie_among_small_ones),
    TEST(moving_many_is_moving_one_after_the_other),
    TEST(moving_many_reads_no_more_than_it_is_given),
    TEST(a_tidy_after_every_step_changes_no_result),
    TEST(tidy_of_a_tidy_structure_writes_nothing),
    TEST(remove_questions_tidy_and_clear_need_no_more_memory),
    TEST(an_emptied_structure_that_is_tidied_has_no_cells),
    TEST(bounds_without_an_inside_are_refused),
#ifndef SPATIAL_INT
    TEST(bounds_and_their_distance_must_be_finite),
#endif
    TEST(an_empty_structure_has_nothing_to_tell),
    TEST(what_was_freed_is_of_zero_bytes_and_refuses_everything),
    TEST(what_was_never_made_refuses_everything),
    TEST(only_packed_has_data_and_only_when_it_was_built),
    TEST(lists_of_the_wrong_number_of_fields_are_refused_and_emptied),
    TEST(results_replace_what_the_list_held),
    TEST(a_build_replaces_all_elements),
#ifdef SPTI_PLACES
    TEST(a_build_keeps_together_what_is_near),
#endif
    TEST(a_refused_build_changes_nothing),
    TEST(every_allocation_of_a_build_may_fail),
    TEST(thousands_of_boxes_lie_on_one_point),
    TEST(thousands_of_boxes_lie_on_the_middle_of_the_world),
    TEST(counting_looks_at_no_element_of_a_cell_inside),
    TEST(windows_that_touch_everything_from_outside_find_what_they_touch),
    TEST(visit_returns_what_the_callback_stopped_with),
    TEST(the_same_calls_give_the_same_order),
    TEST(a_capacity_does_not_change_the_order),
    TEST(a_structure_grows_from_nothing_to_thousands_of_ids),
    TEST(ids_may_come_in_any_order_with_gaps),
    TEST(ids_that_cannot_be_kept_are_refused),
    TEST(a_capacity_can_be_used_to_the_last_id),
    TEST(clear_keeps_the_memory_and_all_ids_may_come_again),
    TEST(a_structure_moved_by_memcpy_goes_on_working),
    TEST(traverse_tells_cells_in_order_with_their_boxes),
    TEST(check_finds_wrong_counts_and_cells),
    TEST(check_finds_wrong_chunks_and_slots),
    TEST(check_finds_a_chunk_that_is_wrong_about_its_cell),
    TEST(check_finds_wrong_boxes),
};

int main(int argc, char **argv)
{
    everywhere.min_x = everywhere.min_y = COORD_LOW;
    everywhere.max_x = everywhere.max_y = COORD_HIGH;
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
