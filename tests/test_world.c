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

#define MOST 20000

typedef struct subject {
    spt_index x;
    int structure;   /* 0 linear, 1 quadtree, 2 loosegrid */
    spt_i32 capacity;
    spt_i32 n;       /* the ids 0 .. n-1 are there */
    spt_i32 changes; /* since the index was fitted, */
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

/* "At most once in n changes": counts the fits, and the changes before each. */
static void look(subject *s)
{
    const int other = memcmp(&s->bounds, &s->x.bounds, sizeof s->bounds) != 0 ||
                      (s->structure != 1 && s->nodes != s->x.node_count);
    if (!other) return;
    CHECK(s->changes >= s->count && s->changes >= SPTI_FIT_LEAST);
    s->fits++;
    s->changes = 0;
    s->count = s->x.count;
    s->bounds = s->x.bounds;
    s->nodes = s->x.node_count;
}

static void insert(subject *s, spt_i32 id)
{
    CHECK(spt_insert(&s->x, id, &boxes[id]) == SPT_OK);
    s->changes++;
    look(s);
}

/* All go to their boxes, and one call of tidy. */
static void frame(subject *s)
{
    spt_i32 id;
    for (id = 0; id < s->n; id++) CHECK(spt_move(&s->x, id, &boxes[id]) == SPT_OK);
    s->changes += s->n;
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

/* The cost of windows around some of the elements. */
static double cost(const spt_index *x, spt_i32 n)
{
    spt_intlist out;
    spt_i32 id;
    spt_intlist_init(&out, 1);
    work = 0;
    for (id = 0; id < n; id += 1 + n / 100)
        if (spt_contains(x, id)) CHECK(spt_query(x, &boxes[id], NULL, &out) > 0);
    spt_intlist_free(&out);
    return work;
}

/* Windows cost at most twice as much as in an index that was built just now. */
static void check_cost(const subject *s)
{
    static spt_index fresh;
    CHECK(make(&fresh, s->structure, NULL, s->n, 0) == SPT_OK);
    CHECK(spt_build(&fresh, boxes, s->n) == SPT_OK);
    CHECK(cost(&s->x, s->n) <= 2 * cost(&fresh, s->n) + 2000);
    CHECK(spt_check(&s->x));
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
static void far_and_infinite_boxes_do_not_make_the_world_wide(void)
{
    static subject s;
    const spt_i32 n = few_or_many();
    int structure, share, how;
    spt_i32 id;
    for (structure = 0; structure < 3; structure++)
        for (share = 20; share >= 5; share -= 5)
            for (how = 0; how < 4; how++) {
                spt_coord far = (spt_coord)any(1e5, 1e9);
                spread(n, 0, 0, 3000);
                for (id = 0; id < n; id += share) {
                    if (how == 0) boxes[id] = box_of(far, -far, far + 5, -far + 5);
                    if (how == 1) boxes[id].min_x = (spt_coord)(any(1e4, 1e9));
                    if (how > 0) boxes[id].max_x = COORD_HIGH;
                    if (how > 2) boxes[id].min_y = COORD_LOW;
                }
                open_full(&s, structure, NULL, 0, n, 40);
                CHECK((double)s.x.bounds.max_x < 40000 && (double)s.x.bounds.min_y > -40000);
                check_cost(&s);
                spt_free(&s.x);
            }
}

/* A seventh of the elements, at random places among the others, lie far away on one side. */
static void samples_leave_out_a_seventh_that_is_far_away(void)
{
    const spt_i32 n = 1000;
    int round, wide = 0;
    spt_index x;
    spt_i32 id, far;
    for (round = 0; round < 300; round++) {
        spread(n, 0, 0, 3000);
        for (id = far = 0; id < n; id++) /* as many of the rest as are still to come */
            if (any(0, 1) * (double)(n - id) < (double)(n / 7 - far))
                far++, boxes[id] = box_of(1000000, 0, 1000005, 5);
        CHECK(spt_linear_init(&x, NULL) == SPT_OK && spt_build(&x, boxes, n) == SPT_OK);
        wide += (double)x.bounds.max_x > 40000;
        spt_free(&x);
    }
    CHECK(wide < 3);
}

/* Half of the elements lie along one line, half along another that crosses it: along each axis half
   of all are close together, and the others are no outliers. (An arm is lost if two thirds of a
   sample are of the other one: some 7 times in 300.) */
static void samples_see_the_arms_of_a_cross(void)
{
    const spt_i32 n = 1000;
    int round, narrow = 0;
    spt_index x;
    spt_i32 id;
    for (round = 0; round < 300; round++) {
        const double across[2] = {any(-2900, 2900), any(-2900, 2900)};
        spread(n, 0, 0, 3000);
        for (id = 0; id < n; id++) {
            const double off = any(-1, 1), along = any(-3000, 3000);
            boxes[id] = test_random() % 2 ? box_of(across[0] + off, along, across[0] + off, along)
                                          : box_of(along, across[1] + off, along, across[1] + off);
        }
        CHECK(spt_linear_init(&x, NULL) == SPT_OK && spt_build(&x, boxes, n) == SPT_OK);
        narrow += (double)x.bounds.max_x - (double)x.bounds.min_x < 4000 ||
                  (double)x.bounds.max_y - (double)x.bounds.min_y < 4000;
        spt_free(&x);
    }
    CHECK(narrow < 25);
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

/* Boxes that leave the world, some of them to far away, count alike on the left and the right. */
static void a_world_fits_as_its_mirror_image_does(void)
{
    const spt_box was = box_of(-1000, -1000, 1000, 1000);
    const spt_i32 n = SPTI_FIT_SAMPLE;
    spt_box bounds[2];
    spti_boxes source;
    spt_i32 outside[2][2], id, near, far;
    int left;
    for (near = 0; near <= 12; near++)
        for (far = 0; far <= 5; far++) {
            for (left = 0; left < 2; left++) {
                spti_box_clear(&bounds[left]);
                for (id = 0; id < n; id++) {
                    double at = id < near ? 1500 + id : id < near + far ? 1000000 : 20 * id;
                    if (left) at = -5 - at;
                    boxes[id] = box_of(at, 0, at + 5, 5);
                    spti_box_add(&bounds[left], &boxes[id]);
                }
                memset(&source, 0, sizeof source);
                source.first = boxes, source.n = source.count = n;
                outside[left][0] = outside[left][1] = 0;
                spti_fit_axis(&source, 0, &was, &bounds[left], outside[left]);
            }
            CHECK(outside[0][0] == near + far && outside[0][1] == far);
            CHECK(outside[1][0] == near + far && outside[1][1] == far);
            CHECK(fabs((double)bounds[0].max_x + (double)bounds[1].min_x) < 1);
        }
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
            for (id = left; id < n; id++) CHECK(spt_remove(&s.x, id) == SPT_OK);
            spread(left, 1e6, -1e6, 300);
            s.n = left;
            for (id = 0; id < 8 && id < left; id++) frame(&s);
            check_cost(&s);
            CHECK(s.x.pool.top <= left + 32);
            spt_free(&s.x);
        }
}

/* "Levels follow the number of elements": of all one stays, and a walk over cells costs little. */
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
            for (id = 1; id < n; id++) CHECK(spt_remove(&s.x, id) == SPT_OK);
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
    TEST(far_and_infinite_boxes_do_not_make_the_world_wide),
    TEST(samples_leave_out_a_seventh_that_is_far_away),
    TEST(samples_see_the_arms_of_a_cross),
    TEST(samples_reach_to_the_last_box),
    TEST(a_world_fits_as_its_mirror_image_does),
    TEST(after_removals_the_fit_is_tested_soon),
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
