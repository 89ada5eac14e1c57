/* The R-tree of Boost.Geometry, in float, asked about boxes that stand still.

   package: libboost-dev; header: boost/geometry/index/rtree.hpp; flags: none; link: none

   Packed R-tree: built as a whole by the constructor that packs, with 16 entries a node.

   Within: a query for the square around the circle, the distance of each found box tested.
   Rays: a query for the segment. What the library documents has no cast that stops at the first
     hit, so all that it meets are found, and the first of them is told; see boost_path.cpp.
   Box casts: a query for the box around the whole motion, each found one tested. */
#include "boost.h"

namespace
{

void *open(const char *, const bench_box *, const bench_box *boxes, int n)
{
    return asker::open<packed>(boxes, n);
}

const char *const structures[] = {"packed R-tree", nullptr};

} // namespace

extern "C" {
extern const asked boost_asked;
const asked boost_asked = {library.c_str(), structures, open,          asker::close,
                           asker::window,   nullptr,    asker::within, asker::nearest,
                           asker::first,    asker::all, asker::found};
}
