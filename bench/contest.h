/* Who takes part in a measurement: every structure of every subject, each with its measured times
   and bytes. The first of all is the broadphase of spatial.h; the pairs of all others are compared
   with its pairs. */
#ifndef CONTEST_H
#define CONTEST_H

#include "jobs.h"
#include "measure.h"
#include "workloads.h"

/* NULL at the end; the first is spatial.h as it is, and further subjects of the same library's name
   are older versions of it. See bench.c. */
extern const subject *const subjects[];

enum { OURS, OLDER, PEER }; /* spatial.h as it is, an older version of it, another library */

/* Why there are fewer samples than asked for, or none. SLOW: it takes, or would take, so long that
   it is measured once, or not at all. REFUSES: it has no memory, or cannot keep such boxes. */
enum { FINE, SLOW, DIFFERS, REFUSES };

enum { MOST_ENTRANTS = 40 };

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
} entrant;

typedef struct contest {
    const plan *p;
    int with_pairs; /* will be asked for: set it before a forecast */
    entrant entrants[MOST_ENTRANTS];
    int count;
} contest;

/* What is forecast to need more than the budget of the plan for a frame, or four times as much to
   insert all boxes, takes no part. */
void contest_open(contest *c, const plan *p);
void contest_close(contest *c);

/* Lets all take part in one frame of a thousandth, of a hundredth and of a tenth of the boxes,
   where these are enough to tell something, and from that forecasts what ten times as many will
   take: peers that are quadratic would otherwise take hours. */
void contest_forecast(contest *c);

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

/* The names of a library without its version, and of a structure with that before it. */
const char *maker_of(const subject *by);
const char *name_of(const entrant *x);

/* "equal: squares of one size, spread evenly", and "100,000 boxes" */
const char *row_of(const plan *p);
const char *table_of(const workload *w);

/* Of entrant number k, if it is of an older version of spatial.h: the number of the same structure
   as it is now; otherwise -1. */
int contest_newer(const contest *c, int k);

/* Whether a table tells the value of entrant number k: of ours all are told, of another library the
   least, or the first if none is measured. values: one for each entrant; 0: not measured; negative:
   it has none. */
int contest_tells(const contest *c, int k, const double *values);

/* A row of a table: a cell for each structure of ours, one for each other library with the least
   value of its structures, and the best of these divided by the value of entrant number `with`, or
   by the best of ours if that is -1. A word says why something is not measured. */
void print_row(const contest *c, const char *section, const char *table, const char *row,
               const double *values, int with);

/* Where there is an older version: the value of that divided by the value of the present one, as
   the median of the ratios of the same rounds, so that more is faster. taken: samples. */
void print_ratios(const contest *c, const char *table, const char *row,
                  const samples *(*taken)(const void *of, int entrant), const void *of);

#endif
