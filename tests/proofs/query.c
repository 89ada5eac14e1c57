/* Questions about an image of COUNT boxes, one leaf, whose boxes and ids are any bytes: the boxes
   that overlap a window are found, and nothing outside of the image is read. */
#define SPATIAL_NO_LINEAR /* for a small struct */
#define SPATIAL_NO_QUADTREE
#define SPATIAL_NO_LOOSEGRID
#define SPATIAL_NO_BROADPHASE
#define __ARM_ARCH_PROFILE 77 /* a microcontroller: nothing is prefetched, no runs kept */
#include "proofs.h"

static struct {
    spt_u32 head[SPTI_PACK_HEAD];
    spti_eight boxes[SPTI_PACK_EIGHTS];
    spt_i32 ids[COUNT];
} image;

static spt_index map;

/* Makes an index over the image. Its fields get the values again that they are proven to have, as
   constants: CBMC forgets them when the struct is zeroed byte by byte, and would walk down a tree
   of any depth. */
static void view(void)
{
    static spt_index seen;
    spti_packed p = {0};
    __CPROVER_havoc_object(&image);
    spti_pack_head(COUNT, image.head);
    PROVE(spt_packed_view(&seen, &image, sizeof image) == SPT_OK);
    (void)spti_pack_layout(&p, (unsigned char *)&image, COUNT);
    PROVE(seen.kind == &spti_packed_kind && seen.count == COUNT && !seen.nodes);
    PROVE(seen.as.packed.nodes == p.nodes && seen.as.packed.ids == p.ids);
    PROVE(seen.as.packed.first[0] == 0 && seen.as.packed.root == 0 && p.root == 0);
    map.kind = &spti_packed_kind, map.count = COUNT, map.bounds = seen.bounds, map.as.packed = p;
}

/* Any window, also one that is not valid. */
void proof_query(void)
{
    const spt_box window = nondet_box();
    const int valid = spt_box_valid(&window);
    spt_box box;
    int i, found = 0;
    view();
    for (i = 0; i < COUNT; i++) {
        spti_eight_box(image.boxes, i, &box);
        found += spt_box_overlap(&box, &window);
    }
    PROVE(spt_query(&map, &window, NULL, NULL) == (valid ? found : SPT_ERR_BOX));
    PROVE(spt_any(&map, &window, NULL) == (valid ? found > 0 : SPT_ERR_BOX));
}
