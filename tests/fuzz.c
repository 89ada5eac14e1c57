/* fuzz.c - bytes to operations, checked against the naive model. A check that fails aborts.

   With libFuzzer:   clang -g -O1 -fsanitize=fuzzer,address,undefined tests/fuzz.c -o fuzz -lm
                     ./fuzz
   Replay a file:    cc -g -DFUZZ_REPLAY tests/fuzz.c -o fuzz -lm && ./fuzz crash-...
   Without a file:   some hundred inputs made from SEED */
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"

#define MOST_BOXES 256

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void order_edges(spt_coord *min, spt_coord *max)
{
    spt_coord keep = *min;
    if (*min <= *max) return;
    *min = *max;
    *max = keep;
    if (!(*min <= *max)) *min = *max = 0; /* a NaN */
}

static void expect_ids(const spt_intlist *found, spt_i32 result, const spt_i32 *ids, spt_i32 n)
{
    spt_i32 k;
    CHECK(result == n && spt_intlist_count(found) == (n > 0 ? n : 0));
    for (k = 0; k < spt_intlist_count(found); k++) CHECK(spt_intlist_get(found, k, 0) == ids[k]);
}

/* One box as a place and as a moving box, the numbers of another as distances and ways. */
static void fuzz_searches(const spt_index *x, const brute_set *set, const spt_box *box,
                          const spt_box *numbers, spt_intlist *found)
{
    static spt_i32 ids[MOST_BOXES];
    static brute_meeting meetings[MOST_BOXES];
    spt_coord limit = numbers->max_x;
    spt_i32 expected = SPT_ERR_ARGUMENT, k;
    spt_layer layers[2];
    spt_filter filter;
    spt_motion motion;
    spt_hit hit;
    if (limit >= 0) expected = brute_within(set, box, limit, NULL, ids);
    CHECK(spt_within(x, box, limit, NULL, found) == expected);
    expected = coord_is_nan(limit) ? SPT_ERR_ARGUMENT
                                   : brute_nearest(set, box, set->n / 2, limit, NULL, ids);
    expect_ids(found, spt_nearest(x, box, set->n / 2, limit, NULL, found), ids, expected);
    motion.box = *box;
    motion.dx = numbers->min_x;
    motion.dy = numbers->max_y;
    motion.enter = set->n % 2;
    expected = brute_motion_error(&motion);
    if (!expected) expected = brute_cast_all(set, &motion, NULL, meetings);
    for (k = 0; k < expected; k++) ids[k] = meetings[k].hit.id;
    expect_ids(found, spt_cast_all(x, &motion, NULL, found), ids, expected);
    CHECK(spt_cast(x, &motion, NULL, &hit) == (expected > 0 ? 1 : expected));
    if (expected > 0) CHECK(same_hit(&hit, &meetings[0].hit));
    layers[0].index = layers[1].index = x, layers[0].filter = layers[1].filter = NULL;
    CHECK(spt_cast_among(layers, 2, &motion, &hit) == (expected > 0 ? 1 : expected));
    if (expected > 0) CHECK(same_hit(&hit, &meetings[0].hit));
    CHECK(spt_any_among(layers, 2, box) == spt_any(x, box, NULL));
    memset(&filter, 0, sizeof filter);
    for (filter.relation = SPT_ENTERS; filter.relation <= SPT_EQUALS; filter.relation++)
        CHECK(spt_query(x, box, &filter, found) == brute_query(set, box, &filter, NULL));
}

/* The same boxes, all at once, some of them as windows. */
static void fuzz_packed(const brute_set *set, int valid, spt_i32 expected)
{
    spt_intlist pairs, found;
    spt_index packed;
    spt_i32 n = set->n, i;
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    CHECK(spt_intlist_init(&pairs, 2) == SPT_OK && spt_intlist_init(&found, 1) == SPT_OK);
    CHECK(spt_build(&packed, set->boxes, n) == (valid ? SPT_OK : SPT_ERR_BOX));
    CHECK(spt_count(&packed) == (valid ? n : 0) && spt_check(&packed));
    CHECK(spt_pairs(&packed, NULL, &pairs) == (valid ? expected : 0));
    for (i = 0; i < n; i += 1 + n / 16) {
        spt_i32 overlaps = valid ? brute_query(set, &set->boxes[i], NULL, NULL) : 0;
        if (!brute_valid(&set->boxes[i])) continue;
        CHECK(spt_query(&packed, &set->boxes[i], NULL, &found) == overlaps);
        CHECK(spt_intlist_count(&found) == overlaps);
        if (valid) fuzz_searches(&packed, set, &set->boxes[i], &set->boxes[(i + 1) % n], &found);
    }
    spt_intlist_free(&found);
    spt_intlist_free(&pairs);
    spt_free(&packed);
}

/* The bytes are boxes as they are in memory, with all the numbers that there are; most of them are
   not valid unless that is mended. */
static void fuzz_broadphase(const unsigned char *data, size_t size, int mend)
{
    static spt_box boxes[MOST_BOXES];
    size_t n = size / sizeof(spt_box), i;
    spt_i32 expected, result;
    brute_set set;
    spt_broadphase bp;
    spt_intlist out;
    int valid = 1;
    if (n > MOST_BOXES) n = MOST_BOXES;
    memcpy(boxes, data, n * sizeof(spt_box));
    for (i = 0; i < n && mend; i++) {
        order_edges(&boxes[i].min_x, &boxes[i].max_x);
        order_edges(&boxes[i].min_y, &boxes[i].max_y);
    }
    for (i = 0; i < n; i++) valid &= brute_valid(&boxes[i]);
    set.boxes = boxes;
    set.there = NULL;
    set.n = (spt_i32)n;
    expected = brute_count_pairs(&set, NULL);
    CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK);
    CHECK(spt_intlist_init(&out, 2) == SPT_OK);
    result = spt_broadphase_pairs(&bp, boxes, (spt_i32)n, NULL, &out);
    CHECK(result == (valid ? expected : SPT_ERR_BOX));
    CHECK(spt_intlist_count(&out) == (valid ? expected : 0));
    spt_intlist_free(&out);
    spt_broadphase_free(&bp);
    fuzz_packed(&set, valid, expected);
}

/* The structures into which boxes come one by one. */
static const char *const structures[] = {"linear", "quadtree", "loosegrid"};

/* The levels of the others take memory, and time to clear it, even where nothing is. */
static int deepest(const char *structure)
{
    return strcmp(structure, "quadtree") == 0 ? SPT_QUADTREE_MAX_DEPTH : 9;
}

/* Five bytes choose the setup, the others are the decisions of random steps. */
static void fuzz_index(const unsigned char *data, size_t size)
{
    static oracle o;
    oracle_setup setup = {NULL, NULL, 0, 0, 0, {NULL, NULL}, NULL};
    long step = 0;
    if (size < 5) return;
    setup.structure = structures[data[0] % TEST_COUNT(structures)];
    setup.world = &oracle_worlds[data[1] % ORACLE_WORLDS];
    setup.levels = data[2] % (1 + deepest(setup.structure));
    setup.ids = 2 + data[3] % 100;
    setup.capacity = data[4] % 2 ? 1 + data[4] / 2 : 0;
    if (!CHECK(oracle_open(&o, &setup) == SPT_OK)) return;
    o.bytes = data + 5;
    o.bytes_end = data + size;
    while (o.bytes < o.bytes_end) {
        test_context(setup.world->name, step++);
        oracle_step(&o);
    }
    oracle_compare(&o);
    oracle_pairs(&o);
    oracle_traverse(&o);
    oracle_close(&o);
}

/* Visits stop after some elements. */
static int fuzz_near(void *ctx, spt_i32 id, const spt_box *box, spt_coord distance,
                     spt_coord *limit)
{
    int *left = (int *)ctx;
    (void)id, (void)box, (void)distance, (void)limit;
    return --*left == 0;
}

static int fuzz_hit(void *ctx, const spt_hit *hit, const spt_box *box, spt_coord *limit)
{
    int *left = (int *)ctx;
    (void)box;
    *limit = hit->t;
    return --*left == 0;
}

/* Asks everything of an image. Its ids may be used where it was checked: categories are no more
   than there are boxes. */
static void fuzz_questions(spt_index *image, const spt_box *box, int checked)
{
    const spt_i32 n = spt_count(image);
    spt_u32 *categories = (spt_u32 *)calloc((size_t)n, sizeof *categories);
    spt_filter filter = {NULL, 0, NULL, NULL, 0, NULL, NULL, SPT_MEETS};
    spt_intlist found, pairs;
    spt_motion motion;
    spt_hit hit, hits[2];
    spt_layer world;
    spt_box last;
    int left;
    if (categories == NULL) exit(1);
    if (checked) filter.categories = categories, filter.mask = 1;
    motion.box = *box;
    motion.dx = motion.dy = 5, motion.enter = 0;
    spt_intlist_init(&found, 1), spt_intlist_init(&pairs, 2);
    CHECK(spt_query(image, box, &filter, &found) >= 0);
    CHECK(spt_query(image, box, NULL, &found) >= 0);
    CHECK(spt_query_many(image, box, 1, &filter, &pairs) >= 0);
    CHECK(spt_within(image, box, 3, &filter, &found) >= 0);
    CHECK(spt_nearest(image, box, n / 2, SPT_NO_LIMIT, &filter, &found) >= 0);
    CHECK(spt_cast_all(image, &motion, &filter, &found) >= SPT_ERR_ARGUMENT);
    CHECK(spt_cast(image, &motion, &filter, &hit) >= SPT_ERR_ARGUMENT);
    CHECK(spt_query(image, box, &filter, NULL) == spt_query(image, box, &filter, &found));
    CHECK(spt_any(image, box, &filter) == (spt_intlist_count(&found) > 0));
    CHECK(spt_bounds(image, &last) == (n > 0));
    left = 20;
    CHECK(spt_nearest_visit(image, box, &filter, fuzz_near, &left) >= 0);
    left = 20;
    CHECK(spt_cast_visit(image, &motion, &filter, fuzz_hit, &left) >= SPT_ERR_ARGUMENT);
    memset(&world, 0, sizeof world);
    world.index = image, world.filter = &filter;
    CHECK(spt_slide(&world, 1, &motion, &last, hits) >= SPT_ERR_ARGUMENT);
#ifdef SPTI_SHAPES
    {
        const spt_shape line = {&box->min_x, 2, 1};
        spt_coord x, y;
        CHECK(spt_shape_slide(&world, 1, &line, 5, 5, 1, &x, &y, NULL) >= SPT_ERR_ARGUMENT);
        CHECK(spt_shape_cast(&world, 1, &line, 5, 5, 0, NULL) >= SPT_ERR_ARGUMENT);
        CHECK(spt_shape_any(&world, 1, &line) >= SPT_ERR_ARGUMENT);
    }
#endif
    CHECK(spt_cast_among(&world, 1, &motion, hits) >= SPT_ERR_ARGUMENT);
    CHECK(spt_any_among(&world, 1, box) == (spt_query(image, box, &filter, NULL) > 0));
    CHECK(spt_box_of(image, n - 1, &last) == SPT_OK || !checked);
    if (checked) CHECK(spt_pairs(image, &filter, &pairs) >= 0);
    spt_intlist_free(&found), spt_intlist_free(&pairs);
    free(categories);
}

/* How many boxes, the boxes, and changes to their image, which has not a byte more than it needs:
   two bytes say where, and one is the new byte. */
static void fuzz_image(const unsigned char *data, size_t size)
{
    static spt_box boxes[80];
    const unsigned char *end = data + size;
    spt_index packed, image;
    unsigned char *copy;
    const void *memory;
    size_t n, i, bytes;
    n = size > 0 ? 1 + data[0] % TEST_COUNT(boxes) : 0;
    if (size < 1 + n * sizeof(spt_box) || n == 0) return;
    memcpy(boxes, ++data, n * sizeof(spt_box));
    for (i = 0; i < n; i++) {
        order_edges(&boxes[i].min_x, &boxes[i].max_x);
        order_edges(&boxes[i].min_y, &boxes[i].max_y);
    }
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    CHECK(spt_build(&packed, boxes, (spt_i32)n) == SPT_OK);
    memory = spt_packed_data(&packed, &bytes);
    copy = (unsigned char *)malloc(bytes);
    if (copy == NULL) exit(1);
    memcpy(copy, memory, bytes);
    for (data += n * sizeof(spt_box); end - data >= 3; data += 3)
        copy[64 + ((size_t)data[0] + 256 * (size_t)data[1]) % (bytes - 64)] = data[2];
    CHECK(spt_packed_view(&image, copy, bytes) == SPT_OK);
    fuzz_questions(&image, &boxes[0], spt_check(&image));
    spt_free(&image);
    spt_free(&packed);
    free(copy);
}

/* Two periods, a radius and then points, as they are in memory. Pairs of all points are the pairs
   that each two of them make alone; and each pair is found from both sides. If two alone are
   refused, so are all. */
static void fuzz_neighbours(const unsigned char *data, size_t size)
{
    static spt_coord numbers[3 + 2 * 64];
    const spt_coord *points = numbers + 3;
    size_t bytes = size < sizeof numbers ? size : sizeof numbers;
    spt_neighbours_desc desc;
    spt_neighbours nb;
    spt_intlist rows, ids, pairs;
    spt_i32 n, i, k, result, expected = 0, wrong = 0;
    memset(&desc, 0, sizeof desc);
    memset(numbers, 0, sizeof numbers);
    memcpy(numbers, data, bytes);
    n = bytes / sizeof *numbers < 5 ? 0 : (spt_i32)((bytes / sizeof *numbers - 3) / 2);
    desc.period_x = numbers[0], desc.period_y = numbers[1];
    if (spt_neighbours_init(&nb, &desc) != SPT_OK) return;
    CHECK(spt_intlist_init(&rows, 2) == SPT_OK && spt_intlist_init(&ids, 1) == SPT_OK);
    CHECK(spt_intlist_init(&pairs, 2) == SPT_OK);
    for (i = 0; i < n; i++)
        for (k = i + 1; k < n; k++) { /* the second point lies k - i points behind the first */
            result = spt_neighbours_pairs(&nb, points + 2 * i, points + 2 * i + 1,
                                          (size_t)(k - i) * 2 * sizeof *points, 2, numbers[2],
                                          &pairs);
            CHECK(result == spt_intlist_count(&pairs) || result == SPT_ERR_ARGUMENT);
            if (result < 0) wrong = 1;
            else expected += result;
        }
    if (n < 2 || wrong) expected = spt_neighbours_pairs(&nb, points, points + 1,
                                                        2 * sizeof *points, n, numbers[2], NULL);
    CHECK(!wrong || expected == SPT_ERR_ARGUMENT);
    result = spt_neighbours_pairs(&nb, points, points + 1, 2 * sizeof *points, n, numbers[2],
                                  &pairs);
    CHECK(result == expected && spt_intlist_count(&pairs) == (result > 0 ? result : 0));
    result = spt_neighbours_find(&nb, points, points + 1, 2 * sizeof *points, n, numbers[2], &rows,
                                 &ids);
    CHECK(result == (expected > 0 ? 2 * expected : expected));
    spt_intlist_free(&rows), spt_intlist_free(&ids), spt_intlist_free(&pairs);
    spt_neighbours_free(&nb);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    test.abort_on_failure = 1;
    if (size == 0) return 0;
    if (data[0] % 4 == 0) fuzz_broadphase(data + 1, size - 1, data[0] % 32 != 0);
    else if (data[0] % 8 == 1) fuzz_image(data + 1, size - 1);
    else if (data[0] % 8 == 5) fuzz_neighbours(data + 1, size - 1);
    else fuzz_index(data + 1, size - 1);
    return 0;
}

#ifdef FUZZ_REPLAY

#define MOST_BYTES 65536

static unsigned char input[MOST_BYTES];

static int replay_file(const char *name)
{
    FILE *file = fopen(name, "rb");
    size_t size;
    if (!file) {
        perror(name);
        return 1;
    }
    size = fread(input, 1, MOST_BYTES, file);
    fclose(file);
    LLVMFuzzerTestOneInput(input, size);
    return 0;
}

static void replay_generated(int inputs)
{
    int i;
    for (i = 0; i < inputs; i++) {
        size_t size = (size_t)test_below(i % 2 ? 4000 : 100), k;
        for (k = 0; k < size; k++) input[k] = (unsigned char)(test_random() >> 24);
        LLVMFuzzerTestOneInput(input, size);
    }
}

int main(int argc, char **argv)
{
    int i, failed = 0;
    test_begin(argv[0]);
    test.name = "fuzz";
    for (i = 1; i < argc; i++) failed |= replay_file(argv[i]);
    if (argc < 2) replay_generated(test_scale(1000));
    printf("%lu checks\n", test.checks);
    return failed;
}

#endif
