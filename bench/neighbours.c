/* All neighbours of all points: spatial.h beside an honest grid of one's own, a window a point, and
   nanoflann where it is. bench/run.sh neighbours builds and runs it.

     neighbours [ROUNDS [SEED]]

   All in one process, in turns; the table has medians, and how many times ours that is.
   The grid is what a good programmer writes for it: cells of the radius over known bounds, points
   sorted by counting, coordinates copied in that order, three rows of three cells as three runs, no
   branch in the innermost loop; the same rows and ids. What all find is compared. */
#define SPATIAL_IMPLEMENTATION
#define SPATIAL_STATIC
#define SPATIAL_NO_QUADTREE
#define SPATIAL_NO_LOOSEGRID
#define SPATIAL_NO_PACKED
#include "../spatial.h"
#include "measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WAYS = 6, MOST_ROUNDS = 200 };

#ifdef NANOFLANN
extern long nanoflann_neighbours(const float *points, int n, float radius, int32_t *rows,
                                 int32_t *ids);
#endif

static float *points; /* x, y */
static int n;
static float radius, side; /* of the world, which begins at 0 */

/* ---- The grid of one's own ------------------------------------------------------------------- */

typedef struct grid {
    int columns;
    int32_t *ends, *cells, *ids;
    float *x, *y;
    int32_t *rows, *found;
} grid;

static void *room(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (!p) exit(1);
    return p;
}

static void grid_open(grid *g, size_t most_found)
{
    g->columns = (int)(side / radius) + 1;
    g->ends = room((size_t)(g->columns + 2) * (size_t)(g->columns + 2) + 1, sizeof *g->ends);
    g->cells = room((size_t)n, sizeof *g->cells), g->ids = room((size_t)n, sizeof *g->ids);
    g->x = room((size_t)n, sizeof *g->x), g->y = room((size_t)n, sizeof *g->y);
    g->rows = room((size_t)n, 2 * sizeof *g->rows), g->found = room(most_found, sizeof *g->found);
}

static void grid_close(grid *g)
{
    free(g->ends), free(g->cells), free(g->ids), free(g->x), free(g->y), free(g->rows);
    free(g->found);
}

static long grid_find(grid *g)
{
    const int width = g->columns + 2, count = width * width;
    const float scale = 1 / radius, limit = radius * radius;
    int32_t *ends = g->ends + 1, *found = g->found, first = 0; /* ends[-1] is 0 */
    int i, j, c, d;
    for (c = -1; c < count; c++) ends[c] = 0;
    for (i = 0; i < n; i++) {
        const int column = (int)(points[2 * i] * scale), row = (int)(points[2 * i + 1] * scale);
        g->cells[i] = (row + 1) * width + column + 1;
        ends[g->cells[i]]++;
    }
    for (c = 0; c < count; c++) {
        const int32_t size = ends[c];
        ends[c] = first, first += size;
    }
    for (i = 0; i < n; i++) {
        const int32_t k = ends[g->cells[i]]++;
        g->ids[k] = i, g->x[k] = points[2 * i], g->y[k] = points[2 * i + 1];
    }
    for (i = 0; i < n; i++) {
        const float x = g->x[i], y = g->y[i];
        const int32_t id = g->ids[i], cell = g->cells[id];
        first = (int32_t)(found - g->found);
        for (d = -width; d <= width; d += width) {
            const int from = ends[cell + d - 2], to = ends[cell + d + 1];
            for (j = from; j < to; j++) {
                const float dx = g->x[j] - x, dy = g->y[j] - y;
                *found = g->ids[j];
                found += (dx * dx + dy * dy <= limit) & (j != i);
            }
        }
        g->rows[2 * id] = first;
        g->rows[2 * id + 1] = (int32_t)(found - g->found) - first;
    }
    return (long)(found - g->found);
}

/* ---- A window a point ------------------------------------------------------------------------ */

static long windows_find(spt_index *world, spt_intlist *list, int32_t *rows, int32_t *found)
{
    long total = 0, first;
    int i;
    int32_t k, count;
    for (i = 0; i < n; i++) {
        const float x = points[2 * i], y = points[2 * i + 1];
        spt_box box = {x, y, x, y};
        spt_move(world, i, &box);
    }
    for (i = 0; i < n; i++) {
        const float x = points[2 * i], y = points[2 * i + 1];
        spt_box window = {x - radius, y - radius, x + radius, y + radius};
        const int32_t *ids;
        count = spt_query(world, &window, NULL, list);
        ids = spt_intlist_data(list);
        for (first = total, k = 0; k < count; k++) {
            const float dx = points[2 * ids[k]] - x, dy = points[2 * ids[k] + 1] - y;
            found[total] = ids[k];
            total += (dx * dx + dy * dy <= radius * radius) & (ids[k] != i);
        }
        rows[2 * i] = (int32_t)first, rows[2 * i + 1] = (int32_t)(total - first);
    }
    return total;
}

/* ---- Measuring ------------------------------------------------------------------------------- */

static uint32_t state = 1;

static float draw(void)
{
    state ^= state << 13, state ^= state >> 17, state ^= state << 5;
    return (float)(state * 0x9E3779B1u >> 8) / 16777216.0F;
}

/* Points that have `wanted` neighbours each: anywhere, or three of four around places. */
static void draw_points(int count, float wanted, int clustered)
{
    int i;
    n = count;
    radius = 1;
    side = sqrtf((float)n * 3.14159265F / wanted);
    for (i = 0; i < n; i++) {
        float *p = points + 2 * i;
        p[0] = draw() * side, p[1] = draw() * side;
        if (clustered && i > n / 100 && i % 4) {
            const float *center = points + 2 * (i * 7 % (n / 100));
            p[0] = center[0] + (draw() + draw() + draw() - 1.5F) * side / 25;
            p[1] = center[1] + (draw() + draw() + draw() - 1.5F) * side / 25;
            p[0] = p[0] < 0 ? 0 : p[0] < side ? p[0] : side;
            p[1] = p[1] < 0 ? 0 : p[1] < side ? p[1] : side;
        }
    }
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void contest(const char *name, int rounds)
{
    static const char *const ways[WAYS] = {"spatial.h", "the same, pairs", "the same, nearest 6",
                                           "own grid", "a window a point", "nanoflann"};
    static double times[WAYS][MOST_ROUNDS];
    spt_linear_desc desc = {{0, 0, 0, 0}, 0, 0, 0, 0, 0, {0, 0}};
    spt_neighbours_desc six = {0, 6, 0, 0, {0, 0}};
    spt_neighbours nb, nearest;
    spt_intlist rows, ids, list;
    spt_index world;
    long found[WAYS] = {0};
    grid g;
    int i, round, way;
    spt_neighbours_init(&nb, NULL), spt_neighbours_init(&nearest, &six);
    spt_intlist_init(&rows, 2), spt_intlist_init(&ids, 1), spt_intlist_init(&list, 2);
    found[0] = spt_neighbours_find(&nb, points, points + 1, 8, n, radius, &rows, &ids);
    grid_open(&g, (size_t)found[0] + 1);
    desc.bounds.max_x = desc.bounds.max_y = side;
    if (spt_linear_init(&world, &desc) != SPT_OK) exit(1);
    for (i = 0; i < n; i++) {
        spt_box box = {points[2 * i], points[2 * i + 1], points[2 * i], points[2 * i + 1]};
        spt_insert(&world, i, &box);
    }
    for (round = 0; round < rounds; round++)
        for (way = 0; way < WAYS; way++) {
            const double begin = seconds();
            if (way == 0)
                found[0] = spt_neighbours_find(&nb, points, points + 1, 8, n, radius, &rows, &ids);
            if (way == 1)
                found[1] = 2L * spt_neighbours_pairs(&nb, points, points + 1, 8, n, radius, &list);
            if (way == 2)
                found[2] = spt_neighbours_find(&nearest, points, points + 1, 8, n, radius, &rows,
                                               &ids);
            if (way == 3) found[3] = grid_find(&g);
            if (way == 4 && round % 4 == 0) {
                spt_intlist one;
                spt_intlist_init(&one, 1);
                found[4] = windows_find(&world, &one, g.rows, g.found);
                spt_intlist_free(&one);
            }
#ifdef NANOFLANN
            if (way == 5 && round % 4 == 0)
                found[5] = nanoflann_neighbours(points, n, radius, g.rows, g.found);
#endif
            times[way][round] = seconds() - begin;
            if (way > 3 && round % 4) times[way][round] = times[way][round - 1];
        }
    printf("\n%s: %d points, %.1f neighbours each\n", name, n, (double)found[0] / n);
    for (way = 0; way < WAYS; way++) {
        double *t = times[way];
        qsort(t, (size_t)rounds, sizeof *t, by_size);
        if (found[way] == 0) continue;
        printf("  %-20s %8.2f ms  %5.2f%s\n", ways[way], t[rounds / 2] * 1e3,
               t[rounds / 2] / times[0][rounds / 2],
               way != 2 && labs(found[way] - found[0]) > n / 1000 ? "  DIFFERS" : "");
    }
    spt_free(&world), grid_close(&g);
    spt_intlist_free(&rows), spt_intlist_free(&ids), spt_intlist_free(&list);
    spt_neighbours_free(&nb), spt_neighbours_free(&nearest);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 41;
    if (argc > 2) state = (uint32_t)strtoul(argv[2], NULL, 10) | 1u;
    if (rounds < 1 || rounds > MOST_ROUNDS) return 2;
    points = room(200000, 2 * sizeof *points);
    draw_points(50000, 12, 0), contest("anywhere", rounds);
    draw_points(200000, 12, 0), contest("anywhere", rounds / 2 + 1);
    draw_points(50000, 48, 1), contest("clustered", rounds / 2 + 1);
    draw_points(200000, 52, 1), contest("clustered", rounds / 2 + 1);
    draw_points(2000, 12, 0), contest("anywhere", rounds);
    free(points);
    return 0;
}
