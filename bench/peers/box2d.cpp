/* The dynamic tree of Box2D 2.4, which its broad phase and world stand on. In float.

   package: libbox2d-dev; header: box2d/b2_dynamic_tree.h; flags: none; link: -lbox2d

   Dynamic tree: leaves are larger than their boxes by b2_aabbExtension, 0.1 of its metre on each
     side, which suits boxes of about 1; and stretched by four times the way that a box has moved,
     which MoveProxy is told as b2Fixture does it. All leaves that are found are tested exactly. The
     tree gets worse from frame to frame for some time: to insert a leaf again keeps it level, but
     not tight.

   Pairs: it has no join, so a query for each box, of which the ids above its own are kept, in the
   order of ids, as it does not tell that of its leaves. There is no macro for its version.

   The library's b2BroadPhase is left out: it reports only what is new to leaves that were inserted
   again, and leaves to its user to keep the pairs and drop those that part. A full list in each
   frame would measure such a set of pairs of ours more than Box2D. */
#include "peer.h"

#include <box2d/b2_common.h>
#include <box2d/b2_dynamic_tree.h>

#include <cstdint>
#include <vector>

namespace
{

b2AABB aabb_of(const bench_box &box)
{
    b2AABB aabb;
    aabb.lowerBound.Set(box.min_x, box.min_y);
    aabb.upperBound.Set(box.max_x, box.max_y);
    return aabb;
}

template <typename Use> struct query_callback {
    const b2DynamicTree &tree;
    const Use &use;

    bool QueryCallback(int32 proxy)
    {
        use(static_cast<int>(reinterpret_cast<std::intptr_t>(tree.GetUserData(proxy))));
        return true;
    }
};

class dynamic_tree : public peer::structure
{
    b2DynamicTree tree;
    std::vector<int32> proxies;  /* by id */
    std::vector<b2Vec2> centres; /* by id */

    template <typename Use> void query(const bench_box &box, const Use &use) const
    {
        query_callback<Use> callback = {tree, use};
        tree.Query(&callback, aabb_of(box));
    }

  public:
    void insert(const bench_box *boxes, int n) override
    {
        proxies.clear();
        centres.clear();
        for (int i = 0; i < n; i++) {
            const b2AABB aabb = aabb_of(boxes[i]);
            void *id = reinterpret_cast<void *>(static_cast<std::intptr_t>(i));
            proxies.push_back(tree.CreateProxy(aabb, id));
            centres.push_back(aabb.GetCenter());
        }
    }

    void move(const bench_box *boxes, int, const int *ids, int count) override
    {
        for (int i = 0; i < count; i++) {
            const std::size_t id = static_cast<std::size_t>(ids[i]);
            const b2AABB aabb = aabb_of(boxes[id]);
            const b2Vec2 centre = aabb.GetCenter();
            tree.MoveProxy(proxies[id], aabb, centre - centres[id]);
            centres[id] = centre;
        }
    }

    void remove(const bench_box *, int) override
    {
        for (const int32 proxy : proxies) tree.DestroyProxy(proxy);
        proxies.clear();
    }

    void find_pairs(const bench_box *boxes, int n) override
    {
        if (proxies.empty()) return;
        for (int i = 0; i < n; i++)
            query(boxes[i], [this, boxes, i](int id) {
                if (id > i && overlap(&boxes[i], &boxes[id])) found_pair(&found_items, i, id);
            });
    }

    void find_window(const bench_box *boxes, const bench_box &window) override
    {
        query(window, [this, boxes, &window](int id) {
            if (overlap(&window, &boxes[id])) found_id(&found_items, id);
        });
    }
};

void *open(const char *, const bench_box *, const bench_box *, int)
{
    return peer::make<dynamic_tree>();
}

const char *const structures[] = {"dynamic tree", nullptr};

} // namespace

extern "C" {
extern const subject box2d_peer;
const subject box2d_peer = peer::table("Box2D 2.4", structures, open);
}
