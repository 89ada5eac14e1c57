# commands.sh - what rows do. A command finds the name of its row in $name and tells its result by
# its exit status (77: it cannot run here); the last line that it prints stands behind the row.
# shellcheck shell=sh disable=SC2034,SC2086,SC2125,SC2154 # lists are split on purpose

warnings="-pedantic-errors -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wundef \
-Wcast-qual -Wdouble-promotion -Werror"

# clang's -Weverything without
#   padded                           tells where padding is: the layouts are on purpose
#   comma                            two short steps on one line are house style
#   used-but-marked-unused           SPATIAL_STATIC: a file may use some functions alone
#   old-style-cast, zero-as-null-*   C++ alone: C has no other casts, C++98 no other null pointer
not_everything="-Wno-padded -Wno-comma -Wno-used-but-marked-unused"
not_everything_cxx="$not_everything -Wno-old-style-cast -Wno-zero-as-null-pointer-constant"

# clang-tidy without the checks that
#   easily-swappable-parameters      call every (x, y) a mistake
#   implicit-widening                want casts on indices whose products were checked to fit
#   narrowing-conversions            know less than -Wconversion about constants that fit
#   flp30                            forbid float steps also where an int counts the rounds
#   insecureAPI                      want Annex K, which no C library has
#   err33, err34                     want every printf tested, and strtof for a checked sscanf
#   reserved-identifier, dcl37/51    call _POSIX_C_SOURCE a reserved name, which it is
tidy_checks="-*,bugprone-*,cert-*,clang-analyzer-*,misc-*,performance-*,portability-*,\
-bugprone-easily-swappable-parameters,-bugprone-implicit-widening-of-multiplication-result,\
-bugprone-narrowing-conversions,-cert-flp30-c,-clang-analyzer-security.insecureAPI.*,\
-cert-err33-c,-cert-err34-c,-bugprone-reserved-identifier,-cert-dcl37-c,-cert-dcl51-cpp"

cppcheck_flags="-q --std=c89 --enable=warning,performance,portability --error-exitcode=1"

variants="-DSPATIAL_FLOAT -DSPATIAL_DOUBLE -DSPATIAL_INT -DSPATIAL_NO_SIMD" # the first does nothing
implementation=tests/hygiene/impl.c

show_and_do() {
    printf '+ %s\n' "$*" >&2
    "$@"
}

# Runs a program within the limits on its time. A row in which one was stopped has that exit status,
# whatever the row makes of it.
run() {
    show_and_do $limit "$@" && return
    status=$?
    case $status in "$timed_out" | "$used_up") stopped=$status ;; esac
    return $status
}

# What runs programs for 32-bit x86: nothing, or an emulator where the kernel refuses them.
runner_of() { # runner: i386, or any other
    case $1 in
    i386) have runs-i386 || echo qemu-i386 ;;
    *) echo "$1" ;;
    esac
}

program() { # source, divisor of the random work, runner, compiler and flags
    source=$1 OPS_DIVISOR=$2 runner=$(runner_of "$3")
    export OPS_DIVISOR
    shift 3
    inputs=
    case $source in */fuzz.c) set -- "$@" -DFUZZ_REPLAY && inputs=tests/corpus/* ;; esac
    show_and_do "$@" -o "$OUT/$name" "$source" -lm || return 1
    run $runner "$OUT/$name" || return 1
    [ -z "$inputs" ] || run $runner "$OUT/$name" $inputs
}

# Without a look for leaks, which takes twice as long as all else of a process that ends anyway.
command_line() { # compiler and flags
    show_and_do "$@" -o "$OUT/$name" tools/spatial.c -lm || return 1
    ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 run sh tests/test_cli.sh "$OUT/$name"
}

# Workers on threads: calls that are divided among them, and a pool with few boxes and many.
threads() { # compiler and flags
    show_and_do "$@" -DWITH_THREADS -o "$OUT/$name" tests/test_workers.c -lm || return 1
    OPS_DIVISOR=40 run "$OUT/$name" || return 1
    show_and_do "$@" -I. -o "$OUT/$name" examples/threads.c -lm || return 1
    for boxes in 1 5000 200000; do
        run "$OUT/$name" --boxes $boxes --threads 4 || return 1
    done
}

hygiene() { # check, C compiler, C++ compiler
    CC=$2 CXX=$3
    . tests/hygiene/hygiene.sh
    "check_$1"
    return $failed
}

# The header alone: as declarations, with the implementation, private, and without the C library.
header() { # compiler and flags
    for variant in $variants; do
        show_and_do "$@" "$variant" -fsyntax-only -include ./spatial.h /dev/null || return 1
        case $variant in
        *_DOUBLE) options=-DSPATIAL_NO_STDLIB ;;
        *_INT) options=-DSPATIAL_STATIC ;;
        *_NO_SIMD) options=-DNDEBUG ;;
        *) options="-DNDEBUG -DSPATIAL_STATIC -DSPATIAL_NO_STDLIB" ;;
        esac
        for option in $options; do
            show_and_do "$@" "$variant" $option -c $implementation -o "$OUT/$name.o" || return 1
        done
    done
}

# A program without any library but the compiler's own: nothing may be left undefined. gcc's loops
# that clear memory become calls of memset at -O2 and above, and at -Os with some processors.
nostdlib() { # flags of the last step, compiler and flags
    last=$1
    shift
    for flags in "-Os" "-O2 -DSPATIAL_INT" "-O3 -DSPATIAL_NO_SIMD"; do
        show_and_do "$@" $flags -DSPATIAL_NO_STDLIB -nostdlib -static -fno-stack-protector \
            -Wl,-e,spt_error_string $implementation $last -o "$OUT/$name" || return 1
    done
}

# What the compiler makes needs nothing of its runtime library that other compilers lack.
linked_for() { # compiler and flags
    for variant in -DSPATIAL_FLOAT -DSPATIAL_DOUBLE -DSPATIAL_INT; do
        show_and_do "$@" -O2 $variant tests/test_golden.c -o "$OUT/$name" || return 1
    done
}

for_variants() { # command that takes a variant, and then the implementation, as its last arguments
    for variant in $variants; do
        show_and_do "$@" "$variant" $implementation || return 1
    done
}

for_sources() { # folder, command that takes a file as its last argument
    folder=$1
    shift
    for source in "$folder"/*.c; do
        [ -f "$source" ] || continue
        case $source in */window.c) continue ;; esac # has rows of its own: it needs SDL
        show_and_do "$@" "$source" || return 1
    done
}

# The folders of mpi.h, for a compiler that is not mpicc and shall not warn of its contents.
mpi_headers() {
    mpicc -E -M -x c - <<'END' | tr ' ' '\n' | sed -n 's|\(.*\)/mpi\.h$|-isystem \1|p'
#include <mpi.h>
END
}

# The folder of SDL.h.
sdl_headers() { sdl2-config --cflags | sed 's/-I/-isystem /g'; }

# The analyser looks only at functions of the file itself: spatial.h must be given as such.
tidy() { # flags of the compiler, and as the last argument the file (ignored among the flags)
    for file; do :; done
    said=$(clang-tidy --quiet --warnings-as-errors='*' --header-filter='(spatial\.hp*|timing\.h)$' \
        --checks="$tidy_checks" "$file" -- "$@" 2>&1) && return
    printf '%s\n' "$said"
    return 1
}

# Without the analyser that walks through all paths, which takes most of the time.
quick_tidy() { # as above
    tidy_checks=$tidy_checks,-clang-analyzer-*
    tidy "$@"
}

# The program of README.md, with the implementation in it (game.c) and without it (bare.c), in a
# folder for what builds it; a link is where a submodule would be.
packaged() {
    dir=$(cd "$OUT" && pwd)/$name.files
    rm -rf "$dir" && mkdir -p "$dir/third_party" && ln -s "$PWD" "$dir/third_party/spatial" &&
        cp examples/game.c examples/cpp/rooms.cpp "$dir" &&
        sed '/^#define SPATIAL_IMPLEMENTATION/d' examples/game.c >"$dir/bare.c"
    version=$(sed -n 's/^#define SPT_VERSION "\(.*\)"$/\1/p' spatial.h)
}

# spatial.pc, of a package that was moved after it was installed; spatial.hpp is a part of that.
pkg_config_file() {
    packaged && show_and_do cmake -S tools/cmake -B "$dir/build" -DCMAKE_INSTALL_LIBDIR=lib/any \
        -DSPATIAL_OPTIONS="SPATIAL_DOUBLE;SPATIAL_SMALL" &&
        show_and_do cmake --build "$dir/build" &&
        show_and_do cmake --install "$dir/build" --prefix "$dir/usr" &&
        mv "$dir/usr" "$dir/moved" && cd "$dir" || return 1
    export PKG_CONFIG_PATH="$dir/moved/lib/any/pkgconfig"
    [ "$(pkg-config --modversion spatial)" = "$version" ] || return 1
    flags=$(pkg-config --cflags --libs spatial)
    for compiling in "g++ -std=c++17 rooms.cpp" "gcc game.c" "gcc bare.c"; do
        show_and_do $compiling -o program $flags && ./program || return 1
    done
}

# tools/meson.build in a project that is not optimised.
meson_file() {
    packaged && cd "$dir" || return 1
    printf '%s\n' "project('game', 'c', default_options: ['optimization=0', 'werror=true'])" \
        "subdir('third_party/spatial/tools')" "assert(spatial.version() == '$version')" \
        "executable('game', 'game.c', dependencies: spatial)" \
        "executable('bare', 'bare.c', dependencies: spatial_implementation)" >meson.build
    show_and_do meson setup build && show_and_do ninja -v -C build && build/game && build/bare &&
        grep -q ' -O2 .*cmake/spatial\.c' build/compile_commands.json
}

# Looks for inputs that are slow: see tests/test_attacks.c.
attack_search() { # steps
    show_and_do $CC -std=c99 -O2 $CFLAGS tests/test_attacks.c -o "$OUT/$name" -lm || return 1
    SEARCH_STEPS=$1 run "$OUT/$name" search
}

# The pairs of a public function and a place of allocation in a program's chains of calls, each
# behind `given` or `refused`. A place is the call of spti_resize with the helpers around it that
# only make room, up to the function that needs it. If a callback calls the library, that is a call
# of the test's own.
places_of() { # program
    tr ' ' '\n' <"$1.places" | grep 0x | sort -u >"$1.calls"
    addr2line -f -s -e "$1" <"$1.calls" | paste "$1.calls" - - | awk '
        FNR == NR {
            sub(/_(float|double|int)_.*/, "", $2) # the tag of a name
            sub(/.*:/, "", $3)
            called[$1] = $2
            line[$1] = $3
            next
        }
        {
            place = public = needs = ""
            for (i = 2; i <= NF && called[$i] != "spti_resize"; i++) continue
            for (i++; i <= NF && called[$i] ~ /^spti?_/; i++) {
                if (needs == "") place = called[$i] ":" line[$i] " " place
                if (called[$i] !~ /_(enlarge|renew|grow|room|reserve|alloc|less|push)$/)
                    needs = called[$i]
                if (called[$i] ~ /^spt_/) public = called[$i]
            }
            if (public != "") print $1, public, place
        }' - "$1.places"
}

# Each such pair that the test programs reach must have been refused once. The compiler leaves the
# functions as they are, and at the addresses that the program has when it runs.
allocations() { # compiler and flags
    dir=$OUT/$name.files
    rm -rf "$dir" && mkdir -p "$dir" || return 1
    for source in tests/test_*.c tests/fuzz.c; do
        program=$dir/$(basename "$source" .c)
        show_and_do "$@" -Og -g1 -fno-inline -no-pie -include tests/places.h -DFUZZ_REPLAY \
            "$source" -o "$program" -lm || return 1
        : >"$program.places"
        PLACES=$program.places OPS_DIVISOR=60 run "$program" || return 1
        places_of "$program" >>"$dir/pairs"
    done
    awk '
        { how = $1; sub(/[a-z]* /, ""); refused[$0] += how == "refused" }
        END {
            for (pair in refused) {
                pairs++
                if (refused[pair]) continue
                print "this memory is never refused: " pair
                missing++
            }
            if (missing || !pairs) exit 1
            print pairs " pairs of a public function and a place of allocation, all fail once"
        }' "$dir/pairs"
}

# Goes on from tests/corpus, to which it adds nothing.
fuzzer() { # seconds
    show_and_do clang -std=c99 -g -O1 -fsanitize=fuzzer,address,undefined \
        -fno-sanitize-recover=all tests/fuzz.c -o "$OUT/$name" -lm || return 1
    rm -rf "$OUT/$name.found" && mkdir "$OUT/$name.found" || return 1
    show_and_do "$OUT/$name" -max_total_time="$1" -seed="$SEED" -max_len=4100 -len_control=0 \
        -print_final_stats=0 -artifact_prefix="$OUT/$name." "$OUT/$name.found" tests/corpus 2>&1
}

# Then leaves a corpus to replace tests/corpus: the fewest inputs that take the branches of all.
new_corpus() { # seconds
    fuzzer "$1" || return 1
    rm -rf "$OUT/$name.corpus" && mkdir "$OUT/$name.corpus" || return 1
    show_and_do "$OUT/$name" -set_cover_merge=1 -use_counters=0 -max_len=4100 "$OUT/$name.corpus" \
        tests/corpus "$OUT/$name.found" 2>&1
}
