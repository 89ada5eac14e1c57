/* See workloads.h. */
#include "workloads.h"
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef DATA
#define DATA "bench/data/"
#endif

enum { GIANTS = 8, CLUSTERS = 32, LINE = 1000 };

static const double turn = 6.283185307179586;

/* ---- random numbers -------------------------------------------------------------------------- */

static unsigned long long random_state;

double random_uniform(void) /* xorshift64*, Marsaglia and Vigna */
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (double)((random_state * 2685821657736338717ULL) >> 11) / 9007199254740992.0;
}

static double gaussian(void)
{
    double radius = sqrt(-2 * log(1 - random_uniform()));
    return radius * cos(turn * random_uniform());
}

/* ---- boxes made here: each function returns the side of the world ---------------------------- */

void set_box(bench_box *box, double x, double y, double width, double height)
{
    box->min_x = (float)(x - width / 2);
    box->min_y = (float)(y - height / 2);
    box->max_x = (float)(x + width / 2);
    box->max_y = (float)(y + height / 2);
}

static void set_by_corner(bench_box *box, double x, double y, double width, double height)
{
    box->min_x = (float)x;
    box->min_y = (float)y;
    box->max_x = (float)(x + width);
    box->max_y = (float)(y + height);
}

/* x comes first, in a statement of its own: the compiler may evaluate arguments in any order. */
static void put_somewhere(bench_box *box, double world, double width, double height)
{
    double x = random_uniform() * world;
    set_box(box, x, random_uniform() * world, width, height);
}

static double fill_equal(bench_box *boxes, int n)
{
    double side = 2 * sqrt(n);
    int i;
    for (i = 0; i < n; i++) put_somewhere(&boxes[i], side, 1, 1);
    return side;
}

static double fill_mixed(bench_box *boxes, int n)
{
    double world = 2 * sqrt(n), area = 0, scale;
    int i;
    for (i = 0; i < n; i++) {
        double side = fmin(1 / sqrt(1 - random_uniform()), world / 8);
        set_box(&boxes[i], 0, 0, side, side);
        area += side * side;
    }
    scale = world / 2 / sqrt(area);
    for (i = 0; i < n; i++) {
        double side = (double)(boxes[i].max_x - boxes[i].min_x) * scale;
        put_somewhere(&boxes[i], world, side, side);
    }
    return world;
}

static double fill_clusters_with(bench_box *boxes, int n, double size)
{
    double side = 2 * sqrt(n), x[CLUSTERS], y[CLUSTERS];
    int i;
    for (i = 0; i < CLUSTERS; i++) x[i] = random_uniform() * side, y[i] = random_uniform() * side;
    for (i = 0; i < n; i++) {
        int c = (int)(random_uniform() * CLUSTERS);
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
    for (i = 0; i < n; i++) put_somewhere(&boxes[i], side, i % 2 ? 16 : 0.25, i % 2 ? 0.25 : 16);
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
        double along = random_uniform() * side, off = side / 2 + random_uniform() - 0.5;
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

static double fill_few_of_2048(bench_box *boxes, int n)
{
    double world = 100000 * sqrt(n / 400000.0);
    int i;
    for (i = 0; i < n; i++) {
        double side = fmin(2048, 2032 / (2000 * (1 - random_uniform())) + 16);
        put_somewhere(&boxes[i], world, side, side);
    }
    return world;
}

static double fill_0fps_uniform(bench_box *boxes, int n)
{
    double most = 1 / sqrt(n);
    int i;
    for (i = 0; i < n; i++) {
        double x = random_uniform(), y = random_uniform(), width = random_uniform() * most;
        set_by_corner(&boxes[i], x, y, width, random_uniform() * most);
    }
    return 1;
}

static double fill_0fps_circle(bench_box *boxes, int n)
{
    double most = 2 * pow(n, -0.75);
    int i;
    for (i = 0; i < n; i++) {
        double angle = random_uniform() * turn, width = random_uniform() * most;
        set_box(&boxes[i], 0.5 + cos(angle) / 2, 0.5 + sin(angle) / 2, width,
                random_uniform() * most);
    }
    return 1;
}

static double fill_0fps_skewed(bench_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) {
        double x = random_uniform(), y = random_uniform();
        set_by_corner(&boxes[i], x, y, random_uniform() / n, 0.5);
    }
    return 1;
}

static double fill_rain(bench_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++)
        set_box(&boxes[i], 0.25 + 0.5 * (i / 5), n * (0.014 + 0.018 * (i % 5)), 0.5, 0.5);
    return 0.1 * n;
}

typedef struct source {
    const char *name, *plainly;              /* what its boxes are, as tables say it */
    double (*fill)(bench_box *boxes, int n); /* NULL: read from the */
    const char *file;
} source;

static const source sources[] = {
    {"equal", "squares of one size, spread evenly", fill_equal, NULL},
    {"mixed", "squares of many sizes, spread evenly", fill_mixed, NULL},
    {"clusters", "squares of one size, crowded in 32 clusters", fill_clusters, NULL},
    {"small in clusters", "smaller squares, crowded in 32 clusters", fill_small_in_clusters, NULL},
    {"long", "sticks, 64 times as long as wide, half of them upright", fill_long, NULL},
    {"row", "squares side by side in one row", fill_row, NULL},
    {"cross", "squares along two lines that cross", fill_cross, NULL},
    {"giants", "squares of one size, and 8 as large as the world", fill_giants, NULL},
    {"few of 2048", "small squares, sparse, and a few 100 times as large", fill_few_of_2048, NULL},
    {"rain", "five rows of squares, far apart", fill_rain, NULL},
    {"0fps uniform", "rectangles of all shapes, spread evenly", fill_0fps_uniform, NULL},
    {"0fps circle", "small rectangles along a circle", fill_0fps_circle, NULL},
    {"0fps skewed", "thin columns, half as high as the world", fill_0fps_skewed, NULL},
    {"counties", "the counties of the United States", NULL, "us-counties.txt"},
    {"pile", "bodies of a physics scene", NULL, "pile.trace"},
};

static const source *find_source(const char *name)
{
    size_t k;
    for (k = 0; k < sizeof sources / sizeof sources[0]; k++)
        if (strcmp(sources[k].name, name) == 0) return &sources[k];
    give_up_on(name, "no such workload");
    return NULL;
}

/* ---- boxes from files ------------------------------------------------------------------------ */

/* Every line that is not a comment has the four edges of a box; empty lines end frames, which all
   have as many boxes. */
static void read_frames(workload *w, const char *name)
{
    FILE *file;
    char line[LINE], path[LINE];
    size_t count = 0, room = 0;
    int in_frame = 0;

    snprintf(path, sizeof path, "%s%s", DATA, name);
    file = fopen(path, "r");
    if (!file) give_up_on(path, "cannot be opened");
    while (fgets(line, sizeof line, file)) {
        bench_box box;
        if (line[0] == '#') continue;
        if (line[strspn(line, " \t\r\n")] == '\0') {
            if (w->n == 0) w->n = in_frame;
            if (in_frame != w->n) give_up_on(path, "frames differ in their number of boxes");
            in_frame = 0;
            continue;
        }
        if (sscanf(line, "%f %f %f %f", &box.min_x, &box.min_y, &box.max_x, &box.max_y) != 4)
            give_up_on(path, "a line is not a box");
        if (count == room) {
            room = room ? 2 * room : 1024;
            w->trace = (bench_box *)resized(w->trace, room, sizeof *w->trace);
        }
        w->trace[count++] = box;
        in_frame++;
    }
    if (ferror(file)) give_up_on(path, "cannot be read");
    fclose(file);
    if (w->n == 0) w->n = in_frame;
    if (count == 0 || count % (size_t)w->n != 0) give_up_on(path, "the last frame lacks boxes");
    w->frames = (int)(count / (size_t)w->n);
}

static void world_of_trace(workload *w)
{
    size_t i, count = (size_t)w->n * (size_t)w->frames;
    w->world = w->trace[0];
    for (i = 1; i < count; i++) {
        w->world.min_x = fminf(w->world.min_x, w->trace[i].min_x);
        w->world.min_y = fminf(w->world.min_y, w->trace[i].min_y);
        w->world.max_x = fmaxf(w->world.max_x, w->trace[i].max_x);
        w->world.max_y = fmaxf(w->world.max_y, w->trace[i].max_y);
    }
}

/* A file with one frame gives boxes that move like the boxes made here. */
static void fill_from_file(workload *w, const char *name)
{
    w->n = 0;
    read_frames(w, name);
    world_of_trace(w);
    w->boxes = (bench_box *)resized(NULL, (size_t)w->n, sizeof *w->boxes);
    memcpy(w->boxes, w->trace, (size_t)w->n * sizeof *w->boxes);
    if (w->frames > 1) return;
    free(w->trace);
    w->trace = NULL;
}

/* ---- the workload ---------------------------------------------------------------------------- */

const char *workload_plainly(const char *name)
{
    return find_source(name)->plainly;
}

void workload_open(workload *w, const char *name, int n, unsigned long seed)
{
    const source *from = find_source(name);
    memset(w, 0, sizeof *w);
    random_state = 88172645463325252ULL + seed;
    w->n = n;
    if (from->fill) {
        w->boxes = (bench_box *)resized(NULL, (size_t)n, sizeof *w->boxes);
        w->world.max_x = w->world.max_y = (float)from->fill(w->boxes, n);
    } else {
        fill_from_file(w, from->file);
    }
    w->ids = (int *)resized(NULL, (size_t)w->n, sizeof *w->ids);
}

void workload_close(workload *w)
{
    free(w->boxes);
    free(w->ids);
    free(w->trace);
}

static void next_of_trace(workload *w)
{
    const bench_box *now;
    int i;
    w->frame = (w->frame + 1) % w->frames;
    now = w->trace + (size_t)w->frame * (size_t)w->n;
    for (i = 0; i < w->n; i++)
        if (memcmp(&now[i], &w->boxes[i], sizeof *now) != 0) w->ids[w->moved++] = i;
    memcpy(w->boxes, now, (size_t)w->n * sizeof *now);
}

/* Chooses in the order of the ids, as a program goes through its objects: selection sampling,
   Knuth, "The Art of Computer Programming", 3.4.2, algorithm S. */
static void choose_ids(workload *w, int count)
{
    int i;
    for (i = 0; w->moved < count; i++)
        if (random_uniform() * (w->n - i) < count - w->moved) w->ids[w->moved++] = i;
}

void workload_move(workload *w, int every)
{
    int i;
    w->moved = 0;
    if (w->trace) {
        next_of_trace(w);
        return;
    }
    choose_ids(w, w->n / every);
    for (i = 0; i < w->moved; i++) {
        bench_box *box = &w->boxes[w->ids[i]];
        float dx = (float)(random_uniform() - 0.5) * 0.2F * (box->max_x - box->min_x);
        float dy = (float)(random_uniform() - 0.5) * 0.2F * (box->max_y - box->min_y);
        box->min_x += dx, box->max_x += dx;
        box->min_y += dy, box->max_y += dy;
    }
}
