/* conflicts.c - 200 drones in a small microcontroller: which of them come too near each other?

   A Cortex-M3 without floating point, C library or heap keeps the drones' places, in whole
   millimetres, in a linear tree over a static array. Each tick all drones move, and each asks for
   its nearest neighbour within the separation distance: one window, no list, no allocation.

   Look at find_nearest and tick. Every tenth tick prints how many drones are in conflict, and the
   closest pairs with their distances; expected_conflicts.txt has all lines.

   Built and run by: sh examples/firmware/run.sh
   It also runs where it is compiled: cc -O2 examples/firmware/conflicts.c && ./a.out

   Of spatial.h it takes the linear tree: the least code, and a point lies in one of its finest
   cells whatever line it is near, so that most moves write nothing but the box. */
#define SPATIAL_INT           /* millimetres; there is no floating point anywhere */
#define SPATIAL_STATIC        /* private to this file; unused functions cost no code */
#define SPATIAL_NO_STDLIB     /* neither malloc nor assert */
#define SPATIAL_NO_BROADPHASE /* no pairs wanted: windows only */
#define SPATIAL_NO_QUADTREE
#define SPATIAL_NO_LOOSEGRID
#define SPATIAL_NO_PACKED
#define SPATIAL_INTLIST_INLINE 0 /* results come by callback, so no list needs room */
#define SPATIAL_IMPLEMENTATION
#include "../../spatial.h"
#include "board.h"

#define DRONES 200
#define TICKS 200        /* of 100 ms */
#define WORLD_X 2000000L /* mm: two kilometres by one */
#define WORLD_Y 1000000L
#define FASTEST 1500     /* mm a tick: 15 m/s */
#define SEPARATION 25000 /* mm; up to 46340, for then the square of a distance fits 32 bits */
#define SHOWN 3          /* closest pairs in a line */
#define LINE_EVERY 10    /* ticks */

typedef struct drone {
    spt_i32 x, y, step_x, step_y; /* mm, and mm a tick */
} drone;

typedef struct nearest { /* who is nearest to a drone, while a visit goes on */
    spt_i32 self, other; /* other SPT_NONE: nobody nearer than SEPARATION */
    spt_u32 distance2;   /* mm^2 */
} nearest;

static drone fleet[DRONES];
static spt_index tree;
static spt_arena arena;
static unsigned long memory[10000 / sizeof(unsigned long)]; /* main tells if that is too little */
static nearest closest[SHOWN];                             /* of this tick, the closest first */
static spt_u32 hash = 2166136261UL;

static spt_i32 random_below(spt_i32 limit)
{
    static spt_u32 state = 1;
    state = (state * 1664525UL + 1013904223UL) & 0xFFFFFFFFUL;
    return (spt_i32)((state >> 8) % (spt_u32)limit);
}

static void step(spt_i32 *at, spt_i32 *by, spt_i32 world)
{
    if (*at + *by < 0 || *at + *by > world) *by = -*by; /* turn round at the border */
    *at += *by;
}

/* The box of all that is within `reach` of a drone; with 0, the point where it is. */
static void box_around(spt_i32 id, spt_i32 reach, spt_box *box)
{
    box->min_x = fleet[id].x - reach;
    box->min_y = fleet[id].y - reach;
    box->max_x = fleet[id].x + reach;
    box->max_y = fleet[id].y + reach;
}

static spt_u32 squared(spt_i32 difference)
{
    return (spt_u32)(difference * difference); /* within SEPARATION: below 2^31 */
}

/* Called for every drone in the window. Of several equally near, the one of the lowest id is taken,
   so that the result does not depend on the order of the visit. */
static int consider(void *ctx, spt_i32 id, const spt_box *box) SPT_CALLBACK
{
    nearest *n = (nearest *)ctx;
    spt_u32 distance2 =
        squared(box->min_x - fleet[n->self].x) + squared(box->min_y - fleet[n->self].y);

    if (id == n->self || distance2 > n->distance2) return 0;
    if (distance2 == n->distance2 && id > n->other) return 0;
    n->other = id;
    n->distance2 = distance2;
    return 0;
}

/* Finds the nearest neighbour of a drone through the tree, or by looking at all drones. */
static void find_nearest(spt_i32 self, int by_force, nearest *n)
{
    spt_box window, box;
    spt_i32 id;

    n->self = self;
    n->other = SPT_NONE;
    n->distance2 = squared(SEPARATION);
    box_around(self, SEPARATION, &window);
    if (!by_force) (void)spt_visit(&tree, &window, NULL, consider, n);
    for (id = 0; id < DRONES && by_force; id++) {
        box_around(id, 0, &box);
        if (spt_box_overlap(&window, &box)) (void)consider(n, id, &box);
    }
}

static spt_u32 square_root(spt_u32 v) /* rounded down */
{
    spt_u32 root = 0, bit = 1UL << 30;

    for (; bit > 0; bit >>= 2) {
        int set = v >= root + bit;
        if (set) v -= root + bit;
        root = (root >> 1) + (set ? bit : 0);
    }
    return root;
}

/* Keeps a pair if it is one of the closest of this tick, and not there from its other side. */
static void rank(const nearest *n)
{
    int i, k;

    for (i = 0; i < SHOWN; i++)
        if (closest[i].self == n->other && closest[i].other == n->self) return;
    for (i = 0; i < SHOWN && closest[i].other != SPT_NONE; i++)
        if (n->distance2 < closest[i].distance2) break;
    if (i == SHOWN) return;
    for (k = SHOWN - 1; k > i; k--) closest[k] = closest[k - 1];
    closest[i] = *n;
}

static void hash_in(spt_u32 value)
{
    hash = ((hash ^ value) * 16777619UL) & 0xFFFFFFFFUL;
}

/* Moves all drones; returns how many have another too near, or -1 if the tree is wrong. */
static spt_i32 tick(int check)
{
    nearest n, sure;
    spt_box box;
    spt_i32 id, conflicts = 0;
    int i;

    for (id = 0; id < DRONES; id++) {
        step(&fleet[id].x, &fleet[id].step_x, WORLD_X);
        step(&fleet[id].y, &fleet[id].step_y, WORLD_Y);
        box_around(id, 0, &box);
        if (spt_move(&tree, id, &box) != SPT_OK) return -1;
    }
    spt_tidy(&tree);
    for (i = 0; i < SHOWN; i++) closest[i].other = SPT_NONE;
    for (id = 0; id < DRONES; id++) {
        find_nearest(id, 0, &n);
        if (check) {
            find_nearest(id, 1, &sure);
            if (n.other != sure.other || n.distance2 != sure.distance2) return -1;
        }
        if (n.other == SPT_NONE) continue;
        conflicts++;
        rank(&n);
        hash_in((spt_u32)id), hash_in((spt_u32)n.other), hash_in(n.distance2);
    }
    return conflicts;
}

static void print_tick(int now, spt_i32 conflicts)
{
    int i;

    put_number((spt_u32)now, 5, 10);
    put_number((spt_u32)conflicts, 13, 10);
    for (i = 0; i < SHOWN && closest[i].other != SPT_NONE; i++) {
        put_number((spt_u32)closest[i].self, 6, 10), put("-");
        put_number((spt_u32)closest[i].other, 3, 10);
        put_number(square_root(closest[i].distance2), 6, 10);
    }
    end_line();
}

static int print_summary(spt_u32 total)
{
    long stack = board_stack();

    put("conflicts "), put_number(total, 0, 10);
    put(" in "), put_number(TICKS, 0, 10);
    put(" ticks, hash "), put_number(hash, 8, 16), end_line();
    put("arena "), put_number((spt_u32)arena.used, 0, 10);
    put(" of "), put_number((spt_u32)arena.size, 0, 10), put(" bytes"), end_line();
    if (stack > 0)
        put("stack "), put_number((spt_u32)stack, 0, 10), put(" bytes at its deepest"), end_line();
    if (stack >= 0) return 0;
    put("the stack has run into the data"), end_line();
    return 1;
}

static int take_off(void)
{
    static spt_linear_desc desc; /* zeros, without a call of memset */
    const spt_box world = {0, 0, WORLD_X, WORLD_Y};
    spt_box box;
    spt_i32 id;
    int error;

    desc.bounds = world;
    desc.capacity = DRONES;
    desc.no_pairs = 1;
    spt_arena_init(&arena, memory, sizeof memory, &desc.allocator);
    error = spt_linear_init(&tree, &desc); /* all the memory there will ever be */
    for (id = 0; id < DRONES && error == SPT_OK; id++) {
        fleet[id].x = random_below(WORLD_X);
        fleet[id].y = random_below(WORLD_Y);
        fleet[id].step_x = random_below(2 * FASTEST + 1) - FASTEST;
        fleet[id].step_y = random_below(2 * FASTEST + 1) - FASTEST;
        box_around(id, 0, &box);
        error = spt_insert(&tree, id, &box);
    }
    if (error == SPT_OK) return 0;
    put(spt_error_string(error)), put(": the tree takes ");
    put_number((spt_u32)spt_linear_bytes_for(&desc), 0, 10), put(" bytes"), end_line();
    return 1;
}

int main(void)
{
    spt_i32 conflicts;
    spt_u32 total = 0;
    int now;

    if (take_off()) return 1;
    put(" tick  in conflict  closest pairs, mm apart"), end_line();
    for (now = 1; now <= TICKS; now++) {
        conflicts = tick(now % LINE_EVERY == 0); /* holds against brute force what it will print */
        if (conflicts < 0) {
            put("the tree is not what brute force finds, in tick ");
            put_number((spt_u32)now, 0, 10), end_line();
            return 1;
        }
        total += (spt_u32)conflicts;
        if (now % LINE_EVERY == 0) print_tick(now, conflicts);
    }
    return print_summary(total);
}
