/* Who takes part in a measurement: every structure of every subject, each with what it was measured
   to take. The first of all is the broadphase of spatial.h; its pairs are what those of all others
   are compared with. */
#ifndef CONTEST_H
#define CONTEST_H

#include "measure.h"
#include "workloads.h"

/* NULL at the end; the first is spatial.h as it is, and those of the same library's name are older
   versions of it. See subjects.c. */
extern const subject *const subjects[];

enum { OURS, OLD, PEER }; /* spatial.h as it is, an older version of it, another library */

/* Why there are fewer samples than asked for, or none. SLOW: it takes, or would take, so long that
   it is measured once, or not at all. REFUSES: it has no memory, or cannot keep such boxes. */
enum { FINE, SLOW, DIFFERS, REFUSES };

typedef struct entrant {
    const subject *by;
    const char *structure;
    int kind;
    int keeps;   /* boxes; otherwise it only finds pairs */
    int pairs;   /* it finds them, and is to */
    void *state; /* NULL: it takes no part now */
    int trouble;
    double insert_forecast, frame_forecast; /* seconds; 0: unknown */
    double heap;                            /* bytes of all its memory that the process counts */
    long calls;                             /* for memory */
} entrant;

typedef struct contest {
    const char *workload;
    unsigned long seed;
    double patience;
    int with_pairs; /* will be asked for: set it before a forecast */
    entrant *entrants;
    int count;
} contest;

/* patience: seconds; what is forecast to need more for a frame, or four times as much to insert all
   boxes, takes no part. */
void contest_open(contest *c, const char *name, unsigned long seed, double patience);
void contest_close(contest *c);

/* Lets all take part in one frame of a thousandth, of a hundredth and of a tenth of n boxes, where
   these are enough to tell something, and from that forecasts what ten times as many will take:
   peers that are quadratic would otherwise take hours. */
void contest_forecast(contest *c, int n);

/* Between these two everything that x asks of the heap is counted. */
void entrant_begin(entrant *x);
void entrant_end(entrant *x);

/* Opens the structure, unless a forecast says that it is too slow or it cannot keep the boxes;
   inserts the boxes and tidies, which takes that many seconds. Returns 0 if it takes no part. */
int entrant_open(const contest *c, entrant *x, const workload *w, double *time);
void entrant_close(entrant *x);

void entrant_move(entrant *x, const workload *w); /* and tidy */

/* Memory after a frame that found so many pairs, without the list of them; -1: unknown. */
double entrant_bytes(const entrant *x, long found);
long entrant_calls(const entrant *x); /* for memory, since it was opened; -1: unknown */

/* The beginning of a line of results: kind of line, workload, boxes, share of the boxes that move
   in percent, kind of entrant, library, structure, trouble; tabs between and after. */
void print_entrant(const contest *c, const char *line, int n, int share, const entrant *x);

/* Of entrant number k, if it is of an older version of spatial.h: the number of the same structure
   as it is now; otherwise -1. */
int contest_newer(const contest *c, int k);

/* A line `ratio` for that structure: what was measured, and the median of what it took then
   divided by what it took now in the same round, so that more is faster; none where it was not
   measured. */
void print_ratio(const contest *c, int n, int share, const entrant *now, const char *what,
                 const samples *taken_now, const samples *taken_then);

#endif
