/* game - frames of a game: walls that stand still, a player who slides along them, enemies, shots

   Look at the two indexes: `map` is built once and then only asked; boxes come, go and move in
   `world`. README.md has this program, too, and what it prints: who begins to touch whom, whom a
   shot hits if no wall is before it, when a door stops the player, and whom an explosion meets.

   Build: cc -O2 -I. -o game examples/game.c */

#include <stdio.h>
#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

enum { PLAYER = 1, ENEMY = 2, DOOR = 4 };

int main(void)
{
    spt_box walls[2] = {{0, 0, 20, 1}, {12, 1, 13, 5}};
    spt_box boxes[4] = {
        {1, 1, 2, 3}, {5, 1, 6, 3}, {16, 1, 17, 3}, {10, 1, 11, 4}};
    spt_u32 category[4] = {PLAYER, ENEMY, ENEMY, DOOR}; /* of the boxes */
    spt_filter enemies = {0}, doors = {0};
    spt_motion walk = {{0, 0, 0, 0}, 2.5f, -1, 0}; /* by dx, dy */
    spt_motion shot = {{0, 2, 0, 2}, 18, 0, 0};
    spt_index map, world;
    spt_layer solid[2] = {0}, seen[2] = {0}; /* obstacles; targets */
    spt_contacts contacts;
    spt_intlist pairs, began, ids;
    spt_hit stops[2], hit;
    int frame, i, sides;

    enemies.categories = doors.categories = category;
    enemies.mask = ENEMY, doors.mask = DOOR;
    solid[0].index = seen[0].index = &map;
    solid[1].index = seen[1].index = &world;
    solid[1].filter = &doors, seen[1].filter = &enemies;
    if (spt_packed_init(&map, NULL) || spt_build(&map, walls, 2)) return 1;
    if (spt_linear_init(&world, NULL) || spt_build(&world, boxes, 4)) return 1;
    spt_contacts_init(&contacts, NULL);
    spt_intlist_init(&pairs, 2), spt_intlist_init(&began, 2);
    spt_intlist_init(&ids, 1);
    for (frame = 1; frame <= 4; frame++) {
        walk.box = boxes[0];
        /* the end becomes the box: one made anew around its centre may be off */
        sides = spt_slide(solid, 2, &walk, &boxes[0], stops);
        for (i = 0; i < sides; i++)
            if (stops[i].layer == 1)
                printf("frame %d: a door stops the player\n", frame);
        spt_move(&world, 0, &boxes[0]);
        spt_tidy(&world); /* once a frame */
        spt_pairs(&world, NULL, &pairs);
        spt_contacts_update(&contacts, &pairs, &began, NULL);
        for (i = 0; i < spt_intlist_count(&began); i++)
            printf("frame %d: %d begins to touch %d\n", frame,
                   (int)spt_intlist_get(&began, i, 0),
                   (int)spt_intlist_get(&began, i, 1));
        shot.box.min_x = shot.box.max_x = boxes[0].max_x; /* no size: a ray */
        if (spt_cast_among(seen, 2, &shot, &hit) > 0 && hit.layer == 1)
            printf("frame %d: a shot hits %d\n", frame, (int)hit.id);
    }
    printf("within 3 of the player: %d\n",
           (int)spt_within(&world, &boxes[0], 3, &enemies, &ids));
    spt_intlist_free(&pairs), spt_intlist_free(&began), spt_intlist_free(&ids);
    spt_contacts_free(&contacts), spt_free(&world), spt_free(&map);
    return 0;
}
