/* See jobs.h. Frames of few boxes, as of a small game: all boxes move, then come all pairs, windows
   and rays. So short a time is taken of many frames after one another, each with places of its own,
   made before. All structures must find as much as the first of ours. */
#include "contest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char section[] = "Small frames";

enum { FRAMES = 64, ASKED = 20 }; /* in a sample; windows, and as many rays, in a frame */

typedef struct tick { /* a frame */
    bench_box *boxes;
    question windows[ASKED], rays[ASKED];
} tick;

typedef struct race {
    contest c;
    workload w;
    tick ticks[FRAMES];
    int asked; /* questions in a frame: the windows, or these and the rays, which not all have */
    samples taken[MOST_ENTRANTS];
    long found; /* by the first of ours that keeps boxes, in all frames; 0: not yet known */
} race;

/* The windows and the rays are some boxes long. */
static void make_ticks(race *r)
{
    const bench_box *world = &r->w.world;
    const double side = sqrt(((double)world->max_x - (double)world->min_x) *
                             ((double)world->max_y - (double)world->min_y) / r->w.n);
    int f, i;
    for (f = 0; f < FRAMES; f++) {
        tick *t = &r->ticks[f];
        const size_t bytes = (size_t)r->w.n * sizeof *t->boxes;
        workload_move(&r->w, 1);
        t->boxes = (bench_box *)resized(NULL, (size_t)r->w.n, sizeof *t->boxes);
        memcpy(t->boxes, r->w.boxes, bytes);
        for (i = 0; i < ASKED; i++) {
            const bench_box *b = &t->boxes[(int)(random_uniform() * r->w.n)];
            const double angle = random_uniform() * 6.283185307179586;
            question *q = &t->windows[i];
            memset(q, 0, sizeof *q);
            q->of = WINDOW;
            set_box(&q->motion.box, (double)b->min_x, (double)b->min_y, side, side);
            q = &t->rays[i];
            memset(q, 0, sizeof *q);
            q->of = FIRST;
            set_box(&q->motion.box, (double)b->min_x - side / 2, (double)b->max_y, 0, 0);
            q->motion.dx = (float)(cos(angle) * 4 * side);
            q->motion.dy = (float)(sin(angle) * 4 * side);
        }
    }
}

/* Returns how much it finds in all frames; -1: it cannot answer. */
static long run_frames(race *r, entrant *x)
{
    const subject *by = x->by;
    long found = 0, one;
    int f, i;
    for (f = 0; f < FRAMES; f++) {
        const tick *t = &r->ticks[f];
        if (x->keeps) by->move(x->state, t->boxes, r->w.n, r->w.ids, r->w.n);
        if (x->keeps && by->tidy) by->tidy(x->state);
        found += by->pairs(x->state, t->boxes, r->w.n);
        for (i = 0; i < r->asked; i++) {
            one = by->ask(x->state, t->boxes, i < ASKED ? &t->windows[i] : &t->rays[i - ASKED]);
            if (one < 0) return -1;
            found += one;
        }
    }
    return found;
}

static void run_entrant(race *r, int k, int round)
{
    entrant *x = &r->c.entrants[k];
    double time;
    long found;
    if (!x->state || !x->by->ask) return;
    time = seconds();
    found = run_frames(r, x);
    time = seconds() - time;
    if (x->kind == OURS && found > 0 && r->found == 0) r->found = found;
    if (found == r->found) {
        if (round > 0) samples_add(&r->taken[k], time / FRAMES);
        return;
    }
    if (x->kind == OURS && found >= 0) give_up_on(x->structure, "finds more or less than another");
    x->trouble = found < 0 ? REFUSES : DIFFERS;
    entrant_close(x);
}

static const samples *taken_by(const void *of, int k)
{
    return &((const race *)of)->taken[k];
}

static void run_race(race *r, int questions)
{
    double times[MOST_ENTRANTS], inserting, begin;
    char row[80];
    int round, k;
    r->asked = questions, r->found = 0;
    for (k = 0; k < r->c.count; k++) {
        r->c.entrants[k].trouble = FINE;
        if (r->c.entrants[k].pairs) (void)entrant_open(&r->c, &r->c.entrants[k], &r->w, &inserting);
    }
    begin = seconds();
    for (round = 0; round <= r->c.p->rounds; round++) {
        if (round > 3 && seconds() - begin > r->c.p->budget) break;
        for (k = 0; k < r->c.count; k++) run_entrant(r, k, round);
    }
    snprintf(row, sizeof row, "%s boxes, 20 windows%s", grouped(r->w.n),
             questions > ASKED ? " and 20 rays" : "");
    for (k = 0; k < r->c.count; k++)
        times[k] = r->taken[k].count > 0 ? samples_quantile(&r->taken[k], 0.5) * 1e6 : -1;
    print_row(&r->c, section, "", row, times, -1);
    print_ratios(&r->c, section, row, taken_by, r);
    for (k = 0; k < r->c.count; k++) {
        samples_free(&r->taken[k]);
        entrant_close(&r->c.entrants[k]);
    }
}

void job_ticks(const plan *p)
{
    static race r;
    int f;
    memset(&r, 0, sizeof r);
    contest_open(&r.c, p);
    r.c.with_pairs = 1;
    contest_forecast(&r.c);
    workload_open(&r.w, p->workload, p->n, p->seed);
    make_ticks(&r);
    print_text(section, "Microseconds a frame: to move all boxes, tidy, find all pairs, and answer "
                        "20 windows, or these and 20 rays; of each other library its best "
                        "structure. Squares of one size, spread evenly.");
    run_race(&r, ASKED);
    run_race(&r, 2 * ASKED);
    for (f = 0; f < FRAMES; f++) free(r.ticks[f].boxes);
    contest_close(&r.c);
    workload_close(&r.w);
}
