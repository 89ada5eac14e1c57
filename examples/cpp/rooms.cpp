// rooms - spatial.h in C++17: rooms of a house, made by a function and asked by lambdas
//
// Look at house and ask: an index that is returned and moved like any value, results in a range-for
// loop, a visit by a lambda. The program prints the rooms in a window, and which rooms touch.
//
// Build: sh examples/cpp/run.sh, which also has CMake build it; CMakeLists.txt tells how
// Exit status: 0; 1 if something failed.

#include <iostream>
#include <type_traits>

#include "spatial.hpp"

using spatial::must;

static_assert(std::is_nothrow_move_constructible_v<spatial::index>);
static_assert(std::is_nothrow_move_assignable_v<spatial::pairs>);
static_assert(!std::is_copy_constructible_v<spatial::index>);
static_assert(!std::is_copy_assignable_v<spatial::pairs>);

namespace {

constexpr spt_box rooms[] = {{0, 0, 4, 3}, {4, 0, 7, 3}, {0, 3, 7, 5}, {8, 6, 9, 9}};

// By value: the result was moved, and owns all that the local variable owned.
template <class Init, class Desc> spatial::index house(Init init, const Desc &desc)
{
    spatial::index made(init, &desc);

    must(spt_build(made, rooms, 4));
    return made;
}

void ask(spatial::index &world)
{
    constexpr spt_box window = {1, 2, 3, 4}, all = {0, 0, 10, 10};
    spatial::ids found;
    spatial::pairs touching;
    double area = 0;

    std::cout << spt_kind(world) << ": " << spt_count(world) << " rooms\n";
    must(spt_query(world, &window, nullptr, found));
    for (spt_i32 id : found) std::cout << "  room " << id << " is in the window\n";
    must(spt_pairs(world, nullptr, touching));
    for (auto [a, b] : touching) std::cout << "  rooms " << a << " and " << b << " touch\n";
    spatial::visit(world, all, nullptr, [&area](spt_i32, const spt_box &box) {
        area += static_cast<double>((box.max_x - box.min_x) * (box.max_y - box.min_y));
        return true;
    });
    std::cout << "  area " << area << "\n";
    if (!spatial::visit(world, window, nullptr, [](spt_i32, const spt_box &) { return false; }))
        std::cout << "  a visit may end early\n";
}

} // namespace

int main()
{
    try {
        spt_linear_desc desc{};
        desc.bounds = {0, 0, 10, 10};
        spatial::index world = house(spt_linear_init, desc);
        ask(world);

        world = house(spt_packed_init, spt_packed_desc{});
        ask(world);
        spatial::index moved = std::move(world);
        std::cout << "moved: " << spt_count(moved) << " rooms\n";
        must(spt_remove(moved, 3));
    } catch (const std::exception &e) {
        std::cout << "packed has no remove: " << e.what() << "\n";
        return 0;
    }
    return 1;
}

/* Prints:
linear: 4 rooms
  room 0 is in the window
  room 2 is in the window
  rooms 0 and 1 touch
  rooms 0 and 2 touch
  rooms 1 and 2 touch
  area 38
  a visit may end early
packed: 4 rooms
  room 0 is in the window
  room 2 is in the window
  rooms 0 and 1 touch
  rooms 0 and 2 touch
  rooms 1 and 2 touch
  area 38
  a visit may end early
moved: 4 rooms
packed has no remove: not for this kind of index, or a copy between two kinds
*/
