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

enum { FEWEST_ROUNDS = 3, MOST_JOBS = 4096, STEPS = 16 };
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

/* ---- rounds ---------------------------------------------------------------------------------- */

typedef struct team {
    const spt_box *boxes;
    spt_i32 n;
    spt_broadphase alone, two, noted[CREWS];
    spt_intlist pairs, found, roomy; /* roomy: so that worker 0 may find all */
    notes notes;
} team;

typedef struct timings {
    samples one, two;         /* wall clock */
    samples cpu;              /* one call, processor time */
    samples speed[CREWS];     /* computed */
    samples largest[CREWS], serial[CREWS];
} timings;

static void check(spt_i32 result)
{
    if (result < 0) give_up_on("spatial.h", spt_error_string((int)result));
}

static void compare(const team *t, const spt_intlist *found)
{
    spt_i32 n = spt_intlist_count(&t->pairs);
    if (n != spt_intlist_count(found) ||
        (n > 0 && memcmp(spt_intlist_data(&t->pairs), spt_intlist_data(found),
                         2 * (size_t)n * sizeof n) != 0))
        give_up("workers give other pairs, or in another order, than one call");
}

static void run_round(team *t, timings *into)
{
    double start = wall_seconds(), begun = thread_seconds(), cpu, all, jobs, spans, largest = 0;
    int k, i;
    check(spt_broadphase_pairs(&t->alone, t->boxes, t->n, NULL, &t->pairs));
    cpu = thread_seconds() - begun;
    samples_add(&into->one, wall_seconds() - start);
    samples_add(&into->cpu, cpu);
    start = wall_seconds();
    check(spt_broadphase_pairs(&t->two, t->boxes, t->n, NULL, &t->found));
    samples_add(&into->two, wall_seconds() - start);
    compare(t, &t->found);
    check(spt_intlist_reserve(&t->roomy, 2 * crews[CREWS - 1] * spt_intlist_count(&t->pairs)));
    for (k = 0; k < CREWS; k++) {
        t->notes.runs = t->notes.count = 0;
        begun = thread_seconds();
        check(spt_broadphase_pairs(&t->noted[k], t->boxes, t->n, NULL, &t->roomy));
        all = thread_seconds() - begun - 2 * t->notes.clock * t->notes.count;
        compare(t, &t->roomy);
        for (i = 0, jobs = 0; i < t->notes.count; i++) jobs += t->notes.taken[i];
        spans = all - jobs + makespan(&t->notes, crews[k], &largest);
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

static void print_timings(const plan *p, const team *t, const timings *of)
{
    static const char section[] = "Workers";
    const char *table = "";
    char row[160], column[40];
    int k;
    print_text(section,
               "Milliseconds of the wall clock for all pairs of boxes that stand still; then how "
               "many times as fast two threads are. Behind that, computed from how long each job "
               "takes on one thread, if each worker has a core and does not wait for memory: the "
               "same for more workers; and, with 16, the longest part beside the mean one.");
    snprintf(row, sizeof row, "%s, %s boxes", p->workload, grouped(t->n));
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

static void open_broadphase(spt_broadphase *bp, int count,
                            void (*run)(void *ctx, spt_job_fn job, void *arg, int n), void *ctx)
{
    spt_broadphase_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.workers.count = count;
    desc.workers.run = run;
    desc.workers.ctx = ctx;
    check(spt_broadphase_init(bp, &desc));
}

static void open_team(team *t, const workload *w, pool *two)
{
    int k;
    memset(t, 0, sizeof *t);
    t->boxes = (const spt_box *)(const void *)w->boxes;
    t->n = w->n;
    open_broadphase(&t->alone, 0, NULL, NULL);
    open_broadphase(&t->two, 2, pool_run, two);
    for (k = 0; k < CREWS; k++) open_broadphase(&t->noted[k], crews[k], run_noted, &t->notes);
    spt_intlist_init(&t->pairs, 2);
    spt_intlist_init(&t->found, 2);
    spt_intlist_init(&t->roomy, 2);
    time_the_clock(&t->notes);
}

static void close_team(team *t)
{
    int k;
    spt_intlist_free(&t->roomy);
    spt_intlist_free(&t->found);
    spt_intlist_free(&t->pairs);
    for (k = 0; k < CREWS; k++) spt_broadphase_free(&t->noted[k]);
    spt_broadphase_free(&t->two);
    spt_broadphase_free(&t->alone);
}

/* The first round, in which all memory grows, is not sampled. */
void job_threads(const plan *p)
{
    static team t;
    workload w;
    pool two;
    timings first, sampled;
    double start;
    int k;
    workload_open(&w, p->workload, p->n, p->seed);
    pool_open(&two, 2);
    open_team(&t, &w, &two);
    memset(&first, 0, sizeof first);
    memset(&sampled, 0, sizeof sampled);
    run_round(&t, &first);
    start = wall_seconds();
    for (k = 0; k < p->rounds; k++) {
        if (k >= FEWEST_ROUNDS && wall_seconds() - start > p->budget) break;
        run_round(&t, &sampled);
    }
    print_timings(p, &t, &sampled);
    free_timings(&first);
    free_timings(&sampled);
    close_team(&t);
    pool_close(&two);
    workload_close(&w);
}
#endif
