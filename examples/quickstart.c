#include <stdio.h>
#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

int main(void)
{
    spt_box boxes[4] = {{0, 0, 2, 2}, {1, 1, 3, 3}, {5, 5, 6, 6}, {3, 0, 4, 1}};
    spt_box window = {3, 0, 5, 5};
    spt_linear_desc desc = {{0, 0, 100, 100}, 0, 0, 0, 0, {0, 0}}; /* the world; 0: defaults */
    spt_index world;
    spt_intlist pairs, found;
    const spt_i32 *ids;
    spt_i32 i, n;
    int frame;

    if (spt_linear_init(&world, &desc) != SPT_OK) return 1;
    spt_intlist_init(&pairs, 2); /* records of two integers */
    spt_intlist_init(&found, 1);
    for (i = 0; i < 4; i++) spt_insert(&world, i, &boxes[i]);
    for (frame = 1; frame <= 2; frame++) {
        boxes[2].min_x -= 2, boxes[2].max_x -= 2;
        spt_move(&world, 2, &boxes[2]);
        n = spt_pairs(&world, NULL, &pairs); /* replaces what the list held; touching counts */
        ids = spt_intlist_data(&pairs);
        for (i = 0; i < n; i++)
            printf("frame %d: pair %d %d\n", frame, (int)ids[2 * i], (int)ids[2 * i + 1]);
        n = spt_query(&world, &window, NULL, &found);
        ids = spt_intlist_data(&found);
        for (i = 0; i < n; i++) printf("frame %d: %d is in the window\n", frame, (int)ids[i]);
        spt_tidy(&world); /* once a frame */
    }
    spt_intlist_free(&found), spt_intlist_free(&pairs), spt_free(&world);
    return 0;
}
