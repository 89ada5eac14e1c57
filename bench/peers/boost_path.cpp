/* The packed R-tree of Boost.Geometry with 8 entries a node, for questions alone. It finds the
   nearest of 1,000,000 boxes in three quarters of the time that it takes with 16, and windows in a
   little more; and first hits of rays by its `path` predicate, which goes through the tree along a
   segment, near first. That is experimental and not documented.

   package: libboost-dev; header: boost/geometry/index/rtree.hpp; flags: none; link: none

   The macro that lets `path` in lets in more, of which Boost 1.74 lacks declarations: two classes
   are declared here, and the header of its serialization is kept out. Where another version does
   not take that, boost.cpp measures without it. Everything else is as there. */
#define BOOST_GEOMETRY_INDEX_DETAIL_EXPERIMENTAL
#define BOOST_GEOMETRY_INDEX_DETAIL_SERIALIZATION_HPP
#define WITH_PATH

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

#include "boost.cpp"

namespace
{

void *open_of_8(const char *, const bench_box *, const bench_box *, int)
{
    return peer::make<packed>();
}

const char *const structures_of_8[] = {"packed R-tree of 8", nullptr};

subject table_of_8()
{
    subject all = peer::table(library.c_str(), structures_of_8, open_of_8);
    all.pairs = nullptr;
    return all;
}

} // namespace

extern "C" {
extern const subject boost_path_peer;
const subject boost_path_peer = table_of_8();
}
