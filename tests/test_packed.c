/* test_packed.c - windows in boxes that stand still, compared with brute force. */
static double work; /* boxes tested, the same on every machine */
#define SPTI_COUNT(n) (work += (double)(n))

#define SPATIAL_IMPLEMENTATION
#define SPATIAL_NO_LINEAR /* what is not tested here is not compiled */
#define SPATIAL_NO_QUADTREE
#define SPATIAL_NO_LOOSEGRID
#include "../spatial.h"
#include "oracle.h"

#define MOST 5000
#define MOST_PAIRED 2000

/* Numbers at which nodes and levels begin. */
static const int counts[] = {0, 1, 2, 31, 32, 33, 64, 65, 500, 1023, 1024, 1025, 2000};

static spt_box boxes[MOST];
static oracle drawn; /* draws boxes and windows; its own structures are not used */

/* n boxes of a world. */
static void draw_boxes(const oracle_world *world, int n)
{
    int i;
    memset(&drawn, 0, sizeof drawn);
    drawn.world = world;
    drawn.ids = ORACLE_IDS;
    for (i = 0; i < n; i++) {
        boxes[i] = oracle_random_box(&drawn);
        if (i < ORACLE_IDS) drawn.boxes[i] = boxes[i];
    }
}

static spt_box draw_window(int n)
{
    spt_box window = oracle_random_box(&drawn);
    if (n > 0 && oracle_chance(&drawn, 30)) window = boxes[test_below(n)];
    if (oracle_chance(&drawn, 20)) { /* the middle part of the world, or all of it and more */
        const oracle_world *w = drawn.world;
        int part = test_below(9);
        window.min_x = oracle_edge(w->min_x, w->max_x, part - 1, 16);
        window.max_x = oracle_edge(w->min_x, w->max_x, 17 - part, 16);
        window.min_y = oracle_edge(w->min_y, w->max_y, part - 1, 16);
        window.max_y = oracle_edge(w->min_y, w->max_y, 17 - part, 16);
    }
    return window;
}

static const brute_set *set_of(int n)
{
    static brute_set set;
    set.boxes = boxes;
    set.n = (spt_i32)n;
    return &set;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

typedef struct visits { /* to be the same as the ids of a query */
    const spt_intlist *expected;
    spt_i32 count, stop_at;
} visits;

static int visit(void *ctx, spt_i32 id, const spt_box *box)
{
    visits *v = (visits *)ctx;
    CHECK(id == spt_intlist_get(v->expected, v->count, 0));
    CHECK(same_box(box, &boxes[id]));
    return ++v->count == v->stop_at ? 7 : 0;
}

/* Every id that overlaps the window once, and nothing else, by query and by visit. */
static void compare(const spt_index *packed, int n, const spt_box *window, spt_intlist *out)
{
    static spt_i32 ids[MOST];
    static unsigned char wanted[MOST];
    visits v = {out, 0, 0};
    const spt_i32 found = spt_query(packed, window, NULL, out);
    const spt_i32 expected = brute_query(set_of(n), window, NULL, ids);
    spt_i32 i;
    memset(wanted, 0, sizeof wanted);
    for (i = 0; i < expected; i++) wanted[ids[i]] = 1;
    if (!CHECK(found == expected && spt_intlist_count(out) == found)) return;
    for (i = 0; i < found; i++) CHECK(wanted[spt_intlist_get(out, i, 0)]-- == 1);
    CHECK(spt_visit(packed, window, NULL, visit, &v) == 0 && v.count == found);
    if (found == 0) return;
    v.count = 0;
    v.stop_at = 1 + test_below((int)found);
    CHECK(spt_visit(packed, window, NULL, visit, &v) == 7 && v.count == v.stop_at);
}

static void compare_some(const spt_index *packed, int n, int windows)
{
    spt_box window;
    spt_intlist out;
    spt_intlist_init(&out, 1);
    CHECK(spt_check(packed) && spt_count(packed) == n);
    while (windows-- > 0) {
        window = draw_window(n);
        compare(packed, n, &window, &out);
    }
    window.min_x = window.min_y = COORD_LOW;
    window.max_x = window.max_y = COORD_HIGH;
    compare(packed, n, &window, &out);
    spt_intlist_free(&out);
}

/* All pairs of boxes, each once, by spt_pairs. */
static void compare_pairs(spt_index *packed, int n)
{
    static unsigned char seen[MOST_PAIRED][MOST_PAIRED];
    spt_i32 found, i, a, b;
    spt_intlist pairs;
    CHECK(n <= MOST_PAIRED);
    memset(seen, 0, sizeof seen);
    spt_intlist_init(&pairs, 2);
    found = spt_pairs(packed, NULL, &pairs);
    CHECK(found == brute_count_pairs(set_of(n), NULL) && spt_intlist_count(&pairs) == found);
    for (i = 0; i < found; i++) {
        a = spt_intlist_get(&pairs, i, 0), b = spt_intlist_get(&pairs, i, 1);
        if (!CHECK(a < b && brute_is_pair(set_of(n), a, b, NULL) && !seen[a][b])) break;
        seen[a][b] = 1;
    }
    spt_intlist_free(&pairs);
}

/* Every id that there is, with its box, and no other. */
static void compare_boxes(const spt_index *packed, int n)
{
    static const spt_i32 strangers[] = {-1, INT32_MIN, 0, 1, INT32_MAX};
    spt_box box, around = boxes[0];
    int i;
    for (i = 0; i < n; i++) {
        spt_box_union(&around, &boxes[i], &around);
        CHECK(spt_contains(packed, i));
        CHECK(spt_box_of(packed, i, &box) == SPT_OK && same_box(&box, &boxes[i]));
    }
    if (n > 0) CHECK(spt_bounds(packed, &box) == 1 && same_box(&box, &around));
    for (i = 0; i < TEST_COUNT(strangers); i++) {
        spt_i32 id = strangers[i] == 0 || strangers[i] == 1 ? n + strangers[i] : strangers[i];
        CHECK(!spt_contains(packed, id) && spt_box_of(packed, id, &box) == SPT_ERR_ID);
    }
}

/* ---- Windows --------------------------------------------------------------------------------- */

/* Builds and questions, by the model that all structures are compared with. */
static void random_operations_agree_with_the_naive_model(void)
{
    static const oracle_kind kinds[] = {
        {0, 2, 0, 500},    {0, 16, 10, 800},     {0, 64, 0, 800},
        {0, 200, 64, 800}, {0, 512, 0, 600}, {0, 512, 512, 600},
    };
    oracle_run_kinds("packed", kinds, TEST_COUNT(kinds));
}

static void windows_find_what_brute_force_finds(void)
{
    spt_index packed;
    int world, c;
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    for (world = 0; world < ORACLE_WORLDS; world++)
        for (c = 0; c < TEST_COUNT(counts); c++) {
            int n = counts[c];
            test_context(oracle_worlds[world].name, n);
            draw_boxes(&oracle_worlds[world], n);
            CHECK(spt_build(&packed, boxes, n) == SPT_OK);
            compare_some(&packed, n, test_scale(60));
            if (n <= 500) compare_boxes(&packed, n);
            compare_pairs(&packed, n);
        }
    spt_free(&packed);
}

/* Three levels of full nodes and more, so that whole subtrees lie in a window. */
static void large_windows_find_all_of_many(void)
{
    enum { MANY = 70000 };
    spt_box *many = (spt_box *)malloc(MANY * sizeof *many), window;
    spt_index packed;
    spt_intlist out;
    int n = test_scale(MANY) < 1100 ? 1100 : test_scale(MANY), i, round;
    if (!CHECK(many != NULL)) exit(1);
    for (i = 0; i < n; i++) {
        int x = test_below(20000), y = test_below(20000);
        many[i] = box_of(x, y, x + test_below(60), y + test_below(60));
    }
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    CHECK(spt_build(&packed, many, n) == SPT_OK && spt_check(&packed));
    spt_intlist_init(&out, 1);
    for (round = 0; round < test_scale(200); round++) {
        int x = test_below(20000), y = test_below(20000), side = test_below(20000);
        spt_i32 expected = 0, sum = 0, k;
        window = box_of(x - side / 2, y - side / 2, x + side / 2, y + side / 2);
        for (i = 0; i < n; i++)
            if (brute_overlap(&many[i], &window)) expected++, sum += i;
        CHECK(spt_query(&packed, &window, NULL, &out) == expected);
        for (k = 0; k < expected; k++) sum -= spt_intlist_get(&out, k, 0);
        CHECK(sum == 0);
    }
    spt_intlist_free(&out);
    spt_free(&packed);
    free(many);
}

/* ---- Errors ---------------------------------------------------------------------------------- */

static void sizes_are_what_is_promised_or_none(void)
{
    static const spt_index zero;
    spt_packed_desc desc;
    spt_index packed;
    memset(&desc, 0, sizeof desc);
    CHECK(spt_packed_bytes_for(NULL) == 0 && spt_packed_bytes_for(&desc) == 0);
    desc.capacity = -1;
    CHECK(spt_packed_bytes_for(&desc) == 0);
    memset(&packed, 0xAA, sizeof packed);
    CHECK(spt_packed_init(&packed, &desc) == SPT_ERR_ARGUMENT);
    CHECK(memcmp(&packed, &zero, sizeof packed) == 0);
    desc.no_pairs = 1; /* "20.6 bytes a box and up to 1.6 KB (37.1 and 3 KB with SPATIAL_DOUBLE)" */
    for (desc.capacity = 1; desc.capacity < 1000000; desc.capacity += 1 + desc.capacity / 9) {
        double most = 20.6 * (double)desc.capacity + 1638;
        if (sizeof(spt_coord) > 4) most = 37.1 * (double)desc.capacity + 3072;
        test_context("capacity", desc.capacity);
        CHECK((double)spt_packed_bytes_for(&desc) <= most);
    }
    desc.capacity = INT32_MAX;
#if SIZE_MAX < 0xFFFFFFFFFFFFFFFFu
    CHECK(spt_packed_bytes_for(&desc) == 0 && spt_packed_init(&packed, &desc) == SPT_ERR_MEMORY);
#else
    CHECK(spt_packed_bytes_for(&desc) / INT32_MAX < 6 + 4 * sizeof(spt_coord));
    CHECK(spt_packed_bytes_for(&desc) / INT32_MAX >= 4 + 4 * sizeof(spt_coord));
#endif
}

/* Room for all that is found is enough: none is asked for to be on the safe side. */
static void a_list_with_room_for_what_is_found_does_not_grow(void)
{
    test_memory memory;
    spt_allocator allocator;
    spt_index packed;
    spt_intlist out;
    int round;
    draw_boxes(&oracle_worlds[0], 2000);
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    CHECK(spt_build(&packed, boxes, 2000) == SPT_OK);
    for (round = 0; round < test_scale(200); round++) {
        spt_box window = draw_window(2000);
        spt_i32 expected = 0, i;
        for (i = 0; i < 2000; i++) expected += brute_overlap(&boxes[i], &window);
        test_memory_open(&memory, &allocator);
        CHECK(spt_intlist_init_with(&out, 1, &allocator) == SPT_OK);
        CHECK(spt_intlist_reserve(&out, expected) == SPT_OK);
        memory.limit = memory.bytes > 0 ? memory.bytes : 1;
        CHECK(spt_query(&packed, &window, NULL, &out) == expected);
        spt_intlist_free(&out);
    }
    spt_free(&packed);
}

/* ---- The tree -------------------------------------------------------------------------------- */

typedef struct tour {
    int level;              /* of the node before */
    spt_box path[8];        /* the node and the nodes that it is in, by level */
    spt_i32 boxes, nodes, stop_at;
} tour;

static int see_node(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    tour *t = (tour *)ctx;
    CHECK(level >= 0 && level <= t->level + 1 && level < 8);
    if (level > 0) {
        const spt_box *in = &t->path[level - 1];
        CHECK(in->min_x <= box->min_x && in->min_y <= box->min_y && box->max_x <= in->max_x &&
              box->max_y <= in->max_y);
    }
    t->path[level] = *box;
    t->level = level;
    t->boxes += count;
    return ++t->nodes == t->stop_at ? 5 : 0;
}

static void every_node_is_seen_behind_the_one_around_it(void)
{
    spt_index packed;
    int c;
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    for (c = 0; c < TEST_COUNT(counts); c++) {
        tour t;
        spt_i32 nodes = 0, level = counts[c];
        memset(&t, 0, sizeof t);
        t.level = -1;
        draw_boxes(&oracle_worlds[2], counts[c]);
        CHECK(spt_build(&packed, boxes, counts[c]) == SPT_OK);
        CHECK(spt_traverse(&packed, see_node, &t) == 0);
        for (; level > 1 || nodes == 0; nodes += level) {
            if (level == 0) break;
            level = (level + SPT_PACKED_NODE - 1) / SPT_PACKED_NODE;
        }
        CHECK(t.boxes == counts[c] && t.nodes == nodes);
        if (nodes == 0) continue;
        memset(&t, 0, sizeof t);
        t.level = -1;
        t.stop_at = 1 + test_below((int)nodes);
        CHECK(spt_traverse(&packed, see_node, &t) == 5 && t.nodes == t.stop_at);
    }
    spt_free(&packed);
}

/* Adds what the sides of a leaf are long together, and counts it. */
static int measure_leaf(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    double *sides = (double *)ctx;
    if (count == 0) return 0;
    CHECK(level == 2);
    sides[0] += (double)box->max_x - (double)box->min_x + (double)box->max_y - (double)box->min_y;
    sides[1]++;
    return 0;
}

/* Leaves of points in a grid, however wide its columns are, are about as wide as they are high: two
   sides together are shorter than the sides of a square that as many points need. */
static void leaves_are_nearly_square(void)
{
    enum { SIDE = 64 };
    spt_index packed;
    int root, wide, i;
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    for (root = 1; root <= 4; root *= 2) {
        double sides[2] = {0, 0}, square = 11.3137 * root; /* twice the root of 32 * wide */
        wide = root * root;
        test_context("wide", wide);
        for (i = 0; i < SIDE * SIDE; i++) {
            int x = i % SIDE * wide, y = (i / SIDE + i * 7) % SIDE; /* not in the order of rows */
            boxes[i] = box_of(x, y, x, y);
        }
        CHECK(spt_build(&packed, boxes, SIDE * SIDE) == SPT_OK);
        CHECK(spt_traverse(&packed, measure_leaf, sides) == 0);
        CHECK(sides[1] == SIDE * SIDE / SPT_PACKED_NODE);
        CHECK(sides[0] < 0.95 * square * sides[1]); /* in the order of a curve 1.07 */
    }
    spt_free(&packed);
}

/* Tested are about as many boxes as a window needs: the tree is worth its name. With gaps 256 boxes
   at a time are so close together that they have the same key; they are divided, too. */
static void small_windows_look_at_few_nodes(void)
{
    spt_index packed;
    int side = 64, gaps, gap, i, round, rounds = 500;
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    for (gaps = 0; gaps < 2; gaps++) {
        gap = gaps ? 10000000 : 16 * 16;
        for (i = 0; i < side * side; i++) {
            const int at = i * 1031 % (side * side), x = at % side, y = at / side;
            const int left = x / 16 * gap + x % 16 * 16, low = y / 16 * gap + y % 16 * 16;
            boxes[i] = box_of(left, low, left + 12, low + 12);
        }
        CHECK(spt_build(&packed, boxes, side * side) == SPT_OK);
        work = 0;
        for (round = 0; round < rounds; round++) {
            const spt_box *at = &boxes[test_below(side * side)];
            spt_box window = *at;
            window.max_x += 8, window.max_y += 8;
            CHECK(spt_query(&packed, &window, NULL, NULL) > 0);
        }
        CHECK(work > 0);
        CHECK(work < (gaps ? 4 : 3.5) * SPT_PACKED_NODE * rounds); /* of 132 nodes in all */
    }
    spt_free(&packed);
}

/* The tests for a window among n rows and columns that are as long as the world; or, with plus,
   among plus signs on a diagonal, whose rows and columns have the same centres. */
static double tests_of_rows_and_columns(int plus, int n)
{
    const int rounds = 100;
    spt_box *many = (spt_box *)malloc((size_t)n * sizeof *many);
    spt_index packed;
    int i;
    if (!CHECK(many != NULL)) exit(1);
    for (i = 0; i < n; i++) {
        const int at = test_below(10000), x = plus ? at : 5000, y = x;
        many[i] =
            test_below(2) ? box_of(x - 5000, at, x + 5000, at) : box_of(at, y - 5000, at, y + 5000);
    }
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK && spt_build(&packed, many, n) == SPT_OK);
    work = 0;
    for (i = 0; i < rounds; i++) {
        const int x = test_below(10000), y = test_below(10000);
        const spt_box window = box_of(x, y, x, y);
        CHECK(spt_query(&packed, &window, NULL, NULL) >= 0);
    }
    spt_free(&packed);
    free(many);
    return work / rounds;
}

static void few_long_rows_and_columns_are_tested(void)
{
    CHECK(tests_of_rows_and_columns(0, 16384) < 6 * tests_of_rows_and_columns(0, 1024));
    CHECK(tests_of_rows_and_columns(1, 1024) < 1.1 * 1024 + SPT_PACKED_NODE);
}

static int tell_some(void *ctx, spt_i32 id, const spt_box *box, spt_coord distance,
                     spt_coord *limit)
{
    (void)id, (void)box, (void)distance, (void)limit;
    return --*(int *)ctx == 0;
}

/* Each batch of a visit is a search from the beginning. */
static void a_long_visit_begins_again_for_each_batch(void)
{
    const spt_box corner = box_of(0, 0, 0, 0);
    spt_index packed;
    int i, m, left;
    for (i = 0; i < 64 * 64; i++)
        boxes[i] = box_of(i % 64 * 4, i / 64 * 4, i % 64 * 4 + 1, i / 64 * 4 + 1);
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK && spt_build(&packed, boxes, 64 * 64) == SPT_OK);
    for (m = 16; m <= 1024; m *= 8) {
        work = 0, left = m;
        CHECK(spt_nearest_visit(&packed, &corner, NULL, tell_some, &left) == 1);
        CHECK(work <= 2.0 * SPT_PACKED_NODE * (4 + m / 8) + 1.0 * m * m / SPTI_FOUND_FEW);
    }
    spt_free(&packed);
}

/* One box in six lies a thousand times as far out as the others: all around them, on one side, or
   along an axis. */
static spt_box crowd_or_far(int way, int i)
{
    int x = test_below(20000), y = test_below(20000);
    double far_x = test_below(20000) * 1000.0, far_y = test_below(20000) * 1000.0;
    if (i % 6) return box_of(x, y, x + test_below(60), y + test_below(60));
    if (way == 0) far_x -= 1e7, far_y -= 1e7;
    if (way == 2) far_y = y;
    if (way == 3) far_x = x;
    return box_of(far_x, far_y, far_x + 60, far_y + 60);
}

/* Others lie all over the world, but every other box in a small spot or in one column, seven of
   eight in one point; or all in two columns that are far apart. */
static spt_box crowd_among_others(int way, int i)
{
    int x = test_below(way == 4 ? 20000000 : 20000), y = test_below(way == 4 ? 20000000 : 20000);
    if (way == 4 && i % 2) x = test_below(400), y = test_below(400);
    if (way == 5 && i % 2) x = 10000;
    if (way == 6 && i % 8) x = y = 10000;
    if (way == 7) x = i % 4 ? 0 : 10000000;
    return way == 6 ? box_of(x, y, x, y) : box_of(x, y, x + 2, y + 2);
}

/* If the cells by which boxes are sorted were made for the whole plane, the crowd would lie in one
   or a few, in no order, and every window in it would look at all of it. */
static void windows_in_a_crowd_look_at_few_although_others_are_far_out(void)
{
    static const double few[8] = {5.3, 5.3, 5.3, 5.3, 10.5, 6, 4.5, 7}; /* of 1,900 nodes */
    int n = test_scale(60000) < 6000 ? 6000 : test_scale(60000), way, i, round, rounds = 200;
    spt_box *many = (spt_box *)malloc((size_t)n * sizeof *many);
    spt_index packed;
    spt_intlist out;
    if (!CHECK(many != NULL)) exit(1);
    spt_intlist_init(&out, 1);
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    for (way = 0; way < 8; way++) {
        double hits = 0;
        int side = way == 4 ? 400 : 20000;
        test_context("way", way);
        for (i = 0; i < n; i++)
            many[i] = way < 4 ? crowd_or_far(way, i) : crowd_among_others(way, i);
        CHECK(spt_build(&packed, many, n) == SPT_OK && spt_check(&packed));
        work = 0;
        for (round = 0; round < rounds; round++) {
            int x = way == 5 ? 10000 : way == 7 ? 0 : test_below(side), y = test_below(side);
            int size = way < 4 ? 100 : 2;
            spt_box window = box_of(x, y, x + size, y + size);
            spt_i32 found = spt_query(&packed, &window, NULL, &out);
            CHECK(found >= 0);
            hits += found;
        }
        CHECK(work > 0);
        CHECK(work < few[way] * SPT_PACKED_NODE * rounds + hits);
    }
    spt_intlist_free(&out);
    spt_free(&packed);
    free(many);
}

/* Whether it is seen that another value of so many bytes stands at a place. */
static int is_seen(const spt_index *packed, unsigned char *place, size_t size, const void *value)
{
    unsigned char saved[16];
    int seen;
    memcpy(saved, place, size);
    memcpy(place, value, size);
    seen = !spt_check(packed);
    memcpy(place, saved, size);
    return seen;
}

/* What stands where in the memory is private, but each coordinate and each id in it counts. */
static void check_finds_wrong_coordinates_and_ids(void)
{
    spt_packed_desc desc;
    test_memory filled; /* what is not used of the memory is looked at, too */
    spt_index packed;
    unsigned char *memory;
    const spt_coord up = coord_of(900000), down = coord_of(-900000);
    const spt_i32 nobody[] = {-1, 100};
    spt_i32 value, other;
    size_t at, bytes;
    int coordinates = 0, ids = 0;
    draw_boxes(&oracle_worlds[4], 100); /* none of them infinite */
    memset(&desc, 0, sizeof desc);
    test_memory_open(&filled, &desc.allocator);
    filled.fill = 1;
    CHECK(spt_packed_init(&packed, &desc) == SPT_OK);
    CHECK(spt_build(&packed, boxes, 100) == SPT_OK);
    memory = (unsigned char *)packed.memory, bytes = packed.memory_bytes;
    for (at = 0; at + sizeof up <= bytes; at += sizeof up)
        coordinates += is_seen(&packed, memory + at, sizeof up, &up) &&
                       is_seen(&packed, memory + at, sizeof down, &down);
    /* Of the boxes, and of the four nodes under the root; ids and the head are seen, too. */
    CHECK(coordinates >= 4 * 100 + 4 * 4 + (100 + SPTI_PACK_HEAD) * 4 / (int)sizeof up);
    for (at = 0; at + sizeof value <= bytes; at += sizeof value) {
        memcpy(&value, memory + at, sizeof value);
        if (value < 0 || value >= 100) continue;
        other = value ? value - 1 : 99;
        ids += is_seen(&packed, memory + at, sizeof value, &nobody[0]) &&
               is_seen(&packed, memory + at, sizeof value, &nobody[1]) &&
               is_seen(&packed, memory + at, sizeof value, &other);
    }
    CHECK(ids >= 100);
    CHECK(spt_check(&packed));
    spt_free(&packed);
}

/* As many ids as boxes, and their sum may be right, too: 0, 0, 3, 3. */
static void check_finds_ids_that_are_given_twice(void)
{
    spt_index packed;
    spt_i32 *ids;
    int i, k, seen;
    draw_boxes(&oracle_worlds[4], 1);
    for (i = 1; i < 4; i++) boxes[i] = boxes[0]; /* so that only ids tell */
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    CHECK(spt_build(&packed, boxes, 4) == SPT_OK);
    ids = (spt_i32 *)packed.as.packed.ids;
    for (i = 0; i < 256; i++) {
        for (k = seen = 0; k < 4; k++) ids[k] = i >> 2 * k & 3, seen |= 1 << ids[k];
        test_context("ids", i);
        CHECK(spt_check(&packed) == (seen == 15));
    }
    spt_free(&packed);
}

static void check_finds_wrong_counts(void)
{
    spt_index packed;
    draw_boxes(&oracle_worlds[4], 100);
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    CHECK(spt_build(&packed, boxes, 100) == SPT_OK);
    oracle_expect_broken(&packed, &packed.count, (spt_i32)-1);
    oracle_expect_broken(&packed, &packed.count, (spt_i32)101);
    oracle_expect_broken(&packed, &packed.size, (spt_i32)0);
    oracle_expect_broken(&packed, &packed.size, (spt_i32)99);
    spt_clear(&packed);
    CHECK(spt_check(&packed));
    spt_free(&packed);
}

/* ---- Images ---------------------------------------------------------------------------------- */

static spt_motion draw_motion(void)
{
    spt_motion motion;
    spt_box window = draw_window(0);
    memset(&motion, 0, sizeof motion);
    motion.box = boxes[0];
    motion.dx = window.max_x, motion.dy = window.min_y;
    return motion;
}

static void compare_questions(const spt_index *packed, const spt_index *image)
{
    spt_intlist expected, found;
    spt_box around, same;
    int i;
    spt_intlist_init(&expected, 1), spt_intlist_init(&found, 1);
    CHECK(spt_bounds(packed, &around) == spt_bounds(image, &same));
    CHECK(same_box(&around, &same));
    for (i = 0; i < 20; i++) {
        spt_motion motion = draw_motion();
        spt_box window = draw_window(0);
        CHECK(spt_cast_all(packed, &motion, NULL, &expected) ==
              spt_cast_all(image, &motion, NULL, &found));
        CHECK(same_results(&expected, &found));
        spt_nearest(packed, &window, i, SPT_NO_LIMIT, NULL, &expected);
        spt_nearest(image, &window, i, SPT_NO_LIMIT, NULL, &found);
        CHECK(same_results(&expected, &found));
    }
    spt_intlist_free(&expected), spt_intlist_free(&found);
}

/* A copy of the image of n boxes, in memory that is not a byte larger. */
static unsigned char *image_of(spt_index *packed, int n, size_t *bytes)
{
    const void *data;
    unsigned char *copy;
    CHECK(spt_build(packed, boxes, n) == SPT_OK);
    data = spt_packed_data(packed, bytes);
    CHECK((data == NULL) == (n == 0) && (*bytes == 0) == (n == 0));
    copy = (unsigned char *)malloc(*bytes > 0 ? *bytes : 1);
    if (copy == NULL) exit(1);
    if (data != NULL) memcpy(copy, data, *bytes);
    return copy;
}

/* So that an image of another build, or of a later version, is known. */
static void an_image_begins_with_16_numbers(void)
{
    spt_index packed;
    uint32_t head[16], sum = 0;
    unsigned char *copy;
    size_t bytes;
    int i;
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    draw_boxes(&oracle_worlds[4], 100);
    copy = image_of(&packed, 100, &bytes);
    memcpy(head, copy, sizeof head);
    for (i = 0; i < 15; i++) sum = (sum ^ head[i]) * 16777619u;
    CHECK(head[0] == 0x32545053u && head[2] == SPT_PACKED_NODE && head[3] == 100);
#ifdef SPATIAL_INT
    CHECK(head[1] == 256 + 4);
#else
    CHECK(head[1] == sizeof(spt_coord));
#endif
    for (i = 4; i < 15; i++) CHECK(head[i] == 0);
    CHECK(head[15] == sum);
    spt_free(&packed);
    free(copy);
}

static void an_image_answers_as_what_it_was_made_of_and_is_not_written_to(void)
{
    spt_index packed, image;
    size_t bytes;
    int i;
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    for (i = 1; i < TEST_COUNT(counts); i++) {
        unsigned char *copy;
        uint32_t hash;
        draw_boxes(&oracle_worlds[i % ORACLE_WORLDS], counts[i]);
        copy = image_of(&packed, counts[i], &bytes);
        hash = test_hash(0, copy, bytes);
        CHECK(spt_packed_view(&image, copy, bytes) == SPT_OK);
        CHECK(spt_bytes(&image) == 0);
        compare_some(&image, counts[i], test_scale(200));
        compare_boxes(&image, counts[i]);
        compare_pairs(&image, counts[i]);
        compare_questions(&packed, &image);
        CHECK(spt_build(&image, boxes, counts[i]) == SPT_ERR_KIND);
        CHECK(spt_packed_refit(&image, boxes, counts[i]) == SPT_ERR_KIND);
        CHECK(spt_insert(&image, 0, &boxes[0]) == SPT_ERR_KIND);
        CHECK(spt_count(&image) == counts[i] && test_hash(0, copy, bytes) == hash);
        spt_free(&image);
        free(copy);
    }
    spt_free(&packed);
}

/* Looks at an image of no more bytes than there are. */
static int view_some(const unsigned char *copy, size_t bytes)
{
    spt_index image;
    unsigned char *part = (unsigned char *)malloc(bytes > 0 ? bytes : 1);
    int error;
    if (part == NULL) exit(1);
    memcpy(part, copy, bytes);
    error = spt_packed_view(&image, part, bytes);
    if (error) CHECK(spt_count(&image) == SPT_ERR_INIT);
    spt_free(&image);
    free(part);
    return error;
}

/* packed may have 2^31 - 1 boxes, more than there is memory for here: the ids at the end of an
   image are replaced by the largest ones. */
static void searches_tell_the_largest_ids(void)
{
    spt_motion motion;
    spt_index packed, image;
    spt_intlist ids;
    spt_box box;
    spt_hit hit;
    unsigned char *copy;
    size_t bytes;
    spt_i32 id, k;
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK && spt_intlist_init(&ids, 1) == SPT_OK);
    for (k = 0; k < 3; k++) boxes[k] = box_of(10 * k, 0, 10 * k + 1, 1);
    copy = image_of(&packed, 3, &bytes);
    for (k = 0; k < 3; k++) { /* they lie in order */
        id = INT32_MAX - 2 + k;
        memcpy(copy + bytes - 4 * (size_t)(3 - k), &id, sizeof id);
    }
    CHECK(spt_packed_view(&image, copy, bytes) == SPT_OK);
    box = box_of(22, 0, 22, 0);
    CHECK(spt_nearest(&image, &box, 3, SPT_NO_LIMIT, NULL, &ids) == 3);
    for (k = 0; k < 3; k++) CHECK(spt_intlist_get(&ids, k, 0) == INT32_MAX - k);
    memset(&motion, 0, sizeof motion);
    motion.box = box_of(25, 0, 25, 0), motion.dx = -100;
    CHECK(spt_cast(&image, &motion, NULL, &hit) == 1 && hit.id == INT32_MAX);
    CHECK(spt_cast_all(&image, &motion, NULL, &ids) == 3);
    for (k = 0; k < 3; k++) CHECK(spt_intlist_get(&ids, k, 0) == INT32_MAX - k);
    spt_free(&image), spt_free(&packed);
    spt_intlist_free(&ids);
    free(copy);
}

static void what_is_no_image_of_this_kind_of_machine_is_refused(void)
{
    spt_index packed, image;
    unsigned char *copy;
    size_t bytes, at;
    draw_boxes(&oracle_worlds[0], 100);
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    copy = image_of(&packed, 100, &bytes);
    CHECK(view_some(copy, bytes) == SPT_OK);
    for (at = 0; at < bytes; at++) CHECK(view_some(copy, at) == SPT_ERR_IMAGE);
    for (at = 0; at < 64; at++) {
        copy[at] ^= 1;
        CHECK(view_some(copy, bytes) == SPT_ERR_IMAGE);
        copy[at] ^= 1;
    }
    for (at = 0; at < 64; at += 4) { /* as a machine of the other byte order would write it */
        unsigned char held = copy[at];
        copy[at] = copy[at + 3], copy[at + 3] = held;
        held = copy[at + 1], copy[at + 1] = copy[at + 2], copy[at + 2] = held;
    }
    CHECK(view_some(copy, bytes) == SPT_ERR_IMAGE);
    CHECK(spt_packed_view(&image, NULL, bytes) == SPT_ERR_ARGUMENT);
    CHECK(spt_packed_view(&image, copy + 1, bytes - 1) == SPT_ERR_ARGUMENT);
    CHECK(spt_packed_data(&image, &bytes) == NULL && bytes == 0);
    free(copy);
    spt_free(&packed);
}

static int count_hit(void *ctx, const spt_hit *hit, const spt_box *box, spt_coord *limit)
{
    (void)hit, (void)box, (void)limit;
    return ++*(int *)ctx > 1000;
}

/* Whatever bytes there are: no question looks anywhere else, and an image that passes the check has
   ids that may be used. (The memory is as small as it can be; sanitizers watch.) */
static void contents_that_were_tampered_with_lead_nowhere_else(void)
{
    spt_index packed, image;
    spt_intlist out;
    unsigned char *copy;
    size_t bytes;
    spt_hit hit;
    spt_box box;
    int round, i, told, passed = 0;
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    spt_intlist_init(&out, 1);
    for (round = 0; round < 40 + test_scale(600); round++) {
        int n = 1 + test_below(300);
        draw_boxes(&oracle_worlds[round % ORACLE_WORLDS], n);
        copy = image_of(&packed, n, &bytes);
        for (i = round % 4 ? test_below(30) : 0; i > 0; i--)
            copy[64 + test_below((int)bytes - 64)] = (unsigned char)test_below(256);
        if (!CHECK(spt_packed_view(&image, copy, bytes) == SPT_OK)) exit(1);
        for (i = 0; i < 5; i++) {
            spt_box window = draw_window(n);
            spt_motion motion = draw_motion();
            CHECK(spt_query(&image, &window, NULL, &out) >= 0);
            CHECK(spt_nearest(&image, &window, 5, SPT_NO_LIMIT, NULL, &out) >= 0);
            CHECK(spt_cast_all(&image, &motion, NULL, &out) >= SPT_ERR_ARGUMENT);
            CHECK(spt_cast(&image, &motion, NULL, &hit) >= SPT_ERR_ARGUMENT);
            told = 0;
            CHECK(spt_cast_visit(&image, &motion, NULL, count_hit, &told) >= SPT_ERR_ARGUMENT);
        }
        for (i = 0; i < n; i++) {
            const int error = spt_box_of(&image, i, &box);
            CHECK(error == SPT_OK || (error == SPT_ERR_ID && !spt_check(&image)));
        }
        if (spt_check(&image)) {
            draw_boxes(drawn.world, 0);
            CHECK(spt_pairs(&image, NULL, &out) == SPT_ERR_LIST); /* one field */
            passed++;
        }
        spt_free(&image);
        free(copy);
    }
    CHECK(passed > 0);
    spt_intlist_free(&out);
    spt_free(&packed);
}

static void what_is_behind_the_last_box_of_a_node_counts_for_nothing(void)
{
    spt_index packed, image;
    spt_intlist out, expected;
    unsigned char *copy;
    size_t bytes;
    int n, i, k;
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    spt_intlist_init(&out, 1);
    spt_intlist_init(&expected, 1);
    for (n = 1; n < SPT_PACKED_NODE; n++) {
        draw_boxes(&oracle_worlds[0], n);
        copy = image_of(&packed, n, &bytes);
        for (i = n; i < SPT_PACKED_NODE; i++)
            for (k = 0; k < 4; k++)
                memset(copy + 64 + (size_t)(i / 8 * 32 + k * 8 + i % 8) * sizeof(spt_coord), 0,
                       sizeof(spt_coord));
        if (!CHECK(spt_packed_view(&image, copy, bytes) == SPT_OK)) exit(1);
        CHECK(spt_check(&image));
        for (i = 0; i < 20; i++) {
            spt_box window = draw_window(n);
            for (k = 1; k <= 3; k++) {
                const spt_i32 found = spt_nearest(&image, &window, k, SPT_NO_LIMIT, NULL, &out);
                CHECK(spt_nearest(&packed, &window, k, SPT_NO_LIMIT, NULL, &expected) == found);
                if (found < 1) continue;
                CHECK(spt_intlist_get(&out, 0, 0) == spt_intlist_get(&expected, 0, 0));
            }
        }
        spt_free(&image);
        free(copy);
    }
    spt_intlist_free(&out), spt_intlist_free(&expected);
    spt_free(&packed);
}

static void boxes_that_are_fitted_again_are_found_where_they_are(void)
{
    spt_index packed;
    int i, k;
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    CHECK(spt_packed_refit(&packed, boxes, 0) == SPT_OK);
    for (i = 0; i < TEST_COUNT(counts); i++) {
        unsigned char *before;
        const unsigned char *now;
        size_t bytes, ids;
        int n = counts[i];
        draw_boxes(&oracle_worlds[0], n);
        before = image_of(&packed, n, &bytes);
        draw_boxes(&oracle_worlds[i % ORACLE_WORLDS], n);
        CHECK(spt_packed_refit(&packed, boxes, n) == SPT_OK);
        /* Ids keep their places, at the end of the image: nothing was sorted. */
        now = (const unsigned char *)spt_packed_data(&packed, &bytes);
        ids = sizeof(spt_i32) * (size_t)n;
        CHECK(n == 0 || memcmp(now + bytes - ids, before + bytes - ids, ids) == 0);
        free(before);
        compare_some(&packed, n, test_scale(200));
        compare_boxes(&packed, n);
        compare_pairs(&packed, n);
        CHECK(spt_packed_refit(&packed, boxes, n + 1) == SPT_ERR_ARGUMENT);
        CHECK(spt_packed_refit(&packed, boxes, n - 1) == SPT_ERR_ARGUMENT);
        for (k = 0; k < BAD_BOXES && n > 0; k++) {
            int at = test_below(n);
            spt_box good = boxes[at];
            boxes[at] = bad_box(&good, k);
            CHECK(spt_packed_refit(&packed, boxes, n) == SPT_ERR_BOX);
            boxes[at] = good;
        }
        compare_some(&packed, n, 10);
    }
    spt_free(&packed);
    CHECK(spt_packed_refit(&packed, boxes, 0) == SPT_ERR_INIT);
}

static const test_case tests[] = {
    TEST(random_operations_agree_with_the_naive_model),
    TEST(windows_find_what_brute_force_finds),
    TEST(large_windows_find_all_of_many),
    TEST(sizes_are_what_is_promised_or_none),
    TEST(a_list_with_room_for_what_is_found_does_not_grow),
    TEST(every_node_is_seen_behind_the_one_around_it),
    TEST(leaves_are_nearly_square),
    TEST(small_windows_look_at_few_nodes),
    TEST(few_long_rows_and_columns_are_tested),
    TEST(a_long_visit_begins_again_for_each_batch),
    TEST(windows_in_a_crowd_look_at_few_although_others_are_far_out),
    TEST(check_finds_wrong_coordinates_and_ids),
    TEST(check_finds_ids_that_are_given_twice),
    TEST(check_finds_wrong_counts),
    TEST(an_image_begins_with_16_numbers),
    TEST(an_image_answers_as_what_it_was_made_of_and_is_not_written_to),
    TEST(searches_tell_the_largest_ids),
    TEST(what_is_no_image_of_this_kind_of_machine_is_refused),
    TEST(contents_that_were_tampered_with_lead_nowhere_else),
    TEST(what_is_behind_the_last_box_of_a_node_counts_for_nothing),
    TEST(boxes_that_are_fitted_again_are_found_where_they_are),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
