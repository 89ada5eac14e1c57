#!/bin/sh
# Makes agents.png of the last frame that run.sh left; its colours have 6 bits.
cd "$(dirname "$0")/../.." || exit 1
. examples/common.sh
needs png pnmtopng netpbm || finish
od -An -v -tu1 -w1 "$OUT/host/SCREEN.BIN" | awk '{ v[NR - 1] = $1 }
    END { print "P3 320 200 63"
          for (i = 0; i < 192000; i++) print v[64000 + 3 * v[int(i / 3)] + i % 3] }' |
    pnmenlarge 2 | pnmtopng -quiet -compression 9 >"$here/agents.png" || fail "png: not made"
finish
