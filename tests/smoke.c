/* smoke.c - one fixed scenario over every section of spatial.h; its hashes are the same everywhere.

   Build and run:   cc tests/smoke.c -o smoke && ./smoke
   tests/targets.sh builds and runs it on many machines, and compares.

   -DSMOKE_LARGE        also with hundreds of boxes, not only with a few
   -DSMOKE_PUTC=name    void name(int) writes a character (default: putchar of <stdio.h>)
   -DSMOKE_MAIN=name    int name(void) is where it begins (default: main)
   -DSMOKE_ARENA=bytes  memory for all structures, one section after another
   -DSMOKE_NO_LINEAR    passes over that section, though spatial.h has it, perhaps for the sake of
                        another; so for each. With SPATIAL_NO_LINEAR spatial.h has none, either.

   The section `search` asks for the nearest boxes and for the first that a motion meets, in linear;
   SPATIAL_NO_SEARCH leaves it out. The section `pairs` is linear with pairs, which it gets from the
   broadphase, as all structures do; `linear` is the same without the scratch of pairs, and so are
   the others. The section `index` gives the same calls to all structures that there are.

   Prints a line a section: its size, name, hash of all results in their order, bytes of memory that
   it used; then the exclusive or of these hashes, so that several programs with a section each have
   the same one together as a program with all sections; and last how many checks failed:

       small morton 1A2B3C4D 0
       all 1A2B3C4D
       end 0

   tests/targets/hashes has the hashes. They depend on the type of coordinates and on
   nothing else: these are multiples of 1/2, or of 1 with SPATIAL_INT, and the sides of the world
   are powers of two, so that all arithmetic is exact. This file is C89 and C++98, as compilers
   for 16-bit and 8-bit machines take these: one of them passes arguments as they are, whatever
   the prototype says, so that an int must be cast where spt_i32 is wanted. It calls no function of
   the C library but putchar. */
#define SPATIAL_IMPLEMENTATION
#define SPATIAL_STATIC
#define SPATIAL_NO_STDLIB
#define SPATIAL_INTLIST_INLINE 8
#include "../spatial.h"
#if !defined(__BCC__) && !defined(__CC65__) /* whose constants must be short */
#define SMOKE_CONSTANTS
#endif

#ifdef SPATIAL_NO_CHECK /* where there is no room for it */
#undef spt_intlist_check
#undef spt_check
#undef spt_contacts_check
#define spt_intlist_check(list) ((void)(list), 1)
#define spt_check(x) ((void)(x), 1)
#define spt_contacts_check(contacts) ((void)(contacts), 1)
#endif

#ifndef SMOKE_PUTC
#include <stdio.h>
#define SMOKE_PUTC putchar
#elif defined(__cplusplus)
extern "C" void SMOKE_PUTC(int c);
#else
void SMOKE_PUTC(int c);
#endif

#ifndef SMOKE_MAIN
#define SMOKE_MAIN main
#elif defined(__cplusplus)
extern "C" int SMOKE_MAIN(void);
#else
int SMOKE_MAIN(void);
#endif

#if !defined(SMOKE_ARENA) && defined(SMOKE_LARGE)
#define SMOKE_ARENA 262144L
#elif !defined(SMOKE_ARENA) && ULONG_MAX > 0xFFFFFFFFUL
#define SMOKE_ARENA 8192 /* where pointers are larger, and perhaps coordinates */
#elif !defined(SMOKE_ARENA)
#define SMOKE_ARENA 3584
#endif

#if defined(SPATIAL_NO_BROADPHASE) && !defined(SMOKE_NO_BROADPHASE)
#define SMOKE_NO_BROADPHASE
#endif
#if defined(SPATIAL_NO_LINEAR) && !defined(SMOKE_NO_LINEAR)
#define SMOKE_NO_LINEAR
#endif
#if (defined(SPATIAL_NO_LINEAR) || defined(SPATIAL_NO_BROADPHASE)) && !defined(SMOKE_NO_PAIRS)
#define SMOKE_NO_PAIRS
#endif
#if (defined(SPATIAL_NO_LINEAR) || defined(SPATIAL_NO_SEARCH)) && !defined(SMOKE_NO_SEARCH)
#define SMOKE_NO_SEARCH
#endif
#if defined(SPATIAL_NO_QUADTREE) && !defined(SMOKE_NO_QUADTREE)
#define SMOKE_NO_QUADTREE
#endif
#if defined(SPATIAL_NO_LOOSEGRID) && !defined(SMOKE_NO_LOOSEGRID)
#define SMOKE_NO_LOOSEGRID
#endif
#if defined(SPATIAL_NO_PACKED) && !defined(SMOKE_NO_PACKED)
#define SMOKE_NO_PACKED
#endif
#if defined(SPATIAL_NO_CONTACTS) && !defined(SMOKE_NO_CONTACTS)
#define SMOKE_NO_CONTACTS
#endif
#if defined(SPATIAL_NO_NEIGHBOURS) && !defined(SMOKE_NO_NEIGHBOURS)
#define SMOKE_NO_NEIGHBOURS
#endif
#if defined(SPATIAL_NO_LINEAR) && defined(SPATIAL_NO_QUADTREE) && \
    defined(SPATIAL_NO_LOOSEGRID) && !defined(SMOKE_NO_INDEX)
#define SMOKE_NO_INDEX
#endif

/* Which helpers there has to be. */
#if !defined(SMOKE_NO_LINEAR) || !defined(SMOKE_NO_PAIRS) || !defined(SMOKE_NO_QUADTREE) || \
    !defined(SMOKE_NO_LOOSEGRID)
#define SMOKE_STRUCTURES
#endif
#if defined(SMOKE_STRUCTURES) || !defined(SMOKE_NO_INDEX) || !defined(SMOKE_NO_SEARCH)
#define SMOKE_KEEPERS
#endif
#if defined(SMOKE_STRUCTURES) || !defined(SMOKE_NO_BROADPHASE) || !defined(SMOKE_NO_PACKED) || \
    !defined(SMOKE_NO_SEARCH)
#define SMOKE_BOXES
#endif
#if defined(SMOKE_BOXES) || defined(SMOKE_KEEPERS)
#define SMOKE_LISTS
#endif

/* A coordinate of so many grid steps, and a number that stands for a coordinate. */
#ifdef SPATIAL_INT
#define SMOKE_AT(steps) ((spt_coord)(steps))
#define SMOKE_NUMBER(x) ((spt_i32)(x))
#else
#define SMOKE_AT(steps) ((spt_coord)(steps) / 2)
#define SMOKE_NUMBER(x) ((spt_i32)((x) * 16))
#endif

static spt_i32 smoke_memory[SMOKE_ARENA / 4];
static spt_arena smoke_arena;
static spt_allocator smoke_allocator;
static size_t smoke_used; /* bytes of the arena that the section took */

static spt_u32 smoke_hash;
static spt_u32 smoke_all;
static spt_u32 smoke_seed;
static int smoke_failed;   /* checks that did not hold */

/* The size of the scenario. */
static int smoke_large;
static spt_i32 smoke_boxes; /* of the broadphase; packed has twice as many */
static spt_i32 smoke_ids;   /* of structures: 0 .. smoke_ids-1 */
static int smoke_steps;
static int smoke_rare;  /* all pairs are looked for every so many steps */
static int smoke_half;  /* half the width of the world, and its height, in grid steps */
static int smoke_sizes; /* sides of boxes are less than 2^smoke_sizes grid steps */

#if defined(SMOKE_LISTS) || !defined(SMOKE_NO_INTLIST) || !defined(SMOKE_NO_CONTACTS) || \
    !defined(SMOKE_NO_NEIGHBOURS)
static spt_intlist smoke_found; /* ids */
static spt_intlist smoke_pairs;
#endif
#if defined(SMOKE_KEEPERS) || !defined(SMOKE_NO_PACKED)
static spt_index smoke_x;
#endif
#ifdef SMOKE_KEEPERS
static spt_box smoke_box, smoke_other;
static spt_box smoke_bounds;
static int smoke_no_pairs; /* the structure has no memory for pairs */
#endif

static void smoke_check(int holds)
{
    if (!holds) smoke_failed++;
}

static void smoke_mix(spt_i32 value)
{
    smoke_hash = ((smoke_hash ^ (spt_u32)value) * 16777619UL) & 0xFFFFFFFFUL;
    smoke_hash ^= smoke_hash >> 15;
}

static void smoke_mix_int(int value)
{
    smoke_mix((spt_i32)value);
}

/* Sizes do not have the same hash, not even of a section that does not depend on them. */
static void smoke_begin_hash(void)
{
    smoke_hash = 2166136261UL;
    smoke_mix_int(smoke_steps);
}

#if defined(SMOKE_BOXES) || !defined(SMOKE_NO_INTLIST) || !defined(SMOKE_NO_MORTON) || \
    !defined(SMOKE_NO_CONTACTS) || !defined(SMOKE_NO_NEIGHBOURS)

/* 0 .. n-1 from the upper bits of the generator of Numerical Recipes. */
static int smoke_draw(int n)
{
    smoke_seed = (smoke_seed * 1664525UL + 1013904223UL) & 0xFFFFFFFFUL;
    return (int)((smoke_seed >> 16) & 0x7FFFUL) % n;
}

#endif

/* --- int list --------------------------------------------------------------------------------- */

#if !defined(SMOKE_NO_INTLIST) || !defined(SMOKE_NO_CONTACTS) || !defined(SMOKE_NO_NEIGHBOURS)
static void smoke_mix_records(const spt_intlist *list)
{
    spt_i32 i, k;
    smoke_mix(spt_intlist_count(list));
    for (i = 0; i < spt_intlist_count(list); i++)
        for (k = 0; k < list->fields; k++) smoke_mix(spt_intlist_get(list, i, k));
}
#endif

#ifndef SMOKE_NO_INTLIST

static void smoke_intlist(void)
{
    static spt_i32 record[3];
    spt_intlist *stack = &smoke_found, *places = &smoke_pairs;
    int step, k;

    smoke_check(spt_intlist_init(stack, 0L) == SPT_ERR_ARGUMENT);
    smoke_check(spt_intlist_init_with(stack, 3L, &smoke_allocator) == SPT_OK);
    smoke_check(spt_intlist_init_with(places, 2L, &smoke_allocator) == SPT_OK);
    smoke_check(spt_intlist_pop(stack, NULL) == SPT_ERR_ID);
    smoke_check(spt_intlist_reserve(stack, -1L) == SPT_ERR_ARGUMENT);
    for (step = 0; step < smoke_steps; step++) {
        for (k = 0; k < 3; k++) record[k] = smoke_draw(1000) - 500;
        if (smoke_draw(5) < 3) smoke_mix(spt_intlist_push(stack, record));
        else smoke_mix_int(spt_intlist_pop(stack, record));
        smoke_mix(record[2]);
        if (step % 3 < 2) smoke_mix(spt_intlist_insert(places, record));
        else smoke_mix_int(spt_intlist_erase(places, (spt_i32)(step / 3 * 2))); /* none twice */
        smoke_mix_int(spt_intlist_set(stack, (spt_i32)smoke_draw(8), 1L, (spt_i32)step));
    }
    smoke_check(spt_intlist_get(stack, 0L, 3L) == SPT_NONE);
    smoke_check(spt_intlist_set(stack, -1L, 0L, 0L) == SPT_ERR_ID);
    smoke_check(spt_intlist_erase(places, spt_intlist_count(places)) == SPT_ERR_ID);
    smoke_check(spt_intlist_check(stack) && spt_intlist_check(places));
    smoke_mix_records(stack);
    smoke_mix_records(places);
    smoke_check(spt_intlist_truncate(stack, -1L) == SPT_ERR_ARGUMENT);
    smoke_check(spt_intlist_truncate(stack, spt_intlist_count(stack) + 1) == SPT_ERR_ARGUMENT);
    smoke_mix_int(spt_intlist_truncate(stack, spt_intlist_count(stack) / 2));
    smoke_mix_records(stack);
    smoke_used = smoke_arena.used;
    spt_intlist_free(places);
    spt_intlist_free(stack);
    smoke_check(spt_intlist_count(stack) == 0 && spt_intlist_bytes(stack) == 0);
}

#endif

/* --- Morton ----------------------------------------------------------------------------------- */

#ifndef SMOKE_NO_MORTON

static void smoke_morton_cell(int levels)
{
    static spt_box bounds, box;
    spt_u32 x0, y0, x1, y1, code, node, x = 0, y = 0;
    int reach = 1 << levels, level;

    x0 = (spt_u32)smoke_draw(reach);
    y0 = (spt_u32)smoke_draw(reach);
    x1 = x0 ^ (spt_u32)smoke_draw(1 + reach / 4);
    y1 = y0 ^ (spt_u32)smoke_draw(1 + reach / 4);
    level = spt_morton_cell(x0, y0, x1, y1, levels, &code);
    node = spt_morton_node(level, code);
    smoke_mix_int(level);
    smoke_mix((spt_i32)code);
    smoke_mix((spt_i32)node);
    smoke_mix((spt_i32)spt_morton_rank(level, code, levels));
    smoke_check(spt_morton_level(node, &x) == level && x == code);
    smoke_check((4 * node + (spt_u32)smoke_draw(4)) / 4 == node); /* its child's parent */
    spt_morton_deinterleave(code, &x, &y);
    smoke_check(spt_morton_interleave(x, y) == code);
    smoke_mix((spt_i32)x);
    bounds.min_x = SMOKE_AT(-2048), bounds.max_x = SMOKE_AT(2048);
    bounds.min_y = SMOKE_AT(-1024), bounds.max_y = SMOKE_AT(1024);
    if (level > 6) return; /* where the edges of cells are no multiples of a grid step */
    spt_morton_box(level, code, &bounds, &box);
    smoke_mix(SMOKE_NUMBER(box.min_x));
    smoke_mix(SMOKE_NUMBER(box.max_y));
}

static void smoke_morton(void)
{
    int step;
    for (step = 0; step < smoke_steps; step++) {
        smoke_morton_cell(1 + smoke_draw(14));
        smoke_mix((spt_i32)spt_morton_interleave(smoke_seed & 0xFFFFUL, smoke_seed >> 16));
    }
    smoke_mix((spt_i32)spt_morton_nodes(SPT_MORTON_MAX_LEVELS));
}

#endif

/* --- what structures share -------------------------------------------------------------------- */

#ifdef SMOKE_LISTS

/* The lists of results come last in the arena, so that the second may grow there. */
static void smoke_lists(spt_i32 ids)
{
    smoke_check(spt_intlist_init_with(&smoke_found, 1L, &smoke_allocator) == SPT_OK);
    smoke_check(spt_intlist_reserve(&smoke_found, ids) == SPT_OK);
    smoke_check(spt_intlist_init_with(&smoke_pairs, 2L, &smoke_allocator) == SPT_OK);
}

static void smoke_lists_free(void)
{
    smoke_used = smoke_arena.used;
    spt_intlist_free(&smoke_pairs);
    spt_intlist_free(&smoke_found);
}

static void smoke_set_box(spt_box *box, int x, int y, int width, int height)
{
    box->min_x = SMOKE_AT(x);
    box->min_y = SMOKE_AT(y);
    box->max_x = SMOKE_AT(x + width);
    box->max_y = SMOKE_AT(y + height);
}

#endif
#ifdef SMOKE_KEEPERS

/* The world is -half .. half by -half/4 .. 3/4 half. */
static void smoke_set_bounds(spt_box *bounds)
{
    smoke_set_box(bounds, -smoke_half, -(smoke_half / 4), 2 * smoke_half, smoke_half);
}

#endif
#ifdef SMOKE_BOXES

/* One in 32 boxes is as large as the world; some lie outside it, wholly or in part. */
static void smoke_draw_box(spt_box *box)
{
    int size = 1 << smoke_draw(smoke_sizes + 1), x, y, width;
    if (smoke_draw(32) == 0) size = smoke_half;
    x = smoke_draw(smoke_half / 4 * 9) - smoke_half / 8 * 9;
    y = smoke_draw(smoke_half / 4 * 5) - smoke_half / 8 * 3;
    width = smoke_draw(size);
    smoke_set_box(box, x, y, width, smoke_draw(size));
}

/* Takes in the result of a call, and the list that it filled, which must be as long. */
static void smoke_mix_list(spt_intlist *list, spt_i32 n, spt_i32 wanted)
{
    spt_i32 i, k;
    smoke_check(n == wanted && n == spt_intlist_count(list));
    smoke_mix(n);
    for (i = 0; i < spt_intlist_count(list); i++)
        for (k = 0; k < list->fields; k++) smoke_mix(spt_intlist_get(list, i, k));
}

#endif
#if defined(SMOKE_STRUCTURES) || !defined(SMOKE_NO_BROADPHASE) || !defined(SMOKE_NO_PACKED)

/* ctx: NULL for the broadphase and packed, whose cells are where they please. */
static int smoke_cell(void *ctx, const spt_box *box, int level, spt_i32 count) SPT_CALLBACK
{
    smoke_mix_int(level);
    smoke_mix(count);
    if (!ctx) return 0;
    smoke_mix(SMOKE_NUMBER(box->min_x));
    smoke_mix(SMOKE_NUMBER(box->max_y));
    return 0;
}

#endif
#if defined(SMOKE_STRUCTURES) || !defined(SMOKE_NO_PACKED)

/* Stops at the fifth element. */
static int smoke_visit(void *ctx, spt_i32 id, const spt_box *box) SPT_CALLBACK
{
    int *calls = (int *)ctx;
    smoke_mix(id);
    smoke_mix(SMOKE_NUMBER(box->max_x));
    return ++*calls == 5;
}

#endif

/* --- broadphase ------------------------------------------------------------------------------- */

#ifndef SMOKE_NO_BROADPHASE

static spt_broadphase smoke_bp;

/* Round 0: all over the world. 1: every second in a tower across its middle line, which is so long
   that the broadphase sorts it. 2: all but one in a corner. */
static void smoke_draw_boxes(spt_box *boxes, int round)
{
    int n = (int)smoke_boxes, i, x;
    for (i = 0; i < n; i++) {
        x = smoke_draw(n); /* in a statement of its own: arguments come in any order */
        if (round == 1 && i % 2 > 0)
            smoke_set_box(&boxes[i], -(smoke_half / 8) - x % 4, 2 * i, smoke_half / 4, 4);
        else if (round == 2 && i > 0) smoke_set_box(&boxes[i], x, smoke_draw(n), 2, 2);
        else smoke_draw_box(&boxes[i]);
    }
}

/* How many of na boxes and nb boxes overlap; b == NULL: how many of a do. */
static spt_i32 smoke_overlaps(const spt_box *a, spt_i32 na, const spt_box *b, spt_i32 nb)
{
    spt_i32 n = 0, i, j;
    for (i = 0; i < na; i++)
        for (j = 0; j < (b ? nb : i); j++) n += spt_box_overlap(&a[i], b ? &b[j] : &a[j]);
    return n;
}

static void smoke_broadphase_calls(spt_box *boxes)
{
    spt_i32 third = smoke_boxes / 3;
    int round;
    for (round = 0; round < 3; round++) {
        smoke_draw_boxes(boxes, round);
        smoke_mix_list(&smoke_pairs,
                       spt_broadphase_pairs(&smoke_bp, boxes, smoke_boxes, NULL, &smoke_pairs),
                       smoke_overlaps(boxes, smoke_boxes, NULL, 0L));
        smoke_mix_int(spt_broadphase_traverse(&smoke_bp, smoke_cell, NULL));
        smoke_mix_list(&smoke_pairs,
                       spt_broadphase_pairs_between(&smoke_bp, boxes, third, boxes + third,
                                                    smoke_boxes - third, NULL, &smoke_pairs),
                       smoke_overlaps(boxes, third, boxes + third, smoke_boxes - third));
    }
}

static void smoke_broadphase(void)
{
    static spt_broadphase_desc desc;
    spt_box *boxes;
    size_t bytes = sizeof(spt_box) * (size_t)smoke_boxes;

    desc.allocator = smoke_allocator;
    desc.capacity = -1;
    smoke_check(spt_broadphase_init(&smoke_bp, &desc) == SPT_ERR_ARGUMENT);
    desc.capacity = smoke_boxes;
    smoke_check(spt_broadphase_init(&smoke_bp, &desc) == SPT_OK);
    smoke_check(spt_broadphase_bytes(&smoke_bp) == spt_broadphase_bytes_for(&desc));
    boxes = (spt_box *)smoke_allocator.resize(smoke_allocator.ctx, NULL, (size_t)0, bytes);
    smoke_check(boxes != NULL);
    smoke_lists(0L);
    if (smoke_bp.block && boxes) {
        smoke_broadphase_calls(boxes);
        smoke_check(spt_broadphase_pairs(&smoke_bp, boxes, smoke_boxes + 1, NULL, &smoke_pairs) ==
                    SPT_ERR_FULL);
        smoke_check(spt_broadphase_pairs(&smoke_bp, boxes, 2L, NULL,
                                         &smoke_found) == SPT_ERR_LIST);
        boxes[1].max_y = boxes[1].min_y - 1;
        smoke_check(spt_broadphase_pairs(&smoke_bp, boxes, 2L, NULL,
                                         &smoke_pairs) == SPT_ERR_BOX);
        smoke_check(spt_intlist_count(&smoke_pairs) == 0);
    }
    smoke_lists_free();
    (void)smoke_allocator.resize(smoke_allocator.ctx, boxes, bytes, (size_t)0);
    spt_broadphase_free(&smoke_bp);
    smoke_check(smoke_arena.used == 0);
}

#endif

/* --- packed ----------------------------------------------------------------------------------- */

#ifndef SMOKE_NO_PACKED

static void smoke_packed_windows(const spt_box *boxes, spt_i32 n)
{
    static spt_box window;
    spt_i32 overlaps, i;
    int step, calls;
    for (step = 0; step < 16; step++) {
        smoke_draw_box(&window);
        if (step % 4 == 0) smoke_set_box(&window, -smoke_half, 0, 2 * smoke_half, smoke_half / 2);
        overlaps = 0;
        for (i = 0; i < n; i++) overlaps += spt_box_overlap(&boxes[i], &window);
        smoke_mix_list(&smoke_found, spt_query(&smoke_x, &window, NULL, &smoke_found), overlaps);
        calls = 0;
        smoke_mix_int(spt_visit(&smoke_x, &window, NULL, smoke_visit, &calls));
    }
}

/* What is refused, and leaves everything as it is. */
static void smoke_packed_errors(spt_box *boxes, spt_i32 n)
{
    smoke_check(spt_build(&smoke_x, boxes, n + 1) == SPT_ERR_FULL);
    smoke_check(spt_insert(&smoke_x, n, boxes) == SPT_ERR_KIND);
    smoke_check(spt_move(&smoke_x, 0L, boxes) == SPT_ERR_KIND);
    smoke_check(spt_remove(&smoke_x, 0L) == SPT_ERR_KIND);
    smoke_check(spt_pairs(&smoke_x, NULL, &smoke_pairs) == SPT_ERR_LEFT_OUT);
    smoke_check(spt_box_of(&smoke_x, n, boxes) == SPT_ERR_ID);
    smoke_check(spt_contains(&smoke_x, n - 1) && !spt_contains(&smoke_x, n));
    smoke_check(spt_box_of(&smoke_x, 2L, boxes) == SPT_OK);
    smoke_mix(SMOKE_NUMBER(boxes->max_y));
    boxes[1].max_y = boxes[1].min_y - 1;
    smoke_check(spt_build(&smoke_x, boxes, 2L) == SPT_ERR_BOX);
    smoke_check(spt_count(&smoke_x) == n && spt_check(&smoke_x));
}

/* So many boxes that there is more than one node of them. */
static void smoke_packed(void)
{
    static spt_packed_desc desc;
    spt_i32 n = 2 * smoke_boxes, i;
    spt_box *boxes;
    size_t bytes = sizeof(spt_box) * (size_t)n;

    desc.allocator = smoke_allocator;
    desc.no_pairs = 1;
    desc.capacity = -1;
    smoke_check(spt_packed_init(&smoke_x, &desc) == SPT_ERR_ARGUMENT);
    desc.capacity = n;
    smoke_check(spt_packed_init(&smoke_x, &desc) == SPT_OK);
    smoke_check(spt_bytes(&smoke_x) == spt_packed_bytes_for(&desc));
    boxes = (spt_box *)smoke_allocator.resize(smoke_allocator.ctx, NULL, (size_t)0, bytes);
    smoke_check(boxes != NULL);
    smoke_lists(n);
    if (spt_bytes(&smoke_x) > 0 && boxes) {
        for (i = 0; i < n; i++) smoke_draw_box(&boxes[i]);
        smoke_check(spt_build(&smoke_x, boxes, n) == SPT_OK);
        smoke_packed_windows(boxes, n);
        smoke_mix_int(spt_traverse(&smoke_x, smoke_cell, NULL));
        smoke_packed_errors(boxes, n);
        spt_clear(&smoke_x);
        smoke_check(spt_count(&smoke_x) == 0);
    }
    smoke_lists_free();
    (void)smoke_allocator.resize(smoke_allocator.ctx, boxes, bytes, (size_t)0);
    spt_free(&smoke_x);
    smoke_check(smoke_arena.used == 0);
}

#endif

/* --- structures that keep boxes --------------------------------------------------------------- */

/* Each has a function that makes an empty one for so many ids in smoke_bounds, and tells the bytes
   that it needs. */

#ifdef SMOKE_KEEPERS

#define SMOKE_LINEAR 0
#define SMOKE_QUADTREE 1
#define SMOKE_LOOSEGRID 2

static int smoke_kind; /* one of these */
static size_t smoke_bytes_for;

#ifndef SPATIAL_NO_LINEAR
#ifdef SMOKE_CONSTANTS
typedef unsigned char smoke_linear_room[SPT_LINEAR_BYTES(100)]; /* a constant */
#endif

static int smoke_linear_init(spt_i32 ids)
{
    static spt_linear_desc desc;
    desc.bounds = smoke_bounds;
    desc.capacity = ids;
    desc.levels = smoke_large ? 4 : 1;
    desc.no_pairs = smoke_no_pairs;
    desc.keep_bounds = !smoke_large; /* small ones may have SPATIAL_NO_FIT */
    desc.allocator = smoke_allocator;
    smoke_bytes_for = spt_linear_bytes_for(&desc);
#ifdef SMOKE_CONSTANTS
    desc.capacity = 100, desc.levels = 0;
    smoke_check(sizeof(smoke_linear_room) >= spt_linear_bytes_for(&desc));
    desc.capacity = ids, desc.levels = smoke_large ? 4 : 1;
#endif
    return spt_linear_init(&smoke_x, &desc);
}
#endif

#ifndef SPATIAL_NO_QUADTREE
#ifdef SMOKE_CONSTANTS
typedef unsigned char smoke_quadtree_room[SPT_QUADTREE_BYTES(100)]; /* a constant */
#endif

static int smoke_quadtree_init(spt_i32 ids)
{
    static spt_quadtree_desc desc;
    desc.bounds = smoke_bounds;
    desc.capacity = ids;
    desc.leaf_capacity = smoke_large ? 8 : 6;
    desc.max_depth = smoke_large ? 6 : 4;
    desc.no_pairs = smoke_no_pairs;
    desc.keep_bounds = !smoke_large;
    desc.allocator = smoke_allocator;
    smoke_bytes_for = spt_quadtree_bytes_for(&desc);
#ifdef SMOKE_CONSTANTS
    desc.capacity = 100, desc.leaf_capacity = 0;
    smoke_check(sizeof(smoke_quadtree_room) >= spt_quadtree_bytes_for(&desc));
    desc.capacity = ids, desc.leaf_capacity = smoke_large ? 8 : 6;
#endif
    return spt_quadtree_init(&smoke_x, &desc);
}
#endif

#ifndef SPATIAL_NO_LOOSEGRID
#ifdef SMOKE_CONSTANTS
typedef unsigned char smoke_loosegrid_room[SPT_LINEAR_BYTES(100)]; /* a constant */
#endif

static int smoke_loosegrid_init(spt_i32 ids)
{
    static spt_linear_desc desc;
    desc.bounds = smoke_bounds;
    desc.capacity = ids;
    desc.cell = SMOKE_AT(smoke_half / (smoke_large ? 8 : 2)); /* 16 by 8, 4 by 2 */
    desc.no_pairs = smoke_no_pairs;
    desc.keep_bounds = !smoke_large;
    desc.allocator = smoke_allocator;
    smoke_bytes_for = spt_loosegrid_bytes_for(&desc);
#ifdef SMOKE_CONSTANTS
    desc.capacity = 100, desc.cell = 0;
    smoke_check(sizeof(smoke_loosegrid_room) >= spt_loosegrid_bytes_for(&desc));
    desc.capacity = ids, desc.cell = SMOKE_AT(smoke_half / (smoke_large ? 8 : 2));
#endif
    return spt_loosegrid_init(&smoke_x, &desc);
}
#endif

static int smoke_init(spt_i32 ids)
{
#ifndef SPATIAL_NO_LINEAR
    if (smoke_kind == SMOKE_LINEAR) return smoke_linear_init(ids);
#endif
#ifndef SPATIAL_NO_QUADTREE
    if (smoke_kind == SMOKE_QUADTREE) return smoke_quadtree_init(ids);
#endif
#ifndef SPATIAL_NO_LOOSEGRID
    if (smoke_kind == SMOKE_LOOSEGRID) return smoke_loosegrid_init(ids);
#endif
    return SPT_ERR_ARGUMENT;
}

#endif
#ifdef SMOKE_STRUCTURES

/* How many of the elements with ids below that overlap the box, by looking at each. */
static spt_i32 smoke_count(const spt_box *box, spt_i32 below)
{
    spt_i32 n = 0, id;
    for (id = 0; id < below; id++)
        if (spt_box_of(&smoke_x, id, &smoke_other) == SPT_OK)
            n += spt_box_overlap(&smoke_other, box);
    return n;
}

static void smoke_find_pairs(void)
{
    static spt_box box;
    spt_i32 n = 0, id;
    if (smoke_no_pairs) {
        smoke_check(spt_pairs(&smoke_x, NULL, &smoke_pairs) == SPT_ERR_LEFT_OUT);
        return;
    }
    for (id = 0; id < smoke_ids; id++)
        if (spt_box_of(&smoke_x, id, &box) == SPT_OK) n += smoke_count(&box, id);
    smoke_mix_list(&smoke_pairs, spt_pairs(&smoke_x, NULL, &smoke_pairs), n);
}

/* Inserts, moves and removes in turn; asks a window now and then, and more rarely for all pairs.
   What is found is counted again. */
static void smoke_step(int step)
{
    spt_i32 id = (spt_i32)smoke_draw((int)smoke_ids);
    int calls = 0;
    smoke_draw_box(&smoke_box);
    if (!spt_contains(&smoke_x, id)) smoke_mix_int(spt_insert(&smoke_x, id, &smoke_box));
    else if (smoke_draw(4) > 0) smoke_mix_int(spt_move(&smoke_x, id, &smoke_box));
    else smoke_mix_int(spt_remove(&smoke_x, id));
    if (step % 4 == 0)
        smoke_mix_list(&smoke_found, spt_query(&smoke_x, &smoke_box, NULL, &smoke_found),
                       smoke_count(&smoke_box, smoke_ids));
    if (step % 8 == 1) smoke_mix_int(spt_visit(&smoke_x, &smoke_box, NULL, smoke_visit, &calls));
    if (step % 16 == 2) spt_tidy(&smoke_x);
    if (step % smoke_rare == smoke_rare - 1) smoke_find_pairs();
}

/* What is refused, and leaves everything as it is but the list, which is then empty. */
static void smoke_errors(void)
{
    spt_i32 count = spt_count(&smoke_x), id = 0;
    while (!spt_contains(&smoke_x, id)) id++;
    smoke_check(spt_insert(&smoke_x, id, &smoke_box) == SPT_ERR_EXISTS);
#ifndef SPATIAL_NO_COPY
    smoke_check(spt_copy(&smoke_x, &smoke_x) == SPT_OK);
#endif
    smoke_check(spt_insert(&smoke_x, -1L, &smoke_box) == SPT_ERR_ID);
    smoke_check(spt_insert(&smoke_x, smoke_ids, &smoke_box) == SPT_ERR_FULL);
    smoke_check(spt_move(&smoke_x, smoke_ids, &smoke_box) == SPT_ERR_ID);
    smoke_check(spt_remove(&smoke_x, -1L) == SPT_ERR_ID);
    smoke_check(spt_query(&smoke_x, &smoke_box, NULL, &smoke_pairs) == SPT_ERR_LIST);
    smoke_check(spt_pairs(&smoke_x, NULL, &smoke_found) == SPT_ERR_LIST);
    smoke_box.max_x = smoke_box.min_x - 1;
    smoke_check(spt_move(&smoke_x, id, &smoke_box) == SPT_ERR_BOX);
    smoke_check(spt_query(&smoke_x, &smoke_box, NULL, &smoke_found) == SPT_ERR_BOX);
    smoke_check(spt_box_of(&smoke_x, -1L, &smoke_box) == SPT_ERR_ID);
    smoke_check(spt_count(&smoke_x) == count && spt_check(&smoke_x));
    smoke_check(spt_intlist_count(&smoke_found) + spt_intlist_count(&smoke_pairs) == 0);
}

static void smoke_shrink(void)
{
    spt_i32 id;
    for (id = 0; id < smoke_ids; id++) {
        if (id % 8 != 0) smoke_mix_int(spt_remove(&smoke_x, id));
        spt_tidy(&smoke_x);
    }
    smoke_mix_int(spt_traverse(&smoke_x, smoke_cell, &smoke_box));
    smoke_find_pairs();
    smoke_mix(spt_count(&smoke_x));
    smoke_check(spt_check(&smoke_x));
    spt_clear(&smoke_x);
    smoke_check(spt_check(&smoke_x) && spt_count(&smoke_x) == 0);
}

static void smoke_structure(void)
{
    int step;
    smoke_set_box(&smoke_bounds, 1, 1, 0, 0);
    smoke_check(smoke_init(smoke_ids) == SPT_ERR_ARGUMENT);
    smoke_check(spt_count(&smoke_x) == SPT_ERR_INIT);
    smoke_set_bounds(&smoke_bounds);
    if (smoke_init(smoke_ids) != SPT_OK) {
        smoke_check(0);
        return;
    }
    smoke_check(spt_bytes(&smoke_x) == smoke_bytes_for);
    smoke_lists(smoke_ids);
    for (step = 0; step < smoke_steps; step++) smoke_step(step);
    smoke_mix_int(spt_traverse(&smoke_x, smoke_cell, &smoke_box));
    smoke_errors();
    smoke_shrink();
    smoke_lists_free();
    spt_free(&smoke_x);
}

#endif

/* --- search ----------------------------------------------------------------------------------- */

#ifndef SMOKE_NO_SEARCH

static spt_motion smoke_motion;
static spt_hit smoke_hit;

/* How many elements the motion meets, by looking at each. */
static spt_i32 smoke_meetings(void)
{
    spt_i32 n = 0, id;
    for (id = 0; id < smoke_ids; id++)
        if (spt_box_of(&smoke_x, id, &smoke_other) == SPT_OK)
            n += spt_box_cast(&smoke_motion, &smoke_other, NULL);
    return n;
}

/* What is met: all that a hit tells, of the time 14 bits or more. */
static void smoke_mix_hit(void)
{
#ifdef SPATIAL_INT
    smoke_mix(smoke_hit.t);
#else
    smoke_mix((spt_i32)(smoke_hit.t * 16384));
#endif
    smoke_mix(smoke_hit.id);
    smoke_mix_int(smoke_hit.nx);
    smoke_mix_int(smoke_hit.ny);
}

#ifndef SPATIAL_INT
/* A square that stands on a corner meets the boxes whose distances from its centre along the two
   axes are together at most half its width. (No hash: its hits are known.) */
static void smoke_overlap(spt_coord x, spt_coord y, spt_coord half)
{
    static spt_coord corners[8];
    spt_shape square;
    spt_coord apart;
    spt_i32 n = 0, id;
    corners[0] = x - half, corners[1] = y, corners[2] = x, corners[3] = y - half;
    corners[4] = x + half, corners[5] = y, corners[6] = x, corners[7] = y + half;
    square.points = corners, square.count = 4, square.radius = 0;
    for (id = 0; id < smoke_ids; id++) {
        if (spt_box_of(&smoke_x, id, &smoke_other) != SPT_OK) continue;
        apart = 0;
        if (smoke_other.min_x > x) apart += smoke_other.min_x - x;
        if (smoke_other.max_x < x) apart += x - smoke_other.max_x;
        if (smoke_other.min_y > y) apart += smoke_other.min_y - y;
        if (smoke_other.max_y < y) apart += y - smoke_other.max_y;
        smoke_check(spt_box_meets_shape(&smoke_other, &square) == (apart <= half));
        n += apart <= half;
    }
    smoke_check(spt_overlap(&smoke_x, &square, NULL, &smoke_found) == n);
    smoke_check(spt_overlap(&smoke_x, &square, NULL, NULL) == n);
}
#endif

/* Is an element in the relation to a window? */
static int smoke_related(const spt_box *b, const spt_box *window, int relation)
{
    const int inside = window->min_x <= b->min_x && b->max_x <= window->max_x &&
                       window->min_y <= b->min_y && b->max_y <= window->max_y;
    const int around = b->min_x <= window->min_x && window->max_x <= b->max_x &&
                       b->min_y <= window->min_y && window->max_y <= b->max_y;
    if (relation == SPT_ENTERS)
        return b->min_x < window->max_x && window->min_x < b->max_x && b->min_y < window->max_y &&
               window->min_y < b->max_y;
    if (relation == SPT_INSIDE) return inside;
    return relation == SPT_AROUND ? around : inside && around;
}

/* Elements in each relation to a window, and the same index twice as layers. (No hash: what they
   find is known.) */
static void smoke_layers(const spt_box *window, int met)
{
    static spt_filter filter;
    static spt_layer layers[2];
    static spt_hit hit;
    spt_i32 n, id;
    layers[0].index = layers[1].index = &smoke_x;
    layers[0].filter = layers[1].filter = &filter;
    for (filter.relation = SPT_ENTERS; filter.relation <= SPT_EQUALS; filter.relation++) {
        for (n = id = 0; id < smoke_ids; id++)
            if (spt_box_of(&smoke_x, id, &smoke_other) == SPT_OK)
                n += smoke_related(&smoke_other, window, filter.relation);
        smoke_check(spt_query(&smoke_x, window, &filter, &smoke_found) == n);
        smoke_check(spt_any_among(layers, 2, window) == (n > 0));
    }
    filter.relation = SPT_MEETS;
    hit.layer = 7;
    smoke_check(spt_cast_among(layers, 2, &smoke_motion, &hit) == met);
    smoke_check(met == 0 ? hit.layer == 7 : hit.layer == 0 && hit.id == smoke_hit.id);
}

static void smoke_search_step(int step)
{
    spt_i32 k = (spt_i32)smoke_draw((int)smoke_ids), meetings;
    int met;
    smoke_draw_box(&smoke_box);
    if (step % 2 > 0) smoke_box.max_x = smoke_box.min_x, smoke_box.max_y = smoke_box.min_y;
    smoke_mix_list(&smoke_found,
                   spt_nearest(&smoke_x, &smoke_box, k, SPT_NO_LIMIT, NULL, &smoke_found), k);
    smoke_mix(spt_nearest(&smoke_x, &smoke_box, k, SMOKE_AT(smoke_half / 4), NULL, &smoke_found));
    smoke_mix(spt_within(&smoke_x, &smoke_box, SMOKE_AT(smoke_half / 4), NULL, &smoke_found));
#ifndef SPATIAL_INT
    smoke_overlap(smoke_box.min_x, smoke_box.min_y, SMOKE_AT(smoke_half / 4));
#endif
    smoke_motion.box = smoke_box;
    smoke_motion.dx = SMOKE_AT(smoke_draw(2 * smoke_half) - smoke_half);
    smoke_motion.dy = SMOKE_AT(smoke_draw(smoke_half) - smoke_half / 2);
    smoke_motion.enter = step % 3 == 0;
    meetings = smoke_meetings();
    smoke_mix_list(&smoke_found, spt_cast_all(&smoke_x, &smoke_motion, NULL, &smoke_found),
                   meetings);
    met = spt_cast(&smoke_x, &smoke_motion, NULL, &smoke_hit);
    smoke_check(met == (meetings > 0));
    if (met > 0) smoke_mix_hit();
    smoke_layers(&smoke_box, met);
    if (spt_box_of(&smoke_x, (spt_i32)(step % (int)smoke_ids), &smoke_box) == SPT_OK)
        smoke_layers(&smoke_box, met);
}

/* Shapes that move among diamonds and boxes: places are rounded, so alike where a double has 64
   bits, which a hash of its own shows. */
#if !defined(SPATIAL_INT) && !defined(__SDCC) && !defined(__AVR__) && !defined(__BCC__) &&         \
    !(defined(__i386__) && defined(SMOKE_PUTC)) /* DOS has no room for it */
#define SMOKE_SHAPES 0x1942BAE6UL

static void smoke_put(const char *text);
static void smoke_put_hex(spt_u32 value);

static int smoke_shape_of(void *ctx, spt_i32 id, spt_shape *out) SPT_CALLBACK
{
    static spt_coord points[8];
    static spt_box box;
    (void)ctx;
    if (id % 3 == 0 || spt_box_of(&smoke_x, id, &box) != SPT_OK) return 0;
    points[0] = box.min_x, points[4] = box.max_x;
    points[3] = box.min_y, points[7] = box.max_y;
    points[2] = points[6] = (box.min_x + box.max_x) / 2;
    points[1] = points[5] = (box.min_y + box.max_y) / 2;
    out->points = points, out->count = 4, out->radius = 0;
    return 1;
}

static void smoke_shapes(void)
{
    static spt_coord points[6], moved_x, moved_y, dx, dy;
    static spt_layer layer;
    static spt_shape_hit hits[SPT_SHAPE_HITS];
    const spt_u32 hash = smoke_hash;
    spt_shape shape;
    int step, i, n;
    smoke_begin_hash();
    layer.index = &smoke_x, layer.filter = NULL, layer.shape = smoke_shape_of, layer.ctx = NULL;
    shape.points = points, shape.count = 3, shape.radius = 0;
    for (step = 0; step < 60; step++) {
        if (step % 20 == 0) {
            for (i = 0; i < 6; i++) points[i] = SMOKE_AT(smoke_draw(3) + (i % 2) * smoke_half / 2);
            shape.count = 1 + step / 20, shape.radius = SMOKE_AT(step / 20 % 2 + 1);
        }
        dx = SMOKE_AT(smoke_draw(21) - 10);
        dy = SMOKE_AT(smoke_draw(21) - 10);
        n = spt_shape_slide(&layer, 1, &shape, dx, dy, SMOKE_AT(1) / 16, &moved_x, &moved_y, hits);
        smoke_mix_int(n);
        smoke_mix((spt_i32)(moved_x * 65536)), smoke_mix((spt_i32)(moved_y * 65536));
        for (i = 0; i < n; i++) {
            smoke_mix(hits[i].id), smoke_mix((spt_i32)(hits[i].t * 65536));
            smoke_mix((spt_i32)(hits[i].nx * 65536)), smoke_mix((spt_i32)(hits[i].ny * 65536));
        }
        for (i = 0; i < 6; i++) points[i] += i % 2 > 0 ? moved_y : moved_x;
        smoke_mix_int(spt_shape_any(&layer, 1, &shape));
        smoke_mix_int(spt_shape_cast(&layer, 1, &shape, 9, 4, 0, hits));
        smoke_mix((spt_i32)(hits[0].t * 65536));
    }
    if (smoke_hash != SMOKE_SHAPES && sizeof(double) > 4) {
        smoke_check(0);
        smoke_put("shapes ");
        smoke_put_hex(smoke_hash);
        smoke_put("\n");
    }
    smoke_hash = hash;
}
#endif

static void smoke_search(void)
{
    spt_i32 id;
    int step;
    smoke_set_bounds(&smoke_bounds);
    smoke_kind = SMOKE_LINEAR;
    if (smoke_init(smoke_ids) != SPT_OK) {
        smoke_check(0);
        return;
    }
    smoke_lists(smoke_ids * 6); /* integers for each, while it is searched for */
    for (id = 0; id < smoke_ids; id++) {
        smoke_draw_box(&smoke_box);
        smoke_check(spt_insert(&smoke_x, id, &smoke_box) == SPT_OK);
    }
    for (step = 0; step < smoke_steps / 4; step++) smoke_search_step(step);
#ifdef SMOKE_SHAPES
    if (!smoke_large) smoke_shapes();
#endif
    smoke_box.max_x = smoke_box.min_x - 1;
    smoke_check(spt_nearest(&smoke_x, &smoke_box, 1L, SPT_NO_LIMIT, NULL, &smoke_found) ==
                SPT_ERR_BOX);
    smoke_check(spt_intlist_count(&smoke_found) == 0);
    smoke_lists_free();
    spt_free(&smoke_x);
}

#endif

/* --- index ------------------------------------------------------------------------------------ */

#ifndef SMOKE_NO_INDEX

#define SMOKE_FEW 8L /* ids */

static int smoke_add(void *ctx, spt_i32 id, const spt_box *box) SPT_CALLBACK
{
    *(spt_i32 *)ctx += (id + 1) * SMOKE_NUMBER(box->max_x);
    return 0;
}

static int smoke_stop(void *ctx, const spt_box *box, int level, spt_i32 count) SPT_CALLBACK
{
    (void)ctx, (void)box, (void)level, (void)count;
    return 7;
}

/* Takes in the numbers of a list in a way that does not depend on their order: structures differ
   in it. */
static void smoke_mix_set(const spt_intlist *list, spt_i32 n)
{
    spt_i32 sum = 0, i;
    for (i = 0; i < spt_intlist_count(list); i++)
        sum += (1 + spt_intlist_get(list, i, 0L)) * (11 + 5 * spt_intlist_get(list, i, 1L));
    smoke_mix(n);
    smoke_mix(sum);
}

/* A staircase of boxes, each of which touches the one before. */
static void smoke_set_stair(spt_box *box, spt_i32 id)
{
    smoke_set_box(box, 2 * (int)id - 6, (int)id, 2, 1);
}

static void smoke_index_changes(void)
{
    spt_i32 sum = 0, id;
    for (id = 0; id < SMOKE_FEW; id++) {
        smoke_set_stair(&smoke_box, id);
        smoke_mix_int(spt_insert(&smoke_x, id, &smoke_box));
        smoke_mix_int(spt_insert(&smoke_x, id, &smoke_box));
    }
    smoke_mix_set(&smoke_pairs, spt_pairs(&smoke_x, NULL, &smoke_pairs));
    smoke_mix_set(&smoke_found, spt_query(&smoke_x, &smoke_box, NULL, &smoke_found));
    smoke_set_box(&smoke_box, -6, 0, 12, 1);
    smoke_mix_int(spt_move(&smoke_x, SMOKE_FEW - 1, &smoke_box));
    smoke_mix_int(spt_remove(&smoke_x, 1L));
    smoke_mix_int(spt_remove(&smoke_x, 1L));
    spt_tidy(&smoke_x);
    smoke_set_box(&smoke_box, -6, 0, 0, 1);
    smoke_mix_set(&smoke_found, spt_query(&smoke_x, &smoke_box, NULL, &smoke_found));
    smoke_set_box(&smoke_box, -smoke_half, 5, 2 * smoke_half, 0);
    smoke_mix_int(spt_visit(&smoke_x, &smoke_box, NULL, smoke_add, &sum));
    smoke_mix(sum);
}

/* After them all elements are new. */
static void smoke_index_build(void)
{
    static spt_box stairs[SMOKE_FEW];
    spt_i32 id;
    for (id = 0; id < SMOKE_FEW; id++) smoke_set_stair(&stairs[(int)id], id);
    smoke_mix_int(spt_build(&smoke_x, stairs, SMOKE_FEW));
    smoke_check(spt_build(&smoke_x, stairs, SMOKE_FEW + 1) == SPT_ERR_FULL);
    smoke_mix(spt_count(&smoke_x));
    smoke_set_box(&smoke_box, -3, 1, 5, 2);
    smoke_mix_set(&smoke_found, spt_query(&smoke_x, &smoke_box, NULL, &smoke_found));
    smoke_check(spt_check(&smoke_x));
}

static void smoke_index_calls(void)
{
    static spt_i32 first[2]; /* 1 is not there */
    smoke_lists(SMOKE_FEW);
    smoke_index_changes();
    smoke_check(spt_traverse(&smoke_x, smoke_stop, NULL) == 7);
    smoke_mix_int(spt_contains(&smoke_x, 1L));
    smoke_mix_int(spt_contains(&smoke_x, 2L));
    smoke_mix_int(spt_box_of(&smoke_x, 2L, &smoke_other));
    smoke_mix(SMOKE_NUMBER(smoke_other.max_x));
    smoke_mix(spt_count(&smoke_x));
    first[0] = 0, first[1] = 1;
    smoke_check(spt_move_many(&smoke_x, first, &smoke_box, 2L) == 1);
    smoke_check(spt_box_of(&smoke_x, 0L, &smoke_other) == SPT_OK);
    smoke_check(SMOKE_NUMBER(smoke_other.max_x) == SMOKE_NUMBER(smoke_box.max_x));
    smoke_check(spt_bytes(&smoke_x) > 0 && spt_check(&smoke_x));
    smoke_index_build();
    spt_clear(&smoke_x);
    smoke_mix(spt_count(&smoke_x));
    smoke_lists_free();
    spt_free(&smoke_x);
}

/* The same calls to each structure that is there; all must give the same results. */
static void smoke_index(void)
{
    spt_u32 hash = 0;
    int result;
    smoke_set_bounds(&smoke_bounds);
    for (smoke_kind = SMOKE_LINEAR; smoke_kind <= SMOKE_LOOSEGRID; smoke_kind++) {
        result = smoke_init(SMOKE_FEW);
        smoke_check(result == SPT_OK || result == SPT_ERR_ARGUMENT);
        if (result != SPT_OK) continue; /* it was left out */
        smoke_begin_hash();
        smoke_index_calls();
        smoke_check(hash == 0 || hash == smoke_hash);
        hash = smoke_hash;
    }
    smoke_check(hash != 0);
}

#endif

/* --- contacts --------------------------------------------------------------------------------- */

#ifndef SMOKE_NO_CONTACTS

#define SMOKE_TOUCHING 24 /* pairs, of half as many ids */

static spt_contacts smoke_contacts_of;
static spt_intlist smoke_ended, smoke_near;

/* Draws pairs; of one of two ids, unless that is NULL. */
static void smoke_draw_pairs(const spt_i32 *of)
{
    static spt_i32 pair[2];
    int id, other;
    spt_intlist_clear(&smoke_pairs);
    for (other = SMOKE_TOUCHING / 2 - 1; other > 0; other--)
        for (id = 0; id < other && spt_intlist_count(&smoke_pairs) < SMOKE_TOUCHING; id++) {
            pair[0] = (spt_i32)id, pair[1] = (spt_i32)other;
            if (of && pair[0] != of[0] && pair[0] != of[1] && pair[1] != of[0] && pair[1] != of[1])
                continue;
            if (smoke_draw(4) > 0) continue;
            smoke_check(spt_intlist_push(&smoke_pairs, pair) >= 0);
        }
}

static void smoke_contacts_step(int step)
{
    static spt_i32 moved[2];
    moved[0] = (spt_i32)smoke_draw(12), moved[1] = (spt_i32)smoke_draw(12);
    smoke_draw_pairs(step % 4 == 0 ? NULL : moved);
    if (step % 4 == 0)
        smoke_mix(
            spt_contacts_update(&smoke_contacts_of, &smoke_pairs, &smoke_found, &smoke_ended));
    else
        smoke_mix(spt_contacts_update_of(&smoke_contacts_of, moved, 2L, &smoke_pairs, &smoke_found,
                                         &smoke_ended));
    smoke_mix_records(&smoke_found);
    smoke_mix_records(&smoke_ended);
    smoke_mix_int(spt_contacts_has(&smoke_contacts_of, moved[0], moved[1]));
    smoke_mix(spt_contacts_of(&smoke_contacts_of, moved[0], &smoke_near));
    smoke_mix_records(&smoke_near);
    smoke_mix(spt_contacts_forget(&smoke_contacts_of, (spt_i32)smoke_draw(14), &smoke_ended));
    smoke_mix_records(&smoke_ended);
    smoke_check(spt_contacts_check(&smoke_contacts_of));
}

#ifdef SMOKE_CONSTANTS
typedef unsigned char smoke_contacts_room[SPT_CONTACTS_BYTES(100, 50)]; /* a constant */
#endif

static void smoke_contacts(void)
{
    static spt_contacts_desc desc;
    int step;
    desc.capacity = SMOKE_TOUCHING;
    desc.ids = 6 * SMOKE_TOUCHING; /* for some of the updates the scratch memory suffices */
    desc.allocator = smoke_allocator;
    smoke_check(spt_contacts_init(&smoke_contacts_of, &desc) == SPT_OK);
    smoke_check(spt_contacts_bytes(&smoke_contacts_of) == spt_contacts_bytes_for(&desc));
    smoke_check(spt_intlist_init_with(&smoke_pairs, 2L, &smoke_allocator) == SPT_OK);
    smoke_check(spt_intlist_init_with(&smoke_found, 2L, &smoke_allocator) == SPT_OK);
    smoke_check(spt_intlist_init_with(&smoke_ended, 2L, &smoke_allocator) == SPT_OK);
    smoke_check(spt_intlist_init_with(&smoke_near, 1L, &smoke_allocator) == SPT_OK);
    smoke_check(spt_intlist_reserve(&smoke_pairs, (spt_i32)SMOKE_TOUCHING) == SPT_OK);
    smoke_check(spt_intlist_reserve(&smoke_found, (spt_i32)SMOKE_TOUCHING) == SPT_OK);
    smoke_check(spt_intlist_reserve(&smoke_ended, (spt_i32)SMOKE_TOUCHING) == SPT_OK);
    smoke_check(spt_intlist_reserve(&smoke_near, (spt_i32)SMOKE_TOUCHING) == SPT_OK);
    for (step = 0; step < smoke_steps / 8; step++) smoke_contacts_step(step);
    smoke_mix(spt_contacts_count(&smoke_contacts_of));
    smoke_used = smoke_arena.used;
    spt_intlist_free(&smoke_near);
    spt_intlist_free(&smoke_ended);
    spt_intlist_free(&smoke_found);
    spt_intlist_free(&smoke_pairs);
    spt_contacts_free(&smoke_contacts_of);
    smoke_check(smoke_arena.used == 0);
}

#endif

/* --- neighbours ------------------------------------------------------------------------------- */

#ifndef SMOKE_NO_NEIGHBOURS

#define SMOKE_FLOCK 16

static spt_coord smoke_flock[2 * SMOKE_FLOCK];

#ifdef SMOKE_CONSTANTS
typedef unsigned char smoke_neighbours_room[SPT_NEIGHBOURS_BYTES(100)]; /* a constant */
#endif

/* Neighbours of points, then pairs. wraps: 1 if the plane does, from side to side. */
static void smoke_neighbours_of(int wraps)
{
    static spt_neighbours_desc desc;
    static spt_neighbours flock;
    int step, i;
    desc.capacity = SMOKE_FLOCK;
    desc.period_x = SMOKE_AT(wraps ? 2 * smoke_half : 0);
    desc.allocator = smoke_allocator;
    smoke_check(spt_neighbours_init(&flock, &desc) == SPT_OK);
    smoke_check(spt_neighbours_bytes(&flock) == spt_neighbours_bytes_for(&desc));
    smoke_check(spt_intlist_init_with(&smoke_pairs, 2L, &smoke_allocator) == SPT_OK);
    smoke_check(spt_intlist_init_with(&smoke_found, 1L, &smoke_allocator) == SPT_OK);
    smoke_check(spt_intlist_reserve(&smoke_pairs, (spt_i32)(4 * SMOKE_FLOCK)) == SPT_OK);
    smoke_check(spt_intlist_reserve(&smoke_found, (spt_i32)(8 * SMOKE_FLOCK)) == SPT_OK);
    for (step = 0; step < smoke_steps / 8; step++) {
        for (i = 0; i < 2 * SMOKE_FLOCK; i++)
            smoke_flock[i] = SMOKE_AT(smoke_draw(2 * smoke_half) - smoke_half);
        smoke_mix(spt_neighbours_find(&flock, smoke_flock, smoke_flock + 1, 2 * sizeof(spt_coord),
                                      (spt_i32)SMOKE_FLOCK, SMOKE_AT(smoke_half / 4), &smoke_pairs,
                                      &smoke_found));
        smoke_mix_records(&smoke_pairs);
        smoke_mix_records(&smoke_found);
        smoke_mix(spt_neighbours_pairs(&flock, smoke_flock, smoke_flock + 1, 2 * sizeof(spt_coord),
                                       (spt_i32)SMOKE_FLOCK, SMOKE_AT(smoke_half / 4),
                                       &smoke_pairs));
        smoke_mix_records(&smoke_pairs);
    }
    smoke_used = smoke_arena.used;
    spt_intlist_free(&smoke_found);
    spt_intlist_free(&smoke_pairs);
    spt_neighbours_free(&flock);
    smoke_check(smoke_arena.used == 0);
}

static void smoke_neighbours(void)
{
    smoke_neighbours_of(0);
    smoke_neighbours_of(1);
}

#endif

/* --- output ----------------------------------------------------------------------------------- */

static void smoke_put(const char *text)
{
    for (; *text; text++) (void)SMOKE_PUTC(*text);
}

static void smoke_put_hex(spt_u32 value)
{
    int shift, digit;
    for (shift = 28; shift >= 0; shift -= 4) {
        digit = (int)((value >> shift) & 15UL);
        (void)SMOKE_PUTC(digit < 10 ? '0' + digit : 'A' + (digit - 10));
    }
}

static void smoke_put_number(spt_u32 value)
{
    spt_u32 unit = 1;
    while (value / unit >= 10) unit *= 10;
    for (; unit > 0; unit /= 10) (void)SMOKE_PUTC('0' + (int)(value / unit % 10));
    (void)SMOKE_PUTC('\n');
}

static void smoke_section(const char *name, void (*run)(void))
{
    spt_arena_init(&smoke_arena, smoke_memory, sizeof smoke_memory, &smoke_allocator);
    smoke_used = 0;
    smoke_begin_hash();
    smoke_seed = 1;
    run();
    smoke_all ^= smoke_hash;
    smoke_put(smoke_large ? "large " : "small ");
    smoke_put(name);
    smoke_put(" ");
    smoke_put_hex(smoke_hash);
    smoke_put(" ");
    smoke_put_number((spt_u32)smoke_used);
}

#ifdef SMOKE_STRUCTURES
static void smoke_structure_section(const char *name, int kind)
{
    smoke_kind = kind;
    smoke_section(name, smoke_structure);
}
#endif

static void smoke_sections(void)
{
#ifndef SMOKE_NO_INTLIST
    smoke_section("intlist", smoke_intlist);
#endif
#ifndef SMOKE_NO_MORTON
    smoke_section("morton", smoke_morton);
#endif
#ifndef SMOKE_NO_BROADPHASE
    smoke_section("broadphase", smoke_broadphase);
#endif
#ifdef SMOKE_KEEPERS
    smoke_no_pairs = 1;
#endif
#ifndef SMOKE_NO_LINEAR
    smoke_structure_section("linear", SMOKE_LINEAR);
#endif
#ifndef SMOKE_NO_PAIRS
    smoke_no_pairs = 0;
    if (!smoke_large) smoke_ids = 12; /* the scratch of pairs leaves no room for more */
    smoke_structure_section("pairs", SMOKE_LINEAR);
    smoke_no_pairs = 1;
    if (!smoke_large) smoke_ids = 16;
#endif
#ifndef SMOKE_NO_QUADTREE
    if (!smoke_large) smoke_ids = 8; /* a node takes 720 bytes */
    smoke_structure_section("quadtree", SMOKE_QUADTREE);
    if (!smoke_large) smoke_ids = 16;
#endif
#ifndef SMOKE_NO_LOOSEGRID
    if (!smoke_large) smoke_ids = 8;
    smoke_structure_section("loosegrid", SMOKE_LOOSEGRID);
    if (!smoke_large) smoke_ids = 16;
#endif
#ifndef SMOKE_NO_PACKED
    smoke_section("packed", smoke_packed);
#endif
#ifndef SMOKE_NO_INDEX
    smoke_section("index", smoke_index);
#endif
#ifndef SMOKE_NO_SEARCH
    if (!smoke_large) smoke_ids = 12; /* a list of answers takes more room */
    smoke_section("search", smoke_search);
    if (!smoke_large) smoke_ids = 16;
#endif
#ifndef SMOKE_NO_CONTACTS
    smoke_section("contacts", smoke_contacts);
#endif
#ifndef SMOKE_NO_NEIGHBOURS
    smoke_section("neighbours", smoke_neighbours);
#endif
}

int SMOKE_MAIN(void)
{
    smoke_boxes = 20;
    smoke_ids = 16;
    smoke_steps = 128;
    smoke_rare = 16;
    smoke_half = 32;
    smoke_sizes = 4;
    smoke_sections();
#ifdef SMOKE_LARGE
    smoke_large = 1;
    smoke_boxes = 500;
    smoke_ids = 500;
    smoke_steps = 2000;
    smoke_rare = 250;
    smoke_half = 1024;
    smoke_sizes = 8;
    smoke_sections();
#endif
    smoke_put("all ");
    smoke_put_hex(smoke_all);
    smoke_put("\nend ");
    smoke_put_number((spt_u32)smoke_failed);
    return smoke_failed != 0;
}
