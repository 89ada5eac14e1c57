/* A program: roundings and casts of floats that have 16 bits, or the upper 8 of these, beside exact
   arithmetic in double. All such floats are tried, but infinity and NaN. */
#include "programs.h"

/* What is below the result is further from x than d, also rounded, and the result is near. */
static void below(float x, float d)
{
    const double exact = (double)x - d, margin = ((exact < 0 ? -exact : exact) + d) / 1e6 + 1e-29;
    const float low = spti_below(x, d), next = spti_step_down(low);
    check(low <= exact && low >= exact - 2 * margin, "below", x, d);
    check((float)(x - next) > d, "further", x, d);
}

/* A point at 0 that moves by (dx, dy) meets a box, from `near_x` to the right and from 0 up to
   `far_y`, if it is at near_x not after it is at far_y; and then at this time. */
static void cast(float near_x, float far_y, float dx, float dy, int enter)
{
    const spt_box box = {near_x, 0, 131008, far_y};
    const double now = (double)near_x * dy, end = (double)far_y * dx, t = (double)near_x / dx;
    const int meets = near_x <= dx && (enter ? now < end : now <= end);
    spt_motion m = {{0, 0, 0, 0}, 0, 0, 0};
    spt_hit hit = {0, 0, 0, 0, 0, 0};
    m.dx = dx, m.dy = dy, m.enter = enter;
    check(spt_box_cast(&m, &box, &hit) == meets, "cast", t, (double)far_y / dy);
    check(!meets || (hit.t >= t * (1 - 1e-7) && hit.t <= t * (1 + 1e-7)), "time", t, hit.t);
}

int main(void)
{
    int i, j, k, l;
    for (i = -HALVES + 1; i < HALVES; i++)
        for (j = 0; j < HALVES; j += i & 255 ? 256 : 1) below(half(i), half(j));
    for (i = 1024; i < HALVES; i += 768)
        for (j = 1024; j < HALVES; j += 768)
            for (k = 1024; k < HALVES; k += 768)
                for (l = 1024; l < HALVES; l += 768)
                    cast(half(i), half(j), half(k), half(l), l >> 8 & 1);
    printf("%ld checks of floats of 16 bits\n", checks);
    return failures > 0;
}
