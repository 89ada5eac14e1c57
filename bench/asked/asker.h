/* What the peers that answer questions share: a class for what a structure can be asked, and the
   functions of a table that call it. A peer derives its structures from asker::structure and makes
   its table of the functions of this namespace, with nullptr for those that it cannot serve. */
#ifndef ASKER_H
#define ASKER_H

#include "../peers/peer.h"
#include "exact.h"

namespace asker
{

class structure
{
  protected:
    void found(int id)
    {
        found_id(&found_items, id);
    }

  public:
    found_list found_items{};

    structure() = default;
    structure(const structure &) = delete;
    structure &operator=(const structure &) = delete;
    virtual ~structure()
    {
        std::free(found_items.items);
    }

    /* Not called where the table has no function for it. */
    virtual void find_window(const bench_box &)
    {
    }
    virtual void find_within(const bench_box &, float)
    {
    }
    virtual void find_nearest(const bench_box &, int)
    {
    }
    virtual void find_first(const bench_motion &)
    {
    }
    virtual void find_all(const bench_motion &)
    {
    }
};

/* The first of the boxes that a motion meets, of those that it is offered. */
struct first_hit {
    const bench_motion &motion;
    float t = 2; /* none yet */
    int id = -1;

    void offer(int other, const bench_box &box)
    {
        float other_t;
        if (!meets(&motion, &box, &other_t) || !(other_t < t)) return;
        t = other_t;
        id = other;
    }
};

template <typename T> void *open(const bench_box *boxes, int n)
{
    try {
        return static_cast<structure *>(new T(boxes, n));
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

inline structure *emptied(void *state)
{
    structure *s = static_cast<structure *>(state);
    s->found_items.count = 0;
    return s;
}

inline void close(void *state)
{
    delete static_cast<structure *>(state);
}

inline long count_of(const structure *s)
{
    return static_cast<long>(s->found_items.count);
}

inline long window(void *state, const bench_box *window)
{
    structure *s = emptied(state);
    s->find_window(*window);
    return count_of(s);
}

inline long within(void *state, const bench_box *from, float distance)
{
    structure *s = emptied(state);
    s->find_within(*from, distance);
    return count_of(s);
}

inline long nearest(void *state, const bench_box *from, int k)
{
    structure *s = emptied(state);
    s->find_nearest(*from, k);
    return count_of(s);
}

inline long first(void *state, const bench_motion *motion)
{
    structure *s = emptied(state);
    s->find_first(*motion);
    return count_of(s);
}

inline long all(void *state, const bench_motion *motion)
{
    structure *s = emptied(state);
    s->find_all(*motion);
    return count_of(s);
}

inline const int *found(void *state)
{
    return static_cast<structure *>(state)->found_items.items;
}

} // namespace asker

#endif
