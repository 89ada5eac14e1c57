/* What the peers in C++ share: a class for what a structure can do, and the functions of a subject
   that call it. A peer derives its structures from peer::structure, and makes its table of the
   functions of this namespace, with nullptr for those that it cannot serve: by peer::table where
   there is nothing but no tidy. */
#ifndef PEER_H
#define PEER_H

#ifndef NDEBUG
#define NDEBUG /* libraries without their assertions, as in a release */
#endif

#include "found.h"

#include <cstddef>
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

    virtual void insert(const bench_box *boxes, int n) = 0;
    virtual void move(const bench_box *boxes, int n, const int *ids, int count) = 0;
    virtual void find_pairs(const bench_box *boxes, int n) = 0;

    /* Not called where the table has no function for it. */
    virtual void remove(const bench_box *, int)
    {
    }
    virtual void tidy()
    {
    }
    virtual void find_window(const bench_box *, const bench_box &)
    {
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
    structure *s = of(state);
    s->found_items.count = 0;
    s->find_pairs(boxes, n);
    return static_cast<long>(s->found_items.count / 2);
}

inline long window(void *state, const bench_box *boxes, const bench_box *window)
{
    structure *s = of(state);
    s->found_items.count = 0;
    s->find_window(boxes, *window);
    return static_cast<long>(s->found_items.count);
}

inline const int *found(void *state)
{
    return of(state)->found_items.items;
}

inline subject table(const char *library, const char *const *structures,
                     decltype(subject::open) open)
{
    return {library, structures, open, close, insert, move, remove, nullptr, pairs, window, found};
}

} // namespace peer

#endif
