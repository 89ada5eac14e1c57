#!/bin/sh
# Measures spatial.h at -O2, as users compile it, beside other libraries.
#
#   sh bench/run.sh          everything, in about a quarter of an hour: prints tables and writes
#                            bench/results.md and the picture bench/results.svg
#   sh bench/run.sh readme   the same, and a selection into README.md between its bench markers
#   sh bench/run.sh quick    a selection of it within a minute, into bench/out
#   sh bench/run.sh setup    installs the other libraries, those that Debian has; as root or by sudo
#   sh bench/run.sh tables [readme]    the tables of what was measured last, once more
#   sh bench/run.sh questions [WORKLOAD BOXES [ROUNDS [BUDGET]]]    the nearest, rays, circles and
#                            many windows, see bench/questions.c: of 100,000 and of 1,000,000 boxes
#                            in some four minutes, or one measurement; printed, and of the former
#                            the tables go into the next bench/results.md
#   sh bench/run.sh neighbours [ROUNDS]    all neighbours of all points, see bench/neighbours.c; in
#                            half a minute, only printed
#   sh bench/run.sh moved [ROUNDS]    pairs of some boxes beside all pairs, see bench/moved.c; in a
#                            minute, only printed
#   sh bench/run.sh JOB WORKLOAD BOXES [ROUNDS [BUDGET]]    one measurement, its table only printed;
#                            for jobs see bench/jobs.h, for workloads bench/workloads.h
#   OLD=REVISION sh bench/run.sh [quick | JOB ...]    beside the spatial.h of that git revision, in
#                            one process and in turns, and how many times as fast it is now; without
#                            other libraries unless PEERS names some; only printed. Without a word
#                            more: frames of 100,000 and of 1,000,000 boxes of every workload, in
#                            some five minutes and, for those that cross, 8 GB of memory
#
# Environment: CC, CXX, CFLAGS (-O2; for C++ too), SEED (1), JOBS: compilers at a time (2), PEERS:
# names of files in bench/peers, or for questions in bench/asked (all of them; '' for none).
set -eu
cd "$(dirname "$0")/.."
out=bench/out
mkdir -p "$out/objects"
: "${CC:=cc}" "${CXX:=c++}" "${CFLAGS:=-O2}" "${SEED:=1}" "${JOBS:=2}" "${OLD:=}"
sources="bench contest frames windows updates brute threads measure workloads memory"
table=$out/results.tsv # what is measured, in lines; see bench/jobs.h
peers=peer             # what they are called, and their folder
folder=bench/peers
[ "${1:-}" != questions ] || peers=asked folder=bench/asked

usage() {
    sed -n '2,/^set /{/^set /d; s/^# \{0,1\}//; p;}' bench/run.sh >&2
    exit 2
}

all_peers() {
    for file in "$folder"/*.c "$folder"/*.cpp; do
        [ -f "$file" ] || continue
        file=${file##*/}
        printf '%s ' "${file%.*}"
    done
}
[ -z "$OLD" ] || : "${PEERS=}"
: "${PEERS=$(all_peers)}"

# ------------------------------------------------------------------------------------------------
# Other libraries: each file of bench/peers, or bench/asked, names its package, a header of it that
# is looked for, and flags. "none" is nothing.

peer_file() { # name
    for file in "$folder/$1.c" "$folder/$1.cpp"; do
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

compile() { # name of the object, headers that it may need, source, command
    object=$out/objects/$1.o headers=$2 from=$3
    shift 3
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

compile_peers() { # sets names, links, linker
    for name in $PEERS; do
        file=$(peer_file "$name")
        [ -n "$file" ] || { echo "bench: no peer $name" >&2 && exit 2; }
        missing=$(missing_of "$file")
        if [ -n "$missing" ]; then
            printf 'skip\t%s\tneeds %s\n' "$name" "$missing" >>"$table"
            continue
        fi
        # shellcheck disable=SC2046,SC2086
        compile "${peers}_$name" "$peer_headers" "$file" \
            $(compiler_of "$file") $CFLAGS $(peer_field "$file" 3)
        names="$names $name"
    done
    wait
}

link_peers() { # those that compiled
    for name in $names; do
        file=$(peer_file "$name")
        if [ ! -f "$out/objects/${peers}_$name.o" ]; then
            printf 'skip\t%s\tdoes not compile, see %s\n' "$name" \
                "$out/objects/${peers}_$name.o.log" >>"$table"
            continue
        fi
        case $file in *.cpp) linker=$CXX ;; esac
        objects="$objects $out/objects/${peers}_$name.o"
        links="$links $(peer_field "$file" 4)"
        subjects="$subjects SUBJECT(${name}_$peers)"
    done
}

# The flags of POSIX threads, or what says that there are none.
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

version_of() { # a spatial.h
    sed -n 's/^#define SPT_VERSION "\(.*\)"$/\1/p' "$1"
}

build() {
    own_headers=$(echo bench/*.h) peer_headers="bench/subject.h $(echo bench/peers/*.h)"
    names='' objects='' links='' linker=$CC subjects='SUBJECT(now_header)'
    if [ -n "$OLD" ]; then
        git show "$OLD:spatial.h" >"$out/old_spatial.new"
        cmp -s "$out/old_spatial.new" "$out/old_spatial.h" ||
            cp "$out/old_spatial.new" "$out/old_spatial.h"
        subjects="$subjects SUBJECT(old_header)"
        printf 'old\t%s (%s)\n' "$(version_of "$out/old_spatial.h")" "$OLD" >>"$table"
        # shellcheck disable=SC2086
        compile old_header "$own_headers $out/old_spatial.h" bench/subject.c \
            $CC $CFLAGS -DSUBJECT=old_header '-DHEADER="out/old_spatial.h"'
        objects=$out/objects/old_header.o
    fi
    # shellcheck disable=SC2086
    compile now_header "$own_headers spatial.h" bench/subject.c \
        $CC $CFLAGS -DSUBJECT=now_header '-DHEADER="../spatial.h"'
    objects="$objects $out/objects/now_header.o"
    threads=$(thread_flags)
    for source in $sources; do
        flags=
        [ "$source" != threads ] || flags=$threads
        # shellcheck disable=SC2086
        compile "$source" "$own_headers spatial.h" "bench/$source.c" $CC $CFLAGS $flags
        objects="$objects $out/objects/$source.o"
    done
    compile_peers
    link_peers
    # shellcheck disable=SC2086
    compile subjects "$own_headers" bench/subjects.c $CC $CFLAGS "-DSUBJECTS=$subjects"
    wait
    link_program bench "$out/objects/subjects.o $threads"
}

build_questions() {
    own_headers=$(echo bench/*.h bench/asked/*.h)
    peer_headers="$own_headers $(echo bench/peers/*.h)"
    names='' objects='' links='' linker=$CC subjects='SUBJECT(spatial_asked)'
    for source in asked measure workloads; do
        # shellcheck disable=SC2086
        compile "$source" "$own_headers spatial.h" "bench/$source.c" $CC $CFLAGS
        objects="$objects $out/objects/$source.o"
    done
    compile_peers
    link_peers
    # shellcheck disable=SC2086
    compile questions "$own_headers" bench/questions.c $CC $CFLAGS "-DSUBJECTS=$subjects"
    wait
    link_program questions "$out/objects/questions.o"
}

build_neighbours() {
    peer=bench/asked/nanoflann.cpp objects='' links='' linker=$CC flags=
    if [ -z "$(missing_of "$peer")" ]; then
        # shellcheck disable=SC2046,SC2086
        compile neighbours_nanoflann '' bench/neighbours_nanoflann.cpp \
            $(compiler_of "$peer") $CFLAGS $(peer_field "$peer" 3)
        objects=$out/objects/neighbours_nanoflann.o linker=$CXX flags=-DNANOFLANN
    fi
    build_small neighbours measure
}

build_small() { # name, other sources; alone or beside what is in objects
    name=$1
    for source; do
        # shellcheck disable=SC2086
        compile "$source" "$(echo bench/*.h) spatial.h" "bench/$source.c" $CC $CFLAGS $flags
        objects="$objects $out/objects/$source.o"
    done
    wait
    link_program "$name" ''
}

link_program() { # name, what it has beside the objects
    # shellcheck disable=SC2086
    $linker $CFLAGS $objects $2 -o "$out/$1" $links -lm || {
        cat "$out"/objects/*.log >&2
        exit 1
    }
}

# ------------------------------------------------------------------------------------------------
# Measuring

machine() {
    processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
    printf 'machine\t%s\t%s\t%s\t%s\t%s\n' "$($CC --version | head -n 1)" "$CFLAGS" \
        "${processor:-$(uname -m)}" "$(date -u +%Y-%m-%d)" "$SEED"
}

measure() { # job, workload, boxes, rounds, budget
    printf '%s %s, %s boxes\n' "$1" "$2" "$3" >&2
    "$out/bench" "$@" "$SEED" >>"$table" || exit 1
}

measure_questions() { # workload, boxes, rounds, budget
    printf 'questions %s, %s boxes\n' "$1" "$2" >&2
    "$out/questions" "$@" "$SEED" >>"$table" || exit 1
}

main_workloads="equal mixed clusters long" # those that there are targets for
workloads() {                              # all that come in any number
    printf '%s\n' equal mixed clusters 'small in clusters' long row cross giants 'few of 2048' \
        '0fps uniform' '0fps circle' '0fps skewed'
}

measure_all() {
    measure frames pile 400 101 0.2
    measure frames counties 3142 51 0.2
    workloads | while read -r workload; do
        measure frames "$workload" 1000 101 0.1
        measure frames "$workload" 10000 21 0.2
        case " $main_workloads " in
        *" $workload "*) measure tenth "$workload" 100000 21 0.5 ;;
        *) measure frames "$workload" 100000 11 0.3 ;;
        esac
    done
    measure frames 'few of 2048' 400000 7 1
    for workload in $main_workloads; do
        measure frames "$workload" 1000000 7 2
        measure updates "$workload" 100000 7 0.5
        measure brute "$workload" 400 21 1
    done
    measure windows equal 1000000 3 1
    measure windows clusters 1000000 3 1
    measure threads equal 1000000 21 5
    measure threads clusters 1000000 21 5
}

measure_versions() {
    measure versions equal 20000 51 0.5
    workloads | while read -r workload; do measure versions "$workload" 100000 21 1; done
    workloads | while read -r workload; do measure versions "$workload" 1000000 7 8; done
}

measure_quick() {
    measure frames pile 400 21 0.1
    for workload in $main_workloads; do
        measure frames "$workload" 1000 11 0.05
        measure frames "$workload" 10000 5 0.05
        job=frames
        [ "$workload" != equal ] || job=tenth
        measure $job "$workload" 100000 5 0.1
    done
    measure brute equal 400 5 1
    measure updates equal 100000 3 0.1
    measure windows equal 100000 3 0.05
    measure threads equal 100000 5 0.2
}

# ------------------------------------------------------------------------------------------------
# Tables

questions= # what was measured of them, where it goes into the same tables

tables() { # view: full or readme, see bench/tables.awk
    awk -v view="$1" -f bench/results.awk -f bench/tables.awk "$table" ${questions:+"$questions"}
}

publish() {
    [ ! -f "$out/questions.tsv" ] || questions=$out/questions.tsv
    tables full >bench/results.md
    awk -f bench/results.awk -f bench/plot.awk "$table" >bench/results.svg
    cat bench/results.md
    [ "${1:-}" = readme ] || return 0
    tables readme >"$out/readme.md"
    sh tools/readme.sh bench "$out/readme.md"
}

begin() { # file for what is measured
    table=$1
    machine >"$table"
}

case ${1:-} in
setup) setup ;;
tables) publish "${2:-}" ;;
'' | readme)
    if [ -n "$OLD" ]; then
        begin "$out/old.tsv"
        build
        measure_versions
        tables full
    else
        begin "$table"
        build
        measure_all
        publish "${1:-}"
    fi
    ;;
quick)
    begin "$out/quick.tsv"
    build
    measure_quick
    tables full
    ;;
questions)
    [ $# -ne 2 ] || usage
    if [ $# -eq 1 ]; then
        begin "$out/questions.tsv"
        build_questions
        for boxes in 100000 1000000; do
            for workload in equal mixed clusters; do
                measure_questions $workload $boxes 15 2
            done
        done
    else
        begin "$out/one.tsv"
        build_questions
        measure_questions "$2" "$3" "${4:-7}" "${5:-1}"
    fi
    tables full
    ;;
neighbours)
    build_neighbours
    "$out/neighbours" "${2:-41}" "$SEED"
    ;;
moved)
    objects='' links='' linker=$CC flags=
    build_small moved measure workloads
    for boxes in 100000 1000000; do
        for workload in equal mixed clusters long; do
            "$out/moved" $workload $boxes "${2:-11}" "$SEED" || exit 1
        done
    done
    ;;
frames | tenth | versions | windows | updates | brute | threads)
    [ $# -ge 3 ] || usage
    begin "$out/one.tsv"
    build
    measure "$1" "$2" "$3" "${4:-21}" "${5:-1}"
    tables full
    ;;
*) usage ;;
esac
