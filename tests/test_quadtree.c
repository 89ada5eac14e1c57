/* test_quadtree.c - the adaptive quadtree beside the naive model, and what the model cannot see:
   splits, merges, links, the limits of a capacity. */
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
    oracle_setup setup = {NULL, "quadtree", 0, ORACLE_IDS, 0, {NULL, NULL}, NULL};
    setup.world = world;
    setup.capacity = desc->capacity;
    if (desc->capacity) setup.ids = desc->capacity;
    CHECK(oracle_open(o, &setup) == SPT_OK);
    spt_free(&o->index);
    desc->bounds = oracle_bounds(world);
    CHECK(spt_quadtree_init(&o->index, desc) == SPT_OK);
    return &o->index;
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
static spt_index *open_square(oracle *o, int leaf_capacity, int max_depth)
{
    spt_quadtree_desc desc = desc_of(leaf_capacity, max_depth, 0, 0);
    return open_tree(o, &oracle_worlds[0], &desc);
}

/* What can be seen of a tree. */
typedef struct shape {
    spt_i32 nodes, splits, leaves;
    spt_i32 listed; /* elements in leaves, each as often as it is listed */
    double squares; /* sum of the squares of how many a leaf lists: what pairs would cost at most */
} shape;

static int add_node(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    shape *seen = (shape *)ctx;
    (void)box, (void)level;
    seen->nodes++;
    seen->listed += count;
    seen->squares += (double)count * (double)count;
    return 0;
}

static shape shape_of(const spt_index *tree)
{
    shape seen = {0, 0, 0, 0, 0};
    CHECK(spt_traverse(tree, add_node, &seen) == 0);
    CHECK(seen.nodes % 4 == 1); /* the root, and four for every split */
    CHECK(seen.listed == tree->as.quadtree.listed);
    seen.splits = seen.nodes / 4;
    seen.leaves = seen.nodes - seen.splits;
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
    CHECK(sizeof(spti_chunk) == 4 * SPTI_CHUNK * sizeof(spt_coord) + 40);
    CHECK(tree->as.quadtree.quads.fields == 8); /* four nodes of two integers */
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
    spt_quadtree_desc zeros = desc_of(0, 0, 300, 0), same = desc_of(16, 12, 300, 450);
    spt_quadtree_desc other = desc_of(16, 12, 300, 470);
    spt_index trees[2];
    int t;
    zeros.bounds = same.bounds = other.bounds = box_of(0, 0, 10, 10);
    CHECK(spt_quadtree_bytes_for(&zeros) == spt_quadtree_bytes_for(&same));
    CHECK(spt_quadtree_bytes_for(&other) > spt_quadtree_bytes_for(&same));
    for (t = 0; t < 2; t++) CHECK(spt_quadtree_init(&trees[t], t ? &same : &zeros) == SPT_OK);
    CHECK(trees[0].as.quadtree.leaf_capacity == 16 && trees[0].as.quadtree.max_depth == 12);
    CHECK(trees[0].as.quadtree.listed_limit == 450);
    CHECK(trees[0].pool.limit == trees[1].pool.limit);
    CHECK(trees[0].as.quadtree.quads_limit == trees[1].as.quadtree.quads_limit);
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
        CHECK(splits_of(tree) == 1 && tree->as.quadtree.listed == capacity + 1);
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
        spt_index *tree = open_square(&o, leaf, 16);
        for (id = 0; id < o.ids; id++) oracle_insert(&o, id, &covers[id % TEST_COUNT(covers)]);
        CHECK(splits_of(tree) == 0 && tree->as.quadtree.listed == o.ids);
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
        CHECK(splits_of(tree) == depth && tree->as.quadtree.listed == o.count);
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

static void points_in_one_finest_cell_do_not_split(void)
{
    static oracle o;
    int depth;
    for (depth = 1; depth <= SPT_QUADTREE_MAX_DEPTH; depth++) {
        spt_index *tree = open_square(&o, 4, depth);
        spt_box point = box_of(1023, 3, 1023, 3);
        spt_i32 id;
        for (id = 0; id < o.ids; id++) oracle_insert(&o, id, &point);
        CHECK(splits_of(tree) == 0 && tree->as.quadtree.listed == o.ids);
        oracle_compare(&o);
        oracle_query(&o, &point);
        oracle_close(&o);
    }
}

/* ---- Moves ----------------------------------------------------------------------------------- */

/* "Where it stays in its cell no more than storing the box": so nodes and lists stay as they are,
   and moving back gives every byte back; the struct stays, but for the count that tidy goes by. */
static void expect_only_the_box(oracle *o, const test_memory *memory, const spt_box *to)
{
    const spt_index *tree = &o->index;
    spt_index before;
    spt_box from = o->boxes[2];
    uint32_t hash = test_memory_hash(memory);
    memcpy(&before, tree, sizeof before);
    oracle_move(o, 2, to);
    before.untidy = tree->untidy;
    CHECK(memcmp(&before, tree, sizeof before) == 0);
    CHECK(test_memory_hash(memory) != hash);
    oracle_move(o, 2, &from);
    CHECK(test_memory_hash(memory) == hash);
}

static void a_move_within_its_leaves_writes_only_the_box(void)
{
    static oracle o;
    spt_quadtree_desc desc = desc_of(2, 5, 0, 0); /* finest cells of 32 by 32 */
    spt_index *tree;
    spt_box there = {2, 2, 3, 3}, near_by = {20, 4, 31, 31}, away = {900, 900, 901, 901};
    spt_box across = {2, 2, 600, 3}, along = {5, 1, 605, 2};
    test_memory memory;
    spt_i32 id, listed;
    test_memory_open(&memory, &desc.allocator);
    memory.fill = 1;
    tree = open_tree(&o, &oracle_worlds[0], &desc);
    for (id = 0; id < 100; id++) oracle_insert(&o, id, id % 4 ? &there : &away);
    CHECK(splits_of(tree) > 0);
    listed = tree->as.quadtree.listed;
    expect_only_the_box(&o, &memory, &near_by);
    oracle_move(&o, 2, &across); /* into others */
    CHECK(tree->as.quadtree.listed > listed);
    expect_only_the_box(&o, &memory, &along); /* in each of them */
    oracle_compare(&o);
    oracle_close(&o);
}

/* ---- Limits of a capacity -------------------------------------------------------------------- */

/* Hash of all results in their order: those of windows all over the world, and the pairs. */
static uint32_t hash_results(oracle *o)
{
    uint32_t hash = 2166136261u;
    int x, y;
    for (y = -1; y <= 8; y++)
        for (x = -1; x <= 8; x++) {
            spt_box window = box_of(x * 128, y * 128, x * 128 + 160, y * 128 + 160);
            spt_i32 n = spt_query(&o->index, &window, &o->found);
            if (!CHECK(n >= 0)) return 0;
            hash = test_hash(hash, &n, sizeof n);
            hash = test_hash(hash, spt_intlist_data(&o->found), (size_t)n * sizeof(spt_i32));
        }
    oracle_pairs(o);
    return test_hash(hash, spt_intlist_data(&o->pairs),
                     (size_t)spt_intlist_count(&o->pairs) * 2 * sizeof(spt_i32));
}

/* Inserts (or moves) id to a box for which there are not enough links: nothing may change. */
static void expect_full(oracle *o, spt_i32 id, const spt_box *box)
{
    uint32_t hash = hash_results(o);
    spt_i32 listed = o->index.as.quadtree.listed;
    if (o->there[id]) CHECK(spt_move(&o->index, id, box) == SPT_ERR_FULL);
    else CHECK(spt_insert(&o->index, id, box) == SPT_ERR_FULL);
    oracle_compare(o);
    CHECK(o->index.as.quadtree.listed >= listed);
    CHECK(hash_results(o) == hash);
}

/* How far the borders of cells may lie from where their boxes show them: coordinates are rounded,
   the more so, the further they are from 0, and cells of integers end where a division says. */
static double border_blur(const spt_box *bounds, int max_depth)
{
    double wide = (double)bounds->max_x - (double)bounds->min_x;
    double tall = (double)bounds->max_y - (double)bounds->min_y;
    double cell = ldexp(wide > tall ? wide : tall, -max_depth);
#ifdef SPATIAL_INT
    return cell + 1;
#else
    double epsilon = sizeof(spt_coord) > 4 ? DBL_EPSILON : (double)FLT_EPSILON;
    double far_x = fabs((double)bounds->min_x) + fabs((double)bounds->max_x);
    double far_y = fabs((double)bounds->min_y) + fabs((double)bounds->max_y);
    return cell / 16 + 4 * epsilon * (far_x > far_y ? far_x : far_y) + 2 * (double)COORD_LEAST;
#endif
}

typedef struct touch {
    double min_x, min_y, max_x, max_y;
    int level;   /* of the node before, */
    int touched; /* and whether the box touches it */
    spt_i32 leaves;
} touch;

/* Parents come before their children: a node is a leaf if no deeper one comes next. */
static int touch_node(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    touch *t = (touch *)ctx;
    (void)count;
    if (level <= t->level) t->leaves += t->touched;
    t->touched = (double)box->min_x <= t->max_x && t->min_x <= (double)box->max_x &&
                 (double)box->min_y <= t->max_y && t->min_y <= (double)box->max_y;
    t->level = level;
    return 0;
}

static double within(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

/* How many leaves a box touches, those at whose borders it may just end included. What lies outside
   the world is in the leaves at its border. */
static spt_i32 leaves_touched(const spt_index *tree, const spt_box *box)
{
    const spt_box *b = &tree->bounds;
    double blur = border_blur(b, tree->as.quadtree.max_depth);
    touch t;
    memset(&t, 0, sizeof t);
    t.level = -1;
    t.min_x = within((double)box->min_x, (double)b->min_x, (double)b->max_x) - blur;
    t.min_y = within((double)box->min_y, (double)b->min_y, (double)b->max_y) - blur;
    t.max_x = within((double)box->max_x, (double)b->min_x, (double)b->max_x) + blur;
    t.max_y = within((double)box->max_y, (double)b->min_y, (double)b->max_y) + blur;
    CHECK(spt_traverse(tree, touch_node, &t) == 0);
    return t.leaves + t.touched;
}

/* An insert or a move, which may be refused only if there would be more than `links` of them.
   (While it moves, an element is listed both where it was and where it comes to.) Returns what that
   returned. */
static int place_within(oracle *o, spt_i32 id, const spt_box *box, spt_i32 links)
{
    const spt_index *tree = &o->index;
    int result = o->there[id] ? spt_move(&o->index, id, box)
                              : spt_insert(&o->index, id, box);
    if (result != SPT_OK) {
        CHECK(result == SPT_ERR_FULL);
        CHECK(tree->as.quadtree.listed + leaves_touched(tree, box) > links);
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
    spt_index *tree = open_tree(&o, &oracle_worlds[0], &desc);
    spt_box whole = oracle_bounds(o.world);
    spt_i32 id;
    for (id = 0; id < 400; id++) {
        int x = 25 + 50 * (int)(id % 20), y = 25 + 50 * (int)(id / 20);
        spt_box point = box_of(x, y, x, y);
        oracle_insert(&o, id, &point);
    }
    CHECK(splits_of(tree) > 20);
    while (id < o.ids && place_within(&o, id, &whole, desc.links) == SPT_OK) id++;
    if (!CHECK(id > 400 && id < o.ids)) return;
    expect_full(&o, id, &whole);
    expect_full(&o, 5, &whole);
    for (id = 0; id < o.ids; id++)
        if (id != 5) oracle_remove(&o, id);
    for (id = 0; id < 50; id++) spt_tidy(tree);
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
    spt_index *tree;
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
        if (test_below(30) == 0) spt_tidy(tree);
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

/* Else the first elements could use up, by splits alone, what the last ones need: boxes that lie on
   borders of leaves come first, and then points, which are in one leaf each. */
static void splits_leave_links_for_what_is_still_to_come(void)
{
    static const spt_i32 links[] = {625, 0};
    static oracle o;
    int k;
    for (k = 0; k < TEST_COUNT(links); k++) {
        spt_quadtree_desc desc = desc_of(2, 10, 500, links[k]);
        spt_index *tree = open_tree(&o, &oracle_worlds[0], &desc);
        spt_i32 id;
        for (id = 0; id < 500; id++) {
            int size = id < 100 ? 8 : 0, x = test_below(1000), y = test_below(1000);
            spt_box box = box_of(x, y, x + size, y + size);
            oracle_insert(&o, id, &box);
            CHECK(tree->as.quadtree.listed <= (links[k] ? links[k] : 750));
        }
        CHECK(splits_of(tree) > 10);
        oracle_compare(&o);
        oracle_close(&o);
    }
}

/* Points make leaves, and boxes as large as the world are listed in all of them, if the tree does
   split: then there are not enough links, and what was there before is gone all the same. */
static void a_build_with_few_links_has_all_or_nothing(void)
{
    static spt_box boxes[500];
    static oracle o;
    int whole, i, result;
    for (whole = 0; whole <= 500; whole += 50) {
        spt_quadtree_desc desc = desc_of(4, 8, 500, 500);
        spt_index *tree = open_tree(&o, &oracle_worlds[0], &desc);
        for (i = 0; i < 500; i++) {
            int x = 25 + 50 * (i % 20), y = 25 + 50 * (i / 20 % 20);
            boxes[i] = box_of(x, y, x, y);
        }
        oracle_build(&o, boxes, 100);
        for (i = 500 - whole; i < 500; i++) boxes[i] = oracle_bounds(o.world);
        test_context("boxes as large as the world", whole);
        result = spt_build(tree, boxes, 500);
        CHECK(result == SPT_OK || (whole > 0 && result == SPT_ERR_FULL));
        oracle_forget(&o);
        if (result == SPT_OK) {
            memcpy(o.boxes, boxes, sizeof boxes);
            memset(o.there, 1, 500);
            o.count = 500;
        } else {
            CHECK(spt_count(tree) == 0 && tree->as.quadtree.listed == 0);
        }
        oracle_compare(&o);
        oracle_pairs(&o);
        oracle_clear(&o);
        oracle_insert(&o, 3, &boxes[3]); /* and goes on working */
        oracle_compare(&o);
        oracle_close(&o);
    }
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

/* The same where little has changed, so that a call may do no more than the 32. */
static int calls_of_slow_walks(spt_i32 leaves)
{
    return (int)leaves / 16 + 4;
}

static void tidy_for(spt_index *tree, int calls)
{
    while (calls-- > 0) spt_tidy(tree);
    CHECK(tree->cursor == 0 && tree->untidy == 0);
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
        calls = calls_of_two_walks(shape_of(tree).leaves);
        CHECK(splits_of(tree) > 0);
        for (id = 0; id < o.ids; id++) {
            oracle_remove(&o, id);
            if (round % 3 == 0 && id % 64 == 0) spt_tidy(tree);
        }
        tidy_for(tree, calls);
        CHECK(splits_of(tree) == 0 && tree->pool.used == 0 && tree->as.quadtree.listed == 0);
        oracle_compare(&o);
        oracle_fill(&o, o.ids); /* and it may begin again */
        oracle_compare(&o);
        oracle_close(&o);
    }
}

static void tidy_of_many_leaves_takes_no_more_calls_than_it_says(void)
{
    spt_quadtree_desc desc = desc_of(1, 16, 0, 0);
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
    calls = calls_of_two_walks(shape_of(&tree).leaves);
    for (id = 0; id < n; id++) CHECK(spt_remove(&tree, id) == SPT_OK);
    tidy_for(&tree, calls);
    CHECK(splits_of(&tree) == 0 && tree.pool.used == 0);
    CHECK(spt_check(&tree));
    spt_free(&tree);
}

static void tidy_of_a_tidy_tree_writes_nothing(void)
{
    static oracle o;
    spt_quadtree_desc desc = desc_of(3, 7, 0, 0);
    spt_index *tree, before;
    test_memory memory;
    uint32_t hash;
    spt_i32 id;
    test_memory_open(&memory, &desc.allocator);
    memory.fill = 1;
    tree = open_tree(&o, &oracle_worlds[0], &desc);
    oracle_fill(&o, o.ids);
    for (id = 0; id < o.ids; id += 2) oracle_remove(&o, id);
    CHECK(tree->untidy > 0);
    tidy_for(tree, calls_of_slow_walks(shape_of(tree).leaves));
    memcpy(&before, tree, sizeof before);
    hash = test_memory_hash(&memory);
    spt_tidy(tree);
    CHECK(memcmp(&before, tree, sizeof before) == 0);
    CHECK(test_memory_hash(&memory) == hash);
    oracle_close(&o);
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

/* All leaves list but few elements here, so that work tells how many leaves were looked at. */
static void tidy_walks_over_as_large_a_share_as_has_moved(void)
{
    static const spt_i32 shares[] = {4000, 40, 10, 4, 1};
    spt_quadtree_desc desc = desc_of(2, 10, 0, 0);
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
        double most;
        test_context("one in", shares[k]);
        tidy_for(&tree, 200);
        work = 0;
        spt_tidy(&tree);
        CHECK(work == 0); /* "nothing once all is tidy and rests" */
        move_some(&tree, shares[k]);
        most = 2 * (2.0 * tree.as.quadtree.listed / (6 * shares[k]) + 40 * 4);
        for (calls = 0; calls < 200 && tree.untidy > 0; calls++) {
            work = 0;
            spt_tidy(&tree);
            CHECK(work <= most || calls > 0);
            CHECK(work <= 2 * (tree.as.quadtree.listed / 6.0 + 40 * 4));
        }
        CHECK(tree.untidy == 0);
    }
    CHECK(spt_check(&tree));
    spt_free(&tree);
}

#define ROWS 5000

/* Rows as wide as the world, whose leaves are long: whoever looks at a whole one of them for each
   move looks at thousands. The bound is for the average, for a call may look at a leaf now and
   then; it is a tenth of what there is. */
static void a_move_among_rows_across_the_world_and_tidy_do_bounded_work(void)
{
    spt_quadtree_desc desc = desc_of(0, 0, 0, 0);
    spt_index tree;
    double moves = 0, tidies = 0;
    spt_intlist found;
    spt_box window;
    int round, rounds = 200;
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
    CHECK(spt_query(&tree, &window, &found) > 0 && work > 0); /* else nothing is counted */
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
    CHECK(moves <= (double)rounds * ROWS / 10);
    CHECK(tidies <= (double)rounds * ROWS / 10);
    CHECK(spt_count(&tree) == ROWS && spt_check(&tree));
    spt_free(&tree);
}

/* ---- Crowds ---------------------------------------------------------------------------------- */

#define CROWD 1500

/* What the pairs of a tree cost at most: the squares of the lengths of its leaves. */
static double tests_of(const spt_index *tree)
{
    return shape_of(tree).squares;
}

/* The same for a tree newly made of the elements of this one. */
static double tests_of_new(const spt_index *tree, spt_i32 capacity)
{
    spt_quadtree_desc desc = desc_of(0, 0, capacity, 0);
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

/* Moves that stay in a leaf do not look at it: tidy has to. */
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

/* All of them are listed twice by the first split, and by no further one. */
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
    CHECK(tests_of(&tree) <= 2 * 2 * 3 * 16 * CROWD);
    spt_free(&tree);
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

static const node_log *take_nodes(const spt_index *tree)
{
    static node_log log;
    int i;
    log.nodes = 0;
    CHECK(spt_traverse(tree, log_node, &log) == 0);
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
        spt_index *tree = open_square(&o, capacity, 1 + test_below(8));
        const node_log *log;
        spt_i32 id;
        oracle_fill(&o, o.ids);
        for (id = 0; id < o.ids; id++)
            if (id % 8 < round % 8) oracle_remove(&o, id);
        tidy_for(tree, calls_of_slow_walks(shape_of(tree).leaves));
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
        spt_index *tree = open_square(&o, 3, depth);
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
        CHECK(links == tree->as.quadtree.listed && links > 300);
        CHECK(log->nodes % 4 == 1 && leaves == log->nodes - log->nodes / 4);
        oracle_close(&o);
    }
}

/* ---- The check itself ------------------------------------------------------------------------ */

/* Breaks one integer in a sound tree; that must be seen; and mends it again. */
static void expect_broken(const spt_index *tree, void *place, spt_i32 value)
{
    spt_i32 *broken = (spt_i32 *)place, saved = *broken;
    test.step++;
    CHECK(value != saved);
    *broken = value;
    CHECK(!spt_check(tree));
    *broken = saved;
    CHECK(spt_check(tree));
}

/* The nodes of a tree that has never merged leaves: all that there are, one after the other. */
static spt_i32 *first_node(spt_index *tree)
{
    spt_intlist *quads = &tree->as.quadtree.quads;
    return quads->data ? quads->data : quads->room;
}

static spt_i32 *last_node(spt_index *tree)
{
    return first_node(tree) + 8 * tree->as.quadtree.quads.count - 2;
}

/* The first leaf of more than so many elements. */
static spt_i32 *long_leaf(spt_index *tree, spt_i32 count)
{
    spt_i32 *node = first_node(tree);
    while (node[1] <= count && node < last_node(tree)) node += 2;
    if (!CHECK(node[1] > count)) exit(1);
    return node;
}

static spt_i32 *some_branch(spt_index *tree)
{
    spt_i32 *node = first_node(tree);
    while (node[1] != -1 && node < last_node(tree)) node += 2;
    if (!CHECK(node[1] == -1)) exit(1);
    return node;
}

/* Twenty on a point in the first cell, others elsewhere, one in many leaves; some of them gone. */
static spt_index *open_broken(oracle *o)
{
    spt_quadtree_desc desc = desc_of(2, 4, 60, 600);
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

static void check_finds_wrong_counts_and_nodes(void)
{
    static oracle o;
    spt_index *tree = open_broken(&o);
    spti_quadtree *q = &tree->as.quadtree;
    spt_i32 *branch = some_branch(tree), *leaf = long_leaf(tree, SPTI_CHUNK);
    test_context("counts", 0);
    expect_broken(tree, &tree->count, tree->count + 1);
    expect_broken(tree, &q->listed, q->listed - 1);
    expect_broken(tree, &q->quads_used, q->quads_used + 1);
    expect_broken(tree, &q->quads_used, q->quads_used - 1);
    expect_broken(tree, &q->quads_limit, q->quads_used - 1);
    expect_broken(tree, &tree->pool.used, tree->pool.used - 1);
    expect_broken(tree, &tree->pool.used, tree->pool.used + 1);
    expect_broken(tree, &tree->pool.limit, tree->pool.used - 1);
    expect_broken(tree, &tree->pool.free_head, SPT_NONE);
    expect_broken(tree, &tree->pool.free_head, 1000000);
    test_context("nodes", 0);
    expect_broken(tree, &branch[0], 1000000);
    expect_broken(tree, &branch[0], (spt_i32)(branch - first_node(tree)) / 8); /* a ring */
    expect_broken(tree, &branch[0], -7);
    expect_broken(tree, &branch[1], -2);
    expect_broken(tree, &branch[1], 0);
    expect_broken(tree, &leaf[1], leaf[1] - 1);
    expect_broken(tree, &leaf[1], leaf[1] + 1);
    expect_broken(tree, &leaf[1], -1);
    expect_broken(tree, &leaf[0], SPT_NONE);
    expect_broken(tree, &leaf[0], 1000000);
    oracle_close(&o);
}

static void check_finds_wrong_elements_and_lists(void)
{
    static oracle o;
    spt_index *tree = open_broken(&o);
    spt_i32 *leaf = long_leaf(tree, SPTI_CHUNK);
    spti_chunk *chunk = &tree->pool.chunks[leaf[0]], saved = *chunk, *wide;
    spt_i32 k = tree->slots[59] % SPTI_CHUNK;
    spt_coord edge;
    test_context("lists", 0);
    expect_broken(tree, &chunk->id[0], 1 + (chunk->id[0] == 1)); /* twice */
    expect_broken(tree, &chunk->id[0], 49);                      /* of another leaf */
    expect_broken(tree, &chunk->id[0], 30);                      /* removed */
    expect_broken(tree, &chunk->id[0], 60);                      /* beyond the capacity */
    expect_broken(tree, &chunk->id[0], SPT_NONE);
    expect_broken(tree, &chunk->next, 1000000);
    expect_broken(tree, &chunk->next, leaf[0]); /* a ring */
    test_context("slots", 0);
    expect_broken(tree, &tree->slots[1], SPT_NONE);
    expect_broken(tree, &tree->slots[1], tree->slots[2]);
    expect_broken(tree, &tree->slots[30], tree->slots[1]);
    test_context("boxes", 0);
    chunk->min_x[0] = chunk->max_x[0] = 900; /* not where it is listed */
    chunk->min_y[0] = chunk->max_y[0] = 900;
    CHECK(!spt_check(tree));
    *chunk = saved;
    chunk->min_x[0] = chunk->max_x[0] + 1; /* nowhere */
    CHECK(!spt_check(tree));
    *chunk = saved;
    CHECK(spt_check(tree));
    wide = &tree->pool.chunks[tree->slots[59] / SPTI_CHUNK];
    edge = wide->max_x[k];
    wide->max_x[k] += 1; /* not as in the other leaves */
    CHECK(edge == 1000 && !spt_check(tree));
    wide->max_x[k] = edge;
    CHECK(spt_check(tree));
    tree->as.quadtree.max_depth--;
    CHECK(!spt_check(tree));
    tree->as.quadtree.max_depth++;
    CHECK(spt_check(tree));
    oracle_close(&o);
}

static const test_case tests[] = {
    TEST(random_operations_agree_with_the_naive_model),
    TEST(nodes_and_chunks_have_the_sizes_that_are_promised),
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
    TEST(a_build_with_few_links_has_all_or_nothing),
    TEST(tidy_gives_all_nodes_of_an_emptied_tree_back),
    TEST(tidy_of_many_leaves_takes_no_more_calls_than_it_says),
    TEST(tidy_of_a_tidy_tree_writes_nothing),
    TEST(tidy_walks_over_as_large_a_share_as_has_moved),
    TEST(a_move_among_rows_across_the_world_and_tidy_do_bounded_work),
    TEST(a_crowd_that_walks_is_told_apart_as_well_as_one_that_is_new),
    TEST(boxes_that_shrink_in_place_are_told_apart_by_tidy),
    TEST(piles_do_not_use_up_the_nodes_of_others),
    TEST(a_row_across_the_middle_is_told_apart),
    TEST(tidy_leaves_no_four_leaves_that_could_be_one),
    TEST(traverse_counts_in_each_leaf_what_touches_it),
    TEST(check_finds_wrong_counts_and_nodes),
    TEST(check_finds_wrong_elements_and_lists),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
