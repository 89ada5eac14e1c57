/* test_quadtree.c - the adaptive quadtree beside the naive model, and what the model cannot see:
   splits, merges, links, the limits of a capacity. */
#define SPATIAL_NO_LINEAR /* what is not tested here is not compiled */
#define SPATIAL_NO_LOOSEGRID
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"

/* An empty tree of this desc, its bounds excepted, beside an empty model. */
static spt_quadtree *open_tree(oracle *o, const oracle_world *world, spt_quadtree_desc *desc)
{
    oracle_setup setup = {NULL, "quadtree", 0, ORACLE_IDS, 0, {NULL, NULL}, NULL};
    setup.world = world;
    setup.capacity = desc->capacity;
    if (desc->capacity) setup.ids = desc->capacity;
    CHECK(oracle_open(o, &setup) == SPT_OK);
    o->index.free(o->index.object);
    desc->bounds = oracle_bounds(world);
    CHECK(spt_quadtree_init(&o->object.quadtree, desc) == SPT_OK);
    return &o->object.quadtree;
}

static spt_quadtree_desc desc_of(int leaf_capacity, int max_depth, spt_i32 capacity, spt_i32 links)
{
    spt_quadtree_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.leaf_capacity = leaf_capacity;
    desc.max_depth = max_depth;
    desc.capacity = capacity;
    desc.links = links;
    return desc;
}

/* A tree in the square world of 1024 by 1024. */
static spt_quadtree *open_square(oracle *o, int leaf_capacity, int max_depth)
{
    spt_quadtree_desc desc = desc_of(leaf_capacity, max_depth, 0, 0);
    return open_tree(o, &oracle_worlds[0], &desc);
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

static void nodes_have_eight_bytes(void)
{
    CHECK(sizeof(spti_bag) == 8);
    CHECK(sizeof(spti_element) == 12);
}

static void expect_refused(const spt_quadtree_desc *desc)
{
    spt_quadtree tree;
    CHECK(spt_quadtree_init(&tree, desc) == SPT_ERR_ARGUMENT);
    CHECK(spt_quadtree_bytes_for(desc) == 0);
}

static void bad_descriptions_are_refused(void)
{
    static const int leaves[] = {-1, 1001, INT_MIN, INT_MAX};
    static const int depths[] = {-1, SPT_QUADTREE_MAX_DEPTH + 1, INT_MIN, INT_MAX};
    spt_quadtree_desc desc = desc_of(0, 0, 0, 0);
    int i;
    expect_refused(NULL);
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
        desc.capacity = 10;
        desc.links = i ? INT32_MIN : -1;
        expect_refused(&desc);
        desc.links = 0;
    }
}

/* Zeros make the same tree as the defaults written out. */
static void zeros_mean_the_defaults(void)
{
    spt_quadtree_desc zeros = desc_of(0, 0, 300, 0), same = desc_of(16, 12, 300, 900);
    spt_quadtree_desc other = desc_of(16, 12, 300, 907);
    spt_quadtree trees[2];
    int t;
    zeros.bounds = same.bounds = other.bounds = box_of(0, 0, 10, 10);
    CHECK(spt_quadtree_bytes_for(&zeros) == spt_quadtree_bytes_for(&same));
    CHECK(spt_quadtree_bytes_for(&other) > spt_quadtree_bytes_for(&same));
    for (t = 0; t < 2; t++) CHECK(spt_quadtree_init(&trees[t], t ? &same : &zeros) == SPT_OK);
    CHECK(trees[0].leaf_capacity == 16 && trees[0].max_depth == 12);
    CHECK(trees[0].pool.limit == trees[1].pool.limit);
    CHECK(trees[0].quads_limit == trees[1].quads_limit);
    CHECK(spt_quadtree_bytes(&trees[0]) == spt_quadtree_bytes_for(&zeros));
    for (t = 0; t < 2; t++) spt_quadtree_free(&trees[t]);
}

/* ---- Splitting ------------------------------------------------------------------------------- */

static void a_leaf_splits_when_it_holds_more_than_its_capacity(void)
{
    static oracle o;
    int capacity;
    for (capacity = 1; capacity <= 40; capacity++) {
        spt_quadtree *tree = open_square(&o, capacity, 8);
        spt_i32 id;
        for (id = 0; id <= capacity; id++) { /* in turn in all four quarters */
            int at = 8 + 12 * (int)id, x = id & 1 ? 1024 - at : at, y = id & 2 ? 1024 - at : at;
            spt_box box = box_of(x, y, x, y);
            test_context("capacity", capacity);
            CHECK(tree->quads == 1);
            oracle_insert(&o, id, &box);
        }
        CHECK(tree->quads == 2 && tree->links == capacity + 1);
        oracle_compare(&o);
        oracle_close(&o);
    }
}

static void elements_that_cover_a_leaf_do_not_split_it(void)
{
    static const spt_box covers[] = {
        {0, 0, 1024, 1024}, {-500, -500, 2000, 2000}, {500, 500, 524, 524}, {200, 300, 900, 800}};
    static oracle o;
    spt_i32 id;
    int leaf;
    for (leaf = 1; leaf <= 16; leaf++) {
        spt_quadtree *tree = open_square(&o, leaf, 16);
        for (id = 0; id < o.ids; id++) oracle_insert(&o, id, &covers[id % TEST_COUNT(covers)]);
        CHECK(tree->quads == 1 && tree->links == o.ids);
        oracle_compare(&o);
        oracle_pairs(&o);
        oracle_close(&o);
    }
}

/* Inserts `count` points, in turn into two finest cells that are neighbours and siblings. */
static spt_quadtree *open_pile(oracle *o, int depth, spt_i32 count)
{
    spt_quadtree *tree = open_square(o, 4, depth);
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
        spt_quadtree *tree = open_pile(&o, depth, ORACLE_IDS);
        CHECK(tree->quads == 1 + depth && tree->links == o.count);
        oracle_compare(&o);
        oracle_pairs(&o);
        oracle_close(&o);
    }
}

/* Nodes are worth a leaf_capacity of elements each, not a chain of them for a few. */
static void a_few_points_side_by_side_take_no_chain_of_nodes(void)
{
    static oracle o;
    spt_quadtree *tree = open_pile(&o, 9, 7);
    CHECK(tree->quads == 1);
    oracle_compare(&o);
    oracle_close(&o);
}

static void points_in_one_finest_cell_do_not_split(void)
{
    static oracle o;
    int depth;
    for (depth = 1; depth <= SPT_QUADTREE_MAX_DEPTH; depth++) {
        spt_quadtree *tree = open_square(&o, 4, depth);
        spt_box point = box_of(1023, 3, 1023, 3);
        spt_i32 id;
        for (id = 0; id < o.ids; id++) oracle_insert(&o, id, &point);
        CHECK(tree->quads == 1 && tree->links == o.ids);
        oracle_compare(&o);
        oracle_query(&o, &point);
        oracle_close(&o);
    }
}

/* ---- Moves ----------------------------------------------------------------------------------- */

/* "If it stays in its leaves nothing but the box is written": so the nodes and lists stay as they
   are, and moving back gives every byte back. */
static void a_move_within_its_leaves_writes_only_the_box(void)
{
    static oracle o;
    spt_quadtree_desc desc = desc_of(2, 5, 0, 0); /* finest cells of 32 by 32 */
    spt_quadtree *tree, before;
    spt_box there = {2, 2, 3, 3}, near_by = {20, 4, 31, 31}, away = {900, 900, 901, 901};
    spt_box across = {2, 2, 600, 3};
    test_memory memory;
    uint32_t hash, lists;
    size_t bytes;
    spt_i32 id;
    test_memory_open(&memory, &desc.allocator);
    memory.fill = 1;
    tree = open_tree(&o, &oracle_worlds[0], &desc);
    for (id = 0; id < 100; id++) oracle_insert(&o, id, id % 4 ? &there : &away);
    CHECK(tree->quads > 1 && tree->pool.blocks.data);
    before = *tree;
    hash = test_memory_hash(&memory);
    bytes = (size_t)tree->pool.blocks.count * 32;
    lists = test_hash(1, tree->pool.blocks.data, bytes);
    oracle_move(&o, 2, &near_by);
    CHECK(memcmp(&before, tree, sizeof before) == 0);
    CHECK(test_hash(1, tree->pool.blocks.data, bytes) == lists);
    CHECK(test_memory_hash(&memory) != hash);
    oracle_move(&o, 2, &there);
    CHECK(test_memory_hash(&memory) == hash);
    oracle_move(&o, 2, &across); /* into others */
    CHECK(test_hash(1, tree->pool.blocks.data, bytes) != lists && tree->links > before.links);
    oracle_compare(&o);
    oracle_close(&o);
}

/* ---- Limits of a capacity -------------------------------------------------------------------- */

/* All results in their order: those of windows all over the world, and the pairs. */
static void take_results(oracle *o, spt_intlist *ids, spt_intlist *pairs)
{
    int x, y;
    spt_intlist_init(ids, 1);
    spt_intlist_init(pairs, 2);
    for (y = -1; y <= 8; y++)
        for (x = -1; x <= 8; x++) {
            spt_box window = box_of(x * 128, y * 128, x * 128 + 160, y * 128 + 160);
            spt_i32 n = o->index.query(o->index.object, &window, ids);
            CHECK(n >= 0 && spt_intlist_push(ids, &n) >= 0);
        }
    CHECK(o->index.pairs(o->index.object, pairs) >= 0);
}

/* Inserts (or moves) id to a box for which there are not enough links: nothing may change. */
static void expect_full(oracle *o, spt_i32 id, const spt_box *box)
{
    spt_intlist ids[2], pairs[2];
    spt_i32 links = o->object.quadtree.links;
    int t;
    take_results(o, &ids[0], &pairs[0]);
    if (o->there[id]) CHECK(o->index.move(o->index.object, id, box) == SPT_ERR_FULL);
    else CHECK(o->index.insert(o->index.object, id, box) == SPT_ERR_FULL);
    oracle_compare(o);
    CHECK(o->object.quadtree.links >= links);
    take_results(o, &ids[1], &pairs[1]);
    CHECK(same_results(&ids[0], &ids[1]) && same_results(&pairs[0], &pairs[1]));
    for (t = 0; t < 2; t++) {
        spt_intlist_free(&ids[t]);
        spt_intlist_free(&pairs[t]);
    }
}

static spt_i32 leaves_touched(const spt_quadtree *tree, const spt_box *box)
{
    spti_cells cells;
    spti_path path;
    spti_bag leaf;
    spt_i32 leaves = 0;
    spti_cells_of(&tree->map, box, &cells);
    spti_path_first(tree, &path, &cells, &leaf);
    do leaves++;
    while (spti_path_next(tree, &path, &leaf));
    return leaves;
}

/* An insert or a move, which may be refused only if there would be more than `links` of them.
   (While it moves, an element is listed both where it was and where it comes to.) Returns what that
   returned. */
static int place_within(oracle *o, spt_i32 id, const spt_box *box, spt_i32 links)
{
    const spt_quadtree *tree = &o->object.quadtree;
    int result = o->there[id] ? o->index.move(o->index.object, id, box)
                              : o->index.insert(o->index.object, id, box);
    if (result != SPT_OK) {
        CHECK(result == SPT_ERR_FULL);
        CHECK(tree->links + leaves_touched(tree, box) > links);
        oracle_compare_one(o, id);
        if (test_below(10) == 0) oracle_compare(o);
        return result;
    }
    o->count += !o->there[id];
    o->there[id] = 1;
    o->boxes[id] = *box;
    return SPT_OK;
}

static void without_links_insert_and_move_change_nothing(void)
{
    static oracle o;
    spt_quadtree_desc desc = desc_of(16, 6, 500, 500);
    spt_quadtree *tree = open_tree(&o, &oracle_worlds[0], &desc);
    spt_box whole = oracle_bounds(o.world);
    spt_i32 id;
    for (id = 0; id < 400; id++) {
        int x = 25 + 50 * (int)(id % 20), y = 25 + 50 * (int)(id / 20);
        spt_box point = box_of(x, y, x, y);
        oracle_insert(&o, id, &point);
    }
    CHECK(tree->quads > 20);
    while (id < o.ids && place_within(&o, id, &whole, desc.links) == SPT_OK) id++;
    if (!CHECK(id > 400 && id < o.ids)) return;
    expect_full(&o, id, &whole);
    expect_full(&o, 5, &whole);
    for (id = 0; id < o.ids; id++)
        if (id != 5) oracle_remove(&o, id);
    for (id = 0; id < 50; id++) spt_quadtree_tidy(tree);
    oracle_move(&o, 5, &whole); /* now there is room */
    for (id = 6; id < o.ids; id++) oracle_insert(&o, id, &whole);
    oracle_compare(&o);
    oracle_pairs(&o);
    oracle_close(&o);
}

static int fill_to_the_bound(const oracle_world *world, int depth, spt_i32 per_id)
{
    static oracle o;
    spt_quadtree_desc desc = desc_of(1 + test_below(30), depth, 1 + test_below(ORACLE_IDS), 0);
    spt_quadtree *tree;
    spt_i32 step, steps, full = 0;
    desc.links = per_id * desc.capacity;
    tree = open_tree(&o, world, &desc);
    steps = (spt_i32)test_scale(3 * (int)desc.capacity);
    for (step = 0; step < steps; step++) {
        spt_box box = oracle_random_box(&o), window = oracle_random_box(&o);
        spt_i32 id = (spt_i32)test_below((int)o.ids);
        if (step < steps / 2) box.max_x = box.min_x, box.max_y = box.min_y;
        else if (test_below(2)) box = oracle_bounds(world); /* which are in all of many leaves */
        test_context(world->name, step);
        full += place_within(&o, id, &box, desc.links) != SPT_OK;
        if (test_below(8) == 0) oracle_remove(&o, (spt_i32)test_below((int)o.ids));
        if (test_below(30) == 0) spt_quadtree_tidy(tree);
        if (test_below(10) == 0) oracle_query(&o, &window);
    }
    oracle_compare(&o);
    oracle_pairs(&o);
    CHECK(tree->pool.used <= tree->pool.limit);
    oracle_close(&o);
    return full > 0;
}

static void there_is_room_for_desc_links_however_they_are_spread(void)
{
    int world, depth, filled = 0;
    for (world = 0; world < ORACLE_WORLDS; world++)
        for (depth = 1; depth <= SPT_QUADTREE_MAX_DEPTH; depth++) {
            filled += fill_to_the_bound(&oracle_worlds[world], depth, 1);
            filled += fill_to_the_bound(&oracle_worlds[world], depth, 1 + test_below(6));
        }
    CHECK(filled > 10 || test.divisor > 1); /* else this has tested nothing */
}

/* Else the first elements could use up, by splits alone, what the last ones need. */
static void splits_leave_links_for_what_is_still_to_come(void)
{
    static oracle o;
    spt_quadtree_desc desc = desc_of(2, 10, 500, 500);
    spt_quadtree *tree = open_tree(&o, &oracle_worlds[0], &desc);
    spt_i32 id, splits = 0;
    for (id = 0; id < o.ids; id++) {
        int x = test_below(1000), y = test_below(1000);
        spt_box box = box_of(x, y, x + 8, y + 8);
        spt_i32 links = tree->links + leaves_touched(tree, &box);
        if (place_within(&o, id, &box, desc.links) != SPT_OK || tree->links <= links) continue;
        links = tree->links_split - (o.ids - o.count) * tree->links_each;
        CHECK(tree->links <= links + leaves_touched(tree, &box));
        splits++;
    }
    CHECK(splits > 10); /* that took links */
    oracle_compare(&o);
    oracle_close(&o);
}

/* ---- tidy ------------------------------------------------------------------------------------ */

/* Calls in which tidy goes over so many leaves twice: one walk may be on its way, and only the next
   is sure to see all. Each does 32 leaves and a sixth of all, at most 16384. */
static int calls_of_two_walks(spt_i32 leaves)
{
    int calls = 0;
    for (; leaves > 0; calls++) leaves -= leaves < 6 * 16352L ? 32 + leaves / 6 : 16384;
    return 2 * calls + 2;
}

static void tidy_for(spt_quadtree *tree, int calls)
{
    while (calls-- > 0) spt_quadtree_tidy(tree);
    CHECK(tree->cursor == 0 && tree->untidy == 0);
}

static void tidy_gives_all_nodes_of_an_emptied_tree_back(void)
{
    static oracle o;
    int round;
    for (round = 0; round < 40; round++) {
        spt_quadtree *tree = open_square(&o, 1 + round % 4, 1 + test_below(16));
        spt_i32 id;
        int calls;
        oracle_fill(&o, o.ids);
        if (round % 2) spt_quadtree_tidy(tree);
        calls = calls_of_two_walks(3 * tree->quads - 2);
        CHECK(tree->quads > 1);
        for (id = 0; id < o.ids; id++) {
            oracle_remove(&o, id);
            if (round % 3 == 0 && id % 64 == 0) spt_quadtree_tidy(tree);
        }
        tidy_for(tree, calls);
        CHECK(tree->quads == 1 && tree->pool.used == 1 && tree->links == 0);
        oracle_compare(&o);
        oracle_fill(&o, o.ids); /* and it may begin again */
        oracle_compare(&o);
        oracle_close(&o);
    }
}

static void tidy_of_many_leaves_takes_no_more_calls_than_it_says(void)
{
    spt_quadtree_desc desc = desc_of(1, 16, 0, 0);
    spt_quadtree tree;
    spt_i32 id, n = test_scale(60000);
    int calls;
    desc.bounds = box_of(0, 0, 1 << 16, 1 << 16);
    CHECK(spt_quadtree_init(&tree, &desc) == SPT_OK);
    for (id = 0; id < n; id++) {
        int x = test_below(1 << 16), y = test_below(1 << 16);
        spt_box box = box_of(x, y, x, y);
        CHECK(spt_quadtree_insert(&tree, id, &box) == SPT_OK);
    }
    calls = calls_of_two_walks(3 * tree.quads - 2);
    for (id = 0; id < n; id++) CHECK(spt_quadtree_remove(&tree, id) == SPT_OK);
    tidy_for(&tree, calls);
    CHECK(tree.quads == 1 && tree.pool.used == 1);
    CHECK(spt_quadtree_check(&tree));
    spt_quadtree_free(&tree);
}

static void tidy_of_a_tidy_tree_writes_nothing(void)
{
    static oracle o;
    spt_quadtree_desc desc = desc_of(3, 7, 0, 0);
    spt_quadtree *tree, before;
    test_memory memory;
    uint32_t hash;
    spt_i32 id;
    test_memory_open(&memory, &desc.allocator);
    memory.fill = 1;
    tree = open_tree(&o, &oracle_worlds[0], &desc);
    oracle_fill(&o, o.ids);
    CHECK(tree->untidy == 0); /* nothing has left a leaf yet */
    for (id = 0; id < o.ids; id += 2) oracle_remove(&o, id);
    CHECK(tree->untidy > 0);
    tidy_for(tree, calls_of_two_walks(3 * tree->quads - 2));
    before = *tree;
    hash = test_memory_hash(&memory);
    spt_quadtree_tidy(tree);
    CHECK(memcmp(&before, tree, sizeof before) == 0);
    CHECK(test_memory_hash(&memory) == hash);
    oracle_close(&o);
}

/* Leaves that come before the cursor of tidy. */
static spt_i32 leaves_walked(const spt_quadtree *tree)
{
    spti_path path;
    spti_bag leaf;
    spt_i32 leaves = 0;
    int more = 1;
    spti_path_first(tree, &path, &spti_everywhere, &leaf);
    for (; more; more = spti_path_next(tree, &path, &leaf), leaves++) {
        int up = tree->max_depth - path.depth;
        if (leaves > 0 && spt_morton_interleave(path.x << up, path.y << up) == tree->cursor) break;
    }
    return leaves;
}

/* Moves every so manyth element out of its finest cell, back and forth. */
static void move_some(spt_quadtree *tree, spt_i32 every)
{
    spt_i32 id;
    for (id = 0; id < tree->table.count; id += every) {
        spt_box box = *spt_quadtree_box(tree, id);
        box.min_x += box.min_x < 512 ? 512 : -512;
        box.max_x = box.min_x;
        CHECK(spt_quadtree_move(tree, id, &box) == SPT_OK);
    }
}

static void tidy_walks_over_as_large_a_share_as_has_moved(void)
{
    static const spt_i32 shares[] = {4000, 40, 10, 4, 1};
    spt_quadtree_desc desc = desc_of(2, 10, 0, 0);
    spt_quadtree tree;
    spt_i32 id, all, walked;
    int k;
    desc.bounds = box_of(0, 0, 1024, 1024);
    CHECK(spt_quadtree_init(&tree, &desc) == SPT_OK);
    for (id = 0; id < 4000; id++) {
        int x = test_below(1024), y = test_below(1024);
        spt_box box = box_of(x, y, x, y);
        CHECK(spt_quadtree_insert(&tree, id, &box) == SPT_OK);
    }
    for (k = 0; k < TEST_COUNT(shares); k++) {
        test_context("one in", shares[k]);
        tidy_for(&tree, 40);
        move_some(&tree, shares[k]);
        all = 3 * tree.quads - 2;
        spt_quadtree_tidy(&tree);
        walked = leaves_walked(&tree);
        CHECK(walked >= 30 && walked <= 33 + 2 * all / (6 * shares[k]));
        spt_quadtree_tidy(&tree); /* nothing has moved: so it comes to an end soon */
        CHECK(tree.cursor == 0 || leaves_walked(&tree) > walked + tree.quads * 2 / 5);
    }
    CHECK(spt_quadtree_check(&tree));
    spt_quadtree_free(&tree);
}

/* ---- Crowds ---------------------------------------------------------------------------------- */

#define CROWD 1500

static int add_square(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    (void)box, (void)level;
    *(double *)ctx += (double)count * (double)count;
    return 0;
}

/* What the pairs of a tree cost at most: the squares of the lengths of its leaves. */
static double tests_of(const spt_quadtree *tree)
{
    double sum = 0;
    CHECK(spt_quadtree_traverse(tree, add_square, &sum) == 0);
    return sum;
}

/* The same for a tree newly made of the elements of this one. */
static double tests_of_new(const spt_quadtree *tree, spt_i32 capacity)
{
    spt_quadtree_desc desc = desc_of(0, 0, capacity, 0);
    spt_quadtree other;
    double sum;
    spt_i32 id;
    desc.bounds = tree->bounds;
    CHECK(spt_quadtree_init(&other, &desc) == SPT_OK);
    for (id = 0; id < CROWD; id++)
        CHECK(spt_quadtree_insert(&other, id, spt_quadtree_box(tree, id)) == SPT_OK);
    sum = tests_of(&other);
    spt_quadtree_free(&other);
    return sum;
}

static spt_box crowd_box(spt_i32 id, spt_i32 giants, int x, int y)
{
    int dx = (int)(id * 7919L % 64) - 32, dy = (int)(id * 104729L % 61) - 30;
    if (id < giants) return box_of(-512, -512, 512, 512);
    return box_of(x + dx, y + dy, x + dx, y + dy + 1);
}

static void open_crowd(spt_quadtree *tree, spt_i32 capacity)
{
    spt_quadtree_desc desc = desc_of(0, 0, capacity, 8 * capacity);
    desc.bounds = box_of(-512, -512, 512, 512);
    CHECK(spt_quadtree_init(tree, &desc) == SPT_OK);
}

/* What a crowd leaves behind must not use up nodes and links, be it held apart by boxes that cover
   the world or not; and it must find nodes where it comes to. */
static void a_crowd_that_walks_is_told_apart_as_well_as_one_that_is_new(void)
{
    int kind, step, steps = test_scale(240) < 60 ? 60 : test_scale(240);
    for (kind = 0; kind < 4; kind++) {
        spt_i32 capacity = kind % 2 ? CROWD : 0, giants = kind / 2 * 10, id;
        double fresh;
        spt_quadtree tree;
        open_crowd(&tree, capacity);
        for (step = 0; step < steps; step++) {
            int way = step * 8 % 1600; /* once round a square */
            int x = way < 400 ? way - 200 : way < 800 ? 200 : way < 1200 ? 1000 - way : -200;
            int y = way < 400 ? -200 : way < 800 ? way - 600 : way < 1200 ? 200 : 1400 - way;
            for (id = 0; id < CROWD; id++) {
                spt_box box = crowd_box(id, giants, x, y);
                if (step) CHECK(spt_quadtree_move(&tree, id, &box) == SPT_OK);
                else CHECK(spt_quadtree_insert(&tree, id, &box) == SPT_OK);
            }
            spt_quadtree_tidy(&tree);
            if (step % 20 != 19) continue;
            fresh = tests_of_new(&tree, capacity);
            test_context("step", step);
            CHECK(tests_of(&tree) < 4 * fresh);
            CHECK(spt_quadtree_check(&tree));
        }
        spt_quadtree_free(&tree);
    }
}

/* Moves that stay in a leaf do not look at it: tidy has to. */
static void boxes_that_shrink_in_place_are_told_apart_by_tidy(void)
{
    spt_quadtree tree;
    spt_i32 id;
    open_crowd(&tree, 0);
    for (id = 0; id < CROWD; id++) {
        spt_box box = crowd_box(id, CROWD, 0, 0);
        CHECK(spt_quadtree_insert(&tree, id, &box) == SPT_OK);
    }
    CHECK(tree.quads == 1);
    for (id = 0; id < CROWD; id++) {
        spt_box box = crowd_box(id, 0, 100, 100);
        CHECK(spt_quadtree_move(&tree, id, &box) == SPT_OK);
    }
    for (id = 0; id < 20; id++) spt_quadtree_tidy(&tree);
    CHECK(tree.quads > 1 && tests_of(&tree) < 2 * tests_of_new(&tree, 0));
    CHECK(spt_quadtree_check(&tree));
    spt_quadtree_free(&tree);
}

/* Piles of twenty boxes at nearly one place each are not worth a chain of nodes down to there, so
   that with a capacity there are nodes for all. */
static void piles_do_not_use_up_the_nodes_of_others(void)
{
    spt_quadtree tree, grows;
    spt_i32 id;
    open_crowd(&tree, CROWD);
    open_crowd(&grows, 0);
    for (id = 0; id < CROWD; id++) {
        int pile = (int)(id / 20), x = pile * 13 - 500, y = pile * 193 % 1000 - 500;
        spt_box box = box_of(x, y, x, y + (int)(id % 2));
        CHECK(spt_quadtree_insert(&tree, id, &box) == SPT_OK);
        CHECK(spt_quadtree_insert(&grows, id, &box) == SPT_OK);
    }
    CHECK(tree.quads < CROWD / 20 * 2 && tree.quads == grows.quads);
    CHECK(tests_of(&tree) <= 2 * 20 * CROWD);
    spt_quadtree_free(&tree);
    spt_quadtree_free(&grows);
}

/* All of them are listed twice by the first split, and by no further one. */
static void a_row_across_the_middle_is_told_apart(void)
{
    spt_quadtree tree;
    spt_i32 id;
    open_crowd(&tree, CROWD);
    for (id = 0; id < CROWD; id++) {
        double x = (double)id / 2 - 375;
        spt_box box = box_of(x, -1, x + 1, 1);
        CHECK(spt_quadtree_insert(&tree, id, &box) == SPT_OK);
    }
    CHECK(tests_of(&tree) <= 2 * 2 * 3 * 16 * CROWD);
    spt_quadtree_free(&tree);
}

/* ---- Ids ------------------------------------------------------------------------------------- */

/* The largest id that can be listed is one that memory is asked for; beyond it, none is. */
static void ids_that_cannot_be_listed_are_refused(void)
{
    static const spt_i32 ids[] = {1 << 29, (1 << 29) + 1, (1 << 30) - 1, 1 << 30, INT32_MAX};
    spt_quadtree_desc desc = desc_of(0, 0, 0, 0);
    spt_box box = box_of(0, 0, 1, 1);
    spt_quadtree tree;
    test_memory memory;
    long calls;
    int k;
    test_memory_open(&memory, &desc.allocator);
    memory.limit = 1 << 20;
    desc.bounds = box_of(0, 0, 1024, 1024);
    CHECK(spt_quadtree_init(&tree, &desc) == SPT_OK);
    CHECK(spt_quadtree_insert(&tree, 3, &box) == SPT_OK);
    calls = memory.calls;
    for (k = 0; k < TEST_COUNT(ids); k++) {
        CHECK(spt_quadtree_insert(&tree, ids[k], &box) == SPT_ERR_MEMORY);
        CHECK(!spt_quadtree_contains(&tree, ids[k]));
    }
    CHECK(memory.calls == calls && memory.failures == 0);
    CHECK(spt_quadtree_insert(&tree, (1 << 29) - 1, &box) == SPT_ERR_MEMORY);
    k = sizeof(size_t) > 4; /* with 32 bits it cannot even be asked for */
    CHECK(memory.calls == calls + k && memory.failures == k);
    CHECK(SPTI_LISTED_ID(SPTI_LISTING((1 << 29) - 1, 3)) == (1 << 29) - 1);
    CHECK(SPTI_LISTED_CLASS(SPTI_LISTING((1 << 29) - 1, 3)) == 3);
    CHECK(spt_quadtree_count(&tree) == 1 && spt_quadtree_check(&tree));
    spt_quadtree_free(&tree);
    CHECK(memory.bytes == 0);
}

/* ---- Nodes ----------------------------------------------------------------------------------- */

#define MOST_NODES 8192

typedef struct node_log {
    spt_box boxes[MOST_NODES];
    int levels[MOST_NODES + 4]; /* behind the last: -1 */
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

static const node_log *take_nodes(const spt_quadtree *tree)
{
    static node_log log;
    int i;
    log.nodes = 0;
    CHECK(spt_quadtree_traverse(tree, log_node, &log) == 0);
    for (i = 0; i < 4; i++) log.levels[log.nodes + i] = -1;
    return &log;
}

/* Nodes come parents first: what has a child has it behind it. */
static int is_leaf(const node_log *log, int node)
{
    return log->levels[node + 1] <= log->levels[node];
}

static void tidy_leaves_no_four_leaves_that_could_be_one(void)
{
    static oracle o;
    int round, i, k;
    for (round = 0; round < 20; round++) {
        int capacity = 2 + 2 * test_below(8);
        spt_quadtree *tree = open_square(&o, capacity, 1 + test_below(8));
        const node_log *log;
        spt_i32 id;
        oracle_fill(&o, o.ids);
        for (id = 0; id < o.ids; id++)
            if (id % 8 < round % 8) oracle_remove(&o, id);
        tidy_for(tree, calls_of_two_walks(3 * tree->quads - 2));
        log = take_nodes(tree);
        for (i = 1; i < log->nodes; i++) {
            spt_i32 sum = 0;
            if (log->levels[i - 1] >= log->levels[i]) continue; /* no first child */
            for (k = i; k < i + 4 && log->levels[k] == log->levels[i] && is_leaf(log, k); k++)
                sum += log->counts[k];
            CHECK(k < i + 4 || sum > capacity / 2 || round % 8 == 0);
        }
        oracle_compare(&o);
        oracle_close(&o);
    }
}

#ifdef SPATIAL_INT
#define BLUR 1 /* cells of integers end where the division says, their boxes are for drawing */
#else
#define BLUR 0
#endif

/* Elements that reach into a cell, which is half open unless it is at the border of the world;
   those that only lie within `blur` of it included. */
static spt_i32 brute_touching(const oracle *o, const spt_box *cell, int blur)
{
    spt_i32 id, n = 0;
    for (id = 0; id < o->ids; id++) {
        spt_coord b = (spt_coord)blur, w = coord_of(o->world->max_x), h = coord_of(o->world->max_y);
        const spt_box *e = &o->boxes[id];
        if (!o->there[id]) continue;
        if (cell->min_x > 0 && e->max_x < cell->min_x - b) continue;
        if (cell->min_y > 0 && e->max_y < cell->min_y - b) continue;
        if (cell->max_x < w && e->min_x >= cell->max_x + b) continue;
        if (cell->max_y < h && e->min_y >= cell->max_y + b) continue;
        n++;
    }
    return n;
}

static void traverse_counts_in_each_leaf_what_touches_it(void)
{
    static oracle o;
    int depth, i;
    for (depth = 1; depth <= 8; depth++) {
        spt_quadtree *tree = open_square(&o, 3, depth);
        const node_log *log;
        spt_i32 links = 0;
        int leaves = 0;
        oracle_fill(&o, 300);
        log = take_nodes(tree);
        for (i = 0; i < log->nodes; i++) {
            links += log->counts[i];
            CHECK(log->levels[i] <= depth);
            CHECK(log->boxes[i].max_x - log->boxes[i].min_x == (spt_coord)(1024 >> log->levels[i]));
            CHECK(log->boxes[i].max_y - log->boxes[i].min_y == (spt_coord)(1024 >> log->levels[i]));
            leaves += is_leaf(log, i);
            if (!is_leaf(log, i)) CHECK(log->counts[i] == 0);
            else {
                CHECK(log->counts[i] >= brute_touching(&o, &log->boxes[i], -BLUR));
                CHECK(log->counts[i] <= brute_touching(&o, &log->boxes[i], BLUR));
            }
        }
        CHECK(links == tree->links && links > 300);
        CHECK(leaves == 3 * tree->quads - 2 && log->nodes == leaves + tree->quads - 1);
        oracle_close(&o);
    }
}

/* ---- The check itself ------------------------------------------------------------------------ */

/* Breaks one integer in a sound tree; that must be seen; and mends it again. */
static void expect_broken(const spt_quadtree *tree, void *place, spt_i32 value)
{
    spt_i32 *broken = (spt_i32 *)place, saved = *broken;
    test.step++;
    CHECK(value != saved);
    *broken = value;
    CHECK(!spt_quadtree_check(tree));
    *broken = saved;
    CHECK(spt_quadtree_check(tree));
}

/* The node of the smallest number that is a leaf of more than eight elements. */
static spt_i32 *long_leaf(spt_quadtree *tree)
{
    spt_i32 *data = tree->pool.blocks.data, quad = data[0];
    int q = 0;
    while (data[8 * quad + 2 * q + 1] < 0 || data[8 * quad + 2 * q + 1] <= 8) {
        if (data[8 * quad + 2 * q + 1] < 0) quad = data[8 * quad + 2 * q], q = -1;
        if (!CHECK(++q < 4)) exit(1);
    }
    return &data[8 * quad + 2 * q];
}

/* Twenty on a point in the first cell, others elsewhere, some of them gone. */
static spt_quadtree *open_broken(oracle *o)
{
    spt_quadtree_desc desc = desc_of(2, 4, 60, 0);
    spt_quadtree *tree = open_tree(o, &oracle_worlds[0], &desc);
    spt_i32 id;
    for (id = 0; id < 60; id++) {
        int x = id < 20 ? 3 : test_below(900), y = id < 20 ? 3 : test_below(900);
        spt_box box = box_of(x, y, x + (id >= 50 ? 100 : 0), y);
        oracle_insert(o, id, &box);
    }
    for (id = 30; id < 45; id++) oracle_remove(o, id);
    for (id = 0; id < 10; id++) spt_quadtree_tidy(tree);
    CHECK(spt_quadtree_check(tree) && tree->pool.blocks.free_head >= 0);
    return tree;
}

static void check_finds_wrong_counts_and_nodes(void)
{
    static oracle o;
    spt_quadtree *tree = open_broken(&o);
    spt_i32 *root = tree->pool.blocks.data, *leaf = long_leaf(tree);
    test_context("counts", 0);
    expect_broken(tree, &tree->table.count, tree->table.count + 1);
    expect_broken(tree, &tree->links, tree->links - 1);
    expect_broken(tree, &tree->quads, tree->quads + 1);
    expect_broken(tree, &tree->quads, tree->quads - 1);
    expect_broken(tree, &tree->quads_limit, tree->quads - 1);
    expect_broken(tree, &tree->pool.used, tree->pool.used - 1);
    expect_broken(tree, &tree->pool.used, tree->pool.used + 1);
    expect_broken(tree, &tree->pool.limit, tree->pool.used - 1);
    expect_broken(tree, &tree->pool.blocks.free_head, SPT_NONE);
    expect_broken(tree, &tree->pool.blocks.free_head, 1000000);
    test_context("nodes", 0);
    expect_broken(tree, &root[0], 1000000);
    expect_broken(tree, &root[0], 0); /* a ring */
    expect_broken(tree, &root[0], -7);
    expect_broken(tree, &root[1], -2);
    expect_broken(tree, &root[1], 0);
    expect_broken(tree, &leaf[1], leaf[1] - 1);
    expect_broken(tree, &leaf[1], leaf[1] + 1);
    expect_broken(tree, &leaf[1], -1);
    expect_broken(tree, &leaf[0], SPT_NONE);
    expect_broken(tree, &leaf[0], 1000000);
    expect_broken(tree, &leaf[0], 0);
    oracle_close(&o);
}

static void check_finds_wrong_elements_and_lists(void)
{
    static oracle o;
    spt_quadtree *tree = open_broken(&o);
    spti_element *e = &tree->table.elements[1];
    spt_box *own = &tree->table.boxes[1], saved = *own;
    spt_i32 *leaf = long_leaf(tree), *ids = tree->pool.blocks.data + 8 * leaf[0];
    test_context("lists", 0);
    expect_broken(tree, &ids[0], ids[1]);              /* twice */
    expect_broken(tree, &ids[0], SPTI_LISTING(49, 0)); /* of another leaf */
    expect_broken(tree, &ids[0], SPTI_LISTING(30, 0)); /* removed */
    expect_broken(tree, &ids[0], SPTI_LISTING(60, 0)); /* beyond the capacity */
    expect_broken(tree, &ids[0], ids[0] ^ 1);          /* of another class */
    expect_broken(tree, &ids[0], ids[0] ^ 2);
    expect_broken(tree, &ids[0], SPT_NONE);
    expect_broken(tree, &ids[7], 1000000); /* the next block */
    expect_broken(tree, &ids[7], leaf[0]); /* a ring */
    test_context("elements", 0);
    expect_broken(tree, &e->list, SPT_NONE);
    expect_broken(tree, &e->at.span.max, (spt_i32)e->at.span.max + 1);
    expect_broken(tree, &tree->table.elements[30].list, 0);
    *own = box_of(900, 900, 901, 901); /* not where it is listed */
    CHECK(!spt_quadtree_check(tree));
    spti_box_clear(own);
    CHECK(!spt_quadtree_check(tree));
    *own = saved;
    CHECK(spt_quadtree_check(tree));
    tree->max_depth--;
    CHECK(!spt_quadtree_check(tree));
    tree->max_depth++;
    CHECK(spt_quadtree_check(tree));
    oracle_close(&o);
}

/* A move trusts that no leaf of an element is deeper than it says. */
static void check_finds_an_element_whose_leaf_is_deeper_than_it_says(void)
{
    static oracle o;
    spt_quadtree *tree = open_broken(&o);
    expect_broken(tree, &tree->table.elements[1].list, 0);
    expect_broken(tree, &tree->table.elements[1].list, tree->max_depth - 1);
    oracle_close(&o);
}

static const test_case tests[] = {
    TEST(random_operations_agree_with_the_naive_model),
    TEST(nodes_have_eight_bytes),
    TEST(bad_descriptions_are_refused),
    TEST(zeros_mean_the_defaults),
    TEST(a_leaf_splits_when_it_holds_more_than_its_capacity),
    TEST(elements_that_cover_a_leaf_do_not_split_it),
    TEST(points_in_neighbouring_cells_split_down_to_max_depth),
    TEST(a_few_points_side_by_side_take_no_chain_of_nodes),
    TEST(points_in_one_finest_cell_do_not_split),
    TEST(a_move_within_its_leaves_writes_only_the_box),
    TEST(without_links_insert_and_move_change_nothing),
    TEST(there_is_room_for_desc_links_however_they_are_spread),
    TEST(splits_leave_links_for_what_is_still_to_come),
    TEST(tidy_gives_all_nodes_of_an_emptied_tree_back),
    TEST(tidy_of_many_leaves_takes_no_more_calls_than_it_says),
    TEST(tidy_of_a_tidy_tree_writes_nothing),
    TEST(tidy_walks_over_as_large_a_share_as_has_moved),
    TEST(a_crowd_that_walks_is_told_apart_as_well_as_one_that_is_new),
    TEST(boxes_that_shrink_in_place_are_told_apart_by_tidy),
    TEST(piles_do_not_use_up_the_nodes_of_others),
    TEST(a_row_across_the_middle_is_told_apart),
    TEST(ids_that_cannot_be_listed_are_refused),
    TEST(tidy_leaves_no_four_leaves_that_could_be_one),
    TEST(traverse_counts_in_each_leaf_what_touches_it),
    TEST(check_finds_wrong_counts_and_nodes),
    TEST(check_finds_wrong_elements_and_lists),
    TEST(check_finds_an_element_whose_leaf_is_deeper_than_it_says),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
