/* See jobs.h. A program of the user's own: spatial.h has no threads, so this one brings POSIX's. Of
   what is measured elsewhere it knows nothing, and always takes spatial.h as it is. Compile with
   -DNO_THREADS where there is no pthread.h. */
#define _POSIX_C_SOURCE 200112L
#ifndef NO_THREADS
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define SPATIAL_STATIC
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
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
enum { THREADS = 2, PARTS = 16, FEWEST_ROUNDS = 3 };

typedef struct team {
    const spt_box *boxes;
    spt_i32 n;
    spt_broadphase whole, divided;
    spt_intlist pairs;        /* of the whole */
    spt_intlist found[PARTS]; /* a list a part: whoever takes the part writes it */
    int parts;                /* of the last split */
    int next;                 /* part that nobody has taken yet; only with the lock */
    pthread_mutex_t lock;
} team;

typedef struct worker {
    team *of;
    void *scratch;
    size_t bytes; /* of it */
    int error;
} worker;

typedef struct timings {
    samples whole, one, two, split;
} timings;

static void check(spt_i32 result)
{
    if (result < 0) give_up_on("spatial.h", spt_error_string((int)result));
}

static int take_part(team *t)
{
    int part;
    pthread_mutex_lock(&t->lock);
    part = t->next++;
    pthread_mutex_unlock(&t->lock);
    return part;
}

static void *work(void *argument)
{
    worker *w = (worker *)argument;
    team *t = w->of;
    int part;
    w->error = SPT_OK;
    while (w->error == SPT_OK && (part = take_part(t)) < t->parts) {
        spt_i32 found = spt_broadphase_part(&t->divided, part, w->scratch, NULL, &t->found[part]);
        if (found < 0) w->error = (int)found;
    }
    return NULL;
}

/* The scratch is made once, in the round that is not sampled. */
static void divide(team *t, worker *workers, int count)
{
    size_t bytes;
    int k;
    t->parts = spt_broadphase_split(&t->divided, t->boxes, t->n, PARTS);
    check(t->parts);
    t->next = 0;
    bytes = spt_broadphase_part_bytes(&t->divided);
    for (k = 0; k < count; k++) {
        if (bytes <= workers[k].bytes) continue;
        workers[k].scratch = resized(workers[k].scratch, bytes, 1);
        workers[k].bytes = bytes;
    }
}

/* The first worker is the thread that calls. */
static void run_parts(worker *workers, int count)
{
    pthread_t threads[THREADS];
    int k;
    for (k = 1; k < count; k++)
        if (pthread_create(&threads[k], NULL, work, &workers[k]) != 0)
            give_up("a thread cannot be started");
    (void)work(&workers[0]);
    for (k = 1; k < count; k++) (void)pthread_join(threads[k], NULL);
    for (k = 0; k < count; k++) check(workers[k].error);
}

static void compare(const team *t)
{
    const spt_i32 *expected = spt_intlist_data(&t->pairs);
    spt_i32 left = spt_intlist_count(&t->pairs);
    int part;
    for (part = 0; part < t->parts; part++) {
        spt_i32 count = spt_intlist_count(&t->found[part]);
        size_t bytes = 2 * (size_t)count * sizeof *expected;
        if (count > left ||
            (bytes > 0 && memcmp(spt_intlist_data(&t->found[part]), expected, bytes) != 0))
            give_up("the parts give other pairs, or in another order, than one call");
        if (count > 0) expected += 2 * (size_t)count;
        left -= count;
    }
    if (left > 0) give_up("the parts give fewer pairs than one call");
}

static void run_whole(team *t, samples *whole)
{
    double start = wall_seconds();
    check(spt_broadphase_pairs(&t->whole, t->boxes, t->n, NULL, &t->pairs));
    samples_add(whole, wall_seconds() - start);
}

static void run_divided(team *t, worker *workers, int count, samples *all, samples *split)
{
    double start = wall_seconds(), divided;
    divide(t, workers, count);
    divided = wall_seconds();
    run_parts(workers, count);
    samples_add(all, wall_seconds() - start);
    if (split) samples_add(split, divided - start);
    compare(t);
}

static void run_round(team *t, worker *workers, timings *into)
{
    run_whole(t, &into->whole);
    run_divided(t, workers, 1, &into->one, NULL);
    run_divided(t, workers, THREADS, &into->two, &into->split);
}

static void free_timings(timings *t)
{
    samples_free(&t->whole);
    samples_free(&t->one);
    samples_free(&t->two);
    samples_free(&t->split);
}

static void print_timings(const plan *p, const team *t, const timings *of)
{
    static const char section[] = "Threads";
    const char *table = "";
    char row[160];
    print_text(section, "Milliseconds of the wall clock for all pairs of boxes that stand still; "
                        "speeds are those of one call's.");
    snprintf(row, sizeof row, "%s, %s boxes", p->workload, grouped(t->n));
    print_cell(section, table, row, "one call", "%s",
               number(samples_quantile(&of->whole, 0.5) * 1e3));
    print_cell(section, table, row, "parts on 1 thread", "%s",
               number(samples_quantile(&of->one, 0.5) * 1e3));
    print_cell(section, table, row, "on 2 threads", "%s",
               number(samples_quantile(&of->two, 0.5) * 1e3));
    print_cell(section, table, row, "of that the split", "%s",
               number(samples_quantile(&of->split, 0.5) * 1e3));
    print_cell(section, table, row, "speed of 1", "%s",
               number(samples_ratio(&of->whole, &of->one)));
    print_cell(section, table, row, "speed of 2", "%s",
               number(samples_ratio(&of->whole, &of->two)));
}

static void open_team(team *t, const workload *w)
{
    int part;
    memset(t, 0, sizeof *t);
    t->boxes = (const spt_box *)(const void *)w->boxes;
    t->n = w->n;
    if (pthread_mutex_init(&t->lock, NULL) != 0) give_up("there is no lock");
    check(spt_broadphase_init(&t->whole, NULL));
    check(spt_broadphase_init(&t->divided, NULL));
    spt_intlist_init(&t->pairs, 2);
    for (part = 0; part < PARTS; part++) spt_intlist_init(&t->found[part], 2);
}

static void close_team(team *t)
{
    int part;
    for (part = 0; part < PARTS; part++) spt_intlist_free(&t->found[part]);
    spt_intlist_free(&t->pairs);
    spt_broadphase_free(&t->divided);
    spt_broadphase_free(&t->whole);
    (void)pthread_mutex_destroy(&t->lock);
}

/* The first round is not sampled. Everything that grows grows in its first two ways, on one thread:
   what counts calls for memory, see memory.c, needs no lock. */
void job_threads(const plan *p)
{
    workload w;
    team t;
    worker workers[THREADS];
    timings first, sampled;
    double start;
    int k;
    workload_open(&w, p->workload, p->n, p->seed);
    open_team(&t, &w);
    memset(workers, 0, sizeof workers);
    memset(&first, 0, sizeof first);
    memset(&sampled, 0, sizeof sampled);
    for (k = 0; k < THREADS; k++) workers[k].of = &t;
    run_round(&t, workers, &first);
    start = wall_seconds();
    for (k = 0; k < p->rounds; k++) {
        if (k >= FEWEST_ROUNDS && wall_seconds() - start > p->budget) break;
        run_round(&t, workers, &sampled);
    }
    print_timings(p, &t, &sampled);
    free_timings(&first);
    free_timings(&sampled);
    for (k = 0; k < THREADS; k++) free(workers[k].scratch);
    close_team(&t);
    workload_close(&w);
}
#endif
