/* Cells of coordinates; Morton codes and the numbers of nodes, for all cells and all levels. */
#include "proofs.h"

#ifndef BELOW
#define BELOW 0 /* levels below the node */
#endif

/* Bit i of x is bit 2i of the code, bit i of y is bit 2i + 1, and deinterleave is the inverse. */
void proof_interleave(void)
{
    const spt_u32 x = nondet_u32() & 0xFFFF, y = nondet_u32() & 0xFFFF, i = nondet_u32() & 15;
    const spt_u32 code = spt_morton_interleave(x, y);
    spt_u32 x2, y2;
    PROVE((code >> 2 * i & 1) == (x >> i & 1) && (code >> (2 * i + 1) & 1) == (y >> i & 1));
    spt_morton_deinterleave(code, &x2, &y2);
    PROVE(x2 == x && y2 == y);
}

void proof_deinterleave(void)
{
    const spt_u32 code = nondet_u32();
    spt_u32 x, y;
    spt_morton_deinterleave(code, &x, &y);
    PROVE(x <= 0xFFFF && y <= 0xFFFF && spt_morton_interleave(x, y) == code);
}

/* The cell holds both corners, and none of the next level does. */
void proof_cell(void)
{
    const spt_u32 x0 = nondet_u32() & 0x7FFF, y0 = nondet_u32() & 0x7FFF;
    const spt_u32 x1 = nondet_u32() & 0x7FFF, y1 = nondet_u32() & 0x7FFF;
    spt_u32 code, x, y;
    const int most = SPT_MORTON_MAX_LEVELS;
    const int level = spt_morton_cell(x0, y0, x1, y1, most, &code), up = most - level;
    spt_morton_deinterleave(code, &x, &y);
    PROVE(0 <= level && level <= most);
    PROVE(x == x0 >> up && x == x1 >> up && y == y0 >> up && y == y1 >> up);
    PROVE(level == most || x0 >> (up - 1) != x1 >> (up - 1) || y0 >> (up - 1) != y1 >> (up - 1));
}

static spt_u32 any_code(int level)
{
    const spt_u32 code = nondet_u32();
    ASSUME(code >> 2 * level == 0);
    return code;
}

/* The number of a node tells its level and its code, and is less than the number of nodes. */
void proof_node(void)
{
    const int level = any_from(0, SPT_MORTON_MAX_LEVELS);
    const spt_u32 code = any_code(level), node = spt_morton_node(level, code);
    spt_u32 back;
    PROVE(spt_morton_level(node, &back) == level && back == code);
    PROVE(node < spt_morton_nodes(level));
    PROVE(level == 0 || node >= spt_morton_nodes(level - 1));
}

/* Ranks count in preorder: the root is first, and a first child comes right after its parent ... */
void proof_rank_child(void)
{
    const int most = SPT_MORTON_MAX_LEVELS, level = most - BELOW;
    const spt_u32 code = any_code(level), rank = spt_morton_rank(level, code, most);
    PROVE(level > 0 || rank == 0);
    PROVE(spt_morton_rank(level + 1, 4 * code, most) == rank + 1);
}

/* ... and the next child after all that is below the one before. So they are a bijection, by
   induction. */
void proof_rank_next(void)
{
    const int most = SPT_MORTON_MAX_LEVELS, level = most - BELOW;
    const spt_u32 code = any_code(level), rank = spt_morton_rank(level, code, most);
    ASSUME((code & 3) < 3 && level > 0);
    PROVE(spt_morton_rank(level, code + 1, most) == rank + spt_morton_nodes(BELOW));
}

/* With any origin, a coordinate that is not below another one has no lower cell. */
void proof_monotone(void)
{
    const int levels = any_from(0, 16);
    const spt_coord a = nondet_coord(), b = nondet_coord();
    spti_axis axis;
    ASSUME(a <= b);
    spti_axis_init(&axis, nondet_coord(), nondet_u32() & 31, levels);
    PROVE(spti_cell(&axis, a) <= spti_cell(&axis, b) && spti_cell(&axis, b) < 1UL << levels);
}
