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

typedef struct subject {
    const char *library; /* name and version */
    /* Names, NULL at the end. */
    const char *const *structures;
    /* An empty structure of that name for n boxes about as these. NULL: no memory, or it cannot
       keep such boxes. */
    void *(*open)(const char *structure, const bench_box *world, const bench_box *boxes, int n);
    void (*close)(void *state);
    /* Inserts all n boxes into an empty structure; the index of a box is its id. What can only be
       built as a whole is built. */
    void (*insert)(void *state, const bench_box *boxes, int n);
    /* `count` of the boxes have moved, those of these ids. What can only be built as a whole is
       built anew. */
    void (*move)(void *state, const bench_box *boxes, int n, const int *ids, int count);
    void (*remove)(void *state, const bench_box *boxes, int n); /* all; NULL: it cannot */
    void (*tidy)(void *state);                                  /* once a frame; NULL: nothing */
    /* Finds all overlapping pairs of the boxes, which are those that it was told last, each once, a
       < b, exact; returns how many. NULL: it cannot. */
    long (*pairs)(void *state, const bench_box *boxes, int n);
    /* Finds the ids of all boxes that overlap the window; returns how many. NULL: it cannot. */
    long (*window)(void *state, const bench_box *boxes, const bench_box *window);
    const int *(*found)(void *state); /* the pairs or ids found last, one after the other */
} subject;

#ifdef __cplusplus
}
#endif
#endif
