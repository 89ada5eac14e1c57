/* See contest.h. */
#include "contest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_TOLD = 1000 }; /* boxes; times of fewer say little about many */

/* ---- entrants -------------------------------------------------------------------------------- */

static int is_ours(const subject *by)
{
    return strcmp(by->library, subjects[0]->library) == 0;
}

void contest_open(contest *c, const plan *p)
{
    int s, k;
    memset(c, 0, sizeof *c);
    c->p = p;
    for (s = 0; subjects[s]; s++)
        for (k = 0; subjects[s]->structures[k]; k++) {
            entrant *x = &c->entrants[c->count++];
            if (c->count > MOST_ENTRANTS) give_up("too many structures");
            x->by = subjects[s];
            x->structure = subjects[s]->structures[k];
            x->kind = s == 0 ? OURS : is_ours(x->by) ? OLDER : PEER;
            x->keeps = x->kind == PEER || strcmp(x->structure, "broadphase") != 0;
            x->pairs = x->by->pairs != NULL;
        }
}

void contest_close(contest *c)
{
    int k;
    for (k = 0; k < c->count; k++) entrant_close(&c->entrants[k]);
}

void entrant_begin(entrant *x)
{
    x->heap -= memory_bytes();
}

void entrant_end(entrant *x)
{
    x->heap += memory_bytes();
}

int entrant_open(const contest *c, entrant *x, const workload *w, double *time)
{
    double start;
    if (x->trouble == DIFFERS) return 0; /* of fewer boxes */
    x->trouble = SLOW;
    if (x->insert_forecast > 4 * c->p->budget || x->frame_forecast > c->p->budget) return 0;
    x->trouble = REFUSES;
    x->heap = 0;
    entrant_begin(x);
    x->state = x->by->open(x->structure, &w->world, w->boxes, w->n);
    if (!x->state) return 0;
    x->trouble = FINE;
    start = seconds();
    x->by->insert(x->state, w->boxes, w->n);
    if (x->by->tidy) x->by->tidy(x->state);
    *time = seconds() - start;
    entrant_end(x);
    return 1;
}

void entrant_close(entrant *x)
{
    if (x->state) x->by->close(x->state);
    x->state = NULL;
}

void entrant_move(entrant *x, const workload *w)
{
    x->by->move(x->state, w->boxes, w->n, w->ids, w->moved);
    if (x->by->tidy) x->by->tidy(x->state);
}

double entrant_bytes(const entrant *x, long found)
{
    if (x->by->bytes) return x->by->bytes(x->state);
    if (memory_bytes() < 0) return -1;
    return fmax(x->heap - (double)found * 2 * (double)sizeof(int), 0);
}

/* ---- forecasts ------------------------------------------------------------------------------- */

typedef struct cost { /* seconds; 0: unknown */
    double insert, frame;
} cost;

/* Inserts the boxes as they are first; a frame is to move all, and to find all pairs if they will
   be asked for. */
static cost probe(const contest *c, entrant *x, const workload *first, const workload *then)
{
    cost took = {0, 0};
    double start;
    if (!entrant_open(c, x, first, &took.insert)) return took;
    start = seconds();
    entrant_move(x, then);
    if (c->with_pairs && x->pairs) (void)x->by->pairs(x->state, then->boxes, then->n);
    took.frame = seconds() - start;
    entrant_close(x);
    return took;
}

/* What ten times as many will take: as much more as these took more than a tenth of them, and ten
   times as much at least. */
static double ten_times(double few, double many)
{
    return many * fmax(few > 0 ? many / few : 10, 10);
}

static void probe_all(contest *c, int n, cost *before)
{
    workload first, then;
    int k;
    workload_open(&first, c->p->workload, n, c->p->seed);
    workload_open(&then, c->p->workload, n, c->p->seed);
    workload_move(&then, 1);
    for (k = 0; k < c->count; k++) {
        entrant *x = &c->entrants[k];
        cost took = probe(c, x, &first, &then);
        if (x->trouble != FINE) continue;
        x->insert_forecast = ten_times(before[k].insert, took.insert);
        x->frame_forecast = ten_times(before[k].frame, took.frame);
        before[k] = took;
    }
    workload_close(&first);
    workload_close(&then);
}

void contest_forecast(contest *c)
{
    cost before[MOST_ENTRANTS];
    int part;
    memset(before, 0, sizeof before);
    for (part = 1000; part > 1; part /= 10)
        if (c->p->n / part >= FEWEST_TOLD) probe_all(c, c->p->n / part, before);
}

/* ---- rows of tables -------------------------------------------------------------------------- */

const char *maker_of(const subject *by)
{
    static char maker[40];
    const char *space = strrchr(by->library, ' ');
    int length = (int)strlen(by->library);
    if (space && space[1] >= '0' && space[1] <= '9') length = (int)(space - by->library);
    snprintf(maker, sizeof maker, "%.*s", length, by->library);
    return maker;
}

const char *name_of(const entrant *x)
{
    static char name[80];
    const char *maker = maker_of(x->by);
    if (x->kind == OURS || strcmp(maker, "brute force") == 0)
        return x->kind == OURS ? x->structure : maker;
    snprintf(name, sizeof name, "%s %s", maker, x->structure);
    return name;
}

const char *row_of(const plan *p)
{
    static char row[120];
    snprintf(row, sizeof row, "%s: %s", p->workload, workload_plainly(p->workload));
    return row;
}

const char *table_of(const workload *w)
{
    static char table[40];
    snprintf(table, sizeof table, "%s box%s", grouped(w->n), w->n == 1 ? "" : "es");
    return table;
}

/* The entrant with the least value among all of a kind, and of a library unless that is NULL; -1
   if none has a value. */
static int best_of(const contest *c, int kind, const subject *by, const double *values)
{
    int best = -1, k;
    for (k = 0; k < c->count; k++) {
        const entrant *x = &c->entrants[k];
        if (x->kind != kind || !(values[k] > 0) || x->trouble == DIFFERS) continue;
        if (by && strcmp(x->by->library, by->library) != 0) continue;
        if (best < 0 || values[k] < values[best]) best = k;
    }
    return best;
}

int contest_tells(const contest *c, int k, const double *values)
{
    const entrant *x = &c->entrants[k];
    int best, i;
    if (x->kind != PEER || values[k] < 0) return x->kind == OURS && values[k] >= 0;
    best = best_of(c, PEER, x->by, values);
    if (best >= 0) return k == best;
    for (i = 0; i < k; i++)
        if (values[i] >= 0 && strcmp(c->entrants[i].by->library, x->by->library) == 0) return 0;
    return 1;
}

void print_row(const contest *c, const char *section, const char *table, const char *row,
               const double *values, int with)
{
    static const char *const words[] = {"cannot", "slow", "DIFFERS", "cannot"};
    const int best = best_of(c, PEER, NULL, values);
    int s, k;
    if (with < 0) with = best_of(c, OURS, NULL, values);
    for (k = 0; k < c->count; k++) {
        const entrant *x = &c->entrants[k];
        if (!contest_tells(c, k, values)) continue;
        print_cell(section, table, row, x->kind == OURS ? x->structure : maker_of(x->by), "%s",
                   values[k] > 0 && x->trouble != DIFFERS ? number(values[k]) : words[x->trouble]);
    }
    for (s = 1, k = 0; subjects[s]; s++) k += !is_ours(subjects[s]);
    if (k > 0 && with >= 0 && best >= 0)
        print_cell(section, table, row, "best other / ours", "%s (%s)",
                   number(values[best] / values[with]), name_of(&c->entrants[best]));
}

int contest_newer(const contest *c, int k)
{
    const entrant *old = &c->entrants[k];
    int i;
    if (old->kind != OLDER) return -1;
    for (i = 0; i < c->count; i++)
        if (c->entrants[i].kind == OURS && strcmp(c->entrants[i].structure, old->structure) == 0)
            return i;
    return -1;
}

void print_ratios(const contest *c, const char *table, const char *row,
                  const samples *(*taken)(const void *of, int entrant), const void *of)
{
    static const char section[] = "How many times as fast it is now";
    char label[200];
    int k;
    snprintf(label, sizeof label, "%s, %s", c->p->workload, row);
    for (k = 0; k < c->count; k++) {
        const int newer = contest_newer(c, k);
        if (newer < 0 || taken(of, newer)->count == 0 || taken(of, k)->count == 0) continue;
        print_text(section, "The time of the older version divided by the time now, as the median "
                            "of the ratios of the same rounds.");
        print_cell(section, table, label, c->entrants[k].structure, "%s",
                   number(samples_ratio(taken(of, k), taken(of, newer))));
    }
}
