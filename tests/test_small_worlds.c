/* test_small_worlds.c - every world of up to two boxes, and a share of those of three, on grids of
   three and four lines: in every structure, made in every way, and asked every question beside
   plain loops; and all sequences of four calls. Random tests draw such worlds too rarely: a mistake
   that needs two edges on one line and a third next to it is found here.

   All cases are numbered. A share of them is one of each so many that follow one another, drawn at
   random: it is spread over all, and another with another SEED. With OPS_DIVISOR=1 every world of
   up to two boxes on three lines is made in every structure and way, and each time asked a tenth to
   a five hundredth of the questions. */
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"

/* ---- Shares ---------------------------------------------------------------------------------- */

/* The number to try after a number: the next one, or any one of the next `every`, which begin at a
   multiple of `every`. Begin with test_below(every). */
static long after(long number, int every)
{
    return (number / every + 1) * every + test_below(every);
}

/* The divisor leaves out questions first, and then worlds: to make a world costs as much as a few
   questions. Without a divisor, three times as many questions are asked. */
static int fewer_questions(int every)
{
    if (test.divisor == 1) return every / 3;
    return every * (int)(test.divisor < 4 ? test.divisor : 4);
}

static int fewer_worlds(int every)
{
    return every * (int)(test.divisor < 4 ? 1 : test.divisor / 3);
}

/* ---- Grids ----------------------------------------------------------------------------------- */

#define MOST_LINES 4
#define MOST_BOXES 100 /* that have edges on the lines, points and lines among them */

typedef struct grid {
    const char *name;
    int lines;                  /* along each axis */
    double x, y, unit;          /* the place of the first lines, and the way to the next ones */
    int endless;                /* the first and the last lines are where the type ends */
    int every_two, every_three; /* the share of worlds of up to two boxes, and of three */
} grid;

#ifdef SPATIAL_INT
#define STEP 1.0
#elif defined(SPATIAL_DOUBLE)
#define STEP (1.0 / 4294967296.0)
#else
#define STEP 0.125
#endif

static const grid grids[] = {
    {"three lines", 3, 0, 0, 1, 0, 1, 300},
    {"four lines", 4, -1, -2, 1, 0, 16, 12000},
    {"in steps of the type", 3, 1048576, -1048579, STEP, 0, 20, 3000},
#ifdef SPATIAL_INT
    {"in the corner of the type", 3, 2147483645.0, -2147483648.0, 1, 0, 20, 3000},
    {"large", 3, -1000000000.0, 0, 1000000000.0, 0, 20, 3000},
#else
    {"small", 3, 0, 0.5, 1.0 / 1024, 0, 20, 3000},
    {"tenths", 4, -0.1, 7, 0.1, 0, 200, 50000},
#endif
    {"endless", 4, -1, -1, 1, 1, 100, 30000},
};

static const grid *on;
static spt_coord lines_x[MOST_LINES], lines_y[MOST_LINES];
static spt_box all[MOST_BOXES]; /* of the grid */
static int all_count;
static oracle_world bounds, inner_bounds; /* around all boxes, and around the middle */

static void set_lines(spt_coord *lines, double first)
{
    int i;
    for (i = 0; i < on->lines; i++) lines[i] = coord_of(first + i * on->unit);
    if (on->endless) lines[0] = COORD_LOW, lines[on->lines - 1] = COORD_HIGH;
}

static void set_bounds(oracle_world *world, double from, double to)
{
    memset(world, 0, sizeof *world);
    world->name = on->name;
    world->min_x = on->x + from * on->unit, world->max_x = on->x + to * on->unit;
    world->min_y = on->y + from * on->unit, world->max_y = on->y + to * on->unit;
}

static void set_grid(const grid *g)
{
    int x0, x1, y0, y1;
    on = g;
    set_lines(lines_x, g->x), set_lines(lines_y, g->y);
    set_bounds(&bounds, 0, g->lines - 1);
    set_bounds(&inner_bounds, 1, g->lines - 1);
    all_count = 0;
    for (x0 = 0; x0 < g->lines; x0++)
        for (x1 = x0; x1 < g->lines; x1++)
            for (y0 = 0; y0 < g->lines; y0++)
                for (y1 = y0; y1 < g->lines; y1++) {
                    spt_box *box = &all[all_count++];
                    box->min_x = lines_x[x0], box->max_x = lines_x[x1];
                    box->min_y = lines_y[y0], box->max_y = lines_y[y1];
                }
}

static spt_box any_box(void)
{
    return all[test_below(all_count)];
}

/* ---- Worlds ---------------------------------------------------------------------------------- */

#define MOST_ELEMENTS 3
#define MOST_IDS (2 * MOST_ELEMENTS)

/* clang-format off */
static const struct setup {
    const char *structure;
    int levels;
} setups[] = {
    {"linear", 0},       {"linear", 1},       {"linear", 3},          {"quadtree", 0},
    {"quadtree", 16},    {"loosegrid", 1},    {"loosegrid", 2},       {"uniform grid", 2},
    {"three grids", 4},  {"cells of a size", 2}, {"packed", 0},
};
/* clang-format on */

/* How a world is made. Packed is only built: see make_packed. */
enum { INSERTED, BACKWARD, MOVED, AMONG, BUILT, COPIED, REBOUND, WAYS };

#define SETUPS TEST_COUNT(setups)

static oracle o, other;

/* Sets boxes to the world of a number: first comes the empty one, then those of one box, of two. */
static spt_i32 world_of(long number, spt_box *boxes)
{
    long worlds = 1;
    spt_i32 n = 0, i;
    for (; number >= worlds; number -= worlds, worlds *= all_count) n++;
    for (i = 0; i < n; i++, number /= all_count) boxes[i] = all[number % all_count];
    return n;
}

/* How many worlds there are of up to n boxes. */
static long worlds_of(int n)
{
    return n > 0 ? 1 + all_count * worlds_of(n - 1) : 1;
}

static void open_empty(oracle *empty, const struct setup *as, spt_i32 capacity)
{
    oracle_setup setup = {NULL, NULL, 0, MOST_IDS, 0, {NULL, NULL}, NULL};
    setup.world = on->endless || test_below(4) ? &bounds : &inner_bounds;
    setup.structure = as->structure;
    setup.levels = as->levels;
    setup.capacity = capacity;
    CHECK(oracle_open(empty, &setup) == SPT_OK);
}

/* Leaves the model as it is. */
static void copy_index(const struct setup *as)
{
    spt_box boxes[MOST_ELEMENTS];
    spt_index copy;
    int i;
    open_empty(&other, as, o.capacity);
    for (i = 0; i < MOST_ELEMENTS; i++) boxes[i] = any_box();
    oracle_build(&other, boxes, test_below(MOST_ELEMENTS + 1));
    CHECK(spt_copy(&other.index, &o.index) == SPT_OK);
    copy = other.index, other.index = o.index, o.index = copy;
    oracle_close(&other);
}

/* In place of moves, a refit; in place of new bounds, an image of what `other` keeps. */
static void make_packed(int way, const spt_box *boxes, spt_i32 n)
{
    spt_box elsewhere[MOST_ELEMENTS];
    const void *image;
    size_t bytes;
    int i;
    for (i = 0; i < MOST_ELEMENTS; i++) elsewhere[i] = any_box();
    if (way == MOVED) {
        oracle_build(&o, elsewhere, n);
        CHECK(spt_packed_refit(&o.index, boxes, n) == SPT_OK);
        for (i = 0; i < n; i++) o.boxes[i] = boxes[i];
        return;
    }
    if (way == AMONG) oracle_build(&o, elsewhere, MOST_ELEMENTS);
    oracle_build(&o, boxes, n);
    if (way == COPIED) copy_index(&setups[SETUPS - 1]);
    if (way != REBOUND || n == 0) return;
    open_empty(&other, &setups[SETUPS - 1], 0);
    oracle_build(&other, boxes, n);
    image = spt_packed_data(&other.index, &bytes);
    spt_free(&o.index);
    CHECK(spt_packed_view(&o.index, image, bytes) == SPT_OK);
}

/* Makes a world in o. Its ids are 0 .. n-1; or odd numbers, if others came and went. */
static void make_world(const struct setup *as, int way, const spt_box *boxes, spt_i32 n)
{
    const spt_box inner = oracle_bounds(&inner_bounds);
    spt_box box;
    spt_i32 i;
    oracle_fits = test_below(2);
    open_empty(&o, as, 0);
    if (o.only_built) {
        make_packed(way, boxes, n);
        return;
    }
    if (way == BUILT) oracle_build(&o, boxes, n);
    for (i = 0; i < n && way == AMONG; i++) box = any_box(), oracle_insert(&o, 2 * i, &box);
    for (i = 0; i < n && way != BUILT; i++) {
        const spt_i32 at = way == BACKWARD ? n - 1 - i : i, id = way == AMONG ? 2 * at + 1 : at;
        box = way == MOVED ? any_box() : boxes[at];
        oracle_insert(&o, id, &box);
    }
    for (i = n; i-- > 0 && way == MOVED;) oracle_move(&o, i, &boxes[i]);
    for (i = 0; i < n && way == AMONG; i++) oracle_remove(&o, 2 * i);
    if (way == COPIED) copy_index(as);
    if (way == REBOUND) CHECK(spt_rebound(&o.index, test_below(2) ? &inner : NULL) == SPT_OK);
    if (test_below(2)) spt_tidy(&o.index);
    if (test_below(8) == 0) CHECK(spt_check(&o.index)); /* it takes longer than to make a world */
}

static void close_world(void)
{
    oracle_close(&o);
    oracle_close(&other); /* once more, or what keeps the image */
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* Questions of one kind, which are numbered. */
typedef struct questions {
    int (*count)(void);      /* how many the grid has */
    void (*ask)(int number); /* of o */
    int every;               /* the share that is asked */
} questions;

/* Makes a world of each number, or every so many of them, in all structures and ways. */
static void try_worlds(long first, long end, int every, const questions *q)
{
    const int combinations = SETUPS * WAYS;
    const int step = fewer_questions(q->every);
    spt_box boxes[MOST_ELEMENTS];
    long i, k;
    for (i = test_below(every); i < (end - first) * combinations; i = after(i, every)) {
        const int how = (int)(i % combinations);
        const spt_i32 n = world_of(first + i / combinations, boxes);
        test_context(on->name, i);
        make_world(&setups[how / WAYS], how % WAYS, boxes, n);
        for (k = test_below(step); k < q->count(); k = after(k, step)) q->ask((int)k);
        close_world();
    }
}

static void try_grids(const questions *q)
{
    int i;
    for (i = 0; i < TEST_COUNT(grids); i++) {
        set_grid(&grids[i]);
        try_worlds(0, worlds_of(2), fewer_worlds(on->every_two), q);
        try_worlds(worlds_of(2), worlds_of(3), fewer_worlds(on->every_three), q);
    }
}

/* ---- Filters --------------------------------------------------------------------------------- */

#define FORMS 5
#define PAIR_FORMS (FORMS + 1)

/* The filter of a form: none, by a mask, exceptions, a callback, or all of them; or by masks. */
static void set_filter(int form)
{
    static spt_i32 among = 3;
    spt_filter *filter = &o.own_filter;
    spt_i32 id;
    memset(filter, 0, sizeof *filter);
    o.filter = form ? filter : NULL;
    for (id = 0; id < o.ids; id++) {
        o.categories[id] = (spt_u32)1 << id % 3;
        o.masks[id] = (spt_u32)(7 - id);
    }
    o.except[0] = 1;
    if (form == FORMS) filter->categories = o.categories, filter->masks = o.masks;
    if (form % 3 == 1) filter->categories = o.categories, filter->mask = 5;
    if (form == 2 || form == 4) filter->except = o.except, filter->except_count = 1;
    if (form == 3 || form == 4) filter->accept = oracle_accept, filter->ctx = &among;
}

/* ---- Windows --------------------------------------------------------------------------------- */

static int windows(void)
{
    return all_count * (SPT_EQUALS + 1) * FORMS;
}

static void ask_window(int number)
{
    const spt_box *window = &all[number % all_count];
    const int relation = number / all_count % (SPT_EQUALS + 1);
    set_filter(number / all_count / (SPT_EQUALS + 1));
    o.own_filter.relation = relation;
    if (relation) o.filter = &o.own_filter;
    oracle_query(&o, window);
    oracle_visit(&o, window, (spt_i32)(number % 4));
    oracle_around(&o, window);
    if (number % 32 == 0) oracle_query_many(&o, window, (spt_i32)(all_count - number % all_count));
}

static void all_windows_find_what_is_there(void)
{
    static const questions q = {windows, ask_window, 30};
    try_grids(&q);
}

/* ---- Distances ------------------------------------------------------------------------------- */

#define DISTANCES 6
#define MOST_NEAR 5

static spt_coord distance_of(int number)
{
    static const double ways[DISTANCES] = {0, 1, 1.5, 2, -1, 0};
    return number == DISTANCES - 1 ? (spt_coord)SPT_NO_LIMIT : coord_of(ways[number] * on->unit);
}

static int distances(void)
{
    return all_count * DISTANCES * FORMS * MOST_NEAR;
}

static void ask_distance(int number)
{
    const spt_box *box = &all[number % all_count];
    const spt_coord distance = distance_of(number / all_count % DISTANCES);
    const int k = number / all_count / DISTANCES % MOST_NEAR;
    set_filter(number / all_count / DISTANCES / MOST_NEAR);
    oracle_nearest(&o, box, (spt_i32)k, distance);
    if (k == 0) oracle_within(&o, box, distance);
    if (k == 1) oracle_nearest_visit(&o, box, 0, 1 + number % 2, distance);
    if (k == 2) oracle_nearest_visit(&o, box, 1 + number % 3, 0, distance);
}

static void all_that_is_near_is_found(void)
{
    static const questions q = {distances, ask_distance, 150};
    try_grids(&q);
}

/* ---- Motions --------------------------------------------------------------------------------- */

/* Motions to all places of the grid, and as far to the other side. */
static int motions(void)
{
    const int ways = 2 * on->lines - 1;
    return all_count * ways * ways * 2 * FORMS;
}

/* Leaves what is left of the number. */
static spt_motion motion_of(int *number)
{
    const int ways = 2 * on->lines - 1;
    spt_motion motion;
    motion.box = all[*number % all_count], *number /= all_count;
    motion.dx = coord_of((*number % ways - on->lines + 1) * on->unit), *number /= ways;
    motion.dy = coord_of((*number % ways - on->lines + 1) * on->unit), *number /= ways;
    motion.enter = *number % 2, *number /= 2;
    return motion;
}

static void ask_motion(int number)
{
    const int odd = number % 3;
    const spt_motion motion = motion_of(&number);
    set_filter(number);
    oracle_cast(&o, &motion);
    if (odd == 0)
        oracle_cast_visit(&o, &motion, 1 + (spt_i32)test_below(4), 1,
                          (spt_coord)(ORACLE_END * 0.5));
}

static void all_motions_meet_what_is_on_their_way(void)
{
    static const questions q = {motions, ask_motion, 450};
    try_grids(&q);
}

/* ---- Layers ---------------------------------------------------------------------------------- */

static int layered_motions(void)
{
    return motions() / FORMS * (MOST_IDS + 1);
}

/* The same hit; of the second layer, if the id is not below `first_ids`. */
static int same_hit_layered(spt_hit hit, const spt_hit *plain, spt_i32 first_ids)
{
    if (hit.layer != (hit.id >= first_ids)) return 0;
    hit.layer = 0;
    return same_hit(&hit, plain);
}

/* The same place, but for a step of rounding. */
static int is_at(double a, double b)
{
    return fabs(a - b) < on->unit / 1000 || !(fabs(a - b) > 0);
}

/* Integers cut a motion off where the type ends. */
static spt_coord cut_off(spt_coord min, spt_coord max, spt_coord d)
{
#ifdef SPATIAL_INT
    const double edge = d > 0 ? max : min;
    return (spt_coord)(coord_of(edge + d) - edge);
#else
    (void)min, (void)max;
    return d;
#endif
}

/* Both edges along an axis get to the end of their way. */
static int at_end(double min, double max, double d, double to_min, double to_max)
{
    return is_at(min + d, to_min) && is_at(max + d, to_max);
}

/* The side of the element that is told stands at the edge of the box, which is in its way. */
static void check_side(const spt_box *end, const spt_hit *hit)
{
    const spt_box *box = &o.boxes[hit->id];
    const double x = (double)(hit->nx < 0 ? end->max_x : end->min_x);
    const double y = (double)(hit->ny < 0 ? end->max_y : end->min_y);
    CHECK((hit->nx != 0) + (hit->ny != 0) == 1);
    if (hit->nx)
        CHECK(is_at(x, (double)(hit->nx < 0 ? box->min_x : box->max_x)));
    else
        CHECK(is_at(y, (double)(hit->ny < 0 ? box->min_y : box->max_y)));
}

/* A box does not end in an element that it was outside of, goes on to the end along each axis that
   nothing stops, and is stopped first by what a cast meets first. */
static void check_slide(spt_motion motion, const spt_box *end, const spt_hit *hits, int count)
{
    static brute_meeting meetings[ORACLE_IDS];
    const spt_box *from = &motion.box;
    int i, stops_x = 0, stops_y = 0;
    spt_i32 id;
    motion.dx = cut_off(from->min_x, from->max_x, motion.dx);
    motion.dy = cut_off(from->min_y, from->max_y, motion.dy);
    motion.enter = 1;
    CHECK((oracle_meetings(&o, &motion, NULL, meetings) > 0) == (count > 0));
    if (count > 0) CHECK(hits[0].nx == meetings[0].hit.nx && hits[0].ny == meetings[0].hit.ny);
    for (i = 0; i < count; i++) {
        stops_x += hits[i].nx != 0, stops_y += hits[i].ny != 0;
        check_side(end, &hits[i]);
    }
    CHECK(stops_x < 2 && stops_y < 2);
    CHECK(stops_x || at_end((double)from->min_x, (double)from->max_x, (double)motion.dx,
                            (double)end->min_x, (double)end->max_x));
    CHECK(stops_y || at_end((double)from->min_y, (double)from->max_y, (double)motion.dy,
                            (double)end->min_y, (double)end->max_y));
    if (count == 2) { /* along the other axis it does more than touch what stops it second */
        const spt_box *box = &o.boxes[hits[1].id];
        CHECK(hits[1].nx ? end->min_y < box->max_y && box->min_y < end->max_y
                         : end->min_x < box->max_x && box->min_x < end->max_x);
    }
    for (id = 0; id < o.ids; id++)
        if (o.there[id] && !is_in(from, &o.boxes[id])) CHECK(!is_in(end, &o.boxes[id]));
}

/* Asks for slides in one index, and in the same one as two layers. */
static void ask_slide(const spt_motion *motion, const spt_layer *whole, const spt_layer *parts,
                      spt_i32 first_ids)
{
    spt_box end = motion->box, other_end = end;
    spt_hit hits[2], other_hits[2];
    const int expected = brute_motion_error(motion);
    const int count_hits = spt_slide(whole, 1, motion, &end, hits);
    int i;
    CHECK(spt_slide(parts, 2, motion, &other_end, other_hits) == count_hits);
    if (expected) CHECK(count_hits == expected);
    if (expected || !CHECK(count_hits >= 0 && count_hits <= 2)) return;
    CHECK(same_box(&end, &other_end));
    for (i = 0; i < count_hits; i++) CHECK(same_hit_layered(other_hits[i], &hits[i], first_ids));
    check_slide(*motion, &end, hits, count_hits);
}

static void ask_layers(int number)
{
    static brute_meeting meetings[ORACLE_IDS];
    const spt_motion motion = motion_of(&number);
    const brute_set set = oracle_set(&o);
    const spt_i32 met = oracle_meetings(&o, &motion, NULL, meetings);
    spt_layer whole, parts[2];
    spt_filter filters[2];
    spt_hit hit;
    int i;
    memset(&whole, 0, sizeof whole), memset(filters, 0, sizeof filters);
    whole.index = &o.index;
    for (i = 0; i < MOST_IDS; i++) o.categories[i] = i < number ? 1 : 2;
    for (i = 0; i < 2; i++) {
        filters[i].categories = o.categories, filters[i].mask = (spt_u32)(i + 1);
        parts[i] = whole, parts[i].filter = &filters[i];
    }
    CHECK(spt_any_among(parts, 2, &motion.box) == (brute_query(&set, &motion.box, NULL, NULL) > 0));
    CHECK(spt_cast_among(parts, 2, &motion, &hit) == (met > 0 ? 1 : met));
    if (met > 0) CHECK(same_hit_layered(hit, &meetings[0].hit, (spt_i32)number));
    ask_slide(&motion, &whole, parts, (spt_i32)number);
}

static void layers_answer_as_one_index(void)
{
    static const questions q = {layered_motions, ask_layers, 1500};
    try_grids(&q);
}

/* ---- Pairs ----------------------------------------------------------------------------------- */

static int sets_of_ids(void)
{
    return PAIR_FORMS << MOST_IDS;
}

/* The bits of the number are the ids that have moved. */
static void ask_pairs(int number)
{
    unsigned char moved[ORACLE_IDS];
    spt_i32 ids[MOST_IDS], n = 0, id, result;
    set_filter(number >> MOST_IDS);
    memset(moved, 0, sizeof moved);
    for (id = MOST_IDS; id-- > 0;)
        if (number >> id & 1) moved[id] = 1, ids[n++] = id;
    if (n == 0) oracle_pairs(&o);
    oracle_stain(&o.pairs);
    result = spt_pairs_of(&o.index, ids, n, o.filter, &o.pairs);
    if (o.only_built)
        CHECK(result == SPT_ERR_KIND && spt_intlist_count(&o.pairs) == 0);
    else
        oracle_expect_pairs(&o, result, moved);
    CHECK(spt_pairs_of(&o.index, ids, n, o.filter, NULL) == result);
}

static void all_pairs_are_found(void)
{
    static const questions q = {sets_of_ids, ask_pairs, 120};
    try_grids(&q);
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

#ifdef SPTI_SHAPES
#define RADII 3

static int shapes(void)
{
    const int points = on->lines * on->lines;
    return (points + points * points + points * points * points) * RADII * FORMS;
}

/* Points, lines and triangles with corners on the lines of the grid. */
static void ask_shape(int number)
{
    static const double radii[RADII] = {0, 0.5, 1};
    const int places = on->lines * on->lines;
    spt_coord points[6];
    spt_shape shape;
    spt_i32 ids[MOST_IDS], expected = 0, id;
    int error, i, shapes_of = places;
    set_filter(number % FORMS), number /= FORMS;
    shape.points = points, shape.count = 1;
    shape.radius = coord_of(radii[number % RADII] * on->unit), number /= RADII;
    for (; number >= shapes_of; number -= shapes_of, shapes_of *= places) shape.count++;
    for (i = 0; i < shape.count; i++, number /= places) {
        points[2 * i] = lines_x[number % places / on->lines];
        points[2 * i + 1] = lines_y[number % places % on->lines];
    }
    error = spt_box_meets_shape(&all[0], &shape);
    for (id = 0; id < o.ids && error >= 0; id++)
        if (o.there[id] && spt_box_meets_shape(&o.boxes[id], &shape) && brute_accepts(o.filter, id))
            ids[expected++] = id;
    oracle_want(&o, ids, expected);
    oracle_stain(&o.found);
    oracle_expect(&o, spt_overlap(&o.index, &shape, o.filter, &o.found),
                  error < 0 ? error : expected);
}

static void all_shapes_find_what_they_meet(void)
{
    static const questions q = {shapes, ask_shape, 900};
    try_grids(&q);
}
#endif

/* ---- Boxes without an index ------------------------------------------------------------------ */

static void check_two_boxes(const spt_box *a, const spt_box *b)
{
    const brute_key key = brute_distance(a, b);
    spt_box common = *a, around;
    int i, meet = brute_overlap(a, b);
    CHECK(spt_box_overlap(a, b) == meet);
    for (i = 0; i < DISTANCES; i++)
        CHECK(spt_box_within(a, b, distance_of(i)) == brute_key_within(&key, distance_of(i)));
    CHECK((spt_box_distance(a, b) > 0) == !meet);
    CHECK(spt_box_intersection(a, b, &common) == meet);
    CHECK(brute_holds(a, &common) && (!meet || brute_holds(b, &common)));
    spt_box_union(a, b, &around);
    CHECK(brute_holds(&around, a) && brute_holds(&around, b));
    CHECK(spt_box_has_point(a, b->min_x, b->max_y) ==
          (b->min_x >= a->min_x && b->min_x <= a->max_x && b->max_y >= a->min_y &&
           b->max_y <= a->max_y));
}

static void check_motion(int number, const spt_box *box)
{
    const spt_motion motion = motion_of(&number);
    const int good = brute_motion_error(&motion) == SPT_OK;
    brute_meeting meeting;
    spt_hit hit;
    spt_box end, swept;
    int met = good && brute_cast_one(&motion, box, &meeting);
    CHECK(spt_box_cast(&motion, box, &hit) == met);
    if (!met) return;
    CHECK(same_hit(&hit, &meeting.hit));
    spt_box_stop(&motion, &hit, box, &end);
    if (!is_in(&motion.box, box)) CHECK(!is_in(&end, box));
    spt_box_swept(&motion, &swept);
    CHECK(brute_overlap(&swept, box));
}

static void functions_of_boxes_mean_what_the_loops_mean(void)
{
    const int every = (int)test.divisor;
    long i, end;
    int g;
    for (g = 0; g < TEST_COUNT(grids); g++) {
        set_grid(&grids[g]);
        test_context(on->name, 0);
        end = (long)all_count * all_count;
        for (i = 0; i < end; i++) check_two_boxes(&all[i / all_count], &all[i % all_count]);
        for (i = test_below(every); i < end * all_count; i = after(i, every)) {
            const spt_box *box = &all[i % all_count], *a = &all[i / all_count % all_count];
            const spt_box *b = &all[i / end];
            const brute_key one = brute_distance(box, a), two = brute_distance(box, b);
            CHECK(spt_box_nearer(box, a, b) == brute_key_compare(&one, &two));
        }
        end = (long)motions() / FORMS * all_count;
        for (i = test_below(every); i < end; i = after(i, every))
            check_motion((int)(i / all_count), &all[i % all_count]);
    }
}

/* A bit for each pair of up to four boxes. */
static unsigned bit_of(spt_i32 a, spt_i32 b)
{
    return 1u << (4 * a + b);
}

/* Finds the pairs of n boxes, or if `between` is not negative, of the first ones and the others. */
static void check_broadphase(spt_broadphase *bp, const spt_box *boxes, spt_i32 n, spt_i32 between)
{
    spt_i32 a, b, count = 0, i;
    unsigned expected = 0, told = 0;
    const spt_i32 second = between < 0 ? 0 : between;
    for (a = 0; a < (between < 0 ? n : between); a++)
        for (b = between < 0 ? a + 1 : between; b < n; b++)
            if (brute_overlap(&boxes[a], &boxes[b])) expected |= bit_of(a, b - second), count++;
    if (between < 0)
        CHECK(spt_broadphase_pairs(bp, boxes, n, NULL, &o.pairs) == count);
    else
        CHECK(spt_broadphase_pairs_between(bp, boxes, between, boxes + between, n - between, NULL,
                                           &o.pairs) == count);
    if (!CHECK(spt_intlist_count(&o.pairs) == count)) return;
    for (i = 0; i < count; i++)
        told |= bit_of(spt_intlist_get(&o.pairs, i, 0), spt_intlist_get(&o.pairs, i, 1));
    CHECK(told == expected);
}

static void a_broadphase_finds_the_pairs_of_up_to_four_boxes(void)
{
    spt_broadphase bp;
    spt_box boxes[4];
    long i;
    int g, every;
    CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK);
    CHECK(spt_intlist_init(&o.pairs, 2) == SPT_OK);
    for (g = 0; g < TEST_COUNT(grids); g++) {
        set_grid(&grids[g]);
        every = (int)test.divisor * (g == 0 ? 1 : 10);
        for (i = test_below(every); i < worlds_of(3); i = after(i, every)) {
            spt_i32 n = world_of(i, boxes), between;
            test_context(on->name, i);
            boxes[n++] = any_box();
            for (between = -1; between <= n; between++) check_broadphase(&bp, boxes, n, between);
        }
    }
    spt_broadphase_free(&bp);
    spt_intlist_free(&o.pairs);
}

/* ---- Sequences of calls ---------------------------------------------------------------------- */

#define OPERATIONS 29
#define CALLS 4

/* Six boxes of a world of four lines: small ones in corners, a line, a point, and large ones. */
static const int six[6][4] = {{0, 0, 1, 1}, {1, 1, 2, 2}, {3, 0, 3, 3},
                              {2, 2, 2, 2}, {0, 0, 3, 3}, {2, 0, 3, 1}};

static spt_box one_of_six(int number)
{
    const int *at = six[number];
    spt_box box;
    box.min_x = lines_x[at[0]], box.min_y = lines_y[at[1]];
    box.max_x = lines_x[at[2]], box.max_y = lines_y[at[3]];
    return box;
}

static void build_some(int n)
{
    spt_box boxes[3];
    int i;
    for (i = 0; i < 3; i++) boxes[i] = one_of_six(i);
    oracle_build(&o, boxes, (spt_i32)n);
}

static void rebound(const spt_box *box)
{
    CHECK(spt_rebound(&o.index, box) == (o.only_built ? SPT_ERR_KIND : SPT_OK));
}

static void move_both(void)
{
    static const spt_i32 ids[3] = {1, 0, 1};
    spt_box boxes[ORACLE_IDS];
    boxes[0] = one_of_six(4), boxes[1] = one_of_six(0);
    oracle_move_many(&o, ids, boxes, 3);
}

static void ask_once(void)
{
    const spt_box window = one_of_six(1);
    spt_motion motion;
    memset(&motion, 0, sizeof motion);
    motion.box = window, motion.dx = coord_of(on->unit), motion.dy = coord_of(-on->unit);
    oracle_query(&o, &window);
    oracle_visit(&o, &window, 0);
    oracle_around(&o, &window);
    oracle_nearest(&o, &window, 2, SPT_NO_LIMIT);
    oracle_cast(&o, &motion);
}

static void count_pairs(void)
{
    const brute_set set = oracle_set(&o);
    CHECK(spt_pairs(&o.index, NULL, NULL) == brute_count_pairs(&set, NULL));
}

static void refuse(void)
{
    const spt_box good = one_of_six(0), bad = bad_box(&good, 0);
    oracle_insert(&o, 1, &bad);
    oracle_move(&o, 0, &bad);
    oracle_insert(&o, -1, &good);
    oracle_move(&o, 3, &good);
    oracle_remove(&o, INT32_MAX);
    oracle_query(&o, &bad);
    oracle_build(&o, &bad, 1);
    CHECK(spt_copy(&other.index, &o.index) == SPT_ERR_INIT);
}

static void operate(const struct setup *as, int operation)
{
    const spt_box inner = oracle_bounds(&inner_bounds);
    spt_box box = one_of_six(operation % 6);
    if (operation < 6) {
        oracle_insert(&o, operation % 2, &box);
        return;
    }
    if (operation < 12) {
        oracle_move(&o, operation / 2 % 2, &box);
        return;
    }
    box = one_of_six(3);
    if (operation == 12) oracle_remove(&o, 0);
    else if (operation == 13) oracle_remove(&o, 1);
    else if (operation == 14) oracle_insert(&o, 2, &box);
    else if (operation == 15) oracle_remove(&o, 2);
    else if (operation == 16) oracle_move(&o, 2, &box);
    else if (operation == 17) oracle_clear(&o);
    else if (operation == 18) spt_tidy(&o.index);
    else if (operation == 19) build_some(0);
    else if (operation == 20) build_some(2);
    else if (operation == 21) build_some(3);
    else if (operation == 22) rebound(NULL);
    else if (operation == 23) rebound(&inner);
    else if (operation == 24) copy_index(as);
    else if (operation == 25) move_both();
    else if (operation == 26) ask_once();
    else if (operation == 27) count_pairs();
    else refuse();
}

static void all_sequences_of_four_calls_do_what_the_model_does(void)
{
    const int combinations = SETUPS * 2, every = 16 * (int)test.divisor;
    long i, sequences = 1, sequence;
    int k;
    set_grid(&grids[1]);
    for (k = 0; k < CALLS; k++) sequences *= OPERATIONS;
    for (i = test_below(every); i < sequences * combinations; i = after(i, every)) {
        const struct setup *as = &setups[i % SETUPS];
        test_context(as->structure, i);
        oracle_fits = test_below(2);
        open_empty(&o, as, i / SETUPS % 2 ? 2 : 0);
        for (k = 0, sequence = i / combinations; k < CALLS; k++, sequence /= OPERATIONS)
            operate(as, (int)(sequence % OPERATIONS));
        oracle_compare(&o);
        ask_once(), count_pairs();
        close_world();
    }
}

static const test_case tests[] = {
    TEST(all_windows_find_what_is_there),
    TEST(all_that_is_near_is_found),
    TEST(all_motions_meet_what_is_on_their_way),
    TEST(layers_answer_as_one_index),
    TEST(all_pairs_are_found),
#ifdef SPTI_SHAPES
    TEST(all_shapes_find_what_they_meet),
#endif
    TEST(functions_of_boxes_mean_what_the_loops_mean),
    TEST(a_broadphase_finds_the_pairs_of_up_to_four_boxes),
    TEST(all_sequences_of_four_calls_do_what_the_model_does),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
