/* ask - a ray, the nearest wall and a circle in a map of walls that stand still

   Look at the questions: each is one call. README.md has this program, too, and what it prints:
   where the ray stops, which wall is nearest to a place, and how many are within 2 of it.

   Build: cc -O2 -I. -o ask examples/ask.c */

#include <stdio.h>
#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

int main(void)
{
    spt_box walls[4] = {{2, 0, 3, 6}, {8, 4, 9, 9}, {5, 7, 6, 8}, {7, 0, 9, 1}};
    spt_motion ray = {{0, 5, 0, 5}, 10, 0, 0}; /* a point at (0, 5) that moves by (10, 0) */
    spt_box place = {6, 5, 6, 5}; /* a point */
    spt_index map;
    spt_intlist found;
    spt_hit hit;

    if (spt_packed_init(&map, NULL) != SPT_OK || spt_build(&map, walls, 4) != SPT_OK) return 1;
    spt_intlist_init(&found, 1);
    if (spt_cast(&map, &ray, NULL, &hit) == 1) /* hit.t: the part of the way, 0 to 1 */
        printf("the ray hits %d at x = %g\n", (int)hit.id, (double)(hit.t * ray.dx));
    if (spt_nearest(&map, &place, 1, SPT_NO_LIMIT, NULL, &found) == 1) /* 1: the nearest only */
        printf("the nearest is %d\n", (int)spt_intlist_data(&found)[0]);
    printf("in a circle: %d\n", (int)spt_within(&map, &place, 2, NULL, &found));
    spt_intlist_free(&found), spt_free(&map);
    return 0;
}
