#include <stdio.h>
#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

int main(void)
{
    spt_box boxes[4] = {{0, 0, 2, 2}, {1, 1, 3, 3}, {5, 5, 6, 6}, {3, 0, 4, 1}};
    spt_box window = {3, 0, 5, 5};
    spt_linear_desc desc = {{0, 0, 100, 100}, 0, 0, 0, {0, 0}}; /* the world; 0: defaults */
    spt_linear world;
    spt_intlist pairs, found;
    spt_i32 i, n;

    if (spt_linear_init(&world, &desc) != SPT_OK) return 1;
    spt_intlist_init(&pairs, 2); /* records of two integers */
    spt_intlist_init(&found, 1);
    for (i = 0; i < 4; i++) spt_linear_insert(&world, i, &boxes[i]);
    n = spt_linear_pairs(&world, &pairs); /* boxes that touch overlap */
    for (i = 0; i < n; i++)
        printf("pair %d %d\n", (int)spt_intlist_get(&pairs, i, 0),
               (int)spt_intlist_get(&pairs, i, 1));
    n = spt_linear_query(&world, &window, &found);
    for (i = 0; i < n; i++) printf("in the window: %d\n", (int)spt_intlist_get(&found, i, 0));
    spt_intlist_free(&found), spt_intlist_free(&pairs), spt_linear_free(&world);
    return 0;
}
