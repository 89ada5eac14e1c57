#!/bin/sh
# Builds conflicts.c for a Cortex-M3 without libc or heap, runs it in qemu and compares what it
# prints with expected.txt; then the same with the compiler of this machine.
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

on_the_board() {
    has "$arm" || { skip "Cortex-M3: needs the Debian package gcc-arm-none-eabi"; return; }
    # shellcheck disable=SC2086 # lists of words
    $arm $warnings -ffreestanding -nostdlib -ffunction-sections -fdata-sections \
        -fno-tree-loop-distribute-patterns -Wl,--gc-sections -T "$source/mps2.ld" \
        -o "$OUT/conflicts.elf" "$source/startup.c" "$source/conflicts.c" -lgcc ||
        { fail "Cortex-M3: build"; return; }
    pass "Cortex-M3: build"
    print_size "$OUT/conflicts.elf"
    has qemu-system-arm ||
        { skip "Cortex-M3: run needs the Debian package qemu-system-arm"; return; }
    qemu-system-arm -M mps2-an385 -display none -monitor none -serial none \
        -chardev stdio,id=c -semihosting-config enable=on,target=native,chardev=c \
        -kernel "$OUT/conflicts.elf" </dev/null >"$OUT/board.txt"
    status=$?
    cat "$OUT/board.txt"
    [ "$status" -eq 0 ] || { fail "Cortex-M3: exit status $status"; return; }
    grep -v '^stack ' "$OUT/board.txt" >"$OUT/actual.txt" # it is the compiler's choice
    same "Cortex-M3: prints what expected.txt promises" "$source/expected.txt" "$OUT/actual.txt"
}

at_home() {
    has "$CC" || { skip "native: no compiler named ${CC%% *}; Debian has gcc"; return; }
    # shellcheck disable=SC2086
    if ! $CC $CFLAGS -o "$OUT/conflicts" "$source/conflicts.c" ||
        ! "$OUT/conflicts" >"$OUT/native.txt"; then
        fail native
        return
    fi
    figures "$source/expected.txt" >"$OUT/expected.txt"
    figures "$OUT/native.txt" >"$OUT/actual.txt"
    same "native: the same figures" "$OUT/expected.txt" "$OUT/actual.txt"
}

mkdir -p "$OUT" || exit 1
on_the_board
at_home
rm -f "$OUT/expected.txt" "$OUT/actual.txt"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] || exit 1
[ "$skipped" -eq 0 ] || exit 77
