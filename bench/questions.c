/* Questions about boxes that stand still. See jobs.h; a sample is a round of all questions.

   Answers are compared outside the timed parts: ours must give the same ids in the same order where
   that is promised, peers as many, or the same ids, or ids as far away. The first answers of ours
   are compared with the answers of a loop over all boxes. If one of ours differs, the program gives
   up. Peers whose own tests round may miss a box that is barely touched: one answer in FEW may
   differ, and is told; a peer of which more differ is not timed.

   Places: every other one is near a box, up to NEAR box sides off along each axis, the others are
   anywhere in the world. A box side is the root of the mean area of a box. Rays and box casts begin
   where no box is, if such a place is found, for in a box all is over at once. All of these places
   are on a grid so fine that the end of a ray is exact, for some libraries want it. Circles and
   windows are of one size, such that MEAN_FOUND ids are found on average, but for windows that are
   a share of the world. Small sets are asked about places that lie evenly in the world, not near
   boxes, and about places half of the world's side or more away from it, on each of its four sides
   in turn; there, windows of no given share are a box side wide. Where boxes move against standing
   ones, they are a tenth of their number, of the same sizes. */
#include "contest.h"
#include "exact.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    QUESTIONS = 4000, /* in a round */
    FEWEST = 50,      /* in a round of a slow structure */
    AT_ONCE = 1000,   /* windows in a call */
    BRUTE = 12,       /* answers that are compared with a loop's, at least */
    SAMPLE = 500,     /* questions that tell how many ids are found */
    MEAN_FOUND = 10,
    FEW = 500,
    TRIES = 50, /* to find a free place */
    NEAR = 3
};

/* How a row makes its questions. ACROSS: a ray from one side of the world to the other; SHARE: a
   window that is a share of the world; MOVERS: boxes that move; PAST: a ray or a window on one side
   of all boxes; INTO: a ray that ends in a box; INSIDE: a window that lies in the world and is a
   share of it, or one as large as a box whose centre lies there. */
enum { NO_RAY, RAY, BOX, ACROSS, SHARE, MOVERS, PAST, INTO, INSIDE };

typedef struct row {
    const char *name;
    asked of;
    int k;        /* of the nearest */
    int makes;    /* one of the above */
    double sides; /* the length of a motion, in box sides; or the share of the world */
    int again;    /* asks about the places of the row before it */
} row;

static const row rows_of_boxes[] = {
    {"nearest 1", NEAREST, 1, NO_RAY, 0, 0},
    {"nearest 10", NEAREST, 10, NO_RAY, 0, 1},
    {"circle", WITHIN, 0, NO_RAY, 0, 0},
    {"ray, first hit", FIRST, 0, RAY, 50, 0},
    {"ray, a visit that stops at the first hit", VISIT, 0, RAY, 50, 1},
    {"ray, all hits", ALL, 0, RAY, 50, 1},
    {"box cast, first hit", FIRST, 0, BOX, 10, 0},
    {"box that slides", SLIDE, 0, BOX, 10, 1},
    {"box that slides, as a shape", GLIDE, 4, BOX, 10, 1},
    {"circle that slides", GLIDE, 1, BOX, 10, 1},
    {"ray across the world, first hit", FIRST, 0, ACROSS, 0, 0},
    {"window", WINDOW, 0, NO_RAY, 0, 0},
    {"window, a visit that stops at the first", ANY, 0, NO_RAY, 0, 1},
    {"window, 1,000 at once", WINDOWS, 0, NO_RAY, 0, 1},
    {"window of 0.01 % of the world", WINDOW, 0, SHARE, 1e-4, 0},
    {"window of 1 % of the world", WINDOW, 0, SHARE, 1e-2, 0},
    {"moving boxes against standing ones, for one", WINDOWS, 0, MOVERS, 0, 0},
};

static const row rows_of_points[] = {
    {"nearest 1 of points", NEAREST, 1, NO_RAY, 0, 0},
    {"nearest 10 of points", NEAREST, 10, NO_RAY, 0, 1},
    {"circle of points", WITHIN, 0, NO_RAY, 0, 0},
};

static const row rows_of_small_sets[] = {
    {"ray past all boxes, first hit", FIRST, 0, PAST, 0, 0},
    {"window past all boxes", WINDOW, 0, PAST, 0, 0},
    {"ray that ends in a box, first hit", FIRST, 0, INTO, 0, 0},
    {"window as large as a box", WINDOW, 0, INSIDE, 0, 0},
    {"window as large as a box, counted", COUNT, 0, INSIDE, 0, 1},
    {"window of 79 % of the world", WINDOW, 0, INSIDE, 0.79, 0},
    {"window of 79 % of the world, counted", COUNT, 0, INSIDE, 0.79, 1},
};

typedef struct answer {
    long found;
    set_hash set;   /* of the ids, whatever their order */
    set_hash order; /* in their order */
    double far;     /* sum of distances, or the part of a motion before the hit */
} answer;

typedef struct asking { /* of an entrant */
    int calls;          /* in a round; 0: it cannot answer */
    int differs;        /* so many of them have another answer */
    long found;         /* by all of them */
    double spent;       /* seconds */
    samples times;
} asking;

typedef struct search {
    contest c;
    workload w;
    double side, grid;     /* see above */
    const char *section;   /* of the tables, */
    double quantile, unit; /* in which times are this quantile of the samples, times unit */
    const row *r;
    asking asking[MOST_ENTRANTS];
    bench_motion motions[QUESTIONS]; /* what is asked: the boxes alone, or how they move */
    bench_box *windows;              /* their boxes, one after the other */
    int calls, at_once;              /* windows of a call, or 1 */
    float size;                      /* of circles; of windows, half a side */
    question questions[QUESTIONS];   /* of each call, made before its time is taken */
    answer expected[QUESTIONS];
} search;

static double width_of(const bench_box *box)
{
    return (double)box->max_x - (double)box->min_x;
}

static double height_of(const bench_box *box)
{
    return (double)box->max_y - (double)box->min_y;
}

/* ---- questions ------------------------------------------------------------------------------- */

static question question_of(const search *s, int call)
{
    question q;
    memset(&q, 0, sizeof q);
    q.of = s->r->of;
    q.k = s->r->k;
    q.distance = s->size;
    if (q.of == WINDOWS) {
        q.windows = s->windows + (size_t)call * (size_t)s->at_once;
        q.count = s->at_once;
        return q;
    }
    q.motion = s->motions[call];
    if (q.of == WINDOW || q.of == ANY || q.of == COUNT) q.motion.box = s->windows[call];
    return q;
}

static int is_slide(const search *s)
{
    return s->r->of == SLIDE || s->r->of == GLIDE;
}

static const entrant *believed(const search *s) /* of ours, the first that keeps boxes */
{
    return &s->c.entrants[1];
}

static long ask(const search *s, const entrant *x, const question *q)
{
    return x->by->ask(x->state, s->w.boxes, q);
}

static double on_grid(const search *s, double v)
{
    return floor(v / s->grid + 0.5) * s->grid;
}

static const bench_box *some_box(const search *s)
{
    return &s->w.boxes[(int)(random_uniform() * s->w.n)];
}

static void choose_place(const search *s, int i, double *x, double *y)
{
    const bench_box *box = some_box(s);
    double u = random_uniform(), v = random_uniform();
    if (i % 2 == 0) {
        *x = ((double)box->min_x + (double)box->max_x) / 2 + (2 * u - 1) * NEAR * s->side;
        *y = ((double)box->min_y + (double)box->max_y) / 2 + (2 * v - 1) * NEAR * s->side;
    } else {
        *x = (double)s->w.world.min_x + u * width_of(&s->w.world);
        *y = (double)s->w.world.min_y + v * height_of(&s->w.world);
    }
    *x = on_grid(s, *x);
    *y = on_grid(s, *y);
}

static void choose_free_place(const search *s, int i, double width, double height, bench_box *box)
{
    question q;
    double x, y;
    int k;
    memset(&q, 0, sizeof q);
    for (k = 0; k < TRIES; k++) {
        choose_place(s, i, &x, &y);
        set_box(box, x, y, width, height);
        q.motion.box = *box;
        if (ask(s, believed(s), &q) == 0) return;
    }
}

static void make_motion(const search *s, int i, bench_motion *m)
{
    const bench_box *like = some_box(s);
    const double angle = random_uniform() * 6.283185307179586, way = s->r->sides * s->side;
    const int has_size = s->r->makes == BOX;
    choose_free_place(s, i, has_size ? width_of(like) : 0, has_size ? height_of(like) : 0, &m->box);
    m->dx = (float)on_grid(s, cos(angle) * way);
    m->dy = (float)on_grid(s, sin(angle) * way);
}

/* From each of the four sides in turn. */
static void make_motion_across(const search *s, int i, bench_motion *m)
{
    const bench_box *world = &s->w.world;
    double width = width_of(world), height = height_of(world);
    double u = random_uniform(), v = random_uniform();
    double x = i & 1 ? i & 2 ? width : 0 : u * width, y = i & 1 ? u * height : i & 2 ? height : 0;
    double to_x = i & 1 ? width - x : v * width, to_y = i & 1 ? v * height : height - y;
    x = on_grid(s, (double)world->min_x + x), to_x = on_grid(s, (double)world->min_x + to_x);
    y = on_grid(s, (double)world->min_y + y), to_y = on_grid(s, (double)world->min_y + to_y);
    set_box(&m->box, x, y, 0, 0);
    m->dx = (float)(to_x - x);
    m->dy = (float)(to_y - y);
}

static void make_place(const search *s, int i, bench_motion *m)
{
    double x, y;
    choose_place(s, i, &x, &y);
    set_box(&m->box, x, y, 0, 0);
    m->dx = m->dy = 0;
}

/* Both ends of the ray lie on the same side of all boxes. */
static void make_motion_past(const search *s, int i, bench_motion *m)
{
    const double off = on_grid(s, (i & 1 ? 1.5 : -1.5) * width_of(&s->w.world));
    double x, y, to_x, to_y;
    choose_place(s, 1, &x, &y);
    choose_place(s, 1, &to_x, &to_y);
    set_box(&m->box, x + (i & 2 ? off : 0), y + (i & 2 ? 0 : off), 0, 0);
    m->dx = (float)(to_x - x);
    m->dy = (float)(to_y - y);
}

static void make_motion_into(const search *s, bench_motion *m)
{
    const bench_box *to = some_box(s);
    const double u = random_uniform(), v = random_uniform();
    choose_free_place(s, 1, 0, 0, &m->box);
    m->dx = (float)(on_grid(s, (double)to->min_x + u * width_of(to)) - (double)m->box.min_x);
    m->dy = (float)(on_grid(s, (double)to->min_y + v * height_of(to)) - (double)m->box.min_y);
}

/* The centre of a window that is a share of the world, and lies inside it. */
static void make_place_inside(const search *s, bench_motion *m)
{
    const bench_box *world = &s->w.world;
    const double part = 1 - sqrt(s->r->sides);
    double mid_x = ((double)world->min_x + (double)world->max_x) / 2, x;
    double mid_y = ((double)world->min_y + (double)world->max_y) / 2, y;
    choose_place(s, 1, &x, &y);
    set_box(&m->box, mid_x + part * (x - mid_x), mid_y + part * (y - mid_y), 0, 0);
}

static void set_windows(search *s)
{
    int i;
    for (i = 0; i < QUESTIONS; i++) {
        const bench_box *place = &s->motions[i].box;
        set_box(&s->windows[i], (double)place->min_x, (double)place->min_y, 2 * (double)s->size,
                2 * (double)s->size);
    }
}

static void choose_size(search *s)
{
    double low = 0, high = width_of(&s->w.world);
    int k, i;
    for (k = 0; k < 30; k++) {
        double found = 0;
        s->size = (float)((low + high) / 2);
        set_windows(s);
        for (i = 0; i < SAMPLE; i++) {
            const question q = question_of(s, i);
            found += (double)ask(s, believed(s), &q);
        }
        if (found < (double)MEAN_FOUND * SAMPLE)
            low = (double)s->size;
        else
            high = (double)s->size;
    }
}

static void make_movers(search *s)
{
    int i;
    for (i = 0; i < s->at_once; i++) {
        const bench_box *like = some_box(s);
        double x, y;
        choose_place(s, i, &x, &y);
        set_box(&s->windows[i], x, y, width_of(like), height_of(like));
    }
}

static void make_places(search *s)
{
    const int makes = s->r->makes;
    const double share = s->r->sides;
    int i;
    for (i = 0; i < QUESTIONS; i++) {
        bench_motion *m = &s->motions[i];
        if (makes == NO_RAY || makes == SHARE) make_place(s, i, m);
        if (makes == RAY || makes == BOX) make_motion(s, i, m);
        if (makes == ACROSS) make_motion_across(s, i, m);
        if (makes == PAST) make_motion_past(s, i, m);
        if (makes == INTO) make_motion_into(s, m);
        if (makes == INSIDE) make_place_inside(s, m);
    }
    if (makes == MOVERS) make_movers(s);
    if (makes == NO_RAY && s->r->of != NEAREST) choose_size(s);
    if (makes == SHARE || makes == PAST || makes == INSIDE)
        s->size = (float)((share > 0 ? sqrt(share) * width_of(&s->w.world) : s->side) / 2);
    if (s->r->of == WINDOW) set_windows(s);
}

static void make_questions(search *s)
{
    const int movers = s->r->makes == MOVERS;
    int i;
    s->at_once = s->r->of != WINDOWS ? 1 : movers ? s->w.n / 10 : AT_ONCE;
    s->calls = movers ? 1 : QUESTIONS / s->at_once;
    if (!s->r->again) make_places(s);
    for (i = 0; i < s->calls; i++) s->questions[i] = question_of(s, i);
}

/* ---- answers --------------------------------------------------------------------------------- */

/* Libraries that cannot answer about many windows at once are asked about one after another. */
static question window_of(const question *q, int i)
{
    question one = *q;
    one.of = WINDOW;
    one.motion.box = q->windows[i];
    return one;
}

static int can_answer(const search *s, const entrant *x)
{
    const question q = question_of(s, 0), one = q.of == WINDOWS ? window_of(&q, 0) : q;
    if (!x->state || !x->by->ask) return 0;
    return ask(s, x, &one) >= 0 || ask(s, x, &q) >= 0;
}

static long ask_or_in_turn(const search *s, const entrant *x, int call)
{
    const question *q = &s->questions[call];
    long found = ask(s, x, q);
    int i;
    if (found >= 0) return found;
    for (found = 0, i = 0; i < q->count; i++) {
        const question one = window_of(q, i);
        found += ask(s, x, &one);
    }
    return found;
}

static void judge(const search *s, int call, const int *ids, answer *a)
{
    const bench_motion *m = &s->motions[call];
    long i;
    if (s->r->of == COUNT) return;
    a->set = hash_ids(ids, a->found);
    a->order = 0;
    a->far = 0;
    for (i = 0; i < a->found && !is_slide(s); i++) {
        const bench_box *box = &s->w.boxes[ids[i]];
        float t = 0;
        a->order = a->order * 31 + (set_hash)(unsigned)ids[i] + 1;
        if (s->r->of == ANY) a->far += distance_square(&s->windows[call], box);
        if (s->r->of == NEAREST) a->far += sqrt(distance_square(&m->box, box));
        if (s->r->of == FIRST || s->r->of == VISIT) a->far += meets(m, box, &t) ? (double)t : 2;
    }
}

/* What the windows of a call have in them when they are asked for one by one. */
static answer pairs_in_turn(const search *s, const entrant *x, const question *q)
{
    answer a = {0, 0, 0, 0};
    int i;
    for (i = 0; i < q->count; i++) {
        const question one = window_of(q, i);
        long found = ask(s, x, &one), k;
        const int *ids = x->by->found(x->state);
        for (k = 0; k < found; k++) {
            int pair[2];
            pair[0] = i, pair[1] = ids[k];
            a.set += hash_pairs(pair, 1);
        }
        a.found += found;
    }
    return a;
}

static answer answer_of(const search *s, const entrant *x, int call)
{
    const question q = question_of(s, call);
    answer a = {0, 0, 0, 0};
    a.found = ask(s, x, &q);
    if (q.of == WINDOWS && a.found < 0) return pairs_in_turn(s, x, &q);
    if (q.of == WINDOWS)
        a.set = hash_pairs(x->by->found(x->state), a.found);
    else
        judge(s, call, x->by->found(x->state), &a);
    return a;
}

static int same_answers(const search *s, const answer *a, const answer *b, int ordered)
{
    const asked of = s->r->of;
    if (a->found != b->found) return 0;
    if (of != NEAREST && of != FIRST && of != VISIT && of != ANY && a->set != b->set) return 0;
    if (ordered && a->order != b->order) return 0;
    return fabs(a->far - b->far) <= 1e-6 * b->far; /* peers may round in another way */
}

/* Ours promise an order of these. */
static int is_ordered(const search *s)
{
    const asked of = s->r->of;
    return of == NEAREST || of == FIRST || of == VISIT || of == ALL;
}

/* ---- a loop over all boxes ------------------------------------------------------------------- */

typedef struct found_box {
    double key; /* by which they are ordered, and then by id */
    int id;
} found_box;

static int by_key(const void *a, const void *b)
{
    const found_box *x = (const found_box *)a, *y = (const found_box *)b;
    if (x->key < y->key || y->key < x->key) return x->key < y->key ? -1 : 1;
    return (x->id > y->id) - (x->id < y->id);
}

static int belongs(const question *q, const bench_box *box, double *key)
{
    float t = 0;
    int met;
    *key = 0;
    switch (q->of) {
    case WITHIN:
        return is_within(&q->motion.box, box, q->distance);
    case NEAREST:
        *key = distance_square(&q->motion.box, box);
        return 1;
    case FIRST:
    case VISIT:
    case ALL:
        met = meets(&q->motion, box, &t);
        *key = (double)t;
        return met;
    default:
        return !(distance_square(&q->motion.box, box) > 0);
    }
}

static answer brute_answer(const search *s, int call, found_box *room, int *ids)
{
    const question q = question_of(s, call);
    answer a = {0, 0, 0, 0};
    const int one = q.of == FIRST || q.of == VISIT || q.of == ANY;
    const long most = q.of == NEAREST ? q.k : one ? 1 : LONG_MAX;
    long count = 0, i;
    for (i = 0; i < s->w.n; i++) {
        if (!belongs(&q, &s->w.boxes[i], &room[count].key)) continue;
        room[count++].id = (int)i;
    }
    qsort(room, (size_t)count, sizeof *room, by_key);
    for (a.found = 0; a.found < count && a.found < most; a.found++) ids[a.found] = room[a.found].id;
    judge(s, call, ids, &a);
    return a;
}

/* A box that slides must not end inside a box that it was outside of, nor may a shape, by more than
   half its skin. */
static int slides_well(const search *s, int call, const int *bits)
{
    const bench_box *from = &s->motions[call].box;
    const double skin = s->r->of == GLIDE ? (double)BENCH_SKIN : 1e-5;
    const double width = width_of(from), height = height_of(from), slack = 0.51 * skin * width;
    const double radius = s->r->k == 1 ? fmin(width, height) / 2 - slack : 0;
    bench_box to;
    float x, y;
    int i;
    memcpy(&x, &bits[0], sizeof x), memcpy(&y, &bits[1], sizeof y);
    if (radius > 0)
        set_box(&to, (double)x + width / 2, (double)y + height / 2, 0, 0);
    else
        set_box(&to, (double)x + width / 2, (double)y + height / 2, width - 2 * slack,
                height - 2 * slack);
    for (i = 0; i < s->w.n; i++) {
        const bench_box *b = &s->w.boxes[i];
        if (distance_square(from, b) > 0 &&
            (radius > 0 ? distance_square(&to, b) < radius * radius
                        : to.min_x < b->max_x && b->min_x < to.max_x && to.min_y < b->max_y &&
                              b->min_y < to.max_y))
            return 0;
    }
    return 1;
}

static void compare_with_loop(const search *s)
{
    found_box *room = (found_box *)resized(NULL, (size_t)s->w.n + 1, sizeof *room);
    int *ids = (int *)resized(NULL, (size_t)s->w.n + 1, sizeof *ids), i;
    double begin = seconds();
    for (i = 0; i < QUESTIONS && (i < BRUTE || seconds() - begin < s->c.p->budget / 8); i++) {
        answer a = {0, 0, 0, 0};
        if (is_slide(s)) {
            const question q = question_of(s, i);
            (void)ask(s, believed(s), &q);
            if (slides_well(s, i, believed(s)->by->found(believed(s)->state))) continue;
        } else {
            a = brute_answer(s, i, room, ids);
            if (same_answers(s, &s->expected[i], &a, is_ordered(s))) continue;
        }
        give_up_on(s->r->name, "a loop over all boxes finds others");
    }
    free(room);
    free(ids);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* Pairs of many windows must be the same as of single ones. */
static void expect(search *s)
{
    int i;
    for (i = 0; i < s->calls; i++) {
        const question q = question_of(s, i);
        s->expected[i] =
            q.of == WINDOWS ? pairs_in_turn(s, believed(s), &q) : answer_of(s, believed(s), i);
    }
    if (s->r->of != WINDOWS) compare_with_loop(s);
}

/* Whether windows of a call, one after another, would take too long. */
static int is_slow(const search *s, const entrant *x)
{
    const question q = question_of(s, 0);
    const double begin = seconds();
    int i;
    if (q.of != WINDOWS || ask(s, x, &q) >= 0) return 0;
    for (i = 0; i < FEWEST; i++) {
        const question one = window_of(&q, i);
        (void)ask(s, x, &one);
    }
    return (seconds() - begin) / FEWEST * s->at_once > 4 * s->c.p->budget;
}

/* Compares answers, as many as the budget allows, and sets how many: these will be timed. */
static void warm_up(const search *s, entrant *x, asking *to)
{
    double begin = seconds();
    int i = 0;
    samples_free(&to->times);
    memset(to, 0, sizeof *to);
    if (x->state) x->trouble = FINE;
    if (!can_answer(s, x)) return;
    if (is_slow(s, x)) x->trouble = SLOW;
    if (x->trouble == SLOW) return;
    while (i < s->calls && (i * s->at_once < FEWEST || seconds() - begin < s->c.p->budget / 4)) {
        answer a = answer_of(s, x, i);
        to->found += a.found;
        to->differs += !same_answers(s, &a, &s->expected[i++], x->kind == OURS && is_ordered(s));
    }
    if (x->kind == OURS && to->differs) give_up_on(x->structure, s->r->name);
    to->calls = i;
}

static void time_round(const search *s, const entrant *x, asking *to)
{
    long found = 0;
    double begin = seconds(), time;
    int i;
    for (i = 0; i < to->calls; i++) found += ask_or_in_turn(s, x, i);
    time = seconds() - begin;
    if (found != to->found) give_up_on(x->structure, "answers something else when asked again");
    samples_add(&to->times, time / to->calls / s->at_once);
    to->spent += time;
}

static const samples *taken_by(const void *of, int k)
{
    return &((const asking *)of)[k].times;
}

static void print_question(search *s)
{
    const char *section = s->section;
    char table[200];
    double times[MOST_ENTRANTS], found = 0;
    int i, k;
    snprintf(table, sizeof table, "%s, %s", table_of(&s->w), row_of(s->c.p));
    for (i = 0; i < s->calls; i++) found += (double)s->expected[i].found;
    if (!is_slide(s))
        print_cell(section, table, s->r->name, "ids", "%s", number(found / s->calls / s->at_once));
    for (k = 0; k < s->c.count; k++) {
        entrant *x = &s->c.entrants[k];
        const asking *of = &s->asking[k];
        if (of->differs * FEW > of->calls) x->trouble = DIFFERS;
        times[k] = x->by->ask ? 0 : -1;
        if (of->times.count > 0) times[k] = samples_quantile(&of->times, s->quantile) * s->unit;
        if (x->trouble == FINE && of->differs > 0)
            printf("differs\t%s, %s: %s, %d of %d\n", table, name_of(x), s->r->name, of->differs,
                   of->calls);
    }
    print_row(&s->c, section, table, s->r->name, times, -1);
    print_ratios(&s->c, table, s->r->name, taken_by, s->asking);
}

static void ask_row(search *s, const row *r)
{
    int round, k;
    s->r = r;
    make_questions(s);
    expect(s);
    for (k = 0; k < s->c.count; k++) warm_up(s, &s->c.entrants[k], &s->asking[k]);
    for (round = 0; round < s->c.p->rounds; round++)
        for (k = 0; k < s->c.count; k++) {
            asking *to = &s->asking[k];
            if (to->calls > 0 && to->differs * FEW <= to->calls &&
                (round < 3 || to->spent < s->c.p->budget))
                time_round(s, &s->c.entrants[k], to);
        }
    print_question(s);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void ask_rows(search *s, const row *rows, size_t count)
{
    double inserting;
    size_t i;
    int k;
    for (k = 0; k < s->c.count; k++)
        if (s->c.entrants[k].by->ask)
            (void)entrant_open(&s->c, &s->c.entrants[k], &s->w, &inserting);
    for (i = 0; i < count; i++) ask_row(s, &rows[i]);
    for (k = 0; k < s->c.count; k++) entrant_close(&s->c.entrants[k]);
}

/* The grid leaves two bits of the 24 that a float has, for a ray may end outside the world. */
static void measure_boxes(search *s)
{
    double area = 0, reach = fmax(fabs((double)s->w.world.max_x), fabs((double)s->w.world.max_y));
    int i;
    for (i = 0; i < s->w.n; i++) area += width_of(&s->w.boxes[i]) * height_of(&s->w.boxes[i]);
    s->side = sqrt(area / s->w.n);
    s->grid = ldexp(1, (int)ceil(log2(reach)) - 22);
}

static void shrink_to_points(workload *w)
{
    int i;
    for (i = 0; i < w->n; i++) {
        bench_box *box = &w->boxes[i];
        set_box(box, ((double)box->min_x + (double)box->max_x) / 2,
                ((double)box->min_y + (double)box->max_y) / 2, 0, 0);
    }
}

static void open_search(search *s, const plan *p)
{
    entrant *x;
    contest_open(&s->c, p);
    contest_forecast(&s->c);
    x = &s->c.entrants[1]; /* its answers are needed, however slow it seemed; see believed */
    x->insert_forecast = x->frame_forecast = 0;
    workload_open(&s->w, p->workload, p->n, p->seed);
    s->windows = (bench_box *)resized(NULL, (size_t)(p->n / 10 + QUESTIONS), sizeof *s->windows);
    measure_boxes(s);
}

static void close_search(search *s)
{
    int k;
    for (k = 0; k < s->c.count; k++) samples_free(&s->asking[k].times);
    contest_close(&s->c);
    workload_close(&s->w);
    free(s->windows);
}

void job_questions(const plan *p)
{
    static search s;
    int k;
    s.section = "Questions", s.quantile = 0.5, s.unit = 1e6;
    open_search(&s, p);
    print_text(s.section, "Microseconds for one, of boxes that stand still; see "
                          "bench/questions.c. Windows at once and boxes that move");
    print_text(s.section, "are compared with windows of others one after another, where these "
                          "have nothing else.");
    ask_rows(&s, rows_of_boxes, sizeof rows_of_boxes / sizeof rows_of_boxes[0]);
    shrink_to_points(&s.w);
    for (k = 0; k < s.c.count; k++) s.c.entrants[k].trouble = FINE;
    ask_rows(&s, rows_of_points, sizeof rows_of_points / sizeof rows_of_points[0]);
    close_search(&s);
}

void job_small(const plan *p)
{
    static search s;
    s.section = "Small sets, misses, and counts", s.quantile = 0, s.unit = 1e9;
    open_search(&s, p);
    print_text(s.section, "Nanoseconds for one, minima, with the call through bench/subject.h; see "
                          "bench/questions.c. A window is");
    print_text(s.section, "counted by spt_query without a list.");
    if (p->n == 1) { /* then also of an empty structure */
        s.w.n = 0;
        ask_rows(&s, rows_of_small_sets, 4);
        s.w.n = 1;
    }
    ask_rows(&s, rows_of_small_sets, sizeof rows_of_small_sets / sizeof rows_of_small_sets[0]);
    close_search(&s);
}
