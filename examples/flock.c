/* flock - all neighbours of four birds, whose coordinates are fields of a struct

   Look at spt_neighbours_find: one call tells, for every bird, where the ids of all others within 5
   begin in a list, and how many they are. A line for each bird prints that and the mean speed.

   Build: cc -O2 -I. -o flock examples/flock.c */

#include <stdio.h>
#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

int main(void)
{
    struct { float x, y, speed; } birds[4] = {{0, 0, 9}, {3, 4, 7}, {9, 9, 8}, {4, 0, 5}};
    spt_neighbours nb;
    spt_intlist rows, ids; /* of each bird: where its neighbours begin in ids, and how many */
    spt_i32 i, k;

    spt_neighbours_init(&nb, NULL);
    spt_intlist_init(&rows, 2), spt_intlist_init(&ids, 1);
    if (spt_neighbours_find(&nb, &birds[0].x, &birds[0].y, sizeof birds[0], 4, 5, &rows, &ids) < 0)
        return 1;
    for (i = 0; i < 4; i++) {
        const spt_i32 *row = spt_intlist_data(&rows) + 2 * i, *id = spt_intlist_data(&ids) + row[0];
        float sum = birds[i].speed;
        for (k = 0; k < row[1]; k++) sum += birds[id[k]].speed;
        printf("bird %d: %d others within 5, mean speed %g\n", (int)i, (int)row[1],
               (double)(sum / (float)(row[1] + 1)));
    }
    spt_intlist_free(&ids), spt_intlist_free(&rows), spt_neighbours_free(&nb);
    return 0;
}

/* Prints:
bird 0: 2 others within 5, mean speed 7
bird 1: 2 others within 5, mean speed 7
bird 2: 0 others within 5, mean speed 8
bird 3: 2 others within 5, mean speed 7
*/
