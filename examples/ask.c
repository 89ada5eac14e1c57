#include <stdio.h>
#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

int main(void)
{
    spt_box walls[4] = {{2, 0, 3, 6}, {8, 4, 9, 9}, {5, 7, 6, 8}, {7, 0, 9, 1}};
    spt_motion ray = {{0, 5, 0, 5}, 10, 0, 0}; /* a point at (0, 5) that goes by (10, 0) */
    spt_box place = {6, 5, 6, 5}, screen = {0, 0, 6, 6}; /* the first is a point */
    spt_index map;
    spt_intlist found;
    spt_hit hit;
    int i, n;

    if (spt_packed_init(&map, NULL) != SPT_OK || spt_build(&map, walls, 4) != SPT_OK) return 1;
    spt_intlist_init(&found, 1);
    if (spt_cast(&map, &ray, NULL, &hit) == 1) /* hit.t: the part of the way, 0 to 1 */
        printf("the ray hits %d at x = %g\n", (int)hit.id, (double)(hit.t * ray.dx));
    n = (int)spt_nearest(&map, &place, 2, SPT_NO_LIMIT, NULL, &found);
    for (i = 0; i < n; i++) printf("near: %d\n", (int)spt_intlist_data(&found)[i]);
    printf("in a circle: %d\n", (int)spt_within(&map, &place, 2, NULL, &found));
    printf("on the screen: %d\n", (int)spt_query(&map, &screen, NULL, &found));
    spt_intlist_free(&found), spt_free(&map);
    return 0;
}
