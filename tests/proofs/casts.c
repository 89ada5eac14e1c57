/* Distances, and motions at any time, among boxes of small whole numbers, beside the definitions.
   MOST: the largest coordinate, a power of 2 less 1. DX: the way to the right. */
#include "proofs.h"

typedef unsigned long long wide;

spti_key nondet_key(void);

#ifndef MOST
#define MOST 7
#endif
#ifndef DX
#define DX 0
#endif
#ifndef SHIFT
#define SHIFT 0
#endif

static spt_box small_box(void)
{
    spt_box box;
    box.min_x = (spt_coord)(nondet_u32() & MOST), box.max_x = (spt_coord)(nondet_u32() & MOST);
    box.min_y = (spt_coord)(nondet_u32() & MOST), box.max_y = (spt_coord)(nondet_u32() & MOST);
    ASSUME(box.min_x <= box.max_x && box.min_y <= box.max_y);
    return box;
}

/* The distance of two ranges: of the closest points. */
static int apart(int min, int max, int other_min, int other_max)
{
    return other_min > max ? other_min - max : min > other_max ? min - other_max : 0;
}

static int square(const spt_box *a, const spt_box *b)
{
    const int x = apart(a->min_x, a->max_x, b->min_x, b->max_x);
    const int y = apart(a->min_y, a->max_y, b->min_y, b->max_y);
    return x * x + y * y;
}

void proof_within(void)
{
    const spt_box a = small_box(), b = small_box();
    const int d = any_from(-1, 4 * MOST), exact = square(&a, &b);
    PROVE(spt_box_within(&a, &b, d) == (d >= 0 && exact <= d * d));
    PROVE(spt_box_within(&a, &b, SPT_NO_LIMIT));
}

/* 1 if the moving box and the other one overlap along x at time p / 12, also if they only touch, or
   `open`: if they do more. */
static int meets_x(const spt_motion *m, const spt_box *b, int p, int open)
{
    return m->box.min_x * 12 + m->dx * p + open <= b->max_x * 12 &&
           b->min_x * 12 + open <= m->box.max_x * 12 + m->dx * p;
}

/* The same along both axes. */
static int meets_at(const spt_motion *m, const spt_box *b, int p, int open)
{
    return meets_x(m, b, p, open) && m->box.min_y * 12 + m->dy * p + open <= b->max_y * 12 &&
           b->min_y * 12 + open <= m->box.max_y * 12 + m->dy * p;
}

/* The motion meets the box at the time of the hit and at no time before, and never without a hit.
   With `enter`: it is at most at the border at the time of the hit and inside right after it, and
   so at no other time; the hit is of y if it overlaps along x before. Ways are of up to 3, so sides
   are met at sixths: twelfths are these and times between them. */
static void cast(spt_coord dx, spt_coord dy, int enter)
{
    const spt_box box = small_box();
    const int p = any_from(0, 12);
    spt_motion m;
    spti_line line;
    spti_meeting meeting;
    int hit, at;
    m.box = small_box(), m.dx = dx, m.dy = dy;
    spti_line_init(&line, &m);
    hit = spti_cast(&line, &box, enter, &meeting), at = (int)(meeting.t * 12 + 12) >> 16;
    if (enter) {
        const int now = !meets_at(&m, &box, p, 1) && meets_at(&m, &box, p + 1, 1);
        PROVE(now == (hit && p == at));
        PROVE(!hit || meeting.axis == 1 + meets_x(&m, &box, at, 1));
        return;
    }
    PROVE(!hit || meets_at(&m, &box, at, 0));
    PROVE((hit && p >= at) || !meets_at(&m, &box, p, 0));
}

void proof_cast(void)
{
    int dy;
    for (dy = -3; dy <= 3; dy++) cast(DX, dy, 0);
}

void proof_cast_enter(void)
{
    int dy;
    for (dy = -3; dy <= 3; dy++) cast(DX, dy, 1);
}

/* Keys are compared as numbers of 96 bits. */
void proof_key_less(void)
{
    const spti_key a = nondet_key(), b = nondet_key();
    const wide low = ((wide)a.high << 32) | a.low, other_low = ((wide)b.high << 32) | b.low;
    PROVE(spti_key_less(&a, &b) ==
          (a.carry < b.carry || (a.carry == b.carry && low < other_low)));
}

/* The product of any number and four bits of the other. */
void proof_product(void)
{
    const spt_u32 a = nondet_u32(), b = (nondet_u32() & 15) << SHIFT;
    spti_key key;
    spti_key_product(a, b, &key);
    PROVE(key.carry == 0 && (((wide)key.high << 32) | key.low) == (wide)a * b);
}
