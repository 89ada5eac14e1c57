/* A spatial structure behind a table of functions, so that all of them do the same jobs on the same
   boxes in one process. A file has one table, for one library or one version of spatial.h, and may
   offer several structures. */
#ifndef SUBJECT_H
#define SUBJECT_H

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_box { /* closed; laid out like spt_box with float coordinates */
    float min_x, min_y, max_x, max_y;
} bench_box;

typedef struct bench_motion { /* laid out like the beginning of spt_motion */
    bench_box box;            /* at the start; of no size it is a ray */
    float dx, dy;             /* of a ray from (x, y): x + dx and y + dy are exact */
} bench_motion;

#define BENCH_SKIN 0.01F /* of a shape that slides, as a part of its width */

/* The kinds of questions, and the ids that answer them. */
typedef enum asked {
    WINDOW,  /* all that overlap the box, in any order */
    WINDOWS, /* all pairs (i, id) where windows[i] overlaps box id, in any order */
    ANY,     /* one that overlaps the box, found by a visit that stops there; or none */
    WITHIN,  /* all that are at most `distance` from the box, in any order */
    NEAREST, /* the k that are nearest to the box, in any order */
    FIRST,   /* one that the motion meets first */
    VISIT,   /* the same, found by a visit that stops there */
    ALL,     /* all that the motion meets, in any order */
    SLIDE,   /* in place of ids, the bits of min_x and min_y of the box where it ends */
    GLIDE,   /* the same of a shape: if k is 1, of a circle in the box, else of its corners */
    COUNT    /* how many overlap the box, without their ids */
} asked;

typedef struct question {
    asked of;
    bench_motion motion; /* the box of a window, a place, or a motion */
    float distance;
    int k;
    const bench_box *windows;
    int count; /* of windows */
} question;

/* NULL in place of a function: it cannot. */
typedef struct subject {
    const char *library; /* name and version */
    /* Names, NULL at the end. */
    const char *const *structures;
    /* An empty structure of that name for n boxes about as these. NULL: no memory, or it cannot
       keep such boxes. */
    void *(*open)(const char *structure, const bench_box *world, const bench_box *boxes, int n);
    void (*close)(void *state);
    /* Inserts all n boxes into an empty structure; the index of a box is its id. Structures that
       can only be built as a whole are built. */
    void (*insert)(void *state, const bench_box *boxes, int n);
    /* The `count` boxes of these ids have moved. Structures that can only be built as a
       whole are built anew. */
    void (*move)(void *state, const bench_box *boxes, int n, const int *ids, int count);
    void (*remove)(void *state, const bench_box *boxes, int n); /* all */
    void (*tidy)(void *state);                                  /* once a frame */
    /* Finds all overlapping pairs of the boxes, which are the boxes that it was told last: each
       pair once, a < b, exact; returns how many. */
    long (*pairs)(void *state, const bench_box *boxes, int n);
    /* Answers a question about the boxes; returns how many ids or pairs it has found. -1: it cannot
       answer questions of that kind. */
    long (*ask)(void *state, const bench_box *boxes, const question *q);
    const int *(*found)(void *state); /* the pairs or ids found last, one after the other */
    /* Finds the pairs in which one of these ids is; returns how many. */
    long (*pairs_of)(void *state, const int *ids, int count);
    /* The boxes of these ids have moved, or come, since the last call: finds the pairs that began
       to overlap, and behind them the pairs that no longer do; returns how many, and how many
       began. */
    long (*contacts)(void *state, const bench_box *boxes, int n, const int *ids, int count,
                     long *began);
    /* Finds all neighbours of all points (x, y) within the radius; returns how many. Point i has
       the rows[2 * i + 1] neighbours from ids[rows[2 * i]] on. */
    long (*neighbours)(const float *points, int n, float radius, int *rows, int *ids);
    double (*bytes)(void *state); /* allocated now; NULL: the bytes of the process are counted */
} subject;

#ifdef __cplusplus
}
#endif
#endif
