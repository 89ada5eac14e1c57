/* See jobs.h. Some peers do a part of a move only when they are searched; the frames have that
   part. */
#include "contest.h"

#include <string.h>

enum { INSERT, MOVE, REMOVE, PARTS };

static const char *const parts[PARTS] = {"insert", "move", "remove"};
static const char section[] = "Updates";

typedef struct update_race {
    contest c;
    workload w;
    samples taken[PARTS][MOST_ENTRANTS];
    double spent[MOST_ENTRANTS]; /* seconds */
} update_race;

static void sample(update_race *race, int part, int k, double time)
{
    samples_add(&race->taken[part][k], time);
    race->spent[k] += time;
}

static void move_and_remove(update_race *race, int k)
{
    entrant *x = &race->c.entrants[k];
    double start = seconds();
    entrant_move(x, &race->w);
    sample(race, MOVE, k, seconds() - start);
    start = seconds();
    x->by->remove(x->state, race->w.boxes, race->w.n);
    if (x->by->tidy) x->by->tidy(x->state);
    sample(race, REMOVE, k, seconds() - start);
    entrant_close(x);
}

static void run_round(update_race *race)
{
    int k;
    for (k = 0; k < race->c.count; k++) {
        entrant *x = &race->c.entrants[k];
        double time;
        if (!x->keeps || !x->pairs || !x->by->remove) continue;
        if (race->spent[k] > race->c.p->budget || x->trouble != FINE) continue;
        if (entrant_open(&race->c, x, &race->w, &time)) sample(race, INSERT, k, time);
    }
    workload_move(&race->w, 1);
    for (k = 0; k < race->c.count; k++)
        if (race->c.entrants[k].state) move_and_remove(race, k);
}

static const samples *taken_by(const void *of, int k)
{
    return (const samples *)of + k;
}

static void print_results(const update_race *race)
{
    double times[MOST_ENTRANTS];
    int part, k;
    print_text(section, "To insert, move and remove all boxes, each with the tidy after it, in "
                        "nanoseconds a box. Some others");
    print_text(section, "take a move over only when they are searched.");
    for (part = 0; part < PARTS; part++) {
        char row[80];
        strcpy(row, race->c.p->workload);
        strcat(strcat(row, ", "), parts[part]);
        for (k = 0; k < race->c.count; k++) {
            const entrant *x = &race->c.entrants[k];
            const samples *taken = &race->taken[part][k];
            times[k] = x->keeps && x->pairs && x->by->remove && taken->count > 0
                           ? samples_quantile(taken, 0.5) * 1e9 / race->w.n
                           : -1;
        }
        print_row(&race->c, section, table_of(&race->w), row, times, -1);
        print_ratios(&race->c, parts[part], table_of(&race->w), taken_by, race->taken[part]);
    }
}

void job_updates(const plan *p)
{
    update_race race;
    int i, k, part;
    memset(&race, 0, sizeof race);
    contest_open(&race.c, p);
    contest_forecast(&race.c);
    workload_open(&race.w, p->workload, p->n, p->seed);
    for (i = 0; i < p->rounds; i++) run_round(&race);
    print_results(&race);
    for (part = 0; part < PARTS; part++)
        for (k = 0; k < race.c.count; k++) samples_free(&race.taken[part][k]);
    contest_close(&race.c);
    workload_close(&race.w);
}
