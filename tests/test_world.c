/* test_world.c - worlds that do not fit: whatever the bounds are and wherever elements go, after a
   few frames windows look at no more than in an index that was built just now.

   SPTI_COUNT adds the work up, so that it is the same on every machine. */
static double work;
#define SPTI_COUNT(n) (work += (double)(n))

#define SPATIAL_NO_BROADPHASE /* not tested here */
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "oracle.h"
#include "kinds.h"

#define MOST 200000

typedef struct subject {
    spt_index x;
    int structure;   /* 0 linear, 1 quadtree, 2 loosegrid */
    spt_i32 capacity;
    spt_i32 n;       /* the ids 0 .. n-1 are there */
    spt_i32 worth;   /* of changes since the index was fitted, */
    spt_i32 count;   /* and elements that there were then */
    int fits;        /* so often */
    spt_box bounds;  /* as they were last seen */
    spt_i32 nodes;
} subject;

static spt_box boxes[MOST];

/* An index of a structure; bounds NULL: none are given. */
static int make(spt_index *x, int structure, const spt_box *bounds, spt_i32 capacity, int keep)
{
    static const spt_allocator heap = {NULL, NULL};
    static const spt_box none = {0, 0, 0, 0};
    any_desc desc;
    memset(&desc, 0, sizeof desc);
    kinds[structure]->set(&desc, capacity, 0, &heap);
    kinds[structure]->set_world(&desc, bounds ? bounds : &none, keep);
    return kinds[structure]->init(x, bounds || capacity ? &desc : NULL);
}

static void open_subject(subject *s, int structure, const spt_box *bounds, spt_i32 capacity)
{
    memset(s, 0, sizeof *s);
    s->structure = structure;
    s->capacity = capacity;
    CHECK(make(&s->x, structure, bounds, capacity, 0) == SPT_OK);
    s->bounds = s->x.bounds;
    s->nodes = s->x.node_count;
    test_context(kinds[structure]->name, (long)capacity);
}

/* "At most once in 8 n moves or n / 2 inserts and removes": counts the fits and what the changes
   before each are worth. */
static void look(subject *s)
{
    const int other = memcmp(&s->bounds, &s->x.bounds, sizeof s->bounds) != 0 ||
                      (s->structure != 1 && s->nodes != s->x.node_count);
    if (!other) return;
    CHECK(s->worth >= 8 * SPTI_MAX(SPTI_MIN(s->count, s->x.count), SPTI_FIT_LEAST));
    s->fits++;
    s->worth = 0;
    s->count = s->x.count;
    s->bounds = s->x.bounds;
    s->nodes = s->x.node_count;
}

static void insert(subject *s, spt_i32 id)
{
    CHECK(spt_insert(&s->x, id, &boxes[id]) == SPT_OK);
    s->worth += 4;
    look(s);
}

/* All go to their boxes, and one call of tidy. */
static void frame(subject *s)
{
    spt_i32 id;
    for (id = 0; id < s->n; id++) CHECK(spt_move(&s->x, id, &boxes[id]) == SPT_OK);
    s->worth += s->n;
    spt_tidy(&s->x);
    look(s);
}

/* Opens an index, inserts elements 0 .. n-1, and lets some frames pass. */
static void open_full(subject *s, int structure, const spt_box *bounds, spt_i32 capacity, spt_i32 n,
                      int frames)
{
    open_subject(s, structure, bounds, capacity);
    for (; s->n < n; s->n++) insert(s, s->n);
    while (frames-- > 0) frame(s);
}

/* The cost of windows: some of n boxes. */
static double cost_of(const spt_index *x, const spt_box *windows, spt_i32 n, spt_i32 some)
{
    spt_intlist out;
    spt_i32 id;
    spt_intlist_init(&out, 1);
    work = 0;
    for (id = 0; id < n; id += 1 + n / some) CHECK(spt_query(x, &windows[id], NULL, &out) >= 0);
    spt_intlist_free(&out);
    return work;
}

/* The cost of windows around some of the elements. */
static double cost(const spt_index *x, spt_i32 n)
{
    return cost_of(x, boxes, n, 100);
}

static spt_index fresh;

/* Windows cost at most twice as much as in an index that was built just now. */
static void check_cost(const subject *s)
{
    static int calls;
    CHECK(make(&fresh, s->structure, NULL, s->n, 0) == SPT_OK);
    CHECK(spt_build(&fresh, boxes, s->n) == SPT_OK);
    CHECK(cost(&s->x, s->n) <= 2 * cost(&fresh, s->n) + 2000);
    if (calls++ % test_some(1, 10) == 0) CHECK(spt_check(&s->x)); /* the most work of all */
    spt_free(&fresh);
}

static double any(double low, double high)
{
    return low + (high - low) * (test_random() >> 8) / 16777216.0;
}

/* n boxes of one size within a square around (x, y). */
static void spread(spt_i32 n, double x, double y, double half)
{
    spt_i32 id;
    for (id = 0; id < n; id++) {
        double left = any(x - half, x + half), low = any(y - half, y + half), size = half / 200;
        boxes[id] = box_of(left, low, left + size, low + size);
    }
}

static spt_i32 few_or_many(void)
{
    return test.divisor == 1 ? 10000 : 3000;
}

/* Bounds that are given, too wide, too small or beside, with a capacity or without. */
static void after_eight_frames_any_bounds_are_as_good_as_those_that_fit(void)
{
    static const double worlds[][4] = {
        {-3000, -3000, 3000, 3000},    {-80000, -80000, 80000, 80000}, {9000, 9000, 15000, 15000},
        {-1e8, -1e8, 1e8, 1e8},        {-10, -10, 10, 10},             {0, 0, 0, 0},
        {-3000, -3000, 3000, 1000000},
    };
    static subject s;
    const spt_i32 n = few_or_many();
    int structure, w;
    for (structure = 0; structure < 3; structure++)
        for (w = 0; w < 2 * TEST_COUNT(worlds); w++) {
            const double *b = worlds[w / 2];
            spt_box bounds = box_of(b[0], b[1], b[2], b[3]);
            spread(n, 0, 0, 3000);
            open_full(&s, structure, w / 2 == 5 ? NULL : &bounds, w % 2 ? n : 0, n, 8);
            test_context(kinds[structure]->name, w);
            check_cost(&s);
            CHECK(s.fits <= 20); /* doublings of the number, and a few */
            spt_free(&s.x);
        }
}

/* It only inserts: no call of tidy, and bounds that say nothing. */
static void inserts_alone_fit_the_world(void)
{
    static subject s;
    const spt_i32 n = few_or_many();
    int structure, w;
    for (structure = 0; structure < 3; structure++)
        for (w = 0; w < 2; w++) {
            spread(n, 70000, -30000, 3000);
            open_full(&s, structure, NULL, w ? n : 0, n, 0);
            check_cost(&s);
            spt_free(&s.x);
        }
}

/* A world that goes away, by a thousand widths, and one that blows up a thousandfold, shrinks again
   and in the end collapses to a point. */
static void a_world_that_goes_away_or_changes_its_size_is_fitted_again(void)
{
    static subject s;
    static spt_box at[MOST];
    const spt_i32 n = few_or_many() / 4;
    int structure, step;
    spt_i32 id;
    for (structure = 0; structure < 3; structure++) {
        spread(n, 0, 0, 3000);
        memcpy(at, boxes, (size_t)n * sizeof *at);
        open_full(&s, structure, NULL, n, n, 0);
        for (step = 1; step <= 300; step++) { /* by 20 widths a frame */
            for (id = 0; id < n; id++) {
                double x = 120000.0 * step;
                boxes[id] = box_of((double)at[id].min_x + x, (double)at[id].min_y,
                                   (double)at[id].max_x + x, (double)at[id].max_y);
            }
            frame(&s);
            if (step > 20 && step % 50 == 0) {
                for (id = 0; id < 4; id++) frame(&s); /* it rests for a moment */
                check_cost(&s);
            }
        }
        for (step = 0; step <= 60; step++) {
            double f = step < 30 ? pow(1000, step / 30.0) : pow(1000, 2 - step / 30.0);
            for (id = 0; id < n; id++)
                boxes[id] = box_of(f * (double)at[id].min_x, f * (double)at[id].min_y,
                                   f * (double)at[id].max_x, f * (double)at[id].max_y);
            frame(&s);
            if (step % 10 == 0) {
                for (id = 0; id < 40; id++) frame(&s);
                check_cost(&s);
            }
        }
        for (id = 0; id < n; id++) boxes[id] = box_of(17, 17, 17, 17);
        for (step = 0; step < 40; step++) frame(&s);
        check_cost(&s);
        spread(n, -900, 40, 300); /* and out of it again */
        for (step = 0; step < 40; step++) frame(&s);
        check_cost(&s);
        spt_free(&s.x);
    }
}

/* Up to a fifth of the elements lie far away on one side, or reach to infinity on one or on both:
   the others count. */
/* Windows of other elements cost as much as if there were no far ones, but for what they meet: if
   these are without end, all may be tested. */
static void far_and_infinite_boxes_cost_the_others_little(void)
{
    static subject s;
    static spt_box near[MOST];
    const spt_i32 n = few_or_many();
    int structure, share, how;
    double alone;
    spt_i32 id, m;
    for (structure = 0; structure < 3; structure++)
        for (share = 20; share >= 5; share -= test_some(5, 15))
            for (how = 0; how < 4; how++) {
                spt_coord far = (spt_coord)any(1e5, 1e9);
                spread(n, 0, 0, 3000);
                for (id = m = 0; id < n; id++)
                    if (id % share) near[m++] = boxes[id];
                for (id = 0; id < n; id += share) {
                    if (how == 0) boxes[id] = box_of(far, -far, far + 5, -far + 5);
                    if (how == 1) boxes[id].min_x = (spt_coord)(any(1e4, 1e9));
                    if (how > 0) boxes[id].max_x = COORD_HIGH;
                    if (how > 2) boxes[id].min_y = COORD_LOW;
                }
                open_full(&s, structure, NULL, 0, n, 40);
                check_cost(&s);
                CHECK(make(&fresh, structure, NULL, 0, 0) == SPT_OK);
                CHECK(spt_build(&fresh, near, m) == SPT_OK);
                alone = cost_of(&fresh, near, m, 100) + 100.0 * (how > 1 ? n / share : 0);
                CHECK(cost_of(&s.x, near, m, 100) <= 3 * alone);
                spt_free(&s.x), spt_free(&fresh);
            }
}

/* Worlds whose elements are not spread evenly. */
enum {
    CROSS, CORNER, LONG_CORNER, SPIRAL, TWO_TOWNS, TWO_DENSE_TOWNS, LOGNORMAL, LOGNORMAL_WIDE,
    LINE_AND_DUST, CORE_AND_LAND, CORE_AND_LAND_MORE, CORE_IN_WIDE_LAND, CITY_IN_WIDE_LAND,
    CITY_IN_WIDE_LAND_MORE, THREE_CORNERS, WALLS_IN_LAND, DIAGONAL, COLUMN_AND_FAR, ALL_SIZES, BARS,
    HUNDRED_TOWNS, EIGHT_SCALES, RING_SEVENTH, RING_FIFTH, RING_MORE, CANTOR, FAR_ALONG_ONE_AXIS,
    SUNFLOWER, ROAD, SIDE_SCROLLER, TIME_LINE, UNIFORM, DECADES, CROWDS
};

static double normal(void)
{
    return sqrt(-2 * log(any(1e-9, 1))) * cos(any(0, 6.2831853));
}

typedef struct uneven { /* a box to be placed; as it comes, it lies evenly in a square */
    double x, y, wide, high; /* high < 0: as high as wide */
    double side;             /* of the square, which has one box for each unit of its area */
    double u, v, t;          /* random numbers: 0 .. 1 */
    spt_i32 i, n;            /* box i of n */
} uneven;

/* Worlds of lines. */
static void along_lines(int crowd, uneven *d)
{
    const double side = d->side, u = d->u, v = d->v, t = d->t;
    const spt_i32 i = d->i, n = d->n;
    double angle;
    switch (crowd) {
    case CROSS:
        d->x = i % 2 ? u * n : n / 2 + u, d->y = i % 2 ? n / 2 + v : v * n;
        break;
    case CORNER:
        d->x = i % 2 ? u * n : u, d->y = i % 2 ? v : v * n;
        break;
    case LONG_CORNER:
        d->x = i % 2 ? u * 1e5 * side : u, d->y = i % 2 ? v : v * 1e5 * side;
        break;
    case SPIRAL:
        angle = sqrt(u) * 60;
        d->x = angle / 60 * side * cos(angle) + v;
        d->y = angle / 60 * side * sin(angle) + t;
        break;
    case LINE_AND_DUST:
        d->x = u * n, d->y = i % 4 ? 0 : v * n;
        break;
    case WALLS_IN_LAND:
        if (t < .67) {
            d->x = i % 2 ? d->x * 4 : 2 * side + d->x / 20;
            d->y = i % 2 ? 2 * side + d->y / 20 : d->y * 4;
        } else {
            d->x *= 1e3, d->y *= 1e3;
        }
        break;
    case DIAGONAL:
        d->x = u * n + v, d->y = u * n + t;
        break;
    case COLUMN_AND_FAR:
        d->x = t < .67 ? 0 : t < .83 ? d->x : side * 1e6 + d->x;
        break;
    case BARS:
        if (i % 10 == 0) d->wide = side * t, d->high = .3;
        if (i % 10 == 5) d->wide = .3, d->high = side * t;
        break;
    case ROAD:
        d->x = exp(2 * normal()), d->y = v, d->wide = d->x / n;
        break;
    case SIDE_SCROLLER:
        d->x = t < .8 ? u * n : u * n * 1e3, d->y = v;
        break;
    case TIME_LINE:
        d->x = exp(2 * normal()), d->y = 0, d->wide = d->x / n, d->high = 0;
        break;
    default:
        break;
    }
}

/* Worlds of crowds. */
static void in_crowds(int crowd, uneven *d)
{
    const double side = d->side, u = d->u, v = d->v, t = d->t;
    const spt_i32 i = d->i;
    static const double cores[] = {.6, .7, .6, .68, .8};
    double far;
    switch (crowd) {
    case TWO_TOWNS:
        d->x += i % 2 * 1e3 * side;
        break;
    case TWO_DENSE_TOWNS:
        d->x = d->x / 1e3 + i % 2 * 1e3 * side, d->y /= 1e3, d->wide /= 1e3;
        break;
    case LOGNORMAL:
    case LOGNORMAL_WIDE:
        d->x = normal(), d->y = normal(), far = crowd == LOGNORMAL ? 2 : 4;
        d->wide = .5 * exp(far * (d->x > d->y ? d->y : d->x)) / side;
        d->x = exp(far * d->x);
        d->y = exp(far * d->y);
        break;
    case CORE_AND_LAND:
    case CORE_AND_LAND_MORE:
    case CORE_IN_WIDE_LAND:
    case CITY_IN_WIDE_LAND:
    case CITY_IN_WIDE_LAND_MORE:
        far = crowd < CORE_IN_WIDE_LAND ? 31 : 1e4;
        if (t >= cores[crowd - CORE_AND_LAND])
            d->x = (u - .5) * far * side, d->y = (v - .5) * far * side;
        break;
    default:
        break;
    }
}

/* And others. */
static void far_apart(int crowd, uneven *d)
{
    const double side = d->side, u = d->u, v = d->v, t = d->t;
    const spt_i32 i = d->i;
    double far;
    int k;
    switch (crowd) {
    case THREE_CORNERS:
        d->x += i % 3 * 1e5 * side, d->y += (i % 3 == 1) * 1e5 * side;
        break;
    case HUNDRED_TOWNS:
        d->x = i % 10 * 1e3 * side + d->x / 10;
        d->y = i / 10 % 10 * 1e3 * side + d->y / 10;
        break;
    case RING_SEVENTH:
    case RING_FIFTH:
    case RING_MORE:
        far = crowd == RING_SEVENTH ? .14 : crowd == RING_FIFTH ? .2 : .4;
        if (t < far)
            d->x = 1e6 * side * cos(6.28 * u), d->y = 1e6 * side * sin(6.28 * u);
        break;
    case CANTOR:
        for (k = 0, d->x = d->y = 0, far = 1e6; k < 15; k++)
            far /= 3, d->x += test_random() % 2 * 2 * far, d->y += test_random() % 2 * 2 * far;
        d->wide = .01;
        break;
    case FAR_ALONG_ONE_AXIS:
        if (t < .4) d->x *= 1e6;
        break;
    case SUNFLOWER:
        far = pow(u, 4) * side;
        d->x = far * cos(6.28 * v);
        d->y = far * sin(6.28 * v);
        d->wide = .1 * far / side + 1e-4;
        break;
    case DECADES:
        far = exp(17.9 * u);
        d->x = far * cos(6.28 * v);
        d->y = far * sin(6.28 * v);
        d->wide = far * .5 / side;
        break;
    case ALL_SIZES:
        d->wide = .05 / pow(t + 1e-6, .7);
        break;
    case EIGHT_SCALES:
        far = pow(8, i % 8);
        d->x *= far, d->y *= far, d->wide = .3 * far;
        break;
    default:
        break;
    }
}

static spt_box uneven_box(int crowd, spt_i32 i, spt_i32 n)
{
#ifdef SPATIAL_INT
    const double unit = 32;
#else
    const double unit = 1;
#endif
    uneven d;
    d.i = i, d.n = n;
    d.side = sqrt((double)n);
    d.u = any(0, 1), d.v = any(0, 1), d.t = any(0, 1);
    d.x = d.u * d.side, d.y = d.v * d.side;
    d.wide = .5, d.high = -1;
    along_lines(crowd, &d);
    in_crowds(crowd, &d);
    far_apart(crowd, &d);
    if (d.high < 0) d.high = d.wide;
    return box_of(d.x * unit, d.y * unit, (d.x + d.wide) * unit, (d.y + d.high) * unit);
}

/* The promise of World in the conventions: a small window takes at most so many times as many tests
   as in packed. (In thin worlds a quadtree has but one axis to divide.) */
static void uneven_worlds_have_no_cliffs(void)
{
    static const struct {
        spt_i32 n;
        double linear, quadtree;
    } sizes[] = {{2000, 17, 15}, {20000, 32, 6}, {200000, 32, 8}};
    const int most = test.divisor == 1 ? 3 : test_some(2, 1);
    spt_box windows[400];
    int size, crowd, structure;
    double costs[4];
    spt_i32 id;
    for (size = 0; size < most; size++)
        for (crowd = 0; crowd < CROWDS; crowd++) {
            const int thin = crowd == ROAD || crowd == SIDE_SCROLLER || crowd == TIME_LINE;
            const spt_i32 n = sizes[size].n;
            for (id = 0; id < n; id++) boxes[id] = uneven_box(crowd, id, n);
            for (id = 0; id < 400; id++) { /* each three times as wide and as high */
                const spt_box *box = &boxes[test_below((int)n)];
                const spt_coord wide = box->max_x - box->min_x, high = box->max_y - box->min_y;
                windows[id] = *box;
                windows[id].min_x -= wide, windows[id].max_x += wide;
                windows[id].min_y -= high, windows[id].max_y += high;
            }
            for (structure = 0; structure < 4; structure++) {
                test_context(kinds[structure]->name, 1000000L * crowd + n);
                if (structure == 3) CHECK(spt_packed_init(&fresh, NULL) == SPT_OK);
                else CHECK(make(&fresh, structure, NULL, 0, 0) == SPT_OK);
                CHECK(spt_build(&fresh, boxes, n) == SPT_OK);
                costs[structure] = cost_of(&fresh, windows, 400, 400);
                if (size == 0) CHECK(spt_check(&fresh));
                spt_free(&fresh);
            }
            CHECK(costs[0] <= sizes[size].linear * costs[3]);
            CHECK(costs[1] <= (thin ? 32 : sizes[size].quadtree) * costs[3]);
        }
}

typedef struct told {
    const spt_index *x;
    spt_i32 cells;
} told;

/* A coordinate along axis k, or the end of the world beyond which it lies. */
static spt_coord within_world(const spt_index *x, const spt_box *box, int k)
{
    const spt_coord low = x->bend.knots[0][k], high = x->bend.knots[SPTI_PIECES][k];
    const spt_coord at = k ? box->min_y : box->min_x;
    return at < low ? low : at > high ? high : at;
}

/* At least as many elements have their lower corner in a cell as it tells. */
static int on_told_cell(void *ctx, const spt_box *cell, int level, spt_i32 count)
{
    told *t = (told *)ctx;
    spt_i32 id, n = 0;
    for (id = 0; id < t->x->size && n < count; id++)
        if (spt_contains(t->x, id)) {
            const spt_coord x = within_world(t->x, &boxes[id], 0);
            const spt_coord y = within_world(t->x, &boxes[id], 1);
            n += x >= cell->min_x && x <= cell->max_x && y >= cell->min_y && y <= cell->max_y;
        }
    CHECK(n == count && level >= 0);
    t->cells++;
    return 0;
}

static void the_cells_of_a_bent_world_are_told_as_they_are(void)
{
    const spt_i32 n = 1000;
    int structure, crowd, bent = 0;
    told t;
    spt_i32 id;
    for (structure = 0; structure < 3; structure++)
        for (crowd = 0; crowd < CROWDS; crowd++) {
            for (id = 0; id < n; id++) boxes[id] = uneven_box(crowd, id, n);
            test_context(kinds[structure]->name, crowd);
            CHECK(make(&fresh, structure, NULL, 0, 0) == SPT_OK);
            CHECK(spt_build(&fresh, boxes, n) == SPT_OK);
            t.x = &fresh, t.cells = 0;
            if (fresh.bend.levels > 0) {
                CHECK(spt_traverse(&fresh, on_told_cell, &t) == 0 && t.cells > 0);
                bent++;
            }
            spt_free(&fresh);
        }
    CHECK(bent > CROWDS);
}

/* A coordinate between two, which may be one. */
static spt_coord between(spt_coord low, spt_coord high)
{
    spt_coord at = (spt_coord)any((double)low, (double)high);
    return at < low ? low : at > high ? high : at;
}

/* Whatever the knots and the sizes are. Cells are not narrower than boxes, but for rounding. */
static void a_bent_map_is_monotone_and_ends_at_its_last_cell(void)
{
    int round, i, k;
    for (round = 0; round < test_scale(3000); round++) {
        const int levels = 1 + test_below(12), most = SPTI_MIN(levels, 16 - levels);
        const int skews = test_below(most + 1);
        const double reach = pow(2, any(-20, 30));
        spti_bend b;
        spti_cells c, before = {0, 0, 0, 0};
        spt_coord sizes[SPTI_PIECES][2], at[3 * SPTI_PIECES + 4];
        spt_box box;
        for (k = 0; k < 2; k++) {
            b.knots[0][k] = coord_of(any(-reach, reach));
            for (i = 0; i < SPTI_PIECES; i++) {
                const double width = test_below(4) ? reach * pow(2, any(-24, 0)) : 0;
                b.knots[i + 1][k] = coord_of((double)b.knots[i][k] + width);
                sizes[i][k] = coord_of(test_below(3) ? reach * pow(2, any(-30, -1)) : 0);
                b.rates[i][k] = (spti_dist)sizes[i][k];
            }
        }
        spti_bend_init(&b, levels, skews, 1024);
        if (b.levels == 0) continue;
        CHECK(b.levels == levels && b.skew <= skews && -b.skew <= skews);
        for (k = 0; k < 2; k++) {
            const int bits = levels + (k ? -b.skew : b.skew);
            spt_u32 last = 0, cell;
            int n = 0, j;
            at[n++] = COORD_LOW, at[n++] = COORD_HIGH;
            for (i = 0; i <= SPTI_PIECES; i++) at[n++] = b.knots[i][k];
            for (i = 0; i < SPTI_PIECES; i++) {
                at[n++] = between(b.knots[i][k], b.knots[i + 1][k]);
                at[n++] = between(b.knots[i][k], b.knots[i + 1][k]);
            }
            spti_sort_sample(at, n);
            for (j = 0; j < n; j++) {
                box = box_of(0, 0, 0, 0);
                box.min_x = box.min_y = box.max_x = box.max_y = at[j];
                spti_bend_cells(&b, levels, b.skew, &box, &c);
                CHECK(c.x0 == c.x1 && c.y0 == c.y1);
                cell = k ? c.y0 : c.x0;
                CHECK(cell >= last && cell >> bits == 0 && (j > 1 || cell == 0));
                last = cell;
            }
            for (i = 0; i < SPTI_PIECES; i++) {
                box.min_x = box.min_y = b.knots[i][k], box.max_x = box.max_y = b.knots[i + 1][k];
                spti_bend_cells(&b, levels, b.skew, &box, &before);
                cell = k ? before.y1 - before.y0 : before.x1 - before.x0;
                CHECK((double)cell * (double)sizes[i][k] <=
                      1.01 * ((double)box.max_x - (double)box.min_x) + 2 * (double)sizes[i][k]);
            }
        }
    }
}

/* Half of the boxes lie elsewhere: the last ones of an array are as likely in the sample. */
static void samples_reach_to_the_last_box(void)
{
    static subject s;
    spt_i32 n, id;
    for (n = 8; n < 300; n++) {
        spread(n, 0, 0, 300);
        for (id = n / 2; id < n; id++) boxes[id] = box_of(30000 + id, 0, 30001 + id, 5);
        open_subject(&s, (int)(n % 3), NULL, 0);
        CHECK(spt_build(&s.x, boxes, n) == SPT_OK);
        CHECK((double)s.x.bounds.min_x < 0 && (double)s.x.bounds.max_x > 30000);
        spt_free(&s.x);
    }
}

/* One of many elements is left, or two: however sparse a pool is, a sample has something of it. */
static void a_sample_finds_what_is_left_of_many_elements(void)
{
    const spt_box wide = box_of(0, 0, 6400, 6400);
    static subject s;
    spti_boxes places;
    spt_box copy;
    spt_i32 id, k, m, keep, found;
    for (keep = 0; keep < 200; keep++) {
        CHECK(make(&s.x, 0, &wide, 2000, 1) == SPT_OK);
        for (id = 0; id < 200; id++) {
            const double x = 400 * (id % 16), y = 400 * (id / 16);
            boxes[id] = box_of(x + 1, y + 1, x + 2, y + 2);
            CHECK(spt_insert(&s.x, id, &boxes[id]) == SPT_OK);
        }
        m = 1 + keep % 2;
        for (id = 0; id < 200; id++)
            if (id != keep && (m == 1 || id != 199 - keep)) CHECK(spt_remove(&s.x, id) == SPT_OK);
        spti_index_boxes(&s.x, &places);
        for (k = found = 0; k < m; k++) found += spti_sample(&places, k, m, &copy) != NULL;
        test_context("kept", (long)keep);

        CHECK(places.n >= 400 && found > 0);
        spt_free(&s.x);
    }
}

/* The world gets narrower while each eighth keeps more than a third of its cells: it is fitted anew
   if one side is below two fifths of its length, or both are below five eighths. (The world of a
   quadtree is a square.) */
static void a_narrower_world_is_fitted_again_if_that_saves_most_cells(void)
{
    static const struct { double x, y; int fits; } changes[] = {
        {0.36, 1, 1}, {1, 0.36, 1}, {0.5, 0.5, 1}, {0.5, 0.8, 0}, {0.8, 0.5, 0}, {0.8, 0.8, 0}};
    static subject s;
    const spt_i32 n = 2000;
    spt_i32 id;
    int structure, c, frames, fits;
    for (structure = 0; structure < 3; structure++)
        for (c = 0; c < TEST_COUNT(changes); c++) {
            spread(n, 0, 0, 3000);
            open_full(&s, structure, NULL, 0, n, 20);
            for (id = 0; id < n; id++)
                boxes[id] = box_of(
                    (double)boxes[id].min_x * changes[c].x, (double)boxes[id].min_y * changes[c].y,
                    (double)boxes[id].max_x * changes[c].x, (double)boxes[id].max_y * changes[c].y);
            for (fits = s.fits, frames = 0; frames < 20; frames++) frame(&s);
            test_context(kinds[structure]->name, c);
            CHECK((s.fits > fits) == (changes[c].fits && (structure != 1 || c > 1)));
            fits = s.fits;
            s.worth = 16 * n; /* rebound does not wait */
            CHECK(spt_rebound(&s.x, NULL) == SPT_OK);
            look(&s);
            CHECK(s.fits > fits || changes[c].fits || structure == 1);
            spt_free(&s.x);
        }
}

/* A test of the fit reads a sample, which for few elements is a frame's work: it comes at most in
   every eighth frame. */
static void few_frames_test_the_fit(void)
{
    static const spt_i32 sizes[] = {1, 16, 100, 1000};
    static subject s;
    int structure, size, step, tests;
    for (structure = 0; structure < 3; structure++)
        for (size = 0; size < TEST_COUNT(sizes); size++) {
            spread(sizes[size], 0, 0, 300);
            open_full(&s, structure, NULL, 0, sizes[size], 8);
            for (step = tests = 0; step < 80; step++) {
                const spt_u32 worth = s.x.worth;
                frame(&s);
                tests += s.x.worth < worth + (spt_u32)s.n;
            }
            CHECK(tests <= 10 && (tests >= 8 || s.n < SPTI_FIT_LEAST));
            spt_free(&s.x);
        }
}

/* A world that alternates between two sizes, frame by frame: tests of the fit see both. */
static void a_world_that_alternates_is_fitted_to_both_sizes(void)
{
    static subject s;
    const spt_i32 n = 1000;
    int structure, step, large = 0, small = 0;
    for (structure = 0; structure < 3; structure++) {
        spread(n, 0, 0, 300);
        open_full(&s, structure, NULL, 0, n, 20);
        for (step = 0; step < 100; step++) {
            spread(n, 0, 0, step % 2 ? 300000 : 300);
            frame(&s);
            if ((double)s.x.bounds.max_x > 3000) large++;
            else small++;
        }
        spt_free(&s.x);
    }
    CHECK(large > 90 && small > 90);
}

/* Of all elements some are left, and go elsewhere: two frames later windows cost no more than in an
   index that never had others. A tidy then reads each chunk at most once. */
static void after_removals_the_fit_is_tested_soon(void)
{
    static subject s;
    const spt_i32 n = few_or_many(), left = n / 50;
    int structure, w;
    spt_i32 id;
    for (structure = 0; structure < 3; structure++)
        for (w = 0; w < 2; w++) {
            spread(n, 0, 0, 3000);
            open_full(&s, structure, NULL, w ? n : 0, n, 3);
            for (id = left; id < n; id++) CHECK(spt_remove(&s.x, id) == SPT_OK), s.worth += 4;
            spread(left, 1e6, -1e6, 300);
            s.n = left;
            for (id = 0; id < 8 && id < left; id++) frame(&s);
            check_cost(&s);
            CHECK(s.x.pool.top <= left + 32);
            spt_free(&s.x);
        }
}

/* "Levels follow the number of elements": of all one stays, and a walk over cells costs little. */
static void after_a_spike_memory_is_given_back(void)
{
    const spt_i32 n = 20000, left = 100;
    spt_index copy;
    int structure, refuse, step;
    spt_i32 id;
    spread(n, 0, 0, 3000);
    for (structure = 0; structure < 3; structure++)
        for (refuse = 0; refuse < 2; refuse++) { /* memory does not get smaller, at first */
            test_memory memory;
            any_desc desc;
            size_t bytes;
            memset(&desc, 0, sizeof desc);
            test_memory_open(&memory, &fresh.allocator);
            kinds[structure]->set(&desc, 0, 0, &fresh.allocator);
            CHECK(kinds[structure]->init(&fresh, &desc) == SPT_OK);
            CHECK(spt_build(&fresh, boxes, n) == SPT_OK);
            bytes = spt_bytes(&fresh);
            for (id = left; id < n; id++) CHECK(spt_remove(&fresh, id) == SPT_OK);
            CHECK(spt_bytes(&fresh) == bytes && memory.bytes == bytes);
            if (refuse) memory.fail_at = memory.calls + 1;
            for (step = 0; step < 10; step++) spt_tidy(&fresh);
            CHECK(spt_bytes(&fresh) < bytes && memory.bytes == spt_bytes(&fresh));
            CHECK(refuse || spt_bytes(&fresh) < bytes / 40);
            CHECK(spt_check(&fresh) && spt_count(&fresh) == left);
            CHECK(make(&copy, structure, NULL, 0, 0) == SPT_OK);
            CHECK(spt_copy(&copy, &fresh) == SPT_OK);
            CHECK((refuse || spt_bytes(&copy) < bytes / 40) && spt_check(&copy));
            for (id = left; id < n; id++) CHECK(spt_insert(&fresh, id, &boxes[id]) == SPT_OK);
            CHECK(spt_check(&fresh) && spt_count(&fresh) == n);
            spt_free(&copy), spt_free(&fresh);
            CHECK(memory.bytes == 0);
        }
}

/* Boxes as wide, or as high, as the world, most of them close together: there are only rows, or
   only columns; no more than there are levels for as fewer elements are left. */
static void a_bent_world_that_shrinks_has_no_more_rows_than_levels(void)
{
    const spt_i32 n = 20000, left = 90;
    int structure, upright, step;
    spt_i32 id;
    for (structure = 0; structure < 3; structure++)
        for (upright = 0; upright < 2; upright++) {
            spt_box window;
            for (id = 0; id < n; id++) {
                const double a = any(0, 10), b = any(0, id % 16 ? 4000 : 4000000);
                if (upright) boxes[id] = box_of(b, a, b + 1, a + 90000);
                else boxes[id] = box_of(a, b, a + 90000, b + 1);
            }
            CHECK(make(&fresh, structure, NULL, 0, 0) == SPT_OK);
            CHECK(spt_build(&fresh, boxes, n) == SPT_OK);
            CHECK(fresh.bend.levels > 0);
            CHECK(structure == 1 || (upright ? fresh.skew > 0 : fresh.skew < 0));
            for (id = n - 1; id >= left; id--) {
                CHECK(spt_remove(&fresh, id) == SPT_OK);
                if (id % test_some(512, 4096) == 0) spt_tidy(&fresh), CHECK(spt_check(&fresh));
            }
            for (step = 0; step < 100; step++) spt_tidy(&fresh);
            window.min_x = window.min_y = -10, window.max_x = window.max_y = 5000000;
            CHECK(spt_check(&fresh) && spt_query(&fresh, &window, NULL, NULL) == left);
            spt_free(&fresh);
        }
}

/* Room for many ids is not read for a few: what is written where no element is stays. */
static void clear_and_build_touch_few_ids_if_few_are_there(void)
{
    int structure, how;
    for (structure = 0; structure < 3; structure++)
        for (how = 0; how < 2; how++) {
            spread(20000, 0, 0, 3000);
            CHECK(make(&fresh, structure, NULL, 20000, 0) == SPT_OK);
            CHECK(spt_build(&fresh, boxes, 10) == SPT_OK);
            CHECK(spt_insert(&fresh, 15000, boxes) == SPT_OK);
            fresh.slots[10000] = 4711;
            if (how) CHECK(spt_build(&fresh, boxes, 5) == SPT_OK);
            else spt_clear(&fresh);
            CHECK(fresh.slots[10000] == 4711);
            fresh.slots[10000] = SPT_NONE;
            CHECK(spt_check(&fresh) && !spt_contains(&fresh, 15000) && !spt_contains(&fresh, 7));
            spt_free(&fresh);
        }
}

static void an_index_of_which_little_is_left_is_as_one_that_never_had_more(void)
{
    static subject s;
    const spt_i32 n = few_or_many();
    int structure, w, step;
    spt_i32 id;
    for (structure = 0; structure < 3; structure++)
        for (w = 0; w < 2; w++) {
            spread(n, 0, 0, 3000);
            open_full(&s, structure, NULL, w ? n : 0, n, 0);
            for (id = 1; id < n; id++) CHECK(spt_remove(&s.x, id) == SPT_OK), s.worth += 4;
            for (step = 0; step < 100; step++) spt_tidy(&s.x);
            CHECK(s.x.node_count <= (structure == 1 ? s.x.node_room : 2));
            CHECK(s.x.pool.top <= 40);
            s.n = 1;
            check_cost(&s);
            spt_free(&s.x);
        }
}

/* Edges that coincide say little of a world: bars that all begin at one coordinate, or nearly, and
   points on a line. It is fitted once and not again and again. */
static void boxes_that_begin_at_one_coordinate_are_told_apart(void)
{
    static subject s;
    const spt_i32 n = few_or_many();
    int structure, bars, step;
    spt_i32 id;
    for (structure = 0; structure < 3; structure++)
        for (bars = 0; bars < 3; bars++) {
            int fits;
            for (id = 0; id < n; id++) {
                double y = 20.0 * id, x = bars == 1 ? any(0, 3) : 0;
                boxes[id] = bars < 2 ? box_of(x, y, x + 200, y + 18) : box_of(5, y, 5, y);
            }
            open_full(&s, structure, NULL, 0, n, 10);
            fits = s.fits;
            check_cost(&s);
            CHECK(cost(&s.x, n) <= 100.0 * n / 4); /* of 100 windows: not all elements each */
            for (step = 0; step < 20; step++) frame(&s);
            CHECK(s.fits == fits);
            spt_free(&s.x);
        }
}

/* A capacity that at first is hardly used: bounds that are kept come with the levels of it. */
static void a_small_build_does_not_spoil_an_index_that_keeps_its_bounds(void)
{
    static spt_index x;
    const spt_i32 n = few_or_many();
    const spt_box bounds = box_of(-3000, -3000, 3100, 3100);
    int structure;
    spt_i32 id;
    for (structure = 0; structure < 3; structure++) {
        spread(n, 0, 0, 3000);
        CHECK(make(&x, structure, &bounds, n, 1) == SPT_OK);
        CHECK(spt_build(&x, boxes, 50) == SPT_OK);
        for (id = 50; id < n; id++) CHECK(spt_insert(&x, id, &boxes[id]) == SPT_OK);
        CHECK(cost(&x, n) <= 100 * 600.0);
        spt_free(&x);
    }
}

/* Cells of a quarter in a world that is not known say nothing of how many there will be. */
static void small_cells_without_bounds_take_little_memory(void)
{
    spt_linear_desc desc;
    memset(&desc, 0, sizeof desc);
    desc.cell = 1;
    CHECK(spt_loosegrid_bytes_for(&desc) < 1000000);
    desc.capacity = 1000;
    CHECK(spt_loosegrid_bytes_for(&desc) < 4000000);
}

/* One grid, a few boxes larger than its cells: windows look at the nodes near them, not at all. */
static void windows_of_a_uniform_grid_look_at_few_nodes(void)
{
    static spt_index x;
    const spt_i32 n = MOST;
    spt_linear_desc desc;
    spt_i32 id;
    memset(&desc, 0, sizeof desc);
    desc.grids = 1;
    spread(n, 0, 0, 3000);
    for (id = 0; id < n; id += 1000) boxes[id].max_x = boxes[id].min_x + box_of(0, 0, 300, 0).max_x;
    CHECK(spt_linear_init(&x, &desc) == SPT_OK && spt_build(&x, boxes, n) == SPT_OK);
    CHECK(cost(&x, n) <= 100 * 800.0);
    CHECK(spt_check(&x));
    spt_free(&x);
}

/* With keep_bounds, which then are required, and by spt_rebound the user decides. */
static void bounds_that_are_kept_change_only_by_rebound(void)
{
    static subject s;
    const spt_i32 n = 1000;
    const spt_box far = box_of(50000, 50000, 51000, 51000), bad = {1, 1, 1, 5};
    int structure, step;
    spt_i32 id;
    for (structure = 0; structure < 3; structure++) {
        spread(n, 0, 0, 3000);
        memset(&s, 0, sizeof s);
        s.structure = structure;
        CHECK(make(&s.x, structure, NULL, n, 1) == SPT_ERR_ARGUMENT);
        CHECK(make(&s.x, structure, &far, n, 1) == SPT_OK);
        for (id = 0; id < n; id++) CHECK(spt_insert(&s.x, id, &boxes[id]) == SPT_OK);
        for (step = 0; step < 100; step++) {
            for (id = 0; id < n; id++) CHECK(spt_move(&s.x, id, &boxes[id]) == SPT_OK);
            spt_tidy(&s.x);
        }
        CHECK(spt_build(&s.x, boxes, n) == SPT_OK);
        CHECK(memcmp(&s.x.bounds, &far, sizeof far) == 0);
        CHECK(spt_rebound(&s.x, &bad) == SPT_ERR_ARGUMENT && spt_check(&s.x));
        CHECK(spt_rebound(&s.x, NULL) == SPT_OK);
        s.n = n;
        check_cost(&s);
        CHECK(spt_rebound(&s.x, &far) == SPT_OK && spt_check(&s.x));
        CHECK(memcmp(&s.x.bounds, &far, sizeof far) == 0);
        spt_clear(&s.x);
        CHECK(spt_rebound(&s.x, NULL) == SPT_OK && spt_check(&s.x));
        CHECK(memcmp(&s.x.bounds, &far, sizeof far) == 0); /* there is nothing to fit them to */
        spt_free(&s.x);
        CHECK(spt_rebound(&s.x, &far) == SPT_ERR_INIT);
    }
    CHECK(spt_packed_init(&s.x, NULL) == SPT_OK && spt_rebound(&s.x, &far) == SPT_ERR_KIND);
}

/* A fit that gets no memory leaves all as it was, and is tried again later. */
static void a_world_that_cannot_be_fitted_for_lack_of_memory_stays_as_it_is(void)
{
    static subject s;
    const spt_i32 n = 4000;
    int structure, step;
    spt_i32 id;
    for (structure = 0; structure < 3; structure++) {
        test_memory memory;
        spt_allocator allocator;
        any_desc desc;
        memset(&desc, 0, sizeof desc);
        memset(&s, 0, sizeof s);
        s.structure = structure;
        spread(n, 0, 0, 3000);
        test_memory_open(&memory, &allocator);
        kinds[structure]->set(&desc, 0, 0, &allocator);
        CHECK(kinds[structure]->init(&s.x, &desc) == SPT_OK);
        for (id = 0; id < n; id++) {
            memory.limit = id < 40 || id > 3000 ? 0 : memory.bytes; /* nothing more for a while */
            if (spt_insert(&s.x, id, &boxes[id]) != SPT_OK) {
                memory.limit = 0;
                CHECK(spt_insert(&s.x, id, &boxes[id]) == SPT_OK);
            }
        }
        memory.limit = 0;
        CHECK(spt_check(&s.x) && spt_count(&s.x) == n);
        for (step = 0; step < 10; step++) {
            for (id = 0; id < n; id++) CHECK(spt_move(&s.x, id, &boxes[id]) == SPT_OK);
            spt_tidy(&s.x);
        }
        s.n = n;
        check_cost(&s);
        spt_free(&s.x);
        CHECK(memory.bytes == 0);
    }
}

/* Two rooms far apart: a window in a room tests few of its boxes in a quadtree and in packed; in
   linear if the rooms are no more than ten rooms apart. */
static void a_quadtree_tells_crowds_in_a_wide_world_apart(void)
{
    const spt_i32 n = few_or_many();
    spt_index x;
    double apart;
    int structure, k;
    spt_i32 id;
    for (structure = 0; structure < 4; structure++)
        for (apart = 10; apart < (structure % 2 ? 20000 : 20); apart *= 10) {
            spread(n, 0, 0, 3000);
            for (id = 0; id < n; id += 2)
                for (k = 0; k < 2; k++) {
                    spt_coord *edge = k ? &boxes[id].max_x : &boxes[id].min_x;
                    *edge += (spt_coord)(6000 * apart);
                }
            if (structure == 3) CHECK(spt_packed_init(&x, NULL) == SPT_OK);
            else CHECK(make(&x, structure, NULL, 0, 0) == SPT_OK);
            CHECK(spt_build(&x, boxes, n) == SPT_OK);
            CHECK(cost(&x, n) <= 100 * 600.0);
            spt_free(&x);
        }
}

static const test_case tests[] = {
    TEST(after_eight_frames_any_bounds_are_as_good_as_those_that_fit),
    TEST(inserts_alone_fit_the_world),
    TEST(a_world_that_goes_away_or_changes_its_size_is_fitted_again),
    TEST(far_and_infinite_boxes_cost_the_others_little),
    TEST(uneven_worlds_have_no_cliffs),
    TEST(the_cells_of_a_bent_world_are_told_as_they_are),
    TEST(a_bent_map_is_monotone_and_ends_at_its_last_cell),
    TEST(samples_reach_to_the_last_box),
    TEST(a_sample_finds_what_is_left_of_many_elements),
    TEST(a_narrower_world_is_fitted_again_if_that_saves_most_cells),
    TEST(few_frames_test_the_fit),
    TEST(a_world_that_alternates_is_fitted_to_both_sizes),
    TEST(after_removals_the_fit_is_tested_soon),
    TEST(after_a_spike_memory_is_given_back),
    TEST(a_bent_world_that_shrinks_has_no_more_rows_than_levels),
    TEST(clear_and_build_touch_few_ids_if_few_are_there),
    TEST(an_index_of_which_little_is_left_is_as_one_that_never_had_more),
    TEST(boxes_that_begin_at_one_coordinate_are_told_apart),
    TEST(a_small_build_does_not_spoil_an_index_that_keeps_its_bounds),
    TEST(small_cells_without_bounds_take_little_memory),
    TEST(windows_of_a_uniform_grid_look_at_few_nodes),
    TEST(bounds_that_are_kept_change_only_by_rebound),
    TEST(a_world_that_cannot_be_fitted_for_lack_of_memory_stays_as_it_is),
    TEST(a_quadtree_tells_crowds_in_a_wide_world_apart),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
