/* See jobs.h. */
#include "contest.h"
#include "jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct timing {
    samples insert, move, remove;
    double spent; /* seconds */
} timing;

static void sample(timing *t, samples *s, double time)
{
    samples_add(s, time);
    t->spent += time;
}

static void time_move(entrant *x, const workload *w, timing *t)
{
    double start = seconds();
    entrant_move(x, w);
    sample(t, &t->move, seconds() - start);
}

static void time_remove(entrant *x, const workload *w, timing *t)
{
    double start = seconds();
    if (!x->by->remove) return;
    x->by->remove(x->state, w->boxes, w->n);
    if (x->by->tidy) x->by->tidy(x->state);
    sample(t, &t->remove, seconds() - start);
}

/* Some peers do part of what a move takes only when they are searched; that is in the frames. */
static void run_round(contest *c, workload *w, timing *timings, const plan *p)
{
    int k;
    for (k = 0; k < c->count; k++) {
        entrant *x = &c->entrants[k];
        double time;
        if (!x->keeps || timings[k].spent > p->budget || x->trouble != FINE) continue;
        if (entrant_open(c, x, w, &time)) sample(&timings[k], &timings[k].insert, time);
    }
    workload_move(w, 1);
    for (k = 0; k < c->count; k++) {
        entrant *x = &c->entrants[k];
        if (!x->state) continue;
        time_move(x, w, &timings[k]);
        time_remove(x, w, &timings[k]);
        entrant_close(x);
    }
}

static void print_timing(const contest *c, const workload *w, const entrant *x, const timing *t)
{
    double each = 1e-9 * w->n;
    print_entrant(c, "update", w->n, 100, x);
    printf("%d\t", t->insert.count);
    print_samples(&t->insert, each);
    print_samples(&t->move, each);
    print_samples(&t->remove, each);
    printf("\n");
}

static void print_ratios(const contest *c, const workload *w, int k, const timing *timings)
{
    const timing *then = &timings[k], *now;
    const entrant *x;
    int newer = contest_newer(c, k);
    if (newer < 0) return;
    x = &c->entrants[newer];
    now = &timings[newer];
    print_ratio(c, w->n, 100, x, "insert", &now->insert, &then->insert);
    print_ratio(c, w->n, 100, x, "move", &now->move, &then->move);
    print_ratio(c, w->n, 100, x, "remove", &now->remove, &then->remove);
}

void job_updates(const plan *p)
{
    contest c;
    workload w;
    timing *timings;
    int i, k;
    contest_open(&c, p->workload, p->seed, p->budget);
    contest_forecast(&c, p->n);
    workload_open(&w, p->workload, p->n, p->seed);
    timings = (timing *)resized(NULL, (size_t)c.count, sizeof *timings);
    memset(timings, 0, (size_t)c.count * sizeof *timings);
    for (i = 0; i < p->rounds; i++) run_round(&c, &w, timings, p);
    for (k = 0; k < c.count; k++) {
        if (c.entrants[k].keeps) print_timing(&c, &w, &c.entrants[k], &timings[k]);
        print_ratios(&c, &w, k, timings);
    }
    for (k = 0; k < c.count; k++) {
        samples_free(&timings[k].insert);
        samples_free(&timings[k].move);
        samples_free(&timings[k].remove);
    }
    contest_close(&c);
    workload_close(&w);
    free(timings);
}
