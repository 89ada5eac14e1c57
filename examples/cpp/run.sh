#!/bin/sh
# Builds rooms.cpp with each C++ compiler and without CMake, then as a CMake project that gets
# spatial.h by add_subdirectory, by FetchContent and as an installed package; runs each, and
# compares what it prints with what it promises. Last, the lines for CMake in README.md.
#
#   sh examples/cpp/run.sh
# shellcheck disable=SC2086 # lists of words
cd "$(dirname "$0")/../.." || exit 1
. examples/common.sh

# rooms TITLE PROGRAM
rooms() {
    "$2" >"$OUT/actual.txt"
    same "$1" "$OUT/expected.txt" "$OUT/actual.txt"
}

# by_hand COMPILER PACKAGE FLAGS...
by_hand() {
    needs "$1" "$1" "$2" || return
    compiler=$1
    shift 2
    "$compiler" $CFLAGS -std=c++17 -Wpedantic $warnings -Wold-style-cast \
        -Wzero-as-null-pointer-constant "$@" -I. -o "$OUT/rooms" $here/rooms.cpp \
        "$OUT/spatial.o" || { fail "$compiler: build"; return; }
    rooms "$compiler" "$OUT/rooms"
}

# Quiet unless something is wrong, in a folder of its own that is made anew.
cmake_builds() { # source, folder, options
    from=$1 to=$2
    shift 2
    rm -rf "$to"
    { cmake -Wdev -S "$from" -B "$to" -DCMAKE_BUILD_TYPE=Release "$@" && cmake --build "$to"; } \
        >"$OUT/cmake.txt" 2>&1 && ! grep -i warning "$OUT/cmake.txt" && return
    cat "$OUT/cmake.txt"
    fail "CMake: $to"
    return 1
}

# by_cmake WAY OPTIONS...
by_cmake() {
    way=$1
    shift
    cmake_builds $here "$OUT/$way" "-DSPATIAL_BY=$way" "$@" &&
        rooms "CMake: $way" "$OUT/$way/rooms"
}

# A project of two C files and the lines of README.md, with a copy where a submodule would be.
by_readme() {
    rm -rf "$OUT/game"
    mkdir -p "$OUT/game/third_party/spatial/tools"
    cp spatial.h "$OUT/game/third_party/spatial"
    cp -R tools/cmake "$OUT/game/third_party/spatial/tools"
    sed '/^#define SPATIAL_IMPLEMENTATION/d' examples/ask.c >"$OUT/game/game.c"
    printf '%s\n' '#define SPATIAL_IMPLEMENTATION' '#include "spatial.h"' >"$OUT/game/spatial.c"
    {
        printf '%s\n' 'cmake_minimum_required(VERSION 3.14)' 'project(game C)'
        sed -n '/^```cmake$/,/^```$/p' README.md | sed '1d;$d'
    } >"$OUT/game/CMakeLists.txt"
    cmake_builds "$OUT/game" "$OUT/game/build" && "$OUT/game/build/game" >"$OUT/actual.txt" &&
        pass "CMake: the lines of README.md"
}

promise $here/rooms.cpp >"$OUT/expected.txt"
$CC $CFLAGS -I. -c -o "$OUT/spatial.o" $here/spatial.c ||
    { fail "the implementation does not build" && finish; }
by_hand g++ g++ -Wuseless-cast
by_hand clang++ clang
echo 'cmake_minimum_required(VERSION 3.18)' >"$OUT/version.cmake"
if needs CMake cmake cmake make make c++ g++ && cmake -P "$OUT/version.cmake"; then
    by_cmake add_subdirectory
    by_cmake FetchContent
    cmake_builds tools/cmake "$OUT/package" &&
        cmake --install "$OUT/package" --prefix "$OUT/installed" >"$OUT/cmake.txt" &&
        by_cmake find_package "-DCMAKE_PREFIX_PATH=$OUT/installed"
    by_readme
fi
finish
