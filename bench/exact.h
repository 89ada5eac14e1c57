/* What is asked of one box, in the way of spatial.h's geometry but without its help: the peers test
   with it what their trees give them, and brute force finds with it what all answers are compared
   with. */
#ifndef EXACT_H
#define EXACT_H

#include "subject.h"

#include <math.h>

static inline float gap_along(float a_min, float a_max, float b_min, float b_max)
{
    return a_max < b_min ? b_min - a_max : b_max < a_min ? a_min - b_max : 0;
}

/* The square of the distance of two boxes: of gaps rounded to float, and else as double rounds. */
static inline double distance_square(const bench_box *a, const bench_box *b)
{
    double x = (double)gap_along(a->min_x, a->max_x, b->min_x, b->max_x);
    double y = (double)gap_along(a->min_y, a->max_y, b->min_y, b->max_y);
    return x * x + y * y;
}

static inline int is_within(const bench_box *a, const bench_box *b, float distance)
{
    return distance_square(a, b) <= (double)distance * (double)distance;
}

/* Narrows from .. to, a part of a motion, to the part in which it overlaps a box along one axis.
   Each time is one subtraction and one division, rounded to float. Returns 0 if it never does. */
static inline int meets_along(float min, float max, float box_min, float box_max, float d,
                              float *from, float *to)
{
    float lead, tail, speed = fabsf(d);
    if (!(speed > 0)) return min <= box_max && box_min <= max;
    lead = d > 0 ? box_min - max : min - box_max;
    tail = d > 0 ? box_max - min : max - box_min;
    if (lead > speed || tail < 0) return 0;
    *from = fmaxf(*from, lead / speed);
    *to = fminf(*to, tail / speed);
    return 1;
}

/* 1 if a motion meets a box, after the part *t of it. */
static inline int meets(const bench_motion *m, const bench_box *box, float *t)
{
    float to = INFINITY;
    *t = 0;
    return meets_along(m->box.min_x, m->box.max_x, box->min_x, box->max_x, m->dx, t, &to) &&
           meets_along(m->box.min_y, m->box.max_y, box->min_y, box->max_y, m->dy, t, &to) &&
           *t <= to;
}

static inline int is_ray(const bench_motion *m)
{
    return !(m->box.min_x < m->box.max_x) && !(m->box.min_y < m->box.max_y);
}

/* A box that holds all that is at most so far from a box, and one that holds a motion all along:
   both are larger by as much as rounding may cut off. */
static inline bench_box grown(const bench_box *box, float to_left, float down, float to_right,
                              float up)
{
    bench_box all;
    all.min_x = nextafterf(box->min_x - to_left, -INFINITY);
    all.min_y = nextafterf(box->min_y - down, -INFINITY);
    all.max_x = nextafterf(box->max_x + to_right, INFINITY);
    all.max_y = nextafterf(box->max_y + up, INFINITY);
    return all;
}

static inline bench_box reach_of(const bench_box *box, float distance)
{
    return grown(box, distance, distance, distance, distance);
}

static inline bench_box way_of(const bench_motion *m)
{
    return grown(&m->box, fmaxf(-m->dx, 0), fmaxf(-m->dy, 0), fmaxf(m->dx, 0), fmaxf(m->dy, 0));
}

#endif
