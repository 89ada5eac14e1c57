/* simulation.c - swarms of agents in integer coordinates; spatial.h finds who touches whom

   Each agent is pulled to the middle of its swarm, and the middles wander. Agents bounce off the
   walls and off each other. The tree is told where all are and finds all pairs, each frame; it is
   also what keeps the positions, so that nothing is stored twice. All its memory is one array. */

#define SPATIAL_INT
#define SPATIAL_NO_STDLIB
#define SPATIAL_SMALL /* little memory, wherever it is compiled */
#define SPATIAL_INTLIST_INLINE 0 /* the list of pairs lies in the arena as a whole */
#define SPATIAL_IMPLEMENTATION
#include "spatial.h"
#include "agents.h"

#ifndef ARENA
#define ARENA 51600u /* bytes; a little less would do */
#endif
#define SEED 3
#define PAIRS 400 /* that a frame may have; more is an error */
#define RIGHT (SCREEN_WIDTH * UNITS)
#define BOTTOM (WORLD_HEIGHT * UNITS)
#define MARGIN (30 * UNITS) /* from a wall to the middle of a swarm */
#define FASTEST 80 /* units a frame on an axis */
#define PULL 400   /* so many units from the middle add 1 to an agent's speed each frame */

typedef struct agent {
    short vx, vy; /* units a frame */
    char swarm, glow;
} agent;

typedef struct swarm { /* its middle */
    short x, y, vx, vy;
} swarm;

static spt_i32 memory[ARENA / sizeof(spt_i32)];
static spt_arena arena;
static spt_index tree;
static spt_intlist pairs;
static agent agents[AGENTS];
static swarm swarms[SWARMS];
static unsigned long pairs_in_all;
static spt_u32 seed;

/* 0 .. n-1; the low bits of such a generator are poor, so the high ones serve. */
static int random_below(int n)
{
    seed = seed * (spt_u32)1664525UL + (spt_u32)1013904223UL;
    return (int)((seed >> 17 & 0x7FFF) % (unsigned)n);
}

static int random_speed(int most)
{
    return random_below(2 * most + 1) - most;
}

/* v / n towards zero: C89 leaves the direction open where v is negative. */
static int part_of(int v, int n)
{
    return v < 0 ? -(-v / n) : v / n;
}

static int limit(int v)
{
    return v > FASTEST ? FASTEST : v < -FASTEST ? -FASTEST : v;
}

/* Moves the interval *at .. *at + size by *v and throws it back where it leaves
   begin .. end - 1. */
static void advance(short *at, short *v, int size, int begin, int end)
{
    int to = *at + *v;
    if (to < begin) to = 2 * begin - to, *v = (short)-*v;
    if (to + size > end - 1) to = 2 * (end - 1 - size) - to, *v = (short)-*v;
    *at = (short)to;
}

/* Casts like this one are for a compiler that forgets prototypes: it would pass an int. */
static void box_of(int id, spt_box *box)
{
    (void)spt_box_of(&tree, (spt_i32)id, box);
}

/* ---- start ----------------------------------------------------------------------------------- */

/* The speed of a swarm's middle along an axis. */
static short start_wander(void)
{
    int v = UNITS / 4 + random_below(UNITS / 2);
    return (short)(random_below(2) ? v : -v);
}

static void start_swarm(swarm *s, int i)
{
    s->x = (short)(RIGHT / SWARMS * i + RIGHT / SWARMS / 2);
    s->y = (short)(BOTTOM / 4 + random_below(BOTTOM / 2));
    s->vx = start_wander();
    s->vy = start_wander();
}

static int start_agent(int id)
{
    agent *a = &agents[id];
    int size = (id % 16 == 0 ? 6 : 2 + random_below(3)) * UNITS - 1, x, y;
    const swarm *s;
    spt_box box;

    a->swarm = (char)(id % SWARMS);
    a->glow = 0;
    a->vx = (short)random_speed(UNITS * 3);
    a->vy = (short)random_speed(UNITS * 3);
    s = &swarms[id % SWARMS];
    x = s->x + random_speed(30 * UNITS);
    y = s->y + random_speed(30 * UNITS);
    if (x < 0) x = 0;
    if (y < 0) y = 0;
    if (x > RIGHT - 1 - size) x = RIGHT - 1 - size;
    if (y > BOTTOM - 1 - size) y = BOTTOM - 1 - size;
    box.min_x = x, box.max_x = x + size;
    box.min_y = y, box.max_y = y + size;
    return spt_insert(&tree, (spt_i32)id, &box) == SPT_OK;
}

int simulation_start(void)
{
    static spt_linear_desc desc; /* zeros */
    int i;

    seed = SEED;
    pairs_in_all = 0;
    desc.bounds.min_x = desc.bounds.min_y = 0;
    desc.bounds.max_x = RIGHT;
    desc.bounds.max_y = BOTTOM;
    desc.capacity = AGENTS;
    desc.levels = 2; /* with a chunk of memory for each cell, more would not fit */
    spt_arena_init(&arena, memory, sizeof memory, &desc.allocator);
    if (spt_linear_init(&tree, &desc) != SPT_OK) return 0;
    if (spt_intlist_init_with(&pairs, (spt_i32)2, &desc.allocator) != SPT_OK) return 0;
    if (spt_intlist_reserve(&pairs, (spt_i32)PAIRS) != SPT_OK) return 0;
    for (i = 0; i < SWARMS; i++) start_swarm(&swarms[i], i);
    for (i = 0; i < AGENTS; i++)
        if (!start_agent(i)) return 0;
    return 1;
}

/* ---- frame ----------------------------------------------------------------------------------- */

static int move_agent(int id)
{
    agent *a = &agents[id];
    const swarm *s = &swarms[(int)a->swarm];
    spt_box box;
    short x, y;
    int size;

    box_of(id, &box);
    size = (int)(box.max_x - box.min_x);
    x = (short)box.min_x;
    y = (short)box.min_y;
    a->vx = (short)limit(a->vx + part_of(s->x - x, PULL));
    a->vy = (short)limit(a->vy + part_of(s->y - y, PULL));
    advance(&x, &a->vx, size, 0, RIGHT);
    advance(&y, &a->vy, size, 0, BOTTOM);
    if (a->glow > 0) a->glow--;
    box.min_x = x, box.max_x = x + size;
    box.min_y = y, box.max_y = y + size;
    return spt_move(&tree, (spt_i32)id, &box) == SPT_OK;
}

/* How far two intervals reach into each other. */
static spt_i32 overlap(spt_i32 min_a, spt_i32 max_a, spt_i32 min_b, spt_i32 max_b)
{
    return (max_a < max_b ? max_a : max_b) - (min_a > min_b ? min_a : min_b);
}

/* Two of equal mass that come nearer to each other exchange their speeds. */
static void exchange(short *va, short *vb, int a_is_first)
{
    short v = *va;
    if (a_is_first ? v <= *vb : v >= *vb) return;
    *va = *vb;
    *vb = v;
}

/* They bounce along the axis on which they overlap less. */
static void bounce(int a, int b)
{
    spt_box p, q;
    box_of(a, &p);
    box_of(b, &q);
    if (overlap(p.min_x, p.max_x, q.min_x, q.max_x) < overlap(p.min_y, p.max_y, q.min_y, q.max_y))
        exchange(&agents[a].vx, &agents[b].vx, p.min_x + p.max_x < q.min_x + q.max_x);
    else
        exchange(&agents[a].vy, &agents[b].vy, p.min_y + p.max_y < q.min_y + q.max_y);
    agents[a].glow = agents[b].glow = GLOW;
}

int simulation_frame(void)
{
    const spt_i32 *pair;
    spt_i32 n;
    int i;

    for (i = 0; i < SWARMS; i++) {
        advance(&swarms[i].x, &swarms[i].vx, 0, MARGIN, RIGHT - MARGIN);
        advance(&swarms[i].y, &swarms[i].vy, 0, MARGIN, BOTTOM - MARGIN);
    }
    for (i = 0; i < AGENTS; i++)
        if (!move_agent(i)) return 0;
    spt_tidy(&tree);
    n = spt_pairs(&tree, NULL, &pairs);
    if (n < 0) return 0;
    pairs_in_all += (unsigned long)n;
    for (pair = spt_intlist_data(&pairs); n > 0; n--, pair += 2)
        bounce((int)pair[0], (int)pair[1]);
    return 1;
}

/* ---- proof ----------------------------------------------------------------------------------- */

static spt_u32 mix(spt_u32 hash, spt_u32 value)
{
    hash = (hash ^ value) * (spt_u32)0x01000193UL;
    return hash ^ hash >> 15;
}

/* The hash of a pair. The hashes of a set are added up, for the tree chooses the order of pairs. */
static spt_u32 pair_hash(int a, int b)
{
    return mix(mix((spt_u32)0x811C9DC5UL, (spt_u32)a), (spt_u32)b);
}

int simulation_proves(void)
{
    spt_u32 expected = 0, found = 0;
    const spt_i32 *pair = spt_intlist_data(&pairs);
    spt_i32 count = 0, k;
    spt_box p, q;
    int a, b;

    for (a = 0; a < AGENTS; a++) {
        box_of(a, &p);
        for (b = a + 1; b < AGENTS; b++) {
            box_of(b, &q);
            if (p.min_x > q.max_x || q.min_x > p.max_x) continue;
            if (p.min_y > q.max_y || q.min_y > p.max_y) continue;
            expected += pair_hash(a, b);
            count++;
        }
    }
    for (k = 0; k < spt_intlist_count(&pairs); k++, pair += 2)
        found += pair_hash((int)pair[0], (int)pair[1]);
    return count == spt_intlist_count(&pairs) && found == expected;
}

/* ---- what there is to see -------------------------------------------------------------------- */

void simulation_sight(int id, sight *s)
{
    spt_box box;
    box_of(id, &box);
    s->x = (int)box.min_x / UNITS;
    s->y = (int)box.min_y / UNITS;
    s->size = (int)(box.max_x - box.min_x + 1) / UNITS;
    s->swarm = agents[id].swarm;
    s->glow = agents[id].glow;
}

typedef struct viewer {
    cell_fn fn;
} viewer;

static int view_cell(void *ctx, const spt_box *box, int level, spt_i32 count) SPT_CALLBACK
{
    const viewer *v = (const viewer *)ctx;
    (void)count;
    v->fn((int)box->min_x / UNITS, (int)box->min_y / UNITS, (int)box->max_x / UNITS,
          (int)box->max_y / UNITS, level);
    return 0;
}

void simulation_cells(cell_fn fn)
{
    viewer v;
    v.fn = fn;
    (void)spt_traverse(&tree, view_cell, &v);
}

int simulation_levels(void)
{
    return tree.as.linear.levels;
}

void simulation_figures(figures *f)
{
    spt_u32 hash = (spt_u32)0x811C9DC5UL;
    spt_box box;
    int i;

    for (i = 0; i < AGENTS; i++) {
        box_of(i, &box);
        hash = mix(mix(hash, (spt_u32)box.min_x), (spt_u32)box.min_y);
    }
    f->pairs = pairs_in_all;
    f->hash = hash;
    f->used = (unsigned)arena.used;
    f->last = (int)spt_intlist_count(&pairs);
}
