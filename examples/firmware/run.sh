#!/bin/sh
# Builds conflicts.c and zones.c for a Cortex-M3 without libc or heap, runs them in qemu and
# compares what they print with expected_*.txt; then the same with the compiler of this machine,
# which also makes the map of zones.c; last, zones.c has to refuse two maps that were spoiled.
# shellcheck disable=SC2015,SC2016,SC2086,SC2317 # lists of words; functions that must calls
cd "$(dirname "$0")/../.." || exit 1
. examples/common.sh
arm="arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -Os"

on_the_board() { # program
    needs "Cortex-M3" "$arm" gcc-arm-none-eabi qemu-system-arm qemu-system-arm || return
    must "$1, Cortex-M3: build" $arm -std=c99 -pedantic-errors $warnings -ffreestanding -nostdlib \
        -ffunction-sections -fdata-sections -fno-tree-loop-distribute-patterns -Wl,--gc-sections \
        -T $here/mps2.ld -I "$OUT" -o "$OUT/$1.elf" $here/startup.c "$here/$1.c" -lgcc || return
    arm-none-eabi-size "$OUT/$1.elf"
    but='/^stack /d' # how deep it went is the compiler's choice
    prints "$1, Cortex-M3: prints what expected_$1.txt promises" "$here/expected_$1.txt" \
        qemu-system-arm -M mps2-an385 -display none -monitor none -serial none \
        -chardev stdio,id=c -semihosting-config enable=on,target=native,chardev=c \
        -kernel "$OUT/$1.elf" </dev/null
    cat "$OUT/actual.txt"
}

at_home() { # program
    but='/^stack /d; /^arena /d' # bytes differ from machine to machine
    builds "$1" -I "$OUT" "$here/$1.c" &&
        prints "$1, native: the same figures" "$here/expected_$1.txt" "$OUT/$1"
}

refused() { # title, script of sed that spoils the map: zones.c refuses it and ends with 1
    sed "$2" "$OUT/zones_map.h" >"$OUT/refused/zones_map.h"
    builds refused/zones -I "$OUT/refused" $here/zones.c || return
    { "$OUT/refused/zones" || echo "exit status $?"; } >"$OUT/actual.txt"
    same "zones, native: $1 is refused" "$OUT/expected.txt" "$OUT/actual.txt"
}

# The map of zones.c is a C array, which the command line tool makes of zones.txt.
builds spatial tools/spatial.c -lm && must "zones: no map made of zones.txt" \
    "$OUT/spatial" pack --c-array zones_map $here/zones.txt "$OUT/zones_map.h" || finish
for program in conflicts zones; do on_the_board $program; at_home $program; done
mkdir -p "$OUT/refused" && printf '%s %s\nexit status 1\n' \
    "the map is refused: no image, cut off," \
    "or of another version, byte order or type of coordinates" >"$OUT/expected.txt"
refused "a map in the other order of bytes" 's/0x\(..\)\(..\)\(..\)\(..\)UL/0x\4\3\2\1UL/g'
refused "a map that is cut off" 's/\[[0-9]*\]/[]/; 100{s/$/ };/;q;}'
finish
