/* The dynamic tree of Box2D 2.4, in float, asked about boxes that stand still.

   package: libbox2d-dev; header: box2d/b2_dynamic_tree.h; flags: none; link: -lbox2d

   Dynamic tree: leaves are larger than their boxes by b2_aabbExtension, 0.1 of its metre on each
     side, which suits boxes of about 1. All leaves that are found are tested exactly.

   Rays: its ray cast; for the first hit it is shortened to each hit that it is told, as b2World
     does it.
   Within and box casts: a query for the box around the circle or the whole motion, for the tree of
     this version casts rays only.
   Nearest: it cannot. There is no macro for its version. */
#include "asker.h"

#include <box2d/b2_collision.h>
#include <box2d/b2_common.h>
#include <box2d/b2_dynamic_tree.h>

#include <cstdint>

namespace
{

b2AABB aabb_of(const bench_box &box)
{
    b2AABB aabb;
    aabb.lowerBound.Set(box.min_x, box.min_y);
    aabb.upperBound.Set(box.max_x, box.max_y);
    return aabb;
}

int id_of(const b2DynamicTree &tree, int32 proxy)
{
    return static_cast<int>(reinterpret_cast<std::intptr_t>(tree.GetUserData(proxy)));
}

template <typename Use> struct query_callback {
    const b2DynamicTree &tree;
    const Use &use;

    bool QueryCallback(int32 proxy)
    {
        use(id_of(tree, proxy));
        return true;
    }
};

template <typename Use> struct ray_callback {
    const b2DynamicTree &tree;
    const Use &use; /* returns the part of the ray that still counts; 0: none */

    float RayCastCallback(const b2RayCastInput &, int32 proxy)
    {
        return use(id_of(tree, proxy));
    }
};

class dynamic_tree : public asker::structure
{
    b2DynamicTree tree;
    const bench_box *boxes;

    template <typename Use> void query(const bench_box &box, const Use &use) const
    {
        query_callback<Use> callback = {tree, use};
        tree.Query(&callback, aabb_of(box));
    }

    template <typename Use> void ray(const bench_motion &motion, const Use &use) const
    {
        ray_callback<Use> callback = {tree, use};
        b2RayCastInput input;
        input.p1.Set(motion.box.min_x, motion.box.min_y);
        input.p2.Set(motion.box.min_x + motion.dx, motion.box.min_y + motion.dy);
        input.maxFraction = 1;
        tree.RayCast(&callback, input);
    }

    void found_if_met(const bench_motion &motion, int id)
    {
        float t;
        if (meets(&motion, &boxes[id], &t)) found(id);
    }

  public:
    dynamic_tree(const bench_box *all, int n) : boxes(all)
    {
        for (int i = 0; i < n; i++)
            tree.CreateProxy(aabb_of(all[i]),
                             reinterpret_cast<void *>(static_cast<std::intptr_t>(i)));
    }

    void find_window(const bench_box &window) override
    {
        query(window, [this, &window](int id) {
            if (overlap(&window, &boxes[id])) found(id);
        });
    }

    void find_within(const bench_box &from, float distance) override
    {
        query(reach_of(&from, distance), [this, &from, distance](int id) {
            if (is_within(&from, &boxes[id], distance)) found(id);
        });
    }

    void find_first(const bench_motion &motion) override
    {
        asker::first_hit first = {motion};
        if (is_ray(&motion))
            ray(motion, [this, &first](int id) {
                first.offer(id, boxes[id]);
                return first.id >= 0 ? first.t : 1;
            });
        else
            query(way_of(&motion), [this, &first](int id) { first.offer(id, boxes[id]); });
        if (first.id >= 0) found(first.id);
    }

    void find_all(const bench_motion &motion) override
    {
        if (is_ray(&motion))
            ray(motion, [this, &motion](int id) {
                found_if_met(motion, id);
                return -1.0F; /* as it was */
            });
        else
            query(way_of(&motion), [this, &motion](int id) { found_if_met(motion, id); });
    }
};

void *open(const char *, const bench_box *, const bench_box *boxes, int n)
{
    return asker::open<dynamic_tree>(boxes, n);
}

const char *const structures[] = {"dynamic tree", nullptr};

} // namespace

extern "C" {
extern const asked box2d_asked;
const asked box2d_asked = {"Box2D 2.4",   structures, open,          asker::close,
                           asker::window, nullptr,    asker::within, nullptr,
                           asker::first,  asker::all, asker::found};
}
