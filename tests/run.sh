#!/bin/sh
# Builds and runs the tests.
#
#   sh tests/run.sh         in a minute or two; needs only a C compiler and sh
#   sh tests/run.sh full    also other compilers, standards, machines, sanitizers, analysers
#   sh tests/run.sh [full] NAME...    only the row of that name, or else all whose names contain it:
#                                     test_linear, @int, hygiene, full header, full s390x
#
# Environment: CC (cc), CFLAGS, SEED of the random tests (20260101), JOBS (one a processor), OUT,
# the folder for what is built (tests/out), REQUIRE_ALL=1: a row that cannot run has failed.
#
# A row is a program in one way of building it. Its log is $OUT/ROW.log; the last line printed is
# `N passed, N failed, N skipped`, and the exit status 1 if any failed.
# shellcheck disable=SC2086,SC2016 # lists are split on purpose; rows expand variables later
set -u
cd "$(dirname "$0")/.." || exit 1
: "${CC:=cc}" "${CFLAGS:=}" "${SEED:=20260101}" "${OUT:=tests/out}" "${REQUIRE_ALL:=0}"
: "${JOBS:=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}"
# A refused allocation is an answer that the tests expect, not an error to stop at.
: "${ASAN_OPTIONS:=allocator_may_return_null=1}" "${MSAN_OPTIONS:=allocator_may_return_null=1}"
: "${UBSAN_OPTIONS:=print_stacktrace=1}"
export CC CFLAGS SEED OUT REQUIRE_ALL JOBS ASAN_OPTIONS MSAN_OPTIONS UBSAN_OPTIONS

. tests/rows.sh

# ------------------------------------------------------------------------------------------------
# What is the same for all rows

warnings="-pedantic-errors -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wundef \
-Wcast-qual -Wdouble-promotion -Werror"

# clang's -Weverything without
#   padded                           tells where padding is: the layouts are on purpose
#   comma                            two short steps on one line are house style
#   used-but-marked-unused           SPATIAL_STATIC: what a file does not use must not be warned of
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
skipped=77 # exit status of a row that cannot run here; its last line says why
plan=$OUT/plan
answers=$OUT/have # to whether a machine has what rows need
limit= # on the time of a program
own_programs=yes # those of single structures
if command -v timeout >/dev/null; then limit="timeout 180"; fi

# ------------------------------------------------------------------------------------------------
# What rows need

nothing='int main(void) { return 0; }'
overflow='static volatile char room[4]; int main(int n, char **a) { return a ? room[n + 3] : 1; }'

links() { # program, compiler and flags: do they make one of it?
    echo "$1" >"$OUT/$name.try.c"
    shift
    "$@" "$OUT/$name.try.c" -o "$OUT/$name.try" 2>"$OUT/$name.try.log"
}

sanitizes() { # compiler and flags: some compilers take the flags and do nothing
    links "$nothing" "$@" && "$OUT/$name.try" && links "$overflow" "$@" && ! "$OUT/$name.try"
}

provides() { # a command, or one of these
    case $1 in
    sanitizers) sanitizes $CC $CFLAGS -fsanitize=address,undefined ;;
    tsan) links "$nothing" $CC $CFLAGS -pthread -fsanitize=thread && "$OUT/$name.try" ;;
    clang-rt) sanitizes clang -fsanitize=address,undefined ;;
    m32) links "$nothing" gcc -m32 && { "$OUT/$name.try" || command -v qemu-i386; } ;;
    s390x) command -v qemu-s390x && links "$nothing" s390x-linux-gnu-gcc -static ;;
    aarch64) command -v qemu-aarch64 && links "$nothing" aarch64-linux-gnu-gcc -static ;;
    fma) grep -qw fma /proc/cpuinfo ;;
    chipmunk) [ -f /usr/include/chipmunk/chipmunk_private.h ] ;;
    *) command -v "$1" ;;
    esac
}

# Asked once a run, not by every row: the answer is kept in a file.
have() {
    [ -f "$answers/$1" ] || {
        if provides "$1" >/dev/null 2>&1; then echo yes; else echo no; fi >"$answers/$1 $name"
        mv "$answers/$1 $name" "$answers/$1"
    }
    read -r answer <"$answers/$1"
    [ "$answer" = yes ]
}

who_has() { # what is missing: what to get
    case $1 in
    sanitizers) echo "$CC with -fsanitize=address,undefined" ;;
    tsan) echo "$CC with -fsanitize=thread" ;;
    clang++) echo "Debian package clang" ;;
    clang-rt) echo "Debian package libclang-rt-dev" ;;
    m32) echo "Debian package gcc-12-multilib, and qemu-user where the kernel is 64-bit alone" ;;
    s390x) echo "Debian packages gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user" ;;
    aarch64) echo "Debian packages gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user" ;;
    fma) echo "a processor with fused multiply-add" ;;
    pcc) echo "Debian packages pcc libpcc-dev" ;;
    mpicc) echo "Debian packages libopenmpi-dev openmpi-bin" ;;
    sdl2-config) echo "Debian package libsdl2-dev" ;;
    chipmunk) echo "Debian package libchipmunk-dev" ;;
    *) echo "Debian package $1" ;;
    esac
}

# ------------------------------------------------------------------------------------------------
# What rows do. Each finds the name of its row in $name and tells its result by its exit status; the
# last line that it prints stands in the table if it passes.

show_and_do() {
    printf '+ %s\n' "$*"
    "$@"
}

program() { # source, divisor of the random work, what runs it, compiler and flags
    source=$1 OPS_DIVISOR=$2 runner=$3
    export OPS_DIVISOR
    shift 3
    case $source in */fuzz.c) set -- "$@" -DFUZZ_REPLAY ;; esac
    show_and_do "$@" -o "$OUT/$name" "$source" -lm || return 1
    show_and_do $limit $runner "$OUT/$name"
}

# Without a look for leaks, which takes twice as long as all else of a process that ends anyway.
command_line() { # compiler and flags
    show_and_do "$@" -o "$OUT/$name" tools/spatial.c -lm || return 1
    ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=0 show_and_do $limit sh tests/test_cli.sh "$OUT/$name"
}

# Parts on threads: few boxes and many, fewer threads than parts and about as many.
threads() { # compiler and flags
    show_and_do "$@" -I. -o "$OUT/$name" examples/parts.c -lm || return 1
    for threads in 2 5 16; do
        for boxes in 1 5000 20000 200000; do
            show_and_do $limit "$OUT/$name" --boxes $boxes --threads $threads || return 1
        done
    done
}

hygiene() { # check, C compiler, C++ compiler
    CC=$2 CXX=$3 OUT=$(cd "$OUT" && pwd)/$name.files $limit sh tests/hygiene/hygiene.sh "$1"
}

# The header alone: as declarations, with the implementation, private, and without the C library.
header() { # compiler and flags
    for variant in $variants; do
        show_and_do "$@" "$variant" -fsyntax-only -include ./spatial.h /dev/null ||
            return 1
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

for_variants() { # command that takes a variant as its last argument but one: the implementation
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

# The folders of mpi.h, for a compiler that is not mpicc and shall not warn of what is in there.
mpi_headers() {
    mpicc -E -M -x c - <<'END' | tr ' ' '\n' | sed -n 's|\(.*\)/mpi\.h$|-isystem \1|p'
#include <mpi.h>
END
}

# That of SDL.h.
sdl_headers() { sdl2-config --cflags | sed 's/-I/-isystem /g'; }

# The analyser looks only at functions of the file itself: spatial.h must be given as such.
tidy() { # flags of the compiler, and as the last argument the file (ignored among the flags)
    for file; do :; done
    said=$(clang-tidy --quiet --warnings-as-errors='*' --header-filter='(spatial\.hp*|timing\.h)$' \
        --checks="$tidy_checks" "$file" -- "$@" 2>&1) && return
    printf '%s\n' "$said"
    return 1
}

# Looks for inputs that are slow: see tests/test_attacks.c.
attack_search() { # steps
    show_and_do $CC -std=c99 -O2 $CFLAGS tests/test_attacks.c -o "$OUT/$name" -lm || return 1
    SEARCH_STEPS=$1 show_and_do $limit "$OUT/$name" search
}

fuzzer() { # seconds
    show_and_do clang -std=c99 -g -O1 -fsanitize=fuzzer,address,undefined \
        -fno-sanitize-recover=all tests/fuzz.c -o "$OUT/$name" -lm || return 1
    show_and_do "$OUT/$name" -max_total_time="$1" -seed="$SEED" -max_len=4100 -print_final_stats=0 \
        -artifact_prefix="$OUT/$name." 2>&1
}

# ------------------------------------------------------------------------------------------------
# The plan: a line a row, `name|needs|command`. A need with a ? before it is not required.

row() { # name, needs, command
    printf '%s|%s|%s\n' "$1" "$2" "$3" >>"$plan"
}

# The last argument is for programs in which vectors are not the matter: reading the compiler's
# header of AVX2 is half of a compilation without optimisation.
config() { # suffix of the names, needs, divisor, what runs them, compiler and flags [, more]
    for source in tests/test_*.c tests/fuzz.c; do
        more=${6:-}
        case $source in */test_broadphase.c | */test_golden.c) more= ;; esac
        case $own_programs$source in
        no*/test_linear.c | no*/test_quadtree.c | no*/test_loosegrid.c) continue ;;
        no*/test_traps.c) continue ;;
        few*) asks_most "$source" || continue ;;
        esac
        row "$(basename "$source" .c)$1" "$2" "program $source $3 '$4' $5 $more"
    done
}

# In the full set programs do more of their random work; other rows do it in part anyway. test_index
# asks every structure in each way of building; the others have only the programs that ask most, for
# in the full set all run with sanitizers and with the other coordinates.
normal_plan() {
    cc='$CC $STANDARD' flags='$CFLAGS' narrow=-DSPATIAL_NO_AVX2
    if [ -n "$MODE" ]; then most=1 part=40; else most=8 part=200; fi
    # The long ones first, so that none is left over at the end.
    row test_cli "" "command_line $cc -O1 $flags"
    for check in $(sh tests/hygiene/hygiene.sh); do
        case $MODE$check in
        *linked_cxx | *casts) continue ;; # full has them: they need C++,
        linked | sections | symbols | options) continue ;; # these compile all of it many times
        esac
        row "hygiene_$check" "" "hygiene $check \"\$CC\" none"
    done
    config "" "" $most "" "$cc -O1 -DSPATIAL_STATIC $flags"
    own_programs=few
    config @asan sanitizers $part "" "$cc -g -fsanitize=address,undefined \
-fno-sanitize-recover=all $flags" $narrow
    # The others without optimisation: most of their time goes into compiling.
    config @double "" $part "" "$cc -DSPATIAL_DOUBLE $flags" $narrow
    config @int "" $part "" "$cc -DSPATIAL_INT $flags" $narrow
    row test_attacks@small "" "program tests/test_attacks.c $part '' $cc -O1 -DSPATIAL_SMALL $flags"
    for name in test_broadphase test_golden; do
        row $name@nosimd "" "program tests/$name.c $part '' $cc -DSPATIAL_NO_SIMD $flags"
        row $name@noavx2 "" "program tests/$name.c $part '' $cc $narrow $flags"
    done
}

# Every compiler, standard, level of optimisation, coordinate and machine comes up, not every
# combination of them.
full_plan() {
    no_recover=-fno-sanitize-recover=all
    asan="clang -g -fsanitize=address,undefined,float-cast-overflow $no_recover"
    msan="clang -g -fsanitize=memory -fsanitize-memory-track-origins $no_recover"
    valgrind="valgrind -q --error-exitcode=9 --leak-check=full"
    s390x="s390x-linux-gnu-gcc -static"
    aarch64="aarch64-linux-gnu-gcc -static"

    # The long ones first, so that none is left over at the end.
    row size "" "sh tools/size.sh limits"
    for target in $(sh tests/targets.sh list); do
        row target_$target "" "OUT=$OUT/targets sh tests/targets.sh $target"
    done
    row coverage "gcc gcov gcovr" "sh tests/coverage.sh"
    row speed "gcc valgrind" "sh tests/speed.sh"
    row fuzzer "clang clang-rt" "fuzzer 20"
    row attack_search "" "attack_search 5000"
    # To walk through all paths is what takes the time: in the variants that differ from the first
    # only there, through those of the broadphase and of what it brings; in two of them gcc does.
    for variant in $variants; do
        suffix=$(echo "$variant" | sed 's/-DSPATIAL_/@/' | tr '[:upper:]' '[:lower:]')
        tidy="tidy -x c -std=c99 -DSPATIAL_IMPLEMENTATION $variant"
        part=
        case $variant in
        *_DOUBLE | *_INT | *_NO_SIMD)
            part="-DSPATIAL_NO_LINEAR -DSPATIAL_NO_QUADTREE -DSPATIAL_NO_LOOSEGRID"
            row "clang_tidy$suffix-whole" clang-tidy \
                "tidy_checks=\$tidy_checks,-clang-analyzer-* $tidy spatial.h"
            ;;
        esac
        case $variant in
        *_FLOAT | *_INT) row "clang_tidy$suffix" clang-tidy "$tidy $part spatial.h" ;;
        esac
        row "gcc_analyzer$suffix" gcc "gcc -std=c99 -O1 -fanalyzer -Werror $variant $part \
-c $implementation -o $OUT/gcc_analyzer$suffix.o"
    done
    tidy="tidy -std=c99 -I. -DSPATIAL_NO_AVX2"
    row clang_tidy@tools clang-tidy "for_sources tools $tidy"
    row clang_tidy@examples clang-tidy "for_sources examples $tidy"
    row clang_tidy@mpi "clang-tidy mpicc" "for_sources examples/mpi $tidy \$(mpi_headers)"
    row clang_tidy@web clang-tidy "for_sources examples/web $tidy"
    row clang_tidy@window "clang-tidy sdl2-config" "$tidy \$(sdl_headers) examples/window.c"
    row clang_tidy@cpp clang-tidy \
        "tidy_checks=\$tidy_checks,-misc-non-private-member-variables-in-classes \
tidy -std=c++17 -I. -DSPATIAL_NO_AVX2 examples/cpp/rooms.cpp"
    row clang_tidy@chipmunk "clang-tidy chipmunk" "for_sources examples/chipmunk $tidy"
    row cppcheck cppcheck "for_variants cppcheck $cppcheck_flags"
    row cppcheck@tools cppcheck "for_sources tools cppcheck $cppcheck_flags"
    row cppcheck@examples cppcheck "for_sources examples cppcheck $cppcheck_flags"
    row cppcheck@mpi cppcheck "for_sources examples/mpi cppcheck $cppcheck_flags"
    row cppcheck@web cppcheck "for_sources examples/web cppcheck $cppcheck_flags"
    row cppcheck@window cppcheck "show_and_do cppcheck $cppcheck_flags examples/window.c"
    row cppcheck@chipmunk cppcheck "for_sources examples/chipmunk cppcheck $cppcheck_flags"

    row header@gcc-c89 gcc "header gcc -x c -std=c89 -O2 $warnings"
    row header@g++-c++98 g++ "header g++ -x c++ -std=c++98 -O2 $warnings"
    row header@g++-c++17 g++ "header g++ -x c++ -std=c++17 -O0 $warnings"
    # clang's warnings do not depend on the optimisation, gcc's do.
    row header@clang-c89 clang "header clang -x c -std=c89 -O0 $warnings"
    row header@clang++-c++98 clang++ "header clang++ -x c++ -std=c++98 -O0 $warnings"
    row header@clang++-c++17 clang++ "header clang++ -x c++ -std=c++17 -O0 $warnings"
    row header@everything clang "header clang -x c -std=c89 -Weverything -Werror $not_everything"
    row header@everything-c++ clang++ "header clang++ -x c++ -std=c++98 -Weverything -Werror \
$not_everything_cxx"
    row hygiene_linked_cxx@gcc "gcc g++" "hygiene linked_cxx gcc g++"
    row hygiene_linked_cxx@clang "clang clang++" "hygiene linked_cxx clang clang++"
    row hygiene_casts@gcc "gcc g++" "hygiene casts gcc g++"
    row hygiene_casts@clang "clang clang++" "hygiene casts clang clang++"
    for check in names symbols static_symbols freestanding macros clashes options linked; do
        row hygiene_$check@clang clang "hygiene $check clang none"
    done

    config @gcc-c99-O0 gcc 40 "" "gcc -std=c99 -O0 $warnings"
    config @gcc-c11-Os-int gcc 40 "" "gcc -std=c11 -Os -DSPATIAL_INT $warnings"
    config @gcc-c11-O2-double gcc 40 "" "gcc -std=c11 -O2 -DSPATIAL_DOUBLE $warnings"
    config @clang-c99-O2 clang 8 "" "clang -std=c99 -O2 $warnings"
    config @asan-clang "clang clang-rt" 40 "" "$asan -std=c99"
    row test_cli@asan-clang "clang clang-rt" "command_line $asan -std=c99"
    config @tcc "?tcc" 120 "" tcc

    own_programs=no # test_index asks every structure; the rest of each is the same in the above
    # big-endian, and unsigned char
    config @s390x s390x 120 qemu-s390x "$s390x -std=gnu99 -O2 $warnings"
    # 32 bits: small size_t and, before SSE, floating point in the x87's 80 bits
    i386=$(runner_of_i386) part=40
    [ -z "$i386" ] || part=120 # emulated
    config @m32-i386 "gcc m32" $part "$i386" "gcc -m32 -march=i386 -std=gnu99 -O2 $warnings"
    config @clang-c11-O0-int clang 40 "" "clang -std=c11 -O0 -DSPATIAL_INT $warnings"
    config @clang-c99-Os-double clang 40 "" "clang -std=c99 -Os -DSPATIAL_DOUBLE $warnings"
    config @clang-c11-O2-nosimd clang 40 "" "clang -std=c11 -O2 -DSPATIAL_NO_SIMD $warnings"
    # Those that ask most: where two things that are above come together, or where they are slow.
    own_programs=few
    config @gcc-gnu11-O3-fma "gcc ?fma" 20 "" "gcc -std=gnu11 -O3 -march=native -ffp-contract=fast"
    config @asan-clang-double "clang clang-rt" 40 "" "$asan -std=c99 -DSPATIAL_DOUBLE"
    config @asan-clang-int "clang clang-rt" 40 "" "$asan -std=c99 -DSPATIAL_INT"
    config @m32-sse2 "gcc m32" $part "$i386" "gcc -m32 -msse2 -mfpmath=sse -std=c99 -O2 $warnings"
    config @m32-i386-double "gcc m32" $part "$i386" \
        "gcc -m32 -march=i386 -std=gnu99 -O1 -DSPATIAL_DOUBLE"
    config @m32-int "gcc m32" $part "$i386" "gcc -m32 -std=c99 -Os -DSPATIAL_INT $warnings"
    # NEON
    config @aarch64 aarch64 120 qemu-aarch64 "$aarch64 -std=gnu99 -O2 $warnings"
    config @msan "clang clang-rt" 120 "" "$msan -std=c99 -O1"
    config @asan-clang-nosimd "clang clang-rt" 40 "" "$asan -std=c99 -DSPATIAL_NO_SIMD"
    config @msan-int "clang clang-rt" 120 "" "$msan -std=c99 -O1 -DSPATIAL_INT -DSPATIAL_NO_SIMD"
    config @valgrind "gcc valgrind" 120 "$valgrind" "gcc -std=c99 -g -O1"
    config @s390x-double s390x 120 qemu-s390x "$s390x -std=gnu99 -O2 -DSPATIAL_DOUBLE"
    config @s390x-int s390x 120 qemu-s390x "$s390x -std=gnu99 -O2 -DSPATIAL_INT"
    config @aarch64-double aarch64 120 qemu-aarch64 "$aarch64 -std=gnu99 -O2 -DSPATIAL_DOUBLE"
    own_programs=yes
    # pcc takes !(a >= b) for a < b, which it is not for a NaN: the others ask with such.
    for name in attacks broadphase contacts golden intlist linear loosegrid morton packed traps; do
        row "test_$name@pcc" "?pcc" "program tests/test_$name.c 120 '' pcc"
    done

    for cc in gcc clang; do
        check="$cc -std=c99 -I. -O2 -fsyntax-only $warnings"
        row sources_tools@$cc $cc "for_sources tools $check"
        row sources_examples@$cc $cc "for_sources examples $check"
        row sources_mpi@$cc "$cc mpicc" "for_sources examples/mpi $check \$(mpi_headers)"
        row sources_window@$cc "$cc sdl2-config" "$check \$(sdl_headers) examples/window.c"
        row sources_chipmunk@$cc "$cc chipmunk" "for_sources examples/chipmunk $check"
        row sources_bench@$cc $cc \
            "for_sources bench $check -DSUBJECT=now_header '-DHEADER=\"spatial.h\"'"
        row sources_speed@$cc $cc "show_and_do $check tests/speed.c"
    done
    row tsan_parts tsan "threads \$CC -std=c99 -g -O1 \$CFLAGS -pthread -fsanitize=thread"
    row examples "" "CFLAGS=-O2 OUT=$OUT/examples.files sh examples/run.sh"
}

# ------------------------------------------------------------------------------------------------
# One row, in a process of its own

missing_of() { # needs: why the row cannot run; nothing if it can
    for need; do
        have "${need#\?}" || {
            case $need in
            \?*) echo "needs $(who_has "${need#\?}") (not required)" ;;
            *) echo "needs $(who_has "$need")" ;;
            esac
            return
        }
    done
}

run_row() { # number of its line in the plan
    line=$(sed -n "$1p" "$plan")
    name=${line%%|*}
    line=${line#*|}
    needs=${line%%|*}
    log=$OUT/$name.log
    begin=$(milliseconds)
    missing=$(missing_of $needs)
    if [ -n "$missing" ]; then
        echo "$missing" >"$log"
        status=$skipped
    else
        (eval "${line#*|}") >"$log" 2>&1 </dev/null
        status=$?
    fi
    elapsed=$(($(milliseconds) - begin))
    report_row >"$OUT/$name.result"
    cat "$OUT/$name.result"
}

report_row() {
    last=$(tail -n 1 "$log" | cut -c1-100)
    case $status in
    0) verdict=ok ;;
    "$skipped") verdict=SKIP ;;
    *) verdict=FAIL ;;
    esac
    case $verdict$REQUIRE_ALL$last in
    *"(not required)") ;;
    SKIP1*) verdict=FAIL ;;
    esac
    case $verdict$last in
    "ok+ "*) last= ;; # nothing was printed but the command
    FAIL*) last="exit status $status" ;;
    esac
    printf '%-4s  %-36s %4d.%d s  %s\n' $verdict "$name" $((elapsed / 1000)) \
        $((elapsed % 1000 / 100)) "$last"
    [ $verdict = FAIL ] || return
    awk '{ line[NR] = $0 }
        END {
            for (i = 1; i <= NR; i++)
                if (i <= 15 || i > NR - 25) print "      " line[i]
                else if (i == 16) print "      ..."
        }' "$log"
    printf '      again: SEED=%s CC="%s" CFLAGS="%s" sh tests/run.sh %s%s\n' "$SEED" "$CC" \
        "$CFLAGS" "$MODE" "$name"
}

# ------------------------------------------------------------------------------------------------
# All rows

run_all() {
    total=$(awk 'END { print NR }' "$plan")
    cut -d'|' -f1 "$plan" | while read -r name; do rm -f "$OUT/$name.result"; done
    parallel=
    if echo | xargs -P 2 true 2>/dev/null; then parallel="-P $JOBS"; fi
    awk 'END { for (i = 1; i <= NR; i++) print i }' "$plan" |
        xargs -n 1 $parallel sh tests/run.sh --row
    passed=$(count_of ok)
    skips=$(count_of SKIP)
    echo "$passed passed, $((total - passed - skips)) failed, $skips skipped"
    [ $((passed + skips)) = "$total" ]
}

count_of() { # verdict
    cut -d'|' -f1 "$plan" | while read -r name; do
        head -n 1 "$OUT/$name.result" 2>/dev/null
    done | awk -v verdict="$1" '$1 == verdict { n++ } END { print n + 0 }'
}

compiler_line() { # the first line in which the compiler tells its version
    for flag in --version -v; do
        line=$($CC $flag 2>&1) && break
    done
    printf '%s\n' "$line" | head -n 1
}

# The standard and the warnings, for a compiler that knows them; for others nothing.
standard_of_cc() {
    name=standard
    if links "$nothing" $CC -std=c99 $warnings && [ ! -s "$OUT/$name.try.log" ]; then
        echo "-std=c99 $warnings"
    fi
}

if [ "${1:-}" = --row ]; then
    run_row "$2"
    exit 0
fi

rm -rf "$answers"
mkdir -p "$answers" || exit 1
MODE=
if [ "${1:-}" = full ]; then
    MODE="full "
    shift
fi
STANDARD=$(standard_of_cc)
export MODE STANDARD
: >"$plan"
[ -z "$MODE" ] || full_plan
normal_plan
[ $# -eq 0 ] || choose "$@"

echo "compiler  $CC: $(compiler_line)"
echo "flags     $STANDARD $CFLAGS"
echo "seed      $SEED"
run_all
