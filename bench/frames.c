/* See jobs.h. */
#include "contest.h"
#include "jobs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct runner {
    entrant *who;
    int quota; /* samples that it may take */
    int idle;  /* it has taken them, and was not told what moved since */
    samples frame, update, pairs;
    long found;             /* in the last frame */
    double bytes;           /* after it */
    long calls, warm_calls; /* for memory: up to it, and up to the first frame */
} runner;

typedef struct answer { /* what the broadphase finds */
    long found;         /* -1: it takes no part in this frame, for it has taken its samples */
    set_hash hash;
} answer;

typedef struct frame_race {
    const plan *p;
    contest c;
    workload w;
    runner *runners;
    int *all; /* ids */
} frame_race;

static void check_answer(runner *r, const answer *expected)
{
    entrant *x = r->who;
    const int *pairs = x->by->found(x->state);
    if (expected->found < 0) return;
    if (r->found == expected->found && hash_pairs(pairs, r->found) == expected->hash) return;
    if (x->kind == OURS) give_up_on(x->structure, "finds other pairs than the broadphase");
    x->trouble = DIFFERS;
    entrant_close(x);
}

static void take_frame(runner *r, const workload *w, double times[3])
{
    entrant *x = r->who;
    double begin, moved, end;
    entrant_begin(x);
    begin = seconds();
    if (x->keeps) entrant_move(x, w);
    moved = seconds();
    r->found = x->by->pairs(x->state, w->boxes, w->n);
    end = seconds();
    entrant_end(x);
    r->bytes = entrant_bytes(x, r->found);
    r->calls = entrant_calls(x);
    times[0] = end - begin;
    times[1] = moved - begin;
    times[2] = end - moved;
}

static void sample_frame(runner *r, const double times[3])
{
    samples_add(&r->frame, times[0]);
    samples_add(&r->update, times[1]);
    samples_add(&r->pairs, times[2]);
}

/* The first frame is not sampled, unless it is so slow that there is no other. */
static void warm_up(runner *r, const plan *p, const double times[3])
{
    double fit = p->budget / times[0];
    r->warm_calls = r->calls;
    r->quota = fit > p->rounds ? p->rounds : fit < 3 ? 3 : (int)fit;
    if (r->quota > p->rounds) r->quota = p->rounds;
    if (times[0] < p->budget) return;
    r->who->trouble = SLOW;
    r->quota = 1;
    sample_frame(r, times);
}

static void run_frame(frame_race *race, int f)
{
    answer expected = {-1, 0};
    int k;
    for (k = 0; k < race->c.count; k++) {
        runner *r = &race->runners[k];
        entrant *x = r->who;
        double times[3];
        if (!x->state || (f > 0 && r->frame.count >= r->quota)) {
            r->idle = 1;
            continue;
        }
        take_frame(r, &race->w, times);
        if (k == 0) {
            expected.found = r->found;
            expected.hash = hash_pairs(x->by->found(x->state), r->found);
        }
        if (f == 0)
            warm_up(r, race->p, times);
        else
            sample_frame(r, times);
        check_answer(r, &expected);
    }
}

/* ---- all frames of one share of moving boxes ------------------------------------------------- */

static void catch_up(frame_race *race, runner *r)
{
    entrant *x = r->who;
    if (x->trouble == SLOW) entrant_close(x); /* once is enough */
    if (!r->idle || !x->state) return;
    entrant_begin(x);
    if (x->keeps) x->by->move(x->state, race->w.boxes, race->w.n, race->all, race->w.n);
    entrant_end(x);
    r->idle = 0;
}

static void print_runner(const frame_race *race, const runner *r, int share)
{
    double each = 1e-9 * race->w.n;
    print_entrant(&race->c, "frame", race->w.n, share, r->who);
    printf("%d\t", r->frame.count);
    print_samples(&r->frame, each);
    print_samples(&r->update, each);
    print_samples(&r->pairs, each);
    printf("%.1f\t%ld\t%ld\n", r->bytes < 0 ? -1 : r->bytes / race->w.n,
           r->calls < 0 ? -1 : r->calls - r->warm_calls, r->found);
}

/* One that is slow has one sample, of its first frame: that compares with such another alone. */
static void print_ratios(const frame_race *race, int k, int share)
{
    const runner *then = &race->runners[k], *now;
    int newer = contest_newer(&race->c, k), n = race->w.n;
    if (newer < 0) return;
    now = &race->runners[newer];
    if (now->who->trouble != then->who->trouble) return;
    print_ratio(&race->c, n, share, now->who, "frame", &now->frame, &then->frame);
    if (!now->who->keeps) return;
    print_ratio(&race->c, n, share, now->who, "move and tidy", &now->update, &then->update);
    print_ratio(&race->c, n, share, now->who, "pairs", &now->pairs, &then->pairs);
}

static void run_share(frame_race *race, int every)
{
    int f, k;
    for (k = 0; k < race->c.count; k++) catch_up(race, &race->runners[k]);
    for (f = 0; f <= race->p->rounds; f++) {
        workload_move(&race->w, every);
        run_frame(race, f);
    }
    for (k = 0; k < race->c.count; k++) {
        runner *r = &race->runners[k];
        if (r->who->pairs) print_runner(race, r, 100 / every);
        print_ratios(race, k, 100 / every);
    }
    for (k = 0; k < race->c.count; k++) {
        runner *r = &race->runners[k];
        samples_free(&r->frame);
        samples_free(&r->update);
        samples_free(&r->pairs);
    }
}

static void begin(frame_race *race)
{
    int k;
    race->runners = (runner *)resized(NULL, (size_t)race->c.count, sizeof *race->runners);
    memset(race->runners, 0, (size_t)race->c.count * sizeof *race->runners);
    race->all = (int *)resized(NULL, (size_t)race->w.n, sizeof *race->all);
    for (k = 0; k < race->w.n; k++) race->all[k] = k;
    for (k = 0; k < race->c.count; k++) {
        double inserting;
        race->runners[k].who = &race->c.entrants[k];
        if (!race->runners[k].who->pairs) continue;
        (void)entrant_open(&race->c, race->runners[k].who, &race->w, &inserting);
    }
}

static void leave_out_those_that_grow(contest *c)
{
    int k;
    for (k = 0; k < c->count; k++)
        if (c->entrants[k].kind != PEER && strstr(c->entrants[k].structure, "(grows)"))
            c->entrants[k].pairs = 0;
}

static void run(const plan *p, int tenth, int versions)
{
    frame_race race;
    memset(&race, 0, sizeof race);
    race.p = p;
    contest_open(&race.c, p->workload, p->seed, p->budget);
    race.c.with_pairs = 1;
    if (versions) leave_out_those_that_grow(&race.c);
    contest_forecast(&race.c, p->n);
    workload_open(&race.w, p->workload, p->n, p->seed);
    begin(&race);
    run_share(&race, 1);
    if (tenth) run_share(&race, 10);
    contest_close(&race.c);
    workload_close(&race.w);
    free(race.runners);
    free(race.all);
}

void job_frames(const plan *p)
{
    run(p, 0, 0);
}

void job_tenth(const plan *p)
{
    run(p, 1, 0);
}

void job_versions(const plan *p)
{
    run(p, 0, 1);
}
