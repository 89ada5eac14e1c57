/* The k-d tree of nanoflann 1, in float. It knows points only, so here are boxes of equal size
   only, by their centres; `open` refuses others.

   package: libnanoflann-dev; header: nanoflann.hpp; flags: none; link: none

   k-d tree: KDTreeSingleIndexAdaptor with two fixed dimensions and 20 points a leaf (its
     documentation says 10 to 50; 10 takes 8 % longer). It is built as a whole, and anew when boxes
     have moved. A radius search in a metric of our own is a search in a rectangle; with
     L2_Simple_Adaptor and a circle around the rectangle, frames take a tenth to a fifth longer.
   k-d tree of points: the same with L2_Simple_Adaptor and 10 points a leaf, its default, for boxes
     of no size, of which it finds the nearest and all within a circle: by a radius search a
     little further than asked for, after which each found point is tested.

   Pairs: a search for each box, of which the ids above its own are kept, after an exact test. They
   go in the order of the tree, as one search then finds in the cache what the one before has
   visited.
   Neighbours: a tree of all points, and a search for each of them, whose results are not sorted. */
#include "peer.h"

#include <nanoflann.hpp>

#include <algorithm>
#include <utility>
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

struct cloud { /* the interface to points that the library asks for */
    std::vector<point> points;
    point reach; /* of the search in a rectangle: how far it goes in x and in y */

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
    const cloud &centres;

    explicit rectangle_metric(const cloud &data) : centres(data)
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

using circle_metric = nanoflann::L2_Simple_Adaptor<float, cloud>;

template <typename Use> struct results { /* what the library asks to be told the points found */
    const Use &use;
    float worst; /* distance within which they count */

    bool addPoint(float, std::uint32_t index) const
    {
        use(static_cast<int>(index));
        return true;
    }
    float worstDist() const
    {
        return worst;
    }
    bool full() const
    {
        return true;
    }
};

template <typename Metric> class kd_tree : public peer::structure
{
  protected:
    cloud centres{};
    nanoflann::KDTreeSingleIndexAdaptor<Metric, cloud, 2> tree;
    point largest{}; /* sizes of boxes, which rounding makes a little unequal */

    template <typename Use> void search(const point &place, float worst, const Use &use) const
    {
        results<Use> found_points = {use, worst};
        tree.findNeighbors(found_points, place.xy, nanoflann::SearchParams());
    }

  public:
    explicit kd_tree(std::size_t points_a_leaf)
        : tree(2, centres, nanoflann::KDTreeSingleIndexAdaptorParams(points_a_leaf))
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
};

class tree_of_boxes : public kd_tree<rectangle_metric>
{
    template <typename Use> void query(const bench_box &box, const Use &use)
    {
        const point centre = centre_of(box), size = size_of(box);
        for (std::size_t axis = 0; axis < 2; axis++) {
            const float half = (size.xy[axis] + largest.xy[axis]) * 0.5F;
            const float rounding = (std::fabs(centre.xy[axis]) + half) * 1e-6F;
            centres.reach.xy[axis] = half + rounding;
        }
        search(centre, 0.5F, use);
    }

  public:
    tree_of_boxes() : kd_tree(20)
    {
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

    bool ask(const bench_box *boxes, const question &q) override
    {
        if (q.of != WINDOW) return false;
        query(q.motion.box, [this, boxes, &q](int id) {
            if (overlap(&q.motion.box, &boxes[id])) found(id);
        });
        return true;
    }
};

class tree_of_points : public kd_tree<circle_metric>
{
    std::vector<std::uint32_t> ids;
    std::vector<float> squares;

  public:
    tree_of_points() : kd_tree(10)
    {
    }

    bool ask(const bench_box *boxes, const question &q) override
    {
        const point place = {{q.motion.box.min_x, q.motion.box.min_y}};
        if (q.of == WITHIN) {
            search(place, q.distance * q.distance * 1.00001F, [this, boxes, &q](int id) {
                if (is_within(&q.motion.box, &boxes[id], q.distance)) found(id);
            });
        } else if (q.of == NEAREST) {
            const std::size_t most = static_cast<std::size_t>(q.k);
            ids.resize(most);
            squares.resize(most);
            const std::size_t count = tree.knnSearch(place.xy, most, ids.data(), squares.data());
            for (std::size_t i = 0; i < count; i++) found(static_cast<int>(ids[i]));
        } else {
            return false;
        }
        return true;
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

void *open(const char *structure, const bench_box *, const bench_box *boxes, int n)
{
    const point size = size_of(boxes[0]);
    if (!equal_sizes(boxes, n)) return nullptr;
    if (peer::same(structure, "k-d tree")) return peer::make<tree_of_boxes>();
    return size.xy[0] > 0 || size.xy[1] > 0 ? nullptr : peer::make<tree_of_points>();
}

long neighbours(const float *points, int n, float radius, int *rows, int *ids)
{
    cloud all{};
    for (int i = 0; i < n; i++) all.points.push_back({{points[2 * i], points[2 * i + 1]}});
    const nanoflann::KDTreeSingleIndexAdaptor<circle_metric, cloud, 2> tree(
        2, all, nanoflann::KDTreeSingleIndexAdaptorParams(10));
    std::vector<std::pair<std::uint32_t, float>> found;
    nanoflann::SearchParams params;
    params.sorted = false;
    int total = 0;
    for (int i = 0; i < n; i++) {
        tree.radiusSearch(points + 2 * i, radius * radius * 1.000001F, found, params);
        rows[2 * i] = total;
        for (const auto &one : found) {
            ids[total] = static_cast<int>(one.first);
            total += ids[total] != i;
        }
        rows[2 * i + 1] = total - rows[2 * i];
    }
    return total;
}

const char *const structures[] = {"k-d tree", "k-d tree of points", nullptr};

const std::string library = peer::version(
    "nanoflann", {NANOFLANN_VERSION >> 8, NANOFLANN_VERSION >> 4 & 15, NANOFLANN_VERSION & 15});

subject table()
{
    subject all = peer::table(library.c_str(), structures, open);
    all.remove = nullptr;
    all.neighbours = neighbours;
    return all;
}

} // namespace

extern "C" {
extern const subject nanoflann_peer;
const subject nanoflann_peer = table();
}
