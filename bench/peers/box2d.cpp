/* The dynamic tree of Box2D 2.4, which its broad phase and world stand on. In float.

   package: libbox2d-dev; header: box2d/b2_dynamic_tree.h; flags: none; link: -lbox2d

   Dynamic tree: leaves are larger than their boxes by b2_aabbExtension, 0.1 of its metre on each
     side, which suits boxes of about 1; and stretched by four times the way that a box has moved,
     which MoveProxy is told as b2Fixture does it. All leaves that are found are tested exactly. The
     tree gets worse from frame to frame for some time: to insert a leaf again keeps it level, but
     not tight.

   Pairs: it has no join, so each box is asked for, and ids above its own are kept.
     The boxes are asked in the order of ids, because it does not tell the order of its leaves.
   Contacts are found as b2BroadPhase and b2ContactManager find them. A box whose leaf was inserted
     again is asked for the leaves that overlap its own, and pairs of leaves are kept, in lists by
     box, until these part. Kept pairs are tested if one of their boxes has moved. The classes
     themselves are left out, for they want bodies and tell nothing of pairs that part.

   Rays: its ray cast; for the first hit it is shortened to each hit that it is told, as b2World
     does it. Within and box casts: a query for the box around the circle or the whole motion, for
     the tree of this version casts rays only. There is no macro for its version. */
#include "peer.h"

#include <box2d/b2_collision.h>
#include <box2d/b2_common.h>
#include <box2d/b2_dynamic_tree.h>

#include <utility>
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

int id_of(const b2DynamicTree &tree, int32 proxy)
{
    return static_cast<int>(reinterpret_cast<std::intptr_t>(tree.GetUserData(proxy)));
}

template <typename Use> struct callback {
    const b2DynamicTree &tree;
    const Use &use; /* of a query: returns whether to go on; of a ray: the part that still counts */

    bool QueryCallback(int32 proxy)
    {
        return use(id_of(tree, proxy));
    }

    float RayCastCallback(const b2RayCastInput &, int32 proxy)
    {
        return use(id_of(tree, proxy));
    }
};

struct kept_pair { /* of leaves that overlap; stands in the lists of both boxes */
    int a, b;
    bool touching; /* the boxes do, too */
};

class dynamic_tree : public peer::structure
{
    b2DynamicTree tree;
    std::vector<int32> proxies;         /* by id */
    std::vector<b2Vec2> centres;        /* by id */
    std::vector<int> again;             /* ids whose leaves were inserted again */
    std::vector<std::vector<int>> kept; /* by id: places in `all_kept` */
    std::vector<kept_pair> all_kept;
    std::vector<int> unused; /* places */
    std::vector<std::pair<int, int>> ended;

    template <typename Use> void query(const b2AABB &aabb, const Use &use) const
    {
        callback<Use> told = {tree, use};
        tree.Query(&told, aabb);
    }

    template <typename Use> void ray(const bench_motion &motion, const Use &use) const
    {
        callback<Use> told = {tree, use};
        b2RayCastInput input;
        input.p1.Set(motion.box.min_x, motion.box.min_y);
        input.p2.Set(motion.box.min_x + motion.dx, motion.box.min_y + motion.dy);
        input.maxFraction = 1;
        tree.RayCast(&told, input);
    }

    const b2AABB &leaf_of(int id) const
    {
        return tree.GetFatAABB(proxies[static_cast<std::size_t>(id)]);
    }

    std::vector<int> &kept_of(int id)
    {
        return kept[static_cast<std::size_t>(id)];
    }

    kept_pair &pair_at(int place)
    {
        return all_kept[static_cast<std::size_t>(place)];
    }

    void keep(int a, int b)
    {
        for (const int place : kept_of(a))
            if (pair_at(place).a == b || pair_at(place).b == b) return;
        int place = static_cast<int>(all_kept.size());
        if (unused.empty()) {
            all_kept.emplace_back();
        } else {
            place = unused.back();
            unused.pop_back();
        }
        pair_at(place) = {a < b ? a : b, a < b ? b : a, false};
        kept_of(a).push_back(place);
        kept_of(b).push_back(place);
    }

    void drop_from(std::vector<int> &list, int place)
    {
        for (int &other : list)
            if (other == place) {
                other = list.back();
                list.pop_back();
                return;
            }
    }

    /* Returns false if the pair is dropped. */
    bool test(const bench_box *boxes, int place)
    {
        kept_pair &pair = pair_at(place);
        const bool touching = overlap(&boxes[pair.a], &boxes[pair.b]);
        if (touching && !pair.touching) found_pair(&found_items, pair.a, pair.b);
        if (!touching && pair.touching) ended.emplace_back(pair.a, pair.b);
        pair.touching = touching;
        if (touching || b2TestOverlap(leaf_of(pair.a), leaf_of(pair.b))) return true;
        drop_from(kept_of(pair.a), place);
        drop_from(kept_of(pair.b), place);
        unused.push_back(place);
        return false;
    }

    void find_first(const bench_box *boxes, const bench_motion &motion)
    {
        peer::first_hit first = {motion};
        if (is_ray(&motion))
            ray(motion, [&first, boxes](int id) {
                first.offer(id, boxes[id]);
                return first.id >= 0 ? first.t : 1;
            });
        else
            query(aabb_of(way_of(&motion)), [&first, boxes](int id) {
                first.offer(id, boxes[id]);
                return true;
            });
        if (first.id >= 0) found(first.id);
    }

    void find_all(const bench_box *boxes, const bench_motion &motion)
    {
        const auto use = [this, boxes, &motion](int id) {
            float t;
            if (meets(&motion, &boxes[id], &t)) found(id);
            return -1.0F; /* of a ray: it counts as before; of a query: go on */
        };
        if (is_ray(&motion))
            ray(motion, use);
        else
            query(aabb_of(way_of(&motion)), use);
    }

  public:
    void insert(const bench_box *boxes, int n) override
    {
        proxies.clear();
        centres.clear();
        kept.resize(static_cast<std::size_t>(n));
        for (int i = 0; i < n; i++) {
            const b2AABB aabb = aabb_of(boxes[i]);
            void *id = reinterpret_cast<void *>(static_cast<std::intptr_t>(i));
            proxies.push_back(tree.CreateProxy(aabb, id));
            centres.push_back(aabb.GetCenter());
            again.push_back(i);
        }
    }

    void move(const bench_box *boxes, int, const int *ids, int count) override
    {
        for (int i = 0; i < count; i++) {
            const std::size_t id = static_cast<std::size_t>(ids[i]);
            const b2AABB aabb = aabb_of(boxes[id]);
            const b2Vec2 centre = aabb.GetCenter();
            if (tree.MoveProxy(proxies[id], aabb, centre - centres[id])) again.push_back(ids[i]);
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
        again.clear();
        if (proxies.empty()) return;
        for (int i = 0; i < n; i++)
            query(aabb_of(boxes[i]), [this, boxes, i](int id) {
                if (id > i && overlap(&boxes[i], &boxes[id])) found_pair(&found_items, i, id);
                return true;
            });
    }

    bool ask(const bench_box *boxes, const question &q) override
    {
        const bench_box &box = q.motion.box;
        switch (q.of) {
        case WINDOW:
        case ANY:
            query(aabb_of(box), [this, boxes, &box, &q](int id) {
                const bool hit = overlap(&box, &boxes[id]);
                if (hit) found(id);
                return !hit || q.of == WINDOW;
            });
            return true;
        case WITHIN:
            query(aabb_of(reach_of(&box, q.distance)), [this, boxes, &box, &q](int id) {
                if (is_within(&box, &boxes[id], q.distance)) found(id);
                return true;
            });
            return true;
        case ALL:
            find_all(boxes, q.motion);
            return true;
        case FIRST:
        case VISIT:
            find_first(boxes, q.motion);
            return true;
        default:
            return false;
        }
    }

    long contacts(const bench_box *boxes, const int *ids, int count)
    {
        ended.clear();
        for (const int id : again)
            query(leaf_of(id), [this, id](int other) {
                if (other != id) keep(id, other);
                return true;
            });
        again.clear();
        for (int i = 0; i < count; i++) {
            const std::vector<int> &list = kept_of(ids[i]);
            for (std::size_t k = 0; k < list.size();)
                if (test(boxes, list[k])) k++;
        }
        const long began = static_cast<long>(found_items.count / 2);
        for (const auto &pair : ended) found_pair(&found_items, pair.first, pair.second);
        return began;
    }
};

long contacts(void *state, const bench_box *boxes, int, const int *ids, int count, long *began)
{
    peer::structure *s = peer::emptied(state);
    *began = static_cast<dynamic_tree *>(s)->contacts(boxes, ids, count);
    return static_cast<long>(s->found_items.count / 2);
}

void *open(const char *, const bench_box *, const bench_box *, int)
{
    return peer::make<dynamic_tree>();
}

const char *const structures[] = {"dynamic tree", nullptr};

subject table()
{
    subject all = peer::table("Box2D 2.4", structures, open);
    all.contacts = contacts;
    return all;
}

} // namespace

extern "C" {
extern const subject box2d_peer;
const subject box2d_peer = table();
}
