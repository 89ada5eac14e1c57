#!/bin/sh
# Builds compare.c with Chipmunk 7 and runs it: what the engine's tree finds, index.c has to find.
#
#   sh examples/chipmunk/run.sh            a pile and a gas of 2,000 bodies, 60 steps
#   sh examples/chipmunk/run.sh --time     the table of index.c, in half a minute
#
# Environment: CC (cc), CFLAGS (-O2), OUT (examples/out/chipmunk). Exit status: 0 all is found, 1
# something is not, 77 Chipmunk is not there.

cd "$(dirname "$0")/../.." || exit 1
CC=${CC:-cc}
CFLAGS=${CFLAGS--O2}
OUT=${OUT:-examples/out/chipmunk}
source=examples/chipmunk
limit= # on the time of a run
if command -v timeout >/dev/null; then limit="timeout 120"; fi

mkdir -p "$OUT" || exit 1
printf '%s\n' '#include <chipmunk/chipmunk_private.h>' \
    'int main(void) { cpSpaceFree(cpSpaceNew()); return 0; }' >"$OUT/try.c"
# shellcheck disable=SC2086 # several words
if ! $CC $CFLAGS -o "$OUT/try" "$OUT/try.c" -lchipmunk -lm >"$OUT/try.txt" 2>&1; then
    echo "skip  $CC does not build with Chipmunk 7: needs Debian package libchipmunk-dev"
    exit 77
fi
rm -f "$OUT/try" "$OUT/try.c" "$OUT/try.txt"
# shellcheck disable=SC2086
$CC $CFLAGS -I. -o "$OUT/compare" $source/compare.c $source/index.c -lchipmunk -lm ||
    { echo "FAIL  does not build"; exit 1; }
[ "${1:-}" != --time ] || exec "$OUT/compare" --time
if $limit "$OUT/compare" >"$OUT/compare.txt" && [ -s "$OUT/compare.txt" ]; then
    grep -e '^pile ' -e '^gas ' "$OUT/compare.txt" | sed 's/^/ok    /'
else
    cat "$OUT/compare.txt"
    echo "FAIL  compare"
    exit 1
fi
