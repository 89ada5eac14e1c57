/* game - frames of a game: walls that stand still, a player who slides along them, enemies, shots

   Look at the two indexes: `map` is built once and then only asked; boxes come, go and move in
   `world`. README.md has this program, too, and what it prints: who begins to touch whom, whom a
   shot hits if no wall is before it, where a wall stops the player, and whom an explosion meets.

   Build: cc -O2 -I. -o game examples/game.c */

#include <stdio.h>
#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

enum { PLAYER = 1, ENEMY = 2 };

int main(void)
{
    spt_box walls[2] = {{0, 0, 20, 1}, {10, 1, 11, 5}};
    spt_box boxes[3] = {{1, 1, 2, 3}, {5, 1, 6, 3}, {14, 1, 15, 3}}; /* 0: the player */
    spt_u32 category[3] = {PLAYER, ENEMY, ENEMY};
    spt_filter enemies = {0};
    spt_motion walk = {{0, 0, 0, 0}, 2.5f, -1, 0}, shot = {{0, 2, 0, 2}, 18, 0, 0}; /* by dx, dy */
    spt_index map, world;
    spt_contacts contacts;
    spt_intlist pairs, began, ids;
    spt_hit wall, hit;
    int frame, i, sides;

    enemies.categories = category, enemies.mask = ENEMY;
    if (spt_packed_init(&map, NULL) || spt_build(&map, walls, 2)) return 1; /* an error */
    if (spt_linear_init(&world, NULL) || spt_build(&world, boxes, 3)) return 1;
    spt_contacts_init(&contacts, NULL);
    spt_intlist_init(&pairs, 2), spt_intlist_init(&began, 2), spt_intlist_init(&ids, 1);
    for (frame = 1; frame <= 4; frame++) {
        walk.box = boxes[0];
        sides = spt_slide(&map, &walk, NULL, &boxes[0], NULL); /* keep this box, not its centre */
        if (sides == 2) printf("frame %d: the floor and a wall stop the player\n", frame);
        spt_move(&world, 0, &boxes[0]);
        spt_tidy(&world); /* once a frame */
        spt_pairs(&world, NULL, &pairs);
        spt_contacts_update(&contacts, &pairs, &began, NULL);
        for (i = 0; i < spt_intlist_count(&began); i++)
            printf("frame %d: %d begins to touch %d\n", frame,
                   (int)spt_intlist_get(&began, i, 0), (int)spt_intlist_get(&began, i, 1));
        shot.box.min_x = shot.box.max_x = boxes[0].max_x; /* a box without size: a ray */
        if (spt_cast(&map, &shot, NULL, &wall) != 1) wall.t = 1; /* no wall: the whole way */
        if (spt_cast(&world, &shot, &enemies, &hit) == 1 && hit.t < wall.t)
            printf("frame %d: a shot hits %d\n", frame, (int)hit.id);
    }
    printf("within 3 of the player: %d\n", (int)spt_within(&world, &boxes[0], 3, &enemies, &ids));
    spt_intlist_free(&pairs), spt_intlist_free(&began), spt_intlist_free(&ids);
    spt_contacts_free(&contacts), spt_free(&world), spt_free(&map);
    return 0;
}
