/* parts - all pairs of many boxes, found by several threads

   usage: parts [--boxes N] [--threads N]

   spatial.h has no threads of its own. It divides the work among the boxes into parts, and a part
   may be done by any thread: each thread takes the next part that nobody has taken, till there is
   none left. Every part has its own list, and every thread its own scratch memory, so nothing is
   locked but the number of the next part. The lists in the order of the parts are exactly what one
   call of spt_broadphase_pairs finds, whoever did which, which is compared at the end.

   The threads are POSIX's. Those of C11 (threads.h) do as well, and so does a job system: then a
   part is a job.

   Build: cc -O2 -pthread -I. -o parts examples/parts.c
   Exit status: 0; 1 if something failed; 2 for a wrong option. */

#define _POSIX_C_SOURCE 200112L
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

#define MAX_BOXES 10000000
#define MAX_THREADS 64
#define PARTS_PER_THREAD 8 /* more than one: who is done early takes another */
#define MAX_PARTS (MAX_THREADS * PARTS_PER_THREAD)

/* What all threads share. While they run, only `next` changes, and lists[part] by whom took it. */
typedef struct job {
    spt_broadphase broadphase;
    int parts;
    int next; /* part that nobody has taken yet */
    pthread_mutex_t lock;
    spt_intlist lists[MAX_PARTS];
} job;

typedef struct worker {
    pthread_t thread;
    job *of;
    void *scratch;
    int result; /* SPT_OK, or what went wrong */
} worker;

/* ---- the work of a thread -------------------------------------------------------------------- */

static int take_part(job *j)
{
    int part;

    pthread_mutex_lock(&j->lock);
    part = j->next++;
    pthread_mutex_unlock(&j->lock);
    return part;
}

static void *work(void *argument)
{
    worker *w = (worker *)argument;
    int part;

    while (w->result == SPT_OK && (part = take_part(w->of)) < w->of->parts) {
        spt_intlist *list = &w->of->lists[part];
        spt_i32 found = spt_broadphase_part(&w->of->broadphase, part, w->scratch, NULL, list);

        if (found < 0) w->result = (int)found;
    }
    return NULL;
}

/* ---- all threads ----------------------------------------------------------------------------- */

/* Runs so many of them, this one among them, till all parts are done. */
static int run_threads(job *j, int threads)
{
    static worker workers[MAX_THREADS];
    size_t bytes = spt_broadphase_part_bytes(&j->broadphase);
    int k, started = 1, result = SPT_OK;

    if (bytes == 0) return SPT_OK; /* no boxes, no parts */
    for (k = 0; k < threads; k++) {
        workers[k].of = j;
        workers[k].result = SPT_OK;
        workers[k].scratch = malloc(bytes);
        if (workers[k].scratch == NULL) result = SPT_ERR_MEMORY;
    }
    if (result == SPT_OK) {
        /* If the system gives no more threads, those that there are do all parts. */
        while (started < threads &&
               pthread_create(&workers[started].thread, NULL, work, &workers[started]) == 0)
            started++;
        work(&workers[0]);
        for (k = 1; k < started; k++) pthread_join(workers[k].thread, NULL);
    }
    for (k = 0; k < threads; k++) {
        if (workers[k].result != SPT_OK) result = workers[k].result;
        free(workers[k].scratch);
    }
    return result;
}

/* Appends the lists of all parts, in their order, to out. */
static int join_lists(const job *j, spt_intlist *out)
{
    spt_i32 i, count;
    int part;

    for (part = 0; part < j->parts; part++) {
        const spt_i32 *pairs = spt_intlist_data(&j->lists[part]);

        count = spt_intlist_count(&j->lists[part]);
        for (i = 0; i < count; i++)
            if (spt_intlist_push(out, pairs + 2 * i) < 0) return SPT_ERR_MEMORY;
    }
    return SPT_OK;
}

/* Appends all pairs to out, found by several threads; *parts: how many parts there were. */
static int pairs_by_threads(const spt_box *boxes, spt_i32 n, int threads, spt_intlist *out,
                            int *parts)
{
    static job j;
    int part, result;

    if (pthread_mutex_init(&j.lock, NULL) != 0) return SPT_ERR_MEMORY;
    spt_broadphase_init(&j.broadphase, NULL);
    j.next = 0;
    j.parts = spt_broadphase_split(&j.broadphase, boxes, n, threads * PARTS_PER_THREAD);
    *parts = j.parts;
    for (part = 0; part < j.parts; part++) spt_intlist_init(&j.lists[part], 2);
    result = j.parts < 0 ? j.parts : run_threads(&j, threads);
    if (result == SPT_OK) result = join_lists(&j, out);
    for (part = 0; part < j.parts; part++) spt_intlist_free(&j.lists[part]);
    spt_broadphase_free(&j.broadphase);
    pthread_mutex_destroy(&j.lock);
    return result;
}

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

static int run(const spt_box *boxes, spt_i32 n, int threads)
{
    spt_broadphase bp;
    spt_intlist expected, found;
    spt_i32 count;
    int parts = 0, result;

    spt_broadphase_init(&bp, NULL);
    spt_intlist_init(&expected, 2);
    spt_intlist_init(&found, 2);
    count = spt_broadphase_pairs(&bp, boxes, n, NULL, &expected);
    result = count < 0 ? (int)count : pairs_by_threads(boxes, n, threads, &found, &parts);
    if (result < 0) {
        fprintf(stderr, "parts: %s\n", spt_error_string(result));
    } else if (!same(&expected, &found)) {
        fprintf(stderr, "parts: %d threads found other pairs than one call\n", threads);
        result = 1;
    } else {
        printf("boxes: %d\nparts: %d\npairs: %d, in the order of one call\n", (int)n, parts,
               (int)spt_intlist_count(&found));
    }
    spt_intlist_free(&found);
    spt_intlist_free(&expected);
    spt_broadphase_free(&bp);
    return result == SPT_OK ? 0 : 1;
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
        fprintf(stderr, "usage: parts [--boxes N] [--threads N]\n");
        return 2;
    }
    boxes = (spt_box *)malloc((size_t)n * sizeof *boxes);
    if (boxes == NULL) {
        fprintf(stderr, "parts: no memory for %d boxes\n", (int)n);
        return 1;
    }
    make_boxes(boxes, n);
    status = run(boxes, n, threads);
    free(boxes);
    return status;
}

/* Prints, given --boxes 100000 --threads 2:
boxes: 100000
parts: 16
pairs: 50892, in the order of one call
*/
