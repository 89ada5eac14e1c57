/* The broad phases of Bullet, in float, with all boxes in the plane z = 0.

   package: libbullet-dev; header: LinearMath/btScalar.h; flags: -isystem /usr/include/bullet;
   link: -lBulletCollision -lLinearMath

   Dynamic AABB tree: btDbvt, used as btDbvtBroadphase uses it by default: leaves are larger
     than their boxes by gDbvtMargin, 0.05, on each side, and each frame has one pass of
     optimizeIncremental. Pairs are found by collideTTpersistentStack of the tree with itself: a
     query for each box takes eight times as long. optimizeTopDown after the boxes are inserted
     would take ten times as long as that, and save a tenth to a fifth of a frame.
   Broadphase: btDbvtBroadphase as it is: two such trees and a cache of pairs, which it keeps up to
     date when boxes move. An exact test finds the pairs of the cache that overlap.
     To remove a box looks through the whole cache.
   Axis sweep: btAxisSweep3, which keeps sorted arrays of all edges on three axes, and the cache
     of pairs. For up to 16,384 boxes, its default for the most; the library itself points to the
     other broad phases beyond. It is fast while boxes move little, but to insert one, or to remove
     it, takes time in proportion to all there are: 0.6 s for 10,000 boxes, 2 s for 16,384.

   All pairs found are tested exactly. It is asked for pairs only. */
#include "peer.h"

#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvt.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <vector>

namespace
{

btVector3 min_of(const bench_box &box)
{
    return btVector3(box.min_x, box.min_y, 0);
}

btVector3 max_of(const bench_box &box)
{
    return btVector3(box.max_x, box.max_y, 0);
}

btDbvtVolume volume_of(const bench_box &box)
{
    return btDbvtVolume::FromMM(min_of(box), max_of(box));
}

int id_of(const btBroadphaseProxy *proxy)
{
    return static_cast<int>(reinterpret_cast<std::intptr_t>(proxy->m_clientObject));
}

struct pair_collector : btDbvt::ICollide {
    found_list &found;
    const bench_box *boxes;

    pair_collector(found_list &list, const bench_box *by_id) : found(list), boxes(by_id)
    {
    }

    void add(int a, int b)
    {
        if (overlap(&boxes[a], &boxes[b])) found_pair(&found, a, b);
    }

    void Process(const btDbvtNode *a, const btDbvtNode *b) override
    {
        add(a->dataAsInt, b->dataAsInt);
    }
};

class aabb_tree : public peer::structure
{
    btDbvt tree;
    std::vector<btDbvtNode *> leaves; /* by id */

  public:
    void insert(const bench_box *boxes, int n) override
    {
        leaves.clear();
        for (int i = 0; i < n; i++) {
            leaves.push_back(tree.insert(volume_of(boxes[i]), nullptr));
            leaves.back()->dataAsInt = i;
        }
    }

    void move(const bench_box *boxes, int, const int *ids, int count) override
    {
        for (int i = 0; i < count; i++) {
            btDbvtVolume volume = volume_of(boxes[ids[i]]);
            tree.update(leaves[static_cast<std::size_t>(ids[i])], volume, gDbvtMargin);
        }
    }

    void remove(const bench_box *, int) override
    {
        for (btDbvtNode *leaf : leaves) tree.remove(leaf);
        leaves.clear();
    }

    void tidy() override
    {
        tree.optimizeIncremental(1);
    }

    void find_pairs(const bench_box *boxes, int) override
    {
        pair_collector collector(found_items, boxes);
        tree.collideTTpersistentStack(tree.m_root, tree.m_root, collector);
    }
};

template <typename Broadphase> class broadphase : public peer::structure
{
    Broadphase space;
    std::vector<btBroadphaseProxy *> proxies; /* by id */

  public:
    template <typename... Arguments>
    explicit broadphase(const Arguments &...arguments) : space(arguments...)
    {
    }

    void insert(const bench_box *boxes, int n) override
    {
        proxies.clear();
        for (int i = 0; i < n; i++) {
            const btVector3 min = min_of(boxes[i]), max = max_of(boxes[i]);
            void *id = reinterpret_cast<void *>(static_cast<std::intptr_t>(i));
            btBroadphaseProxy *proxy =
                space.createProxy(min, max, 0, id, btBroadphaseProxy::DefaultFilter,
                                  btBroadphaseProxy::AllFilter, nullptr);
            proxies.push_back(proxy);
        }
    }

    void move(const bench_box *boxes, int, const int *ids, int count) override
    {
        for (int i = 0; i < count; i++) {
            const bench_box &box = boxes[ids[i]];
            btBroadphaseProxy *proxy = proxies[static_cast<std::size_t>(ids[i])];
            space.setAabb(proxy, min_of(box), max_of(box), nullptr);
        }
    }

    void remove(const bench_box *, int) override
    {
        for (btBroadphaseProxy *proxy : proxies) space.destroyProxy(proxy, nullptr);
        proxies.clear();
    }

    void find_pairs(const bench_box *boxes, int) override
    {
        pair_collector collector(found_items, boxes);
        space.calculateOverlappingPairs(nullptr);
        const btBroadphasePairArray &pairs =
            space.getOverlappingPairCache()->getOverlappingPairArray();
        for (int i = 0; i < pairs.size(); i++)
            collector.add(id_of(pairs[i].m_pProxy0), id_of(pairs[i].m_pProxy1));
    }
};

peer::structure *make_sweep(const bench_box &world, int n)
{
    const btVector3 min(world.min_x, world.min_y, -1), max(world.max_x, world.max_y, 1);
    const bool without_tree = true;
    if (n > 16384) return nullptr;
    return peer::make<broadphase<btAxisSweep3>>(min, max, static_cast<unsigned short>(n + 1),
                                                nullptr, without_tree);
}

void *open(const char *structure, const bench_box *world, const bench_box *, int n)
{
    if (peer::same(structure, "dynamic AABB tree")) return peer::make<aabb_tree>();
    if (peer::same(structure, "broadphase")) return peer::make<broadphase<btDbvtBroadphase>>();
    return make_sweep(*world, n);
}

const char *const structures[] = {"dynamic AABB tree", "broadphase", "axis sweep", nullptr};

const std::string library = "Bullet " + std::to_string(BT_BULLET_VERSION).insert(1, ".");

subject table()
{
    subject all = peer::table(library.c_str(), structures, open);
    all.ask = nullptr;
    return all;
}

} // namespace

extern "C" {
extern const subject bullet_peer;
const subject bullet_peer = table();
}
