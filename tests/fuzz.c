/* fuzz.c - bytes to operations, checked against the naive model. A check that fails aborts.

   With libFuzzer:   clang -g -O1 -fsanitize=fuzzer,address,undefined tests/fuzz.c -o fuzz -lm
                     ./fuzz -len_control=0 -max_len=4100 new_inputs tests/corpus
   Replay files:     cc -g -DFUZZ_REPLAY tests/fuzz.c -o fuzz -lm && ./fuzz crash-...
   Without a file:   some hundred inputs made from SEED

   The first byte chooses a function of the table at the end, which gets the others. tests/corpus
   has the fewest inputs that take all branches found; tests/README.md says how to make it. */
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"

#define MOST_BOXES 1100 /* of more than 1024 the broadphase has more than one leaf */
#define MOST_POINTS 400
#define FEW_BOXES 256 /* up to which spt_check does not take most of the time */

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void order_edges(spt_coord *min, spt_coord *max)
{
    spt_coord keep = *min;
    if (*min <= *max) return;
    *min = *max;
    *max = keep;
    if (!(*min <= *max)) *min = *max = 0; /* a NaN */
}

/* ---- Scenes ---------------------------------------------------------------------------------- */

/* Boxes as they are in memory, with all the numbers that there are; most of them are not valid
   unless that is mended. */
static spt_i32 read_boxes(const unsigned char *data, size_t size, int mend, spt_box *boxes)
{
    size_t n = size / sizeof *boxes, i;
    if (n > FEW_BOXES) n = FEW_BOXES;
    if (n > 0) memcpy(boxes, data, n * sizeof *boxes);
    for (i = 0; i < n && mend; i++) {
        order_edges(&boxes[i].min_x, &boxes[i].max_x);
        order_edges(&boxes[i].min_y, &boxes[i].max_y);
    }
    return (spt_i32)n;
}

/* Many boxes of few bytes: four say how many, and how far each copy of the others lies from the one
   before; and four make a box. */
static spt_i32 repeat_boxes(const unsigned char *data, size_t size, int most, spt_box *boxes)
{
    const int of = (int)size / 4 - 1;
    int n, i;
    if (of < 1) return 0;
    n = (data[0] + 256 * data[1]) % (most + 1);
    for (i = 0; i < n; i++) {
        const unsigned char *at = data + 4 + 4 * (i % of);
        const int x = at[0] * 4 + i / of * (data[2] - 64), y = at[1] * 4 + i / of * (data[3] - 64);
        boxes[i] = box_of(x, y, x + (at[2] < 240 ? at[2] / 8 : 2000), y + at[3] / 8);
    }
    return n;
}

/* Pairs in any order: their number, and a sum that tells which they are. */
typedef struct pairs_sum {
    spt_i32 count;
    uint32_t sum;
} pairs_sum;

static void add_pair(pairs_sum *s, spt_i32 a, spt_i32 b)
{
    const uint32_t bits = ((uint32_t)a * 0x9E3779B1u ^ (uint32_t)b) * 0x85EBCA6Bu;
    s->count++;
    s->sum += bits ^ bits >> 15;
}

static void expect_pairs(const spt_intlist *found, spt_i32 result, const pairs_sum *expected)
{
    const spt_i32 *ids = spt_intlist_data(found);
    pairs_sum s = {0, 0};
    spt_i32 k;
    for (k = 0; k < spt_intlist_count(found); k++) add_pair(&s, ids[2 * k], ids[2 * k + 1]);
    CHECK(result == expected->count && s.count == result && s.sum == expected->sum);
}

static void expect_ids(const spt_intlist *found, spt_i32 result, const spt_i32 *ids, spt_i32 n)
{
    spt_i32 k;
    CHECK(result == n && spt_intlist_count(found) == (n > 0 ? n : 0));
    for (k = 0; k < spt_intlist_count(found); k++) CHECK(spt_intlist_get(found, k, 0) == ids[k]);
}

/* The pairs of a set of which one has an id that `every` divides, and one is below `split` and the
   other is not, with the number of the latter in its own part; every 1, split 0: all. */
static pairs_sum brute_pairs(const brute_set *set, spt_i32 every, spt_i32 split)
{
    pairs_sum s = {0, 0};
    spt_i32 a, b;
    for (a = 0; a < (split ? split : set->n); a++)
        for (b = split ? split : a + 1; b < set->n; b++)
            if ((a % every == 0 || b % every == 0) && brute_overlap(&set->boxes[a], &set->boxes[b]))
                add_pair(&s, a, b - split);
    return s;
}

/* ---- Movers ---------------------------------------------------------------------------------- */

/* Layers that hold the same elements: those of an index, of another one, and of the first index by
   halves. */
typedef struct places {
    const brute_set *set;
    spt_layer layers[3][2];
    spt_filter halves[2];
    spt_u32 categories[MOST_BOXES];
} places;

static const int counts[3] = {1, 1, 2}; /* of layers */

#ifdef SPTI_SHAPES
/* Every third element is a triangle in its box. */
static int fuzz_shape(void *ctx, spt_i32 id, spt_shape *out) SPT_CALLBACK
{
    static spt_coord points[6];
    const brute_set *set = (const brute_set *)ctx;
    const spt_box *box = &set->boxes[id];
    if (id % 3 != 0 || !brute_finite(box->min_x) || !brute_finite(box->max_x) ||
        !brute_finite(box->min_y) || !brute_finite(box->max_y))
        return 0;
    points[0] = points[4] = box->min_x, points[1] = points[3] = box->min_y;
    points[2] = box->max_x, points[5] = box->max_y;
    out->points = points, out->count = 3, out->radius = 0;
    return 1;
}
#endif

static void open_places(places *p, const spt_index *a, const spt_index *b, const brute_set *set,
                        int shapes)
{
    spt_i32 id;
    int k;
    memset(p->layers, 0, sizeof p->layers);
    memset(p->halves, 0, sizeof p->halves);
    p->set = set;
    for (id = 0; id < set->n; id++) p->categories[id] = id < set->n / 2 ? 1 : 2;
    p->layers[0][0].index = p->layers[2][0].index = p->layers[2][1].index = a;
    p->layers[1][0].index = b;
    for (k = 0; k < 2; k++) {
        p->halves[k].categories = p->categories, p->halves[k].mask = k ? 2 : 1;
        p->layers[2][k].filter = &p->halves[k];
    }
#ifdef SPTI_SHAPES
    for (k = 0; k < 6 && shapes; k++) {
        p->layers[k / 2][k % 2].shape = fuzz_shape;
        memcpy(&p->layers[k / 2][k % 2].ctx, &set, sizeof set); /* nothing writes to it */
    }
#else
    (void)shapes;
#endif
}

/* Of the layer that has the element; which is then as of the first one. */
static void expect_layer(const places *p, int k, spt_i32 id, int *layer)
{
    CHECK(*layer == (k == 2 && id >= p->set->n / 2));
    *layer = 0;
}

/* Boxes that move find the same everywhere, and end inside of nothing that they were outside of. */
static void fuzz_boxes_move(places *p, const spt_motion *motion)
{
    const int error = brute_motion_error(motion);
    const spt_box *boxes = p->set->boxes;
    spt_i32 id;
    int k, i, first = 0, met = 0;
    spt_hit hits[3][2], hit[3];
    spt_box end[3];
    for (k = 0; k < 3; k++) {
        const int n = spt_slide(p->layers[k], counts[k], motion, &end[k], hits[k]);
        const int m = spt_cast_among(p->layers[k], counts[k], motion, &hit[k]);
        const int any = brute_valid(&motion->box)
                            ? brute_query(p->set, &motion->box, NULL, NULL) > 0
                            : SPT_ERR_BOX;
        CHECK(spt_any_among(p->layers[k], counts[k], &motion->box) == any);
        if (k == 0) first = n, met = m;
        CHECK(n == first && m == met && (error ? n == error && m == error : n >= 0));
        for (i = 0; i < n; i++) {
            expect_layer(p, k, hits[k][i].id, &hits[k][i].layer);
            CHECK(same_hit(&hits[k][i], &hits[0][i]));
        }
        if (m == 1) expect_layer(p, k, hit[k].id, &hit[k].layer);
        CHECK(m != 1 || same_hit(&hit[k], &hit[0]));
        CHECK(error || same_box(&end[k], &end[0]));
    }
    for (id = 0; id < p->set->n && !error; id++)
        if (brute_there(p->set, id) && !is_in(&motion->box, &boxes[id]))
            CHECK(!is_in(&end[0], &boxes[id]));
}

#ifdef SPTI_SHAPES
/* A round shape that has slid from a free place is at most half a skin inside of anything; if the
   skin is as thick as the manual wants it. */
static void expect_outside(const places *p, const spt_shape *shape, spt_coord x, spt_coord y,
                           spt_coord skin)
{
    spt_coord points[8], most = 0;
    spt_shape inner = *shape;
    int k;
    for (k = 0; k < 2 * shape->count; k++) {
        points[k] = shape->points[k] + (k % 2 ? y : x);
        most = SPTI_MAX(most, SPTI_MAX(points[k], -points[k]));
        most = SPTI_MAX(most, SPTI_MAX(shape->points[k], -shape->points[k]));
    }
    inner.points = points, inner.radius -= skin * 5 / 8;
    if (inner.radius > 0 && skin > most / 65536 && skin > (spt_coord)1e-9)
        CHECK(spt_shape_any(p->layers[0], 1, &inner) == 0);
}

static void fuzz_shape_slides(const places *p, const spt_shape *shape, spt_coord dx, spt_coord dy,
                              spt_coord skin)
{
    spt_coord x[3] = {0, 0, 0}, y[3] = {0, 0, 0};
    spt_shape_hit hits[3][SPT_SHAPE_HITS];
    int k, i, first = 0;
    for (k = 0; k < 3; k++) {
        const int n = spt_shape_slide(p->layers[k], counts[k], shape, dx, dy, skin, &x[k], &y[k],
                                      hits[k]);
        if (k == 0) first = n;
        CHECK(n == first && n <= SPT_SHAPE_HITS && x[k] == x[0] && y[k] == y[0]);
        for (i = 0; i < n; i++) {
            expect_layer(p, k, hits[k][i].id, &hits[k][i].layer);
            CHECK(same_shape_hit(&hits[k][i], &hits[0][i]));
        }
    }
    if (first >= 0 && spt_shape_any(p->layers[0], 1, shape) == 0)
        expect_outside(p, shape, x[0], y[0], skin);
}

static void fuzz_shape_casts(const places *p, const spt_shape *shape, spt_coord dx, spt_coord dy,
                             spt_coord skin)
{
    spt_shape_hit hit[3];
    int k, first = 0, any = 0;
    for (k = 0; k < 3; k++) {
        const int n = spt_shape_cast(p->layers[k], counts[k], shape, dx, dy, skin, &hit[k]);
        const int here = spt_shape_any(p->layers[k], counts[k], shape);
        if (k == 0) first = n, any = here;
        CHECK(n == first && here == any);
        if (n != 1) continue;
        expect_layer(p, k, hit[k].id, &hit[k].layer);
        CHECK(same_shape_hit(&hit[k], &hit[0]));
    }
}
#endif

/* Moves a box, and a shape with some of its corners and a radius. Six bits of `form` choose the
   shape, its skin, and whether elements are shapes. */
static void fuzz_movers(const spt_index *a, const spt_index *b, const brute_set *set,
                        const spt_motion *motion, int form)
{
    static places p;
    open_places(&p, a, b, set, form & 1);
    fuzz_boxes_move(&p, motion);
#ifdef SPTI_SHAPES
    {
        const spt_box *box = &motion->box;
        const spt_coord size = box->max_x - box->min_x, skin = size / (form & 2 ? 64 : 8);
        spt_coord points[8];
        spt_shape shape;
        points[0] = points[6] = box->min_x, points[1] = points[3] = box->min_y;
        points[2] = points[4] = box->max_x, points[5] = points[7] = box->max_y;
        shape.points = points, shape.count = 1 + (form >> 2) % 4;
        shape.radius = form & 16 ? size / 4 : form & 32 ? 1 : 0;
        fuzz_shape_casts(&p, &shape, motion->dx, motion->dy, form & 8 ? 0 : skin);
        fuzz_shape_slides(&p, &shape, motion->dx, motion->dy, skin);
    }
#endif
}

/* ---- Searches -------------------------------------------------------------------------------- */

/* One box as a place and as a moving box, the numbers of another as distances and ways. */
static void fuzz_searches(const spt_index *x, const brute_set *set, const spt_box *box,
                          const spt_box *numbers, spt_intlist *found)
{
    static spt_i32 ids[MOST_BOXES];
    static brute_meeting meetings[MOST_BOXES];
    spt_coord limit = numbers->max_x;
    spt_i32 expected = SPT_ERR_ARGUMENT, k;
    spt_filter filter;
    spt_motion motion;
    spt_hit hit;
    if (limit >= 0) expected = brute_within(set, box, limit, NULL, ids);
    CHECK(spt_within(x, box, limit, NULL, found) == expected);
    expected = coord_is_nan(limit) ? SPT_ERR_ARGUMENT
                                   : brute_nearest(set, box, set->n / 2, limit, NULL, ids);
    expect_ids(found, spt_nearest(x, box, set->n / 2, limit, NULL, found), ids, expected);
    motion.box = *box;
    motion.dx = numbers->min_x;
    motion.dy = numbers->max_y;
    motion.enter = set->n % 2;
    expected = brute_motion_error(&motion);
    if (!expected) expected = brute_cast_all(set, &motion, NULL, meetings);
    for (k = 0; k < expected; k++) ids[k] = meetings[k].hit.id;
    expect_ids(found, spt_cast_all(x, &motion, NULL, found), ids, expected);
    CHECK(spt_cast(x, &motion, NULL, &hit) == (expected > 0 ? 1 : expected));
    if (expected > 0) CHECK(same_hit(&hit, &meetings[0].hit));
    memset(&filter, 0, sizeof filter);
    for (; filter.relation <= SPT_EQUALS; filter.relation++) {
        expected = brute_query(set, box, &filter, NULL);
        CHECK(spt_query(x, box, &filter, found) == expected);
        CHECK(spt_any(x, box, &filter) == (expected > 0));
    }
}

static spt_box box_between(const spt_box *a, const spt_box *b)
{
    spt_box box;
    box.min_x = a->min_x / 2 + b->min_x / 2, box.max_x = a->max_x / 2 + b->max_x / 2;
    box.min_y = a->min_y / 2 + b->min_y / 2, box.max_y = a->max_y / 2 + b->max_y / 2;
    return box;
}

/* All elements of a structure at once, some of them as windows, and with other boxes. packed: with
   the same elements. */
static void fuzz_built(spt_index *x, const spt_index *packed, const brute_set *set, int form)
{
    static spt_i32 ids[MOST_BOXES];
    static spt_box other[MOST_BOXES];
    const int built = strcmp(spt_kind(x), "packed") == 0, every = 2 + form % 30;
    const pairs_sum all = brute_pairs(set, 1, 0), some = brute_pairs(set, every, 0);
    spt_i32 n = set->n, i;
    spt_intlist pairs, found;
    CHECK(spt_intlist_init(&pairs, 2) == SPT_OK && spt_intlist_init(&found, 1) == SPT_OK);
    expect_pairs(&pairs, spt_pairs(x, NULL, &pairs), &all);
    for (i = 0; every * i < n; i++) ids[i] = every * i;
    if (built) CHECK(spt_pairs_of(x, ids, i, NULL, &pairs) == SPT_ERR_KIND);
    else expect_pairs(&pairs, spt_pairs_of(x, ids, i, NULL, &pairs), &some);
    for (i = 0; i < n; i += 1 + n / 4) {
        const spt_box *next = &set->boxes[(i + 1) % n];
        spt_motion motion = {{0, 0, 0, 0}, 0, 0, 0};
        fuzz_searches(x, set, &set->boxes[i], next, &found);
        motion.box = box_between(&set->boxes[i], next);
        motion.dx = next->min_x, motion.dy = next->max_y;
        fuzz_movers(x, packed, set, &motion, form);
    }
    for (i = 0; i < n; i++) ids[i] = i, other[i] = set->boxes[n - 1 - i];
    if (built) CHECK(n == 0 || spt_packed_refit(x, other, n) == SPT_OK);
    else CHECK(spt_move_many(x, ids, other, n) == n);
    CHECK(spt_pairs(x, NULL, NULL) == all.count && (n > FEW_BOXES || spt_check(x)));
    spt_intlist_free(&found);
    spt_intlist_free(&pairs);
}

/* All pairs of an array, and those between its two parts. */
static void fuzz_broadphase(const brute_set *set, int valid, spt_i32 split)
{
    pairs_sum all = {SPT_ERR_BOX, 0}, between = {SPT_ERR_BOX, 0};
    const spt_i32 n = set->n;
    oracle_cells cells = {0, 0, 0};
    spt_broadphase bp;
    spt_intlist out;
    spt_i32 result;
    CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK && spt_intlist_init(&out, 2) == SPT_OK);
    if (valid) all = brute_pairs(set, 1, 0);
    result = spt_broadphase_pairs(&bp, set->boxes, n, NULL, &out);
    if (valid) expect_pairs(&out, result, &all);
    else CHECK(result == SPT_ERR_BOX && spt_intlist_count(&out) == 0);
    if (valid && split > 0) between = brute_pairs(set, 1, split);
    if (valid && split == 0) between.count = 0;
    result = spt_broadphase_pairs_between(&bp, set->boxes, split, set->boxes + split, n - split,
                                          NULL, &out);
    if (valid) expect_pairs(&out, result, &between);
    else CHECK(result == SPT_ERR_BOX && spt_intlist_count(&out) == 0);
    CHECK(spt_broadphase_traverse(&bp, oracle_on_cell, &cells) == 0);
    CHECK(cells.elements == (valid ? n : 0));
    spt_intlist_free(&out);
    spt_broadphase_free(&bp);
}

/* Three bytes choose how boxes are made of the others, the structure and what is asked. */
static void fuzz_scene(const unsigned char *data, size_t size)
{
    static spt_box boxes[MOST_BOXES];
    static oracle o;
    oracle_setup setup = {NULL, NULL, 0, 0, 0, {NULL, NULL}, NULL};
    brute_set set = {boxes, NULL, 0};
    int valid = 1, result;
    spt_index packed;
    spt_i32 i;
    if (size < 3) return;
    set.n = data[0] % 4 < 2 ? read_boxes(data + 3, size - 3, data[0] % 4, boxes)
                            : repeat_boxes(data + 3, size - 3, MOST_BOXES, boxes);
    for (i = 0; i < set.n; i++) valid &= brute_valid(&boxes[i]);
    fuzz_broadphase(&set, valid, set.n * data[1] / 256);
    setup.structure = oracle_any_structure(data[0] / 4 % ORACLE_ALL)->name;
    setup.world = &oracle_worlds[data[2] % ORACLE_WORLDS];
    oracle_fits = data[1] % 2;
    CHECK(oracle_make(&o, &setup) == SPT_OK && spt_packed_init(&packed, NULL) == SPT_OK);
    result = spt_build(&o.index, boxes, set.n);
    CHECK(result == (valid ? SPT_OK : SPT_ERR_BOX));
    CHECK(spt_build(&packed, boxes, set.n) == result);
    CHECK(spt_count(&o.index) == (valid ? set.n : 0));
    CHECK(set.n > FEW_BOXES || spt_check(&o.index));
    if (valid) fuzz_built(&o.index, &packed, &set, data[2]);
    spt_free(&packed);
    spt_free(&o.index);
}

/* ---- Steps of one index ---------------------------------------------------------------------- */

/* Goes on with a copy. */
static void fuzz_copy(oracle *o, const oracle_setup *setup)
{
    static oracle other;
    const long failures = oracle_failures(o);
    spt_index copied;
    int result = oracle_make(&other, setup);
    if (result == SPT_OK) {
        result = spt_copy(&other.index, &o->index);
        copied = other.index;
        if (result == SPT_OK) other.index = o->index, o->index = copied;
        spt_free(&other.index);
    }
    CHECK(result == SPT_OK || (result == SPT_ERR_MEMORY && oracle_failures(o) > failures));
    oracle_compare(o);
}

static void fuzz_rebound(oracle *o)
{
    const long failures = oracle_failures(o);
    const spt_box box = oracle_random_box(o);
    const int fitted = oracle_draw(o, 2);
    const int result = spt_rebound(&o->index, fitted ? NULL : &box);
    CHECK(result == SPT_OK || (result == SPT_ERR_KIND && o->only_built) ||
          (result == SPT_ERR_ARGUMENT && !fitted) ||
          (result == SPT_ERR_MEMORY && oracle_failures(o) > failures));
    oracle_compare(o);
}

/* Movers among the same elements in another structure. */
static void fuzz_beside(oracle *o, const oracle_setup *of)
{
    static oracle other;
    oracle_setup setup = {NULL, NULL, 0, 0, 0, {NULL, NULL}, NULL};
    const brute_set set = oracle_set(o);
    const spt_motion motion = oracle_draw_motion(o);
    spt_i32 id;
    setup.world = of->world;
    setup.structure = strcmp(of->structure, "quadtree") == 0 ? "linear" : "quadtree";
    CHECK(oracle_make(&other, &setup) == SPT_OK);
    for (id = 0; id < set.n; id++)
        if (o->there[id]) CHECK(spt_insert(&other.index, id, &o->boxes[id]) == SPT_OK);
    fuzz_movers(&o->index, &other.index, &set, &motion, oracle_draw(o, 64));
    spt_free(&other.index);
}

static void fuzz_step(oracle *o, const oracle_setup *setup)
{
    switch (oracle_draw(o, 5)) {
    case 0: fuzz_copy(o, setup); break;
    case 1: fuzz_rebound(o); break;
    case 2: fuzz_beside(o, setup); break;
    case 3: o->memory->fail_at = o->memory->calls + 1 + oracle_draw(o, 8); break;
    default: oracle_step_question(o); break;
    }
}

/* The levels of the others take memory, and time to clear it, even where nothing is. */
static int deepest(const char *structure)
{
    return strcmp(structure, "quadtree") == 0 ? SPT_QUADTREE_MAX_DEPTH : 7;
}

/* Six bytes choose the setup, the others are the decisions of random steps. */
static void fuzz_index(const unsigned char *data, size_t size)
{
    static oracle o;
    oracle_setup setup = {NULL, NULL, 0, 0, 0, {NULL, NULL}, NULL};
    test_memory memory;
    long step = 0;
    if (size < 6) return;
    setup.structure = oracle_any_structure(data[0] % ORACLE_ALL)->name;
    setup.world = &oracle_worlds[data[1] % ORACLE_WORLDS];
    setup.levels = data[2] % (1 + deepest(setup.structure));
    setup.ids = 2 + data[3] % 100;
    setup.capacity = data[4] % 2 ? 1 + data[4] / 2 : 0;
    oracle_fits = data[5] % 2;
    test_memory_open(&memory, &setup.allocator);
    setup.memory = &memory;
    if (!CHECK(oracle_open(&o, &setup) == SPT_OK)) return;
    o.bytes = data + 6;
    o.bytes_end = data + size;
    while (o.bytes < o.bytes_end) {
        test_context(setup.world->name, step++);
        if (step % (1 + data[5] / 16) == 0) fuzz_step(&o, &setup);
        else oracle_step(&o);
    }
    oracle_compare(&o);
    oracle_pairs(&o);
    oracle_traverse(&o);
    oracle_close(&o);
    CHECK(memory.bytes == 0);
}

/* ---- Images ---------------------------------------------------------------------------------- */

/* Visits stop after some elements. */
static int fuzz_seen(void *ctx, spt_i32 id, const spt_box *box)
{
    int *left = (int *)ctx;
    (void)id, (void)box;
    return --*left == 0;
}

static int fuzz_near(void *ctx, spt_i32 id, const spt_box *box, spt_coord distance,
                     spt_coord *limit)
{
    int *left = (int *)ctx;
    (void)id, (void)box, (void)distance, (void)limit;
    return --*left == 0;
}

static int fuzz_hit(void *ctx, const spt_hit *hit, const spt_box *box, spt_coord *limit)
{
    int *left = (int *)ctx;
    (void)box;
    *limit = hit->t;
    return --*left == 0;
}

static int fuzz_cell(void *ctx, const spt_box *box, int level, spt_i32 count) SPT_CALLBACK
{
    int *left = (int *)ctx;
    (void)box, (void)level, (void)count;
    return --*left == 0;
}

/* Moves a box, and its diagonal. */
static void fuzz_movers_in_image(const spt_index *image, const spt_motion *motion,
                                 const spt_filter *filter)
{
    spt_hit hits[2];
    spt_layer world;
    spt_box end;
    memset(&world, 0, sizeof world);
    world.index = image, world.filter = filter;
    CHECK(spt_slide(&world, 1, motion, &end, hits) >= SPT_ERR_ARGUMENT);
    CHECK(spt_cast_among(&world, 1, motion, hits) >= SPT_ERR_ARGUMENT);
    CHECK(spt_any_among(&world, 1, &motion->box) ==
          (spt_query(image, &motion->box, filter, NULL) > 0));
#ifdef SPTI_SHAPES
    {
        const spt_shape line = {&motion->box.min_x, 2, 1};
        spt_coord x, y;
        CHECK(spt_shape_slide(&world, 1, &line, 5, 5, 1, &x, &y, NULL) >= SPT_ERR_ARGUMENT);
        CHECK(spt_shape_cast(&world, 1, &line, 5, 5, 0, NULL) >= SPT_ERR_ARGUMENT);
        CHECK(spt_shape_any(&world, 1, &line) >= SPT_ERR_ARGUMENT);
        CHECK(spt_overlap(image, &line, filter, NULL) >= SPT_ERR_ARGUMENT);
    }
#endif
}

/* A copy of an image is an index of its own. */
static void fuzz_copy_of_image(const spt_index *image, const spt_box *box)
{
    spt_index copied;
    CHECK(spt_packed_init(&copied, NULL) == SPT_OK && spt_copy(&copied, image) == SPT_OK);
    CHECK(spt_count(&copied) == spt_count(image) && spt_check(&copied) == spt_check(image));
    CHECK(spt_query(&copied, box, NULL, NULL) == spt_query(image, box, NULL, NULL));
    spt_free(&copied);
}

/* Asks everything of an image. Its ids may be used where it was checked: categories are no more
   than there are boxes. */
static void fuzz_questions(spt_index *image, const spt_box *box, int checked)
{
    const spt_i32 n = spt_count(image);
    spt_u32 *categories = (spt_u32 *)calloc((size_t)n, sizeof *categories);
    spt_filter filter = {NULL, 0, NULL, NULL, 0, NULL, NULL, SPT_MEETS};
    spt_intlist found, pairs;
    spt_motion motion;
    spt_hit hit;
    spt_box last;
    int left = 20, any;
    if (categories == NULL) exit(1);
    if (checked) filter.categories = categories, filter.mask = 1;
    motion.box = *box;
    motion.dx = motion.dy = 5, motion.enter = n % 2;
    spt_intlist_init(&found, 1), spt_intlist_init(&pairs, 2);
    for (; filter.relation <= SPT_EQUALS; filter.relation++) {
        CHECK(spt_query(image, box, &filter, &found) >= 0);
        any = spt_any(image, box, &filter);
        CHECK((any & ~1) == 0 && (!checked || any == (spt_intlist_count(&found) > 0)));
        CHECK(spt_query(image, box, &filter, NULL) == spt_intlist_count(&found) || !checked);
    }
    filter.relation = SPT_MEETS;
    CHECK(spt_query(image, box, NULL, &found) >= 0);
    CHECK(spt_query_many(image, box, 1, &filter, &pairs) >= 0);
    CHECK(spt_within(image, box, 3, &filter, &found) >= 0);
    CHECK(spt_nearest(image, box, n / 2, SPT_NO_LIMIT, &filter, &found) >= 0);
    CHECK(spt_cast_all(image, &motion, &filter, &found) >= SPT_ERR_ARGUMENT);
    CHECK(spt_cast(image, &motion, &filter, &hit) >= SPT_ERR_ARGUMENT);
    CHECK(spt_bounds(image, &last) == (n > 0));
    CHECK(spt_visit(image, box, &filter, fuzz_seen, &left) >= 0);
    left = 20;
    CHECK(spt_nearest_visit(image, box, &filter, fuzz_near, &left) >= 0);
    left = 20;
    CHECK(spt_cast_visit(image, &motion, &filter, fuzz_hit, &left) >= SPT_ERR_ARGUMENT);
    left = 20;
    CHECK(spt_traverse(image, fuzz_cell, &left) >= 0);
    fuzz_movers_in_image(image, &motion, &filter);
    fuzz_copy_of_image(image, box);
    CHECK(spt_box_of(image, n - 1, &last) == SPT_OK || !checked);
    if (checked) CHECK(spt_pairs(image, &filter, &pairs) >= 0);
    spt_intlist_free(&found), spt_intlist_free(&pairs);
    free(categories);
}

/* How many boxes, the boxes, and changes to their image, which has not a byte more than it needs:
   two bytes say where, and one is the new byte. Only an image whose head has changed is refused. */
static void fuzz_image(const unsigned char *data, size_t size)
{
    static spt_box boxes[80];
    const unsigned char *end = data + size;
    spt_index packed, image;
    unsigned char *copy;
    const void *memory;
    size_t n, bytes;
    n = size > 0 ? 1 + data[0] % TEST_COUNT(boxes) : 0;
    if (size < 1 + n * sizeof(spt_box) || n == 0) return;
    (void)read_boxes(++data, n * sizeof *boxes, 1, boxes);
    CHECK(spt_packed_init(&packed, NULL) == SPT_OK);
    CHECK(spt_build(&packed, boxes, (spt_i32)n) == SPT_OK);
    memory = spt_packed_data(&packed, &bytes);
    copy = (unsigned char *)malloc(bytes);
    if (copy == NULL) exit(1);
    memcpy(copy, memory, bytes);
    for (data += n * sizeof(spt_box); end - data >= 3; data += 3)
        copy[((size_t)data[0] + 256 * (size_t)data[1]) % bytes] = data[2];
    if (memcmp(copy, memory, 64) != 0) CHECK(spt_packed_view(&image, copy, bytes) == SPT_ERR_IMAGE);
    memcpy(copy, memory, 64);
    CHECK(spt_packed_view(&image, copy, bytes) == SPT_OK);
    fuzz_questions(&image, &boxes[0], spt_check(&image));
    spt_free(&image);
    spt_free(&packed);
    free(copy);
}

/* ---- Points ---------------------------------------------------------------------------------- */

/* Each pair is found from both sides, and nothing else. */
static void fuzz_points(spt_neighbours *nb, const spt_coord *points, size_t stride, spt_i32 n,
                        spt_coord radius, const pairs_sum *expected)
{
    spt_intlist rows, ids, pairs;
    pairs_sum found = {0, 0};
    spt_i32 result, i, k;
    CHECK(spt_intlist_init(&rows, 2) == SPT_OK && spt_intlist_init(&ids, 1) == SPT_OK);
    CHECK(spt_intlist_init(&pairs, 2) == SPT_OK);
    result = spt_neighbours_pairs(nb, points, points + 1, stride, n, radius, &pairs);
    if (expected->count >= 0) expect_pairs(&pairs, result, expected);
    else CHECK(result == expected->count && spt_intlist_count(&pairs) == 0);
    result = spt_neighbours_find(nb, points, points + 1, stride, n, radius, &rows, &ids);
    for (i = 0; i < spt_intlist_count(&rows); i++) {
        const spt_i32 *row = spt_intlist_data(&rows) + 2 * i;
        for (k = row[0]; k < row[0] + row[1]; k++) {
            const spt_i32 id = spt_intlist_get(&ids, k, 0);
            if (i < id) add_pair(&found, i, id);
        }
    }
    if (expected->count < 0) CHECK(result == expected->count && found.count == 0);
    else CHECK(result == 2 * expected->count && result == spt_intlist_count(&ids));
    if (expected->count >= 0) CHECK(found.count == expected->count && found.sum == expected->sum);
    spt_intlist_free(&rows), spt_intlist_free(&ids), spt_intlist_free(&pairs);
}

/* The corners of repeated boxes, without a period: as by the distances of points that are boxes. */
static void fuzz_many_points(const unsigned char *data, size_t size)
{
    static spt_box boxes[MOST_POINTS];
    pairs_sum expected = {0, 0};
    spt_neighbours nb;
    spt_i32 n, a, b;
    if (size < 2) return;
    n = repeat_boxes(data + 1, size - 1, MOST_POINTS, boxes);
    for (a = 0; a < n; a++) boxes[a].max_x = boxes[a].min_x, boxes[a].max_y = boxes[a].min_y;
    for (a = 0; a < n; a++)
        for (b = a + 1; b < n; b++) {
            const brute_key key = brute_distance(&boxes[a], &boxes[b]);
            if (brute_key_within(&key, (spt_coord)data[0])) add_pair(&expected, a, b);
        }
    CHECK(spt_neighbours_init(&nb, NULL) == SPT_OK);
    fuzz_points(&nb, &boxes[0].min_x, sizeof *boxes, n, (spt_coord)data[0], &expected);
    spt_neighbours_free(&nb);
}

/* Two periods, a radius and then points, as they are in memory. Pairs of all points are the pairs
   that each two of them make alone. If two alone are refused, so are all. */
static void fuzz_neighbours(const unsigned char *data, size_t size)
{
    static spt_coord numbers[3 + 2 * 64];
    const spt_coord *points = numbers + 3;
    size_t bytes = size < sizeof numbers ? size : sizeof numbers;
    pairs_sum expected = {0, 0};
    spt_neighbours_desc desc;
    spt_neighbours nb;
    spt_i32 n, i, k, result, wrong = 0;
    memset(&desc, 0, sizeof desc);
    memset(numbers, 0, sizeof numbers);
    memcpy(numbers, data, bytes);
    n = bytes / sizeof *numbers < 5 ? 0 : (spt_i32)((bytes / sizeof *numbers - 3) / 2);
    desc.period_x = numbers[0], desc.period_y = numbers[1];
    if (spt_neighbours_init(&nb, &desc) != SPT_OK) return;
    for (i = 0; i < n; i++)
        for (k = i + 1; k < n; k++) { /* the second point lies k - i points behind the first */
            result = spt_neighbours_pairs(&nb, points + 2 * i, points + 2 * i + 1,
                                          (size_t)(k - i) * 2 * sizeof *points, 2, numbers[2],
                                          NULL);
            CHECK(result == 0 || result == 1 || result == SPT_ERR_ARGUMENT);
            if (result < 0) wrong = 1;
            else if (result) add_pair(&expected, i, k);
        }
    if (n < 2) expected.count = spt_neighbours_pairs(&nb, points, points + 1, 2 * sizeof *points, n,
                                                     numbers[2], NULL);
    if (wrong) expected.count = SPT_ERR_ARGUMENT;
    fuzz_points(&nb, points, 2 * sizeof *points, n, numbers[2], &expected);
    spt_neighbours_free(&nb);
}

/* ---- Contacts -------------------------------------------------------------------------------- */

#define CONTACT_IDS 24

typedef struct contacts_model {
    spt_contacts contacts;
    spt_intlist pairs, began, ended;
    spt_i32 capacity;
    unsigned char there[CONTACT_IDS][CONTACT_IDS], wanted[CONTACT_IDS][CONTACT_IDS];
} contacts_model;

/* All that is in one table and not in the other, in order. Returns how many are in the one. */
static spt_i32 expect_changes(const spt_intlist *told, unsigned char (*in)[CONTACT_IDS],
                              unsigned char (*not_in)[CONTACT_IDS])
{
    spt_i32 a, b, at = 0, count = 0;
    for (a = 0; a < CONTACT_IDS; a++)
        for (b = a + 1; b < CONTACT_IDS; b++) {
            count += in[a][b];
            if (!in[a][b] || not_in[a][b]) continue;
            CHECK(spt_intlist_get(told, at, 0) == a && spt_intlist_get(told, at, 1) == b);
            at++;
        }
    CHECK(spt_intlist_count(told) == at);
    return count;
}

/* Takes the wanted pairs, of n ids only unless these are NULL. bad: one that is no pair is among
   them. */
static void fuzz_update(contacts_model *m, const spt_i32 *ids, spt_i32 n, int bad)
{
    spt_i32 pair[2], k, result, count = 0;
    int given;
    spt_intlist_clear(&m->pairs);
    for (pair[0] = 0; pair[0] < CONTACT_IDS; pair[0]++)
        for (pair[1] = pair[0] + 1; pair[1] < CONTACT_IDS; pair[1]++) {
            if (!m->wanted[pair[0]][pair[1]]) continue;
            for (k = 0, given = ids == NULL; k < n; k++)
                given |= ids[k] == pair[0] || ids[k] == pair[1];
            if (given) CHECK(spt_intlist_push(&m->pairs, pair) >= 0);
            count++;
        }
    pair[0] = pair[1] = bad;
    if (bad) CHECK(spt_intlist_push(&m->pairs, pair) >= 0);
    result = ids ? spt_contacts_update_of(&m->contacts, ids, n, &m->pairs, &m->began, &m->ended)
                 : spt_contacts_update(&m->contacts, &m->pairs, &m->began, &m->ended);
    if (bad || (m->capacity && count > m->capacity)) {
        CHECK(result == SPT_ERR_FULL || (bad && result == SPT_ERR_PAIR));
        CHECK(spt_intlist_count(&m->began) == 0 && spt_intlist_count(&m->ended) == 0);
        memcpy(m->wanted, m->there, sizeof m->wanted);
        return;
    }
    CHECK(result == count && expect_changes(&m->began, m->wanted, m->there) == count);
    (void)expect_changes(&m->ended, m->there, m->wanted);
    memcpy(m->there, m->wanted, sizeof m->there);
}

static void fuzz_forget(contacts_model *m, spt_i32 id)
{
    spt_i32 k, count = 0;
    for (k = 0; k < CONTACT_IDS; k++) {
        count += m->there[id][k] + m->there[k][id];
        m->wanted[id][k] = m->wanted[k][id] = 0;
    }
    CHECK(spt_contacts_of(&m->contacts, id, NULL) == count);
    CHECK(spt_contacts_forget(&m->contacts, id, &m->ended) == count);
    (void)expect_changes(&m->ended, m->there, m->wanted);
    memcpy(m->there, m->wanted, sizeof m->there);
}

/* A capacity or none; then a byte for each frame: an id is forgotten, or so many pairs, two bytes
   each, come or go, told with all pairs or with those of one id of each alone. */
static void fuzz_contacts(const unsigned char *data, size_t size)
{
    static contacts_model m;
    const unsigned char *end = data + size;
    spt_contacts_desc desc;
    spt_i32 ids[64], a, b, n;
    if (size < 1) return;
    memset(&m, 0, sizeof m), memset(&desc, 0, sizeof desc);
    m.capacity = desc.capacity = *data < 128 ? 0 : *data - 127;
    desc.ids = desc.capacity ? CONTACT_IDS : 0;
    CHECK(spt_contacts_init(&m.contacts, &desc) == SPT_OK);
    CHECK(spt_intlist_init(&m.pairs, 2) == SPT_OK && spt_intlist_init(&m.began, 2) == SPT_OK);
    CHECK(spt_intlist_init(&m.ended, 2) == SPT_OK);
    for (data++; data < end;) {
        const int frame = *data++;
        int left = frame / 4, bad = 0;
        if (frame % 4 == 0) fuzz_forget(&m, frame / 4 % CONTACT_IDS);
        if (frame % 4 == 0) continue;
        for (n = 0; end - data >= 2 && n <= left; data += 2) {
            a = data[0] % CONTACT_IDS, b = data[1] % CONTACT_IDS;
            ids[n++] = a;
            if (a == b) bad = a;
            else if (a < b) m.wanted[a][b] ^= 1;
            else m.wanted[b][a] ^= 1;
        }
        fuzz_update(&m, frame % 4 == 1 ? NULL : ids, frame % 4 == 1 ? 0 : n, bad);
        CHECK(spt_contacts_check(&m.contacts));
        for (a = 0; a < CONTACT_IDS; a++)
            for (b = a + 1; b < CONTACT_IDS; b++)
                CHECK(spt_contacts_has(&m.contacts, b, a) == m.there[a][b]);
    }
    spt_intlist_free(&m.pairs), spt_intlist_free(&m.began), spt_intlist_free(&m.ended);
    spt_contacts_free(&m.contacts);
}

/* ---------------------------------------------------------------------------------------------- */

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static void (*const uses[])(const unsigned char *, size_t) = {
        fuzz_index, fuzz_scene, fuzz_image, fuzz_neighbours, fuzz_many_points, fuzz_contacts};
    test.abort_on_failure = 1;
    if (size > 0) uses[data[0] % TEST_COUNT(uses)](data + 1, size - 1);
    return 0;
}

#ifdef FUZZ_REPLAY

#define MOST_BYTES 65536

static unsigned char input[MOST_BYTES];

static int replay_file(const char *name)
{
    FILE *file = fopen(name, "rb");
    size_t size;
    if (!file) {
        perror(name);
        return 1;
    }
    size = fread(input, 1, MOST_BYTES, file);
    fclose(file);
    LLVMFuzzerTestOneInput(input, size);
    return 0;
}

static void replay_generated(int inputs)
{
    int i;
    for (i = 0; i < inputs; i++) {
        size_t size = (size_t)test_below(i % 2 ? 4000 : 100), k;
        for (k = 0; k < size; k++) input[k] = (unsigned char)(test_random() >> 24);
        LLVMFuzzerTestOneInput(input, size);
    }
}

int main(int argc, char **argv)
{
    int i, failed = 0;
    test_begin(argv[0]);
    test.name = "fuzz";
    for (i = 1; i < argc; i++) failed |= replay_file(argv[i]);
    if (argc < 2) replay_generated(test_scale(1000));
    printf("%lu checks\n", test.checks);
    return failed;
}

#endif
