/* threads - all pairs of many boxes, found by several threads

   usage: threads [--boxes N] [--threads N]

   spatial.h starts no threads: it divides a call into jobs, and a function of yours, `run`, does
   them. Here are three of these:

       a pool     POSIX threads that wait for work, see pool.h: for programs that run all the time
       OpenMP     three lines                                    (with -fopenmp)
       C11        threads started for each run                   (where there is threads.h)

   Each finds exactly what one thread finds, in the same order, which is compared at the end.

   Build: cc -O2 -pthread -I. -o threads examples/threads.c -lm     (and -fopenmp for the second)
   Exit status: 0; 1 if something failed; 2 for a wrong option. */

#define _POSIX_C_SOURCE 200112L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#if defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L && !defined(__STDC_NO_THREADS__)
#define WITH_C11
#include <threads.h>
#endif

#define SPATIAL_IMPLEMENTATION
#include "spatial.h"
#include "pool.h"

#define MAX_BOXES 10000000
#define MAX_THREADS POOL_MOST

/* ---- OpenMP ---------------------------------------------------------------------------------- */

#ifdef _OPENMP
static void run_openmp(void *ctx, spt_job_fn job, void *arg, int n)
{
    int i;

#pragma omp parallel for schedule(dynamic) num_threads(*(int *)ctx)
    for (i = 0; i < n; i++) job(arg, i, omp_get_thread_num());
}
#endif

/* ---- threads of C11 -------------------------------------------------------------------------- */

#ifdef WITH_C11
typedef struct share { /* the jobs of one thread: first, first + step, ... */
    spt_job_fn job;
    void *arg;
    int first, step, n;
} share;

static int do_share(void *argument)
{
    const share *s = (const share *)argument;
    int i;

    for (i = s->first; i < s->n; i += s->step) s->job(s->arg, i, s->first);
    return 0;
}

static void run_c11(void *ctx, spt_job_fn job, void *arg, int n)
{
    int threads = *(int *)ctx, k;
    share shares[MAX_THREADS];
    thrd_t ids[MAX_THREADS];
    int started[MAX_THREADS];

    for (k = threads - 1; k >= 0; k--) {
        shares[k].job = job, shares[k].arg = arg;
        shares[k].first = k, shares[k].step = threads, shares[k].n = n;
        started[k] = k > 0 && thrd_create(&ids[k], do_share, &shares[k]) == thrd_success;
    }
    for (k = 0; k < threads; k++) {
        if (started[k]) thrd_join(ids[k], NULL);
        else do_share(&shares[k]);
    }
}
#endif

/* ---- boxes ----------------------------------------------------------------------------------- */

static unsigned long random_bits = 1;

/* 0 <= result < 65536; the same numbers on every machine */
static int random_number(void)
{
    random_bits = (random_bits * 1664525UL + 1013904223UL) & 0xffffffffUL;
    return (int)(random_bits >> 16);
}

/* Squares of one size that cover a quarter of a square world. */
static void make_boxes(spt_box *boxes, spt_i32 n)
{
    double world = 2 * sqrt((double)n);
    spt_i32 i;

    for (i = 0; i < n; i++) {
        boxes[i].min_x = (float)floor(random_number() * world / 1024) / 64;
        boxes[i].min_y = (float)floor(random_number() * world / 1024) / 64;
        boxes[i].max_x = boxes[i].min_x + 1;
        boxes[i].max_y = boxes[i].min_y + 1;
    }
}

/* ---- the program ----------------------------------------------------------------------------- */

static int same(const spt_intlist *a, const spt_intlist *b)
{
    spt_i32 n = spt_intlist_count(a);

    if (n != spt_intlist_count(b)) return 0;
    return n == 0 ||
           memcmp(spt_intlist_data(a), spt_intlist_data(b), 2 * (size_t)n * sizeof(spt_i32)) == 0;
}

/* Finds all pairs by these workers; `run` NULL: by the calling thread. The second call is as all
   the others of a game would be: its memory is there. */
static spt_i32 find_pairs(const spt_box *boxes, spt_i32 n, int threads,
                          void (*run)(void *ctx, spt_job_fn job, void *arg, int n), void *ctx,
                          spt_intlist *out)
{
    spt_broadphase_desc desc = {0};
    spt_broadphase bp;
    spt_i32 found;

    desc.workers.count = threads;
    desc.workers.run = run;
    desc.workers.ctx = ctx;
    if (spt_broadphase_init(&bp, &desc) != SPT_OK) return SPT_ERR_ARGUMENT;
    found = spt_broadphase_pairs(&bp, boxes, n, NULL, out);
    if (found >= 0 && run != NULL) found = spt_broadphase_pairs(&bp, boxes, n, NULL, out);
    spt_broadphase_free(&bp);
    return found;
}

/* Prints the results of these workers beside the results of one thread; returns 0 if equal. */
static int compare(const char *name, spt_i32 found, const spt_intlist *out,
                   const spt_intlist *expected)
{
    if (found < 0) fprintf(stderr, "threads: %s: %s\n", name, spt_error_string(found));
    else if (!same(out, expected)) fprintf(stderr, "threads: %s: other pairs\n", name);
    else return 0;
    return 1;
}

static int run(const spt_box *boxes, spt_i32 n, int threads)
{
    spt_intlist expected, out;
    spt_i32 found;
    pool p;
    int failed;

    spt_intlist_init(&expected, 2);
    spt_intlist_init(&out, 2);
    found = find_pairs(boxes, n, 0, NULL, NULL, &expected);
    failed = compare("one thread", found, &expected, &expected);
    pool_open(&p, threads);
    found = find_pairs(boxes, n, threads, pool_run, &p, &out);
    pool_close(&p);
    failed |= compare("pool", found, &out, &expected);
#ifdef _OPENMP
    found = find_pairs(boxes, n, threads, run_openmp, &threads, &out);
    failed |= compare("OpenMP", found, &out, &expected);
#endif
#ifdef WITH_C11
    found = find_pairs(boxes, n, threads, run_c11, &threads, &out);
    failed |= compare("C11", found, &out, &expected);
#endif
    if (!failed)
        printf("boxes: %d\npairs: %d, in the order of one thread\n", (int)n,
               (int)spt_intlist_count(&expected));
    spt_intlist_free(&out);
    spt_intlist_free(&expected);
    return failed;
}

/* The number after the option, or 0 if it is none or too large. */
static int read_number(const char *text, long most)
{
    char *end;
    long number = strtol(text, &end, 10);

    return end != text && *end == '\0' && number >= 1 && number <= most ? (int)number : 0;
}

int main(int argc, char **argv)
{
    spt_i32 n = 100000;
    spt_box *boxes;
    int threads = 2, i, status;

    for (i = 1; i + 1 < argc && n > 0 && threads > 0; i += 2) {
        if (strcmp(argv[i], "--boxes") == 0)
            n = read_number(argv[i + 1], MAX_BOXES);
        else if (strcmp(argv[i], "--threads") == 0)
            threads = read_number(argv[i + 1], MAX_THREADS);
        else
            break;
    }
    if (i < argc || n == 0 || threads == 0) {
        fprintf(stderr, "usage: threads [--boxes N] [--threads N]\n");
        return 2;
    }
    boxes = (spt_box *)malloc((size_t)n * sizeof *boxes);
    if (boxes == NULL) {
        fprintf(stderr, "threads: no memory for %d boxes\n", (int)n);
        return 1;
    }
    make_boxes(boxes, n);
    status = run(boxes, n, threads);
    free(boxes);
    return status;
}

/* Prints, given --boxes 100000 --threads 2:
boxes: 100000
pairs: 50892, in the order of one thread
*/
