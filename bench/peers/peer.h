/* The peers in C++ share this: a class of the operations that a structure can do, and the functions
   of a subject that call it. A peer derives its structures from peer::structure and makes its table
   by peer::table, in which it may replace functions. */
#ifndef PEER_H
#define PEER_H

#ifndef NDEBUG
#define NDEBUG /* libraries without their assertions, as in a release */
#endif

#include "../exact.h"
#include "found.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <new>
#include <string>

namespace peer
{

class structure
{
  public:
    found_list found_items{};

    structure() = default;
    structure(const structure &) = delete;
    structure &operator=(const structure &) = delete;
    virtual ~structure()
    {
        std::free(found_items.items);
    }

    void found(int id)
    {
        found_id(&found_items, id);
    }

    virtual void insert(const bench_box *boxes, int n) = 0;

    /* Builds it anew, unless it knows better. */
    virtual void move(const bench_box *boxes, int n, const int *, int)
    {
        insert(boxes, n);
    }

    /* Not called where the table has no function for it. */
    virtual void remove(const bench_box *, int)
    {
    }
    virtual void tidy()
    {
    }
    virtual void find_pairs(const bench_box *, int)
    {
    }
    virtual bool ask(const bench_box *, const question &) /* false: it cannot */
    {
        return false;
    }
};

/* The first of the offered boxes that a motion meets. */
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

/* A new T, for subject.open; NULL: no memory. */
template <typename T, typename... Arguments> structure *make(const Arguments &...arguments)
{
    try {
        return new T(arguments...);
    } catch (const std::bad_alloc &) {
        return nullptr;
    }
}

inline bool same(const char *a, const char *b)
{
    return std::strcmp(a, b) == 0;
}

/* `NAME 1.2.3`, for a library that has its version in numbers only. */
inline std::string version(const char *name, std::initializer_list<int> numbers)
{
    std::string text = name;
    char separator = ' ';
    for (int number : numbers) {
        text += separator + std::to_string(number);
        separator = '.';
    }
    return text;
}

inline structure *of(void *state)
{
    return static_cast<structure *>(state);
}

inline structure *emptied(void *state)
{
    of(state)->found_items.count = 0;
    return of(state);
}

inline void close(void *state)
{
    delete of(state);
}

inline void insert(void *state, const bench_box *boxes, int n)
{
    of(state)->insert(boxes, n);
}

inline void move(void *state, const bench_box *boxes, int n, const int *ids, int count)
{
    of(state)->move(boxes, n, ids, count);
}

inline void remove(void *state, const bench_box *boxes, int n)
{
    of(state)->remove(boxes, n);
}

inline void tidy(void *state)
{
    of(state)->tidy();
}

inline long pairs(void *state, const bench_box *boxes, int n)
{
    structure *s = emptied(state);
    s->find_pairs(boxes, n);
    return static_cast<long>(s->found_items.count / 2);
}

inline long ask(void *state, const bench_box *boxes, const question *q)
{
    structure *s = emptied(state);
    if (!s->ask(boxes, *q)) return -1;
    return static_cast<long>(s->found_items.count) / (q->of == WINDOWS ? 2 : 1);
}

inline const int *found(void *state)
{
    return of(state)->found_items.items;
}

inline subject table(const char *library, const char *const *structures,
                     decltype(subject::open) open)
{
    return {library, structures, open,  close,   insert,  move,    remove, tidy,
            pairs,   ask,        found, nullptr, nullptr, nullptr, nullptr};
}

} // namespace peer

#endif
