/* The k-d tree of nanoflann 1, in float. It knows points only, so here are boxes of equal size
   only, by their centres; `open` refuses others.

   package: libnanoflann-dev; header: nanoflann.hpp; flags: none; link: none

   k-d tree: KDTreeSingleIndexAdaptor with two fixed dimensions and 20 points a leaf (its
     documentation says 10 to 50; 10 takes 8 % longer). It is built as a whole, and anew when boxes
     have moved. A radius search in a metric of our own is a search in a rectangle; with
     L2_Simple_Adaptor and a circle around the rectangle, frames take a tenth to a fifth longer.

   Pairs: a search for each box, of which the ids above its own are kept, after an exact test. They
   go in the order of the tree, as one search then finds in the cache what the one before has
   visited. */
#include "peer.h"

#include <nanoflann.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace
{

struct point {
    float xy[2];
};

point centre_of(const bench_box &box)
{
    return {{(box.min_x + box.max_x) * 0.5F, (box.min_y + box.max_y) * 0.5F}};
}

point size_of(const bench_box &box)
{
    return {{box.max_x - box.min_x, box.max_y - box.min_y}};
}

struct centres_of_boxes { /* what the library asks for points */
    std::vector<point> points;
    point reach; /* of the search that runs: how far it goes in x and in y */

    std::size_t kdtree_get_point_count() const
    {
        return points.size();
    }
    float kdtree_get_pt(std::size_t index, std::size_t axis) const
    {
        return points[index].xy[axis];
    }
    template <typename Bounds> bool kdtree_get_bbox(Bounds &) const
    {
        return false; /* it shall find out */
    }
};

/* A distance must be a sum over the axes. This one is the number of axes in which two points are
   out of reach of one another, so what is nearer than 1/2 is in the rectangle. */
struct rectangle_metric {
    using ElementType = float;
    using DistanceType = float;
    const centres_of_boxes &centres;

    explicit rectangle_metric(const centres_of_boxes &data) : centres(data)
    {
    }

    float accum_dist(float a, float b, std::size_t axis) const
    {
        return std::fabs(a - b) > centres.reach.xy[axis] ? 1.0F : 0.0F;
    }

    float evalMetric(const float *a, std::uint32_t index, std::size_t) const
    {
        const float *b = centres.points[index].xy;
        return accum_dist(a[0], b[0], 0) + accum_dist(a[1], b[1], 1);
    }
};

template <typename Use> struct results { /* what the library asks to be told the points found */
    const Use &use;

    bool addPoint(float, std::uint32_t index) const
    {
        use(static_cast<int>(index));
        return true;
    }
    float worstDist() const
    {
        return 0.5F;
    }
    bool full() const
    {
        return true;
    }
};

class kd_tree : public peer::structure
{
    using index = nanoflann::KDTreeSingleIndexAdaptor<rectangle_metric, centres_of_boxes, 2>;

    enum { POINTS_A_LEAF = 20 };
    centres_of_boxes centres{};
    index tree;
    point largest{}; /* sizes of boxes, which rounding makes a little unequal */

    template <typename Use> void query(const bench_box &box, const Use &use)
    {
        const point centre = centre_of(box), size = size_of(box);
        for (std::size_t axis = 0; axis < 2; axis++) {
            const float half = (size.xy[axis] + largest.xy[axis]) * 0.5F;
            const float rounding = (std::fabs(centre.xy[axis]) + half) * 1e-6F;
            centres.reach.xy[axis] = half + rounding;
        }
        results<Use> found = {use};
        tree.findNeighbors(found, centre.xy, nanoflann::SearchParams());
    }

  public:
    kd_tree() : tree(2, centres, nanoflann::KDTreeSingleIndexAdaptorParams(POINTS_A_LEAF))
    {
    }

    void insert(const bench_box *boxes, int n) override
    {
        centres.points.clear();
        largest = {};
        for (int i = 0; i < n; i++) {
            const point size = size_of(boxes[i]);
            centres.points.push_back(centre_of(boxes[i]));
            for (std::size_t axis = 0; axis < 2; axis++)
                largest.xy[axis] = std::max(largest.xy[axis], size.xy[axis]);
        }
        tree.buildIndex();
    }

    void move(const bench_box *boxes, int n, const int *, int) override
    {
        insert(boxes, n);
    }

    void find_pairs(const bench_box *boxes, int) override
    {
        for (const std::uint32_t point : tree.vAcc) {
            const int own = static_cast<int>(point);
            query(boxes[own], [this, boxes, own](int id) {
                if (id > own && overlap(&boxes[own], &boxes[id])) found_pair(&found_items, own, id);
            });
        }
    }

    void find_window(const bench_box *boxes, const bench_box &window) override
    {
        query(window, [this, boxes, &window](int id) {
            if (overlap(&window, &boxes[id])) found_id(&found_items, id);
        });
    }
};

bool equal_sizes(const bench_box *boxes, int n) /* but for rounding */
{
    const float tolerance = 1.1F;
    point least = size_of(boxes[0]), most = least;
    for (int i = 1; i < n; i++) {
        const point size = size_of(boxes[i]);
        for (std::size_t axis = 0; axis < 2; axis++) {
            least.xy[axis] = std::min(least.xy[axis], size.xy[axis]);
            most.xy[axis] = std::max(most.xy[axis], size.xy[axis]);
        }
    }
    return most.xy[0] <= least.xy[0] * tolerance && most.xy[1] <= least.xy[1] * tolerance;
}

void *open(const char *, const bench_box *, const bench_box *boxes, int n)
{
    return equal_sizes(boxes, n) ? peer::make<kd_tree>() : nullptr;
}

const char *const structures[] = {"k-d tree", nullptr};

const std::string library = peer::version(
    "nanoflann", {NANOFLANN_VERSION >> 8, NANOFLANN_VERSION >> 4 & 15, NANOFLANN_VERSION & 15});

} // namespace

extern "C" {
extern const subject nanoflann_peer;
const subject nanoflann_peer = {library.c_str(), structures,   open,       peer::close,
                                peer::insert,    peer::move,   nullptr,    nullptr,
                                peer::pairs,     peer::window, peer::found};
}
