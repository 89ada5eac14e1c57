/* See jobs.h. This job needs POSIX threads, which spatial.h does not use itself. It measures
   spatial.h alone, never beside another library or an old revision. Compile with -DNO_THREADS where
   there is no pthread.h. */
#define _POSIX_C_SOURCE 200112L
#ifndef NO_THREADS
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SPATIAL_STATIC
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "../examples/pool.h"
#endif
#include "contest.h"
#include "jobs.h"

#include <stdio.h>

#ifdef NO_THREADS
void job_threads(const plan *p)
{
    (void)p;
    printf("skip\tthreads: needs POSIX threads\n");
}
#else
static double thread_seconds(void) /* processor time: the pool's other thread does not count */
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

enum { FEWEST_ROUNDS = 3, MOST_JOBS = 768, STEPS = 4 }; /* of a call */
static const int crews[] = {2, 4, 8, 16}; /* workers, as computed */
enum { CREWS = sizeof crews / sizeof crews[0] };

/* ---- one thread that notes how long each job takes ------------------------------------------- */

typedef struct notes {
    double taken[MOST_JOBS]; /* by job, run by run */
    int jobs[STEPS];         /* of each run */
    int runs, count;         /* runs and jobs in all */
    double clock;            /* seconds that asking the clock takes */
} notes;

/* Worker 0 does all jobs, and the cache keeps its scratch: each core has its own. */
static void run_noted(void *ctx, spt_job_fn job, void *arg, int n)
{
    notes *t = (notes *)ctx;
    int i;
    if (t->runs == STEPS || n > MOST_JOBS - t->count) give_up("more jobs than there is room for");
    t->jobs[t->runs++] = n;
    for (i = 0; i < n; i++) {
        double start = thread_seconds();
        job(arg, i, 0);
        t->taken[t->count++] = thread_seconds() - start - t->clock;
    }
}

static void time_the_clock(notes *t)
{
    double start = thread_seconds();
    int i;
    for (i = 0; i < 10000; i++) (void)thread_seconds();
    t->clock = (thread_seconds() - start) / 10000;
}

/* How long the runs take with so many workers, each taking the next job when it is done. *largest:
   the longest job of a run beside the mean, in the run with the most jobs in time. */
static double makespan(const notes *t, int workers, double *largest)
{
    double total = 0, most_time = 0;
    const double *taken = t->taken;
    int run, i, k, next;
    for (run = 0; run < t->runs; taken += t->jobs[run++]) {
        double done[64] = {0}, sum = 0, most = 0, last = 0;
        for (i = 0; i < t->jobs[run]; i++) {
            for (k = 1, next = 0; k < workers; k++)
                if (done[k] < done[next]) next = k;
            done[next] += taken[i];
            sum += taken[i];
            if (done[next] > last) last = done[next];
            if (taken[i] > most) most = taken[i];
        }
        total += last;
        if (sum > most_time) most_time = sum, *largest = most * t->jobs[run] / sum;
    }
    return total;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* By the thread that calls, by two threads, and by one that notes the jobs of each crew. */
enum { ALONE, TWO, NOTED, TEAMS = NOTED + CREWS };

typedef struct team {
    spt_broadphase broadphase;
    spt_index linear;
    spt_intlist out; /* noted: room for more, so that worker 0 may find all */
} team;

typedef struct bench {
    const spt_box *boxes;
    spt_i32 n;
    int linear; /* 1: by linear indexes, else by broadphases */
    team teams[TEAMS];
    notes notes;
} bench;

static void check(spt_i32 result)
{
    if (result < 0) give_up_on("spatial.h", spt_error_string((int)result));
}

static void run_call(bench *b, int k)
{
    team *t = &b->teams[k];
    if (b->linear) check(spt_pairs(&t->linear, NULL, &t->out));
    else check(spt_broadphase_pairs(&t->broadphase, b->boxes, b->n, NULL, &t->out));
}

/* All teams have the same results, broadphases in the same order. */
static void compare(const bench *b, int k)
{
    const spt_intlist *out = &b->teams[k].out, *alone = &b->teams[ALONE].out;
    const spt_i32 n = spt_intlist_count(alone);
    const spt_i32 *ids = spt_intlist_data(out), *expected = spt_intlist_data(alone);
    if (spt_intlist_count(out) != n ||
        (b->linear ? hash_pairs(ids, n) != hash_pairs(expected, n)
                   : n > 0 && memcmp(ids, expected, 2 * (size_t)n * sizeof n) != 0))
        give_up("workers give other results, or in another order, than one call");
}

/* ---- rounds ---------------------------------------------------------------------------------- */

typedef struct timings {
    samples one, two;         /* wall clock */
    samples cpu;              /* one call, processor time */
    samples speed[CREWS];     /* computed */
    samples largest[CREWS], serial[CREWS];
} timings;

static void run_round(bench *b, timings *into)
{
    const notes *of = &b->notes;
    double start = wall_seconds(), begun = thread_seconds(), cpu, all, jobs, spans, largest = 0;
    int k, i;
    run_call(b, ALONE);
    cpu = thread_seconds() - begun;
    samples_add(&into->one, wall_seconds() - start);
    samples_add(&into->cpu, cpu);
    start = wall_seconds();
    run_call(b, TWO);
    samples_add(&into->two, wall_seconds() - start);
    compare(b, TWO);
    for (k = 0; k < CREWS; k++) {
        spt_intlist *out = &b->teams[NOTED + k].out;
        check(spt_intlist_reserve(out, 2 * crews[k] * spt_intlist_count(&b->teams[ALONE].out)));
        b->notes.runs = b->notes.count = 0;
        begun = thread_seconds();
        run_call(b, NOTED + k);
        all = thread_seconds() - begun - 2 * of->clock * of->count;
        compare(b, NOTED + k);
        for (i = 0, jobs = 0; i < of->count; i++) jobs += of->taken[i];
        spans = all - jobs + makespan(of, crews[k], &largest);
        samples_add(&into->speed[k], cpu / spans);
        samples_add(&into->largest[k], largest);
        samples_add(&into->serial[k], (all - jobs) / cpu);
    }
}

static void free_timings(timings *t)
{
    int k;
    samples_free(&t->one);
    samples_free(&t->two);
    samples_free(&t->cpu);
    for (k = 0; k < CREWS; k++) {
        samples_free(&t->speed[k]);
        samples_free(&t->largest[k]);
        samples_free(&t->serial[k]);
    }
}

static void print_timings(const plan *p, const bench *b, const timings *of)
{
    static const char section[] = "Workers";
    const char *table = "";
    char row[160], column[40];
    int k;
    print_text(section,
               "Milliseconds of the wall clock for one call with boxes that stand still; then how "
               "many times as fast two threads are. Behind that, computed from how long each job "
               "takes on one thread, if each worker has a core and does not wait for memory: the "
               "same for more workers; and, with 16, the longest part beside the mean one.");
    snprintf(row, sizeof row, "%s, %s boxes, %s", p->workload, grouped(b->n),
             b->linear ? "linear" : "broadphase");
    print_cell(section, table, row, "one thread", "%s",
               number(samples_quantile(&of->one, 0.5) * 1e3));
    print_cell(section, table, row, "two workers", "%s",
               number(samples_quantile(&of->two, 0.5) * 1e3));
    print_cell(section, table, row, "speed", "%s", number(samples_ratio(&of->one, &of->two)));
    for (k = 0; k < CREWS; k++) {
        snprintf(column, sizeof column, "%d, computed", crews[k]);
        print_cell(section, table, row, column, "%s",
                   number(samples_quantile(&of->speed[k], 0.5)));
    }
    print_cell(section, table, row, "serial share with 16", "%s %%",
               number(100 * samples_quantile(&of->serial[CREWS - 1], 0.5)));
    print_cell(section, table, row, "longest part", "%s",
               number(samples_quantile(&of->largest[CREWS - 1], 0.5)));
}

static void open_team(team *t, const spt_workers *workers, const bench *b)
{
    spt_broadphase_desc broadphase;
    spt_linear_desc linear;
    memset(&linear, 0, sizeof linear);
    linear.workers = *workers;
    check(spt_linear_init(&t->linear, &linear));
    check(spt_build(&t->linear, b->boxes, b->n));
    memset(&broadphase, 0, sizeof broadphase);
    broadphase.workers = *workers;
    check(spt_broadphase_init(&t->broadphase, &broadphase));
    spt_intlist_init(&t->out, 2);
}

static void close_team(team *t)
{
    spt_broadphase_free(&t->broadphase);
    spt_free(&t->linear);
    spt_intlist_free(&t->out);
}

/* The first round, in which all memory grows, is not sampled. */
static void measure(bench *b, const plan *p)
{
    timings first, sampled;
    double start;
    int k;
    memset(&first, 0, sizeof first);
    memset(&sampled, 0, sizeof sampled);
    run_round(b, &first);
    start = wall_seconds();
    for (k = 0; k < p->rounds; k++) {
        if (k >= FEWEST_ROUNDS && wall_seconds() - start > p->budget) break;
        run_round(b, &sampled);
    }
    print_timings(p, b, &sampled);
    free_timings(&first);
    free_timings(&sampled);
}

void job_threads(const plan *p)
{
    static bench b;
    workload w;
    pool two;
    spt_workers workers;
    int k;
    workload_open(&w, p->workload, p->n, p->seed);
    memset(&b, 0, sizeof b);
    b.boxes = (const spt_box *)(const void *)w.boxes;
    b.n = w.n;
    pool_open(&two, 2);
    time_the_clock(&b.notes);
    for (k = 0; k < TEAMS; k++) {
        workers.count = k == ALONE ? 0 : k == TWO ? 2 : crews[k - NOTED];
        workers.run = k == TWO ? pool_run : run_noted;
        workers.ctx = k == TWO ? (void *)&two : (void *)&b.notes;
        open_team(&b.teams[k], &workers, &b);
    }
    for (b.linear = 0; b.linear < 2; b.linear++) measure(&b, p);
    for (k = 0; k < TEAMS; k++) close_team(&b.teams[k]);
    pool_close(&two);
    workload_close(&w);
}
#endif
