#!/bin/sh
# Lines and branches of spatial.h that the test programs take, all programs and variants together.
#
#   sh tests/coverage.sh          prints how many; exit status 1 below 95 % of the branches
#   sh tests/coverage.sh --list   first prints the lines with branches that nothing took
#
# Needs gcc and gcovr; honours SEED, OPS_DIVISOR (60) and OUT, the folder for all that is built.
# Built with -DNDEBUG: an assert that holds has a branch that no test can take. Code for another
# processor (NEON) is not compiled and so not counted; plain C in its place is.
set -u
cd "$(dirname "$0")/.." || exit 1
: "${OUT:=tests/out}" "${OPS_DIVISOR:=60}"
export OPS_DIVISOR
dir=$OUT/coverage.files

# Builds without optimisation, so that every branch of the source is one of the program. Code that
# the first variant does not have is in the programs that ask most.
run_programs() { # variant
    mkdir -p "$dir/$1" || return 1
    for source in tests/test_*.c tests/fuzz.c; do
        program=$dir/$1/$(basename "$source" .c)
        case $1:$program in
        FLOAT:*) ;;
        *_golden | *_index | *_questions | *_broadphase | *_neighbours) ;;
        *) continue ;;
        esac
        gcc -std=c99 -O0 --coverage -DNDEBUG -DFUZZ_REPLAY "-DSPATIAL_$1" "$source" \
            -o "$program" -lm || return 1
        "$program" >"$program.log" 2>&1 || echo "$program fails, but its branches count"
    done
}

report() {
    gcovr --root . --object-directory "$dir" --filter 'spatial\.h$' --branches "$@" "$dir"
}

# The last column of the report holds the numbers of the lines with branches not taken.
list() {
    report | awk '$1 == "spatial.h" { gsub(",", "\n", $5); print $5 }' |
        awk 'FNR == NR { wanted[$1] = 1; next } FNR in wanted { print FNR ": " $0 }' - spatial.h
}

rm -rf "$dir"
for variant in FLOAT DOUBLE INT NO_SIMD; do # nothing is called SPATIAL_FLOAT: the default
    run_programs $variant || exit 1
done
[ "${1:-}" != --list ] || list
report --print-summary --fail-under-branch 95 >"$dir/summary" 2>&1
status=$?
awk '/^(lines|branches):/ { line = line sep $0; sep = ", " } END { print line }' "$dir/summary"
[ $status = 0 ] || echo "wanted: 95 % of the branches; sh tests/coverage.sh --list shows the lines"
exit $status
