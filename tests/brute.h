/* brute.h - what every question means, in plain loops and without the help of the library.
   Include it after spatial.h. Plain C99.

   Written from the promises of spatial.h, not from its code: a key is a type of its own, whole
   numbers are multiplied in full, and a value is rounded by being stored. Lists of ids come
   in the order that is promised, and where none is, ascending.

       brute_set set = {boxes, there, n};
       n = brute_nearest(&set, &box, k, limit, NULL, ids); */
#ifndef BRUTE_H
#define BRUTE_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- Coordinates and boxes ------------------------------------------------------------------- */

#ifdef SPATIAL_INT
#define COORD_MAX INT32_MAX
#define COORD_LOW INT32_MIN  /* in place of -infinity */
#define COORD_HIGH INT32_MAX /* in place of +infinity */
#define COORD_HUGE 2000000000
#else
#ifdef SPATIAL_DOUBLE
#define COORD_MAX DBL_MAX
#define COORD_LEAST (DBL_MIN * DBL_EPSILON) /* above zero */
#else
#define COORD_MAX FLT_MAX
#define COORD_LEAST (FLT_MIN * FLT_EPSILON)
#endif
#define COORD_LOW (-(spt_coord)INFINITY)
#define COORD_HIGH ((spt_coord)INFINITY)
#define COORD_HUGE ((spt_coord)1e30)
#endif

/* The nearest coordinate to a number. */
static inline spt_coord coord_of(double number)
{
#ifdef SPATIAL_INT
    if (number <= (double)INT32_MIN) return INT32_MIN;
    if (number >= (double)INT32_MAX) return INT32_MAX;
    return (spt_coord)floor(number + 0.5);
#elif defined(SPATIAL_DOUBLE)
    return number;
#else
    if (number > (double)FLT_MAX) return COORD_HIGH; /* that conversion would be undefined */
    if (number < -(double)FLT_MAX) return COORD_LOW;
    return (spt_coord)number;
#endif
}

static inline int coord_is_nan(spt_coord number)
{
#ifdef SPATIAL_INT
    (void)number;
    return 0;
#else
    return number != number;
#endif
}

static inline spt_box box_of(double min_x, double min_y, double max_x, double max_y)
{
    spt_box box;
    box.min_x = coord_of(min_x);
    box.min_y = coord_of(min_y);
    box.max_x = coord_of(max_x);
    box.max_y = coord_of(max_y);
    return box;
}

static inline int brute_overlap(const spt_box *a, const spt_box *b)
{
    return !(a->max_x < b->min_x || b->max_x < a->min_x || a->max_y < b->min_y ||
             b->max_y < a->min_y);
}

/* Is one inside the other, by more than the border? */
static inline int is_in(const spt_box *a, const spt_box *b)
{
    return a->min_x < b->max_x && b->min_x < a->max_x && a->min_y < b->max_y && b->min_y < a->max_y;
}

static inline int brute_valid(const spt_box *box)
{
    return box->min_x <= box->max_x && box->min_y <= box->max_y;
}

static inline int same_box(const spt_box *a, const spt_box *b)
{
    return a->min_x == b->min_x && a->min_y == b->min_y && a->max_x == b->max_x &&
           a->max_y == b->max_y;
}

/* Spoils a box in the way numbered: min above max on an axis, or a NaN at an edge. */
#ifdef SPATIAL_INT
#define BAD_BOXES 2
#else
#define BAD_BOXES 7
#endif
static inline spt_box bad_box(const spt_box *good, int way)
{
    spt_box box = *good;
    if (way == 0) box.min_x = 1, box.max_x = 0;
    if (way == 1) box.min_y = 5, box.max_y = -5;
#ifndef SPATIAL_INT
    if (way == 2) box.min_x = (spt_coord)NAN;
    if (way == 3) box.min_y = (spt_coord)NAN;
    if (way == 4) box.max_x = (spt_coord)NAN;
    if (way == 5) box.max_y = (spt_coord)NAN;
    if (way == 6) box.min_x = COORD_HIGH, box.max_x = COORD_LOW;
#endif
    return box;
}

/* ---- Sets and filters ------------------------------------------------------------------------ */

typedef struct brute_set {
    const spt_box *boxes;       /* by id */
    const unsigned char *there; /* by id: 0 if there is no such element; NULL: all are there */
    spt_i32 n;                  /* ids are 0 .. n-1 */
} brute_set;

static inline int brute_there(const brute_set *set, spt_i32 id)
{
    return id >= 0 && id < set->n && (!set->there || set->there[id]);
}

static inline int brute_excepts(const spt_filter *filter, spt_i32 id)
{
    spt_i32 k;
    for (k = 0; k < filter->except_count; k++)
        if (filter->except[k] == id) return 1;
    return 0;
}

/* Does an element pass? */
static inline int brute_accepts(const spt_filter *filter, spt_i32 id)
{
    if (!filter) return 1;
    if (filter->categories && (filter->categories[id] & filter->mask) == 0) return 0;
    if (brute_excepts(filter, id)) return 0;
    return !filter->accept || filter->accept(filter->ctx, id, SPT_NONE);
}

/* Does a pair pass? */
static inline int brute_accepts_pair(const spt_filter *filter, spt_i32 a, spt_i32 b)
{
    const spt_u32 *categories = filter ? filter->categories : NULL;
    if (!filter) return 1;
    if (brute_excepts(filter, a) || brute_excepts(filter, b)) return 0;
    if (categories && filter->masks) {
        if ((categories[a] & filter->masks[b]) == 0) return 0;
        if ((categories[b] & filter->masks[a]) == 0) return 0;
    } else if (categories) {
        if ((categories[a] & filter->mask) == 0 || (categories[b] & filter->mask) == 0) return 0;
    }
    return !filter->accept || filter->accept(filter->ctx, a, b);
}

/* ---- Windows and pairs ----------------------------------------------------------------------- */

/* Does all of b lie in a? */
static inline int brute_holds(const spt_box *a, const spt_box *b)
{
    return !(b->min_x < a->min_x || b->max_x > a->max_x || b->min_y < a->min_y ||
             b->max_y > a->max_y);
}

/* Is a box in this relation to a window? */
static inline int brute_related(const spt_box *b, const spt_box *window, int relation)
{
    switch (relation) {
    case SPT_ENTERS:
        return b->min_x < window->max_x && b->max_x > window->min_x && b->min_y < window->max_y &&
               b->max_y > window->min_y;
    case SPT_INSIDE: return brute_holds(window, b);
    case SPT_AROUND: return brute_holds(b, window);
    case SPT_EQUALS: return brute_holds(window, b) && brute_holds(b, window);
    default: return brute_overlap(b, window);
    }
}

static inline int brute_in_window(const brute_set *set, spt_i32 id, const spt_box *window,
                                  const spt_filter *filter)
{
    return brute_there(set, id) &&
           brute_related(&set->boxes[id], window, filter ? filter->relation : SPT_MEETS) &&
           brute_accepts(filter, id);
}

/* Ids of all boxes that overlap a window; ids may be NULL. Returns how many. */
static inline spt_i32 brute_query(const brute_set *set, const spt_box *window,
                                  const spt_filter *filter, spt_i32 *ids)
{
    spt_i32 id, count = 0;
    for (id = 0; id < set->n; id++) {
        if (!brute_in_window(set, id, window, filter)) continue;
        if (ids) ids[count] = id;
        count++;
    }
    return count;
}

static inline int brute_is_pair(const brute_set *set, spt_i32 a, spt_i32 b,
                                const spt_filter *filter)
{
    return brute_there(set, a) && brute_there(set, b) &&
           brute_overlap(&set->boxes[a], &set->boxes[b]) && brute_accepts_pair(filter, a, b);
}

static inline spt_i32 brute_count_pairs(const brute_set *set, const spt_filter *filter)
{
    spt_i32 a, b, count = 0;
    for (a = 0; a < set->n; a++)
        for (b = a + 1; brute_there(set, a) && b < set->n; b++)
            count += brute_is_pair(set, a, b, filter);
    return count;
}

/* ---- Distances ------------------------------------------------------------------------------- */

/* The square of a distance; with SPATIAL_INT a number of more than 64 bits. */
typedef struct brute_key {
#ifdef SPATIAL_INT
    uint64_t high, low;
#else
    double value;
#endif
} brute_key;

static inline int brute_key_compare(const brute_key *a, const brute_key *b)
{
#ifdef SPATIAL_INT
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return (a->low > b->low) - (a->low < b->low);
#else
    return (a->value > b->value) - (a->value < b->value);
#endif
}

#ifdef SPATIAL_INT
/* How far two ranges are apart; 0 if they touch. */
static inline uint64_t brute_gap(spt_coord a_min, spt_coord a_max, spt_coord b_min, spt_coord b_max)
{
    if (b_min > a_max) return (uint64_t)((int64_t)b_min - a_max);
    if (a_min > b_max) return (uint64_t)((int64_t)a_min - b_max);
    return 0;
}

/* x * x + y * y, where both have 32 bits, so that a square fits 64 bits, but not the sum. */
static inline brute_key brute_key_of(uint64_t x, uint64_t y)
{
    brute_key key;
    key.low = x * x + y * y;
    key.high = key.low < x * x;
    return key;
}
#else
static inline spt_coord brute_gap(spt_coord a_min, spt_coord a_max, spt_coord b_min,
                                  spt_coord b_max)
{
    volatile spt_coord gap = 0; /* in which a difference is rounded to the type */
    if (b_min > a_max) gap = b_min - a_max;
    if (a_min > b_max) gap = a_min - b_max;
    return gap;
}

static inline brute_key brute_key_of(spt_coord x, spt_coord y)
{
    volatile double xx = (double)x * (double)x, yy = (double)y * (double)y, sum = xx + yy;
    brute_key key;
    key.value = sum;
#ifdef SPATIAL_DOUBLE
    if (key.value < DBL_MIN && (x > 0 || y > 0)) key.value = DBL_MIN;
#endif
    return key;
}
#endif

static inline brute_key brute_distance(const spt_box *a, const spt_box *b)
{
    return brute_key_of(brute_gap(a->min_x, a->max_x, b->min_x, b->max_x),
                        brute_gap(a->min_y, a->max_y, b->min_y, b->max_y));
}

/* Is a box of that key at most so far away? */
static inline int brute_key_within(const brute_key *key, spt_coord distance)
{
    brute_key limit;
    if (!(distance >= 0)) return 0;
    if (distance >= SPT_NO_LIMIT) return 1;
#ifdef SPATIAL_INT
    limit = brute_key_of((uint64_t)distance, 0);
#else
    limit = brute_key_of(distance, 0);
#endif
    return brute_key_compare(key, &limit) <= 0;
}

/* Ids of all boxes that are at most so far from a box. */
static inline spt_i32 brute_within(const brute_set *set, const spt_box *box, spt_coord distance,
                                   const spt_filter *filter, spt_i32 *ids)
{
    spt_i32 id, count = 0;
    for (id = 0; id < set->n; id++) {
        brute_key key;
        if (!brute_there(set, id)) continue;
        key = brute_distance(box, &set->boxes[id]);
        if (brute_key_within(&key, distance) && brute_accepts(filter, id)) ids[count++] = id;
    }
    return count;
}

typedef struct brute_neighbour {
    brute_key key;
    spt_i32 id;
} brute_neighbour;

static inline int brute_nearer_first(const void *a, const void *b)
{
    const brute_neighbour *one = (const brute_neighbour *)a, *other = (const brute_neighbour *)b;
    int order = brute_key_compare(&one->key, &other->key);
    return order ? order : (one->id > other->id) - (one->id < other->id);
}

static inline void *brute_room(spt_i32 records, size_t size)
{
    void *room = malloc(((size_t)records + 1) * size);
    if (!room) exit(1);
    return room;
}

/* Ids of the k nearest, the nearest first. */
static inline spt_i32 brute_nearest(const brute_set *set, const spt_box *box, spt_i32 k,
                                    spt_coord limit, const spt_filter *filter, spt_i32 *ids)
{
    brute_neighbour *all = (brute_neighbour *)brute_room(set->n, sizeof *all);
    spt_i32 id, count = 0;
    for (id = 0; id < set->n; id++) {
        if (!brute_there(set, id) || !brute_accepts(filter, id)) continue;
        all[count].key = brute_distance(box, &set->boxes[id]);
        all[count].id = id;
        count += brute_key_within(&all[count].key, limit);
    }
    qsort(all, (size_t)count, sizeof *all, brute_nearer_first);
    if (count > k) count = k;
    for (id = 0; id < count; id++) ids[id] = all[id].id;
    free(all);
    return count;
}

/* ---- Casts ----------------------------------------------------------------------------------- */

/* A part of a motion; with SPATIAL_INT an exact fraction. */
typedef struct brute_time {
#ifdef SPATIAL_INT
    uint64_t way, speed; /* at most 2^32 and 2^31, so that a product fits 64 bits */
#else
    spt_coord value;
#endif
} brute_time;

static inline int brute_time_compare(const brute_time *a, const brute_time *b)
{
#ifdef SPATIAL_INT
    uint64_t one = a->way * b->speed, other = b->way * a->speed;
    return (one > other) - (one < other);
#else
    return (a->value > b->value) - (a->value < b->value);
#endif
}

/* The time in which the way from one coordinate up to another is covered. */
static inline brute_time brute_time_of(spt_coord from, spt_coord to, spt_coord d)
{
    brute_time t;
#ifdef SPATIAL_INT
    t.way = (uint64_t)((int64_t)to - from);
    t.speed = (uint64_t)(d < 0 ? -(int64_t)d : (int64_t)d);
#else
    volatile spt_coord way = to - from, part = way / (d < 0 ? -d : d); /* each is rounded */
    t.value = part;
#endif
    return t;
}

/* As it is told in a hit. */
static inline spt_coord brute_time_told(const brute_time *t)
{
#ifdef SPATIAL_INT
    return (spt_coord)(t->way * 65536u / t->speed);
#else
    return t->value;
#endif
}

static inline int brute_finite(spt_coord number)
{
#ifdef SPATIAL_INT
    (void)number;
    return 1;
#else
    return number >= -COORD_MAX && number <= COORD_MAX;
#endif
}

static inline int brute_motion_error(const spt_motion *m)
{
    int finite = brute_finite(m->box.min_x) && brute_finite(m->box.min_y) &&
                 brute_finite(m->box.max_x) && brute_finite(m->box.max_y) && brute_finite(m->dx) &&
                 brute_finite(m->dy);
    if (!brute_valid(&m->box)) return SPT_ERR_BOX;
    return finite ? SPT_OK : SPT_ERR_ARGUMENT;
}

/* When a motion touches an element along one axis. */
typedef struct brute_passage {
    int never;
    int moves;            /* it comes to an end: at `out` */
    int comes;            /* it begins on the way: at `in`; else it has begun at the start */
    brute_time in, out;
} brute_passage;

static inline brute_passage brute_pass(spt_coord min, spt_coord max, spt_coord d,
                                       spt_coord other_min, spt_coord other_max, int enter)
{
    brute_passage p;
    spt_coord face = d > 0 ? other_min : other_max, back = d > 0 ? other_max : other_min;
    spt_coord front = d > 0 ? max : min, tail = d > 0 ? min : max;
    memset(&p, 0, sizeof p);
    if (d > 0 || d < 0) {
        p.moves = 1;
        p.never = d > 0 ? back < tail : back > tail;
        p.comes = d > 0 ? face > front : face < front;
        if (enter && !(face > front) && !(face < front)) p.comes = 1; /* from the border */
        if (p.never) return p;
        p.out = d > 0 ? brute_time_of(tail, back, d) : brute_time_of(back, tail, d);
        if (p.comes) p.in = d > 0 ? brute_time_of(front, face, d) : brute_time_of(face, front, d);
    } else {
        p.never = enter ? !(min < other_max && other_min < max) /* it only touches, or less */
                        : !(min <= other_max && other_min <= max);
    }
    return p;
}

/* A hit, and its time as exactly as casts are ordered by it. */
typedef struct brute_meeting {
    brute_time time;
    spt_hit hit;
} brute_meeting;

/* 1 if what began at a time goes on then: for a moment at least if only entering counts. */
static inline int brute_goes_on(const brute_passage *p, const brute_time *begin, int enter)
{
    int order = p->moves ? brute_time_compare(begin, &p->out) : -1;
    return enter ? order < 0 : order <= 0;
}

/* 1 if two ranges, of which one moves, only touch at a time at which they are not apart. */
static inline int brute_only_touch(const brute_passage *p, spt_coord min, spt_coord max,
                                   spt_coord d, spt_coord other_min, spt_coord other_max,
                                   const brute_time *at)
{
    const spt_coord face = d > 0 ? other_min : other_max, front = d > 0 ? max : min;
    brute_time in;
    if (!p->moves) return !(min < other_max) || !(other_min < max);
    if (brute_time_compare(at, &p->out) == 0) return 1;
    if (d > 0 ? face < front : face > front) return 0; /* they have overlapped since the start */
    in = d > 0 ? brute_time_of(front, face, d) : brute_time_of(face, front, d);
    return brute_time_compare(at, &in) == 0;
}

/* Does a motion meet a box, and how? */
static inline int brute_cast_one(const spt_motion *m, const spt_box *box, brute_meeting *meeting)
{
    brute_passage x = brute_pass(m->box.min_x, m->box.max_x, m->dx, box->min_x, box->max_x,
                                 m->enter);
    brute_passage y = brute_pass(m->box.min_y, m->box.max_y, m->dy, box->min_y, box->max_y,
                                 m->enter);
    brute_time begin, end;
    memset(meeting, 0, sizeof *meeting);
    meeting->hit.id = SPT_NONE;
#ifdef SPATIAL_INT
    begin.way = 0, begin.speed = 1;
    end.way = 1, end.speed = 1;
#else
    begin.value = 0;
    end.value = 1;
#endif
    if (x.never || y.never) return 0;
    if (m->enter && !x.comes && !y.comes) return 0; /* is in it, or stands still beside it */
    if (x.comes) {
        begin = x.in;
        meeting->hit.nx = m->dx > 0 ? -1 : 1;
    }
    if (y.comes && (!x.comes || brute_time_compare(&y.in, &begin) > 0)) {
        begin = y.in;
        meeting->hit.nx = 0;
        meeting->hit.ny = m->dy > 0 ? -1 : 1;
    }
    if (brute_time_compare(&begin, &end) > 0) return 0;
    if (!brute_goes_on(&x, &begin, m->enter) || !brute_goes_on(&y, &begin, m->enter)) return 0;
    meeting->time = begin;
    meeting->hit.corner =
        brute_only_touch(&x, m->box.min_x, m->box.max_x, m->dx, box->min_x, box->max_x, &begin) &&
        brute_only_touch(&y, m->box.min_y, m->box.max_y, m->dy, box->min_y, box->max_y, &begin);
    meeting->hit.t = brute_time_told(&begin);
    return 1;
}

static inline int brute_earlier_first(const void *a, const void *b)
{
    const brute_meeting *one = (const brute_meeting *)a, *other = (const brute_meeting *)b;
    int order = brute_time_compare(&one->time, &other->time);
    if (order == 0) order = one->hit.corner - other->hit.corner;
    return order ? order : (one->hit.id > other->hit.id) - (one->hit.id < other->hit.id);
}

/* Room for all that a motion may meet: set->n of them. */
static inline spt_i32 brute_cast_all(const brute_set *set, const spt_motion *m,
                                     const spt_filter *filter, brute_meeting *meetings)
{
    spt_i32 id, count = 0;
    for (id = 0; id < set->n; id++) {
        if (!brute_there(set, id) || !brute_accepts(filter, id)) continue;
        if (!brute_cast_one(m, &set->boxes[id], &meetings[count])) continue;
        meetings[count++].hit.id = id;
    }
    qsort(meetings, (size_t)count, sizeof *meetings, brute_earlier_first);
    return count;
}

/* The same bits in all that a hit tells? */
static inline int same_hit(const spt_hit *a, const spt_hit *b)
{
    return a->id == b->id && memcmp(&a->t, &b->t, sizeof a->t) == 0 && a->nx == b->nx &&
           a->ny == b->ny && a->corner == b->corner && a->layer == b->layer;
}

#if defined(SPTI_SHAPES) && defined(SPTI_INDEX)
/* The same hit of shapes? Its layer is not compared: among other layers the same is another one. */
static inline int same_shape_hit(const spt_shape_hit *a, const spt_shape_hit *b)
{
    return a->id == b->id && !(a->t < b->t) && !(a->t > b->t) && !(a->nx < b->nx) &&
           !(a->nx > b->nx) && !(a->ny < b->ny) && !(a->ny > b->ny);
}
#endif
#endif /* BRUTE_H */
