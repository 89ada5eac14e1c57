/* The R-tree of Boost.Geometry with 8 entries a node, which finds the nearest of 1,000,000 boxes in
   three quarters of the time that it takes with 16, and windows in a little more; and first hits of
   rays by its `path` predicate, which goes through the tree along a segment, near first. That is
   experimental and not documented.

   package: libboost-dev; header: boost/geometry/index/rtree.hpp; flags: none; link: none

   The macro that lets `path` in lets in more, of which Boost 1.74 lacks declarations: those of two
   classes are here, and the header of its serialization is kept out. Where another version does not
   take that, boost.cpp measures without it. Everything else is as there. */
#define BOOST_GEOMETRY_INDEX_DETAIL_EXPERIMENTAL
#define BOOST_GEOMETRY_INDEX_DETAIL_SERIALIZATION_HPP
#define SPLIT bgi::linear<8> /* another type than that of boost.cpp, which has no such macros */

namespace boost
{
namespace geometry
{
namespace index
{
namespace detail
{
namespace rtree
{
template <typename Rtree> class private_view;
template <typename Rtree> class const_private_view;
} // namespace rtree
} // namespace detail
} // namespace index
} // namespace geometry
} // namespace boost

#include "boost.h"

namespace
{

class packed_path : public packed
{
  public:
    packed_path(const bench_box *boxes, int n) : packed(boxes, n)
    {
    }

    void find_first(const bench_motion &motion) override
    {
        if (is_ray(&motion))
            query(bgi::path(segment_of(motion), 1), [this](const entry &e) { found(e.second); });
        else
            packed::find_first(motion);
    }
};

void *open(const char *, const bench_box *, const bench_box *boxes, int n)
{
    return asker::open<packed_path>(boxes, n);
}

const char *const structures[] = {"packed R-tree of 8", nullptr};

} // namespace

extern "C" {
extern const asked boost_path_asked;
const asked boost_path_asked = {library.c_str(), structures, open,          asker::close,
                                asker::window,   nullptr,    asker::within, asker::nearest,
                                asker::first,    asker::all, asker::found};
}
