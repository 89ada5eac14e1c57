/* A program: where coordinates go up, cells do not go down. With integers all extents below 2^16
   are tried, with floats all of 8 bits; bent maps have pieces of three widths in all orders, and
   boxes of two sizes. */
#include "programs.h"

static long bent;

#ifdef SPATIAL_INT
/* Other extents drop low bits to be as short; fewer levels drop low bits of these cells. */
static void even_maps(void)
{
    spt_u32 extent, last, cell;
    spt_i32 x;
    spti_axis axis;
    for (extent = 1; extent < 65536 && failures == 0; extent++) {
        spti_axis_init(&axis, 0, extent, 16);
        for (x = 0, last = 0; x <= (spt_i32)extent; x++, last = cell) {
            cell = spti_cell(&axis, x);
            check(cell >= last && cell < 65536, "even", extent, x);
        }
    }
}
#else
/* Coordinates, origins and extents are the upper 8 of 16 bits. */
static void even_maps(void)
{
    spt_u32 last, cell;
    spti_axis axis;
    int i, j, k, levels;
    for (i = -HALVES + 256; i < HALVES; i += 256)
        for (j = 256; j < HALVES; j += 256)
            for (levels = 0; levels <= 16; levels += 4) {
                spti_axis_init(&axis, half(i), half(j), levels);
                for (k = -HALVES + 256, last = 0; k < HALVES; k += 256, last = cell) {
                    cell = spti_cell(&axis, half(k));
                    check(cell >= last && cell >> levels == 0, "even", half(j), half(k));
                }
            }
}
#endif

/* Lays out pieces along both axes, along y in the opposite order. order: eight digits to base 3. */
static void bent_map(int order, int levels, spt_coord size, const spt_coord *widths, spt_coord step)
{
    static spti_bend b;
    spti_cells cells, last = {0, 0, 0, 0};
    spt_box box;
    spt_coord at, x = -step * 3;
    int i, axis, digits[SPTI_PIECES];
    for (i = 0; i < SPTI_PIECES; i++, order /= 3) digits[i] = order % 3;
    for (axis = 0; axis < 2; axis++)
        for (i = 0, at = 0; i <= SPTI_PIECES; i++) {
            b.knots[i][axis] = at;
            if (i == SPTI_PIECES) continue;
            at += widths[digits[axis ? SPTI_PIECES - 1 - i : i]];
            b.rates[i][axis] = (spti_dist)size;
        }
    spti_bend_init(&b, levels, 3, 65536);
    if (b.levels == 0) return;
    for (bent++; x < at + 3 * step; x += step, last = cells) {
        box.min_x = box.min_y = box.max_x = box.max_y = x;
        spti_bend_cells(&b, levels, b.skew, &box, &cells);
        check(cells.x0 >= last.x0 && cells.y0 >= last.y0, "bent", levels, x);
        check(cells.x0 >> (levels + b.skew) == 0, "most of x", levels, x);
        check(cells.y0 >> (levels - b.skew) == 0, "most of y", levels, x);
        check(cells.x0 == cells.x1 && cells.y0 == cells.y1, "ends", levels, x);
    }
}

int main(void)
{
    static const spt_coord small[] = {0, 1, 6}, large[] = {0, (spt_coord)5.3, (spt_coord)1000003.7};
    int order, levels;
    even_maps();
    for (order = 1; order < 6561; order++)
        for (levels = 4; levels <= 12; levels += 4) {
            bent_map(order, levels, 1, small, 1);
            bent_map(order, levels, 0, large, (spt_coord)20011.3);
        }
    printf("%ld checks, %ld bent maps\n", checks, bent);
    return failures > 0;
}
