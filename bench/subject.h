/* One version of spatial.h behind a table of functions, so that two versions can be timed in turns
   in one process. Each is subject.c, compiled with the version's own HEADER and name of table. */
#ifndef SUBJECT_H
#define SUBJECT_H

#include <stddef.h>

typedef struct bench_box { /* laid out like spt_box with float coordinates */
    float min_x, min_y, max_x, max_y;
} bench_box;

typedef struct subject {
    const char *name;
    void *(*open)(const bench_box *world, int n); /* room for n boxes; NULL: no memory */
    void (*close)(void *state);
    long (*pairs)(void *state, const bench_box *boxes, int n); /* broadphase: number of pairs */
    void (*insert)(void *state, const bench_box *boxes, int n); /* linear: all n of them */
    void (*move)(void *state, const bench_box *boxes, int n);
    void (*remove)(void *state, int n);
    void (*tidy)(void *state);
    long (*linear_pairs)(void *state);
    long (*windows)(void *state, const bench_box *windows, int n); /* number of ids found */
    unsigned long (*hash)(void *state); /* of the pairs found last, in whatever order they are */
    size_t (*broadphase_bytes)(void *state);
    size_t (*linear_bytes)(void *state);
} subject;

#endif
