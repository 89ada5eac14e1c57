#!/bin/sh
# Builds rooms.cpp with each C++ compiler and without CMake, then as a CMake project that gets
# spatial.h by add_subdirectory, by FetchContent and as an installed package; runs each, and
# compares what it prints with what it promises. Last, the lines for CMake in README.md.
# shellcheck disable=SC2015,SC2016,SC2086,SC2317 # lists of words; functions that must calls
cd "$(dirname "$0")/../.." || exit 1
. examples/common.sh

by_hand() { # compiler, package, one more warning
    needs "$1" "$1" "$2" && must "$1: rooms.cpp does not build" "$1" $CFLAGS -std=c++17 \
        -Wpedantic $warnings -Wold-style-cast -Wzero-as-null-pointer-constant $3 -I. \
        -o "$OUT/rooms" $here/rooms.cpp "$OUT/spatial.o" &&
        prints "$1" "$OUT/expected.txt" "$OUT/rooms"
}

# MinSizeRel is the one kind of build whose spatial.h has no -O2. Here it has no -Os either, since
# compilers take the least time then, and CMake does the same.
by_cmake() { # source, name of a folder that is made anew, options; a warning is an error
    from=$1 to=$OUT/$2
    shift 2
    rm -rf "$to"
    { cmake -Wdev -S "$from" -B "$to" -DCMAKE_BUILD_TYPE=MinSizeRel -DCMAKE_C_FLAGS_MINSIZEREL= \
        "$@" && cmake --build "$to"; } >"$OUT/cmake.txt" 2>&1 &&
        ! grep -i warning "$OUT/cmake.txt" && return
    cat "$OUT/cmake.txt" && return 1
}

promise $here/rooms.cpp >"$OUT/expected.txt"
builds spatial.o -c tools/cmake/spatial.c || finish
by_hand g++ g++ -Wuseless-cast
by_hand clang++ clang ""
needs CMake cmake cmake make make c++ g++ || finish
must "CMake: package" by_cmake tools/cmake package -DCMAKE_BUILD_TYPE=Release &&
    must "CMake: install" cmake --install "$OUT/package" --prefix "$OUT/installed"
for way in add_subdirectory FetchContent find_package; do
    must "CMake: $way" by_cmake $here $way -DSPATIAL_BY=$way -DCMAKE_PREFIX_PATH="$OUT/installed" &&
        prints "CMake: $way" "$OUT/expected.txt" "$OUT/$way/rooms"
done
# Last, the program and the lines of README.md; a link is where a submodule would be. In a Debug
# build, whose other files are not optimised, spatial::implementation is.
game=$OUT/game
rm -rf "$game" && mkdir -p "$game/third_party" && ln -s "$PWD" "$game/third_party/spatial"
cp examples/game.c "$game"
{ printf '%s\n' 'cmake_minimum_required(VERSION 3.14)' 'project(game C)' &&
    sed -n '/^```cmake$/,/^```$/p' README.md | sed '1d;$d'; } >"$game/CMakeLists.txt"
must "CMake: the lines of README.md" by_cmake "$game" game/build &&
    check "CMake: the lines of README.md" "$game/build/game"
mkdir -p "$game/debug" && ln -s ../third_party "$game/debug/third_party"
sed 's/spatial::spatial/spatial::implementation/' "$game/CMakeLists.txt" \
    >"$game/debug/CMakeLists.txt"
sed '/^#define SPATIAL_IMPLEMENTATION/d' "$game/game.c" >"$game/debug/game.c"
must "CMake: spatial::implementation" by_cmake "$game/debug" game/debug/build \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_EXPORT_COMPILE_COMMANDS=ON &&
    must "CMake: spatial::implementation has no -O2 in Debug" \
        grep -q ' -O2 .*spatial\.c' "$game/debug/build/compile_commands.json" &&
    check "CMake: spatial::implementation" "$game/debug/build/game"
# FetchContent's lines stand there as comments. They get a repository of the files that they need,
# with that tag, which is made here in place of the published one.
needs FetchContent git git || finish
release=$OUT/release fetched=$game/fetched
rm -rf "$release" && mkdir -p "$release/examples/cpp" "$fetched" &&
    cp -R spatial.h tools "$release" && cp $here/spatial.hpp "$release/examples/cpp" &&
    cp examples/game.c "$fetched" || exit 1
sed "/^add_subdirectory/d; s/3\.14/3.18/; s/^# after.*//; s/^# //; s/  *# .*//
    s|https://[^ ]*|\"file://$release\"|" "$game/CMakeLists.txt" >"$fetched/CMakeLists.txt"
by_git() { git -C "$release" -c user.name=tests -c user.email=tests@localhost "$@"; }
must "a release" by_git init -q && must "a release" by_git add . &&
    must "a release" by_git commit -q -m "A release" &&
    must "a release" by_git tag "v$(sed -n 's/^#define SPT_VERSION "\(.*\)"$/\1/p' spatial.h)" &&
    must "CMake: FetchContent's lines of README.md" by_cmake "$fetched" game/fetched/build &&
    check "CMake: FetchContent's lines of README.md" "$fetched/build/game"
finish
