/* Functions of one or two boxes, for all 32-bit integers, beside plain definitions: a point of both
   boxes; sums and differences of 64 bits. */
#include "proofs.h"

typedef long long wide;

static int holds(const spt_box *box, wide x, wide y)
{
    return box->min_x <= x && x <= box->max_x && box->min_y <= y && y <= box->max_y;
}

/* Boxes overlap if, and only if, there is a point in both: any point, or a corner of the common
   part. The common part has the points that are in both, and no others. */
void proof_overlap(void)
{
    const spt_box a = any_valid_box(), b = any_valid_box(), none = nondet_box();
    const spt_coord x = nondet_coord(), y = nondet_coord();
    spt_box common = none;
    const int overlap = spt_box_overlap(&a, &b);
    PROVE(spt_box_has_point(&a, x, y) == holds(&a, x, y));
    PROVE(!holds(&a, x, y) || !holds(&b, x, y) || overlap);
    PROVE(spt_box_intersection(&a, &b, &common) == overlap);
    PROVE(!overlap || holds(&common, x, y) == (holds(&a, x, y) && holds(&b, x, y)));
    PROVE(!overlap || spt_box_valid(&common));
    PROVE(overlap || (common.min_x == none.min_x && common.max_y == none.max_y));
}

/* The union holds both boxes, and each other box that holds both holds the union. */
void proof_union(void)
{
    const spt_box a = any_valid_box(), b = any_valid_box(), c = nondet_box();
    spt_box out, added = a;
    spt_box_union(&a, &b, &out);
    spti_box_add(&added, &b);
    PROVE(spti_box_holds(&out, &a) && spti_box_holds(&out, &b));
    PROVE(!spti_box_holds(&c, &a) || !spti_box_holds(&c, &b) || spti_box_holds(&c, &out));
    PROVE(spti_box_holds(&added, &out) && spti_box_holds(&out, &added));
}

/* No points of the two ranges are nearer than the gap, and two ends are as near. */
void proof_gap(void)
{
    const spt_box a = any_valid_box(), b = any_valid_box();
    const spt_coord x = nondet_coord(), other = nondet_coord();
    const wide way = (wide)x - other;
    spti_dist gap, gap_y;
    spti_gap(&a, &b, &gap, &gap_y);
    ASSUME(a.min_x <= x && x <= a.max_x && b.min_x <= other && other <= b.max_x);
    PROVE((wide)gap <= (way < 0 ? -way : way));
    PROVE(gap == 0 || gap == (wide)b.min_x - a.max_x || gap == (wide)a.min_x - b.max_x);
    PROVE((gap == 0 && gap_y == 0) == spt_box_overlap(&a, &b));
}

/* x - d and x + d, or where the type ends. */
void proof_below(void)
{
    const spt_coord x = nondet_coord();
    const spti_dist d = nondet_u32();
    const wide low = (wide)x - d, high = (wide)x + d;
    PROVE(spti_below(x, d) == (low < INT_MIN ? INT_MIN : low));
    PROVE(spti_above(x, d) == (high > INT_MAX ? INT_MAX : high));
}

/* Half open, the box has the points that are not on its upper edges, unless it had no others. */
void proof_half_open(void)
{
    const spt_box a = any_valid_box();
    const spt_coord x = nondet_coord(), y = nondet_coord();
    const int thin_x = a.min_x == a.max_x, thin_y = a.min_y == a.max_y;
    spt_box out = a;
    spt_box_half_open(&out);
    PROVE(holds(&out, x, y) == (holds(&a, x, y) && (thin_x || x < a.max_x) &&
                                (thin_y || y < a.max_y)));
}

/* Bits, and the lowest bit, by their definitions. */
void proof_bits(void)
{
    const spt_u32 v = nondet_u32();
    const int bits = spti_bits(v);
    PROVE(0 <= bits && bits <= 32 && (wide)v < 1LL << bits && (bits == 0 || v >> (bits - 1) == 1));
    PROVE(v == 0 || (v >> spti_low_bit(v) & 1 && v << 1 << (31 - spti_low_bit(v)) == 0));
}
