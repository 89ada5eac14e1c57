/* The neighbours of bench/neighbours.c by nanoflann: a tree of all points, built anew, and a search
   for each of them, whose results are not sorted. */
#include <nanoflann.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace {

struct cloud {
    const float *points;
    size_t n;
    size_t kdtree_get_point_count() const { return n; }
    float kdtree_get_pt(size_t i, size_t axis) const { return points[2 * i + axis]; }
    template <class Box> bool kdtree_get_bbox(Box &) const { return false; }
};

typedef nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, cloud>, cloud, 2,
                                            uint32_t>
    tree;

} // namespace

extern "C" long nanoflann_neighbours(const float *points, int n, float radius, int32_t *rows,
                                     int32_t *ids);

long nanoflann_neighbours(const float *points, int n, float radius, int32_t *rows, int32_t *ids)
{
    const cloud all = {points, static_cast<size_t>(n)};
    tree index(2, all, nanoflann::KDTreeSingleIndexAdaptorParams(10));
    std::vector<std::pair<uint32_t, float>> found;
    nanoflann::SearchParams params;
    params.sorted = false;
    long total = 0;
    for (int i = 0; i < n; i++) {
        index.radiusSearch(points + 2 * i, radius * radius * 1.000001F, found, params);
        rows[2 * i] = static_cast<int32_t>(total);
        for (const auto &one : found) {
            ids[total] = static_cast<int32_t>(one.first);
            total += static_cast<int>(one.first) != i;
        }
        rows[2 * i + 1] = static_cast<int32_t>(total) - rows[2 * i];
    }
    return total;
}
