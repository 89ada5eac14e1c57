/* test_recipes.c - the recipes of the manual, each as a user would write it, against loops. */
static double work; /* counted, so that it is the same on every machine */
#define SPTI_COUNT(n) (work += (double)(n))

#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "test.h"
#include "brute.h"

#define N 120

static spt_box boxes[N];
static spt_intlist ids, pairs;

static void open_lists(void)
{
    spt_intlist_init(&ids, 1);
    spt_intlist_init(&pairs, 2);
}

static void close_lists(void)
{
    spt_intlist_free(&ids);
    spt_intlist_free(&pairs);
}

static spt_box random_box(int world, int size)
{
    const int x = test_below(world), y = test_below(world);
    return box_of(x, y, x + test_below(size), y + test_below(size));
}

static void random_boxes(int world, int size)
{
    int i;
    for (i = 0; i < N; i++) boxes[i] = random_box(world, size);
}

static int has_pair(const spt_intlist *list, spt_i32 a, spt_i32 b)
{
    spt_i32 i, count = 0;
    for (i = 0; i < spt_intlist_count(list); i++)
        count += spt_intlist_get(list, i, 0) == a && spt_intlist_get(list, i, 1) == b;
    return (int)count;
}

static void open_index(spt_index *x)
{
    int i;
    CHECK(spt_linear_init(x, NULL) == SPT_OK);
    for (i = 0; i < N; i++) CHECK(spt_insert(x, i, &boxes[i]) == SPT_OK);
}

/* Moves one after the other among walls and players, and none ends inside of what it was outside
   of; but a slide among the walls and then one among the players do. */
static void move_players(const spt_index *walls, spt_box *players, int n)
{
    spt_index x;
    spt_filter others;
    spt_layer worlds[2];
    spt_i32 self;
    int i, k, frame, inside = 0;
    memset(&others, 0, sizeof others);
    others.except = &self, others.except_count = 1;
    worlds[0].index = walls, worlds[0].filter = NULL;
    worlds[1].index = &x, worlds[1].filter = &others;
    CHECK(spt_linear_init(&x, NULL) == SPT_OK && spt_build(&x, players, n) == SPT_OK);
    for (frame = 0; frame < 800; frame++)
        for (i = 0; i < n; i++) {
            spt_motion m;
            spt_box end, two;
            self = i;
            m.box = players[i], m.enter = 0;
            m.dx = (spt_coord)(test_below(61) - 30), m.dy = (spt_coord)(test_below(61) - 30);
            CHECK(spt_slide(worlds, 2, &m, &end, NULL) >= 0);
            CHECK(spt_slide(worlds, 1, &m, &two, NULL) >= 0);
            m.dx = two.min_x - m.box.min_x, m.dy = two.min_y - m.box.min_y;
            CHECK(spt_slide(worlds + 1, 1, &m, &two, NULL) >= 0);
            for (k = 0; k < N + n; k++) {
                const spt_box *box = k < N ? &boxes[k] : &players[k - N];
                if (k == N + i || is_in(&players[i], box)) continue;
                CHECK(!is_in(&end, box));
                inside += is_in(&two, box);
            }
            players[i] = end;
            CHECK(spt_move(&x, i, &end) == SPT_OK);
        }
    CHECK(inside > 10);
    spt_free(&x);
}

static void walls_and_players(void)
{
    spt_index walls;
    spt_box players[60];
    int i, w;
    random_boxes(300, 40);
    for (i = 0; i < 20; i++) players[i] = random_box(300, 10);
    CHECK(spt_packed_init(&walls, NULL) == SPT_OK && spt_build(&walls, boxes, N) == SPT_OK);
    CHECK(spt_query_many(&walls, players, 20, NULL, &pairs) >= 0);
    for (i = 0; i < 20; i++)
        for (w = 0; w < N; w++)
            CHECK(has_pair(&pairs, i, w) == brute_overlap(&players[i], &boxes[w]));
    random_boxes(250, 14);
    for (i = 0; i < 60; i++) players[i] = random_box(250, 10);
    CHECK(spt_build(&walls, boxes, N) == SPT_OK);
    move_players(&walls, players, 60);
    spt_free(&walls);
}

/* Threads could ask for the parts at a time: none changes the index, and none has a list of
   another. */
static void windows_on_threads(void)
{
    enum { PARTS = 3, WINDOWS = 20 };
    spt_index x;
    spt_intlist found[PARTS];
    spt_box windows[WINDOWS];
    spt_i32 i, first, total = 0;
    int part;
    random_boxes(300, 40);
    open_index(&x);
    for (i = 0; i < WINDOWS; i++) windows[i] = random_box(300, 90);
    CHECK(spt_query_many(&x, windows, WINDOWS, NULL, &pairs) > 0);
    for (part = 0; part < PARTS; part++) {
        first = WINDOWS * part / PARTS;
        spt_intlist_init(&found[part], 2);
        CHECK(spt_query_many(&x, windows + first, WINDOWS * (part + 1) / PARTS - first, NULL,
                             &found[part]) > 0);
        for (i = 0; i < spt_intlist_count(&found[part]); i++)
            CHECK(has_pair(&pairs, first + spt_intlist_get(&found[part], i, 0),
                           spt_intlist_get(&found[part], i, 1)));
        total += spt_intlist_count(&found[part]);
        spt_intlist_free(&found[part]);
    }
    CHECK(total == spt_intlist_count(&pairs));
    spt_free(&x);
}

/* Tiles that share their edges: a tile enters no other one; half open, there are no pairs, and a
   point on an edge is in one tile. */
static void touching_is_no_hit(void)
{
    spt_index x;
    spt_box window;
    spt_filter filter = {NULL, 0, NULL, NULL, 0, NULL, NULL, SPT_ENTERS};
    int i;
    for (i = 0; i < N; i++)
        boxes[i] = box_of(i % 12 * 8, i / 12 * 8, i % 12 * 8 + 8, i / 12 * 8 + 8);
    open_index(&x);
    for (i = 0; i < N; i++) {
        CHECK(spt_query(&x, &boxes[i], NULL, &ids) >= 4);
        CHECK(spt_query(&x, &boxes[i], &filter, &ids) == 1);
        CHECK(spt_intlist_get(&ids, 0, 0) == i);
    }
    spt_free(&x);
    for (i = 0; i < N; i++) spt_box_half_open(&boxes[i]);
    open_index(&x);
    CHECK(spt_pairs(&x, NULL, &pairs) == 0);
    for (i = 1; i < 12; i++) {
        window = box_of(8 * i, 16, 8 * i, 16);
        CHECK(spt_query(&x, &window, NULL, &ids) == 1);
        CHECK(spt_intlist_get(&ids, 0, 0) == 24 + i);
    }
    spt_free(&x);
}

static void remove_what_is_hit(void)
{
    spt_index x;
    spt_box window = box_of(50, 50, 200, 200);
    spt_i32 found;
    int i;
    random_boxes(300, 40);
    open_index(&x);
    found = spt_query(&x, &window, NULL, &ids);
    CHECK(found > 0);
    for (i = 0; i < found; i++) CHECK(spt_remove(&x, spt_intlist_get(&ids, i, 0)) == SPT_OK);
    CHECK(spt_any(&x, &window, NULL) == 0 && spt_count(&x) == N - found);
    spt_free(&x);
}

static int other_body(void *ctx, spt_i32 id, spt_i32 other)
{
    const int *body = (const int *)ctx;
    return other == SPT_NONE || body[id] != body[other];
}

static void bodies_of_many_boxes(void)
{
    spt_filter filter = {NULL, 0, NULL, NULL, 0, other_body, NULL, SPT_MEETS};
    static int body[N];
    spt_index x;
    int a, b;
    random_boxes(100, 30);
    for (a = 0; a < N; a++) body[a] = a / 4;
    filter.ctx = body;
    open_index(&x);
    CHECK(spt_pairs(&x, &filter, &pairs) > 0);
    for (a = 0; a < N; a++)
        for (b = a + 1; b < N; b++)
            CHECK(has_pair(&pairs, a, b) ==
                  (a / 4 != b / 4 && brute_overlap(&boxes[a], &boxes[b])));
    spt_free(&x);
}

static spt_motion motion_of(const spt_box *box, int dx, int dy)
{
    spt_motion m;
    m.box = *box;
    m.dx = (spt_coord)dx;
    m.dy = (spt_coord)dy;
    m.enter = 0;
    return m;
}

/* One of a hundred boxes is rare: an index of these finds the same for a small part of the work. */
static void rare_classes(void)
{
    enum { MANY = 20000, RARE = 100 };
    static spt_box all[MANY], rare[MANY / RARE];
    static spt_u32 category[MANY];
    spt_filter filter = {NULL, 0, NULL, NULL, 0, NULL, NULL, SPT_MEETS};
    const spt_box window = box_of(0, 0, 4000, 4000);
    spt_index of_all, of_rare;
    double masked;
    int i;
    for (i = 0; i < MANY; i++) {
        all[i] = random_box(4000, 5), category[i] = i % RARE ? 1 : 2;
        if (i % RARE == 0) rare[i / RARE] = all[i];
    }
    filter.categories = category, filter.mask = 2;
    CHECK(spt_linear_init(&of_all, NULL) == SPT_OK && spt_linear_init(&of_rare, NULL) == SPT_OK);
    CHECK(spt_build(&of_all, all, MANY) == SPT_OK);
    CHECK(spt_build(&of_rare, rare, MANY / RARE) == SPT_OK);
    work = 0;
    CHECK(spt_query(&of_all, &window, &filter, &ids) == MANY / RARE);
    masked = work, work = 0;
    CHECK(spt_query(&of_rare, &window, NULL, &ids) == MANY / RARE);
    CHECK(work < masked / 20);
    spt_free(&of_all), spt_free(&of_rare);
}

/* Of two layers the nearer hit counts, as the lesser t of two casts. */
static void lines_of_sight(void)
{
    spt_index walls, doors;
    spt_layer both[2] = {0};
    spt_hit wall, door, first;
    int i, blocked = 0;
    random_boxes(300, 20);
    open_index(&walls);
    random_boxes(300, 20);
    open_index(&doors);
    both[0].index = &walls, both[1].index = &doors;
    for (i = 0; i < 400; i++) {
        const spt_box eye = random_box(300, 1), target = random_box(300, 1);
        const spt_motion ray = motion_of(&eye, (int)(target.min_x - eye.min_x),
                                         (int)(target.min_y - eye.min_y));
        const int of_wall = spt_cast(&walls, &ray, NULL, &wall);
        const int of_door = spt_cast(&doors, &ray, NULL, &door);
        CHECK(spt_cast_among(both, 2, &ray, &first) == (of_wall > 0 || of_door > 0));
        if (of_wall && (!of_door || wall.t < door.t))
            CHECK(first.layer == 0 && first.id == wall.id);
        if (of_door && (!of_wall || door.t < wall.t))
            CHECK(first.layer == 1 && first.id == door.id);
        blocked += of_wall || of_door;
    }
    CHECK(blocked > 100 && blocked < 400);
    spt_free(&walls), spt_free(&doors);
}

/* How far apart two boxes are after a part of their motions, in any direction; < 0: overlapping. */
static double gap_after(const spt_motion *a, const spt_motion *b, double t)
{
    const double dx = t * ((double)a->dx - (double)b->dx), dy = t * ((double)a->dy - (double)b->dy);
    double gap = (double)a->box.min_x + dx - (double)b->box.max_x;
    gap = fmax(gap, (double)b->box.min_x - ((double)a->box.max_x + dx));
    gap = fmax(gap, (double)a->box.min_y + dy - (double)b->box.max_y);
    return fmax(gap, (double)b->box.min_y - ((double)a->box.max_y + dy));
}

/* Casts of all pairs by the difference of their motions, against both in many small steps; and each
   that meets is among the pairs of the swept boxes. */
static void two_that_move_and_fast_bullets(void)
{
    spt_motion motions[N], relative;
    spt_box swept;
    spt_index x;
    spt_hit hit;
    int a, b, k, meets, met = 0;
    double t, least;
    CHECK(spt_linear_init(&x, NULL) == SPT_OK);
    for (a = 0; a < N; a++) {
        boxes[a] = random_box(400, 8);
        motions[a] = motion_of(&boxes[a], test_below(200) - 100, test_below(200) - 100);
        spt_box_swept(&motions[a], &swept);
        CHECK(spt_insert(&x, a, &swept) == SPT_OK);
    }
    CHECK(spt_pairs(&x, NULL, &pairs) > 0);
    for (a = 0; a < N; a++)
        for (b = a + 1; b < N; b++) {
            relative = motions[a];
            relative.dx -= motions[b].dx, relative.dy -= motions[b].dy;
            meets = spt_box_cast(&relative, &boxes[b], &hit);
            for (least = 1e9, k = 0; k <= 400; k++)
                least = fmin(least, gap_after(&motions[a], &motions[b], k / 400.0));
            if (least < 0) CHECK(meets); /* the steps may pass by a corner */
            if (!meets) continue;
            met++;
            t = (double)hit.t;
#ifdef SPATIAL_INT
            t /= 65536;
#endif
            CHECK(gap_after(&motions[a], &motions[b], t) < 0.01);
            CHECK(t <= 0 || gap_after(&motions[a], &motions[b], t * 0.999 - 0.0001) > 0);
            CHECK(has_pair(&pairs, a, b) == 1);
        }
    CHECK(met > 20);
    spt_free(&x);
}

#ifndef SPATIAL_INT
static double points[N][2]; /* whose digits a float does not hold */
static double best, own_x, own_y;
static int best_id;

static int nearer_point(void *ctx, spt_i32 id, const spt_box *box, spt_coord distance,
                        spt_coord *limit)
{
    const double d = hypot(points[id][0] - own_x, points[id][1] - own_y);
    (void)ctx, (void)box, (void)distance;
    if (d < best) best = d, best_id = (int)id;
    *limit = (spt_coord)(best * (1 + 1e-6));
    return 0;
}

static void a_world_of_doubles(void)
{
    spt_index x;
    spt_box box;
    int i, k, nearest, expected;
    CHECK(spt_linear_init(&x, NULL) == SPT_OK);
    for (i = 0; i < N; i++) {
        points[i][0] = 16777216.0 + test_below(4000) / 1000.0;
        points[i][1] = -16777216.0 + test_below(4000) / 1000.0;
        spt_box_outward(points[i][0], points[i][1], points[i][0], points[i][1], &box);
        CHECK(spt_insert(&x, i, &box) == SPT_OK);
    }
    for (k = 0; k < 200; k++) {
        own_x = 16777216.0 + test_below(4000) / 1000.0 + 0.0001;
        own_y = -16777216.0 + test_below(4000) / 1000.0;
        for (i = 1, nearest = 0; i < N; i++)
            if (hypot(points[i][0] - own_x, points[i][1] - own_y) <
                hypot(points[nearest][0] - own_x, points[nearest][1] - own_y))
                nearest = i;
        best = 1e300, best_id = -1;
        spt_box_outward(own_x, own_y, own_x, own_y, &box);
        CHECK(spt_nearest_visit(&x, &box, NULL, nearer_point, NULL) == 0);
        CHECK(best <= hypot(points[nearest][0] - own_x, points[nearest][1] - own_y));
        spt_box_outward(own_x - 0.5, own_y - 0.5, own_x + 0.5, own_y + 0.5, &box);
        CHECK(spt_query(&x, &box, NULL, &ids) >= 0);
        for (i = 0, expected = 0; i < N; i++)
            expected += fabs(points[i][0] - own_x) <= 0.5 && fabs(points[i][1] - own_y) <= 0.5;
        for (i = 0; i < spt_intlist_count(&ids); i++) {
            const double *p = points[spt_intlist_get(&ids, i, 0)];
            expected -= fabs(p[0] - own_x) <= 0.5 && fabs(p[1] - own_y) <= 0.5;
        }
        CHECK(expected == 0);
    }
    spt_free(&x);
}
#endif

typedef struct ties {
    const spt_box *from;
    spt_box first;
    int count;
} ties;

static int as_near(void *ctx, spt_i32 id, const spt_box *box, spt_coord distance, spt_coord *limit)
{
    ties *t = (ties *)ctx;
    (void)id, (void)distance, (void)limit;
    if (t->count == 0) t->first = *box;
    if (spt_box_nearer(t->from, &t->first, box) != 0) return 1;
    t->count++;
    return 0;
}

static void all_that_are_nearest(void)
{
    spt_index x;
    int k, i, expected, several = 0;
    random_boxes(50, 2);
    open_index(&x);
    for (k = 0; k < 300; k++) {
        spt_box from = random_box(50, 1), nearest = boxes[0];
        ties t;
        for (i = 1; i < N; i++)
            if (spt_box_nearer(&from, &boxes[i], &nearest) < 0) nearest = boxes[i];
        for (i = 0, expected = 0; i < N; i++)
            expected += spt_box_nearer(&from, &boxes[i], &nearest) == 0;
        t.from = &from;
        t.count = 0;
        CHECK(spt_nearest_visit(&x, &from, NULL, as_near, &t) >= 0);
        CHECK(t.count == expected);
        several += expected > 1;
    }
    CHECK(several > 30);
    spt_free(&x);
}

#define WORLD 100 /* its side */

static spt_box moved_by(const spt_box *box, int worlds_x, int worlds_y)
{
    const int x = worlds_x * WORLD, y = worlds_y * WORLD;
    return box_of((double)box->min_x + x, (double)box->min_y + y, (double)box->max_x + x,
                  (double)box->max_y + y);
}

/* Returns 1 if two boxes overlap anywhere in a world that wraps. */
static int overlap_wrapped(const spt_box *a, const spt_box *b)
{
    int copy, found = 0;
    for (copy = 0; copy < 9; copy++) {
        spt_box moved = moved_by(a, copy % 3 - 1, copy / 3 - 1);
        found |= brute_overlap(&moved, b);
    }
    return found;
}

static void the_k_nearest_of_all(void)
{
    enum { K = 5 };
    spt_index x;
    int i, j, m, n;
    random_boxes(60, 1);
    for (i = 0; i < 20; i++) boxes[i] = boxes[0]; /* many at the same place */
    CHECK(spt_packed_init(&x, NULL) == SPT_OK && spt_build(&x, boxes, N) == SPT_OK);
    for (i = 0; i < N; i++) {
        spt_i32 near[K];
        CHECK(spt_nearest(&x, &boxes[i], K + 1, SPT_NO_LIMIT, NULL, &ids) == K + 1);
        for (j = 0, n = 0; j < K + 1 && n < K; j++)
            if (spt_intlist_get(&ids, j, 0) != i) near[n++] = spt_intlist_get(&ids, j, 0);
        for (j = 0; j < N; j++) { /* none that is left out is nearer than the last */
            for (m = 0; m < K && near[m] != j; m++) {}
            if (m == K && j != i)
                CHECK(spt_box_nearer(&boxes[i], &boxes[j], &boxes[near[K - 1]]) >= 0);
        }
    }
    spt_free(&x);
}

/* Windows with their copies, and pairs with copies of boxes: boxes begin in the world. */
static void a_world_that_wraps(void)
{
    static unsigned char seen[N], together[N][N];
    spt_index x;
    int a, b, k, copy;
    random_boxes(WORLD, 12);
    open_index(&x);
    for (k = 0; k < 50; k++) {
        spt_box window = random_box(WORLD, 30);
        memset(seen, 0, sizeof seen);
        for (copy = 0; copy < 9; copy++) {
            spt_box moved = moved_by(&window, copy % 3 - 1, copy / 3 - 1);
            CHECK(spt_query(&x, &moved, NULL, &ids) >= 0);
            for (a = 0; a < spt_intlist_count(&ids); a++) seen[spt_intlist_get(&ids, a, 0)] = 1;
        }
        for (a = 0; a < N; a++) CHECK(seen[a] == overlap_wrapped(&window, &boxes[a]));
    }
    for (a = 0; a < N; a++)
        for (copy = 1; copy < 4; copy++) {
            spt_box moved = moved_by(&boxes[a], -(copy & 1), -(copy >> 1));
            if (moved.max_x < 0 || moved.max_y < 0) continue; /* it does not leave that way */
            CHECK(spt_insert(&x, a + copy * N, &moved) == SPT_OK);
        }
    CHECK(spt_pairs(&x, NULL, &pairs) > 0);
    memset(together, 0, sizeof together);
    for (k = 0; k < spt_intlist_count(&pairs); k++) {
        a = (int)(spt_intlist_get(&pairs, k, 0) % N), b = (int)(spt_intlist_get(&pairs, k, 1) % N);
        together[a][b] = together[b][a] = 1;
    }
    for (a = 0; a < N; a++)
        for (b = a + 1; b < N; b++)
            CHECK(together[a][b] == overlap_wrapped(&boxes[a], &boxes[b]));
    spt_free(&x);
}

/* A frame of a game; returns a hash of the pairs in their order. */
static uint32_t play(spt_index *x, uint32_t hash)
{
    int i;
    for (i = 0; i < 40; i++) {
        const int id = test_below(N);
        const spt_box box = random_box(300, 20);
        if (!spt_contains(x, id)) CHECK(spt_insert(x, id, &box) == SPT_OK);
        else if (i % 4) CHECK(spt_move(x, id, &box) == SPT_OK);
        else CHECK(spt_remove(x, id) == SPT_OK);
    }
    spt_tidy(x);
    CHECK(spt_pairs(x, NULL, &pairs) >= 0);
    return test_hash(hash, spt_intlist_data(&pairs),
                     8 * (size_t)spt_intlist_count(&pairs));
}

/* Eight frames back, again and again, by a ring of copies; and once by copies of an arena. */
static void rollback(void)
{
    static double buffer[8000], saved_buffer[8000];
    spt_linear_desc desc;
    spt_index x, saved, ring[8];
    spt_arena arena, saved_arena;
    uint32_t hashes[200], random[200], hash = 0, again = 0;
    int frame, back, i;
    CHECK(spt_linear_init(&x, NULL) == SPT_OK);
    for (i = 0; i < 8; i++) CHECK(spt_linear_init(&ring[i], NULL) == SPT_OK);
    for (frame = 0; frame < 200; frame++) {
        random[frame] = test.random;
        CHECK(spt_copy(&ring[frame % 8], &x) == SPT_OK);
        hashes[frame] = play(&x, 0);
        if (frame % 8 < 7) continue;
        back = frame - test_below(8);
        CHECK(spt_copy(&x, &ring[back % 8]) == SPT_OK);
        for (test.random = random[back]; back <= frame; back++)
            CHECK(play(&x, 0) == hashes[back]);
    }
    CHECK(spt_check(&x));
    for (i = 0; i < 8; i++) spt_free(&ring[i]);
    spt_free(&x);
    memset(&desc, 0, sizeof desc);
    desc.capacity = N;
    spt_arena_init(&arena, buffer, sizeof buffer, &desc.allocator);
    CHECK(spt_linear_init(&x, &desc) == SPT_OK);
    for (frame = 0; frame < 20; frame++) (void)play(&x, 0);
    saved = x, saved_arena = arena, random[0] = test.random;
    memcpy(saved_buffer, buffer, sizeof buffer);
    for (frame = 0; frame < 50; frame++) hash = play(&x, hash);
    x = saved, arena = saved_arena, test.random = random[0];
    memcpy(buffer, saved_buffer, sizeof buffer);
    for (frame = 0; frame < 50; frame++) again = play(&x, again);
    CHECK(hash == again && spt_check(&x));
    spt_free(&x);
}

/* Adds the contacts that began and ended in a frame to its hash. */
static uint32_t play_contacts(spt_index *x, spt_contacts *contacts, spt_intlist *changes)
{
    uint32_t hash = play(x, 0);
    int i;
    CHECK(spt_contacts_update(contacts, &pairs, &changes[0], &changes[1]) >= 0);
    for (i = 0; i < 2; i++)
        hash = test_hash(hash, spt_intlist_data(&changes[i]),
                         8 * (size_t)spt_intlist_count(&changes[i]));
    return hash;
}

/* Contacts go back by the pairs of the restored world. */
static void rollback_of_contacts(void)
{
    spt_index x, ring[8];
    spt_contacts contacts;
    spt_intlist changes[2];
    uint32_t hashes[200], random[200];
    int frame, back, i, other = 0;
    CHECK(spt_linear_init(&x, NULL) == SPT_OK && spt_contacts_init(&contacts, NULL) == SPT_OK);
    for (i = 0; i < 8; i++) CHECK(spt_linear_init(&ring[i], NULL) == SPT_OK);
    for (i = 0; i < 2; i++) spt_intlist_init(&changes[i], 2);
    for (frame = 0; frame < 200; frame++) {
        random[frame] = test.random;
        CHECK(spt_copy(&ring[frame % 8], &x) == SPT_OK);
        hashes[frame] = play_contacts(&x, &contacts, changes);
        if (frame % 8 < 7) continue;
        back = frame - test_below(8);
        CHECK(spt_copy(&x, &ring[back % 8]) == SPT_OK);
        test.random = random[back]; /* not without the pairs: others begin and end */
        other += play_contacts(&x, &contacts, changes) != hashes[back];
        CHECK(spt_copy(&x, &ring[back % 8]) == SPT_OK && spt_pairs(&x, NULL, &pairs) >= 0);
        CHECK(spt_contacts_update(&contacts, &pairs, NULL, NULL) >= 0);
        for (test.random = random[back]; back <= frame; back++)
            CHECK(play_contacts(&x, &contacts, changes) == hashes[back]);
    }
    CHECK(other > 10);
    for (i = 0; i < 8; i++) spt_free(&ring[i]);
    for (i = 0; i < 2; i++) spt_intlist_free(&changes[i]);
    spt_free(&x), spt_contacts_free(&contacts);
}

/* The order of a broadphase does not depend on its earlier calls; contacts sort. */
static void lockstep(void)
{
    spt_broadphase fresh, used;
    spt_contacts contacts;
    spt_intlist began, again;
    spt_i32 i, n;
    spt_intlist_init(&began, 2), spt_intlist_init(&again, 2);
    CHECK(spt_broadphase_init(&fresh, NULL) == SPT_OK);
    CHECK(spt_broadphase_init(&used, NULL) == SPT_OK);
    random_boxes(40, 30);
    CHECK(spt_broadphase_pairs(&used, boxes, N, NULL, &again) > 0);
    random_boxes(300, 40);
    n = spt_broadphase_pairs(&fresh, boxes, N, NULL, &pairs);
    CHECK(spt_broadphase_pairs(&used, boxes, N, NULL, &again) == n && n > 10);
    CHECK(memcmp(spt_intlist_data(&pairs), spt_intlist_data(&again), 8 * (size_t)n) == 0);
    CHECK(spt_contacts_init(&contacts, NULL) == SPT_OK);
    CHECK(spt_contacts_update(&contacts, &pairs, &began, NULL) == n);
    for (i = 1; i < n; i++) {
        const spt_i32 *pair = spt_intlist_data(&began) + 2 * i;
        CHECK(pair[-2] < pair[0] || (pair[-2] == pair[0] && pair[-1] < pair[1]));
    }
    spt_contacts_free(&contacts);
    spt_broadphase_free(&fresh), spt_broadphase_free(&used);
    spt_intlist_free(&began), spt_intlist_free(&again);
}

/* Which of N elements are there, and in which category. */
static char there[N];
static spt_u32 category[N];

/* One frame in which each of 12 ids moves, comes, goes, is removed and comes back elsewhere, or
   gets another category. Puts these ids into changed and returns how many they are. */
static spt_i32 change_some(spt_index *x, spt_i32 *changed)
{
    spt_i32 n;
    for (n = 0; n < 12; n++) {
        const spt_i32 id = test_below(N);
        changed[n] = id;
        boxes[id] = random_box(150, 20);
        if (there[id] && test_below(3) == 0) {
            CHECK(spt_move(x, id, &boxes[id]) == SPT_OK);
            continue;
        }
        if (there[id]) CHECK(spt_remove(x, id) == SPT_OK);
        there[id] = (char)(!there[id] || test_below(2));
        if (there[id]) CHECK(spt_insert(x, id, &boxes[id]) == SPT_OK);
        if (test_below(3) == 0) category[id] = 1u << test_below(2);
    }
    spt_tidy(x);
    return n;
}

/* Contacts of changed boxes, found frame by frame, are the contacts of all pairs; began and ended
   are the differences from the frame before. */
static void few_that_move(void)
{
    static char touched[N][N];
    static const int frames = 60;
    spt_filter filter = {category, 1, NULL, NULL, 0, NULL, NULL, SPT_MEETS};
    spt_contacts contacts;
    spt_intlist began, ended;
    spt_index x;
    spt_i32 changed[12], n, a, b;
    int frame;
    spt_intlist_init(&began, 2), spt_intlist_init(&ended, 2);
    random_boxes(150, 20);
    open_index(&x);
    for (a = 0; a < N; a++) there[a] = 1, category[a] = 1;
    memset(touched, 0, sizeof touched);
    CHECK(spt_contacts_init(&contacts, NULL) == SPT_OK);
    CHECK(spt_pairs(&x, &filter, &pairs) > 20);
    CHECK(spt_contacts_update(&contacts, &pairs, &began, NULL) == spt_intlist_count(&pairs));
    for (a = 0; a < spt_intlist_count(&began); a++)
        touched[spt_intlist_get(&began, a, 0)][spt_intlist_get(&began, a, 1)] = 1;
    for (frame = 0; frame < frames; frame++) {
        n = change_some(&x, changed);
        CHECK(spt_pairs_of(&x, changed, n, &filter, &pairs) >= 0);
        CHECK(spt_contacts_update_of(&contacts, changed, n, &pairs, &began, &ended) >= 0);
        for (a = 0; a < N; a++)
            for (b = a + 1; b < N; b++) {
                const int meet = there[a] && there[b] && (category[a] & category[b] & 1) &&
                                 brute_overlap(&boxes[a], &boxes[b]);
                CHECK(spt_contacts_has(&contacts, a, b) == meet);
                CHECK(has_pair(&began, a, b) == (meet && !touched[a][b]));
                CHECK(has_pair(&ended, a, b) == (!meet && touched[a][b]));
                touched[a][b] = (char)meet;
            }
        CHECK(spt_contacts_check(&contacts));
    }
    spt_contacts_free(&contacts), spt_free(&x);
    spt_intlist_free(&began), spt_intlist_free(&ended);
}

/* The recipe: numbers of islands, from 0 on. */
static int find_islands(spt_contacts *contacts, int *island)
{
    spt_intlist todo;
    spt_i32 id, i;
    int count = 0;
    spt_intlist_init(&todo, 1);
    for (id = 0; id < N; id++) island[id] = -1;
    for (id = 0; id < N; id++) {
        spt_i32 next = id;
        if (island[id] >= 0) continue;
        island[id] = count++;
        CHECK(spt_intlist_push(&todo, &next) >= 0);
        while (spt_intlist_pop(&todo, &next) == SPT_OK) {
            CHECK(spt_contacts_of(contacts, next, &ids) >= 0);
            for (i = 0; i < spt_intlist_count(&ids); i++) {
                const spt_i32 other = spt_intlist_get(&ids, i, 0);
                if (island[other] >= 0) continue;
                island[other] = island[id];
                CHECK(spt_intlist_push(&todo, &other) >= 0);
            }
        }
    }
    spt_intlist_free(&todo);
    return count;
}

static void islands_of_contacts(void)
{
    static int island[N], label[N];
    spt_contacts contacts;
    spt_index x;
    spt_i32 a, b, lowered = 1, count = 0;
    random_boxes(60, 8);
    open_index(&x);
    CHECK(spt_contacts_init(&contacts, NULL) == SPT_OK);
    CHECK(spt_pairs(&x, NULL, &pairs) > 20);
    CHECK(spt_contacts_update(&contacts, &pairs, NULL, NULL) > 0);
    for (a = 0; a < N; a++) label[a] = (int)a;
    while (lowered > 0) /* the least id of each island, by brute force */
        for (lowered = 0, a = 0; a < N; a++)
            for (b = 0; b < N; b++)
                if (brute_overlap(&boxes[a], &boxes[b]) && label[a] < label[b])
                    label[b] = label[a], lowered++;
    for (a = 0; a < N; a++) count += label[a] == (int)a;
    CHECK(find_islands(&contacts, island) == (int)count && count > 1 && count < N);
    for (a = 0; a < N; a++)
        for (b = 0; b < N; b++) CHECK((island[a] == island[b]) == (label[a] == label[b]));
    spt_contacts_free(&contacts), spt_free(&x);
}

/* ---- Movers ---------------------------------------------------------------------------------- */

/* Any number from least to most; with SPATIAL_INT a whole one. */
static spt_coord draw(int least, int most)
{
#ifdef SPATIAL_INT
    return least + test_below(most - least + 1);
#else
    const double part = test_below(1 << 24) + test_below(1 << 24) / 16777216.0;
    return (spt_coord)(least + (most - least) * part / 16777216.0);
#endif
}

static int same(spt_coord a, spt_coord b)
{
    return !(a < b) && !(b < a);
}

/* How far a box of whole numbers gets by d along an axis, among some of the boxes. */
static int free_way(const spt_box *box, int axis, int d, int first, int end)
{
    spt_motion m = motion_of(box, axis ? 0 : d, axis ? d : 0);
    spt_coord way = (spt_coord)d, gap;
    spt_hit hit;
    int i;
    m.enter = 1;
    for (i = first; i < end; i++) {
        if (!spt_box_cast(&m, &boxes[i], &hit)) continue;
        if (axis) gap = d > 0 ? boxes[i].min_y - box->max_y : boxes[i].max_y - box->min_y;
        else gap = d > 0 ? boxes[i].min_x - box->max_x : boxes[i].max_x - box->min_x;
        if (d > 0 ? gap < way : gap > way) way = gap;
    }
    return (int)way;
}

static int is_below_feet(void *ctx, spt_i32 id, spt_i32 other) SPT_CALLBACK
{
    const spt_box *box = (const spt_box *)ctx;
    (void)other;
    return boxes[N / 2 + id].max_y <= box->min_y;
}

static void one_way_platforms(void)
{
    enum { WALLS = N / 2 };
    spt_index walls, platforms;
    spt_layer both[2];
    spt_filter feet;
    int k, i, held = 0, at_an_end = 0;
    memset(both, 0, sizeof both), memset(&feet, 0, sizeof feet);
    random_boxes(200, 12);
    for (i = WALLS; i < N; i++) boxes[i].max_x += 20, boxes[i].max_y = boxes[i].min_y + 1;
    CHECK(spt_packed_init(&walls, NULL) == SPT_OK && spt_packed_init(&platforms, NULL) == SPT_OK);
    CHECK(spt_build(&walls, boxes, WALLS) == SPT_OK);
    CHECK(spt_build(&platforms, boxes + WALLS, N - WALLS) == SPT_OK);
    both[0].index = &walls, both[1].index = &platforms;
    for (k = 0; k < 3000; k++) {
        const spt_box from = random_box(200, 10);
        const int dx = test_below(60) - 30, dy = test_below(60) - 30;
        spt_motion m = motion_of(&from, dx, 0);
        spt_box end, expected;
        spt_hit hits[2];
        int way;
        CHECK(spt_slide(both, 1, &m, &m.box, NULL) >= 0);
        way = free_way(&from, 0, dx, 0, WALLS);
        expected = from, expected.min_x += (spt_coord)way, expected.max_x += (spt_coord)way;
        CHECK(same_box(&m.box, &expected));
        m.dx = 0, m.dy = (spt_coord)dy;
        held += spt_slide(both, dy < 0 ? 2 : 1, &m, &end, hits) == 1 && hits[0].layer == 1;
        way = free_way(&expected, 1, dy, 0, dy < 0 ? N : WALLS);
        expected.min_y += (spt_coord)way, expected.max_y += (spt_coord)way;
        CHECK(same_box(&end, &expected));
        m = motion_of(&from, dx, dy); /* not by a filter: it lets a platform stop a box sideways */
        feet.accept = is_below_feet, feet.ctx = &m.box, both[1].filter = &feet;
        if (spt_slide(both, 2, &m, &end, hits) > 0)
            at_an_end += hits[0].layer == 1 && hits[0].nx != 0;
        both[1].filter = NULL;
    }
    CHECK(held > 100 && at_an_end > 10);
    spt_free(&walls), spt_free(&platforms);
}

static void lifts_and_riders(void)
{
    enum { LIFT, RIDER };
    static const spt_i32 both_ids[2] = {LIFT, RIDER};
    spt_index walls, movers;
    spt_filter others;
    spt_layer worlds[2];
    spt_box ceiling = box_of(-900, 90, 900, 99), lift = box_of(0, 0, 40, 3), rider, end;
    spt_motion m;
    spt_hit hits[2];
    spt_coord height, dx, dy = 2;
    int frame, sides, turns = 0;
    rider = lift, rider.min_y = lift.max_y, rider.max_y += draw(9, 12), rider.max_x = draw(5, 9);
    height = rider.max_y - rider.min_y;
    memset(worlds, 0, sizeof worlds), memset(&others, 0, sizeof others);
    CHECK(spt_packed_init(&walls, NULL) == SPT_OK && spt_build(&walls, &ceiling, 1) == SPT_OK);
    CHECK(spt_linear_init(&movers, NULL) == SPT_OK);
    CHECK(spt_insert(&movers, LIFT, &lift) == 0 && spt_insert(&movers, RIDER, &rider) == 0);
    others.except = both_ids;
    worlds[0].index = &walls, worlds[1].index = &movers, worlds[1].filter = &others;
    for (frame = 0; frame < 20000; frame++) {
        const int up = dy > 0;
        const spt_coord top = lift.max_y + (up ? draw(0, 3) : -draw(0, 3));
        dx = draw(-2, 2);
        m = motion_of(&rider, 0, 0), m.dx = dx, m.dy = top - rider.min_y;
        others.except_count = 2; /* the rider goes first, past the lift */
        sides = spt_slide(worlds, 2, &m, &end, hits);
        CHECK(sides >= 0);
        if (sides > 0 || lift.min_y < -200) {
            dy = sides > 0 ? -2 : 2, turns++;
            if (sides > 0) continue; /* it has no room above it: the lift turns */
        }
        rider = end, rider.min_y = top, rider.max_y = top + height;
        lift.min_y += top - lift.max_y, lift.max_y = top, lift.min_x += dx, lift.max_x += dx;
        CHECK(spt_move(&movers, LIFT, &lift) == 0 && spt_move(&movers, RIDER, &rider) == 0);
        m.box = rider, m.dx = rider.min_x > lift.min_x + 20 ? -draw(0, 2) : draw(0, 2), m.dy = -3;
        others.except = both_ids + 1, others.except_count = 1; /* its own motion */
        CHECK(spt_slide(worlds, 2, &m, &rider, hits) == 1 && hits[0].id == LIFT);
        others.except = both_ids;
        CHECK(spt_move(&movers, RIDER, &rider) == 0);
        CHECK(same(rider.min_y, lift.max_y) && !is_in(&rider, &ceiling));
    }
    CHECK(turns > 10);
    lift.max_y += 2; /* not the lift first: it gets into the rider, which falls through it */
    CHECK(spt_move(&movers, LIFT, &lift) == 0 && is_in(&rider, &lift));
    others.except = both_ids + 1, others.except_count = 1;
    m.box = rider, m.dx = 0, m.dy = -30;
    CHECK(spt_slide(worlds, 2, &m, &end, hits) == 0 && end.max_y < lift.min_y);
    spt_free(&walls), spt_free(&movers);
}

enum { LEDGES = 12, BODIES = 24, LIFT = BODIES }; /* movers: bodies and the lift; then ledges */

static int in_anything(int id, const spt_box *box)
{
    int i, found = 0;
    for (i = 0; i <= LIFT + LEDGES; i++) found += i != id && is_in(box, &boxes[i]);
    return found;
}

/* Puts the lift and all that it would push into list, each once, and returns how many they are. */
static spt_i32 find_carried(const spt_index *movers, spt_coord step, spt_i32 *list)
{
    spt_i32 n = 1, k, i, j;
    list[0] = LIFT;
    for (k = 0; k < n; k++) {
        spt_motion m = motion_of(&boxes[list[k]], 0, 0);
        m.dy = step, m.enter = 1;
        CHECK(spt_cast_all(movers, &m, NULL, &ids) >= 0);
        for (i = 0; i < spt_intlist_count(&ids); i++) {
            const spt_i32 id = spt_intlist_get(&ids, i, 0);
            for (j = 0; j < n && list[j] != id; j++) {}
            if (j == n) list[n++] = id;
        }
    }
    return n;
}

/* Moves the lift and its riders up, if nothing stops one. */
static int lift_up(spt_layer *worlds, spt_filter *others, spt_index *movers, spt_coord step)
{
    spt_i32 list[BODIES + 1], n = find_carried(movers, step, list), k, j;
    spt_box ends[BODIES + 1];
    others->except = list, others->except_count = n;
    for (k = 0; k < n; k++) {
        spt_motion m = motion_of(&boxes[list[k]], 0, 0);
        m.dy = step;
        if (spt_slide(worlds, 2, &m, &ends[k], NULL) != 0) return 0;
    }
    for (k = 1; k < n; k++)
        for (j = 0; j < n; j++)
            if (j != k && boxes[list[j]].max_y <= boxes[list[k]].min_y && is_in(&ends[k], &ends[j]))
                ends[k].min_y = ends[j].max_y;
    for (k = 0; k < n; k++) {
        boxes[list[k]] = ends[k];
        CHECK(spt_move(movers, list[k], &ends[k]) == SPT_OK);
    }
    return 1;
}

/* Moves the lift down, if nothing stops it, and then its riders, the lowest first. */
static int lift_down(spt_layer *worlds, spt_filter *others, spt_index *movers, spt_coord step)
{
    spt_i32 list[BODIES + 1], n = find_carried(movers, step, list), k, j;
    for (k = 0; k < n; k++) {
        spt_motion m;
        spt_i32 lowest = k, id;
        for (j = k + 1; k > 0 && j < n; j++)
            if (boxes[list[j]].min_y < boxes[list[lowest]].min_y) lowest = j;
        id = list[lowest], list[lowest] = list[k], list[k] = id;
        m = motion_of(&boxes[id], 0, 0), m.dy = -step;
        others->except = &id, others->except_count = 1;
        if (spt_slide(worlds, 2, &m, &m.box, NULL) != 0 && k == 0) return 0;
        boxes[id] = m.box;
        CHECK(spt_move(movers, id, &m.box) == SPT_OK);
    }
    return 1;
}

/* How the simple way fails, which slides only those that stand on the lift, each by itself: [0] a
   ledge holds a rider, [1] a body hangs close above, [2] a rider carries another. */
static void count_failures(spt_coord step, int up, long *failures)
{
    int i, j;
    spt_box lift = boxes[LIFT];
    lift.max_y += step;
    for (i = 0; i < BODIES; i++) {
        const int stands = same(boxes[i].min_y, boxes[LIFT].max_y) && is_in(&boxes[i], &lift);
        spt_box moved = boxes[i];
        if (up && !stands) failures[1] += is_in(&boxes[i], &lift);
        if (!stands) continue;
        if (up) moved.max_y += step;
        else moved.min_y -= step;
        for (j = 0; j <= LIFT + LEDGES; j++)
            if (j != i && (up ? j < LIFT : j > LIFT))
                failures[up ? 2 : 0] += is_in(&moved, &boxes[j]);
    }
}

/* Random worlds with ledges, stacks and bodies that hang in the air. */
static void lifts_in_worlds(void)
{
    long failures[3] = {0, 0, 0}, ups = 0, downs = 0;
    int run, frame, i, tries;
    for (run = 0; run < test_some(120, 30); run++) {
        spt_index walls, movers;
        spt_filter others;
        spt_layer worlds[2];
        memset(worlds, 0, sizeof worlds), memset(&others, 0, sizeof others);
        for (i = 0; i < N; i++) boxes[i] = box_of(-999, -999, -999, -999);
        boxes[LIFT] = box_of(20, 20, 60, 23);
        boxes[LIFT + LEDGES] = box_of(-50, -40, 150, -20);
        for (i = 0; i < LIFT + LEDGES; i++) {
            if (i == LIFT) continue;
            for (tries = 0; tries < 200; tries++) {
                boxes[i].min_x = i < LIFT ? draw(10, 60) : draw(-15, 62);
                boxes[i].min_y = draw(i < LIFT ? 23 : -10, 120);
                boxes[i].max_x = boxes[i].min_x + draw(4, i < LIFT ? 12 : 30);
                boxes[i].max_y = boxes[i].min_y + draw(2, 8);
                if (!in_anything(i, &boxes[i])) break;
            }
            if (tries == 200) boxes[i] = box_of(-999 - 20 * i, 0, -990 - 20 * i, 4);
        }
        CHECK(spt_packed_init(&walls, NULL) == SPT_OK && spt_linear_init(&movers, NULL) == SPT_OK);
        CHECK(spt_build(&walls, boxes + LIFT + 1, LEDGES) == SPT_OK);
        CHECK(spt_build(&movers, boxes, LIFT + 1) == SPT_OK);
        worlds[0].index = &walls, worlds[1].index = &movers, worlds[1].filter = &others;
        for (frame = 0; frame < 200; frame++) {
            const spt_coord step = draw(1, 3);
            const int up = frame / 25 % 2 == 0;
            count_failures(step, up, failures);
            if (up) ups += lift_up(worlds, &others, &movers, step);
            else downs += lift_down(worlds, &others, &movers, step);
            for (i = 0; i <= LIFT; i++) CHECK(!in_anything(i, &boxes[i]));
            for (i = 0; i < BODIES; i++) { /* they fall, if nothing holds them */
                const spt_i32 id = i;
                spt_motion m = motion_of(&boxes[i], 0, -1);
                others.except = &id, others.except_count = 1;
                CHECK(spt_slide(worlds, 2, &m, &m.box, NULL) >= 0);
                if (m.box.max_x > -100) CHECK(m.box.min_y >= -20);
                if (i % 4 == 0 || m.box.max_x < -100) continue; /* these hang */
                boxes[i] = m.box;
                CHECK(spt_move(&movers, id, &m.box) == SPT_OK);
            }
        }
        spt_free(&walls), spt_free(&movers);
    }
    CHECK(ups > 100 && downs > 100);
    CHECK(failures[0] > 10 && failures[1] > 10 && failures[2] > 10);
}

static void pushers(void)
{
    enum { PUSHED = 8 };
    spt_index walls, movers;
    spt_layer wall_world;
    spt_box wall = box_of(200, -50, 210, 250);
    long pushes = 0, rounded = 0, crushed = 0;
    int run, frame, i;
    CHECK(spt_packed_init(&walls, NULL) == SPT_OK && spt_build(&walls, &wall, 1) == SPT_OK);
    CHECK(spt_linear_init(&movers, NULL) == SPT_OK);
    wall_world.index = &walls, wall_world.filter = NULL;
    for (run = 0; run < 40; run++) {
        spt_box pusher = box_of(-30, -20, 0, 250);
        for (i = 0; i < PUSHED; i++) {
            boxes[i] = box_of(0, 20 * i, 0, 20 * i + 10);
            boxes[i].min_x = draw(1, 60), boxes[i].max_x = boxes[i].min_x + draw(5, 15);
        }
        CHECK(spt_build(&movers, boxes, PUSHED) == SPT_OK);
        for (frame = 0; frame < 100 && spt_count(&movers) > 0; frame++) {
            spt_motion m = motion_of(&pusher, 0, 0), push;
            spt_coord edge, width;
            m.dx = draw(1, 6), m.enter = 1;
            edge = pusher.max_x + m.dx;
            CHECK(spt_cast_all(&movers, &m, NULL, &ids) >= 0);
            for (i = 0; i < spt_intlist_count(&ids); i++) {
                const spt_i32 id = spt_intlist_get(&ids, i, 0);
                spt_box *box = &boxes[id];
                width = box->max_x - box->min_x;
                push = motion_of(box, 0, 0), push.dx = edge - box->min_x;
                pushes++;
                if (spt_slide(&wall_world, 1, &push, box, NULL) > 0) {
                    CHECK(spt_remove(&movers, id) == SPT_OK), crushed++;
                    continue;
                }
                rounded += box->min_x < edge;
                box->min_x = edge, box->max_x = edge + width;
                CHECK(spt_move(&movers, id, box) == SPT_OK && !is_in(box, &wall));
            }
            pusher.min_x += m.dx, pusher.max_x = edge;
            for (i = 0; i < PUSHED; i++)
                CHECK(!spt_contains(&movers, i) || boxes[i].min_x >= pusher.max_x);
        }
    }
    CHECK(crushed == run * PUSHED && pushes > 4000);
    CHECK(rounded > pushes / 50 || same((spt_coord)0.5, 0));
    spt_free(&walls), spt_free(&movers);
}

static int is_free(const spt_box *box)
{
    int i;
    for (i = 0; i < N && !is_in(box, &boxes[i]);) i++;
    return i == N;
}

/* A box goes on from its last free place. */
static void the_way_out_of_walls(void)
{
    spt_index x;
    spt_layer world;
    spt_box last, end;
    int k, inside = 0;
    random_boxes(100, 20);
    open_index(&x);
    memset(&world, 0, sizeof world), world.index = &x;
    do last = random_box(100, 6);
    while (!is_free(&last));
    for (k = 0; k < 2000; k++) {
        const spt_box box = random_box(100, 6);
        spt_motion m = motion_of(&last, 0, 0);
        m.dx = box.min_x - last.min_x, m.dy = box.min_y - last.min_y;
        if (is_free(&box)) last = box;
        else inside++;
        CHECK(spt_slide(&world, 1, &m, &end, NULL) >= 0 && is_free(&end));
    }
    CHECK(inside > 1000);
    spt_free(&x);
}

static int at_the_side(void *ctx, const spt_hit *hit, const spt_box *box, spt_coord *limit)
{
    (void)box, (void)limit;
    if (hit->t > 0) return 1;
    return CHECK(spt_intlist_push((spt_intlist *)ctx, &hit->id) >= 0) ? 0 : 1;
}

static void all_that_stops_a_box(void)
{
    spt_index x;
    spt_layer world;
    int k, i, s, sides, several = 0;
    random_boxes(60, 8);
    open_index(&x);
    world.index = &x, world.filter = NULL;
    for (k = 0; k < 4000; k++) {
        const int left = test_below(60), low = test_below(60);
        const spt_box from =
            box_of(left, low, left + 1 + test_below(8), low + 1 + test_below(8));
        const spt_motion m = motion_of(&from, test_below(40) - 20, test_below(40) - 20);
        spt_box end;
        spt_hit hits[2];
        sides = spt_slide(&world, 1, &m, &end, hits);
        for (s = 0; s < sides; s++) {
            spt_motion on = motion_of(&end, -hits[s].nx, -hits[s].ny);
            int expected = 0;
            on.enter = 1;
            spt_intlist_clear(&ids);
            CHECK(spt_cast_visit(&x, &on, NULL, at_the_side, &ids) >= 0);
            for (i = 0; i < N; i++) {
                const spt_box *b = &boxes[i];
                const int across = hits[s].nx ? b->min_y < end.max_y && end.min_y < b->max_y
                                              : b->min_x < end.max_x && end.min_x < b->max_x;
                if (hits[s].nx < 0) expected += across && same(b->min_x, end.max_x);
                if (hits[s].nx > 0) expected += across && same(b->max_x, end.min_x);
                if (hits[s].ny < 0) expected += across && same(b->min_y, end.max_y);
                if (hits[s].ny > 0) expected += across && same(b->max_y, end.min_y);
            }
            CHECK(spt_intlist_count(&ids) == expected);
            several += expected > 1;
        }
    }
    CHECK(several > 100);
    spt_free(&x);
}

/* Marks the coins that are met on a straight way from one place of a box to another. */
static void collect(const spt_index *coins, const spt_box *from, const spt_box *to, char *got)
{
    spt_motion m = motion_of(from, 0, 0);
    int i;
    m.dx = to->min_x - from->min_x, m.dy = to->min_y - from->min_y;
    CHECK(spt_cast_all(coins, &m, NULL, &ids) >= 0);
    for (i = 0; i < spt_intlist_count(&ids); i++) got[spt_intlist_get(&ids, i, 0)] = 1;
}

/* How far a coin is from a box on a way, at the least of 201 places; < 0: they overlap. */
static double gap_on(const spt_box *coin, const spt_box *from, const spt_box *to)
{
    const spt_motion stands = motion_of(coin, 0, 0);
    spt_motion m = motion_of(from, 0, 0);
    double least = 1e9;
    int k;
    m.dx = to->min_x - from->min_x, m.dy = to->min_y - from->min_y;
    for (k = 0; k <= 200; k++) least = fmin(least, gap_after(&m, &stands, k / 200.0));
    return least;
}

static void coins_on_the_way(void)
{
    enum { COINS = N / 2 };
    spt_index walls, coins;
    spt_layer world;
    int k, i, bent = 0, met = 0;
    random_boxes(300, 12);
    CHECK(spt_packed_init(&walls, NULL) == SPT_OK && spt_linear_init(&coins, NULL) == SPT_OK);
    CHECK(spt_build(&coins, boxes, COINS) == SPT_OK);
    CHECK(spt_build(&walls, boxes + COINS, N - COINS) == SPT_OK);
    world.index = &walls, world.filter = NULL;
    for (k = 0; k < 2000; k++) {
        char got[COINS] = {0};
        const spt_box from = random_box(300, 20);
        spt_motion m = motion_of(&from, test_below(120) - 60, test_below(120) - 60);
        spt_box end, mid;
        spt_hit hits[2];
        m.enter = 1;
        if (spt_slide(&world, 1, &m, &end, hits) > 0) {
            spt_box_stop(&m, &hits[0], &boxes[COINS + hits[0].id], &mid);
            bent++;
        } else {
            mid = end;
        }
        collect(&coins, &from, &mid, got), collect(&coins, &mid, &end, got);
        for (i = 0; i < COINS; i++) {
            const double gap = fmin(gap_on(&boxes[i], &from, &mid), gap_on(&boxes[i], &mid, &end));
            if (gap < -0.001) CHECK(got[i]);
            if (got[i]) CHECK(gap < 0.5), met++;
        }
    }
    CHECK(bent > 300 && met > 1000);
    spt_free(&walls), spt_free(&coins);
}

/* All coordinates are whole, in every type. */
static void less_than_s(void)
{
    spt_index x;
    int k, i, between = 0;
    random_boxes(60, 5);
    open_index(&x);
    for (k = 0; k < 200; k++) {
        const int s = 1 + test_below(12);
        const spt_box from = random_box(60, 5);
        const spt_box at_s = box_of((double)from.max_x + s, (double)from.max_y,
                                    (double)from.max_x + s, (double)from.max_y);
        int nearer = 0;
        CHECK(spt_within(&x, &from, (spt_coord)s, NULL, &ids) >= 0);
        for (i = 0; i < spt_intlist_count(&ids); i++)
            nearer += spt_box_nearer(&from, &boxes[spt_intlist_get(&ids, i, 0)], &at_s) < 0;
        between += nearer - (int)spt_within(&x, &from, (spt_coord)(s - 1), NULL, NULL);
        for (i = 0; i < N; i++) {
            const spt_box *b = &boxes[i];
            double dx = fmax((double)b->min_x - (double)from.max_x, 0);
            double dy = fmax((double)b->min_y - (double)from.max_y, 0);
            dx = fmax((double)from.min_x - (double)b->max_x, dx);
            dy = fmax((double)from.min_y - (double)b->max_y, dy);
            nearer -= dx * dx + dy * dy < s * s;
        }
        CHECK(nearer == 0);
    }
    CHECK(between > 30); /* so many are lost if S - 1 is asked for */
    spt_free(&x);
}

static void all_pairs_within_s(void)
{
    spt_broadphase bp;
    int k, a, b, i, found, total = 0;
    CHECK(spt_broadphase_init(&bp, NULL) == SPT_OK);
    for (k = 0; k < 60; k++) {
        const spt_coord s = draw(1, 12), far = (spt_coord)(k % 2 ? 16777000 : 0);
        spt_box grown[N];
        for (i = 0; i < N; i++) {
            boxes[i].min_x = far + draw(0, 300), boxes[i].max_x = boxes[i].min_x + draw(0, 9);
            boxes[i].min_y = draw(0, 300), boxes[i].max_y = boxes[i].min_y + draw(0, 9);
            grown[i] = boxes[i];
            grown[i].min_x -= s, grown[i].min_y -= s, grown[i].max_x += s, grown[i].max_y += s;
        }
        CHECK(spt_broadphase_pairs(&bp, grown, N, NULL, &pairs) >= 0);
        for (i = 0, found = 0; i < spt_intlist_count(&pairs); i++)
            found += spt_box_within(&boxes[spt_intlist_get(&pairs, i, 0)],
                                    &boxes[spt_intlist_get(&pairs, i, 1)], s);
        total += found;
        for (a = 0; a < N; a++)
            for (b = a + 1; b < N; b++) found -= spt_box_within(&boxes[a], &boxes[b], s);
        CHECK(found == 0);
    }
    CHECK(total > 1000);
    spt_broadphase_free(&bp);
}

typedef struct disc_search {
    const spt_box *from;
    double nearest;
    int rounded_up;
} disc_search;

/* The distance of a point from the disc in a square. */
static double disc_distance(const spt_box *from, const spt_box *box)
{
    const double radius = ((double)box->max_x - (double)box->min_x) / 2;
    const double x = (double)box->min_x + radius - (double)from->min_x;
    const double y = (double)box->min_y + radius - (double)from->min_y;
    return fmax(hypot(x, y) - radius, 0);
}

static int nearer_disc(void *ctx, spt_i32 id, const spt_box *box, spt_coord distance,
                       spt_coord *limit)
{
    disc_search *search = (disc_search *)ctx;
    (void)id, (void)distance;
    search->nearest = fmin(search->nearest, disc_distance(search->from, box));
    *limit = (spt_coord)(search->rounded_up ? ceil(search->nearest) : floor(search->nearest));
    return 0;
}

static void limits_of_integers(void)
{
    spt_index x;
    int k, i, size, lost = 0;
    for (i = 0; i < N; i++) {
        boxes[i] = random_box(200, 1), size = test_below(12);
        boxes[i].max_x += (spt_coord)size, boxes[i].max_y += (spt_coord)size;
    }
    open_index(&x);
    for (k = 0; k < 400; k++) {
        const spt_box from = random_box(200, 1);
        disc_search search = {NULL, 1e9, 1};
        double nearest = 1e9;
        for (i = 0; i < N; i++) nearest = fmin(nearest, disc_distance(&from, &boxes[i]));
        search.from = &from;
        CHECK(spt_nearest_visit(&x, &from, NULL, nearer_disc, &search) == 0);
        CHECK(search.nearest <= nearest);
        search.nearest = 1e9, search.rounded_up = 0;
        CHECK(spt_nearest_visit(&x, &from, NULL, nearer_disc, &search) == 0);
        lost += search.nearest > nearest;
    }
    CHECK(lost > 0);
    spt_free(&x);
}

/* ---- Editors and maps ------------------------------------------------------------------------ */

/* A vertical line of no end finds the upright edge next to it, and looks at few. */
static void snapping_to_edges(void)
{
    enum { MANY = 4000 };
    static spt_box edges[2 * MANY];
    spt_index x;
    double most = 0;
    int k, i, hits = 0;
    for (i = 0; i < MANY; i++) {
        edges[2 * i] = edges[2 * i + 1] = random_box(20000, 60);
        edges[2 * i].max_x = edges[2 * i].min_x, edges[2 * i + 1].min_x = edges[2 * i + 1].max_x;
    }
    CHECK(spt_linear_init(&x, NULL) == SPT_OK && spt_build(&x, edges, 2 * MANY) == SPT_OK);
    for (k = 0; k < 300; k++) {
        const int at = test_below(20400) - 200, limit = 1 + test_below(3);
        const spt_box line = {(spt_coord)at, -SPT_NO_LIMIT, (spt_coord)at, SPT_NO_LIMIT};
        double least = 1e9;
        for (i = 0; i < 2 * MANY; i++) least = fmin(least, fabs((double)edges[i].min_x - at));
        work = 0;
        if (spt_nearest(&x, &line, 1, (spt_coord)limit, NULL, &ids) == 1) {
            const double gap = fabs((double)edges[spt_intlist_get(&ids, 0, 0)].min_x - at);
            CHECK(!(gap > least) && least <= limit), hits++;
        } else {
            CHECK(least > limit);
        }
        most = fmax(most, work);
    }
    CHECK(hits > 50 && hits < 300 && most < MANY / 4);
    spt_free(&x);
}

static void topmost_at_a_pointer(void)
{
    static int order[N]; /* in which they are drawn */
    spt_index x;
    int k, i, several = 0;
    random_boxes(60, 20);
    for (i = 0; i < N; i++) {
        const int j = test_below(i + 1);
        order[i] = order[j], order[j] = i;
    }
    open_index(&x);
    for (k = 0; k < 500; k++) {
        const int px = test_below(70), py = test_below(70);
        const spt_box point = box_of(px, py, px, py);
        spt_i32 top = SPT_NONE, expected = SPT_NONE, n = spt_query(&x, &point, NULL, &ids);
        for (i = 0; i < n; i++) {
            const spt_i32 id = spt_intlist_get(&ids, i, 0);
            if (top == SPT_NONE || order[id] > order[top]) top = id;
        }
        for (i = 0; i < N; i++)
            if (brute_overlap(&boxes[i], &point))
                if (expected == SPT_NONE || order[i] > order[expected]) expected = i;
        CHECK(top == expected), several += n > 1;
    }
    CHECK(several > 100);
    spt_free(&x);
}

/* Far away, only large boxes are asked for: an index for each size does less work than a filter. */
static int is_large(void *ctx, spt_i32 id, spt_i32 other) SPT_CALLBACK
{
    const spt_box *all = (const spt_box *)ctx;
    (void)other;
    return all[id].max_x - all[id].min_x >= 64;
}

static void level_of_detail(void)
{
    enum { MANY = 20000, SIZES = 8 };
    static spt_box all[MANY];
    const spt_box window = box_of(0, 0, 3000, 3000);
    spt_index of_size[SIZES], of_all;
    spt_filter large;
    double filtered;
    spt_i32 found, i;
    int size;
    memset(&large, 0, sizeof large), large.accept = is_large, large.ctx = all;
    for (size = 0; size < SIZES; size++) CHECK(spt_linear_init(&of_size[size], NULL) == SPT_OK);
    for (i = 0; i < MANY; i++) { /* half of them of size 1, a quarter of size 2 ... */
        size = 0;
        while (size < SIZES - 1 && test_below(2)) size++;
        all[i] = random_box(4000, 1), all[i].max_x += (spt_coord)(1 << size);
        all[i].max_y += (spt_coord)test_below(1 << size);
        CHECK(spt_insert(&of_size[size], i, &all[i]) == SPT_OK);
    }
    CHECK(spt_linear_init(&of_all, NULL) == SPT_OK && spt_build(&of_all, all, MANY) == SPT_OK);
    work = 0;
    found = spt_query(&of_all, &window, &large, &ids);
    filtered = work, work = 0;
    for (size = 6; size < SIZES; size++) found -= spt_query(&of_size[size], &window, NULL, &ids);
    CHECK(found == 0 && work < filtered / 10);
    for (size = 0; size < SIZES; size++) spt_free(&of_size[size]);
    spt_free(&of_all);
}

/* The recipe: inserts a box united with all that it touches, and with all that this touches. */
static void merge(spt_index *x, spt_i32 id, spt_box box)
{
    spt_box part = box;
    spt_i32 n, i;
    while ((n = spt_query(x, &box, NULL, &ids)) > 0)
        for (i = 0; i < n; i++) {
            CHECK(spt_box_of(x, spt_intlist_get(&ids, i, 0), &part) == SPT_OK);
            spt_box_union(&box, &part, &box);
            CHECK(spt_remove(x, spt_intlist_get(&ids, i, 0)) == SPT_OK);
        }
    CHECK(spt_insert(x, id, &box) == SPT_OK);
}

static void merging_rectangles(void)
{
    spt_box left[N];
    int run, i, j, k, merged = 0;
    for (run = 0; run < 40; run++) {
        spt_index x;
        int n = 0;
        random_boxes(150 + 20 * run, 20);
        CHECK(spt_linear_init(&x, NULL) == SPT_OK);
        for (i = 0; i < N; i++) merge(&x, i, boxes[i]);
        for (i = 0; i < N; i++) { /* a loop over those that are left, again and again */
            spt_box box = boxes[i];
            for (j = 0; j < n; j++) {
                if (!brute_overlap(&box, &left[j])) continue;
                spt_box_union(&box, &left[j], &box);
                left[j] = left[--n], j = -1;
            }
            left[n++] = box;
        }
        CHECK(spt_count(&x) == n), merged += N - n;
        for (k = 0; k < n; k++) {
            spt_box box;
            CHECK(spt_query(&x, &left[k], NULL, &ids) == 1);
            CHECK(spt_box_of(&x, spt_intlist_get(&ids, 0, 0), &box) == SPT_OK);
            CHECK(same_box(&box, &left[k]));
        }
        spt_free(&x);
    }
    CHECK(merged > 10 * run);
}

static void memory_after_a_spike(void)
{
    enum { MANY = 20000 };
    static spt_box all[MANY];
    const spt_box window = box_of(0, 0, 4000, 4000);
    spt_index x, copy;
    size_t bytes;
    spt_i32 i;
    int step;
    for (i = 0; i < MANY; i++) all[i] = random_box(4000, 5);
    CHECK(spt_linear_init(&x, NULL) == SPT_OK && spt_build(&x, all, MANY) == SPT_OK);
    CHECK(spt_pairs(&x, NULL, NULL) > 0);
    bytes = spt_bytes(&x);
    for (i = N; i < MANY; i++) CHECK(spt_remove(&x, i) == SPT_OK);
    for (step = 0; step < 10; step++) spt_tidy(&x);
    CHECK(spt_bytes(&x) < bytes / 40 && spt_query(&x, &window, NULL, &ids) == N);
    CHECK(spt_build(&x, all, MANY) == SPT_OK && spt_bytes(&x) > bytes / 3);
    for (i = 0; i < MANY; i++) CHECK(spt_remove(&x, i) == SPT_OK);
    for (step = 0; step < 10; step++) spt_tidy(&x);
    CHECK(spt_bytes(&x) < bytes / 40 && spt_check(&x) && spt_count(&x) == 0);
    CHECK(spt_insert(&x, 7, &all[7]) == SPT_OK && spt_query(&x, &window, NULL, &ids) == 1);
    i = 7;
    CHECK(spt_pairs_of(&x, &i, 1, NULL, NULL) == 0); /* its scratch is made again */
    spt_free(&x);
    CHECK(spt_packed_init(&x, NULL) == SPT_OK && spt_packed_init(&copy, NULL) == SPT_OK);
    CHECK(spt_build(&x, all, MANY) == SPT_OK);
    bytes = spt_bytes(&x);
    CHECK(spt_query(&x, &window, NULL, &ids) == MANY && spt_intlist_bytes(&ids) >= 4 * MANY);
    CHECK(spt_build(&x, all, N) == SPT_OK && spt_bytes(&x) == bytes);
    CHECK(spt_copy(&copy, &x) == SPT_OK && spt_bytes(&copy) < bytes / 40);
    spt_free(&x), spt_intlist_free(&ids);
    CHECK(spt_intlist_bytes(&ids) == 0 && spt_query(&copy, &window, NULL, &ids) == N);
    spt_free(&copy);
}

#ifdef SPTI_SHAPES
/* ---- Movers that are not boxes --------------------------------------------------------------- */

#define SKIN ((spt_coord)0.05)

/* The elements of boxes[]: a third are boxes, a third discs, a third triangles in them. */
static int tell_form(void *ctx, spt_i32 id, spt_shape *out) SPT_CALLBACK
{
    static spt_coord corners[6];
    const spt_box *b = &((const spt_box *)ctx)[id];
    const spt_coord width = b->max_x - b->min_x, height = b->max_y - b->min_y;
    if (id % 3 == 0) return 0;
    corners[0] = (b->min_x + b->max_x) / 2, corners[1] = (b->min_y + b->max_y) / 2;
    out->points = corners, out->count = 1;
    out->radius = (width < height ? width : height) / (spt_coord)2.001;
    if (id % 3 == 1) return 1;
    corners[0] = b->min_x, corners[1] = b->min_y, corners[2] = b->max_x, corners[3] = b->min_y;
    corners[4] = id % 2 ? b->min_x : b->max_x, corners[5] = b->max_y;
    out->count = 3, out->radius = 0;
    return 1;
}

typedef struct ball {
    spt_coord at[2];
    double vx, vy;
    int stands;
} ball;

static spt_shape disc_of(const ball *b)
{
    spt_shape shape;
    shape.points = b->at, shape.count = 1, shape.radius = 2;
    return shape;
}

/* The recipe: a frame of a round player. Returns how many elements stop it. */
static int roll(const spt_layer *layers, ball *b)
{
    const spt_shape shape = disc_of(b);
    spt_shape_hit hits[SPT_SHAPE_HITS];
    spt_coord x = 0, y = 0;
    const int n = spt_shape_slide(layers, 2, &shape, (spt_coord)b->vx, (spt_coord)b->vy, SKIN, &x,
                                  &y, hits);
    int i;
    CHECK(n >= 0);
    b->at[0] += x, b->at[1] += y, b->stands = 0;
    for (i = 0; i < n; i++) {
        const double nx = (double)hits[i].nx, ny = (double)hits[i].ny, d = b->vx * nx + b->vy * ny;
        if (d < 0) b->vx -= d * nx, b->vy -= d * ny;
        if (ny > 0.7) b->stands = 1;
    }
    return n;
}

/* Balls fall, run and jump in closed rooms. They never leave one, are never inside of anything, get
   no faster by the things that stop them, and stand on something, unless they have just left it. */
static void round_players(void)
{
    int run, frame, i, stood = 0, off = 0, jumps = 0, ran = 0;
    for (run = 0; run < 30; run++) {
        const spt_box sides[4] = {box_of(-10, -10, 110, 0), box_of(-10, 100, 110, 110),
                                  box_of(-10, -10, 0, 110), box_of(100, -10, 110, 110)};
        spt_index walls, things;
        spt_layer both[2];
        ball b;
        memset(both, 0, sizeof both), memset(&b, 0, sizeof b);
        for (i = 0; i < 30; i++) {
            boxes[i].min_x = draw(0, 90), boxes[i].max_x = boxes[i].min_x + draw(3, 15);
            boxes[i].min_y = draw(0, 60), boxes[i].max_y = boxes[i].min_y + draw(3, 12);
        }
        CHECK(spt_packed_init(&walls, NULL) == SPT_OK && spt_linear_init(&things, NULL) == SPT_OK);
        CHECK(spt_build(&walls, sides, 4) == SPT_OK && spt_build(&things, boxes, 30) == SPT_OK);
        both[0].index = &walls, both[1].index = &things;
        both[1].shape = tell_form, both[1].ctx = boxes;
        b.at[0] = draw(5, 95), b.at[1] = 90;
        for (frame = 0; frame < 400; frame++) {
            const spt_shape shape = disc_of(&b);
            const spt_coord was = b.at[0];
            double speed;
            if (b.stands) stood++, b.vx += frame / 50 % 2 ? 0.1 : -0.1;
            if (b.stands && test_below(40) == 0) b.vy = 3, jumps++;
            b.vy -= 0.1;
            speed = hypot(b.vx, b.vy);
            roll(both, &b);
            CHECK(hypot(b.vx, b.vy) <= speed * (1 + 1e-6));
            CHECK(b.at[0] > 2 && b.at[0] < 98 && b.at[1] > 2 && b.at[1] < 98);
            CHECK(spt_shape_any(both, 2, &shape) == 0);
            if (b.stands) off += spt_shape_cast(both, 2, &shape, 0, -SKIN, SKIN, NULL) != 1;
            if (b.stands && fabs((double)(b.at[0] - was)) > 0.05) ran++;
        }
        spt_free(&walls), spt_free(&things);
    }
    CHECK(stood > 2000 && jumps > 20 && ran > 500 && off < stood / 20);
}

/* Bodies that are kept by their centre walk over a floor of tiles: as boxes of spt_slide some fall
   through it, as corners of spt_shape_slide none does, and none is stopped by a seam. */
static void kept_by_the_centre(void)
{
    enum { BODIES_KEPT = 100 };
    spt_index floor;
    spt_layer world;
    int way, i, k, frame;
    for (i = 0; i < N; i++)
        boxes[i] = box_of(i * 0.7, -1, (i + 1) * 0.7, 0.1);
    for (i = 1; i < N; i++) boxes[i].min_x = boxes[i - 1].max_x;
    CHECK(spt_packed_init(&floor, NULL) == SPT_OK && spt_build(&floor, boxes, N) == SPT_OK);
    memset(&world, 0, sizeof world), world.index = &floor;
    for (way = 0; way < 2; way++) {
        int fallen = 0, held = 0;
        for (i = 0; i < BODIES_KEPT; i++) {
            const spt_coord half = draw(1, 3) / 3, step = draw(0, 1) / 5;
            spt_coord x = draw(10, 30), y = 2 + half;
            for (frame = 0; frame < 120; frame++) {
                spt_coord corners[8], moved_x = 0, moved_y = 0;
                if (way == 0) {
                    spt_motion m = motion_of(&boxes[0], 0, 0);
                    spt_box_around(x, y, half, half, &m.box);
                    m.dx = step, m.dy = (spt_coord)-0.1;
                    CHECK(spt_slide(&world, 1, &m, &m.box, NULL) >= 0);
                    x = (m.box.min_x + m.box.max_x) / 2, y = (m.box.min_y + m.box.max_y) / 2;
                } else {
                    spt_shape shape;
                    for (k = 0; k < 4; k++) {
                        corners[2 * k] = k == 0 || k == 3 ? x - half : x + half;
                        corners[2 * k + 1] = k < 2 ? y - half : y + half;
                    }
                    shape.points = corners, shape.count = 4, shape.radius = 0;
                    CHECK(spt_shape_slide(&world, 1, &shape, step, (spt_coord)-0.1,
                                          (spt_coord)0.01, &moved_x, &moved_y, NULL) >= 0);
                    held += fabs((double)(moved_x - step)) > 1e-4;
                    x += moved_x, y += moved_y;
                }
            }
            fallen += y < 0;
        }
        CHECK(way == 0 ? fallen > 0 : fallen == 0 && held == 0);
    }
    spt_free(&floor);
}

/* The way out of walls: a skin that grows, until the shape is free. */
static void the_way_out_of_walls_of_shapes(void)
{
    spt_index x;
    spt_layer world;
    int k, i, inside = 0, freed = 0;
    for (i = 0; i < N; i++) /* each in a square of its own */
        boxes[i] = box_of(20 * (i % 10), 20 * (i / 10), 20 * (i % 10) + 5 + test_below(9),
                          20 * (i / 10) + 5 + test_below(9));
    open_index(&x);
    memset(&world, 0, sizeof world);
    world.index = &x, world.shape = tell_form, world.ctx = boxes;
    for (k = 0; k < 1000; k++) {
        ball b;
        spt_shape shape = disc_of(&b);
        spt_coord skin = SKIN, moved_x = 0, moved_y = 0, from[2];
        from[0] = draw(0, 200), from[1] = draw(0, 240);
        b.at[0] = from[0], b.at[1] = from[1], shape.points = b.at;
        if (spt_shape_any(&world, 1, &shape) == 0) continue;
        for (inside++; skin < 20; skin *= (spt_coord)1.5) {
            CHECK(spt_shape_slide(&world, 1, &shape, 0, 0, skin, &moved_x, &moved_y, NULL) >= 0);
            b.at[0] = from[0] + moved_x, b.at[1] = from[1] + moved_y;
            if (spt_shape_any(&world, 1, &shape) == 0) break;
            b.at[0] = from[0], b.at[1] = from[1];
        }
        freed += skin < 20;
        if (skin < 20) CHECK(hypot((double)moved_x, (double)moved_y) < 14);
    }
    CHECK(inside > 200 && freed == inside);
    spt_free(&x);
}

/* How far two bodies of boxes[] are inside of each other; those with odd ids are discs. */
static double depth_of(int a, int b)
{
    const spt_box *p = &boxes[a], *q = &boxes[b];
    const int round_a = a < LIFT && a % 2, round_b = b < LIFT && b % 2;
    const double ax = ((double)p->min_x + (double)p->max_x) / 2;
    const double ay = ((double)p->min_y + (double)p->max_y) / 2;
    const double bx = ((double)q->min_x + (double)q->max_x) / 2;
    const double by = ((double)q->min_y + (double)q->max_y) / 2;
    const double aw = ((double)p->max_x - (double)p->min_x) / 2;
    const double bw = ((double)q->max_x - (double)q->min_x) / 2;
    const double ah = ((double)p->max_y - (double)p->min_y) / 2;
    const double bh = ((double)q->max_y - (double)q->min_y) / 2;
    const double x = fabs(ax - bx), y = fabs(ay - by);
    if (round_a && round_b) return aw + bw - hypot(x, y);
    if (round_a) return aw - hypot(fmax(x - bw, 0), fmax(y - bh, 0));
    if (round_b) return bw - hypot(fmax(x - aw, 0), fmax(y - ah, 0));
    return fmin(aw + bw - x, ah + bh - y);
}

static int tell_rider(void *ctx, spt_i32 id, spt_shape *out) SPT_CALLBACK
{
    static spt_coord centre[2];
    const spt_box *b = &boxes[id];
    (void)ctx;
    if (id >= LIFT || id % 2 == 0) return 0;
    centre[0] = (b->min_x + b->max_x) / 2, centre[1] = (b->min_y + b->max_y) / 2;
    out->points = centre, out->count = 1, out->radius = (b->max_x - b->min_x) / (spt_coord)2.001;
    return 1;
}

/* Moves a copy of a body. Returns how many elements stop it. */
static int slide_rider(const spt_layer *layers, spt_i32 id, spt_coord dy, spt_box *end)
{
    spt_box box = boxes[id];
    spt_coord corners[8], x = 0, y = 0;
    spt_shape shape;
    int n;
    if (tell_rider(NULL, id, &shape)) {
        corners[0] = shape.points[0], corners[1] = shape.points[1];
    } else {
        corners[0] = corners[6] = box.min_x, corners[2] = corners[4] = box.max_x;
        corners[1] = corners[3] = box.min_y, corners[5] = corners[7] = box.max_y;
        shape.count = 4, shape.radius = 0;
    }
    shape.points = corners;
    n = spt_shape_slide(layers, 2, &shape, 0, dy, SKIN, &x, &y, NULL);
    CHECK(n >= 0);
    box.min_x += x, box.max_x += x, box.min_y += y, box.max_y += y;
    *end = box;
    return n;
}

/* Riders, of which half are discs, and ledges, all apart; those that find no place go away. */
static void place_riders(void)
{
    int i, j, tries;
    boxes[LIFT] = box_of(20, 20, 60, 23), boxes[LIFT + LEDGES] = box_of(-50, -40, 150, -20);
    for (i = 0; i < LIFT + LEDGES; i++) {
        spt_box *b = &boxes[i];
        if (i == LIFT) continue;
        for (tries = 0; tries < 200; tries++) {
            b->min_x = i < LIFT ? draw(10, 60) : draw(-15, 62);
            b->min_y = draw(i < LIFT ? 23 : -10, 120);
            b->max_x = b->min_x + draw(4, i < LIFT ? 12 : 30), b->max_y = b->min_y + draw(2, 8);
            if (i < LIFT && i % 2) b->max_y = b->min_y + (b->max_x - b->min_x);
            for (j = 0; j < i && depth_of(i, j) < -0.2; j++) {}
            if (j == i && depth_of(i, LIFT) < -0.2) break;
        }
        if (tries == 200) *b = box_of(-999 - 20 * i, 0, -990 - 20 * i, 9);
    }
}

/* Lifts and pushers: discs and boxes in stacks on a lift, among ledges. */
static void lifts_and_round_riders(void)
{
    int run, frame, i, j;
    long ups = 0, downs = 0, carried = 0;
    for (run = 0; run < test_some(60, 15); run++) {
        spt_index walls, movers;
        spt_filter others;
        spt_layer layers[2];
        memset(layers, 0, sizeof layers), memset(&others, 0, sizeof others);
        place_riders();
        CHECK(spt_packed_init(&walls, NULL) == SPT_OK && spt_linear_init(&movers, NULL) == SPT_OK);
        CHECK(spt_build(&walls, boxes + LIFT + 1, LEDGES) == SPT_OK);
        CHECK(spt_build(&movers, boxes, LIFT + 1) == SPT_OK);
        layers[0].index = &walls, layers[1].index = &movers, layers[1].filter = &others;
        layers[1].shape = tell_rider;
        for (frame = 0; frame < 200; frame++) {
            const spt_coord step = draw(1, 3), dy = frame / 25 % 2 ? -step : step;
            spt_i32 list[BODIES + 1], n = find_carried(&movers, step, list), k, l, id;
            spt_box ends[BODIES + 1];
            others.except = list, others.except_count = dy > 0 ? n : 1;
            for (k = 0; k < (dy > 0 ? n : 1); k++)
                if (slide_rider(layers, list[k], dy, &ends[k]) > 0) break;
            if (dy > 0 && k == n) {
                for (k = 0; k < n; k++) boxes[list[k]] = ends[k];
                ups++, carried += n - 1;
            }
            if (dy < 0 && k == 1) boxes[LIFT] = ends[0], downs++;
            for (k = 1; k < n && dy < 0; k++) { /* the lowest first */
                for (l = k + 1; l < n; l++)
                    if (boxes[list[l]].min_y < boxes[list[k]].min_y)
                        id = list[l], list[l] = list[k], list[k] = id;
                CHECK(spt_move(&movers, LIFT, &boxes[LIFT]) == SPT_OK);
                others.except = &list[k];
                slide_rider(layers, list[k], dy, &boxes[list[k]]);
                CHECK(spt_move(&movers, list[k], &boxes[list[k]]) == SPT_OK);
            }
            for (k = 0; k < n; k++)
                CHECK(spt_move(&movers, list[k], &boxes[list[k]]) == SPT_OK);
            for (id = 0; id < LIFT; id++) { /* they fall, if nothing holds them */
                others.except = &id, others.except_count = 1;
                slide_rider(layers, id, -1, &boxes[id]);
                CHECK(spt_move(&movers, id, &boxes[id]) == SPT_OK);
            }
            for (i = 0; i <= LIFT; i++)
                for (j = 0; j <= LIFT + LEDGES; j++)
                    if (j != i) CHECK(depth_of(i, j) < (double)SKIN / 2);
        }
        spt_free(&walls), spt_free(&movers);
    }
    CHECK(ups > 100 && downs > 100 && carried > 100);
}
#endif

#define RECIPE(name) \
    static void recipe_##name(void) { open_lists(), name(), close_lists(); }
RECIPE(walls_and_players)
RECIPE(windows_on_threads)
RECIPE(touching_is_no_hit)
RECIPE(rare_classes)
RECIPE(lines_of_sight)
RECIPE(remove_what_is_hit)
RECIPE(bodies_of_many_boxes)
RECIPE(two_that_move_and_fast_bullets)
#ifndef SPATIAL_INT
RECIPE(a_world_of_doubles)
#endif
RECIPE(all_that_are_nearest)
RECIPE(the_k_nearest_of_all)
RECIPE(a_world_that_wraps)
RECIPE(rollback)
RECIPE(rollback_of_contacts)
RECIPE(lockstep)
RECIPE(few_that_move)
RECIPE(islands_of_contacts)
RECIPE(one_way_platforms)
RECIPE(lifts_and_riders)
RECIPE(lifts_in_worlds)
RECIPE(pushers)
RECIPE(the_way_out_of_walls)
RECIPE(all_that_stops_a_box)
RECIPE(coins_on_the_way)
RECIPE(less_than_s)
RECIPE(all_pairs_within_s)
RECIPE(limits_of_integers)
RECIPE(snapping_to_edges)
RECIPE(topmost_at_a_pointer)
RECIPE(level_of_detail)
RECIPE(merging_rectangles)
RECIPE(memory_after_a_spike)
#ifdef SPTI_SHAPES
RECIPE(round_players)
RECIPE(kept_by_the_centre)
RECIPE(the_way_out_of_walls_of_shapes)
RECIPE(lifts_and_round_riders)
#endif

static const test_case tests[] = {
    TEST(recipe_walls_and_players),
    TEST(recipe_windows_on_threads),
    TEST(recipe_touching_is_no_hit),
    TEST(recipe_rare_classes),
    TEST(recipe_lines_of_sight),
    TEST(recipe_remove_what_is_hit),
    TEST(recipe_bodies_of_many_boxes),
    TEST(recipe_two_that_move_and_fast_bullets),
#ifndef SPATIAL_INT
    TEST(recipe_a_world_of_doubles),
#endif
    TEST(recipe_all_that_are_nearest),
    TEST(recipe_the_k_nearest_of_all),
    TEST(recipe_a_world_that_wraps),
    TEST(recipe_rollback),
    TEST(recipe_rollback_of_contacts),
    TEST(recipe_lockstep),
    TEST(recipe_few_that_move),
    TEST(recipe_islands_of_contacts),
    TEST(recipe_one_way_platforms),
    TEST(recipe_lifts_and_riders),
    TEST(recipe_lifts_in_worlds),
    TEST(recipe_pushers),
    TEST(recipe_the_way_out_of_walls),
    TEST(recipe_all_that_stops_a_box),
    TEST(recipe_coins_on_the_way),
    TEST(recipe_less_than_s),
    TEST(recipe_all_pairs_within_s),
    TEST(recipe_limits_of_integers),
    TEST(recipe_snapping_to_edges),
    TEST(recipe_topmost_at_a_pointer),
    TEST(recipe_level_of_detail),
    TEST(recipe_merging_rectangles),
    TEST(recipe_memory_after_a_spike),
#ifdef SPTI_SHAPES
    TEST(recipe_round_players),
    TEST(recipe_kept_by_the_centre),
    TEST(recipe_the_way_out_of_walls_of_shapes),
    TEST(recipe_lifts_and_round_riders),
#endif
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
