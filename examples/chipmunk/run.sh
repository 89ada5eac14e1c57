#!/bin/sh
# Builds compare.c with Chipmunk 7 and runs it: index.c has to find what the engine's tree finds.
#
#   sh examples/chipmunk/run.sh            a pile and a gas of 2,000 bodies, 60 steps
#   sh examples/chipmunk/run.sh --time     the table of index.c, in under a minute
# shellcheck disable=SC2086 # several words
cd "$(dirname "$0")/../.." || exit 1
. examples/common.sh

tries '#include <chipmunk/chipmunk_private.h>
    int main(void) { cpSpaceFree(cpSpaceNew()); return 0; }' "" "-lchipmunk -lm" ||
    { skip "chipmunk: $CC needs the Debian package libchipmunk-dev (Chipmunk 7)." && finish; }
builds compare $here/compare.c $here/index.c -lchipmunk -lm || finish
[ "${1:-}" != --time ] || exec "$OUT/compare" --time
must "compare" $limit "$OUT/compare" || finish
pass "$(grep '^pile ' "$OUT/log.txt")"
pass "$(grep '^gas ' "$OUT/log.txt")"
finish
