/* One file of a program that uses the library: defines the function that the macro USER names.
   Compiled several times, as C89 and as C++98, and linked together with impl.c. With TWIN the file
   brings its own private copy of the library instead. */
#ifdef TWIN
#define SPATIAL_STATIC
#define SPATIAL_IMPLEMENTATION
#endif
#include "../../spatial.h"
#include "../../spatial.h" /* a second time: the guards must hold */
#include "users.h"

static const spt_box boxes[4] = {{0, 0, 2, 2}, {1, 1, 3, 3}, {5, 5, 6, 6}, {3, 0, 4, 1}};

static int count_pairs(void)
{
#ifdef SPATIAL_NO_BROADPHASE
    return 2;
#else
    spt_broadphase broadphase;
    spt_intlist out;
    spt_i32 pairs;

    if (spt_broadphase_init(&broadphase, NULL) != SPT_OK) return -1;
    if (spt_intlist_init(&out, 2) != SPT_OK) return -1;
    pairs = spt_broadphase_pairs(&broadphase, boxes, 4, NULL, &out);
    spt_intlist_free(&out);
    spt_broadphase_free(&broadphase);
    return (int)pairs;
#endif
}

static int count_in_window(void)
{
    static const spt_box window = {3, 0, 5, 5};
    spt_index world;
    spt_intlist out;
    spt_i32 found;
#ifdef SPATIAL_NO_LINEAR
    if (spt_packed_init(&world, NULL) != SPT_OK) return -1;
    if (spt_build(&world, boxes, 4) != SPT_OK) return -1;
#else
    static const spt_box bounds = {0, 0, 100, 100};
    static spt_linear_desc desc;
    spt_i32 i;

    desc.bounds = bounds;
    desc.levels = 3;
    desc.keep_bounds = 1;
    if (spt_linear_init(&world, &desc) != SPT_OK) return -1;
    for (i = 0; i < 4; i++)
        if (spt_insert(&world, i, &boxes[i]) != SPT_OK) return -1;
#endif
    if (spt_intlist_init(&out, 1) != SPT_OK) return -1;
    found = spt_query(&world, &window, NULL, &out);
    spt_intlist_free(&out);
    spt_free(&world);
    return (int)found;
}

int USER(void)
{
    return 10 * count_pairs() + count_in_window();
}
