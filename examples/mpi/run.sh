#!/bin/sh
# Builds pairs.c, runs it with 1, 2, 3 and 4 ranks on boxes of each kind, and compares all pairs
# with those of brute force.
#
#   sh examples/mpi/run.sh
# shellcheck disable=SC2086 # several words
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

# ranks HOW_MANY ARGUMENTS...
ranks() {
    count=$1
    shift
    $limit mpirun -n "$count" "$OUT/pairs" "$@" </dev/null
}

# check KIND BOXES RANKS...: are the pairs in the files of all ranks those of brute force?
check() {
    kind=$1
    boxes=$2
    shift 2
    "$OUT/brute" "$kind" "$boxes" | sort >"$OUT/expected.txt"
    for n; do
        title="$boxes $kind boxes, $n ranks: $(wc -l <"$OUT/expected.txt") pairs"
        rm -f "$OUT"/pairs.txt.*
        if ranks "$n" "$kind" "$boxes" "$OUT/pairs.txt" &&
            sort "$OUT"/pairs.txt.* >"$OUT/actual.txt" &&
            cmp "$OUT/expected.txt" "$OUT/actual.txt"; then
            pass "$title"
        else
            fail "$title"
        fi
    done
}

needs mpi mpicc libopenmpi-dev mpirun openmpi-bin || finish
printf '%s\n' '#include <mpi.h>' 'int main(void) { return MPI_Init(0, 0) || MPI_Finalize(); }' \
    >"$OUT/try.c"
mpicc $CFLAGS -o "$OUT/try" "$OUT/try.c" >"$OUT/try.txt" 2>&1 ||
    { skip "mpi: $CC does not build with MPI." && finish; }
$limit mpirun -n 2 "$OUT/try" </dev/null >"$OUT/try.txt" 2>&1 ||
    { skip "mpi: mpirun starts no two processes here. (not required)" && finish; }
# Each box with each other of those that pairs.c makes.
cat >"$OUT/brute.c" <<'END'
#define main main_of_pairs
#include "examples/mpi/pairs.c"
#undef main

int main(int argc, char **argv)
{
    const spt_box *a, *b;
    share s;

    if (argc < 3) return 2;
    ranks = 1;
    s = make_share(*argv[1], strtoll(argv[2], NULL, 10));
    for (a = s.boxes; a < s.boxes + s.n; a++)
        for (b = a + 1; b < s.boxes + s.n; b++)
            if (a->min_x <= b->max_x && b->min_x <= a->max_x && a->min_y <= b->max_y &&
                b->min_y <= a->max_y)
                printf("%d %d\n", (int)(a - s.boxes), (int)(b - s.boxes));
    return 0;
}
END
if mpicc $CFLAGS -I. -o "$OUT/pairs" examples/mpi/pairs.c -lm &&
    mpicc $CFLAGS -I. -o "$OUT/brute" "$OUT/brute.c" -lm; then
    for kind in uniform clustered world; do check $kind 30000 1 2 3 4; done
    check clustered 1 3
    check world 9 4
    if ranks 2 other 9 "$OUT/pairs.txt" 2>"$OUT/actual.txt"; then
        fail "an unknown kind of boxes"
    else
        pass "an unknown kind of boxes: $(sed -n '/usage/{p;q;}' "$OUT/actual.txt")"
    fi
else
    fail "does not build"
fi
rm -f "$OUT"/pairs.txt.*
finish
