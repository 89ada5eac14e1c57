/* The box intersection of CGAL (streamed segment trees, Zomorodian and Edelsbrunner 2002). It keeps
   nothing between calls, so it has pairs only, of one set or between two. In float, exact, with
   closed boxes.

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
    std::vector<box_with_id> copies, others;
    int n = 0;

    static std::ptrdiff_t cutoff(int boxes)
    {
        return static_cast<std::ptrdiff_t>(3 * std::sqrt(boxes)) + 1;
    }

    static void copy(std::vector<box_with_id> &into, const bench_box *boxes, int count, int id = 0)
    {
        into.clear();
        for (int i = 0; i < count; i++) into.emplace_back(boxes[i], id + i);
    }

  public:
    void insert(const bench_box *, int count) override
    {
        n = count;
    }

    void find_pairs(const bench_box *boxes, int) override
    {
        copy(copies, boxes, n);
        CGAL::box_self_intersection_d(
            copies.begin(), copies.end(),
            [this](const box_with_id &a, const box_with_id &b) {
                found_pair(&found_items, a.id(), b.id());
            },
            cutoff(n), CGAL::Box_intersection_d::CLOSED);
    }

    bool ask(const bench_box *boxes, const question &q) override
    {
        if (q.of != WINDOWS) return false;
        copy(copies, q.windows, q.count);
        copy(others, boxes, n, q.count); /* ids of their own: pairs of the same id are not told */
        CGAL::box_intersection_d(
            copies.begin(), copies.end(), others.begin(), others.end(),
            [this, &q](const box_with_id &a, const box_with_id &b) {
                found(a.id());
                found(b.id() - q.count);
            },
            cutoff(n), CGAL::Box_intersection_d::CLOSED);
        return true;
    }
};

void *open(const char *, const bench_box *, const bench_box *, int)
{
    return peer::make<box_intersection>();
}

const char *const structures[] = {"box intersection", nullptr};

subject table()
{
    subject all = peer::table("CGAL " CGAL_VERSION_STR, structures, open);
    all.remove = nullptr;
    return all;
}

} // namespace

extern "C" {
extern const subject cgal_peer;
const subject cgal_peer = table();
}
