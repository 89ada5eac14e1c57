/* What all proofs share: spatial.h with its internals, and values that CBMC chooses. A function
   without a body returns any value of its type, and a proof holds for every choice. */
#ifndef PROOFS_H
#define PROOFS_H

#define SPATIAL_NO_SIMD /* CBMC does not know vectors */
#define SPATIAL_STATIC
#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

#define ASSUME(condition) __CPROVER_assume(condition)
#define PROVE(condition) __CPROVER_assert(condition, #condition)

int nondet_int(void);
spt_i32 nondet_i32(void);
spt_u32 nondet_u32(void);
spt_coord nondet_coord(void);
double nondet_double(void);
spt_box nondet_box(void);

/* Returns any number from low to high. */
static int any_from(int low, int high)
{
    const int number = nondet_int();
    ASSUME(low <= number && number <= high);
    return number;
}

static spt_box any_valid_box(void)
{
    const spt_box box = nondet_box();
    ASSUME(box.min_x <= box.max_x && box.min_y <= box.max_y);
    return box;
}

#endif
