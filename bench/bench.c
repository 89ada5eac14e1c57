/* Measures spatial.h and other libraries: runs one job, see jobs.h, on one workload, see
   workloads.h, and prints lines of results, see measure.h. bench/run.sh runs many and makes tables
   of them.

     bench JOB WORKLOAD BOXES ROUNDS BUDGET SEED

   All structures do the same in one process, in turns. Their answers are compared, outside the
   timed parts, with the answers of spatial.h, and these with a loop over all boxes where that is
   fast enough; structures that differ are named. -DSUBJECTS='SUBJECT(now_header) SUBJECT(x_peer)
   ...' names all subjects that are compiled in. */
#include "contest.h"
#include "jobs.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef SUBJECTS
#define SUBJECTS SUBJECT(now_header)
#endif
#undef SUBJECT

#define SUBJECT(name) extern const subject name;
SUBJECTS
#undef SUBJECT

#define SUBJECT(name) &name,
const subject *const subjects[] = {SUBJECTS NULL};

typedef struct job {
    const char *name;
    void (*run)(const plan *p);
} job;

static const job jobs[] = {
    {"frames", job_frames},       {"moved", job_moved},           {"updates", job_updates},
    {"questions", job_questions}, {"neighbours", job_neighbours}, {"brute", job_brute},
    {"threads", job_threads},     {"small", job_small},           {"ticks", job_ticks},
};

enum { JOBS = sizeof jobs / sizeof jobs[0] };

static int usage(void)
{
    int k;
    fprintf(stderr, "usage: bench JOB WORKLOAD BOXES ROUNDS BUDGET SEED, with a job of");
    for (k = 0; k < JOBS; k++) fprintf(stderr, " %s", jobs[k].name);
    fprintf(stderr, "\n");
    return 2;
}

static int read_count(const char *text, int *value)
{
    char *end;
    long number_read;
    errno = 0;
    number_read = strtol(text, &end, 10);
    *value = (int)number_read;
    return errno == 0 && end != text && *end == '\0' && number_read >= 1 &&
           number_read <= INT_MAX / 4;
}

int main(int argc, char **argv)
{
    plan p;
    int k, s;
    if (argc != 7 || !read_count(argv[3], &p.n) || !read_count(argv[4], &p.rounds)) return usage();
    p.workload = argv[2];
    p.budget = strtod(argv[5], NULL);
    p.seed = strtoul(argv[6], NULL, 10);
    for (k = 0; k < JOBS; k++) {
        if (strcmp(jobs[k].name, argv[1]) != 0) continue;
        for (s = 1; subjects[s]; s++)
            if (strcmp(subjects[s]->library, subjects[0]->library) != 0)
                printf("library\t%s\n", subjects[s]->library);
        jobs[k].run(&p);
        return fflush(stdout) == 0 ? 0 : 1;
    }
    return usage();
}
