#!/bin/sh
# Measures spatial.h at -O2, as users compile it, beside other libraries.
#
#   sh bench/run.sh          everything, in some ten minutes: prints tables and writes
#                            bench/results.md and the picture bench/results.svg
#   sh bench/run.sh readme   the same, and a selection into README.md between its bench markers
#   sh bench/run.sh quick    every job with few boxes: answers are compared, times say little
#   sh bench/run.sh setup    installs the other libraries from Debian; as root or by sudo
#   sh bench/run.sh tables [readme]    the tables of the last measurements, once more
#   sh bench/run.sh JOB WORKLOAD BOXES [ROUNDS [BUDGET]]    one measurement, its table only printed;
#                            for jobs see bench/jobs.h, for workloads bench/workloads.h
#   OLD=REVISION sh bench/run.sh [quick | JOB ...]    beside the spatial.h of that git revision, in
#                            one process and in turns, and how many times as fast it is now; without
#                            other libraries unless PEERS names some; only printed
#
# Environment: CC, CXX, CFLAGS (-O2; for C++ too; "-O2 -mavx2" has wider vectors), SEED (1), JOBS:
# compilers at a time (2), PEERS: names of files in bench/peers (all of them; '' for none).
set -eu
cd "$(dirname "$0")/.."
out=bench/out
mkdir -p "$out/objects"
: "${CC:=cc}" "${CXX:=c++}" "${CFLAGS:=-O2}" "${SEED:=1}" "${JOBS:=2}" "${OLD:=}"
sources="bench contest frames moved updates questions ticks neighbours brute threads"
sources="$sources measure workloads"
table=$out/results.tsv # measurements, in lines; see bench/measure.h

usage() {
    sed -n '2,/^set /{/^set /d; s/^# \{0,1\}//; p;}' bench/run.sh >&2
    exit 2
}

all_peers() {
    for file in bench/peers/*.c bench/peers/*.cpp; do
        file=${file##*/}
        printf '%s ' "${file%.*}"
    done
}
[ -z "$OLD" ] || : "${PEERS=}"
: "${PEERS=$(all_peers)}"

# ------------------------------------------------------------------------------------------------
# Other libraries: each file of bench/peers names its package, a header of it that is looked for,
# and flags. "none" is nothing.

peer_file() { # name
    for file in "bench/peers/$1.c" "bench/peers/$1.cpp"; do
        [ ! -f "$file" ] || echo "$file"
    done
}

peer_field() { # file, number of the field
    awk -v wanted="$2" '
        /^ *package: / { reading = 1 }
        reading { text = text " " $0 }
        reading && /link: / {
            gsub(/ +/, " ", text)
            sub(/ \*\/.*/, "", text)
            sub(/^ package: /, "", text)
            split(text, fields, /; [a-z]+: /)
            if (fields[wanted] != "none") print fields[wanted]
            exit
        }' "$1"
}

compiler_of() { # file
    case $1 in
    *.cpp) echo "$CXX -std=c++17" ;;
    *) echo "$CC -std=c99" ;;
    esac
}

missing_of() { # file: what it lacks; nothing if it can be compiled
    command -v "${CXX%% *}" >/dev/null || case $1 in *.cpp) echo "a C++ compiler" && return ;; esac
    header=$(peer_field "$1" 2)
    [ -n "$header" ] || return 0
    # shellcheck disable=SC2046 # lists are split on purpose, here and below
    printf '#include <%s>\n' "$header" | $(compiler_of "$1") $(peer_field "$1" 3) -E \
        -x "$(case $1 in *.cpp) echo c++ ;; *) echo c ;; esac)" - >/dev/null 2>&1 ||
        echo "Debian package $(peer_field "$1" 1)"
}

setup() {
    packages=
    for name in $(all_peers); do
        packages="$packages $(peer_field "$(peer_file "$name")" 1)"
    done
    [ "$(id -u)" -eq 0 ] && as_root='' || as_root=sudo
    # shellcheck disable=SC2086
    $as_root apt-get update && $as_root apt-get install -y --no-install-recommends $packages
}

# ------------------------------------------------------------------------------------------------
# Building. An object is made anew if its command, its source or a header of ours has changed.

jobs=0

compile() { # name of the object, source, command
    object=$out/objects/$1.o from=$2
    shift 2
    headers="bench/*.h bench/peers/*.h bench/peers/boost.cpp"
    case $object in *_peer.o) ;; *) headers="$headers spatial.h" ;; esac
    # shellcheck disable=SC2086
    if [ -f "$object" ] && [ "$(cat "$object.command")" = "$*" ] &&
        [ -z "$(find "$from" $headers -newer "$object")" ]; then
        return
    fi
    rm -f "$object"
    ("$@" -c "$from" -o "$object" 2>"$object.log" && printf '%s' "$*" >"$object.command") &
    jobs=$((jobs + 1)) # few at a time: compilers of C++ want memory
    [ $((jobs % JOBS)) -ne 0 ] || wait
}

compile_peers() { # sets names
    for name in $PEERS; do
        file=$(peer_file "$name")
        [ -n "$file" ] || { echo "bench: no peer $name" >&2 && exit 2; }
        missing=$(missing_of "$file")
        if [ -n "$missing" ]; then
            printf 'skip\t%s: needs %s\n' "$name" "$missing" >>"$table"
            continue
        fi
        # shellcheck disable=SC2046,SC2086
        compile "${name}_peer" "$file" $(compiler_of "$file") $CFLAGS $(peer_field "$file" 3)
        names="$names $name"
    done
    wait
}

link_peers() { # as far as they compiled
    for name in $names; do
        file=$(peer_file "$name")
        if [ ! -f "$out/objects/${name}_peer.o" ]; then
            printf 'skip\t%s: does not compile, see %s\n' "$name" \
                "$out/objects/${name}_peer.o.log" >>"$table"
            continue
        fi
        case $file in *.cpp) linker=$CXX ;; esac
        objects="$objects $out/objects/${name}_peer.o"
        links="$links $(peer_field "$file" 4)"
        subjects="$subjects SUBJECT(${name}_peer)"
    done
}

# The flags of POSIX threads, or the macro for a system without them.
thread_flags() {
    printf '%s\n' '#include <pthread.h>' 'static void *f(void *p) { return p; }' \
        'int main(void) { pthread_t t; return pthread_create(&t, 0, f, 0); }' >"$out/threads.c"
    # shellcheck disable=SC2086
    if $CC $CFLAGS -pthread "$out/threads.c" -o "$out/threads" 2>/dev/null; then
        echo -pthread
    else
        echo -DNO_THREADS
    fi
}

build() {
    names='' objects='' links='' linker=$CC subjects='SUBJECT(now_header)' threads=$(thread_flags)
    if [ -n "$OLD" ]; then
        git show "$OLD:spatial.h" >"$out/old_spatial.h"
        rm -f "$out/objects/old_header.o" # it may be of another revision
        subjects="$subjects SUBJECT(old_header)"
        # shellcheck disable=SC2086
        compile old_header bench/spatial.c $CC $CFLAGS -I. -DSUBJECT=old_header \
            "-DHEADER=\"$out/old_spatial.h\""
        objects=$out/objects/old_header.o
    fi
    # shellcheck disable=SC2086
    compile now_header bench/spatial.c $CC $CFLAGS -I. -DSUBJECT=now_header '-DHEADER="spatial.h"'
    objects="$objects $out/objects/now_header.o"
    compile_peers
    link_peers
    for source in $sources; do
        # shellcheck disable=SC2086
        compile "$source" "bench/$source.c" $CC $CFLAGS $threads \
            "$([ "$source" = bench ] && echo "-DSUBJECTS=$subjects" || echo -DBENCH)"
        objects="$objects $out/objects/$source.o"
    done
    wait
    # shellcheck disable=SC2086
    $linker $CFLAGS $objects $threads -o "$out/bench" $links -lm || {
        cat "$out"/objects/*.log >&2
        exit 1
    }
}

# ------------------------------------------------------------------------------------------------
# Measuring

begin() { # file for the measurements
    table=$1
    processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
    printf 'machine\t%s\t%s\t%s\t%s\t%s\n' "$($CC --version | head -n 1)" "$CFLAGS" \
        "${processor:-$(uname -m)}" "$(date -u +%Y-%m-%d)" "$SEED" >"$table"
    build
}

measure() { # job, workload, boxes, rounds, budget
    started=$(date +%s)
    "$out/bench" "$@" "$SEED" >>"$table" || exit 1
    echo "$1 $2, $3 boxes: $(($(date +%s) - started)) s" >&2
}

main_workloads="equal mixed clusters long"
workloads() { # all that come in any number
    printf '%s\n' equal mixed clusters 'small in clusters' long row cross giants 'few of 2048' \
        '0fps uniform' '0fps circle' '0fps skewed'
}

measure_all() {
    measure frames pile 400 101 0.2
    workloads | while read -r workload; do measure frames "$workload" 1000 51 0.1; done
    measure frames counties 3142 51 0.2
    for workload in $main_workloads; do measure frames "$workload" 10000 21 0.2; done
    workloads | while read -r workload; do measure frames "$workload" 100000 11 0.4; done
    for workload in $main_workloads; do measure frames "$workload" 1000000 5 1.5; done
    for workload in $main_workloads; do measure moved "$workload" 100000 31 2; done
    for workload in equal mixed clusters; do measure updates "$workload" 100000 7 0.5; done
    for workload in equal mixed clusters; do measure questions "$workload" 100000 7 0.15; done
    for workload in equal clusters; do measure questions "$workload" 1000000 5 0.15; done
    for boxes in 4 16 100 1000; do measure ticks equal $boxes 41 3; done
    for boxes in 1 16 256 4096 100000; do measure small equal $boxes 201 0.15; done
    measure small rain 2500 201 0.15
    for boxes in 50000 200000; do
        for workload in equal clusters; do measure neighbours $workload $boxes 13 1; done
    done
    for workload in equal mixed clusters; do
        measure threads $workload 100000 41 2
        measure threads $workload 1000000 11 5
    done
    for workload in $main_workloads; do measure brute "$workload" 400 11 1; done
}

measure_versions() {
    for boxes in 100000 1000000; do
        workloads | while read -r workload; do measure frames "$workload" $boxes 11 4; done
    done
    measure questions equal 100000 7 1
}

measure_quick() {
    for workload in $main_workloads pile; do measure frames "$workload" 3000 3 0.05; done
    measure frames equal 20000 3 0.1
    for workload in equal mixed; do
        measure moved $workload 10000 5 1
        measure updates $workload 3000 3 0.05
        measure questions $workload 10000 3 0.02
        measure neighbours $workload 3000 5 1
    done
    for boxes in 4 100; do measure ticks equal $boxes 3 1; done
    measure small equal 1 3 0.02
    measure small rain 2500 3 0.02
    measure threads equal 20000 3 1
    measure brute equal 20 1 1
}

# ------------------------------------------------------------------------------------------------
# Tables

publish() {
    { awk -f bench/tables.awk "$table" && cat bench/by_hand.md; } >bench/results.md
    awk -f bench/plot.awk "$table" >bench/results.svg
    cat bench/results.md
    [ "${1:-}" = readme ] || return 0
    awk -v view=readme -f bench/tables.awk "$table" >"$out/readme.md"
    sh tools/readme.sh bench "$out/readme.md"
}

case ${1:-} in
setup) setup ;;
tables) publish "${2:-}" ;;
'' | readme)
    if [ -n "$OLD" ]; then
        begin "$out/old.tsv"
        measure_versions
        awk -f bench/tables.awk "$table"
    else
        begin "$table"
        measure_all
        publish "${1:-}"
    fi
    ;;
quick)
    begin "$out/quick.tsv"
    measure_quick
    awk -f bench/tables.awk "$table"
    ;;
*)
    [ $# -ge 3 ] || usage
    begin "$out/one.tsv"
    measure "$1" "$2" "$3" "${4:-21}" "${5:-1}"
    awk -f bench/tables.awk "$table"
    ;;
esac
