/* test_package.c - is the package whole? A program that links finds one pair. */

#include "spatial.h"

int main(void)
{
    static const spt_box boxes[2] = {{0, 0, 2, 2}, {1, 1, 3, 3}};
    spt_index world;
    int status = spt_linear_init(&world, NULL) || spt_build(&world, boxes, 2);

    status = status || spt_pairs(&world, NULL, NULL) != 1;
    spt_free(&world);
    return status;
}
