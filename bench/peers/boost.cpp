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
   visited; in the order of ids frames take a quarter longer.

   Within: a query for the square around the circle, the distance of each found box tested. Any: the
   first of a query that is iterated.
   Rays: a query for the segment. The documented library has no cast that stops at the first hit,
   so all boxes that it meets are found, and the first of them is told; see boost_path.cpp, which
   includes this file with WITH_PATH.
   Box casts: a query for the box around the whole motion, each found one tested. */
#include "peer.h"

#define BOOST_ALLOW_DEPRECATED_HEADERS /* the library includes some, and would tell of each */
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/geometries/segment.hpp>
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
using segment = bg::model::segment<point>;
using entry = std::pair<rect, int>;

#ifdef WITH_PATH
using rtree = bgi::rtree<entry, bgi::linear<8>>; /* another type: macros change the other one */
#else
using rtree = bgi::rtree<entry, bgi::quadratic<16>>;
#endif

rect rect_of(const bench_box &box)
{
    return rect(point(box.min_x, box.min_y), point(box.max_x, box.max_y));
}

segment segment_of(const bench_motion &ray)
{
    const float x = ray.box.min_x, y = ray.box.min_y;
    return segment(point(x, y), point(x + ray.dx, y + ray.dy));
}

class tree_of_boxes : public peer::structure
{
  protected:
    rtree tree;

    template <typename Predicate, typename Use>
    void query(const Predicate &predicate, const Use &use) const
    {
        tree.query(predicate, boost::make_function_output_iterator(use));
    }

  private:
    template <typename Use> void near_way(const bench_motion &motion, const Use &use) const
    {
        if (is_ray(&motion))
            query(bgi::intersects(segment_of(motion)), use);
        else
            query(bgi::intersects(rect_of(way_of(&motion))), use);
    }

    void find_any(const bench_box &box)
    {
        const auto first = tree.qbegin(bgi::intersects(rect_of(box)));
        if (first != tree.qend()) found(first->second);
    }

    void find_first(const bench_box *boxes, const bench_motion &motion)
    {
        peer::first_hit first = {motion};
#ifdef WITH_PATH
        if (is_ray(&motion)) {
            query(bgi::path(segment_of(motion), 1), [this](const entry &e) { found(e.second); });
            return;
        }
#endif
        near_way(motion, [&](const entry &e) { first.offer(e.second, boxes[e.second]); });
        if (first.id >= 0) found(first.id);
    }

    void find_all(const bench_box *boxes, const bench_motion &motion)
    {
        near_way(motion, [&](const entry &e) {
            float t;
            if (meets(&motion, &boxes[e.second], &t)) found(e.second);
        });
    }

  public:
    void remove(const bench_box *boxes, int n) override
    {
        for (int i = 0; i < n; i++) tree.remove(entry(rect_of(boxes[i]), i));
    }

    void find_pairs(const bench_box *, int) override
    {
        for (const entry &own : tree)
            query(bgi::intersects(own.first), [this, &own](const entry &other) {
                if (other.second > own.second) found_pair(&found_items, own.second, other.second);
            });
    }

    bool ask(const bench_box *boxes, const question &q) override
    {
        const bench_box &box = q.motion.box;
        const auto find = [this](const entry &e) { found(e.second); };
        switch (q.of) {
        case WINDOW:
            query(bgi::intersects(rect_of(box)), find);
            return true;
        case ANY:
            find_any(box);
            return true;
        case WITHIN:
            query(bgi::intersects(rect_of(reach_of(&box, q.distance))), [&](const entry &e) {
                if (is_within(&box, &boxes[e.second], q.distance)) found(e.second);
            });
            return true;
        case NEAREST:
            query(bgi::nearest(point(box.min_x, box.min_y), static_cast<unsigned>(q.k)), find);
            return true;
#ifdef WITH_PATH
        case VISIT:
#endif
        case FIRST:
            find_first(boxes, q.motion);
            return true;
        case ALL:
            find_all(boxes, q.motion);
            return true;
        default:
            return false;
        }
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
};

const std::string library =
    peer::version("Boost", {BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000});

#ifndef WITH_PATH
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

} // namespace

extern "C" {
extern const subject boost_peer;
const subject boost_peer = peer::table(library.c_str(), structures, open);
}
#else
} // namespace
#endif
