/* See jobs.h. Pairs that began and ended are compared with the broadphase and all pairs, in
   every frame; and the pairs of the boxes that moved, in the first frame, with all pairs in which
   one of them is. */
#include "contest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WHOLE, MOVING, SOME, EVERY, PARTS }; /* the timed parts */

static const char section[] = "Few boxes move";

typedef struct moved_race {
    contest c;
    workload w;
    int *all; /* ids */
    samples taken[PARTS][MOST_ENTRANTS];
    double spent[MOST_ENTRANTS]; /* seconds */
    long began, changed;         /* by the first entrant */
    set_hash hash;
} moved_race;

static int finds_some(const entrant *x) /* pairs of the moved boxes */
{
    return x->by->pairs_of && x->keeps && strcmp(x->structure, "packed") != 0;
}

/* One hash for both lists, in which a pair that began counts for another than one that ended. */
static set_hash hash_changes(const int *pairs, long began, long changed)
{
    return 3 * hash_pairs(pairs, began) + hash_pairs(pairs + 2 * began, changed - began);
}

static void find_changes(moved_race *race, int k, const int *ids, int count, int is_timed)
{
    entrant *x = &race->c.entrants[k];
    const double start = seconds();
    double moved;
    long began, changed;
    set_hash hash;
    if (x->keeps && is_timed) entrant_move(x, &race->w);
    moved = seconds();
    changed = x->by->contacts(x->state, race->w.boxes, race->w.n, ids, count, &began);
    if (is_timed) {
        const double end = seconds();
        samples_add(&race->taken[WHOLE][k], end - start);
        if (finds_some(x)) samples_add(&race->taken[MOVING][k], moved - start);
        race->spent[k] += end - start;
    }
    hash = hash_changes(x->by->found(x->state), began, changed);
    if (k == 0) race->began = began, race->changed = changed, race->hash = hash;
    if (began == race->began && changed == race->changed && hash == race->hash) return;
    if (x->kind == OURS) give_up_on(x->structure, "other pairs began or ended");
    x->trouble = DIFFERS;
    entrant_close(x);
}

/* ---- pairs of the moved boxes ---------------------------------------------------------------- */

static set_hash hash_with_moved(const workload *w, const int *pairs, long count)
{
    char *moved = (char *)resized(NULL, (size_t)w->n, 1);
    set_hash sum = 0;
    long i;
    memset(moved, 0, (size_t)w->n);
    for (i = 0; i < w->moved; i++) moved[w->ids[i]] = 1;
    for (i = 0; i < count; i++)
        if (moved[pairs[2 * i]] || moved[pairs[2 * i + 1]]) sum += hash_pairs(pairs + 2 * i, 1);
    free(moved);
    return sum;
}

static void find_pairs(moved_race *race, int k)
{
    entrant *x = &race->c.entrants[k];
    const workload *w = &race->w;
    const int is_first = race->taken[SOME][k].count == 0;
    set_hash all = 0;
    double start = seconds();
    long found = x->by->pairs(x->state, w->boxes, w->n);
    samples_add(&race->taken[EVERY][k], seconds() - start);
    if (is_first) all = hash_with_moved(w, x->by->found(x->state), found);
    start = seconds();
    found = x->by->pairs_of(x->state, w->ids, w->moved);
    samples_add(&race->taken[SOME][k], seconds() - start);
    if (is_first && hash_pairs(x->by->found(x->state), found) != all)
        give_up_on(x->structure, "the pairs of the moved boxes are not among all pairs");
}

/* ---- a share of moving boxes ----------------------------------------------------------------- */

static const samples *taken_by(const void *of, int k)
{
    return (const samples *)of + k;
}

static void print_part(const moved_race *race, int part, const char *table, const char *share)
{
    double times[MOST_ENTRANTS];
    char row[80];
    int k;
    snprintf(row, sizeof row, "%s, %s", race->c.p->workload, share);
    for (k = 0; k < race->c.count; k++) {
        const entrant *x = &race->c.entrants[k];
        times[k] = x->by->contacts && (part == WHOLE || finds_some(x)) ? 0 : -1;
        if (race->taken[part][k].count > 0)
            times[k] = samples_quantile(&race->taken[part][k], 0.5) * 1e3;
    }
    print_row(&race->c, section, table, row, times, -1);
    print_ratios(&race->c, table, share, taken_by, race->taken[part]);
}

static void print_share(moved_race *race, const char *share)
{
    static const char *const parts[PARTS] = {"began and ended", "of that, to move and tidy",
                                             "pairs of the boxes that moved", "all pairs"};
    int part, k;
    for (part = 0; part < PARTS; part++) {
        char table[80];
        snprintf(table, sizeof table, "%s, %s", table_of(&race->w), parts[part]);
        print_part(race, part, table, share);
        for (k = 0; k < race->c.count; k++) samples_free(&race->taken[part][k]);
    }
}

static void run_share(moved_race *race, int every, const char *share)
{
    int f, k;
    memset(race->spent, 0, sizeof race->spent);
    for (f = 0; f < race->c.p->rounds; f++) {
        workload_move(&race->w, every);
        for (k = 0; k < race->c.count; k++) {
            entrant *x = &race->c.entrants[k];
            if (x->state) find_changes(race, k, race->w.ids, race->w.moved, 1);
            if (x->state && finds_some(x)) find_pairs(race, k);
        }
        if (race->spent[1] > race->c.p->budget) break;
    }
    print_share(race, share);
}

void job_moved(const plan *p)
{
    moved_race race;
    double inserting;
    int k;
    memset(&race, 0, sizeof race);
    contest_open(&race.c, p);
    workload_open(&race.w, p->workload, p->n, p->seed);
    race.all = (int *)resized(NULL, (size_t)race.w.n, sizeof *race.all);
    for (k = 0; k < race.w.n; k++) race.all[k] = k;
    print_text(section, "Milliseconds a frame in which a hundredth or a tenth of the boxes moves: "
                        "to move them, tidy, and find");
    print_text(section, "which pairs began and which ended. Box2D's tree keeps pairs of leaves as "
                        "its world does; see bench/peers/box2d.cpp.");
    for (k = 0; k < race.c.count; k++) {
        entrant *x = &race.c.entrants[k];
        if (!x->by->contacts || !entrant_open(&race.c, x, &race.w, &inserting)) continue;
        find_changes(&race, k, race.all, race.w.n, 0);
    }
    run_share(&race, 100, "a hundredth");
    run_share(&race, 10, "a tenth");
    contest_close(&race.c);
    workload_close(&race.w);
    free(race.all);
}
