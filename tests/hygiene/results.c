/* A program that reads results only where a return value says that there are some. With
   SPATIAL_STATIC a compiler may see into the functions that set them. */
#define SPATIAL_STATIC
#define SPATIAL_IMPLEMENTATION
#include "../../spatial.h"

int main(int argc, char **argv)
{
    const spt_motion motion = {{5, 5, 6, 6}, -10, -10, 0};
    const spt_box box = {0, 0, 1, 1};
    spt_box end;
    spt_hit hit, seen, stops[2];
    spt_index world;
    spt_layer layers[2];
    double sum = argc;
    (void)argv;
    layers[0].index = layers[1].index = &world, layers[0].filter = layers[1].filter = NULL;
    if (spt_linear_init(&world, NULL) || spt_insert(&world, 1, &box)) return 1;
    if (spt_box_cast(&motion, &box, &hit) > 0) sum += (double)hit.t + (double)hit.nx;
    if (spt_box_intersection(&motion.box, &box, &end) > 0) sum += (double)end.min_x;
    if (spt_cast(&world, &motion, NULL, &seen) > 0) sum += (double)seen.t + (double)seen.id;
    if (spt_cast_among(layers, argc, &motion, &hit) > 0 && hit.layer == 1) sum += (double)hit.id;
    if (spt_slide(layers, 2, &motion, &end, stops) >= 0) sum += (double)end.max_y;
#ifndef SPATIAL_INT
    {
        const spt_coord point[2] = {5, 5};
        const spt_coord skin = (spt_coord)0.01;
        spt_coord x, y;
        spt_shape shape;
        spt_shape_hit met, ways[SPT_SHAPE_HITS];
        layers[0].shape = layers[1].shape = NULL;
        shape.points = point, shape.count = 1, shape.radius = 1;
        if (spt_shape_box(&shape, &end) == SPT_OK) sum += (double)end.min_x;
        if (spt_shape_cast(layers, 2, &shape, -10, -10, 0, &met) > 0)
            sum += (double)met.t + (double)met.layer + (double)met.nx;
        if (spt_shape_slide(layers, 2, &shape, -10, -10, skin, &x, &y, ways) > 0)
            sum += (double)x + (double)y + (double)ways[0].id;
    }
#endif
    spt_free(&world);
    return sum > 1e9;
}
