/* oracle.h - a naive model of every structure: an array of boxes, some of them there, some not.

   Random calls go to the structure and to the model; every value returned is compared, every result
   set is compared with brute force, and the structure checks itself every so many steps. The random
   decisions come from the generator of test.h or from the bytes of a fuzzer.

       oracle o;
       oracle_setup setup = {&oracle_worlds[0], "linear", 5, 64, 0, {NULL, NULL}, NULL};
       oracle_open(&o, &setup);  oracle_run(&o, 10000);  oracle_close(&o);

   Coordinates come from small sets, so that edges touch and boxes coincide, and lie on the borders
   of cells; worlds are not square and do not begin at 0. */
#ifndef ORACLE_H
#define ORACLE_H

#include "brute.h"
#include "test.h"

/* ---- Lists ----------------------------------------------------------------------------------- */

/* The same results in the same order? */
static inline int same_results(const spt_intlist *a, const spt_intlist *b)
{
    size_t integers = (size_t)spt_intlist_count(a) * (size_t)a->fields;
    return a->fields == b->fields && spt_intlist_count(a) == spt_intlist_count(b) &&
           memcmp(spt_intlist_data(a), spt_intlist_data(b), integers * sizeof(spt_i32)) == 0;
}

/* ---- Worlds ---------------------------------------------------------------------------------- */

typedef struct oracle_world {
    const char *name;
    double min_x, min_y, max_x, max_y; /* the bounds */
    int steps;   /* edges lie on the lines that divide the world in so many parts */
    int largest; /* the usual size of a box is 0 .. largest parts */
    int fine;    /* percent of the boxes whose edges lie anywhere between the lines */
    int outside; /* percent of the boxes that may lie outside the bounds, up to a world away */
    int special; /* percent of the boxes that are none of the above: see oracle_special_box */
    int crowded; /* percent of the edges that lie in a 512th of the world */
} oracle_world;

static const oracle_world oracle_worlds[] = {
    {"square", 0, 0, 1024, 1024, 32, 3, 30, 5, 10, 0},
    {"wide", -300, 40, 1700, 240, 40, 4, 50, 5, 10, 0},
    {"tall", 17, -2000, 117, -500, 25, 3, 50, 5, 10, 0},
    {"negative", -5000, -3000, -4000, -2500, 64, 4, 20, 10, 5, 0},
    {"touching", 0, 0, 64, 32, 8, 2, 0, 0, 0, 0},
    {"points", -8, -8, 8, 24, 16, 0, 0, 10, 0, 0},
    {"crossing crowds", 0, 0, 1048576, 1048576, 4096, 3, 50, 5, 5, 75},
    {"road and land", -1000000, -70, 3000000, 70, 8192, 5, 60, 10, 10, 85},
    {"one place", 100, 100, 200, 300, 1, 0, 0, 0, 20, 0},
    {"big boxes", -64, -64, 64, 64, 16, 12, 20, 20, 20, 0},
    {"outsiders", 1000, 2000, 1100, 2020, 20, 5, 20, 90, 30, 0},
    {"far away", 16777000, -16777300, 16777100, -16777100, 50, 5, 50, 10, 10, 0},
    {"long", 0, -1, 1000000, 1, 1000, 10, 50, 5, 10, 0},
    {"corridor", -3000, 0, 17000, 20, 500, 10, 50, 5, 40, 0},
    {"shaft", 5, -90000, 10, 10000, 1000, 100, 50, 5, 40, 0},
#ifdef SPATIAL_INT
    {"all integers", INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX, 1000, 30, 50, 10, 10, 0},
    {"two by three", -1, 5, 1, 8, 3, 1, 0, 20, 10, 0},
    {"high corner", 2147483000.0, 2147483600.0, INT32_MAX, INT32_MAX, 20, 3, 50, 20, 10, 0},
#else
    {"half of all numbers", -0.5 * (double)COORD_MAX, -0.5 * (double)COORD_MAX,
     0.5 * (double)COORD_MAX, 0.5 * (double)COORD_MAX, 1000, 30, 50, 10, 10, 0},
    {"huge", -1e30, 1e29, 1e30, 4e29, 100, 5, 50, 10, 10, 0},
    {"small", -0.001, 0.25, 0.001, 0.2501, 32, 3, 50, 10, 10, 0},
    {"minute", -1e-38, 1e-38, 1e-38, 3e-38, 16, 3, 50, 10, 10, 0},
    {"denormal", 0, -4e-45, 3e-44, 4e-45, 8, 2, 20, 20, 10, 0},
#endif
};

#define ORACLE_WORLDS ((int)(sizeof oracle_worlds / sizeof oracle_worlds[0]))

/* ---- Cells ----------------------------------------------------------------------------------- */

#define ORACLE_STOP 4711 /* what a callback stops with */

typedef struct oracle_cells {
    spt_i32 elements, cells, stop_at;
} oracle_cells;

static inline int oracle_on_cell(void *ctx, const spt_box *box, int level, spt_i32 count)
{
    oracle_cells *cells = (oracle_cells *)ctx;
    CHECK(brute_valid(box) && level >= 0 && count >= 0);
    cells->elements += count;
    cells->cells++;
    return cells->cells == cells->stop_at ? ORACLE_STOP : 0;
}

#ifdef SPTI_INDEX
/* ---- Lanes ----------------------------------------------------------------------------------- */

/* 1 if a lane has just this box, or is not in use and there is none. */
static inline int oracle_lane_is(const spti_node *n, int lane, const spt_box *box)
{
    spt_box has;
    if (!(n->used >> lane & 1)) return !brute_valid(box);
    spti_eight_box(n->lanes, lane, &has);
    return brute_valid(box) && spti_box_holds(&has, box) && spti_box_holds(box, &has);
}

/* How many lanes are larger than their contents need. */
static inline int oracle_loose_lanes(const spt_index *x)
{
    spt_box around, box;
    spt_i32 node;
    int k, i, n, loose = 0;
    for (node = 0; node < x->node_count; node++) {
        const spti_node *at = &x->nodes[node];
        if (at->above == SPT_NONE) continue; /* a free one */
        for (k = 0; k < SPTI_CHILDREN; k++) {
            const spti_chunk *c;
            spti_chain rest = at->chain[k];
            spti_box_clear(&around);
            while ((c = spti_chain_next(x, &rest, &n)) != NULL)
                for (i = 0; i < n; i++) {
                    spti_eight_box(&c->boxes, i, &box);
                    spti_box_add(&around, &box);
                }
            loose += !oracle_lane_is(at, k, &around);
            spti_box_clear(&around);
            if (at->below[k] != SPT_NONE) spti_lanes_around(&x->nodes[at->below[k]], &around);
            loose += !oracle_lane_is(at, SPTI_LANE_BELOW(k), &around);
        }
    }
    return loose;
}

/* ---- The model ------------------------------------------------------------------------------- */

static int oracle_fits; /* the worlds that are opened fit themselves; else they keep their bounds */

#define ORACLE_IDS 512
#define ORACLE_NO_ID (1 << 29) /* the first number that is above the limits of an id */
#ifdef SPATIAL_INT
#define ORACLE_END 65536 /* of a motion */
#else
#define ORACLE_END 1
#endif

typedef struct oracle_setup {
    const oracle_world *world;
    const char *structure; /* a name of oracle_structures or oracle_others */
    int levels;            /* of cells; 0: default */
    spt_i32 ids;           /* random ids are 0 .. ids-1; 2 .. ORACLE_IDS */
    spt_i32 capacity;      /* 0: grows */
    spt_allocator allocator; /* of the structure */
    test_memory *memory;     /* behind allocator and result lists if they are to fail; else NULL */
} oracle_setup;

typedef struct oracle {
    spt_index index;
    const oracle_world *world;
    spt_i32 ids, capacity;
    test_memory *memory;
    spt_i32 count; /* of elements that are there */
    spt_box boxes[ORACLE_IDS];
    unsigned char there[ORACLE_IDS];
    int shrinking;  /* the population goes up and down */
    int only_built; /* insert, move, move_many and remove are refused: packed */
    spt_intlist found, pairs;
    unsigned char wanted[ORACLE_IDS]; /* what is to be found and was not told yet */
    const spt_filter *filter;         /* of all questions, or NULL: all is asked for */
    spt_filter own_filter;            /* see oracle_draw_filter */
    spt_u32 categories[ORACLE_IDS], masks[ORACLE_IDS];
    spt_i32 except[3];
    const unsigned char *bytes, *bytes_end; /* decisions of a fuzzer, or NULL */
} oracle;

/* A decision: 0 .. n-1. A fuzzer's bytes that have run out are zeros. */
static inline int oracle_draw(oracle *o, int n)
{
    unsigned value = 0;
    if (!o->bytes) return test_below(n);
    if (o->bytes < o->bytes_end) value = *o->bytes++;
    if (n > 256 && o->bytes < o->bytes_end) value = value << 8 | *o->bytes++;
    return (int)(value % (unsigned)n);
}

static inline int oracle_chance(oracle *o, int percent)
{
    return oracle_draw(o, 100) < percent;
}

/* The edge that lies part/parts of the way from low to high; beyond them where part is. Written so
   that nothing overflows in between, and that the same place always gives the same number. */
static inline spt_coord oracle_edge(double low, double high, int part, int parts)
{
    double way = (double)part / parts;
    return coord_of(low * (1 - way) + high * way);
}

/* Both edges of a box along one axis. */
static inline void oracle_edges(oracle *o, double low, double high, int size, spt_coord *min,
                                spt_coord *max)
{
    int parts = o->world->steps, from, to, fine = 1;
    if (oracle_chance(o, 20)) parts = 1 << oracle_draw(o, 9); /* the border of a cell */
    from = oracle_draw(o, parts + 1);
    if (o->world->crowded && oracle_chance(o, o->world->crowded)) from %= parts / 512 + 1;
    if (oracle_chance(o, o->world->outside)) from += (oracle_draw(o, 3) - 1) * parts;
    to = from + size;
    if (oracle_chance(o, o->world->fine)) fine = 256;
    from *= fine;
    to *= fine;
    if (fine > 1) {
        from += oracle_draw(o, fine);
        to = from + (size ? oracle_draw(o, size * fine) : 0);
    }
    *min = oracle_edge(low, high, from, parts * fine);
    *max = oracle_edge(low, high, to, parts * fine);
}

/* Boxes that break something: as large as the world, infinite, on its middle, on another box. */
static inline void oracle_special_box(oracle *o, spt_box *box)
{
    const oracle_world *world = o->world;
    const spt_box *other = &o->boxes[oracle_draw(o, (int)o->ids)];
    switch (oracle_draw(o, 13)) {
    case 0: *box = box_of(world->min_x, world->min_y, world->max_x, world->max_y); break;
    case 1: box->min_x = COORD_LOW; break;
    case 2: box->max_x = COORD_HIGH; break;
    case 3: box->min_y = COORD_LOW; break;
    case 4: box->max_y = COORD_HIGH; break;
    case 5: box->min_x = COORD_LOW, box->max_x = COORD_HIGH; break;
    case 6: box->min_y = COORD_LOW, box->max_y = COORD_HIGH; break;
    case 7:
        box->min_x = box->min_y = COORD_LOW;
        box->max_x = box->max_y = COORD_HIGH;
        break;
    case 8: box->min_x = box->max_x = oracle_edge(world->min_x, world->max_x, 1, 2); break;
    case 9: box->min_y = box->max_y = oracle_edge(world->min_y, world->max_y, 1, 2); break;
    case 10: *box = *other; break; /* coincides with it */
    case 11: /* as high as it is wide: in an oblong world across many cells, or within one */
        box->max_y = coord_of((double)box->min_y + (double)box->max_x - (double)box->min_x);
        break;
    default: box->min_x = box->max_x = other->max_x; break; /* touches it */
    }
}

static inline spt_box oracle_random_box(oracle *o)
{
    const oracle_world *world = o->world;
    int largest = oracle_chance(o, 50) ? world->largest : 1, size;
    spt_box box;
    if (largest > world->largest) largest = world->largest;
    size = oracle_draw(o, largest + 1);
    oracle_edges(o, world->min_x, world->max_x, size, &box.min_x, &box.max_x);
    size = oracle_draw(o, largest + 1);
    oracle_edges(o, world->min_y, world->max_y, size, &box.min_y, &box.max_y);
    if (oracle_chance(o, world->special)) oracle_special_box(o, &box);
    if (!brute_valid(&box)) box = box_of(world->min_x, world->min_y, world->max_x, world->max_y);
    return box;
}

/* ---- Opening and closing --------------------------------------------------------------------- */

static inline spt_box oracle_bounds(const oracle_world *world)
{
    return box_of(world->min_x, world->min_y, world->max_x, world->max_y);
}

#ifndef SPATIAL_NO_LINEAR
/* The deepest trees take 180 MB and are left to machines that are fast. */
static inline int oracle_deepest(void)
{
    return test.divisor == 1 ? SPT_LINEAR_MAX_LEVELS : 9;
}

/* A linear tree with so many levels in use, or with all that it has if these are fewer; 0: all. */
static inline int oracle_make_grids(oracle *o, const oracle_setup *setup, int grids)
{
    int most = setup->levels ? setup->levels / 2 + 1 : 1; /* the default may be one */
    spt_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.bounds = oracle_bounds(setup->world);
    desc.levels = setup->levels;
    desc.grids = grids < most ? grids : most;
    desc.capacity = setup->capacity;
    desc.keep_bounds = !oracle_fits;
    desc.allocator = setup->allocator;
    return spt_linear_init(&o->index, &desc);
}

static inline int oracle_make_linear(oracle *o, const oracle_setup *setup)
{
    return oracle_make_grids(o, setup, 0);
}

static inline int oracle_make_uniform_grid(oracle *o, const oracle_setup *setup)
{
    return oracle_make_grids(o, setup, 1);
}

static inline int oracle_make_three_grids(oracle *o, const oracle_setup *setup)
{
    return oracle_make_grids(o, setup, 3);
}
#endif

#ifndef SPATIAL_NO_QUADTREE
/* With more levels, smaller leaves, so that few elements make a deep tree. */
static inline int oracle_make_quadtree(oracle *o, const oracle_setup *setup)
{
    spt_quadtree_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.bounds = oracle_bounds(setup->world);
    desc.max_depth = setup->levels;
    desc.leaf_capacity = setup->levels ? 1 + 12 / setup->levels : 0;
    desc.capacity = setup->capacity;
    desc.keep_bounds = !oracle_fits;
    desc.allocator = setup->allocator;
    return spt_quadtree_init(&o->index, &desc);
}
#endif

#ifdef SPTI_GRIDS
/* Cells such that the longer side of the world has 2^levels of them. */
static inline int oracle_make_cells(oracle *o, const oracle_setup *setup,
                                    int (*init)(spt_index *, const spt_linear_desc *))
{
    const oracle_world *world = setup->world;
    double width = world->max_x - world->min_x, height = world->max_y - world->min_y;
    double longer = width > height ? width : height;
    spt_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.bounds = oracle_bounds(world);
    desc.cell = coord_of(longer / (1 << (setup->levels ? setup->levels : 4)));
    if (!(desc.cell > 0)) desc.cell = coord_of(longer); /* smaller than the least number */
    if (desc.cell >= COORD_HIGH) desc.cell = COORD_HIGH / 2; /* half of all integers */
    if (!setup->levels && setup->capacity) desc.cell = 0;
    desc.capacity = setup->capacity;
    desc.keep_bounds = !oracle_fits;
    desc.allocator = setup->allocator;
    return init(&o->index, &desc);
}
#endif

#ifndef SPATIAL_NO_LOOSEGRID
static inline int oracle_make_loosegrid(oracle *o, const oracle_setup *setup)
{
    return oracle_make_cells(o, setup, spt_loosegrid_init);
}
#endif

#ifndef SPATIAL_NO_LINEAR
static inline int oracle_make_sized(oracle *o, const oracle_setup *setup)
{
    return oracle_make_cells(o, setup, spt_linear_init);
}
#endif

#ifndef SPATIAL_NO_PACKED
static inline int oracle_make_packed(oracle *o, const oracle_setup *setup)
{
    spt_packed_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.capacity = setup->capacity;
    desc.allocator = setup->allocator;
    o->only_built = 1;
    return spt_packed_init(&o->index, &desc);
}
#endif

typedef struct oracle_structure {
    const char *name;
    const char *kind; /* what spt_kind calls it */
    int (*make)(oracle *, const oracle_setup *);
} oracle_structure;

/* The structures whose elements come, go and move, as far as the program has not left them out; and
   behind the last one nothing, for there may be none. */
static const oracle_structure oracle_structures[] = {
#ifndef SPATIAL_NO_LINEAR
    {"linear", "linear", oracle_make_linear},
#endif
#ifndef SPATIAL_NO_QUADTREE
    {"quadtree", "quadtree", oracle_make_quadtree},
#endif
#ifndef SPATIAL_NO_LOOSEGRID
    {"loosegrid", "loosegrid", oracle_make_loosegrid},
#endif
    {NULL, NULL, NULL},
};

#define ORACLE_STRUCTURES ((int)(sizeof oracle_structures / sizeof oracle_structures[0]) - 1)

/* The others: variations of them, and the one that is only built. */
static const oracle_structure oracle_others[] = {
#ifndef SPATIAL_NO_LINEAR
    {"uniform grid", "linear", oracle_make_uniform_grid},
    {"three grids", "linear", oracle_make_three_grids},
    {"cells of a size", "linear", oracle_make_sized},
#endif
#ifndef SPATIAL_NO_PACKED
    {"packed", "packed", oracle_make_packed},
#endif
    {NULL, NULL, NULL},
};

#define ORACLE_OTHERS ((int)(sizeof oracle_others / sizeof oracle_others[0]) - 1)

/* The structure of a number, the others behind the ones that change. */
static inline const oracle_structure *oracle_any_structure(int number)
{
    return number < ORACLE_STRUCTURES ? &oracle_structures[number]
                                      : &oracle_others[number - ORACLE_STRUCTURES];
}

#define ORACLE_ALL (ORACLE_STRUCTURES + ORACLE_OTHERS)

static inline const oracle_structure *oracle_structure_of(const char *name)
{
    int i = 0;
    while (i < ORACLE_ALL && strcmp(name, oracle_any_structure(i)->name) != 0) i++;
    if (!CHECK(i < ORACLE_ALL)) exit(1);
    return oracle_any_structure(i);
}

/* Makes the structure. Returns what its init returned. */
static inline int oracle_make(oracle *o, const oracle_setup *setup)
{
    return oracle_structure_of(setup->structure)->make(o, setup);
}

/* A record that results have to replace. There may be no memory for it, if no room is inline. */
static inline void oracle_stain(spt_intlist *list)
{
    static const spt_i32 mark[2] = {-77, -78};
    spt_intlist_clear(list);
    CHECK(spt_intlist_push(list, mark) == 0 || SPATIAL_INTLIST_INLINE < 2);
}

/* Returns what the structure's init returned; on an error there is nothing to close. */
static inline int oracle_open(oracle *o, const oracle_setup *setup)
{
    const spt_allocator *lists = setup->memory ? &setup->allocator : NULL;
    int result;
    memset(o, 0, sizeof *o);
    o->world = setup->world;
    o->ids = setup->ids;
    o->capacity = setup->capacity;
    o->memory = setup->memory;
    result = oracle_make(o, setup);
    if (result != SPT_OK) return result;
    CHECK(strcmp(spt_kind(&o->index), oracle_structure_of(setup->structure)->kind) == 0);
    CHECK(spt_intlist_init_with(&o->found, 1, lists) == SPT_OK);
    CHECK(spt_intlist_init_with(&o->pairs, 2, lists) == SPT_OK);
    return SPT_OK;
}

/* The model alone, to be opened beside an index that the caller makes. */
static inline void oracle_open_without(oracle *o, const oracle_world *world, const char *structure,
                                       spt_i32 capacity)
{
    oracle_setup setup = {NULL, NULL, 0, ORACLE_IDS, 0, {NULL, NULL}, NULL};
    setup.world = world;
    setup.structure = structure;
    setup.capacity = capacity;
    if (capacity) setup.ids = capacity;
    CHECK(oracle_open(o, &setup) == SPT_OK);
    spt_free(&o->index);
}

static inline void oracle_close(oracle *o)
{
    spt_free(&o->index);
    spt_intlist_free(&o->found);
    spt_intlist_free(&o->pairs);
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static inline void oracle_compare_one(const oracle *o, spt_i32 id)
{
    spt_box box = {0, 0, 0, 0};
    int there = id >= 0 && id < ORACLE_IDS && o->there[id];
    int result = spt_box_of(&o->index, id, &box);
    CHECK(spt_contains(&o->index, id) == there);
    CHECK(result == (there ? SPT_OK : SPT_ERR_ID));
    if (result == SPT_OK && there) CHECK(same_box(&box, &o->boxes[id]));
    CHECK(spt_count(&o->index) == o->count);
}

/* All that can be seen from outside, and the structure's own check. */
static inline void oracle_compare(const oracle *o)
{
    spt_i32 id;
    for (id = -2; id < o->ids + 2; id++) oracle_compare_one(o, id);
    oracle_compare_one(o, INT32_MAX);
    oracle_compare_one(o, INT32_MIN);
    CHECK(spt_check(&o->index));
}

/* Whether a call only failed for lack of the memory that the test took away: then everything must
   be as before, the list for its results (or NULL) empty, and the call is to be made again. */
static inline int oracle_ran_out(const oracle *o, spt_i32 result, long failures,
                                 const spt_intlist *list)
{
    if (result != SPT_ERR_MEMORY || !o->memory || o->memory->failures == failures) return 0;
    oracle_compare(o);
    if (list) CHECK(spt_intlist_count(list) == 0);
    return 1;
}

static inline long oracle_failures(const oracle *o)
{
    return o->memory ? o->memory->failures : 0;
}

/* ---- Updates --------------------------------------------------------------------------------- */

static inline void oracle_insert(oracle *o, spt_i32 id, const spt_box *box)
{
    int result, expected = SPT_OK;
    long failures;
    if (o->only_built) expected = SPT_ERR_KIND;
    else if (!brute_valid(box)) expected = SPT_ERR_BOX;
    else if (id < 0 || id >= ORACLE_NO_ID) expected = SPT_ERR_ID;
    else if (id < ORACLE_IDS && o->there[id]) expected = SPT_ERR_EXISTS;
    else if (o->capacity && id >= o->capacity) expected = SPT_ERR_FULL;
    do {
        failures = oracle_failures(o);
        result = spt_insert(&o->index, id, box);
    } while (oracle_ran_out(o, result, failures, NULL));
    CHECK(result == expected);
    if (expected == SPT_OK && id >= 0 && id < ORACLE_IDS) {
        o->boxes[id] = *box;
        o->there[id] = 1;
        o->count++;
    }
    oracle_compare_one(o, id);
}

static inline int oracle_is_there(const oracle *o, spt_i32 id)
{
    return id >= 0 && id < ORACLE_IDS && o->there[id];
}

static inline void oracle_move(oracle *o, spt_i32 id, const spt_box *box)
{
    int result, expected = SPT_OK;
    long failures;
    if (o->only_built) expected = SPT_ERR_KIND;
    else if (!brute_valid(box)) expected = SPT_ERR_BOX;
    else if (!oracle_is_there(o, id)) expected = SPT_ERR_ID;
    do {
        failures = oracle_failures(o);
        result = spt_move(&o->index, id, box);
    } while (oracle_ran_out(o, result, failures, NULL));
    CHECK(result == expected);
    if (expected == SPT_OK) o->boxes[id] = *box;
    oracle_compare_one(o, id);
}

/* It may stop too early only for lack of the memory that the test took away, and then goes on from
   there. boxes: ORACLE_IDS of them. */
static inline void oracle_move_many(oracle *o, const spt_i32 *ids, const spt_box *boxes, spt_i32 n)
{
    spt_i32 done = 0, most = 0, result, k;
    long failures;
    if (o->only_built) {
        if (n > 0) CHECK(spt_move_many(&o->index, ids, boxes, n) == SPT_ERR_KIND);
        return;
    }
    while (most < n && oracle_is_there(o, ids[most]) && brute_valid(&boxes[ids[most]])) most++;
    do {
        failures = oracle_failures(o);
        result = spt_move_many(&o->index, ids + done, boxes, n - done);
        for (k = 0; k < result && CHECK(done < most); k++, done++)
            o->boxes[ids[done]] = boxes[ids[done]];
        if (result <= 0 && done < most) CHECK(oracle_ran_out(o, result, failures, NULL));
    } while (done < most && CHECK(oracle_failures(o) > failures));
    for (k = 0; k < n; k++) oracle_compare_one(o, ids[k]);
    if (most == n) return;
    result = spt_move_many(&o->index, ids + most, boxes, n - most);
    CHECK(result == (oracle_is_there(o, ids[most]) ? SPT_ERR_BOX : SPT_ERR_ID));
}

static inline void oracle_remove(oracle *o, spt_i32 id)
{
    int there = oracle_is_there(o, id), expected = there ? SPT_OK : SPT_ERR_ID;
    if (o->only_built) expected = SPT_ERR_KIND;
    CHECK(spt_remove(&o->index, id) == expected);
    if (expected == SPT_OK) {
        o->there[id] = 0;
        o->count--;
    }
    oracle_compare_one(o, id);
}

static inline void oracle_forget(oracle *o)
{
    memset(o->there, 0, sizeof o->there);
    o->count = 0;
}

static inline void oracle_clear(oracle *o)
{
    spt_clear(&o->index);
    oracle_forget(o);
    oracle_compare(o);
}

/* Only a quadtree may lose what it had when there is not enough memory: then it is empty. */
static inline void oracle_build(oracle *o, const spt_box *boxes, spt_i32 n)
{
    int result, expected = n < 0 ? SPT_ERR_ARGUMENT : SPT_OK;
    long failures;
    spt_i32 id;
    if (o->capacity && n > o->capacity) expected = SPT_ERR_FULL;
    for (id = 0; id < n; id++)
        if (!brute_valid(&boxes[id])) expected = SPT_ERR_BOX;
    do {
        failures = oracle_failures(o);
        result = spt_build(&o->index, boxes, n);
        if (result == SPT_ERR_MEMORY && spt_count(&o->index) == 0 &&
            strcmp(spt_kind(&o->index), "quadtree") == 0)
            oracle_forget(o);
    } while (oracle_ran_out(o, result, failures, NULL));
    CHECK(result == expected);
    if (expected == SPT_OK) {
        oracle_forget(o);
        o->count = n;
        if (n > 0) memcpy(o->boxes, boxes, (size_t)n * sizeof *boxes);
        for (id = 0; id < n; id++) o->there[id] = 1;
    }
    oracle_compare(o);
}

/* ---- Queries --------------------------------------------------------------------------------- */

static inline brute_set oracle_set(const oracle *o)
{
    brute_set set;
    set.boxes = o->boxes;
    set.there = o->there;
    set.n = o->ids;
    return set;
}

/* Makes these ids what is to be found. */
static inline void oracle_want(oracle *o, const spt_i32 *ids, spt_i32 count)
{
    memset(o->wanted, 0, sizeof o->wanted);
    while (count > 0) o->wanted[ids[--count]] = 1;
}

/* The same for all that overlaps a box. Returns how many. */
static inline spt_i32 oracle_want_query(oracle *o, const spt_box *box)
{
    spt_i32 ids[ORACLE_IDS], count = 0;
    brute_set set = oracle_set(o);
    if (brute_valid(box)) count = brute_query(&set, box, o->filter, ids);
    oracle_want(o, ids, count);
    return count;
}

/* Notes an id that was told: it must be wanted, and is not any more. */
static inline void oracle_note(oracle *o, spt_i32 id)
{
    if (!CHECK(id >= 0 && id < o->ids)) return;
    CHECK(o->wanted[id]);
    o->wanted[id] = 0;
}

/* The right number of different right ids is the right set. */
static inline void oracle_expect(oracle *o, spt_i32 result, spt_i32 expected)
{
    spt_i32 i;
    CHECK(result == expected);
    CHECK(spt_intlist_count(&o->found) == (expected > 0 ? expected : 0));
    for (i = 0; i < spt_intlist_count(&o->found); i++)
        oracle_note(o, spt_intlist_get(&o->found, i, 0));
}

/* The same in this order. */
static inline void oracle_expect_order(const oracle *o, spt_i32 result, const spt_i32 *ids,
                                       spt_i32 expected)
{
    spt_i32 i;
    CHECK(result == expected);
    CHECK(spt_intlist_count(&o->found) == (expected > 0 ? expected : 0));
    for (i = 0; i < spt_intlist_count(&o->found); i++)
        CHECK(spt_intlist_get(&o->found, i, 0) == ids[i]);
}

static inline void oracle_query(oracle *o, const spt_box *box)
{
    spt_i32 expected = oracle_want_query(o, box), result;
    long failures;
    do {
        failures = oracle_failures(o);
        oracle_stain(&o->found);
        result = spt_query(&o->index, box, o->filter, &o->found);
    } while (oracle_ran_out(o, result, failures, &o->found));
    oracle_expect(o, result, brute_valid(box) ? expected : SPT_ERR_BOX);
    CHECK(spt_query(&o->index, box, o->filter, NULL) == result); /* without a list only counts */
}

typedef struct oracle_visitor {
    oracle *o;
    spt_i32 calls, stop_at; /* the call that stops, counted from 1 */
} oracle_visitor;

static inline int oracle_on_visit(void *ctx, spt_i32 id, const spt_box *box)
{
    oracle_visitor *visitor = (oracle_visitor *)ctx;
    oracle_note(visitor->o, id);
    if (id >= 0 && id < visitor->o->ids) CHECK(same_box(box, &visitor->o->boxes[id]));
    if (visitor->calls < spt_intlist_count(&visitor->o->found)) /* the same order as query */
        CHECK(spt_intlist_get(&visitor->o->found, visitor->calls, 0) == id);
    return ++visitor->calls == visitor->stop_at ? ORACLE_STOP : 0;
}

/* After oracle_query of the same box: the same ids in the same order; stops where it is told. */
static inline void oracle_visit(oracle *o, const spt_box *box, spt_i32 stop_at)
{
    spt_i32 expected = oracle_want_query(o, box);
    int stops = stop_at >= 1 && stop_at <= expected, result;
    oracle_visitor visitor;
    visitor.o = o;
    visitor.calls = 0;
    visitor.stop_at = stop_at;
    result = spt_visit(&o->index, box, o->filter, oracle_on_visit, &visitor);
    if (!brute_valid(box)) CHECK(result == SPT_ERR_BOX);
    else CHECK(result == (stops ? ORACLE_STOP : 0));
    CHECK(visitor.calls == (stops ? stop_at : expected));
}

/* Each box as by oracle_query, and in the same order. */
static inline void oracle_query_many(oracle *o, const spt_box *boxes, spt_i32 n)
{
    spt_i32 result, at = 0, i, k;
    int valid = n >= 0;
    long failures;
    for (i = 0; i < n; i++) valid &= brute_valid(&boxes[i]);
    do {
        failures = oracle_failures(o);
        oracle_stain(&o->pairs);
        result = spt_query_many(&o->index, boxes, n, o->filter, &o->pairs);
    } while (oracle_ran_out(o, result, failures, &o->pairs));
    for (i = 0; valid && i < n; i++) {
        oracle_query(o, &boxes[i]);
        for (k = 0; k < spt_intlist_count(&o->found); k++, at++) {
            CHECK(spt_intlist_get(&o->pairs, at, 0) == i);
            CHECK(spt_intlist_get(&o->pairs, at, 1) == spt_intlist_get(&o->found, k, 0));
        }
    }
    CHECK(result == (valid ? at : n < 0 ? SPT_ERR_ARGUMENT : SPT_ERR_BOX));
    CHECK(spt_intlist_count(&o->pairs) == at);
    CHECK(spt_query_many(&o->index, boxes, n, o->filter, NULL) == result);
}

static inline void oracle_within(oracle *o, const spt_box *box, spt_coord distance)
{
    spt_i32 ids[ORACLE_IDS], expected = 0, result;
    brute_set set = oracle_set(o);
    int valid = brute_valid(box) && distance >= 0;
    long failures;
    if (valid) expected = brute_within(&set, box, distance, o->filter, ids);
    oracle_want(o, ids, expected);
    do {
        failures = oracle_failures(o);
        oracle_stain(&o->found);
        result = spt_within(&o->index, box, distance, o->filter, &o->found);
    } while (oracle_ran_out(o, result, failures, &o->found));
    if (!valid) expected = brute_valid(box) ? SPT_ERR_ARGUMENT : SPT_ERR_BOX;
    oracle_expect(o, result, expected);
    CHECK(spt_within(&o->index, box, distance, o->filter, NULL) == result);
}

#ifndef SPATIAL_NO_SEARCH
static inline void oracle_nearest(oracle *o, const spt_box *box, spt_i32 k, spt_coord limit)
{
    spt_i32 ids[ORACLE_IDS], expected = brute_valid(box) ? SPT_ERR_ARGUMENT : SPT_ERR_BOX, result;
    brute_set set = oracle_set(o);
    long failures;
    if (brute_valid(box) && k >= 0 && !coord_is_nan(limit))
        expected = brute_nearest(&set, box, k, limit, o->filter, ids);
    do {
        failures = oracle_failures(o);
        oracle_stain(&o->found);
        result = spt_nearest(&o->index, box, k, limit, o->filter, &o->found);
    } while (oracle_ran_out(o, result, failures, &o->found));
    oracle_expect_order(o, result, ids, expected);
    CHECK(spt_nearest(&o->index, box, k, limit, o->filter, NULL) == result);
}

typedef struct oracle_nearer {
    const oracle *o;
    const spt_box *box;
    const spt_i32 *ids;        /* what is to be told */
    spt_i32 count, calls;
    spt_i32 stop_at, lower_at; /* the calls that stop, and lower the limit; from 1 */
    spt_coord lowered;         /* to this */
} oracle_nearer;

static inline int oracle_on_near(void *ctx, spt_i32 id, const spt_box *box, spt_coord distance,
                                 spt_coord *limit)
{
    oracle_nearer *nearer = (oracle_nearer *)ctx;
    if (!CHECK(nearer->calls < nearer->count)) return ORACLE_STOP;
    CHECK(id == nearer->ids[nearer->calls]);
    if (id >= 0 && id < nearer->o->ids) CHECK(same_box(box, &nearer->o->boxes[id]));
    CHECK(!(distance < spt_box_distance(nearer->box, box)) &&
          !(distance > spt_box_distance(nearer->box, box)));
    nearer->calls++;
    if (nearer->calls == nearer->lower_at) *limit = nearer->lowered;
    return nearer->calls == nearer->stop_at ? ORACLE_STOP : 0;
}

/* All, near first; lowers the limit at one call, and stops at one. */
static inline void oracle_nearest_visit(oracle *o, const spt_box *box, spt_i32 stop_at,
                                        spt_i32 lower_at, spt_coord lowered)
{
    spt_i32 ids[ORACLE_IDS], told = 0, expected = SPT_ERR_BOX, result;
    brute_set set = oracle_set(o);
    oracle_nearer nearer;
    brute_key key;
    int stops;
    if (brute_valid(box))
        expected = brute_nearest(&set, box, ORACLE_IDS, SPT_NO_LIMIT, o->filter, ids);
    nearer.o = o, nearer.box = box, nearer.ids = ids, nearer.count = expected, nearer.calls = 0;
    nearer.stop_at = stop_at, nearer.lower_at = lower_at, nearer.lowered = lowered;
    result = spt_nearest_visit(&o->index, box, o->filter, oracle_on_near, &nearer);
    if (expected > 0) told = expected;
    while (lower_at >= 1 && told > lower_at && !coord_is_nan(lowered)) {
        key = brute_distance(box, &o->boxes[ids[told - 1]]);
        if (lowered >= 0 && brute_key_within(&key, lowered)) break;
        told--;
    }
    stops = stop_at >= 1 && stop_at <= told;
    if (stops) told = stop_at;
    CHECK(result == (expected < 0 ? SPT_ERR_BOX : stops ? ORACLE_STOP : 0));
    CHECK(nearer.calls == told);
}

/* What a motion meets, in its order, or an error. */
static inline spt_i32 oracle_meetings(const oracle *o, const spt_motion *motion,
                                      const spt_filter *filter, brute_meeting *meetings)
{
    brute_set set = oracle_set(o);
    if (brute_motion_error(motion)) return brute_motion_error(motion);
    return brute_cast_all(&set, motion, filter, meetings);
}

/* Both the first and all. */
static inline void oracle_cast(oracle *o, const spt_motion *motion)
{
    static brute_meeting meetings[ORACLE_IDS];
    spt_i32 ids[ORACLE_IDS], expected = oracle_meetings(o, motion, o->filter, meetings), i, result;
    spt_hit hit;
    long failures;
    result = spt_cast(&o->index, motion, o->filter, &hit);
    CHECK(result == (expected > 0 ? 1 : expected));
    if (result == 1 && expected > 0) CHECK(same_hit(&hit, &meetings[0].hit));
    for (i = 0; i < expected; i++) ids[i] = meetings[i].hit.id;
    do {
        failures = oracle_failures(o);
        oracle_stain(&o->found);
        result = spt_cast_all(&o->index, motion, o->filter, &o->found);
    } while (oracle_ran_out(o, result, failures, &o->found));
    oracle_expect_order(o, result, ids, expected);
    CHECK(spt_cast_all(&o->index, motion, o->filter, NULL) == result);
}

typedef struct oracle_caster {
    const oracle *o;
    const brute_meeting *meetings; /* what is to be told */
    spt_i32 count, calls;
    spt_i32 stop_at, lower_at;     /* the calls that stop, and lower the limit; from 1 */
    spt_coord lowered;             /* to this */
    spt_coord limit;
} oracle_caster;

static inline int oracle_on_cast(void *ctx, const spt_hit *hit, const spt_box *box,
                                 spt_coord *limit)
{
    oracle_caster *caster = (oracle_caster *)ctx;
    if (!CHECK(caster->calls < caster->count)) return ORACLE_STOP;
    CHECK(same_hit(hit, &caster->meetings[caster->calls].hit));
    CHECK(hit->t <= caster->limit);
    if (hit->id >= 0 && hit->id < caster->o->ids) CHECK(same_box(box, &caster->o->boxes[hit->id]));
    caster->calls++;
    if (caster->calls == caster->lower_at) *limit = caster->limit = caster->lowered;
    return caster->calls == caster->stop_at ? ORACLE_STOP : 0;
}

/* All in their order; shortens the motion at one call, and stops at one. */
static inline void oracle_cast_visit(oracle *o, const spt_motion *motion, spt_i32 stop_at,
                                     spt_i32 lower_at, spt_coord lowered)
{
    static brute_meeting meetings[ORACLE_IDS];
    oracle_caster caster;
    spt_i32 told;
    int stops, result;
    caster.o = o;
    caster.meetings = meetings;
    caster.count = oracle_meetings(o, motion, o->filter, meetings);
    caster.calls = 0;
    caster.stop_at = stop_at;
    caster.lower_at = lower_at;
    caster.lowered = lowered;
    caster.limit = ORACLE_END;
    result = spt_cast_visit(&o->index, motion, o->filter, oracle_on_cast, &caster);
    told = caster.count > 0 ? caster.count : 0;
    if (lower_at >= 1)
        while (told > lower_at && meetings[told - 1].hit.t > lowered) told--;
    stops = stop_at >= 1 && stop_at <= told;
    if (stops) told = stop_at;
    CHECK(result == (caster.count < 0 ? caster.count : stops ? ORACLE_STOP : 0));
    CHECK(caster.calls == told);
}
#endif

static inline void oracle_expect_pairs(const oracle *o, spt_i32 result, const unsigned char *moved)
{
    static unsigned char seen[ORACLE_IDS][ORACLE_IDS];
    brute_set set = oracle_set(o);
    spt_i32 a, b, i, missing = 0;
    CHECK(result == spt_intlist_count(&o->pairs));
    memset(seen, 0, sizeof seen);
    for (i = 0; i < spt_intlist_count(&o->pairs); i++) {
        a = spt_intlist_get(&o->pairs, i, 0), b = spt_intlist_get(&o->pairs, i, 1);
        if (!CHECK(0 <= a && a < b && b < o->ids)) continue;
        CHECK(brute_is_pair(&set, a, b, o->filter));
        CHECK(!moved || moved[a] || moved[b]);
        CHECK(!seen[a][b]);
        seen[a][b] = 1;
    }
    for (a = 0; a < o->ids; a++)
        for (b = a + 1; o->there[a] && b < o->ids; b++)
            if (!seen[a][b] && (!moved || moved[a] || moved[b]))
                missing += brute_is_pair(&set, a, b, o->filter);
    CHECK(missing == 0);
}

static inline void oracle_pairs(oracle *o)
{
    spt_i32 result;
    long failures;
    do {
        failures = oracle_failures(o);
        oracle_stain(&o->pairs);
        result = spt_pairs(&o->index, o->filter, &o->pairs);
    } while (oracle_ran_out(o, result, failures, &o->pairs));
    oracle_expect_pairs(o, result, NULL);
    CHECK(spt_pairs(&o->index, o->filter, NULL) == result);
}

/* Of some elements, few or up to all of them, some of which are named twice. */
static inline void oracle_pairs_of(oracle *o)
{
    unsigned char moved[ORACLE_IDS];
    spt_i32 ids[2 * ORACLE_IDS], n = 0, wanted, id, result, error = 0;
    long failures;
    memset(moved, 0, sizeof moved);
    wanted = (spt_i32)oracle_draw(o, oracle_draw(o, 4) ? 4 : 2 * (int)o->ids);
    while (wanted-- > 0) {
        id = (spt_i32)oracle_draw(o, (int)o->ids);
        if (oracle_draw(o, 1000) == 0) id = -1 - id, error = SPT_ERR_ID;
        else moved[id] = 1; /* whether it is there or not */
        ids[n++] = id;
    }
    if (strcmp(spt_kind(&o->index), "packed") == 0) error = SPT_ERR_KIND;
    do {
        failures = oracle_failures(o);
        oracle_stain(&o->pairs);
        result = spt_pairs_of(&o->index, ids, n, o->filter, &o->pairs);
    } while (oracle_ran_out(o, result, failures, &o->pairs));
    if (error) CHECK(result == error && spt_intlist_count(&o->pairs) == 0);
    else oracle_expect_pairs(o, result, moved);
    CHECK(spt_pairs_of(&o->index, ids, n, o->filter, NULL) == result);
}

/* The box around all, and whether there is any in a window. */
static inline void oracle_around(oracle *o, const spt_box *window)
{
    spt_i32 ids[ORACLE_IDS], id;
    brute_set set = oracle_set(o);
    spt_box around, box;
    int count = 0, any;
    memset(&around, 0, sizeof around);
    memset(&box, 0, sizeof box);
    for (id = 0; id < o->ids; id++) {
        if (!brute_there(&set, id)) continue;
        if (count++ == 0) around = o->boxes[id];
        spt_box_union(&around, &o->boxes[id], &around);
    }
#ifndef SPATIAL_NO_SEARCH
    CHECK(spt_bounds(&o->index, &box) == (count > 0));
    if (count > 0) CHECK(same_box(&box, &around));
#else
    (void)box, (void)around;
#endif
    any = brute_valid(window) ? brute_query(&set, window, o->filter, ids) > 0 : SPT_ERR_BOX;
    CHECK(spt_any(&o->index, window, o->filter) == any);
}

/* The cells hold each element once; a traversal stops where it is told. */
static inline void oracle_traverse(oracle *o)
{
    oracle_cells all = {0, 0, 0}, some = {0, 0, 0};
    CHECK(spt_traverse(&o->index, oracle_on_cell, &all) == 0);
    CHECK(all.elements == o->count);
    if (all.cells == 0) return;
    some.stop_at = 1 + (spt_i32)oracle_draw(o, (int)all.cells);
    CHECK(spt_traverse(&o->index, oracle_on_cell, &some) == ORACLE_STOP);
    CHECK(some.cells == some.stop_at);
}

/* ---- Random steps ---------------------------------------------------------------------------- */

/* Calls that must be refused, and leave no trace. */
static inline void oracle_step_error(oracle *o)
{
    static const spt_i32 unknown[] = {-1, -2, INT32_MIN, ORACLE_IDS, 1000000, INT32_MAX};
    spt_i32 id = (spt_i32)oracle_draw(o, (int)o->ids), stranger = unknown[oracle_draw(o, 6)];
    spt_box good = oracle_random_box(o), bad = bad_box(&good, oracle_draw(o, BAD_BOXES));
    switch (oracle_draw(o, 6)) {
    case 0: oracle_move(o, stranger, &good); break;
    case 1: oracle_remove(o, stranger); break;
    case 2:
        if (stranger < 0 || o->capacity || stranger >= ORACLE_NO_ID)
            oracle_insert(o, stranger, &good);
        break;
    case 3:
        if (o->there[id]) oracle_move(o, id, &bad);
        else oracle_insert(o, id, &bad);
        break;
    case 4: oracle_query(o, &bad); break;
    default: oracle_visit(o, &bad, 0); break;
    }
}

/* A move of any length: none, a little, or to anywhere. */
static inline void oracle_step_move(oracle *o, spt_i32 id)
{
    spt_box box = oracle_random_box(o), old = o->boxes[id];
    int way = oracle_draw(o, 4);
    if (way == 0) box = old;
    if (way == 1) { /* one edge stays */
        box.min_x = old.min_x;
        if (!brute_valid(&box)) box.max_x = old.min_x;
    }
    oracle_move(o, id, &box);
}

/* Mostly elements that are there, the same one twice, too; now and then something to refuse. */
static inline void oracle_step_move_many(oracle *o)
{
    static const spt_i32 unknown[] = {-1, INT32_MIN, ORACLE_IDS, INT32_MAX};
    static spt_box boxes[ORACLE_IDS];
    spt_i32 ids[80], n = (spt_i32)oracle_draw(o, 81), k;
    memcpy(boxes, o->boxes, sizeof boxes);
    for (k = 0; k < n; k++) {
        int tries = 20;
        do
            ids[k] = (spt_i32)oracle_draw(o, (int)o->ids);
        while (!o->there[ids[k]] && --tries > 0);
        if (oracle_chance(o, 80)) boxes[ids[k]] = oracle_random_box(o);
    }
    k = (spt_i32)oracle_draw(o, 4 * 80);
    if (k < n && k % 2) ids[k] = unknown[oracle_draw(o, 4)];
    else if (k < n) boxes[ids[k]] = bad_box(&boxes[ids[k]], oracle_draw(o, BAD_BOXES));
    oracle_move_many(o, ids, boxes, n);
}

/* As many as there is room for, or fewer; now and then too many, less than none, or a bad one. */
static inline void oracle_step_build(oracle *o)
{
    static spt_box boxes[ORACLE_IDS + 1];
    spt_i32 most = o->capacity && o->capacity < o->ids ? o->capacity : o->ids, n, id;
    int dice = oracle_draw(o, 20);
    n = (spt_i32)oracle_draw(o, (int)most + 1);
    for (id = 0; id < n; id++) boxes[id] = oracle_random_box(o);
    if (dice < 3 && n > 0) {
        spt_box *box = &boxes[oracle_draw(o, (int)n)];
        *box = bad_box(box, oracle_draw(o, BAD_BOXES));
    } else if (dice < 5) {
        n = -1;
    } else if (dice < 8 && o->capacity && o->capacity <= ORACLE_IDS) {
        n = o->capacity + 1;
        for (id = 0; id < n; id++) boxes[id] = oracle_random_box(o);
    }
    oracle_build(o, boxes, n);
}

static inline void oracle_step_update(oracle *o)
{
    spt_i32 id = (spt_i32)oracle_draw(o, (int)o->ids);
    int dice = oracle_draw(o, 100);
    if (o->there[id]) {
        spt_box box = o->boxes[id];
        if (dice < (o->shrinking ? 60 : 15)) oracle_remove(o, id);
        else if (dice < 97) oracle_step_move(o, id);
        else oracle_insert(o, id, &box);
    } else {
        spt_box box = oracle_random_box(o);
        if (dice < (o->shrinking ? 30 : 95)) oracle_insert(o, id, &box);
        else if (dice < 98) oracle_remove(o, id);
        else oracle_move(o, id, &box);
    }
}

static inline void oracle_step_query(oracle *o)
{
    spt_box box = oracle_random_box(o);
    int whole = oracle_draw(o, 10) == 0;
    if (whole) box = oracle_bounds(o->world);
    oracle_query(o, &box);
    if (oracle_draw(o, 3) == 0) oracle_visit(o, &box, (spt_i32)oracle_draw(o, 8));
}

/* ---- Random questions ------------------------------------------------------------------------ */

/* Symmetric, so that it makes no difference which element of a pair is asked for. */
static inline int oracle_accept(void *ctx, spt_i32 id, spt_i32 other)
{
    const spt_i32 *among = (const spt_i32 *)ctx;
    return (id + (other == SPT_NONE ? 0 : other)) % *among != 0;
}

/* A filter for the questions to come, with any of its parts; or none. */
static inline void oracle_draw_filter(oracle *o)
{
    static spt_i32 among[2] = {3, 1}; /* the second refuses everything */
    spt_filter *filter = &o->own_filter;
    int parts = oracle_draw(o, 32), i;
    spt_i32 id;
    o->filter = NULL;
    if (parts >= 24) return;
    memset(filter, 0, sizeof *filter);
    for (id = 0; id < o->ids; id++) {
        o->categories[id] = (spt_u32)(id * 7 % 8) | (spt_u32)(id % 2) << 31;
        o->masks[id] = (spt_u32)(id * 5 % 8);
    }
    if (parts & 1) {
        filter->categories = o->categories;
        filter->mask = (spt_u32)oracle_draw(o, 8) | (spt_u32)(parts >> 3) << 31;
        if (filter->mask == 0) filter->mask = 64; /* no element has it */
        if (parts & 2) filter->masks = o->masks;
    }
    for (i = 0; i < 3; i++) o->except[i] = (spt_i32)oracle_draw(o, (int)o->ids + 1);
    filter->except = o->except;
    if (parts & 4) filter->except_count = (spt_i32)(1 + parts / 8);
    if (parts & 8) filter->accept = oracle_accept;
    filter->ctx = &among[oracle_draw(o, 10) == 0];
    o->filter = filter;
}

/* Where a question is asked from: a box as all others, a point, now and then beyond everything. */
static inline spt_box oracle_draw_place(oracle *o)
{
    spt_box box = oracle_random_box(o);
    int dice = oracle_draw(o, 40);
    if (dice < 20) box.max_x = box.min_x, box.max_y = box.min_y;
    if (dice == 20) box.max_x = box.min_x = COORD_LOW;
    if (dice == 21) box.max_y = box.min_y = COORD_HIGH;
    return box;
}

/* A distance between existing edges, so that it is exactly the distance of some elements. */
static inline spt_coord oracle_draw_distance(oracle *o, const spt_box *box)
{
    const spt_box *other = &o->boxes[oracle_draw(o, (int)o->ids)];
    double way = oracle_draw(o, 2) ? (double)other->min_x - (double)box->max_x
                                   : (double)other->max_y - (double)box->min_y;
    switch (oracle_draw(o, 16)) {
    case 0: return 0;
    case 1: return SPT_NO_LIMIT;
    case 2: return coord_of(way); /* perhaps negative */
    case 3: return COORD_HUGE;
#ifndef SPATIAL_INT
    case 4: return COORD_HIGH;
    case 5: return oracle_draw(o, 4) ? COORD_LEAST : (spt_coord)NAN;
    case 6: return -(spt_coord)0.0;
#endif
    default: return coord_of(way < 0 ? -way : way); /* of equal infinities no number */
    }
}

#ifndef SPATIAL_NO_SEARCH
/* How far to go along an axis: mostly from edge to edge, so that it ends where something begins. */
static inline spt_coord oracle_draw_way(oracle *o, double from, double to)
{
    switch (oracle_draw(o, 16)) {
    case 0: return 0;
    case 1: return coord_of((from - to) / 3);
    case 2: return coord_of((to - from) * 8);
#ifndef SPATIAL_INT
    case 3: return -(spt_coord)0.0;
    case 4: return oracle_draw(o, 2) ? COORD_LEAST : -COORD_LEAST;
    case 5: return oracle_draw(o, 8) ? (to > from ? COORD_HUGE : -COORD_HUGE) : COORD_HIGH;
    case 6: return oracle_draw(o, 8) ? (to > from ? COORD_MAX : -COORD_MAX) : (spt_coord)NAN;
#else
    case 3: return to > from ? INT32_MAX : INT32_MIN;
#endif
    default: return coord_of(to - from);
    }
}

static inline spt_motion oracle_draw_motion(oracle *o)
{
    const spt_box *other = &o->boxes[oracle_draw(o, (int)o->ids)];
    spt_motion motion;
    motion.dx = motion.dy = 0;
    motion.box = oracle_draw_place(o);
    if (brute_motion_error(&motion) && oracle_draw(o, 8)) /* only now and then one to refuse */
        motion.box = oracle_bounds(o->world);
    motion.dx = oracle_draw_way(o, (double)motion.box.max_x, (double)other->min_x);
    motion.dy = oracle_draw_way(o, (double)motion.box.min_y, (double)other->max_y);
    motion.enter = oracle_draw(o, 2);
    return motion;
}

static inline void oracle_step_search(oracle *o)
{
    spt_motion motion = oracle_draw_motion(o);
    spt_box box = oracle_draw_place(o);
    spt_coord limit = oracle_draw(o, 2) ? oracle_draw_distance(o, &box) : (spt_coord)SPT_NO_LIMIT;
    spt_i32 k = (spt_i32)oracle_draw(o, oracle_draw(o, 4) ? 12 : 2 * ORACLE_IDS);
    int stop_at = oracle_draw(o, 24), lower_at = oracle_draw(o, 24);
    spt_coord lowered = (spt_coord)(ORACLE_END * ((double)oracle_draw(o, 12) - 1) / 10);
    switch (oracle_draw(o, 4)) {
    case 0:
        oracle_nearest(o, &box, k, limit);
        oracle_nearest(o, &box, k + 1, limit);
        break;
    case 1: oracle_cast(o, &motion); break;
    case 2: oracle_nearest_visit(o, &box, (spt_i32)stop_at, (spt_i32)lower_at, limit); break;
    default: oracle_cast_visit(o, &motion, (spt_i32)stop_at, (spt_i32)lower_at, lowered); break;
    }
}
#endif

/* The elements that meet a shape with corners of these 12 boxes; out NULL: their number. */
static inline void oracle_overlap(oracle *o, const spt_box *boxes)
{
#ifdef SPTI_SHAPES
    const int twisted = oracle_draw(o, 2);
    spt_i32 ids[ORACLE_IDS], expected = 0, result, id;
    brute_set set = oracle_set(o);
    spt_coord points[24];
    spt_shape shape;
    long failures;
    int i;
    for (i = 0; i < 12; i++) {
        points[2 * i] = boxes[i].min_x;
        points[2 * i + 1] = twisted ? boxes[i].max_y : boxes[i].min_y;
    }
    shape.points = points;
    shape.count = oracle_draw(o, 30) ? 1 + oracle_draw(o, oracle_draw(o, 2) ? 3 : 12) : 0;
    shape.radius = oracle_draw(o, 2) ? 0 : oracle_draw_distance(o, boxes);
    for (id = 0; id < o->ids; id++)
        if (brute_there(&set, id) && spt_box_meets_shape(&o->boxes[id], &shape) == 1 &&
            brute_accepts(o->filter, id))
            ids[expected++] = id;
    if (spt_box_meets_shape(&o->boxes[0], &shape) == SPT_ERR_ARGUMENT) expected = SPT_ERR_ARGUMENT;
    oracle_want(o, ids, expected);
    do {
        failures = oracle_failures(o);
        oracle_stain(&o->found);
        result = spt_overlap(&o->index, &shape, o->filter, &o->found);
    } while (oracle_ran_out(o, result, failures, &o->found));
    oracle_expect(o, result, expected);
    CHECK(spt_overlap(&o->index, &shape, o->filter, NULL) == expected);
#else
    (void)o, (void)boxes;
#endif
}

/* Asks for the elements that are in a relation to windows: many of these are boxes of elements. */
static inline void oracle_step_related(oracle *o, spt_box *boxes, spt_i32 n)
{
    spt_filter *filter = &o->own_filter;
    spt_i32 i;
    if (!o->filter) memset(filter, 0, sizeof *filter);
    o->filter = filter;
    filter->relation = 1 + oracle_draw(o, SPT_EQUALS);
    for (i = 0; i < n; i++) {
        if (oracle_draw(o, 4) == 0) boxes[i] = oracle_bounds(o->world);
        else if (oracle_draw(o, 2)) boxes[i] = o->boxes[oracle_draw(o, (int)o->ids)];
        oracle_around(o, &boxes[i]);
    }
    oracle_query_many(o, boxes, n);
    if (n == 0) return;
    oracle_query(o, &boxes[0]);
    oracle_visit(o, &boxes[0], (spt_i32)oracle_draw(o, 8));
}

/* Asks a question of any kind, mostly with a filter. */
static inline void oracle_step_question(oracle *o)
{
    spt_box boxes[12];
    spt_i32 n = (spt_i32)oracle_draw(o, 13), i;
    oracle_draw_filter(o);
    for (i = 0; i < 12; i++) boxes[i] = oracle_draw_place(o);
    switch (oracle_draw(o, 9)) {
    case 8: oracle_step_related(o, boxes, n); break;
    case 0: oracle_step_query(o); break;
    case 1:
        if (n > 0 && oracle_draw(o, 10) == 0)
            boxes[n - 1] = bad_box(&boxes[n - 1], oracle_draw(o, BAD_BOXES));
        oracle_query_many(o, boxes, oracle_draw(o, 20) ? n : -1);
        break;
    case 2:
        oracle_within(o, boxes, oracle_draw_distance(o, boxes));
        oracle_around(o, boxes);
        oracle_overlap(o, boxes);
        break;
    case 3:
        if (oracle_draw(o, 4) == 0) oracle_pairs(o);
        else if (oracle_draw(o, 2)) oracle_pairs_of(o);
        else oracle_within(o, boxes, oracle_draw_distance(o, boxes));
        break;
    default:
#ifndef SPATIAL_NO_SEARCH
        oracle_step_search(o);
#endif
        break;
    }
    o->filter = NULL;
}

/* One step: mostly an update, so that the structure changes a lot between looks at it. Where there
   are no updates, mostly a question, and new boxes more often. */
static inline void oracle_step(oracle *o)
{
    int dice = oracle_draw(o, 1000);
    if (o->only_built && dice < 770) dice = oracle_draw(o, 20) ? 780 + oracle_draw(o, 160) : 998;
    if (dice < 770) oracle_step_update(o);
    else if (dice < 780) oracle_step_move_many(o);
    else if (dice < 915) oracle_step_query(o);
    else if (dice < 940) oracle_step_question(o);
    else if (dice < 970) oracle_step_error(o);
    else if (dice < 978) oracle_pairs(o);
    else if (dice < 986) spt_tidy(&o->index);
    else if (dice < 992) oracle_compare(o);
    else if (dice < 996) oracle_traverse(o);
    else if (dice < 997) o->shrinking = !o->shrinking;
    else if (dice < 999) oracle_step_build(o);
    else if (oracle_chance(o, 30)) oracle_clear(o);
}

static inline void oracle_run(oracle *o, int steps)
{
    int i;
    for (i = 0; i < steps; i++) {
        test_context(o->world->name, i);
        oracle_step(o);
    }
    oracle_compare(o);
    oracle_pairs(o);
    oracle_traverse(o);
}

/* A kind of setup to try in every world. */
typedef struct oracle_kind {
    int levels;
    spt_i32 ids, capacity;
    int steps; /* before scaling */
} oracle_kind;

static inline void oracle_run_kinds(const char *structure, const oracle_kind *kinds, int count)
{
    static oracle o;
    int world, kind;
    for (world = 0; world < ORACLE_WORLDS; world++)
        for (kind = 0; kind < count; kind++) {
            oracle_setup setup = {&oracle_worlds[world], structure, 0, 0, 0, {NULL, NULL}, NULL};
            oracle_fits = (world + kind) % 2;
            setup.levels = kinds[kind].levels;
            setup.ids = kinds[kind].ids;
            setup.capacity = kinds[kind].capacity;
            if (!CHECK(oracle_open(&o, &setup) == SPT_OK)) continue;
            oracle_run(&o, test_scale(kinds[kind].steps));
            oracle_close(&o);
        }
    oracle_fits = 0;
}

/* Inserts ids 0 .. count-1, of which there are none. */
static inline void oracle_fill(oracle *o, spt_i32 count)
{
    spt_i32 id;
    for (id = 0; id < count; id++) {
        spt_box box = oracle_random_box(o);
        oracle_insert(o, id, &box);
    }
}

/* ---- The check itself ------------------------------------------------------------------------ */

/* Breaks one integer in a sound index; that must be seen; and mends it again. */
static inline void oracle_expect_broken(const spt_index *x, void *place, spt_i32 value)
{
    spt_i32 *broken = (spt_i32 *)place, saved = *broken;
    test.step++;
    CHECK(value != saved);
    *broken = value;
    CHECK(!spt_check(x));
    *broken = saved;
    CHECK(spt_check(x));
}
#endif /* SPTI_INDEX */

#endif /* ORACLE_H */
