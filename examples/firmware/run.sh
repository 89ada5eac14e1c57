#!/bin/sh
# Builds conflicts.c and zones.c for a Cortex-M3 without libc or heap, runs them in qemu and
# compares what they print with expected_*.txt; then the same with the compiler of this machine,
# which also makes the map of zones.c; last, zones.c has to refuse two maps that were spoiled.
#
#   sh examples/firmware/run.sh
# shellcheck disable=SC2086 # lists of words
cd "$(dirname "$0")/../.." || exit 1
. examples/common.sh
arm="arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -Os"

# The size of the whole program, of the part that is spatial.h, and RAM without the stack.
print_size() {
    echo "      $arm, sections that nothing uses left out by the linker"
    arm-none-eabi-size "$1" | awk 'NR == 2 {
        printf "      program: %d bytes of text, %d of data, %d of bss\n", $1, $2, $3 }'
    arm-none-eabi-nm -S -t d "$1" | awk '$3 ~ /^[tT]$/ && $4 ~ /^spti?_/ { n += $2 }
        END { printf "      functions of spatial.h in it that were not inlined: %d bytes\n", n }'
}

on_the_board() { # program
    needs "Cortex-M3" "$arm" gcc-arm-none-eabi qemu-system-arm qemu-system-arm || return
    $arm -std=c99 -pedantic-errors $warnings -ffreestanding -nostdlib -ffunction-sections \
        -fdata-sections -fno-tree-loop-distribute-patterns -Wl,--gc-sections -T $here/mps2.ld \
        -I "$OUT" -o "$OUT/$1.elf" $here/startup.c "$here/$1.c" -lgcc ||
        { fail "$1, Cortex-M3: build"; return; }
    print_size "$OUT/$1.elf"
    qemu-system-arm -M mps2-an385 -display none -monitor none -serial none \
        -chardev stdio,id=c -semihosting-config enable=on,target=native,chardev=c \
        -kernel "$OUT/$1.elf" </dev/null >"$OUT/$1.board.txt" ||
        fail "$1, Cortex-M3: exit status $?"
    cat "$OUT/$1.board.txt"
    grep -v '^stack ' "$OUT/$1.board.txt" >"$OUT/actual.txt" # it is the compiler's choice
    same "$1, Cortex-M3: prints what expected_$1.txt promises" "$here/expected_$1.txt" \
        "$OUT/actual.txt"
}

# at_home PROGRAM: prints the same on this machine, except for the bytes of memory.
at_home() {
    $CC $CFLAGS -I "$OUT" -o "$OUT/$1" "$here/$1.c" && "$OUT/$1" >"$OUT/raw.txt" ||
        { fail "$1, native"; return; }
    grep -v -e '^arena ' -e '^stack ' "$here/expected_$1.txt" >"$OUT/expected.txt"
    tr -d '\r' <"$OUT/raw.txt" | grep -v -e '^arena ' -e '^stack ' >"$OUT/actual.txt"
    same "$1, native: the same figures" "$OUT/expected.txt" "$OUT/actual.txt"
}

refused() { # title: zones.c refuses the map in $OUT/refused and ends with 1
    $CC $CFLAGS -I "$OUT/refused" -o "$OUT/refused/zones" $here/zones.c ||
        { fail "zones, native: $1"; return; }
    { "$OUT/refused/zones" || echo "exit status $?"; } | tr -d '\r' >"$OUT/actual.txt"
    same "zones, native: $1 is refused" "$OUT/expected.txt" "$OUT/actual.txt"
}

on_the_board conflicts
at_home conflicts
# The map of zones.c is a C array, which the command line tool makes of zones.txt.
$CC $CFLAGS -o "$OUT/spatial" tools/spatial.c -lm &&
    "$OUT/spatial" pack --c-array zones_map $here/zones.txt "$OUT/zones_map.h" ||
    { fail "zones: no map made of zones.txt" && finish; }
on_the_board zones
at_home zones
mkdir -p "$OUT/refused" || exit 1
printf '%s\n' "the map is refused: no image, or one of another kind of machine" "exit status 1" \
    >"$OUT/expected.txt"
sed 's/0x\(..\)\(..\)\(..\)\(..\)UL/0x\4\3\2\1UL/g' "$OUT/zones_map.h" >"$OUT/refused/zones_map.h"
refused "a map in the other order of bytes"
{ sed 's/\[[0-9]*\]/[]/; 100q' "$OUT/zones_map.h" && echo '};'; } >"$OUT/refused/zones_map.h"
refused "a map that is cut off"
finish
