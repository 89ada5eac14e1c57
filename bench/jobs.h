/* The jobs: each prints cells of tables, see print_cell in measure.h, in which times are medians
   and, where nothing else is said, processor time. */
#ifndef JOBS_H
#define JOBS_H

typedef struct plan {
    const char *workload;
    unsigned long seed;
    int n;
    int rounds;    /* most samples of anything */
    double budget; /* seconds for all samples of one thing by one structure: slower ones get fewer,
                      but 3 frames at least, or none if one frame alone takes longer */
} plan;

/* A frame is to move all boxes, tidy, and find all pairs. Bytes: the memory that a structure keeps
   after a frame, without the list of pairs. */
void job_frames(const plan *p);

/* Frames in which a hundredth of the boxes moves, or a tenth: to move them, tidy, and find the
   pairs that began to overlap and the pairs that no longer do; of spatial.h also its parts. */
void job_moved(const plan *p);

/* Inserts all boxes, moves all, removes all, each alone and timed with the tidy after it. */
void job_updates(const plan *p);

/* Questions about boxes that stand still; see questions.c. */
void job_questions(const plan *p);

/* Some of them, of boxes that may be few, or none; and windows counted beside windows listed. */
void job_small(const plan *p);

/* Frames of few boxes: all move, then pairs, windows and rays; see ticks.c. */
void job_ticks(const plan *p);

/* All neighbours of all points; see neighbours.c. */
void job_neighbours(const plan *p);

/* Finds how many boxes there must be at least for the broadphase to be as fast as all against all.
   The number given is the largest that was tried. */
void job_brute(const plan *p);

/* Pairs by workers, of the broadphase and of linear; see threads.c. */
void job_threads(const plan *p);

#endif
