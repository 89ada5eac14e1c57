/* test_copy.c - a copy has what its source has, does from then on what its source does, in the same
   order, and is changed by nothing that happens to its source. */
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"

/* How much to do: all, or where there is not the time for all. */
#define FEW(all, few) (test.divisor < 8 ? (all) : (few))

/* ---- Everything that the future of an index follows from ------------------------------------- */

static int same_node(const spti_node *a, const spti_node *b, int finest)
{
    const size_t lanes = finest ? sizeof a->lanes / 2 : sizeof a->lanes; /* the finest use half */
    return memcmp(a->lanes, b->lanes, lanes) == 0 && a->used == b->used && a->above == b->above &&
           memcmp(a->chain, b->chain, sizeof a->chain) == 0 &&
           memcmp(a->below, b->below, sizeof a->below) == 0;
}

static int same_tree(const spti_quadtree *a, const spti_quadtree *b)
{
    return a->used == b->used && a->free_head == b->free_head && a->max_depth == b->max_depth &&
           a->leaf_capacity == b->leaf_capacity;
}

static int same_grids(const spti_linear *a, const spti_linear *b)
{
    return a->levels == b->levels && a->up == b->up && a->coarsest == b->coarsest &&
           a->grids == b->grids && a->auto_levels == b->auto_levels && !(a->cell < b->cell) &&
           !(a->cell > b->cell);
}

static int same_table(const spt_index *a, const spt_index *b)
{
    spt_i32 i;
    for (i = 0; i < a->size || i < b->size; i++)
        if ((i < a->size ? a->slots[i] : SPT_NONE) != (i < b->size ? b->slots[i] : SPT_NONE))
            return 0;
    for (i = 0; i < a->node_count; i++)
        if (!same_node(&a->nodes[i], &b->nodes[i], i >= a->finest)) return 0;
    for (i = 0; i < a->pool.top; i++)
        if (memcmp(&a->pool.chunks[i], &b->pool.chunks[i], sizeof(spti_chunk)) != 0) return 0;
    return a->kind->settle ? same_tree(&a->as.quadtree, &b->as.quadtree)
                           : same_grids(&a->as.linear, &b->as.linear);
}

/* 1 if all calls have the same results in the same order with both. room: they have to have as much
   room, too, or will be told of errors at other times. */
static int same(const spt_index *a, const spt_index *b, int room)
{
    size_t bytes_a, bytes_b;
    const void *image_a = spt_packed_data(a, &bytes_a), *image_b = spt_packed_data(b, &bytes_b);
    if (a->kind != b->kind || a->count != b->count) return 0;
    if (memcmp(&a->bounds, &b->bounds, sizeof a->bounds) != 0) return 0;
    if (!a->slots) return bytes_a == bytes_b && (!image_a || !memcmp(image_a, image_b, bytes_a));
    if (a->skew != b->skew || a->first_cell != b->first_cell || a->finest != b->finest) return 0;
    if (a->changes - a->tidied != b->changes - b->tidied) return 0;
    if (a->worth != b->worth || a->fit_after != b->fit_after) return 0;
    if (a->keep_bounds != b->keep_bounds || a->cursor != b->cursor) return 0;
    if (a->pool.top != b->pool.top || a->pool.used != b->pool.used) return 0;
    if (a->pool.free_head != b->pool.free_head || a->node_count != b->node_count) return 0;
    if (memcmp(&a->map, &b->map, sizeof a->map) != 0) return 0;
    if (room && (a->fixed != b->fixed || a->pool.capacity != b->pool.capacity)) return 0;
    return (!room || a->node_room == b->node_room) && same_table(a, b);
}

/* ---- Two that are copied to and fro ---------------------------------------------------------- */

/* The source, the copy, and the memory of each. */
static oracle one, two;
static test_memory memory_one, memory_two;

static void open_two(const char *structure, const oracle_world *world, int levels, spt_i32 capacity,
                     spt_i32 capacity_two)
{
    oracle_setup setup = {NULL, NULL, 0, ORACLE_IDS, 0, {NULL, NULL}, NULL};
    setup.world = world, setup.structure = structure;
    setup.levels = levels, setup.capacity = capacity;
    test_memory_open(&memory_one, &setup.allocator);
    memory_one.fill = 1;
    CHECK(oracle_open(&one, &setup) == SPT_OK);
    test_memory_open(&memory_two, &setup.allocator);
    memory_two.fill = 1;
    setup.capacity = capacity_two;
    CHECK(oracle_open(&two, &setup) == SPT_OK);
}

static void close_two(void)
{
    oracle_close(&one), oracle_close(&two);
    CHECK(memory_one.bytes == 0 && memory_two.bytes == 0);
}

/* Copies the model, too; the lists, capacities and memories stay. */
static void copy_model(oracle *to, const oracle *from)
{
    memcpy(to->boxes, from->boxes, sizeof to->boxes);
    memcpy(to->there, from->there, sizeof to->there);
    memcpy(to->categories, from->categories, sizeof to->categories);
    memcpy(to->masks, from->masks, sizeof to->masks);
    to->count = from->count, to->shrinking = from->shrinking;
}

/* The filters of questions point to the numbers of their own oracle. */
static void copy(oracle *to, const oracle *from)
{
    const spt_u32 changes = to->index.changes;
    const spt_i32 size = to->index.size;
    CHECK(spt_copy(&to->index, &from->index) == SPT_OK);
    copy_model(to, from);
    CHECK(to->index.changes != changes && to->index.size >= size);
    CHECK(to->index.allocator.ctx != from->index.allocator.ctx);
    CHECK(to->index.slots == NULL || to->index.slots != from->index.slots);
    CHECK(spt_check(&to->index));
}

/* The same steps with both: the results are those of the model, and in the same order in both. */
static void go_on(int steps)
{
    int i;
    oracle_stain(&one.found), oracle_stain(&two.found);
    oracle_stain(&one.pairs), oracle_stain(&two.pairs);
    for (i = 0; i < steps; i++) {
        const uint32_t random = test.random;
        oracle_step(&one);
        test.random = random;
        oracle_step(&two);
        CHECK(same_results(&one.found, &two.found) && same_results(&one.pairs, &two.pairs));
        if (i % 8 == 0 && !CHECK(same(&one.index, &two.index, 1))) return;
    }
}

/* Steps with one of them, which leave no trace in the other. */
static void go_alone(oracle *o, const oracle *other, const test_memory *memory, int steps)
{
    const uint32_t hash = test_memory_hash(memory);
    spt_index before;
    before = other->index;
    oracle_run(o, steps);
    CHECK(test_memory_hash(memory) == hash);
    CHECK(memcmp(&before, &other->index, sizeof before) == 0);
    oracle_compare(other);
}

/* Makes the copy, goes on with both, then with each alone, and copies back; all of it some times.
   Between indexes of one size copies need memory only at first. */
static void copy_to_and_fro(int round)
{
    const int steps = test_scale(200) < 20 ? 20 : test_scale(200);
    long calls;
    for (; round > 0; round--) {
        go_alone(&one, &two, &memory_two, steps);
        copy(&two, &one);
        CHECK(same(&one.index, &two.index, 1));
        calls = memory_two.calls;
        copy(&two, &one);
        CHECK(memory_two.calls == calls);
        go_on(steps);
        go_alone(&two, &one, &memory_one, steps);
        if (test_below(2)) go_alone(&one, &two, &memory_two, steps);
        copy(&one, &two);
        CHECK(same(&one.index, &two.index, 1));
        go_on(steps);
    }
}

static void a_copy_goes_on_as_its_source_does(void)
{
    static const spt_i32 capacities[] = {0, ORACLE_IDS, 50};
    const int some = FEW(1, 5);
    int structure, world, c;
    for (structure = 0; structure < ORACLE_ALL; structure++)
        for (world = structure % some; world < ORACLE_WORLDS; world += some)
            for (c = 0; c < TEST_COUNT(capacities); c++) {
                const char *name = oracle_any_structure(structure)->name;
                oracle_fits = (world + c) % 2;
                test_context(name, world);
                open_two(name, &oracle_worlds[world], (world + c) % 3 * 3, capacities[c],
                         capacities[c]);
                copy_to_and_fro(some < 5 ? 3 : 2);
                CHECK(c == 0 || memory_one.calls == memory_two.calls);
                close_two();
            }
    oracle_fits = 0;
}

/* ---- Room ------------------------------------------------------------------------------------ */

static const oracle_world plain = {"plain", -512, 0, 512, 256, 64, 8, 50, 5, 5, 0};

/* A copy in a larger block goes on as its source, which has to get new memory; what it has room for
   may decide about levels and, while a tree is built whose leaves are divided, about the order. */
static void a_copy_with_more_memory_goes_on_as_its_source_does(void)
{
    static spt_box boxes[ORACLE_IDS];
    int structure, levels, i, build;
    for (structure = 0; structure < ORACLE_ALL; structure++)
        for (levels = 0; levels < 10; levels += FEW(3, 6))
            for (build = 0; build < 2; build++) {
                long calls;
                oracle_fits = 1;
                test_context(oracle_any_structure(structure)->name, levels);
                open_two(oracle_any_structure(structure)->name, &plain, levels, 0, 0);
                for (i = 0; i < ORACLE_IDS; i++) boxes[i] = oracle_random_box(&two);
                oracle_build(&two, boxes, ORACLE_IDS);
                oracle_run(&two, 50);
                if (one.only_built) oracle_build(&one, boxes, 9);
                else oracle_fill(&one, 9);
                calls = memory_two.calls;
                copy(&two, &one);
                CHECK(memory_two.calls == calls && same(&one.index, &two.index, 1));
                CHECK(spt_bytes(&two.index) > spt_bytes(&one.index));
                for (i = 0; i < ORACLE_IDS; i++) boxes[i] = oracle_random_box(&two);
                if (build) {
                    oracle_build(&one, boxes, ORACLE_IDS), oracle_build(&two, boxes, ORACLE_IDS);
                    CHECK(same(&one.index, &two.index, 1));
                }
                go_on(FEW(600, 50));
                CHECK(memory_two.calls <= memory_one.calls + calls);
                close_two();
            }
    oracle_fits = 0;
}

/* The elements are those of the source whatever each has room for; and where there is too little,
   nothing changes. */
static void capacities_may_differ(void)
{
    static const spt_i32 capacities[] = {0, 40, 200, ORACLE_IDS};
    int structure, a, b, round, ever_full = 0;
    for (structure = 0; structure < ORACLE_ALL; structure++)
        for (a = 0; a < TEST_COUNT(capacities); a++)
            for (b = FEW(0, a % 2); b < TEST_COUNT(capacities); b += FEW(1, 2)) {
                int full = 0;
                test_context(oracle_any_structure(structure)->name, 10 * a + b);
                open_two(oracle_any_structure(structure)->name, &plain, 0, capacities[a],
                         capacities[b]);
                for (round = 0; round < FEW(10, 4); round++) {
                    spt_index before;
                    int result;
                    one.ids = test_below(2) || one.ids == 30 ? ORACLE_IDS : 30;
                    if (one.ids == 30) oracle_clear(&one);
                    oracle_run(&one, 30), oracle_run(&two, 30);
                    before = two.index;
                    result = spt_copy(&two.index, &one.index);
                    if (result == SPT_OK) {
                        copy_model(&two, &one);
                        CHECK(two.index.fixed == before.fixed);
                        CHECK(!before.fixed || two.index.size == before.size);
                        CHECK(same(&one.index, &two.index, a == b));
                    } else {
                        CHECK(result == SPT_ERR_FULL && before.fixed && a != b);
                        CHECK(memcmp(&before, &two.index, sizeof before) == 0);
                        full++;
                    }
                    oracle_compare(&two);
                    oracle_pairs(&two);
                    oracle_run(&two, 30);
                }
                CHECK(full == 0 || (b > 0 && a != b));
                ever_full += full;
                close_two();
            }
    CHECK(ever_full > ORACLE_ALL);
}

/* Small and large sources by turns: after the largest one there is enough. */
static void copies_allocate_nothing_once_there_is_enough(void)
{
    int structure, turn, round;
    for (round = 0; round < 2 * ORACLE_ALL; round++) {
        static spt_box boxes[ORACLE_IDS];
        const spt_i32 few = round < ORACLE_ALL ? 20 : ORACLE_IDS * 3 / 4; /* less, or over half */
        spt_index small;
        spt_allocator allocator;
        test_memory memory;
        int i;
        structure = round % ORACLE_ALL;
        oracle_fits = 1;
        test_context(oracle_any_structure(structure)->name, few);
        open_two(oracle_any_structure(structure)->name, &plain, 5, 0, 0);
        test_memory_open(&memory, &allocator);
        memset(&small, 0, sizeof small);
        small.kind = one.index.kind, small.allocator = allocator;
        for (i = 0; i < ORACLE_IDS; i++) boxes[i] = oracle_random_box(&one);
        CHECK(spt_build(&one.index, boxes, few) == SPT_OK);
        CHECK(spt_copy(&small, &one.index) == SPT_OK && spt_bytes(&small) == memory.bytes);
        CHECK(spt_build(&two.index, boxes, ORACLE_IDS) == SPT_OK);
        CHECK(spt_copy(&one.index, &two.index) == SPT_OK);
        CHECK(spt_copy(&two.index, &small) == SPT_OK); /* few boxes may have more nodes */
        CHECK(spt_copy(&two.index, &one.index) == SPT_OK);
        for (turn = 0; turn < 4; turn++) {
            const spt_index *from = turn % 2 ? &one.index : &small;
            const long calls = memory_two.calls;
            CHECK(spt_copy(&two.index, from) == SPT_OK && same(&two.index, from, 1));
            CHECK(memory_two.calls == calls && spt_bytes(&two.index) == memory_two.bytes);
        }
        spt_free(&small);
        CHECK(memory.bytes == 0);
        close_two();
    }
    oracle_fits = 0;
}

/* Not the room of the source counts, but the ids that are there. */
static void a_capacity_needs_room_for_the_ids_in_use_only(void)
{
    static const spt_box box = {1, 1, 2, 2};
    spt_linear_desc desc;
    spt_index grown, fixed;
    memset(&desc, 0, sizeof desc);
    desc.capacity = 40;
    CHECK(spt_linear_init(&grown, NULL) == SPT_OK && spt_linear_init(&fixed, &desc) == SPT_OK);
    CHECK(spt_insert(&fixed, 0, &box) == SPT_OK && spt_insert(&grown, 39, &box) == SPT_OK);
    CHECK(grown.size > 40 && spt_copy(&fixed, &grown) == SPT_OK);
    CHECK(spt_count(&fixed) == 1 && spt_contains(&fixed, 39) && spt_check(&fixed));
    CHECK(spt_insert(&fixed, 40, &box) == SPT_ERR_FULL && spt_insert(&grown, 40, &box) == SPT_OK);
    CHECK(spt_copy(&fixed, &grown) == SPT_ERR_FULL && spt_count(&fixed) == 1);
    CHECK(spt_remove(&grown, 40) == SPT_OK && spt_remove(&grown, 39) == SPT_OK);
    CHECK(spt_copy(&fixed, &grown) == SPT_OK && spt_count(&fixed) == 0 && spt_check(&fixed));
    spt_free(&grown), spt_free(&fixed);
}

/* An arena of just the bytes that init needs is enough, and without a heap. */
static void a_copy_in_an_arena_allocates_nothing(void)
{
    static double room_one[200000], room_two[200000];
    int structure;
    for (structure = 0; structure < ORACLE_ALL; structure++) {
        oracle_setup setup = {NULL, NULL, 0, ORACLE_IDS, 300, {NULL, NULL}, NULL};
        spt_arena arenas[2];
        size_t used;
        setup.world = &plain, setup.structure = oracle_any_structure(structure)->name;
        setup.levels = 3;
        test_context(setup.structure, 0);
        spt_arena_init(&arenas[0], room_one, sizeof room_one, &setup.allocator);
        CHECK(oracle_open(&one, &setup) == SPT_OK);
        used = arenas[0].used;
        spt_arena_init(&arenas[1], room_two, used + sizeof *room_two - 1, &setup.allocator);
        CHECK(oracle_open(&two, &setup) == SPT_OK && arenas[1].used == used);
        oracle_run(&one, 1000), oracle_run(&two, 1000);
        copy(&two, &one);
        go_on(500);
        copy(&one, &two);
        CHECK(arenas[0].used == used && arenas[1].used == used);
        oracle_close(&one), oracle_close(&two);
        CHECK(arenas[0].used == 0 && arenas[1].used == 0);
    }
}

/* ---- Errors ---------------------------------------------------------------------------------- */

/* Each allocation of a copy fails once: `two` stays as it was, and the next copy succeeds. */
static void every_allocation_of_a_copy_may_fail_once(void)
{
    int structure;
    for (structure = 0; structure < ORACLE_ALL; structure++) {
        const uint32_t start = test.random;
        long k = 1, failures;
        do {
            static spt_index before;
            spt_allocator heap = {NULL, NULL};
            int result;
            test.random = start;
            test_context(oracle_any_structure(structure)->name, (int)k);
            open_two(oracle_any_structure(structure)->name, &plain, 6, 0, 0);
            one.ids = ORACLE_IDS, two.ids = 70;
            oracle_run(&one, FEW(3000, 600)), oracle_run(&two, 60);
            memset(&before, 0, sizeof before);
            before.kind = two.index.kind, before.allocator = heap; /* grows, and has nothing yet */
            CHECK(spt_copy(&before, &two.index) == SPT_OK);
            memory_two.fail_at = memory_two.calls + k;
            result = spt_copy(&two.index, &one.index);
            failures = memory_two.failures, memory_two.fail_at = 0;
            CHECK(result == (failures > 0 ? SPT_ERR_MEMORY : SPT_OK));
            if (result != SPT_OK) {
                CHECK(same(&two.index, &before, 0) && spt_check(&two.index));
                oracle_compare(&two);
                oracle_run(&two, 20);
                CHECK(spt_copy(&two.index, &one.index) == SPT_OK);
            }
            CHECK(spt_bytes(&two.index) == memory_two.bytes);
            copy_model(&two, &one);
            two.ids = one.ids;
            CHECK(same(&one.index, &two.index, 1));
            go_on(100);
            spt_free(&before);
            close_two();
            k++;
        } while (failures > 0);
        CHECK(k > (one.only_built ? 2 : 3));
    }
}

static int copies_into_itself(void *ctx, spt_i32 id, const spt_box *box)
{
    spt_index *x = (spt_index *)ctx;
    const spt_u32 changes = x->changes;
    (void)id, (void)box;
    CHECK(spt_copy(x, x) == SPT_OK && x->changes == changes);
    return 1;
}

static void what_cannot_be_copied_is_an_error(void)
{
    static const spt_box boxes[2] = {{0, 0, 2, 2}, {1, 1, 3, 3}};
    static double saved[200];
    spt_index nothing, tree, map, image, before;
    const void *data;
    size_t bytes;
    memset(&nothing, 0, sizeof nothing);
    CHECK(spt_linear_init(&tree, NULL) == SPT_OK && spt_build(&tree, boxes, 2) == SPT_OK);
    CHECK(spt_packed_init(&map, NULL) == SPT_OK);
    CHECK(spt_copy(&nothing, &tree) == SPT_ERR_INIT && spt_copy(&tree, &nothing) == SPT_ERR_INIT);
    CHECK(spt_copy(&nothing, &nothing) == SPT_ERR_INIT);
    CHECK(spt_copy(&map, &tree) == SPT_ERR_KIND && spt_copy(&tree, &map) == SPT_ERR_KIND);
    CHECK(spt_count(&tree) == 2 && spt_check(&tree) && spt_count(&map) == 0);
    before = tree;
    CHECK(spt_visit(&tree, &boxes[0], NULL, copies_into_itself, &tree) == 1);
    CHECK(memcmp(&before, &tree, sizeof tree) == 0);
    CHECK(spt_build(&map, boxes, 2) == SPT_OK);
    data = spt_packed_data(&map, &bytes);
    if (!CHECK(bytes <= sizeof saved)) return;
    memcpy(saved, data, bytes);
    CHECK(spt_packed_view(&image, saved, bytes) == SPT_OK);
    before = image;
    CHECK(spt_copy(&image, &map) == SPT_ERR_KIND && memcmp(&before, &image, sizeof image) == 0);
    CHECK(spt_copy(&image, &image) == SPT_OK && memcmp(&before, &image, sizeof image) == 0);
    CHECK(spt_build(&map, boxes, 0) == SPT_OK && spt_count(&map) == 0);
    CHECK(spt_copy(&map, &image) == SPT_OK && same(&map, &image, 0)); /* and needs it no more */
    memset(saved, 0, sizeof saved);
    CHECK(spt_count(&map) == 2 && spt_pairs(&map, NULL, NULL) == 1 && spt_check(&map));
    CHECK(spt_packed_refit(&map, boxes, 2) == SPT_OK && spt_build(&map, boxes, 1) == SPT_OK);
    spt_free(&tree), spt_free(&map), spt_free(&image);
}

int main(int argc, char **argv)
{
    static const test_case tests[] = {
        TEST(a_copy_goes_on_as_its_source_does),
        TEST(a_copy_with_more_memory_goes_on_as_its_source_does),
        TEST(capacities_may_differ),
        TEST(copies_allocate_nothing_once_there_is_enough),
        TEST(a_capacity_needs_room_for_the_ids_in_use_only),
        TEST(a_copy_in_an_arena_allocates_nothing),
        TEST(every_allocation_of_a_copy_may_fail_once),
        TEST(what_cannot_be_copied_is_an_error),
    };
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
