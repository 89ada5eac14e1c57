#!/bin/sh
# Builds pairs.c, runs it with 1, 2, 3 and 4 ranks on boxes of each kind, and compares all pairs
# with the pairs that brute.c finds.
# shellcheck disable=SC2015,SC2034,SC2086,SC2317 # several words; functions that check calls
cd "$(dirname "$0")/../.." || exit 1
. examples/common.sh

# mpicc takes the compiler from these. Open MPI wants to be asked before it runs as root or starts
# more ranks than there are processors, which then should not wait busily; others ignore this.
export OMPI_CC="$CC" MPICH_CC="$CC"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_MCA_btl_vader_single_copy_mechanism=none # which containers mostly forbid
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
export LC_ALL=C

ranks() { $limit mpirun -n "$@" </dev/null; } # how many, program, arguments

finds_all() { # kind, boxes, ranks: are the pairs in the files of all ranks as expected?
    rm -f "$OUT"/pairs.txt.*
    ranks "$3" "$OUT/pairs" "$1" "$2" "$OUT/pairs.txt" &&
        sort "$OUT"/pairs.txt.* | cmp - "$OUT/expected.txt"
}

needs mpi mpicc libopenmpi-dev mpirun openmpi-bin || finish
CC=mpicc
tries '#include <mpi.h>
    int main(void) { return MPI_Init(0, 0) || MPI_Finalize(); }' ||
    { skip "mpi: $OMPI_CC does not build with MPI." && finish; }
ranks 2 "$OUT/try" >"$OUT/log.txt" 2>&1 ||
    { skip "mpi: mpirun starts no two processes here. (not required)" && finish; }
builds pairs -DSPATIAL_STATIC $here/pairs.c -lm && builds brute $here/brute.c -lm || finish
for boxes in "uniform 10000" "clustered 10000" "world 10000" "clustered 1" "world 9"; do
    "$OUT/brute" $boxes | sort >"$OUT/expected.txt"
    for n in 1 2 3 4; do
        check "$boxes, $n ranks: $(wc -l <"$OUT/expected.txt") pairs" finds_all $boxes $n
    done
done
rm -f "$OUT"/pairs.txt.*
if ranks 2 "$OUT/pairs" other 9 "$OUT/pairs.txt" >"$OUT/log.txt" 2>&1; then
    fail "an unknown kind of boxes"
else
    pass "an unknown kind of boxes: $(sed -n '/usage/{p;q;}' "$OUT/log.txt")"
fi
finish
