/* test_memory.c - what happens when there is no memory, and how much is needed: failure of every
   single allocation, arenas of exactly the right size, fixed capacities, sizes that do not fit. */
#define SPTI_WORTH 1100 /* for workers there is something to do with this many boxes */
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"
#include "kinds.h"

/* A step through all of something, or through every third where there is not the time for all. */
#define THIRD (test.divisor < 8 ? 1 : 3)

/* ---- What is tested -------------------------------------------------------------------------- */

/* A way to make a structure; without a capacity if it grows. */
typedef struct subject {
    const kind *kind;
    int grows, no_pairs;
    any_desc desc;
} subject;

#define WORLD {17, -2000, 117, -500} /* the one called "tall" */
#define HEAP {NULL, NULL}

/* The structures into which boxes come one by one; the last one is packed, which must be built. */
static const subject subjects[] = {
    {&linear, 1, 0, {.linear = {WORLD, 0, 0, 0, 0, 0, 1, HEAP}}},
    {&linear, 1, 0, {.linear = {WORLD, 0, 1, 0, 0, 0, 1, HEAP}}},
    {&linear, 1, 1, {.linear = {WORLD, 0, 2, 0, 0, 0, 1, HEAP}}},
    {&linear, 1, 0, {.linear = {WORLD, 0, 5, 0, 0, 0, 1, HEAP}}},
    {&linear, 1, 0, {.linear = {WORLD, 0, 3, 1, 0, 0, 1, HEAP}}},
    {&linear, 1, 0, {.linear = {WORLD, 0, 5, 2, 0, 0, 1, HEAP}}},
    {&quadtree, 1, 0, {.quadtree = {WORLD, 0, 0, 0, 0, 1, HEAP}}},
    {&quadtree, 1, 1, {.quadtree = {WORLD, 0, 4, 12, 0, 1, HEAP}}},
    {&quadtree, 1, 0, {.quadtree = {WORLD, 0, 1, 16, 0, 1, HEAP}}},
    {&quadtree, 1, 0, {.quadtree = {WORLD, 0, 1000, 1, 0, 1, HEAP}}},
    {&loosegrid, 1, 0, {.loosegrid = {WORLD, 0, 0, 0, 0, 0, 1, HEAP}}},
    {&loosegrid, 1, 0, {.loosegrid = {WORLD, 0, 0, 0, 25, 0, 1, HEAP}}},
    {&loosegrid, 1, 1, {.loosegrid = {WORLD, 0, 0, 0, 8, 0, 1, HEAP}}},
    {&packed, 0, 0, {.packed = {0, 0, HEAP}}},
};

#define ALL_SUBJECTS TEST_COUNT(subjects)
#define SUBJECTS (ALL_SUBJECTS - 1)

static any_desc subject_desc(const subject *s, spt_i32 capacity, const spt_allocator *allocator)
{
    any_desc desc = s->desc;
    s->kind->set(&desc, capacity, s->no_pairs, allocator);
    return desc;
}

static size_t subject_bytes_for(const subject *s, spt_i32 capacity)
{
    static const spt_allocator heap = HEAP;
    any_desc desc = subject_desc(s, capacity, &heap);
    return s->kind->bytes_for(&desc);
}

/* Returns what its init returned. */
static int subject_init(const subject *s, spt_index *x, spt_i32 capacity,
                        const spt_allocator *allocator)
{
    any_desc desc = subject_desc(s, capacity, allocator);
    memset(x, 0xAA, sizeof *x);
    return s->kind->init(x, &desc);
}

static int is_zero(const void *p, size_t size)
{
    const unsigned char *byte = (const unsigned char *)p;
    while (size > 0 && *byte == 0) size--, byte++;
    return size == 0;
}

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
static int fail_every_allocation(oracle_setup setup)
{
    static oracle o;
    uint32_t start = test.random;
    int k;
    for (k = 1;; k++) {
        test_memory memory;
        test.random = start;
        test_memory_open(&memory, &setup.allocator);
        memory.fail_at = k;
        setup.memory = &memory;
        test_context(setup.world->name, k);
        open_in_spite_of_failures(&o, &setup, &memory);
        oracle_run(&o, test_scale(400) < 100 ? 100 : 400);
        oracle_close(&o);
        CHECK(memory.bytes == 0);
        if (memory.failures == 0) return k;
    }
}

static const char *const structures[] = {"linear", "quadtree", "loosegrid", "packed"};

/* The same in every world, for every structure. */
static void fail_everywhere(int levels, spt_i32 ids, spt_i32 capacity)
{
    oracle_setup setup = {NULL, NULL, 0, 0, 0, {NULL, NULL}, NULL};
    int world, structure;
    setup.levels = levels;
    setup.ids = ids;
    setup.capacity = capacity;
    for (structure = 0; structure < TEST_COUNT(structures); structure++) {
        int failures = 0;
        for (world = structure % THIRD; world < ORACLE_WORLDS; world += THIRD) {
            setup.structure = structures[structure];
            setup.world = &oracle_worlds[world];
            failures += fail_every_allocation(setup) - 1;
        }
        CHECK(failures > 0);
    }
}

static void every_allocation_of_what_grows_may_fail_once(void)
{
    fail_everywhere(0, ORACLE_IDS, 0);
    fail_everywhere(3, 100, 0);
}

static void every_allocation_of_what_has_a_fixed_capacity_may_fail_once(void)
{
    fail_everywhere(0, ORACLE_IDS, ORACLE_IDS);
    fail_everywhere(2, 50, 40);
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

static void fill_crowd(void)
{
    int i;
    for (i = 0; i < 2000; i++) crowd[i] = box_of(i, i % 2, i + 1, 2); /* each touches the next */
}

/* Ever larger crowds; a call that fails must leave the list empty, and then succeed. */
static long run_broadphase(long fail_at, int two_sets)
{
    static const spt_i32 counts[] = {1, 10, 40, 40, 300, 2000, 100};
    static const spt_i32 mark[2] = {-5, -6};
    test_memory memory;
    spt_broadphase_desc desc;
    spt_broadphase bp;
    spt_intlist out;
    int c;
    memset(&desc, 0, sizeof desc);
    test_memory_open(&memory, &desc.allocator);
    memory.fail_at = fail_at;
    CHECK(spt_broadphase_init(&bp, &desc) == SPT_OK);
    CHECK(spt_intlist_init_with(&out, 2, &desc.allocator) == SPT_OK);
    for (c = 0; c < TEST_COUNT(counts); c++) {
        spt_i32 n = counts[c], expected = two_sets ? n + 2 * (n - 1) : n - 1, result;
        long failures;
        do {
            spt_intlist_clear(&out);
            CHECK(spt_intlist_push(&out, mark) == 0 || SPATIAL_INTLIST_INLINE < 2);
            failures = memory.failures;
            result = two_sets ? spt_broadphase_pairs_between(&bp, crowd, n, crowd, n, NULL, &out)
                              : spt_broadphase_pairs(&bp, crowd, n, NULL, &out);
            CHECK(result == (memory.failures > failures ? SPT_ERR_MEMORY : expected));
            CHECK(spt_intlist_count(&out) == (result > 0 ? result : 0));
            CHECK(spt_intlist_get(&out, 0, 1) != -6);
            CHECK(spt_intlist_check(&out));
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
    int two_sets;
    fill_crowd();
    for (two_sets = 0; two_sets < 2; two_sets++) {
        long k = 1;
        while (run_broadphase(k, two_sets)) k++;
        CHECK(k > 6);
    }
}

typedef spt_i32 (*ask_fn)(void *asked, spt_intlist *out); /* mostly an index */

static spt_i32 ask_query(void *x, spt_intlist *out)
{
    const spt_box window = {200, 0, 1200, 2};
    return spt_query(x, &window, NULL, out);
}

/* Cells inside the window, and below inside the shape, give their ids without a test. */
static spt_i32 ask_query_all(void *x, spt_intlist *out)
{
    const spt_box window = {-9000, -9000, 9000, 9000};
    return spt_query(x, &window, NULL, out);
}

static spt_i32 ask_nearest(void *x, spt_intlist *out)
{
    return spt_nearest(x, &crowd[700], 1000, SPT_NO_LIMIT, NULL, out);
}

static spt_i32 ask_cast_all(void *x, spt_intlist *out)
{
    spt_motion motion;
    memset(&motion, 0, sizeof motion);
    motion.box = crowd[700];
    motion.dx = 1000;
    return spt_cast_all(x, &motion, NULL, out);
}

static spt_i32 ask_within(void *x, spt_intlist *out)
{
    return spt_within(x, &crowd[700], 500, NULL, out);
}

#ifdef SPTI_SHAPES
static spt_i32 ask_overlap(void *x, spt_intlist *out)
{
    const spt_coord points[4] = {crowd[199].max_x, crowd[199].max_y, crowd[1201].min_x,
                                 crowd[1201].min_y};
    const spt_shape shape = {points, 2, 0};
    return spt_overlap(x, &shape, NULL, out);
}

static spt_i32 ask_overlap_all(void *x, spt_intlist *out)
{
    static const spt_coord points[8] = {-9000, -9000, 9000, -9000, 9000, 9000, -9000, 9000};
    const spt_shape shape = {points, 4, 0};
    return spt_overlap(x, &shape, NULL, out);
}
#endif

static spt_i32 ask_query_many(void *x, spt_intlist *out)
{
    return spt_query_many(x, crowd, 2000, NULL, out);
}

typedef struct question {
    ask_fn ask;
    spt_i32 fields, expected;
    int spare; /* the call asks for more memory than it needs: if that is refused, for less */
} question;

/* An answer that there is no memory for leaves an empty list, and nothing else changes; then the
   same is asked again. fail_at: 0: nothing at all is given the first time. Returns how many
   allocations failed. */
static long run_question(void *asked, const question *q, long fail_at)
{
    static const spt_i32 mark[2] = {-5, -6};
    test_memory memory;
    spt_allocator allocator;
    spt_intlist out;
    spt_i32 result;
    test_memory_open(&memory, &allocator);
    memory.fail_at = fail_at;
    CHECK(spt_intlist_init_with(&out, q->fields, &allocator) == SPT_OK);
    do {
        long failures;
        spt_intlist_clear(&out);
        CHECK(spt_intlist_push(&out, mark) == 0 || SPATIAL_INTLIST_INLINE < 2);
        failures = memory.failures;
        memory.limit = fail_at == 0 && failures == 0;
        result = q->ask(asked, &out);
        CHECK(result == (memory.failures > failures ? SPT_ERR_MEMORY : q->expected) ||
              (q->spare && result == q->expected));
        CHECK(spt_intlist_count(&out) == (result > 0 ? result : 0));
        CHECK(spt_intlist_check(&out) && spt_intlist_bytes(&out) == memory.bytes);
    } while (result == SPT_ERR_MEMORY);
    CHECK(fail_at > 0 || memory.failures > q->spare);
    spt_intlist_free(&out);
    CHECK(memory.bytes == 0);
    return memory.failures;
}

static void fail_every_answer(void *asked, const question *q)
{
    long k = 0;
    while (run_question(asked, q, k)) k++;
    CHECK(k > 1);
}

static void every_allocation_of_a_question_may_fail_once(void)
{
    static const question questions[] = {
        {ask_query, 1, 1002, 0}, /* 199 .. 1200 */
        {ask_query_all, 1, 2000, 0},
        {ask_nearest, 1, 1000, 0},
        {ask_cast_all, 1, 1003, 0}, /* 699 .. 1701 */
        {ask_within, 1, 1003, 0},   /* 199 .. 1201 */
#ifdef SPTI_SHAPES
        {ask_overlap, 1, 1003, 0},
        {ask_overlap_all, 1, 2000, 0},
#endif
        {ask_query_many, 2, 3 * 2000 - 2, 0},
    };
    int i, q;
    fill_crowd();
    for (i = 0; i < ALL_SUBJECTS; i += THIRD) {
        static spt_index x;
        test_memory memory;
        spt_allocator allocator;
        uint32_t hash;
        test_memory_open(&memory, &allocator);
        memory.fill = 1;
        CHECK(subject_init(&subjects[i], &x, 2000, &allocator) == SPT_OK);
        CHECK(spt_build(&x, crowd, 2000) == SPT_OK);
        hash = test_memory_hash(&memory);
        for (q = 0; q < TEST_COUNT(questions); q++) {
            test_context(subjects[i].kind->name, q);
            fail_every_answer(&x, &questions[q]);
        }
        CHECK(test_memory_hash(&memory) == hash && spt_count(&x) == 2000 && spt_check(&x));
        spt_free(&x);
        CHECK(memory.bytes == 0);
    }
}

static spt_box stairs[2000]; /* each touches the next, and no line cuts many */
static spt_i32 climbers[1000];  /* the ids of the first of them */
static const spt_filter *wanted; /* of all questions for pairs: NULL, or one that refuses none */

static spt_i32 ask_pairs(void *x, spt_intlist *out)
{
    return spt_pairs((spt_index *)x, wanted, out);
}

/* Of so few each is asked for; of the others all pairs are found, and most removed. */
static spt_i32 ask_pairs_of_few(void *x, spt_intlist *out)
{
    return spt_pairs_of((spt_index *)x, climbers, 200, wanted, out);
}

static spt_i32 ask_pairs_of_many(void *x, spt_intlist *out)
{
    return spt_pairs_of((spt_index *)x, climbers, 1000, wanted, out);
}

static spt_i32 ask_pairs_of_boxes(void *bp, spt_intlist *out)
{
    return spt_broadphase_pairs((spt_broadphase *)bp, stairs, 2000, wanted, out);
}

static spt_i32 ask_pairs_between(void *bp, spt_intlist *out)
{
    return spt_broadphase_pairs_between((spt_broadphase *)bp, stairs, 2000, stairs, 2000, wanted,
                                        out);
}

#ifdef SPTI_GROWS
static void run_in_turn(void *ctx, spt_job_fn job, void *arg, int n) SPT_CALLBACK
{
    int i;
    (void)ctx;
    for (i = 0; i < n; i++) job(arg, i, i % 3);
}
#endif

/* An index, and a broadphase, with workers or without; their scratch has its memory. */
static void fail_every_answer_of_pairs(const subject *s, int hired)
{
    static const question questions[] = {
        {ask_pairs_of_boxes, 2, 1999, 1},
        {ask_pairs_between, 2, 2000 + 2 * 1999, 1},
        {ask_pairs, 2, 1999, 1},
        {ask_pairs_of_few, 2, 200, 0},
        {ask_pairs_of_many, 2, 1000, 1},
    };
    static spt_index x;
    spt_broadphase_desc desc;
    spt_broadphase bp;
    int q;
    memset(&desc, 0, sizeof desc);
    CHECK(subject_init(s, &x, 0, &desc.allocator) == SPT_OK);
#ifdef SPTI_GROWS
    if (hired) desc.workers.count = 3, desc.workers.run = run_in_turn;
    x.broadphase.workers = desc.workers; /* as if they had been in the desc of the index */
#else
    hired = 0;
#endif
    CHECK(spt_broadphase_init(&bp, &desc) == SPT_OK && spt_build(&x, stairs, 2000) == SPT_OK);
    for (q = 0; q < (s->kind == &packed ? 3 : 5); q++) {
        question one = questions[q];
        one.spare &= hired;
        test_context(s->kind->name, q);
        fail_every_answer(q < 2 ? (void *)&bp : &x, &one);
    }
    CHECK(spt_check(&x) && spt_count(&x) == 2000);
    spt_broadphase_free(&bp);
    spt_free(&x);
}

static int refuse_none(void *ctx, spt_i32 a, spt_i32 b) SPT_CALLBACK
{
    (void)ctx, (void)a, (void)b;
    return 1;
}

static void every_allocation_of_pairs_may_fail_once(void)
{
    spt_filter filter;
    int i;
    memset(&filter, 0, sizeof filter);
    filter.accept = refuse_none;
    for (i = 0; i < 2000; i++) stairs[i] = box_of(i, i, i + 1, i + 1);
    for (i = 0; i < 1000; i++) climbers[i] = i;
    for (i = 0; i < ALL_SUBJECTS; i += THIRD) {
        for (wanted = NULL;; wanted = &filter) {
            fail_every_answer_of_pairs(&subjects[i], 0);
            fail_every_answer_of_pairs(&subjects[i], 1);
            if (wanted) break;
        }
    }
    wanted = NULL;
}

/* ---- Every allocation of one call fails once ------------------------------------------------- */

/* A call, or some of one kind, of an index that is prepared for it: so that it allocates, or that
   its allocations are others than usual. The elements are as they were, or are those of the model,
   whether a call is refused or does without. */
typedef struct occasion {
    const char *structure; /* NULL: all that take single elements */
    int levels, fits;      /* as in oracle_setup; the world fits itself */
    void (*prepare)(oracle *o);
    void (*call)(oracle *o);
} occasion;

static void nothing_there(oracle *o)
{
    (void)o;
}

static spt_box drawn[ORACLE_IDS]; /* boxes of a call */

static void build_anywhere(oracle *o)
{
    int i;
    for (i = 0; i < ORACLE_IDS; i++) drawn[i] = oracle_random_box(o);
    oracle_build(o, drawn, ORACLE_IDS);
}

/* A quadtree runs out of chunks between two splits, for about as many cells as boxes have some. */
static void build_a_lattice(oracle *o)
{
    int i;
    for (i = 0; i < 150; i++) {
        const int x = 16 + i % 20 * 48, y = 16 + i / 20 * 48;
        drawn[i] = box_of(x, y, x + i % 3 * 8, y + i % 5 * 8);
    }
    oracle_build(o, drawn, 150);
}

/* But for a few, so that a quadtree has nodes. */
static void most_in_one_place(oracle *o)
{
    const spt_box box = box_of(1, 1, 2, 2);
    spt_i32 id;
    oracle_fill(o, 32);
    for (id = 32; id < ORACLE_IDS; id++) oracle_insert(o, id, &box);
}

static void move_anywhere(oracle *o)
{
    spt_i32 ids[ORACLE_IDS], i;
    for (i = 0; i < ORACLE_IDS; i++) ids[i] = i, drawn[i] = oracle_random_box(o);
    oracle_move_many(o, ids, drawn, ORACLE_IDS);
}

static void move_each(oracle *o)
{
    spt_i32 id;
    for (id = 0; id < ORACLE_IDS; id++) {
        const spt_box box = oracle_random_box(o);
        oracle_move(o, id, &box);
    }
}

static void tidy_all(oracle *o)
{
    int step;
    for (step = 0; step < 100; step++) { /* without changes there would be nothing to tidy */
        if (step < 20) CHECK(spt_move(&o->index, 0, &o->boxes[0]) == SPT_OK);
        spt_tidy(&o->index);
    }
}

static void tidy_without_memory(oracle *o)
{
    o->memory->limit = o->memory->bytes;
    tidy_all(o);
    o->memory->limit = 0;
}

/* Moves that get no memory: those that need some are refused, and leaves stay too full. */
static void moved_without_memory(oracle *o)
{
    spt_i32 id;
    most_in_one_place(o);
    o->memory->limit = o->memory->bytes;
    for (id = 0; id < ORACLE_IDS; id++) {
        const spt_box box = oracle_random_box(o);
        const int result = spt_move(&o->index, id, &box);
        CHECK(result == SPT_OK || result == SPT_ERR_MEMORY);
        if (result == SPT_OK) o->boxes[id] = box;
    }
    tidy_without_memory(o);
}

/* Moves in place, after which the next insert or tidy tests the fit of the world. */
static void fit_later(oracle *o)
{
    while (o->index.worth / SPTI_FIT_WORTH <= o->index.fit_after)
        CHECK(spt_move(&o->index, 0, &o->boxes[0]) == SPT_OK);
}

/* The world, and its memory, are those of many elements. */
static void few_are_left(oracle *o)
{
    spt_i32 id;
    build_anywhere(o);
    for (id = 4; id < ORACLE_IDS; id++) oracle_remove(o, id);
    fit_later(o);
}

/* The world, and its memory, are those of few elements, since no fit got memory. */
static void many_have_come(oracle *o)
{
    spt_i32 id;
    for (id = 0; id < ORACLE_IDS; id++) drawn[id] = oracle_random_box(o);
    oracle_build(o, drawn, 8);
    for (id = 8; id < ORACLE_IDS - 1; id++) {
        o->memory->limit = o->memory->bytes;
        if (spt_insert(&o->index, id, &drawn[id]) == SPT_ERR_MEMORY) {
            o->memory->limit = 0;
            CHECK(spt_insert(&o->index, id, &drawn[id]) == SPT_OK);
        }
        o->boxes[id] = drawn[id], o->there[id] = 1, o->count++;
    }
    o->memory->limit = 0;
    fit_later(o);
}

static void insert_the_next(oracle *o)
{
    const spt_box box = oracle_random_box(o);
    oracle_insert(o, o->count, &box);
}

static void find_pairs_of(oracle *o, spt_i32 n)
{
    unsigned char given[ORACLE_IDS] = {0};
    spt_i32 ids[ORACLE_IDS], i, result;
    long failures;
    for (i = 0; i < n; i++) ids[i] = i, given[i] = 1;
    do {
        failures = oracle_failures(o);
        oracle_stain(&o->pairs);
        result = spt_pairs_of(&o->index, ids, n, NULL, &o->pairs);
    } while (oracle_ran_out(o, result, failures, &o->pairs));
    oracle_expect_pairs(o, result, given);
}

static void find_pairs_of_few(oracle *o)
{
    find_pairs_of(o, 3);
}

static void find_pairs_of_most(oracle *o)
{
    find_pairs_of(o, ORACLE_IDS - 3);
}

static void rebound(oracle *o)
{
    const spt_box before = o->index.bounds;
    long failures;
    int result;
    do {
        failures = oracle_failures(o);
        result = spt_rebound(&o->index, NULL);
        CHECK(result == SPT_OK || same_box(&o->index.bounds, &before));
    } while (oracle_ran_out(o, result, failures, NULL));
    CHECK(result == SPT_OK);
}

/* A leaf was divided, and what is left in its node should move up, into chunks of which none is
   left. Elements of one place fill these. */
static void a_merge_lacks_chunks(oracle *o)
{
    const spt_box far = box_of(900, 900, 910, 910);
    spt_i32 id, divided;
    for (id = 0; o->index.as.quadtree.used < 2; id++) {
        const spt_box box = box_of(20 * id, 20 * id, 20 * id + 1, 20 * id + 1);
        oracle_insert(o, id, &box);
    }
    for (divided = id; id > 1; id--) oracle_remove(o, id - 1);
    for (id = divided; o->index.pool.used < o->index.pool.capacity; id++)
        oracle_insert(o, id, &far);
    CHECK(o->index.as.quadtree.used > 1);
    tidy_without_memory(o);
}

static const occasion occasions[] = {
    {NULL, 6, 0, nothing_there, build_anywhere},
    {NULL, 0, 1, nothing_there, build_anywhere},
    {"packed", 0, 0, nothing_there, build_anywhere},
    {NULL, 5, 0, nothing_there, build_a_lattice},
    {NULL, 6, 0, most_in_one_place, move_anywhere},
    {NULL, 6, 0, most_in_one_place, move_each},
    {NULL, 0, 0, build_anywhere, oracle_pairs},
    {NULL, 0, 0, build_anywhere, find_pairs_of_few},
    {NULL, 0, 0, build_anywhere, find_pairs_of_most},
    {"quadtree", 6, 0, moved_without_memory, tidy_all},
    {"quadtree", 6, 0, a_merge_lacks_chunks, tidy_all},
    {NULL, 0, 1, few_are_left, insert_the_next},
    {NULL, 0, 1, few_are_left, tidy_all},
    {NULL, 0, 1, few_are_left, rebound},
    {NULL, 0, 1, many_have_come, insert_the_next},
    {NULL, 0, 1, many_have_come, tidy_all},
    {NULL, 0, 1, many_have_come, rebound},
};

/* Allocation k of the call fails. Returns how many failed. */
static long fail_on_occasion(const occasion *at, const char *structure, long k)
{
    static oracle o;
    oracle_setup setup = {&oracle_worlds[0], NULL, 0, ORACLE_IDS, 0, HEAP, NULL};
    test_memory memory;
    long failures;
    setup.structure = structure, setup.levels = at->levels;
    setup.memory = &memory;
    oracle_fits = at->fits;
    test_memory_open(&memory, &setup.allocator);
    CHECK(oracle_open(&o, &setup) == SPT_OK);
    oracle_fits = 0;
    at->prepare(&o);
    if (k == 1) oracle_compare(&o); /* it is the same for all k */
    memory.failures = 0, memory.fail_at = memory.calls + k;
    at->call(&o);
    failures = memory.failures;
    oracle_compare(&o);
    oracle_run(&o, test_some(10, 2));
    CHECK(spt_bytes(&o.index) + spt_intlist_bytes(&o.found) + spt_intlist_bytes(&o.pairs) ==
          memory.bytes);
    oracle_close(&o);
    CHECK(memory.bytes == 0);
    return failures;
}

static void every_allocation_of_one_call_may_fail_once(void)
{
    const uint32_t start = test.random;
    int c, i;
    for (c = 0; c < TEST_COUNT(occasions); c++)
        for (i = 0; i < TEST_COUNT(structures); i++) {
            const occasion *at = &occasions[c];
            long k = 0;
            if (strcmp(at->structure ? at->structure : structures[i % 3], structures[i])) continue;
            do {
                test.random = start;
            } while (fail_on_occasion(at, structures[i], ++k));
            test_context(structures[i], c);
            CHECK(k > 1);
        }
}

/* ---- Contacts and neighbours ----------------------------------------------------------------- */

enum { CHAIN = 4000, STAR = 150 }; /* pairs: of an id and the next; of id 0 and each of 1 .. 150 */

typedef struct meetings {
    spt_contacts contacts;
    spt_intlist began, ended, others, chain, star, none;
    spt_i32 ids[CHAIN];
} meetings;

static spt_i32 meet_in_a_chain(meetings *m)
{
    return spt_contacts_update(&m->contacts, &m->chain, &m->began, &m->ended);
}

static spt_i32 meet_in_a_star(meetings *m)
{
    return spt_contacts_update_of(&m->contacts, m->ids, 1, &m->star, &m->began, &m->ended);
}

static spt_i32 list_the_star(meetings *m)
{
    return spt_contacts_of(&m->contacts, 0, &m->others);
}

static spt_i32 forget_the_star(meetings *m)
{
    return spt_contacts_forget(&m->contacts, 0, &m->ended);
}

/* The star is there again, and of the chain the pair that has no id of these. */
static spt_i32 leave_the_chain(meetings *m)
{
    return spt_contacts_update_of(&m->contacts, m->ids, CHAIN - 1, &m->star, &m->began, &m->ended);
}

static spt_i32 leave_all(meetings *m)
{
    return spt_contacts_update(&m->contacts, &m->none, &m->began, &m->ended);
}

static const struct {
    spt_i32 (*call)(meetings *m);
    spt_i32 result, contacts; /* what it returns, and how many there are then */
} meeting[] = {
    {meet_in_a_chain, CHAIN, CHAIN},      {meet_in_a_star, CHAIN + STAR - 1, CHAIN + STAR - 1},
    {list_the_star, STAR, CHAIN + STAR - 1}, {forget_the_star, STAR, CHAIN - 1},
    {leave_the_chain, STAR + 1, STAR + 1},  {meet_in_a_chain, CHAIN, CHAIN},
    {leave_all, 0, 0},
};

static void open_meetings(meetings *m, const spt_allocator *allocator)
{
    spt_contacts_desc desc;
    spt_i32 pair[2];
    memset(&desc, 0, sizeof desc);
    desc.allocator = *allocator;
    CHECK(spt_contacts_init(&m->contacts, &desc) == SPT_OK);
    CHECK(spt_intlist_init_with(&m->began, 2, allocator) == SPT_OK);
    CHECK(spt_intlist_init_with(&m->ended, 2, allocator) == SPT_OK);
    CHECK(spt_intlist_init_with(&m->others, 1, allocator) == SPT_OK);
    CHECK(spt_intlist_init(&m->chain, 2) == SPT_OK && spt_intlist_init(&m->star, 2) == SPT_OK);
    CHECK(spt_intlist_init(&m->none, 2) == SPT_OK);
    for (pair[0] = 0; pair[0] < CHAIN; pair[0]++) {
        m->ids[pair[0]] = pair[0], pair[1] = pair[0] + 1;
        CHECK(spt_intlist_push(&m->chain, pair) >= 0);
    }
    for (pair[0] = 0, pair[1] = 1; pair[1] <= STAR; pair[1]++)
        CHECK(spt_intlist_push(&m->star, pair) >= 0);
}

/* Lists have only their inline room before each call. */
static void free_told(meetings *m)
{
    spt_intlist_free(&m->began), spt_intlist_free(&m->ended), spt_intlist_free(&m->others);
}

/* Allocation fail_at is refused: the contacts stay, the lists are empty, and the call is made
   again. Returns how many failed. */
static long run_meetings(long fail_at)
{
    static meetings m;
    test_memory memory;
    spt_allocator allocator;
    int i;
    test_memory_open(&memory, &allocator);
    memory.fail_at = fail_at;
    open_meetings(&m, &allocator);
    for (i = 0; i < TEST_COUNT(meeting); i++) {
        const spt_i32 before = spt_contacts_count(&m.contacts);
        spt_i32 result;
        long failures;
        test_context("meeting", i);
        do {
            failures = memory.failures;
            free_told(&m);
            result = meeting[i].call(&m);
            if (result != SPT_ERR_MEMORY || memory.failures == failures) break;
            CHECK(spt_contacts_count(&m.contacts) == before && spt_contacts_check(&m.contacts));
            CHECK(spt_intlist_count(&m.began) + spt_intlist_count(&m.ended) == 0);
            CHECK(spt_intlist_count(&m.others) == 0);
        } while (memory.failures == 1);
        CHECK(result == meeting[i].result && memory.failures == failures);
        CHECK(spt_contacts_count(&m.contacts) == meeting[i].contacts);
        CHECK(spt_contacts_check(&m.contacts));
    }
    free_told(&m);
    spt_intlist_free(&m.chain), spt_intlist_free(&m.star), spt_contacts_free(&m.contacts);
    CHECK(memory.bytes == 0);
    return memory.failures;
}

static void every_allocation_of_contacts_may_fail_once(void)
{
    long k = 1;
    while (run_meetings(k)) k++;
    CHECK(k > 20);
}

enum { ROWS_AND_IDS, ROWS_ALONE, NEAR_PAIRS };

static spt_i32 ask_neighbours(spt_neighbours *nb, int how, spt_intlist *rows, spt_intlist *out)
{
    const spt_coord *x = &crowd->min_x, *y = &crowd->min_y;
    if (how == NEAR_PAIRS) return spt_neighbours_pairs(nb, x, y, sizeof *crowd, 2000, 2, out);
    return spt_neighbours_find(nb, x, y, sizeof *crowd, 2000, 2, rows,
                               how == ROWS_AND_IDS ? out : NULL);
}

/* Of the corners of the crowd, where the next two are near. Without a capacity the call allocates
   the scratch, else init does. Returns how many allocations failed. */
static long run_neighbours(spt_i32 capacity, int how, long fail_at)
{
    const spt_i32 pairs = 1999 + 1998, expected = how == NEAR_PAIRS ? pairs : 2 * pairs;
    test_memory memory;
    spt_neighbours_desc desc;
    spt_neighbours nb;
    spt_intlist rows, out;
    spt_i32 result;
    memset(&desc, 0, sizeof desc);
    test_memory_open(&memory, &desc.allocator);
    memory.fail_at = fail_at, desc.capacity = capacity;
    while (spt_neighbours_init(&nb, &desc) != SPT_OK)
        if (!CHECK(memory.failures == 1 && memory.bytes == 0 && is_zero(&nb, sizeof nb))) exit(1);
    CHECK(spt_intlist_init_with(&rows, 2, &desc.allocator) == SPT_OK);
    CHECK(spt_intlist_init_with(&out, how == NEAR_PAIRS ? 2 : 1, &desc.allocator) == SPT_OK);
    do {
        const long failures = memory.failures;
        result = ask_neighbours(&nb, how, &rows, &out);
        CHECK(result == (memory.failures > failures ? SPT_ERR_MEMORY : expected));
        CHECK(spt_intlist_count(&rows) == (result > 0 && how != NEAR_PAIRS ? 2000 : 0));
        CHECK(spt_intlist_count(&out) == (result > 0 && how != ROWS_ALONE ? expected : 0));
        CHECK(memory.bytes == spt_neighbours_bytes(&nb) + spt_intlist_bytes(&rows) +
                                  spt_intlist_bytes(&out));
    } while (result == SPT_ERR_MEMORY);
    spt_intlist_free(&rows), spt_intlist_free(&out), spt_neighbours_free(&nb);
    CHECK(memory.bytes == 0);
    return memory.failures;
}

static void every_allocation_of_neighbours_may_fail_once(void)
{
    int how, fixed;
    fill_crowd();
    for (how = ROWS_AND_IDS; how <= NEAR_PAIRS; how++)
        for (fixed = 0; fixed < 2; fixed++) {
            long k = 1;
            while (run_neighbours(fixed ? 2000 : 0, how, k)) k++;
            CHECK(k > 2);
        }
}

/* ---- Later ----------------------------------------------------------------------------------- */

static void check_done_later(const subject *s)
{
    static spt_index x;
    spt_box box = {0, 0, 100, 100};
    test_memory memory;
    spt_allocator allocator;
    spt_i32 i;
    int round;
    test_memory_open(&memory, &allocator);
    CHECK(subject_init(s, &x, 0, &allocator) == SPT_OK);
    for (i = 0; i < 50; i++) CHECK(spt_insert(&x, i, &box) == SPT_OK);
    memory.limit = memory.bytes;
    for (round = 0; round < 100; round++) {
        CHECK(spt_insert(&x, 10000, &box) == SPT_ERR_MEMORY);
        CHECK(spt_count(&x) == 50 && spt_check(&x));
        CHECK(!spt_contains(&x, 10000) && memory.bytes == memory.limit);
        CHECK(spt_remove(&x, 7) == SPT_OK);
        CHECK(spt_insert(&x, 7, &box) == SPT_OK);
    }
    memory.limit = 0;
    CHECK(spt_insert(&x, 10000, &box) == SPT_OK);
    CHECK(spt_bytes(&x) == memory.bytes);
    spt_free(&x);
    CHECK(memory.bytes == 0);
}

static void what_there_is_no_memory_for_can_be_done_later(void)
{
    int i;
    for (i = 0; i < SUBJECTS; i++)
        if (subjects[i].grows) check_done_later(&subjects[i]);
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

typedef union aligned { /* for all types that the header says memory is aligned for */
    void *pointer;
    long integer;
#ifndef SPATIAL_INT
    double real;
#endif
} aligned;

static void an_arena_over_an_unaligned_buffer_hands_out_aligned_memory(void)
{
    size_t offset, size, most;
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
                CHECK((uintptr_t)piece % sizeof(aligned) == 0);
                CHECK(piece >= buffer && piece + 1 <= buffer + size);
            }
            CHECK(a.resize(a.ctx, NULL, 0, size + 1) == NULL);
            for (most = 1; most < size + 20; most++) { /* it ends where the buffer does */
                spt_arena_init(&arena, buffer, size, &a);
                piece = (unsigned char *)a.resize(a.ctx, NULL, 0, most);
                if (piece) CHECK(piece + most <= buffer + size);
            }
            free(block);
        }
}

static void a_failed_init_of_a_broadphase_leaves_zero_bytes(void)
{
    test_memory memory;
    spt_broadphase_desc desc;
    spt_broadphase bp;
    test_memory_open(&memory, &desc.allocator);
    memory.limit = 100;
    desc.capacity = 10;
    memset(&bp, 0xAA, sizeof bp);
    CHECK(spt_broadphase_init(&bp, &desc) == SPT_ERR_MEMORY && is_zero(&bp, sizeof bp));
    desc.capacity = -1;
    memset(&bp, 0xAA, sizeof bp);
    CHECK(spt_broadphase_init(&bp, &desc) == SPT_ERR_ARGUMENT && is_zero(&bp, sizeof bp));
    CHECK(memory.bytes == 0);
}

/* Whichever of its allocations it was that failed, or the desc. */
static void a_failed_init_leaves_zero_bytes(void)
{
    static spt_index x;
    int i;
    for (i = 0; i < ALL_SUBJECTS; i++) {
        const subject *s = &subjects[i];
        test_memory memory;
        spt_allocator allocator;
        test_memory_open(&memory, &allocator);
        CHECK(subject_init(s, &x, -1, &allocator) == SPT_ERR_ARGUMENT);
        CHECK(is_zero(&x, sizeof x) && memory.calls == 0);
        memory.fail_at = 1;
        while (subject_init(s, &x, 1000, &allocator) != SPT_OK) {
            CHECK(memory.failures == memory.fail_at);
            CHECK(is_zero(&x, sizeof x) && memory.bytes == 0);
            memory.fail_at++;
            memory.calls = 0;
        }
        CHECK(memory.fail_at > 1);
        CHECK(strcmp(spt_kind(&x), s->kind->name) == 0 && spt_count(&x) == 0);
        spt_free(&x);
        CHECK(is_zero(&x, sizeof x) && memory.bytes == 0);
    }
}

/* The arena takes back its last piece alone: all must be freed in reverse order. */
static void a_failed_init_and_free_give_an_arena_all_its_memory_back(void)
{
    static spt_index x;
    int i;
    for (i = 0; i < ALL_SUBJECTS; i++) {
        size_t needed = subject_bytes_for(&subjects[i], 100), step = 16, bytes;
        while (needed / step > 500) step *= 2;
        for (bytes = needed % step; bytes <= needed; bytes += step) {
            spt_arena arena;
            spt_allocator allocator;
            void *block;
            int result;
            spt_arena_init(&arena, buffer_of(bytes, 0, &block), bytes, &allocator);
            result = subject_init(&subjects[i], &x, 100, &allocator);
            CHECK(result == (bytes < needed ? SPT_ERR_MEMORY : SPT_OK));
            CHECK(result == SPT_OK || arena.used == 0);
            spt_free(&x); /* also what a failed init has left may be freed */
            CHECK(arena.used == 0);
            free(block);
        }
    }
}

/* Opens the oracle with this subject in place of a structure of its own. Returns what its init
   returned; on an error, too, the oracle is to be closed. */
static int open_subject(oracle *o, const subject *s, spt_i32 capacity,
                        const spt_allocator *allocator)
{
    oracle_setup setup = {&oracle_worlds[2], NULL, 1, ORACLE_IDS, 0, HEAP, NULL};
    setup.structure = s->kind->name;
    setup.capacity = capacity;
    CHECK(oracle_open(o, &setup) == SPT_OK);
    spt_free(&o->index);
    return subject_init(s, &o->index, capacity, allocator);
}

/* Runs the oracle in an arena of so many bytes. Returns what init returned. */
static int run_in_arena(const subject *s, spt_i32 capacity, size_t bytes, size_t offset)
{
    static oracle o;
    spt_arena arena;
    spt_allocator allocator;
    void *block;
    int result;
    spt_arena_init(&arena, buffer_of(bytes, offset, &block), bytes, &allocator);
    result = open_subject(&o, s, capacity, &allocator);
    if (result == SPT_OK) {
        size_t used = arena.used;
        CHECK(spt_bytes(&o.index) <= used && used <= bytes);
        oracle_run(&o, test_scale(300));
        CHECK(arena.used == used);
    }
    oracle_close(&o);
    free(block);
    return result;
}

static subject with_pairs(const subject *s, int no_pairs)
{
    subject other = *s;
    other.no_pairs = no_pairs;
    return other;
}

static void without_the_scratch_of_pairs_all_else_works_in_less_memory(void)
{
    static const spt_allocator heap = HEAP;
    static const spt_i32 mark[2] = {-5, -6};
    static spt_index x;
    int i;
    for (i = 0; i < ALL_SUBJECTS; i++) {
        subject with = with_pairs(&subjects[i], 0), without = with_pairs(&subjects[i], 1);
        spt_box boxes[2] = {{30, 30, 31, 31}, {30, 30, 31, 31}};
        spt_intlist ids, pairs;
        CHECK(subject_bytes_for(&without, 100) < subject_bytes_for(&with, 100));
        CHECK(subject_init(&without, &x, 100, &heap) == SPT_OK);
        CHECK(spt_bytes(&x) <= subject_bytes_for(&without, 100));
        spt_intlist_init(&ids, 1);
        spt_intlist_init(&pairs, 2);
        CHECK(spt_pairs(&x, NULL, &pairs) == SPT_ERR_LEFT_OUT);
        CHECK(spt_build(&x, boxes, 2) == SPT_OK);
        CHECK(spt_intlist_push(&pairs, mark) == 0);
        CHECK(spt_pairs(&x, NULL, &pairs) == SPT_ERR_LEFT_OUT && spt_intlist_count(&pairs) == 0);
        CHECK(spt_query(&x, boxes, NULL, &ids) == 2 && spt_check(&x));
        if (x.kind->reset) {
            CHECK(spt_pairs_of(&x, ids.room, -1, NULL, NULL) == SPT_ERR_ARGUMENT);
            CHECK(spt_pairs_of(&x, ids.room, 1, NULL, NULL) == SPT_ERR_LEFT_OUT);
        }
        spt_intlist_free(&ids);
        spt_intlist_free(&pairs);
        spt_free(&x);
    }
}

static void an_arena_of_bytes_for_suffices_and_one_byte_less_does_not(void)
{
    static const spt_i32 capacities[] = {1, 2, 3, 7, 32, 33, 100, 511};
    int c, i;
    for (c = 0; c < TEST_COUNT(capacities); c++)
        for (i = 0; i < SUBJECTS; i++) {
            spt_i32 capacity = capacities[c];
            subject s = with_pairs(&subjects[i], 0); /* the oracle asks for them */
            size_t bytes = subject_bytes_for(&s, capacity), offset;
            CHECK(bytes > (size_t)capacity * sizeof(spt_box));
            CHECK(run_in_arena(&s, capacity, bytes, 0) == SPT_OK);
            CHECK(run_in_arena(&s, capacity, bytes - 1, 0) == SPT_ERR_MEMORY);
            CHECK(run_in_arena(&s, capacity, bytes / 2, 0) == SPT_ERR_MEMORY);
            CHECK(run_in_arena(&s, capacity, 0, 0) == SPT_ERR_MEMORY);
            for (offset = 1; offset < 16; offset += 4)
                CHECK(run_in_arena(&s, capacity, bytes + 16, offset) == SPT_OK);
        }
}

/* Packed for itself: the oracle inserts. */
static void packed_fits_an_arena_of_bytes_for_and_no_smaller_one(void)
{
    static const spt_i32 capacities[] = {1, 2, 31, 32, 33, 100, 2000};
    const subject *s = &subjects[SUBJECTS];
    int c;
    fill_crowd();
    for (c = 0; c < TEST_COUNT(capacities); c++) {
        spt_i32 n = capacities[c];
        size_t bytes = subject_bytes_for(s, n);
        spt_index x;
        spt_allocator allocator;
        spt_arena arena;
        spt_intlist out;
        void *block;
        unsigned char *buffer = buffer_of(bytes, 0, &block);
        spt_arena_init(&arena, buffer, bytes - 1, &allocator);
        CHECK(subject_init(s, &x, n, &allocator) == SPT_ERR_MEMORY && arena.used == 0);
        spt_arena_init(&arena, buffer, bytes, &allocator);
        CHECK(subject_init(s, &x, n, &allocator) == SPT_OK);
        CHECK(spt_intlist_init(&out, 2) == SPT_OK);
        CHECK(spt_build(&x, crowd, n) == SPT_OK && spt_count(&x) == n);
        CHECK(spt_build(&x, crowd, n + 1) == SPT_ERR_FULL && spt_count(&x) == n);
        CHECK(spt_pairs(&x, NULL, &out) == n - 1);
        CHECK(spt_bytes(&x) <= bytes && arena.used <= bytes && spt_check(&x));
        spt_intlist_free(&out);
        spt_free(&x);
        free(block);
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
        CHECK(spt_broadphase_pairs(&bp, crowd, capacities[c], NULL, &out) >= 0);
        CHECK(spt_broadphase_pairs(&bp, crowd, capacities[c] + 1, NULL, &out) == SPT_ERR_FULL);
        CHECK(spt_broadphase_bytes(&bp) <= bytes);
        spt_intlist_free(&out);
        spt_broadphase_free(&bp);
        free(block);
    }
}

static void bytes_for_tells_what_init_allocates(void)
{
    static const spt_i32 capacities[] = {0, 1, 9, 100, 5000, 70000};
    static spt_index x;
    int c, i;
    for (c = 0; c < TEST_COUNT(capacities); c++)
        for (i = 0; i < ALL_SUBJECTS; i++) {
            const subject *s = &subjects[i];
            size_t bytes = subject_bytes_for(s, capacities[c]);
            int possible = s->grows || capacities[c] > 0; /* and packed without: no bytes */
            test_memory memory;
            spt_allocator allocator;
            test_memory_open(&memory, &allocator);
            CHECK(subject_init(s, &x, capacities[c], &allocator) ==
                  (possible || i == SUBJECTS ? SPT_OK : SPT_ERR_ARGUMENT));
            CHECK((bytes > 0) == possible);
            CHECK(memory.bytes <= bytes && bytes <= memory.bytes + 64); /* rounded up */
            CHECK(spt_bytes(&x) == memory.bytes);
            spt_free(&x);
            CHECK(memory.bytes == 0);
        }
    CHECK(spt_broadphase_bytes_for(NULL) == 0);
    CHECK(spt_linear_bytes_for(NULL) > 0);
    CHECK(spt_quadtree_bytes_for(NULL) > 0);
    CHECK(spt_loosegrid_bytes_for(NULL) > 0);
    CHECK(spt_packed_bytes_for(NULL) == 0);
}

/* Each macro of the bytes that a constant capacity takes, as a function. */
static size_t constant_bytes(int structure, size_t n)
{
    return structure == 0   ? SPT_LINEAR_BYTES(n)
           : structure == 1 ? SPT_QUADTREE_BYTES(n)
           : structure == 2 ? SPT_LINEAR_BYTES(n)
           : structure == 3 ? SPT_PACKED_BYTES(n)
                            : SPT_BROADPHASE_BYTES(n);
}

static size_t bytes_of_a_desc(int structure, spt_i32 n, int no_pairs)
{
    static const spt_allocator heap = HEAP;
    spt_broadphase_desc broadphase;
    any_desc desc;
    memset(&broadphase, 0, sizeof broadphase);
    broadphase.allocator = heap;
    broadphase.capacity = n;
    if (structure == 4) return spt_broadphase_bytes_for(&broadphase);
    memset(&desc, 0, sizeof desc);
    kinds[structure]->set(&desc, n, no_pairs, &heap);
    return kinds[structure]->bytes_for(&desc);
}

/* At least the bytes that init takes, and at most a tenth more, of the broadphase a ninth. */
static void constants_tell_the_bytes_of_every_capacity(void)
{
    int structure, no_pairs;
    spt_i32 n;
    for (structure = 0; structure < 5; structure++)
        for (no_pairs = 0; no_pairs < (structure < 4 ? 2 : 1); no_pairs++)
            for (n = 1; n < 10000000; n += n < 5000 ? 1 : n / 37) {
                const size_t needed = bytes_of_a_desc(structure, n, no_pairs);
                size_t bytes = constant_bytes(structure, (size_t)n);
                if (no_pairs) bytes -= SPT_BROADPHASE_BYTES((size_t)n);
                test_context("structure", structure);
                CHECK(bytes >= needed && bytes <= needed + needed / (structure == 4 ? 9 : 10));
            }
}

static void constants_tell_the_bytes_of_contacts_and_of_points(void)
{
    spt_contacts_desc contacts;
    spt_neighbours_desc points;
    size_t bytes;
    spt_i32 n, m;
    memset(&contacts, 0, sizeof contacts), memset(&points, 0, sizeof points);
    for (n = 1; n < 10000000; n += n < 2000 ? 1 : n / 37) {
        points.capacity = contacts.capacity = n;
        test_context("capacity", n);
        CHECK(SPT_NEIGHBOURS_BYTES((size_t)n) >= spt_neighbours_bytes_for(&points));
        CHECK(SPT_NEIGHBOURS_BYTES((size_t)n) <= spt_neighbours_bytes_for(&points) + 340);
        for (m = 0; m < 20000000; m += 1 + m / 2) { /* 0: as many as pairs */
            contacts.ids = m;
            bytes = SPT_CONTACTS_BYTES((size_t)n, (size_t)m);
            CHECK(bytes >= spt_contacts_bytes_for(&contacts));
            CHECK(bytes <= spt_contacts_bytes_for(&contacts) + 8);
        }
    }
}

#define PAIRS 41
#define IDS 13

/* All that contacts may be asked for, with as many pairs and as large ids as there is room for. */
static void contacts_need_no_more_than_their_constant(void)
{
    static double room[SPT_CONTACTS_BYTES(PAIRS, IDS) / sizeof(double) + 1];
    static const spt_i32 moved[3] = {0, 5, IDS - 1};
    spt_i32 pair[2], round;
    spt_contacts_desc desc;
    spt_contacts c;
    spt_arena arena;
    spt_intlist pairs, some;
    memset(&desc, 0, sizeof desc);
    desc.capacity = PAIRS, desc.ids = IDS;
    spt_arena_init(&arena, room, spt_contacts_bytes_for(&desc) - 1, &desc.allocator);
    CHECK(spt_contacts_init(&c, &desc) == SPT_ERR_MEMORY);
    spt_arena_init(&arena, room, SPT_CONTACTS_BYTES(PAIRS, IDS), &desc.allocator);
    CHECK(spt_contacts_init(&c, &desc) == SPT_OK);
    CHECK(spt_intlist_init(&pairs, 2) == SPT_OK && spt_intlist_init(&some, 2) == SPT_OK);
    for (round = 0; round < 50; round++) {
        spt_intlist_clear(&pairs), spt_intlist_clear(&some);
        for (pair[0] = 0; pair[0] < IDS; pair[0]++)
            for (pair[1] = pair[0] + 1; pair[1] < IDS; pair[1]++) {
                const int of = pair[0] == 0 || pair[0] == 5 || pair[1] == 5 || pair[1] == IDS - 1;
                if (spt_intlist_count(&pairs) == PAIRS || test_below(3) == 0) continue;
                CHECK(spt_intlist_push(&pairs, pair) >= 0);
                if (of) CHECK(spt_intlist_push(&some, pair) >= 0);
            }
        CHECK(spt_contacts_update(&c, &pairs, NULL, NULL) == PAIRS);
        CHECK(spt_contacts_of(&c, 3, NULL) > 0);
        CHECK(spt_contacts_update_of(&c, moved, 3, &some, NULL, NULL) == PAIRS);
        CHECK(spt_contacts_forget(&c, test_below(IDS), NULL) > 0 && spt_contacts_check(&c));
    }
    spt_contacts_free(&c), spt_intlist_free(&pairs), spt_intlist_free(&some);
}

static void neighbours_need_no_more_than_their_constant(void)
{
    static double room[SPT_NEIGHBOURS_BYTES(70) / sizeof(double) + 1];
    spt_neighbours_desc desc;
    spt_neighbours nb;
    spt_arena arena;
    spt_intlist rows;
    spt_i32 n;
    memset(&desc, 0, sizeof desc);
    desc.capacity = 70;
    spt_arena_init(&arena, room, spt_neighbours_bytes_for(&desc) - 1, &desc.allocator);
    CHECK(spt_neighbours_init(&nb, &desc) == SPT_ERR_MEMORY);
    spt_arena_init(&arena, room, SPT_NEIGHBOURS_BYTES(70), &desc.allocator);
    CHECK(spt_neighbours_init(&nb, &desc) == SPT_OK && spt_intlist_init(&rows, 2) == SPT_OK);
    for (n = 0; n <= 71; n++)
        CHECK(spt_neighbours_find(&nb, &crowd->min_x, &crowd->min_y, sizeof *crowd, n, 9, &rows,
                                  NULL) >= (n > 70 ? SPT_ERR_FULL : 0));
    CHECK(spt_intlist_count(&rows) == 0); /* of 71 */
    spt_neighbours_free(&nb), spt_intlist_free(&rows);
}

/* As the manual has it. */
static void a_static_array_has_room_for_an_index(void)
{
    static double room[SPT_LINEAR_BYTES(256) / sizeof(double) + 1];
    spt_linear_desc desc;
    spt_arena arena;
    spt_index x;
    spt_i32 id;
    memset(&desc, 0, sizeof desc);
    desc.capacity = 256;
    spt_arena_init(&arena, room, sizeof room, &desc.allocator);
    CHECK(spt_linear_init(&x, &desc) == SPT_OK);
    for (id = 0; id < 256; id++) CHECK(spt_insert(&x, id, &crowd[id]) == SPT_OK);
    CHECK(spt_pairs(&x, NULL, NULL) >= 0);
    CHECK(spt_check(&x));
    spt_free(&x);
}

/* The bytes an id that the header names, for float or integers and for double; without the bytes
   of pairs. */
static void check_bytes_an_id(const subject *s, double few, double many)
{
    static const spt_i32 capacities[] = {1000,  1024,  1500,   4096,   5000,
                                         10000, 33333, 100000, 1000000};
    subject without = with_pairs(s, 1);
    int c;
    for (c = 0; c < TEST_COUNT(capacities); c++) {
        double ids = capacities[c], bytes = (double)subject_bytes_for(&without, capacities[c]);
        test_context(s->kind->name, (long)capacities[c]);
        CHECK(bytes / ids > few && bytes / ids < many + 1000 / ids);
    }
}

static void the_bytes_an_id_are_those_of_the_header(void)
{
    static const subject defaults[] = {
        {&linear, 1, 0, {.linear = {WORLD, 0, 0, 0, 0, 0, 1, HEAP}}},
        {&quadtree, 1, 0, {.quadtree = {WORLD, 0, 0, 0, 0, 1, HEAP}}},
        {&loosegrid, 1, 0, {.loosegrid = {WORLD, 0, 0, 0, 0, 0, 1, HEAP}}},
        {&packed, 0, 0, {.packed = {0, 0, HEAP}}},
    };
    int wide = sizeof(spt_coord) == 8;
    check_bytes_an_id(&defaults[0], wide ? 47 : 28, wide ? 78 : 46);
    check_bytes_an_id(&defaults[1], wide ? 90 : 53, wide ? 96 : 56);
    check_bytes_an_id(&defaults[2], wide ? 47 : 28, wide ? 78 : 46);
    check_bytes_an_id(&defaults[3], wide ? 36 : 20, wide ? 39 : 23);
}

static void scratch_has_at_most_the_bytes_of_the_header(void)
{
    const size_t wide = sizeof(spt_coord) == 8;
    spt_neighbours_desc points;
    spt_i32 n;
    memset(&points, 0, sizeof points);
    for (n = 1; n < 10000000; n += 1 + n / 100) {
        const size_t bytes = bytes_of_a_desc(4, n, 0), boxes = (size_t)n;
        points.capacity = n;
        test_context("boxes", (long)n);
        CHECK(bytes <= boxes * (35 + 20 * wide) + 1024 * (225 + 105 * wide));
        CHECK(n > 1024 || bytes <= boxes * (93 + 45 * wide) + 6 * 1024);
        CHECK(spt_neighbours_bytes_for(&points) <= boxes * (36 + 8 * wide) + 300 + 60 * wide);
    }
}

/* Without a capacity, and with one box more each time, an index has room for at most twice as many
   as it needs by the header, scratch for a quarter more; and they seldom grow. */
static void what_grows_takes_few_and_small_steps(void)
{
    static const double boxes[5][2] = {{46, 78}, {56, 94}, {46, 78}, {93, 138}, {36, 44}};
    static const double more[5][2] = {{1.8, 2.9}, {3.2, 6.2}, {1.8, 2.9}, {6, 6}, {.3, .4}};
    const int wide = sizeof(spt_coord) == 8;
    static spt_index x;
    spt_broadphase bp;
    spt_neighbours nb;
    int what;
    fill_crowd();
    for (what = 0; what < 5; what++) {
        test_memory memory;
        any_desc desc;
        spt_i32 n;
        memset(&desc, 0, sizeof desc), memset(&bp, 0, sizeof bp), memset(&nb, 0, sizeof nb);
        test_memory_open(&memory, &bp.allocator);
        nb.desc.allocator = bp.allocator;
        kinds[what % 3]->set(&desc, 0, 1, &bp.allocator);
        if (what < 3) CHECK(kinds[what]->init(&x, &desc) == SPT_OK);
        for (n = 1; n <= 1024; n++) {
            const double most = boxes[what][wide] * n + 1024 * more[what][wide];
            test_context("what", what);
            if (what < 3) spt_insert(&x, n - 1, &crowd[n - 1]);
            else if (what == 3) spt_broadphase_pairs(&bp, crowd, n, NULL, NULL);
            else
                spt_neighbours_pairs(&nb, &crowd->min_x, &crowd->min_y, sizeof *crowd, n, 0, NULL);
            CHECK((double)memory.bytes <= most * (what < 3 ? 2 : 1.25));
        }
        CHECK(memory.calls > 3 && memory.calls <= 32);
        if (what < 3) spt_free(&x);
        spt_broadphase_free(&bp);
        spt_neighbours_free(&nb);
        CHECK(memory.bytes == 0);
    }
}

/* ---- Fixed capacity -------------------------------------------------------------------------- */

/* How it gets on in one world. */
static void check_nothing_is_allocated(const char *structure, const oracle_world *world)
{
    static oracle o;
    oracle_setup setup = {NULL, NULL, 0, 300, 250, HEAP, NULL};
    test_memory memory;
    long calls;
    setup.structure = structure;
    setup.world = world;
    test_memory_open(&memory, &setup.allocator);
    CHECK(oracle_open(&o, &setup) == SPT_OK);
    calls = memory.calls;
    oracle_run(&o, test_scale(3000));
    CHECK(memory.calls == calls);
    CHECK(spt_bytes(&o.index) == memory.bytes);
    oracle_close(&o);
    CHECK(memory.bytes == 0);
}

static void nothing_is_allocated_after_init_when_a_capacity_is_set(void)
{
    int i, world;
    for (i = 0; i < TEST_COUNT(structures); i++)
        for (world = 0; world < ORACLE_WORLDS; world++)
            check_nothing_is_allocated(structures[i], &oracle_worlds[world]);
}

/* The nodes are used up by crowds around a few points, in which leaves split as deep as can be and
   then coincide; and the chunks by boxes of all sizes, one or two in each node. */
static spt_box box_that_fills(oracle *o, int crowded)
{
    spt_box box = oracle_random_box(o);
    const spt_box *other = &o->boxes[test_below(ORACLE_IDS / 16)];
    if (crowded && test_below(4)) box.min_x = other->min_x, box.min_y = other->min_y;
    if (crowded || test_below(2)) box.max_x = box.min_x, box.max_y = box.min_y;
    return box;
}

/* Inserts, moves and removes; the oracle sees to it that nothing is refused. Returns the most nodes
   that were in use. */
static spt_i32 fill_quadtree(int leaf_capacity, int max_depth, spt_i32 ids)
{
    static oracle o;
    subject s = {&quadtree, 1, 0, {.quadtree = {WORLD, 0, 0, 0, 0, 1, HEAP}}};
    int step, steps = test_scale(20000) < 4000 ? 4000 : test_scale(20000);
    spt_i32 most = 0;
    test_memory memory;
    spt_allocator allocator;
    long calls;
    s.desc.quadtree.leaf_capacity = leaf_capacity;
    s.desc.quadtree.max_depth = max_depth;
    test_memory_open(&memory, &allocator);
    CHECK(open_subject(&o, &s, ids, &allocator) == SPT_OK);
    calls = memory.calls;
    for (step = 0; step < steps; step++) {
        spt_i32 id = test_below((int)ids);
        spt_box box = box_that_fills(&o, step / 1000 % 2);
        test_context("step", step);
        if (step % 2000 == 0) oracle_clear(&o);
        if (o.there[id] && test_below(16) == 0) oracle_remove(&o, id);
        else if (o.there[id]) oracle_move(&o, id, &box);
        else oracle_insert(&o, id, &box);
        if (step % 16 == 0) oracle_query(&o, &box);
        if (step % 64 == 0) spt_tidy(&o.index);
        if (step % 256 == 0) oracle_compare(&o);
        if (most < o.index.as.quadtree.used) most = o.index.as.quadtree.used;
    }
    oracle_compare(&o);
    oracle_pairs(&o);
    CHECK(memory.calls == calls && most <= o.index.node_room);
    CHECK(o.index.pool.top <= o.index.pool.capacity);
    oracle_close(&o);
    return most;
}

static void a_quadtree_of_a_capacity_refuses_no_insert_and_no_move(void)
{
    static const int leaves[] = {1, 2, 8, 16, 50}, depths[] = {1, 5, 12, 16};
    int l, d;
    for (l = 0; l < TEST_COUNT(leaves); l++)
        for (d = l % THIRD; d < TEST_COUNT(depths); d += THIRD) {
            spt_i32 most = fill_quadtree(leaves[l], depths[d], ORACLE_IDS);
            if (depths[d] > 1) CHECK(most > ORACLE_IDS / leaves[l] / 4); /* it did split */
            (void)fill_quadtree(leaves[l], depths[d], 20);
        }
}

/* ---- Sizes that do not fit ------------------------------------------------------------------- */

/* An init that must ask for more than a fifth of a gigabyte, and is given none of it. */
static void check_refused(const subject *s, spt_i32 capacity)
{
    static spt_index x;
    size_t bytes = subject_bytes_for(s, capacity);
    test_memory memory;
    spt_allocator allocator;
    test_memory_open(&memory, &allocator);
    memory.limit = 1 << 28;
    CHECK(subject_init(s, &x, capacity, &allocator) == SPT_ERR_MEMORY);
    CHECK(memory.bytes == 0);
    CHECK(bytes == 0 || bytes > memory.limit); /* 0: more than size_t can say */
    CHECK(bytes == 0 || bytes / sizeof(spt_box) > (size_t)capacity);
}

/* Among them are capacities of which the chunks, 21 or 37 bytes an id, are a little more than 2^32
   bytes. */
static void capacities_that_no_memory_holds_are_refused(void)
{
    static const spt_i32 capacities[] = {INT32_MAX, INT32_MAX - 1, 1 << 30, (1 << 29) + 1, 1 << 29,
                                         1 << 28, 204522264, 116080208};
    int c, i;
    for (c = 0; c < TEST_COUNT(capacities); c++) {
        test_memory memory;
        spt_broadphase_desc desc;
        spt_broadphase bp;
        size_t bytes;
        memset(&desc, 0, sizeof desc);
        test_memory_open(&memory, &desc.allocator);
        memory.limit = 1 << 30;
        desc.capacity = capacities[c];
        CHECK(spt_broadphase_init(&bp, &desc) == SPT_ERR_MEMORY && memory.bytes == 0);
        bytes = spt_broadphase_bytes_for(&desc);
        CHECK(bytes == 0 || bytes / sizeof(spt_box) > (size_t)capacities[c]);
        for (i = 0; i < ALL_SUBJECTS; i++) check_refused(&subjects[i], capacities[c]);
    }
}

/* As small as they can be, in a world so large that there are 4096 of them a side. */
static void cells_that_no_memory_holds_are_refused(void)
{
    subject s = {&loosegrid, 1, 0, {.loosegrid = {{0, 0, 100000, 100000}, 0, 0, 0, 1, 0, 1, HEAP}}};
    check_refused(&s, 0);
    check_refused(&s, 1000);
#ifndef SPATIAL_INT
    s.desc.loosegrid.cell = COORD_LEAST;
    check_refused(&s, 1000);
#endif
}

static void lists_that_no_memory_holds_are_refused(void)
{
    static const spt_i32 fields[] = {1, 2, 3, 1000, 65535};
    int f, error;
    for (f = 0; f < TEST_COUNT(fields); f++) {
        test_memory memory;
        spt_allocator allocator;
        spt_intlist list;
        test_memory_open(&memory, &allocator);
        memory.limit = 1 << 28;
        if (!CHECK(spt_intlist_init_with(&list, fields[f], &allocator) == SPT_OK)) continue;
        error = fields[f] == 1 ? SPT_ERR_MEMORY : SPT_ERR_COUNT; /* over 2^31 - 1 integers */
        CHECK(spt_intlist_reserve(&list, INT32_MAX) == error);
        CHECK(spt_intlist_reserve(&list, INT32_MAX / 2 + 2) == error);
        CHECK(memory.bytes == 0 && spt_intlist_check(&list));
        spt_intlist_free(&list);
    }
}

/* A desc by positions that was written for another version may have anything in these. */
static void flags_other_than_0_and_1_are_refused(void)
{
    static const spt_allocator heap = {NULL, NULL};
    static const spt_box world = {0, 0, 100, 100};
    static const int flags[] = {0, 1, 2, -1, 3, INT_MIN, INT_MAX};
    spt_index x;
    any_desc desc;
    int structure, k, keep;
    for (structure = 0; structure < 4; structure++)
        for (k = 0; k < TEST_COUNT(flags); k++)
            for (keep = 0; keep < (kinds[structure]->set_world ? 2 : 1); keep++) {
                const int wrong = flags[k] != 0 && flags[k] != 1;
                memset(&desc, 0, sizeof desc);
                kinds[structure]->set(&desc, 10, keep ? 1 : flags[k], &heap);
                if (kinds[structure]->set_world)
                    kinds[structure]->set_world(&desc, &world, keep ? flags[k] : 1);
                CHECK((kinds[structure]->bytes_for(&desc) == 0) == wrong);
                CHECK(kinds[structure]->init(&x, &desc) == (wrong ? SPT_ERR_ARGUMENT : SPT_OK));
                spt_free(&x);
            }
}

static const test_case tests[] = {
    TEST(every_allocation_of_a_list_may_fail_once),
    TEST(every_allocation_of_a_broadphase_may_fail_once),
    TEST(every_allocation_of_a_question_may_fail_once),
    TEST(every_allocation_of_pairs_may_fail_once),
    TEST(every_allocation_of_one_call_may_fail_once),
    TEST(every_allocation_of_contacts_may_fail_once),
    TEST(every_allocation_of_neighbours_may_fail_once),
    TEST(every_allocation_of_what_grows_may_fail_once),
    TEST(every_allocation_of_what_has_a_fixed_capacity_may_fail_once),
    TEST(what_there_is_no_memory_for_can_be_done_later),
    TEST(an_arena_hands_out_what_is_there_and_no_more),
    TEST(an_arena_grows_shrinks_and_takes_back_the_last_piece),
    TEST(an_arena_over_an_unaligned_buffer_hands_out_aligned_memory),
    TEST(a_failed_init_of_a_broadphase_leaves_zero_bytes),
    TEST(a_failed_init_leaves_zero_bytes),
    TEST(a_failed_init_and_free_give_an_arena_all_its_memory_back),
    TEST(without_the_scratch_of_pairs_all_else_works_in_less_memory),
    TEST(an_arena_of_bytes_for_suffices_and_one_byte_less_does_not),
    TEST(packed_fits_an_arena_of_bytes_for_and_no_smaller_one),
    TEST(a_broadphase_fits_an_arena_of_bytes_for_and_no_smaller_one),
    TEST(bytes_for_tells_what_init_allocates),
    TEST(constants_tell_the_bytes_of_every_capacity),
    TEST(constants_tell_the_bytes_of_contacts_and_of_points),
    TEST(contacts_need_no_more_than_their_constant),
    TEST(neighbours_need_no_more_than_their_constant),
    TEST(a_static_array_has_room_for_an_index),
    TEST(the_bytes_an_id_are_those_of_the_header),
    TEST(scratch_has_at_most_the_bytes_of_the_header),
    TEST(what_grows_takes_few_and_small_steps),
    TEST(nothing_is_allocated_after_init_when_a_capacity_is_set),
    TEST(a_quadtree_of_a_capacity_refuses_no_insert_and_no_move),
    TEST(capacities_that_no_memory_holds_are_refused),
    TEST(cells_that_no_memory_holds_are_refused),
    TEST(lists_that_no_memory_holds_are_refused),
    TEST(flags_other_than_0_and_1_are_refused),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
