/* Pairs of what has moved beside all pairs: bench/run.sh moved builds and runs it, and prints the
   table. spatial.h alone: each of the structures that change, built at once.

     moved WORKLOAD BOXES ROUNDS SEED      for workloads see workloads.h

   The linear tree and the loose grid are told how many boxes there are, the quadtree grows. In each
   round a hundredth of the boxes moves and the index is tidied, which is one time; then it is asked
   for the pairs of those and for all pairs, and for those of a quarter and of all boxes in random
   order, for which it can only leave out some of all pairs. The table has medians of the rounds. In
   the first round all are compared: they must be those of all pairs that have one of the ids. */
#define SPATIAL_IMPLEMENTATION
#define SPATIAL_STATIC
#include "../spatial.h"
#include "measure.h"
#include "workloads.h"

#include <stdio.h>
#include <stdlib.h>

enum { HUNDREDTH, QUARTER, EVERY, PARTS };

typedef struct contest {
    workload w;
    spt_index index;
    int *order; /* all ids, in random order */
    spt_intlist some, all;
    samples moves, some_times[PARTS], all_times;
} contest;

static const spt_box *boxes_of(const workload *w)
{
    return (const spt_box *)(const void *)w->boxes;
}

static int init(spt_index *x, const char *structure, const spt_box *bounds, int n)
{
    spt_linear_desc linear = {{0, 0, 0, 0}, 0, 0, 0, 0, 0, {0, 0}};
    spt_quadtree_desc quadtree = {{0, 0, 0, 0}, 0, 0, 0, 0, 0, {0, 0}};
    spt_loosegrid_desc grid = {{0, 0, 0, 0}, 0, 0, 0, 0, 0, {0, 0}};
    linear.bounds = quadtree.bounds = grid.bounds = *bounds;
    linear.capacity = grid.capacity = n;
    if (structure[0] == 'l' && structure[1] == 'i') return spt_linear_init(x, &linear);
    if (structure[0] == 'q') return spt_quadtree_init(x, &quadtree);
    return spt_loosegrid_init(x, &grid);
}

static void check(int error)
{
    if (error < 0) give_up(spt_error_string(error));
}

static void shuffle(contest *c)
{
    int i, other, id;
    c->order = (int *)malloc((size_t)c->w.n * sizeof *c->order);
    if (!c->order) give_up("out of memory");
    for (i = 0; i < c->w.n; i++) c->order[i] = i;
    for (i = c->w.n - 1; i > 0; i--) {
        other = (int)(random_uniform() * (i + 1));
        id = c->order[i], c->order[i] = c->order[other], c->order[other] = id;
    }
}

static void compare(contest *c, const int *ids, int n)
{
    char *moved = (char *)calloc((size_t)c->w.n, 1);
    const int *pair = spt_intlist_data(&c->all), *end = pair + 2 * (size_t)c->all.count;
    set_hash sum = 0;
    long i, kept = 0;
    if (!moved) give_up("out of memory");
    for (i = 0; i < n; i++) moved[ids[i]] = 1;
    for (; pair < end; pair += 2) {
        if (!moved[pair[0]] && !moved[pair[1]]) continue;
        sum += hash_pairs(pair, 1);
        kept++;
    }
    if (kept != c->some.count || sum != hash_pairs(spt_intlist_data(&c->some), kept))
        give_up("pairs of what has moved are not those of all");
    free(moved);
}

static void play(contest *c)
{
    const int *ids[PARTS], n[PARTS] = {c->w.n / 100, c->w.n / 4, c->w.n};
    double begin, now;
    int i, part;
    workload_move(&c->w, 100);
    ids[HUNDREDTH] = c->w.ids, ids[QUARTER] = ids[EVERY] = c->order;
    begin = seconds();
    for (i = 0; i < c->w.moved; i++)
        check(spt_move(&c->index, c->w.ids[i], &boxes_of(&c->w)[c->w.ids[i]]));
    spt_tidy(&c->index);
    samples_add(&c->moves, seconds() - begin);
    begin = seconds();
    check(spt_pairs(&c->index, NULL, &c->all));
    now = seconds();
    samples_add(&c->all_times, now - begin);
    for (part = 0; part < PARTS; part++) {
        begin = seconds();
        check(spt_pairs_of(&c->index, ids[part], n[part], NULL, &c->some));
        now = seconds();
        samples_add(&c->some_times[part], now - begin);
        if (c->moves.count == 1) compare(c, ids[part], n[part]);
    }
}

static void measure(const char *workload_name, const char *structure, int n, int rounds,
                    unsigned long seed)
{
    contest c = {0};
    int i;
    workload_open(&c.w, workload_name, n, seed);
    shuffle(&c);
    check(init(&c.index, structure, (const spt_box *)(const void *)&c.w.world, c.w.n));
    check(spt_build(&c.index, boxes_of(&c.w), c.w.n));
    spt_intlist_init(&c.some, 2), spt_intlist_init(&c.all, 2);
    for (i = 0; i < rounds; i++) play(&c);
    printf("  %-10s %8.3f %8.3f %8.3f   %5.2f   %5.3f %5.3f\n", structure,
           samples_quantile(&c.moves, 0.5) * 1e3,
           samples_quantile(&c.some_times[HUNDREDTH], 0.5) * 1e3,
           samples_quantile(&c.all_times, 0.5) * 1e3,
           1 / samples_ratio(&c.some_times[HUNDREDTH], &c.all_times),
           samples_ratio(&c.some_times[QUARTER], &c.all_times),
           samples_ratio(&c.some_times[EVERY], &c.all_times));
    samples_free(&c.moves), samples_free(&c.all_times);
    for (i = 0; i < PARTS; i++) samples_free(&c.some_times[i]);
    spt_intlist_free(&c.some), spt_intlist_free(&c.all), spt_free(&c.index);
    free(c.order);
    workload_close(&c.w);
}

int main(int argc, char **argv)
{
    static const char *const structures[] = {"linear", "quadtree", "loosegrid"};
    int k;
    if (argc != 5 || atoi(argv[2]) < 100 || atoi(argv[3]) < 1) return 2;
    printf("%s, %s boxes: ms to move a hundredth, pairs of it, all pairs; how many times as long\n"
           "  these take; pairs of a quarter and of all ids, as part of the time of all pairs\n",
           argv[1], argv[2]);
    for (k = 0; k < 3; k++)
        measure(argv[1], structures[k], atoi(argv[2]), atoi(argv[3]), strtoul(argv[4], NULL, 10));
    return fflush(stdout) == 0 ? 0 : 1;
}
