/* All against all: no structure, only the edges of the boxes in four arrays.

   package: none; header: none; flags: none; link: none

   Each box is compared with all boxes after it, a block at a time without a branch, which compilers
   turn into vector instructions; only a block with a hit is looked through. A window looks through
   all blocks, and a ray, unless there are many, tests all boxes. */
#include "../exact.h"
#include "found.h"

#include <float.h>

enum { BLOCK = 64, MANY = 10000 };

typedef struct state {
    float *min_x, *min_y, *max_x, *max_y; /* whole blocks; the rest of the last overlaps nothing */
    int n, blocks;
    found_list found;
} state;

static void set_box(state *s, int i, const bench_box *box)
{
    s->min_x[i] = box->min_x;
    s->min_y[i] = box->min_y;
    s->max_x[i] = box->max_x;
    s->max_y[i] = box->max_y;
}

static void close_state(void *p)
{
    state *s = (state *)p;
    free(s->min_x);
    free(s->found.items);
    free(s);
}

static void *open_state(const char *structure, const bench_box *world, const bench_box *boxes,
                        int n)
{
    static const bench_box nothing = {FLT_MAX, FLT_MAX, -FLT_MAX, -FLT_MAX};
    state *s = (state *)calloc(1, sizeof *s);
    size_t room;
    int i;
    (void)structure, (void)world, (void)boxes;
    if (!s) return NULL;
    s->n = n, s->blocks = n / BLOCK + 1;
    room = (size_t)s->blocks * BLOCK;
    s->min_x = (float *)malloc(4 * room * sizeof(float));
    if (!s->min_x) {
        close_state(s);
        return NULL;
    }
    s->min_y = s->min_x + room;
    s->max_x = s->min_y + room;
    s->max_y = s->max_x + room;
    for (i = 0; i < s->blocks * BLOCK; i++) set_box(s, i, &nothing);
    return s;
}

static void insert(void *p, const bench_box *boxes, int n)
{
    int i;
    for (i = 0; i < n; i++) set_box((state *)p, i, &boxes[i]);
}

static void move(void *p, const bench_box *boxes, int n, const int *ids, int count)
{
    int i;
    (void)n;
    for (i = 0; i < count; i++) set_box((state *)p, ids[i], &boxes[ids[i]]);
}

/* Marks the boxes of the block from `first` on that overlap the box; returns 0 if none does. */
static int search(const state *s, int first, const bench_box *box, int *hits)
{
    const float *min_x = s->min_x + first, *max_x = s->max_x + first;
    const float *min_y = s->min_y + first, *max_y = s->max_y + first;
    const bench_box b = *box;
    int any = 0, k;
    for (k = 0; k < BLOCK; k++) {
        hits[k] = (min_x[k] <= b.max_x) & (b.min_x <= max_x[k]) & (min_y[k] <= b.max_y) &
                  (b.min_y <= max_y[k]);
        any |= hits[k];
    }
    return any;
}

static long pairs(void *p, const bench_box *boxes, int n)
{
    state *s = (state *)p;
    int hits[BLOCK], i, j, k;
    s->found.count = 0;
    for (i = 0; i < n; i++)
        for (j = i / BLOCK * BLOCK; j < n; j += BLOCK) {
            if (!search(s, j, &boxes[i], hits)) continue;
            for (k = 0; k < BLOCK; k++)
                if (hits[k] && j + k > i) found_pair(&s->found, i, j + k);
        }
    return (long)(s->found.count / 2);
}

/* The first box that a motion meets. */
static long first(state *s, const bench_box *boxes, const bench_motion *motion)
{
    float least = 2, t;
    int id = 0, i;
    for (i = 0; i < s->n; i++)
        if (meets(motion, &boxes[i], &t) && t < least) least = t, id = i;
    if (least < 2) found_id(&s->found, id);
    return (long)s->found.count;
}

static long ask(void *p, const bench_box *boxes, const question *q)
{
    state *s = (state *)p;
    int hits[BLOCK], j, k;
    s->found.count = 0;
    if (q->of == FIRST && s->n <= MANY) return first(s, boxes, &q->motion);
    if (q->of != WINDOW) return -1;
    for (j = 0; j < s->blocks * BLOCK; j += BLOCK) {
        if (!search(s, j, &q->motion.box, hits)) continue;
        for (k = 0; k < BLOCK; k++)
            if (hits[k]) found_id(&s->found, j + k);
    }
    return (long)s->found.count;
}

static const int *found(void *p)
{
    return ((state *)p)->found.items;
}

static const char *const structures[] = {"all against all", NULL};

extern const subject brute_peer;
const subject brute_peer = {"brute force", structures, open_state, close_state, insert,
                            move,          NULL,       NULL,       pairs,       ask,
                            found,         NULL,       NULL,       NULL,        NULL};
