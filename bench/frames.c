/* See jobs.h. */
#include "contest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char section[] = "All boxes move";
static const char memory[] = "Memory";

typedef struct runner {
    entrant *who;
    int quota; /* samples that it may take */
    samples frame;
    long found;   /* in the last frame */
    double bytes; /* after it */
} runner;

typedef struct frame_race {
    contest c;
    workload w;
    runner runners[MOST_ENTRANTS];
    long found; /* by the broadphase; -1: it takes no part in this frame, for it has its samples */
    set_hash hash;
} frame_race;

static void check_answer(const frame_race *race, const runner *r)
{
    entrant *x = r->who;
    if (race->found < 0) return;
    if (r->found == race->found && hash_pairs(x->by->found(x->state), r->found) == race->hash)
        return;
    if (x->kind == OURS) give_up_on(x->structure, "finds other pairs than the broadphase");
    x->trouble = DIFFERS;
    entrant_close(x);
}

static double take_frame(runner *r, const workload *w)
{
    entrant *x = r->who;
    double time;
    entrant_begin(x);
    time = seconds();
    if (x->keeps) entrant_move(x, w);
    r->found = x->by->pairs(x->state, w->boxes, w->n);
    time = seconds() - time;
    entrant_end(x);
    r->bytes = entrant_bytes(x, r->found);
    return time;
}

/* The first frame is not sampled, unless it is so slow that there is no other. */
static void warm_up(runner *r, const plan *p, double time)
{
    double fit = p->budget / time;
    r->quota = fit > p->rounds ? p->rounds : fit < 3 ? 3 : (int)fit;
    if (r->quota > p->rounds) r->quota = p->rounds;
    if (time < p->budget) return;
    r->who->trouble = SLOW;
    r->quota = 1;
    samples_add(&r->frame, time);
}

static void run_frame(frame_race *race, int f)
{
    int k;
    race->found = -1;
    for (k = 0; k < race->c.count; k++) {
        runner *r = &race->runners[k];
        entrant *x = r->who;
        double time;
        if (!x->state || (f > 0 && r->frame.count >= r->quota)) continue;
        time = take_frame(r, &race->w);
        if (k == 0) {
            race->found = r->found;
            race->hash = hash_pairs(x->by->found(x->state), r->found);
        }
        if (f == 0)
            warm_up(r, race->c.p, time);
        else
            samples_add(&r->frame, time);
        check_answer(race, r);
        if (x->trouble == SLOW) entrant_close(x); /* once is enough */
    }
}

/* ---- results --------------------------------------------------------------------------------- */

/* For the chart: nanoseconds a box. */
static void print_points(const frame_race *race, const double *times)
{
    int k;
    if (strcmp(race->c.p->workload, "equal") != 0) return;
    for (k = 0; k < race->c.count; k++) {
        const entrant *x = &race->c.entrants[k];
        if (!contest_tells(&race->c, k, times) || !(times[k] > 0) || x->trouble == DIFFERS)
            continue;
        printf("point\t%s\t%d\t%g\n", x->kind == OURS ? x->structure : maker_of(x->by), race->w.n,
               times[k] * 1e6 / race->w.n);
    }
}

static const samples *taken_by(const void *of, int k)
{
    return &((const frame_race *)of)->runners[k].frame;
}

/* For few workloads, as there is little to tell. */
static void print_memory(const frame_race *race, const char *table, const char *row)
{
    static const char workloads[] = " equal mixed clusters long ";
    double bytes[MOST_ENTRANTS];
    int k;
    if (race->w.n < 100000 || !strstr(workloads, race->c.p->workload)) return;
    print_text(memory, "Bytes a box after such a frame, without the list of pairs; of each other "
                       "library its smallest structure.");
    for (k = 0; k < race->c.count; k++) {
        const runner *r = &race->runners[k];
        bytes[k] = r->frame.count == 0 || r->bytes < 0 ? -1 : r->bytes / race->w.n;
    }
    print_row(&race->c, memory, table, row, bytes, -1);
}

static void print_results(const frame_race *race)
{
    double times[MOST_ENTRANTS];
    const char *table = table_of(&race->w), *row = row_of(race->c.p);
    int k;
    print_text(section, "Milliseconds a frame: to move all boxes, tidy and find all pairs; of each "
                        "other library its best structure.");
    for (k = 0; k < race->c.count; k++)
        times[k] =
            race->c.entrants[k].pairs ? samples_quantile(&race->runners[k].frame, 0.5) * 1e3 : -1;
    print_cell(section, table, row, "pairs", "%s", grouped(race->runners[0].found));
    print_row(&race->c, section, table, row, times, 0);
    print_memory(race, table, row);
    print_points(race, times);
    print_ratios(&race->c, "a frame", table, taken_by, race);
}

void job_frames(const plan *p)
{
    frame_race race;
    double inserting;
    int f, k;
    memset(&race, 0, sizeof race);
    contest_open(&race.c, p);
    race.c.with_pairs = 1;
    contest_forecast(&race.c);
    workload_open(&race.w, p->workload, p->n, p->seed);
    for (k = 0; k < race.c.count; k++) {
        race.runners[k].who = &race.c.entrants[k];
        if (race.c.entrants[k].pairs)
            (void)entrant_open(&race.c, &race.c.entrants[k], &race.w, &inserting);
    }
    for (f = 0; f <= p->rounds; f++) {
        workload_move(&race.w, 1);
        run_frame(&race, f);
    }
    print_results(&race);
    for (k = 0; k < race.c.count; k++) samples_free(&race.runners[k].frame);
    contest_close(&race.c);
    workload_close(&race.w);
}
