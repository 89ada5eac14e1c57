/* test_exceptions.c - floating-point exceptions: no call overflows, divides by zero or does what is
   invalid, however large and small coordinates and motions are within what the conventions promise;
   so a program may unmask these exceptions, as debug builds do. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* for feenableexcept */
#endif
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "test.h"

#ifndef SPATIAL_INT
#include <fenv.h>
#include <math.h>
#include <signal.h>
#include "kinds.h"

#if defined(FE_DIVBYZERO) && defined(FE_INVALID) && defined(FE_OVERFLOW)
#define EXCEPTIONS (FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW)
#else
#define EXCEPTIONS 0 /* none can be seen here */
#endif

#define MOST 3000
#define MANY 9000 /* boxes, of which workers get parts */
#define KINDS 4

/* ---- Calls ----------------------------------------------------------------------------------- */

static const char *calling = "none";

static void call_begins(const char *call)
{
    calling = call;
    (void)feclearexcept(EXCEPTIONS);
}

static void call_ended(int line)
{
    const int raised = fetestexcept(EXCEPTIONS);
    (void)test_check(raised == 0, calling, __FILE__, line);
    calling = "none";
}

/* Makes a call that must raise nothing. */
#define QUIET(call) (call_begins(#call), (void)(call), call_ended(__LINE__))

#if defined(__GLIBC__) && defined(FE_DIVBYZERO) && defined(FE_INVALID) && defined(FE_OVERFLOW)
static void trapped(int number)
{
    fprintf(stderr, "signal %d: %s (%s, step %ld) raises an exception that is not masked\n", number,
            calling, test.context ? test.context : "", test.step);
    fprintf(stderr, "    again: SEED=%lu %s\n", (unsigned long)test.seed, test.program);
    exit(1);
}

/* Unmasks the exceptions; returns 0 where they do not trap. */
static int set_traps(void)
{
    (void)feclearexcept(EXCEPTIONS);
    return signal(SIGFPE, trapped) != SIG_ERR && feenableexcept(EXCEPTIONS) != -1;
}
#else
static int set_traps(void)
{
    return 0;
}
#endif

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Fills memory with numbers that no operation takes without an exception: signaling NaNs. (Moved by
   integers, for an x87 would make others of them.) */
static void poison(void *memory, size_t bytes)
{
    unsigned char *at = (unsigned char *)memory;
#ifdef SPATIAL_DOUBLE
    const uint64_t number = 0x7FF4000000000000u;
#else
    const uint32_t number = 0x7FA00000u;
#endif
    for (; bytes >= sizeof number; bytes -= sizeof number, at += sizeof number)
        memcpy(at, &number, sizeof number);
}

static void *poisoned_resize(void *ctx, void *old, size_t old_size, size_t new_size) SPT_CALLBACK
{
    void *fresh = NULL;
    (void)ctx;
    if (new_size > 0) {
        fresh = malloc(new_size);
        if (!fresh) return NULL;
        poison(fresh, new_size);
        if (old) memcpy(fresh, old, old_size < new_size ? old_size : new_size);
    }
    free(old);
    return fresh;
}

static const spt_allocator poisoned = {poisoned_resize, NULL};
static spt_intlist ids, pairs, others, rows;

static void open_lists(void)
{
    QUIET(spt_intlist_init_with(&ids, 1, &poisoned));
    QUIET(spt_intlist_init_with(&pairs, 2, &poisoned));
    QUIET(spt_intlist_init_with(&others, 2, &poisoned));
    QUIET(spt_intlist_init_with(&rows, 2, &poisoned));
}

static void close_lists(void)
{
    QUIET(spt_intlist_free(&ids)), QUIET(spt_intlist_free(&pairs));
    QUIET(spt_intlist_free(&others)), QUIET(spt_intlist_free(&rows));
}

/* ---- Scenes ---------------------------------------------------------------------------------- */

/* The conventions promise it for coordinates below 1e15 (1e150), and for sizes and motions above
   1e-15: numbers here are 0.888 2^k to 1.776 2^k. */
#define LEAST (-49)
#ifdef SPATIAL_DOUBLE
#define LARGEST 497
#else
#define LARGEST 49
#endif

enum { UNITS, SMALL, LARGE, ANY, CROWD, THIN, SCENES };
enum { SPREAD, IN_LINE, AT_A_POINT, LAYOUTS };
static const char *const scenes[SCENES] = {"units", "small", "large", "any", "crowd", "thin"};
static int scene, layout;
static spt_box boxes[MANY], moved[MOST];

static double share(void)
{
    return (double)(test_random() >> 8) / 16777216;
}

/* A number above 0 of the magnitudes of the scene, at most 2^`most`. box: some differ. */
static double draw_size(int box, int axis, int most)
{
    int low = LEAST, high = most;
    switch (scene) {
    case UNITS: low = -4, high = 9; break;
    case SMALL: high = LEAST + 12; break;
    case LARGE: low = most - 4; break;
    case CROWD:
        if (box % 8) high = LEAST + 4;
        else low = most - 1;
        break;
    case THIN:
        if (axis) high = LEAST + 4;
        else low = most - 1;
        break;
    default: break;
    }
    return ldexp(0.888 * (1 + share()), low + test_below(high - low));
}

/* A coordinate. In small scenes they differ by 0 or more than the least size, so the world does. */
static spt_coord draw_coordinate(int box, int axis)
{
    double at = draw_size(box, axis, LARGEST);
    if (test_below(12) == 0) at = 0;
    if (scene == SMALL) at = ldexp(0.888, LEAST) * test_below(1 << 12);
    return (spt_coord)(test_below(2) ? at : -at);
}

static void draw_range(int box, int axis, spt_coord *min, spt_coord *max)
{
    *min = *max = draw_coordinate(box, axis);
    if (test_below(4) == 0) return;
    *max = (spt_coord)((double)*min + draw_size(box, axis, LARGEST));
    if (*max >= (spt_coord)ldexp(0.888, LARGEST + 1)) *max = *min;
}

static spt_box draw_box(int box)
{
    spt_box b;
    draw_range(box, 0, &b.min_x, &b.max_x);
    draw_range(box, 1, &b.min_y, &b.max_y);
    return b;
}

static void draw_boxes(spt_box *of, int n)
{
    int k;
    for (k = 0; k < n; k++) {
        of[k] = draw_box(k);
        if (layout != SPREAD && k > 0) of[k].min_y = of[0].min_y, of[k].max_y = of[0].max_y;
        if (layout == AT_A_POINT) of[k].min_x = of[0].min_x, of[k].max_x = of[0].max_x;
    }
}

static spt_motion draw_motion(void)
{
    spt_motion m;
    const int box = test_below(8);
    m.box = draw_box(box);
    if (test_below(2)) m.box.max_x = m.box.min_x, m.box.max_y = m.box.min_y;
    m.dx = (spt_coord)(test_below(3) * (test_below(2) ? 0.5 : -0.5) * draw_size(box, 0, LARGEST));
    m.dy = (spt_coord)(test_below(3) * (test_below(2) ? 0.5 : -0.5) * draw_size(box, 1, LARGEST));
    if (test_below(4) == 0) m.dx = (spt_coord)ldexp(0.888, LEAST + test_below(2));
    m.enter = test_below(2);
    return m;
}

/* A limit of a distance. */
static spt_coord draw_limit(void)
{
    if (test_below(3) == 0) return SPT_NO_LIMIT;
    return test_below(8) ? (spt_coord)draw_size(test_below(8), test_below(2), LARGEST) : 0;
}

static spt_shape draw_shape(void)
{
    static spt_coord points[12];
    spt_shape shape;
    int k;
    shape.points = points, shape.count = 1 + test_below(6), shape.radius = 0;
    for (k = 0; k < shape.count; k++) {
        points[2 * k] = draw_coordinate(k, 0), points[2 * k + 1] = draw_coordinate(k, 1);
        if (k > 0 && test_below(3) == 0) points[2 * k] = points[0];
        if (k > 0 && test_below(3) == 0) points[2 * k + 1] = points[1];
    }
    if (test_below(2)) shape.radius = (spt_coord)draw_size(test_below(8), 0, LARGEST);
    return shape;
}

/* ---- Questions and changes ------------------------------------------------------------------- */

static int visit(void *ctx, spt_i32 id, const spt_box *box) SPT_CALLBACK
{
    (void)ctx, (void)box;
    return id % 16 == 14;
}

static int near_one(void *ctx, spt_i32 id, const spt_box *box, spt_coord distance,
                    spt_coord *limit) SPT_CALLBACK
{
    (void)ctx, (void)box;
    if (id % 16 == 14) *limit = distance;
    return id % 64 == 62;
}

static int hit_one(void *ctx, const spt_hit *hit, const spt_box *box, spt_coord *limit) SPT_CALLBACK
{
    (void)ctx, (void)box;
    if (hit->id % 16 == 14) *limit = hit->t;
    return hit->id % 64 == 62;
}

static int tell_cell(void *ctx, const spt_box *box, int level, spt_i32 count) SPT_CALLBACK
{
    (void)ctx, (void)box, (void)level, (void)count;
    return 0;
}

static int accept(void *ctx, spt_i32 id, spt_i32 other) SPT_CALLBACK
{
    (void)ctx, (void)other;
    return id % 3 != 0;
}

/* Asks for windows, distances and shapes. */
static void ask_places(const spt_index *x)
{
    static const spt_i32 numbers[] = {1, 3, 40, 500};
    const spt_shape shape = draw_shape();
    spt_filter filter;
    spt_box windows[3];
    int k;
    memset(&filter, 0, sizeof filter);
    if (test_below(3) == 0) filter.accept = accept;
    for (k = 0; k < 3; k++) windows[k] = draw_box(test_below(8));
    if (spt_count(x) > 0) (void)spt_box_of(x, test_below((int)spt_count(x)), &windows[0]);
    QUIET(spt_nearest(x, windows, numbers[test_below(4)], draw_limit(), &filter, &ids));
    QUIET(spt_nearest(x, windows + 1, numbers[test_below(4)], draw_limit(), NULL, NULL));
    QUIET(spt_nearest_visit(x, windows, &filter, near_one, NULL));
    QUIET(spt_within(x, windows, draw_limit(), &filter, &ids));
    QUIET(spt_overlap(x, &shape, &filter, &ids));
    QUIET(spt_bounds(x, &windows[2]));
    filter.relation = test_below(5);
    QUIET(spt_query(x, windows, &filter, &ids));
    QUIET(spt_query(x, windows + 1, NULL, &ids));
    QUIET(spt_query_many(x, windows, 3, &filter, &pairs));
    QUIET(spt_any(x, windows + 1, &filter));
    QUIET(spt_visit(x, windows, NULL, visit, NULL));
}

/* Asks for what motions meet. */
static void ask_motions(const spt_index *x)
{
    spt_motion m = draw_motion();
    spt_layer both[2];
    spt_filter filter;
    spt_hit hits[2];
    spt_box end;
    memset(&filter, 0, sizeof filter);
    filter.accept = accept;
    both[0].index = both[1].index = x, both[0].filter = NULL, both[1].filter = &filter;
    QUIET(spt_cast(x, &m, NULL, hits));
    QUIET(spt_cast_all(x, &m, &filter, &ids));
    QUIET(spt_cast_visit(x, &m, NULL, hit_one, NULL));
    QUIET(spt_slide(both, 1 + test_below(2), &m, &end, hits));
    m.dx = 0;
    QUIET(spt_cast(x, &m, &filter, hits));
    QUIET(spt_cast_all(x, &m, NULL, &ids));
    QUIET(spt_slide(both, 2, &m, &m.box, NULL));
    m.dy = 0;
    QUIET(spt_cast(x, &m, NULL, hits));
    QUIET(spt_cast_visit(x, &m, &filter, hit_one, NULL));
    QUIET(spt_slide(both, 1, &m, &end, hits));
}

/* A triangle in each element, and one that moves. */
static spt_coord corners[6];

static int tell_shape(void *ctx, spt_i32 id, spt_shape *out) SPT_CALLBACK
{
    const spt_coord most = sizeof most > 4 ? (spt_coord)1e70 : (spt_coord)1e8;
    spt_box box = {0, 0, 0, 0};
    if (spt_box_of((const spt_index *)ctx, id, &box) != SPT_OK || id % 2) return 0;
    if (box.max_x > most || box.max_y > most || box.min_x < -most || box.min_y < -most) return 0;
    corners[0] = corners[4] = box.min_x, corners[2] = box.max_x;
    corners[1] = corners[3] = box.min_y, corners[5] = box.max_y;
    out->points = corners, out->count = 1 + (int)(id / 2 % 3), out->radius = 0;
    return 1;
}

static void ask_shapes(spt_index *x)
{
    const spt_motion m = draw_motion();
    spt_shape_hit hits[SPT_SHAPE_HITS];
    spt_layer layer;
    spt_shape shape;
    spt_coord skin = (m.box.max_x - m.box.min_x) / 64, moved_x, moved_y;
    spt_box around;
    memset(&layer, 0, sizeof layer);
    layer.index = x, layer.shape = tell_shape, layer.ctx = x;
    if (!(skin > 0)) skin = (spt_coord)0.01;
    shape.points = &m.box.min_x, shape.count = 1 + test_below(2);
    shape.radius = test_below(2) ? skin * 9 : 0;
    QUIET(spt_shape_box(&shape, &around));
    QUIET(spt_shape_any(&layer, 1, &shape));
    QUIET(spt_shape_cast(&layer, 1, &shape, m.dx, m.dy, skin, hits));
    QUIET(spt_shape_slide(&layer, 1, &shape, m.dx, m.dy, skin, &moved_x, &moved_y, hits));
    QUIET(spt_shape_slide(&layer, 1, &shape, m.dx, 0, skin, &moved_x, &moved_y, NULL));
}

static void ask(spt_index *x, int n, int times)
{
    spt_i32 some[4];
    spt_box box;
    int k;
    for (k = 0; k < times; k++) {
        test_context(scenes[scene], (long)n);
        ask_places(x), ask_motions(x), ask_shapes(x);
    }
    for (k = 0; k < 4; k++) some[k] = n > 0 ? test_below(n) : k;
    if (n <= 300 || layout == SPREAD) QUIET(spt_pairs(x, NULL, n <= 300 ? &pairs : NULL));
    QUIET(spt_pairs_of(x, some, 4, NULL, &pairs));
    if (n <= 300) QUIET(spt_pairs_of(x, some, n / 8 + 1 < 4 ? n / 8 + 1 : 4, NULL, &pairs));
    QUIET(spt_box_of(x, some[0], &box)), QUIET(spt_contains(x, some[1]));
    QUIET(spt_count(x)), QUIET(spt_bytes(x)), QUIET(spt_kind(x));
    QUIET(spt_traverse(x, tell_cell, NULL));
    if (n <= 40) QUIET(spt_check(x));
}

/* Moves, removes and inserts elements, and lets the world fit itself, or makes it fit. */
static void change(spt_index *x, int n)
{
    spt_box bounds = draw_box(0);
    static spt_i32 every[MOST];
    int k;
    for (k = 0; k < n; k++) every[k] = k;
    QUIET(spt_move_many(x, every, moved, n));
    for (k = 0; k < n; k++) {
        if (k % 3 == 0) QUIET(spt_move(x, k, &boxes[k]));
        if (k % 5 == 0) QUIET(spt_remove(x, k));
        if (k % 10 == 0) QUIET(spt_insert(x, k, &moved[k]));
        if (k % (n / 8 + 1) == 0) QUIET(spt_tidy(x));
    }
    QUIET(spt_insert(x, n, &boxes[0]));
    QUIET(spt_rebound(x, NULL));
    if (bounds.min_x < bounds.max_x && bounds.min_y < bounds.max_y)
        QUIET(spt_rebound(x, &bounds));
    for (k = 0; k < 40; k++) QUIET(spt_tidy(x));
}

static void open_index(spt_index *x, int of, const spt_box *world)
{
    any_desc desc;
    int error;
    memset(&desc, 0, sizeof desc);
    kinds[of]->set(&desc, 0, 0, &poisoned);
    if (world && kinds[of]->set_world) kinds[of]->set_world(&desc, world, test_below(2));
    if (of == 2 && world)
        desc.loosegrid.cell =
            SPTI_MAX(world->max_x - world->min_x, world->max_y - world->min_y) / 8;
    if (of == 0 && test_below(2)) desc.linear.levels = 1 + test_below(6), desc.linear.grids = 1;
    QUIET(kinds[of]->bytes_for(&desc));
    QUIET(error = kinds[of]->init(x, &desc));
    CHECK(error == SPT_OK);
}

/* All that one index can do with n boxes. */
static void use_index(int of, int n, int times)
{
    const spt_box world = draw_box(0);
    const int valid = world.min_x < world.max_x && world.min_y < world.max_y;
    spt_index x, twin;
    size_t bytes;
    int error;
    open_index(&x, of, valid ? &world : NULL), open_index(&twin, of, NULL);
    QUIET(error = spt_build(&x, boxes, n));
    CHECK(error == SPT_OK);
    ask(&x, n, times);
    QUIET(error = spt_copy(&twin, &x));
    CHECK(error == SPT_OK);
    if (of == 3) {
        spt_index image;
        const void *data;
        QUIET(spt_packed_refit(&x, moved, n));
        ask(&x, n, times);
        QUIET(data = spt_packed_data(&x, &bytes));
        if (n > 0) {
            QUIET(spt_packed_view(&image, data, bytes));
            ask(&image, n, 1);
            QUIET(spt_free(&image));
        }
    } else {
        change(&x, n);
        ask(&x, n, times);
        QUIET(spt_clear(&x));
        QUIET(spt_insert(&x, 3, &boxes[0]));
    }
    if (n <= 300) ask(&twin, n, 1);
    QUIET(spt_free(&x)), QUIET(spt_free(&twin));
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void indexes_of_any_boxes_raise_nothing(void)
{
    static const int counts[] = {0, 1, 2, 40, 300};
    int of, k;
    open_lists();
    for (scene = 0; scene < SCENES; scene++)
        for (layout = 0; layout < LAYOUTS; layout++)
            for (k = 0; k < TEST_COUNT(counts); k++) {
                draw_boxes(boxes, counts[k]), draw_boxes(moved, counts[k]);
                for (of = 0; of < KINDS; of++) use_index(of, counts[k], 1 + 20 / (int)test.divisor);
            }
    close_lists();
}

static void indexes_of_many_boxes_raise_nothing(void)
{
    const int few = test.divisor > 20, n = few ? 1100 : MOST; /* packed has three levels */
    int of;
    open_lists();
    for (scene = 0; scene < SCENES; scene++)
        for (layout = 0; layout < (few ? 1 : LAYOUTS); layout++) {
            draw_boxes(boxes, n), draw_boxes(moved, n);
            for (of = 0; of < KINDS; of++) use_index(of, n, 1 + 20 / (int)test.divisor);
        }
    close_lists();
}

static void run(void *ctx, spt_job_fn job, void *arg, int n) SPT_CALLBACK
{
    int k;
    (void)ctx;
    for (k = 0; k < n; k++) job(arg, k, k % 3);
}

static void broadphases_raise_nothing(void)
{
    static const int counts[] = {0, 1, 2, 20, 100, 1000, MANY};
    spt_broadphase_desc desc;
    spt_broadphase bp;
    int k, n, error;
    open_lists();
    memset(&desc, 0, sizeof desc);
    desc.allocator = poisoned;
#ifdef SPTI_GROWS
    desc.workers.count = 3, desc.workers.run = run;
#endif
    layout = SPREAD;
    for (scene = 0; scene < SCENES; scene++) {
        QUIET(spt_broadphase_bytes_for(&desc));
        QUIET(error = spt_broadphase_init(&bp, &desc));
        CHECK(error == SPT_OK);
        for (k = 0; k < test_some(TEST_COUNT(counts), TEST_COUNT(counts) - 2); k++) {
            test_context(scenes[scene], (long)counts[k]);
            n = counts[k];
            draw_boxes(boxes, n);
            QUIET(spt_broadphase_pairs(&bp, boxes, n, NULL, n <= 100 ? &pairs : NULL));
            QUIET(spt_broadphase_pairs_between(&bp, boxes, n / 3, boxes + n / 3, n - n / 3, NULL,
                                               n <= 100 ? &pairs : NULL));
            QUIET(spt_broadphase_traverse(&bp, tell_cell, NULL));
        }
        QUIET(spt_broadphase_bytes(&bp));
        QUIET(spt_broadphase_free(&bp));
    }
    close_lists();
}

static void neighbours_raise_nothing(void)
{
    const int most = test_some(1000, 300);
    spt_neighbours_desc desc;
    spt_neighbours nb;
    spt_coord radius;
    int k, n, error;
    open_lists();
    layout = SPREAD;
    for (scene = 0; scene < SCENES; scene++)
        for (k = 0; k < 24; k++) {
            n = k % 4 ? test_below(most / 10) : test_below(most);
            test_context(scenes[scene], (long)n);
            draw_boxes(boxes, n + 1);
            memset(&desc, 0, sizeof desc);
            desc.allocator = poisoned;
            radius = k % 6 ? (spt_coord)draw_size(test_below(8), test_below(2), LARGEST) : 0;
            if (k % 3) desc.period_x = (spt_coord)ldexp(0.888, LARGEST + 2);
            if (k % 3 == 1) desc.period_y = (spt_coord)ldexp(0.888, LARGEST + 2);
            QUIET(spt_neighbours_bytes_for(&desc));
            QUIET(error = spt_neighbours_init(&nb, &desc));
            CHECK(error == SPT_OK);
            QUIET(spt_neighbours_find(&nb, &boxes[0].min_x, &boxes[0].min_y, sizeof boxes[0], n,
                                      radius, &rows, &ids));
            QUIET(spt_neighbours_pairs(&nb, &boxes[0].max_x, &boxes[0].max_y, sizeof *boxes, n / 2,
                                       radius, &pairs));
            QUIET(spt_neighbours_bytes(&nb));
            QUIET(spt_neighbours_free(&nb));
        }
    close_lists();
}

static void functions_of_one_or_two_boxes_raise_nothing(void)
{
    int round, rounds = test_scale(60000);
    spt_box a, b, out;
    spt_shape shape;
    spt_motion m;
    spt_hit hit;
    for (round = 0; round < rounds; round++) {
        scene = round % SCENES, layout = SPREAD;
        test_context(scenes[scene], round);
        a = draw_box(round / 8), b = draw_box(test_below(8)), m = draw_motion();
        shape = draw_shape();
        QUIET(spt_box_valid(&a)), QUIET(spt_box_overlap(&a, &b));
        QUIET(spt_box_union(&a, &b, &out)), QUIET(spt_box_intersection(&a, &b, &out));
        QUIET(spt_box_around(a.min_x, b.min_y, 1, draw_coordinate(0, 0), &out));
        QUIET(spt_box_outward((double)a.min_x, 1.1, (double)a.max_x, 1e14 / 3, &out));
        QUIET(spt_box_has_point(&a, b.min_x, b.min_y)), QUIET(spt_box_distance(&a, &b));
        QUIET(spt_box_within(&a, &b, draw_limit())), QUIET(spt_box_nearer(&m.box, &a, &b));
        QUIET(spt_box_meets_shape(&a, &shape)), QUIET(spt_box_swept(&m, &out));
        out = a;
        QUIET(spt_box_half_open(&out));
        memset(&hit, 0, sizeof hit);
        QUIET(spt_box_cast(&m, &a, &hit));
        QUIET(spt_box_stop(&m, &hit, &a, &out));
        if (test_below(2)) m.dx = 0;
        else m.dy = 0;
        QUIET(spt_box_cast(&m, &b, &hit));
        QUIET(spt_box_stop(&m, &hit, &b, &out));
        QUIET(spt_morton_box(round % 16, test_random() >> 1 >> (31 - 2 * (round % 16)), &a, &out));
    }
}

static void functions_without_coordinates_raise_nothing(void)
{
    static const spt_i32 record[2] = {3, 4};
    static double buffer[4];
    spt_i32 popped[2], changed[1] = {0};
    spt_contacts_desc desc;
    spt_allocator allocator;
    spt_contacts c;
    spt_arena arena;
    spt_u32 x, y;
    open_lists();
    QUIET(spt_error_string(SPT_ERR_BOX)), QUIET(spt_version());
    QUIET(spt_arena_init(&arena, buffer, sizeof buffer, &allocator));
    QUIET(spt_intlist_init(&others, 2)), QUIET(spt_intlist_reserve(&others, 300));
    QUIET(spt_intlist_push(&others, record)), QUIET(spt_intlist_push(&others, NULL));
    QUIET(spt_intlist_set(&others, 0, 1, 5)), QUIET(spt_intlist_get(&others, 0, 1));
    QUIET(spt_intlist_pop(&others, popped)), QUIET(spt_intlist_truncate(&others, 1));
    QUIET(spt_intlist_count(&others)), QUIET(spt_intlist_data(&others));
    QUIET(spt_intlist_bytes(&others)), QUIET(spt_intlist_check(&others));
    QUIET(spt_intlist_clear(&others)), QUIET(spt_intlist_insert(&ids, record));
    QUIET(spt_intlist_erase(&ids, 0)), QUIET(spt_intlist_clear(&ids));
    QUIET(x = spt_morton_interleave(3, 1)), QUIET(spt_morton_deinterleave(x, &x, &y));
    QUIET(spt_morton_cell(4, 2, 5, 3, 3, &x)), QUIET(spt_morton_node(2, 6));
    QUIET(spt_morton_level(11, &x)), QUIET(spt_morton_rank(2, 4, 2)), QUIET(spt_morton_nodes(4));
    memset(&desc, 0, sizeof desc);
    desc.allocator = poisoned;
    QUIET(spt_contacts_bytes_for(&desc)), QUIET(spt_contacts_init(&c, &desc));
    QUIET(spt_intlist_push(&pairs, record));
    QUIET(spt_contacts_update(&c, &pairs, &others, NULL));
    QUIET(spt_contacts_of(&c, 3, &ids)), QUIET(spt_contacts_has(&c, 3, 4));
    QUIET(spt_intlist_clear(&pairs));
    QUIET(spt_contacts_update_of(&c, changed, 1, &pairs, &others, &rows));
    QUIET(spt_contacts_forget(&c, 3, NULL)), QUIET(spt_contacts_count(&c));
    QUIET(spt_contacts_bytes(&c)), QUIET(spt_contacts_check(&c)), QUIET(spt_contacts_free(&c));
    close_lists();
}

static const test_case tests[] = {
    TEST(functions_of_one_or_two_boxes_raise_nothing),
    TEST(functions_without_coordinates_raise_nothing),
    TEST(indexes_of_any_boxes_raise_nothing),
    TEST(indexes_of_many_boxes_raise_nothing),
    TEST(broadphases_raise_nothing),
    TEST(neighbours_raise_nothing),
};

/* Runs all once more where exceptions trap. */
int main(int argc, char **argv)
{
    int failed = test_main(argc, argv, tests, TEST_COUNT(tests));
    if (!failed && set_traps()) failed = test_main(argc, argv, tests, TEST_COUNT(tests));
    return failed;
}
#else
int main(int argc, char **argv)
{
    return test_main(argc, argv, NULL, 0); /* integers raise nothing */
}
#endif
