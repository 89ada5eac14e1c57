/* The R-tree of Boost.Geometry, in float, as its boxes and queries are exact.

   package: libboost-dev; header: boost/geometry/index/rtree.hpp; flags: none; link: none

   Packed R-tree: built as a whole by the constructor that packs, and anew when boxes have moved.
   R-tree: boxes are inserted one by one; one that moves is removed and inserted again.

   Both split by quadratic<16>, as the examples of its documentation do. Of a packed tree that only
   sets the entries a node, and there 8, 16 and 32 differ by less than 10 %. In the other, with
   100,000 equal or long boxes, linear<16> inserts in half the time but its frames take a tenth or
   two longer; rstar<16> takes three times as long to insert and half as long again for a frame.

   Pairs: the library has no join, so a query for each box, of which the ids above its own are kept.
   They go in the order of the tree, as one query then finds in the cache what the one before has
   visited; in the order of ids frames take a quarter longer. */
#include "peer.h"

#define BOOST_ALLOW_DEPRECATED_HEADERS /* the library includes some, and would tell of each */
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>
#include <boost/version.hpp>

#include <utility>
#include <vector>

namespace
{

namespace bg = boost::geometry;
namespace bgi = boost::geometry::index;

using point = bg::model::point<float, 2, bg::cs::cartesian>;
using rect = bg::model::box<point>;
using entry = std::pair<rect, int>;

using rtree = bgi::rtree<entry, bgi::quadratic<16>>;

rect rect_of(const bench_box &box)
{
    return rect(point(box.min_x, box.min_y), point(box.max_x, box.max_y));
}

class tree_of_boxes : public peer::structure
{
  protected:
    rtree tree;

    template <typename Use> void query(const rect &searched, const Use &use) const
    {
        tree.query(bgi::intersects(searched), boost::make_function_output_iterator(use));
    }

  public:
    void remove(const bench_box *boxes, int n) override
    {
        for (int i = 0; i < n; i++) tree.remove(entry(rect_of(boxes[i]), i));
    }

    void find_pairs(const bench_box *, int) override
    {
        for (const entry &own : tree)
            query(own.first, [this, &own](const entry &other) {
                if (other.second > own.second) found_pair(&found_items, own.second, other.second);
            });
    }

    void find_window(const bench_box *, const bench_box &window) override
    {
        query(rect_of(window), [this](const entry &e) { found_id(&found_items, e.second); });
    }
};

class packed : public tree_of_boxes
{
    std::vector<entry> entries;

  public:
    void insert(const bench_box *boxes, int n) override
    {
        entries.clear();
        for (int i = 0; i < n; i++) entries.emplace_back(rect_of(boxes[i]), i);
        tree.clear(); /* first, so that the new one can use its memory */
        tree = rtree(entries.begin(), entries.end());
    }

    void move(const bench_box *boxes, int n, const int *, int) override
    {
        insert(boxes, n);
    }
};

class dynamic : public tree_of_boxes
{
    std::vector<rect> rects; /* as they are in the tree, which finds what to remove by them */

  public:
    void insert(const bench_box *boxes, int n) override
    {
        rects.clear();
        for (int i = 0; i < n; i++) {
            rects.push_back(rect_of(boxes[i]));
            tree.insert(entry(rects.back(), i));
        }
    }

    void move(const bench_box *boxes, int, const int *ids, int count) override
    {
        for (int i = 0; i < count; i++) {
            rect &old = rects[static_cast<std::size_t>(ids[i])];
            tree.remove(entry(old, ids[i]));
            old = rect_of(boxes[ids[i]]);
            tree.insert(entry(old, ids[i]));
        }
    }
};

void *open(const char *structure, const bench_box *, const bench_box *, int)
{
    return peer::same(structure, "packed R-tree") ? peer::make<packed>() : peer::make<dynamic>();
}

const char *const structures[] = {"packed R-tree", "R-tree", nullptr};

const std::string library =
    peer::version("Boost", {BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000});

} // namespace

extern "C" {
extern const subject boost_peer;
const subject boost_peer = peer::table(library.c_str(), structures, open);
}
