#include <stdio.h>
#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

int main(void)
{
    /* rectangles along the axes (AABBs): min_x, min_y, max_x, max_y */
    spt_box boxes[3] = {{10, 10, 14, 14}, {24, 10, 28, 14}, {20, 8, 22, 16}};
    spt_coord speed[3] = {4, -4, 0};
    spt_index world;
    spt_intlist pairs;
    spt_i32 i, n, frame;

    if (spt_linear_init(&world, NULL) != SPT_OK) return 1; /* NULL: all defaults */
    spt_intlist_init(&pairs, 2); /* records of two integers */
    for (i = 0; i < 3; i++) spt_insert(&world, i, &boxes[i]);
    for (frame = 1; frame <= 3; frame++) {
        for (i = 0; i < 3; i++) {
            boxes[i].min_x += speed[i], boxes[i].max_x += speed[i];
            spt_move(&world, i, &boxes[i]);
        }
        spt_tidy(&world);                    /* once a frame */
        n = spt_pairs(&world, NULL, &pairs); /* replaces what the list held; touching counts */
        for (i = 0; i < n; i++) {
            const spt_i32 *ids = spt_intlist_data(&pairs) + 2 * i;
            printf("frame %d: %d hits %d\n", (int)frame, (int)ids[0], (int)ids[1]);
        }
    }
    spt_intlist_free(&pairs), spt_free(&world);
    return 0;
}
