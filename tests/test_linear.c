/* test_linear.c - the linear quadtree beside the naive model, and what the model cannot see:
   levels, capacities, memory, cells. */
#define SPATIAL_NO_QUADTREE /* what is not tested here is not compiled */
#define SPATIAL_NO_LOOSEGRID
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
    static const oracle_kind kinds[] = {
        {0, 64, 0, 24000},  {0, 512, 512, 12000}, {1, 16, 10, 8000},    {2, 8, 0, 8000},
        {3, 100, 50, 12000}, {5, 40, 0, 12000},    {7, 200, 150, 12000}, {9, 60, 60, 2000},
    };
    oracle_run_kinds("linear", kinds, TEST_COUNT(kinds));
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

/* ---- Results --------------------------------------------------------------------------------- */

static int count_call(void *ctx, spt_i32 id, const spt_box *box)
{
    CHECK(id >= 0 && brute_valid(box));
    ++*(spt_i32 *)ctx;
    return 0;
}

/* Compiles only if these take a const tree. */
static spt_i32 ask(const spt_linear *tree, const spt_box *box, spt_intlist *out)
{
    spt_i32 calls = 0;
    CHECK(spt_linear_visit(tree, box, count_call, &calls) == 0);
    CHECK(spt_linear_count(tree) >= calls && spt_linear_bytes(tree) > 0);
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

static void a_fixed_capacity_does_not_change_the_order(void)
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

/* ---- Cells ----------------------------------------------------------------------------------- */

#ifdef SPATIAL_INT
#define BLUR 1 /* cells of integers end where the division says, their boxes are for drawing */
#else
#define BLUR 0
#endif

typedef struct holder_count {
    const spt_box *element;
    int holders; /* cells that count it */
} holder_count;

/* The cell that counts an element holds it; and it straddles a middle line, but on the finest. */
static int check_holder(void *ctx, const spt_box *cell, int level, spt_i32 count)
{
    holder_count *all = (holder_count *)ctx;
    const spt_box *box = all->element;
    spt_coord w = (spt_coord)(1024 >> level), h = (spt_coord)(256 >> level);
    spt_coord x = cell->min_x, y = cell->min_y;
    if (count == 0) return 0;
    all->holders++;
    CHECK(x - BLUR <= box->min_x && box->max_x < x + w + BLUR);
    CHECK(y - BLUR <= box->min_y && box->max_y < y + h + BLUR);
    if (level == 4) return 0;
    x += w / 2, y += h / 2;
    CHECK((box->min_x < x + BLUR && box->max_x >= x - BLUR) ||
          (box->min_y < y + BLUR && box->max_y >= y - BLUR));
    return 0;
}

static void each_element_is_counted_in_the_smallest_cell_that_holds_it(void)
{
    spt_linear tree;
    int i, n = test_scale(2000);
    open_tree(&tree, 4, 1);
    for (i = 0; i < n; i++) {
        spt_box box = any_box();
        holder_count all = {NULL, 0};
        if (box.max_x >= unit.max_x || box.max_y >= unit.max_y) continue;
        all.element = &box;
        CHECK(spt_linear_insert(&tree, 0, &box) == SPT_OK);
        CHECK(spt_linear_traverse(&tree, check_holder, &all) == 0);
        CHECK(all.holders == 1);
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
    tree.table.boxes[1] = other; /* not in the cell it is linked in */
    CHECK(!spt_linear_check(&tree));
    tree.table.boxes[1] = box;
    for (i = 0; i < 3; i++) {
        spt_i32 list = i == 2 ? 0 : tree.head_count - 1, head = tree.heads[list];
        CHECK(head == (i == 2 ? SPTI_EMPTY : SPTI_BARREN));
        /* another list's element, or a wrong mark */
        tree.heads[list] = i == 0 ? 3 : i == 1 ? SPTI_EMPTY : SPTI_BARREN;
        CHECK(!spt_linear_check(&tree));
        tree.heads[list] = head;
        CHECK(spt_linear_check(&tree));
    }
    tree.levels++;
    CHECK(!spt_linear_check(&tree));
    tree.levels--;
    CHECK(spt_linear_check(&tree));
    spt_linear_free(&tree);
}

static const test_case tests[] = {
    TEST(random_operations_agree_with_the_naive_model),
    TEST(bad_descriptions_are_refused),
    TEST(default_levels_grow_with_the_capacity),
    TEST(questions_take_a_tree_that_is_const),
    TEST(a_fixed_capacity_does_not_change_the_order),
    TEST(move_remove_query_and_tidy_allocate_nothing),
    TEST(a_move_within_a_cell_writes_only_the_box),
    TEST(each_element_is_counted_in_the_smallest_cell_that_holds_it),
    TEST(tidy_brings_an_emptied_tree_back_to_nothing),
    TEST(tidy_changes_no_result),
    TEST(check_finds_what_is_broken),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
