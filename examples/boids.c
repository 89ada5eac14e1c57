/* boids - 50,000 of them flock: all neighbours of all boids, each frame

   usage: boids [--boids N] [--frames N] [--seed N] [--svg FILE] [--plain]

   A boid sees who is within RADIUS, and steers by that (C. Reynolds, Flocks, Herds, and Schools,
   1987): away from who is too close, the way the others fly, towards the middle of them; and back,
   the more the nearer it is to the end of the world. Every tenth frame prints a line:
       neighbours   of a boid, on average
       speed        of a boid, on average
       order        length of the mean of all directions: 1 if all fly the same way
       flock        the same of a boid and its neighbours, on average
   and holds the neighbours of some boids against a loop over all boids. The last line sums up.
   --plain leaves out what differs from machine to machine: the times and the bytes. --svg draws the
   middle of the world after the last frame, boids coloured by where they fly.

   Look at find and steer_all: one call finds all neighbours; coordinates are fields of a boid.

   Build: cc -O2 -I. -o boids examples/boids.c -lm
   Exit status: 0; 1 if something failed or neighbours are wrong; 2 for a wrong option. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

#define RADIUS 10.0f
#define SPACE 4.0          /* who is closer is too close */
#define MARGIN 20.0        /* the last part of the world, where boids turn back */
#define AREA_PER_BOID 40.0 /* eight neighbours each, at the start */
#define MIN_SPEED 0.7      /* units a frame */
#define MAX_SPEED 1.0
#define MAX_FORCE 0.1 /* how much the other boids change a velocity in a frame */
#define SEPARATION 0.15
#define ALIGNMENT 0.08
#define COHESION 0.002
#define TURN 0.1 /* how much the end of the world does */

enum { CHECKED = 16, DRAWN = 2000 }; /* boids at most */

typedef struct boid {
    float x, y;             /* what neighbours are found by; from one to the next: sizeof(boid) */
    float vx, vy;           /* units a frame */
    float next_vx, next_vy; /* kept apart till all have steered, so their order does not matter */
} boid;

/* Computed in double and stored as float, so that how a machine rounds on the way (fused
   multiply-add, wider registers) does not show. */
typedef struct vector {
    double x, y;
} vector;

static spt_i32 n;
static boid *boids;
static unsigned char *marks;           /* n of 0, to check with */
static double half_width, half_height; /* of the world, around the origin */
static spt_neighbours finder;
static spt_intlist rows; /* of each boid: where its neighbours begin in ids, and their number */
static spt_intlist ids;

static void fail(const char *what)
{
    fprintf(stderr, "boids: %s\n", what);
    exit(1);
}

static void *allocate(spt_i32 count, size_t size)
{
    void *p = calloc((size_t)count, size);

    if (p == NULL) fail("out of memory");
    return p;
}

static vector velocity(const boid *b)
{
    vector v = {(double)b->vx, (double)b->vy};

    return v;
}

static double length(vector v)
{
    return sqrt(v.x * v.x + v.y * v.y);
}

/* a + scale * b */
static vector add(vector a, double scale, vector b)
{
    a.x += scale * b.x, a.y += scale * b.y;
    return a;
}

/* Of the same direction, and of a length in between; nothing stays nothing. */
static vector limit(vector v, double min, double max)
{
    double is = length(v), wanted = is < min ? min : is > max ? max : is;

    if (is > 0) v.x *= wanted / is, v.y *= wanted / is;
    return v;
}

/* -1 <= result < 1, in steps of 2^-23. The constants are by Knuth and Lewis as given in
   Numerical Recipes; the low bits of such a generator are poor. */
static double random_unit(spt_u32 *state)
{
    *state = (*state * 1664525u + 1013904223u) & 0xffffffffu;
    return (double)(*state >> 8) / 8388608.0 - 1;
}

static void fill_world(spt_u32 seed)
{
    double unit = sqrt(n * AREA_PER_BOID / (16 * 9)); /* the world is 16 by 9 of these */
    spt_i32 i;

    if (unit < MARGIN / 4) unit = MARGIN / 4;
    half_width = 8 * unit, half_height = 4.5 * unit;
    for (i = 0; i < n; i++) {
        boids[i].x = (float)(random_unit(&seed) * half_width);
        boids[i].y = (float)(random_unit(&seed) * half_height);
        boids[i].vx = (float)(random_unit(&seed) * MAX_SPEED);
        boids[i].vy = (float)(random_unit(&seed) * MAX_SPEED);
    }
}

/* ---- a frame --------------------------------------------------------------------------------- */

/* All neighbours of all boids, which lie in memory as the program wants them. */
static spt_i32 find(void)
{
    spt_i32 found = spt_neighbours_find(&finder, &boids[0].x, &boids[0].y, sizeof boids[0], n,
                                        RADIUS, &rows, &ids);

    if (found < 0) fail(spt_error_string(found));
    return found;
}

/* Returns the neighbours of boid i and their count. */
static const spt_i32 *neighbours(spt_i32 i, spt_i32 *count)
{
    const spt_i32 *row = spt_intlist_data(&rows) + 2 * (size_t)i;

    *count = row[1];
    return spt_intlist_data(&ids) + row[0];
}

/* What the ends of the world, -half and half, do to who is at x. */
static double turn_back(double x, double half)
{
    double depth = fabs(x) - (half - MARGIN);

    return depth <= 0 ? 0 : (x > 0 ? -TURN : TURN) * depth / MARGIN;
}

static void steer(spt_i32 i)
{
    boid *b = &boids[i];
    vector v = velocity(b), force = {0, 0}, to = {0, 0}, way = {0, 0};
    spt_i32 k, count;
    const spt_i32 *seen = neighbours(i, &count);

    for (k = 0; k < count; k++) {
        const boid *other = &boids[seen[k]];
        vector d = {(double)other->x - (double)b->x, (double)other->y - (double)b->y};
        double distance = length(d);

        if (distance > 0 && distance < SPACE)
            force = add(force, -SEPARATION * (1 - distance / SPACE) / distance, d);
        to = add(to, 1, d);
        way = add(way, 1, velocity(other));
    }
    if (count > 0) {
        force = add(add(force, ALIGNMENT / count, way), -ALIGNMENT, v);
        force = add(force, COHESION / count, to);
    }
    v = add(v, 1, limit(force, 0, MAX_FORCE));
    v.x += turn_back((double)b->x, half_width), v.y += turn_back((double)b->y, half_height);
    v = limit(v, MIN_SPEED, MAX_SPEED);
    b->next_vx = (float)v.x, b->next_vy = (float)v.y;
}

static void steer_all(void)
{
    spt_i32 i;

    for (i = 0; i < n; i++) steer(i);
    for (i = 0; i < n; i++) {
        boids[i].vx = boids[i].next_vx, boids[i].vy = boids[i].next_vy;
        boids[i].x += boids[i].vx, boids[i].y += boids[i].vy;
    }
}

/* Some boids have the neighbours that a loop over all boids finds, each once. */
static void check(void)
{
    spt_i32 i, j, k, count;

    for (i = 0; i < n; i += n / CHECKED + 1) {
        const spt_i32 *seen = neighbours(i, &count);
        spt_box a, b;

        spt_box_around(boids[i].x, boids[i].y, 0, 0, &a);
        for (k = 0; k < count; k++) marks[seen[k]]++;
        for (j = 0; j < n; j++) {
            spt_box_around(boids[j].x, boids[j].y, 0, 0, &b);
            if (marks[j] != (j != i && spt_box_within(&a, &b, RADIUS)))
                fail("neighbours and a loop over all boids differ");
        }
        for (k = 0; k < count; k++) marks[seen[k]] = 0;
    }
}

static void print_measures(spt_i32 frame, spt_i32 found)
{
    vector all = {0, 0};
    double speed = 0, flocks = 0;
    spt_i32 i, k, count;

    for (i = 0; i < n; i++) {
        const spt_i32 *seen = neighbours(i, &count);
        vector flock = limit(velocity(&boids[i]), 1, 1);

        speed += length(velocity(&boids[i]));
        all = add(all, 1, flock);
        for (k = 0; k < count; k++) flock = add(flock, 1, limit(velocity(&boids[seen[k]]), 1, 1));
        flocks += length(flock) / (count + 1);
    }
    printf("%5d %10.2f %7.3f %7.3f %7.3f", (int)frame, (double)found / n, speed / n,
           length(all) / n, flocks / n);
}

/* ---- the program ----------------------------------------------------------------------------- */

/* As much of the world as DRAWN boids have room in that are spread evenly. */
static void write_svg(const char *path)
{
    double share = n > DRAWN ? sqrt((double)DRAWN / n) : 1;
    double x = half_width * share, y = half_height * share;
    FILE *file = fopen(path, "w");
    spt_i32 i, drawn = 0;

    if (file == NULL) fail("cannot write the picture");
    fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1600\" height=\"900\" ");
    fprintf(file, "viewBox=\"%.2f %.2f %.2f %.2f\">\n", -x, -y, 2 * x, 2 * y);
    fprintf(file, "<rect x=\"%.2f\" y=\"%.2f\" width=\"100%%\" height=\"100%%\" ", -x, -y);
    fprintf(file, "fill=\"#0b1020\"/>\n");
    for (i = 0; i < n && drawn < DRAWN; i++) {
        vector at = {(double)boids[i].x, (double)boids[i].y}, v = velocity(&boids[i]);
        double angle = atan2(v.y, v.x) * 180 / 3.14159265358979;

        if (fabs(at.x) > x || fabs(at.y) > y) continue;
        fprintf(file, "<path d=\"M3 0L-2 1.5L-1 0L-2-1.5Z\" fill=\"hsl(%.0f,85%%,62%%)\" ",
                angle < 0 ? angle + 360 : angle);
        fprintf(file, "transform=\"translate(%.2f %.2f) rotate(%.1f)\"/>\n", at.x, at.y, angle);
        drawn++;
    }
    fprintf(file, "</svg>\n");
    if (ferror(file) || fclose(file) != 0) fail("cannot write the picture");
}

/* Milliseconds of this program since some moment. */
static double now(void)
{
    return (double)clock() * 1e3 / (double)CLOCKS_PER_SEC;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Sorts the times on the way. */
static double median(double *times, spt_i32 count)
{
    qsort(times, (size_t)count, sizeof *times, compare_times);
    return (times[count / 2] + times[(count - 1) / 2]) / 2;
}

static void simulate(spt_i32 frames, int plain)
{
    double *find_ms = allocate(frames, sizeof(double));
    double *steer_ms = allocate(frames, sizeof(double));
    double start, total = 0; /* exact up to 2^53 */
    spt_i32 frame, found;

    printf("frame neighbours   speed   order   flock%s\n", plain ? "" : "    find ms   steer ms");
    for (frame = 0; frame < frames; frame++) {
        start = now();
        found = find();
        find_ms[frame] = now() - start;
        total += found;
        if (frame % 10 == 0) check(), print_measures(frame, found);
        start = now();
        steer_all();
        steer_ms[frame] = now() - start;
        if (frame % 10 == 0 && !plain) printf(" %10.3f %10.3f", find_ms[frame], steer_ms[frame]);
        if (frame % 10 == 0) printf("\n");
    }
    printf("%d boids, %d frames: %.2f neighbours", (int)n, (int)frames, total / n / frames);
    if (!plain)
        printf("; median ms: find %.3f, steer %.3f; %lu bytes", median(find_ms, frames),
               median(steer_ms, frames),
               (unsigned long)(spt_neighbours_bytes(&finder) + spt_intlist_bytes(&rows) +
                               spt_intlist_bytes(&ids)));
    printf("\n");
    free(find_ms), free(steer_ms);
}

int main(int argc, char **argv)
{
    static const char *const names[3] = {"--boids", "--frames", "--seed"};
    long numbers[3] = {50000, 100, 1};
    const char *svg = NULL;
    char *end;
    int plain = 0, good = 1, i, k;

    for (i = 1; i < argc && good; i++) {
        for (k = 0; k < 3 && strcmp(argv[i], names[k]) != 0;) k++;
        if (strcmp(argv[i], "--plain") == 0) {
            plain = 1;
        } else if (i + 1 < argc && strcmp(argv[i], "--svg") == 0) {
            svg = argv[++i];
        } else if (i + 1 < argc && k < 3) {
            numbers[k] = strtol(argv[++i], &end, 10);
            good = *end == '\0' && numbers[k] >= (k < 2) && numbers[k] <= 100000000L;
        } else {
            good = 0;
        }
    }
    if (!good) {
        fprintf(stderr, "usage: boids [--boids N] [--frames N] [--seed N] [--svg FILE] "
                        "[--plain]\n");
        return 2;
    }
    n = (spt_i32)numbers[0];
    boids = allocate(n, sizeof(boid)), marks = allocate(n, 1);
    spt_neighbours_init(&finder, NULL); /* without a desc it allocates nothing yet, and finds all */
    spt_intlist_init(&rows, 2), spt_intlist_init(&ids, 1);
    fill_world((spt_u32)numbers[2]);
    simulate((spt_i32)numbers[1], plain);
    if (svg != NULL) write_svg(svg);
    spt_intlist_free(&ids), spt_intlist_free(&rows), spt_neighbours_free(&finder);
    free(boids), free(marks);
    return 0;
}

/* Prints, given --boids 500 --frames 60 --plain:
frame neighbours   speed   order   flock
    0       7.18   0.754   0.006   0.324
   10       7.65   0.734   0.039   0.405
   20       9.02   0.746   0.070   0.491
   30      11.48   0.745   0.079   0.538
   40      12.83   0.739   0.113   0.595
   50      13.12   0.740   0.137   0.674
500 boids, 60 frames: 10.74 neighbours
*/
