/* agents - thousands of discs of mixed sizes bounce off each other and off the walls

   usage: agents [--agents N] [--frames N] [--seed N] [--structure NAME] [--svg FILE] [--plain]

   Each frame moves all agents, finds all pairs that may touch, and resolves the pairs that do:
       update    integrate, bounce off the walls, tell the structure where everybody is now
       pairs     the structure finds all pairs of overlapping boxes
       contacts  which of these pairs are new, and which of the frame before are gone
       resolve   of these, the pairs of discs that really overlap bounce and are pushed apart
   Every tenth frame prints a line; the last line sums up. --plain leaves out what differs from
   machine to machine: the times and the bytes. --svg writes a picture of the last frame.

   Look at update, finder_pairs and resolve. A line has the pairs of a frame, and how many contacts
   began and ended in it; the end of this file has all lines.

   Build: cc -O2 -I. -o agents examples/agents.c -lm
   Exit status: 0; 1 if something failed or energy was made from nothing; 2 for a wrong option. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

#define MIN_RADIUS 1.0
#define MAX_RADIUS 8.0
#define AREA_PER_AGENT 64.0 /* the discs cover 39 % of it */
#define MAX_SPEED 0.5       /* on each axis, at the start; units a frame */

typedef struct world {
    spt_i32 n;
    spt_box walls;
    float *x, *y;   /* centres */
    float *vx, *vy; /* units a frame */
    float *radius;
    spt_box *boxes;      /* the boxes around the discs: all that a structure gets to know */
    spt_i32 *starts;     /* n + 1 counters, to sort pairs */
    spt_i32 *sorted[2];  /* pairs, half sorted and sorted */
    spt_i32 sorted_room; /* pairs that each of the two can hold */
} world;

static void *allocate(void *old, size_t count, size_t size)
{
    void *p = count <= (size_t)-1 / size ? realloc(old, count * size) : NULL;

    if (p == NULL) {
        fprintf(stderr, "agents: out of memory\n");
        exit(1);
    }
    return p;
}

/* ---- structures ------------------------------------------------------------------------------ */

/* What finds the pairs: the broadphase, which looks at all boxes anew each frame and keeps none, or
   an index, which keeps them and is told when one moves. The other one stays of zero bytes, which
   takes no memory and may be freed like any. */
typedef struct finder {
    const char *name;
    int keeps; /* it is the index */
    spt_index index;
    spt_broadphase broadphase;
} finder;

static int open_linear(const world *w, spt_index *index)
{
    spt_linear_desc desc = {0};

    desc.bounds = w->walls;
    return spt_linear_init(index, &desc);
}

static int open_quadtree(const world *w, spt_index *index)
{
    spt_quadtree_desc desc = {0};

    desc.bounds = w->walls;
    return spt_quadtree_init(index, &desc);
}

/* It is told how many agents there are, so that it can choose its cells by that. */
static int open_loosegrid(const world *w, spt_index *index)
{
    spt_linear_desc desc = {0};

    desc.bounds = w->walls;
    desc.capacity = w->n;
    return spt_loosegrid_init(index, &desc);
}

static const struct structure {
    const char *name;
    int (*open)(const world *w, spt_index *index); /* NULL: the broadphase */
} structures[] = {
    {"broadphase", NULL}, /* the default */
    {"linear", open_linear},
    {"quadtree", open_quadtree},
    {"loosegrid", open_loosegrid},
};

static const struct structure *find_structure(const char *name)
{
    size_t i;

    for (i = 0; i < sizeof structures / sizeof structures[0]; i++)
        if (strcmp(structures[i].name, name) == 0) return &structures[i];
    return NULL;
}

static int finder_open(finder *f, const struct structure *of, const world *w)
{
    int error;

    memset(f, 0, sizeof *f);
    f->name = of->name;
    f->keeps = of->open != NULL;
    if (!f->keeps) return spt_broadphase_init(&f->broadphase, NULL);
    error = of->open(w, &f->index);
    return error == SPT_OK ? spt_build(&f->index, w->boxes, w->n) : error;
}

static void finder_free(finder *f)
{
    spt_free(&f->index);
    spt_broadphase_free(&f->broadphase);
}

static size_t finder_bytes(const finder *f)
{
    return spt_bytes(&f->index) + spt_broadphase_bytes(&f->broadphase);
}

static spt_i32 finder_pairs(finder *f, const world *w, spt_intlist *pairs)
{
    if (f->keeps) return spt_pairs(&f->index, NULL, pairs);
    return spt_broadphase_pairs(&f->broadphase, w->boxes, w->n, NULL, pairs);
}

static void finder_traverse(finder *f, spt_cell_fn fn, void *ctx)
{
    if (f->keeps)
        (void)spt_traverse(&f->index, fn, ctx);
    else
        (void)spt_broadphase_traverse(&f->broadphase, fn, ctx);
}

/* ---- the world ------------------------------------------------------------------------------- */

/* 0 <= result < 1, in steps of 2^-24, so that a float holds it exactly. The constants are by
   Knuth and Lewis as given in Numerical Recipes; the low bits of such a generator are poor. */
static double random_unit(spt_u32 *state)
{
    *state = (*state * 1664525u + 1013904223u) & 0xffffffffu;
    return (double)(*state >> 8) / 16777216.0;
}

/* Where agent i is now, as a box; floats all the way, as the structures see it. */
static void set_box(world *w, spt_i32 i)
{
    spt_box *box = &w->boxes[i];

    box->min_x = w->x[i] - w->radius[i];
    box->min_y = w->y[i] - w->radius[i];
    box->max_x = w->x[i] + w->radius[i];
    box->max_y = w->y[i] + w->radius[i];
}

static void world_fill(world *w, spt_u32 seed)
{
    double half_width = (double)w->walls.max_x, half_height = (double)w->walls.max_y;
    spt_i32 i;

    for (i = 0; i < w->n; i++) {
        /* 1 / radius is uniform: most agents are small, and a few are large. */
        double u = random_unit(&seed) * (1 - MIN_RADIUS / MAX_RADIUS);
        double radius = MIN_RADIUS / (1 - u);

        w->radius[i] = (float)radius;
        w->x[i] = (float)((2 * random_unit(&seed) - 1) * (half_width - radius));
        w->y[i] = (float)((2 * random_unit(&seed) - 1) * (half_height - radius));
        w->vx[i] = (float)((2 * random_unit(&seed) - 1) * MAX_SPEED);
        w->vy[i] = (float)((2 * random_unit(&seed) - 1) * MAX_SPEED);
        set_box(w, i);
    }
}

static float *allocate_floats(spt_i32 n)
{
    return allocate(NULL, (size_t)n, sizeof(float));
}

/* The world lies around the origin, so half of all coordinates are negative. */
static void world_init(world *w, spt_i32 n, spt_u32 seed)
{
    double unit = sqrt(n * AREA_PER_AGENT / (16 * 9)); /* the world is 16 by 9 of these */

    if (unit < MAX_RADIUS / 2) unit = MAX_RADIUS / 2; /* room for even one large agent */
    memset(w, 0, sizeof *w);
    w->n = n;
    w->walls.max_x = (float)(8 * unit);
    w->walls.max_y = (float)(4.5 * unit);
    w->walls.min_x = -w->walls.max_x;
    w->walls.min_y = -w->walls.max_y;
    w->x = allocate_floats(n), w->y = allocate_floats(n);
    w->vx = allocate_floats(n), w->vy = allocate_floats(n);
    w->radius = allocate_floats(n);
    w->boxes = allocate(NULL, (size_t)n, sizeof(spt_box));
    w->starts = allocate(NULL, (size_t)n + 1, sizeof(spt_i32));
    world_fill(w, seed);
}

static void world_free(world *w)
{
    free(w->x), free(w->y), free(w->vx), free(w->vy), free(w->radius);
    free(w->boxes), free(w->starts), free(w->sorted[0]), free(w->sorted[1]);
}

/* All agents are of the same stuff, so mass goes with area; a common factor does not matter. */
static double mass(const world *w, spt_i32 i)
{
    return (double)w->radius[i] * (double)w->radius[i];
}

static double kinetic_energy(const world *w)
{
    double sum = 0;
    spt_i32 i;

    for (i = 0; i < w->n; i++) {
        double vx = (double)w->vx[i], vy = (double)w->vy[i];
        sum += mass(w, i) * (vx * vx + vy * vy) / 2;
    }
    return sum;
}

/* ---- a frame --------------------------------------------------------------------------------- */

/* A wall only turns an agent round that moves away from the world. So one that was pushed out stays
   out until it has walked back: nothing is clamped, and no speed is made or lost. */
static void bounce_off_walls(world *w, spt_i32 i)
{
    const spt_box *box = &w->boxes[i];

    if (box->min_x < w->walls.min_x && w->vx[i] < 0) w->vx[i] = -w->vx[i];
    if (box->max_x > w->walls.max_x && w->vx[i] > 0) w->vx[i] = -w->vx[i];
    if (box->min_y < w->walls.min_y && w->vy[i] < 0) w->vy[i] = -w->vy[i];
    if (box->max_y > w->walls.max_y && w->vy[i] > 0) w->vy[i] = -w->vy[i];
}

static int update(world *w, finder *f)
{
    int error = SPT_OK;
    spt_i32 i;

    for (i = 0; i < w->n && error == SPT_OK; i++) {
        w->x[i] += w->vx[i];
        w->y[i] += w->vy[i];
        set_box(w, i);
        bounce_off_walls(w, i);
        if (f->keeps) error = spt_move(&f->index, i, &w->boxes[i]);
    }
    if (f->keeps) spt_tidy(&f->index);
    return error;
}

/* If discs a and b overlap: pushes them half of the way apart, and lets them bounce if they come
   closer. Both in inverse proportion to the masses, so that momentum is kept; the bounce is
   elastic, so that energy is, too. Computed in double and stored as float, so that how a machine
   rounds on the way (fused multiply-add, wider registers) does not show. */
static void collide(world *w, spt_i32 a, spt_i32 b)
{
    double dx = (double)w->x[b] - (double)w->x[a];
    double dy = (double)w->y[b] - (double)w->y[a];
    double reach = (double)w->radius[a] + (double)w->radius[b];
    double square = dx * dx + dy * dy;
    double distance, nx, ny, share_a, share_b, push, approach;

    if (square >= reach * reach) return; /* only the corners of the boxes overlap */
    distance = sqrt(square);
    nx = distance > 0 ? dx / distance : 1; /* the normal, from a to b; any will do for one centre */
    ny = distance > 0 ? dy / distance : 0;
    share_a = mass(w, b) / (mass(w, a) + mass(w, b)); /* the lighter one gives way more */
    share_b = 1 - share_a;

    push = (reach - distance) / 2;
    w->x[a] = (float)((double)w->x[a] - nx * push * share_a);
    w->y[a] = (float)((double)w->y[a] - ny * push * share_a);
    w->x[b] = (float)((double)w->x[b] + nx * push * share_b);
    w->y[b] = (float)((double)w->y[b] + ny * push * share_b);

    approach =
        nx * ((double)w->vx[a] - (double)w->vx[b]) + ny * ((double)w->vy[a] - (double)w->vy[b]);
    if (approach <= 0) return;
    w->vx[a] = (float)((double)w->vx[a] - 2 * nx * approach * share_a);
    w->vy[a] = (float)((double)w->vy[a] - 2 * ny * approach * share_a);
    w->vx[b] = (float)((double)w->vx[b] + 2 * nx * approach * share_b);
    w->vy[b] = (float)((double)w->vy[b] + 2 * ny * approach * share_b);
}

/* Counting sort of pairs by one of their two ids. Stable: by b first, then by a, sorts them. */
static void sort_pairs(world *w, int field, const spt_i32 *from, spt_i32 *to, spt_i32 count)
{
    spt_i32 *starts = w->starts;
    spt_i32 i;

    memset(starts, 0, ((size_t)w->n + 1) * sizeof *starts);
    for (i = 0; i < count; i++) starts[from[2 * i + field] + 1]++;
    for (i = 0; i < w->n; i++) starts[i + 1] += starts[i];
    for (i = 0; i < count; i++) {
        spt_i32 *place = to + 2 * starts[from[2 * i + field]]++;

        place[0] = from[2 * i];
        place[1] = from[2 * i + 1];
    }
}

/* Who bounces first matters to who bounces next. Each structure has its own order of pairs; sorted,
   they are the same for all, and so are the ways of the agents. */
static void resolve(world *w, const spt_intlist *pairs)
{
    spt_i32 count = spt_intlist_count(pairs);
    spt_i32 i;

    if (count == 0) return;
    if (count > w->sorted_room) {
        w->sorted_room = count + count / 2;
        for (i = 0; i < 2; i++)
            w->sorted[i] = allocate(w->sorted[i], (size_t)w->sorted_room, 2 * sizeof(spt_i32));
    }
    sort_pairs(w, 1, spt_intlist_data(pairs), w->sorted[0], count);
    sort_pairs(w, 0, w->sorted[0], w->sorted[1], count);
    for (i = 0; i < count; i++) collide(w, w->sorted[1][2 * i], w->sorted[1][2 * i + 1]);
}

/* ---- the picture ----------------------------------------------------------------------------- */

#define COLOURS 8

/* Each cell lies on its parents and lets them shine through, so deeper is brighter. */
static int draw_cell(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    (void)level, (void)count;
    fprintf(ctx, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n",
            (double)box->min_x, (double)box->min_y, (double)box->max_x - (double)box->min_x,
            (double)box->max_y - (double)box->min_y);
    return 0;
}

/* A disc where the structure saw it in the last frame, coloured by its speed from slow to fast. */
static void draw_agent(FILE *file, const world *w, spt_i32 i)
{
    double speed = sqrt((double)w->vx[i] * (double)w->vx[i] + (double)w->vy[i] * (double)w->vy[i]);
    int colour = speed < MAX_SPEED * 2 ? (int)(speed / (MAX_SPEED * 2) * COLOURS) : COLOURS - 1;

    fprintf(file, "<circle class=\"c%d\" cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\"/>\n", colour,
            ((double)w->boxes[i].min_x + (double)w->boxes[i].max_x) / 2,
            ((double)w->boxes[i].min_y + (double)w->boxes[i].max_y) / 2, (double)w->radius[i]);
}

/* The walls, and the agents outside of them. */
static spt_box extent(const world *w)
{
    spt_box all = w->walls;
    spt_i32 i;

    for (i = 0; i < w->n; i++) {
        const spt_box *box = &w->boxes[i];

        if (box->min_x < all.min_x) all.min_x = box->min_x;
        if (box->min_y < all.min_y) all.min_y = box->min_y;
        if (box->max_x > all.max_x) all.max_x = box->max_x;
        if (box->max_y > all.max_y) all.max_y = box->max_y;
    }
    return all;
}

static int write_svg(const char *path, const world *w, finder *f)
{
    static const char *colours[COLOURS] = {"#4361ee", "#4895ef", "#4cc9f0", "#80ed99",
                                           "#f9c74f", "#f8961e", "#f3722c", "#f72585"};
    spt_box view = extent(w);
    double width = (double)view.max_x - (double)view.min_x;
    double height = (double)view.max_y - (double)view.min_y;
    double margin = width / 100, line = width / 1600;
    FILE *file = fopen(path, "w");
    spt_i32 i;
    int failed;

    if (file == NULL) return 0;
    width += 2 * margin, height += 2 * margin;
    fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1600\" height=\"%.2f\" ",
            1600 * height / width);
    fprintf(file, "viewBox=\"%.2f %.2f %.2f %.2f\">\n", (double)view.min_x - margin,
            (double)view.min_y - margin, width, height);
    fprintf(file, "<style>\n");
    for (i = 0; i < COLOURS; i++) fprintf(file, ".c%d { fill: %s }\n", (int)i, colours[i]);
    fprintf(file, "</style>\n<rect x=\"%.2f\" y=\"%.2f\" width=\"100%%\" height=\"100%%\" ",
            (double)view.min_x - margin, (double)view.min_y - margin);
    fprintf(file, "fill=\"#0b1020\"/>\n<g fill=\"#8ecae6\" fill-opacity=\"0.04\" ");
    fprintf(file, "stroke=\"#8ecae6\" stroke-opacity=\"0.35\" stroke-width=\"%.2f\">\n", line);
    finder_traverse(f, draw_cell, file);
    fprintf(file, "</g>\n<g fill-opacity=\"0.9\">\n");
    for (i = 0; i < w->n; i++) draw_agent(file, w, i);
    fprintf(file, "</g>\n<g fill=\"none\" stroke=\"#ffffff\" stroke-width=\"%.2f\">\n", 2 * line);
    draw_cell(file, &w->walls, 0, 0);
    fprintf(file, "</g>\n</svg>\n");
    failed = ferror(file);
    return fclose(file) == 0 && !failed;
}

/* ---- the program ----------------------------------------------------------------------------- */

enum { UPDATE, PAIRS, CONTACTS, RESOLVE, PARTS };

typedef struct options {
    spt_i32 agents, frames;
    spt_u32 seed;
    const struct structure *structure;
    const char *svg;
    int plain;
} options;

static int usage(FILE *file, int status)
{
    size_t i;

    fprintf(file, "usage: agents [--agents N] [--frames N] [--seed N] [--structure NAME] "
                  "[--svg FILE] [--plain]\nstructures:");
    for (i = 0; i < sizeof structures / sizeof structures[0]; i++)
        fprintf(file, " %s", structures[i].name);
    fprintf(file, "\n");
    return status;
}

/* A whole number, min .. max. */
static int read_number(const char *text, long min, long max, long *number)
{
    char *end;

    *number = strtol(text, &end, 10);
    return end != text && *end == '\0' && *number >= min && *number <= max;
}

/* One option with its value; 0 if either makes no sense. */
static int read_option(options *o, const char *name, const char *value)
{
    long number;

    if (strcmp(name, "--agents") == 0) {
        if (!read_number(value, 1, 100000000L, &number)) return 0;
        o->agents = (spt_i32)number;
    } else if (strcmp(name, "--frames") == 0) {
        if (!read_number(value, 1, 100000000L, &number)) return 0;
        o->frames = (spt_i32)number;
    } else if (strcmp(name, "--seed") == 0) {
        if (!read_number(value, 0, 1000000000L, &number)) return 0;
        o->seed = (spt_u32)number;
    } else if (strcmp(name, "--structure") == 0) {
        o->structure = find_structure(value);
    } else if (strcmp(name, "--svg") == 0) {
        o->svg = value;
    } else {
        return 0;
    }
    return o->structure != NULL;
}

/* 1 to go on; 0 if the command line makes no sense. */
static int read_options(options *o, int argc, char **argv)
{
    int i;

    for (i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--plain") == 0) {
            o->plain = 1;
        } else if (i + 1 < argc && read_option(o, argv[i], argv[i + 1])) {
            i++;
        } else {
            fprintf(stderr, "agents: cannot make sense of: %s %s\n", argv[i],
                    i + 1 < argc ? argv[i + 1] : "");
            return 0;
        }
    }
    return 1;
}

/* Milliseconds of processor time that the program has taken. */
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
static double median(double *times, spt_i32 n)
{
    qsort(times, (size_t)n, sizeof *times, compare_times);
    return n % 2 != 0 ? times[n / 2] : (times[n / 2 - 1] + times[n / 2]) / 2;
}

/* What the frames leave for the next. */
typedef struct findings {
    spt_intlist pairs, began, ended;
    spt_contacts contacts;
} findings;

static void findings_init(findings *found)
{
    spt_intlist_init(&found->pairs, 2);
    spt_intlist_init(&found->began, 2);
    spt_intlist_init(&found->ended, 2);
    spt_contacts_init(&found->contacts, NULL);
}

static void findings_free(findings *found)
{
    spt_contacts_free(&found->contacts);
    spt_intlist_free(&found->ended);
    spt_intlist_free(&found->began);
    spt_intlist_free(&found->pairs);
}

/* One frame; returns the number of pairs or an error, and how long each part took. */
static spt_i32 run_frame(world *w, finder *f, findings *found, double *ms)
{
    double begin[PARTS + 1];
    spt_i32 result;
    int part;

    begin[UPDATE] = now();
    result = update(w, f);
    if (result < 0) return result;
    begin[PAIRS] = now();
    result = finder_pairs(f, w, &found->pairs);
    if (result < 0) return result;
    begin[CONTACTS] = now();
    result = spt_contacts_update(&found->contacts, &found->pairs, &found->began, &found->ended);
    if (result < 0) return result;
    begin[RESOLVE] = now();
    resolve(w, &found->pairs);
    begin[PARTS] = now();
    for (part = 0; part < PARTS; part++) ms[part] = begin[part + 1] - begin[part];
    return result;
}

/* All frames, with a line every tenth. Returns the number of pairs in all, or an error. */
static double run_frames(world *w, const options *o, finder *f, double **times)
{
    static findings found; /* some kilobytes */
    double total = 0; /* exact up to 2^53 */
    spt_i32 frame, pairs = 0;

    findings_init(&found);
    printf("frame     pairs     began     ended%s\n",
           o->plain ? "" : "  update ms   pairs ms contact ms resolve ms       bytes");
    for (frame = 0; frame < o->frames; frame++) {
        double ms[PARTS];
        int part;

        pairs = run_frame(w, f, &found, ms);
        if (pairs < 0) break;
        total += pairs;
        for (part = 0; part < PARTS; part++) times[part][frame] = ms[part];
        if (frame % 10 != 0) continue;
        printf("%5d %9d %9d %9d", (int)frame, (int)pairs, (int)spt_intlist_count(&found.began),
               (int)spt_intlist_count(&found.ended));
        if (!o->plain)
            printf(" %10.3f %10.3f %10.3f %10.3f %11lu", ms[UPDATE], ms[PAIRS], ms[CONTACTS],
                   ms[RESOLVE], (unsigned long)finder_bytes(f));
        printf("\n");
    }
    findings_free(&found);
    return pairs < 0 ? pairs : total;
}

/* Runs the frames and sums up in a line. 0 if something failed.

   Energy: only bounces change speeds, and in exact arithmetic they keep the energy. Storing a speed
   as a float changes it by at most 2^-24 of itself, and its energy by 2^-23. Roundings go up as
   often as down; but even if each of them went up, and every agent bounced eight times in each
   frame, no more than 8 * 2^-23 < 10^-6 a frame would be gained. More than that is a mistake. */
static int simulate(world *w, const options *o, finder *f)
{
    double before = kinetic_energy(w);
    double *times[PARTS];
    double total, ratio;
    int part;

    for (part = 0; part < PARTS; part++)
        times[part] = allocate(NULL, (size_t)o->frames, sizeof(double));
    total = run_frames(w, o, f, times);
    ratio = kinetic_energy(w) / before;
    if (total < 0) {
        fprintf(stderr, "agents: %s\n", spt_error_string((spt_i32)total));
    } else {
        printf("%d agents, %d frames, %s: %.0f pairs", (int)o->agents, (int)o->frames, f->name,
               total);
        if (!o->plain)
            printf("; median ms: update %.3f, pairs %.3f, contacts %.3f, resolve %.3f; %lu bytes",
                   median(times[UPDATE], o->frames), median(times[PAIRS], o->frames),
                   median(times[CONTACTS], o->frames), median(times[RESOLVE], o->frames),
                   (unsigned long)finder_bytes(f));
        printf("; energy x %.6f\n", ratio);
    }
    for (part = 0; part < PARTS; part++) free(times[part]);
    if (total >= 0 && !(ratio <= 1 + 1e-6 * o->frames)) {
        fprintf(stderr, "agents: energy must not grow, but it did: x %g\n", ratio);
        return 0;
    }
    return total >= 0;
}

int main(int argc, char **argv)
{
    options o = {20000, 100, 1, structures, NULL, 0};
    world w;
    finder f;
    int error, good;

    if (argc == 2 && strcmp(argv[1], "--help") == 0) return usage(stdout, 0);
    if (!read_options(&o, argc, argv)) return usage(stderr, 2);
    world_init(&w, o.agents, o.seed);
    error = finder_open(&f, o.structure, &w);
    if (error != SPT_OK) fprintf(stderr, "agents: %s\n", spt_error_string(error));
    good = error == SPT_OK && simulate(&w, &o, &f);
    if (good && o.svg != NULL && !write_svg(o.svg, &w, &f)) {
        fprintf(stderr, "agents: cannot write %s\n", o.svg);
        good = 0;
    }
    finder_free(&f);
    world_free(&w);
    return good ? 0 : 1;
}

/* Prints, given --agents 1000 --frames 60 --plain:
frame     pairs     began     ended
    0       810       810         0
   10       474        88        94
   20       378        93        95
   30       382        82       102
   40       371        82        81
   50       384       104        97
1000 agents, 60 frames, broadphase: 25744 pairs; energy x 1.000000
*/
