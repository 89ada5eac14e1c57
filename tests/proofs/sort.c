/* Sorting: any keys, or keys of few bits; few records. */
#include "proofs.h"

#ifndef MASK
#define MASK 0xFFFFFFFFUL /* bits that keys may have */
#endif

/* A sample gets sorted, and no edge is lost: as many as before are below any number. */
void proof_sample(void)
{
    spt_coord v[COUNT];
    const spt_coord x = nondet_coord();
    int i, below = 0;
    for (i = 0; i < COUNT; i++) v[i] = nondet_coord(), below += v[i] < x;
    spti_sort_sample(v, COUNT);
    for (i = 0; i < COUNT; i++) below -= v[i] < x;
    for (i = 1; i < COUNT; i++) PROVE(v[i - 1] <= v[i]);
    PROVE(below == 0);
}

static spti_record from[COUNT], to[COUNT]; /* in both, the index is the place in `from` at first */
static spt_u32 keys[COUNT];

static void any_records(void)
{
    int i;
    for (i = 0; i < COUNT; i++) from[i].key = keys[i] = nondet_u32() & MASK, from[i].index = i;
}

/* All records are there, sorted by `width` bits from SHIFT on, equal ones in the order they had. */
static void prove_sorted(const spti_record *r, int width)
{
    int i, seen = 0;
    for (i = 0; i < COUNT; i++) {
        PROVE(0 <= r[i].index && r[i].index < COUNT && r[i].key == keys[r[i].index]);
        seen |= 1 << r[i].index;
    }
    PROVE(seen == (1 << COUNT) - 1);
    for (i = 1; i < COUNT; i++) {
        const spt_u32 a = r[i - 1].key >> SHIFT & ((1U << width) - 1);
        const spt_u32 b = r[i].key >> SHIFT & ((1U << width) - 1);
        PROVE(a < b || (a == b && r[i - 1].index < r[i].index));
    }
}

void proof_pass(void)
{
    spt_i32 counts[1 << WIDTH];
    any_records();
    spti_sort_pass(from, to, COUNT, SHIFT, WIDTH, counts);
    prove_sorted(to, WIDTH);
}

void proof_sort(void)
{
    spt_i32 counts[16];
    any_records();
    spti_sort(from, to, COUNT, SHIFT, counts);
    prove_sorted(from, 16);
}
