/* The STR tree of GEOS through its C++ interface, in its double.

   package: libgeos-dev libgeos++-dev; header: geos/geom/Envelope.h; flags: none; link: -lgeos

   STR tree: TemplateSTRtree, the newer and faster of its two, with 10 entries a node, its default;
     with 6 and 16, frames take 5 % more and less. It is built as a whole, and anew when boxes have
     moved. To remove is to mark the leaf, and nothing can be inserted after; a tree of one leaf
     reports it in spite of the mark.

   Pairs: this version has no join, so a query for each box, of which the ids above its own are
   kept. They go in the order of the tree, as one query then finds in the cache what the one before
   has visited; in the order of ids frames take a quarter to a half longer. */
#include "peer.h"

#define USE_UNSTABLE_GEOS_CPP_API /* or it warns that the C++ interface may change */
#include <geos/geom/Envelope.h>
#include <geos/index/strtree/TemplateSTRtree.h>
#include <geos/version.h>

#include <optional>

namespace
{

geos::geom::Envelope envelope_of(const bench_box &box)
{
    return {double{box.min_x}, double{box.max_x}, double{box.min_y}, double{box.max_y}};
}

class str_tree : public peer::structure
{
    enum { NODE_CAPACITY = 10 };
    std::optional<geos::index::strtree::TemplateSTRtree<int>> tree;

  public:
    void insert(const bench_box *boxes, int n) override
    {
        tree.emplace(NODE_CAPACITY, static_cast<std::size_t>(n));
        for (int i = 0; i < n; i++) tree->insert(envelope_of(boxes[i]), i);
        tree->build();
    }

    void remove(const bench_box *boxes, int n) override
    {
        for (int i = 0; i < n; i++) tree->remove(envelope_of(boxes[i]), i);
    }

    void find_pairs(const bench_box *boxes, int) override
    {
        for (const int own : tree->items())
            tree->query(envelope_of(boxes[own]), [this, own](int id) {
                if (id > own) found_pair(&found_items, own, id);
            });
    }

    bool ask(const bench_box *, const question &q) override
    {
        if (q.of != WINDOW) return false;
        tree->query(envelope_of(q.motion.box), [this](int id) { found(id); });
        return true;
    }
};

void *open(const char *, const bench_box *, const bench_box *, int)
{
    return peer::make<str_tree>();
}

const char *const structures[] = {"STR tree", nullptr};

} // namespace

extern "C" {
extern const subject geos_peer;
const subject geos_peer = peer::table("GEOS " GEOS_VERSION, structures, open);
}
