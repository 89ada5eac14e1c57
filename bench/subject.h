/* One version of spatial.h behind a table of functions, so that two versions can be timed in turns
   in one process. Each is subject.c, compiled with the version's own HEADER and name of table. */
#ifndef SUBJECT_H
#define SUBJECT_H

#include <stddef.h>

typedef struct bench_box { /* laid out like spt_box with float coordinates */
    float min_x, min_y, max_x, max_y;
} bench_box;

/* What the functions behind `open` take is one structure: "broadphase", which keeps no boxes and
   only gives pairs, or what spatial.h has a spt_index for, by the name that stands there. */
typedef struct subject {
    int (*has)(const char *structure); /* 1 if this version has it */
    /* Room for n boxes; NULL: no memory. */
    void *(*open)(const char *structure, const bench_box *world, int n);
    void (*close)(void *state);
    void (*insert)(void *state, const bench_box *boxes, int n); /* all n of them */
    void (*move)(void *state, const bench_box *boxes, int n);
    void (*tidy)(void *state);
    /* Number of pairs of the boxes, which are those that it was told last. */
    long (*pairs)(void *state, const bench_box *boxes, int n);
    long (*windows)(void *state, const bench_box *windows, int n); /* number of ids found */
    unsigned long (*hash)(void *state); /* of the pairs found last, in whatever order they are */
    size_t (*bytes)(void *state);
} subject;

#endif
