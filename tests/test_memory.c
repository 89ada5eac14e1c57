/* test_memory.c - what happens when there is no memory, and how much is needed: failure of every
   single allocation, arenas of exactly the right size, fixed capacities, sizes that do not fit. */
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"

/* ---- Every allocation fails once ------------------------------------------------------------- */

/* Opens the structure although an allocation in its init may fail. */
static void open_in_spite_of_failures(oracle *o, const oracle_setup *setup, test_memory *memory)
{
    while (oracle_open(o, setup) != SPT_OK) {
        CHECK(memory->failures == 1); /* once only */
        CHECK(memory->bytes == 0);
        if (memory->failures != 1) exit(1);
    }
}

/* One random scenario again and again; in run k allocation k fails. The oracle sees to it that the
   failed call has changed nothing, makes it again, and goes on. Returns the number of runs. */
static int fail_every_allocation(const oracle_world *world, int levels, spt_i32 ids,
                                 spt_i32 capacity)
{
    static oracle o;
    uint32_t start = test.random;
    int k;
    for (k = 1;; k++) {
        oracle_setup setup = {world, "linear", 0, 0, 0, {NULL, NULL}, NULL};
        test_memory memory;
        test.random = start;
        test_memory_open(&memory, &setup.allocator);
        memory.fail_at = k;
        setup.levels = levels;
        setup.ids = ids;
        setup.capacity = capacity;
        setup.memory = &memory;
        test_context(world->name, k);
        open_in_spite_of_failures(&o, &setup, &memory);
        oracle_run(&o, test_scale(400) < 100 ? 100 : 400);
        oracle_close(&o);
        CHECK(memory.bytes == 0);
        if (memory.failures == 0) return k;
    }
}

static void every_allocation_of_a_growing_tree_may_fail_once(void)
{
    int world;
    for (world = 0; world < ORACLE_WORLDS; world++) {
        CHECK(fail_every_allocation(&oracle_worlds[world], 0, ORACLE_IDS, 0) > 2);
        CHECK(fail_every_allocation(&oracle_worlds[world], 3, 100, 0) > 2);
    }
}

static void every_allocation_of_a_tree_of_fixed_capacity_may_fail_once(void)
{
    int world;
    for (world = 0; world < ORACLE_WORLDS; world++) {
        CHECK(fail_every_allocation(&oracle_worlds[world], 0, ORACLE_IDS, ORACLE_IDS) > 2);
        CHECK(fail_every_allocation(&oracle_worlds[world], 2, 50, 40) > 2);
    }
}

/* Pushes or inserts, reserving now and then; a call that fails must leave the list as it was. */
static long run_list(spt_i32 fields, int places, long fail_at)
{
    spt_i32 record[8] = {0, 0, 0, 0, 0, 0, 0, 0}, n = 0, i, result;
    test_memory memory;
    spt_allocator allocator;
    spt_intlist list;
    test_memory_open(&memory, &allocator);
    memory.fail_at = fail_at;
    if (!CHECK(spt_intlist_init_with(&list, fields, &allocator) == SPT_OK)) return 0;
    while (n < 3000) {
        record[0] = record[fields - 1] = n * 3;
        result = places ? spt_intlist_insert(&list, record) : spt_intlist_push(&list, record);
        if (result != SPT_ERR_MEMORY) CHECK(result == n++);
        CHECK(spt_intlist_count(&list) == n && spt_intlist_bytes(&list) == memory.bytes);
        if (n % 700) continue;
        result = spt_intlist_reserve(&list, n * 2);
        CHECK(result == SPT_OK || (result == SPT_ERR_MEMORY && memory.calls == fail_at));
        CHECK(spt_intlist_check(&list) && spt_intlist_count(&list) == n);
    }
    for (i = 0; i < n; i++) CHECK(spt_intlist_get(&list, i, fields - 1) == i * 3);
    spt_intlist_free(&list);
    CHECK(memory.bytes == 0);
    return memory.failures;
}

static void every_allocation_of_a_list_may_fail_once(void)
{
    static const spt_i32 fields[] = {1, 2, 3, 8};
    int f, places;
    for (f = 0; f < TEST_COUNT(fields); f++)
        for (places = 0; places < 2; places++) {
            long k = 1;
            while (run_list(fields[f], places, k)) k++;
            CHECK(k > 4);
        }
}

static spt_box crowd[2000];

/* Ever larger crowds; a call that fails must leave the list as it was, and then succeed. */
static long run_broadphase(long fail_at, int two_sets)
{
    static const spt_i32 counts[] = {1, 10, 40, 40, 300, 2000, 100};
    static const spt_i32 mark[2] = {-5, -6};
    test_memory memory;
    spt_broadphase_desc desc;
    spt_broadphase bp;
    spt_intlist out;
    int c;
    desc.capacity = 0;
    test_memory_open(&memory, &desc.allocator);
    memory.fail_at = fail_at;
    CHECK(spt_broadphase_init(&bp, &desc) == SPT_OK);
    CHECK(spt_intlist_init_with(&out, 2, &desc.allocator) == SPT_OK);
    for (c = 0; c < TEST_COUNT(counts); c++) {
        spt_i32 n = counts[c], expected = two_sets ? n + 2 * (n - 1) : n - 1, result;
        long failures;
        spt_intlist_clear(&out);
        CHECK(spt_intlist_push(&out, mark) == 0);
        do {
            failures = memory.failures;
            result = two_sets ? spt_broadphase_pairs_between(&bp, crowd, n, crowd, n, &out)
                              : spt_broadphase_pairs(&bp, crowd, n, &out);
            CHECK(result == (memory.failures > failures ? SPT_ERR_MEMORY : expected));
            CHECK(spt_intlist_count(&out) == 1 + (result > 0 ? result : 0));
            CHECK(spt_intlist_get(&out, 0, 1) == -6);
            CHECK(spt_broadphase_check(&bp) && spt_intlist_check(&out));
            CHECK(spt_broadphase_bytes(&bp) + spt_intlist_bytes(&out) == memory.bytes);
        } while (result == SPT_ERR_MEMORY);
    }
    spt_broadphase_free(&bp);
    spt_intlist_free(&out);
    CHECK(memory.bytes == 0);
    return memory.failures;
}

static void every_allocation_of_a_broadphase_may_fail_once(void)
{
    int i, two_sets;
    for (i = 0; i < 2000; i++) crowd[i] = box_of(i, i % 2, i + 1, 2); /* each touches the next */
    for (two_sets = 0; two_sets < 2; two_sets++) {
        long k = 1;
        while (run_broadphase(k, two_sets)) k++;
        CHECK(k > 6);
    }
}

static void what_there_is_no_memory_for_can_be_done_later(void)
{
    spt_box bounds = {0, 0, 100, 100};
    test_memory memory;
    spt_linear_desc desc;
    spt_linear tree;
    spt_i32 i;
    int round;
    memset(&desc, 0, sizeof desc);
    desc.bounds = bounds;
    test_memory_open(&memory, &desc.allocator);
    CHECK(spt_linear_init(&tree, &desc) == SPT_OK);
    for (i = 0; i < 50; i++) CHECK(spt_linear_insert(&tree, i, &bounds) == SPT_OK);
    memory.limit = memory.bytes;
    for (round = 0; round < 100; round++) {
        CHECK(spt_linear_insert(&tree, 10000, &bounds) == SPT_ERR_MEMORY);
        CHECK(spt_linear_count(&tree) == 50 && spt_linear_check(&tree));
        CHECK(!spt_linear_contains(&tree, 10000) && memory.bytes == memory.limit);
        CHECK(spt_linear_remove(&tree, 7) == SPT_OK);
        CHECK(spt_linear_insert(&tree, 7, &bounds) == SPT_OK);
    }
    memory.limit = 0;
    CHECK(spt_linear_insert(&tree, 10000, &bounds) == SPT_OK);
    CHECK(spt_linear_bytes(&tree) == memory.bytes);
    spt_linear_free(&tree);
    CHECK(memory.bytes == 0);
}

/* ---- Arenas ---------------------------------------------------------------------------------- */

/* size bytes for any type, `offset` beyond where that is the case; to be freed is *block. */
static unsigned char *buffer_of(size_t size, size_t offset, void **block)
{
    *block = malloc(size + offset + 1);
    if (!CHECK(*block != NULL)) exit(1);
    return (unsigned char *)*block + offset;
}

static void an_arena_hands_out_what_is_there_and_no_more(void)
{
    spt_arena arena;
    spt_allocator a;
    void *block, *one, *two;
    unsigned char *buffer = buffer_of(256, 0, &block);
    spt_arena_init(&arena, buffer, 256, &a);
    one = a.resize(a.ctx, NULL, 0, 100);
    two = a.resize(a.ctx, NULL, 0, 100);
    CHECK(one != NULL && two != NULL);
    CHECK((unsigned char *)one >= buffer && (unsigned char *)two >= (unsigned char *)one + 100);
    CHECK((unsigned char *)two + 100 <= buffer + 256);
    CHECK(a.resize(a.ctx, NULL, 0, 100) == NULL);
    CHECK(a.resize(a.ctx, NULL, 0, SIZE_MAX) == NULL);
    CHECK(a.resize(a.ctx, NULL, 0, SIZE_MAX - 7) == NULL);
    CHECK(a.resize(a.ctx, two, 100, SIZE_MAX - 100) == NULL);
    CHECK(arena.used >= 200 && arena.used <= 256);
    free(block);
}

static void an_arena_grows_shrinks_and_takes_back_the_last_piece(void)
{
    spt_arena arena;
    spt_allocator a;
    void *block;
    unsigned char *first, *last, *moved;
    size_t used;
    spt_arena_init(&arena, buffer_of(4096, 0, &block), 4096, &a);
    first = (unsigned char *)a.resize(a.ctx, NULL, 0, 64);
    used = arena.used;
    last = (unsigned char *)a.resize(a.ctx, NULL, 0, 64);
    memset(first, 1, 64);
    memset(last, 2, 64);
    CHECK(a.resize(a.ctx, last, 64, 1024) == last && last[63] == 2);
    CHECK(a.resize(a.ctx, last, 1024, 32) == last && last[31] == 2);
    moved = (unsigned char *)a.resize(a.ctx, first, 64, 128); /* not the last: moves */
    CHECK(moved != NULL && moved != first && moved[0] == 1 && moved[63] == 1 && last[31] == 2);
    CHECK(a.resize(a.ctx, first, 64, 16) != NULL);
    CHECK(a.resize(a.ctx, moved, 128, 0) == NULL);
    CHECK(a.resize(a.ctx, last, 32, 0) == NULL);
    CHECK(arena.used >= used);
    last = (unsigned char *)a.resize(a.ctx, NULL, 0, 8);
    used = arena.used;
    CHECK(a.resize(a.ctx, last, 8, 0) == NULL && arena.used < used);
    CHECK(a.resize(a.ctx, NULL, 0, 8) == last);
    free(block);
}

static void an_arena_over_an_unaligned_buffer_hands_out_aligned_memory(void)
{
    size_t offset, size;
    for (offset = 0; offset < 32; offset++)
        for (size = 0; size < 100; size += 9) {
            spt_arena arena;
            spt_allocator a;
            void *block;
            unsigned char *buffer = buffer_of(size, offset, &block), *piece;
            spt_arena_init(&arena, buffer, size, &a);
            piece = (unsigned char *)a.resize(a.ctx, NULL, 0, 1);
            if (size > 64) CHECK(piece != NULL);
            if (piece) {
                CHECK((uintptr_t)piece % sizeof(spti_aligned) == 0);
                CHECK(piece >= buffer && piece + 1 <= buffer + size);
            }
            CHECK(a.resize(a.ctx, NULL, 0, size + 1) == NULL);
            free(block);
        }
}

static int is_zero(const void *p, size_t size)
{
    const unsigned char *byte = (const unsigned char *)p;
    while (size > 0 && *byte == 0) size--, byte++;
    return size == 0;
}

static void a_failed_init_leaves_zero_bytes(void)
{
    test_memory memory;
    spt_broadphase_desc pairs;
    spt_linear_desc desc;
    spt_broadphase bp;
    spt_linear tree;
    memset(&pairs, 0, sizeof pairs);
    memset(&desc, 0, sizeof desc);
    test_memory_open(&memory, &pairs.allocator);
    desc.allocator = pairs.allocator;
    memory.limit = 100;
    pairs.capacity = desc.capacity = 10;
    memset(&bp, 0xAA, sizeof bp);
    CHECK(spt_broadphase_init(&bp, &pairs) == SPT_ERR_MEMORY && is_zero(&bp, sizeof bp));
    pairs.capacity = -1;
    memset(&bp, 0xAA, sizeof bp);
    CHECK(spt_broadphase_init(&bp, &pairs) == SPT_ERR_ARGUMENT && is_zero(&bp, sizeof bp));
    memset(&tree, 0xAA, sizeof tree); /* without bounds */
    CHECK(spt_linear_init(&tree, &desc) == SPT_ERR_ARGUMENT && is_zero(&tree, sizeof tree));
    desc.bounds.max_x = desc.bounds.max_y = 8;
    memset(&tree, 0xAA, sizeof tree);
    CHECK(spt_linear_init(&tree, &desc) == SPT_ERR_MEMORY && is_zero(&tree, sizeof tree));
    CHECK(memory.bytes == 0);
}

/* The arena takes back its last piece alone: all must be freed in reverse order. */
static void a_failed_init_and_free_give_an_arena_all_its_memory_back(void)
{
    size_t needed, bytes;
    spt_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.bounds.max_x = desc.bounds.max_y = 64;
    desc.capacity = 100;
    needed = spt_linear_bytes_for(&desc);
    for (bytes = 0; bytes <= needed; bytes += 16) {
        spt_arena arena;
        spt_linear tree;
        void *block;
        int result;
        spt_arena_init(&arena, buffer_of(bytes, 0, &block), bytes, &desc.allocator);
        result = spt_linear_init(&tree, &desc);
        CHECK(result == (bytes < needed ? SPT_ERR_MEMORY : SPT_OK));
        CHECK(result == SPT_OK || arena.used == 0);
        spt_linear_free(&tree); /* also what a failed init has left may be freed */
        CHECK(arena.used == 0);
        free(block);
    }
}

/* Runs the oracle in an arena of so many bytes. Returns what init returned. */
static int run_in_arena(oracle_setup *setup, size_t bytes, size_t offset)
{
    static oracle o;
    spt_arena arena;
    void *block;
    int result;
    spt_arena_init(&arena, buffer_of(bytes, offset, &block), bytes, &setup->allocator);
    result = oracle_open(&o, setup);
    if (result == SPT_OK) {
        size_t used = arena.used;
        CHECK(o.index.bytes(o.index.object) <= used && used <= bytes);
        oracle_run(&o, test_scale(500));
        CHECK(arena.used == used);
        oracle_close(&o);
    }
    free(block);
    return result;
}

static size_t bytes_for(const oracle_setup *setup)
{
    spt_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.bounds = oracle_bounds(setup->world);
    desc.levels = setup->levels;
    desc.capacity = setup->capacity;
    return spt_linear_bytes_for(&desc);
}

static void an_arena_of_bytes_for_suffices_and_one_byte_less_does_not(void)
{
    static const spt_i32 capacities[] = {1, 2, 3, 7, 32, 33, 100, 511};
    static const int levels[] = {0, 1, 2, 5};
    int c, l;
    for (c = 0; c < TEST_COUNT(capacities); c++)
        for (l = 0; l < TEST_COUNT(levels); l++) {
            oracle_setup setup = {
                &oracle_worlds[2], "linear", 0, ORACLE_IDS, 0, {NULL, NULL}, NULL};
            size_t bytes, offset;
            setup.capacity = capacities[c];
            setup.levels = levels[l];
            bytes = bytes_for(&setup);
            CHECK(bytes > (size_t)capacities[c] * sizeof(spt_box));
            CHECK(run_in_arena(&setup, bytes, 0) == SPT_OK);
            CHECK(run_in_arena(&setup, bytes - 1, 0) == SPT_ERR_MEMORY);
            CHECK(run_in_arena(&setup, bytes / 2, 0) == SPT_ERR_MEMORY);
            CHECK(run_in_arena(&setup, 0, 0) == SPT_ERR_MEMORY);
            for (offset = 1; offset < 16; offset += 2)
                CHECK(run_in_arena(&setup, bytes + 16, offset) == SPT_OK);
        }
}

static void a_broadphase_fits_an_arena_of_bytes_for_and_no_smaller_one(void)
{
    static const spt_i32 capacities[] = {1, 2, 31, 32, 33, 100, 2000};
    int c;
    for (c = 0; c < TEST_COUNT(capacities); c++) {
        spt_broadphase_desc desc;
        spt_broadphase bp;
        spt_arena arena;
        spt_intlist out;
        void *block;
        unsigned char *buffer;
        size_t bytes;
        memset(&desc, 0, sizeof desc);
        desc.capacity = capacities[c];
        bytes = spt_broadphase_bytes_for(&desc);
        CHECK(bytes > 0);
        buffer = buffer_of(bytes, 0, &block);
        spt_arena_init(&arena, buffer, bytes - 1, &desc.allocator);
        CHECK(spt_broadphase_init(&bp, &desc) == SPT_ERR_MEMORY);
        spt_arena_init(&arena, buffer, bytes, &desc.allocator);
        CHECK(spt_broadphase_init(&bp, &desc) == SPT_OK);
        CHECK(spt_intlist_init(&out, 2) == SPT_OK);
        CHECK(spt_broadphase_pairs(&bp, crowd, capacities[c], &out) >= 0);
        CHECK(spt_broadphase_pairs(&bp, crowd, capacities[c] + 1, &out) == SPT_ERR_FULL);
        CHECK(spt_broadphase_bytes(&bp) <= bytes && spt_broadphase_check(&bp));
        spt_intlist_free(&out);
        spt_broadphase_free(&bp);
        free(block);
    }
}

static void bytes_for_tells_what_init_allocates(void)
{
    static const spt_i32 capacities[] = {0, 1, 100, 5000};
    int c, levels, no_pairs;
    for (c = 0; c < TEST_COUNT(capacities); c++)
        for (levels = 0; levels <= 8; levels += 2)
            for (no_pairs = 0; no_pairs < 2; no_pairs++) {
                test_memory memory;
                spt_linear_desc desc;
                spt_linear tree;
                size_t bytes;
                memset(&desc, 0, sizeof desc);
                desc.bounds.max_x = desc.bounds.max_y = 100;
                desc.capacity = capacities[c];
                desc.levels = levels;
                desc.no_pairs = no_pairs;
                test_memory_open(&memory, &desc.allocator);
                bytes = spt_linear_bytes_for(&desc);
                CHECK(spt_linear_init(&tree, &desc) == SPT_OK);
                CHECK(memory.bytes <= bytes && bytes <= memory.bytes + 64); /* rounded up */
                CHECK(spt_linear_bytes(&tree) == memory.bytes);
                spt_linear_free(&tree);
                CHECK(memory.bytes == 0);
            }
    CHECK(spt_broadphase_bytes_for(NULL) == 0);
}

/* ---- Fixed capacity -------------------------------------------------------------------------- */

static void nothing_is_allocated_after_init_when_a_capacity_is_set(void)
{
    static oracle o;
    int world;
    for (world = 0; world < ORACLE_WORLDS; world++) {
        oracle_setup setup = {&oracle_worlds[world], "linear", 0, 300, 250, {NULL, NULL}, NULL};
        test_memory memory;
        long calls;
        test_memory_open(&memory, &setup.allocator);
        CHECK(oracle_open(&o, &setup) == SPT_OK);
        calls = memory.calls;
        oracle_run(&o, test_scale(3000));
        CHECK(memory.calls == calls);
        CHECK(o.index.bytes(o.index.object) == memory.bytes);
        oracle_close(&o);
        CHECK(memory.bytes == 0);
    }
}

/* ---- Sizes that do not fit ------------------------------------------------------------------- */

static void capacities_that_no_memory_holds_are_refused(void)
{
    static const spt_i32 capacities[] = {INT32_MAX, INT32_MAX - 1, 1 << 30, 1 << 28, 153391690};
    int c, levels;
    for (c = 0; c < TEST_COUNT(capacities); c++)
        for (levels = 0; levels <= 2; levels++) {
            test_memory memory;
            spt_linear_desc desc;
            spt_broadphase_desc small;
            spt_linear tree;
            spt_broadphase bp;
            size_t bytes;
            memset(&desc, 0, sizeof desc);
            desc.bounds.max_x = desc.bounds.max_y = 100;
            desc.capacity = small.capacity = capacities[c];
            desc.levels = levels;
            test_memory_open(&memory, &desc.allocator);
            small.allocator = desc.allocator;
            memory.limit = 1 << 30;
            CHECK(spt_linear_init(&tree, &desc) == SPT_ERR_MEMORY);
            CHECK(spt_broadphase_init(&bp, &small) == SPT_ERR_MEMORY);
            CHECK(memory.bytes == 0);
            bytes = spt_linear_bytes_for(&desc);
            CHECK(bytes == 0 || bytes / sizeof(spt_box) > (size_t)capacities[c]);
            bytes = spt_broadphase_bytes_for(&small);
            CHECK(bytes == 0 || bytes / sizeof(spt_box) > (size_t)capacities[c]);
        }
}

static void ids_that_no_memory_holds_are_refused(void)
{
    static const spt_i32 ids[] = {INT32_MAX, INT32_MAX - 1, 1 << 30, (1 << 30) - 1, 1 << 28};
    spt_box bounds = {0, 0, 100, 100};
    test_memory memory;
    spt_linear_desc desc;
    spt_linear tree;
    int i;
    memset(&desc, 0, sizeof desc);
    desc.bounds = bounds;
    test_memory_open(&memory, &desc.allocator);
    memory.limit = 1 << 30;
    CHECK(spt_linear_init(&tree, &desc) == SPT_OK);
    CHECK(spt_linear_insert(&tree, 3, &bounds) == SPT_OK);
    for (i = 0; i < TEST_COUNT(ids); i++) {
        CHECK(spt_linear_insert(&tree, ids[i], &bounds) == SPT_ERR_MEMORY);
        CHECK(!spt_linear_contains(&tree, ids[i]) && spt_linear_count(&tree) == 1);
        CHECK(spt_linear_check(&tree));
    }
    spt_linear_free(&tree);
    CHECK(memory.bytes == 0);
}

static void lists_that_no_memory_holds_are_refused(void)
{
    static const spt_i32 fields[] = {1, 2, 3, 1000, 65535};
    int f;
    for (f = 0; f < TEST_COUNT(fields); f++) {
        test_memory memory;
        spt_allocator allocator;
        spt_intlist list;
        test_memory_open(&memory, &allocator);
        memory.limit = 1 << 28;
        if (!CHECK(spt_intlist_init_with(&list, fields[f], &allocator) == SPT_OK)) continue;
        CHECK(spt_intlist_reserve(&list, INT32_MAX) == SPT_ERR_MEMORY);
        CHECK(spt_intlist_reserve(&list, INT32_MAX / 2 + 2) == SPT_ERR_MEMORY);
        CHECK(memory.bytes == 0 && spt_intlist_check(&list));
        spt_intlist_free(&list);
    }
}

static const test_case tests[] = {
    TEST(every_allocation_of_a_list_may_fail_once),
    TEST(every_allocation_of_a_broadphase_may_fail_once),
    TEST(every_allocation_of_a_growing_tree_may_fail_once),
    TEST(every_allocation_of_a_tree_of_fixed_capacity_may_fail_once),
    TEST(what_there_is_no_memory_for_can_be_done_later),
    TEST(an_arena_hands_out_what_is_there_and_no_more),
    TEST(an_arena_grows_shrinks_and_takes_back_the_last_piece),
    TEST(an_arena_over_an_unaligned_buffer_hands_out_aligned_memory),
    TEST(a_failed_init_leaves_zero_bytes),
    TEST(a_failed_init_and_free_give_an_arena_all_its_memory_back),
    TEST(an_arena_of_bytes_for_suffices_and_one_byte_less_does_not),
    TEST(a_broadphase_fits_an_arena_of_bytes_for_and_no_smaller_one),
    TEST(bytes_for_tells_what_init_allocates),
    TEST(nothing_is_allocated_after_init_when_a_capacity_is_set),
    TEST(capacities_that_no_memory_holds_are_refused),
    TEST(ids_that_no_memory_holds_are_refused),
    TEST(lists_that_no_memory_holds_are_refused),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
