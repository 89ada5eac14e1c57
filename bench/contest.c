/* See contest.h. */
#include "contest.h"
#include "memory.h"
#include "ours.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_TOLD = 1000 }; /* boxes: what fewer take says little of what many take */

/* ---- entrants -------------------------------------------------------------------------------- */

static int is_ours(const subject *by)
{
    return strcmp(by->library, subjects[0]->library) == 0;
}

void contest_open(contest *c, const char *name, unsigned long seed, double patience)
{
    int s, k;
    memset(c, 0, sizeof *c);
    c->workload = name;
    c->seed = seed;
    c->patience = patience;
    for (s = 0; subjects[s]; s++)
        for (k = 0; subjects[s]->structures[k]; k++) {
            entrant *x;
            size_t room = (size_t)c->count + 1;
            c->entrants = (entrant *)resized(c->entrants, room, sizeof *c->entrants);
            x = &c->entrants[c->count++];
            memset(x, 0, sizeof *x);
            x->by = subjects[s];
            x->structure = subjects[s]->structures[k];
            x->kind = s == 0 ? OURS : is_ours(x->by) ? OLD : PEER;
            x->keeps = x->kind == PEER || strcmp(x->structure, "broadphase") != 0;
            /* Older versions find no pairs of what is packed. */
            x->pairs = x->by->pairs && (x->kind != OLD || strcmp(x->structure, "packed") != 0);
        }
}

void contest_close(contest *c)
{
    int k;
    for (k = 0; k < c->count; k++) entrant_close(&c->entrants[k]);
    free(c->entrants);
}

void entrant_begin(entrant *x)
{
    x->heap -= memory_bytes();
    x->calls -= memory_calls();
}

void entrant_end(entrant *x)
{
    x->heap += memory_bytes();
    x->calls += memory_calls();
}

int entrant_open(const contest *c, entrant *x, const workload *w, double *time)
{
    double start;
    if (x->trouble == DIFFERS) return 0; /* of fewer boxes */
    x->trouble = SLOW;
    if (x->insert_forecast > 4 * c->patience || x->frame_forecast > c->patience) return 0;
    x->trouble = REFUSES;
    x->heap = 0;
    x->calls = 0;
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
    if (x->kind != PEER) return (double)((const ours_memory *)x->state)->bytes;
    if (memory_calls() < 0) return -1;
    return fmax(x->heap - (double)found * 2 * (double)sizeof(int), 0);
}

long entrant_calls(const entrant *x)
{
    if (x->kind != PEER) return ((const ours_memory *)x->state)->calls;
    return memory_calls() < 0 ? -1 : x->calls;
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
    workload_open(&first, c->workload, n, c->seed);
    workload_open(&then, c->workload, n, c->seed);
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

void contest_forecast(contest *c, int n)
{
    size_t bytes = (size_t)c->count * sizeof(cost);
    cost *before = (cost *)resized(NULL, bytes, 1);
    int part;
    memset(before, 0, bytes);
    for (part = 1000; part > 1; part /= 10)
        if (n / part >= FEWEST_TOLD) probe_all(c, n / part, before);
    free(before);
}

/* ---- lines of results ------------------------------------------------------------------------ */

void print_entrant(const contest *c, const char *line, int n, int share, const entrant *x)
{
    static const char *const kinds[] = {"ours", "old", "peer"};
    static const char *const troubles[] = {"fine", "slow", "differs", "refuses"};
    printf("%s\t%s\t%d\t%d\t%s\t%s\t%s\t%s\t", line, c->workload, n, share, kinds[x->kind],
           x->by->library, x->structure, troubles[x->trouble]);
}

int contest_newer(const contest *c, int k)
{
    const entrant *old = &c->entrants[k];
    int i;
    if (old->kind != OLD) return -1;
    for (i = 0; i < c->count; i++)
        if (c->entrants[i].kind == OURS && strcmp(c->entrants[i].structure, old->structure) == 0)
            return i;
    return -1;
}

void print_ratio(const contest *c, int n, int share, const entrant *now, const char *what,
                 const samples *taken_now, const samples *taken_then)
{
    if (taken_now->count == 0 || taken_then->count == 0) return;
    print_entrant(c, "ratio", n, share, now);
    printf("%s\t%.4f\n", what, samples_ratio(taken_then, taken_now));
}
