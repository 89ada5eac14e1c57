#!/bin/sh
# Builds rooms.cpp with each C++ compiler and without CMake, then as a CMake project that gets
# spatial.h by add_subdirectory, by FetchContent and as an installed package; runs each, and
# compares what it prints with what it promises.
#
#   sh examples/cpp/run.sh
#
# Environment: CC (cc), CFLAGS (-O2), OUT (examples/out/cpp). Exit status: 0 all is as promised, 1
# something is not, 77 nothing failed but a part was skipped.

cd "$(dirname "$0")/../.." || exit 1
CC=${CC:-cc}
CFLAGS=${CFLAGS--O2}
OUT=${OUT:-examples/out/cpp}
warnings="-std=c++17 -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wundef
    -Wcast-qual -Wdouble-promotion -Wold-style-cast -Wzero-as-null-pointer-constant -Werror"
passed=0
failed=0
skipped=0

pass() { passed=$((passed + 1)); echo "ok    $1"; }
fail() { failed=$((failed + 1)); echo "FAIL  $1"; }
skip() { skipped=$((skipped + 1)); echo "skip  $1"; }
has() { command -v "${1%% *}" >/dev/null 2>&1; }

# rooms TITLE PROGRAM: it prints what it promises.
rooms() {
    if "$2" >"$OUT/actual.txt" && diff "$OUT/expected.txt" "$OUT/actual.txt"; then
        pass "$1"
    else
        fail "$1 (< expected, > actual)"
    fi
}

# by_hand COMPILER PACKAGE FLAGS...
by_hand() {
    has "$1" || { skip "$1: needs the Debian package $2"; return; }
    title=$1 compiler=$1
    shift 2
    # shellcheck disable=SC2086 # lists of words
    if "$compiler" $CFLAGS $warnings "$@" -I. -o "$OUT/rooms" examples/cpp/rooms.cpp \
        "$OUT/spatial.o"; then
        rooms "$title" "$OUT/rooms"
    else
        fail "$title: build"
    fi
}

# Quiet unless something is wrong, in a folder of its own that is made anew.
cmake_builds() { # source, folder, options
    from=$1 to=$2
    shift 2
    rm -rf "$to"
    { cmake -Wdev -S "$from" -B "$to" -DCMAKE_BUILD_TYPE=Release "$@" && cmake --build "$to"; } \
        >"$OUT/cmake.txt" 2>&1 && ! grep -i warning "$OUT/cmake.txt" && return
    cat "$OUT/cmake.txt"
    return 1
}

# by_cmake WAY OPTIONS...
by_cmake() {
    way=$1
    shift
    if cmake_builds examples/cpp "$OUT/$way" "-DSPATIAL_BY=$way" "$@"; then
        rooms "CMake: $way" "$OUT/$way/rooms"
    else
        fail "CMake: $way"
    fi
}

mkdir -p "$OUT" || exit 1
OUT=$(cd "$OUT" && pwd)
sed -n '/^\/\* Prints:$/,/^\*\/$/p' examples/cpp/rooms.cpp | sed '1d;$d' >"$OUT/expected.txt"
# shellcheck disable=SC2086
if $CC $CFLAGS -I. -c -o "$OUT/spatial.o" examples/cpp/spatial.c; then
    by_hand g++ g++ -Wuseless-cast
    by_hand clang++ clang
else
    fail "the implementation: build"
fi
echo 'cmake_minimum_required(VERSION 3.18)' >"$OUT/version.cmake"
if ! has make || ! has c++ || ! cmake -P "$OUT/version.cmake" 2>/dev/null; then
    skip "CMake: needs the Debian packages cmake (3.18 or later) make g++"
else
    by_cmake add_subdirectory
    by_cmake FetchContent
    if cmake_builds tools/cmake "$OUT/package" &&
        cmake --install "$OUT/package" --prefix "$OUT/installed" >"$OUT/cmake.txt"; then
        by_cmake find_package "-DCMAKE_PREFIX_PATH=$OUT/installed"
    else
        fail "CMake: install"
    fi
fi
rm -f "$OUT/expected.txt" "$OUT/actual.txt" "$OUT/version.cmake"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] || exit 1
[ "$skipped" -eq 0 ] || exit 77
