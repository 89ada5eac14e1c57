/* The clock, samples of it, lines of results, and sets of results. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stddef.h>

void give_up(const char *what); /* says so and exits */
void give_up_on(const char *subject, const char *what);
void *resized(void *old, size_t count, size_t size); /* by realloc; gives up for want of memory */

double seconds(void); /* processor time of this process, so that a busy machine disturbs little */
double wall_seconds(void); /* that pass for everybody */

/* Bytes of the heap that the process uses now, whoever asked for them. Needs the GNU C library 2.33
   or later; elsewhere -1. */
double memory_bytes(void);

typedef struct samples {
    double *values; /* in the order in which they were taken */
    int count, room;
} samples;

void samples_add(samples *s, double value);
void samples_free(samples *s);
double samples_quantile(const samples *s, double q); /* 0.5: the median. 0 if there is no sample */
/* Median of a/b over what was sampled at the same time: both began together and skipped nothing. */
double samples_ratio(const samples *a, const samples *b);

/* ---- lines of results, of which tables.awk makes tables ---- */

/* Both return texts that stay until some more have been asked for. */
const char *number(double x); /* with three digits, or all before the point */
const char *grouped(long n);  /* 1000000 => 1,000,000 */

/* A cell of a table, and some sentences at the top of a section. Sections, tables, rows and columns
   come in the order in which they are first named. */
void print_cell(const char *section, const char *table, const char *row, const char *column,
                const char *format, ...);
void print_text(const char *section, const char *text);

/* Sums of a mix of each record, so that sets of results can be compared whatever their order. */
typedef unsigned long long set_hash;
set_hash hash_pairs(const int *pairs, long count);
set_hash hash_ids(const int *ids, long count);

#endif
