/* test_packed.c - windows in boxes that stand still, compared with brute force. */
#define SPATIAL_IMPLEMENTATION
#define SPATIAL_NO_QUADTREE /* what is not tested here is not compiled */
#define SPATIAL_NO_LOOSEGRID
#include "../spatial.h"
#include "oracle.h"

#define MOST 5000

/* Numbers at which blocks and levels begin. */
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
static void compare(const spt_packed *packed, int n, const spt_box *window, spt_intlist *out)
{
    static unsigned char seen[MOST];
    visits v = {out, 0, 0};
    spt_i32 found, i, expected = 0;
    spt_intlist_clear(out);
    found = spt_packed_query(packed, window, out);
    memset(seen, 0, (size_t)n);
    for (i = 0; i < found; i++) {
        spt_i32 id = spt_intlist_get(out, i, 0);
        if (!CHECK(id >= 0 && id < n && !seen[id])) return;
        seen[id] = 1;
    }
    for (i = 0; i < n; i++) {
        expected += brute_overlap(&boxes[i], window);
        CHECK(seen[i] == brute_overlap(&boxes[i], window));
    }
    CHECK(found == expected && spt_intlist_count(out) == found);
    CHECK(spt_packed_visit(packed, window, visit, &v) == 0 && v.count == found);
    if (found == 0) return;
    v.count = 0;
    v.stop_at = 1 + test_below((int)found);
    CHECK(spt_packed_visit(packed, window, visit, &v) == 7 && v.count == v.stop_at);
}

static void compare_some(const spt_packed *packed, int n, int windows)
{
    spt_box window;
    spt_intlist out;
    spt_intlist_init(&out, 1);
    CHECK(spt_packed_check(packed) && spt_packed_count(packed) == n);
    while (windows-- > 0) {
        window = draw_window(n);
        compare(packed, n, &window, &out);
    }
    window.min_x = window.min_y = COORD_LOW;
    window.max_x = window.max_y = COORD_HIGH;
    compare(packed, n, &window, &out);
    spt_intlist_free(&out);
}

/* ---- Windows --------------------------------------------------------------------------------- */

static void windows_find_what_brute_force_finds(void)
{
    spt_packed packed;
    int world, c;
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    for (world = 0; world < ORACLE_WORLDS; world++)
        for (c = 0; c < TEST_COUNT(counts); c++) {
            int n = counts[c];
            test_context(oracle_worlds[world].name, n);
            draw_boxes(&oracle_worlds[world], n);
            CHECK(spt_packed_build(&packed, boxes, n) == SPT_OK);
            compare_some(&packed, n, test_scale(60));
        }
    spt_packed_free(&packed);
}

/* Three levels of full blocks and more, so that whole subtrees lie in a window. */
static void large_windows_find_all_of_many(void)
{
    enum { MANY = 70000 };
    spt_box *many = (spt_box *)malloc(MANY * sizeof *many), window;
    spt_packed packed;
    spt_intlist out;
    int n = test_scale(MANY) < 1100 ? 1100 : test_scale(MANY), i, round;
    if (!CHECK(many != NULL)) exit(1);
    for (i = 0; i < n; i++) {
        int x = test_below(20000), y = test_below(20000);
        many[i] = box_of(x, y, x + test_below(60), y + test_below(60));
    }
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    CHECK(spt_packed_build(&packed, many, n) == SPT_OK && spt_packed_check(&packed));
    spt_intlist_init(&out, 1);
    for (round = 0; round < test_scale(200); round++) {
        int x = test_below(20000), y = test_below(20000), side = test_below(20000);
        spt_i32 expected = 0, sum = 0, k;
        window = box_of(x - side / 2, y - side / 2, x + side / 2, y + side / 2);
        for (i = 0; i < n; i++)
            if (brute_overlap(&many[i], &window)) expected++, sum += i;
        spt_intlist_clear(&out);
        CHECK(spt_packed_query(&packed, &window, &out) == expected);
        for (k = 0; k < expected; k++) sum -= spt_intlist_get(&out, k, 0);
        CHECK(sum == 0);
    }
    spt_intlist_free(&out);
    spt_packed_free(&packed);
    free(many);
}

static void what_was_there_before_is_forgotten(void)
{
    static const int sizes[] = {2000, 40, 0, 1500, 2000, 3};
    spt_packed packed, moved;
    int s;
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    draw_boxes(&oracle_worlds[0], 2000);
    for (s = 0; s < TEST_COUNT(sizes); s++) {
        CHECK(spt_packed_build(&packed, boxes + s, sizes[s]) == SPT_OK);
        memmove(boxes, boxes + s, sizeof boxes - (size_t)s * sizeof boxes[0]);
        compare_some(&packed, sizes[s], test_scale(30));
    }
    memcpy(&moved, &packed, sizeof packed); /* nothing points into itself */
    memset(&packed, 0xAA, sizeof packed);
    compare_some(&moved, 3, 10);
    spt_packed_clear(&moved);
    compare_some(&moved, 0, 10);
    CHECK(spt_packed_bytes(&moved) > 0);
    spt_packed_free(&moved);
    CHECK(spt_packed_bytes(&moved) == 0 && spt_packed_check(&moved));
    spt_packed_free(&moved);
}

/* However much memory there is, and whatever was in it. */
static void the_same_boxes_give_the_same_order(void)
{
    spt_packed fresh, used;
    spt_intlist one, other;
    spt_packed_desc desc;
    int round;
    memset(&desc, 0, sizeof desc);
    desc.capacity = MOST;
    CHECK(spt_packed_init(&used, &desc) == SPT_OK);
    spt_intlist_init(&one, 1);
    spt_intlist_init(&other, 1);
    for (round = 0; round < test_scale(40); round++) {
        int n = test_below(2000);
        spt_box window;
        draw_boxes(&oracle_worlds[round % ORACLE_WORLDS], n);
        window = draw_window(n);
        CHECK(spt_packed_init(&fresh, NULL) == SPT_OK);
        CHECK(spt_packed_build(&fresh, boxes, n) == SPT_OK);
        CHECK(spt_packed_build(&used, boxes, n) == SPT_OK);
        spt_intlist_clear(&one);
        spt_intlist_clear(&other);
        CHECK(spt_packed_query(&fresh, &window, &one) == spt_packed_query(&used, &window, &other));
        CHECK(same_results(&one, &other));
        spt_packed_free(&fresh);
    }
    spt_intlist_free(&one);
    spt_intlist_free(&other);
    spt_packed_free(&used);
}

/* ---- Errors ---------------------------------------------------------------------------------- */

static void bad_boxes_are_refused_and_nothing_changes(void)
{
    static spt_box others[100]; /* so that what was stored would be seen */
    spt_packed packed;
    spt_intlist out, pairs;
    int way, place, k;
    spt_intlist_init(&out, 1);
    spt_intlist_init(&pairs, 2);
    draw_boxes(&oracle_worlds[0], 100);
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    CHECK(spt_packed_build(&packed, boxes, 100) == SPT_OK);
    for (way = 0; way < BAD_BOXES; way++) {
        spt_box bad = bad_box(&boxes[0], way);
        for (place = 0; place < 100; place += 33) {
            for (k = 0; k < 100; k++) others[k] = boxes[99 - k];
            others[place] = bad;
            CHECK(spt_packed_build(&packed, others, 100) == SPT_ERR_ARGUMENT);
            compare_some(&packed, 100, 3);
        }
        CHECK(spt_packed_query(&packed, &bad, &out) == SPT_ERR_ARGUMENT);
        CHECK(spt_packed_visit(&packed, &bad, visit, NULL) == SPT_ERR_ARGUMENT);
    }
    CHECK(spt_packed_build(&packed, boxes, -1) == SPT_ERR_ARGUMENT);
    CHECK(spt_packed_query(&packed, &boxes[0], &pairs) == SPT_ERR_ARGUMENT);
    CHECK(spt_intlist_count(&out) == 0 && spt_intlist_count(&pairs) == 0);
    compare_some(&packed, 100, 10);
    spt_packed_free(&packed);
    CHECK(spt_packed_query(&packed, &boxes[0], &out) == 0);
}

static void a_fixed_capacity_allocates_once(void)
{
    static const int capacities[] = {1, 32, 33, 1000, 1025};
    test_memory memory;
    spt_packed_desc desc;
    spt_packed packed;
    int c;
    for (c = 0; c < TEST_COUNT(capacities); c++) {
        int n = capacities[c];
        test_memory_open(&memory, &desc.allocator);
        desc.capacity = n;
        draw_boxes(&oracle_worlds[1], n + 2);
        CHECK(spt_packed_init(&packed, &desc) == SPT_OK);
        CHECK(memory.calls == 1 && memory.bytes == spt_packed_bytes_for(&desc));
        CHECK(spt_packed_bytes(&packed) == memory.bytes);
        CHECK(spt_packed_build(&packed, boxes, n) == SPT_OK);
        CHECK(spt_packed_build(&packed, boxes + 1, n + 1) == SPT_ERR_FULL);
        compare_some(&packed, n, 10);
        CHECK(spt_packed_build(&packed, boxes, n / 2) == SPT_OK);
        compare_some(&packed, n / 2, 10);
        CHECK(memory.calls == 1);
        spt_packed_free(&packed);
        CHECK(memory.bytes == 0);
    }
}

static void sizes_are_what_is_promised_or_none(void)
{
    spt_packed_desc desc;
    spt_packed packed;
    memset(&desc, 0, sizeof desc);
    CHECK(spt_packed_bytes_for(NULL) == 0 && spt_packed_bytes_for(&desc) == 0);
    desc.capacity = -1;
    CHECK(spt_packed_bytes_for(&desc) == 0);
    memset(&packed, 0xAA, sizeof packed);
    CHECK(spt_packed_init(&packed, &desc) == SPT_ERR_ARGUMENT && spt_packed_bytes(&packed) == 0);
    CHECK(packed.block == NULL && packed.capacity == 0 && packed.fixed == 0);
    desc.capacity = 100000;
    CHECK(spt_packed_bytes_for(&desc) - 1100 < 104000 * (4 * sizeof(spt_coord) + 4));
    desc.capacity = INT32_MAX;
#if SIZE_MAX < 0xFFFFFFFFFFFFFFFFu
    CHECK(spt_packed_bytes_for(&desc) == 0 && spt_packed_init(&packed, &desc) == SPT_ERR_MEMORY);
#else
    CHECK(spt_packed_bytes_for(&desc) / INT32_MAX < 6 + 4 * sizeof(spt_coord));
    CHECK(spt_packed_bytes_for(&desc) / INT32_MAX >= 4 + 4 * sizeof(spt_coord));
#endif
}

/* Builds and asks with the list growing; call fail_at for memory fails. Whatever fails must leave
   all as it was and succeed when it is tried again. Returns how many failed. */
static long run_with_failure(long fail_at)
{
    static const int sizes[] = {1, 40, 700, 2000};
    test_memory memory;
    spt_packed_desc desc;
    spt_packed packed;
    spt_intlist out;
    int s, before = 0;
    memset(&desc, 0, sizeof desc);
    test_memory_open(&memory, &desc.allocator);
    memory.fail_at = fail_at;
    CHECK(spt_packed_init(&packed, &desc) == SPT_OK);
    CHECK(spt_intlist_init_with(&out, 1, &desc.allocator) == SPT_OK);
    for (s = 0; s < TEST_COUNT(sizes); s++) {
        spt_box all = oracle_bounds(drawn.world);
        spt_i32 found, again;
        if (spt_packed_build(&packed, boxes, sizes[s]) == SPT_ERR_MEMORY) {
            CHECK(memory.failures == 1);
            compare_some(&packed, before, 3);
            CHECK(spt_packed_build(&packed, boxes, sizes[s]) == SPT_OK);
        }
        before = sizes[s];
        spt_intlist_clear(&out);
        found = spt_packed_query(&packed, &all, &out);
        if (found == SPT_ERR_MEMORY) {
            CHECK(memory.failures == 1 && spt_intlist_count(&out) == 0);
            found = spt_packed_query(&packed, &all, &out);
        }
        CHECK(found > 0 && spt_intlist_count(&out) == found);
        again = spt_packed_query(&packed, &boxes[0], &out);
        if (again == SPT_ERR_MEMORY) CHECK(spt_intlist_count(&out) == found);
        else CHECK(again > 0 && spt_intlist_count(&out) == found + again);
        CHECK(spt_packed_check(&packed));
        CHECK(spt_packed_bytes(&packed) + spt_intlist_bytes(&out) == memory.bytes);
    }
    spt_packed_free(&packed);
    spt_intlist_free(&out);
    CHECK(memory.bytes == 0);
    return memory.failures;
}

static void every_allocation_may_fail_once(void)
{
    int world;
    for (world = 0; world < 3; world++) {
        long k = 1;
        draw_boxes(&oracle_worlds[world], 2000);
        while (run_with_failure(k)) k++;
        CHECK(k > 6);
    }
}

/* Room for all that is found is enough: none is asked for to be on the safe side. */
static void a_list_with_room_for_what_is_found_does_not_grow(void)
{
    test_memory memory;
    spt_allocator allocator;
    spt_packed packed;
    spt_intlist out;
    int round;
    draw_boxes(&oracle_worlds[0], 2000);
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    CHECK(spt_packed_build(&packed, boxes, 2000) == SPT_OK);
    for (round = 0; round < test_scale(200); round++) {
        spt_box window = draw_window(2000);
        spt_i32 expected = 0, i;
        for (i = 0; i < 2000; i++) expected += brute_overlap(&boxes[i], &window);
        test_memory_open(&memory, &allocator);
        CHECK(spt_intlist_init_with(&out, 1, &allocator) == SPT_OK);
        CHECK(spt_intlist_reserve(&out, expected) == SPT_OK);
        memory.limit = memory.bytes > 0 ? memory.bytes : 1;
        CHECK(spt_packed_query(&packed, &window, &out) == expected);
        spt_intlist_free(&out);
    }
    spt_packed_free(&packed);
}

/* ---- The tree -------------------------------------------------------------------------------- */

typedef struct tour {
    int level;              /* of the cell before */
    spt_box path[8];        /* the cell and those that it is in, by level */
    spt_i32 boxes, blocks, stop_at;
} tour;

static int see_block(void *ctx, const spt_box *box, int level, spt_i32 count)
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
    return ++t->blocks == t->stop_at ? 5 : 0;
}

static void every_block_is_seen_behind_the_one_around_it(void)
{
    spt_packed packed;
    int c;
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    for (c = 0; c < TEST_COUNT(counts); c++) {
        tour t;
        spt_i32 blocks = 0, level = counts[c];
        memset(&t, 0, sizeof t);
        t.level = -1;
        draw_boxes(&oracle_worlds[2], counts[c]);
        CHECK(spt_packed_build(&packed, boxes, counts[c]) == SPT_OK);
        CHECK(spt_packed_traverse(&packed, see_block, &t) == 0);
        for (; level > 1 || blocks == 0; blocks += level) {
            if (level == 0) break;
            level = (level + SPT_PACKED_BLOCK - 1) / SPT_PACKED_BLOCK;
        }
        CHECK(t.boxes == counts[c] && t.blocks == blocks);
        if (blocks == 0) continue;
        memset(&t, 0, sizeof t);
        t.level = -1;
        t.stop_at = 1 + test_below((int)blocks);
        CHECK(spt_packed_traverse(&packed, see_block, &t) == 5 && t.blocks == t.stop_at);
    }
    spt_packed_free(&packed);
}

/* The nearest along the curve are near in the plane: all steps of it are of length 1. */
static void the_curve_goes_through_all_cells_step_by_step(void)
{
    enum { SIDE = 64 };
    static unsigned char seen[SIDE * SIDE];
    static int at_x[SIDE * SIDE], at_y[SIDE * SIDE];
    int x, y, i;
    for (y = 0; y < SIDE; y++) /* the corner where it begins */
        for (x = 0; x < SIDE; x++) {
            spt_u32 key = spti_hilbert((spt_u32)x, (spt_u32)y);
            if (!CHECK(key < SIDE * SIDE && !seen[key])) return;
            seen[key] = 1;
            at_x[key] = x, at_y[key] = y;
        }
    for (i = 1; i < SIDE * SIDE; i++)
        CHECK(abs(at_x[i] - at_x[i - 1]) + abs(at_y[i] - at_y[i - 1]) == 1);
    CHECK(spti_hilbert(0, 0) == 0);
    CHECK(spti_hilbert(0xFFFF, 0) == 0xFFFFFFFFu || spti_hilbert(0, 0xFFFF) == 0xFFFFFFFFu);
}

/* Looked at are about as many blocks as a window needs: the tree is worth its name. */
static void small_windows_look_at_few_blocks(void)
{
    spt_packed packed;
    spti_pack_search s;
    spti_pack p;
    int side = 64, i;
    long looked = 0, round, rounds = 500;
    for (i = 0; i < side * side; i++) {
        int x = i % side * 16, y = i / side * 16;
        boxes[i] = box_of(x, y, x + 12, y + 12);
    }
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    CHECK(spt_packed_build(&packed, boxes, side * side) == SPT_OK);
    (void)spti_pack_init(&p, packed.block, packed.count);
    CHECK(p.top == 2);
    s.pack = p;
    for (round = 0; round < rounds; round++) {
        int x = test_below(1000), y = test_below(1000);
        spt_box window = box_of(x, y, x + 20, y + 20);
        spt_i32 k;
        s.box = &window;
        for (k = 0; k < p.items[2]; k++) {
            spt_u32 hits;
            spti_pack_look(&s, 1, k);
            for (hits = s.hits[1]; hits; hits &= hits - 1) looked++;
        }
    }
    CHECK(looked < 4 * rounds); /* of 128 */
    spt_packed_free(&packed);
}

static void expect_broken(const spt_packed *packed, void *place, size_t size, const void *value)
{
    unsigned char saved[16];
    test.step++;
    memcpy(saved, place, size);
    memcpy(place, value, size);
    CHECK(!spt_packed_check(packed));
    memcpy(place, saved, size);
    CHECK(spt_packed_check(packed));
}

static void check_finds_what_is_broken(void)
{
    spt_packed packed;
    spti_pack p;
    spti_soa leaf, node;
    spt_i32 wrong;
    spt_coord far;
    size_t bytes;
    draw_boxes(&oracle_worlds[4], 100); /* none of them infinite */
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    CHECK(spt_packed_build(&packed, boxes, 100) == SPT_OK);
    (void)spti_pack_init(&p, packed.block, 100);
    (void)spti_pack_block(&p, 0, 2, &leaf);
    (void)spti_pack_block(&p, 1, 0, &node);
    wrong = -1, expect_broken(&packed, &leaf.id[3], sizeof wrong, &wrong);
    wrong = 100, expect_broken(&packed, &leaf.id[3], sizeof wrong, &wrong);
    wrong = leaf.id[4], expect_broken(&packed, &leaf.id[3], sizeof wrong, &wrong);
    far = coord_of(900000), expect_broken(&packed, &node.max_x[2], sizeof far, &far);
    expect_broken(&packed, &node.max_y[2], sizeof far, &far);
    expect_broken(&packed, &leaf.max_x[5], sizeof far, &far);
    expect_broken(&packed, &leaf.min_y[5], sizeof far, &far);
    far = coord_of(-900000), expect_broken(&packed, &node.min_x[2], sizeof far, &far);
    expect_broken(&packed, &node.min_y[2], sizeof far, &far);
    wrong = -1, expect_broken(&packed, &packed.count, sizeof wrong, &wrong);
    wrong = 101, expect_broken(&packed, &packed.count, sizeof wrong, &wrong);
    wrong = 0, expect_broken(&packed, &packed.capacity, sizeof wrong, &wrong);
    wrong = 133, expect_broken(&packed, &packed.capacity, sizeof wrong, &wrong);
    bytes = packed.bytes + 1, expect_broken(&packed, &packed.bytes, sizeof bytes, &bytes);
    spt_packed_clear(&packed);
    CHECK(spt_packed_check(&packed));
    spt_packed_free(&packed);
    bytes = 1, expect_broken(&packed, &packed.bytes, sizeof bytes, &bytes);
}

static const test_case tests[] = {
    TEST(windows_find_what_brute_force_finds),
    TEST(large_windows_find_all_of_many),
    TEST(what_was_there_before_is_forgotten),
    TEST(the_same_boxes_give_the_same_order),
    TEST(bad_boxes_are_refused_and_nothing_changes),
    TEST(a_fixed_capacity_allocates_once),
    TEST(sizes_are_what_is_promised_or_none),
    TEST(every_allocation_may_fail_once),
    TEST(a_list_with_room_for_what_is_found_does_not_grow),
    TEST(every_block_is_seen_behind_the_one_around_it),
    TEST(the_curve_goes_through_all_cells_step_by_step),
    TEST(small_windows_look_at_few_blocks),
    TEST(check_finds_what_is_broken),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
