/* The k-d tree of nanoflann 1, in float, asked about points that stand still. It knows nothing
   else: `open` refuses boxes of any size.

   package: libnanoflann-dev; header: nanoflann.hpp; flags: none; link: none

   k-d tree: KDTreeSingleIndexAdaptor with two fixed dimensions, L2_Simple_Adaptor and 10 points a
     leaf, which is its default.

   Within: a radius search, unsorted, a little further than asked for, each found point tested.
   Windows and casts: it cannot. */
#include "asker.h"

#include <nanoflann.hpp>

#include <cstdint>
#include <vector>

namespace
{

struct point {
    float xy[2];
};

struct corners_of_boxes { /* what the library asks for points */
    std::vector<point> points;

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

template <typename Use> struct results { /* what the library asks to be told the points found */
    const Use &use;
    float square; /* of the distance within which they count */

    bool addPoint(float, std::uint32_t index) const
    {
        use(static_cast<int>(index));
        return true;
    }
    float worstDist() const
    {
        return square;
    }
    bool full() const
    {
        return true;
    }
};

class kd_tree : public asker::structure
{
    using metric = nanoflann::L2_Simple_Adaptor<float, corners_of_boxes>;
    using index = nanoflann::KDTreeSingleIndexAdaptor<metric, corners_of_boxes, 2>;

    enum { POINTS_A_LEAF = 10 };
    corners_of_boxes corners;
    index tree;
    std::vector<std::uint32_t> ids;
    std::vector<float> squares;

  public:
    kd_tree(const bench_box *boxes, int n)
        : corners{}, tree(2, corners, nanoflann::KDTreeSingleIndexAdaptorParams(POINTS_A_LEAF))
    {
        for (int i = 0; i < n; i++) corners.points.push_back({{boxes[i].min_x, boxes[i].min_y}});
        tree.buildIndex();
    }

    void find_within(const bench_box &from, float distance) override
    {
        const float place[2] = {from.min_x, from.min_y};
        const auto test = [this, &from, distance](int id) {
            const point &p = corners.points[static_cast<std::size_t>(id)];
            const bench_box box = {p.xy[0], p.xy[1], p.xy[0], p.xy[1]};
            if (is_within(&from, &box, distance)) found(id);
        };
        results<decltype(test)> found_points = {test, distance * distance * 1.00001F};
        tree.findNeighbors(found_points, place, nanoflann::SearchParams());
    }

    void find_nearest(const bench_box &from, int k) override
    {
        const float place[2] = {from.min_x, from.min_y};
        const std::size_t most = static_cast<std::size_t>(k);
        if (ids.size() < most) {
            ids.resize(most);
            squares.resize(most);
        }
        const std::size_t count = tree.knnSearch(place, most, ids.data(), squares.data());
        for (std::size_t i = 0; i < count; i++) found(static_cast<int>(ids[i]));
    }
};

void *open(const char *, const bench_box *, const bench_box *boxes, int n)
{
    for (int i = 0; i < n; i++)
        if (boxes[i].min_x < boxes[i].max_x || boxes[i].min_y < boxes[i].max_y) return nullptr;
    return asker::open<kd_tree>(boxes, n);
}

const char *const structures[] = {"k-d tree", nullptr};

const std::string library = peer::version(
    "nanoflann", {NANOFLANN_VERSION >> 8, NANOFLANN_VERSION >> 4 & 15, NANOFLANN_VERSION & 15});

} // namespace

extern "C" {
extern const asked nanoflann_asked;
const asked nanoflann_asked = {library.c_str(), structures, open,          asker::close,
                               nullptr,         nullptr,    asker::within, asker::nearest,
                               nullptr,         nullptr,    asker::found};
}
