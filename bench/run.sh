#!/bin/sh
# Measures spatial.h at -O2, as users compile it.
#
#   sh bench/run.sh [BOXES...]         a table of pairs, and one of structures for each number of
#                                      boxes (default: 100 10000 100000)
#   sh bench/run.sh readme             the same, written into README.md between its bench markers
#   OLD=REVISION sh bench/run.sh ...   beside the spatial.h of that git revision, in one process,
#                                      frame by frame in turn; structures that it lacks are left
#                                      out there
#
# CC, CFLAGS, FRAMES (21) and SEED (1) are honoured.
set -eu
cd "$(dirname "$0")/.."
out=bench/out
mkdir -p "$out"
: "${CC:=cc}" "${CFLAGS:=-O2}" "${FRAMES:=21}" "${SEED:=1}"

compile_subject() { # NAME HEADER
    # shellcheck disable=SC2086 # CFLAGS is a list of words
    $CC $CFLAGS -DSUBJECT="$1" -DHEADER="\"$2\"" -c bench/subject.c -o "$out/$1.o"
}

compile_subject now_header ../spatial.h
objects=$out/now_header.o
with_old=
if [ -n "${OLD:-}" ]; then
    git show "$OLD:spatial.h" > "$out/old_spatial.h"
    compile_subject old_header out/old_spatial.h
    objects="$objects $out/old_header.o"
    with_old=-DWITH_OLD
fi
# shellcheck disable=SC2086
$CC $CFLAGS $with_old bench/bench.c $objects -o "$out/bench" -lm

readme=
if [ "${1:-}" = readme ]; then readme=yes; shift; fi
[ $# -gt 0 ] || set -- 100 10000 100000
{
    processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
    printf 'Medians of %s frames, processor time; %s, `%s`, %s; seed %s.\n' "$FRAMES" \
        "$($CC --version | head -n 1)" "$CFLAGS" "${processor:-$(uname -m)}" "$SEED"
    echo
    for n; do "$out/bench" "$n" "$FRAMES" "$SEED" > "$out/table.$n"; done
    for n; do # the first tables become one
        awk -v skip="$([ "$n" = "$1" ] || echo 2)" '!NF { exit } NR > skip + 0' "$out/table.$n"
    done
    for last; do :; done
    for n; do # of the second ones, those for fewer boxes are folded away
        echo
        [ "$n" = "$last" ] || printf '<details><summary>%s boxes</summary>\n\n' "$n"
        awk 'NF && second; !NF { second = 1 }' "$out/table.$n"
        [ "$n" = "$last" ] || printf '\n</details>\n'
    done
} > "$out/results.md"
cat "$out/results.md"
[ -z "$readme" ] || sh tools/readme.sh bench "$out/results.md"
