/* test_movers.c - boxes that stop at and slide along what they meet: they never end inside, floors
   and walls of tiles have no seams, nothing creeps or grows, and all structures agree. */
static double work; /* counted, so that it is the same on every machine */
#define SPTI_COUNT(n) (work += (double)(n))

#define SPATIAL_NO_BROADPHASE /* not tested here */
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "brute.h"
#include "test.h"

#define MOST 200
#define KINDS 4

static spt_index worlds[KINDS];
static spt_box boxes[MOST];
static const char *const kinds[KINDS] = {"linear", "quadtree", "loosegrid", "packed"};

static void open_worlds(spt_i32 n)
{
    int k;
    CHECK(spt_linear_init(&worlds[0], NULL) == SPT_OK);
    CHECK(spt_quadtree_init(&worlds[1], NULL) == SPT_OK);
    CHECK(spt_loosegrid_init(&worlds[2], NULL) == SPT_OK);
    CHECK(spt_packed_init(&worlds[3], NULL) == SPT_OK);
    for (k = 0; k < KINDS; k++) CHECK(spt_build(&worlds[k], boxes, n) == SPT_OK);
}

static void close_worlds(void)
{
    int k;
    for (k = 0; k < KINDS; k++) spt_free(&worlds[k]);
}

static spt_coord positive(spt_coord number)
{
    return number < 0 ? -number : number;
}

typedef struct slid {
    int count;
    spt_box end;
    spt_hit hits[2];
} slid;

static int slide_in(const spt_index *x, const spt_motion *motion, const spt_filter *filter,
                    spt_box *end, spt_hit *hits)
{
    spt_layer world;
    world.index = x, world.filter = filter;
    return spt_slide(&world, 1, motion, end, hits);
}

/* A slide in all worlds, which must agree. */
static slid slide(const spt_motion *motion, const spt_filter *filter)
{
    slid first, other;
    int k, i;
    memset(&first, 0, sizeof first);
    first.count = slide_in(&worlds[0], motion, filter, &first.end, first.hits);
    for (k = 1; k < KINDS; k++) {
        memset(&other, 0, sizeof other);
        other.count = slide_in(&worlds[k], motion, filter, &other.end, other.hits);
        CHECK(other.count == first.count && same_box(&other.end, &first.end));
        for (i = 0; i < first.count; i++) CHECK(same_hit(&other.hits[i], &first.hits[i]));
    }
    return first;
}

/* Are they the same, but for a step of rounding that was taken back? */
static int is_near(spt_coord a, spt_coord b, spt_coord from)
{
#ifdef SPATIAL_INT
    (void)from;
    return a == b;
#else
    const spt_coord step =
        (positive(a) + positive(from) + 1) * (sizeof a > 4 ? (spt_coord)1e-15 : (spt_coord)4e-7);
    return positive(a - b) <= step;
#endif
}

/* An edge that has moved to `at` must be on the way by d that leads to `to`; unless a side has
   stopped it, it must be there. */
static void check_way(spt_coord from, spt_coord at, spt_coord to, spt_coord d, int stopped)
{
    CHECK(d > 0 ? at >= from : d < 0 ? at <= from : at >= from && at <= from);
    CHECK(is_near(at, to, from) || (stopped && (d > 0 ? at < to : at > to)));
}

typedef struct overlapped { /* elements that a box is in */
    spt_box box;
} overlapped;

static int is_outside(void *ctx, spt_i32 id, spt_i32 other) SPT_CALLBACK
{
    const overlapped *o = (const overlapped *)ctx;
    (void)other;
    return !is_in(&o->box, &boxes[id]);
}

/* When a side is reached along its axis, as a hit tells it: at most at the end. */
static spt_coord time_of_side(const spt_hit *hit, const spt_motion *motion, const spt_box *moved)
{
    const spt_box *from = &motion->box, *box = &boxes[hit->id];
    brute_time t;
#ifdef SPATIAL_INT
    const spt_coord dx = (spt_coord)((int64_t)moved->max_x - from->max_x); /* in the type */
    const spt_coord dy = (spt_coord)((int64_t)moved->max_y - from->max_y);
#else
    const spt_coord dx = motion->dx, dy = motion->dy;
    (void)moved;
#endif
    if (hit->nx < 0) t = brute_time_of(from->max_x, box->min_x, dx);
    else if (hit->nx > 0) t = brute_time_of(box->max_x, from->min_x, dx);
    else if (hit->ny < 0) t = brute_time_of(from->max_y, box->min_y, dy);
    else t = brute_time_of(box->max_y, from->min_y, dy);
    return SPTI_MIN(brute_time_told(&t), (spt_coord)SPTI_TIME_END);
}

/* What a slide promises, whatever is there. */
static slid check_slide(spt_motion *motion, spt_i32 n)
{
    const slid s = slide(motion, NULL);
    const spt_box *from = &motion->box;
    slid other;
    spt_filter filter;
    overlapped start;
    spt_box moved;
    spt_hit none;
    spt_i32 id;
    int i, stopped;
    CHECK(s.count >= 0 && s.count <= 2);
    for (id = 0; id < n; id++)
        if (!is_in(from, &boxes[id])) CHECK(!is_in(&s.end, &boxes[id]));
    memset(&none, 0, sizeof none);
    none.t = SPTI_TIME_END;
    spt_box_stop(motion, &none, from, &moved);
    for (i = 0; i < s.count; i++) {
        const spt_hit *h = &s.hits[i];
        const spt_box *at = &boxes[h->id];
        CHECK((h->nx != 0) + (h->ny != 0) == 1);
        if (i == 1) CHECK((h->nx != 0) != (s.hits[0].nx != 0));
        CHECK(h->t >= 0 && h->t == time_of_side(h, motion, &moved));
        if (h->nx < 0) CHECK(motion->dx > 0 && s.end.max_x <= at->min_x);
        if (h->nx > 0) CHECK(motion->dx < 0 && s.end.min_x >= at->max_x);
        if (h->ny < 0) CHECK(motion->dy > 0 && s.end.max_y <= at->min_y);
        if (h->ny > 0) CHECK(motion->dy < 0 && s.end.min_y >= at->max_y);
    }
    /* An axis that nothing stops goes to its end, and no edge goes further, or back. */
    stopped = (s.count > 0 && s.hits[0].nx != 0) || (s.count > 1 && s.hits[1].nx != 0);
    check_way(from->min_x, s.end.min_x, moved.min_x, motion->dx, stopped);
    check_way(from->max_x, s.end.max_x, moved.max_x, motion->dx, stopped);
    check_way(from->min_y, s.end.min_y, moved.min_y, motion->dy, s.count > stopped);
    check_way(from->max_y, s.end.max_y, moved.max_y, motion->dy, s.count > stopped);
    /* Elements that it is in at the start do not count. */
    memset(&filter, 0, sizeof filter);
    start.box = *from;
    filter.accept = is_outside, filter.ctx = &start;
    other = slide(motion, &filter);
    CHECK(other.count == s.count && same_box(&other.end, &s.end));
    return s;
}

/* ---- A model ----------------------------------------------------------------------------------
   A slide in whole numbers: the first leg ends at the first hit of a cast, as brute.h finds it; the
   second goes on along the other axis, from a place that is a fraction. Right for all whole numbers
   with SPATIAL_INT, and for other types as long as no division makes two times equal. */

static int64_t whole(const spt_box *box, int axis, int upper)
{
    return (int64_t)(axis ? upper ? box->max_y : box->min_y : upper ? box->max_x : box->min_x);
}

/* The edge of an element that comes first when something moves by d, minus the front of a box. */
static int64_t lead_of(const spt_box *from, const spt_box *box, int axis, int64_t d)
{
    return d > 0 ? whole(box, axis, 0) - whole(from, axis, 1)
                 : whole(from, axis, 0) - whole(box, axis, 1);
}

/* Puts a box along an axis where it is after `way` units of a motion by d. */
static void put_at(spt_box *box, const spt_box *from, int axis, int64_t d, int64_t way)
{
    const int64_t by = d > 0 ? way : -way;
    *(axis ? &box->min_y : &box->min_x) = (spt_coord)(whole(from, axis, 0) + by);
    *(axis ? &box->max_y : &box->max_x) = (spt_coord)(whole(from, axis, 1) + by);
}

static slid model_slide(spt_motion motion, spt_i32 n)
{
    static brute_meeting meetings[MOST];
    const brute_set set = {boxes, NULL, MOST < n ? MOST : n};
    const int64_t d[2] = {(int64_t)motion.dx, (int64_t)motion.dy};
    const int64_t speeds[2] = {d[0] < 0 ? -d[0] : d[0], d[1] < 0 ? -d[1] : d[1]};
    int64_t ways[2], least;
    slid s;
    spt_i32 id;
    int a, b;
    memset(&s, 0, sizeof s);
    motion.enter = 1;
    put_at(&s.end, &motion.box, 0, d[0], speeds[0]);
    put_at(&s.end, &motion.box, 1, d[1], speeds[1]);
    if (brute_cast_all(&set, &motion, NULL, meetings) == 0) return s;
    s.hits[s.count++] = meetings[0].hit;
    a = s.hits[0].nx == 0, b = !a;
    ways[a] = lead_of(&motion.box, &boxes[s.hits[0].id], a, d[a]);
    put_at(&s.end, &motion.box, a, d[a], ways[a]);
    least = speeds[b] + 1;
    for (id = 0; id < n; id++) {
        if (!(whole(&s.end, a, 0) < whole(&boxes[id], a, 1) &&
              whole(&boxes[id], a, 0) < whole(&s.end, a, 1)))
            continue; /* it is not in the way, or touches */
        if (whole(&s.end, b, 0) == whole(&s.end, b, 1) &&
            whole(&boxes[id], b, 0) == whole(&boxes[id], b, 1))
            continue; /* two without a size are never inside of each other */
        ways[b] = lead_of(&motion.box, &boxes[id], b, d[b]);
        if (ways[b] < 0 || ways[b] >= least || speeds[b] == 0) continue;
        if ((uint64_t)ways[b] * (uint64_t)speeds[a] < (uint64_t)ways[a] * (uint64_t)speeds[b])
            continue; /* at the first hit it had passed this side */
        least = ways[b];
        s.count = 2;
        s.hits[1].id = id;
        s.hits[1].nx = b ? 0 : d[0] > 0 ? -1 : 1;
        s.hits[1].ny = !b ? 0 : d[1] > 0 ? -1 : 1;
    }
    if (s.count == 2) {
        brute_time t;
#ifdef SPATIAL_INT
        t.way = (uint64_t)least, t.speed = (uint64_t)speeds[b];
#else
        t = brute_time_of(0, (spt_coord)least, (spt_coord)speeds[b]);
#endif
        s.hits[1].t = brute_time_told(&t);
        put_at(&s.end, &motion.box, b, d[b], least);
    }
    return s;
}

/* ---- Scenes ---------------------------------------------------------------------------------- */

/* A number on a grid of some kind: whole numbers, tenths, thirds, or any. */
static spt_coord draw_number(int grid, int most)
{
    const int k = test_below(2 * most) - most;
#ifdef SPATIAL_INT
    (void)grid;
    return k;
#else
    if (grid == 0) return (spt_coord)k;
    if (grid == 1) return (spt_coord)k * (spt_coord)0.1;
    if (grid == 2) return (spt_coord)k / 3;
    return (spt_coord)k + (spt_coord)test_below(1 << 20) / (1 << 20);
#endif
}

static spt_box draw_box(int grid, int most, int size)
{
    spt_box box;
    box.min_x = draw_number(grid, most), box.min_y = draw_number(grid, most);
    box.max_x = box.min_x + positive(draw_number(grid, size));
    box.max_y = box.min_y + positive(draw_number(grid, size));
    return box;
}

/* Puts a box back by a motion of up to 2^40, or 2^29 of integers: mostly so far that a step of the
   type is larger than it and all elements are. */
static void put_afar(spt_motion *motion)
{
    spt_coord far = 1;
    int k = test_below(SPTI_TIME_END > 1 ? 29 : sizeof far > 4 ? 70 : 40);
    while (k-- > 0) far *= 2;
    motion->dx = test_below(4) ? draw_number(3, 8) * far / 8 : draw_number(0, 4);
    motion->dy = test_below(4) ? draw_number(3, 8) * far / 8 : draw_number(0, 4);
    motion->box.min_x -= motion->dx, motion->box.max_x -= motion->dx;
    motion->box.min_y -= motion->dy, motion->box.max_y -= motion->dy;
}

static void a_slide_never_ends_inside(void)
{
    static const int offsets[] = {0, 1000, 30000};
    long round, rounds = 6000 / test.divisor + 40;
    int k;
    for (round = 0; round < rounds; round++) {
        const int grid = (int)(round % 4), far = offsets[round / 4 % 3];
        const spt_i32 n = 1 + test_below(40);
        spt_motion motion;
        spt_i32 id;
        test_context(kinds[0], round);
        for (id = 0; id < n; id++) {
            boxes[id] = draw_box(grid, 12, 6);
            if (id % 9 == 5) boxes[id].max_x = boxes[id].min_x;
            if (id % 9 == 6) boxes[id].max_y += 1000000;
            boxes[id].min_x += (spt_coord)far, boxes[id].max_x += (spt_coord)far;
        }
        open_worlds(n);
        memset(&motion, 0, sizeof motion);
        for (k = 0; k < 40; k++) {
            motion.dx = test_below(6) ? draw_number(grid, k % 3 ? 4 : 12) : 0;
            motion.dy = test_below(6) ? draw_number(grid, k % 3 ? 4 : 12) : 0;
            if (k % 4 == 0) {
                motion.box = draw_box(grid, 14, 3);
                motion.box.min_x += (spt_coord)far, motion.box.max_x += (spt_coord)far;
                if (k % 8 == 0) put_afar(&motion);
            }
            motion.enter = k & 1;
            motion.box = check_slide(&motion, n).end;
        }
        close_worlds();
    }
}

/* A whole number: many are equal, or multiples of a step, so that edges touch, are in one line and
   are reached at the same time. */
static int draw_whole(int most, int step)
{
    return test_below(2 * most / step + 1) * step - most / step * step;
}

/* Whole numbers of which all types know the times exactly, except that those of SPATIAL_INT may be
   any: every eighth scene reaches across the type, and boxes cross it in one motion. */
static void slides_of_whole_numbers_are_as_the_model_slides(void)
{
    long round, rounds = 12000 / test.divisor + 40;
    for (round = 0; round < rounds; round++) {
        const int step = 1 + (int)(round % 3) * 3, most = round % 2 ? 12 : 60;
        const int fast = round % 8 < 2 ? sizeof(spt_coord) == 4 ? 900 : 1 << 20 : 20;
        const spt_i32 n = 1 + test_below(round % 5 ? 12 : 60);
        int k, i;
        for (i = 0; i < n; i++) {
            int x = draw_whole(most, step), y = draw_whole(most, step), width, height;
            width = step * test_below(4) + (test_below(8) ? 0 : most);
            height = step * test_below(4) + (test_below(8) ? 0 : most);
            boxes[i] = box_of(x, y, x + width, y + height);
        }
        open_worlds(n);
        for (k = 0; k < 40; k++) {
            int x = draw_whole(most + 8, step), y = draw_whole(most + 8, step), reach;
            spt_motion motion;
            slid s, expected;
            reach = test_below(4) ? 20 : fast;
#ifdef SPATIAL_INT
            if (reach > 20) reach = 2 << test_below(30);
#endif
            memset(&motion, 0, sizeof motion);
            motion.box = box_of(x, y, x + step * test_below(3), y + step * test_below(3));
            motion.dx = (spt_coord)draw_whole(reach / 2 + 1, 1);
            motion.dy = (spt_coord)(test_below(3) ? draw_whole(reach / 2 + 1, 1) : 0);
            if (test_below(3) == 0) motion.dy = motion.dx;
            if (reach > 20) { /* from far away, so that it gets there at the end of the motion */
                motion.box.min_x -= motion.dx, motion.box.max_x -= motion.dx;
                motion.box.min_y -= motion.dy, motion.box.max_y -= motion.dy;
                motion.dx += (spt_coord)draw_whole(12, 1);
                motion.dy += (spt_coord)draw_whole(12, 1);
            }
            test_context("round", round * 40 + k);
            s = check_slide(&motion, n);
            expected = model_slide(motion, n);
            CHECK(s.count == expected.count && same_box(&s.end, &expected.end));
            for (i = 0; i < s.count && i < expected.count; i++)
                CHECK(same_hit(&s.hits[i], &expected.hits[i]));
        }
        close_worlds();
    }
}

/* ---- Several indexes --------------------------------------------------------------------------
   Elements in several indexes, whose ids begin anew in each, against all of them in one. */

#define SEVERAL 5

static spt_index places[SEVERAL];
static spt_layer several[SEVERAL];
static spt_filter part_filters[SEVERAL];
static spt_u32 part_categories[SEVERAL][MOST];
static int part_firsts[SEVERAL + 1];

/* Whether an element of a part passes: another rule in each. */
static int passes_part(int part, spt_i32 id)
{
    if (part == 1) return (part_categories[1][id] & 5) != 0;
    if (part == 2) return id != 0 && id != 3;
    return part == 3 ? id % 4 != 1 : 1;
}

static int accept_of_part(void *ctx, spt_i32 id, spt_i32 other) SPT_CALLBACK
{
    (void)other;
    return passes_part(*(const int *)ctx, id);
}

static int part_of(spt_i32 id)
{
    int part = 0;
    while (id >= part_firsts[part + 1]) part++;
    return part;
}

static int accept_of_all(void *ctx, spt_i32 id, spt_i32 other) SPT_CALLBACK
{
    const int part = part_of(id);
    (void)ctx, (void)other;
    return passes_part(part, id - part_firsts[part]);
}

/* Divides n boxes among indexes of any kinds; one that takes each filter is among any four. */
static void open_parts(spt_i32 n, int count)
{
    static const spt_i32 excepted[2] = {0, 3};
    static int third = 3;
    int k, i;
    memset(part_filters, 0, sizeof part_filters);
    for (k = 0; k < count; k++) {
        const int kind = test_below(KINDS);
        const spt_i32 first = k == 0 ? 0 : part_firsts[k];
        part_firsts[k] = (int)first;
        part_firsts[k + 1] = (int)(k == count - 1 ? n : first + test_below((int)(n - first) + 1));
        for (i = 0; i < MOST; i++) part_categories[k][i] = 1u << test_below(4);
        if (kind == 0) CHECK(spt_linear_init(&places[k], NULL) == SPT_OK);
        if (kind == 1) CHECK(spt_quadtree_init(&places[k], NULL) == SPT_OK);
        if (kind == 2) CHECK(spt_loosegrid_init(&places[k], NULL) == SPT_OK);
        if (kind == 3) CHECK(spt_packed_init(&places[k], NULL) == SPT_OK);
        CHECK(spt_build(&places[k], boxes + first, part_firsts[k + 1] - first) == SPT_OK);
        several[k].index = &places[k];
        several[k].filter = k == 0 || k == 4 ? NULL : &part_filters[k];
    }
    part_filters[1].categories = part_categories[1], part_filters[1].mask = 5;
    part_filters[2].except = excepted, part_filters[2].except_count = 2;
    part_filters[3].accept = accept_of_part, part_filters[3].ctx = &third;
}

/* What a motion meets first among the parts is what it meets in one index, and so is whether a
   window finds anything. */
static void check_questions(const spt_motion *motion, int count, const spt_filter *all)
{
    spt_filter filters[SEVERAL], filter = *all;
    spt_layer layers[SEVERAL];
    spt_motion m = *motion;
    spt_hit one, among, kept;
    int k, found;
    memset(&one, 0, sizeof one), memset(&among, 0, sizeof among);
    kept = among;
    m.enter = test_below(2);
    found = spt_cast(&worlds[test_below(KINDS)], &m, all, &one);
    CHECK(spt_cast_among(several, count, &m, &among) == found);
    CHECK(spt_cast_among(several, count, &m, NULL) == found);
    if (found == 1) one.layer = part_of(one.id), one.id -= part_firsts[one.layer];
    CHECK(same_hit(&among, found ? &one : &kept));
    CHECK(spt_any_among(several, count, &m.box) == spt_any(&worlds[0], &m.box, all));
    memset(filters, 0, sizeof filters);
    filter.relation = test_below(5);
    for (k = 0; k < count; k++) {
        layers[k] = several[k];
        if (layers[k].filter) filters[k] = *layers[k].filter;
        filters[k].relation = filter.relation, layers[k].filter = &filters[k];
    }
    CHECK(spt_any_among(layers, count, &m.box) == spt_any(&worlds[0], &m.box, &filter));
}

/* A slide among the parts is the one in one index, and so are other questions. Returns the layer of
   the first side that was hit, or 0. */
static int check_several(const spt_motion *motion, int count)
{
    slid one, s;
    spt_filter filter;
    int i;
    memset(&filter, 0, sizeof filter);
    filter.accept = accept_of_all;
    check_questions(motion, count, &filter);
    one = slide(motion, &filter);
    memset(&s, 0, sizeof s);
    s.count = spt_slide(several, count, motion, &s.end, s.hits);
    CHECK(s.count == one.count && same_box(&s.end, &one.end));
    for (i = 0; i < s.count && i < one.count; i++) {
        one.hits[i].layer = part_of(one.hits[i].id);
        one.hits[i].id -= part_firsts[one.hits[i].layer];
        CHECK(same_hit(&s.hits[i], &one.hits[i]));
    }
    return s.count > 0 ? s.hits[0].layer : 0;
}

/* A box near those of a scene, or one that comes from far away, at any speed. */
static spt_motion draw_motion(int grid, int step, int most)
{
    spt_motion motion;
    int x = draw_whole(most + 8, step), y = draw_whole(most + 8, step);
    memset(&motion, 0, sizeof motion);
    motion.box = box_of(x, y, x + step * test_below(3), y + step * test_below(3));
    if (grid > 0) motion.box = draw_box(grid, 14, 3);
    motion.dx = grid > 0 ? draw_number(grid, 12) : (spt_coord)draw_whole(20, step);
    motion.dy = grid > 0 ? draw_number(grid, 12) : (spt_coord)draw_whole(20, step);
    if (test_below(3) == 0) motion.dy = test_below(2) ? motion.dx : -motion.dx;
    if (test_below(4) == 0) put_afar(&motion);
    return motion;
}

static void questions_among_layers_are_those_among_all_elements(void)
{
    long round, rounds = 12000 / test.divisor + 40, later = 0;
    for (round = 0; round < rounds; round++) {
        const int grid = round % 2 ? 0 : (int)(round / 2 % 4), step = 1 + (int)(round / 8 % 3);
        const int count = 1 + test_below(SEVERAL);
        const spt_i32 n = 1 + test_below(round % 5 ? 20 : 60);
        int k, i;
        for (i = 0; i < n; i++) {
            int x = draw_whole(12, step), y = draw_whole(12, step);
            boxes[i] = box_of(x, y, x + step * test_below(4), y + step * test_below(4));
            if (grid > 0) boxes[i] = draw_box(grid, 12, 6);
            if (test_below(9) == 0) boxes[i] = boxes[test_below(i + 1)]; /* the same once more */
        }
        open_worlds(n);
        open_parts(n, count);
        for (k = 0; k < 40; k++) {
            const spt_motion motion = draw_motion(grid, step, 12);
            test_context("round", round * 40 + k);
            later += check_several(&motion, count) > 0;
        }
        for (k = 0; k < count; k++) spt_free(&places[k]);
        close_worlds();
    }
    CHECK(later > 2 * rounds);
}

/* Edges a step of the type apart, mostly too little for their times to differ, in two indexes; and
   at such a time corners and sides of both axes. */
static void at_the_same_time_the_order_of_layers_and_ids_decides(void)
{
    const double step = SPTI_TIME_END > 1 ? 0 : sizeof(spt_coord) > 4 ? 6e-14 : 3.1e-5;
    long round, rounds = 40000 / test.divisor + 400, later = 0;
    for (round = 0; round < rounds; round++) {
        const spt_i32 n = 2 + test_below(6);
        const int way = test_below(2) ? 1 : -1;
        const double most = 950000 + 157 * (int)(round % 1000), at = way * 500;
        spt_motion motion;
        int i, count = 2 + test_below(2);
        for (i = 0; i < n; i++) {
            double x = at + way * step * test_below(3), y = at + way * step * test_below(3);
            const double size = way * 50;
            if (test_below(2)) x += way * (test_below(4) - 2);
            else y += way * (test_below(4) - 2);
            boxes[i] = box_of(SPTI_MIN(x, x + size), SPTI_MIN(y, y + size), SPTI_MAX(x, x + size),
                              SPTI_MAX(y, y + size));
        }
        memset(&motion, 0, sizeof motion);
        motion.box = way > 0 ? box_of(-4, -4, 0, 0) : box_of(0, 0, 4, 4);
        motion.dx = motion.dy = (spt_coord)(way * most);
        open_worlds(n);
        open_parts(n, count);
        test_context("round", round);
        later += check_several(&motion, count) > 0;
        for (i = 0; i < count; i++) spt_free(&places[i]);
        close_worlds();
    }
    CHECK(later > rounds / 8);
}

/* A row of n tiles of a width along x, or along y, with their upper or lower side at 0. order 1:
   ids ascend, -1: they descend, 0: in disorder. */
static void make_row(spt_i32 n, spt_coord width, int upright, int below, int order)
{
    spt_i32 i, j;
    for (i = 0; i < n; i++) {
        const spt_i32 at = order > 0 ? i : order < 0 ? n - 1 - i : i * 37 % n;
        spt_box tile;
        tile.min_x = (spt_coord)at * width, tile.max_x = (spt_coord)(at + 1) * width;
        tile.min_y = below ? -width : 0, tile.max_y = below ? 0 : width;
        if (upright) {
            const spt_box turned = {tile.min_y, tile.min_x, tile.max_y, tile.max_x};
            tile = turned;
        }
        boxes[i] = tile;
    }
    for (j = n; j < MOST; j++) boxes[j] = boxes[0];
}

static void floors_and_walls_of_tiles_have_no_seams(void)
{
    static const double widths[] = {16, 1, 7, 0.1, 1.0 / 3, 0.7};
    int w, upright, below, order, way, frame;
    for (w = 0; w < (sizeof(spt_coord) == 4 && (spt_coord)0.5 < (spt_coord)0.4 ? 1 : 6); w++)
        for (upright = 0; upright < 2; upright++)
            for (below = 0; below < 2; below++)
                for (order = -1; order < 2; order++)
                    for (way = -1; way < 2; way += 2) {
                        const spt_coord width = (spt_coord)widths[w], step = width / 16;
                        spt_motion motion;
                        spt_coord size, *along, *across;
                        if (!(step > 0)) continue;
                        make_row(100, width, upright, below, order);
                        open_worlds(100);
                        memset(&motion, 0, sizeof motion);
                        size = width / 4 * 3;
                        motion.box.min_x = motion.box.min_y = 0;
                        along = upright ? &motion.box.min_y : &motion.box.min_x;
                        across = upright ? &motion.box.min_x : &motion.box.min_y;
                        along[0] = 50 * width, across[0] = below ? 0 : -size;
                        motion.box.max_x = motion.box.min_x + size;
                        motion.box.max_y = motion.box.min_y + size;
                        if (upright) motion.box.max_x = below ? size : 0;
                        else motion.box.max_y = below ? size : 0;
                        for (frame = 0; frame < 300; frame++) {
                            slid s;
                            test_context("tiles", frame);
                            motion.dx = upright ? (below ? -step : step) : (spt_coord)way * step;
                            motion.dy = upright ? (spt_coord)way * step : (below ? -step : step);
                            s = slide(&motion, NULL);
                            CHECK(s.count == 1);
                            CHECK(upright ? s.hits[0].ny == 0 : s.hits[0].nx == 0);
                            CHECK(upright ? below ? s.end.min_x >= 0 && s.end.min_x <= 0
                                                  : s.end.max_x >= 0 && s.end.max_x <= 0
                                          : below ? s.end.min_y >= 0 && s.end.min_y <= 0
                                                  : s.end.max_y >= 0 && s.end.max_y <= 0);
                            motion.box = s.end;
                        }
                        if (w < 2) /* whole sixteenths: exact */
                            CHECK(!(*along < 50 * width + (spt_coord)(way * 300) * step) &&
                                  !(*along > 50 * width + (spt_coord)(way * 300) * step));
                        close_worlds();
                    }
}

static void a_box_that_is_pressed_on_does_not_creep(void)
{
    spt_motion motion;
    slid s;
    int frame;
    make_row(20, 10, 0, 1, 0);
    boxes[20] = box_of(100, -50, 110, 300); /* a wall on its right, */
    boxes[21] = box_of(0, 100, 100, 110);   /* and a ceiling */
    open_worlds(22);
    memset(&motion, 0, sizeof motion);
    motion.box = box_of(92, 0, 100, 8);
    for (frame = 0; frame < 1000; frame++) {
        motion.dx = (spt_coord)(1 + frame % 5), motion.dy = (spt_coord)(-1 - frame % 3);
        s = slide(&motion, NULL);
        CHECK(s.count == 2 && same_box(&s.end, &motion.box));
        motion.dy = 0;
        s = slide(&motion, NULL);
        CHECK(s.count == 1 && s.hits[0].id == 20 && same_box(&s.end, &motion.box));
    }
    motion.dx = -3, motion.dy = 0; /* away and along: nothing holds it */
    CHECK(slide(&motion, NULL).count == 0);
    motion.dx = 0, motion.dy = 3;
    CHECK(slide(&motion, NULL).count == 0);
    motion.dx = -3, motion.dy = 3;
    CHECK(slide(&motion, NULL).count == 0);
    close_worlds();
}

/* The size of a box among edges that are whole and, but for integers, a size of sixteenths; or of
   any size among any edges; or likewise, set anew where a side is hit. */
static void check_size(int any, int anew)
{
    const long frames = 100000 / test.divisor + 100;
    const double most = any ? anew ? 8e-6 : 4e-6 : 0;
    spt_motion motion;
    spt_coord width, height;
    long frame;
    int i, count;
    boxes[0] = box_of(-50, -50, -40, 50), boxes[1] = box_of(40, -50, 50, 50);
    boxes[2] = box_of(-50, -50, 50, -40), boxes[3] = box_of(-50, 40, 50, 50);
    boxes[4] = box_of(-7, -9, 3, 2), boxes[5] = box_of(11, 5, 24, 17);
#ifndef SPATIAL_INT
    if (any) boxes[4].max_x = (spt_coord)2.7, boxes[5].min_y = (spt_coord)0.1;
    if (anew) boxes[0].max_x = (spt_coord)-39.3, boxes[3].min_y = boxes[5].max_y + (spt_coord)5.3;
#endif
    open_worlds(6);
    memset(&motion, 0, sizeof motion);
    motion.box = box_of(-30, -30, -29, -28);
#ifndef SPATIAL_INT
    motion.box.max_x -= any ? (spt_coord)0.3 : (spt_coord)0.3125;
#endif
    width = motion.box.max_x - motion.box.min_x, height = motion.box.max_y - motion.box.min_y;
    for (frame = 0; frame < frames; frame++) {
        spt_box *box = &motion.box;
        spt_hit hits[2];
        motion.dx = draw_number(3, 4), motion.dy = draw_number(3, 4);
        if (!any) motion.dx *= 9, motion.dy *= 9;
        count = slide_in(&worlds[frame % KINDS], &motion, NULL, box, hits);
        for (i = 0; anew && i < count; i++) {
            if (hits[i].nx < 0) box->min_x = box->max_x - width;
            if (hits[i].nx > 0) box->max_x = box->min_x + width;
            if (hits[i].ny < 0) box->min_y = box->max_y - height;
            if (hits[i].ny > 0) box->max_y = box->min_y + height;
        }
        CHECK(count >= 0);
        for (i = 0; i < 6; i++) CHECK(!is_in(box, &boxes[i]));
        CHECK((double)positive(box->max_x - box->min_x - width) <= most);
        CHECK((double)positive(box->max_y - box->min_y - height) <= most);
    }
    close_worlds();
}

static void its_size_stays_for_a_hundred_thousand_frames(void)
{
    check_size(0, 0);
    check_size(1, 0);
    check_size(1, 1);
}

static void a_box_that_stops_stands_exactly_at_the_side(void)
{
    long round, rounds = 20000 / test.divisor + 100;
    for (round = 0; round < rounds; round++) {
        const int grid = (int)(round % 4);
        spt_motion motion, on;
        spt_hit hit, again;
        spt_box end;
        test_context("round", round);
        boxes[0] = draw_box(grid, 12, 6);
        memset(&motion, 0, sizeof motion);
        motion.box = draw_box(grid, 14, 3);
        motion.dx = draw_number(grid, 20), motion.dy = draw_number(grid, 20);
        motion.enter = 1;
        if (!spt_box_cast(&motion, &boxes[0], &hit)) continue;
        spt_box_stop(&motion, &hit, &boxes[0], &end);
        CHECK(!is_in(&end, &boxes[0]) && spt_box_valid(&end));
        if (hit.nx < 0) CHECK(!(end.max_x < boxes[0].min_x) && !(end.max_x > boxes[0].min_x));
        if (hit.nx > 0) CHECK(!(end.min_x < boxes[0].max_x) && !(end.min_x > boxes[0].max_x));
        if (hit.ny < 0) CHECK(!(end.max_y < boxes[0].min_y) && !(end.max_y > boxes[0].min_y));
        if (hit.ny > 0) CHECK(!(end.min_y < boxes[0].max_y) && !(end.min_y > boxes[0].max_y));
        on = motion; /* from there it cannot go on */
        on.box = end;
        on.dx = hit.nx ? motion.dx : 0, on.dy = hit.ny ? motion.dy : 0;
        if (spt_box_cast(&on, &boxes[0], &again))
            CHECK(again.t >= 0 && again.t <= 0 && again.nx == hit.nx && again.ny == hit.ny);
    }
    {
        const spt_motion motion = {{0, 0, 1, 1}, 4, 2, 0};
        spt_hit hit;
        spt_box end = box_of(2, 1, 3, 2), element = box_of(3, 0, 5, 5), out;
        CHECK(spt_box_cast(&motion, &element, &hit));
        spt_box_stop(&motion, &hit, &element, &out);
        CHECK(same_box(&out, &end)); /* as its example says */
    }
}

static void bad_motions_are_refused_and_filters_let_a_mover_pass(void)
{
    spt_motion motion;
    spt_index none;
    spt_filter filter;
    spt_hit hits[2];
    const spt_box end = box_of(5, 0, 6, 1);
    spt_box out = end;
    const spt_i32 self = 1;
    boxes[0] = box_of(0, -1, 9, 0);
    boxes[1] = box_of(2, 1, 3, 2);
    open_worlds(2);
    memset(&motion, 0, sizeof motion);
    motion.box = boxes[1], motion.dx = 3, motion.dy = -4;
    CHECK(slide(&motion, NULL).count == 1 && same_box(&end, &end));
    CHECK(slide_in(&worlds[0], &motion, NULL, &out, hits) == 1 && same_box(&out, &end));
    CHECK(hits[0].id == 0 && hits[0].nx == 0 && hits[0].ny == 1);
    CHECK(hits[0].t == (spt_coord)SPTI_TIME_END / 4);
    motion.box = box_of(0, 1, 1, 2), motion.dx = 4, motion.dy = 0;
    CHECK(slide(&motion, NULL).count == 1);
    memset(&filter, 0, sizeof filter);
    filter.except = &self, filter.except_count = 1;
    CHECK(slide(&motion, &filter).count == 0);
    out = end;
    motion.box.max_x = -5;
    CHECK(slide_in(&worlds[1], &motion, NULL, &out, hits) == SPT_ERR_BOX);
    CHECK(!spt_box_cast(&motion, &boxes[1], NULL));
    motion.box.max_x = 1, out.min_x = out.max_x + 1;
    CHECK(spt_box_cast(&motion, &boxes[1], NULL) && !spt_box_cast(&motion, &out, NULL));
    out = end;
#ifndef SPATIAL_INT
    motion.box = box_of(0, 1, 1, 2);
    motion.dx = motion.dy / motion.dy;
    CHECK(slide_in(&worlds[1], &motion, NULL, &out, hits) == SPT_ERR_ARGUMENT);
#endif
    motion.box = box_of(0, 1, 1, 2), motion.dx = 1;
    memset(&none, 0, sizeof none);
    CHECK(slide_in(&none, &motion, NULL, &out, hits) == SPT_ERR_INIT);
    CHECK(same_box(&out, &end));
    close_worlds();
}

#ifndef SPATIAL_INT
/* A box wider than the largest number, whose width is infinite, stops; its sides go that way. */
static void the_widest_boxes_stop(void)
{
    const spt_box element = {-COORD_MAX, 5, COORD_MAX, 6};
    spt_motion motion;
    spt_hit hit;
    spt_box out;
    int way;
    for (way = -1; way <= 1; way++) {
        memset(&motion, 0, sizeof motion);
        motion.box = box_of(0, 0, 1, 1);
        motion.box.min_x = (spt_coord)(-0.6 * (double)COORD_MAX);
        motion.box.max_x = (spt_coord)(0.8 * (double)COORD_MAX);
        motion.dx = (spt_coord)(way * 0.01 * (double)COORD_MAX), motion.dy = 8;
        CHECK(spt_box_cast(&motion, &element, &hit) && hit.ny == -1);
        spt_box_stop(&motion, &hit, &element, &out);
        CHECK(spt_box_valid(&out) && !(out.max_y > 5) && !(out.max_y < 5));
        CHECK(way < 0 ? !(out.min_x > motion.box.min_x) : !(out.min_x < motion.box.min_x));
        CHECK(way > 0 ? !(out.max_x < motion.box.max_x) : !(out.max_x > motion.box.max_x));
    }
}
#endif

/* Of two that are one step of the type apart: mostly too little for their times to differ. */
static void the_hit_is_of_the_element_whose_edge_stops_the_box(void)
{
    const double step = sizeof(spt_coord) > 4 ? 6e-14 : 3.1e-5;
    const double near_by = 500, far_off = SPTI_TIME_END > 1 ? 501 : 500 + step;
    int k, id;
    for (k = 0; k < 400; k++) {
        const int nearest = k % 2, way = k / 2 % 4;
        const double most = 950000 + 157 * k;
        spt_motion motion;
        slid s;
        memset(&motion, 0, sizeof motion);
        motion.box = way == 1 ? box_of(-4, 0, 0, 4) : box_of(0, 0, 4, 4);
        if (way == 3) motion.box = box_of(0, -4, 4, 0);
        /* Half of them leave both sideways after the hit. */
        motion.dx = motion.dy = (spt_coord)(k / 8 % 2 ? 1000 : 0);
        if (way < 2) motion.dx = (spt_coord)(way ? -most : most);
        else motion.dy = (spt_coord)(way == 3 ? -most : most);
        for (id = 0; id < 2; id++) { /* side by side */
            const double at = id == nearest ? near_by : far_off;
            const double low = id ? 3 : -5, high = id ? 9 : 1;
            if (way == 0) boxes[id] = box_of(at, low, at + 50, high);
            if (way == 1) boxes[id] = box_of(-at - 50, low, -at, high);
            if (way == 2) boxes[id] = box_of(low, at, high, at + 50);
            if (way == 3) boxes[id] = box_of(low, -at - 50, high, -at);
        }
        open_worlds(2);
        s = check_slide(&motion, 2);
        CHECK(s.count == 1 && s.hits[0].id == nearest);
        close_worlds();
    }
}

static void coordinates_at_the_ends_of_the_type_do_not_overflow(void)
{
    spt_motion motion;
    spt_box out;
#ifndef SPATIAL_INT
    int side;
#endif
    boxes[0] = box_of(0, 0, 1, 1);
    open_worlds(1);
    memset(&motion, 0, sizeof motion);
    motion.box.min_x = motion.box.min_y = COORD_MAX / 4 * 3;
    motion.box.max_x = motion.box.max_y = COORD_MAX;
    motion.dx = COORD_MAX, motion.dy = -COORD_MAX;
    CHECK(slide_in(&worlds[0], &motion, NULL, &out, NULL) >= 0 && spt_box_valid(&out));
    CHECK(out.max_x <= COORD_MAX && out.min_y >= -COORD_MAX && out.min_x > 0);
#ifndef SPATIAL_INT
    for (side = -1; side <= 1; side += 2) { /* the other edge follows from the size */
        const spt_coord third = COORD_MAX / 3;
        motion.box = box_of(0, 10, 0, 11);
        motion.box.min_x = side < 0 ? -third : -2 * third;
        motion.box.max_x = side < 0 ? 2 * third : third;
        motion.dx = (spt_coord)side * (COORD_MAX - third / 4), motion.dy = 0;
        CHECK(slide_in(&worlds[0], &motion, NULL, &motion.box, NULL) == 0);
        CHECK(motion.box.min_x >= -COORD_MAX && motion.box.max_x <= COORD_MAX);
        CHECK(slide_in(&worlds[0], &motion, NULL, &out, NULL) == 0);
    }
#endif
    close_worlds();
}

/* Boxes and motions of sixteenths of the type: many motions would leave it. */
static void a_slide_never_ends_inside_at_the_ends_of_the_type(void)
{
    const spt_coord part = COORD_MAX / 16;
    long round, rounds = 2000 / test.divisor + 40;
    for (round = 0; round < rounds; round++) {
        const spt_i32 n = 1 + test_below(20);
        int k;
        for (k = 0; k <= n; k++) {
            int x = test_below(33) - 16, y = test_below(33) - 16;
            spt_box *b = &boxes[k];
            b->min_x = (spt_coord)x * part, b->min_y = (spt_coord)y * part;
            b->max_x = (spt_coord)(x + test_below(17 - x < 5 ? 17 - x : 5)) * part;
            b->max_y = (spt_coord)(y + test_below(17 - y < 5 ? 17 - y : 5)) * part;
        }
        open_worlds(n);
        for (k = 0; k < 40; k++) {
            spt_motion motion;
            memset(&motion, 0, sizeof motion);
            motion.box = boxes[n];
            motion.dx = (spt_coord)(test_below(33) - 16) * part;
            motion.dy = (spt_coord)(test_below(33) - 16) * part;
            test_context("round", round * 40 + k);
            boxes[n] = check_slide(&motion, n).end;
        }
        close_worlds();
    }
}

/* Whether the motion meets the element of a hit before that of another, as told by spt_box_cast
   and, with SPATIAL_INT, by the exact times of hits of the same t. */
static int comes_before(const spt_motion *motion, const spt_hit *a, const spt_hit *b)
{
#ifdef SPATIAL_INT
    const spt_hit *hits[2];
    uint64_t parts[2];
    int i;
    hits[0] = a, hits[1] = b;
    for (i = 0; a->t == b->t && i < 2; i++) {
        const int axis = hits[i]->nx == 0;
        const int64_t d = axis ? motion->dy : motion->dx, e = axis ? motion->dx : motion->dy;
        parts[i] = 0;
        if (hits[i]->nx == 0 && hits[i]->ny == 0) continue; /* they touch at the start */
        parts[i] = (uint64_t)lead_of(&motion->box, &boxes[hits[i]->id], axis, d);
        parts[i] *= (uint64_t)(e < 0 ? -e : e > 0 ? e : 1);
    }
    if (a->t == b->t && parts[0] != parts[1]) return parts[0] < parts[1];
#endif
    (void)motion;
    if (a->t < b->t || b->t < a->t) return a->t < b->t;
    return a->corner != b->corner ? a->corner < b->corner : a->id < b->id;
}

static void a_loop_over_spt_box_cast_finds_what_spt_cast_finds(void)
{
    long round, rounds = 6000 / test.divisor + 40, same_time = 0;
    for (round = 0; round < rounds; round++) {
        const int step = 1 + (int)(round % 3), grid = (int)(round % 5);
        const spt_i32 n = 1 + test_below(30);
        int k, i;
        for (i = 0; i < n; i++) {
            int x = draw_whole(12, step), y = draw_whole(12, step);
            boxes[i] = box_of(x, y, x + step * test_below(4), y + step * test_below(4));
            if (grid == 3) boxes[i] = draw_box(1 + i % 3, 12, 6);
        }
        open_worlds(n);
        for (k = 0; k < 40; k++) {
            int x = draw_whole(14, step), y = draw_whole(14, step), size = step * test_below(3);
            const int far = k % 4 ? 20 : 1 << 20;
            spt_motion motion;
            spt_hit first, hit, found;
            memset(&motion, 0, sizeof motion);
            motion.box = box_of(x, y, x + size, y + size);
            motion.dx = (spt_coord)draw_whole(far, step);
            motion.dy = (spt_coord)draw_whole(far, step);
            if (test_below(3) == 0) motion.dy = test_below(2) ? motion.dx : -motion.dx;
            if (k % 8 == 0) motion.box.min_x -= motion.dx, motion.box.max_x -= motion.dx;
            if (k % 8 == 0) motion.box.min_y -= motion.dy, motion.box.max_y -= motion.dy;
            motion.enter = k & 1;
            first.id = SPT_NONE;
            for (i = 0; i < n; i++) {
                if (!spt_box_cast(&motion, &boxes[i], &hit)) continue;
                hit.id = i;
                if (first.id != SPT_NONE && hit.t >= first.t && hit.t <= first.t) same_time++;
                if (first.id == SPT_NONE || comes_before(&motion, &hit, &first)) first = hit;
            }
            test_context("round", round * 40 + k);
            for (i = 0; i < KINDS; i++) {
                CHECK(spt_cast(&worlds[i], &motion, NULL, &found) == (first.id != SPT_NONE));
                if (first.id != SPT_NONE) CHECK(same_hit(&found, &first));
            }
        }
        close_worlds();
    }
    CHECK(same_time > 4 * rounds);
}

/* All questions among the layers, which are refused. */
static void refused_among(const spt_layer *layers, int count, const spt_motion *motion, int error)
{
    spt_box out = box_of(1, 2, 3, 4);
    const spt_box was = out;
    spt_hit hits[2];
    memset(hits, 7, sizeof hits);
    CHECK(spt_slide(layers, count, motion, &out, hits) == error && same_box(&out, &was));
    CHECK(spt_cast_among(layers, count, motion, hits) == error);
    CHECK(spt_any_among(layers, count, &motion->box) == error);
    CHECK(hits[0].id == 0x07070707 && hits[0].layer == 0x07070707);
}

static void layers_that_are_none_are_refused_and_among_none_a_motion_is_free(void)
{
    spt_motion motion;
    spt_index empty;
    spt_filter filter;
    spt_layer three[3];
    spt_hit hits[2];
    const spt_box end = box_of(5, 0, 6, 1), free_end = box_of(5, -3, 6, -2);
    spt_box out = end;
    boxes[0] = box_of(0, -1, 9, 0);
    open_worlds(1);
    memset(&empty, 0, sizeof empty), memset(&filter, 0, sizeof filter);
    memset(&motion, 0, sizeof motion), memset(three, 0, sizeof three);
    filter.except_count = -1;
    motion.box = box_of(2, 1, 3, 2), motion.dx = 3, motion.dy = -4;
    three[0].index = &worlds[3], three[1].index = &worlds[0], three[2].index = &worlds[1];
    refused_among(three, -1, &motion, SPT_ERR_ARGUMENT);
    refused_among(NULL, 1, &motion, SPT_ERR_ARGUMENT);
    three[2].filter = &filter;
    refused_among(three, 3, &motion, SPT_ERR_FILTER);
    filter.except_count = 0, filter.relation = SPT_ENTERS; /* of a window alone */
    CHECK(spt_any_among(three, 3, &boxes[0]) == 1);
    CHECK(spt_cast_among(three, 3, &motion, hits) == SPT_ERR_FILTER);
    CHECK(spt_slide(three, 3, &motion, &out, hits) == SPT_ERR_FILTER);
    three[2].filter = NULL, three[2].index = &empty;
    refused_among(three, 3, &motion, SPT_ERR_INIT);
    three[2].index = NULL;
    refused_among(three, 3, &motion, SPT_ERR_ARGUMENT);
    motion.box.min_y = 7;
    refused_among(three, 2, &motion, SPT_ERR_BOX);
    refused_among(NULL, 0, &motion, SPT_ERR_BOX);
    motion.box.min_y = 1;
    CHECK(spt_any_among(NULL, 0, &boxes[0]) == 0 && spt_any_among(three, 2, &boxes[0]) == 1);
    CHECK(spt_cast_among(NULL, 0, &motion, hits) == 0);
    CHECK(spt_cast_among(three, 2, &motion, hits) == 1 && hits[0].layer == 0 && hits[0].ny == 1);
    CHECK(same_box(&out, &end));
    CHECK(spt_slide(NULL, 0, &motion, &out, hits) == 0 && same_box(&out, &free_end));
    CHECK(spt_slide(three, 2, &motion, &motion.box, hits) == 1 && same_box(&motion.box, &end));
    CHECK(hits[0].layer == 0 && hits[0].id == 0 && hits[0].ny == 1);
#ifndef SPATIAL_INT
    motion.dx = COORD_MAX, motion.dx *= 10;
    CHECK(spt_slide(NULL, 0, &motion, &out, hits) == SPT_ERR_ARGUMENT);
    CHECK(spt_cast_among(NULL, 0, &motion, hits) == SPT_ERR_ARGUMENT);
#endif
    close_worlds();
}

/* A wall right ahead in the first layer, a row of 200 boxes in the others. */
static void a_cast_among_layers_goes_as_far_as_the_first_hit(void)
{
    spt_layer layers[KINDS];
    spt_motion motion;
    spt_index wall;
    spt_hit hit;
    int i, k;
    double first;
    const spt_box near_box = box_of(5, 0, 6, 2);
    for (i = 0; i < MOST; i++) boxes[i] = box_of(100 + 10 * i, 0, 105 + 10 * i, 2);
    open_worlds(MOST);
    CHECK(spt_packed_init(&wall, NULL) == SPT_OK && spt_build(&wall, &near_box, 1) == SPT_OK);
    memset(&motion, 0, sizeof motion), memset(layers, 0, sizeof layers);
    motion.box = box_of(0, 1, 0, 1), motion.dx = 3000;
    for (k = 0; k < KINDS; k++) {
        layers[0].index = &wall, layers[1].index = &worlds[k];
        work = 0;
        CHECK(spt_cast_among(layers, 1, &motion, &hit) == 1);
        first = work, work = 0;
        CHECK(spt_cast_among(layers, 2, &motion, &hit) == 1 && hit.layer == 0);
        CHECK(work <= first + 32); /* the root of the other index */
    }
    spt_free(&wall);
    close_worlds();
}

/* "At most two visits of casts up to their first hits, and a query", in each world: on average,
   since the second cast has another way. */
static void check_cost(const spt_layer *of, int count)
{
    spt_intlist ids;
    double slides = 0, others = 0;
    int k, i;
    spt_intlist_init(&ids, 1);
    for (i = 0; i < 2000; i++) {
        spt_motion motion;
        spt_hit hit;
        spt_box end;
        memset(&motion, 0, sizeof motion);
        motion.box = draw_box(0, 100, 3);
        motion.dx = draw_number(0, 30), motion.dy = draw_number(0, 30);
        motion.enter = 1;
        work = 0;
        CHECK(spt_slide(of, count, &motion, &end, NULL) >= 0);
        slides += work;
        for (k = 0; k < count; k++) {
            work = 0;
            CHECK(spt_cast(of[k].index, &motion, of[k].filter, &hit) >= 0);
            others += 2 * work;
            work = 0;
            CHECK(spt_query(of[k].index, &end, of[k].filter, &ids) >= 0);
            others += work;
        }
    }
    test_context(spt_kind(of[0].index), (long)(100 * slides / others));
    CHECK(slides <= others);
    spt_intlist_free(&ids);
}

static void a_slide_costs_as_two_casts_and_a_query_in_each_world(void)
{
    spt_layer one;
    int k, i;
    for (i = 0; i < MOST; i++) boxes[i] = draw_box(0, 100, 4);
    open_worlds(MOST);
    one.filter = NULL;
    for (k = 0; k < KINDS; k++) one.index = &worlds[k], check_cost(&one, 1);
    open_parts(MOST, SEVERAL);
    check_cost(several, SEVERAL);
    for (k = 0; k < SEVERAL; k++) spt_free(&places[k]);
    close_worlds();
}

static const test_case tests[] = {
    TEST(slides_of_whole_numbers_are_as_the_model_slides),
    TEST(a_slide_costs_as_two_casts_and_a_query_in_each_world),
    TEST(questions_among_layers_are_those_among_all_elements),
    TEST(at_the_same_time_the_order_of_layers_and_ids_decides),
    TEST(layers_that_are_none_are_refused_and_among_none_a_motion_is_free),
    TEST(a_cast_among_layers_goes_as_far_as_the_first_hit),
    TEST(a_slide_never_ends_inside),
    TEST(a_slide_never_ends_inside_at_the_ends_of_the_type),
    TEST(floors_and_walls_of_tiles_have_no_seams),
    TEST(a_box_that_is_pressed_on_does_not_creep),
    TEST(its_size_stays_for_a_hundred_thousand_frames),
    TEST(a_box_that_stops_stands_exactly_at_the_side),
    TEST(bad_motions_are_refused_and_filters_let_a_mover_pass),
#ifndef SPATIAL_INT
    TEST(the_widest_boxes_stop),
#endif
    TEST(a_loop_over_spt_box_cast_finds_what_spt_cast_finds),
    TEST(the_hit_is_of_the_element_whose_edge_stops_the_box),
    TEST(coordinates_at_the_ends_of_the_type_do_not_overflow)};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
