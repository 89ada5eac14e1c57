#!/bin/sh
# Mutants of spatial.h, each with one small mistake, are tried by the test programs.
#
#   sh tests/mutants.sh 3        the mutants of sample 3, of 64, each of which has some 240; or 3,7
#   sh tests/mutants.sh week     sample $SAMPLE or one of the first six, whose survivors are known
#   sh tests/mutants.sh 3 again  those that survived the last run of this sample
#   sh tests/mutants.sh "NAME"   the one of this name, as mutants.txt has them
#
# Prints each survivor, which no test finds, unless mutants.txt has it with a reason; the exit
# status is 1 if there are such. Samples 1 and 5 have floats, 2 and 6 doubles, 3 and 7 integers, 4
# and 8 no SIMD. A mutant stays in its sample whatever else of the header changes.
#
# All mutants are compiled at once, and MUTANT in the environment of a program chooses one of them.
# It is tried by all tests that reach its line, the quickest first, until one fails, crashes or
# takes ten times as long as usual. Needs gcc. Environment: OUT, for all that is built; OPS_DIVISOR
# (100) of the random work; TYPE=float, double, int or nosimd; MUTANT_JOBS (1);
# SHARES (64); MUTANT_MS: tests that take longer are left out.
# shellcheck disable=SC2086,SC3045 # flags and files are split on purpose; every Linux has ulimit -S
set -u
cd "$(dirname "$0")/.." || exit 1
: "${OUT:=tests/out}" "${OPS_DIVISOR:=100}" "${SHARES:=64}" "${MUTANT_JOBS:=1}"
: "${MUTANT_MS:=1000000}"
export OUT OPS_DIVISOR MUTANT_MS

# One mutant: prints its number, and the test that found it or "survived".
try() { # folder, number
    awk -v k="$2" -v most="$MUTANT_MS" '$1 == k && $2 <= most { print $2, $3, $4 }' "$1/reached" |
        sort -n >"$1/try.$2"
    echo "$2 $(find_it "$1" "$2")"
    rm "$1/try.$2"
}

find_it() { # folder, number
    while read -r time program test; do
        case $test in .) test=$corpus ;; esac
        (
            ulimit -S -t $((time / 100 + 2)) && ulimit -S -v 4000000
            MUTANT=$2 timeout 300 "$1/$program" $test
        ) >/dev/null 2>&1 </dev/null
        case $? in
        0) ;;
        124 | 152) echo "$program ${test%% *} hangs" && return ;;
        *) echo "$program ${test%% *}" && return ;;
        esac
    done <"$1/try.$2"
    if [ -s "$1/try.$2" ]; then echo survived; else echo "survived: not reached"; fi
}

# The header with the mutants of a sample that compile.
make_header() {
    gcc -std=c99 -E -fdirectives-only $flags -DSPATIAL_IMPLEMENTATION spatial.h >"$dir/active" ||
        exit 1
    : >"$dir/without"
    while :; do
        awk -v sample="$sample" -v samples="$SHARES" -v only="$only" \
            -v list="$dir/list" -f tests/mutants.awk part=active "$dir/active" \
            part=without "$dir/without" part=header spatial.h \
            >"$dir/spatial.h" || exit 1
        gcc -w -std=c99 -fsyntax-only -fmax-errors=0 -ftrack-macro-expansion=0 $flags \
            -DSPATIAL_STATIC -DSPATIAL_IMPLEMENTATION -x c "$dir/spatial.h" \
            2>"$dir/errors" && return
        awk -F'[\t:]' -v OFS=: 'NR == FNR { number[$2] = $1; next }
            $2 in number { print number[$2]; found = 1 }
            END { exit !found }' "$dir/list" "$dir/errors" >>"$dir/without" ||
            { cat "$dir/errors" && exit 1; }
    done
}

# Builds the programs, and notes which tests reach which mutants.
make_programs() {
    mkdir -p "$dir/tests" && cp tests/*.[ch] "$dir/tests" || exit 1
    : >"$dir/reached"
    for source in "$dir"/tests/test_*.c "$dir/tests/fuzz.c"; do
        program=$(basename "$source" .c)
        gcc -w -std=c99 -O1 $flags -DSPATIAL_STATIC -DFUZZ_REPLAY -DTEST_MAX_FAILURES=1 "$source" \
            -o "$dir/$program" -lm || exit 1
        files=
        case $program in fuzz) files=$corpus ;; esac
        : >"$dir/reached.one"
        MUTANTS_REACHED=$dir/reached.one "$dir/$program" $files >"$dir/log" 2>&1 ||
            { cat "$dir/log" && exit 1; }
        awk -v program="$program" '$3 != "." || program == "fuzz" { print $1, $2, program, $3 }' \
            "$dir/reached.one" >>"$dir/reached"
    done
}

# The names of those that survived, and a summary.
report() {
    awk -F'\t' 'part == "known" { sub(/ +# .*/, ""); known[$0]; next }
        part == "list" { name[$1] = $3; if ($3 in known) excused++; next }
        {
            number = $0
            sub(/ .*/, "", number)
            tried++
            if (!/^[0-9]+ survived/) next
            survived++
            print name[number] (/reached/ ? " (not reached)" : "")
        }
        END {
            printf "%d mutants tried, %d found, %d survived; %d more are known to survive\n", tried,
                tried - survived, survived, excused >"/dev/stderr"
            exit survived > 0
        }' part=known tests/mutants.txt part=list "$dir/list" part=results "$dir/results" \
        >"$dir/survivors"
    status=$?
    sed 's/^/survived: /' "$dir/survivors"
    return $status
}

corpus='tests/corpus/*'
only=
case ${1:-} in
--try)
    try "$2" "$3"
    exit
    ;;
week) sample=${SAMPLE:-$(($(date +%s) / 604800 % 6 + 1))} ;;
[0-9]*) sample=$1 ;;
*:*) only=$1 sample=-1 ;; # which has none
*) sed -n '2,/^$/s/^# \{0,1\}//p' "$0" && exit 1 ;;
esac
case ${TYPE:-$((${sample%%,*} % 4))} in
0 | nosimd) TYPE=nosimd flags=-DSPATIAL_NO_SIMD ;;
1 | -1 | float) TYPE=float flags=-DSPATIAL_FLOAT ;;
2 | double) TYPE=double flags=-DSPATIAL_DOUBLE ;;
*) TYPE=int flags=-DSPATIAL_INT ;;
esac
dir=$OUT/mutants.$sample
mkdir -p "$dir" || exit 1
echo "sample $sample of $SHARES, $TYPE"
make_header
make_programs
cp "$dir/survivors" "$dir/again" 2>/dev/null
: >"$dir/survivors"
[ "${2:-}" = again ] || cut -f3 "$dir/list" >"$dir/again"
awk -F"\t" 'part == "known" { sub(/ +# .*/, ""); known[$0]; next }
    part == "again" { sub(/ \(not reached\)$/, ""); wanted[$0]; next }
    $3 in wanted && !($3 in known) { print $1 }' part=known tests/mutants.txt \
    part=again "$dir/again" part=list "$dir/list" >"$dir/chosen"
xargs -n 1 -P "$MUTANT_JOBS" sh "$0" --try "$dir" <"$dir/chosen" >"$dir/results"
report
