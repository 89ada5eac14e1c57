/* See jobs.h. Windows are squares; the centre of every other one is that of a box, those of the
   others are spread evenly over the world. */
#include "contest.h"
#include "jobs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 20, SIZES = 4 };

/* Of the world; and how many windows, about as many as take the same time in a million boxes. */
static const double areas[SIZES] = {1e-5, 1e-4, 1e-3, 1e-2};
static const int counts[SIZES] = {10000, 3000, 500, 100};

typedef struct answer { /* to a window */
    long found;
    set_hash hash;
} answer;

typedef struct search {
    const plan *p;
    contest c;
    workload w;
    samples *building, *searching; /* by entrant */
    bench_box *windows;
    answer *expected;
    int size, count; /* of the windows */
} search;

/* ---- building -------------------------------------------------------------------------------- */

/* As often as asked for, or until the time is up; the last one stays. */
static void build(search *s, int k)
{
    entrant *x = &s->c.entrants[k];
    double sum = 0;
    int i;
    if (!x->by->window || !x->keeps) return;
    for (i = 0; i < s->p->rounds && (i < 1 || sum < s->p->budget); i++) {
        double time;
        entrant_close(x);
        if (!entrant_open(&s->c, x, &s->w, &time)) return;
        samples_add(&s->building[k], time);
        sum += time;
    }
}

/* ---- windows --------------------------------------------------------------------------------- */

static void make_windows(search *s)
{
    double width = (double)s->w.world.max_x - (double)s->w.world.min_x;
    double height = (double)s->w.world.max_y - (double)s->w.world.min_y;
    double side = sqrt(width * height * areas[s->size]);
    int i;
    s->count = counts[s->size];
    s->windows = (bench_box *)resized(s->windows, (size_t)s->count, sizeof *s->windows);
    for (i = 0; i < s->count; i++) {
        double x = (double)s->w.world.min_x + random_uniform() * width;
        double y = (double)s->w.world.min_y + random_uniform() * height;
        if (i % 2 == 0) {
            const bench_box *box = &s->w.boxes[(int)(random_uniform() * s->w.n)];
            x = ((double)box->min_x + (double)box->max_x) / 2;
            y = ((double)box->min_y + (double)box->max_y) / 2;
        }
        set_box(&s->windows[i], x, y, side, side);
    }
}

static answer ask(const search *s, const entrant *x, int i)
{
    answer a;
    a.found = x->by->window(x->state, s->w.boxes, &s->windows[i]);
    a.hash = hash_ids(x->by->found(x->state), a.found);
    return a;
}

/* The first that keeps boxes is believed; it must be ours. */
static void expect(search *s)
{
    int k, i;
    for (k = 0; k < s->c.count && !s->c.entrants[k].state; k++) continue;
    if (k == s->c.count || s->c.entrants[k].kind != OURS)
        give_up("nothing to compare windows with");
    s->expected = (answer *)resized(s->expected, (size_t)s->count, sizeof *s->expected);
    for (i = 0; i < s->count; i++) s->expected[i] = ask(s, &s->c.entrants[k], i);
}

static int answers_differ(const search *s, entrant *x, int i)
{
    answer a = ask(s, x, i);
    if (a.found == s->expected[i].found && a.hash == s->expected[i].hash) return 0;
    if (x->kind == OURS) give_up_on(x->structure, "finds other ids in a window");
    x->trouble = DIFFERS;
    entrant_close(x);
    return 1;
}

/* Compares answers, as many as the budget allows, and returns how many: those will be timed. */
static int warm_up(const search *s, entrant *x)
{
    double begin = seconds();
    int i;
    for (i = 0; i < s->count; i++) {
        if (answers_differ(s, x, i)) return 0;
        if (i + 1 >= FEWEST && seconds() - begin > s->p->budget / 4) return i + 1;
    }
    return i;
}

static void time_windows(search *s, int k, int count)
{
    const entrant *x = &s->c.entrants[k];
    double begin = seconds(), end;
    long found = 0, expected = 0;
    int i;
    for (i = 0; i < count; i++) found += x->by->window(x->state, s->w.boxes, &s->windows[i]);
    end = seconds();
    for (i = 0; i < count; i++) expected += s->expected[i].found;
    if (found != expected) give_up_on(x->structure, "finds other ids when asked again");
    samples_add(&s->searching[k], (end - begin) / count);
}

static void print_searches(const search *s, const int *asked)
{
    double found = 0;
    int i, k;
    for (i = 0; i < s->count; i++) found += (double)s->expected[i].found / s->count;
    for (k = 0; k < s->c.count; k++) {
        const entrant *x = &s->c.entrants[k];
        if (!x->by->window || !x->keeps) continue;
        print_entrant(&s->c, "window", s->w.n, 0, x);
        printf("%g\t%d\t", areas[s->size], asked[k]);
        print_samples(&s->searching[k], 1e-9);
        print_samples(&s->building[k], 1e-9 * s->w.n);
        printf("%.1f\n", found);
    }
}

static void print_ratios(const search *s, int k)
{
    int newer = contest_newer(&s->c, k);
    char what[40];
    if (newer < 0) return;
    snprintf(what, sizeof what, "window of %g", areas[s->size]);
    print_ratio(&s->c, s->w.n, 0, &s->c.entrants[newer], what, &s->searching[newer],
                &s->searching[k]);
}

static void search_size(search *s)
{
    int *asked = (int *)resized(NULL, (size_t)s->c.count, sizeof *asked), i, k;
    make_windows(s);
    expect(s);
    for (k = 0; k < s->c.count; k++) {
        samples_free(&s->searching[k]);
        asked[k] = s->c.entrants[k].state ? warm_up(s, &s->c.entrants[k]) : 0;
    }
    for (i = 0; i < s->p->rounds; i++)
        for (k = 0; k < s->c.count; k++)
            if (asked[k] > 0) time_windows(s, k, asked[k]);
    print_searches(s, asked);
    for (k = 0; k < s->c.count; k++) print_ratios(s, k);
    free(asked);
}

void job_windows(const plan *p)
{
    search s;
    size_t bytes;
    int k;
    memset(&s, 0, sizeof s);
    s.p = p;
    contest_open(&s.c, p->workload, p->seed, p->budget);
    contest_forecast(&s.c, p->n);
    workload_open(&s.w, p->workload, p->n, p->seed);
    bytes = (size_t)s.c.count * sizeof(samples);
    s.building = (samples *)resized(NULL, bytes, 2);
    s.searching = s.building + s.c.count;
    memset(s.building, 0, 2 * bytes);
    for (k = 0; k < s.c.count; k++) build(&s, k);
    for (s.size = 0; s.size < SIZES; s.size++) search_size(&s);
    for (k = 0; k < 2 * s.c.count; k++) samples_free(&s.building[k]);
    contest_close(&s.c);
    workload_close(&s.w);
    free(s.building);
    free(s.windows);
    free(s.expected);
}
