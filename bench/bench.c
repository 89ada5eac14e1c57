/* Measures spatial.h: all overlapping pairs of a frame against testing all against all, the linear
   tree's updates and windows, and, if there is one, an older version of the header in one process.

     bench [BOXES [FRAMES [SEED]]]        default: 100000 21 1

   Every job is done FRAMES times, the versions in turn, on boxes that all move by up to a tenth of
   their size a frame; medians are printed, in milliseconds or nanoseconds, as rows of a Markdown
   table. The clock counts the processor time of this process, so a busy machine disturbs little.
   Pairs are compared between the structures and versions in every frame, and their number with that
   of all against all where that is timed.

   Workloads, each covering 25 % of a square world of side W, centres uniform unless said otherwise:
     equal      1 x 1
     mixed      squares, sides Pareto-distributed with exponent 2, the largest W/8
     clusters   1 x 1, in 32 clusters, Gaussian, of standard deviation W/32; world as for equal
     small in clusters  0.5 x 0.5 in the same: about as many pairs as for equal
     long       16 x 0.25, every other one upright
     row        1 x 1, side by side in one row along the middle line of a world of W = BOXES
     cross      0.5 x 0.5, scattered along both middle lines, half a unit to either side; world as
                for equal */
#define _POSIX_C_SOURCE 199309L
#include "subject.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_FRAMES = 101, BRUTE_BOXES = 20000, WINDOWS = 20000 };

extern const subject now_header;
#ifdef WITH_OLD
extern const subject old_header;
static const subject *const subjects[] = {&now_header, &old_header};
#else
static const subject *const subjects[] = {&now_header};
#endif
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

/* ---- random numbers and boxes ---------------------------------------------------------------- */

static unsigned long long random_state;

static double uniform(void) /* xorshift64*, Marsaglia and Vigna; 0 <= result < 1 */
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (double)((random_state * 2685821657736338717ULL) >> 11) / 9007199254740992.0;
}

static double gaussian(void)
{
    double radius = sqrt(-2 * log(1 - uniform()));
    return radius * cos(6.283185307179586 * uniform());
}

static void set_box(bench_box *box, double x, double y, double width, double height)
{
    box->min_x = (float)(x - width / 2);
    box->min_y = (float)(y - height / 2);
    box->max_x = (float)(x + width / 2);
    box->max_y = (float)(y + height / 2);
}

typedef struct workload {
    const char *name;
    double (*fill)(bench_box *boxes, int n); /* returns the side of the world */
} workload;

static double fill_equal(bench_box *boxes, int n)
{
    double side = 2 * sqrt(n);
    int i;
    for (i = 0; i < n; i++) set_box(&boxes[i], uniform() * side, uniform() * side, 1, 1);
    return side;
}

static double fill_mixed(bench_box *boxes, int n)
{
    double world = 2 * sqrt(n), area = 0, scale;
    int i;
    for (i = 0; i < n; i++) {
        double side = fmin(1 / sqrt(1 - uniform()), world / 8);
        set_box(&boxes[i], 0, 0, side, side);
        area += side * side;
    }
    scale = world / 2 / sqrt(area);
    for (i = 0; i < n; i++) {
        double side = (double)(boxes[i].max_x - boxes[i].min_x) * scale;
        set_box(&boxes[i], uniform() * world, uniform() * world, side, side);
    }
    return world;
}

static double fill_clusters_with(bench_box *boxes, int n, double size)
{
    double side = 2 * sqrt(n), x[32], y[32];
    int i;
    for (i = 0; i < 32; i++) x[i] = uniform() * side, y[i] = uniform() * side;
    for (i = 0; i < n; i++) {
        int c = (int)(uniform() * 32);
        double dx = gaussian() * side / 32;
        set_box(&boxes[i], x[c] + dx, y[c] + gaussian() * side / 32, size, size);
    }
    return side;
}

static double fill_clusters(bench_box *boxes, int n)
{
    return fill_clusters_with(boxes, n, 1);
}

static double fill_small_in_clusters(bench_box *boxes, int n)
{
    return fill_clusters_with(boxes, n, 0.5);
}

static double fill_long(bench_box *boxes, int n)
{
    double side = 4 * sqrt(n);
    int i;
    for (i = 0; i < n; i++) {
        double x = uniform() * side, y = uniform() * side;
        set_box(&boxes[i], x, y, i % 2 ? 16 : 0.25, i % 2 ? 0.25 : 16);
    }
    return side;
}

static double fill_row(bench_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) set_box(&boxes[i], i, n / 2.0, 1, 1);
    return n;
}

static double fill_cross(bench_box *boxes, int n)
{
    double side = 2 * sqrt(n);
    int i;
    for (i = 0; i < n; i++) {
        double along = uniform() * side, off = side / 2 + uniform() - 0.5;
        set_box(&boxes[i], i % 2 ? along : off, i % 2 ? off : along, 0.5, 0.5);
    }
    return side;
}

static const workload workloads[] = {
    {"equal", fill_equal},       {"mixed", fill_mixed},
    {"clusters", fill_clusters}, {"small in clusters", fill_small_in_clusters},
    {"long", fill_long},         {"row", fill_row},
    {"cross", fill_cross},
};
enum { WORKLOADS = sizeof workloads / sizeof workloads[0] };

/* Moves every box by up to a tenth of its size, each axis on its own. */
static void move_boxes(bench_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        float dx = (float)(uniform() - 0.5) * 0.2F * (boxes[i].max_x - boxes[i].min_x);
        float dy = (float)(uniform() - 0.5) * 0.2F * (boxes[i].max_y - boxes[i].min_y);
        boxes[i].min_x += dx, boxes[i].max_x += dx;
        boxes[i].min_y += dy, boxes[i].max_y += dy;
    }
}

/* ---- measuring ------------------------------------------------------------------------------- */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, by_value);
    return values[n / 2];
}

static void give_up(const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    exit(1);
}

static long brute_pairs(const bench_box *boxes, int n)
{
    long found = 0;
    int i, j;
    for (i = 0; i < n; i++)
        for (j = i + 1; j < n; j++)
            found += (boxes[i].min_x <= boxes[j].max_x) & (boxes[j].min_x <= boxes[i].max_x) &
                     (boxes[i].min_y <= boxes[j].max_y) & (boxes[j].min_y <= boxes[i].max_y);
    return found;
}

typedef struct timing { /* a median each subject, in seconds */
    double pairs[SUBJECTS], frame[SUBJECTS], update[SUBJECTS], windows[SUBJECTS];
    double insert[SUBJECTS], remove[SUBJECTS], brute;
    long found, hits;
} timing;

static void time_brute(const bench_box *boxes, int n, int frames, timing *t)
{
    double times[MOST_FRAMES];
    int f;
    for (f = 0; f < frames; f++) {
        double start = seconds();
        if (brute_pairs(boxes, n) != t->found) give_up("all against all finds other pairs");
        times[f] = seconds() - start;
    }
    t->brute = median(times, frames);
}

/* Times windows that hold some ten boxes each, half of them on a middle line of the world. */
static void time_windows(void *const *states, const bench_box *world, int n, int frames, timing *t)
{
    static bench_box windows[WINDOWS];
    static double times[SUBJECTS][MOST_FRAMES];
    double side = (double)world->max_x, span = side * sqrt(10.0 / n);
    int i, f, s;
    for (i = 0; i < WINDOWS; i++) {
        double x = uniform() * side, y = uniform() * side;
        set_box(&windows[i], i % 4 == 0 ? side / 2 : x, i % 4 == 1 ? side / 2 : y, span, span);
    }
    for (f = 0; f < frames; f++)
        for (s = 0; s < SUBJECTS; s++) {
            double start = seconds();
            t->hits = subjects[s]->windows(states[s], windows, WINDOWS);
            times[s][f] = (seconds() - start) / WINDOWS;
        }
    for (s = 0; s < SUBJECTS; s++) t->windows[s] = median(times[s], frames);
}

static void time_workload(const workload *w, bench_box *boxes, int n, int frames, timing *t)
{
    static double pairs[SUBJECTS][MOST_FRAMES], frame[SUBJECTS][MOST_FRAMES];
    static double update[SUBJECTS][MOST_FRAMES];
    void *states[SUBJECTS];
    bench_box world = {0, 0, 0, 0};
    double a, b, c, d;
    int f, s;

    world.max_x = world.max_y = (float)w->fill(boxes, n);
    for (s = 0; s < SUBJECTS; s++) {
        states[s] = subjects[s]->open(&world, n);
        if (!states[s]) give_up("out of memory");
        a = seconds();
        subjects[s]->insert(states[s], boxes, n);
        t->insert[s] = seconds() - a;
    }
    for (f = 0; f < frames; f++, move_boxes(boxes, n))
        for (s = 0; s < SUBJECTS; s++) {
            unsigned long hash;
            a = seconds();
            t->found = subjects[s]->pairs(states[s], boxes, n);
            b = seconds();
            hash = subjects[s]->hash(states[s]);
            c = seconds();
            subjects[s]->move(states[s], boxes, n);
            subjects[s]->tidy(states[s]);
            d = seconds();
            if (subjects[s]->linear_pairs(states[s]) != t->found) give_up("linear finds others");
            pairs[s][f] = b - a;
            update[s][f] = d - c;
            frame[s][f] = seconds() - c;
            if (subjects[s]->hash(states[s]) != hash) give_up("linear finds other pairs");
        }
    for (s = 0; s < SUBJECTS; s++) {
        t->pairs[s] = median(pairs[s], frames);
        t->frame[s] = median(frame[s], frames);
        t->update[s] = median(update[s], frames);
    }
    time_windows(states, &world, n, frames < 5 ? frames : 5, t);
    t->brute = 0;
    if (n <= BRUTE_BOXES) {
        t->found = subjects[0]->pairs(states[0], boxes, n);
        time_brute(boxes, n, frames < 5 ? frames : 5, t);
    }
    for (s = 0; s < SUBJECTS; s++) {
        a = seconds();
        subjects[s]->remove(states[s], n);
        t->remove[s] = seconds() - a;
        subjects[s]->close(states[s]);
    }
}

static void print_row(const char *name, int n, const timing *t)
{
    int s;
    for (s = 0; s < SUBJECTS; s++) {
        printf("| %s%s | %d | %ld | %.3f | %.1f | ", name, s ? " (old)" : "", n, t->found,
               t->pairs[s] * 1e3, t->pairs[s] * 1e9 / n);
        if (t->brute > 0)
            printf("%.3f | ", t->brute * 1e3);
        else
            printf("- | ");
        printf("%.3f | %.1f | %.0f | %.1f |\n", t->frame[s] * 1e3, t->update[s] * 1e9 / n,
               t->windows[s] * 1e9, (double)t->hits / WINDOWS);
    }
    if (SUBJECTS > 1)
        printf("| %s, new/old | | | %.3f | | | %.3f | %.3f | %.3f | |\n", name,
               t->pairs[0] / t->pairs[SUBJECTS - 1], t->frame[0] / t->frame[SUBJECTS - 1],
               t->update[0] / t->update[SUBJECTS - 1], t->windows[0] / t->windows[SUBJECTS - 1]);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 100000, frames = argc > 2 ? atoi(argv[2]) : 21, i;
    unsigned long seed = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
    bench_box *boxes;

    if (n < 1 || frames < 1 || frames > MOST_FRAMES) {
        fprintf(stderr, "usage: bench [BOXES [FRAMES (1 .. %d) [SEED]]]\n", MOST_FRAMES);
        return 2;
    }
    boxes = (bench_box *)malloc((size_t)n * sizeof *boxes);
    if (!boxes) give_up("out of memory");
    printf("| boxes are | boxes | pairs | broadphase ms | ns a box | all against all ms | "
           "linear: frame ms | move ns | window ns | ids a window |\n"
           "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for (i = 0; i < WORKLOADS; i++) {
        timing t;
        memset(&t, 0, sizeof t);
        random_state = 88172645463325252ULL + seed;
        time_workload(&workloads[i], boxes, n, frames, &t);
        print_row(workloads[i].name, n, &t);
        fflush(stdout);
    }
    free(boxes);
    return 0;
}
