/* All neighbours of all points, the lower corners of boxes: spatial.h beside an honest grid of
   one's own, a window a point, and nanoflann where it is; see jobs.h.

   The radius is such that points of the equal boxes have 12 neighbours each; in the same world of
   crowded boxes they have more. The grid is written as a good programmer writes one for this: cells
   of the radius over known bounds, points sorted by counting, coordinates copied in that order,
   three rows of three cells as three runs, no branch in the innermost loop; the same rows and ids.
   The numbers of neighbours are compared and not the ids, because the grid and nanoflann round the
   squares of distances. */
#define SPATIAL_IMPLEMENTATION
#define SPATIAL_STATIC
#include "../spatial.h"
#include "contest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OWN, PAIRS, GRID, WINDOWS_EACH, NANOFLANN, WAYS };

static const char *const ways[WAYS] = {"spatial.h", "spatial.h, pairs", "a grid of one's own",
                                       "a window a point", "nanoflann"};

typedef struct crowd {
    float *points; /* x, y */
    int n;
    float radius;
    int32_t *rows, *found; /* the results of others than spatial.h */
} crowd;

/* ---- The grid of one's own ------------------------------------------------------------------- */

typedef struct grid {
    float min_x, min_y;
    int columns, height;
    int32_t *ends, *cells, *ids;
    float *x, *y;
} grid;

static void grid_open(grid *g, const crowd *c)
{
    const size_t n = (size_t)c->n;
    float max_x, max_y;
    int i;
    g->min_x = max_x = c->points[0], g->min_y = max_y = c->points[1];
    for (i = 1; i < c->n; i++) {
        const float x = c->points[2 * i], y = c->points[2 * i + 1];
        g->min_x = fminf(g->min_x, x), max_x = fmaxf(max_x, x);
        g->min_y = fminf(g->min_y, y), max_y = fmaxf(max_y, y);
    }
    g->columns = (int)((max_x - g->min_x) / c->radius) + 3; /* an empty one on each side */
    g->height = (int)((max_y - g->min_y) / c->radius) + 3;
    g->ends = resized(NULL, (size_t)g->columns * (size_t)g->height + 1, sizeof *g->ends);
    g->cells = resized(NULL, n, sizeof *g->cells), g->ids = resized(NULL, n, sizeof *g->ids);
    g->x = resized(NULL, n, sizeof *g->x), g->y = resized(NULL, n, sizeof *g->y);
}

static void grid_close(grid *g)
{
    free(g->ends), free(g->cells), free(g->ids), free(g->x), free(g->y);
}

static void grid_sort(grid *g, const crowd *c)
{
    const int count = g->columns * g->height;
    const float scale = 1 / c->radius;
    int32_t *ends = g->ends + 1, first = 0; /* ends[-1] is 0 */
    int i, k;
    for (k = -1; k < count; k++) ends[k] = 0;
    for (i = 0; i < c->n; i++) {
        const int column = (int)((c->points[2 * i] - g->min_x) * scale);
        const int row = (int)((c->points[2 * i + 1] - g->min_y) * scale);
        g->cells[i] = (row + 1) * g->columns + column + 1;
        ends[g->cells[i]]++;
    }
    for (k = 0; k < count; k++) {
        const int32_t size = ends[k];
        ends[k] = first, first += size;
    }
    for (i = 0; i < c->n; i++) {
        const int32_t place = ends[g->cells[i]]++;
        g->ids[place] = i, g->x[place] = c->points[2 * i], g->y[place] = c->points[2 * i + 1];
    }
}

static long grid_find(grid *g, crowd *c)
{
    const float limit = c->radius * c->radius;
    const int32_t *ends = g->ends + 1;
    int32_t *found = c->found;
    int i, j, d;
    grid_sort(g, c);
    for (i = 0; i < c->n; i++) {
        const float x = g->x[i], y = g->y[i];
        const int32_t id = g->ids[i], cell = g->cells[id], first = (int32_t)(found - c->found);
        for (d = -g->columns; d <= g->columns; d += g->columns) {
            const int from = ends[cell + d - 2], to = ends[cell + d + 1];
            for (j = from; j < to; j++) {
                const float dx = g->x[j] - x, dy = g->y[j] - y;
                *found = g->ids[j];
                found += (dx * dx + dy * dy <= limit) & (j != i);
            }
        }
        c->rows[2 * id] = first;
        c->rows[2 * id + 1] = (int32_t)(found - c->found) - first;
    }
    return (long)(found - c->found);
}

/* ---- A window a point ------------------------------------------------------------------------ */

static long windows_find(spt_index *world, spt_intlist *list, crowd *c)
{
    const float radius = c->radius;
    long total = 0, first;
    int32_t k, count, i;
    for (i = 0; i < c->n; i++) {
        const float x = c->points[2 * i], y = c->points[2 * i + 1];
        const spt_box box = {x, y, x, y};
        (void)spt_move(world, i, &box);
    }
    for (i = 0; i < c->n; i++) {
        const float x = c->points[2 * i], y = c->points[2 * i + 1];
        const spt_box window = {x - radius, y - radius, x + radius, y + radius};
        const int32_t *ids;
        count = spt_query(world, &window, NULL, list);
        ids = spt_intlist_data(list);
        for (first = total, k = 0; k < count; k++) {
            const float dx = c->points[2 * ids[k]] - x, dy = c->points[2 * ids[k] + 1] - y;
            c->found[total] = ids[k];
            total += (dx * dx + dy * dy <= radius * radius) & (ids[k] != i);
        }
        c->rows[2 * i] = (int32_t)first, c->rows[2 * i + 1] = (int32_t)(total - first);
    }
    return total;
}

/* ---- Measuring ------------------------------------------------------------------------------- */

typedef struct race {
    crowd c;
    grid g;
    spt_neighbours all;
    spt_index world;
    spt_intlist rows, ids, list, pairs;
    const subject *nanoflann; /* NULL: it is not there */
} race;

static void open_race(race *r, const workload *w)
{
    int i;
    r->c.n = w->n;
    r->c.radius = (float)(sqrt(4 * 12 / 3.14159265358979));
    r->c.points = (float *)resized(NULL, (size_t)w->n, 2 * sizeof(float));
    for (i = 0; i < w->n; i++)
        r->c.points[2 * i] = w->boxes[i].min_x, r->c.points[2 * i + 1] = w->boxes[i].min_y;
    if (spt_neighbours_init(&r->all, NULL) || spt_linear_init(&r->world, NULL))
        give_up("init fails");
    spt_intlist_init(&r->rows, 2), spt_intlist_init(&r->ids, 1);
    spt_intlist_init(&r->list, 1), spt_intlist_init(&r->pairs, 2);
    for (i = 0; i < w->n; i++) {
        const float x = r->c.points[2 * i], y = r->c.points[2 * i + 1];
        const spt_box box = {x, y, x, y};
        if (spt_insert(&r->world, i, &box) != SPT_OK) give_up("insert fails");
    }
    spt_tidy(&r->world);
    grid_open(&r->g, &r->c);
    for (i = 0; subjects[i]; i++)
        if (subjects[i]->neighbours) r->nanoflann = subjects[i];
}

static void close_race(race *r)
{
    spt_neighbours_free(&r->all), spt_free(&r->world);
    spt_intlist_free(&r->rows), spt_intlist_free(&r->ids);
    spt_intlist_free(&r->list), spt_intlist_free(&r->pairs);
    grid_close(&r->g);
    free(r->c.points), free(r->c.rows), free(r->c.found);
}

static long go(race *r, int way)
{
    crowd *c = &r->c;
    const float *x = c->points, *y = c->points + 1;
    const size_t stride = 2 * sizeof *x;
    switch (way) {
    case OWN:
        return spt_neighbours_find(&r->all, x, y, stride, c->n, c->radius, &r->rows, &r->ids);
    case PAIRS:
        return 2L * spt_neighbours_pairs(&r->all, x, y, stride, c->n, c->radius, &r->pairs);
    case GRID:
        return grid_find(&r->g, c);
    case WINDOWS_EACH:
        return windows_find(&r->world, &r->list, c);
    default:
        return r->nanoflann->neighbours(c->points, c->n, c->radius, c->rows, c->found);
    }
}

void job_neighbours(const plan *p)
{
    static const char section[] = "Neighbours";
    samples taken[WAYS];
    workload w;
    race r;
    long found[WAYS];
    char row[80];
    int round, way;
    memset(&r, 0, sizeof r), memset(taken, 0, sizeof taken), memset(found, 0, sizeof found);
    workload_open(&w, p->workload, p->n, p->seed);
    open_race(&r, &w);
    found[OWN] = go(&r, OWN);
    r.c.rows = (int32_t *)resized(NULL, (size_t)w.n, 2 * sizeof *r.c.rows);
    r.c.found = (int32_t *)resized(NULL, (size_t)found[OWN] + (size_t)w.n, sizeof *r.c.found);
    for (round = 0; round < p->rounds; round++)
        for (way = 0; way < WAYS; way++) {
            const double begin = seconds();
            if ((way >= WINDOWS_EACH && round % 4) || (way == NANOFLANN && !r.nanoflann)) continue;
            found[way] = go(&r, way);
            samples_add(&taken[way], seconds() - begin);
        }
    print_text(section, "Milliseconds for all neighbours of all points, and how many times as long "
                        "that is as spatial.h takes for them.");
    snprintf(row, sizeof row, "%s, %s points, %.1f each", p->workload, grouped(w.n),
             (double)found[OWN] / w.n);
    for (way = 0; way < WAYS; way++) {
        const double time = samples_quantile(&taken[way], 0.5);
        const double own = way > OWN ? samples_quantile(&taken[OWN], 0.5) : time;
        const int differs = labs(found[way] - found[OWN]) > w.n / 1000;
        if (taken[way].count == 0) continue;
        print_cell(section, "", row, ways[way], differs ? "DIFFERS" : "%s (%.2f)",
                   number(time * 1e3), time / own);
    }
    for (way = 0; way < WAYS; way++) samples_free(&taken[way]);
    close_race(&r);
    workload_close(&w);
}
