/* test_workers.c - calls that are divided among workers find what one thread finds, in the same
   order, whoever does which job in whatever order, and with little memory. With WITH_THREADS the
   jobs run on POSIX threads, too: for a sanitizer that looks for data races. */
#ifdef WITH_THREADS
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#endif
#define SPTI_WORTH 1100 /* more than a leaf, which one thread takes */
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"

#ifndef SPTI_GROWS
int main(void)
{
    printf("0 checks: there are no workers\n");
    return 0;
}
#else
#define MOST 6000 /* boxes */

/* ---- Workers --------------------------------------------------------------------------------- */

enum { FORWARDS, BACKWARDS, ONE_ALONE, THREADS, WAYS = THREADS };
#define MOST_WORKERS 7

typedef struct crowd_of_workers { /* ctx of run */
    spt_workers workers;
    int way;
    long jobs, runs;
} crowd_of_workers;

#ifdef WITH_THREADS
typedef struct hands { /* shared by the threads of a run */
    spt_job_fn job;
    void *arg;
    int n, next, workers; /* next: with the lock */
    pthread_mutex_t lock;
} hands;

static void *work(void *argument)
{
    hands *h = (hands *)argument;
    int worker, i;
    pthread_mutex_lock(&h->lock);
    worker = h->workers++;
    for (i = h->next++; i < h->n; i = h->next++) {
        pthread_mutex_unlock(&h->lock);
        h->job(h->arg, i, worker);
        pthread_mutex_lock(&h->lock);
    }
    pthread_mutex_unlock(&h->lock);
    return NULL;
}

static void run_threads(int count, spt_job_fn job, void *arg, int n)
{
    pthread_t threads[MOST_WORKERS];
    hands h;
    int k;
    h.job = job, h.arg = arg, h.n = n, h.next = h.workers = 0;
    CHECK(pthread_mutex_init(&h.lock, NULL) == 0);
    for (k = 1; k < count; k++) CHECK(pthread_create(&threads[k], NULL, work, &h) == 0);
    (void)work(&h);
    for (k = 1; k < count; k++) CHECK(pthread_join(threads[k], NULL) == 0);
    pthread_mutex_destroy(&h.lock);
}
#endif

static void run(void *ctx, spt_job_fn job, void *arg, int n) SPT_CALLBACK
{
    crowd_of_workers *c = (crowd_of_workers *)ctx;
    int i, count = c->workers.count;
    c->jobs += n, c->runs++;
#ifdef WITH_THREADS
    if (c->way == THREADS) {
        run_threads(count, job, arg, n);
        return;
    }
#endif
    for (i = 0; i < n; i++)
        if (c->way == FORWARDS) job(arg, i, i % count);
        else if (c->way == BACKWARDS) job(arg, n - 1 - i, (i / 3) % count);
        else job(arg, i % 2 ? i / 2 : n - 1 - i / 2, count - 1);
}

static void hire(crowd_of_workers *c, int count, int way)
{
    c->workers.count = count;
    c->workers.run = run;
    c->workers.ctx = c;
    c->way = way;
    c->jobs = c->runs = 0;
}

/* ---- Scenes ---------------------------------------------------------------------------------- */

static spt_box boxes[MOST], others[MOST];

static spt_box box_at(int x, int y, int width, int height)
{
    spt_box b;
    b.min_x = (spt_coord)x, b.min_y = (spt_coord)y;
    b.max_x = (spt_coord)(x + width), b.max_y = (spt_coord)(y + height);
    return b;
}

static void uniform(spt_box *to, int n)
{
    int i;
    for (i = 0; i < n; i++) to[i] = box_at(test_below(30000), test_below(30000), 400, 400);
}

static void clusters(spt_box *to, int n)
{
    int i;
    for (i = 0; i < n; i++)
        to[i] = box_at(9000 * (i % 4) + test_below(1000) + test_below(1000),
                       9000 * (i % 3) + test_below(1000) + test_below(1000), 20, 20);
}

static void mixed(spt_box *to, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        int size = 1 << test_below(12);
        to[i] = box_at(test_below(30000), test_below(30000), test_below(size), test_below(size));
    }
}

static void rows_and_columns(spt_box *to, int n)
{
    int i;
    for (i = 0; i < n; i++)
        to[i] = i % 2 ? box_at(test_below(15000), test_below(30000), 14000, 1)
                      : box_at(15000 + test_below(15000), test_below(15000), 1, 14000);
}

static void grid(spt_box *to, int n)
{
    int i;
    for (i = 0; i < n; i++) to[i] = box_at(i % 80 * 10, i / 80 * 10, 10, 10);
}

static void heap(spt_box *to, int n) /* of pairs that nothing divides, and some boxes beside it */
{
    int i;
    for (i = 0; i < n; i++)
        to[i] = i % 8 ? box_at(test_below(30000), test_below(30000), 9, 9)
                      : box_at(900 - test_below(9), 900 - test_below(9), 90, 90);
}

static void endless(spt_box *to, int n)
{
    int i;
    uniform(to, n);
    for (i = 0; i < n; i += 97) to[i].max_x = spti_highest();
    for (i = 1; i < n; i += 199) to[i].min_y = spti_lowest();
}

/* 23 pairs, all in the part of one worker, and so more than its share of the room in the list. */
static void few_pairs(spt_box *to, int n)
{
    int i;
    for (i = 0; i < n; i++) to[i] = box_at(i % 64 * 100, i / 64 * 100, 9, 9);
    for (i = 1; i < 24; i++) to[i] = box_at(i * 100 - 91, 0, 100, 9); /* each touches the next */
}

typedef struct scene {
    const char *name;
    void (*fill)(spt_box *to, int n);
} scene;

static const scene scenes[] = {{"uniform", uniform}, {"clusters", clusters}, {"mixed", mixed},
                               {"rows and columns", rows_and_columns}, {"grid", grid},
                               {"heap", heap}, {"endless", endless}, {"few pairs", few_pairs}};
static const int counts[] = {0, 1, 2, 3, 4, MOST_WORKERS};
static const int sizes[] = {SPTI_WORTH - 1, SPTI_WORTH, 2500, MOST};

/* Pairs of which the sum of ids is even; ctx counts nothing: threads share it. */
static int accept_even(void *ctx, spt_i32 id, spt_i32 other) SPT_CALLBACK
{
    (void)ctx;
    return (id + other) % 2 == 0;
}

static const spt_filter even = {NULL, 0, NULL, NULL, 0, accept_even, NULL, SPT_MEETS};

/* ---- The broadphase -------------------------------------------------------------------------- */

static spt_i32 ask(spt_broadphase *bp, int between, int n, const spt_filter *filter,
                   spt_intlist *out)
{
    if (!between) return spt_broadphase_pairs(bp, boxes, n, filter, out);
    return spt_broadphase_pairs_between(bp, boxes, n - n / 3, others, n / 3, filter, out);
}

/* Asks three times: with a list that grows, with one that has grown, and without a list. */
static void check_pairs(const crowd_of_workers *c, int between, int n, const spt_filter *filter)
{
    spt_broadphase_desc desc;
    spt_broadphase alone, many;
    spt_intlist expected, out;
    int round;
    memset(&desc, 0, sizeof desc);
    CHECK(spt_broadphase_init(&alone, NULL) == SPT_OK);
    desc.workers = c->workers;
    CHECK(spt_broadphase_init(&many, &desc) == SPT_OK);
    CHECK(spt_intlist_init(&expected, 2) == SPT_OK && spt_intlist_init(&out, 2) == SPT_OK);
    CHECK(ask(&alone, between, n, filter, &expected) == spt_intlist_count(&expected));
    for (round = 0; round < 2; round++) {
        CHECK(ask(&many, between, n, filter, &out) == spt_intlist_count(&expected));
        CHECK(same_results(&out, &expected));
        CHECK(spt_intlist_bytes(&out) <=
              24 * (size_t)spt_intlist_count(&out) + (filter ? 16384 : 0));
    }
    CHECK(ask(&many, between, n, filter, NULL) == spt_intlist_count(&expected));
    spt_intlist_free(&expected);
    spt_intlist_free(&out);
    spt_broadphase_free(&alone);
    spt_broadphase_free(&many);
}

/* shared: there is work for more than one worker. */
static void for_all_workers(void (*check)(const crowd_of_workers *c, int n), int n, int shared)
{
    crowd_of_workers c;
    int k, way;
    for (k = 0; k < TEST_COUNT(counts); k++)
        for (way = 0; way < WAYS; way++) {
#ifdef WITH_THREADS
            if (way > 0 || counts[k] != 4) continue;
            way = THREADS;
#else
            if ((k + way + 1) % test_some(1, 3)) continue; /* few: each number in one way */
#endif
            hire(&c, counts[k], way);
            check(&c, n);
            CHECK((c.jobs > 0) == (counts[k] > 1 && n >= SPTI_WORTH && shared));
        }
}

static void check_broadphase(const crowd_of_workers *c, int n)
{
    check_pairs(c, 0, n, NULL);
    check_pairs(c, 1, n, NULL);
    check_pairs(c, n % 2, n, &even);
}

static void pairs_are_those_of_one_thread_in_their_order(void)
{
    int s, z;
    for (s = 0; s < TEST_COUNT(scenes); s++)
        for (z = 0; z < TEST_COUNT(sizes) - (test.divisor > 20); z++) {
            test_context(scenes[s].name, sizes[z]);
            scenes[s].fill(boxes, sizes[z]);
            scenes[s].fill(others, sizes[z]);
            for_all_workers(check_broadphase, sizes[z], 1);
        }
}

/* So many that each has less than eight of the parts, of which there are no more. */
static void forty_workers_share_the_parts(void)
{
    crowd_of_workers c;
    int way;
    uniform(boxes, MOST);
    for (way = 0; way < WAYS; way++) {
        hire(&c, 40, way);
        check_pairs(&c, 0, MOST, NULL);
        CHECK(c.jobs > 0);
    }
}

static void large_scenes_are_divided_into_many_parts(void)
{
    const int n = test_some(100000, 40000);
    spt_box *many = (spt_box *)malloc((size_t)n * sizeof *many);
    crowd_of_workers c;
    spt_broadphase_desc desc;
    spt_broadphase bp;
    spt_intlist out, expected;
    int s;
    if (!CHECK(many)) return;
    hire(&c, 4, BACKWARDS);
    memset(&desc, 0, sizeof desc);
    CHECK(spt_intlist_init(&out, 2) == SPT_OK && spt_intlist_init(&expected, 2) == SPT_OK);
    for (s = 0; s < 3; s++) {
        test_context(scenes[s].name, n);
        scenes[s].fill(many, n);
        CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK);
        CHECK(spt_broadphase_pairs(&bp, many, n, NULL, &expected) > 0);
        spt_broadphase_free(&bp);
        desc.workers = c.workers;
        CHECK(spt_broadphase_init(&bp, &desc) == SPT_OK);
        c.jobs = c.runs = 0;
        CHECK(spt_broadphase_pairs(&bp, many, n, NULL, &out) > 0);
        CHECK(same_results(&out, &expected));
        CHECK(c.runs == 4 && c.jobs >= n / 3125);
        spt_broadphase_free(&bp);
    }
    spt_intlist_free(&out);
    spt_intlist_free(&expected);
    free(many);
}

/* ---- Indexes --------------------------------------------------------------------------------- */

enum { LINEAR, QUADTREE, LOOSEGRID, PACKED, KINDS };

static void open_index(spt_index *x, int kind, const spt_workers *workers)
{
    spt_linear_desc linear;
    spt_quadtree_desc quadtree;
    spt_linear_desc loosegrid;
    spt_packed_desc packed;
    memset(&linear, 0, sizeof linear), memset(&quadtree, 0, sizeof quadtree);
    memset(&loosegrid, 0, sizeof loosegrid), memset(&packed, 0, sizeof packed);
    if (workers) linear.workers = quadtree.workers = loosegrid.workers = packed.workers = *workers;
    CHECK((kind == LINEAR      ? spt_linear_init(x, &linear)
           : kind == QUADTREE  ? spt_quadtree_init(x, &quadtree)
           : kind == LOOSEGRID ? spt_loosegrid_init(x, &loosegrid)
                               : spt_packed_init(x, &packed)) == SPT_OK);
}

/* Some elements leave, so that chunks are not full. */
static void fill_index(spt_index *x, int n)
{
    int i;
    CHECK(spt_build(x, boxes, n) == SPT_OK);
    for (i = 0; x->slots && i < n; i += 5) CHECK(spt_remove(x, i) == SPT_OK);
}

static int pairs_in_order(const void *a, const void *b)
{
    const spt_i32 *p = (const spt_i32 *)a, *q = (const spt_i32 *)b;
    if (p[0] != q[0]) return p[0] < q[0] ? -1 : 1;
    return (p[1] > q[1]) - (p[1] < q[1]);
}

/* Without workers linear finds its pairs row by row, and so in another order. */
static int same_pairs(int kind, spt_intlist *a, spt_intlist *b)
{
    const spt_i32 n = spt_intlist_count(a);
    if ((kind == LINEAR || kind == LOOSEGRID) && n == spt_intlist_count(b)) {
        qsort(spti_list_data(a), (size_t)n, 2 * sizeof n, pairs_in_order);
        qsort(spti_list_data(b), (size_t)n, 2 * sizeof n, pairs_in_order);
    }
    return same_results(a, b);
}

static void check_index(const crowd_of_workers *c, int n)
{
    spt_index alone, many;
    spt_intlist expected, out;
    const spt_filter *filter;
    int kind, round;
    CHECK(spt_intlist_init(&expected, 2) == SPT_OK && spt_intlist_init(&out, 2) == SPT_OK);
    for (kind = 0; kind < KINDS; kind++) {
        open_index(&alone, kind, NULL);
        open_index(&many, kind, &c->workers);
        fill_index(&alone, n);
        fill_index(&many, n);
        for (round = 0; round < 3; round++) {
            filter = round == 2 ? &even : NULL;
            CHECK(spt_pairs(&alone, filter, &expected) == spt_intlist_count(&expected));
            CHECK(spt_pairs(&many, filter, &out) == spt_intlist_count(&expected));
            CHECK(same_pairs(kind, &out, &expected));
        }
        CHECK(spt_pairs(&many, NULL, NULL) == spt_pairs(&alone, NULL, NULL));
        spt_free(&alone);
        spt_free(&many);
    }
    spt_intlist_free(&expected);
    spt_intlist_free(&out);
}

static void indexes_find_what_one_thread_finds(void)
{
    static const int few[] = {1500, 300};
    crowd_of_workers c;
    int s, z;
    for (s = 0; s < TEST_COUNT(scenes); s++) {
        for (z = 0; z < test_some(2, 1); z++) {
            test_context(scenes[s].name, few[z]);
            scenes[s].fill(boxes, few[z]);
            if (s % 3 == z) /* of rows and columns more than 3/8 cross a middle line of the plane */
                for_all_workers(check_index, few[z], scenes[s].fill != rows_and_columns);
        }
        test_context(scenes[s].name, test_some(MOST, 1500));
        scenes[s].fill(boxes, test_some(MOST, 1500));
        hire(&c, 3, BACKWARDS);
        check_index(&c, test_some(MOST, 1500));
    }
}

/* So many boxes that a row has no room for half of them, and each worker eight bands or more. Then
   some boxes are in more rows than a band has at least; and a tall world has rows for more bands
   than there may be parts. */
static void large_indexes_have_many_bands(void)
{
    const int n = 66000;
    spt_box *many = (spt_box *)malloc((size_t)n * sizeof *many);
    crowd_of_workers c;
    spt_index alone, shared;
    spt_intlist out, expected;
    int k, round;
    if (!CHECK(many)) return;
    CHECK(spt_intlist_init(&out, 2) == SPT_OK && spt_intlist_init(&expected, 2) == SPT_OK);
    for (round = 0; round < 3; round++) {
        hire(&c, round < 2 ? 2 : 40, BACKWARDS);
        open_index(&alone, LINEAR, NULL), open_index(&shared, LINEAR, &c.workers);
        for (k = 0; k < n; k++)
            many[k] = round < 2 ? box_at(test_below(30000), test_below(30000), 60,
                                         round && k % 5000 == 0 ? 3000 : 60)
                                : box_at(test_below(800), test_below(1200000), 60, 60);
        CHECK(spt_build(&alone, many, n) == SPT_OK && spt_build(&shared, many, n) == SPT_OK);
        CHECK(spt_pairs(&alone, NULL, &expected) > n / 4);
        CHECK(spt_pairs(&shared, NULL, &out) == spt_intlist_count(&expected));
        CHECK(same_pairs(LINEAR, &out, &expected) && c.jobs > 0);
        spt_free(&alone), spt_free(&shared);
    }
    spt_intlist_free(&out), spt_intlist_free(&expected);
    free(many);
}

/* Bands of rows give the order of all rows, unless very tall boxes leave too few bands: then the
   broadphase finds the pairs. No band misses a box that begins far before it. */
static void bands_of_rows_keep_the_order(void)
{
    static const int sizes_of[] = {100, 1000, 10100, 20100, 21000, 30100};
    const int n = 10000; /* then a very tall box in a tall world is on level 0 */
    spt_box *many = (spt_box *)malloc((size_t)n * sizeof *many);
    spt_intlist out, expected;
    int k, s, round;
    if (!CHECK(many)) return;
    CHECK(spt_intlist_init(&out, 2) == SPT_OK && spt_intlist_init(&expected, 2) == SPT_OK);
    for (s = 0; s < TEST_COUNT(sizes_of); s++) {
        spt_index alone, shared;
        for (k = 0; k < n; k++) { /* one in 16 is larger, and the last is very tall */
            const int size = 1 + test_below(k % 16 ? 100 : sizes_of[s] % 10000);
            const int tall = sizes_of[s] / 10000; /* the world: 4^tall times as high as wide */
            many[k] = box_at(test_below(30000 >> tall), test_below(30000 << tall),
                             (size >> tall) + 1, size << tall);
            if (k == n - 1) many[k] = box_at(99, 21000 << tall, 9, 4700 << tall);
        }
        open_index(&alone, LINEAR, NULL);
        CHECK(spt_build(&alone, many, n) == SPT_OK);
        for (k = 0; k < TEST_COUNT(counts); k++) {
            crowd_of_workers c;
            hire(&c, counts[k], k % 2 ? BACKWARDS : FORWARDS);
            test_context("bands", 10 * s + counts[k]);
            open_index(&shared, LINEAR, &c.workers);
            CHECK(spt_build(&shared, many, n) == SPT_OK);
            for (round = 0; round < 3; round++) {
                const spt_filter *filter = round == 2 ? &even : NULL;
                c.jobs = c.runs = 0;
                CHECK(spt_pairs(&alone, filter, &expected) > 0);
                CHECK(spt_pairs(&shared, filter, &out) == spt_intlist_count(&expected));
                if (s < 2 && counts[k] < 5) CHECK(same_results(&out, &expected));
                CHECK(same_pairs(LINEAR, &out, &expected));
            }
            CHECK(spt_pairs(&shared, NULL, NULL) == spt_pairs(&alone, NULL, NULL));
            spt_free(&shared);
        }
        spt_free(&alone);
    }
    spt_intlist_free(&out), spt_intlist_free(&expected);
    free(many);
}

/* Large boxes in all places of a coarse level: one is tall, and alone tells how far before its
   first row a band must begin. */
static void a_band_begins_where_a_single_tall_box_does(void)
{
    const int n = 9000;
    spt_box *many = (spt_box *)malloc((size_t)n * sizeof *many);
    spt_intlist out, expected;
    int k, tall;
    if (!CHECK(many)) return;
    CHECK(spt_intlist_init(&out, 2) == SPT_OK && spt_intlist_init(&expected, 2) == SPT_OK);
    for (tall = 0; tall < 12; tall++) { /* by columns; not in the last row */
        spt_index alone, shared;
        crowd_of_workers c;
        for (k = 0; k < n; k++) many[k] = box_at(test_below(31900), test_below(31900), 60, 60);
        for (k = 0; k < 16; k++) many[k] = box_at(k / 4 * 8000 + 100, k % 4 * 8000 + 4000, 7500, 9);
        k = tall / 3 * 4 + tall % 3;
        many[k] = box_at(k / 4 * 8000 + 4000, k % 4 * 8000 + 7000, 50, 7600);
        test_context("tall", tall);
        hire(&c, 3, FORWARDS); /* 16 rows: no band begins with a coarse cell */
        open_index(&alone, LINEAR, NULL), open_index(&shared, LINEAR, &c.workers);
        CHECK(spt_build(&alone, many, n) == SPT_OK && spt_build(&shared, many, n) == SPT_OK);
        CHECK(spt_pairs(&alone, NULL, &expected) > 300);
        CHECK(spt_pairs(&shared, NULL, &out) == spt_intlist_count(&expected));
        CHECK(same_pairs(LINEAR, &out, &expected));
        spt_free(&alone), spt_free(&shared);
    }
    spt_intlist_free(&out), spt_intlist_free(&expected);
    free(many);
}

/* ---- Errors and memory ----------------------------------------------------------------------- */

static void a_bad_box_stops_the_call_and_empties_the_list(void)
{
    static const int places[] = {0, 1, MOST / 2, MOST - 1};
    crowd_of_workers c;
    spt_broadphase_desc desc;
    spt_broadphase bp;
    spt_intlist out;
    int p;
    memset(&desc, 0, sizeof desc);
    hire(&c, 4, BACKWARDS);
    desc.workers = c.workers;
    CHECK(spt_broadphase_init(&bp, &desc) == SPT_OK && spt_intlist_init(&out, 2) == SPT_OK);
    uniform(boxes, MOST);
    for (p = 0; p < TEST_COUNT(places); p++) {
        spt_box good = boxes[places[p]];
        CHECK(spt_broadphase_pairs(&bp, boxes, MOST, NULL, &out) > 0);
        boxes[places[p]].max_x = boxes[places[p]].min_x - 1;
        c.runs = 0;
        CHECK(spt_broadphase_pairs(&bp, boxes, MOST, NULL, &out) == SPT_ERR_BOX);
        CHECK(spt_intlist_count(&out) == 0);
        CHECK(c.runs == 1); /* the first step has found it */
        CHECK(spt_broadphase_pairs_between(&bp, others, 100, boxes, MOST, NULL, &out) < 0);
        CHECK(spt_intlist_count(&out) == 0);
        boxes[places[p]] = good;
    }
    spt_intlist_free(&out);
    spt_broadphase_free(&bp);
}

/* Fails each request for memory in turn, of the scratch and of the list. */
static void without_memory_the_list_is_empty(void)
{
    crowd_of_workers c;
    test_memory memory;
    spt_broadphase_desc desc;
    spt_broadphase bp;
    spt_intlist out, expected;
    int failing, failures = 0, done;
    memset(&desc, 0, sizeof desc);
    hire(&c, 3, FORWARDS);
    mixed(boxes, MOST);
    CHECK(spt_intlist_init(&expected, 2) == SPT_OK && spt_broadphase_init(&bp, NULL) == SPT_OK);
    CHECK(spt_broadphase_pairs(&bp, boxes, MOST, NULL, &expected) > 0);
    spt_broadphase_free(&bp);
    for (failing = 1, done = 0; !done && failing < 20; failing++) {
        spt_i32 found;
        test_memory_open(&memory, &desc.allocator);
        desc.workers = c.workers;
        CHECK(spt_broadphase_init(&bp, &desc) == SPT_OK);
        CHECK(spt_intlist_init_with(&out, 2, &desc.allocator) == SPT_OK);
        memory.fail_at = failing;
        found = spt_broadphase_pairs(&bp, boxes, MOST, NULL, &out);
        done = memory.failures == 0;
        if (found < 0) {
            CHECK(found == SPT_ERR_MEMORY && spt_intlist_count(&out) == 0);
            failures++;
            found = spt_broadphase_pairs(&bp, boxes, MOST, NULL, &out);
        }
        CHECK(found == spt_intlist_count(&expected) && same_results(&out, &expected));
        spt_intlist_free(&out);
        spt_broadphase_free(&bp);
        CHECK(memory.bytes == 0);
    }
    CHECK(done && failures > 0);
    spt_intlist_free(&expected);
}

/* A list that has room for the results and cannot grow is enough, also if a filter refuses most
   pairs; one of a record less is not. */
static void a_list_of_just_the_results_is_enough(void)
{
    crowd_of_workers c;
    test_memory memory;
    spt_allocator lists;
    spt_broadphase_desc desc;
    spt_broadphase bp;
    spt_intlist out, expected;
    int s, way, less;
    memset(&desc, 0, sizeof desc);
    hire(&c, 3, BACKWARDS);
    desc.workers = c.workers;
    CHECK(spt_broadphase_init(&bp, &desc) == SPT_OK && spt_intlist_init(&expected, 2) == SPT_OK);
    for (s = 0; s < TEST_COUNT(scenes) - 1; s++) /* the last has few pairs */
        for (way = 0; way < 4; way++) {
            const spt_filter *filter = way & 2 ? &even : NULL;
            spt_i32 n;
            less = way & 1;
            test_context(scenes[s].name, way);
            scenes[s].fill(boxes, MOST);
            n = spt_broadphase_pairs(&bp, boxes, MOST, filter, &expected);
            CHECK(n > SPATIAL_INTLIST_INLINE);
            test_memory_open(&memory, &lists);
            CHECK(spt_intlist_init_with(&out, 2, &lists) == SPT_OK);
            CHECK(spt_intlist_reserve(&out, n - less) == SPT_OK);
            memory.limit = memory.bytes;
            CHECK(spt_broadphase_pairs(&bp, boxes, MOST, filter, &out) ==
                  (less ? SPT_ERR_MEMORY : n));
            CHECK(less ? spt_intlist_count(&out) == 0 : same_results(&out, &expected));
            spt_intlist_free(&out);
            CHECK(memory.bytes == 0);
            /* each worker has room for its pairs, but joined they would reach into that room */
            CHECK(spt_intlist_init(&out, 2) == SPT_OK);
            CHECK(spt_intlist_reserve(&out, 2 * n) == SPT_OK);
            CHECK(spt_broadphase_pairs(&bp, boxes, MOST, filter, &out) == n);
            CHECK(same_results(&out, &expected));
            spt_intlist_free(&out);
        }
    spt_intlist_free(&expected);
    spt_broadphase_free(&bp);
}

static void with_a_capacity_nothing_is_allocated_after_init(void)
{
    crowd_of_workers c;
    test_memory memory;
    spt_broadphase_desc desc;
    spt_broadphase bp;
    spt_intlist out;
    int s;
    memset(&desc, 0, sizeof desc);
    hire(&c, 4, FORWARDS);
    desc.capacity = MOST;
    test_memory_open(&memory, &desc.allocator);
    desc.workers = c.workers;
    CHECK(spt_broadphase_init(&bp, &desc) == SPT_OK && spt_intlist_init(&out, 2) == SPT_OK);
    CHECK(memory.bytes == spt_broadphase_bytes_for(&desc) && memory.calls == 1);
    for (s = 0; s < TEST_COUNT(scenes); s++) {
        scenes[s].fill(boxes, MOST);
        CHECK(spt_broadphase_pairs(&bp, boxes, MOST, NULL, &out) >= 0);
        CHECK(spt_broadphase_pairs(&bp, boxes, MOST / 2, NULL, &out) >= 0);
    }
    CHECK(memory.calls == 1);
    CHECK(spt_broadphase_pairs(&bp, boxes, MOST + 1, NULL, &out) == SPT_ERR_FULL);
    spt_intlist_free(&out);
    spt_broadphase_free(&bp);
    CHECK(memory.bytes == 0);
}

/* A list that has grown in one call serves the next, however the jobs are shared out. */
static void a_second_call_grows_no_list(void)
{
    crowd_of_workers c;
    test_memory memory;
    spt_allocator lists;
    spt_broadphase_desc desc;
    spt_broadphase bp;
    spt_intlist out;
    int s, round;
    memset(&desc, 0, sizeof desc);
    hire(&c, 4, FORWARDS);
    desc.workers = c.workers;
    CHECK(spt_broadphase_init(&bp, &desc) == SPT_OK);
    for (s = 0; s < 3; s++) {
        long calls = 0;
        test_memory_open(&memory, &lists);
        CHECK(spt_intlist_init_with(&out, 2, &lists) == SPT_OK);
        scenes[s].fill(boxes, MOST);
        for (round = 0; round < 4; round++) {
            c.way = round % 2;
            CHECK(spt_broadphase_pairs(&bp, boxes, MOST, NULL, &out) > 0);
            if (round == 0) calls = memory.calls;
        }
        CHECK(memory.calls == calls);
        spt_intlist_free(&out);
    }
    spt_broadphase_free(&bp);
}

/* 15 bytes a box and 210 KB (310) for each worker but the first, and 6 KB. */
static void bytes_of_workers_are_as_told(void)
{
    static const spt_i32 capacities[] = {8192, 16384, 65536, 1000000};
    const long each = sizeof(spt_coord) > 4 ? 310 * 1024L : 210 * 1024L;
    spt_broadphase_desc desc;
    size_t alone, with;
    int i;
    for (i = 0; i < TEST_COUNT(capacities); i++) {
        memset(&desc, 0, sizeof desc);
        desc.capacity = capacities[i];
        alone = spt_broadphase_bytes_for(&desc);
        desc.workers.count = 4, desc.workers.run = run;
        with = spt_broadphase_bytes_for(&desc);
        CHECK(with > alone && (long)(with - alone) <= 3 * (15L * capacities[i] + each) + 6144);
    }
}

static void run_never(void *ctx, spt_job_fn job, void *arg, int n) SPT_CALLBACK
{
    (void)ctx, (void)job, (void)arg, (void)n;
    CHECK(!"a job");
}

/* More workers than there may be are not asked. */
static void too_many_workers_run_nothing(void)
{
    spt_broadphase_desc desc;
    spt_broadphase bp;
    memset(&desc, 0, sizeof desc);
    desc.workers.count = 257, desc.workers.run = run_never;
    uniform(boxes, MOST);
    CHECK(spt_broadphase_init(&bp, &desc) == SPT_OK);
    CHECK(spt_broadphase_pairs(&bp, boxes, MOST, NULL, NULL) > 0);
    spt_broadphase_free(&bp);
    desc.workers.count = 2, desc.workers.run = NULL;
    CHECK(spt_broadphase_init(&bp, &desc) == SPT_OK);
    CHECK(spt_broadphase_pairs(&bp, boxes, MOST, NULL, NULL) > 0);
    spt_broadphase_free(&bp);
}

static const test_case tests[] = {
    TEST(bytes_of_workers_are_as_told),
    TEST(too_many_workers_run_nothing),
    TEST(pairs_are_those_of_one_thread_in_their_order),
    TEST(indexes_find_what_one_thread_finds),
    TEST(bands_of_rows_keep_the_order),
    TEST(a_band_begins_where_a_single_tall_box_does),
    TEST(large_indexes_have_many_bands),
    TEST(forty_workers_share_the_parts),
    TEST(large_scenes_are_divided_into_many_parts),
    TEST(a_bad_box_stops_the_call_and_empties_the_list),
    TEST(without_memory_the_list_is_empty),
    TEST(a_list_of_just_the_results_is_enough),
    TEST(with_a_capacity_nothing_is_allocated_after_init),
    TEST(a_second_call_grows_no_list),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
#endif
