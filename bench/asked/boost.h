/* The R-tree of Boost.Geometry in float, for boost.cpp and boost_path.cpp. */
#ifndef ASKED_BOOST_H
#define ASKED_BOOST_H

#include "asker.h"

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

#ifndef SPLIT
#define SPLIT bgi::rstar<16>
#endif
using rtree = bgi::rtree<entry, SPLIT>; /* when it packs, only the entries a node matter */

rect rect_of(const bench_box &box)
{
    return rect(point(box.min_x, box.min_y), point(box.max_x, box.max_y));
}

bench_box box_of(const rect &r)
{
    return {r.min_corner().get<0>(), r.min_corner().get<1>(), r.max_corner().get<0>(),
            r.max_corner().get<1>()};
}

segment segment_of(const bench_motion &ray)
{
    const float x = ray.box.min_x, y = ray.box.min_y;
    return segment(point(x, y), point(x + ray.dx, y + ray.dy));
}

rtree packed_of(const bench_box *boxes, int n)
{
    std::vector<entry> entries;
    for (int i = 0; i < n; i++) entries.emplace_back(rect_of(boxes[i]), i);
    return rtree(entries.begin(), entries.end());
}

class packed : public asker::structure
{
    const rtree tree;

  protected:
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

  public:
    packed(const bench_box *boxes, int n) : tree(packed_of(boxes, n))
    {
    }

    void find_window(const bench_box &window) override
    {
        query(bgi::intersects(rect_of(window)), [this](const entry &e) { found(e.second); });
    }

    void find_within(const bench_box &from, float distance) override
    {
        query(bgi::intersects(rect_of(reach_of(&from, distance))),
              [this, &from, distance](const entry &e) {
                  const bench_box box = box_of(e.first);
                  if (is_within(&from, &box, distance)) found(e.second);
              });
    }

    void find_nearest(const bench_box &from, int k) override
    {
        query(bgi::nearest(point(from.min_x, from.min_y), static_cast<unsigned>(k)),
              [this](const entry &e) { found(e.second); });
    }

    void find_first(const bench_motion &motion) override
    {
        asker::first_hit first = {motion};
        near_way(motion, [&first](const entry &e) { first.offer(e.second, box_of(e.first)); });
        if (first.id >= 0) found(first.id);
    }

    void find_all(const bench_motion &motion) override
    {
        near_way(motion, [this, &motion](const entry &e) {
            const bench_box box = box_of(e.first);
            float t;
            if (meets(&motion, &box, &t)) found(e.second);
        });
    }
};

const std::string library =
    peer::version("Boost", {BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000});

} // namespace

#endif
