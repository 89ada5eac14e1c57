#!/bin/sh
# Builds pairs.c, runs it with 1, 2, 3 and 4 ranks on boxes of each kind, and compares all pairs and
# what it prints with those of one process that distributes nothing.
#
#   sh examples/mpi/run.sh
#
# Environment: CC (cc), CFLAGS (-O2), OUT (examples/out/mpi). Exit status: 0 all is as promised, 1
# something is not, 77 MPI is not there.

cd "$(dirname "$0")/../.." || exit 1
CC=${CC:-cc}
CFLAGS=${CFLAGS--O2}
OUT=${OUT:-examples/out/mpi}
limit= # on the time of a run
if command -v timeout >/dev/null; then limit="timeout 120"; fi
passed=0
failed=0

# mpicc takes the compiler from these. Open MPI wants to be asked before it runs as root or starts
# more ranks than there are processors, which then should not wait busily; others ignore this.
export OMPI_CC="$CC" MPICH_CC="$CC"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none # which containers mostly forbid
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export LC_ALL=C

pass() { passed=$((passed + 1)); echo "ok    $1"; }
fail() { failed=$((failed + 1)); echo "FAIL  $1"; }
skip() { echo "skip  $1"; exit 77; }

# ranks HOW_MANY ARGUMENTS...
ranks() {
    count=$1
    shift
    $limit mpirun -n "$count" "$OUT/pairs" "$@" </dev/null
}

# What is sorted here was written unsorted, by each rank to a file of its own.
sorted() { cat "$OUT"/pairs.txt.* | sort && rm -f "$OUT"/pairs.txt.*; }

# check KIND BOXES RANKS...
check() {
    kind=$1
    boxes=$2
    shift 2
    rm -f "$OUT"/pairs.txt.*
    if ! "$OUT/pairs" --alone "$kind" "$boxes" "$OUT/pairs.txt" >"$OUT/expected.txt"; then
        fail "$boxes $kind boxes in one process"
        return
    fi
    sorted >"$OUT/expected_pairs.txt"
    for n; do
        title="$boxes $kind boxes, $n ranks: $(sed -n '1p' "$OUT/expected.txt")"
        if ranks "$n" "$kind" "$boxes" "$OUT/pairs.txt" >"$OUT/actual.txt" &&
            sorted >"$OUT/actual_pairs.txt" &&
            cmp "$OUT/expected_pairs.txt" "$OUT/actual_pairs.txt" &&
            diff "$OUT/expected.txt" "$OUT/actual.txt"; then
            pass "$title"
        else
            fail "$title"
        fi
    done
}

promise() { sed -n '/^\/\* Prints.*:$/,/^\*\/$/p' examples/mpi/pairs.c | sed '1d;$d'; }
arguments() { sed -n 's/^\/\* Prints, given \(.*\):$/\1/p' examples/mpi/pairs.c; }

mkdir -p "$OUT" || exit 1
for command in mpicc mpirun; do
    command -v $command >/dev/null ||
        skip "there is no $command: needs Debian packages libopenmpi-dev openmpi-bin"
done
printf '%s\n' '#include <mpi.h>' 'int main(void) { return MPI_Init(0, 0) || MPI_Finalize(); }' \
    >"$OUT/try.c"
# shellcheck disable=SC2086 # several words
mpicc $CFLAGS -o "$OUT/try" "$OUT/try.c" >"$OUT/try.txt" 2>&1 || skip "$CC does not build with MPI"
$limit mpirun -n 2 "$OUT/try" </dev/null >"$OUT/try.txt" 2>&1 ||
    skip "mpirun starts no two processes here (not required)"
rm -f "$OUT/try" "$OUT/try.c" "$OUT/try.txt"
# shellcheck disable=SC2086
if mpicc $CFLAGS -I. -o "$OUT/pairs" examples/mpi/pairs.c -lm; then
    promise >"$OUT/expected.txt"
    # shellcheck disable=SC2046
    ranks 2 $(arguments) >"$OUT/actual.txt"
    if diff "$OUT/expected.txt" "$OUT/actual.txt"; then
        pass "what it promises"
    else
        fail "what it promises (< expected, > actual)"
    fi
    for kind in uniform clustered world; do check $kind 30000 1 2 3 4; done
    check clustered 1 3
    check world 9 4
else
    fail "does not build"
fi
rm -f "$OUT"/expected* "$OUT"/actual*
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
