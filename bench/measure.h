/* The clock, samples of it, and sets of results. */
#ifndef MEASURE_H
#define MEASURE_H

#include <stddef.h>

void give_up(const char *what); /* says so and exits */
void give_up_on(const char *subject, const char *what);
void *resized(void *old, size_t count, size_t size); /* by realloc; gives up for want of memory */

double seconds(void); /* processor time of this process, so that a busy machine disturbs little */
double wall_seconds(void); /* that pass for everybody */

typedef struct samples {
    double *values; /* in the order in which they were taken */
    int count, room;
} samples;

void samples_add(samples *s, double value);
void samples_free(samples *s);
double samples_quantile(const samples *s, double q); /* 0.5: the median. 0 if there is no sample */
/* Median of a/b over what was sampled at the same time: both began together and skipped nothing. */
double samples_ratio(const samples *a, const samples *b);
void print_samples(const samples *s, double unit); /* median and both quartiles, in units; tabs */

/* Sums of a mix of each record, so that sets of results can be compared whatever their order. */
typedef unsigned long long set_hash;
set_hash hash_pairs(const int *pairs, long count);
set_hash hash_ids(const int *ids, long count);

#endif
