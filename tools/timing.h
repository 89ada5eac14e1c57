/* timing.h - the command `spatial time`: which structure is the fastest for recorded frames, or for
   described ones. It uses engine.h alone, and spatial.c calls it: print_timing_help, timing_init,
   timing_option, timing_settle, timing_run. The words for users are timing_help, at the end.

   Each structure is tried with several parameters; the best of these are then timed anew against
   each other. Whatever is timed takes turns in each frame, so that a machine that is busy, or slows
   down, disturbs all alike, and times are compared with others of the same turn. So none finds its
   memory in the caches, as in a program that does other things between the frames. */

#ifndef TIMING_H
#define TIMING_H

#include "engine.h"

enum {
    EXIT_DIFFERENT = 1,  /* the exit status if structures answer differently */
    LEAST_TURNS = 3,     /* of everything that is timed, however long they take; */
    MOST_TURNS = 4096,   /* after so many the recording is not begun again */
    MOST_RIVALS = 8,     /* timed in turns */
    CLUSTERS = 32,       /* in the workload of that name */
    NEAR = 3,            /* times its size is how far from a box questions are asked, at most */
    MOST_FRAMES = 30,    /* of a workload where --frames is not given, */
    MOST_BOXES = 8000000 /* and so many boxes in all of these frames */
};

#define AS_FAST 1.03 /* times as long: where code lies in memory makes such differences */

/* ---------------------------------------------------------------------------------------------- */
/* Random numbers, clock, samples. */

/* The generator splitmix64: G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number
   generators", 2014. */
static uint64_t mixed(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(13787848793156543929);
    x = (x ^ (x >> 27)) * UINT64_C(10723151780598845931);
    return x ^ (x >> 31);
}

static double random_from(uint64_t *state, double low, double high)
{
    *state += UINT64_C(11400714819323198485);
    return low + (high - low) * ((double)(mixed(*state) >> 11) / 9007199254740992.0);
}

/* Normally distributed, with a deviation of 1: G. E. P. Box, M. E. Muller, 1958. */
static double random_normal(uint64_t *state)
{
    double radius = sqrt(-2 * log(1 - random_from(state, 0, 1)));
    return radius * cos(random_from(state, 0, 6.283185307179586));
}

/* Processor time of this program where the system tells it, so that other programs disturb little;
   else what its best clock shows. */
static double seconds(void)
{
#if defined(ON_POSIX) || defined(TIME_UTC)
    struct timespec t = {0, 0};
#if defined(ON_POSIX)
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
#else
    timespec_get(&t, TIME_UTC);
#endif
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
#else
    return (double)clock() / CLOCKS_PER_SEC;
#endif
}

typedef struct samples {
    double *of;
    size_t count, room;
} samples;

static void samples_add(samples *s, double value)
{
    s->of = grow(s->of, &s->room, s->count + 1, sizeof *s->of);
    s->of[s->count++] = value;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void *copied(const void *items, size_t count, size_t size)
{
    size_t room = 0;
    void *copy = grow(NULL, &room, count, size);

    if (count > 0) memcpy(copy, items, count * size);
    return copy;
}

/* Returns the sample that a share of them, 0 to 1, lies below; 0 if there is none. */
static double samples_quantile(const samples *s, double share)
{
    double *sorted = copied(s->of, s->count, sizeof *s->of), value = 0;

    if (s->count > 0) {
        qsort(sorted, s->count, sizeof *sorted, by_value);
        value = sorted[(size_t)(clamp(share, 0, 1) * (double)(s->count - 1))];
    }
    free(sorted);
    return value;
}

/* ---------------------------------------------------------------------------------------------- */
/* What the options say. */

enum {
    OF_BOXES,
    OF_MOVING,
    OF_FRAMES,
    OF_SEED,
    OF_WINDOWS,
    OF_CIRCLES,
    OF_RADIUS,
    OF_NEAREST,
    OF_K,
    OF_RAYS,
    OF_LENGTH,
    OF_SECONDS,
    OF_COUNT,
    OF_WORKLOAD /* not a number */
};

static const struct timing_number {
    const char *name;
    int of; /* the option without which it means nothing; OF_COUNT: none */
    int whole;
    double least, most, otherwise; /* otherwise < 0: it has to be given, or depends */
} timing_numbers[OF_COUNT] = {
    {"--boxes", OF_WORKLOAD, 1, 1, 536870912, 10000},
    {"--moving", OF_WORKLOAD, 0, 0, 1, 1},
    {"--frames", OF_WORKLOAD, 1, 2, 1000000, -1},
    {"--seed", OF_COUNT, 1, 0, 4294967295.0, 1},
    {"--windows", OF_COUNT, 1, 0, 1000000, 0},
    {"--circles", OF_COUNT, 1, 0, 1000000, 0},
    {"--radius", OF_CIRCLES, 0, 0, (double)FLT_MAX, -1},
    {"--nearest", OF_COUNT, 1, 0, 1000000, 0},
    {"--k", OF_NEAREST, 1, 1, 1000000, 1},
    {"--rays", OF_COUNT, 1, 0, 1000000, 0},
    {"--length", OF_RAYS, 0, 0, FARTHEST, -1},
    {"--seconds", OF_COUNT, 0, 0, 3600, 10},
};

typedef struct timing {
    const struct workload *workload; /* NULL: frames are read */
    double of[OF_COUNT];             /* < 0: not given */
    token size[2];                   /* of windows, as they stand there; text NULL: not given */
    spt_coord width, height;         /* of them */
    int pairs, json;
} timing;

/* ---------------------------------------------------------------------------------------------- */
/* Workloads: each function fills a world of its own size with boxes. To add one: its line below. */

typedef struct workload {
    const char *name;
    void (*fill)(spt_box *boxes, spt_i32 n, uint64_t *state);
    const char *help;
} workload;

static void put_anywhere(spt_box *box, double world, double width, double height, uint64_t *state)
{
    double x = random_from(state, 0, world);
    double y = random_from(state, 0, world);

    spt_box_around((spt_coord)x, (spt_coord)y, (spt_coord)(width / 2), (spt_coord)(height / 2),
                   box);
}

static void fill_equal(spt_box *boxes, spt_i32 n, uint64_t *state)
{
    spt_i32 i;

    for (i = 0; i < n; i++) put_anywhere(&boxes[i], 2 * sqrt(n), 1, 1, state);
}

/* Twice as large is four times as rare. The scale makes the mean area 1, as equal has it. */
static void fill_mixed(spt_box *boxes, spt_i32 n, uint64_t *state)
{
    double world = 2 * sqrt(n), largest = fmax(world / 8, 1);
    double scale = 1 / sqrt(1 + 2 * log(largest));
    spt_i32 i;

    for (i = 0; i < n; i++) {
        double side = fmin(1 / sqrt(1 - random_from(state, 0, 1)), largest) * scale;
        put_anywhere(&boxes[i], world, side, side, state);
    }
}

static void fill_clusters(spt_box *boxes, spt_i32 n, uint64_t *state)
{
    double world = 2 * sqrt(n), x[CLUSTERS], y[CLUSTERS];
    spt_i32 i;

    for (i = 0; i < CLUSTERS; i++) {
        x[i] = random_from(state, 0, world);
        y[i] = random_from(state, 0, world);
    }
    for (i = 0; i < n; i++) {
        int c = (int)random_from(state, 0, CLUSTERS);
        double dx = random_normal(state) * world / 32;
        double dy = random_normal(state) * world / 32;
        spt_box_around((spt_coord)(x[c] + dx), (spt_coord)(y[c] + dy), 0.5F, 0.5F, &boxes[i]);
    }
}

static void fill_long(spt_box *boxes, spt_i32 n, uint64_t *state)
{
    spt_i32 i;

    for (i = 0; i < n; i++)
        put_anywhere(&boxes[i], 4 * sqrt(n), i % 2 ? 16 : 0.25, i % 2 ? 0.25 : 16, state);
}

static const workload workloads[] = {
    {"equal", fill_equal, "squares of one size, spread evenly"},
    {"mixed", fill_mixed, "squares of many sizes, spread evenly"},
    {"clusters", fill_clusters, "squares of one size, crowded in 32 places"},
    {"long", fill_long, "sticks 64 times as long as wide, half of them upright"},
};

static const workload *workload_find(const char *name)
{
    size_t i;

    for (i = 0; i < sizeof workloads / sizeof workloads[0]; i++)
        if (strcmp(workloads[i].name, name) == 0) return &workloads[i];
    die("unknown workload '%s'", name);
    return NULL;
}

/* Moves a share of the boxes, by up to a tenth of their size. */
static void workload_move(frame *f, double share, uint64_t *state)
{
    spt_i32 i;

    f->moved_count = 0;
    for (i = 0; i < f->count; i++) {
        spt_box box = f->boxes[i];
        double width = (double)box.max_x - (double)box.min_x;
        double height = (double)box.max_y - (double)box.min_y;
        spt_coord dx = (spt_coord)random_from(state, -width / 10, width / 10);
        spt_coord dy = (spt_coord)random_from(state, -height / 10, height / 10);

        if (random_from(state, 0, 1) >= share) continue;
        box.min_x += dx, box.max_x += dx;
        box.min_y += dy, box.max_y += dy;
        frame_move(f, i, &box);
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* All frames, in memory. */

typedef struct recording {
    frame *frames; /* at least two */
    size_t count, room;
    spt_box bounds;      /* of the world */
    double boxes, moved; /* in all frames but the first */
} recording;

static void recording_add(recording *r, const frame *f)
{
    frame *copy;

    r->frames = grow(r->frames, &r->room, r->count + 1, sizeof *r->frames);
    copy = &r->frames[r->count++];
    *copy = *f;
    copy->boxes = copied(f->boxes, (size_t)f->count, sizeof *f->boxes);
    copy->moved = copied(f->moved, (size_t)f->moved_count, sizeof *f->moved);
    if (r->count == 1) return;
    r->boxes += f->count;
    r->moved += f->moved_count;
}

static double enough_frames(double boxes)
{
    return floor(clamp(MOST_BOXES / (boxes + 1), 1 + LEAST_TURNS, MOST_FRAMES));
}

static void record_workload(recording *r, const timing *t, frame *f)
{
    uint64_t state = mixed((uint64_t)t->of[OF_SEED] + 1);
    double frames = t->of[OF_FRAMES], boxes = t->of[OF_BOXES];
    int k;

    if (frames < 0) frames = enough_frames(boxes);
    f->count = (spt_i32)boxes;
    f->boxes = grow(f->boxes, &f->room, (size_t)f->count, sizeof *f->boxes);
    t->workload->fill(f->boxes, f->count, &state);
    recording_add(r, f);
    for (k = 1; k < (int)frames; k++) {
        workload_move(f, t->of[OF_MOVING], &state);
        recording_add(r, f);
    }
}

/* Rounds bounds outwards, to a thousandth of the world or less, for they are to be read. */
static void round_bounds(spt_box *b)
{
    double width = (double)b->max_x - (double)b->min_x;
    double height = (double)b->max_y - (double)b->min_y;
    double step = pow(10, floor(log10(fmax(width, height))) - 2);

    b->min_x = (spt_coord)(floor((double)b->min_x / step) * step);
    b->min_y = (spt_coord)(floor((double)b->min_y / step) * step);
    b->max_x = (spt_coord)(ceil((double)b->max_x / step) * step);
    b->max_y = (spt_coord)(ceil((double)b->max_y / step) * step);
}

/* Reads or makes all frames. A single one is a world that stands still: it is repeated. */
static void record(recording *r, const timing *t, input *in, frame *f)
{
    spt_box extent;
    size_t k, next = 0;

    if (t->workload != NULL)
        record_workload(r, t, f);
    else
        while (read_frame(in, f)) recording_add(r, f);
    if (r->count == 1)
        for (k = 1; k < (size_t)enough_frames(r->frames[0].count); k++) {
            frame same = r->frames[0];
            recording_add(r, &same);
        }
    for (k = 0; k < r->count; k++) { /* a few: boxes outside the bounds are found, too */
        if (k < next || r->frames[k].count == 0) continue;
        frame_extent(&r->frames[k], 1, &extent);
        if (next == 0) r->bounds = extent;
        spt_box_union(&r->bounds, &extent, &r->bounds);
        next = k + 1 + r->count / 4;
    }
    if (r->boxes < 1)
        die("%s: there are no boxes%s", in->name, r->count > 1 ? " from the second frame on" : "");
    round_bounds(&r->bounds);
}

static void recording_free(recording *r)
{
    size_t k;

    for (k = 0; k < r->count; k++) frame_free(&r->frames[k]);
    free(r->frames);
}

/* ---------------------------------------------------------------------------------------------- */
/* What is asked in a frame, alike of all structures. */

static spt_i32 find_first(const spt_index *x, const question *q, spt_intlist *out)
{
    spt_hit hit;
    int found = spt_cast(x, &q->motion, NULL, &hit);

    spt_intlist_clear(out);
    return found > 0 && spt_intlist_push(out, &hit.id) < 0 ? SPT_ERR_MEMORY : found;
}

static const asking asking_first = {"ray", NULL, 0, 1, BY_TIME, NULL, find_first};

/* Chooses a coordinate near a box, which reaches from low to high, and within the world. */
static spt_coord place_near(double low, double high, double least, double most, uint64_t *state)
{
    low = clamp(low, least, most);
    high = clamp(high, least, most);
    return (spt_coord)clamp((low + high) / 2 + random_from(state, -NEAR, NEAR) * (high - low),
                            least, most);
}

/* Chooses the place for a question, and makes it a point there. */
static void place_question(question *q, const recording *r, const frame *f, uint64_t *state)
{
    const spt_box *b = &r->bounds, *box = b;
    spt_coord x;

    if (f->count > 0) box = &f->boxes[(size_t)random_from(state, 0, f->count)];
    x = place_near((double)box->min_x, (double)box->max_x, (double)b->min_x, (double)b->max_x,
                   state);
    spt_box_around(x,
                   place_near((double)box->min_y, (double)box->max_y, (double)b->min_y,
                              (double)b->max_y, state),
                   0, 0, &q->motion.box);
}

static size_t question_count(const timing *t)
{
    return (size_t)(t->of[OF_WINDOWS] + t->of[OF_CIRCLES] + t->of[OF_NEAREST] + t->of[OF_RAYS]);
}

static void make_questions(question *questions, const timing *t, const recording *r, size_t k)
{
    static const int kinds[4] = {OF_WINDOWS, OF_CIRCLES, OF_NEAREST, OF_RAYS};
    const asking *by[4];
    uint64_t state = mixed((uint64_t)t->of[OF_SEED]) + k;
    question *q = questions;
    int kind, i;

    by[0] = asking_find("query");
    by[1] = asking_find("within");
    by[2] = asking_find("nearest");
    by[3] = &asking_first;
    for (kind = 0; kind < 4; kind++) {
        for (i = 0; i < (int)t->of[kinds[kind]]; i++, q++) {
            spt_box *box = &q->motion.box;
            double angle = random_from(&state, 0, 6.283185307179586);

            memset(q, 0, sizeof *q);
            q->asking = by[kind];
            place_question(q, r, &r->frames[k], &state);
            q->distance = kinds[kind] == OF_CIRCLES ? (spt_coord)t->of[OF_RADIUS] : SPT_NO_LIMIT;
            q->most = (spt_i32)t->of[OF_K];
            if (kinds[kind] == OF_WINDOWS)
                spt_box_around(box->min_x, box->min_y, t->width / 2, t->height / 2, box);
            q->motion.dx = (spt_coord)(t->of[OF_LENGTH] * cos(angle));
            q->motion.dy = (spt_coord)(t->of[OF_LENGTH] * sin(angle));
        }
    }
}

/* ---------------------------------------------------------------------------------------------- */
/* Races: structures take turns with each frame. */

enum { BUILD, UPDATE, PAIRS, ANSWERS, SUM, COLUMNS }; /* SUM: of all but BUILD */

typedef struct rival {
    const structure *structure;
    tuning tuning;
    int as_fast; /* as the fastest, as far as can be told */
    char label[64];
    engine engine;
    samples seconds[COLUMNS];
    double median[COLUMNS];
    double ratio; /* times as long as the fastest */
    size_t bytes;
} rival;

typedef struct race {
    const timing *timing;
    const recording *recording;
    const input *in;
    rival rivals[MOST_RIVALS];
    int count, best;
    question *questions; /* of the frame */
    size_t asked;
    spt_intlist pairs, found;
    double begin;                      /* of all races */
    double clock;                      /* seconds that reading it takes */
    int shown;                         /* percent */
    size_t frames;                     /* from the second one on that were timed, */
    double total_pairs, total_answers; /* and how many they found */
} race;

typedef struct digest {
    uint64_t pairs, answers; /* hashes */
    double pair_count, answer_count;
} digest;

/* Hashes ids, or pairs; in_order 0: in any order. */
static uint64_t hash_list(const spt_intlist *list, int in_order)
{
    const spt_i32 *at = spt_intlist_data(list);
    spt_i32 n = spt_intlist_count(list), i, k;
    uint64_t sum = 0;

    for (i = 0; i < n; i++) {
        uint64_t record = in_order ? (uint64_t)i : 0;
        for (k = 0; k < list->fields; k++) record = mixed(record + (uint64_t)*at++ + 1);
        sum += record;
    }
    return sum;
}

/* Asks once more, not timed; of the pairs the list is still there. */
static digest digest_of(race *c, rival *v)
{
    digest d = {0, 0, 0, 0};
    size_t i;

    if (c->timing->pairs) {
        d.pairs = hash_list(&c->pairs, 0);
        d.pair_count = spt_intlist_count(&c->pairs);
    }
    for (i = 0; i < c->asked; i++) {
        const question *q = &c->questions[i];
        d.answer_count += engine_ask(&v->engine, c->in, q, &c->found);
        d.answers = mixed(d.answers + hash_list(&c->found, q->asking->order != BY_ID));
    }
    return d;
}

/* Returns the seconds since `from`, less the time to read the clock. */
static double since(const race *c, double from)
{
    return fmax(seconds() - from - c->clock, 0);
}

static void take_turn(race *c, rival *v, size_t k)
{
    const frame *f = &c->recording->frames[k];
    double took[COLUMNS] = {0, 0, 0, 0, 0}, begin = seconds();
    size_t i;

    engine_follow(&v->engine, c->in, f);
    took[k == 0 ? BUILD : UPDATE] = since(c, begin);
    begin = seconds();
    if (c->timing->pairs) engine_pairs(&v->engine, c->in, f, &c->pairs);
    took[PAIRS] = since(c, begin);
    begin = seconds();
    for (i = 0; i < c->asked; i++) engine_ask(&v->engine, c->in, &c->questions[i], &c->found);
    took[ANSWERS] = since(c, begin);
    took[SUM] = fmax(took[UPDATE] + took[PAIRS] + took[ANSWERS], 1e-9);
    if (k == 0)
        samples_add(&v->seconds[BUILD], took[BUILD]);
    else
        for (i = UPDATE; i < COLUMNS; i++) samples_add(&v->seconds[i], took[i]);
}

/* Ends the program if a rival does not find what the first one in this turn does. */
static void compare(race *c, rival *v, size_t k, const rival *first, digest *wanted)
{
    digest d = digest_of(c, v);

    if (v == first) {
        *wanted = d;
        if (k == 0) return;
        c->frames++;
        c->total_pairs += d.pair_count;
        c->total_answers += d.answer_count;
    }
    if (d.pairs == wanted->pairs && d.answers == wanted->answers) return;
    fprintf(stderr, "spatial: frame %lu: %s finds other %s than %s\n", (unsigned long)k, v->label,
            d.pairs != wanted->pairs ? "pairs" : "boxes", first->label);
    exit(EXIT_DIFFERENT);
}

/* Shows how far it is, in percent, to who waits for it; 100: it is done. */
static void show_progress(race *c, int percent)
{
#ifdef ON_POSIX
    if (percent == c->shown || seconds() - c->begin < 2 || !isatty(STDERR_FILENO)) return;
    c->shown = percent;
    if (percent < 100)
        fprintf(stderr, "\rspatial: %2d%%", percent);
    else
        fputs("\r            \r", stderr);
#else
    (void)c, (void)percent;
#endif
}

/* Puts the rivals in an order of chance: each leaves caches and branch predictors as the
   next one finds them, and that must not always be the same. */
static void shuffle(race *c, rival *order[MOST_RIVALS], uint64_t *state)
{
    int i, other;

    for (i = 0; i < c->count; i++) {
        other = (int)random_from(state, 0, i + 1);
        order[i] = order[other];
        order[other] = &c->rivals[i];
    }
}

/* Replays the recording until the time is up. Returns 1 if it is to be replayed once more. */
static int replay(race *c, double until)
{
    size_t k, turns = c->rivals[0].seconds[SUM].count;
    uint64_t state = mixed(turns);
    rival *order[MOST_RIVALS];
    digest wanted = {0, 0, 0, 0};
    double whole = fmax(c->timing->of[OF_SECONDS], 1e-3);
    int first_time = turns == 0, i;

    for (k = 0; k < c->recording->count; k++) {
        double now = seconds();

        if (turns >= LEAST_TURNS && now >= until) return 0;
        show_progress(c, (int)clamp(100 * (now - c->begin) / whole, 0, 99));
        make_questions(c->questions, c->timing, c->recording, k);
        shuffle(c, order, &state);
        for (i = 0; i < c->count; i++) {
            take_turn(c, order[i], k);
            if (first_time) compare(c, order[i], k, order[0], &wanted);
        }
        turns += k > 0;
    }
    return turns < MOST_TURNS;
}

/* Times a rival against the fastest. It is as fast as far as can be told if the ratios of their
   times allow for it, of which two in sqrt(n) on both sides of the median are its confidence
   interval, of some 95 %: W. J. Conover, "Practical Nonparametric Statistics", 1971. */
static void judge(rival *v, const rival *best)
{
    samples ratios = {NULL, 0, 0};
    size_t i;

    for (i = 0; i < v->seconds[SUM].count; i++)
        samples_add(&ratios, v->seconds[SUM].of[i] / best->seconds[SUM].of[i]);
    v->ratio = samples_quantile(&ratios, 0.5);
    v->as_fast = samples_quantile(&ratios, 0.5 - 1 / sqrt((double)ratios.count)) < AS_FAST;
    free(ratios.of);
}

/* Times the rivals until then and finds the best. */
static void run_race(race *c, double until)
{
    int i, column, more;
    size_t bytes;

    c->frames = 0;
    c->total_pairs = c->total_answers = 0;
    do {
        for (i = 0; i < c->count; i++) {
            rival *v = &c->rivals[i];
            engine_init(&v->engine, v->structure);
            v->engine.tuning = v->tuning;
            v->engine.bounds = c->recording->bounds;
            v->engine.bounded = 1;
        }
        more = replay(c, until);
        for (i = 0; i < c->count; i++) {
            rival *v = &c->rivals[i];
            bytes = v->structure->make == NULL ? spt_broadphase_bytes(&v->engine.broadphase)
                                               : spt_bytes(&v->engine.index);
            if (bytes > v->bytes) v->bytes = bytes; /* the last replay may have ended soon */
            engine_free(&v->engine);
        }
    } while (more);
    c->best = 0;
    for (i = 0; i < c->count; i++) {
        rival *v = &c->rivals[i];
        for (column = 0; column < COLUMNS; column++)
            v->median[column] = samples_quantile(&v->seconds[column], 0.5);
        if (v->median[SUM] < c->rivals[c->best].median[SUM]) c->best = i;
    }
    for (i = 0; i < c->count; i++) judge(&c->rivals[i], &c->rivals[c->best]);
}

/* ---------------------------------------------------------------------------------------------- */
/* What takes part. */

typedef struct field {
    const char *name; /* in the desc */
    double value;
} field;

/* Writes a float in as few digits as tell it. */
static const char *in_digits(double value, char text[32])
{
    int digits = 5;

    do {
        snprintf(text, 32, "%.*g", ++digits, value);
    } while (strtof(text, NULL) != (spt_coord)value && digits < 9);
    return text;
}

/* The same for C: a compiler may warn of a double in place of a float. */
static const char *in_c(double value, char text[32])
{
    size_t length = strlen(in_digits(value, text));

    if (strpbrk(text, ".e") != NULL) snprintf(text + length, 32 - length, "F");
    return text;
}

/* Lists the fields that differ from the default. Returns how many they are. */
static int fields_of(const tuning *t, field fields[5])
{
    int n = 0;

    if (t->grids != 0) fields[n].name = "grids", fields[n++].value = t->grids;
    if (t->levels != 0) fields[n].name = "levels", fields[n++].value = t->levels;
    if (t->leaf_capacity != 0)
        fields[n].name = "leaf_capacity", fields[n++].value = t->leaf_capacity;
    if (t->max_depth != 0) fields[n].name = "max_depth", fields[n++].value = t->max_depth;
    if (t->cell > 0) fields[n].name = "cell", fields[n++].value = (double)t->cell;
    return n;
}

/* Appends to text of so many bytes, which are enough. */
static void append(char *text, size_t size, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

static void race_add(race *c, const structure *s, const tuning *t)
{
    rival *v = &c->rivals[c->count++];
    field fields[5];
    char text[32];
    int n = fields_of(t, fields), i;

    memset(v, 0, sizeof *v);
    v->structure = s;
    v->tuning = *t;
    snprintf(v->label, sizeof v->label, "%s", s->name);
    for (i = 0; i < n; i++)
        append(v->label, sizeof v->label, "%s %s = %s", i == 0 ? "" : ",", fields[i].name,
               in_digits(fields[i].value, text));
}

static void race_clear(race *c)
{
    int i, column;

    for (i = 0; i < c->count; i++)
        for (column = 0; column < COLUMNS; column++) free(c->rivals[i].seconds[column].of);
    c->count = 0;
}

/* Adds a structure with its defaults, and then with other parameters that may be good. */
static void add_variants(race *c, const structure *s, int grids)
{
    static const int leaf_capacities[] = {32, 64, 192};
    static const spt_coord cells[] = {0.5F, 2, 4};
    const recording *r = c->recording;
    double boxes = r->boxes / (double)(r->count - 1);
    int middle = (int)clamp(log(boxes / 20) / log(4), 1, SPT_LINEAR_MAX_LEVELS), i;
    tuning t = {0, 0, 0, 0, 0};

    if (grids > middle / 2) return; /* so few levels are all in use */
    t.grids = grids;
    if (strcmp(s->name, "loosegrid") == 0) {
        double side = (double)default_cell(&r->bounds, (spt_i32)ceil(boxes));
        double step = pow(10, floor(log10(side)) - 1);
        t.cell = (spt_coord)clamp(ceil(side / step) * step, 2 * (double)FLT_MIN, FARTHEST / 8);
    }
    race_add(c, s, &t);
    if (strcmp(s->name, "linear") == 0)
        for (i = middle - 2; i <= middle + 2; i++) {
            t.levels = i;
            if (i >= 1 && i / 2 + 1 >= grids && i <= SPT_LINEAR_MAX_LEVELS) race_add(c, s, &t);
        }
    if (strcmp(s->name, "quadtree") == 0) {
        for (i = 0; i < 3; i++) {
            t.leaf_capacity = leaf_capacities[i];
            race_add(c, s, &t);
        }
        t.leaf_capacity = 0;
        t.max_depth = SPT_QUADTREE_MAX_DEPTH;
        race_add(c, s, &t);
    }
    for (i = 0; t.cell > 0 && i < 3; i++) {
        tuning other = t;
        other.cell *= cells[i];
        race_add(c, s, &other);
    }
}

/* Linear with one grid is the loose grid. */
static const struct entry {
    const char *structure;
    int grids;
} entries[] = {
    {"broadphase", 0}, {"linear", 0},    {"linear", 2},
    {"quadtree", 0},   {"loosegrid", 0}, {"packed", 0},
};

#define ENTRY_COUNT ((int)(sizeof entries / sizeof entries[0]))

static double clock_cost(void)
{
    samples costs = {NULL, 0, 0};
    double median;
    int i;

    for (i = 0; i < 100; i++) {
        double begin = seconds();
        samples_add(&costs, seconds() - begin);
    }
    median = samples_quantile(&costs, 0.5);
    free(costs.of);
    return median;
}

static int by_sum(const void *a, const void *b)
{
    return by_value(&((const rival *)a)->median[SUM], &((const rival *)b)->median[SUM]);
}

/* Finds good parameters for each structure in half of the time, then times these, and sorts them:
   the fastest first. */
static void run_races(race *c)
{
    double half = c->timing->of[OF_SECONDS] / 2, until = c->begin;
    rival chosen[ENTRY_COUNT];
    int i, best, count = 0;

    for (i = 0; i < ENTRY_COUNT; i++) {
        const structure *s = structure_find(entries[i].structure);

        until += half / ENTRY_COUNT;
        if (s->make == NULL && c->asked > 0) continue;
        add_variants(c, s, entries[i].grids);
        if (c->count == 0) continue;
        if (c->count > 1) run_race(c, until);
        best = c->count == 1 || c->rivals[0].as_fast ? 0 : c->best; /* 0: the defaults */
        chosen[count++] = c->rivals[best];
        race_clear(c);
    }
    for (i = 0; i < count; i++) race_add(c, chosen[i].structure, &chosen[i].tuning);
    run_race(c, c->begin + 2 * half);
    qsort(c->rivals, (size_t)c->count, sizeof *c->rivals, by_sum);
    show_progress(c, 100);
}

/* ---------------------------------------------------------------------------------------------- */
/* Results. */

#define LINES_SIZE 1024

/* Writes the lines of C that make the structure. */
static void write_c(char *text, size_t size, const race *c, const rival *v)
{
    const char *name = v->structure->name;
    const spt_box *b = &c->recording->bounds;
    char of[4][32];
    field fields[5];
    int n = fields_of(&v->tuning, fields), i;

    *text = '\0';
    if (v->structure->make == NULL) {
        append(text, size,
               "spt_broadphase bp;\n"
               "if (spt_broadphase_init(&bp, NULL) != SPT_OK) return 1;\n"
               "/* each frame: spt_broadphase_pairs(&bp, boxes, n, NULL, &pairs) */\n"
               "/* at the end: spt_broadphase_free(&bp) */\n");
        return;
    }
    if (!v->structure->still) {
        append(text, size, "spt_%s_desc desc = {0}; /* defaults */\n",
               strcmp(name, "loosegrid") == 0 ? "linear" : name);
        append(text, size, "spt_box bounds = {%s, %s, %s, %s};\n", in_c((double)b->min_x, of[0]),
               in_c((double)b->min_y, of[1]), in_c((double)b->max_x, of[2]),
               in_c((double)b->max_y, of[3]));
    }
    append(text, size, "spt_index world;\n");
    if (!v->structure->still) append(text, size, "desc.bounds = bounds;\n");
    for (i = 0; i < n; i++)
        append(text, size, "desc.%s = %s;\n", fields[i].name, in_c(fields[i].value, of[0]));
    append(text, size, "if (spt_%s_init(&world, %s) != SPT_OK) return 1;\n", name,
           v->structure->still ? "NULL" : "&desc");
    append(text, size, "/* each frame: %s */\n",
           v->structure->still ? "if boxes moved, spt_build(&world, boxes, n); then the questions"
                               : "moves, inserts, removes; spt_tidy(&world); the questions");
    append(text, size, "/* at the end: spt_free(&world) */\n");
}

/* Prints what is asked in each frame, in the words of the options. */
static void print_asked(const timing *t)
{
    static const int shown[] = {OF_WINDOWS, OF_CIRCLES, OF_RADIUS, OF_NEAREST,
                                OF_K,       OF_RAYS,    OF_LENGTH};
    size_t i;

    if (t->pairs) fputs(" --pairs", stdout);
    for (i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        const struct timing_number *number = &timing_numbers[shown[i]];
        int of = number->of == OF_COUNT ? shown[i] : number->of;
        if (t->of[of] > 0) printf(" %s %.9g", number->name, t->of[shown[i]]);
        if (shown[i] == OF_WINDOWS && t->of[OF_WINDOWS] > 0)
            printf(" --size %.9g %.9g", (double)t->width, (double)t->height);
    }
}

static void print_table(const race *c)
{
    static const char *const names[COLUMNS] = {"build", "update", "pairs", "questions", "sum"};
    const recording *r = c->recording;
    const double best = c->rivals[0].median[SUM], scale = best < 1e-4 ? 1e6 : 1e3;
    const int digits = (int)clamp(2 - floor(log10(best * scale)), 0, 2);
    const int shown[COLUMNS] = {1, 1, c->timing->pairs, c->asked > 0, 1};
    char lines[LINES_SIZE];
    int column, i, as_fast = 0;

    printf("%.0f boxes, %lu frames; %.3g%% of the boxes move from one frame to the next\n",
           r->boxes / (double)(r->count - 1), (unsigned long)r->count, 100 * r->moved / r->boxes);
    fputs("asked in each frame:", stdout);
    print_asked(c->timing);
    fputs("\nfound, on average:", stdout);
    if (shown[PAIRS]) printf(" %.0f pairs", c->total_pairs / (double)c->frames);
    if (shown[ANSWERS])
        printf("%s %.3g boxes a question", shown[PAIRS] ? "," : "",
               c->total_answers / (double)c->frames / (double)c->asked);
    printf("\n%sseconds a frame, medians of %lu turns", scale > 1e3 ? "micro" : "milli",
           (unsigned long)c->rivals[0].seconds[SUM].count);
    if (c->frames + 1 < r->count)
        printf(" with the first %lu frames", (unsigned long)c->frames + 1);
    printf("\n\n%-34s", "");
    for (column = 0; column < COLUMNS; column++)
        if (shown[column]) printf(" %9s", names[column]);
    puts("   ratio         KB");
    for (i = 0; i < c->count; i++) {
        const rival *v = &c->rivals[i];

        printf("%c %-32s", i == 0 ? '*' : v->as_fast ? '=' : ' ', v->label);
        for (column = 0; column < COLUMNS; column++)
            if (shown[column]) printf(" %9.*f", digits, v->median[column] * scale);
        printf(" %7.2f %10.1f\n", v->ratio, (double)v->bytes / 1000);
        as_fast += v->as_fast;
    }
    puts("\n* the fastest    build: the first frame, which is not in the sum");
    if (as_fast > 1) puts("= as fast, as far as so many turns can tell");
    if (c->asked == 0) puts("Only pairs were asked for. If you ask more, say so: time --help");
    write_c(lines, sizeof lines, c, &c->rivals[0]);
    printf("\n%s", lines);
}

/* Prints lines as a string of JSON, which minds nothing else in them. */
static void print_json_lines(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++)
        if (*text == '\n')
            fputs("\\n", stdout);
        else
            putchar(*text);
    putchar('"');
}

static void print_json(const race *c)
{
    static const char *const names[COLUMNS] = {"build_ms", "update_ms", "pairs_ms", "questions_ms",
                                               "sum_ms"};
    const recording *r = c->recording;
    int i, k;

    printf("{\"boxes\": %.9g, \"frames\": %lu, \"moving\": %.6g, \"turns\": %lu,\n",
           r->boxes / (double)(r->count - 1), (unsigned long)r->count, r->moved / r->boxes,
           (unsigned long)c->rivals[0].seconds[SUM].count);
    fputs(" \"asked\": \"", stdout);
    print_asked(c->timing);
    printf("\", \"pairs\": %.9g, \"found\": %.9g,\n \"structures\": [",
           c->total_pairs / (double)c->frames, c->total_answers / (double)c->frames);
    for (i = 0; i < c->count; i++) {
        const rival *v = &c->rivals[i];
        char lines[LINES_SIZE];

        printf("%s\n  {\"name\": \"%s\"", i > 0 ? "," : "", v->label);
        for (k = 0; k < COLUMNS; k++) printf(", \"%s\": %.6g", names[k], v->median[k] * 1000);
        printf(", \"ratio\": %.6g, \"as_fast\": %s, \"bytes\": %lu, \"c\": ", v->ratio,
               v->as_fast ? "true" : "false", (unsigned long)v->bytes);
        write_c(lines, sizeof lines, c, v);
        print_json_lines(lines);
        putchar('}');
    }
    puts("]}");
}

static void timing_run(const timing *t, input *in, frame *f)
{
    recording r;
    race c;

    if (t->workload != NULL) in->name = t->workload->name;
    memset(&r, 0, sizeof r);
    record(&r, t, in, f);
    memset(&c, 0, sizeof c);
    c.begin = seconds();
    c.clock = clock_cost();
    c.timing = t;
    c.recording = &r;
    c.in = in;
    c.asked = question_count(t);
    c.questions = calloc(c.asked + 1, sizeof *c.questions);
    if (c.questions == NULL) die("out of memory");
    spt_intlist_init(&c.pairs, 2);
    spt_intlist_init(&c.found, 1);
    run_races(&c);
    if (t->json)
        print_json(&c);
    else
        print_table(&c);
    race_clear(&c);
    spt_intlist_free(&c.pairs);
    spt_intlist_free(&c.found);
    free(c.questions);
    recording_free(&r);
}

/* ---------------------------------------------------------------------------------------------- */
/* The command line. */

static void timing_init(timing *t)
{
    int i;

    memset(t, 0, sizeof *t);
    for (i = 0; i < OF_COUNT; i++) t->of[i] = -1;
}

static double read_timing_number(const struct timing_number *number, const token *value)
{
    char why[WHY_SIZE], quoted[QUOTE_SIZE];
    unsigned long whole = 0;
    spt_coord real = 0;

    if (!number->whole && !read_numbers(value, 1, &number->name, 1, 1, &real, why)) die("%s", why);
    if (!number->whole && (double)real >= number->least && (double)real <= number->most)
        return (double)real;
    if (number->whole && read_whole(value->text, (unsigned long)number->most, &whole) &&
        (double)whole >= number->least)
        return (double)whole;
    quote(value, quoted);
    die("%s '%s' is not %s from %.9g to %.9g", number->name, quoted,
        number->whole ? "a whole number" : "a number", number->least, number->most);
    return 0;
}

/* Reads an option. Returns 0 if there is no such. */
static int timing_option(timing *t, char **argv, int *at)
{
    const char *value;
    token number;
    int i;

    for (i = 0; i < OF_COUNT; i++) {
        if (option_numbers(argv, at, timing_numbers[i].name, &number, 1) == 0) continue;
        t->of[i] = read_timing_number(&timing_numbers[i], &number);
        return 1;
    }
    if ((value = option_value(argv, at, "--workload")) != NULL) {
        t->workload = workload_find(value);
        return 1;
    }
    if (option_numbers(argv, at, "--size", t->size, 2) != 0) return 1;
    if (strcmp(argv[*at], "--pairs") == 0) return t->pairs = 1;
    if (strcmp(argv[*at], "--json") == 0) return t->json = 1;
    return 0;
}

/* Settles what was not given, and refuses what does not fit together. */
static void timing_settle(timing *t, const char *file)
{
    static const int needed[][2] = {{OF_CIRCLES, OF_RADIUS}, {OF_RAYS, OF_LENGTH}};
    spt_coord size[2] = {0, 0};
    char why[WHY_SIZE];
    int i;

    if (t->workload != NULL && file != NULL) die("--workload is in place of '%s'", file);
    for (i = 0; i < OF_COUNT; i++) {
        int of = timing_numbers[i].of;
        if (t->of[i] < 0 || of == OF_COUNT) continue;
        if (of == OF_WORKLOAD ? t->workload == NULL : t->of[of] < 0)
            die("%s is for %s", timing_numbers[i].name,
                of == OF_WORKLOAD ? "--workload" : timing_numbers[of].name);
    }
    for (i = 0; i < 2; i++)
        if (t->of[needed[i][0]] >= 0 && t->of[needed[i][1]] < 0)
            die("%s needs %s", timing_numbers[needed[i][0]].name,
                timing_numbers[needed[i][1]].name);
    if ((t->size[0].text != NULL) != (t->of[OF_WINDOWS] >= 0))
        die(t->size[0].text != NULL ? "--size is for --windows" : "--windows needs --size");
    if (t->size[0].text != NULL && !read_size(t->size, size, why)) die("--size: %s", why);
    t->width = size[0], t->height = size[1];
    for (i = 0; i < OF_COUNT; i++)
        if (t->of[i] < 0) t->of[i] = timing_numbers[i].otherwise;
    if (question_count(t) == 0) t->pairs = 1;
}

static const char timing_help[] =
    "usage: spatial time [QUESTIONS] [--seconds S] [--json] [FILE]\n"
    "       spatial time --workload NAME [--boxes N] [--moving SHARE] [--frames N] [--seed N]\n"
    "                    [QUESTIONS] [--seconds S] [--json]\n"
    "\n"
    "Replays the frames of FILE, or of a workload, with every structure, and prints how long each\n"
    "takes, which is the fastest, and lines of C that make it. Of each structure it tries a few\n"
    "parameters, and shows the best: 'linear levels = 4' is an spt_linear_desc with levels = 4.\n"
    "Boxes that are as in the frame before are not moved. A file of one frame is a world that\n"
    "stands still. All frames are kept in memory.\n"
    "\n"
    "The structures take turns in each frame. The times are medians, of processor time; the ratio\n"
    "to the fastest is of times in the same turn. Structures whose ratio is not surely above\n"
    "1.03 count as fast. Their answers are compared: if they differ, the exit status is 1.\n"
    "\n"
    "QUESTIONS are what is asked in each frame; without any, all pairs:\n"
    "\n"
    "  --pairs                        all pairs of boxes that overlap\n"
    "  --windows N --size W H         N windows so wide and high\n"
    "  --circles N --radius R         what N circles touch\n"
    "  --nearest N [--k K]            the K boxes nearest to N points (default: 1)\n"
    "  --rays N --length L            the first box that N rays of such a length meet\n"
    "\n"
    "Their centres, and where rays begin, are near boxes: off by up to 3 times the size of the\n"
    "box. Broadphase takes part only where nothing but pairs is asked.\n"
    "\n"
    "  --seconds S     all of it takes about so long (default: 10); three turns in any case\n"
    "  --json          prints one object of JSON, with C for each structure\n"
    "  --boxes N       of a workload (default: 10000)\n"
    "  --moving SHARE  of them moves in each frame, from 0 to 1 (default: 1), by up to a tenth of\n"
    "                  its size\n"
    "  --frames N      of a workload (default: 30; fewer if there are very many boxes)\n"
    "  --seed N        of the random numbers (default: 1)\n"
    "\n"
    "Workloads, whose boxes have a quarter of the area of the world:\n"
    "\n";

static const char timing_trace[] =
    "\n"
    "FILE is as `spatial help` says: a box a line, a blank line after each frame. The n-th line\n"
    "of a frame is id n - 1: a box with another line than in the frame before has moved, and if\n"
    "there are fewer lines, the last ids are gone. C that writes such frames:\n"
    "\n"
    "    FILE *trace = fopen(\"game.trace\", \"w\");                      /* once */\n"
    "    for (i = 0; i < n; i++)                                      /* in each frame */\n"
    "        fprintf(trace, \"%.9g %.9g %.9g %.9g\\n\", boxes[i].min_x, boxes[i].min_y,\n"
    "                boxes[i].max_x, boxes[i].max_y);\n"
    "    fputs(\"\\n\", trace);\n"
    "    fclose(trace);                                               /* at the end */\n";

static void print_timing_help(void)
{
    size_t i;

    fputs(timing_help, stdout);
    for (i = 0; i < sizeof workloads / sizeof workloads[0]; i++)
        printf("  %-9s %s\n", workloads[i].name, workloads[i].help);
    fputs(timing_trace, stdout);
}

#endif
