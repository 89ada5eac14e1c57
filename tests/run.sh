#!/bin/sh
# Builds and runs the tests.
#
#   sh tests/run.sh          in less than a minute on two processors; needs only a C compiler and sh
#   sh tests/run.sh full     what a change must pass: other compilers, machines, sanitizers,
#                            analysers; eighteen minutes on two processors
#   sh tests/run.sh all      everything, once a week: more combinations of the same
#   sh tests/run.sh [full|all] NAME...    only the row of that name, or else all whose names contain
#                            it: test_linear, @int, hygiene, full header, all z80
#   sh tests/run.sh [full|all] list       the names of the rows
#   sh tests/run.sh full packages         the Debian packages that the rows need
#   sh tests/run.sh times    writes how long rows took when they last ran into tests/times.txt: the
#                            longest begin first
#   sh tests/run.sh hashes   writes the results of tests/smoke.c, made with CC, into
#                            tests/targets/hashes
#   sh tests/run.sh table    writes what the rows `all target_` printed last into tests/targets.md
#
# To add a test: a function with a name that states what must hold goes into a tests/test_*.c, and
# into the table at its end; a new tests/test_*.c needs nothing else. Another way to build or to
# check is a line in tests/rows.sh, which says how; its packages are in tests/needs.sh. A new target
# is such a line, too, and a way to build and run it in tests/targets.sh. What a new question,
# structure or option needs is in tests/README.md.
#
# Environment: CC (cc), CFLAGS, SEED of the random tests (20260101), JOBS (one a processor that it
# may use), OUT, the folder of all output (tests/out; two runs at a time need two), REQUIRE_ALL=1: a
# row that cannot run has failed.
#
# A row is one command; its log is $OUT/ROW.log. A program that takes more than 600 s of processor
# time, or 1800 s by the clock, is stopped. The last line printed is `N passed, N failed, N
# skipped`, and the exit status is 1 if any failed.
# shellcheck disable=SC2086,SC3045 # lists are split on purpose; ulimit -t may be missing
set -u
cd "$(dirname "$0")/.." || exit 1
: "${CC:=cc}" "${CFLAGS:=}" "${SEED:=20260101}" "${OUT:=tests/out}" "${REQUIRE_ALL:=0}"
: "${JOBS:=$(nproc 2>/dev/null || getconf _NPROCESSORS_ONLN 2>/dev/null || echo 1)}"
# A refused allocation is an answer that the tests expect, not an error to stop at.
: "${ASAN_OPTIONS:=allocator_may_return_null=1}" "${MSAN_OPTIONS:=allocator_may_return_null=1}"
: "${UBSAN_OPTIONS:=print_stacktrace=1}"
: "${PLAN:=$OUT/plan.$$}"
# Limits on a program, in seconds. A busy machine takes longer, but no more of a processor's time.
: "${MOST_SECONDS:=1800}" "${MOST_PROCESSOR_SECONDS:=600}"
export CC CFLAGS SEED OUT REQUIRE_ALL JOBS ASAN_OPTIONS MSAN_OPTIONS UBSAN_OPTIONS PLAN

plan=$PLAN # a line a row: name|needs|command
skipped=77 # exit status of a row that cannot run here; its last line says why
timed_out=124 used_up=152 # exit status of a program that timeout or, by SIGXCPU, ulimit stopped
limit= # what ends a program that takes too long
if command -v timeout >/dev/null; then limit="timeout $MOST_SECONDS"; fi

. tests/needs.sh
. tests/commands.sh
. tests/targets.sh
. tests/rows.sh

milliseconds() {
    now=$(date +%s%N)
    case $now in
    *N) echo $(($(date +%s) * 1000)) ;; # no nanoseconds here
    *) echo $((now / 1000000)) ;;
    esac
}

# ------------------------------------------------------------------------------------------------
# The plan

# Starts no process, for there are hundreds of rows.
row() { # set, name, needs, command
    case $MODE:$1 in
    *:user | full:full | all:full | all:all) printf '%s|%s|%s\n' "$2" "$3" "$4" ;;
    *:full | *:all) ;;
    *) echo "there is no set '$1' of rows" >&2 && exit 1 ;;
    esac
}

# Leaves in the plan the rows of that name, or else all whose names contain it.
choose() { # names
    : >"$plan.chosen"
    for wanted; do
        awk -F'|' -v wanted="$wanted" '$1 == wanted' "$plan" >"$plan.some"
        [ -s "$plan.some" ] ||
            awk -F'|' -v wanted="$wanted" 'index($1, wanted)' "$plan" >"$plan.some"
        [ -s "$plan.some" ] || {
            echo "no row of the set '$MODE' has '$wanted' in its name; others: full, all" >&2
            exit 1
        }
        cat "$plan.some" >>"$plan.chosen"
    done
    awk '!seen[$0]++' "$plan.chosen" >"$plan"
}

# The longest first, so that all processors end together. times.txt leaves out rows of less than two
# seconds.
order() {
    [ -f tests/times.txt ] || : >tests/times.txt
    awk -F'|' 'FILENAME != ARGV[2] { split($0, at, " "); seconds[at[1]] = at[2]; next }
        { printf "%d|%s\n", seconds[$1], $0 }' tests/times.txt "$plan" |
        sort -t'|' -s -k1,1nr | cut -d'|' -f2- >"$plan.ordered"
    mv "$plan.ordered" "$plan"
}

# ------------------------------------------------------------------------------------------------
# One row, in a process of its own

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
        (
            # For each process of the row. A soft limit: a hard one kills like a lack of memory.
            ulimit -S -t "$MOST_PROCESSOR_SECONDS" 2>/dev/null
            stopped=
            eval "${line#*|}"
            status=$?
            exit ${stopped:-$status}
        ) >"$log" 2>&1 </dev/null
        status=$?
    fi
    elapsed=$(($(milliseconds) - begin))
    report_row >"$OUT/$name.result"
    # The number of the line that this row adds is how many have ended.
    echo "$name" >>"$plan.ended"
    ended=$(grep -nxF "$name" "$plan.ended")
    sed "1s|^|${ended%%:*}/$total |" "$OUT/$name.result"
}

report_row() {
    last=$(tail -n 1 "$log")
    case $status in
    0) verdict=ok ;;
    "$skipped") verdict=SKIP ;;
    *) verdict=FAIL ;;
    esac
    case $verdict$REQUIRE_ALL$last in
    *"(not required)") ;;
    SKIP1*) verdict=FAIL ;;
    esac
    case $verdict/$status/$last in
    "ok/0/+ "*) last= ;; # nothing was printed but the command
    FAIL/$timed_out/*) last="stopped: more than $MOST_SECONDS s" ;;
    FAIL/$used_up/*) last="stopped: more than $MOST_PROCESSOR_SECONDS s of processor time" ;;
    FAIL*) last="exit status $status" ;;
    esac
    printf '%-4s  %-36s %4d.%d s  %.100s\n' $verdict "$name" $((elapsed / 1000)) \
        $((elapsed % 1000 / 100)) "$last"
    [ $verdict = FAIL ] || return
    awk '{ line[NR] = $0 }
        END {
            for (i = 1; i <= NR; i++)
                if (i <= 15 || i > NR - 25) print "      " line[i]
                else if (i == 16) print "      ..."
        }' "$log"
    printf '      again: SEED=%s CC="%s" CFLAGS="%s" sh tests/run.sh %s %s\n' "$SEED" "$CC" \
        "$CFLAGS" "$MODE" "$name"
}

# ------------------------------------------------------------------------------------------------
# All rows

results() { # the first line of each result
    cut -d'|' -f1 "$plan" | while read -r name; do
        read -r result <"$OUT/$name.result" && printf '%s\n' "$result"
    done
}

run_all() {
    total=$(awk 'END { print NR }' "$plan")
    export total
    cut -d'|' -f1 "$plan" | while read -r name; do : >"$OUT/$name.result"; done
    : >"$plan.ended"
    parallel=
    if echo | xargs -P 2 true 2>/dev/null; then parallel="-P $JOBS"; fi
    awk 'END { for (i = 1; i <= NR; i++) print i }' "$plan" |
        xargs -n 1 $parallel sh tests/run.sh --row
    results | sort -k3,3nr |
        awk 'NR <= 5 { line = line sep $2 " " $3 " s"; sep = ", " } END { print "slowest: " line }'
    passed=$(results | grep -c '^ok ')
    skips=$(results | grep -c '^SKIP ')
    echo "$passed passed, $((total - passed - skips)) failed, $skips skipped"
    [ "$total" -gt 0 ] && [ $((passed + skips)) = "$total" ]
}

write_times() {
    for result in "$OUT"/*.result; do
        [ -f "$result" ] || { echo "no row has run" && return 1; }
        head -n 1 "$result"
    done | awk '$3 >= 2 { printf "%s %d\n", $2, $3 }' | sort -k2,2nr >"$plan" || return 1
    {
        echo "# Written by: sh tests/run.sh times. Seconds that rows took, the longest first."
        cat "$plan"
    } >tests/times.txt
}

compiler_line() { # the first line in which the compiler tells its version
    for flag in --version -v; do
        line=$($CC $flag 2>&1) && break
    done
    printf '%s\n' "$line" | head -n 1
}

wanted() { grep -qF "\$$1" "$plan"; } # variable: does any row use it?

# Finds out what CC knows of what the rows use: the standard and the warnings; that arrays at the
# end of a struct end; a level of optimisation with which compiling and running together take least.
look_at_compiler() {
    name=compiler STANDARD='' STRICT='' LIGHT=-O1
    if wanted STANDARD && links "$nothing" $CC -std=c99 $warnings &&
        [ ! -s "$OUT/$name.try.log" ]; then
        STANDARD="-std=c99 $warnings"
    fi
    if wanted STRICT && links "$nothing" $CC -fsanitize=bounds-strict; then
        STRICT=,bounds-strict
    fi
    if wanted LIGHT && links "$nothing" $CC -Og; then LIGHT=-Og; fi
}

case ${1:-} in
--row)
    run_row "$2"
    exit 0
    ;;
esac

trap 'rm -f "$plan" "$plan".*' EXIT
trap 'exit 1' HUP INT TERM
case ${1:-} in
times | hashes | table)
    "write_$1"
    exit
    ;;
esac

MODE=user
case ${1:-} in
user | full | all)
    MODE=$1
    shift
    ;;
esac
rm -rf "$answers"
mkdir -p "$answers" || exit 1
all_rows >"$plan"
case ${1:-} in
list) cut -d'|' -f1 "$plan" && exit ;;
packages) packages && exit ;;
esac
[ $# -eq 0 ] || choose "$@"
twice=$(cut -d'|' -f1 "$plan" | sort | uniq -d)
[ -z "$twice" ] || { echo "two rows of one name: $twice" >&2 && exit 1; }
command -v "${CC%% *}" >/dev/null || { echo "there is no compiler named $CC" >&2 && exit 1; }
look_at_compiler
export MODE STANDARD STRICT LIGHT
order

echo "compiler  $CC: $(compiler_line)"
echo "flags     $STANDARD $CFLAGS"
echo "seed      $SEED"
run_all
