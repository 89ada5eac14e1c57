// spatial.hpp - what C++17 adds to spatial.h: owners, exceptions, ranges and lambdas
//
// The functions of spatial.h are used as they are: an owner stands wherever one takes a pointer.

#ifndef SPATIAL_HPP
#define SPATIAL_HPP

#include <stdexcept>
#include <utility>

#include "spatial.h"

namespace spatial {

// Passes a result through; errors are exceptions.
inline spt_i32 must(spt_i32 result)
{
    if (result < 0) throw std::runtime_error(spt_error_string(result));
    return result;
}

// A struct of the library, which is given back at the end: moved, not copied; spt_copy(to, from)
// copies an index into another one. A struct that was moved from is of zero bytes, which may be
// freed, and answers nothing.
template <class T, void (*Free)(T *)> class owner {
public:
    template <class Init, class Argument> owner(Init init, Argument argument)
    {
        must(init(&owned, argument));
    }
    owner(owner &&other) noexcept : owned(std::exchange(other.owned, T{})) {}
    owner &operator=(owner &&other) noexcept
    {
        owner taken(std::move(other));
        std::swap(owned, taken.owned);
        return *this;
    }
    ~owner() { Free(&owned); }
    operator T *() { return &owned; }
    operator const T *() const { return &owned; }

private:
    T owned{};
};

using index = owner<spt_index, spt_free>; // of any structure: index world(spt_linear_init, &desc)

// Results, to be kept from call to call. A loop has spt_i32 id over ids, auto [a, b] over pairs.
template <spt_i32 Fields> struct results : owner<spt_intlist, spt_intlist_free> {
    struct iterator {
        const spt_i32 *at;
        bool operator!=(const iterator &other) const { return at != other.at; }
        iterator &operator++()
        {
            at += Fields;
            return *this;
        }
        auto operator*() const
        {
            if constexpr (Fields == 1)
                return *at;
            else
                return std::pair(at[0], at[1]);
        }
    };

    results() : owner(spt_intlist_init, Fields) {}
    iterator begin() const { return {spt_intlist_data(*this)}; }
    iterator end() const { return {spt_intlist_data(*this) + Fields * spt_intlist_count(*this)}; }
};
using ids = results<1>;
using pairs = results<2>;

// Calls fn(id, box) for each element that overlaps the box, till it returns false; then it returns
// false. An exception could not pass through the library, which is C: fn must not throw.
template <class Fn>
bool visit(const index &world, const spt_box &box, const spt_filter *filter, Fn fn)
{
    auto call = [](void *ctx, spt_i32 id, const spt_box *of) noexcept -> int {
        return (*static_cast<Fn *>(ctx))(id, *of) ? 0 : 1;
    };
    return must(spt_visit(world, &box, filter, call, &fn)) == 0;
}

} // namespace spatial

#endif
