/* Images with any bytes: no function reads outside of them. */
#define SPATIAL_NO_LINEAR /* for a small struct */
#define SPATIAL_NO_QUADTREE
#define SPATIAL_NO_LOOSEGRID
#define SPATIAL_NO_BROADPHASE
#include "proofs.h"

static spt_u32 image[(64 + 512 + 4 * MOST) / 4]; /* of up to MOST boxes */
static spt_index map;

/* Makes an index over the last bytes of an image: CBMC sees a read beyond them. */
static int view(void)
{
    const int from = any_from(0, (int)(sizeof image / 4));
    __CPROVER_havoc_object(image);
    return spt_packed_view(&map, image + from, sizeof image - (size_t)from * 4);
}

/* Of so few bytes only images of 1 to MOST boxes are taken. */
void proof_view(void)
{
    const int error = view();
    PROVE(error == SPT_OK || error == SPT_ERR_IMAGE);
    PROVE(error != SPT_OK || (0 < map.count && map.count <= MOST));
}
