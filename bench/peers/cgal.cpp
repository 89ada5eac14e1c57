/* The box intersection of CGAL (streamed segment trees, Zomorodian and Edelsbrunner 2002). It keeps
   nothing between calls, so it has pairs only. In float, exact, with closed boxes.

   package: libcgal-dev; header: CGAL/box_intersection_d.h; flags: none; link: none

   Box intersection: the boxes are copied for each call, as it puts them in another order, and are
     passed by value, which is 5 % faster than pointers to them. Below `cutoff` boxes it sweeps
     instead of dividing them. Its default is 10, but the documentation says to tune it: three times
     the square root of their number is about the best for 1,000 to 1,000,000 boxes of every kind,
     and for 100,000 it is two to three times as fast as 10. */
#include "peer.h"

#include <CGAL/box_intersection_d.h>
#include <CGAL/version.h>

#include <cmath>
#include <cstddef>
#include <vector>

namespace
{

/* A model of the library's concept of a box; it is passed by value and put in another order. */
class box_with_id
{
    float min[2], max[2];
    int index;

  public:
    using NT = float;
    using ID = int;

    box_with_id(const bench_box &box, int id)
        : min{box.min_x, box.min_y}, max{box.max_x, box.max_y}, index(id)
    {
    }

    static int dimension()
    {
        return 2;
    }
    int id() const
    {
        return index;
    }
    float min_coord(int axis) const
    {
        return min[axis];
    }
    float max_coord(int axis) const
    {
        return max[axis];
    }
};

class box_intersection : public peer::structure
{
    std::vector<box_with_id> copies;

  public:
    void insert(const bench_box *, int) override
    {
    }

    void move(const bench_box *, int, const int *, int) override
    {
    }

    void find_pairs(const bench_box *boxes, int n) override
    {
        copies.clear();
        for (int i = 0; i < n; i++) copies.emplace_back(boxes[i], i);
        const std::ptrdiff_t cutoff = static_cast<std::ptrdiff_t>(3 * std::sqrt(n)) + 1;
        CGAL::box_self_intersection_d(
            copies.begin(), copies.end(),
            [this](const box_with_id &a, const box_with_id &b) {
                found_pair(&found_items, a.id(), b.id());
            },
            cutoff, CGAL::Box_intersection_d::CLOSED);
    }
};

void *open(const char *, const bench_box *, const bench_box *, int)
{
    return peer::make<box_intersection>();
}

const char *const structures[] = {"box intersection", nullptr};

} // namespace

extern "C" {
extern const subject cgal_peer;
const subject cgal_peer = {"CGAL " CGAL_VERSION_STR,
                           structures,
                           open,
                           peer::close,
                           peer::insert,
                           peer::move,
                           nullptr,
                           nullptr,
                           peer::pairs,
                           nullptr,
                           peer::found};
}
