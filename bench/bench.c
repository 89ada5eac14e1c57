/* Measures spatial.h and other libraries: runs one job, see jobs.h, on one workload, see
   workloads.h, and prints lines of results with tabs between their fields. bench/run.sh runs many
   and makes tables of them.

     bench JOB WORKLOAD BOXES ROUNDS BUDGET SEED
                       JOB: frames, tenth, versions, windows, updates, brute, threads

   First comes a line `workload` with the name of the workload and what it is in plain words.

   All structures do the same in one process, in turns. What they find is compared, outside the
   timed parts, with what the broadphase of spatial.h finds; those that differ are named. */
#include "jobs.h"
#include "workloads.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct job {
    const char *name;
    void (*run)(const plan *p);
} job;

static const job jobs[] = {
    {"frames", job_frames},   {"tenth", job_tenth},     {"versions", job_versions},
    {"windows", job_windows}, {"updates", job_updates}, {"brute", job_brute},
    {"threads", job_threads},
};

static int usage(void)
{
    fprintf(stderr, "usage: bench frames|tenth|versions|windows|updates|brute|threads WORKLOAD "
                    "BOXES ROUNDS BUDGET SEED\n");
    return 2;
}

static int read_count(const char *text, int *value)
{
    char *end;
    long number;
    errno = 0;
    number = strtol(text, &end, 10);
    *value = (int)number;
    return errno == 0 && end != text && *end == '\0' && number >= 1 && number <= INT_MAX / 4;
}

int main(int argc, char **argv)
{
    plan p;
    size_t k;
    if (argc != 7 || !read_count(argv[3], &p.n) || !read_count(argv[4], &p.rounds)) return usage();
    p.workload = argv[2];
    p.budget = strtod(argv[5], NULL);
    p.seed = strtoul(argv[6], NULL, 10);
    for (k = 0; k < sizeof jobs / sizeof jobs[0]; k++) {
        if (strcmp(jobs[k].name, argv[1]) != 0) continue;
        printf("workload\t%s\t%s\n", p.workload, workload_plainly(p.workload));
        jobs[k].run(&p);
        return fflush(stdout) == 0 ? 0 : 1;
    }
    return usage();
}
