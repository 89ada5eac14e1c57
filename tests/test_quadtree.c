/* test_quadtree.c - the adaptive quadtree beside the naive model, and things the model cannot see:
   splits, merges, in which node an element is, the limits of a capacity. */
static double work; /* elements looked at, the same on every machine */
#define SPTI_COUNT(n) (work += (double)(n))

#define SPATIAL_NO_LINEAR /* what is not tested here is not compiled */
#define SPATIAL_NO_LOOSEGRID
#define SPATIAL_NO_PACKED
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"

/* An empty tree of this desc, its bounds excepted, beside an empty model. */
static spt_index *open_tree(oracle *o, const oracle_world *world, spt_quadtree_desc *desc)
{
    oracle_open_without(o, world, "quadtree", desc->capacity);
    desc->bounds = oracle_bounds(world);
    CHECK(spt_quadtree_init(&o->index, desc) == SPT_OK);
    return &o->index;
}

static spt_quadtree_desc desc_of(int leaf_capacity, int max_depth, spt_i32 capacity)
{
    spt_quadtree_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.leaf_capacity = leaf_capacity;
    desc.max_depth = max_depth;
    desc.capacity = capacity;
    desc.keep_bounds = 1;
    return desc;
}

/* A tree in the square world of 1024 by 1024. */
static spt_index *open_square(oracle *o, int leaf_capacity, int max_depth)
{
    spt_quadtree_desc desc = desc_of(leaf_capacity, max_depth, 0);
    return open_tree(o, &oracle_worlds[0], &desc);
}

/* What can be seen of a tree. */
typedef struct shape {
    spt_i32 nodes, splits;
    spt_i32 elements;
    double squares; /* sum of the squares of how many a node has: how well they are told apart */
} shape;

static int add_node(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    shape *seen = (shape *)ctx;
    (void)box, (void)level;
    seen->nodes++;
    seen->elements += count;
    seen->squares += (double)count * (double)count;
    return 0;
}

static shape shape_of(const spt_index *tree)
{
    shape seen = {0, 0, 0, 0};
    CHECK(spt_traverse(tree, add_node, &seen) == 0);
    CHECK(seen.nodes % 16 == 1); /* the world, and sixteen for every split */
    CHECK(seen.elements == spt_count(tree)); /* each in one cell */
    seen.splits = seen.nodes / 16;
    CHECK(seen.splits == tree->as.quadtree.used - 1);
    return seen;
}

static spt_i32 splits_of(const spt_index *tree)
{
    return shape_of(tree).splits;
}

/* ---- Beside the model ------------------------------------------------------------------------ */

/* Every world with every kind of setup: together over a million random operations. */
static void random_operations_agree_with_the_naive_model(void)
{
    static const oracle_kind kinds[] = {
        {0, 64, 0, 14000},  {0, 512, 512, 8000}, {1, 16, 10, 6000}, {2, 8, 0, 6000},
        {4, 2, 1, 3000},    {3, 100, 50, 9000},  {5, 40, 0, 9000},  {8, 200, 150, 8000},
        {11, 60, 60, 8000}, {16, 300, 0, 6000},
    };
    oracle_run_kinds("quadtree", kinds, TEST_COUNT(kinds));
}

/* ---- init ------------------------------------------------------------------------------------ */

static void nodes_and_chunks_have_the_sizes_that_are_promised(void)
{
    static oracle o;
    spt_index *tree = open_square(&o, 0, 0);
    CHECK(sizeof(spti_chain) == 8);
    CHECK(sizeof(spti_chunk) <= 4 * SPTI_CHUNK * sizeof(spt_coord) + 48);
    CHECK(sizeof(spti_node) <= 128 * sizeof(spt_coord) + 256);
    CHECK(tree->node_room > 0);
    CHECK(tree->memory_bytes < (size_t)(tree->node_room + 1) * sizeof(spti_node));
    oracle_close(&o);
}

static void expect_refused(const spt_quadtree_desc *desc)
{
    spt_index tree;
    CHECK(spt_quadtree_init(&tree, desc) == SPT_ERR_ARGUMENT);
    CHECK(spt_quadtree_bytes_for(desc) == 0);
}

static void bad_descriptions_are_refused(void)
{
    static const int leaves[] = {-1, 1001, INT_MIN, INT_MAX};
    static const int depths[] = {-1, SPT_QUADTREE_MAX_DEPTH + 1, INT_MIN, INT_MAX};
    spt_quadtree_desc desc = desc_of(0, 0, 0);
    int i;
    expect_refused(&desc); /* bounds are required */
    desc.bounds = box_of(0, 0, 10, 10);
    CHECK(spt_quadtree_bytes_for(&desc) > 0);
    for (i = 0; i < TEST_COUNT(leaves); i++) {
        desc.leaf_capacity = leaves[i];
        expect_refused(&desc);
    }
    desc.leaf_capacity = 0;
    for (i = 0; i < TEST_COUNT(depths); i++) {
        desc.max_depth = depths[i];
        expect_refused(&desc);
    }
    desc.max_depth = 0;
    for (i = 0; i < 2; i++) {
        desc.capacity = i ? INT32_MIN : -1;
        expect_refused(&desc);
    }
}

/* Zeros make the same tree as the defaults written out. */
static void zeros_mean_the_defaults(void)
{
    spt_quadtree_desc zeros = desc_of(0, 0, 300), same = desc_of(96, 16, 300);
    spt_quadtree_desc other = desc_of(48, 11, 300);
    spt_index trees[2];
    int t;
    zeros.bounds = same.bounds = other.bounds = box_of(0, 0, 10, 10);
    CHECK(spt_quadtree_bytes_for(&zeros) == spt_quadtree_bytes_for(&same));
    CHECK(spt_quadtree_bytes_for(&other) > spt_quadtree_bytes_for(&same));
    for (t = 0; t < 2; t++) CHECK(spt_quadtree_init(&trees[t], t ? &same : &zeros) == SPT_OK);
    CHECK(trees[0].as.quadtree.leaf_capacity == 96 && trees[0].as.quadtree.max_depth == 16);
    CHECK(trees[0].pool.capacity == trees[1].pool.capacity);
    CHECK(trees[0].node_room == trees[1].node_room);
    CHECK(spt_bytes(&trees[0]) == spt_quadtree_bytes_for(&zeros));
    for (t = 0; t < 2; t++) spt_free(&trees[t]);
}

/* ---- Splitting ------------------------------------------------------------------------------- */

static void a_leaf_splits_when_it_holds_more_than_its_capacity(void)
{
    static oracle o;
    int capacity;
    for (capacity = 1; capacity <= 40; capacity++) {
        spt_index *tree = open_square(&o, capacity, 8);
        spt_i32 id;
        for (id = 0; id <= capacity; id++) { /* in turn in all four quarters */
            int at = 8 + 12 * (int)id, x = id & 1 ? 1024 - at : at, y = id & 2 ? 1024 - at : at;
            spt_box box = box_of(x, y, x, y);
            test_context("capacity", capacity);
            CHECK(splits_of(tree) == 0);
            oracle_insert(&o, id, &box);
        }
        CHECK(splits_of(tree) == 1);
        oracle_compare(&o);
        oracle_close(&o);
    }
}

/* What reaches over more than half of the world stays in its cell, wherever it lies; and tidy sees
   when there comes more that does not than a leaf may have. */
static void elements_that_are_too_large_for_children_do_not_split_a_leaf(void)
{
    static const spt_box large[] = {
        {0, 0, 1024, 1024}, {-500, -500, 2000, 2000}, {500, 500, 524, 1020}, {200, 300, 900, 800}};
    spt_box small = {3, 3, 4, 4}, other = {903, 3, 904, 4};
    static oracle o;
    spt_i32 id;
    int leaf;
    for (leaf = 1; leaf <= 16; leaf++) {
        spt_index *tree = open_square(&o, leaf, 16);
        for (id = 0; id < 400; id++) oracle_insert(&o, id, &large[id % TEST_COUNT(large)]);
        CHECK(splits_of(tree) == 0);
        for (; id < 400 + leaf; id++) oracle_insert(&o, id, id % 2 ? &other : &small);
        spt_tidy(tree);
        CHECK(splits_of(tree) == 0); /* as many as it may have, besides the ones that stay */
        for (; id < o.ids; id++) oracle_insert(&o, id, id % 2 ? &other : &small);
        spt_tidy(tree);
        CHECK(splits_of(tree) == 1 && SPTI_CHAIN(tree, SPTI_WORLD).count == 400);
        oracle_compare(&o);
        oracle_pairs(&o);
        oracle_close(&o);
    }
}

/* Inserts `count` points, in turn into two finest cells that are neighbours and siblings. */
static spt_index *open_pile(oracle *o, int depth, spt_i32 count)
{
    spt_index *tree = open_square(o, 4, depth);
    double size = 1024.0 / (1 << depth);
    spt_i32 id;
    for (id = 0; id < count; id++) {
        double x = 1024 - size * (id % 2 ? 0.5 : 1.5);
        spt_box point = box_of(x, 3, x, 3);
        oracle_insert(o, id, &point);
    }
    return tree;
}

static void points_in_neighbouring_cells_split_down_to_max_depth(void)
{
    static oracle o;
    int depth, deepest = (spt_coord)0.5 > 0 ? SPT_QUADTREE_MAX_DEPTH : 9; /* of integers */
    for (depth = 1; depth <= deepest; depth++) {
        spt_index *tree = open_pile(&o, depth, ORACLE_IDS);
        CHECK(splits_of(tree) == (depth + 1) / 2);
        oracle_compare(&o);
        oracle_pairs(&o);
        oracle_close(&o);
    }
}

/* Nodes are worth a leaf_capacity of elements each, not a chain of them for a few. */
static void a_few_points_side_by_side_take_no_chain_of_nodes(void)
{
    static oracle o;
    spt_index *tree = open_pile(&o, 9, 7);
    CHECK(splits_of(tree) == 0);
    oracle_compare(&o);
    oracle_close(&o);
}

/* What spt_build allocates is for leaves that may be divided, not for one chunk an element. */
static void a_build_takes_few_bytes_an_element(void)
{
    static spt_box many[10000];
    spt_index tree;
    int i;
    for (i = 0; i < 10000; i++) {
        const double x = test_below(100000), y = test_below(100000);
        many[i] = box_of(x, y, x + 500, y + 500);
    }
    CHECK(spt_quadtree_init(&tree, NULL) == SPT_OK);
    CHECK(spt_build(&tree, many, 10000) == SPT_OK);
    CHECK(spt_bytes(&tree) < 10000 * (4 * sizeof(spt_coord) + 4) * 4);
    spt_free(&tree);
}

static void points_in_one_finest_cell_do_not_split(void)
{
    static oracle o;
    int depth;
    for (depth = 1; depth <= SPT_QUADTREE_MAX_DEPTH; depth++) {
        spt_index *tree = open_square(&o, 4, depth);
        spt_box point = box_of(1023, 3, 1023, 3);
        spt_i32 id;
        for (id = 0; id < o.ids; id++) oracle_insert(&o, id, &point);
        CHECK(splits_of(tree) == 0);
        oracle_compare(&o);
        oracle_query(&o, &point);
        oracle_close(&o);
    }
}

/* The number of the node that an element is in. */
static spt_i32 node_of(const spt_index *tree, spt_i32 id)
{
    return tree->pool.chunks[tree->slots[id] / SPTI_CHUNK].cell & SPTI_CELL_MASK;
}

/* ---- Moves ----------------------------------------------------------------------------------- */

/* "Where it stays in its cell no more than storing the box", once the lane has grown: so nodes and
   chains stay as they are, and moving back gives every byte back; the struct stays, but for the
   count that tidy goes by. */
static void expect_only_the_box(oracle *o, const test_memory *memory, const spt_box *to)
{
    const spt_index *tree = &o->index;
    spt_index before;
    spt_box from = o->boxes[2];
    uint32_t hash;
    oracle_move(o, 2, to); /* the lane grows, once */
    oracle_move(o, 2, &from);
    hash = test_memory_hash(memory);
    memcpy(&before, tree, sizeof before);
    oracle_move(o, 2, to);
    before.changes = tree->changes, before.worth = tree->worth;
    CHECK(memcmp(&before, tree, sizeof before) == 0);
    CHECK(test_memory_hash(memory) != hash);
    oracle_move(o, 2, &from);
    CHECK(test_memory_hash(memory) == hash);
}

static void a_move_within_its_node_writes_only_the_box(void)
{
    static oracle o;
    spt_quadtree_desc desc = desc_of(2, 5, 0); /* finest cells of 32 by 32 */
    spt_index *tree;
    spt_box there = {2, 2, 3, 3}, near_by = {20, 4, 21, 5}, away = {900, 900, 901, 901};
    spt_box across = {2, 2, 600, 3}, along = {5, 1, 603, 2};
    test_memory memory;
    spt_i32 id, node;
    test_memory_open(&memory, &desc.allocator);
    memory.fill = 1;
    tree = open_tree(&o, &oracle_worlds[0], &desc);
    for (id = 0; id < 100; id++) oracle_insert(&o, id, id % 4 ? &there : &away);
    CHECK(splits_of(tree) > 0);
    node = node_of(tree, 2);
    expect_only_the_box(&o, &memory, &near_by);
    oracle_move(&o, 2, &across); /* into another */
    CHECK(node_of(tree, 2) != node);
    expect_only_the_box(&o, &memory, &along);
    oracle_compare(&o);
    oracle_close(&o);
}

/* ---- Limits of a capacity -------------------------------------------------------------------- */

/* In any world, at any depth, with as many elements as ids and whatever they do: each of the calls
   of the model is to succeed. */
static void fill_to_the_last_id(const oracle_world *world, int depth)
{
    static oracle o;
    static spt_box boxes[ORACLE_IDS];
    spt_quadtree_desc desc = desc_of(1 + test_below(30), depth, 1 + test_below(ORACLE_IDS));
    test_memory memory;
    spt_index *tree;
    spt_i32 id, step, steps;
    long calls;
    test_memory_open(&memory, &desc.allocator);
    tree = open_tree(&o, world, &desc);
    calls = memory.calls;
    for (id = 0; id < o.ids; id++) boxes[id] = oracle_random_box(&o);
    if (depth % 2) oracle_build(&o, boxes, o.ids);
    else oracle_fill(&o, o.ids);
    steps = (spt_i32)test_scale(2 * (int)o.ids);
    for (step = 0; step < steps; step++) {
        spt_box box = oracle_random_box(&o), window = oracle_random_box(&o);
        test_context(world->name, step);
        if (step < steps / 2) box.max_x = box.min_x, box.max_y = box.min_y;
        id = (spt_i32)test_below((int)o.ids);
        oracle_move(&o, id, &box);
        if (test_below(8) == 0) oracle_remove(&o, id), oracle_insert(&o, id, &window);
        if (test_below(30) == 0) spt_tidy(tree);
        if (test_below(10) == 0) oracle_query(&o, &window);
    }
    oracle_compare(&o);
    oracle_pairs(&o);
    CHECK(memory.calls == calls && spt_bytes(tree) == memory.bytes);
    CHECK(tree->pool.used <= tree->pool.capacity);
    CHECK(tree->as.quadtree.used <= tree->node_room);
    oracle_close(&o);
}

static void with_a_capacity_no_insert_and_no_move_fails(void)
{
    int world, depth;
    for (world = 0; world < ORACLE_WORLDS; world++)
        for (depth = 1; depth <= SPT_QUADTREE_MAX_DEPTH; depth += test.divisor < 8 ? 1 : 4)
            fill_to_the_last_id(&oracle_worlds[world], depth);
}

/* Points that walk take a chunk in each node that they come to, whoever calls tidy; four in each of
   many nodes are the worst that chunks can come to. */
static void with_a_capacity_there_is_a_chunk_wherever_elements_go(void)
{
    static oracle o;
    spt_quadtree_desc desc = desc_of(4, 9, ORACLE_IDS);
    spt_index *tree = open_tree(&o, &oracle_worlds[0], &desc);
    int step, steps = test_scale(200) < 20 ? 20 : test_scale(200);
    spt_i32 id;
    for (step = 0; step < steps; step++)
        for (id = 0; id < o.ids; id++) {
            int x = (int)(id % 32) * 32 + step * 7, y = (int)(id / 32) * 64 + step * 3;
            spt_box box = box_of(x % 1024, y % 1024, x % 1024 + id % 3, y % 1024);
            if (step) oracle_move(&o, id, &box);
            else oracle_insert(&o, id, &box);
        }
    CHECK(tree->pool.top <= tree->pool.capacity && splits_of(tree) > 5);
    oracle_pairs(&o);
    oracle_compare(&o);
    oracle_close(&o);
}

static void a_capacity_takes_the_bytes_that_are_promised(void)
{
    size_t each = sizeof(spt_coord) > 4 ? 94 : 56, more = sizeof(spt_coord) > 4 ? 6200 : 3200;
    spt_i32 capacity;
    int depth;
    for (depth = 0; depth <= SPT_QUADTREE_MAX_DEPTH; depth++)
        for (capacity = 1; capacity < 1000000; capacity += 1 + capacity / 100) {
            spt_quadtree_desc desc = desc_of(0, depth, capacity);
            size_t bytes;
            desc.bounds = box_of(0, 0, 10, 10);
            desc.no_pairs = 1; /* "56 an id (94) and up to 3.2 KB (6.2)" */
            bytes = spt_quadtree_bytes_for(&desc);
            test_context("capacity", capacity);
            CHECK(bytes > 0 && bytes <= each * (size_t)capacity + more);
        }
}

/* Nodes of more bytes than size_t can tell are no memory, not fewer bytes. */
static void a_capacity_that_does_not_fit_is_refused(void)
{
    spt_quadtree_desc desc = desc_of(1, 16, 5000000);
    const double nodes = 4194304, bytes = nodes * (sizeof(spti_node) + 16 * sizeof(spti_chain));
    size_t told;
    desc.bounds = box_of(0, 0, 10, 10);
    desc.no_pairs = 1;
    told = spt_quadtree_bytes_for(&desc);
    CHECK(told == 0 ? bytes > (double)(SIZE_MAX / 2) : (double)told >= bytes);
}

/* Else the first elements could use up, by splits alone, the memory that the last ones need: a
   crowd in which each has a finest cell of its own comes first, and then one elsewhere. */
static void splits_leave_nodes_for_what_is_still_to_come(void)
{
    static oracle o;
    double squares[2];
    int k;
    for (k = 0; k < 2; k++) { /* with a capacity, and without */
        spt_quadtree_desc desc = desc_of(2, 10, k ? 0 : 500);
        spt_index *tree = open_tree(&o, &oracle_worlds[0], &desc);
        spt_i32 id;
        for (id = 0; id < 500; id++) {
            int x = (int)(id % 20), y = (int)(id % 250 / 20);
            spt_box box = box_of(x, y, x, y);
            if (id >= 250) box = box_of(1000 - 7 * x, 1000 - 7 * y, 1000 - 7 * x, 1000 - 7 * y);
            oracle_insert(&o, id, &box);
        }
        CHECK(SPTI_CHAIN(tree, SPTI_WORLD).count < 50 && splits_of(tree) > 50);
        squares[k] = shape_of(tree).squares;
        oracle_compare(&o);
        oracle_close(&o);
    }
    CHECK(squares[0] < 4 * squares[1]);
}

/* ---- tidy ------------------------------------------------------------------------------------ */

/* Calls after which all is tidy: each does 16 cells and a thirty-second of all; one walk may be on
   its way, each of the next may make four leaves one and so let their parent be one of four, and
   the last finds nothing to do. */
static int calls_of_all_walks(const spt_index *tree)
{
    return 32 * (tree->as.quadtree.max_depth / 2 + 3);
}

static void tidy_for(spt_index *tree, int calls)
{
    while (calls-- > 0) spt_tidy(tree);
    CHECK(tree->cursor == 0 && tree->changes == tree->tidied);
}

static void tidy_gives_all_nodes_of_an_emptied_tree_back(void)
{
    static oracle o;
    int round;
    for (round = 0; round < 40; round++) {
        spt_index *tree = open_square(&o, 1 + round % 4, 1 + test_below(16));
        spt_i32 id;
        int calls;
        oracle_fill(&o, o.ids);
        if (round % 2) spt_tidy(tree);
        calls = calls_of_all_walks(tree);
        CHECK(splits_of(tree) > 0);
        for (id = 0; id < o.ids; id++) {
            oracle_remove(&o, id);
            if (round % 3 == 0 && id % 64 == 0) spt_tidy(tree);
        }
        tidy_for(tree, calls);
        CHECK(splits_of(tree) == 0 && tree->pool.used == 0);
        oracle_compare(&o);
        oracle_fill(&o, o.ids); /* and it may begin again */
        oracle_compare(&o);
        oracle_close(&o);
    }
}

static void tidy_of_many_nodes_takes_no_more_calls_than_it_says(void)
{
    spt_quadtree_desc desc = desc_of(1, 16, 0);
    spt_index tree;
    spt_i32 id, n = test_scale(60000);
    int calls;
    desc.bounds = box_of(0, 0, 1 << 16, 1 << 16);
    CHECK(spt_quadtree_init(&tree, &desc) == SPT_OK);
    for (id = 0; id < n; id++) {
        int x = test_below(1 << 16), y = test_below(1 << 16);
        spt_box box = box_of(x, y, x, y);
        CHECK(spt_insert(&tree, id, &box) == SPT_OK);
    }
    calls = calls_of_all_walks(&tree);
    for (id = 0; id < n; id++) CHECK(spt_remove(&tree, id) == SPT_OK);
    tidy_for(&tree, calls);
    CHECK(splits_of(&tree) == 0 && tree.pool.used == 0);
    CHECK(spt_check(&tree));
    spt_free(&tree);
}

/* Moves every so manyth element out of its finest cell, back and forth. */
static void move_some(spt_index *tree, spt_i32 every)
{
    spt_i32 id;
    for (id = 0; id < spt_count(tree); id += every) {
        spt_box box;
        CHECK(spt_box_of(tree, id, &box) == SPT_OK);
        box.min_x += box.min_x < 512 ? 512 : -512;
        box.max_x = box.min_x;
        CHECK(spt_move(tree, id, &box) == SPT_OK);
    }
}

/* All cells have but few elements here, so that work tells how many of them were looked at. */
static void tidy_looks_at_few_cells_and_a_thirty_second_of_all_a_call(void)
{
    static const spt_i32 shares[] = {4000, 40, 10, 4, 1};
    spt_quadtree_desc desc = desc_of(2, 10, 0);
    spt_index tree;
    spt_i32 id;
    int k, calls;
    desc.bounds = box_of(0, 0, 1024, 1024);
    CHECK(spt_quadtree_init(&tree, &desc) == SPT_OK);
    for (id = 0; id < 4000; id++) {
        int x = test_below(1024), y = test_below(1024);
        spt_box box = box_of(x, y, x, y);
        CHECK(spt_insert(&tree, id, &box) == SPT_OK);
    }
    for (k = 0; k < TEST_COUNT(shares); k++) {
        double cells;
        test_context("one in", shares[k]);
        tidy_for(&tree, calls_of_all_walks(&tree));
        work = 0;
        spt_tidy(&tree);
        CHECK(work == 0); /* "nothing once all is tidy and rests" */
        move_some(&tree, shares[k]);
        CHECK(tree.changes != tree.tidied);
        for (calls = 0; calls < 200 && tree.changes - tree.tidied + tree.cursor > 0; calls++) {
            cells = 16.0 * tree.node_count;
            work = 0;
            spt_tidy(&tree);
            CHECK(work <= 8 * (cells / 32 + 64));
        }
        CHECK(calls <= calls_of_all_walks(&tree));
    }
    CHECK(spt_check(&tree));
    spt_free(&tree);
}

#define ROWS 5000

/* Rows as wide as the world, which are all in the root: whoever looks through that for each move
   looks at thousands. Tidy may, but not again and again. */
static void a_move_among_rows_across_the_world_and_tidy_do_bounded_work(void)
{
    spt_quadtree_desc desc = desc_of(0, 0, 0);
    spt_index tree;
    double moves = 0, tidies = 0;
    spt_intlist found;
    spt_box window;
    int round, rounds = test.divisor < 8 ? 200 : 60;
    spt_i32 id;
    desc.bounds = box_of(0, 0, 100000, 100000);
    CHECK(spt_quadtree_init(&tree, &desc) == SPT_OK);
    for (id = 0; id < ROWS; id++) {
        spt_box row = box_of(0, 20 * (int)id, 100000, 20 * (int)id + 5);
        CHECK(spt_insert(&tree, id, &row) == SPT_OK);
    }
    for (round = 0; round < 50; round++) spt_tidy(&tree);
    window = box_of(100, 100, 3000, 3000);
    spt_intlist_init(&found, 1);
    work = 0;
    CHECK(spt_query(&tree, &window, NULL, &found) > 0 && work > 0); /* else nothing is counted */
    spt_intlist_free(&found);
    for (round = 0; round < rounds; round++) {
        int y = test_below(99990);
        spt_box row = box_of(0, y, 100000, y + 5);
        work = 0;
        CHECK(spt_move(&tree, (spt_i32)test_below(ROWS), &row) == SPT_OK);
        moves += work;
        work = 0;
        spt_tidy(&tree);
        tidies += work;
    }
    CHECK(moves <= 16.0 * rounds);
    CHECK(tidies <= 2.0 * rounds * ROWS);
    CHECK(spt_count(&tree) == ROWS && spt_check(&tree));
    spt_free(&tree);
}

/* ---- Lanes ----------------------------------------------------------------------------------- */

#define SWINGING 4000

/* What windows and nearest questions all over the world look at. */
static double work_of_questions(const spt_index *tree)
{
    spt_intlist found;
    int k;
    spt_intlist_init(&found, 1);
    work = 0;
    for (k = 0; k < 400; k++) {
        int x = k % 20 * 50, y = k / 20 * 50;
        spt_box window = box_of(x, y, x + 20, y + 20);
        CHECK(spt_query(tree, &window, NULL, &found) >= 0);
        CHECK(spt_nearest(tree, &window, 3, SPT_NO_LIMIT, NULL, &found) == 3);
    }
    spt_intlist_free(&found);
    return work;
}

/* Elements that swing between far places, and become large and small again, make lanes larger than
   they need to be. Tidy shrinks them: in the end questions look at about as much as in a tree that
   is new. */
static void lanes_that_grew_shrink_in_tidy(void)
{
    static spt_box boxes[SWINGING];
    spt_quadtree_desc desc = desc_of(0, 0, 0);
    spt_index tree, fresh;
    double grown, tidied, new_ones;
    int round;
    spt_i32 id;
    desc.bounds = box_of(0, 0, 1000, 1000);
    CHECK(spt_quadtree_init(&tree, &desc) == SPT_OK);
    CHECK(spt_quadtree_init(&fresh, &desc) == SPT_OK);
    for (round = 0; round < 8; round++)
        for (id = 0; id < SWINGING; id++) {
            int x = test_below(1000), y = test_below(1000), size = round % 2 ? test_below(300) : 4;
            boxes[id] = box_of(x, y, x + size, y + size);
            if (round == 0) CHECK(spt_insert(&tree, id, &boxes[id]) == SPT_OK);
            else CHECK(spt_move(&tree, id, &boxes[id]) == SPT_OK);
        }
    for (id = 0; id < SWINGING; id++) { /* small again, each where it was */
        boxes[id].max_x = boxes[id].min_x + 2, boxes[id].max_y = boxes[id].min_y + 2;
        CHECK(spt_move(&tree, id, &boxes[id]) == SPT_OK);
        CHECK(spt_insert(&fresh, id, &boxes[id]) == SPT_OK);
    }
    grown = work_of_questions(&tree);
    tidy_for(&tree, calls_of_all_walks(&tree));
    tidied = work_of_questions(&tree);
    new_ones = work_of_questions(&fresh);
    CHECK(tidied < 1.1 * new_ones);
    CHECK(tidied < 0.9 * grown);
    CHECK(spt_check(&tree));
    spt_free(&tree), spt_free(&fresh);
}

/* ---- Crowds ---------------------------------------------------------------------------------- */

#define CROWD 1500

/* How well the elements of a tree are told apart: the squares of how many its nodes have. */
static double tests_of(const spt_index *tree)
{
    return shape_of(tree).squares;
}

/* The same for a tree newly made of the elements of this one. */
static double tests_of_new(const spt_index *tree, spt_i32 capacity)
{
    spt_quadtree_desc desc = desc_of(0, 0, capacity);
    spt_index other;
    double sum;
    spt_i32 id;
    desc.bounds = tree->bounds;
    CHECK(spt_quadtree_init(&other, &desc) == SPT_OK);
    for (id = 0; id < CROWD; id++) {
        spt_box box;
        CHECK(spt_box_of(tree, id, &box) == SPT_OK);
        CHECK(spt_insert(&other, id, &box) == SPT_OK);
    }
    sum = tests_of(&other);
    spt_free(&other);
    return sum;
}

static spt_box crowd_box(spt_i32 id, spt_i32 giants, int x, int y)
{
    int dx = (int)(id * 7919L % 64) - 32, dy = (int)(id * 104729L % 61) - 30;
    if (id < giants) return box_of(-512, -512, 512, 512);
    return box_of(x + dx, y + dy, x + dx, y + dy + 1);
}

static void open_crowd(spt_index *tree, spt_i32 capacity)
{
    spt_quadtree_desc desc = desc_of(0, 0, capacity);
    desc.bounds = box_of(-512, -512, 512, 512);
    CHECK(spt_quadtree_init(tree, &desc) == SPT_OK);
}

/* What a crowd leaves behind must not use up the nodes, be there boxes that cover the world or not;
   and it must find nodes where it comes to. */
static void a_crowd_that_walks_is_told_apart_as_well_as_one_that_is_new(void)
{
    int kind, step, steps = test_scale(240) < 60 ? 60 : test_scale(240);
    for (kind = 0; kind < 4; kind++) {
        spt_i32 capacity = kind % 2 ? CROWD : 0, giants = kind / 2 * 10, id;
        double fresh;
        spt_index tree;
        open_crowd(&tree, capacity);
        for (step = 0; step < steps; step++) {
            int way = step * 8 % 1600; /* once round a square */
            int x = way < 400 ? way - 200 : way < 800 ? 200 : way < 1200 ? 1000 - way : -200;
            int y = way < 400 ? -200 : way < 800 ? way - 600 : way < 1200 ? 200 : 1400 - way;
            for (id = 0; id < CROWD; id++) {
                spt_box box = crowd_box(id, giants, x, y);
                if (step) CHECK(spt_move(&tree, id, &box) == SPT_OK);
                else CHECK(spt_insert(&tree, id, &box) == SPT_OK);
            }
            spt_tidy(&tree);
            if (step % 20 != 19) continue;
            fresh = tests_of_new(&tree, capacity);
            test_context("step", step);
            CHECK(tests_of(&tree) < 4 * fresh);
            CHECK(spt_check(&tree));
        }
        spt_free(&tree);
    }
}

/* Moves that stay in a node do not look at it: tidy has to. */
static void boxes_that_shrink_in_place_are_told_apart_by_tidy(void)
{
    spt_index tree;
    spt_i32 id;
    open_crowd(&tree, 0);
    for (id = 0; id < CROWD; id++) {
        spt_box box = crowd_box(id, CROWD, 0, 0);
        CHECK(spt_insert(&tree, id, &box) == SPT_OK);
    }
    CHECK(splits_of(&tree) == 0);
    for (id = 0; id < CROWD; id++) {
        spt_box box = crowd_box(id, 0, 100, 100);
        CHECK(spt_move(&tree, id, &box) == SPT_OK);
    }
    for (id = 0; id < 20; id++) spt_tidy(&tree);
    CHECK(splits_of(&tree) > 0 && tests_of(&tree) < 2 * tests_of_new(&tree, 0));
    CHECK(spt_check(&tree));
    spt_free(&tree);
}

/* Piles of twenty boxes at nearly one place each are not worth a chain of nodes down to there, so
   that with a capacity there are nodes for all. */
static void piles_do_not_use_up_the_nodes_of_others(void)
{
    spt_index tree, grows;
    spt_i32 id;
    open_crowd(&tree, CROWD);
    open_crowd(&grows, 0);
    for (id = 0; id < CROWD; id++) {
        int pile = (int)(id / 20), x = pile * 13 - 500, y = pile * 193 % 1000 - 500;
        spt_box box = box_of(x, y, x, y + (int)(id % 2));
        CHECK(spt_insert(&tree, id, &box) == SPT_OK);
        CHECK(spt_insert(&grows, id, &box) == SPT_OK);
    }
    CHECK(splits_of(&tree) < CROWD / 20 * 2 && splits_of(&tree) == splits_of(&grows));
    CHECK(tests_of(&tree) <= 2 * 20 * CROWD);
    spt_free(&tree);
    spt_free(&grows);
}

/* Each reaches over the border of the first split. */
static void a_row_across_the_middle_is_told_apart(void)
{
    spt_index tree;
    spt_i32 id;
    open_crowd(&tree, CROWD);
    for (id = 0; id < CROWD; id++) {
        double x = (double)id / 2 - 375;
        spt_box box = box_of(x, -1, x + 1, 1);
        CHECK(spt_insert(&tree, id, &box) == SPT_OK);
    }
    CHECK(tests_of(&tree) <= 96 * CROWD);
    spt_free(&tree);
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

#define MOST_NODES 8192

typedef struct node_log {
    spt_box boxes[MOST_NODES];
    int levels[MOST_NODES + 16]; /* behind the last: -1 */
    spt_i32 counts[MOST_NODES];
    int nodes;
} node_log;

static int log_node(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    node_log *log = (node_log *)ctx;
    if (!CHECK(log->nodes < MOST_NODES)) return 1;
    log->boxes[log->nodes] = *box;
    log->levels[log->nodes] = level;
    log->counts[log->nodes] = count;
    log->nodes++;
    return 0;
}

static const node_log *take_nodes(const spt_index *tree)
{
    static node_log log;
    int i;
    log.nodes = 0;
    CHECK(spt_traverse(tree, log_node, &log) == 0);
    for (i = 0; i < 16; i++) log.levels[log.nodes + i] = -1;
    return &log;
}

/* Nodes come parents first: the child of a node is behind it. */
static int is_leaf(const node_log *log, int node)
{
    return log->levels[node + 1] <= log->levels[node];
}

static void tidy_leaves_no_sixteen_leaves_that_could_be_one(void)
{
    static oracle o;
    int round, i, k;
    for (round = 0; round < 20; round++) {
        int capacity = 2 + 2 * test_below(8);
        spt_index *tree = open_square(&o, capacity, 1 + test_below(8));
        const node_log *log;
        spt_i32 id;
        oracle_fill(&o, o.ids);
        for (id = 0; id < o.ids; id++)
            if (id % 8 < round % 8) oracle_remove(&o, id);
        tidy_for(tree, calls_of_all_walks(tree));
        log = take_nodes(tree);
        for (i = 1; i < log->nodes; i++) {
            spt_i32 sum = 0;
            if (log->levels[i - 1] >= log->levels[i]) continue; /* no first child */
            for (k = i; k < i + 16 && log->levels[k] == log->levels[i] && is_leaf(log, k); k++)
                sum += log->counts[k];
            CHECK(k < i + 16 || sum > capacity / 2);
        }
        oracle_compare(&o);
        oracle_close(&o);
    }
}

/* Without a chunk left, sixteen leaves stay as they are until there is room to make them one. */
static void a_merge_without_room_waits(void)
{
    static oracle o;
    spt_index *tree = open_square(&o, 8, 8);
    spt_i32 id, capacity = 0;
    oracle_fill(&o, o.ids);
    for (id = 4; id < o.ids; id++) oracle_remove(&o, id);
    CHECK(splits_of(tree) > 0);
    tree->fixed = 1, capacity = tree->pool.capacity;
    tree->pool.capacity = tree->pool.used; /* as if all the others were in use */
    for (id = 0; id < 200; id++) spt_tidy(tree);
    CHECK(splits_of(tree) > 0);
    tree->fixed = 0, tree->pool.capacity = capacity;
    oracle_compare(&o);
    oracle_remove(&o, 0);
    tidy_for(tree, calls_of_all_walks(tree));
    CHECK(splits_of(tree) == 0);
    oracle_compare(&o);
    oracle_close(&o);
}

/* The finest cells of a box, in the square world. A division says where
   cells of integers end. */
static void finest_cells(const spt_index *tree, const spt_box *box, spti_cells *c)
{
#ifdef SPATIAL_INT
    spti_cells_of(&tree->map, box, c);
#else
    int cells = 1 << tree->as.quadtree.max_depth, k, at[4];
    double edges[4];
    edges[0] = (double)box->min_x, edges[1] = (double)box->min_y;
    edges[2] = (double)box->max_x, edges[3] = (double)box->max_y;
    for (k = 0; k < 4; k++) {
        double cell = floor(edges[k] / 1024 * cells);
        at[k] = cell < 0 ? 0 : cell < cells ? (int)cell : cells - 1;
    }
    c->x0 = (spt_u32)at[0], c->y0 = (spt_u32)at[1];
    c->x1 = (spt_u32)at[2], c->y1 = (spt_u32)at[3];
#endif
}

/* How many elements belong to a cell: on the even level of their size, or of the one before, in the
   cell of their lower corner; of a leaf also the ones that belong below it. */
static spt_i32 brute_in_node(const oracle *o, const node_log *log, int node, int max_depth)
{
    int level = log->levels[node], up = max_depth - level;
    spt_u32 x = (spt_u32)(log->boxes[node].min_x / (spt_coord)(1024 >> level));
    spt_u32 y = (spt_u32)(log->boxes[node].min_y / (spt_coord)(1024 >> level));
    spt_i32 id, n = 0;
    for (id = 0; id < o->ids; id++) {
        spti_cells c;
        spt_u32 reach;
        int own = max_depth;
        if (!o->there[id]) continue;
        finest_cells(&o->index, &o->boxes[id], &c);
        reach = c.x1 - c.x0 > c.y1 - c.y0 ? c.x1 - c.x0 : c.y1 - c.y0;
        while (reach > 1u << (max_depth - own)) own--;
        own += own % 2;
        if (own == level || (own > level && is_leaf(log, node)))
            n += c.x0 >> up == x && c.y0 >> up == y;
    }
    return n;
}

static void each_element_is_in_the_node_of_its_size_and_lower_corner(void)
{
    static oracle o;
    int depth, i;
    for (depth = 2; depth <= 8; depth += 2) {
        spt_index *tree = open_square(&o, 3, depth - depth / 2 % 2); /* an odd one is rounded up */
        const node_log *log;
        int leaves = 0;
        spt_i32 in_branches = 0, id;
        oracle_fill(&o, 300);
        for (id = 0; id < 300; id += 2) {
            spt_box box = oracle_random_box(&o);
            oracle_move(&o, id, &box);
        }
        log = take_nodes(tree);
        for (i = 0; i < log->nodes; i++) {
            CHECK(log->levels[i] <= depth);
            CHECK(log->boxes[i].max_x - log->boxes[i].min_x == (spt_coord)(1024 >> log->levels[i]));
            CHECK(log->boxes[i].max_y - log->boxes[i].min_y == (spt_coord)(1024 >> log->levels[i]));
            leaves += is_leaf(log, i);
            if (!is_leaf(log, i)) in_branches += log->counts[i];
            CHECK(log->counts[i] == brute_in_node(&o, log, i, depth));
        }
        CHECK(in_branches > 0); /* the large ones */
        CHECK(log->nodes % 16 == 1 && leaves == log->nodes - log->nodes / 16);
        oracle_close(&o);
    }
}

/* ---- The check itself ------------------------------------------------------------------------ */

/* The last that has a node below it, and is not the world. */
static spt_i32 some_branch(const spt_index *tree)
{
    spt_i32 cell = 16 * tree->node_count - 1;
    while (cell > 0 && tree->nodes[cell / 16].below[cell % 16] < 0) cell--;
    if (!CHECK(cell > 0)) exit(1);
    return cell;
}

/* Twenty on a point in the first cell, others elsewhere, one across the world; some are gone. */
static spt_index *open_broken(oracle *o)
{
    spt_quadtree_desc desc = desc_of(2, 4, 60);
    spt_index *tree = open_tree(o, &oracle_worlds[0], &desc);
    spt_i32 id;
    for (id = 0; id < 60; id++) {
        int x = id < 20 ? 3 : test_below(900), y = id < 20 ? 3 : test_below(900);
        spt_box box = box_of(x, y, x + (id >= 50 ? 100 : 0), y);
        if (id == 59) box = box_of(3, 3, 1000, 3);
        oracle_insert(o, id, &box);
    }
    for (id = 30; id < 45; id++) oracle_remove(o, id);
    CHECK(spt_check(tree) && splits_of(tree) > 3 && tree->pool.free_head >= 0);
    return tree;
}

static void check_finds_what_is_wrong_with_nodes(void)
{
    static oracle o;
    spt_index *tree = open_broken(&o);
    spt_i32 branch = some_branch(tree), *below = &tree->nodes[branch / 16].below[branch % 16];
    spti_node *node = &tree->nodes[*below];
    oracle_expect_broken(tree, &tree->node_count, tree->node_room + 1);
    oracle_expect_broken(tree, &tree->node_count, 1000000);
    oracle_expect_broken(tree, below, 1000000);
    oracle_expect_broken(tree, below, branch / 16); /* a ring */
    oracle_expect_broken(tree, below, 0);           /* a longer one */
    oracle_expect_broken(tree, below, -7);
    oracle_expect_broken(tree, below, SPT_NONE); /* the children are lost */
    oracle_expect_broken(tree, &node->above, branch - 1);
    oracle_expect_broken(tree, &node->above, 16 * *below); /* its own cell */
    node = &tree->nodes[branch / 16]; /* without the lane around the children */
    oracle_expect_broken(tree, &node->used,
                         (spt_i32)(node->used & ~((spt_u32)0x10000 << branch % 16)));
    oracle_close(&o);
}

static const test_case tests[] = {
    TEST(random_operations_agree_with_the_naive_model),
    TEST(nodes_and_chunks_have_the_sizes_that_are_promised),
    TEST(bad_descriptions_are_refused),
    TEST(zeros_mean_the_defaults),
    TEST(a_leaf_splits_when_it_holds_more_than_its_capacity),
    TEST(elements_that_are_too_large_for_children_do_not_split_a_leaf),
    TEST(points_in_neighbouring_cells_split_down_to_max_depth),
    TEST(a_few_points_side_by_side_take_no_chain_of_nodes),
    TEST(a_build_takes_few_bytes_an_element),
    TEST(points_in_one_finest_cell_do_not_split),
    TEST(a_move_within_its_node_writes_only_the_box),
    TEST(with_a_capacity_no_insert_and_no_move_fails),
    TEST(with_a_capacity_there_is_a_chunk_wherever_elements_go),
    TEST(a_capacity_takes_the_bytes_that_are_promised),
    TEST(a_capacity_that_does_not_fit_is_refused),
    TEST(splits_leave_nodes_for_what_is_still_to_come),
    TEST(tidy_gives_all_nodes_of_an_emptied_tree_back),
    TEST(tidy_of_many_nodes_takes_no_more_calls_than_it_says),
    TEST(tidy_looks_at_few_cells_and_a_thirty_second_of_all_a_call),
    TEST(a_move_among_rows_across_the_world_and_tidy_do_bounded_work),
    TEST(lanes_that_grew_shrink_in_tidy),
    TEST(a_crowd_that_walks_is_told_apart_as_well_as_one_that_is_new),
    TEST(boxes_that_shrink_in_place_are_told_apart_by_tidy),
    TEST(piles_do_not_use_up_the_nodes_of_others),
    TEST(a_row_across_the_middle_is_told_apart),
    TEST(tidy_leaves_no_sixteen_leaves_that_could_be_one),
    TEST(a_merge_without_room_waits),
    TEST(each_element_is_in_the_node_of_its_size_and_lower_corner),
    TEST(check_finds_what_is_wrong_with_nodes),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
