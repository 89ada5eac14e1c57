/* See jobs.h. All against all is here as anybody would write it, without a structure: no other way
   is as fast for some ten boxes. */
#include "contest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST = 4, FRAMES = 32 };

static const double sample_seconds = 0.0002; /* to be much longer than the clock takes */

typedef struct duel {
    contest c;
    workload w;
    bench_box *frames; /* FRAMES of them, in turn, lest the processor learns one by heart */
    int *pairs;
    size_t room; /* pairs */
} duel;

static long all_against_all(duel *d, const bench_box *boxes)
{
    size_t found = 0;
    int i, j;
    for (i = 0; i < d->w.n; i++)
        for (j = i + 1; j < d->w.n; j++) {
            if (!(boxes[i].min_x <= boxes[j].max_x && boxes[j].min_x <= boxes[i].max_x &&
                  boxes[i].min_y <= boxes[j].max_y && boxes[j].min_y <= boxes[i].max_y))
                continue;
            if (found == d->room) {
                d->room = d->room ? 2 * d->room : 1024;
                d->pairs = (int *)resized(d->pairs, d->room, 2 * sizeof *d->pairs);
            }
            d->pairs[2 * found] = i;
            d->pairs[2 * found + 1] = j;
            found++;
        }
    return (long)found;
}

static long find(duel *d, int with_broadphase, int frame)
{
    const bench_box *boxes = d->frames + (size_t)(frame % FRAMES) * (size_t)d->w.n;
    entrant *x = &d->c.entrants[0];
    return with_broadphase ? x->by->pairs(x->state, boxes, d->w.n) : all_against_all(d, boxes);
}

static double time_frames(duel *d, int with_broadphase, int times)
{
    double start = seconds();
    int i;
    for (i = 0; i < times; i++) (void)find(d, with_broadphase, i);
    return (seconds() - start) / times;
}

static void make_frames(duel *d)
{
    const entrant *x = &d->c.entrants[0];
    size_t n = (size_t)d->w.n;
    int i;
    d->frames = (bench_box *)resized(d->frames, FRAMES * n, sizeof *d->frames);
    for (i = 0; i < FRAMES; i++) {
        long expected, found;
        workload_move(&d->w, 1);
        memcpy(d->frames + (size_t)i * n, d->w.boxes, n * sizeof *d->frames);
        expected = find(d, 0, i);
        found = find(d, 1, i);
        if (found != expected ||
            hash_pairs(x->by->found(x->state), found) != hash_pairs(d->pairs, expected))
            give_up("the broadphase finds other pairs than all against all");
    }
}

/* Of n boxes: the logarithm of how many times as fast the broadphase is. */
static double advantage(duel *d, int n)
{
    samples taken[2] = {{NULL, 0, 0}, {NULL, 0, 0}};
    double medians[2], inserting;
    int times[2], i, k;
    workload_open(&d->w, d->c.p->workload, n, d->c.p->seed);
    if (!entrant_open(&d->c, &d->c.entrants[0], &d->w, &inserting)) give_up("out of memory");
    make_frames(d);
    for (k = 0; k < 2; k++) {
        const double turn = time_frames(d, k, FRAMES) * FRAMES;
        times[k] = FRAMES * ((int)(sample_seconds / (turn + 1e-9)) + 1);
    }
    for (i = 0; i < d->c.p->rounds; i++)
        for (k = 0; k < 2; k++) samples_add(&taken[k], time_frames(d, k, times[k]));
    for (k = 0; k < 2; k++) {
        medians[k] = samples_quantile(&taken[k], 0.5);
        samples_free(&taken[k]);
    }
    entrant_close(&d->c.entrants[0]);
    workload_close(&d->w);
    return log(medians[0] / medians[1]);
}

/* Where the advantage passes 0 to stay above it. The numbers tried lie a quarter apart; between two
   the advantage is taken for a straight line over the logarithm of the number. */
void job_brute(const plan *p)
{
    duel d;
    double before = 0, limit = FEWEST;
    int n, last = 0;
    memset(&d, 0, sizeof d);
    contest_open(&d.c, p);
    for (n = FEWEST; n <= p->n; last = n, n += n / 4) {
        double now = advantage(&d, n);
        if (now <= 0)
            limit = n + n / 4; /* or more, as will be seen */
        else if (last > 0 && before <= 0)
            limit = last * pow((double)n / last, before / (before - now));
        before = now;
    }
    print_text("All against all", "A plain loop over all pairs is as fast as the broadphase for "
                                  "fewer boxes than these.");
    print_cell("All against all", "", row_of(p), "boxes", before > 0 ? "%.0f" : "more than %.0f",
               ceil(limit));
    contest_close(&d.c);
    free(d.pairs);
    free(d.frames);
}
