/* Asks spatial.h and other libraries questions about boxes that stand still and prints lines of
   results with tabs between their fields. bench/run.sh runs it and makes tables of them.

     questions WORKLOAD BOXES ROUNDS BUDGET SEED     for workloads see workloads.h

   ROUNDS: most samples of anything; BUDGET: seconds for all samples of one question by one
   structure: slower ones get fewer. Compile with -DSUBJECTS='SUBJECT(spatial_asked)
   SUBJECT(x_asked) ...', ours first.

   A line `workload` with the name of the workload and what it is in plain words; then for each
   question and each structure that can be asked a line

     question: workload, boxes, 0, kind of structure (ours or peer), library, structure, fine or
               differs, question, calls in a round, how many of them had another answer, a question
               in nanoseconds as median, lower and upper quartile, ids found on average

   All structures are asked the same in one process, in turns; a sample is a round of all questions.
   What they answer is compared outside the timed parts: ours must give the same ids in the same
   order where that is promised, peers as many, or the same ids, or ids as far away. The first
   answers of ours are compared with what a loop over all boxes finds. If one of ours differs, the
   program gives up. Peers whose own tests round may miss a box that is barely touched: one answer
   in FEW may differ, and is told; a peer of which more differ is not timed.

   Places: every other one is near a box, up to NEAR box sides off along each axis, the others are
   anywhere in the world. A box side is the root of the mean area of a box. Rays and box casts begin
   where no box is, if such a place is found, for in a box all is over at once. All of these places
   are on a grid so fine that the end of a ray is exact, for some libraries want it. Circles and
   windows are of one size, such that MEAN_FOUND ids are found on average. */
#include "asked.h"
#include "asked/exact.h"
#include "measure.h"
#include "workloads.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SUBJECTS
#define SUBJECTS SUBJECT(spatial_asked)
#endif
#undef SUBJECT

#define SUBJECT(name) extern const asked name;
SUBJECTS
#undef SUBJECT

#define SUBJECT(name) &name,
static const asked *const libraries[] = {SUBJECTS NULL};

enum {
    QUESTIONS = 4000, /* in a round */
    FEWEST = 50,      /* in a round of a slow structure */
    AT_ONCE = 1000,   /* windows in a call */
    BRUTE = 12,       /* answers that are compared with those of a loop, at least */
    SAMPLE = 500,     /* questions that tell how many ids are found */
    MEAN_FOUND = 10,
    FEW = 500,
    TRIES = 50, /* to find a free place */
    NEAR = 3,
    MOST_ENTRANTS = 16
};

typedef enum kind { WINDOW, WINDOWS, WITHIN, NEAREST, FIRST, ALL } kind;

enum { NO_RAY, RAY, BOX, ACROSS }; /* ACROSS: a ray from one side of the world to the other */

typedef struct row {
    const char *name;
    kind of;
    int k;     /* of the nearest */
    int moves; /* one of the above, */
    int sides; /* so far */
    int again; /* asks what the row before it did */
} row;

static const row rows_of_boxes[] = {
    {"nearest 1", NEAREST, 1, NO_RAY, 0, 0},
    {"nearest 10", NEAREST, 10, NO_RAY, 0, 1},
    {"circle", WITHIN, 0, NO_RAY, 0, 0},
    {"ray, first hit", FIRST, 0, RAY, 50, 0},
    {"ray, all hits", ALL, 0, RAY, 50, 1},
    {"box cast, first hit", FIRST, 0, BOX, 10, 0},
    {"ray across the world, first hit", FIRST, 0, ACROSS, 0, 0},
    {"window", WINDOW, 0, NO_RAY, 0, 0},
    {"1,000 windows at once", WINDOWS, 0, NO_RAY, 0, 1},
};

static const row rows_of_points[] = {
    {"nearest 1 of points", NEAREST, 1, NO_RAY, 0, 0},
    {"nearest 10 of points", NEAREST, 10, NO_RAY, 0, 1},
    {"circle of points", WITHIN, 0, NO_RAY, 0, 0},
};

typedef struct answer {
    long found;
    set_hash set;   /* of the ids, whatever their order */
    set_hash order; /* in their order */
    double far;     /* sum of distances, or the part of a motion before the hit */
} answer;

typedef struct entrant {
    const asked *by;
    const char *structure;
    int ours;
    void *state; /* NULL: it takes no part */
    int calls;   /* in a round */
    int differs; /* so many of them have another answer */
    long found;  /* by all of them */
    samples times;
} entrant;

typedef struct search {
    const char *workload_name;
    workload w;
    double side, grid; /* see above */
    int rounds;
    double budget;
    entrant entrants[MOST_ENTRANTS];
    int count;
    const row *r;
    bench_motion motions[QUESTIONS]; /* what is asked: the boxes alone, or how they move */
    bench_box windows[QUESTIONS];    /* their boxes, one after the other */
    float size;                      /* of circles; of windows, half a side */
    answer expected[QUESTIONS];
} search;

/* ---- questions ------------------------------------------------------------------------------- */

static double on_grid(const search *s, double v)
{
    return floor(v / s->grid + 0.5) * s->grid;
}

static void choose_place(const search *s, int i, double *x, double *y)
{
    const bench_box *box = &s->w.boxes[(int)(random_uniform() * s->w.n)];
    double u = random_uniform(), v = random_uniform();
    if (i % 2 == 0) {
        *x = ((double)box->min_x + (double)box->max_x) / 2 + (2 * u - 1) * NEAR * s->side;
        *y = ((double)box->min_y + (double)box->max_y) / 2 + (2 * v - 1) * NEAR * s->side;
    } else {
        *x = (double)s->w.world.min_x + u * ((double)s->w.world.max_x - (double)s->w.world.min_x);
        *y = (double)s->w.world.min_y + v * ((double)s->w.world.max_y - (double)s->w.world.min_y);
    }
    *x = on_grid(s, *x);
    *y = on_grid(s, *y);
}

static void choose_free_place(const search *s, int i, double width, double height, bench_box *box)
{
    const entrant *ours = &s->entrants[0];
    int k;
    for (k = 0; k < TRIES; k++) {
        double x, y;
        choose_place(s, i, &x, &y);
        set_box(box, x, y, width, height);
        if (ours->by->window(ours->state, box) == 0) return;
    }
}

static void make_motion(const search *s, int i, bench_motion *m)
{
    const bench_box *like = &s->w.boxes[(int)(random_uniform() * s->w.n)];
    double angle = random_uniform() * 6.283185307179586, way = s->r->sides * s->side;
    double width = 0, height = 0;
    if (s->r->moves == BOX) {
        width = (double)like->max_x - (double)like->min_x;
        height = (double)like->max_y - (double)like->min_y;
    }
    choose_free_place(s, i, width, height, &m->box);
    m->dx = (float)on_grid(s, cos(angle) * way);
    m->dy = (float)on_grid(s, sin(angle) * way);
}

/* From each of the four sides in turn. */
static void make_motion_across(const search *s, int i, bench_motion *m)
{
    const bench_box *world = &s->w.world;
    double width = (double)world->max_x - (double)world->min_x;
    double height = (double)world->max_y - (double)world->min_y;
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

static void set_windows(search *s)
{
    int i;
    for (i = 0; i < QUESTIONS; i++) {
        const bench_box *place = &s->motions[i].box;
        set_box(&s->windows[i], (double)place->min_x, (double)place->min_y, 2 * (double)s->size,
                2 * (double)s->size);
    }
}

static double mean_found(search *s)
{
    const entrant *ours = &s->entrants[0];
    double sum = 0;
    int i;
    if (s->r->of == WINDOW) set_windows(s);
    for (i = 0; i < SAMPLE; i++)
        sum += (double)(s->r->of == WINDOW
                            ? ours->by->window(ours->state, &s->windows[i])
                            : ours->by->within(ours->state, &s->motions[i].box, s->size));
    return sum / SAMPLE;
}

static void choose_size(search *s)
{
    double low = 0, high = (double)s->w.world.max_x - (double)s->w.world.min_x;
    int k;
    for (k = 0; k < 30; k++) {
        s->size = (float)((low + high) / 2);
        if (mean_found(s) < MEAN_FOUND)
            low = (double)s->size;
        else
            high = (double)s->size;
    }
}

static void make_questions(search *s)
{
    int i;
    if (s->r->again) return;
    for (i = 0; i < QUESTIONS; i++) {
        bench_motion *m = &s->motions[i];
        if (s->r->moves == NO_RAY) make_place(s, i, m);
        if (s->r->moves == RAY || s->r->moves == BOX) make_motion(s, i, m);
        if (s->r->moves == ACROSS) make_motion_across(s, i, m);
    }
    if (s->r->of == WITHIN || s->r->of == WINDOW) choose_size(s);
}

static int in_a_call(const search *s)
{
    return s->r->of == WINDOWS ? AT_ONCE : 1;
}

/* ---- answers --------------------------------------------------------------------------------- */

static int can_answer(const search *s, const entrant *x)
{
    if (!x->state) return 0;
    switch (s->r->of) {
    case WINDOW:
    case WINDOWS:
        return x->by->window != NULL;
    case WITHIN:
        return x->by->within != NULL;
    case NEAREST:
        return x->by->nearest != NULL;
    case FIRST:
        return x->by->first != NULL;
    case ALL:
        return x->by->all != NULL;
    }
    return 0;
}

static long ask_in_turn(const entrant *x, const bench_box *windows)
{
    long found = 0;
    int i;
    for (i = 0; i < AT_ONCE; i++) found += x->by->window(x->state, &windows[i]);
    return found;
}

static long ask(const search *s, const entrant *x, int call)
{
    const bench_motion *m = &s->motions[call];
    switch (s->r->of) {
    case WINDOW:
        return x->by->window(x->state, &s->windows[call]);
    case WINDOWS: {
        const bench_box *windows = &s->windows[call * AT_ONCE];
        if (!x->by->windows) return ask_in_turn(x, windows);
        return x->by->windows(x->state, windows, AT_ONCE);
    }
    case WITHIN:
        return x->by->within(x->state, &m->box, s->size);
    case NEAREST:
        return x->by->nearest(x->state, &m->box, s->r->k);
    case FIRST:
        return x->by->first(x->state, m);
    case ALL:
        return x->by->all(x->state, m);
    }
    return 0;
}

static void judge(const search *s, int call, const int *ids, answer *a)
{
    const bench_motion *m = &s->motions[call];
    long i;
    a->set = hash_ids(ids, a->found);
    a->order = 0;
    a->far = 0;
    for (i = 0; i < a->found; i++) {
        const bench_box *box = &s->w.boxes[ids[i]];
        float t = 0;
        a->order = a->order * 31 + (set_hash)(unsigned)ids[i] + 1;
        if (s->r->of == NEAREST) a->far += sqrt(distance_square(&m->box, box));
        if (s->r->of == FIRST) a->far += meets(m, box, &t) ? (double)t : 2;
    }
}

/* What the windows of a call have in them when they are asked for one by one. */
static answer pairs_in_turn(const search *s, const entrant *x, int call)
{
    answer a = {0, 0, 0, 0};
    int i;
    for (i = 0; i < AT_ONCE; i++) {
        long found = x->by->window(x->state, &s->windows[call * AT_ONCE + i]), k;
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
    answer a = {0, 0, 0, 0};
    if (s->r->of == WINDOWS && !x->by->windows) return pairs_in_turn(s, x, call);
    a.found = ask(s, x, call);
    if (s->r->of == WINDOWS)
        a.set = hash_pairs(x->by->found(x->state), a.found);
    else
        judge(s, call, x->by->found(x->state), &a);
    return a;
}

static int same_answers(const search *s, const answer *a, const answer *b, int ordered)
{
    if (a->found != b->found) return 0;
    if (s->r->of != NEAREST && s->r->of != FIRST && a->set != b->set) return 0;
    if (ordered && a->order != b->order) return 0;
    return fabs(a->far - b->far) <= 1e-6 * b->far; /* peers may round in another way */
}

/* Ours promise an order of these. */
static int is_ordered(const search *s)
{
    return s->r->of == NEAREST || s->r->of == FIRST || s->r->of == ALL;
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

static int belongs(const search *s, int call, const bench_box *box, double *key)
{
    const bench_motion *m = &s->motions[call];
    float t = 0;
    int met;
    *key = 0;
    switch (s->r->of) {
    case WINDOW:
    case WINDOWS:
        return !(distance_square(&s->windows[call], box) > 0);
    case WITHIN:
        return is_within(&m->box, box, s->size);
    case NEAREST:
        *key = distance_square(&m->box, box);
        return 1;
    case FIRST:
    case ALL:
        met = meets(m, box, &t);
        *key = (double)t;
        return met;
    }
    return 0;
}

static answer brute_answer(const search *s, int call, found_box *room, int *ids)
{
    answer a = {0, 0, 0, 0};
    long most = s->r->of == NEAREST ? s->r->k : s->r->of == FIRST ? 1 : LONG_MAX, i;
    long count = 0;
    for (i = 0; i < s->w.n; i++) {
        if (!belongs(s, call, &s->w.boxes[i], &room[count].key)) continue;
        room[count++].id = (int)i;
    }
    qsort(room, (size_t)count, sizeof *room, by_key);
    for (a.found = 0; a.found < count && a.found < most; a.found++) ids[a.found] = room[a.found].id;
    judge(s, call, ids, &a);
    return a;
}

static void compare_with_loop(const search *s)
{
    found_box *room = (found_box *)resized(NULL, (size_t)s->w.n + 1, sizeof *room);
    int *ids = (int *)resized(NULL, (size_t)s->w.n, sizeof *ids), i;
    double begin = seconds();
    for (i = 0; i < QUESTIONS && (i < BRUTE || seconds() - begin < s->budget / 4); i++) {
        answer a = brute_answer(s, i, room, ids);
        if (!same_answers(s, &s->expected[i], &a, is_ordered(s)))
            give_up_on(s->r->name, "a loop over all boxes finds others");
    }
    free(room);
    free(ids);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/* The first of ours is believed. Pairs of many windows must be those of its single ones. */
static void expect(search *s)
{
    int calls = QUESTIONS / in_a_call(s), i;
    for (i = 0; i < calls; i++)
        s->expected[i] = s->r->of == WINDOWS ? pairs_in_turn(s, &s->entrants[0], i)
                                             : answer_of(s, &s->entrants[0], i);
    if (s->r->of != WINDOWS) compare_with_loop(s);
}

/* Compares answers, as many as the budget allows, and returns how many: those will be timed. */
static int warm_up(const search *s, entrant *x)
{
    int calls = QUESTIONS / in_a_call(s), i = 0;
    double begin = seconds();
    x->differs = 0;
    x->found = 0;
    while (i < calls && (i * in_a_call(s) < FEWEST || seconds() - begin < s->budget / 4)) {
        answer a = answer_of(s, x, i);
        x->found += a.found;
        x->differs += !same_answers(s, &a, &s->expected[i++], x->ours && is_ordered(s));
    }
    if (x->ours && x->differs) give_up_on(x->structure, s->r->name);
    return i;
}

static int differs_often(const entrant *x)
{
    return x->differs * FEW > x->calls;
}

static void time_round(const search *s, entrant *x)
{
    long found = 0;
    double begin = seconds(), end;
    int i;
    for (i = 0; i < x->calls; i++) found += ask(s, x, i);
    end = seconds();
    if (found != x->found) give_up_on(x->structure, "answers something else when asked again");
    samples_add(&x->times, (end - begin) / x->calls / in_a_call(s));
}

static double time_of(const samples *times)
{
    double sum = 0;
    int i;
    for (i = 0; i < times->count; i++) sum += times->values[i];
    return sum;
}

static void print_row(const search *s)
{
    int calls = QUESTIONS / in_a_call(s), i, k;
    double found = 0;
    for (i = 0; i < calls; i++) found += (double)s->expected[i].found / QUESTIONS;
    for (k = 0; k < s->count; k++) {
        const entrant *x = &s->entrants[k];
        if (!can_answer(s, x)) continue;
        printf("question\t%s\t%d\t0\t%s\t%s\t%s\t%s\t%s\t%d\t%d\t", s->workload_name, s->w.n,
               x->ours ? "ours" : "peer", x->by->library, x->structure,
               differs_often(x) ? "differs" : "fine", s->r->name, x->calls, x->differs);
        print_samples(&x->times, 1e-9);
        printf("%.2f\n", found);
    }
}

static void ask_row(search *s, const row *r)
{
    int round, k;
    s->r = r;
    make_questions(s);
    expect(s);
    for (k = 0; k < s->count; k++) {
        entrant *x = &s->entrants[k];
        samples_free(&x->times);
        x->calls = can_answer(s, x) ? warm_up(s, x) : 0;
    }
    for (round = 0; round < s->rounds; round++)
        for (k = 0; k < s->count; k++) {
            entrant *x = &s->entrants[k];
            double spent = time_of(&x->times) * x->calls * in_a_call(s);
            if (x->calls > 0 && !differs_often(x) && (round < 3 || spent < s->budget))
                time_round(s, x);
        }
    print_row(s);
    fflush(stdout);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void open_all(search *s)
{
    int l, k;
    s->count = 0;
    for (l = 0; libraries[l]; l++)
        for (k = 0; libraries[l]->structures[k]; k++) {
            entrant *x = &s->entrants[s->count++];
            if (s->count > MOST_ENTRANTS) give_up("too many structures");
            memset(x, 0, sizeof *x);
            x->by = libraries[l];
            x->structure = libraries[l]->structures[k];
            x->ours = l == 0;
            x->state = x->by->open(x->structure, &s->w.world, s->w.boxes, s->w.n);
            if (x->ours && !x->state) give_up_on(x->structure, "cannot keep the boxes");
        }
}

static void close_all(search *s)
{
    int k;
    for (k = 0; k < s->count; k++) {
        if (s->entrants[k].state) s->entrants[k].by->close(s->entrants[k].state);
        samples_free(&s->entrants[k].times);
    }
}

static void ask_rows(search *s, const row *rows, size_t count)
{
    size_t k;
    open_all(s);
    for (k = 0; k < count; k++) ask_row(s, &rows[k]);
    close_all(s);
}

/* The grid leaves two bits of the 24 that a float has, for a ray may end outside the world. */
static void measure_boxes(search *s)
{
    double area = 0, reach = fmax(fabs((double)s->w.world.max_x), fabs((double)s->w.world.max_y));
    int i;
    for (i = 0; i < s->w.n; i++) {
        const bench_box *box = &s->w.boxes[i];
        area +=
            ((double)box->max_x - (double)box->min_x) * ((double)box->max_y - (double)box->min_y);
    }
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

static int usage(void)
{
    fprintf(stderr, "usage: questions WORKLOAD BOXES ROUNDS BUDGET SEED\n");
    return 2;
}

int main(int argc, char **argv)
{
    search *s;
    int n;
    if (argc != 6) return usage();
    s = (search *)resized(NULL, 1, sizeof *s);
    memset(s, 0, sizeof *s);
    s->workload_name = argv[1];
    n = atoi(argv[2]);
    s->rounds = atoi(argv[3]);
    s->budget = strtod(argv[4], NULL);
    if (n < AT_ONCE || s->rounds < 1) return usage();
    workload_open(&s->w, argv[1], n, strtoul(argv[5], NULL, 10));
    printf("workload\t%s\t%s\n", argv[1], workload_plainly(argv[1]));
    measure_boxes(s);
    ask_rows(s, rows_of_boxes, sizeof rows_of_boxes / sizeof rows_of_boxes[0]);
    shrink_to_points(&s->w);
    ask_rows(s, rows_of_points, sizeof rows_of_points / sizeof rows_of_points[0]);
    workload_close(&s->w);
    free(s);
    return fflush(stdout) == 0 ? 0 : 1;
}
