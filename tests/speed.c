/* speed.c - the jobs whose instructions tests/speed.sh counts: small, fixed, and chosen so that
   every way through the library that must be fast is most of one of them. Plain C99.

     speed                  lists the scenarios, each a structure and a task: linear_pairs_equal
     speed NAME             does that one; prints on how many boxes or questions it worked, all
                            rounds together, how many pairs or ids it found, and a hash of them
                            that does not depend on their order
     speed NAME brute       prints the same, found by testing all against all

   The work inside `counted` is counted. Code that makes boxes, moves them and looks at the answers
   stands outside.

   The same boxes must come up wherever this runs, so nothing of the math library is used: its
   last bits depend on the processor. Bell curves are sums of uniform numbers, and 1/max(u, v) has
   the Pareto distribution with exponent 2, for max(u, v) < x is as likely as x * x.

   Workloads, each but the row covering some 25 % of a square world:
     equal      1 x 1
     mixed      squares, Pareto-distributed, the largest an eighth of the world
     clusters   1 x 1, in 32 bell-shaped clusters of standard deviation a 32nd of the world
     long       16 x 0.25, every other one upright
     row        1 x 1, side by side along the middle line of the world
     giants     as equal, but for 8 boxes as large as the world */
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "brute.h"
#include "test.h"

enum { MOST_BOXES = 10000, MOST_WINDOWS = 2000, CLUSTERS = 32, GIANTS = 8 };

typedef struct workload {
    spt_i32 n;
    double side; /* of the world */
    spt_box (*place)(spt_i32 i);
} workload;

typedef struct kind { /* of a task; the functions are called in this order, round after round */
    void (*prepare)(void);
    void (*job)(void); /* this one is counted */
    void (*answer)(void);
    spt_i32 step;    /* of so many boxes one moves a round */
    spt_i32 windows; /* how many questions, each of a window: */
    double span;     /* side of it */
    spt_i32 (*ask)(const spt_box *window, spt_i32 w); /* ids into the.ids */
} kind;

typedef struct structure {
    const char *name;
    int bit; /* in task.who */
    int (*open)(void);
    void (*place)(void); /* all boxes where they are at first, */
    void (*move)(void);  /* and the moved ones where they are now */
    spt_i32 (*pairs)(void);
    spt_i32 (*brute)(void); /* the same pairs by testing all against all */
} structure;

static struct state {
    const workload *on;
    const kind *kind;
    const structure *of;
    int by_brute_force;
    spt_i32 round;
    spt_box boxes[MOST_BOXES]; /* where the boxes are now, whoever knows of it */
    spt_box windows[MOST_WINDOWS];
    spt_i32 found_in[MOST_WINDOWS]; /* how many boxes */
    spt_intlist pairs, ids;
    spt_broadphase broadphase; /* what is asked: this, */
    spt_neighbours neighbours; /* this, */
    spt_index index;           /* or this */
    spt_contacts contacts;
    long worked, found;
    uint32_t hash;
} the;

static void give_up(const char *what)
{
    fprintf(stderr, "speed: %s\n", what);
    exit(1);
}

static void must(spt_i32 result)
{
    if (result < 0) give_up(spt_error_string(result));
}

/* ---- Boxes ----------------------------------------------------------------------------------- */

static double uniform(void) /* 0 <= result < 1 */
{
    return test_random() / 4294967296.0;
}

static double bell(void) /* of standard deviation 1 */
{
    double sum = -6;
    int i;
    for (i = 0; i < 12; i++) sum += uniform();
    return sum;
}

static spt_box box_at(double x, double y, double width, double height)
{
    spt_box box;
    box.min_x = (spt_coord)(x - width / 2);
    box.min_y = (spt_coord)(y - height / 2);
    box.max_x = (spt_coord)(x + width / 2);
    box.max_y = (spt_coord)(y + height / 2);
    return box;
}

static spt_box anywhere(double width, double height)
{
    double x = uniform() * the.on->side;
    return box_at(x, uniform() * the.on->side, width, height);
}

static spt_box place_equal(spt_i32 i)
{
    (void)i;
    return anywhere(1, 1);
}

static spt_box place_mixed(spt_i32 i)
{
    double u = uniform(), v = uniform(), most = the.on->side / 8;
    double side = 0.32 / ((u > v ? u : v) + 1e-9); /* 0.32: for the cover of 25 % */
    (void)i;
    if (side > most) side = most;
    return anywhere(side, side);
}

static spt_box place_in_cluster(spt_i32 i)
{
    static double x[CLUSTERS], y[CLUSTERS];
    int c = i % CLUSTERS;
    double dx = bell() * the.on->side / 32, dy = bell() * the.on->side / 32;
    if (i < CLUSTERS) x[c] = uniform() * the.on->side, y[c] = uniform() * the.on->side;
    return box_at(x[c] + dx, y[c] + dy, 1, 1);
}

static spt_box place_long(spt_i32 i)
{
    return i % 2 ? anywhere(16, 0.25) : anywhere(0.25, 16);
}

static spt_box place_in_row(spt_i32 i)
{
    return box_at(i, the.on->side / 2, 1, 1);
}

static spt_box place_giants(spt_i32 i)
{
    double middle = the.on->side / 2;
    return i < GIANTS ? box_at(middle, middle, 2 * middle, 2 * middle) : anywhere(1, 1);
}

static const workload equal = {10000, 200, place_equal}, mixed = {10000, 200, place_mixed},
                      clusters = {10000, 200, place_in_cluster}, slim = {10000, 400, place_long},
                      row = {10000, 10000, place_in_row}, giants = {10000, 200, place_giants},
                      equal_20 = {20, 9, place_equal}, equal_100 = {100, 20, place_equal},
                      equal_5000 = {5000, 141, place_equal};

/* Every fourth window lies on each middle line of the world, where trees have more to look at. */
static void place_windows(void)
{
    double middle = the.on->side / 2, span = the.kind->span;
    spt_i32 i;
    for (i = 0; i < the.kind->windows; i++) {
        double x = uniform() * the.on->side, y = uniform() * the.on->side;
        the.windows[i] = box_at(i % 4 == 0 ? middle : x, i % 4 == 1 ? middle : y, span, span);
    }
}

/* The boxes that move this round do so by up to a tenth of their size. */
static void drift(void)
{
    spt_i32 i;
    for (i = the.round % the.kind->step; i < the.on->n; i += the.kind->step) {
        spt_box *box = &the.boxes[i];
        spt_coord dx = (spt_coord)(uniform() - 0.5) * (box->max_x - box->min_x) / 5;
        spt_coord dy = (spt_coord)(uniform() - 0.5) * (box->max_y - box->min_y) / 5;
        box->min_x += dx, box->max_x += dx;
        box->min_y += dy, box->max_y += dy;
    }
}

/* ---- What is asked --------------------------------------------------------------------------- */

static spt_box world(void)
{
    return box_at(the.on->side / 2, the.on->side / 2, the.on->side, the.on->side);
}

/* The broadphase looks at the boxes where they are: it need not be told. */
static void nothing(void)
{
}

static int open_broadphase(void)
{
    return spt_broadphase_init(&the.broadphase, NULL);
}

static spt_i32 all_pairs(void)
{
    return spt_broadphase_pairs(&the.broadphase, the.boxes, the.on->n, NULL, &the.pairs);
}

static spt_i32 pairs_of_halves(void)
{
    spt_i32 half = the.on->n / 2;
    return spt_broadphase_pairs_between(&the.broadphase, the.boxes, half, the.boxes + half,
                                        the.on->n - half, NULL, &the.pairs);
}

/* Neighbours look at the lower corners of the boxes. */
static int open_neighbours(void)
{
    return spt_neighbours_init(&the.neighbours, NULL);
}

static spt_i32 pairs_within_one(void)
{
    return spt_neighbours_pairs(&the.neighbours, &the.boxes[0].min_x, &the.boxes[0].min_y,
                                sizeof the.boxes[0], the.on->n, 1, &the.pairs);
}

static int open_linear(void)
{
    spt_linear_desc desc = {.capacity = the.on->n};
    desc.bounds = world();
    return spt_linear_init(&the.index, &desc);
}

static int open_quadtree(void) /* grows, which is its default */
{
    spt_quadtree_desc desc = {.capacity = 0};
    desc.bounds = world();
    return spt_quadtree_init(&the.index, &desc);
}

static int open_loosegrid(void)
{
    spt_linear_desc desc = {.capacity = the.on->n};
    desc.bounds = world();
    return spt_loosegrid_init(&the.index, &desc);
}

static int open_packed(void)
{
    return spt_packed_init(&the.index, NULL);
}

static void insert_all(void)
{
    spt_i32 i;
    for (i = 0; i < the.on->n; i++) must(spt_insert(&the.index, i, &the.boxes[i]));
}

static void move_some(void)
{
    spt_i32 i;
    for (i = the.round % the.kind->step; i < the.on->n; i += the.kind->step)
        must(spt_move(&the.index, i, &the.boxes[i]));
    spt_tidy(&the.index);
}

static void build(void)
{
    must(spt_build(&the.index, the.boxes, the.on->n));
}

static spt_i32 index_pairs(void)
{
    return spt_pairs(&the.index, NULL, &the.pairs);
}

static int moves_now(spt_i32 i)
{
    return i % the.kind->step == the.round % the.kind->step;
}

static int is_pair(spt_i32 a, spt_i32 b)
{
    return spt_box_overlap(&the.boxes[a], &the.boxes[b]);
}

static int is_pair_of_moved(spt_i32 a, spt_i32 b)
{
    return (moves_now(a) || moves_now(b)) && is_pair(a, b);
}

static int is_within_one(spt_i32 a, spt_i32 b)
{
    double x = (double)the.boxes[a].min_x - (double)the.boxes[b].min_x;
    double y = (double)the.boxes[a].min_y - (double)the.boxes[b].min_y;
    return x * x + y * y <= 1;
}

/* All pairs of boxes [0, end) and [begin, n) with a < b, where b is counted from `origin` on. */
static spt_i32 brute(int (*is)(spt_i32 a, spt_i32 b), spt_i32 end, spt_i32 begin, spt_i32 origin)
{
    spt_i32 pair[2], a, b;
    spt_intlist_clear(&the.pairs);
    for (a = 0; a < end; a++)
        for (b = a < begin ? begin : a + 1; b < the.on->n; b++)
            if (is(a, b)) {
                pair[0] = a, pair[1] = b - origin;
                if (spt_intlist_push(&the.pairs, pair) < 0) return SPT_ERR_MEMORY;
            }
    return spt_intlist_count(&the.pairs);
}

static spt_i32 brute_pairs(void)
{
    return brute(is_pair, the.on->n, 0, 0);
}

static spt_i32 brute_pairs_within_one(void)
{
    return brute(is_within_one, the.on->n, 0, 0);
}

static spt_i32 brute_pairs_of_halves(void)
{
    spt_i32 half = the.on->n / 2;
    return brute(is_pair, half, half, half);
}

/* ---- Questions ------------------------------------------------------------------------------- */

static brute_set everything(void)
{
    brute_set set = {NULL, NULL, 0};
    set.boxes = the.boxes, set.n = the.on->n;
    return set;
}

/* Replaces what is in the list by n ids. */
static spt_i32 tell(const spt_i32 *ids, spt_i32 n)
{
    spt_i32 i;
    spt_intlist_clear(&the.ids);
    for (i = 0; i < n; i++) must(spt_intlist_push(&the.ids, &ids[i]));
    return n;
}

static spt_i32 ask_window(const spt_box *window, spt_i32 w)
{
    static spt_i32 ids[MOST_BOXES];
    const brute_set set = everything();
    (void)w;
    if (the.by_brute_force) return tell(ids, brute_query(&set, window, NULL, ids));
    return spt_query(&the.index, window, NULL, &the.ids);
}

static spt_i32 ask_nearest(const spt_box *window, spt_i32 w)
{
    spt_i32 ids[10];
    const brute_set set = everything();
    (void)w;
    if (the.by_brute_force)
        return tell(ids, brute_nearest(&set, window, 10, SPT_NO_LIMIT, NULL, ids));
    return spt_nearest(&the.index, window, 10, SPT_NO_LIMIT, NULL, &the.ids);
}

/* The window moves by up to 29, in any direction. */
static spt_motion motion_of(const spt_box *window, spt_i32 w)
{
    spt_motion m = {{0, 0, 0, 0}, 0, 0, 0};
    m.box = *window;
    m.dx = (spt_coord)(w * 7 % 41 - 20), m.dy = (spt_coord)(w * 13 % 43 - 21);
    return m;
}

static spt_i32 ask_all_hits(const spt_box *window, spt_i32 w)
{
    static brute_meeting meetings[MOST_BOXES + 1];
    static spt_i32 ids[MOST_BOXES];
    const spt_motion m = motion_of(window, w);
    const brute_set set = everything();
    spt_i32 n, i;
    if (!the.by_brute_force) return spt_cast_all(&the.index, &m, NULL, &the.ids);
    n = brute_cast_all(&set, &m, NULL, meetings);
    for (i = 0; i < n; i++) ids[i] = meetings[i].hit.id;
    return tell(ids, n);
}

static spt_i32 ask_first_hit(const spt_box *window, spt_i32 w)
{
    const spt_motion m = motion_of(window, w);
    spt_hit hit = {0, 0, 0, 0, 0, 0};
    spt_i32 n;
    if (the.by_brute_force) {
        n = ask_all_hits(window, w);
        hit.id = n ? spt_intlist_get(&the.ids, 0, 0) : 0;
    } else {
        n = spt_cast(&the.index, &m, NULL, &hit);
    }
    return tell(&hit.id, n > 0);
}

enum { BROADPHASE = 1, BETWEEN = 2, LINEAR = 4, QUADTREE = 8, LOOSEGRID = 16, PACKED = 32,
       NEIGHBOURS = 64 };
enum { KEEPERS = LINEAR | QUADTREE | LOOSEGRID, INDEXES = KEEPERS | PACKED };

static const structure structures[] = {
    {"broadphase", BROADPHASE, open_broadphase, nothing, nothing, all_pairs, brute_pairs},
    {"between", BETWEEN, open_broadphase, nothing, nothing, pairs_of_halves, brute_pairs_of_halves},
    {"neighbours", NEIGHBOURS, open_neighbours, nothing, nothing, pairs_within_one,
     brute_pairs_within_one},
    {"linear", LINEAR, open_linear, insert_all, move_some, index_pairs, brute_pairs},
    {"quadtree", QUADTREE, open_quadtree, insert_all, move_some, index_pairs, brute_pairs},
    {"loosegrid", LOOSEGRID, open_loosegrid, insert_all, move_some, index_pairs, brute_pairs},
    {"packed", PACKED, open_packed, build, build, index_pairs, brute_pairs},
};

/* ---- Jobs ------------------------------------------------------------------------------------ */

/* By brute force nothing is told of the boxes; it looks at them where they are. */

static void place_all(void)
{
    if (!the.by_brute_force) the.of->place();
}

static void do_move(void)
{
    if (!the.by_brute_force) the.of->move();
}

static void do_pairs(void)
{
    must(the.by_brute_force ? the.of->brute() : the.of->pairs());
}

static void do_insert(void)
{
    if (!the.by_brute_force) insert_all();
}

static void do_build(void)
{
    if (!the.by_brute_force) build();
}

static void do_reinsert(void)
{
    spt_i32 i;
    for (i = 0; !the.by_brute_force && i < the.on->n; i++) {
        must(spt_remove(&the.index, i));
        must(spt_insert(&the.index, i, &the.boxes[i]));
    }
}

/* The boxes that move in this round. */
static spt_i32 moved[MOST_BOXES];

static spt_i32 find_moved(void)
{
    spt_i32 n = 0, i;
    for (i = the.round % the.kind->step; i < the.on->n; i += the.kind->step) moved[n++] = i;
    return n;
}

static void do_move_many(void)
{
    spt_i32 n = find_moved();
    if (the.by_brute_force) return;
    if (spt_move_many(&the.index, moved, the.boxes, n) != n) give_up("a move is refused");
    spt_tidy(&the.index);
}

static void do_pairs_of(void)
{
    must(the.by_brute_force ? brute(is_pair_of_moved, the.on->n, 0, 0)
                            : spt_pairs_of(&the.index, moved, find_moved(), NULL, &the.pairs));
}

static void do_contacts(void)
{
    if (!the.by_brute_force) must(spt_contacts_update(&the.contacts, &the.pairs, NULL, NULL));
}

static void do_contacts_of(void)
{
    if (the.by_brute_force) return;
    must(spt_contacts_update_of(&the.contacts, moved, find_moved(), &the.pairs, NULL, NULL));
}

static spt_i32 ask(spt_i32 w)
{
    spt_i32 n = the.kind->ask(&the.windows[w], w);
    must(n);
    return n;
}

static void do_windows(void)
{
    spt_i32 w;
    for (w = 0; w < the.kind->windows; w++) the.found_in[w] = ask(w);
}

static void reopen(void)
{
    drift();
    if (the.by_brute_force) return;
    spt_free(&the.index);
    must(the.of->open());
}

static void drift_and_move(void)
{
    drift();
    do_move();
}

static void drift_and_find(void)
{
    drift_and_move();
    do_pairs();
}

/* Contacts get all pairs before the first round, which is not counted. */
static void drift_and_find_some(void)
{
    drift_and_move();
    if (the.round == 0) {
        do_pairs();
        do_contacts();
    }
    do_pairs_of();
}

/* Adds what was found to the hash: as a sum, so that order makes no difference. */
static void add(spt_i32 a, spt_i32 b)
{
    uint32_t x = (uint32_t)a * 2654435761u, y = (uint32_t)b * 2246822519u;
    x ^= y >> 15 ^ y << 17;
    the.hash += (x ^ x >> 13) * 3266489917u;
    the.found++;
}

static void add_pairs(void)
{
    const spt_i32 *pair = spt_intlist_data(&the.pairs);
    spt_i32 n = spt_intlist_count(&the.pairs), i;
    for (i = 0; i < n; i++) add(pair[2 * i], pair[2 * i + 1]);
    the.worked += the.on->n / the.kind->step;
}

/* All contacts; by brute force, all pairs. */
static void add_contacts(void)
{
    spt_i32 a, k, n;
    if (the.by_brute_force) do_pairs();
    else spt_intlist_clear(&the.pairs);
    for (a = 0; !the.by_brute_force && a < the.on->n; a++) {
        n = spt_contacts_of(&the.contacts, a, &the.ids);
        must(n);
        for (k = 0; k < n; k++) {
            spt_i32 pair[2];
            pair[0] = a, pair[1] = spt_intlist_get(&the.ids, k, 0);
            if (a < pair[1]) must(spt_intlist_push(&the.pairs, pair));
        }
    }
    add_pairs();
}

/* For jobs that find nothing themselves: all pairs show whether every box is where it should be. */
static void find_and_add_pairs(void)
{
    do_pairs();
    add_pairs();
}

/* Each window has replaced what the one before it found, so all are asked again. */
static void add_windows(void)
{
    spt_i32 w, i;
    for (w = 0; w < the.kind->windows; w++) {
        if (ask(w) != the.found_in[w]) give_up("a window finds less or more than before");
        for (i = 0; i < the.found_in[w]; i++) add(w, spt_intlist_get(&the.ids, i, 0));
    }
    the.worked += the.kind->windows;
}

static void find_and_add_windows(void)
{
    do_windows();
    add_windows();
}

static const kind pairs = {drift_and_move, do_pairs, add_pairs, 1, 0, 0, NULL},
                  pairs_of = {drift_and_move, do_pairs_of, add_pairs, 10, 0, 0, NULL},
                  contacts = {drift_and_find, do_contacts, add_contacts, 1, 0, 0, NULL},
                  contacts_of = {drift_and_find_some, do_contacts_of, add_contacts, 100, 0, 0,
                                 NULL},
                  inserts = {reopen, do_insert, find_and_add_pairs, 1, 0, 0, NULL},
                  reinserts = {drift, do_reinsert, find_and_add_pairs, 1, 0, 0, NULL},
                  moves = {drift, do_move, find_and_add_pairs, 1, 0, 0, NULL},
                  builds = {drift, do_build, find_and_add_windows, 1, 500, 5, ask_window},
                  tenth_moves = {drift, do_move, find_and_add_pairs, 10, 0, 0, NULL},
                  many_moves = {drift, do_move_many, find_and_add_pairs, 1, 0, 0, NULL},
                  tenth_of_many = {drift, do_move_many, find_and_add_pairs, 10, 0, 0, NULL},
                  small_windows = {drift_and_move, do_windows, add_windows, 1, 2000, 5, ask_window},
                  large_windows = {drift_and_move, do_windows, add_windows, 1, 500, 20, ask_window},
                  nearest = {drift_and_move, do_windows, add_windows, 1, 500, 0, ask_nearest},
                  first_hits = {drift_and_move, do_windows, add_windows, 1, 500, 0, ask_first_hit},
                  all_hits = {drift_and_move, do_windows, add_windows, 1, 500, 0, ask_all_hits};

typedef struct task {
    const char *name;
    const kind *kind;
    const workload *on;
    spt_i32 rounds;
    int who; /* the structures that do it */
} task;

static const task tasks[] = {
    {"pairs_equal", &pairs, &equal, 4, BROADPHASE | BETWEEN | NEIGHBOURS | INDEXES},
    {"pairs_mixed", &pairs, &mixed, 4, BROADPHASE | INDEXES},
    {"pairs_clusters", &pairs, &clusters, 4, BROADPHASE | NEIGHBOURS | INDEXES},
    {"pairs_long", &pairs, &slim, 2, BROADPHASE | INDEXES},
    {"pairs_row", &pairs, &row, 4, BROADPHASE},
    {"pairs_giants", &pairs, &giants, 4, BROADPHASE},
    {"pairs_20", &pairs, &equal_20, 2000, BROADPHASE},
    {"pairs_100", &pairs, &equal_100, 400, BROADPHASE},
    {"pairs_5000", &pairs, &equal_5000, 4, BROADPHASE}, /* cells half as full */
    {"pairs_of_equal", &pairs_of, &equal, 10, KEEPERS},
    {"pairs_of_mixed", &pairs_of, &mixed, 10, KEEPERS},
    {"contacts", &contacts, &clusters, 4, LINEAR},
    {"contacts_of", &contacts_of, &clusters, 20, LINEAR},
    {"insert", &inserts, &equal, 2, KEEPERS},
    {"reinsert", &reinserts, &equal, 2, KEEPERS},
    {"move_equal", &moves, &equal, 5, KEEPERS},
    {"move_clusters", &moves, &clusters, 5, KEEPERS},
    {"move_tenth", &tenth_moves, &equal, 20, KEEPERS},
    {"move_many", &many_moves, &equal, 5, KEEPERS},
    {"move_many_tenth", &tenth_of_many, &equal, 20, KEEPERS},
    {"build", &builds, &equal, 2, INDEXES},
    {"windows_small", &small_windows, &equal, 2, INDEXES},
    {"windows_large", &large_windows, &equal, 2, INDEXES},
    {"windows_clusters", &small_windows, &clusters, 2, INDEXES},
    {"windows_mixed", &small_windows, &mixed, 2, INDEXES},
    {"nearest_equal", &nearest, &equal, 2, INDEXES},
    {"nearest_mixed", &nearest, &mixed, 2, INDEXES},
    {"first_hits_equal", &first_hits, &equal, 2, INDEXES},
    {"all_hits_equal", &all_hits, &equal, 2, INDEXES},
    {"all_hits_mixed", &all_hits, &mixed, 2, INDEXES},
};

/* ---- Scenarios ------------------------------------------------------------------------------- */

/* tests/speed.sh tells callgrind this name. */
static void counted(void (*job)(void))
{
    job();
}

/* Called through this, so that no compiler merges it into its caller. */
static void (*volatile count)(void (*job)(void)) = counted;

static void run(const structure *of, const task *what, int by_brute_force)
{
    spt_i32 i;
    the.of = of;
    the.by_brute_force = by_brute_force;
    the.on = what->on;
    the.kind = what->kind;
    test.random = 20260101;
    for (i = 0; i < the.on->n; i++) the.boxes[i] = the.on->place(i);
    place_windows();
    must(spt_intlist_init(&the.pairs, 2));
    must(spt_intlist_init(&the.ids, 1));
    must(spt_contacts_init(&the.contacts, NULL));
    must(of->open());
    place_all();
    for (the.round = 0; the.round < what->rounds; the.round++) {
        the.kind->prepare();
        count(the.kind->job);
        the.kind->answer();
    }
    printf("%ld %ld %08lx\n", the.worked, the.found, (unsigned long)the.hash);
}

int main(int argc, char **argv)
{
    char name[80];
    size_t s, t;
    for (s = 0; s < sizeof structures / sizeof structures[0]; s++)
        for (t = 0; t < sizeof tasks / sizeof tasks[0]; t++) {
            if (!(tasks[t].who & structures[s].bit)) continue;
            snprintf(name, sizeof name, "%s_%s", structures[s].name, tasks[t].name);
            if (argc < 2) {
                puts(name);
            } else if (strcmp(name, argv[1]) == 0) {
                run(&structures[s], &tasks[t], argc > 2);
                return 0;
            }
        }
    if (argc > 1) give_up("no such scenario");
    return 0;
}
