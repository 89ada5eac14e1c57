#!/bin/sh
# Builds conflicts.c and zones.c for a Cortex-M3 without libc or heap, runs them in qemu and
# compares what they print with expected_*.txt; then the same with the compiler of this machine,
# which also makes the map of zones.c; last, zones.c has to refuse two maps that were spoiled.
#
#   sh examples/firmware/run.sh
#
# Environment: CC (cc), CFLAGS (-O2), OUT (examples/out/firmware). Exit status: 0 all is as
# promised, 1 something is not, 77 nothing failed but a part was skipped.

cd "$(dirname "$0")/../.." || exit 1
source=examples/firmware
CC=${CC:-cc}
CFLAGS=${CFLAGS--O2}
OUT=${OUT:-examples/out/firmware}
warnings="-std=c99 -pedantic-errors -Wall -Wextra -Wconversion -Wsign-conversion -Wshadow -Wundef
    -Wcast-qual -Wdouble-promotion -Werror"
arm="arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -Os"
passed=0
failed=0
skipped=0

pass() { passed=$((passed + 1)); echo "ok    $1"; }
fail() { failed=$((failed + 1)); echo "FAIL  $1"; }
skip() { skipped=$((skipped + 1)); echo "skip  $1"; }
has() { command -v "${1%% *}" >/dev/null 2>&1; }

# same TITLE EXPECTED ACTUAL: compares two files and reports.
same() {
    if diff "$2" "$3"; then pass "$1"; else fail "$1 (< expected, > actual)"; fi
}

# What is alike on all machines: everything but the bytes of memory.
figures() { tr -d '\r' <"$1" | grep -v -e '^arena ' -e '^stack '; }

# The whole program, of it what is spatial.h, and RAM without the stack.
print_size() {
    echo "      $arm, sections that nothing uses left out by the linker"
    arm-none-eabi-size "$1" | awk 'NR == 2 {
        printf "      program: %d bytes of text, %d of data, %d of bss\n", $1, $2, $3 }'
    arm-none-eabi-nm -S -t d "$1" | awk '$3 ~ /^[tT]$/ && $4 ~ /^spti?_/ { n += $2 }
        END { printf "      functions of spatial.h in it that were not inlined: %d bytes\n", n }'
}

# on_the_board NAME: of the program.
on_the_board() {
    has "$arm" || { skip "Cortex-M3: needs the Debian package gcc-arm-none-eabi"; return; }
    # shellcheck disable=SC2086 # lists of words
    $arm $warnings -ffreestanding -nostdlib -ffunction-sections -fdata-sections \
        -fno-tree-loop-distribute-patterns -Wl,--gc-sections -T "$source/mps2.ld" -I "$OUT" \
        -o "$OUT/$1.elf" "$source/startup.c" "$source/$1.c" -lgcc ||
        { fail "$1, Cortex-M3: build"; return; }
    pass "$1, Cortex-M3: build"
    print_size "$OUT/$1.elf"
    has qemu-system-arm ||
        { skip "Cortex-M3: run needs the Debian package qemu-system-arm"; return; }
    qemu-system-arm -M mps2-an385 -display none -monitor none -serial none \
        -chardev stdio,id=c -semihosting-config enable=on,target=native,chardev=c \
        -kernel "$OUT/$1.elf" </dev/null >"$OUT/$1.board.txt"
    status=$?
    cat "$OUT/$1.board.txt"
    [ "$status" -eq 0 ] || { fail "$1, Cortex-M3: exit status $status"; return; }
    grep -v '^stack ' "$OUT/$1.board.txt" >"$OUT/actual.txt" # it is the compiler's choice
    same "$1, Cortex-M3: prints what expected_$1.txt promises" "$source/expected_$1.txt" \
        "$OUT/actual.txt"
}

# at_home NAME
at_home() {
    # shellcheck disable=SC2086
    if ! $CC $CFLAGS -I "$OUT" -o "$OUT/$1" "$source/$1.c" ||
        ! "$OUT/$1" >"$OUT/$1.native.txt"; then
        fail "$1, native"
        return
    fi
    figures "$source/expected_$1.txt" >"$OUT/expected.txt"
    figures "$OUT/$1.native.txt" >"$OUT/actual.txt"
    same "$1, native: the same figures" "$OUT/expected.txt" "$OUT/actual.txt"
}

# The map of zones.c as a C array, made of zones.txt by the command line tool.
make_map() {
    # shellcheck disable=SC2086
    $CC $CFLAGS -o "$OUT/spatial" tools/spatial.c -lm &&
        "$OUT/spatial" pack --c-array zones_map "$source/zones.txt" "$OUT/zones_map.h"
}

# refused TITLE: zones.c says so of the map in $OUT/refused, and ends.
refused() {
    # shellcheck disable=SC2086
    $CC $CFLAGS -I "$OUT/refused" -o "$OUT/refused/zones" "$source/zones.c" ||
        { fail "zones, native: $1"; return; }
    "$OUT/refused/zones" >"$OUT/refused/raw.txt"
    status=$?
    [ "$status" -eq 1 ] || { fail "zones, native: $1, exit status $status"; return; }
    echo "the map is refused: no image, or one of another kind of machine" >"$OUT/expected.txt"
    tr -d '\r' <"$OUT/refused/raw.txt" >"$OUT/actual.txt"
    same "zones, native: $1 is refused" "$OUT/expected.txt" "$OUT/actual.txt"
}

refused_maps() {
    mkdir -p "$OUT/refused" || exit 1
    sed 's/0x\(..\)\(..\)\(..\)\(..\)UL/0x\4\3\2\1UL/g' "$OUT/zones_map.h" \
        >"$OUT/refused/zones_map.h"
    refused "a map in the other order of bytes"
    { sed 's/\[[0-9]*\]/[]/; 100q' "$OUT/zones_map.h" && echo '};'; } >"$OUT/refused/zones_map.h"
    refused "a map that is cut off"
}

mkdir -p "$OUT" || exit 1
on_the_board conflicts
if ! has "$CC"; then
    skip "native, and zones: no compiler named ${CC%% *}; Debian has gcc"
else
    at_home conflicts
    if make_map; then
        on_the_board zones
        at_home zones
        refused_maps
    else
        fail "zones: no map made of zones.txt"
    fi
fi
rm -f "$OUT/expected.txt" "$OUT/actual.txt"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] || exit 1
[ "$skipped" -eq 0 ] || exit 77
