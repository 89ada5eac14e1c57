/* Measures spatial.h: all overlapping pairs of a frame, by the broadphase and by testing all
   against all; the structures that keep boxes; and, if there is one, an older version of the header
   in one process.

     bench [BOXES [FRAMES [SEED]]]        default: 100000 21 1

   Every job is done FRAMES times, the versions and structures in turn, on boxes that all move by
   up to a tenth of their size a frame; medians are printed, in milliseconds or nanoseconds, as two
   Markdown tables with a blank line between them. The clock counts the processor time of this
   process, so a busy machine disturbs little. Pairs are compared between the structures and
   versions in every frame, the number of ids in the windows too, and the number of pairs with that
   of all against all where that is timed.

   A frame of a structure is: move all boxes, tidy, all pairs. Insert is measured on new structures
   and includes what they take to grow. How they are made stands at the top of subject.c.

   Workloads, each covering 25 % of a square world of side W, centres uniform unless said otherwise:
     equal      1 x 1
     mixed      squares, sides Pareto-distributed with exponent 2, the largest W/8
     clusters   1 x 1, in 32 clusters, Gaussian, of standard deviation W/32; world as for equal
     small in clusters  0.5 x 0.5 in the same: about as many pairs as for equal
     long       16 x 0.25, every other one upright
     row        1 x 1, side by side in one row along the middle line of a world of W = BOXES
     cross      0.5 x 0.5, scattered along both middle lines, half a unit to either side; world as
                for equal
     giants     as equal, but for 8 boxes of W x W about the middle of the world */
#define _POSIX_C_SOURCE 199309L
#include "subject.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_FRAMES = 101, BRUTE_BOXES = 20000, WINDOWS = 20000, ROUNDS = 5, GIANTS = 8 };

extern const subject now_header;
#ifdef WITH_OLD
extern const subject old_header;
static const subject *const subjects[] = {&now_header, &old_header};
#else
static const subject *const subjects[] = {&now_header};
#endif
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

/* The first keeps no boxes: it gives the pairs to compare with. */
static const char *const structures[] = {"broadphase", "linear", "quadtree", "loosegrid"};
enum { STRUCTURES = sizeof structures / sizeof structures[0] };

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

static double fill_giants(bench_box *boxes, int n)
{
    double side = fill_equal(boxes, n);
    int i;
    for (i = 0; i < GIANTS && i < n; i++) set_box(&boxes[i], side / 2, side / 2, side, side);
    return side;
}

static const workload workloads[] = {
    {"equal", fill_equal},       {"mixed", fill_mixed},
    {"clusters", fill_clusters}, {"small in clusters", fill_small_in_clusters},
    {"long", fill_long},         {"row", fill_row},
    {"cross", fill_cross},       {"giants", fill_giants},
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

/* What is measured, in seconds: for all boxes, or for a window. */
enum { INSERT, MOVE, TIDY, PAIRS, FRAME, WINDOW, MEASURES };

typedef struct run { /* a structure of one version of the header */
    void *state;     /* NULL: that version has no such structure */
    double samples[MEASURES][MOST_FRAMES];
    double medians[MEASURES];
    size_t bytes;
} run;

typedef struct result { /* of a workload */
    run runs[SUBJECTS][STRUCTURES];
    double brute; /* seconds; 0: not timed */
    long found;   /* pairs in the last frame */
    long hits;    /* ids in all windows */
} result;

static void time_brute(const bench_box *boxes, int n, int rounds, result *r)
{
    double times[ROUNDS];
    int k;
    for (k = 0; k < rounds; k++) {
        double start = seconds();
        if (brute_pairs(boxes, n) != r->found) give_up("all against all finds other pairs");
        times[k] = seconds() - start;
    }
    r->brute = median(times, rounds);
}

/* Opens the structure anew for each round, and leaves that of the last one. */
static void time_inserts(run *x, int s, int k, const bench_box *world, const bench_box *boxes,
                         int n, int rounds)
{
    int i;
    for (i = 0; i < rounds; i++) {
        double start;
        if (i > 0) subjects[s]->close(x->state);
        x->state = subjects[s]->open(structures[k], world, n);
        if (!x->state) give_up("out of memory");
        if (k == 0) return;
        start = seconds();
        subjects[s]->insert(x->state, boxes, n);
        x->samples[INSERT][i] = seconds() - start;
    }
    x->medians[INSERT] = median(x->samples[INSERT], rounds);
}

/* Times frame f of all structures and versions. */
static void time_frame(result *r, const bench_box *boxes, int n, int f)
{
    unsigned long hash = 0;
    int s, k;
    for (s = 0; s < SUBJECTS; s++)
        for (k = 0; k < STRUCTURES; k++) {
            run *x = &r->runs[s][k];
            double begin = seconds(), moved = begin, tidied = begin, end;
            long found;
            if (!x->state) continue;
            if (k > 0) {
                subjects[s]->move(x->state, boxes, n);
                moved = seconds();
                subjects[s]->tidy(x->state);
                tidied = seconds();
            }
            found = subjects[s]->pairs(x->state, boxes, n);
            end = seconds();
            x->samples[MOVE][f] = moved - begin;
            x->samples[TIDY][f] = tidied - moved;
            x->samples[PAIRS][f] = end - tidied;
            x->samples[FRAME][f] = end - begin;
            if (s == 0 && k == 0) r->found = found, hash = subjects[s]->hash(x->state);
            if (found != r->found || subjects[s]->hash(x->state) != hash) {
                fprintf(stderr, "bench: %s: frame %d\n", structures[k], f);
                give_up("a structure finds other pairs than the broadphase");
            }
        }
}

/* Times windows that hold seven boxes each, and with those on the border some ten, where boxes are
   spread evenly; half of them lie on a middle line of the world. */
static void time_windows(result *r, const bench_box *world, int n, int rounds)
{
    static bench_box windows[WINDOWS];
    double side = (double)world->max_x, span = side * sqrt(7.0 / n);
    int i, s, k;
    for (i = 0; i < WINDOWS; i++) {
        double x = uniform() * side, y = uniform() * side;
        set_box(&windows[i], i % 4 == 0 ? side / 2 : x, i % 4 == 1 ? side / 2 : y, span, span);
    }
    r->hits = -1;
    for (i = 0; i < rounds; i++)
        for (s = 0; s < SUBJECTS; s++)
            for (k = 1; k < STRUCTURES; k++) {
                run *x = &r->runs[s][k];
                double start = seconds();
                long hits;
                if (!x->state) continue;
                hits = subjects[s]->windows(x->state, windows, WINDOWS);
                x->samples[WINDOW][i] = (seconds() - start) / WINDOWS;
                if (r->hits < 0) r->hits = hits;
                if (hits != r->hits) give_up("structures find different ids in windows");
            }
}

/* What was sampled of a structure, summed up; the structure is closed. */
static void finish(run *x, const subject *by, int frames, int rounds)
{
    int m;
    for (m = MOVE; m <= FRAME; m++) x->medians[m] = median(x->samples[m], frames);
    x->medians[WINDOW] = median(x->samples[WINDOW], rounds);
    x->bytes = by->bytes(x->state);
    by->close(x->state);
}

static void time_workload(const workload *w, bench_box *boxes, int n, int frames, result *r)
{
    bench_box world = {0, 0, 0, 0};
    int rounds = frames < ROUNDS ? frames : ROUNDS, f, s, k;

    world.max_x = world.max_y = (float)w->fill(boxes, n);
    for (s = 0; s < SUBJECTS; s++)
        for (k = 0; k < STRUCTURES; k++)
            if (subjects[s]->has(structures[k]))
                time_inserts(&r->runs[s][k], s, k, &world, boxes, n, rounds);
    for (f = 0; f < frames; f++) {
        move_boxes(boxes, n);
        time_frame(r, boxes, n, f);
    }
    time_windows(r, &world, n, rounds);
    if (n <= BRUTE_BOXES) time_brute(boxes, n, rounds, r);
    for (s = 0; s < SUBJECTS; s++)
        for (k = 0; k < STRUCTURES; k++)
            if (r->runs[s][k].state) finish(&r->runs[s][k], subjects[s], frames, rounds);
}

/* ---- tables ---------------------------------------------------------------------------------- */

static double ratio(const result *r, int k, int measure) /* new to old */
{
    return r->runs[0][k].medians[measure] / r->runs[SUBJECTS - 1][k].medians[measure];
}

static void print_pairs_head(void)
{
    printf("| boxes are | boxes | pairs | broadphase ms | ns a box | bytes a box | "
           "all against all ms |\n|---|--:|--:|--:|--:|--:|--:|\n");
}

static void print_pairs(const char *name, int n, const result *r)
{
    int s;
    for (s = 0; s < SUBJECTS; s++) {
        const run *x = &r->runs[s][0];
        printf("| %s%s | %d | %ld | %.3f | %.1f | %.0f | ", name, s ? " (old)" : "", n, r->found,
               x->medians[PAIRS] * 1e3, x->medians[PAIRS] * 1e9 / n, (double)x->bytes / n);
        if (r->brute > 0)
            printf("%.3f |\n", r->brute * 1e3);
        else
            printf("- |\n");
    }
    if (SUBJECTS > 1) printf("| %s, new/old | | | %.3f | | | |\n", name, ratio(r, 0, PAIRS));
}

static void print_structures_head(void)
{
    printf("\n| boxes are | boxes | ids a window | structure | frame ms | frame / broadphase | "
           "insert ns | move ns | tidy ns a box | pairs ms | window ns | bytes a box |\n"
           "|---|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|--:|\n");
}

static void print_structure(const char *name, int n, const result *r, int s, int k)
{
    const run *x = &r->runs[s][k];
    const double *m = x->medians;

    if (s == 0 && k == 1) /* what is the same for all structures stands in the first row */
        printf("| %s | %d | %.1f |", name, n, (double)r->hits / WINDOWS);
    else
        printf("| | | |");
    printf(" %s%s | %.3f | %.2f | %.1f | %.1f | %.1f | %.3f | %.0f | %.0f |\n", structures[k],
           s ? " (old)" : "", m[FRAME] * 1e3, m[FRAME] / r->runs[s][0].medians[FRAME],
           m[INSERT] * 1e9 / n, m[MOVE] * 1e9 / n, m[TIDY] * 1e9 / n, m[PAIRS] * 1e3,
           m[WINDOW] * 1e9, (double)x->bytes / n);
}

static void print_structures(const char *name, int n, const result *r)
{
    int s, k;
    for (k = 1; k < STRUCTURES; k++) {
        for (s = 0; s < SUBJECTS; s++)
            if (r->runs[s][k].state) print_structure(name, n, r, s, k);
        if (SUBJECTS > 1 && r->runs[SUBJECTS - 1][k].state)
            printf("| | | | %s, new/old | %.3f | | %.3f | %.3f | %.3f | %.3f | %.3f | |\n",
                   structures[k], ratio(r, k, FRAME), ratio(r, k, INSERT), ratio(r, k, MOVE),
                   ratio(r, k, TIDY), ratio(r, k, PAIRS), ratio(r, k, WINDOW));
    }
}

int main(int argc, char **argv)
{
    static result results[WORKLOADS];
    int n = argc > 1 ? atoi(argv[1]) : 100000, frames = argc > 2 ? atoi(argv[2]) : 21, i;
    unsigned long seed = argc > 3 ? strtoul(argv[3], NULL, 10) : 1;
    bench_box *boxes;

    if (n < 1 || frames < 1 || frames > MOST_FRAMES) {
        fprintf(stderr, "usage: bench [BOXES [FRAMES (1 .. %d) [SEED]]]\n", MOST_FRAMES);
        return 2;
    }
    boxes = (bench_box *)malloc((size_t)n * sizeof *boxes);
    if (!boxes) give_up("out of memory");
    print_pairs_head();
    for (i = 0; i < WORKLOADS; i++) {
        random_state = 88172645463325252ULL + seed;
        time_workload(&workloads[i], boxes, n, frames, &results[i]);
        print_pairs(workloads[i].name, n, &results[i]);
        fflush(stdout);
    }
    print_structures_head();
    for (i = 0; i < WORKLOADS; i++) print_structures(workloads[i].name, n, &results[i]);
    free(boxes);
    return 0;
}
