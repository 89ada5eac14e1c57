# common.sh - the beginning of each run.sh of the examples, which source it at the top of the
# repository. `here` is the folder of the example.
#
# Environment: CC (cc) and CFLAGS (-O2), the compiler for this machine; OUT (examples/out, or a
# folder of that name in it), where everything goes that is built. Exit status: 0 all is as
# promised, 1 something is not, 77 nothing failed, but a part was skipped.
# shellcheck shell=sh disable=SC2034,SC2086 # the scripts use these; several words

here=$(dirname "$0")
here=examples${here##*examples}
CC=${CC:-cc}
CFLAGS=${CFLAGS--O2}
OUT=${OUT:-examples/out${here#examples}}
warnings="-Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wundef -Wcast-qual
    -Wdouble-promotion -Werror"
limit= # on the time of a run
if command -v timeout >/dev/null; then limit="timeout -k 10 1800"; fi
passed=0 failed=0 skipped=0

pass() { passed=$((passed + 1)) && echo "ok    $1"; }
fail() { failed=$((failed + 1)) && echo "FAIL  $1"; }
skip() { skipped=$((skipped + 1)) && echo "skip  $1"; }
has() { command -v "${1%% *}" >/dev/null 2>&1; }

finish() {
    echo "$passed passed, $failed failed, $skipped skipped"
    [ "$failed" -eq 0 ] || exit 1
    [ "$skipped" -eq 0 ] || exit 77
    exit 0
}

# needs TITLE PROGRAM PACKAGE PROGRAM PACKAGE...: 0 if the programs are here; else skips the part.
needs() {
    title=$1
    shift
    while [ $# -gt 0 ]; do
        has "$1" || { skip "$title: it needs the Debian package $2."; return 1; }
        shift 2
    done
}

# must TITLE COMMAND...: a step of a part; if it fails, so does the part, and shows what it wrote.
must() {
    title=$1
    shift
    "$@" >"$OUT/log.txt" 2>&1 || { fail "$title" && tail -n 20 "$OUT/log.txt" && return 1; }
}

# check TITLE COMMAND...: reports whether the command succeeds.
check() { must "$@" && pass "$1"; }

# builds NAME ARGUMENTS...: makes $OUT/NAME with the compiler for this machine.
builds() {
    program=$1
    shift
    must "$program does not build" $CC $CFLAGS -I. -o "$OUT/$program" "$@"
}

# same TITLE EXPECTED ACTUAL: compares two files and reports. Lines may end in CR LF, and lines
# that $but, a script of sed, deletes do not count.
but=
same() {
    tr -d '\r' <"$2" | sed "$but" >"$OUT/wanted.txt"
    tr -d '\r' <"$3" | sed "$but" >"$OUT/got.txt"
    must "$1 (< expected, > actual)" diff "$OUT/wanted.txt" "$OUT/got.txt" && pass "$1"
    rm -f "$OUT/wanted.txt" "$OUT/got.txt"
}

# prints TITLE EXPECTED COMMAND...: reports whether a command succeeds and prints this file.
prints() {
    title=$1 expected=$2
    shift 2
    "$@" >"$OUT/actual.txt" || { fail "$title: exit status $?" && return 1; }
    same "$title" "$expected" "$OUT/actual.txt"
}

# tries PROGRAM FLAGS LIBRARIES: 0 if this C program can be built here.
tries() {
    printf '%s\n' "$1" >"$OUT/try.c"
    $CC $CFLAGS $2 -o "$OUT/try" "$OUT/try.c" ${3:-} >"$OUT/log.txt" 2>&1
}

# The output that a program's text promises between "/* Prints...:" and "*/".
promise() { sed -n '/^\/\* Prints.*:$/,/^\*\/$/p' "$1" | sed '1d;$d'; }

mkdir -p "$OUT" && OUT=$(cd "$OUT" && pwd) || exit 1
has "$CC" || {
    echo "There is no C compiler named ${CC%% *}. Name yours, as in CC=gcc sh $here/run.sh" >&2
    exit 1
}
