/* What is measured. Each job prints a line of results for each structure that could take part: the
   common fields, see print_entrant in contest.h, then those named here. Times are in nanoseconds,
   each as median, lower and upper quartile. For an older version of spatial.h there are lines of
   ratios too, see print_ratio. */
#ifndef JOBS_H
#define JOBS_H

typedef struct plan {
    const char *workload;
    unsigned long seed;
    int n;
    int rounds;    /* most samples of anything */
    double budget; /* seconds for all samples of one thing by one structure: slower ones get fewer,
                      but 3 frames at least; and what would need more for one gets none */
} plan;

/* A frame is to move all boxes, tidy, and find all pairs. Job tenth goes on with frames in which a
   tenth of them move, but for workloads that move by themselves, see workloads.h.
   Job versions is job frames without those structures of spatial.h that "grow", see subject.c.
     frame: samples, frame a box, update a box (to move and tidy), pairs a box, bytes a box,
            allocations after the first frame, pairs in the last frame */
void job_frames(const plan *p);
void job_tenth(const plan *p);
void job_versions(const plan *p);

/* Builds a structure and searches windows in it.
     window: area of a window as a share of the world, windows, a window, building a box, ids found
             in a window on average */
void job_windows(const plan *p);

/* Inserts all boxes, moves all, removes all, each alone and timed with the tidy after it.
     update: samples, insert a box, move a box, remove a box */
void job_updates(const plan *p);

/* Finds how many boxes there must be at least for the broadphase to be as fast as all against all.
     brute: all against all a box, broadphase a box; a line for each number of boxes tried
     limit: with the number of boxes as interpolated; 1 if that many were tried */
void job_brute(const plan *p);

/* Finds the pairs of boxes that stand still in three ways, in turns: by one call, by a split and
   its parts on one thread, and by these on two threads, which are started and joined in that time.
   All give the same pairs in the same order, or the bench gives up. Times are of the wall clock, a
   box.
     threads: rounds, parts, one call, parts on one thread, on two, the split alone in the latter;
              one call divided by parts on one thread, and by parts on two, as medians of the
              ratios of the same rounds
     skip: where there are no threads */
void job_threads(const plan *p);

#endif
