/* test_limits.c - the limits of counts, ids, nodes and bytes, which are so small here that tests
   reach them. What is beyond is refused, and the structure is as it was. */
#define SPTI_I32_MAX ((spt_i32)20000)
#ifdef SPATIAL_DOUBLE /* objects have at most half as many bytes */
#define SPTI_SIZE_MAX ((size_t)1400000)
#else
#define SPTI_SIZE_MAX ((size_t)820000)
#endif
#define SPTI_ID ((spt_i32)0x3FFF)
#define SPTI_NODES_MOST ((spt_i32)64)
#define SPTI_WORTH 1100     /* more than a leaf, which one thread takes */
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "brute.h"
#include "kinds.h"
#include "test.h"

#ifndef SPTI_GROWS
int main(void)
{
    printf("0 checks: the structures are smaller\n");
    return 0;
}
#else
#define MOST_IDS ((spt_i32)0x4000)

static spt_box boxes[MOST_IDS + 1];

/* n boxes in groups of the same place. Each box of a group overlaps all the others of it. */
static void make_groups(spt_i32 n, spt_i32 size)
{
    spt_i32 i;
    for (i = 0; i < n; i++) {
        boxes[i].min_x = (spt_coord)(i / size % 40 * 100), boxes[i].max_x = boxes[i].min_x + 20;
        boxes[i].min_y = (spt_coord)(i / size / 40 * 100), boxes[i].max_y = boxes[i].min_y + 20;
    }
}

static void one_by_one(void *ctx, spt_job_fn job, void *arg, int n) SPT_CALLBACK
{
    const spt_workers *workers = (const spt_workers *)ctx;
    int i;
    for (i = 0; i < n; i++) job(arg, i, i % workers->count);
}

/* ---- Lists ----------------------------------------------------------------------------------- */

static void a_list_ends_at_the_largest_count(void)
{
    static const spt_i32 record[7] = {1, 2, 3, 4, 5, 6, 7};
    spt_intlist list;
    spt_i32 most, n, fields;
    for (fields = 1; fields <= 7; fields++) {
        CHECK(spt_intlist_init(&list, fields) == SPT_OK);
        most = SPTI_I32_MAX / fields;
        CHECK(spt_intlist_reserve(&list, most + 1) == SPT_ERR_COUNT);
        for (n = 0; spt_intlist_push(&list, record) == n; n++) continue;
        CHECK(n == most && list.count == most && list.capacity == most);
        CHECK(spt_intlist_push(&list, record) == SPT_ERR_COUNT);
        CHECK(spt_intlist_reserve(&list, most) == SPT_OK);
        spt_intlist_free(&list);
    }
    CHECK(spt_intlist_init(&list, (spt_i32)65535) == SPT_OK); /* more than the largest count */
    CHECK(spt_intlist_push(&list, record) == SPT_ERR_COUNT);
    CHECK(spt_intlist_init(&list, (spt_i32)65536) == SPT_ERR_ARGUMENT);
}

/* ---- Sizes ----------------------------------------------------------------------------------- */

/* Checks what init and bytes_for say of `capacity` things: an error and 0 bytes if they are too
   many; *most, until then 0, becomes the first capacity that is. */
static void expect_size(size_t bytes, int error, spt_i32 capacity, spt_i32 *most)
{
    CHECK(error == (bytes ? SPT_OK : SPT_ERR_MEMORY));
    if (bytes == 0 && *most == 0) *most = capacity;
    CHECK((bytes == 0) == (*most > 0));
}

static void what_does_not_fit_makes_the_sum_too_large(void)
{
    size_t used = 0;
    (void)spti_piece(NULL, &used, 1, 8);
    (void)spti_piece(NULL, &used, 0, 8);
    CHECK(used >= 8 && used < 64);
    (void)spti_piece(NULL, &used, 1, SPTI_SIZE_MAX / 2);
    CHECK(used == SPTI_SIZE_MAX);
    (void)spti_piece(NULL, &used, 1, 8);
    CHECK(used == SPTI_SIZE_MAX);
    for (used = 0; used < SPTI_SIZE_MAX;) (void)spti_piece(NULL, &used, 1, SPTI_SIZE_MAX / 8);
    CHECK(used == SPTI_SIZE_MAX);
}

static void structures_have_no_larger_objects(void)
{
    static const spt_index none;
    spt_allocator allocator;
    test_memory memory;
    spt_index x;
    any_desc desc;
    spt_i32 capacity, most;
    size_t bytes;
    int k, error;
    for (k = 0; k < 8; k++) {
        most = 0;
        test_memory_open(&memory, &allocator);
        for (capacity = 100; capacity <= SPTI_I32_MAX; capacity += 100) {
            memset(&desc, 0, sizeof desc);
            kinds[k % 4]->set(&desc, capacity, k / 4, &allocator);
            bytes = kinds[k % 4]->bytes_for(&desc);
            error = kinds[k % 4]->init(&x, &desc);
            if (error) CHECK(memcmp(&x, &none, sizeof x) == 0);
            else CHECK(memory.bytes == bytes || (bytes == 0 && memory.bytes >= SPTI_SIZE_MAX));
            expect_size(error ? bytes : memory.bytes, error, capacity, &most);
            spt_free(&x);
        }
        CHECK(most > 100 && memory.bytes == 0);
    }
}

static void scratch_has_no_larger_objects(void)
{
    spt_broadphase_desc bp_desc;
    spt_contacts_desc c_desc;
    spt_neighbours_desc nb_desc;
    spt_broadphase bp;
    spt_contacts c;
    spt_neighbours nb;
    spt_i32 n, most[5] = {0, 0, 0, 0, 0};
    int k;
    memset(&bp_desc, 0, sizeof bp_desc);
    memset(&c_desc, 0, sizeof c_desc);
    memset(&nb_desc, 0, sizeof nb_desc);
    for (n = 1; n < SPTI_I32_MAX; n += 1 + n / 16) {
        bp_desc.capacity = c_desc.capacity = nb_desc.capacity = n;
        for (k = 0; k < 3; k++) { /* with 0, 2 and 40 workers */
            bp_desc.workers.count = k == 2 ? 40 : 2 * k;
            bp_desc.workers.run = one_by_one, bp_desc.workers.ctx = &bp_desc.workers;
            expect_size(spt_broadphase_bytes_for(&bp_desc), spt_broadphase_init(&bp, &bp_desc), n,
                        &most[k]);
            spt_broadphase_free(&bp);
        }
        expect_size(spt_contacts_bytes_for(&c_desc), spt_contacts_init(&c, &c_desc), n, &most[3]);
        spt_contacts_free(&c);
        expect_size(spt_neighbours_bytes_for(&nb_desc), spt_neighbours_init(&nb, &nb_desc), n,
                    &most[4]);
        spt_neighbours_free(&nb);
    }
    for (k = 0; k < 5; k++) CHECK(most[k] > 1000);
}

/* Scratch that grows gets a quarter more than it needs, or just that where more is too large. */
static void scratch_grows_to_the_largest_object(void)
{
    static spt_coord points[2 * SPTI_I32_MAX];
    spt_broadphase bp;
    spt_neighbours nb;
    spt_i32 n, ok = 0;
    make_groups(MOST_IDS, (spt_i32)4);
    CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK);
    CHECK(spt_neighbours_init(&nb, NULL) == SPT_OK);
    for (n = 16; n < MOST_IDS; n += n / 16) {
        const spt_i32 found = spt_broadphase_pairs(&bp, boxes, n, NULL, NULL);
        CHECK(found == (ok < n - n / 16 && n > 16 && found < 0 ? SPT_ERR_MEMORY : found));
        CHECK(found == SPT_ERR_MEMORY || found == n / 4 * 6 + (n % 4) * (n % 4 - 1) / 2);
        if (found >= 0) ok = n;
    }
    CHECK(ok > 1000 && ok < MOST_IDS / 8 * 7);
    for (n = 0; n < 2 * SPTI_I32_MAX; n++) points[n] = (spt_coord)(n / 2 * 10);
    for (n = 16, ok = 0; n < SPTI_I32_MAX; n += n / 16) {
        const spt_i32 found =
            spt_neighbours_pairs(&nb, points, points + 1, 2 * sizeof *points, n, 1, NULL);
        CHECK(found == (found < 0 ? SPT_ERR_MEMORY : 0));
        if (found >= 0) CHECK(ok == 0 || ok >= n - n / 16), ok = n;
    }
    CHECK(ok > 1000);
    spt_neighbours_free(&nb);
    spt_broadphase_free(&bp);
}

/* ---- Indexes --------------------------------------------------------------------------------- */

/* Inserts, one by one or by a build, until there is no more memory; then all is as it was. */
static void an_index_grows_to_the_largest_object(void)
{
    spt_index x;
    spt_box window;
    spt_i32 n;
    int k, error;
    make_groups(MOST_IDS, (spt_i32)1);
    window.min_x = window.min_y = 0, window.max_x = window.max_y = 100000;
    for (k = 0; k < 3; k++) {
        CHECK(kinds[k]->init(&x, NULL) == SPT_OK);
        for (n = 0, error = SPT_OK; n < MOST_IDS; n++) {
            error = spt_insert(&x, n, &boxes[n]);
            if (error) break;
        }
        CHECK(error == SPT_ERR_MEMORY && n > 1000 && n < MOST_IDS);
        CHECK(x.count == n && spt_check(&x) && !spt_contains(&x, n));
        CHECK(spt_query(&x, &window, NULL, NULL) == n);
        CHECK(spt_insert(&x, MOST_IDS, &boxes[0]) == SPT_ERR_ID);
        CHECK(spt_build(&x, boxes, MOST_IDS + 1) == SPT_ERR_MEMORY);
        CHECK(x.count == n && spt_check(&x));
        CHECK(spt_build(&x, boxes, n / 2) == SPT_OK && spt_check(&x));
        CHECK(spt_query(&x, &window, NULL, NULL) == n / 2);
        spt_free(&x);
    }
}

static void a_tree_has_no_more_nodes(void)
{
    static const spt_box world = {0, 0, 4096, 4096};
    spt_linear_desc deep;
    spt_index x;
    spt_i32 i, n = 600;
    memset(&deep, 0, sizeof deep);
    deep.levels = SPT_LINEAR_MAX_LEVELS, deep.bounds = world, deep.keep_bounds = 1;
    CHECK(spt_linear_init(&x, &deep) == SPT_OK);
    CHECK(x.node_count <= SPTI_NODES_MOST && x.node_count > SPTI_NODES_MOST / 16);
    spt_free(&x);
    CHECK(spt_quadtree_init(&x, NULL) == SPT_OK);
    for (i = 0; i < n; i++) { /* ever smaller squares */
        const spt_coord at = (spt_coord)(1000 >> i / 8 % 10);
        boxes[i].min_x = boxes[i].max_x = at + (spt_coord)(i % 8);
        boxes[i].min_y = boxes[i].max_y = at + (spt_coord)(i / 80);
        CHECK(spt_insert(&x, i, &boxes[i]) == SPT_OK);
    }
    CHECK(spt_check(&x) && x.node_room <= SPTI_NODES_MOST);
    CHECK(spt_build(&x, boxes, n) == SPT_OK && spt_check(&x));
    for (i = 0; i < n; i++) CHECK(spt_query(&x, &boxes[i], NULL, NULL) >= 1);
    CHECK(spt_query(&x, &world, NULL, NULL) == n);
    spt_free(&x);
}

static void an_image_has_no_more_boxes(void)
{
    static spt_u32 image[SPTI_PACK_HEAD + 64];
    static const spt_i32 counts[] = {0, SPTI_I32_MAX, SPTI_I32_MAX + 1};
    spt_index x;
    int i;
    for (i = 0; i < 3; i++) {
        spti_pack_head((spt_u32)counts[i], image);
        CHECK(spt_packed_view(&x, image, sizeof image) == SPT_ERR_IMAGE && x.kind == NULL);
    }
    spti_pack_head(1, image);
    CHECK(spt_packed_view(&x, image, SPTI_PACK_HEAD * sizeof *image) == SPT_ERR_IMAGE);
    CHECK(spt_packed_view(&x, image, sizeof image) == SPT_ERR_IMAGE || x.count == 1);
}

/* ---- Counts ---------------------------------------------------------------------------------- */

static int all_pass(void *ctx, spt_i32 a, spt_i32 b) SPT_CALLBACK
{
    (void)ctx, (void)a, (void)b;
    return 1;
}

/* Returns the number of pairs of n boxes in groups, or the error for so many. */
static spt_i32 expected(spt_i32 n, spt_i32 size, spt_i32 most)
{
    const spt_i32 pairs = n / size * (size * (size - 1) / 2);
    return pairs > most ? SPT_ERR_COUNT : pairs;
}

static void expect_pairs(spt_index *x, spt_broadphase *bp, spt_i32 n, spt_i32 size,
                         spt_intlist *out)
{
    const spt_i32 wanted = expected(n, size, out ? SPTI_I32_MAX / 2 : SPTI_I32_MAX);
    static spt_i32 ids[3000];
    spt_filter filter;
    spt_i32 i;
    memset(&filter, 0, sizeof filter);
    filter.accept = all_pass;
    for (i = 0; i < n; i++) ids[i] = i;
    if (x) CHECK(spt_pairs(x, NULL, out) == wanted && (!out || out->count == SPTI_MAX(wanted, 0)));
    if (x) CHECK(spt_pairs(x, &filter, out) == wanted);
    if (x && x->kind->reset) CHECK(spt_pairs_of(x, ids, n, NULL, out) == wanted);
    CHECK(spt_broadphase_pairs(bp, boxes, n, NULL, out) == wanted);
    CHECK(spt_broadphase_pairs(bp, boxes, n, &filter, out) == wanted);
    CHECK(!out || out->count == SPTI_MAX(wanted, 0));
}

static void more_pairs_than_the_largest_count_are_an_error(void)
{
    static const spt_i32 sizes[][2] = {{140, 140}, {150, 150}, {200, 200}, {210, 210}};
    spt_broadphase bp;
    spt_intlist out;
    spt_index x;
    size_t i, k;
    CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK && spt_intlist_init(&out, 2) == SPT_OK);
    for (k = 0; k < 4; k++)
        for (i = 0; i < 4; i++) {
            make_groups(sizes[i][0], sizes[i][1]);
            CHECK(kinds[k]->init(&x, NULL) == SPT_OK);
            CHECK(spt_build(&x, boxes, sizes[i][0]) == SPT_OK);
            expect_pairs(&x, &bp, sizes[i][0], sizes[i][1], NULL);
            expect_pairs(&x, &bp, sizes[i][0], sizes[i][1], &out);
            spt_free(&x);
        }
    spt_intlist_free(&out);
    spt_broadphase_free(&bp);
}

/* A list that can grow, but not by all pairs of the last sweep. */
static void a_list_with_room_for_almost_the_largest_count_tells_that_it_is_passed(void)
{
    spt_broadphase bp;
    spt_intlist out;
    make_groups(200, 200);
    CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK && spt_intlist_init(&out, 2) == SPT_OK);
    CHECK(spt_intlist_reserve(&out, SPTI_I32_MAX / 2 - 1) == SPT_OK);
    CHECK(spt_broadphase_pairs(&bp, boxes, 200, NULL, &out) == SPT_ERR_COUNT && out.count == 0);
    spt_intlist_free(&out);
    spt_broadphase_free(&bp);
}

static void workers_count_no_further(void)
{
    const spt_i32 n = 2400;
    static const spt_i32 sizes[] = {2, 6, 8, 10, 16, 20, 24};
    spt_workers workers;
    spt_broadphase_desc desc;
    spt_broadphase bp;
    spt_intlist out;
    int i, k;
    memset(&desc, 0, sizeof desc);
    workers.run = one_by_one, workers.ctx = &workers;
    for (k = 2; k <= 3; k++)
        for (i = 0; i < 7; i++) {
            workers.count = k;
            desc.workers = workers;
            make_groups(n / sizes[i] * sizes[i], sizes[i]);
            CHECK(spt_broadphase_init(&bp, &desc) == SPT_OK);
            CHECK(spt_intlist_init(&out, 2) == SPT_OK);
            expect_pairs(NULL, &bp, n / sizes[i] * sizes[i], sizes[i], NULL);
            expect_pairs(NULL, &bp, n / sizes[i] * sizes[i], sizes[i], &out);
            spt_intlist_free(&out);
            spt_broadphase_free(&bp);
        }
}

/* One group has more pairs than can be counted, all in the part of one worker. */
static void workers_stop_where_one_counts_too_many(void)
{
    const spt_i32 n = 2400;
    spt_workers workers;
    spt_broadphase_desc desc;
    spt_linear_desc one;
    spt_broadphase bp;
    spt_intlist out;
    spt_index x;
    spt_i32 i;
    memset(&desc, 0, sizeof desc), memset(&one, 0, sizeof one);
    workers.run = one_by_one, workers.ctx = &workers, workers.count = 2;
    desc.workers = one.workers = workers;
    make_groups(n, 1);
    for (i = 0; i < 210; i++) boxes[i * 2] = boxes[500];
    CHECK(spt_broadphase_init(&bp, &desc) == SPT_OK && spt_intlist_init(&out, 2) == SPT_OK);
    CHECK(spt_linear_init(&x, &one) == SPT_OK && spt_build(&x, boxes, n) == SPT_OK);
    CHECK(spt_broadphase_pairs(&bp, boxes, n, NULL, NULL) == SPT_ERR_COUNT);
    CHECK(spt_broadphase_pairs(&bp, boxes, n, NULL, &out) == SPT_ERR_COUNT && out.count == 0);
    CHECK(spt_pairs(&x, NULL, NULL) == SPT_ERR_COUNT);
    CHECK(spt_pairs(&x, NULL, &out) == SPT_ERR_COUNT && out.count == 0);
    spt_free(&x);
    spt_intlist_free(&out);
    spt_broadphase_free(&bp);
}

/* 300 points at one place, and others beside them in the same row. */
static void more_neighbours_than_the_largest_count_are_an_error(void)
{
    static spt_coord points[2 * 400];
    spt_neighbours nb;
    spt_intlist rows, ids;
    spt_i32 i;
    for (i = 0; i < 400; i++) points[2 * i] = i < 300 ? 0 : (spt_coord)(10 * i);
    CHECK(spt_neighbours_init(&nb, NULL) == SPT_OK);
    CHECK(spt_intlist_init(&rows, 2) == SPT_OK && spt_intlist_init(&ids, 1) == SPT_OK);
    CHECK(spt_neighbours_pairs(&nb, points, points + 1, 2 * sizeof *points, 400, 1, NULL) ==
          SPT_ERR_COUNT);
    CHECK(spt_neighbours_find(&nb, points, points + 1, 2 * sizeof *points, 400, 1, &rows, NULL) ==
          SPT_ERR_COUNT);
    CHECK(spt_neighbours_find(&nb, points, points + 1, 2 * sizeof *points, 400, 1, &rows, &ids) ==
          SPT_ERR_COUNT);
    CHECK(rows.count == 0 && ids.count == 0);
    spt_intlist_free(&rows), spt_intlist_free(&ids);
    spt_neighbours_free(&nb);
}

static void two_sets_have_no_more_boxes_together(void)
{
    spt_broadphase bp;
    CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK);
    CHECK(spt_broadphase_pairs_between(&bp, boxes, SPTI_I32_MAX, boxes, 5, NULL, NULL) ==
          SPT_ERR_MEMORY);
    spt_broadphase_free(&bp);
}

static void contacts_grow_to_the_largest_count(void)
{
    spt_contacts c;
    spt_intlist pairs;
    spt_i32 pair[2], n, found = 0;
    CHECK(spt_contacts_init(&c, NULL) == SPT_OK && spt_intlist_init(&pairs, 2) == SPT_OK);
    for (n = 1; n < MOST_IDS && found >= 0; n += 1 + n / 8) { /* ids grow, and then pairs do */
        pair[0] = 0, pair[1] = n;
        spt_intlist_clear(&pairs);
        CHECK(spt_intlist_push(&pairs, pair) == 0);
        found = spt_contacts_update(&c, &pairs, NULL, NULL);
        CHECK(found == 1 || found == SPT_ERR_MEMORY);
        CHECK(spt_contacts_check(&c));
    }
    CHECK(found == SPT_ERR_MEMORY && c.count == 1);
    spt_contacts_free(&c);
    CHECK(spt_contacts_init(&c, NULL) == SPT_OK);
    spt_intlist_clear(&pairs);
    for (n = 0, found = 0; found >= 0; n++) {
        pair[0] = n / 100, pair[1] = 200 + n % 100;
        CHECK(spt_intlist_push(&pairs, pair) == n && n < SPTI_I32_MAX / 2);
        if (n % 100 != 99) continue;
        found = spt_contacts_update(&c, &pairs, NULL, NULL);
        CHECK(found == n + 1 || found == SPT_ERR_MEMORY);
    }
    CHECK(c.count > 1000 && c.count < n && spt_contacts_check(&c));
    spt_intlist_free(&pairs);
    spt_contacts_free(&c);
}

/* ---- Leaves ---------------------------------------------------------------------------------- */

#ifndef SPATIAL_INT /* they have not as many scales */
/* Of five boxes, four lie in a square a quarter as wide, four of five of those in another one:
   leaves of leaves get cells until together they have as many boxes as a call may count. */
static void a_crowd_of_all_scales_gets_no_more_cells(void)
{
    spt_broadphase bp;
    brute_set set;
    spt_i32 i, n = 8190;
    int round;
    CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK);
    for (round = 0; round < test_some(10, 2); round++) {
        for (i = 0; i < n; i++) {
            double side = 1e9;
            while (test_below(5) && side > 1e-3) side /= 4;
            boxes[i].min_x = (spt_coord)(side * test_below(1 << 16) / 65536);
            boxes[i].min_y = (spt_coord)(side * test_below(1 << 16) / 65536);
            boxes[i].max_x = boxes[i].min_x + (spt_coord)(side / 500);
            boxes[i].max_y = boxes[i].min_y + (spt_coord)(side / 500);
        }
        set.boxes = boxes, set.there = NULL, set.n = n;
        CHECK(spt_broadphase_pairs(&bp, boxes, n, NULL, NULL) == brute_count_pairs(&set, NULL));
    }
    spt_broadphase_free(&bp);
}

#endif

static const test_case tests[] = {
    TEST(a_list_ends_at_the_largest_count),
    TEST(what_does_not_fit_makes_the_sum_too_large),
    TEST(structures_have_no_larger_objects),
    TEST(scratch_has_no_larger_objects),
    TEST(scratch_grows_to_the_largest_object),
    TEST(an_index_grows_to_the_largest_object),
    TEST(a_tree_has_no_more_nodes),
    TEST(an_image_has_no_more_boxes),
    TEST(more_pairs_than_the_largest_count_are_an_error),
    TEST(a_list_with_room_for_almost_the_largest_count_tells_that_it_is_passed),
    TEST(workers_count_no_further),
    TEST(workers_stop_where_one_counts_too_many),
    TEST(more_neighbours_than_the_largest_count_are_an_error),
    TEST(two_sets_have_no_more_boxes_together),
    TEST(contacts_grow_to_the_largest_count),
#ifndef SPATIAL_INT
    TEST(a_crowd_of_all_scales_gets_no_more_cells),
#endif
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
#endif
