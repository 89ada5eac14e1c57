/* A spatial structure behind a table of functions that answer questions about boxes that stand
   still, so that all of them are asked the same in one process. A file has one table, for one
   library, and may offer several structures. See questions.c. */
#ifndef ASKED_H
#define ASKED_H

#include "subject.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_motion { /* laid out like the beginning of spt_motion */
    bench_box box;            /* at the start; of no size it is a ray */
    float dx, dy;             /* of a ray from (x, y): x + dx and y + dy are exact */
} bench_motion;

/* NULL in place of a function: it cannot. The functions that find ids return how many. */
typedef struct asked {
    const char *library; /* name and version */
    /* Names, NULL at the end. */
    const char *const *structures;
    /* A structure of that name with all n boxes, whose indices are their ids. The boxes stay where
       they are till it is closed. NULL: no memory, or it cannot keep such boxes. */
    void *(*open)(const char *structure, const bench_box *world, const bench_box *boxes, int n);
    void (*close)(void *state);
    long (*window)(void *state, const bench_box *window); /* that overlap it, in any order */
    /* All pairs (i, id) where windows[i] overlaps box id, in any order; returns how many. NULL: it
       is asked for one window after the other. */
    long (*windows)(void *state, const bench_box *windows, int count);
    long (*within)(void *state, const bench_box *from, float distance); /* in any order */
    long (*nearest)(void *state, const bench_box *from, int k); /* the k nearest, in any order */
    long (*first)(void *state, const bench_motion *motion);     /* one that it meets first */
    long (*all)(void *state, const bench_motion *motion);       /* that it meets, in any order */
    const int *(*found)(void *state); /* the ids or pairs found last, one after the other */
} asked;

#ifdef __cplusplus
}
#endif
#endif
