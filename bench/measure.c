/* See measure.h. */
#define _POSIX_C_SOURCE 199309L
#include "measure.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void give_up(const char *what)
{
    fflush(stdout);
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

void give_up_on(const char *subject, const char *what)
{
    fflush(stdout);
    fprintf(stderr, "bench: %s: %s\n", subject, what);
    exit(1);
}

void *resized(void *old, size_t count, size_t size)
{
    void *p = count > SIZE_MAX / size ? NULL : realloc(old, count * size);
    if (!p) give_up("out of memory");
    return p;
}

double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double wall_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 33)
#include <malloc.h>
#define COUNTED
#endif
#endif

double memory_bytes(void)
{
#ifdef COUNTED
    struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
#else
    return -1;
#endif
}

/* ---- samples --------------------------------------------------------------------------------- */

void samples_add(samples *s, double value)
{
    if (s->count == s->room) {
        s->room = s->room ? 2 * s->room : 32;
        s->values = (double *)resized(s->values, (size_t)s->room, sizeof *s->values);
    }
    s->values[s->count++] = value;
}

void samples_free(samples *s)
{
    free(s->values);
    memset(s, 0, sizeof *s);
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double samples_quantile(const samples *s, double q)
{
    double *sorted, place, value;
    int below;
    if (s->count == 0) return 0;
    sorted = (double *)resized(NULL, (size_t)s->count, sizeof *sorted);
    memcpy(sorted, s->values, (size_t)s->count * sizeof *sorted);
    qsort(sorted, (size_t)s->count, sizeof *sorted, by_value);
    place = q * (s->count - 1);
    below = (int)place;
    value = sorted[below];
    if (below + 1 < s->count) value += (place - below) * (sorted[below + 1] - value);
    free(sorted);
    return value;
}

double samples_ratio(const samples *a, const samples *b)
{
    samples ratios = {NULL, 0, 0};
    double median;
    int i;
    for (i = 0; i < a->count && i < b->count; i++)
        samples_add(&ratios, a->values[i] / b->values[i]);
    median = samples_quantile(&ratios, 0.5);
    samples_free(&ratios);
    return median;
}

/* ---- lines of results ------------------------------------------------------------------------ */

static char *next_text(void)
{
    static char texts[16][32];
    static int next;
    next = (next + 1) % 16;
    return texts[next];
}

const char *number(double x)
{
    char *text = next_text();
    const int digits = x >= 100 ? 0 : x >= 10 ? 1 : x >= 1 ? 2 : x >= 0.1 ? 3 : 4;
    snprintf(text, 32, "%.*f", digits, x);
    return text;
}

const char *grouped(long n)
{
    char *text = next_text(), *end = text + 31;
    int digits = 0;
    *end = '\0';
    do {
        if (digits > 0 && digits % 3 == 0) *--end = ',';
        *--end = (char)('0' + n % 10);
        digits++, n /= 10;
    } while (n > 0);
    return end;
}

void print_cell(const char *section, const char *table, const char *row, const char *column,
                const char *format, ...)
{
    va_list arguments;
    printf("cell\t%s\t%s\t%s\t%s\t", section, table, row, column);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
}

void print_text(const char *section, const char *text)
{
    printf("text\t%s\t%s\n", section, text);
}

/* ---- sets ------------------------------------------------------------------------------------ */

static set_hash mix(set_hash x) /* the finalizer of splitmix64, Steele, Lea and Flood 2014 */
{
    x = (x ^ (x >> 30)) * 13787848793156543929ULL;
    x = (x ^ (x >> 27)) * 10723151780598845931ULL;
    return x ^ (x >> 31);
}

set_hash hash_pairs(const int *pairs, long count)
{
    set_hash sum = 0;
    long i;
    for (i = 0; i < count; i++)
        sum += mix((set_hash)(unsigned)pairs[2 * i] << 32 | (unsigned)pairs[2 * i + 1]);
    return sum;
}

set_hash hash_ids(const int *ids, long count)
{
    set_hash sum = 0;
    long i;
    for (i = 0; i < count; i++) sum += mix((set_hash)(unsigned)ids[i] + 1);
    return sum;
}
