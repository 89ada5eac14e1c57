/* Roundings, for all floats: the next number, one that is surely further away, cells. */
#include "proofs.h"

/* No number lies between x and the next one below; minus infinity has none. */
void proof_step_down(void)
{
    const spt_coord x = nondet_coord(), y = nondet_coord();
    const spt_coord below = spti_step_down(x);
    ASSUME(x == x && y < x);
    PROVE(below < x && y <= below);
}

/* The largest float not above a double. */
void proof_coord_below(void)
{
    const double v = nondet_double();
    const spt_coord y = nondet_coord(), below = spti_coord_below(v);
    ASSUME(v == v);
    PROVE((double)below <= v);
    PROVE(!((double)y <= v) || y <= below);
}

/* The axes of any origin and extent give any coordinate, also infinite ones and NaN, a cell. */
void proof_cell_within(void)
{
    const int levels = any_from(0, 16);
    const spti_dist extent = nondet_coord();
    spti_axis axis;
    ASSUME(extent >= 0 && extent <= SPTI_COORD_MAX);
    spti_axis_init(&axis, nondet_coord(), extent, levels);
    PROVE(spti_cell(&axis, nondet_coord()) < 1UL << levels);
}

