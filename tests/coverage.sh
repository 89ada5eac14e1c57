#!/bin/sh
# Branches and conditions of spatial.h that the test programs take, all programs and options added
# up by coverage.awk.
#
#   sh tests/coverage.sh     prints a summary, and before it each condition that was never true,
#                            never false or never decided alone, unless coverage.txt gives a reason
#
# The exit status is 1 if there are such, or lines of coverage.txt that are not needed. Needs
# clang-19 and llvm-19: versions before 18 do not tell decisions. Honours SEED, OPS_DIVISOR (100)
# and OUT, the folder for all that is built. Built with -DNDEBUG: an assert that holds has a branch
# that no test can take. Code for other processors (NEON) is not compiled and so not counted; plain
# C in its place is.
set -u
cd "$(dirname "$0")/.." || exit 1
: "${OUT:=tests/out}" "${OPS_DIVISOR:=100}"
export OPS_DIVISOR
dir=$OUT/coverage.files
rm -rf "$dir"
mkdir -p "$dir" || exit 1

# cover OPTION TEST...: the reports of programs built with an option. $only: part of the names of
# the tests that they run.
only=
cover() {
    option=$1
    shift
    for test in "$@"; do
        program=$dir/$test$option
        clang-19 -w -std=c99 -DNDEBUG -DFUZZ_REPLAY -fprofile-instr-generate \
            -fcoverage-mapping -fcoverage-mcdc "$option" "tests/$test.c" -o "$program" -lm ||
            exit 1
        LLVM_PROFILE_FILE=$program.raw "$program" $only >"$program.log" 2>&1 ||
            { cat "$program.log" && exit 1; }
        llvm-profdata-19 merge -sparse "$program.raw" -o "$program.data" &&
            llvm-cov-19 show -color=false -instr-profile "$program.data" "$program" \
                -show-branches=count -show-mcdc -show-expansions '-name-regex=spti?_' \
                >"$program.report" || exit 1
        rm "$program" "$program.raw" "$program.data"
    done
}

# All programs without options but those of small worlds, which take long; and with options those
# that take what no other does.
# shellcheck disable=SC2046 # one word for each program
cover -DSPATIAL_FLOAT $(cd tests && ls test_*.c fuzz.c | sed '/small_/d; s/\.c$//')
cover -DSPATIAL_DOUBLE test_loosegrid test_neighbours
cover -DSPATIAL_INT test_movers test_neighbours test_questions
cover -DSPATIAL_NO_SIMD test_golden test_movers
cover -DSPATIAL_SMALL test_attacks test_loosegrid
# One test takes all branches of lists without inline room; the others of its program take long.
only=every_allocation_of_what_grows
cover -DSPATIAL_INTLIST_INLINE=0 test_memory
awk -f tests/coverage.awk tests/coverage.txt spatial.h "$dir"/*.report
